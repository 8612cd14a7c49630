"""Gradients of simulated quantization in the parts that Ascend computes them in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from agar._core.errors import missing_feature
from agar._core.optable import Primitive
from agar.ops._checks import boolean
from agar.ops.ascend.batch_norm_fold import check_axis, check_fold, sum_of_channels
from agar.ops.ascend.fake_quant import check_flags, of_channels, of_layer, same_shape
from agar.ops.ascend.learned_quant import learned_rounding
from agar.ops.spec import primitive

__all__: list[str] = ["IFMR", "FakeQuantParam"]

# ------------------------------------------------------------ the same in parts, for Ascend

_PARTS = """Part of what :class:`{whole}` computes, as MindSpore splits it for Ascend.

    {words}

    Difference from PyTorch: no counterpart.

    Source: MindSpore 2.10's descriptions of its Ascend kernels.

    Examples:
        >>> import agar as ms
        >>> ms.ops.operations.{name}()
        Prim[{name}]{shown}
"""


def _part(
    name: str, whole: str, words: str, shown: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give the implementation of a part its docstring."""

    def document(impl: Callable[..., Any]) -> Callable[..., Any]:
        impl.__doc__ = _PARTS.format(whole=whole, words=words, name=name, shown=shown)
        return impl

    return document


@primitive(
    "FakeLearnedScaleQuantPerLayerGradD",
    samples=("f(2, 3), f(2, 3), p(1), torch.tensor([7.0]).double()",),
    errors=(("f(2), f(3), p(1), p(1)", ValueError, "shape"),),
    differentiable=False,
    setup=check_flags,
)
@_part(
    "FakeLearnedScaleQuantPerLayerGradD",
    "FakeLearnedScaleQuantPerLayerGrad",
    "The second result is not yet summed.",
    "<neg_trunc=False>",
)
def _fake_learned_scale_quant_per_layer_grad_d(
    dout: Tensor, x: Tensor, alpha: Tensor, quant_max: Tensor, *, neg_trunc: bool = False
) -> tuple[Tensor, Tensor]:
    op_name = "FakeLearnedScaleQuantPerLayerGradD"
    same_shape(op_name, "dout", dout, "x", x)
    scale, codes = of_layer(op_name, "alpha", alpha), of_layer(op_name, "quant_max", quant_max)
    _, within, factor = learned_rounding(x, scale, codes, neg_trunc)
    return torch.where(within, dout, torch.zeros_like(dout)), (dout * factor).to(dout.dtype)


@primitive(
    "FakeLearnedScaleQuantPerLayerGradDReduce",
    samples=("f(2, 3)",),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
)
@_part(
    "FakeLearnedScaleQuantPerLayerGradDReduce",
    "FakeLearnedScaleQuantPerLayerGrad",
    "It is the sum of all elements, shape (1,).",
    "",
)
def _fake_learned_scale_quant_per_layer_grad_d_reduce(dout_alpha: Tensor) -> Tensor:
    return dout_alpha.sum().reshape(1)


@primitive(
    "FakeLearnedScaleQuantPerChannelGradD",
    samples=("f(2, 3), f(2, 3), p(3), torch.tensor([7.0]).double()",),
    errors=(("f(2), f(3), p(3), p(1)", ValueError, "shape"),),
    differentiable=False,
    setup=check_flags,
)
@_part(
    "FakeLearnedScaleQuantPerChannelGradD",
    "FakeLearnedScaleQuantPerChannelGrad",
    "The second result is not yet summed.",
    "<neg_trunc=False, channel_axis=1>",
)
def _fake_learned_scale_quant_per_channel_grad_d(
    dout: Tensor,
    x: Tensor,
    alpha: Tensor,
    quant_max: Tensor,
    *,
    neg_trunc: bool = False,
    channel_axis: int = 1,
) -> tuple[Tensor, Tensor]:
    op_name = "FakeLearnedScaleQuantPerChannelGradD"
    same_shape(op_name, "dout", dout, "x", x)
    scale = of_channels(op_name, "alpha", alpha, x, channel_axis)
    _, within, factor = learned_rounding(
        x, scale, of_layer(op_name, "quant_max", quant_max), neg_trunc
    )
    return torch.where(within, dout, torch.zeros_like(dout)), (dout * factor).to(dout.dtype)


@primitive(
    "FakeLearnedScaleQuantPerChannelGradDReduce",
    samples=("f(2, 3)", "f(2, 3, 2), channel_axis=0"),
    errors=(("f(2)", ValueError, "channel_axis"),),
    setup=check_axis,
)
@_part(
    "FakeLearnedScaleQuantPerChannelGradDReduce",
    "FakeLearnedScaleQuantPerChannelGrad",
    "It is the sum over all axes but that of the channels.",
    "<channel_axis=1>",
)
def _fake_learned_scale_quant_per_channel_grad_d_reduce(
    dout_alpha: Tensor, *, channel_axis: int = 1
) -> Tensor:
    return sum_of_channels(
        "FakeLearnedScaleQuantPerChannelGradDReduce", "dout_alpha", dout_alpha, channel_axis
    )


_FOLD_SHOWN = "<momentum=0.9, epsilon=1e-05, is_training=True, freeze_bn=0>"


@primitive(
    "BatchNormFoldD",
    samples=("f(4, 3), f(3), f(3) ** 2 + 9, f(3), p(3)",),
    errors=(("f(4, 2), f(3), p(3), f(3), p(3)", ValueError, "x_sum"),),
    differentiable=False,
    setup=check_fold,
)
@_part(
    "BatchNormFoldD",
    "BatchNormFold",
    "It takes the sums and the sums of squares of the channels, and returns x, the means and "
    "deviations\n    of the batch, the running ones, and the new running means and variances.",
    _FOLD_SHOWN,
)
def _batch_norm_fold_d(
    x: Tensor,
    x_sum: Tensor,
    x_square_sum: Tensor,
    mean: Tensor,
    variance: Tensor,
    *,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    is_training: bool = True,
    freeze_bn: int = 0,
) -> tuple[Tensor, ...]:
    for name, value in (("x_sum", x_sum), ("x_square_sum", x_square_sum), ("mean", mean)):
        of_channels("BatchNormFoldD", name, value, x, 1)
    count = x.numel() // x.shape[1]
    batch_mean = x_sum / count
    biased = x_square_sum / count - batch_mean * batch_mean
    unbiased = biased * (count / (count - 1) if count > 1 else 0.0)
    return (
        x.clone(),
        batch_mean,
        (biased + epsilon).sqrt(),
        mean.clone(),
        (variance + epsilon).sqrt(),
        momentum * mean + (1 - momentum) * batch_mean,
        momentum * variance + (1 - momentum) * unbiased,
    )


@primitive(
    "BatchNormFoldGradD",
    samples=("f(3), f(3), f(4, 3), f(3), p(3)",),
    errors=(("f(3), f(3), f(4, 2), f(3), p(3)", ValueError, "d_batch_mean"),),
    differentiable=False,
    setup=check_fold,
)
@_part(
    "BatchNormFoldGradD",
    "BatchNormFoldGrad",
    "The statistics of the batch count at every step.",
    "<epsilon=1e-05, is_training=True, freeze_bn=0>",
)
def _batch_norm_fold_grad_d(
    d_batch_mean: Tensor,
    d_batch_std: Tensor,
    x: Tensor,
    batch_mean: Tensor,
    batch_std: Tensor,
    *,
    epsilon: float = 1e-5,
    is_training: bool = True,
    freeze_bn: int = 0,
) -> Tensor:
    d_mean, d_std, mean, std = (
        of_channels("BatchNormFoldGradD", name, value, x, 1)
        for name, value in (
            ("d_batch_mean", d_batch_mean),
            ("d_batch_std", d_batch_std),
            ("batch_mean", batch_mean),
            ("batch_std", batch_std),
        )
    )
    return (d_mean + d_std * (x - mean) / std) / (x.numel() // x.shape[1])


@primitive(
    "BatchNormFold2D",
    samples=("f(4, 3), f(3), f(3), p(3), f(3), p(3)",),
    errors=(("f(4, 2), f(3), f(3), p(3), f(3), p(3)", ValueError, "beta"),),
    setup=check_fold,
)
@_part(
    "BatchNormFold2D",
    "BatchNormFold2",
    "The statistics of the batch count at every step.",
    "<freeze_bn=0>",
)
def _batch_norm_fold2_d(
    x: Tensor,
    beta: Tensor,
    gamma: Tensor,
    batch_std: Tensor,
    batch_mean: Tensor,
    running_std: Tensor,
    *,
    freeze_bn: int = 0,
) -> Tensor:
    bias, scale, std, mean, long_std = (
        of_channels("BatchNormFold2D", name, value, x, 1)
        for name, value in (
            ("beta", beta),
            ("gamma", gamma),
            ("batch_std", batch_std),
            ("batch_mean", batch_mean),
            ("running_std", running_std),
        )
    )
    return x * (long_std / std) + bias - scale * mean / std


@primitive(
    "BatchNormFold2GradReduce",
    samples=("f(4, 3), f(4, 3)",),
    errors=(("f(4, 3), f(4)", ValueError, "shape"),),
)
@_part(
    "BatchNormFold2GradReduce",
    "BatchNormFold2Grad",
    "They are the sums over the channels of `dout` and of `dout` times `x`.",
    "<freeze_bn=False>",
)
def _batch_norm_fold2_grad_reduce(
    dout: Tensor, x: Tensor, *, freeze_bn: bool = False
) -> tuple[Tensor, Tensor]:
    same_shape("BatchNormFold2GradReduce", "dout", dout, "x", x)
    axes = [0, *range(2, x.ndim)]
    return dout.sum(axes), (dout * x).sum(axes)


@primitive(
    "BatchNormFold2GradD",
    samples=("f(4, 3), f(3), f(3), f(3), p(3), f(3), p(3)",),
    errors=(("f(4, 2), f(3), f(3), f(3), p(3), f(3), p(3)", ValueError, "running_std"),),
)
@_part(
    "BatchNormFold2GradD",
    "BatchNormFold2Grad",
    "They are the gradients of `batch_std`, `batch_mean`, `gamma` and `x`, from the sums that\n"
    "    :class:`BatchNormFold2GradReduce` makes.",
    "<freeze_bn=False>",
)
def _batch_norm_fold2_grad_d(
    dout: Tensor,
    dout_reduce: Tensor,
    dout_x_reduce: Tensor,
    gamma: Tensor,
    batch_std: Tensor,
    batch_mean: Tensor,
    running_std: Tensor,
    *,
    freeze_bn: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    long_std = of_channels("BatchNormFold2GradD", "running_std", running_std, dout, 1)
    std = of_channels("BatchNormFold2GradD", "batch_std", batch_std, dout, 1)
    d_std = dout_reduce * batch_mean * gamma - dout_x_reduce * running_std
    return (
        d_std / (batch_std * batch_std),
        -dout_reduce * gamma / batch_std,
        -dout_reduce * batch_mean / batch_std,
        dout * (long_std / std),
    )


# --------------------------------------------------------------------- a note in a network


class FakeQuantParam(Primitive):
    """Passes a tensor on; its attributes say how the tensor is quantized.

    Args:
        quant_dtype (QuantDtype): the type of the codes.
        quant_algo_name (str): the name of the algorithm.
        is_per_channel (bool): whether every channel has its own parameters.
        **kwargs: further parameters of the algorithm.

    Inputs:
        - **input_x** (Tensor) - any tensor.

    Outputs:
        Tensor, `input_x`.

    Difference from PyTorch: no counterpart.

    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> note = ms.ops.operations.FakeQuantParam("INT8", "linear_quant_algo", False, scale=0.5)
        >>> print(note(ms.Tensor([1.0])), note.attrs["scale"])
        [1.] 0.5
    """

    attr_key_linear_quant_scale = "linear_quant_scale"
    attr_key_linear_quant_zero_point = "linear_quant_zero_point"
    attr_value_linear_quant_algo_name = "linear_quant_algo"

    def __init__(
        self, quant_dtype: Any, quant_algo_name: str, is_per_channel: bool, **kwargs: Any
    ) -> None:
        super().__init__("FakeQuantParam")
        value = getattr(quant_dtype, "value", quant_dtype)
        self.add_prim_attr("quant_algo_name", quant_algo_name)
        self.add_prim_attr("is_per_channel", boolean(self.name, "is_per_channel", is_per_channel))
        self.add_prim_attr("quant_dtype", value() if callable(value) else value)
        for key, attribute in kwargs.items():
            self.add_prim_attr(key, attribute)

    @classmethod
    def linear_quant_param(
        cls, quant_dtype: Any, scale: Any, zp: Any, is_per_channel: bool = False, **kwargs: Any
    ) -> FakeQuantParam:
        """The note of linear quantization with scales and zero points.

        Args:
            quant_dtype (QuantDtype): the type of the codes.
            scale (Union[float, tuple, list]): the size of a step, or of every channel's.
            zp (Union[int, tuple, list]): the code of zero, or of every channel's.
            is_per_channel (bool): whether every channel has its own. Default: False.
            **kwargs: further attributes.

        Raises:
            TypeError: an argument has the wrong type.

        Examples:
            >>> import agar as ms
            >>> note = ms.ops.operations.FakeQuantParam.linear_quant_param("INT8", 0.5, 1)
            >>> print(note.attrs["linear_quant_scale"], note.attrs["linear_quant_zero_point"])
            [0.5] [1]
        """
        for name, value, kind in (("scale", scale, float), ("zero_point", zp, int)):
            if not isinstance(value, (kind, tuple, list)):
                raise TypeError(
                    f"For 'FakeQuantParam', the type of '{name}' should be one of "
                    f"'{kind.__name__}', 'tuple', 'list', but got type '{type(value).__name__}'."
                )
        kwargs[cls.attr_key_linear_quant_scale] = [scale] if isinstance(scale, float) else scale
        kwargs[cls.attr_key_linear_quant_zero_point] = [zp] if isinstance(zp, int) else zp
        return cls(quant_dtype, cls.attr_value_linear_quant_algo_name, is_per_channel, **kwargs)

    def __call__(self, input_x: Any) -> Any:
        """The tensor itself."""
        return input_x


class IFMR(Primitive):
    """The search of an activation's range by Huawei's tools: not available.

    Args:
        min_percentile (float): accepted by MindSpore. Default: 0.999999.
        max_percentile (float): accepted by MindSpore. Default: 0.999999.
        search_range (tuple): accepted by MindSpore. Default: (0.7, 1.3).
        search_step (float): accepted by MindSpore. Default: 0.01.
        with_offset (bool): accepted by MindSpore. Default: True.

    Raises:
        NotImplementedError: always; the search is part of an Ascend kernel.

    Difference from PyTorch: ``torch.ao.quantization.HistogramObserver`` searches a range.

    Source: MindSpore 2.10's documentation, which leaves the search open.
    """

    def __init__(
        self,
        min_percentile: float = 0.999999,
        max_percentile: float = 0.999999,
        search_range: Any = (0.7, 1.3),
        search_step: float = 0.01,
        with_offset: bool = True,
    ) -> None:
        raise missing_feature(
            "ops.operations.IFMR",
            "its search is part of an Ascend kernel and documented nowhere",
            "take the range with ops.operations.MinMaxUpdatePerLayer, or learn it with "
            "ops.operations.ActsULQ",
        )
