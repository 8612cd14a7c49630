"""Operators of the THOR optimizer on Ascend: products, inverses and patches of images.

NOTE Fractals. Some operands are matrices in Ascend's fractal layout: a matrix of shape
:math:`(16 m, 16 n)` as a tensor of shape :math:`(n, m, 16, 16)`, whose element [j, i, r, c] is the
matrix's element [16 i + r, 16 j + c]; that is ``a.reshape(m, 16, n, 16).transpose(2, 0, 1, 3)``.
The operators here take it as it is and compute what the documentation says of the matrices, in
float32 where the operands are narrower.
"""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from agar._core.optable import Primitive
from agar.ops._checks import integer
from agar.ops.spec import primitive

__all__ = ["check_rank"]

_BLOCK = 128  # of the diagonal that Ascend inverts


def check_rank(op_name: str, name: str, value: Tensor, *ranks: int) -> None:
    """Refuse a tensor whose rank is not one of `ranks`."""
    if value.ndim not in ranks:
        expected = " or ".join(f"{r}-D" for r in ranks)
        raise ValueError(
            f"For '{op_name}', '{name}' must be {expected}, but got shape {list(value.shape)}."
        )


def _matrix(op_name: str, name: str, value: Tensor) -> Tensor:
    """The matrix that a fractal tensor stands for, see NOTE Fractals."""
    check_rank(op_name, name, value, 4)
    columns, rows, height, width = value.shape
    return value.permute(1, 2, 0, 3).reshape(rows * height, columns * width)


def _product(a: Tensor, b: Tensor) -> Tensor:
    """The product in float32, or in float64 of such operands."""
    dtype = torch.promote_types(torch.promote_types(a.dtype, b.dtype), torch.float32)
    return torch.matmul(a.to(dtype), b.to(dtype))


# --------------------------------------------------------------------------------- products


@primitive(
    "CusBatchMatMul",
    samples=("f(2, 3, 3), f(2, 3, 3)", "f(2, 3, 4), f(2, 5, 4)"),
    errors=(("f(3, 3), f(3, 3)", ValueError, "3-D"),),
)
def _cus_batch_matmul(x1: Tensor, x2: Tensor) -> Tensor:
    """Products of matrices with transposed matrices: :math:`x_1 x_2^T` for each of a batch.

    Inputs:
        - **x1**, **x2** (Tensor) - shape (N, D, D).

    Outputs: Tensor of shape (N, D, D).
    Raises ValueError: an input is not 3-D or the shapes do not fit.
    Difference from PyTorch: ``torch.bmm`` does not transpose.
    Source: MindSpore 2.10's description of its Ascend kernel, which transposes the second.

    >>> x = ms.Tensor([[[1.0, 2.0], [0.0, 1.0]]])
    >>> print(ms.ops.operations.CusBatchMatMul()(x, x))
    [[[5. 2.]
      [2. 1.]]]
    """
    check_rank("CusBatchMatMul", "x1", x1, 3)
    check_rank("CusBatchMatMul", "x2", x2, 3)
    return torch.bmm(x1, x2.mT)


@primitive(
    "CusMatMulCube",
    samples=(
        "f(2, 3), f(3, 4)",
        "f(3, 2), f(4, 3), transpose_a=True, transpose_b=True",
    ),
    errors=(("f(2), f(3, 4)", ValueError, "2-D"), ("f(2, 3), f(2, 3)", ValueError, "CusMatMul")),
)
def _cus_mat_mul_cube(
    x1: Tensor, x2: Tensor, *, transpose_a: bool = False, transpose_b: bool = False
) -> Tensor:
    """The product of two matrices, in float32.

    Attributes:
        transpose_a (bool): whether the first is transposed. Default: False.
        transpose_b (bool): whether the second is transposed. Default: False.

    Inputs:
        - **x1**, **x2** (Tensor) - shapes (N, C) and (C, M), as transposed.

    Outputs: Tensor of shape (N, M), float32 (float64 of float64).
    Raises ValueError: an input is not 2-D or the shapes do not fit.
    Difference from PyTorch: ``torch.matmul`` keeps the type.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.Tensor([[1.0, 2.0]], ms.float16)
    >>> print(ms.ops.operations.CusMatMulCube(transpose_b=True)(x, x))
    [[5.]]
    """
    check_rank("CusMatMulCube", "x1", x1, 2)
    check_rank("CusMatMulCube", "x2", x2, 2)
    return _product(x1.mT if transpose_a else x1, x2.mT if transpose_b else x2)


@primitive(
    "CusMatMulCubeDenseLeft",
    samples=("f(2, 2, 3, 3), f(6, 5)",),
    errors=(("f(6, 6), f(6, 5)", ValueError, "4-D"),),
    differentiable=False,  # the result is float16
)
def _cus_mat_mul_cube_dense_left(x1: Tensor, x2: Tensor) -> Tensor:
    """The product of a fractal matrix and a matrix, see NOTE Fractals in the module.

    Inputs:
        - **x1** (Tensor) - a matrix of shape (N, M) in fractal layout, 4-D.
        - **x2** (Tensor) - shape (M, C).

    Outputs: Tensor of shape (N, C), float16.
    Raises ValueError: a rank or shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.ops.ones((2, 1, 16, 16), ms.float16)
    >>> print(ms.ops.operations.CusMatMulCubeDenseLeft()(x, ms.ops.ones((32, 1)))[0])
    [32.]
    """
    op_name = "CusMatMulCubeDenseLeft"
    check_rank(op_name, "x2", x2, 2)
    return _product(_matrix(op_name, "x1", x1), x2).half()


@primitive(
    "CusMatMulCubeFraczLeftCast",
    samples=("f(2, 2, 3, 3), f(6, 5)",),
    errors=(("f(6, 6), f(6, 5)", ValueError, "4-D"),),
    differentiable=False,  # the result is float16
)
def _cus_mat_mul_cube_fracz_left_cast(x1: Tensor, x2: Tensor) -> Tensor:
    """The product of a fractal matrix and a matrix, see NOTE Fractals in the module.

    Inputs:
        - **x1** (Tensor) - a matrix of shape (N, C) in fractal layout, 4-D.
        - **x2** (Tensor) - shape (C, M), or (C, ...) with its further axes as M.

    Outputs: Tensor of the shape of `x2`, float16.
    Raises ValueError: a rank or shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.ops.ones((1, 1, 16, 16), ms.float16)
    >>> print(ms.ops.operations.CusMatMulCubeFraczLeftCast()(x, ms.ops.ones((16, 1)))[0])
    [16.]
    """
    op_name = "CusMatMulCubeFraczLeftCast"
    check_rank(op_name, "x2", x2, 2, 3, 4)
    result = _product(_matrix(op_name, "x1", x1), x2.flatten(1)).half()
    return result.reshape(len(result), *x2.shape[1:])


@primitive(
    "CusMatMulCubeDenseRight",
    samples=("f(5, 6), f(2, 2, 3, 3)", "f(5, 6), f(2, 2, 3, 3), p(1)"),
    errors=(("f(5, 6), f(6, 6)", ValueError, "4-D"),),
)
def _cus_mat_mul_cube_dense_right(x1: Tensor, x2: Tensor, x3: Tensor | None = None) -> Tensor:
    """The product of a matrix and a fractal matrix, times a number; see NOTE Fractals.

    Inputs:
        - **x1** (Tensor) - shape (N, C).
        - **x2** (Tensor) - a matrix of shape (C, M) in fractal layout, 4-D.
        - **x3** (Tensor) - the number, one element. Default: None, for 1.

    Outputs: Tensor of shape (N, M), float32 (float64 of float64).
    Raises ValueError: a rank or shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.ops.ones((1, 2, 16, 16), ms.float16)
    >>> print(ms.ops.operations.CusMatMulCubeDenseRight()(ms.ops.ones((1, 32)), x)[0, 0])
    32.0
    """
    op_name = "CusMatMulCubeDenseRight"
    check_rank(op_name, "x1", x1, 2)
    return _times(op_name, _product(x1, _matrix(op_name, "x2", x2)), x3)


def _times(op_name: str, product: Tensor, number: Tensor | None) -> Tensor:
    if number is None:
        return product
    if number.numel() != 1:
        raise ValueError(
            f"For '{op_name}', 'x3' must have one element, but got shape {list(number.shape)}."
        )
    return product * number.reshape(()).to(product.dtype)


@primitive(
    "CusMatMulCubeFraczRightMul",
    samples=("f(5, 6), f(2, 2, 3, 3), p(1)", "f(5, 3, 1, 2), f(2, 2, 3, 3), p(1)"),
    errors=(("f(5, 6), f(6, 6), p(1)", ValueError, "4-D"),),
)
def _cus_mat_mul_cube_fracz_right_mul(x1: Tensor, x2: Tensor, x3: Tensor) -> Tensor:
    """The product of a matrix and a fractal matrix, times a number; see NOTE Fractals.

    Inputs:
        - **x1** (Tensor) - shape (N, C), or (N, ...) with its further axes as C.
        - **x2** (Tensor) - a matrix of shape (C, C) in fractal layout, 4-D.
        - **x3** (Tensor) - the number, one element.

    Outputs: Tensor of the shape of `x1`, float32 (float64 of float64).
    Raises ValueError: a rank or shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x, two = ms.ops.ones((1, 1, 16, 16), ms.float16), ms.Tensor([2.0])
    >>> print(ms.ops.operations.CusMatMulCubeFraczRightMul()(ms.ops.ones((1, 16)), x, two)[0, 0])
    32.0
    """
    op_name = "CusMatMulCubeFraczRightMul"
    check_rank(op_name, "x1", x1, 2, 3, 4)
    result = _times(op_name, _product(x1.flatten(1), _matrix(op_name, "x2", x2)), x3)
    return result.reshape(x1.shape) if result.shape[1] == x1[0].numel() else result


@primitive(
    "UpdateThorGradient",
    samples=(
        "f(2, 3, 3), f(6, 9), f(2, 3, 3, 3), split_dim=3",
        "f(2, 3, 3), f(5, 7), f(2, 3, 3, 3), split_dim=3",
    ),
    errors=(
        ("f(3, 3), f(6, 9), f(2, 3, 3, 3), split_dim=3", ValueError, "3-D"),
        ("f(2, 3, 3), f(9, 9), f(2, 3, 3, 3), split_dim=3", ValueError, "shape"),
    ),
    setup=lambda instance: integer(instance.name, "split_dim", instance.split_dim, 1),
)
def _update_thor_gradient(x1: Tensor, x2: Tensor, x3: Tensor, *, split_dim: int = 1) -> Tensor:
    """A gradient between the inverses of two matrices that are zero off their diagonal blocks.

    Block (i, j) of the result is :math:`A_i g_{ij} B_{ij}`.

    Attributes:
        split_dim (int): the size s of a block. Default: 1.

    Inputs:
        - **x1** (Tensor) - A, shape (m, s, s).
        - **x2** (Tensor) - the gradient g, a matrix of m by n blocks; the last ones may be smaller.
        - **x3** (Tensor) - B, shape (m, n, s, s).

    Outputs: Tensor of the shape of `x2`.
    Raises ValueError: a rank or shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has a kernel for GPU only.

    >>> update = ms.ops.operations.UpdateThorGradient(split_dim=2)
    >>> a, b = ms.Tensor([[[2.0, 0.0], [0.0, 3.0]]]), ms.ops.ones((1, 1, 2, 2))
    >>> print(update(a, ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), b))
    [[ 6.  6.]
     [21. 21.]]
    """
    op_name = "UpdateThorGradient"
    for name, value, rank in (("x1", x1, 3), ("x2", x2, 2), ("x3", x3, 4)):
        check_rank(op_name, name, value, rank)
    rows, columns = (-(-size // split_dim) for size in x2.shape)
    block = [split_dim, split_dim]
    if list(x1.shape) != [rows, *block] or list(x3.shape) != [rows, columns, *block]:
        raise ValueError(
            f"For '{op_name}', the shapes of 'x1' and 'x3' must be {[rows, *block]} and "
            f"{[rows, columns, *block]}, but got {list(x1.shape)} and {list(x3.shape)}."
        )
    height, width = rows * split_dim, columns * split_dim
    whole = F.pad(x2, (0, width - x2.shape[1], 0, height - x2.shape[0]))
    blocks = whole.reshape(rows, split_dim, columns, split_dim).transpose(1, 2)
    result = (x1.unsqueeze(1) @ blocks @ x3).transpose(1, 2).reshape(height, width)
    return result[: x2.shape[0], : x2.shape[1]]


# --------------------------------------------------------------------------------- matrices


@primitive(
    "CusCholeskyTrsm",
    samples=("torch.eye(3).double() * 2 + 0.1", "torch.eye(256).double() * 2 + 0.001"),
    errors=(
        ("f(2, 3)", ValueError, "square"),
        ("torch.eye(130)", ValueError, "128"),
    ),
    differentiable=False,
)
def _cus_cholesky_trsm(x1: Tensor) -> Tensor:
    """The inverses of the upper Cholesky factors of a matrix's diagonal blocks.

    Of a block :math:`A = L L^T` it is :math:`(L^T)^{-1}`, and nan where the block is not positive
    definite. Blocks have 128 rows; a smaller matrix is one block.

    Inputs:
        - **x1** (Tensor) - shape (N, N); N at most 128 or a multiple of it.

    Outputs: Tensor of shape (N // 128, 128, 128), or (1, N, N).
    Raises ValueError: the matrix is not square, or N does not fit.
    Difference from PyTorch: ``torch.linalg.cholesky`` and ``torch.linalg.solve_triangular``.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> print(ms.ops.operations.CusCholeskyTrsm()(ms.Tensor([[4.0, 0.0], [0.0, 16.0]])))
    [[[0.5  0.  ]
      [0.   0.25]]]
    """
    op_name = "CusCholeskyTrsm"
    check_rank(op_name, "x1", x1, 2)
    size = len(x1)
    if x1.shape[1] != size:
        raise ValueError(f"For '{op_name}', 'x1' must be square, but got shape {list(x1.shape)}.")
    block = min(size, _BLOCK)
    if size % max(block, 1):
        raise ValueError(
            f"For '{op_name}', the size of 'x1' must be at most 128 or a multiple of it, but got "
            f"{size}; pad it with the identity."
        )
    return _inverse_factors(x1, block)


def _inverse_factors(x1: Tensor, block: int) -> Tensor:
    """Of each diagonal block the inverse of its upper Cholesky factor, shape (n, block, block)."""
    count = len(x1) // max(block, 1)
    blocks = torch.stack(
        [x1[i * block : (i + 1) * block, i * block :][:, :block] for i in range(count)]
    )
    wide = blocks.to(torch.promote_types(x1.dtype, torch.float32))
    factor, failed = torch.linalg.cholesky_ex(wide)  # without reading whether it failed
    factor = torch.where((failed > 0).reshape(-1, 1, 1), torch.full_like(factor, math.nan), factor)
    upper = factor.mT
    unit = torch.eye(block, dtype=upper.dtype, device=upper.device).expand_as(upper)
    return torch.linalg.solve_triangular(upper, unit, upper=True).to(x1.dtype)


@primitive(
    "CholeskyTrsm",
    samples=(
        "torch.eye(4).double() * 2 + 0.1",
        "torch.eye(5).double() * 2 + 0.1, split_dim=2",
    ),
    errors=(("f(2, 3)", ValueError, "square"), ("f(2, 2), split_dim=-1", ValueError, "split_dim")),
    differentiable=False,
    setup=lambda instance: integer(instance.name, "split_dim", instance.split_dim, 0),
)
def _cholesky_trsm(
    x1: Tensor, *, lower: bool = False, clean: bool = True, split_dim: int = 0
) -> Tensor:
    """The inverses of the upper Cholesky factors of a matrix's diagonal blocks.

    See :class:`CusCholeskyTrsm`; the blocks have `split_dim` rows, and the last one is filled up
    with the identity.

    Attributes:
        lower (bool): whether the transposes, which are lower triangles, are returned.
            Default: False.
        clean (bool): accepted for compatibility; the other triangle is zero. Default: True.
        split_dim (int): the size of a block, or 0 for the whole matrix. Default: 0.

    Inputs:
        - **x1** (Tensor) - shape (N, N).

    Outputs: Tensor of shape (N, N), or (ceil(N / split_dim), split_dim, split_dim), and (1, N, N)
        where N is not larger than `split_dim`.
    Raises ValueError: the matrix is not square, or `split_dim` is negative.
    Difference from PyTorch: ``torch.linalg.cholesky`` and ``torch.linalg.solve_triangular``.
    Source: MindSpore 2.10's documentation; it has a kernel for GPU only.

    >>> print(ms.ops.operations.CholeskyTrsm()(ms.Tensor([[4.0, 0.0], [0.0, 16.0]])))
    [[0.5  0.  ]
     [0.   0.25]]
    """
    op_name = "CholeskyTrsm"
    check_rank(op_name, "x1", x1, 2)
    size = len(x1)
    if x1.shape[1] != size:
        raise ValueError(f"For '{op_name}', 'x1' must be square, but got shape {list(x1.shape)}.")
    block = min(split_dim, size) if split_dim else size
    missing = -size % max(block, 1)
    whole = torch.block_diag(x1, torch.eye(missing, dtype=x1.dtype, device=x1.device))
    result = _inverse_factors(whole if missing else x1, block)
    result = result.mT if lower else result
    return result if split_dim else result[0]


@primitive(
    "CusMatrixCombine",
    samples=("f(2, 3, 3)", "f(1, 2, 3)"),
    errors=(("f(3, 3)", ValueError, "3-D"),),
)
def _cus_matrix_combine(x: Tensor) -> Tensor:
    """Matrices along the diagonal of one.

    Inputs:
        - **x** (Tensor) - shape (N, D, D).

    Outputs: Tensor of shape (N * D, N * D).
    Raises ValueError: the input is not 3-D.
    Difference from PyTorch: ``torch.block_diag`` takes them one by one.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> print(ms.ops.operations.CusMatrixCombine()(ms.Tensor([[[1.0]], [[2.0]]])))
    [[1. 0.]
     [0. 2.]]
    """
    check_rank("CusMatrixCombine", "x", x, 3)
    return torch.block_diag(*x)


@primitive(
    "CusFusedAbsMax1",
    samples=("f(4, 4, 8, 8)", "f(32, 64)", "f(2, 6, 6), origin_shape=(9, 9)"),
    errors=(("f(5)", ValueError, "2-D"), ("f(2, 5, 4), origin_shape=(9, 9)", ValueError, "square")),
    differentiable=False,
)
def _cus_fused_abs_max1(x1: Tensor, *, origin_shape: Any = (-1, -1)) -> Tensor:
    """The largest absolute value, in two stages.

    Of blocks or a fractal matrix, every row of the result is the largest of one of 32 equal parts,
    64 times; of such a result it is the largest of all.

    Attributes:
        origin_shape (tuple): the size (n, n) of the matrix before its diagonal blocks were padded;
            what lies outside does not count. Default: (-1, -1), for all.

    Inputs:
        - **x1** (Tensor) - 3-D or 4-D in the first stage, 2-D in the second.

    Outputs: Tensor of shape (32, 64) in the first stage, (1,) in the second.
    Raises ValueError: the rank does not fit, or blocks with `origin_shape` are not square.
    Difference from PyTorch: ``x.abs().amax()``.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> largest = ms.ops.operations.CusFusedAbsMax1()
    >>> parts = largest(ms.Tensor([[[1.0, -3.0], [2.0, 0.0]]]))
    >>> print(parts.shape, largest(parts))
    (32, 64) [3.]
    """
    op_name = "CusFusedAbsMax1"
    check_rank(op_name, "x1", x1, 2, 3, 4)
    sizes = x1.abs()
    if x1.ndim == 2:
        return sizes.amax().reshape(1)
    if x1.ndim == 3 and max(origin_shape) > 0:
        count, height, width = x1.shape
        if height != width:
            raise ValueError(
                f"For '{op_name}', the blocks of 'x1' must be square, but got shape "
                f"{list(x1.shape)}."
            )
        place = torch.arange(count * height, device=x1.device).reshape(count, height)
        inside = place < max(origin_shape)
        sizes = torch.where(inside.unsqueeze(2) & inside.unsqueeze(1), sizes, 0.0)
    flat = sizes.reshape(-1)
    part = -(-flat.numel() // 32)
    parts = F.pad(flat, (0, 32 * part - flat.numel())).reshape(32, part)
    return parts.amax(1, keepdim=True).expand(32, 64).clone()


@primitive(
    "DetTriangle",
    samples=("f(3, 3).tril()", "f(2, 3, 3).triu(), fill_mode=1"),
    errors=(
        ("f(2, 3)", ValueError, "square"),
        ("f(2, 2), fill_mode=2", ValueError, "fill_mode"),
    ),
    setup=lambda instance: _check_fill_mode(instance),
)
def _det_triangle(x1: Tensor, *, fill_mode: int = 0) -> Tensor:
    """Determinants of triangular matrices: the products of their diagonals.

    Attributes:
        fill_mode (int): 0 for lower, 1 for upper triangles. Default: 0.

    Inputs:
        - **x1** (Tensor) - shape (..., N, N); the other triangle is not read.

    Outputs: Tensor of shape (...).
    Raises ValueError: `fill_mode` is another number or the matrices are not square.
    Difference from PyTorch: ``torch.linalg.det`` takes any matrix.
    Source: MindSpore 2.10's documentation; it has a kernel for GPU only.

    >>> print(ms.ops.operations.DetTriangle()(ms.Tensor([[2.0, 0.0], [9.0, 3.0]])))
    6.0
    """
    if x1.ndim < 2 or x1.shape[-1] != x1.shape[-2]:
        raise ValueError(
            f"For 'DetTriangle', 'x1' must be a square matrix or several, but got shape "
            f"{list(x1.shape)}."
        )
    return x1.diagonal(dim1=-2, dim2=-1).prod(-1)


def _check_fill_mode(instance: Primitive) -> None:
    if instance.fill_mode not in (0, 1):
        raise ValueError(
            f"For 'DetTriangle', 'fill_mode' must be 0 or 1, but got {instance.fill_mode}."
        )
