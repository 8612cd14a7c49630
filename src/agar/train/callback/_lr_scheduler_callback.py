"""LearningRateScheduler."""

from __future__ import annotations

from collections.abc import Callable

from agar._core.errors import describe
from agar._core.tensor import Tensor
from agar.train.callback._callback import Callback, RunContext
from agar.train.callback._reduce_lr_on_plateau import constant_rates

__all__ = ["LearningRateScheduler"]


class LearningRateScheduler(Callback):
    """Sets the learning rate after each step.

    Args:
        learning_rate_function (Callable): takes the rate and the number of steps made, and gives
            the new rate.

    Raises:
        TypeError: it cannot be called.
        ValueError: the optimizer's rate changes by itself.

    Difference from PyTorch: ``torch.optim.lr_scheduler.LambdaLR`` takes a factor of the first
    rate.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> halve = ms.train.LearningRateScheduler(lambda lr, step: lr * 0.5)
    """

    _state_names = ()

    def __init__(self, learning_rate_function: Callable[[float, int], float]) -> None:
        super().__init__()
        if not callable(learning_rate_function):
            raise TypeError(
                "For 'LearningRateScheduler', the 'learning_rate_function' must be a function, but "
                f"got {describe(learning_rate_function)}."
            )
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context: RunContext) -> None:
        """Set the rate.

        Args:
            run_context (RunContext): the run.
        """
        params = run_context.original_args()
        for rate in constant_rates("LearningRateScheduler", params.get("optimizer")):
            # the shortest number that the float32 stands for, as people write it
            old = float(str(rate.asnumpy()))
            new = self.learning_rate_function(old, params.cur_step_num)
            if new != old:
                rate.set_data(Tensor(float(new)))
