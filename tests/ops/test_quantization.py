"""Simulated quantization and the operators of THOR, against formulas in numpy."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import agar as ms
from agar import Parameter, Tensor, nn, ops

P = ops.operations
rng = np.random.RandomState(7)
X = rng.uniform(-2, 2, (4, 3))
DOUT = rng.uniform(-1, 1, (4, 3))
LOW, HIGH = np.array([-1.0, -0.3, 0.0]), np.array([1.5, 0.8, 1.0])


def t(value, dtype=ms.float64) -> Tensor:
    return Tensor(np.asarray(value), dtype)


def same(got, expected, **tolerance) -> None:
    np.testing.assert_allclose(
        got.asnumpy(), expected, **{"rtol": 1e-12, "atol": 1e-14, **tolerance}
    )


def ends(low, high, bits=8, narrow=False, symmetric=False):
    if symmetric:
        high = np.maximum(-low, high)
        low = -high
    first, last = int(narrow), 2**bits - 1
    step = (high - low) / (last - first)
    zero = np.floor(np.clip(first - low / step, first, last) + 0.5)
    return (first - zero) * step, (last - zero) * step, step


def rounded(x, low, high, step):
    return np.floor((np.clip(x, low, high) - low) / step + 0.5) * step + low


# ------------------------------------------------------------------------------ intervals


@pytest.mark.parametrize("bits", [4, 7, 8])
@pytest.mark.parametrize(("narrow", "symmetric"), [(False, False), (True, False), (False, True)])
def test_rounding_of_a_layer_and_of_channels(bits, narrow, symmetric):
    options = {"num_bits": bits, "narrow_range": narrow, "symmetric": symmetric}
    low, high = np.array([-1.0]), np.array([1.5])
    whole = ends(low, high, bits, narrow, symmetric)
    same(P.FakeQuantPerLayer(**options)(t(X), t(low), t(high)), rounded(X, *whole))
    inside = (whole[0] <= X) & (whole[1] >= X)
    same(P.FakeQuantPerLayerGrad(**options)(t(DOUT), t(X), t(low), t(high)), DOUT * inside)
    each = ends(LOW, HIGH, bits, narrow, symmetric)
    quant = P.FakeQuantPerChannel(**options)
    same(quant(t(X), t(LOW), t(HIGH)), rounded(X, *each))
    inside = (each[0] <= X) & (each[1] >= X)
    same(P.FakeQuantPerChannelGrad(**options)(t(DOUT), t(X), t(LOW), t(HIGH)), DOUT * inside)
    rows = P.FakeQuantPerChannel(**options, channel_axis=0)
    same(rows(t(X.T), t(LOW), t(HIGH)), rounded(X, *each).T)


def test_zero_is_always_a_code():
    for low, high in ((-0.37, 1.91), (0.2, 1.0), (-3.0, -1.0)):
        got = P.FakeQuantPerLayer()(t([0.0]), t([low]), t([high]))
        assert float(got[0]) == 0.0
    assert P.FakeQuantWithMinMaxVars()(t([5.0]), t([0.0]), t([0.0])).asnumpy().tolist() == [0.0]


def test_few_bits_leave_few_values():
    got = P.FakeQuantWithMinMaxVars(num_bits=2)(t(rng.randn(500)), t([-1.0]), t([1.0]))
    assert len(np.unique(got.asnumpy())) == 4
    got = P.FakeQuantWithMinMaxVars(num_bits=2, narrow_range=True)(t(X), t([-1.0]), t([1.0]))
    assert set(np.unique(got.asnumpy())) <= {-1.0, 0.0, 1.0}


@pytest.mark.parametrize("channels", [False, True])
def test_min_max_vars_and_their_gradients(channels):
    name = "FakeQuantWithMinMaxVarsPerChannel" if channels else "FakeQuantWithMinMaxVars"
    low, high = (LOW, HIGH) if channels else (np.array([-1.0]), np.array([1.5]))
    bounds = ends(low, high, 5)
    same(getattr(P, name)(num_bits=5)(t(X), t(low), t(high)), rounded(X, *bounds))
    dx, dlow, dhigh = getattr(P, f"{name}Gradient")(num_bits=5)(t(DOUT), t(X), t(low), t(high))
    below, above = bounds[0] > X, bounds[1] < X
    assert below.any()
    assert above.any()
    axis = 0 if channels else None
    same(dx, DOUT * ~(below | above))
    same(dlow, np.atleast_1d((DOUT * below).sum(axis)))
    same(dhigh, np.atleast_1d((DOUT * above).sum(axis)))


@pytest.mark.parametrize(
    ("quant", "interval"),
    [
        (P.FakeQuantPerLayer(num_bits=4), ([-1.0], [1.5])),
        (P.FakeQuantPerChannel(num_bits=4), (LOW, HIGH)),
        (P.FakeQuantWithMinMaxVars(num_bits=4), ([-1.0], [1.5])),
        (P.FakeQuantWithMinMaxVarsPerChannel(num_bits=4), (LOW, HIGH)),
    ],
    ids=lambda v: getattr(v, "name", ""),
)
def test_gradients_pass_within_the_interval(quant, interval):
    low, high = (t(v) for v in interval)
    dx, dlow = ms.grad(lambda x, a: (quant(x, a, high) * t(DOUT)).sum(), (0, 1))(t(X), low)
    first, last, _ = ends(*(np.asarray(v) for v in interval), 4)
    same(dx, DOUT * ((first <= X) & (last >= X)))
    assert not dlow.asnumpy().any()


def test_delay_counts_the_calls_of_each_object():
    x, low, high = t(X), t([-1.0]), t([1.5])
    expected = rounded(X, *ends(-1.0, 1.5, 4))
    first, second = P.FakeQuantPerLayer(num_bits=4, quant_delay=2), None
    for call in range(4):
        same(first(x, low, high), X if call < 2 else expected)
        if call == 0:
            second = copy.deepcopy(first)
    same(second(x, low, high), X)
    same(second(x, low, high), expected)
    same(P.FakeQuantPerLayer(num_bits=4, quant_delay=9, training=False)(x, low, high), expected)
    grad = P.FakeQuantPerLayerGrad(quant_delay=1)
    same(grad(t(DOUT), x, low, high), DOUT)
    assert not np.allclose(grad(t(DOUT), x, low, high).asnumpy(), DOUT)


def test_ranges_of_data():
    update = P.MinMaxUpdatePerLayer()
    low, high = update(t(X), t([-9.0]), t([9.0]))
    same(low, [min(X.min(), 0)])
    same(high, [max(X.max(), 0)])
    low, high = update(t([1.0, 2.0]), t([-9.0]), t([9.0]))
    assert (low.asnumpy().tolist(), high.asnumpy().tolist()) == ([0.0], [2.0])
    low, high = P.MinMaxUpdatePerChannel(ema=True, ema_decay=0.25)(t(X), t(LOW), t(HIGH))
    same(low, np.minimum(0.25 * LOW + 0.75 * X.min(0), 0))
    same(high, np.maximum(0.25 * HIGH + 0.75 * X.max(0), 0))
    low, _ = P.MinMaxUpdatePerChannel(channel_axis=0)(t(X.T), t(LOW), t(HIGH))
    same(low, np.minimum(X.min(0), 0))


# -------------------------------------------------------------------- learned quantization


def learned(x, alpha, codes, least):
    ratio = x / alpha
    share = np.floor(np.clip(ratio, least, 1) * codes + 0.5) / codes
    inside = (ratio >= least) & (ratio <= 1)
    return share * alpha, inside, np.where(inside, share - ratio, np.sign(ratio))


@pytest.mark.parametrize("truncate", [False, True])
@pytest.mark.parametrize("channels", [False, True])
def test_learned_scales(channels, truncate):
    name = "FakeLearnedScaleQuantPer" + ("Channel" if channels else "Layer")
    alpha = np.array([0.7, 1.3, 0.4]) if channels else np.array([0.9])
    value, inside, slope = learned(X, alpha, 7.0, 0.0 if truncate else -1.0)
    quant = getattr(P, name)(neg_trunc=truncate)
    same(quant(t(X), t(alpha), t([7.0])), value)
    dalpha = np.atleast_1d((DOUT * slope).sum(0 if channels else None))
    for dx, da in (
        getattr(P, f"{name}Grad")(neg_trunc=truncate)(t(DOUT), t(X), t(alpha), t([7.0])),
        ms.grad(lambda x, a: (quant(x, a, t([7.0])) * t(DOUT)).sum(), (0, 1))(t(X), t(alpha)),
    ):
        same(dx, DOUT * inside)
        same(da, dalpha)


def test_a_scale_of_zero_counts_as_tiny():
    got = P.FakeLearnedScaleQuantPerLayer()(t([1.0, -1.0]), t([0.0]), t([7.0]))
    same(got, [1e-6, -1e-6])


@pytest.mark.parametrize("fixed", [False, True])
def test_universal_quantisation_of_activations(fixed):
    least, most = (0.0 if fixed else -0.73), 1.21
    quant = P.ActsULQ(fixed_min=fixed)
    y, above, below, loss = quant(t(X), t([[-0.73]]), t([[most]]))
    step = (most - least) / 255
    offset = np.round(least / step)
    low, high = offset * step, (offset + 255) * step
    same(y, np.round(np.clip(X, low, high) / step) * step)
    assert above.asnumpy().tolist() == (low <= X).tolist()
    assert below.asnumpy().tolist() == (high >= X).tolist()
    ratio = np.clip(X, least, most) / step
    same(loss, (np.round(ratio) - ratio) / 255, atol=1e-12)
    inside = (low <= X) & (high >= X)
    same(P.ActsULQInputGrad()(t(DOUT), above, below), DOUT * inside)
    dmin = P.ActULQClampMinGrad()(t(DOUT), above, loss)
    dmax = P.ActULQClampMaxGrad()(t(DOUT), below, loss)
    assert dmin.dtype == dmax.dtype == ms.float32
    assert dmin.shape == (1, 1)
    same(dmin, [[(DOUT * ((low > X) - loss.asnumpy())).sum()]], rtol=1e-6)
    same(dmax, [[(DOUT * ((high < X) + loss.asnumpy())).sum()]], rtol=1e-6)
    dx, da, db = ms.grad(lambda x, a, b: (quant(x, a, b)[0] * t(DOUT)).sum(), (0, 1, 2))(
        t(X), t([[-0.73]]), t([[most]])
    )
    same(dx, DOUT * inside)
    same(da, dmin.asnumpy(), rtol=1e-6)
    same(db, dmax.asnumpy(), rtol=1e-6)


def test_gradient_of_the_ends_is_that_of_rounding_taken_as_identity():
    # y = s * (r + constant) with s = (b - a) / 255 and r = x / s, where x is inside: dy/db is what
    # rounding added, divided by 255; beyond the upper end y is b up to what rounding the end adds
    quant = P.ActsULQ()
    low, high = t([-1.0]), t([1.0])
    for x, name in ((0.3, 1), (5.0, 1), (-5.0, 0)):
        got = ms.grad(lambda a, b, x=x: quant(t([x]), a, b)[0].sum(), (0, 1))(low, high)[name]
        step = 2 / 255
        clipped = np.clip(x, -1, 1)
        rest = (np.round(clipped / step) - clipped / step) / 255
        expected = rest if abs(x) < 1 else (1 + rest if name else 1 - rest)
        same(got, [expected], rtol=1e-9)


@pytest.mark.parametrize("offset", [False, True])
def test_adaptive_ranges_of_weights(offset):
    low, high = X.min(0, keepdims=True), X.max(0, keepdims=True)
    quant = P.WtsARQ(num_bits=8, offset_flag=offset)
    least, most = np.minimum(low, 0), np.maximum(high, 0)
    if offset:
        step = (most - least) / 255
        shift = -128 - np.round(least / step)
    else:
        step, shift = np.maximum(most / 127, -least / 128), 0
    codes = np.clip(np.round(X / step) + shift, -128, 127)
    same(quant(t(X), t(low), t(high)), (codes - shift) * step)
    dw = ms.grad(lambda w: (quant(w, t(low), t(high)) * t(DOUT)).sum())(t(X))
    same(dw, DOUT)


# ------------------------------------------------------- normalization folded into weights

IMAGE = rng.uniform(-2, 2, (2, 3, 2, 2))
AXES = (0, 2, 3)
STD, RUN_STD = np.array([0.5, 1.5, 2.0]), np.array([0.7, 1.1, 1.9])
MEAN, RUN_MEAN = np.array([0.1, -0.2, 0.3]), np.array([-0.4, 0.5, 0.6])
GAMMA, BETA = np.array([1.2, 0.8, -0.5]), np.array([0.2, -0.1, 0.4])


def c(v):
    return v[:, None, None]


def test_folded_statistics_and_their_gradient():
    mean, variance = (
        Parameter(t(v), name=n) for n, v in (("mean", RUN_MEAN), ("variance", RUN_STD))
    )
    fold = P.BatchNormFold(momentum=0.9, epsilon=1e-3, freeze_bn=5)
    step = Tensor([4], ms.int32)
    got = fold(t(IMAGE), mean, variance, step)
    batch = IMAGE.mean(AXES), np.sqrt(IMAGE.var(AXES) + 1e-3)
    same(got[0], batch[0])
    same(got[1], batch[1])
    same(got[2], RUN_MEAN)
    same(got[3], np.sqrt(RUN_STD + 1e-3))
    same(mean, 0.9 * RUN_MEAN + 0.1 * batch[0])
    same(variance, 0.9 * RUN_STD + 0.1 * IMAGE.var(AXES, ddof=1))
    array = mean.asnumpy()
    late = fold(t(IMAGE), mean, variance, Tensor([5], ms.int32))
    assert late[0].asnumpy().tolist() == [0, 0, 0]
    assert late[1].asnumpy().tolist() == [1, 1, 1]
    same(mean, array)
    d_mean, d_std = np.array([1.0, 2.0, 3.0]), np.array([-1.0, 0.5, 2.0])

    def loss(x):
        result = fold(x, mean, variance, step)
        return (result[0] * t(d_mean)).sum() + (result[1] * t(d_std)).sum()

    expected = (c(d_mean) + c(d_std) * (IMAGE - c(batch[0])) / c(batch[1])) / 8
    same(ms.grad(loss)(t(IMAGE)), expected)
    backward = P.BatchNormFoldGrad(epsilon=1e-3, freeze_bn=5)
    arrays = (d_mean, d_std, IMAGE, *batch)
    same(backward(*(t(v) for v in arrays), step), expected)
    assert not backward(*(t(v) for v in arrays), Tensor([5], ms.int32)).asnumpy().any()


@pytest.mark.parametrize("frozen", [False, True])
def test_second_fold_and_its_gradients(frozen):
    step = Tensor([5 if frozen else 0], ms.int32)
    fold = P.BatchNormFold2(freeze_bn=5)
    if frozen:
        expected = IMAGE + c(BETA - GAMMA * RUN_MEAN / RUN_STD)
    else:
        expected = IMAGE * c(RUN_STD / STD) + c(BETA - GAMMA * MEAN / STD)
    arrays = [t(v) for v in (IMAGE, BETA, GAMMA, STD, MEAN, RUN_STD, RUN_MEAN)]
    same(fold(*arrays, step), expected)
    dout = rng.uniform(-1, 1, IMAGE.shape)
    by_autodiff = ms.grad(lambda *a: (fold(*a, step) * t(dout)).sum(), (0, 1, 2, 3, 4, 5))(*arrays)
    backward = P.BatchNormFold2Grad(freeze_bn=5)
    d_std, d_mean, d_beta, d_gamma, dx = backward(t(dout), arrays[0], *arrays[2:], step)
    for a, b in zip(by_autodiff, (dx, d_beta, d_gamma, d_std, d_mean), strict=False):
        same(a, b.asnumpy())
    assert not by_autodiff[5].asnumpy().any()


def test_corrected_weights_and_their_gradients():
    scale = P.CorrectionMul()
    w = IMAGE.transpose(1, 0, 2, 3)
    k = (..., *(None,) * 3)
    same(scale(t(w), t(STD), t(RUN_STD)), w * (STD / RUN_STD)[k])
    dout = rng.uniform(-1, 1, w.shape)
    dx, dstd = P.CorrectionMulGrad()(t(dout), t(w), t(STD), t(RUN_STD))
    same(dx, dout * (STD / RUN_STD)[k])
    same(dstd, (dout * w / RUN_STD[k]).sum((1, 2, 3)))
    got = ms.grad(lambda w, s: (scale(w, s, t(RUN_STD)) * t(dout)).sum(), (0, 1))(t(w), t(STD))
    same(got[0], dx.asnumpy())
    same(got[1], dstd.asnumpy())
    same(P.CorrectionMulGradReduce(1)(t(IMAGE)), IMAGE.sum(AXES))


def test_parts_make_the_whole():
    alpha = np.array([0.7, 1.3, 0.4])
    whole = P.FakeLearnedScaleQuantPerChannelGrad()(t(DOUT), t(X), t(alpha), t([7.0]))
    dx, each = P.FakeLearnedScaleQuantPerChannelGradD()(t(DOUT), t(X), t(alpha), t([7.0]))
    same(dx, whole[0].asnumpy())
    same(P.FakeLearnedScaleQuantPerChannelGradDReduce()(each), whole[1].asnumpy())
    whole = P.FakeLearnedScaleQuantPerLayerGrad()(t(DOUT), t(X), t([0.9]), t([7.0]))
    dx, each = P.FakeLearnedScaleQuantPerLayerGradD()(t(DOUT), t(X), t([0.9]), t([7.0]))
    same(dx, whole[0].asnumpy())
    same(P.FakeLearnedScaleQuantPerLayerGradDReduce()(each), whole[1].asnumpy())

    step, x = Tensor([0], ms.int32), t(IMAGE)
    mean, variance = (Parameter(t(v), name=n) for n, v in (("m", RUN_MEAN), ("v", RUN_STD)))
    parts = P.BatchNormFoldD()(x, t(IMAGE.sum(AXES)), t((IMAGE**2).sum(AXES)), mean, variance)
    whole = P.BatchNormFold(freeze_bn=9)(x, mean, variance, step)
    for got, expected in zip(parts, (x, *whole, mean, variance), strict=True):
        same(got, expected.asnumpy(), rtol=1e-10)
    arrays = [t(v) for v in (MEAN, STD, IMAGE, MEAN, STD)]
    expected = P.BatchNormFoldGrad(freeze_bn=9)(*arrays, step)
    same(P.BatchNormFoldGradD()(*arrays), expected.asnumpy())
    arrays = [t(v) for v in (IMAGE, BETA, GAMMA, STD, MEAN, RUN_STD, RUN_MEAN)]
    expected = P.BatchNormFold2(freeze_bn=9)(*arrays, step)
    same(P.BatchNormFold2D()(*arrays[:6]), expected.asnumpy())
    dout = t(rng.uniform(-1, 1, IMAGE.shape))
    sums = P.BatchNormFold2GradReduce()(dout, x)
    got = P.BatchNormFold2GradD()(dout, *sums, *arrays[2:6])
    d_std, d_mean, d_beta, d_gamma, dx = P.BatchNormFold2Grad(freeze_bn=9)(
        dout, x, *arrays[2:], step
    )
    for a, b in zip((*got, sums[0]), (d_std, d_mean, d_gamma, dx, d_beta), strict=True):
        same(a, b.asnumpy())


def test_instance_statistics_are_updated():
    gamma, beta, mean, variance = (
        Parameter(t(v), name=n)
        for n, v in (("g", GAMMA), ("b", BETA), ("m", RUN_MEAN), ("v", RUN_STD))
    )
    out, means, variances = P.InstanceNorm(epsilon=1e-3, momentum=0.3)(
        t(IMAGE), gamma, beta, mean, variance
    )
    center, spread = IMAGE.mean((2, 3)), IMAGE.var((2, 3))
    k = (..., None, None)
    same(out, (IMAGE - center[k]) / np.sqrt(spread + 1e-3)[k] * c(GAMMA) + c(BETA))
    new = 0.3 * RUN_MEAN + 0.7 * center, 0.3 * RUN_STD + 0.7 * IMAGE.var((2, 3), ddof=1)
    same(means, new[0].ravel())
    same(variances, new[1].ravel())
    same(mean, new[0].mean(0))
    same(variance, new[1].mean(0))


# ------------------------------------------------------------------------ a note, and modes


def test_the_note_of_quantisation_passes_tensors_on():
    note = P.FakeQuantParam.linear_quant_param("INT8", (0.5, 0.25), [1, 2], True, bits=8)
    x = t(X)
    assert note(x) is x
    assert note.attrs["linear_quant_scale"] == (0.5, 0.25)
    assert note.attrs["linear_quant_zero_point"] == [1, 2]
    assert (note.attrs["bits"], note.attrs["quant_algo_name"]) == (8, "linear_quant_algo")
    with pytest.raises(TypeError, match="scale"):
        P.FakeQuantParam.linear_quant_param("INT8", 1, 1)
    with pytest.raises(TypeError, match="is_per_channel"):
        P.FakeQuantParam("INT8", "other", 1)


def test_what_only_ascend_can_do_says_what_to_use():
    with pytest.raises(NotImplementedError, match="MinMaxUpdatePerLayer"):
        P.IFMR()


@pytest.mark.parametrize(
    "path", ["_quant_ops", "_thor_ops", "inner_ops", "nn_ops", "_embedding_cache_ops"]
)
def test_the_paths_of_mindspore(path):
    from importlib import import_module

    module = import_module(f"agar.ops.operations.{path}")
    name = {
        "_quant_ops": "FakeQuantPerLayer",
        "_thor_ops": "CusMatMulCube",
        "inner_ops": "FusedAdaFactor",
        "nn_ops": "ApplyMomentum",
        "_embedding_cache_ops": "PadAndShift",
    }[path]
    assert getattr(module, name) is getattr(P, name)


class Quantized(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.quant = P.FakeLearnedScaleQuantPerChannel()
        self.layer = P.FakeQuantPerLayer(quant_delay=2)
        self.alpha = Parameter(Tensor([0.5, 0.7, 0.2], ms.float32), name="alpha")
        self.fold = P.BatchNormFold(freeze_bn=9)
        self.mean = Parameter(ops.zeros(3), name="mean", requires_grad=False)
        self.variance = Parameter(ops.ones(3), name="variance", requires_grad=False)

    def construct(self, x: Tensor, step: Tensor) -> Tensor:
        y = self.quant(x, self.alpha, Tensor([7.0]))
        y = self.layer(y, Tensor([-0.3]), Tensor([0.4]))
        mean, std, _, _ = self.fold(y, self.mean, self.variance, step)
        return ((y - mean) / std * x).sum()


def test_graph_mode_agrees():
    entries = {}
    x, step = Tensor(X, ms.float32), Tensor([0], ms.int32)
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            net = Quantized()
            grad = ms.grad(net, 0, net.trainable_params())
            entries[mode] = [
                (float(net(x, step)), *(g.asnumpy() for g in _flat(grad(x, step))))
                for _ in range(3)
            ] + [(net.mean.asnumpy(), net.variance.asnumpy())]
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)
    for a, b in zip(entries[ms.PYNATIVE_MODE], entries[ms.GRAPH_MODE], strict=True):
        for u, v in zip(a, b, strict=True):
            np.testing.assert_allclose(u, v, rtol=1e-6, atol=1e-6)


def _flat(value):
    return [value] if isinstance(value, Tensor) else [x for v in value for x in _flat(v)]


# --------------------------------------------------------------------------------- of THOR


def fractal(matrix, block=16):
    m, n = (size // block for size in matrix.shape)
    return matrix.reshape(m, block, n, block).transpose(2, 0, 1, 3)


def test_products_with_fractal_matrices():
    a, b = rng.randn(32, 48), rng.randn(48, 5)
    got = P.CusMatMulCubeDenseLeft()(t(fractal(a), ms.float32), t(b, ms.float32))
    assert got.dtype == ms.float16
    same(got, a @ b, rtol=2e-3, atol=2e-2)
    got = P.CusMatMulCubeFraczLeftCast()(t(fractal(a)), t(b.reshape(48, 5, 1, 1)))
    assert got.shape == (32, 5, 1, 1)
    same(got.reshape(32, 5), a @ b, rtol=2e-3, atol=2e-2)
    left = rng.randn(4, 32)
    same(P.CusMatMulCubeDenseRight()(t(left), t(fractal(a)), t([2.5])), left @ a * 2.5)
    square = rng.randn(32, 32)
    weight = left.reshape(4, 8, 2, 2)
    got = P.CusMatMulCubeFraczRightMul()(t(weight), t(fractal(square)), t([0.5]))
    same(got, (left @ square * 0.5).reshape(4, 8, 2, 2))
    half = P.CusMatMulCube(transpose_a=True)(t(b, ms.float16), t(b, ms.float16))
    assert half.dtype == ms.float32
    same(half, b.astype(np.float16).astype(float).T @ b.astype(np.float16).astype(float), rtol=1e-5)


def test_block_products():
    a, b = rng.randn(3, 4, 4), rng.randn(3, 4, 4)
    same(P.CusBatchMatMul()(t(a), t(b)), a @ b.transpose(0, 2, 1))
    g = rng.randn(6, 8)
    left, right = rng.randn(2, 3, 3), rng.randn(2, 3, 3, 3)
    got = P.UpdateThorGradient(split_dim=3)(t(left), t(g), t(right))
    whole = np.zeros((6, 9))
    whole[:, :8] = g
    for i in range(2):
        for j in range(3):
            part = (slice(3 * i, 3 * i + 3), slice(3 * j, 3 * j + 3))
            expected = left[i] @ whole[part] @ right[i, j]
            same(got[part], expected[:, : g.shape[1] - 3 * j])


def test_inverse_factors_of_diagonal_blocks():
    root = rng.randn(256, 300)
    matrix = root @ root.T / 300
    got = P.CusCholeskyTrsm()(t(matrix))
    assert got.shape == (2, 128, 128)
    for i in range(2):
        block = matrix[128 * i :][:128, 128 * i :][:, :128]
        u = got[i].asnumpy()
        same(Tensor(np.tril(u, -1)), 0.0)
        same(Tensor(u @ u.T @ block), np.eye(128), atol=1e-9)
    product = P.CusBatchMatMul()(got, got)
    combined = P.CusMatrixCombine()(product).asnumpy()
    assert not combined[:128, 128:].any()
    same(Tensor(combined[128:, 128:]), np.linalg.inv(matrix[128:, 128:]), rtol=1e-6)
    assert np.isnan(P.CusCholeskyTrsm()(t(np.ones((2, 2)))).asnumpy()).all()


def test_inverse_factors_of_blocks_of_any_size():
    root = rng.randn(5, 9)
    matrix = root @ root.T
    u = P.CholeskyTrsm()(t(matrix))
    same(Tensor(u.asnumpy() @ u.asnumpy().T @ matrix), np.eye(5), atol=1e-9)
    same(P.CholeskyTrsm(lower=True)(t(matrix)), u.asnumpy().T)
    blocks = P.CholeskyTrsm(split_dim=2)(t(matrix))
    assert blocks.shape == (3, 2, 2)
    for i in range(2):
        part = P.CholeskyTrsm()(t(matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2]))
        same(blocks[i], part.asnumpy())
    same(blocks[2], [[1 / np.sqrt(matrix[4, 4]), 0], [0, 1]])
    assert P.CholeskyTrsm(split_dim=8)(t(matrix)).shape == (1, 5, 5)


def test_largest_absolute_value_in_two_stages():
    x = rng.randn(2, 128, 128)
    first = P.CusFusedAbsMax1()(t(x))
    same(first, np.repeat(abs(x).reshape(32, -1).max(1)[:, None], 64, 1))
    same(P.CusFusedAbsMax1()(first), [abs(x).max()])
    inside = P.CusFusedAbsMax1((147, 147))(t(x))
    expected = max(abs(x[0]).max(), abs(x[1, :19, :19]).max())
    same(P.CusFusedAbsMax1()(inside), [expected])


def test_determinants_of_triangles():
    m = rng.randn(2, 3, 3)
    lower, upper = np.tril(m), np.triu(m)
    same(P.DetTriangle()(t(lower)), np.linalg.det(lower))
    same(P.DetTriangle(1)(t(upper)), np.linalg.det(upper))


def patches(x, size, stride, before, count):
    """Patches one by one: (N, H', W', C, kh, kw)."""
    n, channels, height, width = x.shape
    result = np.zeros((n, *count, channels, *size))
    for i in range(count[0]):
        for j in range(count[1]):
            for a in range(size[0]):
                for b in range(size[1]):
                    y, z = i * stride - before[0] + a, j * stride - before[1] + b
                    if 0 <= y < height and 0 <= z < width:
                        result[:, i, j, :, a, b] = x[:, :, y, z]
    return result


@pytest.mark.parametrize("stride", [1, 2])
def test_patches_of_images(stride):
    x = rng.randn(2, 3, 6, 4)
    count = (6 // stride, 4 // stride)
    result = patches(x, (3, 3), stride, (1, 1), count)
    wide = np.zeros((*result.shape[:3], 16, 3, 3))
    wide[..., :3, :, :] = result
    expected = wide.transpose(0, 1, 2, 4, 5, 3).reshape(2 * count[0] * count[1], -1)
    same(P.CusImg2Col((1, 3, 3, 1), (1, stride, stride, 1))(t(x)), expected)
    needed = [max(0, (k - 1) * stride + 3 - s) // 2 for k, s in zip(count, (6, 4), strict=True)]
    result = patches(x, (3, 3), stride, needed, count)
    expected = result.transpose(0, 1, 2, 4, 5, 3).reshape(2, *count, -1)
    same(P.NewIm2Col((3, 3), strides=stride)(t(x)), expected)
    inner = P.NewIm2Col((3, 2), "VALID", stride)(t(x))
    count = -(-4 // stride), -(-3 // stride)
    expected = patches(x, (3, 2), stride, (0, 0), count).transpose(0, 1, 2, 4, 5, 3)
    same(inner, expected.reshape(2, *count, -1))


@pytest.mark.parametrize("mode", ["valid", "same", "pad"])
def test_patches_with_pixels_first(mode):
    x = rng.randn(2, 3, 6, 5)
    side = {"valid": 0, "same": 1, "pad": 2}[mode]
    count = 6 + 2 * side - 2, 5 + 2 * side - 2
    result = patches(x, (3, 3), 1, (side, side), count)
    im2col = ops.operations._thor_ops.ThorIm2Col(3, mode, 2 if mode == "pad" else 0)
    same(im2col(t(x)), result.transpose(3, 4, 5, 0, 1, 2))
    spread = ops.operations._thor_ops.ThorIm2Col((2, 2), dilation=(1, 1, 2, 2))(t(x)).asnumpy()
    np.testing.assert_array_equal(spread[:, 1, 0], x[:, :, 2:, :-2].transpose(1, 0, 2, 3))


@pytest.mark.parametrize("size", [4, 6])
def test_patches_in_blocks(size):
    x = rng.randn(4, 32, size, size)
    result = patches(x, (3, 3), 1, (1, 1), (size, size))
    rows = result.reshape(4, size * size, 2, 16, 3, 3).transpose(0, 1, 2, 4, 5, 3)
    rows = rows.reshape(4, size * size, -1)
    got = P.LoadIm2Col((3, 3), (1, 1))(t(x)).asnumpy()
    if size * size % 16:
        rows = rows.reshape(1, 4 * size * size, -1)
        got = got[None]
    back = got.transpose(0, 1, 3, 2, 4).reshape(rows.shape)
    np.testing.assert_array_equal(back, rows)


def test_axes_of_channels_last():
    x = rng.randn(2, 3, 4, 5, 2)
    same(P.CusTranspose02314()(t(x)), x.transpose(0, 2, 3, 1, 4))
    image = rng.randn(2, 32, 3, 4)
    same(P.CusTranspose02314()(t(image)), image.transpose(0, 2, 3, 1).reshape(-1, 32))
    assert not ms.grad(lambda x: P.CusTranspose02314()(x).sum())(t(image)).asnumpy().any()


def test_types_and_shifts():
    # as MindSpore 2.10 on CPU, for the second
    assert P.TypeAs()(t([1.7, -1.7]), Tensor([1], ms.int32)).asnumpy().tolist() == [1, -1]
    x = Tensor([9, 13, -1, -1, -1, -1, -1, -1], ms.int32)
    got = P.PadAndShift()(x, Tensor([0, 3, 5], ms.int32), 1)
    assert (got.asnumpy().tolist(), got.dtype) == ([-1, -1, -1, 9, 13], ms.int32)
