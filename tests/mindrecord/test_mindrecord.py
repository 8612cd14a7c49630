"""MindRecord files: byte by byte as MindSpore 2.10 writes them, and read back."""

from __future__ import annotations

import gc
import gzip
import hashlib
import io
import json
import os
import pickle
import sqlite3
import struct

import numpy as np
import pytest

from agar import mindrecord
from agar.dataset import MindDataset
from agar.mindrecord import FileReader, FileWriter, MindPage
from agar.mindrecord._format import _pack, _unpack, pack_array, unpack_array
from agar.mindrecord.common import exceptions
from agar.mindrecord.filereader import Records

SMALL = {"data": {"type": "bytes"}, "s": {"type": "string"}, "k": {"type": "int64"}}
KINDS = {
    "a": {"type": "int32"},
    "b": {"type": "int64"},
    "c": {"type": "float32"},
    "d": {"type": "float64"},
    "e": {"type": "string"},
    "i32": {"type": "int32", "shape": [-1]},
    "i64": {"type": "int64", "shape": [-1]},
    "f32": {"type": "float32", "shape": [-1]},
    "f64": {"type": "float64", "shape": [-1]},
}


def writer(path, schema, description=None, files=1, small=True, **options):
    file_writer = FileWriter(str(path), files, **options)
    if small:
        file_writer.set_header_size(1 << 14)
        file_writer.set_page_size(1 << 15)
    file_writer.add_schema(schema, description)
    return file_writer


def rows_of(path, **options):
    path = path if isinstance(path, list) else str(path)
    return list(FileReader(path, **options).get_next())


def kinds_row(a, b, c, d, e, i32, i64, f32, f64):
    return {
        "a": a,
        "b": b,
        "c": c,
        "d": d,
        "e": e,
        "i32": np.array(i32, np.int32),
        "i64": np.array(i64, np.int64),
        "f32": np.array(f32, np.float32),
        "f64": np.array(f64, np.float64),
    }


FIRST = [
    kinds_row(-1, 2**40, 0.1, 1e300, "ü", [1, 2], [1, 2**40], [0.1], [0.1]),
    kinds_row(200, 70000, 2.0, -2.5, "", [100000, -2], [300, -2], [], [[0.1]]),
]
MORE = [kinds_row(7, 7, 0.5, 1e-300, "z", [1], [1], [1], [0.1])]


def write_images(path):
    file_writer = FileWriter(str(path))
    schema = {
        "file_name": {"type": "string"},
        "label": {"type": "int32"},
        "f": {"type": "float64"},
        "data": {"type": "bytes"},
        "vec": {"type": "float32", "shape": [-1]},
        "m": {"type": "int64", "shape": [2, 2]},
    }
    file_writer.add_schema(schema, "my schema")
    file_writer.add_index(["file_name", "label"])
    file_writer.write_raw_data(
        [
            {
                "file_name": f"img{i}.jpg",
                "label": i,
                "f": i / 3,
                "data": bytes([65 + i]) * (5 + i),
                "vec": np.arange(i + 1, dtype=np.float32),
                "m": np.arange(4).reshape(2, 2) + i,
            }
            for i in range(5)
        ]
    )
    file_writer.commit()


def write_small(path):
    result = writer(path, SMALL, "small")
    for _ in range(4):
        result.write_raw_data(
            [{"data": bytes([i]) * 3000, "s": "x" * 1000, "k": -i * 10**9} for i in range(10)]
        )
    result.commit()


def write_kinds(path):
    result = writer(path, KINDS)
    result.write_raw_data([dict(row) for row in FIRST])
    result.commit()
    result = FileWriter.open_for_append(str(path))
    result.write_raw_data([dict(row) for row in MORE])
    result.commit()


def calls(sizes, blob, raw):
    def write(path):
        result = writer(path, SMALL, "small")
        result.add_index(["k"])
        n = 0
        for size in sizes:
            result.write_raw_data(
                [{"data": bytes([i]) * blob, "s": "x" * raw, "k": n + i} for i in range(size)]
            )
            n += size
        result.commit()

    return write


def write_integers(path):
    result = writer(path, {"v": {"type": "int64", "shape": [-1]}, "k": {"type": "int32"}})
    result.write_raw_data([{"k": 0, "v": np.array([1, 2, 3, 4, 5, 600, 7, 8, 2**35, -1])}])
    result.commit()


# sha256 of the files that MindSpore 2.10 writes of the same rows
DIGESTS = {
    "a": "0fe464ca5ea3116310dce8f6ca497b3579d15ec7152cafb833af396e773f5d6e",
    "c": "15fa41e7ebdcb54d015f0499c58c49ad2856b39562e0ebe1fabdab0e4dd0e35d",
    "d": "a78c7d664652c53eeb14a024cd336430cc1d8cc272378e4f6b68cb585e440451",
    "h": "da838172b8a703fd18368a6b02166d4a711f2f2cd051702c294c5227b7040f0c",
    "i": "212b964f77ec58fab15858fc8ac55a1a970de8c39abb00d3b50242a8fc0adb68",
    "j": "0abbce67c47895395b23ec02ffbb4d44d4f9de79c02521debdbd15b6e672011f",
    "k": "cbfdacbd0c00ec3124070e2f17bb482d5271d748769c252df1d20a0081f78a07",
}
WRITERS = {
    "a": write_images,
    "c": write_small,
    "d": write_kinds,
    "h": calls([25], 3000, 1000),
    "i": calls([3] * 9, 3000, 5000),
    "j": calls([5, 6, 7, 1, 30], 2000, 9000),
    "k": write_integers,
}


@pytest.mark.parametrize("name", WRITERS)
def test_the_bytes_are_those_of_mindspore(tmp_path, name):
    path = tmp_path / f"{name}.mindrecord"
    WRITERS[name](path)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == DIGESTS[name]
    assert sorted(os.listdir(tmp_path)) == [f"{name}.mindrecord", f"{name}.mindrecord.db"]


def test_the_index_is_that_of_mindspore(tmp_path):
    path = tmp_path / "d.mindrecord"
    write_kinds(path)
    base = sqlite3.connect(f"{path}.db")
    assert list(base.execute("SELECT * FROM INDEXES")) == [
        (0, 1, 0, 50, 0, 0, 0, 73, 0, -1, 0, 2**40, 0, 0.1, 0, 1e300, 0, "ü"),
        (1, 1, 50, 87, 0, 0, 73, 139, 0, 200, 0, 70000, 0, 2.0, 0, -2.5, 0, ""),
        (2, 1, 87, 124, 0, 0, 139, 203, 0, 7, 0, 7, 0, 0.5, 0, 1e-300, 0, "z"),
    ]
    assert list(base.execute("SELECT * FROM SHARD_NAME")) == [("d.mindrecord",)]
    kinds = {row[1]: row[2] for row in base.execute("PRAGMA table_info(INDEXES)")}
    base.close()
    assert [kinds[n] for n in ("a_0", "b_0", "c_0", "d_0", "e_0", "INC_4")] == [
        "INTEGER",
        "INTEGER",
        "REAL",
        "REAL",
        "TEXT",
        "INT",
    ]


def test_rows_come_back(tmp_path):
    path = tmp_path / "d.mindrecord"
    write_kinds(path)
    result = rows_of(path)
    for row, expected in zip(result, FIRST + MORE, strict=True):
        assert list(row) == ["a", "b", "c", "d", "e", "f32", "f64", "i32", "i64"]
        for name, value in expected.items():
            if isinstance(value, np.ndarray):
                assert row[name].dtype == value.dtype
                assert np.array_equal(row[name], value.reshape(-1))
            else:
                assert row[name] == value
                assert type(row[name]) is type(value)


@pytest.mark.parametrize("index", [True, False])
def test_several_files(tmp_path, index):
    path = tmp_path / "e.mindrecord"
    result = writer(path, {"k": {"type": "int64"}}, files=3)
    result.write_raw_data([{"k": i} for i in range(7)])
    result.write_raw_data([{"k": i} for i in range(7, 11)])
    result.commit()
    files = [f"{path}{i}" for i in range(3)]
    counts = []
    for file in files:
        if not index:
            os.remove(f"{file}.db")
        counts.append(len(rows_of([file])))
    assert sorted(counts) == [3, 4, 4]
    assert sorted(row["k"] for row in rows_of(files[1])) == list(range(11))
    with pytest.raises(RuntimeError, match="does not exist"):
        FileReader(str(path))
    os.rename(files[2], tmp_path / "other")
    with pytest.raises(RuntimeError, match="are missing"):
        FileReader(files[0])
    assert len(rows_of(files[:2])) == sum(counts[:2])


def test_columns_and_places(tmp_path):
    path = tmp_path / "a.mindrecord"
    write_images(path)
    reader = FileReader(str(path), columns=["label", "data"])
    assert reader.len() == 5
    assert next(reader.get_next()) == {"label": 0, "data": b"AAAAA"}
    assert reader.schema()["m"] == {"shape": [2, 2], "type": "int64"}
    reader.close()
    records = Records(str(path))
    assert records[3]["m"].tolist() == [[3, 4], [5, 6]]
    with pytest.raises(IndexError):
        records[5]
    again = pickle.loads(pickle.dumps(records))
    assert again[4]["file_name"] == "img4.jpg"


def test_pages_by_category(tmp_path):
    path = tmp_path / "a.mindrecord"
    write_images(path)
    page = MindPage(str(path))
    assert page.candidate_fields == ["file_name", "label"]
    with pytest.raises(exceptions.MRMReadCategoryInfoError):
        page.read_category_info()
    page.category_field = "file_name"
    assert json.loads(page.read_category_info()) == {
        "categories": [{"count": 1, "id": i, "name": f"img{i}.jpg"} for i in range(5)],
        "key": "file_name_0",
    }
    assert page.read_at_page_by_id(0, 0, 1)[0]["label"] == 0
    assert page.read_at_page_by_name("img3.jpg", 0, 1)[0]["data"] == b"DDDDDDDD"
    assert page.read_at_page_by_name("img3.jpg", 1, 1) == []
    page.category_field = "label"
    assert json.loads(page.read_category_info())["key"] == "label_0"
    with pytest.raises(exceptions.MRMDefineCategoryError, match="'m'"):
        page.category_field = "m"
    with pytest.raises(exceptions.MRMFetchDataError, match="no category 7"):
        page.read_at_page_by_id(7, 0, 1)
    with pytest.raises(exceptions.MRMFetchDataError, match="'x'"):
        page.read_at_page_by_name("x", 0, 1)
    for wrong in ((-1, 0, 1), (0, -1, 1), (0, 0, 0)):
        with pytest.raises(exceptions.ParamValueError):
            page.read_at_page_by_id(*wrong)


def test_empty_values(tmp_path):
    path = tmp_path / "m.mindrecord"
    schema = {"v": {"type": "int64", "shape": [-1]}, "b": {"type": "bytes"}}
    result = writer(path, schema)
    result.write_raw_data(
        [{"v": np.array([], np.int64), "b": b"x"}, {"v": np.array([1]), "b": b""}]
    )
    result.commit()
    first, second = rows_of(path)
    assert (first["v"].tolist(), first["b"]) == ([], b"x")
    assert (second["v"].tolist(), second["b"]) == ([1], b"")
    none = writer(tmp_path / "none.mindrecord", schema)
    none.commit()
    assert rows_of(tmp_path / "none.mindrecord") == []


def test_rows_that_do_not_fit_are_left_out(tmp_path, caplog):
    path = tmp_path / "n.mindrecord"
    schema = {"k": {"type": "int64"}, "v": {"type": "float32", "shape": [2]}}
    good = {"k": 1, "v": np.ones(2, np.float32)}
    bad = [
        {"k": 1},
        {**good, "k": 1.5},
        {**good, "k": True},
        {**good, "v": np.ones(2)},
        {**good, "v": np.ones(3, np.float32)},
        {**good, "v": 1.0},
    ]
    result = writer(path, schema)
    result.write_raw_data([*bad, good])
    result.commit()
    assert len(rows_of(path)) == 1
    assert caplog.text.count("is left out") == len(bad)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "empty"),
        ([1], "should be dict"),
        ({"a b": {"type": "int32"}}, "'a b'"),
        ({"a": {"type": "int8"}}, "illegal attribute 'int8'"),
        ({"a": {"type": "string", "shape": [1]}}, "illegal attribute 'string'"),
        ({"a": {"type": "int32", "shape": 3}}, "illegal attribute '3'"),
        ({"a": {"type": "int32", "size": 3}}, "illegal"),
        ({"a": "int32"}, "'a' should be dict"),
    ],
)
def test_wrong_schemas(tmp_path, schema, words):
    with pytest.raises(exceptions.MRMInvalidSchemaError, match=words):
        FileWriter(str(tmp_path / "x")).add_schema(schema)


def test_wrong_arguments(tmp_path):
    path = str(tmp_path / "x.mindrecord")
    for wrong in ("", "a/", 3, "a*b", " a"):
        with pytest.raises(exceptions.ParamValueError):
            FileWriter(wrong)
    for wrong in (0, 1001, "2", None, True):
        with pytest.raises(exceptions.ParamValueError, match="shard_num"):
            FileWriter(path, wrong)
    file_writer = FileWriter(path)
    with pytest.raises(exceptions.MRMGetMetaError):
        file_writer.add_index(["a"])
    with pytest.raises(RuntimeError, match="add_schema"):
        file_writer.write_raw_data([{"a": 1}])
    with pytest.raises(RuntimeError, match="page size: 5"):
        file_writer.set_page_size(5)
    with pytest.raises(RuntimeError, match="header size"):
        file_writer.set_header_size(1 << 30)
    file_writer.add_schema({"a": {"type": "int32"}, "b": {"type": "bytes"}})
    with pytest.raises(exceptions.MRMDefineIndexError, match="primitive"):
        file_writer.add_index(["b"])
    with pytest.raises(exceptions.MRMDefineIndexError, match="no field c"):
        file_writer.add_index(["c"])
    with pytest.raises(exceptions.ParamTypeError):
        file_writer.add_index("a")
    with pytest.raises(exceptions.ParamTypeError):
        file_writer.write_raw_data({"a": 1})
    with pytest.raises(exceptions.ParamTypeError):
        file_writer.write_raw_data([1])
    with pytest.raises(exceptions.MRMOpenForAppendError, match=r"x\.mindrecord"):
        FileWriter.open_for_append(path)
    for wrong in (0, None, "4"):
        with pytest.raises(exceptions.ParamValueError, match="num_consumer"):
            FileReader(path, wrong)
    assert os.listdir(tmp_path) == []


def test_files_are_not_lost(tmp_path):
    path = tmp_path / "d.mindrecord"
    write_kinds(path)
    before = path.read_bytes()
    result = writer(path, {"k": {"type": "int64"}})
    with pytest.raises(RuntimeError, match="overwrite=True"):
        result.write_raw_data([{"k": 1}])
    result = writer(path, {"k": {"type": "int64"}}, overwrite=True)
    result.write_raw_data([{"k": 1}])
    assert path.read_bytes() == before  # until it is complete
    del result
    assert sorted(os.listdir(tmp_path)) == ["d.mindrecord", "d.mindrecord.db"]
    result = FileWriter.open_for_append(str(path))
    result.write_raw_data([dict(MORE[0])])
    assert path.read_bytes() == before
    result.commit()
    result.commit()
    assert len(rows_of(path)) == 4
    with pytest.raises(RuntimeError, match="completed"):
        result.write_raw_data([dict(MORE[0])])


def test_too_large(tmp_path):
    result = writer(tmp_path / "x.mindrecord", SMALL)
    with pytest.raises(RuntimeError, match="set_page_size"):
        result.write_raw_data([{"data": bytes(1 << 15), "s": "", "k": 0}])
    for _ in range(60):
        result.write_raw_data([{"data": bytes(20000), "s": "", "k": 0}] * 3)
    with pytest.raises(exceptions.MRMSetHeaderError, match="set_header_size"):
        result.commit()


def test_damaged_files(tmp_path):
    path = tmp_path / "d.mindrecord"
    write_kinds(path)
    whole = path.read_bytes()
    for broken in (b"", b"no record", whole[:100], struct.pack("<Q", 1 << 40) + whole[8:]):
        path.write_bytes(broken)
        with pytest.raises(ValueError, match="not a MindRecord file"):
            FileReader(str(path))
    path.write_bytes(whole[:-60])
    with pytest.raises(ValueError, match="damaged"):
        rows_of(path)
    path.write_bytes(whole)
    (tmp_path / "d.mindrecord.db").write_bytes(b"no index" * 100)
    with pytest.raises(ValueError, match=r"d\.mindrecord\.db"):
        FileReader(str(path))


@pytest.fixture
def key():
    mindrecord.set_enc_key("0123456789012345")
    yield
    mindrecord.set_enc_key(None)
    mindrecord.set_enc_mode("AES-GCM")
    mindrecord.set_dec_mode("AES-GCM")


def test_wrong_keys_and_modes(key):
    for wrong in (b"0123456789012345", "short"):
        with pytest.raises(ValueError, match="enc_key"):
            mindrecord.set_enc_key(wrong)
    with pytest.raises(ValueError, match="enc_mode"):
        mindrecord.set_enc_mode("ROT13")


@pytest.mark.parametrize("mode", ["AES-GCM", "SM4-CBC"])
def test_encrypted_files(mode, key, tmp_path):
    mindrecord.set_enc_mode(mode)
    mindrecord.set_dec_mode(mode)
    path = tmp_path / "e.mindrecord"
    write_labels(path)
    encrypted = rows_of(path)
    for name in ("e.mindrecord", "e.mindrecord.db"):
        content = (tmp_path / name).read_bytes()
        # MindSpore's form: the length of a block, its mark, and at the end the mode
        length = int.from_bytes(content[:4], "big")
        assert content[4:8] == (b"\xd8" if mode == "AES-GCM" else b"\xda") + b"\x5e\x3a\x7f"
        assert content[4 + length :] == bytes(4) + mode.encode() + b"ENCRYPT"
    again = MindDataset(str(path), shuffle=False, num_parallel_workers=2)
    assert again.get_dataset_size() == len(encrypted)
    assert len(list(again)) == len(encrypted)
    other = "SM4-CBC" if mode == "AES-GCM" else "AES-GCM"
    mindrecord.set_dec_mode(other)
    with pytest.raises(RuntimeError, match=rf"encrypted with '{mode}', but .* '{other}'"):
        FileReader(str(path))
    mindrecord.set_dec_mode(None)  # as it is encrypted
    assert len(rows_of(path)) == len(encrypted)
    mindrecord.set_enc_key("x" * 16)
    with pytest.raises(RuntimeError, match=r"cannot be decrypted|damaged"):
        FileReader(str(path))
    mindrecord.set_enc_key(None)
    with pytest.raises(RuntimeError, match=r"is encrypted: call mindrecord\.set_enc_key"):
        FileReader(str(path))
    write_labels(tmp_path / "plain.mindrecord")
    plain = rows_of(tmp_path / "plain.mindrecord")
    assert str(plain) == str(encrypted)
    mindrecord.set_enc_key("0123456789012345")
    with pytest.raises(RuntimeError, match="is not encrypted"):
        FileReader(str(tmp_path / "plain.mindrecord"))
    with pytest.raises(NotImplementedError, match="rows cannot be added"):
        FileWriter.open_for_append(str(path))


def test_damaged_encrypted_files(key, tmp_path):
    path = tmp_path / "e.mindrecord"
    write_labels(path)
    content = path.read_bytes()
    trailer = bytes(4) + b"AES-GCMENCRYPT"
    for bad in (
        trailer,
        b"ENCRYPT",
        content[: len(content) // 2] + trailer,
        b"\xff" * 4 + content[4:],
        content[:100] + b"?" + content[101:],
    ):
        path.write_bytes(bad)
        with pytest.raises((RuntimeError, ValueError), match=r"e\.mindrecord"):
            FileReader(str(path))


def test_a_function_of_the_program_encrypts(key, tmp_path):
    def lock(source, size, target, key):
        target.write(bytes(byte ^ 7 for byte in source.read(size)))

    def unlock(source, size, target, key):
        # the size counts the length of 0 and the name of the mode
        target.write(bytes(byte ^ 7 for byte in source.read(size - 11)))

    mindrecord.set_enc_mode(lock)
    mindrecord.set_dec_mode(unlock)
    path = tmp_path / "f.mindrecord"
    write_labels(path)
    assert path.read_bytes().endswith(bytes(4) + b"UDF-ENCENCRYPT")
    assert [row["label"] for row in rows_of(path)] == [3, 4]


def write_labels(path):
    file_writer = FileWriter(str(path))
    file_writer.add_schema({"label": {"type": "int32"}})
    file_writer.write_raw_data([{"label": 3}, {"label": 4}])
    file_writer.commit()


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_arrays(dtype):
    dice = np.random.default_rng(0)
    for size in (0, 1, 3, 4, 5, 17):
        values = (dice.standard_normal(size) * 10.0 ** dice.integers(0, 9, size)).astype(dtype)
        assert np.array_equal(unpack_array(pack_array(values), np.dtype(dtype)), values)
    if dtype.startswith("int"):
        limits = np.array([np.iinfo(dtype).min, np.iinfo(dtype).max, -128, 127, -129, 128], dtype)
        assert np.array_equal(unpack_array(pack_array(limits), np.dtype(dtype)), limits)


def test_message_pack():
    values = [0, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**63 - 1]
    values += [-1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, -(2**63)]
    for value in [*values, 0.5, 0.1, 1e300, -2.0, "", "x" * 31, "x" * 32, "x" * 300, "ü" * 70000]:
        data = _pack({"v": value, **{f"k{i}": i for i in range(20)}})
        result = _unpack(data)
        assert result["v"] == value
        assert type(result["v"]) is type(value)
    assert len(_pack({"v": 0.5})) == 3 + 5
    assert len(_pack({"v": 0.1})) == 3 + 9


def test_error_numbers():
    assert exceptions.MRMOpenError().error_code == 1347690596
    assert exceptions.MRMDefineCategoryError("x").error_code == 1347694797
    assert str(exceptions.ParamTypeError("raw_data", "list")) == (
        "[ParamTypeError]: Invalid parameter type. 'raw_data' expect list type."
    )


# ----------------------------------------------------------------------------------- converters


def image(data):
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(data)))


def test_csv(tmp_path):
    text = tmp_path / "a.csv"
    text.write_text("name,age,size\nAda,36,1.5\nBob,7,2\n")
    target = tmp_path / "a.mindrecord"
    assert mindrecord.CsvToMR(str(text), str(target)).transform() == mindrecord.SUCCESS
    assert rows_of(target) == [
        {"age": 36, "name": "Ada", "size": 1.5},
        {"age": 7, "name": "Bob", "size": 2.0},
    ]
    part = tmp_path / "b.mindrecord"
    mindrecord.CsvToMR(str(text), str(part), ["age"]).transform()
    assert rows_of(part) == [{"age": 36}, {"age": 7}]
    with pytest.raises(RuntimeError, match="height"):
        mindrecord.CsvToMR(str(text), str(part), ["height"]).transform()


def test_mnist(tmp_path):
    pictures = np.random.default_rng(0).integers(0, 255, (3, 28, 28)).astype(np.uint8)
    for start in ("train", "t10k"):
        with gzip.open(tmp_path / f"{start}-images-idx3-ubyte.gz", "wb") as file:
            file.write(struct.pack(">4I", 0x803, 3, 28, 28) + pictures.tobytes())
        with gzip.open(tmp_path / f"{start}-labels-idx1-ubyte.gz", "wb") as file:
            file.write(struct.pack(">2I", 0x801, 3) + bytes([7, 8, 9]))
    mindrecord.MnistToMR(str(tmp_path), str(tmp_path / "m")).transform()
    rows = rows_of(tmp_path / "m_test.mindrecord")
    assert [row["label"] for row in rows] == [7, 8, 9]
    assert np.abs(image(rows[1]["data"]).astype(int) - pictures[1]).mean() < 8
    assert len(rows_of(tmp_path / "m_train.mindrecord")) == 3


def test_cifar(tmp_path):
    data = np.random.default_rng(0).integers(0, 255, (2, 3072)).astype(np.uint8)
    for name in ("data_batch_1", "data_batch_2", "test_batch"):
        content = {"data": data, "labels": [3, 4]}
        (tmp_path / name).write_bytes(pickle.dumps(content, protocol=2))
    mindrecord.Cifar10ToMR(str(tmp_path), str(tmp_path / "c10")).transform()
    rows = rows_of(tmp_path / "c10")
    assert [(row["id"], row["label"]) for row in rows] == [(0, 3), (1, 4), (2, 3), (3, 4)]
    assert image(rows[0]["data"]).shape == (32, 32, 3)
    assert len(rows_of(tmp_path / "c10_test")) == 2
    for name in ("train", "test"):
        content = {"data": data, "fine_labels": [3, 4], "coarse_labels": [0, 1]}
        (tmp_path / name).write_bytes(pickle.dumps(content, protocol=2))
    mindrecord.Cifar100ToMR(str(tmp_path), str(tmp_path / "c100")).transform(["fine_label"])
    row = rows_of(tmp_path / "c100")[1]
    assert (row["fine_label"], row["coarse_label"]) == (4, 1)


class Bomb:
    def __reduce__(self):
        return os.system, ("false",)


def test_a_pickle_runs_no_code(tmp_path):
    for name in ("data_batch_1", "test_batch"):
        (tmp_path / name).write_bytes(pickle.dumps({"data": Bomb()}))
    with pytest.raises(ValueError, match="system"):
        mindrecord.Cifar10ToMR(str(tmp_path), str(tmp_path / "c10")).transform()


def test_folders_of_images(tmp_path):
    for name, label in (("cat", 0), ("dog", 5)):
        folder = tmp_path / "images" / name
        folder.mkdir(parents=True)
        for i in range(2):
            (folder / f"{i}.jpg").write_bytes(f"{name}{label}{i}".encode())
        (folder / "notes.txt").write_text("no image")
    classes = tmp_path / "classes"
    classes.write_text("cat 0\ndog 5\nbird 6\n")
    target = tmp_path / "i.mindrecord"
    result = mindrecord.ImageNetToMR(str(classes), str(tmp_path / "images"), str(target))
    result.transform()
    items = [(row["label"], row["image"]) for row in rows_of(target)]
    assert items == [(0, b"cat00"), (0, b"cat01"), (5, b"dog50"), (5, b"dog51")]
    classes.write_text("cat\n")
    with pytest.raises(ValueError, match="line 1"):
        result.transform()


def test_decrypted_content_does_not_stay(key, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    write_labels(tmp_path / "e.mindrecord")
    records = Records(str(tmp_path / "e.mindrecord"))
    assert len(list((tmp_path / "temporary").glob("*/*"))) == 2
    assert records[1] == {"label": 4}
    records.close()
    del records
    gc.collect()
    assert not list((tmp_path / "temporary").iterdir())


def test_what_cannot_be_encrypted_does_not_stay(key, tmp_path):
    def fail(source, size, target, key):
        raise OSError("no")

    mindrecord.set_enc_mode(fail)
    with pytest.raises(OSError, match="no"):
        write_labels(tmp_path / "e.mindrecord")
    assert not list(tmp_path.glob("e.mindrecord*"))
