"""The context: execution mode, device and the keys of ``set_context``.

Values are validated before any of them is stored, so a failed call changes nothing.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

import torch

from agar._core.hints import similar
from agar._core.older import with_todays_keys
from agar._core.runtime import GRAPH_MODE, PYNATIVE_MODE, load_engine, runtime

__all__ = [
    "CPU",
    "GRAPH_MODE",
    "PYNATIVE_MODE",
    "ParallelMode",
    "get_context",
    "get_current_device",
    "reset_context",
    "set_context",
    "set_deterministic",
    "set_device",
    "torch_device",
]

_DEVICE_TARGETS = ("CPU", "GPU", "Ascend", "Davinci", "MPS")

# torch's device type for each target, in the order in which an accelerator is looked for.
_BACKENDS = {"CPU": "cpu", "GPU": "cuda", "Ascend": "npu", "Davinci": "npu", "MPS": "mps"}


class ParallelMode:
    """Names of the ways to distribute a program over devices; one device runs STAND_ALONE.

    Difference from PyTorch: PyTorch wraps the model instead (DistributedDataParallel, FSDP).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ParallelMode.STAND_ALONE
        'stand_alone'
    """

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = (
        STAND_ALONE,
        DATA_PARALLEL,
        HYBRID_PARALLEL,
        SEMI_AUTO_PARALLEL,
        AUTO_PARALLEL,
    )


def _check_type(key: str, value: Any, kinds: type | tuple[type, ...]) -> None:
    expected = kinds if isinstance(kinds, tuple) else (kinds,)
    if (isinstance(value, bool) and bool not in expected) or not isinstance(value, expected):
        names = " or ".join(str(k) for k in expected)
        if key == "mode":
            names += " (ms.GRAPH_MODE or ms.PYNATIVE_MODE)"
        raise TypeError(
            f"For 'context.set_context', the type of parameter {key} must be {names}: "
            f"The parameter '{key}' must be {names}, but got {value!r}."
        )


def _typed(*kinds: type) -> Callable[[str, Any], Any]:
    def check(key: str, value: Any) -> Any:
        _check_type(key, value, kinds)
        return value

    return check


def _one_of(*choices: Any) -> Callable[[str, Any], Any]:
    def check(key: str, value: Any) -> Any:
        if value not in choices:
            raise ValueError(
                f"For 'context.set_context', the argument '{key}' must be one of "
                f"{list(choices)}, but got {value!r}."
            )
        return value

    return check


def _mode(key: str, value: Any) -> int:
    _check_type(key, value, int)
    if value not in (GRAPH_MODE, PYNATIVE_MODE):
        raise ValueError(
            "For 'context.set_context', the argument 'mode' should be context.GRAPH_MODE (0) or "
            f"context.PYNATIVE_MODE (1), but got {value}."
        )
    return value


def _meant_device(value: str) -> str:
    """The name here of a device as PyTorch writes it."""
    kind = value.partition(":")[0].lower()
    name = {"cuda": "GPU", "npu": "Ascend"}.get(kind, value.partition(":")[0].upper())
    return f"; '{name}' is meant, and device_id is its number" if name in _DEVICE_TARGETS else ""


def _device_target(key: str, value: Any) -> str:
    _check_type(key, value, str)
    if value not in _DEVICE_TARGETS:
        raise ValueError(
            "For 'context.set_context', the argument 'device_target' must be one of "
            f"{list(_DEVICE_TARGETS[:4])}, but got {value}{_meant_device(value)}."
        )
    _require_backend(value)
    return value


def _device_id(key: str, value: Any) -> int:
    _check_type(key, value, int)
    if value < 0:
        raise ValueError(
            f"For 'context.set_context', 'device_id' must be 0 or greater, but got {value}."
        )
    return value


def _positive(*kinds: type) -> Callable[[str, Any], Any]:
    def check(key: str, value: Any) -> Any:
        _check_type(key, value, kinds)
        if value <= 0:
            raise ValueError(
                f"For 'context.set_context', '{key}' must be greater than 0, but got {value}."
            )
        return value

    return check


def _memory_size(key: str, value: Any) -> float:
    if isinstance(value, str) and value.upper().endswith("GB"):
        try:
            return float(value[:-2])
        except ValueError:
            raise ValueError(
                f"For 'context.set_context', '{key}' must be a size such as '8GB', got {value!r}."
            ) from None
    return float(_positive(int, float)(key, value))


def _threads(key: str, value: Any) -> int:
    _check_type(key, value, int)
    if value < 0:
        raise ValueError(f"For 'context.set_context', '{key}' must be 0 or greater, got {value}.")
    return value


# key: (default, check). The defaults are those that MindSpore 2.10 reads back.
_KEYS: dict[str, tuple[Any, Callable[[str, Any], Any]]] = {
    "mode": (PYNATIVE_MODE, _mode),
    "device_target": ("CPU", _device_target),
    "device_id": (0, _device_id),
    "save_graphs": (0, _typed(int, bool)),
    "save_graphs_path": (".", _typed(str)),
    "max_device_memory": (1024.0, _memory_size),
    "enable_graph_kernel": (False, _typed(bool)),
    "graph_kernel_flags": ("", _typed(str)),
    "enable_compile_cache": (None, _typed(bool)),
    "compile_cache_path": ("", _typed(str)),
    "pynative_synchronize": (False, _typed(bool)),
    "deterministic": ("OFF", _one_of("ON", "OFF")),
    "jit_level": ("", _one_of("", "O0", "O1", "O2")),
    "jit_syntax_level": (2, _one_of(0, 2)),
    "jit_config": ({}, _typed(dict)),
    "max_call_depth": (1000, _positive(int)),
    "variable_memory_max_size": ("0", _typed(str)),
    "mempool_block_size": (1.0, _memory_size),
    "memory_optimize_level": (0, lambda k, v: {"O0": 0, "O1": 1}.get(v, v)),
    "check_bprop": (False, _typed(bool)),
    "reserve_class_name_in_scope": (True, _typed(bool)),
    "enable_reduce_precision": (True, _typed(bool)),
    "inter_op_parallel_num": (0, _threads),
    "runtime_num_threads": (os.cpu_count() or 1, _threads),
    "ascend_config": ({}, _typed(dict)),
    "gpu_config": ({}, _typed(dict)),
    "op_timeout": (900, _threads),
    "exec_order": ("bfs", _one_of("bfs", "dfs", "gpto")),
    "debug_level": (0, _one_of(0, 1)),
    "env_config_path": ("", _typed(str)),
    "print_file_path": ("", _typed(str)),
    "aoe_tune_mode": ("", _typed(str)),
    "aoe_config": ({}, _typed(dict)),
    "enable_dump": (False, _typed(bool)),
    "save_dump_path": ("", _typed(str)),
    "profiling_options": ("", _typed(str)),
}

_values: dict[str, Any] = {}
#: The device of which no copies are needed; it may also be another object, to which it is equal.
CPU = torch.device("cpu")
_device = CPU


def _backend_available(target: str) -> bool:
    kind = _BACKENDS[target]
    if kind == "cpu":
        return True
    if kind == "cuda":
        return torch.cuda.is_available()
    if kind == "mps":
        return torch.backends.mps.is_available()
    if not hasattr(torch, "npu"):
        try:
            import torch_npu  # noqa: F401  # pyright: ignore[reportMissingImports]
        except ImportError:
            return False
    return bool(torch.npu.is_available())  # pyright: ignore[reportAttributeAccessIssue]


_INSTALL = {
    "GPU": "a CUDA or ROCm build of PyTorch and a card that it sees (torch.cuda.is_available())",
    "Ascend": "the package torch_npu with Huawei's CANN toolkit",
    "Davinci": "the package torch_npu with Huawei's CANN toolkit",
    "MPS": "PyTorch on a Mac with Apple silicon",
}


def _require_backend(target: str) -> None:
    if not _backend_available(target):
        here = [t for t in ("CPU", "GPU", "Ascend", "MPS") if _backend_available(t)]
        raise RuntimeError(
            f"Unsupported device target {target}. This process only supports one of the {here}. "
            f"'{target}' needs {_INSTALL[target]}."
        )


def set_context(**kwargs: Any) -> None:
    """Set keys of the context.

    Args:
        mode (int): ``ms.GRAPH_MODE`` (0) or ``ms.PYNATIVE_MODE`` (1). Default: PYNATIVE_MODE.
        device_target (str): ``"CPU"``, ``"GPU"`` (CUDA and ROCm), ``"Ascend"`` (needs torch_npu)
            or ``"MPS"``. Default: ``"CPU"``.
        device_id (int): index of the device. Default: 0.
        kwargs: the other keys of MindSpore's context. Those that tune a device or a compiler that
            agar does not have are checked, stored and read back, and have no effect.

    Raises:
        ValueError: a key is unknown or a value is out of range.
        TypeError: a value has the wrong type.
        RuntimeError: the device is not available; the message says what to install.

    Difference from PyTorch: PyTorch has no global mode; devices are chosen per tensor.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.set_context(mode=ms.PYNATIVE_MODE, device_target="CPU")
        >>> ms.get_context("mode")
        1
    """
    checked: dict[str, Any] = {}
    for key, value in with_todays_keys("set_context", kwargs, _KEYS.__contains__).items():
        if key not in _KEYS:
            raise ValueError(
                f"For 'context.set_context', the keyword argument {key} is not recognized"
                f"{similar(key, _KEYS) or '!'} Known keys: {', '.join(sorted(_KEYS))}."
            )
        checked[key] = _KEYS[key][1](key, value)
    if "device_target" in checked or "device_id" in checked:
        target = checked.get("device_target", get_context("device_target"))
        _select(target, checked.get("device_id", get_context("device_id")))
    _values.update(checked)
    if "mode" in checked:
        runtime.mode = checked["mode"]
        runtime.epoch += 1
        if runtime.mode != PYNATIVE_MODE:
            load_engine()
    if "deterministic" in checked:
        _apply_deterministic(checked["deterministic"] == "ON")
    if checked.get("runtime_num_threads"):
        torch.set_num_threads(checked["runtime_num_threads"])
    if "max_device_memory" in checked and _device.type == "cpu":
        warnings.warn(
            "max_device_memory has no effect on CPU: the operating system limits memory.",
            stacklevel=2,
        )


def get_context(attr_key: str) -> Any:
    """Read one key of the context.

    Args:
        attr_key: the key, see :func:`set_context`.

    Raises:
        ValueError: the key is unknown.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.get_context("device_target")
        'CPU'
    """
    if attr_key not in _KEYS:
        raise ValueError(
            f"For 'context.get_context', the argument {attr_key} is not recognized"
            f"{similar(attr_key, _KEYS) or '!'} Known keys: {', '.join(sorted(_KEYS))}."
        )
    value = _values.get(attr_key, _KEYS[attr_key][0])
    return dict(value) if isinstance(value, dict) else value


def _select(target: str, device_id: int) -> None:
    global _device
    kind = _BACKENDS[target]
    if kind in ("cuda", "npu"):
        count = getattr(torch, kind).device_count()
        if device_id >= count:
            raise RuntimeError(
                f"Device {target}:{device_id} does not exist: this machine has {count} of them."
            )
        _device = torch.device(kind, device_id)
    else:
        _device = CPU if kind == "cpu" else torch.device(kind)


def _apply_deterministic(on: bool) -> None:
    torch.use_deterministic_algorithms(on, warn_only=True)
    if torch.cuda.is_available():
        torch.backends.cudnn.benchmark = False


def set_device(device_target: str, device_id: int | None = None) -> None:
    """Choose the device on which new tensors are made.

    Args:
        device_target: ``"CPU"``, ``"GPU"``, ``"Ascend"`` or ``"MPS"``.
        device_id: index of the device; None keeps the current index. Default: None.

    Raises:
        ValueError: the target's name is unknown.
        RuntimeError: the device is not available.

    Difference from PyTorch: like ``torch.set_default_device``, with MindSpore's names.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.set_device("CPU")
        >>> ms.get_current_device()
        ('CPU', 0)
    """
    if device_id is None:
        set_context(device_target=device_target)
    else:
        set_context(device_target=device_target, device_id=device_id)


def get_current_device() -> tuple[str, int]:
    """The current device as (target, index).

    Difference from PyTorch: ``torch.get_default_device()`` returns one object.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.get_current_device()
        ('CPU', 0)
    """
    return get_context("device_target"), get_context("device_id")


def set_deterministic(deterministic: bool) -> None:
    """Request deterministic kernels, which give the same bits in every run.

    Args:
        deterministic: whether to request them.

    Raises:
        TypeError: the argument is not a bool.

    Difference from PyTorch: ``torch.use_deterministic_algorithms(..., warn_only=True)``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.set_deterministic(True)
        >>> ms.get_context("deterministic")
        'ON'
        >>> ms.set_deterministic(False)
    """
    _check_type("deterministic", deterministic, bool)
    set_context(deterministic="ON" if deterministic else "OFF")


def torch_device() -> torch.device:
    """The torch device on which new tensors are made."""
    return _device


def parse_device(value: Any) -> torch.device:
    """Read a device in MindSpore's or torch's spelling: ``"GPU:0"``, ``"cuda"``, torch.device.

    Raises:
        ValueError: the name is unknown.
        RuntimeError: the device is not available.
    """
    if isinstance(value, torch.device):
        return value
    if isinstance(value, tuple) and len(value) == 2:
        value = f"{value[0]}:{value[1]}"
    if isinstance(value, str):
        kind, _, index = value.partition(":")
        for target, backend in _BACKENDS.items():
            if kind == target or kind.lower() in (target.lower(), backend):
                _require_backend(target)
                return torch.device(backend, int(index)) if index else torch.device(backend)
    raise ValueError(
        f"{value!r} names no device; use 'CPU', 'GPU', 'GPU:1', 'Ascend', 'MPS' or a torch.device."
    )


def device_name(device: torch.device) -> str:
    """MindSpore's name of a torch device, for example ``GPU:0``."""
    for target, backend in _BACKENDS.items():
        if backend == device.type:
            return target if device.index is None else f"{target}:{device.index}"
    return str(device)


def back_on(value: torch.Tensor, device: str) -> torch.Tensor:
    """A tensor from a file or another process, on the device it lay on if that is here.

    Files are read where there is no such device; a forked process cannot use the GPU of its parent.
    """
    kind, _, index = device.partition(":")
    if kind != "cuda" or not torch.cuda.is_available() or torch.cuda._is_in_bad_fork():
        return value
    return value.to(device) if int(index or 0) < torch.cuda.device_count() else value


def reset_context() -> None:
    """Reset every key to its default."""
    global _device
    if get_context("deterministic") == "ON":
        _apply_deterministic(False)
    _values.clear()
    _device = CPU
    runtime.mode = PYNATIVE_MODE
    runtime.epoch += 1
