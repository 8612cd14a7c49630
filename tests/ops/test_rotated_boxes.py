"""Overlap of turned rectangles."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import Tensor, ops


def overlap(first, second, **options) -> np.ndarray:
    boxes = [Tensor(np.array(b, np.float64).reshape(1, -1, 5)) for b in (first, second)]
    return ops.rotated_iou(*boxes, **options).asnumpy()[0]


SQUARE = [0, 0, 2, 2, 0]


@pytest.mark.parametrize(
    ("other", "common", "area"),
    [
        (SQUARE, 4, 4),
        ([0, 0, 2, 2, 90], 4, 4),
        ([1, 0, 2, 2, 0], 2, 4),
        ([0, 0, 1, 1, 30], 1, 1),
        ([0, 0, 8, 8, 45], 4, 64),
        ([3, 3, 1, 1, 20], 0, 1),
        ([2, 0, 2, 2, 0], 0, 4),  # side by side
        ([0, 0, 2, 2, 45], 8 * (np.sqrt(2) - 1), 4),  # an octagon
        ([0, 0, 2 * np.sqrt(2), 2 * np.sqrt(2), 45], 4, 8),
    ],
)
def test_known_areas(other, common, area):
    assert overlap(SQUARE, other) == pytest.approx(common / (4 + area - common), abs=1e-6)
    assert overlap(SQUARE, other, mode=1) == pytest.approx(common / 4, abs=1e-6)
    assert overlap(other, SQUARE) == pytest.approx(common / (4 + area - common), abs=1e-6)


def test_against_points_drawn_at_random():
    rng = np.random.default_rng(0)
    boxes = rng.uniform([-1, -1, 1, 1, 0], [1, 1, 3, 3, 180], (4, 5))
    points = rng.uniform(-4, 4, (200_000, 2))

    def holds(box):
        x, y, width, height, angle = box
        turn = np.deg2rad(angle)
        away = points - (x, y)
        along = away @ (np.cos(turn), np.sin(turn))
        across = away @ (-np.sin(turn), np.cos(turn))
        return (abs(along) <= width / 2) & (abs(across) <= height / 2)

    inside = [holds(b) for b in boxes]
    expected = [[(p & q).sum() / (p | q).sum() for q in inside] for p in inside]
    np.testing.assert_allclose(overlap(boxes, boxes), expected, atol=0.02)


def test_corners_and_pairs():
    by_corners = overlap([-1, -1, 1, 1, 0], [0, -1, 2, 1, 0], trans=True)
    assert by_corners == pytest.approx(1 / 3)
    boxes = Tensor([[SQUARE, [5, 5, 1, 1, 0]]], ms.float16)
    others = Tensor([[[1, 0, 2, 2, 0], [5, 5, 1, 1, 90]]], ms.float16)
    pairs = ops.rotated_iou(boxes, others, is_cross=False)
    assert (pairs.dtype, pairs.shape) == (ms.float16, (1, 2))
    assert pairs.asnumpy()[0] == pytest.approx([1 / 3, 1], abs=1e-3)
