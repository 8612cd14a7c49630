"""The documentation of the public surface: every parameter is described, no section is a stub.

What is not complete yet stands in tests/data/undocumented.json, which can only become shorter: a
new gap fails, and so does an entry whose gap is closed. To take closed entries out:
``PYTHONPATH=src:tests python tests/test_documentation.py``.
"""

from __future__ import annotations

import enum
import importlib
import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RECORD = Path(__file__).resolve().parent / "data" / "undocumented.json"

_ENTRY = re.compile(
    r"^\s*(`?\*{0,2}\w+`?(?:\s*(?:,|/|and)\s*`?\*{0,2}\w+`?)*)\s*(?:\([^)]*(?:\)[^):\n]*)*\))?"
    r"\s*(?:,[^:\n]*)?:(?!:)",
    re.MULTILINE,
)
_STUB = re.compile(r"see the (?:class|layer)\.", re.IGNORECASE)


def described(doc: str) -> set[str]:
    """The names that a docstring has entries for."""
    return {name for entry in _ENTRY.findall(doc) for name in re.findall(r"\w+", entry)}


def gaps(value: Any, doc: str) -> list[str]:
    """What the documentation of a callable lacks: parameters, and "a stub"."""
    try:
        parameters = inspect.signature(value).parameters
    except (TypeError, ValueError):
        parameters = {}
    names = described(doc)
    asked = [n for n in parameters if n not in ("self", "cls") and not n.startswith("_")]
    missing = [name for name in asked if name not in names]
    return missing + (["a stub"] if _STUB.search(doc) else [])


def _callables(name: str, value: Any) -> Iterator[tuple[str, Any, str]]:
    """A public value and its own methods: name, callable, docstring."""
    if not str(getattr(value, "__module__", "")).startswith("agar"):
        return
    if inspect.isroutine(value):
        yield name, value, inspect.getdoc(value) or ""
        return
    if not inspect.isclass(value):
        return
    if not issubclass(value, (BaseException, enum.Enum)):  # their signatures are Python's
        yield name, value, inspect.getdoc(value) or ""
    members = dict(vars(value))
    for part in value.__mro__[
        1:
    ]:  # base classes that nobody sees, whose methods are named after it
        if part.__name__ != value.__name__:
            for method, raw in vars(part).items():
                path = getattr(getattr(raw, "__func__", raw), "__qualname__", "")
                if path == f"{value.__qualname__}.{method}":
                    members.setdefault(method, raw)
    for method, raw in members.items():
        function = getattr(raw, "__func__", raw)
        if not method.startswith("_") and inspect.isfunction(function):
            yield f"{name}.{method}", function, inspect.getdoc(getattr(value, method)) or ""


def incomplete() -> dict[str, list[str]]:
    """The gaps of each incomplete callable; its name has the package but not the module."""
    public_modules = importlib.import_module("test_public_names").public_modules
    seen: set[int] = set()
    entries: dict[str, set[str]] = {}
    for path, module in public_modules().items():
        package = ".".join(path.split(".")[1:2])
        for name in module.__all__:
            for key, value, doc in _callables(name, getattr(module, name)):
                if id(value) in seen:
                    continue
                seen.add(id(value))
                if lacking := gaps(value, doc):
                    entries.setdefault(f"{package}.{key}".lstrip("."), set()).update(lacking)
    return {key: sorted(entries[key]) for key in sorted(entries)}


def test_documentation_is_complete_but_for_the_recorded_gaps():
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    # in a process of its own: methods of operators are put into Tensor when they are first asked
    # for, so what there is depends on what ran before
    run = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, "--show"],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert run.returncode == 0, run.stderr
    current = json.loads(run.stdout.splitlines()[-1])
    new = [
        f"{key} lacks {sorted(set(lacking) - set(recorded.get(key, ())))}"
        for key, lacking in current.items()
        if set(lacking) - set(recorded.get(key, ()))
    ]
    assert not new, "describe these:\n" + "\n".join(new)
    closed = [key for key in recorded if current.get(key) != recorded[key]]
    assert not closed, "complete by now, take out of the record:\n" + "\n".join(closed)


def test_a_missing_parameter_and_a_stub_are_seen():
    def call(first: int, second: int) -> None: ...

    assert gaps(call, "Args:\n    first (int): one.\n") == ["second"]
    assert gaps(call, "Args:\n    first, second (int): both.\n") == []
    described_as_a_stub = "first: a.\nsecond (Union[int, tuple(int)]): b.\nSee the class."
    assert gaps(call, described_as_a_stub) == ["a stub"]


if __name__ == "__main__":
    if sys.argv[1:] == ["--show"]:
        print(json.dumps(incomplete()))
        sys.exit()
    before = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else None
    now = incomplete()
    if before is not None:  # it never grows
        now = {
            key: still
            for key, lacking in now.items()
            if (still := [name for name in lacking if name in before.get(key, ())])
        }
    RECORD.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
