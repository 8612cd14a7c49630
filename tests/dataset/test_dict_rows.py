"""Rows of Python dicts and lists, and samplers of a program; the figures are MindSpore's."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
import agar.dataset as ds

ROWS = [{"a": np.array([1, 2]), "b": 3, "c": "s"}, {"a": np.array([3, 4]), "b": 4, "c": "tt"}]


def read(data, **options):
    return [row[0] for row in data.create_tuple_iterator(num_epochs=1, **options)]


def described(value):
    if isinstance(value, dict):
        return {key: described(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [described(inside) for inside in value]
    return str(value.dtype), value.tolist()


def source(rows):
    return ds.GeneratorDataset(rows, ["x"], shuffle=False)


def test_rows_of_dicts_as_objects():
    first, second = read(source(ROWS), output_numpy=True)
    assert described(first) == {"a": ("int64", [1, 2]), "b": ("int64", 3), "c": ("<U1", "s")}
    assert described(second)["c"] == ("<U2", "tt")
    first = read(source(ROWS))[0]
    assert isinstance(first["a"], ms.Tensor)
    assert isinstance(first["b"], ms.Tensor)
    assert isinstance(first["c"], np.ndarray)


STACKED = {
    "widest": ([{"b": 3}, {"b": 4.5}], {"b": ("float64", [3.0, 4.5])}),
    "floats": ([{"b": np.float32(3)}, {"b": 3.0}], {"b": ("float64", [3.0, 3.0])}),
    "lists": ([{"a": [1, 2]}, {"a": (3, 4)}], {"a": ("int64", [[1, 2], [3, 4]])}),
    "texts": ([{"a": ["x", "yy"]}, {"a": ["z", "w"]}], {"a": ("<U2", [["x", "yy"], ["z", "w"]])}),
    "bytes": ([{"a": b"x"}, {"a": b"yy"}], {"a": ("|S2", [b"x", b"yy"])}),
    "bools": ([{1: True}, {1: False}], {1: ("bool", [True, False])}),
    "tensors": (
        [{"a": ms.Tensor([1.0, 2.0])}, {"a": ms.Tensor([3.0, 4.0])}],
        {"a": ("float32", [[1.0, 2.0], [3.0, 4.0]])},
    ),
    "nothing": ([{}, {}], {}),
}


@pytest.mark.parametrize("name", STACKED)
def test_dicts_are_batched_by_key(name):
    rows, expected = STACKED[name]
    (batch,) = read(source(rows).batch(2), output_numpy=True)
    assert described(batch) == expected
    for value in read(source(rows).batch(2))[0].values():
        assert isinstance(value, (ms.Tensor, np.ndarray))


def test_batches_of_batches_and_padded_batches():
    expected = {"a": ("int64", [[1, 2], [3, 4]]), "b": ("int64", [3, 4]), "c": ("<U2", ["s", "tt"])}
    for data in (source(ROWS).padded_batch(2, pad_info={}), source(ROWS).padded_batch(2)):
        assert described(read(data, output_numpy=True)[0]) == expected
    (twice,) = read(source(ROWS * 2).batch(2).batch(2), output_numpy=True)
    assert described(twice)["b"] == ("int64", [[3, 4], [3, 4]])
    by_sampler = ds.GeneratorDataset(ROWS, ["x"], batch_sampler=[[0, 1]])
    assert described(read(by_sampler, output_numpy=True)[0]) == expected
    with pytest.raises(RuntimeError, match="pad_info"):
        read(source(ROWS).padded_batch(2, pad_info={"x": ([3], 0)}))


def test_functions_of_batches_take_and_give_dicts():
    data = source(ROWS).batch(2, per_batch_map=lambda dicts, info: (dicts,))
    assert described(read(data, output_numpy=True)[0])["b"] == [("int64", 3), ("int64", 4)]
    data = source(ROWS).batch(2, per_batch_map=lambda dicts, info: ({"n": len(dicts)},))
    assert described(read(data, output_numpy=True)[0]) == {"n": ("int64", 2)}


@pytest.mark.parametrize(
    ("rows", "match"),
    [
        ([{"a": 1, "b": 3}, {"a": 2}], "same keys"),
        ([{"a": {"b": 1}}, {"a": {"b": 2}}], "key 'a'"),
        ([{"a": np.zeros(2)}, {"a": np.zeros(3)}], "key 'a'"),
        ([{"a": None}, {"a": None}], "key 'a'"),
        ([{"a": [{"k": 1}]}, {"a": [{"k": 2}]}], "key 'a'"),
    ],
)
def test_dicts_that_cannot_be_stacked(rows, match):
    assert len(read(source(rows))) == 2  # as objects they can
    with pytest.raises(RuntimeError, match=match):
        read(source(rows).batch(2))


def test_rows_of_lists():
    data = ds.GeneratorDataset([[[1, 2], 3], [[5, 6], 7]], ["x", "y"], shuffle=False).batch(2)
    (row,) = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert [value.tolist() for value in row] == [[[1, 2], [5, 6]], [3, 7]]
    data = ds.GeneratorDataset([[{"a": 1}, 2]], ["x", "y"], shuffle=False)
    (row,) = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert (described(row[0]), row[1].item()) == ({"a": ("int64", 1)}, 2)


class _OnlyIter:
    def __iter__(self):
        return iter([3, 1, 2])


class _OnlyIndexed:
    def __getitem__(self, index):
        return [3, 1, 2][index]


@pytest.mark.parametrize("kind", [_OnlyIter, _OnlyIndexed])
def test_samplers_of_one_method(kind):
    data = ds.GeneratorDataset(list(range(6)), ["x"], sampler=kind())
    assert data.get_dataset_size() == 3
    assert [int(x) for x in read(data.repeat(2))] == [3, 1, 2, 3, 1, 2]
    with pytest.raises(TypeError, match="gives its indices once"):
        ds.GeneratorDataset(list(range(6)), ["x"], sampler=(i for i in (1, 2)))
    with pytest.raises(TypeError, match="Unsupported sampler"):
        ds.GeneratorDataset(list(range(6)), ["x"], sampler=lambda: [1])
