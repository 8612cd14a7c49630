"""Datasets of images whose label is the folder, or the line of a list, in which they stand."""

from __future__ import annotations

import os
from typing import Any, ClassVar

import numpy as np

from agar.dataset.engine._checks import Check
from agar.dataset.engine._files import image_of
from agar.dataset.engine._images import COMMON, Images
from agar.dataset.engine._line_files import text
from agar.dataset.engine._values import Row

__all__ = [
    "Caltech256Dataset",
    "Food101Dataset",
    "LSUNDataset",
    "OmniglotDataset",
    "Places365Dataset",
    "RenderedSST2Dataset",
    "SUN397Dataset",
]


def read_lines(path: str) -> list[str]:
    """The lines of a text that are not empty.

    Raises:
        RuntimeError: it is missing.
    """
    if not os.path.isfile(path):
        raise RuntimeError(f"The file {path} is missing")
    with open(path, encoding="utf-8") as stream:
        return [line.rstrip("\r\n") for line in stream if line.strip()]


def folders(folder: str) -> list[str]:
    """The names of the folders in a folder, sorted."""
    if not os.path.isdir(folder):
        raise RuntimeError(f"The folder {folder} is missing")
    return sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())


_PICTURES = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".tif", ".tiff", ".ppm", ".pgm", ".webp")


def pictures(folder: str) -> list[str]:
    """The paths of the images in a folder, sorted."""
    if not os.path.isdir(folder):
        raise RuntimeError(f"The folder {folder} is missing")
    names = sorted(name for name in os.listdir(folder) if name.lower().endswith(_PICTURES))
    return [os.path.join(folder, name) for name in names]


def inside(folder: str, name: str) -> str:
    """The path of a file that a list names, which must lie in the folder.

    Raises:
        ValueError: it leads out of it.
    """
    path = os.path.normpath(os.path.join(folder, name))
    if "\0" in name or os.path.isabs(name) or not path.startswith(os.path.join(folder, "")):
        raise ValueError(f"the name {name!r} leads out of the folder of the dataset")
    return path


class Pictures(Images):
    """Base of datasets of images in a folder."""

    _label_type: ClassVar[type] = np.uint32

    def __init__(
        self,
        dataset_dir: str,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self._folder = os.path.normpath(self._open_folder(dataset_dir))
        self.decode = self._decode(decode)
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _path(self, *parts: str) -> str:
        return os.path.join(self._folder, *parts)

    def _image(self, path: str) -> np.ndarray:
        return image_of(path, self.decode)

    def _read(self, record: Any) -> Row:
        return self._image(record[0]), np.array(record[1], self._label_type)

    def _label(self, record: Any) -> int | None:
        return record[1] if isinstance(record[1], int) else None


class PicturesOfUsage(Pictures):
    """Base of datasets of images of which a part can be chosen."""

    _usages: ClassVar[list[str]]
    _default: ClassVar[str] = "all"

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self.usage = self._choose("usage", usage, self._usages, self._default)
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


_DECODE = "decode (bool, optional): whether images are decoded. Default: ``False``."


class Caltech256Dataset(Pictures):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures of 256 kinds (Caltech 256); the columns are ``image`` and ``label``.

    Args:
        dataset_dir (str): the folder of ``001.ak47`` and the others.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.Caltech256``", how="observed in")}"""

    _owner = "Caltech256Dataset"
    _names: ClassVar[list[str]] = ["image", "label"]
    _label_type = np.int32

    def _scan(self) -> list[Any]:
        return [
            (path, number)
            for number, name in enumerate(folders(self._folder))
            for path in pictures(self._path(name))
        ]


class Food101Dataset(PicturesOfUsage):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures of 101 dishes (Food-101); the columns are ``image``, ``label``: a name.

    Args:
        dataset_dir (str): the folder of ``images`` and ``meta``.
        usage (str, optional): train, test or all. Default: ``None``, all.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.Food101``", how="observed in")}"""

    _owner = "Food101Dataset"
    _names: ClassVar[list[str]] = ["image", "label"]
    _usages: ClassVar[list[str]] = ["train", "test", "all"]

    def _scan(self) -> list[Any]:
        usages = ["train", "test"] if self.usage == "all" else [self.usage]
        images = self._path("images")
        return [
            (inside(images, f"{line}.jpg"), line.partition("/")[0])
            for usage in usages
            for line in read_lines(self._path("meta", f"{usage}.txt"))
        ]

    def _read(self, record: Any) -> Row:
        return self._image(record[0]), text(record[1])


class LSUNDataset(PicturesOfUsage):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures of scenes (LSUN), unpacked; the columns are ``image`` and ``label``.

    Args:
        dataset_dir (str): the folder of ``bedroom_train``, ``bedroom_val`` and the others.
        usage (str, optional): train, valid, test or all (train and valid).
            Default: ``None``, all.
        classes (Union[str, list[str]], optional): the scenes. Default: ``None``, all.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.LSUN``", how="observed in")}"""

    _owner = "LSUNDataset"
    _names: ClassVar[list[str]] = ["image", "label"]
    _usages: ClassVar[list[str]] = ["train", "test", "valid", "all"]

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        classes: str | list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        check = Check(self._owner)
        if classes is not None:
            check.kind("classes", classes, str, list)
            classes = [classes] if isinstance(classes, str) else classes
            for i, name in enumerate(classes):
                check.kind(f"classes[{i}]", name, str)
        self.classes = classes or []
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

    def _chosen(self) -> list[str]:
        """The folders that are read."""
        if self.usage == "test":
            return ["test"]
        endings = {"train": ["_train"], "valid": ["_val"], "all": ["_train", "_val"]}[self.usage]
        every = [name for name in folders(self._folder) if name.endswith(tuple(endings))]
        if not self.classes:
            return every
        chosen = [f"{name}{ending}" for name in self.classes for ending in endings]
        missing = [name for name in chosen if name not in every]
        if missing:
            raise RuntimeError(
                f"For '{self._owner}', there are no folders {missing} in {self.dataset_dir}."
            )
        return [name for name in every if name in chosen]

    def _scan(self) -> list[Any]:
        return [
            (path, number)
            for number, name in enumerate(self._chosen())
            for path in pictures(inside(self._folder, name))
        ]


class OmniglotDataset(Pictures):  # noqa: D101 (its text is made below)
    __doc__ = f"""Hand-written characters of many alphabets (Omniglot).

    The columns are ``image`` and ``label``, the number of the character.

    Args:
        dataset_dir (str): the folder of ``images_background`` and ``images_evaluation``.
        background (bool, optional): which of both. Default: ``None``, ``images_background``.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.Omniglot``", how="observed in")}"""

    _owner = "OmniglotDataset"
    _names: ClassVar[list[str]] = ["image", "label"]
    _label_type = np.int32

    def __init__(
        self,
        dataset_dir: str,
        background: bool | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        decode: bool | None = False,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        if background is not None:
            Check(self._owner).flag("background", background)
        self.background = True if background is None else background
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
        root = self._path("images_background" if self.background else "images_evaluation")
        characters = [
            os.path.join(root, alphabet, name)
            for alphabet in folders(root)
            for name in folders(os.path.join(root, alphabet))
        ]
        return [(path, i) for i, folder in enumerate(characters) for path in pictures(folder)]


_PLACES = {"train-standard": "standard", "train-challenge": "challenge"}


class Places365Dataset(Images):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures of 365 kinds of places (Places365); the columns are ``image``, ``label``.

    Args:
        dataset_dir (str): the folder of ``places365_train_standard.txt`` and the others.
        usage (str, optional): train-standard, train-challenge or val.
            Default: ``None``, train-standard.
        small (bool, optional): whether images of 256 x 256 are read. Default: ``True``.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.Places365``", how="observed in")}"""

    _owner = "Places365Dataset"
    _names: ClassVar[list[str]] = ["image", "label"]

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        small: bool = True,
        decode: bool = False,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        self._folder = os.path.normpath(self._open_folder(dataset_dir))
        self.usage = self._choose("usage", usage, [*_PLACES, "val"], "train-standard")
        self.small = Check(self._owner).flag("small", small)
        self.decode = self._decode(decode)
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _scan(self) -> list[Any]:
        size = "256" if self.small else "large"
        part = _PLACES.get(self.usage)
        listing = f"places365_train_{part}.txt" if part else "places365_val.txt"
        images = os.path.join(self._folder, f"data_{size}_{part}" if part else f"val_{size}")
        entries = []
        for line in read_lines(os.path.join(self._folder, listing)):
            name, _, number = line.strip().rpartition(" ")
            entries.append((inside(images, name.lstrip("/")), int(number)))
        return entries

    def _read(self, record: Any) -> Row:
        return image_of(record[0], self.decode), np.array(record[1], np.uint32)

    def _label(self, record: Any) -> int:
        return record[1]


class RenderedSST2Dataset(PicturesOfUsage):  # noqa: D101 (its text is made below)
    __doc__ = f"""Sentences that praise (1) or blame (0), as pictures (Rendered SST2).

    The columns are ``image`` and ``label``.

    Args:
        dataset_dir (str): the folder of ``train``, ``test`` and ``valid``.
        usage (str, optional): train, val, test or all. Default: ``None``, all.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.RenderedSST2``", how="observed in")}"""

    _owner = "RenderedSST2Dataset"
    _names: ClassVar[list[str]] = ["image", "label"]
    _usages: ClassVar[list[str]] = ["val", "all", "train", "test"]

    def _scan(self) -> list[Any]:
        parts = ["test", "train", "valid"] if self.usage == "all" else [self.usage]
        return [
            (path, label)
            for part in parts
            for label, name in enumerate(("negative", "positive"))
            for path in pictures(self._path("valid" if part == "val" else part, name))
        ]


class SUN397Dataset(Pictures):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures of 397 kinds of scenes (SUN397); the columns are ``image``, ``label``.

    Args:
        dataset_dir (str): the folder of ``ClassName.txt`` and ``a`` to ``z``.
        {_DECODE}
        {COMMON.format(torch="``torchvision.datasets.SUN397``", how="observed in")}"""

    _owner = "SUN397Dataset"
    _names: ClassVar[list[str]] = ["image", "label"]

    def _scan(self) -> list[Any]:
        return [
            (path, number)
            for number, line in enumerate(read_lines(self._path("ClassName.txt")))
            for path in pictures(inside(self._folder, line.strip().lstrip("/")))
        ]
