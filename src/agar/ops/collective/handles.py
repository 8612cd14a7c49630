"""What collectives share: reductions by name, handles of running ones, groups, places, payloads."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any

import torch

from agar._core.distributed.process_groups import WORLD, groups
from agar._core.multi_device import world
from agar._core.tensor import Tensor
from agar.ops._checks import ints

__all__: list[str] = ["CommHandle", "ReduceOp"]

_OPS = ("sum", "prod", "min", "max", "avg")


class ReduceOp:
    """Names of the reductions over processes.

    Difference from PyTorch: ``torch.distributed.ReduceOp`` holds objects, these are str.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.ReduceOp.SUM
        'sum'
    """

    SUM = "sum"
    MAX = "max"
    MIN = "min"
    PROD = "prod"
    AVG = "avg"


class CommHandle:
    """A communication that may not be complete: call :meth:`wait` before its tensors are used.

    Communications run beside the program, in the order in which they were started; their results
    are in the tensors after :meth:`wait`.

    Args:
        handle (Union[torch.distributed.Work, list[torch.distributed.Work]], optional): what torch
            returned for the communication; functions with ``async_op=True`` pass it.
            Default: ``None``, nothing to wait for.
        exec_sync (bool, optional): accepted, without effect. Default: ``False``.

    Difference from PyTorch: ``torch.distributed.Work``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.mint.distributed.init_process_group()
        >>> handle = ms.ops.all_reduce(ms.Tensor([1.0]), async_op=True)
        >>> handle.wait()
    """

    def __init__(self, handle: Any = None, exec_sync: bool = False) -> None:
        self._works = handle if isinstance(handle, list) else [handle]

    def wait(self) -> None:
        """Wait until the communication is complete."""
        for work in self._works:
            if work is not None:
                work.wait()

    def __repr__(self) -> str:
        return f"<CommHandle of {len(self._works)}>"


def tensor_argument(op_name: str, name: str, value: Any) -> Tensor:
    if not isinstance(value, Tensor):
        raise TypeError(
            f"For '{op_name}', the '{name}' must be a Tensor, but got {type(value).__name__}."
        )
    if world.size > 1 and value._value.requires_grad and torch.is_grad_enabled():
        raise NotImplementedError(
            f"For '{op_name}', the '{name}' belongs to a function that is differentiated, and a "
            "collective that writes into its tensors has no gradient. Use a Primitive, such as "
            "ops.AllReduce, ops.AllGather or ops.AlltoAllV, which has one, or give it "
            "ops.stop_gradient of the tensor."
        )
    return value


def list_argument(op_name: str, name: str, values: Any, of: str = "") -> Any:
    """A list or tuple, whose elements are not looked at."""
    if not isinstance(values, (list, tuple)):
        raise TypeError(
            f"For '{op_name}', the '{name}' must be a list{of}, but got {type(values).__name__}."
        )
    return values


def checked_tensors(op_name: str, name: str, values: Any, count: int | None = None) -> list[Tensor]:
    list_argument(op_name, name, values, " of Tensors")
    if count is not None and len(values) != count:
        raise TypeError(
            f"For '{op_name}', the '{name}' must have one Tensor for each of the {count} "
            f"processes, but got {len(values)}."
        )
    return [tensor_argument(op_name, f"{name}[{i}]", v) for i, v in enumerate(values)]


def group_argument(op_name: str, group: Any) -> str:
    if group is None:
        return WORLD
    if not isinstance(group, str):
        raise TypeError(
            f"For '{op_name}', the argument 'group' must be type of string, but got 'group' type : "
            f"{type(group)}."
        )
    return group


def rank_argument(op_name: str, name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(
            f"For '{op_name}', the '{name}' must be int, but got {type(value).__name__}."
        )
    return value


def checked_group(op_name: str, group: Any, async_op: Any = False, op: Any = "sum") -> str:
    """The group, after the checks that all exchanges share."""
    if not isinstance(op, str):
        raise TypeError(f"For '{op_name}', the 'op' must be str, but got {type(op).__name__}.")
    if op not in _OPS:
        raise TypeError(f"For '{op_name}', the 'op' must be one of {list(_OPS)}, but got {op!r}.")
    if not isinstance(async_op, bool):
        raise TypeError(
            f"For '{op_name}', the 'async_op' must be a bool, but got {type(async_op)}."
        )
    name = group_argument(op_name, group)
    groups.require()
    groups.members(name)
    return name


def write_result(op_name: str, target: Tensor, value: torch.Tensor) -> None:
    """Write a result into the caller's tensor."""
    target_value = target._value
    if tuple(target_value.shape) != tuple(value.shape):
        raise ValueError(
            f"For '{op_name}', the output has shape {tuple(target_value.shape)}, but the result "
            f"has {tuple(value.shape)}."
        )
    with torch.no_grad():
        target_value.detach().copy_(value)


def run_collective(
    op_name: str,
    targets: Sequence[Tensor],
    call: tuple[Any, ...],
    group: str,
    async_op: bool,
    parts: Callable[[torch.Tensor], Sequence[torch.Tensor]] | None = None,
) -> CommHandle | None:
    """Run a collective that writes into tensors, or begin it and give its handle.

    Args:
        op_name: what the user called.
        targets: what is written.
        call: the collective of `groups` by name, its tensor, and its other arguments.
        group: the group's name.
        async_op: whether it is only begun; then the results are written when it is waited for.
        parts: makes of the result one tensor for each target. Default: None, the result is the
            one tensor.
    """

    def write(result: torch.Tensor) -> None:
        values = [result] if parts is None else parts(result)
        for target, value in zip(targets, values, strict=True):
            write_result(op_name, target, value)

    name, value, *options = call
    if not async_op:
        write(getattr(groups, name)(value, *options, group))
        return None
    later = groups.begin(name, value, tuple(options), group)
    return CommHandle(_Begun(later, op_name, write))


class _Begun:
    """A collective that was begun, and what is to be done with its result."""

    def __init__(
        self, later: Any, op_name: str, write: Callable[[torch.Tensor], None] | None
    ) -> None:
        self._later, self._op_name, self._write = later, op_name, write

    def wait(self) -> None:
        """Wait for the result, and write it into the tensors."""
        later, self._later = self._later, None
        if later is None:
            return
        result = groups.end(later, self._op_name, "nothing" if self._write is None else "tensor")
        if self._write is not None:
            self._write(result)


def begin_barrier(group: str) -> CommHandle:
    """The handle of a barrier that this process has reached."""
    return CommHandle(_Begun(groups.begin("barrier", None, (), group), "barrier", None))


def torch_values(tensors: Sequence[Tensor]) -> list[torch.Tensor]:
    return [t._value.detach() for t in tensors]


def group_members(op_name: str, group: Any) -> list[int]:
    name = group_argument(op_name, group)
    groups.require()
    return groups.members(name)


def row_counts(op_name: str, name: str, counts: Any, length: int, size: int) -> list[int]:
    """How many rows belong to each process, which must make up the whole."""
    if not counts:
        if length % size:
            raise ValueError(
                f"For '{op_name}', the first axis has {length} entries, which {size} processes "
                f"cannot share equally; give '{name}'."
            )
        return [length // size] * size
    if len(ints(op_name, name, counts)) != size or sum(counts) != length:
        raise ValueError(
            f"For '{op_name}', the '{name}' must be {size} numbers of sum {length}, but got "
            f"{counts!r}."
        )
    return list(counts)


def point_to_point(
    op_name: str, tensor: Any, name: str, peer: Any, group: Any, tag: int
) -> CommHandle:
    """A message between this process and one other."""
    value = tensor_argument(op_name, "tensor", tensor)._value.detach()
    other = rank_argument(op_name, name, peer)
    result = checked_group(op_name, group)
    if other == groups.world_rank:
        raise ValueError(f"For '{op_name}', the '{name}' {other} is this process itself.")
    if other not in groups.members(result):
        raise ValueError(f"For '{op_name}', the process {other} is not in the group '{result}'.")
    begin = groups.send if op_name.endswith("send") else groups.receive
    return CommHandle(begin(value, other, result, tag))


def pickle_tensor(obj: Any) -> torch.Tensor:
    return torch.frombuffer(bytearray(pickle.dumps(obj)), dtype=torch.uint8)


def gathered_objects(obj: Any, group: str) -> list[Any]:
    """The Python objects of all processes of a group."""
    if groups.size(group) == 1:
        return [obj]
    data = pickle_tensor(obj)
    sizes = groups.all_gather(torch.tensor([data.numel()]), group).tolist()
    padded = torch.zeros(max(sizes), dtype=torch.uint8)
    padded[: data.numel()] = data
    parts = groups.all_gather(padded[None], group)
    return [pickle.loads(p[:n].numpy().tobytes()) for p, n in zip(parts, sizes, strict=True)]
