"""Schemas (names, types and shapes of columns), and ``zip``."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.file_reading import reading
from agar.dataset.engine._checks import Check, check_readable
from agar.dataset.engine._registry import provide
from agar.dataset.engine._several import ZipDataset
from agar.dataset.engine.datasets import Dataset

__all__ = ["Schema", "zip"]

_TYPES = frozenset(
    [
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
        "string",
        "bytes",
    ]
)


def type_name(owner: str, value: Any) -> str:
    """The name of a column's type, which is a MindSpore type or its name.

    Raises:
        TypeError: it is neither.
        ValueError: there is not a type of the name.
    """
    if isinstance(value, mstype.Type):
        name = str(value).lower()
    elif isinstance(value, str):
        name = value
    else:
        raise TypeError(
            f"For '{owner}', the type of a column must be a MindSpore type or its name, but got "
            f"{describe(value)}."
        )
    if name not in _TYPES:
        raise ValueError(
            f"For '{owner}', the type of a column must be one of {sorted(_TYPES)}, but got "
            f"{value!r}."
        )
    return name


def numpy_type(name: str) -> np.dtype[Any]:
    """The numpy type of a column's type."""
    return np.dtype({"string": "U", "bytes": "S"}.get(name, name))


class Schema:
    """The names, types and shapes of a dataset's columns.

    Args:
        schema_file (str, optional): a JSON file with ``{"columns": ...}``. Default: ``None``.

    Raises:
        TypeError: `schema_file` is not a str.
        ValueError: the file does not exist, or it is damaged.
        RuntimeError: the file lacks the columns, or a column lacks its name or type.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> schema = ms.dataset.Schema()
        >>> schema.add_column("x", ms.int64, [2])
        >>> schema.columns
        [{'name': 'x', 'rank': 1, 'shape': [2], 'type': 'int64'}]
    """

    def __init__(self, schema_file: str | None = None) -> None:
        self.schema_file = schema_file or ""
        self.columns: list[dict[str, Any]] = []
        self.dataset_type = ""
        self.num_rows = 0
        if schema_file is not None:
            path = check_readable("Schema", "schema_file", schema_file, folder=False)
            advice = "It must be a JSON file with the columns under the key 'columns'."
            with (
                reading("Schema", path, ValueError, advice, also=(RuntimeError,)),
                open(path, encoding="utf-8") as stream,
            ):
                try:
                    self.from_json(json.load(stream))
                except RecursionError as error:  # a RuntimeError, too
                    raise ValueError(f"its parts are nested too deeply: {error}") from error

    def add_column(self, name: str, de_type: Any, shape: list[int] | None = None) -> None:
        """Add a column.

        Args:
            name (str): its name.
            de_type (Union[Type, str]): its type.
            shape (list[int], optional): its shape; -1 stands for any size. Default: ``None``, any
                shape.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: there is no such type.
            RuntimeError: there is a column of the name.
        """
        check = Check("Schema.add_column")
        check.kind("name", name, str)
        kind = type_name("Schema.add_column", de_type)
        if any(column["name"] == name for column in self.columns):
            raise RuntimeError(f"For 'Schema.add_column', there is a column '{name}' already.")
        column: dict[str, Any] = {"name": name, "rank": 1, "type": kind}
        if shape is not None:
            check.kind("shape", shape, list)
            for i, size in enumerate(shape):
                check.whole(f"shape[{i}]", size, -1)
            column = {"name": name, "rank": len(shape), "shape": list(shape), "type": kind}
        self.columns.append(column)

    def parse_columns(self, columns: Any) -> None:
        """Replace the columns by those of a list or dict.

        Args:
            columns (Union[dict, list[dict]]): ``{name: {"type": ..., "shape": ...}}``, or a list of
                dicts with ``"name"`` too.

        Raises:
            RuntimeError: a column has no name or no type.
        """
        entries = columns
        if isinstance(columns, dict):
            entries = [{"name": name, **what} for name, what in sorted(columns.items())]
        if not isinstance(entries, list) or not entries:
            raise RuntimeError(
                "For 'Schema.parse_columns', columns must be a list or dict that is not empty, but "
                f"got {describe(columns)}."
            )
        result = Schema()
        for column in entries:
            if not isinstance(column, dict):
                raise RuntimeError(
                    f"For 'Schema.parse_columns', a column must be a dict, but got {column!r}."
                )
            missing = {"name", "type"} - set(column)
            if missing:
                raise RuntimeError(
                    f"For 'Schema.parse_columns', a column lacks {sorted(missing)}: {column}."
                )
            result.add_column(column["name"], column["type"], column.get("shape"))
        self.columns = result.columns

    def to_json(self) -> str:
        """The schema as JSON text."""
        entries: dict[str, Any] = {"columns": self.columns}
        if self.dataset_type:
            entries["datasetType"] = self.dataset_type
        if self.num_rows:
            entries["numRows"] = self.num_rows
        return json.dumps(entries, indent=2)

    def from_json(self, json_obj: dict[str, Any]) -> None:
        """Replace the columns by those of a dict with the structure of a schema file.

        Args:
            json_obj (dict): with the key ``"columns"``, and ``"datasetType"``, ``"numRows"``.

        Raises:
            RuntimeError: there are no columns.
        """
        if not isinstance(json_obj, dict) or "columns" not in json_obj:
            raise RuntimeError(
                f"For 'Schema.from_json', the key 'columns' is missing in {describe(json_obj)}."
            )
        self.parse_columns(json_obj["columns"])
        self.dataset_type = str(json_obj.get("datasetType", ""))
        self.num_rows = int(json_obj.get("numRows", 0))

    def __str__(self) -> str:
        return self.to_json()

    @staticmethod
    def get_num_rows(schema: Any) -> int:
        """The number of rows that a schema states.

        Args:
            schema (Union[Schema, str]): the schema, or the path of its JSON file.
        """
        return (schema if isinstance(schema, Schema) else Schema(schema)).num_rows


def zip(datasets: tuple[Dataset, ...]) -> ZipDataset:
    """Put the columns of several datasets side by side; the shortest dataset sets the length.

    Args:
        datasets (tuple[Dataset]): at least two.

    Raises:
        TypeError: they are not a tuple of datasets.
        ValueError: there are fewer than two.
        RuntimeError: (when iterated) two have a column of one name.

    Difference from PyTorch: ``torch.utils.data.StackDataset``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> left = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
        >>> right = ds.NumpySlicesDataset([3, 4], ["y"], shuffle=False)
        >>> [(int(x), int(y)) for x, y in ds.zip((left, right))]
        [(1, 3), (2, 4)]
    """
    Check("dataset.zip").kind("datasets", datasets, tuple)
    if len(datasets) <= 1:
        raise ValueError("Can't zip empty or just one dataset!")
    for dataset in datasets:
        if not isinstance(dataset, Dataset):
            raise TypeError(
                f"Invalid dataset, expected Dataset object, but got {describe(dataset)}!"
            )
    return ZipDataset(datasets)


for _name in __all__:
    globals()[_name].__module__ = "agar.dataset.engine.datasets"


provide(Schema, zip)
