"""numpy's pad."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# the implementation works on the engine's tensors, as those of the operators do
import torch

from agar._core.tensor import Tensor as AgarTensor
from agar.numpy._declare import Tensor, array, binding_of, home, publish
from agar.numpy._functional import apply_along_axis
from agar.ops._checks import choice, integer

_create = home("array_creations")

_Pairs = list[tuple[Any, Any]]


def _pairs(name: str, value: Any, rank: int) -> _Pairs:
    """Two numbers for each dimension, from what broadcasts to that.

    Raises:
        TypeError: it has no numbers.
        ValueError: it does not broadcast.
    """
    if isinstance(value, (bool, int, float)):
        return [(value, value)] * rank
    if not isinstance(value, (list, tuple)):
        raise TypeError(
            f"For 'numpy.pad', '{name}' must be a number, a Tensor, a list or a tuple, but got "
            f"'{type(value).__name__}'."
        )
    rows = [tuple(row) if isinstance(row, (list, tuple)) else row for row in value]
    if len(rows) == 1 and not isinstance(rows[0], tuple):
        return [(rows[0], rows[0])] * rank
    if len(rows) == 2 and not any(isinstance(row, tuple) for row in rows):
        return [(rows[0], rows[1])] * rank
    if all(isinstance(row, tuple) and len(row) == 2 for row in rows):
        if len(rows) == 1:
            return [(rows[0][0], rows[0][1])] * rank
        if len(rows) == rank:
            return [(row[0], row[1]) for row in rows]
    raise ValueError(
        f"For 'numpy.pad', '{name}' must have two numbers for each of {rank} dimensions, or "
        f"broadcast to that, but got {value!r}."
    )


def _with_size(x: Tensor, axis: int, size: int) -> list[int]:
    return [size if k == axis else n for k, n in enumerate(x.shape)]


def _mean(x: Tensor, axis: int) -> Tensor:
    if x.is_floating_point() or x.is_complex():
        return x.mean(axis, keepdim=True)
    return torch.div(x.sum(axis, keepdim=True), x.shape[axis], rounding_mode="trunc").to(x.dtype)


def _median(x: Tensor, axis: int) -> Tensor:
    real = x if x.is_floating_point() else x.to(torch.float32)
    return torch.quantile(real, 0.5, axis, keepdim=True).to(x.dtype)


_STATISTICS: dict[str, Callable[[Tensor, int], Tensor]] = {
    "maximum": lambda x, axis: torch.amax(x, axis, keepdim=True),
    "minimum": lambda x, axis: torch.amin(x, axis, keepdim=True),
    "mean": _mean,
    "median": _median,
}


def _joined(before: Tensor, x: Tensor, after: Tensor, axis: int) -> Tensor:
    return torch.cat([before, x, after], axis)


def _constant(x: Tensor, axis: int, width: tuple[int, int], values: tuple[Any, Any]) -> Tensor:
    sides = [
        torch.full(_with_size(x, axis, n), value, device=x.device).to(x.dtype)
        for n, value in zip(width, values, strict=True)
    ]
    return _joined(sides[0], x, sides[1], axis)


def _statistic(
    x: Tensor, axis: int, width: tuple[int, int], lengths: tuple[int, int], compute: Any
) -> Tensor:
    size = x.shape[axis]
    first, last = (min(n, size) for n in lengths)
    before = compute(x.narrow(axis, 0, first), axis).expand(_with_size(x, axis, width[0]))
    after = compute(x.narrow(axis, size - last, last), axis).expand(_with_size(x, axis, width[1]))
    return _joined(before, x, after, axis)


def _ramp(x: Tensor, axis: int, width: tuple[int, int], ends: tuple[Any, Any]) -> Tensor:
    sides = []
    for n, end, edge in (
        (width[0], ends[0], x.narrow(axis, 0, 1)),
        (width[1], ends[1], x.narrow(axis, x.shape[axis] - 1, 1)),
    ):
        shape = [1] * x.ndim
        shape[axis] = n
        real = edge if x.is_floating_point() else edge.to(torch.float32)
        part = torch.arange(n, dtype=real.dtype, device=x.device).reshape(shape) / max(n, 1)
        sides.append((end + part * (real - end)).to(x.dtype))
    return _joined(sides[0], x, sides[1].flip(axis), axis)


def _cyclic(size: int, width: tuple[int, int], device: torch.device) -> Tensor:
    places = torch.arange(-width[0], size + width[1], device=device)
    return places.remainder(size)


def _mirrored(size: int, width: tuple[int, int], repeat: bool, device: torch.device) -> Any:
    """Where each element of the result comes from, and how many mirrors lie between."""
    period = size if repeat else max(size - 1, 1)
    places = torch.arange(-width[0], size + width[1], device=device)
    turns = torch.div(places, period, rounding_mode="floor")
    inside = places.remainder(period)
    back = period - 1 - inside if repeat else period - inside
    return torch.where(turns.remainder(2) == 0, inside, back).clamp(max=size - 1), turns


def _reflected(x: Tensor, axis: int, width: tuple[int, int], repeat: bool, odd: bool) -> Tensor:
    size = x.shape[axis]
    places, turns = _mirrored(size, width, repeat, x.device)
    result = x.index_select(axis, places)
    if not odd:
        return result
    # each mirror turns the numbers over at the edge, which itself has moved by the mirrors before
    shape = [1] * x.ndim
    shape[axis] = -1
    first, last = x.narrow(axis, 0, 1), x.narrow(axis, size - 1, 1)
    turns = turns.reshape(shape)
    step = (last - first) * turns.to(x.dtype)
    flipped = first + last - result
    return torch.where(turns.remainder(2) == 0, result, flipped) + step


_MODES = (
    "constant",
    "maximum",
    "minimum",
    "mean",
    "median",
    "edge",
    "wrap",
    "linear_ramp",
    "symmetric",
    "reflect",
    "empty",
)


@_create(
    "pad",
    samples=(
        "f(3), 1",
        "f(2, 2), ((1, 0), (0, 2)), constant_values=7",
        "f(2, 3), (2, 1), 'edge'",
        "f(3), (2, 4), 'wrap'",
        "f(3), (5, 4), 'reflect'",
        "f(3), (2, 1), 'reflect', reflect_type='odd'",
        "f(3), (7, 5), 'symmetric'",
        "f(3), (5, 4), 'symmetric', reflect_type='odd'",
        "f(2, 3), (2, 1), 'linear_ramp', end_values=5",
        "f(2, 3), (2, 1), 'maximum'",
        "f(4), (2, 1), 'minimum', stat_length=2",
        "f(4), (2, 1), 'mean', ((2, 3),)",
        "f(4), 1, 'median'",
        "f(4), 1, 'empty'",
    ),
    errors=(
        ("f(3), 1, 'foo'", ValueError, "numpy.pad"),
        ("f(3), 'a'", TypeError, "pad_width"),
        ("f(3), ((1, 2), (3, 4))", ValueError, "pad_width"),
        ("f(3), -1", ValueError, "pad_width"),
        ("f(3), 1.5", TypeError, "pad_width"),
        ("'a', 1", TypeError, "numpy.pad"),
    ),
    reference="np.pad(arr, pad_width, 'constant' if mode == 'empty' else mode, **{"
    "'constant': dict(constant_values=constant_values), 'linear_ramp': dict(end_values=end_values),"
    "'reflect': dict(reflect_type=reflect_type), 'symmetric': dict(reflect_type=reflect_type),"
    "'edge': {}, 'wrap': {}, 'empty': {}}.get(mode, dict(stat_length=stat_length)))",
)
def _pad(
    arr: Tensor | Any,
    pad_width: Any,
    mode: Any = "constant",
    stat_length: Any = None,
    constant_values: Any = 0,
    end_values: Any = 0,
    reflect_type: str = "even",
) -> Tensor:
    """Put further elements around a tensor.

    Args:
        arr (Union[Tensor, list, tuple]): the input.
        pad_width (Union[int, Tensor, list, tuple]): how many elements before and behind, for each
            dimension, or what broadcasts to that.
        mode (Union[str, Callable]): ``"constant"``, ``"edge"`` (the nearest element), ``"wrap"``
            (the other end), ``"reflect"`` (mirrored at the edge), ``"symmetric"`` (mirrored with
            the edge), ``"linear_ramp"`` (down to `end_values`), ``"maximum"``, ``"minimum"``,
            ``"mean"``, ``"median"``, ``"empty"`` (zeros), or a function that is called with each
            padded line, its widths, the axis and `kwargs` and returns the line. Default:
            ``"constant"``.
        stat_length (Union[None, int, Tensor, list, tuple]): over how many elements from each edge
            the statistic is taken. Default None: all.
        constant_values (Union[number, Tensor, list, tuple]): the constants. Default: 0.
        end_values (Union[number, Tensor, list, tuple]): the ends of ramps. Default: 0.
        reflect_type (str): ``"even"``, or ``"odd"`` for a mirror that also turns numbers over at
            the edge. Default: ``"even"``.
        kwargs: further arguments of the function.

    Returns:
        Tensor of the input's type.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `mode` is another word, or a width is negative or does not broadcast.

    Difference from PyTorch: widths come from the first dimension on, with numpy's modes. MindSpore
    has no ``"median"``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.pad(mnp.array([1, 2, 3]), (2, 1), "reflect"))
        [3 2 1 2 3 2]
    """
    x = array("pad", "arr", arr)
    if x.ndim == 0:
        return x
    widths = _pairs("pad_width", pad_width, x.ndim)
    for pair in widths:
        for n in pair:
            integer("numpy.pad", "pad_width", n, 0)
    choice("numpy.pad", "mode", mode, _MODES)
    constants = _pairs("constant_values", constant_values, x.ndim)
    ends = _pairs("end_values", end_values, x.ndim)
    odd = choice("numpy.pad", "reflect_type", reflect_type, ("even", "odd")) == "odd"
    lengths = [(n, n) for n in x.shape]
    if stat_length is not None:
        lengths = _pairs("stat_length", stat_length, x.ndim)
    for axis, width in enumerate(widths):
        if width == (0, 0):
            continue
        if mode in ("constant", "empty"):
            values = constants[axis] if mode == "constant" else (0, 0)
            x = _constant(x, axis, width, values)
        elif mode in _STATISTICS:
            x = _statistic(x, axis, width, lengths[axis], _STATISTICS[mode])
        elif mode == "edge":
            x = _statistic(x, axis, width, (1, 1), lambda part, _: part)
        elif mode == "wrap":
            x = x.index_select(axis, _cyclic(x.shape[axis], width, x.device))
        elif mode == "linear_ramp":
            x = _ramp(x, axis, width, ends[axis])
        else:
            x = _reflected(x, axis, width, mode == "symmetric", odd)
    return x


def pad(
    arr: Any,
    pad_width: Any,
    mode: Any = "constant",
    stat_length: Any = None,
    constant_values: Any = 0,
    end_values: Any = 0,
    reflect_type: str = "even",
    **kwargs: Any,
) -> AgarTensor:
    words = binding_of("pad")
    if not callable(mode):
        if kwargs:
            raise TypeError(
                f"numpy.pad() got an unexpected keyword argument '{next(iter(kwargs))}'"
            )
        return words(arr, pad_width, mode, stat_length, constant_values, end_values, reflect_type)
    result = words(arr, pad_width, "empty")
    if isinstance(pad_width, AgarTensor):
        pad_width = pad_width.tolist()
    for axis, width in enumerate(_pairs("pad_width", pad_width, result.ndim)):
        result = apply_along_axis(mode, axis, result, width, axis, kwargs)
    return result


pad.__doc__ = _pad.__doc__
publish("pad", pad, "array_creations")
