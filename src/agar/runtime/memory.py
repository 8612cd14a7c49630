"""Memory of the device: how much is in use. On the CPU nothing is counted, as in MindSpore."""

from __future__ import annotations

import re
from typing import Any

# memory is the engine's
import torch

from agar._core.absent import Absent, Family, refuse
from agar._core.context import set_context, torch_device
from agar._core.malloc import give_back

__all__ = [
    "MemPool",
    "PluggableAllocator",
    "empty_cache",
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
    "set_memory",
    "use_mem_pool",
]

_POOLS = Family(
    "it plugs an allocator into MindSpore's Ascend runtime",
    "Use torch.cuda.MemPool on a GPU, or torch_npu's allocators",
)


def _cuda() -> torch.device | None:
    device = torch_device()
    return device if device.type == "cuda" else None


def memory_stats() -> dict[str, Any]:
    """What the memory of the device holds, in bytes, by name.

    Returns:
        dict: ``total_reserved_memory``, ``total_allocated_memory``, ``total_idle_memory``,
        ``total_eager_free_memory``, ``max_reserved_memory``, ``max_allocated_memory``,
        ``common_mem_pool_stats`` and ``persistent_mem_pool_stats``; all empty on the CPU.

    Difference from PyTorch: ``torch.cuda.memory_stats()`` with other names.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.memory_stats()["total_allocated_memory"]
        0
    """
    device = _cuda()
    pool = {"block_unit_size": 0, "block_counts": 0, "blocks_info": {}}
    reserved = allocated = most_reserved = most_allocated = 0
    if device is not None:
        reserved, allocated = (
            torch.cuda.memory_reserved(device),
            torch.cuda.memory_allocated(device),
        )
        most_reserved = torch.cuda.max_memory_reserved(device)
        most_allocated = torch.cuda.max_memory_allocated(device)
    return {
        "total_reserved_memory": reserved,
        "total_allocated_memory": allocated,
        "total_idle_memory": reserved - allocated,
        "total_eager_free_memory": 0,
        "max_reserved_memory": most_reserved,
        "max_allocated_memory": most_allocated,
        "common_mem_pool_stats": pool,
        "persistent_mem_pool_stats": dict(pool),
    }


def memory_allocated() -> int:
    """The bytes that tensors use on the device now; 0 on the CPU.

    Difference from PyTorch: ``torch.cuda.memory_allocated()``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.memory_allocated()
        0
    """
    return memory_stats()["total_allocated_memory"]


def memory_reserved() -> int:
    """The bytes that are held for tensors on the device now; 0 on the CPU.

    Difference from PyTorch: ``torch.cuda.memory_reserved()``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.memory_reserved()
        0
    """
    return memory_stats()["total_reserved_memory"]


def max_memory_allocated() -> int:
    """The most bytes that tensors used at one time; 0 on the CPU.

    Difference from PyTorch: ``torch.cuda.max_memory_allocated()``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.max_memory_allocated()
        0
    """
    return memory_stats()["max_allocated_memory"]


def max_memory_reserved() -> int:
    """The most bytes that were held for tensors at one time; 0 on the CPU.

    Difference from PyTorch: ``torch.cuda.max_memory_reserved()``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.max_memory_reserved()
        0
    """
    return memory_stats()["max_reserved_memory"]


def reset_peak_memory_stats() -> None:
    """Let the greatest figures begin anew with the present ones.

    Difference from PyTorch: ``torch.cuda.reset_peak_memory_stats()``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.reset_peak_memory_stats()
    """
    device = _cuda()
    if device is not None:
        torch.cuda.reset_peak_memory_stats(device)


def reset_max_memory_allocated() -> None:
    """As :func:`reset_peak_memory_stats`: the engine keeps one set of greatest figures.

    Difference from PyTorch: ``torch.cuda.reset_peak_memory_stats()``.

    Source: behavior observed in MindSpore 2.10, which resets the one figure alone.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.reset_max_memory_allocated()
    """
    reset_peak_memory_stats()


def reset_max_memory_reserved() -> None:
    """As :func:`reset_peak_memory_stats`: the engine keeps one set of greatest figures.

    Difference from PyTorch: ``torch.cuda.reset_peak_memory_stats()``.

    Source: behavior observed in MindSpore 2.10, which resets the one figure alone.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.reset_max_memory_reserved()
    """
    reset_peak_memory_stats()


def empty_cache() -> None:
    """Give memory that no tensor uses back to the device, and freed memory back to the system.

    Difference from PyTorch: ``torch.cuda.empty_cache()``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.empty_cache()
    """
    if _cuda() is not None:
        torch.cuda.empty_cache()
    give_back()


_SHOWN = (
    ("total_reserved_memory", "Reserved memory"),
    ("total_allocated_memory", "Allocated memory"),
    ("total_idle_memory", "Idle memory"),
    ("total_eager_free_memory", "Eager free memory"),
    ("max_reserved_memory", "Max reserved memory"),
    ("max_allocated_memory", "Max allocated memory"),
)


def _size(count: int) -> str:
    units = ["B  ", "KB", "MB", "GB", "TB", "PB"]
    unit = 0
    while count >= 768 * 1024 and unit < len(units) - 1:
        count //= 1024
        unit += 1
    return f"{count:6d} {units[unit]}"


def memory_summary() -> str:
    """The figures of :func:`memory_stats` as a table to print.

    Difference from PyTorch: ``torch.cuda.memory_summary()`` in another form.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.runtime.memory_summary().splitlines()[5].replace(" ", ""))
        |Reservedmemory|0B|
    """
    stats = memory_stats()
    rule = "=" * 45
    rows = [rule, f" {'Memory summary':^43} ", rule, f" {'Metric':<20} | {'Data':<20} "]
    for key, title in _SHOWN:
        rows += ["-" * 45, f" {title:<20} | {_size(stats[key]):<20} "]
    return "|" + "|\n|".join([*rows, rule]) + "|\n"


_configured: dict[str, Any] = {}
_SIZE = re.compile(r"\d+(\.\d*)?GB$")


def set_memory(
    init_size: str = "2GB",
    increase_size: str = "2GB",
    max_size: str = "1024GB",
    optimize_level: str = "O0",
    huge_page_reserve_size: str = "0GB",
) -> None:
    """Say how much memory a program may take; `max_size` limits what tensors get on a GPU.

    Args:
        init_size (str): the memory taken at the start; checked, the engine takes it as needed.
            Default: ``"2GB"``.
        increase_size (str): by how much it grows; checked. Default: ``"2GB"``.
        max_size (str): the most that is taken, for example ``"10GB"``. Default: ``"1024GB"``.
        optimize_level (str): ``"O1"``: compiled inference holds no second copy of weights, in an
            order that suits the kernels; it is slower. Default: ``"O0"``.
        huge_page_reserve_size (str): checked. Default: ``"0GB"``.

    Raises:
        TypeError: an argument is not a str.
        ValueError: a size is not written as ``"3.5GB"`` or is zero, or a level is unknown.
        RuntimeError: it was called before.

    Difference from PyTorch: ``torch.cuda.set_per_process_memory_fraction``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.set_memory(max_size="10")
        Traceback (most recent call last):
        ...
        ValueError: For 'set_memory', the 'max_size' must be a size such as '3.5GB', but got '10'.
    """
    sizes = {"init_size": init_size, "increase_size": increase_size, "max_size": max_size}
    for name, value in {**sizes, "huge_page_reserve_size": huge_page_reserve_size}.items():
        if not isinstance(value, str):
            raise TypeError(
                f"For 'set_memory', the '{name}' must be a str, but got {type(value).__name__}."
            )
        if not _SIZE.match(value) or (name in sizes and float(value[:-2]) == 0):
            raise ValueError(
                f"For 'set_memory', the '{name}' must be a size such as '3.5GB', but got {value!r}."
            )
    if optimize_level not in ("O0", "O1"):
        raise ValueError(
            "For 'set_memory', the 'optimize_level' must be one of ['O0', 'O1'], but got "
            f"{optimize_level!r}."
        )
    if _configured:
        raise RuntimeError("The 'set_memory' can not be set repeatedly.")
    _configured["max_size"] = max_size
    set_context(memory_optimize_level=optimize_level)
    device = _cuda()
    if device is not None:
        total = torch.cuda.get_device_properties(device).total_memory
        share = float(max_size[:-2]) * 2**30 / total
        torch.cuda.set_per_process_memory_fraction(min(1.0, share), device)


def memory_replay(file_path: str) -> None:
    """Replay recorded allocations; a tool of MindSpore's own allocator, which agar does not use.

    Args:
        file_path (str): the file of the recording; not used.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: see ``torch.cuda.memory._record_memory_history``.

    Source: the name of MindSpore 2.10.
    """
    refuse(
        "runtime.memory_replay",
        Family(
            "it replays what MindSpore's own allocator recorded",
            "Use torch.cuda.memory._record_memory_history to look at allocations",
        ),
    )


class PluggableAllocator(Absent):
    """An allocator of one's own for the Ascend runtime; making one raises an error.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: ``torch.cuda.memory.CUDAPluggableAllocator``.

    Source: the name of MindSpore 2.10.
    """

    _absent = ("runtime.PluggableAllocator", _POOLS)


class MemPool(Absent):
    """Memory of an allocator of one's own; making one raises an error.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: ``torch.cuda.MemPool``.

    Source: the name of MindSpore 2.10.
    """

    _absent = ("runtime.MemPool", _POOLS)


def use_mem_pool(pool: MemPool) -> None:
    """Take memory from a pool in a ``with`` block; raises an error.

    Args:
        pool (MemPool): the pool; not used.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: ``torch.cuda.use_mem_pool``.

    Source: the name of MindSpore 2.10.
    """
    refuse("runtime.use_mem_pool", _POOLS)
