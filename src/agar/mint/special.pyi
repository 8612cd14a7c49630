"""Special functions of mint. Written by scripts/stubs.py; not to be edited."""


import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from agar._core.optable import Primitive as Primitive
from agar._core.tensor import Tensor as Tensor
Number = builtins.bool | builtins.int | builtins.float | builtins.complex | np.generic

__all__ = [
    'erfc',
    'exp2',
    'expm1',
    'log1p',
    'log_softmax',
    'round',
    'round_op',
    'sinc',
]

def erfc(input: Tensor) -> Tensor:
    r"""Complementary error function, element by element: :math:`out = 1 - \operatorname{erf}(x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def exp2(input: Tensor) -> Tensor:
    """Power of two, element by element: :math:`out = 2^x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def expm1(input: Tensor) -> Tensor:
    """Exponential function minus one, exact near zero, element by element: :math:`out = e^x - 1`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def log1p(input: Tensor) -> Tensor:
    r"""Natural logarithm of one plus the input, exact near zero, element by element: :math:`out = \ln(1 + x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def log_softmax(input: Tensor, dim: Any = None, *, dtype: Any = None) -> Tensor:
    """Logarithm of the softmax along a dimension; see ``ops.log_softmax``.

    Args:
        input (Tensor): floating point.
        dim (int): the dimension. Default: None: 0 for inputs of rank 1 or 3, otherwise 1.
        dtype (mindspore.dtype): the input is cast to it first. Default: None.

    Returns:
        Tensor of the input's shape.
    """
    ...

def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Nearest integer, halves to even, element by element.

    Args:
        input (Tensor): any shape.
        decimals (int): digits after the point to keep; negative ones round before the point.
            Default: 0.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def round_op(input: Tensor, decimals: int = 0) -> Tensor:
    """Nearest integer, halves to even; the call takes `decimals` (see :func:`ops.round`).

    Args:
        input (Tensor): any shape.
        decimals (int): digits after the point to keep; negative ones round before the point.
            Default: 0.
    """
    ...

def sinc(input: Tensor) -> Tensor:
    r"""Normalized sinc function, element by element: :math:`out = \sin(\pi x) / (\pi x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...
