# ruff: noqa: B007, B023
"""Programs of memory that is shared, kept, exchanged and written between compiled calls."""

from __future__ import annotations

import copy
import gc
import io
import pickle
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Parameter, Tensor, mint, nn, ops
from graph.soundness.attacks import Net, Programs, data, network, t, weights
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()


def matrix(i: int = 0, rows: int = 3, columns: int = 4) -> Tensor:
    return Tensor(np.random.RandomState(i).randn(rows, columns).astype(np.float32))


# ------------------------------------------------------------------------------ aliases of memory


@ROWS.replayed()
def view_and_its_base_as_arguments(run: Run) -> Iterator[Any]:
    def step(x: Any, y: Any) -> Any:
        x.add_(1.0)
        return y * 2

    call = run(step)
    for i in range(8):
        base = matrix(i)
        y = base[1] if i % 2 else matrix(i + 20)[1]
        yield attempt(call, base, y), base, y


@ROWS.replayed()
def base_written_through_a_view_by_the_caller(run: Run) -> Iterator[Any]:
    held = matrix()
    row = held[0]
    call = run(lambda x: (held * x).sum())
    for i in range(8):
        row.add_(1.0)
        yield call(t(1, 2, 3, 4)), held


@ROWS.replayed()
def view_held_and_base_written_inside(run: Run) -> Iterator[Any]:
    held = matrix()
    row = held[0]

    def step(x: Any) -> Any:
        held.mul_(0.5)
        return row + x

    call = run(step)
    for i in range(8):
        yield call(t(1, 2, 3, 4)), held, row


@ROWS.replayed()
def parameter_and_a_view_of_it(run: Run) -> Iterator[Any]:
    p = Parameter(matrix(), name="p")
    row = p[0]
    net = Net(lambda s, x: s.p.sum() + (row * x).sum(), p=p)
    call = run(net)
    for i in range(8):
        if i == 4:
            p[0] = 7.0
        if i == 6:
            row.fill_(2.0)
        yield call(t(1, 2, 3, 4)), p, row


@ROWS.replayed()
def two_parameters_over_one_memory(run: Run) -> Iterator[Any]:
    raw = torch.ones(3)
    net = Net(lambda s, x: s.a * x + s.b)
    net.a, net.b = Parameter(ms.from_torch(raw), name="a"), Parameter(t(1, 1, 1), name="b")
    net.b._value = net.a._value.view(3)
    call = run(net)
    for i in range(9):
        if i == 4:
            net.a.add_(1.0)
        if i == 6:
            net.b.set_data(t(5, 5, 5))
        yield call(t()), net.a, net.b


@ROWS.replayed()
def assigned_inside_to_a_shared_memory(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (ops.assign(s.a, s.a + x), s.b * 2)[1])
    net.a, net.b = Parameter(t(1, 1, 1), name="a"), Parameter(t(1, 1, 1), name="b")
    net.b._value = net.a._value
    call = run(net)
    for i in range(8):
        yield call(t()), net.a, net.b


@ROWS.replayed()
def argument_is_a_parameters_memory(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (ops.assign(s.a, s.a * 2), x + 1)[1], a=Parameter(t(), name="a"))
    call = run(net)
    for i in range(8):
        x = Tensor(net.a) if i < 4 else ms.from_torch(net.a._value.detach())
        yield call(x), net.a, x


@ROWS.replayed()
def results_written_by_the_caller(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x * 2, x + 1, x * 2 + 1))
    kept: list[Any] = []
    for i in range(10):
        a, b, c = call(t(i, 1))
        a.add_(100.0)
        b.mul_(-1.0)
        kept.append((a, b, c))
        yield list(kept)


@ROWS.replayed()
def results_of_no_operator_written_by_the_caller(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (s.p, x, s.held), p=Parameter(t(), name="p"), held=t(4, 5))
    call = run(net)
    for i in range(8):
        x = t(i, 2)
        a, b, c = call(x)
        same = a is net.p, b is x, c is net.held
        a.add_(1.0)
        b.add_(1.0)
        c.add_(1.0)
        yield same, net.p, x, net.held


@ROWS.replayed()
def constants_of_the_call_written_by_the_caller(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        mask = Tensor([1.0, 0.0, 1.0])
        ones = ops.ones(3, ms.float32)
        return x * mask, mask, ones, ops.zeros_like(x), mask + ones

    call = run(step)
    for i in range(8):
        out = call(t())
        for v in out:
            v.add_(1.0)
        yield list(out)


@ROWS.replayed()
def view_of_a_result_kept_by_the_caller(run: Run) -> Iterator[Any]:
    call = run(lambda x: ops.relu(x * 2).reshape(2, 2))
    kept: list[Any] = []
    for i in range(10):
        y = call(t(i, 1, -1, 2))
        kept += [y[0], y.T, y.asnumpy(), y.to_torch()[1]]
        del y
        gc.collect()
        yield [np.asarray(k) for k in kept]


@ROWS.replayed()
def results_of_one_memory(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        y = x * 2
        return y, y.view(-1), y[0], y

    call = run(step)
    for i in range(8):
        a, b, c, d = call(matrix(i))
        c.add_(100.0)
        b[-1] = 5.0
        yield a is d, a, b, c


@ROWS.replayed()
def result_is_a_view_of_an_argument_and_written(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x.T, x[0], x.reshape(-1), x.expand_dims(0)))
    for i in range(8):
        x = matrix(i)
        for k, v in enumerate(call(x)):
            v.add_(float(k + 1))
        yield x


@ROWS.replayed()
def result_is_a_view_of_a_parameter_and_written(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (s.p[0], s.p.T, s.p * x), p=Parameter(matrix(), name="p"))
    call = run(net)
    for i in range(8):
        a, b, c = call(t(1, 2, 3, 4))
        a.add_(1.0)
        b[0] = 0.0
        yield net.p, c


@ROWS.replayed()
def argument_reused_as_a_result(run: Run) -> Iterator[Any]:
    call = run(lambda x: x + 1)
    x = t()
    for i in range(12):
        x = call(x)
        yield x


@ROWS.replayed()
def result_of_an_earlier_call_kept_in_an_argument(run: Run) -> Iterator[Any]:
    call = run(lambda x, state: (x * state, state + x))
    state = t(1, 1, 1)
    kept = []
    for i in range(10):
        y, state = call(t(), state)
        kept.append((y, state))
        if i == 5:
            kept[2][1].fill_(9.0)
        yield kept


@ROWS.replayed()
def argument_written_by_the_caller_after_the_call(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x.view(-1), ops.relu(x), x.astype(ms.float32), x.contiguous()))
    for i in range(8):
        x = matrix(i)
        out = call(x)
        x.fill_(float(i))
        yield list(out)


@ROWS.replayed()
def copies_that_may_be_none(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        return x.reshape(x.shape), x.astype(ms.float32), x.contiguous(), x.view(3), x.squeeze()

    call = run(step)
    for i in range(8):
        x = t(i, 2, 3)
        out = call(x)
        out[i % 5].add_(1.0)
        yield x, list(out), [v is x for v in out]


@ROWS.replayed()
def strides_that_are_negative_in_numpy(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * 2)
    for i in range(8):
        array = np.arange(6, dtype=np.float32).reshape(2, 3)
        yield attempt(lambda: call(Tensor(array[::-1] if i % 2 else array[:, ::-1])))


@ROWS.replayed()
def broadcast_memory_as_an_argument(run: Run) -> Iterator[Any]:
    call = run(lambda x, y: x * y)
    for i in range(9):
        y = t(2, 3, 4, 5)
        y = y.expand((3, 4)) if i % 3 == 0 else y.broadcast_to((3, 4)) if i % 3 == 1 else matrix(i)
        yield call(matrix(i), y)


@ROWS.replayed()
def in_place_on_a_broadcast_result(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        y = x.broadcast_to((2, 3))
        y = y + 0
        y[0] = 5.0
        return y, x

    call = run(step)
    for i in range(7):
        x = t(i, 2, 3)
        yield call(x), x


@ROWS.replayed()
def overlapping_windows(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        a, b = x[:-1], x[1:]
        a.add_(b)
        return a * b

    call = run(step)
    for i in range(7):
        x = t(i, 2, 3, 4)
        yield attempt(call, x), x


@ROWS.replayed()
def written_in_place_in_turns(run: Run) -> Iterator[Any]:
    def step(x: Any, y: Any) -> Any:
        z = x[0]
        x.mul_(2.0)
        y.copy_(x)
        z.add_(1.0)
        w = x.clone()
        x.zero_()
        return z, w, y

    call = run(step)
    for i in range(8):
        x, y = matrix(i), matrix(i + 9)
        out = call(x, y)
        yield out, x, y, out[2] is y


@ROWS.replayed()
def same_memory_from_numpy(run: Run) -> Iterator[Any]:
    array = np.ones(3, np.float32)
    x = Tensor.from_numpy(array)
    call = run(lambda x: x * 2)
    for i in range(8):
        array += i
        yield call(x), array.copy()


@ROWS.replayed()
def numpy_memory_written_by_the_call(run: Run) -> Iterator[Any]:
    array = np.ones(3, np.float32)
    x = Tensor.from_numpy(array)

    def step(x: Any) -> Any:
        x.add_(1.0)
        return x.sum()

    call = run(step)
    for i in range(8):
        yield call(x), array.copy()


@ROWS.replayed()
def numpy_memory_held_by_a_closure(run: Run) -> Iterator[Any]:
    array = np.ones(3, np.float32)
    held = Tensor.from_numpy(array)
    call = run(lambda x: x * held)
    for i in range(8):
        array[i % 3] = i
        yield call(t())


@ROWS.replayed()
def result_shares_memory_with_numpy(run: Run) -> Iterator[Any]:
    call = run(lambda x: x * 2)
    first = None
    for i in range(8):
        y = call(t(i, 1))
        a = y.asnumpy()
        if first is None and i == 3:
            first = a
        if a.flags.writeable:
            a += 1
        yield y, a, first if first is None else first.copy()


@ROWS.replayed()
def array_from_a_list_that_grows(run: Run) -> Iterator[Any]:
    rows: list[Any] = [1.0]
    call = run(lambda x: x * Tensor(rows).sum() + Tensor(np.array(rows)).mean())
    for i in range(9):
        if i % 3 == 2:
            rows.append(float(i))
        yield call(t())


@ROWS.replayed()
def sizes_of_zero_and_one(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x * 2, x.sum(), x.reshape(-1)))
    for shape in ((0,), (1,), (0, 3), (3, 0), (), (1, 1), (2, 1), (0,), (), (1,)) * 3:
        yield attempt(call, ops.ones(shape, ms.float32))


@ROWS.replayed()
def kinds_of_numbers(run: Run) -> Iterator[Any]:
    call = run(lambda x: (x + x, x * 2, x / 3, x**2, -x if x.dtype != ms.bool_ else ~x))
    kinds = (ms.uint8, ms.int8, ms.bool_, ms.float16, ms.bfloat16, ms.float64, ms.complex64)
    for kind in kinds * 3:
        yield attempt(call, Tensor([0, 1, 200], ms.float32).astype(kind))


@ROWS.replayed()
def values_that_are_special(run: Run) -> Iterator[Any]:
    call = run(lambda x, k: (x * k, x + k, ops.maximum(x, Tensor(k))))
    for k in (float("nan"), 0.0, -0.0, float("inf"), -float("inf"), 1e-45, 1e39) * 3:
        yield call(t(0, -0.0, 1), k)


@ROWS.replayed()
def whole_numbers_that_are_huge(run: Run) -> Iterator[Any]:
    call = run(lambda x, k: x * (k % 1000))
    for k in (2**63, 2**64, 10**30, -(2**70), 2**63 - 1, 2**53 + 1) * 3:
        yield attempt(call, t(), k), attempt(call, Tensor([1, 2]), k)


@ROWS.replayed()
def number_as_a_tensor_of_no_dimension(run: Run) -> Iterator[Any]:
    call = run(lambda x, k: x * k if k > 1 else x + k)
    for i in range(14):
        k: Any = (1.5, Tensor(1.5), Tensor(0.5), np.float32(1.5), np.float64(0.5), True, 2)[i % 7]
        yield attempt(call, t(), k)


# ---------------------------------------------------------------------------------- parameters


@ROWS.replayed()
def parameter_of_another_size(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.p.sum() * x, p=Parameter(t(), name="p"))
    call = run(net)
    for i in range(12):
        if i == 4:
            net.p.set_data(t(1, 2, 3, 4), slice_shape=True)
        if i == 8:
            net.p.set_data(t(9), slice_shape=True)
        yield call(t()), net.p


@ROWS.replayed()
def parameter_of_another_type(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.p * x, p=Parameter(t(), name="p"))
    call = run(net)
    for i in range(12):
        if i == 4:
            net.p.set_dtype(ms.float16)
        if i == 8:
            net.to_float(ms.float16)
        yield attempt(call, t()), net.p


@ROWS.replayed()
def parameter_renamed(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * len(s.p.name), p=Parameter(t(), name="p"))
    call = run(net)
    for i in range(9):
        if i == 4:
            net.p.name = "longer"
        if i == 6:
            net.update_parameters_name("pre.")
        yield call(t()), net.p.name


@ROWS.replayed()
def parameters_listed_by_name(run: Run) -> Iterator[Any]:
    net = network()

    def step(x: Any) -> Any:
        named = {p.name: p for p in net.trainable_params()}
        return net(x) * len(named) + sum(p.sum() for n, p in named.items() if n.endswith("bias"))

    call = run(step)
    for i in range(12):
        if i == 4:
            net[0].bias.requires_grad = False
        if i == 8:
            net[0].bias.requires_grad = True
        yield call(data()[0])


@ROWS.replayed()
def parameter_tied_and_retied(run: Run) -> Iterator[Any]:
    class Tied(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.a = nn.Dense(3, 3, weight_init="ones")
            self.b = nn.Dense(3, 3, weight_init="zeros")

        def construct(self, x: Any) -> Any:
            return self.b(self.a(x))

    net = Tied()
    call = run(net)
    for i in range(14):
        if i == 4:
            net.b.weight = net.a.weight
        if i == 7:
            net.a.weight.add_(1.0)
        if i == 10:
            net.b.weight = Parameter(ops.ones((3, 3), ms.float32) * 0.5, name="own")
        yield call(t(1, 2, 3).reshape(1, 3))


@ROWS.replayed()
def parameter_exchanged_by_insert(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.p * x, p=Parameter(t(), name="p"))
    call = run(net)
    for i in range(9):
        if i == 4:
            net.insert_param_to_cell("p", Parameter(t(5, 5, 5), name="p"))
        if i == 7:
            net._params["p"] = Parameter(t(6, 6, 6), name="p")
        yield call(t())


@ROWS.replayed()
def parameter_deleted_and_added(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * (s.p if hasattr(s, "p") else 3.0), p=Parameter(t(), name="p"))
    call = run(net)
    for i in range(12):
        if i == 4:
            del net.p
        if i == 8:
            net.p = Parameter(t(5, 5, 5), name="p")
        yield attempt(call, t())


@ROWS.replayed()
def parameter_becomes_a_tensor(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.p * x + len(list(s.get_parameters())), p=Parameter(t(), name="p"))
    call = run(net)
    for i in range(12):
        if i == 4:
            del net.p
            net.p = t(4, 4, 4)
        yield attempt(call, t())


@ROWS.replayed()
def parameter_loaded_from_a_file(run: Run) -> Iterator[Any]:
    net = network()
    net.set_train(False)
    call = run(net)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "a.ckpt")
        for i in range(12):
            if i == 3:
                ms.save_checkpoint(net, path)
                for p in weights(net):
                    p.set_data(p * 0.5)
            if i == 7:
                ms.load_param_into_net(net, ms.load_checkpoint(path))
            yield call(data()[0])


@ROWS.replayed()
def network_copied_between_calls(run: Run) -> Iterator[Any]:
    net = network()
    call = run(net)
    other: Any = None
    for i in range(10):
        if i == 4:
            other = run(copy.deepcopy(net))
        if i == 6:
            net[0].weight.add_(1.0)
        yield call(data(i)[0]), None if other is None else other(data(i)[0]), weights(net)


@ROWS.replayed()
def network_pickled_between_calls(run: Run) -> Iterator[Any]:
    net = network()
    call = run(net)
    other: Any = None
    for i in range(10):
        if i == 4:
            other = run(pickle.loads(pickle.dumps(net)))
        if i == 6:
            net[0].weight.add_(1.0)
        yield call(data(i)[0]), None if other is None else other(data(i)[0])


@ROWS.replayed()
def parameter_moved_to_another_network(run: Run) -> Iterator[Any]:
    a = Net(lambda s, x: s.p * x, p=Parameter(t(), name="p"))
    b = Net(lambda s, x: s.p + x, p=Parameter(t(4, 4, 4), name="p"))
    first, second = run(a), run(b)
    for i in range(12):
        if i == 4:
            a.p, b.p = b.p, a.p
        if i == 8:
            a.p = b.p
        if i == 10:
            b.p.set_data(t(0, 1, 2))
        yield first(t()), second(t())


@ROWS.replayed()
def two_networks_of_one_parameter_in_turns(run: Run) -> Iterator[Any]:
    p = Parameter(t(), name="p")
    a = Net(lambda s, x: (ops.assign(s.p, s.p + x), s.p * 2)[1], p=p)
    b = Net(lambda s, x: (ops.assign(s.p, s.p * 0.5), s.p + x)[1], p=p)
    first, second = run(a), run(b)
    for i in range(10):
        yield first(t()), second(t()), p
        if i == 5:
            p.set_data(t(0, 0, 1))


@ROWS.replayed()
def parameter_tuple_exchanged(run: Run) -> Iterator[Any]:
    net = Net(
        lambda s, x: sum(p.sum() for p in s.ps) * x,
        ps=ms.ParameterTuple([Parameter(t(), name="a"), Parameter(t(), name="b")]),
    )
    call = run(net)
    for i in range(10):
        if i == 4:
            net.ps[0].set_data(t(5, 5, 5))
        if i == 7:
            net.ps = ms.ParameterTuple([net.ps[1], Parameter(t(3), name="c")])
        yield call(t())


@ROWS.replayed()
def parameter_cloned_inside(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: s.p.clone().add_(x) + s.p, p=Parameter(t(), name="p"))
    call = run(net)
    for i in range(8):
        yield attempt(call, t()), net.p


@ROWS.replayed()
def parameter_made_inside(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        p = Parameter(x * 2, name="inside")
        ops.assign(p, p + 1)
        return p * 3

    call = run(step)
    for i in range(8):
        yield attempt(call, t(i, 1))


@ROWS.ordinary()
def parameter_returned_that_was_made_inside(run: Run) -> Iterator[Any]:
    call = run(lambda x: Parameter(x * 2, name="inside"))
    for i in range(8):
        p = attempt(call, t(i, 1))
        yield type(p).__name__, p


@ROWS.replayed()
def buffer_registered_between_calls(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * sum((b.sum() for b in s.buffers()), Tensor(1.0)))
    net.register_buffer("first", t())
    call = run(net)
    for i in range(12):
        if i == 4:
            net.register_buffer("second", t(1, 1))
        if i == 8:
            net.first = t(7, 7, 7)
        yield attempt(call, t())


@ROWS.replayed()
def requires_grad_flipped(run: Run) -> Iterator[Any]:
    net = network()
    net.set_train(False)

    def step(x: Any) -> Any:
        chosen = [p for p in net.get_parameters() if p.requires_grad]
        grads = ms.grad(lambda x: net(x).sum(), None, ms.ParameterTuple(chosen))(x)
        return [g.sum() for g in grads], len(chosen)

    call = run(step)
    for i in range(14):
        if i == 4:
            net[0].weight.requires_grad = False
        if i == 8:
            net[3].bias.requires_grad = False
        if i == 11:
            net[0].weight.requires_grad = True
        yield attempt(call, data()[0])


@ROWS.replayed()
def to_float_between_calls(run: Run) -> Iterator[Any]:
    net = network()
    net.set_train(False)
    call = run(net)
    for i in range(14):
        if i == 4:
            net.to_float(ms.float16)
        if i == 8:
            net[0].to_float(ms.float32)
        if i == 11:
            net.to_float(ms.bfloat16)
        yield call(data()[0])


# ------------------------------------------------------------------------------------ in place


@ROWS.replayed()
def scattered_in_place(run: Run) -> Iterator[Any]:
    net = Net(
        lambda s, x, i: (ops.scatter_update(s.p, i, x), s.p.sum())[1],
        p=Parameter(matrix(), name="p"),
    )
    call = run(net)
    for k in range(8):
        x = matrix(k, 1)
        yield attempt(call, x, Tensor([k % 3], ms.int32)), net.p


@ROWS.replayed()
def item_assigned_by_a_tensor(run: Run) -> Iterator[Any]:
    def step(x: Any, i: Any) -> Any:
        y = x * 1
        y[i] = 9.0
        y[y > 5] = -1.0
        return y

    call = run(step)
    for k in range(12):
        i: Any = (k % 3, Tensor(k % 3), Tensor([0, k % 3]), slice(0, k % 3))[k % 4]
        yield attempt(call, t(k, 2, 3), i)


@ROWS.replayed()
def sparse_values(run: Run) -> Iterator[Any]:
    def step(x: Any, s: Any) -> Any:
        return x + s.to_dense() if hasattr(s, "to_dense") else x

    call = run(step)
    for k in range(8):
        i = Tensor([[0, 1], [1, k % 3]])
        s = ms.COOTensor(indices=i, values=t(1, k), shape=(2, 3))
        yield attempt(call, matrix(k, 2, 3), s)


@ROWS.replayed()
def rows_of_a_sparse_tensor_change(run: Run) -> Iterator[Any]:
    s = ms.COOTensor(indices=Tensor([[0, 1], [1, 2]]), values=t(1, 5), shape=(2, 3))
    call = run(lambda x: x + s.to_dense())
    for k in range(9):
        if k == 4:
            s.values.fill_(3.0)
        yield attempt(call, matrix(k, 2, 3))


@ROWS.replayed()
def swapped_by_data(run: Run) -> Iterator[Any]:
    held = t()
    call = run(lambda x: x * held)
    for k in range(9):
        if k == 4:
            held.to_torch().data = torch.tensor([7.0, 7.0, 7.0])
        if k == 7:
            held.assign_value(t(1, 1, 1))
        yield attempt(call, t())


@ROWS.replayed()
def stream_of_states(run: Run) -> Iterator[Any]:
    cell = nn.LSTM(4, 3, batch_first=True)
    call = run(lambda x, state: cell(x, state))
    state: Any = (ops.zeros((1, 2, 3), ms.float32), ops.zeros((1, 2, 3), ms.float32))
    kept: list[Any] = []
    for i in range(9):
        y, state = call(matrix(i, 6).reshape(2, 3, 4), state)
        kept.append((y, state))
        if i == 5:
            state[0].zero_()
        yield kept[-3:], type(state).__name__


@ROWS.replayed()
def saved_and_loaded_by_torch(run: Run) -> Iterator[Any]:
    held = t()
    call = run(lambda x: x * held)
    for i in range(8):
        out = io.BytesIO()
        torch.save(held.to_torch(), out)
        out.seek(0)
        if i == 4:
            held = ms.from_torch(torch.load(out) * 2)
        yield call(t())


@ROWS.replayed()
def mint_functions_with_out_of_place_names(run: Run) -> Iterator[Any]:
    def step(x: Any) -> Any:
        y = mint.nn.functional.relu(x)
        return mint.add(y, 1), x

    call = run(step)
    for i in range(7):
        x = t(i, -1)
        yield call(x), x


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_memory(program: Any, quiet: bool) -> None:
    check(program, quiet)
