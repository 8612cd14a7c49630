"""Settings of each kind of device."""

from agar.device_context import ascend as ascend
from agar.device_context import cpu as cpu
from agar.device_context import gpu as gpu

__all__ = ["ascend", "cpu", "gpu"]
