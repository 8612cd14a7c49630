"""What registering a hook returns, under MindSpore's path."""

from agar._core.hooks import HookHandle as HookHandle

__all__ = [
    "HookHandle",
]
