"""Views: other shapes and orders of the axes for the same elements; what a tensor is like.

NOTE Views. Results that only describe the same numbers anew share the input's memory wherever its
layout allows: writing into one shows in the other, as in MindSpore 2.10. Precision scopes leave
such operators alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH, Number, to_torch_dtype
from agar._core.dtype import Type as MsType
from agar.ops._checks import choice, integer, ints
from agar.ops.spec import op, primitive

__all__ = ["as_sequence", "axes_of", "axis_of", "spread"]


def axis_of(who: str, axis: Any, rank: int, name: str = "axis") -> int:
    """One axis, counted from the front.

    Raises:
        TypeError: it is no int.
        ValueError: it lies outside of the rank.
    """
    found = integer(who, name, axis)
    low = max(rank, 1)
    if not -low <= found < low:
        raise ValueError(
            f"For '{who}', '{name}' must be in the range of [{-low}, {low}), but got {found}."
        )
    return found % low


def axes_of(who: str, axis: Any, rank: int, name: str = "axis") -> tuple[int, ...]:
    """Axes as a tuple, counted from the front; None and an empty tuple mean all of them.

    Raises:
        TypeError: `axis` is neither None, an int nor a tuple or list of ints.
        ValueError: an axis lies outside of the rank or is given twice.
    """
    if axis is None or (isinstance(axis, (tuple, list)) and not axis):
        return tuple(range(rank))
    found = tuple(
        axis_of(who, a, rank, name) for a in (axis if isinstance(axis, (tuple, list)) else (axis,))
    )
    if len(set(found)) != len(found):
        raise ValueError(f"For '{who}', '{name}' has an axis twice: {axis}.")
    return found


def spread(values: tuple[Any, ...]) -> Sequence[Any]:
    """The ints of a call ``f(2, 3)`` or ``f((2, 3))``."""
    if len(values) == 1 and isinstance(values[0], (tuple, list)):
        return values[0]
    return values


# ---------------------------------------------------------------------------- the same numbers


@op(
    function=("reshape", "reshape_"),
    mint=True,
    primitive="Reshape",
    cast="never",
    samples=("f(2, 3), (3, -1)", "f(6), [2, 3]", "f(), (1, 1)"),
    errors=(
        ("f(2, 3), (4, 2)", ValueError, "6 elements"),
        ("f(2, 3), (-1, -1)", ValueError, "only one size"),
        ("f(2, 3), 'x'", TypeError, "reshape"),
    ),
)
def reshape(input: Tensor, shape: Any) -> Tensor:
    """Give the elements another shape, in the same order.

    Args:
        input (Tensor): any shape.
        shape (Union[tuple, list, Tensor]): the new shape; one size may be -1, which is what is
            left.

    Returns: Tensor of that shape, a view where the layout allows.
    Raises TypeError: `shape` is no shape.
    Raises ValueError: the numbers of elements differ, or two sizes are -1.

    >>> print(ms.ops.reshape(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (3, -1)))
    [[1 2]
     [3 4]
     [5 6]]
    """
    return torch.reshape(input, (shape,) if isinstance(shape, int) else shape)


@op(
    "reshape",
    function=False,
    method="reshape",
    cast="never",
    samples=("f(2, 3), 3, -1", "f(2, 3), (3, 2)", "f(2, 3), torch.tensor([3, 2])"),
    errors=(
        ("f(2, 3), 4, 2", ValueError, "6 elements"),
        ("f(2, 3), 3.0, 2", TypeError, "reshape"),
    ),
    keywords={"shape": "sizes"},
)
def _reshape(input: Tensor, *sizes: Any) -> Tensor:
    """Give the elements another shape, as ints or as one tuple; see :func:`ops.reshape`.

    >>> print(ms.Tensor([1, 2, 3, 4]).reshape(2, -1))
    [[1 2]
     [3 4]]
    """
    return torch.reshape(input, sizes if len(sizes) != 1 else as_sequence(sizes[0]))


def as_sequence(shape: Any) -> Sequence[int]:
    """An int as a sequence of one; anything else as it is."""
    return (shape,) if isinstance(shape, int) else shape


@op(
    function=False,
    method=True,
    cast="never",
    samples=("f(2, 3), 3, -1", "f(2, 3), (3, 2)", "f(2, 3).T, 6", "f(4), ms.int16"),
    errors=(
        ("f(2, 3), 4, 2", ValueError, "6 elements"),
        ("i(3).short(), ms.int64", ValueError, "last axis"),
    ),
    keywords={"shape": "sizes", "dtype": "sizes"},
)
def view(input: Tensor, *sizes: Any) -> Tensor:
    """Give the elements another shape, or read their bytes as another type.

    Args:
        input (Tensor): this tensor.
        sizes (Union[int, tuple, list, Type]): the new shape, or a type; also as `shape` and
            `dtype`.

    Returns: Tensor of that shape or type; a view where the layout allows.
    Raises TypeError: `sizes` are neither.
    Raises ValueError: the numbers of elements differ.
    Difference from PyTorch: a layout that allows no view is copied, where an error is raised there.

    >>> print(ms.Tensor([1, 2, 3, 4]).view(2, 2), ms.Tensor([1.0]).view(ms.int32))
    [[1 2]
     [3 4]] [1065353216]
    """
    if len(sizes) == 1:
        if isinstance(sizes[0], (MsType, torch.dtype)):
            return _bytes_as(input, to_torch_dtype(sizes[0], who="view"))
        return torch.reshape(input, as_sequence(sizes[0]))
    return torch.reshape(input, sizes)


def _bytes_as(input: Tensor, dtype: torch.dtype) -> Tensor:
    try:
        return input.view(dtype)
    except RuntimeError as error:
        raise ValueError(
            f"For 'view', the bytes of the last axis of shape {list(input.shape)} and type "
            f"{FROM_TORCH[input.dtype]} cannot be read as {FROM_TORCH[dtype]}."
        ) from error


@op(
    method=("view_as", "reshape_as"),
    cast="never",
    samples=("f(2, 3), f(3, 2)",),
    errors=(("f(2, 3), f(4)", ValueError, "6 elements"),),
)
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """Give the elements the shape of another tensor.

    Args:
        input (Tensor): any shape.
        other (Tensor): whose shape to take.

    Returns: Tensor of that shape, a view where the layout allows.
    Raises ValueError: the numbers of elements differ.
    Difference from PyTorch: a layout that allows no view is copied.

    >>> print(ms.ops.view_as(ms.Tensor([1, 2, 3, 4]), ms.Tensor([[0, 0], [0, 0]])))
    [[1 2]
     [3 4]]
    """
    return torch.reshape(input, other.shape)


@op(
    function=False,
    method="resize",
    cast="never",
    samples=("f(2, 3), 2, 2", "f(2), (2, 3)"),
    errors=(("f(2), -1", ValueError, "new_shape"),),
    keywords={"new_shape": "size"},
)
def resize(input: Tensor, *size: Any) -> Tensor:
    """A tensor of another size: surplus elements are cut off, missing ones are zeros.

    Args:
        input (Tensor): this tensor.
        size (Union[int, tuple[int]]): the shape, as numbers or as one tuple; also as `new_shape`.

    Returns: Tensor.
    Raises TypeError: a size is no int.
    Raises ValueError: a size is negative.
    Difference from PyTorch: ``resize_`` changes the tensor and leaves new elements unset.

    >>> print(ms.Tensor([1, 2, 3, 4]).resize(3, 2))
    [[1 2]
     [3 4]
     [0 0]]
    """
    sizes = [integer("resize", "new_shape", n, 0) for n in spread(size)]
    flat, count = input.reshape(-1), math.prod(sizes)
    if count > len(flat):
        flat = torch.cat((flat, flat.new_zeros(count - len(flat))))
    return flat[:count].reshape(sizes)


def _permutation(who: str, input: Tensor, dims: Any, name: str) -> Sequence[int]:
    dims = ints(who, name, dims)
    if len(dims) != input.ndim:
        raise ValueError(
            f"For '{who}', the size of '{name}' must equal the rank of the input, but got "
            f"{len(dims)} and {input.ndim}."
        )
    axes_of(who, dims, input.ndim, name)
    return dims


@op(
    primitive="Transpose",
    cast="never",
    samples=("f(2, 3), (1, 0)", "f(2, 3, 4), (2, 0, 1)"),
    errors=(
        ("f(2, 3, 4), (1, 0)", ValueError, "rank"),
        ("f(2, 3), (0, 0)", ValueError, "twice"),
        ("f(2, 3), 1", TypeError, "dims"),
    ),
)
def transpose(input: Tensor, dims: Any) -> Tensor:
    """Arrange the axes in another order.

    Args:
        input (Tensor): any shape.
        dims (Union[tuple, list]): for each axis of the result, the axis of `input` it is.

    Returns: Tensor, a view.
    Raises TypeError: `dims` is no tuple or list of ints.
    Raises ValueError: `dims` is no permutation of the axes.
    Difference from PyTorch: ``torch.permute``; ``torch.transpose`` swaps two axes.

    >>> print(ms.ops.transpose(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (1, 0)))
    [[1 4]
     [2 5]
     [3 6]]
    """
    return input.permute(*_permutation("transpose", input, dims, "dims"))


@op(
    "transpose",
    function=False,
    method="transpose",
    cast="never",
    samples=("f(2, 3, 4)", "f(2, 3, 4), 0, 2", "f(2, 3, 4), 2, 0, 1", "f(2, 3), (1, 0)"),
    errors=(("f(2, 3, 4), (1, 0)", ValueError, "rank"),),
    keywords={"axes": "order", "dim0": "order", "dim1": "order"},
)
def _transpose(input: Tensor, *order: Any) -> Tensor:
    """Arrange the axes in another order.

    Args:
        input (Tensor): this tensor.
        order (Union[int, tuple, list]): nothing reverses the axes; two ints swap these two; more,
            or one tuple or list, name for each axis of the result the axis it is. Also as `axes`,
            or as `dim0` and `dim1`.

    Returns: Tensor, a view.
    Raises TypeError: an axis is no int.
    Raises ValueError: the axes are no permutation.
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
    return input.permute(*_permutation("transpose", input, dims, "axes"))


@op(
    function="permute",
    cast="never",
    samples=("f(2, 3), (1, 0)",),
    errors=(("f(2, 3, 4), (1, 0)", ValueError, "rank"),),
)
def permute(input: Tensor, axis: Any) -> Tensor:
    """Arrange the axes in another order.

    Args:
        input (Tensor): any shape.
        axis (Union[tuple, list]): for each axis of the result, the axis of `input` it is.

    Returns: Tensor, a view.
    Raises TypeError: `axis` is no tuple or list of ints.
    Raises ValueError: `axis` is no permutation of the axes.

    >>> print(ms.ops.permute(ms.Tensor([[1, 2, 3]]), (1, 0)))
    [[1]
     [2]
     [3]]
    """
    return input.permute(*_permutation("permute", input, axis, "axis"))


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
)
def _permute_mint(input: Tensor, dims: Any) -> Tensor:
    """Arrange the axes in another order; see :func:`ops.permute`.

    >>> ms.mint.permute(ms.Tensor([[1, 2, 3]]), (1, 0)).shape
    (3, 1)
    """
    return input.permute(*_permutation("permute", input, dims, "dims"))


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
)
def _permute(input: Tensor, *order: Any) -> Tensor:
    """Arrange the axes in another order, as ints or as one tuple; see :func:`ops.permute`.

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
)
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Swap two axes.

    Args:
        input (Tensor): any shape.
        axis0 (int): one axis.
        axis1 (int): the other.

    Returns: Tensor, a view.
    Raises TypeError: an axis is no int.
    Raises ValueError: an axis is out of range.

    >>> ms.ops.swapaxes(ms.ops.zeros((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    return _swap("swapaxes", input, axis0, axis1, "axis")


def _swap(who: str, input: Tensor, first: Any, second: Any, name: str) -> Tensor:
    return input.transpose(
        axis_of(who, first, input.ndim, f"{name}0"), axis_of(who, second, input.ndim, f"{name}1")
    )


@op(
    method=True,
    mint="transpose",
    cast="never",
    samples=("f(2, 3, 4), 0, 2",),
    errors=(("f(2, 3), 0, 2", ValueError, "dim1"),),
)
def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Swap two axes.

    Args:
        input (Tensor): any shape.
        dim0 (int): one axis.
        dim1 (int): the other.

    Returns: Tensor, a view.
    Raises TypeError: an axis is no int.
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
    """Move axes to other places, the rest staying in order.

    Args:
        x (Tensor): any shape.
        source (Union[int, sequence[int]]): the axes to move.
        destination (Union[int, sequence[int]]): where each goes.

    Returns: Tensor, a view.
    Raises TypeError: an axis is no int.
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


@op("T", function=False, prop="T", cast="never", samples=("f(2, 3)", "f(2, 3, 4)", "f(2)"))
def _reversed_axes(input: Tensor) -> Tensor:
    """The tensor with its axes in reverse order, a view.

    Difference from PyTorch: more than two axes are deprecated there.
    Source: behaviour observed in MindSpore 2.10.

    >>> ms.ops.zeros((2, 3, 4)).T.shape
    (4, 3, 2)
    """
    return input.permute(*range(input.ndim - 1, -1, -1))


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
    Source: behaviour observed in MindSpore 2.10.

    >>> ms.ops.zeros((2, 3, 4)).mT.shape
    (2, 4, 3)
    """
    return _last_two("mT", input)


def _last_two(who: str, input: Tensor) -> Tensor:
    if input.ndim < 2:
        raise ValueError(
            f"For '{who}', the tensor must have two axes or more, but got shape "
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

    Raises ValueError: the tensor is no matrix.
    Difference from PyTorch: a 0-d tensor is refused.
    Source: behaviour observed in MindSpore 2.10.

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
    Source: behaviour observed in MindSpore 2.10.

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


@op(
    primitive="Squeeze(axis=())",
    mint=True,
    method=True,
    cast="never",
    samples=(
        "f(1, 2, 1)",
        "f(1, 2, 1), 0",
        "f(1, 2, 1), (0, 2)",
        "f(1, 2), 1",
        "f(1, 2, 1), ()",
    ),
    errors=(("f(1, 2), 2", ValueError, "axis"), ("f(1, 2), 1.5", TypeError, "axis")),
    spelled={"mint.squeeze": {"axis": "dim"}},
)
def squeeze(input: Tensor, axis: Any = None) -> Tensor:
    """Leave out axes of size 1.

    Args:
        input (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes to leave out, where their size is 1; None or an
            empty tuple for all of size 1. Default: None.

    Returns: Tensor, a view.
    Raises TypeError: `axis` is no int or tuple of ints.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: an empty tuple leaves nothing out there.

    >>> ms.ops.squeeze(ms.ops.zeros((1, 2, 1))).shape
    (2,)
    """
    return input.squeeze(axes_of("squeeze", axis, input.ndim))


@op(
    primitive="ExpandDims",
    method=True,
    cast="never",
    samples=("f(2, 3), 0", "f(2, 3), -1"),
    errors=(("f(2, 3), 5", ValueError, "axis"), ("f(2, 3), 1.5", TypeError, "axis")),
)
def expand_dims(input_x: Tensor, axis: int) -> Tensor:
    """Insert an axis of size 1.

    Args:
        input_x (Tensor): any shape.
        axis (int): where the new axis goes.

    Returns: Tensor with one axis more, a view.
    Raises TypeError: `axis` is no int.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: ``torch.unsqueeze``.

    >>> ms.ops.expand_dims(ms.ops.zeros((2, 3)), 1).shape
    (2, 1, 3)
    """
    return input_x.unsqueeze(axis_of("expand_dims", axis, input_x.ndim + 1))


@op(
    mint=True,
    method=True,
    cast="never",
    samples=("f(2, 3), 0", "f(2, 3), -1"),
    errors=(("f(2, 3), 5", ValueError, "dim"),),
    keywords={"axis": "dim"},
)
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Insert an axis of size 1.

    Args:
        input (Tensor): any shape.
        dim (int): where the new axis goes.

    Returns: Tensor with one axis more, a view.
    Raises TypeError: `dim` is no int.
    Raises ValueError: `dim` is out of range.

    >>> ms.ops.unsqueeze(ms.ops.zeros((2, 3)), 0).shape
    (1, 2, 3)
    """
    return input.unsqueeze(axis_of("unsqueeze", dim, input.ndim + 1, "dim"))


def _flatten(input: Tensor, order: Any, start_dim: int, end_dim: int) -> Tensor:
    choice("flatten", "order", order, ("C", "F"))
    if order == "F" and input.ndim > 1:
        input = _reversed_axes(input)
    start = axis_of("flatten", start_dim, max(input.ndim, 2), "start_dim")
    end = axis_of("flatten", end_dim, input.ndim, "end_dim")
    if input.ndim < 2 and start <= 1:  # the default 1 is right for vectors and numbers as well
        return input.reshape(-1)
    if start > end:
        raise ValueError(
            f"For 'flatten', 'start_dim' must not come after 'end_dim', but got {start_dim} and "
            f"{end_dim}."
        )
    return input.flatten(start, end)


@op(
    samples=("f(2, 3, 4)", "f(2, 3, 4), start_dim=0", "f(2, 3), order='F'", "f()", "f(3)"),
    errors=(
        ("f(2, 3), 'K'", ValueError, "order"),
        ("f(2, 3, 4), start_dim=2, end_dim=1", ValueError, "start_dim"),
        ("f(2, 3, 4), start_dim=5", ValueError, "start_dim"),
    ),
)
def flatten(input: Tensor, order: str = "C", *, start_dim: int = 1, end_dim: int = -1) -> Tensor:
    """Join neighbouring axes into one; by default all but the first.

    Args:
        input (Tensor): any shape.
        order (str): ``"C"`` row by row, ``"F"`` with the axes reversed first. Default: ``"C"``.
        start_dim (int): the first axis to join. Default: 1.
        end_dim (int): the last. Default: -1.

    Returns: Tensor, a view where the layout allows; with one axis if `input` has none.
    Raises TypeError: `order` is no str or an axis no int.
    Raises ValueError: `order` is another word, or an axis is out of range.
    Difference from PyTorch: `start_dim` is 0 there.

    >>> ms.ops.flatten(ms.ops.zeros((2, 3, 4))).shape
    (2, 12)
    """
    return _flatten(input, order, start_dim, end_dim)


@primitive(
    "Flatten",
    samples=("f(2, 3, 4)", "f(3)"),
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)
def _flatten_primitive(input_x: Tensor) -> Tensor:
    """Join all axes but the first; see :func:`ops.flatten`.

    >>> ms.ops.Flatten()(ms.ops.zeros((2, 3, 4))).shape
    (2, 12)
    """
    if input_x.ndim == 1:
        return input_x.reshape(-1, 1)  # the function leaves a vector as it is
    return _flatten(input_x, "C", 1, -1)


@op(
    "flatten",
    function=False,
    method="flatten",
    mint="flatten",
    cast="never",
    samples=("f(2, 3, 4)", "f(2, 3, 4), 1", "f(2, 3), 'F'", "f(2, 3), start_dim=1"),
    errors=(("f(2, 3), 'K'", ValueError, "order"),),
)
def _flatten_method(
    input: Tensor, order: Any = "C", *rest: Any, start_dim: int = 0, end_dim: int = -1
) -> Tensor:
    """Join neighbouring axes into one; by default all of them.

    Args:
        input (Tensor): this tensor.
        order (Union[str, int]): ``"C"`` or ``"F"``, or the first axis to join. Default: ``"C"``.
        rest (int): the last axis to join, if the first was given in its place.
        start_dim (int): the first axis to join. Default: 0.
        end_dim (int): the last. Default: -1.

    Returns: Tensor, a view where the layout allows.
    Raises TypeError: too many arguments.
    Raises ValueError: `order` is another word, or an axis is out of range.
    Difference from PyTorch: `order` may be given.

    >>> ms.Tensor([[1, 2], [3, 4]]).flatten().shape
    (4,)
    """
    if isinstance(order, int):
        order, start_dim = "C", order
        if rest:
            end_dim, rest = rest[0], rest[1:]
    if rest:
        raise TypeError("For 'flatten', too many positional arguments were given.")
    return _flatten(input, order, start_dim, end_dim)


@op(
    method=True,
    mint=True,
    cast="never",
    samples=("f(2, 3)", "f()"),
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)
def ravel(input: Tensor) -> Tensor:
    """Join all axes into one.

    Args:
        input (Tensor): any shape.

    Returns: Tensor with one axis, a view where the layout allows.

    >>> print(ms.ops.ravel(ms.Tensor([[1, 2], [3, 4]])))
    [1 2 3 4]
    """
    return input.reshape(-1)


@op(
    primitive="BroadcastTo(shape)",
    mint=True,
    cast="never",
    samples=("f(3), (2, 3)", "f(2, 1), (-1, 3)"),
    errors=(("f(2), (3,)", ValueError, "broadcast_to"), ("f(2), 3.5", TypeError, "shape")),
)
def broadcast_to(input: Tensor, shape: Any, *, _op_name: str = "broadcast_to") -> Tensor:
    """Repeat along axes of size 1 and new leading axes, without copying.

    Args:
        input (Tensor): any shape that broadcasts.
        shape (tuple): the new shape; -1 keeps a size.

    Returns: Tensor, a view.
    Raises TypeError: `shape` is no tuple of ints.
    Raises ValueError: `input` does not broadcast to `shape`.
    Difference from PyTorch: -1 keeps a size.

    >>> print(ms.ops.broadcast_to(ms.Tensor([1, 2]), (2, 2)))
    [[1 2]
     [1 2]]
    """
    return _broadcast(_op_name, input, shape)


def _broadcast(who: str, input: Tensor, shape: Any) -> Tensor:
    target = ints(who, "shape", (shape,) if isinstance(shape, int) else shape)
    try:
        return input.expand(*target)
    except RuntimeError as error:
        raise ValueError(
            f"For '{who}', the shape {list(input.shape)} does not broadcast to {list(target)}: "
            "counted from the end, sizes must be equal, or 1, or -1 in the new shape."
        ) from error


@op(
    "broadcast_to",
    function=False,
    method=("broadcast_to", "expand"),
    cast="never",
    samples=("f(3), 2, 3", "f(3), (2, -1)"),
    errors=(("f(2), 3", ValueError, "broadcast"),),
    keywords={"shape": "sizes", "size": "sizes"},
)
def _broadcast_method(input: Tensor, *sizes: Any) -> Tensor:
    """Repeat along axes of size 1; ints or one tuple. See :func:`ops.broadcast_to`.

    >>> print(ms.Tensor([1, 2]).expand(2, -1))
    [[1 2]
     [1 2]]
    """
    return _broadcast("broadcast_to", input, spread(sizes))


@op(
    primitive="Expand",
    cast="never",
    samples=("f(3), (2, 3)", "f(3), torch.tensor([2, 3])"),
    errors=(("f(2), (3,)", ValueError, "expand"),),
)
def expand(input_x: Tensor, size: Any) -> Tensor:
    """Repeat along axes of size 1 and new leading axes, without copying.

    Args:
        input_x (Tensor): any shape that broadcasts.
        size (Union[Tensor, tuple, list]): the new shape; -1 keeps a size.

    Returns: Tensor, a view.
    Raises TypeError: `size` is no shape.
    Raises ValueError: `input_x` does not broadcast to `size`.
    Difference from PyTorch: ``Tensor.expand``.

    >>> print(ms.ops.expand(ms.Tensor([1, 2]), ms.Tensor([2, 2])))
    [[1 2]
     [1 2]]
    """
    return _broadcast("expand", input_x, size)


@op(
    method=True,
    cast="never",
    samples=("f(3), f(2, 3)",),
    errors=(("f(2), f(3)", ValueError, "expand_as"),),
    keywords={"x": "other"},
)
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Repeat to the shape of another tensor, without copying.

    Args:
        input (Tensor): any shape that broadcasts.
        other (Tensor): whose shape to take.

    Returns: Tensor, a view.
    Raises ValueError: the shapes do not broadcast.

    >>> print(ms.ops.expand_as(ms.Tensor([1, 2]), ms.ops.zeros((2, 2))))
    [[1 2]
     [1 2]]
    """
    return _broadcast("expand_as", input, tuple(other.shape))


@op(cast="never", samples=("c(2, 3)",), errors=(("f(2)", TypeError, "complex"),))
def view_as_real(input: Tensor) -> Tensor:
    """Complex numbers as pairs of real ones.

    Args:
        input (Tensor): complex, any shape.

    Returns: Tensor with one axis more, of size 2; a view.
    Raises TypeError: `input` is not complex.

    >>> print(ms.ops.view_as_real(ms.Tensor([1 + 2j])))
    [[1. 2.]]
    """
    if not input.is_complex():
        raise TypeError(
            f"For 'view_as_real', 'input' must be complex, but got {FROM_TORCH[input.dtype]}."
        )
    return torch.view_as_real(input.resolve_conj())


# -------------------------------------------------------------------- what a tensor is like


@op(
    function=("shape", "shape_"),
    cast="never",
    samples=("f(2, 3)",),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"),),
    spelled={"shape_": {"input_x": "x"}},
)
def shape(input_x: Tensor) -> tuple[int, ...]:
    """The sizes of a tensor's axes.

    Args:
        input_x (Tensor): any tensor.

    Returns: Tuple of ints.
    Difference from PyTorch: ``Tensor.shape`` is a ``torch.Size`` there.

    >>> ms.ops.shape(ms.ops.zeros((2, 3)))
    (2, 3)
    """
    return tuple(input_x.shape)


@primitive(
    "Shape",
    cast="never",
    samples=("f(2, 3)",),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)
def _shape_primitive(x: Tensor) -> tuple[int, ...]:
    """The sizes of a tensor's axes; see :func:`ops.shape`.

    >>> ms.ops.Shape()(ms.ops.zeros((2, 3)))
    (2, 3)
    """
    return tuple(x.shape)


@op(
    function="dyn_shape",
    primitive=("TensorShape", "DynamicShape"),
    cast="never",
    samples=("f(2, 3)",),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)
def dyn_shape(input_x: Tensor) -> Tensor:
    """The sizes of a tensor's axes, as a tensor.

    Args:
        input_x (Tensor): any tensor.

    Returns: Tensor of int64.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.dyn_shape(ms.ops.zeros((2, 3))))
    [2 3]
    """
    return torch.tensor(input_x.shape, dtype=torch.int64)


def _count(name: str, value: Any, words: str, parameter: str, shown: str, **faces: Any) -> None:
    """Declare a function that tells a number about a tensor."""

    def of_input(input: Tensor) -> int:
        return value(input)

    def of_input_x(input_x: Tensor) -> int:
        return value(input_x)

    impl = of_input if parameter == "input" else of_input_x
    impl.__name__ = name
    impl.__doc__ = (
        f"The {words} of a tensor.\n\n"
        "    Args:\n"
        f"        {parameter} (Tensor): any tensor.\n\n"
        "    Returns: int.\n"
        f"    Raises TypeError: `{parameter}` is no Tensor.\n\n"
        f"    >>> ms.{shown}\n"
    )
    only_method = faces.get("function", True) is False
    op(
        name,
        cast="never",
        samples=("f(2, 3)", "f()"),
        differentiable=False,
        errors=(
            ("f(2), 1", TypeError, "positional argument")
            if only_method
            else ("[1.0]", TypeError, "must be Tensor"),
        ),
        **faces,
    )(impl)


_count(
    "numel",
    Tensor.numel,
    "number of elements",
    "input",
    "ops.numel(ms.ops.zeros((2, 3)))\n        6",
    method=("numel", "nelement"),
)
_count(
    "size",
    Tensor.numel,
    "number of elements",
    "input_x",
    "ops.size(ms.ops.zeros((2, 3)))\n        6",
    primitive="Size",
)
_count(
    "rank",
    Tensor.dim,
    "number of axes",
    "input_x",
    "ops.rank(ms.ops.zeros((2, 3)))\n        2",
    primitive="Rank",
)
_count(
    "dim",
    Tensor.dim,
    "number of axes",
    "input",
    "ops.zeros((2, 3)).dim()\n        2",
    function=False,
    method=("dim", "ndimension"),
)
_count(
    "element_size",
    Tensor.element_size,
    "bytes of one element",
    "input",
    "Tensor([1.0]).element_size()\n        4",
    function=False,
    method=True,
)
_count(
    "storage_offset",
    Tensor.storage_offset,
    "place in its memory, in elements,",
    "input",
    "Tensor([1, 2])[1:].storage_offset()\n        1",
    function=False,
    method=True,
)
_count(
    "data_ptr",
    Tensor.data_ptr,
    "address of the first element",
    "input",
    "Tensor([1.0]).data_ptr() > 0\n        True",
    function=False,
    method=True,
)


@op(
    function=False,
    method=True,
    cast="never",
    samples=("f(2, 3)", "f(2, 3), 0"),
    differentiable=False,
    errors=(("f(2), 1", ValueError, "dim"),),
)
def stride(input: Tensor, dim: int | None = None) -> Any:
    """How many elements to step over along each axis, or along one.

    Args:
        input (Tensor): this tensor.
        dim (int): the axis. Default None: all.

    Returns: List of ints, or an int.
    Raises ValueError: `dim` is out of range.
    Difference from PyTorch: a list, not a tuple; ``Tensor.strides`` counts bytes.

    >>> ms.ops.zeros((2, 3)).stride()
    [3, 1]
    """
    if dim is None:
        return list(input.stride())
    return input.stride(axis_of("stride", dim, input.ndim, "dim"))


@op(
    function=False,
    method=True,
    cast="never",
    samples=("f(2, 3)", "f(2, 3).T"),
    differentiable=False,
    errors=(("f(2), 1", TypeError, "positional argument"),),
)
def is_contiguous(input: Tensor) -> bool:
    """Whether the elements lie in memory in the order of the axes.

    Difference from PyTorch: none.
    Source: behaviour observed in MindSpore 2.10.

    >>> ms.ops.zeros((2, 3)).T.is_contiguous()
    False
    """
    return input.is_contiguous()


@op(
    function=False,
    method=True,
    cast="never",
    samples=("f(2, 3)", "f(2, 3).T"),
    errors=(("f(2), 1", TypeError, "positional argument"),),
)
def contiguous(input: Tensor) -> Tensor:
    """The tensor with its elements in memory in the order of the axes, copied if need be.

    Difference from PyTorch: none.
    Source: behaviour observed in MindSpore 2.10.

    >>> ms.ops.zeros((2, 3)).T.contiguous().stride()
    [2, 1]
    """
    return input.contiguous()


@op(
    cast="never",
    samples=("f(2, 3)", "i(2)"),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)
def dtype(x: Tensor) -> Number:
    """The type of a tensor's elements.

    Args:
        x (Tensor): any tensor.

    Returns: Type, such as ``ms.float32``.
    Difference from PyTorch: ``Tensor.dtype``.

    >>> ms.ops.dtype(ms.Tensor([1.0]))
    mindspore.float32
    """
    return FROM_TORCH[x.dtype]


@primitive(
    "DType",
    cast="never",
    samples=("f(2, 3)", "i(2)"),
    differentiable=False,
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)
def _dtype_primitive(x: Tensor) -> Number:
    """The type of a tensor's elements; see :func:`ops.dtype`.

    >>> ms.ops.DType()(ms.Tensor([1.0]))
    mindspore.float32
    """
    return FROM_TORCH[x.dtype]
