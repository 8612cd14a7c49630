"""What the settings of a parameter may be: each check gives the value, or raises."""

from __future__ import annotations

from typing import Any

from agar._core.errors import describe, type_name

__all__ = ["checked_flag", "checked_fusion", "checked_key", "checked_name", "checked_shape"]

_MAX_NAME = 1024


def checked_name(name: Any) -> str:
    """A str that is not too long."""
    if not isinstance(name, str):
        raise ValueError(
            f"The name of a Parameter should be a str or None, but got {name!r} with type "
            f"{type(name).__name__}."
        )
    if len(name) > _MAX_NAME:
        raise ValueError(
            f"The length of a Parameter's name should be at most {_MAX_NAME}, but got {len(name)}."
        )
    return name


def checked_flag(what: str, value: Any) -> bool:
    """A bool."""
    if not isinstance(value, bool):
        raise TypeError(
            f"For Parameter, '{what}' must be bool, but got {value!r} with type {type_name(value)}."
        )
    return value


def checked_fusion(value: Any) -> int:
    """An int of at least 0, as the number of a message."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"For Parameter, 'comm_fusion' must be int, but got {describe(value)}.")
    if value < 0:
        raise ValueError(f"For Parameter, 'comm_fusion' must be at least 0, but got {value}.")
    return value


def checked_shape(value: Any) -> Any:
    """A tuple or list, as the shape of a cache."""
    if not isinstance(value, (tuple, list)):
        raise TypeError(
            f"For Parameter, 'cache_shape' must be tuple or list type, but got {describe(value)}."
        )
    return value


def checked_key(value: Any) -> int:
    """An int."""
    if not isinstance(value, int):
        raise TypeError(f"For Parameter, 'key' must be int type, but got {describe(value)}.")
    return value
