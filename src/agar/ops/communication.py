"""Exchanges between processes that write into their tensors (``mint.distributed``).

Without a launcher there is one process, and each has its result without communication; under
``torchrun`` they are torch.distributed's.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import torch

from agar._core.groups import WORLD, WORLDS, groups
from agar._core.tensor import Tensor
from agar._core.world import world
from agar.ops._checks import choice

__all__ = [
    "CommHandle",
    "P2POp",
    "ReduceOp",
    "TCPStore",
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_into_tensor_uneven",
    "all_gather_object",
    "all_reduce",
    "all_to_all",
    "all_to_all_single",
    "all_to_all_v_c",
    "barrier",
    "batch_isend_irecv",
    "broadcast",
    "broadcast_object_list",
    "destroy_process_group",
    "gather",
    "gather_into_tensor",
    "gather_object",
    "get_backend",
    "get_global_rank",
    "get_group_rank",
    "get_process_group_ranks",
    "get_rank",
    "get_world_size",
    "init_process_group",
    "irecv",
    "is_available",
    "is_initialized",
    "isend",
    "new_group",
    "recv",
    "recv_object_list",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "reduce_scatter_tensor_uneven",
    "scatter",
    "scatter_object_list",
    "scatter_tensor",
    "send",
    "send_object_list",
    "set_comm_ops_inplace",
]

_OPS = ("sum", "prod", "min", "max", "avg")


class ReduceOp:
    """Names of the reductions over processes.

    Difference from PyTorch: ``torch.distributed.ReduceOp`` holds objects, these are str.

    Source: behaviour observed in MindSpore 2.10.

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
    """What an exchange that was only begun returns: wait for it before its tensors are used.

    Difference from PyTorch: ``torch.distributed.Work``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.mint.distributed.init_process_group()
        >>> handle = ms.ops.all_reduce(ms.Tensor([1.0]), async_op=True)
        >>> handle.wait()
    """

    def __init__(self, handle: Any = None, exec_sync: bool = False) -> None:
        self._works = handle if isinstance(handle, list) else [handle]
        self._after: Any = None

    def wait(self) -> None:
        """Wait until the exchange is done."""
        for work in self._works:
            if work is not None:
                work.wait()
        if self._after is not None:
            self._after, finish = None, self._after
            finish()

    def __repr__(self) -> str:
        return f"<CommHandle of {len(self._works)}>"


def _handle(works: Any, async_op: bool, after: Any = None) -> CommHandle | None:
    handle = CommHandle(works)
    handle._after = after
    if async_op:
        return handle
    handle.wait()
    return None


def _tensor(who: str, name: str, value: Any) -> Tensor:
    if not isinstance(value, Tensor):
        raise TypeError(
            f"For '{who}', the '{name}' must be a Tensor, but got {type(value).__name__}."
        )
    if world.size > 1 and value._value.requires_grad and torch.is_grad_enabled():
        raise NotImplementedError(
            f"For '{who}', the '{name}' belongs to a function that is differentiated, and a "
            "collective that writes into its tensors has no gradient. Use a Primitive, such as "
            "ops.AllReduce, ops.AllGather or ops.AlltoAllV, which has one, or give it "
            "ops.stop_gradient of the tensor."
        )
    return value


def _tensors(who: str, name: str, values: Any, count: int | None = None) -> list[Tensor]:
    if not isinstance(values, (list, tuple)):
        raise TypeError(
            f"For '{who}', the '{name}' must be a list of Tensors, but got {type(values).__name__}."
        )
    if count is not None and len(values) != count:
        raise TypeError(
            f"For '{who}', the '{name}' must have one Tensor for each of the {count} processes, "
            f"but got {len(values)}."
        )
    return [_tensor(who, f"{name}[{i}]", v) for i, v in enumerate(values)]


def _group(who: str, group: Any) -> str:
    if group is None:
        return WORLD
    if not isinstance(group, str):
        raise TypeError(
            f"For '{who}', the argument 'group' must be type of string, but got 'group' type : "
            f"{type(group)}."
        )
    return group


def _rank(who: str, name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"For '{who}', the '{name}' must be int, but got {type(value).__name__}.")
    return value


def _begin(who: str, group: Any, async_op: Any = False, op: Any = "sum") -> str:
    """The group, after the checks that all exchanges share."""
    if not isinstance(op, str):
        raise TypeError(f"For '{who}', the 'op' must be str, but got {type(op).__name__}.")
    if op not in _OPS:
        raise TypeError(f"For '{who}', the 'op' must be one of {list(_OPS)}, but got {op!r}.")
    if not isinstance(async_op, bool):
        raise TypeError(f"For '{who}', the 'async_op' must be a bool, but got {type(async_op)}.")
    name = _group(who, group)
    groups.require()
    groups.members(name)
    return name


def _put(who: str, target: Tensor, value: torch.Tensor) -> None:
    """Write a result into the caller's tensor."""
    target_value = target._value
    if tuple(target_value.shape) != tuple(value.shape):
        raise ValueError(
            f"For '{who}', the output has shape {tuple(target_value.shape)}, but the result has "
            f"{tuple(value.shape)}."
        )
    with torch.no_grad():
        target_value.detach().copy_(value)


def _finish(
    who: str, targets: Sequence[Tensor], values: Sequence[torch.Tensor], async_op: bool
) -> CommHandle | None:
    for target, value in zip(targets, values, strict=True):
        _put(who, target, value)
    return _handle(None, async_op)


def _values(tensors: Sequence[Tensor]) -> list[torch.Tensor]:
    return [t._value.detach() for t in tensors]


def _members(who: str, group: Any) -> list[int]:
    name = _group(who, group)
    groups.require()
    return groups.members(name)


def _counts(who: str, name: str, counts: Any, length: int, size: int) -> list[int]:
    """How many rows belong to each process, which must make up the whole."""
    if not counts:
        if length % size:
            raise ValueError(
                f"For '{who}', the first axis has {length} entries, which {size} processes cannot "
                f"share equally; give '{name}'."
            )
        return [length // size] * size
    if not isinstance(counts, (list, tuple)) or len(counts) != size or sum(counts) != length:
        raise ValueError(
            f"For '{who}', the '{name}' must be {size} numbers of sum {length}, but got {counts!r}."
        )
    return list(counts)


def _point(who: str, tensor: Any, name: str, peer: Any, group: Any, tag: int) -> CommHandle:
    """A message between this process and one other."""
    value = _tensor(who, "tensor", tensor)._value.detach()
    other = _rank(who, name, peer)
    found = _begin(who, group)
    if other == groups.world_rank:
        raise ValueError(f"For '{who}', the '{name}' {other} is this process itself.")
    if other not in groups.members(found):
        raise ValueError(f"For '{who}', the process {other} is not in the group '{found}'.")
    begin = groups.send if who.endswith("send") else groups.receive
    return CommHandle(begin(value, other, found, tag))


def _pickled(obj: Any) -> torch.Tensor:
    return torch.frombuffer(bytearray(pickle.dumps(obj)), dtype=torch.uint8)


def _objects(obj: Any, group: str) -> list[Any]:
    """The Python objects of all processes of a group."""
    if groups.size(group) == 1:
        return [obj]
    data = _pickled(obj)
    sizes = groups.all_gather(torch.tensor([data.numel()]), group).tolist()
    padded = torch.zeros(max(sizes), dtype=torch.uint8)
    padded[: data.numel()] = data
    parts = groups.all_gather(padded[None], group)
    return [pickle.loads(p[:n].numpy().tobytes()) for p, n in zip(parts, sizes, strict=True)]


class P2POp:
    """A message to be sent or received by :func:`batch_isend_irecv`.

    Args:
        op (Union[str, function]): ``"isend"`` or ``"irecv"``, or the function of that name.
        tensor (Tensor): what is sent, or written.
        peer (int): the other's world rank.
        group (str): the group's name. Default: ``None``: all processes.
        tag (int): 0. Default: ``0``.

    Raises:
        TypeError: an argument is of the wrong type, or `op` another.
        NotImplementedError: `tag` is not 0.

    Difference from PyTorch: ``torch.distributed.P2POp``; `op` may be a str.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.P2POp("isend", ms.Tensor(1.0), 1).peer
        1
    """

    def __init__(
        self, op: Any, tensor: Tensor, peer: int, group: str | None = None, tag: int = 0
    ) -> None:
        name = op if isinstance(op, str) else getattr(op, "__name__", op)
        if name not in ("isend", "irecv"):
            raise TypeError(f"Expected op to be of type isend or irecv, but got {op}")
        if not isinstance(tensor, Tensor):
            raise TypeError(f"Expected tensor to be Tensor, but got {type(tensor)}.")
        if not isinstance(peer, int):
            raise TypeError(f"For P2POp, the peer must be int, but got {type(peer).__name__}.")
        if tag != 0:
            raise NotImplementedError("For P2POp, a tag other than 0 is not supported.")
        self.op, self.kind = op, name
        self.tensor, self.peer, self.group, self.tag = tensor, peer, group, tag


class TCPStore:
    """Text that processes leave for each other at an address.

    Args:
        host_name (str): the address.
        port (int): the port, in [0, 65535].
        world_size (int): how many processes use it. Default: ``None``: 1.
        is_master (bool): whether this process keeps it. Default: ``False``.
        timeout (timedelta): how long to wait. Default: 300 seconds.
        wait_for_workers (bool): whether to wait for all of them. Default: ``True``.
        multi_tenant (bool): accepted. Default: ``False``.
        master_listen_fd (int): accepted. Default: ``None``.
        use_libuv (bool): accepted. Default: ``True``.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.TCPStore``; `get` of an absent key does not wait.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> store = ms.ops.TCPStore("127.0.0.1", 0, is_master=True)
        >>> store.set("key", "value")
        >>> store.get("key")
        b'value'
        >>> store.add("count", 2), store.add("count", 3)
        (2, 5)
        >>> store.delete_key("key")
        True
    """

    def __init__(
        self,
        host_name: str,
        port: int,
        world_size: int | None = None,
        is_master: bool = False,
        timeout: timedelta = timedelta(seconds=300),
        wait_for_workers: bool = True,
        multi_tenant: bool = False,
        master_listen_fd: int | None = None,
        use_libuv: bool = True,
    ) -> None:
        size = 1 if world_size is None else world_size
        for name, value, kind in (
            ("host_name", host_name, str),
            ("port", port, int),
            ("is_master", is_master, bool),
            ("timeout", timeout, timedelta),
            ("wait_for_workers", wait_for_workers, bool),
            ("world_size", size, int),
        ):
            if not isinstance(value, kind):
                raise TypeError(
                    f"For 'TCPStore', the argument '{name}' must be type of {kind.__name__}, but "
                    f"got '{name}' type : {type(value)}."
                )
        if not 0 <= port <= 65535:
            raise ValueError(f"For 'TCPStore', the argument 'port' must be legal, but got {port}.")
        if size <= 0:
            raise ValueError(
                f"For 'TCPStore', the argument 'world_size' must be legal, but got {size}."
            )
        import torch.distributed as dist

        self._store = dist.TCPStore(
            host_name, port, size, is_master, timeout, wait_for_workers, multi_tenant=True
        )
        self.host, self.port = host_name, self._store.port

    @staticmethod
    def _key(owner: str, key: Any) -> str:
        if not isinstance(key, str):
            raise TypeError(
                f"For 'TCPStore.{owner}', the argument 'key' must be type of string, but got 'key' "
                f"type : {type(key)}."
            )
        return key

    def add(self, key: str, amount: int) -> int:
        """Add to the number of a key, 0 at first, and return it.

        Raises:
            TypeError: an argument is of the wrong type.
        """
        if not isinstance(amount, int):
            raise TypeError(
                "For 'TCPStore.add', the argument 'amount' must be type of int, but got 'amount' "
                f"type : {type(amount)}."
            )
        return self._store.add(self._key("add", key), amount)

    def set(self, key: str, value: str | bytes) -> None:
        """Leave a text under a key.

        Raises:
            TypeError: an argument is of the wrong type.
        """
        if not isinstance(value, (str, bytes)):
            raise TypeError(
                "For 'TCPStore.set', the argument 'value' must be type of string or bytes, but got "
                f"'value' type : {type(value)}."
            )
        text = value.decode() if isinstance(value, bytes) else value
        self._store.set(self._key("set", key), text)

    def get(self, key: str) -> bytes:
        """The text of a key; empty if there is none.

        Raises:
            TypeError: `key` is no str.
        """
        return self._store.get(key) if self._store.check([self._key("get", key)]) else b""

    def delete_key(self, key: str) -> bool:
        """Remove a key; whether it was there.

        Raises:
            TypeError: `key` is no str.
        """
        return self._store.delete_key(self._key("delete_key", key))


def is_available() -> bool:
    """Whether processes can work together here.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.is_available()
        True
    """
    return torch.distributed.is_available()


def is_initialized() -> bool:
    """Whether :func:`init_process_group` was called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

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
        world_size (int): how many processes there are. Default: ``-1``: as the launcher says.
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

    Source: behaviour described for MindSpore 2.10.

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
        TypeError: `group` is no str.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.destroy_process_group()
    """
    name = _group("destroy_process_group", group)
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
        TypeError: `group` is no str.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.get_rank()
        0
    """
    return groups.rank(_group("get_rank", group))


def get_world_size(group: str | None = None) -> int:
    """How many processes a group has; -1 if this one is not among them.

    Args:
        group (str): the group's name. Default: ``None``: all processes.

    Raises:
        TypeError: `group` is no str.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.get_world_size()
        1
    """
    name = _group("get_world_size", group)
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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

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
        TypeError: `group` is no str.

    Difference from PyTorch: the name of MindSpore's library; the engine is gloo or nccl.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.get_backend()
        'hccl'
    """
    name = _group("get_backend", group)
    return next((b for b in ("hccl", "mccl", "nccl") if b in name), "hccl")


def get_global_rank(group: str, group_rank: int) -> int:
    """The world rank of a group's member.

    Args:
        group (str): the group's name.
        group_rank (int): the rank in it.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: there is no such member.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.get_global_rank("hccl_world_group", 0)
        0
    """
    members = _members("get_global_rank", group)
    index = _rank("get_global_rank", "group_rank", group_rank)
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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the process is not in the group.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.get_group_rank("hccl_world_group", 0)
        0
    """
    members = _members("get_group_rank", group)
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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.get_process_group_ranks()
        [0]
    """
    return list(_members("get_process_group_ranks", group))


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> x = ms.Tensor([1.0, 2.0])
        >>> ms.ops.all_reduce(x)
        >>> print(x)
        [1. 2.]
    """
    name = _begin("all_reduce", group, async_op, op)
    value = _tensor("all_reduce", "tensor", tensor)._value.detach()
    return _finish("all_reduce", [tensor], [groups.all_reduce(value, op, name)], async_op)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: shapes differ.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = [ms.Tensor([0.0])]
        >>> ms.ops.all_gather(out, ms.Tensor([3.0]))
        >>> print(out[0])
        [3.]
    """
    name = _begin("all_gather", group, async_op)
    outs = _tensors("all_gather", "tensor_list", tensor_list, groups.size(name))
    value = _tensor("all_gather", "tensor", tensor)._value.detach()
    parts = groups.all_gather(value[None], name).unbind(0)
    return _finish("all_gather", outs, parts, async_op)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: shapes do not fit.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0, 0.0])
        >>> ms.ops.all_gather_into_tensor(out, ms.Tensor([3.0, 4.0]))
        >>> print(out)
        [3. 4.]
    """
    name = _begin("all_gather_into_tensor", group, async_op)
    out = _tensor("all_gather_into_tensor", "output_tensor", output_tensor)
    value = _tensor("all_gather_into_tensor", "input_tensor", input_tensor)._value.detach()
    return _finish("all_gather_into_tensor", [out], [groups.all_gather(value, name)], async_op)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: lengths do not fit.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0, 0.0])
        >>> ms.ops.all_gather_into_tensor_uneven(out, ms.Tensor([3.0, 4.0]), [2])
        >>> print(out)
        [3. 4.]
    """
    who = "all_gather_into_tensor_uneven"
    name = _begin(who, group, async_op)
    out, own = _tensor(who, "output", output), _tensor(who, "input", input)._value.detach()
    size = groups.size(name)
    counts = _counts(who, "output_split_sizes", output_split_sizes, out.shape[0], size)
    got = groups.all_to_all(torch.cat([own] * size), [own.shape[0]] * size, counts, name)
    return _finish(who, [out], [got], async_op)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: shapes do not fit.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0])
        >>> ms.ops.reduce_scatter_tensor(out, ms.Tensor([3.0]))
        >>> print(out)
        [3.]
    """
    name = _begin("reduce_scatter_tensor", group, async_op, op)
    out = _tensor("reduce_scatter_tensor", "output", output)
    value = _tensor("reduce_scatter_tensor", "input", input)._value.detach()
    return _finish(
        "reduce_scatter_tensor", [out], [groups.reduce_scatter(value, op, name)], async_op
    )


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: lengths do not fit.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0])
        >>> ms.ops.reduce_scatter_tensor_uneven(out, ms.Tensor([3.0]), [1])
        >>> print(out)
        [3.]
    """
    who = "reduce_scatter_tensor_uneven"
    name = _begin(who, group, async_op, op)
    out, value = _tensor(who, "output", output), _tensor(who, "input", input)._value.detach()
    counts = _counts(who, "input_split_sizes", input_split_sizes, value.shape[0], groups.size(name))
    part = groups.all_reduce(value, op, name).split(counts)[groups.rank(name)]
    return _finish(who, [out], [part], async_op)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: shapes differ.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0])
        >>> ms.ops.reduce_scatter(out, [ms.Tensor([3.0])])
        >>> print(out)
        [3.]
    """
    name = _begin("reduce_scatter", group, async_op, op)
    parts = _values(_tensors("reduce_scatter", "input_list", input_list, groups.size(name)))
    total = groups.all_reduce(torch.stack(parts), op, name)[groups.rank(name)]
    return _finish(
        "reduce_scatter", [_tensor("reduce_scatter", "output", output)], [total], async_op
    )


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.mint.distributed import init_process_group, reduce
        >>> init_process_group()
        >>> x = ms.Tensor([3.0])
        >>> reduce(x, 0)
        >>> print(x)
        [3.]
    """
    name = _begin("reduce", group, async_op, op)
    target = _rank("reduce", "dst", dst)
    value = _tensor("reduce", "tensor", tensor)._value.detach()
    total = groups.all_reduce(value, op, name)
    if groups.world_rank == target:
        _put("reduce", tensor, total)
    return _handle(None, async_op)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the process is not in the group.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> x = ms.Tensor([3.0])
        >>> ms.ops.broadcast(x, 0)
        >>> print(x)
        [3.]
    """
    name = _begin("broadcast", group, async_op)
    index = get_group_rank(name, _rank("broadcast", "src", src))
    value = _tensor("broadcast", "tensor", tensor)._value.detach()
    return _finish("broadcast", [tensor], [groups.broadcast(value, index, name)], async_op)


def barrier(
    group: str | None = None, async_op: bool = False, device_ids: list[int] | None = None
) -> CommHandle | None:
    """Wait until all processes are here.

    Args:
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether only to begin, and return a handle. Default: ``False``.
        device_ids (list[int]): accepted. Default: ``None``.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.barrier()
    """
    name = _begin("barrier", group, async_op)
    groups.barrier(name)
    return _handle(None, async_op)


def send(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> None:
    """Send a tensor to one process and wait.

    Args:
        tensor (Tensor): what is sent.
        dst (int): the other's world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.
        tag (int): tells messages apart. Default: ``0``.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the other process is this one.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.send(ms.Tensor([1.0]), 0)
        Traceback (most recent call last):
        ...
        ValueError: For 'send', the 'dst' 0 is this process itself.
    """
    _point("send", tensor, "dst", dst, group, tag).wait()


def isend(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> CommHandle:
    """Begin to send a tensor to one process.

    Args:
        tensor (Tensor): what is sent.
        dst (int): the other's world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.
        tag (int): tells messages apart. Default: ``0``.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the other process is this one.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.isend(ms.Tensor([1.0]), 0)
        Traceback (most recent call last):
        ...
        ValueError: For 'isend', the 'dst' 0 is this process itself.
    """
    return _point("isend", tensor, "dst", dst, group, tag)


def recv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> int:
    """Wait for a tensor from one process and put it into this one.

    Args:
        tensor (Tensor): written.
        src (int): the other's world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.
        tag (int): tells messages apart. Default: ``0``.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the other process is this one.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.recv(ms.Tensor([1.0]), 0)
        Traceback (most recent call last):
        ...
        ValueError: For 'recv', the 'src' 0 is this process itself.
    """
    _point("recv", tensor, "src", src, group, tag).wait()
    return 0


def irecv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> CommHandle:
    """Begin to receive a tensor from one process into this one.

    Args:
        tensor (Tensor): written.
        src (int): the other's world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.
        tag (int): tells messages apart. Default: ``0``.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the other process is this one.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.irecv(ms.Tensor([1.0]), 0)
        Traceback (most recent call last):
        ...
        ValueError: For 'irecv', the 'src' 0 is this process itself.
    """
    return _point("irecv", tensor, "src", src, group, tag)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = [ms.Tensor([0.0])]
        >>> ms.ops.all_to_all(out, [ms.Tensor([3.0])])
        >>> print(out[0])
        [3.]
    """
    name = _begin("all_to_all", group, async_op)
    outs = _tensors("all_to_all", "output_tensor_list", output_tensor_list, groups.size(name))
    parts = _values(
        _tensors("all_to_all", "input_tensor_list", input_tensor_list, groups.size(name))
    )
    flat = torch.cat([p.reshape(-1) for p in parts])
    counts = [int(t._value.numel()) for t in outs]
    got = groups.all_to_all(flat, [p.numel() for p in parts], counts, name)
    values = [v.reshape(t._value.shape) for v, t in zip(got.split(counts), outs, strict=True)]
    return _finish("all_to_all", outs, values, async_op)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: lengths do not fit.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0, 0.0])
        >>> ms.ops.all_to_all_single(out, ms.Tensor([3.0, 4.0]))
        >>> print(out)
        [3. 4.]
    """
    who = "all_to_all_single"
    name = _begin(who, group, async_op)
    out, value = _tensor(who, "output", output), _tensor(who, "input", input)._value.detach()
    size = groups.size(name)
    receive = _counts(who, "output_split_sizes", output_split_sizes, out.shape[0], size)
    send_counts = _counts(who, "input_split_sizes", input_split_sizes, value.shape[0], size)
    return _finish(who, [out], [groups.all_to_all(value, send_counts, receive, name)], async_op)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: counts do not fit.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0, 0.0])
        >>> ms.ops.all_to_all_v_c(out, ms.Tensor([3.0, 4.0]), [2])
        >>> print(out)
        [3. 4.]
    """
    who = "all_to_all_v_c"
    name = _begin(who, group, async_op)
    size, me = groups.size(name), groups.rank(name)
    if not isinstance(send_count_matrix, (list, tuple)) or len(send_count_matrix) != size * size:
        raise ValueError(
            f"For '{who}', the 'send_count_matrix' must have {size * size} numbers, but got "
            f"{send_count_matrix!r}."
        )
    rows = [send_count_matrix[i * size : (i + 1) * size] for i in range(size)]
    out, value = _tensor(who, "output", output), _tensor(who, "input", input)._value.detach()
    flat = value.reshape(-1)[: sum(rows[me])]
    got = groups.all_to_all(flat, rows[me], [row[me] for row in rows], name)
    return _finish(who, [out], [got.reshape(out._value.shape)], async_op)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.mint.distributed import gather, init_process_group
        >>> init_process_group()
        >>> out = [ms.Tensor([0.0])]
        >>> gather(ms.Tensor([3.0]), out)
        >>> print(out[0])
        [3.]
    """
    name = _begin("gather", group, async_op)
    target = _rank("gather", "dst", dst)
    value = _tensor("gather", "tensor", tensor)._value.detach()
    parts = groups.all_gather(value[None], name).unbind(0)
    if groups.world_rank != target:
        return _handle(None, async_op)
    outs = _tensors("gather", "gather_list", gather_list, groups.size(name))
    return _finish("gather", outs, parts, async_op)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.mint.distributed import init_process_group, scatter
        >>> init_process_group()
        >>> out = ms.Tensor([0.0])
        >>> scatter(out, [ms.Tensor([3.0])])
        >>> print(out)
        [3.]
    """
    name = _begin("scatter", group, async_op)
    index = get_group_rank(name, _rank("scatter", "src", src))
    out = _tensor("scatter", "tensor", tensor)
    if groups.rank(name) == index:
        parts = _values(_tensors("scatter", "scatter_list", scatter_list, groups.size(name)))
    else:
        parts = [torch.empty_like(out._value)] * groups.size(name)
    whole = groups.broadcast(torch.stack(parts), index, name)
    return _finish("scatter", [out], [whole[groups.rank(name)]], async_op)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0])
        >>> ms.ops.gather_into_tensor(out, ms.Tensor([3.0]))
        >>> print(out)
        [3.]
    """
    name = _begin("gather_into_tensor", group, async_op)
    target = _rank("gather_into_tensor", "dst", dst)
    out = _tensor("gather_into_tensor", "output_tensor", output_tensor)
    value = _tensor("gather_into_tensor", "input_tensor", input_tensor)._value.detach()
    whole = groups.all_gather(value, name)
    if groups.world_rank == target:
        _put("gather_into_tensor", out, whole)
    return _handle(None, async_op)


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
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> out = ms.Tensor([0.0])
        >>> ms.ops.scatter_tensor(out, ms.Tensor([3.0]))
        >>> print(out)
        [3.]
    """
    name = _begin("scatter_tensor", group, async_op)
    index = get_group_rank(name, _rank("scatter_tensor", "src", src))
    out = _tensor("scatter_tensor", "output_tensor", output_tensor)
    value = _tensor("scatter_tensor", "input_tensor", input_tensor)._value.detach()
    whole = groups.broadcast(value, index, name).chunk(groups.size(name))
    return _finish("scatter_tensor", [out], [whole[groups.rank(name)]], async_op)


def batch_isend_irecv(p2p_op_list: list[P2POp]) -> list[CommHandle]:
    """Begin several sends and receives.

    Args:
        p2p_op_list (list[P2POp]): what to send and receive.

    Raises:
        TypeError: it is no list of P2POp, or empty.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> x = ms.Tensor([0.0])
        >>> work = [ms.ops.P2POp("isend", ms.Tensor([3.0]), 0), ms.ops.P2POp("irecv", x, 0)]
        >>> _ = ms.ops.batch_isend_irecv(work)
        >>> print(x)
        [3.]
    """
    if not isinstance(p2p_op_list, list) or not p2p_op_list:
        raise TypeError("For 'batch_isend_irecv', p2p_op_list can not be empty list.")
    handles = []
    for entry in p2p_op_list:
        if not isinstance(entry, P2POp):
            raise TypeError(
                "For 'batch_isend_irecv', the elements in p2p_op_list must be type of P2POp, but "
                f"got {type(entry).__name__}."
            )
    alone = [e for e in p2p_op_list if e.peer == groups.world_rank]
    sent = [e.tensor._value.detach().clone() for e in alone if e.kind == "isend"]
    for entry, value in zip([e for e in alone if e.kind == "irecv"], sent, strict=True):
        _put("batch_isend_irecv", entry.tensor, value)
    for entry in p2p_op_list:
        if entry.peer != groups.world_rank:
            argument = "dst" if entry.kind == "isend" else "src"
            handles.append(
                _point(entry.kind, entry.tensor, argument, entry.peer, entry.group, entry.tag)
            )
    return handles or [CommHandle()]


def all_gather_object(object_list: list[Any], obj: Any, group: str | None = None) -> None:
    """Put the Python objects of all processes into a list. They are pickled.

    Args:
        object_list (list): one place for each process, written.
        obj (Any): this process's.
        group (str): the group's name. Default: ``None``: all processes.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> found = [None]
        >>> ms.ops.all_gather_object(found, {"a": 1})
        >>> found
        [{'a': 1}]
    """
    name = _begin("all_gather_object", group)
    if not isinstance(object_list, list) or len(object_list) != groups.size(name):
        raise TypeError(
            "For 'all_gather_object', the len of argument object_list must be equal to group rank "
            f"size {groups.size(name)}, but got {object_list!r}."
        )
    object_list[:] = _objects(obj, name)


def gather_object(
    obj: Any, object_gather_list: list[Any] | None = None, dst: int = 0, group: str | None = None
) -> None:
    """Put the Python objects of all processes into a list of one process. They are pickled.

    Args:
        obj (Any): this process's.
        object_gather_list (list): one place for each process, written in the process `dst`.
            Default: ``None``.
        dst (int): its world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> found = [None]
        >>> ms.ops.gather_object("a", found)
        >>> found
        ['a']
    """
    name = _begin("gather_object", group)
    target = _rank("gather_object", "dst", dst)
    found = _objects(obj, name)
    if groups.world_rank == target:
        if not isinstance(object_gather_list, list) or len(object_gather_list) != len(found):
            raise TypeError(
                "For 'gather_object', the len of object_gather_list must be equal to group rank "
                f"size {len(found)}, but got {object_gather_list!r}."
            )
        object_gather_list[:] = found


def broadcast_object_list(
    object_list: list[Any], src: int = 0, group: str | None = None, device: Any = None
) -> None:
    """Give all processes the Python objects of one. They are pickled.

    Args:
        object_list (list): read in the process `src`, written in the others.
        src (int): its world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.
        device (Any): accepted. Default: ``None``.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> found = [1, 2]
        >>> ms.ops.broadcast_object_list(found)
        >>> found
        [1, 2]
    """
    name = _begin("broadcast_object_list", group)
    index = get_group_rank(name, _rank("broadcast_object_list", "src", src))
    if not isinstance(object_list, list) or not object_list:
        raise TypeError("For 'broadcast_object_list', the object_list can not be empty.")
    object_list[:] = _objects(object_list, name)[index]


def scatter_object_list(
    scatter_object_output_list: list[Any],
    scatter_object_input_list: list[Any] | None,
    src: int = 0,
    group: str | None = None,
) -> None:
    """Give each process its entry of one process's list of Python objects. They are pickled.

    Args:
        scatter_object_output_list (list): its first place is written.
        scatter_object_input_list (list): one for each process, read in the process `src`.
        src (int): its world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> found = [None]
        >>> ms.ops.scatter_object_list(found, ["a"])
        >>> found
        ['a']
    """
    name = _begin("scatter_object_list", group)
    index = get_group_rank(name, _rank("scatter_object_list", "src", src))
    if not isinstance(scatter_object_output_list, list) or not scatter_object_output_list:
        raise TypeError("For 'scatter_object_list', the output list can not be empty.")
    whole = _objects(scatter_object_input_list, name)[index]
    if not isinstance(whole, list) or len(whole) != groups.size(name):
        raise TypeError(
            "For 'scatter_object_list', the input list must have one object for each of the "
            f"{groups.size(name)} processes, but got {whole!r}."
        )
    scatter_object_output_list[0] = whole[groups.rank(name)]


def send_object_list(
    object_list: list[Any], dst: int, group: str | None = None, device: Any = None
) -> None:
    """Send Python objects to one process. They are pickled.

    Args:
        object_list (list): what is sent.
        dst (int): the other's world rank.
        group (str): the group's name. Default: ``None``: all processes.
        device (Any): accepted. Default: ``None``.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the other process is this one.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.send_object_list([1], 0)
        Traceback (most recent call last):
        ...
        ValueError: For 'send', the 'dst' 0 is this process itself.
    """
    _begin("send_object_list", group)
    data = _pickled(object_list)
    send(Tensor(torch.tensor([data.numel()])), dst, group)
    send(Tensor(data), dst, group)


def recv_object_list(
    object_list: list[Any], src: int = 0, group: str | None = None, device: Any = None
) -> int:
    """Receive Python objects from one process. They are pickled.

    Args:
        object_list (list): written.
        src (int): the other's world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.
        device (Any): accepted. Default: ``None``.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the other process is this one.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.recv_object_list([None], 0)
        Traceback (most recent call last):
        ...
        ValueError: For 'recv', the 'src' 0 is this process itself.
    """
    _begin("recv_object_list", group)
    count = Tensor(torch.zeros(1, dtype=torch.int64))
    recv(count, src, group)
    data = Tensor(torch.empty(int(count._value), dtype=torch.uint8))
    recv(data, src, group)
    object_list[:] = pickle.loads(data._value.numpy().tobytes())
    return src


def set_comm_ops_inplace(is_enable: bool, func_list: list[str] | None = None) -> None:
    """Accepted with True: the exchanges write into their tensors.

    Args:
        is_enable (bool): True.
        func_list (list[str]): the functions that it is for; None for all. Default: None.

    Raises:
        TypeError: `is_enable` is no bool, or `func_list` no list.
        NotImplementedError: `is_enable` is False.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behaviour described for MindSpore 2.10.

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
