"""Losses as Primitive objects: MindSpore's figures, second results, and agreement of faces."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import Tensor, mint, ops


def draw(*shape, seed=0, low=-1.0):
    """Numbers that MindSpore's figures below were computed from as well."""
    return Tensor((np.random.RandomState(seed).rand(*shape) * (1 - low) + low).astype(np.float32))


X, UNIT = draw(2, 3), draw(2, 3, low=0)
ROW, OTHER = Tensor([1.0, 2.0, 3.0]), Tensor([1.0, 2.0, 4.0])
LABELS = Tensor(np.array([0, 1], np.int32))

FIGURES = [
    (lambda: ops.SoftmaxCrossEntropyWithLogits()(X, UNIT)[0], [2.0402513, 1.7504747]),
    (
        lambda: ops.SoftmaxCrossEntropyWithLogits()(X, UNIT)[1],
        [[-0.2638107, -0.3176671, -0.2852884], [-0.2124996, -0.1628342, -0.2390983]],
    ),
    (lambda: ops.SparseSoftmaxCrossEntropyWithLogits()(X, LABELS), 1.2995903),
    (
        lambda: ops.SparseSoftmaxCrossEntropyWithLogits(True)(X, LABELS),
        [[-0.3574988, 0.1987613, 0.1587376], [0.1661918, -0.3695897, 0.2033979]],
    ),
    (
        lambda: ops.SparseSoftmaxCrossEntropyWithLogits()(
            draw(2, 4, 3), Tensor(np.zeros((2, 4), np.int64))
        ),
        1.3767078,
    ),
    (lambda: ops.NLLLoss()(X, LABELS, ROW)[0], 0.0692513),
    (lambda: ops.NLLLoss("none")(X, LABELS, ROW)[0], [-0.097627, 0.3053808]),
    (lambda: ops.NLLLoss("sum", 0)(X, LABELS, ROW)[0], 0.3053808),
    (lambda: ops.NLLLoss("sum", 0)(X, LABELS, ROW)[1], 2.0),
    (lambda: ops.NLLLoss()(X, LABELS, ROW)[1], 3.0),
    (lambda: ops.BCEWithLogitsLoss()(X, UNIT, ROW, OTHER), 2.6426928),
    (lambda: ops.BCEWithLogitsLoss("sum")(X, UNIT, ROW, OTHER), 15.856157),
    (lambda: ops.KLDivLoss()(X, draw(2, 3, low=0.01)), -0.4169712),
    (lambda: ops.KLDivLoss("batchmean")(X, draw(2, 3, low=0.01)), -1.2509136),
    (
        lambda: ops.SigmoidCrossEntropyWithLogits()(Tensor([1.0, -2.0]), Tensor([0.3, 1.0])),
        [1.0132617, 2.126928],
    ),
    (lambda: ops.SmoothL1Loss(0.5)(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])), [0.0, 1.75]),
    (lambda: ops.SmoothL1Loss(1.0, "mean")(Tensor([1.0, 2.0]), Tensor([1.0, 4.0])), 0.75),
    (lambda: ops.MultiMarginLoss()(X, LABELS), 0.8545978),
    (lambda: ops.MultiMarginLoss(2, 0.5, "sum")(X, LABELS, ROW), 1.3165272),
    (
        lambda: ops.BinaryCrossEntropy()(
            Tensor([0.2, 0.7]), Tensor([1.0, 0.0]), Tensor([1.0, 2.0])
        ),
        2.0086918,
    ),
]


@pytest.mark.parametrize("case", FIGURES, ids=[str(i) for i in range(len(FIGURES))])
def test_figures_of_mindspore(case):
    compute, expected = case
    np.testing.assert_allclose(compute().asnumpy(), expected, rtol=2e-6, atol=1e-6)


def test_gradient_of_soft_labels_is_the_true_one():
    """MindSpore's own gradient assumes labels that sum to one; these do not."""
    x, y = X.astype(ms.float64), UNIT.astype(ms.float64)
    loss = ops.SoftmaxCrossEntropyWithLogits()
    array = ms.grad(lambda v: loss(v, y)[0])(x).asnumpy()
    softmax = np.exp(x.asnumpy())
    softmax /= softmax.sum(1, keepdims=True)
    labels = y.asnumpy()
    want = softmax * labels.sum(1, keepdims=True) - labels
    np.testing.assert_allclose(array, want, rtol=1e-10)
    beside = ms.grad(lambda v: loss(v, y)[1])(x).asnumpy()
    np.testing.assert_array_equal(beside, np.zeros((2, 3)))


def test_places_of_the_labels_that_count():
    target = Tensor([[1, 2, -1], [0, -1, 1], [-1, 0, 0]])
    _, places = ops.MultilabelMarginLoss()(draw(3, 3), target)
    assert places.asnumpy().tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    assert places.dtype == ms.int32


def test_margin_of_triples_is_an_input():
    a, p, n = draw(2, 3), draw(2, 3, seed=1), draw(2, 3, seed=2)
    want = ops.triplet_margin_loss(a, p, n, 0.7, swap=True).asnumpy()
    prim = ops.TripletMarginLoss(swap=True)
    np.testing.assert_allclose(prim(a, p, n, Tensor(0.7)).asnumpy(), want, rtol=1e-6)
    np.testing.assert_allclose(prim(a, p, n, 0.7).asnumpy(), want, rtol=1e-6)
    gradient = ms.grad(lambda m: prim(a, p, n, m))(Tensor(5.0))
    np.testing.assert_allclose(gradient.asnumpy(), 1.0, rtol=1e-6)


@pytest.mark.parametrize(
    ("name", "inputs", "options"),
    [
        ("mse_loss", (X, UNIT), {}),
        ("l1_loss", (X, UNIT), {"reduction": "sum"}),
        ("kl_div", (X, UNIT), {"reduction": "batchmean"}),
        ("cross_entropy", (X, LABELS), {"label_smoothing": 0.1}),
        ("nll_loss", (X, LABELS), {"weight": ROW}),
        ("binary_cross_entropy", (UNIT, UNIT), {}),
        ("binary_cross_entropy_with_logits", (X, UNIT), {"pos_weight": ROW}),
        ("soft_margin_loss", (X, UNIT), {}),
        ("cosine_embedding_loss", (X, UNIT, LABELS), {}),
    ],
)
def test_faces_of_one_loss_agree(name, inputs, options):
    want = getattr(ops, name)(*inputs, **options).asnumpy()
    got = getattr(mint.nn.functional, name)(*inputs, **options).asnumpy()
    np.testing.assert_allclose(got, want, rtol=1e-6)


def test_defaults_of_the_mint_form_differ():
    one, two = Tensor([1.0, 2.0]), Tensor([1.0, 4.0])
    assert mint.nn.functional.smooth_l1_loss(one, two, "mean", 0.5).item() == 0.875
    assert mint.nn.functional.smooth_l1_loss(one, two).item() == 0.75
    assert ops.smooth_l1_loss(one, two).shape == (2,)
    logs = Tensor(np.log([[0.2, 0.8]]).astype(np.float32))
    assert abs(mint.nn.functional.kl_div(logs, logs, log_target=True).item()) < 1e-7
