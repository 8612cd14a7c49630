"""Functions with a gradient of their own, as classes."""

from __future__ import annotations

import inspect
from typing import Any

from agar._core.autodiff import call_with_bprop
from agar._core.tensor import Tensor

__all__ = ["_Function"]


class _Function:
    """A function whose gradient a subclass writes: ``forward``, ``backward``, called by ``apply``.

    ``forward(ctx, *args)`` computes; ``backward(ctx, *gradients)`` gives a gradient, or None, for
    each argument. With ``setup_context(ctx, inputs, output)`` the first takes no `ctx`.

    Difference from PyTorch: ``torch.autograd.Function``.

    Source: behavior described for MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> from agar.common import _Function
        >>> class Double(_Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x * 2
        ...
        ...     @staticmethod
        ...     def backward(ctx, dout):
        ...         return dout * 20
        >>> print(ms.grad(Double.apply)(ms.Tensor([1.0])))
        [20.]
    """

    def __init__(self) -> None:
        self.saved_tensors: tuple[Tensor, ...] = ()
        self.needs_input_grad: tuple[bool, ...] = ()

    @staticmethod
    def forward(ctx: Any, *args: Any, **kwargs: Any) -> Any:
        """Compute; a subclass overrides this.

        Args:
            ctx (_Function): the object that keeps what `backward` needs.
            *args (Any): the arguments of the call.
            **kwargs (Any): those given by name.
        """
        raise NotImplementedError("forward function should be customized.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradients of the arguments; a subclass overrides this.

        Args:
            ctx (_Function): the object that keeps what `backward` needs.
            *grad_outputs (Tensor): the gradient of each result.
        """
        raise NotImplementedError("backward function should be customized.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Keep what ``backward`` needs; a subclass may override this.

        Args:
            ctx (_Function): the object that keeps what `backward` needs.
            inputs (tuple): the arguments of `forward`.
            output (Any): its result.
        """
        raise NotImplementedError("setup_context is not implemented.")

    def save_for_backward(self, *tensors: Tensor) -> None:
        """Keep tensors for ``backward``, in ``saved_tensors``.

        Args:
            *tensors (Tensor): the tensors.
        """
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which arguments ``forward`` wrote into.

        Args:
            *tensors (Tensor): the arguments.
        """
        self.dirty_tensors = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which results have no gradient.

        Args:
            *tensors (Tensor): the results.
        """
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Accepted: gradients that are not there are zeros.

        Args:
            value (bool): whether missing gradients are zeros.
        """
        self.materialize_grads = value

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Compute, with the gradient of ``backward``.

        Args:
            *args (Any): the arguments of `forward`, without `ctx`.
            **kwargs (Any): those given by name.
        """
        context = cls()
        apart = cls.setup_context is not _Function.setup_context
        if apart or kwargs:
            given = args if apart else (context, *args)
            bound = inspect.signature(cls.forward).bind(*given, **kwargs)
            bound.apply_defaults()
            args = bound.args if apart else bound.args[1:]
        context.needs_input_grad = tuple(isinstance(a, Tensor) for a in args)

        def run(*values: Any) -> Any:
            if not apart:
                return cls.forward(context, *values)
            output = cls.forward(*values)
            cls.setup_context(context, values, output)
            return output

        context.bprop = context._bprop  # type: ignore[attr-defined]
        return call_with_bprop(context, args, {}, run)

    def _bprop(self, *values: Any) -> Any:
        """The engine hands over arguments, result and its gradient; ``backward`` wants the last."""
        gradient = values[-1]
        many = isinstance(gradient, (tuple, list))
        result = type(self).backward(self, *(gradient if many else (gradient,)))
        entry = result if isinstance(result, tuple) else (result,)
        return entry + (None,) * (len(values) - 2 - len(entry))
