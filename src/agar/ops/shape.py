"""Shape and arrangement: views, joining, splitting, repeating, reversing, diagonals.

NOTE Views. Results that only describe the same numbers anew share the input's memory wherever its
layout allows: writing into one shows in the other, as in MindSpore 2.10. Precision scopes leave
such operators alone.
"""

from __future__ import annotations

from builtins import slice as _python_slice
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH, Number, to_torch_dtype
from agar._core.dtype import Type as MsType
from agar._core.optable import op, primitive
from agar.ops._checks import choice, integer, ints
from agar.ops.math import common_dtype, input_is_integer

__all__ = ["axes_of", "axis_of"]


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


def _spread(values: tuple[Any, ...]) -> Sequence[Any]:
    """The ints of a call ``f(2, 3)`` or ``f((2, 3))``."""
    if len(values) == 1 and isinstance(values[0], (tuple, list)):
        return values[0]
    return values


# ---------------------------------------------------------------------------- the same numbers


@op(
    mint=True,
    primitive="Reshape",
    cast="never",
    samples=("f(2, 3), (3, -1)", "f(6), [2, 3]", "f(), (1, 1)"),
    errors=(
        ("f(2, 3), (4, 2)", ValueError, "invalid for input of size 6"),
        ("f(2, 3), (-1, -1)", ValueError, "only one dimension"),
        ("f(2, 3), 'x'", TypeError, "reshape"),
    ),
)
def reshape(input: Tensor, shape: Any) -> Tensor:
    """Give the elements another shape, in the same order.

    Args:
        input (Tensor): any shape.
        shape (Union[tuple, list, Tensor]): the new shape; one size may be -1, which is what is
            left.

    Returns:
        Tensor of that shape, a view where the layout allows.

    Raises:
        TypeError: `shape` is no shape.
        ValueError: the numbers of elements differ, or two sizes are -1.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
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
        ("f(2, 3), 4, 2", ValueError, "invalid for input of size 6"),
        ("f(2, 3), 3.0, 2", TypeError, "reshape"),
    ),
)
def _reshape(input: Tensor, *shape: Any) -> Tensor:
    """Give the elements another shape, as ints or as one tuple; see :func:`ops.reshape`.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([1, 2, 3, 4]).reshape(2, -1))
        [[1 2]
         [3 4]]
    """
    return torch.reshape(input, shape if len(shape) != 1 else _sizes(shape[0]))


def _sizes(shape: Any) -> Sequence[int]:
    return (shape,) if isinstance(shape, int) else shape


@op(
    function=False,
    method=True,
    cast="never",
    samples=("f(2, 3), 3, -1", "f(2, 3), (3, 2)", "f(2, 3).T, 6", "f(2), ms.int64"),
    errors=(("f(2, 3), 4, 2", ValueError, "invalid for input of size 6"),),
)
def view(input: Tensor, *shape: Any) -> Tensor:
    """Give the elements another shape, or read their bytes as another type.

    Args:
        shape (Union[int, tuple, list, Type]): the new shape, or a type.

    Returns:
        Tensor of that shape or type; a view where the layout allows.

    Raises:
        TypeError: `shape` is neither.
        ValueError: the numbers of elements differ.

    Difference from PyTorch: a layout that allows no view is copied, where an error is raised
    there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([1, 2, 3, 4]).view(2, 2), ms.Tensor([1.0]).view(ms.int32))
        [[1 2]
         [3 4]] [1065353216]
    """
    if len(shape) == 1:
        if isinstance(shape[0], (MsType, torch.dtype)):
            return input.view(to_torch_dtype(shape[0], who="view"))
        return torch.reshape(input, _sizes(shape[0]))
    return torch.reshape(input, shape)


@op(
    method=("view_as", "reshape_as"),
    cast="never",
    samples=("f(2, 3), f(3, 2)",),
    errors=(("f(2, 3), f(4)", ValueError, "invalid for input of size 6"),),
)
def view_as(input: Tensor, other: Tensor) -> Tensor:
    """Give the elements the shape of another tensor.

    Args:
        input (Tensor): any shape.
        other (Tensor): whose shape to take.

    Returns:
        Tensor of that shape, a view where the layout allows.

    Raises:
        TypeError: an argument is no Tensor.
        ValueError: the numbers of elements differ.

    Difference from PyTorch: a layout that allows no view is copied.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.view_as(ms.Tensor([1, 2, 3, 4]), ms.Tensor([[0, 0], [0, 0]])))
        [[1 2]
         [3 4]]
    """
    return torch.reshape(input, other.shape)


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

    Returns:
        Tensor, a view.

    Raises:
        TypeError: `dims` is no tuple or list of ints.
        ValueError: `dims` is no permutation of the axes.

    Difference from PyTorch: ``torch.permute``; ``torch.transpose`` swaps two axes.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
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
)
def _transpose(input: Tensor, *axes: Any) -> Tensor:
    """Arrange the axes in another order.

    Args:
        axes (Union[int, tuple, list]): nothing reverses the axes; two ints swap these two; more,
            or one tuple or list, name for each axis of the result the axis it is.

    Returns:
        Tensor, a view.

    Raises:
        TypeError: an axis is no int.
        ValueError: the axes are no permutation.

    Difference from PyTorch: ``transpose`` takes two axes only there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([[1, 2, 3], [4, 5, 6]]).transpose())
        [[1 4]
         [2 5]
         [3 6]]
    """
    if len(axes) == 2 and isinstance(axes[0], int) and isinstance(axes[1], int):
        return swapaxes(input, axes[0], axes[1])
    dims = _spread(axes)
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

    Returns:
        Tensor, a view.

    Raises:
        TypeError: `axis` is no tuple or list of ints.
        ValueError: `axis` is no permutation of the axes.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.permute(ms.Tensor([[1, 2, 3]]), (1, 0)))
        [[1]
         [2]
         [3]]
    """
    return input.permute(*_permutation("permute", input, axis, "axis"))


@op("permute", function=False, mint="permute", cast="never", samples=("f(2, 3), (1, 0)",))
def _permute_mint(input: Tensor, dims: Any) -> Tensor:
    """Arrange the axes in another order; see :func:`ops.permute`.

    Examples:
        >>> import agar as ms
        >>> ms.mint.permute(ms.Tensor([[1, 2, 3]]), (1, 0)).shape
        (3, 1)
    """
    return permute(input, dims)


@op(
    "permute",
    function=False,
    method="permute",
    cast="never",
    samples=("f(2, 3, 4), 2, 0, 1", "f(2, 3), (1, 0)"),
)
def _permute(input: Tensor, *axis: Any) -> Tensor:
    """Arrange the axes in another order, as ints or as one tuple; see :func:`ops.permute`.

    Examples:
        >>> import agar as ms
        >>> ms.Tensor([[1, 2, 3]]).permute(1, 0).shape
        (3, 1)
    """
    return permute(input, _spread(axis))


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

    Returns:
        Tensor, a view.

    Raises:
        TypeError: an axis is no int.
        ValueError: an axis is out of range.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.swapaxes(ms.ops.zeros((2, 3, 4)), 0, 2).shape
        (4, 3, 2)
    """
    rank = input.ndim
    return input.transpose(
        axis_of("swapaxes", axis0, rank, "axis0"), axis_of("swapaxes", axis1, rank, "axis1")
    )


@op(
    method=True,
    mint="transpose",
    cast="never",
    samples=("f(2, 3, 4), 0, 2",),
    errors=(("f(2, 3), 0, 2", ValueError, "axis1"),),
)
def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Swap two axes.

    Args:
        input (Tensor): any shape.
        dim0 (int): one axis.
        dim1 (int): the other.

    Returns:
        Tensor, a view.

    Raises:
        TypeError: an axis is no int.
        ValueError: an axis is out of range.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.swapdims(ms.ops.zeros((2, 3, 4)), 0, 2).shape
        (4, 3, 2)
    """
    return swapaxes(input, dim0, dim1)


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

    Returns:
        Tensor, a view.

    Raises:
        TypeError: an axis is no int.
        ValueError: an axis is out of range or given twice, or the numbers of axes differ.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
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

    Returns:
        Tensor, a view.

    Raises:
        TypeError: `input` is no Tensor.

    Difference from PyTorch: more than two axes raise an error there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
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

    Examples:
        >>> import agar as ms
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
    errors=(("f(3)", ValueError, "mT"),),
)
def _matrix_transpose(input: Tensor) -> Tensor:
    """The tensor with its last two axes swapped, a view.

    Raises:
        ValueError: there is only one axis.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.zeros((2, 3, 4)).mT.shape
        (2, 4, 3)
    """
    if input.ndim < 2:
        raise ValueError(
            f"For 'mT', the tensor must have two axes or more, but got shape {list(input.shape)}."
        )
    return input.transpose(-2, -1)


@op("H", function=False, prop="H", cast="never", samples=("f(2, 3)", "c(2, 3)"))
def _hermitian(input: Tensor) -> Tensor:
    """The tensor with its axes reversed and its values conjugated.

    Difference from PyTorch: tensors that are no matrix are accepted.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([[1 + 2j, 3]]).H)
        [[1.-2.j]
         [3.-0.j]]
    """
    return _reversed_axes(input).conj().resolve_conj()


@op(
    "mH",
    function=False,
    prop="mH",
    cast="never",
    samples=("f(2, 3, 4)", "c(2, 3)"),
    errors=(("f(3)", ValueError, "mT"),),
)
def _matrix_hermitian(input: Tensor) -> Tensor:
    """The tensor with its last two axes swapped and its values conjugated.

    Raises:
        ValueError: there is only one axis.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([[1 + 2j, 3]]).mH)
        [[1.-2.j]
         [3.-0.j]]
    """
    return _matrix_transpose(input).conj().resolve_conj()


@op(method=True, cast="never", samples=("f(2, 3)", "c(2, 3)"), errors=(("f(3)", ValueError, "mT"),))
def adjoint(x: Tensor) -> Tensor:
    """Conjugate transpose of matrices: the last two axes swapped, the values conjugated.

    Args:
        x (Tensor): two axes or more.

    Returns:
        Tensor.

    Raises:
        TypeError: `x` is no Tensor.
        ValueError: there are fewer than two axes.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.adjoint(ms.Tensor([[1 + 2j, 3]])))
        [[1.-2.j]
         [3.-0.j]]
    """
    return _matrix_hermitian(x)


@op(
    mint=True,
    method=True,
    cast="never",
    samples=("f(1, 2, 1)", "f(1, 2, 1), 0", "f(1, 2, 1), (0, 2)", "f(1, 2), 1"),
    errors=(("f(1, 2), 2", ValueError, "axis"), ("f(1, 2), 1.5", TypeError, "axis")),
)
def squeeze(input: Tensor, axis: Any = None) -> Tensor:
    """Leave out axes of size 1.

    Args:
        input (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes to leave out, where their size is 1. Default None:
            all of size 1.

    Returns:
        Tensor, a view.

    Raises:
        TypeError: `axis` is no int or tuple of ints.
        ValueError: an axis is out of range.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.squeeze(ms.ops.zeros((1, 2, 1))).shape
        (2,)
    """
    if axis is None:
        return input.squeeze()
    return input.squeeze(axes_of("squeeze", axis, input.ndim) if axis != () else ())


@primitive("Squeeze", cast="never", samples=("f(1, 2, 1)", "f(1, 2), axis=0"))
def _squeeze_primitive(input: Tensor, *, axis: Any = ()) -> Tensor:
    """Leave out axes of size 1, all of them if `axis` is empty; see :func:`ops.squeeze`.

    Examples:
        >>> import agar as ms
        >>> ms.ops.Squeeze(0)(ms.ops.zeros((1, 2, 1))).shape
        (2, 1)
    """
    return squeeze(input, None if axis == () else axis)


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

    Returns:
        Tensor with one axis more, a view.

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range.

    Difference from PyTorch: ``torch.unsqueeze``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
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
)
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Insert an axis of size 1.

    Args:
        input (Tensor): any shape.
        dim (int): where the new axis goes.

    Returns:
        Tensor with one axis more, a view.

    Raises:
        TypeError: `dim` is no int.
        ValueError: `dim` is out of range.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
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

    Returns:
        Tensor, a view where the layout allows; with one axis if `input` has none.

    Raises:
        TypeError: `order` is no str or an axis no int.
        ValueError: `order` is another word, or an axis is out of range.

    Difference from PyTorch: `start_dim` is 0 there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.flatten(ms.ops.zeros((2, 3, 4))).shape
        (2, 12)
    """
    return _flatten(input, order, start_dim, end_dim)


@primitive("Flatten", samples=("f(2, 3, 4)",))
def _flatten_primitive(input_x: Tensor) -> Tensor:
    """Join all axes but the first; see :func:`ops.flatten`.

    Examples:
        >>> import agar as ms
        >>> ms.ops.Flatten()(ms.ops.zeros((2, 3, 4))).shape
        (2, 12)
    """
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
        order (Union[str, int]): ``"C"`` or ``"F"``, or the first axis to join. Default: ``"C"``.
        rest (int): the last axis to join, if the first was given in its place.
        start_dim (int): the first axis to join. Default: 0.
        end_dim (int): the last. Default: -1.

    Returns:
        Tensor, a view where the layout allows.

    Raises:
        TypeError: too many arguments.
        ValueError: `order` is another word, or an axis is out of range.

    Difference from PyTorch: `order` may be given.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
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


@op(method=True, mint=True, cast="never", samples=("f(2, 3)", "f()"))
def ravel(input: Tensor) -> Tensor:
    """Join all axes into one.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor with one axis, a view where the layout allows.

    Raises:
        TypeError: `input` is no Tensor.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.ravel(ms.Tensor([[1, 2], [3, 4]])))
        [1 2 3 4]
    """
    return input.reshape(-1)


@op(
    mint=True,
    cast="never",
    samples=("f(3), (2, 3)", "f(2, 1), (-1, 3)"),
    errors=(("f(2), (3,)", ValueError, "broadcast_to"), ("f(2), 3.5", TypeError, "shape")),
)
def broadcast_to(input: Tensor, shape: Any) -> Tensor:
    """Repeat along axes of size 1 and new leading axes, without copying.

    Args:
        input (Tensor): any shape that broadcasts.
        shape (tuple): the new shape; -1 keeps a size.

    Returns:
        Tensor, a view.

    Raises:
        TypeError: `shape` is no tuple of ints.
        ValueError: `input` does not broadcast to `shape`.

    Difference from PyTorch: -1 keeps a size.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.broadcast_to(ms.Tensor([1, 2]), (2, 2)))
        [[1 2]
         [1 2]]
    """
    return _broadcast("broadcast_to", input, shape)


def _broadcast(who: str, input: Tensor, shape: Any) -> Tensor:
    target = ints(who, "shape", (shape,) if isinstance(shape, int) else shape)
    try:
        return input.expand(*target)
    except RuntimeError as error:
        raise ValueError(
            f"For '{who}', the shape {list(input.shape)} does not broadcast to {list(target)}: "
            "counted from the end, sizes must be equal, or 1, or -1 in the new shape."
        ) from error


@primitive("BroadcastTo", cast="never", samples=("f(3), shape=(2, 3)",))
def _broadcast_to_primitive(input: Tensor, *, shape: Any) -> Tensor:
    """Repeat along axes of size 1, without copying; see :func:`ops.broadcast_to`.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.BroadcastTo((2, 2))(ms.Tensor([1, 2])))
        [[1 2]
         [1 2]]
    """
    return _broadcast("BroadcastTo", input, shape)


@op(
    "broadcast_to",
    function=False,
    method=("broadcast_to", "expand"),
    cast="never",
    samples=("f(3), 2, 3", "f(3), (2, -1)"),
    errors=(("f(2), 3", ValueError, "broadcast"),),
)
def _broadcast_method(input: Tensor, *shape: Any) -> Tensor:
    """Repeat along axes of size 1; ints or one tuple. See :func:`ops.broadcast_to`.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([1, 2]).expand(2, -1))
        [[1 2]
         [1 2]]
    """
    return _broadcast("broadcast_to", input, _spread(shape))


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

    Returns:
        Tensor, a view.

    Raises:
        TypeError: `size` is no shape.
        ValueError: `input_x` does not broadcast to `size`.

    Difference from PyTorch: ``Tensor.expand``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
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
)
def expand_as(input: Tensor, other: Tensor) -> Tensor:
    """Repeat to the shape of another tensor, without copying.

    Args:
        input (Tensor): any shape that broadcasts.
        other (Tensor): whose shape to take.

    Returns:
        Tensor, a view.

    Raises:
        TypeError: an argument is no Tensor.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.expand_as(ms.Tensor([1, 2]), ms.ops.zeros((2, 2))))
        [[1 2]
         [1 2]]
    """
    return _broadcast("expand_as", input, tuple(other.shape))


# ------------------------------------------------------------------------------ taking apart


@op(
    "narrow",
    function="narrow",
    method="narrow",
    cast="never",
    samples=("f(4, 3), 0, 1, 2", "f(4, 3), -1, 0, 2"),
    errors=(("f(4), 0, 3, 2", ValueError, "length"), ("f(4), 1, 0, 1", ValueError, "axis")),
)
def narrow(input: Tensor, axis: int, start: int, length: int) -> Tensor:
    """A range of one axis.

    Args:
        input (Tensor): any shape.
        axis (int): the axis.
        start (int): where the range begins.
        length (int): how long it is.

    Returns:
        Tensor, a view.

    Raises:
        TypeError: an argument is no int.
        ValueError: `axis` or the range lies outside of the tensor.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.narrow(ms.Tensor([1, 2, 3, 4]), 0, 1, 2))
        [2 3]
    """
    place = axis_of("narrow", axis, input.ndim)
    size = input.shape[place]
    first, count = integer("narrow", "start", start), integer("narrow", "length", length, 0)
    first += size if first < 0 else 0
    if not 0 <= first <= first + count <= size:
        raise ValueError(
            f"For 'narrow', 'start' {start} and 'length' {length} lie outside of axis {axis} with "
            f"size {size}."
        )
    return input.narrow(place, first, count)


def _split(who: str, tensor: Tensor, sections: Any, axis: Any) -> tuple[Tensor, ...]:
    place = axis_of(who, axis, tensor.ndim)
    size = tensor.shape[place]
    if isinstance(sections, (tuple, list)):
        parts = [integer(who, "split_size_or_sections", n, 0) for n in sections]
        if sum(parts) != size:
            raise ValueError(
                f"For '{who}', the sections {list(parts)} must sum to the size {size} of axis "
                f"{axis}."
            )
        return tensor.split(parts, place)
    return tensor.split(integer(who, "split_size_or_sections", sections, 1), place)


@op(
    cast="never",
    samples=("f(5), 2", "f(5, 2), [2, 3]", "f(4, 6), 3, 1"),
    errors=(
        ("f(5), [2, 2]", ValueError, "sum"),
        ("f(5), 0", ValueError, "split_size"),
        ("f(5), 2.5", TypeError, "split_size"),
        ("f(5), 2, 1", ValueError, "axis"),
    ),
)
def split(tensor: Tensor, split_size_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """Cut into parts along an axis.

    Args:
        tensor (Tensor): any shape.
        split_size_or_sections (Union[int, tuple, list]): the size of each part, the last may be
            smaller; or the sizes of all parts.
        axis (int): the axis. Default: 0.

    Returns:
        Tuple of Tensors, views.

    Raises:
        TypeError: a size is no int.
        ValueError: the sizes do not sum to the axis, or `axis` is out of range.

    Difference from PyTorch: `axis` is called ``dim`` there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> [part.tolist() for part in ms.ops.split(ms.Tensor([1, 2, 3, 4, 5]), 2)]
        [[1, 2], [3, 4], [5]]
    """
    return _split("split", tensor, split_size_or_sections, axis)


@op(
    "split",
    function=False,
    method="split",
    cast="never",
    samples=("f(5), 2", "f(4, 6), 3, 1", "f(4), 2, dim=0", "f(4), split_size=2"),
    errors=(("f(5), [2, 2]", ValueError, "sum"),),
)
def _split_method(
    input: Tensor,
    split_size_or_sections: Any = None,
    axis: int = 0,
    *,
    dim: int | None = None,
    split_size: Any = None,
) -> tuple[Tensor, ...]:
    """Cut into parts along an axis; `dim` and `split_size` mean the same. See :func:`ops.split`.

    Examples:
        >>> import agar as ms
        >>> [part.tolist() for part in ms.Tensor([1, 2, 3]).split(2)]
        [[1, 2], [3]]
    """
    sections = split_size if split_size_or_sections is None else split_size_or_sections
    return _split("split", input, sections, axis if dim is None else dim)


@op("split", function=False, mint="split", cast="never", samples=("f(5), 2", "f(4, 6), 3, 1"))
def _split_mint(tensor: Tensor, split_size_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Cut into parts along an axis; see :func:`ops.split`.

    Examples:
        >>> import agar as ms
        >>> [part.tolist() for part in ms.mint.split(ms.Tensor([1, 2, 3]), 2)]
        [[1, 2], [3]]
    """
    return _split("split", tensor, split_size_or_sections, dim)


@primitive(
    "Split",
    cast="never",
    samples=("f(4), output_num=2", "f(2, 6), axis=1, output_num=3"),
    errors=(("f(4), output_num=3", ValueError, "divisible"),),
)
def _split_primitive(input_x: Tensor, *, axis: int = 0, output_num: int = 1) -> tuple[Tensor, ...]:
    """Cut into equal parts along an axis.

    Args:
        axis (int): the axis. Default: 0.
        output_num (int): how many parts. Default: 1.
        input_x (Tensor): any shape.

    Returns:
        Tuple of Tensors, views.

    Raises:
        TypeError: an argument is no int.
        ValueError: the size is not divisible by `output_num`, or `axis` is out of range.

    Difference from PyTorch: ``torch.chunk``, which accepts any number of parts.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> [part.tolist() for part in ms.ops.Split(0, 2)(ms.Tensor([1, 2, 3, 4]))]
        [[1, 2], [3, 4]]
    """
    place = axis_of("Split", axis, input_x.ndim)
    count = integer("Split", "output_num", output_num, 1)
    size = input_x.shape[place]
    if size % count:
        raise ValueError(
            f"For 'Split', the size {size} of axis {axis} must be divisible by 'output_num' {count}."
        )
    return input_x.split(size // count, place) if size else (input_x,) * count


@primitive(
    "SplitV",
    cast="never",
    samples=("f(5), size_splits=[2, -1], split_dim=0, num_split=2",),
    errors=(("f(5), size_splits=[2, 2], split_dim=0, num_split=2", ValueError, "sum"),),
)
def _split_v(
    input_x: Tensor, *, size_splits: Any, split_dim: int, num_split: int
) -> tuple[Tensor, ...]:
    """Cut into parts of given sizes along an axis.

    Args:
        size_splits (Union[tuple, list]): the sizes; one may be -1, which is what is left.
        split_dim (int): the axis.
        num_split (int): how many parts.
        input_x (Tensor): any shape.

    Returns:
        Tuple of Tensors, views.

    Raises:
        TypeError: an argument is no int.
        ValueError: the sizes do not sum to the axis, or are not `num_split`.

    Difference from PyTorch: ``torch.split``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> parts = ms.ops.SplitV([1, -1], 0, 2)(ms.Tensor([1, 2, 3]))
        >>> [part.tolist() for part in parts]
        [[1], [2, 3]]
    """
    place = axis_of("SplitV", split_dim, input_x.ndim, "split_dim")
    parts = list(ints("SplitV", "size_splits", size_splits))
    if len(parts) != num_split:
        raise ValueError(
            f"For 'SplitV', 'size_splits' must have 'num_split' {num_split} sizes, but got "
            f"{len(parts)}."
        )
    if parts.count(-1) == 1:
        parts[parts.index(-1)] = input_x.shape[place] - sum(parts) - 1
    return _split("SplitV", input_x, parts, place)


@op(
    cast="never",
    samples=("f(5), 2", "f(4, 6), 3, 1"),
    errors=(("f(5), 0", ValueError, "chunks"), ("f(5), 2, 1", ValueError, "axis")),
)
def chunk(input: Tensor, chunks: int, axis: int = 0) -> tuple[Tensor, ...]:
    r"""Cut into at most so many parts of size :math:`\lceil size / chunks \rceil`.

    Args:
        input (Tensor): any shape.
        chunks (int): how many parts at most.
        axis (int): the axis. Default: 0.

    Returns:
        Tuple of Tensors, views; the last may be smaller.

    Raises:
        TypeError: an argument is no int.
        ValueError: `chunks` is not positive, or `axis` is out of range.

    Difference from PyTorch: `axis` is called ``dim`` there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> [part.tolist() for part in ms.ops.chunk(ms.Tensor([1, 2, 3, 4, 5]), 2)]
        [[1, 2, 3], [4, 5]]
    """
    return input.chunk(integer("chunk", "chunks", chunks, 1), axis_of("chunk", axis, input.ndim))


@op(
    "chunk",
    function=False,
    method="chunk",
    cast="never",
    samples=("f(5), 2", "f(4, 6), 3, 1", "f(4), 2, dim=0"),
)
def _chunk_method(
    input: Tensor, chunks: int, axis: int = 0, *, dim: int | None = None
) -> tuple[Tensor, ...]:
    """Cut into at most so many parts; `dim` means `axis`. See :func:`ops.chunk`.

    Examples:
        >>> import agar as ms
        >>> [part.tolist() for part in ms.Tensor([1, 2, 3]).chunk(2)]
        [[1, 2], [3]]
    """
    return chunk(input, chunks, axis if dim is None else dim)


@op("chunk", function=False, mint="chunk", cast="never", samples=("f(5), 2", "f(4, 6), 3, 1"))
def _chunk_mint(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Cut into at most so many parts; see :func:`ops.chunk`.

    Examples:
        >>> import agar as ms
        >>> [part.tolist() for part in ms.mint.chunk(ms.Tensor([1, 2, 3]), 2)]
        [[1, 2], [3]]
    """
    return chunk(input, chunks, dim)


@op(
    method=True,
    cast="never",
    samples=("f(5), 2", "f(5), (1, 3)", "f(4, 6), 4, 1"),
    errors=(("f(5), 0", ValueError, "sections"), ("f(5), 2, 1", ValueError, "axis")),
)
def tensor_split(input: Tensor, indices_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """Cut into so many parts as equal as can be, or at given places.

    Args:
        input (Tensor): any shape.
        indices_or_sections (Union[int, tuple, list]): the number of parts, or the places to cut.
        axis (int): the axis. Default: 0.

    Returns:
        Tuple of Tensors, views.

    Raises:
        TypeError: an argument is of another type.
        ValueError: the number is not positive, or `axis` is out of range.

    Difference from PyTorch: `axis` is called ``dim`` there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> [part.tolist() for part in ms.ops.tensor_split(ms.Tensor([1, 2, 3, 4]), (1, 3))]
        [[1], [2, 3], [4]]
    """
    place = axis_of("tensor_split", axis, input.ndim)
    if isinstance(indices_or_sections, (tuple, list)):
        return input.tensor_split(list(ints("tensor_split", "indices", indices_or_sections)), place)
    return input.tensor_split(integer("tensor_split", "sections", indices_or_sections, 1), place)


def _axis_split(name: str, rank: int, words: str, sample: str) -> None:
    """Declare hsplit, vsplit or dsplit: tensor_split along one axis."""

    def impl(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
        if input.ndim < rank:
            raise ValueError(
                f"For '{name}', the input must have at least {rank} axes, but got shape "
                f"{list(input.shape)}."
            )
        axis = {"hsplit": min(1, input.ndim - 1), "vsplit": 0, "dsplit": 2}[name]
        return tensor_split(input, indices_or_sections, axis)

    impl.__name__ = name
    impl.__doc__ = (
        f"Cut {words}; see :func:`ops.tensor_split`.\n\n"
        "    Args:\n"
        f"        input (Tensor): {rank} axes or more.\n"
        "        indices_or_sections (Union[int, tuple, list]): the number of parts, or the places\n"
        "            to cut.\n\n"
        "    Returns:\n"
        "        Tuple of Tensors, views.\n\n"
        "    Raises:\n"
        "        TypeError: an argument is of another type.\n"
        "        ValueError: there are too few axes.\n\n"
        "    Difference from PyTorch: a size that is not divisible is accepted.\n\n"
        "    Source: behaviour observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        f"        >>> len(ms.ops.{name}(ms.ops.zeros((2, 2, 2)), 2))\n"
        "        2\n"
    )
    op(
        name, method=True, cast="never", samples=(sample,), errors=(("f(), 2", ValueError, "axes"),)
    )(impl)


_axis_split("hsplit", 1, "along the second axis (the first of vectors)", "f(2, 4), 2")
_axis_split("vsplit", 2, "along the first axis", "f(4, 2), (1, 3)")
_axis_split("dsplit", 3, "along the third axis", "f(2, 2, 4), 2")


@op(
    method=True,
    mint=True,
    samples=("f(2, 3)", "f(2, 3), 1"),
    errors=(("f(2), 1", ValueError, "dim"), ("f()", ValueError, "0-d")),
)
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along an axis, which disappears.

    Args:
        input (Tensor): one axis or more.
        dim (int): the axis. Default: 0.

    Returns:
        Tuple of Tensors, views.

    Raises:
        TypeError: `dim` is no int.
        ValueError: `dim` is out of range or `input` 0-d.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> [part.tolist() for part in ms.ops.unbind(ms.Tensor([[1, 2], [3, 4]]))]
        [[1, 2], [3, 4]]
    """
    return _unbind("unbind", input, dim, "dim")


def _unbind(who: str, input: Tensor, axis: Any, name: str = "axis") -> tuple[Tensor, ...]:
    if input.ndim == 0:
        raise ValueError(f"For '{who}', a 0-d tensor has no axis to take apart.")
    return input.unbind(axis_of(who, axis, input.ndim, name))


@op(samples=("f(2, 3)", "f(2, 3), 1"), errors=(("f(2), 1", ValueError, "axis"),))
def unstack(input_x: Tensor, axis: int = 0) -> tuple[Tensor, ...]:
    """The slices along an axis, which disappears.

    Args:
        input_x (Tensor): one axis or more.
        axis (int): the axis. Default: 0.

    Returns:
        Tuple of Tensors, views.

    Raises:
        TypeError: `axis` is no int.
        ValueError: `axis` is out of range or `input_x` 0-d.

    Difference from PyTorch: ``torch.unbind``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> [part.tolist() for part in ms.ops.unstack(ms.Tensor([[1, 2], [3, 4]]), 1)]
        [[1, 3], [2, 4]]
    """
    return _unbind("unstack", input_x, axis)


@primitive(
    ("Unstack", "Unpack"),
    samples=("f(2, 3)", "f(2, 3), axis=1, num=3"),
    errors=(("f(2, 3), num=3", ValueError, "num"),),
)
def _unstack_primitive(input_x: Tensor, *, axis: int = 0, num: int | None = None) -> tuple:
    """The slices along an axis; `num`, if given, must be its size. See :func:`ops.unstack`.

    Examples:
        >>> import agar as ms
        >>> [part.tolist() for part in ms.ops.Unstack(1)(ms.Tensor([[1, 2], [3, 4]]))]
        [[1, 3], [2, 4]]
    """
    parts = _unbind("Unstack", input_x, axis)
    if num is not None and num != len(parts):
        raise ValueError(
            f"For 'Unstack', 'num' {num} must be the size {len(parts)} of axis {axis}."
        )
    return parts


@op(
    primitive="Slice",
    function=("slice", "tensor_slice"),
    cast="never",
    samples=("f(4, 3), (0, 1), (2, 2)", "f(4, 3), (1, 1), (-1, 2)"),
    errors=(("f(4, 3), (0, 2), (2, 2)", ValueError, "size"), ("f(4), 1, 2", TypeError, "begin")),
)
def slice(input_x: Tensor, begin: Any, size: Any) -> Tensor:
    """A block of a tensor.

    Args:
        input_x (Tensor): any shape.
        begin (Union[tuple, list, Tensor]): where the block begins, for each axis.
        size (Union[tuple, list, Tensor]): its sizes; -1 goes to the end.

    Returns:
        Tensor, a view.

    Raises:
        TypeError: `begin` or `size` is no tuple or list of ints.
        ValueError: the block does not lie within the tensor.

    Difference from PyTorch: no counterpart; indexing with slices.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.slice(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (0, 1), (2, 2)))
        [[2 3]
         [5 6]]
    """
    starts, counts = ints("slice", "begin", begin), ints("slice", "size", size)
    if not len(starts) == len(counts) == input_x.ndim:
        raise ValueError(
            f"For 'slice', 'begin' and 'size' must have one number for each of the {input_x.ndim} "
            f"axes, but got {list(starts)} and {list(counts)}."
        )
    out = input_x
    for axis, (start, count, full) in enumerate(zip(starts, counts, input_x.shape, strict=True)):
        end = full if count == -1 else start + count
        if not 0 <= start <= end <= full:
            raise ValueError(
                f"For 'slice', 'begin' {start} and 'size' {count} lie outside of axis {axis} with "
                f"size {full}."
            )
        out = out.narrow(axis, start, end - start)
    return out


def _strided_slice(
    input_x: Tensor,
    begin: Any,
    end: Any,
    strides: Any,
    begin_mask: int,
    end_mask: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
) -> Tensor:
    starts, ends, steps = (
        ints("strided_slice", name, value)
        for name, value in (("begin", begin), ("end", end), ("strides", strides))
    )
    if not len(starts) == len(ends) == len(steps):
        raise ValueError(
            "For 'strided_slice', 'begin', 'end' and 'strides' must have equal length, but got "
            f"{len(starts)}, {len(ends)} and {len(steps)}."
        )
    index: list[Any] = []
    flips: list[int] = []
    axis = 0  # of the result
    source = 0  # of the input
    named = sum(1 for i in range(len(starts)) if not (ellipsis_mask | new_axis_mask) >> i & 1)
    for i, (start, stop, step) in enumerate(zip(starts, ends, steps, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            index.append(Ellipsis)
            axis += input_x.ndim - named
            source += input_x.ndim - named
            continue
        if new_axis_mask & bit:
            index.append(None)
            axis += 1
            continue
        if step == 0:
            raise ValueError("For 'StridedSlice', 'strides' cannot contain 0.")
        if source >= input_x.ndim:
            raise ValueError(
                f"For 'strided_slice', 'begin' has more entries than the input's {input_x.ndim} axes."
            )
        size = input_x.shape[source]
        source += 1
        if shrink_axis_mask & bit:
            if not -size <= start < size:
                raise IndexError(
                    f"For 'strided_slice', index {start} is out of bounds for an axis of size {size}."
                )
            index.append(start)
            continue
        low = None if begin_mask & bit else start
        high = None if end_mask & bit else stop
        if step > 0:
            index.append(_python_slice(low, high, step))
        else:
            # torch has no negative steps: take the same places forwards, then turn them round
            places = range(*_python_slice(low, high, step).indices(size))
            first = places[-1] if len(places) else 0
            index.append(_python_slice(first, first + len(places) * -step, -step))
            flips.append(axis)
        axis += 1
    out = input_x[tuple(index)]
    return out.flip(flips) if flips else out


@op(
    samples=(
        "f(4, 3), (0, 1), (3, 3), (2, 1)",
        "f(4, 3), (3,), (0,), (-1,)",
        "f(2, 3, 4), (0, 1), (1, 3), (1, 1), ellipsis_mask=1",
        "f(4, 3), (1, 0), (2, 2), (1, 1), shrink_axis_mask=1",
        "f(4, 3), (0, 0), (0, 2), (1, 1), new_axis_mask=1",
        "f(4, 3), (9, 9), (3, 3), (1, 1), begin_mask=3",
    ),
    errors=(
        ("f(4), (0,), (2,), (0,)", ValueError, "strides"),
        ("f(4), (0,), (2, 3), (1,)", ValueError, "equal length"),
        ("f(4), 0, 2, 1", TypeError, "begin"),
    ),
)
def strided_slice(
    input_x: Tensor,
    begin: Any,
    end: Any,
    strides: Any,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """Elements at equal steps along the axes: ``input_x[b0:e0:s0, b1:e1:s1, ...]``.

    Args:
        input_x (Tensor): any shape.
        begin (tuple): where each slice begins.
        end (tuple): where it ends.
        strides (tuple): its steps, not 0.
        begin_mask (int): bit i set: slice i begins at its end of the axis. Default: 0.
        end_mask (int): bit i set: slice i goes to its end of the axis. Default: 0.
        ellipsis_mask (int): bit i set: entry i stands for all axes that are not named. Default: 0.
        new_axis_mask (int): bit i set: entry i is a new axis of size 1. Default: 0.
        shrink_axis_mask (int): bit i set: entry i takes the one element at `begin` and its axis
            disappears. Default: 0.

    Returns:
        Tensor; a view if all steps are positive.

    Raises:
        TypeError: `begin`, `end` or `strides` is no tuple or list of ints.
        ValueError: their lengths differ or a step is 0.
        IndexError: an entry of `shrink_axis_mask` is out of bounds.

    Difference from PyTorch: no counterpart; indexing with slices.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.strided_slice(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (0, 0), (2, 3), (1, 2)))
        [[1 3]
         [4 6]]
    """
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return _strided_slice(input_x, begin, end, strides, *masks)


@primitive(
    "StridedSlice",
    samples=(
        "f(4, 3), (0, 1), (3, 3), (2, 1)",
        "f(4, 3), (1, 0), (2, 2), (1, 1), shrink_axis_mask=1",
    ),
)
def _strided_slice_primitive(
    input_x: Tensor,
    begin: Any,
    end: Any,
    strides: Any,
    *,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """Elements at equal steps along the axes; see :func:`ops.strided_slice`.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.StridedSlice()(ms.Tensor([1, 2, 3, 4]), (0,), (4,), (2,)))
        [1 3]
    """
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return _strided_slice(input_x, begin, end, strides, *masks)


# ----------------------------------------------------------------------------------- joining


def _common(tensors: Sequence[Tensor]) -> Sequence[Tensor]:
    """Tensors in their common type; nothing is done where the types agree already."""
    first = tensors[0].dtype
    for other in tensors:
        if other.dtype is not first:
            break
    else:
        return tensors
    for other in tensors:
        first = common_dtype(first, other.dtype)
    return [other.to(first) for other in tensors]


def _not_empty(who: str, tensors: Sequence[Tensor]) -> None:
    if not tensors:
        raise ValueError(f"For '{who}', at least one tensor must be given, but got none.")


def _cat(who: str, tensors: Sequence[Tensor], axis: Any, name: str = "axis") -> Tensor:
    _not_empty(who, tensors)
    place = axis_of(who, axis, tensors[0].ndim, name)
    return torch.cat(_common(tensors), place)


_CAT_ERRORS = (
    ("(f(1, 2), f(1, 3))", ValueError, "must match"),
    ("()", ValueError, "at least one"),
    ("(f(2), f(2)), 1", ValueError, "must be in the range"),
    ("f(), 0", TypeError, ""),
    ("(f(2), 1.0)", TypeError, "tensors[1]"),
)


@op(
    function=("cat", "concat"),
    samples=("(f(2), f(3))", "[f(1, 2), f(1, 3)], 1", "(f(2), i(3))"),
    errors=_CAT_ERRORS[:3] + _CAT_ERRORS[4:],
)
def cat(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join tensors along an axis they have.

    Args:
        tensors (Union[tuple, list]): tensors whose other sizes agree.
        axis (int): the axis. Default: 0.

    Returns:
        Tensor of the common type.

    Raises:
        TypeError: an element is no Tensor, or the types do not mix.
        ValueError: there is no tensor, the sizes differ or `axis` is out of range.

    Difference from PyTorch: `axis` is called ``dim`` there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.cat((ms.Tensor([1, 2]), ms.Tensor([3]))))
        [1 2 3]
    """
    return _cat("cat", tensors, axis)


@op(
    "cat", function=False, mint=("cat", "concat"), samples=("(f(2), f(3))", "[f(1, 2), f(1, 3)], 1")
)
def _cat_mint(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join tensors along an axis they have; see :func:`ops.cat`.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.cat((ms.Tensor([1, 2]), ms.Tensor([3]))))
        [1 2 3]
    """
    return _cat("cat", tensors, dim, "dim")


@primitive(
    "Concat",
    samples=("(f(2), f(3))", "[f(1, 2), f(1, 3)], axis=1"),
    errors=(("(f(1, 2), f(1, 3))", ValueError, "must match"),),
)
def _concat_primitive(tensors: Sequence[Tensor], *, axis: int = 0) -> Tensor:
    """Join tensors along an axis they have; see :func:`ops.cat`.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Concat(0)((ms.Tensor([1, 2]), ms.Tensor([3]))))
        [1 2 3]
    """
    return _cat("Concat", tensors, axis)


def _stack(who: str, tensors: Sequence[Tensor], axis: Any, name: str = "axis") -> Tensor:
    _not_empty(who, tensors)
    place = axis_of(who, axis, tensors[0].ndim + 1, name)
    return torch.stack(_common(tensors), place)


@op(
    samples=("(f(2), f(2))", "[f(2, 3), f(2, 3)], -1"),
    errors=(
        ("(f(2), f(3))", ValueError, "stack"),
        ("()", ValueError, "at least one"),
        ("(f(2), f(2)), 2", ValueError, "axis"),
    ),
)
def stack(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join tensors along a new axis.

    Args:
        tensors (Union[tuple, list]): tensors of one shape.
        axis (int): where the new axis goes. Default: 0.

    Returns:
        Tensor with one axis more, of the common type.

    Raises:
        TypeError: an element is no Tensor, or the types do not mix.
        ValueError: there is no tensor, the shapes differ or `axis` is out of range.

    Difference from PyTorch: `axis` is called ``dim`` there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.stack((ms.Tensor([1, 2]), ms.Tensor([3, 4])), 1))
        [[1 3]
         [2 4]]
    """
    return _stack("stack", tensors, axis)


@op("stack", function=False, mint="stack", samples=("(f(2), f(2))", "[f(2), f(2)], 1"))
def _stack_mint(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join tensors along a new axis; see :func:`ops.stack`.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.stack((ms.Tensor([1, 2]), ms.Tensor([3, 4]))))
        [[1 2]
         [3 4]]
    """
    return _stack("stack", tensors, dim, "dim")


@primitive(
    ("Stack", "Pack"),
    samples=("(f(2), f(2))", "[f(2), f(2)], axis=1"),
    errors=(("(f(2), f(3))", ValueError, "Stack"),),
)
def _stack_primitive(input_x: Sequence[Tensor], *, axis: int = 0) -> Tensor:
    """Join tensors along a new axis; see :func:`ops.stack`.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Stack(1)((ms.Tensor([1, 2]), ms.Tensor([3, 4]))))
        [[1 3]
         [2 4]]
    """
    return _stack("Stack", input_x, axis)


def _joined(
    name: str,
    make: Any,
    words: str,
    parameter: str,
    example: str,
    *,
    also: tuple[str, ...] = (),
    mint: bool = False,
    samples: tuple[str, ...] = ("(f(2, 3), f(2, 3))", "[f(2), f(2)]"),
) -> None:
    """Declare hstack and its relatives, which raise the rank of their inputs first."""

    def impl(tensors: Sequence[Tensor]) -> Tensor:
        _not_empty(name, tensors)
        return make(_common(tensors))

    # the parameter has MindSpore's name: `inputs` for vstack, `tensors` for the others
    def impl_inputs(inputs: Sequence[Tensor]) -> Tensor:
        return impl(inputs)

    made = impl_inputs if parameter == "inputs" else impl
    made.__name__ = name
    made.__doc__ = (
        f"Join tensors {words}.\n\n"
        "    Args:\n"
        f"        {parameter} (Union[tuple, list]): tensors whose other sizes agree.\n\n"
        "    Returns:\n"
        "        Tensor of the common type.\n\n"
        "    Raises:\n"
        "        TypeError: an element is no Tensor, or the types do not mix.\n"
        "        ValueError: there is no tensor, or the sizes differ.\n\n"
        "    Difference from PyTorch: none.\n\n"
        "    Source: behaviour observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        f"        >>> ms.ops.{name}((ms.ops.zeros(2), ms.ops.zeros(2))).shape\n"
        f"        {example}\n"
    )
    op(
        name,
        function=(name, *also),
        mint=mint,
        samples=samples,
        errors=(("()", ValueError, name), ("(f(2, 2), f(3, 3))", ValueError, name)),
    )(made)


_joined(
    "hstack",
    torch.hstack,
    "along the second axis (vectors along the first)",
    "tensors",
    "(4,)",
    mint=True,
)
_joined("vstack", torch.vstack, "along the first axis, vectors as rows", "inputs", "(2, 2)")
_joined("row_stack", torch.vstack, "along the first axis, vectors as rows", "tensors", "(2, 2)")
_joined(
    "dstack",
    torch.dstack,
    "along the third axis, with as many axes as that takes",
    "tensors",
    "(1, 2, 2)",
    mint=True,
)
_joined(
    "column_stack",
    torch.column_stack,
    "along the second axis, vectors as columns",
    "tensors",
    "(2, 2)",
)


def _at_least(name: str, make: Any, rank: int, shown: str) -> None:
    """Declare atleast_1d and its relatives, over one tensor or several."""

    def impl(*inputs: Tensor) -> Any:
        made = tuple(make(value) for value in inputs)
        return made[0] if len(made) == 1 else made

    impl.__name__ = name
    impl.__doc__ = (
        f"Tensors with axes of size 1 added so that they have at least {rank}.\n\n"
        "    Args:\n"
        "        inputs (Union[Tensor, list[Tensor], tuple[Tensor]]): any shapes.\n\n"
        "    Returns:\n"
        "        Tensor, a view; a tuple of them for several inputs.\n\n"
        "    Raises:\n"
        "        TypeError: an input is no Tensor.\n\n"
        "    Difference from PyTorch: none.\n\n"
        "    Source: behaviour observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        f"        >>> ms.ops.{name}(ms.Tensor(1.0)).shape\n"
        f"        {shown}\n"
    )
    op(name, cast="never", samples=("f()", "f(2)", "f(2, 3), f(2)"))(impl)


_at_least("atleast_1d", torch.atleast_1d, 1, "(1,)")
_at_least("atleast_2d", torch.atleast_2d, 2, "(1, 1)")
_at_least("atleast_3d", torch.atleast_3d, 3, "(1, 1, 1)")


# -------------------------------------------------------------------------------- repeating


def _tile(who: str, input: Tensor, dims: Any) -> Tensor:
    counts = ints(who, "dims", (dims,) if isinstance(dims, int) else dims)
    for n in counts:
        integer(who, "dims", n, 0)
    return torch.tile(input, tuple(counts))


@op(
    mint=True,
    primitive="Tile",
    samples=("f(2), (2, 2)", "f(2, 3), (2,)"),
    errors=(("f(2), (-1,)", ValueError, "dims"), ("f(2), 1.5", TypeError, "dims")),
)
def tile(input: Tensor, dims: Any) -> Tensor:
    """Repeat the whole tensor along its axes.

    Args:
        input (Tensor): any shape.
        dims (tuple): how often along each axis, counted from the last; more entries than axes add
            leading ones.

    Returns:
        Tensor.

    Raises:
        TypeError: `dims` is no tuple of ints.
        ValueError: a count is negative.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.tile(ms.Tensor([1, 2]), (2, 2)))
        [[1 2 1 2]
         [1 2 1 2]]
    """
    return _tile("tile", input, dims)


@op(
    "tile",
    function=False,
    method="tile",
    samples=("f(2), 2, 2", "f(2), (2, 2)"),
    errors=(("f(2), -1", ValueError, "dims"),),
)
def _tile_method(input: Tensor, *dims: Any) -> Tensor:
    """Repeat the whole tensor along its axes, counts as ints or one tuple; see :func:`ops.tile`.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([1, 2]).tile(2, 1))
        [[1 2]
         [1 2]]
    """
    return _tile("tile", input, _spread(dims))


@op(
    function=False,
    method=True,
    samples=("f(2), 2", "f(2, 3), 2, 1, 2", "f(2), (2, 2)"),
    errors=(("f(2, 3), 2", ValueError, "repeat"), ("f(2), -1", ValueError, "repeat")),
)
def repeat(input: Tensor, *repeats: Any) -> Tensor:
    """Repeat the whole tensor along its axes.

    Args:
        repeats (Union[int, tuple, list]): how often along each axis; at least as many as there
            are axes, more add leading ones.

    Returns:
        Tensor.

    Raises:
        TypeError: a count is no int.
        ValueError: a count is negative, or there are fewer than axes.

    Difference from PyTorch: none. (MindSpore has no CPU kernel.)

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([1, 2]).repeat(2, 1))
        [[1 2]
         [1 2]]
    """
    counts = [integer("repeat", "repeats", n, 0) for n in _spread(repeats)]
    if len(counts) < input.ndim:
        raise ValueError(
            f"For 'repeat', 'repeats' must have a count for each of the {input.ndim} axes, but got "
            f"{counts}. Elements are repeated by repeat_interleave."
        )
    return input.repeat(counts)


def _repeat_interleave(input: Tensor, repeats: Any, axis: Any, name: str) -> Tensor:
    if axis is None:
        input, place = input.reshape(-1), 0
    else:
        place = axis_of("repeat_interleave", axis, input.ndim, name)
    if isinstance(repeats, (tuple, list)):
        counts = [integer("repeat_interleave", "repeats", n, 0) for n in repeats]
        if len(counts) not in (1, input.shape[place]):
            raise ValueError(
                f"For 'repeat_interleave', 'repeats' must have 1 or {input.shape[place]} counts, "
                f"but got {len(counts)}."
            )
        return input.repeat_interleave(torch.tensor(counts, device=input.device), place)
    return input.repeat_interleave(integer("repeat_interleave", "repeats", repeats, 0), place)


@op(
    samples=("f(2, 3), 2", "f(2, 3), 2, 1", "f(2, 3), [1, 2], 0", "f(3), torch.tensor([1, 0, 2])"),
    errors=(
        ("f(2, 3), [1, 2, 3], 0", ValueError, "repeats"),
        ("f(2), -1", ValueError, "repeats"),
        ("f(2), 1.5", TypeError, "repeats"),
    ),
)
def repeat_interleave(input: Tensor, repeats: Any, axis: int | None = None) -> Tensor:
    """Repeat every element, one after the other.

    Args:
        input (Tensor): any shape.
        repeats (Union[int, tuple, list, Tensor]): how often, for all elements or for each place
            of the axis.
        axis (int): the axis. Default None: `input` is flattened first.

    Returns:
        Tensor.

    Raises:
        TypeError: a count is no int.
        ValueError: a count is negative, their number is wrong or `axis` out of range.

    Difference from PyTorch: `axis` is called ``dim`` there; lists are accepted.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.repeat_interleave(ms.Tensor([[1, 2], [3, 4]]), 2, 1))
        [[1 1 2 2]
         [3 3 4 4]]
    """
    return _repeat_interleave(input, repeats, axis, "axis")


@op(
    "repeat_interleave",
    function=False,
    method="repeat_interleave",
    mint="repeat_interleave",
    samples=("f(2, 3), 2", "f(2, 3), 2, 1", "f(2, 3), [1, 2], dim=0"),
)
def _repeat_interleave_method(
    input: Tensor, repeats: Any, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Repeat every element, one after the other; see :func:`ops.repeat_interleave`.

    Args:
        repeats (Union[int, tuple, list, Tensor]): how often.
        dim (int): the axis. Default None: the tensor is flattened first.
        output_size (int): the size of the axis afterwards, checked if given. Default: None.

    Returns:
        Tensor.

    Raises:
        TypeError: a count is no int.
        ValueError: a count is negative, their number or `output_size` is wrong.

    Difference from PyTorch: lists are accepted.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([1, 2]).repeat_interleave(2))
        [1 1 2 2]
    """
    made = _repeat_interleave(input, repeats, dim, "dim")
    size = made.shape[0 if dim is None else dim]
    if output_size is not None and output_size != size:
        raise ValueError(
            f"For 'repeat_interleave', 'output_size' {output_size} differs from the size {size} "
            "that 'repeats' gives."
        )
    return made


@op(samples=("f(2, 3), 2", "f(2, 3), 2, 1"), errors=(("f(2), 0", ValueError, "rep"),))
def repeat_elements(x: Tensor, rep: int, axis: int = 0) -> Tensor:
    """Repeat every element along an axis.

    Args:
        x (Tensor): any shape.
        rep (int): how often, at least once.
        axis (int): the axis. Default: 0.

    Returns:
        Tensor.

    Raises:
        TypeError: an argument is no int.
        ValueError: `rep` is not positive or `axis` out of range.

    Difference from PyTorch: ``torch.repeat_interleave``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.repeat_elements(ms.Tensor([1, 2]), 2))
        [1 1 2 2]
    """
    count = integer("repeat_elements", "rep", rep, 1)
    return x.repeat_interleave(count, axis_of("repeat_elements", axis, x.ndim))


# --------------------------------------------------------------------- reversing and rolling


@op(
    function=("flip",),
    method=("flip",),
    mint="flip",
    samples=("f(2, 3), (0,)", "f(2, 3), [0, 1]", "f(3), -1"),
    errors=(("f(2, 3), (2,)", ValueError, "dims"), ("f(2), 'x'", TypeError, "dims")),
)
def flip(input: Tensor, dims: Any) -> Tensor:
    """Reverse the order along axes.

    Args:
        input (Tensor): any shape.
        dims (Union[tuple, list, int]): the axes.

    Returns:
        Tensor, a copy.

    Raises:
        TypeError: `dims` are no ints.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.flip(ms.Tensor([[1, 2], [3, 4]]), (0,)))
        [[3 4]
         [1 2]]
    """
    return input.flip(axes_of("flip", dims, input.ndim, "dims") if dims != () else ())


@op(
    method=True,
    samples=("f(2, 3), (0,)", "f(2, 3), [0, 1]"),
    errors=(("f(2, 3), (2,)", ValueError, "axis"),),
)
def reverse(x: Tensor, axis: Any) -> Tensor:
    """Reverse the order along axes.

    Args:
        x (Tensor): any shape.
        axis (Union[tuple, list]): the axes.

    Returns:
        Tensor, a copy.

    Raises:
        TypeError: `axis` are no ints.
        ValueError: an axis is out of range or given twice.

    Difference from PyTorch: ``torch.flip``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.reverse(ms.Tensor([1, 2, 3]), (0,)))
        [3 2 1]
    """
    return x.flip(axes_of("reverse", axis, x.ndim))


@primitive("ReverseV2", samples=("f(2, 3), axis=[1]",))
def _reverse_primitive(input: Tensor, *, axis: Any) -> Tensor:
    """Reverse the order along axes; see :func:`ops.flip`.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.ReverseV2([0])(ms.Tensor([1, 2, 3])))
        [3 2 1]
    """
    return reverse(input, axis)


@op(method=True, samples=("f(2, 3)",), errors=(("f(2)", ValueError, "fliplr"),))
def fliplr(input: Tensor) -> Tensor:
    """Reverse the order along the second axis.

    Args:
        input (Tensor): two axes or more.

    Returns:
        Tensor, a copy.

    Raises:
        TypeError: `input` is no Tensor.
        ValueError: there are fewer than two axes.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
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

    Returns:
        Tensor, a copy.

    Raises:
        TypeError: `input` is no Tensor.
        ValueError: there is no axis.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.flipud(ms.Tensor([[1, 2], [3, 4]])))
        [[3 4]
         [1 2]]
    """
    if input.ndim == 0:
        raise ValueError("For 'flipud', the input must have at least one axis, but it is 0-d.")
    return input.flip(0)


def _roll(who: str, input: Tensor, shifts: Any, dims: Any) -> Tensor:
    steps = tuple(ints(who, "shifts", (shifts,) if isinstance(shifts, int) else shifts))
    if dims is None:
        return torch.roll(input, sum(steps))
    places = tuple(axis_of(who, d, input.ndim, "dims") for d in _sizes(dims))
    if len(places) != len(steps):
        raise ValueError(
            f"For '{who}', 'shifts' and 'dims' must have equal length, but got {len(steps)} and "
            f"{len(places)}."
        )
    return torch.roll(input, steps, places)


@op(
    method=True,
    mint=True,
    samples=("f(4), 1", "f(2, 3), 1", "f(2, 3), (1, 1), (0, 1)", "f(2, 3), -1, 1"),
    errors=(("f(2), (1, 1), (0,)", ValueError, "equal length"), ("f(2), 1, 1", ValueError, "dims")),
)
def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """Shift the elements along axes, those that leave at the end coming in at the front.

    Args:
        input (Tensor): any shape.
        shifts (Union[int, tuple, list]): by how many places, for each axis.
        dims (Union[int, tuple, list]): the axes. Default None: `input` is taken as flat.

    Returns:
        Tensor of the same shape.

    Raises:
        TypeError: an argument is no int.
        ValueError: the lengths differ, or an axis is out of range.

    Difference from PyTorch: none.

    Source: MindSpore 2.10's interface (it has no CPU kernel).

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.roll(ms.Tensor([1, 2, 3, 4]), 1))
        [4 1 2 3]
    """
    return _roll("roll", input, shifts, dims)


@primitive("Roll", samples=("f(2, 3), shifts=1, dims=1",))
def _roll_primitive(input: Tensor, *, shifts: Any, dims: Any = None) -> Tensor:
    """Shift the elements along axes; see :func:`ops.roll`.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Roll(1)(ms.Tensor([1, 2, 3])))
        [3 1 2]
    """
    return _roll("Roll", input, shifts, dims)


@op(
    method=True,
    samples=("f(2, 3), 1, (0, 1)", "f(2, 3), -2, [1, 0]"),
    errors=(("f(2, 3), 1, (0,)", ValueError, "two"), ("f(2, 3), 1.5, (0, 1)", TypeError, "k")),
)
def rot90(input: Tensor, k: int, dims: Any) -> Tensor:
    """Turn the plane of two axes by right angles.

    Args:
        input (Tensor): two axes or more.
        k (int): how many right angles, from the first towards the second axis.
        dims (Union[tuple, list]): the two axes.

    Returns:
        Tensor.

    Raises:
        TypeError: `k` is no int.
        ValueError: `dims` are not two different axes.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.rot90(ms.Tensor([[1, 2], [3, 4]]), 1, (0, 1)))
        [[2 4]
         [1 3]]
    """
    places = axes_of("rot90", dims, input.ndim, "dims")
    if len(places) != 2:
        raise ValueError(f"For 'rot90', 'dims' must be two axes, but got {dims}.")
    return torch.rot90(input, integer("rot90", "k", k), places)


def _reverse_sequence(
    who: str, x: Tensor, seq_lengths: Tensor, seq_dim: Any, batch_dim: Any
) -> Tensor:
    seq = axis_of(who, seq_dim, x.ndim, "seq_dim")
    batch = axis_of(who, batch_dim, x.ndim, "batch_dim")
    if seq == batch:
        raise ValueError(f"For '{who}', 'seq_dim' and 'batch_dim' must differ, but both are {seq}.")
    if seq_lengths.shape != (x.shape[batch],):
        raise ValueError(
            f"For '{who}', 'seq_lengths' must have shape [{x.shape[batch]}], but got "
            f"{list(seq_lengths.shape)}."
        )
    places = torch.arange(x.shape[seq], device=x.device)
    lengths = seq_lengths.to(torch.int64).unsqueeze(1)
    index = torch.where(places < lengths, lengths - 1 - places, places)  # (batch, seq)
    shape = [1] * x.ndim
    shape[batch], shape[seq] = x.shape[batch], x.shape[seq]
    index = index if batch < seq else index.t()
    return torch.gather(x, seq, index.reshape(shape).expand(x.shape))


@op(
    samples=("f(2, 3), torch.tensor([1, 2]), 1", "f(3, 2), torch.tensor([1, 3]), 0, 1"),
    errors=(
        ("f(2, 3), torch.tensor([1]), 1", ValueError, "seq_lengths"),
        ("f(2, 3), torch.tensor([1, 2]), 0", ValueError, "differ"),
    ),
)
def reverse_sequence(x: Tensor, seq_lengths: Tensor, seq_dim: int, batch_dim: int = 0) -> Tensor:
    """Reverse the beginning of each sequence of a batch.

    Args:
        x (Tensor): any shape.
        seq_lengths (Tensor): how many elements to reverse, integers of shape (batch,).
        seq_dim (int): the axis of the sequences.
        batch_dim (int): the axis of the batch. Default: 0.

    Returns:
        Tensor of the same shape.

    Raises:
        TypeError: an axis is no int.
        ValueError: the axes are equal or the shape of `seq_lengths` is wrong.

    Difference from PyTorch: no counterpart.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.reverse_sequence(ms.Tensor([[1, 2, 3]]), ms.Tensor([2]), 1))
        [[2 1 3]]
    """
    return _reverse_sequence("reverse_sequence", x, seq_lengths, seq_dim, batch_dim)


@op(
    "reverse_sequence",
    function=False,
    method="reverse_sequence",
    samples=("f(3, 2), torch.tensor([1, 3]), 0, 1",),
)
def _reverse_sequence_method(
    input: Tensor, seq_lengths: Tensor, seq_dim: int = 0, batch_dim: int = 0
) -> Tensor:
    """Reverse the beginning of each sequence; see :func:`ops.reverse_sequence`.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([[1, 2, 3]]).reverse_sequence(ms.Tensor([2]), 1))
        [[2 1 3]]
    """
    return _reverse_sequence("reverse_sequence", input, seq_lengths, seq_dim, batch_dim)


@primitive("ReverseSequence", samples=("f(2, 3), torch.tensor([1, 2]), seq_dim=1",))
def _reverse_sequence_primitive(
    x: Tensor, seq_lengths: Tensor, *, seq_dim: int, batch_dim: int = 0
) -> Tensor:
    """Reverse the beginning of each sequence; see :func:`ops.reverse_sequence`.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.ReverseSequence(1)(ms.Tensor([[1, 2, 3]]), ms.Tensor([2])))
        [[2 1 3]]
    """
    return _reverse_sequence("ReverseSequence", x, seq_lengths, seq_dim, batch_dim)


@op(
    cast="never",
    samples=("torch.tensor([1, 3])", "torch.tensor([1, 3]), 4"),
    differentiable=False,
    errors=(("f(2)", TypeError, "lengths"),),
)
def sequence_mask(lengths: Tensor, maxlen: int | None = None) -> Tensor:
    r"""Which places belong to sequences of given lengths: :math:`out_{i,j} = j < lengths_i`.

    Args:
        lengths (Tensor): integers, any shape.
        maxlen (int): size of the new last axis. Default None: the greatest length.

    Returns:
        Tensor of bool with one axis more.

    Raises:
        TypeError: `lengths` are no integers or `maxlen` no int.
        ValueError: `maxlen` is negative.

    Difference from PyTorch: no counterpart.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.sequence_mask(ms.Tensor([1, 3])))
        [[ True False False]
         [ True  True  True]]
    """
    if not input_is_integer(lengths):
        raise TypeError(
            f"For 'sequence_mask', 'lengths' must be of an integer type, but got {lengths.dtype}."
        )
    if maxlen is None:
        maxlen = int(lengths.max()) if lengths.numel() else 0
    places = torch.arange(integer("sequence_mask", "maxlen", maxlen, 0), device=lengths.device)
    return places < lengths.unsqueeze(-1)


# ------------------------------------------------------------------- triangles and diagonals


@op(
    method=True,
    mint=True,
    samples=("f(3, 4)", "f(3, 3), 1", "f(2, 3, 3), -1"),
    errors=(("f(3)", ValueError, "tril"),),
)
def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle of matrices, zeros above.

    Args:
        input (Tensor): two axes or more.
        diagonal (int): the last diagonal that is kept, 0 the main one, 1 the one above it.
            Default: 0.

    Returns:
        Tensor of the same shape.

    Raises:
        TypeError: `diagonal` is no int.
        ValueError: there are fewer than two axes.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.tril(ms.Tensor([[1, 2], [3, 4]])))
        [[1 0]
         [3 4]]
    """
    return torch.tril(_matrices("tril", input), integer("tril", "diagonal", diagonal))


@op(
    method=True,
    mint=True,
    samples=("f(3, 4)", "f(3, 3), 1", "f(2, 3, 3), -1"),
    errors=(("f(3)", ValueError, "triu"),),
)
def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle of matrices, zeros below.

    Args:
        input (Tensor): two axes or more.
        diagonal (int): the first diagonal that is kept, 0 the main one, 1 the one above it.
            Default: 0.

    Returns:
        Tensor of the same shape.

    Raises:
        TypeError: `diagonal` is no int.
        ValueError: there are fewer than two axes.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.triu(ms.Tensor([[1, 2], [3, 4]])))
        [[1 2]
         [0 4]]
    """
    return torch.triu(_matrices("triu", input), integer("triu", "diagonal", diagonal))


def _matrices(who: str, input: Tensor) -> Tensor:
    if input.ndim < 2:
        raise ValueError(
            f"For '{who}', the input must have at least two axes, but got shape {list(input.shape)}."
        )
    return input


@primitive("Tril", samples=("f(3, 3), diagonal=1",))
def _tril_primitive(input: Tensor, *, diagonal: int = 0) -> Tensor:
    """The lower triangle of matrices; see :func:`ops.tril`.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Tril()(ms.Tensor([[1, 2], [3, 4]])))
        [[1 0]
         [3 4]]
    """
    return tril(input, diagonal)


@primitive("Triu", samples=("f(3, 3), diagonal=1",))
def _triu_primitive(input: Tensor, *, diagonal: int = 0) -> Tensor:
    """The upper triangle of matrices; see :func:`ops.triu`.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Triu()(ms.Tensor([[1, 2], [3, 4]])))
        [[1 2]
         [0 4]]
    """
    return triu(input, diagonal)


@op(primitive="Diag", samples=("f(3)", "f(2, 2)"), errors=(("f()", ValueError, "diag"),))
def diag(input: Tensor) -> Tensor:
    r"""A tensor with the input on its diagonal: :math:`out_{i..., i...} = input_{i...}`.

    Args:
        input (Tensor): one axis or more.

    Returns:
        Tensor whose shape is that of `input`, twice.

    Raises:
        TypeError: `input` is no Tensor.
        ValueError: `input` is 0-d.

    Difference from PyTorch: ``torch.diag`` of a matrix takes its diagonal, which is
    :func:`ops.diagonal` here.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.diag(ms.Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    if input.ndim == 0:
        raise ValueError("For 'diag', the input must have at least one axis, but it is 0-d.")
    return torch.diag(input.reshape(-1)).reshape(*input.shape, *input.shape)


@op(
    "diag",
    function=False,
    method="diag",
    samples=("f(3)", "f(3), 0", "f(3), 1"),
    errors=(("f(2, 2), 1", ValueError, "diagonal"),),
)
def _diag_method(input: Tensor, diagonal: int = 0) -> Tensor:
    """A tensor with this one on its diagonal; see :func:`ops.diag`.

    Args:
        diagonal (int): for vectors, the diagonal to write. Default: 0.

    Returns:
        Tensor.

    Raises:
        ValueError: `diagonal` is given for a tensor that is no vector.

    Difference from PyTorch: a matrix does not give its diagonal.

    Source: behaviour observed in MindSpore 2.10, which knows diagonal 0 only.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([1, 2]).diag())
        [[1 0]
         [0 2]]
    """
    if diagonal and input.ndim != 1:
        raise ValueError(
            f"For 'diag', 'diagonal' must be 0 for a tensor of shape {list(input.shape)}, but got "
            f"{diagonal}."
        )
    return torch.diag(input, diagonal) if diagonal else diag(input)


@op("diag", function=False, mint="diag", samples=("f(3)", "f(3, 3), 1"))
def _diag_mint(input: Tensor, diagonal: int = 0) -> Tensor:
    """A matrix with the vector on a diagonal, or the diagonal of a matrix.

    Args:
        input (Tensor): a vector or a matrix.
        diagonal (int): which diagonal. Default: 0.

    Returns:
        Tensor.

    Raises:
        ValueError: `input` is neither.

    Difference from PyTorch: none.

    Source: MindSpore 2.10's interface.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.diag(ms.Tensor([[1, 2], [3, 4]])))
        [1 4]
    """
    if input.ndim not in (1, 2):
        raise ValueError(
            f"For 'diag', the input must be a vector or matrix, but got shape {list(input.shape)}."
        )
    return torch.diag(input, diagonal)


@op(
    samples=("f(3, 3)", "f(2, 3, 4), 1, 1, 2"),
    errors=(("f(3, 3), 0, 1, 1", ValueError, "differ"), ("f(3)", ValueError, "two axes")),
)
def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonal of the plane of two axes.

    Args:
        input (Tensor): two axes or more.
        offset (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.
        dim1 (int): the first axis. Default: 0.
        dim2 (int): the second axis. Default: 1.

    Returns:
        Tensor, a view; the diagonal is its last axis.

    Raises:
        TypeError: an argument is no int.
        ValueError: the axes are equal or out of range.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.diagonal(ms.Tensor([[1, 2], [3, 4]])))
        [1 4]
    """
    return _diagonal("diagonal", input, offset, dim1, dim2)


def _plane(who: str, input: Tensor, first: Any, second: Any) -> tuple[int, int]:
    if input.ndim < 2:
        raise ValueError(
            f"For '{who}', the input must have at least two axes, but got shape "
            f"{list(input.shape)}."
        )
    a = axis_of(who, first, input.ndim, "dim1")
    b = axis_of(who, second, input.ndim, "dim2")
    if a == b:
        raise ValueError(f"For '{who}', the two axes must differ, but both are {a}.")
    return a, b


def _diagonal(who: str, input: Tensor, offset: Any, first: Any, second: Any) -> Tensor:
    a, b = _plane(who, input, first, second)
    return input.diagonal(integer(who, "offset", offset), a, b)


@op(
    "diagonal",
    function=False,
    method="diagonal",
    cast="never",
    samples=("f(3, 3)", "f(2, 3, 4), 1, axis1=1, axis2=2"),
)
def _diagonal_method(input: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of the plane of two axes; see :func:`ops.diagonal`.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([[1, 2], [3, 4]]).diagonal())
        [1 4]
    """
    return _diagonal("diagonal", input, offset, axis1, axis2)


@op(
    samples=("f(3)", "f(2, 3), 1", "f(2, 3), 0, 0, 2"),
    errors=(("f(3), 0, 1, 1", ValueError, "diag_embed"),),
)
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Matrices with the last axis of the input on their diagonals.

    Args:
        input (Tensor): one axis or more.
        offset (int): which diagonal. Default: 0.
        dim1 (int): the first axis of the matrices in the result. Default: -2.
        dim2 (int): the second. Default: -1.

    Returns:
        Tensor with one axis more.

    Raises:
        TypeError: an argument is no int.
        ValueError: the axes are equal or out of range.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.diag_embed(ms.Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    a = axis_of("diag_embed", dim1, input.ndim + 1, "dim1")
    b = axis_of("diag_embed", dim2, input.ndim + 1, "dim2")
    if a == b:
        raise ValueError(f"For 'diag_embed', the two axes must differ, but both are {a}.")
    return torch.diag_embed(input, integer("diag_embed", "offset", offset), a, b)


@op(method=True, samples=("f(3)", "f(2, 2), 1"), errors=(("f(2), 1.5", TypeError, "offset"),))
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """A matrix with all elements of the input on a diagonal.

    Args:
        input (Tensor): any shape.
        offset (int): which diagonal. Default: 0.

    Returns:
        Tensor with two axes.

    Raises:
        TypeError: `offset` is no int.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.diagflat(ms.Tensor([1, 2])))
        [[1 0]
         [0 2]]
    """
    return torch.diagflat(input, integer("diagflat", "offset", offset))


@op(
    primitive="MatrixBandPart",
    samples=("f(3, 4), 1, 0", "f(2, 3, 3), -1, 1"),
    errors=(("f(3), 1, 0", ValueError, "matrix_band_part"),),
)
def matrix_band_part(x: Tensor, lower: Any, upper: Any) -> Tensor:
    """Matrices with zeros outside of a band around the main diagonal.

    Args:
        x (Tensor): two axes or more.
        lower (Union[int, Tensor]): how many diagonals below to keep, all if negative.
        upper (Union[int, Tensor]): how many above, all if negative.

    Returns:
        Tensor of the same shape.

    Raises:
        TypeError: a number is no int.
        ValueError: there are fewer than two axes.

    Difference from PyTorch: no counterpart; ``tril`` and ``triu``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.matrix_band_part(ms.ops.ones((3, 3)), 1, 0))
        [[1. 0. 0.]
         [1. 1. 0.]
         [0. 1. 1.]]
    """
    _matrices("matrix_band_part", x)
    below = integer("matrix_band_part", "lower", lower)
    above = integer("matrix_band_part", "upper", upper)
    if below >= 0:
        x = torch.triu(x, -below)
    return torch.tril(x, above) if above >= 0 else x


# -------------------------------------------------------------------- what a tensor is like


@op(cast="never", samples=("f(2, 3)",), differentiable=False)
def shape(input_x: Tensor) -> tuple[int, ...]:
    """The sizes of a tensor's axes.

    Args:
        input_x (Tensor): any tensor.

    Returns:
        Tuple of ints.

    Raises:
        TypeError: `input_x` is no Tensor.

    Difference from PyTorch: ``Tensor.shape`` is a ``torch.Size`` there.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.shape(ms.ops.zeros((2, 3)))
        (2, 3)
    """
    return tuple(input_x.shape)


@primitive("Shape", cast="never", samples=("f(2, 3)",), differentiable=False)
def _shape_primitive(x: Tensor) -> tuple[int, ...]:
    """The sizes of a tensor's axes; see :func:`ops.shape`.

    Examples:
        >>> import agar as ms
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
)
def dyn_shape(input_x: Tensor) -> Tensor:
    """The sizes of a tensor's axes, as a tensor.

    Args:
        input_x (Tensor): any tensor.

    Returns:
        Tensor of int64.

    Raises:
        TypeError: `input_x` is no Tensor.

    Difference from PyTorch: no counterpart.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
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
        "    Returns:\n"
        "        int.\n\n"
        "    Raises:\n"
        f"        TypeError: `{parameter}` is no Tensor.\n\n"
        "    Difference from PyTorch: none.\n\n"
        "    Source: behaviour observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        f"        >>> ms.{shown}\n"
    )
    op(name, cast="never", samples=("f(2, 3)", "f()"), differentiable=False, **faces)(impl)


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
        dim (int): the axis. Default None: all.

    Returns:
        List of ints, or an int.

    Raises:
        ValueError: `dim` is out of range.

    Difference from PyTorch: a list, not a tuple; ``Tensor.strides`` counts bytes.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.zeros((2, 3)).stride()
        [3, 1]
    """
    if dim is None:
        return list(input.stride())
    return input.stride(axis_of("stride", dim, input.ndim, "dim"))


@op(function=False, method=True, cast="never", samples=("f(2, 3)",), differentiable=False)
def is_contiguous(input: Tensor) -> bool:
    """Whether the elements lie in memory in the order of the axes.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.zeros((2, 3)).T.is_contiguous()
        False
    """
    return input.is_contiguous()


@op(function=False, method=True, cast="never", samples=("f(2, 3)", "f(2, 3).T"))
def contiguous(input: Tensor) -> Tensor:
    """The tensor with its elements in memory in the order of the axes, copied if need be.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.zeros((2, 3)).T.contiguous().stride()
        [2, 1]
    """
    return input.contiguous()


@op(cast="never", samples=("f(2, 3)",), differentiable=False)
def dtype(x: Tensor) -> Number:
    """The type of a tensor's elements.

    Args:
        x (Tensor): any tensor.

    Returns:
        Type, such as ``ms.float32``.

    Raises:
        TypeError: `x` is no Tensor.

    Difference from PyTorch: ``Tensor.dtype``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.ops.dtype(ms.Tensor([1.0]))
        mindspore.float32
    """
    return FROM_TORCH[x.dtype]


@primitive("DType", cast="never", samples=("f(2, 3)",), differentiable=False)
def _dtype_primitive(x: Tensor) -> Number:
    """The type of a tensor's elements; see :func:`ops.dtype`.

    Examples:
        >>> import agar as ms
        >>> ms.ops.DType()(ms.Tensor([1.0]))
        mindspore.float32
    """
    return FROM_TORCH[x.dtype]
