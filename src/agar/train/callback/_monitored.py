"""What EarlyStopping and ReduceLROnPlateau share: a value that should fall, or rise."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from agar.nn import _checks as check
from agar.ops._checks import boolean, integer
from agar.train.callback._callback import Callback, loss_of

__all__ = ["Monitored"]

# Values that get better as they fall, for mode "auto"; others get better as they grow.
_FALLING = (
    "hausdorff_distance",
    "mae",
    "mse",
    "loss",
    "perplexity",
    "mean_surface_distance",
    "root_mean_square_distance",
    "eval_loss",
)


class Monitored(Callback):
    """A callback that watches one value from epoch to epoch."""

    def __init__(
        self, monitor: str, min_delta: float, patience: int, verbose: bool, mode: str
    ) -> None:
        super().__init__()
        owner = type(self).__name__
        if not isinstance(monitor, str):
            raise TypeError(
                f"For '{owner}', the type of 'monitor' should be 'str', but got "
                f"{type(monitor).__name__}."
            )
        if not isinstance(mode, str):
            raise TypeError(
                f"For '{owner}', the type of 'mode' should be 'str', but got {type(mode).__name__}."
            )
        if mode not in ("auto", "min", "max"):
            raise ValueError(
                f"For '{owner}', mode should be 'auto', 'min' or 'max', but got {mode}."
            )
        self.monitor = monitor
        self.min_delta = abs(check.number(owner, "min_delta", min_delta))
        self.patience = integer(owner, "patience", patience, 0)
        self.verbose = boolean(owner, "verbose", verbose)
        self.mode = mode
        self._forget()

    @property
    def _sign(self) -> float:
        grows = self.mode == "max" or (self.mode == "auto" and self.monitor not in _FALLING)
        return 1.0 if grows else -1.0

    def _forget(self) -> None:
        self.wait = 0
        self.best = -self._sign * math.inf

    def is_improvement(self, a: float, b: float) -> bool:
        """Whether a value is better than another one by more than `min_delta`.

        Args:
            a (float): the value.
            b (float): the other one.

        Returns:
            bool.
        """
        return self._sign * (a - b) > self.min_delta

    def _value(self, params: Any) -> float | None:
        """The watched value in this epoch; None, with a warning, if there is none."""
        results = params.get("eval_results") or {}
        if self.monitor in results:
            entry = results[self.monitor]
        elif self.monitor == "loss":
            entry = loss_of(params.get("net_outputs"))
        else:
            entry = None
        if entry is None:
            known = ["loss", *results]
            warnings.warn(
                f"{type(self).__name__} watches '{self.monitor}', which this epoch does not have; "
                f"it has {known}. Metrics are computed by Model.fit with a validation set.",
                stacklevel=2,
            )
            return None
        return float(np.mean(np.asarray(entry)))
