"""The bytes of MindRecord files, as MindSpore 2.10 was observed to write them.

NOTE The file. A header (eight bytes of length, JSON, zeros up to the header's size), then pages of
one size. A row has two halves: its numbers and texts (raw), and its bytes and arrays (blob). Rows
that lie together in one blob page are a row group; their raw halves lie together in one raw page,
which may hold several groups. Each half begins with eight bytes of length. The raw half is a map in
MessagePack, keys sorted. The blob half is the field itself if there is one, otherwise eight bytes
of length (most significant first) and the field, in the order of their names. Arrays of integers
are packed: their number, a code of two bits for each of them (1, 2, 4 or 8 bytes), and their bytes.
An SQLite file beside it (``.db``) has a line for each row: places of both halves, index fields.
"""

from __future__ import annotations

import json
import os
import sqlite3
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any
from urllib.parse import quote

import msgpack
import numpy as np

from agar._core.file_reading import checked_name, reading
from agar._core.files import replacing

__all__ = [
    "BLOB",
    "RAW",
    "Header",
    "decode_row",
    "index_rows",
    "pack_array",
    "pack_blob",
    "pack_raw",
    "read_header",
    "write_index",
]

HEADER_SIZES = (16 << 10, 128 << 20)
PAGE_SIZES = (32 << 10, 256 << 20)
BLOB, RAW = "BLOB_DATA", "RAW_DATA"
_WIDTHS = (1, 2, 4, 8)
_LENGTH = struct.Struct("<Q")
_INNER = struct.Struct(">Q")
_ADVICE = "It is not a MindRecord file, or it was changed: restore it, or write it with FileWriter."
#: types of fields that are one number or text, and of arrays
_PLAIN_TYPES = frozenset({"int32", "int64", "float32", "float64", "string", "bytes"})
_ARRAY_TYPES = frozenset({"int32", "int64", "float32", "float64"})
_MAX_RANK = 32  # numpy's before its version 2
#: how many steps SQLite may take to give the index, for each byte of its file
_STEPS_A_BYTE = 50
_STEPS_AT_ONCE = 1000
_COLUMNS = {"string": "TEXT", "float32": "REAL", "float64": "REAL"}


class Header:
    """What a file says of itself.

    Attributes:
        schema: field: ``{"type": ..., "shape": ...}``, by name.
        description: the schema's.
        index_fields: names of the fields that are searched.
        header_size, page_size: in bytes.
        pages: the pages, as dictionaries in the order of the file.
        addresses: names of all files that were written together.
        shard: which of them this is.
        saved: bytes that packing of integers has saved.
    """

    def __init__(
        self,
        schema: Mapping[str, Any],
        description: str = "",
        index_fields: Sequence[str] = (),
        header_size: int = 16 << 20,
        page_size: int = 32 << 20,
        addresses: Sequence[str] = (),
        shard: int = 0,
    ) -> None:
        self.schema = {name: dict(schema[name]) for name in sorted(schema)}
        self.description = description
        self.index_fields = list(index_fields)
        self.header_size = header_size
        self.page_size = page_size
        self.addresses = list(addresses)
        self.shard = shard
        self.pages: list[dict[str, Any]] = []
        self.saved = 0

    @property
    def blob_fields(self) -> list[str]:
        """Bytes and arrays, sorted."""
        return blob_fields(self.schema)

    def pack(self) -> bytes:
        """The header as it stands in the file.

        Raises:
            ValueError: it is larger than the header's size.
        """
        fields = [{"index_field": name, "schema_id": 0} for name in self.index_fields]
        text = json.dumps(
            {
                "header_size": self.header_size,
                "index_fields": fields or None,
                "page": self.pages or None,
                "page_size": self.page_size,
                "compression_size": self.saved,
                "schema": [
                    {
                        "blob_fields": self.blob_fields,
                        "desc": self.description,
                        "schema": {n: dict(sorted(v.items())) for n, v in self.schema.items()},
                    }
                ],
                "shard_addresses": self.addresses,
                "shard_id": self.shard,
                "statistics": None,
                "version": "3.0",
            },
            separators=(",", ":"),
            ensure_ascii=False,
        ).encode()
        if _LENGTH.size + len(text) > self.header_size:
            raise ValueError(
                f"the header has {_LENGTH.size + len(text)} bytes, more than its size of "
                f"{self.header_size}: call set_header_size with more before rows are written"
            )
        return (_LENGTH.pack(len(text)) + text).ljust(self.header_size, b"\0")


def blob_fields(schema: Mapping[str, Any]) -> list[str]:
    """The fields that are bytes or arrays, sorted."""
    return sorted(n for n, v in schema.items() if v["type"] == "bytes" or "shape" in v)


def read_header(path: str) -> Header:
    """The header of a file.

    Raises:
        ValueError: it is not a MindRecord file, or it is damaged.
    """
    with reading("MindRecord", path, ValueError, _ADVICE):
        size = os.path.getsize(path)
        with open(path, "rb") as file:
            (length,) = _LENGTH.unpack(file.read(_LENGTH.size))
            if not 0 < length <= min(HEADER_SIZES[1], size - _LENGTH.size):
                raise ValueError(f"it claims a header of {length} bytes and has {size} in all")
            content = json.loads(file.read(length))
        (schema,) = content["schema"]
        header = Header(
            _checked_schema(schema["schema"]),
            _text(schema["desc"]),
            [_text(f["index_field"]) for f in content["index_fields"] or []],
            _number(content["header_size"], _LENGTH.size, size),
            _number(content["page_size"], 1, PAGE_SIZES[1]),
            [checked_name(name) for name in content["shard_addresses"]],
            _number(content["shard_id"], 0),
        )
        unknown = [name for name in header.index_fields if name not in header.schema]
        if unknown:
            raise ValueError(f"its index has the fields {unknown}, which it does not have")
        if header.shard >= len(header.addresses):
            raise ValueError(f"it is number {header.shard} of {len(header.addresses)} files")
        header.pages = _checked_pages(content["page"] or [], header, size)
        header.saved = _number(content.get("compression_size", 0), None)
        return header


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a text")
    return value


def _number(value: Any, low: int | None = 0, high: int | None = None) -> int:
    if type(value) is not int or (low is not None and value < low):
        raise ValueError(f"{value!r} is not a number from {low} on")
    if high is not None and value > high:
        raise ValueError(f"the number {value} is beyond {high}")
    return value


def _checked_schema(schema: Any) -> dict[str, dict[str, Any]]:
    """The fields of a header, of types that there are."""
    for name, kind in schema.items():
        known = _ARRAY_TYPES if "shape" in kind else _PLAIN_TYPES
        if kind["type"] not in known:
            raise ValueError(f"the field {name!r} has the type {kind['type']!r}")
        shape = kind.get("shape", [])
        if not isinstance(shape, list) or len(shape) > _MAX_RANK:
            raise ValueError(f"the field {name!r} has the shape {shape!r}")
        for count in shape:
            _number(count, -1)
    return schema


def _checked_pages(pages: Any, header: Header, size: int) -> list[dict[str, Any]]:
    """The pages of a header, each of which lies in the file."""
    if not isinstance(pages, list):
        raise ValueError("its list of pages is none")
    count = max(0, -(-(size - header.header_size) // header.page_size))
    seen = set()
    for page in pages:
        number = _number(page["page_id"], 0, count - 1)
        if number in seen or page["page_type"] not in (RAW, BLOB):
            raise ValueError(
                f"the page {number} is there twice, or of the type {page['page_type']}"
            )
        seen.add(number)
        _number(page["page_type_id"], 0)
        _number(page["start_row_id"], 0)
        _number(page["end_row_id"], page["start_row_id"])
        _number(page["page_size"], 0, header.page_size)
        for group in page["row_group_ids"]:
            _number(group["id"], 0)
            _number(group["offset"], 0, header.page_size)
    return pages


# ---------------------------------------------------------------------------------------- rows


def pack_array(values: np.ndarray) -> bytes:
    """The bytes of an array: packed if it holds integers."""
    flat = np.ascontiguousarray(values).reshape(-1)
    if flat.dtype.kind == "f":
        return flat.tobytes()
    wide = flat.astype(np.int64)
    codes = np.zeros(flat.size, np.uint8)
    for code, width in enumerate(_WIDTHS[:-1]):
        low, high = -(1 << (8 * width - 1)), (1 << (8 * width - 1)) - 1
        codes[(wide < low) | (wide > high)] = code + 1
    padded = np.zeros(-(-flat.size // 4) * 4, np.uint8)
    padded[: flat.size] = codes
    shifts = np.array([6, 4, 2, 0], np.uint8)
    marks = (padded.reshape(-1, 4) << shifts).sum(1, dtype=np.uint8)
    octets = wide.astype("<i8").view(np.uint8).reshape(-1, 8)
    expected = np.arange(8) < np.array(_WIDTHS)[codes][:, None]
    return struct.pack(">I", flat.size) + marks.tobytes() + octets[expected].tobytes()


def unpack_array(data: bytes, dtype: np.dtype[Any]) -> np.ndarray:
    """The array of bytes that :func:`pack_array` gave."""
    if dtype.kind == "f" or not data:
        return np.frombuffer(data, dtype.newbyteorder("<")).astype(dtype)
    (count,) = struct.unpack(">I", data[:4])
    marks = np.frombuffer(data[4 : 4 + -(-count // 4)], np.uint8)
    codes = ((marks[:, None] >> np.array([6, 4, 2, 0])) & 3).reshape(-1)[:count]
    widths = np.array(_WIDTHS)[codes]
    body = np.frombuffer(data[4 + marks.size :], np.uint8)
    if codes.size != count or body.size != widths.sum():
        raise ValueError(f"an array of {count} integers has {body.size} bytes")
    octets = np.zeros((count, 8), np.uint8)
    octets[np.arange(8) < widths[:, None]] = body
    values = octets.reshape(-1).view("<i8")
    spare = 64 - 8 * widths
    return ((values << spare) >> spare).astype(dtype)  # the sign of shorter ones


def saved_by_packing(fields: Sequence[str], row: Mapping[str, Any]) -> int:
    """How many bytes fewer the integers of a row take."""
    arrays = (row[name] for name in fields if isinstance(row[name], np.ndarray))
    return sum(a.nbytes - len(pack_array(a)) for a in arrays if a.dtype.kind == "i")


def pack_blob(fields: Sequence[str], row: Mapping[str, Any]) -> bytes:
    """The second half of a row."""
    parts = []
    for name in fields:
        value = row[name]
        parts.append(value if isinstance(value, bytes) else pack_array(value))
    if not parts:
        return bytes(4)
    if len(parts) == 1:
        return parts[0]
    return b"".join(_INNER.pack(len(part)) + part for part in parts)


def pack_raw(schema: Mapping[str, Any], fields: Sequence[str], row: Mapping[str, Any]) -> bytes:
    """The first half of a row."""
    plain = {name: row[name] for name in sorted(schema) if name not in fields}
    return _pack(plain if plain else {"id": 0})


def decode_row(
    schema: Mapping[str, Any], fields: Sequence[str], raw: bytes, blob: bytes
) -> dict[str, Any]:
    """A row of its two halves."""
    values = _unpack(raw)
    row: dict[str, Any] = {}
    for name, value in values.items():
        if name in schema:
            row[name] = _plain(name, schema[name]["type"], value)
    missing = [name for name in schema if name not in row and name not in fields]
    if missing:
        raise ValueError(f"the row lacks {missing}")
    at = 0
    for name in fields:
        if len(fields) == 1:
            part = blob
        else:
            (length,) = _INNER.unpack_from(blob, at)
            at += _INNER.size
            part = blob[at : at + length]
            at += length
            if at > len(blob):
                raise ValueError(f"the field {name!r} claims {length} bytes, more than are left")
        kind = schema[name]
        if kind["type"] == "bytes":
            row[name] = part
        else:
            row[name] = unpack_array(part, np.dtype(kind["type"])).reshape(kind["shape"])
    return row


def _plain(name: str, kind: str, value: Any) -> Any:
    """A number or text of a row, of the field's type."""
    if kind == "string":
        good = isinstance(value, str)
    elif kind.startswith("float"):
        good = type(value) in (int, float)
    else:
        bits = 31 if kind == "int32" else 63
        good = type(value) is int and -(1 << bits) <= value < 1 << bits
    if not good:
        raise ValueError(f"the field {name!r} of type {kind} holds {value!r}")
    return float(value) if kind.startswith("float") else value


# -------------------------------------------------------------------------------- MessagePack


def _pack(row: Mapping[str, Any]) -> bytes:
    """A map of numbers and texts; a number that fits takes 32 bits, as MindSpore writes it."""
    packer = msgpack.Packer()
    narrow = msgpack.Packer(use_single_float=True)
    parts = [packer.pack_map_header(len(row))]
    for name, value in row.items():
        parts.append(packer.pack(name))
        if isinstance(value, np.generic):
            value = value.item()
        fits = (
            isinstance(value, float) and abs(value) < 3.4e38 and value == float(np.float32(value))
        )
        parts.append((narrow if fits else packer).pack(value))
    return b"".join(parts)


def _unpack(data: bytes) -> dict[str, Any]:
    """The map that bytes hold."""
    row = msgpack.unpackb(data)
    if not isinstance(row, dict) or not all(isinstance(name, str) for name in row):
        raise ValueError("a row is not a map of names")
    return row


# --------------------------------------------------------------------------------------- index


def halves(path: str, header: Header) -> Iterator[tuple[int, int, int, int, int, int, int, int]]:
    """The place of every row of a file, read from its pages.

    Yields:
        tuple, number of the row, raw page, begin and end of its raw half in that page, row group,
        blob page, begin and end of its blob half.

    Raises:
        ValueError: the file is damaged.
    """
    with reading("MindRecord", path, ValueError, _ADVICE):
        yield from _halves(path, header)


def _halves(path: str, header: Header) -> Iterator[tuple[int, int, int, int, int, int, int, int]]:
    raw_of = {
        group["id"]: (page["page_id"], group["offset"])
        for page in header.pages
        if page["page_type"] == RAW
        for group in page["row_group_ids"]
    }
    with open(path, "rb") as file:

        def length(page: int, at: int) -> int:
            file.seek(header.header_size + page * header.page_size + at)
            result = _LENGTH.unpack(file.read(_LENGTH.size))[0] + _LENGTH.size
            if at + result > header.page_size:
                raise ValueError(f"a row in page {page} claims {result} bytes, more than are left")
            return result

        for page in header.pages:
            if page["page_type"] != BLOB:
                continue
            group = page["page_type_id"]
            raw_page, raw_at = raw_of[group]
            at = 0
            for row in range(page["start_row_id"], page["end_row_id"]):
                raw_end = raw_at + length(raw_page, raw_at)
                end = at + length(page["page_id"], at)
                yield row, raw_page, raw_at, raw_end, group, page["page_id"], at, end
                raw_at, at = raw_end, end


def index_rows(path: str) -> np.ndarray | None:
    """The places of all rows as the file's index has them; None without an index.

    Returns:
        array of int64, (rows, 8), see :func:`halves`.
    """
    if not os.path.exists(path + ".db"):
        return None
    columns = (
        "ROW_ID, PAGE_ID_RAW, PAGE_OFFSET_RAW, PAGE_OFFSET_RAW_END, ROW_GROUP_ID, PAGE_ID_BLOB, "
        "PAGE_OFFSET_BLOB, PAGE_OFFSET_BLOB_END"
    )
    advice = "Remove it, and the rows are found without it; or restore it from its source."
    with reading("MindRecord", path + ".db", ValueError, advice):
        size = os.path.getsize(path + ".db")
        uri = f"file:{quote(os.path.abspath(path))}.db?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as base:
            # the file may hold a program: a view that counts for ever, functions of the schema
            base.execute("PRAGMA trusted_schema = OFF")
            base.set_progress_handler(_Steps(_STEPS_A_BYTE * size), _STEPS_AT_ONCE)
            kinds = base.execute("SELECT type FROM sqlite_master WHERE name = 'INDEXES'").fetchall()
            if kinds != [("table",)]:
                raise ValueError("it has no table INDEXES")
            result = base.execute(f"SELECT {columns} FROM INDEXES ORDER BY ROW_ID").fetchmany(size)
        if not all(type(value) is int for row in result for value in row):
            raise ValueError("a place of a row is not a number")
        return np.array(result, np.int64).reshape(-1, 8)


class _Steps:
    """Ends a query of SQLite after a number of steps."""

    def __init__(self, number: int) -> None:
        self.left = number // _STEPS_AT_ONCE + 100

    def __call__(self) -> int:
        self.left -= 1
        return self.left < 0


def check_places(path: str, header: Header, places: np.ndarray) -> np.ndarray:
    """The places of an index, which must lie in the pages of the file, each row once.

    Raises:
        ValueError: they do not.
    """
    advice = f"Remove {path}.db, and the rows are found without it."
    with reading("MindRecord", path, ValueError, advice):
        if not len(places):
            return places
        row, raw_page, raw_at, raw_end, _, page, at, end = places.T
        pages = np.array([p["page_id"] for p in header.pages], np.int64)
        size = os.path.getsize(path) - header.header_size
        for of, begin, stop in ((raw_page, raw_at, raw_end), (page, at, end)):
            good = np.isin(of, pages).all() and (begin >= 0).all()
            good = (
                good and (stop - begin >= _LENGTH.size).all() and (stop <= header.page_size).all()
            )
            # pages are few and sizes bounded, so nothing wraps around here
            if not good or (of * header.page_size + stop > size).any():
                raise ValueError("its index names places outside of its pages")
        if (np.diff(row) != 1).any():
            raise ValueError("its index lacks rows, or has some of them twice")
        expected = sum(
            p["end_row_id"] - p["start_row_id"] for p in header.pages if p["page_type"] == BLOB
        )
        if len(places) != expected:
            raise ValueError(f"its index has {len(places)} rows, and its header {expected}")
    return places


def write_index(path: str, header: Header) -> None:
    """Write the index of a file, under another name first."""
    fields = [name for name in header.index_fields if name not in header.blob_fields]
    types = [_COLUMNS.get(header.schema[name]["type"], "INTEGER") for name in fields]
    extra = "".join(f",INC_{i} INT, {n}_0 {t}" for i, (n, t) in enumerate(zip(fields, types)))  # noqa: B905
    key = "".join(f",INC_{i}" for i in range(len(fields)))
    create = (
        "CREATE TABLE INDEXES(  ROW_ID               INT  NOT NULL, PAGE_ID_RAW          INT  NOT "
        "NULL, PAGE_OFFSET_RAW      INT  NOT NULL, PAGE_OFFSET_RAW_END  INT  NOT NULL, "
        "ROW_GROUP_ID         INT  NOT NULL, PAGE_ID_BLOB         INT  NOT NULL, PAGE_OFFSET_BLOB"
        f"     INT  NOT NULL, PAGE_OFFSET_BLOB_END INT  NOT NULL{extra}, PRIMARY KEY(ROW_ID{key}))"
    )
    marks = ",".join("?" * (8 + 2 * len(fields)))
    base_offset = header.header_size
    with (
        replacing(path + ".db") as unfinished,
        closing(sqlite3.connect(unfinished)) as base,
        open(path, "rb") as file,
    ):
        base.execute("PRAGMA journal_mode=OFF")  # the journal would be one more file to be left

        def lines() -> Iterator[tuple[Any, ...]]:
            for place in halves(path, header):
                _, page, begin, end, *_ = place
                file.seek(base_offset + page * header.page_size + begin + _LENGTH.size)
                values = _unpack(file.read(end - begin - _LENGTH.size))
                yield (*place, *(v for name in fields for v in (0, values[name])))

        base.execute(create)
        base.execute("CREATE TABLE SHARD_NAME(NAME TEXT NOT NULL)")
        base.execute("INSERT INTO SHARD_NAME VALUES(?)", (os.path.basename(path),))
        base.executemany(f"INSERT INTO INDEXES VALUES({marks})", lines())
        base.commit()
