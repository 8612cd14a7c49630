"""Training steps that follow one another, which their gradients' own message compares.

NOTE Expectation. The processes of a group compare what they call before they send it (see
`process_groups`). Where they have taken some equal steps with nothing else in between, all of them
expect the same step again, and know of each other that they do: two elements behind the gradients
said so in the last message. The next message is then one of gradients, whatever happens. A process
that takes that step sends its gradients at once. One that calls something else first sends zeros in
their place, and one of the two elements says so; then all processes compare what they call, as
without an expectation, and gradients that were sent are sent again. So nothing is sent that others
do not expect, no sum is used to which a process added zeros for another call, and every process
raises where they differ.

NOTE Other groups. A process that calls a collective of any group while it takes an expected step
gives the expectation up first, since the others might wait for it in the one or the other.
"""

from __future__ import annotations

from typing import Any

import torch

__all__ = ["Routine"]

#: After so many equal steps the next one is expected; the most, where that was wrong before.
_FIRST, _MOST = 2, 256
#: An expectation that held for so many steps was worth its end.
_WORTH = 16


class Routine:
    """What the processes of a group did in their last steps, the same in all of them.

    Args:
        of: the processes.
        key: the group's name.
    """

    def __init__(self, of: Any, key: str) -> None:
        self._groups, self._key = of, key
        self._call: tuple[Any, ...] | None = None  # the last step
        self._calls = -1  # of how many calls it was the last
        self._calm = 0  # equal steps with nothing in between
        self._needed = _FIRST
        self._held_for = 0  # steps that went as expected
        self._like: torch.Tensor | None = None  # of the message's size and type
        self._open: Any = None  # the expected step that this process takes

    @property
    def is_expected(self) -> bool:
        """Whether the next message is one of gradients."""
        return self._like is not None

    @property
    def is_open(self) -> bool:
        """Whether this process takes the expected step."""
        return self._open is not None

    def begin(self, step: Any, call: tuple[Any, ...]) -> bool:
        """Begin a step; whether it is the expected one, which needs no comparison."""
        if self._like is None or self._open is not None or self._call != call:
            return False
        self._open = step
        return True

    def follows(self, call: tuple[Any, ...]) -> bool:
        """Whether a step is the last one again, with nothing in between."""
        return self._calls == self._groups.calls and self._call == call

    def give_up(self) -> None:
        """Tell the others that this process calls something else than they expect."""
        like, step = self._like, self._open
        assert like is not None
        self._forget()
        message = torch.zeros(like.shape, dtype=like.dtype)
        message[-1] = 1
        self._groups.send_gradients(self._key, message).wait()
        if step is not None:
            step.fall_back()

    def has_ended(self) -> None:
        """Some process has called something else than expected: compare."""
        step = self._open
        self._forget()
        if step is not None:
            step.fall_back()

    def _forget(self) -> None:
        self._needed = _FIRST if self._held_for >= _WORTH else min(2 * self._needed, _MOST)
        self._like = self._open = None
        self._calm = self._held_for = 0

    def end(self, call: tuple[Any, ...], calm: bool, message: torch.Tensor) -> None:
        """End a step; `calm` is whether no process failed, or called anything else."""
        if self._like is not None:
            self._open = None
            self._held_for += 1
            if not calm:
                self._forget()
            return
        self._call, self._calls = call, self._groups.calls
        self._calm = self._calm + 1 if calm else 0
        if self._calm >= self._needed:
            self._like = torch.empty_like(message, device="meta")
