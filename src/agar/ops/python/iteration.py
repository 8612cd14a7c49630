"""What MindSpore's compiler makes of loops and of recomputed blocks, as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agar._core.errors import describe, missing_feature
from agar._core.optable import Primitive
from agar._core.parameter import Parameter
from agar._core.recompute import recompute
from agar._core.tensor import Tensor

__all__ = [
    "J",
    "iter_converter",
    "ms_hasnext",
    "ms_next",
    "recompute_block",
    "ref_to_embed",
    "tail",
    "zip_operation",
]


def _sequence(op_name: str, value: Any) -> Any:
    if not isinstance(value, (tuple, list)):
        raise TypeError(f"For '{op_name}', the input must be a tuple or list, but got {value!r}.")
    return value


def tail(input: tuple[Any, ...]) -> Any:
    """All elements of a tuple but the first.

    Args:
        input (Union[tuple, list]): at least one element.

    Returns:
        tuple or list, as `input`.

    Raises:
        TypeError: `input` is neither tuple nor list.
        ValueError: it is empty.

    Difference from PyTorch: plain Python (no counterpart).

    Source: MindSpore 2.10's documentation; it works in compiled code only.

    Examples:
        >>> import agar as ms
        >>> ms.ops.tail((1, 2, 3))
        (2, 3)
    """
    if not _sequence("tail", input):
        raise ValueError("For 'tail', the input must have at least one element, but it is empty.")
    return input[1:]


def iter_converter(input: Any) -> Any:
    """What a loop over a value goes through, as a tuple or list.

    Args:
        input (Union[tuple, list, dict, str, Tensor]): the value.

    Returns:
        tuple or list: keys of a dict, characters of a text, slices of a Tensor along its first
        axis.

    Raises:
        TypeError: nothing can go through the value.

    Difference from PyTorch: plain Python (no counterpart).

    Source: MindSpore 2.10's documentation; it works in compiled code only.

    Examples:
        >>> import agar as ms
        >>> ms.ops.iter_converter({"a": 1, "b": 2})
        ('a', 'b')
    """
    if isinstance(input, (tuple, list)):
        return input
    try:
        return tuple(input)
    except TypeError as error:
        raise TypeError(
            "For 'iter_converter', the input must be a tuple, list, dict, str or Tensor, but got "
            f"{describe(input)}."
        ) from error


def ms_hasnext(input: Any) -> bool:
    """Whether a sequence has an element left.

    Args:
        input (Union[tuple, list]): what :func:`ops.iter_converter` or :func:`ops.ms_next` gave.

    Returns:
        bool.

    Raises:
        TypeError: `input` is neither tuple nor list.

    Difference from PyTorch: plain Python (no counterpart).

    Source: MindSpore 2.10's documentation; it works in compiled code only.

    Examples:
        >>> import agar as ms
        >>> ms.ops.ms_hasnext((1,)), ms.ops.ms_hasnext(())
        (True, False)
    """
    return len(_sequence("ms_hasnext", input)) > 0


def ms_next(input: Any) -> tuple[Any, Any]:
    """The first element of a sequence, and the rest.

    Args:
        input (Union[tuple, list]): at least one element.

    Returns:
        tuple of the element and the rest, a sequence.

    Raises:
        TypeError: `input` is neither tuple nor list.
        ValueError: it is empty.

    Difference from PyTorch: plain Python (no counterpart).

    Source: MindSpore 2.10's documentation; it works in compiled code only.

    Examples:
        >>> import agar as ms
        >>> ms.ops.ms_next((1, 2, 3))
        (1, (2, 3))
    """
    if not _sequence("ms_next", input):
        raise ValueError("For 'ms_next', the input must have at least one element, but is empty.")
    return input[0], input[1:]


def zip_operation(*inputs: Any) -> tuple[tuple[Any, ...], ...]:
    """Elements of several sequences in groups; the shortest decides how many.

    Args:
        inputs (Union[tuple, list]): the sequences.

    Returns:
        tuple of tuples.

    Raises:
        TypeError: there is no input, or one is neither tuple nor list.

    Difference from PyTorch: plain Python (no counterpart).

    Source: MindSpore 2.10's documentation; it works in compiled code only.

    Examples:
        >>> import agar as ms
        >>> ms.ops.zip_operation((1, 2), [3, 4, 5])
        ((1, 3), (2, 4))
    """
    if not inputs:
        raise TypeError("For 'zip_operation', there must be at least one input, but got none.")
    return tuple(zip(*(_sequence("zip_operation", i) for i in inputs), strict=False))


def recompute_block(
    block: Callable[..., Any], output_recompute: bool = False
) -> Callable[..., Any]:
    """A function that runs a block whose intermediate results are computed again for gradients.

    Args:
        block (Union[Cell, Callable]): the block.
        output_recompute (bool): accepted for compatibility: outputs are kept where they are needed.
            Default: False.

    Returns:
        Function with the block's arguments and results.

    Raises:
        TypeError: `block` is not callable.

    Difference from PyTorch: ``torch.utils.checkpoint.checkpoint``.

    Source: MindSpore 2.10's documentation; it works in compiled code only.

    Examples:
        >>> import agar as ms
        >>> cube = ms.ops.recompute_block(lambda x: x * x * x)
        >>> print(ms.grad(cube)(ms.Tensor([2.0])))
        [12.]
    """
    if not callable(block):
        raise TypeError(
            f"For 'recompute_block', 'block' must be a Cell or function, but got {block!r}."
        )

    def run(*args: Any, **kwargs: Any) -> Any:
        return recompute(block, *args, **kwargs)

    return run


class RefToEmbed(Primitive):
    """The key under which a collection of gradients knows a parameter.

    Inputs:
        - **input** (Parameter) - the parameter.

    Outputs:
        str, the parameter's name.

    Raises:
        TypeError: the input is not a Parameter.

    Difference from PyTorch: none (no counterpart).

    Source: MindSpore 2.10's documentation; it works in compiled code only.

    Examples:
        >>> import agar as ms
        >>> ms.ops.ref_to_embed(ms.Parameter(ms.Tensor([1.0]), name="weight"))
        'weight'
    """

    def __init__(self) -> None:
        super().__init__("RefToEmbed")

    def __call__(self, input: Any) -> str:
        if not isinstance(input, Parameter):
            result = "a Tensor" if isinstance(input, Tensor) else describe(input)
            raise TypeError(f"For 'RefToEmbed', the input must be a Parameter, but got {result}.")
        return input.name


#: See :class:`RefToEmbed`.
ref_to_embed = RefToEmbed()


class _ReverseForm(Primitive):
    """A function in the form in which MindSpore's compiler differentiates it; see ``ms.vjp``."""

    def __init__(self) -> None:
        super().__init__("J")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise missing_feature(
            "ops.J",
            "it is a step of MindSpore's compiler, which exists in compiled code only",
            "ms.vjp(fn, *inputs) for a value and its gradient function, or ms.grad(fn)",
        )


#: The step of MindSpore's compiler that differentiates; here a name that says what to use.
J = _ReverseForm()
