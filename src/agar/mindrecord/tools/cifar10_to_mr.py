"""CIFAR-10 into MindRecord."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from agar._core.file_reading import reading
from agar.mindrecord.core.shardutils import SUCCESS, MSRStatus, check_filename
from agar.mindrecord.tools._convert import jpeg, pickled, source_files, write

__all__ = ["Cifar10ToMR"]


class Cifar10ToMR:
    """Converts the Python version of CIFAR-10 to two MindRecord files.

    Args:
        source (str): the folder with ``data_batch_*`` and ``test_batch``.
        destination (str): the file of the training images; the tests get ``_test`` behind.

    Raises:
        PathNotExistsError: batches are missing.
        ParamValueError: a path cannot be one.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10; images are encoded by Pillow (there: OpenCV), and
    the pickled batches are read without running code of theirs.

    Examples:
        >>> from agar.mindrecord import Cifar10ToMR
        >>> Cifar10ToMR("cifar-10-batches-py", "cifar.mindrecord")  # doctest: +SKIP
    """

    _BATCHES = ("data_batch_", "test_batch")
    _LABELS = (("labels", "label"),)

    def __init__(self, source: str, destination: str) -> None:
        self.source = source
        self._files = source_files(source, self._BATCHES)
        check_filename(destination)
        self.destination = destination

    def run(self, fields: list[str] | None = None) -> MSRStatus:
        """Convert.

        Args:
            fields (list[str]): index fields. Default: ``None``, all numbers.

        Returns:
            MSRStatus, SUCCESS.

        Raises:
            ValueError: `fields` is not a list, or a batch is damaged.
        """
        if fields and not isinstance(fields, list):
            raise ValueError("The parameter fields should be None or list")
        numbers = ("id", *(mine for _, mine in self._LABELS))
        schema: dict[str, Any] = {name: {"type": "int64"} for name in numbers}
        schema["data"] = {"type": "bytes"}
        endings = ("", "_test")
        for beginning, ending in zip(self._BATCHES, endings, strict=True):
            description = "img_train" if not ending else "img_test"
            rows = self._rows(self._files[beginning])
            write(self.destination + ending, schema, description, rows, fields)
        return SUCCESS

    def transform(self, fields: list[str] | None = None) -> MSRStatus:
        """Convert; see :meth:`run`.

        Args:
            fields (list[str]): index fields. Default: ``None``, all numbers.
        """
        return self.run(fields)

    def _rows(self, files: list[str]) -> Iterator[dict[str, Any]]:
        number = 0
        for path in files:
            batch = pickled(path)
            with reading("CIFAR", path, ValueError):
                images = np.asarray(batch["data"], np.uint8).reshape(-1, 3, 32, 32)
                entries = {mine: list(map(int, batch[its])) for its, mine in self._LABELS}
                if any(len(values) != len(images) for values in entries.values()):
                    raise ValueError(f"it has {len(images)} images and another number of labels")
            for i, image in enumerate(images.transpose(0, 2, 3, 1)):
                labels = {mine: values[i] for mine, values in entries.items()}
                yield {"id": number, **labels, "data": jpeg(np.ascontiguousarray(image))}
                number += 1
