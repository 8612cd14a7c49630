"""Spread, medians, quantiles, counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH, to_torch_dtype
from agar.ops._checks import integer
from agar.ops.math.elementwise import any_outside, check_integers
from agar.ops.math.reduction import AXIS_ERRORS, either, in_type, reduced
from agar.ops.spec import op, primitive
from agar.ops.tensor.axes import axes_of, axis_of

__all__: list[str] = []


# ------------------------------------------------------------------------------- statistics


def _spread_of(
    op_name: str, compute: Callable[..., Any], input: Tensor, axis: Any, ddof: Any, keepdims: bool
) -> Any:
    """Variance or standard deviation; integers are taken as float32."""
    if isinstance(ddof, bool):
        ddof = int(ddof)
    if not (input.dtype.is_floating_point or input.dtype.is_complex):
        input = input.float()
    axes = None if axis is None else axes_of(op_name, axis, input.ndim)
    return compute(input, axes or None, correction=integer(op_name, "ddof", ddof), keepdim=keepdims)


_SPREAD_SAMPLES = ("f(2, 3)", "f(2, 3), 1", "f(2, 3), (0, 1), 1, True", "f(2, 3), ddof=True")


def _spreads(
    name: str, compute: Callable[..., Any], purpose: str, formula: str, returns: str, example: str
) -> None:
    """Declare std, var, std_mean or var_mean, and the mint form with torch's default."""

    def impl(input: Tensor, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> Any:
        return _spread_of(name, compute, input, axis, ddof, keepdims)

    impl.__name__ = name
    impl.__doc__ = (
        f"{purpose} along axes: :math:`{formula}`.\n\n"
        "    Args:\n"
        "        input (Tensor): any shape.\n"
        "        axis (Union[None, int, tuple, list]): the axes. Default None: all.\n"
        "        ddof (Union[int, bool]): what is taken from the number of elements N in the\n"
        "            divisor. Default: 0.\n"
        "        keepdims (bool): whether the axes stay, with size 1. Default: False.\n\n"
        f"    Returns: {returns}; integers give float32.\n"
        "    Raises TypeError: an argument is of another type.\n"
        "    Raises ValueError: an axis is out of range or given twice.\n"
        "    Difference from PyTorch: `ddof` is called ``correction`` there, and is\n"
        "    1 by default.\n\n"
        f"    >>> {example}\n"
    )
    op(name, samples=_SPREAD_SAMPLES, errors=AXIS_ERRORS)(impl)

    def in_mint(
        input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False
    ) -> Any:
        return _spread_of(name, compute, input, dim, correction, keepdim)

    in_mint.__doc__ = f"{purpose} along axes, N - 1 in the divisor; see :func:`ops.{name}`.\n"
    op(
        name,
        function=False,
        mint=name,
        samples=("f(2, 3)", "f(2, 3), 1, correction=0"),
        errors=AXIS_ERRORS,
    )(in_mint)


_spreads(
    "std",
    torch.std,
    "Standard deviation",
    r"\sqrt{\frac{1}{N - ddof} \sum (input - \overline{input})^2}",
    "Tensor",
    "print(ms.ops.std(ms.Tensor([1.0, 3.0])))\n        1.0",
)
_spreads(
    "var",
    torch.var,
    "Variance",
    r"\frac{1}{N - ddof} \sum (input - \overline{input})^2",
    "Tensor",
    "print(ms.ops.var(ms.Tensor([1.0, 3.0])))\n        1.0",
)
_spreads(
    "std_mean",
    torch.std_mean,
    "Standard deviation and mean",
    r"\sqrt{\frac{1}{N - ddof} \sum (input - \overline{input})^2}, \overline{input}",
    "Tuple of two Tensors",
    "[float(t) for t in ms.ops.std_mean(ms.Tensor([1.0, 3.0]))]\n        [1.0, 2.0]",
)
_spreads(
    "var_mean",
    torch.var_mean,
    "Variance and mean",
    r"\frac{1}{N - ddof} \sum (input - \overline{input})^2, \overline{input}",
    "Tuple of two Tensors",
    "[float(t) for t in ms.ops.var_mean(ms.Tensor([1.0, 3.0]))]\n        [1.0, 2.0]",
)


def _spread_method(
    name: str, compute: Callable[..., Any], purpose: str, with_dim: int, default: str
) -> None:
    """Declare the method std or var: `ddof` is 0, with the names of the newer form `with_dim`."""

    def impl(
        input: Tensor,
        axis: Any = None,
        ddof: Any = 0,
        keepdims: bool = False,
        *,
        dim: Any = None,
        correction: int | None = None,
        keepdim: bool = False,
    ) -> Tensor:
        if dim is not None or correction is not None or keepdim:
            axis = either(name, axis, dim)
            ddof = with_dim if correction is None else correction
        return _spread_of(name, compute, input, axis, ddof, keepdims or keepdim)

    impl.__doc__ = (
        f"{purpose} along axes; see :func:`ops.{name}`.\n\n"
        "    Args:\n"
        "        input (Tensor): this tensor.\n"
        "        axis (Union[None, int, tuple, list]): the axes. Default None: all.\n"
        "        ddof (Union[int, bool]): what is taken from N in the divisor. Default: 0.\n"
        "        keepdims (bool): whether the axes stay; `keepdim` means the same.\n"
        "            Default: False.\n"
        "        dim (Union[None, int, tuple, list]): as `axis`. Default: None.\n"
        f"        correction (int): as `ddof`. Default None: {default}.\n"
        "        keepdim (bool): see `keepdims`. Default: False.\n\n"
        "    Returns: Tensor.\n"
        "    Raises TypeError: an argument is of another type, or given under both names.\n"
        "    Raises ValueError: an axis is out of range or given twice.\n"
        "    Difference from PyTorch: `correction` is 1 there by default.\n\n"
        f"    >>> print(ms.Tensor([1.0, 3.0]).{name}())\n"
        "    1.0\n"
    )
    op(
        name,
        function=False,
        method=name,
        samples=(
            *_SPREAD_SAMPLES,
            "f(2, 3), keepdim=True",
            "f(2, 3), dim=1, keepdim=True",
            "f(2, 3), dim=1, correction=0",
        ),
        errors=(*AXIS_ERRORS, ("f(2, 3), 1, dim=0", TypeError, "axis")),
    )(impl)


# observed: `correction` is 0 by default for std (documented: 1); var with `dim` is documented alone
_spread_method("std", torch.std, "Standard deviation", 0, "0")
_spread_method("var", torch.var, "Variance", 1, "1 with `dim` or `keepdim`, else 0")


@primitive(
    "ReduceStd",
    samples=("f(2, 3)", "f(2, 3), axis=1, unbiased=False, keep_dims=True"),
    errors=(
        ("f(2, 3), axis=2", ValueError, "must be in the range"),
        ("f(2, 3), axis='x'", TypeError, "int"),
    ),
)
def _reduce_std(
    x: Tensor, *, axis: Any = (), unbiased: bool = True, keep_dims: bool = False
) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean along axes.

    Args:
        axis (Union[int, tuple, list]): the axes. Default (): all.
        unbiased (bool): whether the divisor is N - 1. Default: True.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.
        x (Tensor): any shape.

    Returns: Tuple of standard deviation and mean.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: an axis is out of range or given twice.
    Difference from PyTorch: ``torch.std_mean``.

    >>> std, mean = ms.ops.ReduceStd(unbiased=False)(ms.Tensor([1.0, 3.0]))
    >>> print(std, mean)
    1.0 2.0
    """
    return _spread_of("ReduceStd", torch.std_mean, x, axis, int(unbiased), keep_dims)


@op(
    method=True,
    mint=True,
    samples=("f(2, 3), 1", "f(2, 3), (0, 1), True", "i(2, 3), 0"),
    errors=AXIS_ERRORS,
    reference="np.log(np.exp(np.asarray(input)).sum(dim, keepdims=keepdim))",
)
def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    r"""Logarithm of the sum of exponentials along axes: :math:`\ln \sum_{dim} e^{input}`.

    Args:
        input (Tensor): any shape.
        dim (Union[int, tuple, list]): the axes; empty for all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.

    Returns: Tensor, computed without overflow; integers give float32.
    Raises TypeError: `dim` has the wrong type.
    Raises ValueError: an axis is out of range or given twice.

    >>> print(ms.ops.logsumexp(ms.Tensor([1.0, 2.0]), 0))
    2.3132617
    """
    axes = axes_of("logsumexp", dim, input.ndim, "dim")
    return torch.logsumexp(input, axes, keepdim) if axes else torch.logsumexp(input, 0, keepdim)


def _count_nonzero(op_name: str, x: Tensor, axis: Any, keepdims: bool, dtype: Any) -> Tensor:
    kind = torch.int32 if dtype is None else to_torch_dtype(dtype, op_name=op_name)
    return reduced(op_name, torch.sum, x != 0, axis, keepdims).to(kind)


@op(
    samples=("f(2, 3)", "f(2, 3), 1, True", "i(3)"),
    errors=AXIS_ERRORS,
    cast="never",
    differentiable=False,
)
def count_nonzero(
    x: Tensor, axis: Any = (), keep_dims: bool = False, dtype: Any = torch.int32
) -> Tensor:
    """The number of elements along axes that are not zero.

    Args:
        x (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes. Default (): all.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type of the result. Default: int32.

    Returns: Tensor of `dtype`.
    Raises TypeError: `axis` has the wrong type.
    Raises ValueError: an axis is out of range or given twice.
    Difference from PyTorch: int64 there, and no `keep_dims`.

    >>> print(ms.ops.count_nonzero(ms.Tensor([[0, 1], [2, 3]]), 1))
    [1 2]
    """
    return _count_nonzero("count_nonzero", x, axis, keep_dims, dtype)


@op(
    "count_nonzero",
    function=False,
    method="count_nonzero",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), axis=1, keep_dims=True", "f(2, 3), dim=1"),
    errors=AXIS_ERRORS,
)
def _count_nonzero_method(
    input: Tensor,
    axis: Any = (),
    keep_dims: bool = False,
    dtype: Any = None,
    *,
    dim: Any = None,
) -> Tensor:
    """The number of elements along axes that are not zero; see :func:`ops.count_nonzero`.

    >>> print(ms.Tensor([0, 1, 2]).count_nonzero())
    2
    """
    return _count_nonzero("count_nonzero", input, axis if dim is None else dim, keep_dims, dtype)


@op(
    "count_nonzero",
    function=False,
    mint="count_nonzero",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), 1"),
    errors=AXIS_ERRORS,
)
def _count_nonzero_mint(input: Tensor, dim: Any = None) -> Tensor:
    """The number of elements along axes that are not zero, as int64; see :func:`ops.count_nonzero`.

    >>> print(ms.mint.count_nonzero(ms.Tensor([0, 1, 2])))
    2
    """
    return _count_nonzero("count_nonzero", input, dim, False, torch.int64)


_WITH_NAN = "torch.tensor([[0.5, torch.nan, 2.0], [1.0, 3.0, 0.2]]).double()"


@op(
    method=True,
    samples=("f(2, 3)", "f(2, 3), 1, True", "f(2, 3), dtype=ms.float32", f"{_WITH_NAN}, 1"),
    errors=AXIS_ERRORS,
    keywords={"dim": "axis", "keepdim": "keepdims"},
)
def nansum(input: Tensor, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum along axes, nan counting as 0.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type of the result. Default: None.

    Returns: Tensor; integers keep their type.
    Raises TypeError: `axis` has the wrong type.
    Raises ValueError: an axis is out of range or given twice.
    Difference from PyTorch: `axis` is called ``dim`` there, and the sum of integers is int64.

    >>> print(ms.ops.nansum(ms.Tensor([1.0, float("nan")])))
    1.0
    """
    values = in_type("nansum", input, dtype)
    result = reduced("nansum", torch.nansum, values, axis, keepdims)
    return result if values.dtype is torch.bool else result.to(values.dtype)


@op(
    "nansum",
    function=False,
    mint="nansum",
    samples=("f(2, 3)", "f(2, 3), 1, True"),
    errors=AXIS_ERRORS,
)
def _nansum_mint(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Sum along axes, nan counting as 0; see :func:`ops.nansum`.

    >>> print(ms.mint.nansum(ms.Tensor([1.0, float("nan")])))
    1.0
    """
    return nansum(input, dim, keepdim, dtype=dtype)


@op(method=True, samples=("f(2, 3)", "f(2, 3), 1, True", _WITH_NAN), errors=AXIS_ERRORS)
def nanmean(
    input: Tensor, axis: Any = None, keepdims: bool = False, *, dtype: Any = None
) -> Tensor:
    """Mean along axes of the elements that are not nan.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type of the result. Default: None.

    Returns: Tensor.
    Raises TypeError: `axis` has the wrong type.
    Raises ValueError: an axis is out of range or given twice.
    Difference from PyTorch: `axis` is called ``dim`` there.

    >>> print(ms.ops.nanmean(ms.Tensor([1.0, float("nan"), 3.0])))
    2.0
    """
    return reduced("nanmean", torch.nanmean, in_type("nanmean", input, dtype), axis, keepdims)


def _median(
    op_name: str, compute: Callable[..., Any], input: Tensor, axis: Any, keepdims: bool
) -> tuple:
    if input.ndim == 0:
        return input, torch.zeros((), dtype=torch.int64, device=input.device)
    result = compute(input, axis_of(op_name, axis, input.ndim), keepdims)
    return result.values, result.indices


@op(
    method=True,
    samples=("f(2, 3)", "f(2, 3), 0, True"),
    errors=(("f(2, 3), None", TypeError, "axis"), ("f(2), 1", ValueError, "axis")),
    keywords={"dim": "axis", "keepdim": "keepdims"},
)
def median(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Medians along an axis and their indices; of an even number the lower one.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default: -1.
        keepdims (bool): whether the axis stays, with size 1. Default: False.

    Returns: Tuple of values and indices (int64).
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: there is always an axis; ``torch.median(x)`` takes all elements.

    >>> values, places = ms.ops.median(ms.Tensor([3.0, 1.0, 2.0]))
    >>> print(values, places)
    2.0 2
    """
    return _median("median", torch.median, input, axis, keepdims)


@op(
    "median",
    function=False,
    mint="median",
    samples=("f(2, 3)", "f(2, 3), 0, True"),
    errors=(("f(2), 1", ValueError, "must be in the range"), ("f(2), 'x'", TypeError, "int")),
)
def _median_mint(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Median of all elements, or medians along `dim` and their indices; see :func:`ops.median`.

    >>> print(ms.mint.median(ms.Tensor([3.0, 1.0, 2.0])))
    2.0
    """
    if dim is None:
        return torch.median(input)
    return _median("median", torch.median, input, dim, keepdim)


@op(
    method=True,
    samples=("f(2, 3)", "f(2, 3), 0, True", f"{_WITH_NAN}, 1"),
    errors=(("f(2), 1", ValueError, "axis"),),
)
def nanmedian(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Medians along an axis of the elements that are not nan, and their indices.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default: -1.
        keepdims (bool): whether the axis stays, with size 1. Default: False.

    Returns: Tuple of values and indices (int64).
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: there is always an axis.

    >>> print(ms.ops.nanmedian(ms.Tensor([3.0, float("nan"), 2.0]))[0])
    2.0
    """
    return _median("nanmedian", torch.nanmedian, input, axis, keepdims)


def _quantile(
    op_name: str, compute: Any, input: Tensor, q: Any, axis: Any, keepdims: bool
) -> Tensor:
    if input.dtype not in (torch.float32, torch.float64):
        raise TypeError(
            f"For '{op_name}', 'input' must be float32 or float64, but got "
            f"{FROM_TORCH[input.dtype]}; convert with .astype(ms.float32)."
        )
    at = q if isinstance(q, Tensor) else torch.tensor(q, device=input.device)
    at = at.to(input.dtype)
    if bool(((at < 0) | (at > 1)).any()):
        raise ValueError(f"For '{op_name}', 'q' must lie in [0, 1], but got {at.tolist()}.")
    place = None if axis is None else axis_of(op_name, axis, input.ndim)
    return compute(input, at, place, keepdims)


_QUANTILE_SAMPLES = ("f(5), 0.25", "f(2, 5), u(2), 1", "f(2, 5), 0.5, 0, True")


@op(method=True, samples=_QUANTILE_SAMPLES, errors=(("f(3), 1.5", ValueError, "q"),))
def quantile(
    input: Tensor, q: Tensor | float, axis: int | None = None, keepdims: bool = False
) -> Tensor:
    """Quantiles along an axis, interpolated linearly.

    Args:
        input (Tensor): float32 or float64, any shape.
        q (Union[float, Tensor]): where between 0 and 1, a number or several, 1-D.
        axis (int): the axis. Default None: all elements.
        keepdims (bool): whether the axis stays, with size 1. Default: False.

    Returns: Tensor; several `q` give a new first axis.
    Raises TypeError: `axis` is not an int or `input` of another type.
    Raises ValueError: `q` is outside of [0, 1], or `axis` out of range.
    Difference from PyTorch: `axis` is called ``dim`` there; a list is accepted.
    Source: MindSpore 2.10's interface (it has no CPU kernel).

    >>> print(ms.ops.quantile(ms.Tensor([1.0, 2.0, 3.0]), 0.25))
    1.5
    """
    return _quantile("quantile", torch.quantile, input, q, axis, keepdims)


@op(
    method=True,
    samples=(*_QUANTILE_SAMPLES, f"{_WITH_NAN}, u(2), 1"),
    errors=(("f(3), 1.5", ValueError, "q"),),
)
def nanquantile(
    input: Tensor, q: Tensor | float, axis: int | None = None, keepdims: bool = False
) -> Tensor:
    """Quantiles along an axis of the elements that are not nan; see :func:`ops.quantile`.

    Args:
        input (Tensor): float32 or float64, any shape.
        q (Union[float, Tensor]): where between 0 and 1, a number or several, 1-D.
        axis (int): the axis. Default None: all elements.
        keepdims (bool): whether the axis stays, with size 1. Default: False.

    Returns: Tensor; several `q` give a new first axis.
    Raises TypeError: `axis` is not an int or `input` of another type.
    Raises ValueError: `q` is outside of [0, 1], or `axis` out of range.
    Difference from PyTorch: `axis` is called ``dim`` there; a list is accepted.
    Source: MindSpore 2.10's interface (it has no CPU kernel).

    >>> print(ms.ops.nanquantile(ms.Tensor([1.0, float("nan"), 3.0]), 0.5))
    2.0
    """
    return _quantile("nanquantile", torch.nanquantile, input, q, axis, keepdims)


@op(
    method=True,
    samples=("f(2, 5)", "f(5)", "f(2, 5), correction=0"),
    errors=(("f(2, 2, 2)", ValueError, "cov"),),
)
def cov(
    input: Tensor,
    *,
    correction: int = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """Covariance matrix of variables (rows) over observations (columns).

    Args:
        input (Tensor): a matrix, or a vector of one variable.
        correction (int): what is taken from the number of observations in the divisor. Default: 1.
        fweights (Tensor): how often each observation counts, integers. Default: None.
        aweights (Tensor): weights of the observations. Default: None.

    Returns: Tensor, a matrix (0-d for a vector); float16 gives float32.
    Raises ValueError: `input` has more than two axes.

    >>> print(ms.ops.cov(ms.Tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])))
    [[1. 1.]
     [1. 1.]]
    """
    if input.ndim > 2:
        raise ValueError(
            f"For 'cov', 'input' must be a matrix or a vector, but got shape {list(input.shape)}."
        )
    if input.dtype in (torch.float16, torch.bfloat16):
        input = input.float()
    return torch.cov(input, correction=correction, fweights=fweights, aweights=aweights)


# ---------------------------------------------------------------------------------- counting


@op(
    method=True,
    mint=False,
    cast="never",
    samples=("i(5)", "i(5), minlength=6", "i(3), f(3)"),
    errors=(
        ("f(3)", TypeError, "bincount"),
        ("i(2, 2)", ValueError, "1-D"),
        ("i(3), minlength=-1", ValueError, "minlength"),
    ),
)
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    r"""Occurrences of each number: :math:`out_v = \sum_i [input_i = v]\, weights_i`.

    Args:
        input (Tensor): integers from 0 on, 1-D.
        weights (Tensor): what each occurrence counts. Default None: 1.
        minlength (int): the least length of the result. Default: 0.

    Returns: Tensor of float32.
    Raises TypeError: `input` are not integers.
    Raises ValueError: `input` is not 1-D or has negative numbers, or `minlength` is negative.
    Difference from PyTorch: counts are int64 there, weighted ones in the type of `weights`.

    >>> print(ms.ops.bincount(ms.Tensor([0, 1, 1, 3])))
    [1. 2. 0. 1.]
    """
    return _bincount(input, weights, minlength).float()


def _bincount(input: Tensor, weights: Tensor | None, minlength: Any) -> Tensor:
    check_integers("bincount", "input", input)
    if input.ndim != 1:
        raise ValueError(f"For 'bincount', 'input' must be 1-D, but got shape {list(input.shape)}.")
    least = integer("bincount", "minlength", minlength, 0)
    if any_outside(input, 0):
        raise ValueError("For 'bincount', 'input' must not have negative numbers.")
    places = input.long()
    if weights is None:
        return torch.bincount(places, None, least)
    size = max(least, int(places.max()) + 1 if places.numel() else 0)
    # torch.bincount has no gradient with respect to the weights
    return weights.new_zeros(size).index_add(0, places, weights)


@op(
    "bincount",
    function=False,
    mint="bincount",
    cast="never",
    samples=("i(5)", "i(3), f(3), 6"),
    errors=(("f(3)", TypeError, "input"), ("i(2, 2)", ValueError, "1-D")),
)
def _bincount_mint(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Occurrences of each number, as int64 unless there are weights; see :func:`ops.bincount`.

    >>> print(ms.mint.bincount(ms.Tensor([0, 1, 1, 3])))
    [1 2 0 1]
    """
    return _bincount(input, weights, minlength)


@op(
    method=True,
    mint=True,
    cast="never",
    differentiable=False,
    samples=("f(9), 4", "f(9), 4, -1.0, 1.0", "i(5), 3, 0, 3"),
    errors=(("f(3), 0", ValueError, "bins"), ("f(3), 2, 1.0, 0.0", ValueError, "max")),
)
def histc(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """Count the elements in intervals of equal width.

    Args:
        input (Tensor): any shape.
        bins (int): the number of intervals. Default: 100.
        min (number): the start of the first interval. Default: 0.
        max (number): the end of the last interval; if equal to `min`, both are taken from
            `input`. Default: 0.

    Returns: Tensor of shape (bins,), of the type of `input`; float32 for float16.
    Raises TypeError: `bins` is not an int.
    Raises ValueError: `bins` is not positive or `max` less than `min`.
    Difference from PyTorch: integers are accepted.

    >>> print(ms.ops.histc(ms.Tensor([1.0, 2.0, 1.0]), 4, 0.0, 3.0))
    [0. 2. 1. 0.]
    """
    count = integer("histc", "bins", bins, 1)
    if max < min:
        raise ValueError(f"For 'histc', 'max' {max} must not be less than 'min' {min}.")
    if input.dtype in (torch.float16, torch.bfloat16):
        input = input.float()  # float16 holds no count above 2048
    values = input if input.is_floating_point() else input.double()
    return torch.histc(values, count, min, max).to(input.dtype)
