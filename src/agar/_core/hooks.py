"""Hooks: functions that see, and may replace, gradients on their way back."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable
from typing import Any

import torch

from agar._core.runtime import runtime
from agar._core.tensor import Tensor, wrap

__all__ = ["HookHandle", "gate", "register_tensor_hook", "remove_tensor_hook"]

_ids = itertools.count()


class _Hooks(dict[int, Any]):
    """The hooks of one tensor, by the ids of their handles."""

    __slots__ = ("__weakref__",)


_by_id: weakref.WeakValueDictionary[int, _Hooks] = weakref.WeakValueDictionary()


class HookHandle:
    """What registering a hook returns; ``remove()`` removes the hook.

    Args:
        hooks (dict): the hooks by their numbers, to which this one is added.
        hook (Callable): the hook.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.
    """

    def __init__(self, hooks: dict[int, Any], hook: Callable[..., Any]) -> None:
        self._hooks = hooks
        self.handle_id = next(_ids)
        hooks[self.handle_id] = hook
        runtime.epoch += 1

    @property
    def id(self) -> int:
        """The number by which ``Tensor.remove_hook`` removes the hook."""
        return self.handle_id

    def remove(self) -> None:
        """Remove the hook; doing so twice has no effect."""
        self._hooks.pop(self.handle_id, None)
        runtime.epoch += 1


def checked(hook: Any, what: str) -> Callable[..., Any]:
    """The hook itself if it can be called.

    Raises:
        TypeError: it cannot.
    """
    if not callable(hook):
        raise TypeError(
            f"For '{what}', the hook must be a function, but got {hook!r} with type "
            f"{type(hook).__name__}."
        )
    return hook


def register_tensor_hook(tensor: Tensor, hook: Any) -> HookHandle:
    """Register a hook on a tensor's gradient, at once and for gradients taken later.

    The hooks are kept on the tensor; `attach` puts them on the leaf that stands for it when a
    gradient is computed. An intermediate result of a recording gets them here.
    """
    checked(hook, "register_hook")
    hooks = vars(tensor).get("_hooks")
    if hooks is None:
        hooks = vars(tensor)["_hooks"] = _Hooks()
    handle = HookHandle(hooks, hook)
    _by_id[handle.handle_id] = hooks
    value = tensor._value
    if value.requires_grad and not value.is_leaf:
        _attach_one(value, hooks, handle.handle_id)
    return handle


def remove_tensor_hook(handle_id: int) -> None:
    """Take off the hook on a tensor whose handle has this id; there need not be one."""
    hooks = _by_id.pop(handle_id, None)
    if hooks is not None:
        hooks.pop(handle_id, None)
        runtime.epoch += 1


def _attach_one(value: torch.Tensor, hooks: dict[int, Any], key: int) -> Any:
    def call(grad: torch.Tensor) -> torch.Tensor | None:
        hook = hooks.get(key)
        if hook is None:
            return None
        return replaced(hook(wrap(grad)))

    return value.register_hook(call)


def attach(tensor: Tensor, value: torch.Tensor) -> list[Any]:
    """Put a tensor's hooks on the leaf that stands for it; returns torch's handles."""
    hooks = vars(tensor).get("_hooks")
    if not hooks:
        return []
    return [_attach_one(value, hooks, key) for key in list(hooks)]


def replaced(result: Any) -> torch.Tensor | None:
    """A tensor hook's result as torch takes it."""
    if result is None:
        return None
    if isinstance(result, tuple) and len(result) == 1:
        result = result[0]
    if not isinstance(result, Tensor):
        raise TypeError(
            "A hook on a gradient must return None or a Tensor in its place, but returned "
            f"{type(result).__name__}."
        )
    return result._value


class _Gate(torch.autograd.Function):
    """The identity, whose backward pass shows the gradients to a function.

    `see(grads)` gets a tuple with a gradient or None for each tensor and returns a tuple.
    """

    @staticmethod
    def forward(ctx: Any, see: Callable[[tuple], tuple], *tensors: torch.Tensor) -> Any:
        ctx.see = see
        ctx.set_materialize_grads(False)
        return tuple(t.view_as(t) for t in tensors)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor | None) -> Any:
        return None, *ctx.see(grads)


def gate(values: list[Tensor], see: Callable[[tuple], tuple]) -> list[Tensor]:
    """The same tensors, with `see` called on their gradients in the backward pass."""
    return [wrap(v) for v in _Gate.apply(see, *(t._value for t in values))]
