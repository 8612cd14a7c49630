"""MindSpore's Primitives among processes, over the collectives of `agar.ops`.

MindSpore's functions call them after their checks; programs that build on the Primitives get what
those give: the result and a handle. Ranks are those in the group.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agar import ops
from agar.ops import communication as _comm

__all__ = [
    "all_to_all_flat",
    "all_to_all_lists",
    "all_to_all_single",
    "batch_of_messages",
    "begun_receive",
    "checked",
    "complete",
    "world_rank",
    "written",
]

_KINDS = ("isend", "irecv")


def checked(op_name: str, group: str, rank_size: Any = None, rank_id: Any = None) -> str:
    """The group, whose size and whose rank of this process have to be those that are given.

    Raises:
        ValueError: they are others.
    """
    expected = {"rank_size": _comm.get_world_size(group), "rank_id": _comm.get_rank(group)}
    for name, value in (("rank_size", rank_size), ("rank_id", rank_id)):
        if value is not None and value != expected[name]:
            raise ValueError(
                f"For '{op_name}', the '{name}' must be that of the group '{group}', "
                f"{expected[name]}, but got {value!r}."
            )
    return group


def world_rank(group: str, rank: int) -> int:
    """The world rank of a member of a group."""
    return _comm.get_global_rank(group, rank)


def written(target: Any, handle: Any) -> tuple[Any, Any]:
    """What a collective writes into, and the handle to wait for."""
    return target, handle or _comm.CommHandle()


def complete(value: Any) -> tuple[Any, Any]:
    """A result that is there already, and a handle that does not wait."""
    return value, _comm.CommHandle()


def begun_receive(
    tag: int, src: int, shape: Sequence[int], group: str, dtype: Any
) -> tuple[Any, Any]:
    """InnerCommIrecv: a new tensor that a message fills."""
    target = ops.zeros(tuple(shape), dtype)
    return target, _comm.irecv(target, world_rank(group, src), group, tag)


def _counts(op_name: str, name: str, counts: Sequence[int], size: int, length: int) -> list[int]:
    if len(counts) != size or sum(counts) != length:
        raise ValueError(
            f"For '{op_name}', the '{name}' must have one number for each of the {size} processes, "
            f"which add up to {length}, but got {list(counts)}."
        )
    return list(counts)


def all_to_all_lists(
    op_name: str,
    targets: Sequence[Any],
    input: Any,
    group: str,
    send: Sequence[int],
    receive: Sequence[int],
    async_op: bool,
) -> tuple[Any, Any]:
    """DistCommAllToAllV: the parts of a flat tensor go out, and fill the tensors of a list.

    Raises:
        ValueError: the counts are not those of the tensors.
    """
    size = _comm.get_world_size(group)
    counts = _counts(op_name, "send_numel_list", send, size, input.size)
    sizes = [target.size for target in targets]
    if _counts(op_name, "recv_numel_list", receive, size, sum(sizes)) != sizes:
        raise ValueError(
            f"For '{op_name}', the 'recv_numel_list' must be the sizes of the tensors that are "
            f"written, {sizes}, but got {list(receive)}."
        )
    parts = list(ops.split(input.reshape(-1), counts))
    return written(targets, _comm.all_to_all(list(targets), parts, group, async_op))


def all_to_all_single(
    op_name: str,
    target: Any,
    input: Any,
    group: str,
    send: Sequence[int],
    receive: Sequence[int],
    even: bool,
    async_op: bool,
) -> tuple[Any, Any]:
    """DistCommAllToAllVSingle: the parts of a flat tensor go out, and fill one tensor."""
    size = _comm.get_world_size(group)
    if even:
        send, receive = ([x.size // size] * size for x in (input, target))
    counts = _counts(op_name, "send_numel_list", send, size, input.size)
    sizes = _counts(op_name, "recv_numel_list", receive, size, target.size)
    flat = target.reshape(-1)
    handle = _comm.all_to_all_single(flat, input.reshape(-1), sizes, counts, group, async_op)
    return written(target, handle)


def all_to_all_flat(
    op_name: str,
    input: Any,
    group: str,
    send: Sequence[int],
    receive: Sequence[int],
    even: bool,
) -> Any:
    """InnerCommAllToAllV: the parts of a flat tensor go out, and what comes is one flat tensor."""
    size = _comm.get_world_size(group)
    if even:
        send = receive = [input.size // size] * size
    counts = _counts(op_name, "send_numel_list", send, size, input.size)
    return ops.AlltoAllV(group)(input.reshape(-1), counts, list(receive))


def batch_of_messages(
    tensors: Sequence[Any], group: str, op_types: Sequence[int], ranks: Sequence[int]
) -> tuple[Any, Any]:
    """DistCommBatchIsendIrecv: messages of which each is sent (0) or received (1).

    Raises:
        ValueError: the lists are not of one length, or a kind is neither 0 nor 1.
    """
    if not len(tensors) == len(op_types) == len(ranks) or any(k not in (0, 1) for k in op_types):
        raise ValueError(
            "For 'DistCommBatchIsendIrecv', there must be a tensor, a rank and a kind, 0 for a "
            f"send or 1 for a receive, of each message, but got {len(tensors)} tensors, the kinds "
            f"{list(op_types)} and the ranks {list(ranks)}."
        )
    messages = [
        _comm.P2POp(_KINDS[kind], tensor, world_rank(group, rank), group)
        for tensor, kind, rank in zip(tensors, op_types, ranks, strict=True)
    ]
    return tensors, _comm.CommHandle(_comm.batch_isend_irecv(messages))
