"""Recordings of what a program computes, by torch's profiler."""

from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

# recordings are the engine's
import torch

from agar.log import warning
from agar.profiler.constant import ProfilerActivity
from agar.profiler.schedule import ProfilerAction

__all__ = ["Profile", "Profiler", "tensorboard_trace_handler"]


def _activities(expected: Iterable[ProfilerActivity] | None) -> list[Any]:
    kinds = torch.profiler.ProfilerActivity
    there = torch.profiler.supported_activities()
    if expected is None:
        return sorted(there, key=str)
    result = {kinds.CPU if a is ProfilerActivity.CPU else kinds.CUDA for a in expected} & there
    return sorted(result or {kinds.CPU}, key=str)


def _quiet() -> None:
    """Keep Kineto, which makes the recordings, from writing its marks of begin and end to stderr.

    It reads its level once, at the first recording of a process, and a level that the user set
    stays. What matters among its messages, a GPU of which nothing could be recorded, is a warning
    of `_Recording.stop`.
    """
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")


def _lost_device(engine: Any) -> bool:
    """Whether the GPU computed while recording was asked for, and no event of it is there."""
    if torch.profiler.ProfilerActivity.CUDA not in engine.activities or engine.profiler is None:
        return False
    events = engine.profiler.kineto_results.events()
    launches = any(e.name().startswith("cudaLaunch") for e in events)
    return launches and all(e.device_type() != torch.autograd.DeviceType.CUDA for e in events)


class _Recording:
    """What both classes share: one recording, the folder of its traces, notes to it."""

    def __init__(
        self,
        activities: Iterable[ProfilerActivity] | None,
        schedule: Callable[[int], ProfilerAction] | None,
        on_trace_ready: Callable[[Any], Any] | None,
        folder: str,
        options: dict[str, Any],
    ) -> None:
        self._folder = Path(folder)
        self._notes: dict[str, Any] = {}
        self._running = False
        self._traces: list[Path] = []

        def ready(profiler: Any) -> None:
            if on_trace_ready is not None:
                on_trace_ready(self)
            else:
                self.export()

        plan = None
        if schedule is not None:
            actions = list(torch.profiler.ProfilerAction)
            plan = lambda step: actions[int(schedule(step))]  # noqa: E731
        self._engine = torch.profiler.profile(
            activities=_activities(activities),
            schedule=plan,
            on_trace_ready=ready,
            **options,
        )

    def start(self) -> None:
        """Begin to record."""
        if self._running:
            warning("The profiler is running already.")
            return
        self._running = True
        _quiet()
        self._engine.start()

    def stop(self) -> None:
        """End the recording and write what was recorded."""
        if not self._running:
            warning("The profiler is not running.")
            return
        self._running = False
        self._engine.stop()
        if _lost_device(self._engine):
            warning(
                "The GPU computed, but nothing of it could be recorded: the trace has the CPU's "
                "part alone. With KINETO_LOG_LEVEL=1 in the environment PyTorch's profiler says "
                "why; often the driver allows it to root only."
            )

    def step(self) -> None:
        """Say that a step of the program ended, for the schedule."""
        if not self._running:
            warning("The profiler is not running, so a step has no effect.")
            return
        try:
            with warnings.catch_warnings():
                # each turn of a schedule has a trace of its own, so nothing is lost
                warnings.filterwarnings("ignore", "Warning: Profiler clears events", UserWarning)
                self._engine.step()
        except BaseException:
            # on_trace_ready failed, after the engine ended the turn: to end it again would crash
            self._running = False
            raise

    def add_metadata(self, key: str, value: str) -> None:
        """Write a note into the trace."""
        if not isinstance(key, str) or not isinstance(value, str):
            warning("The key and value of metadata must be str, so they are left out.")
            return
        self._notes[key] = value

    def add_metadata_json(self, key: str, value: str) -> None:
        """Write a note that is JSON into the trace."""
        if not isinstance(key, str) or not isinstance(value, str):
            warning("The key and value of metadata must be str, so they are left out.")
            return
        try:
            self._notes[key] = json.loads(value)
        except ValueError:
            warning(f"The metadata of key {key!r} is not JSON, so it is left out.")

    def export(self) -> Path:
        """Write the trace, for chrome://tracing or Perfetto, and return its path."""
        self._folder.mkdir(parents=True, exist_ok=True)
        name = f"agar_{os.getpid()}_{time.time_ns()}.pt.trace.json"
        path = self._folder / name
        self._engine.export_chrome_trace(str(path))
        if self._notes:
            trace = json.loads(path.read_text(encoding="utf-8"))
            path.write_text(json.dumps({**self._notes, **trace}), encoding="utf-8")
        self._traces.append(path)
        return path

    def table(self, sort_by: str = "self_cpu_time_total", row_limit: int = 20) -> str:
        """What took the time, operator by operator, as a table of text.

        Args:
            sort_by (str): a column of ``torch.profiler``'s table, such as ``"cpu_time_total"``,
                ``"self_cpu_memory_usage"`` or ``"count"``. Default: ``"self_cpu_time_total"``.
            row_limit (int): the most rows. Default: ``20``.

        Raises:
            RuntimeError: nothing was recorded yet.
        """
        if self._engine.profiler is None or self._running:
            raise RuntimeError(
                f"'{type(self).__name__}.table' needs a recording that has ended; call it after "
                "stop() or analyse()."
            )
        return self._engine.key_averages().table(sort_by=sort_by, row_limit=row_limit)

    def __enter__(self) -> Any:
        if not self._running:
            self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._running:
            self.stop()


class Profile(_Recording):
    """Records a block of a program.

    Args:
        activities (list[ProfilerActivity]): what is recorded. Default: ``None``: CPU and device.
        with_stack (bool): whether lines of Python are noted. Default: ``False``.
        profile_memory (bool): whether memory is noted. Default: ``False``.
        data_process (bool): accepted. Default: ``False``.
        parallel_strategy (bool): accepted. Default: ``False``.
        start_profile (bool): whether the recording begins at once. Default: ``True``.
        hbm_ddr (bool): accepted. Default: ``False``.
        pcie (bool): accepted. Default: ``False``.
        sync_enable (bool): accepted. Default: ``True``.
        record_shapes (bool): whether shapes are noted. Default: ``False``.
        schedule (function): which steps are recorded, see `profiler.schedule`. Default: ``None``.
        on_trace_ready (function): called with this object when steps were recorded.
            Default: ``None``: the trace is written into ``data``.
        experimental_config (_ExperimentalConfig): accepted. Default: ``None``.

    Difference from PyTorch: ``torch.profiler.profile``, which makes the recording.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import tempfile
        >>> import agar as ms
        >>> folder = tempfile.mkdtemp()
        >>> ready = ms.profiler.tensorboard_trace_handler(folder)
        >>> with ms.profiler.profile(on_trace_ready=ready) as prof:
        ...     y = ms.ops.ones((2, 2)) + 1
        >>> len(os.listdir(folder))
        1
    """

    def __init__(
        self,
        activities: Iterable[ProfilerActivity] | None = None,
        with_stack: bool = False,
        profile_memory: bool = False,
        data_process: bool = False,
        parallel_strategy: bool = False,
        start_profile: bool = True,
        hbm_ddr: bool = False,
        pcie: bool = False,
        sync_enable: bool = True,
        record_shapes: bool = False,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[[Any], Any] | None = None,
        experimental_config: Any = None,
    ) -> None:
        options = {
            "with_stack": with_stack,
            "profile_memory": profile_memory,
            "record_shapes": record_shapes,
        }
        super().__init__(activities, schedule, on_trace_ready, "data", options)
        self._starts = start_profile

    def __enter__(self) -> Any:
        return super().__enter__() if self._starts else self


class Profiler(_Recording):
    """Records a program from here on; MindSpore 2.10 recommends `profiler.profile`.

    Args:
        kwargs (Any): ``output_path`` (the folder of traces, ``"data"`` by default),
            ``start_profile`` (whether to begin at once, True by default), ``activities``,
            ``schedule``, ``on_trace_ready``, ``profile_memory``, ``with_stack`` and
            ``record_shapes`` as for `profiler.profile`; the others of MindSpore are accepted.

    Difference from PyTorch: ``torch.profiler.profile``, which makes the recording.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import tempfile
        >>> import agar as ms
        >>> folder = tempfile.mkdtemp()
        >>> prof = ms.Profiler(output_path=folder)
        >>> y = ms.ops.ones((2, 2)) + 1
        >>> prof.analyse()
        >>> len(os.listdir(folder))
        1
    """

    def __init__(self, **kwargs: Any) -> None:
        names = ("with_stack", "profile_memory", "record_shapes")
        super().__init__(
            kwargs.get("activities"),
            kwargs.get("schedule"),
            kwargs.get("on_trace_ready"),
            kwargs.get("output_path", "data"),
            {name: bool(kwargs.get(name, False)) for name in names},
        )
        if kwargs.get("start_profile", True):
            self.start()

    def analyse(
        self,
        offline_path: str | None = None,
        pretty: bool = False,
        step_list: list[int] | None = None,
        mode: str = "sync",
        **kwargs: Any,
    ) -> None:
        """End the recording, if it still runs, and write its trace.

        Args:
            offline_path (str): accepted. Default: ``None``.
            pretty (bool): accepted. Default: ``False``.
            step_list (list[int]): accepted: the trace has all steps. Default: ``None``.
            mode (str): accepted. Default: ``"sync"``.
            kwargs (Any): accepted.
        """
        if self._running:
            self.stop()

    @classmethod
    def offline_analyse(
        cls,
        path: str,
        pretty: bool = False,
        step_list: list[int] | None = None,
        data_simplification: bool = True,
    ) -> None:
        """Raises an error: it works on the files of MindSpore's own profiler.

        Args:
            path (str): the folder of the recording; not used.
            pretty (bool): whether the files are indented; not used. Default: ``False``.
            step_list (list[int]): the steps; not used. Default: ``None``.
            data_simplification (bool): whether raw data is removed; not used. Default: ``True``.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError(
            "'Profiler.offline_analyse' is not available in agar: it reads files of MindSpore's "
            "profiler. The traces that agar writes open in chrome://tracing and Perfetto."
        )

    def op_analyse(self, op_name: str | list[str], device_id: int | None = None) -> str:
        """The time of operators, as JSON: count and microseconds by name.

        Args:
            op_name (Union[str, list[str]]): words in the engine's names of operators; ``"all"``.
            device_id (int): accepted. Default: ``None``.
        """
        words = [op_name] if isinstance(op_name, str) else list(op_name)
        rows = {}
        for event in self._engine.key_averages():
            name = event.key.lower().replace("_", "")
            if words == ["all"] or any(w.lower().replace("_", "") in name for w in words):
                rows[event.key] = {"count": event.count, "cpu_time": event.cpu_time_total}
        return json.dumps(rows)


def tensorboard_trace_handler(
    dir_name: str | None = None,
    worker_name: str | None = None,
    analyse_flag: bool = True,
    async_mode: bool = False,
) -> Callable[[Any], None]:
    """A function for `on_trace_ready` that writes the trace into a folder.

    Args:
        dir_name (str): the folder. Default: ``None``: ``data``.
        worker_name (str): accepted. Default: ``None``.
        analyse_flag (bool): whether to write. Default: ``True``.
        async_mode (bool): accepted. Default: ``False``.

    Difference from PyTorch: ``torch.profiler.tensorboard_trace_handler``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> handler = ms.profiler.tensorboard_trace_handler("folder")
    """

    def write(profiler: Any) -> None:
        if analyse_flag:
            if dir_name is not None:
                profiler._folder = Path(dir_name)
            profiler.export()

    return write
