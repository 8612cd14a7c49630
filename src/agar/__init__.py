"""agar: MindSpore's programming model on PyTorch's engine."""

from agar import nn as nn
from agar import ops as ops
from agar._core.autodiff import get_grad as get_grad
from agar._core.autodiff import grad as grad
from agar._core.autodiff import value_and_grad as value_and_grad
from agar._core.dtype import float32 as float32
from agar._core.parameter import Parameter as Parameter
from agar._core.tensor import Tensor as Tensor
