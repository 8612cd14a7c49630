"""agar.migrate.from_torch: a live network as Cells over the same weights."""

from __future__ import annotations

import copy
import dataclasses
import functools
import pickle
import warnings
from collections import OrderedDict, namedtuple

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

import agar as ms
from agar.migrate import from_torch
from agar.migrate.live_conversion import ForeignCell, foreign, native_fraction
from agar.nn import CellDict, CellList, SequentialCell
from agar.nn.torch_cell import TorchCell

MODES = [ms.PYNATIVE_MODE, ms.GRAPH_MODE]


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


def tensor(value):
    return ms.Tensor(value.detach().numpy().copy())


def gradients(cell, *inputs, of=lambda out: out):
    """The loss, and the gradient of every trained parameter by its name."""
    weights = cell.trainable_params()
    step = ms.value_and_grad(lambda *x: (of(cell(*x)) ** 2).sum(), None, weights)
    loss, grads = step(*inputs)
    return float(loss.asnumpy()), {p.name: g.asnumpy() for p, g in zip(weights, grads, strict=True)}


def torch_gradients(module, *inputs, of=lambda out: out):
    module.zero_grad()
    loss = (of(module(*inputs)) ** 2).sum()
    loss.backward()
    return loss.item(), {
        n: None if p.grad is None else p.grad.numpy().copy() for n, p in module.named_parameters()
    }


def agree(module, *inputs, of=lambda out: out):
    """Loss and gradients of the cell are those of the module; returns the cell."""
    state = copy.deepcopy(module.state_dict())
    expected, theirs = torch_gradients(module, *[x.clone() for x in inputs], of=of)
    module.load_state_dict(state)
    cell = from_torch(module)
    found, mine = gradients(cell, *[tensor(x) for x in inputs], of=of)
    assert found == pytest.approx(expected, rel=1e-5)
    compare(module, cell, mine, theirs)
    return cell


def compare(module, cell, mine, theirs):
    """The gradients of parameters over the same memory are equal."""
    by_memory = {p._value.data_ptr(): mine[p.name] for p in cell.trainable_params()}
    for name, p in module.named_parameters():
        grad = theirs[name]
        found = by_memory[p.data_ptr()].reshape(tuple(p.shape))
        wanted = np.zeros(tuple(p.shape), np.float32) if grad is None else grad
        np.testing.assert_allclose(found, wanted, 1e-4, 1e-5, err_msg=name)


class Block(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.conv = nn.Conv2d(width, width, 3, padding=1)
        self.norm = nn.BatchNorm2d(width)
        self.act = nn.ReLU(inplace=True)
        self.scale = nn.Parameter(torch.full((1,), 0.5))
        self.register_buffer("shift", torch.tensor(0.25))

    def forward(self, x):
        return self.act(self.norm(self.conv(x))) * self.scale + x + self.shift


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(inplace=True))
        self.blocks = nn.ModuleList([Block(), Block()])
        self.heads = nn.ModuleDict({"a": nn.Linear(4, 2), "b": nn.Linear(4, 2, bias=False)})

    def forward(self, x, head="a"):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.heads[head](x.mean((2, 3)))


# ------------------------------------------------------------------------------ the tree


def test_known_modules_become_cells_and_the_rest_stays_foreign():
    cell = from_torch(Net())
    assert isinstance(cell, ForeignCell)
    assert isinstance(cell.stem, SequentialCell)
    assert isinstance(cell.blocks, CellList)
    assert isinstance(cell.heads, CellDict)
    assert type(cell.blocks[0].conv) is ms.nn.Conv2d
    assert [f.path for f in cell.foreign()] == ["", "blocks.0", "blocks.1"]
    assert foreign(cell)[1].torch_class.endswith("Block")
    assert native_fraction(cell) == 1.0
    assert "foreign" in repr(cell)
    assert "its forward is PyTorch code of its own" in repr(cell)


def test_sequences_of_known_modules_have_nothing_foreign():
    cell = from_torch(nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.Tanh(), nn.Linear(3, 1))))
    assert foreign(cell) == []
    assert type(cell) is SequentialCell
    assert [p.name for p in cell.trainable_params()] == [
        "0.weight", "0.bias", "1.1.weight", "1.1.bias"
    ]  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
def test_a_network_computes_and_differentiates_as_the_original(mode):
    ms.set_context(mode=mode)
    cell = agree(Net(), torch.randn(2, 3, 8, 8))
    assert {"blocks.0.scale", "heads.b.weight"} <= {p.name for p in cell.trainable_params()}


@pytest.mark.parametrize("mode", MODES)
def test_compiled_calls_of_the_cell_itself(mode):
    ms.set_context(mode=mode)
    net = Net().eval()
    cell = from_torch(net)
    x = torch.randn(2, 3, 8, 8)
    for _ in range(4):
        np.testing.assert_allclose(cell(tensor(x)).asnumpy(), net(x).detach().numpy(), 1e-5, 1e-6)
    cell.blocks[0].scale.set_data(ms.Tensor([2.0]))
    np.testing.assert_allclose(cell(tensor(x)).asnumpy(), net(x).detach().numpy(), 1e-5, 1e-6)


# ---------------------------------------------------------------------------- the weights


def test_weights_are_shared_and_the_original_is_untouched():
    net = Net()
    before = {n: p.clone() for n, p in net.state_dict().items()}
    attributes = {n: list(m.__dict__) for n, m in net.named_modules()}
    cell = from_torch(net)
    cell(tensor(torch.randn(2, 3, 8, 8)))
    assert {n: list(m.__dict__) for n, m in net.named_modules()} == attributes
    assert all(p.requires_grad and isinstance(p, nn.Parameter) for p in net.parameters())
    assert all(torch.equal(v, before[n]) for n, v in net.state_dict().items() if "running" not in n)
    cell.blocks[1].scale.set_data(ms.Tensor([3.0]))
    assert net.blocks[1].scale.item() == 3.0
    with torch.no_grad():
        net.heads["a"].bias.fill_(7.0)
    assert cell.heads["a"].bias.asnumpy().tolist() == [7.0, 7.0]
    pointers = {p.data_ptr() for p in net.parameters()}
    assert {p._value.data_ptr() for p in cell.trainable_params()} == pointers


def test_transposed_forms_of_weights_share_memory_too():
    net = nn.Sequential(nn.Conv1d(2, 3, 2), nn.PReLU(3))
    cell = from_torch(net)
    assert cell[0].weight.shape == (3, 2, 1, 2)
    assert cell[0].weight._value.data_ptr() == net[0].weight.data_ptr()
    agree(net, torch.randn(2, 2, 5))


@pytest.mark.parametrize("mode", MODES)
def test_training_with_an_optimizer_trains_the_module(mode):
    ms.set_context(mode=mode)
    net = Net()
    other = copy.deepcopy(net)
    cell = from_torch(net)
    x = torch.randn(4, 3, 8, 8)
    optimizer = ms.nn.Momentum(cell.trainable_params(), 0.01, 0.9)
    theirs = torch.optim.SGD(other.parameters(), 0.01, 0.9)
    step = ms.value_and_grad(lambda x: (cell(x) ** 2).sum(), None, optimizer.parameters)
    for _ in range(3):
        _, grads = step(tensor(x))
        optimizer(grads)
        theirs.zero_grad()
        (other(x) ** 2).sum().backward()
        theirs.step()
    for (name, a), b in zip(net.state_dict().items(), other.state_dict().values(), strict=True):
        if "num_batches" not in name and "heads.b" not in name:
            np.testing.assert_allclose(a.numpy(), b.numpy(), 1e-4, 1e-5, err_msg=name)


def test_frozen_parameters_stay_frozen():
    net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    net[0].weight.requires_grad_(False)
    cell = from_torch(net)
    assert [p.name for p in cell.trainable_params()] == ["0.bias", "1.weight", "1.bias"]


def test_a_parameter_in_two_places_is_one_parameter():
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(5, 3)
            self.out = nn.Linear(3, 5, bias=False)
            self.out.weight = self.table.weight
            self.more = self.table.weight

        def forward(self, ids):
            return self.out(self.table(ids)) + self.more.sum()

    net = Tied()
    cell = from_torch(net)
    assert cell.out.weight is cell.table.embedding_table
    assert cell.more is cell.out.weight
    assert len(cell.trainable_params()) == 1
    agree(net, torch.tensor([[1, 2]]))


def test_a_module_in_two_places_is_one_cell_and_runs_twice():
    class Twice(nn.Module):
        def __init__(self):
            super().__init__()
            self.one = nn.Linear(3, 3)
            self.other = self.one
            self.both = nn.Sequential(self.one, nn.Tanh(), self.one)

        def forward(self, x):
            return self.both(self.other(self.one(x)))

    cell = agree(Twice(), torch.randn(2, 3))
    assert cell.one is cell.other is cell.both[0] is cell.both[2]


def test_batch_norms_without_scale_or_statistics():
    agree(nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3, affine=False)), torch.randn(4, 2))
    agree(nn.Sequential(nn.Conv2d(2, 3, 1), nn.InstanceNorm2d(3)), torch.randn(2, 2, 4, 4))
    agree(nn.BatchNorm1d(3, track_running_stats=False), torch.randn(4, 3))


def test_other_types_of_numbers():
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3, affine=False), nn.Tanh()).double()
    x = torch.randn(4, 2, dtype=torch.float64)
    cell = from_torch(net)
    np.testing.assert_array_equal(cell(tensor(x)).asnumpy(), net(x).detach().numpy())
    half = nn.Linear(2, 3).bfloat16()
    out = from_torch(half)(ms.Tensor(np.ones((1, 2), np.float32), ms.bfloat16))
    assert torch.equal(out.to_torch(), half(torch.ones(1, 2, dtype=torch.bfloat16)))


# ----------------------------------------------------- code that looks into its children


class Looks(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.conv = nn.Conv1d(3, 2, 1)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        assert isinstance(self.fc, nn.Linear)
        assert type(self.fc) is nn.Linear
        assert self.fc.in_features == 3
        assert [n for n, _ in self.named_children()] == ["fc", "conv", "drop"]
        x = x.to(self.conv.weight.dtype)
        y = F.linear(x, self.fc.weight, self.fc.bias) + self.fc(x)
        y = F.dropout(y, 0.0, self.drop.training)
        return F.conv1d(y.unsqueeze(-1), self.conv.weight).squeeze(-1).sum() + self.conv(
            y.unsqueeze(-1)
        )


@pytest.mark.parametrize("mode", MODES)
def test_gradients_reach_weights_that_a_forward_takes_from_a_child(mode):
    ms.set_context(mode=mode)
    agree(Looks().eval(), torch.randn(2, 3))


def test_the_forward_follows_a_parameter_that_got_another_tensor():
    net = Looks().eval()
    cell = from_torch(net)
    cell.fc.weight._value = torch.zeros(3, 3)
    cell.fc.bias._value = torch.zeros(3)
    got = cell(tensor(torch.ones(1, 3))).asnumpy()
    other = copy.deepcopy(net)
    with torch.no_grad():
        other.fc.weight.zero_()
        other.fc.bias.zero_()
    np.testing.assert_allclose(got, other(torch.ones(1, 3)).detach().numpy(), 1e-5, 1e-6)


def test_attributes_that_refer_to_modules_refer_to_their_cells():
    class Refers(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Linear(2, 2)
            self.b = nn.Linear(2, 2)
            self.order = [self.b, self.a]
            self.by_name = {"a": (self.a, 1)}
            self.method = self.a.forward
            self.call = functools.partial(self._run, self.b)
            inner = self.a
            self.closure = lambda x: inner(x)

        def _run(self, layer, x):
            return layer(x)

        def forward(self, x):
            for layer in self.order:
                x = layer(x)
            return self.closure(self.call(self.method(self.by_name["a"][0](x))))

    net = Refers()
    cell = agree(net, torch.randn(2, 2))
    calls = []
    for layer in (cell.a, cell.b):
        layer.register_forward_hook(lambda c, i, o: calls.append(c))
    cell(tensor(torch.randn(2, 2)))
    # b, a, a by name, b by the partial function, a by the closure; `forward` itself is no call
    assert [c is cell.a for c in calls] == [False, True, True, False, True]


# ------------------------------------------------------------------------------- modes


@pytest.mark.parametrize("mode", MODES)
def test_train_and_evaluation_are_in_step(mode):
    ms.set_context(mode=mode)

    class Modes(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.ModuleList([nn.Dropout(0.5)])
            self.fc = nn.Linear(2, 2)

        def forward(self, x):
            return self.inner[0](x * 0 + 1) + (10.0 if self.training else 0.0)

    net = Modes().eval()
    cell = from_torch(net)
    assert not any(c.training for _, c in cell.cells_and_names())
    x = tensor(torch.ones(1, 100))
    assert float(cell(x).asnumpy().max()) == 1.0
    cell.set_train(True)
    values = set(cell(x).asnumpy().ravel().tolist())
    assert values == {10.0, 12.0}
    cell.set_train(False)
    assert float(cell(x).asnumpy().max()) == 1.0
    assert from_torch(net.train()).training is True


def test_a_train_method_of_the_modules_own_decides():
    class Frozen(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = nn.BatchNorm1d(2)

        def train(self, mode=True):
            super().train(mode)
            self.norm.eval()
            return self

        def forward(self, x):
            return self.norm(x)

    net = Frozen().train()
    cell = from_torch(net)
    x = torch.randn(4, 2)
    cell.set_train(False)
    cell(tensor(x))
    cell.set_train(True)
    np.testing.assert_allclose(cell(tensor(x)).asnumpy(), net(x).detach().numpy(), 1e-6)
    assert cell.norm.training is False
    assert cell.norm.moving_mean.asnumpy().tolist() == [0.0, 0.0]


# ------------------------------------------------------------------- inputs and outputs


@dataclasses.dataclass
class Answer:
    value: torch.Tensor
    rest: tuple = ()


Pair = namedtuple("Pair", "first second")


class Output(OrderedDict):
    """Like transformers' ModelOutput: a dictionary with attributes."""

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        self.__dict__[key] = value


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("make", "take"),
    [
        (lambda x: (x, [x, None]), lambda o: o[1][0]),
        (lambda x: {"a": x, "b": 3}, lambda o: o["a"]),
        (lambda x: Pair(x, 2), lambda o: o.first),
        (lambda x: Answer(x, (x, "text")), lambda o: o.rest[0]),
    ],
    ids=["tuple", "dict", "namedtuple", "dataclass"],
)
def test_outputs_keep_their_form(mode, make, take):
    ms.set_context(mode=mode)

    class Gives(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(2, 2)

        def forward(self, x):
            return make(self.fc(x))

    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Gives()

        def forward(self, x):
            return self.inner(x)

    net = Outer()
    cell = from_torch(net)
    x = torch.randn(3, 2)
    expected = net(x)
    for _ in range(3):
        out = cell(tensor(x))
        assert type(out) is type(expected)
        assert isinstance(take(out), ms.Tensor)
        np.testing.assert_allclose(take(out).asnumpy(), take(expected).detach().numpy(), 1e-6)
    assert gradients(cell, tensor(x), of=take)[0] == pytest.approx(
        torch_gradients(net, x, of=take)[0]
    )


@pytest.mark.parametrize("mode", MODES)
def test_outputs_of_classes_derived_from_dictionaries(mode):
    ms.set_context(mode=mode)

    class Gives(nn.Module):
        def forward(self, x):
            out = Output()
            out["logits"] = x * 2
            return out

    cell = from_torch(Gives())
    for value in (1.0, 2.0, 3.0):
        out = cell(ms.Tensor([value]))
        assert type(out) is Output
        assert isinstance(out["logits"], ms.Tensor)
        assert out["logits"].asnumpy().tolist() == [2 * value]
        assert out.logits.asnumpy().tolist() == [2 * value]


def test_keyword_inputs_of_known_modules():
    class Calls(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(2, 2)
            self.loss = nn.MSELoss()
            self.up = nn.ConvTranspose2d(1, 1, 3, stride=2)

        def forward(self, x, *, target=None):
            y = self.fc(input=x)
            z = self.up(x[None, None], output_size=None)
            return self.loss(target=target, input=y) + z.sum()

    net = Calls()
    cell = from_torch(net)
    x, y = torch.randn(3, 2), torch.randn(3, 2)
    found = cell(tensor(x), target=tensor(y))
    assert found.asnumpy() == pytest.approx(net(x, target=y).item(), rel=1e-5)


def test_a_call_that_the_cell_cannot_make_is_made_by_pytorch_and_named():
    class Packs(nn.Module):
        def __init__(self):
            super().__init__()
            self.rnn = nn.LSTM(2, 3)

        def forward(self, x):
            packed = nn.utils.rnn.pack_padded_sequence(x, torch.tensor([4, 2]))
            return nn.utils.rnn.pad_packed_sequence(self.rnn(packed)[0])[0]

    net = Packs()
    x = torch.randn(4, 2, 2)
    cell = from_torch(net)
    with pytest.warns(UserWarning, match="PackedSequence"):
        out = cell(tensor(x))
    np.testing.assert_allclose(out.asnumpy(), net(x).detach().numpy(), 1e-6)
    assert [f.path for f in cell.foreign()] == ["", "rnn"]
    assert native_fraction(cell) < 1
    _, mine = gradients(cell, tensor(x))
    _, theirs = torch_gradients(net, x)
    for (name, a), b in zip(mine.items(), theirs.values(), strict=True):
        np.testing.assert_allclose(a.reshape(b.shape), b, 1e-4, 1e-6, err_msg=name)


def test_lists_that_a_child_fills_reach_the_caller():
    class Child(nn.Module):
        def forward(self, x, seen, named):
            seen.append(x * 2)
            named["x"] = x * 3
            return x

    class Parent(nn.Module):
        def __init__(self):
            super().__init__()
            self.child = Child()

        def forward(self, x, seen):
            named = {"first": x}
            x = self.child(x, seen, named)
            x = self.child(x, seen, named)
            return x + seen[0] + seen[1] + named["x"]

    x = torch.ones(1)
    seen = []
    assert from_torch(Parent())(tensor(x), seen).asnumpy() == Parent()(x, []).numpy()
    assert [type(s) for s in seen] == [ms.Tensor, ms.Tensor]


# -------------------------------------------------------------------- what hangs on modules


@pytest.mark.parametrize("direct", [False, True])
def test_hooks_run_once(direct):
    calls = []
    net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    net[0].register_forward_pre_hook(lambda m, i: calls.append("pre") or (i[0] * 2,))
    net[0].register_forward_hook(lambda m, i, o: calls.append("post") or o + 1)
    module = net[0] if direct else net
    cell = from_torch(module)
    x = torch.randn(1, 2)
    expected = module(x).detach().numpy()
    calls.clear()
    np.testing.assert_allclose(cell(tensor(x)).asnumpy(), expected, 1e-6)
    assert calls == ["pre", "post"]
    assert any("hooks" in f.reason for f in foreign(cell))
    agree(module, x)


def test_hooks_that_come_later_belong_to_one_side():
    net = nn.Linear(2, 2)
    net.register_forward_hook(lambda m, i, o: o)
    cell = from_torch(net)
    calls = []
    net.register_forward_hook(lambda m, i, o: calls.append(1))
    cell(tensor(torch.ones(1, 2)))
    assert calls == []


def test_hooks_on_parameters():
    net = nn.Linear(2, 1)
    net.weight.register_hook(lambda g: g * 10)
    agree(copy.deepcopy(net), torch.ones(1, 2))
    cell = from_torch(net)
    _, grads = gradients(cell, tensor(torch.ones(1, 2)))
    net.weight._backward_hooks.clear()
    _, plain = torch_gradients(net, torch.ones(1, 2))
    np.testing.assert_allclose(grads["weight"], 10 * plain["weight"], 1e-5)
    net.weight.register_post_accumulate_grad_hook(lambda p: None)
    with pytest.warns(UserWarning, match="'weight' has hooks"):
        from_torch(net)


@pytest.mark.parametrize(
    "wrap", [nn.utils.parametrizations.weight_norm, nn.utils.parametrizations.spectral_norm]
)
def test_parametrized_layers_stay_foreign_and_train(wrap):
    net = nn.Sequential(wrap(nn.Linear(3, 3)), nn.Tanh()).eval()
    cell = agree(net, torch.randn(2, 3))
    assert "parametrizations" in foreign(cell)[0].reason
    assert native_fraction(cell) < 1


def test_subclasses():
    class Same(nn.Linear):
        def __init__(self):
            super().__init__(2, 2)

    class Other(nn.Linear):
        def forward(self, x):
            return super().forward(x) * 2

    class Kernel(nn.Conv2d):
        def _conv_forward(self, x, weight, bias):
            return super()._conv_forward(x, weight * 2, bias)

    assert type(from_torch(Same())) is ms.nn.Dense
    for module, x in ((Other(2, 2), torch.randn(1, 2)), (Kernel(1, 1, 1), torch.randn(1, 1, 2, 2))):
        cell = agree(module, x)
        assert isinstance(cell, ForeignCell)
        assert "of its own" in cell.reason
    layer = nn.Linear(2, 2)
    layer.forward = lambda x: x * 5
    cell = from_torch(layer)
    assert cell(ms.Tensor([[1.0, 2.0]])).asnumpy().tolist() == [[5.0, 10.0]]
    assert "set on the object" in cell.reason


def test_a_refused_rule_leaves_the_module_foreign_with_its_reason():
    net = nn.Sequential(nn.AlphaDropout(), nn.FeatureAlphaDropout()).eval()
    cell, x = from_torch(net), torch.randn(1, 1, 4, 4)
    np.testing.assert_array_equal(cell(tensor(x)).asnumpy(), net(x).numpy())
    reasons = {f.path: f.reason for f in foreign(cell)}
    assert "SELU" in reasons["0"]
    assert "ops.bernoulli" in reasons["1"]
    assert native_fraction(cell) == 0.0


# ------------------------------------------------------------------------ difficult code


class Residual(nn.Module):
    """The residual is overwritten by the in-place activation, as in PyTorch."""

    def __init__(self, act):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.act = act

    def forward(self, x):
        x = x * 1.5
        y = self.fc(self.act(x))
        return y + x


@pytest.mark.parametrize(
    "act",
    [nn.ReLU(inplace=True), nn.SiLU(inplace=True), nn.ELU(inplace=True), nn.ReLU6(inplace=True)],
    ids=lambda a: type(a).__name__,
)
@pytest.mark.parametrize("mode", MODES)
def test_in_place_modules_overwrite_what_others_hold(act, mode):
    ms.set_context(mode=mode)
    agree(Residual(act), torch.randn(4, 3))


def test_a_sequence_that_overwrites_its_input_stays_a_torch_sequence():
    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.ReLU(inplace=True), nn.Linear(3, 3))

        def forward(self, x):
            x = x + 0.1
            return self.body(x) + x

    cell = agree(Outer(), torch.randn(2, 3))
    assert isinstance(cell.body, ForeignCell)
    assert "overwrites" in cell.body.reason
    assert native_fraction(cell) == 1.0


@pytest.mark.parametrize("mode", MODES)
def test_dynamic_control_flow(mode):
    ms.set_context(mode=mode)

    class Dynamic(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)

        def forward(self, x):
            for _ in range(int(x.shape[0])):
                x = self.a(x) if x.sum() > 0 else self.b(x)
            return x

    net = Dynamic()
    cell = from_torch(net)
    for scale in (1.0, -1.0, 2.0, -3.0):
        for rows in (1, 2):
            x = torch.full((rows, 2), scale)
            np.testing.assert_allclose(
                cell(tensor(x)).asnumpy(), net(x).detach().numpy(), 1e-5, 1e-6
            )


@pytest.mark.parametrize("mode", MODES)
def test_state_that_a_forward_keeps(mode):
    ms.set_context(mode=mode)

    class Counts(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("mean", torch.zeros(2))
            self.register_buffer("count", torch.tensor(0))
            self.calls = 0

        def forward(self, x):
            self.mean = 0.5 * self.mean + 0.5 * x.mean(0)
            self.count += 1
            self.calls += 1
            return x - self.mean + self.calls

    net = Counts()
    cell = from_torch(copy.deepcopy(net))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that calls with a counter stay eager
        for i in range(5):
            x = torch.randn(3, 2) + i
            np.testing.assert_allclose(cell(tensor(x)).asnumpy(), net(x).numpy(), 1e-5, 1e-6)
    np.testing.assert_allclose(cell.mean.asnumpy(), net.mean.numpy(), 1e-5)
    assert int(cell.count.asnumpy()) == 5


def test_checkpointed_parts():
    class Checkpoints(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)

        def forward(self, x):
            run = torch.utils.checkpoint.checkpoint
            return run(lambda y: self.b(torch.tanh(self.a(y))), x, use_reentrant=False)

    agree(Checkpoints(), torch.randn(2, 2))


def test_a_call_method_of_the_modules_own_runs_once():
    class Own(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(2, 2)

        def __call__(self, x):
            return super().__call__(x + 1) * 2

        def forward(self, x):
            return self.fc(x)

    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.own = Own()

        def forward(self, x):
            return self.own(x)

    agree(Own(), torch.randn(1, 2))
    agree(Outer(), torch.randn(1, 2))


def test_names_that_cells_use_themselves():
    class Names(nn.Module):
        def __init__(self):
            super().__init__()
            self.construct = nn.Linear(2, 2)
            self.bprop = nn.Linear(2, 2)
            self.cells = nn.Linear(2, 2)
            self.register_parameter("name_cells", nn.Parameter(torch.ones(2)))

        def forward(self, x):
            return self.cells(self.bprop(self.construct(x))) * self.name_cells

    cell = agree(Names(), torch.randn(1, 2))
    assert "bprop.weight" in {p.name for p in cell.trainable_params()}


def test_lists_of_parameters():
    class Holds(nn.Module):
        def __init__(self):
            super().__init__()
            self.scales = nn.ParameterList([nn.Parameter(torch.ones(2)) for _ in range(2)])
            self.named = nn.ParameterDict({"shift": nn.Parameter(torch.ones(2))})

        def forward(self, x):
            for scale in self.scales:
                x = x * scale
            return x + self.named["shift"]

    cell = agree(Holds(), torch.randn(3, 2))
    assert [p.name for p in cell.trainable_params()] == ["scales.0", "scales.1", "named.shift"]


@pytest.mark.parametrize(
    ("module", "inputs"),
    [
        (nn.LSTM(3, 4, num_layers=2, batch_first=True, bidirectional=True), (2, 5, 3)),
        (nn.GRU(3, 4), (5, 2, 3)),
        (nn.LSTM(3, 4, proj_size=2), (5, 2, 3)),
        (nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True), (2, 5, 8)),
    ],
    ids=["LSTM", "GRU", "LSTM with projection", "encoder layer"],
)
@pytest.mark.filterwarnings("ignore:LSTM with projections")
def test_layers_made_of_several_weights(module, inputs):
    def first(out):
        return out[0] if isinstance(out, tuple) else out

    original = copy.deepcopy(module)
    x = torch.randn(*inputs)
    cell = from_torch(module)
    np.testing.assert_allclose(
        first(cell(tensor(x))).asnumpy(), first(original(x)).detach().numpy(), 1e-5, 1e-6
    )
    _, theirs = torch_gradients(original, x, of=first)
    _, mine = gradients(cell, tensor(x), of=first)
    compare(module, cell, mine, theirs)


def test_copies_of_a_converted_network_run_their_own_cells():
    cell = from_torch(Net().eval())
    twin = copy.deepcopy(cell)
    x = tensor(torch.randn(1, 3, 8, 8))
    before = cell(x).asnumpy()
    twin.blocks[0].scale.set_data(ms.Tensor([9.0]))
    twin.stem[0].weight.set_data(ms.ops.zeros_like(twin.stem[0].weight))
    np.testing.assert_array_equal(cell(x).asnumpy(), before)
    assert not np.allclose(twin(x).asnumpy(), before)
    calls = []
    twin.heads["a"].register_forward_hook(lambda *a: calls.append(1))
    twin(x)
    assert calls == [1]
    again = pickle.loads(pickle.dumps(cell))
    np.testing.assert_array_equal(again(x).asnumpy(), before)


# ------------------------------------------------------------------------- broken inputs


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (3, "must be a torch.nn.Module, but got 3"),
        (nn.Linear, "Make an instance first"),
        (ms.nn.Dense(2, 1), "it needs no conversion"),
    ],
)
def test_what_is_no_module(given, words):
    with pytest.raises(TypeError, match=words):
        from_torch(given)


def test_what_only_splits_the_work():
    with pytest.raises(TypeError, match=r"'1' is a DataParallel.*'\.module'"):
        from_torch(nn.Sequential(nn.Linear(2, 2), nn.DataParallel(nn.Linear(2, 2))))


def test_lazy_modules_need_a_first_call():
    net = nn.Sequential(nn.LazyLinear(3), nn.ReLU())
    with pytest.raises(ValueError, match=r"0\.weight, 0\.bias are not initialized yet: run the"):
        from_torch(net)
    net(torch.ones(1, 2))
    assert foreign(from_torch(net)) == []


def test_a_module_that_contains_itself():
    net = nn.Sequential(nn.Linear(2, 2))
    net.add_module("again", net)
    with pytest.raises(ValueError, match="'again' contains itself"):
        from_torch(net)


def test_scripted_modules_run_as_they_are():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        script = torch.jit.script(nn.Sequential(nn.Linear(2, 2), nn.Tanh()))
    net = nn.Sequential(nn.Linear(2, 2), script)
    cell = from_torch(net)
    assert isinstance(cell[1], TorchCell)
    assert [(f.path, "TorchScript" in f.reason) for f in foreign(cell)] == [("1", True)]
    x = torch.randn(1, 2)
    np.testing.assert_allclose(cell(tensor(x)).asnumpy(), net(x).detach().numpy(), 1e-6)
    expected, _ = torch_gradients(net, x)
    found, grads = gradients(cell, tensor(x))
    assert found == pytest.approx(expected, rel=1e-6)
    np.testing.assert_allclose(
        grads["1.0.weight"], net[1].state_dict(keep_vars=True)["0.weight"].grad, 1e-5
    )


def test_questions_about_other_things():
    with pytest.raises(TypeError, match="'cell' must be a Cell"):
        foreign(nn.Linear(2, 1))
    assert native_fraction(SequentialCell(TorchCell(nn.Linear(2, 1)), ms.nn.ReLU())) == 0.5
    assert foreign(TorchCell(nn.Linear(2, 1)))[0].reason == "it was put there as a TorchCell"


def test_converting_draws_no_random_numbers():
    torch.manual_seed(3)
    ms.set_seed(3)
    expected = torch.rand(1).item(), ms.nn.Dense(3, 3).weight.asnumpy().tolist()
    net = Net()
    torch.manual_seed(3)
    ms.set_seed(3)
    from_torch(net)
    assert (torch.rand(1).item(), ms.nn.Dense(3, 3).weight.asnumpy().tolist()) == expected


def test_modules_with_children_of_none_and_empty_containers():
    class Empty(nn.Module):
        def __init__(self):
            super().__init__()
            self.none = None
            self.register_module("gone", None)
            self.skip = nn.Sequential()
            self.parts = nn.ModuleList()
            self.fc = nn.Linear(2, 2)

        def forward(self, x):
            assert self.gone is None
            assert len(self.parts) == 0
            return self.skip(self.fc(x))

    cell = agree(Empty(), torch.randn(1, 2))
    assert [f.path for f in foreign(cell)] == [""]


def test_functions_with_the_rest_of_their_state_in_common():
    class Shares(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(2, 2)
            layer, count = self.fc, [0]

            def run(x):
                count[0] += 1
                return layer(x) * count[0]

            self.run, self.count = run, count

        def forward(self, x):
            return self.run(self.run(x))

    net = Shares()
    cell = from_torch(net)
    cell(tensor(torch.ones(1, 2)))
    assert net.count == [2]  # a list is shared, as a name of the outer function is
