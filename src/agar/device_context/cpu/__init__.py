"""Settings of the CPU."""

from agar.device_context.cpu import op_tuning as op_tuning
from agar.device_context.cpu.device import device_count as device_count
from agar.device_context.cpu.device import is_available as is_available
from agar.device_context.cpu.op_tuning import threads_num as threads_num

__all__ = ["device_count", "is_available", "threads_num"]
