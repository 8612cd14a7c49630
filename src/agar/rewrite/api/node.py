"""One statement of a network."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

from agar.nn.cell import Cell
from agar.ops import Primitive
from agar.rewrite._checks import mapping_of, one_of, sequence_of
from agar.rewrite._nodes import Statement
from agar.rewrite._parse import instance_kind, is_network
from agar.rewrite._tree import Tree
from agar.rewrite.api.node_type import NodeType
from agar.rewrite.api.scoped_value import ScopedValue, ValueType

__all__ = ["Node"]

_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    type,
)


def _as_value(given: ScopedValue | str) -> ScopedValue:
    if isinstance(given, ScopedValue):
        return given
    scope, _, name = given.rpartition(".")
    return ScopedValue.create_naming_value(name, scope)


def _created(
    owner: str, kind: NodeType, instance: Any, name: str, targets: Any, args: Any, kwargs: Any
) -> Statement:
    sequence_of(owner, "targets", targets, ScopedValue, str)
    statement = Statement(name, kind)
    statement.instance = instance
    statement.targets = [_as_value(t) for t in targets]
    if not targets or any(t.type is not ValueType.NamingValue for t in statement.targets):
        raise ValueError(f"For '{owner}', the 'targets' must be at least one name, got {targets}.")
    statement.args = list(sequence_of(owner, "args", args or [], ScopedValue))
    statement.kwargs = dict(mapping_of(owner, "kwargs", kwargs or {}, ScopedValue))
    return statement


class Node:
    """One statement of a network, such as the call of a layer.

    Nodes come from a :class:`SymbolTree`, or from `create_call_cell`, `create_call_function` and
    `create_input`; those have no place in a network before they are inserted.

    Args:
        node (object): the statement, which only this package makes.

    Raises:
        TypeError: `node` is not such an object.

    Difference from PyTorch: ``torch.fx.Node`` is what one operator did; this is a line of source.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> from agar.rewrite import Node, ScopedValue
        >>> x = ScopedValue.create_naming_value("x")
        >>> Node.create_call_cell(nn.ReLU(), ["x"], [x], name="act").get_node_type()
        <NodeType.CallCell: 1>
    """

    def __init__(self, node: Any) -> None:
        self._node: Statement = one_of("Node", "node", node, Statement)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._node is other._node

    def __hash__(self) -> int:
        return id(self._node)

    def __repr__(self) -> str:
        return f"<Node {self.get_name()!r}: {self.get_node_type().name}>"

    # -------------------------------------------------------------------- creation

    @staticmethod
    def create_call_cell(
        cell: Cell,
        targets: Sequence[ScopedValue | str],
        args: Sequence[ScopedValue] | None = None,
        kwargs: dict[str, ScopedValue] | None = None,
        name: str = "",
        is_sub_net: bool = False,
    ) -> Node:
        """The statement ``targets = self.name(*args, **kwargs)``.

        Args:
            cell (Union[Cell, Primitive]): what is called.
            targets (list[Union[ScopedValue, str]]): the names of the outputs.
            args (list[ScopedValue]): positional arguments. Default: ``None``, none.
            kwargs (dict[str, ScopedValue]): keyword arguments. Default: ``None``, none.
            name (str): the name of the node and the attribute, made new when it is inserted.
                Default: ``""``, the name of the class.
            is_sub_net (bool): whether the cell gets a tree of its own. Default: ``False``.

        Returns:
            Node.

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: there are no targets, or one is not a name.
        """
        owner = "create_call_cell"
        one_of(owner, "cell", cell, Cell, Primitive)
        one_of(owner, "name", name, str)
        one_of(owner, "is_sub_net", is_sub_net, bool)
        kind = instance_kind(cell)
        kind = NodeType.CallCell if kind is NodeType.CellContainer else kind
        statement = _created(owner, kind, cell, name, targets, args, kwargs)
        if is_sub_net and is_network(cell):
            statement.kind = NodeType.Tree
            statement.subtree = Tree(cell)
        return Node(statement)

    @staticmethod
    def create_call_function(
        function: Callable[..., Any],
        targets: Sequence[ScopedValue | str],
        args: Sequence[ScopedValue] | None = None,
        kwargs: dict[str, ScopedValue] | None = None,
    ) -> Node:
        """The statement ``targets = function(*args, **kwargs)``.

        Args:
            function (Callable): a function or class; what is in it is not parsed.
            targets (list[Union[ScopedValue, str]]): the names of the outputs.
            args (list[ScopedValue]): positional arguments. Default: ``None``, none.
            kwargs (dict[str, ScopedValue]): keyword arguments. Default: ``None``, none.

        Returns:
            Node.

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: there are no targets, or one is not a name.
        """
        owner = "create_call_function"
        one_of(owner, "function", function, *_FUNCTIONS)
        name = getattr(function, "__name__", "function")
        kind = NodeType.CallFunction
        return Node(_created(owner, kind, function, name, targets, args, kwargs))

    @staticmethod
    def create_input(param_name: str, default: ScopedValue | None = None) -> Node:
        """A new input of the network, behind those that it has.

        Args:
            param_name (str): its name.
            default (ScopedValue): its value when it is not given. Default: ``None``, None.

        Returns:
            Node.

        Raises:
            TypeError: an argument is of the wrong type.
        """
        one_of("create_input", "param_name", param_name, str)
        if default is not None:
            one_of("create_input", "default", default, ScopedValue)
        statement = Statement(f"input_{param_name}", NodeType.Input)
        statement.targets = [ScopedValue.create_naming_value(param_name)]
        statement.default = default
        return Node(statement)

    # ------------------------------------------------------------------- relations

    def get_handler(self) -> Any:
        """The statement behind the node."""
        return self._node

    def get_inputs(self) -> list[Node]:
        """The nodes that give the arguments, in their order."""
        return [Node(node) for node, _ in self._node.providers().values()]

    def get_users(self) -> list[Node]:
        """The nodes that take an output, each once."""
        result: list[Node] = []
        for users in self._node.users().values():
            result += [Node(user) for user, _ in users if Node(user) not in result]
        return result

    def get_arg_providers(self) -> dict[int, tuple[Node, int]]:
        """For each argument the node that gives it, and which of its outputs it is."""
        return {i: (Node(node), k) for i, (node, k) in self._node.providers().items()}

    def get_target_users(self, index: int = -1) -> Any:
        """For each output the nodes that take it, and as which argument.

        Args:
            index (int): an output, whose list is returned alone. Default: ``-1``, all.

        Returns:
            dict[int, list[tuple[Node, int]]], or one of the lists.

        Raises:
            TypeError: `index` is not an int.
        """
        one_of("get_target_users", "index", index, int)
        users = {
            i: [(Node(node), k) for node, k in result] for i, result in self._node.users().items()
        }
        return users if index == -1 else users.get(index, [])

    def get_symbol_tree(self) -> Any:
        """The :class:`SymbolTree` of the node, or None before it is inserted or when erased."""
        from agar.rewrite.api.symbol_tree import SymbolTree  # a tree gives nodes, and they it

        block = self._node.block
        return None if block is None else SymbolTree(block.tree)

    def get_sub_tree(self) -> Any:
        """The :class:`SymbolTree` of the network that the node calls.

        Raises:
            TypeError: the node is not of the type Tree.
            AttributeError: the network stands in a container, and was not parsed.
        """
        from agar.rewrite.api.symbol_tree import SymbolTree  # a tree gives nodes, and they it

        if self._node.kind is not NodeType.Tree:
            raise TypeError(
                "For 'get_sub_tree', the type of the node must be 'NodeType.Tree', but got "
                f"{self._node.kind}."
            )
        if self._node.subtree is None:
            raise AttributeError(
                f"For 'get_sub_tree', the network of '{self._node.name}' was not parsed; make a "
                "tree of it with SymbolTree.create."
            )
        return SymbolTree(self._node.subtree)

    # ----------------------------------------------------------------- description

    def get_name(self) -> str:
        """The name, unique in its tree."""
        return self._node.name

    def get_node_type(self) -> NodeType:
        """What the statement does."""
        return self._node.kind

    def get_instance(self) -> Any:
        """The cell, Primitive or function that is called, or None."""
        return self._node.instance

    def get_instance_type(self) -> Any:
        """The type of the cell or Primitive that is called, the function, or NoneType."""
        instance = self._node.instance
        if isinstance(instance, (types.FunctionType, type)):
            return instance
        return type(None) if isinstance(instance, types.BuiltinFunctionType) else type(instance)

    def get_targets(self) -> list[ScopedValue]:
        """What the statement assigns to."""
        return list(self._node.targets)

    def get_args(self) -> list[ScopedValue]:
        """Positional arguments, or operands."""
        return list(self._node.args)

    def get_kwargs(self) -> dict[str, ScopedValue]:
        """Keyword arguments."""
        return dict(self._node.kwargs)

    def set_attribute(self, key: str, value: Any) -> None:
        """Note something about the node.

        Args:
            key (str): under which name.
            value (Any): what.

        Raises:
            TypeError: `key` is not a str.
        """
        self._node.attributes[one_of("set_attribute", "key", key, str)] = value

    def get_attributes(self) -> dict[str, Any]:
        """What was noted with `set_attribute`."""
        return self._node.attributes

    def get_attribute(self, key: str) -> Any:
        """What was noted under a name, or None.

        Args:
            key (str): the name.

        Raises:
            TypeError: `key` is not a str.
        """
        return self._node.attributes.get(one_of("get_attribute", "key", key, str))

    # --------------------------------------------------------------------- changes

    def set_arg(self, index: int, arg: ScopedValue | str) -> None:
        """Change an argument.

        Args:
            index (int): which; keyword arguments stand behind positional ones.
            arg (Union[ScopedValue, str]): the new one; text is the name of a variable.

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: `index` is out of range.
        """
        one_of("set_arg", "index", index, int)
        one_of("set_arg", "arg", arg, ScopedValue, str)
        self._node.set_value(index, _as_value(arg))

    def set_arg_by_node(self, arg_idx: int, src_node: Node, out_idx: int | None = None) -> None:
        """Let an argument be the output of a node.

        Args:
            arg_idx (int): which argument.
            src_node (Node): the node.
            out_idx (int): which of its outputs. Default: ``None``, the only one.

        Raises:
            TypeError: an argument is of the wrong type.
            ValueError: an index is out of range, or left out where there are several outputs.
        """
        one_of("set_arg_by_node", "arg_idx", arg_idx, int)
        one_of("set_arg_by_node", "src_node", src_node, Node)
        targets = src_node._node.targets
        if out_idx is None and len(targets) == 1:
            out_idx = 0
        if not isinstance(out_idx, (int, type(None))) or isinstance(out_idx, bool):
            raise TypeError(f"For 'set_arg_by_node', 'out_idx' must be an int, got {out_idx!r}.")
        if out_idx is None or not 0 <= out_idx < len(targets):
            raise ValueError(
                f"For 'set_arg_by_node', 'out_idx' must name one of the {len(targets)} outputs of "
                f"'{src_node.get_name()}', but got {out_idx}."
            )
        self._node.set_value(arg_idx, targets[out_idx])
