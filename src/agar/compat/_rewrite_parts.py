"""Which cells a SymbolTree opens: what programs change at MindSpore's ``rewrite.common``."""

from __future__ import annotations

from agar.rewrite._parse import NOT_OPENED as _subtree_black_list
from agar.rewrite._parse import is_network as is_subtree

__all__ = ["_subtree_black_list", "is_subtree"]
