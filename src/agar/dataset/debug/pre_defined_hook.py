"""Debug hooks that print."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np

from agar.dataset.debug.debug_hook import DebugHook
from agar.dataset.transforms.transforms import is_pil

__all__ = ["PrintDataHook", "PrintMetaDataHook"]


class PrintMetaDataHook(DebugHook):
    """Prints the types and shapes of the values.

    Args:
        prev_op_name (str, optional): the name of the operation that the hook stands beside.
            Default: ``None``.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.
    """

    def compute(self, *args: Any) -> Any:
        """Print the types and shapes.

        Args:
            *args (tuple): one argument, a tuple of the values at this point of the pipeline.
        """
        for number, value in enumerate(*args):
            text = f"Column {number}. "
            if isinstance(value, np.ndarray):
                text += f"The dtype is [{value.dtype}]. The shape is [{value.shape}]."
            elif is_pil(value):
                text += f"The type is [{type(value)}]. The shape is [{value.size}]."
            elif isinstance(value, Sized):
                text += f"The type is [{type(value)}]. The size is [{len(value)}]."
            print(text, flush=True)
        return args


class PrintDataHook(DebugHook):
    """Prints the values.

    Args:
        prev_op_name (str, optional): the name of the operation that the hook stands beside.
            Default: ``None``.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.
    """

    def compute(self, *args: Any) -> Any:
        """Print the values.

        Args:
            *args (tuple): one argument, a tuple of the values at this point of the pipeline.
        """
        for number, value in enumerate(*args):
            shown = np.asarray(value) if is_pil(value) else value
            print(f"Column {number}. The data is [{shown}].", flush=True)
        return args
