"""The context under MindSpore's module path ``mindspore.context``."""

from agar._core.context import GRAPH_MODE as GRAPH_MODE
from agar._core.context import PYNATIVE_MODE as PYNATIVE_MODE
from agar._core.context import ParallelMode as ParallelMode
from agar._core.context import get_context as get_context
from agar._core.context import set_context as set_context

__all__ = ["GRAPH_MODE", "PYNATIVE_MODE", "ParallelMode", "get_context", "set_context"]
