"""``dataset.*.validators``: decorators that check the arguments of methods of datasets, transforms.

A program puts ``@check_random_crop`` above its own ``__init__``. What the arguments may be is known
to agar's class of that name (``RandomCrop``): it is made from them, and raises what it raises.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from agar._core import absent
from agar.compat._families import family_of

__all__ = ["lookup"]


def lookup(path: str, name: str, missing: Any) -> Any:
    """The decorator of a name ``check_...`` of a module of validators, else `missing`."""
    if not name.startswith("check_"):
        return missing
    package, _, _ = path.rpartition(".")

    def check(*args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and inspect.isfunction(args[0]) and not kwargs:
            return _checked(args[0], package, name)
        absent.refuse(f"{path}.{name}", family_of(path))  # a check of values, not a decorator

    check.__name__ = check.__qualname__ = name
    check.__module__ = f"agar.{path}"
    check.__doc__ = (
        f"Decorator of a method: its arguments are checked as ``{name[6:]}`` checks them."
    )
    return check


def _checked(method: Callable[..., Any], package: str, name: str) -> Callable[..., Any]:
    signature = inspect.signature(method)

    @functools.wraps(method)
    def checking(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        if method.__name__ == "__init__":
            given.apply_defaults()
            _make(package, name, dict(list(given.arguments.items())[1:]))
        return method(*args, **kwargs)

    return checking


def _make(package: str, name: str, arguments: dict[str, Any]) -> None:
    """Make agar's object of the class that a check is named after, from arguments that it takes."""
    kind = _kinds(package).get(name.removeprefix("check_").replace("_", ""))
    if kind is None:
        return
    parameters = inspect.signature(kind).parameters.values()
    needed = {p.name for p in parameters if p.default is p.empty and p.kind is not p.VAR_KEYWORD}
    known = {p.name: arguments[p.name] for p in parameters if p.name in arguments}
    if needed <= known.keys():
        kind(**known)


@functools.cache
def _kinds(package: str) -> dict[str, type]:
    """The transforms of a package by their names in small letters."""
    if package == "dataset.engine":  # a dataset would open its files
        return {}
    module = import_module(f"agar.{package}")
    entries = {name: getattr(module, name) for name in module.__all__}
    return {name.lower(): kind for name, kind in entries.items() if isinstance(kind, type)}
