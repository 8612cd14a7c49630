"""ConvertNetUtils and ConvertModelUtils."""

from __future__ import annotations

from typing import Any

from agar.nn.cell import Cell
from agar.nn.layer.thor_layer import convert_to_thor_net
from agar.nn.optim.thor import ThorGpu
from agar.nn.wrap import TrainOneStepCell
from agar.train.model import Model

__all__ = ["ConvertModelUtils", "ConvertNetUtils"]


class ConvertNetUtils:
    """Makes the layers of a network keep the statistics of ``nn.thor``.

    Difference from PyTorch: no counterpart.

    Source: documented in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> net = ms.nn.SequentialCell(ms.nn.Dense(3, 2))
        >>> ms.train.ConvertNetUtils().convert_to_thor_net(net)
        >>> type(net[0]).__name__
        'DenseThor'
    """

    def convert_to_thor_net(self, net: Cell) -> None:
        """Convert a network in place; ``nn.thor`` does it by itself.

        Each ``nn.Dense``, ``nn.Conv2d``, ``nn.Embedding`` and ``nn.EmbeddingLookup`` that is
        trained becomes a layer that keeps statistics. Parameters stay the same objects.

        Args:
            net (Cell): the network.

        Difference from PyTorch: no counterpart.

        Source: documented in MindSpore 2.10, which puts new layers in place of the old ones.
        """
        convert_to_thor_net(net)


class ConvertModelUtils:
    """Makes a model that trains with ``nn.thor``.

    Difference from PyTorch: no counterpart.

    Source: documented in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net, loss = nn.Dense(2, 1), nn.MSELoss()
        >>> opt = nn.thor(net, ms.Tensor(0.1), ms.Tensor(0.03), 0.9, frequency=4)
        >>> model = ms.train.Model(net, loss_fn=loss, optimizer=opt)
        >>> model = ms.train.ConvertModelUtils.convert_to_thor_model(
        ...     model, net, loss_fn=loss, optimizer=opt
        ... )
        >>> type(model).__name__
        'Model'
    """

    @staticmethod
    def convert_to_thor_model(
        model: Model,
        network: Cell,
        loss_fn: Any = None,
        optimizer: Any = None,
        metrics: Any = None,
        amp_level: str = "O0",
        loss_scale_manager: Any = None,
        keep_batchnorm_fp32: bool = False,
    ) -> Model:
        """A model for the optimizer.

        agar's optimizer counts its steps and inverts when it is time, so any model does; it is made
        anew from the arguments, as in MindSpore.

        Args:
            model (Model): returned as it is, if `optimizer` is not that of ``nn.thor``.
            network (Cell): the network, or a train cell.
            loss_fn (Cell): the loss. Default: None.
            optimizer (Cell): the optimizer. Default: None.
            metrics (Union[dict, set]): see ``train.Model``. Default: None.
            amp_level (str): see ``train.Model``. Default: ``"O0"``.
            loss_scale_manager (LossScaleManager): see ``train.Model``. Default: None.
            keep_batchnorm_fp32 (bool): see ``train.Model``. Default: False.

        Returns:
            Model.

        Raises:
            TypeError: an argument is of a type that ``train.Model`` does not take.

        Difference from PyTorch: no counterpart.

        Source: documented in MindSpore 2.10.
        """
        if not isinstance(optimizer, ThorGpu):
            return model
        if isinstance(network, TrainOneStepCell):
            return Model(network)
        return Model(
            network,
            loss_fn=loss_fn,
            optimizer=optimizer,
            metrics=metrics,
            amp_level=amp_level,
            loss_scale_manager=loss_scale_manager,
            keep_batchnorm_fp32=keep_batchnorm_fp32,
        )
