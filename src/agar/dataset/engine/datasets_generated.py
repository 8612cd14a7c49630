"""A source of random rows, for programs that are tried without their data."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from agar._core.errors import describe, missing_feature
from agar.dataset.engine._checks import Check, check_names, check_source
from agar.dataset.engine._flow import Flow, Run
from agar.dataset.engine._values import Row
from agar.dataset.engine.datasets import SourceDataset, VisionBaseDataset
from agar.dataset.engine.schema import Schema, numpy_type
from agar.dataset.transforms._random import Engine

__all__ = ["RandomDataset"]


class RandomDataset(SourceDataset, VisionBaseDataset):
    """Rows of random bytes in the types and shapes of a schema.

    All bytes of a value are the same. The rows are drawn once, from ``config.set_seed``, and come
    in every epoch.

    Args:
        total_rows (int, optional): the number of rows; those of the schema without it.
            Default: ``None``.
        schema (Union[str, Schema]): the columns, with a shape for each, or their JSON file.
            Default: ``None``, which raises an error.
        columns_list (list[str], optional): the columns to give. Default: ``None``, all.
        num_samples (int, optional): the number of rows at most. Default: ``None``.
        num_parallel_workers (int, optional): accepted. Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs. Default: ``None``.
        shuffle (bool, optional): accepted: all rows are random. Default: ``None``.
        num_shards (int, optional): must be None or 1. Default: ``None``.
        shard_id (int, optional): must be None or 0. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: there are no rows, a column has no shape, or an argument is out of range.
        NotImplementedError: there is no schema, or there are several shards.

    Difference from PyTorch: ``torchvision.datasets.FakeData`` gives images.

    Source: behavior observed in MindSpore 2.10 with one worker, which takes no notice of
    `num_samples` beside a schema.

    Examples:
        >>> import agar as ms
        >>> schema = ms.dataset.Schema()
        >>> schema.add_column("image", ms.uint8, [2, 2])
        >>> data = ms.dataset.RandomDataset(total_rows=3, schema=schema)
        >>> data.get_dataset_size(), data.output_shapes()
        (3, [[2, 2]])
    """

    _owner = "RandomDataset"

    def __init__(
        self,
        total_rows: int | None = None,
        schema: Any = None,
        columns_list: list[str] | None = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = None,
        cache: Any = None,
        shuffle: bool | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        check = Check(self._owner)
        check_source(
            self._owner,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )
        if total_rows is not None:
            check.whole("total_rows", total_rows, 0, 2**63 - 1)
        if schema is None:
            raise missing_feature(
                "'dataset.RandomDataset' without a schema",
                "MindSpore draws columns of its own then",
                "give the columns with a dataset.Schema",
            )
        if num_shards not in (None, 1):
            raise missing_feature(
                "'dataset.RandomDataset' with shards",
                "MindSpore gives every shard the same rows",
                "leave out num_shards, and set another seed in each process",
            )
        if not isinstance(schema, (Schema, str, os.PathLike)):
            raise TypeError(
                f"For '{self._owner}', schema must be a Schema or a path, but got "
                f"{describe(schema)}."
            )
        super().__init__(num_parallel_workers, num_samples, False, cache=cache)
        self.schema = schema
        columns = schema if isinstance(schema, Schema) else Schema(os.fspath(schema))
        self.columns_list = (
            [] if columns_list is None else check_names(self._owner, "columns_list", columns_list)
        )
        known = {column["name"]: column for column in columns.columns}
        chosen = self.columns_list or list(known)
        for name in chosen:
            sizes = known.get(name, {}).get("shape")
            numbers = sizes is not None and numpy_type(known[name]["type"]).itemsize
            if not numbers or any(size < 0 for size in sizes or ()):
                raise ValueError(
                    f"For '{self._owner}', the column {name!r} must be in the schema, with a type "
                    f"of numbers and a shape of known sizes; its columns are "
                    f"{list(known.values())}."
                )
        self._described = [known[name] for name in chosen]
        self.total_rows = columns.num_rows if total_rows is None else total_rows
        if num_samples:
            self.total_rows = min(self.total_rows, num_samples)
        if not self.total_rows or not chosen:
            raise ValueError(
                f"For '{self._owner}', there must be a row and a column; give 'total_rows', or a "
                "schema with 'numRows' and columns."
            )

    def _columns(self) -> list[str]:
        return [column["name"] for column in self._described]

    def _size(self) -> int:
        return self.total_rows

    def _flow(self, run: Run) -> Flow:
        def rows() -> Iterator[Row]:
            engine = Engine(run.seed & 0xFFFFFFFF)
            for _ in range(self.total_rows):
                yield tuple(_drawn(column, engine) for column in self._described)

        return Flow(run, rows, advance=lambda: None, fresh=True, count=self.total_rows)


def _drawn(column: dict[str, Any], engine: Engine) -> np.ndarray:
    kind = numpy_type(column["type"])
    size = kind.itemsize * int(np.prod(column["shape"], dtype=np.int64))
    value = engine.integer(0, 255)
    if kind == np.bool_:
        return np.full(column["shape"], value != 0)
    return np.full(size, value, np.uint8).view(kind).reshape(column["shape"])
