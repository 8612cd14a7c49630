"""A cache of rows, at the path of the client of MindSpore's cache server.

MindSpore keeps rows in a server, which pipelines of several processes share. Here a cache is part
of the program: the rows of a dataset are read once, kept in memory or in a temporary file, and
given again in later epochs and by other iterators of that dataset.
"""

from __future__ import annotations

import tempfile
import threading
import weakref
from typing import Any, NamedTuple

import numpy as np

from agar._core.errors import describe, missing_feature
from agar.dataset.engine._values import Row, copied

__all__ = ["CacheStat", "DatasetCache", "KeptRows", "check_cache"]

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
        CacheStat(avg_cache_sz=8, num_mem_cached=1, num_disk_cached=0)
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
        self._kept: weakref.WeakSet[KeptRows] = weakref.WeakSet()

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
            held = [entry for rows in self._kept for entry in rows.entries()]
        total = sum(entry.nbytes for entry in held)
        spilled = sum(entry.row is None for entry in held)
        average = round(total / len(held)) if held else 0
        return CacheStat(average, len(held) - spilled, spilled)

    def _fits(self, nbytes: int) -> bool:
        """Whether so many bytes more may be kept in memory; the lock is held."""
        if not self.size:
            return True
        return sum(rows.used for rows in self._kept) + nbytes <= self.size * _MEGABYTE


def _check_number(name: str, value: Any, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"For 'DatasetCache', '{name}' must be an int, but got {describe(value)}.")
    if not least <= value <= most:
        raise ValueError(
            f"For 'DatasetCache', '{name}' must be within [{least}, {most}], but got {value}."
        )


def check_cache(owner: str, cache: Any) -> Any:
    """A cache, or None.

    Raises:
        TypeError: it is something else.
    """
    if cache is not None and not isinstance(cache, DatasetCache):
        raise TypeError(
            f"For '{owner}', 'cache' must be a dataset.DatasetCache or None, but got "
            f"{describe(cache)}."
        )
    return cache


class _Entry(NamedTuple):
    """A row that is kept: in memory, or where its arrays lie in the file."""

    row: Row | None
    places: tuple[tuple[int, np.dtype[Any], tuple[int, ...]], ...]
    nbytes: int


def _bytes_of(row: Row) -> int | None:
    """How large a row is; None for a row with dicts or objects, whose size is not known."""
    if all(type(value) is np.ndarray and not value.dtype.hasobject for value in row):
        return sum(value.nbytes for value in row)
    return None


class KeptRows:
    """The rows of one dataset in a cache, by the index of the sample or the place in the files.

    Args:
        cache (DatasetCache): the cache.
    """

    def __init__(self, cache: DatasetCache) -> None:
        self._cache = cache
        self._rows: dict[int, _Entry] = {}
        self._file: Any = None
        self._end = 0
        #: the bytes of the rows in memory
        self.used = 0
        #: whether all rows of a source that is read in order are kept
        self.whole = False
        cache._kept.add(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> KeptRows:
        return self  # a copy of the dataset has the same rows

    def __reduce__(self) -> Any:
        return KeptRows, (self._cache,)

    def __len__(self) -> int:
        return len(self._rows)

    def entries(self) -> list[_Entry]:
        """What is kept."""
        return list(self._rows.values())

    def get(self, key: int) -> Row | None:
        """A row that is kept, else None."""
        entry = self._rows.get(key)
        if entry is None:
            return None
        if entry.row is not None:
            return tuple(map(copied, entry.row))
        with self._cache._lock:
            return tuple(self._load(*place) for place in entry.places)

    def _load(self, start: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> np.ndarray:
        result = np.empty(shape, dtype)
        self._file.seek(start)
        content = self._file.read(result.nbytes)
        return np.frombuffer(content, dtype).reshape(shape).copy() if content else result

    def put(self, key: int, row: Row) -> bool:
        """Keep a row, if there is room for it; whether there was."""
        if key in self._rows:
            return True
        size = _bytes_of(row)
        with self._cache._lock:
            if size is None or self._cache._fits(size):
                self._rows[key] = _Entry(tuple(map(copied, row)), (), size or 0)
                self.used += size or 0
            elif self._cache.spilling:
                self._rows[key] = _Entry(None, tuple(map(self._spill, row)), size)
            else:
                return False
        return True

    def _spill(self, value: np.ndarray) -> tuple[int, np.dtype[Any], tuple[int, ...]]:
        if self._file is None:
            # open for as long as the rows are kept; the system removes it with its last user
            self._file = tempfile.TemporaryFile(prefix="agar-cache-")  # noqa: SIM115
            weakref.finalize(self, self._file.close)
        start = self._end
        self._file.seek(start)
        self._file.write(value.tobytes())
        self._end += value.nbytes
        return start, value.dtype, value.shape
