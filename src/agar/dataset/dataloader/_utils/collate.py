"""Rows as batches, and single rows as Tensors."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from agar._core.tensor import Tensor
from agar.common import dtype as mstype
from agar.ops import stack

__all__ = ["collate", "default_collate", "default_collate_fn_map", "default_convert"]

# text, bytes and objects, which no Tensor holds
np_str_obj_array_pattern = re.compile(r"[SaUO]")

_Map = Mapping[Any, Callable[..., Any]]


# ---------------------------------------------------------------------------------- containers


def _is_named(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def _mapping_like(original: Any, entries: dict[Any, Any]) -> Any:
    """Entries in a mapping of the original's kind, a dict where that cannot be made."""
    try:
        if isinstance(original, MutableMapping):
            result = copy.copy(original)  # keeps what else the kind holds
            result.update(entries)
            return result
        return type(original)(entries)
    except TypeError:
        return entries


def _sequence_like(original: Any, values: list[Any]) -> Any:
    """Values in a sequence of the original's kind; a list for a tuple, as in MindSpore."""
    if isinstance(original, tuple):
        return values
    try:
        if isinstance(original, MutableSequence):
            result = copy.copy(original)
            for place, value in enumerate(values):
                result[place] = value
            return result
        return type(original)(values)
    except TypeError:
        return values


# -------------------------------------------------------------------------------------- single


def convert_tensor(data: Tensor) -> Tensor:
    """A Tensor as it is."""
    return data


def convert_numpy_scalar(data: np.generic) -> Tensor:
    """A number of numpy as a Tensor."""
    return Tensor(data)


def convert_numpy_array(data: np.ndarray) -> Any:
    """An array of numbers as a Tensor that shares its memory."""
    return data if np_str_obj_array_pattern.search(data.dtype.str) else Tensor.from_numpy(data)


def convert_mapping(data: Mapping[Any, Any]) -> Any:
    """A mapping whose values are converted."""
    return _mapping_like(data, {key: default_convert(data[key]) for key in data})


def convert_namedtuple(data: Any) -> Any:
    """A named tuple whose values are converted."""
    return type(data)(*map(default_convert, data))


def convert_tuple(data: tuple[Any, ...]) -> list[Any]:
    """A list of the converted values of a tuple."""
    return [default_convert(value) for value in data]


def convert_sequence(data: Sequence[Any]) -> Any:
    """A sequence whose values are converted."""
    return _sequence_like(data, [default_convert(value) for value in data])


def default_convert(data: Any) -> Any:
    """Turn the arrays and numbers of numpy in a row into Tensors.

    Args:
        data (Any): a row: an array, a number, or mappings and sequences of them.

    Returns:
        Any, `data` with Tensors. Arrays of text or objects, numbers of Python, and what is neither
        a mapping nor a sequence stay as they are; a tuple becomes a list.

    Difference from PyTorch: none, ``torch.utils.data.default_convert``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> from agar.dataset.dataloader import default_convert
        >>> default_convert({"x": np.array([0, 1, 2]), "name": "a"})
        {'x': Tensor(shape=[3], dtype=Int64, value= [0, 1, 2]), 'name': 'a'}
    """
    if isinstance(data, Tensor):
        return convert_tensor(data)
    if isinstance(data, (np.number, np.bool_)):
        return convert_numpy_scalar(data)
    if isinstance(data, np.ndarray):
        return convert_numpy_array(data)
    if isinstance(data, Mapping):
        return convert_mapping(data)
    if _is_named(data):
        return convert_namedtuple(data)
    if isinstance(data, tuple):
        return convert_tuple(data)
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return convert_sequence(data)
    return data


# ------------------------------------------------------------------------------------- batches


def _each(columns: Iterable[Any], functions: _Map | None) -> list[Any]:
    return [collate(column, collate_fn_map=functions) for column in columns]


def collate_mapping_fn(batch: Sequence[Any], *, collate_fn_map: _Map | None = None) -> Any:
    """One mapping of batches, of mappings with the same keys."""
    first = batch[0]
    columns = _each(([row[key] for row in batch] for key in first), collate_fn_map)
    return _mapping_like(first, dict(zip(first, columns, strict=True)))


def collate_namedtuple_fn(batch: Sequence[Any], *, collate_fn_map: _Map | None = None) -> Any:
    """One named tuple of batches."""
    return type(batch[0])(*_each(zip(*batch, strict=True), collate_fn_map))


def collate_sequence_fn(batch: Sequence[Any], *, collate_fn_map: _Map | None = None) -> Any:
    """One sequence of batches, of sequences of the same length.

    Raises:
        RuntimeError: the lengths differ.
    """
    lengths = {len(row) for row in batch}
    if len(lengths) > 1:
        raise RuntimeError(
            f"Each element in list of batch must be of equal size, but got the sizes "
            f"{sorted(lengths)}: pad the rows, or give a 'collate_fn' that does."
        )
    return _sequence_like(batch[0], _each(zip(*batch, strict=True), collate_fn_map))


def collate_tensor_fn(batch: Sequence[Tensor], *, collate_fn_map: _Map | None = None) -> Tensor:
    """Tensors of one shape, stacked.

    Raises:
        ValueError: the shapes differ.
    """
    del collate_fn_map
    shapes = [tuple(tensor.shape) for tensor in batch]
    if len(set(shapes)) > 1:
        raise ValueError(
            f"Rows of a batch must have one shape, but got {shapes}: pad them, or give a "
            "'collate_fn' that does."
        )
    return stack(batch)


def collate_numpy_array_fn(batch: Sequence[Any], *, collate_fn_map: _Map | None = None) -> Any:
    """Arrays of one shape as one Tensor.

    Raises:
        TypeError: they hold text or objects.
    """
    kind = batch[0].dtype
    if np_str_obj_array_pattern.search(kind.str):
        raise TypeError(
            f"NumPy arrays with dtype {kind} are not supported for collation: give a 'collate_fn' "
            "that keeps them in a list."
        )
    return collate([Tensor.from_numpy(array) for array in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch: Sequence[Any], *, collate_fn_map: _Map | None = None) -> Tensor:
    """Numbers of numpy as one Tensor of their type."""
    del collate_fn_map
    return Tensor(np.array(batch))


def collate_float_fn(batch: Sequence[float], *, collate_fn_map: _Map | None = None) -> Tensor:
    """Numbers of Python as one Tensor of float64."""
    del collate_fn_map
    return Tensor(batch, dtype=mstype.float64)


def collate_int_fn(batch: Sequence[int], *, collate_fn_map: _Map | None = None) -> Tensor:
    """Integers or bools of Python as one Tensor of int64 or bool."""
    del collate_fn_map
    return Tensor(batch)


def collate_str_fn(batch: Sequence[Any], *, collate_fn_map: _Map | None = None) -> Sequence[Any]:
    """Texts as they are, in a list."""
    del collate_fn_map
    return batch


default_collate_fn_map: dict[Any, Callable[..., Any]] = {
    Tensor: collate_tensor_fn,
    np.ndarray: collate_numpy_array_fn,
    (np.bool_, np.number, np.object_): collate_numpy_scalar_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


def collate(batch: Sequence[Any], *, collate_fn_map: _Map | None = None) -> Any:
    """Rows as a batch, by the function that a map has for their type.

    Mappings are batched by key and sequences by place.

    Raises:
        TypeError: the map has no function for a type.
    """
    first = batch[0]
    functions = collate_fn_map or {}
    function = functions.get(type(first))
    if function is None:
        function = next((f for kind, f in functions.items() if isinstance(first, kind)), None)
    if function is None:
        if isinstance(first, Mapping):
            function = collate_mapping_fn
        elif _is_named(first):
            function = collate_namedtuple_fn
        elif isinstance(first, Sequence):
            function = collate_sequence_fn
        else:
            raise TypeError(
                f"Rows of type {type(first).__name__} cannot be batched: give a 'collate_fn' that "
                "does, or rows of Tensors, arrays, numbers, texts, and mappings and sequences "
                "of them."
            )
    return function(batch, collate_fn_map=collate_fn_map)


def default_collate(batch: list[Any]) -> Any:
    """Put rows together along a new first axis.

    Args:
        batch (list): the rows, all of the same structure.

    Returns:
        Any, Tensors for Tensors, arrays and numbers; lists of texts; mappings and sequences of
        batches for those of rows, where a tuple becomes a list.

    Raises:
        RuntimeError: sequences have several lengths.
        TypeError: a row holds something else.
        ValueError: Tensors or arrays have several shapes.

    Difference from PyTorch: none, ``torch.utils.data.default_collate``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.dataloader import default_collate
        >>> default_collate([{"x": 0, "y": 2.0}, {"x": 1, "y": 3.0}])["y"]
        Tensor(shape=[2], dtype=Float64, value= [ 2.00000000e+00,  3.00000000e+00])
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)
