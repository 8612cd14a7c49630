"""Names of MindSpore that agar has and does not compute: each says why, and what to use instead.

A program must never fail because a name is missing: modules import, classes can be subclassed and
asked for with isinstance. What cannot be done fails where it is asked for, with a
NotImplementedError. The names themselves are listed in `agar._core.absent_names`.
"""

from __future__ import annotations

import enum
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

from agar._core.errors import missing_feature
from agar._core.hints import MissingName

__all__ = [
    "Absent",
    "Family",
    "find",
    "finder",
    "modules",
    "names",
    "refuse",
    "refusing_class",
    "refusing_function",
    "refusing_object",
]

# `Name`, `Name[method,method]` and `name[]` are classes, `name` is a function.
_WORD = re.compile(r"(\w+)(?:\[([\w,]*)\])?$")
_SPACED = re.compile(r",\s+")


class Family(NamedTuple):
    """Why the names of a part of MindSpore compute nothing here, and what serves instead."""

    why: str
    instead: str


class Absent:
    """The base of classes that agar names and does not have."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        cls = next(c for c in type(self).__mro__ if "_absent" in vars(c))
        refuse(*cls._absent)


def refuse(path: str, family: Family) -> NoReturn:
    """Raise the error of a name that computes nothing.

    Raises:
        NotImplementedError: always; it says what was asked for, why it is not there, what to use.
    """
    instead = family.instead[0].lower() + family.instead[1:]
    raise missing_feature(f"'{path}'", family.why, instead)


def _doc(path: str, family: Family, what: str) -> str:
    return (
        f"``{path}`` of MindSpore; {what} raises an error.\n\n"
        f"It is not available: {family.why}. {family.instead}.\n\n"
        "Args:\n    *args (Any): not used.\n    **kwargs (Any): not used.\n\n"
        "Raises:\n    NotImplementedError: always.\n\n"
        "Difference from PyTorch: none (not available).\n\n"
        "Source: the name of MindSpore 2.10.\n"
    )


def _root() -> str:
    """The package whose paths classes show: MindSpore's once `alias_mindspore` was called."""
    return "mindspore" if hasattr(sys.modules.get("mindspore"), "__agar__") else "agar"


# Where programs find the names: errors show this, not the file in which MindSpore defines them.
_PUBLIC = (
    r"(dataset\.(?:audio|text|transforms|vision)|dataset|mindrecord|rewrite|boost|parallel|train|utils"
    r"|graph)\.[\w.]*$"
)


def _shown(home: str, name: str) -> str:
    match = re.match(_PUBLIC, f"{home}.")
    return f"{match[1] if match else home}.{name}"


def _function(path: str, name: str, family: Family) -> Callable[..., NoReturn]:
    def absent(*args: Any, **kwargs: Any) -> NoReturn:
        refuse(path, family)

    absent.__name__ = absent.__qualname__ = name
    absent.__doc__ = _doc(path, family, "a call")
    absent._absent = (path, family)  # type: ignore[attr-defined]
    return absent


def refusing_function(home: str, name: str, family: Family) -> Callable[..., NoReturn]:
    """A function at a module's path that says when it is called why it computes nothing."""
    result = _function(_shown(home, name), name, family)
    result.__module__ = f"agar.{home}"
    return result


def refusing_class(
    home: str, name: str, family: Family, methods: Iterable[str] = (), base: type = Absent
) -> type:
    """A class at a module's path, with its methods, of which no object can be made."""
    path = _shown(home, name)
    body: dict[str, Any] = {
        "_absent": (path, family),
        "__doc__": _doc(path, family, "making an object"),
        "__module__": f"{_root()}.{home}",
    }
    for method in methods:
        body[method] = staticmethod(_function(f"{path}.{method}", method, family))
    return type(name, (base,), body)


class _Object:
    """The base of objects that refuse every use; what is taken from them refuses too."""

    _absent: tuple[str, Family]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"'{self._absent[0]}' has no attribute '{name}'")
        path, family = self._absent
        return refusing_object(f"{path}.{name}", family)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        refuse(*self._absent)

    def _refuse(self, *args: Any) -> NoReturn:
        refuse(*self._absent)

    __getitem__ = __setitem__ = __contains__ = __iter__ = __len__ = _refuse

    def __repr__(self) -> str:
        return f"<{self._absent[0]} of MindSpore, not available>"


def refusing_object(path: str, family: Family) -> Any:
    """An object, such as a table of MindSpore's, that says on use why it is not there."""
    return type("NotAvailable", (_Object,), {"_absent": (path, family)})()


def _class(name: str, entry: _Entry) -> type:
    home = entry.home
    assert entry.family is not None
    base = Absent
    if entry.base:
        here = entry.base in _entries(home)
        base = find(home if here else home.rpartition(".")[0], entry.base)
    methods = filter(None, (entry.methods or "").split(","))
    return refusing_class(home, name, entry.family, methods, base)


def _table() -> Any:
    return import_module("agar._core.absent_names")


class _Entry(NamedTuple):
    """One listed name: where it is at home, and what it is."""

    home: str
    family: Family | None  # None for an enumeration
    base: str | None = None
    methods: str | None = None


@cache
def _entries(module: str) -> dict[str, _Entry]:
    """The names that a module has: its own, and those of the modules that it hands on."""
    data = _table()
    prefixes = data.SAME.get(module, (module,))
    entries: dict[str, _Entry] = {}
    for home in sorted({*data.NAMES, *data.ENUMS}):
        if not any(home == p or home.startswith(f"{p}.") for p in prefixes):
            continue
        family, words = data.NAMES.get(home, (None, ""))
        base = None
        for word in _SPACED.sub(",", words).split():
            if word.startswith("@"):
                base = word[1:]
                continue
            match = _WORD.match(word)
            assert match is not None, word
            entries[match[1]] = _Entry(home, family, base, match[2])
        entries.update({name: _Entry(home, None) for name in data.ENUMS.get(home, ())})
    return entries


def names(module: str) -> list[str]:
    """The names listed for a module, which is given without ``agar.``."""
    return sorted(_entries(module))


def modules() -> list[str]:
    """The modules for which names are listed, and the packages that hold them."""
    data = _table()
    members = {*data.NAMES, *data.ENUMS, *data.SAME}
    for name in tuple(members):
        parts = name.split(".")
        members.update(".".join(parts[:i]) for i in range(1, len(parts)))
    return sorted(members)


_cache: dict[tuple[str, str], Any] = {}


def find(module: str, name: str) -> Any:
    """The stand-in of a name; the same object under every path at which MindSpore has it.

    Raises:
        AttributeError: the name is not listed for the module.
    """
    try:
        entry = _entries(module)[name]
    except KeyError:
        raise MissingName(f"module 'agar.{module}' has no attribute '{name}'") from None
    key = (entry.home, name)
    if key not in _cache:
        _cache[key] = _make(entry, name)
    return _cache[key]


def _make(entry: _Entry, name: str) -> Any:
    home, family = entry.home, entry.family
    if family is None:
        kind, members = _table().ENUMS[home][name]
        pairs = [word.split("=") for word in members.split()]
        values = {key: int(value) if value.isdigit() else value for key, value in pairs}
        result = getattr(enum, kind)(name, values, module=f"{_root()}.{home}")
        result.__doc__ = f"Choices at MindSpore's ``{home}``: {', '.join(values)}."
        return result
    if entry.base or entry.methods is not None or name.lstrip("_")[0].isupper():
        return _class(name, entry)
    return refusing_function(home, name, family)


def finder(module: str, space: dict[str, Any]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module that has listed names beside its own."""
    short = module.removeprefix("agar.")

    def __getattr__(name: str) -> Any:
        space[name] = result = find(short, name)
        return result

    return __getattr__
