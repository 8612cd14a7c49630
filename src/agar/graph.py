"""What the graph engine did: explanations, generated code, and waiting for it.

Functions take a Cell that was called in GRAPH_MODE, a function that ``ms.jit`` made, or one whose
gradient was taken in GRAPH_MODE.
"""

import warnings

from agar._core import absent as _absent
from agar._core.graph.inspect.audit import Audit as Audit
from agar._core.graph.inspect.audit import GraphAuditError as GraphAuditError
from agar._core.graph.inspect.audit import audit as audit
from agar._core.graph.inspect.explain import clear as clear
from agar._core.graph.inspect.explain import code as code
from agar._core.graph.inspect.explain import explain as explain
from agar._core.graph.inspect.explain import settled as settled
from agar._core.graph.inspect.explain import wait as wait
from agar._core.graph.inspect.forms import Difference as Difference
from agar._core.graph.inspect.report import Explanation as Explanation

# a package for imports: MindSpore's paths below it have no files
__path__: list[str] = []

__all__ = [
    *_absent.names("graph"),
    "Audit",
    "CustomPassType",
    "Difference",
    "Explanation",
    "GraphAuditError",
    "register_custom_pass",
    "audit",
    "clear",
    "code",
    "explain",
    "settled",
    "wait",
]


class CustomPassType:
    """Kinds of changes to MindSpore's graphs; agar's graphs are not changed from outside.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.graph.CustomPassType.PATTERN
        0
    """

    PATTERN = 0
    FULL_GRAPH = 1


def register_custom_pass(
    pass_name: str,
    plugin_so_path: str,
    device: str = "all",
    pass_type: int = CustomPassType.PATTERN,
) -> bool:
    """Refuse a change to MindSpore's graphs, with a warning: agar's are not changed from outside.

    Args:
        pass_name (str): its name.
        plugin_so_path (str): the compiled plug-in.
        device (str): accepted. Default: ``"all"``.
        pass_type (int): accepted. Default: ``CustomPassType.PATTERN``.

    Returns:
        bool, False: it was not registered.

    Difference from PyTorch: ``torch._inductor.config.post_grad_custom_post_pass``.

    Source: behavior observed in MindSpore 2.10, which returns False where the plug-in fails.

    Examples:
        >>> import agar as ms
        >>> ms.graph.register_custom_pass("mine", "plugin.so")  # doctest: +SKIP
        False
    """
    warnings.warn(
        f"The pass '{pass_name}' of {plugin_so_path} is not registered: it changes MindSpore's C++ "
        "graphs, in whose place PyTorch's stand. Replace a Cell by another instead.",
        stacklevel=2,
    )
    return False


__getattr__ = _absent.finder(__name__, globals())
