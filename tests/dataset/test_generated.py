"""Random rows, and pictures with boundaries."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest
from PIL import Image

import agar as ms
from agar import dataset as ds


@pytest.fixture
def schema():
    result = ds.Schema()
    result.add_column("image", ms.uint8, [3])
    result.add_column("f", ms.float32, [2])
    result.add_column("l", ms.int32, [])
    return result


def _bytes(data):
    rows = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    return [[{*value.tobytes()} for value in row] for row in rows]


def test_random_rows_are_those_of_mindspore_and_stay(schema):
    ds.config.set_seed(7)
    data = ds.RandomDataset(total_rows=4, schema=schema)
    expected = [[19, 58, 199], [81, 112, 250], [185, 116, 250], [78, 137, 67]]
    assert _bytes(data) == _bytes(data) == [[{byte} for byte in row] for row in expected]
    assert data.output_shapes() == [[3], [2], []]
    assert [str(kind) for kind in data.output_types()] == ["uint8", "float32", "int32"]
    some = ds.RandomDataset(total_rows=2, schema=schema, columns_list=["f"])
    assert _bytes(some) == [[{19}], [{58}]]
    assert ds.RandomDataset(total_rows=4, schema=schema, num_samples=2).get_dataset_size() == 2


def test_random_rows_that_cannot_be(schema):
    with pytest.raises(NotImplementedError, match="give the columns with a dataset"):
        ds.RandomDataset(total_rows=2)
    with pytest.raises(NotImplementedError, match="another seed"):
        ds.RandomDataset(2, schema, num_shards=2, shard_id=0)
    with pytest.raises(ValueError, match="total_rows"):
        ds.RandomDataset(schema=schema)
    with pytest.raises(ValueError, match="'z' must be in the schema"):
        ds.RandomDataset(2, schema, ["z"])
    schema.add_column("any", ms.int32)
    with pytest.raises(ValueError, match="'any' must be in the schema, with a type of numbers"):
        ds.RandomDataset(2, schema)
    with pytest.raises(TypeError, match="Schema or a path"):
        ds.RandomDataset(2, 3)


# ----------------------------------------------------------------------------------- boundaries


@pytest.fixture
def boundaries(tmp_path):
    scipy_io = pytest.importorskip("scipy.io")
    sparse = pytest.importorskip("scipy.sparse")
    for folder in ("img", "cls"):
        (tmp_path / folder).mkdir()
    out = io.BytesIO()
    Image.fromarray(np.full((2, 3, 3), 9, np.uint8)).save(out, "JPEG")
    for name, category in (("a", 0), ("b", 19)):
        (tmp_path / "img" / f"{name}.jpg").write_bytes(out.getvalue())
        cells = np.empty((20, 1), object)
        for place in range(20):
            line = np.zeros((2, 3))
            line[0, 1] = place == category
            cells[place, 0] = sparse.csc_matrix(line)
        areas = np.full((2, 3), category, np.uint8)
        marks = {"Boundaries": cells, "Segmentation": areas}
        scipy_io.savemat(tmp_path / "cls" / f"{name}.mat", {"GTcls": marks})
    (tmp_path / "train.txt").write_text("a\n")
    (tmp_path / "val.txt").write_text("b\n")
    return tmp_path


def _rows(data):
    return list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))


def test_boundaries_and_areas(boundaries):
    data = ds.SBDataset(str(boundaries), shuffle=False)
    assert data.get_col_names() == ["image", "task"]
    (first, lines), (_, others) = _rows(data)
    assert (first.dtype, first.ndim, lines.shape, lines.dtype) == (
        np.uint8,
        1,
        (20, 2, 3),
        np.uint8,
    )
    assert (int(lines.sum()), int(lines[0, 0, 1]), int(others[19, 0, 1])) == (1, 1, 1)
    data = ds.SBDataset(str(boundaries), "Segmentation", "val", decode=True)
    ((image, areas),) = _rows(data)
    assert (image.shape, areas.tolist()) == ((2, 3, 3), [[19] * 3] * 2)


def test_boundaries_that_cannot_be_read(boundaries, monkeypatch):
    with pytest.raises(ValueError, match="task"):
        ds.SBDataset(str(boundaries), task="Lines")
    with pytest.raises((RuntimeError, FileNotFoundError), match="train_noval"):
        _rows(ds.SBDataset(str(boundaries), usage="train_noval"))
    (boundaries / "val.txt").write_text("../secret\n")  # a list leads to no other folder
    with pytest.raises((RuntimeError, ValueError), match="secret"):
        _rows(ds.SBDataset(str(boundaries), usage="val"))
    (boundaries / "val.txt").write_text("b\n")
    monkeypatch.setitem(sys.modules, "scipy.io", None)
    with pytest.raises((ImportError, RuntimeError), match="pip install scipy"):
        _rows(ds.SBDataset(str(boundaries)))
