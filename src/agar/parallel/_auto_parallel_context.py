"""The context of automatic parallelism as an object, at MindSpore's private path."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from agar._core.settings import auto_parallel
from agar.context import get_auto_parallel_context, set_auto_parallel_context

__all__: list[str] = []

_DEFAULT_HCCL_FUSION_GROUP_NAME = "hccl_world_groupsum1"
_DEFAULT_NCCL_FUSION_GROUP_NAME = "nccl_world_groupsum1"


class _AutoParallelContext:
    """``set_<name>(value)`` and ``get_<name>()`` for every setting of the context."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        action, _, key = name.partition("_")
        known = {**auto_parallel.defaults, **auto_parallel._hidden}
        if action == "get" and key in known:
            return partial(get_auto_parallel_context, key)
        if action == "set" and key in known:
            return lambda value: set_auto_parallel_context(**{key: value})
        raise AttributeError(f"'_AutoParallelContext' object has no attribute '{name}'")

    def set_all_reduce_fusion_split_indices(self, indices: list[int], group: str = "") -> None:
        """Hold after which gradients messages are sent."""
        set_auto_parallel_context(all_reduce_fusion_config=indices)

    def get_all_reduce_fusion_split_indices(self) -> list[int]:
        """After which gradients messages are sent."""
        return get_auto_parallel_context("all_reduce_fusion_config")

    def set_all_reduce_fusion_split_sizes(self, sizes: list[int], group: str = "") -> None:
        """Hold how large messages are."""
        set_auto_parallel_context(all_reduce_fusion_config=sizes)

    def set_enable_all_reduce_fusion(self, enable: bool) -> None:
        """Accepted: messages are joined by the engine."""

    def get_device_num_is_set(self) -> bool:
        """Whether the number of devices was set."""
        return "device_num" in auto_parallel

    def get_parameter_broadcast_is_set(self) -> bool:
        """Whether it was said if parameters are sent to all."""
        return "parameter_broadcast" in auto_parallel

    def reset(self) -> None:
        """Give every setting its default."""
        auto_parallel.reset()


_context = _AutoParallelContext()


def auto_parallel_context() -> _AutoParallelContext:
    """The one object of the context."""
    return _context


def _set_auto_parallel_context(**kwargs: Any) -> None:
    set_auto_parallel_context(**kwargs)


def _get_auto_parallel_context(attr_key: str) -> Any:
    return get_auto_parallel_context(attr_key)


def _reset_auto_parallel_context() -> None:
    auto_parallel.reset()
