"""What operators must compute, written down a second time: plain numpy, or other torch functions.

Each module of this package has a dict ``REFERENCES``: the entry of the operator table, as the tests
name it (``ops.add+Tensor.add+Add+mint.add``), to a function of the sample's arguments. Tensors come
as float64 torch tensors; the result is a tensor, an array, a Python value, or a tuple of them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

__all__ = ["REFERENCES"]


def _all() -> dict[str, Callable[..., Any]]:
    entries: dict[str, Callable[..., Any]] = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        twice = entries.keys() & module.REFERENCES.keys()
        assert not twice, f"two references for {sorted(twice)}"
        entries |= module.REFERENCES
    return entries


REFERENCES = _all()
