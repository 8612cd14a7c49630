"""What indexing, and making a tensor, try first gives what the complete ways give."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

import agar as ms
from agar._core.tensor import conversion, indexing, tensor_class

TARGETS = [
    ms.Tensor(np.arange(12, dtype=np.float32).reshape(3, 2, 2)),
    ms.Tensor(np.arange(6, dtype=np.float16).reshape(3, 2)),
    ms.Tensor([1, 2, 3], ms.int8),
    ms.Tensor([3, 2, 1], ms.uint16),
    ms.Tensor([True, False, True]),
    ms.Tensor([1 + 1j, 2, 3]),
    ms.Tensor(2.5),
    ms.Tensor(np.zeros((0, 2), np.float32)),
]
PLACES = ms.Tensor([2, 0], ms.int64)
INDICES = [
    *(0, -1, 3, -4, True, False, None, ..., np.int64(1), 1.0, "a", 2**70),
    *(slice(None), slice(1, None), slice(None, None, -1), slice(None, None, 0), slice(0, 9, 2)),
    *(slice(PLACES[0], None), slice(1.5, None), slice(None, 2**70), slice(True, None)),
    *((), (0,), (0, 1), (0, 1, 0), (0, 0, 0, 0), (..., 0), (..., ...), (None, 0), (0, None, 1)),
    *((slice(None), -1), (slice(None), slice(None, None, -1)), (0, slice(None, None, -1))),
    *(PLACES, PLACES.int(), PLACES.astype(ms.uint8), PLACES.float(), ms.Tensor([5]), ms.Tensor(1)),
    *(ms.Tensor([True, False, True]), ms.Tensor(True), ms.Tensor([True]), ms.Tensor([-1, -9])),
    *((PLACES, PLACES.int()), (slice(None), PLACES), (PLACES, None), (PLACES, 0), (0, PLACES)),
    *((PLACES, slice(None, None, -1)), (..., PLACES), (ms.Tensor(1), 0), (PLACES, ms.Tensor(1))),
    *([2, 0], [True, False, True], np.array([2, 0]), [[0, 1], [1, 0]], (PLACES, [0, 1])),
]
VALUES = [
    *(1.5, -2.0, 1e5, -1e300, float("inf"), float("nan"), 0, 127, 128, 300, -1, 2**40, True),
    *(1j, np.float32(2.5), None, "a", [1, 2], np.array([1.0, 2.0]), ms.Tensor([1.0, 2.0])),
    *(ms.Tensor(7, ms.int8), ms.Tensor(7.0), ms.Tensor([True, False]), ms.Tensor([1.0, 2.0, 3.0])),
    *(ms.Tensor([1.0, 2.0], ms.float16), ms.Parameter(ms.Tensor([1.0, 2.0])), torch.ones(2)),
]


def _outcome(run, *args):
    try:
        result = run(*args)
    except Exception as error:
        return type(error), str(error)
    value = result.to_torch()
    return type(result), value.dtype, value.shape, value.stride(), value.tolist()


def _written(write, target, index, value):
    copy = target.copy()
    outcome = _outcome(lambda: (write(copy, index, value), copy)[1])
    return outcome, copy.to_torch().tolist()


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_reading_at_once_is_reading(index):
    def completely(target):
        return tensor_class.wrap(indexing.read(target._value, index))

    for target in TARGETS:
        assert repr(_outcome(target.__getitem__, index)) == repr(_outcome(completely, target))


@pytest.mark.parametrize("index", INDICES, ids=repr)
def test_writing_at_once_is_writing(index):
    for target, value in itertools.product(TARGETS, VALUES):
        at_once = _written(ms.Tensor.__setitem__, target, index, value)
        assert repr(at_once) == repr(_written(ms.Tensor._write, target, index, value)), value


def test_plain_indices_do_without_the_complete_ways(monkeypatch):
    x, mask = ms.ops.zeros((3, 2)), ms.Tensor([True, False, True])
    monkeypatch.setattr(tensor_class, "read", lambda *_: pytest.fail("read slowly"))
    monkeypatch.setattr(ms.Tensor, "_write", lambda *_: pytest.fail("written slowly"))
    for index in (0, slice(1, None), None, ..., (slice(None), 0), mask, PLACES, (PLACES, None)):
        assert x[index].dtype == ms.float32
    x[0] = 1
    x[:, 1:] = 2.0
    x[mask] = 3.0
    x[PLACES] = x[PLACES]
    assert x.tolist() == [[3.0, 3.0], [0.0, 2.0], [3.0, 3.0]]
    x[...] = 4
    assert x.tolist() == [[4.0, 4.0]] * 3


def test_a_precision_scope_applies_to_an_index_that_copies():
    class Net(ms.nn.Cell):
        def construct(self, x):
            return x[PLACES], x[0]

    copied, view = Net().to_float(ms.float16)(ms.ops.ones((3, 2)))
    assert copied.dtype == ms.float16
    assert view.dtype == ms.float32


def test_writing_stays_known_to_a_gradient():
    def function(x):
        y = x * 2
        y[0] = 5.0
        y[PLACES] = y[PLACES] * 3
        return y.sum()

    assert ms.grad(function)(ms.Tensor([1.0, 1.0, 1.0])).tolist() == [0.0, 2.0, 6.0]


DATA = [
    *(1.5, 0.1, -0.0, 1e-46, 3.4e38, 1e300, float("inf"), 7, 2**62, 2**63, True, 1j),
    *([0.1, 0.2], [1e300, 0.0], [1, 2], [2**62, 1], [2**63, 1], [2**70], [True, False], [1, 2.0]),
    *([True, 2], (1, 2), [], [[1.0, 2.0]], [np.float64(0.1)], [np.float32(0.1)], [1, None], ["a"]),
    *([np.int8(1)], np.array([0.1]), np.array([1, 2], ">i4"), np.array([1])[::-1]),
    *(np.array([True]), np.array(["a"]), np.array([1.0], np.longdouble), np.array([1], "M8[s]")),
]


@pytest.mark.parametrize("data", DATA, ids=repr)
def test_data_become_the_tensors_that_numpy_makes_of_them(data, monkeypatch):
    types = (None, ms.float32, ms.float64, ms.float16, ms.int32, ms.int64, ms.int8, ms.bool_)
    at_once = [_outcome(ms.Tensor, data, dtype) for dtype in types]
    monkeypatch.setattr(conversion, "PLAIN_ARRAYS", frozenset())
    monkeypatch.setattr(conversion, "_FINITE", 0)
    monkeypatch.setattr(conversion, "_SAME_IN_TORCH", {})
    assert repr(at_once) == repr([_outcome(ms.Tensor, data, dtype) for dtype in types])


def test_arrays_of_tensors_are_noted_as_lent():
    from agar._core.lent import is_lent

    x = ms.Tensor([1.0, 2.0])
    first, second = x.asnumpy(), x.asnumpy()
    del first
    assert is_lent(x.to_torch())
    del second
    assert not is_lent(x.to_torch())
    array = np.ones(2, np.float32)
    assert is_lent(ms.from_numpy(array).to_torch())


def test_a_tensor_without_axes_is_arranged_and_spread():
    x = ms.Tensor(2.5)
    assert ms.ops.permute(x, ()).shape == ms.ops.transpose(x, []).shape == ()
    assert ms.ops.broadcast_to(x, ()).shape == x.expand(()).shape == ()
