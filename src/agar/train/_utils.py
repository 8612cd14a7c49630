"""Helpers of training, at MindSpore's private path."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from agar._core.dtype import to_numpy_dtype
from agar._core.tensor import Tensor

__all__: list[str] = []


def _make_directory(path: str, arg_name: str = "path") -> str:
    """The absolute path of a folder, which is made unless it exists."""
    if not isinstance(path, str) or not path.strip():
        raise TypeError(
            f"For '{arg_name}', the path must be a str that is not empty, got {path!r}."
        )
    os.makedirs(path, exist_ok=True)
    return os.path.realpath(path)


def _get_types_and_shapes(dataset: Any) -> tuple[list[Any], list[Any]]:
    """The types and shapes of a dataset's columns."""
    return dataset.output_types(), dataset.output_shapes()


def _construct_tensor_list(
    types: Sequence[Any], shapes: Sequence[Sequence[int]], batch_expand_num: int = 1
) -> list[Tensor]:
    """Tensors of zeros of the types and shapes, the first axis so many times as long."""
    if len(types) != len(shapes):
        raise ValueError(
            "The length of dataset types must be equal to dataset shapes, but got dataset "
            f"types={types} and dataset shapes={shapes}"
        )
    items = []
    for kind, shape in zip(types, shapes, strict=True):
        whole = (shape[0] * batch_expand_num, *shape[1:]) if shape else ()
        items.append(Tensor(np.zeros(whole, to_numpy_dtype(kind))))
    return items


def _to_tensor(elem: Any, scaling_sens: Any = None) -> Tensor | tuple[Any, ...]:
    """Numpy arrays as Tensors, a single one without a tuple; a row with anything else as it is."""
    values = elem if isinstance(elem, (tuple, list)) else [elem]
    arrays = all(isinstance(v, np.ndarray) for v in values)
    items = [Tensor(v) for v in values] if arrays else list(values)
    if scaling_sens:
        items.append(Tensor(np.float32(scaling_sens)))
    return items[0] if arrays and len(items) == 1 else tuple(items)


def check_value_type(arg_name: str, arg_value: Any, valid_types: Any) -> None:
    """Raise TypeError unless a value is of one of the types; a bool counts as no int."""
    kinds = tuple(valid_types) if isinstance(valid_types, Iterable) else (valid_types,)
    refused = isinstance(arg_value, bool) and bool not in kinds
    if refused or not isinstance(arg_value, kinds):
        raise TypeError(
            f"For `{arg_name}` the type should be a valid type of {[k.__name__ for k in kinds]}, "
            f"but got {type(arg_value).__name__}."
        )
