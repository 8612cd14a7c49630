"""Tensor, MindSpore's tensor over one torch tensor, and the functions that make one."""

from agar._core.tensor.base import TensorBase as TensorBase
from agar._core.tensor.base import wrap as wrap
from agar._core.tensor.interchange import from_numpy as from_numpy
from agar._core.tensor.interchange import from_torch as from_torch
from agar._core.tensor.late_operators import install_operators as install_operators
from agar._core.tensor.tensor_class import LazyTensor as LazyTensor
from agar._core.tensor.tensor_class import Structure as Structure
from agar._core.tensor.tensor_class import SymbolicTensor as SymbolicTensor
from agar._core.tensor.tensor_class import Tensor as Tensor
from agar._core.tensor.tensor_class import _become as _become
from agar._core.tensor.tensor_class import _rebuild as _rebuild
from agar._core.tensor.tensor_class import is_tensor as is_tensor
from agar._core.tensor.tensor_class import tensor as tensor
