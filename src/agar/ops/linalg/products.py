"""Products of vectors, matrices and tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH, to_torch_dtype
from agar.ops._checks import integer, ints
from agar.ops.math.elementwise import promoted
from agar.ops.spec import Call, Pair, Scalar, op, primitive
from agar.ops.tensor.axes import axes_of, axis_of

__all__ = ["batched_product", "check_ranks", "matrix_product", "outer", "product_of_matrices"]


# ------------------------------------------------------------------------------- products


def _one_type(op_name: str, first: Tensor, second: Tensor) -> None:
    if first.dtype is not second.dtype:
        raise TypeError(
            f"For '{op_name}', the type of the second input should be same as the first, but got "
            f"{FROM_TORCH[first.dtype]} and {FROM_TORCH[second.dtype]}; convert one with "
            ".astype(...)."
        )


def _mismatch(op_name: str, first: Tensor, second: Tensor, inner: tuple[int, int]) -> ValueError:
    return ValueError(
        f"For '{op_name}', the input dimensions must be equal: the inner sizes are {inner[0]} and "
        f"{inner[1]}, of shapes {list(first.shape)} and {list(second.shape)}."
    )


def matrix_product(op_name: str, first: Tensor, second: Tensor) -> Tensor:
    """torch.matmul with MindSpore's errors; the fast way costs nothing extra."""
    try:
        return torch.matmul(first, second)
    except RuntimeError:
        _one_type(op_name, first, second)
        if first.ndim == 0 or second.ndim == 0:
            raise ValueError(
                f"For '{op_name}', the inputs must have at least one axis, but got shapes "
                f"{list(first.shape)} and {list(second.shape)}; use * for numbers."
            ) from None
        inner = first.shape[-1], second.shape[-2 if second.ndim > 1 else 0]
        if inner[0] != inner[1]:
            error = _mismatch(op_name, first, second, inner)
            # observed: MindSpore raises ValueError for a vector on the right, RuntimeError else
            if second.ndim > 1 and op_name == "matmul":
                raise RuntimeError(str(error)) from None
            raise error from None
        raise


_MATMUL_SAMPLES = (
    "f(2, 3), f(3, 4)",
    "f(3), f(3)",
    "f(2, 3), f(3)",
    "f(5, 2, 3), f(3, 4)",
    "i(2, 3), i(3, 2)",
)
_PRODUCT_ERRORS = (
    ("f(2, 3), f(2, 3)", ValueError, "dimensions must be equal"),
    ("f(2, 3), i(3, 2)", TypeError, "same as"),
)
_MATMUL_ERRORS = (
    ("f(2, 3), f(2)", ValueError, "dimensions must be equal"),
    ("f(2, 3), f(2, 3)", RuntimeError, "dimensions must be equal"),
    ("f(2, 3), i(3, 2)", TypeError, "same as"),
    ("f(), f(2)", ValueError, "at least one axis"),
    ("f(2, 3), 2.0", TypeError, "matmul"),
)


@op(
    method=("__matmul__",),
    mint=True,
    fast=Pair(torch.matmul, mixed=True),
    samples=_MATMUL_SAMPLES,
    errors=_MATMUL_ERRORS,
)
def matmul(input: Tensor, other: Tensor) -> Tensor:
    r"""Matrix product: :math:`out_{..ij} = \sum_k input_{..ik}\, other_{..kj}`.

    Args:
        input (Tensor): a vector, a matrix :math:`(.., N, K)` or a batch of them.
        other (Tensor): a vector, a matrix :math:`(.., K, M)` or a batch of them, of the same type;
            the batch axes broadcast.

    Returns: Tensor of shape :math:`(.., N, M)`, without the axes that a vector lacks.
    Raises TypeError: an argument is not a Tensor, or the types differ.
    Raises ValueError: an input is 0-d, or `other` a vector of another size.
    Raises RuntimeError: the inner sizes of matrices differ, or the batch axes do not broadcast.

    >>> print(ms.ops.matmul(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0], [4.0]])))
    [[11.]]
    """
    return matrix_product("matmul", input, other)


@op(
    "matmul",
    function=False,
    method="matmul",
    fast=Pair(torch.matmul, mixed=True),
    samples=_MATMUL_SAMPLES,
    errors=_MATMUL_ERRORS[:1],
    keywords={"other": "tensor2"},
)
def _matmul_method(input: Tensor, tensor2: Tensor) -> Tensor:
    """Matrix product; see :func:`ops.matmul`.

    >>> print(ms.Tensor([1.0, 2.0]).matmul(ms.Tensor([3.0, 4.0])))
    11.0
    """
    return matrix_product("matmul", input, tensor2)


def product_of_matrices(op_name: str, first: Tensor, second: Tensor) -> Tensor:
    """The product of two matrices; other ranks are refused."""
    if first.ndim != 2 or second.ndim != 2:
        raise ValueError(
            f"For '{op_name}', both inputs must have 2 dimensions, but got shapes "
            f"{list(first.shape)} and {list(second.shape)}; ops.matmul takes batches."
        )
    return matrix_product(op_name, first, second)


@op(
    method=True,
    mint=True,
    samples=("f(2, 3), f(3, 4)",),
    errors=(("f(2, 2, 3), f(3, 2)", ValueError, "2 dimensions"), *_PRODUCT_ERRORS),
)
def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """Product of two matrices.

    Args:
        input (Tensor): shape :math:`(N, K)`.
        mat2 (Tensor): shape :math:`(K, M)`, of the same type.

    Returns: Tensor of shape :math:`(N, M)`.
    Raises TypeError: an argument is not a Tensor, or the types differ.
    Raises ValueError: an input is not a matrix, or the inner sizes differ.

    >>> print(ms.ops.mm(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0], [4.0]])))
    [[11.]]
    """
    return product_of_matrices("mm", input, mat2)


def _turned(x: Tensor, yes: bool) -> Tensor:
    return x.transpose(-2, -1) if yes else x


@primitive(
    "MatMul",
    samples=("f(2, 3), f(3, 4)", "f(3, 2), f(4, 3), transpose_a=True, transpose_b=True"),
    errors=(
        ("f(2, 2, 3), f(3, 2)", ValueError, "2 dimensions"),
        ("f(2, 3), f(2, 3)", ValueError, "dimensions must be equal"),
        ("f(2, 3), i(3, 2)", TypeError, "same as"),
    ),
    fast=Call(
        "torch.matmul(input, mat2)",
        "transpose_a is False and transpose_b is False and input._value.ndim == 2 and"
        " mat2._value.ndim == 2",
    ),
)
def _matmul_primitive(
    input: Tensor, mat2: Tensor, *, transpose_a: bool = False, transpose_b: bool = False
) -> Tensor:
    """Product of two matrices, either of which may be transposed first.

    Args:
        transpose_a (bool): whether to transpose `input`. Default: False.
        transpose_b (bool): whether to transpose `mat2`. Default: False.
        input (Tensor): shape :math:`(N, K)`.
        mat2 (Tensor): shape :math:`(K, M)`, of the same type.

    Returns: Tensor of shape :math:`(N, M)`.
    Raises TypeError: an argument is not a Tensor, or the types differ.
    Raises ValueError: an input is not a matrix, or the inner sizes differ.
    Difference from PyTorch: ``torch.mm``.

    >>> x = ms.Tensor([[1.0, 2.0]])
    >>> print(ms.ops.MatMul(transpose_b=True)(x, x))
    [[5.]]
    """
    if input.ndim != 2 or mat2.ndim != 2:
        return product_of_matrices("MatMul", input, mat2)  # which raises
    return product_of_matrices("MatMul", _turned(input, transpose_a), _turned(mat2, transpose_b))


def batched_product(op_name: str, x: Tensor, y: Tensor) -> Tensor:
    """torch.bmm over any leading axes, with the errors of MindSpore."""
    if x.ndim < 2 or y.ndim < 2:
        raise ValueError(
            f"For '{op_name}', both inputs must have at least 2 dimensions, but got shapes "
            f"{list(x.shape)} and {list(y.shape)}."
        )
    return matrix_product(op_name, x, y)


@primitive(
    "BatchMatMul",
    samples=("f(5, 2, 3), f(5, 3, 4)", "f(5, 2, 3), f(5, 4, 3), transpose_b=True"),
    errors=(
        ("f(2), f(2)", ValueError, "2 dimensions"),
        ("f(5, 2, 3), f(5, 2, 3)", ValueError, "dimensions must be equal"),
        ("f(2, 2, 3), i(2, 3, 2)", TypeError, "same as"),
    ),
)
def _batch_matmul(
    x: Tensor, y: Tensor, *, transpose_a: bool = False, transpose_b: bool = False
) -> Tensor:
    """Products of matrices in batches, either of which may be transposed first.

    Args:
        transpose_a (bool): whether to transpose the matrices of `x`, complex ones conjugated.
            Default: False.
        transpose_b (bool): whether to transpose the matrices of `y`, likewise. Default: False.
        x (Tensor): shape :math:`(.., N, K)`.
        y (Tensor): shape :math:`(.., K, M)`, of the same type; the batch axes broadcast.

    Returns: Tensor of shape :math:`(.., N, M)`.
    Raises TypeError: an argument is not a Tensor, or the types differ.
    Raises ValueError: an input has fewer than two axes, or the sizes do not fit.
    Difference from PyTorch: ``torch.matmul``.

    >>> x = ms.ops.ones((2, 3, 4))
    >>> ms.ops.BatchMatMul(transpose_b=True)(x, x).shape
    (2, 3, 3)
    """
    if x.ndim < 2 or y.ndim < 2:
        return batched_product("BatchMatMul", x, y)  # which raises
    # MindSpore takes the adjoint of complex matrices here, unlike in MatMul
    x, y = (m.conj() if turn else m for m, turn in ((x, transpose_a), (y, transpose_b)))
    return batched_product("BatchMatMul", _turned(x, transpose_a), _turned(y, transpose_b))


@op(
    method=False,
    samples=("f(5, 2, 3), f(5, 3, 4)", "f(2, 3), f(3, 4)"),
    errors=(("f(2), f(2)", ValueError, "2 dimensions"), *_PRODUCT_ERRORS),
    fast=Call("torch.bmm(input_x, mat2)", "input_x._value.ndim == 3 and mat2._value.ndim == 3"),
)
def bmm(input_x: Tensor, mat2: Tensor) -> Tensor:
    """Products of matrices in batches.

    Args:
        input_x (Tensor): shape :math:`(.., N, K)`.
        mat2 (Tensor): shape :math:`(.., K, M)`, of the same type; the batch axes broadcast.

    Returns: Tensor of shape :math:`(.., N, M)`.
    Raises TypeError: an argument is not a Tensor, or the types differ.
    Raises ValueError: an input has fewer than two axes, or the sizes do not fit.
    Difference from PyTorch: any number of batch axes, which broadcast.

    >>> ms.ops.bmm(ms.ops.ones((2, 3, 4)), ms.ops.ones((2, 4, 5))).shape
    (2, 3, 5)
    """
    return batched_product("bmm", input_x, mat2)


@op(
    "bmm",
    function=False,
    method="bmm",
    mint="bmm",
    samples=("f(5, 2, 3), f(5, 3, 4)",),
    errors=(("f(2), f(2)", ValueError, "2 dimensions"), *_PRODUCT_ERRORS),
    fast=Call("torch.bmm(input, mat2)", "input._value.ndim == 3 and mat2._value.ndim == 3"),
)
def _bmm_method(input: Tensor, mat2: Tensor) -> Tensor:
    """Products of matrices in batches; see :func:`ops.bmm`.

    >>> ms.ops.ones((2, 3, 4)).bmm(ms.ops.ones((2, 4, 5))).shape
    (2, 3, 5)
    """
    return batched_product("bmm", input, mat2)


@op(
    mint=True,
    samples=("f(2, 3), f(3)",),
    errors=(
        ("f(2, 3), f(2)", ValueError, "dimensions must be equal"),
        ("f(2), f(2)", ValueError, "matrix"),
    ),
    renamed={"mint.mv": {"mat": "input"}},
)
def mv(mat: Tensor, vec: Tensor) -> Tensor:
    """Product of a matrix and a vector.

    Args:
        mat (Tensor): shape :math:`(N, M)`.
        vec (Tensor): shape :math:`(M,)`, of the same type.

    Returns: Tensor of shape :math:`(N,)`.
    Raises TypeError: an argument is not a Tensor, or the types differ.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: the first parameter is called ``input`` there.

    >>> print(ms.ops.mv(ms.Tensor([[1.0, 2.0]]), ms.Tensor([3.0, 4.0])))
    [11.]
    """
    check_ranks("mv", (mat, 2, "a matrix"), (vec, 1, "a vector"))
    return matrix_product("mv", mat, vec)


def check_ranks(op_name: str, *required: tuple[Tensor, int, str]) -> None:
    """Check the ranks of tensors, given with the words for what each must be.

    Raises:
        ValueError: one has another rank.
    """
    for value, rank, words in required:
        if value.ndim != rank:
            raise ValueError(
                f"For '{op_name}', an input must be {words}, but got shape {list(value.shape)}."
            )


@op(
    method=True,
    samples=("f(2, 3), f(3, 4)", "f(2, 2, 3), f(3, 4)", "f(2, 3), f(4, 3, 2)"),
    errors=(
        ("f(3), f(3)", ValueError, "dimension >= 2"),
        ("f(2, 3), f(2, 3)", ValueError, "equal"),
    ),
    reference="np.dot(np.asarray(input), np.asarray(other))",
)
def dot(input: Tensor, other: Tensor) -> Tensor:
    r"""Product over the last axis of one tensor and the second to last of the other.

    :math:`out_{i.., j.., m} = \sum_k input_{i.., k}\, other_{j.., k, m}`

    Args:
        input (Tensor): two axes or more.
        other (Tensor): two axes or more, of the same type.

    Returns: Tensor with the remaining axes of both.
    Raises TypeError: an argument is not a Tensor, or the types differ.
    Raises ValueError: an input has fewer than two axes, or the inner sizes differ.
    Difference from PyTorch: ``torch.dot`` takes two vectors, for which there are :func:`ops.inner`
        and :func:`ops.matmul`.

    >>> print(ms.ops.dot(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0], [4.0]])))
    [[11.]]
    """
    if input.ndim < 2 or other.ndim < 2:
        raise ValueError(
            f"For 'dot', the inputs should have 'dimension >= 2', but got shapes "
            f"{list(input.shape)} and {list(other.shape)}; use ops.inner for vectors."
        )
    _one_type("dot", input, other)
    if input.shape[-1] != other.shape[-2]:
        raise _mismatch("dot", input, other, (input.shape[-1], other.shape[-2]))
    return torch.tensordot(input, other, ([-1], [-2]))  # pyright: ignore[reportArgumentType]


@op(
    "dot",
    function=False,
    mint="dot",
    samples=("f(3), f(3)",),
    errors=(("f(2, 2), f(2, 2)", ValueError, "vector"),),
)
def _dot_mint(input: Tensor, other: Tensor) -> Tensor:
    """Product of two vectors.

    Args:
        input (Tensor): shape :math:`(N,)`.
        other (Tensor): of the same shape and dtype.

    Returns: Tensor without axes.

    >>> print(ms.mint.dot(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
    11.0
    """
    check_ranks("dot", (input, 1, "a vector"), (other, 1, "a vector"))
    return matrix_product("dot", input, other)


@op(
    function=False,
    mint="vdot",
    samples=("f(3), f(3)", "c(3), c(3)"),
    errors=(("f(2, 2), f(2, 2)", ValueError, "vector"),),
)
def vdot(input: Tensor, other: Tensor) -> Tensor:
    r"""Product of two vectors, the first one conjugated: :math:`\sum_i \bar{x}_i y_i`.

    Args:
        input (Tensor): :math:`x`, one axis.
        other (Tensor): :math:`y`, of the same type and length.

    Returns: Tensor, 0-d.
    Raises TypeError: the types differ.
    Raises ValueError: an input has another number of axes, or the lengths differ.
    Source: MindSpore 2.10's interface (it has no CPU kernel).

    >>> print(ms.mint.vdot(ms.Tensor([1 + 1j]), ms.Tensor([1 + 1j])))
    (2+0j)
    """
    check_ranks("vdot", (input, 1, "a vector"), (other, 1, "a vector"))
    return matrix_product("vdot", input.conj().resolve_conj(), other)


@op(
    method=True,
    samples=("f(3), f(3)", "f(2, 3), f(4, 3)", "f(2), 3.0"),
    errors=(("f(2), f(3)", ValueError, "dimensions must be equal"),),
)
def inner(input: Tensor, other: Tensor | Scalar) -> Tensor:
    r"""Product over the last axes: :math:`out_{i.., j..} = \sum_k input_{i.., k}\, other_{j.., k}`.

    Args:
        input (Tensor): any shape.
        other (Union[Tensor, number]): any shape with the same last size; a number multiplies.

    Returns: Tensor with the remaining axes of both.
    Raises TypeError: the types differ.
    Raises ValueError: the last sizes differ.
    Difference from PyTorch: a number is accepted.

    >>> print(ms.ops.inner(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
    11.0
    """
    if not isinstance(other, Tensor) or other.ndim == 0 or input.ndim == 0:
        return torch.mul(input, other)
    _one_type("inner", input, other)
    if input.shape[-1] != other.shape[-1]:
        raise _mismatch("inner", input, other, (input.shape[-1], other.shape[-1]))
    return torch.inner(input, other)


@op(
    function=("outer", "ger"),
    method=("outer", "ger"),
    primitive="Ger",
    mint="outer",
    samples=("f(2), f(3)", "f(2, 2), f(2)"),
    errors=(("f(2), 'x'", TypeError, "vec2"),),
    fast=Call(
        "torch.outer(input, vec2)",
        "input._value.dtype is vec2._value.dtype",  # it takes vectors only
    ),
)
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    r"""Outer product: :math:`out_{ij} = input_i\, vec2_j`.

    Args:
        input (Tensor): any shape, flattened.
        vec2 (Tensor): any shape, flattened.

    Returns: Tensor of shape (input.size, vec2.size) and the common type.
    Difference from PyTorch: inputs that are not vectors are flattened.

    >>> print(ms.ops.outer(ms.Tensor([1, 2]), ms.Tensor([3, 4])))
    [[3 4]
     [6 8]]
    """
    input, vec2 = promoted(input, vec2)
    return torch.outer(input.reshape(-1), vec2.reshape(-1))


@op(
    samples=("f(2, 3), f(2, 3)", "f(2, 3), f(2, 3), axis=0", "i(2, 3), i(2, 3)"),
    errors=(("f(2), f(2), axis=1", ValueError, "axis"),),
)
def vecdot(x: Tensor, y: Tensor, *, axis: int = -1) -> Tensor:
    r"""Products of vectors along an axis: :math:`out = \sum_{axis} \bar{x}\, y`.

    Args:
        x (Tensor): any shape.
        y (Tensor): a shape that broadcasts.
        axis (int): the axis of the vectors. Default: -1.

    Returns: Tensor without that axis.
    Raises ValueError: `axis` is out of range or the shapes do not broadcast.
    Difference from PyTorch: `axis` is called ``dim`` there.

    >>> print(ms.ops.vecdot(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0, 4.0]])))
    [11.]
    """
    x, y = promoted(x, y)
    axis_of("vecdot", axis, x.ndim)
    if not (x.is_floating_point() or x.is_complex()):
        return (x * y).sum(axis)  # torch has no kernel for integers
    return torch.linalg.vecdot(x, y, dim=axis)


@op(
    samples=("f(2), f(3)", "f(2, 3), f(2, 2)", "f(3), f(2, 2)"),
    errors=(("f(2), 'x'", TypeError, "other"),),
)
def kron(input: Tensor, other: Tensor) -> Tensor:
    """Kronecker product: every element of one times the whole of the other.

    Args:
        input (Tensor): any shape.
        other (Tensor): any shape.

    Returns: Tensor whose sizes are the products of the sizes.

    >>> print(ms.ops.kron(ms.Tensor([1, 2]), ms.Tensor([1, 10])))
    [ 1 10  2 20]
    """
    return torch.kron(*promoted(input, other))


@op(
    samples=(
        "f(2, 3), f(3, 4), 1",
        "f(2, 3), f(4, 3), (1, 1)",
        "f(2, 3), f(3, 2), ((0, 1), (1, 0))",
    ),
    errors=(
        ("f(2, 3), f(2, 3), 1", ValueError, "tensor_dot"),
        ("f(2, 3), f(2, 3), 'x'", TypeError, "axes"),
    ),
)
def tensor_dot(x1: Tensor, x2: Tensor, axes: Any) -> Tensor:
    """Product over given axes.

    Args:
        x1 (Tensor): any shape.
        x2 (Tensor): any shape, of the same type.
        axes (Union[int, tuple, list]): an int: the last so many axes of `x1` with the first of
            `x2`; a pair: the axes of `x1` and those of `x2`.

    Returns: Tensor with the remaining axes of both.
    Raises TypeError: `axes` has the wrong type, or the types differ.
    Raises ValueError: the sizes of the axes differ or an axis is out of range.
    Difference from PyTorch: ``torch.tensordot``.

    >>> print(ms.ops.tensor_dot(ms.Tensor([[1.0, 2.0]]), ms.Tensor([[3.0], [4.0]]), 1))
    [[11.]]
    """
    _one_type("tensor_dot", x1, x2)
    if isinstance(axes, int) and not isinstance(axes, bool):
        count = integer("tensor_dot", "axes", axes, 0)
        if count > min(x1.ndim, x2.ndim):
            raise ValueError(
                f"For 'tensor_dot', 'axes' {count} is more than the rank of an input, {x1.ndim} or "
                f"{x2.ndim}."
            )
        first, second = tuple(range(x1.ndim - count, x1.ndim)), tuple(range(count))
    elif isinstance(axes, (tuple, list)) and len(axes) == 2:
        first = axes_of("tensor_dot", axes[0], x1.ndim, "axes")
        second = axes_of("tensor_dot", axes[1], x2.ndim, "axes")
    else:
        raise TypeError(
            "For 'tensor_dot', 'axes' must be an int or a pair of axes or of tuples of axes, but "
            f"got {axes!r}."
        )
    sizes = [x1.shape[a] for a in first], [x2.shape[a] for a in second]
    if sizes[0] != sizes[1]:
        raise ValueError(
            f"For 'tensor_dot', the sizes of the axes must agree, but got {sizes[0]} and "
            f"{sizes[1]}."
        )
    return torch.tensordot(x1, x2, (list(first), list(second)))  # pyright: ignore[reportArgumentType]


@op(
    samples=(
        "f(4, 2, 3), f(4, 3, 2)",
        "f(4, 3), f(4, 3)",
        "f(4, 2, 3), f(4, 2, 5), (1, 1)",
        "f(4, 2, 3), f(4, 5, 3), 2",
    ),
    errors=(
        ("f(2, 3), f(4, 3)", ValueError, "batch"),
        ("f(4, 2, 3), f(4, 2, 3)", ValueError, "agree"),
    ),
)
def batch_dot(x1: Tensor, x2: Tensor, axes: Any = None) -> Tensor:
    r"""Products over one axis of each, batch by batch.

    Args:
        x1 (Tensor): two axes or more, the first the batch.
        x2 (Tensor): two axes or more, the first the batch, of the same type.
        axes (Union[int, tuple, list]): the axis of each, or one for both. Default None: the last of
            `x1` and the last but one of `x2` (the last if it has two axes).

    Returns: Tensor with the batch, the remaining axes of `x1` and those of `x2`; of shape (batch,
        1) if nothing remains.
    Raises TypeError: the types differ or an axis is not an int.
    Raises ValueError: the batches or the sizes of the axes differ.
    Difference from PyTorch: no counterpart.

    >>> ms.ops.batch_dot(ms.ops.ones((4, 2, 3)), ms.ops.ones((4, 3, 5))).shape
    (4, 2, 5)
    """
    _one_type("batch_dot", x1, x2)
    if x1.ndim < 2 or x2.ndim < 2 or x1.shape[0] != x2.shape[0]:
        raise ValueError(
            "For 'batch_dot', both inputs must have at least two axes and the same batch size, but "
            f"got shapes {list(x1.shape)} and {list(x2.shape)}."
        )
    if axes is None:
        axes = (x1.ndim - 1, x2.ndim - 1 if x2.ndim == 2 else x2.ndim - 2)
    pair = (axes, axes) if isinstance(axes, int) else tuple(ints("batch_dot", "axes", axes))
    a = axis_of("batch_dot", pair[0], x1.ndim, "axes")
    b = axis_of("batch_dot", pair[1], x2.ndim, "axes")
    if a == 0 or b == 0:
        raise ValueError("For 'batch_dot', 'axes' must not name the batch axis 0.")
    if x1.shape[a] != x2.shape[b]:
        raise ValueError(
            f"For 'batch_dot', the sizes of the axes must agree, but got {x1.shape[a]} and "
            f"{x2.shape[b]}."
        )
    batch, size = x1.shape[0], x1.shape[a]
    left, right = x1.movedim(a, -1), x2.movedim(b, 1)
    result = torch.bmm(left.reshape(batch, -1, size), right.reshape(batch, size, -1))
    rest = (*left.shape[1:-1], *right.shape[2:])
    return result.reshape(batch, *(rest or (1,)))


@op(
    mint=True,
    samples=(
        "'ij,jk->ik', f(2, 3), f(3, 4)",
        "'ii', f(3, 3)",
        "'bij->bji', f(2, 3, 4)",
        "'...i,i', f(2, 3), f(3)",
    ),
    errors=(
        ("'ij,jk->ik', f(2, 3), f(2, 4)", ValueError, "einsum"),
        ("3, f(2)", TypeError, "equation"),
    ),
)
def einsum(equation: str, *operands: Tensor) -> Tensor:
    """Sum of products in Einstein's notation.

    Args:
        equation (str): the axes of each operand as letters, ``->`` and those of the result.
        operands (Tensor): the operands, or one list or tuple of them.

    Returns: Tensor.
    Raises TypeError: `equation` is not a str.
    Raises ValueError: the equation does not fit the operands.
    Source: MindSpore 2.10's interface (it has no CPU kernel); the notation is Einstein's.

    >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> print(ms.ops.einsum("ij,jk->ik", x, x))
    [[ 7. 10.]
     [15. 22.]]
    """
    if not isinstance(equation, str):
        raise TypeError(
            f"For 'einsum', 'equation' must be a str, but got '{type(equation).__name__}'."
        )
    try:
        return torch.einsum(equation, *operands)
    except RuntimeError as error:
        if "einsum()" not in str(error) and "dimension" not in str(error):
            raise  # of the types, not of the equation
        raise ValueError(
            f"For 'einsum', the equation {equation!r} does not fit operands of shapes "
            f"{[list(o.shape) for o in operands]}."
        ) from error


@primitive(
    "Einsum",
    samples=("(f(2, 3), f(3, 4)), equation='ij,jk->ik'", "(f(2, 3),), equation='ij->'"),
    errors=(
        ("(f(2, 3), f(2, 4)), equation='ij,jk->ik'", ValueError, "does not fit"),
        ("(f(2),), equation=3", TypeError, "equation"),
    ),
)
def _einsum_primitive(inputs: Sequence[Tensor], *, equation: str) -> Tensor:
    """Sum of products in Einstein's notation; see :func:`ops.einsum`.

    >>> x = ms.Tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> print(ms.ops.Einsum("ij->ji")((x,)))
    [[1. 3.]
     [2. 4.]]
    """
    result = einsum(equation, *inputs)
    return (
        result if result.ndim else result.reshape(1)
    )  # as documented; the function gives a scalar


@op(
    primitive="Trace",
    mint=True,
    samples=("f(3, 3)", "f(2, 3)"),
    errors=(("f(3)", ValueError, "matrix"),),
)
def trace(input: Tensor) -> Tensor:
    r"""Sum of the diagonal of a matrix: :math:`\sum_i input_{ii}`.

    Args:
        input (Tensor): a matrix.

    Returns: Tensor, 0-d, of the type of `input`.
    Raises ValueError: `input` is not a matrix.
    Difference from PyTorch: integers keep their type, they become int64 there.

    >>> print(ms.ops.trace(ms.Tensor([[1.0, 2.0], [3.0, 4.0]])))
    5.0
    """
    check_ranks("trace", (input, 2, "a matrix"))
    return torch.trace(input).to(input.dtype)


@op(
    "trace",
    function=False,
    method="trace",
    samples=("f(3, 3)", "f(2, 3, 4), 1, 1, 2"),
    errors=(("f(3, 3), 0, 2", ValueError, "axis1"), ("f(3, 3), 1.5", TypeError, "offset")),
)
def _trace_method(
    input: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None
) -> Tensor:
    """Sum of a diagonal of the plane of two axes.

    Args:
        input (Tensor): this tensor.
        offset (int): which diagonal. Default: 0.
        axis1 (int): the first axis. Default: 0.
        axis2 (int): the second axis. Default: 1.
        dtype (Type): the type of the result. Default None: int64 for integers and bool, that of the
            tensor otherwise.

    Returns: Tensor.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: more than a matrix is accepted.

    >>> print(ms.Tensor([[1.0, 2.0], [3.0, 4.0]]).trace())
    5.0
    """
    a = axis_of("trace", axis1, input.ndim, "axis1")
    b = axis_of("trace", axis2, input.ndim, "axis2")
    total = input.diagonal(offset, a, b).sum(-1)
    return total if dtype is None else total.to(to_torch_dtype(dtype, op_name="trace"))


@op(
    primitive=False,
    samples=("f(2, 3), f(2, 3)", "f(3, 2), f(3, 2), 0"),
    method=True,
    mint=True,
    errors=(("f(2, 2), f(2, 2)", ValueError, "3"), ("f(2, 3), f(2, 3), 0", ValueError, "3")),
)
def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    r"""Cross product of vectors with three components.

    Args:
        input (Tensor): any shape with an axis of size 3.
        other (Tensor): of the same shape.
        dim (int): that axis. Default None: the first of size 3.

    Returns: Tensor of the common type.
    Raises ValueError: the axis is not of size 3.

    >>> print(ms.ops.cross(ms.Tensor([1.0, 0.0, 0.0]), ms.Tensor([0.0, 1.0, 0.0])))
    [0. 0. 1.]
    """
    input, other = promoted(input, other)
    if dim is None:
        place = next((i for i, n in enumerate(input.shape) if n == 3), None)
    else:
        place = axis_of("cross", dim, input.ndim, "dim")
    if place is None or input.shape[place] != 3 or other.shape[place] != 3:
        raise ValueError(
            f"For 'cross', the axis of the vectors must have size 3, but got shapes "
            f"{list(input.shape)} and {list(other.shape)}, dim {dim}."
        )
    return torch.linalg.cross(input, other, dim=place)


@primitive(
    "Cross",
    samples=("f(2, 3), f(2, 3), dim=1",),
    errors=(("f(2, 2), f(2, 2)", ValueError, "3"), ("f(3), f(3), dim=1", ValueError, "dim")),
)
def _cross_primitive(input: Tensor, other: Tensor, *, dim: int = -65530) -> Tensor:
    """Cross product along an axis of size 3; see :func:`ops.cross`.

    Attributes:
        dim (int): the axis. Default: -65530, the first axis of size 3.

    >>> print(ms.ops.Cross()(ms.Tensor([1.0, 0.0, 0.0]), ms.Tensor([0.0, 1.0, 0.0])))
    [0. 0. 1.]
    """
    return cross(input, other, None if dim == -65530 else dim)
