"""History."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor
from agar.train.callback._callback import Callback, RunContext

__all__ = ["History"]


class History(Callback):
    """Keeps the output of the train network and the metrics of each epoch.

    After a training, ``epoch`` has the numbers of the epochs and ``history`` a list for
    ``net_output`` (of an epoch's last step) and for each metric.

    Difference from PyTorch: no counterpart.

    Source: behaviour observed in MindSpore 2.10.

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

    _kept = ("epoch", "history")

    def begin(self, run_context: RunContext) -> None:
        """Nothing: evaluations do not count."""

    def on_train_begin(self, run_context: RunContext) -> None:
        """Forget an earlier training."""
        self.epoch = {"epoch": []}
        self.history = {}

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Keep the values of the epoch."""
        params = run_context.original_args()
        self.epoch["epoch"].append(params.get("cur_epoch_num", 1))
        outputs = params.get("net_outputs")
        if isinstance(outputs, (tuple, list)):
            shown: Any = [v.asnumpy().copy() if isinstance(v, Tensor) else v for v in outputs]
        else:
            shown = outputs.asnumpy().copy() if isinstance(outputs, Tensor) else outputs
            shown = shown[()] if isinstance(outputs, Tensor) and shown.ndim == 0 else shown
        self.history.setdefault("net_output", []).append(shown)
        for name, value in (params.get("eval_results") or {}).items():
            self.history.setdefault(name, []).append(value)
