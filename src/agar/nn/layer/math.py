"""Mathematical functions as layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from agar import ops
from agar._core import dtype as mstype
from agar._core.tensor import Tensor
from agar.nn.cell import Cell
from agar.ops._checks import boolean, integer, number

__all__ = [
    "CosineSimilarity",
    "DiGamma",
    "IGamma",
    "LBeta",
    "LGamma",
    "MatDet",
    "MatInverse",
    "MatMul",
    "Moments",
    "Range",
    "ReduceLogSumExp",
]


class ReduceLogSumExp(Cell):
    r"""Logarithm of the sum of exponentials: :math:`out = \ln \sum_i e^{x_i}`.

    Args:
        axis (Union[int, tuple[int], list[int]]): the axes; () for all.
        keep_dims (bool): whether the reduced axes are kept, with size 1. Default: False.

    Inputs:
        - **x** (Tensor) - floating point.

    Outputs: Tensor of the input's dtype.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an axis is out of range.

    Difference from PyTorch: ``torch.logsumexp`` is a function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.ReduceLogSumExp(0)(ms.Tensor([0.0, 0.0])))
        0.6931472
    """

    def __init__(self, axis: Any, keep_dims: bool = False) -> None:
        super().__init__()
        if type(axis) is bool or not isinstance(axis, (int, tuple, list)):
            raise TypeError(
                "For 'ReduceLogSumExp', the type of 'axis' should be one of '['int', 'list', "
                f"'tuple']', but got type '{type(axis).__name__}'."
            )
        self.axis = tuple(axis) if isinstance(axis, list) else axis
        self.keep_dims = boolean("ReduceLogSumExp", "keep_dims", keep_dims)

    def construct(self, x: Tensor) -> Tensor:
        axis = tuple(range(x.ndim)) if self.axis == () else self.axis
        return ops.logsumexp(x, axis, self.keep_dims)


class Range(Cell):
    r"""Numbers from a start to a limit: :math:`start, start + delta, \dots < limit`.

    Args:
        start (Union[int, float]): the first number; the limit, if no limit is given.
        limit (Union[int, float]): the end of the interval, which is not included. Default: None:
            they go from 0 to `start`.
        delta (Union[int, float]): the step, not 0. Default: 1.

    Outputs: Tensor, int32 or float32.

    Raises:
        TypeError: an argument is not a number.
        ValueError: `delta` is 0.

    Difference from PyTorch: ``torch.arange`` is a function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.Range(1, 8, 2)())
        [1 3 5 7]
    """

    def __init__(self, start: float, limit: float | None = None, delta: float = 1) -> None:
        super().__init__()
        if limit is None:
            start, limit = 0, start
        for name, value in (("start", start), ("limit", limit), ("delta", delta)):
            number("Range", name, value)
        if delta == 0:
            raise ValueError("For 'Range', the 'delta' can not be zero.")
        values = np.arange(start, limit, delta)
        whole = np.issubdtype(values.dtype, np.integer)
        self.result_tensor = Tensor(values, mstype.int32 if whole else mstype.float32)

    def construct(self) -> Tensor:
        return self.result_tensor


class LGamma(Cell):
    r"""Logarithm of the absolute value of the gamma function: :math:`out_i = \ln |\Gamma(x_i)|`.

    Inputs:
        - **x** (Tensor) - floating point.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: ``torch.lgamma`` is a function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LGamma()(ms.Tensor([1.0, 4.0])))
        [0.        1.7917595]
    """

    def construct(self, x: Tensor) -> Tensor:
        return ops.lgamma(x)


class DiGamma(Cell):
    r"""Derivative of the logarithm of the gamma function.

    Inputs:
        - **x** (Tensor) - floating point.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        TypeError: the input is not a floating-point Tensor.

    Difference from PyTorch: ``torch.digamma`` is a function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.DiGamma()(ms.Tensor([1.0])).asnumpy().round(4))
        [-0.5772]
    """

    def construct(self, x: Tensor) -> Tensor:
        return ops.digamma(x)


class IGamma(Cell):
    r"""Lower regularized incomplete gamma function :math:`P(a, x)`.

    Inputs:
        - **a** (Tensor) - floating point.
        - **x** (Tensor) - of a shape that broadcasts with that of `a`.

    Outputs: Tensor.

    Raises:
        TypeError: an input is not a floating-point Tensor.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: ``torch.special.gammainc`` is a function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.IGamma()(ms.Tensor([1.0]), ms.Tensor([1.0])).asnumpy().round(4))
        [0.6321]
    """

    def construct(self, a: Tensor, x: Tensor) -> Tensor:
        return ops.igamma(a, x)


class LBeta(Cell):
    r"""Logarithm of the beta function.

    :math:`out = \ln \Gamma(x) + \ln \Gamma(y) - \ln \Gamma(x + y)`.

    Inputs:
        - **x** (Tensor) - floating point, positive.
        - **y** (Tensor) - of a shape that broadcasts with that of `x`.

    Outputs: Tensor.

    Raises:
        TypeError: an input is not a floating-point Tensor.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.LBeta()(ms.Tensor([1.0]), ms.Tensor([2.0])))
        [-0.6931472]
    """

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        return ops.lgamma(x) + ops.lgamma(y) - ops.lgamma(x + y)


class CosineSimilarity(Cell):
    r"""Cosine of the angle between vectors.

    .. math:: out = \frac{x_1 \cdot x_2}{\max(\|x_1\|, \epsilon) \max(\|x_2\|, \epsilon)}

    Args:
        dim (int): the axis of the vectors. Default: 1.
        eps (float): :math:`\epsilon`. Default: 1e-8.

    Inputs:
        - **x1** (Tensor) - floating point.
        - **x2** (Tensor) - of a shape that broadcasts with that of `x1`.

    Outputs: Tensor without the axis.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the axis is out of range.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10. ``nn.CosineSimilarity`` is the metric of the same
    name; this layer is ``nn.layer.math.CosineSimilarity``.

    Examples:
        >>> import agar as ms
        >>> from agar.nn.layer.math import CosineSimilarity
        >>> print(CosineSimilarity()(ms.Tensor([[1.0, 0.0]]), ms.Tensor([[2.0, 0.0]])))
        [1.]
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = integer("CosineSimilarity", "dim", dim)
        self.eps = number("CosineSimilarity", "eps", eps)

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        return ops.cosine_similarity(x1, x2, self.dim, self.eps)


class MatMul(Cell):
    r"""Product of matrices, either of which may be transposed.

    Args:
        transpose_x1 (bool): whether the first is transposed. Default: False.
        transpose_x2 (bool): whether the second is transposed. Default: False.

    Inputs:
        - **x1** (Tensor) - a vector or shape :math:`(*, N, K)`.
        - **x2** (Tensor) - of the same dtype, a vector or shape :math:`(*, K, M)`; vectors count
          as in ``ops.matmul``.

    Outputs: Tensor.

    Raises:
        TypeError: a flag is not a bool, or the dtypes differ.
        ValueError: the sizes do not fit.

    Difference from PyTorch: ``torch.matmul`` has no flags.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([[1.0, 2.0]])
        >>> print(ms.nn.MatMul(transpose_x2=True)(x, x))
        [[5.]]
    """

    def __init__(self, transpose_x1: bool = False, transpose_x2: bool = False) -> None:
        super().__init__()
        self.transpose_x1 = boolean("MatMul", "transpose_x1", transpose_x1)
        self.transpose_x2 = boolean("MatMul", "transpose_x2", transpose_x2)

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        if self.transpose_x1 and x1.ndim > 1:
            x1 = ops.swapaxes(x1, -1, -2)
        if self.transpose_x2 and x2.ndim > 1:
            x2 = ops.swapaxes(x2, -1, -2)
        return ops.matmul(x1, x2)


class Moments(Cell):
    r"""Mean and (biased) variance along axes.

    Args:
        axis (Union[int, tuple[int]]): the axes. Default: None, all.
        keep_dims (bool): whether the reduced axes are kept, with size 1. Default: None, False.

    Inputs:
        - **x** (Tensor) - floating point.

    Outputs: a pair of Tensors, mean and variance.

    Raises:
        TypeError: an argument has the wrong type, or the input no floating-point Tensor.
        ValueError: an axis is out of range.

    Difference from PyTorch: ``torch.var_mean`` is a function, in the other order, and unbiased.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> mean, variance = ms.nn.Moments()(ms.Tensor([1.0, 3.0]))
        >>> print(mean, variance)
        2.0 1.0
    """

    def __init__(self, axis: Any = None, keep_dims: bool | None = None) -> None:
        super().__init__()
        if axis is not None and (type(axis) is bool or not isinstance(axis, (int, tuple))):
            raise TypeError(
                "For 'Moments', the type of 'axis' should be one of '['int', 'tuple']', but got "
                f"type '{type(axis).__name__}'."
            )
        self.axis = axis
        self.keep_dims = False if keep_dims is None else boolean("Moments", "keep_dims", keep_dims)

    def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
        if not isinstance(x.dtype, mstype.Float):
            raise TypeError(
                f"For 'Moments', the input must be a floating-point Tensor, but got {x.dtype}; "
                "convert with .astype(ms.float32)."
            )
        axis = tuple(range(x.ndim)) if self.axis in (None, ()) else self.axis
        mean = ops.mean(x, axis, True)
        variance = ops.mean(ops.square(x - ops.stop_gradient(mean)), axis, self.keep_dims)
        return (mean if self.keep_dims else ops.mean(x, axis, False)), variance


class MatInverse(Cell):
    r"""Inverse of symmetric positive definite matrices.

    Inputs:
        - **a** (Tensor) - floating point, shape :math:`(*, M, M)`.

    Outputs: Tensor of the input's shape and dtype.

    Raises:
        RuntimeError: a matrix is not positive definite.

    Difference from PyTorch: ``torch.linalg.inv`` takes any invertible matrix.

    Source: agar's own by Cholesky's method; MindSpore 2.10 has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> inverse = ms.nn.MatInverse()(ms.Tensor([[4.0, 0.0], [0.0, 16.0]]))
        >>> print(ms.ops.diagonal(inverse))
        [0.25   0.0625]
    """

    def construct(self, a: Tensor) -> Tensor:
        return ops.cholesky_inverse(ops.cholesky(a))


class MatDet(Cell):
    r"""Determinant of symmetric positive definite matrices.

    Inputs:
        - **a** (Tensor) - floating point, shape :math:`(*, M, M)`.

    Outputs: Tensor of shape :math:`(*)`.

    Raises:
        RuntimeError: a matrix is not positive definite.

    Difference from PyTorch: ``torch.linalg.det`` takes any square matrix.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MatDet()(ms.Tensor([[4.0, 0.0], [0.0, 9.0]])))
        36.0
    """

    def construct(self, a: Tensor) -> Tensor:
        lower = ops.cholesky(a)
        diagonal = ops.diagonal(lower, 0, -2, -1)
        return ops.square(ops.prod(diagonal, -1))
