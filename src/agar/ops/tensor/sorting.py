"""Sorting, the largest k, searching in sorted numbers, and sets."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import as_torch_dtype, to_torch_dtype
from agar.ops._checks import choice, integer, number
from agar.ops.math.elementwise import as_tensor, check_integers
from agar.ops.spec import Call, Scalar, op, primitive
from agar.ops.tensor.axes import axis_of

__all__: list[str] = []


# --------------------------------------------------------------------------------- sorting


def _sorted(
    op_name: str,
    input: Tensor,
    axis: Any,
    descending: bool,
    places: torch.dtype = torch.int32,
    name: str = "axis",
) -> tuple[Tensor, Tensor]:
    place = axis_of(op_name, axis, input.ndim, name)
    result = torch.sort(input, dim=place, descending=bool(descending), stable=True)
    return result.values, as_torch_dtype(result.indices, places)


_SORT_SAMPLES = ("f(2, 3)", "f(2, 3), 0, True", "i(5)")
_SORT_ERRORS = (("f(2), 1", ValueError, "axis"), ("f(2), 'x'", TypeError, "axis"))


def _sort_call(
    text: str, name: str = "input", axis: str = "axis", more: str = "", several: bool = False
) -> Call:
    """What is tried first, as a text over ``sort``, the values and their places."""
    sort = f"torch.sort({name}, stable=True, dim={axis}, descending=descending)"
    when = f"type({axis}) is int and type(descending) is bool{more}"
    return Call(text.replace("sort", sort), when, several)


_INT32 = "((_both := sort)[0], _both[1].int())"
_NO_DIM = " and dim is None"


@op(
    primitive="Sort(axis, descending)(x: input_x)",
    samples=_SORT_SAMPLES,
    errors=_SORT_ERRORS,
    fast=_sort_call(_INT32, "input_x", several=True),
)
def sort(
    input_x: Tensor, axis: int = -1, descending: bool = False, *, _op_name: str = "sort"
) -> tuple[Tensor, Tensor]:
    """Sort along an axis.

    Args:
        input_x (Tensor): any shape.
        axis (int): the axis. Default: -1.
        descending (bool): whether the largest come first. Default: False.

    Returns: Tuple of the sorted values and where they were (int32). Equal elements keep their
        order.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: the indices are int64 there; `axis` is called ``dim``.

    >>> values, places = ms.ops.sort(ms.Tensor([3.0, 1.0, 2.0]))
    >>> print(values, places)
    [1. 2. 3.] [1 2 0]
    """
    return _sorted(_op_name, input_x, axis, descending)


@op(
    "sort",
    function=False,
    method="sort",
    samples=(*_SORT_SAMPLES, "f(2, 3), dim=0, stable=True"),
    errors=_SORT_ERRORS,
    fast=_sort_call(_INT32, more=_NO_DIM, several=True),
)
def _sort_method(
    input: Tensor,
    axis: int = -1,
    descending: bool = False,
    stable: bool = False,
    *,
    dim: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Sort along an axis; `dim` means `axis`, `stable` is always so. See :func:`ops.sort`.

    Own Args:
        stable (bool): accepted: equal elements always keep their order. Default: False.

    >>> print(ms.Tensor([3.0, 1.0, 2.0]).sort()[0])
    [1. 2. 3.]
    """
    return _sorted("sort", input, axis if dim is None else dim, descending)


@op(
    "sort",
    function=False,
    mint="sort",
    samples=("f(2, 3)", "f(2, 3), dim=0, descending=True"),
    errors=(("f(2), dim=1", ValueError, "dim"), ("f(2), dim='x'", TypeError, "dim")),
    fast=_sort_call("sort", axis="dim", several=True),
)
def _sort_mint(
    input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False
) -> tuple[Tensor, Tensor]:
    """Sort along an axis; the indices are int64. See :func:`ops.sort`.

    Own Args:
        stable (bool): accepted: equal elements always keep their order. Default: False.

    Returns: Tuple of the sorted values and where they were (int64).

    >>> print(ms.mint.sort(ms.Tensor([3.0, 1.0, 2.0]))[1])
    [1 2 0]
    """
    return _sorted("sort", input, dim, descending, torch.int64, "dim")


@op(
    samples=_SORT_SAMPLES,
    errors=_SORT_ERRORS,
    cast="never",
    differentiable=False,
    fast=_sort_call("sort[1].int()"),
)
def argsort(input: Tensor, axis: int = -1, descending: bool = False) -> Tensor:
    """Indices that sort along an axis.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default: -1.
        descending (bool): whether the largest come first. Default: False.

    Returns: Tensor of int32. Equal elements keep their order.
    Raises TypeError: `axis` is not an int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: int64 there; `axis` is called ``dim``.

    >>> print(ms.ops.argsort(ms.Tensor([3.0, 1.0, 2.0])))
    [1 2 0]
    """
    return _sorted("argsort", input, axis, descending)[1]


@op(
    "argsort",
    function=False,
    method="argsort",
    cast="never",
    differentiable=False,
    samples=(*_SORT_SAMPLES, "f(2, 3), dim=0"),
    errors=_SORT_ERRORS,
    fast=_sort_call("sort[1].int()", more=_NO_DIM),
)
def _argsort_method(
    input: Tensor,
    axis: int = -1,
    descending: bool = False,
    stable: bool = False,
    *,
    dim: int | None = None,
) -> Tensor:
    """Indices that sort along an axis; `dim` means `axis`. See :func:`ops.argsort`.

    Own Args:
        stable (bool): accepted: equal elements always keep their order. Default: False.

    >>> print(ms.Tensor([3.0, 1.0, 2.0]).argsort())
    [1 2 0]
    """
    return _sorted("argsort", input, axis if dim is None else dim, descending)[1]


@op(
    "argsort",
    function=False,
    mint="argsort",
    cast="never",
    differentiable=False,
    samples=("f(2, 3)", "f(2, 3), 0, True"),
    errors=(("f(2), 1", ValueError, "dim"), ("f(2), 'x'", TypeError, "dim")),
    fast=_sort_call("sort[1]", axis="dim"),
)
def _argsort_mint(
    input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False
) -> Tensor:
    """Indices that sort along an axis, int64; see :func:`ops.argsort`.

    Own Args:
        stable (bool): accepted: equal elements always keep their order. Default: False.

    Returns: Tensor of int64.

    >>> print(ms.mint.argsort(ms.Tensor([3.0, 1.0, 2.0])))
    [1 2 0]
    """
    return _sorted("argsort", input, dim, descending, torch.int64, "dim")[1]


@op(method=True, samples=("f(3, 2)",), errors=(("f()", ValueError, "0-d"),))
def msort(input: Tensor) -> Tensor:
    """Sort along the first axis.

    Args:
        input (Tensor): one axis or more.

    Returns: Tensor.
    Raises ValueError: `input` is 0-d.

    >>> print(ms.ops.msort(ms.Tensor([3.0, 1.0, 2.0])))
    [1. 2. 3.]
    """
    if input.ndim == 0:
        raise ValueError("For 'msort', the input must have at least one axis, but it is 0-d.")
    return torch.sort(input, dim=0).values


def _top(
    op_name: str,
    input: Tensor,
    k: Any,
    dim: Any,
    largest: bool,
    order: bool,
    places: torch.dtype = torch.int32,
) -> tuple[Tensor, Tensor]:
    if type(k) is int and k > 0:
        try:
            values, indices = torch.topk(input, k, -1 if dim is None else dim, largest, order)
            return values, as_torch_dtype(indices, places)
        except (IndexError, RuntimeError, TypeError):
            pass  # what is wrong, or unusual, is told apart below
    axis = axis_of(op_name, -1 if dim is None else dim, input.ndim, "dim")
    size = input.shape[axis] if input.ndim else 1
    count = integer(op_name, "k", k)
    if not 0 < count <= size:
        raise ValueError(
            f"For '{op_name}', 'k' must be in (0, {size}], the size of the axis, but got {count}."
        )
    result = torch.topk(input, count, axis, bool(largest), bool(order))
    return result.values, as_torch_dtype(result.indices, places)


_TOP_SAMPLES = ("f(5), 2", "f(2, 5), 3, 1, False", "f(5, 2), 2, 0", "f(5), torch.tensor(2)")
_TOP_ERRORS = (("f(3), 5", ValueError, "k"), ("f(3), 1.5", TypeError, "k"))
_TOP = "torch.topk(input, k, -1 if dim is None else dim, largest, sorted)"
_TOP_INT32 = Call(
    f"((_both := {_TOP})[0], _both[1].int())", "type(k) is int and k > 0", several=True
)


@op(
    primitive="TopK(sorted)(input_x: input, k)",
    samples=_TOP_SAMPLES,
    errors=_TOP_ERRORS,
    fast=_TOP_INT32,
)
def topk(
    input: Tensor,
    k: Any,
    dim: int | None = None,
    largest: bool = True,
    sorted: bool = True,
    *,
    _op_name: str = "topk",
) -> tuple[Tensor, Tensor]:
    """The k largest or smallest elements along an axis.

    Args:
        input (Tensor): any shape.
        k (Union[int, Tensor]): how many; it may depend on the data.
        dim (int): the axis. Default None: the last.
        largest (bool): the largest, else the smallest. Default: True.
        sorted (bool): whether they come in order. Default: True.

    Returns: Tuple of values and indices (int32).
    Raises TypeError: `k` is not an int.
    Raises ValueError: `k` is not positive or larger than the axis, or `dim` is out of range.
    Difference from PyTorch: the indices are int64 there.

    >>> values, places = ms.ops.topk(ms.Tensor([3.0, 1.0, 2.0]), 2)
    >>> print(values, places)
    [3. 2.] [0 2]
    """
    return _top(_op_name, input, k, dim, largest, sorted)


@op(
    "topk",
    function=False,
    method="topk",
    samples=_TOP_SAMPLES,
    errors=_TOP_ERRORS,
    fast=_TOP_INT32,
)
def _topk_method(
    input: Tensor, k: Any, dim: int | None = None, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    """The k largest or smallest elements along an axis; see :func:`ops.topk`.

    >>> print(ms.Tensor([3.0, 1.0, 2.0]).topk(2)[0])
    [3. 2.]
    """
    return _top("topk", input, k, dim, largest, sorted)


@op(
    "topk",
    function=False,
    mint="topk",
    samples=("f(5), 2", "f(5, 2), 2, 0"),
    errors=(*_TOP_ERRORS, ("f(3), 2, 1", ValueError, "dim")),
    fast=Call(
        "torch.topk(input, k, dim, largest, sorted)",
        "type(k) is int and k > 0 and type(dim) is int",
        several=True,
    ),
)
def _topk_mint(
    input: Tensor, k: Any, dim: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    """The k largest or smallest elements along an axis, indices in int64; see :func:`ops.topk`.

    >>> print(ms.mint.topk(ms.Tensor([3.0, 1.0, 2.0]), 2)[1])
    [0 2]
    """
    return _top("topk", input, k, dim, largest, sorted, torch.int64)


@op(method=True, samples=("f(5), 2", "f(2, 5), 2, False"), errors=_TOP_ERRORS)
def top_k(input_x: Tensor, k: Any, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest elements along the last axis; see :func:`ops.topk`.

    Args:
        input_x (Tensor): any shape.
        k (Union[int, Tensor]): how many.
        sorted (bool): whether they come in order. Default: True.

    Returns: Tuple of values and indices (int32).
    Raises TypeError: `k` is not an int.
    Raises ValueError: `k` is not positive or larger than the axis.
    Difference from PyTorch: ``torch.topk``; the indices are int64 there.

    >>> print(ms.ops.top_k(ms.Tensor([3.0, 1.0, 2.0]), 2)[0])
    [3. 2.]
    """
    return _top("top_k", input_x, k, None, True, sorted)


@op(
    "kthvalue",
    function=False,
    method="kthvalue",
    mint="kthvalue",
    samples=("f(5), 2", "f(2, 5), 3, 0 - 1, True"),
    errors=(("f(3), 5", ValueError, "k"), ("f(3), 1, 1", ValueError, "dim")),
)
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The k-th smallest elements along an axis and their indices.

    Args:
        input (Tensor): any shape.
        k (int): counted from 1.
        dim (int): the axis. Default: -1.
        keepdim (bool): whether the axis stays, with size 1. Default: False.

    Returns: Tuple of values and indices (int64).
    Raises TypeError: `k` is not an int.
    Raises ValueError: `k` is not positive or larger than the axis, or `dim` is out of range.
    Source: MindSpore 2.10's interface (it has no CPU kernel).

    >>> print(ms.Tensor([3.0, 1.0, 2.0]).kthvalue(2)[0])
    2.0
    """
    axis = axis_of("kthvalue", dim, input.ndim, "dim")
    size = input.shape[axis] if input.ndim else 1
    if not 0 < integer("kthvalue", "k", k) <= size:
        raise ValueError(f"For 'kthvalue', 'k' must be in [1, {size}], but got {k}.")
    result = torch.kthvalue(input, k, axis, keepdim)
    return result.values, result.indices


@primitive(
    "NthElement",
    samples=("f(5), 1", "f(2, 5), 1, reverse=True"),
    errors=(("f(3), 3", ValueError, "n"),),
)
def _nth_element(input: Tensor, n: Any, *, reverse: bool = False) -> Tensor:
    """The n-th smallest elements along the last axis, counted from 0.

    Args:
        reverse (bool): whether to count from the largest. Default: False.
        input (Tensor): one axis or more.
        n (Union[int, Tensor]): which one.

    Returns: Tensor without the last axis.
    Raises TypeError: `n` is not an int.
    Raises ValueError: `n` is negative or not less than the axis.
    Difference from PyTorch: ``torch.kthvalue``, which counts from 1.

    >>> print(ms.ops.NthElement()(ms.Tensor([3.0, 1.0, 2.0]), 1))
    2.0
    """
    size = input.shape[-1] if input.ndim else 1
    if not 0 <= integer("NthElement", "n", n) < size:
        raise ValueError(f"For 'NthElement', 'n' must be in [0, {size}), but got {n}.")
    return torch.kthvalue(input, size - n if reverse else n + 1, -1).values


@op(
    primitive="InTopK(k)",
    samples=("f(4, 5), torch.tensor([0, 1, 2, 3]), 2",),
    cast="never",
    differentiable=False,
    errors=(
        ("f(4, 5), i(3), 2", ValueError, "intopk"),
        ("f(4, 5), f(4), 2", TypeError, "x2"),
        ("f(4, 5), i(4), 0.5", TypeError, "k"),
    ),
)
def intopk(x1: Tensor, x2: Tensor, k: int, *, _op_name: str = "intopk") -> Tensor:
    """Whether the target of each row is among its k largest elements.

    Args:
        x1 (Tensor): scores, shape (batch, classes).
        x2 (Tensor): the targets, integers of shape (batch,).
        k (int): how many count.

    Returns: Tensor of bool of shape (batch,).
    Raises TypeError: `k` is not an int, or `x2` are not integers.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.intopk(ms.Tensor([[0.1, 0.9], [0.8, 0.2]]), ms.Tensor([1, 1]), 1))
    [ True False]
    """
    return _in_top(_op_name, x1, x2, k)


def _in_top(op_name: str, x1: Tensor, x2: Tensor, k: Any) -> Tensor:
    count = integer(op_name, "k", k)
    if x1.ndim != 2 or x2.shape != x1.shape[:1]:
        raise ValueError(
            f"For '{op_name}', the scores must be a matrix and the targets a vector of its rows, "
            f"but got shapes {list(x1.shape)} and {list(x2.shape)}."
        )
    check_integers(op_name, "x2", x2)
    target = x2.long()
    inside = (target >= 0) & (target < x1.shape[1])
    score = x1.gather(1, torch.where(inside, target, 0).unsqueeze(1))
    return inside & torch.isfinite(score[:, 0]) & ((x1 > score).sum(1) < count)


# ------------------------------------------------------------------------------- searching


def _search(
    op_name: str,
    sequence: Tensor,
    values: Any,
    right: bool,
    side: str | None,
    sorter: Any,
    int32: bool,
) -> Tensor:
    if side is not None:
        choice(op_name, "side", side, ("left", "right"))
        if right and side == "left":
            raise ValueError(
                f"For '{op_name}', 'side' is 'left' but 'right' is True; give one of them."
            )
        right = side == "right"
    values = as_tensor(values).to(sequence.device)
    kind = torch.promote_types(sequence.dtype, values.dtype)
    return torch.searchsorted(
        sequence.contiguous().to(kind),
        values.contiguous().to(kind),
        right=bool(right),
        sorter=None if sorter is None else sorter.long(),
        out_int32=int32,
    )


@op(
    mint=True,
    cast="never",
    differentiable=False,
    samples=(
        "torch.tensor([1.0, 3.0, 5.0]), f(4)",
        "torch.tensor([1.0, 3.0, 5.0]), f(2, 2), right=True, out_int32=True",
        "torch.tensor([5.0, 1.0, 3.0]), f(2), side='right', sorter=torch.tensor([1, 2, 0])",
    ),
    errors=(
        ("f(3), f(2), side='x'", ValueError, "side"),
        ("f(2, 3), f(3, 2)", ValueError, "searchsorted"),
    ),
)
def searchsorted(
    sorted_sequence: Tensor,
    values: Tensor | Scalar,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    r"""Where to insert values so that a sequence stays sorted.

    Args:
        sorted_sequence (Tensor): ascending along the last axis.
        values (Union[Tensor, number]): the values; their leading axes are those of the sequence
            unless it has one axis.
        out_int32 (bool): whether the result is int32. Default: False.
        right (bool): whether a value goes behind its equals. Default: False.
        side (str): ``"left"`` or ``"right"``, the same as `right`. Default: None.
        sorter (Tensor): places that sort the sequence, if it is not sorted. Default: None.

    Returns: Tensor of int64 (int32) of the shape of `values`.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `side` is unknown or contradicts `right`, or the shapes do not fit.

    >>> print(ms.ops.searchsorted(ms.Tensor([1.0, 3.0, 5.0]), ms.Tensor([0.0, 3.0, 6.0])))
    [0 1 3]
    """
    return _search_checked("searchsorted", sorted_sequence, values, right, side, sorter, out_int32)


def _search_checked(op_name: str, sequence: Tensor, values: Any, *rest: Any) -> Tensor:
    lead = sequence.shape[:-1]
    if isinstance(values, Tensor) and sequence.ndim > 1 and values.shape[:-1] != lead:
        raise ValueError(
            f"For '{op_name}', the leading axes of the sequence and the values must agree, but got "
            f"shapes {list(sequence.shape)} and {list(values.shape)}."
        )
    return _search(op_name, sequence, values, *rest)


@op(
    "searchsorted",
    function=False,
    method="searchsorted",
    cast="never",
    differentiable=False,
    samples=("torch.tensor([1.0, 3.0, 5.0]), f(4)", "torch.tensor([1.0, 3.0]), 2.0, 'right'"),
    errors=(
        ("f(3), f(2), 'x'", ValueError, "side"),
        ("f(2, 3), f(3, 2)", ValueError, "leading axes"),
    ),
)
def _searchsorted_method(
    input: Tensor, v: Tensor | Scalar, side: str = "left", sorter: Tensor | None = None
) -> Tensor:
    """Where to insert values so that this tensor stays sorted; see :func:`ops.searchsorted`.

    >>> print(ms.Tensor([1.0, 3.0, 5.0]).searchsorted(2.0))
    1
    """
    return _search_checked("searchsorted", input, v, False, side, sorter, True)


@primitive(
    "SearchSorted",
    cast="never",
    differentiable=False,
    samples=("torch.tensor([1.0, 3.0, 5.0]), f(4), dtype=ms.int32, right=True",),
    errors=(
        ("f(2, 3), f(3, 2)", ValueError, "leading axes"),
        ("f(3), f(2), dtype='x'", TypeError, "type"),
    ),
)
def _searchsorted_primitive(
    sorted_sequence: Tensor,
    values: Tensor,
    sorter: Tensor | None = None,
    *,
    dtype: Any = torch.int64,
    right: bool = False,
) -> Tensor:
    """Where to insert values so that a sequence stays sorted; see :func:`ops.searchsorted`.

    Attributes:
        dtype (Type): the type of the result, int32 or int64. Default: int64.
        right (bool): whether a value goes behind its equals. Default: False.

    Inputs:
        - **sorted_sequence** (Tensor) - ascending along the last axis.
        - **values** (Tensor) - the values; the leading axes are those of the sequence.
        - **sorter** (Tensor) - indices that sort the sequence, if it is not sorted. Default: None.

    Outputs: Tensor of `dtype`, of the shape of `values`.
    Raises TypeError: `dtype` is not a type.
    Raises ValueError: the leading axes differ.
    Difference from PyTorch: ``torch.searchsorted``.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.SearchSorted()(ms.Tensor([1.0, 3.0]), ms.Tensor([2.0])))
    [1]
    """
    result = _search_checked("SearchSorted", sorted_sequence, values, right, None, sorter, False)
    return result.to(to_torch_dtype(dtype, op_name="SearchSorted"))


def _bucketize(op_name: str, input: Tensor, boundaries: Any, right: bool) -> Tensor:
    if not isinstance(boundaries, (list, tuple)):
        raise TypeError(
            f"For '{op_name}', 'boundaries' must be a list or tuple of numbers, but got "
            f"'{type(boundaries).__name__}'."
        )
    bounds = [float(number(op_name, "boundaries", b)) for b in boundaries]
    edges = torch.tensor(bounds, dtype=torch.float64, device=input.device)
    return torch.bucketize(
        input,
        edges.to(torch.promote_types(input.dtype, torch.float32)),
        right=right,
        out_int32=True,
    )


@op(
    cast="never",
    differentiable=False,
    samples=("f(2, 3), [-1.0, 0.0, 1.0]", "i(3), [0, 1], right=True"),
    errors=(("f(2), 1.0", TypeError, "boundaries"), ("f(2), ['x']", TypeError, "boundaries")),
)
def bucketize(input: Tensor, boundaries: Any, *, right: bool = False) -> Tensor:
    r"""Which interval each element falls into: i with :math:`b_{i-1} < x \le b_i`.

    Args:
        input (Tensor): any shape.
        boundaries (list): the bounds of the intervals, ascending.
        right (bool): whether an element equal to a bound counts for the next interval.
            Default: False.

    Returns: Tensor of int32 of the same shape.
    Raises TypeError: `boundaries` is not a list of numbers.
    Difference from PyTorch: `boundaries` is a Tensor there and the result int64.

    >>> print(ms.ops.bucketize(ms.Tensor([0.0, 3.0, 6.0]), [1.0, 3.0, 5.0]))
    [0 1 3]
    """
    return _bucketize("bucketize", input, boundaries, bool(right))


@primitive(
    "Bucketize",
    cast="never",
    differentiable=False,
    samples=("f(2, 3), boundaries=[-1.0, 0.0, 1.0]",),
    errors=(
        ("f(2), boundaries=1.0", TypeError, "boundaries"),
        ("f(2), boundaries=['x']", TypeError, "boundaries"),
    ),
)
def _bucketize_primitive(input: Tensor, *, boundaries: Any) -> Tensor:
    r"""Which interval each element falls into: i with :math:`b_{i-1} \le x < b_i`.

    Args:
        boundaries (list): the bounds of the intervals, ascending.
        input (Tensor): any shape.

    Returns: Tensor of int32 of the same shape.
    Raises TypeError: `boundaries` is not a list of numbers.
    Difference from PyTorch: ``torch.bucketize(..., right=True)``.

    >>> print(ms.ops.Bucketize([1.0, 3.0, 5.0])(ms.Tensor([0.0, 3.0, 6.0])))
    [0 2 3]
    """
    return _bucketize("Bucketize", input, boundaries, True)
