"""What stands for tensors and functions of the host while Python runs over symbolic sizes."""

from __future__ import annotations

import functools
import logging
import math
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import torch

from agar._core import random
from agar._core.graph.guard.dynamic import Site
from agar._core.graph.record.recorder import user_site
from agar._core.random import draws as random_draws
from agar._core.random import index_draws
from agar._core.runtime import thread

__all__ = ["STAND_INS", "Opaque", "SitedGuards", "Spread", "engine_of", "patches"]


# --------------------------------------------------------------------- functions of the host

_BY_SHAPE: dict[Any, torch.dtype] = {
    random_draws.uniform_real: torch.float32,
    random_draws.uniform_int: torch.int32,
    random_draws.standard_normal: torch.float32,
    random_draws.standard_laplace: torch.float32,
    random_draws.cauchy: torch.float32,
    random_draws.bernoulli: torch.float32,
}


def _stand_in_for_draw(rule: Any, where: torch.device, *args: Any) -> Any:
    dtype = _BY_SHAPE.get(rule)
    shape: Any = args[0] if args else ()
    if rule is random_draws.truncated_normal:
        kind = args[4] if len(args) > 4 else np.float32
        dtype = torch.from_numpy(np.empty(0, kind)).dtype
    elif rule is random_draws.gamma or rule is random_draws.poisson:
        dtype = torch.float64
        shape = (*shape, *np.shape(args[1]))
    elif rule is index_draws.categorical:
        dtype = torch.int64
        shape = (args[0].shape[0], args[1])
    return None if dtype is None else torch.empty(tuple(shape), dtype=dtype, device=where)


def _stand_in_for_dropout(shape: Any, keep_prob: float, engine: Any, device: torch.device) -> Any:
    like = functools.partial(torch.empty, tuple(shape), device=device)
    return like(dtype=torch.bool), like(dtype=torch.float32)


def _stand_in_for_channels(planes: Any, keep_prob: float, engine: Any, device: torch.device) -> Any:
    return torch.empty((math.prod(planes),), dtype=torch.bool, device=device)


def _stand_in_for_packed(
    mode: str, options: Any, axis: int, count: int, *tensors: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    _, x, *states = tensors[: 2 + count]
    width = states[0].shape[-1] * (2 if options[-1] else 1)
    out = torch.empty((x.shape[0], x.shape[1], width), dtype=x.dtype, device=x.device)
    return out, *[torch.empty_like(state) for state in states]


def _stand_in_for_packed_gradient(
    mode: str, options: Any, axis: int, count: int, needed: Any, given: int, *tensors: torch.Tensor
) -> tuple[torch.Tensor, ...]:
    taken = zip(tensors[given:], needed, strict=True)
    return tuple([torch.empty_like(t) for t, need in taken if need])


#: By the name of a host function: tensors without data that look like what it returns, or None.
STAND_INS: dict[str, Callable[..., Any]] = {
    "_draw": _stand_in_for_draw,
    "_keep_and_factors_of": _stand_in_for_dropout,
    "_channel_mask_of": _stand_in_for_channels,
    "packed_forward": _stand_in_for_packed,
    "packed_backward": _stand_in_for_packed_gradient,
    "_rate_at": lambda rates, step: torch.empty((), dtype=rates.dtype, device=rates.device),
}


def _is_symbolic(recorder: Any) -> bool:
    return recorder is not None and recorder.symbolic


class Opaque:
    """Stands for an object that a host function will make; it can only be handed on."""

    def __init__(self, label: str) -> None:
        self._label = label

    def _used(self, *args: Any) -> Any:
        recorder = thread.recorder
        if _is_symbolic(recorder):
            recorder.abort(f"Python looks into what {self._label} returns")
        raise TypeError(f"What {self._label} returns is not known while sizes are symbols.")

    def __getattr__(self, name: str) -> Any:
        return self._used()

    __bool__ = __iter__ = __len__ = __getitem__ = __call__ = __int__ = __float__ = __index__ = _used
    __add__ = __radd__ = __mod__ = __lt__ = __le__ = __gt__ = __ge__ = _used


class Spread:
    """A function whose last arguments are passed by name."""

    __slots__ = ("fn", "names")

    def __init__(self, fn: Callable[..., Any], names: tuple[str, ...]) -> None:
        self.fn = fn
        self.names = names

    def __call__(self, *args: Any) -> Any:
        split = len(args) - len(self.names)
        return self.fn(*args[:split], **dict(zip(self.names, args[split:], strict=True)))


def engine_of(stream: random.Stream, kind: str, signature: Any, start: Any) -> Any:
    """The engine of a stream for a signature that holds sizes (`Stream.engine`)."""
    return stream.engine(kind, signature, start)


# --------------------------------------------------------- what Python does past the dispatcher


def _stream_engine(self: random.Stream, kind: str, signature: Any = (), start: Any = None) -> Any:
    recorder = thread.recorder
    if _is_symbolic(recorder):
        args = (self, kind, signature, start)
        return recorder.host(engine_of, args, "engine", "object")
    return patches.originals[random.Stream, "engine"](self, kind, signature, start)


def _text_of_size(name: str) -> Callable[..., str]:
    def text(self: Any, *args: Any) -> str:
        recorder = thread.recorder
        if _is_symbolic(recorder) and not recorder.busy and not recorder.texted:
            recorder.texted.append(user_site())  # maybe only the text of an error
        return patches.originals[type(self), name](self, *args)

    return text


#: torch reports what its tensors without data cannot do; `Unsupported` says it already.
_loggers = [
    logging.getLogger(name)
    for name in ("torch._subclasses.fake_tensor", "torch.fx.experimental.symbolic_shapes")
]


class _Patches:
    """Replaced methods and silent loggers, while anybody records symbolically."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._own: list[tuple[type, str]] = []
        self._disabled: list[bool] = []
        self.originals: dict[tuple[type, str], Any] = {}

    def __enter__(self) -> None:
        with self._lock:
            self._users += 1
            if self._users > 1:
                return
            others: dict[tuple[type, str], Any] = {(random.Stream, "engine"): _stream_engine}
            for kind in (torch.SymInt, torch.SymFloat):
                for name in ("__repr__", "__str__", "__format__"):
                    others[kind, name] = _text_of_size(name)
            self.originals = {(kind, name): getattr(kind, name) for kind, name in others}
            self._own = [(kind, name) for kind, name in others if name in kind.__dict__]
            for (kind, name), function in others.items():
                setattr(kind, name, function)
            self._disabled = [log.disabled for log in _loggers]
            for log in _loggers:
                log.disabled = True

    def __exit__(self, *exc: Any) -> None:
        with self._lock:
            self._users -= 1
            if self._users:
                return
            for (kind, name), function in self.originals.items():
                if (kind, name) in self._own:
                    setattr(kind, name, function)
                else:
                    delattr(kind, name)
            for log, disabled in zip(_loggers, self._disabled, strict=True):
                log.disabled = disabled


patches = _Patches()


class SitedGuards(list[Any]):
    """ShapeEnv's conditions, with the place in the user's code where each arose."""

    def __init__(self, guards: Iterable[Any]) -> None:
        super().__init__(guards)
        self.sites: list[Site] = [None] * len(self)

    def append(self, guard: Any) -> None:
        super().append(guard)
        self.sites.append(user_site())
