"""Values of several rows as one array: stacked, or filled up to one shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agar.dataset.engine._checks import Check
from agar.dataset.engine._values import as_array

__all__ = ["PadInfo", "checked_pad_info", "pad_shapes", "padded", "stack"]

#: column: (shape or None, value); a None in a shape stands for the largest size.
PadInfo = dict[str, tuple[list[int | None] | None, Any]]


def stack(column: str, values: Sequence[Any]) -> Any:
    """The values of a column as one array; dicts as one dict, whose values are arrays.

    Raises:
        RuntimeError: shapes, types or keys differ.
    """
    first = values[0]
    if isinstance(first, dict):
        return _stacked_dicts(column, values)
    if type(first) is not np.ndarray:
        raise RuntimeError(
            f"For 'batch', the column '{column}' holds {type(first).__name__} objects, which "
            "cannot be stacked; make arrays of them with map, or with a per_batch_map."
        )
    dtype, shape = first.dtype, first.shape
    if dtype.kind in "US":
        for value in values:
            _same(column, first, value, value.dtype.kind == dtype.kind)
        return np.array(values)
    result = np.empty((len(values), *shape), dtype)
    for i, value in enumerate(values):
        if value.shape != shape or value.dtype != dtype:
            _same(column, first, value, value.dtype == dtype)
        result[i] = value
    return result


def _stacked_dicts(column: str, values: Sequence[Any]) -> dict[Any, np.ndarray]:
    """Dicts of numbers, strings, and lists or arrays of them as one dict of arrays."""
    first = values[0]
    for value in values:
        if not isinstance(value, dict) or value.keys() != first.keys():
            other = list(value) if isinstance(value, dict) else type(value).__name__
            raise RuntimeError(
                f"For 'batch', dicts of the column '{column}' must have the same keys: the first "
                f"has {list(first)}, another {other}. Make them alike with map."
            )
    return {key: _stacked_key(column, key, [value[key] for value in values]) for key in first}


def _stacked_key(column: str, key: Any, values: list[Any]) -> np.ndarray:
    """The values of one key; numbers of several types have the widest of them."""
    try:
        return as_array([_numbers(value) for value in values])
    except TypeError as error:
        raise RuntimeError(
            f"For 'batch', the values of the key {key!r} in the dicts of the column '{column}' "
            "cannot be stacked: they must be numbers, strings, or lists or arrays of these, of "
            "one shape. Change them with map, or use a per_batch_map."
        ) from error


def _numbers(value: Any) -> Any:
    """A value that numpy can stack: Tensors, also inside of lists, as arrays."""
    if isinstance(value, (list, tuple)):
        return [_numbers(inside) for inside in value]
    if isinstance(value, dict):
        raise TypeError("a dict within a dict")
    return as_array(value)


def _same(column: str, first: np.ndarray, value: np.ndarray, type_fits: bool) -> None:
    if value.shape != first.shape:
        raise RuntimeError(
            f"For 'batch', values of the column '{column}' have different shapes, which cannot be "
            f"stacked: the first has {list(first.shape)}, another {list(value.shape)}. Use "
            "padded_batch(..., pad_info={}) to fill them up, or a per_batch_map."
        )
    if not type_fits:
        raise RuntimeError(
            f"For 'batch', values of the column '{column}' have different types: the first has "
            f"{first.dtype}, another {value.dtype}. Cast them with map(TypeCast(...))."
        )


def checked_pad_info(owner: str, value: Any) -> PadInfo | None:
    """A program's `pad_info`."""
    if value is None:
        return None
    check = Check(owner)
    check.kind("pad_info", value, dict)
    result: PadInfo = {}
    for column, info in value.items():
        check.kind("the columns of pad_info", column, str)
        if info is None:
            result[column] = (None, None)
            continue
        check.sequence(f"pad_info['{column}']", info, 2)
        shape, fill = info
        if shape is not None:
            check.sequence(f"the shape of pad_info['{column}']", shape)
            for size in shape:
                if size is not None:
                    check.whole(f"the shape of pad_info['{column}']", size, 1)
            shape = list(shape)
        result[column] = (shape, fill)
    return result


def pad_shapes(
    column: str, values: Sequence[np.ndarray], expected: list[int | None] | None
) -> list[int]:
    """The shape to which the values of a column are filled up."""
    rank = values[0].ndim
    for value in values:
        if value.ndim != rank or (expected is not None and len(expected) != rank):
            raise RuntimeError(
                f"For 'padded_batch', a value of the column '{column}' has shape "
                f"{list(value.shape)}, but the number of dimensions to fill up to is "
                f"{rank if expected is None else len(expected)}."
            )
    largest = [max(value.shape[i] for value in values) for i in range(rank)]
    if expected is None:
        return largest
    return [size if want is None else want for want, size in zip(expected, largest, strict=True)]


def padded(column: str, values: Sequence[Any], shape: list[int], fill: Any) -> list[np.ndarray]:
    """The values cut and filled up to a shape.

    Raises:
        RuntimeError: text is to be filled up with numbers, or numbers with text.
    """
    first = values[0]
    text = first.dtype.kind in "US"
    if fill is None:
        fill = (b"" if first.dtype.kind == "S" else "") if text else 0
    filler = as_array(fill)
    if first.dtype.kind == "S" and filler.dtype.kind == "U":
        filler = np.char.encode(filler, "utf-8")
    if (filler.dtype.kind in "US") != text:
        raise RuntimeError(
            f"For 'padded_batch', the column '{column}' of type {first.dtype} cannot be filled up "
            f"with {fill!r}."
        )
    result = []
    for value in values:
        if list(value.shape) == shape:
            result.append(value)
            continue
        dtype = np.result_type(value.dtype, filler.dtype) if text else value.dtype
        full = np.full(shape, filler, dtype)
        cut = tuple(slice(min(a, b)) for a, b in zip(value.shape, shape, strict=True))
        full[cut] = value[cut]
        result.append(full)
    return result
