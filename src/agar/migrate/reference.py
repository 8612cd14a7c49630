"""What ``file.py:function`` or ``package.module:function`` names: the arguments of a check."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["PairError", "load_network", "load_pair"]

_FUNCTION = "pair"
_SHAPE = (
    "it must return (module, cell, inputs), or a dict of the arguments of agar.migrate.check with "
    "'module', 'cell' and 'inputs'"
)


class PairError(ValueError):
    """A reference to a pair cannot be followed; the message says where it ends and what to do."""


def load_pair(reference: str, folder: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """Call the function that a reference names.

    Args:
        reference (str): ``file.py``, ``file.py:function`` or ``package.module:function``; without
            a function it is ``pair``. It takes no arguments and returns
            ``(module, cell, inputs)`` or a dict of the arguments of `agar.migrate.check`.
        folder (str, PathLike, optional): where relative files begin. Default: ``None``, the
            working directory.

    Returns:
        dict, the arguments of `agar.migrate.check` by name.

    Raises:
        PairError: there is no such file, module or function; it fails; it returns something else.

    Examples:
        >>> from agar.migrate.reference import load_pair
        >>> load_pair("nowhere.py:pair")
        Traceback (most recent call last):
            ...
        agar.migrate.reference.PairError: 'nowhere.py:pair': there is no file 'nowhere.py'.
    """
    name, value = _call(reference, folder, _SHAPE)
    return _arguments(reference, name, value)


def load_network(reference: str) -> dict[str, Any]:
    """Build the network that a reference names.

    Args:
        reference (str): as for `load_pair`; the function or class gives a Cell, a torch module, or
            a pair, of which the cell counts.

    Returns:
        dict, ``{"cell": ...}`` or ``{"module": ...}``.

    Raises:
        PairError: there is no such file, module or function; it fails; it returns something else.
    """
    # what is told apart are torch's modules
    import torch

    from agar.nn.cell import Cell

    expected = "it must give a Cell, a torch.nn.Module, or a pair of both"
    name, value = _call(reference, None, expected)
    if isinstance(value, (tuple, Mapping)):
        value = _arguments(reference, name, value)["cell"]
    if isinstance(value, Cell):
        return {"cell": value}
    if isinstance(value, torch.nn.Module):
        return {"module": value}
    raise PairError(f"{reference!r}: {name}() gives {type(value).__name__}, but {expected}.")


def _call(reference: str, folder: str | os.PathLike[str] | None, expected: str) -> tuple[str, Any]:
    """The function's name, and what it returns."""
    where, name = _split(reference)
    is_file = where.endswith(".py") or os.sep in where
    module = _run_file(reference, where, folder) if is_file else _import(reference, where)
    function = _function(reference, module, name, expected)
    try:
        return name, function()
    except Exception as error:
        raise PairError(
            f"{reference!r}: {name}() raised {_describe(error)}{_line_of(error)}."
        ) from error


def _split(reference: str) -> tuple[str, str]:
    head, colon, tail = reference.rpartition(":")
    # a drive letter is not a function: C:\nets\pair.py
    if not colon or tail.endswith(".py") or not tail.isidentifier():
        head, tail = reference, _FUNCTION
    if not head.strip():
        raise PairError(
            f"{reference!r} names no file and no module; write file.py:function or "
            "package.module:function."
        )
    return head, tail


def _run_file(reference: str, where: str, folder: str | os.PathLike[str] | None) -> ModuleType:
    path = Path(folder or ".", where)
    if not path.is_file():
        kind = "it is a folder" if path.is_dir() else f"there is no file {where!r}"
        raise PairError(f"{reference!r}: {kind}.")
    path = path.resolve()
    # two files of one name must not meet in sys.modules; classes keep a name that says the file
    mark = hashlib.sha256(str(path).encode()).hexdigest()[:8]
    name = f"{path.stem}_{mark}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PairError(f"{reference!r}: {where!r} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    # as Python does for a script; it stays, because functions import when they are called
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise PairError(
            f"{reference!r}: running {where!r} raised {_describe(error)}{_line_of(error)}."
        ) from error
    return module


def _import(reference: str, where: str) -> ModuleType:
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return importlib.import_module(where)
    except Exception as error:
        hint = ""
        if isinstance(error, ModuleNotFoundError) and Path(f"{where}.py").is_file():
            hint = f" Did you mean '{where}.py'?"
        raise PairError(
            f"{reference!r}: importing {where!r} raised {_describe(error)}{_line_of(error)}.{hint}"
        ) from error


def _function(reference: str, module: ModuleType, name: str, expected: str) -> Callable[[], Any]:
    function = getattr(module, name, None)
    if function is None:
        own = [
            n
            for n, value in vars(module).items()
            if inspect.isfunction(value) and value.__module__ == module.__name__
        ]
        there = f"it has {', '.join(own)}" if own else "it has no functions"
        raise PairError(f"{reference!r}: there is no function {name!r}; {there}.")
    if not callable(function):
        raise PairError(
            f"{reference!r}: {name!r} is of type {type(function).__name__}, not a function; "
            f"{expected}."
        )
    required = [
        p.name
        for p in inspect.signature(function).parameters.values()
        if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    if required:
        raise PairError(
            f"{reference!r}: {name}() must be callable without arguments, but it asks for "
            f"{', '.join(required)}; {expected}."
        )
    return function


def _arguments(reference: str, name: str, result: Any) -> dict[str, Any]:
    needed = ("module", "cell", "inputs")
    if isinstance(result, Mapping):
        missing = [n for n in needed if n not in result]
        if missing:
            raise PairError(
                f"{reference!r}: the dict that {name}() returns lacks "
                f"{', '.join(map(repr, missing))}; {_SHAPE}."
            )
        return {str(key): value for key, value in result.items()}
    if isinstance(result, tuple) and len(result) == 3:
        return dict(zip(needed, result, strict=True))
    what = f"a tuple of {len(result)}" if isinstance(result, tuple) else type(result).__name__
    raise PairError(f"{reference!r}: {name}() returns {what}, but {_SHAPE}.")


def _describe(error: BaseException) -> str:
    words = str(error).strip()
    return f"{type(error).__name__}: {words}".rstrip(".") if words else type(error).__name__


def _line_of(error: BaseException) -> str:
    """The innermost line of the user's own files."""
    own = os.path.dirname(__file__)
    frames = [
        f
        for f in traceback.extract_tb(error.__traceback__)
        if not f.filename.startswith((own, "<frozen"))
    ]
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({error.filename}:{error.lineno})"
    return f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
