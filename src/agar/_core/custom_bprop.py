"""Cells that define their own gradient with ``bprop``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch

from agar._core.errors import describe
from agar._core.gradient_recording import functorch_level, map_tensors, tensors_in
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap

__all__ = ["call_with_bprop"]


class _Bprop(torch.autograd.Function):
    """A cell with its own ``bprop``: construct runs unrecorded, bprop gives the gradients."""

    generate_vmap_rule = True

    @staticmethod
    def forward(call: _BpropCall, *tensors: torch.Tensor) -> Any:
        return tuple(call.forward(tensors))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.call, *tensors = inputs
        ctx.save_for_backward(*tensors, *output)
        ctx.count = len(tensors)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor | None) -> Any:
        saved = ctx.saved_tensors
        return None, *ctx.call.backward(saved[: ctx.count], saved[ctx.count :], grads)

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        raise RuntimeError(
            "Forward-mode differentiation (jvp, jacfwd) reached a Cell with a custom bprop, which "
            "defines reverse mode only; use vjp, jacrev or grad."
        )


class _BpropCall:
    """One call of a cell with ``bprop``: the structure of its inputs and outputs."""

    def __init__(
        self, cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any], run: Callable[..., Any]
    ) -> None:
        self.cell = cell
        self.args = args
        self.kwargs = kwargs
        self.run = run
        self.out: Any = None
        self.places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]

    def forward(self, tensors: tuple[torch.Tensor, ...]) -> list[torch.Tensor]:
        args = list(self.args)
        for i, value in zip(self.places, tensors, strict=True):
            args[i] = wrap(value)
        out = self.run(*args, **self.kwargs)
        # the structure only: holding the results would tie them to their own history
        self.out = map_tensors(out, lambda _: object.__new__(Tensor))
        inputs = {id(value) for value in tensors}
        # torch forbids to return an input as it is
        return [
            t._value.clone() if id(t._value) in inputs or t._value.requires_grad else t._value
            for t in tensors_in(out)
        ]

    def rebuild(self, values: Iterable[torch.Tensor]) -> Any:
        queue = iter(values)
        return map_tensors(self.out, lambda _: wrap(next(queue)))

    def backward(
        self,
        inputs: tuple[torch.Tensor, ...],
        outputs: tuple[torch.Tensor, ...],
        grads: tuple[torch.Tensor | None, ...],
    ) -> list[torch.Tensor | None]:
        name = f"{type(self.cell).__name__}.bprop"
        args = list(self.args)
        for i, value in zip(self.places, inputs, strict=True):
            args[i] = wrap(value)
        filled = [
            torch.zeros_like(o) if g is None else g for o, g in zip(outputs, grads, strict=True)
        ]
        out, dout = self.rebuild(outputs), self.rebuild(filled)
        result = self.cell.bprop(*args, *self.kwargs.values(), out, dout)
        if isinstance(result, Tensor) or result is None:
            result = (result,)
        if not isinstance(result, (tuple, list)):
            raise TypeError(
                f"'{name}' must return one gradient per input, as a tuple, but returned "
                f"{type(result).__name__}."
            )
        if len(result) < len(args):
            raise RuntimeError(
                f"Grad size should lager than forward inputs: '{name}' returned {len(result)} "
                f"gradients for {len(args)} inputs; return one per input, None for zeros."
            )
        items: list[torch.Tensor | None] = []
        for i, value in zip(self.places, inputs, strict=True):
            g = result[i]
            if g is None or not (value.is_floating_point() or value.is_complex()):
                items.append(None)
                continue
            if not isinstance(g, Tensor):
                raise TypeError(f"'{name}' must return Tensors, but gradient {i} is {describe(g)}.")
            items.append(_reduced(name, i, g._value.to(value.dtype), value.shape))
        return items


def _reduced(name: str, i: int, grad: torch.Tensor, shape: torch.Size) -> torch.Tensor:
    """A gradient that `bprop` returned; one for more elements is summed, as of a broadcast."""
    if grad.shape == shape:
        return grad
    try:
        if torch.broadcast_shapes(grad.shape, shape) == grad.shape:
            return grad.sum_to_size(shape)
    except RuntimeError:
        pass
    raise RuntimeError(
        f"Gradient {i} returned by '{name}' has shape {tuple(grad.shape)}, which should be "
        f"broadcast to expected shape {tuple(shape)}."
    )


def call_with_bprop(
    cell: Any, args: tuple[Any, ...], kwargs: dict[str, Any], run: Callable[..., Any]
) -> Any:
    """Run a cell that defines ``bprop``; while recording, its gradient is what bprop returns."""
    if not (
        thread.grad_scopes
        or functorch_level()
        or any(t._value.requires_grad for t in args if isinstance(t, Tensor))
    ):
        return run(*args, **kwargs)
    call = _BpropCall(cell, args, kwargs, run)
    values = _Bprop.apply(call, *(args[i]._value for i in call.places))
    return call.rebuild(values)
