"""Products of vectors and matrices, norms, and sliding products."""

from __future__ import annotations

import itertools
import math
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar.numpy._declare import (
    Tensor,
    array,
    axes_of,
    axis_of,
    floating,
    home,
    named,
    parts_of,
    released,
    to_common,
    typed,
)
from agar.ops._checks import integer
from agar.ops.linalg import products as linalg
from agar.ops.math import arithmetic

_math = home("math_ops")


def _not_aligned(op_name: str, first: Tensor, second: Tensor) -> ValueError:
    return ValueError(
        f"For 'numpy.{op_name}', the shapes {list(first.shape)} and {list(second.shape)} do not "
        "fit: the sizes that are multiplied and added must be equal."
    )


@_math(
    "inner",
    samples=("f(3), f(3)", "f(2, 3), f(4, 3)", "f(2, 3), f()", "i(3), i(3)"),
    errors=(
        ("f(2), f(3)", ValueError, "numpy.inner"),
        ("f(2), [1.0, 2.0]", TypeError, "numpy.inner"),
    ),
    reference="np.inner(a, b)",
)
def _inner(a: Tensor, b: Tensor) -> Tensor:
    """Sums of products along the last dimensions.

    Args:
        a (Tensor): the first tensor.
        b (Tensor): the second, with the same last size. A tensor without dimensions multiplies
            every element.

    Returns: Tensor of shape ``a.shape[:-1] + b.shape[:-1]``.
    Raises ValueError: the last sizes differ.
    Difference from PyTorch: types may differ.

    >>> import agar.numpy as mnp
    >>> print(mnp.inner(mnp.array([1.0, 2.0]), mnp.array([3.0, 4.0])))
    11.0
    """
    if a.ndim == 0 or b.ndim == 0:
        return arithmetic.mul(a, b)
    if a.shape[-1] != b.shape[-1]:
        raise _not_aligned("inner", a, b)
    return torch.inner(*to_common(a, b))


def _dotted(op_name: str, a: Tensor, b: Tensor) -> Tensor:
    if a.ndim == 0 or b.ndim == 0:
        return arithmetic.mul(a, b)
    inner = b.ndim - 2 if b.ndim >= 2 else 0
    if a.shape[-1] != b.shape[inner]:
        raise _not_aligned(op_name, a, b)
    return torch.tensordot(*to_common(a, b), dims=([a.ndim - 1], [inner]))  # pyright: ignore[reportArgumentType]


@_math(
    "dot",
    samples=("f(3), f(3)", "f(2, 3), f(3, 2)", "f(2, 3), f(2, 3, 4)", "f(3), f()", "i(3), i(3)"),
    errors=(
        ("f(2, 3), f(2, 3)", ValueError, "numpy.dot"),
        ("f(2), [1.0, 2.0]", TypeError, "numpy.dot"),
    ),
    reference="np.dot(a, b)",
)
def _dot(a: Tensor, b: Tensor) -> Tensor:
    """Sums of products along the last dimension of one tensor and the last but one of another.

    Args:
        a (Tensor): the first tensor.
        b (Tensor): the second. A tensor without dimensions multiplies every element.

    Returns: Tensor; for vectors the inner product, for matrices the matrix product.
    Raises ValueError: the sizes differ.
    Difference from PyTorch: ``torch.dot`` takes vectors only.

    >>> import agar.numpy as mnp
    >>> print(mnp.dot(mnp.array([[1.0, 2.0]]), mnp.array([3.0, 4.0])))
    [11.]
    """
    return _dotted("dot", a, b)


@_math(
    "outer",
    samples=("f(2), f(3)", "f(2, 2), f(3)", "i(2), i(3)"),
    errors=(("[1, 2], [3]", TypeError, "numpy.outer"),),
    reference="np.outer(a, b)",
)
def _outer(a: Tensor, b: Tensor) -> Tensor:
    """The products of all elements of one tensor with all of another.

    Args:
        a (Tensor): the first tensor; it is flattened.
        b (Tensor): the second; it is flattened.

    Returns: Tensor with two dimensions.
    Difference from PyTorch: tensors with more dimensions are flattened.

    >>> import agar.numpy as mnp
    >>> print(mnp.outer(mnp.array([1, 2]), mnp.array([3, 4])))
    [[3 4]
     [6 8]]
    """
    return torch.outer(*to_common(a.reshape(-1), b.reshape(-1)))


@_math(
    "tensordot",
    samples=("f(2, 3), f(3, 2), 1", "f(4, 3, 2), f(3, 2, 2)", "f(2, 3), f(2, 3), ((0, 1), (0, 1))"),
    errors=(
        ("f(2, 3), f(2, 3), 3", ValueError, "numpy.tensordot"),
        ("f(2), [1.0]", TypeError, "numpy.tensordot"),
    ),
    reference="np.tensordot(a, b, axes)",
)
def _tensordot(a: Tensor, b: Tensor, axes: Any = 2) -> Tensor:
    """Sums of products along chosen dimensions.

    Args:
        a (Tensor): the first tensor.
        b (Tensor): the second.
        axes (Union[int, tuple, list]): how many of the last dimensions of `a` meet as many of the
            first of `b`, or the two sequences of dimensions. Default: 2.

    Returns: Tensor with the other dimensions of both.
    Raises TypeError: an argument is of another type.
    Raises ValueError: the sizes differ, or an axis is out of range.

    >>> import agar.numpy as mnp
    >>> print(mnp.tensordot(mnp.ones((2, 3)), mnp.ones((3, 1)), 1))
    [[3.]
     [3.]]
    """
    if axes == 0 and 0 in (a.ndim, b.ndim):
        return arithmetic.mul(a, b)
    return named("tensordot", linalg.tensor_dot, a, b, axes)


@_math(
    "matmul",
    samples=("f(2, 3), f(3, 2)", "f(2, 2, 3), f(3, 2)", "f(3), f(3)", "i(2, 2), i(2, 2)"),
    errors=(
        ("f(2, 3), f(2, 3)", RuntimeError, "numpy.matmul"),
        ("f(2), 1.0", TypeError, "numpy.matmul"),
        ("torch.ones(2, 2), f(2, 2)", TypeError, "numpy.matmul"),
    ),
    reference="np.matmul(x1, x2)",
)
def _matmul(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
    """The matrix product; further dimensions broadcast.

    Args:
        x1 (Tensor): the first factor; one dimension is a row.
        x2 (Tensor): the second, of the same type; one dimension is a column.
        dtype (Type): the type of the result. Default None: that of the factors.

    Returns: Tensor.
    Raises TypeError: an argument is of another type, or the types differ.
    Raises RuntimeError: the sizes differ.

    >>> import agar.numpy as mnp
    >>> print(mnp.matmul(mnp.array([[1.0, 2.0]]), mnp.array([[3.0], [4.0]])))
    [[11.]]
    """
    return typed("matmul", named("matmul", linalg.matmul, x1, x2), dtype)


@_math(
    "kron",
    samples=("f(2), f(3)", "f(2, 2), f(1, 2)", "f(2), f(2, 2)", "2, 3"),
    errors=(("'a', 2", TypeError, "numpy.kron"),),
    reference="np.kron(a, b)",
)
def _kron(a: Tensor | Any, b: Tensor | Any) -> Tensor:
    """The Kronecker product: every element of one tensor times all of another.

    Args:
        a (Union[Tensor, number, list, tuple]): the first tensor.
        b (Union[Tensor, number, list, tuple]): the second.

    Returns: Tensor of the common type.
    Raises TypeError: an argument is of another type.
    Difference from PyTorch: numbers and lists are accepted.

    >>> import agar.numpy as mnp
    >>> print(mnp.kron([1, 10], [1, 2]))
    [ 1  2 10 20]
    """
    return torch.kron(*to_common(array("kron", "a", a), array("kron", "b", b)))


@_math(
    "cross",
    samples=(
        "f(3), f(3)",
        "f(2), f(3)",
        "f(2, 3), f(2, 3), axisc=0",
        "f(3, 2), f(3, 1), axis=0",
        "i(2, 3), i(3)",
    ),
    errors=(
        ("f(4), f(4)", ValueError, "numpy.cross"),
        ("f(3), f(3), 1", ValueError, "numpy.cross"),
        ("'a', [1, 2, 3]", TypeError, "numpy.cross"),
    ),
    reference="np.cross(a, b, axisa, axisb, axisc, axis)",
)
def _cross(
    a: Tensor | Any,
    b: Tensor | Any,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
) -> Tensor:
    """The cross product of vectors with two or three components.

    Args:
        a (Union[Tensor, list, tuple]): the first vectors.
        b (Union[Tensor, list, tuple]): the second; the other dimensions broadcast.
        axisa (int): the dimension of the components of `a`. Default: -1.
        axisb (int): the dimension of the components of `b`. Default: -1.
        axisc (int): the dimension of the components of the result. Default: -1.
        axis (int): replaces all three. Default None: nothing.

    Returns: Tensor of the common type. Two vectors with two components give the third component
        alone, without a dimension for it.
    Raises TypeError: an argument is of another type.
    Raises ValueError: an axis is out of range, or a vector has another number of components.
    Difference from PyTorch: vectors with two components are accepted, and places of axes.

    >>> import agar.numpy as mnp
    >>> print(mnp.cross(mnp.array([1, 2, 3]), mnp.array([4, 5, 6])))
    [-3  6 -3]
    """
    first, second = to_common(array("cross", "a", a), array("cross", "b", b))
    if first.dtype is torch.bool:
        numbers = _cross(first.to(torch.int8), second.to(torch.int8), axisa, axisb, axisc, axis)
        return numbers != 0
    if axis is not None:
        axisa = axisb = axisc = axis
    first = first.movedim(axis_of("numpy.cross", axisa, first.ndim, "axisa"), -1)
    second = second.movedim(axis_of("numpy.cross", axisb, second.ndim, "axisb"), -1)
    if first.ndim == 0 or first.shape[-1] not in (2, 3) or second.shape[-1] not in (2, 3):
        raise ValueError(
            "For 'numpy.cross', vectors must have two or three components, but the shapes are "
            f"{list(first.shape)} and {list(second.shape)}."
        )
    p, q = first.unbind(-1), second.unbind(-1)
    z = p[0] * q[1] - p[1] * q[0]
    if len(p) == len(q) == 2:
        return z
    if len(p) == 3 and len(q) == 3:
        x, y = p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2]
    elif len(p) == 3:
        x, y = -p[2] * q[1], p[2] * q[0]
    else:
        x, y = p[1] * q[2], -p[0] * q[2]
    return torch.stack([x, y, z], axis_of("numpy.cross", axisc, z.ndim + 1, "axisc"))


@_math(
    "multi_dot",
    lists=True,
    samples=("[f(2, 3), f(3, 2), f(2, 1)]", "[f(2), f(2, 3), f(3)]", "[f(2, 3), f(3, 2)]"),
    errors=(
        ("[f(2, 3)]", ValueError, "numpy.multi_dot"),
        ("[f(2, 3), f(2, 2), f(2, 1)]", ValueError, "numpy.multi_dot"),
    ),
    reference="np.linalg.multi_dot(arrays)",
)
def _multi_dot(arrays: Tensor | Any) -> Tensor:
    """The product of several matrices, in the order of multiplication that costs least.

    Args:
        arrays (Union[Tensor, list, tuple]): the matrices; the first and the last may be vectors. A
            Tensor stands for its parts along the first dimension.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: there are less than two matrices, or the sizes do not fit.
    Difference from PyTorch: called ``torch.linalg.multi_dot``.

    >>> import agar.numpy as mnp
    >>> print(mnp.multi_dot([mnp.ones((2, 3)), mnp.ones((3, 4)), mnp.ones((4, 1))]))
    [[12.]
     [12.]]
    """
    arrays = released(arrays)
    if isinstance(arrays, Tensor):
        parts = parts_of("multi_dot", arrays)
    elif isinstance(arrays, (list, tuple)):
        parts = [array("multi_dot", "arrays", part) for part in arrays]
    else:
        raise TypeError(
            "For 'numpy.multi_dot', 'arrays' must be a Tensor, list or tuple, but got "
            f"'{type(arrays).__name__}'."
        )
    if len(parts) < 2:
        raise ValueError(
            f"For 'numpy.multi_dot', at least two matrices must be given, but got {len(parts)}."
        )
    if len(parts) == 2:
        return _dotted("multi_dot", *parts)
    parts = list(to_common(*parts))
    left, right = parts[0].ndim == 1, parts[-1].ndim == 1
    if left:
        parts[0] = parts[0].unsqueeze(0)
    if right:
        parts[-1] = parts[-1].unsqueeze(1)
    for a, b in itertools.pairwise(parts):
        if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
            raise _not_aligned("multi_dot", a, b)
    # torch's own function takes no integers
    result = _chain(parts) if not parts[0].is_floating_point() else torch.linalg.multi_dot(parts)
    result = result.squeeze(0) if left else result
    return result.squeeze(-1) if right else result


def _chain(parts: list[Tensor]) -> Tensor:
    entry = parts[0]
    for part in parts[1:]:
        entry = torch.matmul(entry, part)
    return entry


@_math(
    "matrix_power",
    samples=("f(2, 2), 3", "f(2, 2), 0", "f(3, 2, 2), 2", "i(2, 2), 4"),
    errors=(
        ("f(2, 2), -1", ValueError, "numpy.matrix_power"),
        ("f(2, 3), 2", ValueError, "numpy.matrix_power"),
        ("f(2), 2", ValueError, "numpy.matrix_power"),
        ("f(2, 2), 1.0", TypeError, "numpy.matrix_power"),
    ),
    reference="np.linalg.matrix_power(a, n)",
)
def _matrix_power(a: Tensor | Any, n: int) -> Tensor:
    """Multiply square matrices with themselves.

    Args:
        a (Union[Tensor, list, tuple]): the last two dimensions are the matrices.
        n (int): how many factors; 0 gives identity matrices.

    Returns: Tensor of the shape and type of `a`.
    Raises TypeError: an argument is of another type.
    Raises ValueError: the matrices are not square, or `n` is negative.
    Difference from PyTorch: ``torch.linalg.matrix_power`` takes negative exponents.

    >>> import agar.numpy as mnp
    >>> print(mnp.matrix_power(mnp.array([[0, 1], [2, 3]]), 3))
    [[ 6 11]
     [22 39]]
    """
    x = array("matrix_power", "a", a)
    integer("numpy.matrix_power", "n", n)
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(
            "For 'numpy.matrix_power', the last two dimensions of 'a' must be equal, but the shape "
            f"is {list(x.shape)}."
        )
    if n < 0:
        raise ValueError(
            f"For 'numpy.matrix_power', 'n' must not be negative, but got {n}; use ops.inverse."
        )
    if n == 0:
        return torch.eye(x.shape[-1], dtype=x.dtype, device=x.device).expand(x.shape).clone()
    result = None
    while n:
        if n % 2:
            result = x if result is None else torch.matmul(result, x)
        n //= 2
        x = torch.matmul(x, x) if n else x
    assert result is not None
    return result


@_math(
    "norm",
    samples=(
        "f(3)",
        "f(2, 3)",
        "f(2, 3), 1",
        "f(2, 3), 'fro', (0, 1)",
        "f(2, 3), 3, 1",
        "f(2, 3), float('inf')",
        "f(2, 3), -1",
        "f(4), 0",
        "f(2, 3), 2",
        "f(2, 3), 1, (1, 0), True",
    ),
    errors=(
        ("f(3), 'x'", ValueError, "numpy.norm"),
        ("f(2, 2, 2), 1", ValueError, "numpy.norm"),
        ("f(3), 'fro'", ValueError, "numpy.norm"),
        ("f(2, 2), 3", ValueError, "numpy.norm"),
        ("f(2, 2), None, 2", ValueError, "numpy.norm"),
        ("'a'", TypeError, "numpy.norm"),
    ),
    reference="np.linalg.norm(x, ord, axis, keepdims)",
)
def _norm(x: Tensor | Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
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

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: there is no such norm, or the axes do not fit.
    Difference from PyTorch: float16 gives float32, integers are accepted; MindSpore has no
        ``'nuc'``, 2 and -2 for matrices.

    >>> import agar.numpy as mnp
    >>> print(mnp.norm(mnp.array([3.0, 4.0])))
    5.0
    """
    words = ("fro", "nuc")
    if ord is not None and ord not in words and not isinstance(ord, (int, float)):
        raise ValueError(f"For 'numpy.norm', there is no norm {ord!r}.")
    x = array("norm", "x", x)
    if x.dtype is not torch.float64:
        x = x.to(torch.float32)
    rank, axes = x.ndim, axes_of("numpy.norm", axis, x.ndim)
    if axis is None:
        if ord is None:
            x, axes = x.reshape(-1), (0,)
        if x.ndim not in (1, 2):
            raise ValueError(
                "For 'numpy.norm', 'x' must have one or two dimensions where 'axis' is None, but "
                f"got shape {list(x.shape)}."
            )
    if len(axes) not in (1, 2):
        raise ValueError(f"For 'numpy.norm', 'axis' must be one axis or two, but got {axis}.")
    if len(axes) == 1:
        if ord in words:
            raise ValueError(f"For 'numpy.norm', the norm {ord!r} is for matrices only.")
        result = torch.linalg.vector_norm(x, 2 if ord is None else ord, axes, bool(keepdims))
    else:
        kinds = (None, *words, 1, -1, 2, -2, math.inf, -math.inf)
        if ord not in kinds:
            raise ValueError(f"For 'numpy.norm', there is no norm {ord!r} of matrices.")
        order = "fro" if ord is None else ord
        result = torch.linalg.matrix_norm(x, order, axes, bool(keepdims))
    if keepdims and result.ndim < rank:
        result = result.reshape((1,) * rank)
    return result


# -------------------------------------------------------------------------- sliding products

_MODES = ("full", "same", "valid")


def _sliding(long: Tensor, short: Tensor, mode: str) -> Tensor:
    """The inner products of a vector with the parts of a longer one; zeros stand around it."""
    size = short.numel()
    if mode == "same":
        long = torch.nn.functional.pad(long, (size // 2, size - size // 2 - 1))
    elif mode == "full":
        long = torch.nn.functional.pad(long, (size - 1, size - 1))
    return torch.nn.functional.conv1d(long.reshape(1, 1, -1), short.reshape(1, 1, -1)).reshape(-1)


def _vectors(op_name: str, a: Any, v: Any, mode: Any) -> tuple[Tensor, Tensor]:
    if mode not in _MODES:
        raise ValueError(
            f"For 'numpy.{op_name}', 'mode' must be one of {_MODES}, but got {mode!r}."
        )
    first, second = array(op_name, "a", a), array(op_name, "v", v)
    if first.numel() == 0 or second.numel() == 0:
        raise ValueError(f"For 'numpy.{op_name}', 'a' and 'v' must not be empty.")
    if first.ndim > 1 or second.ndim > 1:
        raise ValueError(
            f"For 'numpy.{op_name}', 'a' and 'v' must have one dimension, but the shapes are "
            f"{list(first.shape)} and {list(second.shape)}."
        )
    return first.reshape(-1), second.reshape(-1)


_SLIDING_ERRORS = (
    ("f(2), f(2), 'x'", ValueError),
    ("f(2, 2), f(2)", ValueError),
    ("'a', f(2)", TypeError),
)


@_math(
    "convolve",
    samples=("f(4), f(3)", "f(4), f(2), 'same'", "f(2), f(3), 'valid'", "[1, 2, 3], [0, 1]"),
    errors=tuple((text, kind, "numpy.convolve") for text, kind in _SLIDING_ERRORS),
    reference="np.convolve(a, v, mode)",
)
def convolve(a: Tensor | Any, v: Tensor | Any, mode: str = "full") -> Tensor:
    """The convolution of two vectors.

    Args:
        a (Union[Tensor, list, tuple]): the first vector.
        v (Union[Tensor, list, tuple]): the second.
        mode (str): ``"full"`` for all places where they overlap, ``"same"`` for as many as the
            longer one has, ``"valid"`` for those where they overlap completely. Default:
            ``"full"``.

    Returns: Tensor of the common type; integers are computed in float32.
    Raises TypeError: an argument is of another type.
    Raises ValueError: a vector is empty or has more dimensions, or `mode` is another word.
    Difference from PyTorch: vectors alone; ``torch.nn.functional.conv1d`` takes batches.

    >>> import agar.numpy as mnp
    >>> print(mnp.convolve([1.0, 2.0, 3.0], [2.0, 3.0], "valid"))
    [ 7. 12.]
    """
    first, second = to_common(*_vectors("convolve", a, v, mode))
    if first.numel() < second.numel():
        first, second = second, first
    result = _sliding(floating(first), floating(second).flip(0), mode)
    return result.to(first.dtype)


@_math(
    "correlate",
    samples=(
        "f(4), f(3)",
        "f(4), f(2), 'same'",
        "f(2), f(3), 'full'",
        "f(2), f(4), 'same'",
        "[1, 2, 3], [0, 1]",
    ),
    errors=tuple((text, kind, "numpy.correlate") for text, kind in _SLIDING_ERRORS),
    reference="np.correlate(a, v, mode)",
)
def _correlate(a: Tensor | Any, v: Tensor | Any, mode: str = "valid") -> Tensor:
    """The correlation of two vectors.

    Args:
        a (Union[Tensor, list, tuple]): the first vector.
        v (Union[Tensor, list, tuple]): the second; of complex numbers the conjugates are taken.
        mode (str): as in `convolve`. Default: ``"valid"``.

    Returns: Tensor of the common type; integers give float32.
    Raises TypeError: an argument is of another type.
    Raises ValueError: a vector is empty or has more dimensions, or `mode` is another word.
    Difference from PyTorch: vectors alone; ``torch.nn.functional.conv1d`` takes batches.

    >>> import agar.numpy as mnp
    >>> print(mnp.correlate([1.0, 2.0, 3.0], [0.0, 1.0, 0.5]))
    [3.5]
    """
    first, second = _vectors("correlate", a, v, mode)
    first, second = to_common(floating(first), floating(second))
    if first.numel() < second.numel():
        result = _sliding(second, first.conj().resolve_conj(), mode).flip(0)
        return result.conj().resolve_conj() if result.is_complex() else result
    return _sliding(first, second.conj().resolve_conj(), mode)
