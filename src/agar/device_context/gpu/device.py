"""Which GPUs there are."""

# devices are the engine's
import torch

__all__ = ["device_count", "is_available"]


def is_available() -> bool:
    """Whether a GPU can be used.

    Difference from PyTorch: ``torch.cuda.is_available()``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> isinstance(ms.device_context.gpu.is_available(), bool)
        True
    """
    return torch.cuda.is_available()


def device_count() -> int:
    """How many GPUs there are.

    Raises:
        RuntimeError: there is none.

    Difference from PyTorch: ``torch.cuda.device_count()`` is 0 where there is none.

    Source: behavior observed in MindSpore 2.10.
    """
    if not is_available():
        raise RuntimeError("Device GPU does not exist: torch.cuda.is_available() is False.")
    return torch.cuda.device_count()
