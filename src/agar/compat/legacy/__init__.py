"""Names and arguments of older MindSpores (1.3 to 2.9), and what they are called today.

The table is `names.txt`: each name with the versions that had it, today's place, and how its
arguments are translated. `arguments` holds functions that are still there and took other arguments.
A name warns once, when it is first taken, and says today's name. Names that programs use and no
MindSpore ever had, mostly PyTorch's, are marked with ``-`` in place of versions.

Nothing here is loaded before a name is asked for that agar's own modules do not have.
"""

from __future__ import annotations

import ast
import functools
import inspect
import warnings
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from agar._core.errors import stack_level

__all__ = ["Old", "find", "modules", "names", "table"]

_OWN = "compat.legacy."
_MISSING = object()


class Old(NamedTuple):
    """One name of an older MindSpore.

    Attributes:
        versions: which had it, such as ``1.3-1.10``; ``-`` if none did.
        today: ``module:name``; a module of this package where it is implemented for old programs.
        use: the public name to use today, without ``mindspore.``.
        fixed: arguments that today's has and the old one did not, with the old behavior's value.
        renamed: old argument names, with today's.
        required: arguments that today's no longer has, with the only value that still works.
    """

    versions: str
    today: str
    use: str
    fixed: dict[str, Any]
    renamed: dict[str, str]
    required: dict[str, Any]


def _parsed(words: list[str], versions: str) -> Old:
    today, use = words[0], words[0].replace(":", ".").removeprefix(".").removesuffix(".")
    fixed: dict[str, Any] = {}
    renamed: dict[str, str] = {}
    required: dict[str, Any] = {}
    for word in words[1:]:
        if word.startswith("use:"):
            use = word[4:]
        elif ">" in word:
            old, _, new = word.partition(">")
            renamed[old] = new
        elif "==" in word:
            name, _, value = word.partition("==")
            required[name] = ast.literal_eval(value)
        else:
            name, _, value = word.partition("=")
            fixed[name] = ast.literal_eval(value)
    return Old(versions, today, use, fixed, renamed, required)


@cache
def table() -> dict[str, dict[str, Old]]:
    """The old names of each module, which is given without ``mindspore.``."""
    entries: dict[str, dict[str, Old]] = {}
    sections: list[dict[str, Old]] = []
    text = Path(__file__).with_name("names.txt").read_text(encoding="utf-8")
    versions = ""
    for line in text.splitlines():
        if line.startswith("["):
            paths, _, versions = line[1:].partition("]")
            sections = [entries.setdefault(path, {}) for path in paths.split() or [""]]
            versions = versions.strip()
        elif line.strip() and not line.startswith("#"):
            name, *words = line.split()
            since = versions
            if words[0][0] == "(":  # a name with versions of its own
                since = words.pop(0).strip("()")
            entry = _parsed(words, since)
            for section in sections:
                section[name] = entry
    return entries


@cache
def modules() -> list[str]:
    """Every module that has old names, and the packages that hold them."""
    entries: set[str] = set()
    for path in table():
        parts = path.split(".")
        entries.update(".".join(parts[:i]) for i in range(1, len(parts) + 1))
    return sorted(entries - {""})


def names(path: str) -> list[str]:
    """The old names of a module.

    Args:
        path (str): MindSpore's module, without ``mindspore.``.
    """
    return sorted(table().get(path, ()))


def _object(today: str) -> Any:
    module, _, name = today.partition(":")
    value = import_module(f"agar.{module}".rstrip("."))
    for part in name.split(".") if name else ():
        value = getattr(value, part)
    return value


def translated(
    label: str, entry: Old, args: tuple[Any, ...], kwargs: dict[str, Any], today: Any, skip: int = 0
) -> dict[str, Any]:
    """Today's keyword arguments of a call in the old form; `args` is only looked at.

    Raises:
        TypeError: an argument was given twice, under the old name and today's.
        ValueError: an argument that is gone has another value than the one that still works.
    """
    given = dict(kwargs)
    for name, value in entry.required.items():
        if name in given and given.pop(name) != value:
            raise ValueError(
                f"For '{label}', '{name}' can only be {value!r} today, but got {kwargs[name]!r}."
            )
    parameters = list(inspect.signature(today).parameters)[skip : skip + len(args)]
    for old, new in entry.renamed.items():
        if old in given:
            if new in given or new in parameters:
                raise TypeError(f"For '{label}', '{old}' and '{new}' mean the same; give one.")
            given[new] = given.pop(old)
    for name, value in entry.fixed.items():
        if name not in parameters:
            given.setdefault(name, value)
    return given


def _with_arguments(name: str, path: str, entry: Old, today: Any) -> Any:
    """Today's class or function with the old arguments."""
    label = f"{path}.{name}"
    if isinstance(today, type):

        @functools.wraps(today.__init__)
        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            given = translated(label, entry, args, kwargs, today.__init__, 1)
            today.__init__(self, *args, **given)

        body = {"__init__": __init__, "__module__": f"agar.{path}", "__doc__": today.__doc__}
        return type(name, (today,), body)

    @functools.wraps(today)
    def call(*args: Any, **kwargs: Any) -> Any:
        return today(*args, **translated(label, entry, args, kwargs, today))

    return call


def _warn(path: str, name: str, entry: Old) -> None:
    shown = f"mindspore.{path}.{name}".replace("..", ".")
    if entry.versions == "-":
        text = f"No MindSpore has '{shown}'; it stands for 'mindspore.{entry.use}' here."
    else:
        text = (
            f"'{shown}' is a spelling of MindSpore {entry.versions}; today it is "
            f"'mindspore.{entry.use}'."
        )
    warnings.warn(text, DeprecationWarning, stacklevel=stack_level())


def find(path: str, name: str, missing: Any) -> Any:
    """What an old name stands for, with a warning.

    Args:
        path (str): MindSpore's module, without ``mindspore.``.
        name (str): the name.
        missing (Any): what is given for a name that no MindSpore had.
    """
    entry = table().get(path, {}).get(name)
    return missing if entry is None else _replacement(path, name, entry.today)


@cache  # so that a name warns once
def _replacement(path: str, name: str, today: str) -> Any:
    entry = table()[path][name]
    result: Any = _object(today)
    if entry.fixed or entry.renamed or entry.required:
        result = _with_arguments(name, path, entry, result)
    _warn(path, name, entry)
    return result
