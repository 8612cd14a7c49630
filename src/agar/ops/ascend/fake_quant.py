r"""Simulated quantization: values rounded to what few bits can hold, with gradients as if not.

NOTE Rounding. An interval [min, max] is divided into :math:`2^{bits} - 1` steps and moved until
zero is one of them: :math:`s = (max - min) / (q_{max} - q_{min})`, the zero point is
:math:`z = \lfloor clip(q_{min} - min / s, q_{min}, q_{max}) + 0.5 \rfloor`, and the moved ends
are :math:`(q_{min} - z) s` and :math:`(q_{max} - z) s`. The least code is 0, with `narrow_range` 1;
`symmetric` makes the interval :math:`[-m, m]` first, m the larger end. A gradient passes where the
value lies within the ends and is zero elsewhere.

NOTE Platforms. MindSpore 2.10 has kernels of these operators for Ascend and GPU only. The formulas
are those of its documentation and of the published descriptions of its Ascend kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar._core.optable import Primitive
from agar._core.runtime import thread
from agar.ops._checks import between, boolean, integer
from agar.ops.spec import primitive

__all__: list[str] = []

# ----------------------------------------------------------------------- checks and shapes


def same_shape(op_name: str, first: str, a: Tensor, second: str, b: Tensor) -> None:
    if a.shape != b.shape:
        raise ValueError(
            f"For '{op_name}', '{first}' and '{second}' must have the same shape, but got "
            f"{list(a.shape)} and {list(b.shape)}."
        )


def of_layer(op_name: str, name: str, value: Tensor) -> Tensor:
    """A tensor of one element, as 0-d."""
    if value.numel() != 1:
        raise ValueError(
            f"For '{op_name}', '{name}' must have one element, but got shape {list(value.shape)}."
        )
    return value.reshape(())


def of_channels(op_name: str, name: str, value: Tensor, x: Tensor, axis: int) -> Tensor:
    """A tensor with a value for each channel, in a shape that broadcasts with x."""
    if x.ndim == 1:
        axis = 0
    if axis >= x.ndim:
        raise ValueError(
            f"For '{op_name}', 'channel_axis' must be less than the rank of 'x', {x.ndim}, but got "
            f"{axis}."
        )
    if value.shape != x.shape[axis : axis + 1 or None]:
        raise ValueError(
            f"For '{op_name}', the shape of '{name}' must be [{x.shape[axis]}], one for each "
            f"channel, but got {list(value.shape)}."
        )
    shape = [1] * x.ndim
    shape[axis] = x.shape[axis]
    return value.reshape(shape)


def check_flags(instance: Primitive) -> None:
    """Check the constructor's arguments that several of these operators have."""
    assert instance._entry is not None
    for p in instance._entry.params:
        if p.annotation == "bool" and p.name in instance.attrs:
            boolean(instance.name, p.name, instance.attrs[p.name])
    if "quant_delay" in instance.attrs:
        integer(instance.name, "quant_delay", instance.attrs["quant_delay"], 0)
    if "channel_axis" in instance.attrs:
        integer(instance.name, "channel_axis", instance.attrs["channel_axis"], 0)
    if "ema_decay" in instance.attrs:
        decay = between(instance.name, "ema_decay", instance.attrs["ema_decay"], 0, 1)
        if instance.attrs["ema"] and not decay:
            raise ValueError(
                f"For '{instance.name}', 'ema' and 'ema_decay' must be set together, but got "
                f"{instance.attrs['ema']} and {decay}."
            )


def check_training(instance: Primitive) -> Tensor | None:
    """Check the arguments; the state is a counter of calls, which `quant_delay` needs."""
    check_flags(instance)
    bits = instance.attrs.get("num_bits", 8)
    if bits not in (4, 7, 8):
        raise ValueError(f"For '{instance.name}', 'num_bits' must be 4, 7 or 8, but got {bits!r}.")
    return torch.zeros((), dtype=torch.int64) if instance.attrs["quant_delay"] else None


def _check_bits(instance: Primitive) -> None:
    check_flags(instance)
    bits = integer(instance.name, "num_bits", instance.num_bits)
    between(instance.name, "num_bits", bits, 2, 16)


def delayed(counter: Tensor | None, delay: int, now: Tensor, then: Tensor) -> Tensor:
    """`now` during the first `delay` calls, `then` afterwards."""
    if counter is None:
        return then
    ready = counter >= delay
    return torch.where(ready.to(now.device), then, now)


def count_call(counter: Tensor | None) -> None:
    if counter is not None and not thread.recomputing:
        counter.add_(1)


# ------------------------------------------------------------------------------- rounding


def _ends(
    low: Tensor, high: Tensor, bits: int, narrow: bool, symmetric: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """The moved ends of an interval and its step, see NOTE Rounding."""
    low, high = low.detach(), high.detach()
    if symmetric:
        high = torch.maximum(-low, high)
        low = -high
    first, last = int(narrow), 2**bits - 1
    step = (high - low) / (last - first)
    divisor = torch.where(step == 0, torch.ones_like(step), step)  # an empty interval is zero
    zero = ((first - low / divisor).clamp(first, last) + 0.5).floor()
    return (first - zero) * step, (last - zero) * step, divisor


def _rounded(x: Tensor, low: Tensor, high: Tensor, step: Tensor) -> Tensor:
    """Values on the nearest steps within the ends; the gradient is that of clipping."""
    clipped = torch.minimum(torch.maximum(x, low), high)
    steps = ((clipped.detach() - low) / step + 0.5).floor() * step + low
    within = (x >= low) & (x <= high)
    return with_gradient(steps, (within, x))


def with_gradient(value: Tensor, *terms: tuple[Tensor, Tensor]) -> Tensor:
    """The value itself, with the gradient of a sum of products of factors and tensors."""
    result = value.detach()
    for factor, tensor in terms:
        nothing = (tensor - tensor.detach()) * factor.detach()  # zero, but for its gradient
        result = result + torch.where(nothing.isnan(), torch.zeros_like(nothing), nothing)
    return result


_INTERVAL = "torch.tensor([-1.0]).double(), torch.tensor([1.5]).double()"
_INTERVALS = "-p(3), p(3)"


@primitive(
    "FakeQuantPerLayer",
    samples=(
        f"f(2, 3), {_INTERVAL}",
        f"f(2, 3), {_INTERVAL}, num_bits=4, symmetric=True, narrow_range=True",
        f"f(2, 3), {_INTERVAL}, quant_delay=2",
    ),
    errors=(
        (f"f(2, 3), {_INTERVAL}, num_bits=5", ValueError, "num_bits"),
        ("f(2, 3), f(2), f(1)", ValueError, "min"),
        (f"f(2, 3), {_INTERVAL}, ema=True, ema_decay=0.0", ValueError, "ema"),
        (f"f(2, 3), {_INTERVAL}, symmetric=1", TypeError, "symmetric"),
    ),
    differentiable=False,  # the gradient is that of clipping
    setup=check_training,
)
def _fake_quant_per_layer(
    x: Tensor,
    min: Tensor,
    max: Tensor,
    *,
    num_bits: int = 8,
    ema: bool = False,
    ema_decay: float = 0.999,
    quant_delay: int = 0,
    symmetric: bool = False,
    narrow_range: bool = False,
    training: bool = True,
    _state: Any = None,
) -> Tensor:
    """Values rounded to the steps of one interval, see NOTE Rounding in the module.

    Attributes:
        num_bits (int): 4, 7 or 8. Default: 8.
        ema (bool): accepted for compatibility; :class:`MinMaxUpdatePerLayer` averages.
            Default: False.
        ema_decay (float): as `ema`. Default: 0.999.
        quant_delay (int): how many calls return `x` itself in training. Default: 0.
        symmetric (bool): whether the interval is made symmetric. Default: False.
        narrow_range (bool): whether the least code is 1. Default: False.
        training (bool): whether calls are counted for `quant_delay`. Default: True.

    Inputs:
        - **x** (Tensor) - any shape.
        - **min**, **max** (Tensor) - the interval, one element each.

    Outputs: Tensor of the shape and type of `x`.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: `num_bits` or a shape does not fit.
    Difference from PyTorch: ``torch.fake_quantize_per_tensor_affine`` takes scale and zero point.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> quant = ms.ops.operations.FakeQuantPerLayer(num_bits=4)
    >>> print(quant(ms.Tensor([0.3, 1.1, 9.0]), ms.Tensor([0.0]), ms.Tensor([1.5])))
    [0.3 1.1 1.5]
    """
    op_name = "FakeQuantPerLayer"
    low, high = of_layer(op_name, "min", min), of_layer(op_name, "max", max)
    result = _rounded(x, *_ends(low, high, num_bits, narrow_range, symmetric)).to(x.dtype)
    if not training:
        return result
    result = delayed(_state, quant_delay, x, result)
    count_call(_state)
    return result


@primitive(
    "FakeQuantPerLayerGrad",
    samples=(f"f(2, 3), f(2, 3), {_INTERVAL}", f"f(2, 3), f(2, 3), {_INTERVAL}, quant_delay=1"),
    errors=((f"f(2), f(3), {_INTERVAL}", ValueError, "shape"),),
    differentiable=False,
    setup=check_training,
)
def _fake_quant_per_layer_grad(
    dout: Tensor,
    x: Tensor,
    min: Tensor,
    max: Tensor,
    *,
    num_bits: int = 8,
    quant_delay: int = 0,
    symmetric: bool = False,
    narrow_range: bool = False,
    _state: Any = None,
) -> Tensor:
    """The gradient of :class:`FakeQuantPerLayer`: `dout` where `x` lies within the ends, else 0.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the values, of one shape.
        - **min**, **max** (Tensor) - the interval, one element each.

    Outputs: Tensor of that shape.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.FakeQuantPerLayerGrad()
    >>> dout, x = ms.Tensor([1.0, 2.0]), ms.Tensor([0.5, 9.0])
    >>> print(grad(dout, x, ms.Tensor([-4.0]), ms.Tensor([2.0])))
    [1. 0.]
    """
    op_name = "FakeQuantPerLayerGrad"
    same_shape(op_name, "dout", dout, "x", x)
    low, high = of_layer(op_name, "min", min), of_layer(op_name, "max", max)
    ends = _ends(low, high, num_bits, narrow_range, symmetric)
    return _passed(dout, x, ends, quant_delay, _state)


def _passed(
    dout: Tensor, x: Tensor, ends: Sequence[Tensor], delay: int, counter: Tensor | None
) -> Tensor:
    low, high = ends[:2]
    result = torch.where((x >= low) & (x <= high), dout, torch.zeros_like(dout))
    result = delayed(counter, delay, dout, result)
    count_call(counter)
    return result


@primitive(
    "FakeQuantPerChannel",
    samples=(
        f"f(2, 3), {_INTERVALS}",
        f"f(3, 2, 2), {_INTERVALS}, channel_axis=0, symmetric=True",
        f"f(3), {_INTERVALS}, quant_delay=2",
    ),
    errors=(
        (f"f(2, 4), {_INTERVALS}", ValueError, "min"),
        (f"f(2, 3), {_INTERVALS}, channel_axis=2", ValueError, "channel_axis"),
        (f"f(2, 3), {_INTERVALS}, num_bits=5", ValueError, "num_bits"),
    ),
    differentiable=False,  # the gradient is that of clipping
    setup=check_training,
)
def _fake_quant_per_channel(
    x: Tensor,
    min: Tensor,
    max: Tensor,
    *,
    num_bits: int = 8,
    ema: bool = False,
    ema_decay: float = 0.999,
    quant_delay: int = 0,
    symmetric: bool = False,
    narrow_range: bool = False,
    training: bool = True,
    channel_axis: int = 1,
    _state: Any = None,
) -> Tensor:
    """Values rounded to the steps of an interval for each channel: :class:`FakeQuantPerLayer`.

    Attributes:
        channel_axis (int): the axis of the channels; 0 for a vector. Default: 1.

    Inputs:
        - **x** (Tensor) - any shape.
        - **min**, **max** (Tensor) - the intervals, shape (C,).

    Outputs: Tensor of the shape and type of `x`.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: `num_bits`, `channel_axis` or a shape does not fit.
    Difference from PyTorch: ``torch.fake_quantize_per_channel_affine`` takes scales and zero
        points.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> quant = ms.ops.operations.FakeQuantPerChannel(num_bits=4)
    >>> low, high = ms.Tensor([0.0, 0.0]), ms.Tensor([1.5, 15.0])
    >>> print(quant(ms.Tensor([[0.3, 0.3], [2.0, 2.2]]), low, high))
    [[0.3 0. ]
     [1.5 2. ]]
    """
    op_name = "FakeQuantPerChannel"
    low = of_channels(op_name, "min", min, x, channel_axis)
    high = of_channels(op_name, "max", max, x, channel_axis)
    result = _rounded(x, *_ends(low, high, num_bits, narrow_range, symmetric)).to(x.dtype)
    if not training:
        return result
    result = delayed(_state, quant_delay, x, result)
    count_call(_state)
    return result


@primitive(
    "FakeQuantPerChannelGrad",
    samples=(
        f"f(2, 3), f(2, 3), {_INTERVALS}",
        f"f(3, 2), f(3, 2), {_INTERVALS}, channel_axis=0, quant_delay=1",
    ),
    errors=((f"f(2), f(3), {_INTERVALS}", ValueError, "shape"),),
    differentiable=False,
    setup=check_training,
)
def _fake_quant_per_channel_grad(
    dout: Tensor,
    x: Tensor,
    min: Tensor,
    max: Tensor,
    *,
    num_bits: int = 8,
    quant_delay: int = 0,
    symmetric: bool = False,
    narrow_range: bool = False,
    channel_axis: int = 1,
    _state: Any = None,
) -> Tensor:
    """The gradient of :class:`FakeQuantPerChannel`: `dout` where `x` lies within the ends, else 0.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the values, of one shape.
        - **min**, **max** (Tensor) - the intervals, shape (C,).

    Outputs: Tensor of that shape.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.FakeQuantPerChannelGrad()
    >>> dout, x = ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0, 3.0]])
    >>> print(grad(dout, x, ms.Tensor([-4.0, -4.0]), ms.Tensor([2.0, 4.0])))
    [[0. 2.]]
    """
    op_name = "FakeQuantPerChannelGrad"
    same_shape(op_name, "dout", dout, "x", x)
    low = of_channels(op_name, "min", min, x, channel_axis)
    high = of_channels(op_name, "max", max, x, channel_axis)
    ends = _ends(low, high, num_bits, narrow_range, symmetric)
    return _passed(dout, x, ends, quant_delay, _state)


# --------------------------------------------------------------------- of given intervals


def _of_values(op_name: str, name: str, value: Tensor, x: Tensor) -> Tensor:
    """One element for all, or one for each element of x."""
    if value.numel() == 1:
        return value.reshape((1,) * x.ndim)
    if value.numel() != x.numel():
        raise ValueError(
            f"For '{op_name}', the shape of '{name}', {list(value.shape)}, cannot broadcast to the "
            f"shape of 'x', {list(x.shape)}."
        )
    return value.reshape(x.shape)


@primitive(
    "FakeQuantWithMinMaxVars",
    samples=(
        f"f(2, 3), {_INTERVAL}",
        f"f(2, 3), {_INTERVAL}, num_bits=2, narrow_range=True",
        "f(2, 3), -p(6), p(6)",
    ),
    errors=(
        (f"f(2, 3), {_INTERVAL}, num_bits=1", ValueError, "num_bits"),
        ("f(2, 3), f(2), f(2)", ValueError, "min"),
    ),
    differentiable=False,  # the gradient is that of clipping
    setup=_check_bits,
)
def _fake_quant_with_min_max_vars(
    x: Tensor, min: Tensor, max: Tensor, *, num_bits: int = 8, narrow_range: bool = False
) -> Tensor:
    """Values rounded to the steps of an interval, see NOTE Rounding in the module.

    Attributes:
        num_bits (int): from 2 to 16. Default: 8.
        narrow_range (bool): whether the least code is 1. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.
        - **min**, **max** (Tensor) - the interval, one element each, or one for each element of x.

    Outputs: Tensor of the shape and type of `x`.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: `num_bits` or a shape does not fit.
    Difference from PyTorch: ``torch.fake_quantize_per_tensor_affine`` takes scale and zero point.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> quant = ms.ops.operations.FakeQuantWithMinMaxVars(num_bits=2)
    >>> print(quant(ms.Tensor([0.4, 1.2, 9.0]), ms.Tensor([0.0]), ms.Tensor([1.5])))
    [0.5 1.  1.5]
    """
    op_name = "FakeQuantWithMinMaxVars"
    low, high = _of_values(op_name, "min", min, x), _of_values(op_name, "max", max, x)
    return _rounded(x, *_ends(low, high, num_bits, narrow_range, False)).to(x.dtype)


def _split_gradient(
    dout: Tensor, x: Tensor, low: Tensor, high: Tensor, bits: int, narrow: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of the values and, in their broadcast shapes, of both ends."""
    first, last, _ = _ends(low, high, bits, narrow, False)
    nothing = torch.zeros_like(dout)
    below, above = torch.where(x < first, dout, nothing), torch.where(x > last, dout, nothing)
    return dout - below - above, below.sum_to_size(low.shape), above.sum_to_size(high.shape)


@primitive(
    "FakeQuantWithMinMaxVarsGradient",
    samples=(f"f(2, 3), f(2, 3), {_INTERVAL}", "f(2, 3), f(2, 3), -p(6), p(6), num_bits=4"),
    errors=((f"f(2), f(3), {_INTERVAL}", ValueError, "shape"),),
    differentiable=False,
    setup=_check_bits,
)
def _fake_quant_with_min_max_vars_gradient(
    gradients: Tensor,
    x: Tensor,
    min: Tensor,
    max: Tensor,
    *,
    num_bits: int = 8,
    narrow_range: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of :class:`FakeQuantWithMinMaxVars`.

    Inputs:
        - **gradients**, **x** (Tensor) - the gradient and the values, of one shape.
        - **min**, **max** (Tensor) - the interval, as there.

    Outputs: Tuple of the gradients of `x`, `min` and `max`: each element of `gradients` belongs to
        `x` where it lies within the ends, to `min` where it lies below and to `max` above.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.FakeQuantWithMinMaxVarsGradient()
    >>> dout, x = ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([-9.0, 0.5, 9.0])
    >>> for value in grad(dout, x, ms.Tensor([-4.0]), ms.Tensor([2.0])):
    ...     print(value)
    [0. 2. 0.]
    [1.]
    [3.]
    """
    op_name = "FakeQuantWithMinMaxVarsGradient"
    same_shape(op_name, "gradients", gradients, "x", x)
    low, high = _of_values(op_name, "min", min, x), _of_values(op_name, "max", max, x)
    dx, below, above = _split_gradient(gradients, x, low, high, num_bits, narrow_range)
    return dx, below.reshape(min.shape).to(min.dtype), above.reshape(max.shape).to(max.dtype)


@primitive(
    "FakeQuantWithMinMaxVarsPerChannel",
    samples=(f"f(2, 3), {_INTERVALS}", f"f(2, 2, 3), {_INTERVALS}, num_bits=4, narrow_range=True"),
    errors=((f"f(3, 2), {_INTERVALS}", ValueError, "min"),),
    differentiable=False,  # the gradient is that of clipping
    setup=_check_bits,
)
def _fake_quant_with_min_max_vars_per_channel(
    x: Tensor, min: Tensor, max: Tensor, *, num_bits: int = 8, narrow_range: bool = False
) -> Tensor:
    """Values rounded to the steps of an interval for each index of the last axis.

    See :class:`FakeQuantWithMinMaxVars`.

    Attributes:
        num_bits (int): from 2 to 16. Default: 8.
        narrow_range (bool): whether the least code is 1. Default: False.

    Inputs:
        - **x** (Tensor) - shape (..., C).
        - **min**, **max** (Tensor) - the intervals, shape (C,).

    Outputs: Tensor of the shape and type of `x`.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: `num_bits` or a shape does not fit.
    Difference from PyTorch: ``torch.fake_quantize_per_channel_affine`` takes scales and zero
        points.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> quant = ms.ops.operations.FakeQuantWithMinMaxVarsPerChannel(num_bits=2)
    >>> low, high = ms.Tensor([0.0, 0.0]), ms.Tensor([1.5, 3.0])
    >>> print(quant(ms.Tensor([[0.4, 0.4], [9.0, 9.0]]), low, high))
    [[0.5 0. ]
     [1.5 3. ]]
    """
    op_name = "FakeQuantWithMinMaxVarsPerChannel"
    low = of_channels(op_name, "min", min, x, x.ndim - 1)
    high = of_channels(op_name, "max", max, x, x.ndim - 1)
    return _rounded(x, *_ends(low, high, num_bits, narrow_range, False)).to(x.dtype)


@primitive(
    "FakeQuantWithMinMaxVarsPerChannelGradient",
    samples=(f"f(2, 3), f(2, 3), {_INTERVALS}", f"f(2, 2, 3), f(2, 2, 3), {_INTERVALS}"),
    errors=((f"f(2), f(3), {_INTERVALS}", ValueError, "shape"),),
    differentiable=False,
    setup=_check_bits,
)
def _fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: Tensor,
    x: Tensor,
    min: Tensor,
    max: Tensor,
    *,
    num_bits: int = 8,
    narrow_range: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of :class:`FakeQuantWithMinMaxVarsPerChannel`.

    Inputs:
        - **gradients**, **x** (Tensor) - the gradient and the values, of one shape.
        - **min**, **max** (Tensor) - the intervals, shape (C,).

    Outputs: Tuple of the gradients of `x`, `min` and `max`.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.FakeQuantWithMinMaxVarsPerChannelGradient()
    >>> dout, x = ms.Tensor([[1.0, 2.0]]), ms.Tensor([[9.0, 0.5]])
    >>> for value in grad(dout, x, ms.Tensor([-4.0, -4.0]), ms.Tensor([2.0, 2.0])):
    ...     print(value)
    [[0. 2.]]
    [0. 0.]
    [1. 0.]
    """
    op_name = "FakeQuantWithMinMaxVarsPerChannelGradient"
    same_shape(op_name, "gradients", gradients, "x", x)
    low = of_channels(op_name, "min", min, x, x.ndim - 1)
    high = of_channels(op_name, "max", max, x, x.ndim - 1)
    dx, below, above = _split_gradient(gradients, x, low, high, num_bits, narrow_range)
    return dx, below.reshape(min.shape).to(min.dtype), above.reshape(max.shape).to(max.dtype)
