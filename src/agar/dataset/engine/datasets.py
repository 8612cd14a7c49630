"""Datasets: the methods that all have, and what their trees can be asked."""

from __future__ import annotations

import copy
import json
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from agar._core.errors import describe
from agar._core.hints import MissingName, as_methods_of, explain_constructor
from agar.dataset.engine._cached import StoredRows, cached
from agar.dataset.engine._checks import Check
from agar.dataset.engine._dataset_operations import DatasetOperations
from agar.dataset.engine._flow import Flow, Run
from agar.dataset.engine._messages import Messages
from agar.dataset.engine._registry import provide, provided
from agar.dataset.engine._tree import PipelineTree
from agar.dataset.engine._values import listed
from agar.dataset.engine._vocabularies import Vocabularies
from agar.dataset.engine.samplers import (
    BuiltinSampler,
    RandomSampler,
    SequentialSampler,
    Shuffle,
    select_sampler,
)
from agar.log import warning

if TYPE_CHECKING:
    from agar.dataset.engine.iterators import DictIterator, TupleIterator

__all__ = [
    "AudioBaseDataset",
    "Dataset",
    "MappableDataset",
    "SourceDataset",
    "TextBaseDataset",
    "UnionBaseDataset",
    "VisionBaseDataset",
]


# the numbers that MindSpore's C++ has for them are their places
_SHUFFLE_FLAGS = ("false", "files", "global", "infile", "partial", "adaptive")


class Dataset(DatasetOperations, Messages, PipelineTree):
    """Base of all datasets. A dataset is lazy: nothing is read before it is iterated.

    Args:
        children (Union[Dataset, list[Dataset]], optional): the datasets that this one reads.
            Default: ``None``.
        num_parallel_workers (int, optional): the number of workers it may use. Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.
    """

    def __init__(
        self, children: Any = None, num_parallel_workers: int | None = None, cache: Any = None
    ) -> None:
        self.children: list[Dataset] = listed(children)
        self.parent: list[Any] = []
        for child in self.children:
            child.parent.append(weakref.ref(self))
        self.num_parallel_workers = num_parallel_workers
        self.cache = cache
        self._stored_rows = None if cache is None else StoredRows(cache)
        self.dataset_size: int | None = None
        self._input_indexs: Any = ()
        self._global_step: int | None = None
        self._training: TupleIterator | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        explain_constructor(cls)

    # --- what the kinds of datasets define -----------------------------------------------------

    def _flow(self, run: Run) -> Flow:
        """This dataset within a running pipeline."""
        raise NotImplementedError(
            f"'{type(self).__name__}' derives from dataset.engine.Dataset, which has no rows; use "
            "GeneratorDataset for a source of your own."
        )

    def _supply(self, run: Run) -> Flow:
        """This dataset within a running pipeline, from its cache where it has one."""
        return self._flow(run) if self.cache is None else cached(self, run)

    def _columns(self) -> list[str]:
        """The names of the columns."""
        return self.children[0]._columns()

    def _size(self) -> int:
        """The number of rows."""
        return self.children[0].get_dataset_size()

    def _counted(self) -> int:
        """The number of rows, found by reading them."""
        run = Run(alone=True)
        return sum(1 for _ in self._supply(run).rows())

    def __getstate__(self) -> dict[str, Any]:
        # references to those who read this dataset cannot be copied, nor are they the copy's
        return {**self.__dict__, "parent": [], "_training": None, "_own_rows": None}

    # --- operations ----------------------------------------------------------------------------

    def flat_map(self, func: Callable[..., Dataset]) -> Dataset:
        """Replace each row by the rows of the dataset that a function returns for it.

        Args:
            func (Callable): takes the values of a row as arrays and returns a dataset. It is
                called for all rows at once.

        Raises:
            TypeError: `func` cannot be called, or does not return a dataset.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
            >>> twice = lambda x: ds.NumpySlicesDataset([int(x)] * 2, ["x"])
            >>> [int(x) for (x,) in data.flat_map(twice)]
            [1, 1, 2, 2]
        """
        if not callable(func):
            raise TypeError(f"func must be a function, but got {describe(func)}.")
        dataset = None
        for row in self.create_tuple_iterator(num_epochs=1, output_numpy=True):
            result = func(*row)
            if not isinstance(result, Dataset):
                raise TypeError(
                    "flat_map must return a Dataset object, but the function gave "
                    f"{describe(result)}."
                )
            dataset = result if dataset is None else dataset + result
        if dataset is None:
            raise TypeError("flat_map must return a Dataset object, but the dataset has no rows.")
        return dataset

    def apply(self, apply_func: Callable[[Dataset], Dataset]) -> Dataset:
        """The dataset that a function returns for this one.

        Args:
            apply_func (Callable): takes a dataset and returns one.

        Raises:
            TypeError: it cannot be called, or does not return a dataset.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2], ["x"])
            >>> data.apply(lambda d: d.batch(2)).get_dataset_size()
            1
        """
        if not callable(apply_func):
            raise TypeError(f"apply_func must be a function, but got {describe(apply_func)}.")
        dataset = apply_func(self)
        if not isinstance(dataset, Dataset):
            raise TypeError(f"apply_func must return a dataset, but gave {describe(dataset)}.")
        return dataset

    def split(self, sizes: list[Any], randomize: bool = True) -> tuple[Dataset, ...]:
        """Split the rows into several datasets.

        Args:
            sizes (list): the rows of each part, or the fractions.
            randomize (bool, optional): whether rows are shuffled before. Default: ``True``.

        Raises:
            TypeError: `sizes` is not a list.
            ValueError: `sizes` mixes ints and floats, or fractions do not sum to one.
            RuntimeError: the sizes do not sum to the number of rows, or the dataset is sharded.

        Difference from PyTorch: ``torch.utils.data.random_split``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"])
            >>> [part.get_dataset_size() for part in data.split([2, 1])]
            [2, 1]
        """
        sizes = self._split_sizes(sizes, randomize)
        parts: list[Dataset] = []
        skipped = 0
        for size in sizes:
            part: Dataset = copy.deepcopy(self)
            if randomize:
                shuffled = part.shuffle(10000)
                shuffled.reshuffle_each_epoch = False
                part = shuffled
            if skipped:
                part = part.skip(skipped)
            parts.append(part.take(size))
            skipped += size
        return tuple(parts)

    def _split_sizes(self, sizes: Any, randomize: Any) -> list[int]:
        """The checked numbers of rows of the parts."""
        check = Check("Dataset.split")
        check.kind("sizes", sizes, list)
        check.flag("randomize", randomize)
        if not sizes:
            raise ValueError("For 'Dataset.split', sizes cannot be empty.")
        if self.is_shuffled():
            warning("Dataset is shuffled before split.")
        if self.is_sharded():
            raise RuntimeError("Dataset should not be sharded before split.")
        if all(isinstance(s, int) and not isinstance(s, bool) for s in sizes):
            if any(s <= 0 for s in sizes):
                raise ValueError(f"For 'Dataset.split', sizes must be positive, but got {sizes}.")
            total = self.get_dataset_size()
            if sum(sizes) != total:
                raise RuntimeError(
                    f"Sum of split sizes {sum(sizes)} is not equal to dataset size {total}."
                )
            return list(sizes)
        if not all(isinstance(s, float) for s in sizes):
            raise ValueError(
                "For 'Dataset.split', sizes should be list of int or list of float, but got "
                f"{sizes}."
            )
        if any(not 0 < s <= 1 for s in sizes):
            raise ValueError(f"For 'Dataset.split', fractions must be within (0, 1]: {sizes}.")
        if abs(sum(sizes) - 1) >= 0.00001:
            raise ValueError(
                "sizes is a list of float, but the percentages do not sum up to 1: "
                f"{sizes} sum to {sum(sizes)}."
            )
        total = self.get_dataset_size()
        entries = [round(s * total) for s in sizes]
        for fraction, size in zip(sizes, entries, strict=True):
            if size == 0:
                raise RuntimeError(
                    f"Split percentage {fraction} is too small: no row of {total} is left."
                )
        rest = total - sum(entries)
        # what rounding leaves goes to the first part, what is missing comes from one that has it
        place = 0 if rest > 0 else next((i for i, n in enumerate(entries) if n + rest > 0), 0)
        entries[place] += rest
        return entries

    # --- iterators -----------------------------------------------------------------------------

    def create_tuple_iterator(
        self,
        columns: Any = None,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
        *,
        state: dict[str, Any] | None = None,
    ) -> TupleIterator:
        """An iterator that gives each row as a list of Tensors.

        Args:
            columns (Union[str, list[str]], optional): some of the columns, in this order.
                Default: ``None``, all.
            num_epochs (int, optional): how many epochs it has; -1 for any number. Each ends with a
                StopIteration. Default: ``-1``.
            output_numpy (bool, optional): whether values are numpy arrays instead of Tensors.
                Default: ``False``.
            do_copy (bool, optional): accepted: values are never shared with the pipeline.
                Default: ``False``.
            state (dict, optional): the position to continue from, as ``state()`` of an iterator
                returned it; agar's own argument. Default: ``None``.

        Raises:
            TypeError: an argument has the wrong type.
            RuntimeError: `num_epochs` is 0, or there is no column of a name.

        Difference from PyTorch: ``iter(DataLoader)``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset({"x": [1], "y": ["a"]})
            >>> next(data.create_tuple_iterator(num_epochs=1))
            [Tensor(shape=[], dtype=Int64, value= 1), array('a', dtype='<U1')]
        """
        return provided("TupleIterator")(
            self, columns, num_epochs, output_numpy, do_copy, state=state
        )

    def create_dict_iterator(
        self,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
        *,
        state: dict[str, Any] | None = None,
    ) -> DictIterator:
        """An iterator that gives each row as a dict of Tensors by column.

        Args:
            num_epochs (int, optional): as of :meth:`create_tuple_iterator`. Default: ``-1``.
            output_numpy (bool, optional): whether values are numpy arrays instead of Tensors.
                Default: ``False``.
            do_copy (bool, optional): accepted. Default: ``False``.
            state (dict, optional): the position to continue from, as ``state()`` of an iterator
                returned it; agar's own argument. Default: ``None``.

        Raises:
            TypeError: an argument has the wrong type.
            RuntimeError: `num_epochs` is 0.

        Difference from PyTorch: ``iter(DataLoader)``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset({"x": [1]})
            >>> next(data.create_dict_iterator(num_epochs=1))
            {'x': Tensor(shape=[], dtype=Int64, value= 1)}
        """
        return provided("DictIterator")(self, num_epochs, output_numpy, do_copy, state=state)

    def __iter__(self) -> TupleIterator:
        return self.create_tuple_iterator(num_epochs=1)

    def __len__(self) -> int:
        return self.get_dataset_size()

    # --- questions -----------------------------------------------------------------------------

    def get_dataset_size(self) -> int:
        """The number of rows in an epoch; if it is not known, the rows are counted by reading them.

        Difference from PyTorch: ``len(DataLoader)``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> ds.NumpySlicesDataset([1, 2, 3]).batch(2).get_dataset_size()
            2
        """
        if self.dataset_size is None:
            self.dataset_size = self._size()
            if self.dataset_size == 0:
                warning("Got 0 sample from dataset pipeline, check if drop all data.")
        return self.dataset_size

    def get_col_names(self) -> list[str]:
        """The names of the columns.

        Source: behavior observed in MindSpore 2.10.
        """
        return list(self._columns())

    def _first(self) -> tuple[Any, ...]:
        """A first row, read in this process."""
        self._columns()
        run = Run(alone=True)
        row = next(self._supply(run).rows(), None)
        if row is None:
            raise RuntimeError(
                "The types and shapes of a dataset are those of its first row, but it has none."
            )
        return row

    def output_types(self) -> list[Any]:
        """The numpy types of the columns, taken from the first row.

        Raises:
            RuntimeError: there is no row.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> ds.NumpySlicesDataset([1.5], ["x"]).output_types()
            [dtype('float64')]
        """
        entries = []
        for value in self._first():
            kind = getattr(value, "dtype", None)
            if kind is None:
                entries.append(type(value))
            else:
                entries.append(np.dtype(kind.kind) if kind.kind in "US" else kind)
        return entries

    def output_shapes(self, estimate: bool = False) -> list[list[int | None]]:
        """The shapes of the columns, taken from the first row.

        Args:
            estimate (bool, optional): whether all rows are read; a size that differs among them is
                None. Default: ``False``.

        Raises:
            TypeError: `estimate` is not a bool.
            RuntimeError: there is no row.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> ds.NumpySlicesDataset([[1, 2]], ["x"]).output_shapes()
            [[2]]
        """
        Check("Dataset.output_shapes").flag("estimate", estimate)
        if not estimate:
            return [list(np.shape(value)) for value in self._first()]
        self._columns()
        entries: list[list[int | None]] | None = None
        for row in self._supply(Run(alone=True)).rows():
            shapes = [list(np.shape(value)) for value in row]
            if entries is None:
                entries = [list(shape) for shape in shapes]
                continue
            for i, (known, shape) in enumerate(zip(entries, shapes, strict=True)):
                if len(known) != len(shape):
                    raise RuntimeError(
                        "For 'Dataset.output_shapes', the number of dimensions of column "
                        f"'{self._columns()[i]}' differs among rows: {known} and {shape}."
                    )
                entries[i] = [a if a == b else None for a, b in zip(known, shape, strict=True)]
        if entries is None:
            raise RuntimeError("The shapes of a dataset are those of its rows, but it has none.")
        return entries

    def num_classes(self) -> int | None:
        """The number of classes; None for datasets without classes.

        Source: behavior observed in MindSpore 2.10.
        """
        return self.children[0].num_classes() if self.children else None

    def get_class_indexing(self) -> dict[str, Any]:
        """The indices of the classes by their names.

        Source: behavior observed in MindSpore 2.10.
        """
        return self.children[0].get_class_indexing() if self.children else {}

    def get_batch_size(self) -> int:
        """The number of rows in a batch; 1 if rows are not batched.

        Source: behavior observed in MindSpore 2.10.
        """
        return self.children[0].get_batch_size() if self.children else 1

    def get_repeat_count(self) -> int:
        """The number of repetitions; -1 if rows repeat forever.

        Source: behavior observed in MindSpore 2.10.
        """
        return self.children[0].get_repeat_count() if self.children else 1

    @property
    def input_indexs(self) -> Any:
        """The columns that were set as inputs of the network."""
        if self._input_indexs == ():
            for child in self.children:
                if child.input_indexs != ():
                    return child.input_indexs
        return self._input_indexs

    @input_indexs.setter
    def input_indexs(self, value: Any) -> None:
        self._input_indexs = value

    def is_shuffled(self) -> bool:
        """Whether rows come in random order."""
        return any(child.is_shuffled() for child in self.children)

    def is_sharded(self) -> bool:
        """Whether this is one of several shards."""
        return any(child.is_sharded() for child in self.children)

    # --- epochs of a training ------------------------------------------------------------------

    def reset(self) -> None:
        """Start again with the first epoch at the next :meth:`training_epoch`."""
        training, self._training = self._training, None
        if training is not None:
            training.release()

    def training_epoch(self) -> Iterator[list[Any]]:
        """The rows of the next training epoch, which ``Model.train`` asks for.

        Every epoch is another one, as those of one iterator are: it has another order where rows
        are shuffled. ``Model.train`` begins with the first (:meth:`reset`).

        Returns:
            Iterator of lists of Tensors.

        Difference from PyTorch: ``iter(DataLoader)``.

        Source: behavior observed in MindSpore 2.10, whose training has one iterator.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
            >>> [int(x) for (x,) in data.training_epoch()]
            [1, 2]
        """
        training = self._trained()
        if training.under_way:  # the last epoch was left before its end
            self.load_state_dict(self.state_dict())
            training = self._trained()
        return iter(training)

    def _trained(self) -> TupleIterator:
        if self._training is None:
            self._training = self.create_tuple_iterator()
        return self._training

    def state_dict(self) -> dict[str, Any]:
        """The state of the training epochs, for :meth:`load_state_dict`.

        Returns:
            dict with the number of the epoch, the seed, and the states of random transforms.

        Difference from PyTorch: that of ``torchdata``'s StatefulDataLoader has the step too;
        :meth:`TupleIterator.state` has it here.

        Source: agar's own.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset(list(range(9)), ["x"])
            >>> start = data.state_dict()
            >>> first = [int(x) for (x,) in data.training_epoch()]
            >>> data.load_state_dict(start)
            >>> first == [int(x) for (x,) in data.training_epoch()]
            True
        """
        return self._trained().epoch_state()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continue :meth:`training_epoch` from a saved state.

        Args:
            state (dict): from :meth:`state_dict` of a dataset made alike.

        Raises:
            TypeError: it is not a dict.
            RuntimeError: it is of another dataset.

        Source: agar's own.
        """
        self.reset()
        self._training = self.create_tuple_iterator(state=state)

    def set_init_step(self, init_step: int) -> None:
        """Let iterators start after a number of steps, counted over epochs.

        Args:
            init_step (int): the steps.
        """
        self._global_step = Check("Dataset.set_init_step").whole("init_step", init_step, 0)

    def get_init_step(self) -> int:
        """The number of steps after which iterators start."""
        if self._global_step is not None:
            return self._global_step
        return self.children[0].get_init_step() if len(self.children) == 1 else 0

    def to_json(self, filename: str = "") -> dict[str, Any]:
        """The operations of the pipeline and their arguments as a dict, written to a file too.

        Args:
            filename (str, optional): the file. Default: ``''``, none.

        Source: behavior observed in MindSpore 2.10.
        """
        value = provided("described")(self)
        if filename:
            with open(filename, "w", encoding="utf-8") as stream:
                json.dump(value, stream, indent=2)
        return value

    def close_pool(self) -> None:
        """Accepted: workers end with the iterator that started them."""

    def __getattr__(self, name: str) -> Any:
        # only reached when ordinary lookup failed
        raise MissingName(f"'{type(self).__name__}' object has no attribute '{name}'")


as_methods_of(Dataset, (DatasetOperations, Messages, PipelineTree), __name__)


class VisionBaseDataset(Dataset):
    """Base of datasets of images.

    Args:
        children (Union[Dataset, list[Dataset]], optional): the datasets that this one reads.
            Default: ``None``.
        num_parallel_workers (int, optional): the number of workers it may use. Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.
    """


class TextBaseDataset(Dataset, Vocabularies):
    """Base of datasets of text.

    Args:
        children (Union[Dataset, list[Dataset]], optional): the datasets that this one reads.
            Default: ``None``.
        num_parallel_workers (int, optional): the number of workers it may use. Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.
    """


class AudioBaseDataset(Dataset):
    """Base of datasets of audio.

    Args:
        children (Union[Dataset, list[Dataset]], optional): the datasets that this one reads.
            Default: ``None``.
        num_parallel_workers (int, optional): the number of workers it may use. Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.
    """


class UnionBaseDataset(VisionBaseDataset, TextBaseDataset, AudioBaseDataset):
    """Base of operations that work on any dataset.

    Args:
        children (Union[Dataset, list[Dataset]], optional): the datasets that this one reads.
            Default: ``None``.
        num_parallel_workers (int, optional): the number of workers it may use. Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.
    """


class SourceDataset(Dataset):
    """Base of datasets that read files in order and shuffle while reading.

    Args:
        num_parallel_workers (int, optional): the number of workers that read. Default: ``None``.
        num_samples (int, optional): the maximum number of rows in an epoch. Default: ``None``, all.
        shuffle (Union[bool, Shuffle], optional): how rows are shuffled; ``True`` and ``None`` mean
            ``Shuffle.GLOBAL``. Default: ``True``.
        num_shards (int, optional): the number of shards the rows are divided into.
            Default: ``None``, one.
        shard_id (int, optional): the shard that this dataset reads, in [0, num_shards).
            Default: ``None``, 0.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.
    """

    def __init__(
        self,
        num_parallel_workers: int | None = None,
        num_samples: int | None = None,
        shuffle: bool | Shuffle | None = True,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        super().__init__(num_parallel_workers=num_parallel_workers, cache=cache)
        self.num_samples = num_samples or 0
        self.num_shards = 1 if num_shards is None else num_shards
        self.shard_id = shard_id or 0
        if not isinstance(shuffle, Shuffle):
            shuffle = Shuffle.FALSE if shuffle is False else Shuffle.GLOBAL
        self._shuffle = shuffle

    @property
    def shuffle_flag(self) -> int:
        """The number of the way to shuffle in MindSpore's C++."""
        return _SHUFFLE_FLAGS.index(self._shuffle.value)

    def is_shuffled(self) -> bool:
        """Whether rows come in random order."""
        return self._shuffle is not Shuffle.FALSE

    def is_sharded(self) -> bool:
        """Whether this is one of several shards."""
        return self.num_shards > 1


class MappableDataset(SourceDataset):
    """Base of datasets whose rows can be read in any order, which a sampler decides.

    Args:
        num_parallel_workers (int, optional): the number of workers that read. Default: ``None``.
        sampler (Union[Sampler, Iterable], optional): yields the indices of the rows to read;
            excludes `num_samples`, `shuffle`, `num_shards` and `shard_id`. Default: ``None``.
        num_samples (int, optional): the maximum number of rows in an epoch. Default: ``None``, all.
        shuffle (Union[bool, Shuffle], optional): how rows are shuffled; ``True`` and ``None`` mean
            ``Shuffle.GLOBAL``. Default: ``None``.
        num_shards (int, optional): the number of shards the rows are divided into.
            Default: ``None``, one.
        shard_id (int, optional): the shard that this dataset reads, in [0, num_shards); needed with
            `num_shards`. Default: ``None``.
        cache (DatasetCache, optional): keeps the rows for later epochs.
            Default: ``None``.
    """

    def __init__(
        self,
        num_parallel_workers: int | None = None,
        sampler: Any = None,
        num_samples: int | None = None,
        shuffle: bool | Shuffle | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: Any = None,
    ) -> None:
        super().__init__(
            num_parallel_workers=num_parallel_workers,
            num_samples=num_samples,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )
        self.sampler: BuiltinSampler | None = select_sampler(
            num_samples, sampler, shuffle, num_shards, shard_id
        )

    def _length(self) -> int:
        """How many samples there are."""
        raise NotImplementedError(f"'{type(self).__name__}' must define how many samples it has.")

    def _labels(self) -> Callable[[], Any] | None:
        """What gives the class of every sample, for PKSampler."""
        return None

    def _size(self) -> int:
        assert self.sampler is not None
        return self.sampler._size(self._length(), self._labels())

    def _orders(self, run: Run) -> Iterator[Any]:
        """The indices of each epoch."""
        assert self.sampler is not None
        return self.sampler._epochs(self._length(), run.seed, self._labels())

    def add_sampler(self, new_sampler: Any) -> None:
        """Let another sampler choose among the rows that the present sampler gives.

        Args:
            new_sampler (Sampler): the other sampler.

        Raises:
            RuntimeError: the two samplers cannot be combined.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.
        """
        self.dataset_size = None
        mode = Shuffle.FALSE if self.sampler is None else self.sampler.get_shuffle_mode()
        if mode == Shuffle.PARTIAL:
            raise RuntimeError(
                "When multiple samplers are used, the shuffle of the current sampler must not be "
                "Shuffle.PARTIAL."
            )
        mode = new_sampler.get_shuffle_mode()
        if mode not in (Shuffle.GLOBAL, Shuffle.FALSE):
            raise RuntimeError(
                "When multiple samplers are used, the shuffle of the input sampler must be "
                f"Shuffle.FALSE or Shuffle.GLOBAL, but got: {mode}."
            )
        new_sampler.add_child(self.sampler)
        self.sampler = new_sampler

    def use_sampler(self, new_sampler: Any) -> None:
        """Replace the sampler that was added last.

        Args:
            new_sampler (Sampler): the new sampler.

        Raises:
            TypeError: `new_sampler` is not a sampler.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"])
            >>> data.use_sampler(ds.SequentialSampler(1))
            >>> [int(x) for (x,) in data]
            [2, 3]
        """
        if new_sampler is None:
            raise TypeError("Input sampler can not be None.")
        if not isinstance(new_sampler, BuiltinSampler):
            raise TypeError(f"Input sampler is not an instance of a sampler: {new_sampler!r}.")
        self.dataset_size = None
        self.sampler = None if self.sampler is None else self.sampler.child_sampler
        self.add_sampler(new_sampler)

    def is_shuffled(self) -> bool:
        """Whether rows come in random order."""
        return self.sampler.is_shuffled() if self.sampler is not None else False

    def is_sharded(self) -> bool:
        """Whether this is one of several shards."""
        return self.sampler.is_sharded() if self.sampler is not None else False

    def split(self, sizes: list[Any], randomize: bool = True) -> tuple[Dataset, ...]:
        """Split the rows into several datasets, like :meth:`Dataset.split`, but by sampling.

        Args:
            sizes (list): the numbers of rows in the parts as ints, or their fractions as floats.
            randomize (bool, optional): whether the rows are shuffled before they are split.
                Default: ``True``.
        """
        sizes = self._split_sizes(sizes, randomize)
        parts = []
        start = 0
        for size in sizes:
            part = copy.copy(self)
            part.parent, part.dataset_size, part._training = [], None, None
            part.sampler = copy.deepcopy(self.sampler)
            if randomize:
                shuffled = RandomSampler()
                shuffled.reshuffle_each_epoch = False
                part.add_sampler(shuffled)
            part.add_sampler(SequentialSampler(start, size))
            part.add_sampler(SequentialSampler())
            parts.append(part)
            start += size
        return tuple(parts)


provide(Dataset)

#: MindSpore has the operations, `Schema` and `zip` in this module; they derive from its classes
_ABOVE = {
    "BatchDataset",
    "BatchInfo",
    "BlockReleasePair",
    "BucketBatchByLengthDataset",
    "ConcatDataset",
    "DeserializedDataset",
    "FilterDataset",
    "MapDataset",
    "PaddedBatchDataset",
    "ProjectDataset",
    "RenameDataset",
    "RepeatDataset",
    "Schema",
    "ShuffleDataset",
    "SkipDataset",
    "SyncWaitDataset",
    "TakeDataset",
    "TransferDataset",
    "ZipDataset",
    "zip",
}


def __getattr__(name: str) -> Any:
    if name not in _ABOVE:
        raise AttributeError(f"module 'agar.dataset.engine.datasets' has no attribute '{name}'")
    return provided(name)
