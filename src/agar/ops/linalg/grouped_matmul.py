"""Products of matrices in groups of rows, each group with a matrix of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar.ops._checks import integer
from agar.ops.spec import op

__all__: list[str] = []


def _sizes(op_name: str, group_list: Any, cumulative: bool, total: int) -> list[int]:
    """How many rows or columns each group has."""
    if group_list is None:
        raise ValueError(f"For '{op_name}', 'group_list' must be given, but got None.")
    numbers = group_list.tolist() if isinstance(group_list, Tensor) else list(group_list)
    for n in numbers:
        integer(op_name, "group_list", n, 0)
    if cumulative:
        before = [0, *numbers[:-1]] if numbers else []
        numbers = [end - first for end, first in zip(numbers, before, strict=True)]
    if any(n < 0 for n in numbers) or sum(numbers) != total:
        raise ValueError(
            f"For '{op_name}', the groups in 'group_list' must not be negative and make up "
            f"{total}, but got sizes {numbers}."
        )
    return numbers


def _one(op_name: str, name: str, value: Sequence[Tensor]) -> Tensor:
    if len(value) != 1:
        raise ValueError(f"For '{op_name}', '{name}' must hold one Tensor, but holds {len(value)}.")
    return value[0]


def _kind(op_name: str, group_list: Any, group_list_type: Any) -> bool:
    """Whether the numbers are ends of groups; a list or tuple always holds ends."""
    if group_list_type not in (0, 1):
        raise ValueError(
            f"For '{op_name}', 'group_list_type' must be 0 or 1, but got {group_list_type!r}."
        )
    return group_list_type == 0 or not isinstance(group_list, Tensor)


def _rows_by_group(x: Tensor, weight: Tensor, sizes: list[int]) -> list[Tensor]:
    return [part @ matrix for part, matrix in zip(x.split(sizes), weight, strict=True)]


@op(
    samples=(
        "[f(6, 3)], [f(2, 3, 4)], group_list=(2, 6)",
        "[f(6, 3)], [f(3, 3, 4)], [f(3, 4)], torch.tensor([1, 0, 5]), group_list_type=1",
        "[f(2, 6)], [f(6, 4)], None, torch.tensor([4, 6]), 2",
    ),
    errors=(
        ("[f(6, 3)], [f(2, 3, 4)], group_list=(2, 5)", ValueError, "group_list"),
        ("[f(6, 3)], [f(2, 3, 4)], group_list=(2, 6), group_type=1", ValueError, "group_type"),
        ("[f(6, 3)] * 2, [f(2, 3, 4)], group_list=(2, 6)", ValueError, "one Tensor"),
        ("[f(6, 3)], [f(3, 3, 4)], group_list=(2, 6)", ValueError, "weight"),
    ),
)
def gmm(
    x: Sequence[Tensor],
    weight: Sequence[Tensor],
    bias: Sequence[Tensor] | None = None,
    group_list: Tensor | Any = None,
    group_type: int = 0,
    group_list_type: int = 0,
) -> tuple[Tensor]:
    """Products of matrices in groups.

    Args:
        x (Union[tuple[Tensor], list[Tensor]]): one tensor of shape :math:`(M, K)`.
        weight (Union[tuple[Tensor], list[Tensor]]): one tensor, of shape :math:`(G, K, N)` for
            groups of rows, :math:`(K, N)` for groups of columns.
        bias (Union[tuple[Tensor], list[Tensor]]): one tensor of shape :math:`(G, N)`, for groups
            of rows. Default: None.
        group_list (Union[Tensor, tuple[int], list[int]]): where the groups end; in a Tensor with
            `group_list_type` 1 how large they are. It must be given. Default: None.
        group_type (int): 0 for groups of rows of `x`, 2 for groups of its columns. Default: 0.
        group_list_type (int): 0 or 1, see `group_list`. Default: 0.

    Returns: tuple of one Tensor: shape :math:`(M, N)`, for groups of columns :math:`(G, M, N)`.
    Raises ValueError: a list holds more than one tensor, a number is out of range, or the shapes or
        groups do not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x, weight = (
    ...     ms.ops.ones((3, 2)),
    ...     ms.ops.stack([ms.ops.ones((2, 1)), ms.ops.zeros((2, 1))]),
    ... )
    >>> print(ms.ops.gmm([x], [weight], group_list=(1, 3))[0].asnumpy().ravel())
    [2. 0. 0.]
    """
    op_name = "gmm"
    left, right = _one(op_name, "x", x), _one(op_name, "weight", weight)
    if group_type not in (0, 2):
        raise ValueError(f"For '{op_name}', 'group_type' must be 0 or 2, but got {group_type!r}.")
    ends = _kind(op_name, group_list, group_list_type)
    if left.ndim != 2 or right.ndim != (3 if group_type == 0 else 2):
        raise ValueError(
            f"For '{op_name}' with group_type {group_type}, 'x' must be 2-D and 'weight' "
            f"{3 if group_type == 0 else 2}-D, but got shapes {tuple(left.shape)} and "
            f"{tuple(right.shape)}."
        )
    sizes = _sizes(op_name, group_list, ends, left.shape[0 if group_type == 0 else 1])
    if group_type == 2:
        if bias is not None:
            raise ValueError(f"For '{op_name}' with group_type 2, 'bias' must be None.")
        pairs = zip(left.split(sizes, 1), right.split(sizes), strict=True)
        return (torch.stack([a @ b for a, b in pairs]),)
    if right.shape[0] != len(sizes):
        raise ValueError(
            f"For '{op_name}', 'weight' must hold a matrix for each of the {len(sizes)} groups, "
            f"but got shape {tuple(right.shape)}."
        )
    parts = _rows_by_group(left, right, sizes)
    if bias is not None:
        added = _one(op_name, "bias", bias)
        parts = [part + row for part, row in zip(parts, added, strict=True)]
    return (torch.cat(parts).to(left.dtype),)


@op(
    samples=("[f(6, 4)], [f(6, 3)], [f(2, 3, 4)], (2, 6)",),
    errors=(("[f(6, 4)], [f(6, 3)], [f(2, 3, 4)], (2, 5)", ValueError, "group_list"),),
)
def gmm_backward(
    grad: Sequence[Tensor],
    x: Sequence[Tensor],
    weight: Sequence[Tensor],
    group_list: Tensor | Any = None,
    group_list_type: int = 0,
) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """The gradients of :func:`ops.gmm` for groups of rows.

    Args:
        grad (Union[tuple[Tensor], list[Tensor]]): the gradient of its result.
        x (Union[tuple[Tensor], list[Tensor]]): its first argument.
        weight (Union[tuple[Tensor], list[Tensor]]): its second argument.
        group_list (Union[Tensor, tuple[int], list[int]]): its groups. Default: None.
        group_list_type (int): what the numbers are. Default: 0.

    Returns: tuple of the lists of gradients of `x`, of `weight`, and an empty list for the bias.
    Raises ValueError: the shapes or groups do not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> one = ms.ops.ones
    >>> dx, dw, _ = ms.ops.gmm_backward([one((3, 1))], [one((3, 2))], [one((1, 2, 1))], (3,))
    >>> print(dx[0].shape, dw[0].asnumpy().ravel())
    (3, 2) [3. 3.]
    """
    op_name = "gmm_backward"
    given, left = _one(op_name, "grad", grad), _one(op_name, "x", x)
    ends = _kind(op_name, group_list, group_list_type)
    sizes = _sizes(op_name, group_list, ends, left.shape[0])
    (dx,), _, _ = gmm_backward_fusion(grad, weight, group_list, group_list_type)
    pairs = zip(left.split(sizes), given.split(sizes), strict=True)
    return [dx], [torch.stack([a.T @ b for a, b in pairs])], []


@op(
    samples=("[f(6, 4)], [f(2, 3, 4)], (2, 6)",),
    errors=(("[f(6, 4)], [f(2, 3, 4)], (2, 5)", ValueError, "group_list"),),
)
def gmm_backward_fusion(
    grad: Sequence[Tensor],
    weight: Sequence[Tensor],
    group_list: Tensor | Any = None,
    group_list_type: int = 0,
) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """The gradient of :func:`ops.gmm` for groups of rows, by its first argument alone.

    Args:
        grad (Union[tuple[Tensor], list[Tensor]]): the gradient of its result.
        weight (Union[tuple[Tensor], list[Tensor]]): its second argument.
        group_list (Union[Tensor, tuple[int], list[int]]): its groups. Default: None.
        group_list_type (int): what the numbers are. Default: 0.

    Returns: tuple of the list of the gradient of `x`, and two empty lists.
    Raises ValueError: the shapes or groups do not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> one = ms.ops.ones
    >>> ms.ops.gmm_backward_fusion([one((3, 1))], [one((1, 2, 1))], (3,))[0][0].shape
    (3, 2)
    """
    op_name = "gmm_backward_fusion"
    given, right = _one(op_name, "grad", grad), _one(op_name, "weight", weight)
    ends = _kind(op_name, group_list, group_list_type)
    sizes = _sizes(op_name, group_list, ends, given.shape[0])
    return [torch.cat(_rows_by_group(given, right.mT, sizes))], [], []
