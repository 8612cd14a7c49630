"""Migration with proof: a PyTorch network becomes Cells, and every cell is shown to be the same.

``from_torch`` gives a Cell tree over a live module's weights, ``check`` compares a module and a
cell part by part, ``scan`` and ``convert`` work on source texts, ``convert_weights`` on files.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [
    "Report",
    "WeightsError",
    "check",
    "convert",
    "convert_weights",
    "from_torch",
    "load_torch_optimizer",
    "load_torch_state",
    "native_fraction",
    "read_torch_file",
    "rules",
    "scan",
    "to_torch_optimizer",
    "to_torch_state",
]

#: public names and the modules that define them, loaded when first used.
_HOMES = {
    "Report": "result",
    "WeightsError": "weights",
    "check": "parity",
    "convert": "conversion",
    "convert_weights": "weights",
    "from_torch": "live_conversion",
    "load_torch_optimizer": "weights",
    "load_torch_state": "weights",
    "native_fraction": "live_conversion",
    "read_torch_file": "weights",
    "scan": "scanner",
    "to_torch_optimizer": "weights",
    "to_torch_state": "weights",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"agar.migrate.{_HOMES[name]}"), name)
    elif name == "rules":
        value = import_module("agar.migrate.rules")
    else:
        raise AttributeError(f"module 'agar.migrate' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
