"""What the operations on datasets have in common."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from agar.dataset.engine._checks import (
    Check,
)
from agar.dataset.engine._values import listed
from agar.dataset.engine.datasets import Dataset, UnionBaseDataset

__all__ = ["Operation", "checked_rowsize", "copy_without", "described_by"]

_Class = TypeVar("_Class", bound=type)


class Operation(UnionBaseDataset):
    """An operation on one dataset."""

    @property
    def _child(self) -> Dataset:
        return self.children[0]


def described_by(method: Callable[..., Any]) -> Callable[[_Class], _Class]:
    """A decorator that documents the arguments of a class as the method that returns it does."""
    arguments = inspect.cleandoc(method.__doc__ or "").partition("Args:\n")[2].partition("\n\n")[0]
    parts = re.split(r"^(?= {4}\S)", arguments, flags=re.MULTILINE)[1:]
    entries = {part.split()[0]: part.rstrip() for part in parts}

    def describe(cls: _Class) -> _Class:
        if cls.__doc__ is not None and entries:  # neither is there under python -OO
            names = list(inspect.signature(cls).parameters)[1:]
            lines = ["    input_dataset (Dataset): the dataset that this one reads."]
            text = "\n".join([*lines, *(entries[name] for name in names)])
            cls.__doc__ = f"{inspect.cleandoc(cls.__doc__)}\n\nArgs:\n{text}\n"
        return cls

    return describe


def copy_without(dataset: Any, memo: dict[int, Any], shared: Sequence[str]) -> Any:
    """A copy of a dataset that shares what belongs to the program."""
    if id(dataset) in memo:
        return memo[id(dataset)]
    result = dataset.__class__.__new__(dataset.__class__)
    memo[id(dataset)] = result
    for name, value in dataset.__getstate__().items():
        setattr(result, name, value if name in shared else copy.deepcopy(value, memo))
    return result


def checked_rowsize(check: Check, value: Any) -> None:
    if value is not None:
        check.kind("max_rowsize", value, int, list)
        for size in listed(value):
            check.whole("max_rowsize", size, -1)
