"""Where classes are written, for the report to show."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import linecache
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

from agar.migrate.result import Source

__all__ = ["source_later", "source_of"]


def _lines_of(kind: type) -> tuple[list[str], int]:
    """The lines of a class and the number of their first.

    `inspect` parses the whole file to find it, which takes longer than a small network's check.
    """
    lines = linecache.getlines(inspect.getsourcefile(kind) or "")
    head = re.compile(rf"\s*class\s+{kind.__name__}\b")
    name = f"class {kind.__name__}"
    heads = [i for i, line in enumerate(lines) if name in line and head.match(line)]
    first = _first(lines, heads[0]) if len(heads) == 1 else None
    if first is None:
        return inspect.getsourcelines(kind)
    return lines[first : heads[0]] + _block(lines[heads[0] :]), first + 1


def _first(lines: list[str], head: int) -> int | None:
    """Where the decorators of a class begin; None where one takes several lines."""
    first, depth = head, _indent(lines[head])
    while first and lines[first - 1].lstrip().startswith("@"):
        first -= 1
    above = lines[first - 1] if first else ""
    ends = not above.strip() or above.lstrip().startswith("#") or _indent(above) != depth
    return first if ends or not above.lstrip().startswith((")", "]", "}")) else None


def _block(lines: list[str]) -> list[str]:
    """The lines of a statement and what is indented under it; `inspect` tokenizes them in Python.

    A line that is not indented may stand in a text or in brackets: then what is before it does not
    compile.
    """
    depth = _indent(lines[0])
    for end in range(1, len(lines) + 1):
        line = lines[end] if end < len(lines) else ""
        if end < len(lines) and (_indent(line) > depth or not line.strip()):
            continue
        block = lines[:end]
        while not block[-1].strip():
            block.pop()
        with contextlib.suppress(SyntaxError, ValueError):
            ast.parse("".join(["if True:\n" if depth else "", *block]))
            return block
    return inspect.getblock(lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def source_later(kind: type) -> Callable[[], Source | None]:
    """What gives the source of a class when it is read; None if its file has changed since.

    To look for it in its file takes as long as a small layer's run, and few reports show it.

    Args:
        kind (type): the class.
    """
    stamp = _stamp(kind)
    return lambda: source_of(kind) if _stamp(kind) == stamp else None


def _stamp(kind: type) -> int:
    """When the file of a class was changed; 0 where there is none."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    with contextlib.suppress(OSError, TypeError):
        return os.stat(file).st_mtime_ns if file else 0
    return 0


@functools.cache
def source_of(kind: type) -> Source | None:
    """Where a class is written; None where its source is not to be had.

    Args:
        kind (type): the class.
    """
    try:
        lines, first = _lines_of(kind)
        file = inspect.getsourcefile(kind) or ""
    except (OSError, TypeError):
        return None
    path = Path(file)
    with contextlib.suppress(ValueError):
        path = path.resolve().relative_to(Path.cwd())
    return Source(str(path), first, "".join(lines))
