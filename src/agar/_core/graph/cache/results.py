"""What a compiled call returns in place of Python's iterators: the values, as MindSpore does.

NOTE Whose iterator. To list the values of an iterator uses it up, which is right where the call
made it for its result alone. One that somebody else holds too (a global, an attribute, an
argument) is returned as it is; the count of its references tells.
"""

from __future__ import annotations

import sys
from types import GeneratorType
from typing import Any

__all__ = ["without_iterators"]

_LIST_ITERATOR = type(iter([]))
_VIEWS = (range, type({}.keys()), type({}.values()), type({}.items()))
_ITERATORS = (zip, enumerate, filter, map)
_LISTS = (filter, type({}.items()), GeneratorType)


def _references(container: Any, key: Any) -> int:
    value = container[key]
    return sys.getrefcount(value)


#: References to a value that one container holds, while `_references` looks at it.
_ALONE = _references([zip()], 0)


def _over_lists(iterator: map[Any]) -> bool:
    """Whether every sequence of a ``map`` is a list."""
    try:
        sources = iterator.__reduce__()[1][1:]
    except (TypeError, IndexError):  # Python does not tell
        return False
    return all(type(source) is _LIST_ITERATOR for source in sources)


def _gives_values(container: Any, key: Any) -> bool:
    """Whether an element is an iterator that the call made, or a view, which nothing uses up."""
    value = container[key]
    kind = type(value)
    if kind in _VIEWS:
        return True
    if kind in _ITERATORS or (kind is GeneratorType and value.gi_code.co_name == "<genexpr>"):
        del value
        return _references(container, key) <= _ALONE
    return False


def _keys(container: Any) -> Any:
    kind = type(container)
    if kind is list or kind is tuple:
        return range(len(container))
    return container if kind is dict else ()


def _some(container: Any, inside: set[int]) -> bool:
    """Whether there are iterators to list; a container that holds itself is left as it is."""
    if id(container) in inside:
        return False
    inside.add(id(container))
    return any(_gives_values(container, k) or _some(container[k], inside) for k in _keys(container))


def without_iterators(alone: list[Any]) -> Any:
    """The result of a call with lists and tuples in place of its iterators.

    These are ``map``, ``zip``, ``filter``, ``enumerate``, ``range``, the views of a dict, and
    generator expressions; functions with ``yield`` and all other iterators stay.

    Args:
        alone: a list of the result, to which nobody else has a reference.
    """
    try:
        return _listed(alone, 0, ()) if _some(alone, set()) else alone[0]
    except RecursionError:  # nested too deep to look into
        return alone[0]


def _listed(container: Any, key: Any, above: tuple[int, ...]) -> Any:
    """An element with values in place of iterators."""
    if _gives_values(container, key):
        value = container[key]
        kind = type(value)
        if kind is map:
            kind = list if _over_lists(value) else tuple
        elif kind in _LISTS:
            kind = list
        else:
            kind = tuple
        values = list(value)
        return kind([_listed(values, i, above) for i in range(len(values))])
    value = container[key]
    keys = _keys(value)
    if not keys or id(value) in above:
        return value
    above = (*above, id(value))
    changed = {k: _listed(value, k, above) for k in keys}
    if all(changed[k] is value[k] for k in keys):
        return value
    return changed if type(value) is dict else type(value)(changed.values())
