"""A report that was written as JSON, read again."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from pathlib import Path
from typing import Any

from agar._core.file_reading import reading
from agar.migrate.result import Report

__all__ = ["read"]


def read(path: str | Path) -> Report:
    """Read what `Report.to_json` wrote.

    Args:
        path (str, Path): the file.

    Returns:
        Report, without the networks: its `subject` is None.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is no JSON, or something else.

    Examples:
        >>> import tempfile
        >>> from agar.migrate.report import saved
        >>> from agar.migrate.result import Report
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = Report("Net", "PYNATIVE_MODE").to_json(f"{folder}/report.json")
        ...     saved.read(f"{folder}/report.json").name
        'Net'
    """
    advice = "It must be a report of `agar migrate check`, written as JSON."
    with reading("migrate.report", path, ValueError, advice, also=(OSError,)):
        text = Path(path).read_text(encoding="utf-8")
        try:
            data = json.loads(text)
        except json.JSONDecodeError as error:
            raise ValueError(f"{str(path)!r} is no JSON: {error}") from error
        try:
            return _build(Report, data, "report")
        except (TypeError, KeyError, ValueError) as error:
            raise ValueError(
                f"{str(path)!r} is no report of agar migrate check: {error}"
            ) from error


def _build(kind: Any, value: Any, where: str) -> Any:
    """A value of an annotated type out of dictionaries, lists, strings and numbers."""
    if kind is Any:
        return value
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        if value is None and type(None) in inside:
            return None
        return _build(next(k for k in inside if k is not type(None)), value, where)
    if dataclasses.is_dataclass(kind):
        if not isinstance(value, dict):
            raise TypeError(f"{where} is {type(value).__name__}")
        hints = typing.get_type_hints(kind)
        return typing.cast(type, kind)(
            **{
                f.name: _build(hints[f.name], value[f.name], f"{where}.{f.name}")
                for f in dataclasses.fields(kind)
                if f.name in value or f.default is f.default_factory is dataclasses.MISSING
            }
        )
    if origin in (list, tuple):
        if not isinstance(value, list):
            raise TypeError(f"{where} is {type(value).__name__}")
        return origin(_build(inside[0], v, f"{where}[{i}]") for i, v in enumerate(value))
    if kind is float:
        # infinite and undefined numbers are written as strings
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            raise TypeError(f"{where} is {type(value).__name__}")
        return float(value)
    expected = dict if origin is dict else kind
    if not isinstance(value, expected):
        raise TypeError(f"{where} is {type(value).__name__}")
    return value
