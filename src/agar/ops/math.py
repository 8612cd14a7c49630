"""Element-wise arithmetic, comparison, logic and the functions of analysis.

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
from agar._core.optable import Scalar, op, primitive
from agar.ops._checks import choice

__all__ = ["as_tensor", "both_tensors", "common_dtype", "pointwise", "promoted"]

_WIDE_UNSIGNED = frozenset((torch.uint16, torch.uint32, torch.uint64))
_SOURCE = "behaviour observed in MindSpore 2.10"


def common_dtype(first: torch.dtype, second: torch.dtype) -> torch.dtype:
    """The type in which two tensors meet (NOTE Promotion).

    Raises:
        TypeError: one of the types is uint16, uint32 or uint64 and the other is different.
    """
    if first is second:
        return first
    if first in _WIDE_UNSIGNED or second in _WIDE_UNSIGNED:
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


def _by_zero(name: str) -> ZeroDivisionError:
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
    mint: bool | str = True,
    method: bool | Iterable[str] = True,
    result: str = "floating types are kept, integers and bool give float32",
    difference: str = "none",
    samples: Iterable[str] = ("f(2, 3)", "f()"),
    differentiable: bool = True,
    reference: str | None = None,
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
        mint: whether `mint` has it (and its further names) too.
        method: whether it is a method of Tensor too.
        result: what the result's type is.
        difference: from PyTorch.
        samples: as in `op`.
        differentiable: as in `op`.
        reference: as in `op`.
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
        "        TypeError: `input` is no Tensor, or of a type the function is not defined for.\n\n"
        f"    Difference from PyTorch: {difference}.\n\n"
        f"    Source: {_SOURCE}.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        f"        >>> print(ms.ops.{name}(ms.Tensor({example[0]})))\n"
        + "".join(f"        {line}\n" for line in example[1].splitlines())
    )
    names = (name, *also)
    op(
        name,
        function=names,
        method=names if method else False,
        primitive=primitive,
        mint=names if mint is True else mint,
        samples=samples,
        errors=(("[1.0]", TypeError, name),),
        reference=reference,
        differentiable=differentiable,
        fast=compute,
    )(impl)


pointwise(
    "exp",
    torch.exp,
    "Exponential function",
    r"e^x",
    ("[0.0, 1.0]", "[1.        2.7182817]"),
    primitive="Exp",
)
pointwise(
    "expm1",
    torch.expm1,
    "Exponential function minus one, exact near zero",
    r"e^x - 1",
    ("[0.0, 1.0]", "[0.        1.7182819]"),
    primitive="Expm1",
)
pointwise("exp2", torch.exp2, "Power of two", r"2^x", ("[0.0, 3.0]", "[1. 8.]"))
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
    result="the type is kept",
)
pointwise(
    "frac",
    torch.frac,
    "Fractional part",
    r"x - \operatorname{trunc}(x)",
    ("[1.5, -1.25]", "[ 0.5  -0.25]"),
    result="the type is kept",
)
pointwise(
    "sign",
    torch.sign,
    "Sign",
    r"-1, 0 \text{ or } 1",
    ("[-2.0, 0.0, 3.0]", "[-1.  0.  1.]"),
    primitive="Sign",
    result="the type is kept",
    samples=("f(2, 3)", "i(4)"),
)
pointwise(
    "sgn",
    torch.sgn,
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


@op(method=True, primitive="Sqrt", mint=True, fast=torch.sqrt, samples=("p(2, 3)", "i(3)"))
def sqrt(x: Tensor) -> Tensor:
    r"""Square root, element by element: :math:`out_i = \sqrt{x_i}`.

    Args:
        x (Tensor): any shape; negative elements give nan.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.

    Raises:
        TypeError: `x` is no Tensor.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.sqrt(ms.Tensor([4.0, 2.0])))
        [2.        1.4142135]
    """
    return torch.sqrt(x)


@op(method=True, primitive="Square", mint=True, fast=torch.square, samples=("f(2, 3)", "i(3)"))
def square(input: Tensor) -> Tensor:
    """Square, element by element: :math:`out_i = input_i^2`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape and type (bool gives int64).

    Raises:
        TypeError: `input` is no Tensor.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
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
)
def abs(input: Tensor) -> Tensor:
    """Absolute value, element by element: :math:`out_i = |input_i|`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape and type; complex numbers give the type of their parts.

    Raises:
        TypeError: `input` is no Tensor.

    Difference from PyTorch: bool is accepted and stays as it is.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
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

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `input` is no Tensor, or bool.

    Difference from PyTorch: bool raises TypeError, not RuntimeError.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(-ms.Tensor([1, -2]))
        [-1  2]
    """
    if input.dtype is torch.bool:
        raise TypeError("For 'neg', bool has no negative; use ops.logical_not(x) or x.astype(...).")
    return torch.neg(input)


@op(method=True, mint=False, fast=torch.positive, samples=("f(2, 3)", "b(2)"))
def positive(input: Tensor) -> Tensor:
    """The input itself: :math:`out_i = +input_i`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor over the same memory.

    Raises:
        TypeError: `input` is no Tensor.

    Difference from PyTorch: bool is accepted.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.positive(ms.Tensor([1, -2])))
        [ 1 -2]
    """
    return input.view_as(input)


@op(
    method="__round__",
    mint=True,
    samples=("f(2, 3)", "f(2, 3), decimals=2", "i(3)"),
    differentiable=False,
)
def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    r"""Nearest integer, halves to even, element by element.

    Args:
        input (Tensor): any shape.
        decimals (int): digits after the point to keep; negative ones round before the point.
            Default: 0.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `input` is no Tensor, or an integer tensor with `decimals` other than 0.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.round(ms.Tensor([0.5, 1.5, -2.6])))
        [ 0.  2. -3.]
    """
    return torch.round(input, decimals=decimals) if decimals else torch.round(input)


@op("round", function=False, method="round", samples=("f(3)", "f(3), 1"), differentiable=False)
def _round_method(input: Tensor, decimals: int = 0) -> Tensor:
    """Nearest integer, halves to even; see :func:`ops.round`. `decimals` may be positional.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([0.5, 1.5]).round())
        [0. 2.]
    """
    return round(input, decimals=decimals)


@primitive("Round", samples=("f(3)", "f(3), 1"), differentiable=False)
def _round_primitive(input: Tensor, decimals: int = 0) -> Tensor:
    """Nearest integer, halves to even; the call takes `decimals` (see :func:`ops.round`).

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Round()(ms.Tensor([0.5, 1.5])))
        [0. 2.]
    """
    return round(input, decimals=decimals)


@primitive("Rint", samples=("f(3)",), differentiable=False)
def _rint(input_x: Tensor) -> Tensor:
    """Nearest integer, halves to even, element by element.

    Args:
        input_x (Tensor): floating type, any shape.

    Returns:
        Tensor of the same shape and type.

    Raises:
        TypeError: `input_x` is no Tensor.

    Difference from PyTorch: ``torch.round``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Rint()(ms.Tensor([0.5, 1.5])))
        [0. 2.]
    """
    return torch.round(input_x)


@op(primitive="Inv", method=True, samples=("p(2, 3)", "i(3) + 1"))
def inv(x: Tensor) -> Tensor:
    """Reciprocal that keeps integers, element by element: :math:`out_i = 1 / x_i`.

    Args:
        x (Tensor): any shape.

    Returns:
        Tensor of the same shape and type; for integers the quotient truncated to an integer.

    Raises:
        TypeError: `x` is no Tensor.
        ZeroDivisionError: an integer tensor has a zero.

    Difference from PyTorch: no counterpart; ``torch.reciprocal`` gives float32 for integers.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.inv(ms.Tensor([2.0, 4.0])), ms.ops.inv(ms.Tensor([1, 2])))
        [0.5  0.25] [1 0]
    """
    if input_is_integer(x):
        return _integer_quotient("inv", torch.ones_like(x), x, "trunc")
    return torch.reciprocal(x)


def input_is_integer(value: Tensor) -> bool:
    """Whether a tensor's type is an integer one (bool is none)."""
    dtype = value.dtype
    return not (dtype.is_floating_point or dtype.is_complex or dtype is torch.bool)


def _integer_quotient(name: str, input: Tensor, other: Any, mode: str) -> Tensor:
    """A rounded quotient; torch reports integers divided by zero as RuntimeError."""
    try:
        return torch.div(input, other, rounding_mode=mode)
    except RuntimeError as error:
        if "ZeroDivision" in str(error):
            raise _by_zero(name) from error
        raise


@op(method=True, mint=False, fast=torch.deg2rad, samples=("f(2, 3)", "i(3)"))
def deg2rad(x: Tensor) -> Tensor:
    r"""Degrees to radians: :math:`out_i = x_i \pi / 180`.

    Args:
        x (Tensor): any shape.

    Returns:
        Tensor of the same shape; integers give float32.

    Raises:
        TypeError: `x` is no Tensor.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.deg2rad(ms.Tensor([180.0, 90.0])))
        [3.1415927 1.5707964]
    """
    return torch.deg2rad(x)


@op(method=True, mint=False, fast=torch.rad2deg, samples=("f(2, 3)", "i(3)"))
def rad2deg(x: Tensor) -> Tensor:
    r"""Radians to degrees: :math:`out_i = 180 x_i / \pi`.

    Args:
        x (Tensor): any shape.

    Returns:
        Tensor of the same shape; integers give float32.

    Raises:
        TypeError: `x` is no Tensor.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.rad2deg(ms.Tensor([3.1415927])))
        [180.]
    """
    return torch.rad2deg(x)


@op(method=True, mint=True, samples=("c(2, 3)", "f(3)"), primitive="Real", cast="never")
def real(input: Tensor) -> Tensor:
    r"""Real part: :math:`out_i = \Re(input_i)`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape; a real tensor is returned as it is.

    Raises:
        TypeError: `input` is no Tensor.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.real(ms.Tensor([1 + 2j])))
        [1.]
    """
    return torch.real(input)


@op(method=True, mint=True, samples=("c(2, 3)",), primitive="Imag", cast="never")
def imag(input: Tensor) -> Tensor:
    r"""Imaginary part: :math:`out_i = \Im(input_i)`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape; zeros for a real tensor.

    Raises:
        TypeError: `input` is no Tensor.

    Difference from PyTorch: a real tensor is accepted.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.imag(ms.Tensor([1 + 2j])))
        [2.]
    """
    return torch.imag(input) if input.is_complex() else torch.zeros_like(input)


@op("complex", function=False, primitive="Complex", samples=("f(2, 3), f(2, 3)",), cast="never")
def _complex(real: Tensor, imag: Tensor) -> Tensor:
    r"""Complex numbers from their parts: :math:`out_i = real_i + j\, imag_i`.

    Args:
        real (Tensor): float32 or float64, any shape.
        imag (Tensor): of the same type and a shape that broadcasts with `real`.

    Returns:
        Tensor of complex64 or complex128.

    Raises:
        TypeError: the types differ or are no float32 or float64.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.Complex()(ms.Tensor([1.0]), ms.Tensor([2.0])))
        [1.+2.j]
    """
    return torch.complex(real, imag)


@op(primitive="Polar", mint=True, samples=("p(2, 3), f(2, 3)",), cast="never")
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    r"""Complex numbers from polar coordinates: :math:`out = abs (\cos angle + j \sin angle)`.

    Args:
        abs (Tensor): the absolute values, float32 or float64.
        angle (Tensor): the arguments in radians, of the same type.

    Returns:
        Tensor of complex64 or complex128.

    Raises:
        TypeError: the types differ or are no float32 or float64.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.polar(ms.Tensor([2.0]), ms.Tensor([0.0])))
        [2.+0.j]
    """
    return torch.polar(abs, angle)


# ------------------------------------------------------------------------------- arithmetic

_PAIR = ("f(2, 3), f(3)", "f(2, 3), 2", "2.5, f(3)", "i(3), f()", "i(2, 3), i(3)")
_PAIR_ERRORS = (
    ("f(2, 3), f(2)", ValueError, "broadcast"),
    ("f(2), 'x'", TypeError, "Tensor"),
    ("f(2), np.ones(2)", TypeError, "ms.Tensor(array)"),
)


@op(
    function=("add", "tensor_add"),
    method=("__add__", "__radd__"),
    primitive=("Add", "TensorAdd"),
    fast=torch.add,
    samples=_PAIR,
    errors=_PAIR_ERRORS,
)
def add(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Add, element by element: :math:`out_i = input_i + other_i`.

    Args:
        input (Union[Tensor, number, bool]): the first summand.
        other (Union[Tensor, number, bool]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; a number takes the tensor's type, except
        that a float with integers gives float32.

    Raises:
        TypeError: an argument is neither Tensor nor number, or the types do not mix.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.add(ms.Tensor([1, 2]), 0.5))
        [1.5 2.5]
    """
    input, other = promoted(input, other)
    return torch.add(input, other)


@op("add", function=False, method="add", mint="add", samples=("f(2), f(2)", "f(2), 2, alpha=3"))
def _add_alpha(input: Tensor | Scalar, other: Tensor | Scalar, *, alpha: float = 1) -> Tensor:
    r"""Add a multiple, element by element: :math:`out_i = input_i + alpha \cdot other_i`.

    Args:
        input (Union[Tensor, number]): the first summand.
        other (Union[Tensor, number]): the second; shapes broadcast.
        alpha (number): the factor. Default: 1.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([1.0, 2.0]).add(ms.Tensor([1.0, 1.0]), alpha=2))
        [3. 4.]
    """
    input, other = promoted(input, other)
    return torch.add(input, other, alpha=alpha)


@op(
    function=("sub", "tensor_sub"),
    method="__sub__",
    primitive="Sub",
    fast=torch.sub,
    samples=(*_PAIR, "b(2, 3), b(3)"),
    errors=_PAIR_ERRORS,
)
def sub(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Subtract, element by element: :math:`out_i = input_i - other_i`.

    Args:
        input (Union[Tensor, number, bool]): the minuend.
        other (Union[Tensor, number, bool]): the subtrahend; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type, as for :func:`ops.add`; two bool tensors
        give their exclusive or.

    Raises:
        TypeError: an argument is neither Tensor nor number, or the types do not mix.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other; bool minus
    bool is defined.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.sub(ms.Tensor([1, 2]), ms.Tensor([3.0, 1.0])))
        [-2.  1.]
    """
    input, other = promoted(input, other)
    if input.dtype is torch.bool:
        if getattr(other, "dtype", None) is torch.bool or isinstance(other, bool):
            return torch.logical_xor(input, as_tensor(other, input))
        return torch.sub(input.to(torch.result_type(input, other)), other)
    if isinstance(other, bool):
        other = int(other)  # torch refuses to subtract a bool
    return torch.sub(input, other)


@op("sub", function=False, method="__rsub__", samples=("f(3), 2", "i(3), 1.5"))
def _rsub(input: Tensor, other: Tensor | Scalar) -> Tensor:
    r"""Subtract from a number: :math:`out_i = other - input_i`, see :func:`ops.sub`.

    Examples:
        >>> import agar as ms
        >>> print(1 - ms.Tensor([3, 4]))
        [-2 -3]
    """
    return sub(other, input)


@op(
    function="subtract",
    method=("sub", "subtract"),
    mint="sub",
    samples=("f(2), f(2)", "f(2), 2, alpha=3"),
)
def subtract(input: Tensor | Scalar, other: Tensor | Scalar, *, alpha: float = 1) -> Tensor:
    r"""Subtract a multiple, element by element: :math:`out_i = input_i - alpha \cdot other_i`.

    Args:
        input (Union[Tensor, number]): the minuend.
        other (Union[Tensor, number]): the subtrahend; shapes broadcast.
        alpha (number): the factor. Default: 1.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.subtract(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 1.0]), alpha=2))
        [-1.  0.]
    """
    return sub(input, other if alpha == 1 else mul(other, alpha))


@op(
    function=("mul", "multiply", "tensor_mul"),
    method=("mul", "multiply", "__mul__", "__rmul__"),
    primitive="Mul",
    mint="mul",
    fast=torch.mul,
    samples=_PAIR,
    errors=_PAIR_ERRORS,
)
def mul(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Multiply, element by element: :math:`out_i = input_i \cdot other_i`.

    Args:
        input (Union[Tensor, number, bool]): the first factor.
        other (Union[Tensor, number, bool]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; a number or a 0-d tensor does not widen
        the type within its category (float64 times a float32 tensor is float32).

    Raises:
        TypeError: an argument is neither Tensor nor number, or the types do not mix.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.mul(ms.Tensor([1.0, 2.0]), 3))
        [3. 6.]
    """
    if not isinstance(input, Tensor):
        input, other = promoted(input, other)
    return torch.mul(input, other)


@op(
    function=("div", "divide"),
    method=("div", "divide"),
    mint=("div", "divide"),
    samples=(
        "f(2, 3), p(3)",
        "f(3), 2",
        "i(3), 2",
        "2.5, p(3)",
        "f(3), p(3), rounding_mode='floor'",
        "i(3), 2, rounding_mode='trunc'",
    ),
    errors=(
        *_PAIR_ERRORS,
        ("f(2), 2, rounding_mode='up'", ValueError, "rounding_mode"),
        ("i(2), 0, rounding_mode='floor'", ZeroDivisionError, "div"),
    ),
)
def div(
    input: Tensor | Scalar, other: Tensor | Scalar, *, rounding_mode: str | None = None
) -> Tensor:
    r"""Divide, element by element: :math:`out_i = input_i / other_i`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
        rounding_mode (str): ``"floor"`` rounds the quotient down, ``"trunc"`` towards zero; None
            keeps the true quotient. Default: None.

    Returns:
        Tensor of the broadcast shape. Integers give float32 without rounding and their common
        type with it.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast, or `rounding_mode` is another word.
        ZeroDivisionError: integers are divided by zero with rounding.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([7, -7])
        >>> print(ms.ops.div(x, 2), ms.ops.div(x, 2, rounding_mode="floor"))
        [ 3.5 -3.5] [ 3 -4]
    """
    if not isinstance(input, Tensor):
        input, other = promoted(input, other)
    if rounding_mode is None:
        return torch.true_divide(input, other)
    choice("div", "rounding_mode", rounding_mode, ("floor", "trunc"))
    return _integer_quotient("div", input, other, rounding_mode)


@op(
    function="true_divide",
    method=("true_divide", "__truediv__"),
    primitive="Div",
    fast=torch.true_divide,
    samples=("f(2, 3), p(3)", "f(3), 2", "i(3), 2", "2.5, p(3)"),
    errors=_PAIR_ERRORS,
)
def true_divide(dividend: Tensor | Scalar, divisor: Tensor | Scalar) -> Tensor:
    r"""Divide, element by element: :math:`out_i = dividend_i / divisor_i`.

    Args:
        dividend (Union[Tensor, number, bool]): the dividend.
        divisor (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape; integers give float32.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([7, -7]) / 2)
        [ 3.5 -3.5]
    """
    return div(dividend, divisor)


@op("div", function=False, method="__rtruediv__", samples=("p(3), 2", "i(3) + 1, 2"))
def _rtruediv(input: Tensor, other: Tensor | Scalar) -> Tensor:
    r"""Divide a number: :math:`out_i = other / input_i`, see :func:`ops.div`.

    Examples:
        >>> import agar as ms
        >>> print(1 / ms.Tensor([2, 4]))
        [0.5  0.25]
    """
    return div(other, input)


@op(
    "RealDiv",
    function="tensor_div",
    primitive="RealDiv",
    samples=("f(2, 3), p(3)", "i(3), i(3) + 1"),
    errors=(("i(2), 0", ZeroDivisionError, "RealDiv"),),
)
def tensor_div(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Divide within the common type: :math:`out_i = x_i / y_i`, integers truncated.

    Args:
        x (Union[Tensor, number]): the dividend.
        y (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.
        ZeroDivisionError: integers are divided by zero.

    Difference from PyTorch: integers stay integers; ``torch.div(..., rounding_mode="trunc")``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.RealDiv()(ms.Tensor([7, -7]), ms.Tensor([2, 2])))
        [ 3 -3]
    """
    x, y = promoted(x, y)
    if input_is_integer(x) and not isinstance(y, float):
        return _integer_quotient("RealDiv", x, y, "trunc")
    return torch.true_divide(x, y)


@op(
    "floor_div",
    function=("floor_div", "floordiv", "tensor_floordiv"),
    primitive="FloorDiv",
    samples=("f(2, 3), p(3)", "f(3), 2", "i(3), 2", "b(3), b(3) | True"),
    errors=(*_PAIR_ERRORS, ("i(2), 0", ZeroDivisionError, "floor_div")),
    differentiable=False,
)
def floor_div(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Divide and round down: :math:`out_i = \lfloor x_i / y_i \rfloor`.

    Args:
        x (Union[Tensor, number, bool]): the dividend.
        y (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.
        ZeroDivisionError: integers are divided by zero.

    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other; bool is
    accepted; dividing integers by zero raises ZeroDivisionError (MindSpore returns a number
    without meaning).

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([7, -7]) // 2)
        [ 3 -4]
    """
    x, y = promoted(x, y)
    if x.dtype is torch.bool and (isinstance(y, bool) or getattr(y, "dtype", None) is torch.bool):
        return _integer_quotient("floor_div", x.to(torch.uint8), y, "floor").to(torch.bool)
    return _integer_quotient("floor_div", x, y, "floor")


@op(
    function="floor_divide",
    method=("floor_divide", "__floordiv__"),
    mint="floor_divide",
    samples=("f(2, 3), p(3)", "f(3), 2", "i(3), 2"),
    errors=(*_PAIR_ERRORS, ("i(2), 0", ZeroDivisionError, "floor_div")),
    differentiable=False,
)
def floor_divide(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Divide and round down: :math:`out_i = \lfloor input_i / other_i \rfloor`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.
        ZeroDivisionError: integers are divided by zero.

    Difference from PyTorch: as :func:`ops.floor_div`.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.floor_divide(ms.Tensor([7.0, -7.0]), 2))
        [ 3. -4.]
    """
    return floor_div(input, other)


@op(
    "floor_divide",
    function=False,
    method="__rfloordiv__",
    samples=("p(3), 2",),
    differentiable=False,
)
def _rfloordiv(input: Tensor, other: Tensor | Scalar) -> Tensor:
    r"""Divide a number and round down: :math:`out_i = \lfloor other / input_i \rfloor`.

    Examples:
        >>> import agar as ms
        >>> print(7 // ms.Tensor([2, -2]))
        [ 3 -4]
    """
    return floor_div(other, input)


@op(
    function=("floor_mod", "floormod", "tensor_mod"),
    primitive="FloorMod",
    samples=("f(2, 3), p(3)", "f(3), 2", "i(3), 2"),
    errors=(*_PAIR_ERRORS, ("i(2), 0", ZeroDivisionError, "floor_mod")),
)
def floor_mod(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Remainder of the division that rounds down: :math:`out_i = x_i - \lfloor x_i/y_i \rfloor y_i`.

    Args:
        x (Union[Tensor, number, bool]): the dividend.
        y (Union[Tensor, number, bool]): the divisor; the result has its sign.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.
        ZeroDivisionError: integers are divided by zero.

    Difference from PyTorch: ``torch.remainder``; a 0-d tensor takes part in type promotion like
    any other.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([7, -7]) % 3)
        [1 2]
    """
    x, y = promoted(x, y)
    try:
        return torch.remainder(x, y)
    except RuntimeError as error:
        if "ZeroDivision" in str(error):
            raise _by_zero("floor_mod") from error
        raise


@op(
    method=("remainder", "__mod__"),
    mint=True,
    samples=("f(2, 3), p(3)", "f(3), 2", "i(3), 2"),
    errors=_PAIR_ERRORS,
)
def remainder(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Remainder with the divisor's sign: :math:`out = input - \lfloor input/other \rfloor other`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.
        ZeroDivisionError: integers are divided by zero.

    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.remainder(ms.Tensor([5.0, -5.0]), 3))
        [2. 1.]
    """
    return floor_mod(input, other)


@op("remainder", function=False, method="__rmod__", samples=("p(3), 2",))
def _rmod(input: Tensor, other: Tensor | Scalar) -> Tensor:
    r"""Remainder of a number divided by the elements, with their sign.

    Examples:
        >>> import agar as ms
        >>> print(7 % ms.Tensor([3, -3]))
        [ 1 -2]
    """
    return floor_mod(other, input)


@op(
    method=True,
    mint=True,
    samples=("f(2, 3), p(3)", "f(3), 2", "i(3), 2"),
    errors=(*_PAIR_ERRORS, ("i(2), 0", ZeroDivisionError, "fmod")),
)
def fmod(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Remainder with the dividend's sign: :math:`out = input - trunc(input/other) \cdot other`.

    Args:
        input (Union[Tensor, number]): the dividend.
        other (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type, as for :func:`ops.mul`.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.
        ZeroDivisionError: integers are divided by zero.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.fmod(ms.Tensor([5.0, -5.0]), 3))
        [ 2. -2.]
    """
    if not isinstance(input, Tensor):
        input, other = promoted(input, other)
    return _truncated_remainder("fmod", input, other)


def _truncated_remainder(name: str, input: Tensor, other: Any) -> Tensor:
    try:
        return torch.fmod(input, other)
    except RuntimeError as error:
        if "ZeroDivision" in str(error):
            raise _by_zero(name) from error
        raise


@op(
    function="truncate_mod",
    primitive=("TruncateMod", "Mod"),
    samples=("f(2, 3), p(3)", "i(3), 2"),
    errors=(("i(2), 0", ZeroDivisionError, "truncate_mod"),),
)
def truncate_mod(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Remainder of the division that truncates: :math:`out_i = x_i - trunc(x_i/y_i)\, y_i`.

    Args:
        x (Union[Tensor, number]): the dividend, whose sign the result has.
        y (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.
        ZeroDivisionError: integers are divided by zero.

    Difference from PyTorch: ``torch.fmod``; a 0-d tensor takes part in type promotion like any
    other.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.truncate_mod(ms.Tensor([7, -7]), ms.Tensor([3, 3])))
        [ 1 -1]
    """
    x, y = promoted(x, y)
    return _truncated_remainder("truncate_mod", x, y)


@op(
    function="truncate_div",
    primitive="TruncateDiv",
    samples=("f(2, 3), p(3)", "i(3), 2"),
    errors=(("i(2), 0", ZeroDivisionError, "truncate_div"),),
    differentiable=False,
)
def truncate_div(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Divide and round towards zero: :math:`out_i = trunc(x_i / y_i)`.

    Args:
        x (Union[Tensor, number]): the dividend.
        y (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.
        ZeroDivisionError: integers are divided by zero.

    Difference from PyTorch: ``torch.div(..., rounding_mode="trunc")``.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.truncate_div(ms.Tensor([7, -7]), ms.Tensor([2, 2])))
        [ 3 -3]
    """
    x, y = promoted(x, y)
    return _integer_quotient("truncate_div", x, y, "trunc")


@primitive("DivNoNan", samples=("f(2, 3), p(3)", "f(3), torch.tensor([0.0, 1.0, 2.0]).double()"))
def _div_no_nan(x1: Tensor | Scalar, x2: Tensor | Scalar) -> Tensor:
    r"""Divide, with 0 where the divisor is 0: :math:`out_i = x1_i / x2_i`.

    Args:
        x1 (Union[Tensor, number]): the dividend.
        x2 (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: no counterpart.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.DivNoNan()(ms.Tensor([1.0, 2.0]), ms.Tensor([0.0, 4.0])))
        [0.  0.5]
    """
    x1, x2 = both_tensors(x1, x2)
    zero = x2 == 0
    # the divisor is replaced before the division, so that the gradient has no 0/0 either
    safe = torch.where(zero, torch.ones_like(x2), x2)
    quotient = (
        _integer_quotient("DivNoNan", x1, safe, "trunc") if input_is_integer(x1) else x1 / safe
    )
    return torch.where(zero, torch.zeros_like(quotient), quotient)


@primitive("MulNoNan", samples=("f(2, 3), f(3)",))
def _mul_no_nan(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Multiply, with 0 where the second factor is 0, whatever the first: :math:`x_i y_i`.

    Args:
        x (Union[Tensor, number]): the first factor, may be infinite or nan.
        y (Union[Tensor, number]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: no counterpart.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.MulNoNan()(ms.Tensor([float("inf"), 2.0]), ms.Tensor([0.0, 4.0])))
        [0. 8.]
    """
    x, y = both_tensors(x, y)
    zero = y == 0
    return torch.where(zero, torch.zeros_like(y), torch.where(zero, torch.zeros_like(x), x) * y)


@primitive("SquaredDifference", samples=("f(2, 3), f(3)",))
def _squared_difference(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Squared difference, element by element: :math:`out_i = (x_i - y_i)^2`.

    Args:
        x (Union[Tensor, number]): the first operand.
        y (Union[Tensor, number]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: no counterpart.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.SquaredDifference()(ms.Tensor([1.0, 4.0]), ms.Tensor([3.0, 1.0])))
        [4. 9.]
    """
    return torch.square(sub(x, y))


@op(
    function=("pow", "tensor_pow", "pows"),
    method=("pow", "__pow__"),
    primitive="Pow",
    mint="pow",
    samples=("p(2, 3), f(3)", "p(3), 2", "2.5, f(3)", "i(3), 2", "i(3) + 1, -1"),
    errors=(
        ("f(2, 3), f(2)", ValueError, "broadcast"),
        ("f(2), 'x'", TypeError, "Tensor"),
        ("b(2), b(2)", TypeError, "pow"),
    ),
)
def pow(input: Tensor | Scalar, exponent: Tensor | Scalar) -> Tensor:
    r"""Power, element by element: :math:`out_i = input_i^{exponent_i}`.

    Args:
        input (Union[Tensor, number]): the base.
        exponent (Union[Tensor, number]): the exponent; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers with a negative exponent give
        the truncated power.

    Raises:
        TypeError: an argument is neither Tensor nor number, or both are bool.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other; a negative
    exponent of integers is accepted.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.Tensor([1, 2, 3]) ** 2, 2 ** ms.Tensor([1.0, 2.0]))
        [1 4 9] [2. 4.]
    """
    input, exponent = promoted(input, exponent)
    if isinstance(exponent, int) and exponent < 0 and input_is_integer(input):
        exponent = torch.full_like(input, exponent)
    return torch.pow(input, exponent)


@op("pow", function=False, method="__rpow__", samples=("f(3), 2", "i(3), 2"))
def _rpow(input: Tensor, other: Tensor | Scalar) -> Tensor:
    r"""A number to the power of the elements: :math:`out_i = other^{input_i}`.

    Examples:
        >>> import agar as ms
        >>> print(2 ** ms.Tensor([1, 2, 3]))
        [2 4 8]
    """
    return pow(other, input)


@op(
    function="float_power",
    method=True,
    samples=("p(2, 3), f(3)", "i(3), 2"),
    reference="np.power(np.asarray(input, float), np.asarray(exponent, float))",
)
def float_power(input: Tensor | Scalar, exponent: Tensor | Scalar) -> Tensor:
    r"""Power in double precision: :math:`out_i = input_i^{exponent_i}`.

    Args:
        input (Union[Tensor, number]): the base.
        exponent (Union[Tensor, number]): the exponent; shapes broadcast.

    Returns:
        Tensor of float64 (complex128 for complex operands).

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.float_power(ms.Tensor([2, 3]), 2))
        [4. 9.]
    """
    input, exponent = promoted(input, exponent)
    return torch.float_power(input, exponent)


@op(
    method=True,
    primitive="Maximum",
    mint=True,
    fast=torch.maximum,
    samples=_PAIR,
    errors=_PAIR_ERRORS,
)
def maximum(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""The larger element: :math:`out_i = \max(input_i, other_i)`; nan wins.

    Args:
        input (Union[Tensor, number]): the first operand.
        other (Union[Tensor, number]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: numbers are accepted; a 0-d tensor takes part in type promotion like
    any other.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.maximum(ms.Tensor([1.0, 5.0]), 2))
        [2. 5.]
    """
    return torch.maximum(*both_tensors(input, other))


@op(
    method=True,
    primitive="Minimum",
    mint=True,
    fast=torch.minimum,
    samples=_PAIR,
    errors=_PAIR_ERRORS,
)
def minimum(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""The smaller element: :math:`out_i = \min(input_i, other_i)`; nan wins.

    Args:
        input (Union[Tensor, number]): the first operand.
        other (Union[Tensor, number]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.

    Raises:
        TypeError: an argument is neither Tensor nor number.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: numbers are accepted; a 0-d tensor takes part in type promotion like
    any other.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.ops.minimum(ms.Tensor([1.0, 5.0]), 2))
        [1. 2.]
    """
    return torch.minimum(*both_tensors(input, other))


def _two_tensors(
    name: str,
    compute: Callable[[Tensor, Tensor], Tensor],
    purpose: str,
    formula: str,
    example: tuple[str, str, str],
    *,
    second: str = "other",
    primitive: str | bool = False,
    also: Iterable[str] = (),
    mint: bool = False,
    method: bool | Iterable[str] = True,
    difference: str = "a number is accepted in place of either tensor",
    samples: Iterable[str] = ("f(2, 3), f(3)", "f(3), 2.0", "2.0, f(3)"),
    errors: Iterable[tuple[str, type[Exception], str]] = (
        ("f(2, 3), f(2)", ValueError, "broadcast"),
    ),
    differentiable: bool = True,
) -> None:
    """Declare a function of two tensors, element by element, with the documentation they share.

    The arguments are those of `pointwise`, with ``x`` and ``y`` in the formula.
    """

    def impl(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
        return compute(*both_tensors(input, other))

    impl.__name__ = name
    impl.__doc__ = (
        f"{purpose}, element by element: :math:`out = {formula}`.\n\n"
        "    Args:\n"
        "        input (Union[Tensor, number]): :math:`x`.\n"
        "        other (Union[Tensor, number]): :math:`y`; shapes broadcast.\n\n"
        "    Returns:\n"
        "        Tensor of the broadcast shape and the common type; integers give float32 where\n"
        "        the function is not closed over them.\n\n"
        "    Raises:\n"
        "        TypeError: an argument is neither Tensor nor number, or of an unsupported type.\n"
        "        ValueError: the shapes do not broadcast.\n\n"
        f"    Difference from PyTorch: {difference}.\n\n"
        f"    Source: {_SOURCE}.\n\n"
        "    Examples:\n"
        "        >>> import agar as ms\n"
        f"        >>> print(ms.ops.{name}(ms.Tensor({example[0]}), ms.Tensor({example[1]})))\n"
        + "".join(f"        {line}\n" for line in example[2].splitlines())
    )
    names = (name, *also)
    op(
        name,
        function=names,
        method=names if method else False,
        primitive=primitive,
        mint=names if mint else False,
        samples=samples,
        errors=errors,
        differentiable=differentiable,
        fast=compute,
    )(impl)


_two_tensors(
    "fmax",
    torch.fmax,
    "The larger element; a number wins over nan",
    r"\max(x, y)",
    ("[1.0, float('nan')]", "[2.0, 3.0]", "[2. 3.]"),
    primitive="Fmax",
)
_two_tensors(
    "fmin",
    torch.fmin,
    "The smaller element; a number wins over nan",
    r"\min(x, y)",
    ("[1.0, float('nan')]", "[2.0, 3.0]", "[1. 3.]"),
    primitive="Fmin",
)
_two_tensors(
    "atan2",
    torch.atan2,
    "Angle of the point (y, x) in all four quadrants",
    r"\operatorname{atan2}(x, y)",
    ("[1.0, -1.0]", "[1.0, 1.0]", "[ 0.7853982 -0.7853982]"),
    primitive="Atan2",
    also=("arctan2",),
    mint=True,
    difference="a number is accepted; a 0-d tensor takes part in type promotion like any other",
)
_two_tensors(
    "hypot",
    torch.hypot,
    "Length of the hypotenuse",
    r"\sqrt{x^2 + y^2}",
    ("[3.0, 1.0]", "[4.0, 1.0]", "[5.        1.4142135]"),
    primitive="Hypot",
    samples=("f(2, 3), f(3)",),
)
_two_tensors(
    "logaddexp",
    torch.logaddexp,
    "Logarithm of the sum of exponentials",
    r"\ln(e^x + e^y)",
    ("[1.0, 2.0]", "[3.0, 4.0]", "[3.126928 4.126928]"),
    mint=True,
)
_two_tensors(
    "logaddexp2",
    torch.logaddexp2,
    "Logarithm to base 2 of the sum of powers of two",
    r"\log_2(2^x + 2^y)",
    ("[1.0, 2.0]", "[3.0, 4.0]", "[3.321928 4.321928]"),
    mint=True,
)
_two_tensors(
    "copysign",
    torch.copysign,
    "Magnitude of the first with the sign of the second",
    r"|x| \operatorname{sign}(y)",
    ("[1.0, 2.0]", "[-1.0, 1.0]", "[-1.  2.]"),
)
_two_tensors(
    "nextafter",
    torch.nextafter,
    "Next number towards the second",
    r"x \to y",
    ("[1.0, 2.0]", "[3.0, 0.0]", "[1.0000001 1.9999999]"),
    primitive="NextAfter",
    differentiable=False,
)
_two_tensors(
    "ldexp",
    torch.ldexp,
    "Times a power of two",
    r"x \cdot 2^y",
    ("[1.0, 2.0]", "[2, 3]", "[ 4. 16.]"),
    samples=("f(2, 3), i(3)", "f(3), 2"),
)
_two_tensors(
    "gcd",
    torch.gcd,
    "Greatest common divisor of integers",
    r"\gcd(x, y)",
    ("[12, 18]", "[8, 27]", "[4 9]"),
    primitive="Gcd",
    mint=True,
    samples=("i(2, 3), i(3)",),
    differentiable=False,
    errors=(("f(2), f(2)", TypeError, "gcd"),),
)
_two_tensors(
    "lcm",
    torch.lcm,
    "Least common multiple of integers",
    r"\operatorname{lcm}(x, y)",
    ("[12, 18]", "[8, 27]", "[24 54]"),
    primitive="Lcm",
    samples=("i(2, 3), i(3)",),
    differentiable=False,
    errors=(("f(2), f(2)", TypeError, "lcm"),),
)
