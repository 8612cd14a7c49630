"""The thread that writes a checkpoint while the program goes on."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from agar import log


class Background:
    """The thread that writes a checkpoint: one at a time, its error kept until it is raised."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._thread: threading.Thread | None = None
        self._path = ""
        self._error: BaseException | None = None

    def start(self, path: str, write: Callable[[], None]) -> None:
        """Write in a new thread, when the one before is done."""
        with self._lock:
            self.finish()
            self._path = os.path.realpath(path)
            # Not a daemon: the interpreter waits for it before it ends.
            self._thread = threading.Thread(target=self._run, args=(write,), name="save_checkpoint")
            self._thread.start()

    def _run(self, write: Callable[[], None]) -> None:
        try:
            write()
        except BaseException as error:
            self._error = error
            log.critical("Failed to save the checkpoint file '%s': %s", self._path, error)

    def finish(self, path: str | None = None) -> None:
        """Wait for the thread, if it writes this path or none is given.

        Raises:
            RuntimeError: it failed; said once.
        """
        with self._lock:
            if self._thread is None or path not in (None, self._path):
                return
            self._thread.join()
            self._thread = None
            error, self._error = self._error, None
        if error is not None:
            raise RuntimeError(
                f"The checkpoint '{self._path}', which save_checkpoint(async_save=...) was "
                f"writing, could not be written: {error}. What was there before is unchanged."
            ) from error

    def is_running(self) -> bool:
        """Whether a file is being written."""
        thread = self._thread
        return thread is not None and thread.is_alive()


background = Background()
