"""What devices there are."""

from __future__ import annotations

from typing import Any

# devices are the engine's
import torch

from agar._core.context import get_context
from agar.log import warning

__all__ = [
    "device_count",
    "get_arch_list",
    "get_device_capability",
    "get_device_name",
    "get_device_properties",
    "is_available",
    "is_initialized",
]

_TARGETS = ("CPU", "GPU", "Ascend")


def _target(owner: str, target: str | None) -> str:
    target = get_context("device_target") if target is None else target
    if not isinstance(target, str):
        raise TypeError(
            f"For 'hal.{owner}', the 'device_target' must be str, but got {target!r} of type "
            f"{type(target).__name__}."
        )
    if target not in _TARGETS:
        raise ValueError(
            f"For 'hal.{owner}', the 'device_target' must be one of {list(_TARGETS)}, but got "
            f"{target}."
        )
    return target


def _engine(target: str) -> Any:
    """torch's module of the target, or None for the CPU and for what this torch does not have."""
    return {"GPU": torch.cuda, "Ascend": getattr(torch, "npu", None)}.get(target)


def _there(owner: str, target: str | None, device_id: Any) -> tuple[str, Any]:
    target = _target(owner, target)
    if not is_available(target):
        raise ValueError(f"For 'hal.{owner}', this process has no device {target}.")
    if not isinstance(device_id, int) or isinstance(device_id, bool):
        raise TypeError(
            f"For 'hal.{owner}', the 'device_id' must be int, but got {device_id!r} of type "
            f"{type(device_id).__name__}."
        )
    count = device_count(target)
    if not 0 <= device_id < count:
        raise ValueError(
            f"For 'hal.{owner}', the 'device_id' must be in [0, {count}), but got {device_id}."
        )
    return target, _engine(target)


def _nothing(owner: str) -> None:
    warning(f"'{owner}' for CPU is not implemented. Return None.")


def is_initialized(device_target: str) -> bool:
    """Whether a device was used in this process.

    Args:
        device_target (str): ``"CPU"``, ``"GPU"`` or ``"Ascend"``.

    Raises:
        ValueError: `device_target` is another.

    Difference from PyTorch: ``torch.cuda.is_initialized()``; the CPU always is.

    Source: behavior observed in MindSpore 2.10, where the CPU is after its first operator.

    Examples:
        >>> import agar as ms
        >>> ms.hal.is_initialized("CPU")
        True
    """
    engine = _engine(_target("is_initialized", device_target))
    return device_target == "CPU" or (engine is not None and engine.is_initialized())


def is_available(device_target: str) -> bool:
    """Whether this process can use a device.

    Args:
        device_target (str): ``"CPU"``, ``"GPU"`` or ``"Ascend"``.

    Raises:
        ValueError: `device_target` is another.

    Difference from PyTorch: ``torch.cuda.is_available()``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.hal.is_available("CPU")
        True
    """
    engine = _engine(_target("is_available", device_target))
    return device_target == "CPU" or (engine is not None and engine.is_available())


def device_count(device_target: str | None = None) -> int:
    """The number of devices.

    Args:
        device_target (str): ``"CPU"``, ``"GPU"`` or ``"Ascend"``. Default: ``None``: the current.

    Raises:
        TypeError: `device_target` is not a str.
        ValueError: it is another.

    Difference from PyTorch: ``torch.cuda.device_count()``; the CPU is one.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.hal.device_count("CPU")
        1
    """
    target = _target("device_count", device_target)
    if target == "CPU":
        return 1
    engine = _engine(target)
    return engine.device_count() if engine is not None else 0


def get_device_name(device_id: int, device_target: str | None = None) -> str:
    """The name of a device.

    Args:
        device_id (int): its number.
        device_target (str): see :func:`device_count`. Default: ``None``.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: there is no such device.

    Difference from PyTorch: ``torch.cuda.get_device_name``; ``"CPU"`` for the CPU.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.hal.get_device_name(0, "CPU")
        'CPU'
    """
    target, engine = _there("get_device_name", device_target, device_id)
    return target if engine is None else engine.get_device_name(device_id)


def get_device_capability(device_id: int, device_target: str | None = None) -> Any:
    """The major and minor number of a GPU's architecture; None, with a warning, for the CPU.

    Args:
        device_id (int): its number.
        device_target (str): see :func:`device_count`. Default: ``None``.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: there is no such device.

    Difference from PyTorch: ``torch.cuda.get_device_capability``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.hal.get_device_capability(0, "CPU") is None
        True
    """
    _, engine = _there("get_device_capability", device_target, device_id)
    if engine is None:
        return _nothing("get_device_capability")
    return engine.get_device_capability(device_id)


def get_device_properties(device_id: int, device_target: str | None = None) -> Any:
    """What is known of a GPU; None, with a warning, for the CPU.

    Args:
        device_id (int): its number.
        device_target (str): see :func:`device_count`. Default: ``None``.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: there is no such device.

    Difference from PyTorch: ``torch.cuda.get_device_properties``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.hal.get_device_properties(0, "CPU") is None
        True
    """
    _, engine = _there("get_device_properties", device_target, device_id)
    if engine is None:
        return _nothing("get_device_properties")
    return engine.get_device_properties(device_id)


def get_arch_list(device_target: str | None = None) -> Any:
    """The GPU architectures for which the engine was built; None, with a warning, for the CPU.

    Args:
        device_target (str): see :func:`device_count`. Default: ``None``.

    Raises:
        TypeError: `device_target` is not a str.
        ValueError: it is another.

    Difference from PyTorch: ``torch.cuda.get_arch_list``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.hal.get_arch_list("CPU") is None
        True
    """
    target = _target("get_arch_list", device_target)
    if target != "GPU":
        return _nothing("get_arch_list")
    return torch.cuda.get_arch_list()
