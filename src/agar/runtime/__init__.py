"""Streams, events, memory and threads of the device."""

from agar.runtime.event import Event as Event
from agar.runtime.executor import dispatch_threads_num as dispatch_threads_num
from agar.runtime.executor import launch_blocking as launch_blocking
from agar.runtime.executor import set_cpu_affinity as set_cpu_affinity
from agar.runtime.executor import set_kernel_launch_capture as set_kernel_launch_capture
from agar.runtime.executor import set_kernel_launch_group as set_kernel_launch_group
from agar.runtime.limits import StreamLimitCtx as StreamLimitCtx
from agar.runtime.limits import get_device_limit as get_device_limit
from agar.runtime.limits import get_stream_limit as get_stream_limit
from agar.runtime.limits import reset_stream_limit as reset_stream_limit
from agar.runtime.limits import set_device_limit as set_device_limit
from agar.runtime.limits import set_stream_limit as set_stream_limit
from agar.runtime.memory import MemPool as MemPool
from agar.runtime.memory import PluggableAllocator as PluggableAllocator
from agar.runtime.memory import empty_cache as empty_cache
from agar.runtime.memory import max_memory_allocated as max_memory_allocated
from agar.runtime.memory import max_memory_reserved as max_memory_reserved
from agar.runtime.memory import memory_allocated as memory_allocated
from agar.runtime.memory import memory_replay as memory_replay
from agar.runtime.memory import memory_reserved as memory_reserved
from agar.runtime.memory import memory_stats as memory_stats
from agar.runtime.memory import memory_summary as memory_summary
from agar.runtime.memory import reset_max_memory_allocated as reset_max_memory_allocated
from agar.runtime.memory import reset_max_memory_reserved as reset_max_memory_reserved
from agar.runtime.memory import reset_peak_memory_stats as reset_peak_memory_stats
from agar.runtime.memory import set_memory as set_memory
from agar.runtime.memory import use_mem_pool as use_mem_pool
from agar.runtime.stream import Stream as Stream
from agar.runtime.stream import StreamCtx as StreamCtx
from agar.runtime.stream import communication_stream as communication_stream
from agar.runtime.stream import current_stream as current_stream
from agar.runtime.stream import default_stream as default_stream
from agar.runtime.stream import set_cur_stream as set_cur_stream
from agar.runtime.stream import synchronize as synchronize

__all__ = [
    "Event",
    "MemPool",
    "PluggableAllocator",
    "Stream",
    "StreamCtx",
    "StreamLimitCtx",
    "communication_stream",
    "current_stream",
    "default_stream",
    "dispatch_threads_num",
    "empty_cache",
    "get_device_limit",
    "get_stream_limit",
    "launch_blocking",
    "max_memory_allocated",
    "max_memory_reserved",
    "memory_allocated",
    "memory_replay",
    "memory_reserved",
    "memory_stats",
    "memory_summary",
    "reset_max_memory_allocated",
    "reset_max_memory_reserved",
    "reset_peak_memory_stats",
    "reset_stream_limit",
    "set_cpu_affinity",
    "set_cur_stream",
    "set_device_limit",
    "set_kernel_launch_capture",
    "set_kernel_launch_group",
    "set_memory",
    "set_stream_limit",
    "synchronize",
    "use_mem_pool",
]
