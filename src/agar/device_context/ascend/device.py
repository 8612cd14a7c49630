"""Which Ascend chips there are."""

# devices are the engine's
import torch

__all__ = ["device_count", "is_available"]


def is_available() -> bool:
    """Whether an Ascend chip can be used; it needs the package torch_npu.

    Difference from PyTorch: ``torch.npu.is_available()`` of torch_npu.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> isinstance(ms.device_context.ascend.is_available(), bool)
        True
    """
    npu = getattr(torch, "npu", None)
    return npu is not None and bool(npu.is_available())


def device_count() -> int:
    """How many Ascend chips there are.

    Raises:
        RuntimeError: there is none.

    Difference from PyTorch: ``torch.npu.device_count()`` of torch_npu.

    Source: behavior observed in MindSpore 2.10.
    """
    if not is_available():
        raise RuntimeError("Device Ascend does not exist: it needs torch_npu and a chip.")
    return getattr(torch, "npu").device_count()  # noqa: B009 (torch_npu adds it)
