"""The functions, at MindSpore's path: ``from agar.ops import functional as F``."""

from __future__ import annotations

from typing import Any

from agar.ops import _paths


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return _paths.names(lambda n: not n[0].isupper())
    return _paths.find(__name__, name)


def __dir__() -> list[str]:
    return _paths.names(lambda n: not n[0].isupper())
