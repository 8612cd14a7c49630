"""Tensors of a differentiated call that Python holds past its result: in objects, cells, closures.

A call that is recorded under a gradient runs over leaves of its own, as one node of torch's graph.
What it returns becomes a result of the node. So must everything else that it leaves behind and that
depends on these leaves or on parameters: the gradient would be lost there without a word, or go
through the inside of the node past it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from typing import Any

import torch

from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar._core.tensor.base import TensorBase

__all__ = ["Escapes"]

_slot: Any = TensorBase.__dict__["_value"]
_next_number = torch.autograd._get_sequence_nr


def _collections() -> list[int]:
    return [generation["collections"] for generation in gc.get_stats()]


class Escapes:
    """Watches for Tensors that live on; make it before the call runs."""

    def __init__(self) -> None:
        self._before = _collections()
        self._first = _next_number()  # of what this thread computes from now on

    def find(
        self,
        leaves: Iterable[torch.Tensor],
        others: Iterable[torch.Tensor],
        known: Iterable[Tensor],
    ) -> list[Tensor]:
        """The Tensors made since then that live and whose gradients lead to leaves.

        Args:
            leaves: the call's own.
            others: what else it may have computed with, parameters and tensors of closures.
            known: Tensors that are looked after.
        """
        own = {id(t): t for t in leaves}
        depends = _Dependence([*own.values(), *others])
        if not depends.leaves:
            return []
        passed = {id(t) for t in known}
        # the collector rests: unless somebody has asked for it, what the call made is young
        young = _collections() == self._before
        results = []
        for value in gc.get_objects(generation=0) if young else gc.get_objects():
            kind = type(value)
            if not issubclass(kind, Tensor) or issubclass(kind, Parameter) or id(value) in passed:
                continue
            try:
                raw = _slot.__get__(value)
            except AttributeError:  # it is being made
                continue
            if not (isinstance(raw, torch.Tensor) and raw.requires_grad):
                continue
            function = raw.grad_fn
            if function is None:
                is_new = id(raw) in own
            else:
                is_new = function._sequence_nr() >= self._first and depends.on(function)
            if is_new:
                results.append(value)
        return results


class _Dependence:
    """Whether torch's graph leads from somewhere to leaves."""

    def __init__(self, leaves: Iterable[torch.Tensor]) -> None:
        self.leaves = {id(t): t for t in leaves if t.requires_grad}
        self._known: dict[Any, bool] = {}

    def on(self, function: Any) -> bool:
        """Whether the graph behind a function of it does."""
        known = self._known
        stack = [function]
        while stack:
            node = stack[-1]
            following = [n for n, _ in node.next_functions if n is not None]
            waiting = [] if node in known else [n for n in following if n not in known]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            if node not in known:
                own = getattr(node, "variable", None)
                known[node] = id(own) in self.leaves or any(known[n] for n in following)
        return known[function]
