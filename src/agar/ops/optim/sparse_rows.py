"""What optimizer steps share whose gradient is given for some rows of the variable only.

NOTE Rows. ``indices`` are places on the first axis, ``grad`` has one slice for each. Other rows
keep their values, and so does their state. As observed, the steps of some operators add the slices
of equal indices first, while others take one step after another; some leave out indices that are
negative or too large, others raise a RuntimeError.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import Tensor

from agar.ops.math.elementwise import check_integers
from agar.ops.optim.common import agree, wide

__all__: list[str] = [
    "ROW_SAMPLES",
    "checked_rows",
    "documentation_ending",
    "row_errors",
    "step_added",
    "step_in_turn",
    "whole_variable",
]


def checked_rows(
    op_name: str, states: Mapping[str, Tensor], grad: Tensor, indices: Tensor, *, skip: bool
) -> tuple[Tensor, Tensor]:
    """The checked places and their gradients, in the type of the arithmetic.

    With `skip`, those outside of the variable are left out, else they are an error.
    """
    agree(op_name, states, {"grad": grad}, shapes=False)
    variable = next(iter(states.values()))
    check_integers(op_name, "indices", indices)
    if indices.ndim != 1:
        raise ValueError(f"For '{op_name}', 'indices' must be 1-D, but got {list(indices.shape)}.")
    expected = [len(indices), *variable.shape[1:]]
    if variable.ndim == 0 or list(grad.shape) != expected:
        raise ValueError(
            f"For '{op_name}', the shape of 'grad' must be {expected}: one slice of 'var' for each "
            f"index, but got {list(grad.shape)}."
        )
    size = variable.shape[0]
    places = indices.long()
    (source,) = wide(grad.to(variable.dtype))
    inside = (places >= 0) & (places < size)
    if skip:
        return places[inside], source[inside]
    if not bool(inside.all()):
        raise RuntimeError(
            f"For '{op_name}', each element in 'indices' must be in range [0, {size}), but got "
            f"{int(places[~inside][0])}."
        )
    return places, source


def whole_variable(places: Tensor, source: Tensor, variable: Tensor) -> Tensor:
    """The gradient of all rows, with those of equal places added."""
    return source.new_zeros(variable.shape).index_add(0, places, source)


Change = Callable[..., tuple[Tensor, ...]]


def step_added(
    places: Tensor, source: Tensor, targets: tuple[Tensor, ...], change: Change
) -> tuple[Tensor, ...]:
    """Step once in each row, by the sum of its gradients; `change` takes the gradient first."""
    # equal places get equal gradients, so that it does not matter which one is written last
    return _step(places, whole_variable(places, source, targets[0])[places], targets, change)


def step_in_turn(
    places: Tensor, source: Tensor, targets: tuple[Tensor, ...], change: Change
) -> tuple[Tensor, ...]:
    """Step for each index, one after another where they are equal."""
    order = torch.argsort(places, stable=True)
    ascending = places[order]
    turns = torch.empty_like(order)
    turns[order] = torch.arange(len(order), device=order.device) - torch.searchsorted(
        ascending, ascending
    )
    for turn in range(int(turns.max()) + 1 if len(turns) else 0):
        now = turns == turn
        _step(places[now], source[now], targets, change)
    return targets


def _step(
    places: Tensor, source: Tensor, targets: tuple[Tensor, ...], change: Change
) -> tuple[Tensor, ...]:
    rows = change(source, *wide(*(t[places] for t in targets)))
    for target, row in zip(targets, rows, strict=True):
        target.data.index_copy_(0, places, row.to(target.dtype))
    return targets


ROW_SAMPLES = "f(3, 2), torch.tensor([2, 0, 2])"


def row_errors(
    before: str, after: str = "", *, skip: bool = True
) -> tuple[tuple[str, type[Exception], str], ...]:
    """Wrong calls of a step: `before` are its arguments up to the gradient."""
    outside = (f"{before}, f(1, 2), torch.tensor([5]){after}", RuntimeError, "range")
    return (
        (f"{before}, f(3, 3), torch.tensor([2, 0, 2]){after}", ValueError, "shape"),
        (f"{before}, f(1, 2), f(1){after}", TypeError, "integer"),
        (f"{before}, f(1, 2), torch.tensor([[0]]){after}", ValueError, "1-D"),
        *(() if skip else (outside,)),
    )


_TAIL = """

Outputs:
    Tuple of {returned}.

Raises:
    TypeError: a type does not fit.
    ValueError: a shape does not fit.{outside}

Difference from PyTorch: {difference}.

Source: {source}.

Examples:
    >>> import agar as ms
{example}
"""


def documentation_ending(
    impl: Callable[..., Any], returned: str, example: str, **words: str
) -> None:
    """Complete the docstring of a step with what all of them share."""
    # from Python 3.13 on docstrings have no indentation
    impl.__doc__ = inspect.cleandoc(impl.__doc__ or "") + _TAIL.format(
        returned=returned,
        example=textwrap.indent(example.strip(), "    "),
        outside="\n    RuntimeError: an index is out of range." if "outside" in words else "",
        difference=words.get("difference", "no counterpart"),
        source=words.get("source", "behavior observed in MindSpore 2.10"),
    )
