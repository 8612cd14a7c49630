"""The operations that change which rows come, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from agar.dataset.engine._checks import (
    INT32,
    Check,
)
from agar.dataset.engine._flow import Flow, Run
from agar.dataset.engine._operation import Operation, described_by
from agar.dataset.engine._random import Engine64, mixed
from agar.dataset.engine.datasets import Dataset

__all__ = ["RepeatDataset", "ShuffleDataset", "SkipDataset", "TakeDataset"]


@described_by(Dataset.shuffle)
class ShuffleDataset(Operation):
    """Rows in random order: the result of :meth:`Dataset.shuffle`."""

    def __init__(self, input_dataset: Dataset, buffer_size: int) -> None:
        Check("Dataset.shuffle").whole("buffer_size", buffer_size, 2)
        super().__init__(input_dataset)
        self.buffer_size = buffer_size
        self.reshuffle_each_epoch = True
        if self.is_sync():
            raise RuntimeError(
                "For 'Dataset.shuffle', there must be no sync_wait before it: rows that wait "
                "would fill the buffer."
            )

    def is_shuffled(self) -> bool:
        """True."""
        return True

    def _flow(self, run: Run) -> Flow:
        engine = Engine64(run.seed)
        again = self.reshuffle_each_epoch
        flow = self._child._supply(run)

        def begin() -> Engine64:
            nonlocal engine
            if not again:
                engine = Engine64(run.seed)
            return engine

        def advance() -> None:
            count = flow.count
            if not again:
                flow.advance()
            elif count is None:
                for _ in shuffled(flow.tasks() if on_tasks else flow.rows()):
                    pass
            else:
                flow.advance()
                for _ in range(count):
                    engine()

        def shuffled(rows: Iterator[Any]) -> Iterator[Any]:
            return mixed(rows, begin(), self.buffer_size)

        on_tasks = bool(flow.workers or flow.pure or flow.work is None)
        return flow.over(shuffled, count=flow.count, advance=advance, on_tasks=True)


@described_by(Dataset.repeat)
class RepeatDataset(Operation):
    """Repeated rows: the result of :meth:`Dataset.repeat`."""

    def __init__(self, input_dataset: Dataset, count: int | None) -> None:
        if count is not None:
            check = Check("Dataset.repeat")
            check.kind("count", count, int)
            if count != -1:
                check.whole("count", count, 1)
        super().__init__(input_dataset)
        self.count = -1 if count is None else count

    def _size(self) -> int:
        return self._child.get_dataset_size() * max(self.count, 1)

    def get_repeat_count(self) -> int:
        """The number of repetitions; -1 if the rows repeat forever."""
        return self.count

    def _flow(self, run: Run) -> Flow:
        flow = self._child._supply(run)
        times = self.count

        def epochs(start: Callable[[], Iterator[Any]]) -> Iterator[Any]:
            done = 0
            while done != times:
                number = 0
                for task in start():
                    number = 1
                    yield task
                if not number and times == -1:
                    return  # endlessly nothing
                done += 1

        def advance() -> None:
            for _ in range(max(times, 1)):
                flow.advance()

        count = None if flow.count is None or times == -1 else flow.count * times
        # tasks keep their work, so that one pool of workers serves all repetitions
        return Flow(
            run,
            lambda: epochs(flow.tasks),
            flow.work,
            advance=advance,
            workers=flow.workers,
            pure=flow.pure,
            fresh=flow.fresh,
            count=count,
        )


@described_by(Dataset.skip)
class SkipDataset(Operation):
    """All rows but the first ones: the result of :meth:`Dataset.skip`."""

    def __init__(self, input_dataset: Dataset, count: int) -> None:
        Check("Dataset.skip").whole("count", count, 0)
        super().__init__(input_dataset)
        self.count = count

    def _size(self) -> int:
        return max(self._child.get_dataset_size() - self.count, 0)

    def _flow(self, run: Run) -> Flow:
        flow = self._child._supply(run)
        count = None if flow.count is None else max(flow.count - self.count, 0)
        return flow.over(lambda rows: islice(rows, self.count, None), count=count, on_tasks=True)


@described_by(Dataset.take)
class TakeDataset(Operation):
    """The first rows: the result of :meth:`Dataset.take`."""

    def __init__(self, input_dataset: Dataset, count: int) -> None:
        check = Check("Dataset.take")
        check.kind("count", count, int)
        if count != -1 and not 0 < count <= INT32:
            raise ValueError(
                "For 'Dataset.take', count should be either -1 or within the required interval of "
                f"(0, {INT32}], got {count}."
            )
        super().__init__(input_dataset)
        self.count = count

    def _size(self) -> int:
        size = self._child.get_dataset_size()
        if self.count == -1:
            return size
        endless = self._child.get_repeat_count() == -1
        return self.count if endless else min(size, self.count)

    def _flow(self, run: Run) -> Flow:
        flow = self._child._supply(run)
        if self.count == -1:
            return flow
        count = None if flow.count is None else min(flow.count, self.count)
        # what is not taken is not worked on: tasks are cut, not rows
        return Flow(
            run,
            lambda: islice(flow.tasks(), self.count),
            flow.work,
            advance=flow.advance,
            workers=flow.workers,
            pure=flow.pure,
            fresh=flow.fresh,
            count=count,
        )
