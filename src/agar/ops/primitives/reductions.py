"""Primitive classes that reduce tensors or count their elements."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar.ops._checks import boolean, choice, integer, number
from agar.ops.linalg import norms
from agar.ops.math import statistics
from agar.ops.math.elementwise import check_integers
from agar.ops.spec import primitive
from agar.ops.tensor.axes import axes_of

__all__: list[str] = []


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
    return torch.linalg.vector_norm(x.double(), 2, chosen, keep).to(x.dtype)


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
    return torch.bincount(place.long().reshape(-1), minlength=count).int()


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
    places = array[inside].long()
    return weights.new_zeros(count).index_add(0, places, weights[inside])
