"""Patterns of layers and Primitives, which are replaced wherever a network has them."""

from __future__ import annotations

import abc
from collections import OrderedDict
from typing import Any

from agar._core.errors import describe
from agar.nn.cell import Cell
from agar.ops.primitive import Primitive
from agar.rewrite._checks import one_of, sequence_of
from agar.rewrite.api.node import Node
from agar.rewrite.api.node_type import NodeType
from agar.rewrite.api.symbol_tree import SymbolTree

__all__ = ["PatternEngine", "PatternNode", "Replacement", "VarNode"]

_CALLS = (NodeType.CallCell, NodeType.CallPrimitive, NodeType.Input)


class PatternNode:
    """A node of a pattern: a type, and the nodes that give its arguments.

    Args:
        pattern_node_name (str): its name, under which a match is given to the replacement.
        match_type (type): the type of the layer or Primitive. Default: ``type[None]``, none.
        inputs (list[PatternNode]): the nodes of its arguments. Default: ``None``, any arguments.

    Raises:
        TypeError: an argument is of the wrong type.

    Difference from PyTorch: ``torch.fx.subgraph_rewriter`` takes functions as patterns.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> from agar.rewrite.api.pattern_engine import PatternNode
        >>> dense = PatternNode("dense", nn.Dense)
        >>> [node.name() for node in PatternNode("relu", nn.ReLU, [dense]).get_inputs()]
        ['dense']
    """

    def __init__(
        self, pattern_node_name: str, match_type: Any = type[None], inputs: Any = None
    ) -> None:
        one_of("PatternNode", "pattern_node_name", pattern_node_name, str)
        self._name = pattern_node_name
        self._type = match_type
        self._inputs: list[PatternNode] = []
        if inputs is not None:
            self.set_inputs(inputs)

    @staticmethod
    def from_node(node: Node) -> PatternNode:
        """A node of a pattern that matches what a node of a network calls.

        Args:
            node (Node): the node.

        Raises:
            TypeError: `node` is not a Node.
        """
        one_of("PatternNode", "node", node, Node)
        calls = node.get_node_type() in (NodeType.CallCell, NodeType.CallPrimitive)
        return PatternNode(node.get_name(), node.get_instance_type() if calls else type[None])

    @staticmethod
    def create_pattern_from_node(node: Node) -> PatternNode:
        """A pattern of a node and all nodes before it; inputs of the network match anything.

        Args:
            node (Node): the last node.

        Raises:
            TypeError: `node` is not a Node.
        """
        one_of("PatternNode", "node", node, Node)
        if node.get_node_type() is NodeType.Input:
            return VarNode()
        result = PatternNode.from_node(node)
        result._inputs = [PatternNode.create_pattern_from_node(n) for n in node.get_inputs()]
        return result

    @staticmethod
    def create_pattern_from_list(type_list: list[type]) -> PatternNode:
        """A pattern of layers that follow each other; the last is its root.

        Args:
            type_list (list[type]): the types.

        Raises:
            TypeError: `type_list` is not a list.
            ValueError: it is empty.
        """
        one_of("PatternNode", "type_list", type_list, list)
        if not type_list:
            raise ValueError("For 'PatternNode', 'type_list' must have a type, but it is empty.")
        result: PatternNode | None = None
        for place, kind in enumerate(type_list):
            result = PatternNode(f"{place}-{kind}", kind, [] if result is None else [result])
        assert result is not None
        return result

    def add_input(self, node: PatternNode) -> None:
        """Add the node of a further argument.

        Args:
            node (PatternNode): the node.

        Raises:
            TypeError: `node` is not a PatternNode.
        """
        self._inputs.append(one_of("PatternNode", "node", node, PatternNode))

    def set_inputs(self, inputs: list[PatternNode]) -> None:
        """Set the nodes of the arguments.

        Args:
            inputs (list[PatternNode]): the nodes.

        Raises:
            TypeError: `inputs` is not a list of them.
        """
        self._inputs = list(sequence_of("PatternNode", "inputs", inputs, PatternNode))

    def match(self, node: Node) -> bool:
        """Whether a node of a network calls this type.

        Args:
            node (Node): the node.

        Raises:
            TypeError: `node` is not a Node.
        """
        return self._type == one_of("PatternNode", "node", node, Node).get_instance_type()

    def get_inputs(self) -> list[PatternNode]:
        """The nodes of the arguments."""
        return self._inputs

    def name(self) -> str:
        """The name."""
        return self._name

    def type(self) -> Any:
        """The type that is called."""
        return self._type


class VarNode(PatternNode):
    """A node of a pattern that matches anything.

    Difference from PyTorch: an argument of a pattern's function in ``torch.fx``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.rewrite.api.pattern_engine import VarNode
        >>> VarNode().name()
        'placeholder'
    """

    def __init__(self) -> None:
        super().__init__("placeholder", Cell, [])

    def match(self, node: Node) -> bool:
        """True: every node matches.

        Args:
            node (Node): a node of a network.
        """
        return node is not None and node.get_handler() is not None


class Replacement(abc.ABC):
    """What makes the new nodes for a match; a subclass defines :meth:`build`.

    Difference from PyTorch: the replacing function of ``torch.fx.replace_pattern``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> from agar.rewrite import Node
        >>> from agar.rewrite.api.pattern_engine import Replacement
        >>> class ToSigmoid(Replacement):
        ...     def build(self, pattern, is_chain_pattern, matched):
        ...         root = matched[pattern.name()]
        ...         return [
        ...             Node.create_call_cell(nn.Sigmoid(), root.get_targets(), root.get_args())
        ...         ]
    """

    @abc.abstractmethod
    def build(
        self, pattern: PatternNode, is_chain_pattern: bool, matched: OrderedDict[str, Node]
    ) -> list[Node]:
        """The new nodes, the last of which assigns what the root of the match assigned.

        Args:
            pattern (PatternNode): the root of the pattern.
            is_chain_pattern (bool): whether the pattern was a list of types.
            matched (OrderedDict[str, Node]): the nodes of the network, by the names of the pattern.

        Returns:
            list[Node]; an empty list leaves the match as it is.
        """

    def __call__(
        self, pattern: PatternNode, is_chain_pattern: bool, matched: OrderedDict[str, Node]
    ) -> list[Node]:
        return self.build(pattern, is_chain_pattern, matched)


class PatternEngine:
    """Replaces a pattern in a network.

    Args:
        pattern (Union[PatternNode, list[type]]): the root of the pattern, or types of layers and
            Primitives that follow each other.
        replacement (Replacement): makes the new nodes. Default: ``None``, which raises.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the list is empty.

    Difference from PyTorch: ``torch.fx.replace_pattern``.

    Source: behavior observed in MindSpore 2.10, which replaces cells of containers, goes no further
    behind one, and does not count what it replaced in subtrees as a change.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> from agar.rewrite import Node, SymbolTree
        >>> from agar.rewrite.api.pattern_engine import PatternEngine, Replacement
        >>> class ToSigmoid(Replacement):
        ...     def build(self, pattern, is_chain_pattern, matched):
        ...         root = matched[pattern.name()]
        ...         return [
        ...             Node.create_call_cell(nn.Sigmoid(), root.get_targets(), root.get_args())
        ...         ]
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.relu = nn.ReLU()
        ...
        ...     def construct(self, x):
        ...         x = self.relu(x)
        ...         return x
        >>> tree = SymbolTree.create(Net())
        >>> PatternEngine([nn.ReLU], ToSigmoid()).apply(tree)
        True
        >>> print(tree.get_network()(ms.Tensor([0.0])))
        [0.5]
    """

    def __init__(self, pattern: Any, replacement: Replacement | None = None) -> None:
        one_of("PatternEngine", "replacement", replacement, Replacement)
        one_of("PatternEngine", "pattern", pattern, PatternNode, list)
        self._replacement: Any = replacement
        self._is_chain = isinstance(pattern, list)
        for kind in pattern if self._is_chain else ():
            if not (isinstance(kind, type) and issubclass(kind, (Cell, Primitive))):
                raise TypeError(
                    "For 'PatternEngine', the types of 'pattern' must be those of Cells or "
                    f"Primitives, but got {describe(kind)}."
                )
        if self._is_chain:
            pattern = PatternNode.create_pattern_from_list(pattern)
        self._pattern: PatternNode = pattern

    def pattern(self) -> PatternNode:
        """The root of the pattern."""
        return self._pattern

    def apply(self, stree: SymbolTree) -> bool:
        """Replace the pattern wherever a network has it, in its subtrees too.

        A match is left as it is where another node takes what is inside of it.

        Args:
            stree (SymbolTree): the network.

        Returns:
            bool, whether something was replaced.

        Raises:
            TypeError: `stree` is not a SymbolTree.
            NotImplementedError: a container of cells has the pattern.
        """
        one_of("PatternEngine", "stree", stree, SymbolTree)
        changed = False
        queue = stree.get_inputs()
        visited: set[Node] = set()
        while queue:
            node = queue.pop(0)
            if node in visited:
                continue
            visited.add(node)
            kind = node.get_node_type()
            if kind is NodeType.Tree:
                changed |= self.apply(node.get_sub_tree())
            elif kind is NodeType.CellContainer:
                changed |= self._look_inside(node)
            elif (root := self._replace(stree, node)) is not None:
                changed = True
                queue.append(root)
                continue
            queue += node.get_users()
        return changed

    def _look_inside(self, container: Node) -> bool:
        """Apply to the networks in a container, whose own cells are not changed."""
        body = container.get_handler().body
        nodes = list(map(Node, body.nodes)) if body is not None else []
        for place in range(len(nodes)):
            if _fits(nodes, place, self._pattern):
                raise NotImplementedError(
                    f"For 'PatternEngine', the pattern '{self._pattern.name()}' is in the "
                    f"container '{container.get_name()}', whose cells cannot be replaced. "
                    "Exchange its cells in the network, container[i] = cell, before "
                    "SymbolTree.create(network)."
                )
        changed = False
        for node in nodes:
            if node.get_node_type() is NodeType.Tree and node.get_handler().subtree is not None:
                changed |= self.apply(node.get_sub_tree())
        return changed

    def _replace(self, stree: SymbolTree, node: Node) -> Node | None:
        """Replace a match whose root is a node; the new root."""
        matched = self._match(self._pattern, node)
        if matched is None or self._is_used_elsewhere(matched):
            return None
        new_nodes = self._replacement(self._pattern, self._is_chain, matched)
        if not new_nodes:
            return None
        root = stree.replace(node, new_nodes)
        for old in reversed(matched.values()):
            if old != node:
                stree.erase(old)
        return root

    def _match(self, pattern: PatternNode, node: Node) -> OrderedDict[str, Node] | None:
        """The nodes of a match by the names of the pattern, or None."""
        if node.get_node_type() not in _CALLS or not pattern.match(node):
            return None
        if isinstance(pattern, VarNode):
            return OrderedDict()
        expected = pattern.get_inputs()
        result: OrderedDict[str, Node] = OrderedDict()
        inputs = node.get_inputs() if expected else []
        if len(inputs) != len(expected):
            return None
        for entry, given in zip(expected, inputs, strict=True):
            matched = self._match(entry, given)
            if matched is None:
                return None
            result.update(matched)
        result[pattern.name()] = node
        return result

    def _is_used_elsewhere(self, matched: OrderedDict[str, Node]) -> bool:
        """Whether a node outside of a match takes what is inside of it."""
        inside = [node for name, node in matched.items() if name != self._pattern.name()]
        everything = list(matched.values())
        return any(user not in everything for node in inside for user in node.get_users())


def _fits(nodes: list[Node], place: int, pattern: PatternNode) -> bool:
    """Whether the cells of a container up to a place fit a pattern, one behind the other."""
    if isinstance(pattern, VarNode):
        return True
    if place < 0 or not pattern.match(nodes[place]):
        return False
    inputs = pattern.get_inputs()
    return not inputs or (len(inputs) == 1 and _fits(nodes, place - 1, inputs[0]))
