"""Which steps of a program are recorded."""

from __future__ import annotations

import enum
from typing import Any

from agar.log import warning

__all__ = ["ProfilerAction", "Schedule"]


class ProfilerAction(enum.IntEnum):
    """What is done in a step; the values are those of ``torch.profiler.ProfilerAction``."""

    NONE = 0
    WARM_UP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


class Schedule:
    """Steps in turns: skip the first, then wait, warm up and record, again and again.

    A value that is not an int, or out of range, is replaced, with a warning.

    Args:
        wait (int): steps without recording.
        active (int): steps that are recorded.
        warmup (int): steps between the two. Default: ``0``.
        repeat (int): how many turns; 0 for no end. Default: ``0``.
        skip_first (int): steps before the first turn. Default: ``0``.

    Raises:
        ValueError: a call with a negative step.

    Difference from PyTorch: ``torch.profiler.schedule``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> plan = ms.profiler.schedule(wait=1, warmup=1, active=2)
        >>> [plan(step).name for step in range(4)]
        ['NONE', 'WARM_UP', 'RECORD', 'RECORD_AND_SAVE']
    """

    def __init__(
        self, *, wait: int, active: int, warmup: int = 0, repeat: int = 0, skip_first: int = 0
    ) -> None:
        self.wait = self._checked("wait", wait, 0)
        self.active = self._checked("active", active, 1)
        self.warmup = self._checked("warmup", warmup, 0)
        self.repeat = self._checked("repeat", repeat, 0)
        self.skip_first = self._checked("skip_first", skip_first, 0)

    @staticmethod
    def _checked(name: str, value: Any, least: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            warning(
                f"For 'profiler.schedule', '{name}' must be an int of at least {least}, but got "
                f"{value!r}; {least} is used."
            )
            return least
        return value

    def __call__(self, step: int) -> ProfilerAction:
        if step < 0:
            raise ValueError("Invalid parameter step, which must be not less than 0.")
        if step < self.skip_first:
            return ProfilerAction.NONE
        turn, place = divmod(step - self.skip_first, self.wait + self.warmup + self.active)
        if 0 < self.repeat <= turn or place < self.wait:
            return ProfilerAction.NONE
        if place < self.wait + self.warmup:
            return ProfilerAction.WARM_UP
        last = place == self.wait + self.warmup + self.active - 1
        return ProfilerAction.RECORD_AND_SAVE if last else ProfilerAction.RECORD

    def __repr__(self) -> str:
        return (
            f"Schedule(wait={self.wait}, active={self.active}, warmup={self.warmup}, "
            f"repeat={self.repeat}, skip_first={self.skip_first})"
        )

    def to_dict(self) -> dict[str, int]:
        """The values by name."""
        return dict(vars(self))
