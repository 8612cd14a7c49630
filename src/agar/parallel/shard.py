"""How tensors lie on several processes: layouts, and functions and cells with a strategy."""

from __future__ import annotations

import copy
import functools
import math
from collections.abc import Callable
from typing import Any

from agar._core.distributed.strategies import Strategy, check_strategy
from agar.nn.cell import Cell

__all__ = ["Layout", "shard"]

_VIRTUAL = "interleaved_parallel"


class Layout:
    """A grid of devices with named axes, and which axis of a tensor is split along which of them.

    Args:
        device_matrix (tuple[int]): the shape of the grid.
        alias_name (tuple[str]): the names of its axes; ``"interleaved_parallel"`` only at the end.
        rank_list (list[int]): the devices in the grid's order. Default: ``None``: 0, 1, ...

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: arguments do not fit together.

    Difference from PyTorch: ``torch.distributed.device_mesh.DeviceMesh`` and placements.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.parallel import Layout
        >>> layout = Layout((2, 2, 2), ("dp", "sp", "mp"))
        >>> layout("dp", "mp").to_dict()["tensor_map"]
        (2, 0)
    """

    def __init__(
        self,
        device_matrix: tuple[int, ...],
        alias_name: tuple[str, ...],
        rank_list: list[int] | None = None,
    ) -> None:
        for name, value, kind in (
            ("device_matrix", device_matrix, int),
            ("alias_name", alias_name, str),
        ):
            if not isinstance(value, tuple):
                raise TypeError(f"{name} must be tuple type, but got:{type(value)}")
            for entry in value:
                if not isinstance(entry, kind):
                    raise TypeError(
                        f"The element of {name} must be {kind.__name__} type, but got:{type(entry)}"
                    )
        if len(device_matrix) != len(alias_name):
            raise ValueError("device_matrix length should be equal to alias_name length")
        if "" in alias_name or "None" in alias_name:
            raise ValueError(
                "The element of alias_name can not be empty, nor 'None', which means no sharding."
            )
        if len(set(alias_name)) != len(alias_name):
            raise ValueError(f"Each element of alias_name {alias_name} should be different")
        if _VIRTUAL in alias_name[:-1]:
            raise ValueError(
                f"When alias_name {alias_name} contains keyword '{_VIRTUAL}', it should be at the "
                "last dim of alias_name, which means the virtual sharding."
            )
        count = math.prod(device_matrix)
        if rank_list is not None:
            if not isinstance(rank_list, list):
                raise TypeError(
                    f"The rank_list should be a list, but got {type(rank_list).__name__}."
                )
            if not all(isinstance(r, int) for r in rank_list):
                raise TypeError(f"The element of rank_list should be int, but got {rank_list}.")
            if len(rank_list) != count:
                raise ValueError(
                    "The length of rank_list should be equal to the product of device_matrix, but "
                    f"got {len(rank_list)} and {count}."
                )
        self._device_shape = device_matrix
        self._alias_name = alias_name
        self._tensor_map: tuple[Any, ...] | None = None
        self._rank_list = list(range(count)) if rank_list is None else rank_list

    def __call__(self, *tensor_map: Any) -> Layout:
        """The layout of a tensor: for each of its axes a name, a tuple of names, or ``"None"``."""
        used: list[str] = []

        def place(name: str) -> int:
            if name == "None":
                return -1
            if name not in self._alias_name:
                raise ValueError(f"The axis {name} is not found in {self._alias_name}")
            if name in used:
                raise ValueError(
                    f"The axis {name} has been set more than one in {self._alias_name}"
                )
            used.append(name)
            return len(self._alias_name) - 1 - self._alias_name.index(name)

        result = copy.deepcopy(self)
        result._tensor_map = tuple(
            tuple(place(n) for n in entry) if isinstance(entry, tuple) else place(entry)
            for entry in tensor_map
        )
        return result

    def to_dict(self) -> dict[str, Any]:
        """The layout as a dict.

        Raises:
            ValueError: the layout was not called with the axes of a tensor.
        """
        if self._tensor_map is None:
            raise ValueError("The tensor_map of layout is None")
        return {
            "device_matrix": self._device_shape,
            "tensor_map": self._tensor_map,
            "interleaved_parallel": _VIRTUAL in self._alias_name,
            "alias_name": self._alias_name,
            "rank_list": self._rank_list,
        }


def shard(
    fn: Callable[..., Any],
    in_strategy: Any,
    out_strategy: Any = None,
    parameter_plan: dict[str, Any] | None = None,
) -> Callable[..., Any]:
    """A function or Cell whose tensors lie on several processes as a strategy says.

    At a call the inputs are laid out, the operators inside compute with the parts that each process
    has, and the outputs are laid out if there is an `out_strategy`. With one process nothing is
    cut. Plain inputs have to be the same in all processes.

    Args:
        fn (Union[Cell, function]): what is computed.
        in_strategy (tuple): for each input Tensor into how many parts each dimension is cut, as a
            tuple of int, or a Layout; None leaves the Tensor as it is.
        out_strategy (tuple): the same of the outputs. Default: ``None``, they stay as they come.
        parameter_plan (dict): how parameters lie: their name to a tuple of int or a Layout.
            Default: ``None``.

    Returns:
        A function for a function. A Cell is changed itself, and returned.

    Raises:
        TypeError: `fn` cannot be called, or a strategy is not a tuple of tuples of int and Layouts.
        ValueError: at a call: a number of parts does not divide a dimension or the number of
            processes, or there are other numbers of tensors or dimensions.

    Difference from PyTorch: ``torch.distributed.tensor.parallel.parallelize_module``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> double = ms.shard(lambda x: x * 2, in_strategy=((1,),))
        >>> print(double(ms.Tensor([1.0])))
        [2.]
    """
    if not callable(fn):
        raise TypeError(f"For 'Shard', the 'fn' must be a Cell or a function, but got {type(fn)}.")
    if parameter_plan is not None and not isinstance(parameter_plan, dict):
        raise TypeError(
            f"For 'Shard', the 'parameter_plan' should be a dict, but got {type(parameter_plan)}."
        )
    if isinstance(fn, Cell):
        return fn.shard(in_strategy, out_strategy, parameter_plan)
    label = "'Shard'"
    check_strategy(label, "in_strategy", in_strategy)
    if out_strategy is not None:
        check_strategy(label, "out_strategy", out_strategy)
    if parameter_plan:
        raise TypeError(
            "For 'Shard', a 'parameter_plan' names parameters of a Cell, but 'fn' is a function; "
            "call shard on the Cell."
        )
    strategy = Strategy(label, "", in_strategy, out_strategy)

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        return strategy.call(fn, None, args, kwargs)

    call.__dict__["_strategy"] = strategy
    return call


class _DistributedTensorInfo:
    """How a tensor lies on devices.

    Args:
        distributed_info (Layout): a layout that was called with the axes of the tensor.

    Raises:
        TypeError: it is something else.
    """

    def __init__(self, distributed_info: Any) -> None:
        if not isinstance(distributed_info, Layout):
            raise TypeError(
                "DistributedTensorInfo only supports Layout or DeviceMesh as input, but got "
                f"{type(distributed_info)}"
            )
        self.layout = self.distributed_info = distributed_info

    @property
    def sharding_strategy(self) -> list[int]:
        """Into how many parts each axis is split."""
        described = self.layout.to_dict()
        sizes = described["device_matrix"][::-1]
        axes = [(a,) if isinstance(a, int) else a for a in described["tensor_map"]]
        return [math.prod(sizes[i] for i in places if i != -1) for places in axes]
