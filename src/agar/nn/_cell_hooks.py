"""The part of Cell that calls hooks: before and after a run, on gradients, on what is kept."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

# tensors that are kept for gradients, before and after their hooks
import torch

from agar._core import autodiff
from agar._core.errors import describe
from agar._core.hooks import HookHandle, checked, gate
from agar._core.parameter import Parameter
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap

__all__ = ["CellHooks", "replaced_parameters"]


class CellHooks:
    """Hooks of calls and gradients; a base class of Cell."""

    _hooked: bool

    if TYPE_CHECKING:

        def get_parameters(self, expand: bool = True) -> Iterator[Parameter]: ...

    def _hooks(self, kind: str) -> list[tuple[Callable[..., Any], bool]]:
        return list(self.__dict__.get(kind, {}).values())

    def _add_hook(
        self, kind: str, hook: Any, prepend: bool = False, with_kwargs: bool = False
    ) -> HookHandle:
        checked(hook, f"register{kind[:-1]}")
        hooks = self.__dict__.setdefault(kind, OrderedDict())
        handle = HookHandle(hooks, (hook, with_kwargs))  # type: ignore[arg-type]
        if prepend:
            hooks.move_to_end(handle.handle_id, last=False)
        self._hooked = True
        return handle

    def register_forward_pre_hook(
        self, hook_fn: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> HookHandle:
        """Call ``hook(cell, inputs)`` before each run; a result replaces the inputs.

        Args:
            hook_fn (Callable): takes the cell and the tuple of inputs (and kwargs).
            prepend (bool): whether it runs before the hooks there are. Default: False.
            with_kwargs (bool): whether it also takes keyword arguments. Default: False.

        Returns:
            A handle with ``remove()``.

        Raises:
            TypeError: the hook is not callable.

        Difference from PyTorch: none.

        Source: behavior observed in MindSpore 2.10.
        """
        return self._add_hook("_forward_pre_hooks", hook_fn, prepend, with_kwargs)

    def register_forward_hook(
        self,
        hook_fn: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> HookHandle:
        """Call ``hook(cell, inputs, output)`` after each run; a result replaces the output.

        Args:
            hook_fn (Callable): takes the cell, the tuple of inputs (and kwargs) and the output.
            prepend (bool): whether it runs before the hooks there are. Default: False.
            with_kwargs (bool): whether it also takes keyword arguments. Default: False.
            always_call (bool): must be False: a hook does not run after an error. Default: False.

        Returns:
            A handle with ``remove()``.

        Raises:
            TypeError: the hook is not callable.
            NotImplementedError: `always_call` is True.

        Difference from PyTorch: none except `always_call`.

        Source: behavior observed in MindSpore 2.10.
        """
        if always_call:
            raise NotImplementedError(
                "register_forward_hook(always_call=True) is not available in agar: a failed run "
                "has no output to show. Wrap the call in try/finally instead."
            )
        return self._add_hook("_forward_hooks", hook_fn, prepend, with_kwargs)

    def register_backward_pre_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, grad_output)`` when the outputs' gradients are known.

        A result (tuple or Tensor) replaces the gradients.

        Args:
            hook_fn (Callable): takes the cell and the tuple of gradients.

        Returns:
            A handle with ``remove()``.

        Raises:
            TypeError: the hook is not callable.

        Difference from PyTorch: ``register_full_backward_pre_hook``.

        Source: behavior observed in MindSpore 2.10.
        """
        return self._add_hook("_backward_pre_hooks", hook_fn)

    def register_backward_hook(self, hook_fn: Callable[..., Any]) -> HookHandle:
        """Call ``hook(cell, grad_input, grad_output)`` when the inputs' gradients are known.

        A result (tuple or Tensor) replaces ``grad_input``.

        Args:
            hook_fn (Callable): takes the cell and two tuples of gradients.

        Returns:
            A handle with ``remove()``.

        Raises:
            TypeError: the hook is not callable.

        Difference from PyTorch: ``register_full_backward_hook``.

        Source: behavior observed in MindSpore 2.10.
        """
        return self._add_hook("_backward_hooks", hook_fn)

    def register_saved_tensors_hooks(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        """Change how `construct` keeps what its gradient needs.

        Args:
            pack_hook (Callable): gets each Tensor that is kept, and returns what to keep for it.
            unpack_hook (Callable): gets what was kept, and returns the Tensor.

        Raises:
            TypeError: a hook is not callable.

        Difference from PyTorch: ``torch.autograd.graph.saved_tensors_hooks`` is a context.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> class Square(ms.nn.Cell):
            ...     def construct(self, x):
            ...         return x * x
            >>> net = Square()
            >>> net.register_saved_tensors_hooks(lambda t: t.asnumpy(), lambda a: ms.Tensor(a))
            >>> print(ms.grad(net)(ms.Tensor([3.0])))
            [6.]
        """
        checked(pack_hook, "register_saved_tensors_hooks")
        checked(unpack_hook, "register_saved_tensors_hooks")

        def unpack(packed: Any) -> torch.Tensor:
            tensor = unpack_hook(packed)
            if not isinstance(tensor, Tensor):
                raise TypeError(
                    "For 'register_saved_tensors_hooks', 'unpack_hook' must return a Tensor, but "
                    f"returned {describe(tensor)}."
                )
            return tensor._value

        self._saved_tensors_hooks = (lambda value: pack_hook(_wrapped((value,))[0]), unpack)
        self._hooked = True

    def register_parameter_forward_hook(self, hook: Any) -> None:
        """Compute with ``hook(parameter)`` in place of parameters, in compiled runs of this cell.

        Gradients flow through the hook to the parameter. A later hook of a parameter replaces an
        earlier one. Eager runs compute with the parameters themselves.

        Args:
            hook (Union[Callable, list[dict]]): a function from Parameter to Tensor for all
                parameters of the cell and its descendants, or dictionaries of ``"params"`` (a list
                of Parameters) and ``"hook"``.

        Raises:
            TypeError: a hook is not callable, or an element of ``"params"`` is not a Parameter.
            ValueError: a dictionary lacks a key.

        Difference from PyTorch: ``torch.nn.utils.parametrize`` is close.

        Source: behavior observed in MindSpore 2.10.

        Examples:
            >>> import agar as ms
            >>> net = ms.nn.Dense(1, 1, weight_init="ones", has_bias=False)
            >>> net.register_parameter_forward_hook(lambda p: p * 10)
            >>> print(ms.jit(net)(ms.Tensor([[2.0]])))
            [[20.]]
        """
        op_name = "register_parameter_forward_hook"
        if callable(hook):
            hook = [{"params": list(self.get_parameters()), "hook": hook}]
        if not isinstance(hook, list) or not all(isinstance(entry, dict) for entry in hook):
            raise TypeError(
                f"For '{op_name}', 'hook' must be a callable function or a list of dictionaries, "
                f"but got {describe(hook)}."
            )
        hooks = dict(self.__dict__.get("_parameter_hooks") or {})
        for entry in hook:
            if "params" not in entry or "hook" not in entry:
                raise ValueError(
                    f"For '{op_name}', each dictionary must contain both 'params' and 'hook', but "
                    f"got the keys {list(entry)}."
                )
            checked(entry["hook"], op_name)
            for p in entry["params"]:
                if not isinstance(p, Parameter):
                    raise TypeError(
                        f"For '{op_name}', all items in 'params' must be Parameters, but got "
                        f"{describe(p)}."
                    )
                hooks[id(p)] = (p, entry["hook"])
        self._parameter_hooks = hooks
        self._hooked = True

    def _open_backward_gate(self, args: tuple[Any, ...]) -> _BackwardGate | None:
        if not thread.grad_scopes:
            return None
        before = [hook for hook, _ in self._hooks("_backward_pre_hooks")]
        after = [hook for hook, _ in self._hooks("_backward_hooks")]
        return _BackwardGate(self, args, before, after) if before or after else None


@contextlib.contextmanager
def replaced_parameters(hooks: list[tuple[Parameter, Callable[..., Any]]]) -> Iterator[None]:
    """Parameters that hold what their hooks make of them, for the length of a run."""
    own = [(p, p._value) for p, _ in hooks]
    try:
        for p, hook in hooks:
            result = hook(p)
            if not isinstance(result, Tensor):
                raise TypeError(
                    f"A parameter forward hook must return a Tensor, but that of '{p.name}' "
                    f"returned {describe(result)}."
                )
            p._value = result._value
        yield
    finally:
        for p, value in own:
            p._value = value


class _BackwardGate:
    """One call's passage through backward hooks: gates on its inputs and on its outputs."""

    def __init__(
        self, cell: Any, args: tuple[Any, ...], before: list[Any], after: list[Any]
    ) -> None:
        self.cell = cell
        self.before = before
        self.after = after
        self.grad_output: tuple[Any, ...] = ()
        self.places = [
            i for i, a in enumerate(args) if isinstance(a, Tensor) and a._value.requires_grad
        ]
        self.count = sum(isinstance(a, Tensor) for a in args)
        self.args = args
        if self.places and after:
            gated = gate([args[i] for i in self.places], self._see_inputs)
            fresh = list(args)
            for i, t in zip(self.places, gated, strict=True):
                fresh[i] = t
            self.args = tuple(fresh)

    def close(self, out: Any) -> Any:
        """The outputs behind their gate."""
        tensors = autodiff.tensors_in(out)
        passing = [t for t in tensors if t._value.requires_grad]
        if not passing:
            return out
        gated = iter(gate(passing, self._see_outputs))
        return autodiff.map_tensors(out, lambda t: next(gated) if t._value.requires_grad else t)

    def _see_outputs(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        gradients = _wrapped(grads)
        for hook in self.before:
            gradients = _hook_result(hook(self.cell, gradients), gradients)
        self.grad_output = gradients
        if not self.places:
            for hook in self.after:
                hook(self.cell, (None,) * self.count, gradients)
        return _unwrapped(gradients)

    def _see_inputs(self, grads: tuple[Any, ...]) -> tuple[Any, ...]:
        gradients = _wrapped(grads)
        for hook in self.after:
            gradients = _hook_result(hook(self.cell, gradients, self.grad_output), gradients)
        return _unwrapped(gradients)


def _wrapped(grads: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(None if g is None else wrap(g) for g in grads)


def _unwrapped(grads: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(None if g is None else g._value for g in grads)


def _hook_result(result: Any, gradients: tuple[Any, ...]) -> tuple[Any, ...]:
    if result is None:
        return gradients
    result = tuple(result) if isinstance(result, (tuple, list)) else (result,)
    if len(result) != len(gradients) or not all(r is None or isinstance(r, Tensor) for r in result):
        raise TypeError(
            f"A backward hook must return None or a tuple of {len(gradients)} Tensors in place of "
            f"the gradients, but returned {describe(result)}."
        )
    return result
