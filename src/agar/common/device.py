"""The current device for a ``with`` block."""

from __future__ import annotations

from typing import Any

from agar._core.context import get_context, set_context

__all__ = ["DeviceCtx"]


class DeviceCtx:
    """Create tensors on another device in a ``with`` block.

    Args:
        name (str): ``"CPU"``, ``"GPU"`` or ``"Ascend"``.
        device_id (int): the device's number. Default: ``None``: 0.

    Raises:
        ValueError: on entry, the name is unknown or the number negative.
        NotImplementedError: on entry, the name is ``"meta"``.
        RuntimeError: on entry, there is no such device.

    Difference from PyTorch: ``with torch.device(...)``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> with ms.DeviceCtx("CPU"):
        ...     print(ms.get_current_device())
        ('CPU', 0)
    """

    def __init__(self, name: str, device_id: int | None = None) -> None:
        self.name = name
        self.device_id = device_id
        self._before: list[tuple[str, int]] = []

    def __enter__(self) -> DeviceCtx:
        targets = ["CPU", "GPU", "Ascend", "meta"]
        if self.name not in targets:
            raise ValueError(
                f"For DeviceCtx, the name must be one of {targets}, but got {self.name}."
            )
        if self.device_id is not None and self.device_id < 0:
            raise ValueError("For DeviceCtx, the device_id must be greater than or equal to 0.")
        if self.name == "meta":
            raise NotImplementedError(
                "'DeviceCtx(\"meta\")' is not available in agar: tensors without data are not made "
                "by creation functions. Instead: Tensor(shape=..., dtype=...) describes one."
            )
        self._before.append((get_context("device_target"), get_context("device_id")))
        set_context(device_target=self.name, device_id=self.device_id or 0)
        return self

    def __exit__(self, *error: Any) -> None:
        target, number = self._before.pop()
        set_context(device_target=target, device_id=number)
