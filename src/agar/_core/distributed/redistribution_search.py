"""torch's search for the collectives that lead from one layout to another, made cheaper.

Where a dimension is cut by several axes of a mesh, and a view changes dimensions, DTensor compares
its rules by the cheapest ways from the layouts that there are to those of each rule. It searches
these ways by Dijkstra's algorithm, and finds the neighbors of a layout, and the costs of the steps
to them, anew in each search: most of the time of a first call. Both are remembered here, for as
long as torch keeps the object that searches. The ways, and so the rules, are the same.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

__all__ = ["install"]


def install() -> None:
    """Let searches remember, once; a PyTorch that searches otherwise stays as it is."""
    from torch.distributed.tensor import _redistribute

    kind = getattr(_redistribute, "DTensorRedistributePlanner", None)
    names = ("get_next_state", "setup_cost_callbacks")
    if any(not hasattr(kind, name) for name in names) or hasattr(kind, "_remembers"):
        return
    kind._remembers = True  # type: ignore[union-attr]
    for name, remembering in zip(names, (_with_neighbors, _with_costs), strict=True):
        setattr(kind, name, remembering(getattr(kind, name)))


def _with_neighbors(find: Callable[..., Any]) -> Callable[..., Any]:
    """`get_next_state`, which depends on the layout and on what the target of the search has."""

    @functools.wraps(find)
    def get_next_state(self: Any, placements: Any, order: Any) -> Any:
        known = vars(self).setdefault("_neighbors", {})
        targets = self.strided_shard_placements_in_target, self.partial_reduce_ops_in_target
        key = placements, order, *map(frozenset, targets)
        result = known.get(key)
        if result is None:
            result = known[key] = find(self, placements, order)
        return result

    return get_next_state


def _with_costs(set_up: Callable[..., Any]) -> Callable[..., Any]:
    """`setup_cost_callbacks`: a step costs by its axis and the bytes that are sent."""

    @functools.wraps(set_up)
    def setup_cost_callbacks(self: Any) -> None:
        set_up(self)
        compute, known = self.cost_function, {}

        def cost_function(before: Any, after: Any) -> Any:
            pairs = enumerate(zip(before.placements, after.placements, strict=True))
            step = tuple([(i, a, b) for i, (a, b) in pairs if a != b])
            cut = [not (p.is_replicate() or p.is_partial()) for p in before.placements]
            key = step, *cut
            result = known.get(key)
            if result is None:
                result = known[key] = compute(before, after)
            return result

        self.cost_function = cost_function

    return setup_cost_callbacks
