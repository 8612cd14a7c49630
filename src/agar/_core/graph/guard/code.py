"""What the code of a Python function names: attributes, globals, free variables, subscripts."""

from __future__ import annotations

import dis
import re
import string
import sys
import types
from typing import Any

__all__ = ["all_codes", "names_in", "names_in_format"]
_ITEM = re.compile(r"\[[^\]]*\]")
_ATTRIBUTE = re.compile(r"\.([^.]+)")
_DYNAMIC = frozenset(
    {
        "__delattr__",
        "__dict__",
        "__getattribute__",
        "__setattr__",
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
_KINDS = frozenset({"isinstance", "issubclass", "type"})
_NUMBERS = frozenset({"Integral", "Number", "Rational", "Real", "float", "int", "numbers", "type"})


def _compares_objects(loads: dis.Instruction, step: dis.Instruction) -> bool:
    """Whether `is` compares with what is no constant and no global name."""
    return step.opname == "IS_OP" and not loads.opname.startswith(("LOAD_CONST", "LOAD_GLOBAL"))


_TEXTS = frozenset({"ascii", "format", "join", "print", "repr", "str"})
_FORMATTED = frozenset({"CONVERT_VALUE", "FORMAT_SIMPLE", "FORMAT_VALUE", "FORMAT_WITH_SPEC"})
_SETTERS = frozenset({"__delattr__", "__setattr__"})
_VARIABLES = frozenset(
    {"LOAD_CLASSDEREF", "LOAD_DEREF", "LOAD_FROM_DICT_OR_DEREF", "LOAD_GLOBAL", "LOAD_NAME"}
)
_ATTRIBUTES = frozenset({"LOAD_ATTR", "LOAD_SUPER_ATTR"})
_LOADS = _VARIABLES | _ATTRIBUTES


def _is_called(steps: list[dis.Instruction], i: int) -> bool:
    """Whether what an instruction loads is called by the same expression, and not handed on."""
    step, after = steps[i], steps[i + 1].opname if i + 1 < len(steps) else ""
    if after in ("LOAD_ATTR", "LOAD_METHOD"):
        return True  # only an attribute of it is
    if sys.version_info >= (3, 12) and step.opname in _ATTRIBUTES and (step.arg or 0) & 1:
        return True
    if sys.version_info >= (3, 13):
        return after == "PUSH_NULL" or (step.opname == "LOAD_GLOBAL" and bool((step.arg or 0) & 1))
    while i > 0 and steps[i].opname in _ATTRIBUTES:
        i -= 1
    if sys.version_info >= (3, 11) and steps[i].opname == "LOAD_GLOBAL" and (steps[i].arg or 0) & 1:
        return True
    return i > 0 and steps[i].opname.startswith("LOAD_") and steps[i - 1].opname == "PUSH_NULL"


class _Code:
    """What a code object names; worked out once."""

    __slots__ = (
        "asks_for_kinds",
        "dynamic",
        "imports",
        "inner",
        "matches",
        "names",
        "passed",
        "passed_attributes",
        "read",
        "shows",
        "stored",
        "strings",
    )

    def __init__(self, code: types.CodeType) -> None:
        names = set(code.co_names)
        # what dataclasses generate sets attributes of what it makes
        generated = code.co_filename == "<string>" and code.co_name.startswith("__")
        self.dynamic = not _DYNAMIC.isdisjoint(names - _SETTERS if generated else names)
        #: Whether it has class patterns, whose positions stand for names that the class tells.
        self.matches = False
        self.strings = frozenset(
            {c for c in code.co_consts if isinstance(c, str) and c.isidentifier()}
        )
        self.inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
        self.read: set[str] = set()  # globals
        self.stored: set[str] = set()
        self.imports: list[tuple[str, int, Any]] = []
        #: Variables, and attributes, that are handed on rather than called where they are named.
        self.passed: set[str] = set()
        self.passed_attributes: set[str] = set()
        stack: list[Any] = []
        steps = [s for s in dis.get_instructions(code) if s.opname != "EXTENDED_ARG"]
        for i, step in enumerate(steps):
            if step.opname in _LOADS:
                if not _is_called(steps, i):
                    retained = self.passed if step.opname in _VARIABLES else self.passed_attributes
                    retained.add(step.argval)
            elif step.opname == "LOAD_BUILD_CLASS":
                self.read.add("__build_class__")
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "DELETE_GLOBAL"):
                self.read.add(step.argval)
            elif step.opname == "STORE_GLOBAL":
                self.stored.add(step.argval)
                self.read.add(step.argval)
            elif step.opname == "LOAD_CONST":
                stack.append(step.argval)
            elif step.opname == "IMPORT_NAME":
                self.read.add("__import__")
                level, parts = stack[-2:] if len(stack) >= 2 else (0, None)
                self.imports.append((step.argval, level if isinstance(level, int) else 0, parts))
            elif step.opname == "MATCH_CLASS":
                self.matches = True
                if stack and isinstance(stack[-1], tuple):  # case Point(x=0)
                    names.update(n for n in stack[-1] if isinstance(n, str))
        #: Whether it asks if something is a number, or the same object as another.
        self.asks_for_kinds = any(map(_compares_objects, steps, steps[1:])) or (
            not _KINDS.isdisjoint(names) and not _NUMBERS.isdisjoint(self.passed)
        )
        #: Whether it makes texts, which may name classes.
        self.shows = not _TEXTS.isdisjoint(names) or any(s.opname in _FORMATTED for s in steps)
        self.names = frozenset(names)


_codes: dict[int, tuple[types.CodeType, _Code]] = {}


def names_in(code: types.CodeType) -> _Code:
    known = _codes.get(id(code))
    if known is None:
        known = _codes[id(code)] = (code, _Code(code))
    return known[1]


def names_in_format(text: str) -> set[str]:
    """The attributes that a text for `str.format` names."""
    results: set[str] = set()
    try:
        for _, field, spec, _ in string.Formatter().parse(text):
            if field:
                results.update(_ATTRIBUTE.findall(_ITEM.sub("", field)))
            if spec and "{" in spec:
                results |= names_in_format(spec)
    except ValueError:  # the call raises by itself
        pass
    return results


def all_codes(code: types.CodeType) -> list[types.CodeType]:
    """A code object and those that it makes functions of."""
    results = [code]
    for outer in results:
        results += names_in(outer).inner
    return results
