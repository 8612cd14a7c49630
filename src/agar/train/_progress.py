"""A progress bar for trainings at a terminal."""

from __future__ import annotations

import sys
from typing import Any

from agar.train.callback._callback import Callback, RunContext, loss_of

__all__ = ["ProgressBar", "at_terminal"]


def at_terminal() -> bool:
    """Whether a bar can be drawn: stdout is a terminal, and rich is there to draw it."""
    if not sys.stdout.isatty():
        return False
    try:
        import rich  # noqa: F401  # only asked for where somebody watches
    except ImportError:
        return False
    return True


class ProgressBar(Callback):
    """One bar for each epoch, with its loss; what is printed meanwhile stands above it."""

    _state_names = ()

    def __init__(self, epochs: int) -> None:
        super().__init__()
        self._epochs = epochs
        self._bar: Any = None
        self._task: Any = None

    def __exit__(self, *error: Any) -> None:
        self._close()

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        """Draw an empty bar."""
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        params = run_context.original_args()
        self._close()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[loss]}"),
        )
        self._bar.start()
        self._task = self._bar.add_task(
            f"epoch {params.cur_epoch_num}/{self._epochs}",
            total=params.get("batch_num"),
            loss="",
        )

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Fill the bar."""
        loss = loss_of(run_context.original_args().net_outputs)
        result = f"loss {loss:.4g}" if isinstance(loss, float) else ""
        self._bar.update(self._task, advance=1, loss=result)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Leave the full bar standing."""
        self._close()

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Nothing: an evaluation has no bar."""
