"""Linear algebra of mint. Written by scripts/stubs.py; not to be edited."""


import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from agar._core.optable import Primitive as Primitive
from agar._core.tensor import Tensor as Tensor
Number = builtins.bool | builtins.int | builtins.float | builtins.complex | np.generic

__all__ = [
    'inv',
    'matrix_norm',
    'norm',
    'qr',
    'vector_norm',
]

def inv(input: Tensor) -> Tensor:
    r"""Inverse of square matrices: :math:`out \cdot input = I`.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns:
        Tensor of the same shape.
    """
    ...

def matrix_norm(A: Tensor, ord: Any = 'fro', dim: Any = ..., keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Norm of matrices; see :func:`ops.matrix_norm`.

    Args:
        A (Tensor): two axes or more; integers are computed in float32.
        ord (Union[int, float, str]): ``"fro"``, ``"nuc"``, 1, -1, 2, -2, inf or -inf.
            Default: ``"fro"``.
        dim (tuple): the two axes of the matrices. Default: (-2, -1).
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in. Default: None.
    """
    ...

def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    r"""Norm of vectors or matrices.

    Args:
        A (Tensor): any shape; integers are computed in float32.
        ord (Union[None, int, float, str]): which norm. None: the square root of the sum of squares.
            For vectors a number p: :math:`(\sum |x|^p)^{1/p}`, 0 counts what is not zero. For
            matrices ``"fro"``, ``"nuc"``, 1, -1, 2, -2, inf or -inf. Default: None.
        dim (Union[int, tuple]): one axis for vectors, two for matrices. Default None: all axes;
            with `ord`, `A` must be a vector or a matrix.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in. Default: None.

    Returns:
        Tensor.
    """
    ...

def qr(A: Tensor, mode: str = 'reduced') -> tuple[Tensor, Tensor]:
    """QR decomposition; ``mode="r"`` gives an empty Q; see :func:`ops.qr`.

    Args:
        A (Tensor): shape :math:`(.., M, N)`.
        mode (str): ``"reduced"`` or ``"complete"``, which makes Q square. Default: ``"reduced"``.
    """
    ...

def vector_norm(x: Tensor, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Norm of vectors; see :func:`ops.vector_norm`.

    Args:
        x (Tensor): any shape; integers are computed in float32.
        ord (number): which norm; 0 counts what is not zero. Default: 2.
        dim (Union[None, int, tuple]): the axes. Default None: all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in. Default: None.
    """
    ...
