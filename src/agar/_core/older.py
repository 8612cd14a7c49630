"""What takes arguments of older MindSpores where today's functions would refuse them.

`agar.compat.legacy.settings` enters its functions under the alias; nothing is entered without it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["takers", "with_todays_keys"]

#: By the name of the function that asks.
takers: dict[str, Callable[..., Any]] = {}


def with_todays_keys(
    context: str, values: dict[str, Any], known: Callable[[str], Any]
) -> dict[str, Any]:
    """Settings, those under keys of older MindSpores under today's."""
    if "context" not in takers or all(map(known, values)):
        return values
    return takers["context"](context, values)
