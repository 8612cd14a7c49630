"""Views: other shapes for the same elements.

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

from agar._core.dtype import FROM_TORCH, to_torch_dtype
from agar._core.dtype import Type as MsType
from agar.ops._checks import choice, integer, ints
from agar.ops.spec import Call, op, primitive
from agar.ops.tensor.axes import axes_of, axis_of, spread
from agar.ops.tensor.transpose import reversed_axes

__all__: list[str] = ["as_sequence"]

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
    fast=Call("torch.reshape(input, shape)", "type(shape) is tuple or type(shape) is list"),
)
def reshape(input: Tensor, shape: Any) -> Tensor:
    """Change the shape of a tensor, in the same order.

    Args:
        input (Tensor): any shape.
        shape (Union[tuple, list, Tensor]): the new shape; one size may be -1, which is what is
            left.

    Returns: Tensor of that shape, a view where the layout allows.
    Raises TypeError: `shape` is not a shape.
    Raises ValueError: the numbers of elements differ, or two sizes are -1.

    >>> print(ms.ops.reshape(ms.Tensor([[1, 2, 3], [4, 5, 6]]), (3, -1)))
    [[1 2]
     [3 4]
     [5 6]]
    """
    return torch.reshape(input, (shape,) if isinstance(shape, int) else shape)


# Sizes by position, one of which may be a tuple of all of them.
_ONE_TUPLE = "len(sizes) == 1 and type(sizes[0]) is tuple"
_RESHAPED = (
    Call("torch.reshape(input, sizes)", "len(sizes) != 1 or type(sizes[0]) is int"),
    Call("torch.reshape(input, sizes[0])", _ONE_TUPLE),
)


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
    fast=_RESHAPED,
)
def _reshape(input: Tensor, *sizes: Any) -> Tensor:
    """Change the shape of a tensor, as ints or as one tuple; see :func:`ops.reshape`.

    Own Args:
        *sizes (Union[int, tuple, list, Tensor]): the new sizes, or one tuple of them; one of them
            may be -1, which stands for what is left.

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
    fast=_RESHAPED,
)
def view(input: Tensor, *sizes: Any) -> Tensor:
    """Change the shape of a tensor, or read their bytes as another type.

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
            return _bytes_as(input, to_torch_dtype(sizes[0], op_name="view"))
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
    """Change the shape to that of another tensor.

    Args:
        input (Tensor): any shape.
        other (Tensor): the tensor whose shape is used.

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
    Raises TypeError: a size is not an int.
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
    renamed={"mint.squeeze": {"axis": "dim"}},
    fast=(
        Call("torch.squeeze(input)", "axis is None"),
        Call("torch.squeeze(input, axis)", "type(axis) is int"),
    ),
)
def squeeze(input: Tensor, axis: Any = None) -> Tensor:
    """Remove axes of size 1.

    Args:
        input (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes to leave out, where their size is 1; None or an
            empty tuple for all of size 1. Default: None.

    Returns: Tensor, a view.
    Raises TypeError: `axis` is not an int or tuple of ints.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: an empty tuple leaves nothing out there.

    >>> ms.ops.squeeze(ms.ops.zeros((1, 2, 1))).shape
    (2,)
    """
    return input.squeeze() if axis is None else input.squeeze(axes_of("squeeze", axis, input.ndim))


@op(
    primitive="ExpandDims",
    method=True,
    cast="never",
    samples=("f(2, 3), 0", "f(2, 3), -1"),
    errors=(("f(2, 3), 5", ValueError, "axis"), ("f(2, 3), 1.5", TypeError, "axis")),
    fast=Call("torch.unsqueeze(input_x, axis)", "type(axis) is int"),
)
def expand_dims(input_x: Tensor, axis: int) -> Tensor:
    """Insert an axis of size 1.

    Args:
        input_x (Tensor): any shape.
        axis (int): where the new axis goes.

    Returns: Tensor with one axis more, a view.
    Raises TypeError: `axis` is not an int.
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
    fast=Call("torch.unsqueeze(input, dim)", "type(dim) is int"),
)
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Insert an axis of size 1.

    Args:
        input (Tensor): any shape.
        dim (int): where the new axis goes.

    Returns: Tensor with one axis more, a view.
    Raises TypeError: `dim` is not an int.
    Raises ValueError: `dim` is out of range.

    >>> ms.ops.unsqueeze(ms.ops.zeros((2, 3)), 0).shape
    (1, 2, 3)
    """
    return input.unsqueeze(axis_of("unsqueeze", dim, input.ndim + 1, "dim"))


def _flatten(input: Tensor, order: Any, start_dim: int, end_dim: int) -> Tensor:
    if order == "C" and type(start_dim) is int and start_dim == 1 and end_dim == -1:
        return input.flatten(1) if input.ndim > 1 else input.reshape(-1)
    choice("flatten", "order", order, ("C", "F"))
    if order == "F" and input.ndim > 1:
        input = reversed_axes(input)
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
    fast=Call(
        "torch.flatten(input, 1)",
        "order == 'C' and type(start_dim) is int and start_dim == 1 and end_dim == -1",
    ),
)
def flatten(input: Tensor, order: str = "C", *, start_dim: int = 1, end_dim: int = -1) -> Tensor:
    """Merge adjacent axes into one; by default all but the first.

    Args:
        input (Tensor): any shape.
        order (str): ``"C"`` row by row, ``"F"`` with the axes reversed first. Default: ``"C"``.
        start_dim (int): the first axis to join. Default: 1.
        end_dim (int): the last. Default: -1.

    Returns: Tensor, a view where the layout allows; with one axis if `input` has none.
    Raises TypeError: `order` is not a str or an axis is not an int.
    Raises ValueError: `order` is unknown, or an axis is out of range.
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
    """Merge all axes but the first; see :func:`ops.flatten`.

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
    fast=Call(
        "torch.flatten(input)",
        "order == 'C' and not rest and type(start_dim) is int and start_dim == 0 and end_dim == -1",
    ),
)
def _flatten_method(
    input: Tensor, order: Any = "C", *rest: Any, start_dim: int = 0, end_dim: int = -1
) -> Tensor:
    """Merge adjacent axes into one; by default all of them.

    Args:
        input (Tensor): this tensor.
        order (Union[str, int]): ``"C"`` or ``"F"``, or the first axis to join. Default: ``"C"``.
        rest (int): the last axis to join, if the first was given in its place.
        start_dim (int): the first axis to join. Default: 0.
        end_dim (int): the last. Default: -1.

    Returns: Tensor, a view where the layout allows.
    Raises TypeError: too many arguments.
    Raises ValueError: `order` is unknown, or an axis is out of range.
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
    """Merge all axes into one.

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
    fast=Call(
        "torch.broadcast_to(input, shape)", "type(shape) is tuple and _all_int(map(type, shape))"
    ),
)
def broadcast_to(input: Tensor, shape: Any, *, _op_name: str = "broadcast_to") -> Tensor:
    """Repeat along axes of size 1 and new leading axes, without copying.

    Args:
        input (Tensor): any shape that broadcasts.
        shape (tuple): the new shape; -1 keeps a size.

    Returns: Tensor, a view.
    Raises TypeError: `shape` is not a tuple of ints.
    Raises ValueError: `input` does not broadcast to `shape`.
    Difference from PyTorch: -1 keeps a size.

    >>> print(ms.ops.broadcast_to(ms.Tensor([1, 2]), (2, 2)))
    [[1 2]
     [1 2]]
    """
    return _broadcast(_op_name, input, shape)


def _broadcast(op_name: str, input: Tensor, shape: Any) -> Tensor:
    target = ints(op_name, "shape", (shape,) if isinstance(shape, int) else shape)
    try:
        return input.expand(tuple(target))
    except RuntimeError as error:
        raise ValueError(
            f"For '{op_name}', the shape {list(input.shape)} does not broadcast to {list(target)}: "
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
    fast=(
        Call("torch.broadcast_to(input, sizes)", "len(sizes) > 1 and _all_int(map(type, sizes))"),
        Call(
            "torch.broadcast_to(input, sizes[0])", _ONE_TUPLE + " and _all_int(map(type, sizes[0]))"
        ),
    ),
)
def _broadcast_method(input: Tensor, *sizes: Any) -> Tensor:
    """Repeat along axes of size 1; ints or one tuple. See :func:`ops.broadcast_to`.

    Own Args:
        *sizes (Union[int, tuple, list]): the new sizes, or one tuple of them; -1 keeps a size.

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
    Raises TypeError: `size` is not a shape.
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
        other (Tensor): the tensor whose shape is used.

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
