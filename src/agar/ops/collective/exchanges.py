"""Collectives in which processes have parts for each other, or for one of them."""

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
    "all_to_all",
    "all_to_all_single",
    "all_to_all_v_c",
    "gather",
    "gather_into_tensor",
    "scatter",
    "scatter_tensor",
]


def all_to_all(
    output_tensor_list: list[Tensor],
    input_tensor_list: list[Tensor],
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Send one tensor to each process and receive one from each.

    Args:
        output_tensor_list (list[Tensor]): one from each process, written.
        input_tensor_list (list[Tensor]): one for each process.
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
        >>> out = [ms.Tensor([0.0])]
        >>> ms.ops.all_to_all(out, [ms.Tensor([3.0])])
        >>> print(out[0])
        [3.]
    """
    name = checked_group("all_to_all", group, async_op)
    outs = checked_tensors(
        "all_to_all", "output_tensor_list", output_tensor_list, groups.size(name)
    )
    parts = torch_values(
        checked_tensors("all_to_all", "input_tensor_list", input_tensor_list, groups.size(name))
    )
    flat = torch.cat([p.reshape(-1) for p in parts])
    counts = [int(t._value.numel()) for t in outs]

    def shaped(got: torch.Tensor) -> list[torch.Tensor]:
        return [v.reshape(t._value.shape) for v, t in zip(got.split(counts), outs, strict=True)]

    call = ("all_to_all", flat, [p.numel() for p in parts], counts)
    return run_collective("all_to_all", outs, call, name, async_op, shaped)


def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: list[int] | None = None,
    input_split_sizes: list[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Send a part of one tensor, along the first axis, to each process and receive one from each.

    Args:
        output (Tensor): written.
        input (Tensor): the parts for all processes.
        output_split_sizes (list[int]): lengths of what comes. Default: ``None``: equal.
        input_split_sizes (list[int]): lengths of what goes. Default: ``None``: equal.
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
        >>> ms.ops.all_to_all_single(out, ms.Tensor([3.0, 4.0]))
        >>> print(out)
        [3. 4.]
    """
    op_name = "all_to_all_single"
    name = checked_group(op_name, group, async_op)
    out, value = (
        tensor_argument(op_name, "output", output),
        tensor_argument(op_name, "input", input)._value.detach(),
    )
    size = groups.size(name)
    receive = row_counts(op_name, "output_split_sizes", output_split_sizes, out.shape[0], size)
    send_counts = row_counts(op_name, "input_split_sizes", input_split_sizes, value.shape[0], size)
    call = ("all_to_all", value, send_counts, receive)
    return run_collective(op_name, [out], call, name, async_op)


def all_to_all_v_c(
    output: Tensor,
    input: Tensor,
    send_count_matrix: list[int],
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Exchange elements, as many as a matrix says: its row i is what process i sends to each.

    Args:
        output (Tensor): written.
        input (Tensor): what this process sends, in order of the receivers.
        send_count_matrix (list[int]): counts, row after row.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: counts do not fit.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0, 0.0])
        >>> ms.ops.all_to_all_v_c(out, ms.Tensor([3.0, 4.0]), [2])
        >>> print(out)
        [3. 4.]
    """
    op_name = "all_to_all_v_c"
    name = checked_group(op_name, group, async_op)
    size, me = groups.size(name), groups.rank(name)
    if not isinstance(send_count_matrix, (list, tuple)) or len(send_count_matrix) != size * size:
        raise ValueError(
            f"For '{op_name}', the 'send_count_matrix' must have {size * size} numbers, but got "
            f"{send_count_matrix!r}."
        )
    rows = [send_count_matrix[i * size : (i + 1) * size] for i in range(size)]
    out, value = (
        tensor_argument(op_name, "output", output),
        tensor_argument(op_name, "input", input)._value.detach(),
    )
    flat = value.reshape(-1)[: sum(rows[me])]
    call = ("all_to_all", flat, list(rows[me]), [row[me] for row in rows])
    shape = out._value.shape
    return run_collective(op_name, [out], call, name, async_op, lambda got: [got.reshape(shape)])


def gather(
    tensor: Tensor,
    gather_list: list[Tensor],
    dst: int = 0,
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Put the tensors of all processes into a list of one process.

    Args:
        tensor (Tensor): this process's.
        gather_list (list[Tensor]): one for each process, written in the process `dst`.
        dst (int): its world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.mint.distributed import gather, init_process_group
        >>> init_process_group()
        >>> out = [ms.Tensor([0.0])]
        >>> gather(ms.Tensor([3.0]), out)
        >>> print(out[0])
        [3.]
    """
    name = checked_group("gather", group, async_op)
    target = rank_argument("gather", "dst", dst)
    value = tensor_argument("gather", "tensor", tensor)._value.detach()
    mine = groups.world_rank == target
    outs: list[Tensor] = []
    if mine:
        outs = checked_tensors("gather", "gather_list", gather_list, groups.size(name))
    call = ("all_gather", value[None])
    return run_collective(
        "gather", outs, call, name, async_op, lambda got: got.unbind(0) if mine else ()
    )


def scatter(
    tensor: Tensor,
    scatter_list: list[Tensor],
    src: int = 0,
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Give each process its entry of one process's list.

    Args:
        tensor (Tensor): written.
        scatter_list (list[Tensor]): one for each process, read in the process `src`.
        src (int): its world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.mint.distributed import init_process_group, scatter
        >>> init_process_group()
        >>> out = ms.Tensor([0.0])
        >>> scatter(out, [ms.Tensor([3.0])])
        >>> print(out)
        [3.]
    """
    name = checked_group("scatter", group, async_op)
    index = get_group_rank(name, rank_argument("scatter", "src", src))
    out = tensor_argument("scatter", "tensor", tensor)
    if groups.rank(name) == index:
        parts = torch_values(
            checked_tensors("scatter", "scatter_list", scatter_list, groups.size(name))
        )
    else:
        parts = [torch.empty_like(out._value)] * groups.size(name)
    call, me = ("broadcast", torch.stack(parts), index), groups.rank(name)
    return run_collective("scatter", [out], call, name, async_op, lambda got: [got[me]])


def gather_into_tensor(
    output_tensor: Tensor,
    input_tensor: Tensor,
    dst: int = 0,
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Put the tensors of all processes, along the first axis, into one process's tensor.

    Args:
        output_tensor (Tensor): written in the process `dst`.
        input_tensor (Tensor): this process's part.
        dst (int): its world rank. Default: ``0``.
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
        >>> out = ms.Tensor([0.0])
        >>> ms.ops.gather_into_tensor(out, ms.Tensor([3.0]))
        >>> print(out)
        [3.]
    """
    name = checked_group("gather_into_tensor", group, async_op)
    target = rank_argument("gather_into_tensor", "dst", dst)
    out = tensor_argument("gather_into_tensor", "output_tensor", output_tensor)
    value = tensor_argument("gather_into_tensor", "input_tensor", input_tensor)._value.detach()
    targets = [out] if groups.world_rank == target else []
    call = ("all_gather", value)
    return run_collective(
        "gather_into_tensor", targets, call, name, async_op, lambda got: [got][: len(targets)]
    )


def scatter_tensor(
    output_tensor: Tensor,
    input_tensor: Tensor,
    src: int = 0,
    group: str | None = None,
    async_op: bool = False,
) -> CommHandle | None:
    """Give each process its part, along the first axis, of one process's tensor.

    Args:
        output_tensor (Tensor): written.
        input_tensor (Tensor): the whole, of the same shape in every process.
        src (int): the world rank of the process whose tensor is used. Default: ``0``.
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
        >>> out = ms.Tensor([0.0])
        >>> ms.ops.scatter_tensor(out, ms.Tensor([3.0]))
        >>> print(out)
        [3.]
    """
    name = checked_group("scatter_tensor", group, async_op)
    index = get_group_rank(name, rank_argument("scatter_tensor", "src", src))
    out = tensor_argument("scatter_tensor", "output_tensor", output_tensor)
    value = tensor_argument("scatter_tensor", "input_tensor", input_tensor)._value.detach()
    size, me = groups.size(name), groups.rank(name)
    call = ("broadcast", value, index)
    return run_collective(
        "scatter_tensor", [out], call, name, async_op, lambda got: [got.chunk(size)[me]]
    )
