"""What a scan or a conversion found, as plain data."""

from __future__ import annotations

import difflib
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["STATUSES", "Call", "Conversion", "ConvertedFile", "Note"]

#: What a call of PyTorch can be to agar, from the easiest to the hardest.
STATUSES = ("same", "renamed", "differs", "by hand", "unknown")


@dataclass(frozen=True)
class Call:
    """One use of PyTorch in a source text.

    Attributes:
        file: the file, as it was given.
        line: its line.
        name: the name in PyTorch, such as ``torch.nn.Conv2d``.
        counterpart: the counterpart's name, such as ``nn.Conv2d``; None without one.
        status: one of STATUSES.
        differences: how the two differ, where the reader should know.
        code: the call as it stands.
        becomes: the call as it is converted; empty where it is not.
        reason: why it needs a hand.
    """

    file: str
    line: int
    name: str
    counterpart: str | None
    status: str
    differences: tuple[str, ...] = ()
    code: str = ""
    becomes: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Note:
    """A remark on one line of the original.

    Attributes:
        line: the line.
        kind: ``by hand``, ``assumption`` or ``note``.
        text: what to know, or to do.
    """

    line: int
    kind: str
    text: str


@dataclass
class ConvertedFile:
    """One file of a conversion.

    Attributes:
        path: the original.
        out: where the text was written; None where nothing was written.
        original: its text.
        code: the converted text; the original where the file could not be read as Python.
        calls: every use of PyTorch.
        notes: remarks, in the order of the lines.
        error: why the file was not converted, or cannot be imported; empty without.
        checked: ``imported``, or why the file that was written was compiled only; empty where
            nothing was written, or nothing changed.
    """

    path: str
    original: str = ""
    code: str = ""
    out: str | None = None
    calls: list[Call] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    error: str = ""
    checked: str = ""

    @property
    def changed(self) -> bool:
        """Whether the conversion changed the text."""
        return self.code != self.original

    @property
    def by_hand(self) -> list[Note]:
        """What was left to the reader."""
        return [n for n in self.notes if n.kind == "by hand"]

    @property
    def diff(self) -> str:
        """The change as a unified diff; empty without one."""
        return "".join(
            difflib.unified_diff(
                self.original.splitlines(keepends=True),
                self.code.splitlines(keepends=True),
                self.path,
                self.out or self.path,
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """The file as plain data, with counts and the diff instead of both texts."""
        return {
            "path": self.path,
            "out": self.out,
            "changed": self.changed,
            "error": self.error,
            "checked": self.checked,
            "calls": len(self.calls),
            "by_status": totals(self.calls),
            "notes": [asdict(n) for n in self.notes],
            "diff": self.diff,
        }


@dataclass
class Conversion:
    """What `agar.migrate.convert` did.

    Attributes:
        target: ``mindspore`` or ``agar``.
        files: every Python file of the source.
        written: paths of the files that were written.
    """

    target: str
    files: list[ConvertedFile] = field(default_factory=list)
    written: list[str] = field(default_factory=list)

    @property
    def calls(self) -> list[Call]:
        """Every use of PyTorch in all files."""
        return [c for f in self.files for c in f.calls]

    @property
    def by_hand(self) -> list[tuple[str, Note]]:
        """What was left to the reader: file and note."""
        return [(f.path, n) for f in self.files for n in f.by_hand]

    @property
    def causes(self) -> list[tuple[str, int, int]]:
        """What was left to the reader by its cause: the cause, in how many places and files.

        The cause with the most places stands first.
        """
        places: Counter[str] = Counter()
        files: dict[str, set[str]] = {}
        for path, note in self.by_hand:
            cause = _cause_of(note.text)
            places[cause] += 1
            files.setdefault(cause, set()).add(path)
        return [(cause, count, len(files[cause])) for cause, count in places.most_common()]

    @property
    def errors(self) -> list[tuple[str, str]]:
        """Files that could not be converted, and why."""
        return [(f.path, f.error) for f in self.files if f.error]

    @property
    def counts(self) -> dict[str, int]:
        """Files, changed files, uses of PyTorch, those converted, and those left by hand."""
        calls = self.calls
        left = sum(c.status in ("by hand", "unknown") for c in calls)
        return {
            "files": len(self.files),
            "changed": sum(f.changed for f in self.files),
            "errors": len(self.errors),
            "calls": len(calls),
            "converted": len(calls) - left,
            "by hand": len(self.by_hand),
        }

    @property
    def diff(self) -> str:
        """The whole change as one unified diff."""
        return "".join(f.diff for f in self.files)

    def to_dict(self) -> dict[str, Any]:
        """The conversion as plain data."""
        return {
            "target": self.target,
            "counts": self.counts,
            "written": self.written,
            "causes": [
                {"cause": cause, "places": places, "files": files}
                for cause, places, files in self.causes
            ],
            "files": [f.to_dict() for f in self.files],
        }

    def to_json(self) -> str:
        """The conversion as JSON."""
        return json.dumps(self.to_dict(), indent=2)

    def show(self, console: Any = None) -> None:
        """Print a table of the files and a list of what is left by hand.

        Args:
            console (rich.console.Console, optional): where to print. Default: ``None``, stdout.
        """
        from rich.console import Console
        from rich.markup import escape
        from rich.table import Table

        console = console or Console()
        table = Table("file", "uses of PyTorch", "converted", "by hand", "")
        for f in self.files:
            left = sum(c.status in ("by hand", "unknown") for c in f.calls)
            state = f.error or (f.checked if f.changed else "unchanged")
            table.add_row(
                escape(f.path),
                str(len(f.calls)),
                str(len(f.calls) - left),
                str(len(f.by_hand)),
                escape(state),
            )
        console.print(table)
        if len(self.by_hand) > len(self.causes):
            table = Table("left by hand, by cause", "places", "files")
            for cause, places, files in self.causes:
                table.add_row(escape(cause), str(places), str(files))
            console.print(table)
        for path, note in self.by_hand:
            console.print(escape(f"{path}:{note.line}: {note.text}"))


#: what marks say of one place, and what they say without it
_PLACES = (
    (r"^if .+? is a tensor", "if a value is a tensor"),
    (
        r"then \..+?\(\) may differ: see the rule of (\S+)",
        r"its method may differ: see the rule of \1",
    ),
    (r"and .+? with it; here", "and what shares it; here"),
    (r"because .+? works on gradients", "because it works on gradients"),
    (
        r"^.+? changes .+? in place in PyTorch, and .+? is read",
        "a value that changes in place is read",
    ),
    (r"^\.(\S+) (holds|is called|is a Cell's)", r"an attribute (\1) \2"),
)


def _cause_of(text: str) -> str:
    """What a mark says, without the names of the place where it stands."""
    for pattern, plain in _PLACES:
        text = re.sub(pattern, plain, text)
    return text


def totals(calls: Iterable[Call]) -> dict[str, int]:
    """How many calls have each status; all of STATUSES are there."""
    counts = Counter(c.status for c in calls)
    return {status: counts[status] for status in STATUSES}


def python_files(source: Path) -> list[Path]:
    """The Python files of a file or a directory, in order.

    Raises:
        FileNotFoundError: there is no such path.
        ValueError: the path is a file of another kind.
    """
    if not source.exists():
        raise FileNotFoundError(f"There is no file or directory {str(source)!r}.")
    if source.is_file():
        if source.suffix != ".py":
            raise ValueError(f"{str(source)!r} is no Python file: its name must end in '.py'.")
        return [source]
    hidden = ("__pycache__",)
    return sorted(
        p
        for p in source.rglob("*.py")
        if not any(
            part in hidden or part.startswith(".") for part in p.relative_to(source).parts[:-1]
        )
    )
