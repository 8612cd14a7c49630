"""What callbacks are made of: the base class, the context of a run, and their manager."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Any

from agar._core.errors import describe
from agar._core.tensor import Tensor

__all__ = [
    "Callback",
    "CallbackManager",
    "InternalCallbackParam",
    "RunContext",
    "loss_of",
    "step_in_epoch",
]

_EVENTS = tuple(
    f"on_{mode}_{event}"
    for mode in ("train", "eval")
    for event in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end")
)


class InternalCallbackParam(dict):
    """What callbacks may read and write, as attributes: a dictionary.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.train.callback import InternalCallbackParam
        >>> params = InternalCallbackParam()
        >>> params.cur_epoch_num = 3
        >>> params["cur_epoch_num"], params.get("other")
        (3, None)
    """

    def __getattr__(self, name: str) -> Any:
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class RunContext:
    """What a callback gets: the parameters of the run, and a way to stop it.

    Args:
        original_args (dict): the parameters.

    Raises:
        TypeError: it is not a dict.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.train import RunContext
        >>> context = RunContext({"epoch_num": 2})
        >>> context.request_stop()
        >>> context.get_stop_requested()
        True
    """

    def __init__(self, original_args: dict[str, Any]) -> None:
        if not isinstance(original_args, dict):
            raise TypeError(
                "The argument 'original_args' of RunContext should be dict type, but got "
                f"{type(original_args).__name__}."
            )
        self._original_args = original_args
        self._stop_requested = False

    def original_args(self) -> Any:
        """The parameters of the run."""
        return self._original_args

    def request_stop(self) -> None:
        """Request that the run ends after this step."""
        self._stop_requested = True

    def get_stop_requested(self) -> bool:
        """Whether the end was requested."""
        return self._stop_requested


class Callback:
    """The base of callbacks: methods that Model calls while it trains and evaluates.

    A subclass overrides ``on_train_begin``, ``on_train_epoch_begin``, ``on_train_step_begin``,
    ``on_train_step_end``, ``on_train_epoch_end``, ``on_train_end`` and the same with ``on_eval_``;
    or the older ``begin``, ``epoch_begin``, ``step_begin``, ``step_end``, ``epoch_end``, ``end``,
    which stand for both. A callback is a context: it is entered before the run and left after it,
    whatever happens.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.train import Callback
        >>> class StopSoon(Callback):
        ...     def on_train_step_end(self, run_context):
        ...         if run_context.original_args().cur_step_num >= 10:
        ...             run_context.request_stop()
    """

    #: names of the attributes that `state_dict` gives; None for all that can be kept
    _state_names: tuple[str, ...] | None = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: Any) -> None:
        return None

    def state_dict(self) -> dict[str, Any]:
        """What :class:`agar.train.Resume` keeps of this callback.

        Returns:
            dict: here, all attributes that are numbers, texts, arrays, Tensors, or lists, tuples
            and dictionaries of them.
        """
        from agar.train.resume import _is_plain  # only trainings that are kept need it

        mine = vars(self)
        names = (
            [n for n, v in mine.items() if _is_plain(v)]
            if self._state_names is None
            else self._state_names
        )
        return {name: mine[name] for name in names}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Take back what :meth:`state_dict` gave.

        Args:
            state (dict): the state.
        """
        vars(self).update(state)

    def begin(self, run_context: RunContext) -> None:
        """Before a run.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """

    def epoch_begin(self, run_context: RunContext) -> None:
        """Before an epoch.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """

    def step_begin(self, run_context: RunContext) -> None:
        """Before a step.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """

    def step_end(self, run_context: RunContext) -> None:
        """After a step.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """

    def epoch_end(self, run_context: RunContext) -> None:
        """After an epoch.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """

    def end(self, run_context: RunContext) -> None:
        """After a run.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """

    def on_train_begin(self, run_context: RunContext) -> None:
        """Before training.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        """Before an epoch of training.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """
        self.epoch_begin(run_context)

    def on_train_step_begin(self, run_context: RunContext) -> None:
        """Before a step of training.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """
        self.step_begin(run_context)

    def on_train_step_end(self, run_context: RunContext) -> None:
        """After a step of training.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """
        self.step_end(run_context)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """After an epoch of training.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """
        self.epoch_end(run_context)

    def on_train_end(self, run_context: RunContext) -> None:
        """After training.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """
        self.end(run_context)

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Before an evaluation.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context: RunContext) -> None:
        """Before the pass of an evaluation.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """
        self.epoch_begin(run_context)

    def on_eval_step_begin(self, run_context: RunContext) -> None:
        """Before a step of an evaluation.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """After a step of an evaluation.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """
        self.step_end(run_context)

    def on_eval_epoch_end(self, run_context: RunContext) -> None:
        """After the pass of an evaluation.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """
        self.epoch_end(run_context)

    def on_eval_end(self, run_context: RunContext) -> None:
        """After an evaluation.

        Args:
            run_context (RunContext): gives the values of the run (`original_args`) and ends it
                (`request_stop`).
        """
        self.end(run_context)


class CallbackManager:
    """Several callbacks as one: entered and left together, called in their order."""

    def __init__(self, callbacks: Any) -> None:
        if callbacks is None:
            callbacks = []
        elif isinstance(callbacks, Callback):
            callbacks = [callbacks]
        if not isinstance(callbacks, (list, tuple)) or not all(
            isinstance(c, Callback) for c in callbacks
        ):
            raise TypeError(
                "The 'callbacks' must be a Callback or a list of Callbacks, but got "
                f"{describe(callbacks)}."
            )
        self.callbacks = list(callbacks)
        self._stack = ExitStack()

    def __enter__(self) -> CallbackManager:
        self._stack.__enter__()
        # what __enter__ returns takes the callback's place, as in a with statement
        self.callbacks = [self._stack.enter_context(c) or c for c in self.callbacks]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return self._stack.__exit__(kind, error, trace)

    def __getattr__(self, name: str) -> Any:
        if name not in _EVENTS:
            raise AttributeError(name)

        def call(run_context: RunContext) -> None:
            for callback in self.callbacks:
                getattr(callback, name)(run_context)

        return call


def loss_of(outputs: Any) -> Any:
    """The loss among the outputs of a train network, the first of several, as a number."""
    if isinstance(outputs, Tensor):
        return float(outputs.asnumpy().mean())
    if isinstance(outputs, (tuple, list)) and outputs and isinstance(outputs[0], Tensor):
        return outputs[0].asnumpy().mean()
    return outputs


def step_in_epoch(params: Any) -> int:
    """The number of a step in its epoch, as it is printed and as names of files have it."""
    counted = params.get("cur_step_in_epoch")
    # a loop of one's own counts steps only; with a sink size MindSpore counts by that
    if counted is None or params.get("sink_size"):
        return (params.cur_step_num - 1) % params.batch_num + 1
    return counted


def set_cur_net(net: Any) -> None:
    """Accepted: MindSpore's graphs save checkpoints by the network set here."""


# MindSpore's own name of `loss_of`
_handle_loss = loss_of
