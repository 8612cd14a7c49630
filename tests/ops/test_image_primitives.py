"""Colors, windows, suppression, fractional pooling: MindSpore 2.10's figures, and references."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

import agar as ms
from agar import ops

IMAGE = np.array(
    [
        [[0.1, 0.2, 0.3], [0.9, 0.1, 0.4]],
        [[0.5, 0.5, 0.5], [0, 0, 0]],
        [[-1, 2, 0.5], [200, 100, 250]],
    ],
    np.float32,
)


def near(found, expected, tolerance=1e-4):
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=tolerance, atol=tolerance)


# ------------------------------------------------------------------------------------ colors


def test_hue_and_saturation():
    near(
        ops.AdjustHue()(ms.Tensor(IMAGE), ms.Tensor(1.6)),
        [
            [[0.28, 0.3, 0.1], [0.1, 0.72, 0.9]],
            [[0.5, 0.5, 0.5], [0, 0, 0]],
            [[2, -0.7, -1], [100, 250, 140]],
        ],
    )
    near(
        ops.AdjustSaturation()(ms.Tensor(IMAGE), ms.Tensor(3.0)),
        [
            [[0, 0.15, 0.3], [0.9, 0, 0.3375]],
            [[0.5, 0.5, 0.5], [0, 0, 0]],
            [[0, 2, 1], [166.6667, 0, 250]],
        ],
    )
    near(ops.AdjustSaturation()(ms.Tensor(IMAGE[:1]), ms.Tensor(-1.0)), [[[0.3] * 3, [0.9] * 3]])
    assert ops.AdjustHue()(ms.Tensor(IMAGE.astype(np.float16)), 0.3).dtype == ms.float16


def test_colour_spaces():
    near(
        ops.RGBToHSV()(ms.Tensor(IMAGE)),
        [
            [[0.583333, 0.666667, 0.3], [0.9375, 0.888889, 0.9]],
            [[0, 0, 0.5], [0, 0, 0]],
            [[0.416667, 1.5, 2], [0.777778, 0.6, 250]],
        ],
    )
    outside = ms.Tensor([[[[1.3, 0.5, 0.5], [-0.2, 1.5, 0.7], [1.0, 1.0, 1.0]]]])
    near(ops.HSVToRGB()(outside), [[[[0.5, 0.25, 0.25], [0.7, -0.35, -0.35], [1, 0, 0]]]])
    colors = ms.Tensor(np.random.RandomState(0).rand(1, 4, 5, 3))
    near(ops.HSVToRGB()(ops.RGBToHSV()(colors)), colors.asnumpy(), 1e-12)


# ------------------------------------------------------------------------------------ windows

GRID = ms.Tensor(np.arange(1, 26, dtype=np.float32).reshape(1, 5, 5, 1))


@pytest.mark.parametrize(
    ("centered", "normalized", "size", "offset", "expected"),
    [
        (False, False, (3, 2), (2.0, 3.0), [[3, 4], [8, 9], [13, 14]]),
        (False, True, (3, 2), (0.4, -0.2), [[0, 0], [0, 0], [0, 0]]),
        (True, False, (3, 2), (0.4, -0.2), [[7, 8], [12, 13], [17, 18]]),
        (True, True, (3, 2), (0.4, -0.2), [[12, 13], [17, 18], [22, 23]]),
        (False, False, (3, 4), (0.5, 4.6), [[0, 0, 0, 0], [3, 4, 5, 0], [8, 9, 10, 0]]),
        (True, True, (4, 4), (-1.0, 1.0), [[0] * 4, [0] * 4, [4, 5, 0, 0], [9, 10, 0, 0]]),
    ],
)
def test_glimpses(centered, normalized, size, offset, expected):
    glimpse = ops.ExtractGlimpse(centered, normalized, False, "zero")
    near(glimpse(GRID, ms.Tensor(size), ms.Tensor([offset]))[0, ..., 0], expected)


@pytest.mark.parametrize(
    ("noise", "mean", "spread"), [("uniform", 0, 0.577), ("gaussian", 10, 0.5)]
)
def test_noise_of_glimpses(noise, mean, spread):
    glimpse = ops.ExtractGlimpse(False, False, False, noise)
    values = glimpse(GRID, ms.Tensor([60, 60]), ms.Tensor([[-90.0, -90.0]])).asnumpy()
    assert values.mean() == pytest.approx(mean, abs=0.05)
    assert values.std() == pytest.approx(spread, abs=0.02)


@pytest.mark.parametrize(
    ("kernel", "antialias", "expected"),
    [
        ("lanczos1", True, [[2.549549, 6.567767], [5.07707, 9.623615]]),
        ("lanczos3", True, [[0.79663, 4.939877], [3.882928, 9.083872]]),
        ("lanczos5", False, [[2.783888, 6.905256], [3.271036, 7.982034]]),
        ("gaussian", True, [[3.090078, 6.533116], [6.902656, 11.023647]]),
        ("gaussian", False, [[2.872533, 6.937811], [6.663651, 11.50122]]),
        ("box", True, [[1.914214, 6.598076], [1.914214, 6.598076]]),
        ("box", False, [[2.828427, 6.598076], [2.828427, 6.598076]]),
        ("triangle", True, [[2.708488, 6.346766], [6.733863, 11.135901]]),
        ("keyscubic", False, [[1.087558, 5.153311], [5.197072, 10.230797]]),
        ("mitchellcubic", True, [[1.871769, 5.569985], [5.961031, 10.530764]]),
    ],
)
def test_scaling(kernel, antialias, expected):
    image = ms.Tensor((np.arange(1, 13).reshape(1, 3, 4, 1) ** 1.5).astype(np.float32))
    scaled = ops.ScaleAndTranslate(kernel, antialias)(
        image, ms.Tensor([4, 3]), ms.Tensor([1.3, 0.6]), ms.Tensor([0.4, -0.3])
    )
    near(scaled[0, :2, :2, 0], expected)
    near(scaled[0, :, 2, 0], np.zeros(4))


@pytest.mark.parametrize(
    ("stride", "dilation", "pad"), [(1, 1, "VALID"), (1, 1, "SAME"), ((1, 2), (2, 1), "same")]
)
def test_dilation(stride, dilation, pad):
    x = np.random.RandomState(0).randn(1, 2, 5, 6)
    kernel = np.random.RandomState(1).randn(2, 2, 3)
    array = ops.Dilation2D(stride, dilation, pad)(ms.Tensor(x), ms.Tensor(kernel)).asnumpy()
    s, d = np.broadcast_to(stride, 2), np.broadcast_to(dilation, 2)
    starts = [0, 0]
    if pad.upper() == "SAME":
        spans = [(kernel.shape[a + 1] - 1) * d[a] + 1 for a in range(2)]
        counts = [-(-x.shape[a + 2] // s[a]) for a in range(2)]
        assert array.shape[2:] == tuple(counts)
        starts = [max((counts[a] - 1) * s[a] + spans[a] - x.shape[a + 2], 0) // 2 for a in (0, 1)]
    for c, i, j in itertools.product(*map(range, array.shape[1:])):
        values = []
        for m, n in itertools.product(range(2), range(3)):
            row, column = i * s[0] + m * d[0] - starts[0], j * s[1] + n * d[1] - starts[1]
            if 0 <= row < 5 and 0 <= column < 6:
                values.append(x[0, c, row, column] + kernel[c, m, n])
        assert array[0, c, i, j] == pytest.approx(max(values))


def test_offsets():
    x = ms.Tensor(np.random.RandomState(0).rand(1, 2, 4, 5).astype(np.float32))
    draw = np.random.RandomState(1)
    moved = ms.Tensor(draw.uniform(-1, 1, (1, 18, 3, 3)).astype(np.float32))
    result = ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 3))(x, moved)
    near(result[0, 0, 0], [0.171815, 0.495111, 0.020117, 0.070661, 0.026244, 0.539806, -0.441706,
                          -0.389131, -0.100932])  # fmt: skip
    near(result[0, 1, 5, :4], [-0.03156, -0.101658, 0.383437, -0.363738])
    draw = np.random.RandomState(1)
    moved = ms.Tensor(draw.uniform(-1, 1, (1, 36, 2, 2)).astype(np.float32))
    output = ops.DeformableOffsets((1, 1, 2, 2), (1, 0, 0, 1), (2, 3), (1, 1, 2, 1), "NCHW", 2)
    near(output(x, moved)[0, 0, 1], [0.08878119, 0.5763289, 0.4061719, 0.8748832, 0.3505378,
                                   0.01768823])  # fmt: skip
    last = ops.DeformableOffsets((1, 2, 2, 1), (1, 0, 0, 1), (2, 3), (1, 2, 1, 1), "NHWC", 2)
    turned = last(x.permute(0, 2, 3, 1), moved.permute(0, 2, 3, 1))
    near(turned.permute(0, 3, 1, 2), output(x, moved).asnumpy())


def test_random_boxes():
    size, boxes = ms.Tensor([640, 480, 3]), ms.Tensor([[[0.38, 0.17, 0.95, 0.40]]])
    sample = ops.SampleDistortedBoundingBoxV2(1, 1, (0.9, 1.1), (0.1, 1.0))
    for _ in range(20):
        begin, extent, box = sample(size, boxes, ms.Tensor([0.8]))
        (top, left, zero), (tall, wide, rest) = begin.tolist(), extent.tolist()
        assert (zero, rest) == (0, -1)
        assert 0 <= top <= 640 - tall
        assert 0 <= left <= 480 - wide
        assert 0.89 < wide / tall < 1.11
        assert tall * wide >= 0.099 * 640 * 480
        inside = max(min(top + tall, 608) - max(top, 243.2), 0)
        inside *= max(min(left + wide, 192) - max(left, 81.6), 0)
        assert inside >= 0.8 * (608 - 243.2) * (192 - 81.6) - 1e-3
        near(box[0, 0], [top / 640, left / 480, (top + tall) / 640, (left + wide) / 480])
    again = ops.SampleDistortedBoundingBoxV2(1, 1, (0.9, 1.1), (0.1, 1.0))
    twin = ops.SampleDistortedBoundingBoxV2(1, 1, (0.9, 1.1), (0.1, 1.0))
    assert again(size, boxes, 0.8)[0].tolist() == twin(size, boxes, 0.8)[0].tolist()


# -------------------------------------------------------------------------------- suppression

BOXES = np.array(
    [[0.1, 0.2, 0.5, 0.6], [0.1, 0.2, 0.5, 0.7], [0.6, 0.7, 0.4, 0.5], [0, 0, 1, 1],
     [0.5, 0.5, 0.5, 0.9]], np.float32)  # fmt: skip
SCORES = np.array([0.5, 0.9, 0.7, 0.6, 0.95], np.float32)


def test_suppression():
    boxes = [[1, 2, 3, 4], [1, 3, 3, 4], [1, 3, 4, 4], [1, 1, 4, 4], [1, 1, 3, 4]]
    scores = ms.Tensor([0.4, 0.5, 0.72, 0.9, 0.45])
    result = ops.NonMaxSuppressionV3()(ms.Tensor(boxes, ms.float32), scores, 5, 0.5, 0.0)
    assert result.tolist() == [3, 2, 0]
    assert result.dtype == ms.int32
    overlaps = ms.Tensor(np.random.RandomState(2).rand(5, 5).astype(np.float32))
    suppress = ops.NonMaxSuppressionWithOverlaps()
    assert suppress(overlaps, ms.Tensor(SCORES), 4, 0.5, 0.2).tolist() == [4, 1, 0]
    assert suppress(overlaps, ms.Tensor(SCORES), 4, 0.7, 0.5).tolist() == [4, 1, 2]


def test_suppression_over_classes():
    boxes = ms.Tensor(BOXES[None, :, None] * 2 - 0.3)
    scores = ms.Tensor(np.stack([SCORES, SCORES[::-1], np.full(5, 0.3, np.float32)], 1)[None])
    result = ops.CombinedNonMaxSuppression(True, False)(boxes, scores, 2, 9, 0.3, 0.35)
    near(result[0][0, :4], [[0.7, 0.7, 0.7, 1.5], [-0.1, 0.1, 0.7, 0.9], [-0.1, 0.1, 0.7, 1.1],
                           [-0.3, -0.3, 1.7, 1.7]])  # fmt: skip
    near(result[1], [[0.95, 0.95, 0.9, 0.9, 0, 0]])
    near(result[2], [[0, 1, 0, 1, 0, 0]])
    assert result[3].tolist() == [4]
    assert ops.CombinedNonMaxSuppression()(boxes, scores, 2, 9, 0.3, 0.35)[0].shape == (1, 9, 4)


# --------------------------------------------------------------------------------- fractional


@pytest.mark.parametrize("pseudo", [False, True])
def test_fractional_pooling(pseudo):
    x = np.arange(400.0).reshape(1, 20, 20, 1)
    for overlapping in (False, True):
        options = ([1.0, 2.4, 1.7, 1.0], pseudo, overlapping, True, 3, 5)
        top, rows, columns = ops.FractionalMaxPool(*options)(ms.Tensor(x))
        mean, again, _ = ops.FractionalAvgPool(*options)(ms.Tensor(x))
        assert rows.tolist() == again.tolist()
        assert (rows[0], rows[-1], columns[0], columns[-1]) == (0, 20, 0, 20)
        assert set(np.diff(rows.asnumpy())) == {2, 3}
        assert set(np.diff(columns.asnumpy())) == {1, 2}
        assert top.shape == (1, 8, 11, 1)
        for i, j in itertools.product(range(8), range(11)):
            ends = int(rows[i + 1]) + overlapping, int(columns[j + 1]) + overlapping
            part = x[0, int(rows[i]) : ends[0], int(columns[j]) : ends[1], 0]
            assert top[0, i, j, 0] == part.max()
            assert float(mean[0, i, j, 0]) == pytest.approx(part.mean())


def test_whole_numbers_round_towards_zero():
    x = ms.Tensor(np.arange(1, 17).reshape(1, 4, 4, 1))
    result, rows, columns = ops.FractionalAvgPool([1.0, 1.5, 1.5, 1.0])(x)
    assert result.reshape(-1).tolist() == [3, 5, 11, 13]
    assert rows.tolist() == columns.tolist() == [0, 2, 4]


def test_gradients_of_windows():
    image = torch.rand(1, 3, 4, 1, dtype=torch.float64, requires_grad=True)

    def scaled(v):
        translate = ops.ScaleAndTranslate("triangle")
        return translate(ms.from_torch(v), (4, 3), (1.3, 0.6), (0.4, -0.3))._value

    assert torch.autograd.gradcheck(scaled, image)


@pytest.mark.parametrize(
    ("mode", "scale", "expected"),
    [
        (0, 0.5, [2.15, 2.65, 3.125, 3.625]),
        (1, 0.5, [1.775, 2.025, 2.275, 2.525]),
        (1, 1.0, [2.55, 3.0125, 3.375, 3.8375]),
    ],
)
def test_regions(mode, scale, expected):
    align = ops.ROIAlign(2, 2, scale, 2, mode)
    region = ms.Tensor([[0, 0.2, 0.3, 0.2, 0.3]])
    near(align(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), region).reshape(-1), expected)


def test_fixed_boundaries_in_graph_mode():
    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.pool = ops.FractionalMaxPool([1.0, 2.4, 1.7, 1.0], deterministic=True)

        def construct(self, x):
            return self.pool(x)[1]

    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        net = Net()
        items = [net(ops.ones((1, 20, 20, 1))).tolist() for _ in range(4)]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert all(row == items[0] for row in items)
