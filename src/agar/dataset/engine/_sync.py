"""The operations that wait for the program or feed a network."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from agar.dataset.core import config
from agar.dataset.engine._checks import (
    Check,
    check_callable,
)
from agar.dataset.engine._flow import Flow, Run
from agar.dataset.engine._operation import Operation, described_by
from agar.dataset.engine._values import Row
from agar.dataset.engine.datasets import Dataset
from agar.log import warning

__all__ = ["BlockReleasePair", "SyncWaitDataset", "TransferDataset"]


# --- waiting -----------------------------------------------------------------------------------


class BlockReleasePair:
    """Lets a number of rows pass, then blocks until the program releases more.

    Args:
        init_release_rows (int): how many rows pass without waiting, at least 1.
        callback (Callable, optional): called with the data of each release. Default: ``None``.

    Raises:
        ValueError: `init_release_rows` is not positive.
    """

    def __init__(
        self, init_release_rows: int, callback: Callable[[Any], Any] | None = None
    ) -> None:
        Check("BlockReleasePair").whole("init_release_rows", init_release_rows, 1)
        self.row_count = -init_release_rows
        self.cv = threading.Condition()
        self.callback = callback
        self.default_rows = init_release_rows
        self.disable = False

    def __deepcopy__(self, memo: dict[int, Any]) -> BlockReleasePair:
        return self

    def reset(self) -> None:
        """Start again as after construction."""
        with self.cv:
            self.row_count = -self.default_rows
            self.cv.notify_all()

    def update_batched_size(self, batch_size: int) -> None:
        """Count rows where batches were counted: multiply the counters by the batch size.

        Args:
            batch_size (int): the number of rows in a batch, at least 1.
        """
        Check("BlockReleasePair.update_batched_size").whole("batch_size", batch_size, 1)
        self.row_count *= batch_size
        self.default_rows *= batch_size

    def block_func(self) -> bool:
        """Wait until a row may pass, at most ``config.get_callback_timeout()`` seconds."""
        with self.cv:
            released = self.cv.wait_for(
                lambda: self.row_count < 0 or self.disable, timeout=config.get_callback_timeout()
            )
            if not released:
                warning(
                    "Timeout happened in sync_wait, maybe dataset.sync_update(condition=...) is "
                    "not called after a row was used; rows pass without waiting from now on."
                )
                self.disable = True
            self.row_count += 1
        return True

    def release_func(self, pass_rows: int | None = None, data: Any = None) -> None:
        """Let more rows pass.

        Args:
            pass_rows (int, optional): how many. Default: ``None``, `init_release_rows`.
            data (Any, optional): the argument of the callback. Default: ``None``.
        """
        with self.cv:
            self.row_count -= self.default_rows if pass_rows is None else pass_rows
            if self.callback is not None:
                self.callback(data)
            self.cv.notify_all()

    def disable_lock(self) -> None:
        """Let all rows pass from now on."""
        with self.cv:
            self.disable = True
            self.cv.notify_all()


def multiply_sync(dataset: Dataset, batch_size: Any) -> None:
    nodes = [dataset]
    for node in nodes:
        if isinstance(node, SyncWaitDataset):
            node.update_sync_batch_size(batch_size)
        nodes.extend(node.children)


@described_by(Dataset.sync_wait)
class SyncWaitDataset(Operation):
    """Rows that wait for the program: the result of :meth:`Dataset.sync_wait`."""

    def __init__(
        self,
        input_dataset: Dataset,
        condition_name: str,
        num_batch: int,
        callback: Callable[[Any], Any] | None = None,
    ) -> None:
        check = Check("Dataset.sync_wait")
        check.kind("condition_name", condition_name, str)
        check.kind("num_batch", num_batch, int)
        if num_batch <= 0:
            raise ValueError(
                "For 'Dataset.sync_wait', num_batch need to be greater than 0, but got "
                f"{num_batch}."
            )
        if callback is not None:
            check_callable("Dataset.sync_wait", "callback", callback)
        if condition_name in input_dataset.get_sync_notifiers():
            raise RuntimeError(f"Condition name is already in use: {condition_name!r}.")
        super().__init__(input_dataset)
        self._condition_name = condition_name
        self._pair = BlockReleasePair(num_batch, callback)

    def get_sync_notifiers(self) -> dict[str, Callable[..., None]]:
        """The functions that let rows pass each :meth:`Dataset.sync_wait`, by condition name."""
        return {
            **self._child.get_sync_notifiers(),
            self._condition_name: self._pair.release_func,
        }

    def is_sync(self) -> bool:
        """True."""
        return True

    def update_sync_batch_size(self, batch_size: Any) -> None:
        """Count rows where batches were counted.

        Args:
            batch_size (Union[int, Callable]): the number of rows in a batch; nothing changes if a
                function gives it.
        """
        if isinstance(batch_size, int):
            self._pair.update_batched_size(batch_size)

    def disable_sync(self) -> None:
        """Let all rows pass without waiting."""
        self._pair.disable_lock()
        super().disable_sync()

    def _flow(self, run: Run) -> Flow:
        pair = self._pair
        if not run.alone:
            pair.reset()

        def waiting(rows: Iterator[Row]) -> Iterator[Row]:
            for row in rows:
                pair.block_func()
                yield row

        flow = self._child._supply(run)
        if run.alone and not config.get_debug_mode():  # a question about the rows waits for no one
            return flow
        return flow.over(waiting, count=flow.count)


@described_by(Dataset.device_que)
class TransferDataset(Dataset):
    """Rows that wait in a queue for a device: the result of :meth:`Dataset.device_que`."""

    def __init__(
        self,
        input_dataset: Dataset,
        send_epoch_end: bool = True,
        create_data_info_queue: bool = False,
        queue_name: str = "",
    ) -> None:
        check = Check("Dataset.device_que")
        check.flag("send_epoch_end", send_epoch_end)
        check.flag("create_data_info_queue", create_data_info_queue)
        check.kind("queue_name", queue_name, str)
        super().__init__(children=input_dataset)
        if not queue_name:
            import uuid

            queue_name = str(uuid.uuid1())
        self.queue_name = queue_name
        self.column_name = input_dataset.get_col_names()
        self._queue: Any = None
        self._sent: deque[Any] = deque(maxlen=1)

    def _flow(self, run: Run) -> Flow:
        return self.children[0]._supply(run)

    def create_dict_iterator(self, *args: Any, **kwargs: Any) -> Any:
        """Not available, as the rows are sent to the device.

        Args:
            *args (Any): not used.
            **kwargs (Any): not used.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("TransferDataset is not iterable.")

    def create_tuple_iterator(self, *args: Any, **kwargs: Any) -> Any:
        """Not available, as the rows are sent to the device.

        Args:
            *args (Any): not used.
            **kwargs (Any): not used.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("TransferDataset is not iterable.")

    def __iter__(self) -> Any:
        raise RuntimeError("TransferDataset is not iterable.")

    def output_shapes(self, estimate: bool = False) -> Any:
        """Not available; use :meth:`get_data_info`.

        Args:
            estimate (bool, optional): not used. Default: ``False``.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("TransferDataset does not support obtaining output_shapes.")

    def output_types(self) -> Any:
        """Not available; use :meth:`get_data_info`.

        Raises:
            RuntimeError: always.
        """
        raise RuntimeError("TransferDataset does not support obtaining output_types.")

    def send(  # pyright: ignore[reportIncompatibleMethodOverride] - the names are MindSpore's
        self, num_epochs: int = -1
    ) -> None:
        """Start producing rows.

        Args:
            num_epochs (int, optional): the number of epochs; -1 for no limit. Default: ``-1``.
        """
        Check("TransferDataset.send").kind("num_epochs", num_epochs, int)
        self._queue = self.children[0].create_tuple_iterator(num_epochs=num_epochs)

    def stop_send(self) -> None:
        """Accepted; no thread sends rows."""

    def continue_send(self) -> None:
        """Accepted; no thread sends rows."""

    def get_data_info(self) -> tuple[list[Any], list[Any]]:
        """The types and shapes of the columns.

        Raises:
            RuntimeError: :meth:`send` was not called.
        """
        if self._queue is None:
            raise RuntimeError("Calling get_data_info with bad state: call send first.")
        return self.children[0].output_types(), self.children[0].output_shapes()

    def get_mbuf_queue_size(self) -> int:
        """The number of rows in the queue: always 0, as a row is made when it is asked for.

        Raises:
            RuntimeError: :meth:`send` was not called.
        """
        if self._queue is None:
            raise RuntimeError("Device queue is not init, call get_mbuf_queue_size failed.")
        return 0

    def get_send_info(self) -> list[Any]:
        """The times at which rows were sent: an empty list, as no thread sends rows.

        Raises:
            RuntimeError: :meth:`send` was not called.
        """
        if self._queue is None:
            raise RuntimeError("Calling get_send_info with bad state: call send first.")
        return []

    def get_offload_model(self) -> None:
        """None, as all transforms run on the host.

        Raises:
            RuntimeError: :meth:`send` was not called.
        """
        if self._queue is None:
            raise RuntimeError("Calling get_offload_model with bad state: call send first.")

    def release(self) -> None:
        """Stop producing rows and end the workers."""
        if self._queue is not None:
            self._queue.release()
            self._queue = None


# their path is that of MindSpore
for _name in __all__:
    globals()[_name].__module__ = "agar.dataset.engine.datasets"
