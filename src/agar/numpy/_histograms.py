"""Searches in sorted numbers, counts and histograms."""

from __future__ import annotations

import math
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar._core.errors import missing_feature
from agar._core.tensor import Tensor as AgarTensor
from agar.numpy._declare import Tensor, array, home, not_empty, to_common
from agar.ops._checks import integer

_math = home("math_ops")
_create = home("array_creations")


def searched(edges: Tensor, values: Tensor, right: bool) -> Tensor:
    kind = torch.float64 if values.dtype is torch.float64 else torch.float32
    edges = edges.detach().to(kind).contiguous()
    return torch.searchsorted(edges, values.detach().to(kind).contiguous(), right=right)


@_math(
    "searchsorted",
    cast="never",
    samples=(
        "torch.tensor([1.0, 2, 3, 4]), 3",
        "torch.tensor([1.0, 2, 3, 4]), 3, 'right'",
        "torch.tensor([1.0, 2, 3, 4]), f(2, 3) * 3",
        "torch.tensor([3.0, 1, 2]), 2.5, 'left', torch.tensor([1, 2, 0])",
        "[1, 2, 3], [2, 5]",
    ),
    errors=(
        ("f(3), 1, 'x'", ValueError, "side"),
        ("f(2, 2), 1", ValueError, "numpy.searchsorted"),
        ("f(3), 1, 'left', i(2)", ValueError, "sorter"),
        ("'a', 1", TypeError, "numpy.searchsorted"),
    ),
    reference="np.searchsorted(a, v, side, sorter)",
    differentiable=False,
)
def _searchsorted(
    a: Tensor | Any, v: Tensor | Any, side: str = "left", sorter: Tensor | Any = None
) -> Tensor:
    """The places at which numbers would have to be inserted into sorted ones.

    Args:
        a (Union[Tensor, list, tuple]): the sorted numbers, in one dimension.
        v (Union[Tensor, number, list, tuple]): the numbers to insert, of any shape.
        side (str): ``"left"`` for the first place that is right, ``"right"`` for the last. Default:
            ``"left"``.
        sorter (Union[Tensor, list, tuple]): the places in `a` in the order of its numbers. Default
            None: `a` is sorted.

    Returns: Tensor of int32, of the shape of `v`.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `a` has not one dimension, `sorter` not its size, or `side` is another word.
    Difference from PyTorch: int32; numbers and lists are accepted.

    >>> import agar.numpy as mnp
    >>> print(mnp.searchsorted([1, 2, 3, 4, 5], [-10, 10, 2, 3]))
    [0 5 1 2]
    """
    if side not in ("left", "right"):
        raise ValueError(
            f"For 'numpy.searchsorted', 'side' must be 'left' or 'right', but got {side!r}."
        )
    edges = array("searchsorted", "a", a)
    if edges.ndim != 1:
        raise ValueError(
            "For 'numpy.searchsorted', 'a' must have one dimension, but got shape "
            f"{list(edges.shape)}."
        )
    if sorter is not None:
        places = array("searchsorted", "sorter", sorter)
        if places.shape != edges.shape:
            raise ValueError(
                "For 'numpy.searchsorted', 'sorter' must have the shape of 'a', but the shapes are "
                f"{list(places.shape)} and {list(edges.shape)}."
            )
        edges = edges[places.to(torch.int64)]
    values = array("searchsorted", "v", v)
    return searched(edges, values, side == "right").to(torch.int32)


@_math(
    "digitize",
    cast="never",
    samples=(
        "f(4), torch.tensor([-1.0, 0, 1])",
        "f(4), torch.tensor([1.0, 0, -1])",
        "torch.tensor([1.0, 2]), torch.tensor([1.0, 2]), True",
        "[1.5, 2], [1, 2, 3]",
    ),
    errors=(("f(2), f(2, 2)", ValueError, "bins"), ("'a', [1]", TypeError, "numpy.digitize")),
    reference="np.digitize(x, bins, right)",
    differentiable=False,
)
def _digitize(x: Tensor | Any, bins: Tensor | Any, right: bool = False) -> Tensor:
    """The number of the bin in which each number lies.

    Args:
        x (Union[Tensor, number, list, tuple]): the numbers, of any shape.
        bins (Union[Tensor, list, tuple]): the bounds in ascending or descending order.
        right (bool): whether a bound belongs to the bin before it. Default: False.

    Returns: Tensor of int32, of the shape of `x`: 0 in front of the first bound.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `bins` has not one dimension.
    Difference from PyTorch: called ``torch.bucketize``; bounds may descend.

    >>> import agar.numpy as mnp
    >>> print(mnp.digitize([0.2, 6.4, 3.0], [0.0, 1.0, 2.5, 4.0, 10.0]))
    [1 4 3]
    """
    values, edges = array("digitize", "x", x), array("digitize", "bins", bins)
    if edges.ndim != 1:
        raise ValueError(
            f"For 'numpy.digitize', 'bins' must have one dimension, but got shape "
            f"{list(edges.shape)}."
        )
    if values.numel() == 0:
        return values
    if edges.numel() == 0:
        return torch.zeros_like(values, dtype=torch.int32)
    up = searched(edges, values, not right)
    down = edges.numel() - searched(edges.flip(0), values, right)
    return torch.where(edges[0] <= edges[-1], up, down).to(torch.int32)


def _tallied(places: Tensor, weights: Tensor | None, length: int) -> Tensor:
    """How often each place below `length` occurs, or the sums of weights, in float32."""
    places = torch.where(places < length, places, length).to(torch.int64)
    if weights is None:
        weights = torch.ones(1, dtype=torch.float32, device=places.device).expand(places.shape)
    empty = torch.zeros(length + 1, dtype=torch.float32, device=places.device)
    return empty.index_add(0, places, weights.to(torch.float32))[:length]


@_math(
    "bincount",
    cast="never",
    samples=("i(6)", "i(6), minlength=6", "i(4), f(4)", "[0, 1, 1, 3]"),
    errors=(
        ("f(2)", TypeError, "numpy.bincount"),
        ("i(2, 2)", ValueError, "numpy.bincount"),
        ("i(3), f(2)", ValueError, "weights"),
    ),
    reference="np.bincount(x, weights, minlength)",
    differentiable=False,
)
def _bincount(
    x: Tensor | Any,
    weights: Tensor | Any = None,
    minlength: int = 0,
    length: int | None = None,
) -> Tensor:
    """How often each integer from 0 on occurs.

    Args:
        x (Union[Tensor, list, tuple]): the integers, in one dimension; negative ones count as 0.
        weights (Union[Tensor, list, tuple]): what each counts. Default None: 1.
        minlength (int): the least length of the result. Default: 0.
        length (int): the length of the result; larger integers are left out. Default None: the
            largest integer plus one, and at least `minlength`.

    Returns: Tensor of float32, in one dimension.
    Raises TypeError: an argument is of another type, or `x` has no integers.
    Raises ValueError: `x` has not one dimension, or `weights` another shape.
    Difference from PyTorch: float32; negative integers are no error; `length` may be given.

    >>> import agar.numpy as mnp
    >>> print(mnp.bincount([0, 1, 1, 3]))
    [1. 2. 0. 1.]
    """
    places = array("bincount", "x", x)
    if places.ndim != 1:
        raise ValueError(
            f"For 'numpy.bincount', 'x' must have one dimension, but got shape "
            f"{list(places.shape)}."
        )
    if places.dtype is torch.bool or places.is_floating_point() or places.is_complex():
        raise TypeError("For 'numpy.bincount', 'x' must have integers.")
    places = places.to(torch.int64).clamp(min=0)
    integer("numpy.bincount", "minlength", minlength, 0)
    if length is None:
        largest = int(places.max()) if places.numel() else -1
        length = max(largest + 1, minlength)
    counts = None
    if weights is not None:
        counts = array("bincount", "weights", weights)
        if counts.shape != places.shape:
            raise ValueError(
                "For 'numpy.bincount', 'weights' must have the shape of 'x', but the shapes are "
                f"{list(counts.shape)} and {list(places.shape)}."
            )
    return _tallied(places, counts, integer("numpy.bincount", "length", length, 0))


def _bin_edges(op_name: str, values: Tensor, bins: Any, bounds: Any) -> Tensor:
    """The bounds of bins: those given, or equal bins between two numbers."""
    if isinstance(bins, (tuple, list, Tensor, AgarTensor)):
        edges = array(op_name, "bins", bins)
        if edges.ndim != 1:
            raise ValueError(
                f"For 'numpy.{op_name}', 'bins' must have one dimension, but got shape "
                f"{list(edges.shape)}."
            )
        return edges
    if isinstance(bins, str):
        raise missing_feature(
            f"For 'numpy.{op_name}', a str as 'bins' ({bins!r})",
            "MindSpore has no rules that choose bins",
            "give the number of bins or their bounds",
        )
    integer(f"numpy.{op_name}", "bins", bins, 1)
    flat = values.reshape(-1).to(torch.float32)
    if bounds is None:
        not_empty(op_name, flat, (0,))
        first, last = flat.min(), flat.max()
    else:
        if not isinstance(bounds, (list, tuple)) or len(bounds) != 2:
            raise ValueError(
                f"For 'numpy.{op_name}', 'range' must be a pair (start, end), but got {bounds!r}."
            )
        if bounds[0] > bounds[1]:
            raise ValueError(
                f"For 'numpy.{op_name}', the end of 'range' must not be less than its start, but "
                f"got {bounds!r}."
            )
        first, last = (
            torch.full((), float(b), dtype=torch.float32, device=flat.device) for b in bounds
        )
    flat_range = first == last
    first = torch.where(flat_range, first - 0.5, first)
    last = torch.where(flat_range, last + 0.5, last)
    steps = torch.arange(bins, dtype=torch.float32, device=flat.device)
    return torch.cat([first + steps * ((last - first) / bins), last.reshape(1)])


def _same_shape(op_name: str, values: Tensor, weights: Any) -> Tensor | None:
    if weights is None:
        return None
    result = array(op_name, "weights", weights)
    if result.shape != values.shape:
        raise ValueError(
            f"For 'numpy.{op_name}', 'weights' must have the shape of the data, but the shapes are "
            f"{list(result.shape)} and {list(values.shape)}."
        )
    return result.reshape(-1)


_BIN_ERRORS = (
    ("f(3), 'auto'", NotImplementedError, "bins"),
    ("f(3), 3, (4, 1)", ValueError, "range"),
    ("f(3), 3, 5", ValueError, "range"),
    ("f(3), 2.5", TypeError, "bins"),
    ("f(3), f(2, 2)", ValueError, "bins"),
    ("f(3), 2, None, f(2)", ValueError, "weights"),
)


@_create(
    "histogram_bin_edges",
    cast="never",
    samples=("f(6), 4", "f(6), 3, (0, 2)", "[0, 1, 4]", "f(3), [0, 1, 2]"),
    errors=_BIN_ERRORS,
    reference="np.histogram_bin_edges(np.asarray(a), bins, range)",
    differentiable=False,
)
def _histogram_bin_edges(
    a: Tensor | Any, bins: Tensor | Any = 10, range: Any = None, weights: Tensor | Any = None
) -> Tensor:
    """The bounds of the bins that a histogram would have.

    Args:
        a (Union[Tensor, number, list, tuple]): the data, of any shape.
        bins (Union[int, Tensor, list, tuple]): the number of equal bins, or their bounds. Default:
            10.
        range (Union[None, tuple, list]): the pair (start, end) that equal bins fill. Default None:
            from the smallest number to the largest.
        weights (Union[Tensor, list, tuple]): the weights; they change nothing. Default: None.

    Returns: Tensor of float32, or `bins` as they were given.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `bins`, `range` or `weights` do not fit.
    Raises NotImplementedError: `bins` is a str.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.histogram_bin_edges([0, 0, 1, 2, 5], 2))
    [0.  2.5 5. ]
    """
    values = array("histogram_bin_edges", "a", a)
    _same_shape("histogram_bin_edges", values, weights)
    return _bin_edges("histogram_bin_edges", values, bins, range)


def _bins_of(values: Tensor, edges: Tensor) -> Tensor:
    """The number of the bin of each value: 1 for the first; its end belongs to the last."""
    if edges.is_floating_point():  # the largest number must not pass its own rounded bound
        values = values.to(edges.dtype)
    result = searched(edges, values, True)
    return torch.where(values == edges[-1], edges.numel() - 1, result)


@_math(
    "histogram",
    cast="never",
    samples=(
        "f(6), 4",
        "f(6), 3, (0, 2)",
        "f(6), 3, None, p(6)",
        "f(6), 3, None, None, True",
        "[[1, 2, 1], [1, 0, 1]], [0, 1, 2, 3]",
    ),
    errors=_BIN_ERRORS,
    reference="np.histogram(np.asarray(a), bins, range, density, weights)",
    differentiable=False,
)
def _histogram(
    a: Tensor | Any,
    bins: Tensor | Any = 10,
    range: Any = None,
    weights: Tensor | Any = None,
    density: bool = False,
) -> tuple[Tensor, Tensor]:
    """How many numbers lie in each of several bins.

    Args:
        a (Union[Tensor, number, list, tuple]): the data, of any shape.
        bins (Union[int, Tensor, list, tuple]): the number of equal bins, or their bounds. Default:
            10.
        range (Union[None, tuple, list]): the pair (start, end) that equal bins fill. Default None:
            from the smallest number to the largest.
        weights (Union[Tensor, list, tuple]): what each number counts, in the shape of `a`. Default
            None: 1.
        density (bool): whether to divide by the width of each bin and the sum. Default: False.

    Returns: tuple of two Tensors, the counts in float32 and the bounds of the bins.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `bins`, `range` or `weights` do not fit.
    Raises NotImplementedError: `bins` is a str.
    Difference from PyTorch: `weights` comes before `density`.

    >>> import agar.numpy as mnp
    >>> counts, bounds = mnp.histogram([1, 2, 1], [0, 1, 2, 3])
    >>> print(counts, bounds)
    [0. 2. 1.] [0 1 2 3]
    """
    values = array("histogram", "a", a)
    counted = _same_shape("histogram", values, weights)
    edges = _bin_edges("histogram", values, bins, range)
    count = _tallied(_bins_of(values.reshape(-1), edges), counted, edges.numel())[1:]
    if density and count.numel():
        count = count / torch.diff(edges) / count.sum()
    return count, edges


def _histogram_of(
    op_name: str, sample: Tensor, bins: Any, bounds: Any, weights: Any, density: Any
) -> tuple[Tensor, list[Tensor]]:
    """A histogram of the rows of a matrix."""
    if sample.ndim != 2:
        raise ValueError(
            f"For 'numpy.{op_name}', the sample must have two dimensions, but got shape "
            f"{list(sample.shape)}."
        )
    rank = sample.shape[1]
    if isinstance(bins, int) and not isinstance(bins, bool):
        bins = [bins] * rank
    elif isinstance(bins, Tensor):
        bins = bins.tolist() if bins.ndim == 1 else list(bins.unbind(0))
    elif not isinstance(bins, (tuple, list)):
        raise TypeError(
            f"For 'numpy.{op_name}', 'bins' must be an int or a sequence, but got "
            f"'{type(bins).__name__}'."
        )
    if len(bins) != rank:
        raise ValueError(
            f"For 'numpy.{op_name}', 'bins' must have one entry for each of {rank} dimensions, but "
            f"got {len(bins)}."
        )
    if bounds is None:
        bounds = [None] * rank
    elif len(bounds) != rank:
        raise ValueError(
            f"For 'numpy.{op_name}', 'range' must have one entry for each of {rank} dimensions, "
            f"but got {len(bounds)}."
        )
    columns = sample.unbind(1)
    edges = [_bin_edges(op_name, x, b, r) for x, b, r in zip(columns, bins, bounds, strict=True)]
    place = torch.zeros(sample.shape[0], dtype=torch.int64, device=sample.device)
    for x, bound in zip(columns, edges, strict=True):
        place = place * (bound.numel() + 1) + _bins_of(x, bound)
    shape = [bound.numel() + 1 for bound in edges]
    counted = None if weights is None else array(op_name, "weights", weights).reshape(-1)
    count = _tallied(place, counted, math.prod(shape)).reshape(shape)
    count = count[(slice(1, -1),) * rank]
    if density:
        total = count.sum()
        for k, bound in enumerate(edges):
            own = [1] * rank
            own[k] = -1
            count = count / torch.diff(bound).reshape(own)
        count = count / total
    return count, edges


@_math(
    "histogramdd",
    cast="never",
    samples=(
        "f(6, 2), 3",
        "f(6, 2), [2, 3], None, p(6)",
        "f(6, 2), 2, None, None, True",
        "f(6, 2), [2, 3], [(0, 1), (-1, 1)]",
    ),
    errors=(
        ("f(6, 2), [2]", ValueError, "bins"),
        ("f(6)", ValueError, "numpy.histogramdd"),
        ("f(6, 2), 2.5", TypeError, "bins"),
        ("3.0", TypeError, "numpy.histogramdd"),
    ),
    reference="np.histogramdd(sample, bins, range, density, weights)",
    differentiable=False,
)
def _histogramdd(
    sample: Tensor | Any,
    bins: Tensor | Any = 10,
    range: Any = None,
    weights: Tensor | Any = None,
    density: bool = False,
) -> tuple[Tensor, list[Tensor]]:
    """How many points lie in each of the boxes of a grid.

    Args:
        sample (Union[Tensor, list, tuple]): a Tensor with a row for each point, or a list or tuple
            of the coordinates in each dimension.
        bins (Union[int, tuple, list]): for all or each dimension the number of equal bins, or
            their bounds. Default: 10.
        range (Union[None, tuple, list]): for each dimension None or the pair (start, end). Default
            None: from the smallest number to the largest.
        weights (Union[Tensor, list, tuple]): what each point counts. Default None: 1.
        density (bool): whether to divide by the size of each box and the sum. Default: False.

    Returns: tuple of a Tensor, the counts in float32, and the list of the bounds in each dimension.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `bins`, `range` or `weights` do not fit.
    Raises NotImplementedError: `bins` has a str.
    Difference from PyTorch: `weights` comes before `density`.

    >>> import agar.numpy as mnp
    >>> counts, bounds = mnp.histogramdd(mnp.array([[0, 1], [2, 3], [4, 5]]), 2)
    >>> print(counts)
    [[1. 0.]
     [0. 2.]]
    """
    if isinstance(sample, (tuple, list)):
        parts = [array("histogramdd", "sample", part) for part in sample]
        sample = torch.stack(to_common(*parts), -1)
    elif not isinstance(sample, Tensor):
        raise TypeError(
            "For 'numpy.histogramdd', 'sample' must be a Tensor, list or tuple, but got "
            f"'{type(sample).__name__}'."
        )
    return _histogram_of("histogramdd", sample, bins, range, weights, density)


@_math(
    "histogram2d",
    cast="never",
    samples=("f(6), f(6), 3", "f(6), f(6), [2, 3], [(0, 1), (-1, 1)], p(6)"),
    errors=(
        ("f(6), f(6), [2]", ValueError, "bins"),
        ("f(6), f(5)", ValueError, "numpy.histogram2d"),
        ("f(6), 'a'", TypeError, "numpy.histogram2d"),
    ),
    reference="np.histogram2d(x, y, bins, range, density, weights)",
    differentiable=False,
)
def _histogram2d(
    x: Tensor | Any,
    y: Tensor | Any,
    bins: Tensor | Any = 10,
    range: Any = None,
    weights: Tensor | Any = None,
    density: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:
    """How many points of a plane lie in each of the boxes of a grid.

    Args:
        x (Union[Tensor, list, tuple]): the first coordinates.
        y (Union[Tensor, list, tuple]): the second.
        bins (Union[int, tuple, list]): as in `histogramdd`. Default: 10.
        range (Union[None, tuple, list]): as in `histogramdd`. Default: None.
        weights (Union[Tensor, list, tuple]): as in `histogramdd`. Default: None.
        density (bool): as in `histogramdd`. Default: False.

    Returns: tuple of three Tensors: the counts in float32, the bounds along `x` and along `y`.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `bins`, `range` or `weights` do not fit.
    Raises NotImplementedError: `bins` has a str.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> counts, rows, columns = mnp.histogram2d([0, 2, 4], [1, 3, 5], 2)
    >>> print(rows, columns)
    [0. 2. 4.] [1. 3. 5.]
    """
    parts = to_common(array("histogram2d", "x", x), array("histogram2d", "y", y))
    if parts[0].shape != parts[1].shape:
        raise ValueError(
            "For 'numpy.histogram2d', 'x' and 'y' must have one shape, but the shapes are "
            f"{list(parts[0].shape)} and {list(parts[1].shape)}."
        )
    sample = torch.stack(parts, -1)
    count, edges = _histogram_of("histogram2d", sample, bins, range, weights, density)
    return count, edges[0], edges[1]
