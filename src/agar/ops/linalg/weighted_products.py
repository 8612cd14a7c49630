"""Matrix products that are added to a tensor: `addmm` and its family."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar.ops._checks import number
from agar.ops.linalg.products import (
    batched_product,
    check_ranks,
    matrix_product,
    outer,
    product_of_matrices,
)
from agar.ops.math.elementwise import WIDE_UNSIGNED, common_dtype
from agar.ops.spec import op

__all__: list[str] = []


def _weighted(op_name: str, input: Tensor, product: Tensor, beta: Any, alpha: Any) -> Tensor:
    """`beta * input + alpha * product` in their common type."""
    kind = common_dtype(input.dtype, product.dtype)
    beta, alpha = number(op_name, "beta", beta), number(op_name, "alpha", alpha)
    result = product.to(kind) if alpha == 1 else product.to(kind) * alpha
    if beta == 0:  # nan and infinities of the input do not count then
        return result.expand(torch.broadcast_shapes(input.shape, result.shape)).clone()
    return result + (input.to(kind) if beta == 1 else input.to(kind) * beta)


@op(
    method=True,
    mint=True,
    samples=("f(2, 4), f(2, 3), f(3, 4)", "f(4), f(2, 3), f(3, 4), beta=0.5"),
    errors=(("f(2, 4), f(2, 3), f(2, 4)", ValueError, "equal"),),
)
def addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    r"""Product of matrices added to a tensor: :math:`\beta\, input + \alpha\, mat1 \cdot mat2`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(N, M)`.
        mat1 (Tensor): shape :math:`(N, K)`.
        mat2 (Tensor): shape :math:`(K, M)`, of the same type.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the product. Default: 1.

    Returns: Tensor of shape :math:`(N, M)` and the common type.
    Raises TypeError: the types of the matrices differ, or a factor is not a number.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: `input` may have another type.

    >>> x = ms.ops.ones((2, 2))
    >>> print(ms.ops.addmm(x, x, x, alpha=0.5))
    [[2. 2.]
     [2. 2.]]
    """
    return _weighted("addmm", input, product_of_matrices("addmm", mat1, mat2), beta, alpha)


@op(
    mint=True,
    samples=("f(2), f(2, 3), f(3)", "f(2), f(2, 3), f(3), beta=2, alpha=0.5"),
    errors=(("f(2), f(2, 3), f(2)", ValueError, "equal"),),
)
def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    r"""Product of matrix and vector added: :math:`\beta\, input + \alpha\, mat \cdot vec`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(N,)`.
        mat (Tensor): shape :math:`(N, M)`.
        vec (Tensor): shape :math:`(M,)`, of the same type.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the product. Default: 1.

    Returns: Tensor of shape :math:`(N,)` and the common type.
    Raises TypeError: the types differ, or a factor is not a number.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: `input` may have another type.

    >>> print(ms.ops.addmv(ms.ops.ones(2), ms.ops.ones((2, 3)), ms.ops.ones(3)))
    [4. 4.]
    """
    check_ranks("addmv", (mat, 2, "a matrix"), (vec, 1, "a vector"))
    return _weighted("addmv", input, matrix_product("addmv", mat, vec), beta, alpha)


@op(
    "addmv",
    function=False,
    method="addmv",
    samples=("f(2), f(2, 3), f(3)", "f(2), f(2, 3), f(3), 2, 0.5"),
    errors=(("f(2), f(2, 3), f(2)", ValueError, "equal"),),
)
def _addmv_method(
    input: Tensor, mat: Tensor, vec: Tensor, beta: float = 1, alpha: float = 1
) -> Tensor:
    """Product of matrix and vector added; see :func:`ops.addmv`.

    >>> print(ms.ops.ones(2).addmv(ms.ops.ones((2, 3)), ms.ops.ones(3), 2))
    [5. 5.]
    """
    return addmv(input, mat, vec, beta=beta, alpha=alpha)


@op(
    samples=("f(2, 3), f(2), f(3)", "f(3), f(2), f(3), beta=2, alpha=0.5"),
    errors=(("f(2, 3), f(2, 2), f(3)", ValueError, "vector"),),
    renamed={"addr": {"input": "x"}},
)
def addr(input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    r"""Outer product added to a matrix: :math:`\beta\, input + \alpha\, vec1 \otimes vec2`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(N, M)`.
        vec1 (Tensor): shape :math:`(N,)`.
        vec2 (Tensor): shape :math:`(M,)`.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the product. Default: 1.

    Returns: Tensor of shape :math:`(N, M)` and the common type.
    Raises TypeError: a factor is not a number.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: `input` may have another type.

    >>> print(ms.ops.addr(ms.ops.ones((2, 2)), ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])))
    [[4. 5.]
     [7. 9.]]
    """
    check_ranks("addr", (vec1, 1, "a vector"), (vec2, 1, "a vector"))
    return _weighted("addr", input, outer(vec1, vec2), beta, alpha)


@op(
    "addr",
    function=False,
    method="addr",
    samples=("f(2, 3), f(2), f(3)", "f(3), f(2), f(3), 2, 0.5"),
    errors=(("f(2, 3), f(2, 2), f(3)", ValueError, "vector"),),
)
def _addr_method(
    input: Tensor, vec1: Tensor, vec2: Tensor, beta: float = 1, alpha: float = 1
) -> Tensor:
    """Outer product added to a matrix; see :func:`ops.addr`.

    >>> print(ms.ops.ones((1, 2)).addr(ms.Tensor([1.0]), ms.Tensor([3.0, 4.0]), 2))
    [[5. 6.]]
    """
    return addr(input, vec1, vec2, beta=beta, alpha=alpha)


@op(
    method=True,
    mint=True,
    samples=("f(2, 4), f(5, 2, 3), f(5, 3, 4)", "f(2, 4), f(2, 3), f(3, 4)"),
    errors=(
        ("f(2, 4), f(5, 2, 3), f(5, 2, 4)", ValueError, "equal"),
        ("f(2, 4), f(3), f(3, 4)", ValueError, "2 dimensions"),
    ),
)
def addbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    r"""Products of matrices added: :math:`\beta\, input + \alpha \sum_b batch1_b batch2_b`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(N, M)`.
        batch1 (Tensor): shape :math:`(B, N, K)`; of other shapes the products are summed over
            their first axis.
        batch2 (Tensor): shape :math:`(B, K, M)`, of the same type.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the sum. Default: 1.

    Returns: Tensor of shape :math:`(N, M)` and the common type.
    Raises TypeError: the types of the batches differ, or a factor is not a number.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: `input` may have another type.

    >>> x = ms.ops.ones((3, 2, 2))
    >>> print(ms.ops.addbmm(ms.ops.ones((2, 2)), x, x))
    [[7. 7.]
     [7. 7.]]
    """
    products = batched_product("addbmm", batch1, batch2)
    # torch sums wide unsigned integers in int64, which do not mix with them
    kind = products.dtype if products.dtype in WIDE_UNSIGNED else None
    return _weighted("addbmm", input, products.sum(0, dtype=kind), beta, alpha)


def _baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: Any, alpha: Any) -> Tensor:
    return _weighted("baddbmm", input, batched_product("baddbmm", batch1, batch2), beta, alpha)


@op(
    samples=("f(5, 2, 4), f(5, 2, 3), f(5, 3, 4)", "f(4), f(5, 2, 3), f(5, 3, 4), 0.5, 2"),
    errors=(("f(2, 4), f(5, 2, 3), f(5, 2, 4)", ValueError, "equal"),),
)
def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, beta: float = 1, alpha: float = 1
) -> Tensor:
    r"""Products of matrices in batches added: :math:`\beta\, input + \alpha\, batch1 \cdot batch2`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(B, N, M)`.
        batch1 (Tensor): shape :math:`(B, N, K)`.
        batch2 (Tensor): shape :math:`(B, K, M)`, of the same type.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the products. Default: 1.

    Returns: Tensor of shape :math:`(B, N, M)` and the common type.
    Raises TypeError: the types of the batches differ, or a factor is not a number.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: `input` may have another type.

    >>> x = ms.ops.ones((3, 2, 2))
    >>> ms.ops.baddbmm(x, x, x).shape
    (3, 2, 2)
    """
    return _baddbmm(input, batch1, batch2, beta, alpha)


@op(
    "baddbmm",
    function=False,
    method="baddbmm",
    mint="baddbmm",
    samples=("f(5, 2, 4), f(5, 2, 3), f(5, 3, 4), beta=0.5",),
    errors=(("f(2, 4), f(5, 2, 3), f(5, 2, 4)", ValueError, "equal"),),
)
def _baddbmm_method(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    """Products of matrices in batches added; see :func:`ops.baddbmm`.

    >>> x = ms.ops.ones((3, 2, 2))
    >>> x.baddbmm(x, x, beta=2).shape
    (3, 2, 2)
    """
    return _baddbmm(input, batch1, batch2, beta, alpha)
