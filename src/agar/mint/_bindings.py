"""Makes the modules of mint from the operator table: their names are paths in its entries."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from agar._core import optable
from agar._core.hints import MissingName


def names_under(path: str) -> list[str]:
    """The names that entries have directly under a path (``""`` for mint itself)."""
    prefix = f"{path}." if path else ""
    return sorted(
        name[len(prefix) :]
        for name in optable.table.mints
        if name.startswith(prefix) and "." not in name[len(prefix) :]
    )


# What MindSpore's modules show as well, because they import it for their own use.
_ALSO = {
    "Tensor": "agar._core.tensor.Tensor",
    "cdist_": "agar.mint.cdist",
    "constexpr": "agar.ops.constexpr",
    "flatten_ext": "agar.mint.flatten",
    "softmax_ext": "agar.mint.nn.functional.softmax",
    "nn.Cell": "agar.nn.Cell",
    "nn.cross_entropy": "agar.mint.nn.functional.cross_entropy",
    "nn.kl_div_ext": "agar.mint.nn.functional.kl_div",
    "nn.mse_loss_ext": "agar.mint.nn.functional.mse_loss",
    "nn.functional.broadcast_to": "agar.mint.broadcast_to",
    "nn.functional.clamp": "agar.mint.clamp",
    "nn.functional.norm_ext": "agar.mint.norm",
    "nn.functional.silu_func": "agar.mint.nn.functional.silu",
}


def finder(path: str, namespace: dict[str, Any]) -> Callable[[str], Any]:
    """A module's ``__getattr__`` that makes a binding when it is first asked for."""
    module = f"agar.mint.{path}" if path else "agar.mint"

    def find(name: str) -> Any:
        full = f"{path}.{name}" if path else name
        entry = optable.table.mints.get(full)
        if entry is None and full in _ALSO:
            home, _, own = _ALSO[full].rpartition(".")
            result = namespace[name] = getattr(import_module(home), own)
            return result
        if entry is None:
            raise MissingName(f"module '{module}' has no attribute '{name}'")
        result = namespace[name] = optable.binding(entry, name, module=module)
        return result

    return find
