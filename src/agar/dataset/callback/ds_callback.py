"""Callbacks of ``map`` operations."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from agar.dataset.core import config
from agar.dataset.engine._checks import Check
from agar.dataset.engine._flow import Flow, Run
from agar.dataset.engine._values import Row
from agar.train.callback import Callback

__all__ = ["DSCallback", "WaitedDSCallback"]


class DSRunContext:
    """The position of a ``map`` operation, passed to the methods of a DSCallback.

    Attributes:
        cur_epoch_num (int): the number of the epoch, from 1.
        cur_step_num_in_epoch (int): the number of the row in the epoch, from 1.
        cur_step_num (int): the number of the row, from 1.
    """

    def __init__(self, epoch: int, step_in_epoch: int, step: int) -> None:
        self.cur_epoch_num = epoch
        self.cur_step_num_in_epoch = step_in_epoch
        self.cur_step_num = step


class DSCallback:
    """Base of callbacks of ``map`` operations; a subclass defines what it needs.

    Args:
        step_size (int, optional): the number of rows between two calls of the step methods.
            Default: ``1``.

    Raises:
        TypeError: `step_size` is not an int.
        ValueError: it is not positive.
        AttributeError: (when iterated) nothing is defined.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> class Told(ds.DSCallback):
        ...     def ds_epoch_begin(self, ds_run_context):
        ...         print("epoch", ds_run_context.cur_epoch_num)
        >>> data = ds.NumpySlicesDataset([1, 2], ["x"])
        >>> data = data.map(lambda x: x, "x", callbacks=Told())
        >>> for _ in data:
        ...     pass
        epoch 1
    """

    def __init__(self, step_size: int = 1) -> None:
        Check("DSCallback").whole("step_size", step_size, 1)
        self.step_size = step_size

    def ds_begin(self, ds_run_context: Any) -> None:
        """Called before the first row of the pipeline.

        Args:
            ds_run_context (DSRunContext): the position, with all numbers 0.
        """

    def ds_epoch_begin(self, ds_run_context: Any) -> None:
        """Called at the start of an epoch.

        Args:
            ds_run_context (DSRunContext): the position: the number of the epoch (`cur_epoch_num`,
                from 1) and of the rows before it (`cur_step_num`).
        """

    def ds_epoch_end(self, ds_run_context: Any) -> None:
        """Called at the end of an epoch.

        Args:
            ds_run_context (DSRunContext): the position: the number of the epoch (`cur_epoch_num`,
                from 1) and of the rows so far (`cur_step_num`).
        """

    def ds_step_begin(self, ds_run_context: Any) -> None:
        """Called before a row; with a `step_size` n, before rows 1, 1 + n, 1 + 2n, ... of an epoch.

        Args:
            ds_run_context (DSRunContext): the position: the number of the row in all epochs
                (`cur_step_num`) and in this one (`cur_step_num_in_epoch`), from 1.
        """

    def ds_step_end(self, ds_run_context: Any) -> None:
        """Called after a row; with a `step_size` n, after rows n, 2n, 3n, ... of an epoch.

        Args:
            ds_run_context (DSRunContext): the position: the number of the row in all epochs
                (`cur_step_num`) and in this one (`cur_step_num_in_epoch`), from 1.
        """

    def _defined(self) -> dict[str, Callable[[Any], None]]:
        """What a subclass defines."""
        return {
            name: getattr(self, name)
            for name in _EVENTS
            if getattr(type(self), name) is not getattr(DSCallback, name)
        }


_EVENTS = ("ds_begin", "ds_epoch_begin", "ds_epoch_end", "ds_step_begin", "ds_step_end")


class WaitedDSCallback(Callback, DSCallback):
    """Base of callbacks that act between a step of training and the rows of the next.

    A subclass defines ``sync_epoch_begin`` or ``sync_step_begin``, which get the run contexts of
    the training and of the pipeline. It is given to ``map`` and to ``Model.train``.

    Args:
        step_size (int, optional): the rows of a training step. Default: ``1``.

    Raises:
        TypeError: `step_size` is not an int.
        ValueError: it is not positive.
        RuntimeError: (while iterating) the training reports nothing for
            ``config.get_callback_timeout()`` seconds.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.dataset as ds
        >>> class Synced(ds.WaitedDSCallback):
        ...     def sync_epoch_begin(self, train_run_context, ds_run_context):
        ...         pass
        >>> Synced(2).step_size
        2
    """

    def __init__(self, step_size: int = 1) -> None:
        super().__init__()
        Check("WaitedDSCallback").whole("step_size", step_size, 1)
        self.step_size = step_size
        self.step_event = threading.Event()
        self.step_run_context: Any = None
        self.epoch_event = threading.Event()
        self.epoch_run_context: Any = None
        self.training_ended = False

    def sync_epoch_begin(self, train_run_context: Any, ds_run_context: Any) -> None:
        """Called before the rows of an epoch, after the training on those of the last one.

        Args:
            train_run_context (RunContext): the position of the training.
            ds_run_context (DSRunContext): the position of the pipeline.
        """

    def sync_step_begin(self, train_run_context: Any, ds_run_context: Any) -> None:
        """Called before the rows of a step, after the training on those of the last one.

        Args:
            train_run_context (RunContext): the position of the training.
            ds_run_context (DSRunContext): the position of the pipeline.
        """

    def epoch_end(self, run_context: Any) -> None:
        """Let the pipeline go on to the next epoch; ``Model.train`` calls it.

        Args:
            run_context (RunContext): the position of the training.
        """
        self.epoch_run_context = run_context
        self.epoch_event.set()

    def step_end(self, run_context: Any) -> None:
        """Let the pipeline go on to the next step; ``Model.train`` calls it.

        Args:
            run_context (RunContext): the position of the training.
        """
        self.step_run_context = run_context
        self.step_event.set()

    def end(self, run_context: Any) -> None:
        """Let the pipeline run to its end without waiting; ``Model.train`` calls it.

        Args:
            run_context (RunContext): the position of the training.
        """
        self.epoch_end(run_context)
        self.step_end(run_context)
        self.training_ended = True

    def _wait(self, event: threading.Event, name: str) -> None:
        if self.training_ended:
            return
        told = event.wait(timeout=config.get_callback_timeout())
        event.clear()
        if not told:
            raise RuntimeError(
                f"{name} timed out after {config.get_callback_timeout()} second(s): give the "
                "callback to Model.train too, or call its step_end and epoch_end."
            )

    def ds_epoch_begin(self, ds_run_context: Any) -> None:
        """Wait for the end of the last epoch's training, then call :meth:`sync_epoch_begin`.

        Args:
            ds_run_context (DSRunContext): the position of the pipeline. There is nothing to wait
                for before the first epoch.
        """
        if ds_run_context.cur_epoch_num > 1:
            self._wait(self.epoch_event, "ds_epoch_begin")
            self.sync_epoch_begin(self.epoch_run_context, ds_run_context)

    def ds_step_begin(self, ds_run_context: Any) -> None:
        """Wait for the end of the last step's training, then call :meth:`sync_step_begin`.

        Args:
            ds_run_context (DSRunContext): the position of the pipeline. There is nothing to wait
                for before the first step.
        """
        if ds_run_context.cur_step_num > self.step_size:
            self._wait(self.step_event, "ds_step_begin")
            self.sync_step_begin(self.step_run_context, ds_run_context)

    def _defined(self) -> dict[str, Callable[[Any], None]]:
        cls, base = type(self), WaitedDSCallback
        entries: dict[str, Callable[[Any], None]] = {}
        if cls.sync_step_begin is not base.sync_step_begin:
            entries["ds_step_begin"] = self.ds_step_begin
        if cls.sync_epoch_begin is not base.sync_epoch_begin:
            entries["ds_epoch_begin"] = self.ds_epoch_begin
        return entries


def watched(flow: Flow, work: Callable[[Row], Row], callbacks: list[DSCallback], run: Run) -> Flow:
    """The flow of an operation that tells callbacks what it does; it runs in the program itself.

    Raises:
        AttributeError: a callback defines nothing.
    """
    told = [(callback.step_size, callback._defined()) for callback in callbacks]
    for callback, (_, defined) in zip(callbacks, told, strict=True):
        if not defined:
            raise AttributeError(
                f"The callback {type(callback).__name__} derives from "
                f"{type(callback).__mro__[1].__name__} and overrides none of its methods."
            )
    epochs = count(1)
    done = 0

    def tell(event: str, context: DSRunContext) -> None:
        for size, defined in told:
            # steps are told at 1, 1 + size, ... and their ends at size, 2 size, ...
            step = context.cur_step_num_in_epoch
            if event == "ds_step_begin" and (step - 1) % size:
                continue
            if event == "ds_step_end" and step % size:
                continue
            if event in defined:
                defined[event](context)

    def rows(source: Iterator[Row]) -> Iterator[Row]:
        nonlocal done
        epoch = next(epochs)
        if epoch == 1:
            tell("ds_begin", DSRunContext(0, 0, 0))
        tell("ds_epoch_begin", DSRunContext(epoch, 0, done))
        step = 0
        for row in source:
            step += 1
            done += 1
            context = DSRunContext(epoch, step, done)
            tell("ds_step_begin", context)
            result = work(row)
            tell("ds_step_end", context)
            yield result
        tell("ds_epoch_end", DSRunContext(epoch, step, done))

    if run.alone and not config.get_debug_mode():  # a question about the rows is no epoch
        return flow.then(work, pure=False)
    return flow.over(rows, count=flow.count)
