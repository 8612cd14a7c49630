"""Distances and norms."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import to_torch_dtype
from agar.ops._checks import integer, number
from agar.ops.linalg.products import check_ranks
from agar.ops.math.elementwise import promoted
from agar.ops.spec import op, primitive
from agar.ops.tensor.axes import axes_of, axis_of

__all__: list[str] = []


@op(
    primitive="Cdist(p)",
    mint=False,
    samples=(
        "f(2, 3), f(4, 3)",
        "f(5, 2, 3), f(5, 4, 3), 1.0",
        "f(2, 3), f(4, 3), float('inf')",
        "f(2, 3), f(4, 3), 0",
    ),
    errors=(("f(2, 3), f(4, 2)", ValueError, "cdist"), ("f(2, 3), f(4, 3), -1.0", ValueError, "p")),
)
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    r"""Distances of all pairs of vectors: :math:`out_{..ij} = \|x1_{..i} - x2_{..j}\|_p`.

    Args:
        x1 (Tensor): shape :math:`(.., N, D)`.
        x2 (Tensor): shape :math:`(.., M, D)`.
        p (float): the norm, at least 0. Default: 2.0.

    Returns: Tensor of shape :math:`(.., N, M)`.
    Raises TypeError: `p` is not a number.
    Raises ValueError: the shapes do not fit or `p` is negative.

    >>> print(ms.ops.cdist(ms.Tensor([[0.0, 0.0]]), ms.Tensor([[3.0, 4.0]])))
    [[5.]]
    """
    if number("cdist", "p", p) < 0:
        raise ValueError(f"For 'cdist', 'p' must not be negative, but got {p}.")
    if x1.ndim < 2 or x2.ndim < 2 or x1.shape[-1] != x2.shape[-1]:
        raise ValueError(
            "For 'cdist', the inputs must have at least two axes and the same last size, but got "
            f"shapes {list(x1.shape)} and {list(x2.shape)}."
        )
    # the way by products loses digits of small distances
    return torch.cdist(x1, x2, p, compute_mode="donot_use_mm_for_euclid_dist")


@op(
    "cdist",
    function=False,
    mint="cdist",
    samples=("f(2, 3), f(4, 3)", "f(2, 3), f(4, 3), 1.0"),
    errors=(("f(2, 3), f(4, 2)", ValueError, "last size"),),
)
def _cdist_mint(
    x1: Tensor,
    x2: Tensor,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
) -> Tensor:
    """Distances of all pairs of vectors, always computed exactly; see :func:`ops.cdist`.

    Own Args:
        compute_mode (str): accepted for compatibility, the result is exact in any case. Default:
            ``"use_mm_for_euclid_dist_if_necessary"``.

    >>> print(ms.mint.cdist(ms.Tensor([[0.0, 0.0]]), ms.Tensor([[3.0, 4.0]])))
    [[5.]]
    """
    return cdist(x1, x2, p)


@op(samples=("f(4, 3)", "f(4, 3), 1.0"), errors=(("f(3)", ValueError, "matrix"),))
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """Distances of all pairs of rows, each pair once.

    Args:
        input (Tensor): shape :math:`(N, D)`.
        p (float): the norm, at least 0. Default: 2.0.

    Returns: Tensor of shape :math:`(N (N - 1) / 2,)`.
    Raises TypeError: `p` is not a number.
    Raises ValueError: `input` is not a matrix.
    Difference from PyTorch: none (``torch.nn.functional.pdist``).

    >>> print(ms.ops.pdist(ms.Tensor([[0.0, 0.0], [3.0, 4.0]])))
    [5.]
    """
    check_ranks("pdist", (input, 2, "a matrix"))
    return torch.nn.functional.pdist(input, number("pdist", "p", p))


@op(samples=("f(2, 3), f(3)", "f(2), f(2), 1"), errors=(("f(2), f(3)", ValueError, "broadcast"),))
def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    r"""Norm of a difference: :math:`\|input - other\|_p`.

    Args:
        input (Tensor): any shape.
        other (Tensor): a shape that broadcasts.
        p (number): the norm. Default: 2.

    Returns: Tensor, 0-d.
    Raises TypeError: `p` is not a number.
    Raises ValueError: the shapes do not broadcast.

    >>> print(ms.ops.dist(ms.Tensor([1.0, 1.0]), ms.Tensor([4.0, 5.0])))
    5.0
    """
    input, other = promoted(input, other)
    return torch.dist(input, other, number("dist", "p", p))


@op(
    method=True,
    mint="linalg.norm",
    samples=(
        "f(2, 3)",
        "f(2, 3), 1, 1",
        "f(2, 3), 'fro', (0, 1), True",
        "f(2, 3), float('inf')",
        "f(6), 3",
        "f(2, 3), 'nuc'",
        "f(6), 0",
        "f(6), float('-inf')",
        "f(2, 3), -1",
    ),
    errors=(("f(2, 3), 'x'", TypeError, "ord"), ("f(2, 3), 2, 2", ValueError, "dim")),
)
def norm(
    A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    r"""Norm of vectors or matrices.

    Args:
        A (Tensor): any shape; integers are computed in float32.
        ord (Union[None, int, float, str]): which norm. None: the square root of the sum of squares.
            For vectors a number p: :math:`(\sum |x|^p)^{1/p}`, 0 counts what is not zero. For
            matrices ``"fro"``, ``"nuc"``, 1, -1, 2, -2, inf or -inf. Default: None.
        dim (Union[int, tuple]): one axis for vectors, two for matrices. Default None: all axes;
            with `ord`, `A` must be a vector or a matrix.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in. Default: None.

    Returns: Tensor.
    Raises TypeError: `A` has the wrong type, or `ord` is not the name of a norm.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: ``torch.linalg.norm``.

    >>> print(ms.ops.norm(ms.Tensor([3.0, 4.0])))
    5.0
    """
    axes = None if dim is None else axes_of("norm", dim, A.ndim, "dim")
    kind = None if dtype is None else to_torch_dtype(dtype, op_name="norm")
    A, back = _not_narrow(A)
    try:
        return torch.linalg.norm(A, ord, axes, keepdim, dtype=kind).to(kind or back)
    except RuntimeError as error:
        if "ord" in str(error) or "Order" in str(error) or "order" in str(error):
            raise TypeError(
                f"For 'norm', 'ord' {ord!r} is not a norm of a tensor of shape {list(A.shape)} "
                f"with dim {dim}."
            ) from error
        raise


@op(
    "norm",
    function=False,
    mint="norm",
    samples=("f(2, 3)", "f(2, 3), 1, 1", "f(2, 3), 2"),
    errors=(("f(2, 3), 'x'", TypeError, "'p'"), ("f(2, 3), 2, 5", ValueError, "dim")),
)
def _norm_mint(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    r"""Norm of all elements or along axes, :math:`(\sum |x|^p)^{1/p}`.

    Args:
        input (Tensor): any shape; integers are computed in float32.
        p (Union[int, float, str]): the order, a number or ``"fro"``, which is 2.
            Default: ``"fro"``.
        dim (Union[int, tuple]): the axes. Default None: all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in and to return. Default: None.

    Returns: Tensor without these axes, unless `keepdim` keeps them.

    >>> print(ms.mint.norm(ms.Tensor([3.0, 4.0])))
    5.0
    """
    kind = None if dtype is None else to_torch_dtype(dtype, op_name="norm")
    order = 2 if p == "fro" else number("norm", "p", p)
    axes = None if dim is None else axes_of("norm", dim, input.ndim, "dim")
    if not (input.is_floating_point() or input.is_complex()):
        input = input.float()
    return torch.linalg.vector_norm(input, order, axes, keepdim, dtype=kind)


@op(
    samples=("f(2, 3)", "f(2, 3), 1, 1, True", "f(2, 3), 3, (0, 1)"),
    errors=(("f(2, 3), 2, 2", ValueError, "axis"),),
)
def vector_norm(
    x: Tensor, ord: float = 2, axis: Any = None, keepdims: bool = False, *, dtype: Any = None
) -> Tensor:
    r"""Norm of vectors: :math:`(\sum |x|^{ord})^{1/ord}`.

    Args:
        x (Tensor): any shape; integers are computed in float32.
        ord (number): which norm; 0 counts what is not zero. Default: 2.
        axis (Union[None, int, tuple]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in. Default: None.

    Returns: Tensor.
    Raises TypeError: `ord` is not a number.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: ``torch.linalg.vector_norm``.

    >>> print(ms.ops.vector_norm(ms.Tensor([3.0, 4.0]), ord=1))
    7.0
    """
    axes = None if axis is None else axes_of("vector_norm", axis, x.ndim)
    kind = None if dtype is None else to_torch_dtype(dtype, op_name="vector_norm")
    if not (x.is_floating_point() or x.is_complex()):
        x = x.float()
    return torch.linalg.vector_norm(
        x, number("vector_norm", "ord", ord), axes, keepdims, dtype=kind
    )


@op(
    samples=(
        "f(2, 3)",
        "f(2, 3), 1",
        "f(2, 3), -1",
        "f(2, 3), 2",
        "f(2, 3), -2",
        "f(2, 3), float('inf')",
        "f(2, 3), float('-inf')",
        "f(4, 2, 3), 'nuc', (1, 2), True",
    ),
    errors=(("f(3)", ValueError, "axis"), ("f(2, 3), 'x'", ValueError, "ord")),
)
def matrix_norm(
    A: Tensor,
    ord: Any = "fro",
    axis: Any = (-2, -1),
    keepdims: bool = False,
    *,
    dtype: Any = None,
) -> Tensor:
    """Norm of matrices.

    Args:
        A (Tensor): two axes or more; integers are computed in float32.
        ord (Union[int, float, str]): ``"fro"``, ``"nuc"``, 1, -1, 2, -2, inf or -inf.
            Default: ``"fro"``.
        axis (tuple): the two axes of the matrices. Default: (-2, -1).
        keepdims (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in. Default: None.

    Returns: Tensor.
    Raises TypeError: `A` has the wrong type.
    Raises ValueError: `ord` names no norm or an axis is out of range.
    Difference from PyTorch: ``torch.linalg.matrix_norm``.

    >>> print(ms.ops.matrix_norm(ms.Tensor([[3.0, 4.0]])))
    5.0
    """
    axes = axes_of("matrix_norm", axis, A.ndim)
    if ord not in ("fro", "nuc", 1, -1, 2, -2, float("inf"), float("-inf")):
        raise ValueError(
            f"For 'matrix_norm', 'ord' must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, but "
            f"got {ord!r}."
        )
    kind = None if dtype is None else to_torch_dtype(dtype, op_name="matrix_norm")
    A, back = _not_narrow(A)
    return torch.linalg.matrix_norm(A, ord, axes, keepdims, dtype=kind).to(kind or back)


@op(
    "vector_norm",
    function=False,
    mint="linalg.vector_norm",
    samples=("f(2, 3)", "f(2, 3), 1, 1, True"),
    errors=(("f(2, 3), 'x'", TypeError, "ord"), ("f(2, 3), 2, 5", ValueError, "dim")),
)
def _vector_norm_mint(
    x: Tensor, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Norm of vectors; see :func:`ops.vector_norm`.

    >>> print(ms.mint.linalg.vector_norm(ms.Tensor([3.0, 4.0])))
    5.0
    """
    return vector_norm(x, ord, dim, keepdim, dtype=dtype)


@op(
    "matrix_norm",
    function=False,
    mint="linalg.matrix_norm",
    samples=("f(2, 3)", "f(4, 2, 3), 'nuc', (1, 2), True"),
    errors=(("f(2, 3), 'x'", ValueError, "ord"), ("f(3)", ValueError, "axis")),
)
def _matrix_norm_mint(
    A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Norm of matrices; see :func:`ops.matrix_norm`.

    >>> print(ms.mint.linalg.matrix_norm(ms.Tensor([[3.0, 4.0]])))
    5.0
    """
    return matrix_norm(A, ord, dim, keepdim, dtype=dtype)


def _not_narrow(x: Tensor) -> tuple[Tensor, torch.dtype]:
    """The tensor in a type that torch's norms take, and the real type of the result.

    Integers and booleans give float32, as in MindSpore.
    """
    if not (x.is_floating_point() or x.is_complex()):
        return x.float(), torch.float32
    if x.dtype in (torch.float16, torch.bfloat16):
        return x.float(), x.dtype
    return x, x.real.dtype if x.is_complex() else x.dtype


@primitive(
    "LpNorm",
    samples=("f(2, 3), axis=1", "f(2, 3), axis=(0, 1), p=1, keep_dims=True"),
    errors=(
        ("f(2, 3), axis=4", ValueError, "axis"),
        ("f(2, 3), axis=0, p='x'", TypeError, "'p'"),
    ),
)
def _lp_norm(
    input: Tensor, *, axis: Any, p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12
) -> Tensor:
    r"""Norm along axes, with a least value: :math:`\max((\sum |x|^p)^{1/p}, \epsilon)`.

    Args:
        axis (Union[int, tuple, list]): the axes.
        p (int): which norm. Default: 2.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.
        epsilon (float): the least value. Default: 1e-12.
        input (Tensor): a floating type.

    Returns: Tensor.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: ``torch.linalg.vector_norm``.

    >>> print(ms.ops.LpNorm(0)(ms.Tensor([3.0, 4.0])))
    5.0
    """
    axes = axes_of("LpNorm", axis, input.ndim)
    result = torch.linalg.vector_norm(input, integer("LpNorm", "p", p), axes, keep_dims)
    return torch.clamp(result, min=number("LpNorm", "epsilon", epsilon))


@op(
    method=True,
    samples=("f(3, 4), 2, 0, 0.5", "f(3, 4), 1, -1, 1.0", "f(4), 2, 0, 0.5"),
    errors=(
        ("f(3, 4), 2, 2, 1.0", ValueError, "axis"),
        ("f(3, 4), 0, 0, 1.0", ValueError, "p"),
        ("f(3, 4), 2, 0, -1.0", ValueError, "maxnorm"),
    ),
)
def renorm(input: Tensor, p: float, axis: int, maxnorm: float) -> Tensor:
    """Scale the slices along an axis whose norm is too large down to it.

    Args:
        input (Tensor): a floating or complex type, one axis or more.
        p (number): the norm, positive.
        axis (int): the axis whose slices are measured.
        maxnorm (number): the largest norm.

    Returns: Tensor of the same shape.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `axis` is out of range, `p` not positive or `maxnorm` negative.
    Difference from PyTorch: `axis` is called ``dim`` there, a vector is not an input, and 1e-7 is
        added to the norm that divides.

    >>> print(ms.ops.renorm(ms.Tensor([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 1.0))
    [[0.6 0.8]
     [0.3 0.4]]
    """
    if number("renorm", "p", p) <= 0:
        raise ValueError(f"For 'renorm', 'p' must be positive, but got {p}.")
    place = axis_of("renorm", axis, input.ndim)
    largest = number("renorm", "maxnorm", maxnorm)
    if largest < 0:
        raise ValueError(f"For 'renorm', 'maxnorm' must not be negative, but got {maxnorm}.")
    rest = [a for a in range(input.ndim) if a != place]
    # no axes would mean all of them
    sizes = torch.linalg.vector_norm(input, p, rest, keepdim=True) if rest else input.abs()
    # torch.renorm divides by the norm plus 1e-7; the inner choice keeps 0/0 out of the gradient
    large = sizes > largest
    return input * torch.where(large, largest / torch.where(large, sizes, 1.0), 1.0)


@op(
    samples=("f(2, 3), f(2, 3)", "f(2, 3), f(3), 0 - 1", "f(2, 3), f(2, 3), 0, 1e-3"),
    errors=(("f(2, 3), f(2, 2)", ValueError, "broadcast"), ("f(3), f(3)", ValueError, "dim")),
)
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08) -> Tensor:
    r"""Cosine of the angle between vectors: :math:`\frac{x1 \cdot x2}{\|x1\|_2 \|x2\|_2}`.

    Args:
        x1 (Tensor): the first vectors.
        x2 (Tensor): the second; shapes broadcast.
        dim (int): the axis of the vectors. Default: 1.
        eps (float): the least value of a norm. Default: 1e-8.

    Returns: Tensor without that axis, of the common type.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `dim` is out of range or the shapes do not broadcast.
    Difference from PyTorch: none (``torch.nn.functional.cosine_similarity``).

    >>> print(ms.ops.cosine_similarity(ms.Tensor([[1.0, 0.0]]), ms.Tensor([[1.0, 1.0]])))
    [0.70710677]
    """
    x1, x2 = promoted(x1, x2)
    place = axis_of("cosine_similarity", dim, max(x1.ndim, x2.ndim), "dim")
    least = number("cosine_similarity", "eps", eps)
    return torch.nn.functional.cosine_similarity(x1, x2, place, least)
