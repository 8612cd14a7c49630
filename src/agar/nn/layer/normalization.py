"""Normalization layers."""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core.multi_device import world
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.common.initializer import initializer
from agar.nn.cell import Cell
from agar.ops._checks import boolean, choice, integer, number
from agar.ops.nn.layer_normalization import layer_norm_axes
from agar.ops.nn.normalization import (
    batch_norm_layer,
    batch_norm_together,
    instance_norm_layer,
)

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "GroupNorm",
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "LayerNorm",
    "LayerNormExt",
    "SyncBatchNorm",
]


class _WithStatistics(Cell):
    """Scale, shift and running statistics, with the names and order that checkpoints expect."""

    momentum: float
    eps: float

    def _make_parameters(
        self,
        num_features: int,
        affine: bool,
        gamma_init: Any,
        beta_init: Any,
        moving_mean_init: Any,
        moving_var_init: Any,
        dtype: Any,
    ) -> None:
        shape = (num_features,)
        self.moving_mean = Parameter(
            initializer(moving_mean_init, shape, dtype), name="mean", requires_grad=False
        )
        self.moving_variance = Parameter(
            initializer(moving_var_init, shape, dtype), name="variance", requires_grad=False
        )
        self.gamma = Parameter(
            initializer(gamma_init, shape, dtype), name="gamma", requires_grad=affine
        )
        self.beta = Parameter(
            initializer(beta_init, shape, dtype), name="beta", requires_grad=affine
        )

    def _shown_momentum(self) -> float:
        return self.momentum

    def extend_repr(self) -> str:
        """The options and parameters, by MindSpore's names."""
        return (
            f"num_features={self.num_features}, eps={self.eps}, "
            f"momentum={self._shown_momentum()}, gamma={self.gamma}, beta={self.beta}, "
            f"moving_mean={self.moving_mean}, moving_variance={self.moving_variance}"
        )


def _features(op_name: str, num_features: Any) -> int:
    integer(op_name, "num_features", num_features)
    if num_features < 1:
        raise ValueError(
            f"For '{op_name}', the 'num_features' must be at least 1, but got {num_features}."
        )
    return num_features


class _BatchNorm(_WithStatistics):
    #: the ranks of input it takes
    ranks: tuple[int, ...] = ()

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones",
        use_batch_statistics: bool | None = None,
        data_format: str = "NCHW",
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        op_name = self.cls_name
        self.num_features = _features(op_name, num_features)
        self.eps = number(op_name, "eps", eps)
        if not 0 <= number(op_name, "momentum", momentum) <= 1:
            raise ValueError(
                f"For '{op_name}', the 'momentum' must be a number in range [0, 1], but got "
                f"{momentum}."
            )
        # the share of the batch, as torch counts it; MindSpore's argument is the other share
        self.momentum = 1.0 - momentum
        if use_batch_statistics not in (None, True, False) or type(use_batch_statistics) is int:
            raise ValueError(
                f"For '{op_name}', the 'use_batch_statistics' must be a boolean value or None, but "
                f"got {use_batch_statistics}."
            )
        self.use_batch_statistics = use_batch_statistics
        self._given = gamma_init, beta_init, moving_mean_init, moving_var_init
        self.format = choice(op_name, "data_format", data_format, ("NCHW", "NHWC"))
        boolean(op_name, "affine", affine)
        self._make_parameters(
            num_features,
            affine,
            gamma_init,
            beta_init,
            moving_mean_init,
            moving_var_init,
            dtype,
        )

    def _shown_momentum(self) -> float:
        return 1.0 - self.momentum

    def construct(self, x: Tensor) -> Tensor:
        training = self.use_batch_statistics
        if training is None:
            training = bool(self.training)
        if self.format == "NHWC" and x.ndim > 2:
            return batch_norm_layer(x.moveaxis(-1, 1), self, training).moveaxis(1, -1)
        return batch_norm_layer(x, self, training)


class BatchNorm1d(_BatchNorm):
    r"""Normalize the features of samples, or the channels of sequences, over the batch.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot \gamma + \beta

    In training :math:`\mu, \sigma^2` are those of the batch, and the running ones become
    :math:`momentum \cdot running + (1 - momentum) \cdot batch` (with the unbiased variance);
    otherwise they are the running ones.

    Args:
        num_features (int): number of features or channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        momentum (float): weight of the old running statistics in the new ones. Default: 0.9.
        affine (bool): whether :math:`\gamma` and :math:`\beta` are trained. Default: True.
        gamma_init (Union[Tensor, str, Initializer, Number]): initial scale. Default: ``"ones"``.
        beta_init (Union[Tensor, str, Initializer, Number]): initial shift. Default: ``"zeros"``.
        moving_mean_init (Union[Tensor, str, Initializer, Number]): initial running mean. Default:
            ``"zeros"``.
        moving_var_init (Union[Tensor, str, Initializer, Number]): initial running variance.
            Default: ``"ones"``.
        use_batch_statistics (bool): True: always the batch's statistics; False: never; None: in
            training. Default: None.
        data_format (str): ``NCHW``, or ``NHWC`` for channels last. Default: ``"NCHW"``.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C)` or :math:`(N, C, L)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, the input has the wrong rank or number of channels,
            or a batch in training has one value per channel.

    Difference from PyTorch: momentum 0.9 means torch's 0.1; a new layer is in evaluation mode;
    ``affine=False`` keeps a (fixed) scale and shift; batches are not counted. (MindSpore 2.10 makes
    the running variance NaN where one value per channel is an error here.)

    Source: Ioffe and Szegedy 2015, "Batch Normalization".

    Examples:
        >>> import agar as ms
        >>> norm = ms.nn.BatchNorm1d(1, eps=0.0).set_train()
        >>> print(norm(ms.Tensor([[1.0], [3.0]])))
        [[-1.]
         [ 1.]]
        >>> print(norm.moving_mean.data, norm.moving_variance.data)
        [0.2] [1.1]
    """

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    r"""Normalize the channels of images over the batch.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot \gamma + \beta

    In training :math:`\mu, \sigma^2` are those of the batch, and the running ones become
    :math:`momentum \cdot running + (1 - momentum) \cdot batch` (with the unbiased variance);
    otherwise they are the running ones.

    Args:
        num_features (int): number of channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        momentum (float): weight of the old running statistics in the new ones. Default: 0.9.
        affine (bool): whether :math:`\gamma` and :math:`\beta` are trained. Default: True.
        gamma_init (Union[Tensor, str, Initializer, Number]): initial scale. Default: ``"ones"``.
        beta_init (Union[Tensor, str, Initializer, Number]): initial shift. Default: ``"zeros"``.
        moving_mean_init (Union[Tensor, str, Initializer, Number]): initial running mean. Default:
            ``"zeros"``.
        moving_var_init (Union[Tensor, str, Initializer, Number]): initial running variance.
            Default: ``"ones"``.
        use_batch_statistics (bool): True: always the batch's statistics; False: never; None: in
            training. Default: None.
        data_format (str): ``NCHW``, or ``NHWC`` for channels last. Default: ``"NCHW"``.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)`, or :math:`(N, H, W, C)` for NHWC.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, the input has the wrong rank or number of channels,
            or a batch in training has one value per channel.

    Difference from PyTorch: momentum 0.9 means torch's 0.1; a new layer is in evaluation mode;
    ``affine=False`` keeps a (fixed) scale and shift; batches are not counted. (MindSpore 2.10 makes
    the running variance NaN where one value per channel is an error here.)

    Source: Ioffe and Szegedy 2015, "Batch Normalization".

    Examples:
        >>> import agar as ms
        >>> norm = ms.nn.BatchNorm2d(3).set_train()
        >>> norm(ms.ops.ones((2, 3, 4, 4))).shape
        (2, 3, 4, 4)
        >>> [p.name for p in norm.trainable_params()]
        ['gamma', 'beta']
    """

    ranks = (4,)


class BatchNorm3d(Cell):
    r"""Normalize the channels of volumes over the batch.

    Formula and options as for ``nn.BatchNorm2d``, which it holds as its child ``bn2d``.

    Args:
        num_features (int): number of channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        momentum (float): weight of the old running statistics in the new ones. Default: 0.9.
        affine (bool): whether :math:`\gamma` and :math:`\beta` are trained. Default: True.
        gamma_init (Union[Tensor, str, Initializer, Number]): initial scale. Default: ``"ones"``.
        beta_init (Union[Tensor, str, Initializer, Number]): initial shift. Default: ``"zeros"``.
        moving_mean_init (Union[Tensor, str, Initializer, Number]): initial running mean. Default:
            ``"zeros"``.
        moving_var_init (Union[Tensor, str, Initializer, Number]): initial running variance.
            Default: ``"ones"``.
        use_batch_statistics (bool): True: always the batch's statistics; False: never; None: in
            training. Default: None.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, D, H, W)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, the input has the wrong rank or number of channels,
            or a batch in training has one value per channel.

    Difference from PyTorch: as for ``nn.BatchNorm2d``; parameters are called ``bn2d.gamma``, ...

    Source: Ioffe and Szegedy 2015, "Batch Normalization".

    Examples:
        >>> import agar as ms
        >>> norm = ms.nn.BatchNorm3d(3)
        >>> norm(ms.ops.ones((2, 3, 2, 2, 2))).shape
        (2, 3, 2, 2, 2)
        >>> [p.name for p in norm.trainable_params()]
        ['bn2d.gamma', 'bn2d.beta']
    """

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones",
        use_batch_statistics: bool | None = None,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        self.bn2d = BatchNorm2d(
            _features("BatchNorm3d", num_features),
            eps,
            momentum,
            affine,
            gamma_init,
            beta_init,
            moving_mean_init,
            moving_var_init,
            use_batch_statistics,
            dtype=dtype,
        )

    def construct(self, x: Tensor) -> Tensor:
        if x.ndim != 5:
            raise ValueError(
                f"For 'BatchNorm3d', the in_shape must have 5 dims, but got {x.ndim} (shape "
                f"{x.shape})."
            )
        n, c, d, h, w = x.shape
        return self.bn2d(x.reshape((n, c, d * h, w))).reshape(x.shape)


class SyncBatchNorm(_BatchNorm):
    r"""Normalize over the batch of all processes; in one process, over the batch.

    Formula and options as for ``nn.BatchNorm2d``. In training the processes of a launcher, after
    `communication.init`, add up their sums; batches may differ in size. Gradients go through the
    statistics to all of them.

    Args:
        num_features (int): number of channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        momentum (float): weight of the old running statistics in the new ones. Default: 0.9.
        affine (bool): whether :math:`\gamma` and :math:`\beta` are trained. Default: True.
        gamma_init (Union[Tensor, str, Initializer, Number]): initial scale. Default: ``"ones"``.
        beta_init (Union[Tensor, str, Initializer, Number]): initial shift. Default: ``"zeros"``.
        moving_mean_init (Union[Tensor, str, Initializer, Number]): initial running mean. Default:
            ``"zeros"``.
        moving_var_init (Union[Tensor, str, Initializer, Number]): initial running variance.
            Default: ``"ones"``.
        use_batch_statistics (bool): True: always the batch's statistics; False: never; None: in
            training. Default: None.
        process_groups (list): must be None: statistics are those of all processes. Default: None.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C)` or :math:`(N, C, H, W)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        NotImplementedError: `process_groups` is given.
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or the input has the wrong rank.

    Difference from PyTorch: as for ``nn.BatchNorm2d``.

    Source: Ioffe and Szegedy 2015, "Batch Normalization".

    Examples:
        >>> import agar as ms
        >>> ms.nn.SyncBatchNorm(3)(ms.ops.ones((2, 3, 4, 4))).shape
        (2, 3, 4, 4)
    """

    ranks = (2, 4)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones",
        use_batch_statistics: bool | None = None,
        process_groups: Any = None,
        dtype: Any = mstype.float32,
    ) -> None:
        if process_groups is not None:
            raise NotImplementedError(
                "SyncBatchNorm(process_groups=...) is not available in agar: statistics are those "
                "of all processes, which are one group. Leave process_groups out."
            )
        super().__init__(
            num_features,
            eps,
            momentum,
            affine,
            gamma_init,
            beta_init,
            moving_mean_init,
            moving_var_init,
            use_batch_statistics,
            dtype=dtype,
        )

    def construct(self, x: Tensor) -> Tensor:
        training = self.use_batch_statistics
        if training is None:
            training = bool(self.training)
        if training and world.size > 1:
            return batch_norm_together(x, self)
        return batch_norm_layer(x, self, training)


class LayerNorm(Cell):
    r"""Normalize every sample over its trailing axes.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot \gamma + \beta

    Args:
        normalized_shape (Union[tuple[int], list[int]]): the shape of :math:`\gamma` and
            :math:`\beta`: that of the input from `begin_params_axis` on.
        begin_norm_axis (int): the first axis of the normalized part. Default: -1.
        begin_params_axis (int): the first axis of scale and shift. Default: -1.
        gamma_init (Union[Tensor, str, Initializer, Number]): initial scale. Default: ``"ones"``.
        beta_init (Union[Tensor, str, Initializer, Number]): initial shift. Default: ``"zeros"``.
        epsilon (float): :math:`\epsilon`. Default: 1e-7.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **input_x** (Tensor) - floating point.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `normalized_shape` is neither tuple nor list.
        ValueError: `normalized_shape` is empty, or does not fit the input.
        RuntimeError: an axis is out of the input's range.

    Difference from PyTorch: epsilon 1e-7, there 1e-5; for several axes both `begin` arguments must
    be given with the shape.

    Source: Ba et al. 2016, "Layer Normalization".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LayerNorm((2,), epsilon=0.0)(ms.Tensor([[1.0, 3.0]])))
        [[-1.  1.]]
    """

    def __init__(
        self,
        normalized_shape: Any,
        begin_norm_axis: int = -1,
        begin_params_axis: int = -1,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        epsilon: float = 1e-7,
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        if not isinstance(normalized_shape, (tuple, list)):
            raise TypeError(
                "For 'LayerNorm', the type of 'normalized_shape' must be tuple[int] or list[int], "
                f"but got {normalized_shape!r} of type {type(normalized_shape).__name__}; write "
                "(size,)."
            )
        if not normalized_shape:
            raise ValueError(
                "For 'LayerNorm', 'normalized_shape' must have at least one element, but got "
                f"{normalized_shape}."
            )
        self.normalized_shape = normalized_shape
        self.begin_norm_axis = integer("LayerNorm", "begin_norm_axis", begin_norm_axis)
        self.begin_params_axis = integer("LayerNorm", "begin_params_axis", begin_params_axis)
        self.epsilon = number("LayerNorm", "epsilon", epsilon)
        self.gamma = Parameter(initializer(gamma_init, normalized_shape, dtype), name="gamma")
        self.beta = Parameter(initializer(beta_init, normalized_shape, dtype), name="beta")

    def construct(self, input_x: Tensor) -> Tensor:
        return layer_norm_axes(
            input_x,
            self.gamma,
            self.beta,
            self.begin_norm_axis,
            self.begin_params_axis,
            self.epsilon,
        )

    def extend_repr(self) -> str:
        """The options and parameters; MindSpore prints no ``=`` after gamma."""
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma{self.gamma}, beta={self.beta}"
        )


class LayerNormExt(Cell):
    r"""Normalize every sample over its trailing dimensions, with PyTorch's arguments.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot weight + bias

    Args:
        normalized_shape (Union[int, tuple[int], list[int]]): the shape of the normalized part.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        elementwise_affine (bool): whether there are scale and shift. Default: True.
        bias (bool): whether there is a shift. Default: True.
        dtype (mindspore.dtype): type of the parameters. Default: None, ``float32``.

    Inputs:
        - **input** (Tensor) - floating point, its shape ending in `normalized_shape`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: `normalized_shape` has the wrong type.
        ValueError: the input's shape does not end in `normalized_shape`.

    Difference from PyTorch: none.

    Source: Ba et al. 2016, "Layer Normalization".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LayerNormExt(2, eps=0.0)(ms.Tensor([[1.0, 3.0]])))
        [[-1.  1.]]
    """

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if isinstance(normalized_shape, int):
            normalized_shape = (normalized_shape,)
        if not isinstance(normalized_shape, (tuple, list)) or not normalized_shape:
            raise TypeError(
                "For 'LayerNormExt', the type of 'normalized_shape' must be int, tuple[int] or "
                f"list[int] that is not empty, but got {normalized_shape!r}."
            )
        self.normalized_shape = tuple(normalized_shape)
        self.eps = number("LayerNormExt", "eps", eps)
        self.elementwise_affine = elementwise_affine
        kind = dtype or mstype.float32
        self.weight: Parameter | None = None
        self.bias: Parameter | None = None
        if elementwise_affine:
            self.weight = Parameter(initializer("ones", self.normalized_shape, kind), name="weight")
            if bias:
                self.bias = Parameter(
                    initializer("zeros", self.normalized_shape, kind), name="bias"
                )

    def construct(self, input: Tensor) -> Tensor:
        return ops.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self) -> str:
        """The options."""
        return (
            f"normalized_shape={self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}"
        )


class GroupNorm(Cell):
    r"""Normalize every sample over groups of channels.

    .. math:: out = \frac{x - \mu_g}{\sqrt{\sigma_g^2 + \epsilon}} \cdot \gamma + \beta

    Args:
        num_groups (int): number of groups, a divisor of `num_channels`.
        num_channels (int): number of channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        affine (bool): whether :math:`\gamma` and :math:`\beta` are trained. Default: True.
        gamma_init (Union[Tensor, str, Initializer, Number]): initial scale. Default: ``"ones"``.
        beta_init (Union[Tensor, str, Initializer, Number]): initial shift. Default: ``"zeros"``.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, *)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `num_groups` does not divide `num_channels`.

    Difference from PyTorch: ``affine=False`` keeps a (fixed) scale and shift.

    Source: Wu and He 2018, "Group Normalization".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.GroupNorm(2, 4, eps=0.0)(ms.Tensor([[1.0, 3.0, 5.0, 9.0]])))
        [[-1.  1. -1.  1.]]
    """

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        self.num_groups = integer("GroupNorm", "num_groups", num_groups, 1)
        self.num_channels = integer("GroupNorm", "num_channels", num_channels, 1)
        if num_channels % num_groups:
            raise ValueError(
                "For 'GroupNorm', the 'num_channels' must be divided by 'num_groups', but got "
                f"'num_channels': {num_channels}, 'num_groups': {num_groups}."
            )
        self.eps = number("GroupNorm", "eps", eps)
        self.affine = boolean("GroupNorm", "affine", affine)
        shape = (num_channels,)
        self.gamma = Parameter(
            initializer(gamma_init, shape, dtype), name="gamma", requires_grad=affine
        )
        self.beta = Parameter(
            initializer(beta_init, shape, dtype), name="beta", requires_grad=affine
        )

    def construct(self, x: Tensor) -> Tensor:
        return ops.group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)

    def extend_repr(self) -> str:
        """The options."""
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


class _InstanceNorm(_WithStatistics):
    rank = 0

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        dtype: Any = mstype.float32,
    ) -> None:
        super().__init__()
        op_name = self.cls_name
        self.num_features = _features(op_name, num_features)
        self.eps = number(op_name, "eps", eps)
        if not isinstance(momentum, float):
            raise TypeError(
                f"For '{op_name}', the type of 'momentum' should be 'float', but got type "
                f"'{type(momentum).__name__}'."
            )
        if not 0 <= momentum <= 1:
            raise ValueError(
                f"For '{op_name}', the 'momentum' must be a number in range [0, 1], but got "
                f"{momentum}."
            )
        self.momentum = momentum
        self.affine = boolean(op_name, "affine", affine)
        self._make_parameters(num_features, affine, gamma_init, beta_init, "zeros", "ones", dtype)

    def construct(self, x: Tensor) -> Tensor:
        return instance_norm_layer(x, self, bool(self.training))


class InstanceNorm1d(_InstanceNorm):
    r"""Normalize every channel of every sequence separately.

    .. math:: out = \frac{x - \mu_{nc}}{\sqrt{\sigma_{nc}^2 + \epsilon}} \cdot \gamma + \beta

    Args:
        num_features (int): number of channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        momentum (float): weight of the batch statistics in the running ones, which training updates
            and nothing uses. Default: 0.1.
        affine (bool): whether :math:`\gamma` and :math:`\beta` are trained. Default: True.
        gamma_init (Union[Tensor, str, Initializer, Number]): initial scale. Default: ``"ones"``.
        beta_init (Union[Tensor, str, Initializer, Number]): initial shift. Default: ``"zeros"``.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, L)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type; `momentum` must be float.
        ValueError: an argument is out of range, or the input has the wrong rank or number of
            channels.

    Difference from PyTorch: affine by default. (MindSpore 2.10 has a kernel on GPU only.)

    Source: Ulyanov et al. 2016, "Instance Normalization".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.InstanceNorm1d(1, eps=0.0)(ms.Tensor([[[1.0, 3.0]]])))
        [[[-1.  1.]]]
    """

    rank = 3


class InstanceNorm2d(_InstanceNorm):
    r"""Normalize every channel of every image separately.

    .. math:: out = \frac{x - \mu_{nc}}{\sqrt{\sigma_{nc}^2 + \epsilon}} \cdot \gamma + \beta

    Args:
        num_features (int): number of channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        momentum (float): weight of the batch statistics in the running ones, which training updates
            and nothing uses. Default: 0.1.
        affine (bool): whether :math:`\gamma` and :math:`\beta` are trained. Default: True.
        gamma_init (Union[Tensor, str, Initializer, Number]): initial scale. Default: ``"ones"``.
        beta_init (Union[Tensor, str, Initializer, Number]): initial shift. Default: ``"zeros"``.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type; `momentum` must be float.
        ValueError: an argument is out of range, or the input has the wrong rank or number of
            channels.

    Difference from PyTorch: affine by default. (MindSpore 2.10 has a kernel on GPU only.)

    Source: Ulyanov et al. 2016, "Instance Normalization".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.InstanceNorm2d(1, eps=0.0)(ms.Tensor([[[[1.0, 3.0]]]])))
        [[[[-1.  1.]]]]
    """

    rank = 4


class InstanceNorm3d(_InstanceNorm):
    r"""Normalize every channel of every volume separately.

    .. math:: out = \frac{x - \mu_{nc}}{\sqrt{\sigma_{nc}^2 + \epsilon}} \cdot \gamma + \beta

    Args:
        num_features (int): number of channels C.
        eps (float): :math:`\epsilon`. Default: 1e-5.
        momentum (float): weight of the batch statistics in the running ones, which training updates
            and nothing uses. Default: 0.1.
        affine (bool): whether :math:`\gamma` and :math:`\beta` are trained. Default: True.
        gamma_init (Union[Tensor, str, Initializer, Number]): initial scale. Default: ``"ones"``.
        beta_init (Union[Tensor, str, Initializer, Number]): initial shift. Default: ``"zeros"``.
        dtype (mindspore.dtype): type of the parameters. Default: ``float32``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, D, H, W)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: an argument has the wrong type; `momentum` must be float.
        ValueError: an argument is out of range, or the input has the wrong rank or number of
            channels.

    Difference from PyTorch: affine by default. (MindSpore 2.10 has a kernel on GPU only.)

    Source: Ulyanov et al. 2016, "Instance Normalization".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.InstanceNorm3d(1, eps=0.0)(ms.Tensor([[[[[1.0, 3.0]]]]])))
        [[[[[-1.  1.]]]]]
    """

    rank = 5
