"""What a program does while a ``map`` operation runs."""

from __future__ import annotations

from agar.dataset.callback.ds_callback import DSCallback as DSCallback
from agar.dataset.callback.ds_callback import WaitedDSCallback as WaitedDSCallback

__all__ = ["DSCallback", "WaitedDSCallback"]
