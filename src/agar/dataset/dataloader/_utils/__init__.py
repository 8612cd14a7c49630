"""Checks of arguments, and the parts of a loader, at MindSpore's private path."""

from __future__ import annotations

from typing import Any

__all__ = ["check_exclusive_args", "check_non_negative", "check_positive", "check_type"]

#: how long MindSpore's workers wait before they look whether the program still runs, in seconds
WORKER_TIME_OUT = 5


def check_type(
    value: Any, name: str, valid_type: Any, invalid_type: Any = (), allow_none: bool = False
) -> None:
    """Raise TypeError unless a value is of a type and not of another."""
    if allow_none and value is None:
        return
    if not isinstance(value, valid_type) or isinstance(value, invalid_type):
        kinds = valid_type if isinstance(valid_type, tuple) else (valid_type,)
        expected = " or ".join(kind.__name__ for kind in kinds) + (" or None" * allow_none)
        raise TypeError(f"'{name}' must be {expected}, but got {type(value).__name__}: {value!r}.")


def _compared(value: Any, name: str, least: int, words: str) -> None:
    try:
        fits = value >= least if least == 0 else value > 0
    except TypeError:
        raise TypeError(f"'{name}' must be a number, but got {type(value).__name__}.") from None
    if not fits:
        raise ValueError(f"'{name}' must be {words}, but got {value}.")


def check_positive(value: Any, name: str, allow_none: bool = False) -> None:
    """Raise ValueError unless a number is above zero."""
    if value is not None or not allow_none:
        _compared(value, name, 1, "positive")


def check_non_negative(value: Any, name: str, allow_none: bool = False) -> None:
    """Raise ValueError unless a number is zero or above."""
    if value is not None or not allow_none:
        _compared(value, name, 0, "non-negative")


def check_exclusive_args(condition: Any, arg_name: str, description: str) -> None:
    """Raise ValueError where an argument was given that another one excludes."""
    if condition:
        raise ValueError(f"'{arg_name}' cannot be specified {description}: leave it out.")
