"""A network as nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from agar._core.errors import missing_feature
from agar.nn.cell import Cell
from agar.rewrite._checks import one_of, sequence_of
from agar.rewrite._nodes import Statement
from agar.rewrite._tree import Position, Tree
from agar.rewrite.api.node import Node
from agar.rewrite.api.node_type import NodeType
from agar.rewrite.api.scoped_value import ScopedValue

__all__ = ["SymbolTree"]


class SymbolTree:
    """The statements of a network's ``construct`` as nodes, and the network that comes of them.

    Nested expressions are taken apart, so that each call is a node; the order in which Python
    evaluates them stays. Cells of the user's own classes have trees of their own, functions and
    methods of the user's, branches and loops have nodes in them. What is not an assignment, return,
    ``if``, ``for`` or ``while`` is one node of the type Python, and stays as it is.

    The new network has the same parameters, children and attributes as the original, which should
    not be used any more. Nodes are related within one block only: what a branch assigns is not an
    input of what stands behind it.

    Args:
        handler (object): the tree, which :meth:`create` makes.

    Raises:
        TypeError: `handler` is not such an object.

    Difference from PyTorch: ``torch.fx`` records the operators of a run; this takes the source.

    Source: behavior observed in MindSpore 2.10, which also opens its own functions and writes the
    generated code in the folder ``rewritten_network``; here it is compiled from memory.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> from agar.rewrite import Node, ScopedValue, SymbolTree
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.relu = nn.ReLU()
        ...
        ...     def construct(self, x):
        ...         return self.relu(x) + 1
        >>> tree = SymbolTree.create(Net())
        >>> [node.get_name() for node in tree.nodes()]
        ['input_x', 'relu', 'binop_add', 'return']
        >>> name = tree.get_node("relu").get_targets()[0]
        >>> square = Node.create_call_function(ms.ops.square, [name], [name])
        >>> _ = tree.insert(tree.after("relu"), square)
        >>> print(tree.get_network()(ms.Tensor([-1.0, 3.0])))
        [ 1. 10.]
    """

    def __init__(self, handler: Any) -> None:
        self._symbol_tree: Tree = one_of("SymbolTree", "handler", handler, Tree)

    @classmethod
    def create(cls, network: Cell) -> SymbolTree:
        """The tree of a network.

        Args:
            network (Cell): the network; its class has source.

        Returns:
            SymbolTree.

        Raises:
            TypeError: `network` is not a Cell.
            RuntimeError: the source of its ``construct`` cannot be read.
        """
        return cls(Tree(one_of("SymbolTree", "network", network, Cell)))

    # ----------------------------------------------------------------------- nodes

    def get_handler(self) -> Any:
        """The tree behind the object."""
        return self._symbol_tree

    def nodes(self, all_nodes: bool = False) -> Iterator[Node]:
        """The nodes, in the order of the code.

        Args:
            all_nodes (bool): whether those of functions, branches, loops, containers and subtrees
                are given as well. Default: ``False``.

        Returns:
            Iterator of Node.

        Raises:
            TypeError: `all_nodes` is not a bool.
        """
        one_of("nodes", "all_nodes", all_nodes, bool)
        tree = self._symbol_tree
        return map(Node, list(tree.all_nodes() if all_nodes else tree.block.nodes))

    def all_nodes(self, subtree_nodes: bool = True) -> list[Node]:
        """All nodes, also those of functions, branches, loops and containers.

        Args:
            subtree_nodes (bool): whether those of subtrees are given as well. Default: ``True``.

        Raises:
            TypeError: `subtree_nodes` is not a bool.
        """
        one_of("all_nodes", "subtree_nodes", subtree_nodes, bool)
        return [Node(node) for node in self._symbol_tree.all_nodes(subtree_nodes)]

    def get_node(self, node_name: str) -> Node | None:
        """The node of a name, or None.

        Args:
            node_name (str): the name.

        Raises:
            TypeError: `node_name` is not a str.
        """
        result = self._symbol_tree.find(one_of("SymbolTree", "node_name", node_name, str))
        return None if result is None else Node(result)

    def get_inputs(self) -> list[Node]:
        """The inputs of the network."""
        return [n for n in self.nodes() if n.get_node_type() is NodeType.Input]

    def get_origin_network(self) -> Cell:
        """The network that the tree was made of."""
        return self._symbol_tree.network

    # --------------------------------------------------------------------- changes

    def _own(self, node: Node | str) -> Statement:
        one_of("SymbolTree", "node", node, Node, str)
        return self._symbol_tree.own(node if isinstance(node, str) else node._node)

    def before(self, node: Node | str) -> Position:
        """The place before a node, for :meth:`insert`.

        Args:
            node (Union[Node, str]): the node, or its name.

        Returns:
            Position.

        Raises:
            TypeError: `node` is neither a Node nor a str.
            RuntimeError: it is not in this tree.
        """
        return Position(self._own(node), True)

    def after(self, node: Node | str) -> Position:
        """The place behind a node, for :meth:`insert`.

        Args:
            node (Union[Node, str]): the node, or its name.

        Returns:
            Position.

        Raises:
            TypeError: `node` is neither a Node nor a str.
            RuntimeError: it is not in this tree.
        """
        return Position(self._own(node), False)

    def insert(self, position: Position, node: Node) -> Node:
        """Insert a new node.

        Args:
            position (Position): from :meth:`before` or :meth:`after`.
            node (Node): a node that was created and is in no tree.

        Returns:
            Node, `node`, with a name that is new in the tree.

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: the position is in another tree, or the node was inserted before.
            RuntimeError: the position is before an input.
        """
        one_of("SymbolTree", "position", position, Position)
        one_of("SymbolTree", "node", node, Node)
        return Node(self._symbol_tree.insert(node._node, position))

    def erase(self, node: Node | str) -> Node:
        """Take a node out; nodes that take its outputs must be changed with :meth:`Node.set_arg`.

        Args:
            node (Union[Node, str]): the node, or its name.

        Returns:
            Node, the node.

        Raises:
            TypeError: `node` is neither a Node nor a str.
            RuntimeError: it is not in this tree, or is an input.
        """
        return Node(self._symbol_tree.erase(self._own(node)))

    def replace(self, old_node: Node, new_nodes: list[Node]) -> Node:
        """Put new nodes, one behind the other, in the place of a node.

        Args:
            old_node (Node): the node that is taken out.
            new_nodes (list[Node]): created nodes.

        Returns:
            Node, the last of them.

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: `new_nodes` is empty.
            RuntimeError: `old_node` is not in this tree.
        """
        one_of("SymbolTree", "old_node", old_node, Node)
        sequence_of("SymbolTree", "new_nodes", new_nodes, Node)
        return Node(self._symbol_tree.replace(old_node._node, [n._node for n in new_nodes]))

    def set_output(self, index: int, return_value: str) -> Node:
        """Return another variable.

        Args:
            index (int): which of the returned values.
            return_value (str): the name of the variable.

        Returns:
            Node, that of the last return statement.

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: `index` is out of range.
            RuntimeError: the network returns nothing.
        """
        one_of("SymbolTree", "index", index, int)
        one_of("SymbolTree", "return_value", return_value, str)
        outputs = [n for n in self.nodes() if n.get_node_type() is NodeType.Output]
        if not outputs:
            raise RuntimeError("For 'SymbolTree', the network has no return statement at its end.")
        outputs[-1].set_arg(index, ScopedValue.create_naming_value(return_value))
        return outputs[-1]

    def unique_name(self, name: str = "output") -> str:
        """A name of a variable that the network does not use.

        Args:
            name (str): the name, to which a number may be added. Default: ``"output"``.

        Returns:
            str.

        Raises:
            TypeError: `name` is not a str.
        """
        return self._symbol_tree.variables.free(one_of("SymbolTree", "name", name, str))

    def flatten_nodes(self, node: Node, erase_nodes_after_return: bool = False) -> NoReturn:
        """Not available: put the statements of a function in the place of its call.

        Args:
            node (Node): the call.
            erase_nodes_after_return (bool): whether what follows a return is erased.
                Default: ``False``.

        Raises:
            NotImplementedError: always.
        """
        raise missing_feature(
            "SymbolTree.flatten_nodes",
            "a function's variables would have to be renamed in its caller",
            "insert beside the nodes in the function: get_node finds them by name",
        )

    def flatten_static_if_control_flow(self) -> NoReturn:
        """Not available: leave out branches that attributes of the network decide.

        Raises:
            NotImplementedError: always.
        """
        raise missing_feature(
            "SymbolTree.flatten_static_if_control_flow",
            "conditions are not evaluated before the network runs",
            "erase the if_node, and insert what its branch does",
        )

    # ------------------------------------------------------------------------ code

    def print_node_tabulate(self, all_nodes: bool = False) -> None:
        """Print a table of the nodes: type, name, code, and how they depend on each other.

        ``arg providers`` has for an argument the node and output that gives it, ``target users``
        for an output the nodes that take it and the arguments they take it as.

        Args:
            all_nodes (bool): whether nodes inside of nodes are printed as well.
                Default: ``False``.

        Raises:
            TypeError: `all_nodes` is not a bool.
        """
        one_of("print_node_tabulate", "all_nodes", all_nodes, bool)
        head = ("node type", "name", "codes", "arg providers", "target users")
        print(_table([head, *(_row(n._node) for n in self.nodes(all_nodes))]))

    def dump(self) -> None:
        """Print the code and the table of the nodes."""
        print(self.get_code())
        self.print_node_tabulate()

    def get_code(self) -> str:
        """The source of the network as the tree has it now.

        It is for reading: objects that were inserted are given to the network by `get_network`.

        Returns:
            str.
        """
        return self._symbol_tree.code()

    def get_network(self) -> Cell:
        """The network as the tree has it now.

        Returns:
            Cell, of a class derived from that of the original.
        """
        return self._symbol_tree.built()

    def set_saved_file_name(self, file_name: str) -> None:
        """Choose the file that :meth:`save_network_to_file` writes.

        Args:
            file_name (str): its path; ``.py`` is added where it lacks.

        Raises:
            TypeError: `file_name` is not a str.
        """
        one_of("SymbolTree", "file_name", file_name, str)
        self._symbol_tree.file_name = file_name if file_name.endswith(".py") else f"{file_name}.py"

    def get_saved_file_name(self) -> str:
        """The file that :meth:`save_network_to_file` writes, at first ``./network_define.py``."""
        return self._symbol_tree.file_name

    def save_network_to_file(self) -> None:
        """Write the source of the network to the chosen file."""
        Path(self._symbol_tree.file_name).write_text(self.get_code(), encoding="utf-8")


def _row(node: Statement) -> tuple[str, ...]:
    code = node.emitted()
    text = ast.unparse(ast.fix_missing_locations(code[0])).splitlines()[0] if code else ""
    providers = {i: (n.name, k) for i, (n, k) in node.providers().items()}
    users = {i: [(n.name, k) for n, k in result] for i, result in node.users().items()}
    return (str(node.kind), node.name, text, str(providers), str(users))


def _table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(part.ljust(width) for part, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])
