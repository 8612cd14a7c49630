"""What the graph engine did: explanations, generated code, and waiting for it.

Functions take a Cell that was called in GRAPH_MODE, a function that ``ms.jit`` made, or one whose
gradient was taken in GRAPH_MODE.
"""

from agar._core.graph.explain import clear as clear
from agar._core.graph.explain import code as code
from agar._core.graph.explain import explain as explain
from agar._core.graph.explain import settled as settled
from agar._core.graph.explain import wait as wait
from agar._core.graph.report import Explanation as Explanation

__all__ = [
    "Explanation",
    "clear",
    "code",
    "explain",
    "settled",
    "wait",
]
