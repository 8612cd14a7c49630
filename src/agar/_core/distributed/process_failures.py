"""Failures of the engine's collectives, told as the rank, the group, the collective and the cause.

NOTE Closing. A process that has died is noticed by those alone that read from it or write to it
just then; in a ring of four one waits on, for a neighbor that has given up. So whoever sees a
collective fail closes the connections of the group, and the failure goes around at once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

__all__ = ["Failure", "Work", "cause", "is_of_engine"]

_ENDED = ("connection closed", "connection reset", "broken pipe", "connection refused")
_LATE = ("timed out", "timeout")


def cause(error: BaseException, seconds: float | None) -> str:
    """What an error of the engine means."""
    text = str(error).strip()
    first = text.splitlines()[0] if text else type(error).__name__
    # without the engine's source file and its advice
    first = re.sub(r"^\[[^\]]*\] *", "", first).split(". This is typically")[0]
    lower = text.lower()
    if any(words in lower for words in _LATE):
        waited = "" if seconds is None else f" of {seconds:g} s"
        return (
            f"no answer came within the timeout{waited}: another process hangs, is much slower, or "
            f"calls other collectives. The timeout is that of communication.init(timeout=...) "
            f"({first})"
        )
    if any(words in lower for words in _ENDED):
        return f"another process of the group has ended, or has left it after an error ({first})"
    return first


def is_of_engine(error: BaseException) -> bool:
    """Whether an error says that another process did not answer."""
    text = str(error).lower()
    return isinstance(error, RuntimeError) and any(words in text for words in (*_ENDED, *_LATE))


class Failure:
    """A collective that failed, after which its group cannot be used.

    Args:
        what: the collective.
        rank: the world rank of this process.
        group: the group's name.
        members: the world ranks of the group.
        reason: why, in words.
    """

    def __init__(
        self, what: str, rank: int, group: str, members: Sequence[int], reason: str
    ) -> None:
        shown = list(members) if len(members) <= 16 else f"{members[0]} to {members[-1]}"
        self.where = f"'{what}' in the process {rank}, in the group '{group}' of {shown}"
        self.reason = reason

    def error(self) -> RuntimeError:
        """What the collective itself raises."""
        return RuntimeError(
            f"{self.where}, failed: {self.reason}. The group is closed. Read what the other "
            "processes wrote, and start the program again, from its last checkpoint."
        )

    def later(self, what: str) -> RuntimeError:
        """What collectives raise that are called afterwards."""
        return RuntimeError(
            f"'{what}' cannot run, because the group was closed when {self.where}, failed: "
            f"{self.reason}. Start the program again."
        )


class Work:
    """Work that the engine has begun, which tells where it failed."""

    __slots__ = ("_group", "_groups", "_what", "_work")

    def __init__(self, of: Any, work: Any, group: str, what: str) -> None:
        self._groups, self._work, self._group, self._what = of, work, group, what

    def wait(self) -> None:
        """Wait until it is done."""
        try:
            self._work.wait()
        except RuntimeError as error:
            raise self._groups._close(self._group, self._what, error) from error
