"""Groups of processes: setup, ranks, barriers.

Without a launcher there is one process.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any

import torch

from agar._core.distributed.process_groups import WORLD, groups
from agar._core.distributed.process_membership import WORLDS
from agar._core.multi_device import world
from agar.ops._checks import choice
from agar.ops.collective.handles import (
    CommHandle,
    begin_barrier,
    checked_group,
    group_argument,
    group_members,
    rank_argument,
)
from agar.ops.collective.store import TCPStore

__all__: list[str] = [
    "barrier",
    "destroy_process_group",
    "get_backend",
    "get_global_rank",
    "get_group_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "is_available",
    "is_initialized",
    "new_group",
    "set_comm_ops_inplace",
]


def is_available() -> bool:
    """Whether processes can work together here.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.is_available()
        True
    """
    return torch.distributed.is_available()


def is_initialized() -> bool:
    """Whether :func:`init_process_group` was called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> isinstance(ms.ops.is_initialized(), bool)
        True
    """
    return groups.inited


def init_process_group(
    backend: str = "hccl",
    init_method: str | None = None,
    timeout: timedelta | None = None,
    world_size: int = -1,
    rank: int = -1,
    store: TCPStore | None = None,
    group_name: str = "",
    pg_options: Any = None,
    device_id: int | None = None,
) -> None:
    """Join the other processes that a launcher such as ``torchrun`` started, if any.

    Args:
        backend (str): ``"hccl"``, MindSpore's default, and ``"mccl"`` stand for the engine of the
            device: nccl on a GPU, gloo on the CPU. Default: ``"hccl"``.
        init_method (str): where to meet, such as ``"tcp://127.0.0.1:1234"``. Default: ``None``.
        timeout (timedelta): how long to wait. Default: ``None``: 30 minutes.
        world_size (int): the number of processes. Default: ``-1``: as the launcher says.
        rank (int): which one this is. Default: ``-1``: as the launcher says.
        store (TCPStore): where to meet. Default: ``None``.
        group_name (str): accepted. Default: ``""``.
        pg_options (Any): tunes Ascend's library, accepted. Default: ``None``.
        device_id (int): the device of this process; several processes refuse it and want
            `set_device`. Default: ``None``.

    Raises:
        ValueError: arguments do not fit together, or a setting contradicts the processes.
        RuntimeError: the rank is not known.
        NotImplementedError: something that was set or called before is not executed by several
            processes.

    Difference from PyTorch: works without a launcher, as one process.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.get_world_size()
        1
    """
    if not isinstance(backend, str):
        raise TypeError(
            "For 'init_process_group', the 'backend' must be str, but got "
            f"{type(backend).__name__}."
        )
    choice("init_process_group", "backend", backend, ("hccl", "nccl", "mccl", "gloo"))
    if init_method is not None and store is not None:
        raise ValueError("For 'init_process_group', give 'init_method' or 'store', not both.")
    if init_method is not None or store is not None:
        if world_size <= 0:
            raise ValueError("Specified world_size must be a positive integer.")
        if rank < 0:
            raise ValueError("Specified rank must be a non-negative integer.")
    if device_id is not None:
        world.refuse(
            "init_process_group(device_id=...)",
            "the device of a process is chosen by the context",
            "call set_device(target, device_id) before init_process_group",
        )
    engine = {"nccl": "nccl", "gloo": "gloo"}.get(backend)
    options = {"init_method": init_method, "timeout": timeout}
    if store is not None:
        options["store"] = store._store
    groups.init(
        engine,
        world_size=None if world_size == -1 else world_size,
        rank=None if rank == -1 else rank,
        **options,
    )
    if world_size not in (-1, groups.world_size):
        raise ValueError(
            f"world_size is wrong, please using default value or setting: {groups.world_size}"
        )


def destroy_process_group(group: str | None = None) -> None:
    """Leave the other processes, or forget one group.

    Args:
        group (str): the group's name. Default: ``None``: all processes.

    Raises:
        TypeError: `group` is not a str.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.destroy_process_group()
    """
    name = group_argument("destroy_process_group", group)
    groups.require()
    if name in WORLDS:
        groups.release()
    else:
        groups.destroy(name)


def get_rank(group: str | None = None) -> int:
    """Which of a group's processes this is; -1 if it is none of them, 0 without a launcher.

    Args:
        group (str): the group's name. Default: ``None``: all processes.

    Raises:
        TypeError: `group` is not a str.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.get_rank()
        0
    """
    return groups.rank(group_argument("get_rank", group))


def get_world_size(group: str | None = None) -> int:
    """The number of processes in a group; -1 if this one is not among them.

    Args:
        group (str): the group's name. Default: ``None``: all processes.

    Raises:
        TypeError: `group` is not a str.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.get_world_size()
        1
    """
    name = group_argument("get_world_size", group)
    return groups.size(name) if groups.rank(name) >= 0 else -1


def new_group(
    ranks: list[int] | None = None,
    timeout: timedelta | None = None,
    backend: str | None = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: str | None = None,
) -> str:
    """Make a group of processes and return its name.

    Args:
        ranks (list[int]): their world ranks. Default: ``None``: all.
        timeout (timedelta): how long its collectives wait. Default: ``None``: as for all processes.
        backend (str): ``"hccl"`` or ``"mccl"``, part of the name. Default: ``None``.
        pg_options (Any): accepted. Default: ``None``.
        use_local_synchronization (bool): accepted: the members meet alone, and the other processes
            may call this or not. Default: ``False``.
        group_desc (str): accepted. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.new_group()
        'hccl_world_group'
    """
    if ranks is None:
        return WORLD
    if not isinstance(ranks, list):
        raise TypeError(f"For 'new_group', ranks must be list, but got {type(ranks)}.")
    backend = "hccl" if backend is None else backend
    if not isinstance(backend, str) or backend not in ("hccl", "mccl"):
        raise TypeError(f"For 'new_group', the backend must be hccl or mccl, but got {backend!r}.")
    groups.require()
    text = "_".join(map(str, sorted(ranks)))
    name = f"{backend}_{len(ranks)}_{hashlib.sha1(text.encode()).hexdigest()}"
    if name not in groups.ranks:
        groups.create(name, ranks, timeout)
    return name


def get_backend(group: str | None = None) -> str:
    """The name of what serves a group, as MindSpore calls it.

    Args:
        group (str): the group's name. Default: ``None``: all processes.

    Raises:
        TypeError: `group` is not a str.

    Difference from PyTorch: the name of MindSpore's library; the engine is gloo or nccl.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.get_backend()
        'hccl'
    """
    name = group_argument("get_backend", group)
    return next((b for b in ("hccl", "mccl", "nccl") if b in name), "hccl")


def get_global_rank(group: str, group_rank: int) -> int:
    """The world rank of a group's member.

    Args:
        group (str): the group's name.
        group_rank (int): the rank in it.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: there is no such member.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.get_global_rank("hccl_world_group", 0)
        0
    """
    members = group_members("get_global_rank", group)
    index = rank_argument("get_global_rank", "group_rank", group_rank)
    if not 0 <= index < len(members):
        raise ValueError(
            f"For 'get_global_rank', the group '{group}' has {len(members)} processes and none of "
            f"rank {index}."
        )
    return members[index]


def get_group_rank(group: str, global_rank: int) -> int:
    """The rank that a process has in a group.

    Args:
        group (str): the group's name.
        global_rank (int): the world rank.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the process is not in the group.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.get_group_rank("hccl_world_group", 0)
        0
    """
    members = group_members("get_group_rank", group)
    if global_rank not in members:
        raise ValueError(
            f"For 'get_group_rank', the process {global_rank} is not in the group '{group}'."
        )
    return members.index(global_rank)


def get_process_group_ranks(group: str | None = None) -> list[int]:
    """The world ranks of a group's processes.

    Args:
        group (str): the group's name. Default: ``None``: all processes.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.get_process_group_ranks()
        [0]
    """
    return list(group_members("get_process_group_ranks", group))


def barrier(
    group: str | None = None, async_op: bool = False, device_ids: list[int] | None = None
) -> CommHandle | None:
    """Wait until all processes are here.

    Args:
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.
        device_ids (list[int]): accepted. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.barrier()
    """
    name = checked_group("barrier", group, async_op)
    if async_op:
        return begin_barrier(name)
    groups.barrier(name)
    return None


def set_comm_ops_inplace(is_enable: bool, func_list: list[str] | None = None) -> None:
    """Accepted with True: the exchanges write into their tensors.

    Args:
        is_enable (bool): True.
        func_list (list[str]): the functions that it is for; None for all. Default: None.

    Raises:
        TypeError: `is_enable` is not a bool, or `func_list` is not a list.
        NotImplementedError: `is_enable` is False.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.communication.set_comm_ops_inplace(True)
    """
    if not isinstance(is_enable, bool):
        raise TypeError(
            "For 'set_comm_ops_inplace', the 'is_enable' must be a bool, but got "
            f"{type(is_enable).__name__}."
        )
    if func_list is not None and not isinstance(func_list, list):
        raise TypeError(
            "For 'set_comm_ops_inplace', the 'func_list' must be a list or None, but got "
            f"{type(func_list).__name__}."
        )
    if not is_enable:
        raise NotImplementedError(
            "'ops.communication.set_comm_ops_inplace(False)' is not available in agar: its "
            "exchanges write into their tensors. Use the functions of communication.comm_func, "
            "which return their results."
        )
