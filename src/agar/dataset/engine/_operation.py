"""What the operations on datasets have in common."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from agar.dataset.engine._checks import (
    Check,
)
from agar.dataset.engine._values import listed
from agar.dataset.engine.datasets import Dataset, UnionBaseDataset

__all__ = ["Operation", "checked_rowsize", "copy_without"]


class Operation(UnionBaseDataset):
    """An operation on one dataset."""

    @property
    def _child(self) -> Dataset:
        return self.children[0]


def copy_without(dataset: Any, memo: dict[int, Any], shared: Sequence[str]) -> Any:
    """A copy of a dataset that shares what belongs to the program."""
    if id(dataset) in memo:
        return memo[id(dataset)]
    made = dataset.__class__.__new__(dataset.__class__)
    memo[id(dataset)] = made
    for name, value in dataset.__getstate__().items():
        setattr(made, name, value if name in shared else copy.deepcopy(value, memo))
    return made


def checked_rowsize(check: Check, value: Any) -> None:
    if value is not None:
        check.kind("max_rowsize", value, int, list)
        for size in listed(value):
            check.whole("max_rowsize", size, -1)
