"""Primitive classes whose function has other arguments, or that have none.

Each describes what it computes in its first line; where a function exists it is named there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH, to_torch_dtype
from agar.ops._checks import boolean, choice, integer, number
from agar.ops.linalg import norms
from agar.ops.math import statistics
from agar.ops.math.elementwise import any_outside, check_integers
from agar.ops.spec import primitive
from agar.ops.tensor import ranges
from agar.ops.tensor.axes import axes_of
from agar.ops.tensor.inplace import fill_diagonal
from agar.ops.tensor.scattering import index_put

__all__: list[str] = []


def _one_shape(op_name: str, x: Tensor, y: Tensor) -> None:
    """Check that two tensors have one type and shape.

    Raises:
        TypeError: the types differ.
        ValueError: the shapes differ.
    """
    if x.dtype != y.dtype:
        raise TypeError(
            f"For '{op_name}', both inputs must have the same type, but got {FROM_TORCH[x.dtype]} "
            f"and {FROM_TORCH[y.dtype]}."
        )
    if x.shape != y.shape:
        raise ValueError(
            f"For '{op_name}', both inputs must have the same shape, but got {list(x.shape)} and "
            f"{list(y.shape)}."
        )


# ------------------------------------------------------------------------------ elements


@primitive("ComplexAbs", samples=("c(2, 3)",), errors=(("f(2)", TypeError, "complex"),))
def _complex_abs(x: Tensor) -> Tensor:
    """Absolute values of complex numbers; see :func:`ops.abs`.

    >>> print(ms.ops.ComplexAbs()(ms.Tensor([3 + 4j])))
    [5.]
    """
    if not x.is_complex():
        raise TypeError(f"For 'ComplexAbs', 'x' must be complex, but got {FROM_TORCH[x.dtype]}.")
    return x.abs()


@primitive(
    "ConjugateTranspose",
    samples=("c(2, 3), (1, 0)", "c(2, 3, 1), (2, 0, 1)"),
    errors=(
        ("c(2, 3), (0, 0)", ValueError, "perm"),
        ("c(2, 3), (0,)", ValueError, "perm"),
        ("c(2, 3), 0.5", TypeError, "perm"),
    ),
    cast="never",
)
def _conjugate_transpose(x: Tensor, perm: Any) -> Tensor:
    """Complex conjugate with the axes in another order; see :func:`ops.transpose`.

    >>> print(ms.ops.ConjugateTranspose()(ms.Tensor([[1j, 2]]), (1, 0)))
    [[0.-1.j]
     [2.-0.j]]
    """
    order = axes_of("ConjugateTranspose", perm, x.ndim, "perm")
    if len(order) != x.ndim:
        raise ValueError(
            f"For 'ConjugateTranspose', 'perm' must name each of the {x.ndim} axes once, but got "
            f"{perm}."
        )
    return x.permute(order).conj_physical()


@primitive(
    "CheckNumerics",
    samples=("f(2, 3)",),
    errors=(("f(2) / 0", RuntimeError, "Inf"), ("i(2)", TypeError, "floating")),
    cast="never",
)
def _check_numerics(x: Tensor) -> Tensor:
    """The tensor itself, or a RuntimeError if it has nan or infinite elements.

    >>> print(ms.ops.CheckNumerics()(ms.Tensor([1.0, 2.0])))
    [1. 2.]
    """
    if not x.is_floating_point():
        raise TypeError(
            f"For 'CheckNumerics', 'x' must be of a floating type, but got {FROM_TORCH[x.dtype]}."
        )
    if bool(x.isnan().any()):
        raise RuntimeError("For 'CheckNumerics', the tensor has NaN values.")
    if bool(x.isinf().any()):
        raise RuntimeError("For 'CheckNumerics', the tensor has Inf values.")
    return x


@primitive(
    "FloatStatus",
    samples=("f(2, 3)", "f(2) / 0"),
    errors=(("i(3)", TypeError, "floating"),),
    differentiable=False,
    cast="never",
)
def _float_status(x: Tensor) -> Tensor:
    """One if an element is nan or infinite, else zero: float32 of shape (1,).

    >>> print(ms.ops.FloatStatus()(ms.Tensor([1.0, float("nan")])))
    [1.]
    """
    if not x.is_floating_point():
        raise TypeError(
            f"For 'FloatStatus', 'x' must be of a floating type, but got {FROM_TORCH[x.dtype]}."
        )
    return (~x.isfinite().all()).to(torch.float32).reshape(1)


@primitive(
    "EqualCount",
    samples=("f(3), f(3)", "i(2, 3), i(2, 3)"),
    errors=(("f(2), f(3)", ValueError, "shape"), ("f(2), i(2)", TypeError, "type")),
    differentiable=False,
)
def _equal_count(x: Tensor, y: Tensor) -> Tensor:
    """The number of equal elements of two tensors, in their type, shape (1,).

    >>> print(ms.ops.EqualCount()(ms.Tensor([1, 2, 3]), ms.Tensor([1, 0, 3])))
    [2]
    """
    _one_shape("EqualCount", x, y)
    return (x == y).sum().to(x.dtype).reshape(1)


@primitive("SquareSumAll", samples=("f(3), f(3)",), errors=(("f(2), f(3)", ValueError, "shape"),))
def _square_sum_all(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    r"""The sums :math:`\sum x_i^2` and :math:`\sum y_i^2`.

    >>> first, second = ms.ops.SquareSumAll()(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0]))
    >>> print(first, second)
    5.0 25.0
    """
    _one_shape("SquareSumAll", x, y)
    return x.square().sum(), y.square().sum()


# ------------------------------------------------------------------------------- reductions


@primitive(
    "CountNonZero",
    samples=("f(2, 3)", "i(2, 3), dims=(0,)"),
    errors=(("f(2, 3), dims=(2,)", ValueError, "dims"), ("f(2, 3), dims=0.5", TypeError, "dims")),
    differentiable=False,
)
def _count_non_zero(x: Tensor, *, dims: Any = None) -> Tensor:
    """The number of elements that are not zero; see :func:`ops.count_nonzero`.

    Attributes:
        dims (Union[int, tuple, list]): the axes to count along. Default: None, all.

    Inputs:
        - **x** (Tensor) - any shape.

    Outputs: Tensor of int64, without the axes.
    Raises TypeError: `dims` is not None, an int or a tuple or list of ints.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: ``torch.count_nonzero``.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.CountNonZero()(ms.Tensor([1.0, 0.0, 3.0])))
    2
    """
    axes = range(x.ndim) if dims is None else axes_of("CountNonZero", dims, x.ndim, "dims")
    return (x != 0).sum(tuple(axes))


def _tensor_or_tuple(axes: Any) -> Any:
    return axes.tolist() if isinstance(axes, Tensor) else axes


@primitive(
    "EuclideanNorm",
    samples=("f(2, 3), (0,)", "f(2, 3), torch.tensor([0, 1])", "i(2, 3), (0,), keep_dims=True"),
    errors=(
        ("f(2, 3), (2,)", ValueError, "axes"),
        ("f(2, 3), (0,), keep_dims=1", TypeError, "keep_dims"),
        ("b(2, 3), (0,)", TypeError, "x"),
    ),
)
def _euclidean_norm(x: Tensor, axes: Any, *, keep_dims: bool = False) -> Tensor:
    r"""Norm along axes: :math:`\sqrt{\sum |x|^2}`.

    Attributes:
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Inputs:
        - **x** (Tensor) - a number type, any shape.
        - **axes** (Union[int, tuple, list, Tensor]) - the axes.

    Outputs: Tensor of the type of `x`; for integers the fraction is cut off.
    Raises TypeError: `x` is bool, or `keep_dims` is not.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: ``torch.linalg.vector_norm``, for floating types only.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.EuclideanNorm()(ms.Tensor([3.0, 4.0]), (0,)))
    5.0
    """
    if x.dtype is torch.bool:
        raise TypeError("For 'EuclideanNorm', 'x' must be of a number type, but got Bool.")
    chosen = axes_of("EuclideanNorm", _tensor_or_tuple(axes), x.ndim, "axes")
    keep = boolean("EuclideanNorm", "keep_dims", keep_dims)
    if x.is_floating_point() or x.is_complex():
        return torch.linalg.vector_norm(x, 2, chosen, keep)
    return torch.linalg.vector_norm(x.to(torch.float64), 2, chosen, keep).to(x.dtype)


@primitive(
    "NuclearNorm",
    samples=("f(3, 2)", "f(2, 3, 2), dim=(0, 1), keepdim=True"),
    errors=(
        ("f(3)", ValueError, "axes"),
        ("f(2, 3), dim=(0,)", ValueError, "dim"),
        ("f(2, 3), dim=(0, 2)", ValueError, "dim"),
        ("f(2, 3), keepdim=1", TypeError, "keepdim"),
    ),
)
def _nuclear_norm(x: Tensor, *, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Sum of the singular values of matrices; see :func:`ops.norm`.

    >>> print(ms.ops.NuclearNorm()(ms.Tensor([[3.0, 4.0]])))
    5.0
    """
    if x.ndim < 2:
        raise ValueError(
            f"For 'NuclearNorm', 'x' must have two or more axes, but got shape {list(x.shape)}."
        )
    axes = axes_of("NuclearNorm", (-2, -1) if dim is None else dim, x.ndim, "dim")
    if len(axes) != 2:
        raise ValueError(f"For 'NuclearNorm', 'dim' must name two axes, but got {dim}.")
    return norms.matrix_norm(x, "nuc", axes, boolean("NuclearNorm", "keepdim", keepdim))


@primitive(
    "Pdist",
    samples=("f(4, 3)", "f(4, 3), p=1.0"),
    errors=(
        ("f(4)", ValueError, "matrix"),
        ("f(4, 3), p='x'", TypeError, "p"),
        ("f(4, 3), p=-1.0", ValueError, "negative"),
    ),
)
def _pdist(x: Tensor, *, p: float = 2.0) -> Tensor:
    """Distances of all pairs of rows; see :func:`ops.pdist`.

    >>> print(ms.ops.Pdist(p=1.0)(ms.Tensor([[0.0, 0.0], [3.0, 4.0]])))
    [7.]
    """
    if number("Pdist", "p", p) < 0:
        raise ValueError(f"For 'Pdist', 'p' must not be negative, but got {p}.")
    return norms.pdist(x, p)


@primitive(
    "Renorm",
    samples=("f(3, 4), p=2, dim=0, maxnorm=0.5",),
    errors=(
        ("f(3, 4), p=2, dim=2, maxnorm=0.5", ValueError, "axis"),
        ("f(3, 4), p=-1, dim=0, maxnorm=0.5", ValueError, "p"),
        ("f(3, 4), p=2, dim=0, maxnorm='x'", TypeError, "maxnorm"),
    ),
)
def _renorm(input_x: Tensor, *, p: float, dim: int, maxnorm: float) -> Tensor:
    """Scale the slices along an axis whose norm is too large down to it; see :func:`ops.renorm`.

    Attributes:
        p (number): the norm, positive.
        dim (int): the axis whose slices are measured.
        maxnorm (number): the largest norm.

    Inputs:
        - **input_x** (Tensor) - a floating or complex type, one axis or more.

    Outputs: Tensor of the same shape.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `p` or `maxnorm` is negative, or `dim` is out of range.
    Difference from PyTorch: ``torch.renorm``.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.Renorm(2, 0, 1.0)(ms.Tensor([[3.0, 4.0]])))
    [[0.6 0.8]]
    """
    return norms.renorm(input_x, p, dim, maxnorm)


@primitive(
    "Median",
    samples=("f(2, 3), axis=1", "f(5), global_median=True", "f(2, 3), keep_dims=True"),
    errors=(
        ("f(2, 3), axis=2", ValueError, "axis"),
        ("f(2, 3), axis=0.5", TypeError, "axis"),
        ("f(2, 3), global_median=1", TypeError, "global_median"),
        ("f(2, 3), keep_dims=1", TypeError, "keep_dims"),
    ),
)
def _median(
    x: Tensor,
    *,
    global_median: bool = False,
    axis: int = 0,
    keep_dims: bool = False,
    ignore_nan: bool = False,
) -> tuple[Tensor, Tensor]:
    """Medians along an axis and their indices; see :func:`ops.median`.

    Attributes:
        global_median (bool): whether to take the median of all elements, with the index 0 and
            without axes. Default: False.
        axis (int): the axis. Default: 0.
        keep_dims (bool): whether the axis stays, with size 1. Default: False.
        ignore_nan (bool): whether nan is left out. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.

    Outputs: Tuple of values and indices (int64); of an even number of elements the lower one
        counts.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: ``torch.median`` and ``torch.nanmedian``.
    Source: behavior observed in MindSpore 2.10.

    >>> values, places = ms.ops.Median()(ms.Tensor([3.0, 1.0, 2.0]))
    >>> print(values, places)
    2.0 2
    """
    boolean("Median", "keep_dims", keep_dims)
    boolean("Median", "ignore_nan", ignore_nan)
    if boolean("Median", "global_median", global_median):
        result = (torch.nanmedian if ignore_nan else torch.median)(x)
        return result, torch.zeros((), dtype=torch.int64, device=x.device)
    compute = statistics.nanmedian if ignore_nan else statistics.median
    return compute(x, axis, keep_dims)


@primitive(
    "Quantile",
    samples=("f(5), 0.25", "f(2, 5), u(2), dim=1, keep_dims=True"),
    errors=(
        ("f(5), 1.5", ValueError, "q"),
        ("f(2, 5), 0.5, dim=2", ValueError, "axis"),
        ("i(5), 0.5", TypeError, "input"),
    ),
)
def _quantile(
    input: Tensor,
    q: Tensor | float,
    *,
    dim: Any = None,
    keep_dims: bool = False,
    ignore_nan: bool = False,
) -> Tensor:
    """Quantiles along an axis, interpolated linearly; see :func:`ops.quantile`.

    Attributes:
        dim (int): the axis. Default: None, all elements.
        keep_dims (bool): whether the axis stays, with size 1. Default: False.
        ignore_nan (bool): whether nan is left out. Default: False.

    Inputs:
        - **input** (Tensor) - float32 or float64, any shape.
        - **q** (Union[float, Tensor]) - in [0, 1], a number or several, 1-D.

    Outputs: Tensor; several `q` give a new first axis.
    Raises TypeError: `input` has the wrong type.
    Raises ValueError: `q` or `dim` is out of range.
    Difference from PyTorch: ``torch.quantile`` and ``torch.nanquantile``.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.Quantile()(ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor(0.5)))
    2.0
    """
    compute = statistics.nanquantile if ignore_nan else statistics.quantile
    return compute(input, q, dim, keep_dims)


@primitive(
    "Histogram",
    samples=("f(9), bins=4", "i(5), bins=3, max=3.0"),
    errors=(
        ("f(9), bins=0", ValueError, "bins"),
        ("f(9), bins=1.5", TypeError, "bins"),
        ("f(9), min=2.0, max=1.0", ValueError, "max"),
        ("f(9), min='x'", TypeError, "min"),
    ),
    differentiable=False,
)
def _histogram(x: Tensor, *, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """Count the elements in intervals of equal width; see :func:`ops.histc`.

    >>> print(ms.ops.Histogram(bins=4)(ms.Tensor([1.0, 2.0, 1.0])))
    [2. 0. 0. 1.]
    """
    integer("Histogram", "bins", bins, 1)
    if number("Histogram", "max", max) < number("Histogram", "min", min):
        raise ValueError(f"For 'Histogram', 'max' {max} must not be less than 'min' {min}.")
    return statistics.histc(x, bins, min, max)


@primitive(
    "HistogramFixedWidth",
    samples=("f(9), torch.tensor([-1.0, 1.0]), nbins=4",),
    errors=(("f(9), torch.tensor([1.0, 0.0]), nbins=4", ValueError, "range"),),
    differentiable=False,
)
def _histogram_fixed_width(x: Tensor, range: Tensor, *, nbins: int, dtype: str = "int32") -> Tensor:
    """Count the elements in intervals of equal width; those outside count in the outer intervals.

    Attributes:
        nbins (int): the number of intervals, at least 1.
        dtype (str): only ``"int32"``. Default: ``"int32"``.

    Inputs:
        - **x** (Tensor) - numbers, any shape.
        - **range** (Tensor) - the start of the first interval and the end of the last, shape (2,).

    Outputs: Tensor of int32, shape (nbins,).
    Raises TypeError: `nbins` is not an int.
    Raises ValueError: `nbins` is less than 1, `dtype` is another, or `range` does not ascend.
    Difference from PyTorch: ``torch.histc`` leaves out what lies outside.
    Source: behavior observed in MindSpore 2.10.

    >>> x = ms.Tensor([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0])
    >>> print(ms.ops.HistogramFixedWidth(5)(x, ms.Tensor([0.0, 5.0])))
    [2 1 1 0 2]
    """
    choice("HistogramFixedWidth", "dtype", dtype, ("int32",))
    count = integer("HistogramFixedWidth", "nbins", nbins, 1)
    low, high = (float(v) for v in range)
    if low >= high:
        raise ValueError(
            f"For 'HistogramFixedWidth', the 'range' must ascend, but got {[low, high]}."
        )
    place = ((x - low) / (high - low) * count).floor().clamp(0, count - 1)
    return torch.bincount(place.to(torch.int64).reshape(-1), minlength=count).to(torch.int32)


@primitive(
    "Bincount",
    samples=("i(5), torch.tensor(4), f(5)",),
    errors=(("f(5), torch.tensor(4), f(5)", TypeError, "array"),),
    cast="never",
)
def _bincount(array: Tensor, size: Any, weights: Tensor) -> Tensor:
    """Weighted counts of the numbers from 0 to size - 1; see :func:`ops.bincount`.

    >>> x, size = ms.Tensor([1, 2, 2], ms.int32), ms.Tensor(4, ms.int32)
    >>> print(ms.ops.Bincount()(x, size, ms.ops.ones(3)))
    [0. 1. 2. 0.]
    """
    check_integers("Bincount", "array", array)
    count = int(size)
    inside = array < count
    places = array[inside].to(torch.int64)
    return weights.new_zeros(count).index_add(0, places, weights[inside])


# --------------------------------------------------------------------------------- orders


@primitive(
    "ListDiff",
    samples=("i(6), i(2) // 2, out_idx=ms.int64",),
    errors=(("i(6), f(2)", TypeError, "type"), ("i(2, 3), i(2)", ValueError, "1-D")),
    differentiable=False,
    cast="never",
)
def _list_diff(x: Tensor, y: Tensor, *, out_idx: Any = torch.int32) -> tuple[Tensor, Tensor]:
    """The elements of `x` that are not in `y`, in order, and their indices.

    Attributes:
        out_idx (Type): the type of the indices, int32 or int64. Default: int32.

    Inputs:
        - **x** (Tensor) - 1-D.
        - **y** (Tensor) - 1-D, of the same type.

    Outputs: Tuple of two 1-D Tensors: the elements and their indices in `x`.
    Raises TypeError: the inputs differ in type.
    Raises ValueError: an input is not 1-D.
    Difference from PyTorch: no counterpart; ``torch.isin``.
    Source: behavior observed in MindSpore 2.10.

    >>> values, places = ms.ops.ListDiff()(ms.Tensor([1, 2, 3, 4]), ms.Tensor([2, 4]))
    >>> print(values, places)
    [1 3] [0 2]
    """
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(
            f"For 'ListDiff', both inputs must be 1-D, but got shapes {list(x.shape)} and "
            f"{list(y.shape)}."
        )
    if x.dtype != y.dtype:
        raise TypeError(
            f"For 'ListDiff', both inputs must have the same type, but got {FROM_TORCH[x.dtype]} "
            f"and {FROM_TORCH[y.dtype]}."
        )
    keep = ~torch.isin(x, y)
    return x[keep], keep.nonzero().reshape(-1).to(to_torch_dtype(out_idx, op_name="ListDiff"))


def _bounds(name: str, right: bool, words: str, shown: str) -> None:
    def impl(sorted_x: Tensor, values: Tensor, *, out_type: Any = torch.int32) -> Tensor:
        if sorted_x.ndim != 2 or values.ndim != 2 or len(sorted_x) != len(values):
            raise ValueError(
                f"For '{name}', both inputs must have two axes and equally many rows, but got "
                f"shapes {list(sorted_x.shape)} and {list(values.shape)}."
            )
        result = torch.searchsorted(sorted_x.contiguous(), values.contiguous(), right=right)
        return result.to(to_torch_dtype(out_type, op_name=name))

    impl.__doc__ = (
        f"In each row, {words} value; see :func:`ops.searchsorted`.\n\n"
        "    Attributes:\n"
        "        out_type (Type): the type of the result, int32 or int64. Default: int32.\n\n"
        "    Inputs:\n"
        "        - **sorted_x** (Tensor) - shape (rows, N), ascending in each row.\n"
        "        - **values** (Tensor) - shape (rows, M).\n\n"
        "    Outputs: Tensor of `out_type`, of the shape of `values`.\n"
        "    Raises ValueError: an input has not two axes, or the numbers of rows differ.\n"
        "    Difference from PyTorch: ``torch.searchsorted``.\n"
        "    Source: behavior observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        "        >>> x, v = ms.Tensor([[1.0, 2.0, 3.0]]), ms.Tensor([[2.0, 5.0]])\n"
        f"        >>> print(ms.ops.{name}()(x, v))\n"
        f"        {shown}\n"
    )
    primitive(
        name,
        samples=("f(2, 5).sort(1).values, f(2, 3)",),
        errors=(("f(3), f(3)", ValueError, "two axes"),),
        differentiable=False,
        cast="never",
    )(impl)


_bounds("LowerBound", False, "the index of the first element that is not less than a", "[[1 3]]")
_bounds("UpperBound", True, "the index of the first element that is greater than a", "[[2 3]]")


@primitive(
    "UnravelIndex",
    samples=("i(3), torch.tensor([2, 3])", "i(), torch.tensor([2, 3])"),
    errors=(("torch.tensor([7]), torch.tensor([2, 3])", ValueError, "range"),),
    differentiable=False,
)
def _unravel_index(indices: Tensor, dims: Tensor) -> Tensor:
    """Flat indices as coordinates in a tensor of shape `dims`: one row for each axis.

    >>> print(ms.ops.UnravelIndex()(ms.Tensor([3, 5]), ms.Tensor([2, 3])))
    [[1 1]
     [0 2]]
    """
    sizes = dims.tolist()
    total = int(dims.prod())
    if any_outside(indices, 0, total):
        raise ValueError(
            f"For 'UnravelIndex', 'indices' must lie in the range [0, {total}), but got "
            f"{indices.tolist()}."
        )
    return torch.stack(torch.unravel_index(indices, sizes)).to(indices.dtype)


_FORMATS = ("NHWC", "NCHW")


def _format_order(op_name: str, src_format: str, dst_format: str) -> tuple[str, str]:
    choice(op_name, "src_format", src_format, _FORMATS)
    choice(op_name, "dst_format", dst_format, _FORMATS)
    return src_format, dst_format


@primitive(
    "DataFormatDimMap",
    samples=("i(4)", "torch.tensor([-5, -1, 0, 4])", "i(4), src_format='NCHW', dst_format='NHWC'"),
    errors=(
        ("i(4), src_format='NCWH'", ValueError, "src_format"),
        ("i(4), dst_format=1", TypeError, "dst_format"),
        ("f(4)", TypeError, "integer"),
    ),
    differentiable=False,
)
def _data_format_dim_map(
    input_x: Tensor, *, src_format: str = "NHWC", dst_format: str = "NCHW"
) -> Tensor:
    """Translate the numbers of axes between layouts: i becomes ``src_format.index(dst_format[i])``.

    Attributes:
        src_format (str): the layout of the result, ``"NHWC"`` or ``"NCHW"``. Default: ``"NHWC"``.
        dst_format (str): the layout of the input, likewise. Default: ``"NCHW"``.

    Inputs:
        - **input_x** (Tensor) - integers, any shape; they count modulo 4.

    Outputs: Tensor of the same shape and type.
    Raises TypeError: `input_x` are not integers.
    Raises ValueError: a layout is another.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.DataFormatDimMap()(ms.Tensor([0, 1, 2, 3])))
    [0 3 1 2]
    """
    check_integers("DataFormatDimMap", "input_x", input_x)
    src, dst = _format_order("DataFormatDimMap", src_format, dst_format)
    table = torch.tensor([src.index(axis) for axis in dst], device=input_x.device)
    return table[input_x.to(torch.int64).remainder(4)].to(input_x.dtype)


@primitive(
    "DataFormatVecPermute",
    samples=("i(4)", "i(4, 2)", "i(4), src_format='NCHW', dst_format='NHWC'"),
    errors=(
        ("i(4), src_format='NCWH'", ValueError, "src_format"),
        ("i(4, 3)", ValueError, "shape"),
        ("i(3)", ValueError, "shape"),
        ("f(4)", TypeError, "integer"),
    ),
    differentiable=False,
)
def _data_format_vec_permute(
    input_x: Tensor, *, src_format: str = "NHWC", dst_format: str = "NCHW"
) -> Tensor:
    """Reorder one element for each axis from one layout to another.

    Attributes:
        src_format (str): the layout of the input, ``"NHWC"`` or ``"NCHW"``. Default: ``"NHWC"``.
        dst_format (str): the layout of the result, likewise. Default: ``"NCHW"``.

    Inputs:
        - **input_x** (Tensor) - integers, shape (4,) or (4, 2).

    Outputs: Tensor of the same shape and type.
    Raises TypeError: `input_x` are not integers.
    Raises ValueError: a layout or the shape is another.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.DataFormatVecPermute()(ms.Tensor([10, 20, 30, 40])))
    [10 40 20 30]
    """
    check_integers("DataFormatVecPermute", "input_x", input_x)
    if tuple(input_x.shape) not in ((4,), (4, 2)):
        raise ValueError(
            "For 'DataFormatVecPermute', the shape of 'input_x' must be [4] or [4, 2], but got "
            f"{list(input_x.shape)}."
        )
    src, dst = _format_order("DataFormatVecPermute", src_format, dst_format)
    return input_x[[src.index(axis) for axis in dst]]


@primitive(
    "ParallelConcat",
    samples=("(f(1, 3), f(1, 3))",),
    errors=(
        ("(f(2, 3), f(1, 3))", ValueError, "size 1"),
        ("(f(1, 2), f(1, 3))", ValueError, "shape"),
        ("(f(1, 2), i(1, 2))", TypeError, "type"),
        ("()", ValueError, "empty"),
    ),
)
def _parallel_concat(values: Sequence[Tensor]) -> Tensor:
    """Tensors with a first axis of size 1 joined along it; see :func:`ops.cat`.

    >>> print(ms.ops.ParallelConcat()((ms.Tensor([[1, 2]]), ms.Tensor([[3, 4]]))))
    [[1 2]
     [3 4]]
    """
    for value in values:
        if value.ndim == 0 or len(value) != 1:
            raise ValueError(
                "For 'ParallelConcat', the first axis of every tensor must have size 1, but got "
                f"shape {list(value.shape)}."
            )
        _one_shape("ParallelConcat", values[0], value)
    return torch.cat(tuple(values))


# ------------------------------------------------------------------------ creation, writing


@primitive(
    "LogSpace",
    samples=("0.0, 2.0, steps=3",),
    errors=(
        ("0.0, 2.0, steps=-1", ValueError, "steps"),
        ("0.0, 2.0, base=0.5", TypeError, "base"),
        ("0.0, 2.0, base=-1", ValueError, "base"),
        ("0.0, 2.0, dtype='x'", TypeError, "dtype"),
    ),
    differentiable=False,
    cast="never",
)
def _log_space(
    start: Any, end: Any, *, steps: int = 10, base: int = 10, dtype: Any = torch.float32
) -> Tensor:
    """Powers whose exponents divide an interval evenly; see :func:`ops.logspace`.

    >>> print(ms.ops.LogSpace(steps=3)(ms.Tensor(0.0), ms.Tensor(2.0)))
    [  1.  10. 100.]
    """
    return ranges.logspace(start, end, steps, integer("LogSpace", "base", base, 0), dtype=dtype)


@primitive(
    "FillDiagonal",
    samples=("f(3, 2), fill_value=1.5", "f(5, 2), fill_value=1.5, wrap=True"),
    errors=(
        ("f(3), fill_value=1.5", ValueError, "axes"),
        ("f(3, 2), fill_value='x'", TypeError, "fill_value"),
        ("f(3, 2), fill_value=1.0, wrap=1", TypeError, "wrap"),
    ),
)
def _fill_diagonal(input_x: Tensor, *, fill_value: float, wrap: bool = False) -> Tensor:
    """A copy of a tensor with the main diagonal filled with one value.

    Attributes:
        fill_value (number): the value.
        wrap (bool): whether the diagonal starts anew below the square part of a tall matrix.
            Default: False.

    Inputs:
        - **input_x** (Tensor) - two or more axes.

    Outputs: Tensor of the same shape and type.
    Raises TypeError: `fill_value` is not a number, or `wrap` is not a bool.
    Raises ValueError: there are fewer than two axes.
    Difference from PyTorch: ``torch.Tensor.fill_diagonal_`` writes into the tensor.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.FillDiagonal(9.0)(ms.ops.zeros((2, 2))))
    [[9. 0.]
     [0. 9.]]
    """
    value = number("FillDiagonal", "fill_value", fill_value)
    return fill_diagonal(input_x, value, boolean("FillDiagonal", "wrap", wrap))


@primitive(
    "IndexPut",
    samples=("f(3), f(1), [torch.tensor([1])]", "f(3), f(2), [torch.tensor([1, 1])], accumulate=1"),
    errors=(
        ("f(3), f(1), [torch.tensor([5])]", ValueError, "range"),
        ("f(3), f(2), [i(3)]", ValueError, "shape"),
        ("f(3), f(1), [f(1)]", TypeError, "indices"),
        ("f(3), f(1), [i(1)], accumulate=2", ValueError, "accumulate"),
    ),
)
def _index_put(x1: Tensor, x2: Tensor, indices: Sequence[Tensor], *, accumulate: int = 0) -> Tensor:
    """A copy of a tensor in which the elements at indices are replaced or added to.

    Attributes:
        accumulate (int): 1 adds, equal indices several times; 0 replaces. Default: 0.

    Inputs:
        - **x1** (Tensor) - the tensor.
        - **x2** (Tensor) - the new values; the shape broadcasts to that of the indexed elements.
        - **indices** (Union[tuple[Tensor], list[Tensor]]) - integers for each of the leading axes.

    Outputs: Tensor of the shape and type of `x1`.
    Raises TypeError: `indices` are not integers.
    Raises ValueError: `accumulate` or an index is out of range, or shapes do not broadcast.
    Difference from PyTorch: ``torch.index_put``.
    Source: behavior observed in MindSpore 2.10.

    >>> x = ms.Tensor([1.0, 2.0, 3.0])
    >>> print(ms.ops.IndexPut()(x, ms.Tensor([9.0]), [ms.Tensor([1])]))
    [1. 9. 3.]
    """
    if integer("IndexPut", "accumulate", accumulate) not in (0, 1):
        raise ValueError(f"For 'IndexPut', 'accumulate' must be 0 or 1, but got {accumulate}.")
    return index_put(x1, indices, x2, bool(accumulate))


@primitive(
    "TypeAs",
    samples=("f(2, 3), i(2)", "i(3), f(1)"),
    errors=(("f(2, 3), 1.0", TypeError, "other"), ("[1.0], f(2)", TypeError, "must be a Tensor")),
    cast="never",
    differentiable=False,
)
def _type_as(input: Tensor, other: Tensor) -> Tensor:
    """A tensor in the type of another; see :func:`Tensor.type_as`.

    >>> print(ms.ops.operations.TypeAs()(ms.Tensor([1.5]), ms.Tensor([1])))
    [1]
    """
    return input.to(other.dtype)


@primitive(
    "PadAndShift",
    samples=("i(8), torch.tensor([0, 3, 5]), 1", "f(4), torch.tensor([1, 3, 6]), 0"),
    errors=(
        ("i(8), torch.tensor([0, 3, 5]), 3", ValueError, "shift_idx"),
        ("i(8), torch.tensor([0, 3, 5]), 1.5", TypeError, "shift_idx"),
        ("i(1), torch.tensor([0, 3, 5]), 0", ValueError, "input_x"),
    ),
    differentiable=False,
    cast="never",
)
def _pad_and_shift(input_x: Tensor, cum_sum_arr: Tensor, shift_idx: Any) -> Tensor:
    """The start of a vector, at a position of a vector of -1.

    The result is as long as the last number of `cum_sum_arr` says; the numbers at `shift_idx` and
    behind it are where the copied elements begin and end.

    >>> x, sums = ms.Tensor([9, 13, -1, -1]), ms.Tensor([0, 3, 5])
    >>> print(ms.ops.operations.PadAndShift()(x, sums, 1))
    [-1 -1 -1  9 13]
    """
    place = integer("PadAndShift", "shift_idx", shift_idx, 0)
    if place >= len(cum_sum_arr) - 1:
        raise ValueError(
            f"For 'PadAndShift', 'shift_idx' must be less than {len(cum_sum_arr) - 1}, the length "
            f"of 'cum_sum_arr' less one, but got {place}."
        )
    start, end, length = (int(cum_sum_arr[i]) for i in (place, place + 1, -1))
    if end - start > len(input_x):
        raise ValueError(
            f"For 'PadAndShift', 'input_x' must have {end - start} elements or more, but got "
            f"{len(input_x)}."
        )
    full = input_x.new_full((length,), -1)
    full[start:end] = input_x[: end - start]
    return full
