"""The methods of Tensor as functions.

In ``ops.tensor_method`` ``tensor_abs(x)`` is ``x.abs()``, in ``graph._parse.standard_method``
``abs(x)`` is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import agar as ms
from agar.compat import names

__all__ = ["lookup"]


def lookup(path: str, name: str, missing: Any) -> Any:
    """The function of a name that stands for a method of Tensor, else `missing`."""
    if path.endswith("standard_method"):
        return _of_parser(path, name, missing)
    method = name.removeprefix("deprecated_")
    if not method.startswith("tensor_"):
        return missing
    method = method.removeprefix("tensor_")
    for candidate in (method, method.removesuffix("_ext"), f"__{method.strip('_')}__"):
        if callable(getattr(ms.Tensor, candidate, None)):
            return _calling(name, candidate, path)
    return missing


#: what Python has, and MindSpore's parser only under a name of its own
_UNLIKE = ("bool_", "bool_func", "float_func", "int_func", "hasattr", "len_", "range_")


def _of_parser(path: str, name: str, missing: Any) -> Any:
    """The method, or the attribute, that MindSpore's parser finds under a name."""
    if name.startswith("_") or name in _UNLIKE or name not in names(path):
        return missing
    sparse = re.fullmatch(r"(csr|coo)_(\w+)", name)
    if sparse is not None:
        kind = ms.CSRTensor if sparse[1] == "csr" else ms.COOTensor
        has = callable(getattr(kind, sparse[2], None))
        return _calling(name, sparse[2], path, kind) if has else missing
    for candidate in (name, name.removesuffix("_")):
        attribute = getattr(ms.Tensor, candidate, None)
        if callable(attribute):
            return _calling(name, candidate, path)
        if isinstance(attribute, property):
            return _reading(name, candidate, path)
    return missing


def _reading(name: str, attribute: str, path: str) -> Callable[..., Any]:
    def read(x: Any) -> Any:
        return getattr(x, attribute)

    read.__name__ = read.__qualname__ = name
    read.__module__ = f"agar.{path}"
    read.__doc__ = f"``Tensor.{attribute}`` of a Tensor."
    return read


def _calling(name: str, method: str, path: str, kind: type = ms.Tensor) -> Callable[..., Any]:
    def call(input: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(input, kind):
            raise TypeError(
                f"For '{name}', the first argument must be a {kind.__name__}, but got {input!r}."
            )
        return getattr(input, method)(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    call.__module__ = f"agar.{path}"
    call.__doc__ = f"``Tensor.{method}`` as a function of the Tensor and the method's arguments."
    return call
