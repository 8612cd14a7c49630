"""The methods of datasets that make operations of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agar._core.hints import explained
from agar._core.older import takers
from agar.dataset.engine._checks import Check
from agar.dataset.engine._registry import provided
from agar.dataset.engine._values import listed

if TYPE_CHECKING:
    from agar.dataset.engine import operations
    from agar.dataset.engine.datasets import Dataset

__all__ = ["DatasetOperations"]


def _column_order(workers: Any, options: dict[str, Any]) -> Any:
    """The order of columns that `map` of older MindSpores took, by name or before the workers."""
    if "Dataset.map" not in takers:
        return None
    return workers if isinstance(workers, (list, tuple)) else options.pop("column_order", None)


class DatasetOperations:
    """The methods of a dataset that return another dataset."""

    children: list[Dataset]

    if TYPE_CHECKING:

        def get_batch_size(self) -> int: ...

    def __add__(self, datasets: Any) -> operations.ConcatDataset:
        return self.concat(datasets)

    def batch(
        self,
        batch_size: int | Callable[[Any], int],
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        **kwargs: Any,
    ) -> operations.BatchDataset:
        """Stack consecutive rows into batches.

        Args:
            batch_size (Union[int, Callable]): the number of rows in a batch, at least 1, or a
                function that takes a :class:`BatchInfo` and returns it.
            drop_remainder (bool, optional): whether the last batch of an epoch is dropped if it has
                fewer rows. Default: ``False``.
            num_parallel_workers (int, optional): the number of processes that call `per_batch_map`,
                used with ``python_multiprocessing=True``. Default: ``None``,
                ``config.get_num_parallel_workers()``.
            **kwargs (Any): the options below, by name.
            per_batch_map (Callable, optional): called with each batch before it is stacked:
                ``per_batch_map(column, ..., info)`` takes a list of arrays, one for each row, for
                every input column, then a :class:`BatchInfo`. It returns a tuple with a list of as
                many values for each output column; an array instead of a list is the stacked
                column. Default: ``None``.
            input_columns (Union[str, list[str]], optional): the columns passed to `per_batch_map`.
                Default: ``None``, all.
            output_columns (Union[str, list[str]], optional): the names of the columns that
                `per_batch_map` returns. If there are as many as input columns they take their
                places, otherwise they come first and the remaining columns follow.
                Default: ``None``, the names of the input columns.
            python_multiprocessing (bool, optional): whether `per_batch_map` runs in worker
                processes instead of the main process. Default: ``False``.
            max_rowsize (Union[int, list[int]], optional): the size of a row in MB, -1 or more.
                Accepted; memory is allocated as needed. Default: ``None``.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: `batch_size` is not positive.
            RuntimeError: (while iterating) the values of a column differ in shape or type.

        Difference from PyTorch: ``DataLoader(batch_size=..., drop_last=..., collate_fn=...)``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).batch(2)
            >>> [x.asnumpy().tolist() for (x,) in data]
            [[1, 2], [3]]
        """
        return provided("BatchDataset")(
            self, batch_size, drop_remainder, num_parallel_workers, **kwargs
        )

    def padded_batch(
        self,
        batch_size: int | Callable[[Any], int],
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: dict[str, Any] | None = None,
    ) -> operations.PaddedBatchDataset:
        """Pad the rows to a common shape and stack them into batches.

        Args:
            batch_size (Union[int, Callable]): the number of rows in a batch, at least 1, or a
                function that takes a :class:`BatchInfo` and returns it.
            drop_remainder (bool, optional): whether the last batch of an epoch is dropped if it has
                fewer rows. Default: ``False``.
            num_parallel_workers (int, optional): accepted; no function runs in workers. Default:
                ``None``.
            pad_info (dict, optional): ``{column: (shape, value)}`` for each column to pad. A
                ``None`` in the shape, or in place of it, stands for the largest size in the batch.
                An empty dict pads all columns with 0. Default: ``None``, no padding.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: `batch_size` is not positive.
            RuntimeError: (while iterating) a key of `pad_info` is not the name of a column.

        Difference from PyTorch: ``torch.nn.utils.rnn.pad_sequence`` in a collate function.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.GeneratorDataset([([1],), ([2, 3],)], ["x"], shuffle=False)
            >>> next(iter(data.padded_batch(2, pad_info={})))[0].asnumpy().tolist()
            [[1, 0], [2, 3]]
        """
        return provided("PaddedBatchDataset")(
            self, batch_size, drop_remainder, num_parallel_workers, pad_info
        )

    def bucket_batch_by_length(
        self,
        column_names: Any,
        bucket_boundaries: list[int],
        bucket_batch_sizes: list[int],
        element_length_function: Callable[..., int] | None = None,
        pad_info: dict[str, Any] | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ) -> operations.BucketBatchByLengthDataset:
        """Group rows of similar length into buckets, and batch each bucket.

        Args:
            column_names (Union[str, list[str]]): the columns passed to `element_length_function`.
            bucket_boundaries (list[int]): the lengths at which a new bucket starts, strictly
                increasing and at least 1. With ``n`` boundaries there are ``n + 1`` buckets: rows
                shorter than the first boundary go into the first one, rows not shorter than the
                last into the last.
            bucket_batch_sizes (list[int]): the batch size of each bucket, ``n + 1`` values.
            element_length_function (Callable, optional): takes the values of `column_names` and
                returns the length of the row. Default: ``None``, the size of the first dimension,
                which needs a single column.
            pad_info (dict, optional): ``{column: (shape, value)}``, as in :meth:`padded_batch`.
                Default: ``None``, all columns are padded with 0.
            pad_to_bucket_boundary (bool, optional): whether a ``None`` in a shape of `pad_info`
                stands for the end of the bucket minus one instead of the largest size in the batch.
                Default: ``False``.
            drop_remainder (bool, optional): whether incomplete batches at the end of an epoch are
                dropped. Default: ``False``.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: the boundaries do not increase, or the number of batch sizes does not match.
            RuntimeError: (while iterating) a row of the last bucket, which has no end, is to be
                padded to the end of its bucket.

        Difference from PyTorch: a custom batch sampler.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> rows = [([1],), ([2, 3, 4],), ([5, 6],)]
            >>> data = ds.GeneratorDataset(rows, ["x"], shuffle=False)
            >>> data = data.bucket_batch_by_length("x", [3], [2, 2], pad_info={})
            >>> [x.asnumpy().tolist() for (x,) in data]
            [[[1, 0], [5, 6]], [[2, 3, 4]]]
        """
        return provided("BucketBatchByLengthDataset")(
            self,
            column_names,
            bucket_boundaries,
            bucket_batch_sizes,
            element_length_function,
            pad_info,
            pad_to_bucket_boundary,
            drop_remainder,
        )

    def map(
        self,
        operations: Any,
        input_columns: Any = None,
        output_columns: Any = None,
        num_parallel_workers: int | None = None,
        **kwargs: Any,
    ) -> operations.MapDataset:
        """Apply functions or transforms to columns of every row.

        Args:
            operations (Union[Callable, list[Callable]]): functions or transforms, called one after
                the other. The first takes the values of the input columns as arrays, each of the
                others what the one before it returned; a tuple is several values.
            input_columns (Union[str, list[str]], optional): the columns passed to the first
                operation. Default: ``None``, the first column.
            output_columns (Union[str, list[str]], optional): the names of what the last operation
                returns. If there are as many as input columns they take their places, otherwise
                they come first and the remaining columns follow. Default: ``None``,
                `input_columns`.
            num_parallel_workers (int, optional): the number of worker processes. It is used with
                ``python_multiprocessing=True``, or if all operations are agar's own transforms.
                Default: ``None``, ``config.get_num_parallel_workers()`` processes with
                `python_multiprocessing`, otherwise the main process.
            **kwargs (Any): the options below, by name.
            python_multiprocessing (bool, optional): whether functions run in worker processes
                instead of the main process. Default: ``False``.
            cache (DatasetCache, optional): keeps the rows for later epochs.
                Default: ``None``.
            callbacks (Union[DSCallback, list[DSCallback]], optional): called as rows are processed.
                Default: ``None``.
            max_rowsize (Union[int, list[int]], optional): the size of a row in MB, -1 or more.
                Accepted; memory is allocated as needed. Default: ``None``.
            offload (bool, optional): whether to run transforms on the device. Accepted; all run on
                the host. Default: ``None``.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: an operation is a class, or is not callable.
            RuntimeError: (while iterating) an operation fails, or the number of values it returns
                differs from the number of output columns; the error shows its line and the sample.

        Difference from PyTorch: done in ``__getitem__`` of a Dataset.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
            >>> [int(x) for (x,) in data.map(lambda x: x + 1, "x")]
            [2, 3]
        """
        order = _column_order(num_parallel_workers, kwargs)
        if order is not None:
            workers = None if order is num_parallel_workers else num_parallel_workers
            mapped = self.map(operations, input_columns, output_columns, workers, **kwargs)
            return takers["Dataset.map"](mapped, order)
        return provided("MapDataset")(
            self, operations, input_columns, output_columns, num_parallel_workers, **kwargs
        )

    def filter(
        self,
        predicate: Callable[..., Any],
        input_columns: Any = None,
        num_parallel_workers: int | None = None,
    ) -> operations.FilterDataset:
        """Keep the rows for which a function returns True.

        Args:
            predicate (Callable): takes the values of the columns as arrays and returns a bool.
            input_columns (Union[str, list[str]], optional): the columns passed to `predicate`.
                Default: ``None``, all.
            num_parallel_workers (int, optional): accepted; `predicate` runs in the main process.
                Default: ``None``.

        Raises:
            TypeError: an argument has the wrong type.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
            >>> [int(x) for (x,) in data.filter(lambda x: x > 1, "x")]
            [2, 3]
        """
        return provided("FilterDataset")(self, predicate, input_columns, num_parallel_workers)

    def shuffle(self, buffer_size: int) -> operations.ShuffleDataset:
        """Shuffle the rows through a buffer: each row is drawn from it and replaced by the next.

        Args:
            buffer_size (int): the number of rows in the buffer, at least 2. With the size of the
                dataset or more, the shuffle is complete.

        Raises:
            TypeError: `buffer_size` is not an int.
            ValueError: `buffer_size` is less than 2.
            RuntimeError: there is a :meth:`sync_wait` before it.

        Difference from PyTorch: ``DataLoader(shuffle=True)`` shuffles indices.

        Source: behavior observed in MindSpore 2.10; a seed gives the same order as there.

        Examples:
            >>> import agar.dataset as ds
            >>> ds.config.set_seed(1)
            >>> data = ds.NumpySlicesDataset(list(range(10)), ["x"], shuffle=False).shuffle(3)
            >>> [int(x) for (x,) in data]
            [2, 0, 3, 4, 5, 6, 8, 7, 9, 1]
            >>> ds.config.set_seed(5489)
        """
        return provided("ShuffleDataset")(self, buffer_size)

    def repeat(self, count: int | None = None) -> operations.RepeatDataset:
        """Repeat the rows.

        Args:
            count (int, optional): the number of repetitions, at least 1; -1 and ``None`` repeat
                forever. Default: ``None``.

        Raises:
            TypeError: `count` is not an int.
            ValueError: `count` is neither -1 nor positive.

        Difference from PyTorch: a loop around the DataLoader.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> ds.NumpySlicesDataset([1, 2], ["x"]).repeat(3).get_dataset_size()
            6
        """
        return provided("RepeatDataset")(self, count)

    def skip(self, count: int) -> operations.SkipDataset:
        """Skip the first rows of each epoch.

        Args:
            count (int): the number of rows to skip, not negative.

        Raises:
            TypeError: `count` is not an int.
            ValueError: `count` is negative.

        Difference from PyTorch: ``torch.utils.data.Subset``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
            >>> [int(x) for (x,) in data.skip(1)]
            [2, 3]
        """
        return provided("SkipDataset")(self, count)

    def take(self, count: int = -1) -> operations.TakeDataset:
        """Keep only the first rows of each epoch.

        Args:
            count (int, optional): the number of rows to keep, at least 1; -1 keeps all.
                Default: ``-1``.

        Raises:
            TypeError: `count` is not an int.
            ValueError: `count` is neither -1 nor positive.

        Difference from PyTorch: ``torch.utils.data.Subset``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False)
            >>> [int(x) for (x,) in data.take(2)]
            [1, 2]
        """
        return provided("TakeDataset")(self, count)

    def zip(self, datasets: Any) -> operations.ZipDataset:
        """Put the columns of several datasets side by side; the shortest dataset sets the length.

        Args:
            datasets (Union[Dataset, tuple[Dataset]]): the other datasets. No two may have a column
                of the same name.

        Raises:
            TypeError: `datasets` is neither a dataset nor a tuple of datasets.
            RuntimeError: (when iterated) two columns have the same name.

        Difference from PyTorch: ``torch.utils.data.StackDataset``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> left = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
            >>> right = ds.NumpySlicesDataset([3, 4], ["y"], shuffle=False)
            >>> [(int(x), int(y)) for x, y in left.zip(right)]
            [(1, 3), (2, 4)]
        """
        Check("Dataset.zip").kind("datasets", datasets, tuple, provided("Dataset"))
        others = datasets if isinstance(datasets, tuple) else (datasets,)
        return provided("ZipDataset")((self, *others))

    def concat(self, datasets: Any) -> operations.ConcatDataset:
        """Append the rows of other datasets, as ``+`` does.

        Args:
            datasets (Union[Dataset, list[Dataset]]): the other datasets, with the same columns in
                the same order.

        Raises:
            TypeError: `datasets` is neither a dataset nor a list of datasets.
            ValueError: a dataset has no rows.
            RuntimeError: (when iterated) the columns differ.

        Difference from PyTorch: ``torch.utils.data.ConcatDataset``.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> left = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
            >>> right = ds.NumpySlicesDataset([3], ["x"], shuffle=False)
            >>> [int(x) for (x,) in left + right]
            [1, 2, 3]
        """
        Check("Dataset.concat").kind("datasets", datasets, list, provided("Dataset"))
        return provided("ConcatDataset")([self, *listed(datasets)])

    def rename(self, input_columns: Any, output_columns: Any) -> operations.RenameDataset:
        """Rename columns.

        Args:
            input_columns (Union[str, list[str]]): the names of the columns to rename.
            output_columns (Union[str, list[str]]): their new names, as many.

        Raises:
            TypeError: a name is not a str.
            ValueError: the numbers of old and new names differ.
            RuntimeError: (when iterated) there is no column with one of the old names.

        Difference from PyTorch: columns have no names.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> ds.NumpySlicesDataset([1], ["x"]).rename("x", "y").get_col_names()
            ['y']
        """
        return provided("RenameDataset")(self, input_columns, output_columns)

    def project(self, columns: Any) -> operations.ProjectDataset:
        """Select columns and put them in the given order.

        Args:
            columns (Union[str, list[str]]): the names of the columns to keep.

        Raises:
            TypeError: a name is not a str.
            RuntimeError: (when iterated) there is no column with one of the names.

        Difference from PyTorch: columns have no names.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset({"x": [1], "y": [2]})
            >>> data.project(["y", "x"]).get_col_names()
            ['y', 'x']
        """
        return provided("ProjectDataset")(self, columns)

    def sync_wait(
        self, condition_name: str, num_batch: int = 1, callback: Callable[[Any], Any] | None = None
    ) -> operations.SyncWaitDataset:
        """Hold rows back until :meth:`sync_update` reports that earlier ones were used.

        Args:
            condition_name (str): the name by which :meth:`sync_update` refers to this point; unique
                in the pipeline.
            num_batch (int, optional): how many batches pass without waiting, at least 1.
                Default: ``1``.
            callback (Callable, optional): called with the `data` of each :meth:`sync_update`.
                Default: ``None``.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: `num_batch` is not positive.
            RuntimeError: the name is already in use.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False).sync_wait("used")
            >>> for (x,) in data.create_tuple_iterator(num_epochs=1):
            ...     print(x)
            ...     data.sync_update("used")
            1
            2
        """
        return provided("SyncWaitDataset")(self, condition_name, num_batch, callback)

    def sync_update(
        self, condition_name: str, num_batch: int | None = None, data: Any = None
    ) -> None:
        """Let further rows pass a :meth:`sync_wait`.

        Args:
            condition_name (str): the name that was given to :meth:`sync_wait`.
            num_batch (int, optional): how many batches may pass. Default: ``None``, as many as pass
                that :meth:`sync_wait` without waiting.
            data (Any, optional): the argument of its callback. Default: ``None``.

        Raises:
            TypeError: `condition_name` is not a str.
            RuntimeError: no :meth:`sync_wait` has that name, or `num_batch` is not positive.

        Difference from PyTorch: no counterpart.

        Source: behavior observed in MindSpore 2.10.
        """
        Check("Dataset.sync_update").kind("condition_name", condition_name, str)
        notifiers = self.get_sync_notifiers()
        if num_batch is not None and (not isinstance(num_batch, int) or num_batch <= 0):
            self.disable_sync()
            raise RuntimeError(
                f"Sync_update batch size can only be positive integer, got: {num_batch}."
            )
        if condition_name not in notifiers:
            self.disable_sync()
            raise RuntimeError(
                f"Condition name not found: {condition_name!r} is none of {sorted(notifiers)}."
            )
        if num_batch is not None:
            num_batch *= self.get_batch_size()
        notifiers[condition_name](num_batch, data)

    def get_sync_notifiers(self) -> dict[str, Callable[..., None]]:
        """The functions that let rows pass each :meth:`sync_wait`, by condition name."""
        return self.children[0].get_sync_notifiers() if self.children else {}

    def disable_sync(self) -> None:
        """Let all rows pass without waiting."""
        for child in self.children:
            child.disable_sync()

    def is_sync(self) -> bool:
        """Whether the pipeline has a :meth:`sync_wait`."""
        return self.children[0].is_sync() if self.children else False

    def device_que(
        self,
        send_epoch_end: bool = True,
        create_data_info_queue: bool = False,
        queue_name: str = "",
    ) -> operations.TransferDataset:
        """A dataset whose rows wait in a queue to be sent to a device.

        Args:
            send_epoch_end (bool, optional): whether the end of an epoch is sent too. Accepted; rows
                are not sent ahead. Default: ``True``.
            create_data_info_queue (bool, optional): whether a queue of types and shapes is created.
                Accepted; ``get_data_info`` always works. Default: ``False``.
            queue_name (str, optional): the name of the queue. Default: ``''``, a unique name.

        Difference from PyTorch: no counterpart.

        Source: behavior described for MindSpore 2.10, which does it on Ascend and GPU.
        """
        return provided("TransferDataset")(self, send_epoch_end, create_data_info_queue, queue_name)

    def save(self, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
        """Write the rows to MindRecord files.

        Args:
            file_name (str): the path of the file.
            num_files (int, optional): the number of files that the rows are divided among, in [1,
                1000]. Default: ``1``.
            file_type (str, optional): only ``'mindrecord'``. Default: ``'mindrecord'``.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: `file_type` or `num_files` is out of range.
            RuntimeError: there are no rows, or the type of a column cannot be stored.

        Difference from PyTorch: no counterpart.

        Source: behavior described for MindSpore 2.10.
        """
        check = Check("Dataset.save")
        check.kind("file_name", file_name, str)
        check.whole("num_files", num_files, 1, 1000)
        check.choice("file_type", file_type, ("mindrecord",))
        provided("save")(self, file_name, num_files)


for _name, _method in list(vars(DatasetOperations).items()):
    if not _name.startswith("_") and callable(_method):
        setattr(DatasetOperations, _name, explained(_method))
