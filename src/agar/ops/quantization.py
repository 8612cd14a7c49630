r"""Simulated quantisation: values rounded to what few bits can hold, with gradients as if not.

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

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from agar._core.errors import missing_feature
from agar._core.optable import Primitive
from agar._core.runtime import runtime, thread
from agar.ops._checks import between, boolean, integer
from agar.ops.spec import primitive

__all__ = ["IFMR", "FakeQuantParam"]


# ----------------------------------------------------------------------- checks and shapes


def _same_shape(who: str, first: str, a: Tensor, second: str, b: Tensor) -> None:
    if a.shape != b.shape:
        raise ValueError(
            f"For '{who}', '{first}' and '{second}' must have the same shape, but got "
            f"{list(a.shape)} and {list(b.shape)}."
        )


def _of_layer(who: str, name: str, value: Tensor) -> Tensor:
    """A tensor of one element, as 0-d."""
    if value.numel() != 1:
        raise ValueError(
            f"For '{who}', '{name}' must have one element, but got shape {list(value.shape)}."
        )
    return value.reshape(())


def _of_channels(who: str, name: str, value: Tensor, x: Tensor, axis: int) -> Tensor:
    """A tensor with a value for each channel, in a shape that broadcasts with x."""
    if x.ndim == 1:
        axis = 0
    if axis >= x.ndim:
        raise ValueError(
            f"For '{who}', 'channel_axis' must be less than the rank of 'x', {x.ndim}, but got "
            f"{axis}."
        )
    if value.shape != x.shape[axis : axis + 1 or None]:
        raise ValueError(
            f"For '{who}', the shape of '{name}' must be [{x.shape[axis]}], one for each channel, "
            f"but got {list(value.shape)}."
        )
    shape = [1] * x.ndim
    shape[axis] = x.shape[axis]
    return value.reshape(shape)


def _check_flags(made: Primitive) -> None:
    """Check the constructor's arguments that several of these operators have."""
    assert made._entry is not None
    for p in made._entry.params:
        if p.annotation == "bool" and p.name in made.attrs:
            boolean(made.name, p.name, made.attrs[p.name])
    if "quant_delay" in made.attrs:
        integer(made.name, "quant_delay", made.attrs["quant_delay"], 0)
    if "channel_axis" in made.attrs:
        integer(made.name, "channel_axis", made.attrs["channel_axis"], 0)
    if "ema_decay" in made.attrs:
        decay = between(made.name, "ema_decay", made.attrs["ema_decay"], 0, 1)
        if made.attrs["ema"] and not decay:
            raise ValueError(
                f"For '{made.name}', 'ema' and 'ema_decay' must be set together, but got "
                f"{made.attrs['ema']} and {decay}."
            )


def _check_training(made: Primitive) -> Tensor | None:
    """Check the arguments; the state is a counter of calls, which `quant_delay` needs."""
    _check_flags(made)
    bits = made.attrs.get("num_bits", 8)
    if bits not in (4, 7, 8):
        raise ValueError(f"For '{made.name}', 'num_bits' must be 4, 7 or 8, but got {bits!r}.")
    return torch.zeros((), dtype=torch.int64) if made.attrs["quant_delay"] else None


def _check_bits(made: Primitive) -> None:
    _check_flags(made)
    bits = integer(made.name, "num_bits", made.num_bits)
    between(made.name, "num_bits", bits, 2, 16)


def _later(counter: Tensor | None, delay: int, now: Tensor, then: Tensor) -> Tensor:
    """`now` during the first `delay` calls, `then` afterwards."""
    if counter is None:
        return then
    ready = counter >= delay
    return torch.where(ready.to(now.device), then, now)


def _count(counter: Tensor | None) -> None:
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
    return _with_gradient(steps, (within, x))


def _with_gradient(value: Tensor, *terms: tuple[Tensor, Tensor]) -> Tensor:
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
    setup=_check_training,
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
    who = "FakeQuantPerLayer"
    low, high = _of_layer(who, "min", min), _of_layer(who, "max", max)
    found = _rounded(x, *_ends(low, high, num_bits, narrow_range, symmetric)).to(x.dtype)
    if not training:
        return found
    found = _later(_state, quant_delay, x, found)
    _count(_state)
    return found


@primitive(
    "FakeQuantPerLayerGrad",
    samples=(f"f(2, 3), f(2, 3), {_INTERVAL}", f"f(2, 3), f(2, 3), {_INTERVAL}, quant_delay=1"),
    errors=((f"f(2), f(3), {_INTERVAL}", ValueError, "shape"),),
    differentiable=False,
    setup=_check_training,
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

    Attributes:
        num_bits (int), quant_delay (int), symmetric (bool), narrow_range (bool): as there.

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
    who = "FakeQuantPerLayerGrad"
    _same_shape(who, "dout", dout, "x", x)
    low, high = _of_layer(who, "min", min), _of_layer(who, "max", max)
    ends = _ends(low, high, num_bits, narrow_range, symmetric)
    return _passed(dout, x, ends, quant_delay, _state)


def _passed(
    dout: Tensor, x: Tensor, ends: Sequence[Tensor], delay: int, counter: Tensor | None
) -> Tensor:
    low, high = ends[:2]
    found = torch.where((x >= low) & (x <= high), dout, torch.zeros_like(dout))
    found = _later(counter, delay, dout, found)
    _count(counter)
    return found


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
    setup=_check_training,
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
        num_bits (int), ema (bool), ema_decay (float), quant_delay (int), symmetric (bool),
            narrow_range (bool), training (bool): as there.
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
    who = "FakeQuantPerChannel"
    low = _of_channels(who, "min", min, x, channel_axis)
    high = _of_channels(who, "max", max, x, channel_axis)
    found = _rounded(x, *_ends(low, high, num_bits, narrow_range, symmetric)).to(x.dtype)
    if not training:
        return found
    found = _later(_state, quant_delay, x, found)
    _count(_state)
    return found


@primitive(
    "FakeQuantPerChannelGrad",
    samples=(
        f"f(2, 3), f(2, 3), {_INTERVALS}",
        f"f(3, 2), f(3, 2), {_INTERVALS}, channel_axis=0, quant_delay=1",
    ),
    errors=((f"f(2), f(3), {_INTERVALS}", ValueError, "shape"),),
    differentiable=False,
    setup=_check_training,
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

    Attributes:
        num_bits (int), quant_delay (int), symmetric (bool), narrow_range (bool),
            channel_axis (int): as there.

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
    who = "FakeQuantPerChannelGrad"
    _same_shape(who, "dout", dout, "x", x)
    low = _of_channels(who, "min", min, x, channel_axis)
    high = _of_channels(who, "max", max, x, channel_axis)
    ends = _ends(low, high, num_bits, narrow_range, symmetric)
    return _passed(dout, x, ends, quant_delay, _state)


# --------------------------------------------------------------------- of given intervals


def _of_values(who: str, name: str, value: Tensor, x: Tensor) -> Tensor:
    """One element for all, or one for each element of x."""
    if value.numel() == 1:
        return value.reshape((1,) * x.ndim)
    if value.numel() != x.numel():
        raise ValueError(
            f"For '{who}', the shape of '{name}', {list(value.shape)}, cannot broadcast to the "
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
    who = "FakeQuantWithMinMaxVars"
    low, high = _of_values(who, "min", min, x), _of_values(who, "max", max, x)
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

    Attributes:
        num_bits (int), narrow_range (bool): as there.

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
    who = "FakeQuantWithMinMaxVarsGradient"
    _same_shape(who, "gradients", gradients, "x", x)
    low, high = _of_values(who, "min", min, x), _of_values(who, "max", max, x)
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
    who = "FakeQuantWithMinMaxVarsPerChannel"
    low = _of_channels(who, "min", min, x, x.ndim - 1)
    high = _of_channels(who, "max", max, x, x.ndim - 1)
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

    Attributes:
        num_bits (int), narrow_range (bool): as there.

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
    who = "FakeQuantWithMinMaxVarsPerChannelGradient"
    _same_shape(who, "gradients", gradients, "x", x)
    low = _of_channels(who, "min", min, x, x.ndim - 1)
    high = _of_channels(who, "max", max, x, x.ndim - 1)
    dx, below, above = _split_gradient(gradients, x, low, high, num_bits, narrow_range)
    return dx, below.reshape(min.shape).to(min.dtype), above.reshape(max.shape).to(max.dtype)


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
    setup=_check_flags,
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
    who = "MinMaxUpdatePerLayer"
    _of_layer(who, "min", min)
    _of_layer(who, "max", max)
    return _widened(torch.aminmax(x.detach()), min, max, ema, ema_decay)


@primitive(
    "MinMaxUpdatePerChannel",
    samples=(
        "f(2, 3), f(3), f(3)",
        "f(3, 2), f(3), f(3), ema=True, ema_decay=0.5, channel_axis=0",
    ),
    errors=(("f(2, 3), f(2), f(2)", ValueError, "min"),),
    differentiable=False,
    setup=_check_flags,
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
    who = "MinMaxUpdatePerChannel"
    _of_channels(who, "min", min, x, channel_axis)
    _of_channels(who, "max", max, x, channel_axis)
    axis = 0 if x.ndim == 1 else channel_axis
    rows = x.detach().movedim(axis, 0).flatten(1) if x.ndim > 1 else x.detach().unsqueeze(1)
    return _widened((rows.amin(1), rows.amax(1)), min, max, ema, ema_decay)


# --------------------------------------------------------------------- learned step sizes


def _learned(
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
    found, within, factor = _learned(x, scale, codes, neg_trunc)
    return _with_gradient(found, (within, x), (factor, scale)).to(x.dtype)


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
    setup=_check_training,
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
    who = "FakeLearnedScaleQuantPerLayer"
    scale, codes = _of_layer(who, "alpha", alpha), _of_layer(who, "quant_max", quant_max)
    found = _learned_scale(input_x, scale, codes, neg_trunc)
    if not training:
        return found
    found = _later(_state, quant_delay, input_x, found)
    _count(_state)
    return found


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
    _, within, factor = _learned(x, scale, codes, neg_trunc)
    dx = torch.where(within, dout, torch.zeros_like(dout))
    dalpha = (dout * factor).sum_to_size(scale.shape).reshape(alpha.shape).to(alpha.dtype)
    dx = _later(counter, delay, dout, dx)
    dalpha = _later(counter, delay, torch.zeros_like(dalpha), dalpha)
    _count(counter)
    return dx.to(dout.dtype), dalpha


@primitive(
    "FakeLearnedScaleQuantPerLayerGrad",
    samples=(
        "f(2, 3), f(2, 3), p(1), torch.tensor([7.0]).double()",
        "f(2, 3), f(2, 3), p(1), torch.tensor([7.0]).double(), neg_trunc=True, quant_delay=1",
    ),
    errors=(("f(2), f(3), p(1), p(1)", ValueError, "shape"),),
    differentiable=False,
    setup=_check_training,
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

    Attributes:
        quant_delay (int), neg_trunc (bool): as there.

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
    who = "FakeLearnedScaleQuantPerLayerGrad"
    _same_shape(who, "dout", dout, "x", x)
    scale, codes = _of_layer(who, "alpha", alpha), _of_layer(who, "quant_max", quant_max)
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
    setup=_check_training,
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
        quant_delay (int), neg_trunc (bool), training (bool): as there.
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
    who = "FakeLearnedScaleQuantPerChannel"
    scale = _of_channels(who, "alpha", alpha, input_x, channel_axis)
    codes = _of_layer(who, "quant_max", quant_max)
    found = _learned_scale(input_x, scale, codes, neg_trunc)
    if not training:
        return found
    found = _later(_state, quant_delay, input_x, found)
    _count(_state)
    return found


@primitive(
    "FakeLearnedScaleQuantPerChannelGrad",
    samples=(
        "f(2, 3), f(2, 3), p(3), torch.tensor([7.0]).double()",
        "f(3, 2), f(3, 2), p(3), torch.tensor([7.0]).double(), channel_axis=0, quant_delay=1",
    ),
    errors=(("f(2), f(3), p(3), p(1)", ValueError, "shape"),),
    differentiable=False,
    setup=_check_training,
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

    Attributes:
        quant_delay (int), neg_trunc (bool), channel_axis (int): as there.

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
    who = "FakeLearnedScaleQuantPerChannelGrad"
    _same_shape(who, "dout", dout, "x", x)
    scale = _of_channels(who, "alpha", alpha, x, channel_axis)
    codes = _of_layer(who, "quant_max", quant_max)
    return _learned_gradient(dout, x, alpha, scale, codes, neg_trunc, quant_delay, _state)


# ------------------------------------------------------- universal and adaptive quantisation

_STEPS = 255  # of 8 bits
_LEAST_STEP = 1.192092896e-07  # float32's epsilon


def _check_eight_bits(made: Primitive) -> None:
    _check_flags(made)
    if integer(made.name, "num_bits", made.num_bits) != 8:
        raise ValueError(f"For '{made.name}', 'num_bits' must be 8, but got {made.num_bits}.")


def _of_all(who: str, name: str, value: Tensor, x: Tensor) -> Tensor:
    """A tensor of one element and the rank of x."""
    if list(value.shape) != [1] * x.ndim:
        raise ValueError(
            f"For '{who}', the shape of '{name}' must be {[1] * x.ndim}, but got "
            f"{list(value.shape)}."
        )
    return value


@primitive(
    "ActsULQ",
    samples=("f(2, 3), -p(1, 1), p(1, 1)", "f(3), -p(1), p(1), fixed_min=True"),
    errors=(
        ("f(2, 3), f(1), f(1)", ValueError, "clamp_min"),
        ("f(3), f(1), f(1), num_bits=4", ValueError, "num_bits"),
    ),
    differentiable=False,  # the gradient is that of clipping
    setup=_check_eight_bits,
)
def _acts_ulq(
    x: Tensor, clamp_min: Tensor, clamp_max: Tensor, *, fixed_min: bool = False, num_bits: int = 8
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    r"""Activations rounded to 255 steps of an interval whose ends are learned.

    .. math::
        s = \frac{max - min}{255}, \quad
        r = clip(x, min, max) / s, \quad
        y = s \lfloor r \rceil, \quad
        loss = \frac{\lfloor r \rceil - r}{255}

    where min is at most 0 (0 with `fixed_min`), max above 0, and both are moved to multiples of
    the step. The gradient of x passes within the ends; those of the ends are
    :class:`ActULQClampMinGrad` and :class:`ActULQClampMaxGrad`.

    Attributes:
        fixed_min (bool): whether the lower end is 0. Default: False.
        num_bits (int): must be 8. Default: 8.

    Inputs:
        - **x** (Tensor) - any shape.
        - **clamp_min**, **clamp_max** (Tensor) - the ends, of the rank of x and one element.

    Outputs: Tuple of y, whether x is at least min, whether it is at most max (bool), and the loss.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: `num_bits` or a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> quant = ms.ops.operations.ActsULQ(fixed_min=True)
    >>> x, least, most = ms.Tensor([-1.0, 1.2, 999.0]), ms.Tensor([0.0]), ms.Tensor([255.0])
    >>> y, low, high, _ = quant(x, least, most)
    >>> print(y, low, high)
    [  0.   1. 255.] [False  True  True] [ True  True False]
    """
    who = "ActsULQ"
    least = _of_all(who, "clamp_min", clamp_min, x).detach().clamp(max=0)
    most = _of_all(who, "clamp_max", clamp_max, x).detach().clamp(min=_STEPS * _LEAST_STEP)
    if fixed_min:
        least = torch.zeros_like(least)
    step = (most - least) / _STEPS
    offset = (least / step).round()
    low, high = offset * step, (offset + _STEPS) * step
    # the ends themselves are no multiples of the step: what they lose is what clipped values lose
    ratio = torch.minimum(torch.maximum(x.detach(), least), most) / step
    codes = torch.minimum(torch.maximum(x.detach(), low), high).div(step).round()
    loss = (ratio.round() - ratio) / _STEPS
    above, below = x >= low, x <= high
    y = _with_gradient(
        codes * step,
        (above & below, x),
        ((~above).to(loss.dtype) - loss, clamp_min),
        ((~below).to(loss.dtype) + loss, clamp_max),
    )
    return y.to(x.dtype), above, below, loss.to(x.dtype)


@primitive(
    "ActsULQInputGrad",
    samples=("f(2, 3), b(2, 3), b(2, 3)",),
    errors=(("f(2, 3), b(3), b(2, 3)", ValueError, "shape"),),
    differentiable=False,
)
def _acts_ulq_input_grad(y_grad: Tensor, clamp_min_mask: Tensor, clamp_max_mask: Tensor) -> Tensor:
    """The gradient of the activations of :class:`ActsULQ`: `y_grad` where both masks hold, else 0.

    Inputs:
        - **y_grad** (Tensor) - the gradient of the rounded activations.
        - **clamp_min_mask**, **clamp_max_mask** (Tensor) - what :class:`ActsULQ` returns.

    Outputs: Tensor of the shape and type of `y_grad`.
    Raises ValueError: the shapes differ.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.ActsULQInputGrad()
    >>> print(grad(ms.Tensor([1.0, 2.0]), ms.Tensor([True, False]), ms.Tensor([True, True])))
    [1. 0.]
    """
    _same_shape("ActsULQInputGrad", "y_grad", y_grad, "clamp_min_mask", clamp_min_mask)
    _same_shape("ActsULQInputGrad", "y_grad", y_grad, "clamp_max_mask", clamp_max_mask)
    inside = (clamp_min_mask != 0) & (clamp_max_mask != 0)
    return torch.where(inside, y_grad, torch.zeros_like(y_grad))


def _end_gradient(who: str, y_grad: Tensor, mask: Tensor, loss: Tensor, sign: int) -> Tensor:
    _same_shape(who, "y_grad", y_grad, "mask", mask)
    _same_shape(who, "y_grad", y_grad, "x_clamped_loss", loss)
    wide = y_grad.to(torch.promote_types(y_grad.dtype, torch.float32))
    outside = 1 - mask.to(wide.dtype)
    return (wide * (outside + sign * loss)).sum().to(torch.float32).reshape((1,) * y_grad.ndim)


@primitive(
    "ActULQClampMinGrad",
    samples=("f(2, 3), b(2, 3), f(2, 3)", "f(3), i(3) // 2, f(3)"),
    errors=(("f(2, 3), b(3), f(2, 3)", ValueError, "shape"),),
    differentiable=False,
)
def _act_ulq_clamp_min_grad(
    y_grad: Tensor, clamp_min_mask: Tensor, x_clamped_loss: Tensor
) -> Tensor:
    r"""The gradient of the lower end of :class:`ActsULQ`: :math:`\sum dy (1 - mask - loss)`.

    Inputs:
        - **y_grad** (Tensor) - the gradient of the activations.
        - **clamp_min_mask** (Tensor) - where they are at least the lower end.
        - **x_clamped_loss** (Tensor) - the loss that :class:`ActsULQ` returns.

    Outputs: Tensor of one element and the rank of `y_grad`, float32.
    Raises ValueError: the shapes differ.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.ActULQClampMinGrad()
    >>> print(grad(ms.Tensor([1.0, 2.0]), ms.Tensor([True, False]), ms.Tensor([0.25, 0.0])))
    [1.75]
    """
    return _end_gradient("ActULQClampMinGrad", y_grad, clamp_min_mask, x_clamped_loss, -1)


@primitive(
    "ActULQClampMaxGrad",
    samples=("f(2, 3), b(2, 3), f(2, 3)", "f(3), i(3) // 2, f(3)"),
    errors=(("f(2, 3), b(3), f(2, 3)", ValueError, "shape"),),
    differentiable=False,
)
def _act_ulq_clamp_max_grad(
    y_grad: Tensor, clamp_max_mask: Tensor, x_clamped_loss: Tensor
) -> Tensor:
    r"""The gradient of the upper end of :class:`ActsULQ`: :math:`\sum dy (1 - mask + loss)`.

    Inputs:
        - **y_grad** (Tensor) - the gradient of the activations.
        - **clamp_max_mask** (Tensor) - where they are at most the upper end.
        - **x_clamped_loss** (Tensor) - the loss that :class:`ActsULQ` returns.

    Outputs: Tensor of one element and the rank of `y_grad`, float32.
    Raises ValueError: the shapes differ.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.ActULQClampMaxGrad()
    >>> print(grad(ms.Tensor([1.0, 2.0]), ms.Tensor([True, False]), ms.Tensor([0.25, 0.0])))
    [2.25]
    """
    return _end_gradient("ActULQClampMaxGrad", y_grad, clamp_max_mask, x_clamped_loss, 1)


@primitive(
    "WtsARQ",
    samples=(
        "f(2, 3), -p(1, 1), p(1, 1), num_bits=8, offset_flag=True",
        "f(2, 3), -p(2, 1), p(2, 1), num_bits=8, offset_flag=False",
    ),
    errors=(
        ("f(2, 3), f(1), f(1), num_bits=8, offset_flag=True", ValueError, "w_min"),
        ("f(3), f(1), f(1), num_bits=4, offset_flag=True", ValueError, "num_bits"),
    ),
    differentiable=False,  # the gradient passes as if nothing were rounded
    setup=_check_eight_bits,
)
def _wts_arq(
    w: Tensor, w_min: Tensor, w_max: Tensor, *, num_bits: int, offset_flag: bool
) -> Tensor:
    r"""Weights rounded to codes from -128 to 127 of their range.

    .. math::
        y = s \left( clip(\lfloor w / s \rceil + o, -128, 127) - o \right)

    With `offset_flag`, :math:`s = (max - min) / 255` and
    :math:`o = -128 - \lfloor min / s \rceil`; without, :math:`s = \max(max / 127, -min / 128)` and
    o is 0. The range contains zero. The gradient of w passes everywhere.

    Attributes:
        num_bits (int): must be 8.
        offset_flag (bool): whether codes have an offset.

    Inputs:
        - **w** (Tensor) - the weights.
        - **w_min**, **w_max** (Tensor) - the range, of the rank of w, broadcast with it.

    Outputs: Tensor of the shape and type of `w`.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: `num_bits` or a shape does not fit.
    Difference from PyTorch: ``torch.fake_quantize_per_tensor_affine`` takes scale and zero point.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> quant = ms.ops.operations.WtsARQ(num_bits=8, offset_flag=False)
    >>> print(quant(ms.Tensor([0.4, 2.6, -300.0]), ms.Tensor([-128.0]), ms.Tensor([127.0])))
    [   0.    3. -128.]
    """
    for name, value in (("w_min", w_min), ("w_max", w_max)):
        if value.ndim != w.ndim:
            raise ValueError(
                f"For 'WtsARQ', '{name}' must have the rank of 'w', {w.ndim}, but got shape "
                f"{list(value.shape)}."
            )
    least, most = w_min.detach().clamp(max=0), w_max.detach().clamp(min=0)
    if offset_flag:
        step = (most - least) / _STEPS
    else:
        step = torch.maximum(most / 127, -least / 128)
    step = torch.where(step < _LEAST_STEP, torch.ones_like(step), step)
    offset = -128 - (least / step).round() if offset_flag else torch.zeros_like(step)
    codes = ((w.detach() / step).round() + offset).clamp(-128, 127)
    return _with_gradient((codes - offset) * step, (torch.ones_like(w), w)).to(w.dtype)


# ------------------------------------------------- normalisation folded into a convolution


def _frozen(step: Tensor, freeze_bn: int, training: bool = True) -> Tensor:
    """Whether the running statistics are used, as a 0-d tensor."""
    return step.reshape(-1)[0] >= (freeze_bn if training else torch.iinfo(torch.int32).min)


def _check_fold(made: Primitive) -> None:
    _check_flags(made)
    integer(made.name, "freeze_bn", made.freeze_bn)
    if "momentum" in made.attrs:
        between(made.name, "momentum", made.momentum, 0, 1)
    if "epsilon" in made.attrs and not (isinstance(made.epsilon, float) and made.epsilon > 0):
        raise ValueError(
            f"For '{made.name}', the 'epsilon' must be float and must > 0, but got "
            f"'{made.epsilon}'."
        )


@primitive(
    "BatchNormFold",
    constants={"channel_axis": 1},
    samples=(
        "f(4, 3), f(3), p(3), torch.tensor([0]), freeze_bn=9",
        "f(4, 3, 2), f(3), p(3), torch.tensor([9]), freeze_bn=9",
        "f(4, 3, 2, 2), f(3), p(3), torch.tensor([0]), is_training=False",
    ),
    errors=(
        ("f(4, 2), f(3), p(3), torch.tensor([0])", ValueError, "mean"),
        ("f(4, 3), f(3), p(3), torch.tensor([0]), epsilon=0.0", ValueError, "epsilon"),
    ),
    differentiable=False,  # the running statistics are state
    setup=_check_fold,
)
def _batch_norm_fold(
    x: Tensor,
    mean: Tensor,
    variance: Tensor,
    global_step: Tensor,
    *,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    is_training: bool = True,
    freeze_bn: int = 0,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    r"""Means and deviations of a batch's channels, and the running ones.

    In training, before the step `freeze_bn`, they are :math:`E[x]`, :math:`\sqrt{Var[x] +
    \epsilon}`, `mean` and :math:`\sqrt{variance + \epsilon}`, and then `mean` and `variance` become
    :math:`m \cdot mean + (1 - m) E[x]` and the same of the unbiased variance. Otherwise the first
    two are 0 and 1, and nothing changes.

    Attributes:
        momentum (float): m, from 0 to 1. Default: 0.9.
        epsilon (float): added to the variance, above 0. Default: 1e-5.
        is_training (bool): whether the statistics of the batch count. Default: True.
        freeze_bn (int): the step from which they do not. Default: 0.

    Inputs:
        - **x** (Tensor) - shape (N, C, ...).
        - **mean**, **variance** (Parameter) - the running statistics, shape (C,).
        - **global_step** (Tensor) - the number of the step; the first element counts.

    Outputs: Tuple of the batch's means and deviations and the running means and deviations, (C,)
        each.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: an attribute or a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> fold = ms.ops.operations.BatchNormFold(epsilon=1e-9, freeze_bn=10)
    >>> mean, variance = (ms.Parameter(ms.ops.ones(1), name=n) for n in ("mean", "variance"))
    >>> out = fold(ms.Tensor([[1.0], [5.0]]), mean, variance, ms.Tensor([0], ms.int32))
    >>> print(*out, mean.value(), variance.value())
    [3.] [2.] [1.] [1.] [1.2] [1.7]
    """
    who = "BatchNormFold"
    _of_channels(who, "mean", mean, x, 1)
    _of_channels(who, "variance", variance, x, 1)
    axes = [0, *range(2, x.ndim)]
    frozen = _frozen(global_step, freeze_bn, is_training).to(x.device)
    batch_mean, batch_variance = x.mean(axes), x.var(axes, correction=0)
    batch_std = (batch_variance + epsilon).sqrt()
    old_mean, old_variance = mean.detach().clone(), variance.detach().clone()
    if is_training and not thread.recomputing:
        count = x.numel() // x.shape[1]
        unbiased = batch_variance.detach() * (count / max(count - 1, 1))
        with torch.no_grad():
            for target, now in ((mean, batch_mean.detach()), (variance, unbiased)):
                mixed = momentum * target + (1 - momentum) * now
                target.data.copy_(torch.where(frozen, target, mixed.to(target.dtype)))
        runtime.weights += 1
    return (
        torch.where(frozen, torch.zeros_like(batch_mean), batch_mean),
        torch.where(frozen, torch.ones_like(batch_std), batch_std),
        old_mean,
        (old_variance + epsilon).sqrt(),
    )


@primitive(
    "BatchNormFoldGrad",
    constants={"channel_axis": 1},
    samples=(
        "f(3), f(3), f(4, 3), f(3), p(3), torch.tensor([0]), freeze_bn=9",
        "f(3), f(3), f(4, 3, 2), f(3), p(3), torch.tensor([9]), freeze_bn=9",
    ),
    errors=(("f(3), f(3), f(4, 2), f(3), p(3), torch.tensor([0])", ValueError, "d_batch_mean"),),
    differentiable=False,
    setup=_check_fold,
)
def _batch_norm_fold_grad(
    d_batch_mean: Tensor,
    d_batch_std: Tensor,
    x: Tensor,
    batch_mean: Tensor,
    batch_std: Tensor,
    global_step: Tensor,
    *,
    epsilon: float = 1e-5,
    is_training: bool = True,
    freeze_bn: int = 0,
) -> Tensor:
    r"""The gradient of :class:`BatchNormFold`.

    .. math::
        dx = \frac1n \left( d_{mean} + d_{std} \frac{x - mean}{std} \right)

    where n is the number of elements of a channel; 0 where the running statistics are used.

    Attributes:
        epsilon (float), is_training (bool), freeze_bn (int): as there.

    Inputs:
        - **d_batch_mean**, **d_batch_std** (Tensor) - the gradients, shape (C,).
        - **x** (Tensor) - shape (N, C, ...).
        - **batch_mean**, **batch_std** (Tensor) - the statistics, shape (C,).
        - **global_step** (Tensor) - the number of the step.

    Outputs: Tensor of the shape of `x`.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.BatchNormFoldGrad(freeze_bn=10)
    >>> one, step = ms.ops.ones(1), ms.Tensor([0], ms.int32)
    >>> print(grad(one, one, ms.Tensor([[1.0], [5.0]]), 3 * one, 2 * one, step))
    [[0.]
     [1.]]
    """
    who = "BatchNormFoldGrad"
    d_mean, d_std, mean, std = (
        _of_channels(who, name, value, x, 1)
        for name, value in (
            ("d_batch_mean", d_batch_mean),
            ("d_batch_std", d_batch_std),
            ("batch_mean", batch_mean),
            ("batch_std", batch_std),
        )
    )
    count = x.numel() // x.shape[1]
    dx = (d_mean + d_std * (x - mean) / std) / count
    frozen = _frozen(global_step, freeze_bn, is_training).to(x.device)
    return torch.where(frozen, torch.zeros_like(dx), dx)


@primitive(
    "BatchNormFold2",
    constants={"channel_axis": 1},
    samples=(
        "f(4, 3), f(3), f(3), p(3), f(3), p(3), f(3), torch.tensor([0]), freeze_bn=9",
        "f(4, 3, 2), f(3), f(3), p(3), f(3), p(3), f(3), torch.tensor([9]), freeze_bn=9",
    ),
    errors=(
        ("f(4, 2), f(3), f(3), p(3), f(3), p(3), f(3), torch.tensor([0])", ValueError, "beta"),
    ),
    differentiable=False,  # running statistics have none
    setup=_check_fold,
)
def _batch_norm_fold2(
    x: Tensor,
    beta: Tensor,
    gamma: Tensor,
    batch_std: Tensor,
    batch_mean: Tensor,
    running_std: Tensor,
    running_mean: Tensor,
    global_step: Tensor,
    *,
    freeze_bn: int = 0,
) -> Tensor:
    r"""The bias of a folded normalisation added, and the output scaled back to the batch.

    .. math::
        y = x \frac{\sigma_{run}}{\sigma} + \beta - \gamma \frac{\mu}{\sigma}

    and from the step `freeze_bn` on :math:`y = x + \beta - \gamma \mu_{run} / \sigma_{run}`.
    Running statistics have no gradient.

    Attributes:
        freeze_bn (int): the step from which the running statistics are used. Default: 0.

    Inputs:
        - **x** (Tensor) - shape (N, C, ...).
        - **beta**, **gamma**, **batch_std**, **batch_mean**, **running_std**, **running_mean**
          (Tensor) - shape (C,).
        - **global_step** (Tensor) - the number of the step; the first element counts.

    Outputs: Tensor of the shape of `x`.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> fold = ms.ops.operations.BatchNormFold2(freeze_bn=10)
    >>> one, step = ms.ops.ones(1), ms.Tensor([0], ms.int32)
    >>> print(fold(ms.Tensor([[3.0]]), one, one, 2 * one, one, 4 * one, one, step))
    [[6.5]]
    """
    who = "BatchNormFold2"
    bias, scale, std, mean, long_std, long_mean = (
        _of_channels(who, name, value, x, 1)
        for name, value in (
            ("beta", beta),
            ("gamma", gamma),
            ("batch_std", batch_std),
            ("batch_mean", batch_mean),
            ("running_std", running_std.detach()),
            ("running_mean", running_mean.detach()),
        )
    )
    now = x * (long_std / std) + bias - scale * mean / std
    later = x + bias - scale * long_mean / long_std
    return torch.where(_frozen(global_step, freeze_bn).to(x.device), later, now)


@primitive(
    "BatchNormFold2Grad",
    constants={"channel_axis": 1},
    samples=(
        "f(4, 3), f(4, 3), f(3), p(3), f(3), p(3), f(3), torch.tensor([0]), freeze_bn=9",
        "f(4, 3, 2), f(4, 3, 2), f(3), p(3), f(3), p(3), f(3), torch.tensor([9]), freeze_bn=9",
    ),
    errors=(
        ("f(4, 3), f(4), f(3), p(3), f(3), p(3), f(3), torch.tensor([0])", ValueError, "shape"),
    ),
    differentiable=False,
    setup=_check_fold,
)
def _batch_norm_fold2_grad(
    dout: Tensor,
    x: Tensor,
    gamma: Tensor,
    batch_std: Tensor,
    batch_mean: Tensor,
    running_std: Tensor,
    running_mean: Tensor,
    global_step: Tensor,
    *,
    freeze_bn: int = 0,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The gradients of :class:`BatchNormFold2`.

    Attributes:
        freeze_bn (int): as there.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the input, shape (N, C, ...).
        - the others as there, without `beta`.

    Outputs: Tuple of the gradients of `batch_std`, `batch_mean`, `beta`, `gamma` and `x`.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.BatchNormFold2Grad(freeze_bn=10)
    >>> one, step, x = ms.ops.ones(1), ms.Tensor([0], ms.int32), ms.Tensor([[3.0]])
    >>> for value in grad(ms.Tensor([[1.0]]), x, one, 2 * one, one, 4 * one, one, step):
    ...     print(value)
    [-2.75]
    [-0.5]
    [1.]
    [-0.5]
    [[2.]]
    """
    who = "BatchNormFold2Grad"
    _same_shape(who, "dout", dout, "x", x)
    for name, value in (
        ("gamma", gamma),
        ("batch_std", batch_std),
        ("batch_mean", batch_mean),
        ("running_std", running_std),
        ("running_mean", running_mean),
    ):
        _of_channels(who, name, value, x, 1)
    axes = [0, *range(2, x.ndim)]
    total, weighted = dout.sum(axes), (dout * x).sum(axes)
    frozen = _frozen(global_step, freeze_bn).to(x.device)
    nothing = torch.zeros_like(total)
    d_std = (total * batch_mean * gamma - weighted * running_std) / (batch_std * batch_std)
    d_mean = -total * gamma / batch_std
    d_gamma = torch.where(frozen, running_mean / running_std, batch_mean / batch_std) * -total
    ratio = torch.where(frozen, torch.ones_like(batch_std), running_std / batch_std)
    return (
        torch.where(frozen, nothing, d_std),
        torch.where(frozen, nothing, d_mean),
        total,
        d_gamma,
        dout * _of_channels(who, "batch_std", ratio, x, 1),
    )


def _check_axis(made: Primitive) -> None:
    integer(made.name, "channel_axis", made.channel_axis, 0)


@primitive(
    "CorrectionMul",
    samples=("f(3, 2), p(3), p(3)", "f(2, 3, 2), p(3), p(3), channel_axis=1"),
    errors=(("f(2, 3), p(3), p(3)", ValueError, "batch_std"),),
    differentiable=False,  # running statistics have none
    setup=_check_axis,
)
def _correction_mul(
    x: Tensor, batch_std: Tensor, running_std: Tensor, *, channel_axis: int = 0
) -> Tensor:
    r"""Weights scaled to the running statistics: :math:`y = x \sigma / \sigma_{run}`.

    Attributes:
        channel_axis (int): the axis of the channels. Default: 0.

    Inputs:
        - **x** (Tensor) - the weights.
        - **batch_std**, **running_std** (Tensor) - the deviations, shape (C,). The running one
          has no gradient.

    Outputs: Tensor of the shape of `x`.
    Raises ValueError: `channel_axis` or a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> scale = ms.ops.operations.CorrectionMul()
    >>> print(scale(ms.Tensor([[1.0, 2.0]]), ms.Tensor([3.0]), ms.Tensor([2.0])))
    [[1.5 3. ]]
    """
    who = "CorrectionMul"
    std = _of_channels(who, "batch_std", batch_std, x, channel_axis)
    return x * (std / _of_channels(who, "running_std", running_std.detach(), x, channel_axis))


@primitive(
    "CorrectionMulGrad",
    samples=("f(3, 2), f(3, 2), p(3), p(3)", "f(2, 3), f(2, 3), p(3), p(3), channel_axis=1"),
    errors=(("f(3, 2), f(3), p(3), p(3)", ValueError, "shape"),),
    differentiable=False,
    setup=_check_axis,
)
def _correction_mul_grad(
    dout: Tensor, x: Tensor, gamma: Tensor, running_std: Tensor, *, channel_axis: int = 0
) -> tuple[Tensor, Tensor]:
    """The gradients of :class:`CorrectionMul`.

    Attributes:
        channel_axis (int): the axis of the channels. Default: 0.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the weights, of one shape.
        - **gamma**, **running_std** (Tensor) - what x was multiplied and divided by, shape (C,).

    Outputs: Tuple of the gradients of `x` and `gamma`.
    Raises ValueError: `channel_axis` or a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel. On Ascend the second result is not
        yet summed, which :class:`CorrectionMulGradReduce` does there.

    >>> grad = ms.ops.operations.CorrectionMulGrad()
    >>> dout, x = ms.Tensor([[1.0, 1.0]]), ms.Tensor([[1.0, 2.0]])
    >>> for value in grad(dout, x, ms.Tensor([3.0]), ms.Tensor([2.0])):
    ...     print(value)
    [[1.5 1.5]]
    [1.5]
    """
    who = "CorrectionMulGrad"
    _same_shape(who, "dout", dout, "x", x)
    scale = _of_channels(who, "gamma", gamma, x, channel_axis)
    std = _of_channels(who, "running_std", running_std, x, channel_axis)
    return dout * (scale / std), (dout * x / std).sum_to_size(std.shape).reshape(gamma.shape)


@primitive(
    "CorrectionMulGradReduce",
    samples=("f(3, 2)", "f(2, 3, 2), channel_axis=1", "f(3)"),
    errors=(("f(3), channel_axis=1", ValueError, "channel_axis"),),
    setup=_check_axis,
)
def _correction_mul_grad_reduce(mul_dx: Tensor, *, channel_axis: int = 0) -> Tensor:
    """Sums over all axes but that of the channels.

    Attributes:
        channel_axis (int): the axis that stays. Default: 0.

    Inputs:
        - **mul_dx** (Tensor) - any shape.

    Outputs: Tensor of shape (C,).
    Raises ValueError: `channel_axis` is out of range.
    Difference from PyTorch: ``torch.sum`` over several axes.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> print(ms.ops.operations.CorrectionMulGradReduce()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]])))
    [3. 7.]
    """
    return _sum_of_channels("CorrectionMulGradReduce", "mul_dx", mul_dx, channel_axis)


def _sum_of_channels(who: str, name: str, value: Tensor, axis: int) -> Tensor:
    if axis >= value.ndim:
        raise ValueError(
            f"For '{who}', 'channel_axis' must be less than the rank of '{name}', {value.ndim}, "
            f"but got {axis}."
        )
    others = [i for i in range(value.ndim) if i != axis]
    return value.sum(others) if others else value.clone()


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
    setup=_check_flags,
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
    who = "FakeLearnedScaleQuantPerLayerGradD"
    _same_shape(who, "dout", dout, "x", x)
    scale, codes = _of_layer(who, "alpha", alpha), _of_layer(who, "quant_max", quant_max)
    _, within, factor = _learned(x, scale, codes, neg_trunc)
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
    setup=_check_flags,
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
    who = "FakeLearnedScaleQuantPerChannelGradD"
    _same_shape(who, "dout", dout, "x", x)
    scale = _of_channels(who, "alpha", alpha, x, channel_axis)
    _, within, factor = _learned(x, scale, _of_layer(who, "quant_max", quant_max), neg_trunc)
    return torch.where(within, dout, torch.zeros_like(dout)), (dout * factor).to(dout.dtype)


@primitive(
    "FakeLearnedScaleQuantPerChannelGradDReduce",
    samples=("f(2, 3)", "f(2, 3, 2), channel_axis=0"),
    errors=(("f(2)", ValueError, "channel_axis"),),
    setup=_check_axis,
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
    return _sum_of_channels(
        "FakeLearnedScaleQuantPerChannelGradDReduce", "dout_alpha", dout_alpha, channel_axis
    )


_FOLD_SHOWN = "<momentum=0.9, epsilon=1e-05, is_training=True, freeze_bn=0>"


@primitive(
    "BatchNormFoldD",
    samples=("f(4, 3), f(3), f(3) ** 2 + 9, f(3), p(3)",),
    errors=(("f(4, 2), f(3), p(3), f(3), p(3)", ValueError, "x_sum"),),
    differentiable=False,
    setup=_check_fold,
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
        _of_channels("BatchNormFoldD", name, value, x, 1)
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
    setup=_check_fold,
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
        _of_channels("BatchNormFoldGradD", name, value, x, 1)
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
    setup=_check_fold,
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
        _of_channels("BatchNormFold2D", name, value, x, 1)
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
    _same_shape("BatchNormFold2GradReduce", "dout", dout, "x", x)
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
    long_std = _of_channels("BatchNormFold2GradD", "running_std", running_std, dout, 1)
    std = _of_channels("BatchNormFold2GradD", "batch_std", batch_std, dout, 1)
    d_std = dout_reduce * batch_mean * gamma - dout_x_reduce * running_std
    return (
        d_std / (batch_std * batch_std),
        -dout_reduce * gamma / batch_std,
        -dout_reduce * batch_mean / batch_std,
        dout * (long_std / std),
    )


# --------------------------------------------------------------------- a note in a network


class FakeQuantParam(Primitive):
    """Passes a tensor on; its attributes say how the tensor is quantised.

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
        """The note of linear quantisation with scales and zero points.

        Args:
            quant_dtype (QuantDtype): the type of the codes.
            scale (Union[float, tuple, list]): the size of a step, or of every channel's.
            zp (Union[int, tuple, list]): the code of zero, or of every channel's.
            is_per_channel (bool): whether every channel has its own. Default: False.
            **kwargs: further attributes.

        Raises:
            TypeError: an argument is of another type.

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
