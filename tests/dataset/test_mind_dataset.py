"""MindDataset: rows and orders as recorded with MindSpore 2.10 for the seed 7."""

from __future__ import annotations

import numpy as np
import pytest

import agar.dataset as ds
from agar.mindrecord import FileWriter

E1 = [12, 21, 9, 23, 14, 13, 15, 17, 2, 19, 4, 22, 5, 7, 0, 18, 10, 3, 24, 11, 1, 6, 20, 8, 16]
E2 = [24, 18, 3, 14, 16, 1, 9, 19, 11, 6, 4, 22, 10, 0, 15, 17, 8, 21, 2, 5, 7, 20, 12, 23, 13]
E3 = [3, 16, 22, 10, 23, 2, 5, 14, 12, 1, 8, 9, 17, 11, 21, 4, 13, 18, 20, 7, 0, 24, 15, 19, 6]


def write(path, rows, schema):
    writer = FileWriter(str(path))
    writer.set_header_size(1 << 14)
    writer.set_page_size(1 << 15)
    writer.add_schema(schema)
    writer.write_raw_data(rows)
    writer.commit()
    return str(path)


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    path = tmp_path_factory.mktemp("one") / "h.mindrecord"
    return write(path, [{"k": i} for i in range(25)], {"k": {"type": "int64"}})


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    folder = tmp_path_factory.mktemp("three")
    parts = ([0, 1, 7, 8], [2, 3, 4, 9], [5, 6, 10])
    return [
        write(folder / f"e{i}", [{"k": k} for k in part], {"k": {"type": "int64"}})
        for i, part in enumerate(parts)
    ]


@pytest.fixture(autouse=True)
def seed():
    before = ds.config.get_seed()
    ds.config.set_seed(7)
    yield
    ds.config.set_seed(before)


def epochs(number, files, **options):
    data = ds.MindDataset(files, ["k"], **options)
    rows = data.create_tuple_iterator(num_epochs=number, output_numpy=True)
    items = [[int(k) for (k,) in rows] for _ in range(number)]
    assert data.get_dataset_size() == len(items[0])
    return items


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [E1, E2, E3]),
        ({"shuffle": True}, [E1, E2]),
        ({"shuffle": ds.Shuffle.GLOBAL}, [E1, E2]),
        ({"shuffle": False}, [list(range(25))] * 2),
        ({"shuffle": False, "num_samples": 4}, [[0, 1, 2, 3]] * 2),
        ({"shuffle": False, "num_shards": 4, "shard_id": 1}, [[1, 5, 9, 13, 17, 21, 0]] * 2),
        ({"shuffle": False, "num_shards": 4, "shard_id": 3}, [[3, 7, 11, 15, 19, 23, 2]] * 2),
        ({"num_shards": 4, "shard_id": 3}, [[23, 17, 22, 18, 11, 8, 9], [4, 9, 11, 7, 12, 3, 17]]),
        ({"sampler": ds.SequentialSampler(3, 5)}, [[3, 4, 5, 6, 7]] * 2),
        ({"sampler": ds.RandomSampler()}, [E1, E2]),
        (
            {"sampler": ds.RandomSampler(num_samples=6)},
            [[12, 21, 9, 23, 14, 13], [13, 12, 23, 21, 14, 9]],
        ),
        ({"sampler": ds.SubsetRandomSampler([3, 1, 2, 9])}, [[9, 3, 1, 2]] * 2),
        ({"sampler": ds.SubsetSampler([3, 1, 2, 9])}, [[3, 1, 2, 9]] * 2),
        (
            {"sampler": ds.DistributedSampler(3, 1, False)},
            [[1, 4, 7, 10, 13, 16, 19, 22, 0]] * 2,
        ),
        (
            {"sampler": ds.DistributedSampler(3, 1, True)},
            [[21, 14, 17, 4, 7, 10, 11, 20, 12], [15, 24, 9, 10, 14, 23, 12, 0, 18]],
        ),
    ],
)
def test_orders(one, options, expected):
    assert epochs(len(expected), one, **options) == expected


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (
            ds.Shuffle.FILES,
            [[5, 6, 10, 0, 1, 7, 8, 2, 3, 4, 9], [3, 4, 9, 5, 6, 10, 0, 1, 7, 8, 2]],
        ),
        (
            ds.Shuffle.INFILE,
            [[8, 0, 1, 7, 9, 2, 3, 4, 10, 5, 6], [1, 8, 7, 0, 3, 9, 4, 2, 6, 10, 5]],
        ),
        (
            ds.Shuffle.PARTIAL,
            [[7, 8, 4, 3, 5, 2, 9, 0, 10, 6, 1], [3, 2, 6, 1, 7, 8, 10, 4, 0, 5, 9]],
        ),
        (None, [[3, 4, 6, 5, 0, 9, 10, 8, 7, 1, 2], [7, 8, 4, 0, 9, 10, 6, 1, 5, 3, 2]]),
    ],
)
def test_orders_of_several_files(three, mode, expected):
    assert epochs(2, three, shuffle=mode) == expected


@pytest.mark.parametrize(
    ("shard", "expected"),
    [(3, [3, 7, 11, 15, 19, 23, -1]), (0, [0, 4, 8, 12, 16, 20, 24])],
)
def test_padded(one, shard, expected):
    options = {"num_shards": 4, "shard_id": shard, "padded_sample": {"k": -1}, "num_padded": 3}
    assert epochs(2, one, shuffle=False, **options) == [expected] * 2


def test_columns(tmp_path):
    schema = {
        "label": {"type": "int32"},
        "size": {"type": "float32"},
        "name": {"type": "string"},
        "data": {"type": "bytes"},
        "m": {"type": "int64", "shape": [2, 2]},
    }
    row = {
        "label": 3,
        "size": 0.1,
        "name": "ü",
        "data": b"ab\0c\0",
        "m": np.arange(4).reshape(2, 2),
    }
    path = write(tmp_path / "a.mindrecord", [row], schema)
    data = ds.MindDataset(path, shuffle=False)
    assert data.get_col_names() == ["data", "label", "m", "name", "size"]
    (result,) = data.create_dict_iterator(num_epochs=1, output_numpy=True)
    looks = {name: (value.dtype.str, value.shape) for name, value in result.items()}
    assert looks == {
        "data": ("|S5", (1,)),
        "label": ("<i4", ()),
        "m": ("<i8", (2, 2)),
        "name": ("<U1", ()),
        "size": ("<f4", ()),
    }
    assert result["data"].tobytes() == b"ab\0c\0"
    assert result["m"].tolist() == [[0, 1], [2, 3]]
    mapped = data.map(lambda x: x + 1, ["label"]).batch(1)
    assert [int(r["label"][0]) for r in mapped.create_dict_iterator(num_epochs=1)] == [4]


def test_classes(tmp_path):
    rows = [{"k": i, "c": i % 3} for i in range(9)]
    path = write(tmp_path / "c", rows, {"k": {"type": "int64"}, "c": {"type": "int64"}})
    sampler = ds.PKSampler(2, class_column="c")
    data = ds.MindDataset(path, ["c"], sampler=sampler)
    items = [int(c) for (c,) in data.create_tuple_iterator(num_epochs=1)]
    assert sorted(items) == [0, 0, 1, 1, 2, 2]


def test_errors(one, tmp_path):
    with pytest.raises(ValueError, match="does not exist"):
        ds.MindDataset(str(tmp_path / "none"))
    with pytest.raises(TypeError, match="dataset_files"):
        ds.MindDataset(3)
    with pytest.raises(RuntimeError, match="'zz'"):
        ds.MindDataset(one, ["zz"])
    with pytest.raises(ValueError, match="not supported"):
        ds.MindDataset(one, sampler=ds.WeightedRandomSampler([0.1] * 25))
    with pytest.raises(RuntimeError, match="padded_sample is not"):
        ds.MindDataset(one, num_padded=3)
    with pytest.raises(RuntimeError, match="requires num_padded"):
        ds.MindDataset(one, ["k"], padded_sample={"k": 1})
    with pytest.raises(RuntimeError, match="requires columns_list"):
        ds.MindDataset(one, padded_sample={"k": 1}, num_padded=3)
    with pytest.raises(ValueError, match="cannot match"):
        ds.MindDataset(one, ["k"], padded_sample={"q": 1}, num_padded=3)
    with pytest.raises(ValueError, match="num_samples"):
        ds.MindDataset(one, shuffle=ds.Shuffle.FILES, num_samples=3)
    (tmp_path / "bad").write_bytes(b"no record at all")
    with pytest.raises(ValueError, match="not a MindRecord file"):
        ds.MindDataset(str(tmp_path / "bad"))
