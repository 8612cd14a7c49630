"""Other arrangements of the elements along their axes: reversed, rolled, turned."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar.ops._checks import integer, ints
from agar.ops.math.elementwise import check_integers
from agar.ops.spec import Call, op
from agar.ops.tensor.axes import axes_of, axis_of
from agar.ops.tensor.views import as_sequence

__all__: list[str] = []


@op(
    function=("flip",),
    method=("flip",),
    mint="flip",
    samples=("f(2, 3), (0,)", "f(2, 3), [0, 1]", "f(3), -1", "f(2, 3), []"),
    errors=(("f(2, 3), (2,)", ValueError, "dims"), ("f(2), 'x'", TypeError, "dims")),
    fast=Call(
        "torch.flip(input, dims)", "type(dims) is tuple and dims and _all_int(map(type, dims))"
    ),
)
def flip(input: Tensor, dims: Any) -> Tensor:
    """Reverse the order along axes.

    Args:
        input (Tensor): any shape.
        dims (Union[tuple, list, int]): the axes; none changes nothing.

    Returns: Tensor, a copy.
    Raises TypeError: `dims` are not ints.
    Raises ValueError: an axis is out of range or given twice.

    >>> print(ms.ops.flip(ms.Tensor([[1, 2], [3, 4]]), (0,)))
    [[3 4]
     [1 2]]
    """
    return _flip("flip", input, (dims,) if isinstance(dims, int) else dims, "dims")


def _flip(op_name: str, input: Tensor, axes: Any, name: str) -> Tensor:
    places = ints(op_name, name, axes)  # None is refused, and an empty list does not mean all axes
    return input.flip(axes_of(op_name, places, input.ndim, name) if places else ())


@op(
    primitive="ReverseV2(axis)(input: x)",
    method=True,
    samples=("f(2, 3), (0,)", "f(2, 3), [0, 1]", "f(2, 3), []"),
    errors=(
        ("f(2, 3), (2,)", ValueError, "axis"),
        ("f(2, 3), (0, 0)", ValueError, "twice"),
        ("f(2, 3), None", TypeError, "axis"),
        ("f(2, 3), 0", TypeError, "axis"),
    ),
)
def reverse(x: Tensor, axis: Any, *, _op_name: str = "reverse") -> Tensor:
    """Reverse the order along axes.

    Args:
        x (Tensor): any shape.
        axis (Union[tuple, list]): the axes; none changes nothing.

    Returns: Tensor, a copy.
    Raises TypeError: `axis` are not ints.
    Raises ValueError: an axis is out of range or given twice.
    Difference from PyTorch: ``torch.flip``.

    >>> print(ms.ops.reverse(ms.Tensor([1, 2, 3]), (0,)))
    [3 2 1]
    """
    return _flip(_op_name, x, axis, "axis")


@op(method=True, samples=("f(2, 3)",), errors=(("f(2)", ValueError, "fliplr"),))
def fliplr(input: Tensor) -> Tensor:
    """Reverse the order along the second axis.

    Args:
        input (Tensor): two axes or more.

    Returns: Tensor, a copy.
    Raises ValueError: there are fewer than two axes.

    >>> print(ms.ops.fliplr(ms.Tensor([[1, 2], [3, 4]])))
    [[2 1]
     [4 3]]
    """
    return input.flip(axis_of("fliplr", 1, input.ndim))


@op(method=True, samples=("f(2, 3)", "f(2)"), errors=(("f()", ValueError, "flipud"),))
def flipud(input: Tensor) -> Tensor:
    """Reverse the order along the first axis.

    Args:
        input (Tensor): one axis or more.

    Returns: Tensor, a copy.
    Raises ValueError: there is no axis.

    >>> print(ms.ops.flipud(ms.Tensor([[1, 2], [3, 4]])))
    [[3 4]
     [1 2]]
    """
    if input.ndim == 0:
        raise ValueError("For 'flipud', the input must have at least one axis, but it is 0-d.")
    return input.flip(0)


def _roll(op_name: str, input: Tensor, shifts: Any, dims: Any) -> Tensor:
    steps = tuple(ints(op_name, "shifts", (shifts,) if isinstance(shifts, int) else shifts))
    if dims is None:
        return torch.roll(input, sum(steps))
    places = tuple(axis_of(op_name, d, input.ndim, "dims") for d in as_sequence(dims))
    if len(places) != len(steps):
        raise ValueError(
            f"For '{op_name}', 'shifts' and 'dims' must have equal length, but got {len(steps)} "
            f"and {len(places)}."
        )
    return torch.roll(input, steps, places)


@op(
    primitive="Roll(shifts, dims)",
    method=True,
    mint=True,
    samples=("f(4), 1", "f(2, 3), 1", "f(2, 3), (1, 1), (0, 1)", "f(2, 3), -1, 1"),
    errors=(("f(2), (1, 1), (0,)", ValueError, "equal length"), ("f(2), 1, 1", ValueError, "dims")),
    fast=Call("torch.roll(input, shifts, dims)", "type(shifts) is int and type(dims) is int"),
)
def roll(input: Tensor, shifts: Any, dims: Any = None, *, _op_name: str = "roll") -> Tensor:
    """Shift the elements along axes; those pushed off the end come in at the front.

    Args:
        input (Tensor): any shape.
        shifts (Union[int, tuple, list]): by how many places, for each axis.
        dims (Union[int, tuple, list]): the axes. Default None: `input` is taken as flat.

    Returns: Tensor of the same shape.
    Raises TypeError: an argument is not an int.
    Raises ValueError: the lengths differ, or an axis is out of range.
    Source: MindSpore 2.10's interface (it has no CPU kernel).

    >>> print(ms.ops.roll(ms.Tensor([1, 2, 3, 4]), 1))
    [4 1 2 3]
    """
    return _roll(_op_name, input, shifts, dims)


@op(
    method=True,
    samples=("f(2, 3), 1, (0, 1)", "f(2, 3), -2, [1, 0]"),
    errors=(("f(2, 3), 1, (0,)", ValueError, "two"), ("f(2, 3), 1.5, (0, 1)", TypeError, "k")),
)
def rot90(input: Tensor, k: int, dims: Any) -> Tensor:
    """Rotate the plane of two axes by multiples of 90 degrees.

    Args:
        input (Tensor): two axes or more.
        k (int): how many right angles, from the first toward the second axis.
        dims (Union[tuple, list]): the two axes.

    Returns: Tensor.
    Raises TypeError: `k` is not an int, or `dims` neither tuple nor list.
    Raises ValueError: `dims` are not two different axes.

    >>> print(ms.ops.rot90(ms.Tensor([[1, 2], [3, 4]]), 1, (0, 1)))
    [[2 4]
     [1 3]]
    """
    if not isinstance(dims, (tuple, list)):
        raise TypeError(
            f"For 'rot90', 'dims' must be a tuple or list of two axes, but got {dims!r}."
        )
    places = axes_of("rot90", dims, input.ndim, "dims")
    if len(dims) != 2 or len(places) != 2:
        raise ValueError(f"For 'rot90', 'dims' must be two axes, but got {dims}.")
    return torch.rot90(input, integer("rot90", "k", k), places)


def _reverse_sequence(
    op_name: str, x: Tensor, seq_lengths: Tensor, seq_dim: Any, batch_dim: Any
) -> Tensor:
    seq = axis_of(op_name, seq_dim, x.ndim, "seq_dim")
    batch = axis_of(op_name, batch_dim, x.ndim, "batch_dim")
    if seq == batch:
        raise ValueError(
            f"For '{op_name}', 'seq_dim' and 'batch_dim' must differ, but both are {seq}."
        )
    if seq_lengths.shape != (x.shape[batch],):
        raise ValueError(
            f"For '{op_name}', 'seq_lengths' must have shape [{x.shape[batch]}], but got "
            f"{list(seq_lengths.shape)}."
        )
    check_integers(op_name, "seq_lengths", seq_lengths)
    if seq_lengths.numel() and not seq_lengths.is_meta:
        low, high = torch.aminmax(seq_lengths)
        if low < 0 or high > x.shape[seq]:
            wrong = int(low) if low < 0 else int(high)
            raise RuntimeError(
                f"For '{op_name}', 'seq_lengths' must be in the range [0, {x.shape[seq]}], but got "
                f"{wrong}."
            )
    places = torch.arange(x.shape[seq], device=x.device)
    lengths = seq_lengths.long().unsqueeze(1)
    index = torch.where(places < lengths, lengths - 1 - places, places)  # (batch, seq)
    shape = [1] * x.ndim
    shape[batch], shape[seq] = x.shape[batch], x.shape[seq]
    index = index if batch < seq else index.t()
    return torch.gather(x, seq, index.reshape(shape).expand(x.shape))


@op(
    primitive="ReverseSequence(seq_dim, batch_dim)",
    samples=("f(2, 3), torch.tensor([1, 2]), 1", "f(3, 2), torch.tensor([1, 3]), 0, 1"),
    errors=(
        ("f(2, 3), torch.tensor([1]), 1", ValueError, "seq_lengths"),
        ("f(2, 3), torch.tensor([1, 2]), 0", ValueError, "differ"),
        ("f(2, 3), torch.tensor([4, 1]), 1", RuntimeError, "range"),
        ("f(2, 3), torch.tensor([0, -1]), 1", RuntimeError, "range"),
        ("f(2, 3), f(2), 1", TypeError, "integer"),
    ),
)
def reverse_sequence(
    x: Tensor,
    seq_lengths: Tensor,
    seq_dim: int,
    batch_dim: int = 0,
    *,
    _op_name: str = "reverse_sequence",
) -> Tensor:
    """Reverse the beginning of each sequence of a batch.

    Args:
        x (Tensor): any shape.
        seq_lengths (Tensor): how many elements to reverse, integers of shape (batch,).
        seq_dim (int): the axis of the sequences.
        batch_dim (int): the axis of the batch. Default: 0.

    Returns: Tensor of the same shape.
    Raises TypeError: an axis is not an int, or `seq_lengths` are not integers.
    Raises ValueError: the axes are equal or the shape of `seq_lengths` is wrong.
    Raises RuntimeError: a length is negative or greater than the sequence.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.reverse_sequence(ms.Tensor([[1, 2, 3]]), ms.Tensor([2]), 1))
    [[2 1 3]]
    """
    return _reverse_sequence(_op_name, x, seq_lengths, seq_dim, batch_dim)


@op(
    "reverse_sequence",
    function=False,
    method="reverse_sequence",
    samples=("f(3, 2), torch.tensor([1, 3]), 0, 1",),
    errors=(
        ("f(3, 2), torch.tensor([1, 3]), 1, 1", ValueError, "differ"),
        ("f(3, 2), torch.tensor([1, 3, 4]), 0, 1", ValueError, "seq_lengths"),
        ("f(3, 2), torch.tensor([1, 3]), 0.5, 1", TypeError, "seq_dim"),
    ),
)
def _reverse_sequence_method(
    input: Tensor, seq_lengths: Tensor, seq_dim: int = 0, batch_dim: int = 0
) -> Tensor:
    """Reverse the beginning of each sequence; see :func:`ops.reverse_sequence`.

    >>> print(ms.Tensor([[1, 2, 3]]).reverse_sequence(ms.Tensor([2]), 1))
    [[2 1 3]]
    """
    return _reverse_sequence("reverse_sequence", input, seq_lengths, seq_dim, batch_dim)


@op(
    cast="never",
    samples=("torch.tensor([1, 3])", "torch.tensor([1, 3]), 4"),
    differentiable=False,
    errors=(
        ("f(2)", TypeError, "lengths"),
        ("torch.tensor([1, 3]), -1", ValueError, "maxlen"),
        ("torch.tensor([1, 3]), 1.5", TypeError, "maxlen"),
    ),
)
def sequence_mask(lengths: Tensor, maxlen: int | None = None) -> Tensor:
    r"""Which positions belong to sequences of given lengths: :math:`out_{i,j} = j < lengths_i`.

    Args:
        lengths (Tensor): integers, any shape.
        maxlen (int): size of the new last axis. Default None: the greatest length.

    Returns: Tensor of bool with one axis more.
    Raises TypeError: `lengths` are not integers or `maxlen` is not an int.
    Raises ValueError: `maxlen` is negative.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.sequence_mask(ms.Tensor([1, 3])))
    [[ True False False]
     [ True  True  True]]
    """
    check_integers("sequence_mask", "lengths", lengths)
    if maxlen is None:
        maxlen = int(lengths.max()) if lengths.numel() else 0
    places = torch.arange(integer("sequence_mask", "maxlen", maxlen, 0), device=lengths.device)
    return places < lengths.unsqueeze(-1)
