"""Images read at computed places; the figures were recorded from MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import ops


def x(*shape: int) -> ms.Tensor:
    return ms.Tensor(np.arange(1, 1 + np.prod(shape)).reshape(shape).astype(np.float32) / 10)


def boxes(*rows: tuple[float, ...]) -> ms.Tensor:
    return ms.Tensor(np.array(rows, np.float32))


def close(got: ms.Tensor, expected: object) -> None:
    expected = np.array(expected, np.float32)
    np.testing.assert_allclose(got.asnumpy().reshape(expected.shape), expected, atol=2e-5)


class TestGridSample:
    PLACES = ms.Tensor(np.array([[[[-1, -1], [0.3, 0.2], [1.5, -0.5]]]], np.float32))

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            ({}, [0.025, 0.83, 0]),
            ({"align_corners": True, "padding_mode": "border"}, [0.1, 0.775, 0.6]),
            ({"padding_mode": "reflection"}, [0.1, 0.83, 0.45]),
        ],
    )
    def test_images(self, options, expected):
        close(ops.grid_sample(x(1, 1, 3, 4), self.PLACES, **options), expected)

    def test_volumes(self):
        places = np.array([[-1, -1, 0], [0.3, 0.2, 0.1], [1.5, -0.5, 0.5]], np.float32)
        got = ops.grid_sample(x(1, 1, 2, 2, 2), ms.Tensor(places.reshape(1, 1, 1, 3, 3)))
        close(got, [0.075, 0.56, 0])

    def test_the_grid_of_the_identity_reads_the_image(self):
        theta = ms.Tensor(np.array([[[1, 0, 0], [0, 1, 0]]], np.float32))
        image = x(1, 2, 3, 4)
        for corners in (False, True):
            grid = ops.affine_grid(theta, (1, 2, 3, 4), corners)
            close(ops.grid_sample(image, grid, align_corners=corners), image.asnumpy())


class TestAffineGrid:
    def test_one_row_lies_in_the_middle(self):
        close(ops.affine_grid(x(1, 2, 3), (1, 1, 1, 2)), [[0.25, 0.4], [0.35, 0.8]])
        close(ops.affine_grid(x(1, 2, 3), (1, 1, 1, 2), True), [[0.2, 0.2], [0.4, 1.0]])

    def test_no_rows(self):
        assert ops.affine_grid(x(1, 2, 3), (1, 1, 0, 2)).shape == (1, 0, 2, 2)


class TestCropAndResize:
    ONE = ms.Tensor([0], ms.int32)

    def crop(self, image, box, size, *options):
        return ops.crop_and_resize(image, boxes(box), self.ONE, size, *options)

    def test_bilinear(self):
        image = x(1, 3, 4, 1)
        close(self.crop(image, (0, 0, 1, 1), (2, 3)), [[0.1, 0.25, 0.4], [0.9, 1.05, 1.2]])
        close(self.crop(image, (0.1, 0.2, 0.7, 0.9), (1, 1)), 0.585)

    def test_beyond_the_image(self):
        got = self.crop(x(1, 3, 4, 1), (0.1, 0.2, 0.7, 1.4), (2, 3), "bilinear", -1.0)
        close(got, [[0.24, 0.42, -1], [0.72, 0.9, -1]])
        got = self.crop(x(1, 3, 4, 1), (0.1, 0.2, 0.7, 1.4), (2, 3), "nearest", 9.0)
        close(got, [[0.2, 0.3, 9], [0.6, 0.7, 9]])

    def test_turned_over(self):
        got = self.crop(x(1, 3, 4, 1), (0.7, 0.2, 0.1, 0.9), (2, 2))
        close(got, [[0.72, 0.93], [0.24, 0.45]])

    @pytest.mark.parametrize(
        ("box", "size", "expected"),
        [
            (
                (0.2, 0.2, 0.6, 0.55),
                (2, 3),
                [[1.21667, 1.35, 1.48333], [2.41667, 2.55, 2.68333]],
            ),
            ((0.3, 0.3, 0.6, 0.55), (1, 1), 2.0),
            (
                (0.6, 0.2, 0.2, 0.55),
                (2, 3),
                [[2.61667, 2.75, 2.88333], [2.61667, 2.75, 2.88333]],
            ),
            ((-0.2, 0.2, 0.2, 1.55), (2, 3), [[0.35, 0.75, 0.8], [0.95, 1.35, 1.4]]),
            ((0.2, 0.2, 0.2, 0.2), (1, 2), [1.0, 1.0]),
        ],
    )
    def test_whole_pixels(self, box, size, expected):
        close(self.crop(x(1, 6, 8, 1), box, size, "bilinear_v2"), expected)

    def test_nearest_rounds_halves_up(self):
        got = self.crop(x(1, 6, 8, 1), (0.1, 0.1, 0.7, 0.55), (5, 4), "nearest")
        close(got[0, :, 0, 0], [1.0, 1.0, 1.8, 2.6, 3.4])
        close(got[0, 0, :, 0], [1.0, 1.1, 1.2, 1.3])

    def test_the_result_is_float32(self):
        image = ms.Tensor(np.arange(12).reshape(1, 3, 4, 1).astype(np.uint8))
        assert self.crop(image, (0, 0, 1, 1), (2, 2)).dtype == ms.float32

    def test_gradients_reach_image_and_boxes(self):
        def total(image, box):
            return ops.crop_and_resize(image, box, self.ONE, (2, 2)).sum()

        image, box = ms.grad(total, (0, 1))(x(1, 3, 4, 1), boxes((0.1, 0.2, 0.7, 0.9)))
        close(
            image,
            [[0.32, 0.48, 0.24, 0.56], [0.32, 0.48, 0.24, 0.56], [0.16, 0.24, 0.12, 0.28]],
        )
        close(box, [1.6, 0.6, 1.6, 0.6])

    def test_no_boxes(self):
        none = ms.Tensor(np.zeros((0, 4), np.float32)), ms.Tensor(np.zeros(0, np.int32))
        assert ops.crop_and_resize(x(1, 3, 4, 2), *none, (2, 3)).shape == (0, 2, 3, 2)


class TestRoiAlign:
    @pytest.mark.parametrize(
        ("options", "roi", "expected"),
        [
            ((0.5, 2), (0, 1, 1, 6, 6), [[0.725, 0.86875], [1.3, 1.44375]]),
            ((0.5, 2, 0), (0, 1, 1, 6, 6), [[0.6625, 0.7875], [1.1625, 1.2875]]),
            ((0.5, 2), (0, -1, 1, 16, 6), [[0.775, 0], [1.35, 0]]),
            ((0.5, 0), (0, 1, 1, 7, 6), [[0.7375, 0.9], [1.3375, 1.5]]),
            ((1.0, 2, 0), (0, 2, 2, 2, 2), [[1.225, 1.275], [1.425, 1.475]]),
        ],
    )
    def test_figures(self, options, roi, expected):
        close(ops.ROIAlign(2, 2, *options)(x(1, 1, 4, 4), boxes(roi)), expected)

    def test_as_many_places_as_whole_elements(self):
        squares = ms.Tensor((np.arange(8.0) ** 2 + np.zeros((1, 1, 8, 1))).astype(np.float32))
        align = ops.ROIAlign(1, 1, 1.0, -1, 0)
        for right, expected in ((3.0, 4.5), (3.9, 6.7), (4.0, 7.16667), (6.0, 14.5)):
            close(align(squares, boxes((0, 1, 1, right, right))), expected)

    def test_regions_of_several_images(self):
        features = ops.cat((x(1, 1, 4, 4), x(1, 1, 4, 4) * 2))
        align = ops.ROIAlign(1, 1, 1.0)
        got = align(features, boxes((1, 0, 0, 2, 2), (0, 0, 0, 2, 2)))
        close(got[0] - 2 * got[1], 0.0)

    def test_no_regions(self):
        none = ms.Tensor(np.zeros((0, 5), np.float32))
        assert ops.ROIAlign(2, 3, 1.0)(x(1, 4, 4, 4), none).shape == (0, 4, 2, 3)


class TestResizeArea:
    @pytest.mark.parametrize(
        ("corners", "size", "expected"),
        [
            (False, (2, 2), [[0.28333, 0.48333], [0.81667, 1.01667]]),
            (True, (2, 3), [[0.33333, 0.46667, 0.6], [0.93333, 1.06667, 1.2]]),
            (True, (1, 3), [0.53333, 0.66667, 0.8]),
        ],
    )
    def test_figures(self, corners, size, expected):
        close(ops.ResizeArea(corners)(x(1, 3, 4, 1), ms.Tensor(size)), expected)

    def test_enlarging(self):
        got = ops.ResizeArea()(x(1, 3, 4, 1), ms.Tensor([5, 3]))
        close(got[0, :, 0, 0], [0.125, 0.25833, 0.525, 0.79167, 0.925])

    def test_integers_become_floats(self):
        image = ms.Tensor(np.arange(4).reshape(1, 2, 2, 1).astype(np.int32))
        close(ops.ResizeArea()(image, ms.Tensor([1, 1])), 1.5)


def test_patches_of_volumes_have_the_channel_fastest():
    got = ops.ExtractVolumePatches(2, 1, "VALID")(x(1, 2, 2, 2, 2))
    close(got[0, :6, 0, 0, 0], [0.1, 0.9, 0.2, 1.0, 0.3, 1.1])
    same = ops.ExtractVolumePatches([1, 1, 2, 2, 2], [1, 1, 2, 2, 2], "SAME")(x(1, 1, 3, 2, 2))
    close(same[0, :, 1, 0, 0], [0.9, 1.0, 1.1, 1.2, 0, 0, 0, 0])


def test_fractional_pools_with_given_numbers():
    values, places = ops.FractionalMaxPoolWithFixedKsize(2, 2)(
        x(1, 1, 5, 5), ms.Tensor([[[0.3, 0.9]]])
    )
    close(values, [[0.7, 1.0], [2.2, 2.5]])
    assert places.asnumpy().ravel().tolist() == [6, 9, 21, 24]
    _, places = ops.FractionalMaxPool3DWithFixedKsize(2, 2)(
        x(1, 1, 4, 4, 4), ms.Tensor([[[0.3, 0.9, 0.1]]])
    )
    assert places.asnumpy().ravel().tolist() == [21, 23, 29, 31, 53, 55, 61, 63]


def test_maxima_of_volumes_and_their_places():
    values, places = ops.MaxPool3DWithArgmax(2, 1, 0, argmax_type=ms.int32)(x(1, 1, 2, 3, 3))
    close(values, [[1.4, 1.5], [1.7, 1.8]])
    assert places.dtype == ms.int32
    assert places.asnumpy().ravel().tolist() == [13, 14, 16, 17]
