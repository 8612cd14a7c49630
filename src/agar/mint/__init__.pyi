"""Operators as PyTorch calls them. Written by scripts/stubs.py; not to be edited."""


import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from agar._core.optable import Primitive as Primitive
from agar._core.tensor import Tensor as Tensor
from agar.mint import distributed as distributed
from agar.mint import linalg as linalg
from agar.mint import nn as nn
from agar.mint import optim as optim
from agar.mint import special as special
from agar.mint.nn import functional as functional
Number = builtins.bool | builtins.int | builtins.float | builtins.complex | np.generic

__all__ = [
    'abs',
    'acos',
    'acosh',
    'add',
    'addbmm',
    'addcdiv',
    'addcmul',
    'addmm',
    'addmv',
    'addr_',
    'all',
    'allclose',
    'amax',
    'amin',
    'any',
    'arange',
    'arccos',
    'arccosh',
    'arcsin',
    'arcsinh',
    'arctan',
    'arctan2',
    'arctanh',
    'argmax',
    'argmin',
    'argsort',
    'asin',
    'asinh',
    'atan',
    'atan2',
    'atanh',
    'baddbmm',
    'batch_norm_elemt',
    'batch_norm_gather_stats_with_counts',
    'batch_norm_stats',
    'bernoulli',
    'bincount',
    'bitwise_and',
    'bitwise_not',
    'bitwise_or',
    'bitwise_xor',
    'bmm',
    'broadcast_to',
    'cat',
    'cdist',
    'ceil',
    'chunk',
    'clamp',
    'clip',
    'clone',
    'concat',
    'conv2d',
    'conv_tbc',
    'cos',
    'cosh',
    'count_nonzero',
    'cross',
    'cummax',
    'cummin',
    'cumprod',
    'cumsum',
    'diag',
    'diff',
    'distributed',
    'div',
    'divide',
    'dot',
    'dstack',
    'einsum',
    'empty',
    'empty_like',
    'eq',
    'equal',
    'erf',
    'erfc',
    'erfinv',
    'exp',
    'exp2',
    'expm1',
    'eye',
    'fix',
    'flatten',
    'flip',
    'float_power',
    'floor',
    'floor_divide',
    'fmod',
    'frac',
    'full',
    'full_like',
    'functional',
    'gather',
    'gcd',
    'ge',
    'greater',
    'greater_equal',
    'gt',
    'histc',
    'hstack',
    'imag',
    'index_add',
    'index_select',
    'inverse',
    'isclose',
    'isfinite',
    'isinf',
    'isnan',
    'isneginf',
    'item',
    'kthvalue',
    'le',
    'lerp',
    'less',
    'less_equal',
    'linalg',
    'linspace',
    'log',
    'log10',
    'log1p',
    'log2',
    'logaddexp',
    'logaddexp2',
    'logical_and',
    'logical_not',
    'logical_or',
    'logical_xor',
    'logsumexp',
    'lt',
    'masked_select',
    'matmul',
    'max',
    'maximum',
    'mean',
    'median',
    'meshgrid',
    'min',
    'minimum',
    'mm',
    'mul',
    'multinomial',
    'mv',
    'nan_to_num',
    'nansum',
    'narrow',
    'ne',
    'neg',
    'negative',
    'nn',
    'nonzero',
    'norm',
    'normal',
    'not_equal',
    'npu_gelu',
    'ones',
    'ones_like',
    'optim',
    'outer',
    'permute',
    'polar',
    'pow',
    'prod',
    'rand',
    'rand_like',
    'randint',
    'randint_like',
    'randn',
    'randn_like',
    'randperm',
    'ravel',
    'real',
    'reciprocal',
    'remainder',
    'repeat_interleave',
    'reshape',
    'roll',
    'round',
    'rsqrt',
    'scatter',
    'scatter_add',
    'searchsorted',
    'select',
    'sigmoid',
    'sign',
    'sin',
    'sinc',
    'sinh',
    'softmax',
    'sort',
    'special',
    'split',
    'sqrt',
    'square',
    'squeeze',
    'stack',
    'std',
    'std_mean',
    'sub',
    'sum',
    'swapaxes',
    't',
    'take',
    'tan',
    'tanh',
    'tile',
    'topk',
    'trace',
    'transpose',
    'triangular_solve',
    'tril',
    'triu',
    'trunc',
    'unbind',
    'unique',
    'unique_consecutive',
    'unsqueeze',
    'var',
    'var_mean',
    'vdot',
    'where',
    'xlogy',
    'zeros',
    'zeros_like',
]

def abs(input: Tensor) -> Tensor:
    """Absolute value, element by element: :math:`out_i = |input_i|`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape and type; complex numbers give the type of their parts.
    """
    ...

def acos(input: Tensor) -> Tensor:
    r"""Inverse cosine, element by element: :math:`out = \arccos x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def acosh(input: Tensor) -> Tensor:
    r"""Inverse hyperbolic cosine, element by element: :math:`out = \cosh^{-1} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def add(input: Tensor | Number, other: Tensor | Number, *, alpha: float = 1) -> Tensor:
    r"""Add a multiple, element by element: :math:`out_i = input_i + alpha \cdot other_i`.

    Args:
        input (Union[Tensor, number]): the first summand.
        other (Union[Tensor, number]): the second; shapes broadcast.
        alpha (number): the factor. Default: 1.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    r"""Products of matrices added: :math:`\beta\, input + \alpha \sum_b batch1_b batch2_b`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(N, M)`.
        batch1 (Tensor): shape :math:`(B, N, K)`; of other shapes the products are summed over
            their first axis.
        batch2 (Tensor): shape :math:`(B, K, M)`, of the same type.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the sum. Default: 1.

    Returns:
        Tensor of shape :math:`(N, M)` and the common type.
    """
    ...

def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """Add a quotient; see :func:`ops.addcdiv`.

    Args:
        input (Tensor): the tensor to add to.
        tensor1 (Tensor): the dividend.
        tensor2 (Tensor): the divisor; shapes broadcast.
        value (Union[number, Tensor]): a factor of the quotient. Default: 1.
    """
    ...

def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """Add a product; see :func:`ops.addcmul`.

    Args:
        input (Tensor): the tensor to add to.
        tensor1 (Tensor): the first factor.
        tensor2 (Tensor): the second; shapes broadcast.
        value (Union[number, Tensor]): a factor of the product. Default: 1.
    """
    ...

def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    r"""Product of matrices added to a tensor: :math:`\beta\, input + \alpha\, mat1 \cdot mat2`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(N, M)`.
        mat1 (Tensor): shape :math:`(N, K)`.
        mat2 (Tensor): shape :math:`(K, M)`, of the same type.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the product. Default: 1.

    Returns:
        Tensor of shape :math:`(N, M)` and the common type.
    """
    ...

def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    r"""Product of matrix and vector added: :math:`\beta\, input + \alpha\, mat \cdot vec`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(N,)`.
        mat (Tensor): shape :math:`(N, M)`.
        vec (Tensor): shape :math:`(M,)`, of the same type.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the product. Default: 1.

    Returns:
        Tensor of shape :math:`(N,)` and the common type.
    """
    ...

def addr_(input: Tensor, vec1: Tensor, vec2: Tensor, beta: float = 1, alpha: float = 1) -> Tensor:
    r"""Add an outer product in place.

    .. math:: input = \beta \cdot input + \alpha \cdot vec_1 \otimes vec_2

    Args:
        input (Tensor): shape :math:`(N, M)`; it is overwritten.
        vec1 (Tensor): shape :math:`(N,)`.
        vec2 (Tensor): shape :math:`(M,)`.
        beta (Union[int, float]): :math:`\beta`. Default: 1.
        alpha (Union[int, float]): :math:`\alpha`. Default: 1.

    Returns:
        Tensor, `input` itself.
    """
    ...

def all(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether all elements along axes are true; see :func:`ops.all`.

    Args:
        input (Tensor): any shape and type.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
    """
    ...

def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    r"""Whether all elements agree: :math:`|input_i - other_i| \le atol + rtol |other_i|`.

    Args:
        input (Tensor): the first tensor.
        other (Tensor): the second; shapes broadcast.
        rtol (float): relative tolerance. Default: 1e-5.
        atol (float): absolute tolerance. Default: 1e-8.
        equal_nan (bool): whether two nans agree. Default: False.

    Returns:
        bool.
    """
    ...

def amax(input: Tensor, dim: Any = ..., keepdim: bool = False) -> Tensor:
    """The largest elements along axes; see :func:`ops.amax`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default: ().
        keepdim (bool): whether the axes stay, with size 1. Default: False.
    """
    ...

def amin(input: Tensor, dim: Any = ..., keepdim: bool = False) -> Tensor:
    """The smallest elements along axes; see :func:`ops.amin`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default: ().
        keepdim (bool): whether the axes stay, with size 1. Default: False.
    """
    ...

def any(input: Tensor, dim: Any = None, keepdim: bool = False) -> Tensor:
    """Whether some elements along axes are true; see :func:`ops.any`.

    Args:
        input (Tensor): any shape and type.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
    """
    ...

def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Tensor:
    r"""Evenly spaced numbers: :math:`start, start + step, \dots` below `end`.

    Args:
        start (Union[number, Tensor]): the first number; the end if `end` is None. Default: 0.
        end (Union[number, Tensor]): the bound, not included. Default: None.
        step (Union[number, Tensor]): the distance. Default: 1.
        dtype (Type): the type. Default None: int64 for ints, float32 otherwise.

    Returns:
        Tensor with one axis.
    """
    ...

def arccos(input: Tensor) -> Tensor:
    r"""Inverse cosine, element by element: :math:`out = \arccos x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def arccosh(input: Tensor) -> Tensor:
    r"""Inverse hyperbolic cosine, element by element: :math:`out = \cosh^{-1} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def arcsin(x: Tensor) -> Tensor:
    r"""Inverse sine, element by element: :math:`out = \arcsin x`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def arcsinh(input: Tensor) -> Tensor:
    r"""Inverse hyperbolic sine, element by element: :math:`out = \sinh^{-1} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def arctan(input: Tensor) -> Tensor:
    r"""Inverse tangent, element by element: :math:`out = \arctan x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def arctan2(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Angle of the point (y, x) in all four quadrants, element by element: :math:`out = \operatorname{atan2}(x, y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def arctanh(input: Tensor) -> Tensor:
    r"""Inverse hyperbolic tangent, element by element: :math:`out = \tanh^{-1} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Indices of the largest elements along an axis.

    Args:
        input (Tensor): any shape.
        dim (int): the axis. Default None: the index in the flattened tensor.
        keepdim (bool): whether the axis stays, with size 1. Default: False.

    Returns:
        Tensor of int64; of equal elements, that of the first.
    """
    ...

def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Indices (int64) of the smallest elements; see :func:`ops.argmin`.

    Args:
        input (Tensor): any shape.
        dim (int): the axis. Default None: the index in the flattened tensor.
        keepdim (bool): whether the axis stays, with size 1. Default: False.
    """
    ...

def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False) -> Tensor:
    """Indices that sort along an axis, int64; see :func:`ops.argsort`.

    Args:
        input (Tensor): any shape.
        dim (int): the axis. Default: -1.
        descending (bool): whether the largest come first. Default: False.
        stable (bool): accepted: equal elements always keep their order. Default: False.

    Returns:
        Tensor of int64.
    """
    ...

def asin(input: Tensor) -> Tensor:
    r"""Inverse sine, element by element: :math:`out = \arcsin x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def asinh(input: Tensor) -> Tensor:
    r"""Inverse hyperbolic sine, element by element: :math:`out = \sinh^{-1} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def atan(input: Tensor) -> Tensor:
    r"""Inverse tangent, element by element: :math:`out = \arctan x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def atan2(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Angle of the point (y, x) in all four quadrants, element by element: :math:`out = \operatorname{atan2}(x, y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def atanh(input: Tensor) -> Tensor:
    r"""Inverse hyperbolic tangent, element by element: :math:`out = \tanh^{-1} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    """Products of matrices in batches added; see :func:`ops.baddbmm`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(B, N, M)`.
        batch1 (Tensor): shape :math:`(B, N, K)`.
        batch2 (Tensor): shape :math:`(B, K, M)`, of the same type.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the products. Default: 1.
    """
    ...

def batch_norm_elemt(input: Tensor, weight: Tensor | None = None, bias: Tensor | None = None, mean: Tensor | None = None, invstd: Tensor | None = None, eps: float = 1e-05) -> Tensor:
    r"""Normalize with given statistics.

    .. math:: out = (input - mean) \cdot invstd \cdot weight + bias

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)`.
        weight (Tensor): scale, shape :math:`(C,)`. Default: None, 1.
        bias (Tensor): shift, shape :math:`(C,)`. Default: None, 0.
        mean (Tensor): shape :math:`(C,)`. Default: None, which is an error.
        invstd (Tensor): reciprocal deviations, shape :math:`(C,)`. Default: None, which is an
            error.
        eps (float): has no effect, it is contained in `invstd`. Default: 1e-5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def batch_norm_gather_stats_with_counts(input: Tensor, mean: Tensor, invstd: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, momentum: float = 0.1, eps: float = 1e-05, counts: Tensor | None = None) -> tuple[Tensor, Tensor]:
    r"""Merge the statistics of several shares of a batch, and update the running ones.

    .. math::

        \mu = \frac{\sum_i n_i \mu_i}{n}, \quad
        \sigma^2 = \frac{\sum_i n_i (\sigma_i^2 + (\mu_i - \mu)^2)}{n}, \quad n = \sum_i n_i

    Args:
        input (Tensor): one share, shape :math:`(N, C, *)`; only its shape counts.
        mean (Tensor): the shares' means :math:`\mu_i`, shape :math:`(W, C)`.
        invstd (Tensor): the shares' reciprocal deviations, shape :math:`(W, C)`.
        running_mean (Tensor): shape :math:`(C,)`, updated in place. Default: None.
        running_var (Tensor): shape :math:`(C,)`, updated in place with the unbiased variance.
            Default: None.
        momentum (float): the share of this batch in the running statistics. Default: 0.1.
        eps (float): what `invstd` contains and the result will contain. Default: 1e-5.
        counts (Tensor): values per channel :math:`n_i` of every share, shape :math:`(W,)`.
            Default: None: all have as many as `input`.

    Returns:
        Two Tensors of shape :math:`(C,)`: mean and reciprocal deviation of the whole batch.
    """
    ...

def batch_norm_stats(input: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    r"""Mean and reciprocal deviation of every channel over the batch.

    .. math:: invstd_c = 1 / \sqrt{\sigma_c^2 + \epsilon}

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)`.
        eps (float): :math:`\epsilon`.

    Returns:
        Two Tensors of shape :math:`(C,)`: the means and the reciprocal deviations, float32 for
        inputs of half precision.
    """
    ...

def bernoulli(input: Tensor, *, generator: Any = None) -> Tensor:
    """Draw zeros and ones; each element of a tensor is the probability of a one.

    Args:
        input (Tensor): probabilities, of a floating type.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns:
        Tensor like `input`.
    """
    ...

def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """Occurrences of each number, as int64 unless there are weights; see :func:`ops.bincount`.

    Args:
        input (Tensor): integers from 0 on, 1-D.
        weights (Tensor): what each occurrence counts. Default None: 1.
        minlength (int): the least length of the result. Default: 0.
    """
    ...

def bitwise_and(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Bitwise and, element by element: :math:`out_i = input_i \land other_i`.

    Args:
        input (Union[Tensor, int, bool]): bool or an integer type.
        other (Union[Tensor, int, bool]): likewise; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def bitwise_not(input: Tensor) -> Tensor:
    """Negate every bit, element by element: :math:`out_i = -x_i - 1` for signed integers.

    Args:
        input (Tensor): an integer type or bool.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def bitwise_or(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Bitwise or, element by element: :math:`out_i = input_i \lor other_i`.

    Args:
        input (Union[Tensor, int, bool]): bool or an integer type.
        other (Union[Tensor, int, bool]): likewise; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def bitwise_xor(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Bitwise exclusive or, element by element: :math:`out_i = input_i \oplus other_i`.

    Args:
        input (Union[Tensor, int, bool]): bool or an integer type.
        other (Union[Tensor, int, bool]): likewise; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def bmm(input: Tensor, mat2: Tensor) -> Tensor:
    """Products of matrices in batches; see :func:`ops.bmm`.

    Args:
        input (Tensor): shape :math:`(.., N, K)`.
        mat2 (Tensor): shape :math:`(.., K, M)`, of the same type; the batch axes broadcast.
    """
    ...

def broadcast_to(input: Tensor, shape: Any) -> Tensor:
    """Repeat along axes of size 1 and new leading axes, without copying.

    Args:
        input (Tensor): any shape that broadcasts.
        shape (tuple): the new shape; -1 keeps a size.

    Returns:
        Tensor, a view.
    """
    ...

def cat(tensors: Tensor | Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join tensors along an existing axis; see :func:`ops.cat`.

    Args:
        tensors (Union[tuple, list]): tensors whose other sizes agree.
        dim (int): the axis. Default: 0.
    """
    ...

def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = 'use_mm_for_euclid_dist_if_necessary') -> Tensor:
    """Distances of all pairs of vectors, always computed exactly; see :func:`ops.cdist`.

    Args:
        x1 (Tensor): shape :math:`(.., N, D)`.
        x2 (Tensor): shape :math:`(.., M, D)`.
        p (float): the norm, at least 0. Default: 2.0.
        compute_mode (str): accepted for compatibility, the result is exact in any case. Default:
            ``"use_mm_for_euclid_dist_if_necessary"``.
    """
    ...

def ceil(input: Tensor) -> Tensor:
    r"""Smallest integer that is not below, element by element: :math:`out = \lceil x \rceil`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Cut into at most a given number of parts; see :func:`ops.chunk`.

    Args:
        input (Tensor): any shape.
        chunks (int): how many parts at most.
        dim (int): the axis. Default: 0.
    """
    ...

def clamp(input: Tensor, min: Tensor | Number | None = None, max: Tensor | Number | None = None) -> Tensor:
    r"""Clamp every element: :math:`out_i = \min(\max(input_i, min_i), max_i)`.

    Args:
        input (Tensor): any shape.
        min (Union[Tensor, number]): the lower bound; shapes broadcast. Default None: none.
        max (Union[Tensor, number]): the upper bound; it wins where it is the smaller one.
            Default None: none.

    Returns:
        Tensor of the common type; a float bound makes float32 of integers.
    """
    ...

def clip(input: Tensor, min: Tensor | Number | None = None, max: Tensor | Number | None = None) -> Tensor:
    r"""Clamp every element: :math:`out_i = \min(\max(input_i, min_i), max_i)`.

    Args:
        input (Tensor): any shape.
        min (Union[Tensor, number]): the lower bound; shapes broadcast. Default None: none.
        max (Union[Tensor, number]): the upper bound; it wins where it is the smaller one.
            Default None: none.

    Returns:
        Tensor of the common type; a float bound makes float32 of integers.
    """
    ...

def clone(input: Tensor) -> Tensor:
    """A copy over its own memory; gradients flow to the original.

    Args:
        input (Tensor): any shape and type.

    Returns:
        Tensor.
    """
    ...

def concat(tensors: Tensor | Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join tensors along an existing axis; see :func:`ops.cat`.

    Args:
        tensors (Union[tuple, list]): tensors whose other sizes agree.
        dim (int): the axis. Default: 0.
    """
    ...

def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1) -> Tensor:
    """Convolution over two dimensions; see ``ops.conv2d``.

    Args:
        input (Tensor): shape :math:`(N, C_{in}, H, W)`, or without N.
        weight (Tensor): shape :math:`(C_{out}, C_{in} / groups, K_h, K_w)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        padding (Union[int, tuple[int], str]): zeros on both sides, ``"valid"`` or ``"same"``.
            Default: 0.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        groups (int): number of groups of channels. Default: 1.

    Returns:
        Tensor of shape
        :math:`(N, C_{out}, H_{out}, W_{out})`, or without N.
    """
    ...

def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: int = 0) -> Tensor:
    r"""Convolution over sequences in the order (time, batch, channel).

    Args:
        input (Tensor): shape :math:`(T, B, C_{in})`.
        weight (Tensor): shape :math:`(K, C_{in}, C_{out})`.
        bias (Tensor): shape :math:`(C_{out},)`.
        pad (int): zeros before and after in time. Default: 0.

    Returns:
        Tensor of shape :math:`(T + 2 \cdot pad - K + 1, B, C_{out})`.
    """
    ...

def cos(input: Tensor) -> Tensor:
    r"""Cosine of radians, element by element: :math:`out = \cos x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def cosh(input: Tensor) -> Tensor:
    """Hyperbolic cosine, element by element: :math:`out = (e^x + e^{-x}) / 2`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """The number of elements along axes that are not zero, as int64; see :func:`ops.count_nonzero`.

    Args:
        input (Tensor): any shape.
        dim (Union[int, tuple, list]): the axes. Default: None.
    """
    ...

def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """Cross product of vectors with three components.

    Args:
        input (Tensor): any shape with an axis of size 3.
        other (Tensor): of the same shape.
        dim (int): that axis. Default None: the first of size 3.

    Returns:
        Tensor of the common type.
    """
    ...

def cummax(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """The largest elements so far, indices in int64; see :func:`ops.cummax`.

    Args:
        input (Tensor): any shape.
        dim (int): the axis.
    """
    ...

def cummin(input: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """The smallest elements so far, indices in int64; see :func:`ops.cummin`.

    Args:
        input (Tensor): any shape.
        dim (int): the axis.
    """
    ...

def cumprod(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    r"""Running product along an axis: :math:`out_i = input_1 \cdots input_i`.

    Args:
        input (Tensor): any shape.
        dim (int): the axis.
        dtype (Type): the type to compute in and to return. Default None: that of `input`, int64
            for integers and bool.

    Returns:
        Tensor of the same shape.
    """
    ...

def cumsum(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """Running sum along an axis; integers give int64. See :func:`ops.cumsum`.

    Args:
        input (Tensor): any shape.
        dim (int): the axis.
        dtype (Type): the type to compute in and to return. Default None: that of `input` (int32 for
            bool).
    """
    ...

def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """A matrix with the vector on a diagonal, or the diagonal of a matrix.

    Args:
        input (Tensor): a vector or a matrix.
        diagonal (int): which diagonal. Default: 0.

    Returns:
        Tensor.
    """
    ...

def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Tensor:
    """Differences of neighbors along an axis; see :func:`ops.diff`.

    Args:
        input (Tensor): one axis or more.
        n (int): how often. Default: 1.
        dim (int): the axis. Default: -1.
        prepend (Tensor): what to put before `input` first. Default: None.
        append (Tensor): what to put behind `input` first. Default: None.
    """
    ...

def div(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: str | None = None) -> Tensor:
    """Divide, element by element: :math:`out_i = input_i / other_i`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
        rounding_mode (str): ``"floor"`` rounds the quotient down, ``"trunc"`` toward zero; None
            keeps the true quotient. Default: None.

    Returns:
        Tensor of the broadcast shape. Integers give float32 without rounding and their common
        type with it.
    """
    ...

def divide(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: str | None = None) -> Tensor:
    """Divide, element by element: :math:`out_i = input_i / other_i`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
        rounding_mode (str): ``"floor"`` rounds the quotient down, ``"trunc"`` toward zero; None
            keeps the true quotient. Default: None.

    Returns:
        Tensor of the broadcast shape. Integers give float32 without rounding and their common
        type with it.
    """
    ...

def dot(input: Tensor, other: Tensor) -> Tensor:
    """Product of two vectors.

    Args:
        input (Tensor): shape :math:`(N,)`.
        other (Tensor): of the same shape and dtype.

    Returns:
        Tensor without axes.
    """
    ...

def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Join tensors along the third axis, adding axes as needed.

    Args:
        tensors (Union[tuple, list]): tensors whose other sizes agree.

    Returns:
        Tensor of the common type.
    """
    ...

def einsum(equation: str, *operands: Tensor) -> Tensor:
    """Sum of products in Einstein's notation.

    Args:
        equation (str): the axes of each operand as letters, ``->`` and those of the result.
        operands (Tensor): the operands, or one list or tuple of them.

    Returns:
        Tensor.
    """
    ...

def empty(*size: Any, dtype: Any = None, device: Any = None, pin_memory: bool = False) -> Tensor:
    """A tensor whose values are not set.

    Args:
        size (Union[int, tuple[int]]): the shape, as numbers or as one tuple.
        dtype (Type): the type. Default None: float32.
        device (str): accepted for compatibility; the tensor is on the device in use.
        pin_memory (bool): accepted for compatibility. Default: False.

    Returns:
        Tensor.
    """
    ...

def empty_like(input: Tensor, *, dtype: Any = None, device: Any = None, pin_memory: bool = False) -> Tensor:
    """A tensor in the shape of another one whose values are not set.

    Args:
        input (Tensor): the tensor whose shape is used.
        dtype (Type): the type. Default None: that of `input`.
        device (str): accepted for compatibility; the tensor is on the device of `input`.
        pin_memory (bool): accepted for compatibility. Default: False.

    Returns:
        Tensor.
    """
    ...

def eq(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand equals the other, element by element: :math:`out_i = input_i = other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and elements.

    Args:
        input (Tensor): the first tensor.
        other (Tensor): the second; types are promoted to a common one.

    Returns:
        bool. A nan equals nothing.
    """
    ...

def erf(input: Tensor) -> Tensor:
    r"""Error function, element by element: :math:`out = \frac{2}{\sqrt{\pi}} \int_0^x e^{-t^2} dt`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def erfc(input: Tensor) -> Tensor:
    r"""Complementary error function, element by element: :math:`out = 1 - \operatorname{erf}(x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def erfinv(input: Tensor) -> Tensor:
    r"""Inverse of the error function, element by element: :math:`out = \operatorname{erf}^{-1}(x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def exp(input: Tensor) -> Tensor:
    """Exponential function, element by element: :math:`out = e^x`.

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

def eye(n: Any, m: Any = None, dtype: Any = None) -> Tensor:
    """Ones on the diagonal, zeros elsewhere.

    Args:
        n (int): rows.
        m (int): columns. Default None: `n`.
        dtype (Type): the type. Default None: float32.

    Returns:
        Tensor of shape (n, m).
    """
    ...

def fix(input: Tensor) -> Tensor:
    r"""Integer part, element by element: :math:`out = \operatorname{sign}(x) \lfloor |x| \rfloor`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def flatten(input: Tensor, order: Any = 'C', *rest: Any, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Merge adjacent axes into one; by default all of them.

    Args:
        input (Tensor): this tensor.
        order (Union[str, int]): ``"C"`` or ``"F"``, or the first axis to join. Default: ``"C"``.
        rest (int): the last axis to join, if the first was given in its place.
        start_dim (int): the first axis to join. Default: 0.
        end_dim (int): the last. Default: -1.

    Returns:
        Tensor, a view where the layout allows.
    """
    ...

def flip(input: Tensor, dims: Any) -> Tensor:
    """Reverse the order along axes.

    Args:
        input (Tensor): any shape.
        dims (Union[tuple, list, int]): the axes; none changes nothing.

    Returns:
        Tensor, a copy.
    """
    ...

def float_power(input: Tensor | Number, exponent: Tensor | Number = ..., *, other: Any = ...) -> Tensor:
    """Power in double precision: :math:`out_i = input_i^{exponent_i}`.

    Args:
        input (Union[Tensor, number]): the base.
        exponent (Union[Tensor, number]): the exponent; shapes broadcast.
        other: another name of `exponent`.

    Returns:
        Tensor of float64 (complex128 for complex operands).
    """
    ...

def floor(input: Tensor) -> Tensor:
    r"""Largest integer that is not above, element by element: :math:`out = \lfloor x \rfloor`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def floor_divide(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Divide and round down: :math:`out_i = \lfloor input_i / other_i \rfloor`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def fmod(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Remainder with the dividend's sign: :math:`out = input - trunc(input/other) \cdot other`.

    Args:
        input (Union[Tensor, number]): the dividend.
        other (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type, as for :func:`ops.mul`.
    """
    ...

def frac(input: Tensor) -> Tensor:
    r"""Fractional part, element by element: :math:`out = x - \operatorname{trunc}(x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def full(size: Any, fill_value: Tensor | Number, *, dtype: Any = None) -> Tensor:
    """A tensor of one value.

    Args:
        size (Union[int, tuple, list]): the shape.
        fill_value (Union[number, Tensor]): the value.
        dtype (Type): the type. Default None: that of the value; a Python float is float32, an int
            or bool int64.

    Returns:
        Tensor of shape `size`.
    """
    ...

def full_like(input: Tensor, fill_value: Number, *, dtype: Any = None) -> Tensor:
    """One value in the shape of another tensor.

    Args:
        input (Tensor): the tensor whose shape is used.
        fill_value (number): the value.
        dtype (Type): the type. Default None: that of `input`.

    Returns:
        Tensor.
    """
    ...

def gather(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Single elements along an axis: for axis 0, :math:`out_{ij} = input_{index_{ij}, j}`.

    Args:
        input (Tensor): the tensor to take from.
        dim (int): the axis.
        index (Tensor): integers, of the rank of `input`; negative ones count from the end.

    Returns:
        Tensor of the shape of `index`.
    """
    ...

def gcd(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Greatest common divisor of integers, element by element: :math:`out = \gcd(x, y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def ge(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand is at least the other, element by element: :math:`out_i = input_i \ge other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def greater(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand is greater than the other, element by element: :math:`out_i = input_i > other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def greater_equal(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand is at least the other, element by element: :math:`out_i = input_i \ge other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def gt(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand is greater than the other, element by element: :math:`out_i = input_i > other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def histc(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """Count the elements in intervals of equal width.

    Args:
        input (Tensor): any shape.
        bins (int): the number of intervals. Default: 100.
        min (number): the start of the first interval. Default: 0.
        max (number): the end of the last interval; if equal to `min`, both are taken from
            `input`. Default: 0.

    Returns:
        Tensor of shape (bins,), of the type of `input`; float32 for float16.
    """
    ...

def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Join tensors along the second axis (vectors along the first).

    Args:
        tensors (Union[tuple, list]): tensors whose other sizes agree.

    Returns:
        Tensor of the common type.
    """
    ...

def imag(input: Tensor) -> Tensor:
    r"""Imaginary part: :math:`out_i = \Im(input_i)`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape; zeros for a real tensor.
    """
    ...

def index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: float = 1) -> Tensor:
    """Add slices along an axis, see ``Tensor.index_add``.

    Args:
        input (Tensor): what to add to; it stays as it is.
        dim (int): the axis.
        index (Tensor): integers, 1-D: where along the axis each slice is added. Slices of equal
            indices are all added.
        source (Tensor): the slices, of the shape of `input` with the length of `index` in the axis.
        alpha (number): a factor of the slices. Default: 1.

    Returns:
        Tensor of the shape and type of `input`.
    """
    ...

def index_select(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Slices along an axis; see :func:`ops.index_select`.

    Args:
        input (Tensor): the tensor to take from.
        dim (int): the axis.
        index (Tensor): integers, 1-D.
    """
    ...

def inverse(input: Tensor) -> Tensor:
    r"""Inverse of square matrices: :math:`out \cdot input = I`.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns:
        Tensor of the same shape.
    """
    ...

def isclose(input: Tensor, other: Tensor = ..., rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False, *, x2: Any = ...) -> Tensor:
    r"""Whether elements agree: :math:`|input_i - other_i| \le atol + rtol |other_i|`.

    Args:
        input (Tensor): the first tensor.
        other (Tensor): the second; shapes broadcast.
        rtol (float): relative tolerance. Default: 1e-5.
        atol (float): absolute tolerance. Default: 1e-8.
        equal_nan (bool): whether two nans agree. Default: False.
        x2: another name of `other`.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def isfinite(input: Tensor) -> Tensor:
    r"""Whether an element is neither infinite nor nan, element by element: :math:`out = |x| < \infty`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def isinf(input: Tensor) -> Tensor:
    r"""Whether an element is infinite, element by element: :math:`out = |x| = \infty`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def isnan(tensor: Tensor) -> Tensor:
    r"""Whether an element is not a number, element by element: :math:`out = x \text{ is nan}`.

    Args:
        tensor (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def isneginf(input: Tensor) -> Tensor:
    r"""Whether an element is negative infinity, element by element: :math:`out = x = -\infty`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def item(input: Tensor) -> Any:
    """The value of a tensor with one element, as a Python number.

    Args:
        input (Tensor): one element, any shape.

    Returns:
        Number: bool, int, float or complex.
    """
    ...

def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The k-th smallest elements along an axis and their indices.

    Args:
        input (Tensor): any shape.
        k (int): counted from 1.
        dim (int): the axis. Default: -1.
        keepdim (bool): whether the axis stays, with size 1. Default: False.

    Returns:
        Tuple of values and indices (int64).
    """
    ...

def le(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand is at most the other, element by element: :math:`out_i = input_i \le other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def lerp(input: Tensor, end: Tensor, weight: Tensor | Number) -> Tensor:
    """Interpolate: :math:`out_i = input_i + weight_i (end_i - input_i)`.

    Args:
        input (Tensor): the values at weight 0, of a floating type.
        end (Tensor): the values at weight 1.
        weight (Union[Tensor, float]): the weight; shapes broadcast.

    Returns:
        Tensor of the common type.
    """
    ...

def less(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand is less than the other, element by element: :math:`out_i = input_i < other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def less_equal(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand is at most the other, element by element: :math:`out_i = input_i \le other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def linspace(start: Any, end: Any, steps: Any, *, dtype: Any = None) -> Tensor:
    """Numbers that divide an interval evenly; see :func:`ops.linspace`, with a choice of type.

    Args:
        start (Union[number, Tensor]): the first number.
        end (Union[number, Tensor]): the last.
        steps (int): how many.
        dtype (Type): the type of the result. Default None: float32.
    """
    ...

def log(input: Tensor) -> Tensor:
    r"""Natural logarithm, element by element: :math:`out = \ln x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def log10(input: Tensor) -> Tensor:
    r"""Logarithm to base 10, element by element: :math:`out = \log_{10} x`.

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

def log2(input: Tensor) -> Tensor:
    r"""Logarithm to base 2, element by element: :math:`out = \log_2 x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def logaddexp(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Logarithm of the sum of exponentials, element by element: :math:`out = \ln(e^x + e^y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def logaddexp2(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Logarithm to base 2 of the sum of powers of two, element by element: :math:`out = \log_2(2^x + 2^y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def logical_and(input: Tensor | Number, other: Tensor | Number = ..., *, y: Any = ...) -> Tensor:
    r"""Logical and, element by element: :math:`out_i = input_i \land other_i`.

    Args:
        input (Union[Tensor, number, bool]): true where it is not zero.
        other (Union[Tensor, number, bool]): likewise; shapes broadcast.
        y: another name of `other`.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def logical_not(input: Tensor) -> Tensor:
    r"""Logical negation, element by element: :math:`out = \lnot x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def logical_or(input: Tensor | Number, other: Tensor | Number = ..., *, y: Any = ...) -> Tensor:
    r"""Logical or, element by element: :math:`out_i = input_i \lor other_i`.

    Args:
        input (Union[Tensor, number, bool]): true where it is not zero.
        other (Union[Tensor, number, bool]): likewise; shapes broadcast.
        y: another name of `other`.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def logical_xor(input: Tensor | Number, other: Tensor | Number = ..., *, y: Any = ...) -> Tensor:
    r"""Logical exclusive or, element by element: :math:`out_i = input_i \oplus other_i`.

    Args:
        input (Union[Tensor, number, bool]): true where it is not zero.
        other (Union[Tensor, number, bool]): likewise; shapes broadcast.
        y: another name of `other`.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    r"""Logarithm of the sum of exponentials along axes: :math:`\ln \sum_{dim} e^{input}`.

    Args:
        input (Tensor): any shape.
        dim (Union[int, tuple, list]): the axes; empty for all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.

    Returns:
        Tensor, computed without overflow; integers give float32.
    """
    ...

def lt(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand is less than the other, element by element: :math:`out_i = input_i < other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where a mask is true, as a vector.

    Args:
        input (Tensor): any shape.
        mask (Tensor): bool, of a shape that broadcasts with `input`.

    Returns:
        Tensor with one axis; its size depends on the values of `mask`.
    """
    ...

def matmul(input: Tensor, other: Tensor) -> Tensor:
    r"""Matrix product: :math:`out_{..ij} = \sum_k input_{..ik}\, other_{..kj}`.

    Args:
        input (Tensor): a vector, a matrix :math:`(.., N, K)` or a batch of them.
        other (Tensor): a vector, a matrix :math:`(.., K, M)` or a batch of them, of the same type;
            the batch axes broadcast.

    Returns:
        Tensor of shape :math:`(.., N, M)`, without the axes that a vector lacks.
    """
    ...

def max(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The largest element; with `dim` those along an axis and their indices.

    Args:
        input (Tensor): any shape.
        dim (int): the axis. Default None: all elements.
        keepdim (bool): whether the axis stays, with size 1; only with `dim`. Default: False.

    Returns:
        Tensor without axes; with `dim` a tuple of values and indices (int64).
    """
    ...

def maximum(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""The larger element: :math:`out_i = \max(input_i, other_i)`; nan wins.

    Args:
        input (Union[Tensor, number]): the first operand.
        other (Union[Tensor, number]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def mean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Mean over axes; see :func:`ops.mean`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in and to return. Default None: that of `input`.
    """
    ...

def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """Median of all elements, or medians along `dim` and their indices; see :func:`ops.median`.

    Args:
        input (Tensor): any shape.
        dim (int): the axis. Default: None.
        keepdim (bool): whether the axis stays, with size 1. Default: False.
    """
    ...

def meshgrid(*tensors: Tensor, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Coordinates of a grid, with its axes in order by default; see :func:`ops.meshgrid`.

    Args:
        tensors (Tensor): the coordinates along each axis, 1-D; or one of them, 0-d.
        indexing (str): ``"xy"``: the first two axes of the grid are swapped; ``"ij"``: in order.
            Default: None.
    """
    ...

def min(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    """The smallest element; with `dim` those along an axis and their indices.

    Args:
        input (Tensor): any shape.
        dim (int): the axis. Default None: all elements.
        keepdim (bool): whether the axis stays, with size 1; only with `dim`. Default: False.

    Returns:
        Tensor without axes; with `dim` a tuple of values and indices (int64).
    """
    ...

def minimum(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""The smaller element: :math:`out_i = \min(input_i, other_i)`; nan wins.

    Args:
        input (Union[Tensor, number]): the first operand.
        other (Union[Tensor, number]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """Product of two matrices.

    Args:
        input (Tensor): shape :math:`(N, K)`.
        mat2 (Tensor): shape :math:`(K, M)`, of the same type.

    Returns:
        Tensor of shape :math:`(N, M)`.
    """
    ...

def mul(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Multiply, element by element: :math:`out_i = input_i \cdot other_i`.

    Args:
        input (Union[Tensor, number, bool]): the first factor.
        other (Union[Tensor, number, bool]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; a number or a 0-d tensor does not
        widen the type within its category (float64 times a float32 tensor is float32).
    """
    ...

def multinomial(input: Tensor, num_samples: Any, replacement: Any = False, *, generator: Any = None) -> Tensor:
    """Draw indices in proportion to weights.

    Args:
        input (Tensor): weights, at least 0 and not all 0 in a row, of shape (classes,) or
            (rows, classes).
        num_samples (int): draws for each row, at least 1; without `replacement` at most the
            classes.
        replacement (bool): whether an index may be drawn again. Default: False.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns:
        Tensor of shape (num_samples,) or (rows, num_samples), int64.
    """
    ...

def mv(input: Tensor, vec: Tensor) -> Tensor:
    """Product of a matrix and a vector.

    Args:
        input (Tensor): shape :math:`(N, M)`.
        vec (Tensor): shape :math:`(M,)`, of the same type.

    Returns:
        Tensor of shape :math:`(N,)`.
    """
    ...

def nan_to_num(input: Tensor, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Tensor:
    """Replace nan and infinite elements.

    Args:
        input (Tensor): any shape.
        nan (number): in place of nan. Default None: 0.
        posinf (number): in place of infinity. Default None: the largest number of the type.
        neginf (number): in place of minus infinity. Default None: the smallest number.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def nansum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Sum along axes, nan counting as 0; see :func:`ops.nansum`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type of the result. Default: None.
    """
    ...

def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A range of one axis; see :func:`ops.narrow`.

    Args:
        input (Tensor): any shape.
        dim (int): the axis.
        start (int): where the range begins.
        length (int): how long it is.
    """
    ...

def ne(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand differs from the other, element by element: :math:`out_i = input_i \ne other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def neg(input: Tensor) -> Tensor:
    """Negative, element by element: :math:`out_i = -input_i`.

    Args:
        input (Tensor): any shape; unsigned integers wrap around.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def negative(input: Tensor) -> Tensor:
    """Negative, element by element: :math:`out_i = -input_i`.

    Args:
        input (Tensor): any shape; unsigned integers wrap around.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Indices of the elements that are not zero.

    Args:
        input (Tensor): any shape.
        as_tuple (bool): whether to give one vector of indices for each axis. Default: False.

    Returns:
        Tensor of int64 of shape (N, rank); or a tuple of `rank` vectors.
    """
    ...

def norm(input: Tensor, p: Any = 'fro', dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    r"""Norm of all elements or along axes, :math:`(\sum |x|^p)^{1/p}`.

    Args:
        input (Tensor): any shape; integers are computed in float32.
        p (Union[int, float, str]): the order, a number or ``"fro"``, which is 2.
            Default: ``"fro"``.
        dim (Union[int, tuple]): the axes. Default None: all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in and to return. Default: None.

    Returns:
        Tensor without these axes, unless `keepdim` keeps them.
    """
    ...

def normal(mean: Tensor | Number = 0.0, std: Tensor | Number = 1.0, size: Any = None, generator: Any = None) -> Tensor:
    """Draw normal numbers of a mean and standard deviation, or of one for each element.

    The result is a constant for gradients; ``ops.normal`` is differentiable.

    Args:
        mean (Union[float, Tensor]): the mean. Default: 0.0.
        std (Union[float, Tensor]): the standard deviation, at least 0. Default: 1.0.
        size (tuple): the shape; needed for two numbers, and not allowed with a Tensor. Default:
            None.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns:
        Tensor of shape `size`, or of the shape in which `mean` and `std` meet.
    """
    ...

def not_equal(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand differs from the other, element by element: :math:`out_i = input_i \ne other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def npu_gelu(input: Tensor, approximate: str = 'none') -> Tensor:
    """Gaussian error linear unit; the same as ``mint.nn.functional.gelu``.

    Args:
        input (Tensor): floating point, any shape.
        approximate (str): ``none`` or ``tanh``. Default: ``"none"``.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def ones(size: Any, *, dtype: Any = None) -> Tensor:
    """A tensor of ones; see :func:`ops.ones`.

    Args:
        size (Union[int, tuple, list, Tensor]): the shape.
        dtype (Type): the type. Default None: float32.
    """
    ...

def ones_like(input: Tensor, *, dtype: Any = None) -> Tensor:
    """Ones in the shape of another tensor.

    Args:
        input (Tensor): the tensor whose shape is used.
        dtype (Type): the type. Default None: that of `input`.

    Returns:
        Tensor.
    """
    ...

def outer(input: Tensor, vec2: Tensor) -> Tensor:
    r"""Outer product: :math:`out_{ij} = input_i\, vec2_j`.

    Args:
        input (Tensor): any shape, flattened.
        vec2 (Tensor): any shape, flattened.

    Returns:
        Tensor of shape (input.size, vec2.size) and the common type.
    """
    ...

def permute(input: Tensor, dims: Any) -> Tensor:
    """Arrange the axes in another order; see :func:`ops.permute`.

    Args:
        input (Tensor): any shape.
        dims (Union[tuple, list]): for each axis of the result, the axis of `input` it is.
    """
    ...

def polar(abs: Tensor, angle: Tensor) -> Tensor:
    r"""Complex numbers from polar coordinates: :math:`out = abs (\cos angle + j \sin angle)`.

    Args:
        abs (Tensor): the absolute values, float32 or float64.
        angle (Tensor): the arguments in radians, of the same type.

    Returns:
        Tensor of complex64 or complex128.
    """
    ...

def pow(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """Power, element by element: :math:`out_i = input_i^{exponent_i}`.

    Args:
        input (Union[Tensor, number]): the base.
        exponent (Union[Tensor, number]): the exponent; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers with a negative exponent
        give the truncated power.
    """
    ...

def prod(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """Product over axes; see :func:`ops.prod`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in and to return. Default None: that of `input`; int64
            for integers and bool.
    """
    ...

def rand(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """Draw uniform numbers in [0, 1).

    Args:
        size (Union[int, tuple, list]): the sizes, one after the other or as one tuple.
        generator (Generator): the generator to draw from. Default None: the default generator.
        dtype (Type): a floating type. Default None: float32.
        device (str): where the result is to be, for example ``"CPU"``. Default None: the
            context's device.

    Returns:
        Tensor of that shape and type.
    """
    ...

def rand_like(input: Tensor, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Draw uniform numbers in [0, 1) in the shape of a tensor, from the default generator.

    Args:
        input (Tensor): gives the shape.
        dtype (Type): a floating type. Default None: that of `input`.
        device (str): where the result is to be. Default None: that of `input`.

    Returns:
        Tensor of the shape of `input`.
    """
    ...

def randint(*args: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """Draw integers, uniform in low .. high - 1: ``randint(high, size)``.

    Also ``randint(low, high, size)``.

    Args:
        args: the bounds (int; `low` is 0 by default) and the shape (Union[tuple, list, int]).
        generator (Generator): the generator to draw from. Default None: the default generator.
        dtype (Type): an integer or floating type. Default None: int64.
        device (str): where the result is to be. Default None: the context's device.

    Returns:
        Tensor of that shape and type.
    """
    ...

def randint_like(input: Tensor, *bounds: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Draw integers in the shape of a tensor: ``randint_like(input, high)``.

    Also ``randint_like(input, low, high)``; uniform in low .. high - 1, from the default generator.

    Args:
        input (Tensor): gives the shape.
        bounds (int): `high`, or `low` and `high`.
        dtype (Type): an integer or floating type. Default None: that of `input`.
        device (str): where the result is to be. Default None: that of `input`.

    Returns:
        Tensor of the shape of `input`.
    """
    ...

def randn(*size: Any, generator: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
    """Draw standard normal numbers.

    Args:
        size (Union[int, tuple, list]): the sizes, one after the other or as one tuple;
            after a tuple, the type may follow.
        generator (Generator): the generator to draw from. Default None: the default generator.
        dtype (Type): a floating type. Default None: float32.
        device (str): where the result is to be. Default None: the context's device.

    Returns:
        Tensor of that shape and type.
    """
    ...

def randn_like(input: Tensor, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Draw standard normal numbers in the shape of a tensor, from the default generator.

    Args:
        input (Tensor): gives the shape.
        dtype (Type): a floating type. Default None: that of `input`.
        device (str): where the result is to be. Default None: that of `input`.

    Returns:
        Tensor of the shape of `input`.
    """
    ...

def randperm(n: Any, *, generator: Any = None, dtype: Any = None) -> Tensor:
    """Draw a permutation of 0 .. n - 1.

    Args:
        n (int): how many numbers, at least 0.
        generator (Generator): the generator to draw from. Default None: the default generator.
        dtype (Type): an integer or floating type. Default None: int64.

    Returns:
        Tensor of shape (n,).
    """
    ...

def ravel(input: Tensor) -> Tensor:
    """Merge all axes into one.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor with one axis, a view where the layout allows.
    """
    ...

def real(input: Tensor) -> Tensor:
    r"""Real part: :math:`out_i = \Re(input_i)`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape; a real tensor is returned as it is.
    """
    ...

def reciprocal(input: Tensor) -> Tensor:
    """Reciprocal, element by element: :math:`out = 1 / x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def remainder(input: Tensor | Number, other: Tensor | Number = ..., *, divisor: Any = ...) -> Tensor:
    r"""Remainder with the divisor's sign: :math:`out = input - \lfloor input/other \rfloor other`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
        divisor: another name of `other`.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def repeat_interleave(input: Tensor, repeats: Any, dim: int | None = None, *, output_size: int | None = None) -> Tensor:
    """Repeat every element, one after the other; see :func:`ops.repeat_interleave`.

    Args:
        input (Tensor): this tensor.
        repeats (Union[int, tuple, list, Tensor]): how often.
        dim (int): the axis. Default None: the tensor is flattened first.
        output_size (int): the size of the axis afterwards, checked if given. Default: None.

    Returns:
        Tensor.
    """
    ...

def reshape(input: Tensor, shape: Any) -> Tensor:
    """Change the shape of a tensor, in the same order.

    Args:
        input (Tensor): any shape.
        shape (Union[tuple, list, Tensor]): the new shape; one size may be -1, which is what is
            left.

    Returns:
        Tensor of that shape, a view where the layout allows.
    """
    ...

def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """Shift the elements along axes; those pushed off the end come in at the front.

    Args:
        input (Tensor): any shape.
        shifts (Union[int, tuple, list]): by how many places, for each axis.
        dims (Union[int, tuple, list]): the axes. Default None: `input` is taken as flat.

    Returns:
        Tensor of the same shape.
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

def rsqrt(input: Tensor) -> Tensor:
    r"""Reciprocal square root, element by element: :math:`out = 1 / \sqrt{x}`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def scatter(input: Tensor, dim: int | None = None, index: Tensor | None = None, src: Tensor | Number | None = None, reduce: str = 'none', *, axis: int | None = None) -> Tensor:
    """Write elements along an axis; `axis` means `dim`. See :func:`ops.scatter`.

    With `reduce` ``"add"`` or ``"multiply"`` they are added or multiplied instead.

    Args:
        input (Tensor): the tensor to start from; not changed.
        dim (int): the axis. Default: None, which is an error unless `axis` is given.
        index (Tensor): integers, of the rank of `input`. Default: None.
        src (Union[Tensor, number]): what to write, at least as large as `index`. Default: None.
        reduce (str): ``"none"`` replaces elements, ``"add"`` adds to them and ``"multiply"``
            multiplies them. Default: ``"none"``.
        axis (int): the axis. Default: None.
    """
    ...

def scatter_add(input: Tensor, dim: Tensor | Number = ..., index: Tensor = ..., src: Tensor | None = None, *, indices: Any = ..., updates: Any = ...) -> Tensor:
    """Add elements along an axis, ``scatter_add(dim, index, src)``, or slices.

    Args:
        input (Tensor): this tensor; not changed.
        dim (Union[int, Tensor]): the axis; or the places of slices, as in
            :func:`ops.tensor_scatter_add`.
        index (Tensor): the indices; or the slices.
        src (Tensor): what to add, in the first form. Default: None.
        indices: another name of `dim`.
        updates: another name of `index`.

    Returns:
        Tensor.
    """
    ...

def searchsorted(sorted_sequence: Tensor, values: Tensor | Number, *, out_int32: bool = False, right: bool = False, side: str | None = None, sorter: Tensor | None = None) -> Tensor:
    """Where to insert values so that a sequence stays sorted.

    Args:
        sorted_sequence (Tensor): ascending along the last axis.
        values (Union[Tensor, number]): the values; their leading axes are those of the sequence
            unless it has one axis.
        out_int32 (bool): whether the result is int32. Default: False.
        right (bool): whether a value goes behind its equals. Default: False.
        side (str): ``"left"`` or ``"right"``, the same as `right`. Default: None.
        sorter (Tensor): places that sort the sequence, if it is not sorted. Default: None.

    Returns:
        Tensor of int64 (int32) of the shape of `values`.
    """
    ...

def select(input: Tensor, dim: int, index: int) -> Tensor:
    """One slice along an axis, a view.

    Args:
        input (Tensor): one axis or more.
        dim (int): the axis.
        index (int): which slice; a negative one counts from the end.

    Returns:
        Tensor without that axis.
    """
    ...

def sigmoid(input: Tensor) -> Tensor:
    """Logistic function: :math:`out_i = 1 / (1 + e^{-input_i})`.

    Args:
        input (Tensor): floating point or complex, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def sign(input: Tensor) -> Tensor:
    r"""Sign, of complex numbers the direction, element by element: :math:`out = -1, 0 \text{ or } 1`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def sin(input: Tensor) -> Tensor:
    r"""Sine of radians, element by element: :math:`out = \sin x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
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

def sinh(input: Tensor) -> Tensor:
    """Hyperbolic sine, element by element: :math:`out = (e^x - e^{-x}) / 2`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def softmax(input: Tensor, dim: Any, *, dtype: Any = None) -> Tensor:
    r"""Softmax along a dimension: :math:`out_i = e^{x_i} / \sum_j e^{x_j}`.

    Args:
        input (Tensor): floating point.
        dim (int): the dimension whose elements sum to one; None means 0 for inputs of rank 0, 1
            and 3, otherwise 1.
        dtype (mindspore.dtype): the input is cast to it first. Default: None.

    Returns:
        Tensor of the input's shape.
    """
    ...

def sort(input: Tensor, *, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Tensor, Tensor]:
    """Sort along an axis; the indices are int64. See :func:`ops.sort`.

    Args:
        input (Tensor): any shape.
        dim (int): the axis. Default: -1.
        descending (bool): whether the largest come first. Default: False.
        stable (bool): accepted: equal elements always keep their order. Default: False.

    Returns:
        Tuple of the sorted values and where they were (int64).
    """
    ...

def split(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Cut into parts along an axis; see :func:`ops.split`.

    Args:
        tensor (Tensor): any shape.
        split_size_or_sections (Union[int, tuple, list]): the size of each part, the last may be
            smaller; or the sizes of all parts.
        dim (int): the axis. Default: 0.
    """
    ...

def sqrt(input: Tensor) -> Tensor:
    r"""Square root, element by element: :math:`out_i = \sqrt{x_i}`.

    Args:
        input (Tensor): any shape; negative elements give nan.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def square(input: Tensor) -> Tensor:
    """Square, element by element: :math:`out_i = input_i^2`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape and type (bool gives int64).
    """
    ...

def squeeze(input: Tensor, dim: Any = None) -> Tensor:
    """Remove axes of size 1.

    Args:
        input (Tensor): any shape.
        dim (Union[int, tuple, list]): the axes to leave out, where their size is 1; None or an
            empty tuple for all of size 1. Default: None.

    Returns:
        Tensor, a view.
    """
    ...

def stack(tensors: Tensor | Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join tensors along a new axis; see :func:`ops.stack`.

    Args:
        tensors (Union[tuple, list]): tensors of one shape.
        dim (int): where the new axis goes. Default: 0.
    """
    ...

def std(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Any:
    """Standard deviation along axes, N - 1 in the divisor; see :func:`ops.std`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        correction (Union[int, bool]): what is taken from the number of elements N in the
            divisor. Default: 1.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
    """
    ...

def std_mean(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Any:
    """Standard deviation and mean along axes, N - 1 in the divisor; see :func:`ops.std_mean`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        correction (Union[int, bool]): what is taken from the number of elements N in the
            divisor. Default: 1.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
    """
    ...

def sub(input: Tensor | Number, other: Tensor | Number = ..., *, alpha: float = 1, y: Any = ...) -> Tensor:
    r"""Subtract a multiple, element by element: :math:`out_i = input_i - alpha \cdot other_i`.

    Args:
        input (Union[Tensor, number]): the minuend.
        other (Union[Tensor, number]): the subtrahend; shapes broadcast.
        alpha (number): the factor. Default: 1.
        y: another name of `other`.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    r"""Sum over axes: :math:`out = \sum_{dim} input`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to sum in and to return. Default None: that of `input`; int64 for
            integers and bool.

    Returns:
        Tensor.
    """
    ...

def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Swap two axes.

    Args:
        input (Tensor): any shape.
        axis0 (int): one axis.
        axis1 (int): the other.

    Returns:
        Tensor, a view.
    """
    ...

def t(input: Tensor) -> Tensor:
    """Swap the two axes of a matrix; other tensors are returned as they are.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor, a view.
    """
    ...

def take(input: Tensor, index: Tensor) -> Tensor:
    """Elements of the flattened tensor.

    Args:
        input (Tensor): the tensor to take from.
        index (Tensor): integers, any shape.

    Returns:
        Tensor of the shape of `index`.
    """
    ...

def tan(input: Tensor) -> Tensor:
    r"""Tangent of radians, element by element: :math:`out = \tan x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def tanh(input: Tensor) -> Tensor:
    r"""Hyperbolic tangent, element by element: :math:`out = \tanh x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def tile(input: Tensor, dims: Any) -> Tensor:
    """Repeat the whole tensor along its axes.

    Args:
        input (Tensor): any shape.
        dims (tuple): how often along each axis, counted from the last; more entries than axes add
            leading ones.

    Returns:
        Tensor.
    """
    ...

def topk(input: Tensor, k: Any, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest or smallest elements along an axis, indices in int64; see :func:`ops.topk`.

    Args:
        input (Tensor): any shape.
        k (Union[int, Tensor]): how many; it may depend on the data.
        dim (int): the axis. Default: -1.
        largest (bool): the largest, else the smallest. Default: True.
        sorted (bool): whether they come in order. Default: True.
    """
    ...

def trace(input: Tensor) -> Tensor:
    r"""Sum of the diagonal of a matrix: :math:`\sum_i input_{ii}`.

    Args:
        input (Tensor): a matrix.

    Returns:
        Tensor, 0-d, of the type of `input`.
    """
    ...

def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Swap two axes.

    Args:
        input (Tensor): any shape.
        dim0 (int): one axis.
        dim1 (int): the other.

    Returns:
        Tensor, a view.
    """
    ...

def triangular_solve(b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False) -> tuple[Tensor, Tensor]:
    r"""Solution of triangular equations, and the matrix: :math:`A \cdot out = b`.

    Args:
        b (Tensor): shape :math:`(.., N, K)`.
        A (Tensor): shape :math:`(.., N, N)`, of the same type; the other triangle does not count.
        upper (bool): whether the upper triangle is meant, else the lower. Default: True.
        transpose (bool): whether the transpose of `A` is meant. Default: False.
        unitriangular (bool): whether the diagonal is taken as ones. Default: False.

    Returns:
        Tuple of the solution and `A`.
    """
    ...

def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle of matrices, zeros above.

    Args:
        input (Tensor): two axes or more.
        diagonal (int): the last diagonal that is kept, 0 the main one, 1 the one above it.
            Default: 0.

    Returns:
        Tensor of the same shape.
    """
    ...

def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle of matrices, zeros below.

    Args:
        input (Tensor): two axes or more.
        diagonal (int): the first diagonal that is kept, 0 the main one, 1 the one above it.
            Default: 0.

    Returns:
        Tensor of the same shape.
    """
    ...

def trunc(input: Tensor) -> Tensor:
    r"""Integer part, element by element: :math:`out = \operatorname{sign}(x) \lfloor |x| \rfloor`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along an axis, which disappears.

    Args:
        input (Tensor): one axis or more.
        dim (int): the axis. Default: 0.

    Returns:
        Tuple of Tensors, views.
    """
    ...

def unique(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> Any:
    """The unique elements, or slices along an axis.

    Args:
        input (Tensor): any shape.
        sorted (bool): whether they come in ascending order; they always do. Default: True.
        return_inverse (bool): whether to tell the place of every element. Default: False.
        return_counts (bool): whether to tell how often each occurs. Default: False.
        dim (int): the axis. Default None: single elements.

    Returns:
        Tensor, or a tuple with the further tensors (int64).
    """
    ...

def unique_consecutive(input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> Any:
    """The elements without consecutive duplicates.

    Args:
        input (Tensor): any shape.
        return_inverse (bool): whether to tell the place of every element. Default: False.
        return_counts (bool): whether to tell how long each run is. Default: False.
        dim (int): the axis. Default None: the flattened tensor.

    Returns:
        Tensor, or a tuple with the further tensors (int64).
    """
    ...

def unsqueeze(input: Tensor, dim: int = ..., *, axis: Any = ...) -> Tensor:
    """Insert an axis of size 1.

    Args:
        input (Tensor): any shape.
        dim (int): where the new axis goes.
        axis: another name of `dim`.

    Returns:
        Tensor with one axis more, a view.
    """
    ...

def var(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Any:
    """Variance along axes, N - 1 in the divisor; see :func:`ops.var`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        correction (Union[int, bool]): what is taken from the number of elements N in the
            divisor. Default: 1.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
    """
    ...

def var_mean(input: Tensor, dim: Any = None, *, correction: int = 1, keepdim: bool = False) -> Any:
    """Variance and mean along axes, N - 1 in the divisor; see :func:`ops.var_mean`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        correction (Union[int, bool]): what is taken from the number of elements N in the
            divisor. Default: 1.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
    """
    ...

def vdot(input: Tensor, other: Tensor) -> Tensor:
    r"""Product of two vectors, the first one conjugated: :math:`\sum_i \bar{x}_i y_i`.

    Args:
        input (Tensor): :math:`x`, one axis.
        other (Tensor): :math:`y`, of the same type and length.

    Returns:
        Tensor, 0-d.
    """
    ...

def where(condition: Tensor, input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Select elements of two tensors by a condition: :math:`input_i` or :math:`other_i`.

    Args:
        condition (Tensor): bool.
        input (Union[Tensor, number]): the values where the condition is true.
        other (Union[Tensor, number]): the values where it is false; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def xlogy(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Product with a logarithm: :math:`input_i \ln other_i`, 0 where `input` is 0.

    Args:
        input (Union[Tensor, number]): the factor.
        other (Union[Tensor, number]): the logarithm's argument; shapes broadcast.

    Returns:
        Tensor of the broadcast shape; integers give float32.
    """
    ...

def zeros(size: Any, *, dtype: Any = None) -> Tensor:
    """A tensor of zeros; see :func:`ops.zeros`.

    Args:
        size (Union[int, tuple, list, Tensor]): the shape.
        dtype (Type): the type. Default None: float32.
    """
    ...

def zeros_like(input: Tensor, *, dtype: Any = None) -> Tensor:
    """Zeros in the shape of another tensor.

    Args:
        input (Tensor): the tensor whose shape is used.
        dtype (Type): the type. Default None: that of `input`.

    Returns:
        Tensor.
    """
    ...
