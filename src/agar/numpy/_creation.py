"""Tensors made from values, shapes and ranges, and random ones."""

from __future__ import annotations

import math
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar._core import context
from agar._core.dtype import float32
from agar.numpy._declare import (
    Tensor,
    array,
    as_tensor,
    axis_of,
    expanded,
    floating,
    home,
    number_type,
    value_type,
)
from agar.ops._checks import boolean, integer, number
from agar.ops.tensor.creation import sizes

_create = home("array_creations")
_FLOATS = (torch.float16, torch.float32, torch.float64)


def _filled(shape: tuple[int, ...], value: Any, dtype: torch.dtype) -> Tensor:
    return torch.full(shape, value, dtype=dtype, device=context.torch_device())


# ------------------------------------------------------------------------------- from values


def _converted(op_name: str, value: Any, dtype: Any) -> Tensor:
    """The tensor of a value; without a dtype, numbers and lists have 32 bits."""
    kind = None if dtype is None else value_type(op_name, dtype)
    if isinstance(value, Tensor):
        return value if kind is None else value.to(kind)
    if kind is None:
        return array(op_name, "a", value)
    return as_tensor(op_name, "a", value).to(kind)


@_create(
    "array",
    cast="never",
    lists=True,
    samples=("[1, 2]", "[[1.5], [2]]", "f(2, 3)", "i(2), ms.float32", "3.5", "f(2), None, True, 3"),
    errors=(
        ("'a'", TypeError, "numpy.array"),
        ("np.ones(2)", TypeError, "ms.Tensor"),
        ("[1, 2], 'complex64'", TypeError, "numpy.array"),
        ("[[1, 2], [3]]", ValueError, "numpy.array"),
        ("[], None, True, 2", ValueError, "numpy.array"),
    ),
    reference="np.array(obj, ndmin=ndmin)",
)
def _array(obj: Tensor | Any, dtype: Any = None, copy: bool = True, ndmin: int = 0) -> Tensor:
    """A tensor of the given values.

    Args:
        obj (Union[Tensor, number, list, tuple]): the values.
        dtype (Type): the type of the elements. Default None: that of a Tensor; int32, float32 or
            bool for numbers and lists.
        copy (bool): whether to copy a Tensor. Default: True.
        ndmin (int): the least number of dimensions; ones are put in front of the shape. Default: 0.

    Returns: Tensor.
    Raises TypeError: `obj` or `dtype` is of another type.
    Raises ValueError: the rows of a list have different lengths; an empty tensor is to get more
        dimensions.
    Difference from PyTorch: numbers and lists give 32 bits; numpy arrays go through
        ``ms.Tensor(...)``.

    >>> import agar.numpy as mnp
    >>> print(mnp.array([1, 2, 3]))
    [1 2 3]
    """
    result = _converted("array", obj, dtype)
    if ndmin > result.ndim:
        if result.numel() == 0:
            raise ValueError(
                "For 'numpy.array', an empty tensor cannot get further dimensions by 'ndmin'."
            )
        result = result.reshape((1,) * (ndmin - result.ndim) + tuple(result.shape))
    return result.clone() if copy and isinstance(obj, Tensor) else result


@_create(
    "asarray",
    cast="never",
    lists=True,
    samples=("[1, 2]", "[[1.5], [2]]", "f(2, 3)", "i(2), ms.float32", "True"),
    errors=(
        ("'a'", TypeError, "numpy.asarray"),
        ("np.ones(2)", TypeError, "ms.Tensor"),
        ("[[1, 2], [3]]", ValueError, "numpy.asarray"),
    ),
    reference="np.asarray(a)",
)
def _asarray(a: Tensor | Any, dtype: Any = None) -> Tensor:
    """A tensor of the given values; a Tensor is not copied.

    Args:
        a (Union[Tensor, number, list, tuple]): the values.
        dtype (Type): the type of the elements. Default None: that of a Tensor; int32, float32 or
            bool for numbers and lists.

    Returns: Tensor.
    Raises TypeError: `a` or `dtype` is of another type.
    Raises ValueError: the rows of a list have different lengths.
    Difference from PyTorch: numbers and lists give 32 bits; numpy arrays go through
        ``ms.Tensor(...)``.

    >>> import agar.numpy as mnp
    >>> print(mnp.asarray([1, 2, 3]))
    [1 2 3]
    """
    return _converted("asarray", a, dtype)


@_create(
    "asfarray",
    cast="never",
    samples=("[1, 2]", "i(2, 3)", "f(2), ms.float64", "[1, 2], None"),
    errors=(("'a'", TypeError, "numpy.asfarray"), ("[1], 'x'", TypeError, "numpy.asfarray")),
    reference="np.asarray(a, dtype=np.float64)",
    differentiable=False,
)
def _asfarray(a: Tensor | Any, dtype: Any = float32) -> Tensor:
    """A tensor of floating type of the given values.

    Args:
        a (Union[Tensor, number, list, tuple]): the values.
        dtype (Type): float16, float32 or float64; any other type means float32, None leaves the
            type to `asarray`. Default: float32.

    Returns: Tensor.
    Raises TypeError: `a` or `dtype` is of another type.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.asfarray([1, 2, 3]))
    [1. 2. 3.]
    """
    if dtype is None:
        return _converted("asfarray", a, None)
    kind = value_type("asfarray", dtype)
    return _converted("asfarray", a, kind if kind in _FLOATS else torch.float32)


@_create(
    "copy",
    cast="never",
    samples=("f(2, 3)", "[1, 2]"),
    errors=(("'a'", TypeError, "numpy.copy"),),
    reference="np.copy(a)",
)
def _copy(a: Tensor | Any) -> Tensor:
    """A copy of a tensor.

    Args:
        a (Union[Tensor, number, list, tuple]): the values.

    Returns: Tensor with memory of its own.
    Raises TypeError: `a` is of another type.
    Difference from PyTorch: called ``torch.clone``.

    >>> import agar.numpy as mnp
    >>> print(mnp.copy(mnp.ones((2, 2))))
    [[1. 1.]
     [1. 1.]]
    """
    return _converted("copy", a, None).clone()


# ------------------------------------------------------------------------------- from shapes


def _constant(name: str, value: int, shown: str) -> None:
    """Declare ones or zeros and the function of the same name with ``_like``."""

    def impl(shape: Any, dtype: Any = float32) -> Tensor:
        size = sizes(f"numpy.{name}", shape)
        return _filled(size, value, value_type(name, dtype))

    impl.__name__ = name
    impl.__doc__ = f"""A tensor of {name}.

    Args:
        shape (Union[int, tuple, list]): the shape.
        dtype (Type): the type. Default: float32.

    Returns:
        Tensor of that shape and type.

    Raises:
        TypeError: `shape` or `dtype` is of another type.
        ValueError: a size is negative.

    Difference from PyTorch: the shape is one argument.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.{name}((2, 2)))
        {shown}
    """
    _create(
        name,
        cast="never",
        samples=("3", "(2, 3)", "[2], ms.int32", "(0,)"),
        errors=(
            ("-1", ValueError, f"numpy.{name}"),
            ("2.0", TypeError, f"numpy.{name}"),
            ("2, 'x'", TypeError, f"numpy.{name}"),
        ),
        reference=f"np.{name}(shape)",
        differentiable=False,
    )(impl)
    op_name = f"{name}_like"

    def like(a: Tensor | Any, dtype: Any = None, shape: Any = None) -> Tensor:
        model = array(op_name, "a", a)
        kind = model.dtype if dtype is None else value_type(op_name, dtype)
        size = tuple(model.shape) if _no_shape(shape) else sizes(f"numpy.{op_name}", shape)
        return torch.full(size, value, dtype=kind, device=model.device)

    like.__name__ = op_name
    like.__doc__ = f"""A tensor of {name}, of the shape and type of another.

    Args:
        a (Union[Tensor, number, list, tuple]): the model.
        dtype (Type): the type. Default None: that of `a`.
        shape (Union[int, tuple, list]): the shape. Default None: that of `a`.

    Returns:
        Tensor.

    Raises:
        TypeError: an argument is of another type.
        ValueError: a size is negative.

    Difference from PyTorch: `shape` may be given.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.{op_name}(mnp.array([1, 2])))
        [{value} {value}]
    """
    _create(
        op_name,
        cast="never",
        samples=("f(2, 3)", "[1, 2]", "f(2), ms.int32, (3,)"),
        errors=(
            ("'a'", TypeError, f"numpy.{op_name}"),
            ("f(2), None, -1", ValueError, f"numpy.{op_name}"),
        ),
        reference=f"np.{op_name}(a, shape=shape)",
        differentiable=False,
    )(like)


def _no_shape(shape: Any) -> bool:
    return shape is None or (isinstance(shape, (tuple, list)) and not shape)


_constant("ones", 1, "[[1. 1.]\n         [1. 1.]]")
_constant("zeros", 0, "[[0. 0.]\n         [0. 0.]]")


@_create(
    "empty",
    cast="never",
    samples=("3", "(2, 3)", "[2], ms.int32"),
    errors=(("-1", ValueError, "numpy.empty"), ("'a'", TypeError, "numpy.empty")),
    reference="np.zeros(shape)",
    differentiable=False,
)
def _empty(shape: Any, dtype: Any = float32) -> Tensor:
    """A tensor whose values do not matter; they are zeros.

    Args:
        shape (Union[int, tuple, list]): the shape.
        dtype (Type): the type. Default: float32.

    Returns: Tensor of that shape and type.
    Raises TypeError: `shape` or `dtype` is of another type.
    Raises ValueError: a size is negative.
    Difference from PyTorch: the memory is cleared.

    >>> import agar.numpy as mnp
    >>> print(mnp.empty(2))
    [0. 0.]
    """
    return _filled(sizes("numpy.empty", shape), 0, value_type("empty", dtype))


@_create(
    "empty_like",
    cast="never",
    samples=("f(2, 3)", "[1, 2]", "f(2), ms.int32, (3,)"),
    errors=(("'a'", TypeError, "numpy.empty_like"),),
    reference="np.zeros_like(prototype, shape=shape)",
    differentiable=False,
)
def _empty_like(prototype: Tensor | Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """A tensor of the shape and type of another whose values do not matter; they are zeros.

    Args:
        prototype (Union[Tensor, number, list, tuple]): the model.
        dtype (Type): the type. Default None: that of `prototype`.
        shape (Union[int, tuple, list]): the shape. Default None: that of `prototype`.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: a size is negative.
    Difference from PyTorch: the memory is cleared; `shape` may be given.

    >>> import agar.numpy as mnp
    >>> print(mnp.empty_like(mnp.array([1, 2])))
    [0 0]
    """
    model = array("empty_like", "prototype", prototype)
    kind = model.dtype if dtype is None else value_type("empty_like", dtype)
    size = tuple(model.shape) if _no_shape(shape) else sizes("numpy.empty_like", shape)
    return torch.zeros(size, dtype=kind, device=model.device)


@_create(
    "full",
    cast="never",
    samples=("(2, 3), 1.5", "3, 2", "(2, 3), f(3)", "(2, 2), [1, 2]", "(2,), 3, ms.float32"),
    errors=(
        ("2, 'a'", TypeError, "numpy.full"),
        ("(2,), [1, 2, 3]", ValueError, "numpy.full"),
        ("-1, 2", ValueError, "numpy.full"),
    ),
    reference="np.full(shape, fill_value)",
)
def _full(shape: Any, fill_value: Tensor | Any, dtype: Any = None) -> Tensor:
    """A tensor filled with a value, or with values that broadcast to the shape.

    Args:
        shape (Union[int, tuple, list]): the shape.
        fill_value (Union[Tensor, number, list, tuple]): what to fill in.
        dtype (Type): the type, for a number as `fill_value`; Tensors and lists keep theirs.
            Default None: int32, float32 or bool for numbers.

    Returns: Tensor of that shape.
    Raises TypeError: an argument is of another type.
    Raises ValueError: a size is negative, or `fill_value` does not broadcast.
    Difference from PyTorch: `fill_value` may have dimensions.

    >>> import agar.numpy as mnp
    >>> print(mnp.full((2, 2), [1, 2]))
    [[1 2]
     [1 2]]
    """
    size = sizes("numpy.full", shape)
    kind = None if dtype is None else value_type("full", dtype)
    if isinstance(fill_value, (bool, int, float)):
        return _filled(size, fill_value, kind or number_type(fill_value))
    values = array("full", "fill_value", fill_value)
    if 0 in size:
        return torch.zeros(size, dtype=kind or values.dtype, device=values.device)
    return expanded("full", values, size)


@_create(
    "full_like",
    cast="never",
    samples=("f(2, 3), 1.5", "i(3), 2", "f(2), 3, ms.int32, (3,)", "f(2, 3), [1, 2, 3]"),
    errors=(
        ("'a', 1", TypeError, "numpy.full_like"),
        ("f(2), [1, 2, 3]", ValueError, "numpy.full_like"),
    ),
    reference="np.full_like(a, fill_value, shape=shape)",
    differentiable=False,
)
def _full_like(
    a: Tensor | Any, fill_value: Tensor | Any, dtype: Any = None, shape: Any = None
) -> Tensor:
    """A tensor of the shape and type of another, filled with a value.

    Args:
        a (Union[Tensor, number, list, tuple]): the model.
        fill_value (Union[Tensor, number, list, tuple]): what to fill in; Tensors and lists keep
            their type.
        dtype (Type): the type. Default None: that of `a`.
        shape (Union[int, tuple, list]): the shape. Default None: that of `a`.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: a size is negative, or `fill_value` does not broadcast.
    Difference from PyTorch: `fill_value` may have dimensions, and `shape` may be given.

    >>> import agar.numpy as mnp
    >>> print(mnp.full_like(mnp.array([1, 2]), 7))
    [7 7]
    """
    model = array("full_like", "a", a)
    kind = model.dtype if dtype is None else value_type("full_like", dtype)
    size = tuple(model.shape) if _no_shape(shape) else sizes("numpy.full_like", shape)
    if isinstance(fill_value, (bool, int, float)):
        if not kind.is_floating_point and isinstance(fill_value, float):
            fill_value = int(fill_value)
        return torch.full(size, fill_value, dtype=kind, device=model.device)
    return expanded("full_like", array("full_like", "fill_value", fill_value), size)


@_create(
    "eye",
    cast="never",
    samples=("3", "2, 3", "3, 4, 1", "3, 3, -1, ms.int32", "0"),
    errors=(("2.0", TypeError, "numpy.eye"), ("2, 2, 1.0", TypeError, "numpy.eye")),
    reference="np.eye(N, M, k)",
    differentiable=False,
)
def _eye(N: int, M: int | None = None, k: int = 0, dtype: Any = float32) -> Tensor:
    """Ones on a diagonal, zeros elsewhere.

    Args:
        N (int): the number of rows.
        M (int): the number of columns. Default None: `N`.
        k (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.
        dtype (Type): the type. Default: float32.

    Returns: Tensor of shape (N, M).
    Raises TypeError: an argument is of another type.
    Raises ValueError: a size is negative.
    Difference from PyTorch: any diagonal may be chosen.

    >>> import agar.numpy as mnp
    >>> print(mnp.eye(2, 3, 1))
    [[0. 1. 0.]
     [0. 0. 1.]]
    """
    return _diagonal_ones("eye", N, M, k, dtype)


def diagonal_numbers(op_name: str, rows: Any, columns: Any, k: Any) -> Tensor:
    """The number of the diagonal on which each place of a matrix lies, 0 the main one; checked."""
    rows = integer(f"numpy.{op_name}", "N", rows, 0)
    columns = rows if columns is None else integer(f"numpy.{op_name}", "M", columns, 0)
    integer(f"numpy.{op_name}", "k", k)
    where = context.torch_device()
    return torch.arange(columns, device=where) - torch.arange(rows, device=where)[:, None]


def _diagonal_ones(op_name: str, rows: Any, columns: Any, k: Any, dtype: Any) -> Tensor:
    return (diagonal_numbers(op_name, rows, columns, k) == k).to(value_type(op_name, dtype))


@_create(
    "identity",
    cast="never",
    samples=("3", "2, ms.int32"),
    errors=(("2.0", TypeError, "numpy.identity"),),
    reference="np.identity(n)",
    differentiable=False,
)
def _identity(n: int, dtype: Any = float32) -> Tensor:
    """The identity matrix.

    Args:
        n (int): the number of rows and columns.
        dtype (Type): the type. Default: float32.

    Returns: Tensor of shape (n, n).
    Raises TypeError: an argument is of another type.
    Raises ValueError: `n` is negative.
    Difference from PyTorch: called ``torch.eye``.

    >>> import agar.numpy as mnp
    >>> print(mnp.identity(2))
    [[1. 0.]
     [0. 1.]]
    """
    return _diagonal_ones("identity", n, None, 0, dtype)


# -------------------------------------------------------------------------------- ranges


def _common_number_type(*values: Any) -> torch.dtype:
    """bool, int32 or float32: the narrowest in which Python numbers fit; None is left out."""
    given = [v for v in values if v is not None]
    if all(isinstance(v, bool) for v in given):
        return torch.bool
    return torch.int32 if all(isinstance(v, int) for v in given) else torch.float32


@_create(
    "arange",
    cast="never",
    samples=("4", "1, 5", "1, 8, 3", "0.0, 1.0, 0.25", "5, 1, -2", "3, dtype=ms.float32"),
    errors=(
        ("'a'", TypeError, "numpy.arange"),
        ("3, 1", ValueError, "numpy.arange"),
        ("0, 5, 0", ValueError, "numpy.arange"),
    ),
    reference="np.arange(start, 0 if stop is None else stop, 1 if step is None else step) "
    "if stop is not None else np.arange(start)",
    differentiable=False,
)
def _arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Tensor:
    """Numbers at equal distances, the end not included.

    Args:
        start (Union[int, float]): the first number; the end if `stop` is None.
        stop (Union[int, float]): the end. Default None: `start`, and 0 is the first number.
        step (Union[int, float]): the distance. Default None: 1.
        dtype (Type): the type. Default None: int32 for ints, float32 otherwise.

    Returns: Tensor with one dimension.
    Raises TypeError: an argument is of another type.
    Raises ValueError: there is no number in the range.
    Difference from PyTorch: ints give int32; an empty range is an error.

    >>> import agar.numpy as mnp
    >>> print(mnp.arange(4), mnp.arange(0, 1, 0.25))
    [0 1 2 3] [0.   0.25 0.5  0.75]
    """
    given = (("start", start), ("stop", stop), ("step", step))
    for name, value in given:
        if value is not None and not isinstance(value, (bool, int, float)):
            raise TypeError(
                f"For 'numpy.arange', '{name}' must be int or float, but got "
                f"'{type(value).__name__}'."
            )
    kind = _common_number_type(start, stop, step) if dtype is None else value_type("arange", dtype)
    first, end = (0, start) if stop is None else (start, stop)
    distance = 1 if step is None else step
    if distance == 0:
        raise ValueError("For 'numpy.arange', 'step' must not be 0.")
    count = math.ceil((end - first) / distance)
    if count <= 0:
        raise ValueError(
            f"For 'numpy.arange', the range from {first} to {end} by {distance} has no number."
        )
    where = context.torch_device()
    if all(isinstance(v, int) for v in (first, end, distance)):
        return (torch.arange(count, device=where) * int(distance) + int(first)).to(kind)
    steps = torch.arange(count, dtype=torch.float32, device=where)
    return (steps * distance + first).to(kind)


def _bounds(
    op_name: str, start: Any, stop: Any, num: Any, endpoint: Any, dtype: Any, axis: Any
) -> tuple[Tensor, Tensor, torch.dtype, int]:
    """Checked arguments of the functions that fill an interval; `axis` counted from the front."""
    first = floating(array(op_name, "start", start))
    last = floating(array(op_name, "stop", stop))
    integer(f"numpy.{op_name}", "num", num)
    boolean(f"numpy.{op_name}", "endpoint", endpoint)
    if num < 1:
        raise ValueError(f"For 'numpy.{op_name}', 'num' must be at least 1, but got {num}.")
    kind = torch.float32 if dtype is None else value_type(op_name, dtype)
    first, last = torch.broadcast_tensors(first, last)
    return first, last, kind, axis_of(f"numpy.{op_name}", axis, first.ndim + 1)


def _interval(first: Tensor, last: Tensor, num: int, endpoint: bool, axis: int) -> Any:
    """Equidistant numbers along a new axis, and their distance (nan for the whole of one)."""
    if num == 1:
        return first.unsqueeze(axis), float("nan") if endpoint else last - first
    distance = (last - first) / (num - 1 if endpoint else num)
    shape = [1] * (first.ndim + 1)
    shape[axis] = num
    steps = torch.arange(num, dtype=distance.dtype, device=first.device).reshape(shape)
    result = first.unsqueeze(axis) + steps * distance.unsqueeze(axis)
    if endpoint:  # rounding must not move the end
        result = torch.cat([result.narrow(axis, 0, num - 1), last.unsqueeze(axis).to(result)], axis)
    return result, distance


_INTERVAL_ERRORS = (
    ("0, 1, 0", ValueError, "num"),
    ("0, 1, 2.0", TypeError, "num"),
    ("0, 1, 3, 1", TypeError, "endpoint"),
    ("'a', 1", TypeError, "start"),
    ("0, 1, 3, axis=1", ValueError, "axis"),
)


@_create(
    "linspace",
    cast="never",
    samples=(
        "0, 1, 3",
        "f(2), f(2), 4",
        "f(2), 4.0, 3, axis=-1",
        "1, 2, 4, endpoint=False",
        "2, 3, 1",
        "f(3), f(3), 4, True, True",
    ),
    errors=(*_INTERVAL_ERRORS, ("0, 1, 3, retstep=1", TypeError, "retstep")),
    reference="np.linspace(start, stop, num, endpoint, retstep, axis=axis)",
    differentiable=False,
)
def _linspace(
    start: Tensor | Any,
    stop: Tensor | Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """Numbers at equal distances in an interval.

    Args:
        start (Union[Tensor, number, list, tuple]): the first number.
        stop (Union[Tensor, number, list, tuple]): the end; shapes broadcast.
        num (int): how many numbers, at least 1. Default: 50.
        endpoint (bool): whether the end is one of them. Default: True.
        retstep (bool): whether to return the distance too. Default: False.
        dtype (Type): the type. Default None: float32.
        axis (int): where the new axis goes. Default: 0.

    Returns: Tensor, or with `retstep` a tuple of it and the distance: a Tensor, nan for a single
        number.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `num` is less than 1, or `axis` out of range.
    Difference from PyTorch: bounds may be tensors, the end may be left out.

    >>> import agar.numpy as mnp
    >>> print(mnp.linspace(0, 5, 6))
    [0. 1. 2. 3. 4. 5.]
    """
    first, last, kind, place = _bounds("linspace", start, stop, num, endpoint, dtype, axis)
    boolean("numpy.linspace", "retstep", retstep)
    result, distance = _interval(first, last, num, endpoint, place)
    return (result.to(kind), distance) if retstep else result.to(kind)


@_create(
    "logspace",
    cast="never",
    samples=("0, 3, 4", "0, 3, 4, base=2", "f(2), f(2), 3", "1, 2, 3, endpoint=False"),
    errors=(*_INTERVAL_ERRORS, ("0, 1, 3, base='a'", TypeError, "base")),
    reference="np.logspace(start, stop, num, endpoint, base, axis=axis)",
    differentiable=False,
)
def _logspace(
    start: Tensor | Any,
    stop: Tensor | Any,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """Powers of a base whose exponents have equal distances.

    Args:
        start (Union[Tensor, number, list, tuple]): the first exponent.
        stop (Union[Tensor, number, list, tuple]): the end of the exponents; shapes broadcast.
        num (int): how many numbers, at least 1. Default: 50.
        endpoint (bool): whether the end is one of them. Default: True.
        base (Union[int, float]): the base. Default: 10.0.
        dtype (Type): the type. Default None: float32.
        axis (int): where the new axis goes. Default: 0.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `num` is less than 1, or `axis` out of range.
    Difference from PyTorch: bounds may be tensors, the end may be left out.

    >>> import agar.numpy as mnp
    >>> print(mnp.logspace(0, 3, 4, base=2.0))
    [1. 2. 4. 8.]
    """
    first, last, kind, place = _bounds("logspace", start, stop, num, endpoint, dtype, axis)
    number("numpy.logspace", "base", base)
    exponents, _ = _interval(first, last, num, endpoint, place)
    return torch.pow(float(base), exponents.to(torch.float32)).to(kind)


@_create(
    "geomspace",
    cast="never",
    samples=("1, 256, 9", "p(2), p(2), 4", "1, 256, 8, endpoint=False", "p(2), 4.0, 3, axis=1"),
    errors=_INTERVAL_ERRORS,
    reference="np.geomspace(start, stop, num, endpoint, axis=axis)",
    differentiable=False,
)
def _geomspace(
    start: Tensor | Any,
    stop: Tensor | Any,
    num: int = 50,
    endpoint: bool = True,
    dtype: Any = None,
    axis: int = 0,
) -> Tensor:
    """Numbers with equal ratios in an interval.

    Args:
        start (Union[Tensor, number, list, tuple]): the first number.
        stop (Union[Tensor, number, list, tuple]): the end; shapes broadcast.
        num (int): how many numbers, at least 1. Default: 50.
        endpoint (bool): whether the end is one of them. Default: True.
        dtype (Type): the type. Default None: float32.
        axis (int): where the new axis goes. Default: 0.

    Returns: Tensor.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `num` is less than 1, or `axis` out of range.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.geomspace(1, 128, num=8, endpoint=True))
    [  1.   2.   4.   8.  16.  32.  64. 128.]
    """
    first, last, kind, place = _bounds("geomspace", start, stop, num, endpoint, dtype, axis)
    count = max(num - 1 if endpoint else num, 1)
    ratio = torch.pow(last / first, 1.0 / count)
    shape = [1] * (first.ndim + 1)
    shape[place] = num
    exponents = torch.arange(num, dtype=ratio.dtype, device=ratio.device).reshape(shape)
    result = torch.pow(ratio.unsqueeze(place), exponents) * first.unsqueeze(place)
    return _nearest(result, kind)


def _nearest(values: Tensor, kind: torch.dtype) -> Tensor:
    # a power that rounding left just below an integer must not be cut down to the one below
    return values.to(kind) if kind.is_floating_point else torch.round(values).to(kind)
