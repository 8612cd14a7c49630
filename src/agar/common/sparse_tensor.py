"""Sparse tensors, under MindSpore's path."""

from agar._core.sparse import COOTensor as COOTensor
from agar._core.sparse import CSRTensor as CSRTensor
from agar._core.sparse import RowTensor as RowTensor
from agar._core.sparse import RowTensorInner as RowTensorInner
from agar._core.sparse import SparseTensor as SparseTensor

__all__ = [
    "COOTensor",
    "CSRTensor",
    "RowTensor",
    "RowTensorInner",
    "SparseTensor",
]
