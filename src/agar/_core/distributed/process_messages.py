"""What goes over the wire from one process to another: messages and their headers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import torch

__all__ = ["GRADIENTS", "ROWS", "TYPES", "Message", "digest", "disagreement", "frame"]

#: The collective of a training step, and how its number of rows is told.
GRADIENTS, ROWS = "all_reduce of gradients", "rows "


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
    result = hashlib.blake2b(f"{value.dtype} {tuple(value.shape)}".encode(), digest_size=7)
    if value.numel():
        result.update(value.reshape(-1).view(torch.uint8).numpy().data)
    return int.from_bytes(result.digest(), "big")


def disagreement(group: str, members: Sequence[int], calls: list[list[str]]) -> str:
    """What is wrong where the processes of a group call different collectives."""
    rows = [call[2] for call in calls if call[0] == GRADIENTS]
    if len(rows) == len(calls) and len(set(rows)) > 1:
        counts = _by_rank(members, [text.removeprefix(ROWS) for text in rows])
        return (
            f"The processes train with different numbers of rows in one step: {counts}. A mean of "
            "their gradients is not that of all rows. Give every process equal batches, with "
            "batch(..., drop_remainder=True) and num_shards and shard_id of the dataset, or set "
            "gradients_mean=False and weigh the loss."
        )
    advice = "Call the same collectives in the same order in every process, with tensors of equal "
    if 0 < len(rows) < len(calls):
        advice = (
            "Some still train: give every process the same number of batches, with "
            "batch(..., drop_remainder=True) and num_shards and shard_id of the dataset. Else call "
            "the same collectives in the same order in every process, with tensors of equal "
        )
    return (
        f"The processes of the group '{group}' do not call the same collective on tensors of the "
        f"same type and shape: {_by_rank(members, _differences(calls))}. {advice}shapes."
    )


def _by_rank(members: Sequence[int], texts: list[str]) -> str:
    return "; ".join(f"process {r}: {text}" for r, text in zip(members, texts, strict=True))


def _differences(calls: list[list[str]]) -> list[str]:
    """Of the calls of all processes, in words, what tells them apart."""
    length = min(len(call) for call in calls)
    if all(len(call) <= 5 for call in calls):
        return [" ".join(call) for call in calls]
    for i in range(length):
        if len({call[i] for call in calls}) > 1:
            return [f"{call[0]}, number {i} of {len(call)}: {call[i]}" for call in calls]
    return [f"{call[0]} of {len(call)} parts" for call in calls]
