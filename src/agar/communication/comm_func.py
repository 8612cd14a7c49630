"""Exchanges between processes that return their results (``communication.comm_func``).

MindSpore 2.9 replaced them by those of ``mint.distributed``, which write into their tensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# results are made by the engine
import torch

from agar._core.distributed.process_groups import WORLD, groups
from agar._core.dtype import to_torch_dtype
from agar._core.tensor import Tensor
from agar.communication.management import (  # noqa: F401  # MindSpore's module has them too
    get_group_rank_from_world_rank,
    get_group_size,
)
from agar.ops import communication as _write
from agar.ops._checks import ints
from agar.ops.collective.exchanges import all_to_all_v_c as all_to_all_v_c
from agar.ops.collective.groups import barrier as barrier
from agar.ops.collective.handles import CommHandle as CommHandle
from agar.ops.collective.handles import (
    checked_tensors,
    group_members,
    list_argument,
    tensor_argument,
)
from agar.ops.collective.messages import isend as isend
from agar.ops.collective.messages import send as send

__all__ = [
    "P2POp",
    "all_gather_into_tensor",
    "all_reduce",
    "all_to_all_single_with_output_shape",
    "all_to_all_v_c",
    "all_to_all_with_output_shape",
    "barrier",
    "batch_isend_irecv",
    "broadcast",
    "gather_into_tensor",
    "irecv",
    "isend",
    "recv",
    "reduce",
    "reduce_scatter_tensor",
    "scatter_tensor",
    "send",
]

_Pair = tuple[Tensor, CommHandle | None]


def _like(op_name: str, tensor: Any, rows: float = 1.0) -> Tensor:
    """An empty tensor for a result of `rows` times as many rows."""
    if not isinstance(tensor, Tensor):
        raise TypeError(
            f"For '{op_name}', the 'tensor' must be a Tensor, but got {type(tensor).__name__}."
        )
    value = tensor_argument(op_name, "tensor", tensor)._value
    if rows == 1.0:
        return Tensor(torch.empty_like(value))
    return Tensor(value.new_empty((int(value.shape[0] * rows), *value.shape[1:])))


def _size(op_name: str, group: Any) -> int:
    return len(group_members(op_name, group))


def all_reduce(
    tensor: Tensor, op: str = "sum", group: str = WORLD, async_op: bool = False
) -> _Pair:
    """The sum, or another reduction, over all processes, and a handle.

    Args:
        tensor (Tensor): this process's.
        op (str): ``"sum"``, ``"prod"``, ``"min"`` or ``"max"``. Default: ``"sum"``.
        group (str): the group's name. Default: all processes.
        async_op (bool): whether to return a handle. Default: ``False``: None.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.all_reduce`` writes into its tensor.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.communication.init()
        >>> print(ms.communication.comm_func.all_reduce(ms.Tensor([1.0]))[0])
        [1.]
    """
    _like("all_reduce", tensor)
    out = Tensor(tensor._value.detach().clone())
    return out, _write.all_reduce(out, op, group, async_op)


def all_gather_into_tensor(tensor: Tensor, group: str = WORLD, async_op: bool = False) -> _Pair:
    """The tensors of all processes along the first axis, and a handle.

    Args:
        tensor (Tensor): this process's.
        group (str): the group's name. Default: all processes.
        async_op (bool): whether to return a handle. Default: ``False``: None.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.all_gather_into_tensor`` writes into a tensor.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.communication.init()
        >>> print(ms.communication.comm_func.all_gather_into_tensor(ms.Tensor([1.0]))[0])
        [1.]
    """
    out = _like("all_gather_into_tensor", tensor, _size("all_gather_into_tensor", group))
    return out, _write.all_gather_into_tensor(out, tensor, group, async_op)


def reduce_scatter_tensor(
    tensor: Tensor, op: str = "sum", group: str = WORLD, async_op: bool = False
) -> _Pair:
    """This process's part, along the first axis, of the reduction over all, and a handle.

    Args:
        tensor (Tensor): the whole.
        op (str): ``"sum"``, ``"prod"``, ``"min"`` or ``"max"``. Default: ``"sum"``.
        group (str): the group's name. Default: all processes.
        async_op (bool): whether to return a handle. Default: ``False``: None.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the first axis cannot be shared equally.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.reduce_scatter_tensor`` writes into a tensor.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.communication.init()
        >>> print(ms.communication.comm_func.reduce_scatter_tensor(ms.Tensor([1.0]))[0])
        [1.]
    """
    out = _like("reduce_scatter_tensor", tensor, 1 / _size("reduce_scatter_tensor", group))
    return out, _write.reduce_scatter_tensor(out, tensor, op, group, async_op)


def reduce(tensor: Tensor, dst: int, op: str = "sum", group: str = WORLD) -> Tensor:
    """The reduction over all processes in one of them, one zero in the others.

    Args:
        tensor (Tensor): this process's.
        dst (int): the world rank of the one.
        op (str): ``"sum"``, ``"prod"``, ``"min"`` or ``"max"``. Default: ``"sum"``.
        group (str): the group's name. Default: all processes.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.reduce`` writes into its tensor.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.communication.init()
        >>> print(ms.communication.comm_func.reduce(ms.Tensor([1.0]), 0))
        [1.]
    """
    out, _ = all_reduce(tensor, op, group)
    return out if groups.world_rank == dst else Tensor(out._value.new_zeros(1))


def broadcast(tensor: Tensor, src: int = 0, group: str = WORLD) -> Tensor:
    """The tensor of one process, in all.

    Args:
        tensor (Tensor): of the same shape in every process.
        src (int): the world rank of the one. Default: ``0``.
        group (str): the group's name. Default: all processes.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.broadcast`` writes into its tensor.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.communication.init()
        >>> print(ms.communication.comm_func.broadcast(ms.Tensor([1.0])))
        [1.]
    """
    _like("broadcast", tensor)
    out = Tensor(tensor._value.detach().clone())
    _write.broadcast(out, src, group)
    return out


def scatter_tensor(tensor: Tensor, src: int = 0, group: str = WORLD) -> Tensor:
    """This process's part, along the first axis, of one process's tensor.

    Args:
        tensor (Tensor): of the same shape in every process.
        src (int): the world rank of the one. Default: ``0``.
        group (str): the group's name. Default: all processes.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.scatter`` takes a list.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.communication.init()
        >>> print(ms.communication.comm_func.scatter_tensor(ms.Tensor([1.0])))
        [1.]
    """
    out = _like("scatter_tensor", tensor, 1 / _size("scatter_tensor", group))
    _write.scatter_tensor(out, tensor, src, group)
    return out


def gather_into_tensor(tensor: Tensor, dst: int = 0, group: str = WORLD) -> Tensor:
    """The tensors of all processes along the first axis in one of them, one zero in the others.

    Args:
        tensor (Tensor): this process's.
        dst (int): the world rank of the one. Default: ``0``.
        group (str): the group's name. Default: all processes.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.gather`` fills a list.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.communication.init()
        >>> print(ms.communication.comm_func.gather_into_tensor(ms.Tensor([1.0])))
        [1.]
    """
    out = _like("gather_into_tensor", tensor, _size("gather_into_tensor", group))
    _write.gather_into_tensor(out, tensor, dst, group)
    return out if groups.world_rank == dst else Tensor(out._value.new_zeros(1))


def irecv(tensor: Tensor, src: int = 0, group: str = WORLD, tag: int = 0) -> _Pair:
    """Begin to receive a tensor; what is received, once the handle was waited for.

    Args:
        tensor (Tensor): gives shape and type.
        src (int): the other's world rank. Default: ``0``.
        group (str): the group's name. Default: all processes.
        tag (int): tells messages apart. Default: ``0``.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the other process is this one.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.irecv`` writes into its tensor.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.communication.init()
        >>> ms.communication.comm_func.irecv(ms.Tensor([1.0]))
        Traceback (most recent call last):
        ...
        ValueError: For 'irecv', the 'src' 0 is this process itself.
    """
    out = _like("irecv", tensor)
    return out, _write.irecv(out, src, group, tag)


def recv(tensor: Tensor, src: int = 0, group: str = WORLD, tag: int = 0) -> Tensor:
    """Wait for a tensor and return it.

    Args:
        tensor (Tensor): gives shape and type.
        src (int): the other's world rank. Default: ``0``.
        group (str): the group's name. Default: all processes.
        tag (int): tells messages apart. Default: ``0``.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the other process is this one.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.recv`` writes into its tensor.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.communication.init()
        >>> ms.communication.comm_func.recv(ms.Tensor([1.0]))
        Traceback (most recent call last):
        ...
        ValueError: For 'recv', the 'src' 0 is this process itself.
    """
    out = _like("recv", tensor)
    _write.recv(out, src, group, tag)
    return out


def _empty(op_name: str, name: str, shape: Any, like: Tensor) -> Tensor:
    if isinstance(shape, Tensor):
        return _like(op_name, shape)
    return Tensor(like._value.new_empty(tuple(ints(op_name, name, shape))))


def all_to_all_with_output_shape(
    output_shape_list: Sequence[Any],
    input_tensor_list: Sequence[Tensor],
    group: str | None = None,
    async_op: bool = False,
) -> tuple[tuple[Tensor, ...], CommHandle | None]:
    """Send one tensor to each process; what comes from each, and a handle.

    Args:
        output_shape_list (list): shapes, or Tensors that give them, of what comes.
        input_tensor_list (list[Tensor]): one for each process.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether to return a handle. Default: ``False``: None.

    Raises:
        TypeError: an argument is of the wrong type.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.all_to_all`` fills a list.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.communication.init()
        >>> exchange = ms.communication.comm_func.all_to_all_with_output_shape
        >>> print(exchange([(1,)], [ms.Tensor([1.0])])[0][0])
        [1.]
    """
    op_name = "all_to_all_with_output_shape"
    size = _size(op_name, group)
    inputs = checked_tensors(op_name, "input_tensor_list", input_tensor_list, size)
    shapes = list_argument(op_name, "output_shape_list", output_shape_list)
    outs = [
        _empty(op_name, f"output_shape_list[{i}]", shape, inputs[0])
        for i, shape in enumerate(shapes)
    ]
    return tuple(outs), _write.all_to_all(outs, inputs, group, async_op)


def all_to_all_single_with_output_shape(
    output_shape: Any,
    tensor: Tensor,
    output_split_sizes: Sequence[int] | None = None,
    input_split_sizes: Sequence[int] | None = None,
    group: str | None = None,
    async_op: bool = False,
) -> _Pair:
    """Send a part of a tensor, along the first axis, to each process; what comes, and a handle.

    Args:
        output_shape (Union[tuple, Tensor]): the shape of what comes.
        tensor (Tensor): the parts for all processes.
        output_split_sizes (list[int]): lengths of what comes. Default: ``None``: equal.
        input_split_sizes (list[int]): lengths of what goes. Default: ``None``: equal.
        group (str): the group's name. Default: ``None``: all processes.
        async_op (bool): whether to return a handle. Default: ``False``: None.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: lengths do not fit.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.all_to_all_single`` writes into a tensor.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.communication.init()
        >>> exchange = ms.communication.comm_func.all_to_all_single_with_output_shape
        >>> print(exchange((1,), ms.Tensor([1.0]))[0])
        [1.]
    """
    op_name = "all_to_all_single_with_output_shape"
    out = _empty(op_name, "output_shape", output_shape, tensor_argument(op_name, "tensor", tensor))
    receive, sent = (
        None if sizes is None else list(ints(op_name, name, sizes))
        for name, sizes in (
            ("output_split_sizes", output_split_sizes),
            ("input_split_sizes", input_split_sizes),
        )
    )
    return out, _write.all_to_all_single(out, tensor, receive, sent, group, async_op)


class P2POp(_write.P2POp):
    """A message to be sent or received by :func:`batch_isend_irecv`.

    Args:
        op (Union[str, function]): ``"isend"`` or ``"irecv"``, or the function of that name.
        tensor (Union[Tensor, tuple[int]]): what is sent, or the shape of what comes.
        peer (int): the other's world rank.
        group (str): the group's name. Default: ``None``: all processes.
        tag (int): 0. Default: ``0``.
        recv_dtype (Type): the type of what comes, with a shape. Default: ``None``.

    Raises:
        TypeError: an argument is of the wrong type, or `op` another.
        ValueError: a shape is given without `recv_dtype`.
        NotImplementedError: `tag` is not 0.

    Difference from PyTorch: ``torch.distributed.P2POp``; `op` may be a str, `tensor` a shape.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.communication.comm_func.P2POp("irecv", (), 0, recv_dtype=ms.float32).peer
        0
    """

    def __init__(
        self,
        op: Any,
        tensor: Any,
        peer: int,
        group: str | None = None,
        tag: int = 0,
        *,
        recv_dtype: Any = None,
    ) -> None:
        if isinstance(tensor, tuple):
            if recv_dtype is None:
                raise ValueError("For 'P2POp', give 'recv_dtype' with the shape of what comes.")
            tensor = Tensor(torch.empty(tensor, dtype=to_torch_dtype(recv_dtype, op_name="P2POp")))
        super().__init__(op, tensor, peer, group, tag)


def batch_isend_irecv(p2p_op_list: list[P2POp]) -> tuple[Tensor, ...]:
    """Do several sends and receives; for each what came, or one zero.

    Args:
        p2p_op_list (list[P2POp]): what to send and receive.

    Raises:
        TypeError: it is not a list of P2POp, or empty.
        RuntimeError: `init` was not called.

    Difference from PyTorch: ``torch.distributed.batch_isend_irecv`` returns handles.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.communication.comm_func import P2POp, batch_isend_irecv
        >>> ms.communication.init()
        >>> work = [P2POp("isend", ms.Tensor([3.0]), 0), P2POp("irecv", ms.Tensor([0.0]), 0)]
        >>> print(batch_isend_irecv(work)[1])
        [3.]
    """
    list_argument("batch_isend_irecv", "p2p_op_list", p2p_op_list)
    for entry in p2p_op_list:
        if isinstance(entry, P2POp) and entry.kind == "irecv":
            entry.tensor = _like("batch_isend_irecv", entry.tensor)
    for handle in _write.batch_isend_irecv(list(p2p_op_list)):
        handle.wait()
    return tuple(
        e.tensor if e.kind == "irecv" else Tensor(e.tensor._value.new_zeros(()))
        for e in p2p_op_list
    )
