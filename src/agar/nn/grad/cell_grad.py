"""Jvp and Vjp: derivatives along a direction, as cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agar._core import transforms
from agar.nn.cell import Cell

__all__ = ["Jvp", "Vjp"]


def _split(op_name: str, args: tuple[Any, ...], what: str) -> tuple[tuple[Any, ...], Any]:
    if len(args) < 2:
        raise TypeError(
            f"For '{op_name}', the inputs of the function and then {what} must be given, but got "
            f"{len(args)} arguments."
        )
    return args[:-1], args[-1]


class Jvp(Cell):
    r"""The value of a function and its derivative along a direction; see :func:`agar.jvp`.

    Args:
        fn (Union[Cell, Callable]): the function.

    Inputs:
        - **args** (tuple) - the inputs of `fn` (Tensors), and last the direction: a Tensor for one
          input, a tuple of Tensors for several.

    Outputs: Tuple of the output of `fn` and the tangent, of the same structure.

    Raises:
        TypeError: the direction is missing, or an argument is not a Tensor.
        ValueError: the direction does not fit the inputs.

    Difference from PyTorch: ``torch.func.jvp`` is a function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> out, tangent = ms.nn.Jvp(lambda x: x**3)(ms.Tensor([2.0]), ms.Tensor([1.0]))
        >>> print(out, tangent)
        [8.] [12.]
    """

    def __init__(self, fn: Callable[..., Any]) -> None:
        super().__init__()
        self.fn = fn

    def construct(self, *args: Any) -> Any:
        """The output of the function and its tangent."""
        inputs, v = _split("Jvp", args, "the direction")
        return transforms.jvp(self.fn, inputs, v)


class Vjp(Cell):
    r"""The value of a function and the gradients of its inputs; see :func:`agar.vjp`.

    Args:
        fn (Union[Cell, Callable]): the function.

    Inputs:
        - **args** (tuple) - the inputs of `fn` (Tensors), and last the gradient of its output: a
          Tensor for one output, a tuple of Tensors for several.

    Outputs: Tuple of the output of `fn` and the gradient: a Tensor for one input, a tuple for
    several.

    Raises:
        TypeError: the gradient of the output is missing.
        RuntimeError: it does not have one Tensor for each output.

    Difference from PyTorch: ``torch.func.vjp`` is a function that returns a function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> out, gradient = ms.nn.Vjp(lambda x: x**3)(ms.Tensor([2.0]), ms.Tensor([1.0]))
        >>> print(out, gradient)
        [8.] [12.]
    """

    def __init__(self, fn: Callable[..., Any]) -> None:
        super().__init__()
        self.fn = fn

    def construct(self, *args: Any) -> Any:
        """The output of the function and the gradients of its inputs."""
        inputs, v = _split("Vjp", args, "the gradient of the output")
        out, pull = transforms.vjp(self.fn, *inputs)
        grads = pull(*v) if isinstance(v, (tuple, list)) else pull(v)
        return out, grads[0] if len(grads) == 1 else grads
