"""Kinds of nodes."""

from __future__ import annotations

from enum import Enum

__all__ = ["NodeType"]


class NodeType(Enum):
    """What the statement of a node does.

    Attributes:
        Unknown: not known yet.
        CallCell: calls a layer.
        CallPrimitive: calls a Primitive.
        CallModule: not used.
        CallFunction: calls a function or a method.
        CallMethod: makes a tuple or list, takes an item, or gives a value another name.
        Python: anything else, kept as it is.
        Input: an argument of the function.
        Output: a return statement.
        Tree: calls a network that has a tree of its own.
        CellContainer: calls a container of cells.
        MathOps: an arithmetic, logical or comparing operator.
        ControlFlow: an ``if``, ``else``, ``for`` or ``while`` with its statements.

    Difference from PyTorch: ``torch.fx`` has the opcodes of its nodes as text.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.rewrite import NodeType
        >>> NodeType.CallCell
        <NodeType.CallCell: 1>
    """

    Unknown = 0
    CallCell = 1
    CallPrimitive = 2
    CallModule = 3
    CallFunction = 4
    CallMethod = 5
    Python = 6
    Input = 7
    Output = 8
    Tree = 9
    CellContainer = 10
    MathOps = 11
    ControlFlow = 12
