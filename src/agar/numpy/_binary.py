"""Functions of two numbers, element by element."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar.numpy._declare import Tensor, array, floating, home, to_common, typed, unsigned
from agar.numpy._unary import TRIGONOMETRIC, angle
from agar.ops.math import arithmetic
from agar.ops.math.elementwise import integer_quotient, promoted

_math = home("math_ops")

_TWO_DOC = """{words}, element by element{formula}.

    Args:
        x1 ({kind}): the first operand.
        x2 ({kind}): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: {result}.

    Returns:
        Tensor of the broadcast shape.

    Raises:
        TypeError: an operand is of another type.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: {difference}.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.{name}(mnp.array({example[0]}), mnp.array({example[1]})))
        {shown}
"""


def _two(
    *names: str,
    compute: Callable[[Tensor, Tensor], Tensor],
    words: str,
    formula: str = "",
    example: tuple[str, str],
    shown: str,
    convert: bool = True,
    result: str = "the common type",
    difference: str = "a number counts as a tensor of int32, float32 or bool",
    samples: Iterable[str] = ("f(2, 3), f(3)", "i(3), i(3) + 1", "i(2, 3), f(3)"),
    reference: str | None = None,
    differentiable: bool = True,
    module: Any = _math,
    shapes: bool = True,
    errors: Iterable[tuple[str, type[Exception], str]] = (),
) -> None:
    """Declare a function of two tensors; with `convert`, numbers and lists are taken too."""
    name = names[0]

    def converting(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
        return typed(name, compute(array(name, "x1", x1), array(name, "x2", x2)), dtype)

    def strict(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
        return typed(name, compute(x1, x2), dtype)

    impl = converting if convert else strict
    impl.__name__ = name
    impl.__doc__ = _TWO_DOC.format(
        words=words,
        formula=f": :math:`{formula}`" if formula else "",
        kind="Union[Tensor, number, list, tuple]" if convert else "Tensor",
        result=result,
        difference=difference,
        name=name,
        example=example,
        shown=shown.replace("\n", "\n        "),
    )
    items = [("f(2), 'a'" if convert else "f(2), 2", TypeError, "numpy." + name), *errors]
    if shapes:
        operand = "i(2, 3), i(2)" if "bitwise" in name else "f(2, 3), f(2)"
        items.append((operand, ValueError, "numpy." + name))
    module(
        *names,
        samples=samples,
        errors=items,
        reference=reference or f"np.{name}(x1, x2)",
        differentiable=differentiable,
    )(impl)


_two(
    "add",
    compute=unsigned(arithmetic.add),
    words="Add",
    formula="x_1 + x_2",
    example=("[1, 2]", "[3.5, 4.5]"),
    shown="[4.5 6.5]",
)
_two(
    "subtract",
    compute=unsigned(arithmetic.sub),
    words="Subtract",
    formula="x_1 - x_2",
    example=("[1, 2]", "[3, 5]"),
    shown="[-2 -3]",
)
_two(
    "multiply",
    compute=unsigned(lambda x1, x2: torch.mul(*promoted(x1, x2))),
    words="Multiply",
    formula="x_1 x_2",
    example=("[1, 2]", "[3, 4]"),
    shown="[3 8]",
    convert=False,
)


def _divide(x1: Tensor, x2: Tensor) -> Tensor:
    if x1.dtype not in _SINGLE and x2.dtype not in _SINGLE:
        # only float16 and float32 count as floating here
        x1, x2 = x1.to(torch.float32), x2.to(torch.float32)
    return torch.true_divide(*to_common(x1, x2))


_SINGLE = frozenset((torch.float16, torch.float32))
_QUOTIENTS = ("f(2, 3), p(3)", "i(3), i(3) + 1", "i(2, 3), p(3)")
_two(
    "divide",
    compute=_divide,
    words="Divide",
    formula="x_1 / x_2",
    example=("[1, 2]", "[2, 4]"),
    shown="[0.5 0.5]",
    result="float16 or float32; everything else, float64 too, is divided in float32",
    difference="float64 is divided in float32",
    samples=_QUOTIENTS,
)
_two(
    "true_divide",
    compute=_divide,
    words="Divide",
    formula="x_1 / x_2",
    example=("[1, 2]", "[2, 4]"),
    shown="[0.5 0.5]",
    result="float16 or float32; everything else, float64 too, is divided in float32",
    difference="float64 is divided in float32",
    samples=_QUOTIENTS,
)
_two(
    "power",
    compute=arithmetic.pow,
    words="Raise to a power",
    formula="x_1^{x_2}",
    example=("[1.0, 3.0]", "[3.0, 2.0]"),
    shown="[1. 9.]",
    samples=("p(2, 3), f(3)", "i(3), i(3)"),
)


@_math(
    "float_power",
    samples=("p(2, 3), f(3)", "i(3), i(3)"),
    errors=(("f(2), 2", TypeError, "numpy.float_power"), ("f(2), f(3)", ValueError, "float_power")),
    reference="np.float_power(x1, x2)",
    differentiable=False,
)
def _float_power(x1: Tensor, x2: Tensor, dtype: Any = None) -> Tensor:
    """Raise to a power in float32, element by element: :math:`x_1^{x_2}`.

    Args:
        x1 (Tensor): the bases.
        x2 (Tensor): the exponents; shapes broadcast.
        dtype (Type): the type of the result. Default None: float32.

    Returns: Tensor of the broadcast shape.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: ``torch.float_power`` computes in float64.

    >>> import agar.numpy as mnp
    >>> print(mnp.float_power(mnp.array([1, 2]), mnp.array([3, 3])))
    [1. 8.]
    """
    return typed("float_power", torch.pow(x1.to(torch.float32), x2.to(torch.float32)), dtype)


def _extreme(name: str, compute: Callable[..., Tensor], word: str, shown: str) -> Any:
    """Declare minimum or maximum."""

    def impl(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
        first, second = array(name, "x1", x1), array(name, "x2", x2)
        if first.ndim == 0 and second.ndim > 0:
            dtype = second.dtype
        elif second.ndim == 0 and first.ndim > 0:
            dtype = first.dtype
        return typed(name, compute(*to_common(first, second)), dtype)

    impl.__name__ = name
    impl.__doc__ = f"""The {word} of two numbers, element by element; nan wins.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the first operand.
        x2 (Union[Tensor, number, list, tuple]): the second; shapes broadcast.
        dtype (Type): the type of the result. Default None: the common type. Beside an operand
            without dimensions the type of the other one is taken whatever `dtype` is.

    Returns:
        Tensor of the broadcast shape.

    Raises:
        TypeError: an operand is of another type.
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: numbers and lists are accepted.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.{name}(mnp.array([1, 4]), mnp.array([2, 3])))
        {shown}
    """
    _math(
        name,
        samples=("f(2, 3), f(3)", "i(3), i(3)", "f(3), f()"),
        errors=(
            ("f(2), 'a'", TypeError, "numpy." + name),
            ("f(2), f(3)", ValueError, "numpy." + name),
        ),
        reference=f"np.{name}(x1, x2)",
    )(impl)
    return impl


_smaller = _extreme("minimum", torch.minimum, "smaller", "[1 3]")
_larger = _extreme("maximum", torch.maximum, "larger", "[2 4]")


def _both_floating(x1: Tensor, x2: Tensor) -> tuple[Tensor, ...]:
    return to_common(floating(x1), floating(x2))


_two(
    "logaddexp",
    compute=lambda x1, x2: torch.logaddexp(*_both_floating(x1, x2)),
    words="Logarithm of the sum of exponentials",
    formula=r"\ln(e^{x_1} + e^{x_2})",
    example=("[0.0]", "[0.0]"),
    shown="[0.6931472]",
    difference="integers give float32",
)
_two(
    "logaddexp2",
    compute=lambda x1, x2: torch.logaddexp2(*_both_floating(x1, x2)),
    words="Logarithm to base 2 of the sum of powers of two",
    formula=r"\log_2(2^{x_1} + 2^{x_2})",
    example=("[0.0, 2.0]", "[0.0, 2.0]"),
    shown="[1. 3.]",
    convert=False,
    difference="integers give float32",
)
_two(
    "hypot",
    compute=lambda x1, x2: torch.hypot(*_both_floating(x1, x2)),
    words="Length of the hypotenuse",
    formula=r"\sqrt{x_1^2 + x_2^2}",
    example=("[3.0, 5.0]", "[4.0, 12.0]"),
    shown="[ 5. 13.]",
)
_two(
    "arctan2",
    compute=lambda x1, x2: torch.atan2(*to_common(angle(x1), angle(x2))),
    words="Angle in radians of the point with ordinate `x1` and abscissa `x2`",
    example=("[0.0]", "[1.0]"),
    shown="[0.]",
    convert=False,
    result=TRIGONOMETRIC,
    difference="8-bit integers and bool give float16",
)
_two(
    "heaviside",
    compute=lambda x1, x2: _step(*to_common(x1, x2)),
    words="Unit step: 0 for negative numbers, 1 for positive ones, `x2` at zero",
    example=("[-1.5, 0.0, 2.0]", "0.5"),
    shown="[0.  0.5 1. ]",
    differentiable=False,
)


def _step(x1: Tensor, x2: Tensor) -> Tensor:
    x1, x2 = torch.broadcast_tensors(x1, x2)
    # the gradient with respect to x2 is that at zero alone
    return torch.where(x1 < 0, 0, torch.where(x1 > 0, 1, x2)).to(x2.dtype)


def _floor_divide(x1: Tensor, x2: Tensor) -> Tensor:
    x1, x2 = to_common(x1, x2)
    return integer_quotient("numpy.floor_divide", x1, x2, "floor")


_two(
    "floor_divide",
    compute=_floor_divide,
    words="Divide and round down",
    formula=r"\lfloor x_1 / x_2 \rfloor",
    example=("[7.0, -7.0]", "2"),
    shown="[ 3. -4.]",
    samples=("f(2, 3), p(3)", "i(3), i(3) + 1"),
    errors=(("i(2), 0", ZeroDivisionError, "numpy.floor_divide"),),
    difference="a number counts as a tensor of int32, float32 or bool; dividing integers by zero "
    "raises ZeroDivisionError",
    differentiable=False,
)


def _remainder(x1: Tensor, x2: Tensor, compute: Callable[..., Tensor]) -> Tensor:
    x1, x2 = to_common(x1, x2)
    if x1.is_floating_point():
        return compute(x1, x2)
    if x1.dtype is torch.bool:
        return torch.zeros_like(torch.logical_or(x1, x2))
    # a remainder of division by zero is zero for integers
    zero = x2 == 0
    result = compute(x1, torch.where(zero, 1, x2).to(x2.dtype))
    return torch.where(zero, 0, result).to(x1.dtype)


_REMAINDERS = ("f(2, 3), p(3)", "i(3), i(3) + 1", "i(3) - 2, 3")
_two(
    "remainder",
    "mod",
    compute=lambda x1, x2: _remainder(x1, x2, torch.remainder),
    words="Remainder that has the divisor's sign",
    formula=r"x_1 - x_2 \lfloor x_1 / x_2 \rfloor",
    example=("[7, -7]", "3"),
    shown="[1 2]",
    samples=_REMAINDERS,
    difference="the remainder of division by the integer zero is zero",
)
_two(
    "fmod",
    compute=lambda x1, x2: _remainder(x1, x2, torch.fmod),
    words="Remainder that has the dividend's sign",
    formula=r"x_1 - x_2 \operatorname{trunc}(x_1 / x_2)",
    example=("[7, -7]", "3"),
    shown="[ 1 -1]",
    samples=_REMAINDERS,
    difference="the remainder of division by the integer zero is zero",
)


@_math(
    "divmod",
    samples=("f(2, 3), p(3)", "i(3), i(3) + 1"),
    errors=(("f(2), 'a'", TypeError, "numpy.divmod"),),
    reference="np.divmod(x1, x2)",
    differentiable=False,
)
def _divmod(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> tuple[Tensor, Tensor]:
    """Quotient rounded down and remainder, element by element.

    Args:
        x1 (Union[Tensor, number, list, tuple]): the dividend.
        x2 (Union[Tensor, number, list, tuple]): the divisor; shapes broadcast.
        dtype (Type): the type of the results. Default None: the common type.

    Returns: Two Tensors of the broadcast shape, as `floor_divide` and `remainder` give them.
    Raises TypeError: an operand is of another type.
    Raises ValueError: the shapes do not broadcast.
    Raises ZeroDivisionError: integers are divided by zero.
    Difference from PyTorch: torch has two functions.

    >>> import agar.numpy as mnp
    >>> quotient, rest = mnp.divmod(mnp.array([7, -7]), 3)
    >>> print(quotient, rest)
    [ 2 -3] [1 2]
    """
    x1, x2 = array("divmod", "x1", x1), array("divmod", "x2", x2)
    quotient = _floor_divide(x1, x2)
    rest = _remainder(x1, x2, torch.remainder)
    return typed("divmod", quotient, dtype), typed("divmod", rest, dtype)


@_math(
    "copysign",
    samples=("f(2, 3), f(3)", "i(3) + 1, f(3)"),
    errors=(
        ("f(2), 'a'", TypeError, "numpy.copysign"),
        ("b(2), f(2)", TypeError, "bool"),
        ("f(2), f(3)", ValueError, "numpy.copysign"),
    ),
    reference="np.copysign(x1, x2)",
)
def _copysign(x1: Tensor | Any, x2: Tensor | Any, dtype: Any = None) -> Tensor:
    """The numbers of `x1` with the signs of `x2`, element by element.

    Args:
        x1 (Union[Tensor, int, float, list, tuple]): the numbers.
        x2 (Union[Tensor, int, float, list, tuple]): their signs; shapes broadcast. Zero of either
            sign counts as positive.
        dtype (Type): the type of the result. Default None: that of `x1`.

    Returns: Tensor of the broadcast shape.
    Raises TypeError: an operand is bool or of another type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: a negative zero is not a negative sign; integers stay integers.

    >>> import agar.numpy as mnp
    >>> print(mnp.copysign(mnp.array([1, -1, -1]), mnp.array([-1, 1, -1])))
    [-1  1 -1]
    """
    x1, x2 = array("copysign", "x1", x1), array("copysign", "x2", x2)
    for name, value in (("x1", x1), ("x2", x2)):
        if value.dtype is torch.bool:
            raise TypeError(f"For 'numpy.copysign', '{name}' must be of numbers, but got bool.")
    size = torch.abs(x1)
    return typed("copysign", torch.where(x2 < 0, -size, size), dtype)


@_math(
    "clip",
    samples=("f(2, 3), -0.5, 0.5", "i(5), 1, None", "f(2, 3), f(3), None", "f(3), None, 0.0"),
    errors=(
        ("f(3), None, None", ValueError, "numpy.clip"),
        ("'a', 1, 2", TypeError, "numpy.clip"),
    ),
    reference="np.clip(x, xmin, xmax)",
)
def _clip(x: Tensor | Any, xmin: Tensor | Any, xmax: Tensor | Any, dtype: Any = None) -> Tensor:
    """Limit numbers to an interval, element by element.

    Args:
        x (Union[Tensor, number, list, tuple]): the input.
        xmin (Union[Tensor, number, list, tuple, None]): the lower limit; None for no limit.
        xmax (Union[Tensor, number, list, tuple, None]): the upper limit; None for no limit. Shapes
            broadcast.
        dtype (Type): the type of the result. Default None: as `maximum` and `minimum` give it.

    Returns: Tensor of the broadcast shape.
    Raises TypeError: an operand is of another type.
    Raises ValueError: both limits are None, or the shapes do not broadcast.
    Difference from PyTorch: a limit without dimensions does not change the type.

    >>> import agar.numpy as mnp
    >>> print(mnp.clip(mnp.array([1, 2, 3, -4]), 0, 2))
    [1 2 2 0]
    """
    if xmin is None and xmax is None:
        raise ValueError("For 'numpy.clip', one of 'xmin' and 'xmax' must be given.")
    x = array("clip", "x", x)
    if xmin is not None:
        x = _larger(x, array("clip", "xmin", xmin), dtype)
    if xmax is not None:
        x = _smaller(x, array("clip", "xmax", xmax), dtype)
    return x


def _gcd(x1: Tensor, x2: Tensor) -> Tensor:
    x1, x2 = to_common(x1, x2)
    if x1.dtype is torch.bool:
        return x1 | x2
    if not x1.is_floating_point():
        return torch.gcd(x1, x2)
    large, small = torch.broadcast_tensors(x1.abs(), x2.abs())
    while bool((small > 0).any()):  # Euclid's algorithm; not a number ends it
        divided = small > 0
        rest = torch.fmod(large, torch.where(divided, small, 1))
        large, small = torch.where(divided, small, large), torch.where(divided, rest, small)
    return torch.where(torch.isnan(x1 + x2), torch.nan, large)


def _lcm(x1: Tensor, x2: Tensor) -> Tensor:
    x1, x2 = to_common(x1, x2)
    if x1.dtype is torch.bool:
        return x1 & x2
    if not x1.is_floating_point():
        return torch.lcm(x1, x2)
    divisor = _gcd(x1, x2)
    return torch.where(divisor == 0, 0, (x1 * x2).abs() / divisor)


_two(
    "gcd",
    compute=_gcd,
    words="Greatest common divisor",
    example=("[12, 20]", "[8, 30]"),
    shown="[ 4 10]",
    samples=("i(2, 3) + 2, i(3) + 4", "i(3), 4"),
    difference="floats and bools have one too",
    shapes=False,
    differentiable=False,
)
_two(
    "lcm",
    compute=_lcm,
    words="Least common multiple",
    example=("[4, 6]", "[6, 8]"),
    shown="[12 24]",
    samples=("i(2, 3) + 2, i(3) + 4", "i(3), 4"),
    difference="floats and bools have one too",
    shapes=False,
    differentiable=False,
)

_INTEGERS = ("i(2, 3), i(3)", "b(3), b(3)", "i(3), 2")
_two(
    "bitwise_and",
    compute=unsigned(lambda x1, x2: torch.bitwise_and(*to_common(x1, x2))),
    words="Bits that both integers have",
    example=("[12, 10]", "[10, 6]"),
    shown="[8 2]",
    samples=_INTEGERS,
    differentiable=False,
)
_two(
    "bitwise_or",
    compute=unsigned(lambda x1, x2: torch.bitwise_or(*to_common(x1, x2))),
    words="Bits that one of the integers has",
    example=("[12, 10]", "[10, 6]"),
    shown="[14 14]",
    samples=_INTEGERS,
    differentiable=False,
)
_two(
    "bitwise_xor",
    compute=unsigned(lambda x1, x2: torch.bitwise_xor(*to_common(x1, x2))),
    words="Bits in which the integers differ",
    example=("[12, 10]", "[10, 6]"),
    shown="[ 6 12]",
    samples=_INTEGERS,
    differentiable=False,
)
