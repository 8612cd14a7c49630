"""Collectives as Primitive classes (``ops.AllReduce``).

Their results are new tensors, and gradients go the way back. One process has its result without
communication, and need not call `init`.
"""

from __future__ import annotations

from typing import Any

import torch

from agar._core.distributed.process_groups import WORLD, groups
from agar._core.optable import Primitive
from agar._core.tensor import Tensor, wrap
from agar.ops._checks import choice, integer

__all__: list[str] = [
    "AllGather",
    "AllGatherV",
    "AllReduce",
    "AlltoAll",
    "AlltoAllV",
    "AlltoAllVC",
    "Broadcast",
    "CollectiveGather",
    "CollectiveScatter",
    "Reduce",
    "ReduceScatter",
    "ReduceScatterV",
]

_OPS = ("sum", "max", "min", "prod", "avg")


class Collective(Primitive):
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


def _counts(op_name: str, name: str, value: Any) -> list[int]:
    numbers = value.tolist() if isinstance(value, Tensor) else list(value)
    return [integer(op_name, name, n, 0) for n in numbers]


def other_rank(primitive: Collective, rank: int) -> int:
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


def no_gradient(owner: str, tracked: bool) -> None:
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


class AllReduce(Collective):
    """The sum, or another reduction, over all processes.

    Args:
        op (str): ``"sum"``, ``"max"``, ``"min"``, ``"prod"`` or ``"avg"``. Default: ``"sum"``.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape.

    Outputs:
        Tensor, of the same shape.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.all_reduce`` writes into its tensor.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.AllReduce()(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, op: str = "sum", group: str = WORLD) -> None:
        super().__init__(group, op=op)

    def __call__(self, input_x: Tensor) -> Tensor:
        return wrap(groups.all_reduce(self._value("input_x", input_x), self.op, self.group))


class AllGather(Collective):
    """The tensors of all processes along the first axis.

    Args:
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape with at least one axis.

    Outputs:
        Tensor, its first axis as many times as long as there are processes.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.all_gather_into_tensor`` writes into a tensor.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.AllGather()(ms.Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, group: str = WORLD) -> None:
        super().__init__(group)

    def __call__(self, input_x: Tensor) -> Tensor:
        return wrap(groups.all_gather(self._value("input_x", input_x), self.group))


class ReduceScatter(Collective):
    """This process's part, along the first axis, of the reduction over all.

    Args:
        op (str): ``"sum"``, ``"max"``, ``"min"``, ``"prod"`` or ``"avg"``. Default: ``"sum"``.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape with at least one axis.

    Outputs:
        Tensor, its first axis divided by the number of processes.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.reduce_scatter_tensor`` writes into a tensor.

    Source: behavior described for MindSpore 2.10.

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


class Reduce(Collective):
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
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.reduce`` writes into its tensor.

    Source: behavior described for MindSpore 2.10.

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


class Broadcast(Collective):
    """The tensor, or tensors, of one process in all.

    Args:
        root_rank (int): its rank.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Union[Tensor, tuple[Tensor]]) - any shapes.

    Outputs:
        Tensor, or tuple of Tensors, of the same shapes.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.broadcast`` writes into its tensor.

    Source: behavior described for MindSpore 2.10.

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


class AlltoAll(Collective):
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
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.all_to_all`` works on lists.

    Source: behavior described for MindSpore 2.10.

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


class AlltoAllV(Collective):
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
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.all_to_all_single`` writes into a tensor.

    Source: behavior described for MindSpore 2.10.

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


class AlltoAllVC(Collective):
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
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.all_to_all_single`` writes into a tensor.

    Source: behavior described for MindSpore 2.10.

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


class AllGatherV(Collective):
    """The elements of all processes, of different counts, in one tensor.

    Args:
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - one axis.
        - **output_split_sizes** (Union[tuple[int], Tensor]) - the count of each process.

    Outputs:
        Tensor of one axis.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.all_gather`` works on lists.

    Source: behavior described for MindSpore 2.10.

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


class ReduceScatterV(Collective):
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
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.reduce_scatter`` works on lists.

    Source: behavior described for MindSpore 2.10.

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


class CollectiveGather(Collective):
    """The tensors of all processes along the first axis, in one of them.

    Args:
        dest_rank (int): its rank.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape with at least one axis.

    Outputs:
        Tensor: the whole in the process `dest_rank`, one zero in the others.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.gather`` works on lists.

    Source: behavior described for MindSpore 2.10.

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


class CollectiveScatter(Collective):
    """This process's part, along the first axis, of one process's tensor.

    Args:
        src_rank (int): its rank. Default: ``0``.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - any shape with at least one axis.

    Outputs:
        Tensor, its first axis divided by the number of processes.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.scatter`` works on lists.

    Source: behavior described for MindSpore 2.10.

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


# programs that print a class see where MindSpore has it
for _name in __all__:
    globals()[_name].__module__ = "agar.ops.operations.comm_ops"
