"""agar.migrate.from_torch: children that are replaced after the conversion."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

import agar as ms
from agar._core.tensor import wrap
from agar.migrate import check, from_torch

MODES = [ms.PYNATIVE_MODE, ms.GRAPH_MODE]


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.seq = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
        self.list = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
        self.dict = nn.ModuleDict({"k": nn.Linear(3, 3)})

    def forward(self, x):
        x = self.seq(self.a(x))
        for layer in self.list:
            x = layer(x)
        return self.dict["k"](x)


def dense():
    return ms.nn.Dense(3, 3, weight_init="zeros", bias_init="ones")


def attribute(c, new):
    c.a = new


def registry(c, new):
    c._cells["a"] = new


def inserted(c, new):
    del c.a
    c.insert_child_to_cell("a", new)


def in_sequence(c, new):
    c.seq[0] = new


def in_list(c, new):
    c.list[1] = new


def in_dict(c, new):
    c.dict["k"] = new


WAYS = [attribute, registry, inserted, in_sequence, in_list, in_dict]


def loss_and_gradients(c, x):
    weights = c.trainable_params()
    return ms.value_and_grad(lambda x: c(x).sum(), None, weights)(x), weights


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", WAYS, ids=lambda w: w.__name__)
def test_a_replaced_child_is_called_named_and_trained(way, mode):
    module = Net()
    c = from_torch(module)
    ms.set_context(mode=mode)
    x = ms.Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) / 6)
    for _ in range(3):
        before = c(x).asnumpy()
    new = dense()
    way(c, new)
    assert any(p is new.weight for p in c.trainable_params())
    assert any(p is new.weight for p in c.parameters_dict().values())
    for _ in range(3):
        after = c(x).asnumpy()
    assert not np.allclose(before, after)
    spot = {in_sequence: "seq", in_list: "list", in_dict: "dict"}.get(way)
    reference = {"seq": module.seq, "list": module.list, "dict": module.dict, None: module}[spot]
    key = {"seq": "0", "list": "1", "dict": "k", None: "a"}[spot]
    same = nn.Linear(3, 3)
    nn.init.zeros_(same.weight), nn.init.ones_(same.bias)
    reference._modules[key] = same
    given = torch.tensor(x.asnumpy())
    expected = module(given)
    np.testing.assert_allclose(after, expected.detach().numpy(), 1e-5, 1e-6)
    expected.sum().backward()
    (_, grads), weights = loss_and_gradients(c, x)
    found = {id(p): g.asnumpy() for p, g in zip(weights, grads, strict=True)}
    np.testing.assert_allclose(found[id(new.weight)], same.weight.grad.numpy(), 1e-5, 1e-6)


@pytest.mark.parametrize("mode", MODES)
def test_the_old_child_can_be_put_back(mode):
    ms.set_context(mode=mode)
    c = from_torch(Net())
    x = ms.Tensor(np.ones((2, 3), np.float32))
    before, old = c(x).asnumpy(), c.a
    c.a = dense()
    c(x)
    c.a = old
    np.testing.assert_array_equal(c(x).asnumpy(), before)


def test_a_deleted_child_is_an_error():
    c = from_torch(Net())
    del c.a
    with pytest.raises(AttributeError, match="'a'"):
        c(ms.Tensor(np.ones((2, 3), np.float32)))


class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = nn.ModuleList([Net()])

    def forward(self, x):
        return self.block[0](x)


def test_a_nested_child_and_a_child_of_another_conversion():
    module, x = Outer(), torch.ones(2, 3)
    c = from_torch(module)
    c(ms.Tensor(x.numpy()))
    c.block[0].a = dense()
    module.block[0].a = nn.Linear(3, 3)
    nn.init.zeros_(module.block[0].a.weight), nn.init.ones_(module.block[0].a.bias)
    found = c(ms.Tensor(x.numpy())).asnumpy()
    np.testing.assert_allclose(found, module(x).detach().numpy(), 1e-5)
    other = Net()
    c.block[0] = from_torch(other)
    found = c(ms.Tensor(x.numpy())).asnumpy()
    np.testing.assert_allclose(found, other(x).detach().numpy(), 1e-5)
    c.block[0].a.weight.set_data(ms.Tensor(np.zeros((3, 3), np.float32)))
    nn.init.zeros_(other.a.weight)
    found = c(ms.Tensor(x.numpy())).asnumpy()
    np.testing.assert_allclose(found, other(x).detach().numpy(), 1e-5)


class Reading(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return x @ self.fc.weight


def test_reading_the_weight_of_a_replaced_child_is_an_error():
    c = from_torch(Reading())
    c.fc = dense()
    with pytest.raises(TypeError, match=r"reads 'weight' of a child in whose place a Dense"):
        c(ms.Tensor(np.ones((2, 3), np.float32)))


class Functional(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.m = inner

    def forward(self, x):
        params = {n: p * 2 for n, p in self.m.named_parameters()}
        return torch.func.functional_call(self.m, params, (x,))


@pytest.mark.parametrize("inner", [lambda: nn.Linear(3, 3), lambda: nn.Conv1d(2, 2, 1), Net])
def test_functional_call_takes_the_parameters_that_it_is_given(inner):
    module = Functional(inner())
    x = torch.rand(2, 2, 3)
    c = from_torch(module)
    given = ms.Tensor(x.numpy())
    expected = module(x)
    np.testing.assert_allclose(c(given).asnumpy(), expected.detach().numpy(), 1e-5, 1e-6)
    expected.sum().backward()
    (_, grads), weights = loss_and_gradients(c, given)
    by_memory = {p._value.data_ptr(): g.asnumpy() for p, g in zip(weights, grads, strict=True)}
    for p in module.parameters():
        found = by_memory[p.data_ptr()].reshape(tuple(p.shape))
        np.testing.assert_allclose(found, p.grad.numpy(), 1e-4, 1e-5)


class Attention(nn.Module):
    def __init__(self, positional):
        super().__init__()
        self.at = nn.MultiheadAttention(4, 2, batch_first=True)
        self.positional = positional

    def forward(self, x):
        if self.positional:
            out, weights = self.at(x, x, x, None, False)
        else:
            out, weights = self.at(x, x, x, need_weights=False)
        assert weights is None
        return out


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("positional", [True, False])
def test_attention_without_weights_gives_the_pair_of_pytorch(positional, mode):
    ms.set_context(mode=mode)
    module = Attention(positional)
    c, x = from_torch(module), torch.rand(2, 3, 4)
    given = ms.Tensor(x.numpy())
    for _ in range(3):
        np.testing.assert_allclose(c(given).asnumpy(), module(x).detach().numpy(), 1e-5, 1e-6)
    out = from_torch(module.at)(given, given, given, need_weights=False)
    assert len(out) == 2
    assert out[1] is None


def test_check_compares_the_new_child():
    module = Net()
    c = from_torch(module)
    c.a = ms.nn.Dense(3, 3)
    x = torch.ones(2, 3)
    assert check(module, c, x).first_divergence.path == "a"
    assert check(module, c, x, sync_weights=True).passed
    c.a = ms.nn.Dense(3, 3, has_bias=False, activation="relu")
    assert not check(module, c, x).passed


class Checkpointed(nn.Module):
    def __init__(self, reentrant):
        super().__init__()
        self.fc = nn.Linear(40, 40)
        self.body = nn.Sequential(nn.Linear(40, 40), nn.Dropout(0.5))
        self.reentrant = reentrant

    def forward(self, x):
        return checkpoint(self.body, self.fc(x), use_reentrant=self.reentrant)


class Noise(ms.nn.Cell):
    """A cell of a user's own, that no name gives away."""

    def construct(self, x):
        return ms.ops.dropout(x, 0.5, training=self.training)


class Python(ms.nn.Cell):
    """Draws with numpy and with Python's random."""

    def construct(self, x):
        keep = np.random.rand(40) > 0.5 * random.random()
        return x * ms.Tensor(keep.astype(np.float32))


def same_mask(c):
    x = ms.Tensor(np.ones((1, 40), np.float32))
    weights = [p for p in c.trainable_params() if p.name.endswith("body.0.bias")]
    step = ms.value_and_grad(lambda x: c(x), None, weights)
    masks = []
    for _ in range(4):
        out, grads = step(x)
        grad = grads[0] if isinstance(grads, (tuple, list)) else grads
        masks.append(out.asnumpy().ravel() != 0)
        np.testing.assert_array_equal(masks[-1], grad.asnumpy() != 0)
        assert 0 < masks[-1].sum() < 40
    assert any((masks[0] != m).any() for m in masks[1:])


@pytest.mark.filterwarnings("ignore::agar._core.graph.diagnostics.GraphWarning")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seeded", [False, True])
@pytest.mark.parametrize(
    "new",
    [None, lambda: ms.nn.Dropout(p=0.5), Noise, Python],
    ids=lambda n: getattr(n, "__name__", n),
)
def test_a_checkpoint_recomputes_with_the_same_mask(new, seeded, mode):
    if seeded:
        ms.set_seed(3)
    ms.set_context(mode=mode)
    c = from_torch(Checkpointed(False))
    if new is not None:
        c.body[1] = new()
    same_mask(c.set_train())


class Nested(Checkpointed):
    def forward(self, x):
        def outer(x):
            return self.drop(checkpoint(self.body, x, use_reentrant=False))

        return checkpoint(outer, self.fc(x), use_reentrant=False)

    def __init__(self):
        super().__init__(False)
        self.drop = nn.Dropout(0.3)


@pytest.mark.filterwarnings("ignore::agar._core.graph.diagnostics.GraphWarning")
@pytest.mark.parametrize("mode", MODES)
def test_checkpoints_in_checkpoints_recompute_with_the_same_masks(mode):
    ms.set_context(mode=mode)
    c = from_torch(Nested())
    c.drop = Noise()
    same_mask(c.set_train())


def test_a_second_run_does_not_move_the_streams():
    ms.set_seed(5)
    outs = []
    for checkpointed in (True, False):
        ms.set_seed(5)
        torch.manual_seed(0)
        c = from_torch(Checkpointed(False) if checkpointed else Plain(False)).set_train()
        c.body[1] = Noise().set_train()
        x = ms.Tensor(np.ones((1, 40), np.float32))
        step = ms.value_and_grad(lambda x, c=c: c(x), None, c.trainable_params())
        outs.append([step(x)[0].asnumpy() for _ in range(3)])
    np.testing.assert_array_equal(*outs)


class Plain(Checkpointed):
    def forward(self, x):
        return self.body(self.fc(x))


def test_numbers_drawn_where_nobody_notes_them_are_an_error():
    c = from_torch(Direct()).set_train()
    c.fc.register_forward_hook(lambda cell, a, out: ms.ops.dropout(out, 0.5))
    x = ms.Tensor(np.ones((1, 40), np.float32))
    with pytest.raises(RuntimeError, match=r"A Dense draws random numbers of agar's in the second"):
        ms.value_and_grad(lambda x: c(x), None, [c.fc.bias])(x)


@pytest.mark.parametrize("new", [None, Noise], ids=["Dropout", "Noise"])
def test_a_reentrant_checkpoint_recomputes_with_the_same_mask(new):
    c = from_torch(Checkpointed(True))
    if new is not None:
        c.body[1] = new()
    c.set_train()
    bias = c.body[0].bias._value.requires_grad_()
    for _ in range(3):
        out = c(wrap(torch.ones(1, 40, requires_grad=True)))._value
        for again in (True, False):
            bias.grad = None
            out.sum().backward(retain_graph=again)
            assert torch.equal(out.ravel() != 0, bias.grad != 0)


class Direct(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(40, 40)

    def forward(self, x):
        return checkpoint(lambda x: self.fc(x).exp().exp(), x, use_reentrant=False)


def test_a_reentrant_checkpoint_says_what_it_does_not_do():
    c = from_torch(Checkpointed(True)).set_train()
    x = ms.Tensor(np.ones((1, 40), np.float32))
    with pytest.raises(RuntimeError, match="use_reentrant"):
        ms.value_and_grad(lambda x: c(x), None, [c.fc.bias])(x)


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.n = self.calls = 0

    def step(self):
        self.n += 1

    def forward(self, x):
        self.calls += 1
        return x * 1


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.child = Counting()

    def forward(self, x):
        self.child.step()
        return self.child(x) * self.child.calls + 10 * self.child.n


@pytest.mark.filterwarnings("ignore::agar._core.graph.diagnostics.GraphWarning")
@pytest.mark.parametrize("mode", MODES)
def test_counters_of_a_child_go_on(mode):
    ms.set_context(mode=mode)
    c = from_torch(Reader())
    x = ms.Tensor([1.0])
    assert [float(c(x).asnumpy()[0]) for _ in range(4)] == [11.0, 22.0, 33.0, 44.0]
