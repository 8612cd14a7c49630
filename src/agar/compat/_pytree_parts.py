"""``utils._pytree``: nested values taken apart into leaves and structure, and made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from agar._core.tensor import Tensor

__all__ = [
    "PyTreeDef",
    "register_pytree_node",
    "register_pytree_node_class",
    "tree_flatten",
    "tree_leaves",
    "tree_map",
    "tree_structure",
    "tree_unflatten",
]


class _Kind(NamedTuple):
    """How a class is taken apart, into children and what else it needs, and made again."""

    flatten: Callable[[Any], tuple[Any, Any]]
    unflatten: Callable[[Any, Any], Any]


_kinds: dict[type, _Kind] = {
    list: _Kind(lambda value: (value, None), lambda _, children: list(children)),
    tuple: _Kind(lambda value: (value, None), lambda _, children: tuple(children)),
    dict: _Kind(
        lambda value: ([value[key] for key in sorted(value)], tuple(sorted(value))),
        lambda keys, children: dict(zip(keys, children, strict=True)),
    ),
}


def _kind_of(value: Any) -> _Kind | None:
    """The kind of a node, None for a leaf. Subclasses are leaves, but for named tuples."""
    kind = type(value)
    if kind not in _kinds and isinstance(value, tuple) and hasattr(value, "_fields"):
        return _Kind(lambda value: (value, None), lambda _, children: kind(*children))
    return _kinds.get(kind)


class PyTreeDef:
    """The structure of nested values without its leaves.

    Args:
        kind (type): of the node; None for a leaf, or a value that is part of the structure.
        children (tuple[PyTreeDef]): of the node.
        extra (Any): what else the node is made of, or the value.
        is_leaf (bool): whether a leaf stands here.
    """

    def __init__(
        self,
        kind: tuple[type, _Kind] | None,
        children: tuple[PyTreeDef, ...] = (),
        extra: Any = None,
        is_leaf: bool = False,
    ) -> None:
        self._kind = kind
        self._children = children
        self._extra = extra
        self._is_leaf = is_leaf

    @property
    def num_leaves(self) -> int:
        """How many leaves there are."""
        return int(self._is_leaf) + sum(child.num_leaves for child in self._children)

    @property
    def num_nodes(self) -> int:
        """How many nodes and leaves there are."""
        return 1 + sum(child.num_nodes for child in self._children)

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """The values of this structure with these leaves.

        Raises:
            ValueError: there are too few or too many.
        """
        given = iter(leaves)
        result = self._rebuilt(given)
        if next(given, given) is not given:
            raise ValueError(f"Too many leaves to unflatten: the structure has {self.num_leaves}.")
        return result

    def _rebuilt(self, leaves: Iterator[Any]) -> Any:
        if self._is_leaf:
            for leaf in leaves:
                return leaf
            raise ValueError("Not enough leaves to unflatten.")
        if self._kind is None:
            return self._extra
        children = [child._rebuilt(leaves) for child in self._children]
        return self._kind[1].unflatten(self._extra, children)

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """The values of another tree at the places of this structure's leaves.

        Raises:
            TypeError: the tree has another structure above them.
        """
        if self._is_leaf:
            return [tree]
        if self._kind is None:
            return []
        kind = _kind_of(tree)
        if kind is None or type(tree) is not self._kind[0]:
            raise TypeError(
                f"Structure mismatch: {self._kind[0].__name__} was expected, but got {tree!r}."
            )
        children, extra = kind.flatten(tree)
        children = list(children)
        if extra != self._extra or len(children) != len(self._children):
            raise TypeError(
                f"Structure mismatch: {self._kind[0].__name__} size differs, or its keys: "
                f"{len(self._children)} values were expected, but got {len(children)}."
            )
        pairs = zip(self._children, children, strict=True)
        return [leaf for child, value in pairs for leaf in child.flatten_up_to(value)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PyTreeDef) and self._parts() == other._parts()

    __hash__ = None  # type: ignore[assignment]

    def _parts(self) -> tuple[Any, ...]:
        kind = None if self._kind is None else self._kind[0]
        return kind, self._extra, self._is_leaf, self._children

    def __repr__(self) -> str:
        return f"PyTreeDef({self._shown()})"

    def _shown(self) -> str:
        if self._kind is None:
            return "*" if self._is_leaf else repr(self._extra)
        inner = ", ".join(child._shown() for child in self._children)
        return f"{self._kind[0].__name__}({inner})"


def tree_flatten(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None, tensors_only_leaf: bool = False
) -> tuple[list[Any], PyTreeDef]:
    """The leaves of nested values, and their structure.

    With `tensors_only_leaf` everything but Tensors belongs to the structure.
    """
    leaves: list[Any] = []

    def structure(value: Any) -> PyTreeDef:
        kind = None if is_leaf is not None and is_leaf(value) else _kind_of(value)
        if kind is None:
            leaf = not tensors_only_leaf or isinstance(value, Tensor)
            if leaf:
                leaves.append(value)
            return PyTreeDef(None, extra=None if leaf else value, is_leaf=leaf)
        children, extra = kind.flatten(value)
        return PyTreeDef((type(value), kind), tuple(map(structure, children)), extra)

    return leaves, structure(tree)


def tree_unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """The values of a structure with these leaves."""
    return treedef.unflatten(leaves)


def tree_leaves(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None, tensors_only_leaf: bool = False
) -> list[Any]:
    """The leaves of nested values."""
    return tree_flatten(tree, is_leaf, tensors_only_leaf)[0]


def tree_structure(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None, tensors_only_leaf: bool = False
) -> PyTreeDef:
    """The structure of nested values."""
    return tree_flatten(tree, is_leaf, tensors_only_leaf)[1]


def tree_map(
    func: Callable[..., Any],
    tree: Any,
    *rest: Any,
    is_leaf: Callable[[Any], bool] | None = None,
    tensors_only_leaf: bool = False,
) -> Any:
    """Nested values with a function done to each leaf, and those of other trees beside it."""
    leaves, structure = tree_flatten(tree, is_leaf, tensors_only_leaf)
    columns = [leaves, *(structure.flatten_up_to(other) for other in rest)]
    return structure.unflatten(func(*row) for row in zip(*columns, strict=True))


def register_pytree_node(
    node_type: type, flatten_func: Callable[..., Any], unflatten_func: Callable[..., Any]
) -> None:
    """Have a class taken apart by ``flatten(value) -> (children, extra)``.

    ``unflatten(extra, children)`` makes it again.

    Raises:
        TypeError: it is not a class.
        ValueError: it is list, tuple or dict, which have their own ways.
    """
    if not isinstance(node_type, type):
        raise TypeError(f"First argument must be a type, but got {node_type!r}.")
    if node_type in (list, tuple, dict):
        raise ValueError(f"'{node_type.__name__}' is taken apart in its own way: subclass it.")
    _kinds[node_type] = _Kind(flatten_func, unflatten_func)


def register_pytree_node_class(cls: type) -> type:
    """A decorator of a class with methods ``tree_flatten`` and ``tree_unflatten``."""
    node: Any = cls
    register_pytree_node(cls, node.tree_flatten, node.tree_unflatten)
    return cls
