"""What a run of a module or a cell gives: outputs, gradients, statistics."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# the original's side of a comparison
import torch

from agar.migrate.trees import flatten, tensors

__all__ = ["Result", "original_result"]


@dataclass
class Result:
    """What a run gave.

    Attributes:
        output: the leaves of the result, with their places.
        input_grads: by place of the input.
        weight_grads: by the name in the module; of a cell by the identity of the Parameter.
        state: statistics after the run, by the same keys.
        connected: some output depends on the inputs or weights by way of gradients.
        narrow: something was computed in a type that is narrower than the run's.
        replayed: in GRAPH_MODE, the values come from a replay and not from Python.
    """

    output: list[tuple[str, Any]] = field(default_factory=list)
    input_grads: dict[str, torch.Tensor] = field(default_factory=dict)
    weight_grads: dict[Any, torch.Tensor] = field(default_factory=dict)
    state: dict[Any, torch.Tensor] = field(default_factory=dict)
    connected: bool = True
    narrow: bool = False
    replayed: bool = True


def original_result(
    out: Any,
    leaves: dict[str, torch.Tensor],
    state: dict[str, torch.Tensor],
    sens: dict[str, torch.Tensor],
) -> Result:
    """The result of a module that has run forward, and its gradients.

    Args:
        out (Any): what it returned.
        leaves (dict): its inputs that are followed, by place.
        state (dict): what stood for its parameters and buffers.
        sens (dict): by place, the gradients of the outputs; outputs without one get none.
    """
    result = Result()
    followed = [(n, v) for n, v in tensors(out) if v.requires_grad and n in sens]
    weights = {n: v for n, v in state.items() if v.requires_grad}
    sources = [*leaves.values(), *{id(w): w for w in weights.values()}.values()]
    grads: list[Any] = [None] * len(sources)
    if followed and sources:
        parts = [_weighted(v, sens[n].to(v.dtype)) for n, v in followed]
        head = sum((p.to(parts[0].device) for p in parts[1:]), parts[0])
        grads = list(torch.autograd.grad(head, sources, allow_unused=True))
    by_id = {
        id(w): torch.zeros_like(w) if g is None else g for w, g in zip(sources, grads, strict=True)
    }
    result.output = [(n, v.detach() if isinstance(v, torch.Tensor) else v) for n, v in flatten(out)]
    result.connected = bool(followed and sources)
    if sens:  # integers have no gradients to compare
        result.input_grads = {n: by_id[id(leaf)] for n, leaf in leaves.items()}
        result.weight_grads = {n: by_id[id(w)] for n, w in weights.items()}
    result.state = {n: v for n, v in state.items() if not v.requires_grad}
    return result


def _weighted(value: torch.Tensor, gradient: torch.Tensor) -> torch.Tensor:
    """A number whose gradient by a value is `gradient`, whatever rounding the number has.

    Gradients given to torch itself make it import its symbolic shapes, which takes .3 to .7 s.
    """
    product = value * (gradient.conj() if gradient.is_complex() else gradient)
    return (product.real if product.is_complex() else product).sum()
