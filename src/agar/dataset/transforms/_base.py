"""The bases of transforms."""

from __future__ import annotations

import sys
from abc import ABC
from typing import Any

import numpy as np

from agar._core.errors import describe
from agar.dataset.transforms.py_transforms_util import Implementation

__all__ = [
    "CompoundOperation",
    "PyTensorOperation",
    "TensorOperation",
    "apply_in_turn",
    "is_pil",
    "unpacked",
]


def is_pil(value: Any) -> bool:
    """Whether a value is a PIL image; PIL is not loaded for the question."""
    module = sys.modules.get("PIL.Image")
    return module is not None and isinstance(value, module.Image)


class TensorOperation:
    """Base of transforms of arrays: called with arrays, Tensors or PIL images, it gives arrays.

    A subclass defines ``_execute(*arrays)`` and, where PIL images stay PIL images,
    ``_execute_py(image)``; or, as MindSpore's own do, ``parse()``, which gives another operation.
    """

    implementation: Implementation | None = None
    device_target = "CPU"
    # a class attribute, so that operations need not call this class's __init__
    random: bool = False

    @property
    def _name(self) -> str:
        """The public name, for errors."""
        package = type(self).__module__.removesuffix(".transforms")
        return f"{package.rpartition('.')[2]}.{type(self).__name__}"

    def _array(self, value: Any) -> np.ndarray:
        to_numpy = getattr(value, "asnumpy", None)
        array = np.asarray(to_numpy() if to_numpy is not None else value)
        if array.dtype == object:
            raise TypeError(
                f"For '{self._name}', {describe(value)} cannot be made an array; give numbers, "
                "strings or bytes of one shape."
            )
        return array

    def __call__(self, *input_tensor_list: Any) -> Any:
        """Transform one row's values."""
        image = len(input_tensor_list) == 1 and is_pil(input_tensor_list[0])
        if self.implementation is Implementation.PY or (image and hasattr(self, "_execute_py")):
            return self._execute_py(*input_tensor_list)  # type: ignore[attr-defined]
        return self._execute(*map(self._array, input_tensor_list))

    def _execute(self, *arrays: Any) -> Any:
        parse = getattr(self, "parse", None)
        if parse is not None:
            operation = parse()
            if not isinstance(operation, TensorOperation):
                raise TypeError(
                    f"'{type(self).__name__}.parse' must return an operation of the data engine, "
                    f"but returned {describe(operation)}."
                )
            return operation._execute(*arrays)
        raise NotImplementedError(
            f"'{type(self).__name__}' derives from TensorOperation and must define "
            "_execute(*arrays), parse(), or __call__."
        )

    def _failed(self, what: str) -> RuntimeError:
        """The error of data that an operation cannot transform."""
        return RuntimeError(f"For '{self._name}', {what}.")

    def _single(self, arrays: tuple[Any, ...]) -> Any:
        if len(arrays) != 1:
            raise self._failed(f"one input is transformed, but {len(arrays)} were given")
        return arrays[0]


class PyTensorOperation:
    """Base of transforms of Python objects such as PIL images; a subclass has ``_execute_py``."""

    implementation: Implementation | None = None
    device_target = "CPU"
    random: bool = False
    _name = TensorOperation._name
    _failed = TensorOperation._failed

    def __call__(self, *input_tensor_list: Any) -> Any:
        """Transform one value."""
        return self._execute_py(*input_tensor_list)

    def _execute_py(self, img: Any) -> Any:
        raise NotImplementedError(
            f"'{type(self).__name__}' derives from PyTensorOperation and must define "
            "_execute_py(value), or __call__."
        )


class CompoundOperation(TensorOperation, PyTensorOperation, ABC):
    """Base of transforms that hold transforms."""

    implementation: Implementation | None = None

    def __init__(self, transforms: list[Any]) -> None:
        self.transforms: list[Any] = list(transforms)
        kinds = [getattr(op, "implementation", Implementation.C) for op in self.transforms]
        known = [kind for kind in kinds if kind is not None]
        if known and all(kind is Implementation.PY for kind in known):
            self.implementation = Implementation.PY
        elif known and all(kind is Implementation.C for kind in known):
            self.implementation = Implementation.C

    def _in_python(self, inputs: tuple[Any, ...]) -> bool:
        """Whether MindSpore would run this in Python, where draws come from ``random``."""
        image = len(inputs) == 1 and is_pil(inputs[0])
        return image or self.implementation is Implementation.PY


def apply_in_turn(transforms: list[Any], inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    for transform in transforms:
        result = transform(*inputs)
        inputs = result if isinstance(result, tuple) else (result,)
    return inputs


def unpacked(values: tuple[Any, ...]) -> Any:
    return values[0] if len(values) == 1 else values
