"""MindRecord files: the names. agar neither reads nor writes them yet."""

from __future__ import annotations

import enum

from agar._core import absent as _absent

__all__ = [*_absent.names("mindrecord"), "FAILED", "SUCCESS"]


class MSRStatus(enum.IntEnum):
    """What a conversion to MindRecord returns."""

    SUCCESS = 0
    FAILED = 1


SUCCESS = MSRStatus.SUCCESS
FAILED = MSRStatus.FAILED

__getattr__ = _absent.finder(__name__, globals())
