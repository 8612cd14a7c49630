"""Whether source texts can be parsed at all, found out by a process that may crash.

NOTE Why a process. The parser of libcst is native and recursive: a deeply nested text overflows its
stack, and the program is gone. A long chain of operators takes it quadratic time. So every text is
parsed first by a child process with less stack, with a limit of memory, and with an alarm that ends
it. One child parses all texts, and another goes on after a text that ended it.
"""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

__all__ = ["LARGEST", "SECONDS", "unparsable", "unreadable"]

#: Bytes of the largest file that is read: some 100,000 lines.
LARGEST = 4 * 2**20
#: Seconds that parsing one text may take.
SECONDS = 30.0
_MEMORY = 4 * 2**30
_STACK = 4 * 2**20
#: A text of fewer characters cannot nest so deeply that a parser crashes.
_HARMLESS = 1000


def unreadable(path: Path) -> str:
    """Why a path is not to be opened as a source file; empty where it may be.

    Opening a FIFO or a device would wait without end or read without end.

    Args:
        path (Path): the path.
    """
    try:
        status = os.stat(path)
    except OSError as error:
        return f"it cannot be read: {error.strerror or error}"
    if not stat.S_ISREG(status.st_mode):
        return "it is not a regular file"
    if status.st_size > LARGEST:
        return f"it has {status.st_size} bytes, and the largest file that is read has {LARGEST}"
    return ""


def unparsable(
    texts: Mapping[Path, str], *, seconds: float = SECONDS, memory: int = _MEMORY
) -> dict[Path, str]:
    """The texts that end a parser, with the reason; a mere syntax error is not one.

    Args:
        texts (dict): the texts by file.
        seconds (float): how long one text may take. Default: ``SECONDS``.
        memory (int): bytes of memory for the process that parses. Default: 4 GiB.

    Returns:
        dict of file and reason; empty where every text can be parsed here.

    Raises:
        RuntimeError: no process that parses can be started.
    """
    reasons: dict[Path, str] = {}
    rest = [path for path, text in texts.items() if len(text) >= _HARMLESS]
    while rest:
        replies, ended = _parsed((texts[path] for path in rest), len(rest), seconds, memory)
        reasons.update((path, said) for path, said in zip(rest, replies, strict=False) if said)
        rest = rest[len(replies) :]
        if rest:
            reasons[rest.pop(0)] = ended
    return reasons


def _parsed(texts: Iterable[str], count: int, seconds: float, memory: int) -> tuple[list[str], str]:
    """What a process says of the texts that it finished, and how it ended."""
    task = {
        "path": sys.path,
        "seconds": seconds,
        "memory": memory,
        "stack": _STACK,
        "texts": list(texts),
    }
    child = Path(__file__).with_name("_parse_child.py")
    command = [sys.executable, "-I", str(child)]
    try:
        done = subprocess.run(
            command,
            input=json.dumps(task).encode(),
            capture_output=True,
            # the alarm of the child comes first, where the system has one
            timeout=(seconds + 10) * (count + 1),
            check=False,
        )
        code, output, errors = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as error:
        code, output, errors = None, error.stdout or b"", b""
    except OSError as error:
        raise RuntimeError(f"The process that parses texts cannot be started: {error}") from error
    # a line that was not finished is one that the process died of
    replies = [json.loads(line) for line in output.split(b"\n")[:-1]]
    if not replies and code and code > 0:
        told = errors.decode(errors="replace").strip().splitlines() or ["no message"]
        raise RuntimeError(
            f"The process that parses texts ended with code {code} before the first text: "
            f"{told[-1]}"
        )
    return replies, _ending(code, seconds)


def _ending(code: int | None, seconds: float) -> str:
    if code is None or -code == getattr(signal, "SIGALRM", 0):
        return f"parsing it takes longer than {seconds:g} s"
    names = {s.value: s.name for s in signal.Signals}
    how = names.get(-code, f"code {code}")
    return f"it ends the parser ({how}): it is nested too deeply, or takes too much memory"
