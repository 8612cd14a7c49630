"""Programs that are compiled and not run; agar runs them."""

from __future__ import annotations

from typing import Any

__all__ = ["mock"]


def mock(mock_val: Any, *args: Any) -> Any:
    """The value of an expression: where MindSpore only compiles, `mock_val` would take its place.

    Args:
        mock_val (Any): the value of a program that is only compiled.
        args (Any): a value; or a function and its arguments; or a list or dict and an index.

    Returns:
        Any, the value; a call's or an element's if there are several arguments.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.utils.dryrun.mock(1.0, float, 2)
        2.0
    """
    if not args:
        return mock_val
    first, rest = args[0], args[1:]
    if not rest:
        return first() if callable(first) else first
    if callable(first):
        return first(*rest)
    for index in rest:
        first = first[index]
    return first
