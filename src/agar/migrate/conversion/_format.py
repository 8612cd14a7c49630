"""Layout: a converted file is formatted as its source was, where a formatter is at hand.

Code that replaces other code has another length, so lines would have to be broken anew. That is the
work of a formatter. Where ``ruff`` or ``black`` is installed, and leaves the source as it is at one
of the usual line lengths, it formats the result at that length. Other sources keep their layout.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache, lru_cache

__all__ = ["Formatter", "own_lines"]

#: line lengths that projects choose
_LENGTHS = (88, 100, 120, 79, 99, 110, 119, 80)
_SECONDS = 20


@cache
def _command() -> tuple[str, ...]:
    """The formatter that is installed, without its line length; empty without one."""
    # programs of a virtual environment lie beside its interpreter
    places = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
    if program := shutil.which("ruff", path=places):
        return (program, "format", "--isolated", "--quiet", "--line-length", "{}", "-")
    if program := shutil.which("black", path=places):
        return (program, "--quiet", "--config", os.devnull, "--line-length", "{}", "-")
    return ()


class Formatter:
    """Formats converted texts as their sources are; it tries the length of the last one first."""

    def __init__(self) -> None:
        self.lengths = list(_LENGTHS)

    def formatted(self, original: str, code: str) -> str:
        """A converted text in the layout of its source.

        Args:
            original (str): the source.
            code (str): what became of it.

        Returns:
            str, `code` itself where the source has no formatter's layout, or none is installed.
        """
        if not _command() or code == original or not original.strip():
            return code
        longest = max(map(len, original.splitlines()))
        for length in self.lengths:
            # a comment or a text may be longer than the length
            if longest > 2 * length or _format(original, length) != original:
                continue
            self.lengths.remove(length)
            self.lengths.insert(0, length)
            return _format(code, length) or code
        return code


@lru_cache(512)
def own_lines(code: str) -> str:
    """Lines that no author wrote, as the formatter lays them out at its usual length.

    Args:
        code (str): whole statements.
    """
    return (_format(code, _LENGTHS[0]).rstrip("\n") if _command() else "") or code


def _format(code: str, length: int) -> str:
    """A text as the formatter writes it; empty where it fails."""
    command = [part.format(length) for part in _command()]
    try:
        done = subprocess.run(
            command, input=code, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""
