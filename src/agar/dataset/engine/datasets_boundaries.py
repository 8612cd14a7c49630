"""The Semantic Boundaries data set."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import numpy as np

from agar._core.file_reading import checked_name, reading
from agar.dataset.engine._files import image_of
from agar.dataset.engine._images import COMMON, Images
from agar.dataset.engine._values import Row

__all__ = ["SBDataset"]

_CATEGORIES = 20


class SBDataset(Images):  # noqa: D101 (its text is made below)
    __doc__ = f"""Pictures with the boundaries or the areas of 20 categories (Semantic Boundaries).

    The columns are ``image`` and ``task``: for Boundaries uint8 of shape (20, height, width), for
    Segmentation the category of each pixel, uint8. The files of MATLAB hold structures and sparse
    matrices, which the package scipy reads.

    Args:
        dataset_dir (str): the folder of ``img``, ``cls``, ``train.txt`` and ``val.txt``.
        task (str, optional): Boundaries or Segmentation. Default: ``'Boundaries'``.
        usage (str, optional): train, val, train_noval or all, which is train and val.
            Default: ``'all'``.
        decode (bool, optional): whether images are decoded. Default: ``None``, they are not.
        {COMMON.format(torch="``torchvision.datasets.SBDataset``", how="described for")}
    Examples:
        >>> import agar.dataset as ds
        >>> data = ds.SBDataset("benchmark_RELEASE", task="Segmentation")  # doctest: +SKIP
    """

    _owner = "SBDataset"

    def __init__(
        self,
        dataset_dir: str,
        task: str = "Boundaries",
        usage: str = "all",
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        decode: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        self._folder = self._open_folder(dataset_dir)
        self.task = self._choose("task", task, ["Boundaries", "Segmentation"], "Boundaries")
        self.usage = self._choose("usage", usage, ["train", "val", "train_noval", "all"], "all")
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
        return ["image", "task"]

    def _scan(self) -> list[Any]:
        names = []
        for usage in ("train", "val") if self.usage == "all" else (self.usage,):
            path = os.path.join(self._folder, f"{usage}.txt")
            with reading(self._owner, path), open(path, encoding="utf-8") as file:
                names += [checked_name(line.strip()) for line in file if line.strip()]
        return names

    def _read(self, record: Any) -> Row:
        image = image_of(os.path.join(self._folder, "img", f"{record}.jpg"), self.decode)
        return image, self._marks(os.path.join(self._folder, "cls", f"{record}.mat"))

    def _marks(self, path: str) -> np.ndarray:
        """The boundaries or the areas of a file."""
        try:
            reader = import_module("scipy.io")
        except ImportError:
            raise ImportError(
                "For 'SBDataset', the package scipy reads the files of MATLAB: pip install scipy"
            ) from None
        field = reader.loadmat(path, variable_names=["GTcls"])["GTcls"][0][self.task][0]
        if self.task == "Segmentation":
            return np.asarray(field, np.uint8)
        each = [field[i][0].toarray() for i in range(_CATEGORIES)]
        return np.stack(each).astype(np.uint8)
