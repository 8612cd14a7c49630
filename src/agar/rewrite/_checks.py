"""Checks of arguments."""

from __future__ import annotations

from typing import Any

from agar._core.errors import describe

__all__ = ["mapping_of", "one_of", "sequence_of"]


def _names(kinds: tuple[type, ...]) -> str:
    return " or ".join(kind.__name__ for kind in kinds)


def one_of(owner: str, name: str, value: Any, *kinds: type) -> Any:
    """The value, which is of one of some types.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(value, kinds):
        raise TypeError(
            f"For '{owner}', the type of '{name}' must be {_names(kinds)}, but got "
            f"{describe(value)}."
        )
    return value


def sequence_of(owner: str, name: str, values: Any, *kinds: type) -> Any:
    """The list or tuple, whose elements are of some types.

    Raises:
        TypeError: it is not.
    """
    one_of(owner, name, values, list, tuple)
    for i, value in enumerate(values):
        one_of(owner, f"{name}[{i}]", value, *kinds)
    return values


def mapping_of(owner: str, name: str, values: Any, kind: type) -> Any:
    """The dict of text and values of a type.

    Raises:
        TypeError: it is not.
    """
    one_of(owner, name, values, dict)
    for key, value in values.items():
        one_of(owner, f"a key of {name}", key, str)
        one_of(owner, f"{name}[{key!r}]", value, kind)
    return values
