"""Running sums, products and extremes, differences and integrals along an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import to_torch_dtype
from agar.ops._checks import integer, number
from agar.ops.math.reduction import either, in_type
from agar.ops.spec import Call, op, primitive
from agar.ops.tensor.axes import axis_of

__all__: list[str] = []


def _running(op_name: str, input: Tensor, axis: Any, name: str = "axis") -> int:
    return axis_of(op_name, axis, input.ndim, name)


@op(
    samples=("f(2, 3), 1", "i(3), 0", "f(2, 3), 0, ms.float32"),
    errors=(("f(2), 1", ValueError, "axis"), ("f(2), 1.5", TypeError, "axis")),
    fast=Call(
        "torch.cumsum(x, axis)",
        "dtype is None and type(axis) is int and x._value.dtype in _floats",
    ),
)
def cumsum(x: Tensor, axis: int, dtype: Any = None) -> Tensor:
    r"""Running sum along an axis: :math:`out_i = x_1 + \dots + x_i`.

    Args:
        x (Tensor): any shape.
        axis (int): the axis.
        dtype (Type): the type to compute in and to return. Default None: that of `x` (int32 for
            bool).

    Returns: Tensor of the same shape.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: integers keep their type, they become int64 there.

    >>> print(ms.ops.cumsum(ms.Tensor([1, 2, 3]), 0))
    [1 3 6]
    """
    return _cumsum("cumsum", x, axis, dtype, "axis")


def _cumsum(op_name: str, x: Tensor, axis: Any, dtype: Any, name: str) -> Tensor:
    kind = x.dtype if dtype is None else to_torch_dtype(dtype, op_name=op_name)
    if dtype is None and kind is torch.bool:
        kind = torch.int32
    return torch.cumsum(x, _running(op_name, x, axis, name), dtype=kind)


@op(
    "cumsum",
    function=False,
    method="cumsum",
    samples=("f(2, 3)", "f(2, 3), 1", "b(3), 0", "f(2, 3), dim=0", "f(3), 0, ms.float32"),
    errors=(("f(2), 1", ValueError, "axis"),),
)
def _cumsum_method(
    input: Tensor, axis: int | None = None, dtype: Any = None, *, dim: int | None = None
) -> Tensor:
    """Running sum along an axis, of the flattened tensor without one; `dim` means `axis`.

    Narrow integers give int32, where :func:`ops.cumsum` keeps their type. See :func:`ops.cumsum`.

    >>> print(ms.Tensor([[1, 2], [3, 4]]).cumsum())
    [ 1  3  6 10]
    """
    axis = either("cumsum", axis, dim)
    if axis is None:
        input, axis = input.reshape(-1), 0
    if dtype is None and input.dtype in (torch.int8, torch.int16, torch.uint8):
        input = input.int()
    return _cumsum("cumsum", input, axis, dtype, "axis")


@op(
    "cumsum",
    function=False,
    mint="cumsum",
    samples=("f(2, 3), 1", "i(3), 0"),
    errors=(("f(2), 1", ValueError, "dim"), ("f(2), 0.5", TypeError, "dim")),
)
def _cumsum_mint(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Running sum along an axis; integers give int64. See :func:`ops.cumsum`.

    >>> print(ms.mint.cumsum(ms.Tensor([1, 2, 3]), 0))
    [1 3 6]
    """
    place = _running("cumsum", input, dim, "dim")
    return torch.cumsum(in_type("cumsum", input, dtype), place)


@op(
    method=True,
    mint=True,
    samples=("f(2, 3), 1", "i(3), 0", "f(2, 3), 0, ms.float32"),
    errors=(("f(2), 1", ValueError, "dim"),),
)
def cumprod(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    r"""Running product along an axis: :math:`out_i = input_1 \cdots input_i`.

    Args:
        input (Tensor): any shape.
        dim (int): the axis.
        dtype (Type): the type to compute in and to return. Default None: that of `input`, int64
            for integers and bool.

    Returns: Tensor of the same shape.
    Raises TypeError: `dim` is not an int.
    Raises ValueError: `dim` is out of range.

    >>> print(ms.ops.cumprod(ms.Tensor([1, 2, 3]), 0))
    [1 2 6]
    """
    place = _running("cumprod", input, dim, "dim")
    return torch.cumprod(in_type("cumprod", input, dtype), place)


def _exclusive(
    op_name: str,
    compute: Callable[..., Tensor],
    x: Tensor,
    axis: Any,
    exclusive: bool,
    reverse: bool,
    neutral: float,
) -> Tensor:
    """A running reduction, from the end if `reverse`, without the element itself if `exclusive`."""
    place = _running(op_name, x, axis)
    if reverse:
        x = x.flip(place)
    if exclusive and x.shape[place]:
        first = torch.full_like(x.narrow(place, 0, 1), neutral)
        x = torch.cat((first, x.narrow(place, 0, x.shape[place] - 1)), place)
    result = compute(x, place).to(x.dtype)
    return result.flip(place) if reverse else result


_RUNNING_SAMPLES = (
    "f(2, 3), 1",
    "f(2, 3), 0, exclusive=True",
    "f(4), 0, reverse=True",
    "f(4), 0, exclusive=True, reverse=True",
)


@primitive("CumSum", samples=_RUNNING_SAMPLES, errors=(("f(2), 1", ValueError, "axis"),))
def _cumsum_primitive(
    input: Tensor, axis: int, *, exclusive: bool = False, reverse: bool = False
) -> Tensor:
    """Running sum along an axis.

    Args:
        exclusive (bool): whether each sum leaves out the element at its own place.
            Default: False.
        reverse (bool): whether to sum from the end. Default: False.
        input (Tensor): any shape.
        axis (int): the axis.

    Returns: Tensor of the same shape and type.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: `exclusive` and `reverse` have no counterpart.

    >>> print(ms.ops.CumSum(exclusive=True)(ms.Tensor([1, 2, 3]), 0))
    [0 1 3]
    """
    return _exclusive("CumSum", torch.cumsum, input, axis, exclusive, reverse, 0)


@primitive("CumProd", samples=_RUNNING_SAMPLES, errors=(("f(2), 1", ValueError, "axis"),))
def _cumprod_primitive(
    x: Tensor, axis: int, *, exclusive: bool = False, reverse: bool = False
) -> Tensor:
    """Running product along an axis.

    Attributes:
        exclusive (bool): whether each product leaves out the element at its own place.
            Default: False.
        reverse (bool): whether to multiply from the end. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.
        - **axis** (int) - the axis.

    Outputs: Tensor of the same shape and type.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: `exclusive` and `reverse` have no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.CumProd(reverse=True)(ms.Tensor([1, 2, 3]), 0))
    [6 6 3]
    """
    return _exclusive("CumProd", torch.cumprod, x, axis, exclusive, reverse, 1)


def _cumulative(
    name: str, compute: Callable[..., Any], words: str, kind: torch.dtype, shown: str
) -> None:
    """Declare cummax or cummin: function, method, mint form and Primitive."""

    def run(
        op_name: str, input: Tensor, axis: Any, places: torch.dtype, label: str = "axis"
    ) -> tuple[Tensor, Tensor]:
        result = compute(input, _running(op_name, input, axis, label))
        return result.values, result.indices.to(places)

    def impl(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
        return run(name, input, axis, kind)

    impl.__name__ = name
    impl.__doc__ = (
        f"The {words} elements so far along an axis, and their indices.\n\n"
        "    Args:\n"
        "        input (Tensor): any shape.\n"
        "        axis (int): the axis.\n\n"
        "    Returns:\n"
        f"        Tuple of values and indices ({str(kind).removeprefix('torch.')}); of equal\n"
        "        elements, that of the last.\n\n"
        "    Raises TypeError: `axis` is not an int.\n"
        "    Raises ValueError: `axis` is out of range.\n"
        "    Difference from PyTorch: the indices are int64 there.\n\n"
        f"    >>> values, places = ms.ops.{name}(ms.Tensor([2, 3, 1]), 0)\n"
        "    >>> print(values, places)\n"
        f"    {shown}\n"
    )
    op(name, method=True, samples=("f(2, 3), 1",), errors=(("f(2), 1", ValueError, "axis"),))(impl)

    def in_mint(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
        return run(name, input, dim, torch.int64, "dim")

    in_mint.__doc__ = f"The {words} elements so far, indices in int64; see :func:`ops.{name}`.\n"
    op(
        name,
        function=False,
        mint=name,
        samples=("f(2, 3), 1",),
        errors=(("f(2), 1", ValueError, "dim"), ("f(2), 0.5", TypeError, "dim")),
    )(in_mint)

    def rule(input: Tensor, *, axis: int) -> tuple[Tensor, Tensor]:
        return run(name.capitalize(), input, axis, kind)

    rule.__doc__ = f"The {words} elements so far and their indices; see :func:`ops.{name}`.\n"
    primitive(
        name.capitalize(),
        samples=("f(2, 3), axis=1",),
        errors=(("f(2), axis=1", ValueError, "axis"), ("f(2), axis=0.5", TypeError, "axis")),
    )(rule)


_cumulative("cummax", torch.cummax, "largest", torch.int64, "[2 3 3] [0 1 1]")
_cumulative("cummin", torch.cummin, "smallest", torch.int32, "[2 2 1] [0 0 2]")


@op(method=True, samples=("f(2, 3), 1",), errors=(("f(2), 1", ValueError, "axis"),))
def logcumsumexp(input: Tensor, axis: int) -> Tensor:
    r"""Running logarithm of the sum of exponentials: :math:`out_i = \ln \sum_{j \le i} e^{x_j}`.

    Args:
        input (Tensor): a floating type, any shape.
        axis (int): the axis.

    Returns: Tensor of the same shape.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.

    >>> print(ms.ops.logcumsumexp(ms.Tensor([0.0, 0.0]), 0))
    [0.        0.6931472]
    """
    return torch.logcumsumexp(input, _running("logcumsumexp", input, axis))


@primitive(
    "CumulativeLogsumexp",
    samples=("f(2, 3), 1", "f(4), 0, reverse=True"),
    errors=(("f(2), 1", ValueError, "axis"), ("f(2), 0.5", TypeError, "axis")),
)
def _cumulative_logsumexp(
    x: Tensor, axis: Any, *, exclusive: bool = False, reverse: bool = False
) -> Tensor:
    """Running logarithm of the sum of exponentials along an axis; see :func:`ops.logcumsumexp`.

    Attributes:
        exclusive (bool): whether each sum leaves out the element at its own place; the logarithm of
            an empty sum is the lowest number of the type. Default: False.
        reverse (bool): whether to sum from the end. Default: False.

    Inputs:
        - **x** (Tensor) - a floating type, any shape.
        - **axis** (Union[int, Tensor]) - the axis.

    Outputs: Tensor of the same shape and type.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: `exclusive` and `reverse` have no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.CumulativeLogsumexp()(ms.Tensor([0.0, 0.0]), 0))
    [0.        0.6931472]
    """
    # as observed: the logarithm of no elements is the lowest number, not minus infinity
    nothing = torch.finfo(x.dtype).min if x.is_floating_point() else float("-inf")
    return _exclusive(
        "CumulativeLogsumexp", torch.logcumsumexp, x, axis, exclusive, reverse, nothing
    )


def _diff(
    x: Tensor, n: int, axis: Any, prepend: Tensor | None, append: Tensor | None, name: str = "axis"
) -> Tensor:
    if x.ndim == 0:
        raise ValueError("For 'diff', the input must have at least one axis, but it is 0-d.")
    place = axis_of("diff", axis, x.ndim, name)
    return torch.diff(x, integer("diff", "n", n, 0), place, prepend, append)


_DIFF_ERRORS = (
    ("f(3), -1", ValueError, "n"),
    ("f()", ValueError, "0-d"),
    ("f(3), 1, 1", ValueError, "axis"),
)


@op(
    samples=("f(5)", "f(2, 5), 2", "f(2, 3), 1, 0", "f(3), prepend=f(1), append=f(2)"),
    errors=_DIFF_ERRORS,
)
def diff(
    x: Tensor,
    n: int = 1,
    axis: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    r"""Differences of neighbors along an axis: :math:`out_i = x_{i+1} - x_i`, `n` times over.

    Args:
        x (Tensor): one axis or more.
        n (int): how often. Default: 1.
        axis (int): the axis. Default: -1.
        prepend (Tensor): what to put before `x` first. Default: None.
        append (Tensor): what to put behind `x` first. Default: None.

    Returns: Tensor, shorter by `n` along the axis.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `axis` is out of range, `n` negative or `x` 0-d.
    Difference from PyTorch: `axis` is called ``dim`` there.

    >>> print(ms.ops.diff(ms.Tensor([1, 4, 9])))
    [3 5]
    """
    return _diff(x, n, axis, prepend, append)


@op(
    "diff",
    function=False,
    method="diff",
    samples=("f(5)", "f(2, 5), 2, 0"),
    errors=_DIFF_ERRORS,
)
def _diff_method(
    input: Tensor,
    n: int = 1,
    axis: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Differences of neighbors along an axis; see :func:`ops.diff`.

    >>> print(ms.Tensor([1, 4, 9]).diff())
    [3 5]
    """
    return _diff(input, n, axis, prepend, append)


@op(
    "diff",
    function=False,
    mint="diff",
    samples=("f(5)", "f(2, 5), 2, 0"),
    errors=(*_DIFF_ERRORS[:2], ("f(3), 1, 1", ValueError, "dim")),
)
def _diff_mint(
    input: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Differences of neighbors along an axis; see :func:`ops.diff`.

    >>> print(ms.mint.diff(ms.Tensor([1, 4, 9])))
    [3 5]
    """
    return _diff(input, n, dim, prepend, append, "dim")


@op(
    samples=("f(3)", "f(2, 3), f(2, 3)", "f(2, 3), dx=0.5, dim=0"),
    errors=(("f(3), dim=1", ValueError, "dim"),),
)
def trapz(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    r"""Integral by the trapezoidal rule: :math:`\sum_i (x_{i+1} - x_i)(y_i + y_{i+1}) / 2`.

    Args:
        y (Tensor): the values of the function.
        x (Tensor): where they are taken. Default None: at distances `dx`.
        dx (float): the distance. Default: 1.0.
        dim (int): the axis. Default: -1.

    Returns: Tensor without that axis.
    Raises ValueError: `dim` is out of range.

    >>> print(ms.ops.trapz(ms.Tensor([1.0, 2.0, 3.0])))
    4.0
    """
    place = axis_of("trapz", dim, y.ndim, "dim")
    if y.dtype is torch.bool:
        y = y.float()
    if x is not None and x.dtype is torch.bool:
        x = x.float()
    if x is None:
        return torch.trapezoid(y, dx=number("trapz", "dx", dx), dim=place)
    return torch.trapezoid(y, x, dim=place)
