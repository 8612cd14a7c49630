"""Settings that are checked and held: the engine tunes these by itself, or not at all."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

__all__ = ["held", "setting", "truth"]

held: dict[str, Any] = {}


def truth(path: str, value: Any) -> bool:
    """A bool.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, bool):
        raise TypeError(f"For '{path}', the value must be a bool, but got {type(value).__name__}.")
    return value


def setting(
    module: str, name: str, argument: str, what: str, choices: tuple[Any, ...]
) -> Callable[..., None]:
    """A function that checks and holds one setting of Ascend chips or of cuDNN."""
    path = f"{module.removeprefix('agar.')}.{name}"

    def set_it(*args: Any, **kwargs: Any) -> None:
        given = [*args, *kwargs.values()]
        if len(given) != 1 or not set(kwargs) <= {argument}:
            raise TypeError(f"{path}() takes one argument, '{argument}'.")
        value = given[0]
        kinds = tuple(c for c in choices if isinstance(c, type))
        if kinds and not (isinstance(value, kinds) and not isinstance(value, bool)):
            raise TypeError(
                f"For '{path}', the '{argument}' must be {' or '.join(k.__name__ for k in kinds)}, "
                f"but got {type(value).__name__}."
            )
        if not kinds and value not in choices:
            raise ValueError(
                f"For '{path}', the '{argument}' must be one of {list(choices)}, but got {value!r}."
            )
        held[path] = value

    parameter = inspect.Parameter(argument, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    set_it.__signature__ = inspect.Signature([parameter])
    set_it.__name__ = set_it.__qualname__ = name
    set_it.__module__ = module
    kind = choices[0].__name__ if isinstance(choices[0], type) else type(choices[0]).__name__
    listed = what if isinstance(choices[0], type) else f"one of {', '.join(map(repr, choices))}"
    set_it.__doc__ = (
        f"Set {what}. The value is checked and kept; the engine decides by itself.\n\n"
        f"Args:\n    {argument} ({kind}): {listed}.\n\n"
        "Raises:\n    TypeError: the value is of the wrong type.\n"
        "    ValueError: the value is none of these.\n\n"
        "Difference from PyTorch: no counterpart.\n\n"
        "Source: behavior described for MindSpore 2.10.\n"
    )
    return set_it
