"""as_torch and TorchCell under torch's tools: what they lend a Cell never stays in it."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
import warnings

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn.utils import parametrize
from torch.torch_version import TorchVersion

import agar as ms
from agar import nn
from agar._core.runtime import thread

T = ms.Tensor
X = torch.arange(15.0).reshape(5, 3) / 7 - 1


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(3, 4)
        self.bn = nn.BatchNorm1d(4)
        self.out = nn.Dense(4, 2)

    def construct(self, x):
        return self.out(ms.ops.relu(self.bn(self.fc(x))))


class Failing(Net):
    def construct(self, x):
        super().construct(x)
        raise ValueError("construct fails")


class Recurrent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, batch_first=True)
        self.drop = nn.Dropout(p=0.5)
        self.out = nn.Dense(4, 2)

    def construct(self, x):
        return self.out(self.drop(self.lstm(x.unsqueeze(1))[0]))


class Tied(nn.Cell):
    def __init__(self, trained=True):
        super().__init__()
        self.a = nn.Dense(3, 3)
        self.b = nn.Dense(3, 3)
        self.a.weight.requires_grad = trained
        self.b.weight = self.a.weight

    def construct(self, x):
        return self.b(ms.ops.relu(self.a(x)))


class Frozen(Tied):
    def __init__(self):
        super().__init__(trained=False)


class Keeping(nn.Cell):
    """It stores what it computes."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(3, 4)
        self.last = None
        self.log = []
        self.register_buffer("total", T([0.0]))

    def construct(self, x):
        self.last = self.fc(x)
        self.log.append(self.last)
        self.total = self.total + self.last.sum()
        self.fresh = self.last * 2
        return self.last + self.total


class Narrow(Net):
    def __init__(self):
        super().__init__()
        self.to_float(ms.float16)


class Wrapping(nn.Cell):
    def __init__(self):
        super().__init__()
        self.old = ms.TorchCell(torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4)))
        self.out = nn.Dense(4, 2)

    def construct(self, x):
        return self.out(self.old(x))


class Counting(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(3, 4)
        self.count = ms.Parameter(T(0.0), requires_grad=False)

    def construct(self, x):
        ms.ops.assign_add(self.count, T(1.0))
        return self.fc(x) + self.count


class Recomputing(nn.Cell):
    def __init__(self):
        super().__init__()
        self.body = nn.SequentialCell(nn.Dense(3, 4), nn.Tanh(), nn.Dense(4, 4))
        self.body.recompute()
        self.out = nn.Dense(4, 2)

    def construct(self, x):
        return self.out(self.body(x))


NETWORKS = (Net, Failing, Recurrent, Tied, Frozen, Keeping, Narrow, Wrapping, Counting, Recomputing)


def state(cell):
    """The torch tensor of every parameter, where it is and its flags."""
    return [
        (type(p), id(p._value), p._value.data_ptr(), p._value.requires_grad, p.requires_grad)
        for p in cell.get_parameters()
    ]


def assert_real(cell):
    for _, part in cell.cells_and_names():
        for value in part.__dict__.values():
            for t in value if isinstance(value, list) else [value]:
                if isinstance(t, T):
                    assert type(t._value) in (torch.Tensor, torch.nn.Parameter)
                    assert not torch._C._functorch.is_functorch_wrapped_tensor(t._value)
    assert not thread.lent
    assert not thread.grad_scopes
    assert not thread.inside


def doubled(module):
    return {
        n: (p.detach() * 2).requires_grad_() for n, p in dict(module.named_parameters()).items()
    }


def vmapped(module):
    params, buffers = torch.func.stack_module_state([module, copy.deepcopy(module)])
    return torch.func.vmap(
        lambda p, b: torch.func.functional_call(module, (p, b), (X,)), randomness="different"
    )(params, buffers)


def gradient(module):
    params = dict(module.named_parameters())
    return torch.func.grad(lambda p: torch.func.functional_call(module, p, (X,)).pow(2).sum())(
        params
    )


TOOLS = {
    "export": lambda m: torch.export.export(m, (X,), strict=False),
    "dynamic": lambda m: torch.export.export(
        m, (X,), strict=False, dynamic_shapes=(({0: torch.export.Dim("n")},),)
    ),
    "jit.trace": lambda m: torch.jit.trace(m, (X,), check_trace=False),
    "fx": torch.fx.symbolic_trace,
    "make_fx": lambda m: make_fx(m)(X),
    "functional_call": lambda m: torch.func.functional_call(m, doubled(m), (X,)),
    "vmap": vmapped,
    "grad": gradient,
    "call": lambda m: m(X),
}


@pytest.mark.pynative  # both modes are asked for
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("kind", NETWORKS, ids=lambda k: k.__name__)
def test_no_tool_leaves_its_tensors_in_a_cell(kind, tool, mode):
    before_mode = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        net = kind()
        for train in (False, True):
            module = ms.as_torch(net).train(train)
            before = state(net)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for _ in range(2):
                    try:
                        TOOLS[tool](module)
                    except (
                        AssertionError,
                        NotImplementedError,
                        RuntimeError,
                        TypeError,
                        ValueError,
                        torch.fx.proxy.TraceError,
                    ):
                        assert tool != "call" or kind is Failing
            assert state(net) == before
            assert_real(net)
        assert kind is Failing or torch.isfinite(ms.as_torch(net)(X)).all()
    finally:
        ms.set_context(mode=before_mode)


@pytest.mark.parametrize(
    "kind", [Net, Recurrent, Tied, Frozen, Wrapping, Narrow, Recomputing], ids=lambda k: k.__name__
)
def test_an_exported_cell_computes_the_same(kind):
    module = ms.as_torch(kind()).eval()
    program = torch.export.export(
        module, (X,), strict=False, dynamic_shapes=(({0: torch.export.Dim("n", min=2)},),)
    )
    for x in (X, torch.cat([X, X + 1])):
        torch.testing.assert_close(program.module()(x), module(x))
    assert set(dict(module.named_parameters())) <= set(program.state_dict)


@pytest.mark.slow
@pytest.mark.skipif(
    TorchVersion(torch.__version__) < "2.13",
    reason="Dynamo of this PyTorch does not read how Tensors are made",
)
@pytest.mark.parametrize("kind", [Net, Tied, Frozen], ids=lambda k: k.__name__)
def test_strict_export_and_compile(kind):
    net = kind()
    module = ms.as_torch(net).eval()
    before = state(net)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.export.export(module, (X,), strict=True)
        compiled = torch.compile(module, backend="aot_eager", fullgraph=True)
        torch.testing.assert_close(compiled(X), module(X))
        with pytest.raises(Exception, match=r"construct fails|Observed exception|add_note"):
            torch.export.export(ms.as_torch(Failing()), (X,), strict=True)
    torch.testing.assert_close(program.module()(X), module(X))
    assert state(net) == before
    assert_real(net)


@pytest.mark.slow
def test_onnx_export():
    pytest.importorskip("onnxscript")
    net = Net()
    module = ms.as_torch(net).eval()
    before = state(net)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.onnx.export(module, (X,), dynamo=True, verbose=False)
        (out,) = program.call_reference(X)
    torch.testing.assert_close(torch.as_tensor(out), module(X).detach())
    assert state(net) == before
    assert_real(net)


def test_symbolic_trace_names_the_ways_that_work():
    with pytest.raises(NotImplementedError, match=r"torch\.export\.export"):
        torch.fx.symbolic_trace(ms.as_torch(Net()))


@pytest.mark.parametrize("kind", [Net, Tied, Wrapping, Recomputing], ids=lambda k: k.__name__)
def test_functional_call_uses_what_it_is_given(kind):
    module = ms.as_torch(kind()).train()
    given = doubled(module)
    out = torch.func.functional_call(module, given, (X,))
    gradients = torch.autograd.grad(out.pow(2).sum(), list(given.values()))
    assert all(p.grad is None for p in module.parameters())

    other = copy.deepcopy(module)
    with torch.no_grad():
        for p in other.parameters():
            p.mul_(2)
    wanted_out = other(X)
    expected = torch.autograd.grad(wanted_out.pow(2).sum(), list(other.parameters()))
    torch.testing.assert_close(out, wanted_out)
    for one, two in zip(gradients, expected, strict=True):
        torch.testing.assert_close(one, two)


def test_vmap_over_models_and_gradients():
    net = Net()
    module = ms.as_torch(net).eval()
    other = copy.deepcopy(module)
    with torch.no_grad():
        other.fc.weight.add_(1)
    params, buffers = torch.func.stack_module_state([module, other])
    out = torch.func.vmap(lambda p, b: torch.func.functional_call(module, (p, b), (X,)))(
        params, buffers
    )
    torch.testing.assert_close(out, torch.stack([module(X), other(X)]))
    module(X).pow(2).sum().backward()
    for name, g in gradient(module).items():
        torch.testing.assert_close(g, module.get_parameter(name).grad)


def test_tied_places_with_different_tensors_are_refused():
    module = ms.as_torch(Tied())
    given = {"a.weight": torch.zeros(3, 3)}
    assert torch.equal(torch.func.functional_call(module, given, (X,)), module.b.bias.expand(5, 3))
    with pytest.raises(ValueError, match=r"'a\.weight' of Tied is in several places"):
        torch.func.functional_call(module, given, (X,), tie_weights=False)


def test_copies_have_a_cell_of_their_own():
    for copied in (copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))):
        net = Wrapping()
        module = ms.as_torch(net).eval()
        net.out.weight.asnumpy()
        other = copied(module)
        assert torch.equal(other(X), module(X))
        assert other.cell is not net
        with torch.no_grad():
            for p in other.parameters():
                p.zero_()
        assert all(not p.asnumpy().any() for p in other.cell.trainable_params())
        assert not other.cell.old.module[0].weight.any()
        assert net.out.weight.asnumpy().any()
        assert module.old.get_parameter("0__weight").any()


def test_what_the_module_is_given_for_good_the_cell_has_too():
    net = Net()
    module = ms.as_torch(net)

    def one_memory():
        pairs = [(net.fc.weight, module.fc.weight), (net.bn.moving_mean, module.bn.moving_mean)]
        return all(
            p._value.data_ptr() == v.data_ptr() and p._value.dtype == v.dtype for p, v in pairs
        )

    module.half()
    assert net.fc.weight.dtype == net.bn.moving_mean.dtype == ms.float16
    assert one_memory()
    module.float()
    module.load_state_dict({k: v.clone() + 1 for k, v in module.state_dict().items()}, assign=True)
    assert one_memory()
    assert module.fc.weight.requires_grad
    assert not net.fc.weight._value.requires_grad
    module.fc.weight = torch.nn.Parameter(torch.zeros(4, 3))
    assert not net.fc.weight.asnumpy().any()
    module.fc.weight.data = torch.ones(4, 3)
    module(X)
    assert net.fc.weight.asnumpy().all()
    assert one_memory()
    module.to("meta")
    assert net.fc.weight._value.is_meta
    module.to_empty(device="cpu")
    assert one_memory()
    with pytest.warns(UserWarning, match="changes the shape"):
        net.out.bias.set_data(T([1.0]))
    module(X)
    assert module.out.bias.tolist() == [1.0]


def test_tied_frozen_weights_stay_tied_when_moved():
    net = Frozen()
    module = ms.as_torch(net).double()
    assert module.a.weight is module.b.weight
    assert net.a.weight.dtype == ms.float64
    module(X.double())


def test_a_moved_torch_cell_moves_its_module():
    cell = ms.TorchCell(torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4)))
    ms.as_torch(cell).double()
    assert {v.dtype for v in cell.module.state_dict().values()} == {torch.float64, torch.int64}
    cell.module[0].weight = torch.nn.Parameter(torch.zeros(4, 3).double())
    cell(T(X.double().numpy()))
    assert not cell.trainable_params()[0].asnumpy().any()


def test_parametrizations_are_computed_and_stay_outside():
    class Twice(torch.nn.Module):
        def forward(self, w):
            return 2 * w

    net = Net()
    module = ms.as_torch(net).eval()
    before, plain = state(net), module(X)
    parametrize.register_parametrization(module.fc, "weight", Twice())
    out = module(X)
    assert not torch.equal(out, plain)
    assert state(net) == before
    out.sum().backward()
    assert module.fc.parametrizations.weight.original.grad.any()


def test_buffers_that_construct_replaces():
    net = Keeping()
    module = ms.as_torch(net)
    module(X)
    module(X)
    assert module.total.item() == net.total.item() != 0
    assert module.state_dict()["total"] is not None
    given = {"total": torch.tensor([100.0])}
    held = net.total
    torch.func.functional_call(module, (dict(module.named_parameters()), given), (X,))
    assert net.total is not None
    assert held is not None
    assert net.fresh.shape == (5, 4)


def test_threads_see_their_own_tensors():
    net = Net()
    want = ms.as_torch(net).eval()(X).detach()
    zeros = {n: torch.zeros_like(p) for n, p in ms.as_torch(net).named_parameters()}
    before, wrong = state(net), []

    def plain():
        module = ms.as_torch(net)
        wrong.extend(1 for _ in range(40) if not torch.equal(module(X), want))

    def other():
        module = ms.as_torch(net)
        outs = [torch.func.functional_call(module, zeros, (X,)) for _ in range(40)]
        wrong.extend(2 for out in outs if out.any())

    def cell():
        for _ in range(40):
            out = net(T(X))._value
            if out.requires_grad or not torch.equal(out, want):
                wrong.append(3)

    def export():
        torch.export.export(ms.as_torch(net), (X,), strict=False)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        workers = [threading.Thread(target=f) for f in (plain, other, cell, export, plain, other)]
        for w in workers:
            w.start()
        for w in workers:
            w.join()
    finally:
        sys.setswitchinterval(interval)
    assert not wrong
    assert state(net) == before


def test_a_module_inside_a_cell_inside_a_module():
    inner = ms.as_torch(Net())

    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = ms.TorchCell(inner)

        def construct(self, x):
            return self.inner(x) * 2

    outer = ms.as_torch(Outer()).eval()
    torch.testing.assert_close(outer(X), inner(X) * 2)
    zeros = {n: torch.zeros_like(p) for n, p in outer.named_parameters()}
    assert not torch.func.functional_call(outer, zeros, (X,)).any()
    outer(X).sum().backward()
    assert inner.fc.weight.grad.any()


class Breaking(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
        self.fails = True

    def forward(self, x):
        y = self.body(x)
        if self.fails:
            raise ValueError("forward fails")
        return y


@pytest.mark.pynative  # both modes are asked for
@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_agar_transforms_leave_a_torch_module_as_it_was(mode):
    before_mode = ms.get_context("mode")
    ms.set_context(mode=mode)
    try:
        module = Breaking()
        module.body[0].bias.requires_grad_(False)
        cell = ms.TorchCell(module)
        x = T(X)
        cell.set_train(False)
        tensors = [*module.parameters(), *module.buffers()]
        before = [(id(v), v.data_ptr(), v.requires_grad, type(v)) for v in tensors]
        calls = [
            lambda: cell(x),
            lambda: ms.grad(cell, None, cell.trainable_params())(x),
            lambda: ms.value_and_grad(cell)(x),
            lambda: ms.vmap(cell)(ms.ops.stack([x, x])),
            lambda: ms.jit(lambda v: cell(v))(x),
            lambda: ms.jvp(cell, x, x),
            lambda: ms.vjp(cell, x, weights=cell.trainable_params())[1](ms.ops.ones((5, 4))),
        ]
        for fails in (True, False, True):
            module.fails = fails
            for call in calls:
                if fails:
                    with pytest.raises(ValueError, match="forward fails"):
                        call()
                else:
                    call()
                items = [*module.parameters(), *module.buffers()]
                assert [(id(v), v.data_ptr(), v.requires_grad, type(v)) for v in items] == before
    finally:
        ms.set_context(mode=before_mode)


def test_a_torch_cell_is_differentiated_by_what_stands_in_for_a_weight():
    module = torch.nn.Linear(3, 1, bias=False)
    cell = ms.TorchCell(module)
    weight = cell.trainable_params()[0]
    result = ms.grad(lambda w: cell(T(X)).sum())(weight)
    torch.testing.assert_close(result._value, X.sum(0, keepdim=True))
    assert weight._value is module.weight
