"""Metrics over several random batches, beside scikit-learn and beside their definitions."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

import agar as ms
from agar import nn, train

sk = pytest.importorskip("sklearn.metrics")

CLASSES = 5


def over(metric, batches, *options):
    metric.clear()
    for batch in batches:
        metric.update(*(ms.Tensor(value) for value in batch))
    return metric.eval(*options)


def classified(seed, sizes=(7, 1, 12)):
    """Batches of probabilities and labels, and all of them at once."""
    rng = np.random.default_rng(seed)
    batches = []
    for size in sizes:
        scores = rng.random((size, CLASSES), np.float32)
        scores /= scores.sum(1, keepdims=True)
        batches.append((scores, rng.integers(0, CLASSES, size).astype(np.int32)))
    scores, labels = (np.concatenate(part) for part in zip(*batches, strict=True))
    return batches, scores, labels


def one_hot(batches):
    return [(scores, np.eye(CLASSES, dtype=np.float32)[labels]) for scores, labels in batches]


def multilabel(seed):
    rng = np.random.default_rng(seed)
    batches = [tuple(rng.integers(0, 2, (2, n, 3)).astype(np.int32)) for n in (6, 1, 9)]
    result, labels = (np.concatenate(part) for part in zip(*batches, strict=True))
    return batches, result, labels


SEEDS = pytest.mark.parametrize("seed", range(4))


@SEEDS
def test_accuracies(seed):
    batches, scores, labels = classified(seed)
    want = sk.accuracy_score(labels, scores.argmax(1))
    assert over(train.Accuracy(), batches) == pytest.approx(want)
    assert over(train.Accuracy(), one_hot(batches)) == pytest.approx(want)
    assert over(train.Top1CategoricalAccuracy(), batches) == pytest.approx(want)
    for k in range(1, CLASSES + 1):
        want = (
            1.0
            if k == CLASSES
            else sk.top_k_accuracy_score(labels, scores, k=k, labels=range(CLASSES))
        )
        assert over(train.TopKCategoricalAccuracy(k), batches) == pytest.approx(want)
        assert over(train.TopKCategoricalAccuracy(k), one_hot(batches)) == pytest.approx(want)
    batches, result, labels = multilabel(seed)
    want = sk.accuracy_score(labels, result)  # all labels of a sample must be right
    assert over(train.Accuracy("multilabel"), batches) == pytest.approx(want)


@SEEDS
@pytest.mark.parametrize(
    ("make", "score"),
    [
        (train.Precision, sk.precision_score),
        (train.Recall, sk.recall_score),
        (train.F1, sk.f1_score),
        (lambda: train.Fbeta(0.5), lambda *a, **k: sk.fbeta_score(*a, beta=0.5, **k)),
        (lambda: train.Fbeta(3), lambda *a, **k: sk.fbeta_score(*a, beta=3, **k)),
    ],
)
def test_rates_of_classes(seed, make, score):
    batches, scores, labels = classified(seed)
    options = {"labels": range(CLASSES), "zero_division": 0}
    want = score(labels, scores.argmax(1), average=None, **options)
    np.testing.assert_allclose(over(make(), batches), want, rtol=1e-6)
    np.testing.assert_allclose(over(make(), one_hot(batches)), want, rtol=1e-6)
    np.testing.assert_allclose(over(make(), batches, True), want.mean(), rtol=1e-6)


@SEEDS
@pytest.mark.parametrize(
    ("make", "score"),
    [(train.Precision, sk.precision_score), (train.Recall, sk.recall_score)],
)
def test_rates_of_several_labels(seed, make, score):
    batches, result, labels = multilabel(seed)
    want = score(labels, result, average="samples", zero_division=0)
    assert over(make("multilabel"), batches, True) == pytest.approx(want)
    each = [float(score(y, x, zero_division=0)) for x, y in zip(result, labels, strict=True)]
    np.testing.assert_allclose(over(make("multilabel"), batches), each)


@SEEDS
def test_a_class_that_nobody_predicts(seed):
    batches = classified(seed)[0]
    batches = [(np.where(np.arange(CLASSES) == 2, 0, s), y) for s, y in batches]
    assert over(train.Precision(), batches)[2] == 0
    assert over(train.Recall(), batches)[2] == 0
    assert over(train.F1(), batches)[2] == 0


@SEEDS
def test_confusion_matrix(seed):
    batches, scores, labels = classified(seed)
    for form, normalize in (
        ("no_norm", None),
        ("target", "true"),
        ("prediction", "pred"),
        ("all", "all"),
    ):
        want = sk.confusion_matrix(
            labels, scores.argmax(1), labels=range(CLASSES), normalize=normalize
        )
        result = over(train.ConfusionMatrix(CLASSES, form), batches)
        np.testing.assert_allclose(result, want, rtol=1e-6)


@SEEDS
def test_roc_and_its_area(seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 9, 40).astype(np.float32) / 8  # with ties
    labels = rng.integers(0, 2, 40).astype(np.int32)
    batches = [(scores[:13], labels[:13]), (scores[13:], labels[13:])]
    for positive in (0, 1):
        rates = over(train.ROC(pos_label=positive), batches)
        want = sk.roc_curve(labels, scores, pos_label=positive, drop_intermediate=False)
        np.testing.assert_allclose(rates[0], want[0])
        np.testing.assert_allclose(rates[1], want[1])
        np.testing.assert_allclose(rates[2][1:], want[2][1:])
        area = sk.roc_auc_score(labels == positive, scores)
        assert train.auc(*rates[:2]) == pytest.approx(area)
        assert train.auc(rates[0][::-1], rates[1][::-1]) == pytest.approx(area)
    batches, scores, labels = classified(seed, (40, 30))
    curves = over(train.ROC(class_num=CLASSES), batches)
    for k in range(CLASSES):
        area = sk.roc_auc_score(labels == k, scores[:, k])
        assert train.auc(curves[0][k], curves[1][k]) == pytest.approx(area)


@SEEDS
def test_errors_of_numbers(seed):
    rng = np.random.default_rng(seed)
    batches = [tuple(rng.standard_normal((2, n)).astype(np.float32)) for n in (5, 1, 8)]
    result, labels = (np.concatenate(part) for part in zip(*batches, strict=True))
    assert over(train.MAE(), batches) == pytest.approx(sk.mean_absolute_error(labels, result), 1e-5)
    assert over(train.MSE(), batches) == pytest.approx(sk.mean_squared_error(labels, result), 1e-5)
    wide = [tuple(rng.standard_normal((2, n, 3)).astype(np.float32)) for n in (5, 2)]
    x, y = (np.concatenate(part) for part in zip(*wide, strict=True))
    # sums over a sample, means over samples
    assert over(train.MAE(), wide) == pytest.approx(abs(x - y).sum(1).mean(), 1e-5)
    assert over(train.MSE(), wide) == pytest.approx(((x - y) ** 2).sum(1).mean(), 1e-5)


@SEEDS
def test_perplexity_and_loss(seed):
    batches, scores, labels = classified(seed)
    exact = scores.astype(np.float64)
    exact /= exact.sum(1, keepdims=True)
    want = math.exp(sk.log_loss(labels, exact, labels=range(CLASSES)))
    assert over(train.Perplexity(), batches) == pytest.approx(want, 1e-5)
    counted = labels != 2
    chosen = scores[np.arange(len(labels)), labels][counted]
    want = math.exp(-np.log(chosen).mean())
    assert over(train.Perplexity(ignore_label=2), batches) == pytest.approx(want, 1e-5)
    losses = np.random.default_rng(seed).random(6, np.float32)
    assert over(train.Loss(), [(v,) for v in losses]) == pytest.approx(losses.mean(), 1e-5)


@SEEDS
def test_dice(seed):
    rng = np.random.default_rng(seed)
    batches = [
        (rng.random((n, 4, 4), np.float32), rng.integers(0, 2, (n, 4, 4)).astype(np.float32))
        for n in (3, 1)
    ]
    # MindSpore divides the coefficients of batches by the number of samples
    want = sum(2 * (x * y).sum() / ((x * x).sum() + (y * y).sum()) for x, y in batches) / 4
    assert over(train.Dice(1e-9), batches) == pytest.approx(want, 1e-5)
    mask = (rng.random((1, 50)) > 0.5).astype(np.float32)
    other = (rng.random((1, 50)) > 0.5).astype(np.float32)
    want = sk.f1_score(mask[0], other[0])
    assert over(train.Dice(1e-9), [(mask, other)]) == pytest.approx(want, 1e-5)


@SEEDS
def test_cosine_similarity(seed):
    rows = np.random.default_rng(seed).standard_normal((6, 4)).astype(np.float32)
    whole = sk.pairwise.cosine_similarity(rows)
    empty = whole - np.diag(np.diag(whole))
    for zero, want in ((True, empty), (False, whole)):
        for reduction, reduced in (
            ("none", want),
            ("sum", want.sum(1)),
            ("mean", want.mean(1)),
        ):
            result = over(train.CosineSimilarity("cosine", reduction, zero), [(rows,)])
            np.testing.assert_allclose(result, reduced, rtol=1e-4, atol=1e-6)
    dots = over(train.CosineSimilarity("dot", "none", False), [(rows,)])
    np.testing.assert_allclose(dots, rows @ rows.T, rtol=1e-5)


def bleu(pairs, longest):
    """The score of a corpus as Papineni et al. define it."""
    logs = []
    for n in range(1, longest + 1):
        right = total = 0
        for words, references in pairs:
            grams = Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
            limits = [
                Counter(tuple(ref[i : i + n]) for i in range(len(ref) - n + 1))
                for ref in references
            ]
            right += sum(min(c, max(limit[g] for limit in limits)) for g, c in grams.items())
            total += sum(grams.values())
        if not right:
            return 0.0
        logs.append(math.log(right / total))
    mine = sum(len(words) for words, _ in pairs)
    theirs = sum(min((abs(len(r) - len(w)), len(r)) for r in refs)[1] for w, refs in pairs)
    return min(1.0, math.exp(1 - theirs / mine)) * math.exp(sum(logs) / longest)


@SEEDS
@pytest.mark.parametrize("longest", [1, 2, 3, 4])
def test_bleu(seed, longest):
    rng = np.random.default_rng(seed)

    def sentence(size):
        return [str(word) for word in rng.choice(list("aab"), size)]

    pairs = [(sentence(n), [sentence(n + 1), sentence(n + 2)]) for n in (6, 9, 12, 7)]
    metric = train.BleuScore(longest)
    for part in (pairs[:3], pairs[3:]):
        metric.update([words for words, _ in part], [references for _, references in part])
    assert metric.eval() == pytest.approx(bleu(pairs, longest), 1e-6)
    same = train.BleuScore(longest)
    same.update([pairs[0][0]], [[pairs[0][0]]])
    assert same.eval() == pytest.approx(1.0)
    other = train.BleuScore(longest)
    other.update([["x"] * 5], [[["y"] * 5]])
    assert other.eval() == 0.0


@SEEDS
def test_occlusion_sensitivity(seed):
    rng = np.random.default_rng(seed)
    image = rng.random((1, 1, 4, 4), np.float32)
    weights = rng.standard_normal((16, 2)).astype(np.float32)
    net = nn.SequentialCell(nn.Flatten(), nn.Dense(16, 2, ms.Tensor(weights.T), "zeros"))
    metric = train.OcclusionSensitivity(pad_val=0.0, margin=1, n_batch=1)
    metric.update(net, ms.Tensor(image), ms.Tensor(np.array([[1]]), ms.int32))
    array = np.asarray(metric.eval())
    whole = (image.reshape(1, 16) @ weights)[0, 1]
    want = np.empty((4, 4))
    for i in range(4):
        for j in range(4):
            hidden = image.copy()
            hidden[..., max(i - 1, 0) : i + 1, max(j - 1, 0) : j + 1] = 0
            want[i, j] = whole - (hidden.reshape(1, 16) @ weights)[0, 1]
    np.testing.assert_allclose(array.reshape(4, 4), want, rtol=1e-4, atol=1e-5)
