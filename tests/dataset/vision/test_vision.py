"""Image transforms beyond the recorded figures: files, batches, random ranges, refusals."""

from __future__ import annotations

import copy
import os
import pickle
import stat

import numpy as np
import pytest
from PIL import Image

import agar as ms
import agar.dataset.vision as vision
from agar.dataset.transforms import _random
from agar.dataset.vision import Inter

IMAGE = np.random.RandomState(0).randint(0, 256, (20, 16, 3)).astype(np.uint8)


# --- files ----------------------------------------------------------------------------------------


def test_files_round_trip(tmp_path):
    path = str(tmp_path / "image.png")
    vision.write_png(path, IMAGE)
    assert (vision.read_image(path) == IMAGE).all()
    assert (vision.Decode()(vision.read_file(path)) == IMAGE).all()
    gray = vision.read_image(path, vision.ImageReadMode.GRAYSCALE)
    assert gray.shape == (20, 16, 1)
    vision.write_jpeg(path, ms.Tensor(np.full((8, 8, 3), 77, np.uint8)), 100)
    assert np.abs(vision.read_image(path).astype(int) - 77).max() <= 2
    data = np.arange(10, dtype=np.uint8)
    vision.write_file(path, data)
    assert (vision.read_file(path) == data).all()
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o666 & ~umask
    assert os.listdir(tmp_path) == ["image.png"], "no temporary file is left"


def test_what_cannot_be_written_leaves_the_file(tmp_path):
    path = tmp_path / "image.png"
    path.write_bytes(b"before")
    for image in (IMAGE.astype(np.float32), IMAGE[..., :2], np.zeros((0, 3, 3), np.uint8)):
        with pytest.raises(RuntimeError, match=r"vision\.write_png"):
            vision.write_png(str(path), image)
    with pytest.raises(RuntimeError, match="cannot be written"):
        vision.write_png(str(tmp_path / "missing" / "image.png"), IMAGE)
    assert path.read_bytes() == b"before"


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: vision.read_file("missing"), RuntimeError, "does not exist"),
        (lambda: vision.read_image("missing"), RuntimeError, "does not exist"),
        (lambda: vision.read_file(3), TypeError, "filename"),
        (lambda: vision.write_file("x", [1]), TypeError, "data"),
        (lambda: vision.write_file("x", np.zeros(3)), RuntimeError, "uint8"),
        (lambda: vision.Decode()(np.zeros(9, np.uint8)), RuntimeError, "no encoded image"),
        (lambda: vision.Decode(True)(np.zeros(9, np.uint8)), ValueError, "no encoded image"),
        (lambda: vision.Decode()(IMAGE), TypeError, "decoded already"),
        (lambda: vision.encode_jpeg(IMAGE, 0), RuntimeError, "quality"),
        (lambda: vision.encode_png(IMAGE, 1.5), TypeError, "compression_level"),
        (lambda: vision.DecodeVideo(), NotImplementedError, "no video decoder"),
        (lambda: vision.VideoDecoder("missing"), ValueError, "does not exist"),
        (lambda: vision.read_video("missing"), ValueError, "does not exist"),
        (lambda: vision.read_video("x", -1), ValueError, "start_pts"),
        (lambda: vision.read_video_timestamps("x", "min"), ValueError, "pts_unit"),
    ],
)
def test_files_refused(call, kind, words):
    with pytest.raises(kind, match=words):
        call()


def test_a_truncated_file_is_an_error():
    data = vision.encode_jpeg(IMAGE)
    with pytest.raises(RuntimeError, match=r"vision\.Decode"):
        vision.Decode()(data[: len(data) // 2])


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "BMP", "WEBP", "GIF", "TIFF"])
def test_formats_are_decoded(kind, tmp_path):
    path = tmp_path / "image"
    Image.fromarray(IMAGE).save(path, kind)
    result = vision.Decode()(path.read_bytes())
    assert result.shape == IMAGE.shape
    assert result.flags.writeable


# --- inputs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "operation",
    [
        vision.Resize((8, 9)),
        vision.VerticalFlip(),
        vision.CenterCrop(7),
        vision.Pad(2),
        vision.Rotate(30, Inter.LINEAR),
        vision.GaussianBlur(3),
        vision.Normalize([1, 2, 3], [4, 5, 6]),
    ],
)
def test_images_in_front_dimensions(operation):
    batch = np.stack([IMAGE, IMAGE[::-1]])[None]
    result = operation(batch)
    assert (result[0, 0] == operation(IMAGE)).all()
    assert (result[0, 1] == operation(IMAGE[::-1])).all()


def test_tensors_and_inputs_stay():
    before = IMAGE.copy()
    assert (vision.Resize(9)(ms.Tensor(IMAGE)) == vision.Resize(9)(IMAGE)).all()
    for operation in (vision.Erase(0, 0, 5, 5), vision.Invert(), vision.CutOut(5), vision.Pad(1)):
        operation(IMAGE)
    assert (before == IMAGE).all()
    changed = IMAGE.copy()
    vision.Erase(0, 0, 5, 5, inplace=True)(changed)
    assert (changed[:5, :5] == 0).all()


def test_refusals_say_what_to_do():
    with pytest.raises(TypeError, match=r"vision\.Resize.*numpy array, a PIL image or a Tensor"):
        vision.Resize(3)([[1]])
    with pytest.raises(RuntimeError, match=r"vision\.Decode\(\)"):
        vision.Resize(3)(np.zeros(4, np.uint8))
    with pytest.raises(TypeError, match=r"vision\.ToPIL\(\)"):
        vision.Resize(3, Inter.ANTIALIAS)(IMAGE)
    with pytest.raises(TypeError, match=r"vision\.ToNumpy\(\)"):
        vision.Resize(3, Inter.AREA)(Image.fromarray(IMAGE))
    with pytest.raises(RuntimeError, match=r"vision\.Resize\.device.*Ascend is not available"):
        vision.Resize(3).device("Ascend")
    assert vision.Resize(3).device().device_target == "CPU"


def test_fill_is_red_green_blue():
    # MindSpore's Rotate takes blue, green, red
    assert vision.Rotate(45, fill_value=(1, 2, 3))(IMAGE)[0, 0].tolist() == [1, 2, 3]


def test_operations_are_pickled_and_copied():
    for name in vision.transforms.__all__:
        cls = getattr(vision.transforms, name)
        assert cls.__module__ == "agar.dataset.vision.transforms"
    operation = vision.RandomResizedCrop(8)
    _random.reseed(operation, 3)
    operation(IMAGE)
    for twin in (pickle.loads(pickle.dumps(operation)), copy.deepcopy(operation)):
        _random.reseed([operation, twin], 4)
        assert (operation(IMAGE) == twin(IMAGE)).all()


# --- random transforms ----------------------------------------------------------------------------


def _share(operation, changed, count=400):
    _random.reseed(operation, 11)
    return sum(changed(operation(IMAGE.copy())) for _ in range(count)) / count


@pytest.mark.parametrize(
    "operation",
    [
        vision.RandomHorizontalFlip(0.3),
        vision.RandomVerticalFlip(0.3),
        vision.RandomInvert(0.3),
        vision.RandomEqualize(0.3),
        vision.RandomAdjustSharpness(2, 0.3),
    ],
)
def test_probabilities(operation):
    assert abs(_share(operation, lambda found: (found != IMAGE).any()) - 0.3) < 0.07


@pytest.mark.parametrize(
    "operation",
    [
        vision.AutoAugment(),
        vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10),
        vision.AutoAugment(vision.AutoAugmentPolicy.SVHN, Inter.LINEAR, 7),
        vision.RandAugment(3, 30),
        vision.TrivialAugmentWide(5),
    ],
)
def test_policies_keep_shape_and_type(operation):
    _random.reseed(operation, 5)
    items = [operation(IMAGE) for _ in range(150)]
    assert {(f.shape, f.dtype.name) for f in items} == {((20, 16, 3), "uint8")}
    assert len({f.tobytes() for f in items}) > 20
    with pytest.raises(RuntimeError, match="uint8"):
        operation(IMAGE.astype(np.float32))


def test_cut_mix_pastes_boxes_of_the_batch():
    images = np.stack([np.full((12, 10, 3), i, np.uint8) for i in range(5)])
    mix = vision.CutMixBatch(vision.ImageBatchFormat.NHWC)
    _random.reseed(mix, 5)
    for _ in range(30):
        result, labels = mix(images, np.eye(5, dtype=np.int32))
        for i in range(5):
            shares = np.bincount(result[i, ..., 0].ravel(), minlength=5) / 120
            assert labels[i] == pytest.approx(shares, abs=1e-6)
            assert np.count_nonzero(shares) <= 2


def test_mix_up_weights_sum_to_one():
    mix = vision.MixUpBatch(0.5)
    _random.reseed(mix, 5)
    images = np.stack([IMAGE, IMAGE[::-1]]).astype(np.float32)
    for _ in range(10):
        result, labels = mix(images, np.eye(2))
        assert labels.sum(axis=1) == pytest.approx([1, 1])
        weight = labels[0, 0]
        if weight not in (0, 1):
            expected = weight * images[0] + (1 - weight) * images[1]
            assert result[0] == pytest.approx(expected, rel=1e-5)


def test_boxes_follow_the_image():
    image = np.zeros((20, 16, 3), np.uint8)
    image[4:9, 3:10] = 255
    box = np.array([[3, 4, 7, 5, 1]], np.float32)
    operations = [
        vision.RandomCropWithBBox((30, 30), pad_if_needed=True),
        vision.RandomCropWithBBox((18, 14), (1, 2, 3, 4)),
        vision.RandomHorizontalFlipWithBBox(1.0),
        vision.RandomVerticalFlipWithBBox(1.0),
    ]
    _random.reseed(operations, 2)
    for operation in operations:
        for _ in range(10):
            result, boxes = operation(image, box)
            x, y, width, height, extra = boxes[0].astype(int)
            rows, columns = np.nonzero(result[..., 0])
            assert (rows.min(), columns.min()) == (y, x)
            assert (rows.max() + 1 - y, columns.max() + 1 - x) == (height, width)
            assert extra == 1


def test_bounding_box_augment_changes_a_share_of_the_boxes():
    boxes = np.array([[0, 0, 4, 4], [6, 6, 4, 4], [0, 10, 4, 4]], np.float32)
    operation = vision.BoundingBoxAugment(vision.Invert(), 0.7)
    _random.reseed(operation, 2)
    for _ in range(10):
        result, _ = operation(IMAGE, boxes)
        changed = [
            (result[y : y + h, x : x + w] != IMAGE[y : y + h, x : x + w]).any()
            for x, y, w, h in boxes.astype(int)
        ]
        assert sum(changed) == 2
    with pytest.raises(RuntimeError, match="does not lie within"):
        operation(IMAGE, np.array([[10, 0, 7, 4]], np.float32))


def test_erasing_stays_within_its_ranges():
    operation = vision.RandomErasing(1.0, scale=(0.1, 0.2), ratio=(0.5, 2.0), value=7)
    image = np.zeros((3, 40, 40))
    for _ in range(30):
        share = (operation(image)[0] == 7).mean()
        assert 0.07 < share < 0.25
