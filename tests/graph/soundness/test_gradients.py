"""Programs that take gradients of methods, copies and wrappers, with hooks and modes of torch."""

from __future__ import annotations

import copy
import dataclasses
import functools
import json
import pickle
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Parameter, Tensor, nn, ops
from graph.soundness.attacks import Net, Programs, data, network, t, weights
from graph.soundness.harness import Run, attempt, check

ROWS = Programs()
replayed, ordinary = ROWS.replayed, ROWS.ordinary


def weight(*values: float) -> Parameter:
    return Parameter(t(*(values or (2.0, 1.0, 3.0))), name="w")


# ------------------------------------------------------------------------- what is differentiated


class Scaler:
    def __init__(self, k: float) -> None:
        self.k = k

    def squared(self, x: Any) -> Any:
        return x * x * self.k

    def __call__(self, x: Any) -> Any:
        return x * self.k


class Loss(nn.Cell):
    def __init__(self, k: float) -> None:
        super().__init__()
        self.k = k

    def squared(self, x: Any) -> Any:
        return (x * x * self.k).sum()

    def construct(self, x: Any) -> Any:
        return x * self.k


class Other(Loss):
    def construct(self, x: Any) -> Any:
        return x + self.k


def of_two(name: str, first: Any, second: Any) -> None:
    """Programs that take gradients of two functions in turns, and one after the other."""

    def in_turns(run: Run) -> Iterator[Any]:
        for _ in range(6):
            yield ms.grad(first)(t()), ms.grad(second)(t())

    def in_blocks(run: Run) -> Iterator[Any]:
        for f in (first, second, first):
            take = ms.value_and_grad(f)
            for _ in range(4):
                yield take(t())

    for program in (in_turns, in_blocks):
        program.__name__ = f"{name}_{program.__name__}"
        replayed()(program)


of_two("methods_of_two_objects", Scaler(2.0).squared, Scaler(5.0).squared)
of_two("methods_of_two_cells", Loss(2.0).squared, Loss(5.0).squared)
of_two("construct_of_two_cells", Loss(2.0).construct, Loss(5.0).construct)
of_two("objects_that_are_called", Scaler(2.0), Scaler(5.0))


class Base:
    k = 2.0

    @classmethod
    def scaled(cls, x: Any) -> Any:
        return x * x * cls.k


class Derived(Base):
    k = 5.0


of_two("class_methods", Base.scaled, Derived.scaled)


@replayed()
def method_whose_cell_changes(run: Run) -> Iterator[Any]:
    net = Loss(2.0)
    for i in range(9):
        if i == 5:
            net.k = 3.0
        yield ms.grad(net.squared)(t()), ms.value_and_grad(net.squared)(t())


@replayed()
def methods_by_one_parameter(run: Run) -> Iterator[Any]:
    w = weight()

    class Weighted:
        def __init__(self, k: float) -> None:
            self.k = k

        def loss(self, x: Any) -> Any:
            return (x * w * self.k).sum()

    a, b = Weighted(2.0), Weighted(5.0)
    for _ in range(6):
        yield ms.value_and_grad(a.loss, None, w)(t()), ms.value_and_grad(b.loss, None, w)(t())


def tripled(f: Any) -> Any:
    @functools.wraps(f)
    def wrapper(x: Any) -> Any:
        return f(x) * 3

    return wrapper


@replayed()
def wrapper_made_after_a_gradient(run: Run) -> Iterator[Any]:
    def square(x: Any) -> Any:
        return x * x

    functions: list[Any] = [square]
    for _ in range(3):
        for _ in range(4):
            yield [ms.grad(f)(t()) for f in functions]
        functions.append(tripled(functions[-1]))


@replayed()
def copies_of_an_object_that_is_called(run: Run) -> Iterator[Any]:
    first = Scaler(2.0)
    for _ in range(4):
        yield ms.grad(first)(t())
    for again in (copy.copy(first), copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
        again.k = first.k + 7.0
        for _ in range(4):
            yield ms.grad(first)(t()), ms.grad(again)(t())
        first = again


@replayed()
def attributes_of_what_is_differentiated(run: Run) -> Iterator[Any]:
    class Equal(Scaler):
        def __eq__(self, other: object) -> bool:
            return vars(self) == vars(other)

        __hash__: Any = None

        def total(self, x: Any) -> Any:
            return sum(vars(self).values()) * x

    a, b = Equal(2.0), Equal(2.0)
    for _ in range(5):
        yield ms.grad(a)(t()), ms.grad(a.total)(t()), a == b, json.dumps(vars(a))


@replayed()
def partial_function_that_is_copied(run: Run) -> Iterator[Any]:
    def step(k: float, x: Any) -> Any:
        return x * x * k

    first = functools.partial(step, 2.0)
    for _ in range(4):
        yield ms.grad(first)(t())
    second = copy.copy(first)
    set_state: Any = second
    set_state.__setstate__((step, (5.0,), {}, None))
    for _ in range(4):
        yield ms.grad(second)(t()), ms.grad(first)(t())


@replayed()
def attributes_of_a_cell_taken_over(run: Run) -> Iterator[Any]:
    first = Loss(2.0)
    call = run(first)
    for _ in range(4):
        yield call(t()), ms.grad(first)(t())
    second = Other(3.0)
    second.__dict__.update(first.__dict__)
    second.k = 9.0
    other = run(second)
    for _ in range(4):
        yield call(t()), other(t()), ms.grad(second)(t()), ms.grad(first)(t())


@replayed()
def two_cells_of_one_namespace(run: Run) -> Iterator[Any]:
    first = Loss(2.0)
    second = Other.__new__(Other)
    object.__setattr__(second, "__dict__", first.__dict__)
    call, other = run(first), run(second)
    for i in range(10):
        if i == 5:
            first.k = 4.0
        yield call(t()), other(t())


@replayed()
def weights_in_another_order(run: Run) -> Iterator[Any]:
    a, b = Parameter(t(2.0), name="a"), Parameter(t(3.0), name="b")
    call = run(Net(lambda s, x: (x * s.a * s.a + s.b * x).sum(), a=a, b=b))
    for i in range(8):
        order = [a, b] if i % 2 else [b, a]
        yield ms.grad(call, None, ms.ParameterTuple(order))(t()), ms.grad(call, None, order)(t())
        yield ms.value_and_grad(call, 0, order[:1])(t())


@replayed()
def list_of_weights_that_grows(run: Run) -> Iterator[Any]:
    a, b = Parameter(t(2.0), name="a"), Parameter(t(3.0), name="b")
    call = run(Net(lambda s, x: (x * s.a * s.a + s.b * x).sum(), a=a, b=b))
    held = [a]
    take = ms.grad(call, None, held)
    for i in range(8):
        if i == 4:
            held.append(b)
        yield take(t())


@replayed()
def method_bprop_that_the_class_gets_late(run: Run) -> Iterator[Any]:
    class Late(Loss):
        bprop: Any

    call = run(Late(2.0))
    for i in range(12):
        if i == 4:
            Late.bprop = lambda self, x, out, dout: (dout * 7,)
        if i == 8:
            del Late.bprop
        yield ms.grad(call)(t())


@replayed()
def method_bprop_that_an_object_gets(run: Run) -> Iterator[Any]:
    net = Loss(2.0)
    call = run(net)
    for i in range(12):
        if i == 4:
            net.bprop = lambda x, out, dout: (dout * 7,)
        if i == 8:
            del net.bprop
        yield ms.grad(call)(t())


# ------------------------------------------------------------------------------ hooks and records


@ordinary()
def hook_of_a_parameter(run: Run) -> Iterator[Any]:
    w, seen = weight(), []
    w.register_hook(lambda g: seen.append(g.shape) or g * 3)
    call = run(lambda x: (x * w).sum())
    for _ in range(7):
        yield ms.grad(call, None, w)(t()), len(seen)


@ordinary()
def hook_of_a_parameter_of_a_cell(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x * s.w).sum(), w=weight())
    net.w.register_hook(lambda g: g * 3)
    take = ms.value_and_grad(run(net), None, net.w)
    for _ in range(7):
        yield take(t())


@ordinary()
def hooks_of_a_parameter_in_turns(run: Run) -> Iterator[Any]:
    w = weight()
    take = ms.grad(run(lambda x: (x * w).sum()), None, w)
    handle = None
    for i in range(12):
        if i % 3 == 0:
            if handle is not None:
                handle.remove()
            handle = w.register_hook(lambda g, i=i: g * (i + 2))
        yield take(t())


@replayed()
def hook_between_a_call_and_its_gradient(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x * s.w).sum(), w=weight())
    call = run(net)
    for i in range(7):
        out, pull = ms.vjp(call, t(), weights=net.w)
        handle = net.w.register_hook(lambda g: g * 3) if i % 2 else None
        yield out, pull(Tensor(1.0))
        if handle is not None:
            handle.remove()


@ordinary()
def hook_under_two_gradients(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x * s.w * s.w * x).sum(), w=weight())
    call = run(net)

    def inner(x: Any) -> Any:
        return ms.grad(call, None, net.w)(x).sum()

    for _ in range(6):
        handle = net.w.register_hook(lambda g: g * 3)
        yield ms.grad(inner)(t())
        handle.remove()


@replayed()
def gradients_pulled_again_and_late(run: Run) -> Iterator[Any]:
    call = run(Net(lambda s, x: ops.exp(x * s.w) * x, w=weight(0.2, 0.1, 0.3)))
    held: list[Any] = []
    for i in range(9):
        held.append(ms.vjp(call, t(0.1 * i, 1, 2)))
        if i % 3 == 2:
            for out, pull in reversed(held):
                yield out, pull(t()), pull(t(3, 2, 1))
            held.clear()


@replayed()
def parameter_changes_that_the_gradient_does_not_need(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: x * s.w + s.b, w=weight(), b=Parameter(t(1.0), name="b"))
    call = run(net)
    for _ in range(7):
        out, pull = ms.vjp(call, t(), weights=[net.w, net.b])
        net.b.add_(1.0)
        yield out, attempt(pull, t())


@replayed()
def parameter_changes_that_the_gradient_needs(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: ops.exp(x * s.w) * x, w=weight(0.2, 0.1, 0.3))
    call = run(net)
    for i in range(7):
        out, pull = ms.vjp(call, t(), weights=net.w)
        if i > 3:
            ops.assign(net.w, net.w * 1.5)
        yield out, attempt(pull, t())


@replayed()
def results_and_arguments_change_before_the_gradient(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (ops.exp(x) * s.b, x * 2), b=weight())
    call = run(net)
    for _ in range(7):
        x = t(1, 2, 3)
        out, pull = ms.vjp(call, x, weights=net.b)
        for value in (*out, x):
            value.add_(1.0)
        yield out, attempt(pull, t(), t())


@replayed()
def records_of_a_cell(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x * x * s.w).sum(), w=weight())
    call = run(net)
    for i in range(12):
        if i % 4 == 0:
            net.set_grad(i % 8 == 0)
        x = t(i, 1, 2)
        yield call(x), ms.grad(net)(x), ms.grad(net, None, net.w)(x)


@replayed()
def errors_of_hooks_and_of_bprop(run: Run) -> Iterator[Any]:
    state = {"fails": False}

    class Own(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x * 2

        def bprop(self, x: Any, out: Any, dout: Any) -> Any:
            if state["fails"]:
                raise ValueError("no gradient")
            return (dout * 3,)

    call = run(Own())
    for i in range(10):
        state["fails"] = i in (1, 5)
        yield attempt(ms.grad(call), t())


# --------------------------------------------------------------------- what torch does around it


def surrounded(name: str, around: Any) -> None:
    """A program inside of a mode of torch from the fifth call to the seventh."""

    def program(run: Run) -> Iterator[Any]:
        w = weight()
        net = Net(lambda s, x: (x * x * x * s.w).sum(), w=w)
        call, outer = run(net), run(lambda x: ms.grad(net)(x) * 2)
        seen: list[Any] = []
        x = t()
        for i in range(10):
            if 3 < i < 7:
                with around(seen):
                    yield attempt(ms.grad(call), x), attempt(outer, x), attempt(call, x)
                    yield ms.grad(ms.jit(net), None, w)(x), len(seen)
            else:
                yield ms.grad(call)(x), outer(x), call(x)

    program.__name__ = name
    replayed()(program)


def doubled_when_saved(seen: list[Any]) -> Any:
    return ms.saved_tensors_hooks(lambda v: seen.append(1) or v * 2, lambda v: v)


surrounded("inside_of_hooks_of_saved_tensors", doubled_when_saved)
surrounded("tensors_saved_on_the_cpu", lambda seen: torch.autograd.graph.save_on_cpu())
surrounded("inside_of_inference_mode", lambda seen: torch.inference_mode())
surrounded("inside_of_no_grad", lambda seen: torch.no_grad())


@replayed()
def anomalies_are_looked_for(run: Run) -> Iterator[Any]:
    call = run(Net(lambda s, x: ops.sqrt(x * 0.0 - 1.0).sum() * x.sum()))
    for i in range(9):
        if 3 < i < 7:
            told = pytest.warns(UserWarning, match="Error detected")
            with told, torch.autograd.detect_anomaly(check_nan=True):
                yield attempt(ms.grad(call), t())
        else:
            yield attempt(ms.grad(call), t())


@replayed()
def hooks_of_saved_tensors_inside(run: Run) -> Iterator[Any]:
    def step(s: Any, x: Any) -> Any:
        with ms.saved_tensors_hooks(lambda v: v * s.k, lambda v: v):
            return (x * x * x).sum()

    net = Net(step, k=2.0)
    call = run(net)
    for i in range(8):
        if i == 4:
            net.k = 3.0
        yield ms.grad(call)(t())


@replayed()
def train_step_in_inference_mode(run: Run) -> Iterator[Any]:
    net = network()
    net.set_train()
    loss, optimizer = nn.MSELoss(), nn.Adam(net.trainable_params(), 0.01)
    take = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)

    def step(x: Any, y: Any) -> Any:
        value, gradients = take(x, y)
        optimizer(gradients)
        return value

    call = run(step)
    batches = [data(i) for i in range(9)]
    for i, batch in enumerate(batches):
        if i in (3, 4, 5):
            with torch.inference_mode():
                yield attempt(call, *batch)
        else:
            yield call(*batch), weights(net)


def trained_by_torch(name: str, make: Any, given: Any, first: int) -> None:
    """A program that lets torch take gradients by a network's weights after some calls."""

    def program(run: Run) -> Iterator[Any]:
        ms.set_seed(4)
        net = make()
        call = run(net)
        held = [p.to_torch() for p in net.trainable_params()]
        for _ in range(first):
            yield call(given())
        for v in held:
            v.requires_grad_(True)
        for _ in range(5):
            call(given()).to_torch().square().sum().backward()
            yield [ms.from_torch(v.grad.clone()) for v in held]
            for v in held:
                v.grad = None
        for v in held:
            v.requires_grad_(False)
        for _ in range(3):
            out = call(given())
            yield out.to_torch().requires_grad, out

    program.__name__ = f"{name}_after_{first}_calls"
    replayed()(program)


def rows() -> Tensor:
    return Tensor(np.random.RandomState(0).randn(4, 6).astype(np.float32))


def images() -> Tensor:
    return Tensor(np.random.RandomState(0).randn(2, 3, 8, 8).astype(np.float32))


def dense() -> nn.Cell:
    return nn.SequentialCell(nn.Dense(6, 8), nn.ReLU(), nn.LayerNorm((8,)), nn.Dense(8, 2))


def convolutions() -> nn.Cell:
    return nn.SequentialCell(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Conv2d(4, 4, 3))


def changed_in_place() -> nn.Cell:
    def step(s: Any, x: Any) -> Any:
        y = x * s.w
        y.add_(1.0)
        y.mul_(s.w)
        return ops.relu(y) * y

    return Net(step, w=Parameter(Tensor(np.full(6, 2.0, np.float32)), name="w"))


for calls in (0, 1, 2, 5):
    trained_by_torch("dense_trained_by_torch", dense, rows, calls)
    trained_by_torch("convolutions_trained_by_torch", convolutions, images, calls)
    trained_by_torch("changed_in_place_and_trained_by_torch", changed_in_place, rows, calls)


@replayed()
def torch_tensor_handed_out_after_recording(run: Run) -> Iterator[Any]:
    net = changed_in_place()
    call = run(net)
    for _ in range(5):
        yield call(rows())
    value = net.w.to_torch().requires_grad_(True)
    for _ in range(4):
        call(rows()).to_torch().sum().backward()
        yield ms.from_torch(value.grad.clone())


@replayed()
def tensor_of_torch_in_a_closure(run: Run) -> Iterator[Any]:
    value = torch.full((3,), 2.0)
    held = ms.from_torch(value)
    call = run(lambda x: ops.relu(x * held) * held)
    for i in range(9):
        value.requires_grad_(3 < i < 7)
        yield call(t()).to_torch().requires_grad


@replayed()
def hooks_of_torch_on_a_weight(run: Run) -> Iterator[Any]:
    net = Net(lambda s, x: (x * s.w).sum(), w=weight())
    call, seen = run(net), []
    value = net.w.to_torch().requires_grad_(True)
    value.register_hook(lambda g: seen.append(1) or g * 3)
    value.register_post_accumulate_grad_hook(lambda p: seen.append(2))
    for _ in range(5):
        call(t()).to_torch().backward()
        assert value.grad is not None
        yield ms.from_torch(value.grad.clone()), list(seen)
        value.grad = None


# ------------------------------------------------------------------------------- beside the value


@dataclasses.dataclass
class Beside:
    value: Any
    more: Any = None


def with_objects(x: Any) -> Any:
    y = ops.sin(x) * x
    return y, Beside(y * 2, [x]), types.SimpleNamespace(out=y, inside=Beside(x))


@ordinary()
def objects_beside_what_is_differentiated(run: Run) -> Iterator[Any]:
    call = run(with_objects)
    for i in range(5):
        x = t(i, 1, 2)
        out, tangent, aux = ms.jvp(call, x, t(1, 0, 1), has_aux=True)
        yield out, tangent, aux[0], aux[1].out, aux[1].inside
        out, pull, aux = ms.vjp(call, x, has_aux=True)
        yield out, pull(t()), aux[0], aux[1].out, aux[1].inside
        jacobian, aux = ms.jacrev(call, has_aux=True)(x)
        yield jacobian, aux[0], aux[1].out, [v._value.requires_grad for v in (aux[1].out, x)]


@replayed()
def transforms_in_a_call(run: Run) -> Iterator[Any]:
    k = [2.0]

    def step(x: Any) -> Any:
        return ops.sin(x) * k[0]

    def all_of_them(x: Any) -> Any:
        out, pull = ms.vjp(step, x)
        return out, pull(x), ms.jvp(step, x, x), ms.jacrev(step)(x), ms.vmap(step)(x)

    call = run(all_of_them)
    for i in range(8):
        if i == 4:
            k[0] = 3.0
        yield call(t())


@pytest.mark.parametrize(("program", "quiet"), ROWS)
def test_gradients(program: Any, quiet: bool) -> None:
    check(program, quiet)


@pytest.mark.parametrize("transform", ["jvp", "vjp", "jacrev"])
def test_tensors_of_objects_beside_a_result_have_no_history(transform: str) -> None:
    x = t(1, 2, 3)
    if transform == "jvp":
        *_, (beside, names) = ms.jvp(with_objects, x, x, has_aux=True)
    elif transform == "vjp":
        _, pull, (beside, names) = ms.vjp(with_objects, x, has_aux=True)
        at = x.asnumpy()
        np.testing.assert_allclose(pull(t(1, 1, 1))[0], np.sin(at) + at * np.cos(at), rtol=1e-6)
    else:
        _, (beside, names) = ms.jacrev(with_objects, has_aux=True)(x)
    for value in (beside.value, beside.more[0], names.out, names.inside.value):
        assert not value._value.requires_grad
        assert (value.asnumpy() * 1).shape == (3,)  # no wrapper of a transform's


def test_gradients_by_ever_new_weights_are_not_held() -> None:
    net = Net(lambda s, x, w: (x * w).sum())
    ms.set_context(mode=ms.GRAPH_MODE)
    for i in range(200):
        w = t(i, 1, 2)
        ms.grad(net, None, [w])(t(), w)
    assert len(vars(net)["_gradients"].functions) <= 64


def test_a_gradient_of_a_method_does_not_hold_its_object() -> None:
    ms.set_context(mode=ms.GRAPH_MODE)
    a = Scaler(2.0)
    for _ in range(4):
        ms.grad(a.squared)(t())
    assert "_gradients" not in vars(a)
    assert "_gradients" not in vars(Scaler.squared)
