"""What programs take from MindSpore's private package of helpers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["cell_attr_register"]

# a package for imports: MindSpore's paths below it have no files
__path__: list[str] = []


def cell_attr_register(
    fn: Callable[..., Any] | None = None, attrs: Any = None
) -> Callable[..., Any]:
    """Decorator of a Cell's ``__init__``: MindSpore tells compiled cells apart by its arguments.

    Here it changes nothing: compiled calls are told apart by what they read.

    Args:
        fn (function): the ``__init__``. Default: ``None``: used with arguments.
        attrs (Union[str, list[str]]): names of attributes. Default: ``None``.

    Returns:
        function, `fn` itself.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> from agar._extends import cell_attr_register
        >>> class Net(nn.Cell):
        ...     @cell_attr_register
        ...     def __init__(self):
        ...         super().__init__()
        >>> Net()
        Net()
    """
    if fn is None:
        return lambda init: init
    return fn
