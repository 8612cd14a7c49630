"""Losses against torch in float64, against figures of MindSpore 2.10, and their own rules."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

import agar as ms
from agar import Tensor, nn, ops


def draw(*shape, seed=0, low=-1.0, high=1.0, kind=np.float64):
    """Numbers that MindSpore's figures below were computed from as well."""
    return (np.random.RandomState(seed).rand(*shape) * (high - low) + low).astype(kind)


def single(*shape, seed=0, low=-1.0, high=1.0):
    return Tensor(draw(*shape, seed=seed, low=low, high=high, kind=np.float32))


X, Y = draw(4, 3), draw(4, 3, seed=1)
UNIT, OTHER = draw(4, 3, low=0.05, high=0.95), draw(4, 3, seed=1, low=0.05, high=0.95)
POSITIVE = draw(4, 3, seed=2, low=0.2, high=2.0)
CLASSES = np.array([2, 0, 1, 2])
SIGNS = np.sign(draw(4, 3, seed=5))
WEIGHT = draw(3, seed=3, low=0.5, high=2.0)
IMAGE, PIXELS = draw(2, 3, 4, 5), np.random.RandomState(4).randint(0, 3, (2, 4, 5))


def t(array):
    return Tensor(array)


# id, agar's loss, torch's loss, inputs, how many of them to differentiate by
PARITY = [
    ("L1", nn.L1Loss, torch.nn.L1Loss, {}, (X, Y), 2),
    ("MAE", nn.MAELoss, torch.nn.L1Loss, {}, (X, Y), 2),
    ("MSE", nn.MSELoss, torch.nn.MSELoss, {}, (X, Y), 2),
    ("SmoothL1", nn.SmoothL1Loss, torch.nn.SmoothL1Loss, {"beta": 0.3}, (X, Y), 2),
    ("Huber", nn.HuberLoss, torch.nn.HuberLoss, {"delta": 0.4}, (X, Y), 2),
    ("SoftMargin", nn.SoftMarginLoss, torch.nn.SoftMarginLoss, {}, (X, SIGNS), 1),
    ("BCE", nn.BCELoss, torch.nn.BCELoss, {}, (UNIT, OTHER), 2),
    ("BCE-weight", nn.BCELoss, torch.nn.BCELoss, {"weight": WEIGHT}, (UNIT, OTHER), 2),
    ("BCELogits", nn.BCEWithLogitsLoss, torch.nn.BCEWithLogitsLoss, {}, (X, UNIT), 2),
    (
        "BCELogits-weights",
        nn.BCEWithLogitsLoss,
        torch.nn.BCEWithLogitsLoss,
        {"weight": WEIGHT, "pos_weight": POSITIVE[0]},
        (X, UNIT),
        2,
    ),
    ("CE", nn.CrossEntropyLoss, torch.nn.CrossEntropyLoss, {}, (X, CLASSES), 1),
    (
        "CE-weight",
        nn.CrossEntropyLoss,
        torch.nn.CrossEntropyLoss,
        {"weight": WEIGHT},
        (X, CLASSES),
        1,
    ),
    (
        "CE-ignore",
        nn.CrossEntropyLoss,
        torch.nn.CrossEntropyLoss,
        {"ignore_index": 2},
        (X, CLASSES),
        1,
    ),
    (
        "CE-smooth",
        nn.CrossEntropyLoss,
        torch.nn.CrossEntropyLoss,
        {"weight": WEIGHT, "ignore_index": 1, "label_smoothing": 0.2},
        (X, CLASSES),
        1,
    ),
    ("CE-image", nn.CrossEntropyLoss, torch.nn.CrossEntropyLoss, {}, (IMAGE, PIXELS), 1),
    ("CE-probabilities", nn.CrossEntropyLoss, torch.nn.CrossEntropyLoss, {}, (X, UNIT), 2),
    (
        "CE-probabilities-options",
        nn.CrossEntropyLoss,
        torch.nn.CrossEntropyLoss,
        {"weight": WEIGHT, "label_smoothing": 0.3},
        (X, UNIT),
        2,
    ),
    ("NLL", nn.NLLLoss, torch.nn.NLLLoss, {"weight": WEIGHT, "ignore_index": 0}, (X, CLASSES), 1),
    ("NLL-image", nn.NLLLoss, torch.nn.NLLLoss, {}, (IMAGE, PIXELS), 1),
    ("KLDiv", nn.KLDivLoss, torch.nn.KLDivLoss, {}, (X, UNIT), 2),
    ("Hinge", nn.HingeEmbeddingLoss, torch.nn.HingeEmbeddingLoss, {"margin": 0.4}, (X, SIGNS), 1),
    (
        "MarginRanking",
        nn.MarginRankingLoss,
        torch.nn.MarginRankingLoss,
        {"margin": 0.3},
        (X, Y, SIGNS),
        2,
    ),
    (
        "CosineEmbedding",
        nn.CosineEmbeddingLoss,
        torch.nn.CosineEmbeddingLoss,
        {"margin": 0.1},
        (X, Y, SIGNS[:, 0]),
        2,
    ),
    ("PoissonNLL", nn.PoissonNLLLoss, torch.nn.PoissonNLLLoss, {}, (X, POSITIVE * 2), 1),
    (
        "PoissonNLL-full",
        nn.PoissonNLLLoss,
        torch.nn.PoissonNLLLoss,
        {"log_input": False, "full": True},
        (POSITIVE, UNIT * 4),
        1,
    ),
    (
        "GaussianNLL",
        nn.GaussianNLLLoss,
        torch.nn.GaussianNLLLoss,
        {"full": True},
        (X, Y, POSITIVE),
        3,
    ),
    (
        "GaussianNLL-rows",
        nn.GaussianNLLLoss,
        torch.nn.GaussianNLLLoss,
        {},
        (X, Y, POSITIVE[:, 0]),
        3,
    ),
    ("MultiMargin", nn.MultiMarginLoss, torch.nn.MultiMarginLoss, {}, (X, CLASSES), 1),
    (
        "MultiMargin-options",
        nn.MultiMarginLoss,
        torch.nn.MultiMarginLoss,
        {"p": 2, "margin": 0.5, "weight": WEIGHT},
        (X, CLASSES),
        1,
    ),
    (
        "MultilabelMargin",
        nn.MultilabelMarginLoss,
        torch.nn.MultiLabelMarginLoss,
        {},
        (X, np.array([[1, 2, -1], [0, -1, 1], [-1, 0, 0], [2, 1, 0]])),
        1,
    ),
    (
        "MultiLabelSoftMargin",
        nn.MultiLabelSoftMarginLoss,
        torch.nn.MultiLabelSoftMarginLoss,
        {"weight": WEIGHT},
        (X, (SIGNS + 1) / 2),
        1,
    ),
    ("Triplet", nn.TripletMarginLoss, torch.nn.TripletMarginLoss, {}, (X, Y, POSITIVE), 3),
    (
        "Triplet-options",
        nn.TripletMarginLoss,
        torch.nn.TripletMarginLoss,
        {"p": 1, "swap": True, "eps": 1e-5, "margin": 0.4},
        (X, Y, POSITIVE),
        3,
    ),
]


@pytest.mark.filterwarnings("ignore:reduction. .mean. divides")  # torch's own words on KLDivLoss
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("case", PARITY, ids=[c[0] for c in PARITY])
def test_value_and_gradients_are_torchs(case, reduction):
    _, ours, theirs, options, inputs, count = case
    mine = ours(
        **{k: t(v) if isinstance(v, np.ndarray) else v for k, v in options.items()},
        reduction=reduction,
    )
    other = theirs(
        **{k: torch.tensor(v) if isinstance(v, np.ndarray) else v for k, v in options.items()},
        reduction=reduction,
    )
    leaves = [torch.tensor(a, requires_grad=i < count) for i, a in enumerate(inputs)]
    expected = other(*leaves)
    factors = torch.tensor(draw(*expected.shape, seed=9)) if expected.ndim else torch.tensor(1.0)
    gradients = torch.autograd.grad((expected * factors).sum(), leaves[:count])

    arrays = [t(a) for a in inputs]
    value = mine(*arrays)
    assert value.dtype == ms.float64
    np.testing.assert_allclose(value.asnumpy(), expected.detach().numpy(), rtol=1e-10, atol=1e-12)

    def total(*tensors):
        return (mine(*tensors) * t(factors.numpy())).sum()

    result = ms.grad(total, tuple(range(count)))(*arrays)
    result = result if isinstance(result, tuple) else (result,)
    for g, w in zip(result, gradients, strict=True):
        np.testing.assert_allclose(g.asnumpy(), w.numpy(), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(
    "loss",
    [nn.MSELoss(), nn.HuberLoss(), nn.CrossEntropyLoss(), nn.BCEWithLogitsLoss(), nn.KLDivLoss()],
    ids=lambda c: type(c).__name__,
)
def test_second_derivatives_exist(loss):
    target = t(UNIT)
    first = ms.grad(lambda x: loss(x, target))
    second = ms.grad(lambda x: (first(x) * t(Y)).sum())(t(X)).asnumpy()
    step = 1e-6
    numeric = (first(t(X + step * Y)).asnumpy() - first(t(X - step * Y)).asnumpy()) / (2 * step)
    np.testing.assert_allclose(second, numeric, rtol=1e-4, atol=1e-7)


def test_batchmean_divides_by_the_first_size():
    loss = nn.KLDivLoss("batchmean")(t(X), t(UNIT)).asnumpy()
    want = torch.nn.KLDivLoss(reduction="batchmean")(torch.tensor(X), torch.tensor(UNIT)).numpy()
    np.testing.assert_allclose(loss, want, rtol=1e-12)


def test_kl_divergence_of_impossible_targets_is_zero():
    got = ops.kl_div(t(np.array([-1.0, -2.0])), t(np.array([0.0, -1.0])), "none").asnumpy()
    np.testing.assert_array_equal(got, [0.0, 0.0])


# Computed by MindSpore 2.10 on the same float32 inputs.
TWO, TRIPLE = single(2, 3), single(2, 3, 2, 2)
ONE_HOT = Tensor(np.array([[0, 1, 0], [1, 0, 0]], np.float32))
FIGURES = {
    "RMSE": (lambda: nn.RMSELoss()(Tensor([1.0, 2.0]), Tensor([2.0, 4.0])), 1.5811388),
    "SmoothL1-default": (
        lambda: nn.SmoothL1Loss()(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])),
        [0.0, 1.5],
    ),
    "BCE-extremes": (
        lambda: nn.BCELoss(reduction="none")(Tensor([0.0, 1.0, 1e-20]), Tensor([1.0, 0.0, 1.0])),
        [27.631021, 27.631021, 27.631021],
    ),
    "SoftmaxCE": (
        lambda: nn.SoftmaxCrossEntropyWithLogits()(TWO, ONE_HOT),
        [0.9225044, 1.1014657],
    ),
    "SoftmaxCE-sparse": (
        lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=True)(TWO, Tensor([0, 1])),
        [1.2552562, 1.3439224],
    ),
    "SoftmaxCE-sparse-mean": (
        lambda: nn.SoftmaxCrossEntropyWithLogits(True, "mean")(TWO, Tensor([0, 1])),
        1.2995903,
    ),
    "SoftmaxCE-sparse-sum": (
        lambda: nn.SoftmaxCrossEntropyWithLogits(True, "sum")(TWO, Tensor([0, 1])),
        2.5991786,
    ),
    "SoftmaxCE-no-such-class": (
        lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=True)(TWO, Tensor([0, -1])),
        [1.2552562, 0.0],
    ),
    "SoftmaxCE-sparse-mean-rank-3": (
        lambda: nn.SoftmaxCrossEntropyWithLogits(True, "mean")(
            single(2, 4, 3), Tensor(np.zeros((2, 4), np.int32))
        ),
        1.3767078,
    ),
    "Focal-index": (
        lambda: nn.FocalLoss(reduction="none")(TWO, Tensor([[1], [2]])),
        [0.3348526, 0.3165071],
    ),
    "Focal-one-hot": (
        lambda: nn.FocalLoss(reduction="none")(TWO, ONE_HOT),
        [[0.0, 0.3348526, 0.0], [0.4909374, 0.0, 0.0]],
    ),
    "Focal-image": (
        lambda: nn.FocalLoss(Tensor([1.0, 2.0, 3.0]), 0.5, "sum")(
            TRIPLE, Tensor(np.ones((2, 1, 2, 2), np.int32))
        ),
        4.0906634,
    ),
    "Focal-image-one-hot": (
        lambda: nn.FocalLoss(Tensor([1.0, 2.0, 3.0]), reduction="none")(
            TRIPLE, Tensor(np.ones((2, 3, 2, 2), np.int32))
        ),
        [[0.6017269, 1.273634, 1.5645269], [1.0883098, 1.3927368, 1.1739229]],
    ),
    "Dice": (
        lambda: nn.DiceLoss(0.5)(single(2, 3, low=0), single(2, 3, low=0, seed=1)),
        0.3908331,
    ),
    "MultiClassDice": (
        lambda: nn.MultiClassDiceLoss()(single(2, 3, low=0), single(2, 3, low=0, seed=1)),
        0.3168045,
    ),
    "MultiClassDice-sigmoid": (
        lambda: nn.MultiClassDiceLoss(activation="sigmoid")(
            single(2, 3, low=0), single(2, 3, low=0, seed=1)
        ),
        0.3869746,
    ),
    "MultiClassDice-ignore": (
        lambda: nn.MultiClassDiceLoss(ignore_indiex=1)(
            single(2, 3, low=0), single(2, 3, low=0, seed=1)
        ),
        0.2517256,
    ),
    "MultiClassDice-weights": (
        lambda: nn.MultiClassDiceLoss(single(3, 2, low=0, seed=5))(
            single(2, 3, low=0), single(2, 3, low=0, seed=1)
        ),
        [0.1340118, 0.2160941],
    ),
    "CosineEmbedding-rank-3": (
        lambda: nn.CosineEmbeddingLoss(reduction="none")(
            single(2, 3, 4), single(2, 3, 4, seed=1), Tensor(np.ones((2, 4), np.int32))
        ),
        [
            [1.1399711, 1.1252044, 1.2945416, 1.5193038],
            [0.4413111, 0.1415734, 0.6556767, 1.5201443],
        ],
    ),
    "TripletMarginWithDistance": (
        lambda: nn.TripletMarginWithDistanceLoss()(TWO, single(2, 3, seed=1), single(2, 3, seed=2)),
        1.247184,
    ),
    "TripletMarginWithDistance-function": (
        lambda: nn.TripletMarginWithDistanceLoss(
            lambda a, b: (a - b).abs().sum(1), True, "none", 0.5
        )(TWO, single(2, 3, seed=1), single(2, 3, seed=2)),
        [0.2687861, 1.7891958],
    ),
    "TripletMarginWithDistance-rank-3": (
        lambda: nn.TripletMarginWithDistanceLoss(reduction="none")(
            single(2, 3, 4), single(2, 3, 4, seed=1), single(2, 3, 4, seed=2)
        ),
        [[0.9419854, 0.6159793, 1.9163691, 1.6480972], [0.0296489, 0.0, 2.0392187, 0.2743459]],
    ),
    "nll-smoothing": (
        lambda: ops.nll_loss(TWO, Tensor([0, 1]), label_smoothing=0.1),
        0.0087386,
    ),
    "nll-smoothing-none": (
        lambda: ops.nll_loss(
            TWO, Tensor([0, 1]), Tensor([1.0, 2.0, 3.0]), reduction="none", label_smoothing=0.1
        ),
        [-0.1403631, 0.252851],
    ),
    "nll-smoothing-ignore": (
        lambda: ops.nll_loss(TWO, Tensor([0, 1]), Tensor([1.0, 2.0, 3.0]), 0, label_smoothing=0.1),
        0.1264255,
    ),
    "gaussian-negative-variance": (
        lambda: ops.gaussian_nll_loss(Tensor([1.0, 2.0]), Tensor([2.0, 3.0]), Tensor([-1.0, 1.0])),
        249996.8,
    ),
    "hinge-other-target": (
        lambda: ops.hinge_embedding_loss(Tensor([0.3, 0.2]), Tensor([1.0, 0.0]), reduction="none"),
        [0.3, 0.0],
    ),
    "SampledSoftmax": (
        lambda: nn.SampledSoftmaxLoss(4, 7)(
            single(7, 10), single(7), Tensor([[0], [1], [2]]), single(3, 10)
        ),
        [0.5922538, 0.0272349, 0.0730991],
    ),
    "SampledSoftmax-seed": (
        lambda: nn.SampledSoftmaxLoss(4, 7, remove_accidental_hits=False, seed=5)(
            single(7, 10), single(7), Tensor([0, 1, 2]), single(3, 10)
        ),
        [0.8178639, 0.0247974, 0.1201276],
    ),
    "SampledSoftmax-given": (
        lambda: nn.SampledSoftmaxLoss(
            4,
            7,
            2,
            (
                Tensor([1, 3, 5, 6]),
                Tensor(np.array([[0.1, 0.2], [0.3, 0.1], [0.2, 0.3]], np.float32)),
                Tensor([0.2, 0.3, 0.4, 0.5]),
            ),
        )(single(7, 10), single(7), Tensor([[0, 3], [1, 4], [2, 5]]), single(3, 10)),
        [1.2419559, 3.921588, 2.7793298],
    ),
}


@pytest.mark.parametrize("name", FIGURES)
def test_figures_of_mindspore(name):
    compute, expected = FIGURES[name]
    value = compute()
    assert value.dtype == ms.float32
    np.testing.assert_allclose(value.asnumpy(), expected, rtol=1e-5, atol=1e-6)


def test_sampled_classes_go_on_from_call_to_call():
    loss = nn.SampledSoftmaxLoss(4, 7, remove_accidental_hits=False, seed=1)
    inputs = single(7, 10), single(7), Tensor([[0], [1], [2]]), single(3, 10)
    # three calls of one MindSpore object
    expected = [
        [1.0222213, 0.7051408, 0.4824267],
        [1.2257568, 0.7516153, 0.9566081],
        [1.0682138, 0.7527289, 0.9377967],
    ]
    np.testing.assert_allclose([loss(*inputs).asnumpy() for _ in range(3)], expected, rtol=1e-5)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32, np.int64])
@pytest.mark.parametrize(
    "loss",
    [
        nn.CrossEntropyLoss(),
        nn.NLLLoss(),
        nn.SoftmaxCrossEntropyWithLogits(True),
        nn.MultiMarginLoss(),
    ],
    ids=lambda c: type(c).__name__,
)
def test_every_integer_type_can_hold_labels(loss, kind):
    got = loss(t(X), t(CLASSES.astype(kind))).asnumpy()
    np.testing.assert_array_equal(got, loss(t(X), t(CLASSES)).asnumpy())


@pytest.mark.parametrize(
    ("options", "inputs"),
    [
        ({"label_smoothing": 0.2}, (X, CLASSES)),
        ({"ignore_index": 2, "reduction": "sum"}, (X, CLASSES)),
        ({}, (X, UNIT)),
    ],
)
def test_gradient_by_class_weights(options, inputs):
    """torch refuses it; the numbers are those of differences."""
    x, y = t(inputs[0]), t(inputs[1])
    array = ms.grad(lambda w: ops.cross_entropy(x, y, w, **options))(t(WEIGHT)).asnumpy()
    step = 1e-6
    for i in range(3):
        change = np.zeros(3)
        change[i] = step
        high = ops.cross_entropy(x, y, t(WEIGHT + change), **options).asnumpy()
        low = ops.cross_entropy(x, y, t(WEIGHT - change), **options).asnumpy()
        np.testing.assert_allclose(array[i], (high - low) / (2 * step), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    "loss",
    [
        nn.SoftMarginLoss(),
        nn.MarginRankingLoss(),
        nn.HingeEmbeddingLoss(),
        nn.MultiLabelSoftMarginLoss(),
        nn.BCEWithLogitsLoss(weight=Tensor([1.0, 2.0, 3.0]), pos_weight=Tensor([1.0, 2.0, 3.0])),
    ],
    ids=lambda c: type(c).__name__,
)
def test_gradient_by_all_inputs(loss):
    """``GradOperation(get_all=True)`` over a loss also asks for the gradient of float labels."""
    inputs = (
        [t(X), t(SIGNS)] if not isinstance(loss, nn.MarginRankingLoss) else [t(X), t(Y), t(SIGNS)]
    )
    grads = ops.GradOperation(get_all=True)(loss)(*inputs)
    assert len(grads) == len(inputs)
    assert all(g.shape == x.shape for g, x in zip(grads, inputs, strict=True))


# ------------------------------------------------------------------------------ precision


class Half(nn.Cell):
    """A network whose own operators compute in float16."""

    def __init__(self, loss):
        super().__init__()
        self.loss = loss
        self.seen = None

    def construct(self, x, y):
        self.seen = (x * 1).dtype
        return self.loss(x, y)


HALF_LOSSES = [nn.MSELoss(), nn.CrossEntropyLoss(), nn.SmoothL1Loss(), nn.BCEWithLogitsLoss()]


@pytest.mark.parametrize("kind", [ms.float16, ms.bfloat16])
@pytest.mark.parametrize("loss", HALF_LOSSES, ids=lambda c: type(c).__name__)
def test_losses_of_half_inputs_are_computed_in_float32(loss, kind):
    x, y = t(X).astype(kind), t(UNIT).astype(kind)
    got = loss(x, y)
    assert got.dtype == ms.float32
    want = loss(x.astype(ms.float32), y.astype(ms.float32)).asnumpy()
    np.testing.assert_array_equal(got.asnumpy(), want)
    gradient = ms.grad(lambda v: loss(v, y).sum())(x)
    assert gradient.dtype == kind


def test_a_loss_that_large_half_numbers_would_overflow():
    x = Tensor(np.full((4, 4), 300.0, np.float16))
    assert nn.MSELoss()(x, x - 300).asnumpy() == 90000.0


@pytest.mark.parametrize("loss", HALF_LOSSES, ids=lambda c: type(c).__name__)
def test_losses_leave_the_precision_scope_of_an_outer_cell(loss):
    net = Half(copy.deepcopy(loss))
    inner = net.loss
    net.to_float(ms.float16)
    inner._float_type = None  # as a loss added after the call has no type of its own
    x, y = t(X.astype(np.float32)), t(UNIT.astype(np.float32))
    got = net(x, y)
    assert net.seen == ms.float16
    assert got.dtype == ms.float32
    np.testing.assert_array_equal(got.asnumpy(), loss(x, y).asnumpy())


def test_a_loss_with_a_type_of_its_own_keeps_it():
    loss = nn.MSELoss().to_float(ms.float16)
    assert loss(t(X.astype(np.float32)), t(Y.astype(np.float32))).dtype == ms.float16


def test_own_losses_are_computed_in_float32_too():
    class Cubed(nn.LossBase):
        def construct(self, logits, labels):
            self.seen = logits.dtype
            return self.get_loss(logits - labels)

    loss = Cubed()
    loss(t(X).astype(ms.float16), labels=t(Y).astype(ms.float16))
    assert loss.seen == ms.float32


# ---------------------------------------------------------------------------- base class


def test_get_loss_weighs_and_reduces():
    assert nn.LossBase("mean").get_loss(Tensor([1.0, 2.0]), 2.0) == 3.0
    half = Tensor(np.array([1, 2], np.float16))
    got = nn.LossBase("sum").get_loss(half, Tensor([1.0, 3.0]))
    assert (got.dtype, got.item()) == (ms.float16, 7.0)
    np.testing.assert_array_equal(nn.LossBase("none").get_loss(half).asnumpy(), [1, 2])
    assert nn.LossBase().get_axis(TRIPLE) == (0, 1, 2, 3)


def test_flags_of_the_reduction():
    flags = [(b.average, b.reduce) for b in map(nn.LossBase, ("mean", "sum", "none"))]
    assert flags == [(True, True), (False, True), (True, False)]


def test_every_loss_is_a_loss_base_at_mindspores_path():
    from agar.nn import loss as package

    for name in package.__all__:
        cls = getattr(nn, name)
        assert cls is getattr(package, name)
        assert issubclass(cls, nn.LossBase)
        assert cls.__module__ == "agar.nn.loss.loss"


@pytest.mark.parametrize(
    ("loss", "text"),
    [
        (nn.CrossEntropyLoss(), "CrossEntropyLoss()"),
        (nn.RMSELoss(), "RMSELoss(\n  (MSELoss): MSELoss()\n)"),
        (nn.FocalLoss(), "FocalLoss(\n  (logsoftmax): LogSoftmax()\n)"),
        (
            nn.MultiClassDiceLoss(),
            "MultiClassDiceLoss(\n  (binarydiceloss): DiceLoss()\n  (activation): Softmax()\n)",
        ),
    ],
)
def test_text(loss, text):
    assert repr(loss) == text


def test_weights_are_no_parameters_and_travel_with_the_cell():
    loss = nn.CrossEntropyLoss(Tensor([1.0, 2.0, 3.0]))
    assert list(loss.get_parameters()) == []
    assert list(loss.state_dict()) == []
    loss.to(ms.float16)
    assert loss.weight.dtype == ms.float16
    learned = nn.CrossEntropyLoss(ms.Parameter(Tensor([1.0, 2.0, 3.0])))
    assert [p.name for p in learned.trainable_params()] == ["weight"]


@pytest.mark.parametrize("name", ["CrossEntropyLoss", "TripletMarginLoss", "SampledSoftmaxLoss"])
def test_losses_can_be_copied_and_pickled(name):
    make = {"SampledSoftmaxLoss": lambda: nn.SampledSoftmaxLoss(2, 7, seed=3)}.get(
        name, getattr(nn, name)
    )
    loss = make()
    for other in (copy.deepcopy(loss), pickle.loads(pickle.dumps(loss))):
        assert type(other) is type(loss)
        assert other.reduction == loss.reduction


# --------------------------------------------------------------------------------- errors

P2, L2 = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([0, 1])
ERRORS = [
    (lambda: nn.MSELoss("max"), ValueError, "must be in ['mean', 'sum', 'none']"),
    (lambda: nn.MSELoss(None), ValueError, "reduction"),
    (lambda: nn.KLDivLoss("max"), ValueError, "batchmean"),
    (lambda: nn.MSELoss()(P2, Tensor([1.0, 2.0, 3.0])), ValueError, "broadcast"),
    (lambda: nn.MSELoss()(P2, np.ones((2, 2))), TypeError, "must be Tensor"),
    (lambda: nn.SmoothL1Loss(-1.0)(P2, P2), RuntimeError, "negative"),
    (lambda: nn.SmoothL1Loss()(P2, Tensor([1.0, 2.0])), ValueError, "shapes"),
    (lambda: nn.HuberLoss(delta=0.0), ValueError, "delta"),
    (lambda: nn.CrossEntropyLoss([1, 2]), TypeError, "'weight' should be 'Tensor'"),
    (lambda: nn.CrossEntropyLoss(ignore_index=1.0), TypeError, "ignore_index"),
    (lambda: nn.CrossEntropyLoss(label_smoothing=1.5), ValueError, "[0.0, 1.0]"),
    (lambda: nn.CrossEntropyLoss()(P2, Tensor([0, 7])), RuntimeError, "[0, 2)"),
    (lambda: nn.CrossEntropyLoss()(P2, Tensor([0, -1])), RuntimeError, "[0, 2)"),
    (lambda: nn.CrossEntropyLoss()(P2, Tensor([0.0, 1.0])), ValueError, "probabilities"),
    (lambda: nn.CrossEntropyLoss(Tensor([1.0]))(P2, L2), ValueError, "weight"),
    (lambda: nn.NLLLoss()(P2, Tensor([0.0, 1.0])), TypeError, "integer"),
    (lambda: nn.NLLLoss()(P2, Tensor([0])), ValueError, "shape"),
    (lambda: nn.SoftmaxCrossEntropyWithLogits(sparse=1), TypeError, "sparse"),
    (lambda: nn.SoftmaxCrossEntropyWithLogits()(P2, L2), TypeError, "sparse=True"),
    (lambda: nn.SoftmaxCrossEntropyWithLogits()(P2, Tensor([[1.0], [0.0]])), ValueError, "shape"),
    (
        lambda: nn.SoftmaxCrossEntropyWithLogits(True)(P2, Tensor([0.0, 1.0])),
        TypeError,
        "integer",
    ),
    (lambda: nn.SoftmaxCrossEntropyWithLogits(True)(P2, P2), ValueError, "shape"),
    (
        lambda: nn.SoftmaxCrossEntropyWithLogits(True, "mean")(P2, Tensor([0, 5])),
        RuntimeError,
        "[0, 2)",
    ),
    (lambda: nn.BCELoss("mean"), TypeError, "weight"),
    (lambda: nn.BCELoss()(P2, P2), RuntimeError, "between 0 and 1"),
    (lambda: nn.BCEWithLogitsLoss()(P2, Tensor([1.0, 0.0])), ValueError, "shapes"),
    (lambda: nn.FocalLoss(gamma=2), TypeError, "gamma"),
    (lambda: nn.FocalLoss(weight=P2), ValueError, "must be 1"),
    (lambda: nn.FocalLoss()(P2, L2), ValueError, "[2, 4]"),
    (lambda: nn.FocalLoss()(P2, Tensor([[0, 1, 1], [1, 0, 0]])), ValueError, "axis 1"),
    (lambda: nn.FocalLoss(Tensor([1.0]))(P2, Tensor([[0], [1]])), ValueError, "weight"),
    (lambda: nn.FocalLoss()(P2, Tensor([[0], [5]])), RuntimeError, "[0, 2)"),
    (lambda: nn.DiceLoss(0), TypeError, "smooth"),
    (lambda: nn.DiceLoss(-1.0), ValueError, "smooth"),
    (lambda: nn.DiceLoss()(P2, Tensor([1.0, 2.0])), ValueError, "shapes"),
    (lambda: nn.MultiClassDiceLoss(activation="max"), ValueError, "activation"),
    (lambda: nn.MultiClassDiceLoss(activation=3), TypeError, "activation"),
    (lambda: nn.MultiClassDiceLoss(ignore_indiex=1.5), TypeError, "ignore_indiex"),
    (lambda: nn.MultiClassDiceLoss(Tensor([1.0])), ValueError, "must be 2"),
    (lambda: nn.MultiClassDiceLoss(P2)(single(2, 3), single(2, 3)), ValueError, "weight_shape"),
    (lambda: nn.MultiMarginLoss(3), ValueError, "'p'"),
    (lambda: nn.MultiMarginLoss()(P2, Tensor([0, 5])), ValueError, "out of range"),
    (lambda: nn.CosineEmbeddingLoss(2.0), ValueError, "[-1.0, 1.0]"),
    (lambda: nn.CosineEmbeddingLoss()(P2, P2, P2), ValueError, "target"),
    (lambda: nn.MarginRankingLoss("a"), TypeError, "margin"),
    (lambda: nn.HingeEmbeddingLoss("a"), TypeError, "margin"),
    (lambda: nn.TripletMarginLoss(swap=1), TypeError, "swap"),
    (lambda: nn.TripletMarginWithDistanceLoss(margin=1), TypeError, "margin"),
    (lambda: nn.TripletMarginWithDistanceLoss(3), TypeError, "distance_function"),
    (lambda: nn.GaussianNLLLoss(eps=0.0), ValueError, "eps"),
    (lambda: nn.GaussianNLLLoss(full=1), TypeError, "full"),
    (lambda: nn.SampledSoftmaxLoss(8, 7), ValueError, "num_sampled"),
    (lambda: nn.SampledSoftmaxLoss(4, 7, 8), ValueError, "num_true"),
    (lambda: nn.SampledSoftmaxLoss(4, 7, seed=-1), ValueError, "seed"),
    (lambda: nn.SampledSoftmaxLoss(4, 7, sampled_values=[1]), ValueError, "equal to 3"),
    (
        lambda: nn.SampledSoftmaxLoss(6, 7)(
            single(7, 2), single(7), Tensor([[0], [1]]), single(2, 2)
        ),
        ValueError,
        "cannot be drawn",
    ),
    (lambda: nn.CTCLoss(-1), ValueError, "blank"),
    (lambda: nn.CTCLoss(zero_infinity=1), TypeError, "zero_infinity"),
]


@pytest.mark.parametrize("case", ERRORS, ids=[f"{c[1].__name__}-{i}" for i, c in enumerate(ERRORS)])
def test_errors_say_what_and_why(case):
    run, kind, words = case
    with pytest.raises(kind) as caught:
        run()
    assert type(caught.value) is kind
    assert words in str(caught.value)
