"""Names of parameters, of arguments, and of the values in a call's signature, for people."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from agar._core.graph.guard import arguments as guards
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor

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
    for cell in guards.all_cells(environment.cells.values()):
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
    details: dict[str, str] = field(default_factory=dict)  # what is unusual about a tensor
    repeated: list[str] = field(default_factory=list)
    order: list[str] = field(default_factory=list)

    def signature(self) -> str:
        shown = {**self.tensors}
        shown.update(self.constants)
        shown.update(self.objects)
        return f"({', '.join(f'{n}: {shown[n]}' for n in self.order)})"

    def guards(self) -> list[str]:
        results = []
        for name, meta in self.tensors.items():
            detail = self.details.get(name)
            results.append(f"{name} is a Tensor {meta}{f', {detail}' if detail else ''}")
        results += [f"{name} is {value}" for name, value in self.constants.items()]
        results += [f"{name} is the same object ({value})" for name, value in self.objects.items()]
        return results + self.repeated


def arguments_of(function: CompiledFunction, key: tuple[Any, ...]) -> ArgumentTexts:
    """The signature of `guards.flatten` in words."""
    result = ArgumentTexts()
    tensors: list[str] = []
    rest = iter(key)

    def take(name: str) -> None:
        entry = next(rest)
        kind = entry[0]
        if kind == "again":
            result.repeated.append(f"{name} is the same Tensor as {tensors[entry[1]]}")
        elif kind == "sparse":
            tensors.append(name)
            result.order.append(name)
            result.objects[name] = "a sparse Tensor"
        elif issubclass(kind, Tensor) and isinstance(entry[1], torch.Size):
            tensors.append(name)
            result.order.append(name)
            result.tensors[name] = _tensor_text(entry)
            result.details[name] = _unusual(entry)
        elif issubclass(kind, dict):
            for k in entry[1:]:
                take(f"{name}[{k!r}]")
        elif issubclass(kind, (list, tuple)):
            fields = getattr(kind, "_fields", None)
            for i in range(entry[1]):
                take(f"{name}.{fields[i]}" if fields else f"{name}[{i}]")
        else:
            result.order.append(name)
            if len(entry) == 2 and issubclass(kind, (float, complex, np.generic)):
                result.constants[name] = entry[1]  # its text
            elif len(entry) == 2:
                result.constants[name] = _short(repr(entry[1]))
            elif len(entry) == 6:
                shape, _, _, dtype = entry[1:5]
                result.constants[name] = f"an array {np.dtype(dtype)}{list(shape)} of equal values"
            else:
                result.objects[name] = kind.__qualname__

    names = _argument_names(function)
    for _ in range(next(rest)):
        take(next(names))
    for name in rest:
        take(name)
    return result


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
