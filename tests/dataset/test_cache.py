"""Datasets with a cache: rows are read once, and are the same as without."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import agar.dataset as ds
from agar.dataset import transforms, vision
from dataset.source_files import CASES
from dataset.test_more_sources import FIGURES, VARIANTS, described, opened


class Counting:
    """Twice the value, and how often it was asked for."""

    def __init__(self):
        self.calls = 0

    def __call__(self, value):
        self.calls += 1
        return value * 2


def _numbers(data):
    return [row[0].tolist() for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def _mapped(cache, rows=6, shuffle=False, function=None):
    data = ds.NumpySlicesDataset(np.arange(rows, dtype=np.float32), ["x"], shuffle=shuffle)
    return data.map(Counting() if function is None else function, cache=cache)


# ----------------------------------------------------------------------------------------- rows


def test_operations_are_done_once_whatever_the_order():
    cache, twice = ds.DatasetCache(1), Counting()
    data = _mapped(cache, shuffle=True, function=twice).batch(2)
    epochs = [[x for pair in _numbers(data) for x in pair] for _ in range(4)]
    assert twice.calls == 6
    assert all(sorted(epoch) == [0, 2, 4, 6, 8, 10] for epoch in epochs)
    assert len({tuple(epoch) for epoch in epochs}) > 1
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    assert [len(list(iterator)) for _ in range(2)] == [3, 3]
    assert twice.calls == 6


def test_a_sampler_that_asks_for_some_rows_only():
    cache, twice = ds.DatasetCache(1), Counting()
    data = ds.NumpySlicesDataset([1.0, 2.0, 3.0], ["x"], sampler=[2, 0, 2])
    data = data.map(twice, cache=cache)
    assert _numbers(data) == [6.0, 2.0, 6.0]
    assert (twice.calls, cache.get_stat().num_mem_cached) == (2, 2)


def test_later_steps_do_not_change_what_is_kept():
    def spoil(value):
        value[...] = -1
        return value

    data = _mapped(ds.DatasetCache(1)).map(spoil)
    plain = _mapped(None)
    assert _numbers(data) == [-1] * 6
    first = data.children[0]
    assert _numbers(first) == _numbers(plain)
    for row in first.create_tuple_iterator(num_epochs=1, output_numpy=True):
        row[0][...] = -2
    assert _numbers(first) == _numbers(plain)


def test_rows_of_dicts_are_kept_in_memory():
    cache = ds.DatasetCache(1, size=1)
    rows = [({"a": 1},), ({"a": 2},)]
    data = ds.GeneratorDataset(rows, ["x"], shuffle=False).map(lambda d: {"b": d["a"]}, cache=cache)
    items = [list(data.create_tuple_iterator(num_epochs=1, output_numpy=True)) for _ in range(2)]
    assert items[0] == items[1] == [[{"b": 1}], [{"b": 2}]]
    assert cache.get_stat().num_mem_cached == 2


def test_operations_in_workers_above_a_cache():
    cache, twice = ds.DatasetCache(1), Counting()
    data = _mapped(cache, function=twice)
    data = data.map(lambda x: x + 1, num_parallel_workers=2, python_multiprocessing=True)
    assert _numbers(data) == _numbers(data) == [1, 3, 5, 7, 9, 11]
    assert twice.calls == 6


@pytest.mark.parametrize("options", [{}, {"num_samples": 3}, {"num_shards": 2, "shard_id": 1}])
@pytest.mark.parametrize("shuffle", [False, True])
def test_files_that_are_read_in_order(tmp_path, shuffle, options):
    path = tmp_path / "lines.txt"
    path.write_text("\n".join(f"row{i}" for i in range(8)))
    data = ds.TextFileDataset(str(path), shuffle=shuffle, cache=ds.DatasetCache(1), **options)
    plain = ds.TextFileDataset(str(path), shuffle=False, **options)
    size = data.get_dataset_size()
    expected = _numbers(plain)
    epochs = [_numbers(data) for _ in range(5)]
    path.unlink()
    epochs.append(_numbers(data))  # without the file
    for epoch in epochs:
        assert len(set(epoch)) == size
        assert shuffle or epoch == expected
    if shuffle:
        assert len({tuple(epoch) for epoch in epochs}) > 1


@pytest.mark.parametrize(
    ("name", "variant"),
    [(name, variant) for name in CASES for variant in FIGURES[name]],
)
def test_sources_with_a_cache_give_the_rows_of_those_without(name, variant, tmp_path):
    if isinstance(FIGURES[name][variant], str):
        pytest.skip("there is no row")
    cache = ds.DatasetCache(1)
    data = opened(name, tmp_path, cache=cache, **VARIANTS[variant])
    assert data.cache is cache  # none leaves it out
    expected = [
        [described(value) for value in row]
        for row in opened(name, tmp_path, **VARIANTS[variant]).create_tuple_iterator(
            num_epochs=1, output_numpy=True
        )
    ]
    for _ in range(2):
        rows = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
        assert [[described(value) for value in row] for row in rows] == expected
    assert cache.get_stat().num_mem_cached == len(expected)


# --------------------------------------------------------------------------------------- memory


@pytest.mark.parametrize("spilling", [False, True])
def test_rows_beyond_the_size(spilling):
    cache, twice = ds.DatasetCache(1, size=1, spilling=spilling), Counting()
    rows = np.arange(6 * 100_000, dtype=np.float32).reshape(6, -1)
    data = ds.NumpySlicesDataset(rows, ["x"], shuffle=False).map(twice, cache=cache)
    for _ in range(2):
        items = list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
        np.testing.assert_array_equal([row[0] for row in items], rows * 2)
    assert twice.calls == (6 if spilling else 10)
    assert cache.get_stat() == (400_000, 2, 4 if spilling else 0)


def test_texts_and_empty_arrays_come_back_from_the_file():
    cache = ds.DatasetCache(1, size=1, spilling=True)
    large = np.zeros(1 << 18, np.float32)
    rows = [(large, np.array("é")), (np.zeros((0, 3)), np.array(["bc", "d"])), (large, "e")]
    data = ds.GeneratorDataset(rows, ["x", "t"], shuffle=False)
    data = data.map(lambda x: x, ["x"], cache=cache)
    for _ in range(2):
        items = list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
        assert [np.shape(x) for x, _ in items] == [(1 << 18,), (0, 3), (1 << 18,)]
        assert [t.tolist() for _, t in items] == ["é", ["bc", "d"], "e"]
    assert cache.get_stat().num_disk_cached >= 1


def test_two_datasets_share_the_memory_and_not_the_rows():
    cache = ds.DatasetCache(1)
    first, second = _mapped(cache, 3), _mapped(cache, 2, function=lambda x: x - 1)
    assert (_numbers(first), _numbers(second)) == ([0, 2, 4], [-1, 0])
    assert cache.get_stat().num_mem_cached == 5
    del first
    assert cache.get_stat().num_mem_cached == 2


def test_copies_share_the_rows():
    cache, twice = ds.DatasetCache(1), Counting()
    data = _mapped(cache, function=twice)
    again = copy.deepcopy(data)
    assert _numbers(data) == _numbers(again)
    assert twice.calls == 6
    assert again.cache is cache
    assert pickle.loads(pickle.dumps(cache)).get_stat() == (0, 0, 0)


# -------------------------------------------------------------------------------------- refusals


def _pictures():
    return ds.NumpySlicesDataset(np.zeros((2, 4, 4, 3), np.uint8), ["x"], shuffle=False)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda cache: _pictures().map(vision.RandomHorizontalFlip(0.5), cache=cache),
            "random operations are not supported",
        ),
        (lambda cache: _pictures().batch(2).map(np.sum, cache=cache), "'BatchDataset' is not"),
        (lambda cache: _pictures().repeat(2).map(np.sum, cache=cache), "'RepeatDataset' is not"),
        (lambda cache: _pictures().shuffle(2).map(np.sum, cache=cache), "'ShuffleDataset' is not"),
        (
            lambda cache: _pictures().map(np.sum, cache=cache).map(np.sqrt, cache=cache),
            "Nested cache operations",
        ),
        (
            lambda cache: _pictures().map(np.sum, cache=cache, callbacks=ds.DSCallback()),
            "callbacks would miss",
        ),
    ],
)
def test_what_cannot_be_below_a_cache(make, words):
    with pytest.raises(RuntimeError, match=words):
        list(make(ds.DatasetCache(1)))


def test_random_operations_above_a_cache_draw_each_time():
    data = _mapped(ds.DatasetCache(1)).map(transforms.RandomApply([lambda x: -x - 1], 0.5))
    assert len({tuple(_numbers(data)) for _ in range(6)}) > 1


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"session_id": 0}, ValueError),
        ({"session_id": "1"}, TypeError),
        ({"size": -1}, ValueError),
        ({"size": 1.5}, TypeError),
        ({"spilling": 1}, TypeError),
        ({"port": 80}, ValueError),
        ({"num_connections": 0}, ValueError),
        ({"prefetch_size": True}, TypeError),
        ({"hostname": 3}, TypeError),
        ({"hostname": "10.0.0.1"}, NotImplementedError),
    ],
)
def test_arguments_that_do_not_fit(options, error):
    name = "10.0.0.1" if error is NotImplementedError else next(iter(options))
    with pytest.raises(error, match=name):
        ds.DatasetCache(**{"session_id": 1, **options})


def test_what_is_no_cache():
    with pytest.raises(TypeError, match=r"Dataset\.map', 'cache' must be a dataset\.DatasetCache"):
        _mapped("a cache")
