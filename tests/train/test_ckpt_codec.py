"""The .ckpt codec: bytes against MindSpore's, hostile files, and writes that are cut short."""

from __future__ import annotations

import os
import pathlib
import stat
import zlib

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from agar.train import _checkpoint_file, _ckpt_codec
from agar.train._checkpoint_file import CheckpointFileError, replacing
from agar.train._ckpt_codec import read, read_names, write
from train.checkpoint_files import FILES, LARGE, assert_same, kill_while_writing, types


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "x.ckpt"


# --- a second, independent writer for files that `write` would not produce -------------------


def varint(n: int) -> bytes:
    out = b""
    while n > 127:
        out, n = out + bytes([n % 128 + 128]), n // 128
    return out + bytes([n])


def chunk(key: int, content: bytes) -> bytes:
    return bytes([key]) + varint(len(content)) + content


def tensor_message(dims: list[int], dtype: str, content: bytes) -> bytes:
    head = b"".join(b"\x08" + varint(d % 2**64) for d in dims)
    return head + chunk(0x12, dtype.encode()) + chunk(0x1A, content)


def entry(name: str | bytes, dims: list[int], dtype: str, content: bytes) -> bytes:
    tag = chunk(0x0A, name.encode() if isinstance(name, str) else name)
    return chunk(0x0A, tag + chunk(0x12, tensor_message(dims, dtype, content)))


def floats(*values: float) -> bytes:
    return np.array(values, "<f4").tobytes()


def load(path: pathlib.Path, data: bytes, **options: bool) -> dict:
    path.write_bytes(data)
    return dict(read(path, **options))


# --- MindSpore's bytes --------------------------------------------------------------------------


def test_dense_is_the_62_bytes_of_mindspore(path: pathlib.Path) -> None:
    recorded = FILES["dense.ckpt"]
    assert len(recorded) == 62
    weight, bias = load(path, recorded).values()
    assert weight.shape == (1, 2)
    torch.testing.assert_close(weight, torch.tensor([[0.4122728, -0.36132878]]))
    torch.testing.assert_close(bias, torch.tensor([-0.2829766]))
    write(path, [("weight", weight), ("bias", bias)])
    assert path.read_bytes() == recorded
    write(path, [("weight", weight), ("bias", bias)], crc=True)
    assert path.read_bytes() == FILES["dense_crc.ckpt"]


def test_every_type_is_read_and_written_as_mindspore_does(path: pathlib.Path) -> None:
    values: dict[str, torch.Tensor | str] = {**types()}
    values |= {"text": "héé€😀", "empty": "", "int": torch.tensor(-3)}
    values |= {"float": torch.tensor(2.5), "true": torch.tensor(True)}
    assert_same(load(path, FILES["types.ckpt"]), values)
    write(path, values.items())
    assert path.read_bytes() == FILES["types.ckpt"]


def test_an_encrypted_file_is_called_so(path: pathlib.Path) -> None:
    with pytest.raises(CheckpointFileError, match=r"may be corrupted.*encrypted \(AES-GCM\)"):
        load(path, FILES["encrypted.ckpt"])


def test_read_names_lists_without_reading(path: pathlib.Path) -> None:
    path.write_bytes(FILES["dense.ckpt"])
    assert read_names(path) == [
        ("weight", "Float32", (1, 2), ((27, 8),)),
        ("bias", "Float32", (1,), ((58, 4),)),
    ]
    assert read_names(path)[0].nbytes == 8


# --- round trips --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        torch.empty(0, 3),
        torch.empty(0, dtype=torch.int16),
        torch.tensor(True),
        torch.arange(6.0).reshape(2, 3).T,
        torch.tensor([1 + 2j, 3 - 4j]).conj(),
        torch.tensor([1 + 2j]).conj().imag,
        torch.ones(2, requires_grad=True),
        torch.tensor([[1j]], dtype=torch.complex128),
        torch.tensor([1.0, -2.0]).to(torch.float8_e4m3fn),
        torch.ones(1).expand(4, 5),
        torch.zeros([1] * 64),
        torch.arange(LARGE, dtype=torch.int32),
        torch.arange(LARGE) % 2 == 0,
        "a\nb",
        "",
    ],
    ids=repr,
)
def test_round_trip(path: pathlib.Path, value: torch.Tensor | str) -> None:
    write(path, [("a", value), ("b", value)], crc=True)
    expected = value if isinstance(value, str) else value.detach().resolve_conj().resolve_neg()
    assert_same(dict(read(path, crc=True)), {"a": expected, "b": expected})
    assert_same(dict(read(path, copy=True)), {"a": expected, "b": expected})


def test_large_tensors_are_views_of_the_file_that_never_reach_it(path: pathlib.Path) -> None:
    a, b = torch.arange(LARGE, dtype=torch.float64), torch.arange(3.0)
    write(path, [("b", b), ("a" * 77, a), ("c", a)])
    assert all(e.spans[0][0] % 64 == 0 for e in read_names(path) if e.nbytes >= LARGE)
    before = path.read_bytes()
    loaded = dict(read(path))
    for t in loaded.values():
        t.zero_()
    assert path.read_bytes() == before
    assert_same(dict(read(path)), {"b": b, "a" * 77: a, "c": a})

    entries = dict(read(path))
    write(path, [("other", b)])
    assert torch.equal(entries["c"], a)  # replacing the file does not change what was read from it


def test_copied_tensors_survive_overwriting_in_place(path: pathlib.Path) -> None:
    value = torch.arange(LARGE)
    write(path, [("a", value)])
    (_, loaded), *_ = read(path, copy=True)
    with open(path, "r+b") as file:
        file.write(bytes(path.stat().st_size))
    assert torch.equal(loaded, value)


def test_a_large_tensor_at_any_offset_is_read(path: pathlib.Path) -> None:
    content = np.arange(LARGE, dtype="<f8").tobytes()
    offsets = set()
    for n in range(1, 9):
        loaded = load(path, entry("n" * n, [LARGE], "Float64", content))
        assert_same(loaded, {"n" * n: torch.arange(LARGE, dtype=torch.float64)})
        assert loaded["n" * n].data_ptr() % 8 == 0
        offsets.add(read_names(path)[0].spans[0][0] % 8)
    assert offsets == set(range(8))


def test_a_value_above_the_slice_size_is_cut_and_joined(
    path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_ckpt_codec, "SLICE_BYTES", 16)
    values = {"a": torch.arange(10.0), "b": torch.arange(4.0), "c": torch.arange(5.0)}
    write(path, values.items(), crc=True)
    parts = [floats(*range(i, min(i + 4, n))) for n in (10, 4, 5) for i in range(0, n, 4)]
    tags = [("a", [10])] * 3 + [("b", [4])] + [("c", [5])] * 2
    body = b"".join(entry(t, d, "Float32", p) for (t, d), p in zip(tags, parts, strict=True))
    assert path.read_bytes()[:-17] == body
    assert_same(dict(read(path, crc=True)), values)
    assert [len(e.spans) for e in read_names(path)] == [3, 1, 2]
    with pytest.raises(ValueError, match="'t' is too long"):  # texts are not cut
        write(path, [("t", "12345")])


def test_packed_dims_and_both_ways_to_write_0d(path: pathlib.Path) -> None:
    packed = chunk(0x0A, b"\x02\x03") + chunk(0x12, b"Float32") + chunk(0x1A, floats(*range(6)))
    data = chunk(0x0A, chunk(0x0A, b"p") + chunk(0x12, packed))
    data += entry("none", [], "Float32", floats(1)) + entry("zero", [0], "Float32", floats(2))
    data += entry("empty", [0], "Float32", b"")
    loaded = load(path, data)
    expected = {"p": torch.arange(6.0).reshape(2, 3), "none": torch.tensor(1.0)}
    assert_same(loaded, expected | {"zero": torch.tensor(2.0), "empty": torch.empty(0)})


def test_fields_of_the_future_and_another_order_are_read(path: pathlib.Path) -> None:
    unknown = b"\x70\x05" + chunk(0x72, b"new") + b"\x75" + bytes(4) + b"\x71" + bytes(8)
    content, kind = chunk(0x1A, floats(7)), chunk(0x12, b"Float32")
    tensor = content + unknown + kind + b"\x08\x01" + unknown
    data = chunk(0x0A, unknown + chunk(0x12, tensor) + unknown + chunk(0x0A, b"x"))
    assert_same(load(path, data), {"x": torch.tensor([7.0])})


def test_an_empty_file_holds_nothing(path: pathlib.Path) -> None:
    assert load(path, b"") == {}
    write(path, [])
    assert read_names(path) == []


# --- checksums ----------------------------------------------------------------------------------


def test_a_wrong_checksum_is_an_error_only_when_asked(path: pathlib.Path) -> None:
    good = FILES["dense_crc.ckpt"]
    bad = good[:30] + bytes([good[30] ^ 1]) + good[31:]
    assert list(load(path, bad)) == ["weight", "bias"]
    with pytest.raises(CheckpointFileError, match=r"Failed to read the checkpoint file.*CRC"):
        load(path, bad, crc=True)
    assert list(load(path, good, crc=True)) == ["weight", "bias"]
    assert list(load(path, FILES["dense.ckpt"], crc=True)) == ["weight", "bias"]  # has none


def test_content_that_resembles_a_checksum_is_content(path: pathlib.Path) -> None:
    text = b"crc_num" + bytes(10)
    value = {"x": torch.tensor(list(text), dtype=torch.uint8)}
    write(path, value.items())
    assert path.read_bytes().endswith(text)
    assert_same(dict(read(path, crc=True)), value)
    write(path, value.items(), crc=True)
    assert int.from_bytes(path.read_bytes()[-10:], "big") == zlib.crc32(path.read_bytes()[:-17])
    assert_same(dict(read(path, crc=True)), value)


# --- hostile files ------------------------------------------------------------------------------

GOOD = entry("x", [3], "Float32", floats(1, 2, 3))
LONG = entry("y", [2], "Int64", bytes(16))
HUGE = 2**62


HOSTILE = {
    "truncated": (GOOD[:-3], "claims 30 bytes, but only 27 are left"),
    "ends in a length": (GOOD + b"\x0a", "ends inside a number"),
    "ends in a varint": (GOOD + b"\x0a\xff\xff", "ends inside a number"),
    "long varint": (b"\x0a" + b"\xff" * 12, "more than ten bytes"),
    "huge length": (b"\x0a" + varint(2**63) + b"x", "claims 9223372036854775808 bytes"),
    "text": (b"hello world", "no entry of a checkpoint"),
    "number for an entry": (b"\x08\x01", "no entry"),
    "unknown field": (GOOD + chunk(0x12, b"x"), "no entry"),
    "group": (b"\x0b\x0c", "no field"),
    "field 0": (chunk(0x02, b"x"), "no entry"),
    "empty entry": (b"\x0a\x00", "no name"),
    "no name": (chunk(0x0A, chunk(0x12, tensor_message([1], "Int8", b"x"))), "no name"),
    "number for a name": (
        chunk(0x0A, b"\x08\x01" + chunk(0x12, tensor_message([1], "Int8", b"x"))),
        "no name",
    ),
    "name not UTF-8": (entry(b"\xff\xfe", [1], "Int8", b"x"), "(?i)utf-8"),
    "no tensor": (chunk(0x0A, chunk(0x0A, b"x")), "'x' has no tensor"),
    "map parameter": (chunk(0x0A, chunk(0x0A, b"x") + chunk(0x1A, b"")), "map parameter"),
    "tensor cut": (chunk(0x0A, chunk(0x0A, b"x") + b"\x12\x7f"), "claims 127 bytes"),
    "two tensors": (
        chunk(0x0A, chunk(0x0A, b"x") + 2 * chunk(0x12, tensor_message([1], "Int8", b"x"))),
        "second time",
    ),
    "two contents": (
        chunk(
            0x0A,
            chunk(0x0A, b"x") + chunk(0x12, tensor_message([1], "Int8", b"x") + chunk(0x1A, b"y")),
        ),
        "second time",
    ),
    "no type": (chunk(0x0A, chunk(0x0A, b"x") + chunk(0x12, chunk(0x1A, b"y"))), "lacks"),
    "no content": (chunk(0x0A, chunk(0x0A, b"x") + chunk(0x12, b"\x08\x01")), "lacks"),
    "unknown type": (entry("x", [1], "Float33", floats(1)), "type 'Float33'"),
    "int4": (entry("x", [2], "Int4", b"x"), "type 'Int4'"),
    "type not UTF-8": (
        chunk(0x0A, chunk(0x0A, b"x") + chunk(0x12, chunk(0x12, b"\xff") + chunk(0x1A, b""))),
        "x",
    ),
    "negative dimension": (entry("x", [-1], "Float32", floats(1)), "impossible shape"),
    "too many dimensions": (entry("x", [1] * 65, "Float32", floats(1)), "impossible shape"),
    "huge shape": (entry("x", [HUGE, HUGE], "Int8", b"x"), "beyond any memory"),
    "huge empty shape": (entry("x", [0, HUGE, HUGE], "Int8", b""), "beyond any memory"),
    "huge claim": (entry("x", [2**40], "Int8", b"x"), "takes 1099511627776 bytes"),
    "product wraps": (entry("x", [2**32, 2**32], "Int8", b""), "beyond any memory"),
    "content short": (entry("x", [3], "Float32", floats(1, 2)), "takes 12 bytes"),
    "content long": (entry("x", [1], "Float32", floats(1, 2)), "has 8"),
    "0-d short": (entry("x", [], "Float32", b"ab"), "takes 4 bytes"),
    "piece missing": (entry("x", [3], "Float32", floats(1)) + LONG, "'x' .* has 4"),
    "pieces differ": (
        entry("x", [3], "Float32", floats(1)) + entry("x", [2], "Float32", floats(1)),
        "'x' .* has 4",
    ),
    "pieces too long": (2 * entry("x", [3], "Float32", floats(1, 2)), "has 16"),
    "same name": (GOOD + GOOD, "'x' occurs twice"),
    "same name later": (GOOD + LONG + GOOD, "'x' occurs twice"),
    "truth value": (entry("x", [2], "Bool", b"\x01\x02"), "neither 0 nor 1"),
    "text of 3 bytes": (entry("x", [0], "str", b"abc"), "'x'.*utf-32"),
    "text out of range": (entry("x", [0], "str", b"\xff\xff\xff\xff"), "'x'.*utf-32"),
    "text surrogate": (entry("x", [0], "str", b"\x00\xd8\x00\x00"), "'x'.*utf-32"),
    "endless head": (chunk(0x0A, b"\x70\x00" * 40000), "too much beside"),
    "zip": (b"PK\x03\x04" + bytes(30), "zip archive"),
    "pickle": (b"\x80\x02}q\x00.", "pickle"),
    "safetensors": (FILES["dense.safetensors"], "format='safetensors'"),
    "CBC": (b"\xd9\x5e\x3a\x7f" + bytes(30), "AES-CBC"),
    "tail only half": (GOOD + b"crc_num" + bytes(9), "no field"),
    "tail inside an entry": (chunk(0x0A, b"")[:1] + b"\x30" + b"crc_num" + bytes(10), "claims"),
}


@pytest.mark.parametrize(("data", "words"), HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_raise_one_clear_error(path: pathlib.Path, data: bytes, words: str) -> None:
    with pytest.raises(CheckpointFileError, match=words) as caught:
        load(path, data)
    assert isinstance(caught.value, ValueError)
    assert "content cannot be parsed" in str(caught.value)
    assert str(path) in str(caught.value)


def test_too_many_entries_are_refused_both_ways(
    path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_ckpt_codec, "_MAX_ENTRIES", 2)
    one = torch.ones(1)
    write(path, [("a", one), ("b", one)])
    assert len(read_names(path)) == 2
    with pytest.raises(ValueError, match="2 values, not more"):
        write(path, [("a", one), ("b", one), ("c", one)])
    assert len(read_names(path)) == 2
    with pytest.raises(CheckpointFileError, match="more than 2 entries"):
        load(path, 3 * entry("x", [3], "Float32", floats(1)))


def test_a_bad_file_gives_no_tensor_at_all(path: pathlib.Path) -> None:
    path.write_bytes(GOOD + b"\xff")
    with pytest.raises(CheckpointFileError):
        read(path)  # before the first value is asked for


BASE = (
    FILES["types.ckpt"]
    + entry("s", [3], "Float32", floats(1))
    + entry("s", [3], "Float32", floats(2, 3))
)


@settings(max_examples=300, deadline=None)
@given(
    edits=st.lists(
        st.tuples(
            st.sampled_from(["set", "cut", "insert"]),
            st.integers(0, len(BASE) - 1),
            st.binary(min_size=1, max_size=12),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_a_damaged_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, int, bytes]]
) -> None:
    data = bytearray(BASE)
    for how, at, what in edits:
        stop = {"set": at + len(what), "cut": at + len(what) ** 3, "insert": at}[how]
        data[at:stop] = b"" if how == "cut" else what
    path = tmp_path_factory.getbasetemp() / "damaged.ckpt"
    path.write_bytes(data)
    try:
        for _, value in read(path, crc=True):
            assert isinstance(value, str) or value.nbytes <= len(data)
    except CheckpointFileError:
        pass


@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.ckpt"
    path.write_bytes(data)
    try:
        assert sum(e.nbytes for e in read_names(path)) <= len(data)
        dict(read(path, crc=True))
    except CheckpointFileError:
        pass


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
        st.one_of(
            st.text(st.characters(exclude_categories=["Cs"]), max_size=5).map(
                lambda s: s.rstrip("\0")
            ),
            st.lists(st.integers(-128, 127), max_size=9).map(
                lambda v: torch.tensor(v, dtype=torch.int8)
            ),
        ),
        max_size=5,
    )
)
def test_any_names_and_texts_come_back(
    tmp_path_factory: pytest.TempPathFactory, values: dict
) -> None:
    path = tmp_path_factory.getbasetemp() / "names.ckpt"
    write(path, values.items(), crc=True)
    assert_same(dict(read(path, crc=True)), values)


# --- writing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entries", "error", "words"),
    [
        ([("a", torch.ones(1)), ("a", torch.ones(1))], ValueError, "named 'a'"),
        ([(3, torch.ones(1))], TypeError, "must be str"),
        ([("a", 3)], TypeError, "'a' .* must be a tensor .* int"),
        ([("a", np.ones(1))], TypeError, "must be a tensor .* ndarray"),
        ([("a", torch.ones(1).to(torch.float8_e8m0fnu))], TypeError, "float8_e8m0fnu"),
        ([("a", torch.ones(2).to_sparse())], TypeError, "sparse"),
        ([("a\ud800", torch.ones(1))], ValueError, "the name"),
        ([("a", "\ud800")], ValueError, "the text 'a'"),
        ([("a" * 70000, torch.ones(1))], ValueError, "70000 characters"),
        ([("a", torch.ones([1] * 65))], ValueError, "65 dimensions"),
    ],
)
def test_what_cannot_be_written_leaves_the_old_file(
    path: pathlib.Path, entries: list, error: type[Exception], words: str
) -> None:
    write(path, [("old", torch.ones(2))])
    with pytest.raises(error, match=words):
        write(path, [("first", torch.ones(LARGE)), *entries])
    assert_same(dict(read(path)), {"old": torch.ones(2)})
    assert os.listdir(path.parent) == ["x.ckpt"]


def test_an_exception_in_the_middle_leaves_the_old_file(path: pathlib.Path) -> None:
    write(path, [("old", torch.ones(2))])

    def entries():
        yield "a", torch.ones(LARGE)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(path, entries())
    assert_same(dict(read(path)), {"old": torch.ones(2)})
    assert os.listdir(path.parent) == ["x.ckpt"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_of_the_disk_leaves_the_old_file(
    path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    write(path, [("old", torch.ones(2))])

    def fail(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as m:
        m.setattr(_checkpoint_file.os, step, fail)
        with pytest.raises(OSError, match="No space left"):
            write(path, [("new", torch.ones(2))])
    assert_same(dict(read(path)), {"old": torch.ones(2)})
    assert os.listdir(path.parent) == ["x.ckpt"]


def test_content_is_on_the_disk_before_the_name_and_the_name_before_return(
    path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = []
    fsync, replace = os.fsync, os.replace

    def traced_fsync(fd: int) -> None:
        kind = os.fstat(fd)
        events.append(("sync", stat.S_ISDIR(kind.st_mode), kind.st_size))
        fsync(fd)

    def traced_replace(a: str, b: str) -> None:
        events.append("replace")
        assert os.path.dirname(a) == os.path.dirname(b)
        replace(a, b)

    monkeypatch.setattr(_checkpoint_file.os, "fsync", traced_fsync)
    monkeypatch.setattr(_checkpoint_file.os, "replace", traced_replace)
    write(path, [("a", torch.ones(100))])
    assert events[:2] == [("sync", False, path.stat().st_size), "replace"]
    assert [e[1] for e in events[2:]] == [True]


WRITER = """
import sys, torch
from agar.train import _ckpt_codec

def entries():
    yield "a", torch.zeros(1 << 20)
    print("writing", flush=True)
    sys.stdin.read()

_ckpt_codec.write(sys.argv[1], entries())
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_a_killed_process_leaves_the_old_file(path: pathlib.Path) -> None:
    write(path, [("old", torch.arange(5))], crc=True)
    kill_while_writing(path, WRITER)
    assert_same(dict(read(path, crc=True)), {"old": torch.arange(5)})
    write(path, [("new", torch.arange(6))])
    assert_same(dict(read(path)), {"new": torch.arange(6)})


# --- the file itself ----------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="permission bits")
def test_permissions(path: pathlib.Path) -> None:
    fresh = path.parent / "fresh"
    fresh.touch()

    def mode() -> int:
        return stat.S_IMODE(path.stat().st_mode)

    write(path, [])
    assert mode() == stat.S_IMODE(fresh.stat().st_mode)
    for hidden in (0o400, 0o600, 0o640):  # what its owner has hidden stays hidden
        path.chmod(hidden)
        write(path, [("a", torch.ones(1))])
        assert mode() == hidden


def test_a_link_is_followed(path: pathlib.Path) -> None:
    target = path.parent / "real.ckpt"
    try:
        path.symlink_to(target)
    except OSError:
        pytest.skip("no symbolic links here")
    write(path, [("a", torch.ones(1))])
    assert path.is_symlink()
    assert list(dict(read(target))) == ["a"]


def test_impossible_targets(path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError, match="create it first"):
        write(path.parent / "no" / "x.ckpt", [])
    path.mkdir()
    with pytest.raises(IsADirectoryError, match="directory"):
        write(path, [])
    with pytest.raises(FileNotFoundError):
        read(path.parent / "missing.ckpt")


def test_a_long_name_still_has_room_for_the_temporary_one(tmp_path: pathlib.Path) -> None:
    path = tmp_path / ("é" * 120 + ".ckpt")
    with replacing(path) as temp:
        pathlib.Path(temp).write_bytes(b"x")
    assert path.read_bytes() == b"x"
