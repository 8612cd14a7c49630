"""Products of matrices joined to the collective before or after them."""

from __future__ import annotations

from typing import Any

import torch

from agar._core.distributed.process_groups import groups
from agar._core.tensor import Tensor, wrap
from agar.ops._checks import boolean, choice, integer
from agar.ops.collective.handles import group_argument, group_members

__all__: list[str] = ["all_gather_matmul", "matmul_reduce_scatter"]


def _sides(
    op_name: str, input: Any, x2: Any, trans_input: bool, trans_x2: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """The two matrices, turned as asked for."""
    for name, value in (("input", input), ("x2", x2)):
        if not isinstance(value, Tensor) or value._value.dim() != 2:
            raise TypeError(
                f"For '{op_name}', the '{name}' must be a Tensor of two axes, got {value!r}."
            )
    for name, flag in (("trans_input", trans_input), ("trans_x2", trans_x2)):
        boolean(op_name, name, flag)
    if groups.world_size == 1:
        groups.init()
    left, right = input._value, x2._value
    return (left.t() if trans_input else left), (right.t() if trans_x2 else right)


def _check(op_name: str, group: Any, world_size: Any, bias: Any, comm_turn: Any) -> str:
    """The group, after the checks of what both operators are given beside the matrices."""
    name = group_argument(op_name, group)
    size = len(group_members(op_name, name))
    if integer(op_name, "world_size", world_size) != size:
        raise ValueError(
            f"For '{op_name}', the 'world_size' must be that of the group, {size}, "
            f"but got {world_size!r}."
        )
    if bias is not None and not isinstance(bias, Tensor):
        raise TypeError(
            f"For '{op_name}', the 'bias' must be a Tensor, but got {type(bias).__name__}."
        )
    integer(op_name, "comm_turn", comm_turn)
    return name


def all_gather_matmul(
    input: Tensor,
    x2: Tensor,
    group: str,
    world_size: int,
    *,
    bias: Tensor | None = None,
    gather_index: int = 0,
    gather_output: bool = True,
    comm_turn: int = 0,
    trans_input: bool = False,
    trans_x2: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """The rows of all processes times a matrix.

    Args:
        input (Tensor): this process's rows.
        x2 (Tensor): the matrix.
        group (str): the group's name.
        world_size (int): its size.
        bias (Tensor): added to the product. Default: ``None``.
        gather_index (int): 0: `input` is gathered. Default: ``0``.
        gather_output (bool): whether the gathered rows are returned too. Default: ``True``.
        comm_turn (int): accepted. Default: ``0``.
        trans_input (bool): whether `input` is transposed. Default: ``False``.
        trans_x2 (bool): whether `x2` is transposed. Default: ``False``.

    Returns:
        tuple of the product and the gathered rows, or None.

    Raises:
        TypeError: `input` or `x2` is not a Tensor of two axes.
        ValueError: `gather_index` is not 0, or `world_size` not the group's.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10, where it is one kernel on Ascend.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([[1.0, 2.0]])
        >>> y = ms.Tensor([[1.0], [1.0]])
        >>> print(ms.ops.all_gather_matmul(x, y, "hccl_world_group", 1)[0])
        [[3.]]
    """
    op_name = "all_gather_matmul"
    left, right = _sides(op_name, input, x2, trans_input, trans_x2)
    group = _check(op_name, group, world_size, bias, comm_turn)
    boolean(op_name, "gather_output", gather_output)
    if gather_index != 0:
        raise ValueError(
            f"For '{op_name}', the 'gather_index' must be 0, but got {gather_index!r}."
        )
    rows = groups.all_gather(left, group)
    product = rows @ right
    if bias is not None:
        product = product + bias._value
    return wrap(product), wrap(rows) if gather_output else None


def matmul_reduce_scatter(
    input: Tensor,
    x2: Tensor,
    group: str,
    world_size: int,
    *,
    reduce_op: str = "sum",
    bias: Tensor | None = None,
    comm_turn: int = 0,
    trans_input: bool = False,
    trans_x2: bool = False,
) -> Tensor:
    """This process's rows of the sum, over all processes, of products of matrices.

    Args:
        input (Tensor): the left matrix.
        x2 (Tensor): the right matrix.
        group (str): the group's name.
        world_size (int): its size.
        reduce_op (str): ``"sum"``. Default: ``"sum"``.
        bias (Tensor): added to each product. Default: ``None``.
        comm_turn (int): accepted. Default: ``0``.
        trans_input (bool): whether `input` is transposed. Default: ``False``.
        trans_x2 (bool): whether `x2` is transposed. Default: ``False``.

    Raises:
        TypeError: `input` or `x2` is not a Tensor of two axes.
        ValueError: `reduce_op` is another, or `world_size` not the group's.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10, where it is one kernel on Ascend.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([[1.0, 2.0]])
        >>> y = ms.Tensor([[1.0], [1.0]])
        >>> print(ms.ops.matmul_reduce_scatter(x, y, "hccl_world_group", 1))
        [[3.]]
    """
    op_name = "matmul_reduce_scatter"
    left, right = _sides(op_name, input, x2, trans_input, trans_x2)
    choice(op_name, "reduce_op", reduce_op, ("sum",))
    group = _check(op_name, group, world_size, bias, comm_turn)
    product = left @ right
    if bias is not None:
        product = product + bias._value
    return wrap(groups.reduce_scatter(product, reduce_op, group))


# programs that print a class see where MindSpore has it
for _name in __all__:
    globals()[_name].__module__ = "agar.ops.operations.comm_ops"
