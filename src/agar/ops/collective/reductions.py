"""Collectives that write into their tensors: reductions, gathers and broadcasts.

Without a launcher there is one process, and each has its result without communication; under
``torchrun`` they are torch.distributed's.
"""

from __future__ import annotations

import torch

from agar._core.distributed.process_groups import groups
from agar._core.tensor import Tensor
from agar.ops.collective.groups import get_group_rank
from agar.ops.collective.handles import (
    CommHandle,
    checked_group,
    checked_tensors,
    rank_argument,
    row_counts,
    run_collective,
    tensor_argument,
    torch_values,
)

__all__: list[str] = [
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_into_tensor_uneven",
    "all_reduce",
    "broadcast",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "reduce_scatter_tensor_uneven",
]


def all_reduce(
    tensor: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put the sum, or another reduction, over all processes into the tensor.

    Args:
        tensor (Tensor): read and written.
        op (str): ``"sum"``, ``"prod"``, ``"min"``, ``"max"`` or ``"avg"``. Default: ``"sum"``.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> x = ms.Tensor([1.0, 2.0])
        >>> ms.ops.all_reduce(x)
        >>> print(x)
        [1. 2.]
    """
    name = checked_group("all_reduce", group, async_op, op)
    value = tensor_argument("all_reduce", "tensor", tensor)._value.detach()
    return run_collective("all_reduce", [tensor], ("all_reduce", value, op), name, async_op)


def all_gather(
    tensor_list: list[Tensor], tensor: Tensor, group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put the tensors of all processes into a list.

    Args:
        tensor_list (list[Tensor]): one for each process, written.
        tensor (Tensor): this process's.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: shapes differ.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = [ms.Tensor([0.0])]
        >>> ms.ops.all_gather(out, ms.Tensor([3.0]))
        >>> print(out[0])
        [3.]
    """
    name = checked_group("all_gather", group, async_op)
    outs = checked_tensors("all_gather", "tensor_list", tensor_list, groups.size(name))
    value = tensor_argument("all_gather", "tensor", tensor)._value.detach()
    call = ("all_gather", value[None])
    return run_collective("all_gather", outs, call, name, async_op, lambda got: got.unbind(0))


def all_gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Put the tensors of all processes, along the first axis, into one.

    Args:
        output_tensor (Tensor): written.
        input_tensor (Tensor): this process's part.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: shapes do not fit.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0, 0.0])
        >>> ms.ops.all_gather_into_tensor(out, ms.Tensor([3.0, 4.0]))
        >>> print(out)
        [3. 4.]
    """
    name = checked_group("all_gather_into_tensor", group, async_op)
    out = tensor_argument("all_gather_into_tensor", "output_tensor", output_tensor)
    value = tensor_argument("all_gather_into_tensor", "input_tensor", input_tensor)._value.detach()
    return run_collective("all_gather_into_tensor", [out], ("all_gather", value), name, async_op)


def all_gather_into_tensor_uneven(
    output: Tensor,
    input: Tensor,
    output_split_sizes: list[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Put parts of different lengths, along the first axis, into one tensor.

    Args:
        output (Tensor): written.
        input (Tensor): this process's part.
        output_split_sizes (list[int]): the length of each part. Default: ``None``: equal.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: lengths do not fit.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0, 0.0])
        >>> ms.ops.all_gather_into_tensor_uneven(out, ms.Tensor([3.0, 4.0]), [2])
        >>> print(out)
        [3. 4.]
    """
    op_name = "all_gather_into_tensor_uneven"
    name = checked_group(op_name, group, async_op)
    out, own = (
        tensor_argument(op_name, "output", output),
        tensor_argument(op_name, "input", input)._value.detach(),
    )
    size = groups.size(name)
    counts = row_counts(op_name, "output_split_sizes", output_split_sizes, out.shape[0], size)
    call = ("all_to_all", torch.cat([own] * size), [own.shape[0]] * size, counts)
    return run_collective(op_name, [out], call, name, async_op)


def reduce_scatter_tensor(
    output: Tensor,
    input: Tensor,
    op: str = "sum",
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Reduce over all processes and keep this one's part along the first axis.

    Args:
        output (Tensor): written.
        input (Tensor): the whole.
        op (str): ``"sum"``, ``"prod"``, ``"min"``, ``"max"`` or ``"avg"``. Default: ``"sum"``.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: shapes do not fit.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0])
        >>> ms.ops.reduce_scatter_tensor(out, ms.Tensor([3.0]))
        >>> print(out)
        [3.]
    """
    name = checked_group("reduce_scatter_tensor", group, async_op, op)
    out = tensor_argument("reduce_scatter_tensor", "output", output)
    value = tensor_argument("reduce_scatter_tensor", "input", input)._value.detach()
    call = ("reduce_scatter", value, op)
    return run_collective("reduce_scatter_tensor", [out], call, name, async_op)


def reduce_scatter_tensor_uneven(
    output: Tensor,
    input: Tensor,
    input_split_sizes: list[int] | None = None,
    op: str = "sum",
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Reduce over all processes and keep this one's part, of a length of its own.

    Args:
        output (Tensor): written.
        input (Tensor): the whole.
        input_split_sizes (list[int]): the length of each part. Default: ``None``: equal.
        op (str): ``"sum"``, ``"prod"``, ``"min"``, ``"max"`` or ``"avg"``. Default: ``"sum"``.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: lengths do not fit.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0])
        >>> ms.ops.reduce_scatter_tensor_uneven(out, ms.Tensor([3.0]), [1])
        >>> print(out)
        [3.]
    """
    op_name = "reduce_scatter_tensor_uneven"
    name = checked_group(op_name, group, async_op, op)
    out, value = (
        tensor_argument(op_name, "output", output),
        tensor_argument(op_name, "input", input)._value.detach(),
    )
    counts = row_counts(
        op_name, "input_split_sizes", input_split_sizes, value.shape[0], groups.size(name)
    )
    me = groups.rank(name)
    call = ("all_reduce", value, op)
    return run_collective(op_name, [out], call, name, async_op, lambda got: [got.split(counts)[me]])


def reduce_scatter(
    output: Tensor,
    input_list: list[Tensor],
    op: str = "sum",
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Reduce a list over all processes and keep this one's entry.

    Args:
        output (Tensor): written.
        input_list (list[Tensor]): one for each process.
        op (str): ``"sum"``, ``"prod"``, ``"min"``, ``"max"`` or ``"avg"``. Default: ``"sum"``.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: shapes differ.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0])
        >>> ms.ops.reduce_scatter(out, [ms.Tensor([3.0])])
        >>> print(out)
        [3.]
    """
    name = checked_group("reduce_scatter", group, async_op, op)
    parts = torch_values(
        checked_tensors("reduce_scatter", "input_list", input_list, groups.size(name))
    )
    out, me = tensor_argument("reduce_scatter", "output", output), groups.rank(name)
    call = ("all_reduce", torch.stack(parts), op)
    return run_collective("reduce_scatter", [out], call, name, async_op, lambda got: [got[me]])


def reduce(
    tensor: Tensor,
    dst: int,
    op: str = "sum",
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Put the reduction over all processes into one process's tensor.

    Args:
        tensor (Tensor): read, and written in the process `dst`.
        dst (int): its world rank.
        op (str): ``"sum"``, ``"prod"``, ``"min"``, ``"max"`` or ``"avg"``. Default: ``"sum"``.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.mint.distributed import init_process_group, reduce
        >>> init_process_group()
        >>> x = ms.Tensor([3.0])
        >>> reduce(x, 0)
        >>> print(x)
        [3.]
    """
    name = checked_group("reduce", group, async_op, op)
    target = rank_argument("reduce", "dst", dst)
    value = tensor_argument("reduce", "tensor", tensor)._value.detach()
    targets = [tensor] if groups.world_rank == target else []
    call = ("all_reduce", value, op)
    return run_collective(
        "reduce", targets, call, name, async_op, lambda got: [got][: len(targets)]
    )


def broadcast(
    tensor: Tensor, src: int, group: str | None = None, async_op: bool = False
) -> CommHandle | None:
    """Give all processes the tensor of one.

    Args:
        tensor (Tensor): read in the process `src`, written in the others.
        src (int): its world rank.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the process is not in the group.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> x = ms.Tensor([3.0])
        >>> ms.ops.broadcast(x, 0)
        >>> print(x)
        [3.]
    """
    name = checked_group("broadcast", group, async_op)
    index = get_group_rank(name, rank_argument("broadcast", "src", src))
    value = tensor_argument("broadcast", "tensor", tensor)._value.detach()
    return run_collective("broadcast", [tensor], ("broadcast", value, index), name, async_op)
