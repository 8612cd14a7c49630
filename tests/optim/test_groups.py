"""Groups of parameters, rates that change, and optimizers of one's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import agar as ms
from agar import nn, ops


def parameters(count=3, size=2):
    values = np.arange(count * size, dtype=np.float32).reshape(count, size)
    return [ms.Parameter(ms.Tensor(v), name=f"p{i}") for i, v in enumerate(values)]


def ones(params):
    return tuple(ms.Tensor(np.ones(p.shape, np.float32)) for p in params)


rates = st.lists(st.sampled_from([None, 0.5, 0.25]), min_size=1, max_size=4)
decays = st.sampled_from([None, 0.0, 0.5])


@given(rates, st.lists(decays, min_size=4, max_size=4), st.permutations(range(8)))
def test_groups_are_the_same_as_optimizers_for_each(group_rates, group_decays, order):
    """Any division into groups, in any order, does to each parameter what it says."""
    params = parameters(2 * len(group_rates))
    groups: list = []
    expected = {}
    for i, (rate, decay) in enumerate(zip(group_rates, group_decays, strict=False)):
        members = params[2 * i : 2 * i + 2]
        group = {"params": members}
        if rate is not None:
            group["lr"] = rate
        if decay is not None:
            group["weight_decay"] = decay
        groups.append(group)
        for p in members:
            lr = 0.125 if rate is None else rate
            wd = 0.25 if decay is None else decay
            expected[p.name] = p.asnumpy() - lr * (1.0 + wd * p.asnumpy())
    ordered = [params[i] for i in order if i < len(params)]
    groups.append({"order_params": ordered})
    opt = nn.Momentum(groups, 0.125, 0.0, weight_decay=0.25)
    assert list(opt.parameters) == ordered
    opt(ones(ordered))
    for p in params:
        np.testing.assert_allclose(p.asnumpy(), expected[p.name], rtol=1e-6)


def test_rates_by_group_can_be_read_and_set():
    params = parameters()
    opt = nn.SGD([{"params": params[:2], "lr": 0.5}, {"params": params[2:]}], 0.25)
    assert [r.name for r in opt.get_lr()] == ["learning_rate_group_0"] * 2 + ["learning_rate"]
    assert opt.get_lr_parameter(params[1]).name == "learning_rate_group_0"
    assert [r.name for r in opt.get_lr_parameter(params)] == [r.name for r in opt.get_lr()]
    assert [p.name for p in opt.get_parameters()][:4] == [
        "global_step",
        "learning_rate_group_0",
        "learning_rate",
        "p0",
    ]
    opt.get_lr_parameter(params[0]).set_data(ms.Tensor(1.0))
    opt(ones(params))
    np.testing.assert_allclose(params[0].asnumpy(), [-1.0, 0.0])
    np.testing.assert_allclose(params[2].asnumpy(), [3.75, 4.75])
    with pytest.raises(ValueError, match="is not in optimizer"):
        opt.get_lr_parameter(parameters(1)[0])
    with pytest.raises(TypeError, match="'Parameter' or 'list'"):
        opt.get_lr_parameter(5)


@pytest.mark.parametrize(
    "rate",
    [
        [0.5, 0.25, 0.125],
        (0.5, 0.25, 0.125),
        np.array([0.5, 0.25, 0.125]),
        ms.Tensor([0.5, 0.25, 0.125]),
        (2.0**-i for i in (1, 2, 3)),
        nn.ExponentialDecayLR(0.5, 0.5, 1),
    ],
    ids=["list", "tuple", "array", "tensor", "generator", "schedule"],
)
def test_rates_that_change(rate):
    (p,) = parameters(1)
    opt = nn.SGD([p], rate)
    assert opt.dynamic_lr
    for i, lr in enumerate((0.5, 0.25, 0.125)):
        assert float(opt.get_lr().asnumpy()) == pytest.approx(lr)
        assert opt.get_lr().shape == ()
        before = p.asnumpy().copy()
        opt(ones([p]))
        np.testing.assert_allclose(p.asnumpy(), before - lr, rtol=1e-6)
        assert opt.global_step.asnumpy().tolist() == [i + 1]


def test_groups_of_changing_rates():
    params = parameters(2)
    opt = nn.SGD([{"params": params[:1], "lr": [0.5, 0.25]}, {"params": params[1:]}], 0.125)
    assert "_IteratorLearningRate" in repr(opt)
    assert "_ConvertToCell" in repr(opt)
    opt(ones(params))
    opt(ones(params))
    np.testing.assert_allclose(params[0].asnumpy(), [-0.75, 0.25])
    np.testing.assert_allclose(params[1].asnumpy(), [1.75, 2.75])
    assert opt.get_lr_parameter(params[1]).name == "learning_rate"


def test_schedules_of_ones_own():
    class Own(nn.learning_rate_schedule.LearningRateSchedule):
        def __init__(self):
            super().__init__()
            self.scale = ms.Tensor(0.5)

        def construct(self, step):
            assert step.shape == (1,)
            return self.scale / (step.astype(ms.float32) + 1)

    class Bad(nn.learning_rate_schedule.LearningRateSchedule):
        def construct(self, step):
            return ms.Tensor([1.0, 2.0])

    (p,) = parameters(1)
    opt = nn.Momentum([p], Own(), 0.0)
    opt(ones([p]))
    opt(ones([p]))
    np.testing.assert_allclose(p.asnumpy(), [-0.75, 0.25])
    bad = nn.Momentum([p], Bad(), 0.0)
    with pytest.raises(ValueError, match="Bad must return one number"):
        bad(ones([p]))
    np.testing.assert_allclose(p.asnumpy(), [-0.75, 0.25])


@pytest.mark.parametrize("text", ["SGD(g, 0.5)", "Momentum(g, 0.5, 0.0)", "AdamWeightDecay(g)"])
def test_weight_decay_that_changes(text):
    class Decay(nn.Cell):
        def construct(self, step):
            return 0.25 * (step.astype(ms.float32) + 1)

    params, twins = parameters(2), parameters(2)
    group = [{"params": params, "weight_decay": Decay()}]
    opt = eval("nn." + text, {"nn": nn, "g": group})
    assert opt.dynamic_weight_decay
    for step in range(2):
        assert float(opt.get_weight_decay()[0].asnumpy()[0]) == 0.25 * (step + 1)
        fixed = [{"params": twins, "weight_decay": 0.25 * (step + 1)}]
        opt(ones(params))
        if "AdamWeightDecay" not in text:
            eval("nn." + text, {"nn": nn, "g": fixed})(ones(twins))
            np.testing.assert_allclose(params[1].asnumpy(), twins[1].asnumpy(), rtol=1e-6)
    assert np.isfinite(params[0].asnumpy()).all()


def test_gradients_are_centralized_in_blocks_of_sixteen():
    torch_like = np.random.RandomState(0).randn(3, 16).astype(np.float32)
    wide = ms.Parameter(ms.Tensor(np.zeros((3, 16), np.float32)), name="wide")
    narrow = ms.Parameter(ms.Tensor(np.zeros((3, 15), np.float32)), name="narrow")
    opt = nn.SGD([{"params": [wide, narrow], "grad_centralization": True}], 1.0)
    opt((ms.Tensor(torch_like), ms.Tensor(torch_like[:, :15])))
    want = torch_like - torch_like.mean(1, keepdims=True)
    np.testing.assert_allclose(-wide.asnumpy(), want, atol=1e-6)
    np.testing.assert_allclose(-narrow.asnumpy(), torch_like[:, :15])
    shown = opt.gradients_centralization((ms.Tensor(torch_like), ms.Tensor(torch_like[:, :15])))
    np.testing.assert_allclose(shown[0].asnumpy(), want, atol=1e-6)
    np.testing.assert_allclose(shown[1].asnumpy(), torch_like[:, :15])


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("[{'params': p, 'foo': 1}]", KeyError, "foo"),
        ("[{'lr': 0.1}]", KeyError, "params"),
        ("[{'params': []}]", ValueError, "empty"),
        ("[{'params': p[0]}]", TypeError, "list"),
        ("[{'params': [1]}]", TypeError, "at index 0"),
        ("[{'params': p}, p[0]]", TypeError, "'Parameter' or 'dict'"),
        ("[{'params': p}, {'params': p[:1]}]", RuntimeError, "'p0'"),
        ("[{'params': p}, {'order_params': p[:1]}]", ValueError, "length 1.*length 3"),
        ("[{'params': p}, {'order_params': p, 'lr': 0.1}]", ValueError, "no other key"),
        ("[{'params': p}, {'order_params': [p[0]] * 3}]", ValueError, "once"),
        ("[{'params': p, 'lr': -1.0}]", ValueError, "learning rate"),
        ("[{'params': p, 'lr': None}]", TypeError, "learning_rate"),
        ("[{'params': p, 'weight_decay': 'a'}]", TypeError, "weight_decay"),
        ("[{'params': p, 'grad_centralization': 1}]", TypeError, "grad_centralization"),
        (
            "[{'params': p[:1], 'lr': [0.1]}, {'params': p[1:], 'lr': [0.1, 0.2]}]",
            ValueError,
            "1, 2",
        ),
        ("nn.Dense(2, 1)", TypeError, "trainable_params"),
        ("p[0]", TypeError, "list"),
        ("[]", ValueError, "empty"),
        ("None", ValueError, "None"),
        ("p + p[:1]", ValueError, "'p0' already exists"),
    ],
)
def test_errors(text, kind, words):
    with pytest.raises(kind, match=words):
        nn.SGD(eval(text, {"p": parameters(), "nn": nn}), 0.1)


def test_an_optimizer_of_ones_own_with_the_tools_of_the_base():
    class Own(nn.Optimizer):
        def __init__(self, params, learning_rate, weight_decay, loss_scale):
            super().__init__(learning_rate, params, weight_decay, loss_scale)
            self.moments = self.parameters.clone(prefix="moments", init="zeros")

        def construct(self, gradients):
            gradients = self.flatten_gradients(gradients)
            gradients = self.decay_weight(gradients)
            gradients = self.gradients_centralization(gradients)
            gradients = self.scale_grad(gradients)
            lr = self.get_lr()
            self.assignadd(self.global_step, self.global_step_increase_tensor)
            for p, m, g in zip(self.parameters, self.moments, gradients, strict=False):
                ops.assign(m, 0.5 * m + g)
                ops.assign(p, p - lr * m)
            return True

    mine, theirs = parameters(), parameters()
    own = Own(mine, 0.25, 0.5, 4.0)
    twin = nn.Momentum(theirs, 0.25, 0.5, 0.5, 4.0)
    for _ in range(3):
        assert own(ones(mine)) is True
        twin(ones(theirs))
    for a, b in zip(mine, theirs, strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-6)
    assert [p.name for p in own.moments] == ["moments.p0", "moments.p1", "moments.p2"]
    assert own.global_step.asnumpy().tolist() == [3]
    with pytest.raises(NotImplementedError, match="construct"):
        nn.Optimizer(0.1, parameters())(ones(mine))
