"""Datasets of standard formats: comma-separated values, MindRecord and TFRecord."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from agar._core import absent as _absent
from agar._core.file_reading import MAX_EXPANSION, reading
from agar._core.tfrecord import example, records
from agar.dataset.engine._checks import Check, check_names
from agar.dataset.engine._line_files import LineFiles, find_files, text
from agar.dataset.engine._mind import MindDataset
from agar.dataset.engine._values import Row
from agar.dataset.engine.datasets import UnionBaseDataset
from agar.dataset.engine.samplers import Shuffle
from agar.dataset.engine.schema import Schema, numpy_type

__all__ = ["CSVDataset", "MindDataset", "TFRecordDataset"]

__getattr__ = _absent.finder(__name__, globals())


class CSVDataset(LineFiles, UnionBaseDataset):
    r"""The rows of files of comma-separated values.

    Args:
        dataset_files (Union[str, list[str]]): paths of files, or glob patterns.
        field_delim (str, optional): what stands between values. Default: ``','``.
        column_defaults (list, optional): a value of each column's type: int, float or str.
            Default: ``None``, all are strings.
        column_names (list[str], optional): the names of the columns.
            Default: ``None``, those in the first line.
        num_samples (int, optional): the maximum number of rows in an epoch. Default: ``None``.
        num_parallel_workers (int, optional): the number of files read in turns.
            Default: ``None``, ``config.get_num_parallel_workers()``.
        shuffle (Union[bool, Shuffle], optional): Shuffle.GLOBAL shuffles files and rows,
            Shuffle.FILES the files. Default: ``Shuffle.GLOBAL``.
        num_shards (int, optional): the number of shards for the rows. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the file does not exist, or an argument is out of range.
        RuntimeError: (while iterating) a line has another number of values, or one of another
            type.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import os, tempfile
        >>> import agar.dataset as ds
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "table.csv")
        ...     with open(path, "w") as file:
        ...         _ = file.write("x,name\n1,one\n")
        ...     data = ds.CSVDataset(path, column_defaults=[0, ""], shuffle=False)
        ...     [(int(x), str(name)) for x, name in data]
        [(1, 'one')]
    """

    _owner = "CSVDataset"

    def __init__(
        self,
        dataset_files: Any,
        field_delim: str = ",",
        column_defaults: list[Any] | None = None,
        column_names: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        check = Check(self._owner)
        files = sorted(find_files(self._owner, "dataset_files", dataset_files))
        check.kind("field_delim", field_delim, str)
        if len(field_delim) != 1 or field_delim in '"\r\n':
            check.wrong_value("field_delim", field_delim, "one character, no quote or line end")
        if column_defaults is not None:
            check.kind("column_defaults", column_defaults, list)
            for i, value in enumerate(column_defaults):
                check.kind(f"column_defaults[{i}]", value, str, int, float)
        self._given = None
        if column_names is not None:
            check.kind("column_names", column_names, list)
            self._given = check_names(self._owner, "column_names", column_names)
        self.dataset_files = files
        self.field_delim = field_delim
        self.column_defaults = column_defaults or []
        self.column_names = column_names
        super().__init__(
            files,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _lines(self, file: str) -> Iterator[list[str]]:
        with open(file, encoding="utf-8-sig", newline="") as stream:
            yield from csv.reader(stream, delimiter=self.field_delim)

    def _columns(self) -> list[str]:
        if self._given is None:
            with reading(self._owner, self._files[0]):
                names = next(self._lines(self._files[0]), [])
            if not names:
                raise RuntimeError(
                    f"For '{self._owner}', {self._files[0]} has no first line with the names of "
                    "the columns; give column_names."
                )
            self._given = names
        return self._given

    def _rows_of(self, file: str) -> Iterator[Row]:
        names = self._columns()
        kinds = [type(value) for value in self.column_defaults]
        kinds += [str] * (len(names) - len(kinds))
        for number, values in enumerate(self._lines(file), 1):
            if not values or (number == 1 and self.column_names is None):
                continue
            if len(values) != len(names):
                raise RuntimeError(
                    f"For '{self._owner}', line {number} of {file} has {len(values)} values, but "
                    f"there are {len(names)} columns: {names}."
                )
            try:
                yield tuple(map(_cast, values, kinds))
            except ValueError as error:
                raise RuntimeError(
                    f"For '{self._owner}', the type of a value in line {number} of {file} does not "
                    f"match column_defaults: {error}."
                ) from error


def _cast(value: str, kind: type) -> np.ndarray:
    if kind is str:
        return text(value)
    if kind is float:
        return np.array(float(value), np.float32)
    # an int column takes the whole part of a number
    return np.array(int(float(value)) if "." in value else int(value), np.int32)


def _unpacked(data: bytes, how: str) -> bytes:
    """Compressed bytes, unpacked; what grows beyond any sense is refused.

    Raises:
        ValueError: it is cut off, or holds too much.
    """
    limit = MAX_EXPANSION * len(data)
    if how == "GZIP":
        with gzip.open(io.BytesIO(data)) as stream:
            result = stream.read(limit + 1)
    else:
        engine = zlib.decompressobj()
        result = engine.decompress(data, limit + 1)
        if len(result) <= limit and (not engine.eof or engine.unused_data):
            raise ValueError("the compressed data are cut off, or something follows them")
    if len(result) > limit:
        raise ValueError(f"it holds more than {MAX_EXPANSION} times its size")
    return result


class TFRecordDataset(LineFiles, UnionBaseDataset):
    """The examples of TFRecord files.

    Args:
        dataset_files (Union[str, list[str]]): paths of files, or glob patterns.
        schema (Union[str, Schema], optional): the columns, or the file of them.
            Default: ``None``, all features in the order of their names, as arrays of one dimension.
        columns_list (list[str], optional): the columns that are read. Default: ``None``, all.
        num_samples (int, optional): the maximum number of rows in an epoch. Default: ``None``.
        num_parallel_workers (int, optional): the number of files read in turns.
            Default: ``None``, ``config.get_num_parallel_workers()``.
        shuffle (Union[bool, Shuffle], optional): Shuffle.GLOBAL shuffles files and rows,
            Shuffle.FILES the files. Default: ``Shuffle.GLOBAL``.
        num_shards (int, optional): the number of shards for the rows. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        shard_equal_rows (bool, optional): accepted: shards have as many rows. Default: ``False``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.
        compression_type (str, optional): ``''``, ``'GZIP'`` or ``'ZLIB'``. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the file does not exist, or an argument is out of range.
        RuntimeError: (while iterating) a file is no TFRecord file, or lacks a column.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.
    """

    _owner = "TFRecordDataset"

    def __init__(
        self,
        dataset_files: Any,
        schema: Any = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        shard_equal_rows: bool = False,
        cache: Any = None,
        compression_type: str | None = None,
    ) -> None:
        check = Check(self._owner)
        files = sorted(find_files(self._owner, "dataset_files", dataset_files))
        self.schema: Schema | None = None
        if schema is not None:
            check.kind("schema", schema, str, Schema)
            self.schema = schema if isinstance(schema, Schema) else Schema(schema)
        self.columns_list = (
            None if columns_list is None else check_names(self._owner, "columns_list", columns_list)
        )
        check.flag("shard_equal_rows", shard_equal_rows)
        self.shard_equal_rows = shard_equal_rows
        if compression_type is not None:
            check.choice("compression_type", compression_type, ("", "GZIP", "ZLIB"))
        self.compression_type = compression_type or ""
        self.dataset_files = files
        self._features: list[str] | None = None
        super().__init__(
            files,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _records(self, file: str) -> Iterator[bytes]:
        """The records of a file; each has its length and two checksums around it."""
        with open(file, "rb") as stream:
            data = stream.read()
        if self.compression_type:
            data = _unpacked(data, self.compression_type)
        yield from records(self._owner, file, data)

    def _columns(self) -> list[str]:
        if self.columns_list is not None:
            return self.columns_list
        if self.schema is not None:
            return [column["name"] for column in self.schema.columns]
        if self._features is None:
            with reading(self._owner, self._files[0]):
                first = next(self._records(self._files[0]), None)
                if first is None:
                    raise RuntimeError(f"For '{self._owner}', {self._files[0]} has no record.")
                self._features = sorted(example(first))
        return self._features

    def _rows_of(self, file: str) -> Iterator[Row]:
        names = self._columns()
        known = {c["name"]: c for c in self.schema.columns} if self.schema is not None else {}
        for number, record in enumerate(self._records(file)):
            try:
                features = example(record)
            except ValueError as error:
                raise RuntimeError(
                    f"For '{self._owner}', record {number} of {file} is no tf.train.Example: "
                    f"{error!r}."
                ) from error
            missing = [name for name in names if name not in features]
            if missing:
                raise RuntimeError(
                    f"For '{self._owner}', record {number} of {file} has no features {missing}; it "
                    f"has {sorted(features)}."
                )
            yield tuple([self._value(known.get(name), *features[name]) for name in names])

    def _value(self, column: dict[str, Any] | None, kind: int, values: list[Any]) -> np.ndarray:
        natural = {1: np.dtype("S"), 2: np.dtype("f4"), 3: np.dtype("i8")}[kind]
        expected = natural if column is None else numpy_type(column["type"])
        if kind == 1:
            if expected.kind in "US":
                result = np.array([v.decode("utf-8") for v in values])
            else:  # bytes as numbers, such as an image's
                result = np.frombuffer(b"".join(values), expected).copy()
        else:
            result = np.array(values, expected)
        if column is None or "shape" not in column:
            return result
        try:
            return result.reshape(column["shape"])
        except ValueError as error:
            raise RuntimeError(
                f"For '{self._owner}', the feature '{column['name']}' has {result.size} elements, "
                f"which do not fill the shape {column['shape']} of the schema."
            ) from error
