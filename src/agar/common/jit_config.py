"""Options of compiled calls, under MindSpore's path."""

from agar._core.jit import JitConfig as JitConfig

__all__ = [
    "JitConfig",
]
