"""Settings of Ascend chips."""

from agar.device_context.ascend import op_debug as op_debug
from agar.device_context.ascend import op_precision as op_precision
from agar.device_context.ascend import op_tuning as op_tuning
from agar.device_context.ascend.device import device_count as device_count
from agar.device_context.ascend.device import is_available as is_available

__all__ = ["device_count", "is_available"]
