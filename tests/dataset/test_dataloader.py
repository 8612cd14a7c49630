"""The loader at `dataset.dataloader`: batches, orders and seeds as MindSpore 2.10 gives them."""

from __future__ import annotations

import collections
import random

import numpy as np
import pytest
import torch

import agar as ms
from agar.dataset.dataloader import (
    BatchSampler,
    DataLoader,
    Dataset,
    DistributedSampler,
    IterableDataset,
    RandomSampler,
    Sampler,
    TensorDataset,
    default_collate,
    default_convert,
    get_worker_info,
)

Point = collections.namedtuple("Point", "x y")


def generator():
    return np.random.default_rng(3)


def _lists(batches):
    return [batch.asnumpy().tolist() for batch in batches]


class Counted(IterableDataset):
    """The numbers below one, shared out to the workers."""

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __iter__(self):
        info = get_worker_info()
        first, step = (0, 1) if info is None else (info.id, info.num_workers)
        return iter(range(first, self.size, step))


class Drawn(Dataset):
    """Random numbers of the worker, and its seed."""

    def __len__(self):
        return 4

    def __getitem__(self, index):
        info = get_worker_info()
        return random.random(), float(np.random.rand()), info.seed, info.num_workers


class Broken(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        raise KeyError(f"row {index}")


# -------------------------------------------------------------------------------------- batches

ROWS = [
    ([1, 2], ms.int64, [1, 2]),
    ([1.0, 2], ms.float64, [1, 2]),
    ([True, False], ms.bool_, [True, False]),
    ([np.float32(1), np.float32(2)], ms.float32, [1, 2]),
    ([np.ones(2), np.zeros(2)], ms.float64, [[1, 1], [0, 0]]),
    ([ms.Tensor([1], ms.int32), ms.Tensor([2], ms.int32)], ms.int32, [[1], [2]]),
]


@pytest.mark.parametrize(("rows", "dtype", "values"), ROWS, ids=range(len(ROWS)))
def test_rows_of_one_kind_are_a_tensor(rows, dtype, values):
    batch = default_collate(rows)
    assert (batch.dtype, batch.asnumpy().tolist()) == (dtype, values)


def test_rows_of_several_columns():
    assert default_collate(["a", b"b"]) == ["a", b"b"]
    point = default_collate([Point(1, "a"), Point(2, "b")])
    assert (point.x.asnumpy().tolist(), point.y) == ([1, 2], ("a", "b"))
    for rows in ([(1, 2), (3, 4)], [[1, 2], [3, 4]]):
        columns = default_collate(rows)
        assert isinstance(columns, list)
        assert _lists(columns) == [[1, 3], [2, 4]]
    ordered = collections.OrderedDict(i=1, n={"t": "a"})
    batch = default_collate([ordered, ordered])
    assert type(batch) is collections.OrderedDict
    assert (batch["i"].asnumpy().tolist(), batch["n"]) == ([1, 1], {"t": ["a", "a"]})


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        ([[1], [3, 4]], RuntimeError, r"equal size, but got the sizes \[1, 2\]"),
        ([object()], TypeError, "give a 'collate_fn'"),
        ([np.array("a")], TypeError, "<U1 are not supported"),
        ([np.ones(2), np.zeros(3)], ValueError, r"one shape, but got \[\(2,\), \(3,\)\]"),
    ],
)
def test_rows_that_make_no_batch(rows, error, words):
    with pytest.raises(error, match=words):
        default_collate(rows)


def test_single_rows():
    array, number, text = default_convert((np.ones(2), 1, "a"))
    assert isinstance(array, ms.Tensor)
    assert (number, text) == (1, "a")
    row = default_convert({"a": np.float32(1), "b": [np.bool_(True)], "c": np.array(["x"])})
    assert (row["a"].dtype, row["b"][0].dtype, row["c"].tolist()) == (ms.float32, ms.bool_, ["x"])
    assert default_convert(Point(np.array([1]), 2)).x.asnumpy().tolist() == [1]


# ------------------------------------------------------------------------------------ in process


def test_batches_of_rows_by_index():
    rows = range(7)
    assert _lists(DataLoader(rows, 3)) == [[0, 1, 2], [3, 4, 5], [6]]
    assert _lists(DataLoader(rows, 3, drop_last=True)) == [[0, 1, 2], [3, 4, 5]]
    shuffled = DataLoader(rows, 3, True, generator=generator())
    assert _lists(shuffled) == [[5, 6, 2], [1, 4, 3], [0]]  # MindSpore's
    assert list(DataLoader(rows, None)) == list(rows)
    assert _lists(DataLoader(rows, batch_sampler=[[0, 1], [4]])) == [[0, 1], [4]]
    ten = DataLoader(rows, sampler=[3, 1], collate_fn=lambda r: ms.Tensor(r) * 10)
    assert _lists(ten) == [[30], [10]]


def test_batches_of_rows_in_order():
    assert _lists(DataLoader(Counted(5), 2)) == [[0, 1], [2, 3], [4]]
    assert _lists(DataLoader(Counted(5), 2, drop_last=True)) == [[0, 1], [2, 3]]
    assert list(DataLoader(Counted(3), None)) == [0, 1, 2]


def test_lengths():
    for rows in (range(5), Counted(5)):
        lengths = [len(DataLoader(rows, n, drop_last=d)) for n, d in ((2, 0 > 1), (2, 1 > 0))]
        assert [*lengths, len(DataLoader(rows, None))] == [3, 2, 5]


def test_a_loader_trains_a_model():
    data = TensorDataset(ms.ops.ones((4, 2)), ms.ops.zeros((4, 1)))
    net = ms.nn.Dense(2, 1)
    model = ms.Model(net, ms.nn.MSELoss(), ms.nn.SGD(net.trainable_params(), 0.1))
    before = net.weight.asnumpy().copy()
    model.train(1, DataLoader(data, 2))
    assert not np.array_equal(before, net.weight.asnumpy())


def test_the_stream_of_pytorch_is_not_drawn_from():
    state = torch.random.get_rng_state()
    list(DataLoader(range(3), shuffle=True))
    assert torch.equal(state, torch.random.get_rng_state())


# -------------------------------------------------------------------------------------- workers


def test_workers():
    assert _lists(DataLoader(range(7), 2, num_workers=2)) == [[0, 1], [2, 3], [4, 5], [6]]
    batches = _lists(DataLoader(Counted(5), 2, num_workers=2))
    assert sorted(batches) == [[0, 2], [1, 3], [4]]


def test_seeds_of_workers():
    rows = DataLoader(Drawn(), num_workers=2, generator=generator())
    seeds = []
    numbers = []
    for python, numpy, seed, count in rows:
        numbers.append([float(python), float(numpy)])
        seeds.append(int(seed))
        assert int(count) == 2
    np.testing.assert_allclose(  # MindSpore's
        numbers,
        [
            [0.8919396159437837, 0.2625574465182505],
            [0.5721041806764928, 0.8394042500286698],
            [0.5588140032778592, 0.20668047102755993],
            [0.5874758566534344, 0.894622191767272],
        ],
    )
    assert seeds[1] == seeds[0] + 1
    assert seeds[:2] == seeds[2:]


def test_workers_that_stay():
    loader = DataLoader(
        range(4), 2, True, num_workers=1, persistent_workers=True, generator=generator()
    )
    first, engine = _lists(loader), loader._engine
    assert first == [[2, 0], [3, 1]]  # MindSpore's, as the next
    assert _lists(loader) == [[3, 1], [0, 2]]
    assert loader._engine is engine


def _start(worker_id):
    random.seed(worker_id)


def test_a_function_that_starts_workers():
    loader = DataLoader(Drawn(), num_workers=1, worker_init_fn=_start)
    random.seed(0)
    expected = random.random()
    assert float(next(iter(loader))[0]) == expected


@pytest.mark.parametrize("workers", [0, 1])
def test_errors_of_rows_keep_their_type(workers):
    with pytest.raises(KeyError, match="row 0"):
        list(DataLoader(Broken(), num_workers=workers))


# ------------------------------------------------------------------------------------- samplers


def test_orders_are_those_of_mindspore():
    assert list(RandomSampler(range(5), generator=generator())) == [4, 2, 1, 3, 0]
    drawn = list(RandomSampler(range(5), True, 70, generator=generator()))
    assert (drawn[:6], drawn[-5:], len(drawn)) == ([4, 0, 0, 1, 0, 4], [3, 2, 4, 4, 1], 70)
    longer = list(RandomSampler(range(5), num_samples=13, generator=generator()))
    assert longer == [4, 2, 1, 3, 0, 3, 0, 2, 1, 4, 0, 1, 4]
    np.random.seed(5)
    assert list(RandomSampler(range(5))) == [0, 4, 3, 2, 1]
    assert list(RandomSampler([])) == []


def test_shares_of_processes():
    shares = {
        (rank, drop, shuffle): list(
            DistributedSampler(range(10), 3, rank, drop_last=drop, shuffle=shuffle)
        )
        for rank in range(3)
        for drop in (False, True)
        for shuffle in (False, True)
    }
    assert shares[0, False, False] == [0, 3, 6, 9]
    assert shares[1, False, True] == [6, 3, 0, 4]
    assert shares[2, True, True] == [2, 5, 8]
    assert shares[2, False, False] == [2, 5, 8, 1]
    assert list(DistributedSampler(range(2), 7, 6, shuffle=False)) == [0]
    sampler = DistributedSampler(range(5), 2, 0, seed=4)
    sampler.set_epoch(3)
    assert (list(sampler), len(sampler)) == ([2, 4, 3], 3)
    assert len(DistributedSampler(range(5))) == 5  # one process has them all


def test_batches_of_indices():
    assert list(BatchSampler(range(5), 2, True)) == [[0, 1], [2, 3]]
    assert [len(BatchSampler(range(5), 2, drop)) for drop in (False, True)] == [3, 2]
    assert len(BatchSampler([], 2, False)) == 0


def test_columns_of_tensors():
    data = TensorDataset(ms.Tensor([0, 1]), ms.Tensor([2, 3]))
    assert [tuple(map(int, row)) for row in data] == [(0, 2), (1, 3)]
    with pytest.raises(ValueError, match=r"same size in the first dimension, but got \[2, 1\]"):
        TensorDataset(ms.Tensor([0, 1]), ms.Tensor([1]))
    with pytest.raises(TypeError, match="column 1 must be a Tensor"):
        TensorDataset(ms.Tensor([0]), [1])
    with pytest.raises(TypeError, match="at least one"):
        TensorDataset()


# -------------------------------------------------------------------------------------- refusals

WRONG = [
    ({"batch_size": 0}, ValueError),
    ({"batch_size": True}, TypeError),
    ({"batch_size": 1.5}, TypeError),
    ({"shuffle": 1}, TypeError),
    ({"sampler": [1], "shuffle": True}, ValueError),
    ({"batch_sampler": [[1]], "batch_size": 2}, ValueError),
    ({"batch_sampler": [[1]], "drop_last": True}, ValueError),
    ({"num_workers": -1}, ValueError),
    ({"prefetch_factor": 2}, ValueError),
    ({"persistent_workers": True}, ValueError),
    ({"timeout": -1}, ValueError),
    ({"timeout": "1"}, TypeError),
    ({"generator": 3}, TypeError),
    ({"multiprocessing_context": "fork"}, ValueError),
    ({"in_order": 1}, TypeError),
    ({"pin_memory": 1}, TypeError),
    ({"num_workers": 1, "multiprocessing_context": 3}, TypeError),
    ({"dataset": Counted(3), "shuffle": True}, ValueError),
    ({"dataset": Counted(3), "sampler": [1]}, ValueError),
    ({"dataset": 3}, NotImplementedError),
]


@pytest.mark.parametrize(("options", "error"), WRONG, ids=range(len(WRONG)))
def test_arguments_that_do_not_fit(options, error):
    name = [*options][-1]
    with pytest.raises(error, match="__getitem__" if error is NotImplementedError else name):
        DataLoader(**{"dataset": [1, 2], **options})


def test_what_a_subclass_must_have():
    with pytest.raises(NotImplementedError, match="Dataset must implement the method __getitem__"):
        Dataset()[0]
    with pytest.raises(NotImplementedError, match="must implement the method __iter__"):
        iter(IterableDataset())
    with pytest.raises(NotImplementedError, match="must implement the method __iter__"):
        iter(Sampler())


def test_the_alias_and_the_package_have_it():
    assert ms.dataset.dataloader.DataLoader is DataLoader
