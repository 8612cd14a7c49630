"""Sums, means, extremes, spread and running sums along axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar._core import optable
from agar.numpy._declare import (
    Tensor,
    array,
    as_tensor,
    axes_of,
    axis_of,
    floating,
    home,
    named,
    not_empty,
    promoted_type,
    typed,
    unsigned,
    value_type,
)
from agar.ops._checks import integer
from agar.ops.math import arithmetic, division
from agar.ops.math.reduction import mean as mean_of

_math = home("math_ops")

_AXES = "        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.\n"
_KEEP = "        keepdims (bool): whether the axes stay, with size one. Default: False.\n"
_INPUT = "Union[Tensor, number, list, tuple]"


def _doc(
    name: str,
    words: str,
    arguments: str,
    returns: str,
    example: str,
    shown: str,
    difference: str = "none",
    raises: str = "TypeError: an argument is of another type.\n"
    "        ValueError: an axis is out of range or given twice.",
) -> str:
    return (
        f"{words}.\n\n    Args:\n{arguments}\n    Returns:\n        {returns}.\n\n"
        f"    Raises:\n        {raises}\n\n    Difference from PyTorch: {difference}.\n\n"
        "    Source: behavior observed in MindSpore 2.10.\n\n    Examples:\n"
        "        >>> import agar.numpy as mnp\n"
        f"        >>> print(mnp.{name}(mnp.array({example})))\n        {shown}\n"
    )


def _errors(name: str) -> tuple[tuple[str, type[Exception], str], ...]:
    return (
        ("f(2, 3), 2", ValueError, f"numpy.{name}"),
        ("f(2, 3), (0, 0)", ValueError, f"numpy.{name}"),
        ("'a'", TypeError, f"numpy.{name}"),
    )


# ----------------------------------------------------------------------------------- sums


def _mean(a: Tensor | Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Tensor:
    x = array("mean", "a", a)
    axes = axes_of("numpy.mean", axis, x.ndim)
    if not (x.is_floating_point() or x.is_complex()):
        not_empty("mean", x, axes)
    return typed("mean", named("mean", mean_of, x, axes, bool(keepdims)), dtype)


_mean.__doc__ = _doc(
    "mean",
    "The arithmetic mean over axes",
    f"        a ({_INPUT}): the input.\n{_AXES}{_KEEP}"
    "        dtype (Type): the type of the result. Default None: that of the input; the mean of\n"
    "            integers is cut to an integer.\n",
    "Tensor",
    "[1.0, 2.0, 6.0]",
    "3.0",
    "the mean of integers is an integer",
)
_math(
    "mean",
    samples=("f(2, 3)", "f(2, 3), 1", "f(2, 3), (0, 1), True", "[1.0, 2.0]"),
    errors=(*_errors("mean"), ("b(3)", TypeError, "numpy.mean")),
    reference="np.mean(a, axis, keepdims=keepdims)",
)(_mean)


def _sum(
    a: Tensor | Any,
    axis: Any = None,
    dtype: Any = None,
    keepdims: bool = False,
    initial: Any = None,
) -> Tensor:
    x = array("sum", "a", a)
    kind = None if dtype is None else value_type("sum", dtype)
    axes = None if axis is None else axes_of("numpy.sum", axis, x.ndim)
    compute = optable.lookup("method", "sum").impl
    return named("sum", compute, x, axes, kind, keepdims, initial)


_sum.__doc__ = _doc(
    "sum",
    "The sum over axes",
    f"        a ({_INPUT}): the input.\n{_AXES}"
    "        dtype (Type): the type of the result. Default None: floating types are kept,\n"
    f"            integers and bool give int64.\n{_KEEP}"
    "        initial (number): what is added. Default None: nothing.\n",
    "Tensor",
    "[[1, 2], [3, 4]]",
    "10",
    "`initial` may be given",
)
_math(
    "sum",
    samples=("f(2, 3)", "f(2, 3), 1", "i(2, 3), 0, None, True", "f(3), initial=5"),
    errors=_errors("sum"),
    reference="np.sum(a, axis, dtype, keepdims=keepdims) + (initial or 0)",
)(_sum)


def _ones_where(x: Tensor, expected: Tensor) -> Tensor:
    """The elements where `wanted` holds, zero elsewhere, so that gradients are zero there too."""
    return torch.where(expected, x, torch.zeros((), dtype=x.dtype, device=x.device))


def _whole(x: Tensor, axis: Any, op_name: str) -> tuple[int, ...]:
    return axes_of(f"numpy.{op_name}", axis, x.ndim)


def _summed(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    return x.sum(axes, bool(keepdims)) if axes else x


def _counted(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    """The number of elements that are not nan, in the input's type."""
    return _summed((~torch.isnan(x)).to(torch.int32), axes, keepdims).to(x.dtype)


def _nansum(a: Tensor | Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    x = array("nansum", "a", a)
    axes = _whole(x, axis, "nansum")
    result = _summed(_ones_where(x, ~torch.isnan(x)), axes, keepdims)
    return result.to(x.dtype if dtype is None else value_type("nansum", dtype))


_NAN_ARGUMENTS = (
    f"        a ({_INPUT}): the input.\n{_AXES}"
    "        dtype (Type): the type of the result. Default None: {default}.\n"
    "{ddof}" + _KEEP
)
_DDOF = (
    "        ddof (int): what is taken from the number of elements in the divisor. Default: 0.\n"
)
_NANS = "f(2, 3) / torch.tensor([1, 1, float('nan')])"
_nansum.__doc__ = _doc(
    "nansum",
    "The sum over axes; nan counts as zero",
    _NAN_ARGUMENTS.format(default="that of the input", ddof=""),
    "Tensor",
    "[1.0, mnp.nan, 3.0]",
    "4.0",
    "the sum of integers keeps their type",
)
_math(
    "nansum",
    samples=("f(2, 3)", f"{_NANS}, 1", "i(2, 3), 0, None, True"),
    errors=_errors("nansum"),
    reference="np.nansum(a, axis, dtype, keepdims=keepdims)",
)(_nansum)


def _nan_mean(x: Tensor, axes: tuple[int, ...], keepdims: bool) -> Tensor:
    total = _summed(_ones_where(x, ~torch.isnan(x)), axes, keepdims)
    return total / _counted(x, axes, keepdims)


def _nanmean(
    a: Tensor | Any, axis: Any = None, dtype: Any = None, keepdims: bool = False
) -> Tensor:
    x = array("nanmean", "a", a)
    kind = torch.float32 if dtype is None else value_type("nanmean", dtype)
    result = _nan_mean(floating(x), _whole(x, axis, "nanmean"), keepdims)
    return result.to(promoted_type(kind, x.dtype))


_nanmean.__doc__ = _doc(
    "nanmean",
    "The arithmetic mean over axes of the elements that are not nan",
    _NAN_ARGUMENTS.format(default="float32, float64 for float64", ddof=""),
    "Tensor",
    "[1.0, mnp.nan, 3.0]",
    "2.0",
    "float16 gives float32",
)
_math(
    "nanmean",
    samples=("f(2, 3)", f"{_NANS}, 1", "i(2, 3), 0, None, True"),
    errors=_errors("nanmean"),
    reference="np.nanmean(a, axis, dtype, keepdims=keepdims)",
)(_nanmean)


def _nan_variance(x: Tensor, axes: tuple[int, ...], ddof: int, keepdims: bool) -> Tensor:
    there = ~torch.isnan(x)
    away = _ones_where(x - _nan_mean(x, axes, True), there)
    return _summed(away * away, axes, keepdims) / (_counted(x, axes, keepdims) - ddof)


def _nan_spread(name: str, words: str, compute: Callable[[Tensor], Tensor], shown: str) -> None:
    """Declare nanvar or nanstd."""

    def impl(
        a: Tensor | Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False
    ) -> Tensor:
        x = array(name, "a", a)
        kind = torch.float32 if dtype is None else value_type(name, dtype)
        integer(f"numpy.{name}", "ddof", ddof)
        result = _nan_variance(floating(x), _whole(x, axis, name), ddof, keepdims)
        return compute(result).to(kind)

    impl.__name__ = name
    impl.__doc__ = _doc(
        name,
        f"{words} over axes of the elements that are not nan",
        _NAN_ARGUMENTS.format(default="float32", ddof=_DDOF),
        "Tensor",
        "[1.0, mnp.nan, 5.0]",
        shown,
        "torch has no such function",
    )
    _math(
        name,
        samples=(
            "f(2, 3)",
            f"{_NANS}, 1",
            "i(2, 3), 0, None, 1, True",
            "f(2, 3), dtype=ms.float64",
        ),
        errors=_errors(name),
        reference=f"np.{name}(a, axis, None, ddof=ddof, keepdims=keepdims)",
    )(impl)


_nan_spread("nanvar", "The variance", lambda x: x, "4.0")
_nan_spread("nanstd", "The standard deviation", torch.sqrt, "2.0")


def _nan_extreme(name: str, words: str, largest: bool, shown: str) -> None:
    """Declare nanmax or nanmin."""
    least = float("-inf") if largest else float("inf")

    def impl(
        a: Tensor | Any, axis: Any = None, dtype: Any = None, keepdims: bool = False
    ) -> Tensor:
        x = array(name, "a", a)
        axes = _whole(x, axis, name)
        not_empty(name, x, axes)
        if x.is_floating_point():
            gone = torch.isnan(x)
            result = _extreme_of(torch.where(gone, least, x), axes, keepdims, largest)
            nothing = torch.all(gone, axes, bool(keepdims)) if axes else gone
            result = torch.where(nothing, float("nan"), result)
        else:
            result = _extreme_of(x, axes, keepdims, largest)
        return result.to(x.dtype if dtype is None else value_type(name, dtype))

    impl.__name__ = name
    impl.__doc__ = _doc(
        name,
        f"The {words} element over axes of those that are not nan; nan where all are",
        _NAN_ARGUMENTS.format(default="that of the input", ddof=""),
        "Tensor",
        "[1.0, mnp.nan, 3.0]",
        shown,
        "torch has no such function",
    )
    _math(
        name,
        samples=("f(2, 3)", f"{_NANS}, 1", "i(2, 3), 0, None, True"),
        errors=_errors(name),
        reference=f"np.{name}(a, axis, keepdims=keepdims)",
    )(impl)


def _extreme_of(x: Tensor, axes: tuple[int, ...], keepdims: bool, largest: bool) -> Tensor:
    """The extreme over axes that have elements."""
    if not axes:
        return x
    return (torch.amax if largest else torch.amin)(x, axes, bool(keepdims))


_nan_extreme("nanmax", "largest", True, "3.0")
_nan_extreme("nanmin", "smallest", False, "1.0")


# ------------------------------------------------------------------------------- extremes


def _extreme(names: tuple[str, str], words: str, largest: bool, shown: str) -> None:
    """Declare amax or amin."""
    name = names[0]

    def impl(
        a: Tensor | Any,
        axis: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Tensor | Any = True,
    ) -> Tensor:
        x = array(name, "a", a)
        axes = _whole(x, axis, name)
        if initial is not None and not isinstance(initial, (bool, int, float)):
            raise TypeError(f"For 'numpy.{name}', 'initial' must be a number, not {initial!r}.")
        empty = any(x.shape[k] == 0 for k in axes)
        if initial is None:
            if empty or isinstance(where, Tensor):
                raise ValueError(
                    f"For 'numpy.{name}', 'initial' must be given together with 'where', and for "
                    f"an axis without elements; the shape is {list(x.shape)}."
                )
            return _extreme_of(x, axes, keepdims, largest)
        bound = torch.full((), float(initial), device=x.device).to(x.dtype)
        if isinstance(where, Tensor):
            rank = x.ndim
            x = torch.where(where.to(torch.bool), x, bound)
            axes = tuple(k + x.ndim - rank for k in axes)
        if empty:
            left = [1 if k in axes else n for k, n in enumerate(x.shape)]
            return _extreme_of(bound.expand(left), axes, keepdims, largest)
        x = (torch.maximum if largest else torch.minimum)(x, bound)
        return _extreme_of(x, axes, keepdims, largest)

    impl.__name__ = name
    impl.__doc__ = _doc(
        name,
        f"The {words} element over axes",
        f"        a ({_INPUT}): the input.\n{_AXES}{_KEEP}"
        "        initial (number): takes part in the comparison. Default None: nothing.\n"
        "        where (Union[Tensor, bool]): the elements that take part; `initial` must be\n"
        "            given with it. Default: True.\n",
        "Tensor of the input's type",
        "[[1, 2], [3, 4]]",
        shown,
        "`initial` and `where` may be given; several axes are reduced at once",
        "TypeError: an argument is of another type.\n"
        "        ValueError: an axis is out of range, given twice or without elements, or\n"
        "            `initial` is missing beside `where`.",
    )
    _math(
        *names,
        samples=(
            "f(2, 3)",
            "f(2, 3), 1",
            "i(2, 3), 0, True",
            "f(2, 3), 0, initial=0",
            "f(2, 2), 0, initial=0.0, where=b(2)",
        ),
        errors=(
            *_errors(name),
            ("f(2), where=b(2)", ValueError, f"numpy.{name}"),
            ("f(2), initial='a'", TypeError, f"numpy.{name}"),
            ("torch.zeros(0, 2)", ValueError, f"numpy.{name}"),
        ),
        reference=f"np.{name}(a, axis, keepdims=keepdims, **({{}} if initial is None else "
        "dict(initial=initial, where=where)))",
    )(impl)


_extreme(("amax", "max"), "largest", True, "4")
_extreme(("amin", "min"), "smallest", False, "1")


def _ptp(x: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    axes = _whole(x, axis, "ptp")
    not_empty("ptp", x, axes)
    return _extreme_of(x, axes, keepdims, True) - _extreme_of(x, axes, keepdims, False)


_ptp.__doc__ = _doc(
    "ptp",
    "The difference of the largest and the smallest element over axes",
    f"        x (Tensor): the input.\n{_AXES}{_KEEP}",
    "Tensor of the input's type",
    "[1.0, 4.0, 3.0]",
    "3.0",
    "torch has no such function",
)
_math(
    "ptp",
    samples=("f(2, 3)", "f(2, 3), 1", "i(2, 3), 0, True"),
    errors=_errors("ptp"),
    reference="np.ptp(x, axis, keepdims=keepdims)",
)(_ptp)


def _place(name: str, words: str, kind: torch.dtype, shown: str) -> None:
    """Declare argmax or argmin."""
    compute = getattr(torch, name)

    def impl(a: Tensor | Any, axis: int | None = None) -> Tensor:
        x = array(name, "a", a)
        if x.dtype is torch.bool:
            x = x.to(torch.int32)
        place = None if axis is None else axis_of(f"numpy.{name}", axis, x.ndim)
        not_empty(name, x, tuple(range(x.ndim)) if place is None else (place,))
        return compute(x, place).to(kind)

    impl.__name__ = name
    impl.__doc__ = _doc(
        name,
        f"The place of the {words} element along an axis",
        f"        a ({_INPUT}): the input.\n"
        "        axis (int): the axis. Default None: the input is flattened first.\n",
        f"Tensor of {str(kind).rpartition('.')[2]}",
        "[3, 1, 2]",
        shown,
        "the type of places" if kind is torch.int32 else "none",
        "TypeError: an argument is of another type.\n        ValueError: `axis` is out of range.",
    )
    _math(
        name,
        samples=("f(2, 3)", "f(2, 3), 1", "f(2, 3), 0", "[3, 1, 2]"),
        errors=(
            ("f(2, 3), 2", ValueError, f"numpy.{name}"),
            ("'a'", TypeError, f"numpy.{name}"),
            ("f(2), 0.0", TypeError, f"numpy.{name}"),
        ),
        reference=f"np.{name}(a, axis)",
        differentiable=False,
    )(impl)


_place("argmax", "largest", torch.int64, "0")
_place("argmin", "smallest", torch.int32, "1")


# ------------------------------------------------------------------- spread, averages, counts


def _spread(name: str, words: str, shown: str) -> None:
    """Declare std or var."""

    def impl(x: Tensor | Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
        compute = optable.lookup("function", name).impl
        return named(name, compute, array(name, "x", x), axis, ddof, bool(keepdims))

    impl.__name__ = name
    impl.__doc__ = _doc(
        name,
        f"{words} over axes",
        f"        x ({_INPUT}): the input.\n{_AXES}{_DDOF}{_KEEP}",
        "Tensor; integers give float32",
        "[1.0, 3.0, 1.0, 3.0]",
        shown,
        "the divisor is the number of elements, where torch takes one less",
    )
    _math(
        name,
        samples=("f(2, 3)", "f(2, 3), 1", "i(2, 3), (0, 1), 1, True"),
        errors=(*_errors(name), ("f(3), 0, 0.5", TypeError, f"numpy.{name}")),
        reference=f"np.{name}(x, axis, ddof=ddof, keepdims=keepdims)",
    )(impl)


_spread("std", "The standard deviation", "1.0")
_spread("var", "The variance", "1.0")


@_math(
    "average",
    samples=(
        "f(2, 3)",
        "f(2, 3), 0",
        "f(2, 3), 1, p(3)",
        "f(2, 3), 1, p(2, 3), True",
        "f(2, 3), (0, 1), p(2, 3)",
    ),
    errors=(
        ("f(2, 3), None, f(3)", TypeError, "numpy.average"),
        ("f(2, 3), 2", ValueError, "numpy.average"),
        ("[1.0]", TypeError, "numpy.average"),
        ("f(2, 3), 1, [1.0]", TypeError, "numpy.average"),
        ("f(2, 3), 1, f(2)", ValueError, "numpy.average"),
    ),
    reference="np.average(x, axis, weights, returned)",
)
def _average(
    x: Tensor, axis: Any = None, weights: Tensor | None = None, returned: bool = False
) -> Any:
    """The weighted mean over axes.

    Args:
        x (Tensor): the input.
        axis (Union[None, int, tuple(int)]): the axes. Default None: all.
        weights (Tensor): the weights, of the shape of `x` or in one dimension along `axis`.
            Default None: all are equal.
        returned (bool): whether to return the sum of the weights too. Default: False.

    Returns: Tensor, or with `returned` a tuple of two Tensors of one shape. The average of integers
        is cut to an integer.
    Raises TypeError: an argument is of another type, or the shape of `weights` needs an `axis`.
    Raises ValueError: an axis is out of range, or `weights` do not fit.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.average(mnp.array([[1.0, 2.0], [3.0, 4.0]]), 0, mnp.array([1.0, 3.0])))
    [2.5 3.5]
    """
    axes = axes_of("numpy.average", axis, x.ndim)
    if weights is None:
        if not (x.is_floating_point() or x.is_complex()):
            not_empty("average", x, axes)
        mean = named("average", mean_of, x, axes)
        count = 1
        for k in axes:
            count *= x.shape[k]
        return (mean, torch.full_like(mean, count)) if returned else mean
    if weights.shape != x.shape:
        if weights.ndim != 1:
            raise TypeError(
                "For 'numpy.average', 'weights' must have one dimension or the shape of 'x', but "
                f"got shapes {list(weights.shape)} and {list(x.shape)}."
            )
        if not isinstance(axis, int):
            raise TypeError(
                "For 'numpy.average', 'axis' must be an int where 'weights' have one dimension."
            )
        if weights.shape[0] != x.shape[axes[0]]:
            raise ValueError(
                f"For 'numpy.average', 'weights' must have {x.shape[axes[0]]} elements along axis "
                f"{axis}, but got {weights.shape[0]}."
            )
        own = [1] * x.ndim
        own[axes[0]] = -1
        weights = weights.reshape(own)
    total = weights.sum(axes).to(weights.dtype)
    weighted = arithmetic.mul(x, weights)
    result = division.tensor_div(weighted.sum(axes).to(weighted.dtype), total)
    return (result, total.expand(result.shape).clone()) if returned else result


def _count_nonzero(x: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    axes = _whole(x, axis, "count_nonzero")
    return _summed((x != 0).to(torch.int32), axes, keepdims).to(torch.int32)


_count_nonzero.__doc__ = _doc(
    "count_nonzero",
    "The number of elements over axes that are not zero",
    f"        x (Tensor): the input.\n{_AXES}{_KEEP}",
    "Tensor of int32",
    "[0, 1, 2]",
    "2",
    "int32; the axes may stay",
)
_math(
    "count_nonzero",
    samples=("i(2, 3)", "i(2, 3), 1", "i(2, 3), 0, True", "f(2, 3)"),
    errors=_errors("count_nonzero"),
    reference="np.count_nonzero(x, axis, keepdims=keepdims)",
    differentiable=False,
)(_count_nonzero)


# --------------------------------------------------------------------------------- running


_RUNNING = (
    "        a ({kind}): the input.\n"
    "        axis (int): the axis. Default None: the input is flattened first.\n"
    "        dtype (Type): the type of the result. Default None: {default}.\n"
)
_SMALL = frozenset((torch.int8, torch.int16, torch.uint8, torch.bool))
_NARROW = "int8, int16, uint8 and bool give int32, other types are kept"


def _running(name: str, words: str, prepare: Callable[[Tensor], Tensor], shown: str) -> None:
    """Declare cumsum or nancumsum."""

    def impl(a: Tensor, axis: int | None = None, dtype: Any = None) -> Tensor:
        kind = None if dtype is None else value_type(name, dtype)
        if kind is None and a.dtype in _SMALL:
            kind = torch.int32
        compute = optable.lookup("method", "cumsum").impl
        if kind is None:
            return unsigned(lambda x: named(name, compute, x, axis))(prepare(a))
        return named(name, compute, prepare(a), axis, kind)

    impl.__name__ = name
    impl.__doc__ = _doc(
        name,
        words,
        _RUNNING.format(kind="Tensor", default=_NARROW),
        "Tensor",
        "[1, 2, 3]",
        shown,
        "`axis` may be None; integers keep their type",
        "TypeError: an argument is of another type.\n        ValueError: `axis` is out of range.",
    )
    _math(
        name,
        samples=("f(2, 3)", "f(2, 3), 1", "i(3), 0", f"{_NANS}, 0"),
        errors=(
            ("f(3), 1", ValueError, f"numpy.{name}"),
            ("[1]", TypeError, f"numpy.{name}"),
            ("f(3), 0.0", TypeError, f"numpy.{name}"),
        ),
        reference=f"np.{name}(a, axis)",
    )(impl)


_running("cumsum", "The running sum along an axis", lambda x: x, "[1 3 6]")
_running(
    "nancumsum",
    "The running sum along an axis; nan counts as zero",
    lambda x: _ones_where(x, ~torch.isnan(x)) if x.is_floating_point() else x,
    "[1 3 6]",
)

_PRODUCT_TYPES = {
    torch.int8: torch.int32,
    torch.int16: torch.int32,
    torch.bool: torch.int32,
    torch.uint8: torch.uint32,
    torch.uint16: torch.uint32,
}


def _cumprod(a: Tensor | Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    x = as_tensor("cumprod", "a", a)
    kind = _PRODUCT_TYPES.get(x.dtype, x.dtype)
    if axis is None:
        x, axis = x.reshape(-1), 0
    place = axis_of("numpy.cumprod", axis, x.ndim)
    if not (x.is_floating_point() or x.is_complex()):
        x = x.to(torch.int64)
    return torch.cumprod(x, place).to(kind if dtype is None else value_type("cumprod", dtype))


_cumprod.__doc__ = _doc(
    "cumprod",
    "The running product along an axis",
    _RUNNING.format(
        kind=_INPUT,
        default="int8, int16 and bool give int32, uint8 and\n"
        "            uint16 give uint32, other types are kept",
    ),
    "Tensor",
    "[1, 2, 3]",
    "[1 2 6]",
    "`axis` may be None; integers keep their type",
    "TypeError: an argument is of another type.\n        ValueError: `axis` is out of range.",
)
_math(
    "cumprod",
    samples=("f(2, 3)", "f(2, 3), 1", "i(3) + 1, 0", "[1, 2, 3]"),
    errors=(
        ("f(3), 1", ValueError, "numpy.cumprod"),
        ("'a'", TypeError, "numpy.cumprod"),
        ("f(3), 1.0", TypeError, "numpy.cumprod"),
    ),
    reference="np.cumprod(a, axis)",
)(_cumprod)
