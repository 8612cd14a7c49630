"""MNIST into MindRecord."""

from __future__ import annotations

import gzip
import math
import os
import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from agar._core.file_reading import MAX_EXPANSION, reading
from agar.mindrecord.core.shardutils import SUCCESS, MSRStatus, check_filename
from agar.mindrecord.tools._convert import jpeg, partitions, write

__all__ = ["MnistToMR"]

_FILES = {
    "_train.mindrecord": ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz"),
    "_test.mindrecord": ("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"),
}


class MnistToMR:
    """Converts MNIST's four files to MindRecord files for training and for tests.

    Args:
        source (str): the folder of the ``.gz`` files.
        destination (str): what names of files begin with; ``_train.mindrecord`` and
            ``_test.mindrecord`` follow.
        partition_number (int): the number of files of each. Default: ``1``.

    Raises:
        ValueError: `partition_number` is not an int.
        ParamValueError: a path cannot be one.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10; images are encoded by Pillow (there: OpenCV).

    Examples:
        >>> from agar.mindrecord import MnistToMR
        >>> MnistToMR("mnist", "mnist").transform()  # doctest: +SKIP
    """

    def __init__(self, source: str, destination: str, partition_number: int = 1) -> None:
        check_filename(source)
        check_filename(destination)
        self.source, self.destination = source, destination
        self.partition_number = partitions(partition_number)

    def run(self) -> MSRStatus:
        """Convert.

        Returns:
            MSRStatus, SUCCESS.

        Raises:
            FileNotFoundError: a file is missing.
            ValueError: a file is damaged.
        """
        schema = {"label": {"type": "int64"}, "data": {"type": "bytes"}}
        for ending, (images, labels) in _FILES.items():
            rows = self._rows(os.path.join(self.source, images), os.path.join(self.source, labels))
            write(
                self.destination + ending,
                schema,
                "mnist_schema",
                rows,
                ["label"],
                self.partition_number,
            )
        return SUCCESS

    def transform(self) -> MSRStatus:
        """Convert; see :meth:`run`."""
        return self.run()

    @staticmethod
    def _rows(images: str, labels: str) -> Iterator[dict[str, Any]]:
        pictures, numbers = _idx(images, 3), _idx(labels, 1)
        if len(pictures) != len(numbers):
            raise ValueError(f"{images} has {len(pictures)} images and {labels} {len(numbers)}.")
        for picture, number in zip(pictures, numbers, strict=True):
            yield {"label": int(number), "data": jpeg(np.ascontiguousarray(picture))}


def _idx(path: str, dimensions: int) -> np.ndarray:
    with reading("MnistToMR", path, ValueError, "It must be a packed file of MNIST."):
        limit = MAX_EXPANSION * os.path.getsize(path)
        with gzip.open(path) as file:
            data = file.read(limit + 1)
        head = 4 * (1 + dimensions)
        magic, *shape = struct.unpack(f">{1 + dimensions}I", data[:head])
        # numpy's product of sizes wraps around
        wrong = len(data) > limit or len(data) - head != math.prod(shape)
        if magic != 0x800 + dimensions or wrong:
            raise ValueError(f"{path} is not a file of MNIST, or it is damaged.")
        return np.frombuffer(data, np.uint8, offset=head).reshape(shape)
