"""What the code of a Python function names: attributes, globals, free variables, subscripts."""

from __future__ import annotations

import dis
import types
from typing import Any

__all__ = ["all_codes", "names_in"]
_DYNAMIC = frozenset(
    {
        "__dict__",
        "__getattribute__",
        "attrgetter",
        "delattr",
        "dir",
        "getattr",
        "hasattr",
        "methodcaller",
        "setattr",
        "vars",
    }
)


class _Code:
    """What a code object names; worked out once."""

    __slots__ = ("dynamic", "imports", "inner", "names", "read", "stored", "strings")

    def __init__(self, code: types.CodeType) -> None:
        self.names = frozenset(code.co_names)
        self.dynamic = not _DYNAMIC.isdisjoint(self.names)
        self.strings = frozenset(
            {c for c in code.co_consts if isinstance(c, str) and c.isidentifier()}
        )
        self.inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
        self.read: set[str] = set()  # globals
        self.stored: set[str] = set()
        self.imports: list[tuple[str, int, Any]] = []
        stack: list[Any] = []
        for step in dis.get_instructions(code):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "DELETE_GLOBAL"):
                self.read.add(step.argval)
            elif step.opname == "STORE_GLOBAL":
                self.stored.add(step.argval)
                self.read.add(step.argval)
            elif step.opname == "LOAD_CONST":
                stack.append(step.argval)
            elif step.opname == "IMPORT_NAME":
                level, names = stack[-2:] if len(stack) >= 2 else (0, None)
                self.imports.append((step.argval, level if isinstance(level, int) else 0, names))


_codes: dict[int, tuple[types.CodeType, _Code]] = {}


def names_in(code: types.CodeType) -> _Code:
    known = _codes.get(id(code))
    if known is None:
        known = _codes[id(code)] = (code, _Code(code))
    return known[1]


def all_codes(code: types.CodeType) -> list[types.CodeType]:
    """A code object and those that it makes functions of."""
    found = [code]
    for outer in found:
        found += names_in(outer).inner
    return found
