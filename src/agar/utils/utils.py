"""Signals between MindSpore's training and what watches over it on Ascend clusters."""

from __future__ import annotations

from agar._core import absent as _absent

__all__ = [*_absent.names("utils.utils"), "TFTCommValue"]


class TFTCommValue:
    """Words by which fault tolerance is asked for on Ascend clusters.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.utils.TFTCommValue.DISABLE_WATCHDOG
        ('HCCE:1', 'ARF:1', 'TSP:1')
    """

    ENABLE_MINDX = ("TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1", "RSC:1")
    NEED_MINDIO = ("TTP:1", "UCE:1", "ARF:1", "TSP:1", "HCCE:1")
    DISABLE_WATCHDOG = ("HCCE:1", "ARF:1", "TSP:1")


__getattr__ = _absent.finder(__name__, globals())
