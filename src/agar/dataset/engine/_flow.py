"""How pipelines run: tasks, work on them, and worker processes.

NOTE A pipeline is a lazy tree of datasets. For an iterator, each of them gives a `Flow`: an endless
supply of epochs, each of which yields tasks (the index of a sample, the indices of a batch, a row),
and the work that makes a row of a task. Work on work is one piece of work: reading a sample,
transforming it and stacking a batch happen in one place, so that rows cross from a worker to the
program once. The workers are those of torch's DataLoader, which also reads ahead, keeps the order
and ends the processes.

Random operations in a worker start anew for each task, from the seed, the epoch and the number of
the task: rows do not depend on how many workers there are, and a pipeline can go on in the middle
of an epoch.
"""

from __future__ import annotations

import os
import pickle
import random
import signal
import time
import traceback
import warnings
import zlib
from collections.abc import Callable, Iterator
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import numpy as np

# What runs pipelines in worker processes is torch's DataLoader.
import torch
import torch.utils.data as torch_data  # its DataLoader, as above
from torch.utils.data._utils import signal_handling  # the DataLoader's list of its workers

from agar._core.errors import missing_feature
from agar.dataset.core import config
from agar.dataset.engine._random import pipeline_seed
from agar.dataset.engine._values import Row, packed, unpacked
from agar.dataset.transforms._random import reseed
from agar.log import warning

__all__ = ["Flow", "Run", "Work", "failure", "name_of", "processes", "reading"]

Work = Callable[[Any], Row]

_PACKAGE = str(Path(__file__).resolve().parents[2])


class _Reading:
    """What is being read and run: errors show the sample, and the program sees a worker's work."""

    sample: Any = None
    board: _Board | None = None
    place: int = 0

    def enter(self, what: str, operation: Any = None) -> None:
        """Say what begins now; only a worker process has someone to say it to."""
        if self.board is not None:
            if operation is not None:
                what += f" {name_of(operation)}"
            self.board.write(self.place, what)


def name_of(operation: Any) -> str:
    """The name of a function, or of the class of an object."""
    return str(getattr(operation, "__qualname__", None) or type(operation).__qualname__)


reading = _Reading()


def _own_line(error: BaseException) -> str:
    """The innermost line of the program, rather than of agar or a library, in a traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if not f.filename.startswith(_PACKAGE)]
    if not own:
        return ""
    frame = own[0]
    for candidate in own:
        if "site-packages" not in candidate.filename and "lib/python" not in candidate.filename:
            frame = candidate
    line = f": {frame.line}" if frame.line else ""
    return f' (File "{frame.filename}", line {frame.lineno}, in {frame.name}{line})'


def failure(what: str, error: BaseException) -> RuntimeError:
    """The error of a program's own code: what failed, for which sample, on which line."""
    sample = "" if reading.sample is None else f" of sample {reading.sample}"
    line = _own_line(error)
    text = f"{what}{sample} failed with {type(error).__name__}: {str(error).rstrip('.')}{line}."
    if line:
        text += " The exception was raised by user defined Python function in dataset."
    result = RuntimeError(text)
    result._agar_named = True  # type: ignore[attr-defined]
    return result


def processes(expected: int) -> int:
    """How many processes serve `expected` workers: one is this process, and none has no core."""
    available = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))
    return min(expected, len(available(0))) if expected > 1 else 0


class Run:
    """What the parts of one running pipeline share."""

    def __init__(self, seed: int | None = None, *, alone: bool = False) -> None:
        mode = config.get_error_samples_mode()
        if mode is not config.ErrorSamplesMode.RETURN:
            raise missing_feature(
                f"ErrorSamplesMode.{mode.name}",
                "a sample that cannot be read ends the iteration with an error",
                "catch the error in the source, and return another sample there",
            )
        self.seed = pipeline_seed() if seed is None else seed
        self.alone = alone or config.get_debug_mode()
        self.epoch = 0
        self.random_operations: list[Any] = []
        self.closing: list[Callable[..., None]] = []

    def close(self, *, now: bool = False) -> None:
        """End the worker processes; `now` waits for none of them."""
        for close in self.closing:
            close(now=now)


class Flow:
    """A part of a running pipeline.

    Args:
        run: the pipeline.
        tasks: starts an epoch.
        work: makes a row of a task; None if tasks are rows.
        advance: passes over an epoch without its rows.
        workers: how many processes work; 0 for this one.
        pure: whether another process may work without the program noticing.
        fresh: whether no one else holds the arrays of the rows.
        count: how many tasks an epoch has, where that is known.
    """

    def __init__(
        self,
        run: Run,
        tasks: Callable[[], Iterator[Any]],
        work: Work | None = None,
        *,
        advance: Callable[[], None],
        workers: int = 0,
        pure: bool = False,
        fresh: bool = False,
        count: int | None = None,
    ) -> None:
        self.run = run
        self.tasks = tasks
        self.work = work
        self._advance = advance
        self._begun = 0
        self.workers = 0 if run.alone else workers
        self.pure = pure
        self.fresh = fresh or self.workers > 0
        self.count = count
        self._pool: _Pool | None = None

    def advance(self) -> None:
        """Pass over an epoch."""
        self._begun += 1
        self._advance()

    def rows(self, skip: int = 0) -> Iterator[Row]:
        """The rows of the next epoch, without the first of them."""
        self._begun += 1
        tasks = self.tasks()
        for _ in range(skip):
            next(tasks, None)
        if not self.workers:
            return tasks if self.work is None else map(self.work, tasks)
        if self._pool is None:
            assert self.work is not None
            self._pool = _Pool(self.work, self.workers, self.run)
            self.run.closing.append(self._pool.close)
        return self._pool.rows(tasks, skip, self._begun)

    def then(self, work: Work, *, workers: int = 0, pure: bool, fresh: bool | None = None) -> Flow:
        """The flow whose rows are made from this one's, row by row.

        `work` takes a row. It joins this flow's own work where both belong into one place.
        """
        workers = 0 if self.run.alone else workers
        joined = (workers > 0 and (self.workers > 0 or self.pure)) or (
            workers == 0 and (self.workers == 0 or pure)
        )
        fresh = self.fresh if fresh is None else fresh
        if joined:
            return Flow(
                self.run,
                self.tasks,
                work if self.work is None else _Chain(self.work, work),
                advance=self.advance,
                workers=max(workers, self.workers),
                pure=pure and (self.pure or self.work is None),
                fresh=fresh,
                count=self.count,
            )
        return Flow(
            self.run,
            self.rows,
            work,
            advance=self.advance,
            workers=workers,
            pure=False,
            fresh=fresh,
            count=self.count,
        )

    def over(
        self,
        change: Callable[[Iterator[Any]], Iterator[Any]],
        *,
        count: int | None = None,
        advance: Callable[[], None] | None = None,
        on_tasks: bool = False,
    ) -> Flow:
        """The flow whose epochs are changed as a whole: shuffled, cut, filtered.

        With `on_tasks` the change is one of positions alone. It is then done before the work,
        unless the program would notice that rows left out are not worked on.
        """
        if on_tasks and (self.workers or self.pure or self.work is None):
            tasks = self.tasks
            return Flow(
                self.run,
                lambda: change(tasks()),
                self.work,
                advance=advance or self.advance,
                workers=self.workers,
                pure=self.pure,
                fresh=self.fresh,
                count=count,
            )
        return Flow(
            self.run,
            lambda: change(self.rows()),
            advance=advance or self.advance,
            fresh=self.fresh,
            count=count,
        )


class _Chain:
    """Two pieces of work as one."""

    __slots__ = ("first", "second")

    def __init__(self, first: Work, second: Work) -> None:
        self.first = first
        self.second = second

    def __call__(self, task: Any) -> Row:
        return self.second(self.first(task))


class _Failed:
    """What a worker sends for a task that failed."""

    def __init__(self, kind: type[BaseException], text: str) -> None:
        self.kind = kind
        self.text = text


class _Board:
    """Memory in which each worker writes what it does; the program reads it where one is stuck."""

    _WIDTH = 200

    def __init__(self, workers: int) -> None:
        self._memory = torch.zeros((workers, self._WIDTH + 8), dtype=torch.uint8).share_memory_()

    def _row(self, worker: int) -> tuple[np.ndarray, np.ndarray]:
        row = self._memory[worker].numpy()
        return row[:8].view(np.int64), row[8:].view(f"S{self._WIDTH}")

    def write(self, worker: int, what: str) -> None:
        """Note what a worker begins."""
        count, text = self._row(worker)
        text[0] = what.encode(errors="replace")
        count[0] += 1

    def read(self, worker: int) -> tuple[int, str]:
        """How many things a worker has begun, and the last of them."""
        count, text = self._row(worker)
        return int(count[0]), text[0].decode(errors="replace")


class _Job(torch_data.Dataset[Any]):
    """The work as the DataLoader's dataset; its index is a seed with a task."""

    def __init__(self, work: Work, operations: list[Any], board: _Board) -> None:
        self._work = work
        self._operations = operations
        self._board = board

    def __getitem__(self, index: tuple[int, Any]) -> Any:
        seed, task = index
        worker = torch_data.get_worker_info()
        assert worker is not None
        reading.board, reading.place = self._board, worker.id
        reading.enter("reading a row")
        random.seed(seed)
        np.random.seed(seed)
        torch.manual_seed(seed)
        if self._operations:
            reseed(self._operations, seed)
        reading.sample = None
        try:
            return packed(self._work(task))
        except RuntimeError as error:
            return _Failed(RuntimeError, str(error))
        except Exception as error:
            return _Failed(RuntimeError, str(failure("Reading", error)))


class _Feed:
    """The sampler of the DataLoader: the tasks of the epoch that comes next."""

    def __init__(self) -> None:
        self.tasks: Iterator[Any] = iter(())

    def __iter__(self) -> Iterator[Any]:
        return self.tasks


def _same(row: Any) -> Any:
    return row


#: Seconds between two looks at whether the workers live.
_STEP = 0.5
#: A worker counts as stuck after so many intervals of ``multiprocessing_timeout_interval``.
_INTERVALS = 10
#: Seconds that idle workers have to end by themselves.
_GRACE = 0.1


class _Pool:
    """Worker processes that serve one flow for all its epochs.

    NOTE Waiting. A row is not waited for without end. A worker that has ended is an error at once.
    One that lives is warned of after each ``config.get_multiprocessing_timeout_interval()``
    seconds. It counts as stuck, and is an error, where it began nothing new for ten of them; with
    ``config.set_enable_watchdog(False)`` it is waited for.
    """

    def __init__(self, work: Work, workers: int, run: Run) -> None:
        self._seed = run.seed
        self._feed = _Feed()
        self._iterator: Any = None
        self._loader: Any = None
        self._work = work
        self._workers = workers
        self._operations = run.random_operations
        self._board = _Board(workers)

    def _start(self) -> None:
        """Begin an epoch; where there are no workers, or no longer, they are started."""
        if self._loader is None:
            self._board = _Board(self._workers)
            self._loader = torch_data.DataLoader(
                _Job(self._work, self._operations, self._board),
                batch_size=None,
                sampler=self._feed,
                num_workers=self._workers,
                collate_fn=_same,
                persistent_workers=True,
                multiprocessing_context=config.get_multiprocessing_start_method(),
                # its own, so that starting workers draws nothing from torch's stream
                generator=torch.Generator(),
            )
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Got pickle error", UserWarning)
            self._iterator = iter(self._loader)
        self._iterator._get_data = self._wait

    def rows(self, tasks: Iterator[Any], skip: int, epoch: int) -> Iterator[Row]:
        """The rows of an epoch."""
        start = f"{self._seed} {epoch} "
        self._feed.tasks = (
            (zlib.crc32(f"{start}{i}".encode()), task) for i, task in enumerate(tasks, skip)
        )
        try:
            self._start()
        except (AttributeError, TypeError, pickle.PicklingError) as error:
            if "pickle" not in str(error):
                raise
            raise RuntimeError(
                "Worker processes that are started with 'spawn' get the dataset and the functions "
                f"of a pipeline pickled, which is not possible here: {error}. Define them at the "
                "top of a module, or use set_multiprocessing_start_method('fork')."
            ) from error
        except BaseException as error:
            self._fail(error)
            raise
        while True:
            try:
                row = next(self._iterator)
            except StopIteration:
                return
            except BaseException as error:
                self._fail(error)
                raise
            if type(row) is _Failed:
                raise row.kind(row.text)
            yield unpacked(row)

    def _wait(self) -> Any:
        """What the workers send next; in the place of the DataLoader's wait without end."""
        iterator = self._iterator
        began = since = time.monotonic()
        count, warned = -1, 0
        while True:
            arrived, data = iterator._try_get_data(_STEP)
            if arrived:
                return data
            now = time.monotonic()
            interval = config.get_multiprocessing_timeout_interval()
            worker = (iterator._task_info.get(iterator._rcvd_idx) or (0,))[0]
            seen, what = self._board.read(worker)
            if seen != count:
                count, since = seen, now
            name = f"worker process {worker} of {self._workers}"
            if now - since >= _INTERVALS * interval and config.get_enable_watchdog():
                raise RuntimeError(
                    f"A dataset waits for a row: its {name} has been busy with {what or 'nothing'} "
                    f"for {now - since:.0f} s, counts as stuck, and was ended. The limit is "
                    f"{_INTERVALS} times dataset.config.get_multiprocessing_timeout_interval(), "
                    f"which is {interval} s: raise it with set_multiprocessing_timeout_interval if "
                    "the operation is merely slow, or call set_enable_watchdog(False) to wait "
                    "without a limit."
                )
            if now - began >= (warned + 1) * interval:
                warned += 1
                warning(
                    f"A dataset has been waiting for a row for {now - began:.0f} s: its {name} "
                    f"(pid {iterator._workers[worker].pid}) is busy with {what or 'nothing'}."
                )

    def _fail(self, error: BaseException) -> None:
        """End the workers after a failed wait; if one of them had ended, say so."""
        dead = [
            (i, worker)
            for i, worker in enumerate(getattr(self._iterator, "_workers", ()))
            if not worker.is_alive()
        ]
        self.close(now=True)
        if dead and isinstance(error, RuntimeError):
            place, worker = dead[0]
            code = worker.exitcode
            how = f"with exit code {code}"
            if code is not None and code < 0:
                how = f"by {signal.Signals(-code).name}"
            what = self._board.read(place)[1] or "its start"
            raise RuntimeError(
                f"The worker process {place} of {self._workers} (pid {worker.pid}) of a dataset "
                f"ended {how} while it was busy with {what}. SIGKILL usually means that memory ran "
                "out: use fewer workers (num_parallel_workers) or smaller batches."
            ) from None

    @staticmethod
    def _let_end(iterator: Any) -> None:
        """Ask the workers to end, and give those that are idle the time to.

        A busy one would finish its row first, which nobody reads: it is not waited for.
        """
        iterator._workers_done_event.set()
        for queue in iterator._index_queues:
            queue.put(None)
        until = time.monotonic() + _GRACE
        waiting = {worker.sentinel for worker in iterator._workers}
        while waiting and (left := until - time.monotonic()) > 0:
            waiting.difference_update(wait(waiting, timeout=left))

    def close(self, *, now: bool = False) -> None:
        """End the processes; one that is busy does not finish its row.

        Args:
            now: kill them, as one of them may be stuck or hold a lock.
        """
        iterator, self._iterator, self._loader = self._iterator, None, None
        if iterator is None:
            return
        if iterator._shutdown:
            return
        iterator._shutdown = True
        if iterator._worker_pids_set:
            # their end is no longer a fault
            signal_handling._remove_worker_pids(id(iterator))
            iterator._worker_pids_set = False
        if not now:
            self._let_end(iterator)
        for queue in iterator._index_queues:
            queue.cancel_join_thread()
            queue.close()
        for worker in iterator._workers:
            if worker.is_alive():
                worker.kill()
        for worker in iterator._workers:
            worker.join(timeout=5)
