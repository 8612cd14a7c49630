"""LambdaCallback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agar._core.errors import describe
from agar.train.callback._callback import Callback, RunContext

__all__ = ["LambdaCallback"]

Hook = Callable[[RunContext], Any]


class LambdaCallback(Callback):
    """A callback made of functions.

    Args:
        on_train_epoch_begin (Callable): takes the RunContext; likewise the others.
            Default: ``None``.
        on_train_epoch_end (Callable): after an epoch of training. Default: ``None``.
        on_train_step_begin (Callable): before a step of training. Default: ``None``.
        on_train_step_end (Callable): after a step of training. Default: ``None``.
        on_train_begin (Callable): before training. Default: ``None``.
        on_train_end (Callable): after training. Default: ``None``.
        on_eval_epoch_begin (Callable): before the pass of an evaluation. Default: ``None``.
        on_eval_epoch_end (Callable): after the pass of an evaluation. Default: ``None``.
        on_eval_step_begin (Callable): before a step of an evaluation. Default: ``None``.
        on_eval_step_end (Callable): after a step of an evaluation. Default: ``None``.
        on_eval_begin (Callable): before an evaluation. Default: ``None``.
        on_eval_end (Callable): after an evaluation. Default: ``None``.

    Raises:
        TypeError: one of them cannot be called.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> say = ms.train.LambdaCallback(on_train_end=lambda context: print("done"))
    """

    _state_names = ()

    def __init__(
        self,
        on_train_epoch_begin: Hook | None = None,
        on_train_epoch_end: Hook | None = None,
        on_train_step_begin: Hook | None = None,
        on_train_step_end: Hook | None = None,
        on_train_begin: Hook | None = None,
        on_train_end: Hook | None = None,
        on_eval_epoch_begin: Hook | None = None,
        on_eval_epoch_end: Hook | None = None,
        on_eval_step_begin: Hook | None = None,
        on_eval_step_end: Hook | None = None,
        on_eval_begin: Hook | None = None,
        on_eval_end: Hook | None = None,
    ) -> None:
        super().__init__()
        given = {name: hook for name, hook in locals().items() if name.startswith("on_")}
        for name, hook in given.items():
            if hook is None:
                continue
            if not callable(hook):
                raise TypeError(
                    f"For 'LambdaCallback', '{name}' must be a function, but got {describe(hook)}."
                )
            setattr(self, name, hook)
