"""What the converters to MindRecord share."""

from __future__ import annotations

import io
import itertools
import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from agar._core.file_reading import reading
from agar.mindrecord.common.exceptions import PathNotExistsError
from agar.mindrecord.core.shardutils import check_filename
from agar.mindrecord.filewriter import FileWriter
from agar.mindrecord.tools._pickled import plain_values

__all__ = ["jpeg", "partitions", "pickled", "source_files", "write"]

_AT_ONCE = 256


def write(
    destination: str,
    schema: dict[str, Any],
    description: str,
    rows: Iterable[dict[str, Any]],
    index: list[str] | None = None,
    files: int = 1,
    sizes: tuple[int, int] | None = None,
) -> None:
    """Write rows, some at a time."""
    writer = FileWriter(destination, files)
    if sizes is not None:
        writer.set_header_size(sizes[0])
        writer.set_page_size(sizes[1])
    writer.add_schema(schema, description)
    if index:
        writer.add_index(index)
    rows = iter(rows)
    while part := list(itertools.islice(rows, _AT_ONCE)):
        writer.write_raw_data(part)
    writer.commit()


def partitions(value: Any) -> int:
    """The number of files.

    Raises:
        ValueError: it is not an int.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("The parameter partition_number must be int")
    return value


def source_files(source: str, beginnings: Iterable[str]) -> dict[str, list[str]]:
    """The files of a folder by their names, or beginnings of names that end with ``_``, sorted.

    Raises:
        PathNotExistsError: there is none of a beginning.
    """
    check_filename(source)
    names = sorted(os.listdir(source))
    entries = {
        b: [os.path.join(source, n) for n in names if n == b or (b[-1] == "_" and n.startswith(b))]
        for b in beginnings
    }
    for beginning, paths in entries.items():
        if not paths:
            raise PathNotExistsError(f"Invalid path. {source} has no file {beginning}")
    return entries


def jpeg(image: np.ndarray) -> bytes:
    """An image (H, W, 3 or 1) of uint8 as JPEG."""
    from PIL import Image  # only these converters need it

    out = io.BytesIO()
    image = image[..., 0] if image.ndim == 3 and image.shape[2] == 1 else image
    Image.fromarray(image).save(out, "JPEG", quality=95)
    return out.getvalue()


def pickled(path: str) -> dict[str, Any]:
    """A dictionary that CIFAR's authors have pickled, read without running code of the file.

    Raises:
        ValueError: the file is damaged, or holds something else.
    """
    advice = "It must be a batch of CIFAR images (the version for Python)."
    with reading("CIFAR", path, ValueError, advice):
        with open(path, "rb") as file:
            content = plain_values(file.read())
        if not isinstance(content, dict):
            raise ValueError(f"it holds {type(content).__name__}, not a dictionary")
        return content
