"""Arithmetic of two operands: sums, products, quotients, remainders, powers, extremes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar.ops.math.elementwise import (
    SOURCE,
    as_tensor,
    both_tensors,
    input_is_integer,
    promoted,
)
from agar.ops.spec import Pair, Scalar, op, primitive

__all__ = ["NEGATIVE", "PAIR_ERRORS"]


_PAIR = ("f(2, 3), f(3)", "f(2, 3), 2", "2.5, f(3)", "i(3), f()", "i(2, 3), i(3)")
# the ways of rounding differ here
NEGATIVE = "torch.tensor([-3, 3, -2]), 2"
_NANS = "torch.tensor([1.0, float('nan'), 3.0]), torch.tensor([float('nan'), 2.0, 2.0])"
PAIR_ERRORS = (
    ("f(2, 3), f(2)", ValueError, "broadcast"),
    ("f(2), 'x'", TypeError, "Tensor"),
    ("f(2), np.ones(2)", TypeError, "ms.Tensor(array)"),
)


@op(
    function=("add", "tensor_add"),
    method=("__add__", "__radd__"),
    primitive=("Add", "TensorAdd"),
    fast=Pair(torch.add, numbers=True),
    samples=_PAIR,
    errors=PAIR_ERRORS,
)
def add(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Add, element by element: :math:`out_i = input_i + other_i`.

    Args:
        input (Union[Tensor, number, bool]): the first summand.
        other (Union[Tensor, number, bool]): the second; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type; a number takes the tensor's type,
        except that a float with integers gives float32.
    Raises TypeError: an argument is neither a Tensor nor a number, or the types cannot be combined.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other.

    >>> print(ms.ops.add(ms.Tensor([1, 2]), 0.5))
    [1.5 2.5]
    """
    input, other = promoted(input, other)
    return torch.add(input, other)


@op(
    "add",
    function=False,
    method="add",
    mint="add",
    samples=("f(2), f(2)", "f(2), 2, alpha=3"),
    errors=(
        *PAIR_ERRORS,
        ("f(2), 2, alpha='x'", TypeError, "alpha"),
        ("i(2), 2, alpha=1.5", TypeError, "alpha"),
    ),
    fast=Pair(torch.add, numbers=True, when="type(alpha) is int and alpha == 1"),
)
def _add_alpha(input: Tensor | Scalar, other: Tensor | Scalar, *, alpha: float = 1) -> Tensor:
    r"""Add a multiple, element by element: :math:`out_i = input_i + alpha \cdot other_i`.

    Args:
        input (Union[Tensor, number]): the first summand.
        other (Union[Tensor, number]): the second; shapes broadcast.
        alpha (number): the factor. Default: 1.

    Returns: Tensor of the broadcast shape and the common type.
    Raises TypeError: an argument is neither a Tensor nor a number, or `alpha` a float and both
        operands integers.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other.

    >>> print(ms.Tensor([1.0, 2.0]).add(ms.Tensor([1.0, 1.0]), alpha=2))
    [3. 4.]
    """
    input, other = promoted(input, other)
    if isinstance(alpha, float):
        kind = torch.result_type(input, other)
        if not (kind.is_floating_point or kind.is_complex):
            raise TypeError(
                f"For 'add', 'alpha' must be an int where the sum is of type {FROM_TORCH[kind]}, "
                f"but got {alpha}; convert an operand with .astype(...)."
            )
    return torch.add(input, other, alpha=alpha)


@op(
    function=("sub", "tensor_sub"),
    method="__sub__",
    primitive="Sub",
    fast=Pair(torch.sub, numbers=True),
    samples=(*_PAIR, "b(2, 3), b(3)"),
    errors=PAIR_ERRORS,
)
def sub(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Subtract, element by element: :math:`out_i = input_i - other_i`.

    Args:
        input (Union[Tensor, number, bool]): the minuend.
        other (Union[Tensor, number, bool]): the subtrahend; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type, as for :func:`ops.add`; two bool
        tensors give their exclusive or.
    Raises TypeError: an argument is neither a Tensor nor a number, or the types cannot be combined.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other; bool minus
        bool is defined.

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
    try:
        return torch.sub(input, other)
    except RuntimeError:
        # a number in the first place has the type, which a bool tensor does not take by itself
        if not isinstance(other, Tensor) or other.dtype is not torch.bool:
            raise
        return torch.sub(input, other.to(input.dtype))


@op(
    "sub",
    function=False,
    method="__rsub__",
    samples=("f(3), 2", "i(3), 1.5"),
    errors=(("f(2), 'x'", TypeError, "Tensor"),),
)
def _rsub(input: Tensor, other: Tensor | Scalar) -> Tensor:
    r"""Subtract from a number: :math:`out_i = other - input_i`, see :func:`ops.sub`.

    >>> print(1 - ms.Tensor([3, 4]))
    [-2 -3]
    """
    return sub(other, input)


@op(
    function="subtract",
    method=("sub", "subtract"),
    mint="sub",
    samples=("f(2), f(2)", "f(2), 2, alpha=3"),
    errors=(*PAIR_ERRORS, ("f(2), 2, alpha='x'", TypeError, "alpha")),
    keywords={"y": "other"},
    fast=Pair(torch.sub, numbers=True, when="type(alpha) is int and alpha == 1"),
)
def subtract(input: Tensor | Scalar, other: Tensor | Scalar, *, alpha: float = 1) -> Tensor:
    r"""Subtract a multiple, element by element: :math:`out_i = input_i - alpha \cdot other_i`.

    Args:
        input (Union[Tensor, number]): the minuend.
        other (Union[Tensor, number]): the subtrahend; shapes broadcast.
        alpha (number): the factor. Default: 1.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other.

    >>> print(ms.ops.subtract(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 1.0]), alpha=2))
    [-1.  0.]
    """
    if not isinstance(alpha, Scalar):
        raise TypeError(
            f"For 'subtract', 'alpha' must be a number, but got '{type(alpha).__name__}'."
        )
    if alpha != 1:
        other = mul(other, alpha) if isinstance(other, Tensor) else other * alpha
    return sub(input, other)


@op(
    function=("mul", "multiply", "tensor_mul", "tensor_muls"),
    method=("mul", "multiply", "__mul__", "__rmul__"),
    primitive="Mul",
    mint="mul",
    fast=Pair(torch.mul, numbers=True, mixed=True),
    samples=_PAIR,
    errors=PAIR_ERRORS,
    renamed={"Tensor.multiply": {"other": "value"}},
)
def mul(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Multiply, element by element: :math:`out_i = input_i \cdot other_i`.

    Args:
        input (Union[Tensor, number, bool]): the first factor.
        other (Union[Tensor, number, bool]): the second; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type; a number or a 0-d tensor does not
        widen the type within its category (float64 times a float32 tensor is float32).
    Raises TypeError: an argument is neither a Tensor nor a number, or the types cannot be combined.
    Raises ValueError: the shapes do not broadcast.

    >>> print(ms.ops.mul(ms.Tensor([1.0, 2.0]), 3))
    [3. 6.]
    """
    if not isinstance(input, Tensor):
        input, other = promoted(input, other)
    return torch.mul(input, other)


@primitive(
    "MulNoNan",
    samples=("f(2, 3), f(3)", "f(3), i(2, 3)", "torch.tensor(float('inf')), torch.zeros(2)"),
    errors=PAIR_ERRORS,
)
def _mul_no_nan(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Multiply, with 0 where the second factor is 0, whatever the first: :math:`x_i y_i`.

    Args:
        x (Union[Tensor, number]): the first factor, may be infinite or nan.
        y (Union[Tensor, number]): the second; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.MulNoNan()(ms.Tensor([float("inf"), 2.0]), ms.Tensor([0.0, 4.0])))
    [0. 8.]
    """
    x, y = both_tensors(x, y)
    zero = y == 0
    return torch.where(zero, torch.zeros_like(y), torch.where(zero, torch.zeros_like(x), x) * y)


@primitive("SquaredDifference", samples=("f(2, 3), f(3)",), errors=PAIR_ERRORS)
def _squared_difference(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Squared difference, element by element: :math:`out_i = |x_i - y_i|^2`.

    Args:
        x (Union[Tensor, number]): the first operand.
        y (Union[Tensor, number]): the second; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.SquaredDifference()(ms.Tensor([1.0, 4.0]), ms.Tensor([3.0, 1.0])))
    [4. 9.]
    """
    difference = sub(x, y)
    if difference.is_complex():
        return difference * difference.conj()
    return torch.square(difference)


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

    Returns: Tensor of the broadcast shape and the common type; integers with a negative exponent
        give the truncated power.
    Raises TypeError: an argument is neither a Tensor nor a number, or both are bool.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other; a negative
        exponent of integers is accepted.

    >>> print(ms.Tensor([1, 2, 3]) ** 2, 2 ** ms.Tensor([1.0, 2.0]))
    [1 4 9] [2. 4.]
    """
    input, exponent = promoted(input, exponent)
    if isinstance(exponent, int) and exponent < 0 and input_is_integer(input):
        exponent = torch.full_like(input, exponent)
    return torch.pow(input, exponent)


@op(
    "pow",
    function=False,
    method="__rpow__",
    samples=("f(3), 2", "i(3), 2"),
    errors=(("f(2), 'x'", TypeError, "Tensor"),),
)
def _rpow(input: Tensor, other: Tensor | Scalar) -> Tensor:
    r"""A number to the power of the elements: :math:`out_i = other^{input_i}`.

    >>> print(2 ** ms.Tensor([1, 2, 3]))
    [2 4 8]
    """
    return pow(other, input)


@op(
    function="float_power",
    method=True,
    mint=True,
    samples=("p(2, 3), f(3)", "i(3), 2"),
    reference="np.power(np.asarray(input, float), np.asarray(exponent, float))",
    errors=PAIR_ERRORS,
    keywords={"other": "exponent"},
)
def float_power(input: Tensor | Scalar, exponent: Tensor | Scalar) -> Tensor:
    r"""Power in double precision: :math:`out_i = input_i^{exponent_i}`.

    Args:
        input (Union[Tensor, number]): the base.
        exponent (Union[Tensor, number]): the exponent; shapes broadcast.

    Returns: Tensor of float64 (complex128 for complex operands).
    Raises ValueError: the shapes do not broadcast.

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
    samples=(*_PAIR, _NANS),
    errors=PAIR_ERRORS,
)
def maximum(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""The larger element: :math:`out_i = \max(input_i, other_i)`; nan wins.

    Args:
        input (Union[Tensor, number]): the first operand.
        other (Union[Tensor, number]): the second; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: numbers are accepted; a 0-d tensor takes part in type promotion like
        any other.

    >>> print(ms.ops.maximum(ms.Tensor([1.0, 5.0]), 2))
    [2. 5.]
    """
    return torch.maximum(*both_tensors(input, other))


@op(
    method=True,
    primitive="Minimum",
    mint=True,
    fast=torch.minimum,
    samples=(*_PAIR, _NANS),
    errors=PAIR_ERRORS,
)
def minimum(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""The smaller element: :math:`out_i = \min(input_i, other_i)`; nan wins.

    Args:
        input (Union[Tensor, number]): the first operand.
        other (Union[Tensor, number]): the second; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: numbers are accepted; a 0-d tensor takes part in type promotion like
        any other.

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
    renamed: dict[str, dict[str, str]] | None = None,
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
        f"    Source: {SOURCE}.\n\n"
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
        renamed=renamed,
    )(impl)


_two_tensors(
    "fmax",
    torch.fmax,
    "The larger element; a number wins over nan",
    r"\max(x, y)",
    ("[1.0, float('nan')]", "[2.0, 3.0]", "[2. 3.]"),
    primitive="Fmax",
    samples=("f(2, 3), f(3)", "f(3), 2.0", "2.0, f(3)", _NANS),
)
_two_tensors(
    "fmin",
    torch.fmin,
    "The smaller element; a number wins over nan",
    r"\min(x, y)",
    ("[1.0, float('nan')]", "[2.0, 3.0]", "[1. 3.]"),
    primitive="Fmin",
    samples=("f(2, 3), f(3)", "f(3), 2.0", "2.0, f(3)", _NANS),
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
    renamed={"copysign": {"input": "x"}},
)
_two_tensors(
    "nextafter",
    torch.nextafter,
    "Next number toward the second",
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
    renamed={"ldexp": {"input": "x"}},
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
