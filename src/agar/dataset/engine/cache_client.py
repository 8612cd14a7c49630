"""A cache of rows, at the path of the client of MindSpore's cache server.

MindSpore keeps rows in a server, which pipelines of several processes share. Here a cache is part
of the program: the rows of a dataset are read once, kept in memory or in a temporary file, and
given again in later epochs and by other iterators of that dataset.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any, NamedTuple

from agar._core.errors import describe, missing_feature

__all__ = ["CacheStat", "DatasetCache"]

_MEGABYTE = 1 << 20
_LARGEST = {"session_id": 2**32 - 1, "size": 2**64 - 1}
_HERE = ("127.0.0.1", "localhost", "::1")


class CacheStat(NamedTuple):
    """What a cache holds.

    Attributes:
        avg_cache_sz (int): the bytes of a row, on average.
        num_mem_cached (int): how many rows are in memory.
        num_disk_cached (int): how many are in a file.
    """

    avg_cache_sz: int
    num_mem_cached: int
    num_disk_cached: int


class DatasetCache:
    """A cache of rows, for the argument `cache` of sources and of :meth:`Dataset.map`.

    The rows of the dataset that gets it, in a `map` with its operations done, are read once. Memory
    is that of this process: other processes have caches of their own, and what is cached is read by
    this process, whatever the number of workers.

    Args:
        session_id (int): a positive number, for the program's own use.
        size (int, optional): the megabytes that the rows may take; 0 for any. Rows beyond that are
            read again each time, or with `spilling` kept in a temporary file. Default: ``0``.
        spilling (bool, optional): whether rows beyond `size` are kept in a file.
            Default: ``False``.
        hostname (str, optional): must be this machine. Default: ``None``.
        port (int, optional): accepted, in [1025, 65535]: there is no server. Default: ``None``.
        num_connections (int, optional): accepted. Default: ``None``.
        prefetch_size (int, optional): accepted. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range.
        NotImplementedError: `hostname` is another machine.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10, without a server.

    Examples:
        >>> import agar as ms
        >>> def gray(image):
        ...     print("reading")
        ...     return image
        >>> cache = ms.dataset.DatasetCache(session_id=1)
        >>> data = ms.dataset.NumpySlicesDataset([[1.0, 2.0]], ["image"], shuffle=False)
        >>> data = data.map(gray, cache=cache)
        >>> for _ in range(2):
        ...     for row in data.create_tuple_iterator(num_epochs=1):
        ...         print(row[0])
        reading
        [1. 2.]
        [1. 2.]
        >>> cache.get_stat()
        CacheStat(avg_cache_sz=16, num_mem_cached=1, num_disk_cached=0)
    """

    def __init__(
        self,
        session_id: int,
        size: int = 0,
        spilling: bool = False,
        hostname: str | None = None,
        port: int | None = None,
        num_connections: int | None = None,
        prefetch_size: int | None = None,
    ) -> None:
        _check_number("session_id", session_id, 1, _LARGEST["session_id"])
        _check_number("size", size, 0, _LARGEST["size"])
        if not isinstance(spilling, bool):
            raise TypeError(f"For 'DatasetCache', 'spilling' must be a bool, got {spilling!r}.")
        if hostname is not None and not isinstance(hostname, str):
            raise TypeError(f"For 'DatasetCache', 'hostname' must be a str, got {hostname!r}.")
        if hostname is not None and hostname not in _HERE:
            raise missing_feature(
                f"'dataset.DatasetCache' on {hostname}",
                "a cache is part of the program, and there is no server",
                "leave out 'hostname'; each process keeps the rows that it reads",
            )
        for name, value, least, most in (
            ("port", port, 1025, 65535),
            ("num_connections", num_connections, 1, 2**31 - 1),
            ("prefetch_size", prefetch_size, 1, 2**31 - 1),
        ):
            if value is not None:
                _check_number(name, value, least, most)
        self.session_id = session_id
        self.size = size
        self.spilling = spilling
        self.hostname = hostname
        self.port = port
        self.num_connections = num_connections
        self.prefetch_size = prefetch_size
        self._lock = threading.Lock()
        #: the rows of each dataset; they end with it
        self._stores: weakref.WeakSet[Any] = weakref.WeakSet()

    def __deepcopy__(self, memo: dict[int, Any]) -> DatasetCache:
        return self  # as MindSpore's copies share the server

    def __reduce__(self) -> Any:
        # another process has a cache of its own
        return DatasetCache, (self.session_id, self.size, self.spilling, self.hostname, self.port)

    def get_stat(self) -> CacheStat:
        """What the cache holds now.

        Returns:
            CacheStat, with ``avg_cache_sz``, ``num_mem_cached`` and ``num_disk_cached``.
        """
        with self._lock:
            held = [entry for store in self._stores for entry in store.entries()]
        total = sum(entry.nbytes for entry in held)
        spilled = sum(entry.row is None for entry in held)
        average = round(total / len(held)) if held else 0
        return CacheStat(average, len(held) - spilled, spilled)

    def _fits(self, nbytes: int) -> bool:
        """Whether so many bytes more may be kept in memory; the lock is held."""
        if not self.size:
            return True
        return sum(store.used for store in self._stores) + nbytes <= self.size * _MEGABYTE


def _check_number(name: str, value: Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"For 'DatasetCache', '{name}' must be an int, but got {describe(value)}.")
    if not least <= value <= most:
        raise ValueError(
            f"For 'DatasetCache', '{name}' must be within [{least}, {most}], but got {value}."
        )
