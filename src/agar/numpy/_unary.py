"""Functions of one number, element by element.

NOTE Result types. Functions of one tensor keep floating types. Integers and bool give float32,
except that trigonometric functions of 8-bit integers and bool give float16, as in MindSpore 2.10.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar.numpy._declare import (
    Tensor,
    array,
    as_tensor,
    floating,
    home,
    typed,
    unsigned,
)
from agar.ops._checks import integer
from agar.ops.math import comparison as compare
from agar.ops.math import division

_math = home("math_ops")

# ---------------------------------------------------------------------- one operand

_ONE_DOC = """{words}, element by element{formula}.

    Args:
        x ({kind}): the input, of any shape.
        dtype (Type): the type of the result. Default None: {result}.

    Returns:
        Tensor of the input's shape.

    Raises:
        TypeError: `x` is of another type.

    Difference from PyTorch: {difference}.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.{name}(mnp.array({example})))
        {shown}
"""


def _one(
    *names: str,
    compute: Callable[[Tensor], Tensor],
    words: str,
    formula: str = "",
    example: str,
    shown: str,
    convert: bool = True,
    result: str = "floating types are kept, integers and bool give float32",
    difference: str = "none",
    samples: Iterable[str] = ("f(2, 3)", "f()"),
    integers: str = "i(2, 3) + 1",
    reference: str | None = None,
    differentiable: bool = True,
) -> None:
    """Declare a function of one tensor; with `convert`, numbers and lists are taken too."""
    name = names[0]

    def converting(x: Tensor | Any, dtype: Any = None) -> Tensor:
        return typed(name, compute(array(name, "x", x)), dtype)

    def strict(x: Tensor, dtype: Any = None) -> Tensor:
        return typed(name, compute(x), dtype)

    impl = converting if convert else strict
    impl.__name__ = name
    impl.__doc__ = _ONE_DOC.format(
        words=words,
        formula=f": :math:`{formula}`" if formula else "",
        kind="Union[Tensor, number, list, tuple]" if convert else "Tensor",
        result=result,
        difference=difference,
        name=name,
        example=example,
        shown=shown.replace("\n", "\n        "),
    )
    bad = "'a'" if convert else "[1.0]"
    _math(
        *names,
        samples=(*samples, integers),
        errors=((bad, TypeError, "numpy." + name),),
        reference=reference or f"np.{name}(x)",
        differentiable=differentiable,
    )(impl)


def _float(compute: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """`compute` after integers became float32."""
    return lambda x: compute(floating(x))


_NARROW = frozenset((torch.int8, torch.uint8, torch.bool))


def angle(x: Tensor) -> Tensor:
    """The argument of a trigonometric function in a floating type (NOTE Result types)."""
    return x.to(torch.float16) if x.dtype in _NARROW else floating(x)


TRIGONOMETRIC = "floating types are kept, int8, uint8 and bool give float16, others float32"


def _angular(
    name: str,
    compute: Callable[[Tensor], Tensor],
    words: str,
    example: str,
    shown: str,
    **more: Any,
) -> None:
    _one(
        name,
        compute=lambda x: compute(angle(x)),
        words=words,
        example=example,
        shown=shown,
        convert=False,
        result=TRIGONOMETRIC,
        difference="8-bit integers and bool give float16",
        **more,
    )


_angular("sin", torch.sin, "Sine of angles in radians", "[0.0]", "[0.]")
_angular("cos", torch.cos, "Cosine of angles in radians", "[0.0]", "[1.]")
_angular("tan", torch.tan, "Tangent of angles in radians", "[0.0]", "[0.]")
_angular(
    "arcsin",
    torch.asin,
    "Angle in radians from its sine",
    "[0.0]",
    "[0.]",
    samples=("u(2, 3)",),
    integers="i(2, 3) - 1",
)
_angular("arctan", torch.atan, "Angle in radians from its tangent", "[0.0]", "[0.]")
_angular("sinh", torch.sinh, "Hyperbolic sine", "[0.0]", "[0.]")
_angular("cosh", torch.cosh, "Hyperbolic cosine", "[0.0]", "[1.]")
_angular("tanh", torch.tanh, "Hyperbolic tangent", "[0.0]", "[0.]")
_angular("arcsinh", torch.asinh, "Inverse of the hyperbolic sine", "[0.0]", "[0.]")
_angular(
    "arccosh",
    torch.acosh,
    "Inverse of the hyperbolic cosine",
    "[1.0]",
    "[0.]",
    samples=("p(2, 3) + 1",),
)
_angular(
    "arctanh",
    torch.atanh,
    "Inverse of the hyperbolic tangent",
    "[0.0]",
    "[0.]",
    samples=("u(2, 3)",),
    integers="i(2, 3) * 0",
)


@_math(
    "arccos",
    samples=("u(2, 3)", "i(3) - 1"),
    errors=(("[1.0]", TypeError, "numpy.arccos"),),
    reference="np.arccos(input)",
)
def _arccos(input: Tensor, dtype: Any = None) -> Tensor:
    """Angle in radians from its cosine, element by element.

    Args:
        input (Tensor): the cosines, of any shape.
        dtype (Type): the type of the result. Default None: floating types are kept, int8, uint8
            and bool give float16, others float32.

    Returns: Tensor of the input's shape.
    Difference from PyTorch: 8-bit integers and bool give float16.

    >>> import agar.numpy as mnp
    >>> print(mnp.arccos(mnp.array([1.0])))
    [0.]
    """
    return typed("arccos", torch.acos(angle(input)), dtype)


_one(
    "exp",
    compute=_float(torch.exp),
    words="Exponential function",
    formula="e^x",
    example="[0.0]",
    shown="[1.]",
)
_one(
    "expm1",
    compute=_float(torch.expm1),
    words="Exponential function minus one, exact near zero",
    formula="e^x - 1",
    example="[0.0]",
    shown="[0.]",
)
_one(
    "exp2",
    compute=lambda x: torch.exp2(floating(x)) if x.is_floating_point() else _power_of_two(x),
    words="Power of two",
    formula="2^x",
    example="[0.0, 3.0]",
    shown="[1. 8.]",
    result="the input's type",
    difference="integers give integers",
)


def _power_of_two(x: Tensor) -> Tensor:
    if x.dtype is torch.bool:
        x = x.to(torch.int64)
    return torch.exp2(x.to(torch.float64)).to(x.dtype)


_POSITIVE = ("p(2, 3)", "p()")
_one(
    "log",
    compute=_float(torch.log),
    words="Natural logarithm",
    formula=r"\ln x",
    example="[1.0]",
    shown="[0.]",
    samples=_POSITIVE,
)
_one(
    "log1p",
    compute=_float(torch.log1p),
    words="Natural logarithm of one plus the input, exact near zero",
    formula=r"\ln(1 + x)",
    example="[0.0]",
    shown="[0.]",
    samples=_POSITIVE,
)
_one(
    "log2",
    compute=_float(torch.log2),
    words="Logarithm to base 2",
    formula=r"\log_2 x",
    example="[1.0, 8.0]",
    shown="[0. 3.]",
    samples=_POSITIVE,
)
_one(
    "log10",
    compute=_float(torch.log10),
    words="Logarithm to base 10",
    formula=r"\log_{10} x",
    example="[1.0, 100.0]",
    shown="[0. 2.]",
    samples=_POSITIVE,
)
_one(
    "sqrt",
    compute=_float(torch.sqrt),
    words="Square root",
    formula=r"\sqrt{x}",
    example="[4, 9]",
    shown="[2. 3.]",
    samples=_POSITIVE,
)
_one(
    "square",
    compute=torch.square,
    words="Square",
    formula="x^2",
    example="[1, -3]",
    shown="[1 9]",
    result="the input's type",
)
_one(
    "reciprocal",
    compute=lambda x: division.tensor_div(1, x),
    words="Reciprocal",
    formula="1 / x",
    example="[1.0, 4.0]",
    shown="[1.   0.25]",
    samples=_POSITIVE,
    result="the input's type; integers are truncated",
    reference="np.reciprocal(x)",
    difference="integers stay integers; zero among them raises ZeroDivisionError",
)
_one(
    "cbrt",
    compute=lambda x: _cube_root(x if x.dtype is torch.float64 else x.to(torch.float32)),
    words="Cube root, of negative numbers too",
    formula=r"\sqrt[3]{x}",
    example="[0.0, 1.0]",
    shown="[0. 1.]",
    samples=("p(2, 3)", "-p(3)"),
    result="float64 is kept, everything else gives float32",
    difference="torch has no cube root",
)


def _cube_root(x: Tensor) -> Tensor:
    return torch.sign(x) * torch.pow(torch.abs(x), 1 / 3)


_one(
    "floor",
    compute=lambda x: torch.floor(x) if x.is_floating_point() else x.clone(),
    words="Largest integer that is not above",
    formula=r"\lfloor x \rfloor",
    example="[1.5, -1.5]",
    shown="[ 1. -2.]",
    result="the input's type",
    differentiable=False,
)
_one(
    "ceil",
    compute=lambda x: torch.ceil(x.to(torch.float32)),
    words="Smallest integer that is not below",
    formula=r"\lceil x \rceil",
    example="[1.5, -1.5]",
    shown="[ 2. -1.]",
    result="float32",
    difference="the result is float32 whatever the input",
    differentiable=False,
)
_one(
    "trunc",
    compute=lambda x: _toward_zero(x),
    words="Integer part, towards zero",
    example="[1.5, -1.5]",
    shown="[ 1. -1.]",
    result="float16 is kept, everything else gives float32",
    difference="float64 and integers give float32",
    differentiable=False,
)


def _toward_zero(x: Tensor) -> Tensor:
    return torch.trunc(x if x.dtype is torch.float16 else x.to(torch.float32))


@_math(
    "fix",
    samples=("f(2, 3)", "i(3)"),
    errors=(("[1.0]", TypeError, "numpy.fix"),),
    reference="np.trunc(x)",
    differentiable=False,
)
def _fix(x: Tensor) -> Tensor:
    """Integer part, towards zero, element by element.

    Args:
        x (Tensor): the input, of any shape.

    Returns: Tensor of the input's shape; float16 is kept, everything else gives float32.
    Difference from PyTorch: float64 and integers give float32.

    >>> import agar.numpy as mnp
    >>> print(mnp.fix(mnp.array([2.9, -2.9])))
    [ 2. -2.]
    """
    return _toward_zero(x)


_one(
    "rint",
    compute=lambda x: torch.round(floating(x)),
    words="Nearest integer, halves to the even one",
    example="[0.5, 1.5, -1.7]",
    shown="[ 0.  2. -2.]",
    difference="integers give float32",
    differentiable=False,
)
_one(
    "deg2rad",
    compute=lambda x: floating(x) * math.pi / 180.0,
    words="Angles in radians from degrees",
    formula=r"x \cdot \pi / 180",
    example="[180.0, 90.0]",
    shown="[3.1415927 1.5707964]",
    convert=False,
)
_one(
    "radians",
    compute=lambda x: floating(x) * math.pi / 180.0,
    words="Angles in radians from degrees",
    formula=r"x \cdot \pi / 180",
    example="[180.0, 90.0]",
    shown="[3.1415927 1.5707964]",
    convert=False,
    difference="called ``torch.deg2rad``",
)
_one(
    "rad2deg",
    compute=lambda x: floating(x) * 180.0 / math.pi,
    words="Angles in degrees from radians",
    formula=r"x \cdot 180 / \pi",
    example="[3.14159265]",
    shown="[180.]",
    convert=False,
)


@_math(
    "absolute",
    "abs",
    "fabs",
    samples=("f(2, 3)", "i(2, 3) - 1"),
    errors=(("[1.0]", TypeError, "numpy.absolute"),),
    reference="np.absolute(x)",
)
def _absolute(x: Tensor, dtype: Any = None) -> Tensor:
    """Absolute value, element by element: :math:`|x|`.

    Args:
        x (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: the input's.

    Returns: Tensor of the input's shape.

    >>> import agar.numpy as mnp
    >>> print(mnp.abs(mnp.array([1, -2])))
    [1 2]
    """
    out = x if x.dtype is torch.bool else torch.abs(x)
    return typed("absolute", out, dtype)


@_math(
    "positive",
    samples=("f(2, 3)", "i(3)"),
    errors=(("[1.0]", TypeError, "numpy.positive"),),
    reference="np.positive(a)",
)
def _positive(a: Tensor, dtype: Any = None) -> Tensor:
    """The numbers themselves.

    Args:
        a (Tensor): the input, of any shape.
        dtype (Type): the type of the result. Default None: the input's.

    Returns: Tensor of the input's shape.
    Difference from PyTorch: the result is a new tensor.

    >>> import agar.numpy as mnp
    >>> print(mnp.positive(mnp.array([1.0, -1.0])))
    [ 1. -1.]
    """
    return typed("positive", a.clone(), dtype)


@_math(
    "negative",
    samples=("f(2, 3)", "i(3)"),
    errors=(("'a'", TypeError, "numpy.negative"),),
    reference="np.negative(a)",
)
def _negative(a: Tensor | Any, dtype: Any = None) -> Tensor:
    """The numbers with the other sign, element by element: :math:`-a`.

    Args:
        a (Union[Tensor, number, list, tuple]): the input, of any shape.
        dtype (Type): the type of the result. Default None: the input's.

    Returns: Tensor of the input's shape.
    Raises TypeError: `a` is of another type.

    >>> import agar.numpy as mnp
    >>> print(mnp.negative(mnp.array([1, -2])))
    [-1  2]
    """
    return typed("negative", torch.neg(array("negative", "a", a)), dtype)


@_math(
    "sign",
    samples=("f(2, 3)", "i(3) - 1"),
    errors=(("'a'", TypeError, "numpy.sign"), ("b(3)", TypeError, "bool")),
    reference="np.sign(x)",
)
def _sign(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Sign, element by element: -1, 0 or 1.

    Args:
        x (Union[Tensor, number, list, tuple]): the input, of any shape and any type but bool.
        dtype (Type): the type of the result. Default None: floating types are kept, integers give
            float32.

    Returns: Tensor of the input's shape.
    Raises TypeError: `x` is bool or of another type.
    Difference from PyTorch: the sign of nan is nan, of bool an error; integers give float32.

    >>> import agar.numpy as mnp
    >>> print(mnp.sign(mnp.array([-1.5, 0.0, 2.0])))
    [-1.  0.  1.]
    """
    x = array("sign", "x", x)
    if x.dtype is torch.bool:
        raise TypeError("For 'numpy.sign', 'x' must be of numbers, but got bool.")
    x = floating(x)
    return typed("sign", torch.where(torch.isnan(x), x, torch.sign(x)), dtype)


@_math(
    "around",
    "round",
    samples=("f(2, 3)", "f(3), 2"),
    errors=(
        ("f(3), -1", ValueError, "decimals"),
        ("f(3), 1.0", TypeError, "decimals"),
        ("'a'", TypeError, "numpy.around"),
    ),
    reference="np.around(a, decimals)",
    differentiable=False,
)
def _around(a: Tensor | Any, decimals: int = 0) -> Tensor:
    """Round to a number of decimals, halves to the even digit.

    Args:
        a (Union[Tensor, number, list, tuple]): the input, of any shape.
        decimals (int): how many decimals to keep, at least 0. Default: 0.

    Returns: Tensor of the input's shape and type.
    Raises TypeError: `decimals` is not an int, or `a` of another type.
    Raises ValueError: `decimals` is negative.
    Difference from PyTorch: ``torch.round`` takes negative decimals too.

    >>> import agar.numpy as mnp
    >>> print(mnp.around(mnp.array([-1.3, 0.5, 1.5, 2.5])))
    [-1.  0.  2.  2.]
    """
    a = as_tensor("around", "a", a)
    integer("numpy.around", "decimals", decimals, 0)
    if decimals == 0:
        return torch.round(a) if a.is_floating_point() else a.clone()
    a = floating(a)
    largest = math.log10(torch.finfo(a.dtype).max)
    scale = 10.0**decimals if decimals <= largest else torch.inf
    return torch.true_divide(torch.round(a * scale), scale)


@_math(
    "invert",
    "bitwise_not",
    samples=("i(2, 3)",),
    errors=(("'a'", TypeError, "numpy.invert"), ("f(3)", TypeError, "numpy.invert")),
    reference="np.invert(x)",
    differentiable=False,
)
def _invert(x: Tensor | Any, dtype: Any = None) -> Tensor:
    """Integers with every bit flipped, element by element.

    Args:
        x (Union[Tensor, number, list, tuple]): integers or bool, of any shape.
        dtype (Type): the type of the result. Default None: the input's.

    Returns: Tensor of the input's shape.
    Raises TypeError: `x` is of another type.
    Difference from PyTorch: uint16, uint32 and uint64 are accepted too.

    >>> import agar.numpy as mnp
    >>> print(mnp.invert(mnp.array([0, 5])))
    [-1 -6]
    """
    return typed("invert", unsigned(compare.invert)(array("invert", "x", x)), dtype)
