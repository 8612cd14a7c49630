"""What the code of a Python function names: attributes, globals, free variables, subscripts."""

from __future__ import annotations

import dis
import re
import string
import types
from typing import Any

__all__ = ["all_codes", "names_in", "names_in_format"]
_ITEM = re.compile(r"\[[^\]]*\]")
_ATTRIBUTE = re.compile(r"\.([^.]+)")
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

    __slots__ = ("dynamic", "imports", "inner", "matches", "names", "read", "stored", "strings")

    def __init__(self, code: types.CodeType) -> None:
        names = set(code.co_names)
        self.dynamic = not _DYNAMIC.isdisjoint(names)
        #: Whether it has class patterns, whose positions stand for names that the class tells.
        self.matches = False
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
                level, parts = stack[-2:] if len(stack) >= 2 else (0, None)
                self.imports.append((step.argval, level if isinstance(level, int) else 0, parts))
            elif step.opname == "MATCH_CLASS":
                self.matches = True
                if stack and isinstance(stack[-1], tuple):  # case Point(x=0)
                    names.update(n for n in stack[-1] if isinstance(n, str))
        self.names = frozenset(names)


_codes: dict[int, tuple[types.CodeType, _Code]] = {}


def names_in(code: types.CodeType) -> _Code:
    known = _codes.get(id(code))
    if known is None:
        known = _codes[id(code)] = (code, _Code(code))
    return known[1]


def names_in_format(text: str) -> set[str]:
    """The attributes that a text for `str.format` names."""
    found: set[str] = set()
    try:
        for _, field, spec, _ in string.Formatter().parse(text):
            if field:
                found.update(_ATTRIBUTE.findall(_ITEM.sub("", field)))
            if spec and "{" in spec:
                found |= names_in_format(spec)
    except ValueError:  # the call raises by itself
        pass
    return found


def all_codes(code: types.CodeType) -> list[types.CodeType]:
    """A code object and those that it makes functions of."""
    found = [code]
    for outer in found:
        found += names_in(outer).inner
    return found
