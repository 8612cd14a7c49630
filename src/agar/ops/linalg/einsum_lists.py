"""Einstein's notation with lists of numbers in place of letters."""

from __future__ import annotations

from typing import Any

from agar._core.optable import binding, lookup
from agar._core.tensor import Tensor

__all__ = ["einsum_ext"]

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

_einsum = binding(lookup("function", "einsum"), "einsum_ext", module="agar.ops.function")


def _letters(axes: Any) -> str:
    """The axes of one operand as text."""
    text = ""
    for axis in axes:
        if axis is Ellipsis:
            text += "..."
            continue
        if isinstance(axis, bool) or not isinstance(axis, int):
            raise TypeError(
                f"For 'einsum_ext', a sublist must hold ints and '...', but got {axis!r}."
            )
        if not 0 <= axis < len(_LETTERS):
            raise ValueError(
                f"For 'einsum_ext', a number in a sublist must be in [0, {len(_LETTERS)}), but got "
                f"{axis}."
            )
        text += _LETTERS[axis]
    return text


def einsum_ext(equation: Any, *operands: Any) -> Tensor:
    """Sum of products in Einstein's notation: with letters, or with lists of numbers.

    ``einsum_ext("ij,jk->ik", x, y)`` and ``einsum_ext(x, [0, 1], y, [1, 2], [0, 2])`` are the same.

    Args:
        equation (Union[str, Tensor]): the axes of each operand as letters, ``->`` and those of the
            result; or the first operand.
        operands (Union[Tensor, list]): the operands; in the second form each is followed by a list
            of its axes, ints from 0 to 51 or ``...``, and the axes of the result may come last.

    Returns:
        Tensor.

    Raises:
        TypeError: the arguments fit neither form.
        ValueError: a number is out of range, or the equation does not fit the operands.

    Difference from PyTorch: ``torch.einsum``.

    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> x, y = ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0])
        >>> print(ms.ops.einsum_ext(x, [0], y, [1], [0, 1]))
        [[3. 4.]
         [6. 8.]]
    """
    if isinstance(equation, str):
        return _einsum(equation, *operands)
    given = [equation, *operands]
    result = None
    if len(given) % 2:
        result = given.pop()
    tensors, axes = given[::2], given[1::2]
    lists = [*axes, result] if result is not None else axes
    if not tensors or not all(isinstance(a, (list, tuple)) for a in lists):
        raise TypeError(
            "For 'einsum_ext', 'equation' must be a str, or each operand must be followed by a "
            "list of its axes."
        )
    text = ",".join(_letters(a) for a in axes)
    if result is not None:
        text += f"->{_letters(result)}"
    return _einsum(text, *tensors)
