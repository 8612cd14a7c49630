"""Limits to the cores of an Ascend chip; elsewhere they are held and have no effect."""

from __future__ import annotations

from typing import Any

from agar.runtime.stream import Stream

__all__ = [
    "StreamLimitCtx",
    "get_device_limit",
    "get_stream_limit",
    "reset_stream_limit",
    "set_device_limit",
    "set_stream_limit",
]

_NONE = (-1, -1)
_devices: dict[int, tuple[int, int]] = {}
_streams: dict[Stream, tuple[int, int]] = {}


def _stream(owner: str, stream: Any) -> Stream:
    if not isinstance(stream, Stream):
        raise TypeError(
            f"For '{owner}', the argument 'stream' should be Stream, but got {type(stream)}."
        )
    return stream


def _shown(limit: tuple[int, int]) -> dict[str, int]:
    return {"cube_core_num": limit[0], "vector_core_num": limit[1]}


def get_device_limit(device: int) -> dict[str, int]:
    """The limits that :func:`set_device_limit` gave a device; -1 where there is none.

    Args:
        device (int): the number of the device.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.get_device_limit(0)
        {'cube_core_num': -1, 'vector_core_num': -1}
    """
    return _shown(_devices.get(device, _NONE))


def set_device_limit(device: int, cube_num: int = -1, vector_num: int = -1) -> None:
    """Hold limits for a device. They are those of an Ascend chip and change nothing elsewhere.

    Args:
        device (int): the device's number.
        cube_num (int): cores for matrices. Default: ``-1``: all.
        vector_num (int): cores for vectors. Default: ``-1``: all.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.set_device_limit(1, 8, 8)
        >>> ms.runtime.get_device_limit(1)
        {'cube_core_num': 8, 'vector_core_num': 8}
    """
    _devices[device] = (cube_num, vector_num)


def get_stream_limit(stream: Stream) -> dict[str, int]:
    """The limits that :func:`set_stream_limit` gave a stream; -1 where there is none.

    Args:
        stream (Stream): the stream.

    Raises:
        TypeError: `stream` is not a Stream.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.get_stream_limit(ms.runtime.default_stream())
        {'cube_core_num': -1, 'vector_core_num': -1}
    """
    return _shown(_streams.get(_stream("get_stream_limit", stream), _NONE))


def set_stream_limit(stream: Stream, cube_num: int = -1, vector_num: int = -1) -> None:
    """Hold limits for a stream. They are those of an Ascend chip and change nothing elsewhere.

    Args:
        stream (Stream): the stream.
        cube_num (int): cores for matrices. Default: ``-1``: all.
        vector_num (int): cores for vectors. Default: ``-1``: all.

    Raises:
        TypeError: `stream` is not a Stream.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> stream = ms.runtime.Stream()
        >>> ms.runtime.set_stream_limit(stream, 8, 8)
        >>> ms.runtime.get_stream_limit(stream)
        {'cube_core_num': 8, 'vector_core_num': 8}
    """
    _streams[_stream("set_stream_limit", stream)] = (cube_num, vector_num)


def reset_stream_limit(stream: Stream) -> None:
    """Forget the limits of a stream.

    Args:
        stream (Stream): the stream.

    Raises:
        TypeError: `stream` is not a Stream.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.reset_stream_limit(ms.runtime.default_stream())
    """
    _streams.pop(_stream("reset_stream_limit", stream), None)


class StreamLimitCtx:
    """Hold limits for a stream in a ``with`` block.

    Args:
        stream (Stream): the stream.
        cube_num (int): cores for matrices. Default: ``-1``: all.
        vector_num (int): cores for vectors. Default: ``-1``: all.

    Raises:
        TypeError: `stream` is not a Stream.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> stream = ms.runtime.Stream()
        >>> with ms.runtime.StreamLimitCtx(stream, 8, 8):
        ...     print(ms.runtime.get_stream_limit(stream)["cube_core_num"])
        8
    """

    def __init__(self, stream: Stream, cube_num: int = -1, vector_num: int = -1) -> None:
        self.stream = _stream("StreamLimitCtx", stream)
        self.cube_num, self.vector_num = cube_num, vector_num
        self._before: tuple[int, int] = _NONE

    def __enter__(self) -> None:
        self._before = _streams.get(self.stream, _NONE)
        set_stream_limit(self.stream, self.cube_num, self.vector_num)

    def __exit__(self, *error: Any) -> None:
        set_stream_limit(self.stream, *self._before)
