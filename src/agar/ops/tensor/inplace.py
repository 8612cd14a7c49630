"""Methods of Tensor that change it: ``x.add_(1)``. Gradients flow through them.

MindSpore 2.10 has kernels for most of them on Ascend only; on a CPU ``add_`` and ``mul_`` do
nothing there, without a word, which is not copied.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

# These declare what `like` names.
import agar.ops.linalg.products
import agar.ops.math.arithmetic
import agar.ops.math.interpolation
import agar.ops.tensor.creation  # noqa: F401
from agar._core import tensor as core
from agar._core.optable import lookup
from agar.ops._checks import boolean, choice
from agar.ops.math.elementwise import input_is_integer, integer_quotient
from agar.ops.spec import Scalar, op
from agar.ops.tensor.axes import axis_of
from agar.ops.tensor.indexing import check_mask, places_on_axis
from agar.ops.tensor.scattering import add_at, combine_at, put_index

__all__: list[str] = []


def _write(op_name: str, tensor: core.Tensor, change: Callable[[Tensor], Any]) -> core.Tensor:
    """Change a tensor, as part of a gradient if one is taken, and return it."""
    change(tensor._writable(op_name))
    return tensor


_DOC = """{words}, in place; gradients flow through it.

    Args:
        input (Tensor): this tensor.
{arguments}
    Returns:
        This tensor.

    Raises:
        TypeError: the result does not fit the tensor's type, or an argument is of another type.
        ValueError: the shapes do not fit.
        RuntimeError: the tensor is a parameter whose gradient is being taken.

    Difference from PyTorch: {difference}.

    Source: MindSpore 2.10's interface.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor({start})
        >>> print(x.{call})
        {shown}
"""


#: Those that take every argument by position, unlike the methods that return new tensors.
_POSITIONAL = frozenset({"div_", "sub_"})
#: Those that MindSpore has as functions of ``ops``, too.
_FUNCTIONS = frozenset({"clamp_", "erfinv_", "tanh_", "zero_"})


def _divide_(input: Tensor, other: Any, rounding_mode: str | None = None) -> Tensor:
    if rounding_mode == "trunc" and input_is_integer(input):
        return input.copy_(integer_quotient("div_", input, other, "trunc"))
    return input.div_(other, rounding_mode=rounding_mode)


def _in_place(
    name: str,
    words: str,
    example: tuple[str, str, str],
    *,
    like: str = "",
    compute: Callable[..., Any] | None = None,
    difference: str = "none",
    samples: Sequence[str] = ("f(2, 3)",),
    errors: Sequence[tuple[str, type[Exception], str]] = (),
    keywords: dict[str, str] | None = None,
) -> None:
    """Declare an in-place method.

    Args:
        name: its name, with the underscore.
        words: what becomes of the elements.
        example: the values of a tensor, the call, and what it prints.
        like: the method of the table whose further arguments it takes; none by default.
        compute: what changes the tensor; by default torch's method of this name.
        difference: from PyTorch.
        samples: as in `op`.
        errors: as in `op`.
        keywords: as in `op`.
    """
    change = compute or getattr(Tensor, name)
    parameters = lookup("method", like).params[1:] if like else ()
    if name in _POSITIONAL:
        parameters = [p.replace(kind=p.POSITIONAL_OR_KEYWORD) for p in parameters]

    def impl(input: Tensor, *args: Any, **kwargs: Any) -> None:
        change(input, *args, **kwargs)

    first = inspect.Parameter("input", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation="Tensor")
    impl.__name__ = name
    impl.__signature__ = inspect.Signature([first, *parameters])
    impl.__doc__ = _DOC.format(
        words=words,
        arguments="".join(f"        {p.name}: see ``Tensor.{like}``.\n" for p in parameters),
        difference=difference,
        start=example[0],
        call=example[1],
        shown=example[2],
    )
    op(
        name,
        function=name in _FUNCTIONS and name,
        method=name,
        cast="never",
        inplace=_write,
        differentiable=False,
        samples=samples,
        errors=errors,
        keywords=keywords,
    )(impl)


_PAIR = ("f(2, 3), f(3)", "f(2, 3), 2.0", "i(3), 2")
_PAIR_ERRORS = (
    ("f(3), f(2, 3)", ValueError, "broadcast"),
    ("i(3), 1.5", TypeError, "cannot be kept"),
    ("f(3), 'x'", TypeError, "Tensor"),
)

_in_place(
    "add_",
    "A value added",
    ("[1.0, 2.0]", "add_(1)", "[2. 3.]"),
    like="add",
    samples=(*_PAIR, "f(3), f(3), alpha=2"),
    errors=_PAIR_ERRORS,
)
_in_place(
    "sub_",
    "A value subtracted",
    ("[1.0, 2.0]", "sub_(1)", "[0. 1.]"),
    like="sub",
    compute=lambda input, other, alpha=1: input.sub_(other, alpha=alpha),
    samples=(*_PAIR, "f(3), f(3), alpha=2", "f(3), f(3), 2"),
    errors=_PAIR_ERRORS,
    keywords={"y": "other"},
)
_in_place(
    "mul_",
    "Multiplied",
    ("[1.0, 2.0]", "mul_(2)", "[2. 4.]"),
    like="mul",
    samples=_PAIR,
    errors=_PAIR_ERRORS,
)
_in_place(
    "div_",
    "Divided",
    ("[1.0, 2.0]", "div_(2)", "[0.5 1. ]"),
    like="div",
    compute=_divide_,
    samples=(
        "f(2, 3), p(3)",
        "f(3), 2.0",
        "i(3), 2, rounding_mode='floor'",
        "f(3), 2.0, 'trunc'",
    ),
    errors=(("i(3), 2", TypeError, "cannot be kept"), ("f(3), f(2, 3)", ValueError, "broadcast")),
)
_in_place(
    "pow_",
    "Raised to a power",
    ("[1.0, 2.0]", "pow_(2)", "[1. 4.]"),
    like="pow",
    samples=("p(2, 3), 2.0", "p(3), f(3)"),
    errors=_PAIR_ERRORS,
)
_in_place(
    "remainder_",
    "Remainder of a division that rounds down",
    ("[5.0, -5.0]", "remainder_(3)", "[2. 1.]"),
    like="remainder",
    samples=("f(2, 3), p(3)", "i(3), 2", "f(3), -0.7"),
    errors=_PAIR_ERRORS,
)
_in_place(
    "floor_divide_",
    "Divided and rounded down",
    ("[7.0, -7.0]", "floor_divide_(2)", "[ 3. -4.]"),
    like="floor_divide",
    samples=("f(2, 3), p(3)", "i(3), 2"),
    errors=_PAIR_ERRORS,
)


def _bound(input: Tensor, min: Any = None, max: Any = None) -> None:
    if min is None and max is None:
        raise ValueError("For 'clamp_', at least one of 'min' and 'max' must not be None.")
    input.clamp_(min, max)


_in_place(
    "clamp_",
    "Bounded",
    ("[1.0, 5.0]", "clamp_(2, 3)", "[2. 3.]"),
    like="clamp",
    compute=_bound,
    samples=("f(2, 3), -0.5, 0.5", "f(3), None, 0.0"),
    errors=(("f(3)", ValueError, ""),),
)
_in_place(
    "lerp_",
    "Interpolated",
    ("[0.0, 0.0]", "lerp_(ms.Tensor([2.0, 4.0]), 0.5)", "[1. 2.]"),
    like="lerp",
    samples=("f(3), f(3), 0.5", "f(3), f(3), u(3)"),
    errors=(
        ("f(3), f(2), 0.5", ValueError, "broadcast"),
        ("f(3), 1.0, 0.5", TypeError, "Tensor"),
        ("i(3), i(3), 0.5", TypeError, "not supported"),
    ),
)
_in_place(
    "addmm_",
    "A product of matrices added",
    ("[[1.0]]", "addmm_(ms.Tensor([[2.0]]), ms.Tensor([[3.0]]))", "[[7.]]"),
    like="addmm",
    samples=("f(2, 4), f(2, 3), f(3, 4)", "f(2, 4), f(2, 3), f(3, 4), beta=0.5"),
    errors=(("f(2, 4), f(2, 3), f(2, 4)", ValueError, ""),),
)
_in_place(
    "logical_not_",
    "Negated logically",
    ("[True, False]", "logical_not_()", "[False  True]"),
    samples=("b(3)", "i(3)"),
    errors=(("b(3), 1", TypeError, "positional argument"),),
)
for _name, _words, _example in (
    ("exp_", "Exponential function", ("[0.0, 1.0]", "exp_()", "[1.        2.7182817]")),
    ("log_", "Natural logarithm", ("[1.0, 2.0]", "log_()", "[0.        0.6931472]")),
    ("sqrt_", "Square root", ("[1.0, 4.0]", "sqrt_()", "[1. 2.]")),
    ("rsqrt_", "Reciprocal square root", ("[1.0, 4.0]", "rsqrt_()", "[1.  0.5]")),
    ("square_", "Square", ("[1.0, 4.0]", "square_()", "[ 1. 16.]")),
    ("reciprocal_", "Reciprocal", ("[1.0, 4.0]", "reciprocal_()", "[1.   0.25]")),
    ("abs_", "Absolute value", ("[-1.0, 4.0]", "abs_()", "[1. 4.]")),
    ("neg_", "Negative", ("[-1.0, 4.0]", "neg_()", "[ 1. -4.]")),
    ("floor_", "Rounded down", ("[1.5, -1.5]", "floor_()", "[ 1. -2.]")),
    ("ceil_", "Rounded up", ("[1.5, -1.5]", "ceil_()", "[ 2. -1.]")),
    ("round_", "Rounded, halves to even", ("[1.5, 2.5]", "round_()", "[2. 2.]")),
    ("trunc_", "Rounded toward zero", ("[1.5, -1.5]", "trunc_()", "[ 1. -1.]")),
    ("sign_", "Sign", ("[-2.0, 0.0]", "sign_()", "[-1.  0.]")),
    ("sigmoid_", "Logistic function", ("[0.0]", "sigmoid_()", "[0.5]")),
    ("tanh_", "Hyperbolic tangent", ("[0.0]", "tanh_()", "[0.]")),
    ("sin_", "Sine", ("[0.0]", "sin_()", "[0.]")),
    ("cos_", "Cosine", ("[0.0]", "cos_()", "[1.]")),
    ("erfinv_", "Inverse of the error function", ("[0.0]", "erfinv_()", "[0.]")),
):
    _sample = {
        "log_": "p(2, 3)",
        "sqrt_": "p(2, 3)",
        "rsqrt_": "p(2, 3)",
        "erfinv_": "1 - 2 * u(3)",
    }
    # a tensor of integers has no room for the results of most, but those of the others are whole
    _whole = _name in ("square_", "abs_", "neg_", "floor_", "ceil_", "round_", "trunc_", "sign_")
    _in_place(
        _name,
        _words,
        _example,
        samples=(_sample.get(_name, "f(2, 3) * 3"),),
        errors=(
            ("f(3), 1", TypeError, "positional argument"),
            *(() if _whole else (("i(3)", TypeError, "cannot be kept"),)),
        ),
    )
_in_place(
    "zero_",
    "Set to zero",
    ("[1.0, 4.0]", "zero_()", "[0. 0.]"),
    errors=(("[1.0]", TypeError, "must be Tensor"),),
)


def _fill(input: Tensor, value: Any) -> None:
    if isinstance(value, Tensor) and value.ndim:
        raise ValueError(
            f"For 'fill_', 'value' must be a number or 0-d, but got shape {list(value.shape)}."
        )
    input.fill_(value)


_in_place(
    "fill_",
    "Filled with one value",
    ("[1.0, 4.0]", "fill_(3)", "[3. 3.]"),
    like="fill",
    compute=_fill,
    samples=("f(2, 3), 1.5", "f(2), f()"),
    errors=(("f(3), f(3)", ValueError, "0-d"),),
)


def _masked_fill(input_x: Tensor, mask: Tensor, value: Any) -> None:
    check_mask("masked_fill_", mask)
    input_x.masked_fill_(mask, value)


_in_place(
    "masked_fill_",
    "Filled with one value where a mask is true",
    ("[1.0, 4.0]", "masked_fill_(ms.Tensor([True, False]), 0.0)", "[0. 4.]"),
    like="masked_fill",
    compute=_masked_fill,
    samples=("f(2, 3), b(3), 1.5",),
    errors=(("f(2), i(2), 1.0", TypeError, "mask"), ("f(2), b(3), 1.0", ValueError, "")),
)


def _masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> None:
    check_mask("masked_scatter_", mask)
    input.masked_scatter_(mask, source.to(input.dtype))


_in_place(
    "masked_scatter_",
    "Elements of another tensor written where a mask is true",
    ("[1.0, 4.0]", "masked_scatter_(ms.Tensor([True, False]), ms.Tensor([9.0]))", "[9. 4.]"),
    like="masked_scatter",
    compute=_masked_scatter,
    samples=("f(2, 3), b(2, 3), f(6)",),
    errors=(
        ("f(3), i(3), f(3)", TypeError, "mask"),
        ("f(3), b(2), f(3)", ValueError, "expand"),
        ("f(2), torch.tensor([True, True]), f(1)", ValueError, "source must match"),
    ),
)


@op(
    "copy_",
    function=False,
    method="copy_",
    cast="never",
    inplace=_write,
    differentiable=False,
    samples=("f(2, 3), f(3)", "f(3), i(3)"),
    errors=(("f(3), f(2)", ValueError, ""),),
)
def _copy(input: Tensor, src: Tensor, non_blocking: bool = False) -> None:
    """The values of another tensor, in place; gradients flow through it.

    Args:
        input (Tensor): this tensor.
        src (Tensor): the values, of a shape that broadcasts and any type.
        non_blocking (bool): whether a copy between devices may run beside the program.
            Default: False.

    Returns: This tensor.
    Raises ValueError: the shapes do not broadcast.
    Raises RuntimeError: the tensor is a parameter whose gradient is being taken.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(x.copy_(ms.Tensor([4, 5])))
    [4. 5.]
    """
    input.copy_(src, non_blocking)


@op(
    "index_add_",
    function=False,
    method="index_add_",
    cast="never",
    inplace=_write,
    differentiable=False,
    samples=("f(3, 2), 0, i(4), f(4, 2)",),
    errors=(("f(3), 0, i(2), f(3)", ValueError, ""),),
)
def _index_add(input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: float = 1) -> None:
    """Slices added along an axis, in place; see ``Tensor.index_add``.

    Args:
        input (Tensor): this tensor.
        dim (int): the axis.
        index (Tensor): integers, 1-D: where along the axis each slice is added. Slices of equal
            indices are all added.
        source (Tensor): the slices, of the shape of `input` with the length of `index` in the axis.
        alpha (number): a factor of the slices. Default: 1.

    Returns: This tensor.
    Raises TypeError: `index` are not integers.
    Raises ValueError: `dim` is out of range or the shapes do not fit.
    Raises RuntimeError: an index is out of range.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(x.index_add_(0, ms.Tensor([1]), ms.Tensor([5.0])))
    [1. 7.]
    """
    scaled = source if alpha == 1 else source * alpha
    input.copy_(add_at("index_add_", input.clone(), dim, index, scaled, "dim"))


@op(
    "index_copy_",
    function=False,
    method="index_copy_",
    cast="never",
    inplace=_write,
    differentiable=False,
    samples=("f(3, 2), 0, torch.tensor([2, 0]), f(2, 2)",),
    errors=(
        ("f(3), 0, torch.tensor([5]), f(1)", RuntimeError, "range"),
        ("f(3), 0, i(2), f(3)", ValueError, "indices"),
        ("f(3), 0, f(2), f(2)", TypeError, "index"),
    ),
)
def _index_copy(input: Tensor, dim: int, index: Tensor, tensor: Tensor) -> None:
    """Slices written along an axis, in place.

    Args:
        input (Tensor): this tensor.
        dim (int): the axis.
        index (Tensor): integers, 1-D.
        tensor (Tensor): the slices.

    Returns: This tensor.
    Raises TypeError: `index` are not integers.
    Raises ValueError: `dim` is out of range or the shapes do not fit.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: negative indices are accepted.
    Source: MindSpore 2.10's interface.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(x.index_copy_(0, ms.Tensor([1]), ms.Tensor([5.0])))
    [1. 5.]
    """
    place = axis_of("index_copy_", dim, input.ndim, "dim")
    where = places_on_axis("index_copy_", index, input.shape[place], "index")
    input.index_copy_(place, where, tensor.to(input.dtype))


@op(
    "index_fill_",
    function=False,
    method="index_fill_",
    cast="never",
    inplace=_write,
    differentiable=False,
    samples=("f(3, 2), 0, torch.tensor([2, 0]), 1.5",),
    errors=(
        ("f(3), 0, torch.tensor([5]), 1.0", RuntimeError, "range"),
        ("f(3), 0, i(1), 'x'", TypeError, "value"),
    ),
)
def _index_fill(input: Tensor, dim: int, index: Tensor, value: Tensor | Scalar) -> None:
    """Slices along an axis filled with one value, in place; see ``Tensor.index_fill``.

    Args:
        input (Tensor): this tensor.
        dim (int): the axis.
        index (Tensor): integers, 1-D: the slices that are filled.
        value (Union[Tensor, number]): the value; a Tensor has no axes.

    Returns: This tensor.
    Raises TypeError: `index` are not integers.
    Raises ValueError: `dim` is out of range or the shapes do not fit.
    Raises RuntimeError: an index is out of range.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(x.index_fill_(0, ms.Tensor([1]), 5.0))
    [1. 5.]
    """
    place = axis_of("index_fill_", dim, input.ndim, "dim")
    where = places_on_axis("index_fill_", index, input.shape[place], "index")
    input.index_fill_(place, where.reshape(-1), value)


@op(
    "index_put_",
    function=False,
    method="index_put_",
    cast="never",
    inplace=_write,
    differentiable=False,
    samples=(
        "f(3, 2), (torch.tensor([0, 2]), torch.tensor([1, 0])), f(2)",
        "f(3), (torch.tensor([0, 0]),), f(2), True",
    ),
    errors=(
        ("f(3), (torch.tensor([5]),), f(1)", ValueError, "range"),
        ("f(3), (i(2),), f(3)", ValueError, "broadcast"),
    ),
)
def _index_put(
    input: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: Any = False
) -> None:
    """Elements at an index replaced or added to, in place; see ``Tensor.index_put``.

    Args:
        input (Tensor): this tensor.
        indices (Union[tuple[Tensor], list[Tensor]]): an index tensor, or a mask, for each
            leading axis; their shapes broadcast.
        values (Tensor): of a shape that broadcasts to that of the chosen elements.
        accumulate (bool): whether the values are added to the elements, those of equal indices all.
            Default: False.

    Returns: This tensor.
    Raises ValueError: an index is out of range or the shapes do not fit.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(x.index_put_((ms.Tensor([1]),), ms.Tensor([5.0])))
    [1. 5.]
    """
    where = put_index("index_put_", input, indices)
    input.index_put_(where, values.to(input.dtype), bool(accumulate))


@op(
    "put_",
    function="put_",
    method="put_",
    cast="never",
    inplace=_write,
    differentiable=False,
    samples=("f(2, 3), torch.tensor([0, 5]), f(2)", "f(3), torch.tensor([0, 0]), f(2), True"),
    errors=(
        ("f(3), torch.tensor([5]), f(1)", RuntimeError, "range"),
        ("f(3), i(2), f(3)", ValueError, "sizes"),
    ),
)
def _put(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> None:
    """Elements of the flattened tensor replaced or added to, in place.

    Args:
        input (Tensor): this tensor.
        index (Tensor): integers, any shape.
        source (Tensor): as many elements.
        accumulate (bool): whether to add. Default: False.

    Returns: This tensor.
    Raises TypeError: `index` are not integers.
    Raises ValueError: `source` has more or fewer elements.
    Raises RuntimeError: an index is out of range.
    Source: MindSpore 2.10's interface.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(x.put_(ms.Tensor([1]), ms.Tensor([5.0])))
    [1. 5.]
    """
    where = places_on_axis("put_", index, input.numel(), "index")
    input.put_(where, source.to(input.dtype), boolean("put_", "accumulate", accumulate))


@op(
    "scatter_",
    function=False,
    method="scatter_",
    cast="never",
    inplace=_write,
    differentiable=False,
    samples=(
        "f(3, 4), 1, torch.tensor([[0, 1]]), f(1, 2)",
        "f(3), 0, i(1), 1.5",
        "f(3), 0, i(2), f(2), reduce='add'",
    ),
    errors=(
        ("f(3), 0, torch.tensor([5]), f(1)", RuntimeError, "range"),
        ("f(3), 0, i(1), f(1), reduce='x'", ValueError, "reduce"),
        ("f(3), 0, i(2, 2), f(2, 2)", ValueError, "indices"),
        ("f(3), 0, i(2), 'x'", TypeError, "src"),
    ),
    keywords={"value": "src"},
)
def _scatter(
    input: Tensor, dim: int, index: Tensor, src: Tensor | Scalar, *, reduce: str | None = None
) -> None:
    """Elements written along an axis, in place; see :func:`ops.scatter`.

    Args:
        input (Tensor): this tensor.
        dim (int): the axis.
        index (Tensor): integers, of the tensor's rank.
        src (Union[Tensor, number]): what to write, at least as large as `index`.
        reduce (str): ``"add"`` or ``"multiply"`` instead of writing. Default: None.

    Returns: This tensor.
    Raises TypeError: `index` are not integers.
    Raises ValueError: `dim` is out of range, `reduce` is unknown or the shapes do not fit.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: negative indices are accepted.
    Source: MindSpore 2.10's interface.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(x.scatter_(0, ms.Tensor([1]), ms.Tensor([5.0])))
    [1. 5.]
    """
    place = axis_of("scatter_", dim, input.ndim, "dim")
    where = places_on_axis("scatter_", index, input.shape[place], "index")
    if not isinstance(src, Tensor):
        src = torch.full(index.shape, src, dtype=input.dtype, device=input.device)
    mode = "none"
    if reduce is not None:
        choice("scatter_", "reduce", reduce, ("add", "multiply"))
        mode = "add" if reduce == "add" else "mul"
    input.copy_(combine_at("scatter_", mode, input.clone(), place, where, src))


@op(
    "scatter_add_",
    function=False,
    method="scatter_add_",
    cast="never",
    inplace=_write,
    differentiable=False,
    samples=("f(3, 4), 1, i(2, 3), f(2, 3)",),
    errors=(
        ("f(3), 0, torch.tensor([5]), f(1)", RuntimeError, "range"),
        ("f(3), 0, i(2), f(1)", ValueError, "indices"),
    ),
)
def _scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor) -> None:
    """Elements added along an axis, in place; see ``Tensor.scatter_add``.

    Args:
        input (Tensor): this tensor.
        dim (int): the axis.
        index (Tensor): integers, of the rank of `input`: where along the axis each element is
            added.
        src (Tensor): the elements, at least as large as `index` along every axis.

    Returns: This tensor.
    Raises TypeError: `index` are not integers.
    Raises ValueError: `dim` is out of range or the shapes do not fit.
    Raises RuntimeError: an index is out of range.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(x.scatter_add_(0, ms.Tensor([1, 1]), ms.Tensor([5.0, 5.0])))
    [ 1. 12.]
    """
    place = axis_of("scatter_add_", dim, input.ndim, "dim")
    where = places_on_axis("scatter_add_", index, input.shape[place], "index")
    input.scatter_add_(place, where, src.to(input.dtype))


@op(
    "fill_diagonal_",
    function=False,
    method="fill_diagonal_",
    cast="never",
    inplace=_write,
    differentiable=False,
    samples=("f(3, 3), 1.5", "f(5, 2), 1.5, True"),
    errors=(("f(3), 1.0", ValueError, "axes"),),
)
def _fill_diagonal_in_place(input: Tensor, fill_value: Scalar, wrap: bool = False) -> None:
    """The main diagonal filled with one value, in place; see ``Tensor.fill_diagonal``.

    Args:
        input (Tensor): this tensor: two axes, or more of one size.
        fill_value (number): the value.
        wrap (bool): whether the diagonal goes on in tall matrices. Default: False.

    Returns: This tensor.
    Raises ValueError: the tensor has another shape.

    >>> print(ms.ops.zeros((2, 2)).fill_diagonal_(5))
    [[5. 0.]
     [0. 5.]]
    """
    _check_diagonal("fill_diagonal_", input)
    input.fill_diagonal_(fill_value, wrap)


def _check_diagonal(op_name: str, input: Tensor) -> None:
    if input.ndim < 2 or (input.ndim > 2 and len(set(input.shape)) > 1):
        raise ValueError(
            f"For '{op_name}', the tensor must have two axes, or more of one size, but got shape "
            f"{list(input.shape)}."
        )


@op(
    function=False,
    method="fill_diagonal",
    cast="never",
    samples=("f(3, 3), 1.5", "f(5, 2), 1.5, True"),
    errors=(("f(3), 1.0", ValueError, "axes"),),
)
def fill_diagonal(input: Tensor, fill_value: Scalar, wrap: bool = False) -> Tensor:
    """A copy with the main diagonal filled with one value.

    Args:
        input (Tensor): this tensor: two axes, or more of one size.
        fill_value (number): the value.
        wrap (bool): whether the diagonal goes on in tall matrices. Default: False.

    Returns: Tensor.
    Raises ValueError: the tensor has another shape.
    Difference from PyTorch: ``fill_diagonal_`` only.

    >>> print(ms.ops.zeros((2, 2)).fill_diagonal(5))
    [[5. 0.]
     [0. 5.]]
    """
    _check_diagonal("fill_diagonal", input)
    return input.clone().fill_diagonal_(fill_value, wrap)


@op(
    "itemset",
    function=False,
    method="itemset",
    cast="never",
    samples=("f(3), 0, 1.5", "f(2, 2), (0, 1), 1.5", "f(1), 2.5", "f(2, 2), 3, 1.5"),
    errors=(
        ("f(3), 1.5", IndexError, "index"),
        ("f(3), 0, 1, 1.5", ValueError, "argument"),
        ("f(3)", ValueError, "argument"),
        ("f(2, 2), (0,), 1.5", IndexError, "rank"),
        ("f(2, 2), 4, 1.5", IndexError, "range"),
    ),
)
def _itemset(input: Tensor, *args: Any) -> Tensor:
    """A copy with one element replaced: ``itemset(index, value)``, or ``itemset(value)`` of one.

    Args:
        input (Tensor): this tensor; not changed.
        args (Any): the index, an int of the flattened tensor or a tuple, and the value.

    Returns: Tensor.
    Raises ValueError: there are no or more than two arguments.
    Raises IndexError: the index is out of range or does not fit the rank, or there is none and more
        than one element.
    Difference from PyTorch: no counterpart; ``x[index] = value`` on a copy.

    >>> x = ms.Tensor([1.0, 2.0])
    >>> print(x.itemset(0, 5.0), x)
    [5. 2.] [1. 2.]
    """
    if not 1 <= len(args) <= 2:
        raise ValueError(f"For 'itemset', there must be 1 or 2 arguments, but got {len(args)}.")
    *given, value = args
    if not given and tuple(input.shape) not in ((), (1,)):
        raise IndexError(
            f"For 'itemset', an index must be given for a tensor of shape {tuple(input.shape)}."
        )
    where: Any = given[0] if given else 0
    flat = isinstance(where, int)
    index: tuple[int, ...] = (where,) if flat else tuple(where)
    sizes = (input.numel(),) if flat else tuple(input.shape)
    if len(index) != len(sizes):
        raise IndexError(
            f"For 'itemset', the index {where} must have as many entries as the rank {input.ndim}."
        )
    for n, size in zip(index, sizes, strict=True):
        if not -size <= n < size:
            raise IndexError(
                f"For 'itemset', the index {where} is out of range for shape {tuple(input.shape)}."
            )
    copied = input.clone()
    (copied.reshape(-1) if flat else copied)[index] = value
    return copied
