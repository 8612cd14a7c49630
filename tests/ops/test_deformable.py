"""Convolution and attention with learned offsets."""

from __future__ import annotations

import numpy as np

from agar import Tensor, ops

# MindSpore 2.10 on the arrays below
SUMS = [10.020477, 25.875519, 28.47873]
FIRST = [
    [-2.40815997, 3.33824015, -3.16864061],
    [5.28800011, -0.844000459, -6.88480091],
    [6.16400051, 1.11247969, -2.99135947],
]
LAST = [
    [15.7540817, -14.7659187, -7.03807926],
    [0.504800797, -7.27279902, -3.65680051],
    [-5.86527681, -1.87152052, -1.78847837],
]


def convolution(bias=None):
    x = Tensor(np.arange(100).reshape(2, 2, 5, 5).astype(np.float32) / 10)
    weight = Tensor((np.arange(54).reshape(3, 2, 3, 3) % 7).astype(np.float32) / 5)
    places = (np.arange(486).reshape(2, 27, 3, 3) * 7 % 11) / 5 - 1
    offsets = Tensor(places.astype(np.float32))
    return ops.deformable_conv2d(
        x, weight, offsets, (3, 3), (1, 1, 1, 1), (0, 0, 0, 0), bias
    ).asnumpy()


def test_deformable_convolution_as_in_mindspore():
    got = convolution()
    np.testing.assert_allclose(got[0, 0], FIRST, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(got[1, 2], LAST, rtol=1e-4, atol=1e-4)
    biased = convolution(Tensor([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(biased.sum((0, 2, 3)), SUMS, rtol=1e-4)


def test_without_offsets_it_is_a_convolution():
    rng = np.random.default_rng(1)
    x, weight = Tensor(rng.normal(size=(1, 4, 6, 7))), Tensor(rng.normal(size=(6, 2, 3, 2)))
    offsets = np.zeros((1, 3, 2 * 6, 3, 4))
    offsets[:, 2] = 1
    got = ops.deformable_conv2d(
        x, weight, Tensor(offsets.reshape(1, 36, 3, 4)), (3, 2), (1, 1, 2, 2), (1, 0, 1, 0),
        groups=2, deformable_groups=2,
    )  # fmt: skip
    padded = ops.pad(x, (1, 0, 1, 0))
    expected = ops.conv2d(padded, weight, stride=2, groups=2, pad_mode="valid")
    np.testing.assert_allclose(got.asnumpy(), expected.asnumpy(), rtol=1e-9)


def test_attention_reads_between_pixels():
    rng = np.random.default_rng(2)
    sizes, begins = [[2, 3], [4, 2]], [0, 6]
    value, weight = rng.normal(size=(2, 14, 3, 8)), rng.random((2, 5, 3, 2, 4))
    where = rng.random((2, 5, 3, 2, 4, 2)) * 1.4 - 0.2
    got = ops.multi_scale_deformable_attn_function(
        Tensor(value), Tensor(sizes), Tensor(begins), Tensor(where), Tensor(weight)
    ).asnumpy()

    def read(plane, x, y):
        height, width, _ = plane.shape
        x, y = x * width - 0.5, y * height - 0.5
        total = np.zeros(8)
        for row in (int(np.floor(y)), int(np.floor(y)) + 1):
            for column in (int(np.floor(x)), int(np.floor(x)) + 1):
                if 0 <= row < height and 0 <= column < width:
                    share = (1 - abs(y - row)) * (1 - abs(x - column))
                    total = total + share * plane[row, column]
        return total

    expected = np.zeros((2, 5, 3, 8))
    for b, query, head, level, point in np.ndindex(2, 5, 3, 2, 4):
        height, width = sizes[level]
        first = begins[level]
        plane = value[b, first : first + height * width, head].reshape(height, width, 8)
        place = where[b, query, head, level, point]
        share = weight[b, query, head, level, point]
        expected[b, query, head] += share * read(plane, *place)
    np.testing.assert_allclose(got, expected.reshape(2, 5, 24), rtol=1e-6, atol=1e-9)
