"""Networks changed as source: their statements are nodes that can be inserted, erased, replaced.

:class:`SymbolTree` parses ``construct`` of a Cell; nested expressions become statements of their
own, so that each call is a :class:`Node`. What is changed is generated and compiled again.
MindSpore marks all of it as experimental.
"""

from agar.rewrite.api.node import Node as Node
from agar.rewrite.api.node_type import NodeType as NodeType
from agar.rewrite.api.pattern_engine import PatternEngine as PatternEngine
from agar.rewrite.api.pattern_engine import PatternNode as PatternNode
from agar.rewrite.api.pattern_engine import Replacement as Replacement
from agar.rewrite.api.pattern_engine import VarNode as VarNode
from agar.rewrite.api.scoped_value import ScopedValue as ScopedValue
from agar.rewrite.api.scoped_value import ValueType as ValueType
from agar.rewrite.api.symbol_tree import SymbolTree as SymbolTree

__all__ = [
    "Node",
    "NodeType",
    "PatternEngine",
    "PatternNode",
    "Replacement",
    "ScopedValue",
    "SymbolTree",
    "ValueType",
    "VarNode",
]
