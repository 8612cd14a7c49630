"""Axes in another order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar.ops._checks import ints
from agar.ops.spec import Call, op
from agar.ops.tensor.axes import axes_of, axis_of, spread

__all__: list[str] = ["reversed_axes"]


def _permuted(op_name: str, input: Tensor, dims: Any, name: str) -> Tensor:
    if type(dims) is tuple and all(type(d) is int for d in dims):
        try:
            return torch.permute(input, dims)
        except (IndexError, RuntimeError):  # the words for it follow
            _permutation(op_name, input, dims, name)
            raise
    return torch.permute(input, tuple(_permutation(op_name, input, dims, name)))


def _permutation(op_name: str, input: Tensor, dims: Any, name: str) -> Sequence[int]:
    dims = ints(op_name, name, dims)
    if len(dims) != input.ndim:
        raise ValueError(
            f"For '{op_name}', the size of '{name}' must equal the rank of the input, but got "
            f"{len(dims)} and {input.ndim}."
        )
    axes_of(op_name, dims, input.ndim, name)
    return dims


# Axes by position: one tuple of them.
_ONE_TUPLE = (
    "len(order) == 1 and type(order[0]) is tuple and order[0] and _all_int(map(type, order[0]))"
)


@op(
    primitive="Transpose",
    cast="never",
    samples=("f(2, 3), (1, 0)", "f(2, 3, 4), (2, 0, 1)"),
    errors=(
        ("f(2, 3, 4), (1, 0)", ValueError, "rank"),
        ("f(2, 3), (0, 0)", ValueError, "twice"),
        ("f(2, 3), 1", TypeError, "dims"),
    ),
    fast=Call("torch.permute(input, dims)", "type(dims) is tuple and _all_int(map(type, dims))"),
)
def transpose(input: Tensor, dims: Any) -> Tensor:
    """Arrange the axes in another order.

    Args:
        input (Tensor): any shape.
        dims (Union[tuple, list]): for each axis of the result, the axis of `input` it is.

    Returns: Tensor, a view.
    Raises TypeError: `dims` is not a tuple or list of ints.
    Raises ValueError: `dims` is not a permutation of the axes.
    Difference from PyTorch: ``torch.permute``; ``torch.transpose`` swaps two axes.

    >>> print(ms.ops.transpose(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (1, 0)))
    [[1 4]
     [2 5]
     [3 6]]
    """
    return _permuted("transpose", input, dims, "dims")


@op(
    "transpose",
    function=False,
    method="transpose",
    cast="never",
    samples=("f(2, 3, 4)", "f(2, 3, 4), 0, 2", "f(2, 3, 4), 2, 0, 1", "f(2, 3), (1, 0)"),
    errors=(("f(2, 3, 4), (1, 0)", ValueError, "rank"),),
    keywords={"axes": "order", "dim0": "order", "dim1": "order"},
    fast=(
        Call("torch.permute(input, order)", "len(order) > 2 and _all_int(map(type, order))"),
        Call(
            "torch.transpose(input, order[0], order[1])",
            "len(order) == 2 and type(order[0]) is int and type(order[1]) is int",
        ),
        Call("torch.permute(input, order[0])", _ONE_TUPLE),
    ),
)
def _transpose(input: Tensor, *order: Any) -> Tensor:
    """Arrange the axes in another order.

    Args:
        input (Tensor): this tensor.
        order (Union[int, tuple, list]): nothing reverses the axes; two ints swap these two; more,
            or one tuple or list, name for each axis of the result the axis it is. Also as `axes`,
            or as `dim0` and `dim1`.

    Returns: Tensor, a view.
    Raises TypeError: an axis is not an int.
    Raises ValueError: the axes are not permutation.
    Difference from PyTorch: ``transpose`` takes two axes only there.

    >>> print(ms.Tensor([[1, 2, 3], [4, 5, 6]]).transpose())
    [[1 4]
     [2 5]
     [3 6]]
    """
    if len(order) == 2 and isinstance(order[0], int) and isinstance(order[1], int):
        return _swap("transpose", input, order[0], order[1], "axis")
    dims = spread(order)
    if dims == (None,):
        dims = ()
    if not dims and input.ndim:
        return input.permute(*range(input.ndim - 1, -1, -1))
    return _permuted("transpose", input, dims, "axes")


@op(
    function="permute",
    cast="never",
    samples=("f(2, 3), (1, 0)",),
    errors=(("f(2, 3, 4), (1, 0)", ValueError, "rank"),),
    fast=Call("torch.permute(input, axis)", "type(axis) is tuple and _all_int(map(type, axis))"),
)
def permute(input: Tensor, axis: Any) -> Tensor:
    """Arrange the axes in another order.

    Args:
        input (Tensor): any shape.
        axis (Union[tuple, list]): for each axis of the result, the axis of `input` it is.

    Returns: Tensor, a view.
    Raises TypeError: `axis` is not a tuple or list of ints.
    Raises ValueError: `axis` is not a permutation of the axes.

    >>> print(ms.ops.permute(ms.Tensor([[1, 2, 3]]), (1, 0)))
    [[1]
     [2]
     [3]]
    """
    return _permuted("permute", input, axis, "axis")


@op(
    "permute",
    function=False,
    mint="permute",
    cast="never",
    samples=("f(2, 3), (1, 0)", "f(2, 3, 4), (2, 0, 1)"),
    errors=(
        ("f(2, 3, 4), (1, 0)", ValueError, "dims"),
        ("[1.0], (0,)", TypeError, "must be Tensor"),
    ),
    fast=Call("torch.permute(input, dims)", "type(dims) is tuple and _all_int(map(type, dims))"),
)
def _permute_mint(input: Tensor, dims: Any) -> Tensor:
    """Arrange the axes in another order; see :func:`ops.permute`.

    >>> ms.mint.permute(ms.Tensor([[1, 2, 3]]), (1, 0)).shape
    (3, 1)
    """
    return torch.permute(input, tuple(_permutation("permute", input, dims, "dims")))


@op(
    "permute",
    function=False,
    method="permute",
    cast="never",
    samples=("f(2, 3, 4), 2, 0, 1", "f(2, 3), (1, 0)"),
    errors=(
        ("f(2, 3, 4), 1, 0", ValueError, "rank"),
        ("f(2, 3), 0, 0", ValueError, "twice"),
        ("f(2), 0.5", TypeError, "axis"),
    ),
    keywords={"axis": "order", "dims": "order"},
    fast=(
        Call("torch.permute(input, order)", "len(order) > 1 and _all_int(map(type, order))"),
        Call("torch.permute(input, order[0])", _ONE_TUPLE),
    ),
)
def _permute(input: Tensor, *order: Any) -> Tensor:
    """Arrange the axes in another order, as ints or as one tuple; see :func:`ops.permute`.

    Own Args:
        *order (Union[int, tuple, list]): for each axis of the result the axis it is, as ints or as
            one tuple.

    >>> ms.Tensor([[1, 2, 3]]).permute(1, 0).shape
    (3, 1)
    """
    return permute(input, spread(order))


@op(
    function=("swapaxes",),
    method=True,
    mint=("swapaxes",),
    cast="never",
    samples=("f(2, 3, 4), 0, 2", "f(2, 3), -1, 0"),
    errors=(("f(2, 3), 0, 2", ValueError, "axis1"), ("f(2, 3), 0, 'x'", TypeError, "axis1")),
    fast=Call("torch.transpose(input, axis0, axis1)", "type(axis0) is int and type(axis1) is int"),
)
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Swap two axes.

    Args:
        input (Tensor): any shape.
        axis0 (int): one axis.
        axis1 (int): the other.

    Returns: Tensor, a view.
    Raises TypeError: an axis is not an int.
    Raises ValueError: an axis is out of range.

    >>> ms.ops.swapaxes(ms.ops.zeros((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    return _swap("swapaxes", input, axis0, axis1, "axis")


def _swap(op_name: str, input: Tensor, first: Any, second: Any, name: str) -> Tensor:
    return input.transpose(
        axis_of(op_name, first, input.ndim, f"{name}0"),
        axis_of(op_name, second, input.ndim, f"{name}1"),
    )


@op(
    method=True,
    mint="transpose",
    cast="never",
    samples=("f(2, 3, 4), 0, 2",),
    errors=(("f(2, 3), 0, 2", ValueError, "dim1"),),
    fast=Call("torch.transpose(input, dim0, dim1)", "type(dim0) is int and type(dim1) is int"),
)
def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Swap two axes.

    Args:
        input (Tensor): any shape.
        dim0 (int): one axis.
        dim1 (int): the other.

    Returns: Tensor, a view.
    Raises TypeError: an axis is not an int.
    Raises ValueError: an axis is out of range.

    >>> ms.ops.swapdims(ms.ops.zeros((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    return _swap("swapdims", input, dim0, dim1, "dim")


@op(
    function=("movedim", "moveaxis"),
    method=("movedim", "moveaxis"),
    cast="never",
    samples=("f(2, 3, 4), 0, 2", "f(2, 3, 4), (0, 1), (1, 2)"),
    errors=(("f(2, 3), 0, 2", ValueError, "destination"), ("f(2, 3), (0, 1), 1", ValueError, "")),
)
def movedim(x: Tensor, source: Any, destination: Any) -> Tensor:
    """Move axes to other positions; the rest stay in order.

    Args:
        x (Tensor): any shape.
        source (Union[int, sequence[int]]): the axes to move.
        destination (Union[int, sequence[int]]): where each goes.

    Returns: Tensor, a view.
    Raises TypeError: an axis is not an int.
    Raises ValueError: an axis is out of range or given twice, or the numbers of axes differ.

    >>> ms.ops.movedim(ms.ops.zeros((2, 3, 4)), 0, 2).shape
    (3, 4, 2)
    """
    start = axes_of("movedim", source, x.ndim, "source")
    end = axes_of("movedim", destination, x.ndim, "destination")
    if len(start) != len(end):
        raise ValueError(
            "For 'movedim', 'source' and 'destination' must name equally many axes, but got "
            f"{source} and {destination}."
        )
    return torch.movedim(x, start, end)


@op(
    method=True,
    mint=True,
    cast="never",
    samples=("f(2, 3)", "f(3)", "f()"),
    errors=(("f(2, 3), 1", TypeError, "t"),),
)
def t(input: Tensor) -> Tensor:
    """Swap the two axes of a matrix; other tensors are returned as they are.

    Args:
        input (Tensor): any shape.

    Returns: Tensor, a view.
    Difference from PyTorch: more than two axes raise an error there.

    >>> print(ms.ops.t(ms.Tensor([[1, 2], [3, 4]])))
    [[1 3]
     [2 4]]
    """
    return input.t() if input.ndim == 2 else input


@op(
    "T",
    function=False,
    prop="T",
    cast="never",
    samples=("f(2, 3)", "f(2, 3, 4)", "f(2)", "f()"),
    fast=Call("torch.t(input)"),
)
def reversed_axes(input: Tensor) -> Tensor:
    """The tensor with its axes in reverse order, a view.

    Difference from PyTorch: more than two axes are deprecated there.
    Source: behavior observed in MindSpore 2.10.

    >>> ms.ops.zeros((2, 3, 4)).T.shape
    (4, 3, 2)
    """
    return input.permute(tuple(range(input.ndim - 1, -1, -1)))


@op(
    "mT",
    function=False,
    prop="mT",
    cast="never",
    samples=("f(2, 3, 4)",),
    errors=(("f(3)", ValueError, "two axes"),),
)
def _matrix_transpose(input: Tensor) -> Tensor:
    """The tensor with its last two axes swapped, a view.

    Raises ValueError: there is only one axis.
    Difference from PyTorch: none.
    Source: behavior observed in MindSpore 2.10.

    >>> ms.ops.zeros((2, 3, 4)).mT.shape
    (2, 4, 3)
    """
    return _last_two("mT", input)


def _last_two(op_name: str, input: Tensor) -> Tensor:
    if input.ndim < 2:
        raise ValueError(
            f"For '{op_name}', the tensor must have two axes or more, but got shape "
            f"{list(input.shape)}."
        )
    return input.transpose(-2, -1)


@op(
    "H",
    function=False,
    prop="H",
    cast="never",
    samples=("f(2, 3)", "c(2, 3)"),
    errors=(("f(2, 3, 4)", ValueError, "matrix"), ("f(3)", ValueError, "matrix")),
)
def _hermitian(input: Tensor) -> Tensor:
    """The matrix with its axes swapped and its values conjugated.

    Raises ValueError: the tensor is not a matrix.
    Difference from PyTorch: a 0-d tensor is refused.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.Tensor([[1 + 2j, 3]]).H)
    [[1.-2.j]
     [3.-0.j]]
    """
    if input.ndim != 2:
        raise ValueError(
            f"For 'H', the tensor must be a matrix, but got shape {list(input.shape)}."
        )
    return input.t().conj().resolve_conj()


@op(
    "mH",
    function=False,
    prop="mH",
    cast="never",
    samples=("f(2, 3, 4)", "c(2, 3)"),
    errors=(("f(3)", ValueError, "two axes"),),
)
def _matrix_hermitian(input: Tensor) -> Tensor:
    """The tensor with its last two axes swapped and its values conjugated.

    Raises ValueError: there is only one axis.
    Difference from PyTorch: none.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.Tensor([[1 + 2j, 3]]).mH)
    [[1.-2.j]
     [3.-0.j]]
    """
    return _last_two("mH", input).conj().resolve_conj()


@op(
    method=True,
    cast="never",
    samples=("f(2, 3)", "c(2, 3)"),
    errors=(("f(3)", ValueError, "two axes"),),
)
def adjoint(x: Tensor) -> Tensor:
    """Conjugate transpose of matrices: the last two axes swapped, the values conjugated.

    Args:
        x (Tensor): two axes or more.

    Returns: Tensor.
    Raises ValueError: there are fewer than two axes.

    >>> print(ms.ops.adjoint(ms.Tensor([[1 + 2j, 3]])))
    [[1.-2.j]
     [3.-0.j]]
    """
    return _last_two("adjoint", x).conj().resolve_conj()
