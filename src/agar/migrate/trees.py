"""Nested values of both libraries: flattened, mapped, and carried from one to the other."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

# both libraries' tensors are what this file is about
import torch
from torch.nn.utils.rnn import PackedSequence

from agar._core.tensor import Structure, Tensor, wrap

__all__ = ["Call", "call_of", "flatten", "is_simple", "map_values", "tensors", "to_agar"]

_DEPTH = 8  # levels of objects that are looked into
_PLAIN = (bool, int, float, complex, str, bytes, type(None), torch.dtype, torch.device, slice)


@dataclasses.dataclass
class Call:
    """The arguments of one call, with torch tensors.

    Attributes:
        args (tuple): the positional arguments.
        kwargs (dict): the keyword arguments.
    """

    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = dataclasses.field(default_factory=dict)

    def map(self, fn: Callable[[torch.Tensor], Any]) -> Call:
        """The same call with `fn` applied to every tensor.

        Args:
            fn (Callable): takes a torch tensor and returns what stands in its place.
        """
        return Call(map_values(self.args, fn), map_values(self.kwargs, fn))

    def tensors(self) -> list[tuple[str, torch.Tensor]]:
        """Every tensor with its place: ``input[0]``, ``input.mask``."""
        if len(self.args) == 1 and not self.kwargs and type(self.args[0]) is torch.Tensor:
            return [("input[0]", self.args[0])]
        items = list(tensors(self.args, "input"))
        for name, value in self.kwargs.items():
            items += tensors(value, f"input.{name}")
        return items


def call_of(inputs: Any) -> Call:
    """What the user gave as inputs, as a call.

    Args:
        inputs: a tensor, array or number, a tuple of them, or a dictionary of keyword arguments.
    """
    if isinstance(inputs, Call):
        return inputs
    if isinstance(inputs, Mapping):
        return Call((), {str(k): _to_torch(v) for k, v in inputs.items()})
    if isinstance(inputs, tuple) and not hasattr(inputs, "_fields"):
        return Call(tuple(_to_torch(v) for v in inputs), {})
    return Call((_to_torch(inputs),), {})


def _to_torch(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return torch.from_numpy(np.ascontiguousarray(value).copy())
    if isinstance(value, Tensor):
        return value._value.detach().clone()
    if isinstance(value, torch.Tensor):
        return value.detach()
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return type(value)(_to_torch(v) for v in value)
    if isinstance(value, dict):
        return {k: _to_torch(v) for k, v in value.items()}
    return value


def map_values(value: Any, fn: Callable[[torch.Tensor], Any]) -> Any:
    """The same structure with `fn` applied to each torch tensor.

    Args:
        value (Any): a torch tensor, or tuples, lists and dictionaries with tensors in them.
        fn (Callable): takes a torch tensor and returns what stands in its place.
    """
    if isinstance(value, torch.Tensor):
        return fn(value)
    if isinstance(value, tuple):
        items = [map_values(v, fn) for v in value]
        if isinstance(value, PackedSequence):  # whose constructor checks that they are torch's
            return tuple.__new__(type(value), items)
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if type(value) is list:
        return [map_values(v, fn) for v in value]
    if type(value) is dict:
        return {k: map_values(v, fn) for k, v in value.items()}
    return value


def to_agar(value: Any) -> Any:
    """The same structure with agar's tensors over the same memory.

    Args:
        value (Any): torch tensors in tuples, lists and dictionaries.
    """
    return map_values(value, wrap)


def is_simple(value: Any) -> bool:
    """Whether a value is made of tensors, numbers, texts and containers of Python only.

    Args:
        value (Any): the value.
    """
    if isinstance(value, PackedSequence):
        return False
    if isinstance(value, (torch.Tensor, *_PLAIN)):
        return True
    if isinstance(value, tuple) or type(value) is list:
        return all(is_simple(v) for v in value)
    if type(value) is dict:
        return all(is_simple(v) for v in value.values())
    return False


def flatten(value: Any, name: str = "output", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every leaf of a value of either library with its place; tensors are torch's.

    Args:
        value: tensors in tuples, lists, dictionaries, dataclasses or other objects.
        name (str): how the value is called. Default: ``"output"``.
        depth (int): how many levels of objects are around it. Default: ``0``.
    """
    if isinstance(value, Tensor):
        yield name, value._value
    elif isinstance(value, (torch.Tensor, *_PLAIN)):
        yield name, value
    elif isinstance(value, np.ndarray):
        yield name, torch.from_numpy(np.ascontiguousarray(value))
    elif isinstance(value, np.generic):
        yield name, value.item()
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from flatten(item, f"{name}.{key}", depth + 1)
    elif hasattr(value, "_fields") and isinstance(value, tuple):
        for key in getattr(value, "_fields"):  # noqa: B009
            yield from flatten(getattr(value, key), f"{name}.{key}", depth + 1)
    elif isinstance(value, (tuple, list)):
        for i, item in enumerate(value):
            yield from flatten(item, f"{name}[{i}]", depth + 1)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from flatten(getattr(value, field.name), f"{name}.{field.name}", depth + 1)
    elif isinstance(value, Structure):
        yield from flatten(value._held, name, depth + 1)
    elif hasattr(value, "__dict__") and depth < _DEPTH and not callable(value):
        for key, item in vars(value).items():
            if _holds_tensors(item, depth + 1):
                yield from flatten(item, f"{name}.{key}", depth + 1)
    elif not callable(value):
        yield name, value


def _holds_tensors(value: Any, depth: int) -> bool:
    return any(isinstance(leaf, torch.Tensor) for _, leaf in flatten(value, "", depth))


def tensors(value: Any, name: str = "output") -> list[tuple[str, torch.Tensor]]:
    """The tensors among the leaves of `flatten`.

    Args:
        value (Any): a torch tensor, or tuples, lists and dictionaries with tensors in them.
        name (str): the name of the whole, with which the places begin. Default: ``"output"``.
    """
    out: list[tuple[str, torch.Tensor]] = []
    _collect(value, name, out)
    return out


def _collect(value: Any, name: str, out: list[tuple[str, torch.Tensor]]) -> None:
    """`tensors` of what most calls are given, without a generator for each level."""
    if isinstance(value, Tensor):
        out.append((name, value._value))
    elif isinstance(value, torch.Tensor):
        out.append((name, value))
    elif type(value) is tuple or type(value) is list:
        for i, item in enumerate(value):
            _collect(item, f"{name}[{i}]", out)
    elif type(value) is dict:
        for key, item in value.items():
            _collect(item, f"{name}.{key}", out)
    elif not isinstance(value, _PLAIN):
        out += [(n, leaf) for n, leaf in flatten(value, name) if isinstance(leaf, torch.Tensor)]
