"""8-bit images by OpenCV and by numpy: the same pixels."""

from __future__ import annotations

import multiprocessing
import sys

import numpy as np
import pytest

from agar.dataset import vision
from agar.dataset.vision import _cv
from agar.dataset.vision.utils import Inter

SIZES = [(7, 9), (1, 1), (1, 6), (30, 44), (64, 64), (121, 200)]


@pytest.fixture(autouse=True)
def _needs_opencv():
    pytest.importorskip("cv2")


def image(size, channels):
    shape = size if channels is None else (*size, channels)
    return np.random.default_rng(sum(size)).integers(0, 256, shape, np.uint8)


def both(monkeypatch, function):
    """What OpenCV gives and what numpy gives."""
    calls = []
    real = pytest.importorskip("cv2")

    class Noting:
        def __getattr__(self, name):
            calls.append(name)
            return getattr(real, name)

    monkeypatch.setattr(_cv, "opencv", Noting)
    first = function()
    assert calls  # OpenCV was asked
    monkeypatch.setattr(_cv, "opencv", lambda: None)
    return first, function()


def same(monkeypatch, function):
    fast, plain = both(monkeypatch, function)
    assert fast.dtype == plain.dtype
    assert fast.shape == plain.shape
    assert np.array_equal(fast, plain)


@pytest.mark.parametrize("channels", [None, 1, 3, 4])
@pytest.mark.parametrize("mode", [_cv.LINEAR, _cv.NEAREST, "area"])
@pytest.mark.parametrize("size", SIZES)
def test_resize(monkeypatch, size, mode, channels):
    source = image(size, channels)
    for height, width in [(5, 5), (2 * size[0], 2 * size[1]), (1, 3), (33, 70), (60, 22)]:
        if (height, width) != size:
            same(monkeypatch, lambda h=height, w=width: _cv.resize(source, h, w, mode))


@pytest.mark.parametrize("channels", [None, 1, 3, 4])
@pytest.mark.parametrize("size", SIZES)
def test_filters(monkeypatch, size, channels):
    source = image(size, channels)
    kernel = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]], np.float32) / np.float32(13)
    same(monkeypatch, lambda: _cv.filter3x3(source, kernel))
    for extent, sigma in [((3, 3), (1.0, 0.0)), ((5, 3), (0.7, 2.0)), ((1, 7), (0.0, 0.0))]:
        same(monkeypatch, lambda e=extent, s=sigma: _cv.gaussian_blur(source, e, s))


def test_other_types_and_modes_stay_with_numpy(monkeypatch):
    monkeypatch.setattr(_cv, "opencv", lambda: pytest.fail("OpenCV was asked"))
    source = image((8, 8), 3)
    assert _cv.resize(source, 5, 5, _cv.CUBIC).shape == (5, 5, 3)
    assert _cv.resize(source.astype(np.float32), 5, 5, _cv.LINEAR).dtype == np.float32
    assert _cv.resize(image((8, 8), 5), 4, 4, _cv.LINEAR).shape == (4, 4, 5)


def _resized(source, results):
    results.put(vision.Resize((40, 40), Inter.LINEAR)(source))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_forked_worker_computes():
    source = image((300, 300), 3)
    expected = vision.Resize((40, 40), Inter.LINEAR)(source)  # OpenCV's threads are there
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    worker = context.Process(target=_resized, args=(source, results))
    worker.start()
    assert np.array_equal(results.get(timeout=60), expected)
    worker.join(60)
    assert worker.exitcode == 0


@pytest.mark.parametrize("channels", [None, 1, 3, 4])
def test_flip(monkeypatch, channels):
    for size in SIZES:
        source = image(size, channels)
        same(monkeypatch, lambda s=source: vision.HorizontalFlip()(s))
