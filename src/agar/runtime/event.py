"""Events: points in the work of a stream, to be waited for or to measure time between."""

from __future__ import annotations

import time
from typing import Any

# events are the engine's
import torch

from agar._core.context import torch_device

__all__ = ["Event"]


class Event:
    """A point in the work of a stream.

    Args:
        enable_timing (bool): whether the time is noted when it is reached. Default: ``False``.
        blocking (bool): whether the process sleeps while it waits. Default: ``False``.

    Raises:
        TypeError: an argument is not a bool.

    Difference from PyTorch: ``torch.cuda.Event``; on the CPU an event is reached when it is
    recorded.

    Source: behavior observed in MindSpore 2.10, which measures no time on the CPU.

    Examples:
        >>> import agar as ms
        >>> start, end = ms.runtime.Event(enable_timing=True), ms.runtime.Event(enable_timing=True)
        >>> start.record()
        >>> y = ms.ops.ones((8, 8)) + 1
        >>> end.record()
        >>> end.synchronize()
        >>> start.elapsed_time(end) >= 0
        True
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False) -> None:
        for name, value in (("enable_timing", enable_timing), ("blocking", blocking)):
            if not isinstance(value, bool):
                raise TypeError(
                    f"For 'Event', the '{name}' must be a bool, but got {type(value).__name__}."
                )
        self._timing = enable_timing
        self._blocking = blocking
        self._time: float | None = None
        self._engine = None
        if torch_device().type == "cuda":
            self._engine = torch.cuda.Event(enable_timing=enable_timing, blocking=blocking)

    def record(self, stream: Any = None) -> None:
        """Put the event at the present end of a stream, by default of the current one.

        Args:
            stream (Stream): the stream. Default: ``None``, the current one.
        """
        if self._engine is not None:
            self._engine.record(_engine_of(stream, "record"))
        else:
            _engine_of(stream, "record")
            self._time = time.perf_counter()

    def wait(self, stream: Any = None) -> None:
        """Let all later work of a stream, by default the current one, wait for the event.

        Args:
            stream (Stream): the stream. Default: ``None``, the current one.
        """
        engine = _engine_of(stream, "wait")
        if self._engine is not None:
            self._engine.wait(engine)

    def synchronize(self) -> None:
        """Wait until the event is reached."""
        if self._engine is not None:
            self._engine.synchronize()

    def query(self) -> bool:
        """Whether the event is reached."""
        return self._engine is None or self._engine.query()

    def elapsed_time(self, end_event: Event) -> float:
        """The milliseconds from this event to another; 0 on the CPU without `enable_timing`.

        Args:
            end_event (Event): the later event.

        Raises:
            TypeError: `end_event` is not an Event.
            RuntimeError: on a GPU, one of them was made without timing or is not recorded.
        """
        if not isinstance(end_event, Event):
            raise TypeError(
                "For 'elapsed_time', the argument 'end_event' should be Event, but got "
                f"{type(end_event)}."
            )
        if self._engine is not None and end_event._engine is not None:
            return self._engine.elapsed_time(end_event._engine)
        if (
            not (self._timing and end_event._timing)
            or self._time is None
            or end_event._time is None
        ):
            return 0.0
        return (end_event._time - self._time) * 1e3

    def __repr__(self) -> str:
        return (
            f"Event(enable_timing={int(self._timing)}, blocking:{int(self._blocking)}, "
            f"is_created:1)"
        )


def _engine_of(stream: Any, owner: str) -> Any:
    if stream is not None and not hasattr(stream, "_engine"):
        raise TypeError(
            f"For '{owner}', the argument 'stream' should be Stream, but got {type(stream)}."
        )
    return None if stream is None else stream._engine
