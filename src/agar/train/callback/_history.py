"""History."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor
from agar.train.callback._callback import Callback, RunContext

__all__ = ["History"]


class History(Callback):
    """Keeps the output of the train network and the metrics of each epoch.

    ``epoch`` has the numbers of the epochs of the last run, and ``history`` a list for
    ``net_output``, the mean of the first output in the last step of an epoch, and one for each
    metric of :meth:`agar.Model.fit`; further trainings append to it.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> net = nn.Dense(2, 1, "ones", "zeros")
        >>> model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.0))
        >>> history = ms.train.History()
        >>> model.train(2, [(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]]))], callbacks=history)
        >>> history.epoch, [float(v) for v in history.history["net_output"]]
        ({'epoch': [1, 2]}, [9.0, 9.0])
    """

    def __init__(self) -> None:
        super().__init__()
        self.epoch: dict[str, list[int]] = {"epoch": []}
        self.history: dict[str, list[Any]] = {}

    _state_names = ("epoch", "history")

    def begin(self, run_context: RunContext) -> None:
        """Start a list of epochs.

        Args:
            run_context (RunContext): the run.
        """
        self.epoch = {"epoch": []}

    def epoch_end(self, run_context: RunContext) -> None:
        """Keep the values of the epoch.

        Args:
            run_context (RunContext): the run.
        """
        params = run_context.original_args()
        self.epoch["epoch"].append(params.get("cur_epoch_num", 1))
        output = params.get("net_outputs")
        if isinstance(output, (tuple, list)) and output and isinstance(output[0], Tensor):
            output = output[0]
        if isinstance(output, Tensor):
            output = output.asnumpy().mean()
        self.history.setdefault("net_output", []).append(output)
        for name, value in (params.get("metrics") or {}).items():
            self.history.setdefault(name, []).append(value)
