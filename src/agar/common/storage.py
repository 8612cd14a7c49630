"""The memory of tensors, under MindSpore's path."""

from agar._core.storage import UntypedStorage as UntypedStorage

__all__ = ["UntypedStorage"]
