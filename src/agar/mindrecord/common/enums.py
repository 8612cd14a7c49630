"""Parts of MindSpore's error numbers."""

from __future__ import annotations

import enum

__all__: list[str] = []


class LogRuntime(enum.IntEnum):
    """Where an error arises."""

    RT_HOST = 0b01
    RT_DEVICE = 0b10


class ErrorCodeType(enum.IntEnum):
    """What a number stands for."""

    ERROR_CODE = 0b01
    EXCEPTION_CODE = 0b10


class ErrorLevel(enum.IntEnum):
    """How bad an error is."""

    COMMON_LEVEL = 0b000
    SUGGESTION_LEVEL = 0b001
    MINOR_LEVEL = 0b010
    MAJOR_LEVEL = 0b011
    CRITICAL_LEVEL = 0b100
