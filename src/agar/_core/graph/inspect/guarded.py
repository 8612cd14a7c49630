"""What the recordings of a function depend on beside its arguments, in words and groups."""

from __future__ import annotations

import dis
import functools
import re
import types
from typing import Any

from agar._core.graph.guard.getters import array_state, random_state, requires_grad
from agar._core.graph.guard.reads import Reads, is_cell
from agar._core.graph.record.monitor import USER, kind_of_module
from agar._core.parameter import Parameter

__all__ = ["guarded", "place_of_change"]

#: What every recording depends on.
_ALWAYS = ("torch's default dtype", "the device of the context")
#: Attributes that all cells have, and that guards on cells speak of.
_FLAGS = ("requires_grad", "training")
_STORES = ("STORE_ATTR", "STORE_GLOBAL", "STORE_DEREF", "DELETE_ATTR")
_LOADS = ("LOAD_ATTR", "LOAD_METHOD", "LOAD_GLOBAL", "LOAD_DEREF")


def guarded(reads: Reads) -> dict[str, tuple[str, ...]]:
    """The names of what is compared at every call, by kind, as the user writes them.

    Args:
        reads: of the function.

    Returns:
        A dict with some of the keys ``"attributes"``, ``"class attributes"``, ``"globals"``,
        ``"enclosed variables"``, ``"containers"``, ``"arrays"``, ``"functions"``, ``"tensors"``,
        ``"generators"``, ``"settings"``, in this order.
    """
    groups: dict[str, list[str]] = {
        "attributes": [],
        "class attributes": [],
        "globals": [],
        "enclosed variables": [],
        "containers": [],
        "arrays": [],
        "functions": [],
        "tensors": [],
        "generators": [],
        "settings": [],
    }
    labels = reads._labels
    library = _library_homes(reads) | reads.of_libraries
    for (_, home, then), names in zip(reads._parts, reads._part_names, strict=True):
        label = labels.get(id(home), "?")
        if id(home) in library:
            continue
        if label.startswith("global of "):
            pairs = zip(names, then, strict=True)
            groups["globals"] += [n for n, v in pairs if not _is_constant(v)]
        elif isinstance(home, types.MappingProxyType):
            retained = [n for n in names if not (n.startswith("__") and n.endswith("__"))]
            groups["class attributes"] += [f"{label}.{n}" for n in retained]
        else:
            pairs = zip(names, then, strict=True)
            groups["attributes"] += [
                f"{label}.{n}" for n, v in pairs if n not in _FLAGS and not is_cell(v)
            ]
    for cell in reads._enclosed:
        groups["enclosed variables"].append(labels.get(id(cell), "?"))
    for items, _ in reads._items:
        groups["containers"].append(labels.get(id(items), "?").removesuffix(" key"))
    for ask, _ in reads._asked:
        label = labels.get(id(ask), "?")
        kind = getattr(ask, "func", None)
        if label in _ALWAYS or kind is requires_grad:
            continue
        group = {array_state: "arrays", random_state: "generators"}.get(kind, "settings")
        groups[group].append(label)
    groups["functions"] = [f.__qualname__ for f in reads._functions]
    tensors = [t for t in reads.tensors.values() if not isinstance(t, Parameter)]
    groups["tensors"] = [labels.get(id(t), "?") for t in tensors]
    return {k: tuple(dict.fromkeys(map(_short, v))) for k, v in groups.items() if v}


def _short(name: str) -> str:
    """A name as the code has it: globals without their module, variables without their function."""
    name = re.sub(r"^global of (?:[\w<>]+\.)*?(?=\w+(?:\[|$))", "", name)
    return re.sub(r"^.*\.<(?!locals|lambda)(\w+)>", r"\1", name)


def _is_constant(value: Any) -> bool:
    """Whether a global is a module or class that is not the user's: nobody changes it."""
    if isinstance(value, types.ModuleType):
        return kind_of_module(value.__name__) != USER
    module = getattr(value, "__module__", None)
    named = isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType))
    return named and isinstance(module, str) and kind_of_module(module) != USER


def _library_homes(reads: Reads) -> set[int]:
    """The dicts in which agar's own layers, and all cells, keep their parts."""
    results = set()
    for cell in reads.cells.values():
        assert is_cell(cell)
        results.update(id(cell.__dict__.get(r)) for r in ("_cells", "_params", "_buffers"))
        if kind_of_module(type(cell).__module__) != USER:
            results.add(id(cell.__dict__))
    return results


@functools.lru_cache(maxsize=256)
def _uses(code: types.CodeType, name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The lines of a function that store a name, and those that load it."""
    stored, loaded = [], []
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        at: Any = getattr(step, "line_number", step.starts_line)  # the former from 3.13 on
        if at:
            line = at
        if step.argval == name and step.opname in _STORES:
            stored.append(line)
        elif step.argval == name and step.opname in _LOADS:
            loaded.append(line)
    return tuple(dict.fromkeys(stored)), tuple(dict.fromkeys(loaded))


def place_of_change(function: Any, reason: str) -> tuple[str, int] | None:
    """The line that changes what lies outside of a call, as far as the code's names tell it.

    Args:
        function: the compiled function.
        reason: such as ``the call changes what lies outside of it (Net.log (its items))``.

    Returns:
        File and line: of the only assignment to the name, or else of its only use; None where that
        is not clear.
    """
    result = re.search(r"changes what lies outside of it \(([\w.<>\[\]']+)", reason)
    names = re.findall(r"[A-Za-z_]\w*", result.group(1)) if result else []
    codes = [code for code, _ in function._entered.values()]
    for name in reversed(names):
        for which in (0, 1):
            lines = [(c.co_filename, n) for c in codes for n in _uses(c, name)[which]]
            if len(lines) == 1:
                return lines[0]
            if lines:
                return None
    return None
