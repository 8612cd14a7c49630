"""The CPU is always there."""

__all__ = ["device_count", "is_available"]


def is_available() -> bool:
    """Whether the CPU can be used: always.

    Difference from PyTorch: ``torch.cpu.is_available()``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.device_context.cpu.is_available()
        True
    """
    return True


def device_count() -> int:
    """How many CPUs there are: one.

    Difference from PyTorch: ``torch.cpu.device_count()``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.device_context.cpu.device_count()
        1
    """
    return 1
