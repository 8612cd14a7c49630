"""FileReader: rows of MindRecord files."""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from agar._core.file_reading import reading
from agar.mindrecord._encryption import PlainFiles
from agar.mindrecord._format import (
    Header,
    check_places,
    decode_row,
    halves,
    index_rows,
    read_header,
)
from agar.mindrecord.common.exceptions import ParamTypeError, ParamValueError
from agar.mindrecord.core.shardutils import check_filename

__all__ = ["FileReader"]

_LENGTH = struct.Struct("<Q")


class Records:
    """The rows of MindRecord files by number; opened where they are used, also in other processes.

    Args:
        files (Union[str, list[str]]): one of the files of a set, all of which are read; or a list
            of files, of which those alone are read.
        columns (list[str]): the fields that rows have. Default: ``None``, all.

    Raises:
        RuntimeError: a file is missing, or the files do not belong together.
        ValueError: a file is damaged.

    Examples:
        >>> import os, tempfile
        >>> from agar.mindrecord import FileWriter
        >>> from agar.mindrecord.filereader import Records
        >>> file = os.path.join(tempfile.mkdtemp(), "a.mindrecord")
        >>> writer = FileWriter(file)
        >>> writer.add_schema({"label": {"type": "int32"}})
        >>> writer.write_raw_data([{"label": 3}, {"label": 4}])
        >>> writer.commit()
        >>> Records(file)[1]
        {'label': 4}
    """

    def __init__(self, files: str | Sequence[str], columns: Sequence[str] | None = None) -> None:
        paths = [files] if isinstance(files, str) else list(files)
        for path in paths:
            if not os.path.exists(path):
                raise RuntimeError(f"The MindRecord file {path} does not exist.")
        plain = self._plain = PlainFiles()
        headers = [read_header(plain(path)) for path in paths]
        if isinstance(files, str):
            folder = os.path.dirname(files)
            paths = [os.path.join(folder, name) for name in headers[0].addresses]
            lost = [path for path in paths if not os.path.exists(path)]
            if len(paths) == 1:  # a set of one may have another name now
                paths, lost = [files], []
            if lost:
                raise RuntimeError(
                    f"{files} is one of {len(paths)} files that were written together, and these "
                    f"are missing: {lost}. Give a list of files to read those alone."
                )
            headers = [read_header(plain(path)) for path in paths]
        if any(h.schema != headers[0].schema for h in headers):
            raise RuntimeError(f"The MindRecord files {paths} have different schemas.")
        unknown = [name for name in columns or () if name not in headers[0].schema]
        if unknown:
            raise RuntimeError(
                f"The MindRecord file {paths[0]} has no field {unknown}; it has "
                f"{sorted(headers[0].schema)}."
            )
        self.paths = paths
        self.headers = headers
        self.columns = list(columns) if columns else None
        self._places = [_places(plain(p), h) for p, h in zip(paths, headers, strict=True)]
        self._ends = np.cumsum([len(p) for p in self._places])
        self._maps: dict[int, tuple[int, mmap.mmap]] = {}

    @property
    def schema(self) -> dict[str, Any]:
        """The fields."""
        return self.headers[0].schema

    def __len__(self) -> int:
        return int(self._ends[-1])

    def __getitem__(self, index: int) -> dict[str, Any]:
        if not 0 <= index < len(self):
            raise IndexError(f"row {index} of {len(self)}")
        file = int(np.searchsorted(self._ends, index, "right"))
        row = index - (int(self._ends[file - 1]) if file else 0)
        return self._row(file, self._places[file][row])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for file, places in enumerate(self._places):
            for place in places:
                yield self._row(file, place)

    def _row(self, file: int, place: np.ndarray) -> dict[str, Any]:
        header, data = self.headers[file], self._data(file)
        number, raw_page, raw_at, raw_end, _, page, at, end = place.tolist()
        raw_base = header.header_size + raw_page * header.page_size
        base = header.header_size + page * header.page_size
        try:
            raw = data[raw_base + raw_at : raw_base + raw_end]
            blob = data[base + at : base + end]
            # the index and the file must tell the same
            if _LENGTH.unpack_from(raw)[0] != len(raw) - 8:
                raise ValueError("the first half has another length than the index says")
            if _LENGTH.unpack_from(blob)[0] != len(blob) - 8:
                raise ValueError("the second half has another length than the index says")
            row = decode_row(header.schema, header.blob_fields, raw[8:], blob[8:])
        except Exception as error:  # whatever decoding of damaged bytes raises
            raise ValueError(
                f"The MindRecord file {self.paths[file]} is damaged in row {number}: {error}. "
                "Restore it, or write it with FileWriter."
            ) from error
        return row if self.columns is None else {name: row[name] for name in self.columns}

    def _data(self, file: int) -> mmap.mmap:
        held = self._maps.get(file)
        if held is None or held[0] != os.getpid():  # another process opens the file by itself
            with (
                reading("MindRecord", self.paths[file], ValueError),
                open(self._plain(self.paths[file]), "rb") as opened,
            ):
                data = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
            held = self._maps[file] = (os.getpid(), data)
        return held[1]

    def close(self) -> None:
        """Let go of the files."""
        for _, data in self._maps.values():
            data.close()
        self._maps = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_maps": {}}


def _places(path: str, header: Header) -> np.ndarray:
    result = index_rows(path)
    if result is None:
        return np.array(list(halves(path, header)), np.int64).reshape(-1, 8)
    return check_places(path, header, result)


class FileReader:
    """Reads the rows of MindRecord files in their order.

    Args:
        file_name (Union[str, list[str]]): one of the files of a set, all of which are read; or a
            list of files, of which those alone are read.
        num_consumer (int): accepted; positive. Default: ``4``.
        columns (list[str]): the fields that rows have. Default: ``None``, all.
        operator (int): accepted. Default: ``None``.

    Raises:
        ParamValueError: an argument is wrong.
        ParamTypeError: `columns` is not a list.
        RuntimeError: a file is missing, or the files do not belong together.
        ValueError: (also while rows are read) a file or its index is damaged.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10, with this difference: whole numbers in fields of
    type float are floats (there: int); the index file may be missing.

    Examples:
        >>> import os, tempfile
        >>> from agar.mindrecord import FileReader, FileWriter
        >>> file = os.path.join(tempfile.mkdtemp(), "a.mindrecord")
        >>> writer = FileWriter(file)
        >>> writer.add_schema({"label": {"type": "int32"}, "data": {"type": "bytes"}})
        >>> writer.write_raw_data([{"label": 3, "data": b"x"}])
        >>> writer.commit()
        >>> reader = FileReader(file)
        >>> reader.len(), list(reader.get_next())
        (1, [{'label': 3, 'data': b'x'}])
        >>> reader.close()
    """

    def __init__(
        self,
        file_name: str | list[str],
        num_consumer: int = 4,
        columns: list[str] | None = None,
        operator: Any = None,
    ) -> None:
        _check(file_name, num_consumer)
        if columns and not isinstance(columns, list):
            raise ParamTypeError("columns", "list")
        self._records = Records(file_name, columns)

    def get_next(self) -> Iterator[dict[str, Any]]:
        """The rows, one after the other, as dictionaries."""
        return iter(self._records)

    def close(self) -> None:
        """Let go of the files."""
        self._records.close()

    def schema(self) -> dict[str, Any]:
        """The fields: names to types and shapes."""
        return self._records.schema

    def len(self) -> int:
        """The number of rows."""
        return len(self._records)


def _check(file_name: Any, num_consumer: Any) -> None:
    for path in file_name if isinstance(file_name, list) else [file_name]:
        check_filename(path)
    if isinstance(file_name, list) and not file_name:
        raise ParamValueError("The list of files is empty.")
    if num_consumer is None:
        raise ParamValueError("Parameter num_consumer is None.")
    if not isinstance(num_consumer, int) or isinstance(num_consumer, bool):
        raise ParamValueError("Parameter num_consumer is not int.")
    if num_consumer < 1:
        raise ParamValueError(f"Parameter num_consumer: {num_consumer} should be at least 1.")
