"""Collectives over Python objects."""

from __future__ import annotations

import pickle
from typing import Any

import torch

from agar._core.distributed.process_groups import groups
from agar._core.tensor import Tensor
from agar.ops.collective.groups import get_group_rank
from agar.ops.collective.handles import (
    checked_group,
    gathered_objects,
    pickle_tensor,
    rank_argument,
)
from agar.ops.collective.messages import recv, send

__all__: list[str] = [
    "all_gather_object",
    "broadcast_object_list",
    "gather_object",
    "recv_object_list",
    "scatter_object_list",
    "send_object_list",
]


def all_gather_object(object_list: list[Any], obj: Any, group: str | None = None) -> None:
    """Put the Python objects of all processes into a list. They are pickled.

    Args:
        object_list (list): one place for each process, written.
        obj (Any): this process's.
        group (str): the group's name. Default: ``None``: all processes.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> found = [None]
        >>> ms.ops.all_gather_object(found, {"a": 1})
        >>> found
        [{'a': 1}]
    """
    name = checked_group("all_gather_object", group)
    if not isinstance(object_list, list) or len(object_list) != groups.size(name):
        raise TypeError(
            "For 'all_gather_object', the len of argument object_list must be equal to group rank "
            f"size {groups.size(name)}, but got {object_list!r}."
        )
    object_list[:] = gathered_objects(obj, name)


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
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> found = [None]
        >>> ms.ops.gather_object("a", found)
        >>> found
        ['a']
    """
    name = checked_group("gather_object", group)
    target = rank_argument("gather_object", "dst", dst)
    result = gathered_objects(obj, name)
    if groups.world_rank == target:
        if not isinstance(object_gather_list, list) or len(object_gather_list) != len(result):
            raise TypeError(
                "For 'gather_object', the len of object_gather_list must be equal to group rank "
                f"size {len(result)}, but got {object_gather_list!r}."
            )
        object_gather_list[:] = result


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
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> found = [1, 2]
        >>> ms.ops.broadcast_object_list(found)
        >>> found
        [1, 2]
    """
    name = checked_group("broadcast_object_list", group)
    index = get_group_rank(name, rank_argument("broadcast_object_list", "src", src))
    if not isinstance(object_list, list) or not object_list:
        raise TypeError("For 'broadcast_object_list', the object_list can not be empty.")
    object_list[:] = gathered_objects(object_list, name)[index]


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
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> found = [None]
        >>> ms.ops.scatter_object_list(found, ["a"])
        >>> found
        ['a']
    """
    name = checked_group("scatter_object_list", group)
    index = get_group_rank(name, rank_argument("scatter_object_list", "src", src))
    if not isinstance(scatter_object_output_list, list) or not scatter_object_output_list:
        raise TypeError("For 'scatter_object_list', the output list can not be empty.")
    whole = gathered_objects(scatter_object_input_list, name)[index]
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
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the other process is this one.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.send_object_list([1], 0)
        Traceback (most recent call last):
        ...
        ValueError: For 'send', the 'dst' 0 is this process itself.
    """
    checked_group("send_object_list", group)
    data = pickle_tensor(object_list)
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
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the other process is this one.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.recv_object_list([None], 0)
        Traceback (most recent call last):
        ...
        ValueError: For 'recv', the 'src' 0 is this process itself.
    """
    checked_group("recv_object_list", group)
    count = Tensor(torch.zeros(1, dtype=torch.int64))
    recv(count, src, group)
    data = Tensor(torch.empty(int(count._value), dtype=torch.uint8))
    recv(data, src, group)
    object_list[:] = pickle.loads(data._value.numpy().tobytes())
    return src
