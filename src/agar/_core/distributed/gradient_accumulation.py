"""Gradients that a backward pass adds to those before it, and reduces over processes.

NOTE Who reduces. A cell that reduces the gradients of its parameters, such as
`parallel.DistributedDataParallel`, enters its `GradientAccumulation` into the open recordings when
it runs (`gradient_recording.reduce_with`). The backward pass of such a recording then goes through
`GradientAccumulation.run`, and what it gives for the parameters is the accumulated gradient.

NOTE Accumulation. What one process has accumulated goes into the next message, so after a message
all processes have the mean of all that was added: means of what they did not send yet, and what
was reduced before, which is the same in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from agar._core.distributed.gradient_buckets import GradientBuckets, Step
from agar._core.distributed.process_groups import groups

__all__ = ["GradientAccumulation"]


class GradientAccumulation:
    """The accumulated gradients of some parameters.

    Args:
        owner: the name of the cell that reduces.
        parameters: whose gradients they are.
        group: the group of processes.
        limit: the bytes of a bucket; None for those of torch's DistributedDataParallel.
        divides_after: whether sums are divided, and not what is added.
    """

    def __init__(
        self,
        owner: str,
        parameters: Sequence[Any],
        group: str,
        limit: int | None,
        divides_after: bool,
    ) -> None:
        self.owner = owner
        self.parameters = list(parameters)
        self.group = group
        self.divides_after = divides_after
        self._buckets = GradientBuckets(group, limit)
        self._total: list[torch.Tensor | None] = [None] * len(self.parameters)

    def clear(self) -> None:
        """Forget what was accumulated."""
        self._total = [None] * len(self.parameters)

    @property
    def has_peers(self) -> bool:
        """Whether there are other processes in the group."""
        return groups.expected_size > 1 and groups.size(self.group) > 1

    def concerns(self, leaves: Iterable[torch.Tensor | None]) -> bool:
        """Whether one of the leaves of a backward pass is one of these parameters."""
        mine = {id(p._value) for p in self.parameters}
        return any(leaf is not None and id(leaf) in mine for leaf in leaves)

    def begin(self) -> Step:
        """Begin to send the gradients of a backward pass."""
        size = groups.size(self.group)
        scale = None if self.divides_after else torch.tensor(float(size))
        degree = size if self.divides_after else None
        values = [p._value for p in self.parameters]
        return self._buckets.begin(values, degree, None, scale)

    def attach(self, step: Step) -> list[Any]:
        """Let the backward pass send gradients as soon as they are there."""
        leaves: dict[int, tuple[int, torch.Tensor]] = {}
        for at, p in enumerate(self.parameters):
            if p._value.requires_grad and p._value.is_leaf:
                leaves.setdefault(id(p._value), (at, p._value))
        return step.attach(leaves.values(), self._total)

    def add(self, grads: Sequence[torch.Tensor | None]) -> list[torch.Tensor | None]:
        """What was accumulated, with these gradients."""
        for p, grad in zip(self.parameters, grads, strict=True):
            if grad is not None and grad.layout is not torch.strided:
                raise TypeError(
                    f"For '{self.owner}', the gradient of '{p.name}' is sparse, and sparse "
                    "gradients are neither accumulated nor reduced over processes: train the "
                    "parameter with dense ones."
                )
        pairs = zip(self._total, grads, strict=True)
        return [g if t is None else t if g is None else t + g for t, g in pairs]

    def take(self, total: Sequence[torch.Tensor | None]) -> None:
        """Take over what is accumulated now."""
        self._total = list(total)

    def total_of(self, place: int) -> torch.Tensor | None:
        """The accumulated gradient of a parameter, by its place."""
        return self._total[place]

    @staticmethod
    def run(
        reducers: Sequence[tuple[GradientAccumulation, bool]],
        leaves: Sequence[torch.Tensor | None],
        backward: Callable[[Callable[[], list[Any]] | None], list[torch.Tensor | None]],
    ) -> list[torch.Tensor | None]:
        """The gradients by some leaves, those of reduced parameters accumulated and reduced.

        Args:
            reducers: what reduces, each with whether it sends what this backward pass gives.
            leaves: by what the backward pass differentiates.
            backward: runs it, with what puts hooks on the leaves.
        """
        steps = {r: r.begin() for r, sends in reducers if sends and r.has_peers}
        # Messages of two reducers would come in the order of each process's own backward pass: they
        # are sent one after the other behind it.
        alone = list(steps.items()) if len(steps) == 1 else []
        try:
            grads = backward((lambda: alone[0][0].attach(alone[0][1])) if alone else None)
            by_leaf = {id(t): g for t, g in zip(leaves, grads, strict=True) if t is not None}
            totals = [
                (r, r.add([by_leaf.get(id(p._value)) for p in r.parameters])) for r, _ in reducers
            ]
            totals = [(r, steps[r].finish(total) if r in steps else total) for r, total in totals]
        except Exception:
            for step in steps.values():
                step.abandon()
            raise
        for reducer, total in totals:
            reducer.take(total)
            values = zip(reducer.parameters, total, strict=True)
            by_leaf.update({id(p._value): g for p, g in values})
        return [None if leaf is None else by_leaf[id(leaf)] for leaf in leaves]
