"""MindSpore's C++ data engine: what programs need that write transforms over it.

Such a transform makes an operation of the engine in its ``parse``; agar's operations are the
transforms themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agar._core import dtype as mstype
from agar.dataset.text.transforms import Lookup
from agar.dataset.text.utils import Vocab

__all__ = [
    "DataType",
    "LookupOperation",
    "Vocab",
    "_get_training_dataset",
    "_reset_training_dataset",
    "_set_training_dataset",
    "mstype_to_detype",
    "mstypelist_to_detypelist",
    "nptype_to_detype",
]

_NAMES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64"),
)


class DataType:
    """A type of the data engine, by its name; ``str`` gives the name."""

    def __init__(self, name: str) -> None:
        self._name = name if name in (*_NAMES, "string", "bytes") else "unknown"

    def __str__(self) -> str:
        return self._name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DataType) and other._name == self._name

    def __hash__(self) -> int:
        return hash(self._name)


_OF_NUMPY = {np.dtype(name): DataType(name) for name in _NAMES} | {
    np.dtype("str"): DataType("string")
}
_OF_AGAR = {
    getattr(mstype, "bool_" if name == "bool" else name): DataType(name)
    for name in (*_NAMES, "string")
}


def nptype_to_detype(type_: Any) -> DataType | None:
    """The engine's type of a type of numpy; None where it has none."""
    return _OF_NUMPY.get(np.dtype(type_))


def mstype_to_detype(type_: Any) -> DataType:
    """The engine's type of one of MindSpore's."""
    if type_ is None:
        raise NotImplementedError("For 'mstype_to_detype', 'type_' must be a type, but got None.")
    return _OF_AGAR[type_]


def mstypelist_to_detypelist(type_list: list[Any]) -> list[DataType]:
    """The engine's types of several; None is of any type."""
    return [DataType("") if t is None else mstype_to_detype(t) for t in type_list]


def LookupOperation(vocab: Vocab, unknown_token: str | None, data_type: str) -> Lookup:
    """The operation of ``text.Lookup``, with the type by its name."""
    return Lookup(vocab, unknown_token, getattr(mstype, data_type))


# --------------------------------------------------------------------- a training that is resumed

_training: list[Any] = []


def _set_training_dataset(dataset: Any) -> None:
    """Note the iterator of a training, for `_reset_training_dataset`."""
    _training[:] = [dataset]


def _get_training_dataset() -> Any:
    """The iterator that was noted, else None."""
    return _training[0] if _training else None


def _reset_training_dataset(global_step: int, dataset_size: int) -> None:
    """Let the iterator that was noted go on behind so many steps.

    Raises:
        RuntimeError: none was noted.
    """
    iterator = _get_training_dataset()
    if iterator is None:
        raise RuntimeError("Training dataset is not set: call _set_training_dataset with it.")
    iterator._reset(global_step, dataset_size)
