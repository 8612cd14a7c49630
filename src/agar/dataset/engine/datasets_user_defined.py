"""Datasets of a program's own rows."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable, Iterator, Sequence
from types import GeneratorType
from typing import Any

import numpy as np

from agar._core import dtype as mstype
from agar._core.errors import describe
from agar._core.tensor import Tensor
from agar.dataset.engine import samplers
from agar.dataset.engine._batches import Batched
from agar.dataset.engine._checks import Check, check_callable, check_names, check_source
from agar.dataset.engine._flow import Flow, Run, failure, processes, reading
from agar.dataset.engine._operation import checked_rowsize, copy_without
from agar.dataset.engine._values import Row, as_array
from agar.dataset.engine.datasets import Dataset, MappableDataset, UnionBaseDataset
from agar.dataset.engine.schema import Schema, numpy_type, type_name

__all__ = ["GeneratorDataset", "NumpySlicesDataset", "PaddedDataset"]

_SINGLE = (int, float, str, bytes, np.ndarray, Tensor, np.number, np.bool_, dict)


class _Converted:
    """Makes a row of what a program's source gives."""

    def __init__(self, owner: str, columns: Sequence[str], types: list[np.dtype[Any]]) -> None:
        self.owner = owner
        self.columns = columns
        self.types = types

    def __call__(self, given: Any) -> Row:
        try:
            if isinstance(given, _SINGLE):
                row: Row = (as_array(given),)
            else:
                try:
                    parts = iter(given)
                except TypeError:
                    parts = iter((given,))
                row = tuple([as_array(value) for value in parts])
        except TypeError as error:
            raise failure(f"For '{self.owner}', the row", error) from error
        if len(row) != len(self.columns):
            raise RuntimeError(
                f"For '{self.owner}', the 'source' should return same number of NumPy arrays as "
                f"specified in column_names {list(self.columns)}, but returned {len(row)}"
                f"{'' if reading.sample is None else f' for sample {reading.sample}'}."
            )
        for name, value, expected in zip(self.columns, row, self.types, strict=False):
            got = getattr(value, "dtype", None)
            fits = got is not None and (
                got.kind == expected.kind if expected.kind in "US" else got == expected
            )
            if not fits:
                raise RuntimeError(
                    f"For '{self.owner}', type of returned data should be same with specified "
                    f"column_types, but the column '{name}' is of type {got or type(value)}, "
                    f"specified was {expected}."
                )
        return row


class _Read:
    """Work that reads a sample of a source."""

    def __init__(self, source: Any, convert: _Converted) -> None:
        self.source = source
        self.convert = convert

    def __call__(self, index: int) -> Row:
        reading.sample = index
        reading.enter(f"sample {index} of {self.convert.owner}, in the source", self.source)
        try:
            given = self.source[index]
        except Exception as error:
            raise failure(f"For '{self.convert.owner}', reading", error) from error
        return self.convert(given)


def _next(orders: Iterator[Any]) -> None:
    next(orders)


class _Restarted:
    """A generator that begins anew each time it is iterated; it keeps what it gave."""

    def __init__(self, generator: Any) -> None:
        self._unread = generator

    def __iter__(self) -> Iterator[Any]:
        again, self._unread = itertools.tee(self._unread)
        return again


class GeneratorDataset(MappableDataset, UnionBaseDataset):
    """Rows of a user-defined source: an object with ``__getitem__``, an iterable or a generator.

    Args:
        source (Union[Callable, Iterable, Random Accessible]): an object with ``__getitem__`` and
            ``__len__``, whose samples can be read in any order and by several workers; anything
            that can be iterated; or a function that returns an iterator. A row is a tuple of
            values, or a single value.
        column_names (Union[str, list[str]], optional): the names of the values.
            Default: ``None``, those of `schema`.
        column_types (list[mindspore.dtype], optional): the types that the values must have.
            Default: ``None``, any.
        schema (Union[str, Schema], optional): names and types in one, or the file of them.
            Default: ``None``.
        num_samples (int, optional): the maximum number of samples in an epoch. Default: ``None``.
        num_parallel_workers (int, optional): the number of processes that read samples.
            Default: ``1``, which is the program itself.
        shuffle (bool, optional): whether samples come in random order, which needs
            ``__getitem__``. Default: ``None``, they do where they can.
        sampler (Union[Sampler, Iterable], optional): yields the indices of the samples to read.
            Default: ``None``.
        num_shards (int, optional): the number of shards for the samples. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.
        python_multiprocessing (bool, optional): whether several workers are processes; without,
            samples are read in the program itself. Default: ``True``.
        max_rowsize (Union[int, list], optional): accepted: memory is taken as it is needed.
            Default: ``None``.
        batch_sampler (Iterable, optional): gives lists of indices, each a batch.
            Default: ``None``.
        collate_fn (Callable, optional): makes the columns of a batch of lists of values.
            Default: ``None``, they are stacked.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: arguments contradict each other, or there are no names.
        RuntimeError: (while iterating) the source fails, or a row does not fit the columns; the
            error shows the source's line and the number of the sample.

    Difference from PyTorch: ``DataLoader(dataset)``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> class Squares:
        ...     def __getitem__(self, i):
        ...         return i, i * i
        ...
        ...     def __len__(self):
        ...         return 3
        >>> data = ds.GeneratorDataset(Squares(), ["x", "y"], shuffle=False)
        >>> [(int(x), int(y)) for x, y in data]
        [(0, 0), (1, 1), (2, 4)]
    """

    _owner = "GeneratorDataset"

    def __init__(
        self,
        source: Any,
        column_names: Any = None,
        column_types: Any = None,
        schema: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool = True,
        max_rowsize: Any = None,
        batch_sampler: Any = None,
        collate_fn: Callable[..., Any] | None = None,
    ) -> None:
        owner = self._owner
        check = Check(owner)
        if not (callable(source) or hasattr(source, "__iter__") or hasattr(source, "__getitem__")):
            raise TypeError(
                f"For '{owner}', the source must be a function that gives an iterator, something "
                "that can be iterated, or have __getitem__ and __len__, but got "
                f"{describe(source)}."
            )
        if column_names is None and schema is None:
            raise ValueError(
                f"For '{owner}', neither column_names nor schema are provided; name the values "
                "of a row: column_names=['image', 'label']."
            )
        self.schema: Schema | None = None
        names: list[str] = []
        types: list[np.dtype[Any]] = []
        if schema is not None:
            check.kind("schema", schema, str, Schema)
            self.schema = schema if isinstance(schema, Schema) else Schema(schema)
            names = [column["name"] for column in self.schema.columns]
            types = [numpy_type(column["type"]) for column in self.schema.columns]
            if not names:
                check.wrong_value("schema", schema, "a schema with columns")
        if column_names is not None:
            names = check_names(owner, "column_names", column_names)
            if column_types is not None:
                types = self._types(column_types, len(names))
        check_source(
            owner,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
        )
        check.flag("python_multiprocessing", python_multiprocessing)
        checked_rowsize(check, max_rowsize)
        self._check_access(source, shuffle, sampler, num_shards, batch_sampler)
        if batch_sampler is not None:
            given = {
                "num_samples": num_samples,
                "shuffle": shuffle,
                "num_shards": num_shards,
                "sampler": sampler,
            }
            for name, value in given.items():
                if value is not None:
                    raise ValueError(
                        f"For '{owner}', batch_sampler is mutually exclusive with {name}."
                    )
            if not samplers.gives_indices(batch_sampler):
                check.wrong_type("batch_sampler", batch_sampler, "an iterable of lists of indices")
        if collate_fn is not None:
            check_callable(owner, "collate_fn", collate_fn)
            if batch_sampler is None:
                raise ValueError(
                    f"For '{owner}', collate_fn can be specified only when batch_sampler is set."
                )
        super().__init__(
            num_parallel_workers=num_parallel_workers,
            sampler=sampler,
            num_samples=num_samples,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
        )
        if isinstance(source, builtins.zip):
            source = list(source)
        self.source: Any = _Restarted(source) if isinstance(source, GeneratorType) else source
        self.column_names = names
        self.column_types = types
        self.python_multiprocessing = python_multiprocessing
        self.max_rowsize = -1 if max_rowsize is None else max_rowsize
        self.collate_fn = collate_fn
        self.has_batch_sampler = batch_sampler is not None
        if batch_sampler is not None:
            is_own = isinstance(batch_sampler, samplers.BuiltinSampler)
            self.sampler = batch_sampler if is_own else samplers.IterSampler(batch_sampler)

    def _types(self, given: Any, count: int) -> list[np.dtype[Any]]:
        check = Check(self._owner)
        if isinstance(given, (mstype.Type, str)):
            given = [given]
        check.kind("column_types", given, list)
        if len(given) != count:
            raise ValueError(
                f"For '{self._owner}', column_names and column_types should have the same number "
                f"of elements, but got {count} and {len(given)}."
            )
        return [numpy_type(type_name(self._owner, kind)) for kind in given]

    def _check_access(
        self, source: Any, shuffle: Any, sampler: Any, num_shards: Any, batch_sampler: Any
    ) -> None:
        if hasattr(source, "__getitem__"):
            return
        given = {
            "sampler": sampler,
            "num_shards": num_shards,
            "batch_sampler": batch_sampler,
        }
        for name, value in given.items():
            if value is not None:
                raise ValueError(
                    f"For '{self._owner}', {name} is not supported if source does not have "
                    "attribute '__getitem__'."
                )

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return copy_without(self, memo, ("source", "collate_fn"))

    @property
    def _random_access(self) -> bool:
        return hasattr(self.source, "__getitem__") and self.sampler is not None

    def _length(self) -> int:
        if not hasattr(self.source, "__len__"):
            raise RuntimeError(
                f"For '{self._owner}', a source with '__getitem__' needs the '__len__' method too, "
                "so that samples can be drawn."
            )
        size = len(self.source)
        if size <= 0:
            raise RuntimeError(
                f"For '{self._owner}', the source must have at least one sample, but its length is "
                f"{size}."
            )
        return size

    def _columns(self) -> list[str]:
        return self.column_names

    def _size(self) -> int:
        if self._random_access:
            return super()._size()
        if hasattr(self.source, "__len__"):
            size = len(self.source)
            return min(size, self.num_samples) if self.num_samples else size
        return self._counted()

    def get_batch_size(self) -> int:
        """1, or -1 where a batch sampler gives batches."""
        return -1 if self.has_batch_sampler else 1

    def is_shuffled(self) -> bool:
        """Whether rows come in random order."""
        return self.sampler.is_shuffled() if self.sampler is not None else False

    def _flow(self, run: Run) -> Flow:
        convert = _Converted(self._owner, self.column_names, self.column_types)
        if not self._random_access:
            return self._streamed(run, convert)
        workers = processes(self.num_parallel_workers or 1) if self.python_multiprocessing else 0
        work = _Read(self.source, convert)
        if self.has_batch_sampler:
            return self._batches(run, work, workers)
        orders = self._orders(run)
        return Flow(
            run,
            lambda: iter(next(orders)),
            work,
            advance=lambda: _next(orders),
            workers=workers,
            count=self.get_dataset_size(),
        )

    def _streamed(self, run: Run, convert: _Converted) -> Flow:
        source, limit = self.source, self.num_samples

        def rows() -> Iterator[Row]:
            reading.sample = None
            try:
                iterator = iter(source if hasattr(source, "__iter__") else source())
            except Exception as error:
                raise failure(f"For '{self._owner}', starting the source", error) from error
            number = 0
            while not limit or number < limit:
                reading.sample = number
                try:
                    given = next(iterator)
                except StopIteration:
                    return
                except Exception as error:
                    raise failure(f"For '{self._owner}', reading", error) from error
                yield convert(given)
                number += 1

        return Flow(run, rows, advance=lambda: None)

    def _batches(self, run: Run, work: _Read, workers: int) -> Flow:
        sampler = self.sampler
        if not isinstance(sampler, samplers.Sampler):
            raise RuntimeError(
                f"For '{self._owner}', batch_sampler must give lists of indices, but got "
                f"{describe(sampler)}."
            )
        orders = sampler._batches(self._length())
        collate = self.collate_fn
        function = None if collate is None else _Collated(collate)
        names = self.column_names
        batched = Batched(
            work, names, function, list(range(len(names))), names, None, None, copies=True
        )

        def tasks() -> Iterator[Any]:
            return ((run.epoch, number, group) for number, group in enumerate(next(orders)))

        return Flow(
            run,
            tasks,
            batched,
            advance=lambda: _next(orders),
            workers=workers,
            fresh=True,
        )

    def split(self, sizes: list[Any], randomize: bool = True) -> tuple[Dataset, ...]:
        """Split the rows into several datasets, as :meth:`Dataset.split` does.

        Args:
            sizes (list): the numbers of rows in the parts as ints, or their fractions as floats.
            randomize (bool, optional): whether the rows are shuffled before they are split.
                Default: ``True``.
        """
        if hasattr(self.source, "__getitem__") and not self.has_batch_sampler:
            return super().split(sizes, randomize)
        return Dataset.split(self, sizes, randomize)

    def __getitem__(self, index: int) -> Any:
        Check(self._owner).kind("index", index, int, np.number)
        if not hasattr(self.source, "__getitem__"):
            raise RuntimeError(
                f"For '{self._owner}', the source has no '__getitem__', so that its samples cannot "
                "be read in any order."
            )
        if self.has_batch_sampler:
            raise RuntimeError(
                f"For '{self._owner}', a dataset with batch_sampler cannot be indexed."
            )
        order = next(self._orders(Run(alone=True)))
        return self.source[order[int(index)]]

    def add_sampler(self, new_sampler: Any) -> None:
        """Let another sampler choose among the rows that the present sampler gives.

        Args:
            new_sampler (Sampler): the other sampler; not a PKSampler.

        Raises:
            RuntimeError: the two samplers cannot be combined.
        """
        if isinstance(new_sampler, samplers.PKSampler):
            raise RuntimeError(
                f"{self._owner} doesn't support PKSampler: it does not know the classes of samples."
            )
        super().add_sampler(new_sampler)


class _Collated:
    """A program's collate function, called without what tells the number of the batch."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *columns_and_info: Any) -> Any:
        return self.function(*columns_and_info[:-1])


class _Slices:
    """Arrays and lists, sliced along their first dimension."""

    def __init__(self, data: Any, column_names: list[str] | None) -> None:
        names = None
        if isinstance(data, dict):
            names = list(data)
            columns: tuple[Any, ...] = tuple(
                list(v.values) if hasattr(v, "values") else list(v) for v in data.values()
            )
        else:
            columns = data if isinstance(data, tuple) else (data,)
        sizes = [len(column) for column in columns]
        if len(set(sizes)) > 1:
            raise ValueError(
                f"For 'NumpySlicesDataset', data length in each column is not equal, but {sizes}."
            )
        self.columns = columns
        if column_names is not None:
            names = column_names
        self.names = names or [f"column_{i}" for i in range(len(columns))]

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        return tuple([column[index] for column in self.columns])

    def __len__(self) -> int:
        return len(self.columns[0])


class NumpySlicesDataset(GeneratorDataset):
    """The slices of arrays or lists along their first dimension.

    Args:
        data (Union[numpy.ndarray, list, tuple, dict]): one column; a tuple or dict of columns.
        column_names (Union[str, list[str]], optional): the names of the columns.
            Default: ``None``, the keys of the dict, else ``column_0``, ``column_1``, ...
        num_samples (int, optional): the maximum number of samples in an epoch. Default: ``None``.
        num_parallel_workers (int, optional): the number of processes that read samples.
            Default: ``1``.
        shuffle (bool, optional): whether samples come in random order. Default: ``None``, they do.
        sampler (Union[Sampler, Iterable], optional): yields the indices of the samples to read.
            Default: ``None``.
        num_shards (int, optional): the number of shards for the samples. Default: ``None``.
        shard_id (int, optional): the shard to read, in [0, num_shards). Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: columns have different lengths, or arguments contradict each other.

    Difference from PyTorch: ``torch.utils.data.TensorDataset``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> data = ds.NumpySlicesDataset(([1, 2], ["a", "b"]), ["x", "y"], shuffle=False)
        >>> [(int(x), str(y)) for x, y in data]
        [(1, 'a'), (2, 'b')]
    """

    _owner = "NumpySlicesDataset"

    def __init__(
        self,
        data: Any,
        column_names: Any = None,
        num_samples: int | None = None,
        num_parallel_workers: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
    ) -> None:
        check = Check(self._owner)
        check.kind("data", data, list, tuple, dict, np.ndarray)
        if not len(data):
            raise ValueError(f"For '{self._owner}', the argument 'data' cannot be empty.")
        names = None
        if column_names is not None:
            names = check_names(self._owner, "column_names", column_names)
            count = len(data) if isinstance(data, (tuple, dict)) else 1
            if len(names) != count:
                raise ValueError(
                    f"For '{self._owner}', num of input column names is {len(names)}, but required "
                    f"is {count}."
                )
        slices = _Slices(data, names)
        super().__init__(
            slices,
            column_names=slices.names,
            num_samples=num_samples,
            num_parallel_workers=num_parallel_workers,
            shuffle=shuffle,
            sampler=sampler,
            num_shards=num_shards,
            shard_id=shard_id,
        )


class _Samples:
    """Rows given as dicts."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows
        self.names = list(rows[0])

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        row = self.rows[index]
        return tuple([row[name] for name in self.names])

    def __len__(self) -> int:
        return len(self.rows)


class PaddedDataset(GeneratorDataset):
    """Rows that pad another dataset, so that all shards have the same number of batches.

    Args:
        padded_samples (list[dict]): the rows.

    Raises:
        TypeError: they are not a list of dicts.
        ValueError: the list is empty.

    Difference from PyTorch: ``DistributedSampler`` repeats samples.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> [int(x) for (x,) in ds.PaddedDataset([{"x": 0}, {"x": 1}])]
        [0, 1]
    """

    _owner = "PaddedDataset"

    def __init__(self, padded_samples: list[dict[str, Any]]) -> None:
        check = Check(self._owner)
        check.kind("padded_samples", padded_samples, list)
        if not padded_samples:
            raise ValueError(f"For '{self._owner}', padded_samples cannot be empty.")
        for i, row in enumerate(padded_samples):
            check.kind(f"padded_samples[{i}]", row, dict)
        samples = _Samples(padded_samples)
        super().__init__(samples, column_names=samples.names, shuffle=False)
        self._dataset_size = len(samples)
        self.padded_samples = padded_samples
