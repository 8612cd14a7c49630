"""FlopsUtilizationCollector."""

from __future__ import annotations

import time
from typing import Any

from agar._core.errors import describe, missing_feature
from agar.communication.management import get_group_size
from agar.ops._checks import boolean, integer
from agar.train.callback._callback import Callback, RunContext

__all__ = ["FlopsUtilizationCollector"]


class FlopsUtilizationCollector(Callback):
    """Prints how many operations a step takes, and which share of the device's peak that is.

    The first step is counted: products of matrices, convolutions and attention, forward and
    backward, with a factor of two for a multiplication and its addition. Later steps are taken to
    do the same.

    Args:
        data_size (int): how many steps come between two lines.
        computility (float): the operations per second that the device can do. Default: ``1``.
        full_flops (bool): whether the numbers are those of the whole model; in a program of several
            processes only False is available, the numbers of this process. Default: ``True``.
        enable_ma_collector (bool): must be False: files for a cloud are not written.
            Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `data_size` or `computility` is not positive.
        NotImplementedError: `enable_ma_collector` is True, or `full_flops` with several processes.

    Difference from PyTorch: ``torch.utils.flop_counter.FlopCounterMode``, which counts.

    Source: behavior observed in MindSpore 2.10, in every mode here.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.Dense(10, 5)
        >>> rows = [(ms.ops.ones((32, 10)), ms.ops.zeros((32, 5)))]
        >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
        >>> collector = ms.train.FlopsUtilizationCollector(2, computility=1e12)
        >>> model.train(1, rows, callbacks=[collector])
        Full model flops is 6400, Full hardware flops is 6400, Shard model flops is 6400, \
Shard hardware flops is 6400.
    """

    _state_names = ()  # it holds times of a clock that begins with the process

    def __init__(
        self,
        data_size: int,
        computility: float = 1,
        full_flops: bool = True,
        enable_ma_collector: bool = False,
    ) -> None:
        super().__init__()
        op_name = "FlopsUtilizationCollector"
        self.data_size = integer(op_name, "data_size", data_size, 1)
        if isinstance(computility, bool) or not isinstance(computility, (int, float)):
            raise TypeError(
                f"For '{op_name}', 'computility' must be a number, but got {describe(computility)}."
            )
        if computility <= 0:
            raise ValueError(
                f"For '{op_name}', 'computility' must be positive, but got {computility}."
            )
        self.computility = computility
        self.full_flops = boolean(op_name, "full_flops", full_flops)
        if boolean(op_name, "enable_ma_collector", enable_ma_collector):
            raise missing_feature(
                f"'train.{op_name}' with enable_ma_collector",
                "its files are for Huawei's cloud",
                "leave it out, and read what is printed",
            )
        #: the operations of a step, None before the first
        self.flops: int | None = None
        self._counter: Any = None
        self._start = 0.0

    def step_begin(self, run_context: RunContext) -> None:
        """Note the time, and count the operations of the first step.

        Args:
            run_context (RunContext): the run.
        """
        if self.flops is None:
            if self.full_flops and get_group_size() > 1:
                raise missing_feature(
                    "'train.FlopsUtilizationCollector' with full_flops and several processes",
                    "each process counts its own operations",
                    "pass full_flops=False",
                )
            # counts what PyTorch's operators compute; loading it costs time
            from torch.utils.flop_counter import FlopCounterMode

            self._counter = FlopCounterMode(display=False)
            self._counter.__enter__()
        self._start = time.perf_counter()

    def step_end(self, run_context: RunContext) -> None:
        """Print the operations after the first step, and shares of the peak after the others.

        Args:
            run_context (RunContext): the run.
        """
        seconds = time.perf_counter() - self._start
        if self._counter is not None:
            self._stop()
            flops = self.flops
            both = f"Shard model flops is {flops}, Shard hardware flops is {flops}."
            full = f"Full model flops is {flops}, Full hardware flops is {flops}, "
            print(full + both if self.full_flops else both, flush=True)
        params: Any = run_context.original_args()
        if params.cur_step_num % self.data_size == 0:
            share = f"{100 * (self.flops or 0) / seconds / self.computility:.2f}%"
            print(
                f"{params.mode.title()} per step time: {1000 * seconds:5.3f} ms, mfu:{share} "
                f"hfu:{share}",
                flush=True,
            )

    def _stop(self) -> None:
        counter, self._counter = self._counter, None
        if counter is not None:
            counter.__exit__(None, None, None)
            self.flops = counter.get_total_flops()

    def __exit__(self, *error: Any) -> None:
        self._stop()  # a step may have raised
