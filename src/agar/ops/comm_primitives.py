"""Exchanges between processes as Primitive classes (``ops.AllReduce``).

Their results are new tensors, and gradients go the way back. One process has its result without
communication, and need not call `init`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from agar._core.absent import Absent, Family
from agar._core.context import torch_device
from agar._core.dtype import to_torch_dtype
from agar._core.groups import WORLD, groups
from agar._core.optable import Primitive
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap
from agar.ops._checks import choice, integer

__all__ = [
    "AllGather",
    "AllGatherV",
    "AllReduce",
    "AlltoAll",
    "AlltoAllV",
    "AlltoAllVC",
    "Barrier",
    "BatchISendIRecv",
    "Broadcast",
    "CollectiveGather",
    "CollectiveScatter",
    "MoveTo",
    "NeighborExchange",
    "NeighborExchangeV2",
    "Pull",
    "Push",
    "Receive",
    "Reduce",
    "ReduceScatter",
    "ReduceScatterV",
    "Reshard",
    "Send",
    "all_gather_matmul",
    "matmul_reduce_scatter",
    "move_to",
]

_OPS = ("sum", "max", "min", "prod", "avg")


class _Exchange(Primitive):
    """A Primitive among the processes of a group."""

    def __init__(self, group: str = WORLD, **attrs: Any) -> None:
        name = type(self).__name__
        super().__init__(name)
        group = WORLD if group is None else group
        if not isinstance(group, str):
            raise TypeError(
                f"For '{name}', the 'group' must be str, but got {type(group).__name__}."
            )
        op = attrs.get("op", "sum")
        if not isinstance(op, str):
            raise TypeError(f"For '{name}', the 'op' must be str, but got {type(op).__name__}.")
        choice(name, "op", op, _OPS)
        for key, value in {**attrs, "group": group}.items():
            setattr(self, key, value)
            self._attrs[key] = value

    def _value(self, name: str, x: Any) -> torch.Tensor:
        if not isinstance(x, Tensor):
            raise TypeError(
                f"For '{self.name}', the '{name}' must be a Tensor, but got {type(x).__name__}."
            )
        # one process needs no `init`: the Primitive of a program that runs alone does nothing
        if groups.world_size == 1:
            groups.init()
        return x._value

    @property
    def rank_size(self) -> int:
        """How many processes the group has."""
        return groups.size(self.group)

    @property
    def rank(self) -> int:
        """Which of them this is."""
        return groups.rank(self.group)


def _counts(who: str, name: str, value: Any) -> list[int]:
    numbers = value.tolist() if isinstance(value, Tensor) else list(value)
    return [integer(who, name, n, 0) for n in numbers]


def _other(primitive: _Exchange, rank: int) -> int:
    """The world rank of another process of the group.

    Raises:
        ValueError: it is this process, or there is none of that rank.
    """
    if groups.world_size == 1:
        groups.init()
    members = groups.members(primitive.group)
    if not 0 <= rank < len(members) or rank == primitive.rank:
        raise ValueError(
            f"For '{primitive.name}', the rank {rank} is this process itself or not in a group "
            f"of {len(members)}."
        )
    return members[rank]


def _no_gradient(owner: str, tracked: bool) -> None:
    """Raise where a gradient would have to go from one process to another with a message.

    Raises:
        NotImplementedError: it would.
    """
    if tracked and torch.is_grad_enabled():
        raise NotImplementedError(
            f"For '{owner}', gradients do not go back to the process that sends. Use a collective "
            "such as ops.AlltoAllV, which has a gradient, or call it outside the function that is "
            "differentiated."
        )


class AllReduce(_Exchange):
    """The sum, or another reduction, over all processes.

    Args:
        op (str): ``"sum"``, ``"max"``, ``"min"``, ``"prod"`` or ``"avg"``. Default: ``"sum"``.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape.

    Outputs:
        Tensor, of the same shape.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.all_reduce`` writes into its tensor.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.AllReduce()(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, op: str = "sum", group: str = WORLD) -> None:
        super().__init__(group, op=op)

    def __call__(self, input_x: Tensor) -> Tensor:
        return wrap(groups.all_reduce(self._value("input_x", input_x), self.op, self.group))


class AllGather(_Exchange):
    """The tensors of all processes along the first axis.

    Args:
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape with at least one axis.

    Outputs:
        Tensor, its first axis as many times as long as there are processes.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.all_gather_into_tensor`` writes into a tensor.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.AllGather()(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, group: str = WORLD) -> None:
        super().__init__(group)

    def __call__(self, input_x: Tensor) -> Tensor:
        return wrap(groups.all_gather(self._value("input_x", input_x), self.group))


class ReduceScatter(_Exchange):
    """This process's part, along the first axis, of the reduction over all.

    Args:
        op (str): ``"sum"``, ``"max"``, ``"min"``, ``"prod"`` or ``"avg"``. Default: ``"sum"``.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape with at least one axis.

    Outputs:
        Tensor, its first axis divided by the number of processes.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.reduce_scatter_tensor`` writes into a tensor.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.ReduceScatter()(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, op: str = "sum", group: str = WORLD) -> None:
        super().__init__(group, op=op)

    def __call__(self, input_x: Tensor) -> Tensor:
        value = self._value("input_x", input_x)
        return wrap(groups.reduce_scatter(value, self.op, self.group))


class Reduce(_Exchange):
    """The reduction over all processes, in one of them.

    Args:
        dest_rank (int): its rank.
        op (str): ``"sum"``, ``"max"``, ``"min"``, ``"prod"`` or ``"avg"``. Default: ``"sum"``.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape.

    Outputs:
        Tensor: the reduction in the process `dest_rank`, one zero in the others.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.reduce`` writes into its tensor.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Reduce(0)(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, dest_rank: int, op: str = "sum", group: str = WORLD) -> None:
        super().__init__(group, dest_rank=integer("Reduce", "dest_rank", dest_rank, 0), op=op)

    def __call__(self, input_x: Tensor) -> Tensor:
        value = self._value("input_x", input_x)
        return wrap(groups.reduce(value, self.op, self.dest_rank, self.group))


class Broadcast(_Exchange):
    """The tensor, or tensors, of one process in all.

    Args:
        root_rank (int): its rank.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Union[Tensor, tuple[Tensor]]) - any shapes.

    Outputs:
        Tensor, or tuple of Tensors, of the same shapes.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.broadcast`` writes into its tensor.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Broadcast(0)(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, root_rank: int, group: str = WORLD) -> None:
        super().__init__(group, root_rank=integer("Broadcast", "root_rank", root_rank, 0))

    def __call__(self, input_x: Any) -> Any:
        if isinstance(input_x, (tuple, list)):
            return tuple(self(x) for x in input_x)
        return wrap(groups.broadcast(self._value("input_x", input_x), self.root_rank, self.group))


class AlltoAll(_Exchange):
    """Split along one axis, send each part to a process, join what comes along another.

    Args:
        split_count (int): the number of parts, that of the processes.
        split_dim (int): the axis that is split.
        concat_dim (int): the axis along which parts are joined.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape with at least one axis.

    Outputs:
        Tensor.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.all_to_all`` works on lists.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.AlltoAll(1, 0, 0)(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(
        self, split_count: int, split_dim: int, concat_dim: int, group: str = WORLD
    ) -> None:
        super().__init__(
            group,
            split_count=integer("AlltoAll", "split_count", split_count, 1),
            split_dim=integer("AlltoAll", "split_dim", split_dim),
            concat_dim=integer("AlltoAll", "concat_dim", concat_dim),
        )

    def __call__(self, input_x: Tensor) -> Tensor:
        value, size = self._value("input_x", input_x), self.rank_size
        if self.split_count != size or value.shape[self.split_dim] % size:
            raise ValueError(
                f"For 'AlltoAll', 'split_count' {self.split_count} must be the number of processes "
                f"{size} and divide the axis 'split_dim' of shape {tuple(value.shape)}."
            )
        parts = torch.stack(value.chunk(size, self.split_dim))
        got = groups.all_to_all(parts, [1] * size, [1] * size, self.group)
        return wrap(torch.cat(got.unbind(0), self.concat_dim))


class AlltoAllV(_Exchange):
    """Send counted elements to each process and receive counted elements from each.

    Args:
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.
        block_size (int): how many elements one count stands for. Default: ``1``.

    Inputs:
        - **input_x** (Tensor) - one axis.
        - **send_numel_list** (Union[tuple[int], Tensor]) - a count for each process.
        - **recv_numel_list** (Union[tuple[int], Tensor]) - a count from each process.

    Outputs:
        Tensor of one axis.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.all_to_all_single`` writes into a tensor.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.AlltoAllV()(ms.Tensor([1.0, 2.0]), [2], [2]))
        [1. 2.]
    """

    def __init__(self, group: str = WORLD, block_size: int = 1) -> None:
        super().__init__(group, block_size=integer("AlltoAllV", "block_size", block_size, 1))

    def __call__(self, input_x: Tensor, send_numel_list: Any, recv_numel_list: Any) -> Tensor:
        value = self._value("input_x", input_x).reshape(-1)
        send = [
            n * self.block_size for n in _counts("AlltoAllV", "send_numel_list", send_numel_list)
        ]
        got = [
            n * self.block_size for n in _counts("AlltoAllV", "recv_numel_list", recv_numel_list)
        ]
        return wrap(groups.all_to_all(value, send, got, self.group))


class AlltoAllVC(_Exchange):
    """As AlltoAllV, with the counts of all processes in one matrix.

    Args:
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.
        block_size (int): how many elements one count stands for. Default: ``1``.
        transpose (bool): whether the matrix is transposed: the way back. Default: ``False``.

    Inputs:
        - **input_x** (Tensor) - one axis.
        - **send_count_matrix** (Union[list[int], Tensor]) - row i is what process i sends to each.

    Outputs:
        Tensor of one axis.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.all_to_all_single`` writes into a tensor.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.AlltoAllVC()(ms.Tensor([1.0, 2.0]), [2]))
        [1. 2.]
    """

    def __init__(self, group: str = WORLD, block_size: int = 1, transpose: bool = False) -> None:
        super().__init__(
            group,
            block_size=integer("AlltoAllVC", "block_size", block_size, 1),
            transpose=bool(transpose),
        )

    def __call__(self, input_x: Tensor, send_count_matrix: Any) -> Tensor:
        value, size, me = self._value("input_x", input_x).reshape(-1), self.rank_size, self.rank
        flat = _counts("AlltoAllVC", "send_count_matrix", send_count_matrix)
        rows = [[n * self.block_size for n in flat[i * size : (i + 1) * size]] for i in range(size)]
        if self.transpose:
            rows = [list(column) for column in zip(*rows, strict=True)]
        return wrap(groups.all_to_all(value, rows[me], [row[me] for row in rows], self.group))


class AllGatherV(_Exchange):
    """The elements of all processes, of different counts, in one tensor.

    Args:
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - one axis.
        - **output_split_sizes** (Union[tuple[int], Tensor]) - the count of each process.

    Outputs:
        Tensor of one axis.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.all_gather`` works on lists.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.AllGatherV()(ms.Tensor([1.0, 2.0]), [2]))
        [1. 2.]
    """

    def __init__(self, group: str = WORLD) -> None:
        super().__init__(group)

    def __call__(self, input_x: Tensor, output_split_sizes: Any) -> Tensor:
        value, size = self._value("input_x", input_x).reshape(-1), self.rank_size
        counts = _counts("AllGatherV", "output_split_sizes", output_split_sizes)
        own = torch.cat([value] * size)
        return wrap(groups.all_to_all(own, [value.shape[0]] * size, counts, self.group))


class ReduceScatterV(_Exchange):
    """This process's elements, of a count of its own, of the reduction over all.

    Args:
        op (str): ``"sum"``, ``"max"``, ``"min"``, ``"prod"`` or ``"avg"``. Default: ``"sum"``.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - one axis.
        - **input_split_sizes** (Union[tuple[int], Tensor]) - the count of each process.

    Outputs:
        Tensor of one axis.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.reduce_scatter`` works on lists.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.ReduceScatterV()(ms.Tensor([1.0, 2.0]), [2]))
        [1. 2.]
    """

    def __init__(self, op: str = "sum", group: str = WORLD) -> None:
        super().__init__(group, op=op)

    def __call__(self, input_x: Tensor, input_split_sizes: Any) -> Tensor:
        value = self._value("input_x", input_x).reshape(-1)
        counts = _counts("ReduceScatterV", "input_split_sizes", input_split_sizes)
        return wrap(groups.all_reduce(value, self.op, self.group).split(counts)[self.rank])


class CollectiveGather(_Exchange):
    """The tensors of all processes along the first axis, in one of them.

    Args:
        dest_rank (int): its rank.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape with at least one axis.

    Outputs:
        Tensor: the whole in the process `dest_rank`, one zero in the others.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.gather`` works on lists.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.CollectiveGather(0)(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, dest_rank: int, group: str = WORLD) -> None:
        super().__init__(group, dest_rank=integer("CollectiveGather", "dest_rank", dest_rank, 0))

    def __call__(self, input_x: Tensor) -> Tensor:
        value = self._value("input_x", input_x)
        return wrap(groups.gather(value, self.dest_rank, self.group))


class CollectiveScatter(_Exchange):
    """This process's part, along the first axis, of one process's tensor.

    Args:
        src_rank (int): its rank. Default: ``0``.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape with at least one axis.

    Outputs:
        Tensor, its first axis divided by the number of processes.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.scatter`` works on lists.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.CollectiveScatter()(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, src_rank: int = 0, group: str = WORLD) -> None:
        super().__init__(group, src_rank=integer("CollectiveScatter", "src_rank", src_rank, 0))

    def __call__(self, input_x: Tensor) -> Tensor:
        value = self._value("input_x", input_x)
        return wrap(groups.scatter(value, self.src_rank, self.group))


class Barrier(_Exchange):
    """Wait until all processes are here.

    Args:
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Outputs:
        Tensor, one zero.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.barrier``.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Barrier()())
        [0.]
    """

    def __init__(self, group: str = WORLD) -> None:
        super().__init__(group)

    def __call__(self) -> Tensor:
        if groups.world_size == 1:
            groups.init()
        groups.barrier(self.group)
        return Tensor(torch.zeros(1))


class Send(_Exchange):
    """Send a tensor to one process, where a Receive of the same tag waits.

    Args:
        sr_tag (int): tells messages apart.
        dest_rank (int): the other's rank in the group.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.
        group_back (str): the group of the gradient, accepted. Default: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape.

    Outputs:
        Tensor, the input.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.send``; no gradient comes back.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.Send(0, 0)(ms.Tensor([1.0]))
        Traceback (most recent call last):
        ...
        ValueError: For 'Send', the rank 0 is this process itself or not in a group of 1.
    """

    def __init__(
        self, sr_tag: int, dest_rank: int, group: str = WORLD, group_back: str = WORLD
    ) -> None:
        super().__init__(group, sr_tag=sr_tag, dest_rank=dest_rank)

    def __call__(self, input_x: Tensor) -> Tensor:
        value = self._value("input_x", input_x)
        peer = _other(self, self.dest_rank)
        _no_gradient("Send", value.requires_grad)
        message = groups.send(value, peer, self.group, self.sr_tag)
        if message is not None:
            message.wait()
        return input_x


class Receive(_Exchange):
    """Receive a tensor from one process.

    Args:
        sr_tag (int): tells messages apart.
        src_rank (int): the other's rank in the group.
        shape (list[int]): the tensor's shape.
        dtype (Type): its type.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.
        group_back (str): the group of the gradient, accepted. Default: all processes.

    Outputs:
        Tensor.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.recv`` writes into its tensor.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.Receive(0, 0, (1,), ms.float32)()
        Traceback (most recent call last):
        ...
        ValueError: For 'Receive', the rank 0 is this process itself or not in a group of 1.
    """

    def __init__(
        self,
        sr_tag: int,
        src_rank: int,
        shape: Sequence[int],
        dtype: Any,
        group: str = WORLD,
        group_back: str = WORLD,
    ) -> None:
        super().__init__(group, sr_tag=sr_tag, src_rank=src_rank, shape=tuple(shape), dtype=dtype)

    def __call__(self, *unused: Any) -> Tensor:
        peer = _other(self, self.src_rank)
        _no_gradient("Receive", bool(thread.grad_scopes))
        value = torch.empty(
            self.shape, dtype=to_torch_dtype(self.dtype, who="Receive"), device=torch_device()
        )
        message = groups.receive(value, peer, self.group, self.sr_tag)
        if message is not None:
            message.wait()
        return wrap(value)


class BatchISendIRecv(_Exchange):
    """Several sends and receives at once.

    Args:
        op_types (list[str]): ``"isend"`` or ``"irecv"`` for each message.
        remote_ranks (list[int]): the other process of each message.
        receive_shapes (list): the shapes of what is received. Default: ``None``.
        receive_dtypes (list): the types of what is received. Default: ``None``.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (tuple[Tensor]) - what is sent, in order.

    Outputs:
        tuple[Tensor]: for each message what was received, or one zero.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.batch_isend_irecv`` takes objects.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.BatchISendIRecv(["isend"], [0, 1])
        Traceback (most recent call last):
        ...
        ValueError: For 'BatchISendIRecv', op_types and remote_ranks differ in length: 1 and 2.
    """

    def __init__(
        self,
        op_types: Sequence[str],
        remote_ranks: Sequence[int],
        receive_shapes: Sequence[Sequence[int]] | None = None,
        receive_dtypes: Sequence[Any] | None = None,
        group: str = WORLD,
    ) -> None:
        if len(op_types) != len(remote_ranks):
            raise ValueError(
                "For 'BatchISendIRecv', op_types and remote_ranks differ in length: "
                f"{len(op_types)} and {len(remote_ranks)}."
            )
        super().__init__(
            group,
            op_types=op_types,
            remote_ranks=remote_ranks,
            receive_shapes=receive_shapes or (),
            receive_dtypes=receive_dtypes or (),
        )

    def __call__(self, input_x: Sequence[Tensor]) -> tuple[Tensor, ...]:
        values = [self._value("input_x", x) for x in input_x]
        tracked = "irecv" in self.op_types and bool(thread.grad_scopes)
        _no_gradient("BatchISendIRecv", tracked or any(v.requires_grad for v in values))
        sent = iter([v.detach().contiguous() for v in values])
        wanted = iter(zip(self.receive_shapes, self.receive_dtypes, strict=True))
        handles, results = [], []
        for kind, peer in zip(self.op_types, self.remote_ranks, strict=True):
            if kind == "isend":
                value = next(sent)
                results.append(value.new_zeros(()))
                handles.append(groups.send(value, _other(self, peer), self.group))
            else:
                shape, dtype = next(wanted)
                value = torch.empty(
                    tuple(shape),
                    dtype=to_torch_dtype(dtype, who="BatchISendIRecv"),
                    device=torch_device(),
                )
                results.append(value)
                handles.append(groups.receive(value, _other(self, peer), self.group))
        for handle in handles:
            if handle is not None:
                handle.wait()
        return wrap(tuple(results))


class NeighborExchange(_Exchange):
    """Exchange with the neighbours of a grid of processes; a call raises an error.

    Args:
        send_rank_ids (list[int]): whom to send to.
        recv_rank_ids (list[int]): whom to receive from.
        recv_shapes (list): shapes of what comes.
        send_shapes (list): shapes of what goes.
        recv_type (Type): the type of what comes.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Any) - what is sent.

    Outputs:
        none.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.
        NotImplementedError: it is called.

    Difference from PyTorch: no counterpart.

    Source: behaviour described for MindSpore 2.10.
    """

    def __init__(
        self,
        send_rank_ids: Any,
        recv_rank_ids: Any,
        recv_shapes: Any,
        send_shapes: Any,
        recv_type: Any,
        group: str = WORLD,
    ) -> None:
        super().__init__(
            group,
            send_rank_ids=send_rank_ids,
            recv_rank_ids=recv_rank_ids,
            recv_shapes=recv_shapes,
            send_shapes=send_shapes,
            recv_type=recv_type,
        )

    def __call__(self, input_x: Any) -> Any:
        raise NotImplementedError(
            "'ops.NeighborExchange' is not available in agar: it works in graphs over several "
            "Ascend chips alone. Use mint.distributed.batch_isend_irecv with the neighbours' ranks."
        )


class NeighborExchangeV2(_Exchange):
    """Exchange with the neighbours of a grid of processes; a call raises an error.

    Args:
        send_rank_ids (list[int]): the eight neighbours to send to, -1 for none.
        send_lens (list[int]): how many rows and columns go.
        recv_rank_ids (list[int]): the eight neighbours to receive from.
        recv_lens (list[int]): how many rows and columns come.
        data_format (str): ``"NCHW"``.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Any) - what is sent.

    Outputs:
        none.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.
        NotImplementedError: it is called.

    Difference from PyTorch: no counterpart.

    Source: behaviour described for MindSpore 2.10.
    """

    def __init__(
        self,
        send_rank_ids: Any,
        send_lens: Any,
        recv_rank_ids: Any,
        recv_lens: Any,
        data_format: Any,
        group: str = WORLD,
    ) -> None:
        super().__init__(
            group,
            send_rank_ids=send_rank_ids,
            send_lens=send_lens,
            recv_rank_ids=recv_rank_ids,
            recv_lens=recv_lens,
            data_format=data_format,
        )

    def __call__(self, input_x: Any) -> Any:
        raise NotImplementedError(
            "'ops.NeighborExchangeV2' is not available in agar: it works in graphs over several "
            "Ascend chips alone. Use mint.distributed.batch_isend_irecv with the neighbours' ranks."
        )


def move_to(input: Tensor, to: str = "CPU", blocking: bool = True) -> Tensor:
    """The tensor on the CPU, or on the program's device.

    Args:
        input (Tensor): any shape and type.
        to (str): ``"CPU"``; or ``"GPU"``, ``"Ascend"`` or ``"npu"``, which all mean the current
            device, see :func:`agar.set_device`. Default: ``"CPU"``.
        blocking (bool): whether to wait for the copy. Default: ``True``.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: `to` is another.

    Difference from PyTorch: ``Tensor.to(device)``; the accelerator is the current device.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.move_to(ms.Tensor([1.0]), "CPU"))
        [1.]
    """
    if not isinstance(input, Tensor):
        raise TypeError(
            f"For 'move_to', the 'input' must be a Tensor, but got {type(input).__name__}."
        )
    choice("move_to", "to", to, ("CPU", "GPU", "Ascend", "npu"))
    device = torch.device("cpu") if to == "CPU" else torch_device()
    return wrap(input._value.to(device, non_blocking=not blocking))


class MoveTo(Primitive):
    """The tensor on the CPU, or on the program's device, see :func:`move_to`.

    Inputs:
        - **input** (Tensor) - any shape and type.
        - **to** (str) - where to. Default: ``"CPU"``.
        - **blocking** (bool) - whether to wait for the copy. Default: ``True``.

    Outputs:
        Tensor.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: `to` is unknown.

    Difference from PyTorch: ``Tensor.to(device)``; the accelerator is the current device.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.MoveTo()(ms.Tensor([1.0]), "CPU"))
        [1.]
    """

    def __init__(self) -> None:
        super().__init__("MoveTo")

    def __call__(self, input: Tensor, to: str = "CPU", blocking: bool = True) -> Tensor:
        return move_to(input, to, blocking)


_SERVERS = Family(
    "MindSpore's parameter servers do not exist here",
    "Combine gradients with ops.AllReduce or nn.DistributedGradReducer",
)


class Push(Absent):
    """Send gradients to a parameter server; making one raises an error.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: no counterpart.

    Source: the name of MindSpore 2.10.
    """

    _absent = ("ops.Push", _SERVERS)


class Pull(Absent):
    """Fetch weights from a parameter server; making one raises an error.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: no counterpart.

    Source: the name of MindSpore 2.10.
    """

    _absent = ("ops.Pull", _SERVERS)


class Reshard(Absent):
    """Place a tensor over several devices in another way; making one raises an error.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: ``torch.distributed.tensor.DTensor.redistribute``.

    Source: the name of MindSpore 2.10.
    """

    _absent = (
        "ops.Reshard",
        Family(
            "a model is not split over devices yet",
            "Use torch.distributed.tensor, or one device, where nothing has to be placed",
        ),
    )


def _sides(
    who: str, input: Any, x2: Any, trans_input: bool, trans_x2: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """The two matrices, turned as asked for."""
    for name, value in (("input", input), ("x2", x2)):
        if not isinstance(value, Tensor) or value._value.dim() != 2:
            raise TypeError(
                f"For '{who}', the '{name}' must be a Tensor of two axes, got {value!r}."
            )
    if groups.world_size == 1:
        groups.init()
    left, right = input._value, x2._value
    return (left.t() if trans_input else left), (right.t() if trans_x2 else right)


def _check_size(who: str, group: str, world_size: int) -> None:
    if world_size != groups.size(group):
        raise ValueError(
            f"For '{who}', the 'world_size' must be that of the group, {groups.size(group)}, but "
            f"got {world_size!r}."
        )


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
        TypeError: `input` or `x2` is no Tensor of two axes.
        ValueError: `gather_index` is not 0, or `world_size` not the group's.

    Difference from PyTorch: no counterpart.

    Source: behaviour described for MindSpore 2.10, where it is one kernel on Ascend.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([[1.0, 2.0]])
        >>> y = ms.Tensor([[1.0], [1.0]])
        >>> print(ms.ops.all_gather_matmul(x, y, "hccl_world_group", 1)[0])
        [[3.]]
    """
    who = "all_gather_matmul"
    left, right = _sides(who, input, x2, trans_input, trans_x2)
    if gather_index != 0:
        raise ValueError(f"For '{who}', the 'gather_index' must be 0, but got {gather_index!r}.")
    _check_size(who, group, world_size)
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
        TypeError: `input` or `x2` is no Tensor of two axes.
        ValueError: `reduce_op` is another, or `world_size` not the group's.

    Difference from PyTorch: no counterpart.

    Source: behaviour described for MindSpore 2.10, where it is one kernel on Ascend.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([[1.0, 2.0]])
        >>> y = ms.Tensor([[1.0], [1.0]])
        >>> print(ms.ops.matmul_reduce_scatter(x, y, "hccl_world_group", 1))
        [[3.]]
    """
    who = "matmul_reduce_scatter"
    left, right = _sides(who, input, x2, trans_input, trans_x2)
    choice(who, "reduce_op", reduce_op, ("sum",))
    _check_size(who, group, world_size)
    product = left @ right
    if bias is not None:
        product = product + bias._value
    return wrap(groups.reduce_scatter(product, reduce_op, group))


# programs that print a class see where MindSpore has it
for _name in __all__:
    globals()[_name].__module__ = "agar.ops.operations.comm_ops"
