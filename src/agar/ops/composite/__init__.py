"""Transforms and composed functions, at MindSpore's path: ``from agar.ops import composite as C``.

Any function of ``agar.ops`` can be reached here too, as programs expect of ``C.clip_by_value``.
"""

from __future__ import annotations

from typing import Any

from agar._core.autodiff import GradOperation as GradOperation
from agar.ops import _paths
from agar.ops.python.control import HyperMap as HyperMap
from agar.ops.python.control import Map as Map
from agar.ops.python.control import MultitypeFuncGraph as MultitypeFuncGraph

__all__ = ["GradOperation", "HyperMap", "Map", "MultitypeFuncGraph"]

_paths.children(__name__, ("base", "env_ops", "math_ops", "multitype_ops"))


def __getattr__(name: str) -> Any:
    return _paths.find(__name__, name)
