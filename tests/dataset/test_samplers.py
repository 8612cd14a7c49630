"""The orders of a seed: figures that MindSpore 2.10 gave for seed 1."""

from __future__ import annotations

import numpy as np
import pytest

import agar.dataset as ds
from agar.dataset.engine._random import Engine64


@pytest.fixture(autouse=True)
def _seed():
    held = ds.config.get_seed()
    ds.config.set_seed(1)
    yield
    ds.config.set_seed(held)


def numbers(count=10, **kwargs):
    return ds.NumpySlicesDataset(list(range(count)), ["x"], **kwargs)


def epochs(data, count=1):
    rows = data.create_tuple_iterator(num_epochs=count, output_numpy=True)
    items = [[row[0].item() for row in rows] for _ in range(count)]
    return items[0] if count == 1 else items


FIRST, SECOND = [9, 0, 2, 5, 7, 4, 6, 3, 1, 8], [4, 9, 5, 0, 1, 7, 6, 2, 3, 8]
WEIGHTS = [i / 10 for i in range(1, 11)]


def _child(outer, inner):
    outer.add_child(inner)
    return outer


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, [FIRST, SECOND, [0, 9, 3, 7, 5, 6, 8, 2, 4, 1]]),
        ({"num_samples": 5}, [[4, 9, 7, 9, 0], [4, 1, 0, 9, 5]]),
        ({"num_samples": 5, "shuffle": False}, [[0, 1, 2, 3, 4]] * 2),
        ({"num_shards": 3, "shard_id": 0}, [[5, 1, 6, 9], [1, 4, 9, 8]]),
        ({"num_shards": 3, "shard_id": 1}, [[0, 8, 2, 5]]),
        ({"num_shards": 3, "shard_id": 2}, [[3, 4, 7, 0]]),
        ({"num_shards": 3, "shard_id": 2, "shuffle": False}, [[2, 5, 8, 1]]),
        ({"num_shards": 3, "shard_id": 1, "shuffle": False, "num_samples": 2}, [[1, 4]]),
        (
            {"sampler": lambda: ds.RandomSampler(True, 12)},
            [[4, 9, 7, 9, 0, 1, 3, 9, 1, 2], [4, 1, 0, 9, 5, 9, 4, 4, 4, 3]],
        ),
        ({"sampler": lambda: ds.RandomSampler(num_samples=4)}, [[9, 0, 2, 5], [4, 9, 5, 0]]),
        ({"sampler": lambda: ds.SubsetSampler([3, 1, 4])}, [[3, 1, 4]] * 2),
        ({"sampler": lambda: [2, 0]}, [[2, 0]]),
        (
            {"sampler": lambda: ds.SubsetRandomSampler([3, 1, 4, 1, 5, 9])},
            [[1, 3, 4, 9, 1, 5], [3, 1, 4, 5, 9, 1], [1, 3, 4, 1, 5, 9]],
        ),
        ({"sampler": lambda: ds.SubsetRandomSampler([3, 1, 4, 1, 5, 9], 3)}, [[1, 3, 4]]),
        (
            {"sampler": lambda: ds.WeightedRandomSampler(WEIGHTS, 12)},
            [[9, 9, 3, 9, 4, 6, 6, 8, 9, 9]] * 2,
        ),
        (
            {"sampler": lambda: ds.WeightedRandomSampler(WEIGHTS, 6, replacement=False)},
            [[2, 4, 6, 5, 7, 9]] * 2,
        ),
        ({"sampler": lambda: ds.SequentialSampler(3, 4)}, [[3, 4, 5, 6]] * 2),
        (
            {"sampler": lambda: _child(ds.SequentialSampler(2, 6), ds.RandomSampler())},
            [[2, 5, 7, 4, 6, 3], [5, 0, 1, 7, 6, 2]],
        ),
        (
            {"sampler": lambda: _child(ds.RandomSampler(), ds.SequentialSampler(2, 6))},
            [[3, 2, 4, 7, 5, 6], [6, 3, 7, 2, 4, 5]],
        ),
    ],
)
def test_orders(arguments, expected):
    if "sampler" in arguments:
        arguments = {"sampler": arguments["sampler"]()}
    data = numbers(**arguments)
    assert data.get_dataset_size() == len(expected[0])
    result = epochs(data, len(expected))
    assert (result if len(expected) > 1 else [result]) == expected


def test_orders_of_many():
    assert epochs(numbers(2000))[:6] == [1000, 1358, 1941, 1081, 1855, 1772]
    # above 65535 each position is drawn by itself
    assert epochs(numbers(70000))[:5] == [7199, 23693, 65840, 9893, 62829]


def test_a_seed_gives_one_order_and_none_gives_many():
    assert epochs(numbers()) == epochs(numbers())
    ds.config.set_seed(2)
    assert epochs(numbers()) == [5, 0, 3, 1, 8, 4, 6, 2, 7, 9]
    ds.config.set_seed(5489)
    assert len({tuple(epochs(numbers())) for _ in range(5)}) > 1


def test_repeat_goes_on_with_the_next_order():
    assert epochs(numbers().repeat(2)) == FIRST + SECOND


def test_shuffle_buffers():
    data = numbers(shuffle=False)
    assert epochs(data.shuffle(3), 3) == [
        [2, 0, 3, 4, 5, 6, 8, 7, 9, 1],
        [2, 3, 4, 5, 6, 0, 1, 7, 8, 9],
        [2, 1, 4, 0, 6, 5, 7, 3, 8, 9],
    ]
    assert epochs(data.shuffle(100), 2) == [
        [8, 6, 2, 5, 0, 4, 9, 3, 7, 1],
        [6, 5, 8, 3, 2, 9, 1, 0, 4, 7],
    ]
    assert epochs(data.repeat(2).shuffle(4))[:12] == [0, 2, 4, 5, 3, 1, 7, 8, 9, 1, 2, 4]


def test_the_engine_is_mt19937_64():
    engine = Engine64(5489)
    # the standard's own check value: the 10000th draw of the default seed
    assert [engine() for _ in range(10000)][-1] == 9981545732273789042


def test_splits():
    parts = numbers().split([0.5, 0.3, 0.2])
    assert [epochs(part, 2) for part in parts] == [
        [[8, 9, 2, 4, 3], [8, 4, 5, 7, 2]],
        [[7, 6, 5], [1, 6, 0]],
        [[0, 1], [9, 3]],
    ]
    halves = numbers(shuffle=False).split([5, 5])
    assert [epochs(part, 2) for part in halves] == [[FIRST[:5]] * 2, [FIRST[5:]] * 2]
    plain = numbers(shuffle=False).split([5, 5], randomize=False)
    assert [epochs(part) for part in plain] == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]
    mapped = numbers(shuffle=False).map(lambda x: x, "x").split([6, 4])
    assert [epochs(part) for part in mapped] == [[8, 6, 2, 5, 0, 4], [9, 3, 7, 1]]


def joined(*sizes):
    starts = np.cumsum([0, *sizes])
    parts = [
        ds.NumpySlicesDataset(list(range(a, b)), ["x"], shuffle=False)
        for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]
    return parts[0].concat(parts[1:])


@pytest.mark.parametrize(
    ("seed", "sizes", "expected"),
    [
        (1, (3, 4), [3, 4, 0, 5, 1, 2, 6]),
        (1, (2, 2, 2), [4, 5, 0, 2, 1, 3]),
        (2, (5, 5), [0, 5, 6, 1, 2, 3, 7, 4, 8, 9]),
        (3, (2, 2, 2), [0, 4, 1, 2, 3, 5]),
    ],
)
def test_concatenated_datasets_are_mixed(seed, sizes, expected):
    ds.config.set_seed(seed)
    data = joined(*sizes)
    data.use_sampler(ds.RandomSampler())
    assert epochs(data, 2) == [expected] * 2


def test_concatenated_datasets_are_sharded():
    for shard, expected in enumerate([[0, 2, 4, 6], [1, 3, 5]]):
        data = joined(3, 4)
        data.use_sampler(ds.DistributedSampler(2, shard, shuffle=False))
        assert (epochs(data), data.get_dataset_size()) == (expected, len(expected))
    with pytest.raises(ValueError, match="shuffle"):
        joined(1, 1).use_sampler(ds.DistributedSampler(2, 0))
    with pytest.raises(TypeError, match="DistributedSampler"):
        joined(1, 1).use_sampler(ds.SequentialSampler())


@pytest.mark.parametrize(
    ("count", "shards", "shard", "offset", "limit", "expected"),
    [
        (5, 2, 0, 1, None, [1, 3]),
        (5, 2, 1, 1, None, [0, 2, 4]),
        (5, 3, 1, 2, 2, [2]),
        (12, 5, 4, 2, None, [2, 7]),
        (12, 5, 2, 2, 2, [0, 5]),
        (5, 2, 0, 2, None, [0, 2, 4]),
        (5, 2, 0, -2, None, [2, 4]),
        (2, 5, 3, 0, None, [0]),
    ],
)
def test_shards_with_an_offset(count, shards, shard, offset, limit, expected):
    sampler = ds.DistributedSampler(shards, shard, False, limit, offset)
    data = ds.NumpySlicesDataset(np.arange(count), ["x"], sampler=sampler)
    assert (epochs(data), data.get_dataset_size()) == (expected, len(expected))


def test_shuffled_shards_with_an_offset():
    ds.config.set_seed(3)
    data = numbers(12, sampler=ds.DistributedSampler(5, 3, offset=4))
    assert epochs(data, 3) == [[11, 10], [6, 0], [8, 7]]
    # a shard without samples reads the first, whatever the order
    data = numbers(3, sampler=ds.DistributedSampler(5, 4, offset=0))
    assert epochs(data, 3) == [[0]] * 3
    with pytest.raises(RuntimeError, match="'offset' must be at most 'num_shards', 2, but got 3"):
        epochs(numbers(sampler=ds.DistributedSampler(2, 0, offset=3)))


def test_samplers_of_programs():
    class Even(ds.Sampler):
        resets = 0

        def __iter__(self):
            yield from range(0, self.dataset_size, 2)

        def reset(self):
            self.resets += 1

    sampler = Even()
    assert epochs(numbers(sampler=sampler), 2) == [[0, 2, 4, 6, 8]] * 2
    assert sampler.resets == 1
    assert epochs(numbers(sampler=Even(3))) == [0, 2, 4]
    with pytest.raises(NotImplementedError, match="__iter__"):
        epochs(numbers(sampler=ds.Sampler(3)))


def test_samplers_are_added_and_replaced():
    data = numbers(shuffle=False)
    data.add_sampler(ds.DistributedSampler(2, 0, shuffle=False))
    assert epochs(data) == [0, 2, 4, 6, 8]
    data.use_sampler(ds.SequentialSampler(8))
    assert epochs(data) == [8, 9]
    with pytest.raises(RuntimeError, match="PKSampler"):
        data.add_sampler(ds.PKSampler(1))
    with pytest.raises(TypeError, match="None"):
        data.use_sampler(None)


@pytest.mark.parametrize(
    ("call", "kind", "match"),
    [
        (lambda: ds.DistributedSampler("a", 0), TypeError, "num_shards"),
        (lambda: ds.DistributedSampler(2, 0, num_samples=-1), ValueError, "num_samples"),
        (lambda: ds.PKSampler(2, num_class=3), NotImplementedError, "num_class"),
        (lambda: ds.PKSampler("2"), TypeError, "num_val"),
        (lambda: ds.RandomSampler(replacement=3), TypeError, "replacement"),
        (lambda: ds.SubsetSampler(["a"]), TypeError, r"indices\[0\]"),
        (lambda: ds.WeightedRandomSampler(["a"]), TypeError, r"weights\[0\]"),
        (lambda: ds.SequentialSampler("a"), TypeError, "start_index"),
        (lambda: epochs(numbers(sampler=[99])), RuntimeError, "sample 99"),
        (lambda: epochs(numbers(sampler=ds.SequentialSampler(99))), RuntimeError, "start_index"),
        (
            lambda: epochs(numbers(sampler=ds.WeightedRandomSampler([0.0] * 10, 2))),
            RuntimeError,
            "weights",
        ),
        (lambda: epochs(numbers(sampler=ds.PKSampler(1))), RuntimeError, "classes"),
        (
            lambda: (
                ds.SequentialSampler().add_child(ds.SequentialSampler())
                or _child(
                    _child(ds.SequentialSampler(), ds.SequentialSampler()), ds.RandomSampler()
                )
            ),
            RuntimeError,
            "already has a child",
        ),
    ],
)
def test_errors_name_the_argument(call, kind, match):
    with pytest.raises(kind, match=match):
        call()


@pytest.mark.parametrize("source", [ds.NumpySlicesDataset, ds.GeneratorDataset])
def test_indices_keep_their_order_where_shuffle_is_false(source):
    data = source([10, 11, 12, 13], ["x"], sampler=[3, 1], shuffle=False)
    assert [int(x) for (x,) in data.create_tuple_iterator(num_epochs=1)] == [13, 11]
    for options in ({"shuffle": True}, {"num_shards": 2, "shard_id": 0}):
        with pytest.raises(ValueError, match="cannot be specified at the same time"):
            source([10, 11], ["x"], sampler=[1], **options)
    with pytest.raises(ValueError, match="cannot be specified at the same time"):
        source([10, 11], ["x"], sampler=ds.SequentialSampler(), shuffle=False)
