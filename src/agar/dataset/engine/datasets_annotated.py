"""Datasets of images with more than a label: boxes, masks, captions, or a second image."""

from __future__ import annotations

import json
import os
from typing import Any, ClassVar

import numpy as np

from agar._core.file_reading import checked_name
from agar.dataset.engine._checks import Check, check_readable
from agar.dataset.engine._files import decoded, file_bytes, image_of
from agar.dataset.engine._images import COMMON, Images
from agar.dataset.engine._line_files import text
from agar.dataset.engine._matlab import read_arrays
from agar.dataset.engine._values import Row
from agar.dataset.engine.datasets_labeled import (
    _DECODE,
    Pictures,
    PicturesOfUsage,
    folders,
    inside,
    pictures,
    read_lines,
)

__all__ = [
    "Caltech101Dataset",
    "CityscapesDataset",
    "DIV2KDataset",
    "FlickrDataset",
    "Flowers102Dataset",
    "KITTIDataset",
    "LFWDataset",
    "PhotoTourDataset",
    "SBUDataset",
    "WIDERFaceDataset",
]

_HIDDEN_FOLDER = "BACKGROUND_Google"
_OUTLINES: dict[Any, str] = {
    "Faces": "Faces_2",
    "Faces_easy": "Faces_3",
    "Motorbikes": "Motorbikes_16",
    "airplanes": "Airplanes_Side_2",
}


class Caltech101Dataset(Images):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures of 101 kinds of things (Caltech 101).

    The columns are ``image``, and ``category`` or ``annotation`` (the outline) or both.

    Args:
        dataset_dir (str): the folder of ``101_ObjectCategories`` and ``Annotations``.
        target_type (str, optional): category, annotation or all. Default: ``None``, category.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.Caltech101``", how="observed in")}"""

    _owner = "Caltech101Dataset"

    def __init__(
        self,
        dataset_dir: str,
        target_type: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        self._folder = os.path.normpath(self._open_folder(dataset_dir))
        kinds = ["category", "annotation", "all"]
        self.target_type = self._choose("target_type", target_type, kinds, "category")
        self.decode = self._decode(decode)
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
        )

    def _columns(self) -> list[str]:
        more = ["category", "annotation"] if self.target_type == "all" else [self.target_type]
        return ["image", *more]

    def _classes(self) -> list[str]:
        root = os.path.join(self._folder, "101_ObjectCategories")
        return [name for name in folders(root) if name != _HIDDEN_FOLDER]

    def get_class_indexing(self) -> dict[str, int]:
        """The indices of the classes by their names."""
        return {name: number for number, name in enumerate(self._classes())}

    def _scan(self) -> list[Any]:
        root = os.path.join(self._folder, "101_ObjectCategories")
        return [
            (path, number, name)
            for number, name in enumerate(self._classes())
            for path in pictures(os.path.join(root, name))
        ]

    def _read(self, record: Any) -> Row:
        path, number, name = record
        row: list[Any] = [image_of(path, self.decode)]
        if self.target_type != "annotation":
            row.append(np.array(number))
        if self.target_type != "category":
            stem = os.path.basename(path)[:-4].replace("image", "annotation")
            folder = os.path.join(self._folder, "Annotations", str(_OUTLINES.get(name, name)))
            outlines = os.path.join(folder, f"{stem}.mat")
            row.append(read_arrays(outlines, ("obj_contour",))["obj_contour"])
        return tuple(row)


class Flowers102Dataset(Images):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures of 102 flowers (Oxford 102 Flower).

    The columns are ``image``, for segmentation ``segmentation``, and ``label``.

    Args:
        dataset_dir (str): the folder of ``jpg``, ``imagelabels.mat`` and ``setid.mat``.
        task (str, optional): Classification or Segmentation. Default: ``'Classification'``.
        usage (str, optional): train, valid, test or all. Default: ``'all'``.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.Flowers102``", how="observed in")}"""

    _owner = "Flowers102Dataset"

    def __init__(
        self,
        dataset_dir: str,
        task: str = "Classification",
        usage: str = "all",
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        decode: bool = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        self._folder = os.path.normpath(self._open_folder(dataset_dir))
        tasks = ["Classification", "Segmentation"]
        self.task = self._choose("task", task, tasks, "Classification")
        self.usage = self._choose("usage", usage, ["train", "valid", "test", "all"], "all")
        self.decode = self._decode(decode)
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
        )

    def _columns(self) -> list[str]:
        middle = ["segmentation"] if self.task == "Segmentation" else []
        return ["image", *middle, "label"]

    def get_class_indexing(self) -> dict[str, int]:
        """The indices of the classes by their names, which are numbers too."""
        return {str(number): number for number in range(102)}

    def _scan(self) -> list[Any]:
        keys = {"train": "trnid", "test": "tstid", "valid": "valid"}
        chosen = list(keys.values()) if self.usage == "all" else [keys[self.usage]]
        sets = read_arrays(os.path.join(self._folder, "setid.mat"), tuple(chosen))
        path = os.path.join(self._folder, "imagelabels.mat")
        labels = read_arrays(path, ("labels",))["labels"].reshape(-1)
        numbers = [int(number) for key in chosen for number in sets[key].reshape(-1)]
        if any(not 1 <= number <= len(labels) for number in numbers):
            raise RuntimeError(f"setid.mat names an image beyond the {len(labels)} of {path}")
        return [(number, int(labels[number - 1]) - 1) for number in numbers]

    def _read(self, record: Any) -> Row:
        number, label = record
        row: list[Any] = [self._picture("jpg", "image", number)]
        if self.task == "Segmentation":
            row.append(self._picture("segmim", "segmim", number))
        return (*row, np.array(label, np.uint32))

    def _picture(self, folder: str, stem: str, number: int) -> np.ndarray:
        return image_of(os.path.join(self._folder, folder, f"{stem}_{number:05d}.jpg"), self.decode)

    def _label(self, record: Any) -> int:
        return record[1]


_FINE = ["train", "test", "val"]
_COARSE = ["train", "train_extra", "val"]


class CityscapesDataset(Pictures):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures of streets with what is on them (Cityscapes).

    The columns are ``image`` and ``task``: an image, or the polygons as JSON.

    Args:
        dataset_dir (str): the folder of ``leftImg8bit`` and ``gtFine`` or ``gtCoarse``.
        usage (str, optional): fine: train, test, val or all; coarse: train, train_extra, val or
            all. Default: ``'train'``.
        quality_mode (str, optional): fine or coarse. Default: ``'fine'``.
        task (str, optional): instance, semantic, polygon or color. Default: ``'instance'``.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.Cityscapes``", how="observed in")}"""

    _owner = "CityscapesDataset"
    _names: ClassVar[list[str]] = ["image", "task"]
    _files: ClassVar[dict[str, str]] = {
        "instance": "instanceIds.png",
        "semantic": "labelIds.png",
        "polygon": "polygons.json",
        "color": "color.png",
    }

    def __init__(
        self,
        dataset_dir: str,
        usage: str = "train",
        quality_mode: str = "fine",
        task: str = "instance",
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.quality_mode = self._choose("quality_mode", quality_mode, ["fine", "coarse"], "fine")
        self._parts = _FINE if self.quality_mode == "fine" else _COARSE
        self.usage = self._choose("usage", usage, [*self._parts, "all"], "train")
        self.task = self._choose("task", task, list(self._files), "instance")
        super().__init__(
            dataset_dir,
            num_samples,
            num_parallel_workers,
            shuffle,
            decode,
            sampler,
            num_shards,
            shard_id,
            cache,
        )

    def _scan(self) -> list[Any]:
        kind = "gtFine" if self.quality_mode == "fine" else "gtCoarse"
        entries = []
        for part in self._parts if self.usage == "all" else [self.usage]:
            root = self._path("leftImg8bit", part)
            for city in folders(root):
                for path in pictures(os.path.join(root, city)):
                    stem = os.path.basename(path).removesuffix("_leftImg8bit.png")
                    name = f"{stem}_{kind}_{self._files[self.task]}"
                    entries.append((path, self._path(kind, part, city, name)))
        return entries

    def _read(self, record: Any) -> Row:
        path, other = record
        if self.task != "polygon":
            return self._image(path), self._image(other)
        content = json.loads(file_bytes(other).tobytes())
        written = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return self._image(path), text(written)


_SCALES = {"bicubic": (2, 3, 4, 8), "unknown": (2, 3, 4), "mild": (4,), "difficult": (4,),
           "wild": (4,)}  # fmt: skip


class DIV2KDataset(Pictures):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures and smaller copies of them (DIV2K): ``hr_image`` and ``lr_image``.

    Args:
        dataset_dir (str): the folder of ``DIV2K_train_HR`` and the others.
        usage (str, optional): train, valid or all. Default: ``'train'``.
        downgrade (str, optional): bicubic, unknown, mild, difficult or wild.
            Default: ``'bicubic'``.
        scale (int, optional): 2, 3, 4 or, for bicubic, 8; mild and those after it have 4 alone.
            Default: ``2``.
        {_DECODE}
        {COMMON.format(torch="no counterpart", how="observed in")}"""

    _owner = "DIV2KDataset"
    _names: ClassVar[list[str]] = ["hr_image", "lr_image"]

    def __init__(
        self,
        dataset_dir: str,
        usage: str = "train",
        downgrade: str = "bicubic",
        scale: int = 2,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.usage = self._choose("usage", usage, ["train", "valid", "all"], "train")
        self.downgrade = self._choose("downgrade", downgrade, list(_SCALES), "bicubic")
        if scale not in _SCALES[self.downgrade]:
            raise ValueError(
                f"For '{self._owner}', scale must be one of {list(_SCALES[self.downgrade])} for "
                f"downgrade '{self.downgrade}', but got {scale}."
            )
        self.scale = scale
        super().__init__(
            dataset_dir,
            num_samples,
            num_parallel_workers,
            shuffle,
            decode,
            sampler,
            num_shards,
            shard_id,
            cache,
        )

    def _smaller(self, part: str, stem: str) -> str:
        if self.scale == 8:
            return self._path(f"DIV2K_{part}_LR_x8", f"{stem}x8.png")
        root = f"DIV2K_{part}_LR_{self.downgrade}"
        if self.downgrade in ("bicubic", "unknown"):
            return self._path(root, f"X{self.scale}", f"{stem}x{self.scale}.png")
        return self._path(root, f"{stem}x4{self.downgrade[0]}.png")

    def _scan(self) -> list[Any]:
        return [
            (path, self._smaller(part, os.path.basename(path).removesuffix(".png")))
            for part in (("train", "valid") if self.usage == "all" else (self.usage,))
            for path in pictures(self._path(f"DIV2K_{part}_HR"))
        ]

    def _read(self, record: Any) -> Row:
        return self._image(record[0]), self._image(record[1])


class FlickrDataset(Pictures):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures with captions (Flickr8k, Flickr30k): ``image`` and ``annotation``.

    Args:
        dataset_dir (str): the folder of the images.
        annotation_file (str): the file of captions, ``Flickr8k.token.txt`` or
            ``results_20130124.token``.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.Flickr8k``", how="observed in")}"""

    _owner = "FlickrDataset"
    _names: ClassVar[list[str]] = ["image", "annotation"]

    def __init__(
        self,
        dataset_dir: str,
        annotation_file: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.annotation_file = annotation_file
        self._file = check_readable(self._owner, "annotation_file", annotation_file, folder=False)
        super().__init__(
            dataset_dir,
            num_samples,
            num_parallel_workers,
            shuffle,
            decode,
            sampler,
            num_shards,
            shard_id,
            cache,
        )

    def _scan(self) -> list[Any]:
        captions: dict[str, list[str]] = {}
        for line in read_lines(self._file):
            place, tab, caption = line.partition("\t")
            if not tab or "#" not in place:
                raise RuntimeError(
                    f"For '{self._owner}', a line of {self.annotation_file} must have an image, # "
                    f"and a number, a tab and a caption, but is {line!r}."
                )
            captions.setdefault(checked_name(place.rpartition("#")[0]), []).append(caption)
        return [(self._path(name), tuple(captions[name])) for name in sorted(captions)]

    def _read(self, record: Any) -> Row:
        return self._image(record[0]), np.array(record[1])


class SBUDataset(Pictures):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures with captions (SBU Captioned Photo): ``image`` and ``caption``.

    Args:
        dataset_dir (str): the folder of ``sbu_images`` and of two lists, of URLs and captions;
            images of the lists that are not there are left out.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.SBU``", how="observed in")}"""

    _owner = "SBUDataset"
    _names: ClassVar[list[str]] = ["image", "caption"]

    def _scan(self) -> list[Any]:
        lists = [
            read_lines(self._path(f"SBU_captioned_photo_dataset_{kind}.txt"))
            for kind in ("urls", "captions")
        ]
        if len(lists[0]) != len(lists[1]):
            raise RuntimeError(
                f"For '{self._owner}', there are {len(lists[0])} URLs, but "
                f"{len(lists[1])} captions."
            )
        entries = []
        for url, caption in zip(*lists, strict=True):
            parts = url.strip().rsplit("/", 2)[1:]
            path = self._path("sbu_images", checked_name("_".join(["m", *parts])))
            if os.path.isfile(path):
                entries.append((path, caption.strip()))
        return entries

    def _read(self, record: Any) -> Row:
        return self._image(record[0]), text(record[1])


class KITTIDataset(PicturesOfUsage):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures of streets with boxes (KITTI).

    The columns are ``image``, ``label``, ``truncated``, ``occluded``, ``alpha``, ``bbox``,
    ``dimensions``, ``location`` and ``rotation_y``; for the test ``image`` alone. Labels are the
    places of the kinds of things that occur, sorted.

    Args:
        dataset_dir (str): the folder of ``data_object_image_2`` and ``data_object_label_2``.
        usage (str, optional): train or test. Default: ``None``, train.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.Kitti``", how="observed in")}"""

    _owner = "KITTIDataset"
    _usages: ClassVar[list[str]] = ["train", "test"]
    _default = "train"

    def _columns(self) -> list[str]:
        more = ["label", "truncated", "occluded", "alpha", "bbox", "dimensions", "location",
                "rotation_y"]  # fmt: skip
        return ["image", *(more if self.usage == "train" else ())]

    def _things(self, stem: str) -> list[list[str]]:
        entries = []
        for line in read_lines(self._path("data_object_label_2/training/label_2", f"{stem}.txt")):
            parts = line.split()
            if len(parts) != 15:
                raise RuntimeError(
                    f"For '{self._owner}', a line of {stem}.txt must have 15 values, but is "
                    f"{line!r}."
                )
            entries.append(parts)
        return entries

    def _scan(self) -> list[Any]:
        if self.usage == "test":
            return [
                (path, None) for path in pictures(self._path("data_object_image_2/testing/image_2"))
            ]
        paths = pictures(self._path("data_object_image_2/training/image_2"))
        things = [self._things(os.path.splitext(os.path.basename(path))[0]) for path in paths]
        kinds = sorted({thing[0] for part in things for thing in part})
        numbers = {kind: number for number, kind in enumerate(kinds)}
        entries = []
        for path, part in zip(paths, things, strict=True):
            values = np.array([[numbers[t[0]], *map(float, t[1:])] for t in part], np.float64)
            entries.append((path, values.reshape(-1, 15)))
        return entries

    def _read(self, record: Any) -> Row:
        path, values = record
        if values is None:
            return (self._image(path),)

        def numbers(first: int, last: int, kind: Any = np.float32) -> np.ndarray:
            part = values[:, first:last]
            return (
                part.astype(np.int64).astype(np.uint32) if kind is np.uint32 else part.astype(kind)
            )

        return (
            self._image(path),
            numbers(0, 1, np.uint32),
            numbers(1, 2),
            numbers(2, 3, np.uint32),
            numbers(3, 4),
            numbers(4, 8),
            numbers(8, 11),
            numbers(11, 14),
            numbers(14, 15),
        )

    def _label(self, record: Any) -> None:
        return None


_SETS = {"original": "lfw", "funneled": "lfw_funneled", "deepfunneled": "lfw-deepfunneled"}


class LFWDataset(PicturesOfUsage):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures of faces (Labeled Faces in the Wild).

    The columns are ``image`` and ``label``; for pairs ``image1``, ``image2`` and ``label``, which
    is 1 if both are of one person.

    Args:
        dataset_dir (str): the folder of ``lfw_funneled`` and the lists.
        task (str, optional): people or pairs. Default: ``None``, people.
        usage (str, optional): 10fold, train, test or all (train and test). Default: ``None``, all.
        image_set (str, optional): original, funneled or deepfunneled. Default: ``None``, funneled.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.LFWPeople``", how="observed in")}"""

    _owner = "LFWDataset"
    _usages: ClassVar[list[str]] = ["10fold", "train", "test", "all"]

    def __init__(
        self,
        dataset_dir: str,
        task: str | None = None,
        usage: str | None = None,
        image_set: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.task = self._choose("task", task, ["people", "pairs"], "people")
        self.image_set = self._choose("image_set", image_set, list(_SETS), "funneled")
        super().__init__(
            dataset_dir,
            usage,
            num_samples,
            num_parallel_workers,
            shuffle,
            decode,
            sampler,
            num_shards,
            shard_id,
            cache,
        )

    def _columns(self) -> list[str]:
        return ["image", "label"] if self.task == "people" else ["image1", "image2", "label"]

    def _entries(self) -> list[list[str]]:
        """The lines of the lists, without the counts of lines."""
        ends = {"10fold": [""], "train": ["DevTrain"], "test": ["DevTest"]}
        entries = []
        for end in ends.get(self.usage, ["DevTrain", "DevTest"]):
            lines = read_lines(self._path(f"{self.task}{end}.txt"))
            entries += [line.split() for line in lines]
        return [parts for parts in entries if not all(part.isdigit() for part in parts)]

    def _face(self, name: str, number: str) -> str:
        checked_name(name)
        return self._path(_SETS[self.image_set], name, f"{name}_{int(number):04d}.jpg")

    def _scan(self) -> list[Any]:
        entries = self._entries()
        if self.task == "people":
            listed = [line.split()[0] for line in read_lines(self._path("lfw-names.txt"))]
            labels = {name: number for number, name in enumerate(sorted(listed))}
            return [
                (self._face(name, str(i)), labels[name])
                for name, count in entries
                for i in range(1, _counted(count) + 1)
            ]
        items = []
        for parts in entries:
            if len(parts) not in (3, 4):
                raise RuntimeError(f"For '{self._owner}', {' '.join(parts)!r} names no pair.")
            same = len(parts) == 3
            other = parts[0] if same else parts[2]
            items.append((self._face(*parts[:2]), self._face(other, parts[-1]), int(same)))
        return items

    def _read(self, record: Any) -> Row:
        label = np.array(record[-1], np.uint32)
        return (*[self._image(path) for path in record[:-1]], label)

    def _label(self, record: Any) -> int:
        return record[-1]


_MOST_FACES = 100_000  # of one person; the list is a few thousand lines


def _counted(text: str) -> int:
    count = int(text)
    if count > _MOST_FACES:
        raise ValueError(f"{count} images of one person are named")
    return count


_TOURS = ["notredame", "yosemite", "liberty", "notredame_harris", "yosemite_harris",
          "liberty_harris"]  # fmt: skip
_PATCH = 64
_PATCHES = 16  # in each direction of a file


class PhotoTourDataset(Images):  # noqa: D101 (its text is made below)
    __doc__ = f"""Patches of pictures of sights (Photo Tour), of shape (64, 64, 1).

    The columns are ``image``, or for the test ``image1``, ``image2`` and ``matches``, which is 1 if
    both show the same point.

    Args:
        dataset_dir (str): the folder of ``liberty`` and the others.
        name (str): {", ".join(_TOURS[:-1])} or {_TOURS[-1]}.
        usage (str, optional): train or test. Default: ``None``, train.
        {COMMON.format(torch="``torchvision.datasets.PhotoTour``", how="observed in")}"""

    _owner = "PhotoTourDataset"

    def __init__(
        self,
        dataset_dir: str,
        name: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.name = Check(self._owner).choice("name", name, _TOURS)
        self.usage = self._choose("usage", usage, ["train", "test"], "train")
        self._folder = os.path.join(self._open_folder(dataset_dir), self.name)
        self._page: tuple[int, np.ndarray] | None = None
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_page": None}

    def _columns(self) -> list[str]:
        return ["image"] if self.usage == "train" else ["image1", "image2", "matches"]

    def _scan(self) -> list[Any]:
        points = read_lines(os.path.join(self._folder, "info.txt"))
        if self.usage == "train":
            return [(number,) for number in range(len(points))]
        entries = []
        for line in read_lines(os.path.join(self._folder, "m50_100000_100000_0.txt")):
            values = [int(value) for value in line.split()]
            pair = (values[0], values[3])
            if not all(0 <= number < len(points) for number in pair):
                raise RuntimeError(f"The pair {pair} is beyond the {len(points)} of info.txt")
            entries.append((*pair, int(values[1] == values[4])))
        return entries

    def _patch(self, number: int) -> np.ndarray:
        page, place = divmod(number, _PATCHES * _PATCHES)
        known = self._page
        if known is None or known[0] != page:
            path = os.path.join(self._folder, f"patches{page:04d}.bmp")
            picture = decoded(file_bytes(path), path)[..., :1]
            if picture.shape[:2] != (_PATCH * _PATCHES,) * 2:
                raise RuntimeError(f"The image {path} must have 1024 x 1024 pixels")
            self._page = known = (page, picture)
        row, column = divmod(place, _PATCHES)
        top, left = row * _PATCH, column * _PATCH
        return known[1][top : top + _PATCH, left : left + _PATCH].copy()

    def _read(self, record: Any) -> Row:
        if self.usage == "train":
            return (self._patch(record[0]),)
        first, second, matches = record
        return self._patch(first), self._patch(second), np.array(matches, np.uint32)


class WIDERFaceDataset(PicturesOfUsage):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures with the boxes of faces (WIDER FACE).

    The columns are ``image``, ``bbox`` (x, y, width, height), ``blur``, ``expression``,
    ``illumination``, ``occlusion``, ``pose`` and ``invalid``; for the test ``image`` alone.

    Args:
        dataset_dir (str): the folder of ``WIDER_train`` and the others, and ``wider_face_split``.
        usage (str, optional): train, valid, test or all (train and valid). Default: ``None``, all.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.WIDERFace``", how="observed in")}"""

    _owner = "WIDERFaceDataset"
    _usages: ClassVar[list[str]] = ["train", "test", "valid", "all"]

    def _columns(self) -> list[str]:
        more = ["bbox", "blur", "expression", "illumination", "occlusion", "pose", "invalid"]
        return ["image", *(more if self.usage != "test" else ())]

    def _scan(self) -> list[Any]:
        lists = self._path("wider_face_split")
        if self.usage == "test":
            images = self._path("WIDER_test", "images")
            lines = read_lines(os.path.join(lists, "wider_face_test_filelist.txt"))
            return [(inside(images, line.strip()), None) for line in lines]
        parts = {"train": ["train"], "valid": ["val"]}.get(self.usage, ["train", "val"])
        return [record for part in parts for record in self._faces(lists, part)]

    def _faces(self, lists: str, part: str) -> list[Any]:
        """The images of a list: a path, the number of faces, and a line for each (one for none)."""
        images = self._path(f"WIDER_{part}", "images")
        lines = read_lines(os.path.join(lists, f"wider_face_{part}_bbx_gt.txt"))
        records, place = [], 0
        while place < len(lines):
            count = max(int(lines[place + 1]), 1)
            faces = [
                [int(v) for v in line.split()] for line in lines[place + 2 : place + 2 + count]
            ]
            if len(faces) != count or any(len(face) != 10 for face in faces):
                raise RuntimeError(
                    f"For '{self._owner}', {lines[place]!r} of wider_face_{part}_bbx_gt.txt must "
                    f"have {count} lines of ten numbers."
                )
            records.append((inside(images, lines[place].strip()), np.array(faces, np.int32)))
            place += 2 + count
        return records

    def _read(self, record: Any) -> Row:
        path, faces = record
        if faces is None:
            return (self._image(path),)
        return (self._image(path), faces[:, :4].copy(), *(faces[:, i].copy() for i in range(4, 10)))

    def _label(self, record: Any) -> None:
        return None
