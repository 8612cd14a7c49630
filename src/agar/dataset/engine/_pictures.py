"""Datasets of images: random pixels, digits in text, and faces with attributes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from agar.dataset.engine._checks import Check, check_readable
from agar.dataset.engine._files import image_of
from agar.dataset.engine._images import COMMON, Images, refuse_decryption
from agar.dataset.engine._line_files import LineFiles
from agar.dataset.engine._values import Row
from agar.dataset.engine.datasets import VisionBaseDataset
from agar.dataset.engine.samplers import Shuffle
from agar.dataset.transforms._random import Engine

__all__ = ["CelebADataset", "FakeImageDataset", "USPSDataset"]


class FakeImageDataset(Images):
    __doc__ = f"""Images of random pixels; the columns are ``image``, ``label``.

    The labels are those of MindSpore; its images are mostly zeros.

    Args:
        num_images (int, optional): how many. Default: ``1000``.
        image_size (Union[list, tuple], optional): height, width, channels.
            Default: ``(224, 224, 3)``.
        num_classes (int, optional): of how many classes. Default: ``10``.
        base_seed (int, optional): the seed; sample i has the seed `base_seed` + i. Default: ``0``.
        {COMMON.format(torch="``torchvision.datasets.FakeData``", how="observed in")}"""

    _owner = "FakeImageDataset"
    _names: ClassVar[list[str]] = ["image", "label"]

    def __init__(
        self,
        num_images: int = 1000,
        image_size: Any = (224, 224, 3),
        num_classes: int = 10,
        base_seed: int = 0,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        check = Check(self._owner)
        self.num_images = check.whole("num_images", num_images, 1)
        check.sequence("image_size", image_size, 3)
        for i, size in enumerate(image_size):
            check.whole(f"image_size[{i}]", size, 1)
        self.image_size = tuple(image_size)
        self._classes = check.whole("num_classes", num_classes, 1)
        self.base_seed = check.whole("base_seed", base_seed, 0)
        super().__init__(
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def num_classes(self) -> int | None:
        """The number of classes."""
        return self._classes

    def _scan(self) -> Any:
        return range(self.num_images)

    def _read(self, record: Any) -> Row:
        pixels = np.random.RandomState((self.base_seed + record) & 0xFFFFFFFF).bytes(
            int(np.prod(self.image_size))
        )
        image = np.frombuffer(pixels, np.uint8).reshape(self.image_size).copy()
        return image, np.array(self._label(record), np.uint32)

    def _label(self, record: Any) -> int:
        return Engine((self.base_seed + record) & 0xFFFFFFFF).integer(0, self._classes - 1)


class USPSDataset(LineFiles, VisionBaseDataset):
    """Handwritten digits of mail (USPS); the columns are ``image``, (16, 16, 1), and ``label``.

    Args:
        dataset_dir (str): the folder of ``usps`` and ``usps.t``.
        usage (str, optional): train, test or all. Default: ``None``, all.
        num_samples (int, optional): the maximum number of rows in an epoch. Default: ``None``.
        num_parallel_workers (int, optional): the number of files read in turns.
            Default: ``None``, ``config.get_num_parallel_workers()``.
        shuffle (Union[bool, Shuffle], optional): Shuffle.GLOBAL shuffles files and rows,
            Shuffle.FILES the files. Default: ``Shuffle.GLOBAL``.
        num_shards (int, optional): the number of shards for the rows. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the folder or a file does not exist, or an argument is out of range.

    Difference from PyTorch: ``torchvision.datasets.USPS``.

    Source: behavior observed in MindSpore 2.10.
    """

    _owner = "USPSDataset"
    _names: ClassVar[list[str]] = ["image", "label"]

    def __init__(
        self,
        dataset_dir: str,
        usage: str | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        shuffle: bool | Shuffle | None = Shuffle.GLOBAL,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        folder = check_readable(self._owner, "dataset_dir", dataset_dir, folder=True)
        if usage is not None:
            Check(self._owner).choice("usage", usage, ["train", "test", "all"])
        self.dataset_dir, self.usage = dataset_dir, usage or "all"
        names = {"train": ["usps"], "test": ["usps.t"]}.get(self.usage, ["usps", "usps.t"])
        files = [os.path.join(folder, name) for name in names]
        for file in files:
            check_readable(self._owner, "dataset_dir", file, folder=False)
        super().__init__(
            files,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )

    def _rows_of(self, file: str) -> Iterator[Row]:
        with open(file, encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                words = line.split()
                if not words:
                    continue
                if len(words) != 257:
                    raise RuntimeError(
                        f"For '{self._owner}', line {number} of {file} must have a label and 256 "
                        f"pixels, but has {len(words)} values."
                    )
                pixels = np.array([word.partition(":")[2] for word in words[1:]], np.float64)
                if not (np.abs(pixels) <= 1).all():
                    raise ValueError(f"line {number} has a pixel outside of [-1, 1]")
                # from [-1, 1] to bytes, cut as MindSpore cuts
                image = ((pixels + 1) / 2 * 255).astype(np.uint8).reshape(16, 16, 1)
                yield image, np.array(int(words[0]) - 1, np.uint32)


# --- annotated images --------------------------------------------------------------------------


class CelebADataset(Images):
    __doc__ = f"""Faces with 40 attributes (CelebA); the columns are ``image``, ``attr``.

    Args:
        dataset_dir (str): the folder of the images and ``list_attr_celeba.txt``.
        usage (str, optional): train, valid, test or all; other than all need
            ``list_eval_partition.txt``. Default: ``'all'``.
        decode (bool, optional): whether images are decoded. Default: ``False``.
        extensions (list[str], optional): those of the files. Default: ``None``, all files.
        decrypt (Callable, optional): must be None. Default: ``None``.
        {COMMON.format(torch="``torchvision.datasets.CelebA``", how="observed in")}"""

    _owner = "CelebADataset"
    _names: ClassVar[list[str]] = ["image", "attr"]

    def __init__(
        self,
        dataset_dir: str,
        num_parallel_workers: int | None = None,
        shuffle: bool | None = None,
        usage: str = "all",
        sampler: Any = None,
        decode: bool = False,
        extensions: list[str] | None = None,
        num_samples: int | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
        decrypt: Any = None,
    ) -> None:
        self._folder = self._open_folder(dataset_dir)
        self.usage = self._choose("usage", usage, ["train", "valid", "test", "all"], "all")
        self.decode = self._decode(decode)
        if extensions is not None:
            Check(self._owner).kind("extensions", extensions, list)
        self.extensions = extensions or []
        refuse_decryption(self._owner, decrypt)
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
        def opened(name: str) -> Any:
            path = os.path.join(self._folder, name)
            check_readable(self._owner, "dataset_dir", path, folder=False)
            return open(path, encoding="utf-8")

        expected = None
        if self.usage != "all":
            kind = {"train": "0", "valid": "1", "test": "2"}[self.usage]
            with opened("list_eval_partition.txt") as stream:
                expected = {line.split()[0] for line in stream if line.split()[1:] == [kind]}
        images = os.path.join(self._folder, "Img", "img_align_celeba")
        folder = images if os.path.isdir(images) else self._folder
        entries = []
        with opened("list_attr_celeba.txt") as stream:
            for line in list(stream)[2:]:
                name, *flags = line.split() or [""]
                if not name or (expected is not None and name not in expected):
                    continue
                if self.extensions and not name.endswith(tuple(self.extensions)):
                    continue
                attributes = (np.array(flags, np.int64) > 0).astype(np.uint32)
                entries.append((os.path.join(folder, name), attributes))
        return entries

    def _read(self, record: Any) -> Row:
        return image_of(record[0], self.decode), record[1].copy()
