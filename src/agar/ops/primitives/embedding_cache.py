"""Primitives around caches of embeddings: which rows are where, and which are missing."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar._core.runtime import host_node
from agar.ops._checks import integer
from agar.ops.math.elementwise import check_integers
from agar.ops.spec import primitive

__all__: list[str] = []


@primitive(
    "MapUniform",
    samples=("torch.arange(8), 4, 2", "torch.arange(6).reshape(2, 3), 3, 2"),
    errors=(
        ("f(3), 4, 2", TypeError, "input"),
        ("i(3), 4, 0", ValueError, "group_num"),
        ("i(3), 4.0, 2", TypeError, "per_group_size"),
    ),
    reference="input % group_num * per_group_size + input // group_num",
    differentiable=False,
    cast="never",
)
def _map_uniform(input: Tensor, per_group_size: int, group_num: int) -> Tensor:
    r"""Keys spread evenly over groups: :math:`key \bmod groups \cdot size + key // groups`.

    Inputs:
        - **input** (Tensor) - the keys, integers.
        - **per_group_size** (int) - the size of a group.
        - **group_num** (int) - the number of groups.

    Outputs: Tensor like `input`.
    Raises TypeError: `input` or a number is not an integer.
    Raises ValueError: a number is not positive.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.MapUniform()(ms.Tensor([0, 1, 2, 3]), 2, 2))
    [0 2 1 3]
    """
    check_integers("MapUniform", "input", input)
    size = integer("MapUniform", "per_group_size", per_group_size, 1)
    groups = integer("MapUniform", "group_num", group_num, 1)
    return input % groups * size + torch.div(input, groups, rounding_mode="floor")


@primitive(
    "SubAndFilter",
    samples=("torch.tensor([1, 3, 5, 8, 9, 16]), 10, 5", "i(4), 0, 0"),
    errors=(("f(3), 4, 2", TypeError, "input_x"), ("i(3), 4.5, 2", TypeError, "max_num")),
    differentiable=False,
    cast="never",
)
def _sub_and_filter(input_x: Tensor, max_num: int, offset: int) -> tuple[Tensor, Tensor]:
    """The numbers less an offset that lie in [0, max_num), and their places.

    Inputs:
        - **input_x** (Tensor) - integers, one axis.
        - **max_num** (int) - the bound.
        - **offset** (int) - what is subtracted.

    Outputs: Tuple of the numbers and their places, both in the type of `input_x`.
    Raises TypeError: `input_x` or a number is not an integer.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> numbers, places = ms.ops.SubAndFilter()(ms.Tensor([1, 5, 8, 16]), 10, 5)
    >>> print(numbers, places)
    [0 3] [1 2]
    """
    check_integers("SubAndFilter", "input_x", input_x)
    result = input_x.reshape(-1) - integer("SubAndFilter", "offset", offset)
    keep = (result >= 0) & (result < integer("SubAndFilter", "max_num", max_num))
    return result[keep], keep.nonzero().reshape(-1).to(input_x.dtype)


# ------------------------------------------------------------------------------ the hash map

# The columns of a hash map's rows; a row whose tag is 0 is empty, otherwise the tag is one more
# than its distance from where its key belongs.
_KEY, _VALUE, _STEP, _TAG = range(4)


def _home(key: int, length: int) -> int:
    share = 0.6180339 * key
    return int((share - math.floor(share)) * length)


def _close_gap(rows: list[list[int]], gap: int) -> None:
    """Move later rows up to an emptied one, as far as their keys' homes allow."""
    length = len(rows)
    place, distance = (gap + 1) % length, 1
    while rows[place][_TAG]:
        if rows[place][_TAG] > distance:
            rows[gap] = [*rows[place][:_TAG], rows[place][_TAG] - distance]
            rows[place][_TAG] = 0
            gap, distance = place, 0
        place, distance = (place + 1) % length, distance + 1


def _look_up(rows: list[list[int]], key: int) -> int | None:
    """The row of a key, None if it is not there."""
    place = _home(key, len(rows))
    for _ in range(len(rows)):
        if not rows[place][_TAG]:
            return None
        if rows[place][_KEY] == key:
            return place
        place = (place + 1) % len(rows)
    raise RuntimeError("For 'MapCacheIdx', the hash map is full: make the cache larger.")


def _insert(rows: list[list[int]], key: int, step: int) -> tuple[int, int]:
    """Give a key the cache place of one that is not in use; that place and the key it had."""
    length = len(rows)
    place, tag = _home(key, length), 1
    while rows[place][_TAG]:
        place, tag = (place + 1) % length, tag + 1
        if tag > length:
            raise RuntimeError("For 'MapCacheIdx', the hash map is full: make the cache larger.")
    victim, tried = (place + 1) % length, 1
    while not rows[victim][_TAG] or rows[victim][_STEP] >= step - 1:
        victim, tried = (victim + 1) % length, tried + 1
        if tried > length:
            raise RuntimeError(
                "For 'MapCacheIdx', every row of the hash map is in use: make the cache larger."
            )
    old, value = rows[victim][_KEY], rows[victim][_VALUE]
    rows[place] = [key, value, step, tag]
    rows[victim][_TAG] = 0
    _close_gap(rows, victim)
    return value, old


def _map_of(hashmap: Tensor, indices: Tensor, step: int, most: int, offset: int) -> tuple:
    rows = hashmap.tolist()
    items: list[int] = []
    missing: list[tuple[int, int]] = []
    for i, number in enumerate(indices.reshape(-1).tolist()):
        key = number - offset
        items.append(-1)
        if not 0 <= key < most:
            continue
        place = _look_up(rows, key)
        if place is None:
            missing.append((i, key))
        else:
            items[i] = rows[place][_VALUE]
            rows[place][_STEP] = step
    swapped = [_insert(rows, key, step) for _, key in missing]
    for (i, _), (value, _) in zip(missing, swapped, strict=True):
        items[i] = value
    with torch.no_grad():
        hashmap.copy_(hashmap.new_tensor(rows))
    return (
        hashmap.new_tensor(items).reshape(indices.shape),
        hashmap.new_tensor([old for _, old in swapped]),
        hashmap.new_tensor([key for _, key in missing]),
        hashmap.new_tensor([value for value, _ in swapped]),
    )


_map = host_node(_map_of, "tensors")


@primitive(
    "MapCacheIdx",
    samples=(
        "torch.tensor([[0, 0, 0, 0], [10, 0, -5, 1], [15, 5, -5, 1], [9, 1, -5, 2]]),"
        " torch.tensor([10, 30]), 0, 99, 0",
    ),
    errors=(
        ("i(4), i(2), 0, 99, 0", ValueError, "hashmap"),
        ("f(4, 4), i(2), 0, 99, 0", TypeError, "hashmap"),
        ("i(4, 4) * 0, i(2), 0, 99, 0", RuntimeError, "in use"),
    ),
    differentiable=False,
    cast="never",
)
def _map_cache_idx(
    hashmap: Tensor, indices: Tensor, step: Any, emb_max_num: Any, offset: Any
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The positions of embedding rows in a cache; missing rows get those of old ones.

    `hashmap` is changed: it holds, for each place of a hash table, the row, its place in the
    cache, the step of its last use and a tag (0: empty, else one more than the distance from where
    the row's hash puts it). Rows used at `step` - 1 or later keep their places.

    Inputs:
        - **hashmap** (Parameter) - shape :math:`(length, 4)`, integers.
        - **indices** (Tensor) - the rows wanted.
        - **step** (Union[Tensor, int]) - the number of this step.
        - **emb_max_num** (Union[Tensor, int]) - how many rows there are.
        - **offset** (Union[Tensor, int]) - what is subtracted from `indices`.

    Outputs: Tuple of the places in the cache (-1 for rows that do not exist), the rows that lost
        their places, the rows that were missing, and the places that changed hands.
    Raises TypeError: `hashmap` or `indices` are not integers.
    Raises ValueError: `hashmap` has another shape.
    Raises RuntimeError: there is no place left.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> table = ms.Tensor([[0, 0, 0, 0], [10, 5, -5, 1], [9, 3, -5, 2], [0, 0, 0, 0]])
    >>> places, old, missing, _ = ms.ops.MapCacheIdx()(table, ms.Tensor([9, 2]), 0, 99, 0)
    >>> print(places, old, missing)
    [3 5] [10] [2]
    """
    op_name = "MapCacheIdx"
    check_integers(op_name, "hashmap", hashmap)
    check_integers(op_name, "indices", indices)
    if hashmap.ndim != 2 or hashmap.shape[1] != 4:
        raise ValueError(
            f"For '{op_name}', 'hashmap' must have shape (length, 4), but got "
            f"{list(hashmap.shape)}."
        )
    step, most, first = (_single(op_name, v) for v in (step, emb_max_num, offset))
    if indices.dtype != hashmap.dtype:
        raise TypeError(
            f"For '{op_name}', 'hashmap' and 'indices' must have one type, but got "
            f"{FROM_TORCH[hashmap.dtype]} and {FROM_TORCH[indices.dtype]}."
        )
    return _map(hashmap, indices, step, most, first)


def _single(op_name: str, value: Any) -> int:
    """An int, or the only one in a list."""
    while isinstance(value, (list, tuple)) and len(value) == 1:
        value = value[0]
    return integer(op_name, "step, emb_max_num and offset", value)
