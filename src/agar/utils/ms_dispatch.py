"""Calls of operators seen by a program."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from agar._core.dispatch_mode import DispatchMode
from agar._core.tensor import wrap

__all__ = ["MsDispatchMode"]


class _Operator:
    """An operator of the engine that works on agar's tensors."""

    def __init__(self, func: Any) -> None:
        self._func = func
        word = str(func).split(".")[1]  # as aten.add.Tensor
        self.name = "".join(part.capitalize() for part in word.strip("_").split("_"))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return wrap(self._func(*_plain(args), **_plain(kwargs)))

    def __repr__(self) -> str:
        return f"<operator {self.name}>"


def _plain(value: Any) -> Any:
    if hasattr(value, "_value") and not isinstance(value, type):
        return value._value
    if isinstance(value, (tuple, list)):
        return type(value)(_plain(v) for v in value)
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return value


class MsDispatchMode:
    """Hands every operator called in a ``with`` block, or a decorated function, to a method.

    A subclass defines ``__ms_dispatch__(self, func, args, kwargs=None)``: ``func.name`` is the
    operator's name, and ``func(*args)`` computes it. Operators are those of the engine, so one
    function of ``ops`` may show several.

    Difference from PyTorch: ``torch.utils._python_dispatch.TorchDispatchMode``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> class Log(ms.MsDispatchMode):
        ...     def __ms_dispatch__(self, func, args, kwargs=None):
        ...         print(func.name)
        ...         return func(*args)
        >>> x = ms.Tensor([1.0])
        >>> with Log():
        ...     y = x + x
        Add
    """

    def __init__(self) -> None:
        self._modes: list[Any] = []

    def __ms_dispatch__(self, func: Any, args: Any, kwargs: Any = None) -> Any:
        """Compute an operator; a subclass overrides this."""
        raise NotImplementedError(
            f"{type(self).__name__} must define __ms_dispatch__(self, func, args, kwargs=None)."
        )

    def __enter__(self) -> MsDispatchMode:
        outer = self

        class Mode(DispatchMode):
            def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):
                given = wrap(tuple(args)), wrap(dict(kwargs or {}))
                result = outer.__ms_dispatch__(_Operator(func), *given)
                return _plain(result)

        mode = Mode()
        self._modes.append(mode)
        mode.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._modes.pop().__exit__(*error)

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: calls of the function are seen."""

        @functools.wraps(func)
        def seen(*args: Any, **kwargs: Any) -> Any:
            with self:
                return func(*args, **kwargs)

        return seen
