"""Work beside the calls: threads that the interpreter waits for when it ends.

A thread that works in C++ while the interpreter goes away ends the process with an error; one that
is waited for does not. The work is short: folding weights, racing kernels, loading a module.
"""

from __future__ import annotations

import atexit
import importlib
import threading
import weakref
from collections.abc import Callable

from agar._core.gc_pause import collector_at_rest

__all__ = ["COMPILES", "is_idle", "loaded", "start"]

#: The name of the thread that waits for a compiler's process.
COMPILES = "agar-o1-compile"
_LONGEST = 60.0  # seconds that the end of the interpreter waits for one thread
_threads: weakref.WeakSet[threading.Thread] = weakref.WeakSet()
_ending = threading.Event()


def start(work: Callable[[], None], name: str) -> threading.Thread:
    """Run something in a thread of its own; not begun when the interpreter is ending."""

    def run() -> None:
        if not _ending.is_set():
            work()

    thread = threading.Thread(target=run, daemon=True, name=name)
    _threads.add(thread)
    thread.start()
    return thread


def is_idle(compilers: bool = True) -> bool:
    """Whether nothing runs just now: nothing is translated or loaded, and nothing compiled.

    Args:
        compilers: whether waiting for a compiler's process counts as well. Default: True.
    """
    running = [thread.name for thread in list(_threads) if thread.is_alive()]
    return not running if compilers else all(name == COMPILES for name in running)


_loading: dict[tuple[str, ...], threading.Thread] = {}


def loaded(names: tuple[str, ...]) -> bool:
    """Whether modules are there; the first question begins to load them, in this order."""
    thread = _loading.get(names)
    if thread is None:

        def load() -> None:
            with collector_at_rest():
                for name in names:
                    importlib.import_module(name)

        thread = _loading[names] = start(load, f"agar loads {names[-1]}")
    return not thread.is_alive()


@atexit.register
def _wait() -> None:
    _ending.set()
    for thread in list(_threads):
        thread.join(_LONGEST)
