"""Tensors written to files, as a function; the class is ``ops.TensorDump``."""

from __future__ import annotations

from agar._core.errors import describe
from agar._core.tensor import Tensor
from agar.ops._checks import choice
from agar.ops.primitives.debug import dump_tensor

__all__ = ["tensordump"]


def tensordump(file_name: str, tensor: Tensor, mode: str = "out") -> None:
    """Write a tensor to a file of numpy, ``{file_name}_{dtype}_{number}.npy``.

    Numbers count all dumps of a program from 0 on.

    Args:
        file_name (str): the path, with or without ``.npy``.
        tensor (Tensor): what to write; bfloat16 is written as float32.
        mode (str): ``"out"`` or ``"in"``; on one device both are the same. Default: ``"out"``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `mode` is unknown, or `file_name` empty.

    Difference from PyTorch: no counterpart; ``numpy.save``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     ms.ops.tensordump(folder + "/x", ms.Tensor([1.0]))
        ...     print(os.listdir(folder)[0].startswith("x_float32_"))
        True
    """
    if not isinstance(file_name, str):
        raise TypeError(
            f"For 'tensordump', the type of 'file_name' must be str, but got {file_name!r}."
        )
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For 'tensordump', 'tensor' must be a Tensor, but got {describe(tensor)}.")
    choice("tensordump", "mode", mode, ("out", "in"))
    dump_tensor("tensordump", file_name, tensor)
