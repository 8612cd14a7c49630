"""Optimizers: formulas in float64, both ways of torch's kernels, states, and bad gradients."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn
from agar._core.runtime import thread
from optim import reference as ref

W0 = [1.0, -2.0, 3.0]
GRADS = [[0.5, -0.1, 2.0], [-0.3, 0.7, 0.01], [0.2, 0.2, -0.4], [1e-4, 3.0, 0.0]]

# Parameters after the four gradients at a rate of 0.1, recorded from MindSpore 2.10.
FIGURES = {
    "nn.SGD(p, 0.1)": [0.95999, -2.38, 2.839],
    "nn.SGD(p, 0.1, 0.9, 0.5)": [0.849695, -2.22946, 2.3488448],
    "nn.SGD(p, 0.1, 0.9, nesterov=True)": [0.844196, -2.823979, 2.2859409],
    "nn.Momentum(p, 0.1, 0.9)": [0.87134, -2.49331, 2.38549],
    "nn.Momentum(p, 0.1, 0.9, weight_decay=0.1, loss_scale=2.0)": [0.8483311, -2.0674498, 2.434196],
    "nn.Adam(p, 0.1)": [0.8176393, -2.0984678, 2.762533],
    "nn.Adam(p, 0.1, eps=1e-2)": [0.8845636, -2.128579, 2.7948065],
    "nn.Adam(p, 0.1, use_nesterov=True)": [0.7534237, -2.1361291, 2.6984475],
    "nn.Adam(p, 0.1, use_amsgrad=True)": [0.8176536, -2.0984681, 2.7625818],
    "nn.LazyAdam(p, 0.1)": [0.8176393, -2.0984678, 2.762533],
    "nn.AdamOffload(p, 0.1)": [0.8176393, -2.0984678, 2.762533],
    "nn.AdamWeightDecay(p, 0.1)": [0.27552968, -2.6553047, 2.0349836],
    "nn.AdamWeightDecay(p, 0.1, weight_decay=0.1)": [0.24885653, -2.5772328, 1.9337687],
    "nn.RMSProp(p, 0.1)": [0.9577827, -2.3247902, 2.8623512],
    "nn.RMSProp(p, 0.1, momentum=0.5, centered=True)": [0.925211, -2.394619, 2.722728],
    "nn.Adagrad(p, 0.1, 0.1)": [0.9318293, -2.181842, 2.920113],
    "nn.Adadelta(p, 0.1)": [0.9997479, -2.0009139, 2.9997761],
    "nn.AdaMax(p, 0.1)": [0.8418292, -2.0209997, 2.8134704],
    "nn.ASGD(p, 0.1)": [0.9599511, -2.3799112, 2.8388848],
    "nn.ASGD(p, 0.1, 1e-2, 0.5, 2.0)": [0.9561138, -2.3713841, 2.8275483],
    "nn.Rprop(p, 0.1)": [0.79, -2.01, 2.78],
    "nn.FTRL(p, learning_rate=0.1)": [0.3973069, -0.2749168, 2.4515915],
    "nn.FTRL(p, learning_rate=0.1, weight_decay=0.1, lr_power=-0.3)": [
        0.2935411,
        -0.5469099,
        1.9424518,
    ],
    "nn.ProximalAdagrad(p, 0.1, 0.1, l1=0.01, l2=0.02)": [0.914505, -2.1523798, 2.9067993],
    "nn.AdaFactor(p, 0.1, relative_step=False)": [0.9449147, -2.056962, 2.9409971],
    "nn.AdaFactor(p)": [0.9945004, -2.0058248, 2.9941173],
}


def parameter(values=W0, dtype=np.float32, name="w"):
    return ms.Parameter(ms.Tensor(np.array(values, dtype)), name=name)


def steps(opt, grads=GRADS, dtype=np.float32):
    for g in grads:
        opt((ms.Tensor(np.array(g, dtype)),))


@pytest.mark.smoke
@pytest.mark.parametrize("text", FIGURES)
def test_figures(text):
    p = parameter()
    opt = eval(text, {"nn": nn, "p": [p]})
    steps(opt)
    np.testing.assert_allclose(p.asnumpy(), FIGURES[text], atol=1e-6)
    assert opt.global_step.asnumpy().tolist() == [4]


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("text", FIGURES)
def test_figures_with_rates_that_stay_tensors(text, fused, monkeypatch):
    """As in a graph, or with a schedule that computes on the device: no rate is read."""
    if not fused:
        monkeypatch.setattr("agar.nn.optim._update.FUSED_DEVICES", frozenset())
    monkeypatch.setattr(thread, "in_graph", True)
    p = parameter()
    opt = eval(text, {"nn": nn, "p": [p]})
    assert isinstance(opt._current(opt.learning_rate), torch.Tensor)
    steps(opt)
    np.testing.assert_allclose(p.asnumpy(), FIGURES[text], atol=1e-6)


def test_changing_rates_and_decays_that_stay_tensors(monkeypatch):
    class Decay(nn.Cell):
        def construct(self, step):
            return step.astype(ms.float32) * 0 + 0.5

    ends = []
    for in_graph in (False, True):
        monkeypatch.setattr(thread, "in_graph", in_graph)
        for make in (nn.Momentum, nn.AdamWeightDecay):
            p = parameter()
            options = {"momentum": 0.5} if make is nn.Momentum else {}
            opt = make([p], [0.5, 0.25, 0.125, 0.5], weight_decay=Decay(), **options)
            steps(opt)
            ends.append(p.asnumpy())
    np.testing.assert_allclose(ends[2:], ends[:2], rtol=1e-6)


# In float64 a rate of 1/8 and betas of float32 precision are exact.
B1, B2 = 0.875, 0.96875
FORMULAS = {
    "nn.SGD(p, 0.125, 0.5, 0.25)": (ref.sgd, {"lr": 0.125, "u": 0.5, "damping": 0.25}),
    "nn.SGD(p, 0.125, 0.5, nesterov=True)": (ref.sgd, {"lr": 0.125, "u": 0.5, "nesterov": True}),
    "nn.Momentum(p, 0.125, 0.5)": (ref.momentum, {"lr": 0.125, "u": 0.5}),
    "nn.Momentum(p, 0.125, 0.0)": (ref.momentum, {"lr": 0.125, "u": 0.0}),
    "nn.Momentum(p, 0.125, 0.5, 0.25, use_nesterov=True)": (
        ref.momentum,
        {"lr": 0.125, "u": 0.5, "nesterov": True, "decay": 0.25},
    ),
    "nn.Adam(p, 0.125, B1, B2)": (ref.adam, {"lr": 0.125, "b1": B1, "b2": B2}),
    "nn.Adam(p, 0.125, B1, B2, use_nesterov=True)": (
        ref.adam,
        {"lr": 0.125, "b1": B1, "b2": B2, "nesterov": True},
    ),
    "nn.Adam(p, 0.125, B1, B2, use_amsgrad=True)": (
        ref.adam,
        {"lr": 0.125, "b1": B1, "b2": B2, "amsgrad": True},
    ),
    "nn.AdamWeightDecay(p, 0.125, B1, B2, weight_decay=0.25)": (
        ref.adam_weight_decay,
        {"lr": 0.125, "b1": B1, "b2": B2, "decay": 0.25},
    ),
    "nn.RMSProp(p, 0.125, 0.75, 0.5, 1e-3, centered=True)": (
        ref.rmsprop,
        {"lr": 0.125, "d": 0.75, "u": 0.5, "eps": 1e-3, "centered": True},
    ),
    "nn.Adagrad(p, 0.5, 0.125)": (ref.adagrad, {"lr": 0.125, "start": 0.5}),
    "nn.Adagrad(p, 0.5, 0.125, False)": (ref.adagrad, {"lr": 0.125, "start": 0.5, "grow": False}),
    "nn.ProximalAdagrad(p, 0.5, 0.125, 0.5, 0.25)": (
        ref.proximal,
        {"lr": 0.125, "start": 0.5, "l1": 0.5, "l2": 0.25},
    ),
    "nn.Adadelta(p, 0.125, 0.75, 1e-3)": (ref.adadelta, {"lr": 0.125, "rho": 0.75, "eps": 1e-3}),
    "nn.AdaMax(p, 0.125, B1, B2, 1e-3)": (
        ref.adamax,
        {"lr": 0.125, "b1": B1, "b2": B2, "eps": 1e-3},
    ),
    "nn.FTRL(p, 0.5, 0.125, -0.75, 0.25, 0.5)": (
        ref.ftrl,
        {"lr": 0.125, "start": 0.5, "power": -0.75, "l1": 0.25, "l2": 0.5},
    ),
    "nn.Lamb(p, 0.125, B1, B2, 1e-3, 0.25)": (
        ref.lamb,
        {"lr": 0.125, "b1": B1, "b2": B2, "eps": 1e-3, "decay": 0.25},
    ),
}


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_in_float64_by_both_kinds_of_kernels(text, fused, monkeypatch):
    if not fused:
        monkeypatch.setattr("agar.nn.optim._update.FUSED_DEVICES", frozenset())
    rule, options = FORMULAS[text]
    p = parameter(dtype=np.float64)
    opt = eval(text, {"nn": nn, "p": [p], "B1": B1, "B2": B2})
    steps(opt, dtype=np.float64)
    # the powers of betas are float32 in MindSpore's state
    np.testing.assert_allclose(p.asnumpy(), ref.run(rule, W0, GRADS, **options), rtol=2e-7)


@pytest.mark.parametrize(
    ("text", "twin"),
    [
        ("nn.SGD(p, 0.125, 0.5, 0.25, 0.125)", "SGD(q, 0.125, 0.5, 0.25, 0.125)"),
        ("nn.Momentum(p, 0.125, 0.5, use_nesterov=True)", "SGD(q, 0.125, 0.5, nesterov=True)"),
        ("nn.Adadelta(p, 0.125, 0.75, 1e-3)", "Adadelta(q, 0.125, 0.75, 1e-3)"),
        ("nn.ASGD(p, 0.125, 0.25, 0.5, 2.0)", "ASGD(q, 0.125, 0.25, 0.5, 2.0)"),
        ("nn.Rprop(p, 0.125)", "Rprop(q, 0.125)"),
        ("nn.Adam(p, 0.125, 0.875, 0.96875, 1e-30)", "Adam(q, 0.125, (0.875, 0.96875), 1e-30)"),
    ],
)
def test_agrees_with_torch_in_float64(text, twin):
    p = parameter(dtype=np.float64)
    q = torch.tensor(W0, dtype=torch.float64, requires_grad=True)
    opt = eval(text, {"nn": nn, "p": [p]})
    other = eval(twin, {**vars(torch.optim), "q": [q]})
    for g in GRADS:
        opt((ms.Tensor(np.array(g)),))
        q.grad = torch.tensor(g, dtype=torch.float64)
        other.step()
    np.testing.assert_allclose(p.asnumpy(), q.detach().numpy(), rtol=2e-7)


@pytest.mark.parametrize("text", ["nn.Momentum(p, 0.1, 0.9, 0.01)", "nn.Adam(p, 0.1)"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_layouts_do_not_matter(text, dtype):
    """torch's fused kernels walk memory in step; a gradient of another layout must not mislead."""
    torch.manual_seed(0)
    value, grad = torch.randn(4, 3, 2, 5).to(dtype), torch.randn(4, 3, 2, 5).to(dtype)
    ends = []
    for layout_p in (torch.contiguous_format, torch.channels_last):
        for layout_g in (torch.contiguous_format, torch.channels_last):
            p = ms.Parameter(ms.Tensor(np.zeros((4, 3, 2, 5), np.float32)), name="w")
            p._value = value.clone().contiguous(memory_format=layout_p)
            opt = eval(text, {"nn": nn, "p": [p]})
            for _ in range(2):
                opt((ms.from_torch(grad.contiguous(memory_format=layout_g)),))
            ends.append(p.to_torch().float().contiguous())
    rounding = 4 * torch.finfo(dtype).eps
    for end in ends[1:]:
        torch.testing.assert_close(end, ends[0], rtol=rounding, atol=rounding)


def test_expanded_gradients_and_parameters_that_are_views():
    whole = torch.arange(12.0).reshape(3, 4)
    p = parameter([[0.0, 0.0]] * 3)
    p._value = whole[:, ::2]
    nn.Momentum([p], 0.5, 0.0)((ms.from_torch(torch.ones(1, 1).expand(3, 2)),))
    assert torch.equal(p.to_torch(), torch.arange(12.0).reshape(3, 4)[:, ::2] - 0.5)
    assert torch.equal(whole[:, 1::2], torch.arange(12.0).reshape(3, 4)[:, 1::2])


def test_a_moved_or_cast_network_takes_its_state_along():
    net = nn.Dense(2, 1, "ones", "zeros")
    opt = nn.Adam(net.trainable_params(), 0.1)
    grads = (ms.Tensor([[1.0, 1.0]]), ms.Tensor([1.0]))
    opt(grads)
    net.to(ms.float64)
    opt(tuple(g.astype(ms.float64) for g in grads))
    assert opt.moment1[0].dtype == ms.float64
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.8, 0.8]], atol=1e-6)


# --------------------------------------------------------------------------------- bad gradients

OPTIMIZERS = (
    "nn.SGD(p, 0.1, 0.9)",
    "nn.Momentum(p, 0.1, 0.9)",
    "nn.Adam(p, 0.1)",
    "nn.AdamWeightDecay(p, 0.1)",
    "nn.RMSProp(p, 0.1)",
    "nn.Adagrad(p, 0.1)",
    "nn.ASGD(p, 0.1)",
    "nn.LARS(nn.Momentum(p, 0.1, 0.9))",
)


def snapshot(opt):
    return [(p.name, p.asnumpy().copy()) for p in opt.get_parameters()]


@pytest.mark.parametrize("text", OPTIMIZERS)
@pytest.mark.parametrize(
    ("grads", "kinds", "words"),
    [
        ("(g,)", RuntimeError, "2, but got 1"),
        ("(g, g, g)", RuntimeError, "2, but got 3"),
        ("(g, b[:1])", (ValueError, RuntimeError), r"'second'.*\(2,\).*\(1,\)"),
        ("(g, b.reshape((2, 1)))", (ValueError, RuntimeError), "'second'"),
        ("(g, None)", TypeError, "'second'.*None"),
        ("(g, b.astype(ms.complex64))", TypeError, "'second' of type Float32.*Complex64"),
        ("g", TypeError, "tuple"),
        ("5", TypeError, "tuple"),
    ],
)
def test_a_failed_call_changes_nothing(text, grads, kinds, words):
    p = [parameter(name="first"), parameter([1.0, 2.0], name="second")]
    opt = eval(text, {"nn": nn, "p": p})
    good = (ms.Tensor([1.0, 1.0, 1.0]), ms.Tensor([1.0, 1.0]))
    opt(good)
    before = snapshot(opt)
    with pytest.raises(kinds, match=words):
        opt(eval(grads, {"g": good[0], "b": good[1], "ms": ms}))
    for (name, old), (_, new) in zip(before, snapshot(opt), strict=True):
        assert np.array_equal(old, new), name


def test_a_list_at_its_end_changes_nothing():
    p = parameter()
    opt = nn.Adam([p], [0.1, 0.2])
    steps(opt, GRADS[:2])
    before = snapshot(opt)
    with pytest.raises(RuntimeError, match="has 2 entries, but global_step is 2"):
        steps(opt, GRADS[2:])
    for (name, old), (_, new) in zip(before, snapshot(opt), strict=True):
        assert np.array_equal(old, new), name
    with pytest.raises(RuntimeError, match="one rate for each step"):
        opt.get_lr()


def test_narrow_gradients_are_widened_and_wide_ones_refused():
    p = parameter()
    nn.Momentum([p], 0.5, 0.0)((ms.Tensor([1.0, 1.0, 1.0], ms.float16),))
    np.testing.assert_allclose(p.asnumpy(), [0.5, -2.5, 2.5])
    h = parameter(dtype=np.float16)
    with pytest.raises(TypeError, match=r"'w' of type Float16.*Float32"):
        nn.Momentum([h], 0.5, 0.0)((ms.Tensor([1.0, 1.0, 1.0]),))
    nn.AdamWeightDecay([h], 0.5)((ms.Tensor([1.0, 1.0, 1.0]),))
    assert h.dtype == ms.float16


# ------------------------------------------------------------------------------------------ state


@pytest.mark.parametrize(
    "text",
    list(FIGURES),
)
def test_a_resumed_training_goes_on_as_if_it_had_not_stopped(text):
    whole, first, second = parameter(), parameter(), parameter([9.0, 9.0, 9.0])
    make = lambda p: eval(text, {"nn": nn, "p": [p]})  # noqa: E731
    steps(make(whole))
    opt = make(first)
    steps(opt, GRADS[:2])
    saved = {p.name: p.asnumpy().copy() for p in opt.get_parameters()}
    again = make(second)
    for p in again.get_parameters():
        p.set_data(ms.Tensor(saved[p.name]))
    steps(again, GRADS[2:])
    np.testing.assert_allclose(second.asnumpy(), whole.asnumpy(), rtol=1e-6)


def test_order_of_parameters_is_that_of_checkpoints():
    net = nn.Dense(2, 1)
    adam = nn.Adam(net.trainable_params())
    assert [p.name for p in adam.get_parameters()] == [
        "global_step",
        "learning_rate",
        "weight",
        "bias",
        "beta1_power",
        "beta2_power",
        "moment1.weight",
        "moment1.bias",
        "moment2.weight",
        "moment2.bias",
    ]
    assert adam.global_step.shape == (1,)
    assert adam.global_step.dtype == ms.int32
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), adam)
    assert next(iter(step.get_parameters())).name == "weight"


def test_copies_and_pickles_go_on_by_themselves():
    p = parameter()
    opt = nn.Momentum([p], 0.5, 0.5)
    steps(opt, GRADS[:1])
    twin = copy.deepcopy(opt)
    other = pickle.loads(pickle.dumps(opt))
    steps(opt, GRADS[1:])
    for one in (twin, other):
        assert one.parameters[0] is not p
        steps(one, GRADS[1:])
        np.testing.assert_array_equal(one.parameters[0].asnumpy(), p.asnumpy())


def test_parameters_drawn_late():
    with nn.no_init_parameters():
        net = nn.Dense(2, 1, "ones", "zeros")
    opt = nn.Adam(net.trainable_params(), 0.1)
    assert net.weight.has_init  # the state needed no values
    opt((ms.Tensor([[1.0, 1.0]]), ms.Tensor([1.0])))
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.9, 0.9]], atol=1e-6)


def test_an_update_between_a_recorded_call_and_its_gradient():
    net = nn.Dense(2, 1, "ones", "zeros").set_grad()
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    x = ms.Tensor([[1.0, 2.0]])
    net(x)
    opt((ms.Tensor([[1.0, 1.0]]), ms.Tensor([1.0])))
    grads = ms.grad(net, None, net.trainable_params())(x)
    np.testing.assert_array_equal(grads[0].asnumpy(), [[1.0, 2.0]])


# -------------------------------------------------------------------------------------- wrappers


def test_lars_scales_by_norms():
    p, bias = parameter([3.0, 4.0]), parameter([1.0, 1.0], name="bias")
    opt = nn.LARS(nn.SGD([p, bias], 0.5, weight_decay=0.1), epsilon=0.0, coefficient=0.25)
    g = np.array([0.0, 1.0])
    opt((ms.Tensor(g.astype(np.float32)), ms.Tensor([1.0, 1.0])))
    trust = 0.25 * 5.0 / (1.0 + 0.1 * 5.0)
    np.testing.assert_allclose(
        p.asnumpy(), [3, 4] - 0.5 * trust * (g + 0.1 * np.array([3, 4])), rtol=1e-6
    )
    np.testing.assert_allclose(bias.asnumpy(), [0.5, 0.5])  # no decay, no scale
    assert opt.global_step.asnumpy()[0] == 1
    clipped = parameter([3.0, 4.0])
    opt = nn.LARS(nn.SGD([clipped], 0.5), coefficient=100.0, use_clip=True)
    opt((ms.Tensor([0.0, 1.0]),))
    np.testing.assert_allclose(clipped.asnumpy(), [3.0, 3.5])
    with pytest.raises(TypeError, match="Optimizer"):
        nn.LARS(nn.Dense(1, 1))


def test_lars_knows_the_loss_scale_of_its_optimizer():
    ends = []
    for scale in (1.0, 8.0):
        p = parameter([3.0, 4.0])
        opt = nn.LARS(nn.SGD([p], 0.5, weight_decay=0.1, loss_scale=scale))
        opt((ms.Tensor(np.array([0.0, scale], np.float32)),))
        ends.append(p.asnumpy())
    np.testing.assert_allclose(ends[1], ends[0], rtol=1e-6)


def test_adasum_on_one_device():
    p = parameter()
    assert nn.AdaSumByGradWrapCell(nn.SGD([p], 0.5))((ms.Tensor([2.0, 0.0, 0.0]),)) == (True,)
    assert p.asnumpy()[0] == 0.0
    with pytest.raises(TypeError, match="Optimizer"):
        nn.AdaSumByDeltaWeightWrapCell(p)


def test_adafactor_of_matrices_keeps_rows_and_columns():
    p = parameter([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    opt = nn.AdaFactor([p], 0.5, relative_step=False)
    shapes = {q.name: q.shape for q in opt.get_parameters()}
    assert shapes["exp_avg_sq_row_w"] == (2,)
    assert shapes["exp_avg_sq_col_w"] == (3,)
    assert shapes["exp_avg_sq_w"] == (1,)
    with pytest.raises(ValueError, match="exclude"):
        nn.AdaFactor([p], 0.5)
    with pytest.raises(ValueError, match="warmup_init"):
        nn.AdaFactor([p], 0.5, relative_step=False, warmup_init=True)
    with pytest.raises(NotImplementedError, match="compression"):
        nn.AdaFactor([p], compression=True)


def test_adam_combinations():
    p = [parameter()]
    with pytest.raises(ValueError, match="only one of"):
        nn.Adam(p, use_lazy=True, use_offload=True)
    with pytest.raises(ValueError, match="no common formula"):
        nn.Adam(p, use_amsgrad=True, use_nesterov=True)
    with pytest.raises(KeyError, match="foo"):
        nn.Adam(p, foo=True)


@pytest.mark.parametrize("kind", [nn.Adam, nn.Momentum, nn.AdamWeightDecay])
def test_states_of_another_shape_are_not_overrun(kind: Any) -> None:
    p = ms.Parameter(ms.Tensor(2.0, ms.float32), name="p")
    optimizer = kind([p], *((0.1, 0.9) if kind is nn.Momentum else (0.1,)))
    optimizer((ms.Tensor(1.0, ms.float32),))
    p.set_data(ms.Tensor([3.0, 2.0, 1.0], ms.float32), slice_shape=True)
    with pytest.raises(RuntimeError, match="shape"):
        optimizer((ms.Tensor([1.0, 1.0, 1.0], ms.float32),))
