"""How operators are launched. The engine has its own ways; what it cannot be told is checked."""

from __future__ import annotations

import os
from typing import Any

__all__ = [
    "dispatch_threads_num",
    "launch_blocking",
    "set_cpu_affinity",
    "set_kernel_launch_capture",
    "set_kernel_launch_group",
]

_set: dict[str, Any] = {}
_NOT_BOTH = "The kernel launch group and kernel launch capture can not be set together"


def _int(owner: str, name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(
            f"For '{owner}', the '{name}' must be an int, but got {type(value).__name__}."
        )
    if value < 1:
        raise ValueError(f"For '{owner}', the '{name}' must be at least 1, but got {value}.")
    return value


def _once(key: str) -> None:
    if key in _set:
        raise RuntimeError(f"The '{key}' can not be set repeatedly.")


def launch_blocking() -> None:
    """Let a GPU finish each operator before the next begins, so that errors show where they arise.

    Call it before the first work on the GPU. The CPU works in this way always.

    Difference from PyTorch: the environment variable ``CUDA_LAUNCH_BLOCKING=1``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.launch_blocking()  # doctest: +SKIP
    """
    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"


def dispatch_threads_num(threads_num: int) -> None:
    """Accepted for compatibility: the engine launches operators from the calling thread.

    Args:
        threads_num (int): how many threads launch operators; positive.

    Raises:
        TypeError: `threads_num` is not an int.
        ValueError: it is not positive.
        RuntimeError: it was called before.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.dispatch_threads_num(0)
        Traceback (most recent call last):
        ...
        ValueError: For 'dispatch_threads_num', the 'threads_num' must be at least 1, but got 0.
    """
    checked = _int("dispatch_threads_num", "threads_num", threads_num)
    _once("dispatch_threads_num")
    _set["dispatch_threads_num"] = checked


def _cpus(ranges: Any) -> set[int]:
    if isinstance(ranges, dict):
        ranges = next(iter(ranges.values()), [])
    if not isinstance(ranges, (list, tuple)) or not all(isinstance(r, str) for r in ranges):
        raise TypeError(
            "For 'set_cpu_affinity', the 'affinity_cpu_list' must be a list of ranges such as "
            f"['0-3', '8-9'], but got {ranges!r}."
        )
    cpus: set[int] = set()
    for text in ranges:
        first, _, last = text.partition("-")
        if not first.isdigit() or not (last or first).isdigit():
            raise ValueError(
                f"For 'set_cpu_affinity', {text!r} is not a range of processors such as '0-3'."
            )
        cpus.update(range(int(first), int(last or first) + 1))
    return cpus


def set_cpu_affinity(
    enable_affinity: bool,
    affinity_cpu_list: Any = None,
    module_to_cpu_dict: dict[str, list[int]] | None = None,
    bind_file: str | None = None,
) -> None:
    """Bind this process to processors.

    Args:
        enable_affinity (bool): whether to do it.
        affinity_cpu_list (Union[list, dict]): ranges of processors, such as ``["0-3"]``, or a dict
            from device to such a list. Default: ``None``: nothing is changed.
        module_to_cpu_dict (dict): which of them serve which part of MindSpore's runtime; accepted,
            agar has no such parts. Default: ``None``.
        bind_file (str): not supported. Default: ``None``.

    Raises:
        TypeError: `affinity_cpu_list` is not a list of str.
        ValueError: a range cannot be read.
        RuntimeError: it was called before.
        NotImplementedError: a `bind_file` is given.

    Difference from PyTorch: ``os.sched_setaffinity``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.set_cpu_affinity(True, ["0-x"])
        Traceback (most recent call last):
        ...
        ValueError: For 'set_cpu_affinity', '0-x' is not a range of processors such as '0-3'.
    """
    if bind_file is not None:
        raise NotImplementedError(
            "'runtime.set_cpu_affinity' with a 'bind_file' is not available in agar: the file "
            "describes threads of MindSpore's runtime. Give an 'affinity_cpu_list'."
        )
    expected = enable_affinity and affinity_cpu_list is not None
    cpus = _cpus(affinity_cpu_list) if expected else set()
    _once("mindspore.runtime.set_cpu_affinity")
    _set["mindspore.runtime.set_cpu_affinity"] = cpus
    # Linux alone can bind a process
    if cpus and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cpus)


def set_kernel_launch_group(thread_num: int = 2, kernel_group_num: int = 8) -> None:
    """Accepted for compatibility: the engine launches operators from the calling thread.

    Args:
        thread_num (int): threads that launch operators; positive. Default: ``2``.
        kernel_group_num (int): groups of operators, a multiple of `thread_num`. Default: ``8``.

    Raises:
        TypeError: an argument is not an int.
        ValueError: an argument is not positive, or the one no multiple of the other.
        RuntimeError: it was called before, or after :func:`set_kernel_launch_capture`.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.set_kernel_launch_group(0)
        Traceback (most recent call last):
        ...
        ValueError: For 'set_kernel_launch_group', the 'thread_num' must be at least 1, but got 0.
    """
    owner = "set_kernel_launch_group"
    threads = _int(owner, "thread_num", thread_num)
    groups = _int(owner, "kernel_group_num", kernel_group_num)
    if groups % threads:
        raise ValueError(
            f"For '{owner}', the 'kernel_group_num' must be a multiple of 'thread_num', but got "
            f"{groups} and {threads}."
        )
    _once("kernel_launch_group")
    if _set.get("kernel_launch_capture"):
        raise RuntimeError(
            "The kernel launch group and kernel launch capture can not be set together"
        )
    _set["kernel_launch_group"] = (threads, groups)


def set_kernel_launch_capture(
    enable_capture_graph: bool, op_capture_skip: list[str] | None = None
) -> None:
    """Accepted for compatibility: in GRAPH_MODE the graph engine chooses CUDA graphs by itself.

    Args:
        enable_capture_graph (bool): whether launches are recorded.
        op_capture_skip (list[str]): operators that are left out. Default: ``None``.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: :func:`set_kernel_launch_group` was called before.

    Difference from PyTorch: ``torch.cuda.graph``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.runtime.set_kernel_launch_capture(True, "matmul")
        Traceback (most recent call last):
        ...
        TypeError: op_capture_skip must be a list, but got str.
    """
    if not isinstance(enable_capture_graph, bool):
        raise TypeError(
            "For 'set_kernel_launch_capture', the 'enable_capture_graph' must be a bool, but got "
            f"{type(enable_capture_graph).__name__}."
        )
    if op_capture_skip is not None and not isinstance(op_capture_skip, list):
        raise TypeError(
            f"op_capture_skip must be a list, but got {type(op_capture_skip).__name__}."
        )
    if "kernel_launch_group" in _set:
        raise RuntimeError(
            "The kernel launch group and kernel launch capture can not be set together"
        )
    _set["kernel_launch_capture"] = enable_capture_graph
