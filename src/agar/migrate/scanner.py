"""A scan of a source tree: every use of PyTorch with its counterpart and its differences.

The texts are read and never run. A scan and a conversion see the same uses.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from agar.migrate.conversion import Call, read_source
from agar.migrate.conversion._file import convert_file
from agar.migrate.conversion._project import Project
from agar.migrate.conversion._result import STATUSES, python_files, totals
from agar.migrate.parsing import unparsable, unreadable

__all__ = ["Call", "ScanResult", "scan"]

_STYLES = {"same": "green", "renamed": "green", "differs": "yellow", "by hand": "red"}


@dataclass
class ScanResult:
    """What a scan found.

    Attributes:
        path: what was scanned.
        files: the Python files.
        calls: every use of PyTorch: file, line, name, counterpart, status, differences, reason.
        errors: files that are not Python or were not scanned, and why.
    """

    path: str
    files: list[str] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    errors: list[tuple[str, str]] = field(default_factory=list)

    @property
    def totals(self) -> dict[str, int]:
        """How many uses have each status: same, renamed, differs, by hand, unknown."""
        return totals(self.calls)

    @property
    def by_hand(self) -> list[Call]:
        """The uses that a conversion leaves to the reader."""
        return [c for c in self.calls if c.status in ("by hand", "unknown")]

    @property
    def names(self) -> dict[str, int]:
        """How often each name of PyTorch is used, the most frequent first."""
        return dict(Counter(c.name for c in self.calls).most_common())

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "path": self.path,
            "files": self.files,
            "totals": self.totals,
            "names": self.names,
            "calls": [asdict(c) for c in self.calls],
            "errors": [{"file": file, "reason": reason} for file, reason in self.errors],
        }

    def to_json(self) -> str:
        """The result as JSON."""
        return json.dumps(self.to_dict(), indent=2)

    def show(self, console: Any = None) -> None:
        """Print a table: one line for each name, status and counterpart, then what needs a hand.

        Args:
            console (rich.console.Console, optional): where to print. Default: ``None``, stdout.
        """
        from rich.console import Console
        from rich.markup import escape
        from rich.table import Table

        console = console or Console()
        table = Table("PyTorch", "uses", "counterpart", "status", "differences")
        grouped: dict[tuple[str, str, str | None], list[Call]] = {}
        for call in self.calls:
            grouped.setdefault((call.name, call.status, call.counterpart), []).append(call)
        order = sorted(grouped.items(), key=lambda g: (STATUSES.index(g[0][1]), g[0][0]))
        for (name, status, counterpart), calls in order:
            style = _STYLES.get(status, "red")
            told = "; ".join(d.partition(":")[0] for d in calls[0].differences)
            table.add_row(
                escape(name),
                str(len(calls)),
                escape(counterpart or ""),
                f"[{style}]{status}[/]",
                escape(told),
            )
        console.print(table)
        for call in self.by_hand:
            console.print(escape(f"{call.file}:{call.line}: {call.name}: {call.reason}"))
        for file, reason in self.errors:
            console.print(escape(f"{file}: {reason}"), style="red")
        counts = ", ".join(f"{count} {status}" for status, count in self.totals.items())
        console.print(f"{len(self.files)} files, {len(self.calls)} uses of PyTorch: {counts}")

    def _repr_html_(self) -> str:
        from agar.migrate.report import _notebook

        return _notebook.scan_html(self)


def scan(
    path: str | os.PathLike[str], *, progress: Callable[[str], None] | None = None
) -> ScanResult:
    r"""List every use of PyTorch in a file or a source tree.

    Names are resolved through imports, aliases, star imports and re-exports, and methods of
    tensors and modules by a light inference of types. Nothing is run. A file that cannot be read
    or parsed, because it is nested too deeply, takes longer than 30 s to parse, has more than 4 MiB
    or is not a regular file, is listed in ``errors``, and the others are scanned.

    Args:
        path (str, path): a Python file or a directory.
        progress (callable, optional): called with each file's path. Default: ``None``.

    Returns:
        ScanResult, with ``calls``, ``totals``, ``errors``, ``to_dict()``, ``to_json()`` and
        ``show()``. The status of a call is

        - ``same``: the counterpart has the same name and takes the same arguments;
        - ``renamed``: it has another name, and the same arguments;
        - ``differs``: arguments or defaults differ, and a conversion takes care of it;
        - ``by hand``: the rules say why there is no counterpart of this call;
        - ``unknown``: the rules do not know the name.

    Raises:
        FileNotFoundError: there is no such path.
        ValueError: the path is a file that is no Python file.

    Examples:
        >>> import pathlib, tempfile
        >>> from agar.migrate import scan
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "net.py"
        >>> _ = file.write_text("from torch import nn\nlayer = nn.Linear(3, 4)\n")
        >>> [(c.line, c.name, c.counterpart) for c in scan(file).calls]
        [(2, 'torch.nn.Linear', 'nn.Dense')]
    """
    root = Path(path)
    result = ScanResult(str(root))
    project = Project()
    texts: dict[Path, str] = {}
    for file in python_files(root):
        result.files.append(str(file))
        reason = unreadable(file)
        if not reason:
            try:
                texts[file] = read_source(file)
            except (OSError, SyntaxError, ValueError) as error:
                reason = f"it cannot be read: {error}"
        if reason:
            result.errors.append((str(file), f"not scanned: {reason}"))
            # what others import from it must not open or parse it again
            project.add_text(file, "")
    for file, reason in unparsable(texts).items():
        result.errors.append((str(file), f"not scanned: {reason}"))
        del texts[file]
        project.add_text(file, "")
    for file, text in texts.items():
        project.add_text(file, text)
    for file in texts:
        project.symbols(file)
    for file, text in texts.items():
        if progress is not None:
            progress(str(file))
        try:
            converted = convert_file(
                text, file, project, "mindspore", training=False, written=False
            )
        except SyntaxError as error:
            reason = f"It is no Python: {error.msg} (line {error.lineno})"
            result.errors.append((str(file), reason))
            continue
        except (RecursionError, MemoryError) as error:
            reason = "it is nested too deeply"
            if isinstance(error, MemoryError):
                reason = "reading it takes too much memory"
            result.errors.append((str(file), f"not scanned: {reason}"))
            continue
        result.calls += converted.calls
    return result
