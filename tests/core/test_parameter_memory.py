"""What a program was given of a parameter's memory, and what later changes do to it.

The figures are those of MindSpore 2.10: `set_data` and its like exchange the memory, other changes
happen in it.
"""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import agar as ms
from agar import nn, ops

NEW = [7.0, 8.0]


def _parameter():
    return ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")


class Scale(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = _parameter()

    def construct(self, x):
        return x * self.w


@pytest.mark.parametrize("given", ["asnumpy", "data", "numpy"])
@pytest.mark.parametrize("way", ["set_data", "assign_value", "load"])
def test_new_values_leave_what_was_given_before(given, way):
    net = Scale()
    before = getattr(net.w, given)
    before = before() if callable(before) else before
    if way == "load":
        ms.load_param_into_net(net, {"w": ms.Parameter(ms.Tensor(NEW), name="w")})
    else:
        getattr(net.w, way)(ms.Tensor(NEW))
    assert np.asarray(before).tolist() == [1, 2]
    assert net.w.asnumpy().tolist() == NEW


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (lambda p: p.__setitem__(0, 5.0), [5, 2]),
        (lambda p: ops.assign(p, ms.Tensor(NEW)), NEW),
        (lambda p: ops.assign_add(p, ms.Tensor(NEW)), [8, 10]),
        (lambda p: nn.SGD([p], 0.5)((ms.Tensor([1.0, 1.0]),)), [0.5, 1.5]),
    ],
    ids=["item", "assign", "assign_add", "optimizer"],
)
def test_other_changes_are_seen(change, after):
    p = _parameter()
    array, data = p.asnumpy(), p.data
    change(p)
    assert array.tolist() == data.asnumpy().tolist() == after


def test_values_can_be_put_back():
    net = Scale()
    kept = {p.name: p.data for p in net.get_parameters()}
    net.w.set_data(ms.Tensor(NEW))
    for p in net.get_parameters():
        p.set_data(kept[p.name])
    assert net.w.asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_calls_and_steps_use_the_new_memory(mode):
    ms.set_context(mode=mode)
    net, x = Scale(), ms.Tensor([1.0, 1.0])
    optimizer = nn.Momentum(net.trainable_params(), 1.0, 0.5)
    step = ms.value_and_grad(lambda v: net(v).sum(), None, optimizer.parameters)
    for _ in range(3):
        net(x)
    before = net.w.asnumpy()
    net.w.set_data(ms.Tensor(NEW))
    assert net(x).asnumpy().tolist() == NEW
    optimizer(step(x)[1])
    assert net(x).asnumpy().tolist() == [6, 7]
    net.w.set_data(ms.Tensor([0.0, 0.0]))  # nothing was given since: in place
    assert net(x).asnumpy().tolist() == [0, 0]
    assert before.tolist() == [1, 2]


def test_what_was_given_is_not_kept_alive():
    p = _parameter()
    gone = weakref.ref(p.asnumpy())
    gc.collect()
    assert gone() is None
    held = p._value
    p.set_data(ms.Tensor(NEW))
    assert p._value is held


def test_what_torch_was_given_sees_all_changes():
    p = _parameter()
    shared, array = p.to_torch(), p.asnumpy()
    p.set_data(ms.Tensor(NEW))
    assert shared.tolist() == array.tolist() == NEW
