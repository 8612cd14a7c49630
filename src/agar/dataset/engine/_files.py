"""Datasets of files whose samples can be read in any order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from agar._core.file_reading import reading as reading_file
from agar.dataset.engine._checks import check_source
from agar.dataset.engine._flow import Flow, Run, processes, reading
from agar.dataset.engine._values import Row
from agar.dataset.engine.datasets import MappableDataset

__all__ = ["FileDataset", "decoded", "file_bytes", "image_of", "listed_files"]


def file_bytes(path: str) -> np.ndarray:
    """The bytes of a file as an array.

    Raises:
        RuntimeError: the file does not exist, or it cannot be read.
    """
    try:
        return np.fromfile(path, np.uint8)
    except (OSError, ValueError) as error:  # a name with a null byte is a ValueError
        raise RuntimeError(f"The file {path!r} cannot be read: {error}.") from error


def decoded(data: np.ndarray, path: str) -> np.ndarray:
    """The RGB image of a file's bytes.

    Raises:
        RuntimeError: it is not an image.
    """
    from agar.dataset.vision.transforms import Decode

    try:
        return Decode()(data)
    except RuntimeError as error:
        raise RuntimeError(f"The file {path} cannot be decoded as an image: {error}") from error


def image_of(path: str, decode: bool) -> np.ndarray:
    """An image of a file, or the bytes of the file."""
    data = file_bytes(path)
    return decoded(data, path) if decode else data


def listed_files(folder: str, extensions: Any = None) -> list[str]:
    """The paths of a folder's files, sorted, of the given extensions."""
    names = sorted(os.listdir(folder))
    if extensions:
        expected = tuple(extension.lower() for extension in extensions)
        names = [name for name in names if name.lower().endswith(expected)]
    return [os.path.join(folder, name) for name in names]


def _next(orders: Iterator[Any]) -> None:
    next(orders)


class FileDataset(MappableDataset):
    """Base of datasets of files; a subclass lists records and reads them.

    What it reads depends on files alone, so that it may be read in any process.
    """

    _owner = ""
    _names: ClassVar[list[str]]

    def __init__(
        self,
        *,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        check_source(
            self._owner,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )
        super().__init__(
            num_parallel_workers, sampler, num_samples, shuffle, num_shards, shard_id, cache
        )
        self._scanned: list[Any] | None = None

    def _scan(self) -> list[Any]:
        """What is known of each sample before it is read."""
        raise NotImplementedError(f"'{type(self).__name__}' must list its samples.")

    def _read(self, record: Any) -> Row:
        """The row of a sample."""
        raise NotImplementedError(f"'{type(self).__name__}' must read its samples.")

    def _label(self, record: Any) -> int | None:
        """The class of a sample, if it has one."""
        return None

    def _records(self) -> list[Any]:
        if self._scanned is None:
            with reading_file(self._owner, self._place()):
                self._scanned = self._scan()
        return self._scanned

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_scanned": None}

    def _columns(self) -> list[str]:
        return self._names

    def _length(self) -> int:
        return len(self._records())

    def _labels(self) -> Callable[[], Any] | None:
        records = self._records()
        if not len(records) or self._label(records[0]) is None:
            return None
        return lambda: [self._label(record) for record in self._records()]

    def _flow(self, run: Run) -> Flow:
        records = self._records()
        if not len(records):
            raise RuntimeError(
                f"For '{self._owner}', no sample was found{self._where()}; check the path and the "
                "layout of the files."
            )
        orders = self._orders(run)
        decodes = bool(getattr(self, "decode", False))
        return Flow(
            run,
            lambda: iter(next(orders)),
            _ReadRecord(self._owner, self._place(), records, self._read),
            advance=lambda: _next(orders),
            # only decoding costs more than the way between processes
            workers=processes(self.num_parallel_workers or 1) if decodes else 0,
            pure=True,
            fresh=True,
            count=self.get_dataset_size(),
        )

    def _place(self) -> str:
        """The file or folder that the program has named."""
        for name in ("annotation_file", "dataset_file", "dataset_dir"):
            if hasattr(self, name):
                return os.fspath(getattr(self, name))
        return ""

    def _where(self) -> str:
        place = self._place()
        return f" in {place}" if place else ""


class _ReadRecord:
    """Work that reads a sample of files."""

    def __init__(self, owner: str, place: str, records: Any, read: Callable[[Any], Row]) -> None:
        self.owner = owner
        self.place = place
        self.records = records
        self.read = read

    def __call__(self, index: int) -> Row:
        reading.sample = index
        try:
            with reading_file(self.owner, self.place):
                return self.read(self.records[index])
        except RuntimeError as error:
            result = RuntimeError(f"For '{self.owner}', sample {index} cannot be read: {error}")
            result._agar_named = True  # type: ignore[attr-defined]
            raise result from error
