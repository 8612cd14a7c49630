"""A network that runs once, and its gradients."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

# one call of the engine divides all gradients
import torch

from agar._core.autodiff import map_tensors, value_and_grad, value_and_grad_with
from agar._core.distributed.sharding import implicit_replication, is_split, whole
from agar._core.dtype import float16, float32
from agar._core.tensor import Tensor, wrap

__all__: list[str] = []


def run_and_grad(
    network: Any,
    weights: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    sens: Any = 1.0,
    attach: Callable[[list[Any]], list[Any]] | None = None,
) -> tuple[Any, tuple[Tensor, ...]]:
    """The output of a network, run once, and the gradients of `weights` times `sens`.

    The scale enters before the backward pass, so that small gradients do not vanish in float16.
    `attach` puts hooks on the leaves of the weights, see `value_and_grad_with`.
    """
    if isinstance(sens, (int, float)) and sens == 1.0:
        if attach is not None:
            return value_and_grad_with(attach, network, weights, args, kwargs, False)
        return value_and_grad(network, None, weights)(*args, **kwargs)

    def scaled(*inner: Any, **keywords: Any) -> tuple[Any, Any]:
        out = network(*inner, **keywords)
        return map_tensors(out, lambda t: _times(t, sens)), out

    if attach is None:
        value, grads = value_and_grad(scaled, None, weights, has_aux=True)(*args, **kwargs)
    else:
        value, grads = value_and_grad_with(attach, scaled, weights, args, kwargs, True)
    return value[1], grads


def _times(value: Tensor, factor: Any) -> Tensor:
    if not (value.is_floating_point() or value.is_complex()):
        return value
    # the product of a float16 loss would overflow; its gradient, the factor, is cast back
    return (value.astype(float32) if value.dtype == float16 else value) * factor


def divided(grads: tuple[Tensor, ...], scale: Tensor) -> tuple[Tensor, ...]:
    """The gradients over the scale; divided, not multiplied by a reciprocal that may round."""
    if not grads:
        return grads
    factor = scale._value.reshape(())
    values = [g._value for g in grads]
    here: contextlib.AbstractContextManager[None] = contextlib.nullcontext()
    if any(map(is_split, values)):  # where the whole step does not lie on all processes
        factor, here = whole(factor), implicit_replication()
    with here:
        return tuple(wrap(g) for g in torch._foreach_div(values, factor))
