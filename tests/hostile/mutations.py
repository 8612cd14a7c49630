"""Damaged variants of a file: random bytes, cut, longer, spliced, other lengths, other JSON."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

#: What stands where a length is expected: nothing, everything, more than any memory.
_LENGTHS_4 = (b"\0" * 4, b"\xff" * 4, b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x40")
_LENGTHS_8 = (
    b"\0" * 8,
    b"\xff" * 8,
    b"\x7f" + b"\xff" * 7,
    b"\xff" * 7 + b"\x7f",
    b"\0\0\0\0\x10\0\0\0",
    b"\0\0\0\x10\0\0\0\0",
)
_BYTES = (0, 1, 0x7F, 0x80, 0xFF)


def _flipped(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        place = rng.randrange(len(out))
        out[place] = rng.choice((out[place] ^ 1 << rng.randrange(8), rng.randrange(256)))
    return bytes(out)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def _longer(data: bytes, rng: random.Random) -> bytes:
    more = rng.choice((b"\0", rng.randbytes(1), data[: rng.randrange(1, len(data) + 1)]))
    return data + more * rng.choice((1, 1, 7, 40) if len(more) < 100 else (1,))


def _spliced(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data))
    end = min(len(data), start + rng.choice((1, 4, 8, 40, len(data))))
    piece, place = data[start:end], rng.randrange(len(data))
    kind = rng.randrange(3)
    if kind == 0:
        return data[:start] + data[end:]
    if kind == 1:
        return data[:place] + piece + data[place:]
    return data[:place] + piece + data[place + len(piece) :]


def _lengths(data: bytes, rng: random.Random) -> bytes:
    if rng.random() < 0.2:
        value = bytes([rng.choice(_BYTES)])
    else:
        value = rng.choice(_LENGTHS_4 + _LENGTHS_8)
    # lengths stand at the beginning of files and of what is in them
    place = rng.randrange(min(len(data), 64) if rng.random() < 0.4 else len(data))
    return data[:place] + value + data[place + len(value) :]


_BINARY = (_flipped, _cut, _longer, _spliced, _lengths)

_ODD = (
    None, True, False, 0, 1, -1, 1 << 31, 1 << 63, -(1 << 70), 1e308, -0.5, 10**400, "", "x", "\0",
    "../../x", "/", "\ud800", "a" * 3000, [], {}, [[]], [None], [1, "x"], {"x": 1}, "nan", "1e999",
)  # fmt: skip


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from _places(value[key], (*path, key))
    elif isinstance(value, list):
        for i, inside in enumerate(value):
            yield from _places(inside, (*path, i))


def changed_json(value: Any, rng: random.Random) -> Any:
    """A JSON value with one or two of its parts lost, of another type or nested deeply."""
    value = copy.deepcopy(value)
    for _ in range(rng.choice((1, 1, 2))):
        *path, last = rng.choice([p for p in _places(value) if p] or [("",)])
        inside = value
        for key in path:
            inside = inside[key]
        if not isinstance(inside, (dict, list)) or last == "":
            return rng.choice(_ODD)
        kind = rng.randrange(8)
        if kind == 0:
            del inside[last]
        elif kind == 1 and isinstance(inside, list):
            inside.append(copy.deepcopy(inside[last]))
        elif kind == 1:
            inside[rng.choice(("x", "", str(last) * 2))] = inside.pop(last)
        elif kind == 2:
            inside[last] = {"x": inside[last]}
        elif kind == 3:
            inside[last] = [inside[last]]
        elif kind == 4 and isinstance(inside[last], int):
            inside[last] = rng.choice((inside[last] + 1, -inside[last], inside[last] << 40))
        else:
            inside[last] = copy.deepcopy(rng.choice(_ODD))
    return value


def json_bytes(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def json_text(data: bytes, rng: random.Random) -> bytes:
    """The text of a JSON file, changed as a text."""
    kind = rng.randrange(7)
    if kind == 0:
        return data.replace(b":", rng.choice((b":[", b"", b":" + b"[" * 3000, b':{"a":' * 3000)), 1)
    if kind == 1:
        return b"[" * 200_000 + data
    if kind == 2:
        return data.decode().encode(rng.choice(("utf-16", "utf-32", "utf-8-sig", "utf-7")))
    if kind == 3:
        return data.replace(b'"', rng.choice((b"'", b'\\"', b"\xff", b'"\\u0000')), 2)
    if kind == 4:
        return data.replace(b"1", rng.choice((b"NaN", b"1e999", b"-", b"9" * 5000)), 1)
    if kind == 5:
        return data + data
    return rng.choice(_BINARY)(data, rng)


def changed_text(data: bytes, rng: random.Random) -> bytes:
    """The text of a file of lines, changed as a text."""
    kind = rng.randrange(8)
    words = data.split(b" ")
    lines = data.split(b"\n")
    if kind == 0:
        lines.insert(rng.randrange(len(lines)), rng.choice((b"", b" ", b"\0", b"\xff\xfe", b'"')))
    elif kind == 1:
        lines[rng.randrange(len(lines))] = lines[rng.randrange(len(lines))]
    elif kind == 2:
        del lines[rng.randrange(len(lines))]
    elif kind == 3:
        words[rng.randrange(len(words))] = rng.choice(
            (b"nan", b"inf", b"1e999", b"-1", b"9" * 5000, b"x", b"\xff", b"", b"0x1", b"\xc3\xa4")
        )
        return b" ".join(words)
    elif kind == 4:
        return data.decode(errors="replace").encode(rng.choice(("utf-16", "utf-32", "utf-8-sig")))
    elif kind == 5:
        return data.replace(b"\n", rng.choice((b"\r", b"\r\n", b"", b"\0", b"\n\n")))
    elif kind == 6:
        return data + b"x" * 200_000
    else:
        return rng.choice(_BINARY)(data, rng)
    return b"\n".join(lines)


Change = Callable[[bytes, random.Random], bytes]


def json_file(data: bytes, rng: random.Random) -> bytes:
    """A JSON file, changed in its values or as a text."""
    if rng.random() < 0.5:
        return json_bytes(changed_json(json.loads(data), rng))
    return json_text(data, rng)


def json_lines(data: bytes, rng: random.Random) -> bytes:
    """A file of JSON objects, one a line."""
    lines = data.splitlines()
    place = rng.randrange(len(lines))
    lines[place] = json_file(lines[place], rng)
    return b"\n".join(lines)


def mutated(data: bytes, seed: int, change: Change | None) -> bytes:
    """The variant of a number: every second one is made by ``change``, which knows the format."""
    rng = random.Random(seed)
    if change is not None and seed % 2:
        return change(data, rng)
    return rng.choice(_BINARY)(data, rng)
