"""Streams: queues of work on a device. The CPU has one, in which all is done at once."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

# streams are the engine's
import torch

from agar._core.context import device_name, torch_device
from agar.runtime.event import Event

__all__ = [
    "Stream",
    "StreamCtx",
    "communication_stream",
    "current_stream",
    "default_stream",
    "set_cur_stream",
    "synchronize",
]


class Stream:
    """A queue of work on the current device.

    Work put into one stream is done in order; between streams events give the order. On the CPU
    everything is done when it is asked for, and all streams are one.

    Args:
        priority (int): -1 for a stream that is served first, 0 for others. Default: ``0``.
        **kwargs: `stream_id` (int) and `engine`, for the streams that the runtime itself makes.

    Raises:
        TypeError: `priority` is not an int.

    Difference from PyTorch: ``torch.cuda.Stream``; a stream can be made on the CPU too.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> stream = ms.runtime.Stream()
        >>> with ms.runtime.StreamCtx(stream):
        ...     y = ms.ops.ones((2, 2)) + 1
        >>> stream.synchronize()
        >>> stream.query()
        True
    """

    _count = 0

    def __init__(self, priority: int = 0, **kwargs: Any) -> None:
        if not isinstance(priority, int) or isinstance(priority, bool):
            raise TypeError(
                f"For 'Stream', the 'priority' must be an int, but got {type(priority).__name__}."
            )
        engine, name = kwargs.get("engine"), kwargs.get("stream_id")
        device = torch_device()
        if engine is None and device.type == "cuda":
            engine = torch.cuda.Stream(device, priority=priority)
        if name is None:
            name = 0
            if engine is not None:
                Stream._count += 1
                name = Stream._count
        self._engine = engine
        self._id = name
        self._device = device

    @property
    def id(self) -> int:
        """The number of the stream on its device; 0 is the default stream."""
        return self._id

    def stream_id(self) -> int:
        """The number of the stream on its device."""
        return self._id

    @property
    def device_name(self) -> str:
        """The device's name, such as ``"GPU"``."""
        return device_name(torch.device(self._device.type))

    @property
    def device_id(self) -> int:
        """The device's number."""
        return self._device.index or 0

    def record_event(self, event: Event | None = None) -> Event:
        """Put an event at the present end of the stream; a new one if none is given. Returns it.

        Args:
            event (Event): the event. Default: ``None``, a new one.

        Raises:
            TypeError: `event` is not an Event.
        """
        noted: Event = Event() if event is None else event
        _checked(noted, Event, "record_event", "event").record(self)
        return noted

    def wait_event(self, event: Event) -> None:
        """Let all later work of this stream wait for the event.

        Args:
            event (Event): the event.

        Raises:
            TypeError: `event` is not an Event.
        """
        _checked(event, Event, "wait_event", "event").wait(self)

    def wait_stream(self, stream: Stream) -> None:
        """Let all later work of this stream wait for the present work of another.

        Args:
            stream (Stream): the other stream.

        Raises:
            TypeError: `stream` is not a Stream.
        """
        self.wait_event(_checked(stream, Stream, "wait_stream", "stream").record_event())

    def synchronize(self) -> None:
        """Wait until all work of the stream is done."""
        if self._engine is not None:
            self._engine.synchronize()

    def query(self) -> bool:
        """Whether all work of the stream is done."""
        return self._engine is None or self._engine.query()

    def __eq__(self, other: object) -> bool:
        them: Stream = _checked(other, Stream, "__eq__", "other")
        if self._engine is not None or them._engine is not None:
            return self._engine == them._engine
        return (self._device, self._id) == (them._device, them._id)

    def __hash__(self) -> int:
        return hash((self._device, self._id))

    def __repr__(self) -> str:
        return (
            f"Stream(device_name={self.device_name}, device_id:{self.device_id}, "
            f"stream id:{self._id})"
        )


def _checked(value: Any, kind: type, owner: str, name: str) -> Any:
    if not isinstance(value, kind):
        raise TypeError(
            f"For '{owner}', the argument '{name}' should be {kind.__name__}, but got "
            f"{type(value)}."
        )
    return value


_current: Stream | None = None


def default_stream() -> Stream:
    """The stream in which a device works when no other was chosen.

    Difference from PyTorch: ``torch.cuda.default_stream()``; there is one on the CPU too.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.default_stream() == ms.runtime.current_stream()
        True
    """
    device = torch_device()
    engine = torch.cuda.default_stream(device) if device.type == "cuda" else None
    return Stream(engine=engine, stream_id=0)


def communication_stream() -> Stream:
    """The stream of collective operations: the default one, as the engine chooses its own.

    Difference from PyTorch: no counterpart, torch.distributed makes streams of its own.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.communication_stream().query()
        True
    """
    return default_stream()


def current_stream() -> Stream:
    """The stream into which work is put now.

    Difference from PyTorch: ``torch.cuda.current_stream()``; there is one on the CPU too.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.current_stream().device_name
        'CPU'
    """
    device = torch_device()
    if device.type != "cuda":
        stands = _current is not None and _current._device == device
        return _current if stands else default_stream()  # type: ignore[return-value]
    engine = torch.cuda.current_stream(device)
    if _current is not None and _current._engine == engine:
        return _current
    return Stream(engine=engine, stream_id=0)


def set_cur_stream(stream: Stream | None) -> None:
    """Put work into this stream from now on.

    Args:
        stream (Stream): the stream; None changes nothing.

    Raises:
        TypeError: `stream` is not a Stream.

    Difference from PyTorch: ``torch.cuda.set_stream``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> stream = ms.runtime.Stream()
        >>> ms.runtime.set_cur_stream(stream)
        >>> ms.runtime.current_stream() == stream
        True
        >>> ms.runtime.set_cur_stream(ms.runtime.default_stream())
    """
    global _current
    if stream is None:
        return
    _checked(stream, Stream, "set_cur_stream", "stream")
    if stream._engine is not None:
        torch.cuda.set_stream(stream._engine)
    _current = stream


class StreamCtx(AbstractContextManager):
    """Put the work of a ``with`` block into a stream.

    Args:
        ctx_stream (Stream): the stream; None changes nothing.

    Raises:
        TypeError: `ctx_stream` is not a Stream.

    Difference from PyTorch: ``torch.cuda.stream``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> with ms.runtime.StreamCtx(ms.runtime.Stream()):
        ...     y = ms.ops.ones((2,)) + 1
        >>> print(y)
        [2. 2.]
    """

    def __init__(self, ctx_stream: Stream | None) -> None:
        if ctx_stream is not None:
            _checked(ctx_stream, Stream, "StreamCtx", "ctx_stream")
        self.stream = ctx_stream
        self.prev_stream: Stream | None = None

    def __enter__(self) -> None:
        if self.stream is not None:
            self.prev_stream = current_stream()
            set_cur_stream(self.stream)

    def __exit__(self, *error: Any) -> None:
        if self.stream is not None:
            set_cur_stream(self.prev_stream)


def synchronize() -> None:
    """Wait until all work of the current device is done.

    Difference from PyTorch: ``torch.cuda.synchronize()``; does nothing on the CPU.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.synchronize()
    """
    device = torch_device()
    if device.type != "cpu":
        getattr(torch, device.type).synchronize()
