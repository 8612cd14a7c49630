"""Datasets of published layouts: their rows are MindSpore 2.10's for the same tiny files."""

from __future__ import annotations

import json
import pathlib
import zlib

import numpy as np
import pytest

import agar.dataset as ds
from dataset.matlab_files import mat_array, mat_file
from dataset.source_files import CASES, write

FIGURES = json.loads(
    pathlib.Path(__file__).with_name("data").joinpath("sources.json").read_text(encoding="utf-8")
)
VARIANTS = {
    "plain": {},
    "shard": {"num_shards": 2, "shard_id": 1},
    "decode": {"decode": True},
}


def opened(name, folder, **options):
    kind, layout, given = CASES[name]
    write(str(folder), layout)
    given = {
        key: f"{folder}/{value[1:]}" if str(value).startswith("@") else value
        for key, value in given.items()
    }
    given.setdefault("dataset_dir", str(folder))
    return getattr(ds, kind)(**given, shuffle=False, num_parallel_workers=1, **options)


def described(value):
    kind = "str" if value.dtype.kind in "US" else str(value.dtype)
    if value.dtype == np.uint8:
        content = zlib.crc32(np.ascontiguousarray(value).tobytes())
    elif value.dtype == np.float32:
        content = pytest.approx(value.tolist(), abs=1e-6) if value.ndim < 2 else value.tolist()
    else:
        content = value.tolist()
    return [kind, list(value.shape), content]


def alike(found, expected):
    if isinstance(expected, float):
        return abs(found - expected) <= 1e-6 * max(abs(expected), 1)
    if isinstance(expected, list):
        return len(found) == len(expected) and all(map(alike, found, expected))
    return found == expected


@pytest.mark.parametrize(
    ("name", "variant"), [(name, variant) for name in CASES for variant in FIGURES[name]]
)
def test_rows(name, variant, tmp_path):
    expected = FIGURES[name][variant]
    data = opened(name, tmp_path, **VARIANTS[variant])
    if isinstance(expected, str):
        with pytest.raises(RuntimeError, match=r"is missing|no sample"):
            data.get_dataset_size()
        return
    columns, rows = expected
    items = list(data.create_tuple_iterator(num_epochs=1, output_numpy=True))
    assert data.get_col_names() == columns
    assert data.get_dataset_size() == len(items) == len(rows)
    for row, figures in zip(items, rows, strict=True):
        shown = [described(value) for value in row]
        if name.startswith("Tedlium"):  # MindSpore reads silence; see the test of waves
            assert shown[0][:2] == figures[0][:2]
            shown[0] = figures[0]
        assert alike(shown, figures)


def waves(data):
    return [row[0] for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True)]


def test_the_sound_of_a_talk(tmp_path):
    samples = np.random.RandomState(0).randint(-30000, 30000, 16000).astype("<i2")
    for kind, order in (("01", "<i2"), ("10", ">i2")):
        data = opened("Tedlium 3", tmp_path)
        file = tmp_path / "data" / "sph" / "A_1.sph"
        content = file.read_bytes()
        head = content[:1024].replace(b"-s2 01", f"-s2 {kind}".encode())
        file.write_bytes(head + np.frombuffer(content[1024:], "<i2").astype(order).tobytes())
        first, second, third = waves(data)
        assert np.array_equal(first[0], samples[:8] / np.float32(32767))
        assert np.array_equal(second[0], samples[4000:4016] / np.float32(32767))
        assert np.array_equal(third[0], samples[8000:8007] / np.float32(32767))


@pytest.mark.parametrize("layout", ["stereo", "eight bits"])
def test_sounds_of_another_form_are_refused(layout, tmp_path):
    write(str(tmp_path), layout)
    with pytest.raises(RuntimeError, match="one channel and samples of 16 bits"):
        waves(ds.YesNoDataset(str(tmp_path)))


def test_samples_are_shuffled_and_drawn(tmp_path):
    write(str(tmp_path), "caltech256")
    data = ds.Caltech256Dataset(str(tmp_path), sampler=ds.SequentialSampler(1, 2), decode=True)
    assert [int(row[1]) for row in data] == [0, 1]
    data = ds.Caltech256Dataset(str(tmp_path), sampler=ds.PKSampler(1))
    assert sorted(int(row[1]) for row in data) == [0, 1]
    assert data.get_dataset_size() == 2


def test_flowers_and_outlines(tmp_path):
    from dataset.source_files import _picture

    (tmp_path / "jpg").mkdir()
    for number in (1, 2, 3):
        (tmp_path / "jpg" / f"image_{number:05d}.jpg").write_bytes(_picture(number, "JPEG"))
    numbers = {"trnid": [1], "tstid": [3], "valid": [2]}
    sets = [mat_array("<", n.encode(), np.array([v], np.uint16), 4, 11) for n, v in numbers.items()]
    (tmp_path / "setid.mat").write_bytes(mat_file("<", *sets))
    labels = mat_array("<", b"labels", np.array([[5, 102, 1]], np.uint8), 2, 9)
    (tmp_path / "imagelabels.mat").write_bytes(mat_file("<", labels))
    data = ds.Flowers102Dataset(str(tmp_path), shuffle=False)
    assert [int(row[1]) for row in data] == [4, 0, 101]
    assert data.get_class_indexing()["101"] == 101
    assert len(list(ds.Flowers102Dataset(str(tmp_path), usage="valid", shuffle=False))) == 1

    root = tmp_path / "caltech"
    for folder in ("101_ObjectCategories/Faces", "101_ObjectCategories/BACKGROUND_Google"):
        (root / folder).mkdir(parents=True)
        (root / folder / "image_0001.jpg").write_bytes(_picture(0, "JPEG"))
    (root / "Annotations" / "Faces_2").mkdir(parents=True)
    outline = np.array([[1.0, 2.5], [3.0, 4.0]])
    (root / "Annotations" / "Faces_2" / "annotation_0001.mat").write_bytes(
        mat_file("<", mat_array("<", b"obj_contour", outline, 9, 6))
    )
    data = ds.Caltech101Dataset(str(root), "all", shuffle=False, decode=True)
    ((image, category, annotation),) = data.create_tuple_iterator(num_epochs=1, output_numpy=True)
    assert image.shape == (3, 4, 3)
    assert category.item() == 0
    assert np.array_equal(annotation, outline)
    assert data.get_class_indexing() == {"Faces": 0}


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda f: ds.GTZANDataset(f, "all of it"), ValueError, "usage"),
        (lambda f: ds.CMUArcticDataset(f, "xyz"), ValueError, "name"),
        (lambda f: ds.TedliumDataset(f, "release3", "train"), ValueError, "usage"),
        (lambda f: ds.DIV2KDataset(f, downgrade="mild", scale=2), ValueError, "scale"),
        (lambda f: ds.CityscapesDataset(f, "test", "coarse"), ValueError, "usage"),
        (lambda f: ds.IWSLT2016Dataset(f, language_pair=("de", "fr")), ValueError, "language_pair"),
        (lambda f: ds.IWSLT2017Dataset(f), ValueError, "does not exist"),
        (lambda f: ds.SQuADDataset(f), ValueError, "does not exist"),
        (lambda f: ds.LSUNDataset(f, classes=3), TypeError, "classes"),
        (lambda f: ds.PhotoTourDataset(f, "paris"), ValueError, "name"),
        (lambda f: ds.SUN397Dataset(f + "/nowhere"), ValueError, "does not exist"),
        (lambda f: ds.Food101Dataset(f, decode=1), TypeError, "decode"),
    ],
)
def test_wrong_arguments(make, error, match, tmp_path):
    with pytest.raises(error, match=match):
        make(str(tmp_path))


def test_lists_cannot_lead_out_of_the_folder(tmp_path):
    write(str(tmp_path), "food")
    (tmp_path / "meta" / "train.txt").write_text("../../secret\n")
    with pytest.raises(RuntimeError, match="leads out"):
        list(ds.Food101Dataset(str(tmp_path), "train"))
