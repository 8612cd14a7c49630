"""Messages, barriers and neighbor exchanges as Primitive classes (``ops.Send``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from agar._core.absent import Absent, Family
from agar._core.context import torch_device
from agar._core.dtype import to_torch_dtype
from agar._core.optable import Primitive
from agar._core.process_groups import WORLD, groups
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap
from agar.ops._checks import choice
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
        TypeError: an argument is of the wrong type.
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
        TypeError: an argument is of the wrong type.
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
        message = groups.send(value, peer, self.group, self.sr_tag)
        if message is not None:
            message.wait()
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
        TypeError: an argument is of the wrong type.
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
        super().__init__(group, sr_tag=sr_tag, src_rank=src_rank, shape=tuple(shape), dtype=dtype)

    def __call__(self, *unused: Any) -> Tensor:
        peer = other_rank(self, self.src_rank)
        no_gradient("Receive", bool(thread.grad_scopes))
        value = torch.empty(
            self.shape, dtype=to_torch_dtype(self.dtype, who="Receive"), device=torch_device()
        )
        message = groups.receive(value, peer, self.group, self.sr_tag)
        if message is not None:
            message.wait()
        return wrap(value)


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
        TypeError: an argument is of the wrong type.
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
        sent = iter([v.detach().contiguous() for v in values])
        wanted = iter(zip(self.receive_shapes, self.receive_dtypes, strict=True))
        handles, results = [], []
        for kind, peer in zip(self.op_types, self.remote_ranks, strict=True):
            if kind == "isend":
                value = next(sent)
                results.append(value.new_zeros(()))
                handles.append(groups.send(value, other_rank(self, peer), self.group))
            else:
                shape, dtype = next(wanted)
                value = torch.empty(
                    tuple(shape),
                    dtype=to_torch_dtype(dtype, who="BatchISendIRecv"),
                    device=torch_device(),
                )
                results.append(value)
                handles.append(groups.receive(value, other_rank(self, peer), self.group))
        for handle in handles:
            if handle is not None:
                handle.wait()
        return wrap(tuple(results))


class NeighborExchange(Collective):
    """Exchange with the neighbors of a grid of processes; a call raises an error.

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

    Source: behavior described for MindSpore 2.10.
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
            "Ascend chips alone. Use mint.distributed.batch_isend_irecv with the neighbors' ranks."
        )


class NeighborExchangeV2(Collective):
    """Exchange with the neighbors of a grid of processes; a call raises an error.

    Args:
        send_rank_ids (list[int]): the eight neighbors to send to, -1 for none.
        send_lens (list[int]): how many rows and columns go.
        recv_rank_ids (list[int]): the eight neighbors to receive from.
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

    Source: behavior described for MindSpore 2.10.
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
            "Ascend chips alone. Use mint.distributed.batch_isend_irecv with the neighbors' ranks."
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
        TypeError: an argument is of the wrong type.
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


# programs that print a class see where MindSpore has it
for _name in __all__:
    globals()[_name].__module__ = "agar.ops.operations.comm_ops"
