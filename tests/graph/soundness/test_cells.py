"""Cells that are copied, changed and exchanged between calls."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Parameter, Tensor, nn, ops
from graph.soundness.attacks import (
    Net,
    Programs,
    t,
)
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()
replayed, ordinary = ROWS.replayed, ROWS.ordinary


@replayed()
def deep_copied_after_compiling(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.inner(x) * s.k[0], inner=nn.Dense(3, 2, weight_init="ones"), k=[1.0])
    call = run(net)
    x = Tensor(np.ones((2, 3), np.float32))
    for _ in range(4):
        yield call(x)
    other = copy.deepcopy(net)
    again = run(other)
    other.k[0] = 3.0
    other.inner.weight.set_data(other.inner.weight * 2)
    for _ in range(4):
        yield call(x), again(x)
    net.k[0] = 7.0
    for _ in range(4):
        yield call(x), again(x)


@replayed()
def shallow_copied_after_compiling(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.k[0] * s.n, k=[1.0], n=2.0)
    call = run(net)
    for _ in range(4):
        yield call(t())
    again = run(copy.copy(net))
    for i in range(8):
        if i == 3:
            net.k[0] = 3.0
        if i == 5:
            net.n = 5.0
        yield call(t()), again(t())


@replayed()
def pickled_after_compiling(run: Run) -> Iterator[Any]:
    net = nn.SequentialCell(nn.Dense(3, 2, weight_init="ones"), nn.ReLU())
    call = run(net)
    x = Tensor(np.ones((2, 3), np.float32))
    for _ in range(4):
        yield call(x)
    other = pickle.loads(pickle.dumps(net))
    again = run(other)
    other[0].weight.set_data(other[0].weight * 2)
    for _ in range(4):
        yield call(x), again(x)


class First(nn.Cell):
    k = 2.0

    def construct(self, x: Any) -> Any:
        return x * self.k


class Second(First):
    def construct(self, x: Any) -> Any:
        return x + self.k


@replayed()
def class_of_a_cell_assigned(run: Run) -> Iterator[Any]:
    net = First()
    call = run(net)
    for i in range(9):
        if i == 4:
            net.__class__ = Second
        yield call(t())


@replayed()
def class_of_a_child_assigned(run: Run) -> Iterator[Any]:
    child = First()
    net = Net(lambda s, x: s.child(x) * 3, child=child)
    call = run(net)
    for i in range(9):
        if i == 4:
            child.__class__ = Second
        yield call(t())


@replayed()
def class_of_a_held_cell_assigned_past_setattr(run: Run) -> Iterator[Any]:
    child = First()
    call = run(lambda x: child(x) * 3)
    for i in range(9):
        if i == 4:
            object.__setattr__(child, "__class__", Second)
        yield call(t())


@replayed()
def attribute_exchanged_past_setattr(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * getattr(s, "late", 1.0), early=1.0)
    call = run(net)
    for i in range(9):
        if i == 4:
            del net.__dict__["early"]
            net.__dict__["late"] = 3.0
        yield call(t())


@replayed()
def attribute_of_a_child_exchanged_past_setattr(run: Run) -> Iterator[Any]:
    child = First()
    child.early = 1.0
    net = Net(lambda s, x: s.child(x) * 3, child=child)
    call = run(net)
    for i in range(9):
        if i == 4:
            del child.__dict__["early"]
            child.__dict__["k"] = 30.0
        yield call(t())


@replayed()
def attribute_of_a_function_exchanged(run: Run) -> Iterator[Any]:
    def helper(x: Any) -> Any:
        return x * getattr(helper, "late", 1.0)

    helper.early = 1.0  # type: ignore[attr-defined]
    call = run(lambda x: helper(x))
    for i in range(9):
        if i == 4:
            del helper.early  # type: ignore[attr-defined]
            helper.late = 3.0  # type: ignore[attr-defined]
        yield call(t())


@replayed()
def attribute_of_a_tensor_exchanged(run: Run) -> Iterator[Any]:
    held: Any = t(1, 1, 1)
    held.early = 1.0
    call = run(lambda x: x * held * getattr(held, "late", 1.0))
    for i in range(9):
        if i == 4:
            del held.early
            held.late = 3.0
        yield call(t())


@replayed()
def children_swapped(run: Run) -> Iterator[Any]:
    a, b = nn.ReLU(), nn.Tanh()
    net = nn.SequentialCell(a, b)
    call = run(net)
    for i in range(12):
        if i == 4:
            net[0] = nn.Sigmoid()
        if i == 8:
            net.append(nn.ReLU())
        yield call(t())


@replayed()
def cell_list_changed(run: Run) -> Iterator[Any]:
    def step(s: Any, x: Any) -> Any:
        for layer in s.layers:
            x = layer(x)
        return x

    net = Net(step, layers=nn.CellList([nn.ReLU(), nn.Tanh()]))
    call = run(net)
    for i in range(12):
        if i == 3:
            net.layers.append(nn.Sigmoid())
        if i == 6:
            del net.layers[0]
        if i == 9:
            net.layers.insert(0, nn.Tanh())
        yield call(t())


@replayed()
def child_deleted_and_added(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.a(x) if hasattr(s, "a") else s.b(x), a=nn.ReLU())
    call = run(net)
    for i in range(9):
        if i == 4:
            del net.a
            net.insert_child_to_cell("b", nn.Tanh())
        yield call(t())


@replayed()
def hooks_added_and_removed(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.inner(x) + 1, inner=nn.Tanh())
    call = run(net)
    handle = None
    for i in range(14):
        if i == 3:
            handle = net.inner.register_forward_hook(lambda cell, args, out: out * 2)
        if i == 6:
            assert handle is not None
            handle.remove()
        if i == 8:
            handle = net.register_forward_pre_hook(lambda cell, args: (args[0] * 3,))
        if i == 11:
            assert handle is not None
            handle.remove()
        yield call(t())


@ordinary()
def hook_with_state(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.inner(x) + 1, inner=nn.Tanh())
    seen: list[int] = []

    def hook(cell: Any, args: Any, out: Any) -> Any:
        seen.append(len(seen))
        return out * len(seen)

    net.inner.register_forward_hook(hook)
    call = run(net)
    for _ in range(6):
        yield call(t()), list(seen)


@replayed()
def precision_changed(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.inner(x), inner=nn.Dense(3, 3, weight_init="ones"))
    call = run(net)
    x = Tensor(np.linspace(0, 1.37, 6, dtype=np.float32).reshape(2, 3))
    for i in range(12):
        if i == 4:
            net.inner.to_float(ms.float16)
        if i == 8:
            net.to_float(ms.float32)
        yield call(x)


@replayed()
def level_of_mixed_precision_changed(run: Run) -> Iterator[Any]:
    net = nn.SequentialCell(nn.Dense(3, 3, weight_init="ones"), nn.BatchNorm1d(3), nn.ReLU())
    call = run(net)
    x = Tensor(np.linspace(0, 1.37, 6, dtype=np.float32).reshape(2, 3))
    for i in range(8):
        if i == 4:
            ms.amp.auto_mixed_precision(net, "O2")
        yield call(x)


@replayed()
def data_of_another_type(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.w + s.w.shape[0], w=Parameter(t(1, 2, 3), name="w"))
    call = run(net)
    for i in range(12):
        if i == 4:
            net.w.set_dtype(ms.float16)
        if i == 8:
            net.w.set_data(Tensor([2.0], ms.float32), slice_shape=True)
        yield attempt(call, t())


@replayed()
def parameter_replaced_by_a_view(run: Run) -> Iterator[Any]:
    base = Tensor(np.arange(6, dtype=np.float32))
    net = Net(lambda s, x: x * s.w, w=Parameter(t(1, 2, 3), name="w"))
    call = run(net)
    for i in range(12):
        if i == 4:
            net.w._value = base._value[1:4]
        if i == 8:
            net.w._value = base._value[::2]
        if i in (6, 10):
            base._value.add_(1)
        yield call(t())


@replayed()
def tensor_changed_by_torch(run: Run) -> Iterator[Any]:
    held = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    call = run(lambda x: ops.sum(held, 0) * held.shape[0] + x.sum())
    for i in range(10):
        if i == 4:
            held._value.t_()
        if i == 7:
            held._value.unsqueeze_(0)
        yield attempt(call, t())


@replayed()
def tensor_whose_data_torch_exchanges(run: Run) -> Iterator[Any]:
    held = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    call = run(lambda x: ops.sum(held) * held.shape[0] + x.sum())
    for i in range(10):
        if i == 4:
            held._value.data = torch.ones(3, 2)
        if i == 7:
            held._value.resize_(1, 2)
        yield attempt(call, t())


@replayed()
def torch_tensor_with_attributes(run: Run) -> Iterator[Any]:
    held = torch.ones(3)
    held.factor = 2.0  # type: ignore[attr-defined]
    call = run(lambda x: x * held.factor)  # type: ignore[attr-defined]
    for i in range(9):
        if i == 4:
            held.factor = 3.0  # type: ignore[attr-defined]
        yield call(t())


@replayed()
def torch_tensor_of_another_shape(run: Run) -> Iterator[Any]:
    held = torch.ones(3)
    call = run(lambda x: x * float(held.dim() + held.shape[0]))
    for i in range(9):
        if i == 4:
            held.unsqueeze_(0)
        if i == 6:
            held.data = torch.ones(7)
        yield call(t())


@replayed()
def distribution_of_torch(run: Run) -> Iterator[Any]:
    held = torch.distributions.Normal(torch.tensor(0.0), torch.tensor(1.0))
    call = run(lambda x: x * float(held.scale))
    for i in range(9):
        if i == 4:
            held.scale = torch.tensor(3.0)
        if i == 6:
            held.scale.add_(1.0)
        yield call(t())


@replayed()
def parameters_tied_and_untied(run: Run) -> Iterator[Any]:
    a, b = nn.Dense(3, 3, weight_init="ones"), nn.Dense(3, 3, weight_init="zeros")
    net = Net(lambda s, x: s.b(s.a(x)), a=a, b=b)
    call = run(net)
    x = Tensor(np.ones((2, 3), np.float32))
    own = b.weight
    for i in range(12):
        if i == 3:
            b.weight = a.weight
        if i == 6:
            ops.assign(a.weight, a.weight * 2)
        if i == 9:
            b.weight = own
        yield call(x)


@replayed()
def tensor_shared_by_two_cells(run: Run) -> Iterator[Any]:
    shared = t(1, 1, 1)
    a = Net(lambda s, x: x * s.held, held=shared)
    b = Net(
        lambda s, x: (ops.assign_add(s.held, x), x + s.held)[1], held=Parameter(shared, name="p")
    )
    one, two = run(a), run(b)
    for i in range(8):
        if i == 5:
            a.held = b.held
        yield one(t()), two(t()), shared


@replayed()
def attribute_of_a_child_exchanged_that_code_names(run: Run) -> Iterator[Any]:
    class Child(nn.Cell):
        k = 2.0

        def construct(self, x: Any) -> Any:
            return x * self.k

    child = Child()
    child.early = 1.0
    call = run(lambda x: child(x) * 3)
    for i in range(9):
        if i == 4:
            home = child.__dict__
            del home["early"]
            home["k"] = 30.0
        yield call(t())


@replayed()
def dictionary_of_a_cell_replaced(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.k, k=2.0)
    call = run(net)
    for i in range(9):
        if i == 4:
            net.__dict__ = {**net.__dict__, "k": 5.0}
        if i == 6:
            net.__dict__["k"] = 7.0
        yield call(t())


@replayed()
def registers_of_a_cell_replaced(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.inner(x) * 2, inner=nn.ReLU())
    call = run(net)
    for i in range(9):
        if i == 4:
            net._cells = type(net._cells)(inner=nn.Tanh())
        if i == 6:
            net._cells["inner"] = nn.Sigmoid()
        yield call(t())


@replayed()
def parameter_exchanged_in_the_register(run: Run) -> Iterator[Any]:
    net = nn.Dense(3, 2, weight_init="ones")
    call = run(net)
    x = Tensor(np.ones((2, 3), np.float32))
    for i in range(9):
        if i == 4:
            net._params["weight"] = Parameter(Tensor(np.full((2, 3), 2, np.float32)), name="weight")
        yield call(x)


@replayed()
def buffer_exchanged(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.b)
    net.register_buffer("b", t(1, 2, 3))
    call = run(net)
    for i in range(9):
        if i == 4:
            net.b = t(5, 5, 5)
        if i == 6:
            net._buffers["b"] = t(7, 7, 7)
        yield call(t())


@replayed()
def static_method_replaced(run: Run) -> Iterator[Any]:
    class Own(nn.Cell):
        @staticmethod
        def factor() -> float:
            return 2.0

        def construct(self, x: Any) -> Any:
            return x * self.factor()

    net = Own()
    call = run(net)
    for i in range(9):
        if i == 4:
            Own.factor = staticmethod(lambda: 3.0)
        if i == 6:
            net.factor = lambda: 4.0
        yield call(t())


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_cells(program: Any, quiet: bool) -> None:
    check(program, quiet)
