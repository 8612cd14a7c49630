"""Collectives that were only begun: a thread for each group runs them one after the other.

NOTE Order. Processes compare what they call before anything is sent, and the answer has to be
awaited. So a collective that returns at once runs in a thread of its group, in the order of the
calls. A collective that is awaited at once first lets the thread finish, so that the order of all
collectives of a group is that of the program.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

import torch

__all__ = ["Lane", "Later"]


class Later:
    """The result of a collective that was begun."""

    def __init__(self) -> None:
        self._done = threading.Event()
        self._value: Any = None
        self._error: BaseException | None = None
        #: Whether its error, if there is one, was raised.
        self.told = False

    def run(self, call: Callable[[], Any]) -> None:
        """Run what was begun; nobody is told yet."""
        try:
            self._value = call()
        except BaseException as error:
            self._error = error

    def tell(self) -> None:
        """Let those go on who wait for the result."""
        self._done.set()

    def result(self) -> Any:
        """Wait for the result, which is given once.

        Raises:
            Exception: what the collective raised.
        """
        self._done.wait()
        if self._error is not None:
            self.told = True
            raise self._error
        value, self._value = self._value, None
        return value


class Lane:
    """The thread that runs the collectives of one group."""

    def __init__(self, name: str) -> None:
        self._waiting: queue.SimpleQueue[tuple[Later, Callable[[], Any], int] | None]
        self._waiting = queue.SimpleQueue()
        self._begun: list[Later] = []
        self._thread = threading.Thread(target=self._work, name=f"agar {name}", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while (task := self._waiting.get()) is not None:
            later, call, device = task
            if device >= 0:
                torch.cuda.set_device(device)
            later.run(call)
            del task, call  # who goes on now may look whether the call's tensors are still held
            later.tell()
            del later

    def begin(self, call: Callable[[], Any], device: torch.device | None = None) -> Later:
        """Let the thread make a call, behind those that were begun before."""
        later = Later()
        self._begun.append(later)
        index = -1 if device is None or device.type != "cuda" else device.index or 0
        self._waiting.put((later, call, index))
        return later

    @property
    def is_here(self) -> bool:
        """Whether this is its thread."""
        return threading.current_thread() is self._thread

    def drain(self) -> None:
        """Wait until the thread has nothing to do; in the thread itself nothing is waited for.

        Raises:
            Exception: what a collective raised whose handle nobody waits for.
        """
        if self.is_here:
            return
        begun, self._begun = self._begun, []
        for later in begun:
            later._done.wait()
        for later in begun:
            if later._error is not None and not later.told:
                later.result()

    def close(self) -> None:
        """Let the thread end when it has made its calls."""
        self._waiting.put(None)
