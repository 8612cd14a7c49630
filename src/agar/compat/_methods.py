"""``ops.tensor_method``: the methods of Tensor as functions, ``tensor_abs(x)`` for ``x.abs()``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import agar as ms

__all__ = ["lookup"]


def lookup(path: str, name: str, missing: Any) -> Any:
    """The function of a name that stands for a method of Tensor, else `missing`."""
    method = name.removeprefix("deprecated_")
    if not method.startswith("tensor_"):
        return missing
    method = method.removeprefix("tensor_")
    for candidate in (method, method.removesuffix("_ext"), f"__{method.strip('_')}__"):
        if callable(getattr(ms.Tensor, candidate, None)):
            return _calling(name, candidate, path)
    return missing


def _calling(name: str, method: str, path: str) -> Callable[..., Any]:
    def call(input: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(input, ms.Tensor):
            raise TypeError(
                f"For '{name}', the first argument must be a Tensor, but got {input!r}."
            )
        return getattr(input, method)(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__module__ = f"agar.{path}"
    call.__doc__ = f"``Tensor.{method}`` as a function of the Tensor and the method's arguments."
    return call
