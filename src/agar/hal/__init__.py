"""Devices, and the streams, events and memory of `agar.runtime` at their older path."""

from agar.hal.device import device_count as device_count
from agar.hal.device import get_arch_list as get_arch_list
from agar.hal.device import get_device_capability as get_device_capability
from agar.hal.device import get_device_name as get_device_name
from agar.hal.device import get_device_properties as get_device_properties
from agar.hal.device import is_available as is_available
from agar.hal.device import is_initialized as is_initialized
from agar.runtime.event import Event as Event
from agar.runtime.memory import empty_cache as empty_cache
from agar.runtime.memory import max_memory_allocated as max_memory_allocated
from agar.runtime.memory import max_memory_reserved as max_memory_reserved
from agar.runtime.memory import memory_allocated as memory_allocated
from agar.runtime.memory import memory_reserved as memory_reserved
from agar.runtime.memory import memory_stats as memory_stats
from agar.runtime.memory import memory_summary as memory_summary
from agar.runtime.memory import reset_max_memory_allocated as reset_max_memory_allocated
from agar.runtime.memory import reset_max_memory_reserved as reset_max_memory_reserved
from agar.runtime.memory import reset_peak_memory_stats as reset_peak_memory_stats
from agar.runtime.stream import Stream as Stream
from agar.runtime.stream import StreamCtx as StreamCtx
from agar.runtime.stream import communication_stream as communication_stream
from agar.runtime.stream import current_stream as current_stream
from agar.runtime.stream import default_stream as default_stream
from agar.runtime.stream import set_cur_stream as set_cur_stream
from agar.runtime.stream import synchronize as synchronize

__all__ = [
    "Event",
    "Stream",
    "StreamCtx",
    "communication_stream",
    "current_stream",
    "default_stream",
    "device_count",
    "empty_cache",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "is_available",
    "is_initialized",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "reset_max_memory_allocated",
    "reset_max_memory_reserved",
    "reset_peak_memory_stats",
    "set_cur_stream",
    "synchronize",
]
