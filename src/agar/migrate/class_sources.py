"""Where classes are written, for the report to show."""

from __future__ import annotations

import contextlib
import functools
import inspect
import linecache
import re
from pathlib import Path

from agar.migrate.result import Source

__all__ = ["source_of"]


def _lines_of(kind: type) -> tuple[list[str], int]:
    """The lines of a class and the number of their first.

    `inspect` parses the whole file to find it, which takes longer than a small network's check.
    """
    lines = linecache.getlines(inspect.getsourcefile(kind) or "")
    head = re.compile(rf"\s*class\s+{kind.__name__}\b")
    heads = [i for i, line in enumerate(lines) if head.match(line)]
    if len(heads) != 1 or (heads[0] and lines[heads[0] - 1].strip()):  # decorators, comments
        return inspect.getsourcelines(kind)
    return inspect.getblock(lines[heads[0] :]), heads[0] + 1


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
