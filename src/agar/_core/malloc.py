"""The C library's heap: freed memory is kept for the next step instead of given back.

A train step frees what it took, and the next one takes the same again. The heap of glibc gives
large freed blocks back to the system at once, which must then clear each page again: a tenth to a
quarter of a small convolutional network's step on a CPU. Frameworks with a memory pool of their
own, MindSpore among them, keep what they have had; :func:`keep_freed_memory` has the heap do so.

Source: mallopt(3). Measured in benchmarks/RESULTS.md.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator
from typing import Any

__all__ = ["give_back", "keep_freed_memory", "mapped_one_by_one"]

_TRIM, _MMAP = -1, -3  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD
_LARGEST_BLOCK = 32 << 20  # larger ones are mapped one by one: the most that glibc allows
_MOST_CACHED = 1 << 30
_keeps = False  # whether the heap has been told to keep what is freed
_PASSING_BLOCK = 1 << 20  # larger ones are mapped where memory is used only once
#: With one of these the user has decided.
_DECIDED = ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_")


def _library() -> Any:
    """The C library of this process if it is glibc, else None."""
    with contextlib.suppress(OSError, TypeError):
        library = ctypes.CDLL(None)
        if hasattr(library, "gnu_get_libc_version"):
            return library
    return None


def keep_freed_memory() -> bool:
    """Have the heap keep up to a sixteenth of the machine's memory, 1 GiB at most.

    Returns:
        bool, whether the heap has been told: not where the C library is another than glibc, and not
        where the environment says how it shall be (``MALLOC_TRIM_THRESHOLD_``,
        ``MALLOC_MMAP_THRESHOLD_``, ``MALLOC_TOP_PAD_``, ``GLIBC_TUNABLES``).
    """
    if any(name in os.environ for name in _DECIDED):
        return False
    if "glibc.malloc" in os.environ.get("GLIBC_TUNABLES", ""):
        return False
    library = _library()
    if library is None:
        return False
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    result = min(memory // 16, _MOST_CACHED)
    global _keeps
    _keeps = bool(library.mallopt(_MMAP, _LARGEST_BLOCK)) and bool(library.mallopt(_TRIM, result))
    return _keeps


@contextlib.contextmanager
def mapped_one_by_one() -> Iterator[None]:
    """Map new blocks of 1 MiB and more one by one inside: each is given back when it is freed.

    It is for work that is done once: the heap would keep what that took, and in pieces. Other
    threads' blocks are mapped meanwhile too. Nothing happens where the heap has not been told to
    keep memory.
    """
    library = _library() if _keeps else None
    if library is None:
        yield
        return
    library.mallopt(_MMAP, _PASSING_BLOCK)
    try:
        yield
    finally:
        library.mallopt(_MMAP, _LARGEST_BLOCK)


def give_back() -> None:
    """Give freed memory back to the system now, where the C library can be asked for that."""
    library = _library()
    if library is not None:
        library.malloc_trim(0)
