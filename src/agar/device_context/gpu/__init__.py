"""Settings of GPUs."""

from agar.device_context.gpu import op_precision as op_precision
from agar.device_context.gpu import op_tuning as op_tuning
from agar.device_context.gpu.device import device_count as device_count
from agar.device_context.gpu.device import is_available as is_available
from agar.device_context.gpu.op_precision import conv_allow_tf32 as conv_allow_tf32
from agar.device_context.gpu.op_precision import matmul_allow_tf32 as matmul_allow_tf32
from agar.device_context.gpu.op_tuning import conv_dgrad_algo as conv_dgrad_algo
from agar.device_context.gpu.op_tuning import conv_fprop_algo as conv_fprop_algo
from agar.device_context.gpu.op_tuning import conv_wgrad_algo as conv_wgrad_algo

__all__ = ["device_count", "is_available"]
