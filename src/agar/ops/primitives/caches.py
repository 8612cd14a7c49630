"""Primitives of MindSpore's caches and graphs that have no function: updates, loads, shapes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from torch import Tensor

from agar._core import tensor as core
from agar.ops.math.elementwise import as_tensor, check_integers
from agar.ops.spec import primitive
from agar.ops.tensor.assignment import _of_shape, _replace
from agar.ops.tensor.creation import sizes

__all__: list[str] = []


def _and_result(
    op_name: str, variable: core.Tensor, change: Callable[[Tensor], Any]
) -> core.Tensor:
    """Change a variable's value and return what the change gives."""
    items: list[Tensor] = []
    _replace(op_name, variable, lambda value: items.append(change(value)))
    return core.wrap(items[0])


def _check_rows(op_name: str, table: Tensor, indices: Tensor, rows: Tensor, name: str) -> None:
    shape = (*indices.shape, *table.shape[1:])
    if not table.ndim or tuple(rows.shape) != shape:
        raise ValueError(
            f"For '{op_name}', '{name}' must have a row of the table for each index, shape "
            f"{list(shape)}, but got {list(rows.shape)}."
        )


def _row_index(indices: Tensor, like: Tensor) -> Tensor:
    """Flat indices, as long as rows of the table, so that masks and rows go together."""
    flat = indices.reshape(-1).long()
    return flat.reshape(-1, *(1,) * (like.ndim - 1))


@primitive(
    "UpdateCache",
    cast="never",
    inplace=_and_result,
    differentiable=False,
    samples=(
        "f(4, 2), torch.tensor([0, -1, 5, 2]), f(4, 2), 4",
        "f(4), torch.tensor([3, 1]), f(2), torch.tensor(2)",
    ),
    errors=(
        ("f(4, 2), f(2), f(2, 2), 4", TypeError, "indices"),
        ("f(4, 2), i(2), f(2, 3), 4", ValueError, "updates"),
    ),
)
def _update_cache(input_x: Tensor, indices: Tensor, updates: Tensor, max_num: Any) -> Tensor:
    """Store rows in a parameter; indices that are negative or not below a number are skipped.

    Inputs:
        - **input_x** (Parameter) - the rows.
        - **indices** (Tensor) - which ones to replace, integers.
        - **updates** (Tensor) - the new rows, one for each index.
        - **max_num** (Union[Tensor, int]) - indices from this one on are skipped.

    Outputs: Tensor of shape (1,), which means nothing.
    Raises TypeError: `indices` are not integers.
    Raises ValueError: `updates` has another shape.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> p = ms.Parameter(ms.Tensor([1.0, 2.0, 3.0]), name="p")
    >>> _ = ms.ops.UpdateCache()(p, ms.Tensor([0, -1]), ms.Tensor([7.0, 8.0]), 3)
    >>> print(p.value())
    [7. 2. 3.]
    """
    check_integers("UpdateCache", "indices", indices)
    _check_rows("UpdateCache", input_x, indices, updates, "updates")
    rows = updates.reshape(-1, *input_x.shape[1:]).to(input_x.dtype)
    most = as_tensor(max_num, indices).reshape(-1)[:1]
    at = _row_index(indices, input_x)
    result = (at >= 0) & (at < most) & (at < len(input_x))
    if len(input_x):
        # what is skipped is written into one row more, which is dropped
        place = at.where(result, len(input_x)).reshape(-1)
        longer = input_x.new_empty((len(input_x) + 1, *input_x.shape[1:]))
        longer[:-1] = input_x
        input_x.copy_(longer.index_copy(0, place, rows)[:-1])
    return input_x.new_zeros(1)


@primitive(
    "CacheSwapTable",
    cast="never",
    inplace=_and_result,
    differentiable=False,
    samples=("f(4, 2), torch.tensor([2, -1, 0]), f(3, 2)",),
    errors=(
        ("f(4), i(2), f(2)", ValueError, "cache_table"),
        ("f(4, 2), f(2), f(2, 2)", TypeError, "swap_cache_idx"),
        ("f(4, 2), i(2), f(2, 3)", ValueError, "miss_value"),
    ),
)
def _cache_swap_table(cache_table: Tensor, swap_cache_idx: Tensor, miss_value: Tensor) -> Tensor:
    """Store rows in a table and give those that stood there; negative indices are skipped.

    Inputs:
        - **cache_table** (Parameter) - the table, of two axes.
        - **swap_cache_idx** (Tensor) - which rows to replace, integers.
        - **miss_value** (Tensor) - the new rows, one for each index.

    Outputs: Tensor like `miss_value`, the old rows; zeros for indices that are skipped.
    Raises TypeError: `swap_cache_idx` are not integers.
    Raises ValueError: `cache_table` has not two axes, or `miss_value` another shape.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation.

    >>> p = ms.Parameter(ms.Tensor([[1.0], [2.0]]), name="p")
    >>> old = ms.ops.CacheSwapTable()(p, ms.Tensor([1, -1]), ms.Tensor([[7.0], [8.0]]))
    >>> print(old.reshape((2,)), p.reshape((2,)))
    [2. 0.] [1. 7.]
    """
    op_name = "CacheSwapTable"
    if cache_table.ndim != 2:
        raise ValueError(
            f"For '{op_name}', 'cache_table' must have 2 axes, but got shape "
            f"{list(cache_table.shape)}."
        )
    check_integers(op_name, "swap_cache_idx", swap_cache_idx)
    _check_rows(op_name, cache_table, swap_cache_idx, miss_value, "miss_value")
    at = _row_index(swap_cache_idx, cache_table)
    result = at >= 0
    rows = cache_table[at.clamp(min=0).reshape(-1)]
    old = rows.where(result, 0).reshape(miss_value.shape).to(miss_value.dtype)
    _update_cache(cache_table, swap_cache_idx, miss_value, len(cache_table))
    return old


@primitive(
    "DynamicAssign",
    cast="never",
    inplace=_replace,
    differentiable=False,
    samples=("f(2, 3), f(2, 3)", "f(3), i(3)"),
    errors=(("f(2), f(3)", ValueError, "same shape"), ("f(2), 'x'", TypeError, "value")),
)
def _dynamic_assign(variable: Tensor, value: Tensor) -> None:
    """Store a value in a parameter; see :func:`ops.assign`, whose checks are the same.

    >>> p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
    >>> print(ms.ops.DynamicAssign()(p, ms.Tensor([3.0, 4.0])))
    [3. 4.]
    """
    variable.copy_(_of_shape("DynamicAssign", variable, value))


@primitive(
    "Load",
    cast="never",
    samples=("f(2, 3)", "i(3), True"),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
    reference="variable",
)
def _load(variable: Tensor, u: Any = None) -> Tensor:
    """The value of a parameter; what stands behind it orders MindSpore's graphs.

    Inputs:
        - **variable** (Parameter) - the parameter.
        - **u** - taken and not used.

    Outputs: Tensor, the value.
    Difference from PyTorch: ``p.view_as(p)``.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.Load()(ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")))
    [1. 2.]
    """
    return variable.view_as(variable)


@primitive(
    "TransShape",
    cast="never",
    samples=("f(2, 3), (3, 2)", "f(4), (2, 1, 2)"),
    errors=(
        ("f(2, 3), (4, 2)", ValueError, "out_shape"),
        ("f(2, 3), (-1, 2)", ValueError, "out_shape"),
        ("f(2, 3), ('x',)", TypeError, "out_shape"),
    ),
    reference="input_x.reshape(out_shape)",
)
def _trans_shape(input_x: Tensor, out_shape: Any) -> Tensor:
    """A tensor in another shape; unlike :func:`ops.reshape`, every size is given.

    Inputs:
        - **input_x** (Tensor) - the tensor.
        - **out_shape** (tuple[int]) - its new shape, of as many elements.

    Outputs: Tensor of that shape.
    Raises TypeError: `out_shape` holds something else than int.
    Raises ValueError: it is of another number of elements.
    Difference from PyTorch: ``x.reshape(out_shape)``.
    Source: MindSpore 2.10's documentation.

    >>> print(ms.ops.TransShape()(ms.Tensor([1, 2, 3, 4]), (2, 2)))
    [[1 2]
     [3 4]]
    """
    op_name = "TransShape"
    expected = sizes(op_name, out_shape, "out_shape")
    if math.prod(expected) != input_x.numel():
        raise ValueError(
            f"For '{op_name}', 'out_shape' must have the {input_x.numel()} elements of the input, "
            f"but got {tuple(expected)}."
        )
    return input_x.reshape(expected)
