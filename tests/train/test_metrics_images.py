"""Metrics over images and over confusion matrices, with figures of MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import nn, train

_rng = np.random.RandomState(3)
A, B = (_rng.rand(9, 11) > 0.4).astype(int), (_rng.rand(9, 11) > 0.5).astype(int)
A3, B3 = (_rng.rand(5, 6, 7) > 0.3).astype(int), (_rng.rand(5, 6, 7) > 0.4).astype(int)
EMPTY, POINT = np.zeros((3, 3), int), np.pad([[1]], 1)
KINDS = ("euclidean", "chessboard", "taxicab")


def evaluated(metric, *inputs):
    metric.clear()
    metric.update(*(ms.Tensor(v) if isinstance(v, np.ndarray) else v for v in inputs))
    return metric.eval()


@pytest.mark.parametrize(
    ("options", "images", "expected"),
    [
        ({}, (A, B, 1), 2.0),
        ({"percentile": 0.0}, (A, B, 1), 2.0),
        ({"percentile": 50.0}, (A, B, 1), 1.0),
        ({"percentile": 95.0}, (A, B, 1), 1.4142135623730951),
        ({"crop": False}, (A, B, 1), 2.0),
        ({"directed": True}, (A, B, 1), 2.0),
        ({}, (A, B, 0), 2.0),
        ({}, (A.astype(bool), B.astype(bool), 0), 2.0),
        ({}, (A3, B3, 1), 1.0),
        ({}, (EMPTY, POINT, 1), np.inf),
        ({"directed": True}, (POINT, EMPTY, 1), np.inf),
        ({}, (POINT, POINT, 1), np.inf),  # cut to its box, a point has no outline
        ({"crop": False}, (POINT, POINT, 1), 0.0),
    ],
)
def test_hausdorff_distance(options, images, expected):
    assert evaluated(train.HausdorffDistance(**options), *images) == expected


@pytest.mark.parametrize("kind", KINDS[1:])
def test_whole_distances_are_integers(kind):
    result = evaluated(train.HausdorffDistance(kind), A, B, 1)
    assert (result, result.dtype) == (2, np.int32)


SURFACES = {
    ("MeanSurfaceDistance", False): (0.6047565601757847, 0.5740740740740741, 0.6481481481481481),
    ("MeanSurfaceDistance", True): (0.5558721856702986, 0.5317178881008668, 0.5900315208825847),
    ("RootMeanSquareDistance", False): (0.6851851851851852, 0.6111111111111112, 0.8333333333333334),
    ("RootMeanSquareDistance", True): (0.780096173174246, 0.7417792168963655, 0.8515734289916161),
}


@pytest.mark.parametrize(("name", "symmetric"), SURFACES)
def test_surface_distances(name, symmetric):
    for kind, expected in zip(KINDS, SURFACES[name, symmetric], strict=True):
        result = evaluated(getattr(train, name)(symmetric, kind), A, B, 1)
        assert result == pytest.approx(expected, rel=1e-12)
    plain = getattr(train, name)()
    assert evaluated(plain, A3, B3, 1) == pytest.approx(0.425531914893617, rel=1e-12)
    assert evaluated(plain, EMPTY, POINT, 1) == np.inf
    assert evaluated(plain, POINT, EMPTY, 1) == np.inf


def test_an_image_of_bool_is_the_region_itself():
    result = evaluated(train.MeanSurfaceDistance(), A.astype(bool), B.astype(bool), 0)
    assert result == pytest.approx(0.6047565601757847, rel=1e-12)


def test_distances_agree_with_a_search_over_all_points():
    metric = train.MeanSurfaceDistance()
    metric.update(A3, B3, 1)
    pred, true = metric._outlines
    for kind, norm in ((KINDS[0], 2), (KINDS[1], np.inf), (KINDS[2], 1)):
        metric.distance_metric = kind
        steps = np.argwhere(pred)[:, None] - np.argwhere(true)[None]
        expected = np.linalg.norm(steps, norm, axis=2).min(1)
        np.testing.assert_allclose(metric._distances()[0], expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["HausdorffDistance", *dict.fromkeys(n for n, _ in SURFACES)])
def test_distances_are_checked(name):
    metric = getattr(train, name)()
    with pytest.raises(RuntimeError, match="update"):
        metric.eval()
    wrong_label = TypeError if name == "RootMeanSquareDistance" else ValueError
    for inputs, error, words in (
        ((A, B), ValueError, "3 inputs"),
        ((A, B, "a"), wrong_label, "int or float"),
        ((A, B, 7), ValueError, "label index 7"),
        ((A, B[1:], 1), ValueError, "one shape"),
        (("a", B, 1), TypeError, "Tensors"),
    ):
        with pytest.raises(error, match=words):
            metric.update(*inputs)
    with pytest.raises(ValueError, match="distance_metric"):
        getattr(train, name)(distance_metric="x")


def test_options_of_hausdorff_distance_are_checked():
    for options in ({"percentile": 50}, {"directed": 1}, {"crop": 3}):
        with pytest.raises(TypeError, match=next(iter(options))):
            train.HausdorffDistance(**options)
    with pytest.raises(ValueError, match="percentile"):
        evaluated(train.HausdorffDistance(percentile=101.0), A, B, 1)
    with pytest.raises(TypeError, match="symmetric"):
        train.MeanSurfaceDistance(symmetric=1)


# ------------------------------------------------------------------- confusion matrices

Y = np.array([[[1, 0], [0, 1], [1, 0]], [[0, 1], [1, 1], [0, 0]]])
PRED = np.array([[[1, 1], [0, 0], [1, 0]], [[0, 1], [0, 1], [1, 0]]])
ONE_HOT = np.eye(3, dtype=int)
LABEL, GUESS = ONE_HOT[[0, 1, 2, 1, 0]], ONE_HOT[[0, 2, 2, 1, 1]]

#: metric: of segmentation, of classification, and of segmentation for each sample
RATES = {
    "sensitivity": (2 / 3, 0.6, 0.7083333333333333),
    "specificity": (2 / 3, 0.8, 0.7083333333333333),
    "precision": (2 / 3, 0.6, 0.7083333333333333),
    "negative predictive value": (2 / 3, 0.8, 0.7083333333333333),
    "miss rate": (1 / 3, 0.4, 0.29166666666666663),
    "fall out": (1 / 3, 0.2, 0.29166666666666663),
    "false discovery rate": (1 / 3, 0.4, 0.29166666666666663),
    "false omission rate": (1 / 3, 0.2, 0.29166666666666663),
    "prevalence threshold": (0.41421356237309503, 0.36602540378443854, 0.0),
    "threat score": (0.5, 0.42857142857142855, 0.5),
    "accuracy": (2 / 3, 0.7333333333333333, 2 / 3),
    "balanced accuracy": (2 / 3, 0.7, 0.8333333333333333),
    "f1 score": (2 / 3, 0.6, 0.5555555555555555),
    "matthews correlation coefficient": (1 / 3, 0.4, 1.0),
    "fowlkes mallows index": (2 / 3, 0.6, 0.8535533905932737),
    "informedness": (1 / 3, 0.4, 2 / 3),
    "markedness": (1 / 3, 0.4, 2 / 3),
}


@pytest.mark.parametrize("name", RATES)
def test_confusion_matrix_metric(name):
    segmentation, classification, per_sample = RATES[name]
    metric = train.ConfusionMatrixMetric(metric_name=name)
    np.testing.assert_allclose(evaluated(metric, PRED, Y), [segmentation], rtol=1e-12)
    np.testing.assert_allclose(evaluated(metric, GUESS, LABEL), [classification], rtol=1e-12)
    metric = train.ConfusionMatrixMetric(metric_name=name, calculation_method=True)
    result = evaluated(metric, PRED[..., None], Y[..., None])
    assert isinstance(result, float)
    assert result == pytest.approx(per_sample, rel=1e-12)


def test_the_first_class_may_be_background():
    for options, expected in (({}, [0.5]), ({"calculation_method": True}, 0.5)):
        metric = train.ConfusionMatrixMetric(False, "tpr", **options)
        np.testing.assert_array_equal(evaluated(metric, PRED, Y), expected)


@pytest.mark.parametrize(
    ("decrease", "expected"),
    [
        ("sum", 3.5),
        ("sum_batch", [2.0, 0.5, 1.0]),
        ("mean_batch", [1.0, 0.25, 1.0]),
        ("sum_channel", [2.0, 1.5]),
        ("mean_channel", [2 / 3, 0.75]),
        ("none", [[1, 0, 1], [1, 0.5, 0]]),  # the last has no positives, and so no rate
    ],
)
def test_rates_per_sample_are_put_together(decrease, expected):
    metric = train.ConfusionMatrixMetric(True, "tpr", True, decrease)
    np.testing.assert_allclose(evaluated(metric, PRED, Y), expected, rtol=1e-12)


def test_batches_add_up():
    metric = train.ConfusionMatrixMetric(metric_name="acc")
    metric.clear()
    metric.update(PRED, Y)
    metric.update(Y, Y)
    np.testing.assert_allclose(metric.eval(), [(8 + 12) / 24], rtol=1e-12)


def test_confusion_matrix_metrics_are_checked():
    for make, error in (
        (lambda: train.ConfusionMatrixMetric(metric_name=3), TypeError),
        (lambda: train.ConfusionMatrixMetric(decrease="x"), ValueError),
        (lambda: train.ConfusionMatrixMetric(skip_channel=1), TypeError),
    ):
        with pytest.raises(error):
            make()
    assert np.isnan(train.ConfusionMatrixMetric().eval()).all()
    with pytest.raises(RuntimeError, match="update"):
        train.ConfusionMatrixMetric(calculation_method=True).eval()
    with pytest.raises(NotImplementedError, match="nonsense"):
        evaluated(train.ConfusionMatrixMetric(metric_name="nonsense"), PRED, Y)
    for inputs, words in (
        ((PRED, Y[:, :2]), "one shape"),
        ((PRED[0, 0], Y[0, 0]), "one shape"),
        ((PRED, Y * 0.5), "binarized"),
    ):
        with pytest.raises(ValueError, match=words):
            evaluated(train.ConfusionMatrixMetric(), *inputs)
    with pytest.raises(ValueError, match="calculation_method=False"):
        evaluated(train.ConfusionMatrixMetric(calculation_method=True), GUESS, LABEL)


# ------------------------------------------------------------------------- occlusion


class Scores(nn.Cell):
    def __init__(self):
        super().__init__()
        weight = np.random.RandomState(1).rand(3, 20).astype("float32")
        self.dense = nn.Dense(20, 3, weight_init=ms.Tensor(weight), has_bias=False)

    def construct(self, x):
        return self.dense(x.reshape(x.shape[0], -1))


IMAGE = np.random.RandomState(2).rand(1, 4, 5).astype("float32")
FALLS = [
    [0.68714786, 0.8836107, 1.2358847, 1.1939626, 1.1514552],
    [0.97106004, 1.2964358, 1.9225318, 1.9471328, 1.6817997],
    [1.8051004, 2.5429788, 3.184557, 3.0211182, 2.16953],
    [1.4308765, 1.9964775, 2.3366723, 2.153948, 1.3274634],
]


def occlusion(label=1, **options):
    return evaluated(train.OcclusionSensitivity(**options), Scores(), IMAGE, np.array(label))


def test_occlusion_sensitivity():
    result = occlusion()
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, FALLS, rtol=1e-6)
    np.testing.assert_allclose(occlusion([1]), FALLS, rtol=1e-6)
    np.testing.assert_allclose(occlusion(n_batch=3, margin=[2, 2]), FALLS, rtol=1e-6)
    falls = np.array(FALLS)
    np.testing.assert_allclose(occlusion(b_box=[1, 2, 0, 3]), falls[1:3, :4], rtol=1e-6)
    np.testing.assert_allclose(occlusion(b_box=[-1, -1, 2, -1]), falls[:, 2:], rtol=1e-6)


def test_occlusion_sensitivity_is_checked():
    metric = train.OcclusionSensitivity()
    with pytest.raises(RuntimeError, match="update"):
        metric.eval()
    for inputs, error, words in (
        ((Scores(), IMAGE), ValueError, "3 inputs"),
        ((Scores(), np.concatenate([IMAGE, IMAGE]), np.array(1)), RuntimeError, "one image"),
        ((Scores(), IMAGE, np.array([1, 1])), RuntimeError, "one label"),
        ((Scores(), IMAGE, 1), TypeError, "Tensors"),
        ((abs, IMAGE, np.array(1)), TypeError, "Cell"),
    ):
        with pytest.raises(error, match=words):
            metric.update(*inputs)
    for box, words in (
        ([1, 2], "two numbers"),
        ([1, 9, 0, 3], "smaller"),
        ([2, 1, 0, 3], "behind"),
    ):
        with pytest.raises(ValueError, match=words):
            occlusion(b_box=box)
    with pytest.raises(ValueError, match="margin"):
        occlusion(margin=[1])
    for options in ({"pad_val": 1}, {"margin": "a"}, {"n_batch": 1.0}, {"b_box": (1, 2)}):
        with pytest.raises(TypeError, match=next(iter(options))):
            train.OcclusionSensitivity(**options)


def test_metrics_have_names():
    for name in (
        "confusion_matrix_metric",
        "hausdorff_distance",
        "mean_surface_distance",
        "occlusion_sensitivity",
        "root_mean_square_distance",
    ):
        assert name in train.names()
        assert isinstance(train.get_metric_fn(name), train.Metric)
        cls = type(train.get_metric_fn(name)).__name__
        assert getattr(nn, cls) is getattr(ms, cls) is getattr(train, cls)
