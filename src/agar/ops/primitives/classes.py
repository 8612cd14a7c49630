"""Primitive classes whose function has other arguments, or that have none.

Each describes what it computes in its first line; where a function exists it is named there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH, to_torch_dtype
from agar.ops._checks import boolean, choice, integer, number
from agar.ops.math.elementwise import any_outside, check_integers
from agar.ops.spec import primitive
from agar.ops.tensor import ranges
from agar.ops.tensor.axes import axes_of
from agar.ops.tensor.inplace import fill_diagonal
from agar.ops.tensor.scattering import index_put

__all__: list[str] = []


def _one_shape(op_name: str, x: Tensor, y: Tensor) -> None:
    """Check that two tensors have one type and shape.

    Raises:
        TypeError: the types differ.
        ValueError: the shapes differ.
    """
    if x.dtype != y.dtype:
        raise TypeError(
            f"For '{op_name}', both inputs must have the same type, but got {FROM_TORCH[x.dtype]} "
            f"and {FROM_TORCH[y.dtype]}."
        )
    if x.shape != y.shape:
        raise ValueError(
            f"For '{op_name}', both inputs must have the same shape, but got {list(x.shape)} and "
            f"{list(y.shape)}."
        )


# ------------------------------------------------------------------------------ elements


@primitive("ComplexAbs", samples=("c(2, 3)",), errors=(("f(2)", TypeError, "complex"),))
def _complex_abs(x: Tensor) -> Tensor:
    """Absolute values of complex numbers; see :func:`ops.abs`.

    >>> print(ms.ops.ComplexAbs()(ms.Tensor([3 + 4j])))
    [5.]
    """
    if not x.is_complex():
        raise TypeError(f"For 'ComplexAbs', 'x' must be complex, but got {FROM_TORCH[x.dtype]}.")
    return x.abs()


@primitive(
    "ConjugateTranspose",
    samples=("c(2, 3), (1, 0)", "c(2, 3, 1), (2, 0, 1)"),
    errors=(
        ("c(2, 3), (0, 0)", ValueError, "perm"),
        ("c(2, 3), (0,)", ValueError, "perm"),
        ("c(2, 3), 0.5", TypeError, "perm"),
    ),
    cast="never",
)
def _conjugate_transpose(x: Tensor, perm: Any) -> Tensor:
    """Complex conjugate with the axes in another order; see :func:`ops.transpose`.

    >>> print(ms.ops.ConjugateTranspose()(ms.Tensor([[1j, 2]]), (1, 0)))
    [[0.-1.j]
     [2.-0.j]]
    """
    order = axes_of("ConjugateTranspose", perm, x.ndim, "perm")
    if len(order) != x.ndim:
        raise ValueError(
            f"For 'ConjugateTranspose', 'perm' must name each of the {x.ndim} axes once, but got "
            f"{perm}."
        )
    return x.permute(order).conj_physical()


@primitive(
    "CheckNumerics",
    samples=("f(2, 3)",),
    errors=(("f(2) / 0", RuntimeError, "Inf"), ("i(2)", TypeError, "floating")),
    cast="never",
)
def _check_numerics(x: Tensor) -> Tensor:
    """The tensor itself, or a RuntimeError if it has nan or infinite elements.

    >>> print(ms.ops.CheckNumerics()(ms.Tensor([1.0, 2.0])))
    [1. 2.]
    """
    if not x.is_floating_point():
        raise TypeError(
            f"For 'CheckNumerics', 'x' must be of a floating type, but got {FROM_TORCH[x.dtype]}."
        )
    if bool(x.isnan().any()):
        raise RuntimeError("For 'CheckNumerics', the tensor has NaN values.")
    if bool(x.isinf().any()):
        raise RuntimeError("For 'CheckNumerics', the tensor has Inf values.")
    return x


@primitive(
    "FloatStatus",
    samples=("f(2, 3)", "f(2) / 0"),
    errors=(("i(3)", TypeError, "floating"),),
    differentiable=False,
    cast="never",
)
def _float_status(x: Tensor) -> Tensor:
    """One if an element is nan or infinite, else zero: float32 of shape (1,).

    >>> print(ms.ops.FloatStatus()(ms.Tensor([1.0, float("nan")])))
    [1.]
    """
    if not x.is_floating_point():
        raise TypeError(
            f"For 'FloatStatus', 'x' must be of a floating type, but got {FROM_TORCH[x.dtype]}."
        )
    return (~x.isfinite().all()).float().reshape(1)


@primitive(
    "EqualCount",
    samples=("f(3), f(3)", "i(2, 3), i(2, 3)"),
    errors=(("f(2), f(3)", ValueError, "shape"), ("f(2), i(2)", TypeError, "type")),
    differentiable=False,
)
def _equal_count(x: Tensor, y: Tensor) -> Tensor:
    """The number of equal elements of two tensors, in their type, shape (1,).

    >>> print(ms.ops.EqualCount()(ms.Tensor([1, 2, 3]), ms.Tensor([1, 0, 3])))
    [2]
    """
    _one_shape("EqualCount", x, y)
    return (x == y).sum().to(x.dtype).reshape(1)


@primitive("SquareSumAll", samples=("f(3), f(3)",), errors=(("f(2), f(3)", ValueError, "shape"),))
def _square_sum_all(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    r"""The sums :math:`\sum x_i^2` and :math:`\sum y_i^2`.

    >>> first, second = ms.ops.SquareSumAll()(ms.Tensor([1.0, 2.0]), ms.Tensor([3.0, 4.0]))
    >>> print(first, second)
    5.0 25.0
    """
    _one_shape("SquareSumAll", x, y)
    return x.square().sum(), y.square().sum()


# --------------------------------------------------------------------------------- orders


@primitive(
    "ListDiff",
    samples=("i(6), i(2) // 2, out_idx=ms.int64",),
    errors=(("i(6), f(2)", TypeError, "type"), ("i(2, 3), i(2)", ValueError, "1-D")),
    differentiable=False,
    cast="never",
)
def _list_diff(x: Tensor, y: Tensor, *, out_idx: Any = torch.int32) -> tuple[Tensor, Tensor]:
    """The elements of `x` that are not in `y`, in order, and their indices.

    Attributes:
        out_idx (Type): the type of the indices, int32 or int64. Default: int32.

    Inputs:
        - **x** (Tensor) - 1-D.
        - **y** (Tensor) - 1-D, of the same type.

    Outputs: Tuple of two 1-D Tensors: the elements and their indices in `x`.
    Raises TypeError: the inputs differ in type.
    Raises ValueError: an input is not 1-D.
    Difference from PyTorch: no counterpart; ``torch.isin``.
    Source: behavior observed in MindSpore 2.10.

    >>> values, places = ms.ops.ListDiff()(ms.Tensor([1, 2, 3, 4]), ms.Tensor([2, 4]))
    >>> print(values, places)
    [1 3] [0 2]
    """
    if x.ndim != 1 or y.ndim != 1:
        raise ValueError(
            f"For 'ListDiff', both inputs must be 1-D, but got shapes {list(x.shape)} and "
            f"{list(y.shape)}."
        )
    if x.dtype != y.dtype:
        raise TypeError(
            f"For 'ListDiff', both inputs must have the same type, but got {FROM_TORCH[x.dtype]} "
            f"and {FROM_TORCH[y.dtype]}."
        )
    keep = ~torch.isin(x, y)
    return x[keep], keep.nonzero().reshape(-1).to(to_torch_dtype(out_idx, op_name="ListDiff"))


def _bounds(name: str, right: bool, words: str, shown: str) -> None:
    def impl(sorted_x: Tensor, values: Tensor, *, out_type: Any = torch.int32) -> Tensor:
        if sorted_x.ndim != 2 or values.ndim != 2 or len(sorted_x) != len(values):
            raise ValueError(
                f"For '{name}', both inputs must have two axes and equally many rows, but got "
                f"shapes {list(sorted_x.shape)} and {list(values.shape)}."
            )
        result = torch.searchsorted(sorted_x.contiguous(), values.contiguous(), right=right)
        return result.to(to_torch_dtype(out_type, op_name=name))

    impl.__doc__ = (
        f"In each row, {words} value; see :func:`ops.searchsorted`.\n\n"
        "    Attributes:\n"
        "        out_type (Type): the type of the result, int32 or int64. Default: int32.\n\n"
        "    Inputs:\n"
        "        - **sorted_x** (Tensor) - shape (rows, N), ascending in each row.\n"
        "        - **values** (Tensor) - shape (rows, M).\n\n"
        "    Outputs: Tensor of `out_type`, of the shape of `values`.\n"
        "    Raises ValueError: an input has not two axes, or the numbers of rows differ.\n"
        "    Difference from PyTorch: ``torch.searchsorted``.\n"
        "    Source: behavior observed in MindSpore 2.10.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        "        >>> x, v = ms.Tensor([[1.0, 2.0, 3.0]]), ms.Tensor([[2.0, 5.0]])\n"
        f"        >>> print(ms.ops.{name}()(x, v))\n"
        f"        {shown}\n"
    )
    primitive(
        name,
        samples=("f(2, 5).sort(1).values, f(2, 3)",),
        errors=(("f(3), f(3)", ValueError, "two axes"),),
        differentiable=False,
        cast="never",
    )(impl)


_bounds("LowerBound", False, "the index of the first element that is not less than a", "[[1 3]]")
_bounds("UpperBound", True, "the index of the first element that is greater than a", "[[2 3]]")


@primitive(
    "UnravelIndex",
    samples=("i(3), torch.tensor([2, 3])", "i(), torch.tensor([2, 3])"),
    errors=(("torch.tensor([7]), torch.tensor([2, 3])", ValueError, "range"),),
    differentiable=False,
)
def _unravel_index(indices: Tensor, dims: Tensor) -> Tensor:
    """Flat indices as coordinates in a tensor of shape `dims`: one row for each axis.

    >>> print(ms.ops.UnravelIndex()(ms.Tensor([3, 5]), ms.Tensor([2, 3])))
    [[1 1]
     [0 2]]
    """
    sizes = dims.tolist()
    total = int(dims.prod())
    if any_outside(indices, 0, total):
        raise ValueError(
            f"For 'UnravelIndex', 'indices' must lie in the range [0, {total}), but got "
            f"{indices.tolist()}."
        )
    return torch.stack(torch.unravel_index(indices, sizes)).to(indices.dtype)


_FORMATS = ("NHWC", "NCHW")


def _format_order(op_name: str, src_format: str, dst_format: str) -> tuple[str, str]:
    choice(op_name, "src_format", src_format, _FORMATS)
    choice(op_name, "dst_format", dst_format, _FORMATS)
    return src_format, dst_format


@primitive(
    "DataFormatDimMap",
    samples=("i(4)", "torch.tensor([-5, -1, 0, 4])", "i(4), src_format='NCHW', dst_format='NHWC'"),
    errors=(
        ("i(4), src_format='NCWH'", ValueError, "src_format"),
        ("i(4), dst_format=1", TypeError, "dst_format"),
        ("f(4)", TypeError, "integer"),
    ),
    differentiable=False,
)
def _data_format_dim_map(
    input_x: Tensor, *, src_format: str = "NHWC", dst_format: str = "NCHW"
) -> Tensor:
    """Translate the numbers of axes between layouts: i becomes ``src_format.index(dst_format[i])``.

    Attributes:
        src_format (str): the layout of the result, ``"NHWC"`` or ``"NCHW"``. Default: ``"NHWC"``.
        dst_format (str): the layout of the input, likewise. Default: ``"NCHW"``.

    Inputs:
        - **input_x** (Tensor) - integers, any shape; they count modulo 4.

    Outputs: Tensor of the same shape and type.
    Raises TypeError: `input_x` are not integers.
    Raises ValueError: a layout is another.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.DataFormatDimMap()(ms.Tensor([0, 1, 2, 3])))
    [0 3 1 2]
    """
    check_integers("DataFormatDimMap", "input_x", input_x)
    src, dst = _format_order("DataFormatDimMap", src_format, dst_format)
    table = torch.tensor([src.index(axis) for axis in dst], device=input_x.device)
    return table[input_x.long().remainder(4)].to(input_x.dtype)


@primitive(
    "DataFormatVecPermute",
    samples=("i(4)", "i(4, 2)", "i(4), src_format='NCHW', dst_format='NHWC'"),
    errors=(
        ("i(4), src_format='NCWH'", ValueError, "src_format"),
        ("i(4, 3)", ValueError, "shape"),
        ("i(3)", ValueError, "shape"),
        ("f(4)", TypeError, "integer"),
    ),
    differentiable=False,
)
def _data_format_vec_permute(
    input_x: Tensor, *, src_format: str = "NHWC", dst_format: str = "NCHW"
) -> Tensor:
    """Reorder one element for each axis from one layout to another.

    Attributes:
        src_format (str): the layout of the input, ``"NHWC"`` or ``"NCHW"``. Default: ``"NHWC"``.
        dst_format (str): the layout of the result, likewise. Default: ``"NCHW"``.

    Inputs:
        - **input_x** (Tensor) - integers, shape (4,) or (4, 2).

    Outputs: Tensor of the same shape and type.
    Raises TypeError: `input_x` are not integers.
    Raises ValueError: a layout or the shape is another.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.DataFormatVecPermute()(ms.Tensor([10, 20, 30, 40])))
    [10 40 20 30]
    """
    check_integers("DataFormatVecPermute", "input_x", input_x)
    if tuple(input_x.shape) not in ((4,), (4, 2)):
        raise ValueError(
            "For 'DataFormatVecPermute', the shape of 'input_x' must be [4] or [4, 2], but got "
            f"{list(input_x.shape)}."
        )
    src, dst = _format_order("DataFormatVecPermute", src_format, dst_format)
    return input_x[[src.index(axis) for axis in dst]]


@primitive(
    "ParallelConcat",
    samples=("(f(1, 3), f(1, 3))",),
    errors=(
        ("(f(2, 3), f(1, 3))", ValueError, "size 1"),
        ("(f(1, 2), f(1, 3))", ValueError, "shape"),
        ("(f(1, 2), i(1, 2))", TypeError, "type"),
        ("()", ValueError, "empty"),
    ),
)
def _parallel_concat(values: Sequence[Tensor]) -> Tensor:
    """Tensors with a first axis of size 1 joined along it; see :func:`ops.cat`.

    >>> print(ms.ops.ParallelConcat()((ms.Tensor([[1, 2]]), ms.Tensor([[3, 4]]))))
    [[1 2]
     [3 4]]
    """
    for value in values:
        if value.ndim == 0 or len(value) != 1:
            raise ValueError(
                "For 'ParallelConcat', the first axis of every tensor must have size 1, but got "
                f"shape {list(value.shape)}."
            )
        _one_shape("ParallelConcat", values[0], value)
    return torch.cat(tuple(values))


# ------------------------------------------------------------------------ creation, writing


@primitive(
    "LogSpace",
    samples=("0.0, 2.0, steps=3",),
    errors=(
        ("0.0, 2.0, steps=-1", ValueError, "steps"),
        ("0.0, 2.0, base=0.5", TypeError, "base"),
        ("0.0, 2.0, base=-1", ValueError, "base"),
        ("0.0, 2.0, dtype='x'", TypeError, "dtype"),
    ),
    differentiable=False,
    cast="never",
)
def _log_space(
    start: Any, end: Any, *, steps: int = 10, base: int = 10, dtype: Any = torch.float32
) -> Tensor:
    """Powers whose exponents divide an interval evenly; see :func:`ops.logspace`.

    >>> print(ms.ops.LogSpace(steps=3)(ms.Tensor(0.0), ms.Tensor(2.0)))
    [  1.  10. 100.]
    """
    return ranges.logspace(start, end, steps, integer("LogSpace", "base", base, 0), dtype=dtype)


@primitive(
    "FillDiagonal",
    samples=("f(3, 2), fill_value=1.5", "f(5, 2), fill_value=1.5, wrap=True"),
    errors=(
        ("f(3), fill_value=1.5", ValueError, "axes"),
        ("f(3, 2), fill_value='x'", TypeError, "fill_value"),
        ("f(3, 2), fill_value=1.0, wrap=1", TypeError, "wrap"),
    ),
)
def _fill_diagonal(input_x: Tensor, *, fill_value: float, wrap: bool = False) -> Tensor:
    """A copy of a tensor with the main diagonal filled with one value.

    Attributes:
        fill_value (number): the value.
        wrap (bool): whether the diagonal starts anew below the square part of a tall matrix.
            Default: False.

    Inputs:
        - **input_x** (Tensor) - two or more axes.

    Outputs: Tensor of the same shape and type.
    Raises TypeError: `fill_value` is not a number, or `wrap` is not a bool.
    Raises ValueError: there are fewer than two axes.
    Difference from PyTorch: ``torch.Tensor.fill_diagonal_`` writes into the tensor.
    Source: behavior observed in MindSpore 2.10.

    >>> print(ms.ops.FillDiagonal(9.0)(ms.ops.zeros((2, 2))))
    [[9. 0.]
     [0. 9.]]
    """
    value = number("FillDiagonal", "fill_value", fill_value)
    return fill_diagonal(input_x, value, boolean("FillDiagonal", "wrap", wrap))


@primitive(
    "IndexPut",
    samples=("f(3), f(1), [torch.tensor([1])]", "f(3), f(2), [torch.tensor([1, 1])], accumulate=1"),
    errors=(
        ("f(3), f(1), [torch.tensor([5])]", ValueError, "range"),
        ("f(3), f(2), [i(3)]", ValueError, "shape"),
        ("f(3), f(1), [f(1)]", TypeError, "indices"),
        ("f(3), f(1), [i(1)], accumulate=2", ValueError, "accumulate"),
    ),
)
def _index_put(x1: Tensor, x2: Tensor, indices: Sequence[Tensor], *, accumulate: int = 0) -> Tensor:
    """A copy of a tensor in which the elements at indices are replaced or added to.

    Attributes:
        accumulate (int): 1 adds, equal indices several times; 0 replaces. Default: 0.

    Inputs:
        - **x1** (Tensor) - the tensor.
        - **x2** (Tensor) - the new values; the shape broadcasts to that of the indexed elements.
        - **indices** (Union[tuple[Tensor], list[Tensor]]) - integers for each of the leading axes.

    Outputs: Tensor of the shape and type of `x1`.
    Raises TypeError: `indices` are not integers.
    Raises ValueError: `accumulate` or an index is out of range, or shapes do not broadcast.
    Difference from PyTorch: ``torch.index_put``.
    Source: behavior observed in MindSpore 2.10.

    >>> x = ms.Tensor([1.0, 2.0, 3.0])
    >>> print(ms.ops.IndexPut()(x, ms.Tensor([9.0]), [ms.Tensor([1])]))
    [1. 9. 3.]
    """
    if integer("IndexPut", "accumulate", accumulate) not in (0, 1):
        raise ValueError(f"For 'IndexPut', 'accumulate' must be 0 or 1, but got {accumulate}.")
    return index_put(x1, indices, x2, bool(accumulate))


@primitive(
    "TypeAs",
    samples=("f(2, 3), i(2)", "i(3), f(1)"),
    errors=(("f(2, 3), 1.0", TypeError, "other"), ("[1.0], f(2)", TypeError, "must be a Tensor")),
    cast="never",
    differentiable=False,
)
def _type_as(input: Tensor, other: Tensor) -> Tensor:
    """A tensor in the type of another; see :func:`Tensor.type_as`.

    >>> print(ms.ops.operations.TypeAs()(ms.Tensor([1.5]), ms.Tensor([1])))
    [1]
    """
    return input.to(other.dtype)


@primitive(
    "PadAndShift",
    samples=("i(8), torch.tensor([0, 3, 5]), 1", "f(4), torch.tensor([1, 3, 6]), 0"),
    errors=(
        ("i(8), torch.tensor([0, 3, 5]), 3", ValueError, "shift_idx"),
        ("i(8), torch.tensor([0, 3, 5]), 1.5", TypeError, "shift_idx"),
        ("i(1), torch.tensor([0, 3, 5]), 0", ValueError, "input_x"),
    ),
    differentiable=False,
    cast="never",
)
def _pad_and_shift(input_x: Tensor, cum_sum_arr: Tensor, shift_idx: Any) -> Tensor:
    """The start of a vector, at a position of a vector of -1.

    The result is as long as the last number of `cum_sum_arr` says; the numbers at `shift_idx` and
    behind it are where the copied elements begin and end.

    >>> x, sums = ms.Tensor([9, 13, -1, -1]), ms.Tensor([0, 3, 5])
    >>> print(ms.ops.operations.PadAndShift()(x, sums, 1))
    [-1 -1 -1  9 13]
    """
    place = integer("PadAndShift", "shift_idx", shift_idx, 0)
    if place >= len(cum_sum_arr) - 1:
        raise ValueError(
            f"For 'PadAndShift', 'shift_idx' must be less than {len(cum_sum_arr) - 1}, the length "
            f"of 'cum_sum_arr' less one, but got {place}."
        )
    start, end, length = (int(cum_sum_arr[i]) for i in (place, place + 1, -1))
    if end - start > len(input_x):
        raise ValueError(
            f"For 'PadAndShift', 'input_x' must have {end - start} elements or more, but got "
            f"{len(input_x)}."
        )
    full = input_x.new_full((length,), -1)
    full[start:end] = input_x[: end - start]
    return full
