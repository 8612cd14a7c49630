"""Checkpoints of models that were split over devices."""

from __future__ import annotations

from agar._core import absent as _absent
from agar.train._sliced_parameters import merge_sliced_parameter as merge_sliced_parameter

__all__ = [*_absent.names("parallel.checkpoint_transform"), "merge_sliced_parameter"]

__getattr__ = _absent.finder(__name__, globals())
