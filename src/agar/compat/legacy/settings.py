"""Keys of contexts of older MindSpores, which `settings.txt` lists, and two arguments of methods.

`_core.older` hands on what today's functions would refuse. A key warns once.
"""

from __future__ import annotations

import ast
import functools
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from agar._core.autodiff import GradOperation
from agar._core.errors import stack_level
from agar._core.older import takers

__all__ = ["install", "table", "uninstall"]


class _Key(NamedTuple):
    versions: str
    rule: str
    use: str


@cache
def table() -> dict[tuple[str, str], _Key]:
    """The old keys, by context and key."""
    text = Path(__file__).with_name("settings.txt").read_text(encoding="utf-8")
    lines = [line.split(maxsplit=4) for line in text.splitlines() if not line.startswith("#")]
    return {(w[0], w[1]): _Key(w[2], w[3], w[4] if w[4:] else "") for w in lines}


@cache  # so that a key warns once
def _warn(what: str, versions: str, today: str) -> None:
    warnings.warn(
        f"{what} is of MindSpore {versions}; {today}.",
        DeprecationWarning,
        stacklevel=stack_level(),
    )


def _settings(context: str, values: dict[str, Any]) -> dict[str, Any]:
    """The settings of today for these, among which are old ones.

    Raises:
        ValueError: the value of an old key asks for what is not there.
        TypeError: an old key and today's are both given.
    """
    result: dict[str, Any] = {}
    for key, value in values.items():
        entry = table().get((context, key))
        if entry is None:
            result[key] = value
            continue
        what = f"The key '{key}' of 'mindspore.{context}'"
        if entry.rule.startswith(">"):
            today = entry.rule[1:]
            if today in values:
                raise TypeError(f"For '{context}', '{key}' and '{today}' mean the same; give one.")
            _warn(what, entry.versions, f"today it is '{today}'")
            result[today] = value
        elif entry.rule == "any":
            _warn(what, entry.versions, "today there is none, and it has no effect: leave it out")
        elif value == ast.literal_eval(entry.rule[2:]):
            _warn(what, entry.versions, f"today there is none: use {entry.use}")
        else:
            raise ValueError(
                f"For '{context}', the key '{key}' of MindSpore {entry.versions} can only be "
                f"{entry.rule[2:]} today, but got {value!r}. Use {entry.use}."
            )
    return result


def _column_order(dataset: Any, order: Any) -> Any:
    """The columns of a dataset in an order, as `Dataset.map` of older MindSpores gave them."""
    today = "today's is Dataset.project(columns) behind it"
    _warn("The argument 'column_order' of 'mindspore.dataset.Dataset.map'", "1.0-1.10", today)
    return dataset.project(order)


def _without_name(today: Callable[..., None]) -> Callable[..., None]:
    """The constructor of `GradOperation`, which took a name first."""

    @functools.wraps(today)
    def construct(self: Any, *args: Any, **kwargs: Any) -> None:
        if (args and isinstance(args[0], str)) or "name" in kwargs:
            used = "today's are get_all, get_by_list and sens_param"
            _warn("The argument 'name' of 'mindspore.ops.GradOperation'", "0.x", used)
            if kwargs.pop("name", None) is None:
                args = args[1:]
        today(self, *args, **kwargs)

    construct._agar_today = today  # type: ignore[attr-defined]
    return construct


_TAKERS = {"context": _settings, "Dataset.map": _column_order}


def install() -> None:
    """Let today's functions take what older MindSpores took."""
    takers.update(_TAKERS)
    if not hasattr(GradOperation.__init__, "_agar_today"):
        GradOperation.__init__ = _without_name(GradOperation.__init__)


def uninstall() -> None:
    """Put today's functions back, for tests."""
    for name in _TAKERS:
        takers.pop(name, None)
    today = getattr(GradOperation.__init__, "_agar_today", None)
    if today is not None:
        GradOperation.__init__ = today
