"""Host functions: numpy code inside a network that keeps its gradient."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

# Recordings hand over torch's tensors.
import torch

from agar._core import autodiff
from agar._core.autodiff import map_tensors
from agar._core.errors import describe
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap

__all__ = ["numpy_function"]


class _HostCall:
    """A numpy function in the shape of a cell with ``bprop``, for `autodiff.call_with_bprop`."""

    def __init__(self, fn: Callable[..., Any], vjp: Callable[..., Any] | None) -> None:
        self.fn = fn
        self.vjp = vjp

    def run(self, *args: Any, **kwargs: Any) -> Any:
        if thread.recorder is not None:
            return self._recorded(functools.partial(_over_raw, self.fn, kwargs), args)
        return _to_tensors(self.fn(*_arrays(args), **kwargs), self.fn)

    def _recorded(self, call: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """One node of a recording: the function runs again at every replay."""
        raw = map_tensors(args, lambda t: t._value)
        monitor = getattr(thread.recorder, "monitor", None)
        if monitor is not None:
            monitor.host()
        result = thread.recorder.host(call, raw, _name(self.fn), "auto")
        if isinstance(result, (tuple, list)):
            return type(result)(None if v is None else wrap(v) for v in result)
        return wrap(result)

    def bprop(self, *args: Any) -> Any:
        *inputs, out, dout = args
        if self.vjp is None:
            return (None,) * len(inputs)
        if thread.recorder is not None:
            result = self._recorded(
                functools.partial(_over_raw, self.vjp, {}), (*inputs, out, dout)
            )
            return result if isinstance(result, (tuple, list)) else (result,)
        result = self.vjp(*_arrays((*inputs, out, dout)))
        result = result if isinstance(result, (tuple, list)) else (result,)
        if len(result) != len(inputs):
            raise RuntimeError(
                f"For 'numpy_function', the vjp of {_name(self.fn)} must return one gradient for "
                f"each of the {len(inputs)} inputs (None for zeros), but returned {len(result)}."
            )
        return tuple(None if g is None else _to_tensors(np.asarray(g), self.vjp) for g in result)


def _arrays(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return map_tensors(args, lambda t: t.asnumpy())


def _over_raw(fn: Callable[..., Any], kwargs: dict[str, Any], *raw: Any) -> Any:
    """`fn` as a recording calls it: torch tensors come, torch tensors go."""

    def array(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return wrap(value).asnumpy()
        if isinstance(value, (tuple, list)):
            return type(value)(array(v) for v in value)
        return value

    result = fn(*array(raw), **kwargs)
    if isinstance(result, (tuple, list)):
        return type(result)(None if v is None else _to_tensors(v, fn)._value for v in result)
    return _to_tensors(np.asarray(result), fn)._value


def _name(fn: Callable[..., Any]) -> str:
    return getattr(fn, "__name__", type(fn).__name__)


def _to_tensors(value: Any, fn: Callable[..., Any]) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return Tensor(value)
    if isinstance(value, (tuple, list)):
        return type(value)(_to_tensors(v, fn) for v in value)
    if isinstance(value, Tensor):
        raise TypeError(
            f"For 'numpy_function', {_name(fn)} gets numpy arrays and must return numpy arrays, "
            "but returned a Tensor; compute with numpy in it, or call it directly."
        )
    return value


def numpy_function(
    fn: Callable[..., Any] | None = None, *, vjp: Callable[..., Any] | None = None
) -> Callable[..., Any]:
    """A numpy function for use inside networks, with its gradient.

    Tensors arrive in `fn` as numpy arrays, and the arrays that it returns become Tensors. Without
    `vjp` the result is a constant for gradients.

    Args:
        fn (Callable): takes and returns numpy arrays (a tuple for several). Without it the call
            makes a decorator. Default: None.
        vjp (Callable): ``vjp(*inputs, out, dout)`` with numpy arrays; returns one gradient per
            input, None for zeros. Default: None.

    Returns:
        Function over Tensors.

    Raises:
        TypeError: `fn` or `vjp` cannot be called; `fn` returns a Tensor.
        RuntimeError: `vjp` returns a wrong number of gradients.

    Difference from PyTorch: a ``torch.autograd.Function`` in two plain functions.

    Source: agar's own; lifts MindSpore's limit that numpy cuts gradients.

    Examples:
        >>> import agar as ms, numpy as np
        >>> sine = ms.numpy_function(np.sin, vjp=lambda x, out, dout: dout * np.cos(x))
        >>> print(ms.grad(lambda x: sine(x) * 2)(ms.Tensor([0.0])))
        [2.]
    """
    for label, value in (("fn", fn), ("vjp", vjp)):
        if value is not None and not callable(value):
            raise TypeError(
                f"For 'numpy_function', '{label}' must be a function, but got {describe(value)}."
            )
    if fn is None:
        return lambda function: numpy_function(function, vjp=vjp)
    host = _HostCall(fn, vjp)

    def call(*args: Any, **kwargs: Any) -> Any:
        return autodiff.call_with_bprop(host, args, kwargs, host.run)

    call.__name__ = call.__qualname__ = _name(fn)
    call.__doc__ = fn.__doc__
    return call
