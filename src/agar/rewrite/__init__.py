"""Networks changed as source: their statements are nodes that can be inserted, erased, replaced.

:class:`SymbolTree` parses ``construct`` of a Cell; nested expressions become statements of their
own, so that each call is a :class:`Node`. What is changed is generated and compiled again.
MindSpore marks all of it as experimental.
"""

from agar._core import absent as _absent
from agar.rewrite.api.node import Node as Node
from agar.rewrite.api.node_type import NodeType as NodeType
from agar.rewrite.api.scoped_value import ScopedValue as ScopedValue
from agar.rewrite.api.scoped_value import ValueType as ValueType
from agar.rewrite.api.symbol_tree import SymbolTree as SymbolTree

__all__ = ["Node", "NodeType", "ScopedValue", "SymbolTree", "ValueType"]

__getattr__ = _absent.finder(__name__, globals())
