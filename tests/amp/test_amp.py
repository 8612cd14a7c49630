"""Mixed precision: what each level computes in, how levels compose, and loss scales.

The dtypes and figures recorded from MindSpore are replayed in tests/core/test_oracle_core.py.
"""

from __future__ import annotations

import copy

import numpy as np
import pytest

import agar as ms
from agar import nn, ops, train
from agar._core.precision import current

LEVELS = ("O0", "O1", "O2", "O3", "auto")
NARROW = (ms.float16, ms.bfloat16)


class Tap(nn.Cell):
    """Notes the type that passes."""

    def __init__(self, seen, name):
        super().__init__()
        self.seen = seen
        self.name = name

    def construct(self, x):
        self.seen[self.name] = x.dtype
        return x


class Net(nn.Cell):
    def __init__(self, seen):
        super().__init__()
        self.conv = nn.Conv2d(2, 2, 3)
        self.tap0 = Tap(seen, "conv")
        self.norm = nn.BatchNorm2d(2)
        self.tap1 = Tap(seen, "norm")
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(32, 3)
        self.tap2 = Tap(seen, "fc")

    def construct(self, x):
        x = self.tap1(self.norm(self.tap0(self.conv(x))))
        return self.tap2(self.fc(self.flatten(x)))


def image():
    return ms.Tensor(np.random.RandomState(0).randn(2, 2, 4, 4).astype(np.float32))


@pytest.mark.parametrize("dtype", NARROW)
@pytest.mark.parametrize(
    ("level", "conv", "norm", "fc"),
    [
        ("O0", "full", "full", "full"),
        ("O1", "full", "full", "full"),
        ("O2", "narrow", "narrow", "narrow"),
        ("O3", "narrow", "narrow", "narrow"),
        ("auto", "narrow", "full", "full"),
    ],
)
def test_types_inside_and_outside(level, dtype, conv, norm, fc):
    seen = {}
    net = ms.amp.auto_mixed_precision(Net(seen), level, dtype).set_train()
    kinds = {"full": ms.float32, "narrow": dtype}
    assert net(image()).dtype == ms.float32
    assert seen == {"conv": kinds[conv], "norm": kinds[norm], "fc": kinds[fc]}
    assert current() is None


@pytest.mark.parametrize("level", LEVELS)
def test_parameters_gradients_and_values(level):
    plain = Net({}).set_train()
    mixed = copy.deepcopy(plain)
    names = [(p.name, p.dtype) for p in plain.get_parameters()]
    net = ms.amp.auto_mixed_precision(mixed, level).set_train()
    assert [(p.name, p.dtype) for p in net.get_parameters()] == names
    x = image()
    want, want_grads = ms.value_and_grad(plain, None, plain.trainable_params())(x)
    out, grads = ms.value_and_grad(net, None, net.trainable_params())(x)
    np.testing.assert_allclose(out.asnumpy(), want.asnumpy(), atol=3e-2)
    for g, w in zip(grads, want_grads, strict=True):
        assert g.dtype == ms.float32
        np.testing.assert_allclose(g.asnumpy(), w.asnumpy(), atol=0.5, rtol=0.2)
    exact = np.array_equal(out.asnumpy(), want.asnumpy())
    assert exact == (level == "O0")


def test_networks_keep_their_objects():
    net = nn.Dense(2, 2)
    for level in ("O0", "O1", "auto"):
        assert ms.amp.auto_mixed_precision(net, level) is net
    wrapped = ms.amp.auto_mixed_precision(nn.Dense(2, 2), "O2")
    assert repr(wrapped) == (
        "_OutputTo32(\n  (_backbone): Dense(input_channels=2, output_channels=2, has_bias=True)\n)"
    )
    assert wrapped.weight.shape == (2, 2)  # attributes of the network inside
    with pytest.raises(AttributeError, match="missing"):
        wrapped.missing


def test_one_cell_under_two_names_is_wrapped_once():
    class Twice(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = nn.LayerNorm((2,))
            self.b = self.a

        def construct(self, x):
            return self.b(self.a(x))

    net = Twice()
    ms.amp.auto_mixed_precision(net, "O2")
    assert net.a is net.b
    assert len(list(net.get_parameters())) == 2


@pytest.mark.parametrize("level", LEVELS)
def test_a_type_of_a_cells_own_is_kept(level):
    seen = {}
    net = nn.SequentialCell(
        nn.Dense(2, 2), Tap(seen, "first"), nn.Dense(2, 2), Tap(seen, "second"), nn.Dense(2, 2)
    )
    net[2].to_float(ms.float32)
    net[4].to_float(ms.bfloat16)
    inner = nn.SequentialCell(net)
    out = ms.amp.auto_mixed_precision(inner, level)(ms.Tensor([[1.0, 2.0]]))
    assert seen["second"] == ms.float32
    assert net[4].mixed_precision_type.name == "BF16"
    assert out.dtype == (ms.float32 if level in ("O2", "O3") else ms.bfloat16)


@pytest.mark.parametrize("level", LEVELS)
def test_an_exception_leaves_no_type_behind(level):
    class Fails(nn.Cell):
        def __init__(self):
            super().__init__()
            self.fc = nn.Dense(2, 2)

        def construct(self, x):
            raise KeyError(str(self.fc(x).dtype))

    net = ms.amp.auto_mixed_precision(Fails(), level)
    x = ms.Tensor([[1.0, 2.0]])
    for _ in range(2):
        with pytest.raises(KeyError):
            net(x)
        assert current() is None
        assert (x * 2).dtype == ms.float32


@pytest.mark.parametrize("level", LEVELS)
def test_losses_compute_in_float32(level):
    net = nn.WithLossCell(nn.Dense(1, 1, "ones", "zeros"), nn.MSELoss())
    loss = ms.amp.auto_mixed_precision(net, level)(ms.Tensor([[300.0]]), ms.Tensor([[0.0]]))
    assert loss.dtype == ms.float32
    assert float(loss.asnumpy()) == 90000.0  # beyond float16


def test_level_auto_goes_by_operator():
    class Ops(nn.Cell):
        def construct(self, x):
            return x @ x.T, ops.softmax(x), ops.exp(x), x.sum(), x + 1, ops.relu(x)

    net = ms.amp.auto_mixed_precision(Ops(), "auto")
    full = [out.dtype for out in net(ms.Tensor([[1.0, 2.0]]))]
    assert full == [ms.float16] + [ms.float32] * 5
    half = [out.dtype for out in net(ms.Tensor([[1.0, 2.0]], ms.float16))]
    assert half == [ms.float16] + [ms.float32] * 3 + [ms.float16] * 2


def test_custom_lists():
    seen = {}

    def net():
        return nn.SequentialCell(nn.Dense(2, 2), Tap(seen, "dense"), nn.ReLU(), Tap(seen, "relu"))

    x = ms.Tensor([[1.0, 2.0]])
    rough = ms.Tensor([[1.0 + 2**-12, 2.0]])  # not a float16
    white = ms.amp.custom_mixed_precision(net(), white_list=[nn.Dense])
    assert white(x).dtype == ms.float32
    assert seen == {"dense": ms.float32, "relu": ms.float32}
    dense = nn.Dense(2, 1, [[1.0, 0.0]] and ms.Tensor([[1.0, 0.0]]), has_bias=False)
    narrow = ms.amp.custom_mixed_precision(dense, white_list=[nn.Dense])
    assert float(narrow(rough).asnumpy()[0, 0]) == 1.0
    relu = ms.amp.custom_mixed_precision(nn.ReLU(), white_list=[ops.ReLU])
    assert float(relu(rough).asnumpy()[0, 0]) == 1.0
    black = ms.amp.custom_mixed_precision(net(), black_list=[nn.Dense], dtype=ms.bfloat16)
    assert black(x).dtype == ms.float32
    assert seen == {"dense": ms.bfloat16, "relu": ms.bfloat16}


def test_primitives_of_the_white_list_that_cells_hold():
    class Holder(nn.Cell):
        def __init__(self):
            super().__init__()
            self.matmul = ops.MatMul(transpose_b=True)

        def construct(self, x):
            return self.matmul(x, x)

    net = ms.amp.auto_mixed_precision(Holder(), "O1")
    out = net(ms.Tensor([[1.0 + 2**-12, 0.0]]))
    assert out.dtype == ms.float32
    assert float(out.asnumpy()[0, 0]) == 1.0
    assert repr(net.matmul).startswith("Prim[MatMul]")
    copied = copy.deepcopy(net)
    assert float(copied(ms.Tensor([[2.0, 0.0]])).asnumpy()[0, 0]) == 4.0


def test_lists_are_copies():
    white, black = ms.amp.get_white_list(), ms.amp.get_black_list()
    assert nn.Dense in white
    assert nn.LayerNorm in black
    white.clear()
    black.clear()
    assert ms.amp.get_white_list()
    assert ms.amp.get_black_list()


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        ("amp.auto_mixed_precision(n, 'O4')", ValueError, "The amp level O4 is not supported"),
        ("amp.auto_mixed_precision(n, 'o2')", ValueError, "o2"),
        ("amp.auto_mixed_precision(5, 'O2')", TypeError, "must be a Cell, but got 5"),
        ("amp.auto_mixed_precision(n, 'O2', ms.int32)", ValueError, "'dtype'"),
        ("amp.custom_mixed_precision(n)", ValueError, "none of them"),
        ("amp.custom_mixed_precision(n, white_list=[], black_list=[])", ValueError, "both"),
        ("amp.custom_mixed_precision(n, white_list=[5])", TypeError, "'white_list'.*5"),
        ("amp.custom_mixed_precision(n, black_list=5)", TypeError, "'black_list'"),
        ("amp.build_train_network(5, o)", TypeError, "network"),
        ("amp.build_train_network(n, 5)", TypeError, "'optimizer'"),
        ("amp.build_train_network(n, o, level='O9')", ValueError, "O9"),
        ("amp.build_train_network(n, o, boost_level='O9')", ValueError, "boost_level"),
        ("amp.build_train_network(n, o, foo=1)", TypeError, "foo"),
        ("amp.build_train_network(n, o, loss_scale_manager=5)", TypeError, "LossScaleManager"),
        ("amp.all_finite(ms.Tensor([1.0]))", TypeError, "tuple or list"),
        ("amp.StaticLossScaler(0)", ValueError, "scale_value"),
        ("amp.StaticLossScaler('a')", TypeError, "scale_value"),
        ("amp.DynamicLossScaler(2, 0, 2)", ValueError, "scale_factor"),
        ("amp.DynamicLossScaler(2, 2, 1.5)", TypeError, "scale_window"),
        ("amp.FixedLossScaleManager(0.5)", ValueError, "loss_scale"),
        ("amp.DynamicLossScaleManager(16, 0)", ValueError, "scale_factor"),
        ("amp.LossScaler().adjust(True)", NotImplementedError, "adjust"),
        ("amp.LossScaleManager().get_loss_scale()", NotImplementedError, "get_loss_scale"),
    ],
)
def test_errors(call, kind, words):
    net = nn.Dense(2, 2)
    names = {"amp": ms.amp, "ms": ms, "n": net, "o": nn.SGD(net.trainable_params())}
    with pytest.raises(kind, match=words):
        eval(call, names)


# ----------------------------------------------------------------------------------- train steps


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dtype", NARROW)
def test_built_steps_train(level, dtype):
    net = nn.Dense(2, 1, "ones", "zeros")
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = ms.amp.build_train_network(
        net, opt, nn.MSELoss(), level=level, loss_scale_manager=None, cast_model_type=dtype
    )
    assert step.training
    assert isinstance(step, nn.TrainOneStepCell)
    loss = step(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))
    assert loss.dtype == ms.float32
    assert float(loss.asnumpy()) == 9.0
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.4, -0.2]], atol=1e-2)


def test_level_two_scales_by_itself():
    net = nn.Dense(2, 1, "ones", "zeros")
    opt = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = ms.amp.build_train_network(net, opt, nn.MSELoss(), level="O2")
    assert isinstance(step, nn.TrainOneStepWithLossScaleCell)
    assert float(step.scale_sense.asnumpy()) == 2.0**24
    data = ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]])
    overflows = [bool(step(*data)[1]) for _ in range(20)]
    assert overflows[0]  # 2**24 times a gradient of 12 is beyond float16
    assert not overflows[-1]
    assert np.isfinite(net.weight.asnumpy()).all()
    assert not np.array_equal(net.weight.asnumpy(), [[1.0, 1.0]])


def test_options_of_built_steps():
    def built(**options):
        net = nn.SequentialCell(nn.Dense(2, 2), nn.LayerNorm((2,)))
        opt = nn.SGD(net.trainable_params())
        return repr(ms.amp.build_train_network(net, opt, nn.MSELoss(), **options))

    assert "_OutputTo16" in built(level="O2")
    assert "_OutputTo16" not in built(level="O2", keep_batchnorm_fp32=False)
    assert "_OutputTo16" in built(level="O3", keep_batchnorm_fp32=True)
    assert "_OutputTo32" not in built(level="O2", cast_model_type=ms.float32)
    fixed = train.FixedLossScaleManager(128.0, False)
    net = nn.Dense(2, 1, "ones", "zeros")
    opt = nn.SGD(net.trainable_params(), 0.1, loss_scale=128.0)
    step = ms.amp.build_train_network(net, opt, nn.MSELoss(), loss_scale_manager=fixed)
    step(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.4, -0.2]], rtol=1e-5)


def test_a_network_that_has_a_level_gets_no_second_one():
    net = ms.amp.auto_mixed_precision(nn.Dense(2, 1), "O2")
    opt = nn.SGD(net.trainable_params())
    step = ms.amp.build_train_network(net, opt, nn.MSELoss(), level="O2")
    assert repr(step).count("_OutputTo32") == 1


# ------------------------------------------------------------------------------------ loss scales


def test_scalers_by_hand():
    net = nn.Dense(2, 1, "ones", "zeros")
    scaler = ms.amp.DynamicLossScaler(1024, 2, 2)

    def forward(x, y):
        loss = nn.MSELoss()(net(x), y)
        return scaler.scale(loss), loss

    take = ms.value_and_grad(forward, None, net.trainable_params(), has_aux=True)
    (_, loss), grads = take(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))
    grads = scaler.unscale(grads)
    assert float(loss.asnumpy()) == 9.0
    np.testing.assert_allclose(grads[0].asnumpy(), [[6.0, 12.0]])
    assert bool(ms.amp.all_finite(grads))
    nested = scaler.scale({"a": (ms.Tensor([1.0], ms.float16), [ms.Tensor([2.0])])})
    assert nested["a"][0].dtype == ms.float16
    assert float(nested["a"][1][0].asnumpy()[0]) == 2048.0
    assert scaler.adjust(True) is True
    assert ms.amp.StaticLossScaler(8).adjust(True) is False


def test_all_finite_looks_at_every_kind():
    good = [ms.Tensor([1.0], d) for d in (ms.float16, ms.bfloat16, ms.float32, ms.float64)]
    good += [ms.Tensor([1, 2]), ms.Tensor(np.zeros((0, 2), np.float32))]
    assert bool(ms.amp.all_finite(good))
    assert bool(ms.amp.all_finite([]))
    for bad in (float("inf"), -float("inf"), float("nan")):
        for d in (ms.float16, ms.bfloat16, ms.float32, ms.float64):
            assert not bool(ms.amp.all_finite([*good, ms.Tensor([1.0, bad], d)]))


def test_managers_give_up_when_every_step_overflows():
    manager = train.DynamicLossScaleManager(4, 2, 2)
    for _ in range(1000):
        manager.update_loss_scale(True)
    assert manager.get_loss_scale() == 1
    with pytest.raises(RuntimeError, match="1000 steps in a row"):
        manager.update_loss_scale(True)
