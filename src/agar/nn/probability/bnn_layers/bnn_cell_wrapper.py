"""WithBNNLossCell."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.nn.probability.bnn_layers.layer_distribution import Variational

__all__ = ["WithBNNLossCell"]


class WithBNNLossCell(Cell):
    """A network with its loss, to which the divergences of its sampled weights are added.

    Args:
        backbone (Cell): the network.
        loss_fn (Cell): the loss of its outputs and the labels.
        dnn_factor (Union[int, float]): factor of the loss. Default: ``1``.
        bnn_factor (Union[int, float]): factor of the divergences. Default: ``1``.

    Inputs:
        - **x** (Tensor) - the input of the network.
        - **label** (Tensor) - the labels, as the loss takes them.

    Outputs: Tensor, the loss.

    Raises:
        TypeError: a factor is not a number.
        ValueError: a factor is negative.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.probability import bnn_layers
        >>> net = bnn_layers.DenseReparam(3, 2)
        >>> loss = bnn_layers.WithBNNLossCell(net, ms.nn.MSELoss(), bnn_factor=0.1)
        >>> loss(ms.ops.ones((4, 3)), ms.ops.zeros((4, 2))).shape
        ()
    """

    def __init__(
        self, backbone: Cell, loss_fn: Any, dnn_factor: float = 1, bnn_factor: float = 1
    ) -> None:
        super().__init__(auto_prefix=False)
        for name, value in (("dnn_factor", dnn_factor), ("bnn_factor", bnn_factor)):
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise TypeError(f"The type of `{name}` must be `int` or `float`, but got {value!r}")
            if value < 0:
                raise ValueError(f"The value of `{name}` must >= 0, but got {value}")
        self._backbone = backbone
        self._loss_fn = loss_fn
        self.dnn_factor = dnn_factor
        self.bnn_factor = bnn_factor
        self._add_kl_loss(backbone)

    def _add_kl_loss(self, net: Cell) -> None:
        layers = [cell for _, cell in net.cells_and_names() if isinstance(cell, Variational)]
        self.kl_loss = [layer.compute_kl_loss for layer in layers]

    @property
    def backbone_network(self) -> Cell:
        """The network."""
        return self._backbone

    def construct(self, x: Tensor, label: Tensor) -> Tensor:
        loss = self._loss_fn(self._backbone(x), label) * self.dnn_factor
        for divergence in self.kl_loss:
            loss = loss + divergence() * self.bnn_factor
        return loss
