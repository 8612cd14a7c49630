"""Messages, barriers and neighbor exchanges as Primitive classes (``ops.Send``)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from agar._core.absent import Absent, Family
from agar._core.context import torch_device
from agar._core.distributed.process_groups import WORLD, groups, node
from agar._core.dtype import to_torch_dtype
from agar._core.optable import Primitive
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap
from agar.ops._checks import choice, integer, ints
from agar.ops.collective.handles import list_argument
from agar.ops.collective.primitives import Collective, no_gradient, other_rank

__all__: list[str] = [
    "Barrier",
    "BatchISendIRecv",
    "MoveTo",
    "NeighborExchange",
    "NeighborExchangeV2",
    "Pull",
    "Push",
    "Receive",
    "Reshard",
    "Send",
    "move_to",
]


class Barrier(Collective):
    """Wait until all processes are here.

    Args:
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Outputs:
        Tensor, one zero.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.barrier``.

    Source: behavior described for MindSpore 2.10.

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


class Send(Collective):
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
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.send``; no gradient comes back.

    Source: behavior described for MindSpore 2.10.

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
        peer = other_rank(self, self.dest_rank)
        no_gradient("Send", value.requires_grad)
        node(_send_now, value, peer, self.group, self.sr_tag, what="send", gives="nothing")
        return input_x


class Receive(Collective):
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
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.recv`` writes into its tensor.

    Source: behavior described for MindSpore 2.10.

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
        shape = tuple(ints("Receive", "shape", shape))
        super().__init__(group, sr_tag=sr_tag, src_rank=src_rank, shape=shape, dtype=dtype)

    def __call__(self, *unused: Any) -> Tensor:
        peer = other_rank(self, self.src_rank)
        no_gradient("Receive", bool(thread.grad_scopes))
        dtype = to_torch_dtype(self.dtype, op_name="Receive")
        kind = self.shape, dtype, torch_device()
        return wrap(node(_receive_now, *kind, peer, self.group, self.sr_tag, what="receive"))


class BatchISendIRecv(Collective):
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
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.

    Difference from PyTorch: ``torch.distributed.batch_isend_irecv`` takes objects.

    Source: behavior described for MindSpore 2.10.

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
        op_name = "BatchISendIRecv"
        list_argument(op_name, "op_types", op_types, " of 'isend' and 'irecv'")
        ints(op_name, "remote_ranks", remote_ranks)
        if receive_shapes is not None:
            list_argument(op_name, "receive_shapes", receive_shapes, " of shapes")
        if receive_dtypes is not None:
            list_argument(op_name, "receive_dtypes", receive_dtypes, " of types")
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
        no_gradient("BatchISendIRecv", tracked or any(v.requires_grad for v in values))
        kinds = [
            (tuple(shape), to_torch_dtype(dtype, op_name="BatchISendIRecv"), torch_device())
            for shape, dtype in zip(self.receive_shapes, self.receive_dtypes, strict=True)
        ]
        peers = tuple([other_rank(self, peer) for peer in self.remote_ranks])
        call = tuple(self.op_types), peers, self.group
        return wrap(node(_batch_now, values, kinds, *call, what="send, receive", gives="tensors"))


def _send_now(value: torch.Tensor, peer: int, group: str, tag: int) -> None:
    message = groups.send(value, peer, group, tag)
    if message is not None:
        message.wait()


def _receive_now(
    shape: tuple[int, ...], dtype: Any, device: Any, peer: int, group: str, tag: int
) -> torch.Tensor:
    value = torch.empty(shape, dtype=dtype, device=device)
    message = groups.receive(value, peer, group, tag)
    if message is not None:
        message.wait()
    return value


def _batch_now(
    values: Sequence[torch.Tensor],
    kinds: Sequence[tuple[Any, ...]],
    op_types: Sequence[str],
    peers: Sequence[int],
    group: str,
) -> tuple[torch.Tensor, ...]:
    sent = iter([v.detach().contiguous() for v in values])
    expected = iter(kinds)
    handles, results = [], []
    for kind, peer in zip(op_types, peers, strict=True):
        if kind == "isend":
            value = next(sent)
            results.append(value.new_zeros(()))
            handles.append(groups.send(value, peer, group))
        else:
            shape, dtype, device = next(expected)
            value = torch.empty(shape, dtype=dtype, device=device)
            results.append(value)
            handles.append(groups.receive(value, peer, group))
    for handle in handles:
        if handle is not None:
            handle.wait()
    return tuple(results)


def _neighbors(op_name: str, name: str, ranks: Any, least: int, size: int) -> list[int]:
    """Ranks in a group, each at most once; -1 may stand for none."""
    if not isinstance(ranks, (list, tuple)):
        raise TypeError(
            f"For '{op_name}', the '{name}' must be a list, but got {type(ranks).__name__}."
        )
    items = [integer(op_name, name, rank, least) for rank in ranks]
    real = [rank for rank in items if rank >= 0]
    if len(set(real)) < len(real) or any(rank >= size for rank in real):
        raise ValueError(
            f"For '{op_name}', the '{name}' must be different ranks of a group of {size}, but got "
            f"{items}."
        )
    return items


def _collective(
    primitive: Collective,
    parts: Sequence[torch.Tensor],
    send: Sequence[int],
    receive: Sequence[int],
    shapes: Sequence[Sequence[int]],
) -> tuple[list[torch.Tensor], torch.Tensor]:
    """What came from the ranks `receive`, while `parts` went to the ranks `send`, and all of it."""
    size = primitive.rank_size
    there, back = [0] * size, [0] * size
    for rank, part in zip(send, parts, strict=True):
        there[rank] = part.numel()
    for rank, shape in zip(receive, shapes, strict=True):
        back[rank] = math.prod(shape)
    order = sorted(range(len(send)), key=send.__getitem__)
    flat = torch.cat([parts[i].reshape(-1) for i in order])
    whole = groups.all_to_all(flat, there, back, primitive.group)
    came = whole.split(back)
    return [came[r].reshape(tuple(s)) for r, s in zip(receive, shapes, strict=True)], whole


class NeighborExchange(Collective):
    """Send tensors to some processes and receive tensors from some, with gradients.

    All processes of the group call it; one without neighbors gives empty lists and one Tensor
    without elements.

    Args:
        send_rank_ids (list[int]): whom to send to, as ranks in the group.
        recv_rank_ids (list[int]): whom to receive from.
        recv_shapes (tuple[list[int]]): shapes of what comes.
        send_shapes (tuple[list[int]]): shapes of what goes.
        recv_type (Type): the type of what comes, which is that of what goes.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (tuple[Tensor]) - what is sent, of `send_shapes`.

    Outputs:
        tuple[Tensor], of `recv_shapes`.

    Raises:
        TypeError: an argument has the wrong type, or an input is not of `recv_type`.
        ValueError: ranks or shapes do not fit, here or with those of another process.

    Difference from PyTorch: ``torch.distributed.batch_isend_irecv``, which has no gradient.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> exchange = ms.ops.NeighborExchange([0], [0], ([2],), ([2],), ms.float32)
        >>> print(exchange((ms.Tensor([1.0, 2.0]),))[0])
        [1. 2.]
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

    def __call__(self, input_x: Any) -> tuple[Tensor, ...]:
        name = "NeighborExchange"
        if not isinstance(input_x, (tuple, list)) or not input_x:
            raise TypeError(f"For '{name}', the 'input_x' must be a tuple of Tensors.")
        parts = [self._value(f"input_x[{i}]", x) for i, x in enumerate(input_x)]
        size, dtype = self.rank_size, to_torch_dtype(self.recv_type, op_name=name)
        send = _neighbors(name, "send_rank_ids", self.send_rank_ids, 0, size)
        receive = _neighbors(name, "recv_rank_ids", self.recv_rank_ids, 0, size)
        if not send and sum(part.numel() for part in parts) == 0:
            parts, empty = [], parts[0].reshape(-1)
        else:
            empty = None
        shapes = [tuple(shape) for shape in self.send_shapes]
        if [tuple(part.shape) for part in parts] != shapes or len(shapes) != len(send):
            raise ValueError(
                f"For '{name}', the inputs must be of the 'send_shapes' {shapes}, one for each of "
                f"the 'send_rank_ids' {send}, but got {[tuple(p.shape) for p in parts]}."
            )
        if len(self.recv_shapes) != len(receive):
            raise ValueError(
                f"For '{name}', there must be one of the 'recv_shapes' for each of the "
                f"'recv_rank_ids' {receive}, but got {list(self.recv_shapes)}."
            )
        wrong = [part.dtype for part in parts if part.dtype != dtype]
        if wrong:
            raise TypeError(f"For '{name}', an input is {wrong[0]}, but 'recv_type' is {dtype}.")
        if empty is not None:
            parts, send = [empty], [self.rank]
        if not receive:  # the way back would begin at a result
            no_gradient(name, any(part.requires_grad for part in parts))
        return wrap(tuple(_collective(self, parts, send, receive, self.recv_shapes)[0]))


#: Of the eight neighbors, from the top around to the right: which edges of an image they touch.
_DIRECTIONS = (
    ("top", None),
    ("top", "right"),
    (None, "right"),
    ("bottom", "right"),
    ("bottom", None),
    ("bottom", "left"),
    (None, "left"),
    ("top", "left"),
)
_EDGES: tuple[str, ...] = ("top", "bottom", "left", "right")


def _edge(length: int, extent: int, side: str | None) -> slice:
    """What of an axis goes to a neighbor on a side: its edge, or all where it is beside."""
    if side is None:
        return slice(None)
    return slice(0, length) if side in ("top", "left") else slice(extent - length, extent)


class NeighborExchangeV2(Collective):
    """Surround an image with the edges of those of the eight neighbors in a grid of processes.

    All processes of the group call it. Where there is no neighbor the surrounding is 0.

    Args:
        send_rank_ids (list[int]): the eight neighbors to send to, as ranks in the group: top, top
            right, right, bottom right, bottom, bottom left, left, top left; -1 for none.
        send_lens (list[int]): how many rows and columns go: to the top, bottom, left and right.
        recv_rank_ids (list[int]): the eight neighbors to receive from, in the same order.
        recv_lens (list[int]): how many rows and columns come: top, bottom, left and right.
        data_format (str): ``"NCHW"``.
        group (str): the group's name. Default: ``"hccl_world_group"``: all processes.

    Inputs:
        - **input_x** (Tensor) - shape (N, C, H, W).

    Outputs:
        Tensor of shape (N, C, H + top + bottom, W + left + right) of `recv_lens`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: ranks or lengths do not fit, here or with those of another process, or
            `data_format` is another.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> none = [-1] * 8
        >>> exchange = ms.ops.NeighborExchangeV2(none, [0] * 4, none, [1, 0, 0, 1], "NCHW")
        >>> print(exchange(ms.ops.ones((1, 1, 1, 2)))[0, 0])
        [[0. 0. 0.]
         [1. 1. 0.]]
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
        name = "NeighborExchangeV2"
        choice(name, "data_format", data_format, ("NCHW",))
        for argument, value, count in (
            ("send_rank_ids", send_rank_ids, 8),
            ("recv_rank_ids", recv_rank_ids, 8),
            ("send_lens", send_lens, 4),
            ("recv_lens", recv_lens, 4),
        ):
            if not isinstance(value, list):
                raise TypeError(
                    f"For '{name}', the '{argument}' must be a list, but got "
                    f"{type(value).__name__}."
                )
            if len(value) != count:
                raise ValueError(
                    f"For '{name}', the '{argument}' must have {count} numbers, but got {value}."
                )
            for number in value:
                integer(name, argument, number, -1 if count == 8 else 0)
        super().__init__(
            group,
            send_rank_ids=send_rank_ids,
            send_lens=send_lens,
            recv_rank_ids=recv_rank_ids,
            recv_lens=recv_lens,
            data_format=data_format,
        )

    def __call__(self, input_x: Tensor) -> Tensor:
        name, value = "NeighborExchangeV2", self._value("input_x", input_x)
        if value.dim() != 4:
            raise ValueError(
                f"For '{name}', the 'input_x' must have 4 axes, but got {value.dim()}."
            )
        height, width = value.shape[2:]
        goes: dict[str, int] = dict(zip(_EDGES, self.send_lens, strict=True))
        comes: dict[str, int] = dict(zip(_EDGES, self.recv_lens, strict=True))
        if max(goes["top"], goes["bottom"]) > height or max(goes["left"], goes["right"]) > width:
            raise ValueError(
                f"For '{name}', the 'send_lens' {self.send_lens} are larger than an image of "
                f"{height} rows and {width} columns."
            )
        size = self.rank_size
        send = _neighbors(name, "send_rank_ids", self.send_rank_ids, -1, size)
        receive = _neighbors(name, "recv_rank_ids", self.recv_rank_ids, -1, size)
        parts = {}
        for rank, (row, column) in zip(send, _DIRECTIONS, strict=True):
            if rank >= 0:
                rows = _edge(goes.get(row or "", 0), height, row)
                parts[rank] = value[:, :, rows, _edge(goes.get(column or "", 0), width, column)]
        if not parts:
            parts[self.rank] = value[:0].reshape(-1)
        origins, shapes, places = [], [], []
        whole = (height + comes["top"] + comes["bottom"], width + comes["left"] + comes["right"])
        for rank, (row, column) in zip(receive, _DIRECTIONS, strict=True):
            if rank >= 0:
                shape = (comes[row] if row else height, comes[column] if column else width)
                origins.append(rank)
                shapes.append((*value.shape[:2], *shape))
                places.append(
                    (
                        _edge(shape[0], whole[0], row) if row else _inside(comes["top"], height),
                        _edge(shape[1], whole[1], column)
                        if column
                        else _inside(comes["left"], width),
                    )
                )
        got, came = _collective(self, list(parts.values()), list(parts), origins, shapes)
        out = value.new_zeros((*value.shape[:2], *whole))
        out[:, :, _inside(comes["top"], height), _inside(comes["left"], width)] = value
        for (rows, columns), part in zip(places, got, strict=True):
            out[:, :, rows, columns] = part
        # a process that receives nothing takes part in the gradient of what it sent
        return wrap(out + came[:0].sum())


def _inside(before: int, extent: int) -> slice:
    return slice(before, before + extent)


def move_to(input: Tensor, to: str = "CPU", blocking: bool = True) -> Tensor:
    """The tensor on the CPU, or on the program's device.

    Args:
        input (Tensor): any shape and type.
        to (str): ``"CPU"``; or ``"GPU"``, ``"Ascend"`` or ``"npu"``, which all mean the current
            device, see :func:`agar.set_device`. Default: ``"CPU"``.
        blocking (bool): whether to wait for the copy. Default: ``True``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `to` is another.

    Difference from PyTorch: ``Tensor.to(device)``; the accelerator is the current device.

    Source: behavior described for MindSpore 2.10.

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
        TypeError: an argument has the wrong type.
        ValueError: `to` is unknown.

    Difference from PyTorch: ``Tensor.to(device)``; the accelerator is the current device.

    Source: behavior described for MindSpore 2.10.

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

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: no counterpart.

    Source: the name of MindSpore 2.10.
    """

    _absent = ("ops.Push", _SERVERS)


class Pull(Absent):
    """Fetch weights from a parameter server; making one raises an error.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: no counterpart.

    Source: the name of MindSpore 2.10.
    """

    _absent = ("ops.Pull", _SERVERS)


class Reshard(Absent):
    """Place a tensor over several devices in another way; making one raises an error.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.

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


# programs that print a class see where MindSpore has it
for _name in __all__:
    globals()[_name].__module__ = "agar.ops.operations.comm_ops"
