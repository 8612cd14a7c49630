"""Metrics: values recorded from MindSpore 2.10, several batches, and bad input."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import nn, train
from agar.nn.metrics import get_metrics

P = np.array([[0.2, 0.5, 0.3], [0.3, 0.1, 0.6], [0.9, 0.05, 0.05], [0.1, 0.8, 0.1]], np.float32)
Y = np.array([1, 0, 0, 1], np.int32)
HOT = np.eye(3, dtype=np.float32)[Y]
LABELS = (np.array([[0, 1, 1], [1, 0, 1]]), np.array([[0, 1, 1], [1, 0, 0]]))


def over(metric, *batches):
    metric.clear()
    for batch in batches:
        metric.update(*batch)
    return metric.eval()


def t(*arrays):
    return tuple(ms.Tensor(np.asarray(a)) for a in arrays)


FIGURES = [
    ("train.Accuracy()", [t(P, Y)], 0.75),
    ("train.Accuracy()", [t(P, HOT)], 0.75),
    ("train.Accuracy()", [(P, Y)], 0.75),
    ("train.Accuracy()", [([[0.2, 0.8], [0.6, 0.4]], [1, 1])], 0.5),
    ("train.Accuracy()", [t(P, Y), t(P, np.zeros(4, np.int32))], 0.5),
    ("train.Accuracy('multilabel')", [t(*LABELS)], 0.5),
    ("train.Top1CategoricalAccuracy()", [t(P, Y)], 0.75),
    ("train.TopKCategoricalAccuracy(2)", [t(P, HOT)], 1.0),
    ("train.Precision()", [t(P, Y)], [1.0, 1.0, 0.0]),
    ("train.Recall()", [t(P, Y)], [0.5, 1.0, 0.0]),
    ("train.Precision('multilabel')", [t(*LABELS)], [1.0, 0.5]),
    ("train.Recall('multilabel')", [t(*LABELS)], [1.0, 1.0]),
    ("train.F1()", [t(P, Y)], [0.66666667, 1.0, 0.0]),
    ("train.Fbeta(2)", [t(P, Y)], [0.55555556, 1.0, 0.0]),
    ("train.MAE()", [t([1.0, 2.0, 3.0], [2.0, 2.0, 5.0])], 1.0),
    ("train.MSE()", [t([1.0, 2.0, 3.0], [2.0, 2.0, 5.0])], 1.6666666666666667),
    ("train.MSE()", [t([[1.0, 2.0, 3.0]], [[2.0, 2.0, 5.0]])], 5.0),
    ("train.MSE()", [t([[1.0, 2], [3, 4]], [[2.0, 2], [5, 5]]), t([[1.0, 2]], [[2.0, 2]])], 7 / 3),
    ("train.Loss()", [t(2.0), t([3.0])], 2.5),
    ("train.Loss()", [t([1.0, 2.0])], 1.5),
    ("train.Perplexity()", [t(P, Y)], 1.7443919132100643),
    ("train.Perplexity(ignore_label=0)", [t(P, Y)], 1.58113880522986),
    ("train.Dice()", [t([[0.2, 0.5], [0.3, 0.1]], [[0.0, 1], [1, 0]])], 0.334726623238693),
    (
        "train.CosineSimilarity()",
        [t([[1.0, 3, 4], [2, 4, 1]])],
        [[0.0, 0.7703288], [0.7703288, 0.0]],
    ),
    (
        "train.CosineSimilarity('cosine', 'mean', False)",
        [t([[1.0, 3, 4], [2, 4, 1]])],
        [0.8851644, 0.8851644],
    ),
    ("train.ConfusionMatrix(2)", [t([1.0, 0, 1, 0], [1.0, 0, 0, 1])], [[1, 1], [1, 1]]),
    ("train.ConfusionMatrix(2, 'target')", [t([1, 0, 1, 0], [1, 0, 0, 1])], [[0.5, 0.5]] * 2),
    ("train.ConfusionMatrix(2, 'all')", [t([1, 0, 1, 0], [1, 0, 0, 1])], [[0.25, 0.25]] * 2),
    (
        "train.BleuScore()",
        [
            (
                [["i", "have", "a", "pen", "on", "my", "desk"]],
                [
                    [
                        ["i", "have", "a", "pen", "in", "my", "desk"],
                        ["there", "is", "a", "pen", "on", "the", "desk"],
                    ]
                ],
            )
        ],
        0.5946035575013605,
    ),
]


@pytest.mark.parametrize(("text", "batches", "want"), FIGURES)
def test_figures(text, batches, want):
    metric = eval(text, {"train": train})
    np.testing.assert_allclose(over(metric, *batches), want, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(over(metric, *batches), want, rtol=1e-6, atol=1e-9)  # after clear


def test_roc_and_auc():
    fpr, tpr, thresholds = over(train.ROC(pos_label=1), t([0.0, 1, 2, 3], [0, 1, 1, 1]))
    np.testing.assert_allclose(fpr, [0, 0, 0, 0, 1])
    np.testing.assert_allclose(tpr, [0, 1 / 3, 2 / 3, 1, 1])
    np.testing.assert_allclose(thresholds, [4, 3, 2, 1, 0])
    assert train.auc(fpr, tpr) == 1.0
    assert train.auc(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0])) == 0.75
    with pytest.raises(ValueError, match="no positive samples"):
        over(train.ROC(class_num=3), t(P, Y))


def test_batches_do_not_matter():
    rng = np.random.RandomState(0)
    scores, labels = rng.rand(12, 4).astype(np.float32), rng.randint(0, 4, 12)
    for make in (train.Accuracy, train.Precision, train.Recall, train.F1, train.Perplexity):
        whole = over(make(), (scores, labels))
        parts = over(make(), *((scores[i : i + 5], labels[i : i + 5]) for i in (0, 5, 10)))
        np.testing.assert_allclose(whole, parts)


def test_averages():
    for make, want in ((train.F1, 0.5555555555555555), (train.Precision, 0.6666666666666666)):
        metric = make()
        metric.clear()
        metric.update(P, Y)
        assert metric.eval(True) == pytest.approx(want)


def test_indexes_choose_the_inputs():
    metric = train.Accuracy().set_indexes([2, 0])
    assert metric.indexes == [2, 0]
    assert over(metric, (Y, None, P)) == 0.75
    for bad in (0, [0, "a"]):
        with pytest.raises(ValueError, match="set_indexes"):
            train.Accuracy().set_indexes(bad)


def test_names():
    assert "acc" in train.names()
    assert nn.Accuracy is train.Accuracy
    assert type(train.get_metric_fn("topk", 2)) is train.TopKCategoricalAccuracy
    assert set(get_metrics({"acc", "loss"})) == {"acc", "loss"}
    assert get_metrics(None) == {}
    for bad in ("x", 5):
        with pytest.raises(KeyError, match="unsupported metric"):
            train.get_metric_fn(bad)
    for bad in (5, {"a": 5}, {1: train.Loss()}):
        with pytest.raises(TypeError, match="get_metrics"):
            get_metrics(bad)


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        ("over(train.Accuracy())", RuntimeError, "number of samples is 0"),
        ("over(train.MSE())", RuntimeError, "number of samples is 0"),
        ("over(train.Precision())", RuntimeError, "number of samples is 0"),
        ("over(train.Accuracy(), (P,))", ValueError, "needs 2 inputs.*but got 1"),
        ("over(train.Loss(), (P, Y))", ValueError, "needs 1 input .*but got 2"),
        ("over(train.Accuracy(), (P, Y[:2]))", ValueError, r"\(4, 3\).*\(2,\)"),
        ("over(train.Accuracy(), (P, Y.reshape(2, 2)))", ValueError, "dimension: 2"),
        ("over(train.Accuracy(), (P, Y + 2))", ValueError, r"\[0, 3\)"),
        ("over(train.Accuracy(), ('a', Y))", TypeError, "'a'"),
        ("over(train.Accuracy('multilabel'), (P, P))", ValueError, "0 or 1"),
        ("train.Accuracy('x')", TypeError, "multilabel"),
        ("train.TopKCategoricalAccuracy(0)", ValueError, "at least 1"),
        ("train.TopKCategoricalAccuracy(1.5)", TypeError, "int"),
        ("over(train.Top5CategoricalAccuracy(), (P, Y))", ValueError, "at least 5 classes"),
        ("train.Fbeta(0)", ValueError, "greater than 0"),
        ("over(train.Perplexity(), (P, Y[:2]))", RuntimeError, r"\(4, 3\).*\(2,\)"),
        ("over(train.ConfusionMatrix(2), (Y + 5, Y))", ValueError, r"\[0, 2\)"),
        ("train.Metric()", TypeError, "abstract"),
    ],
)
def test_errors(call, kind, words):
    with pytest.raises(kind, match=words):
        eval(call, {"train": train, "over": over, "P": P, "Y": Y})
