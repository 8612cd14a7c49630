"""Helpers around datasets."""

from __future__ import annotations

from agar.dataset.utils.browse_dataset import imshow_det_bbox as imshow_det_bbox
from agar.dataset.utils.line_reader import LineReader as LineReader

__all__ = ["LineReader", "imshow_det_bbox"]
