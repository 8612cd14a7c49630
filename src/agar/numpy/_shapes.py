"""Shapes and dimensions of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar._core import optable
from agar._core.tensor import wrap
from agar.numpy._declare import (
    Tensor,
    array,
    axes_of,
    axis_of,
    expanded,
    home,
    named,
)
from agar.ops._checks import integer
from agar.ops.tensor.creation import sizes

_array = home("array_ops")


@_array(
    "expand_dims",
    cast="never",
    samples=("f(2, 3), 0", "f(2), (0, 2)", "f(2), -1"),
    errors=(
        ("f(2), 3", ValueError, "numpy.expand_dims"),
        ("f(2), 1.0", TypeError, "numpy.expand_dims"),
        ("[1], 0", TypeError, "numpy.expand_dims"),
    ),
    reference="np.expand_dims(a, axis)",
)
def _expand_dims(a: Tensor, axis: Any) -> Tensor:
    """Insert dimensions of size one.

    Args:
        a (Tensor): the input.
        axis (Union[int, tuple(int), list(int)]): their places in the result.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: several axes may be given.

    >>> import agar.numpy as mnp
    >>> mnp.expand_dims(mnp.ones((2, 2)), 0).shape
    (1, 2, 2)
    """
    if not isinstance(axis, (int, tuple, list)):
        raise TypeError(
            "For 'numpy.expand_dims', 'axis' must be an int, tuple or list, but got "
            f"'{type(axis).__name__}'."
        )
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    for place in sorted(axes_of("numpy.expand_dims", axis, a.ndim + count)) if count else ():
        a = a.unsqueeze(place)
    return a


@_array(
    "squeeze",
    cast="never",
    samples=("f(1, 2, 1)", "f(1, 2, 1), 0", "f(1, 2, 1), (0, 2)"),
    errors=(("f(1, 2), 2", ValueError, "numpy.squeeze"), ("[1]", TypeError, "numpy.squeeze")),
    reference="np.squeeze(a, axis)",
)
def _squeeze(a: Tensor, axis: Any = None) -> Tensor:
    """Remove dimensions of size one.

    Args:
        a (Tensor): the input.
        axis (Union[None, int, tuple(int)]): which ones; those of another size stay. Default None:
            all.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: an axis is out of range.

    >>> import agar.numpy as mnp
    >>> mnp.squeeze(mnp.ones((1, 2, 1))).shape
    (2,)
    """
    return torch.squeeze(a, axes_of("numpy.squeeze", axis, a.ndim))


@_array(
    "transpose",
    cast="never",
    samples=("f(2, 3)", "f(2, 3, 4), (1, 0, 2)"),
    errors=(
        ("f(2, 3), (0, 0)", ValueError, "numpy.transpose"),
        ("[1]", TypeError, "numpy.transpose"),
    ),
    reference="np.transpose(a, axes)",
)
def _transpose(a: Tensor, axes: Any = None) -> Tensor:
    """Reorder the dimensions.

    Args:
        a (Tensor): the input.
        axes (Union[None, tuple(int), list(int)]): which dimension goes to each place. Default None:
            the reverse order.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `axes` is not a permutation.
    Difference from PyTorch: called ``torch.permute``.

    >>> import agar.numpy as mnp
    >>> mnp.transpose(mnp.ones((1, 2, 3)), (1, 0, 2)).shape
    (2, 1, 3)
    """
    if axes is None:
        return a.permute(tuple(reversed(range(a.ndim))))
    places = axes_of("numpy.transpose", axes, a.ndim, "axes")
    if len(places) != a.ndim:
        raise ValueError(
            f"For 'numpy.transpose', 'axes' must name all {a.ndim} dimensions, but got {axes}."
        )
    return a.permute(places)


@_array(
    "rollaxis",
    cast="never",
    samples=("f(2, 3, 4), 2", "f(2, 3, 4), 0, 2", "f(2, 3, 4), -1, 1", "f(2, 3, 4), 0, 3"),
    errors=(
        ("f(2, 3), 0, 5", ValueError, "start"),
        ("f(2, 3), 1.0", TypeError, "axis"),
        ("f(2, 3), 2", ValueError, "axis"),
    ),
    reference="np.rollaxis(x, axis, start)",
)
def _rollaxis(x: Tensor, axis: int, start: int = 0) -> Tensor:
    """Move one dimension to the place in front of another.

    Args:
        x (Tensor): the input.
        axis (int): the dimension to move.
        start (int): the dimension in front of which it goes; the rank for the end. Default: 0.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `axis` or `start` is out of range.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> mnp.rollaxis(mnp.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    place = axis_of("numpy.rollaxis", axis, x.ndim)
    integer("numpy.rollaxis", "start", start)
    if not -x.ndim <= start <= x.ndim:
        raise ValueError(
            f"For 'numpy.rollaxis', 'start' must be in the range of [{-x.ndim}, {x.ndim}], but got "
            f"{start}."
        )
    start = start + x.ndim if start < 0 else start
    return torch.movedim(x, place, start - 1 if start > place else start)


@_array(
    "swapaxes",
    cast="never",
    samples=("f(2, 3, 4), 0, 2",),
    errors=(("f(2, 3), 0, 2", ValueError, "numpy.swapaxes"), ("[1], 0, 0", TypeError, "swapaxes")),
    reference="np.swapaxes(x, axis1, axis2)",
)
def _swapaxes(x: Tensor, axis1: int, axis2: int) -> Tensor:
    """Exchange two dimensions.

    Args:
        x (Tensor): the input.
        axis1 (int): the first dimension.
        axis2 (int): the second dimension.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: an axis is out of range.

    >>> import agar.numpy as mnp
    >>> mnp.swapaxes(mnp.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    first = axis_of("numpy.swapaxes", axis1, x.ndim, "axis1")
    return torch.swapaxes(x, first, axis_of("numpy.swapaxes", axis2, x.ndim, "axis2"))


@_array(
    "reshape",
    cast="never",
    samples=("f(2, 3), (3, 2)", "f(2, 3), -1", "f(2, 3), [6]"),
    errors=(("f(2, 3), (4, 2)", ValueError, "numpy.reshape"), ("[1], (1,)", TypeError, "reshape")),
    reference="np.reshape(x, new_shape)",
)
def _reshape(x: Tensor, new_shape: Any) -> Tensor:
    """Give the elements another shape.

    Args:
        x (Tensor): the input.
        new_shape (Union[int, tuple(int), list(int)]): the shape; -1 stands for the size that fits.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: the elements do not fill the shape.
    Difference from PyTorch: the shape may be an int.

    >>> import agar.numpy as mnp
    >>> mnp.reshape(mnp.ones((2, 3)), (3, -1)).shape
    (3, 2)
    """
    compute = optable.lookup("function", "reshape").impl
    return named("reshape", compute, x, (new_shape,) if isinstance(new_shape, int) else new_shape)


@_array(
    "ravel",
    cast="never",
    samples=("f(2, 3)", "i(3)"),
    errors=(("3", TypeError, "numpy.ravel"),),
    reference="np.ravel(x)",
)
def _ravel(x: Tensor) -> Tensor:
    """All elements in one dimension.

    Args:
        x (Tensor): the input.

    Returns: Tensor with one dimension.

    >>> import agar.numpy as mnp
    >>> print(mnp.ravel(mnp.array([[1, 2], [3, 4]])))
    [1 2 3 4]
    """
    return x.reshape(-1)


@_array(
    "moveaxis",
    cast="never",
    samples=("f(2, 3, 4), 0, -1", "f(2, 3, 4), (0, 1), (-1, -2)"),
    errors=(
        ("f(2, 3), (0, 1), 0", ValueError, "numpy.moveaxis"),
        ("f(2, 3), 0, 2", ValueError, "destination"),
    ),
    reference="np.moveaxis(a, source, destination)",
)
def _moveaxis(a: Tensor, source: Any, destination: Any) -> Tensor:
    """Move dimensions to other places; the rest keep their order.

    Args:
        a (Tensor): the input.
        source (Union[int, tuple(int)]): the dimensions to move.
        destination (Union[int, tuple(int)]): where they go.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: an axis is out of range or given twice, or the numbers of axes differ.

    >>> import agar.numpy as mnp
    >>> mnp.moveaxis(mnp.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    old = axes_of("numpy.moveaxis", source, a.ndim, "source")
    new = axes_of("numpy.moveaxis", destination, a.ndim, "destination")
    if len(old) != len(new):
        raise ValueError(
            "For 'numpy.moveaxis', 'source' and 'destination' must have the same number of axes, "
            f"but got {source} and {destination}."
        )
    return torch.movedim(a, old, new)


def _atleast(rank: int, compute: Callable[[Tensor], Tensor], words: str, shown: str) -> None:
    name = f"atleast_{rank}d"

    def impl(*arys: Tensor) -> Any:
        items = [compute(x) for x in arys]
        return items[0] if len(items) == 1 else items

    impl.__name__ = name
    impl.__doc__ = f"""Tensors with at least {rank} dimension{"s" if rank > 1 else ""}; {words}.

    Args:
        arys (Tensor): the tensors.

    Returns:
        Tensor, or a list of Tensors for several arguments.

    Raises:
        TypeError: an argument is not a Tensor.

    Difference from PyTorch: several results come as a list.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> mnp.{name}(mnp.ones(5)).shape
        {shown}
    """
    _array(
        name,
        cast="never",
        samples=("f()", "f(3)", "f(2, 3)", "f(2), f()", "f(2, 3, 4)"),
        errors=(("1.0", TypeError, f"numpy.{name}"),),
        reference=f"np.{name}(*arys)",
    )(impl)


def _with_rank(rank: int) -> Callable[[Tensor], Tensor]:
    return lambda x: x.reshape((1,) * (rank - x.ndim) + tuple(x.shape))


def in_three(x: Tensor) -> Tensor:
    if x.ndim < 2:
        return x.reshape(1, -1, 1)
    return x.unsqueeze(-1) if x.ndim == 2 else x


_atleast(1, _with_rank(1), "a number becomes one element", "(5,)")
_atleast(2, _with_rank(2), "new dimensions go in front", "(1, 5)")
_atleast(3, in_three, "a row goes into the middle, a matrix gets a dimension behind", "(1, 5, 1)")


@_array(
    "broadcast_to",
    cast="never",
    samples=("f(3), (2, 3)", "f(), (2,)", "f(2, 1), (2, 3)"),
    errors=(
        ("f(2), (2, 3)", ValueError, "numpy.broadcast_to"),
        ("[1], (2,)", TypeError, "numpy.broadcast_to"),
    ),
    reference="np.broadcast_to(array, shape)",
)
def _broadcast_to(array: Tensor, shape: Any) -> Tensor:
    """Repeat a tensor so that it has a given shape.

    Args:
        array (Tensor): the input.
        shape (Union[int, tuple(int), list(int)]): the shape.

    Returns: Tensor of that shape.
    Raises TypeError: an argument is of another type.
    Raises ValueError: the shape of `array` does not broadcast to `shape`.
    Difference from PyTorch: the result has memory of its own.

    >>> import agar.numpy as mnp
    >>> print(mnp.broadcast_to(mnp.array([1, 2]), (2, 2)))
    [[1 2]
     [1 2]]
    """
    return expanded("broadcast_to", array, sizes("numpy.broadcast_to", shape))


@_array(
    "broadcast_arrays",
    cast="never",
    samples=("f(3), f(2, 1)", "f(3), f()", "f(2)"),
    errors=(
        ("f(2), f(3)", ValueError, "numpy.broadcast_arrays"),
        ("f(2), 1.0", TypeError, "numpy.broadcast_arrays"),
    ),
    reference="np.broadcast_arrays(*args)",
)
def _broadcast_arrays(*args: Tensor) -> list[Tensor]:
    """Repeat tensors so that all have one shape.

    Args:
        args (Tensor): the tensors.

    Returns: list of Tensors.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: a list of tensors with memory of their own.

    >>> import agar.numpy as mnp
    >>> x, y = mnp.broadcast_arrays(mnp.array([1, 2]), mnp.array([[3], [4]]))
    >>> print(y)
    [[3 3]
     [4 4]]
    """
    return [x.clone() for x in torch.broadcast_tensors(*args)]


@_array(
    "size",
    cast="never",
    samples=("f(2, 3)", "f(2, 3), 1", "[1, 2]"),
    errors=(("f(2), 1.0", TypeError, "axis"), ("f(2), 1", ValueError, "axis")),
    reference="np.size(a, axis)",
    differentiable=False,
    tags=("value",),
)
def _size(a: Tensor | Any, axis: int | None = None) -> int:
    """The number of elements, or the size of one dimension.

    Args:
        a (Union[Tensor, number, list, tuple]): the input.
        axis (int): the dimension. Default None: all elements are counted.

    Returns: int.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `axis` is out of range.
    Difference from PyTorch: a function of numpy's kind.

    >>> import agar.numpy as mnp
    >>> mnp.size(mnp.ones((2, 3))), mnp.size(mnp.ones((2, 3)), 1)
    (6, 3)
    """
    x = array("size", "a", a)
    return x.numel() if axis is None else x.shape[axis_of("numpy.size", axis, x.ndim)]


@_array(
    "array_str",
    cast="never",
    samples=("i(3)",),
    errors=(("3", TypeError, "numpy.array_str"),),
    differentiable=False,
    tags=("value",),
)
def _array_str(a: Tensor) -> str:
    """The text of a tensor's values.

    Args:
        a (Tensor): the input.

    Returns: str, as ``str(a)`` gives it.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> mnp.array_str(mnp.arange(5))
    '[0 1 2 3 4]'
    """
    return str(wrap(a))
