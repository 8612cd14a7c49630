"""Who the processes of a program are, at MindSpore's older path."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from agar._core.context import get_context
from agar._core.distributed import launchers
from agar._core.distributed.process_groups import groups

__all__ = [
    "HCCL_WORLD_COMM_GROUP",
    "MCCL_WORLD_COMM_GROUP",
    "NCCL_WORLD_COMM_GROUP",
    "Backend",
    "GlobalComm",
    "create_group",
    "destroy_group",
    "get_comm_name",
    "get_group_rank_from_world_rank",
    "get_group_size",
    "get_local_rank",
    "get_local_rank_size",
    "get_process_group_ranks",
    "get_rank",
    "get_world_rank_from_group_rank",
    "init",
    "release",
]

HCCL_WORLD_COMM_GROUP = "hccl_world_group"
NCCL_WORLD_COMM_GROUP = "nccl_world_group"
MCCL_WORLD_COMM_GROUP = "mccl_world_group"

# which library serves a device in MindSpore
_OF_DEVICE = {"Ascend": "hccl", "GPU": "nccl", "CPU": "mccl"}


class Backend(str):
    """The name of a library of collective operations; the result of the call is a str.

    Args:
        name (str): ``"hccl"``, ``"nccl"`` or ``"mccl"``.

    Raises:
        TypeError: `name` is not a str.
        ValueError: it is another.

    Difference from PyTorch: ``torch.distributed.Backend``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.communication.management import Backend
        >>> Backend("hccl")
        'hccl'
    """

    UNDEFINED = "undefined"
    HCCL = "hccl"
    NCCL = "nccl"
    MCCL = "mccl"

    def __new__(cls, name: str) -> Any:
        if not isinstance(name, str):
            raise TypeError(
                "For 'Backend', the class variable 'name' must be a string, but got the type : "
                f"{type(name)}"
            )
        if name.lower() not in ("hccl", "nccl", "mccl"):
            raise ValueError(
                f"For 'Backend', the class variable 'name' {name} is not supported, please use "
                "hccl, nccl or mccl."
            )
        return name.lower()


class GroupOptions:
    """Options of a group of processes: they tune Ascend's library, and change no result.

    Difference from PyTorch: ``torch.distributed.ProcessGroupNCCL.Options``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> from agar.communication.management import GroupOptions
        >>> options = GroupOptions()
        >>> options.hccl_config = {"hccl_buffer_size": 400}
    """

    def __init__(self) -> None:
        self.hccl_config: dict[str, Any] = {}


class GlobalComm:
    """What is known of all processes: the library, the name of their group, whether they met.

    Difference from PyTorch: ``torch.distributed.group.WORLD``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.communication import GlobalComm
        >>> GlobalComm.WORLD_COMM_GROUP.endswith("_world_group")
        True
    """

    BACKEND: str = "hccl"
    WORLD_COMM_GROUP: str = HCCL_WORLD_COMM_GROUP
    INITED: bool = False
    CHECK_ENVS: bool = True


def _text(owner: str, group: Any) -> str:
    if not isinstance(group, str):
        raise TypeError(
            f"For '{owner}', the argument 'group' must be type of string, but got 'group' type : "
            f"{type(group)}."
        )
    return group


def init(backend_name: str | None = None, *, timeout: float | timedelta | None = None) -> None:
    """Meet the other processes that a launcher such as ``agar msrun`` started, if any.

    Without a launcher there is one process, and every exchange has its result at once. Launchers
    are ``agar msrun``, ``torchrun``, ``mpirun`` and ``srun``.

    Args:
        backend_name (str): ``"hccl"`` on Ascend, ``"nccl"`` on a GPU, ``"mccl"`` on the CPU.
            Default: ``None``: that of the device.
        timeout (Union[int, float, timedelta]): how many seconds to wait for the others, here and
            in every collective, before it raises. Not in MindSpore. Default: ``None``: 30 minutes
            over gloo, 10 over nccl.

    Raises:
        TypeError: `backend_name` is not a str, or `timeout` not a number.
        RuntimeError: it is not that of the device, or the launcher does not say which process
            this is, or the others did not come in time.
        ValueError: `timeout` is not positive, or ``device_num`` or ``global_rank`` was set to what
            the launcher does not say.
        NotImplementedError: there are several processes, and something that was set or called
            before is not executed by them, such as `shard` or ``pipeline_stages``.

    Difference from PyTorch: ``torch.distributed.init_process_group``.

    Source: behavior observed in MindSpore 2.10, which needs a launcher.

    Examples:
        >>> from agar.communication import get_group_size, init
        >>> init()
        >>> get_group_size()
        1
    """
    target = get_context("device_target")
    expected = _OF_DEVICE.get(target, "mccl")
    name = expected if backend_name is None else backend_name
    if not isinstance(name, str):
        raise TypeError(
            "For 'init', the argument 'backend_name' must be a string, but got the type : "
            f"{type(name)}"
        )
    if name not in ("hccl", "nccl", "mccl"):
        raise RuntimeError(
            "For 'init', the argument 'backend_name' must be one of 'hccl', 'nccl' and 'mccl', but "
            f"got 'backend_name' : {name}"
        )
    if name not in (expected, "mccl"):
        raise RuntimeError(
            f"For 'init', the argument 'backend_name' should be '{expected}' to init '{target}', "
            f"but got '{name}'."
        )
    groups.init("gloo" if name == "mccl" else None, timeout=_duration(timeout))
    GlobalComm.BACKEND = name
    GlobalComm.WORLD_COMM_GROUP = f"{name}_world_group"
    GlobalComm.INITED = True


def _duration(timeout: Any) -> timedelta | None:
    """A timeout in seconds as the engine wants it."""
    if timeout is None:
        return None
    if isinstance(timeout, (int, float)) and not isinstance(timeout, bool):
        timeout = timedelta(seconds=timeout)
    if not isinstance(timeout, timedelta):
        raise TypeError(
            "For 'init', the 'timeout' must be a number of seconds or a timedelta, but got "
            f"{type(timeout).__name__}."
        )
    if timeout <= timedelta(0):
        raise ValueError(f"For 'init', the 'timeout' must be positive, but got {timeout}.")
    return timeout


def release() -> None:
    """Leave the other processes.

    Difference from PyTorch: ``torch.distributed.destroy_process_group``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.communication import init, release
        >>> init()
        >>> release()
    """
    groups.release()
    GlobalComm.INITED = False


def get_rank(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Which of a group's processes this is; before `init` the variable RANK_ID, or 0.

    Args:
        group (str): the group's name. Default: all processes.

    Raises:
        TypeError: `group` is not a str.
        ValueError: there is no such group.

    Difference from PyTorch: ``torch.distributed.get_rank``, which needs a process group.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.communication import get_rank
        >>> get_rank()
        0
    """
    return groups.rank(_text("get_rank", group))


def get_group_size(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """How many processes a group has; before `init` the variable RANK_SIZE, or 1.

    Args:
        group (str): the group's name. Default: all processes.

    Raises:
        TypeError: `group` is not a str.
        ValueError: there is no such group.

    Difference from PyTorch: ``torch.distributed.get_world_size``, which needs a process group.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.communication import get_group_size
        >>> get_group_size()
        1
    """
    return groups.size(_text("get_group_size", group))


def get_local_rank(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """Which of this machine's processes this is: the launcher's LOCAL_RANK.

    Args:
        group (str): the group's name. Default: all processes.

    Raises:
        TypeError: `group` is not a str.

    Difference from PyTorch: the variable LOCAL_RANK.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.communication import get_local_rank
        >>> get_local_rank()
        0
    """
    _text("get_local_rank", group)
    return launchers.local_rank(groups.world_rank)


def get_local_rank_size(group: str = HCCL_WORLD_COMM_GROUP) -> int:
    """How many processes this machine has: the launcher's LOCAL_WORLD_SIZE, or all.

    Args:
        group (str): the group's name. Default: all processes.

    Raises:
        TypeError: `group` is not a str.

    Difference from PyTorch: the variable LOCAL_WORLD_SIZE.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.communication import get_local_rank_size
        >>> get_local_rank_size()
        1
    """
    _text("get_local_rank_size", group)
    return launchers.local_size(groups.world_size)


def get_world_rank_from_group_rank(group: str, group_rank_id: int) -> int:
    """The world rank of a group's member.

    Args:
        group (str): the group's name.
        group_rank_id (int): the rank in it.

    Raises:
        TypeError: `group` is not a str.
        ValueError: there is no such group or member.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.get_global_rank``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> from agar.communication import get_world_rank_from_group_rank, init
        >>> init()
        >>> get_world_rank_from_group_rank("hccl_world_group", 0)
        0
    """
    name = _text("get_world_rank_from_group_rank", group)
    groups.require()
    members = groups.members(name)
    if not 0 <= group_rank_id < len(members):
        raise ValueError(
            f"For 'get_world_rank_from_group_rank', the group '{group}' has {len(members)} "
            f"processes and none of rank {group_rank_id}."
        )
    return members[group_rank_id]


def get_group_rank_from_world_rank(world_rank_id: int, group: str) -> int:
    """The rank that a process has in a group.

    Args:
        world_rank_id (int): the world rank.
        group (str): the group's name.

    Raises:
        TypeError: `group` is not a str.
        ValueError: there is no such group, or the process is not in it.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.get_group_rank``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> from agar.communication import get_group_rank_from_world_rank, init
        >>> init()
        >>> get_group_rank_from_world_rank(0, "hccl_world_group")
        0
    """
    name = _text("get_group_rank_from_world_rank", group)
    groups.require()
    members = groups.members(name)
    if world_rank_id not in members:
        raise ValueError(
            f"For 'get_group_rank_from_world_rank', the process {world_rank_id} is not in the "
            f"group '{group}'."
        )
    return members.index(world_rank_id)


def create_group(group: str, rank_ids: list[int], options: Any = None) -> None:
    """Give some processes a name as a group; each of them calls it, the others may.

    Args:
        group (str): the name.
        rank_ids (list[int]): their world ranks.
        options (GroupOptions): tunes Ascend's library, accepted. Default: ``None``.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: `rank_ids` is empty, has duplicates, names a process that does not exist, or
            differs from that of an earlier call.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.new_group`` returns an object.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.communication import create_group, get_group_size, init
        >>> init()
        >>> create_group("alone", [0])
        >>> get_group_size("alone")
        1
    """
    name = _text("create_group", group)
    groups.require()
    if not isinstance(rank_ids, list):
        raise TypeError(
            "For 'create_group', the argument 'rank_ids' must be type of list, but got 'rank_ids' "
            f"type : {type(rank_ids)}."
        )
    if not rank_ids:
        raise ValueError("For 'create_group', the argument 'rank_ids' must not be empty.")
    if len(set(rank_ids)) < len(rank_ids):
        raise ValueError(f"List rank_ids in Group {name} has duplicate data!")
    if name in groups.ranks:
        if groups.ranks[name] != sorted(rank_ids):
            raise ValueError(
                f"The group {name} has been created, the rank_list is {groups.ranks[name]}, but "
                f"current rank_list for the group is {rank_ids}"
            )
        return
    groups.create(name, rank_ids)


def destroy_group(group: str) -> None:
    """Forget a group.

    Args:
        group (str): its name.

    Raises:
        TypeError: `group` is not a str.
        ValueError: it is the group of all processes, or there is none of that name.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.destroy_process_group``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> from agar.communication import create_group, destroy_group, init
        >>> init()
        >>> create_group("pair", [0])
        >>> destroy_group("pair")
    """
    name = _text("destroy_group", group)
    groups.require()
    if name not in groups.ranks:
        raise ValueError(f"For 'destroy_group', no group '{name}' was created.")
    groups.destroy(name)


def get_comm_name(group: str = HCCL_WORLD_COMM_GROUP) -> str:
    """The name of a group; in MindSpore the Ascend library's own name for it.

    Args:
        group (str): the group's name. Default: all processes.

    Raises:
        TypeError: `group` is not a str.
        ValueError: there is no such group.
        RuntimeError: `init` was not called.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> from agar.communication import get_comm_name, init
        >>> init()
        >>> get_comm_name()
        'hccl_world_group'
    """
    name = _text("get_comm_name", group)
    groups.require()
    groups.members(name)
    return name


def get_process_group_ranks(group: str = HCCL_WORLD_COMM_GROUP) -> list[int]:
    """The world ranks of a group's processes.

    Args:
        group (str): the group's name. Default: all processes.

    Raises:
        TypeError: `group` is not a str.
        ValueError: there is no such group.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.get_process_group_ranks``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> from agar.communication import get_process_group_ranks, init
        >>> init()
        >>> get_process_group_ranks()
        [0]
    """
    name = _text("get_process_group_ranks", group)
    groups.require()
    return list(groups.members(name))
