"""TFRecord files into MindRecord; features are given as TensorFlow's FixedLenFeature has them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from agar._core.tfrecord import _example_class, record
from agar.mindrecord import FileReader, TFRecordToMR


def feature(shape, dtype, default_value=None):
    return SimpleNamespace(
        shape=shape, dtype=SimpleNamespace(name=dtype), default_value=default_value
    )


def message(**features):
    """A serialized ``tf.train.Example``."""
    result = _example_class()()
    for name, values in features.items():
        entry = result.features.feature.add()
        entry.key = name.replace("__", "/").encode()
        kind = {bytes: "bytes_list", float: "float_list", int: "int64_list"}[type(values[0])]
        getattr(entry.value, kind).value.extend(values)
    return result.SerializeToString()


@pytest.fixture
def files(tmp_path):
    source = tmp_path / "a.tfrecord"
    rows = [
        message(name=[f"n{i}".encode()], image__raw=[b"\xff\x00"], n=[i, -i], f=[0.5 + i], k=[i])
        for i in range(3)
    ]
    source.write_bytes(b"".join(map(record, rows)))
    return str(source), str(tmp_path / "a.mindrecord")


FEATURES = {
    "name": feature([], "string"),
    "image/raw": feature([], "string"),
    "n": feature([2], "int64"),
    "f": feature([], "float32"),
    "k": feature([1], "int64"),
    "other": feature([], "int64", 7),
}


def test_rows_are_those_of_the_examples(files: tuple[str, str]):
    converter = TFRecordToMR(*files, FEATURES, ["image/raw"])
    converter.transform()
    assert converter.mindrecord_schema == {
        "name": {"type": "string"},
        "image_raw": {"type": "bytes"},
        "n": {"type": "int64", "shape": [2]},
        "f": {"type": "float32"},
        "k": {"type": "int64", "shape": [1]},
        "other": {"type": "int64"},
    }
    items = list(FileReader(files[1]).get_next())
    assert [row["name"] for row in items] == ["n0", "n1", "n2"]
    assert bytes(items[2]["image_raw"]) == b"\xff\x00"
    assert np.array_equal(items[2]["n"], [2, -2])
    assert (items[2]["f"], items[2]["k"].tolist(), items[2]["other"]) == (2.5, [2], 7)
    assert len(list(converter.tfrecord_iterator())) == 3


@pytest.mark.parametrize(
    ("features", "pattern"),
    [
        ({"n": feature([3], "int64")}, "example 0 has 2 elements of 'n'"),
        ({"n": feature([2], "float32")}, "example 0 has 2 elements of 'n', or of another type"),
        ({"lost": feature([], "int64")}, "example 0 has 0 elements of 'lost'"),
    ],
)
def test_examples_of_another_form_raise(files: tuple[str, str], features, pattern):
    with pytest.raises(ValueError, match=pattern):
        TFRecordToMR(*files, features).transform()


@pytest.mark.parametrize(
    ("features", "fields", "pattern"),
    [
        (None, None, "None or not dict"),
        ({"n": SimpleNamespace(dtype="int64")}, None, "only support FixedLenFeature"),
        ({"n": feature([], "int8")}, None, "must be one of"),
        ({"n": feature([1, 2], "int64")}, None, r"shape must be \[\] or \[n\]"),
        ({"n": feature([2], "string")}, None, "must be a scalar"),
        ({"a b": feature([], "int64"), "a/b": feature([], "int64")}, None, "differ only in"),
        ({"n": feature([], "int64")}, ["n"], r"should be tf\.string"),
        ({"n": feature([], "int64")}, ["m"], "is not in feature_dict"),
        ({"n": feature([], "int64")}, "n", r"must be list\(str\)"),
    ],
)
def test_wrong_arguments_raise(files: tuple[str, str], features, fields, pattern):
    with pytest.raises(ValueError, match=pattern):
        TFRecordToMR(*files, features, fields)
    with pytest.raises(ValueError, match="source must be string"):
        TFRecordToMR(1, files[1], features)  # pyright: ignore[reportArgumentType]


def test_a_damaged_file_raises(files: tuple[str, str]):
    with open(files[0], "r+b") as file:
        file.seek(20)
        file.write(b"\x00\x01")
    with pytest.raises(RuntimeError, match="is damaged"):
        TFRecordToMR(*files, FEATURES).transform()
