"""Rows of a dataset written to MindRecord files."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar._core.errors import describe
from agar.dataset.engine._flow import Run
from agar.dataset.engine._registry import provide
from agar.dataset.engine.datasets import Dataset
from agar.mindrecord import FileWriter

__all__ = ["save"]

_ROWS_AT_ONCE = 1000
# what MindRecord has no type for is written as the next larger one
_TYPES = {
    "bool": "int32",
    "int8": "int32",
    "int16": "int32",
    "uint8": "int32",
    "uint16": "int32",
    "int32": "int32",
    "uint32": "int64",
    "int64": "int64",
    "float16": "float32",
    "float32": "float32",
    "float64": "float64",
}


def save(dataset: Dataset, file_name: str, num_files: int) -> None:
    """Write the rows of an epoch.

    Raises:
        RuntimeError: there is no row, or a column is of a type that the files cannot hold.
    """
    names = dataset.get_col_names()
    writer: Any = None
    rows: list[dict[str, Any]] = []
    run = Run(alone=True)
    kinds: dict[str, dict[str, Any]] = {}
    for row in dataset._supply(run).rows():
        if writer is None:
            kinds = {n: _field(n, value) for n, value in zip(names, row, strict=True)}
            writer = FileWriter(file_name, num_files, overwrite=True)
            writer.add_schema(kinds, "written by Dataset.save")
        rows.append({n: _written(value, kinds[n]) for n, value in zip(names, row, strict=True)})
        if len(rows) == _ROWS_AT_ONCE:
            writer.write_raw_data(rows)
            rows = []
    if writer is None:
        raise RuntimeError("For 'Dataset.save', the dataset has no row.")
    if rows:
        writer.write_raw_data(rows)
    writer.commit()


def _field(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, np.ndarray):
        raise RuntimeError(
            f"For 'Dataset.save', the column '{name}' holds {describe(value)}, which MindRecord "
            "files cannot hold; make an array of it with map."
        )
    kind = value.dtype.name
    if value.dtype.kind in "US" and value.ndim == 0:
        return {"type": "string" if value.dtype.kind == "U" else "bytes"}
    expected = _TYPES.get(kind)
    if expected is None:
        raise RuntimeError(
            f"For 'Dataset.save', the column '{name}' is of type {value.dtype} and shape "
            f"{list(value.shape)}, which MindRecord files cannot hold; change it with map."
        )
    if value.ndim == 0:
        return {"type": expected}
    return {"type": expected, "shape": [-1, *value.shape[1:]]}


def _written(value: np.ndarray, field: dict[str, Any]) -> Any:
    kind = field["type"]
    if kind == "string":
        return str(value)
    if kind == "bytes":
        return bytes(value.item())
    array = value.astype(kind)
    return array if value.ndim else array.item()


provide(save)
