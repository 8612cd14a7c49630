"""The context under MindSpore's module path ``mindspore.context``."""

from __future__ import annotations

from typing import Any

from agar._core.context import GRAPH_MODE as GRAPH_MODE
from agar._core.context import PYNATIVE_MODE as PYNATIVE_MODE
from agar._core.context import ParallelMode as ParallelMode
from agar._core.context import get_context as get_context
from agar._core.context import set_context as set_context
from agar._core.distributed.process_groups import groups
from agar._core.multi_device import world
from agar._core.older import with_todays_keys
from agar._core.settings import auto_parallel, parameter_servers

__all__ = [
    "COMPATIBLE",
    "GRAPH_MODE",
    "LAX",
    "PYNATIVE_MODE",
    "STRICT",
    "ParallelMode",
    "get_auto_parallel_context",
    "get_context",
    "get_ps_context",
    "reset_auto_parallel_context",
    "reset_ps_context",
    "set_auto_parallel_context",
    "set_context",
    "set_offload_context",
    "set_ps_context",
]

# levels of what Python a graph may hold, as `jit_syntax_level` of older programs
STRICT = 0
COMPATIBLE = 1
LAX = 2


def set_auto_parallel_context(**kwargs: Any) -> None:
    """Set how a program is distributed over devices; the settings are checked and kept.

    With ``parallel_mode`` ``"data_parallel"`` (or ``"hybrid_parallel"``) `nn.TrainOneStepCell`,
    `nn.TrainOneStepWithLossScaleCell` and `Model.train` reduce gradients over the processes of a
    launcher: their sum, or with ``gradients_mean`` their mean. With ``parameter_broadcast`` the
    first step sends the parameters of process 0 to all; without it processes that begin with
    different ones raise. With ``pipeline_stages``, and ``parallel_mode`` ``"semi_auto_parallel"``,
    a network in :class:`agar.nn.PipelineCell` is cut into stages; ``pipeline_config`` chooses the
    schedule. Other settings that split a model raise with several processes, when they are set or
    when `communication.init` joins the processes. One process holds them.

    Args:
        kwargs (Any): settings by name, such as ``parallel_mode``, ``gradients_mean``,
            ``device_num``, ``global_rank``, ``parameter_broadcast``, ``full_batch`` or
            ``dataset_strategy``.

    Raises:
        ValueError: a name is unknown or a value out of range.
            Or ``device_num`` or ``global_rank`` is not what the launcher says.
        TypeError: a value has the wrong type.
        NotImplementedError: several processes have joined, and do not execute the setting.

    Difference from PyTorch: PyTorch wraps the model instead (DistributedDataParallel, FSDP).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
        >>> ms.get_auto_parallel_context("parallel_mode")
        'data_parallel'
        >>> ms.reset_auto_parallel_context()
    """
    kwargs = with_todays_keys("set_auto_parallel_context", kwargs, auto_parallel.knows)
    auto_parallel.check(**kwargs)
    values = {**kwargs, **kwargs.get("pipeline_config", {})}
    world.check_settings(values)
    auto_parallel.set(**values)
    world.changed()


def get_auto_parallel_context(attr_key: str) -> Any:
    """Read one setting of :func:`set_auto_parallel_context`.

    After `communication.init` under a launcher, ``device_num`` and ``global_rank`` are those of the
    launcher unless they were set.

    Args:
        attr_key (str): the name of the setting.

    Raises:
        ValueError: the name is unknown.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.get_auto_parallel_context("device_num")
        1
    """
    if attr_key not in auto_parallel and groups.inited:
        if attr_key == "device_num":
            return groups.world_size
        if attr_key == "global_rank":
            return groups.world_rank
    return auto_parallel.get(attr_key)


def reset_auto_parallel_context() -> None:
    """Reset every setting of :func:`set_auto_parallel_context` to its default.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.reset_auto_parallel_context()
        >>> ms.get_auto_parallel_context("parallel_mode")
        'stand_alone'
    """
    auto_parallel.reset()
    world.changed()


def set_ps_context(**kwargs: Any) -> None:
    """Set how parameter servers are used; checked and kept, as agar has none.

    Args:
        kwargs (Any): settings by name, such as ``enable_ps`` or ``enable_ssl``.

    Raises:
        ValueError: a name is unknown.
        TypeError: a value has the wrong type.
        NotImplementedError: ``enable_ps`` is True and several processes have joined.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.set_ps_context(enable_ssl=True)
        >>> ms.get_ps_context("enable_ssl")
        True
        >>> ms.reset_ps_context()
    """
    parameter_servers.check(**kwargs)
    world.check_servers(kwargs)
    parameter_servers.set(**kwargs)


def get_ps_context(attr_key: str) -> Any:
    """Read one setting of :func:`set_ps_context`.

    Args:
        attr_key (str): the name of the setting.

    Raises:
        ValueError: the name is unknown.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.get_ps_context("enable_ps")
        False
    """
    return parameter_servers.get(attr_key)


def reset_ps_context() -> None:
    """Reset every setting of :func:`set_ps_context` to its default.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.reset_ps_context()
    """
    parameter_servers.reset()


def set_offload_context(offload_config: dict[str, Any]) -> None:
    """Accepted: MindSpore 2 no longer moves tensors between memories by such a table.

    Args:
        offload_config (dict): the table.

    Raises:
        TypeError: it is not a dict.

    Difference from PyTorch: no counterpart.

    Source: the name of MindSpore 2.2.

    Examples:
        >>> from agar import context
        >>> context.set_offload_context({})
    """
    if not isinstance(offload_config, dict):
        raise TypeError(
            "For 'set_offload_context', the 'offload_config' must be a dict, but got "
            f"{type(offload_config).__name__}."
        )
