"""experimental.optim and mint.optim: PyTorch's numbers, groups, errors, and graphs."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn
from agar.experimental import MapParameter, optim
from agar.mint import optim as mint_optim

TWINS = [
    (optim.SGD, torch.optim.SGD, {"lr": 0.1, "weight_decay": 0.1, "maximize": True}),
    (optim.SGD, torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "dampening": 0.3}),
    (optim.SGD, torch.optim.SGD, {"lr": 0.1, "momentum": 0.5, "nesterov": True}),
    (optim.AdamW, torch.optim.AdamW, {"lr": 0.1, "amsgrad": True, "weight_decay": 0.2}),
    (optim.Adagrad, torch.optim.Adagrad, {"lr": 0.1, "lr_decay": 0.1, "weight_decay": 0.1}),
    (optim.Adadelta, torch.optim.Adadelta, {"lr": 0.5, "weight_decay": 0.1}),
    (optim.Adamax, torch.optim.Adamax, {"lr": 0.1, "weight_decay": 0.1}),
    (optim.NAdam, torch.optim.NAdam, {"lr": 0.1, "weight_decay": 0.1}),
    (optim.RAdam, torch.optim.RAdam, {"lr": 0.1, "betas": (0.8, 0.9)}),
    (optim.RMSprop, torch.optim.RMSprop, {"lr": 0.1, "momentum": 0.3, "centered": True}),
    (optim.RMSprop, torch.optim.RMSprop, {"lr": 0.1, "weight_decay": 0.3}),
    (optim.Rprop, torch.optim.Rprop, {"lr": 0.1}),
    (optim.ASGD, torch.optim.ASGD, {"lr": 0.1, "t0": 3.0, "lambd": 0.1}),
    (mint_optim.SGD, torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "dampening": 0.3}),
    (mint_optim.SGD, torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    (mint_optim.SGD, torch.optim.SGD, {"lr": 0.1, "weight_decay": 0.1}),
    (mint_optim.Adam, torch.optim.Adam, {"lr": 0.1, "amsgrad": True, "weight_decay": 0.1}),
    (mint_optim.AdamW, torch.optim.AdamW, {"lr": 0.1, "weight_decay": 0.1}),
    (mint_optim.FusedAdamW, torch.optim.AdamW, {"lr": 0.1, "amsgrad": True, "maximize": True}),
]
# The learning rate is float32, so float64 parameters follow PyTorch's to that accuracy.
TOLERANCE = {"float32": 2e-6, "float64": 2e-7, "float16": 2e-2}
SHAPES = ((3, 4), (5,))


def _identify(case):
    return f"{case[0].__module__.split('.')[1]}-{case[0].__name__}-{'-'.join(case[2])}"


def _parameters(values):
    return [ms.Parameter(ms.Tensor(v.copy()), name=f"p{i}") for i, v in enumerate(values)]


def _draws(kind, seed=0):
    rng = np.random.default_rng(seed)
    while True:
        yield [rng.standard_normal(shape).astype(kind) for shape in SHAPES]


@pytest.mark.parametrize("kind", TOLERANCE)
@pytest.mark.parametrize("case", [pytest.param(c, id=_identify(c)) for c in TWINS])
def test_ten_steps_are_those_of_pytorch(case, kind):
    make, twin, options = case
    draws = _draws(kind)
    start = next(draws)
    own = _parameters(start)
    other = [torch.nn.Parameter(torch.tensor(v).double()) for v in start]
    opt, reference = make(own, **options), twin(other, **options)
    for _ in range(10):
        grads = next(draws)
        assert opt(tuple(ms.Tensor(g) for g in grads)) is True
        for p, g in zip(other, grads, strict=True):
            p.grad = torch.tensor(g).double()
        reference.step()
    for p, q in zip(own, other, strict=True):
        assert p.asnumpy().dtype == kind
        np.testing.assert_allclose(p.asnumpy(), q.detach().numpy(), rtol=0, atol=TOLERANCE[kind])


@pytest.mark.parametrize(
    "make",
    [optim.SGD, optim.Adam, optim.NAdam, optim.ASGD, optim.Rprop, mint_optim.AdamW],
    ids=lambda m: m.__name__,
)
def test_a_group_that_comes_later_is_trained_like_the_others(make):
    draws = _draws("float32", seed=1)
    start = next(draws)
    together, apart = _parameters(start), _parameters(start)
    first, second = make(together, lr=0.1), make(apart[:1], lr=0.1)
    second.add_param_group({"params": [apart[1]]})
    for _ in range(3):
        grads = tuple(ms.Tensor(g) for g in next(draws))
        first(grads)
        second(grads)
    for p, q in zip(together, apart, strict=True):
        np.testing.assert_array_equal(p.asnumpy(), q.asnumpy())


def test_a_group_that_asks_for_amsgrad_later_gets_its_state():
    draws = _draws("float32", seed=2)
    own = _parameters(next(draws))
    opt = mint_optim.AdamW(own[:1], lr=0.1)
    opt.add_param_group({"params": [own[1]], "amsgrad": True})
    for _ in range(2):
        opt(tuple(ms.Tensor(g) for g in next(draws)))
    assert [p.name for p in opt.max_exp_avg_sq] == ["max_exp_avg_sq.p0", "max_exp_avg_sq.p1"]
    assert not opt.max_exp_avg_sq[0].asnumpy().any()
    assert opt.max_exp_avg_sq[1].asnumpy().all()


def test_options_of_groups_hold_and_may_change_between_steps():
    one, two = _parameters(next(_draws("float32")))
    before = one.asnumpy().copy(), two.asnumpy().copy()
    opt = optim.SGD([{"params": [one], "lr": 0.5}, {"params": two}], lr=0.25)
    ones = tuple(ms.ops.ones_like(p) for p in opt.parameters)
    opt(ones)
    opt.param_groups[0]["lr"] = 2.0
    opt.param_groups[1]["maximize"] = True
    opt(ones)
    np.testing.assert_allclose(one.asnumpy(), before[0] - 2.5, rtol=1e-5)
    np.testing.assert_allclose(two.asnumpy(), before[1], rtol=1e-5, atol=1e-6)
    assert opt.group_start_id == [0, 1, 2]


def test_the_learning_rate_is_a_parameter_that_any_assignment_changes():
    own = _parameters(next(_draws("float32")))
    opt = optim.SGD(own, lr=ms.Tensor(0.5))
    before = own[0].asnumpy().copy()
    ms.ops.assign(opt.param_groups[0]["lr"], ms.Tensor(0.125))
    opt(tuple(ms.ops.ones_like(p) for p in own))
    np.testing.assert_allclose(own[0].asnumpy(), before - 0.125, rtol=1e-6)
    assert "lr: 0.125" in repr(opt)


@pytest.mark.parametrize("make", [optim.NAdam, optim.RAdam, optim.ASGD, mint_optim.SGD])
def test_a_compiled_step_follows_its_scheduler(make):
    def run(compiled):
        ms.set_seed(0)
        net = nn.Dense(3, 2)
        opt = make(net.trainable_params(), lr=0.1)
        scheduler = optim.lr_scheduler.StepLR(opt, 2, gamma=0.5)
        plateau = optim.lr_scheduler.ReduceLROnPlateau(opt, patience=0, threshold=0.9)
        differentiate = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), None, opt.parameters)

        def step(x):
            loss, grads = differentiate(x)
            opt(grads)
            scheduler.step()
            plateau.step(loss)
            return loss

        step = ms.jit(step) if compiled else step
        x = ms.Tensor(np.arange(12).reshape(4, 3) / 10.0, ms.float32)
        return [float(step(x)) for _ in range(6)], float(scheduler.get_last_lr()[0])

    plain, compiled = run(False), run(True)
    np.testing.assert_allclose(plain[0], compiled[0], rtol=1e-5)
    assert plain[1] == compiled[1] < 0.1


def test_a_step_that_raises_changes_nothing():
    own = _parameters(next(_draws("float32")))
    opt = optim.AdamW(own, lr=0.1)
    before = own[0].asnumpy().copy()
    with pytest.raises(ValueError, match="gradient of parameter 'p1'"):
        opt((ms.ops.ones((3, 4)), ms.ops.ones((4,))))
    with pytest.raises(RuntimeError, match="number of gradients"):
        opt((ms.ops.ones((3, 4)),))
    np.testing.assert_array_equal(own[0].asnumpy(), before)
    assert int(opt.state_step) == 0


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda p: optim.SGD([], 0.1), ValueError, "must not be empty"),
        (lambda p: optim.SGD(None, 0.1), ValueError, "can not be None"),
        (lambda p: optim.SGD(p[0].value, 0.1), TypeError, "Iterable"),
        (lambda p: optim.SGD([{"params": set(p)}], 0.1), TypeError, "order"),
        (lambda p: optim.SGD([1.0], 0.1), TypeError, "can only optimize Parameters"),
        (lambda p: optim.SGD(p, -0.1), ValueError, "learning rate"),
        (lambda p: optim.SGD(p, "0.1"), TypeError, "learning_rate"),
        (lambda p: optim.SGD(p, ms.Tensor([0.1])), ValueError, "scalar Tensor"),
        (lambda p: optim.SGD(p, 0.1, weight_decay=-1.0), ValueError, "weight_decay"),
        (lambda p: optim.SGD(p, 0.1, nesterov=True), ValueError, "nesterov"),
        (lambda p: optim.SGD([{"params": p}, {"params": p[:1]}], 0.1), ValueError, "more than one"),
        (lambda p: optim.Adam(p, betas=(1.0, 0.9)), ValueError, "index 0"),
        (lambda p: optim.AdamW(p, eps=-1.0), ValueError, "epsilon"),
        (lambda p: optim.Adadelta(p, rho=1.5), ValueError, "rho"),
        (lambda p: optim.Adagrad(p, lr=0.0), ValueError, "lr"),
        (lambda p: optim.NAdam(p, momentum_decay=-1.0), ValueError, "momentum_decay"),
        (lambda p: optim.Rprop(p, etas=(0.5, 1.0)), ValueError, "etas"),
        (lambda p: optim.ASGD(p, lambd=1), TypeError, "lambd"),
        (lambda p: mint_optim.Adam(p, lr=1), TypeError, "lr"),
        (lambda p: mint_optim.AdamW(p, betas=[0.9, 0.9]), TypeError, "betas"),
        (lambda p: mint_optim.SGD(p, 0.1, momentum=-1.0), ValueError, "momentum"),
        (lambda p: optim.Optimizer(p, {"lr": 0.1})((p[0], p[1])), NotImplementedError, "construct"),
    ],
)
def test_what_cannot_be_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call(_parameters(next(_draws("float32"))))


def test_groups_of_the_fused_optimizer_agree_on_amsgrad():
    one, two = _parameters(next(_draws("float32")))
    with pytest.raises(ValueError, match="mixed amsgrad"):
        mint_optim.FusedAdamW([{"params": [one]}, {"params": [two], "amsgrad": True}])


def test_map_parameter_says_what_to_use():
    with pytest.raises(NotImplementedError, match=r"nn\.Embedding"):
        MapParameter(key_dtype=ms.int32)


def test_an_optimizer_can_be_pickled():
    own = _parameters(next(_draws("float32")))
    opt = optim.AdamW(own, lr=0.1)
    opt(tuple(ms.ops.ones_like(p) for p in own))
    copied = pickle.loads(pickle.dumps(opt))
    assert int(copied.state_step) == 1
    np.testing.assert_array_equal(copied.exp_avg[0].asnumpy(), opt.exp_avg[0].asnumpy())
