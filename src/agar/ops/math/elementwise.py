"""Functions of one tensor, element by element, and the rules of types that operators share.

NOTE Promotion. MindSpore promotes two tensors by their types alone; torch lets a 0-d tensor follow
the other one. They differ in addition, subtraction, remainders, powers, comparisons, maxima and
selections; multiplication and true division do as torch does (observed in MindSpore 2.10). A Python
number follows the tensor in both. uint16, uint32 and uint64 do not mix with other types.

NOTE Integers. MindSpore's CPU kernels of many functions take floating types only. Here integers and
bool are accepted throughout and give float32, as MindSpore does where it takes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar.ops.spec import Scalar, op, primitive

__all__ = [
    "abs",
    "any_outside",
    "as_tensor",
    "both_tensors",
    "by_zero",
    "check_integers",
    "common_dtype",
    "input_is_integer",
    "integer_quotient",
    "pointwise",
    "promoted",
]

WIDE_UNSIGNED = frozenset((torch.uint16, torch.uint32, torch.uint64))
#: What the Source sections of generated documentation say.
SOURCE = "behavior observed in MindSpore 2.10"


def common_dtype(first: torch.dtype, second: torch.dtype) -> torch.dtype:
    """The type in which two tensors meet (NOTE Promotion).

    Raises:
        TypeError: one of the types is uint16, uint32 or uint64 and the other is different.
    """
    if first is second:
        return first
    if first in WIDE_UNSIGNED or second in WIDE_UNSIGNED:
        raise TypeError(
            f"Type implicit conversion between {FROM_TORCH[first]} and {FROM_TORCH[second]} is not "
            "supported; convert one of them with .astype(...)."
        )
    return torch.promote_types(first, second)


def as_tensor(value: Tensor | Scalar, like: Tensor | None = None) -> Tensor:
    """A number as a 0-d tensor, of the type it takes beside `like`; a tensor as it is."""
    if isinstance(value, Tensor):
        return value
    if like is not None:
        return torch.scalar_tensor(value, dtype=torch.result_type(value, like), device=like.device)
    if isinstance(value, bool):
        return torch.tensor(value)
    if isinstance(value, int):
        return torch.tensor(value, dtype=torch.int64)
    return torch.tensor(value, dtype=torch.float32 if isinstance(value, float) else None)


def promoted(input: Tensor | Scalar, other: Tensor | Scalar) -> tuple[Tensor, Any]:
    """A tensor and its partner in their common type, 0-d tensors included (NOTE Promotion).

    A number as `other` stays a number, which follows the tensor in torch as in MindSpore.
    """
    if not isinstance(input, Tensor):
        if not isinstance(other, Tensor):
            return as_tensor(input), as_tensor(other)
        return as_tensor(input, other), other
    if isinstance(other, Tensor) and input.dtype is not other.dtype:
        common = common_dtype(input.dtype, other.dtype)
        return input.to(common), other.to(common)
    return input, other


def both_tensors(input: Tensor | Scalar, other: Tensor | Scalar) -> tuple[Tensor, Tensor]:
    """Both operands as tensors of their common type, for torch functions that take no numbers."""
    input, other = promoted(input, other)
    if not isinstance(other, Tensor):
        dtype = torch.result_type(input, other)
        return input.to(dtype), torch.tensor(other, device=input.device).to(dtype)
    return input, other


def by_zero(name: str) -> ZeroDivisionError:
    """The error for integers that are divided by zero."""
    return ZeroDivisionError(
        f"For '{name}', integers cannot be divided by zero; convert the operands to a floating "
        "type, or replace the zeros first."
    )


# ------------------------------------------------------------------- functions of one tensor


def pointwise(
    name: str,
    compute: Callable[[Tensor], Tensor],
    purpose: str,
    formula: str,
    example: tuple[str, str],
    *,
    primitive: str | Iterable[str] | bool = False,
    also: Iterable[str] = (),
    functions: Iterable[str] = (),
    mint: bool | Iterable[str] = True,
    method: bool | Iterable[str] = True,
    result: str = "floating types are kept, integers and bool give float32",
    difference: str = "none",
    samples: Iterable[str] = ("f(2, 3)", "f()"),
    differentiable: bool = True,
    reference: str | None = None,
    fast: Callable[[Tensor], Tensor] | None = None,
    renamed: dict[str, dict[str, str]] | None = None,
) -> None:
    """Declare a function of one tensor, element by element, with the documentation they share.

    Args:
        name: the public name.
        compute: the torch function.
        purpose: what it computes, in words.
        formula: the right-hand side, in TeX over the element ``x``.
        example: the values of an input and what the result prints.
        primitive: names of the Primitive class.
        also: further names of function and method.
        functions: further names of the function alone.
        mint: whether `mint` has it (and its further names) too.
        method: whether it is a method of Tensor too.
        result: what the result's type is.
        difference: from PyTorch.
        samples: as in `op`.
        differentiable: as in `op`.
        reference: as in `op`.
        fast: what to try first in place of `compute`.
        renamed: as in `op`.
    """

    def impl(input: Tensor) -> Tensor:
        return compute(input)

    impl.__name__ = name
    impl.__doc__ = (
        f"{purpose}, element by element: :math:`out = {formula}`.\n\n"
        "    Args:\n"
        "        input (Tensor): :math:`x`, of any shape.\n\n"
        "    Returns:\n"
        f"        Tensor of the same shape; {result}.\n\n"
        "    Raises:\n"
        "        TypeError: `input` is not a Tensor, or of a type the function is not defined "
        f"for.\n\n    Difference from PyTorch: {difference}.\n\n"
        f"    Source: {SOURCE}.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        f"        >>> print(ms.ops.{name}(ms.Tensor({example[0]})))\n"
        + "".join(f"        {line}\n" for line in example[1].splitlines())
    )
    names = (name, *also)
    op(
        name,
        function=(*names, *functions),
        method=names if method else False,
        primitive=primitive,
        mint=names if mint is True else mint,
        samples=samples,
        errors=(("[1.0]", TypeError, name),),
        reference=reference,
        differentiable=differentiable,
        fast=fast or compute,
        renamed=renamed,
    )(impl)


pointwise(
    "exp",
    torch.exp,
    "Exponential function",
    r"e^x",
    ("[0.0, 1.0]", "[1.        2.7182817]"),
    primitive="Exp",
    functions=("tensor_exp",),
)
pointwise(
    "expm1",
    torch.expm1,
    "Exponential function minus one, exact near zero",
    r"e^x - 1",
    ("[0.0, 1.0]", "[0.        1.7182819]"),
    primitive="Expm1",
    functions=("tensor_expm1",),
    mint=("expm1", "special.expm1"),
)
pointwise(
    "exp2",
    torch.exp2,
    "Power of two",
    r"2^x",
    ("[0.0, 3.0]", "[1. 8.]"),
    mint=("exp2", "special.exp2"),
)
pointwise(
    "log",
    torch.log,
    "Natural logarithm",
    r"\ln x",
    ("[1.0, 2.0]", "[0.        0.6931472]"),
    primitive="Log",
    samples=("p(2, 3)",),
)
pointwise(
    "log2",
    torch.log2,
    "Logarithm to base 2",
    r"\log_2 x",
    ("[1.0, 8.0]", "[0. 3.]"),
    samples=("p(2, 3)",),
)
pointwise(
    "log10",
    torch.log10,
    "Logarithm to base 10",
    r"\log_{10} x",
    ("[1.0, 100.0]", "[0. 2.]"),
    samples=("p(2, 3)",),
)
pointwise(
    "log1p",
    torch.log1p,
    "Natural logarithm of one plus the input, exact near zero",
    r"\ln(1 + x)",
    ("[0.0, 1.0]", "[0.        0.6931472]"),
    primitive="Log1p",
    mint=("log1p", "special.log1p"),
    samples=("p(2, 3)",),
)
pointwise(
    "rsqrt",
    torch.rsqrt,
    "Reciprocal square root",
    r"1 / \sqrt{x}",
    ("[1.0, 4.0]", "[1.  0.5]"),
    primitive="Rsqrt",
    samples=("p(2, 3)",),
)
pointwise(
    "reciprocal",
    torch.reciprocal,
    "Reciprocal",
    r"1 / x",
    ("[2.0, 4.0]", "[0.5  0.25]"),
    primitive="Reciprocal",
    samples=("p(2, 3)", "i(3) + 1"),
)
pointwise(
    "sin",
    torch.sin,
    "Sine of radians",
    r"\sin x",
    ("[0.0, 1.0]", "[0.         0.84147096]"),
    primitive="Sin",
)
pointwise(
    "cos",
    torch.cos,
    "Cosine of radians",
    r"\cos x",
    ("[0.0, 1.0]", "[1.         0.54030234]"),
    primitive="Cos",
)
pointwise(
    "tan",
    torch.tan,
    "Tangent of radians",
    r"\tan x",
    ("[0.0, 1.0]", "[0.        1.5574077]"),
    primitive="Tan",
)
pointwise(
    "asin",
    torch.asin,
    "Inverse sine",
    r"\arcsin x",
    ("[0.0, 0.5]", "[0.        0.5235988]"),
    primitive="Asin",
    also=("arcsin",),
    renamed={"arcsin": {"input": "x"}, "mint.arcsin": {"input": "x"}},
    samples=("u(2, 3)",),
)
pointwise(
    "acos",
    torch.acos,
    "Inverse cosine",
    r"\arccos x",
    ("[1.0, 0.5]", "[0.        1.0471976]"),
    primitive="ACos",
    also=("arccos",),
    samples=("u(2, 3)",),
)
pointwise(
    "atan",
    torch.atan,
    "Inverse tangent",
    r"\arctan x",
    ("[0.0, 1.0]", "[0.        0.7853982]"),
    primitive="Atan",
    also=("arctan",),
)
pointwise(
    "sinh",
    torch.sinh,
    "Hyperbolic sine",
    r"(e^x - e^{-x}) / 2",
    ("[0.0, 1.0]", "[0.        1.1752012]"),
    primitive="Sinh",
)
pointwise(
    "cosh",
    torch.cosh,
    "Hyperbolic cosine",
    r"(e^x + e^{-x}) / 2",
    ("[0.0, 1.0]", "[1.        1.5430806]"),
    primitive="Cosh",
)
pointwise(
    "tanh",
    torch.tanh,
    "Hyperbolic tangent",
    r"\tanh x",
    ("[0.0, 1.0]", "[0.        0.7615942]"),
    mint=("tanh", "nn.functional.tanh"),
    primitive="Tanh",
)
pointwise(
    "asinh",
    torch.asinh,
    "Inverse hyperbolic sine",
    r"\sinh^{-1} x",
    ("[0.0, 1.0]", "[0.        0.8813736]"),
    primitive="Asinh",
    also=("arcsinh",),
)
pointwise(
    "acosh",
    torch.acosh,
    "Inverse hyperbolic cosine",
    r"\cosh^{-1} x",
    ("[1.0, 2.0]", "[0.       1.316958]"),
    primitive="Acosh",
    also=("arccosh",),
    samples=("p(2, 3) + 1",),
)
pointwise(
    "atanh",
    torch.atanh,
    "Inverse hyperbolic tangent",
    r"\tanh^{-1} x",
    ("[0.0, 0.5]", "[0.         0.54930615]"),
    primitive="Atanh",
    also=("arctanh",),
    samples=("u(2, 3)",),
)
pointwise(
    "floor",
    torch.floor,
    "Largest integer that is not above",
    r"\lfloor x \rfloor",
    ("[1.5, -1.5]", "[ 1. -2.]"),
    primitive="Floor",
    result="the type is kept",
)
pointwise(
    "ceil",
    torch.ceil,
    "Smallest integer that is not below",
    r"\lceil x \rceil",
    ("[1.5, -1.5]", "[ 2. -1.]"),
    primitive="Ceil",
    result="the type is kept",
)
pointwise(
    "trunc",
    torch.trunc,
    "Integer part",
    r"\operatorname{sign}(x) \lfloor |x| \rfloor",
    ("[1.5, -1.5]", "[ 1. -1.]"),
    primitive="Trunc",
    mint=("trunc", "fix"),
    result="the type is kept",
)
pointwise(
    "frac",
    torch.frac,
    "Fractional part",
    r"x - \operatorname{trunc}(x)",
    ("[1.5, -1.25]", "[ 0.5  -0.25]"),
    result="the type is kept",
    renamed={"frac": {"input": "x"}},
)
pointwise(
    "sign",
    lambda x: _sgn(x),
    "Sign, of complex numbers the direction",
    r"-1, 0 \text{ or } 1",
    ("[-2.0, 0.0, 3.0]", "[-1.  0.  1.]"),
    primitive="Sign",
    result="the type is kept",
    samples=("f(2, 3)", "i(4)"),
    fast=torch.sign,
)


def _sgn(x: Tensor) -> Tensor:
    # the gradient of torch.sgn is a tensor without storage, which numpy cannot read
    return torch.sgn(x) if x.is_complex() else torch.sign(x)


pointwise(
    "sgn",
    _sgn,
    "Sign; of complex numbers the direction",
    r"x / |x|",
    ("[-2.0, 0.0, 3.0]", "[-1.  0.  1.]"),
    mint=False,
    result="the type is kept",
    samples=("f(2, 3)", "c(2)"),
)
pointwise(
    "conj",
    torch.conj_physical,
    "Complex conjugate",
    r"\bar{x}",
    ("[1 + 2j, 3 - 1j]", "[1.-2.j 3.+1.j]"),
    primitive="Conj",
    mint=False,
    result="the type is kept",
    samples=("c(2, 3)", "f(2)"),
)
pointwise(
    "angle",
    torch.angle,
    "Argument of complex numbers; of real ones 0 or pi",
    r"\operatorname{atan2}(\Im x, \Re x)",
    ("[1 + 1j, -1 + 0j]", "[0.78539816 3.14159265]"),
    primitive="Angle",
    mint=False,
    result="the floating type of the parts",
    samples=("c(2, 3)", "f(2)"),
    differentiable=False,
)


@op(
    method=True,
    primitive="Sqrt",
    mint=True,
    fast=torch.sqrt,
    samples=("p(2, 3)", "i(3)"),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
    renamed={"mint.sqrt": {"x": "input"}},
)
def sqrt(x: Tensor) -> Tensor:
    r"""Square root, element by element: :math:`out_i = \sqrt{x_i}`.

    Args:
        x (Tensor): any shape; negative elements give nan.

    Returns: Tensor of the same shape; floating types are kept, integers and bool give float32.

    >>> print(ms.ops.sqrt(ms.Tensor([4.0, 2.0])))
    [2.        1.4142135]
    """
    return torch.sqrt(x)


@op(
    method=True,
    primitive="Square",
    mint=True,
    fast=torch.square,
    samples=("f(2, 3)", "i(3)"),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
)
def square(input: Tensor) -> Tensor:
    """Square, element by element: :math:`out_i = input_i^2`.

    Args:
        input (Tensor): any shape.

    Returns: Tensor of the same shape and type (bool gives int64).

    >>> print(ms.ops.square(ms.Tensor([1, -2, 3])))
    [1 4 9]
    """
    return torch.square(input)


@op(
    function=("abs", "absolute"),
    method=("abs", "absolute", "__abs__"),
    primitive="Abs",
    mint=True,
    fast=torch.abs,
    samples=("f(2, 3)", "i(3)", "b(3)"),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
)
def abs(input: Tensor) -> Tensor:
    """Absolute value, element by element: :math:`out_i = |input_i|`.

    Args:
        input (Tensor): any shape.

    Returns: Tensor of the same shape and type; complex numbers give the type of their parts.
    Difference from PyTorch: bool is accepted and stays as it is.

    >>> print(ms.ops.abs(ms.Tensor([-1.5, 2.0])))
    [1.5 2. ]
    """
    return input if input.dtype is torch.bool else torch.abs(input)


@op(
    function=("neg", "negative"),
    method=("neg", "negative", "__neg__"),
    primitive="Neg",
    mint=("neg", "negative"),
    fast=torch.neg,
    samples=("f(2, 3)", "i(3)"),
    errors=(("b(2)", TypeError, "neg"),),
)
def neg(input: Tensor) -> Tensor:
    """Negative, element by element: :math:`out_i = -input_i`.

    Args:
        input (Tensor): any shape; unsigned integers wrap around.

    Returns: Tensor of the same shape and type.
    Raises TypeError: `input` is not a Tensor, or bool.
    Difference from PyTorch: bool raises TypeError, not RuntimeError.

    >>> print(-ms.Tensor([1, -2]))
    [-1  2]
    """
    if input.dtype is torch.bool:
        raise TypeError("For 'neg', bool has no negative; use ops.logical_not(x) or x.astype(...).")
    return torch.neg(input)


@op(
    method=True,
    mint=False,
    fast=torch.positive,
    samples=("f(2, 3)", "b(2)"),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
)
def positive(input: Tensor) -> Tensor:
    """The input itself: :math:`out_i = +input_i`.

    Args:
        input (Tensor): any shape.

    Returns: Tensor over the same memory.
    Difference from PyTorch: bool is accepted.

    >>> print(ms.ops.positive(ms.Tensor([1, -2])))
    [ 1 -2]
    """
    return input.view_as(input)


@op(
    method="__round__",
    mint=("round", "special.round"),
    samples=("f(2, 3)", "f(2, 3), decimals=2", "i(3)", "torch.tensor([0.5, 1.5, -2.5])"),
    errors=(
        ("f(2), decimals='x'", TypeError, "decimals"),
        ("i(2), decimals=1", TypeError, "decimals"),
    ),
    differentiable=False,
)
def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    r"""Nearest integer, halves to even, element by element.

    Args:
        input (Tensor): any shape.
        decimals (int): digits after the point to keep; negative ones round before the point.
            Default: 0.

    Returns: Tensor of the same shape and type.
    Raises TypeError: `input` is not a Tensor, or an integer tensor with `decimals` other than 0.

    >>> print(ms.ops.round(ms.Tensor([0.5, 1.5, -2.6])))
    [ 0.  2. -3.]
    """
    return torch.round(input, decimals=decimals) if decimals else torch.round(input)


@op(
    "round",
    function=False,
    method="round",
    samples=("f(3)", "f(3), 1"),
    errors=(("f(2), 1.5", TypeError, "decimals"),),
    differentiable=False,
)
def _round_method(input: Tensor, decimals: int = 0) -> Tensor:
    """Nearest integer, halves to even; see :func:`ops.round`. `decimals` may be positional.

    >>> print(ms.Tensor([0.5, 1.5]).round())
    [0. 2.]
    """
    return round(input, decimals=decimals)


@primitive(
    "Round",
    mint="special.round_op",
    samples=("f(3)", "f(3), 1"),
    errors=(("f(2), 1.5", TypeError, "decimals"), ("[1.0]", TypeError, "must be a Tensor")),
    differentiable=False,
)
def _round_primitive(input: Tensor, decimals: int = 0) -> Tensor:
    """Nearest integer, halves to even; the call takes `decimals` (see :func:`ops.round`).

    >>> print(ms.ops.Round()(ms.Tensor([0.5, 1.5])))
    [0. 2.]
    """
    return round(input, decimals=decimals)


@primitive(
    "Rint",
    samples=("f(3)",),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
    differentiable=False,
)
def _rint(input_x: Tensor) -> Tensor:
    """Nearest integer, halves to even, element by element.

    Args:
        input_x (Tensor): floating type, any shape.

    Returns: Tensor of the same shape and type.
    Difference from PyTorch: ``torch.round``.

    >>> print(ms.ops.Rint()(ms.Tensor([0.5, 1.5])))
    [0. 2.]
    """
    return torch.round(input_x)


@op(
    primitive="Inv",
    method=True,
    samples=("p(2, 3)", "i(3) + 1"),
    errors=(("torch.tensor([2, 0])", ZeroDivisionError, "by zero"),),
)
def inv(x: Tensor) -> Tensor:
    """Reciprocal that keeps integers, element by element: :math:`out_i = 1 / x_i`.

    Args:
        x (Tensor): any shape.

    Returns: Tensor of the same shape and type; for integers the quotient truncated to an integer.
    Raises ZeroDivisionError: an integer tensor has a zero.
    Difference from PyTorch: no counterpart; ``torch.reciprocal`` gives float32 for integers.

    >>> print(ms.ops.inv(ms.Tensor([2.0, 4.0])), ms.ops.inv(ms.Tensor([1, 2])))
    [0.5  0.25] [1 0]
    """
    if input_is_integer(x):
        return integer_quotient("inv", torch.ones_like(x), x, "trunc")
    return torch.reciprocal(x)


def input_is_integer(value: Tensor) -> bool:
    """Whether a tensor's type is an integer one (bool is none)."""
    dtype = value.dtype
    return not (dtype.is_floating_point or dtype.is_complex or dtype is torch.bool)


def check_integers(op_name: str, name: str, value: Tensor) -> None:
    """Check that a tensor holds integers.

    Raises:
        TypeError: its type is floating, complex or bool.
    """
    if not input_is_integer(value):
        raise TypeError(
            f"For '{op_name}', '{name}' must be of an integer type, but got "
            f"{FROM_TORCH[value.dtype]}; convert with .astype(ms.int32)."
        )


def any_outside(values: Tensor, low: int, high: int | None = None) -> bool:
    """Whether a value is below `low`, or not below `high`.

    One bool for all of them, so that compiled calls branch on nothing else.
    """
    wrong = values < low
    return bool((wrong if high is None else wrong | (values >= high)).any())


def integer_quotient(name: str, input: Tensor, other: Any, mode: str) -> Tensor:
    """A rounded quotient.

    torch reports integers divided by zero as RuntimeError, and the least integer divided by -1 and
    truncated ends the process (SIGFPE of the processor, torch 2.13); MindSpore 2.10 gives the least
    integer, as torch does where it rounds down.
    """
    try:
        if mode != "trunc" or torch.result_type(input, other) not in (torch.int32, torch.int64):
            return torch.div(input, other, rounding_mode=mode)
        if not isinstance(other, torch.Tensor):
            return -input if other == -1 else torch.div(input, other, rounding_mode=mode)
        turned = other == -1
        result = torch.div(input, other.masked_fill(turned, 1), rounding_mode=mode)
        return torch.where(turned, -result, result)
    except RuntimeError as error:
        if "ZeroDivision" in str(error):
            raise by_zero(name) from error
        raise


@op(
    method=True,
    mint=False,
    fast=torch.deg2rad,
    samples=("f(2, 3)", "i(3)"),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
)
def deg2rad(x: Tensor) -> Tensor:
    r"""Degrees to radians: :math:`out_i = x_i \pi / 180`.

    Args:
        x (Tensor): any shape.

    Returns: Tensor of the same shape; integers give float32.

    >>> print(ms.ops.deg2rad(ms.Tensor([180.0, 90.0])))
    [3.1415927 1.5707964]
    """
    return torch.deg2rad(x)


@op(
    method=True,
    mint=False,
    fast=torch.rad2deg,
    samples=("f(2, 3)", "i(3)"),
    errors=(("[1.0]", TypeError, "must be a Tensor"),),
)
def rad2deg(x: Tensor) -> Tensor:
    r"""Radians to degrees: :math:`out_i = 180 x_i / \pi`.

    Args:
        x (Tensor): any shape.

    Returns: Tensor of the same shape; integers give float32.

    >>> print(ms.ops.rad2deg(ms.Tensor([3.1415927])))
    [180.]
    """
    return torch.rad2deg(x)
