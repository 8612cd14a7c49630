"""Diagonals, triangles, grids, windows and other patterns."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar._core import context, optable
from agar._core.dtype import float32, int32
from agar.numpy._creation import diagonal_numbers
from agar.numpy._declare import Tensor, array, find, home, named, publish, typed, value_type
from agar.ops._checks import boolean, integer
from agar.ops.tensor.creation import sizes

_create = home("array_creations")


# ----------------------------------------------------------------------- triangles, diagonals


@_create(
    "tri",
    cast="never",
    samples=("3", "3, 4, 1", "3, 3, -1, ms.int32"),
    errors=(("2.0", TypeError, "numpy.tri"), ("3, 3, 1.0", TypeError, "numpy.tri")),
    reference="np.tri(N, M, k)",
    differentiable=False,
)
def _tri(N: int, M: int | None = None, k: int = 0, dtype: Any = float32) -> Tensor:
    """Ones on and below a diagonal, zeros above it.

    Args:
        N (int): the number of rows.
        M (int): the number of columns. Default None: `N`.
        k (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.
        dtype (Type): the type. Default: float32.

    Returns: Tensor of shape (N, M).
    Raises TypeError: an argument is of another type.
    Raises ValueError: a size is negative.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.tri(2, 3, 1))
    [[1. 1. 0.]
     [1. 1. 1.]]
    """
    return (diagonal_numbers("tri", N, M, k) <= k).to(value_type("tri", dtype))


def _triangle(name: str, compute: Callable[..., Tensor], word: str, shown: str) -> None:
    """Declare tril or triu."""

    def impl(m: Tensor | Any, k: int = 0) -> Tensor:
        m = array(name, "m", m)
        integer(f"numpy.{name}", "k", k)
        if m.ndim == 0:
            raise ValueError(f"For 'numpy.{name}', 'm' must have at least one dimension.")
        return compute(m.expand(m.shape[0], -1) if m.ndim == 1 else m, k)

    impl.__name__ = name
    impl.__doc__ = f"""The {word} triangle of matrices; zeros replace the rest.

    Args:
        m (Union[Tensor, list, tuple]): the last two dimensions are the matrices. One row stands for
            a square matrix of equal rows.
        k (int): the diagonal that bounds the triangle, 0 the main one. Default: 0.

    Returns:
        Tensor of the input's type.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `m` has no dimension.

    Difference from PyTorch: one row is accepted.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.{name}(mnp.array([[1, 2], [3, 4]])))
        {shown}
    """
    _create(
        name,
        samples=("f(3, 3)", "f(2, 3, 4), 1", "f(3), -1", "i(3, 3)"),
        errors=(("3.0", ValueError, f"numpy.{name}"), ("'a'", TypeError, f"numpy.{name}")),
        reference=f"np.{name}(m, k)",
    )(impl)


_triangle("tril", torch.tril, "lower", "[[1 0]\n         [3 4]]")
_triangle("triu", torch.triu, "upper", "[[1 2]\n         [0 4]]")


@_create(
    "diagonal",
    cast="never",
    samples=("f(3, 4)", "f(3, 3), 1", "f(2, 3, 4), 0, 1, 2"),
    errors=(("f(3)", ValueError, "numpy.diagonal"), ("[1]", TypeError, "numpy.diagonal")),
    reference="np.diagonal(a, offset, axis1, axis2)",
)
def _diagonal(a: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of the plane of two axes.

    Args:
        a (Tensor): two dimensions or more.
        offset (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.
        axis1 (int): the first axis. Default: 0.
        axis2 (int): the second axis. Default: 1.

    Returns: Tensor; the diagonal is its last dimension.
    Raises TypeError: an argument is of another type.
    Raises ValueError: the axes are equal or out of range.

    >>> import agar.numpy as mnp
    >>> print(mnp.diagonal(mnp.array([[1, 2], [3, 4]])))
    [1 4]
    """
    compute = optable.lookup("method", "diagonal").impl
    return named("diagonal", compute, a, offset, axis1, axis2)


@_create(
    "trace",
    samples=("f(3, 4)", "f(3, 3), 1", "f(2, 3, 4), 0, 1, 2", "i(3, 3)"),
    errors=(("f(3)", ValueError, "numpy.trace"), ("[1]", TypeError, "numpy.trace")),
    reference="np.trace(a, offset, axis1, axis2)",
)
def _trace(a: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Tensor:
    """The sum along the diagonal of the plane of two axes.

    Args:
        a (Tensor): two dimensions or more.
        offset (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.
        axis1 (int): the first axis. Default: 0.
        axis2 (int): the second axis. Default: 1.
        dtype (Type): the type of the result. Default None: floating types are kept, integers give
            int64.

    Returns: Tensor without the two axes.
    Raises TypeError: an argument is of another type.
    Raises ValueError: the axes are equal or out of range.
    Difference from PyTorch: ``torch.trace`` takes matrices only.

    >>> import agar.numpy as mnp
    >>> print(mnp.trace(mnp.array([[1.0, 2.0], [3.0, 4.0]])))
    5.0
    """
    compute = optable.lookup("method", "diagonal").impl
    result = named("trace", compute, a, offset, axis1, axis2)
    return typed("trace", result.sum(-1), dtype)


@_create(
    "diag",
    samples=("f(3)", "f(2), 1", "f(3, 4)", "f(3, 4), -1"),
    errors=(("f(2, 2, 2)", ValueError, "numpy.diag"), ("[1]", TypeError, "numpy.diag")),
    reference="np.diag(v, k)",
)
def _diag(v: Tensor, k: int = 0) -> Tensor:
    """The diagonal of a matrix, or the matrix with a given diagonal.

    Args:
        v (Tensor): one dimension, the diagonal; or two dimensions, the matrix.
        k (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.

    Returns: Tensor with two dimensions or one.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `v` has another number of dimensions.

    >>> import agar.numpy as mnp
    >>> print(mnp.diag(mnp.array([1, 2])))
    [[1 0]
     [0 2]]
    """
    if v.ndim not in (1, 2):
        raise ValueError(
            f"For 'numpy.diag', 'v' must have one or two dimensions, but got shape {list(v.shape)}."
        )
    return torch.diag(v, integer("numpy.diag", "k", k)).clone()


@_create(
    "diagflat",
    samples=("f(2, 2)", "f(3), 1", "i(2), -2"),
    errors=(("[1]", TypeError, "numpy.diagflat"), ("f(2), 1.0", TypeError, "numpy.diagflat")),
    reference="np.diagflat(v, k)",
)
def _diagflat(v: Tensor, k: int = 0) -> Tensor:
    """The matrix with all elements of a tensor on a diagonal.

    Args:
        v (Tensor): the elements, of any shape.
        k (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.

    Returns: Tensor with two dimensions.
    Raises TypeError: an argument is of another type.

    >>> import agar.numpy as mnp
    >>> print(mnp.diagflat(mnp.array([[1, 2]]), 1))
    [[0 1 0]
     [0 0 2]
     [0 0 0]]
    """
    return torch.diagflat(v, integer("numpy.diagflat", "k", k))


@_create(
    "diag_indices",
    cast="never",
    samples=("3", "2, 3"),
    errors=(("2.0", TypeError, "numpy.diag_indices"),),
    reference="np.diag_indices(n, ndim)",
    differentiable=False,
)
def _diag_indices(n: int, ndim: int = 2) -> tuple[Tensor, ...]:
    """The indices of the main diagonal of a tensor with equal sizes.

    Args:
        n (int): the size of each dimension.
        ndim (int): the number of dimensions. Default: 2.

    Returns: tuple of `ndim` Tensors of int32.
    Raises TypeError: an argument is not an int.
    Raises ValueError: `n` is less than 1.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.diag_indices(3)[0])
    [0 1 2]
    """
    integer("numpy.diag_indices", "n", n, 1)
    integer("numpy.diag_indices", "ndim", ndim)
    places = torch.arange(n, dtype=torch.int32, device=context.torch_device())
    return tuple(places.clone() for _ in range(ndim))


def _triangle_indices(name: str, compute: Callable[..., Tensor], word: str) -> None:
    """Declare the indices of a triangle, and those of the triangle of a given matrix."""
    whole = math.ceil if word == "upper" else math.floor

    def places(op_name: str, n: Any, k: Any, m: Any) -> tuple[Tensor, ...]:
        for label, value in (("n", n), ("k", k), ("m", m)):
            if not isinstance(value, (bool, int, float)):
                raise TypeError(
                    f"For 'numpy.{op_name}', '{label}' must be a number, but got "
                    f"'{type(value).__name__}'."
                )
        result = compute(math.ceil(n), math.ceil(m), offset=whole(k), device=context.torch_device())
        return tuple(result.to(torch.int32).unbind(0))

    def impl(n: int, k: int = 0, m: int | None = None) -> tuple[Tensor, ...]:
        return places(name, n, k, n if m is None else m)

    impl.__name__ = name
    impl.__doc__ = f"""The indices of the {word} triangle of a matrix.

    Args:
        n (int): the number of rows.
        k (int): the diagonal that bounds the triangle, 0 the main one. Default: 0.
        m (int): the number of columns. Default None: `n`.

    Returns:
        tuple of two Tensors of int32, for rows and columns.

    Raises:
        TypeError: an argument is not a number.

    Difference from PyTorch: a tuple; the rows come first, then the diagonal and the columns.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> rows, columns = mnp.{name}(2)
        >>> print(rows, columns)
        {"[0 0 1] [0 1 1]" if word == "upper" else "[0 1 1] [0 0 1]"}
    """
    _create(
        name,
        cast="never",
        samples=("3", "3, 1", "3, -1, 4"),
        errors=(("'a'", TypeError, f"numpy.{name}"),),
        reference=f"np.{name}(n, k, m)",
        differentiable=False,
    )(impl)
    op_name = f"{name}_from"

    def of(arr: Tensor | Any, k: int = 0) -> tuple[Tensor, ...]:
        arr = array(op_name, "arr", arr)
        if arr.ndim != 2:
            raise ValueError(
                f"For 'numpy.{op_name}', 'arr' must have two dimensions, but got shape "
                f"{list(arr.shape)}."
            )
        return places(op_name, arr.shape[0], k, arr.shape[1])

    of.__name__ = op_name
    of.__doc__ = f"""The indices of the {word} triangle of a given matrix.

    Args:
        arr (Union[Tensor, list, tuple]): the matrix.
        k (int): the diagonal that bounds the triangle, 0 the main one. Default: 0.

    Returns:
        tuple of two Tensors of int32, for rows and columns.

    Raises:
        TypeError: an argument is of another type.
        ValueError: `arr` has not two dimensions.

    Difference from PyTorch: torch has no such function.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.{op_name}(mnp.ones((2, 2)))[0])
        {"[0 0 1]" if word == "upper" else "[0 1 1]"}
    """
    _create(
        op_name,
        cast="never",
        samples=("f(3, 4)", "f(3, 3), 1", "[[1, 2], [3, 4]]"),
        errors=(("f(3)", ValueError, f"numpy.{op_name}"), ("'a'", TypeError, f"numpy.{op_name}")),
        reference=f"np.{name}(len(arr), k, len(arr[0]))",
        differentiable=False,
    )(of)


_triangle_indices("triu_indices", torch.triu_indices, "upper")
_triangle_indices("tril_indices", torch.tril_indices, "lower")


# ------------------------------------------------------------------------------------- grids


@_create(
    "meshgrid",
    cast="never",
    samples=("f(2), f(3)", "f(2), f(3), indexing='ij'", "f(2), f(3), f(4), sparse=True", "f(2)"),
    errors=(
        ("f(2), f(3), indexing='z'", TypeError, "indexing"),
        ("f(2), f(3), sparse=1", TypeError, "sparse"),
        ("f(2), [1]", TypeError, "numpy.meshgrid"),
    ),
    reference="np.meshgrid(*xi, sparse=sparse, indexing=indexing)",
)
def _meshgrid(*xi: Tensor, sparse: bool = False, indexing: str = "xy") -> list[Tensor]:
    """The coordinates of all points of a grid.

    Args:
        xi (Tensor): the coordinates along each axis; tensors with more dimensions are flattened.
        sparse (bool): whether to leave sizes at one where coordinates do not change. Default:
            False.
        indexing (str): ``"xy"`` swaps the first two dimensions of the results, ``"ij"`` does not.
            Default: ``"xy"``.

    Returns: list of Tensors, one for each argument.
    Raises TypeError: an argument is of another type, or `indexing` another word.
    Difference from PyTorch: a list; `sparse` is new, and ``"xy"`` is the default.

    >>> import agar.numpy as mnp
    >>> x, y = mnp.meshgrid(mnp.array([1, 2]), mnp.array([3, 4, 5]))
    >>> print(y)
    [[3 3]
     [4 4]
     [5 5]]
    """
    boolean("numpy.meshgrid", "sparse", sparse)
    if indexing not in ("xy", "ij"):
        raise TypeError(
            f"For 'numpy.meshgrid', 'indexing' must be 'xy' or 'ij', but got {indexing!r}."
        )
    return _grid([x.reshape(-1) for x in xi], sparse, indexing == "xy")


def _grid(axes: list[Tensor], sparse: bool, swapped: bool) -> list[Tensor]:
    rank = len(axes)
    places = list(range(rank))
    if swapped and rank > 1:
        places[:2] = [1, 0]
    shape = [0] * rank
    for place, x in zip(places, axes, strict=True):
        shape[place] = x.numel()
    items = []
    for place, x in zip(places, axes, strict=True):
        own = [1] * rank
        own[place] = x.numel()
        x = x.reshape(own)
        items.append(x.clone() if sparse else x.expand(shape).clone())
    return items


@_create(
    "indices",
    cast="never",
    samples=("(2, 3)", "(2, 3), ms.float32", "[2, 3], sparse=True"),
    errors=(("3", TypeError, "numpy.indices"), ("(2, 1.0)", TypeError, "numpy.indices")),
    reference="list(np.indices(dimensions, sparse=sparse))",
    differentiable=False,
)
def _indices(dimensions: Any, dtype: Any = int32, sparse: bool = False) -> list[Tensor]:
    """The indices of all places of a tensor, dimension by dimension.

    Args:
        dimensions (Union[tuple, list]): the shape.
        dtype (Type): the type. Default: int32.
        sparse (bool): whether to leave sizes at one where indices do not change. Default: False.

    Returns: list of Tensors, one for each dimension.
    Raises TypeError: an argument is of another type.
    Raises ValueError: a size is negative.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> print(mnp.indices((2, 3))[0])
    [[0 0 0]
     [1 1 1]]
    """
    if not isinstance(dimensions, (tuple, list)):
        raise TypeError(
            "For 'numpy.indices', 'dimensions' must be a tuple or list, but got "
            f"'{type(dimensions).__name__}'."
        )
    kind = value_type("indices", dtype)
    where = context.torch_device()
    shape = sizes("numpy.indices", dimensions, "dimensions")
    axes = [torch.arange(n, device=where).to(kind) for n in shape]
    return _grid(axes, boolean("numpy.indices", "sparse", sparse), False)


@_create(
    "ix_",
    cast="never",
    samples=("i(2), i(3)", "f(2), i(3), i(1)"),
    errors=(("f(2, 2)", ValueError, "numpy.ix_"), ("i(2), [1]", TypeError, "numpy.ix_")),
    reference="np.ix_(*args)",
)
def _ix(*args: Tensor) -> tuple[Tensor, ...]:
    """Indices that broadcast to all combinations of the given ones.

    Args:
        args (Tensor): the indices along each axis, in one dimension.

    Returns: tuple of Tensors, each with as many dimensions as there are arguments.
    Raises ValueError: an argument has not one dimension.
    Difference from PyTorch: torch has no such function.

    >>> import agar.numpy as mnp
    >>> rows, columns = mnp.ix_(mnp.array([0, 1]), mnp.array([2, 4]))
    >>> print(rows.shape, columns.shape)
    (2, 1) (1, 2)
    """
    for x in args:
        if x.ndim != 1:
            raise ValueError(
                "For 'numpy.ix_', the arguments must have one dimension, but one has shape "
                f"{list(x.shape)}."
            )
    return tuple(_grid(list(args), True, False))


class NdGrid:
    """Grids from slices: ``mgrid[0:3, 1:4]``; an imaginary step counts points.

    Args:
        sparse (bool): whether sizes stay at one where coordinates do not change. Default: False.

    Raises:
        TypeError: a slice has no int as start or stop.

    Difference from PyTorch: torch has no such object.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.mgrid[0:4])
        [0 1 2 3]
    """

    def __init__(self, sparse: bool = False) -> None:
        self.sparse = sparse

    def __getitem__(self, keys: Any) -> Any:
        axes = []
        for key in keys if isinstance(keys, tuple) else (keys,):
            if not isinstance(key, slice) or not all(
                isinstance(end, int) for end in (key.start, key.stop)
            ):
                raise TypeError(
                    f"For 'numpy.{type(self)._name}', an index must be slices with int as start "
                    f"and stop, but got {key!r}."
                )
            step = key.step or 1
            if isinstance(step, complex):
                axes.append(find("linspace")(key.start, key.stop, int(abs(step))))
            else:
                axes.append(find("arange")(key.start, key.stop, step))
        grids = find("meshgrid")(*axes, sparse=self.sparse, indexing="ij")
        if len(grids) == 1:
            return grids[0]
        return grids if self.sparse else find("stack")(grids)

    _name = "mgrid"


class MGridClass(NdGrid):
    """The type of ``mgrid``: coordinates of all points of a grid, stacked.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.mgrid[0:2, 0:3].shape)
        (2, 2, 3)
    """

    def __init__(self) -> None:
        super().__init__(sparse=False)


class OGridClass(NdGrid):
    """The type of ``ogrid``: coordinates of a grid, which broadcast.

    Examples:
        >>> import agar.numpy as mnp
        >>> [x.shape for x in mnp.ogrid[0:2, 0:3]]
        [(2, 1), (1, 3)]
    """

    _name = "ogrid"

    def __init__(self) -> None:
        super().__init__(sparse=True)


publish("mgrid", MGridClass(), "array_creations")
publish("ogrid", OGridClass(), "array_creations")


# ---------------------------------------------------------------------------- series, windows


@_create(
    "vander",
    samples=("f(3)", "f(3), 2", "i(3), 4, True", "[1, 2, 3]"),
    errors=(
        ("f(2, 2)", ValueError, "numpy.vander"),
        ("3", TypeError, "numpy.vander"),
        ("f(3), 2.0", TypeError, "numpy.vander"),
        ("f(3), -1", ValueError, "numpy.vander"),
    ),
    reference="np.vander(x, N or None, increasing)",
)
def _vander(x: Tensor | Any, N: int | None = None, increasing: bool = False) -> Tensor:
    """The powers of numbers, one row for each number.

    Args:
        x (Union[Tensor, list, tuple]): the numbers, in one dimension.
        N (int): the number of powers. Default None: that of the numbers.
        increasing (bool): whether the exponents grow from left to right. Default: False.

    Returns: Tensor of shape (M, N) and the type of `x`.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `x` has not one dimension, or `N` is negative.
    Difference from PyTorch: lists are accepted.

    >>> import agar.numpy as mnp
    >>> print(mnp.vander([1, 2, 3]))
    [[1 1 1]
     [4 2 1]
     [9 3 1]]
    """
    if not isinstance(x, (Tensor, list, tuple)):
        raise TypeError(
            f"For 'numpy.vander', 'x' must be a Tensor, list or tuple, but got "
            f"'{type(x).__name__}'."
        )
    x = array("vander", "x", x)
    if x.ndim != 1:
        raise ValueError(
            f"For 'numpy.vander', 'x' must have one dimension, but got shape {list(x.shape)}."
        )
    count = integer("numpy.vander", "N", N or x.numel(), 1)
    powers = torch.arange(count, dtype=torch.int64, device=x.device).to(x.dtype)
    if not boolean("numpy.vander", "increasing", increasing):
        powers = powers.flip(0)
    return torch.pow(x[:, None], powers)


_WINDOW_DOC = """The {title} window: :math:`{formula}`.

    Args:
        M (int): the number of points; 1 gives a one, less gives an empty tensor.

    Returns:
        Tensor of shape (M,), float32.

    Raises:
        TypeError: `M` is not an int.

    Difference from PyTorch: symmetric, as ``torch.{name}_window(M, periodic=False)``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.around(mnp.{name}(3), 2)[1])
        1.0
"""


def _window(name: str, title: str, formula: str, compute: Callable[[Tensor, int], Tensor]) -> None:
    """Declare a window; `compute` gets the places 0 .. M - 1 and M - 1."""

    def impl(M: int) -> Tensor:
        integer(f"numpy.{name}", "M", M)
        places = torch.arange(max(M, 0), dtype=torch.float32, device=context.torch_device())
        return compute(places, M - 1) if M > 1 else torch.ones_like(places)

    impl.__name__ = name
    impl.__doc__ = _WINDOW_DOC.format(title=title, formula=formula, name=name)
    _create(
        name,
        cast="never",
        samples=("5", "4", "1", "0"),
        errors=(("2.5", TypeError, f"numpy.{name}"),),
        reference=f"np.{name}(M)",
        differentiable=False,
    )(impl)


def _turn(n: Tensor, last: int) -> Tensor:
    """The angle of each point when the window is one turn."""
    return n * (2 * math.pi / last)


_window(
    "bartlett",
    "Bartlett",
    r"1 - |2n / (M - 1) - 1|",
    lambda n, last: 1 - torch.abs(2 * n - last) / last,
)
_window(
    "blackman",
    "Blackman",
    r"0.42 - 0.5 \cos(2 \pi n / (M - 1)) + 0.08 \cos(4 \pi n / (M - 1))",
    lambda n, last: 0.42 - 0.5 * torch.cos(_turn(n, last)) + 0.08 * torch.cos(2 * _turn(n, last)),
)
_window(
    "hamming",
    "Hamming",
    r"0.54 - 0.46 \cos(2 \pi n / (M - 1))",
    lambda n, last: 0.54 - 0.46 * torch.cos(_turn(n, last)),
)
_window(
    "hanning",
    "Hann",
    r"0.5 - 0.5 \cos(2 \pi n / (M - 1))",
    lambda n, last: 0.5 - 0.5 * torch.cos(_turn(n, last)),
)
