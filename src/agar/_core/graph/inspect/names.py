"""Names of parameters, of arguments, and of the values in a call's signature, for people."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from agar._core.graph.guard import flatten as guards
from agar._core.graph.guard.state import all_cells
from agar._core.parameter import Parameter
from agar._core.tensor import Structure, Tensor

if TYPE_CHECKING:
    from agar._core.graph.cache.function import CompiledFunction

__all__ = [
    "ArgumentTexts",
    "arguments_of",
    "dtype_text",
    "is_cell",
    "parameter_names",
    "shown_value",
    "tensor_arguments",
]


def is_cell(value: Any) -> bool:
    return hasattr(value, "_cells") and hasattr(value, "construct")


def parameter_names(function: Any) -> dict[int, str]:
    """Names of the parameters that can be reached, by ``id`` of their torch tensors."""
    environment = getattr(function, "_environment", None)
    if environment is None:
        return {}
    results: dict[int, str] = {}
    for cell in all_cells(environment.cells.values()):
        for p in cell._params.values():
            if p is not None:
                results[id(p._value)] = p.name
    for p in environment.parameters.values():
        results[id(p._value)] = p.name
    for t in environment.tensors.values():
        if isinstance(t, Parameter):
            results[id(t._value)] = t.name
    return results


# ---------------------------------------------------------------------------------- the arguments


def dtype_text(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _tensor_text(entry: Any) -> str:
    """A tensor of a signature's key, such as ``float32[2, 3]``."""
    return f"{dtype_text(entry[3])}{list(entry[1])}"


def _argument_names(function: CompiledFunction) -> Iterator[str]:
    """Names of positional arguments, then ``arguments[i]``."""
    owner: Any = function._roots[-1] if function._roots else function.fn
    called = owner.construct if is_cell(owner) else owner
    rest = "argument"
    try:
        for name, p in inspect.signature(called).parameters.items():
            if p.kind is p.VAR_POSITIONAL:
                rest = name
                break
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD):
                yield name
    except (TypeError, ValueError):  # builtins tell nothing of their arguments
        pass
    i = 0
    while True:
        yield f"{rest}[{i}]"
        i += 1


@dataclass
class ArgumentTexts:
    """The arguments of a signature in words."""

    tensors: dict[str, str] = field(default_factory=dict)  # name: metadata
    constants: dict[str, str] = field(default_factory=dict)
    objects: dict[str, str] = field(default_factory=dict)
    classes: dict[str, str] = field(default_factory=dict)  # of what is told by its attributes
    details: dict[str, str] = field(default_factory=dict)  # what is unusual about a tensor
    repeated: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)

    def signature(self) -> str:
        shown = {**self.tensors}
        shown.update(self.constants)
        shown.update(self.objects)
        shown.update(self.classes)
        return f"({', '.join(f'{n}: {shown[n]}' for n in self.order)})"

    def guards(self) -> list[str]:
        results = [f"{name} is a {kind}" for name, kind in self.classes.items()]
        for name, meta in self.tensors.items():
            detail = self.details.get(name)
            results.append(f"{name} is a Tensor {meta}{f', {detail}' if detail else ''}")
        results += [f"{name} is {value}" for name, value in self.constants.items()]
        results += [f"{name} is the same object ({value})" for name, value in self.objects.items()]
        return results + self.repeated


class _KeyReader:
    """Reads the key of a signature, entry by entry."""

    def __init__(self, key: tuple[Any, ...]) -> None:
        self.texts = ArgumentTexts()
        self.rest = iter(guards.without_marks(key))
        self._tensors: list[str] = []
        self._holders: list[str] = []  # names of containers and objects

    def take(self, name: str, is_open: bool = False) -> None:
        """Take the entry of a value, and those of its parts.

        Args:
            name: of the value.
            is_open: whether it is a container whose attributes were taken. Default: False.
        """
        entry = next(self.rest)
        kind = entry[0]
        if isinstance(kind, str):
            self._special(name, kind, entry)
        elif len(entry) > 1 and entry[1] is guards.ATTRIBUTES:
            self._attributes(name, kind, entry[2:])
        elif issubclass(kind, Tensor) and isinstance(entry[1], torch.Size):
            self._tensors.append(name)
            self.texts.order.append(name)
            self.texts.tensors[name] = _tensor_text(entry)
            self.texts.details[name] = _unusual(entry)
        elif issubclass(kind, (dict, list, tuple, Structure)):
            if not is_open and entry != (tuple, 0):
                self._holders.append(name)
            self._items(name, kind, entry)
        else:
            self._constant(name, kind, entry)

    def mark(self, key: tuple[Any, ...]) -> None:
        """Say which arguments the code reaches otherwise as well."""
        marked = [self._tensors[i] for i, _ in guards.held_marks(key)]
        marked += [self._holders[i] for i, _ in guards.held_marks(key, objects=True)]
        self.texts.repeated += [f"{name} is the one that the code reaches" for name in marked]

    def _special(self, name: str, kind: str, entry: Any) -> None:
        texts = self.texts
        if kind == "again":
            texts.repeated.append(f"{name} is the same Tensor as {self._tensors[entry[1]]}")
        elif kind == "same":
            texts.repeated.append(f"{name} is the same object as {self._holders[entry[1]]}")
        elif kind == "sparse":
            self._tensors.append(name)
            texts.order.append(name)
            texts.objects[name] = "a sparse Tensor"
        else:  # a container with attributes
            texts.order.append(name)
            texts.objects[name] = "a container with attributes"
            self.take(name)

    def _attributes(self, name: str, kind: type, attributes: tuple[str, ...]) -> None:
        self._holders.append(name)
        self.texts.order.append(name)
        self.texts.classes[name] = kind.__qualname__
        for attribute in attributes:
            self.take(f"{name}.{attribute}")
        if issubclass(kind, (dict, list, tuple)):
            self.take(name, is_open=True)

    def _items(self, name: str, kind: type, entry: Any) -> None:
        if issubclass(kind, dict):
            for k in entry[1:]:
                self.take(f"{name}[{k!r}]")
            return
        fields = getattr(kind, "_fields", None)
        count = len(fields or ()) if issubclass(kind, Structure) else entry[1]
        for i in range(count):
            self.take(f"{name}.{fields[i]}" if fields else f"{name}[{i}]")

    def _constant(self, name: str, kind: type, entry: Any) -> None:
        texts = self.texts
        texts.order.append(name)
        if len(entry) == 2 and issubclass(kind, (float, complex, np.generic)):
            texts.constants[name] = entry[1]  # its text
        elif len(entry) == 2:
            texts.constants[name] = _short(repr(entry[1]))
        elif len(entry) == 6:
            shape, _, _, dtype = entry[1:5]
            texts.constants[name] = f"an array {np.dtype(dtype)}{list(shape)} of equal values"
        else:
            texts.objects[name] = kind.__qualname__


def arguments_of(function: CompiledFunction, key: tuple[Any, ...]) -> ArgumentTexts:
    """The signature of `guards.flatten` in words."""
    reader = _KeyReader(key)
    names = _argument_names(function)
    for _ in range(next(reader.rest)):
        reader.take(next(names))
    for name in reader.rest:
        reader.take(name)
    reader.mark(key)
    return reader.texts


def tensor_arguments(function: CompiledFunction, key: tuple[Any, ...]) -> list[str]:
    """The names of the tensors among the arguments, in the order of their variables."""
    return list(arguments_of(function, key).tensors)


def _unusual(entry: Any) -> str:
    _, shape, stride, _, device, requires_grad = entry
    results = [f"on {device}"]
    expected, step = [], 1
    for size in reversed(shape):
        expected.append(step)
        step *= max(size, 1)
    plain = all(a == b or s < 2 for a, b, s in zip(stride, expected[::-1], shape, strict=True))
    if not plain:
        results.append(f"strides {list(stride)}")
    if requires_grad:
        results.append("differentiated")
    return ", ".join(results)


def _short(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


# -------------------------------------------------------------------------------------- reading


def shown_value(key: Any, kind: str) -> Any:
    """A value read from a tensor, from its key among the branches."""
    if kind == "read" and isinstance(key, tuple):  # a zero with its sign
        return -0.0 if key[0] else 0.0
    return float("nan") if key == "nan" else key
