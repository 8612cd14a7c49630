"""Entries that have the lines of a short graph in place of a call, with weights held transposed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Tensor, nn, ops
from agar._core.graph.autotune import tuner


@pytest.fixture(autouse=True)
def graph_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuner.runtime, "plans", False)
    ms.set_context(mode=ms.GRAPH_MODE)


def given(seed: int = 0) -> Tensor:
    return Tensor(np.random.RandomState(seed).randn(3, 4).astype(np.float32))


def warm(net: Any, x: Tensor) -> Any:
    for _ in range(5):
        net(x)
    return entry_of(net)


def entry_of(net: Any) -> Any:
    return vars(net)["_compiled"].entry


def eager(net: Any, x: Tensor) -> np.ndarray:
    ms.set_context(mode=ms.PYNATIVE_MODE)
    try:
        return net(x).asnumpy()
    finally:
        ms.set_context(mode=ms.GRAPH_MODE)


def test_a_short_graph_is_written_into_its_entry() -> None:
    net = nn.SequentialCell(nn.Dense(4, 4), nn.ReLU(), nn.Dense(4, 4))
    source = warm(net, given()).source
    assert "run(" not in source
    assert source.count("addmm(") == 2
    assert "relu" in source
    for seed in range(4):
        x = given(seed)
        assert np.array_equal(net(x).asnumpy(), eager(net, x))


def test_a_long_graph_is_called() -> None:
    net = nn.SequentialCell(*[nn.ReLU() for _ in range(40)])
    assert "run(r0)" in warm(net, given()).source


def test_large_weights_are_not_held() -> None:
    """The view would keep the memory of a weight that has been replaced."""
    net = nn.Dense(4, 2000)
    source = warm(net, given()).source
    assert "linear_" in source
    assert "addmm(" not in source


def raw(net: Any) -> Any:
    return net.weight._value


def shifted(t: torch.Tensor) -> torch.Tensor:
    """Other numbers of the same memory, shape and strides: one row further."""
    memory = torch.cat([t.detach().flatten(), torch.arange(4.0)])
    return memory[4:].view(4, 4)


CHANGES: dict[str, Callable[[Any], Any]] = {
    "set_data": lambda net: net.weight.set_data(Tensor(np.ones((4, 4), np.float32))),
    "in place": lambda net: net.weight.__setitem__(0, 5.0),
    "assign": lambda net: ops.assign(net.weight, ops.ones((4, 4))),
    "torch's data": lambda net: setattr(raw(net), "data", torch.full((4, 4), 0.5)),
    "torch's data, shifted": lambda net: setattr(raw(net), "data", shifted(raw(net))),
    "torch's data, transposed": lambda net: setattr(raw(net), "data", raw(net).data.t()),
    "torch's data, other strides": lambda net: setattr(
        raw(net), "data", raw(net).data.as_strided((4, 4), (0, 1))
    ),
    "torch's data, fewer rows": lambda net: (
        setattr(raw(net), "data", raw(net).data[:1]),
        setattr(net.bias._value, "data", net.bias._value.data[:1]),
    ),
    "torch in place": lambda net: raw(net).data.mul_(3.0),
    "torch's set_": lambda net: raw(net).set_(torch.rand(4, 4)),
    "another parameter": lambda net: setattr(
        net, "weight", ms.Parameter(np.full((4, 4), 2.0, np.float32))
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_weights_that_change(change: str) -> None:
    net, x = nn.Dense(4, 4), given()
    assert "addmm(" in warm(net, x).source
    before = got = net(x).asnumpy()
    CHANGES[change](net)
    for _ in range(4):
        got, expected = net(x).asnumpy(), eager(net, x)
        assert got.shape == expected.shape
        assert np.array_equal(got, expected)
    assert got.shape != before.shape or not np.array_equal(got, before)
    raw(net).data[-1, -1].fill_(9.0)
    assert np.array_equal(net(x).asnumpy(), eager(net, x))


def test_weights_of_a_call_without_arguments_are_looked_at() -> None:
    class Constant(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.dense = nn.Dense(4, 4)
            self.x = ms.Parameter(given())

        def construct(self) -> Tensor:
            return self.dense(self.x)

    net = Constant()
    for _ in range(5):
        net()
    assert "addmm(" in entry_of(net).source
    weight = raw(net.dense)
    weight.data = weight.data.t()
    got = net().asnumpy()
    ms.set_context(mode=ms.PYNATIVE_MODE)
    assert np.array_equal(got, net().asnumpy())


def test_errors_of_its_lines_are_pythons() -> None:
    class Picks(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.calls = ms.Parameter(Tensor([0.0]), requires_grad=False)
            self.table = ms.Parameter(Tensor(np.arange(8.0, dtype=np.float32).reshape(4, 2)))

        def construct(self, i: Tensor) -> Tensor:
            y = ops.gather(self.table, i, 0)
            self.calls += 1
            return y

    net = Picks()
    good, bad = Tensor([1, 2], ms.int64), Tensor([1, 7], ms.int64)
    assert "run(" not in warm(net, good).source
    ms.set_context(mode=ms.PYNATIVE_MODE)
    with pytest.raises(Exception) as eagerly:  # noqa: PT011
        net(bad)
    ms.set_context(mode=ms.GRAPH_MODE)
    count = float(net.calls.asnumpy()[0])
    with pytest.raises(type(eagerly.value), match=re.escape(str(eagerly.value).split("\n")[0])):
        net(bad)
    assert float(net.calls.asnumpy()[0]) == count
    assert net(good).asnumpy().tolist() == [[2.0, 3.0], [4.0, 5.0]]


def test_the_entry_is_written_anew_when_the_choice_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuner.runtime, "plans", True)
    net, x = nn.Dense(4, 4), given()
    assert "run(" in warm(net, x).source  # a plan may take O0's place
    for _ in range(40):
        net(x)
    assert "run(" not in entry_of(net).source
    assert np.array_equal(net(x).asnumpy(), eager(net, x))


def test_nobody_is_kept_alive() -> None:
    import gc
    import weakref

    net, x = nn.Dense(4, 4), given()
    warm(net, x)
    ref, weight = weakref.ref(net), weakref.ref(raw(net))
    del net
    gc.collect()
    assert ref() is None
    assert weight() is None
