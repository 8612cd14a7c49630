"""Primitives made once, at MindSpore's private path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agar._core.optable import Primitive

_instances: dict[tuple[Any, ...], Primitive] = {}


def _get_cache_prim(cls: type[Primitive]) -> Callable[..., Primitive]:
    """A function that makes a Primitive of the class, or gives the one made with equal arguments.

    Examples:
        >>> import agar as ms
        >>> from agar.ops._primitive_cache import _get_cache_prim
        >>> get = _get_cache_prim(ms.ops.Softmax)
        >>> get(-1) is get(-1)
        True
    """

    def get(*args: Any, **kwargs: Any) -> Primitive:
        key = (cls, *map(str, args), *(f"{k}:{v}" for k, v in kwargs.items()))
        if key not in _instances:
            _instances[key] = cls(*args, **kwargs)
        return _instances[key]

    return get
