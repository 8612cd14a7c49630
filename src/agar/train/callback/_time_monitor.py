"""TimeMonitor."""

from __future__ import annotations

import time

from agar.ops._checks import boolean, integer
from agar.train.callback._callback import Callback, RunContext

__all__ = ["TimeMonitor"]


class TimeMonitor(Callback):
    """Prints how long epochs and steps take.

    Args:
        data_size (int): steps in an epoch, if the dataset does not know them. Default: ``None``.
        data_time (bool): whether the time that the data of a step take is printed as well.
            Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `data_size` is not positive.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> monitor = ms.train.TimeMonitor(data_time=True)
    """

    def __init__(self, data_size: int | None = None, data_time: bool = False) -> None:
        super().__init__()
        if data_size is not None:
            integer("TimeMonitor", "data_size", data_size, 1)
        self.data_size = data_size
        self.data_time = boolean("TimeMonitor", "data_time", data_time)
        self.epoch_time = self.data_time_start = time.perf_counter()
        self.data_time_sum = 0.0

    _state_names = ()  # it holds times of a clock that begins with the process

    def epoch_begin(self, run_context: RunContext) -> None:
        """Note the time.

        Args:
            run_context (RunContext): the run.
        """
        self.epoch_time = self.data_time_start = time.perf_counter()
        self.data_time_sum = 0.0

    def on_train_step_begin(self, run_context: RunContext) -> None:
        """Count the time since the last step as that of the data.

        Args:
            run_context (RunContext): the run.
        """
        self.data_time_sum += time.perf_counter() - self.data_time_start

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Note the time.

        Args:
            run_context (RunContext): the run.
        """
        self.data_time_start = time.perf_counter()

    def epoch_end(self, run_context: RunContext) -> None:
        """Print the times.

        Args:
            run_context (RunContext): the run.
        """
        params = run_context.original_args()
        spent = (time.perf_counter() - self.epoch_time) * 1000
        steps = params.get("batch_num") or self.data_size or params.get("cur_step_in_epoch") or 1
        text = (
            f"{str(params.get('mode', 'train')).title()} epoch time: {spent:5.3f} ms, per step "
            f"time: {spent / steps:5.3f} ms"
        )
        if self.data_time:
            text += f" (data time: {self.data_time_sum * 1000 / steps:5.3f} ms)"
        print(text, flush=True)
