"""Limits and checks of MindRecord files."""

from __future__ import annotations

import enum
import os
from typing import Any

from agar.mindrecord._format import HEADER_SIZES, PAGE_SIZES
from agar.mindrecord.common.exceptions import ParamValueError

__all__: list[str] = []


class MSRStatus(enum.IntEnum):
    """What a conversion to MindRecord returns."""

    SUCCESS = 0
    FAILED = 1


SUCCESS = MSRStatus.SUCCESS
FAILED = MSRStatus.FAILED

MIN_HEADER_SIZE, MAX_HEADER_SIZE = HEADER_SIZES
MIN_PAGE_SIZE, MAX_PAGE_SIZE = PAGE_SIZES
MIN_SHARD_COUNT, MAX_SHARD_COUNT = 1, 1000

VALID_ATTRIBUTES = ["int32", "int64", "float32", "float64", "string", "bytes"]
VALID_ARRAY_ATTRIBUTES = ["int32", "int64", "float32", "float64"]
#: type of a value in Python or numpy: the types of fields that it fits
VALUE_TYPE_MAP: dict[str, Any] = {
    "int": ["int32", "int64"],
    "float": ["float32", "float64"],
    "str": "string",
    "bytes": "bytes",
    "int32": "int32",
    "int64": "int64",
    "float32": "float32",
    "float64": "float64",
    "ndarray": VALID_ARRAY_ATTRIBUTES,
}
_FORBIDDEN = set("\\/:*?\"<>|`&;'")


def check_filename(path: Any, arg_name: str = "") -> bool:
    """Whether a path can name a MindRecord file.

    Args:
        path (str): the path.
        arg_name (str): the argument's name. Default: ``""``.

    Returns:
        bool, True.

    Raises:
        ParamValueError: it cannot.

    Examples:
        >>> from agar.mindrecord.core.shardutils import check_filename
        >>> check_filename("data/a.mindrecord")
        True
    """
    if not path:
        name = f"'{arg_name}'" if arg_name else "File path"
        raise ParamValueError(f"{name} is not allowed None or empty!")
    if not isinstance(path, str):
        raise ParamValueError(f"File path: {path} is not string.")
    if path.endswith("/"):
        raise ParamValueError("File path can not end with '/'")
    name = os.path.basename(path)
    if set(name) & _FORBIDDEN:
        raise ParamValueError("File name should not contains \\/:*?\\\"<>|`&;\\'")
    if name.startswith(" ") or name.endswith(" "):
        raise ParamValueError("File name should not start/end with space.")
    return True
