"""Operators as methods of Tensor, and names that it lacks; see `tensor_class`, NOTE Attributes."""

from __future__ import annotations

from typing import Any

import torch

from agar._core import optable, torch_names
from agar._core.hints import MissingName

__all__ = ["install_operators", "is_absent"]


class _LateOperator:
    """An operator as a method of Tensor, which is made when it is first used."""

    def __init__(self, cls: type, name: str) -> None:
        self.cls, self.name = cls, name

    def __get__(self, value: Any, cls: type | None = None) -> Any:
        attribute = self._attribute()
        if vars(self.cls).get(self.name) is self:
            setattr(self.cls, self.name, attribute)
        return attribute if value is None else attribute.__get__(value, cls)

    def _attribute(self) -> Any:
        entry, path = optable.table.methods[self.name], f"{self.cls.__qualname__}.{self.name}"
        return optable.binding(entry, self.name, module=self.cls.__module__, qualname=path)


class _LateProperty(_LateOperator):
    """An operator as a property of Tensor, likewise."""

    def _attribute(self) -> Any:
        entry = optable.table.properties[self.name]
        return property(
            optable.binding(entry, self.name, module=self.cls.__module__), doc=entry.doc
        )


class _Absent:
    """A name that programs look for on tensors and that Tensor does not have."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, value: Any, cls: type) -> Any:
        text = f"'{cls.__name__}' object has no attribute '{self.name}'"
        raise MissingName(text, name=self.name, obj=value)  # calls of methods do not say these two


def is_absent(cls: type, name: str) -> bool:
    """Whether a class has a name only for the error that says that it lacks it."""
    owner = next((vars(base) for base in cls.__mro__ if name in vars(base)), {})
    return isinstance(owner.get(name), _Absent)


def install_operators(cls: type) -> None:
    """Put the operators on Tensor, and what hints need.

    In-place forms of Python's syntax stay undefined: ``x += 1`` makes a new tensor, as in
    MindSpore.
    """
    table = optable.table
    for name in table.methods:
        setattr(cls, name, _LateOperator(cls, name))
    for name in table.properties:
        setattr(cls, name, _LateProperty(cls, name))
    elsewhere = (*dir(torch.Tensor), *table.functions, *torch_names.ATTRIBUTES["Tensor"])
    known = {name for base in cls.__mro__ for name in vars(base)}
    for name in dict.fromkeys(elsewhere):
        if name not in known and not name.startswith("_"):
            setattr(cls, name, _Absent(name))
