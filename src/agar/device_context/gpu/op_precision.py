"""How exactly a GPU computes in float32."""

# precision is the engine's
import torch

from agar.device_context._settings import truth

__all__ = ["conv_allow_tf32", "matmul_allow_tf32"]


def matmul_allow_tf32(value: bool) -> None:
    """Whether products of float32 matrices may use TF32.

    Args:
        value (bool): whether TF32, which has 10 bits of mantissa, may be used.

    Raises:
        TypeError: `value` is not a bool.

    Difference from PyTorch: ``torch.backends.cuda.matmul.allow_tf32``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.device_context.gpu.op_precision.matmul_allow_tf32(False)
    """
    allowed = truth("device_context.gpu.op_precision.matmul_allow_tf32", value)
    torch.backends.cuda.matmul.allow_tf32 = allowed


def conv_allow_tf32(value: bool) -> None:
    """Whether convolutions of float32 may use TF32.

    Args:
        value (bool): whether TF32, which has 10 bits of mantissa, may be used.

    Raises:
        TypeError: `value` is not a bool.

    Difference from PyTorch: ``torch.backends.cudnn.allow_tf32``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.device_context.gpu.op_precision.conv_allow_tf32(True)
    """
    allowed = truth("device_context.gpu.op_precision.conv_allow_tf32", value)
    torch.backends.cudnn.allow_tf32 = allowed
