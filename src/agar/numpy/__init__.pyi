"""Functions of numpy. Written by scripts/stubs.py; not to be edited."""


import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from agar._core.dtype import bool_ as bool_
from agar._core.dtype import float16 as float16
from agar._core.dtype import float32 as float32
from agar._core.dtype import float64 as float64
from agar._core.dtype import int16 as int16
from agar._core.dtype import int32 as int32
from agar._core.dtype import int64 as int64
from agar._core.dtype import int8 as int8
from agar._core.dtype import uint16 as uint16
from agar._core.dtype import uint32 as uint32
from agar._core.dtype import uint64 as uint64
from agar._core.dtype import uint8 as uint8
from agar._core.optable import Primitive as Primitive
from agar._core.tensor import Tensor as Tensor
from agar.numpy._functional import apply_along_axis as apply_along_axis
from agar.numpy._functional import apply_over_axes as apply_over_axes
from agar.numpy._functional import piecewise as piecewise
from agar.numpy._padding import pad as pad
from agar.numpy._types import promote_types as promote_types
from agar.numpy._types import result_type as result_type
from agar.numpy.dtypes import float_ as float_
from agar.numpy.dtypes import int_ as int_
Number = builtins.bool | builtins.int | builtins.float | builtins.complex | np.generic

__all__ = [
    'abs',
    'absolute',
    'add',
    'amax',
    'amin',
    'append',
    'apply_along_axis',
    'apply_over_axes',
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
    'argwhere',
    'array',
    'array_equal',
    'array_equiv',
    'array_split',
    'array_str',
    'asarray',
    'asfarray',
    'atleast_1d',
    'atleast_2d',
    'atleast_3d',
    'average',
    'bartlett',
    'bincount',
    'bitwise_and',
    'bitwise_not',
    'bitwise_or',
    'bitwise_xor',
    'blackman',
    'bool_',
    'broadcast_arrays',
    'broadcast_to',
    'cbrt',
    'ceil',
    'choose',
    'clip',
    'column_stack',
    'concatenate',
    'convolve',
    'copysign',
    'corrcoef',
    'correlate',
    'cos',
    'cosh',
    'count_nonzero',
    'cov',
    'cross',
    'cumprod',
    'cumsum',
    'deg2rad',
    'diag',
    'diag_indices',
    'diagflat',
    'diagonal',
    'diff',
    'digitize',
    'divide',
    'divmod',
    'dot',
    'dsplit',
    'dstack',
    'ediff1d',
    'empty',
    'empty_like',
    'equal',
    'exp',
    'exp2',
    'expand_dims',
    'expm1',
    'eye',
    'fabs',
    'fix',
    'flip',
    'fliplr',
    'flipud',
    'float16',
    'float32',
    'float64',
    'float_',
    'float_power',
    'floor',
    'floor_divide',
    'fmod',
    'full',
    'full_like',
    'gcd',
    'geomspace',
    'gradient',
    'greater',
    'greater_equal',
    'hamming',
    'hanning',
    'heaviside',
    'histogram',
    'histogram2d',
    'histogram_bin_edges',
    'histogramdd',
    'hsplit',
    'hstack',
    'hypot',
    'identity',
    'in1d',
    'indices',
    'inner',
    'int16',
    'int32',
    'int64',
    'int8',
    'int_',
    'interp',
    'intersect1d',
    'invert',
    'isclose',
    'isfinite',
    'isin',
    'isinf',
    'isnan',
    'isneginf',
    'isposinf',
    'isscalar',
    'ix_',
    'kron',
    'lcm',
    'less',
    'less_equal',
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
    'logspace',
    'matmul',
    'max',
    'maximum',
    'mean',
    'meshgrid',
    'mgrid',
    'min',
    'minimum',
    'mod',
    'moveaxis',
    'multi_dot',
    'multiply',
    'nancumsum',
    'nanmax',
    'nanmean',
    'nanmin',
    'nanstd',
    'nansum',
    'nanvar',
    'negative',
    'norm',
    'not_equal',
    'ogrid',
    'ones',
    'ones_like',
    'outer',
    'pad',
    'piecewise',
    'polyadd',
    'polyder',
    'polyint',
    'polymul',
    'polysub',
    'polyval',
    'positive',
    'power',
    'promote_types',
    'ptp',
    'rad2deg',
    'radians',
    'rand',
    'randint',
    'randn',
    'ravel',
    'ravel_multi_index',
    'reciprocal',
    'remainder',
    'repeat',
    'reshape',
    'result_type',
    'rint',
    'roll',
    'rollaxis',
    'rot90',
    'searchsorted',
    'select',
    'setdiff1d',
    'sign',
    'signbit',
    'sin',
    'sinh',
    'size',
    'sometrue',
    'split',
    'sqrt',
    'square',
    'squeeze',
    'stack',
    'std',
    'subtract',
    'sum',
    'swapaxes',
    'take',
    'take_along_axis',
    'tan',
    'tanh',
    'tensordot',
    'tile',
    'trace',
    'transpose',
    'trapz',
    'tri',
    'tril',
    'tril_indices',
    'tril_indices_from',
    'triu',
    'triu_indices',
    'triu_indices_from',
    'true_divide',
    'trunc',
    'uint16',
    'uint32',
    'uint64',
    'uint8',
    'unique',
    'unravel_index',
    'unwrap',
    'vander',
    'var',
    'vsplit',
    'vstack',
    'where',
    'zeros',
    'zeros_like',
]

def abs(x: Tensor, dtype: Any = None) -> Tensor:
    """Absolute value, element by element: :math:`|x|`.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: the input's.

    Returns:
        Tensor of the input's shape.
    """
    ...

def absolute(x: Tensor, dtype: Any = None) -> Tensor:
    """Absolute value, element by element: :math:`|x|`.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: the input's.

    Returns:
        Tensor of the input's shape.
    """
    ...

def add(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Add, element by element: :math:`x_1 + x_2`.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def amax(a: Tensor | Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Tensor | Any = True) -> Tensor:
    """The largest element over axes.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size one. Default: False.
        initial (number): takes part in the comparison. Default None: nothing.
        where (Union[Tensor, bool]): the elements that take part; `initial` must be
            given with it. Default: True.

    Returns:
        Tensor of the input's type.
    """
    ...

def amin(a: Tensor | Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Tensor | Any = True) -> Tensor:
    """The smallest element over axes.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size one. Default: False.
        initial (number): takes part in the comparison. Default None: nothing.
        where (Union[Tensor, bool]): the elements that take part; `initial` must be
            given with it. Default: True.

    Returns:
        Tensor of the input's type.
    """
    ...

def append(arr: Tensor, values: Tensor, axis: int | None = None) -> Tensor:
    """Join two tensors.

    Args:
        arr (Tensor): the first tensor.
        values (Tensor): the second.
        axis (int): the dimension. Default None: both are flattened first.

    Returns:
        Tensor of the common type.
    """
    ...

def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Tensor:
    """Numbers at equal distances, the end not included.

    Args:
        start (Union[int, float]): the first number; the end if `stop` is None.
        stop (Union[int, float]): the end. Default None: `start`, and 0 is the first number.
        step (Union[int, float]): the distance. Default None: 1.
        dtype (Type): the type. Default None: int32 for ints, float32 otherwise.

    Returns:
        Tensor with one dimension.
    """
    ...

def arccos(input: Tensor, dtype: Any = None) -> Tensor:
    """Angle in radians from its cosine, element by element.

    Args:
        input (Tensor): the cosines, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8
            and bool give float16, others float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def arccosh(x: Tensor, dtype: Any = None) -> Tensor:
    """Inverse of the hyperbolic cosine, element by element.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8 and bool give float16, others float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def arcsin(x: Tensor, dtype: Any = None) -> Tensor:
    """Angle in radians from its sine, element by element.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8 and bool give float16, others float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def arcsinh(x: Tensor, dtype: Any = None) -> Tensor:
    """Inverse of the hyperbolic sine, element by element.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8 and bool give float16, others float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def arctan(x: Tensor, dtype: Any = None) -> Tensor:
    """Angle in radians from its tangent, element by element.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8 and bool give float16, others float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def arctan2(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
    """Angle in radians of the point with ordinate `x1` and abscissa `x2`, element by element.

    Args:
        x1 (Tensor): the first operand.
        x2 (Tensor): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8 and bool give float16, others float32.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def arctanh(x: Tensor, dtype: Any = None) -> Tensor:
    """Inverse of the hyperbolic tangent, element by element.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8 and bool give float16, others float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def argmax(a: Tensor | Any, axis: int | None = None) -> Tensor:
    """The place of the largest element along an axis.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (int): the axis. Default None: the input is flattened first.

    Returns:
        Tensor of int64.
    """
    ...

def argmin(a: Tensor | Any, axis: int | None = None) -> Tensor:
    """The place of the smallest element along an axis.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (int): the axis. Default None: the input is flattened first.

    Returns:
        Tensor of int32.
    """
    ...

def argwhere(a: Tensor | Any) -> Tensor:
    """The places of the elements that are not zero.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.

    Returns:
        Tensor of int64, one row of indices for each place.
    """
    ...

def array(obj: Tensor | Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """A tensor of the given values.

    Args:
        obj (Union[Tensor, number, list, tuple]): the values.
        dtype (Type): the type of the elements. Default None: that of a Tensor; int32, float32 or
            bool for numbers and lists.
        copy (bool): whether to copy a Tensor. Default: True.
        ndmin (int): the least number of dimensions; ones are put in front of the shape. Default: 0.

    Returns:
        Tensor.
    """
    ...

def array_equal(a1: Tensor | Any, a2: Tensor | Any, equal_nan: bool = False) -> Tensor:
    """Whether two tensors have the same shape and equal elements.

    Args:
        a1 (Union[Tensor, number, list, tuple]): the first tensor.
        a2 (Union[Tensor, number, list, tuple]): the second.
        equal_nan (bool): whether two nans are equal. Default: False.

    Returns:
        Tensor of bool without dimensions.
    """
    ...

def array_equiv(a1: Tensor | Any, a2: Tensor | Any) -> Tensor:
    """Whether two tensors have equal elements after broadcasting.

    Args:
        a1 (Union[Tensor, number, list, tuple]): the first tensor.
        a2 (Union[Tensor, number, list, tuple]): the second.

    Returns:
        Tensor of bool without dimensions; False if the shapes do not broadcast.
    """
    ...

def array_split(x: Tensor, indices_or_sections: Any, axis: int = 0) -> Any:
    """Cut a tensor into parts whose sizes differ by one at most, or at given places.

    Args:
        x (Tensor): the input.
        indices_or_sections (Union[int, tuple(int), list(int)]): the number of parts, or
            the places where to cut.
        axis (int): the dimension. Default: 0.

    Returns:
        tuple of Tensors for a number of parts, list of Tensors for places.
    """
    ...

def array_str(a: Tensor) -> str:
    """The text of a tensor's values.

    Args:
        a (Tensor): the input.

    Returns:
        str, as ``str(a)`` gives it.
    """
    ...

def asarray(a: Tensor | Any, dtype: Any = None) -> Tensor:
    """A tensor of the given values; a Tensor is not copied.

    Args:
        a (Union[Tensor, number, list, tuple]): the values.
        dtype (Type): the type of the elements. Default None: that of a Tensor; int32, float32 or
            bool for numbers and lists.

    Returns:
        Tensor.
    """
    ...

def asfarray(a: Tensor | Any, dtype: Any = ...) -> Tensor:
    """A tensor of floating type of the given values.

    Args:
        a (Union[Tensor, number, list, tuple]): the values.
        dtype (Type): float16, float32 or float64; any other type means float32, None leaves the
            type to `asarray`. Default: float32.

    Returns:
        Tensor.
    """
    ...

def atleast_1d(*arys: Tensor) -> Any:
    """Tensors with at least 1 dimension; a number becomes one element.

    Args:
        arys (Tensor): the tensors.

    Returns:
        Tensor, or a list of Tensors for several arguments.
    """
    ...

def atleast_2d(*arys: Tensor) -> Any:
    """Tensors with at least 2 dimensions; new dimensions go in front.

    Args:
        arys (Tensor): the tensors.

    Returns:
        Tensor, or a list of Tensors for several arguments.
    """
    ...

def atleast_3d(*arys: Tensor) -> Any:
    """Tensors with at least 3 dimensions; a row goes into the middle, a matrix gets a dimension behind.

    Args:
        arys (Tensor): the tensors.

    Returns:
        Tensor, or a list of Tensors for several arguments.
    """
    ...

def average(x: Tensor, axis: Any = None, weights: Tensor | None = None, returned: bool = False) -> Any:
    """The weighted mean over axes.

    Args:
        x (Tensor): the input.
        axis (Union[None, int, tuple(int)]): the axes. Default None: all.
        weights (Tensor): the weights, of the shape of `x` or in one dimension along `axis`.
            Default None: all are equal.
        returned (bool): whether to return the sum of the weights too. Default: False.

    Returns:
        Tensor, or with `returned` a tuple of two Tensors of one shape. The average of integers
        is cut to an integer.
    """
    ...

def bartlett(M: int) -> Tensor:
    """The Bartlett window: :math:`1 - |2n / (M - 1) - 1|`.

    Args:
        M (int): the number of points; 1 gives a one, less gives an empty tensor.

    Returns:
        Tensor of shape (M,), float32.
    """
    ...

def bincount(x: Tensor | Any, weights: Tensor | Any = None, minlength: int = 0, length: int | None = None) -> Tensor:
    """How often each integer from 0 on occurs.

    Args:
        x (Union[Tensor, list, tuple]): the integers, in one dimension; negative ones count as 0.
        weights (Union[Tensor, list, tuple]): what each counts. Default None: 1.
        minlength (int): the least length of the result. Default: 0.
        length (int): the length of the result; larger integers are left out. Default None: the
            largest integer plus one, and at least `minlength`.

    Returns:
        Tensor of float32, in one dimension.
    """
    ...

def bitwise_and(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Bits that both integers have, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def bitwise_not(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Integers with every bit flipped, element by element.

    Args:
        x (Union[Tensor, number, list, tuple]): integers or bool, of any shape.
        dtype (Type): the type of the result. Default None: the input's.

    Returns:
        Tensor of the input's shape.
    """
    ...

def bitwise_or(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Bits that one of the integers has, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def bitwise_xor(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Bits in which the integers differ, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def blackman(M: int) -> Tensor:
    r"""The Blackman window: :math:`0.42 - 0.5 \cos(2 \pi n / (M - 1)) + 0.08 \cos(4 \pi n / (M - 1))`.

    Args:
        M (int): the number of points; 1 gives a one, less gives an empty tensor.

    Returns:
        Tensor of shape (M,), float32.
    """
    ...

def broadcast_arrays(*args: Tensor) -> list[Tensor]:
    """Repeat tensors so that all have one shape.

    Args:
        args (Tensor): the tensors.

    Returns:
        list of Tensors.
    """
    ...

def broadcast_to(array: Tensor, shape: Any) -> Tensor:
    """Repeat a tensor so that it has a given shape.

    Args:
        array (Tensor): the input.
        shape (Union[int, tuple(int), list(int)]): the shape.

    Returns:
        Tensor of that shape.
    """
    ...

def cbrt(x: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Cube root, of negative numbers too, element by element: :math:`\sqrt[3]{x}`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: float64 is kept, everything else gives float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def ceil(x: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Smallest integer that is not below, element by element: :math:`\lceil x \rceil`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def choose(a: Tensor | Any, choices: Tensor | Any, mode: str = 'clip') -> Tensor:
    """For each place the element of the tensor that an index names.

    Args:
        a (Union[int, Tensor, list, tuple]): the indices, integers.
        choices (Union[Tensor, list, tuple]): the tensors; a single Tensor stands for its parts
            along the first dimension. Shapes broadcast.
        mode (str): what to do with indices out of range, as in `take`. Default: ``"clip"``.

    Returns:
        Tensor of the common type of `choices`.
    """
    ...

def clip(x: Tensor | Any, xmin: Tensor | Any, xmax: Tensor | Any, dtype: Any = None) -> Tensor:
    """Limit numbers to an interval, element by element.

    Args:
        x (Union[Tensor, number, list, tuple]): the input.
        xmin (Union[Tensor, number, list, tuple, None]): the lower limit; None for no limit.
        xmax (Union[Tensor, number, list, tuple, None]): the upper limit; None for no limit. Shapes
            broadcast.
        dtype (Type): the type of the result. Default None: as `maximum` and `minimum` give it.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def column_stack(tup: Tensor | Sequence[Tensor]) -> Tensor:
    """Join tensors along the second dimension; rows become columns first.

    Args:
        tup (Union[Tensor, tuple(Tensor), list(Tensor)]): the tensors; a single Tensor is returned
            as it is.

    Returns:
        Tensor of the common type.
    """
    ...

def concatenate(arrays: Tensor | Sequence[Tensor], axis: int | None = 0) -> Tensor:
    """Join tensors along a dimension they have.

    Args:
        arrays (Union[Tensor, tuple(Tensor), list(Tensor)]): the tensors; a single Tensor stands for
            its parts along the first dimension.
        axis (int): the dimension. None or more than 31: all are flattened first. Default: 0.

    Returns:
        Tensor of the common type.
    """
    ...

def convolve(a: Tensor | Any, v: Tensor | Any, mode: str = 'full') -> Tensor:
    """The convolution of two vectors.

    Args:
        a (Union[Tensor, list, tuple]): the first vector.
        v (Union[Tensor, list, tuple]): the second.
        mode (str): ``"full"`` for all places where they overlap, ``"same"`` for as many as the
            longer one has, ``"valid"`` for those where they overlap completely. Default:
            ``"full"``.

    Returns:
        Tensor of the common type; integers are computed in float32.
    """
    ...

def copysign(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """The numbers of `x1` with the signs of `x2`, element by element.

    Args:
        x1 (Union[Tensor, int, float, list, tuple]): the numbers.
        x2 (Union[Tensor, int, float, list, tuple]): their signs; shapes broadcast. Zero of either
            sign counts as positive.
        dtype (Type): the type of the result. Default None: that of `x1`.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def corrcoef(x: Tensor | Any, y: Tensor | Any = None, rowvar: bool = True, dtype: Any = None) -> Tensor:
    """The coefficients of correlation of variables, from observations.

    Args:
        x (Union[Tensor, list, tuple]): the observations, in one dimension or two.
        y (Union[Tensor, list, tuple]): further variables. Default None: there are none.
        rowvar (bool): whether each row is a variable, and each column an observation. Default:
            True.
        dtype (Type): the type of the result. Default None: float32.

    Returns:
        Tensor; a number for one variable.
    """
    ...

def correlate(a: Tensor | Any, v: Tensor | Any, mode: str = 'valid') -> Tensor:
    """The correlation of two vectors.

    Args:
        a (Union[Tensor, list, tuple]): the first vector.
        v (Union[Tensor, list, tuple]): the second; of complex numbers the conjugates are taken.
        mode (str): as in `convolve`. Default: ``"valid"``.

    Returns:
        Tensor of the common type; integers give float32.
    """
    ...

def cos(x: Tensor, dtype: Any = None) -> Tensor:
    """Cosine of angles in radians, element by element.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8 and bool give float16, others float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def cosh(x: Tensor, dtype: Any = None) -> Tensor:
    """Hyperbolic cosine, element by element.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8 and bool give float16, others float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def count_nonzero(x: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The number of elements over axes that are not zero.

    Args:
        x (Tensor): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size one. Default: False.

    Returns:
        Tensor of int32.
    """
    ...

def cov(m: Tensor | Any, y: Tensor | Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None, fweights: Tensor | Any = None, aweights: Tensor | Any = None, dtype: Any = None) -> Tensor:
    """The covariance matrix of variables, from observations.

    Args:
        m (Union[Tensor, list, tuple]): the observations, in one dimension or two.
        y (Union[Tensor, list, tuple]): further variables. Default None: there are none.
        rowvar (bool): whether each row is a variable, and each column an observation. Default:
            True.
        bias (bool): whether the divisor is the number of observations, and not one less. Default:
            False.
        ddof (int): what is taken from the number of observations; replaces `bias`. Default: None.
        fweights (Union[Tensor, list, tuple]): integers, how often each observation occurred.
            Default: None.
        aweights (Union[Tensor, list, tuple]): integers, how important each observation is.
            Default: None.
        dtype (Type): the type of the result. Default None: float32.

    Returns:
        Tensor; a number for one variable.
    """
    ...

def cross(a: Tensor | Any, b: Tensor | Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Tensor:
    """The cross product of vectors with two or three components.

    Args:
        a (Union[Tensor, list, tuple]): the first vectors.
        b (Union[Tensor, list, tuple]): the second; the other dimensions broadcast.
        axisa (int): the dimension of the components of `a`. Default: -1.
        axisb (int): the dimension of the components of `b`. Default: -1.
        axisc (int): the dimension of the components of the result. Default: -1.
        axis (int): replaces all three. Default None: nothing.

    Returns:
        Tensor of the common type. Two vectors with two components give the third component
        alone, without a dimension for it.
    """
    ...

def cumprod(a: Tensor | Any, axis: int | None = None, dtype: Any = None) -> Tensor:
    """The running product along an axis.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (int): the axis. Default None: the input is flattened first.
        dtype (Type): the type of the result. Default None: int8, int16 and bool give int32, uint8 and
            uint16 give uint32, other types are kept.

    Returns:
        Tensor.
    """
    ...

def cumsum(a: Tensor, axis: int | None = None, dtype: Any = None) -> Tensor:
    """The running sum along an axis.

    Args:
        a (Tensor): the input.
        axis (int): the axis. Default None: the input is flattened first.
        dtype (Type): the type of the result. Default None: int8, int16, uint8 and bool give int32, other types are kept.

    Returns:
        Tensor.
    """
    ...

def deg2rad(x: Tensor, dtype: Any = None) -> Tensor:
    r"""Angles in radians from degrees, element by element: :math:`x \cdot \pi / 180`.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, integers and bool give float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def diag(v: Tensor, k: int = 0) -> Tensor:
    """The diagonal of a matrix, or the matrix with a given diagonal.

    Args:
        v (Tensor): one dimension, the diagonal; or two dimensions, the matrix.
        k (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.

    Returns:
        Tensor with two dimensions or one.
    """
    ...

def diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """The indices of the main diagonal of a tensor with equal sizes.

    Args:
        n (int): the size of each dimension.
        ndim (int): the number of dimensions. Default: 2.

    Returns:
        tuple of `ndim` Tensors of int32.
    """
    ...

def diagflat(v: Tensor, k: int = 0) -> Tensor:
    """The matrix with all elements of a tensor on a diagonal.

    Args:
        v (Tensor): the elements, of any shape.
        k (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.

    Returns:
        Tensor with two dimensions.
    """
    ...

def diagonal(a: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of the plane of two axes.

    Args:
        a (Tensor): two dimensions or more.
        offset (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.
        axis1 (int): the first axis. Default: 0.
        axis2 (int): the second axis. Default: 1.

    Returns:
        Tensor; the diagonal is its last dimension.
    """
    ...

def diff(a: Tensor, n: int = 1, axis: int = -1, prepend: Tensor | Any = None, append: Tensor | Any = None) -> Tensor:
    """The differences of neighbors along an axis.

    Args:
        a (Tensor): the input.
        n (int): how often differences are taken. Default: 1.
        axis (int): the axis. Default: -1.
        prepend (Union[Tensor, number]): what is put in front first. Default: None.
        append (Union[Tensor, number]): what is put behind first. Default: None.

    Returns:
        Tensor of the input's type.
    """
    ...

def digitize(x: Tensor | Any, bins: Tensor | Any, right: bool = False) -> Tensor:
    """The number of the bin in which each number lies.

    Args:
        x (Union[Tensor, number, list, tuple]): the numbers, of any shape.
        bins (Union[Tensor, list, tuple]): the bounds in ascending or descending order.
        right (bool): whether a bound belongs to the bin before it. Default: False.

    Returns:
        Tensor of int32, of the shape of `x`: 0 in front of the first bound.
    """
    ...

def divide(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Divide, element by element: :math:`x_1 / x_2`.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: float16 or float32; everything else, float64 too, is divided in float32.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def divmod(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> tuple[Tensor, Tensor]:
    """Quotient rounded down and remainder, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the dividend.
        x2 (Union[Tensor, number, list, tuple]): the divisor; shapes broadcast.
        dtype (Type): the type of the results. Default None: the common type.

    Returns:
        Two Tensors of the broadcast shape, as `floor_divide` and `remainder` give them.
    """
    ...

def dot(a: Tensor, b: Tensor) -> Tensor:
    """Sums of products along the last dimension of one tensor and the last but one of another.

    Args:
        a (Tensor): the first tensor.
        b (Tensor): the second. A tensor without dimensions multiplies every element.

    Returns:
        Tensor; for vectors the inner product, for matrices the matrix product.
    """
    ...

def dsplit(x: Tensor, indices_or_sections: Any) -> Any:
    """Cut a tensor along the third dimension.

    Args:
        x (Tensor): the input.
        indices_or_sections (Union[int, tuple(int), list(int)]): the number of parts, or
            the places where to cut.

    Returns:
        tuple of Tensors for a number of parts, list of Tensors for places.
    """
    ...

def dstack(tup: Tensor | Sequence[Tensor]) -> Tensor:
    """Join tensors along the third dimension, which is added where it is missing.

    Args:
        tup (Union[Tensor, tuple(Tensor), list(Tensor)]): the tensors; a single Tensor is returned
            as it is.

    Returns:
        Tensor of the common type.
    """
    ...

def ediff1d(ary: Tensor, to_end: Tensor | Any = None, to_begin: Tensor | Any = None) -> Tensor:
    """The differences of neighbors in the flattened tensor.

    Args:
        ary (Tensor): the input.
        to_end (Union[Tensor, number, list, tuple]): what is put behind the differences. Default:
            None.
        to_begin (Union[Tensor, number, list, tuple]): what is put in front of them. Default: None.

    Returns:
        Tensor of the input's type, in one dimension.
    """
    ...

def empty(shape: Any, dtype: Any = ...) -> Tensor:
    """A tensor whose values do not matter; they are zeros.

    Args:
        shape (Union[int, tuple, list]): the shape.
        dtype (Type): the type. Default: float32.

    Returns:
        Tensor of that shape and type.
    """
    ...

def empty_like(prototype: Tensor | Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """A tensor of the shape and type of another whose values do not matter; they are zeros.

    Args:
        prototype (Union[Tensor, number, list, tuple]): the model.
        dtype (Type): the type. Default None: that of `prototype`.
        shape (Union[int, tuple, list]): the shape. Default None: that of `prototype`.

    Returns:
        Tensor.
    """
    ...

def equal(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether two numbers are equal, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def exp(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Exponential function, element by element: :math:`e^x`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, integers and bool give float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def exp2(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Power of two, element by element: :math:`2^x`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: the input's type.

    Returns:
        Tensor of the input's shape.
    """
    ...

def expand_dims(a: Tensor, axis: Any) -> Tensor:
    """Insert dimensions of size one.

    Args:
        a (Tensor): the input.
        axis (Union[int, tuple(int), list(int)]): their places in the result.

    Returns:
        Tensor.
    """
    ...

def expm1(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Exponential function minus one, exact near zero, element by element: :math:`e^x - 1`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, integers and bool give float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = ...) -> Tensor:
    """Ones on a diagonal, zeros elsewhere.

    Args:
        N (int): the number of rows.
        M (int): the number of columns. Default None: `N`.
        k (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.
        dtype (Type): the type. Default: float32.

    Returns:
        Tensor of shape (N, M).
    """
    ...

def fabs(x: Tensor, dtype: Any = None) -> Tensor:
    """Absolute value, element by element: :math:`|x|`.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: the input's.

    Returns:
        Tensor of the input's shape.
    """
    ...

def fix(x: Tensor) -> Tensor:
    """Integer part, towards zero, element by element.

    Args:
        x (Tensor): the input, of any shape.

    Returns:
        Tensor of the input's shape; float16 is kept, everything else gives float32.
    """
    ...

def flip(m: Tensor, axis: Any = None) -> Tensor:
    """Reverse the order of elements along dimensions.

    Args:
        m (Tensor): the input.
        axis (Union[None, int, tuple(int)]): the dimensions. Default None: all.

    Returns:
        Tensor.
    """
    ...

def fliplr(m: Tensor) -> Tensor:
    """Reverse the order of elements along the second dimension.

    Args:
        m (Tensor): the input.

    Returns:
        Tensor.
    """
    ...

def flipud(m: Tensor) -> Tensor:
    """Reverse the order of elements along the first dimension.

    Args:
        m (Tensor): the input.

    Returns:
        Tensor.
    """
    ...

def float_power(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
    """Raise to a power in float32, element by element: :math:`x_1^{x_2}`.

    Args:
        x1 (Tensor): the bases.
        x2 (Tensor): the exponents; shapes broadcast.
        dtype (Type): the type of the result. Default None: float32.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def floor(x: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Largest integer that is not above, element by element: :math:`\lfloor x \rfloor`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: the input's type.

    Returns:
        Tensor of the input's shape.
    """
    ...

def floor_divide(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Divide and round down, element by element: :math:`\lfloor x_1 / x_2 \rfloor`.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def fmod(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Remainder that has the dividend's sign, element by element: :math:`x_1 - x_2 \operatorname{trunc}(x_1 / x_2)`.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def full(shape: Any, fill_value: Tensor | Any, dtype: Any = None) -> Tensor:
    """A tensor filled with a value, or with values that broadcast to the shape.

    Args:
        shape (Union[int, tuple, list]): the shape.
        fill_value (Union[Tensor, number, list, tuple]): what to fill in.
        dtype (Type): the type, for a number as `fill_value`; Tensors and lists keep theirs.
            Default None: int32, float32 or bool for numbers.

    Returns:
        Tensor of that shape.
    """
    ...

def full_like(a: Tensor | Any, fill_value: Tensor | Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """A tensor of the shape and type of another, filled with a value.

    Args:
        a (Union[Tensor, number, list, tuple]): the model.
        fill_value (Union[Tensor, number, list, tuple]): what to fill in; Tensors and lists keep
            their type.
        dtype (Type): the type. Default None: that of `a`.
        shape (Union[int, tuple, list]): the shape. Default None: that of `a`.

    Returns:
        Tensor.
    """
    ...

def gcd(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Greatest common divisor, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def geomspace(start: Tensor | Any, stop: Tensor | Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Tensor:
    """Numbers with equal ratios in an interval.

    Args:
        start (Union[Tensor, number, list, tuple]): the first number.
        stop (Union[Tensor, number, list, tuple]): the end; shapes broadcast.
        num (int): how many numbers, at least 1. Default: 50.
        endpoint (bool): whether the end is one of them. Default: True.
        dtype (Type): the type. Default None: float32.
        axis (int): where the new axis goes. Default: 0.

    Returns:
        Tensor.
    """
    ...

def gradient(f: Tensor | Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """The slope along axes, from differences of neighbors.

    Args:
        f (Union[Tensor, list, tuple]): the values.
        varargs (Union[number, Tensor]): the distances, none for 1, one for all axes, or one for
            each.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        edge_order (int): the order of the differences at the ends; only 1. Default: 1.

    Returns:
        Tensor for one axis, list of Tensors for several; float32, float64 for float64 input.
    """
    ...

def greater(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether the first number is greater than the second, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def greater_equal(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether the first number is at least the second, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def hamming(M: int) -> Tensor:
    r"""The Hamming window: :math:`0.54 - 0.46 \cos(2 \pi n / (M - 1))`.

    Args:
        M (int): the number of points; 1 gives a one, less gives an empty tensor.

    Returns:
        Tensor of shape (M,), float32.
    """
    ...

def hanning(M: int) -> Tensor:
    r"""The Hann window: :math:`0.5 - 0.5 \cos(2 \pi n / (M - 1))`.

    Args:
        M (int): the number of points; 1 gives a one, less gives an empty tensor.

    Returns:
        Tensor of shape (M,), float32.
    """
    ...

def heaviside(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Unit step: 0 for negative numbers, 1 for positive ones, `x2` at zero, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def histogram(a: Tensor | Any, bins: Tensor | Any = 10, range: Any = None, weights: Tensor | Any = None, density: bool = False) -> tuple[Tensor, Tensor]:
    """How many numbers lie in each of several bins.

    Args:
        a (Union[Tensor, number, list, tuple]): the data, of any shape.
        bins (Union[int, Tensor, list, tuple]): the number of equal bins, or their bounds. Default:
            10.
        range (Union[None, tuple, list]): the pair (start, end) that equal bins fill. Default None:
            from the smallest number to the largest.
        weights (Union[Tensor, list, tuple]): what each number counts, in the shape of `a`. Default
            None: 1.
        density (bool): whether to divide by the width of each bin and the sum. Default: False.

    Returns:
        tuple of two Tensors, the counts in float32 and the bounds of the bins.
    """
    ...

def histogram2d(x: Tensor | Any, y: Tensor | Any, bins: Tensor | Any = 10, range: Any = None, weights: Tensor | Any = None, density: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """How many points of a plane lie in each of the boxes of a grid.

    Args:
        x (Union[Tensor, list, tuple]): the first coordinates.
        y (Union[Tensor, list, tuple]): the second.
        bins (Union[int, tuple, list]): as in `histogramdd`. Default: 10.
        range (Union[None, tuple, list]): as in `histogramdd`. Default: None.
        weights (Union[Tensor, list, tuple]): as in `histogramdd`. Default: None.
        density (bool): as in `histogramdd`. Default: False.

    Returns:
        tuple of three Tensors: the counts in float32, the bounds along `x` and along `y`.
    """
    ...

def histogram_bin_edges(a: Tensor | Any, bins: Tensor | Any = 10, range: Any = None, weights: Tensor | Any = None) -> Tensor:
    """The bounds of the bins that a histogram would have.

    Args:
        a (Union[Tensor, number, list, tuple]): the data, of any shape.
        bins (Union[int, Tensor, list, tuple]): the number of equal bins, or their bounds. Default:
            10.
        range (Union[None, tuple, list]): the pair (start, end) that equal bins fill. Default None:
            from the smallest number to the largest.
        weights (Union[Tensor, list, tuple]): the weights; they change nothing. Default: None.

    Returns:
        Tensor of float32, or `bins` as they were given.
    """
    ...

def histogramdd(sample: Tensor | Any, bins: Tensor | Any = 10, range: Any = None, weights: Tensor | Any = None, density: bool = False) -> tuple[Tensor, list[Tensor]]:
    """How many points lie in each of the boxes of a grid.

    Args:
        sample (Union[Tensor, list, tuple]): a Tensor with a row for each point, or a list or tuple
            of the coordinates in each dimension.
        bins (Union[int, tuple, list]): for all or each dimension the number of equal bins, or
            their bounds. Default: 10.
        range (Union[None, tuple, list]): for each dimension None or the pair (start, end). Default
            None: from the smallest number to the largest.
        weights (Union[Tensor, list, tuple]): what each point counts. Default None: 1.
        density (bool): whether to divide by the size of each box and the sum. Default: False.

    Returns:
        tuple of a Tensor, the counts in float32, and the list of the bounds in each dimension.
    """
    ...

def hsplit(x: Tensor, indices_or_sections: Any) -> Any:
    """Cut a tensor along the second dimension.

    Args:
        x (Tensor): the input.
        indices_or_sections (Union[int, tuple(int), list(int)]): the number of parts, or
            the places where to cut.

    Returns:
        tuple of Tensors for a number of parts, list of Tensors for places.
    """
    ...

def hstack(tup: Tensor | Sequence[Tensor]) -> Tensor:
    """Join tensors along the second dimension, rows along the first.

    Args:
        tup (Union[Tensor, tuple(Tensor), list(Tensor)]): the tensors; a single Tensor is returned
            as it is.

    Returns:
        Tensor of the common type.
    """
    ...

def hypot(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Length of the hypotenuse, element by element: :math:`\sqrt{x_1^2 + x_2^2}`.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def identity(n: int, dtype: Any = ...) -> Tensor:
    """The identity matrix.

    Args:
        n (int): the number of rows and columns.
        dtype (Type): the type. Default: float32.

    Returns:
        Tensor of shape (n, n).
    """
    ...

def in1d(ar1: Tensor | Any, ar2: Tensor | Any, invert: bool = False) -> Tensor:
    """Whether each element of one tensor occurs in another, as a flat tensor.

    Args:
        ar1 (Union[Tensor, number, list, tuple]): the elements to look for, of any shape.
        ar2 (Union[Tensor, number, list, tuple]): where to look, of any shape.
        invert (bool): whether to return the opposite. Default: False.

    Returns:
        Tensor of bool with as many elements as `ar1`, in one dimension.
    """
    ...

def indices(dimensions: Any, dtype: Any = ..., sparse: bool = False) -> list[Tensor]:
    """The indices of all places of a tensor, dimension by dimension.

    Args:
        dimensions (Union[tuple, list]): the shape.
        dtype (Type): the type. Default: int32.
        sparse (bool): whether to leave sizes at one where indices do not change. Default: False.

    Returns:
        list of Tensors, one for each dimension.
    """
    ...

def inner(a: Tensor, b: Tensor) -> Tensor:
    """Sums of products along the last dimensions.

    Args:
        a (Tensor): the first tensor.
        b (Tensor): the second, with the same last size. A tensor without dimensions multiplies
            every element.

    Returns:
        Tensor of shape ``a.shape[:-1] + b.shape[:-1]``.
    """
    ...

def interp(x: Tensor | Any, xp: Tensor | Any, fp: Tensor | Any, left: Any = None, right: Any = None) -> Tensor:
    """Interpolate linearly between given points.

    Args:
        x (Union[Tensor, number, list, tuple]): where to evaluate, of any shape.
        xp (Union[Tensor, list, tuple]): the ascending abscissas of the points, in one dimension.
        fp (Union[Tensor, list, tuple]): their ordinates.
        left (float): the value in front of the first point. Default None: that of the point.
        right (float): the value behind the last point. Default None: that of the point.

    Returns:
        Tensor of float32, float64 for float64 `x`, of the shape of `x`.
    """
    ...

def intersect1d(ar1: Tensor | Any, ar2: Tensor | Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """The elements that two tensors share, sorted.

    Args:
        ar1 (Union[Tensor, number, list, tuple]): the first tensor, of any shape.
        ar2 (Union[Tensor, number, list, tuple]): the second.
        assume_unique (bool): whether each tensor is known to have no element twice. Default: False.
        return_indices (bool): whether to return the places of the elements too. Default: False.

    Returns:
        Tensor in one dimension; with `return_indices` a tuple of it and the places in both
        flat tensors, int32.
    """
    ...

def invert(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Integers with every bit flipped, element by element.

    Args:
        x (Union[Tensor, number, list, tuple]): integers or bool, of any shape.
        dtype (Type): the type of the result. Default None: the input's.

    Returns:
        Tensor of the input's shape.
    """
    ...

def isclose(a: Tensor | Any, b: Tensor | Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    r"""Whether numbers agree, element by element: :math:`|a - b| \\le atol + rtol |b|`.

    Args:
        a (Union[Tensor, number, list, tuple]): the first operand.
        b (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        rtol (float): the relative tolerance. Default: 1e-5.
        atol (float): the absolute tolerance. Default: 1e-8.
        equal_nan (bool): whether two nans agree. Default: False.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def isfinite(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether a number is finite, element by element.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the input's shape.
    """
    ...

def isin(element: Tensor | Any, test_elements: Tensor | Any, invert: bool = False) -> Tensor:
    """Whether each element of one tensor occurs in another.

    Args:
        element (Union[Tensor, number, list, tuple]): the elements to look for, of any shape.
        test_elements (Union[Tensor, number, list, tuple]): where to look, of any shape.
        invert (bool): whether to return the opposite. Default: False.

    Returns:
        Tensor of bool, of the shape of `element`.
    """
    ...

def isinf(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether a number is infinite, element by element.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the input's shape.
    """
    ...

def isnan(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether a number is nan, element by element.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the input's shape.
    """
    ...

def isneginf(x: Tensor) -> Tensor:
    """Whether a number is negative infinity, element by element.

    Args:
        x (Tensor): the input, of any shape.

    Returns:
        Tensor of the input's shape, of bool.
    """
    ...

def isposinf(x: Tensor) -> Tensor:
    """Whether a number is positive infinity, element by element.

    Args:
        x (Tensor): the input, of any shape.

    Returns:
        Tensor of the input's shape, of bool.
    """
    ...

def isscalar(element: Tensor | Any) -> bool:
    """Whether a value is a Python number or a string.

    Args:
        element (any): the value.

    Returns:
        bool: True for int, float, bool and str; False for tensors, also those without
        dimensions.
    """
    ...

def ix_(*args: Tensor) -> tuple[Tensor, ...]:
    """Indices that broadcast to all combinations of the given ones.

    Args:
        args (Tensor): the indices along each axis, in one dimension.

    Returns:
        tuple of Tensors, each with as many dimensions as there are arguments.
    """
    ...

def kron(a: Tensor | Any, b: Tensor | Any) -> Tensor:
    """The Kronecker product: every element of one tensor times all of another.

    Args:
        a (Union[Tensor, number, list, tuple]): the first tensor.
        b (Union[Tensor, number, list, tuple]): the second.

    Returns:
        Tensor of the common type.
    """
    ...

def lcm(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Least common multiple, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def less(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether the first number is less than the second, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def less_equal(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
    """Whether the first number is at most the second, element by element.

    Args:
        x1 (Tensor): the first operand.
        x2 (Tensor): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def linspace(start: Tensor | Any, stop: Tensor | Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0) -> Any:
    """Numbers at equal distances in an interval.

    Args:
        start (Union[Tensor, number, list, tuple]): the first number.
        stop (Union[Tensor, number, list, tuple]): the end; shapes broadcast.
        num (int): how many numbers, at least 1. Default: 50.
        endpoint (bool): whether the end is one of them. Default: True.
        retstep (bool): whether to return the distance too. Default: False.
        dtype (Type): the type. Default None: float32.
        axis (int): where the new axis goes. Default: 0.

    Returns:
        Tensor, or with `retstep` a tuple of it and the distance: a Tensor, nan for a single
        number.
    """
    ...

def log(x: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Natural logarithm, element by element: :math:`\ln x`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, integers and bool give float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def log10(x: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Logarithm to base 10, element by element: :math:`\log_{10} x`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, integers and bool give float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def log1p(x: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Natural logarithm of one plus the input, exact near zero, element by element: :math:`\ln(1 + x)`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, integers and bool give float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def log2(x: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Logarithm to base 2, element by element: :math:`\log_2 x`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, integers and bool give float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def logaddexp(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Logarithm of the sum of exponentials, element by element: :math:`\ln(e^{x_1} + e^{x_2})`.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def logaddexp2(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
    r"""Logarithm to base 2 of the sum of powers of two, element by element: :math:`\log_2(2^{x_1} + 2^{x_2})`.

    Args:
        x1 (Tensor): the first operand.
        x2 (Tensor): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def logical_and(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether neither of two values is zero, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def logical_not(a: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether a value is zero, element by element.

    Args:
        a (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the input's shape.
    """
    ...

def logical_or(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether one of two values is not zero, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def logical_xor(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
    """Whether exactly one of two values is not zero, element by element.

    Args:
        x1 (Tensor): the first operand.
        x2 (Tensor): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def logspace(start: Tensor | Any, stop: Tensor | Any, num: int = 50, endpoint: bool = True, base: float = 10.0, dtype: Any = None, axis: int = 0) -> Tensor:
    """Powers of a base whose exponents have equal distances.

    Args:
        start (Union[Tensor, number, list, tuple]): the first exponent.
        stop (Union[Tensor, number, list, tuple]): the end of the exponents; shapes broadcast.
        num (int): how many numbers, at least 1. Default: 50.
        endpoint (bool): whether the end is one of them. Default: True.
        base (Union[int, float]): the base. Default: 10.0.
        dtype (Type): the type. Default None: float32.
        axis (int): where the new axis goes. Default: 0.

    Returns:
        Tensor.
    """
    ...

def matmul(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
    """The matrix product; further dimensions broadcast.

    Args:
        x1 (Tensor): the first factor; one dimension is a row.
        x2 (Tensor): the second, of the same type; one dimension is a column.
        dtype (Type): the type of the result. Default None: that of the factors.

    Returns:
        Tensor.
    """
    ...

def max(a: Tensor | Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Tensor | Any = True) -> Tensor:
    """The largest element over axes.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size one. Default: False.
        initial (number): takes part in the comparison. Default None: nothing.
        where (Union[Tensor, bool]): the elements that take part; `initial` must be
            given with it. Default: True.

    Returns:
        Tensor of the input's type.
    """
    ...

def maximum(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """The larger of two numbers, element by element; nan wins.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type. Beside an operand
            without dimensions the type of the other one is taken whatever `dtype` is.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def mean(a: Tensor | Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Tensor:
    """The arithmetic mean over axes.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size one. Default: False.
        dtype (Type): the type of the result. Default None: that of the input; the mean of
            integers is cut to an integer.

    Returns:
        Tensor.
    """
    ...

def meshgrid(*xi: Tensor, sparse: bool = False, indexing: str = 'xy') -> list[Tensor]:
    """The coordinates of all points of a grid.

    Args:
        xi (Tensor): the coordinates along each axis; tensors with more dimensions are flattened.
        sparse (bool): whether to leave sizes at one where coordinates do not change. Default:
            False.
        indexing (str): ``"xy"`` swaps the first two dimensions of the results, ``"ij"`` does not.
            Default: ``"xy"``.

    Returns:
        list of Tensors, one for each argument.
    """
    ...

mgrid: Any

def min(a: Tensor | Any, axis: Any = None, keepdims: bool = False, initial: Any = None, where: Tensor | Any = True) -> Tensor:
    """The smallest element over axes.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size one. Default: False.
        initial (number): takes part in the comparison. Default None: nothing.
        where (Union[Tensor, bool]): the elements that take part; `initial` must be
            given with it. Default: True.

    Returns:
        Tensor of the input's type.
    """
    ...

def minimum(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """The smaller of two numbers, element by element; nan wins.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type. Beside an operand
            without dimensions the type of the other one is taken whatever `dtype` is.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def mod(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Remainder that has the divisor's sign, element by element: :math:`x_1 - x_2 \lfloor x_1 / x_2 \rfloor`.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def moveaxis(a: Tensor, source: Any, destination: Any) -> Tensor:
    """Move dimensions to other places; the rest keep their order.

    Args:
        a (Tensor): the input.
        source (Union[int, tuple(int)]): the dimensions to move.
        destination (Union[int, tuple(int)]): where they go.

    Returns:
        Tensor.
    """
    ...

def multi_dot(arrays: Tensor | Any) -> Tensor:
    """The product of several matrices, in the order of multiplication that costs least.

    Args:
        arrays (Union[Tensor, list, tuple]): the matrices; the first and the last may be vectors. A
            Tensor stands for its parts along the first dimension.

    Returns:
        Tensor.
    """
    ...

def multiply(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
    """Multiply, element by element: :math:`x_1 x_2`.

    Args:
        x1 (Tensor): the first operand.
        x2 (Tensor): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def nancumsum(a: Tensor, axis: int | None = None, dtype: Any = None) -> Tensor:
    """The running sum along an axis; nan counts as zero.

    Args:
        a (Tensor): the input.
        axis (int): the axis. Default None: the input is flattened first.
        dtype (Type): the type of the result. Default None: int8, int16, uint8 and bool give int32, other types are kept.

    Returns:
        Tensor.
    """
    ...

def nanmax(a: Tensor | Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The largest element over axes of those that are not nan; nan where all are.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        dtype (Type): the type of the result. Default None: that of the input.
        keepdims (bool): whether the axes stay, with size one. Default: False.

    Returns:
        Tensor.
    """
    ...

def nanmean(a: Tensor | Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The arithmetic mean over axes of the elements that are not nan.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        dtype (Type): the type of the result. Default None: float32, float64 for float64.
        keepdims (bool): whether the axes stay, with size one. Default: False.

    Returns:
        Tensor.
    """
    ...

def nanmin(a: Tensor | Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The smallest element over axes of those that are not nan; nan where all are.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        dtype (Type): the type of the result. Default None: that of the input.
        keepdims (bool): whether the axes stay, with size one. Default: False.

    Returns:
        Tensor.
    """
    ...

def nanstd(a: Tensor | Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The standard deviation over axes of the elements that are not nan.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        dtype (Type): the type of the result. Default None: float32.
        ddof (int): what is taken from the number of elements in the divisor. Default: 0.
        keepdims (bool): whether the axes stay, with size one. Default: False.

    Returns:
        Tensor.
    """
    ...

def nansum(a: Tensor | Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """The sum over axes; nan counts as zero.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        dtype (Type): the type of the result. Default None: that of the input.
        keepdims (bool): whether the axes stay, with size one. Default: False.

    Returns:
        Tensor.
    """
    ...

def nanvar(a: Tensor | Any, axis: Any = None, dtype: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The variance over axes of the elements that are not nan.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        dtype (Type): the type of the result. Default None: float32.
        ddof (int): what is taken from the number of elements in the divisor. Default: 0.
        keepdims (bool): whether the axes stay, with size one. Default: False.

    Returns:
        Tensor.
    """
    ...

def negative(a: Tensor | Any, dtype: Any = None) -> Tensor:
    """The numbers with the other sign, element by element: :math:`-a`.

    Args:
        a (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: the input's.

    Returns:
        Tensor of the input's shape.
    """
    ...

def norm(x: Tensor | Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The norm of vectors or matrices.

    Args:
        x (Union[Tensor, list, tuple]): the input; all but float64 is taken as
            float32.
        ord (Union[None, int, float, inf, -inf, 'fro', 'nuc']): which norm. For vectors the
            exponent; 0 counts the elements that are not zero. For matrices ``'fro'``, ``'nuc'``,
            1, -1, 2, -2, inf or -inf. Default None: the root of the sum of squares.
        axis (Union[None, int, tuple(int)]): one axis for vectors, two for matrices. Default None:
            all elements, which for an `ord` must have one or two dimensions.
        keepdims (bool): whether the axes stay, with size one. Default: False.

    Returns:
        Tensor.
    """
    ...

def not_equal(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
    """Whether two numbers differ, element by element.

    Args:
        x1 (Tensor): the first operand.
        x2 (Tensor): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: bool.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

ogrid: Any

def ones(shape: Any, dtype: Any = ...) -> Tensor:
    """A tensor of ones.

    Args:
        shape (Union[int, tuple, list]): the shape.
        dtype (Type): the type. Default: float32.

    Returns:
        Tensor of that shape and type.
    """
    ...

def ones_like(a: Tensor | Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """A tensor of ones, of the shape and type of another.

    Args:
        a (Union[Tensor, number, list, tuple]): the model.
        dtype (Type): the type. Default None: that of `a`.
        shape (Union[int, tuple, list]): the shape. Default None: that of `a`.

    Returns:
        Tensor.
    """
    ...

def outer(a: Tensor, b: Tensor) -> Tensor:
    """The products of all elements of one tensor with all of another.

    Args:
        a (Tensor): the first tensor; it is flattened.
        b (Tensor): the second; it is flattened.

    Returns:
        Tensor with two dimensions.
    """
    ...

def polyadd(a1: Tensor | Any, a2: Tensor | Any) -> Tensor:
    """The sum of two polynomials.

    Args:
        a1 (Union[Tensor, number, list, tuple]): the coefficients of the first polynomial, from the
            highest power down.
        a2 (Union[Tensor, number, list, tuple]): those of the second.

    Returns:
        Tensor of the common type, the coefficients of the result.
    """
    ...

def polyder(p: Tensor | Any, m: int = 1) -> Tensor:
    """The derivative of a polynomial.

    Args:
        p (Union[Tensor, number, list, tuple]): the coefficients, from the highest power down.
        m (int): how often it is differentiated. Default: 1.

    Returns:
        Tensor of the type of `p`, the coefficients; an empty float32 Tensor where nothing is
        left.
    """
    ...

def polyint(p: Tensor | Any, m: int = 1, k: Tensor | Any = None) -> Tensor:
    """The antiderivative of a polynomial.

    Args:
        p (Union[Tensor, number, list, tuple]): the coefficients, from the highest power down.
        m (int): how often it is integrated. Default: 1.
        k (Union[None, number, Tensor, list, tuple]): the constants, one for all or one for each
            time. Default None: zeros.

    Returns:
        Tensor, the coefficients; integers give float32.
    """
    ...

def polymul(a1: Tensor | Any, a2: Tensor | Any) -> Tensor:
    """The product of two polynomials.

    Args:
        a1 (Union[Tensor, number, list, tuple]): the coefficients of the first polynomial, from the
            highest power down.
        a2 (Union[Tensor, number, list, tuple]): those of the second.

    Returns:
        Tensor of the common type, the coefficients of the result.
    """
    ...

def polysub(a1: Tensor | Any, a2: Tensor | Any) -> Tensor:
    """The difference of two polynomials.

    Args:
        a1 (Union[Tensor, number, list, tuple]): the coefficients of the first polynomial, from the
            highest power down.
        a2 (Union[Tensor, number, list, tuple]): those of the second.

    Returns:
        Tensor of the common type, the coefficients of the result.
    """
    ...

def polyval(p: Tensor | Any, x: Tensor | Any) -> Tensor:
    """The values of a polynomial.

    Args:
        p (Union[Tensor, number, list, tuple]): the coefficients, from the highest power down.
        x (Union[Tensor, number, list, tuple]): where to evaluate, of any shape.

    Returns:
        Tensor of the shape of `x`; integers give float32.
    """
    ...

def positive(a: Tensor, dtype: Any = None) -> Tensor:
    """The numbers themselves.

    Args:
        a (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: the input's.

    Returns:
        Tensor of the input's shape.
    """
    ...

def power(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Raise to a power, element by element: :math:`x_1^{x_2}`.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def ptp(x: Tensor, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The difference of the largest and the smallest element over axes.

    Args:
        x (Tensor): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size one. Default: False.

    Returns:
        Tensor of the input's type.
    """
    ...

def rad2deg(x: Tensor, dtype: Any = None) -> Tensor:
    r"""Angles in degrees from radians, element by element: :math:`x \cdot 180 / \pi`.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, integers and bool give float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def radians(x: Tensor, dtype: Any = None) -> Tensor:
    r"""Angles in radians from degrees, element by element: :math:`x \cdot \pi / 180`.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, integers and bool give float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def rand(*shape: Any, dtype: Any = ...) -> Tensor:
    """Draw uniform numbers in [0, 1].

    Args:
        shape (Union[int, tuple, list]): the sizes, one after the other or as one tuple; none gives
            the shape (1,).
        dtype (Type): float16, float32 or float64. Default: float32.

    Returns:
        Tensor of that shape and type.
    """
    ...

def randint(minval: int, maxval: Any = None, shape: Any = None, dtype: Any = ...) -> Tensor:
    """Draw integers, uniform in minval .. maxval - 1, or in 0 .. minval - 1.

    Args:
        minval (int): the smallest value; one more than the largest if `maxval` is None.
        maxval (int): one more than the largest value. Default: None.
        shape (Union[int, tuple, list]): the shape. Default None: (1,).
        dtype (Type): int8, int16, int32 or int64. Default: int32.

    Returns:
        Tensor of that shape and type.
    """
    ...

def randn(*shape: Any, dtype: Any = ...) -> Tensor:
    """Draw standard normal numbers.

    Args:
        shape (Union[int, tuple, list]): the sizes, one after the other or as one tuple; none gives
            the shape (1,).
        dtype (Type): float16, float32 or float64. Default: float32.

    Returns:
        Tensor of that shape and type.
    """
    ...

def ravel(x: Tensor) -> Tensor:
    """All elements in one dimension.

    Args:
        x (Tensor): the input.

    Returns:
        Tensor with one dimension.
    """
    ...

def ravel_multi_index(multi_index: Tensor | Any, dims: Any, mode: str = 'clip', order: str = 'C') -> Tensor:
    """The places in a flat tensor from the indices in each dimension.

    Args:
        multi_index (Union[Tensor, list, tuple]): the indices, dimension by dimension.
        dims (Union[int, tuple(int)]): the shape of the tensor.
        mode (str): what to do with indices out of range: ``"clip"`` takes the nearest, ``"wrap"``
            counts on from the start, ``"raise"`` raises. Default: ``"clip"``.
        order (str): ``"C"`` if the last index changes fastest, ``"F"`` if the first does. Default:
            ``"C"``.

    Returns:
        Tensor of float32.
    """
    ...

def reciprocal(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Reciprocal, element by element: :math:`1 / x`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: the input's type; integers are truncated.

    Returns:
        Tensor of the input's shape.
    """
    ...

def remainder(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Remainder that has the divisor's sign, element by element: :math:`x_1 - x_2 \lfloor x_1 / x_2 \rfloor`.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def repeat(a: Tensor | Any, repeats: Any, axis: int | None = None) -> Tensor:
    """Repeat each element.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        repeats (Union[int, tuple(int), list(int)]): how often, for all or for each place.
        axis (int): the dimension. Default None: the input is flattened first.

    Returns:
        Tensor.
    """
    ...

def reshape(x: Tensor, new_shape: Any) -> Tensor:
    """Give the elements another shape.

    Args:
        x (Tensor): the input.
        new_shape (Union[int, tuple(int), list(int)]): the shape; -1 stands for the size that fits.

    Returns:
        Tensor.
    """
    ...

def rint(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Nearest integer, halves to the even one, element by element.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, integers and bool give float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def roll(a: Tensor, shift: Any, axis: Any = None) -> Tensor:
    """Shift elements along dimensions; what leaves at the end comes back at the start.

    Args:
        a (Tensor): the input.
        shift (Union[int, tuple(int)]): by how many places.
        axis (Union[None, int, tuple(int)]): the dimensions; a single shift or axis goes with all of
            the other. Default None: the input is flattened first, and keeps its shape.

    Returns:
        Tensor.
    """
    ...

def rollaxis(x: Tensor, axis: int, start: int = 0) -> Tensor:
    """Move one dimension to the place in front of another.

    Args:
        x (Tensor): the input.
        axis (int): the dimension to move.
        start (int): the dimension in front of which it goes; the rank for the end. Default: 0.

    Returns:
        Tensor.
    """
    ...

def rot90(a: Tensor, k: int = 1, axes: Any = ...) -> Tensor:
    """Rotate a plane by right angles.

    Args:
        a (Tensor): two dimensions or more.
        k (int): how often, from the first axis to the second. Default: 1.
        axes (Union[tuple(int), list(int)]): the plane. Default: (0, 1).

    Returns:
        Tensor.
    """
    ...

def searchsorted(a: Tensor | Any, v: Tensor | Any, side: str = 'left', sorter: Tensor | Any = None) -> Tensor:
    """The places at which numbers would have to be inserted into sorted ones.

    Args:
        a (Union[Tensor, list, tuple]): the sorted numbers, in one dimension.
        v (Union[Tensor, number, list, tuple]): the numbers to insert, of any shape.
        side (str): ``"left"`` for the first place that is right, ``"right"`` for the last. Default:
            ``"left"``.
        sorter (Union[Tensor, list, tuple]): the places in `a` in the order of its numbers. Default
            None: `a` is sorted.

    Returns:
        Tensor of int32, of the shape of `v`.
    """
    ...

def select(condlist: Tensor | Any, choicelist: Tensor | Any, default: Tensor | Any = 0) -> Tensor:
    """For each place the element of the tensor whose condition is the first to hold.

    Args:
        condlist (Union[Tensor, list, tuple]): the conditions.
        choicelist (Union[Tensor, list, tuple]): as many tensors; shapes broadcast.
        default (Union[Tensor, number]): the element where no condition holds. Default: 0.

    Returns:
        Tensor of the type of `choicelist`.
    """
    ...

def setdiff1d(ar1: Tensor | Any, ar2: Tensor | Any, assume_unique: bool = False) -> Tensor:
    """The elements of one tensor that do not occur in another.

    Args:
        ar1 (Union[Tensor, list, tuple]): the elements, of any shape.
        ar2 (Union[Tensor, list, tuple]): those to leave out, of any shape.
        assume_unique (bool): whether the elements are known to be distinct; then their order is
            kept. Default: False.

    Returns:
        Tensor in one dimension, sorted and without repetition unless `assume_unique`.
    """
    ...

def sign(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Sign, element by element: -1, 0 or 1.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape and any type but bool.
        dtype (Type): the type of the result. Default None: floating types are kept, integers give
            float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def signbit(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Whether a number is negative, element by element; negative zero is not.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): None or bool. Default: None.

    Returns:
        Tensor of bool, of the input's shape.
    """
    ...

def sin(x: Tensor, dtype: Any = None) -> Tensor:
    """Sine of angles in radians, element by element.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8 and bool give float16, others float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def sinh(x: Tensor, dtype: Any = None) -> Tensor:
    """Hyperbolic sine, element by element.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8 and bool give float16, others float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def size(a: Tensor | Any, axis: int | None = None) -> int:
    """The number of elements, or the size of one dimension.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (int): the dimension. Default None: all elements are counted.

    Returns:
        int.
    """
    ...

def sometrue(a: Tensor | Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Whether an element is not zero, along axes.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int)]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with length 1. Default: False.

    Returns:
        Tensor of bool.
    """
    ...

def split(x: Tensor, indices_or_sections: Any, axis: int = 0) -> Any:
    """Cut a tensor into equal parts, or at given places.

    Args:
        x (Tensor): the input.
        indices_or_sections (Union[int, tuple(int), list(int)]): the number of parts, or
            the places where to cut.
        axis (int): the dimension. Default: 0.

    Returns:
        tuple of Tensors for a number of parts, list of Tensors for places.
    """
    ...

def sqrt(x: Tensor | Any, dtype: Any = None) -> Tensor:
    r"""Square root, element by element: :math:`\sqrt{x}`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, integers and bool give float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def square(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Square, element by element: :math:`x^2`.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: the input's type.

    Returns:
        Tensor of the input's shape.
    """
    ...

def squeeze(a: Tensor, axis: Any = None) -> Tensor:
    """Remove dimensions of size one.

    Args:
        a (Tensor): the input.
        axis (Union[None, int, tuple(int)]): which ones; those of another size stay. Default None:
            all.

    Returns:
        Tensor.
    """
    ...

def stack(arrays: Tensor | Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join tensors of one shape along a new dimension.

    Args:
        arrays (Union[Tensor, tuple(Tensor), list(Tensor)]): the tensors; a single Tensor stands for
            its parts along the first dimension.
        axis (int): the place of the new dimension. Default: 0.

    Returns:
        Tensor of the common type.
    """
    ...

def std(x: Tensor | Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The standard deviation over axes.

    Args:
        x (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        ddof (int): what is taken from the number of elements in the divisor. Default: 0.
        keepdims (bool): whether the axes stay, with size one. Default: False.

    Returns:
        Tensor; integers give float32.
    """
    ...

def subtract(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Subtract, element by element: :math:`x_1 - x_2`.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def sum(a: Tensor | Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, initial: Any = None) -> Tensor:
    """The sum over axes.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        dtype (Type): the type of the result. Default None: floating types are kept,
            integers and bool give int64.
        keepdims (bool): whether the axes stay, with size one. Default: False.
        initial (number): what is added. Default None: nothing.

    Returns:
        Tensor.
    """
    ...

def swapaxes(x: Tensor, axis1: int, axis2: int) -> Tensor:
    """Exchange two dimensions.

    Args:
        x (Tensor): the input.
        axis1 (int): the first dimension.
        axis2 (int): the second dimension.

    Returns:
        Tensor.
    """
    ...

def take(a: Tensor, indices: Tensor, axis: int | None = None, mode: str = 'clip') -> Tensor:
    """Elements at given places.

    Args:
        a (Tensor): the input.
        indices (Tensor): the places, integers of any shape.
        axis (int): the dimension. Default None: the input is flattened first.
        mode (str): what to do with places out of range: ``"clip"`` takes the nearest, ``"wrap"``
            counts on from the start, ``"raise"`` raises. Negative places count from the end.
            Default: ``"clip"``.

    Returns:
        Tensor.
    """
    ...

def take_along_axis(arr: Tensor, indices: Tensor, axis: int | None) -> Tensor:
    """Elements of each line along a dimension, at places that may differ from line to line.

    Args:
        arr (Tensor): the input.
        indices (Tensor): the places, integers with as many dimensions as `arr`; the other
            dimensions broadcast.
        axis (int): the dimension; None flattens `arr` first.

    Returns:
        Tensor.
    """
    ...

def tan(x: Tensor, dtype: Any = None) -> Tensor:
    """Tangent of angles in radians, element by element.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8 and bool give float16, others float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def tanh(x: Tensor, dtype: Any = None) -> Tensor:
    """Hyperbolic tangent, element by element.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8 and bool give float16, others float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def tensordot(a: Tensor, b: Tensor, axes: Any = 2) -> Tensor:
    """Sums of products along chosen dimensions.

    Args:
        a (Tensor): the first tensor.
        b (Tensor): the second.
        axes (Union[int, tuple, list]): how many of the last dimensions of `a` meet as many of the
            first of `b`, or the two sequences of dimensions. Default: 2.

    Returns:
        Tensor with the other dimensions of both.
    """
    ...

def tile(a: Tensor, reps: Any) -> Tensor:
    """Repeat a whole tensor.

    Args:
        a (Tensor): the input.
        reps (Union[int, tuple(int), list(int)]): how often along each dimension; ones are put in
            front of the shorter of shape and `reps`.

    Returns:
        Tensor.
    """
    ...

def trace(a: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    """The sum along the diagonal of the plane of two axes.

    Args:
        a (Tensor): two dimensions or more.
        offset (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.
        axis1 (int): the first axis. Default: 0.
        axis2 (int): the second axis. Default: 1.
        dtype (Type): the type of the result. Default None: floating types are kept, integers give
            int64.

    Returns:
        Tensor without the two axes.
    """
    ...

def transpose(a: Tensor, axes: Any = None) -> Tensor:
    """Reorder the dimensions.

    Args:
        a (Tensor): the input.
        axes (Union[None, tuple(int), list(int)]): which dimension goes to each place. Default None:
            the reverse order.

    Returns:
        Tensor.
    """
    ...

def trapz(y: Tensor | Any, x: Tensor | Any = None, dx: Tensor | Any = 1.0, axis: int = -1) -> Tensor:
    """The integral along an axis by the trapezoidal rule.

    Args:
        y (Union[Tensor, list, tuple]): the ordinates.
        x (Union[Tensor, list, tuple]): the abscissas, in one dimension or of the shape of `y`.
            Default None: their distance is `dx`.
        dx (Union[Tensor, number]): the distance of abscissas. Default: 1.0.
        axis (int): the axis. Default: -1.

    Returns:
        Tensor without the axis; float16 is kept, everything else gives float32.
    """
    ...

def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = ...) -> Tensor:
    """Ones on and below a diagonal, zeros above it.

    Args:
        N (int): the number of rows.
        M (int): the number of columns. Default None: `N`.
        k (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.
        dtype (Type): the type. Default: float32.

    Returns:
        Tensor of shape (N, M).
    """
    ...

def tril(m: Tensor | Any, k: int = 0) -> Tensor:
    """The lower triangle of matrices; zeros replace the rest.

    Args:
        m (Union[Tensor, list, tuple]): the last two dimensions are the matrices. One row stands for
            a square matrix of equal rows.
        k (int): the diagonal that bounds the triangle, 0 the main one. Default: 0.

    Returns:
        Tensor of the input's type.
    """
    ...

def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """The indices of the lower triangle of a matrix.

    Args:
        n (int): the number of rows.
        k (int): the diagonal that bounds the triangle, 0 the main one. Default: 0.
        m (int): the number of columns. Default None: `n`.

    Returns:
        tuple of two Tensors of int32, for rows and columns.
    """
    ...

def tril_indices_from(arr: Tensor | Any, k: int = 0) -> tuple[Tensor, ...]:
    """The indices of the lower triangle of a given matrix.

    Args:
        arr (Union[Tensor, list, tuple]): the matrix.
        k (int): the diagonal that bounds the triangle, 0 the main one. Default: 0.

    Returns:
        tuple of two Tensors of int32, for rows and columns.
    """
    ...

def triu(m: Tensor | Any, k: int = 0) -> Tensor:
    """The upper triangle of matrices; zeros replace the rest.

    Args:
        m (Union[Tensor, list, tuple]): the last two dimensions are the matrices. One row stands for
            a square matrix of equal rows.
        k (int): the diagonal that bounds the triangle, 0 the main one. Default: 0.

    Returns:
        Tensor of the input's type.
    """
    ...

def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
    """The indices of the upper triangle of a matrix.

    Args:
        n (int): the number of rows.
        k (int): the diagonal that bounds the triangle, 0 the main one. Default: 0.
        m (int): the number of columns. Default None: `n`.

    Returns:
        tuple of two Tensors of int32, for rows and columns.
    """
    ...

def triu_indices_from(arr: Tensor | Any, k: int = 0) -> tuple[Tensor, ...]:
    """The indices of the upper triangle of a given matrix.

    Args:
        arr (Union[Tensor, list, tuple]): the matrix.
        k (int): the diagonal that bounds the triangle, 0 the main one. Default: 0.

    Returns:
        tuple of two Tensors of int32, for rows and columns.
    """
    ...

def true_divide(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """Divide, element by element: :math:`x_1 / x_2`.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: float16 or float32; everything else, float64 too, is divided in float32.

    Returns:
        Tensor of the broadcast shape.
    """
    ...

def trunc(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Integer part, towards zero, element by element.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: float16 is kept, everything else gives float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def unique(x: Tensor, return_inverse: bool = False) -> Any:
    """The different elements, in the order in which they come first.

    Args:
        x (Tensor): the input, of any shape.
        return_inverse (bool): whether to tell which of them each element is. Default: False.

    Returns:
        Tensor in one dimension; with `return_inverse` a tuple of it and a Tensor of places in
        one dimension (int32; int64 for int64 input).
    """
    ...

def unravel_index(indices: Tensor | Any, shape: Any, order: str = 'C') -> Any:
    """The indices in each dimension from the places in a flat tensor.

    Args:
        indices (Union[Tensor, int, list, tuple]): the places; those out of range are moved to its
            ends.
        shape (Union[int, tuple(int)]): the shape of the tensor.
        order (str): ``"C"`` if the last index changes fastest, ``"F"`` if the first does. Default:
            ``"C"``.

    Returns:
        tuple of Tensors, one for each dimension; a Tensor for a number in one dimension.
    """
    ...

def unwrap(p: Tensor | Any, discont: float = 3.141592653589793, axis: int = -1) -> Tensor:
    """Add whole turns to angles, so that neighbors differ by less than half a turn.

    Args:
        p (Union[Tensor, list, tuple]): the angles in radians.
        discont (float): differences below it are left alone. Default: pi.
        axis (int): the axis. Default: -1.

    Returns:
        Tensor of the shape of `p`; integers give float32.
    """
    ...

def vander(x: Tensor | Any, N: int | None = None, increasing: bool = False) -> Tensor:
    """The powers of numbers, one row for each number.

    Args:
        x (Union[Tensor, list, tuple]): the numbers, in one dimension.
        N (int): the number of powers. Default None: that of the numbers.
        increasing (bool): whether the exponents grow from left to right. Default: False.

    Returns:
        Tensor of shape (M, N) and the type of `x`.
    """
    ...

def var(x: Tensor | Any, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Tensor:
    """The variance over axes.

    Args:
        x (Union[Tensor, number, list, tuple]): the input.
        axis (Union[None, int, tuple(int), list(int)]): the axes. Default None: all.
        ddof (int): what is taken from the number of elements in the divisor. Default: 0.
        keepdims (bool): whether the axes stay, with size one. Default: False.

    Returns:
        Tensor; integers give float32.
    """
    ...

def vsplit(x: Tensor, indices_or_sections: Any) -> Any:
    """Cut a tensor along the first dimension.

    Args:
        x (Tensor): the input.
        indices_or_sections (Union[int, tuple(int), list(int)]): the number of parts, or
            the places where to cut.

    Returns:
        tuple of Tensors for a number of parts, list of Tensors for places.
    """
    ...

def vstack(tup: Tensor | Sequence[Tensor]) -> Tensor:
    """Join tensors along the first dimension; rows become matrices first.

    Args:
        tup (Union[Tensor, tuple(Tensor), list(Tensor)]): the tensors; a single Tensor is returned
            as it is.

    Returns:
        Tensor of the common type.
    """
    ...

def where(condition: Tensor | Any, x: Tensor | Any = None, y: Tensor | Any = None) -> Tensor:
    """The element of one tensor or another, as a condition says.

    Args:
        condition (Union[Tensor, bool, list, tuple]): where it is not zero `x` is taken, `y`
            elsewhere.
        x (Union[Tensor, number, list, tuple]): the first tensor. It must be given.
        y (Union[Tensor, number, list, tuple]): the second; all shapes broadcast. It must be given.

    Returns:
        Tensor of the common type of `x` and `y`.
    """
    ...

def zeros(shape: Any, dtype: Any = ...) -> Tensor:
    """A tensor of zeros.

    Args:
        shape (Union[int, tuple, list]): the shape.
        dtype (Type): the type. Default: float32.

    Returns:
        Tensor of that shape and type.
    """
    ...

def zeros_like(a: Tensor | Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """A tensor of zeros, of the shape and type of another.

    Args:
        a (Union[Tensor, number, list, tuple]): the model.
        dtype (Type): the type. Default None: that of `a`.
        shape (Union[int, tuple, list]): the shape. Default None: that of `a`.

    Returns:
        Tensor.
    """
    ...
