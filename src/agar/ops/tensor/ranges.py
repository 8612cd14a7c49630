"""Ranges, identities and other patterns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar._core import context
from agar._core.dtype import FROM_TORCH, as_torch_dtype, to_torch_dtype
from agar.ops._checks import choice, integer
from agar.ops.math.elementwise import as_tensor, check_integers
from agar.ops.spec import Call, Scalar, op, primitive
from agar.ops.tensor.creation import type_or

__all__: list[str] = []

# ------------------------------------------------------------------------------------- ranges


@op(
    mint=True,
    cast="never",
    samples=("5", "1, 5, 2", "0.0, 1.0, 0.25", "5, dtype=ms.float32", "5, 1, -2"),
    errors=(("'a'", TypeError, "arange"), ("1, 5, 0", ValueError, "arange")),
    differentiable=False,
    fast=(
        Call(
            "torch.arange(start, device=_device())",
            "end is None and dtype is None and type(start) is int and type(step) is int and step"
            " == 1",
        ),
        Call(
            "torch.arange(start, end, step, device=_device())",
            "dtype is None and type(start) is int and type(end) is int and type(step) is int",
        ),
    ),
)
def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Tensor:
    r"""Evenly spaced numbers: :math:`start, start + step, \dots` below `end`.

    Args:
        start (Union[number, Tensor]): the first number; the end if `end` is None. Default: 0.
        end (Union[number, Tensor]): the bound, not included. Default: None.
        step (Union[number, Tensor]): the distance. Default: 1.
        dtype (Type): the type. Default None: int64 for ints, float32 otherwise.

    Returns: Tensor with one axis.
    Raises TypeError: an argument is not a number.
    Raises ValueError: `step` is 0 or leads away from `end`.

    >>> print(ms.ops.arange(5), ms.ops.arange(0, 1, 0.25))
    [0 1 2 3 4] [0.   0.25 0.5  0.75]
    """
    return _arange("arange", start, end, step, dtype)


def _arange(op_name: str, start: Any, end: Any, step: Any, dtype: Any = None) -> Tensor:
    if end is None:
        start, end = 0, start
    for name, value in (("start", start), ("end", end), ("step", step)):
        if isinstance(value, bool) or not isinstance(value, (int, float, torch.SymInt)):
            raise TypeError(
                f"For '{op_name}', the type of '{name}' must be int, float or a 0-d Tensor, but "
                f"got '{type(value).__name__}'."
            )
    if step == 0 or (end - start) * step < 0:
        raise ValueError(
            f"For '{op_name}', 'step' must lead from 'start' to 'end', but got start {start}, end "
            f"{end}, step {step}."
        )
    return torch.arange(
        start,
        end,
        step,
        dtype=None if dtype is None else to_torch_dtype(dtype, op_name=op_name),
        device=context.torch_device(),
    )


@op(
    primitive="Range(maxlen)",
    function=("range", "tensor_range"),
    cast="never",
    samples=("0, 5, 1", "0, 5, 1, 5"),
    errors=(
        ("0, 5, 1, 4", ValueError, "maxlen"),
        ("0, 5, -1", ValueError, "'range'"),
        ("0, 5, 'x'", TypeError, "'range'"),
    ),
    differentiable=False,
)
def range(start: Any, end: Any, step: Any, maxlen: int = 1000000) -> Tensor:
    """Evenly spaced numbers, see :func:`ops.arange`.

    Args:
        start (Union[number, Tensor]): the first number.
        end (Union[number, Tensor]): the bound, not included.
        step (Union[number, Tensor]): the distance.
        maxlen (int): the largest length that is accepted. Default: 1000000.

    Returns: Tensor with one axis, int64 or float32.
    Raises TypeError: an argument is not a number.
    Raises ValueError: there are more than `maxlen` numbers, or `step` does not lead to `end`.
    Difference from PyTorch: ``torch.range`` includes the end; this is ``torch.arange``.

    >>> print(ms.ops.range(0, 6, 2))
    [0 2 4]
    """
    result = _arange("range", start, end, step)
    if result.numel() > maxlen:
        raise ValueError(
            f"For 'range', there are {result.numel()} numbers, more than 'maxlen' {maxlen}; raise "
            "it."
        )
    return result


@op(
    primitive="LinSpace",
    cast="never",
    samples=("0, 1, 5", "0.0, 2.0, 3", "torch.tensor(0.0), torch.tensor(1.0), 5"),
    errors=(("0, 1, -1", ValueError, "linspace"), ("0, 1, 2.5", TypeError, "linspace")),
    differentiable=False,
)
def linspace(start: Tensor | Any, end: Tensor | Any, steps: Any) -> Tensor:
    r"""Numbers that divide an interval evenly: :math:`start + i (end - start) / (steps - 1)`.

    Args:
        start (Union[number, Tensor]): the first number.
        end (Union[number, Tensor]): the last.
        steps (int): how many.

    Returns: Tensor of shape (steps,), float32 (float64 if an end is a float64 Tensor).
    Raises TypeError: `steps` is not an int.
    Raises ValueError: `steps` is not positive.
    Difference from PyTorch: `steps` 0 is refused.

    >>> print(ms.ops.linspace(0, 1, 5))
    [0.   0.25 0.5  0.75 1.  ]
    """
    count = integer("linspace", "steps", steps, 1)
    ends = {t.dtype for t in (start, end) if isinstance(t, Tensor)}
    kind = torch.float64 if torch.float64 in ends else torch.float32
    return torch.linspace(start, end, count, dtype=kind, device=context.torch_device())


@op(
    "linspace",
    function=False,
    mint="linspace",
    cast="never",
    samples=("0, 1, 5", "0, 1, 5, dtype=ms.float64"),
    differentiable=False,
    errors=(("0, 1, -1", ValueError, "steps"), ("0, 1, 2.5", TypeError, "steps")),
)
def _linspace_mint(start: Any, end: Any, steps: Any, *, dtype: Any = None) -> Tensor:
    """Numbers that divide an interval evenly; see :func:`ops.linspace`, with a choice of type.

    Own Args:
        dtype (Type): the type of the result. Default None: float32.

    >>> print(ms.mint.linspace(0, 1, 3, dtype=ms.float64))
    [0.  0.5 1. ]
    """
    count = integer("linspace", "steps", steps, 0)
    kind = type_or("linspace", dtype, torch.float32)
    return torch.linspace(start, end, count, dtype=kind, device=context.torch_device())


@op(
    cast="never",
    samples=("0, 2, 3", "0.0, 2.0, 3, 2", "0, 2, 3, dtype=ms.float64"),
    errors=(
        ("0, 1, -1", ValueError, "logspace"),
        ("0, 1, 2, -2", ValueError, "base"),
        ("0, 1, 2, 2.5", TypeError, "base"),
    ),
    differentiable=False,
)
def logspace(start: Any, end: Any, steps: Any, base: int = 10, *, dtype: Any = None) -> Tensor:
    r"""Powers whose exponents divide an interval evenly: :math:`base^{linspace(start, end)}`.

    Args:
        start (Union[number, Tensor]): the first exponent.
        end (Union[number, Tensor]): the last.
        steps (int): how many.
        base (int): the base, not negative. Default: 10.
        dtype (Type): the type. Default None: float32.

    Returns: Tensor of shape (steps,).
    Raises TypeError: `steps` or `base` is not an int.
    Raises ValueError: `steps` or `base` is negative.
    Difference from PyTorch: `base` may be a float there, and negative.

    >>> print(ms.ops.logspace(0, 2, 3))
    [  1.  10. 100.]
    """
    return torch.logspace(
        start,
        end,
        integer("logspace", "steps", steps, 0),
        integer("logspace", "base", base, 0),
        dtype=type_or("logspace", dtype, torch.float32),
        device=context.torch_device(),
    )


@op(
    primitive="Eye()(n, m=..., dtype=...)",
    mint=True,
    cast="never",
    samples=("3", "2, 3", "2, 3, ms.int32"),
    errors=(
        ("-1", ValueError, "eye"),
        ("2.5", TypeError, "eye"),
        ("2, 2, 'x'", TypeError, "dtype"),
    ),
    differentiable=False,
    fast=Call(
        "torch.eye(n, n if m is None else m, device=_device(), dtype=torch.float32 if dtype is"
        " None else _types[dtype])",
        "type(n) is int and (m is None or type(m) is int)",
    ),
)
def eye(n: Any, m: Any = None, dtype: Any = None) -> Tensor:
    """Ones on the diagonal, zeros elsewhere.

    Args:
        n (int): rows.
        m (int): columns. Default None: `n`.
        dtype (Type): the type. Default None: float32.

    Returns: Tensor of shape (n, m).
    Raises TypeError: `n` or `m` is not an int.
    Raises ValueError: one is negative.

    >>> print(ms.ops.eye(2, 3))
    [[1. 0. 0.]
     [0. 1. 0.]]
    """
    rows = integer("eye", "n", n, 0)
    return torch.eye(
        rows,
        rows if m is None else integer("eye", "m", m, 0),
        dtype=type_or("eye", dtype, torch.float32),
        device=context.torch_device(),
    )


def _triangle_indices(name: str, make: Any, words: str, example: str, primitive_name: str) -> None:
    """Declare the function and the Primitive that give the places of a triangle."""

    def impl(row: int, col: int, offset: int = 0, *, dtype: Any = None) -> Tensor:
        kind = type_or(name, dtype, torch.int64)
        rows, cols = integer(name, "row", row, 0), integer(name, "col", col, 0)
        where = context.torch_device()
        return make(
            rows, cols, integer(name, "offset", offset), dtype=torch.int64, device=where
        ).to(kind)

    impl.__name__ = name
    impl.__doc__ = (
        f"Places of the {words} triangle of a matrix.\n\n"
        "    Args:\n"
        "        row (int): rows of the matrix.\n"
        "        col (int): columns of the matrix.\n"
        "        offset (int): the diagonal that bounds the triangle. Default: 0.\n"
        "        dtype (Type): the type. Default None: int64.\n\n"
        "    Returns: Tensor of shape (2, N): row indices, then column indices.\n"
        "    Raises TypeError: a size is not an int.\n"
        "    Raises ValueError: a size is negative.\n\n"
        f"    >>> print(ms.ops.{name}(2, 2))\n"
        f"    {example}\n"
    )
    op(
        name,
        cast="never",
        samples=("3, 3", "3, 2, 1"),
        differentiable=False,
        errors=(("-1, 2", ValueError, name), ("1.5, 2", TypeError, name)),
    )(impl)

    def rule(*, row: int, col: int, offset: int = 0, dtype: Any = None) -> Tensor:
        return impl(row, col, offset, dtype=type_or(name, dtype, torch.int32))

    rule.__doc__ = (
        f"Places of the {words} triangle of a matrix, by default int32; see :func:`ops.{name}`.\n"
    )
    primitive(
        primitive_name,
        cast="never",
        samples=("row=3, col=2, offset=1", "row=2, col=4, offset=-1"),
        differentiable=False,
        errors=(("row=-1, col=2", ValueError, "row"), ("row=1, col=2.5", TypeError, "col")),
    )(rule)


_triangle_indices(
    "tril_indices", torch.tril_indices, "lower", "[[0 1 1]\n         [0 0 1]]", "TrilIndices"
)
_triangle_indices(
    "triu_indices", torch.triu_indices, "upper", "[[0 0 1]\n         [0 1 1]]", "TriuIndices"
)


# ------------------------------------------------------------------------------------ patterns


# The types of one-hot vectors of plain numbers.
_ONES = {int: torch.int64, float: torch.float32}


def _hot(op_name: str, indices: Tensor, depth: int, axis: int, fill: Any) -> Tensor:
    """Vectors with one place that is told apart, by a type or by two values."""
    check_integers(op_name, "indices", indices)
    if not -1 <= integer(op_name, "axis", axis) <= indices.ndim:
        raise ValueError(
            f"For '{op_name}', 'axis' must be in [-1, {indices.ndim}], but got {axis}."
        )
    places = torch.arange(integer(op_name, "depth", depth, 0), device=indices.device)
    hot = indices.unsqueeze(-1) == places
    result = torch.where(hot, *fill) if type(fill) is tuple else as_torch_dtype(hot, fill)
    return result if axis in (-1, indices.ndim) else result.movedim(-1, axis)


@op(
    primitive="OneHot(axis)(indices, depth, on_value=..., off_value=...)",
    samples=("i(2, 3), 4", "i(2, 3), 4, f(), f()", "i(3), 3, 1.0, 0.0", "i(3), 3, axis=0"),
    errors=(
        ("f(2), 3", TypeError, "one_hot"),
        ("i(2), -1", ValueError, "depth"),
        ("i(2), 3, axis=3", ValueError, "axis"),
        ("i(2), 3, 1, 0.5", TypeError, "same type"),
    ),
)
def one_hot(
    indices: Tensor,
    depth: Any,
    on_value: Tensor | Scalar = 1,
    off_value: Tensor | Scalar = 0,
    axis: int = -1,
) -> Tensor:
    r"""Vectors with one value at the position given by an index and another elsewhere.

    Args:
        indices (Tensor): integers, shape :math:`(X_0, \dots, X_n)`. One outside of
            :math:`[0, depth)` gives a vector without `on_value`.
        depth (int): length of the new axis.
        on_value (Union[Tensor, number]): the value at the place. Default: 1.
        off_value (Union[Tensor, number]): the value elsewhere, of the same type. Default: 0.
        axis (int): where the new axis goes, -1 for the end. Default: -1.

    Returns: Tensor with one axis more, of the type of the values: int64 for ints, float32 for
        floats.
    Raises TypeError: `indices` are not integers, or the values' types differ.
    Raises ValueError: `axis` is out of range or `depth` negative.
    Difference from PyTorch: ``torch.nn.functional.one_hot`` has no values and no axis.

    >>> print(ms.ops.one_hot(ms.Tensor([0, 2]), 3))
    [[1 0 0]
     [0 0 1]]
    """
    kind = type(on_value)
    if kind is type(off_value) and kind in _ONES and on_value == 1 and off_value == 0:
        return _hot("one_hot", indices, depth, axis, _ONES[kind])
    on, off = (as_tensor(v).to(indices.device) for v in (on_value, off_value))
    if on.dtype is not off.dtype:
        raise TypeError(
            f"For 'one_hot', 'on_value' and 'off_value' must have the same type, but got "
            f"{FROM_TORCH[on.dtype]} and {FROM_TORCH[off.dtype]}."
        )
    return _hot("one_hot", indices, depth, axis, (on, off))


@op(
    samples=("f(3), f(2)", "f(2), f(3), f(2), indexing='ij'", "f(), f(2)"),
    cast="never",
    errors=(
        ("f(2), f(2), indexing='xx'", ValueError, "indexing"),
        ("f(2), f(2, 2)", ValueError, "1-D"),
        ("f(2), 1.0", TypeError, "must be Tensor"),
    ),
)
def meshgrid(*inputs: Tensor, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Coordinates of a grid from those of its axes.

    Args:
        inputs (Tensor): the coordinates along each axis, 1-D; or one of them, 0-d.
        indexing (str): ``"xy"``: the first two axes of the grid are swapped; ``"ij"``: in order.
            Default: ``"xy"``.

    Returns: Tuple of Tensors of the grid's shape, one for each input.
    Raises ValueError: `indexing` is unknown, or an input has several axes.
    Difference from PyTorch: the default of `indexing` is ``"ij"`` there.

    >>> x, y = ms.ops.meshgrid(ms.Tensor([1, 2]), ms.Tensor([3, 4, 5]))
    >>> print(x)
    [[1 2]
     [1 2]
     [1 2]]
    >>> print(y)
    [[3 3]
     [4 4]
     [5 5]]
    """
    choice("meshgrid", "indexing", indexing, ("xy", "ij"))
    for i, value in enumerate(inputs):
        if value.ndim > 1:
            raise ValueError(
                f"For 'meshgrid', every input must be 1-D or 0-d, but input {i} has shape "
                f"{list(value.shape)}."
            )
    return torch.meshgrid(*inputs, indexing=indexing)


@op(
    "meshgrid",
    function=False,
    mint="meshgrid",
    samples=("f(3), f(2)",),
    cast="never",
    errors=(
        ("f(2), f(2), indexing='xx'", ValueError, "indexing"),
        ("f(2), f(2, 2)", ValueError, "1-D"),
    ),
)
def _meshgrid_mint(*tensors: Tensor, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Coordinates of a grid, with its axes in order by default; see :func:`ops.meshgrid`.

    >>> ms.mint.meshgrid(ms.Tensor([1, 2]), ms.Tensor([3, 4, 5]))[0].shape
    (2, 3)
    """
    return meshgrid(*tensors, indexing="ij" if indexing is None else indexing)


@primitive(
    "Meshgrid",
    samples=("(f(3), f(2))", "(f(2), f(3)), indexing='ij'"),
    cast="never",
    errors=(
        ("(f(2), f(2)), indexing='xx'", ValueError, "indexing"),
        ("(f(2), f(2, 2))", ValueError, "1-D"),
        ("(f(2), 1.0)", TypeError, "must be Tensor"),
    ),
)
def _meshgrid(inputs: Sequence[Tensor], *, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Coordinates of a grid from those of its axes; see :func:`ops.meshgrid`.

    >>> print(ms.ops.Meshgrid("ij")((ms.Tensor([1, 2]), ms.Tensor([3, 4])))[0])
    [[1 1]
     [2 2]]
    """
    return meshgrid(*inputs, indexing=indexing)


@op(
    samples=("f(4)", "i(3), 2", "f(3), 0"),
    cast="never",
    errors=(("f(2, 2)", ValueError, "1-D"), ("f(3), -1", ValueError, "N")),
)
def vander(x: Tensor, N: int | None = None) -> Tensor:
    r"""Vandermonde matrix: the powers of the elements, :math:`out_{ij} = x_i^{N - 1 - j}`.

    Args:
        x (Tensor): a vector.
        N (int): how many powers. Default None: as many as elements.

    Returns: Tensor of shape (x.size, N); int64 for integers.
    Raises TypeError: `N` is not an int.
    Raises ValueError: `x` is not a vector or `N` negative.

    >>> print(ms.ops.vander(ms.Tensor([1.0, 2.0, 3.0])))
    [[1. 1. 1.]
     [4. 2. 1.]
     [9. 3. 1.]]
    """
    if x.ndim != 1:
        raise ValueError(f"For 'vander', 'x' must be 1-D, but got shape {list(x.shape)}.")
    count = x.numel() if N is None else integer("vander", "N", N, 0)
    powers = torch.arange(count - 1, -1, -1, device=x.device)
    wide = x if x.is_floating_point() or x.is_complex() else x.long()
    return wide.unsqueeze(-1) ** powers
