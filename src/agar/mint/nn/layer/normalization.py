"""Normalization layers with PyTorch's arguments and parameter names."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.distributed.process_groups import WORLD
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.common.initializer import initializer
from agar.mint.nn import functional as F
from agar.nn.cell import Cell
from agar.nn.layer.normalization import LayerNormExt as LayerNorm
from agar.ops._checks import boolean, integer, number
from agar.ops.nn.mint_normalization import mint_batch_norm_layer

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "GroupNorm",
    "LayerNorm",
    "SyncBatchNorm",
]


class _BatchNorm(Cell):
    """What the layers share: parameters and running statistics.

    The statistics are written below the layer, in `agar.ops.mint_norm`, so that they are counted
    once where a forward pass is recomputed.
    """

    #: the ranks of input that are taken
    ranks: tuple[int, ...] = ()
    #: the processes that share a batch
    group: str | None = None

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        op_name = self.cls_name
        self.num_features = integer(op_name, "num_features", num_features, 1)
        self.eps = number(op_name, "eps", eps)
        self.momentum = momentum if momentum is None else number(op_name, "momentum", momentum)
        self.affine = boolean(op_name, "affine", affine)
        self.track_running_stats = boolean(op_name, "track_running_stats", track_running_stats)
        self.dtype = dtype or mstype.float32
        self.weight: Parameter | None = None
        self.bias: Parameter | None = None
        self.running_mean: Parameter | None = None
        self.running_var: Parameter | None = None
        self.num_batches_tracked: Parameter | None = None
        if affine:
            self.weight = self._filled("ones", "weight", True)
            self.bias = self._filled("zeros", "bias", True)
        if track_running_stats:
            self.running_mean = self._filled("zeros", "running_mean", False)
            self.running_var = self._filled("ones", "running_var", False)
            self.num_batches_tracked = Parameter(
                initializer("zeros", (), mstype.int64),
                name="num_batches_tracked",
                requires_grad=False,
            )

    def _filled(self, init: str, name: str, trained: bool) -> Parameter:
        values = initializer(init, (self.num_features,), self.dtype)
        return Parameter(values, name=name, requires_grad=trained)

    def reset_running_stats(self) -> None:
        """Forget the batches seen so far: mean 0, variance 1, count 0."""
        for statistic, value in (
            (self.running_mean, 0),
            (self.running_var, 1),
            (self.num_batches_tracked, 0),
        ):
            if statistic is not None:
                ops.assign(statistic, ops.full_like(statistic, value))

    def reset_parameters(self) -> None:
        """Set the statistics back, the scale to 1 and the shift to 0."""
        self.reset_running_stats()
        for parameter, value in ((self.weight, 1), (self.bias, 0)):
            if parameter is not None:
                ops.assign(parameter, ops.full_like(parameter, value))

    def check_rank(self, rank: int, shape: tuple[int, ...]) -> None:
        """Refuse an input of another rank.

        Raises:
            ValueError: the layer does not take it.
        """
        if rank not in self.ranks:
            expected = " or ".join(f"{r}D" for r in self.ranks)
            raise ValueError(
                f"For '{self.cls_name}', expected {expected} input, but got {rank}D input of shape "
                f"{shape}."
            )

    def construct(self, input: Tensor) -> Tensor:
        return mint_batch_norm_layer(input, self, bool(self.training))

    def extend_repr(self) -> str:
        """The options."""
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, "
            f"affine={self.affine}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    r"""Normalize every channel over the batch, of vectors or sequences.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot weight + bias

    In training :math:`\mu, \sigma^2` are those of the batch, and the running ones are updated:
    :math:`running = (1 - momentum) \cdot running + momentum \cdot batch`. In evaluation they are
    the running ones.

    Args:
        num_features (int): number of channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        momentum (float): the weight of a batch in the running statistics; None averages over all
            batches. Default: 0.1.
        affine (bool): whether there are `weight` and `bias`. Default: True.
        track_running_stats (bool): whether there are running statistics; without them, those of the
            batch are used in evaluation mode as well. Default: True.
        dtype (mindspore.dtype): type of the parameters. Default: None, ``float32``.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C)` or :math:`(N, C, L)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_features` is not positive, the input's rank or channels do not fit, or a
            batch in training has one value per channel.

    Difference from PyTorch: a new layer is in evaluation mode, as every Cell.

    Source: Ioffe and Szegedy 2015, "Batch Normalization".

    Examples:
        >>> import agar as ms
        >>> layer = ms.mint.nn.BatchNorm1d(1, eps=0.0).set_train()
        >>> print(layer(ms.Tensor([[1.0], [3.0]])), layer.running_mean.asnumpy())
        [[-1.]
         [ 1.]] [0.2]
    """

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    r"""Normalize every channel over the batch, of images.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot weight + bias

    In training :math:`\mu, \sigma^2` are those of the batch, and the running ones are updated:
    :math:`running = (1 - momentum) \cdot running + momentum \cdot batch`. In evaluation they are
    the running ones.

    Args:
        num_features (int): number of channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        momentum (float): the weight of a batch in the running statistics; None averages over all
            batches. Default: 0.1.
        affine (bool): whether there are `weight` and `bias`. Default: True.
        track_running_stats (bool): whether there are running statistics; without them, those of the
            batch are used in evaluation mode as well. Default: True.
        dtype (mindspore.dtype): type of the parameters. Default: None, ``float32``.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, H, W)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_features` is not positive, the input's rank or channels do not fit, or a
            batch in training has one value per channel.

    Difference from PyTorch: a new layer is in evaluation mode, as every Cell.

    Source: Ioffe and Szegedy 2015, "Batch Normalization".

    Examples:
        >>> import agar as ms
        >>> ms.mint.nn.BatchNorm2d(3)(ms.ops.ones((2, 3, 4, 4))).shape
        (2, 3, 4, 4)
    """

    ranks = (4,)


class BatchNorm3d(_BatchNorm):
    r"""Normalize every channel over the batch, of volumes.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot weight + bias

    In training :math:`\mu, \sigma^2` are those of the batch, and the running ones are updated:
    :math:`running = (1 - momentum) \cdot running + momentum \cdot batch`. In evaluation they are
    the running ones.

    Args:
        num_features (int): number of channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        momentum (float): the weight of a batch in the running statistics; None averages over all
            batches. Default: 0.1.
        affine (bool): whether there are `weight` and `bias`. Default: True.
        track_running_stats (bool): whether there are running statistics; without them, those of the
            batch are used in evaluation mode as well. Default: True.
        dtype (mindspore.dtype): type of the parameters. Default: None, ``float32``.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, D, H, W)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_features` is not positive, the input's rank or channels do not fit, or a
            batch in training has one value per channel.

    Difference from PyTorch: a new layer is in evaluation mode, as every Cell.

    Source: Ioffe and Szegedy 2015, "Batch Normalization".

    Examples:
        >>> import agar as ms
        >>> ms.mint.nn.BatchNorm3d(3)(ms.ops.ones((2, 3, 2, 4, 4))).shape
        (2, 3, 2, 4, 4)
    """

    ranks = (5,)


class GroupNorm(Cell):
    r"""Normalize every sample over groups of channels.

    .. math:: out = \frac{x - \mu_g}{\sqrt{\sigma_g^2 + \epsilon}} \cdot weight + bias

    Args:
        num_groups (int): number of groups, a divisor of `num_channels`.
        num_channels (int): number of channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        affine (bool): whether `weight` and `bias` are trained. Default: True.
        dtype (mindspore.dtype): type of the parameters. Default: None, ``float32``.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, *)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is not positive, or `num_groups` does not divide `num_channels`.

    Difference from PyTorch: without `affine`, `weight` and `bias` stay, as constants.

    Source: Wu and He 2018, "Group Normalization".

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.GroupNorm(1, 2, eps=0.0)(ms.Tensor([[1.0, 3.0]])))
        [[-1.  1.]]
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_groups = integer("GroupNorm", "num_groups", num_groups, 1)
        self.num_channels = integer("GroupNorm", "num_channels", num_channels, 1)
        if num_channels % num_groups:
            raise ValueError(
                "For 'GroupNorm', the 'num_channels' must be divided by 'num_groups', but got "
                f"'num_channels': {num_channels}, 'num_groups': {num_groups}."
            )
        if not isinstance(eps, float):
            raise TypeError(
                "For 'GroupNorm', the type of 'eps' should be 'float', but got type "
                f"'{type(eps).__name__}'."
            )
        self.eps = eps
        self.affine = boolean("GroupNorm", "affine", affine)
        shape, kind = (num_channels,), dtype or mstype.float32
        self.weight = Parameter(
            initializer("ones", shape, kind), name="weight", requires_grad=affine
        )
        self.bias = Parameter(initializer("zeros", shape, kind), name="bias", requires_grad=affine)

    def construct(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extend_repr(self) -> str:
        """The options."""
        return (
            f"num_groups={self.num_groups}, num_channels={self.num_channels}, eps={self.eps}, "
            f"affine={self.affine}"
        )


class SyncBatchNorm(_BatchNorm):
    r"""Batch normalization over the parts of a batch on several processes.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot weight + bias

    In training :math:`\mu, \sigma^2` are those of all parts. One process is its own group: the
    layer is then a batch normalization of inputs of any rank.

    Args:
        num_features (int): number of channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        momentum (float): the weight of a batch in the running statistics; None averages over all
            batches. Default: 0.1.
        affine (bool): whether there are `weight` and `bias`. Default: True.
        track_running_stats (bool): whether there are running statistics; without them, those of the
            batch are used in evaluation mode as well. Default: True.
        process_group (str): the group of processes. Default: None, all.
        dtype (mindspore.dtype): type of the parameters. Default: None, ``float32``.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, C, *)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `num_features` is not positive, the input's rank or channels do not fit, or a
            batch in training has one value per channel.
        RuntimeError: there are several processes, and `communication.init` was not called.

    Difference from PyTorch: `process_group` is a name; a new layer is in evaluation mode; it also
    runs on CPUs.

    Source: Ioffe and Szegedy 2015, "Batch Normalization".

    Examples:
        >>> import agar as ms
        >>> ms.mint.nn.SyncBatchNorm(3)(ms.ops.ones((2, 3, 4))).shape
        (2, 3, 4)
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype)
        if process_group is not None and not isinstance(process_group, str):
            raise TypeError(
                "For 'SyncBatchNorm', the type of 'process_group' must be str, but got "
                f"'{type(process_group).__name__}'."
            )
        self.group = self.process_group = process_group or WORLD

    def check_rank(self, rank: int, shape: tuple[int, ...]) -> None:
        """Refuse an input without a channel dimension.

        Args:
            rank (int): the rank of the input.
            shape (tuple[int]): its shape, for the error.

        Raises:
            ValueError: the rank is below 2.
        """
        if rank < 2:
            raise ValueError(
                f"For 'SyncBatchNorm', expected at least 2D input, but got {rank}D input of shape "
                f"{shape}."
            )
