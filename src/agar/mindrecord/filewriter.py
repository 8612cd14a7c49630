"""FileWriter: rows into MindRecord files."""

from __future__ import annotations

import contextlib
import os
import re
from typing import Any, BinaryIO

import numpy as np

from agar import log
from agar._core.files import Unfinished, remove
from agar.mindrecord._encryption import encrypt_file
from agar.mindrecord._format import (
    BLOB,
    RAW,
    Header,
    pack_blob,
    pack_raw,
    read_header,
    saved_by_packing,
    write_index,
)
from agar.mindrecord._format import blob_fields as bytes_and_arrays
from agar.mindrecord.common.exceptions import (
    MRMDefineIndexError,
    MRMGetMetaError,
    MRMInvalidSchemaError,
    MRMOpenForAppendError,
    MRMSetHeaderError,
    ParamTypeError,
    ParamValueError,
)
from agar.mindrecord.config import _refuse_key
from agar.mindrecord.core.shardutils import (
    MAX_HEADER_SIZE,
    MAX_PAGE_SIZE,
    MAX_SHARD_COUNT,
    MIN_HEADER_SIZE,
    MIN_PAGE_SIZE,
    MIN_SHARD_COUNT,
    VALID_ARRAY_ATTRIBUTES,
    VALID_ATTRIBUTES,
    VALUE_TYPE_MAP,
    check_filename,
)

__all__ = ["FileWriter"]

_FIELD = re.compile(r"^[0-9a-zA-Z_]+$")


class FileWriter:
    """Writes rows to MindRecord files, which MindSpore reads too.

    Files get their names when :meth:`commit` has completed them; until then they have the ending
    ``.part``, so that a program that fails leaves no half of a file under its name.

    Args:
        file_name (str): the file; of several files, numbers follow this name.
        shard_num (int): the number of files, from 1 to 1000. Default: ``1``.
        overwrite (bool): whether files of these names are replaced. Default: ``False``.

    Raises:
        ParamValueError: an argument is wrong.

    Difference from PyTorch: no counterpart.

    Source: files and behavior observed in MindSpore 2.10, with these differences: files have the
    ordinary mode of a new file (there: 0600); ``parallel_writer`` is accepted, one process writes;
    rows go to files in turn (there: at random).

    Examples:
        >>> import os, tempfile
        >>> from agar.mindrecord import FileReader, FileWriter
        >>> file = os.path.join(tempfile.mkdtemp(), "a.mindrecord")
        >>> writer = FileWriter(file)
        >>> writer.add_schema({"name": {"type": "string"}, "data": {"type": "bytes"}}, "texts")
        >>> writer.add_index(["name"])
        >>> writer.write_raw_data([{"name": "one", "data": b"1"}, {"name": "two", "data": b"2"}])
        >>> writer.commit()
        >>> [row["data"] for row in FileReader(file).get_next()]
        [b'1', b'2']
    """

    def __init__(self, file_name: str, shard_num: int = 1, overwrite: bool = False) -> None:
        check_filename(file_name)
        if shard_num is None:
            raise ParamValueError("Parameter shard_num is None.")
        if not isinstance(shard_num, int) or isinstance(shard_num, bool):
            raise ParamValueError("Parameter shard_num's type is not int.")
        if not MIN_SHARD_COUNT <= shard_num <= MAX_SHARD_COUNT:
            raise ParamValueError(
                f"Parameter shard_num's value: {shard_num} should between {MIN_SHARD_COUNT} and "
                f"{MAX_SHARD_COUNT}."
            )
        if not isinstance(overwrite, bool):
            raise ParamValueError("Parameter overwrite's type is not bool.")
        digits = len(str(shard_num - 1))
        self._paths = (
            [file_name]
            if shard_num == 1
            else [f"{file_name}{i:0{digits}d}" for i in range(shard_num)]
        )
        self._overwrite = overwrite
        self._schema: dict[str, Any] | None = None
        self._description = ""
        self._index: list[str] | None = None
        self._sizes = {"header_size": 16 << 20, "page_size": 32 << 20}
        self._shards: list[_Shard] = []
        self._append = False
        self._done = False

    @classmethod
    def open_for_append(cls, file_name: str) -> FileWriter:
        """Open a file to write more rows at its end.

        Args:
            file_name (str): one file.

        Returns:
            FileWriter.

        Raises:
            ParamValueError: `file_name` cannot be one.
            MRMOpenForAppendError: there is no such MindRecord file.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import os, tempfile
            >>> from agar.mindrecord import FileReader, FileWriter
            >>> file = os.path.join(tempfile.mkdtemp(), "a.mindrecord")
            >>> for writer in (FileWriter(file), FileWriter.open_for_append):
            ...     writer = writer if isinstance(writer, FileWriter) else writer(file)
            ...     if not os.path.exists(file):
            ...         writer.add_schema({"label": {"type": "int32"}})
            ...     writer.write_raw_data([{"label": 1}])
            ...     writer.commit()
            >>> FileReader(file).len()
            2
        """
        check_filename(file_name)
        _refuse_key("FileWriter")
        result = cls("append")
        result.init_append(file_name, None)
        return result

    def init_append(self, file_name: str, header: Header | None) -> None:
        """Take over a file that exists.

        Args:
            file_name (str): the file.
            header (Header): its header; None to read it.

        Raises:
            MRMOpenForAppendError: there is no such MindRecord file.
        """
        try:
            header = read_header(file_name) if header is None else header
        except (OSError, ValueError) as error:
            raise MRMOpenForAppendError(
                f"{file_name} cannot be opened to append rows: {error}"
            ) from error
        self._paths = [file_name]
        self._schema, self._index = header.schema, header.index_fields
        self._append = True
        self._shards = [_Shard(file_name, header, append=True)]

    # ------------------------------------------------------------------------------- settings

    def add_schema(self, content: dict[str, Any], desc: str | None = None) -> None:
        """Say which fields rows have.

        Args:
            content (dict): field: ``{"type": T}`` with T one of ``int32``, ``int64``, ``float32``,
                ``float64``, ``string``, ``bytes``; or ``{"type": T, "shape": [...]}`` for an array
                of numbers, where -1 stands for any size.
            desc (str): a description. Default: ``None``.

        Raises:
            MRMInvalidSchemaError: the schema is wrong.
        """
        problem = _schema_problem(content)
        if problem:
            raise MRMInvalidSchemaError(f"Schema format is error. Detail: {problem}")
        if self._shards:
            raise MRMInvalidSchemaError("The schema cannot change after rows were written.")
        self._schema, self._description = content, desc or ""

    def add_index(self, index_fields: list[str]) -> None:
        """Choose the fields by which rows are found; without this call, all numbers and texts.

        Args:
            index_fields (list[str]): names of fields that are numbers or texts.

        Raises:
            ParamTypeError: an argument is of the wrong type.
            MRMDefineIndexError: a field is bytes or an array, or there is none of that name.
            MRMGetMetaError: there is no schema.
        """
        if not index_fields or not isinstance(index_fields, list):
            raise ParamTypeError("index_fields", "list")
        if self._schema is None:
            raise MRMGetMetaError
        blobs = bytes_and_arrays(self._schema)
        for field in index_fields:
            if not isinstance(field, str):
                raise ParamTypeError("index field", "str")
            if field in blobs:
                raise MRMDefineIndexError(
                    "Failed to define index field. Detail: Failed to set field "
                    f"{field} since it's not primitive type."
                )
            if field not in self._schema:
                raise MRMDefineIndexError(
                    f"Failed to define index field. Detail: the schema has no field {field}; it "
                    f"has {sorted(self._schema)}."
                )
        self._index = list(index_fields)

    def set_header_size(self, header_size: int) -> None:
        """Set the size of the header, which grows with the number of pages.

        Args:
            header_size (int): bytes, from 16 KB to 128 MB. It is 16 MB unless this is called.

        Raises:
            RuntimeError: it is out of range, or rows were written before.
        """
        self._set_size("header_size", header_size, MIN_HEADER_SIZE, MAX_HEADER_SIZE)

    def set_page_size(self, page_size: int) -> None:
        """Set the size of pages; each must be able to hold a row.

        Args:
            page_size (int): bytes, from 32 KB to 256 MB. It is 32 MB unless this is called.

        Raises:
            RuntimeError: it is out of range, or rows were written before.
        """
        self._set_size("page_size", page_size, MIN_PAGE_SIZE, MAX_PAGE_SIZE)

    def _set_size(self, name: str, size: int, low: int, high: int) -> None:
        words = name.replace("_", " ")
        if not isinstance(size, int) or not low <= size <= high:
            raise RuntimeError(
                f"Invalid data, {words}: {size} should be in range [{low} bytes, {high} bytes]."
            )
        if self._shards:
            raise RuntimeError(f"The {words} cannot change after rows were written.")
        self._sizes[name] = size

    # ------------------------------------------------------------------------------------ rows

    def write_raw_data(self, raw_data: list[dict[str, Any]], parallel_writer: bool = False) -> None:
        """Write rows. A row that does not fit the schema is left out, with a warning.

        Args:
            raw_data (list[dict]): rows: field names to values.
            parallel_writer (bool): accepted. Default: ``False``.

        Raises:
            ParamTypeError: `raw_data` is not a list of dictionaries.
            TypeError: `parallel_writer` is not a bool.
            RuntimeError: there is no schema, the file exists, a row is larger than a page, or the
                file was completed before.
        """
        if not isinstance(parallel_writer, bool):
            raise TypeError("The parameter `parallel_writer` must be bool.")
        if not isinstance(raw_data, list):
            raise ParamTypeError("raw_data", "list")
        if not all(isinstance(row, dict) for row in raw_data):
            raise ParamTypeError("raw_data item", "dict")
        if self._done:
            raise RuntimeError(
                "The files were completed by 'commit'. Write all rows before it, or open the file "
                "with FileWriter.open_for_append."
            )
        self._open()
        assert self._schema is not None
        blobs = bytes_and_arrays(self._schema)
        good = []
        saved = 0
        for i, row in enumerate(raw_data):
            problem = _row_problem(self._schema, i, row)
            if problem:
                log.warning("%s", problem)
                continue
            blob = pack_blob(blobs, row)
            good.append((pack_raw(self._schema, blobs, row), blob))
            saved += saved_by_packing(blobs, row)
        limit = self._shards[0].header.page_size - 8
        for raw, blob in good:
            if max(len(raw), len(blob)) > limit:
                raise RuntimeError(
                    f"A row has {max(len(raw), len(blob))} bytes and does not fit a page of "
                    f"{limit + 8}: call set_page_size before rows are written. None of these rows "
                    "was written."
                )
        for shard, part in self._deal(good):
            shard.write(part)
        self._shards[0].header.saved += saved

    def _deal(self, rows: list[Any]) -> list[tuple[_Shard, list[Any]]]:
        """Consecutive rows for each file, those with the fewest rows get one more."""
        each, more = divmod(len(rows), len(self._shards))
        short = sorted(self._shards, key=lambda shard: shard.rows)[:more]
        out, at = [], 0
        for shard in self._shards:
            size = each + any(shard is s for s in short)
            if size:
                out.append((shard, rows[at : at + size]))
            at += size
        return out

    def commit(self) -> None:
        """Complete the files and write their indexes.

        Raises:
            RuntimeError: there is no schema, or a file exists.
            MRMSetHeaderError: the header's size is too small for so many pages.
        """
        if self._done:
            return
        self._open()
        for shard in self._shards:
            shard.complete()
        for shard in self._shards:
            shard.publish()
        self._done = True

    def check_all_worker_status(self) -> None:
        """Accepted: this process writes."""

    def check_worker_status(self, index: int) -> None:
        """Accepted: this process writes.

        Args:
            index (int): number of a file.
        """

    def _open(self) -> None:
        if self._shards:
            return
        if self._schema is None:
            raise RuntimeError(
                "The schema is not found in the header: call 'add_schema' before rows are written."
            )
        there = [p for p in self._paths if os.path.exists(p) or os.path.exists(p + ".db")]
        if there and not self._overwrite:
            raise RuntimeError(
                f"The MindRecord files already exist: {there}. Give overwrite=True to replace them."
            )
        index = self._index
        if index is None:
            blobs = bytes_and_arrays(self._schema)
            index = [name for name in sorted(self._schema) if name not in blobs]
        names = [os.path.basename(p) for p in self._paths]
        self._shards = [
            _Shard(
                path,
                Header(
                    self._schema, self._description, index, **self._sizes, addresses=names, shard=i
                ),
            )
            for i, path in enumerate(self._paths)
        ]

    def __del__(self) -> None:
        if not getattr(self, "_done", True):
            for shard in self._shards:
                shard.abandon()


class _Shard:
    """One file that is being written."""

    def __init__(self, path: str, header: Header, append: bool = False) -> None:
        self.path = path
        self.header = header
        self.append = append
        #: pages that a row group may still grow in, and their sizes so far
        self.blob = next((p for p in reversed(header.pages) if p["page_type"] == BLOB), None)
        self.raw = next((p for p in reversed(header.pages) if p["page_type"] == RAW), None)
        self.rows = self.blob["end_row_id"] if self.blob else 0
        self.unfinished = Unfinished(path)
        self.part = self.unfinished.path
        try:
            if append:
                self._copy()
            self.file: BinaryIO = open(self.part, "r+b")  # noqa: SIM115
        except BaseException:
            self.unfinished.discard()
            raise

    def _copy(self) -> None:
        """Appending works on a copy, which replaces the file when it is complete."""
        import shutil

        shutil.copyfile(self.path, self.part)

    def write(self, rows: list[tuple[bytes, bytes]]) -> None:
        size = self.header.page_size
        groups: list[list[tuple[bytes, bytes]]] = []
        group: list[tuple[bytes, bytes]] = []
        blob_left = size - self.blob["page_size"] if self.blob else 0
        raw_left = size - self.raw["page_size"] if self.raw else 0
        grows = self.blob is not None  # the first rows may belong to the last group
        for row in rows:
            raw, blob = (len(half) + 8 for half in row)
            if raw > raw_left or blob > blob_left:
                groups.append(group)
                group, raw_left, blob_left = [], size, size
            raw_left -= raw
            blob_left -= blob
            group.append(row)
        groups.append(group)
        first = groups.pop(0)
        if first and grows:
            assert self.blob is not None
            assert self.raw is not None
            self._extend(self.blob, [blob for _, blob in first])
            self._extend(self.raw, [raw for raw, _ in first])
            self.rows += len(first)
            self.blob["end_row_id"] = self.rows
        numbers = []
        for part in groups:
            number = sum(p["page_type"] == BLOB for p in self.header.pages)
            self.blob = self._page(BLOB, number, {"id": 0, "offset": 0})
            self.blob["start_row_id"] = self.rows
            self._extend(self.blob, [blob for _, blob in part])
            self.rows += len(part)
            self.blob["end_row_id"] = self.rows
            numbers.append(number)
        for number, part in zip(numbers, groups, strict=True):
            halves = [raw for raw, _ in part]
            needed = sum(len(raw) + 8 for raw in halves)
            if self.raw is not None and self.raw["page_size"] + needed <= size:
                place = {"id": number, "offset": self.raw["page_size"]}
                self.raw["row_group_ids"].append(place)
            else:
                # the number that MindSpore gives to such a page
                kind = 0 if self.raw is None else self.raw["page_id"] + 1
                self.raw = self._page(RAW, kind, {"id": number, "offset": 0})
            self._extend(self.raw, halves)

    def _page(self, kind: str, number: int, group: dict[str, int]) -> dict[str, Any]:
        page = {
            "end_row_id": 0,
            "page_id": len(self.header.pages),
            "page_size": 0,
            "page_type": kind,
            "page_type_id": number,
            "row_group_ids": [group],
            "shard_id": self.header.shard,
            "start_row_id": 0,
        }
        self.header.pages.append(page)
        return page

    def _extend(self, page: dict[str, Any], halves: list[bytes]) -> None:
        data = b"".join(len(half).to_bytes(8, "little") + half for half in halves)
        header = self.header
        self.file.seek(header.header_size + page["page_id"] * header.page_size + page["page_size"])
        self.file.write(data)
        page["page_size"] += len(data)

    def complete(self) -> None:
        """Write the header and bring all to the disk."""
        try:
            text = self.header.pack()
        except ValueError as error:
            raise MRMSetHeaderError(f"{self.path}: {error}") from error
        self.file.seek(0)
        self.file.write(text)
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()

    def publish(self) -> None:
        """Give the file its name, and write its index."""
        self.unfinished.finish()
        write_index(self.path, self.header)
        try:
            for path in (self.path, f"{self.path}.db"):
                encrypt_file(path)
        except BaseException:
            for path in (self.path, f"{self.path}.db"):  # nothing stays that anybody can read
                remove(path)
            raise

    def abandon(self) -> None:
        with contextlib.suppress(OSError):  # what is left to write does not fit
            self.file.close()
        self.unfinished.discard()


def _schema_problem(content: Any) -> str:
    if not content:
        return "Schema content is empty."
    if not isinstance(content, dict):
        return "Schema content should be dict."
    for name, kind in content.items():
        if not isinstance(name, str) or not _FIELD.match(name):
            return f"Field '{name}' should be composed of '0-9' or 'a-z' or 'A-Z' or '_'."
        if not kind or not isinstance(kind, dict):
            return f"Field '{name}' should be dict."
        if set(kind) == {"type"}:
            if kind["type"] not in VALID_ATTRIBUTES:
                return f"Field '{name}' contain illegal attribute '{kind['type']}'."
        elif set(kind) == {"type", "shape"}:
            if kind["type"] not in VALID_ARRAY_ATTRIBUTES:
                return f"Field '{name}' contain illegal attribute '{kind['type']}'."
            if not isinstance(kind["shape"], list):
                return f"Field '{name}' contain illegal attribute '{kind['shape']}'."
        else:
            return f"Field '{kind}' contains illegal attributes."
    return ""


def _row_problem(schema: dict[str, Any], i: int, row: dict[str, Any]) -> str:
    for name, kind in schema.items():
        start = f"Row {i} is left out: "
        if name not in row:
            return f"{start}it has no field '{name}' of the schema."
        value = row[name]
        given = type(value).__name__
        if kind["type"] not in VALUE_TYPE_MAP.get(given, ()):
            return f"{start}field '{name}' is of type {given}, the schema says {kind['type']}."
        if isinstance(value, np.ndarray):
            if "shape" not in kind:
                return f"{start}field '{name}' is an array, for which the schema gives no shape."
            if str(value.dtype) != kind["type"]:
                return (
                    f"{start}field '{name}' is an array of {value.dtype}, the schema says "
                    f"{kind['type']}."
                )
            try:
                np.reshape(value, kind["shape"])
            except ValueError:
                return (
                    f"{start}field '{name}' has shape {value.shape}, the schema says "
                    f"{kind['shape']}."
                )
        elif "shape" in kind:
            return f"{start}field '{name}' is of type {given}, the schema says an array."
    return ""
