"""What operators compute, written to files on Ascend chips."""

from __future__ import annotations

import warnings
from typing import Any

from agar._core.context import get_context
from agar._core.optable import Primitive
from agar.nn.cell import Cell

__all__ = ["set_dump"]


def set_dump(target: Any, enabled: bool = True) -> None:
    """Write what a Cell or Primitive computes to files; elsewhere than on Ascend a warning says no.

    Args:
        target (Union[Cell, Primitive]): what is looked at.
        enabled (bool): whether it is. Default: ``True``.

    Raises:
        ValueError: `target` is neither a Cell nor a Primitive.

    Difference from PyTorch: register a forward hook that saves its arguments.

    Source: behaviour observed in MindSpore 2.10.
    """
    if not isinstance(target, (Cell, Primitive)):
        raise ValueError(
            'The "target" parameter must be an instance of Cell or Primitive, but got an instance '
            f"of {type(target)}."
        )
    warnings.warn(
        f"Current device_target is {get_context('device_target')}, which is not supported by "
        "set_dump. Register a forward hook on the Cell to save what it computes.",
        stacklevel=2,
    )
