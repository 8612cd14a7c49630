"""Worker processes: their rows, their errors, their end; and iterators that go on where one was."""

from __future__ import annotations

import gc
import json
import os
import random
import time

import numpy as np
import pytest

import agar.dataset as ds


@pytest.fixture(autouse=True)
def _seed():
    held = ds.config.get_seed()
    ds.config.set_seed(7)
    yield
    ds.config.set_seed(held)


class Source:
    """Rows whose arrays are small, or large enough for shared memory."""

    def __init__(self, size=8, shape=(2,)):
        self.size = size
        self.shape = shape

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return np.full(self.shape, index, np.float32), index


def drawn(x):
    return x + random.random() + np.random.rand()


def fifth(x):
    if x.flat[0] == 5:
        raise KeyError("five")
    return x


def pipeline(workers=2, shape=(2,), processes=True):
    data = ds.GeneratorDataset(Source(shape=shape), ["x", "i"], num_parallel_workers=workers)
    data = data.map(drawn, "x", num_parallel_workers=workers, python_multiprocessing=processes)
    return data.batch(3).repeat(2)


def rows(data, epochs=1, state=None, leave=0):
    """The rows that an iterator gives; `leave` of the first epoch are left out."""
    iterator = data.create_tuple_iterator(num_epochs=epochs, output_numpy=True, state=state)
    items = []
    for _ in range(epochs - (state or {}).get("epoch", 0)):
        items += [[value.copy() for value in row] for row in iterator]
    return items[leave:]


def same(left, right):
    return len(left) == len(right) and all(
        np.array_equal(a, b)
        for x, y in zip(left, right, strict=True)
        for a, b in zip(x, y, strict=True)
    )


def children():
    with open(f"/proc/{os.getpid()}/task/{os.getpid()}/children") as file:
        return set(file.read().split())


def gone(before):
    for _ in range(100):
        if children() <= before:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("shape", [(2,), (100, 200)])
def test_rows_do_not_depend_on_the_workers(shape, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(3), raising=False)
    two = rows(pipeline(2, shape), 2)
    assert same(two, rows(pipeline(2, shape), 2))
    assert same(two, rows(pipeline(3, shape), 2))
    assert not same(two[:6], two[6:])


def test_an_error_shows_the_line_and_the_sample():
    data = ds.GeneratorDataset(Source(), ["x", "i"], shuffle=False, num_parallel_workers=2)
    data = data.map(fifth, "x", num_parallel_workers=2, python_multiprocessing=True).batch(2)
    with pytest.raises(RuntimeError, match=r"fifth of sample 5.*KeyError: 'five'.*in fifth"):
        rows(data)


def test_iterators_leave_no_processes():
    before = children()
    iterator = iter(pipeline())
    next(iterator)
    assert len(children() - before) == 2
    del iterator
    gc.collect()
    assert gone(before)
    result = pipeline().create_tuple_iterator()
    next(result)
    result.release()
    assert gone(before)
    rows(pipeline())
    assert gone(before)


@pytest.mark.parametrize("processes", [True, False])
@pytest.mark.parametrize("steps", [0, 4])
@pytest.mark.parametrize("shuffled", [False, True])
def test_an_iterator_goes_on_where_another_was(processes, steps, shuffled):
    def made():
        data = pipeline(2 if processes else 1, processes=processes)
        return data.shuffle(4) if shuffled else data

    iterator = made().create_tuple_iterator(num_epochs=3, output_numpy=True)
    for _ in iterator:
        pass
    for _ in range(steps):
        next(iterator)
    state = json.loads(json.dumps(iterator.state()))
    rest = [[v.copy() for v in row] for _ in range(2) for row in iterator]
    random.random()
    np.random.rand()
    assert same(rows(made(), 3, state), rest)
    assert len(rest) == 12 - steps


def test_a_state_of_another_pipeline_is_refused():
    state = pipeline(1).create_tuple_iterator().state()
    with pytest.raises(RuntimeError, match="another pipeline"):
        ds.NumpySlicesDataset([1]).create_tuple_iterator(state=state)


def test_iterators_begin_after_the_init_step():
    data = ds.NumpySlicesDataset(list(range(10)), ["x"]).batch(2)
    whole = rows(data, 2)
    data.set_init_step(7)
    iterator = data.create_tuple_iterator(num_epochs=2, output_numpy=True)
    assert same([[v.copy() for v in row] for row in iterator], whole[7:])


def test_transforms_draw_alike_for_a_seed():
    from agar.dataset import vision

    image = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    data = ds.GeneratorDataset([(image,)] * 8, ["x"], shuffle=False)

    def made(**kwargs):
        return data.map(vision.RandomHorizontalFlip(0.5), "x", **kwargs).batch(2)

    # in the program itself the stream of the operation starts with the iterator
    assert same(rows(made(), 2), rows(made(), 2))
    parallel = made(num_parallel_workers=2)
    assert same(rows(parallel, 2), rows(parallel, 2))
    iterator = made().create_tuple_iterator(num_epochs=1, output_numpy=True)
    next(iterator)
    state = json.loads(json.dumps(iterator.state()))
    rest = [[v.copy() for v in row] for row in iterator]
    assert same(rows(made(), 1, state), rest)


def test_spawned_workers(monkeypatch):
    ds.config.set_multiprocessing_start_method("spawn")
    try:
        data = ds.GeneratorDataset(Source(), ["x", "i"], shuffle=False, num_parallel_workers=2)
        with pytest.raises(RuntimeError, match="pickled"):
            rows(data.map(lambda x: x, "x", num_parallel_workers=2, python_multiprocessing=True))
    finally:
        ds.config.set_multiprocessing_start_method("fork")


def ends(x):
    if x.flat[0] == 3:
        os.kill(os.getpid(), 9)
    return x


def hangs(x):
    if x.flat[0] == 3:
        time.sleep(600)
    return x


def _served(operation):
    data = ds.GeneratorDataset(Source(), ["x", "i"], shuffle=False)
    return data.map(operation, "x", num_parallel_workers=2, python_multiprocessing=True)


def test_a_killed_worker_is_an_error_that_names_the_operation():
    before = children()
    with pytest.raises(RuntimeError, match=r"SIGKILL while it was busy with .*Dataset.map ends"):
        rows(_served(ends))
    assert gone(before)


def test_a_worker_that_hangs_is_an_error_that_names_the_operation(monkeypatch):
    before = children()
    monkeypatch.setattr("agar.dataset.engine._flow._INTERVALS", 1)
    monkeypatch.setitem(ds.config._values, "multiprocessing_timeout_interval", 1)
    with pytest.raises(RuntimeError, match=r"busy with .*Dataset.map hangs for 1 s"):
        rows(_served(hangs))
    assert gone(before)
