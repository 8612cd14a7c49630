"""Recordings that a file starts while a program trains."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from agar.log import warning
from agar.profiler.profiler import Profiler
from agar.train.callback import Callback

__all__ = ["DynamicProfilerMonitor"]

_FILE = "profiler_config.json"
_DEFAULTS = {
    "start_step": -1,
    "stop_step": -1,
    "profile_memory": False,
    "with_stack": False,
    "record_shape": False,
    "prof_path": "./",
}


class DynamicProfilerMonitor(Callback):
    """Records the steps that ``profiler_config.json`` names, whenever the file changes.

    The file has ``start_step`` and ``stop_step``, counted from 1; a file with -1 for both is
    written if there is none.

    Args:
        cfg_path (str): the folder of the file.
        output_path (str): the folder of traces. Default: ``None``: the file's ``prof_path``.
        poll_interval (int): accepted: the file is read at every step. Default: ``2``.
        kwargs (Any): accepted.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import tempfile
        >>> import agar as ms
        >>> monitor = ms.profiler.DynamicProfilerMonitor(tempfile.mkdtemp())
        >>> monitor.step()
    """

    def __init__(
        self,
        cfg_path: str | None = None,
        output_path: str | None = None,
        poll_interval: int = 2,
        **kwargs: Any,
    ) -> None:
        self._path = Path(cfg_path or ".") / _FILE
        self._output = output_path
        self._steps = 0
        self._recording: Profiler | None = None
        self._plan: dict[str, Any] = dict(_DEFAULTS)
        if not self._path.exists():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.write_text(json.dumps(_DEFAULTS, indent=4), encoding="utf-8")
        self._read = 0

    def _reread(self) -> None:
        try:
            changed = os.stat(self._path).st_mtime_ns
            if changed != self._read:
                self._plan = {**_DEFAULTS, **json.loads(self._path.read_text(encoding="utf-8"))}
                self._read = changed
        except (OSError, ValueError) as error:
            warning(f"The profiler's file {self._path} cannot be read: {error}")

    def _begin(self) -> None:
        self._reread()
        self._steps += 1
        expected = self._plan["start_step"] <= self._steps <= self._plan["stop_step"]
        if expected and self._recording is None:
            self._recording = Profiler(
                output_path=self._output or self._plan["prof_path"],
                profile_memory=self._plan["profile_memory"],
                with_stack=self._plan["with_stack"],
                record_shapes=self._plan["record_shape"],
            )

    def _end(self) -> None:
        if self._recording is not None and self._steps >= self._plan["stop_step"]:
            self._recording.analyse()
            self._recording = None

    def step_begin(self, run_context: Any) -> None:
        """Begin to record if this step is one of those.

        Args:
            run_context (RunContext): the run.
        """
        self._begin()

    def step_end(self, run_context: Any) -> None:
        """End the recording after the last of them.

        Args:
            run_context (RunContext): the run.
        """
        self._end()

    def on_train_end(self, run_context: Any) -> None:
        """End a recording that still runs.

        Args:
            run_context (RunContext): the run.
        """
        if self._recording is not None:
            self._recording.analyse()
            self._recording = None

    def step(self) -> None:
        """Say, in a loop of one's own, that a step ended and the next begins."""
        self._end()
        self._begin()
