"""Messages from one process to another (``mint.distributed.send`` and relatives)."""

from __future__ import annotations

from typing import Any

from agar._core.distributed.process_groups import groups
from agar._core.tensor import Tensor
from agar.ops.collective.handles import CommHandle, point_to_point, write_result

__all__: list[str] = ["P2POp", "batch_isend_irecv", "irecv", "isend", "recv", "send"]


class P2POp:
    """A message to be sent or received by :func:`batch_isend_irecv`.

    Args:
        op (Union[str, function]): ``"isend"`` or ``"irecv"``, or the function of that name.
        tensor (Tensor): what is sent, or written.
        peer (int): the other's world rank.
        group (str): the group's name. Default: ``None``: all processes.
        tag (int): 0. Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type, or `op` another.
        NotImplementedError: `tag` is not 0.

    Difference from PyTorch: ``torch.distributed.P2POp``; `op` may be a str.

    Source: behavior observed in MindSpore 2.10.

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


def send(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> None:
    """Send a tensor to one process and wait.

    Args:
        tensor (Tensor): what is sent.
        dst (int): the other's world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.
        tag (int): tells messages apart. Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the other process is this one.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.send(ms.Tensor([1.0]), 0)
        Traceback (most recent call last):
        ...
        ValueError: For 'send', the 'dst' 0 is this process itself.
    """
    point_to_point("send", tensor, "dst", dst, group, tag).wait()


def isend(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0) -> CommHandle:
    """Begin to send a tensor to one process.

    Args:
        tensor (Tensor): what is sent.
        dst (int): the other's world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.
        tag (int): tells messages apart. Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the other process is this one.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.isend(ms.Tensor([1.0]), 0)
        Traceback (most recent call last):
        ...
        ValueError: For 'isend', the 'dst' 0 is this process itself.
    """
    return point_to_point("isend", tensor, "dst", dst, group, tag)


def recv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> int:
    """Wait for a tensor from one process and put it into this one.

    Args:
        tensor (Tensor): written.
        src (int): the other's world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.
        tag (int): tells messages apart. Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the other process is this one.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.recv(ms.Tensor([1.0]), 0)
        Traceback (most recent call last):
        ...
        ValueError: For 'recv', the 'src' 0 is this process itself.
    """
    point_to_point("recv", tensor, "src", src, group, tag).wait()
    return 0


def irecv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0) -> CommHandle:
    """Begin to receive a tensor from one process into this one.

    Args:
        tensor (Tensor): written.
        src (int): the other's world rank. Default: ``0``.
        group (str): the group's name. Default: ``None``: all processes.
        tag (int): tells messages apart. Default: ``0``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: `init` was not called.
        ValueError: the other process is this one.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.init_process_group()
        >>> ms.ops.irecv(ms.Tensor([1.0]), 0)
        Traceback (most recent call last):
        ...
        ValueError: For 'irecv', the 'src' 0 is this process itself.
    """
    return point_to_point("irecv", tensor, "src", src, group, tag)


def batch_isend_irecv(p2p_op_list: list[P2POp]) -> list[CommHandle]:
    """Begin several sends and receives.

    Args:
        p2p_op_list (list[P2POp]): what to send and receive.

    Raises:
        TypeError: it is not a list of P2POp, or empty.
        RuntimeError: `init` was not called.

    Difference from PyTorch: groups are names; one process needs no launcher.

    Source: behavior described for MindSpore 2.10.

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
        write_result("batch_isend_irecv", entry.tensor, value)
    for entry in p2p_op_list:
        if entry.peer != groups.world_rank:
            argument = "dst" if entry.kind == "isend" else "src"
            handles.append(
                point_to_point(
                    entry.kind, entry.tensor, argument, entry.peer, entry.group, entry.tag
                )
            )
    return handles or [CommHandle()]
