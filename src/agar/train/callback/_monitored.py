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
        self._monitor = monitor
        self._min_delta = abs(check.number(owner, "min_delta", min_delta))
        self._patience = integer(owner, "patience", patience, 0)
        self._verbose = boolean(owner, "verbose", verbose)
        grows = mode == "max" or (mode == "auto" and monitor not in _FALLING)
        self._sign = 1.0 if grows else -1.0
        self._forget()

    def _forget(self) -> None:
        self.wait = 0
        self.best = -self._sign * math.inf

    def _improves(self, value: float, reference: float) -> bool:
        return self._sign * (value - reference) > self._min_delta

    def _value(self, params: Any) -> float | None:
        """The watched value in this epoch; None, with a warning, if there is none."""
        results = params.get("eval_results") or {}
        if self._monitor in results:
            found = results[self._monitor]
        elif self._monitor == "loss":
            found = loss_of(params.get("net_outputs"))
        else:
            found = None
        if found is None:
            known = ["loss", *results]
            warnings.warn(
                f"{type(self).__name__} watches '{self._monitor}', which this epoch does not have; "
                f"it has {known}. Metrics are computed by Model.fit with a validation set.",
                stacklevel=2,
            )
            return None
        return float(np.mean(np.asarray(found)))
