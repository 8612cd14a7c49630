"""The one boundary around code that parses a file: what leaves it is what the reader documents.

NOTE Why a boundary. A parser of damaged bytes fails with whatever its last step happens to raise:
struct.error, KeyError, UnicodeDecodeError, MemoryError. A list of such types is never complete, so
`reading` takes every exception. It may therefore stand around parsing alone, never around code of
the program, such as callbacks, generators and transforms, whose errors are theirs.
"""

from __future__ import annotations

import os
from types import TracebackType

__all__ = ["MAX_EXPANSION", "checked_name", "reading"]

#: How many times its size a compressed file may hold; deflate reaches 1032 for zeros alone.
MAX_EXPANSION = 1100
_MAX_REASON = 300


class reading:
    """Turns every error of a block that parses a file into the documented one, with its cause.

    Args:
        owner: the public name of the reader.
        path: the file, or the folder of the files.
        kind: what the reader raises for a damaged file; it takes one text.
        advice: what the person can do.
        also: other documented errors, which pass as they are.

    An error of these kinds that names the file or the reader already says it better and passes.
    """

    __slots__ = ("advice", "also", "kind", "owner", "path")

    def __init__(
        self,
        owner: str,
        path: str | os.PathLike[str],
        kind: type[Exception] = RuntimeError,
        advice: str = "Restore the file from its source.",
        also: tuple[type[Exception], ...] = (),
    ) -> None:
        self.owner = owner
        self.path = os.fspath(path)
        self.kind = kind
        self.advice = advice
        self.also = also

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if not isinstance(error, Exception):
            return  # nothing happened, or the program is ended
        if isinstance(error, self.also):
            return
        if type(error) is self.kind or getattr(error, "_agar_read", False):
            text = str(error)
            if isinstance(error, self.kind) and (self.path in text or text.startswith("For '")):
                return
        result = self.kind(
            f"For '{self.owner}', the file '{self.path}' cannot be read: {_reason(error)}. "
            f"{self.advice}"
        )
        result._agar_read = True  # type: ignore[attr-defined]
        raise result from error


def _reason(error: Exception) -> str:
    """What is wrong, in one short line."""
    text = " ".join(str(error).split()).rstrip(".")
    if len(text) > _MAX_REASON:
        text = f"{text[:_MAX_REASON]}..."
    if isinstance(error, MemoryError):
        return "it is damaged: it claims to hold more than the memory takes"
    if isinstance(error, RecursionError):
        return "it is damaged: its parts are nested too deeply"
    if isinstance(error, OSError) and error.errno is not None:
        return text
    return f"it is damaged or of another kind ({type(error).__name__}: {text})"


def checked_name(name: object) -> str:
    """A name of a file that another file gives for one beside it.

    Raises:
        ValueError: it is not the plain name of a file, so it could lead out of the folder.
    """
    if (
        not isinstance(name, str)
        or name in ("", ".", "..")
        or any(c in name for c in "/\\\0")
        or os.path.basename(name) != name
    ):
        raise ValueError(f"the name of a file of the same folder is expected, but got {name!r}")
    return name
