"""MindSpore's private module paths and names, for programs that import them.

Programs of the MindSpore world take names from any module: helpers with an underscore, generated
Primitives, classes of its C++ engine, even what a module itself imported. `names.txt` lists what
MindSpore 2.10 has beside agar's own files, by module. A name is looked for in this order:

1. the module of agar at the same path, or the modules that `agar._paths` gives for it;
2. the module of this package that `_homes.HOMES` gives for the path, where the name is implemented;
3. `names.txt`: the place from which MindSpore's module takes the name, or its value;
4. what is left is a function, class or object that raises a NotImplementedError when it is used;
5. names that MindSpore 2.10 no longer has are in the package `legacy`, with a warning.

Nothing here is loaded before a name is asked for that agar's own modules do not have.
"""

from __future__ import annotations

import ast
import enum
import importlib
import re
import sys
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from agar._core import absent
from agar.compat._elsewhere import lookup as public_name
from agar.compat._homes import HOMES

__all__ = ["fallback", "find", "implements", "install", "is_old", "modules", "names", "new_modules"]


class _Entry(NamedTuple):
    """One listed name: the mark of its line, the line's subject, and what stands at the name."""

    mark: str
    subject: str
    detail: str


@cache
def _sections() -> dict[str, str]:
    """The text of each listed module."""
    text = Path(__file__).with_name("names.txt").read_text(encoding="utf-8")
    parts = (section.partition("]") for section in text.split("\n[")[1:])
    return {path: lines.lstrip("\n") for path, _, lines in parts}


def modules() -> list[str]:
    """Every listed module, without ``mindspore.``, and those of older MindSpores."""
    return [*filter(None, _sections()), *_legacy().modules()]


def _legacy() -> ModuleType:
    return importlib.import_module("agar.compat.legacy")


@cache
def _entries(path: str) -> dict[str, _Entry]:
    """The listed names of a module; see the first lines of `names.txt` for the marks."""
    entries: dict[str, _Entry] = {}
    for line in re.sub(r"\n  ", " ", _sections().get(path, "")).splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "=":
            for word in rest.split():
                match = re.match(r"(\w+)(.*)", word)
                assert match is not None, word
                entries[match[1]] = _Entry(mark, path, match[2])
            continue
        subject, _, rest = rest.partition(" ")
        if mark in "&#":
            entries[subject] = _Entry(mark, subject, rest)
            continue
        for word in rest.split():
            own, _, there = word.partition("<")
            entries[own] = _Entry(mark, subject.replace("-", ""), there or own)
    return entries


def names(path: str) -> list[str]:
    """The names listed for a module; those behind a ``*`` are not counted.

    Args:
        path (str): MindSpore's module, without ``mindspore.``; empty for the package itself.
    """
    return sorted({*_entries(path)} - {"*"})


def _top() -> ModuleType:
    """The module that programs know as ``mindspore``."""
    aliased = sys.modules.get("mindspore")
    return aliased if hasattr(aliased, "__agar__") else importlib.import_module("agar")  # type: ignore[return-value]


def _module(path: str) -> ModuleType:
    return importlib.import_module(f"agar.{path}") if path else _top()


def _named(path: str, name: str) -> Any:
    """An object that MindSpore has at another of its modules."""
    if name == ".":
        return _module(path)
    try:
        return getattr(_module(path), name)
    except AttributeError:
        return find(path, name)


def _outside(module: str, name: str, path: str) -> Any:
    """An object of Python or of another package that MindSpore's module imported."""
    try:
        value = importlib.import_module(module)
        return value if name == "." else _attribute(value, name)
    except (ImportError, AttributeError):
        family = absent.Family(
            f"MindSpore takes it from the package '{module.partition('.')[0]}', which is not "
            "installed here or no longer has it",
            f"Install that package, and import '{name}' from it",
        )
        return absent.refusing_object(f"{path}.{module if name == '.' else name}", family)


def _attribute(value: Any, name: str) -> Any:
    for part in name.split("."):
        value = getattr(value, part)
    return value


def _own(path: str, name: str, detail: str) -> Any:
    """The stand-in of a name that MindSpore's module defines and agar does not compute."""
    from agar.compat._families import family_of

    shown, family = f"{path}.{name}", family_of(path)
    if detail == "?":
        return absent.refusing_object(shown, family)
    if not detail:
        return absent.refusing_function(shown, name, family)
    words = [word for word in detail.strip("()").split(",") if word]
    base = None
    if words and words[0].startswith("!"):
        base = getattr(importlib.import_module("builtins"), words.pop(0)[1:])
        return type(name, (base,), {"__module__": f"agar.{path}", "__doc__": f"``{shown}``."})
    return absent.refusing_class(path, name, family, words)


def _enumeration(path: str, name: str, detail: str) -> Any:
    kind, *pairs = detail.split()
    members = {key: ast.literal_eval(value) for key, value in (p.split("=", 1) for p in pairs)}
    result = getattr(enum, kind)(name, members, module=f"agar.{path}")
    result.__doc__ = f"Choices at MindSpore's ``{path}``: {', '.join(members)}."
    return result


def _instance(kind: str, path: str, name: str) -> Any:
    """A Primitive that MindSpore's module keeps for its own calls."""
    try:
        return _named("ops.auto_generate.gen_ops_prim", kind)()
    except (AttributeError, TypeError, NotImplementedError):
        from agar.compat._families import family_of

        return absent.refusing_object(f"{path}.{name}", family_of(path))


_MAKERS: dict[str, Callable[[str, str, _Entry], Any]] = {
    "=": lambda path, name, entry: _own(path, name, entry.detail),
    "@": lambda path, name, entry: _named(entry.subject, entry.detail),
    "%": lambda path, name, entry: _outside(entry.subject, entry.detail, path),
    "~": lambda path, name, entry: _instance(entry.subject, path, name),
    "&": lambda path, name, entry: _enumeration(path, name, entry.detail),
    "#": lambda path, name, entry: ast.literal_eval(entry.detail),
}

_MISSING = object()
#: names that are being looked for, by thread: two modules may each say that the other has a name
_asked: set[tuple[str, str, int]] = set()
_resolved: dict[tuple[str, str], Any] = {}


def find(path: str, name: str) -> Any:
    """The object of a name at one of MindSpore's modules.

    Args:
        path (str): MindSpore's module, without ``mindspore.``; empty for the package itself.
        name (str): the name.

    Returns:
        Any, the object.

    Raises:
        AttributeError: MindSpore 2.10 has no such name there.
    """
    key = (path, name)
    value = _resolved.get(key, _MISSING)
    if value is _MISSING:
        asked = (path, name, threading.get_ident())
        if asked in _asked:
            raise AttributeError(f"module 'agar.{path}' has no attribute '{name}'")
        _asked.add(asked)
        try:
            value = _resolved.setdefault(key, _find(path, name))
        finally:
            _asked.discard(asked)
    return value


def _implemented(path: str, name: str) -> Any:
    """What a module of this package has for a name; `_MISSING` where none has it."""
    home, own = HOMES.get(path, ("", ""))
    if own and name in own.split():
        return getattr(importlib.import_module(f"agar.compat.{home}"), name)
    value = public_name(path, name, _MISSING)
    if value is _MISSING and home and not own:
        return importlib.import_module(f"agar.compat.{home}").lookup(path, name, _MISSING)
    return _legacy().find(path, name, _MISSING) if value is _MISSING else value


def implements(path: str, name: str) -> bool:
    """Whether a module of this package has an implementation of a name.

    Args:
        path (str): MindSpore's module, without ``mindspore.``; empty for the package itself.
        name (str): the name.
    """
    return _implemented(path, name) is not _MISSING


def is_old(path: str, name: str) -> bool:
    """Whether a name is one of an older MindSpore, of which using it has warned.

    Args:
        path (str): MindSpore's module, without ``mindspore.``; empty for the package itself.
        name (str): the name.
    """
    return name in _legacy().names(path)


def _find(path: str, name: str) -> Any:
    value = _implemented(path, name)
    if value is not _MISSING:
        return value
    entries = _entries(path)
    entry = entries.get(name)
    below = f"{path}.{name}".lstrip(".")
    if entry is None and (below in _sections() or below in _legacy().modules()):
        return importlib.import_module(f"agar.{path}.{name}".replace("..", "."))
    if entry is not None:
        return _MAKERS[entry.mark](path, name, entry)
    if "*" in entries and not name.startswith("__"):
        for line in _sections()[path].splitlines():
            mark, *words = line.split(" ")
            if mark == "@" and words[1:2] == ["*"]:
                try:
                    return _named(words[0], name)
                except AttributeError:
                    continue
    raise AttributeError(f"module 'agar.{path}' has no attribute '{name}'")


def fallback(path: str, before: Callable[[str], Any] | None, space: dict[str, Any]) -> Any:
    """The ``__getattr__`` of a module of agar that has MindSpore's other names behind its own.

    Args:
        path (str): MindSpore's module, without ``mindspore.``; empty for the package itself.
        before (Callable): the own ``__getattr__`` of the module, None without one; it is asked
            first.
        space (dict): the globals of the module, which keep what was found.

    Returns:
        Callable, the ``__getattr__``.
    """

    def __getattr__(name: str) -> Any:
        if before is not None:
            try:
                own = before(name)
            except AttributeError as error:
                missing: Exception = error
            else:
                if isinstance(own, ModuleType):
                    install()  # it may have been loaded just now
                return own
        else:
            missing = AttributeError(f"module 'agar.{path}' has no attribute '{name}'")
        if name.startswith("__") and name.endswith("__"):
            raise missing
        try:
            value = find(path, name)
        except AttributeError:
            raise missing from None
        if isinstance(value, ModuleType):
            install()
        else:
            space[name] = value
        return value

    return __getattr__


_seen: set[str] = set()
_others: set[str] = set()  # modules that are not agar's
_OWN = ("_core", "compat", "cli", "alias", "__main__")  # MindSpore has no such modules


def new_modules(seen: set[str]) -> list[str]:
    """The modules of agar that were loaded since the last call with `seen`, the newest first.

    Those in the middle of their import come another time: what they still define is missing.

    Args:
        seen (set[str]): the names of those that were given before; the new ones are added.

    Returns:
        list[str], the names of the modules.
    """
    # asked at each name that is looked up, and a program has thousands of modules
    fresh = set(sys.modules).difference(seen, _others)
    own = {name for name in fresh if name.startswith("agar.")}
    _others.update(fresh - own)
    if not own:
        return []
    loaded = reversed(tuple(sys.modules.items()))
    entries = [
        name
        for name, module in loaded
        if name in own and not getattr(getattr(module, "__spec__", None), "_initializing", False)
    ]
    seen.update(entries)
    return entries


def install() -> None:
    """Give the modules of agar that were loaded since MindSpore's other names.

    Which names a module has is read when one is asked for that it does not have.
    """
    for full in new_modules(_seen):
        path = full.removeprefix("agar.")
        if path.split(".")[0] not in _OWN:
            space = vars(sys.modules[full])
            space["__getattr__"] = fallback(path, space.get("__getattr__"), space)
