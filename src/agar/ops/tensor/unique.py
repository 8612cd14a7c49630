"""Unique values, and combinations of the elements of tensors."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar.ops._checks import integer
from agar.ops.spec import op, primitive
from agar.ops.tensor.axes import axis_of

__all__: list[str] = []


# ------------------------------------------------------------------------------------- sets


def _first_places(input: Tensor) -> tuple[Tensor, Tensor]:
    """The unique elements in order of first occurrence, and which each element is."""
    flat = input.reshape(-1)
    values, inverse = torch.unique(flat, sorted=True, return_inverse=True)
    first = torch.full((values.numel(),), flat.numel(), dtype=torch.int64, device=input.device)
    places = torch.arange(flat.numel(), device=input.device)
    first = first.scatter_reduce(0, inverse, places, "amin")
    order = torch.argsort(first)
    rank = torch.empty_like(order)
    rank[order] = torch.arange(order.numel(), device=input.device)
    return values[order], rank[inverse].reshape(input.shape)


@op(
    primitive="Unique",
    cast="never",
    differentiable=False,
    samples=("i(5)", "f(2, 3)"),
    errors=(("[1, 2]", TypeError, "must be a Tensor"),),
)
def unique(input: Tensor) -> tuple[Tensor, Tensor]:
    """The unique elements, in order of first occurrence.

    Args:
        input (Tensor): any shape.

    Returns: Tuple of the elements and, for each element of `input`, its place among them (int32;
        int64 for int64 input).
    Difference from PyTorch: the elements are not sorted, and the places come always.

    >>> values, places = ms.ops.unique(ms.Tensor([3, 1, 1, 2]))
    >>> print(values, places)
    [3 1 2] [0 1 1 2]
    """
    values, places = _first_places(input)
    return values, places.to(torch.int64 if input.dtype is torch.int64 else torch.int32)


@op(
    "unique",
    function=False,
    method="unique",
    mint="unique",
    cast="never",
    differentiable=False,
    samples=("i(5)", "f(2, 3), True, True, True", "i(3, 2), dim=0"),
    errors=(("i(3), dim=1", ValueError, "dim"),),
)
def _unique_method(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The unique elements, or slices along an axis.

    Args:
        input (Tensor): any shape.
        sorted (bool): whether they come in ascending order; they always do. Default: True.
        return_inverse (bool): whether to tell the place of every element. Default: False.
        return_counts (bool): whether to tell how often each occurs. Default: False.
        dim (int): the axis. Default None: single elements.

    Returns: Tensor, or a tuple with the further tensors (int64).
    Raises ValueError: `dim` is out of range.
    Source: MindSpore 2.10's interface (it has no CPU kernel).

    >>> print(ms.Tensor([3, 1, 1, 2]).unique())
    [1 2 3]
    """
    axis = None if dim is None else axis_of("unique", dim, input.ndim, "dim")
    return torch.unique(
        input, sorted=True, return_inverse=return_inverse, return_counts=return_counts, dim=axis
    )


@op(
    primitive="UniqueConsecutive(return_inverse, return_counts, dim)",
    method=True,
    mint=True,
    cast="never",
    differentiable=False,
    samples=("i(6)", "i(6), True, True", "i(4, 2), dim=0"),
    errors=(("i(3), dim=1", ValueError, "dim"),),
)
def unique_consecutive(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The elements without consecutive duplicates.

    Args:
        input (Tensor): any shape.
        return_inverse (bool): whether to tell the place of every element. Default: False.
        return_counts (bool): whether to tell how long each run is. Default: False.
        dim (int): the axis. Default None: the flattened tensor.

    Returns: Tensor, or a tuple with the further tensors (int64).
    Raises ValueError: `dim` is out of range.

    >>> print(ms.ops.unique_consecutive(ms.Tensor([1, 1, 2, 2, 1])))
    [1 2 1]
    """
    axis = None if dim is None else axis_of("unique_consecutive", dim, input.ndim, "dim")
    # PyTorch chooses the form of the result by the flags that are given by name
    return torch.unique_consecutive(
        input, return_inverse=return_inverse, return_counts=return_counts, dim=axis
    )


@op(
    method=True,
    primitive="UniqueWithPad",
    cast="never",
    differentiable=False,
    samples=("i(5), 9",),
    errors=(("i(2, 2), 0", ValueError, "1-D"),),
)
def unique_with_pad(x: Tensor, pad_num: int) -> tuple[Tensor, Tensor]:
    """The unique elements in order of first occurrence, filled up to the input's size.

    Args:
        x (Tensor): integers, 1-D.
        pad_num (int): what to fill with.

    Returns: Tuple of the elements and, for each element of `x`, its place among them; both of the
        type of `x`.
    Raises TypeError: `pad_num` is not an int.
    Raises ValueError: `x` is not 1-D.
    Difference from PyTorch: no counterpart.

    >>> values, places = ms.ops.unique_with_pad(ms.Tensor([1, 1, 2]), 0)
    >>> print(values, places)
    [1 2 0] [0 0 1]
    """
    if x.ndim != 1:
        raise ValueError(f"For 'unique_with_pad', 'x' must be 1-D, but got shape {list(x.shape)}.")
    values, places = _first_places(x)
    filled = torch.full_like(x, pad_num)
    filled[: values.numel()] = values
    return filled, places.to(x.dtype)


@op(
    samples=("i(2), i(3)", "f(2), f(2), f(2)", "f(3)"),
    cast="never",
    errors=(("i(2, 2), i(2)", ValueError, "1-D"),),
)
def cartesian_prod(*inputs: Tensor) -> Tensor:
    """All combinations of one element of each vector.

    Args:
        inputs (Tensor): vectors, or one list or tuple of them.

    Returns: Tensor of shape (N, number of inputs).
    Raises ValueError: an input is not a vector.
    Difference from PyTorch: a single vector gives a column, there the vector.

    >>> print(ms.ops.cartesian_prod(ms.Tensor([1, 2]), ms.Tensor([3, 4])))
    [[1 3]
     [1 4]
     [2 3]
     [2 4]]
    """
    for value in inputs:
        if value.ndim != 1:
            raise ValueError(
                f"For 'cartesian_prod', every input must be 1-D, but got shape {list(value.shape)}."
            )
    result = torch.cartesian_prod(*inputs)
    return result.unsqueeze(1) if result.ndim == 1 else result


@op(
    samples=("f(4)", "i(3), 2, True"),
    cast="never",
    errors=(("f(2, 2)", ValueError, "1-D"), ("f(3), -1", ValueError, "r")),
)
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All combinations of a given number of elements of a vector.

    Args:
        input (Tensor): a vector.
        r (int): the number of elements in a combination. Default: 2.
        with_replacement (bool): whether an element may come twice. Default: False.

    Returns: Tensor of shape (N, r).
    Raises TypeError: `r` is not an int.
    Raises ValueError: `input` is not a vector or `r` negative.

    >>> print(ms.ops.combinations(ms.Tensor([1, 2, 3])))
    [[1 2]
     [1 3]
     [2 3]]
    """
    if input.ndim != 1:
        raise ValueError(
            f"For 'combinations', 'input' must be 1-D, but got shape {list(input.shape)}."
        )
    return torch.combinations(input, integer("combinations", "r", r, 0), with_replacement)


@primitive(
    "InvertPermutation",
    cast="never",
    differentiable=False,
    samples=("(1, 0, 2)",),
    errors=(("(0, 0)", ValueError, "permutation"),),
)
def _invert_permutation(input_x: Any) -> tuple[int, ...]:
    """The inverse of a permutation: ``out[input_x[i]] == i``.

    Args:
        input_x (Union[tuple, list]): the numbers from 0 on, each once.

    Returns: Tuple of ints.
    Raises ValueError: `input_x` is not a permutation.
    Difference from PyTorch: no counterpart.

    >>> ms.ops.InvertPermutation()((2, 0, 1))
    (1, 2, 0)
    """
    places = list(input_x)
    if set(places) != set(range(len(places))):
        raise ValueError(
            f"For 'InvertPermutation', 'input_x' must be a permutation of 0 to {len(places) - 1}, "
            f"but got {tuple(places)}."
        )
    inverse = [0] * len(places)
    for i, place in enumerate(places):
        inverse[place] = i
    return tuple(inverse)
