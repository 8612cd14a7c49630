"""Differences of neighbors, slopes, integrals and interpolation."""

from __future__ import annotations

import math
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar._core.errors import describe, missing_feature
from agar._core.tensor import Tensor as AgarTensor
from agar.numpy._declare import (
    Tensor,
    array,
    axis_of,
    floating,
    home,
    not_empty,
    to_common,
)
from agar.numpy._histograms import searched
from agar.ops._checks import integer, number

_math = home("math_ops")


@_math(
    "interp",
    samples=(
        "f(4), torch.tensor([-1.0, 0, 2]), torch.tensor([3.0, 1, 4])",
        "f(4) * 3, torch.tensor([-1.0, 0, 2]), torch.tensor([3.0, 1, 4]), -1, 9.0",
        "2.5, [1, 2, 3], [3, 2, 0]",
    ),
    errors=(
        ("f(2), f(3), f(2)", ValueError, "numpy.interp"),
        ("f(2), f(2, 2), f(2, 2)", ValueError, "numpy.interp"),
        ("'a', [1], [1]", TypeError, "numpy.interp"),
    ),
    reference="np.interp(x, xp, fp, left, right)",
    differentiable=False,
)
def _interp(
    x: Tensor | Any, xp: Tensor | Any, fp: Tensor | Any, left: Any = None, right: Any = None
) -> Tensor:
    """Interpolate linearly between given points.

    Args:
        x (Union[Tensor, number, list, tuple]): where to evaluate, of any shape.
        xp (Union[Tensor, list, tuple]): the ascending abscissas of the points, in one dimension.
        fp (Union[Tensor, list, tuple]): their ordinates.
        left (float): the value in front of the first point. Default None: that of the point.
        right (float): the value behind the last point. Default None: that of the point.

    Returns: Tensor of float32, float64 for float64 `x`, of the shape of `x`.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `xp` or `fp` has not one dimension, or their sizes differ.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.interp([0.0, 1.0, 1.5, 3.14], [1.0, 2.0, 3.0], [3.0, 2.0, 0.0]))
    [3.  3.  2.5 0. ]
    """
    at, known, values = (
        array("interp", name, value) for name, value in (("x", x), ("xp", xp), ("fp", fp))
    )
    if known.ndim != 1 or values.ndim != 1:
        raise ValueError("For 'numpy.interp', 'xp' and 'fp' must have one dimension.")
    if known.numel() != values.numel():
        raise ValueError(
            f"For 'numpy.interp', 'fp' must have as many elements as 'xp', but got "
            f"{values.numel()} and {known.numel()}."
        )
    not_empty("interp", known, (0,))
    kind = torch.float64 if at.dtype is torch.float64 else torch.float32
    at, known, values = at.to(kind), known.to(kind), values.to(kind)
    after = searched(known, at, False).clamp(0, known.numel() - 1)
    before = (after - 1).clamp(min=0)
    x0, x1, y0, y1 = known[before], known[after], values[before], values[after]
    width = torch.where(x0 == x1, 1, x1 - x0)  # a point on the first one has no width
    result = torch.where(x0 == x1, y0, y0 + (y1 - y0) * ((at - x0) / width))
    low = values[0] if left is None else torch.full_like(at, float(left))
    high = values[-1] if right is None else torch.full_like(at, float(right))
    result = torch.where(at < known[0], low, result)
    return torch.where(at > known[-1], high, result)


def _beside(op_name: str, name: str, value: Any, x: Tensor, axis: int) -> Tensor:
    """What is put in front of or behind a tensor: one slice along the axis."""
    if not isinstance(value, (bool, int, float, Tensor)):
        raise TypeError(
            f"For 'numpy.{op_name}', '{name}' must be a Tensor or a number, but got "
            f"'{type(value).__name__}'."
        )
    shape = list(x.shape)
    shape[axis] = 1
    return array(op_name, name, value).expand(shape)


@_math(
    "diff",
    samples=(
        "f(5)",
        "f(5), 2",
        "f(2, 3), 1, 0",
        "i(5)",
        "f(3), 1, -1, 0.5, f(1)",
        "f(3), 0",
    ),
    errors=(
        ("f(3), 3", ValueError, "numpy.diff"),
        ("f(3), -1", ValueError, "numpy.diff"),
        ("f(3), 1.0", TypeError, "numpy.diff"),
        ("f(3), 1, 1", ValueError, "axis"),
        ("[1, 3]", TypeError, "numpy.diff"),
        ("f(3), prepend='a'", TypeError, "prepend"),
    ),
    reference="np.diff(a, n, axis, **{k: v for k, v in (('prepend', prepend), ('append', append)) "
    "if v is not None})",
)
def _diff(
    a: Tensor, n: int = 1, axis: int = -1, prepend: Tensor | Any = None, append: Tensor | Any = None
) -> Tensor:
    """The differences of neighbors along an axis.

    Args:
        a (Tensor): the input.
        n (int): how often differences are taken. Default: 1.
        axis (int): the axis. Default: -1.
        prepend (Union[Tensor, number]): what is put in front first. Default: None.
        append (Union[Tensor, number]): what is put behind first. Default: None.

    Returns: Tensor of the input's type.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `n` is negative or leaves no element, or `axis` is out of range.
    Difference from PyTorch: an empty result is an error; a number may be put in front or behind.

    >>> import agar.numpy as mnp
    >>> print(mnp.diff(mnp.array([1, 3, -1, 0, 4]), 2))
    [-6  5  3]
    """
    place = axis_of("numpy.diff", axis, a.ndim)
    integer("numpy.diff", "n", n, 0)
    if n == 0:
        return a
    return _differences("diff", a, n, place, prepend, append)


def _differences(
    op_name: str, a: Tensor, n: int, axis: int, prepend: Any = None, append: Any = None
) -> Tensor:
    parts = [a]
    if prepend is not None:
        parts.insert(0, _beside(op_name, "prepend", prepend, a, axis))
    if append is not None:
        parts.append(_beside(op_name, "append", append, a, axis))
    if len(parts) > 1:
        a = torch.cat(to_common(*parts), axis)
    if n >= a.shape[axis]:
        raise ValueError(
            f"For 'numpy.{op_name}', 'n' must be less than the {a.shape[axis]} elements along the "
            f"axis, but got {n}."
        )
    return torch.diff(a, n, axis)


@_math(
    "ediff1d",
    samples=("f(4)", "f(2, 2), 9, [7, 8]", "i(4), None, torch.tensor([-99])"),
    errors=(("[1, 2]", TypeError, "numpy.ediff1d"), ("f(3), 'a'", TypeError, "to_end")),
    reference="np.ediff1d(ary, to_end, to_begin)",
)
def _ediff1d(ary: Tensor, to_end: Tensor | Any = None, to_begin: Tensor | Any = None) -> Tensor:
    """The differences of neighbors in the flattened tensor.

    Args:
        ary (Tensor): the input.
        to_end (Union[Tensor, number, list, tuple]): what is put behind the differences. Default:
            None.
        to_begin (Union[Tensor, number, list, tuple]): what is put in front of them. Default: None.

    Returns: Tensor of the input's type, in one dimension.
    Raises TypeError: an argument is of another type.
    Raises ValueError: the input has less than two elements.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.ediff1d(mnp.array([1, 3, -1, 0, 4]), to_end=9))
    [ 2 -4  1  4  9]
    """
    parts = [_differences("ediff1d", ary.reshape(-1), 1, 0)]
    if to_begin is not None:
        parts.insert(0, array("ediff1d", "to_begin", to_begin).reshape(-1).to(ary.dtype))
    if to_end is not None:
        parts.append(array("ediff1d", "to_end", to_end).reshape(-1).to(ary.dtype))
    return torch.cat(parts)


@_math(
    "trapz",
    samples=("f(4)", "f(4), f(4)", "f(2, 3), axis=0", "f(2, 3), f(2), axis=0", "[1, 2, 3], dx=2"),
    errors=(("f(3), axis=1", ValueError, "axis"), ("'a'", TypeError, "numpy.trapz")),
    reference="np.trapezoid(y, x, dx, axis) if hasattr(np, 'trapezoid') else "
    "np.trapz(y, x, dx, axis)",
)
def _trapz(
    y: Tensor | Any, x: Tensor | Any = None, dx: Tensor | Any = 1.0, axis: int = -1
) -> Tensor:
    """The integral along an axis by the trapezoidal rule.

    Args:
        y (Union[Tensor, list, tuple]): the ordinates.
        x (Union[Tensor, list, tuple]): the abscissas, in one dimension or of the shape of `y`.
            Default None: their distance is `dx`.
        dx (Union[Tensor, number]): the distance of abscissas. Default: 1.0.
        axis (int): the axis. Default: -1.

    Returns: Tensor without the axis; float16 is kept, everything else gives float32.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `axis` is out of range, or the shape of `x` does not fit.
    Difference from PyTorch: `dx` and `x` may both be given; float64 gives float32.

    >>> import agar.numpy as mnp
    >>> print(mnp.trapz([1, 2, 3], [4, 6, 8]))
    8.0
    """
    heights = array("trapz", "y", y)
    if heights.dtype is not torch.float16:
        heights = heights.to(torch.float32)
    place = axis_of("numpy.trapz", axis, heights.ndim)
    not_empty("trapz", heights, (place,))
    count = heights.shape[place]
    if x is not None:
        at = array("trapz", "x", x)
        width = torch.diff(at)
    else:
        width = array("trapz", "dx", dx)
    behind = heights.ndim - place
    width = width.reshape(tuple(width.shape) + (1,) * (behind - width.ndim)).to(heights.dtype)
    low, high = heights.narrow(place, 0, count - 1), heights.narrow(place, 1, count - 1)
    return (width * (low + high) / 2).sum(place)


@_math(
    "gradient",
    samples=("f(5)", "f(5), 2.0", "f(3, 4)", "f(3, 4), axis=0", "f(3, 4), 1.0, 2.0", "i(2, 3)"),
    errors=(
        ("f(3), edge_order=2", NotImplementedError, "edge_order"),
        ("f(1)", ValueError, "numpy.gradient"),
        ("f(3), [1, 2, 3]", NotImplementedError, "numpy.gradient"),
        ("f(2, 3), 1, 2, 3", TypeError, "numpy.gradient"),
        ("f(3), axis=1", ValueError, "axis"),
        ("'a'", TypeError, "numpy.gradient"),
    ),
    reference="np.gradient(f, *varargs, axis=axis)",
)
def _gradient(f: Tensor | Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """The slope along axes, from differences of neighbors.

    Args:
        f (Union[Tensor, list, tuple]): the values.
        varargs (Union[number, Tensor]): the distances, none for 1, one for all axes, or one for
            each.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        edge_order (int): the order of the differences at the ends; only 1. Default: 1.

    Returns: Tensor for one axis, list of Tensors for several; float32, float64 for float64 input.
    Raises TypeError: an argument is of another type, or the number of distances does not fit.
    Raises ValueError: an axis is out of range or has less than two elements.
    Raises NotImplementedError: `edge_order` is not 1, or distances change along an axis.
    Difference from PyTorch: distances come one after the other.

    >>> import agar.numpy as mnp
    >>> print(mnp.gradient([[1, 2, 6], [3, 4, 5]], axis=-1))
    [[1.  2.5 4. ]
     [1.  1.  1. ]]
    """
    if edge_order != 1:
        raise missing_feature(
            f"For 'numpy.gradient', 'edge_order' {edge_order}",
            "MindSpore has differences of the first order alone",
            "leave it at 1",
        )
    values = array("gradient", "f", f)
    values = values if values.dtype is torch.float64 else values.to(torch.float32)
    if axis is None:
        axes = list(range(values.ndim))
    else:
        given = axis if isinstance(axis, (tuple, list)) else (axis,)
        axes = sorted(axis_of("numpy.gradient", one, values.ndim) for one in given)
    widths = list(varargs) or [1]
    widths = widths * len(axes) if len(widths) == 1 else widths
    if len(widths) != len(axes):
        raise TypeError(
            f"For 'numpy.gradient', there must be one distance or {len(axes)}, but got "
            f"{len(widths)}."
        )
    items = []
    for place, width in zip(axes, widths, strict=True):
        if isinstance(width, AgarTensor):
            width = width._value
        if not isinstance(width, (bool, int, float)) and getattr(width, "ndim", 1):
            raise missing_feature(
                f"For 'numpy.gradient', a distance that changes along an axis ({describe(width)})",
                "MindSpore takes a number for each axis",
                "give a number, or divide mnp.diff of the values by mnp.diff of the places",
            )
        count = values.shape[place]
        if count < 2:
            raise ValueError(
                f"For 'numpy.gradient', axis {place} must have at least two elements, but the "
                f"shape is {list(values.shape)}."
            )
        steps = torch.diff(values, dim=place)
        middle = (steps.narrow(place, 0, count - 2) + steps.narrow(place, 1, count - 2)) * 0.5
        ends = steps.narrow(place, 0, 1), steps.narrow(place, count - 2, 1)
        items.append(torch.cat([ends[0], middle, ends[1]], place) / width)
    return items[0] if len(items) == 1 else items


@_math(
    "unwrap",
    samples=("f(5) * 5", "f(2, 3) * 9, 4, 0", "[0.0, 0.78, 5.49]"),
    errors=(
        ("f(3), 'a'", TypeError, "discont"),
        ("f(3), 3.2, 1", ValueError, "axis"),
        ("'a'", TypeError, "numpy.unwrap"),
    ),
    reference="np.unwrap(p, discont, axis)",
)
def _unwrap(p: Tensor | Any, discont: float = math.pi, axis: int = -1) -> Tensor:
    """Add whole turns to angles, so that neighbors differ by less than half a turn.

    Args:
        p (Union[Tensor, list, tuple]): the angles in radians.
        discont (float): differences below it are left alone. Default: pi.
        axis (int): the axis. Default: -1.

    Returns: Tensor of the shape of `p`; integers give float32.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `axis` is out of range or has less than two elements.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.around(mnp.unwrap([0.0, 1.0, 7.0]), 4))
    [0.     1.     0.7168]
    """
    number("numpy.unwrap", "discont", discont)
    x = floating(array("unwrap", "p", p))
    place = axis_of("numpy.unwrap", axis, x.ndim)
    steps = _differences("unwrap", x, 1, place)
    short = torch.remainder(steps + math.pi, 2 * math.pi) - math.pi
    short = torch.where((short == -math.pi) & (steps > 0), math.pi, short)
    turns = torch.where(torch.abs(steps) < discont, 0, short - steps).to(x.dtype)
    tail = x.narrow(place, 1, x.shape[place] - 1) + torch.cumsum(turns, place)
    return torch.cat([x.narrow(place, 0, 1), tail], place)
