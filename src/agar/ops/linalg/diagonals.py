"""Triangles and diagonals of matrices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from agar.ops._checks import choice, integer
from agar.ops.spec import Call, op, primitive
from agar.ops.tensor.axes import axis_of

__all__: list[str] = []


@op(
    primitive="Tril(diagonal)",
    method=True,
    mint=True,
    samples=("f(3, 4)", "f(3, 3), 1", "f(2, 3, 3), -1"),
    errors=(("f(3)", ValueError, "tril"),),
    fast=Call("torch.tril(input, diagonal)", "type(diagonal) is int and input._value.ndim > 1"),
)
def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle of matrices, zeros above.

    Args:
        input (Tensor): two axes or more.
        diagonal (int): the last diagonal that is kept, 0 the main one, 1 the one above it.
            Default: 0.

    Returns: Tensor of the same shape.
    Raises TypeError: `diagonal` is not an int.
    Raises ValueError: there are fewer than two axes.

    >>> print(ms.ops.tril(ms.Tensor([[1, 2], [3, 4]])))
    [[1 0]
     [3 4]]
    """
    return torch.tril(_matrices("tril", input), integer("tril", "diagonal", diagonal))


@op(
    primitive="Triu(diagonal)",
    method=True,
    mint=True,
    samples=("f(3, 4)", "f(3, 3), 1", "f(2, 3, 3), -1"),
    errors=(("f(3)", ValueError, "triu"),),
    fast=Call("torch.triu(input, diagonal)", "type(diagonal) is int and input._value.ndim > 1"),
)
def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle of matrices, zeros below.

    Args:
        input (Tensor): two axes or more.
        diagonal (int): the first diagonal that is kept, 0 the main one, 1 the one above it.
            Default: 0.

    Returns: Tensor of the same shape.
    Raises TypeError: `diagonal` is not an int.
    Raises ValueError: there are fewer than two axes.

    >>> print(ms.ops.triu(ms.Tensor([[1, 2], [3, 4]])))
    [[1 2]
     [0 4]]
    """
    return torch.triu(_matrices("triu", input), integer("triu", "diagonal", diagonal))


def _matrices(op_name: str, input: Tensor) -> Tensor:
    if input.ndim < 2:
        raise ValueError(
            f"For '{op_name}', the input must have at least two axes, but got shape "
            f"{list(input.shape)}."
        )
    return input


@op(primitive="Diag", samples=("f(3)", "f(2, 2)"), errors=(("f()", ValueError, "diag"),))
def diag(input: Tensor) -> Tensor:
    r"""A tensor with the input on its diagonal: :math:`out_{i..., i...} = input_{i...}`.

    Args:
        input (Tensor): one axis or more.

    Returns: Tensor whose shape is that of `input`, twice.
    Raises ValueError: `input` is 0-d.
    Difference from PyTorch: ``torch.diag`` of a matrix takes its diagonal, which is
        :func:`ops.diagonal` here.

    >>> print(ms.ops.diag(ms.Tensor([1, 2])))
    [[1 0]
     [0 2]]
    """
    if input.ndim == 0:
        raise ValueError("For 'diag', the input must have at least one axis, but it is 0-d.")
    return torch.diag(input.reshape(-1)).reshape(*input.shape, *input.shape)


@primitive(
    "DiagPart",
    samples=("f(3, 3)", "f(2, 3, 2, 3)"),
    errors=(("f(3)", ValueError, "twice"), ("f(2, 3)", ValueError, "twice")),
)
def _diag_part(input_x: Tensor) -> Tensor:
    r"""The diagonal of a tensor whose shape is another one twice; the inverse of :func:`ops.diag`.

    Args:
        input_x (Tensor): shape :math:`(D_1, .., D_k, D_1, .., D_k)`.

    Returns: Tensor of shape :math:`(D_1, .., D_k)`.
    Raises ValueError: the shape is another one.
    Difference from PyTorch: ``torch.diagonal`` for matrices.

    >>> print(ms.ops.DiagPart()(ms.Tensor([[1, 2], [3, 4]])))
    [1 4]
    """
    half = input_x.ndim // 2
    shape = input_x.shape[:half]
    if not half or shape != input_x.shape[half:]:
        raise ValueError(
            f"For 'DiagPart', the shape of 'input_x' must be a shape twice, but got "
            f"{list(input_x.shape)}."
        )
    count = shape.numel()
    return input_x.reshape(count, count).diagonal().reshape(shape).clone()


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
        input (Tensor): this tensor.
        diagonal (int): for vectors, the diagonal to write. Default: 0.

    Returns: Tensor.
    Raises ValueError: `diagonal` is given for a tensor that is not a vector.
    Difference from PyTorch: a matrix does not give its diagonal.
    Source: behavior observed in MindSpore 2.10, which knows diagonal 0 only.

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


@op(
    "diag",
    function=False,
    mint="diag",
    samples=("f(3)", "f(3, 3), 1"),
    errors=(("f(2, 2, 2)", ValueError, "vector or matrix"),),
)
def _diag_mint(input: Tensor, diagonal: int = 0) -> Tensor:
    """A matrix with the vector on a diagonal, or the diagonal of a matrix.

    Args:
        input (Tensor): a vector or a matrix.
        diagonal (int): which diagonal. Default: 0.

    Returns: Tensor.
    Raises ValueError: `input` is neither.
    Source: MindSpore 2.10's interface.

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

    Returns: Tensor, a view; the diagonal is its last axis.
    Raises TypeError: an argument is not an int.
    Raises ValueError: the axes are equal or out of range.

    >>> print(ms.ops.diagonal(ms.Tensor([[1, 2], [3, 4]])))
    [1 4]
    """
    return _diagonal("diagonal", input, offset, dim1, dim2)


def _plane(op_name: str, input: Tensor, first: Any, second: Any) -> tuple[int, int]:
    if input.ndim < 2:
        raise ValueError(
            f"For '{op_name}', the input must have at least two axes, but got shape "
            f"{list(input.shape)}."
        )
    a = axis_of(op_name, first, input.ndim, "dim1")
    b = axis_of(op_name, second, input.ndim, "dim2")
    if a == b:
        raise ValueError(f"For '{op_name}', the two axes must differ, but both are {a}.")
    return a, b


def _diagonal(op_name: str, input: Tensor, offset: Any, first: Any, second: Any) -> Tensor:
    a, b = _plane(op_name, input, first, second)
    return input.diagonal(integer(op_name, "offset", offset), a, b)


@op(
    "diagonal",
    function=False,
    method="diagonal",
    cast="never",
    samples=("f(3, 3)", "f(2, 3, 4), 1, axis1=1, axis2=2"),
    errors=(("f(3)", ValueError, "two axes"), ("f(2, 2), 0, 1, 1", ValueError, "differ")),
)
def _diagonal_method(input: Tensor, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of the plane of two axes; see :func:`ops.diagonal`.

    Own Args:
        axis1 (int): the first axis of the plane. Default: 0.
        axis2 (int): the second. Default: 1.

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

    Returns: Tensor with one axis more.
    Raises TypeError: an argument is not an int.
    Raises ValueError: the axes are equal or out of range.

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

    Returns: Tensor with two axes.
    Raises TypeError: `offset` is not an int.

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

    Returns: Tensor of the same shape.
    Raises TypeError: a number is not an int.
    Raises ValueError: there are fewer than two axes.
    Difference from PyTorch: no counterpart; ``tril`` and ``triu``.

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


# ------------------------------------------------------------------- bands of diagonals

_ALIGN = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


def _band(op_name: str, k: Any) -> tuple[int, int]:
    """The lowest and the highest diagonal of a band, from an int or a pair."""
    pair = list(k) if isinstance(k, (tuple, list)) else [k]
    if len(pair) not in (1, 2):
        raise ValueError(f"For '{op_name}', 'k' must be one int or two, but got {k!r}.")
    low, high = integer(op_name, "k", pair[0]), integer(op_name, "k", pair[-1])
    if low > high:
        raise ValueError(f"For '{op_name}', 'k' must ascend, but got {k!r}.")
    return low, high


def _length(rows: int, columns: int, k: int) -> int:
    return min(rows + min(k, 0), columns - max(k, 0))


def _rows_of_band(
    op_name: str, low: int, high: int, rows: int, columns: int, align: str
) -> Iterator[tuple[int, int, int, int]]:
    """For every diagonal: which it is, its row in the band, where it starts there, its length."""
    if not -rows < low <= high < columns:
        raise ValueError(
            f"For '{op_name}', 'k' ({low}, {high}) names a diagonal outside of a matrix with "
            f"{rows} rows and {columns} columns."
        )
    above, below = choice(op_name, "align", align, _ALIGN).split("_")
    widest = max(_length(rows, columns, k) for k in range(low, high + 1))
    for k in range(low, high + 1):
        size = _length(rows, columns, k)
        left = (k >= 0 and above == "LEFT") or (k <= 0 and below == "LEFT")
        yield k, high - k, 0 if left else widest - size, size


def _one_or(op_name: str, name: str, value: Any) -> int:
    result = value[0] if isinstance(value, list) else value
    return integer(op_name, name, result, -1)


def _from_diagonals(
    op_name: str, x: Tensor, k: Any, num_rows: Any, num_cols: Any, padding_value: Any, align: str
) -> Tensor:
    low, high = _band(op_name, k)
    if x.ndim < (1 if low == high else 2):
        raise ValueError(
            f"For '{op_name}', 'x' must have an axis for the elements and one for several "
            f"diagonals, but got shape {list(x.shape)}."
        )
    band = x.unsqueeze(-2) if low == high else x
    widest = band.shape[-1]
    least = widest - min(high, 0), widest + max(low, 0)
    rows, columns = _one_or(op_name, "num_rows", num_rows), _one_or(op_name, "num_cols", num_cols)
    if rows == columns == -1:
        rows = columns = max(least)
    rows, columns = (least[0] if rows == -1 else rows), (least[1] if columns == -1 else columns)
    fits = band.shape[-2] == high - low + 1  # looked at first: there may be 2**32 diagonals
    if not fits or max(_length(rows, columns, d) for d in range(low, high + 1)) != widest:
        raise ValueError(
            f"For '{op_name}', 'x' of shape {list(x.shape)} does not hold the diagonals {low} to "
            f"{high} of a matrix with {rows} rows and {columns} columns."
        )
    fill = padding_value[0] if isinstance(padding_value, list) else padding_value
    result = torch.full((*band.shape[:-2], rows, columns), fill, dtype=x.dtype, device=x.device)
    for d, row, start, size in _rows_of_band(op_name, low, high, rows, columns, align):
        result.diagonal(d, -2, -1).copy_(band[..., row, start : start + size])
    return result


@op(
    primitive="MatrixDiagV3(align)(x, k=..., num_rows=..., num_cols=..., padding_value=...)",
    samples=(
        "f(3)",
        "f(2, 3), 1",
        "f(2, 3), torch.tensor([-1, 0])",
        "f(3), 0, 4, 3, 7.0",
        "f(2, 3), (0, 1), align='LEFT_RIGHT'",
    ),
    errors=(
        ("f()", ValueError, "axis"),
        ("f(3), 1, 2, 2", ValueError, "matrix_diag"),
        ("f(3), 0, -1, -1, 0, align='x'", ValueError, "align"),
    ),
)
def matrix_diag(
    x: Tensor,
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
    *,
    _op_name: str = "matrix_diag",
) -> Tensor:
    """Matrices with given diagonals.

    Args:
        x (Tensor): the diagonals, the highest first: shape (.., number of diagonals, length), or
            (.., length) for one.
        k (Union[int, tuple, Tensor]): which diagonal, or the lowest and the highest. Default: 0.
        num_rows (Union[int, Tensor]): rows of the matrices, -1 for as few as fit. Default: -1.
        num_cols (Union[int, Tensor]): columns of the matrices, likewise. Default: -1.
        padding_value (Union[number, Tensor]): the other elements. Default: 0.
        align (str): where shorter diagonals stand in `x`: those above the main one, then those
            below it. Default: ``"RIGHT_LEFT"``.

    Returns: Tensor of shape (.., rows, columns).
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: the sizes do not fit or `align` is unknown.
    Difference from PyTorch: ``torch.diag_embed`` takes one diagonal.

    >>> print(ms.ops.matrix_diag(ms.Tensor([1, 2])))
    [[1 0]
     [0 2]]
    """
    return _from_diagonals(_op_name, x, k, num_rows, num_cols, padding_value, align)


def _diagonals_of(op_name: str, x: Tensor, k: Any, padding_value: Any, align: str) -> Tensor:
    low, high = _band(op_name, k)
    rows, columns = _matrices(op_name, x).shape[-2:]
    layout = list(_rows_of_band(op_name, low, high, rows, columns, align))
    widest = max(size for *_, size in layout)
    fill = padding_value[0] if isinstance(padding_value, list) else padding_value
    shape = (*x.shape[:-2], len(layout), widest)
    result = torch.full(shape, fill, dtype=x.dtype, device=x.device)
    for d, row, start, size in layout:
        result[..., row, start : start + size] = x.diagonal(d, -2, -1)
    return result[..., 0, :] if low == high else result


@op(
    primitive="MatrixDiagPartV3(align)",
    samples=(
        "f(3, 4), 0, 0.0",
        "f(2, 3, 4), (-1, 1), 9.0",
        "f(3, 4), torch.tensor(1), torch.tensor(9)",
    ),
    errors=(("f(3), 0, 0.0", ValueError, "axes"), ("f(3, 3), 5, 0.0", ValueError, "outside")),
)
def matrix_diag_part(
    x: Tensor,
    k: Any,
    padding_value: Any,
    align: str = "RIGHT_LEFT",
    *,
    _op_name: str = "matrix_diag_part",
) -> Tensor:
    """Diagonals of matrices.

    Args:
        x (Tensor): shape (.., rows, columns).
        k (Union[int, tuple, Tensor]): which diagonal, or the lowest and the highest.
        padding_value (Union[number, Tensor]): what fills up shorter diagonals.
        align (str): where they stand, see :func:`ops.matrix_diag`. Default: ``"RIGHT_LEFT"``.

    Returns: Tensor of shape (.., number of diagonals, length), the highest first; (.., length) for
        one.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: there is no such diagonal or `align` is unknown.
    Difference from PyTorch: ``torch.diagonal`` takes one diagonal.

    >>> print(ms.ops.matrix_diag_part(ms.Tensor([[1, 2], [3, 4]]), (-1, 0), 9))
    [[1 4]
     [3 9]]
    """
    return _diagonals_of(_op_name, x, k, padding_value, align)


def _with_diagonals(op_name: str, x: Tensor, diagonal: Tensor, k: Any, align: str) -> Tensor:
    low, high = _band(op_name, k)
    rows, columns = _matrices(op_name, x).shape[-2:]
    layout = list(_rows_of_band(op_name, low, high, rows, columns, align))
    band = diagonal.unsqueeze(-2) if low == high else diagonal
    expected = [*x.shape[:-2], len(layout), max(size for *_, size in layout)]
    if list(band.shape) != expected:
        result = expected[:-2] + expected[-1:] if low == high else expected
        raise ValueError(
            f"For '{op_name}', the shape of 'diagonal' must be {result}, but got "
            f"{list(diagonal.shape)}."
        )
    copied = x.clone()
    for d, row, start, size in layout:
        copied.diagonal(d, -2, -1).copy_(band[..., row, start : start + size])
    return copied


@op(
    primitive="MatrixSetDiagV3(align)(x, diagonal, k=...)",
    samples=(
        "f(3, 4), f(3)",
        "f(2, 3, 3), f(2, 2, 3), (-1, 0)",
        "f(3, 3), f(2, 3), torch.tensor([0, 1])",
    ),
    errors=(
        ("f(3), f(3)", ValueError, "axes"),
        ("f(3, 3), f(2)", ValueError, "diagonal"),
        ("f(3, 3), f(3), 0, align='x'", ValueError, "align"),
    ),
)
def matrix_set_diag(
    x: Tensor,
    diagonal: Tensor,
    k: Any = 0,
    align: str = "RIGHT_LEFT",
    *,
    _op_name: str = "matrix_set_diag",
) -> Tensor:
    """Copies of matrices with other diagonals.

    Args:
        x (Tensor): shape (.., rows, columns).
        diagonal (Tensor): the diagonals, laid out as :func:`ops.matrix_diag_part` gives them.
        k (Union[int, tuple, Tensor]): which diagonal, or the lowest and the highest. Default: 0.
        align (str): see :func:`ops.matrix_diag`. Default: ``"RIGHT_LEFT"``.

    Returns: Tensor of the shape and type of `x`.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `diagonal` has another shape, or there is no such diagonal.
    Difference from PyTorch: ``torch.diagonal_scatter`` takes one diagonal.

    >>> print(ms.ops.matrix_set_diag(ms.ops.zeros((2, 2)), ms.Tensor([1.0, 2.0])))
    [[1. 0.]
     [0. 2.]]
    """
    return _with_diagonals(_op_name, x, diagonal, k, align)
