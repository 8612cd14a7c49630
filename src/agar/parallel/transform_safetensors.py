"""Safetensors files of programs that were split over devices."""

from agar.train._sharded import transform_safetensors_by_rank as transform_safetensors_by_rank
from agar.train._sharded import unified_safetensors as unified_safetensors

__all__ = ["transform_safetensors_by_rank", "unified_safetensors"]
