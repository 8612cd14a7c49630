"""EarlyStopping."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.nn import _checks as check
from agar.ops._checks import boolean
from agar.train.callback._callback import RunContext
from agar.train.callback._monitored import Monitored

__all__ = ["EarlyStopping"]


class EarlyStopping(Monitored):
    """Stops the training when a value no longer improves.

    Args:
        monitor (str): the value: ``"loss"`` of training, or with :meth:`agar.Model.fit` the name
            of a metric, ``"eval_loss"`` for its loss. Default: ``"eval_loss"``.
        min_delta (float): the smallest change that counts as an improvement. Default: ``0``.
        patience (int): how many epochs to wait for an improvement. Default: ``0``.
        verbose (bool): whether a message is printed at the end. Default: ``False``.
        mode (str): ``"min"`` if the value should fall, ``"max"`` if it should rise, ``"auto"`` to
            decide by its name. Default: ``"auto"``.
        baseline (float): a value that must be beaten for an improvement to count.
            Default: ``None``.
        restore_best_weights (bool): whether the parameters of the best epoch are restored. Default:
            ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `mode` is unknown or `patience` negative.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10; with patience 0 it ends every training after one
    epoch there, here at the first epoch without improvement.

    Examples:
        >>> import agar as ms
        >>> stop = ms.train.EarlyStopping(monitor="acc", patience=3)
    """

    def __init__(
        self,
        monitor: str = "eval_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: bool = False,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
    ) -> None:
        super().__init__(monitor, min_delta, patience, verbose, mode)
        if baseline is not None:
            check.number("EarlyStopping", "baseline", baseline)
        self.baseline = baseline
        self.restore_best_weights = boolean(
            "EarlyStopping", "restore_best_weights", restore_best_weights
        )
        self.stopped_epoch = 0
        self._best_weights: dict[str, Tensor] = {}

    _state_names = ("wait", "best", "stopped_epoch", "_best_weights")

    @property
    def best_weights_param_dict(self) -> dict[str, Parameter] | None:
        """The weights of the best epoch by their names, or None before there are any."""
        best = self._best_weights
        return {n: Parameter(value, name=n) for n, value in best.items()} if best else None

    @best_weights_param_dict.setter
    def best_weights_param_dict(self, value: dict[str, Tensor] | None) -> None:
        self._best_weights = {name: Tensor(weight) for name, weight in (value or {}).items()}

    def on_train_begin(self, run_context: RunContext) -> None:
        """Reset the state of an earlier training.

        Args:
            run_context (RunContext): the run.
        """
        self._forget()
        self.stopped_epoch = 0
        self._best_weights = {}

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Compare the value with the best one.

        Args:
            run_context (RunContext): the run.
        """
        params = run_context.original_args()
        value = self._value(params)
        if value is None:
            return
        self.wait += 1
        if self.is_improvement(value, self.best):
            self.best = value
            if self.baseline is None or self.is_improvement(value, self.baseline):
                self.wait = 0
            if self.restore_best_weights:
                self._best_weights = {p.name: p.value().copy() for p in _weights(params)}
        if self.wait >= max(self.patience, 1):
            self.stopped_epoch = params.cur_epoch_num
            run_context.request_stop()
            if self._best_weights:
                if self.verbose:
                    print("Restoring model weights from the end of the best epoch.", flush=True)
                for p in _weights(params):
                    p.set_data(self._best_weights[p.name])

    def on_train_end(self, run_context: RunContext) -> None:
        """Print in which epoch the training ended.

        Args:
            run_context (RunContext): the run.
        """
        if self.stopped_epoch and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping", flush=True)


def _weights(params: Any) -> Iterable[Parameter]:
    return (params.get("train_network") or params.network).get_parameters()
