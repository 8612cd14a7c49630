"""What goes over the wire from one process to another: messages and their headers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import torch

__all__ = ["TYPES", "Message", "differences", "digest", "frame"]


class Message:
    """A message that was begun."""

    def __init__(
        self, works: list[Any], held: Any = None, after: Callable[[], Any] | None = None
    ) -> None:
        self._works = works
        self._held = held
        self._after = after

    def wait(self) -> None:
        """Wait until the message is sent, or has come."""
        works, self._works = self._works, []
        for work in works:
            if callable(work):
                work()
            else:
                work.wait()
        if self._after is not None:
            self._after, finish = None, self._after
            finish()


#: The types that a header names by their place.
TYPES = tuple(sorted({str(t) for t in vars(torch).values() if isinstance(t, torch.dtype)}))


def frame(value: torch.Tensor, tag: int, turn: int) -> tuple[torch.Tensor, str, int, int]:
    """The header of a message, its description, and the tags of the header and of the message."""
    shape = tuple(value.shape)
    names = f"{value.dtype} {shape}"
    ahead = _tag(f"header {tag} {turn}") & ~1
    behind = _tag(f"{tag} {turn} {names}") | 1
    size = value.numel() * value.element_size()
    numbers = [tag, behind, size, TYPES.index(str(value.dtype)), len(shape), *shape[:8]]
    return torch.tensor([*numbers, *[0] * (13 - len(numbers))]), names, ahead, behind


def _tag(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big") >> 1


def digest(value: torch.Tensor) -> int:
    """A number of a tensor's type, shape and bits."""
    value = value.detach().contiguous().cpu()
    value = torch.view_as_real(value) if value.is_complex() else value
    found = hashlib.blake2b(f"{value.dtype} {tuple(value.shape)}".encode(), digest_size=7)
    if value.numel():
        found.update(value.reshape(-1).view(torch.uint8).numpy().data)
    return int.from_bytes(found.digest(), "big")


def differences(calls: list[list[str]]) -> list[str]:
    """Of the calls of all processes, in words, what tells them apart."""
    length = min(len(call) for call in calls)
    if all(len(call) <= 5 for call in calls):
        return [" ".join(call) for call in calls]
    for i in range(length):
        if len({call[i] for call in calls}) > 1:
            return [f"{call[0]}, number {i} of {len(call)}: {call[i]}" for call in calls]
    return [f"{call[0]} of {len(call)} parts" for call in calls]
