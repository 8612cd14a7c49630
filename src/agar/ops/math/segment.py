"""Reductions over the groups that a vector of segment numbers makes of a tensor.

NOTE Segments. In the sorted forms the numbers ascend and the result has as many rows as the last
number says; a number that does not occur gives 0, for a product 1. In the unsorted ones the number
of rows is given; a negative number leaves its row out.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar.ops._checks import integer
from agar.ops.math.elementwise import check_integers
from agar.ops.spec import op, primitive
from agar.ops.tensor.indexing import places_on_axis

__all__: list[str] = []

_REDUCE = {"sum": "sum", "prod": "prod", "max": "amax", "min": "amin", "mean": "mean"}


def _neutral(mode: str, x: Tensor) -> Any:
    """What a segment without elements gives in the unsorted forms."""
    if mode in ("sum", "mean"):
        return 0
    if mode == "prod":
        return 1
    info = torch.finfo(x.dtype) if x.is_floating_point() else torch.iinfo(x.dtype)
    return info.min if mode == "max" else info.max


def _segments(
    op_name: str, x: Tensor, segment_ids: Tensor, count: int, mode: str, empty: Any
) -> Tensor:
    """Rows of `x`, its first axes given by the numbers' shape, reduced by number."""
    check_integers(op_name, "segment_ids", segment_ids)
    lead = segment_ids.ndim
    if x.shape[:lead] != segment_ids.shape:
        raise ValueError(
            f"For '{op_name}', the shape of 'segment_ids' must be the first axes of the input's, "
            f"but got {list(segment_ids.shape)} and {list(x.shape)}."
        )
    ids = segment_ids.reshape(-1).long()
    if bool((ids >= count).any()):
        raise ValueError(
            f"For '{op_name}', 'segment_ids' must be less than {count}, the number of segments, "
            f"but got {int(ids.max())}."
        )
    rows = x.reshape(ids.numel(), *x.shape[lead:])
    # rows that are left out go to one more segment, which is cut off
    ids = torch.where(ids < 0, count, ids)
    base = torch.full((count + 1, *rows.shape[1:]), empty, dtype=x.dtype, device=x.device)
    if mode == "sum":
        return base.index_add(0, ids, rows)[:count]
    index = ids.reshape(-1, *(1,) * (rows.ndim - 1)).expand(rows.shape)
    return base.scatter_reduce(0, index, rows, _REDUCE[mode], include_self=False)[:count]


def _unsorted(mode: str, words: str, parameter: str, method: bool, shown: str) -> None:
    """Declare unsorted_segment_sum and its relatives: function, method, Primitive."""
    name = f"unsorted_segment_{mode}"

    def compute(op_name: str, x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
        count = integer(op_name, "num_segments", num_segments, 1)
        return _segments(op_name, x, segment_ids, count, mode, _neutral(mode, x))

    def with_x(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
        return compute(name, x, segment_ids, num_segments)

    def with_input_x(input_x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
        return compute(name, input_x, segment_ids, num_segments)

    impl = with_x if parameter == "x" else with_input_x
    impl.__name__ = name
    impl.__doc__ = (
        f"{words} of the rows of each segment: :math:`out_s` over the i with :math:`ids_i = s`.\n\n"
        "    Args:\n"
        f"        {parameter} (Tensor): the rows.\n"
        "        segment_ids (Tensor): integers whose shape is that of the first axes of\n"
        f"            `{parameter}`; a negative number leaves its row out.\n"
        "        num_segments (Union[int, Tensor]): the number of segments.\n\n"
        "    Returns:\n"
        f"        Tensor of the type of `{parameter}` with `num_segments` rows. A segment without\n"
        f"        rows gives {shown}.\n\n"
        "    Raises TypeError: `segment_ids` are not integers or `num_segments` is not an int.\n"
        "    Raises ValueError: the shapes do not fit, or a number is not less than\n"
        "        `num_segments`.\n"
        "    Difference from PyTorch: no counterpart; ``scatter_reduce``.\n\n"
        "    >>> x, ids = ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([0, 0, 1])\n"
        f"    >>> print(ms.ops.{name}(x, ids, 2))\n"
        f"    {_SHOWN[mode]}\n"
    )
    samples = (
        "f(4, 2), torch.tensor([0, 1, 0, 2]), 3",
        "f(2, 2), torch.tensor([[0, 1], [-1, 0]]), 2",
        "i(4), torch.tensor([0, 2, 0, 2]), 4",
    )
    errors = (
        ("f(3), torch.tensor([0, 0, 5]), 2", ValueError, "segment"),
        ("f(3), i(2), 2", ValueError, "shape"),
        ("f(3), f(3), 2", TypeError, "integer"),
    )
    op(
        name,
        method=method,
        samples=samples,
        errors=errors,
        primitive="UnsortedSegment" + mode.capitalize(),
    )(impl)


_SHOWN = {"sum": "[3. 3.]", "max": "[2. 3.]", "min": "[1. 3.]", "prod": "[2. 3.]"}

_unsorted("sum", "Sum", "input_x", False, "0")
_unsorted("max", "Largest element", "x", True, "the smallest number of the type")
_unsorted("min", "Smallest element", "x", True, "the largest number of the type")
_unsorted("prod", "Product", "x", True, "1")


def _sorted_segments(mode: str, words: str, shown: str) -> None:
    """Declare SegmentSum and its relatives."""
    name = "Segment" + mode.capitalize()

    def impl(input_x: Tensor, segment_ids: Tensor) -> Tensor:
        if segment_ids.ndim != 1:
            raise ValueError(
                f"For '{name}', 'segment_ids' must be 1-D, but got shape {list(segment_ids.shape)}."
            )
        if bool((segment_ids[1:] < segment_ids[:-1]).any()) or bool((segment_ids < 0).any()):
            raise ValueError(f"For '{name}', 'segment_ids' must ascend from 0 or more.")
        count = int(segment_ids[-1]) + 1 if segment_ids.numel() else 0
        return _segments(name, input_x, segment_ids, count, mode, int(mode == "prod"))

    impl.__doc__ = (
        f"{words} of the rows of each segment, whose ids are in ascending order.\n\n"
        "    Args:\n"
        "        input_x (Tensor): the rows.\n"
        "        segment_ids (Tensor): the segment of each row, ascending integers, 1-D.\n\n"
        "    Returns:\n"
        "        Tensor with one row more than the last number; where a number is missing 0,\n"
        "        for a product 1.\n\n"
        "    Raises TypeError: `segment_ids` are not integers.\n"
        "    Raises ValueError: they are not 1-D, not ascending or not as many as rows.\n"
        "    Difference from PyTorch: no counterpart; ``scatter_reduce``.\n\n"
        "    >>> x, ids = ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([0, 0, 2])\n"
        f"    >>> print(ms.ops.{name}()(x, ids))\n"
        f"    {shown}\n"
    )
    primitive(
        name,
        samples=("f(4, 2), torch.tensor([0, 0, 1, 3])",),
        errors=(
            ("f(2), torch.tensor([1, 0])", ValueError, "ascend"),
            ("f(3), i(2)", ValueError, name),
        ),
    )(impl)


_sorted_segments("sum", "Sum", "[3. 0. 3.]")
_sorted_segments("mean", "Mean", "[1.5 0.  3. ]")
_sorted_segments("max", "Largest element", "[2. 0. 3.]")
_sorted_segments("min", "Smallest element", "[1. 0. 3.]")
_sorted_segments("prod", "Product", "[2. 1. 3.]")


@op(
    samples=("f(4, 2), i(3), torch.tensor([0, 0, 2])",),
    errors=(
        ("f(4, 2), i(3), torch.tensor([0, 0])", ValueError, "size"),
        ("f(4, 2), i(3) + 4, torch.tensor([0, 0, 2])", RuntimeError, "range"),
        ("f(4, 2), i(3), torch.tensor([0, 2, 0])", RuntimeError, "ascend"),
    ),
)
def sparse_segment_mean(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    r"""Means of chosen rows by group: :math:`out_s = mean_{i: ids_i = s}\, x_{indices_i}`.

    Args:
        x (Tensor): one axis or more.
        indices (Tensor): integers, 1-D: the rows to take.
        segment_ids (Tensor): integers, 1-D, ascending: the group of each.

    Returns: Tensor with as many rows as the last number of `segment_ids` plus one; see the note on
        segments.
    Raises TypeError: the indices are not integers.
    Raises ValueError: `indices` and `segment_ids` have another size.
    Raises RuntimeError: an index is out of range, or `segment_ids` do not ascend.
    Difference from PyTorch: none (no counterpart).

    >>> x = ms.Tensor([[1.0], [2.0], [3.0]])
    >>> print(ms.ops.sparse_segment_mean(x, ms.Tensor([0, 1, 2]), ms.Tensor([0, 0, 1])))
    [[1.5]
     [3. ]]
    """
    op_name = "sparse_segment_mean"
    check_integers(op_name, "segment_ids", segment_ids)
    if indices.ndim != 1 or indices.shape != segment_ids.shape:
        raise ValueError(
            f"For '{op_name}', 'indices' and 'segment_ids' must be 1-D and of the same size, but "
            f"got shapes {list(indices.shape)} and {list(segment_ids.shape)}."
        )
    if bool((segment_ids.diff() < 0).any()):
        raise RuntimeError(f"For '{op_name}', 'segment_ids' must ascend.")
    rows = x.index_select(0, places_on_axis(op_name, indices, len(x), "indices"))
    count = int(segment_ids[-1]) + 1 if len(segment_ids) else 0
    return _segments(op_name, rows, segment_ids, count, "mean", 0)
