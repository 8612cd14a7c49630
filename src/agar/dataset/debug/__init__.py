"""Hooks that show what goes through ``map`` operations in debug mode."""

from __future__ import annotations

from agar.dataset.debug.debug_hook import DebugHook as DebugHook
from agar.dataset.debug.pre_defined_hook import PrintDataHook as PrintDataHook
from agar.dataset.debug.pre_defined_hook import PrintMetaDataHook as PrintMetaDataHook

__all__ = ["DebugHook", "PrintDataHook", "PrintMetaDataHook"]
