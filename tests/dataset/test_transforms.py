"""Transforms of any data: the results that MindSpore 2.10 gives, and how transforms combine."""

from __future__ import annotations

import random

import numpy as np
import pytest

import agar as ms
import agar.dataset.transforms as T
from agar.dataset.transforms import Relational as R
from agar.dataset.transforms import _random

a = np.array

# what MindSpore 2.10 gave: the operation, its inputs, the types and values of its results
GIVEN = [
    (lambda: T.Concatenate(), (a([1, 2]), a([3])), [("int64", [1, 2, 3])]),
    (lambda: T.Concatenate(0, a([9]), a([8])), (a([1, 2]),), [("int64", [9, 1, 2, 8])]),
    (lambda: T.Concatenate(0), (a(["a", "bc"]), a(["ddd"])), [("<U3", ["a", "bc", "ddd"])]),
    (lambda: T.Duplicate(), (a([1, 2]),), [("int64", [1, 2]), ("int64", [1, 2])]),
    (lambda: T.Fill(3.7), (a([1, 2]),), [("int64", [3, 3])]),
    (lambda: T.Fill(300), (a([1, 2], np.uint8),), [("uint8", [44, 44])]),
    (lambda: T.Fill(-1), (a([1, 2], np.uint8),), [("uint8", [255, 255])]),
    (lambda: T.Fill("x"), (a(["a", "b"]),), [("<U1", ["x", "x"])]),
    (lambda: T.Fill(b"x"), (a([b"a", b"b"]),), [("|S1", [b"x", b"x"])]),
    (lambda: T.Fill(3), (a([True, False]),), [("bool", [True, True])]),
    (lambda: T.Fill(3), (5,), [("int64", 3)]),
    (lambda: T.Mask(R.GE, 3, ms.int32), (a([1, 2, 3]),), [("int32", [0, 0, 1])]),
    (lambda: T.Mask(R.GE, 2.5), (a([1, 2, 3]),), [("bool", [False, True, True])]),
    (lambda: T.Mask(R.NE, "b"), (a(["a", "b"]),), [("bool", [True, False])]),
    (lambda: T.Mask(R.LE, 3, ms.float16), (a([2, 4]),), [("float16", [1.0, 0.0])]),
    (lambda: T.OneHot(4), (a(2, np.uint8),), [("uint8", [0, 0, 1, 0])]),
    (lambda: T.OneHot(3), (a([[2], [1]]),), [("int64", [[0, 0, 1], [0, 1, 0]])]),
    (lambda: T.OneHot(4, 0.1), (a(2),), [("float64", [0.025, 0.025, 0.925, 0.025])]),
    (lambda: T.PadEnd([4], 7), (a([1, 2]),), [("int64", [1, 2, 7, 7])]),
    (lambda: T.PadEnd([1], 7), (a([1, 2]),), [("int64", [1])]),
    (lambda: T.PadEnd([3]), (a(["a", "bc"]),), [("<U2", ["a", "bc", ""])]),
    (lambda: T.PadEnd([3], 1.7), (a([1]),), [("int64", [1, 1, 1])]),
    (lambda: T.PadEnd([3]), (a(1),), [("int64", 1)]),
    (lambda: T.Slice(-1), (a([1, 2, 3]),), [("int64", [3])]),
    (lambda: T.Slice([0, 2]), (a([1, 2, 3]),), [("int64", [1, 3])]),
    (lambda: T.Slice(slice(0, 5)), (a([1, 2, 3]),), [("int64", [1, 2, 3])]),
    (lambda: T.Slice(0, slice(0, 2)), (a([[1, 2, 3], [4, 5, 6]]),), [("int64", [[1, 2]])]),
    (lambda: T.Slice(..., [0, 2]), (a([[1, 2, 3], [4, 5, 6]]),), [("int64", [[1, 3], [4, 6]])]),
    (lambda: T.Slice(slice(2, 1)), (a([1, 2, 3]),), [("int64", [])]),
    (lambda: T.Slice(0), (a(["abc", "de"]),), [("<U3", ["abc"])]),
    (lambda: T.TypeCast(ms.uint8), (a([1.7, -2.2, 300]),), [("uint8", [1, 254, 44])]),
    (lambda: T.TypeCast(ms.bool_), (a([1.7, 0, 300]),), [("bool", [True, False, True])]),
    (lambda: T.TypeCast("float16"), (a([0, 300]),), [("float16", [0.0, 300.0])]),
    (lambda: T.TypeCast(float), (a([1, 2]),), [("float64", [1.0, 2.0])]),
    (
        lambda: T.Unique(),
        (a([[3, 1], [3, 2]]),),
        [("int64", [3, 1, 2]), ("int32", [0, 1, 0, 2]), ("int32", [2, 1, 1])],
    ),
    (
        lambda: T.Compose([lambda x: (x, x + 1), lambda x, y: x + y]),
        (a([1, 2]),),
        [("int64", [3, 5])],
    ),
    (lambda: T.Compose([T.Duplicate(), T.Concatenate()]), (a([1, 2]),), [("int64", [1, 2, 1, 2])]),
    (lambda: T.RandomApply([T.Fill(3)], 1.0), (a([1, 2]),), [("int64", [3, 3])]),
    (lambda: T.RandomChoice([lambda x: x + 1]), (a([1, 2]),), [("int64", [2, 3])]),
]


@pytest.mark.parametrize(("make", "inputs", "expected"), GIVEN)
def test_results(make, inputs, expected):
    result = make()(*inputs)
    result = result if isinstance(result, tuple) else (result,)
    assert [(str(part.dtype), part.tolist()) for part in result] == [
        (kind, values) if kind[0] != "f" else (kind, pytest.approx(values))
        for kind, values in expected
    ]


REFUSED = [
    (lambda: T.Concatenate(1), ValueError, "axis"),
    (lambda: T.Concatenate(0, a([[1]])), ValueError, "1-D"),
    (lambda: T.Concatenate(0, a([9.0]))(a([1])), RuntimeError, "one type"),
    (lambda: T.Concatenate()(a([[1, 2]]), a([[5]])), RuntimeError, "1-D"),
    (lambda: T.Duplicate()(a([1]), a([2])), RuntimeError, "2 were given"),
    (lambda: T.Fill([1]), TypeError, "fill_value"),
    (lambda: T.Fill("x")(a([1])), RuntimeError, "does not suit"),
    (lambda: T.Mask(3, 3), TypeError, "Relational.EQ"),
    (lambda: T.Mask(R.NE, 3)(a(["a"])), RuntimeError, "compared"),
    (lambda: T.Mask(R.EQ, 3, ms.string)(a([1])), RuntimeError, "dtype"),
    (lambda: T.OneHot(0), ValueError, "num_classes"),
    (lambda: T.OneHot(True), TypeError, "num_classes"),
    (lambda: T.OneHot(3, 2), ValueError, "smoothing_rate"),
    (lambda: T.OneHot(4)(a(4)), RuntimeError, "one is 4"),
    (lambda: T.OneHot(4)(a(-1)), RuntimeError, "one is -1"),
    (lambda: T.OneHot(4)(a(1.0)), RuntimeError, "integers"),
    (lambda: T.PadEnd(3), TypeError, "pad_shape"),
    (lambda: T.PadEnd([1.5]), TypeError, "pad_shape"),
    (lambda: T.PadEnd([4, 4])(a([1])), RuntimeError, "dimensions"),
    (lambda: T.PadEnd([4], "z")(a([1])), RuntimeError, "pad_value"),
    (lambda: T.Slice("a"), TypeError, "slices"),
    (lambda: T.Slice(5)(a([1])), RuntimeError, "index 5"),
    (lambda: T.Slice(0, 0)(a([1])), RuntimeError, "2 options"),
    (lambda: T.TypeCast("x"), TypeError, "data_type"),
    (lambda: T.TypeCast(None), TypeError, "data_type"),
    (lambda: T.TypeCast(np.float32)(a(["1.5"])), RuntimeError, "cannot be cast"),
    (lambda: T.Unique()(a([True])), RuntimeError, "numbers"),
    (lambda: T.Compose([]), ValueError, "empty"),
    (lambda: T.Compose([T.Fill]), ValueError, "class Fill"),
    (lambda: T.Compose([3]), TypeError, "callable"),
    (lambda: T.Compose(T.Fill(3)), TypeError, "transforms"),
    (lambda: T.Compose([T.Fill(3)])(), TypeError, "without a value"),
    (lambda: T.RandomApply([T.Fill(3)], 2.0), ValueError, "prob"),
    (lambda: T.Fill(1)(object()), TypeError, "cannot be made an array"),
    (lambda: T.Plugin("a", "b"), NotImplementedError, "ctypes"),
]


@pytest.mark.parametrize(("call", "kind", "words"), REFUSED)
def test_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


def test_compose_takes_compositions_apart():
    inner = T.Compose([T.Fill(1), T.Fill(2)])
    assert len(T.Compose([inner, T.Fill(3)]).transforms) == 3
    assert inner.random is False
    assert T.Compose([T.RandomApply([T.Fill(1)])]).random is True


def test_tensors_are_taken():
    assert T.TypeCast(ms.int32)(ms.Tensor([1.5, 2.5])).tolist() == [1, 2]


def test_random_order_leaves_the_list_alone():
    operations = [lambda x: x * 2, lambda x: x + 1]
    random.seed(0)
    names = {T.RandomOrder(operations)(3) for _ in range(30)}
    assert names == {7, 8}
    assert operations[0](3) == 6


# --- streams --------------------------------------------------------------------------------------


def _draws(operation, count=20):
    return [int(operation(np.zeros(1, int))[0]) for _ in range(count)]


def _choice():
    return T.RandomChoice([T.Fill(i) for i in range(5)])


def test_a_seed_starts_streams_anew():
    operation = _choice()
    ms.dataset.config.set_seed(1)
    first = _draws(operation)
    ms.dataset.config.set_seed(1)
    assert _draws(operation) == first
    assert _draws(operation) != first, "the stream goes on"
    ms.set_seed(1)
    assert _draws(operation) == first
    ms.set_seed(2)
    assert _draws(operation) != first


def test_streams_without_a_seed_differ():
    ms.dataset.config.set_seed(5489)
    assert _draws(_choice(), 40) != _draws(_choice(), 40)


def test_streams_are_saved_and_put_back():
    ms.dataset.config.set_seed(1)
    operations = [T.Compose([_choice()]), T.RandomApply([_choice()], 0.5)]
    for operation in operations:
        _draws(operation, 7)
    state = _random.get_state(operations)
    rest = [_draws(operation) for operation in operations]
    again = [T.Compose([_choice()]), T.RandomApply([_choice()], 0.5)]
    _random.set_state(again, state)
    assert [_draws(operation) for operation in again] == rest
    with pytest.raises(ValueError, match="3 operations, but there are 1"):
        _random.set_state(_choice(), state)


class _Rows:
    """A dataset for torch whose rows are draws."""

    def __init__(self):
        self.operation = _choice()

    def __len__(self):
        return 40

    def __getitem__(self, index):
        return int(self.operation(np.zeros(1, int))[0])


def test_workers_have_streams_of_their_own():
    # torch's loader is what pipelines stand on
    from torch.utils.data import DataLoader

    def run(seed):
        ms.dataset.config.set_seed(seed)
        rows = _Rows()
        _draws(rows.operation, 3)  # a copy of a stream in use must not be shared
        loader = DataLoader(rows, batch_size=None, num_workers=2)  # type: ignore[arg-type]
        items = list(loader)
        return items[::2], items[1::2]

    one, two = run(1)
    assert one != two
    assert run(1) == (one, two)

    def alone(seed):
        operation = _choice()
        _random.reseed(operation, seed)
        return _draws(operation)

    assert (one, two) == (alone(1), alone(2)), "worker i starts from seed + i"


def test_distributions():
    engine = _random.Engine(7)
    drawn = np.array([engine.integer(2, 5) for _ in range(4000)])
    assert set(drawn) == {2, 3, 4, 5}
    assert np.bincount(drawn)[2:].min() > 900
    values = np.array([engine.normal(1.0, 2.0, engine.spare) for _ in range(4000)])
    assert abs(values.mean() - 1) < 0.1
    assert abs(values.std() - 2) < 0.1
    for alpha in (0.4, 1.0, 3.0):
        gammas = np.array([engine.gamma(alpha, []) for _ in range(3000)])
        assert abs(gammas.mean() - alpha) < 0.15 * max(alpha, 1)
    sampled = [tuple(engine.sample(range(5), 2)) for _ in range(2000)]
    assert all(x < y for x, y in sampled)
    assert len(set(sampled)) == 10
