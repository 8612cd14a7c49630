"""ReduceLROnPlateau."""

from __future__ import annotations

from typing import Any

from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.nn import _checks as check
from agar.ops._checks import integer
from agar.train.callback._callback import RunContext
from agar.train.callback._monitored import Monitored

__all__ = ["ReduceLROnPlateau", "constant_rates"]


def constant_rates(owner: str, optimizer: Any) -> list[Parameter]:
    """The learning rates of an optimizer as Parameters that a callback may change.

    Raises:
        ValueError: there is no optimizer, or its rate changes by itself.
    """
    rates = getattr(optimizer, "learning_rate", None)
    listed: list[Any] = list(rates) if isinstance(rates, tuple) else [rates]
    if optimizer is None or not all(isinstance(r, Parameter) for r in listed):
        raise ValueError(
            f"For '{owner}', the optimizer must have a constant learning rate, which the callback "
            f"changes, but got {'no optimizer' if optimizer is None else type(rates).__name__}."
        )
    return list({id(r): r for r in listed}.values())


class ReduceLROnPlateau(Monitored):
    """Lowers the learning rate when a value no longer improves.

    Args:
        monitor (str): the value: ``"loss"`` of training, or with :meth:`agar.Model.fit` the name
            of a metric, ``"eval_loss"`` for its loss. Default: ``"eval_loss"``.
        factor (float): the factor of each reduction, in (0, 1). Default: ``0.1``.
        patience (int): how many epochs to wait for an improvement. Default: ``10``.
        verbose (bool): whether a message is printed at a change. Default: ``False``.
        mode (str): ``"min"`` if the value should fall, ``"max"`` if it should rise, ``"auto"`` to
            decide by its name. Default: ``"auto"``.
        min_delta (float): the smallest change that counts as an improvement. Default: ``1e-4``.
        cooldown (int): epochs after a reduction during which epochs are not counted. Default:
            ``0``.
        min_lr (float): the lowest rate. Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.optim.lr_scheduler.ReduceLROnPlateau`` is passed the value.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> reduce = ms.train.ReduceLROnPlateau(monitor="loss", factor=0.5, patience=2)
    """

    def __init__(
        self,
        monitor: str = "eval_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ) -> None:
        super().__init__(monitor, min_delta, patience, verbose, mode)
        owner = "ReduceLROnPlateau"
        self.factor = check.open_unit(owner, "factor", factor)
        self.cooldown = integer(owner, "cooldown", cooldown, 0)
        self.min_lr = check.number(owner, "min_lr", min_lr)
        self.cooldown_counter = 0

    _state_names = ("wait", "best", "cooldown_counter")

    def on_train_begin(self, run_context: RunContext) -> None:
        """Reset the state of an earlier training.

        Args:
            run_context (RunContext): the run.
        """
        self._forget()
        self.cooldown_counter = 0

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Compare the value with the best one.

        Args:
            run_context (RunContext): the run.
        """
        params = run_context.original_args()
        value = self._value(params)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.is_improvement(value, self.best):
            self.best = value
            self.wait = 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(params)

    def _reduce(self, params: Any) -> None:
        self.cooldown_counter = self.cooldown
        self.wait = 0
        for rate in constant_rates("ReduceLROnPlateau", params.get("optimizer")):
            old = rate.asnumpy()[()]
            least = old.dtype.type(self.min_lr)
            if old <= least:
                continue
            new = max(old * old.dtype.type(self.factor), least)
            rate.set_data(Tensor(new))
            if self.verbose:
                print(
                    f"Epoch {params.cur_epoch_num:05d}: ReduceLROnPlateau reducing learning rate "
                    f"to {new!s}.",
                    flush=True,
                )
