"""Checks of arguments: every error names the operation, the argument, what came, what was expected.

The kinds of errors are MindSpore's: TypeError for a wrong type or length, ValueError for a value
out of range.
"""

from __future__ import annotations

import enum
import numbers
from collections.abc import Sequence
from typing import Any, NoReturn

__all__ = ["INT32", "LARGEST", "Check", "is_number", "is_whole"]

#: The largest integer up to which float32 holds every integer: MindSpore's bound of many values.
LARGEST = 16777216
INT32 = 2**31 - 1


def is_whole(value: Any) -> bool:
    """Whether a value is an int; a bool is none."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether a value is an int or a float; a bool is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


class Check:
    """Checks of one operation's arguments; `owner` is its public name, such as ``vision.Crop``."""

    def __init__(self, owner: str) -> None:
        self.owner = owner

    def wrong_type(self, name: str, value: Any, expected: str) -> NoReturn:
        """Raise the TypeError of an argument.

        Raises:
            TypeError: always.
        """
        raise TypeError(
            f"For '{self.owner}', argument '{name}' must be {expected}, but got {_shown(value)} "
            f"of type {type(value).__name__}."
        )

    def wrong_value(self, name: str, value: Any, expected: str) -> NoReturn:
        """Raise the ValueError of an argument.

        Raises:
            ValueError: always.
        """
        raise ValueError(
            f"For '{self.owner}', argument '{name}' must be {expected}, but got {_shown(value)}."
        )

    def kind(self, name: str, value: Any, *types: type) -> Any:
        """The value, which must be an instance of one of the types; a bool counts as no int."""
        is_bool = isinstance(value, bool) and bool not in types
        if is_bool and (int in types or numbers.Number in types):
            self.wrong_type(name, value, " or ".join(t.__name__ for t in types))
        if not isinstance(value, types):
            expected = " or ".join(t.__name__ for t in types)
            if len(types) == 1 and issubclass(types[0], enum.Enum):
                expected = f"a member of {expected}, such as {expected}.{next(iter(types[0])).name}"
            self.wrong_type(name, value, expected)
        return value

    def whole(self, name: str, value: Any, low: int, high: int = INT32) -> int:
        """An int within [low, high]."""
        if not is_whole(value):
            self.wrong_type(name, value, "an int")
        if not low <= value <= high:
            self.wrong_value(name, value, f"within [{low}, {high}]")
        return value

    def number(
        self,
        name: str,
        value: Any,
        low: float = -LARGEST,
        high: float = LARGEST,
        *,
        above: bool = False,
        below: bool = False,
    ) -> float:
        """A number within [low, high]; `above` leaves out low, `below` leaves out high."""
        if not is_number(value):
            self.wrong_type(name, value, "a number")
        if not (low < value if above else low <= value) or not (
            value < high if below else value <= high
        ):
            left, right = "(" if above else "[", ")" if below else "]"
            self.wrong_value(name, value, f"within {left}{low}, {high}{right}")
        return value

    def flag(self, name: str, value: Any) -> bool:
        """A bool."""
        return self.kind(name, value, bool)

    def probability(self, name: str, value: Any) -> float:
        """A number within [0, 1]."""
        return self.number(name, value, 0, 1)

    def sequence(self, name: str, value: Any, *lengths: int) -> Sequence[Any]:
        """A list or tuple of one of the lengths."""
        if not isinstance(value, (list, tuple)) or (lengths and len(value) not in lengths):
            sizes = " or ".join(map(str, lengths))
            self.wrong_type(
                name, value, "a list or tuple" + (f" of length {sizes}" if sizes else "")
            )
        return value

    def ordered(self, name: str, value: Any, low: float, high: float = LARGEST) -> Any:
        """A pair (min, max) of numbers within [low, high]."""
        self.sequence(name, value, 2)
        for i, part in enumerate(value):
            if not is_number(part):
                self.wrong_type(f"{name}[{i}]", part, "a number")
        if value[0] > value[1]:
            self.wrong_value(name, value, "in the order (min, max)")
        if not (low <= value[0] and value[1] <= high):
            self.wrong_value(name, value, f"within [{low}, {high}]")
        return value

    def choice(self, name: str, value: Any, choices: Sequence[str]) -> str:
        """One of some strings."""
        self.kind(name, value, str)
        if value not in choices:
            self.wrong_value(name, value, "one of " + ", ".join(map(repr, choices)))
        return value

    def operations(self, name: str, value: Any, *kinds: type) -> Sequence[Any]:
        """A list that is not empty, of operations or other callables."""
        self.kind(name, value, *(kinds or (list,)))
        if not value:
            raise ValueError(f"For '{self.owner}', argument '{name}' must not be empty.")
        for i, operation in enumerate(value):
            self.operation(f"{name}[{i}]", operation)
        return value

    def operation(self, name: str, value: Any) -> Any:
        """An operation or another callable, not a class."""
        if isinstance(value, type):
            raise ValueError(
                f"For '{self.owner}', {name} is the class {value.__name__}; write "
                f"{value.__name__}(...) to make an operation of it."
            )
        if not callable(value):
            self.wrong_type(name, value, "an operation or another callable")
        return value
