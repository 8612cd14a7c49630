"""The base of datasets of images."""

from __future__ import annotations

from typing import Any

from agar._core.errors import missing_feature
from agar.dataset.engine._checks import Check, check_readable
from agar.dataset.engine._files import FileDataset
from agar.dataset.engine.datasets import VisionBaseDataset

__all__ = ["COMMON", "Images", "refuse_decryption"]

COMMON = """num_samples (int, optional): the maximum number of samples in an epoch.
            Default: ``None``.
        num_parallel_workers (int, optional): the number of processes that read and decode.
            Default: ``None``, the program itself.
        shuffle (bool, optional): whether samples come in random order. Default: ``None``, they do.
        sampler (Union[Sampler, Iterable], optional): gives the order. Default: ``None``.
        num_shards (int, optional): the number of shards for the samples. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: there is no such folder or file, or an argument is out of range.
        RuntimeError: (while iterating) no sample is found, or a file cannot be read.

    Difference from PyTorch: {torch}.

    Source: behavior {how} MindSpore 2.10.
"""


def refuse_decryption(owner: str, value: Any) -> None:
    if value is not None:
        raise missing_feature(
            f"'{owner}' with decrypt",
            "files are read as they are",
            "decrypt them in a source of GeneratorDataset",
        )


class Images(FileDataset, VisionBaseDataset):
    """Base of datasets of images."""

    def _open_folder(self, dataset_dir: Any) -> str:
        self.dataset_dir = dataset_dir
        return check_readable(self._owner, "dataset_dir", dataset_dir, folder=True)

    def _choose(self, argument: str, value: Any, choices: list[str], default: str) -> str:
        if value is not None:
            Check(self._owner).choice(argument, value, choices)
        return default if value is None else value

    def _decode(self, value: Any) -> bool:
        return False if value is None else Check(self._owner).flag("decode", value)


# --- folders of classes ------------------------------------------------------------------------
