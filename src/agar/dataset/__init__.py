"""Data pipelines: the names. agar has the settings; what reads and changes data is not built yet.

Give ``Model.train``, or a loop of your own, any Python iterable of rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agar._core import absent as _absent
from agar.dataset.core import config as config

if TYPE_CHECKING:
    from collections.abc import Callable

    get_video_backend: Callable[[], str]
    set_video_backend: Callable[[str], None]

get_video_backend = vars(config)["get_video_backend"]
set_video_backend = vars(config)["set_video_backend"]

__all__ = [*_absent.names("dataset"), "config", "get_video_backend", "set_video_backend"]

__getattr__ = _absent.finder(__name__, globals())
