"""Operators on the parts of CSRTensors, at MindSpore's path; :class:`agar.CSRTensor` has them all.

Each takes the row pointers, the columns, the values and the sizes of a CSRTensor one by one.
"""

from __future__ import annotations

from typing import Any

from agar import ops
from agar._core.sparse import CSRTensor
from agar._core.tensor import Tensor
from agar.ops.primitive import primitive_of

__all__ = [
    "COO2CSR",
    "CSR2COO",
    "CSRMM",
    "CSRMV",
    "CSRDiv",
    "CSRGather",
    "CSRMul",
    "CSRReduceSum",
]

_Shape = tuple[int, ...]


def _mm(indptr: Tensor, indices: Tensor, values: Tensor, shape: _Shape, dense: Tensor) -> Tensor:
    """The product with a dense matrix, see ``CSRTensor.mm``."""
    return CSRTensor(indptr, indices, values, shape).mm(dense)


def _mv(indptr: Tensor, indices: Tensor, values: Tensor, shape: _Shape, dense: Tensor) -> Tensor:
    """The product with a dense column, see ``CSRTensor.mv``."""
    return CSRTensor(indptr, indices, values, shape).mv(dense)


def _mul(indptr: Tensor, indices: Tensor, values: Tensor, shape: _Shape, dense: Tensor) -> Any:
    """The values of the product with a dense tensor that broadcasts, element by element."""
    return values * ops.csr_gather(indptr, indices, dense, shape)


def _div(indptr: Tensor, indices: Tensor, values: Tensor, shape: _Shape, dense: Tensor) -> Any:
    """The values of the quotient by a dense tensor that broadcasts, element by element."""
    return values / ops.csr_gather(indptr, indices, dense, shape)


def _sum(indptr: Tensor, indices: Tensor, values: Tensor, shape: _Shape, axis: int) -> Tensor:
    """The sum over the columns, see ``CSRTensor.sum``."""
    return CSRTensor(indptr, indices, values, shape).sum(axis)


COO2CSR = primitive_of("COO2CSR", ops.coo2csr)
CSR2COO = primitive_of("CSR2COO", ops.csr2coo)
CSRDiv = primitive_of("CSRDiv", _div)
CSRGather = primitive_of("CSRGather", ops.csr_gather)
CSRMM = primitive_of("CSRMM", _mm)
CSRMV = primitive_of("CSRMV", _mv)
CSRMul = primitive_of("CSRMul", _mul)
CSRReduceSum = primitive_of("CSRReduceSum", _sum)
