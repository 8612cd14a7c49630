"""Simulated quantization over intervals that follow the data, and over learned step sizes."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar.ops.ascend.fake_quant import (
    check_flags,
    check_training,
    count_call,
    delayed,
    of_channels,
    of_layer,
    same_shape,
    with_gradient,
)
from agar.ops.spec import primitive

__all__: list[str] = []

# -------------------------------------------------------------------- intervals of the data


def _widened(
    seen: tuple[Tensor, Tensor], low: Tensor, high: Tensor, ema: bool, decay: float
) -> tuple[Tensor, Tensor]:
    keep = decay if ema else 0.0
    least, most = seen
    return (
        (keep * low + (1 - keep) * least).clamp(max=0).to(low.dtype).detach(),
        (keep * high + (1 - keep) * most).clamp(min=0).to(high.dtype).detach(),
    )


@primitive(
    "MinMaxUpdatePerLayer",
    samples=("f(2, 3), f(1), f(1)", "f(2, 3), f(1), f(1), ema=True, ema_decay=0.5"),
    errors=(
        ("f(2, 3), f(2), f(1)", ValueError, "min"),
        ("f(2, 3), f(1), f(1), ema_decay=1.5", ValueError, "ema_decay"),
    ),
    differentiable=False,
    setup=check_flags,
)
def _min_max_update_per_layer(
    x: Tensor, min: Tensor, max: Tensor, *, ema: bool = False, ema_decay: float = 0.999
) -> tuple[Tensor, Tensor]:
    r"""The interval of the data, which contains zero, or its moving average.

    .. math::
        min' = \min(d \cdot min + (1 - d) \min x, 0), \quad
        max' = \max(d \cdot max + (1 - d) \max x, 0)

    where d is `ema_decay` with `ema`, else 0. No gradient flows.

    Attributes:
        ema (bool): whether the interval is averaged. Default: False.
        ema_decay (float): how much of the old one stays, from 0 to 1. Default: 0.999.

    Inputs:
        - **x** (Tensor) - the data.
        - **min**, **max** (Tensor) - the interval so far, one element each.

    Outputs: Tuple of the new ends. Nothing is written.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: `ema_decay` or a shape does not fit.
    Difference from PyTorch: ``torch.ao.quantization.MovingAverageMinMaxObserver`` is a module.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> update = ms.ops.operations.MinMaxUpdatePerLayer(ema=True, ema_decay=0.5)
    >>> low, high = update(ms.Tensor([1.0, 2.0]), ms.Tensor([-6.0]), ms.Tensor([6.0]))
    >>> print(low, high)
    [-2.5] [4.]
    """
    op_name = "MinMaxUpdatePerLayer"
    of_layer(op_name, "min", min)
    of_layer(op_name, "max", max)
    return _widened(torch.aminmax(x.detach()), min, max, ema, ema_decay)


@primitive(
    "MinMaxUpdatePerChannel",
    samples=(
        "f(2, 3), f(3), f(3)",
        "f(3, 2), f(3), f(3), ema=True, ema_decay=0.5, channel_axis=0",
    ),
    errors=(("f(2, 3), f(2), f(2)", ValueError, "min"),),
    differentiable=False,
    setup=check_flags,
)
def _min_max_update_per_channel(
    x: Tensor,
    min: Tensor,
    max: Tensor,
    *,
    ema: bool = False,
    ema_decay: float = 0.999,
    channel_axis: int = 1,
) -> tuple[Tensor, Tensor]:
    """The interval of each channel of the data: see :class:`MinMaxUpdatePerLayer`.

    Attributes:
        ema (bool): whether the intervals are averaged. Default: False.
        ema_decay (float): how much of the old ones stays, from 0 to 1. Default: 0.999.
        channel_axis (int): the axis of the channels; 0 for a vector. Default: 1.

    Inputs:
        - **x** (Tensor) - the data.
        - **min**, **max** (Tensor) - the intervals so far, shape (C,).

    Outputs: Tuple of the new ends. Nothing is written.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: `ema_decay`, `channel_axis` or a shape does not fit.
    Difference from PyTorch: ``torch.ao.quantization.MovingAveragePerChannelMinMaxObserver`` is a
        module.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> update = ms.ops.operations.MinMaxUpdatePerChannel()
    >>> x = ms.Tensor([[1.0, -2.0], [3.0, -4.0]])
    >>> low, high = update(x, ms.ops.zeros(2), ms.ops.zeros(2))
    >>> print(low, high)
    [ 0. -4.] [3. 0.]
    """
    op_name = "MinMaxUpdatePerChannel"
    of_channels(op_name, "min", min, x, channel_axis)
    of_channels(op_name, "max", max, x, channel_axis)
    axis = 0 if x.ndim == 1 else channel_axis
    rows = x.detach().movedim(axis, 0).flatten(1) if x.ndim > 1 else x.detach().unsqueeze(1)
    return _widened((rows.amin(1), rows.amax(1)), min, max, ema, ema_decay)


# --------------------------------------------------------------------- learned step sizes


def learned_rounding(
    x: Tensor, alpha: Tensor, codes: Tensor, neg_trunc: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """The rounded values, where x lies within the range, and the factor of alpha's gradient."""
    scale = alpha.detach()
    scale = torch.where(scale.abs() >= 1e-6, scale, torch.full_like(scale, 1e-6))
    codes = codes.detach()
    ratio = x.detach() / scale
    least = 0.0 if neg_trunc else -1.0
    share = (ratio.clamp(least, 1.0) * codes + 0.5).floor() / codes
    within = (ratio >= least) & (ratio <= 1.0)
    return share * scale, within, torch.where(within, share - ratio, ratio.sign())


def _learned_scale(x: Tensor, scale: Tensor, codes: Tensor, neg_trunc: bool) -> Tensor:
    result, within, factor = learned_rounding(x, scale, codes, neg_trunc)
    return with_gradient(result, (within, x), (factor, scale)).to(x.dtype)


_LEARNED_ERRORS = (("f(2, 3), f(2), torch.tensor([7.0])", ValueError, "alpha"),)


@primitive(
    "FakeLearnedScaleQuantPerLayer",
    samples=(
        "f(2, 3), p(1), torch.tensor([7.0]).double()",
        "f(2, 3), p(1), torch.tensor([7.0]).double(), neg_trunc=True",
        "f(2, 3), p(1), torch.tensor([7.0]).double(), quant_delay=1",
    ),
    errors=(
        *_LEARNED_ERRORS,
        ("f(2), p(1), p(1), quant_delay=-1", ValueError, "quant_delay"),
    ),
    differentiable=False,  # the gradient is that of clipping
    setup=check_training,
)
def _fake_learned_scale_quant_per_layer(
    input_x: Tensor,
    alpha: Tensor,
    quant_max: Tensor,
    *,
    quant_delay: int = 0,
    neg_trunc: bool = False,
    training: bool = True,
    _state: Any = None,
) -> Tensor:
    r"""Values rounded to steps of a learned size.

    .. math::
        y = \frac{\lfloor clip(x / \alpha, -1, 1) \cdot q + 0.5 \rfloor}{q} \alpha

    where q is `quant_max`; with `neg_trunc` the range is from 0 to 1. The gradient of x passes
    within the range. That of alpha is the sum of :math:`y / \alpha - x / \alpha` within the range
    and of the sign of :math:`x / \alpha` outside, times the gradient of y.

    Attributes:
        quant_delay (int): how many calls return `input_x` itself in training. Default: 0.
        neg_trunc (bool): whether values below zero become zero. Default: False.
        training (bool): whether calls are counted for `quant_delay`. Default: True.

    Inputs:
        - **input_x** (Tensor) - any shape.
        - **alpha** (Tensor) - the largest value, one element; at least 1e-6 counts.
        - **quant_max** (Tensor) - the number of steps, one element.

    Outputs: Tensor of the shape and type of `input_x`.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: `quant_delay` or a shape does not fit.
    Difference from PyTorch: ``torch.ao.quantization`` learns the size of a step, not of the range.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> quant = ms.ops.operations.FakeLearnedScaleQuantPerLayer()
    >>> print(quant(ms.Tensor([0.3, -9.0, 1.1]), ms.Tensor([2.0]), ms.Tensor([4.0])))
    [ 0.5 -2.   1. ]
    """
    op_name = "FakeLearnedScaleQuantPerLayer"
    scale, codes = of_layer(op_name, "alpha", alpha), of_layer(op_name, "quant_max", quant_max)
    result = _learned_scale(input_x, scale, codes, neg_trunc)
    if not training:
        return result
    result = delayed(_state, quant_delay, input_x, result)
    count_call(_state)
    return result


def _learned_gradient(
    dout: Tensor,
    x: Tensor,
    alpha: Tensor,
    scale: Tensor,
    codes: Tensor,
    neg_trunc: bool,
    delay: int,
    counter: Tensor | None,
) -> tuple[Tensor, Tensor]:
    _, within, factor = learned_rounding(x, scale, codes, neg_trunc)
    dx = torch.where(within, dout, torch.zeros_like(dout))
    dalpha = (dout * factor).sum_to_size(scale.shape).reshape(alpha.shape).to(alpha.dtype)
    dx = delayed(counter, delay, dout, dx)
    dalpha = delayed(counter, delay, torch.zeros_like(dalpha), dalpha)
    count_call(counter)
    return dx.to(dout.dtype), dalpha


@primitive(
    "FakeLearnedScaleQuantPerLayerGrad",
    samples=(
        "f(2, 3), f(2, 3), p(1), torch.tensor([7.0]).double()",
        "f(2, 3), f(2, 3), p(1), torch.tensor([7.0]).double(), neg_trunc=True, quant_delay=1",
    ),
    errors=(("f(2), f(3), p(1), p(1)", ValueError, "shape"),),
    differentiable=False,
    setup=check_training,
)
def _fake_learned_scale_quant_per_layer_grad(
    dout: Tensor,
    x: Tensor,
    alpha: Tensor,
    quant_max: Tensor,
    *,
    quant_delay: int = 0,
    neg_trunc: bool = False,
    _state: Any = None,
) -> tuple[Tensor, Tensor]:
    """The gradients of :class:`FakeLearnedScaleQuantPerLayer`.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the values, of one shape.
        - **alpha**, **quant_max** (Tensor) - as there.

    Outputs: Tuple of the gradients of `x` and `alpha`.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.FakeLearnedScaleQuantPerLayerGrad()
    >>> dout, x = ms.Tensor([1.0, 2.0]), ms.Tensor([0.25, -9.0])
    >>> for value in grad(dout, x, ms.Tensor([1.0]), ms.Tensor([2.0])):
    ...     print(value)
    [1. 0.]
    [-1.75]
    """
    op_name = "FakeLearnedScaleQuantPerLayerGrad"
    same_shape(op_name, "dout", dout, "x", x)
    scale, codes = of_layer(op_name, "alpha", alpha), of_layer(op_name, "quant_max", quant_max)
    return _learned_gradient(dout, x, alpha, scale, codes, neg_trunc, quant_delay, _state)


@primitive(
    "FakeLearnedScaleQuantPerChannel",
    samples=(
        "f(2, 3), p(3), torch.tensor([7.0]).double()",
        "f(3, 2), p(3), torch.tensor([7.0]).double(), neg_trunc=True, channel_axis=0",
        "f(3), p(3), torch.tensor([7.0]).double(), quant_delay=1",
    ),
    errors=_LEARNED_ERRORS,
    differentiable=False,  # the gradient is that of clipping
    setup=check_training,
)
def _fake_learned_scale_quant_per_channel(
    input_x: Tensor,
    alpha: Tensor,
    quant_max: Tensor,
    *,
    quant_delay: int = 0,
    neg_trunc: bool = False,
    training: bool = True,
    channel_axis: int = 1,
    _state: Any = None,
) -> Tensor:
    """Values rounded to steps of a size learned for each channel.

    See :class:`FakeLearnedScaleQuantPerLayer`.

    Attributes:
        channel_axis (int): the axis of the channels; 0 for a vector. Default: 1.

    Inputs:
        - **input_x** (Tensor) - any shape.
        - **alpha** (Tensor) - the largest values, shape (C,).
        - **quant_max** (Tensor) - the number of steps, one element.

    Outputs: Tensor of the shape and type of `input_x`.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: `quant_delay`, `channel_axis` or a shape does not fit.
    Difference from PyTorch: ``torch.ao.quantization`` learns the size of a step, not of the range.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> quant = ms.ops.operations.FakeLearnedScaleQuantPerChannel()
    >>> print(quant(ms.Tensor([[0.3, 0.3]]), ms.Tensor([2.0, 0.2]), ms.Tensor([4.0])))
    [[0.5 0.2]]
    """
    op_name = "FakeLearnedScaleQuantPerChannel"
    scale = of_channels(op_name, "alpha", alpha, input_x, channel_axis)
    codes = of_layer(op_name, "quant_max", quant_max)
    result = _learned_scale(input_x, scale, codes, neg_trunc)
    if not training:
        return result
    result = delayed(_state, quant_delay, input_x, result)
    count_call(_state)
    return result


@primitive(
    "FakeLearnedScaleQuantPerChannelGrad",
    samples=(
        "f(2, 3), f(2, 3), p(3), torch.tensor([7.0]).double()",
        "f(3, 2), f(3, 2), p(3), torch.tensor([7.0]).double(), channel_axis=0, quant_delay=1",
    ),
    errors=(("f(2), f(3), p(3), p(1)", ValueError, "shape"),),
    differentiable=False,
    setup=check_training,
)
def _fake_learned_scale_quant_per_channel_grad(
    dout: Tensor,
    x: Tensor,
    alpha: Tensor,
    quant_max: Tensor,
    *,
    quant_delay: int = 0,
    neg_trunc: bool = False,
    channel_axis: int = 1,
    _state: Any = None,
) -> tuple[Tensor, Tensor]:
    """The gradients of :class:`FakeLearnedScaleQuantPerChannel`.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the values, of one shape.
        - **alpha**, **quant_max** (Tensor) - as there.

    Outputs: Tuple of the gradients of `x` and `alpha`.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.FakeLearnedScaleQuantPerChannelGrad()
    >>> dout, x = ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.25, -9.0]])
    >>> for value in grad(dout, x, ms.Tensor([1.0, 1.0]), ms.Tensor([2.0])):
    ...     print(value)
    [[1. 0.]]
    [ 0.25 -2.  ]
    """
    op_name = "FakeLearnedScaleQuantPerChannelGrad"
    same_shape(op_name, "dout", dout, "x", x)
    scale = of_channels(op_name, "alpha", alpha, x, channel_axis)
    codes = of_layer(op_name, "quant_max", quant_max)
    return _learned_gradient(dout, x, alpha, scale, codes, neg_trunc, quant_delay, _state)
