"""What a compiled call returns in place of Python's iterators: the values, as MindSpore does."""

from __future__ import annotations

from types import GeneratorType
from typing import Any

__all__ = ["without_iterators"]

_LIST_ITERATOR = type(iter([]))
_TUPLES = (zip, enumerate, range, type({}.keys()), type({}.values()))
_LISTS = (filter, type({}.items()))


def _over_lists(iterator: map[Any]) -> bool:
    """Whether every sequence of a ``map`` is a list."""
    try:
        sources = iterator.__reduce__()[1][1:]
    except (TypeError, IndexError):  # Python does not tell
        return False
    return all(type(source) is _LIST_ITERATOR for source in sources)


def without_iterators(value: Any) -> Any:
    """The result of a call with lists and tuples in place of its iterators.

    These are ``map``, ``zip``, ``filter``, ``enumerate``, ``range``, the views of a dict, and
    generator expressions; functions with ``yield`` and all other iterators stay.
    """
    kind = type(value)
    if kind is tuple or kind is list:
        items = [without_iterators(v) for v in value]
        if all(new is old for new, old in zip(items, value, strict=True)):
            return value
        return kind(items)
    if kind is dict:
        made = {k: without_iterators(v) for k, v in value.items()}
        return value if all(made[k] is v for k, v in value.items()) else made
    if kind in _TUPLES:
        return tuple(without_iterators(v) for v in value)
    if kind in _LISTS:
        return [without_iterators(v) for v in value]
    if kind is map:
        made_of = list if _over_lists(value) else tuple
        return made_of(without_iterators(v) for v in value)
    if kind is GeneratorType and value.gi_code.co_name == "<genexpr>":
        return [without_iterators(v) for v in value]
    return value
