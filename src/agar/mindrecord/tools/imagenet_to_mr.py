"""Folders of images into MindRecord."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from agar import log
from agar.mindrecord.common.exceptions import PathNotExistsError
from agar.mindrecord.core.shardutils import SUCCESS, MSRStatus, check_filename
from agar.mindrecord.tools._convert import partitions, write

__all__ = ["ImageNetToMR"]

_SIZES = (1 << 24, 1 << 26)


class ImageNetToMR:
    """Converts folders of JPEG images, one for each class, to MindRecord.

    Args:
        map_file (str): a text file with a line ``folder number`` for each class.
        image_dir (str): the folder of these folders.
        destination (str): the MindRecord file.
        partition_number (int): the number of files. Default: ``1``.

    Raises:
        ValueError: `partition_number` is not an int.
        ParamValueError: a path cannot be one.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10; images are in the order of their names.

    Examples:
        >>> from agar.mindrecord import ImageNetToMR
        >>> ImageNetToMR("classes.txt", "images", "images.mindrecord").transform()  # doctest: +SKIP
    """

    def __init__(
        self, map_file: str, image_dir: str, destination: str, partition_number: int = 1
    ) -> None:
        for path in (map_file, image_dir, destination):
            check_filename(path)
        self.map_file, self.image_dir, self.destination = map_file, image_dir, destination
        self.partition_number = partitions(partition_number)

    def run(self) -> MSRStatus:
        """Convert.

        Returns:
            MSRStatus, SUCCESS.

        Raises:
            OSError: there is no map file.
            PathNotExistsError: no folder of it exists.
        """
        schema = {
            "label": {"type": "int32"},
            "image": {"type": "bytes"},
            "file_name": {"type": "string"},
        }
        write(
            self.destination,
            schema,
            "imagenet_schema",
            self._rows(self._folders()),
            ["label", "file_name"],
            self.partition_number,
            _SIZES,
        )
        return SUCCESS

    def transform(self) -> MSRStatus:
        """Convert; see :meth:`run`."""
        return self.run()

    def _folders(self) -> dict[str, int]:
        if not os.path.exists(self.map_file):
            raise OSError(f"map file {self.map_file} not exists")
        folders = {}
        with open(self.map_file, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                parts = line.split()
                if not parts:
                    continue
                if len(parts) != 2 or not parts[1].isdigit():
                    raise ValueError(
                        f"{self.map_file}, line {number}: a folder and a number are expected, got "
                        f"{line.strip()!r}."
                    )
                path = os.path.join(self.image_dir, parts[0])
                if os.path.isdir(path):
                    folders[path] = int(parts[1])
                else:
                    log.warning("ImageNetToMR: there is no folder %s.", path)
        if not folders:
            raise PathNotExistsError(f"Invalid path. not valid image dir in {self.image_dir}")
        return folders

    @staticmethod
    def _rows(folders: dict[str, int]) -> Iterator[dict[str, Any]]:
        for folder, label in folders.items():
            for name in sorted(os.listdir(folder)):
                path = os.path.join(folder, name)
                if not name.endswith(("JPEG", "jpg")):
                    log.warning("ImageNetToMR: %s does not end with JPEG or jpg, skipped.", path)
                    continue
                with open(path, "rb") as file:
                    image = file.read()
                if not image:
                    log.warning("ImageNetToMR: %s is empty, skipped.", path)
                    continue
                yield {"file_name": path, "label": label, "image": image}
