"""Classes whose construct is written with the parts of their base; the figures are MindSpore's."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import nn, ops
from agar.nn._parts import parts_of
from agar.nn.probability import bijector, distribution


class Average(nn.AvgPool1d):
    def construct(self, x):
        return self.squeeze(self.avg_pool(self.expand(x, 2)))


class Largest(nn.MaxPool2d):
    def construct(self, x):
        return self.max_pool(ops.expand_dims(x, 2))[0] if self.use_pad else self.max_pool(x)


class Gated(nn.GLU):
    def construct(self, x):
        first, second = self.spilt(x)
        return first * self.sigmoid(second)


class Gammas(nn.LGamma):
    def construct(self, x):
        z = x - self.one_half - self.one_half
        total = self.k_base_lanczos_coeff
        for i in range(8):
            total = total + self.k_lanczos_coefficients[i] / (z + i + 1)
        t = z + self.lanczos_gamma_plus_one_half
        log_t = self.log1p(z / self.lanczos_gamma_plus_one_half)
        log_t = log_t + self.log_lanczos_gamma_plus_one_half
        return self.log(total) + (z + self.one_half) * log_t - t + self.log_sqrt_two_pi


class Bell(distribution.Normal):
    def construct(self, x):
        unit = self.sq((self.checktensor(x, "x") - self._mean_value) / self._sd_value)
        return self.exp_base(unit * -0.5 + self.coff - self.log(self._sd_value))


class Smooth(bijector.Softplus):
    def construct(self, x):
        return self.inverse_softplus(x) + self.softplus(x)


class Entropy(nn.SoftmaxCrossEntropyWithLogits):
    def construct(self, logits, labels):
        rows = self.one_hot(self.cast(labels, ms.int32), 3, self.on_value, self.off_value)
        return self.reduce_mean(self.softmax_cross_entropy(logits, rows)[0])


class Rate(nn.PolynomialDecayLR):
    def construct(self, global_step):
        share = self.min(global_step, 4.0) / 4.0
        return self.diff_learning_rate * self.pow(1.0 - share, 2.0) + self.end_learning_rate


class Transposed(nn.Conv2dTranspose):
    def construct(self, x):
        out = self.conv2d_transpose(x, self.weight, (1, 1, 4 - self.padding_left, 4))
        return self.bias_add(out, self.bias) if self.is_same else out


class Huber(nn.SmoothL1Loss):
    def construct(self, logits, labels):
        return self.smooth_l1_loss(logits, labels)


def _ramp(*shape):
    numbers = np.sin(np.arange(1, int(np.prod(shape)) + 1) * 1.7)
    return ms.Tensor(numbers.reshape(shape).astype(np.float32))


CASES = {
    "average": (lambda: Average(3, 2), ((1, 2, 6),)),
    "largest": (lambda: Largest(2, 2), ((1, 1, 4, 4),)),
    "largest of a border": (lambda: Largest(2, 2, "pad", 1), ((1, 1, 2, 2),)),
    "gated": (lambda: Gated(), ((2, 4),)),
    "bell": (lambda: Bell(0.5, 2.0), ((4,),)),
    "transposed": (
        lambda: Transposed(1, 1, 3, 2, has_bias=True, weight_init="ones", bias_init="ones"),
        ((1, 1, 2, 2),),
    ),
    "huber": (lambda: Huber(0.5), ((4,), (4,))),
}


def result(name):
    make, shapes = CASES[name]
    return make()(*(_ramp(*shape) * (i + 1) for i, shape in enumerate(shapes))).asnumpy()


def other_results():
    positive = ms.Tensor([0.5, 1.5, 4.0], ms.float32)
    entropy = Entropy(sparse=True)(_ramp(2, 3), ms.Tensor([0, 2], ms.int32))
    rate = Rate(0.1, 0.01, 4, 2.0)(ms.Tensor(1, ms.float32))
    entry = Gammas()(positive), Smooth()(positive), entropy, rate
    return [one.asnumpy() for one in entry]


RESULTS = {
    "average": [[[-0.06323, 0.122262], [0.212588, -0.237885]]],
    "largest": [[[[0.991665, 0.859162], [0.396741, 0.999793]]]],
    "largest of a border": [[[[[0.991665, -0.255541], [-0.925815, 0.494113]]]]],
    "gated": [[0.281409, -0.15871], [0.279634, -0.491652]],
    "bell": [0.193534, 0.185734, 0.15471, 0.19947],
    "transposed": [
        [
            [
                [1.991665, 1.991665, 1.736124, 0.744459],
                [1.991665, 1.991665, 1.736124, 0.744459],
                [1.06585, 1.06585, 1.304422, 1.238572],
                [0.074185, 0.074185, 0.568299, 1.494113],
            ]
        ]
    ],
    "huber": [0.741665, 0.065301, 0.675815, 0.244148],
}
OTHER_RESULTS = [
    [0.572365, -0.120782, 1.79176],
    [0.541325, 2.948931, 7.999666],
    1.266262,
    0.060625,
]


@pytest.mark.parametrize("name", CASES)
def test_a_construct_of_parts_gives_mindspores_result(name):
    np.testing.assert_allclose(result(name), RESULTS[name], atol=3e-6)


def test_other_constructs_of_parts_give_mindspores_results():
    for ours, theirs in zip(other_results(), OTHER_RESULTS, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=5e-6)


#: What constructors of classes with parts need.
NEEDED = {
    "AdaptiveAvgPool1d": (2,),
    "AdaptiveAvgPool2d": (2,),
    "AdaptiveAvgPool3d": (2,),
    "AdaptiveMaxPool1d": (2,),
    "AdaptiveMaxPool3d": (2,),
    "BiDense": (2, 3, 4),
    "CentralCrop": (0.5,),
    "ChannelShuffle": (2,),
    "Dense": (2, 3),
    "Dropout": (0.5, 0.2),
    "DynamicLossScaleUpdateCell": (1024.0, 2, 100),
    "Embedding": (5, 4),
    "EmbeddingLookup": (5, 4),
    "ExponentialDecayLR": (0.1, 0.9, 4),
    "L1Regularizer": (0.1,),
    "LayerNorm": ((3,),),
    "Linear": (2, 3),
    "MultiFieldEmbeddingLookup": (5, 4, 3),
    "NaturalExpDecayLR": (0.1, 0.9, 4),
    "PolynomialDecayLR": (0.1, 0.01, 4, 0.5),
    "SampledSoftmaxLoss": (4, 7),
    "SyncBatchNorm": (2,),
    "TransformerDecoderLayer": (4, 2),
    "TransformerEncoderLayer": (4, 2),
    **{f"AvgPool{d}dExt": (2,) for d in "123"},
    "MaxPool2dExt": (2,),
    "Unflatten": (1, (1, 2)),
    "WarmUpLR": (0.1, 4),
    "LSTMCell": (2, 3),
    "GRU": (2, 3),
    "LSTM": (2, 3),
    "RNN": (2, 3),
    "ReduceLogSumExp": (0,),
    **{f"{kind}{d}d": (2,) for kind in ("BatchNorm", "InstanceNorm") for d in "123"},
    **{f"{kind}Pad{d}d": (1,) for kind in ("Reflection", "Replication") for d in "123"},
    **{f"Conv{d}d{kind}": (2, 2, 3) for kind in ("", "Transpose") for d in "123"},
}
DISTRIBUTIONS = {
    "Beta": ([1.0], [1.0]),
    "Categorical": ([0.5, 0.5],),
    "Gamma": ([1.0], [1.0]),
    "Poisson": ([0.5],),
    "StudentT": (1.0, 0.0, 1.0),
    "TransformedDistribution": (bijector.Exp(), distribution.Normal(0.0, 1.0)),
    "Invert": (bijector.Exp(),),
    **dict.fromkeys(
        ["Cauchy", "Gumbel", "HalfNormal", "Laplace", "LogNormal", "Logistic", "Normal", "Uniform"],
        (0.0, 1.0),
    ),
    **dict.fromkeys(("Bernoulli", "Exponential", "Geometric"), (0.5,)),
}


def _objects(package, needed):
    for name in dir(package):
        kind = getattr(package, name)
        if isinstance(kind, type) and parts_of(kind) and not name.startswith("_"):
            try:
                yield kind(*needed.get(name, ()))
            except TypeError:  # it has no parts but those of its base, or is a base itself
                assert name not in needed


def test_every_part_of_every_class_is_built():
    seen = 0
    for package, needed in (
        (nn, NEEDED),
        (ms.mint.nn, NEEDED),
        (distribution, DISTRIBUTIONS),
        (bijector, DISTRIBUTIONS),
    ):
        for one in _objects(package, needed):
            for name in parts_of(type(one)):
                getattr(one, name)
                assert name in dir(one)
                seen += 1
    assert seen > 700


def test_a_part_that_is_never_read_is_assigned_freely():
    layer = nn.BatchNorm2d(2)
    layer.sub_mean = None
    assert layer.sub_mean is None
    with pytest.raises(NotImplementedError, match="Another 'bn_train' of BatchNorm2d"):
        layer.bn_train = None
    with pytest.raises(NotImplementedError, match="Another 'on_value' of SoftmaxCross"):
        nn.SoftmaxCrossEntropyWithLogits().on_value = ms.Tensor(2.0)
    nn.SoftmaxCrossEntropyWithLogits().on_value = ms.Tensor(1.0, ms.float32)  # the same part


def test_a_part_follows_the_settings_of_a_pool():
    plain, bordered = nn.MaxPool2d(3, 2), nn.MaxPool2d(3, 2, "pad", 1)
    assert (type(plain.max_pool).__name__, plain.use_pad) == ("MaxPool", False)
    assert (type(bordered.max_pool).__name__, bordered.use_pad) == ("MaxPool3DWithArgmax", True)


def test_another_part_of_an_optimizer_takes_effect_or_raises():
    weight = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")
    for one in (nn.Adam([weight]), ms.experimental.optim.SGD([weight], lr=0.1)):
        with pytest.raises(NotImplementedError, match="Another 'hyper_map' of"):
            one.hyper_map = ops.HyperMap(reverse=True)
        one.hyper_map = ops.HyperMap()  # the same part
    with pytest.raises(NotImplementedError, match="Another 'opt' of Momentum"):
        nn.Momentum([weight], 0.1, 0.9).opt = ops.ApplyMomentum(use_nesterov=True)

    class Descent(nn.Optimizer):
        def __init__(self, parameters):
            super().__init__(0.5, parameters)
            self.assignadd = ops.AssignSub()

        def construct(self, gradients):
            return self.hyper_map(self.assignadd, self.parameters, gradients)

    Descent([weight])((ms.Tensor([0.25, 0.5]),))
    assert weight.asnumpy().tolist() == [0.75, 1.5]


def test_another_part_of_a_scheduler_raises():
    weight = ms.Parameter(ms.Tensor([1.0]), name="w")
    optimizer = ms.experimental.optim.SGD([weight], lr=0.1)
    for scheduler in (
        ms.experimental.optim.lr_scheduler.CosineAnnealingLR(optimizer, 2),
        ms.experimental.optim.lr_scheduler.ReduceLROnPlateau(optimizer),
    ):
        assert scheduler.increase_tensor.item() == 1
        assert "cast" in dir(scheduler)
        scheduler.cast = ops.Cast()  # the same part
        with pytest.raises(NotImplementedError, match="Another 'increase_tensor' of"):
            scheduler.increase_tensor = ms.Tensor(2, ms.int32)
        with pytest.raises(AttributeError, match="no attribute 'other'"):
            scheduler.other
