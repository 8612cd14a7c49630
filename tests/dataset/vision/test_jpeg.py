"""JPEG images by simplejpeg and by Pillow: the same pixels, and the same refusals."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from agar.dataset import vision
from agar.dataset.vision import utils

DAMAGED = "cannot be decoded|no encoded image"


def encoded(mode, size, seed=0, **options):
    bands = len(Image.new(mode, (1, 1)).getbands())
    pixels = np.random.default_rng(seed).integers(0, 256, (*size, bands), np.uint8)
    stream = io.BytesIO()
    image = Image.frombytes(mode, size[::-1], pixels.tobytes())
    image.save(stream, "JPEG", **options)
    return np.frombuffer(stream.getvalue(), np.uint8)


@pytest.fixture
def fast(monkeypatch):
    """The images that simplejpeg decoded."""
    package = pytest.importorskip("simplejpeg")
    images = []

    class Noting:
        decode_jpeg_header = staticmethod(package.decode_jpeg_header)

        @staticmethod
        def decode_jpeg(data):
            images.append(package.decode_jpeg(data))
            return images[-1]

    monkeypatch.setattr(utils, "jpeg_decoder", lambda: Noting)
    return images


def by_pillow(monkeypatch, data):
    monkeypatch.setattr(utils, "jpeg_decoder", lambda: None)
    return vision.Decode()(data)


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("subsampling", [0, 1, 2, "4:1:1"])
@pytest.mark.parametrize("mode", ["L", "RGB"])
def test_pixels(monkeypatch, fast, mode, subsampling, progressive):
    for size in [(1, 1), (7, 5), (33, 47), (64, 16)]:
        options = {"quality": 70, "subsampling": subsampling, "progressive": progressive}
        data = encoded(mode, size, **options)
        pixels = vision.Decode()(data)
        assert pixels is fast.pop()
        assert pixels.flags.writeable
        with monkeypatch.context() as patch:
            assert np.array_equal(pixels, by_pillow(patch, data))


def test_colors_that_pillow_converts(monkeypatch, fast):
    data = encoded("CMYK", (9, 12))
    pixels = vision.Decode()(data)
    assert not fast
    assert np.array_equal(pixels, by_pillow(monkeypatch, data))


def test_a_turned_image_stays_as_it_is_stored(monkeypatch, fast):
    exif = Image.Exif()
    exif[0x0112] = 6  # to be shown turned by a quarter
    data = encoded("RGB", (9, 12), exif=exif)
    assert vision.Decode()(data).shape == (9, 12, 3)
    assert fast


def test_large_images_are_left_to_pillows_limit(monkeypatch, fast):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 50)
    with pytest.raises(RuntimeError, match="exceeds limit"):
        vision.Decode()(encoded("RGB", (16, 16)))
    assert not fast


def test_damaged_images(fast):
    data = encoded("RGB", (40, 60))
    draw = np.random.default_rng(1)
    for _ in range(50):
        with pytest.raises(RuntimeError, match=DAMAGED):
            vision.Decode()(data[: draw.integers(2, len(data) - 2)])
    assert not fast


def test_other_formats(fast):
    pixels = np.arange(5 * 6 * 3, dtype=np.uint8).reshape(5, 6, 3)
    assert np.array_equal(vision.Decode()(vision.encode_png(pixels)), pixels)
    assert not fast


def test_random_crops_decode_so(monkeypatch, fast):
    import agar.dataset as ds

    data = encoded("RGB", (40, 60))
    ds.config.set_seed(3)
    first = vision.RandomCropDecodeResize((12, 10))(data)
    assert len(fast) == 1
    monkeypatch.setattr(utils, "jpeg_decoder", lambda: None)
    ds.config.set_seed(3)
    assert np.array_equal(first, vision.RandomCropDecodeResize((12, 10))(data))
