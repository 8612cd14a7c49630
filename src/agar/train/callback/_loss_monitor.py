"""LossMonitor."""

from __future__ import annotations

import math

from agar.ops._checks import integer
from agar.train.callback._callback import Callback, RunContext, loss_of, step_in_epoch

__all__ = ["LossMonitor"]


class LossMonitor(Callback):
    """Prints the loss, and stops a training whose loss is not a finite number.

    Args:
        per_print_times (int): steps between prints; 0 for none. Default: ``1``.

    Raises:
        TypeError: it is not an int.
        ValueError: it is negative; or, while training, the loss is infinite or not a number.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.Dense(2, 1, "ones", "zeros")
        >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.0))
        >>> data = [(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))]
        >>> model.train(2, data, callbacks=ms.train.LossMonitor())
        epoch: 1 step: 1, loss is 9.0
        epoch: 2 step: 1, loss is 9.0
    """

    def __init__(self, per_print_times: int = 1) -> None:
        super().__init__()
        self._per_print_times = integer("LossMonitor", "per_print_times", per_print_times, 0)
        self._last_print_time = 0

    _state_names = ("_last_print_time",)

    def step_end(self, run_context: RunContext) -> None:
        """Print the loss if it is time.

        Args:
            run_context (RunContext): the run.

        Raises:
            ValueError: the loss is infinite or not a number.
        """
        params = run_context.original_args()
        now = params.cur_step_num
        loss = loss_of(params.net_outputs)
        epoch, step = params.get("cur_epoch_num", 1), step_in_epoch(params)
        # beside the flag of a loss scale the loss may overflow: that step is left out, no more
        if isinstance(loss, float) and not math.isfinite(loss):
            raise ValueError(
                f"In epoch: {epoch} step: {step}, loss is NAN or INF, training process cannot "
                "continue, terminating training."
            )
        every = self._per_print_times
        if every and now <= self._last_print_time:  # steps are counted anew
            self._last_print_time -= ((self._last_print_time - now) // every + 1) * every
        if every and now - self._last_print_time >= every:
            self._last_print_time = now
            print(f"epoch: {epoch} step: {step}, loss is {loss!s}", flush=True)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Print the metrics of an evaluation between epochs.

        Args:
            run_context (RunContext): the run.
        """
        params = run_context.original_args()
        metrics = params.get("metrics")
        if metrics:
            epoch = params.cur_epoch_num
            print(f"Eval result: epoch {epoch}, metrics: {metrics}", flush=True)
