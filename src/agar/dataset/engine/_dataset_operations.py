"""The methods of datasets that make operations of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agar.dataset.engine._checks import Check
from agar.dataset.engine._registry import provided
from agar.dataset.engine._values import listed

if TYPE_CHECKING:
    from agar.dataset.engine import operations
    from agar.dataset.engine.datasets import Dataset

__all__ = ["DatasetOperations"]


class DatasetOperations:
    """What can be done with a dataset; each method gives another dataset."""

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
        """Rows stacked to batches.

        Args:
            batch_size (Union[int, Callable]): the rows of a batch, or a function that gives them
                for a BatchInfo.
            drop_remainder (bool, optional): whether the last batch is left out where it is
                smaller. Default: ``False``.
            num_parallel_workers (int, optional): how many workers call `per_batch_map`.
                Default: ``None``.
            **kwargs: `per_batch_map` (a function of one list of arrays for each input column, and
                of a BatchInfo, which returns a tuple of as many lists or arrays as there are output
                columns), `input_columns`, `output_columns`, `python_multiprocessing` (whether
                workers are processes), `max_rowsize` (accepted).

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: `batch_size` is not positive.
            RuntimeError: (while iterating) values of a column have different shapes or types.

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
        """Rows filled up to one shape and stacked to batches.

        Args:
            batch_size (Union[int, Callable]): as of :meth:`batch`.
            drop_remainder (bool, optional): as of :meth:`batch`. Default: ``False``.
            num_parallel_workers (int, optional): accepted. Default: ``None``.
            pad_info (dict, optional): ``{column: (shape, value)}``; None in or instead of a shape
                stands for the largest size in the batch. An empty dict fills all columns with 0.
                Default: ``None``, nothing is filled up.

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: `batch_size` is not positive.
            RuntimeError: (while iterating) there is no column of a name in `pad_info`.

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
        """Batches of rows of similar length.

        Args:
            column_names (Union[str, list[str]]): the columns that the length is of.
            bucket_boundaries (list[int]): increasing lengths at which the buckets begin.
            bucket_batch_sizes (list[int]): the batch size of each bucket, one more.
            element_length_function (Callable, optional): the length of the columns' values.
                Default: ``None``, the first dimension of the only column.
            pad_info (dict, optional): as of :meth:`padded_batch`. Default: ``None``.
            pad_to_bucket_boundary (bool, optional): whether unknown sizes are filled up to one
                less than the bucket's end. Default: ``False``.
            drop_remainder (bool, optional): whether what is left in the buckets is dropped.
                Default: ``False``.

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: boundaries do not increase, or numbers of elements do not fit.
            RuntimeError: (while iterating) a row of the last bucket is to be filled up to its end.

        Difference from PyTorch: a batch sampler of one's own.

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
        """Rows whose values are changed by functions.

        Args:
            operations (Union[list, Callable]): functions or transforms, called one after the other
                with the values of the columns as arrays; a tuple holds several values.
            input_columns (Union[str, list[str]], optional): the columns that the first gets.
                Default: ``None``, the first column.
            output_columns (Union[str, list[str]], optional): the names of what the last returns.
                They take the places of the input columns where there are as many, else they come
                first. Default: ``None``, `input_columns`.
            num_parallel_workers (int, optional): how many worker processes, for functions with
                `python_multiprocessing`, and for agar's own transforms. Default: ``None``.
            **kwargs: `python_multiprocessing` (whether functions run in worker processes),
                `callbacks` (a list of DSCallback), `max_rowsize`, `offload` (accepted), `cache`
                (must be None).

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: an operation is a class, or cannot be called.
            RuntimeError: (while iterating) a function fails, or returns another number of values
                than there are output columns; the error shows its line and the sample.

        Difference from PyTorch: ``__getitem__`` of a Dataset does it.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> data = ds.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
            >>> [int(x) for (x,) in data.map(lambda x: x + 1, "x")]
            [2, 3]
        """
        return provided("MapDataset")(
            self, operations, input_columns, output_columns, num_parallel_workers, **kwargs
        )

    def filter(
        self,
        predicate: Callable[..., Any],
        input_columns: Any = None,
        num_parallel_workers: int | None = None,
    ) -> operations.FilterDataset:
        """The rows for which a function gives true.

        Args:
            predicate (Callable): takes the values of the columns as arrays.
            input_columns (Union[str, list[str]], optional): these columns. Default: ``None``, all.
            num_parallel_workers (int, optional): accepted. Default: ``None``.

        Raises:
            TypeError: an argument is of the wrong type.

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
        """The rows in random order, drawn from a buffer of some rows.

        Args:
            buffer_size (int): the rows of the buffer, at least 2; all are mixed if it is as large
                as the dataset.

        Raises:
            TypeError: it is no int.
            ValueError: it is less than 2.
            RuntimeError: the dataset waits for conditions (:meth:`sync_wait`).

        Difference from PyTorch: ``DataLoader(shuffle=True)`` shuffles indices.

        Source: behavior observed in MindSpore 2.10, whose order of a seed this has.

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
        """The rows several times.

        Args:
            count (int, optional): how often; None and -1 for endlessly. Default: ``None``.

        Raises:
            TypeError: it is no int.
            ValueError: it is neither -1 nor positive.

        Difference from PyTorch: a loop around the DataLoader.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> ds.NumpySlicesDataset([1, 2], ["x"]).repeat(3).get_dataset_size()
            6
        """
        return provided("RepeatDataset")(self, count)

    def skip(self, count: int) -> operations.SkipDataset:
        """The rows without the first ones.

        Args:
            count (int): how many are left out.

        Raises:
            TypeError: it is no int.
            ValueError: it is negative.

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
        """The first rows.

        Args:
            count (int, optional): how many; -1 for all. Default: ``-1``.

        Raises:
            TypeError: it is no int.
            ValueError: it is neither -1 nor positive.

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
        """The columns of several datasets side by side, as long as the shortest lasts.

        Args:
            datasets (Union[Dataset, tuple[Dataset]]): the others.

        Raises:
            TypeError: they are no datasets.
            RuntimeError: (when it is used) two have a column of one name.

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
        """The rows of several datasets one after the other; ``+`` does it too.

        Args:
            datasets (Union[Dataset, list[Dataset]]): the others.

        Raises:
            TypeError: they are no datasets.
            ValueError: one has no rows.
            RuntimeError: (when it is used) their columns differ.

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
        """The rows with other names of columns.

        Args:
            input_columns (Union[str, list[str]]): the old names.
            output_columns (Union[str, list[str]]): the new names.

        Raises:
            TypeError: they are no names.
            ValueError: there are not as many new names as old ones.
            RuntimeError: (when it is used) there is no column of an old name.

        Difference from PyTorch: columns have no names.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar.dataset as ds
            >>> ds.NumpySlicesDataset([1], ["x"]).rename("x", "y").get_col_names()
            ['y']
        """
        return provided("RenameDataset")(self, input_columns, output_columns)

    def project(self, columns: Any) -> operations.ProjectDataset:
        """Some columns, in the given order.

        Args:
            columns (Union[str, list[str]]): their names.

        Raises:
            TypeError: they are no names.
            RuntimeError: (when it is used) there is no column of a name.

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
        """Rows that wait until the program says that it has used those before.

        Args:
            condition_name (str): the name for :meth:`sync_update`.
            num_batch (int, optional): how many batches pass without waiting. Default: ``1``.
            callback (Callable, optional): called with the data of each :meth:`sync_update`.
                Default: ``None``.

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: `num_batch` is not positive.
            RuntimeError: the name is in use.

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
        """Let more rows pass a :meth:`sync_wait`.

        Args:
            condition_name (str): its name.
            num_batch (int, optional): how many batches. Default: ``None``, as many as it lets
                pass without waiting.
            data (Any, optional): what its callback gets. Default: ``None``.

        Raises:
            TypeError: the name is no str.
            RuntimeError: there is none of the name, or `num_batch` is not positive.

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
        """What lets rows pass, by condition."""
        return self.children[0].get_sync_notifiers() if self.children else {}

    def disable_sync(self) -> None:
        """Let all rows pass without waiting."""
        for child in self.children:
            child.disable_sync()

    def is_sync(self) -> bool:
        """Whether rows wait for a condition."""
        return self.children[0].is_sync() if self.children else False

    def device_que(
        self,
        send_epoch_end: bool = True,
        create_data_info_queue: bool = False,
        queue_name: str = "",
    ) -> operations.TransferDataset:
        """The dataset as one whose rows wait in a queue for a network.

        Args:
            send_epoch_end (bool, optional): accepted. Default: ``True``.
            create_data_info_queue (bool, optional): accepted. Default: ``False``.
            queue_name (str, optional): a name for it. Default: ``''``.

        Difference from PyTorch: no counterpart.

        Source: behavior described for MindSpore 2.10, which does it on Ascend and GPU.
        """
        return provided("TransferDataset")(self, send_epoch_end, create_data_info_queue, queue_name)

    def save(self, file_name: str, num_files: int = 1, file_type: str = "mindrecord") -> None:
        """Write the rows to MindRecord files.

        Args:
            file_name (str): the file.
            num_files (int, optional): among how many files rows are divided. Default: ``1``.
            file_type (str, optional): only ``'mindrecord'``. Default: ``'mindrecord'``.

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: `file_type` or `num_files` is out of range.
            RuntimeError: there is no row, or a column of a type that the files cannot hold.

        Difference from PyTorch: no counterpart.

        Source: behavior described for MindSpore 2.10.
        """
        check = Check("Dataset.save")
        check.kind("file_name", file_name, str)
        check.whole("num_files", num_files, 1, 1000)
        check.choice("file_type", file_type, ("mindrecord",))
        provided("save")(self, file_name, num_files)
