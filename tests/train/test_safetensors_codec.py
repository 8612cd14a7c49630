"""The safetensors codec: bytes against MindSpore's, hostile headers, and writes cut short."""

from __future__ import annotations

import json
import os
import pathlib
import stat
import struct

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from agar.train import _checkpoint_file, _safetensors_codec
from agar.train._checkpoint_file import CheckpointFileError
from agar.train._safetensors_codec import read, write
from train.checkpoint_files import FILES, LARGE, assert_same, kill_while_writing, types


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "x.safetensors"


def file_of(header: object, content: bytes, length: int | None = None, pad: int = 0) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    text += b" " * pad
    return struct.pack("<Q", len(text) if length is None else length) + text + content


def load(path: pathlib.Path, data: bytes, **options: bool) -> dict[str, torch.Tensor]:
    path.write_bytes(data)
    return dict(read(path, **options))


# --- MindSpore's bytes --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["dense", "types"])
def test_files_are_read_and_written_as_mindspore_does(path: pathlib.Path, name: str) -> None:
    recorded = FILES[f"{name}.safetensors"]
    loaded = load(path, recorded)
    if name == "types":
        expected = {k: v for k, v in sorted(types().items()) if not v.is_complex()}
        assert_same(loaded, expected)
    else:
        assert {k: v.shape for k, v in loaded.items()} == {"bias": (1,), "weight": (1, 2)}
        torch.testing.assert_close(loaded["bias"], torch.tensor([-0.2829766]))
    write(path, reversed(loaded.items()))
    assert path.read_bytes() == recorded


def test_the_checksum_is_that_of_mindspore(path: pathlib.Path) -> None:
    recorded = FILES["dense_crc.safetensors"]
    loaded = load(path, recorded, crc=True)
    write(path, reversed(loaded.items()), crc=True)
    # Not byte by byte: the library, with which MindSpore writes, shuffles the metadata.
    assert len(path.read_bytes()) == len(recorded)
    with safe_open(path, "pt") as file:
        assert file.metadata() == {"format": "ms", "crc_num": "1675369288"}
    assert_same(dict(read(path, crc=True)), loaded)


def test_a_wrong_checksum_is_an_error_only_when_asked(path: pathlib.Path) -> None:
    good = FILES["dense_crc.safetensors"]
    bad = good[:-1] + bytes([good[-1] ^ 1])
    assert list(load(path, bad)) == ["bias", "weight"]
    with pytest.raises(CheckpointFileError, match=r"Failed to read the checkpoint file.*CRC"):
        load(path, bad, crc=True)
    renamed = good.replace(b'"bias"', b'"bios"')
    with pytest.raises(CheckpointFileError, match="CRC"):
        load(path, renamed, crc=True)
    assert list(load(path, FILES["dense.safetensors"], crc=True)) == ["bias", "weight"]


# --- the library's bytes ------------------------------------------------------------------------

NAMES = st.text(
    st.characters(codec="utf-8") | st.sampled_from('\x00\x1f\x7f"\\/\n\t\u2028😀'), max_size=6
)


@given(
    st.dictionaries(
        NAMES,
        st.tuples(
            st.sampled_from(list(_safetensors_codec._CODES)),
            st.lists(st.integers(0, 3), max_size=3),
        ),
        max_size=8,
    )
)
def test_files_are_those_of_the_library(
    tmp_path_factory: pytest.TempPathFactory, described: dict[str, tuple[torch.dtype, list[int]]]
) -> None:
    tensors = {k: torch.ones(shape).to(dtype) for k, (dtype, shape) in described.items()}
    ours, theirs = (tmp_path_factory.getbasetemp() / name for name in ("ours", "theirs"))
    write(ours, tensors.items())
    save_file(tensors, theirs, {"format": "ms"})
    assert ours.read_bytes() == theirs.read_bytes()


# --- round trips --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        torch.empty(0, 3),
        torch.tensor(True),
        torch.arange(6.0).reshape(2, 3).T,
        torch.tensor([1 + 2j]).conj().imag,
        torch.ones(2, requires_grad=True),
        torch.tensor([1.0, -2.0]).to(torch.float8_e5m2),
        torch.ones(1).expand(4, 5),
        torch.arange(LARGE, dtype=torch.int32),
        torch.arange(LARGE) % 2 == 0,
    ],
    ids=repr,
)
def test_round_trip(path: pathlib.Path, value: torch.Tensor) -> None:
    write(path, [("b", value), ("a", value), ("c", value[:1] if value.dim() else value)], crc=True)
    result = value.detach().resolve_neg()
    expected = {"a": result, "b": result, "c": result[:1] if value.dim() else result}
    assert_same(dict(read(path, crc=True)), expected)
    assert_same(dict(read(path, copy=True)), expected)
    assert_same(dict(sorted(load_file(path).items())), expected)


def test_large_tensors_are_views_of_the_file_that_never_reach_it(path: pathlib.Path) -> None:
    a = torch.arange(LARGE, dtype=torch.float64)
    write(path, [("a", a), ("b", torch.ones(3))])
    before = path.read_bytes()
    for _, t in read(path):
        t.zero_()
    assert path.read_bytes() == before
    entries = dict(read(path))
    write(path, [("other", torch.ones(1))])
    assert torch.equal(entries["a"], a)


def test_copied_tensors_survive_overwriting_in_place(path: pathlib.Path) -> None:
    value = torch.arange(LARGE)
    write(path, [("a", value)])
    (_, loaded), *_ = read(path, copy=True)
    with open(path, "r+b") as file:
        file.write(bytes(path.stat().st_size))
    assert torch.equal(loaded, value)


@pytest.mark.parametrize("pad", range(8))
def test_tensors_at_any_offset_are_read(path: pathlib.Path, pad: int) -> None:
    info = {"dtype": "F64", "shape": [LARGE], "data_offsets": [0, 8 * LARGE]}
    loaded = load(path, file_of({"a": info}, np.arange(LARGE, dtype="<f8").tobytes(), pad=pad))
    assert_same(loaded, {"a": torch.arange(LARGE, dtype=torch.float64)})
    assert loaded["a"].data_ptr() % 8 == 0


# --- hostile files ------------------------------------------------------------------------------

TWO = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
HOSTILE = {
    "empty": (b"", "header"),
    "text": (b"hello", "header"),
    "ckpt": (FILES["dense.ckpt"], "header"),
    "header beyond the file": (file_of({"a": TWO}, b"", length=1 << 20), "header"),
    "huge header": (file_of({"a": TWO}, bytes(8), length=1 << 62), "header"),
    "not JSON": (file_of(b"{", b""), "header"),
    "not UTF-8": (file_of(b"\xff\xff", b""), "header"),
    "truncated": (file_of({"a": TWO}, bytes(7)), "header"),
    "something behind": (file_of({"a": TWO}, bytes(9)), "header"),
    "wrong size": (file_of({"a": TWO | {"shape": [3]}}, bytes(8)), "header"),
    "product wraps": (file_of({"a": TWO | {"shape": [1 << 62, 4]}}, bytes(8)), "header"),
    "negative": (file_of({"a": TWO | {"shape": [-2]}}, bytes(8)), "header"),
    "backwards": (file_of({"a": TWO | {"data_offsets": [8, 0]}}, bytes(8)), "header"),
    "overlap": (file_of({"a": TWO, "b": TWO}, bytes(8)), "header"),
    "unknown type": (file_of({"a": TWO | {"dtype": "F99"}}, bytes(8)), "F99"),
    "nested": (file_of({"a": {"b": TWO}}, bytes(8)), "header"),
    "metadata": (file_of({"__metadata__": {"format": 3}, "a": TWO}, bytes(8)), "header"),
    "truth value": (
        file_of({"a": {"dtype": "BOOL", "shape": [2], "data_offsets": [0, 2]}}, b"\x01\x02"),
        "In 'a': A truth value",
    ),
    "a type that agar lacks": (
        file_of({"a": {"dtype": "F8_E8M0", "shape": [2], "data_offsets": [0, 2]}}, b"ab"),
        "In 'a'",
    ),
}


@pytest.mark.parametrize(("data", "words"), HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_raise_one_clear_error(path: pathlib.Path, data: bytes, words: str) -> None:
    with pytest.raises(CheckpointFileError, match=words) as caught:
        load(path, data)
    assert isinstance(caught.value, ValueError)
    assert "content cannot be parsed" in str(caught.value)
    assert str(path) in str(caught.value)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, len(FILES["types.safetensors"]) - 1), st.binary(max_size=6)),
        min_size=1,
        max_size=3,
    ),
    st.integers(0, 6),
)
def test_a_damaged_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[int, bytes]], cut: int
) -> None:
    data = bytearray(FILES["types.safetensors"])
    for at, what in edits:
        data[at : at + max(len(what), cut)] = what
    path = tmp_path_factory.getbasetemp() / "damaged.safetensors"
    path.write_bytes(data)
    try:
        for _, value in read(path, crc=True):
            assert value.nbytes <= len(data)
    except CheckpointFileError:
        pass


# --- writing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entries", "error", "words"),
    [
        ([("a", torch.ones(1)), ("a", torch.ones(1))], ValueError, "named 'a'"),
        ([(3, torch.ones(1))], TypeError, "must be str"),
        ([("a", "text")], TypeError, "'a' .* must be a tensor .*format='ckpt'"),
        ([("a", torch.ones(1, dtype=torch.complex64))], TypeError, "complex64.*format='ckpt'"),
        ([("a", torch.ones(1).to(torch.float8_e8m0fnu))], TypeError, "float8_e8m0fnu"),
        ([("a", torch.ones(2).to_sparse())], TypeError, "sparse"),
        ([("__metadata__", torch.ones(2))], ValueError, "own word"),
        ([("\ud800", torch.ones(2))], ValueError, "cannot hold a name"),
    ],
)
def test_what_cannot_be_written_leaves_the_old_file(
    path: pathlib.Path, entries: list, error: type[Exception], words: str
) -> None:
    write(path, [("old", torch.ones(2))])
    with pytest.raises(error, match=words):
        write(path, [("first", torch.ones(LARGE)), *entries])
    assert_same(dict(read(path)), {"old": torch.ones(2)})
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("step", ["write", "fsync"])
def test_a_full_disk_leaves_the_old_file(
    path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    write(path, [("old", torch.ones(2))])

    def fail(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as m:
        if step == "write":
            m.setattr(_safetensors_codec, "raw_bytes", fail)  # the header is written by then
        else:
            m.setattr(_checkpoint_file.os, "fsync", fail)
        with pytest.raises(OSError, match="No space left"):
            write(path, [("new", torch.ones(2))])
    assert_same(dict(read(path)), {"old": torch.ones(2)})
    assert os.listdir(path.parent) == [path.name]


WRITER = """
import sys, torch
from agar.train import _safetensors_codec as codec

raw_bytes = codec.raw_bytes

def stop_at_the_second(value):
    if value.numel() == 5:
        print("writing", flush=True)
        sys.stdin.read()
    return raw_bytes(value)

codec.raw_bytes = stop_at_the_second
codec.write(sys.argv[1], [("a", torch.zeros(1 << 20)), ("b", torch.zeros(5))])
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_killed_process_leaves_the_old_file(path: pathlib.Path) -> None:
    write(path, [("old", torch.arange(5))], crc=True)
    kill_while_writing(path, WRITER)
    assert_same(dict(read(path, crc=True)), {"old": torch.arange(5)})
    write(path, [("new", torch.arange(6))])
    assert_same(dict(read(path)), {"new": torch.arange(6)})


@pytest.mark.skipif(os.name == "nt", reason="permission bits")
def test_a_read_only_file_of_mindspore_is_replaced_and_stays_private(path: pathlib.Path) -> None:
    path.write_bytes(FILES["dense.safetensors"])
    path.chmod(0o400)
    write(path, [("a", torch.ones(1))])
    assert list(dict(read(path))) == ["a"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o400


def test_missing_files(path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError):
        read(path)
    with pytest.raises(FileNotFoundError, match="create it first"):
        write(path.parent / "no" / "x.safetensors", [])
