"""Division, its roundings and remainders."""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor

from agar.ops._checks import choice
from agar.ops.math.arithmetic import NEGATIVE, PAIR_ERRORS
from agar.ops.math.elementwise import (
    both_tensors,
    by_zero,
    input_is_integer,
    integer_quotient,
    promoted,
)
from agar.ops.spec import Pair, Scalar, op, primitive

__all__: list[str] = []


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
        "torch.tensor([-3, 3, -2]), 2, rounding_mode='floor'",
        "torch.tensor([-3, 3, -2]), 2, rounding_mode='trunc'",
    ),
    errors=(
        *PAIR_ERRORS,
        ("f(2), 2, rounding_mode='up'", ValueError, "rounding_mode"),
        ("i(2), 0, rounding_mode='floor'", ZeroDivisionError, "div"),
    ),
    fast=Pair(torch.true_divide, numbers=True, mixed=True, when="rounding_mode is None"),
)
def div(
    input: Tensor | Scalar, other: Tensor | Scalar, *, rounding_mode: str | None = None
) -> Tensor:
    r"""Divide, element by element: :math:`out_i = input_i / other_i`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
        rounding_mode (str): ``"floor"`` rounds the quotient down, ``"trunc"`` toward zero; None
            keeps the true quotient. Default: None.

    Returns: Tensor of the broadcast shape. Integers give float32 without rounding and their common
        type with it.
    Raises ValueError: the shapes do not broadcast, or `rounding_mode` is unknown.
    Raises ZeroDivisionError: integers are divided by zero with rounding.

    >>> x = ms.Tensor([7, -7])
    >>> print(ms.ops.div(x, 2), ms.ops.div(x, 2, rounding_mode="floor"))
    [ 3.5 -3.5] [ 3 -4]
    """
    if not isinstance(input, Tensor):
        input, other = promoted(input, other)
    if rounding_mode is None:
        return torch.true_divide(input, cast("Tensor", other))
    choice("div", "rounding_mode", rounding_mode, ("floor", "trunc"))
    return integer_quotient("div", input, other, rounding_mode)


@op(
    function="true_divide",
    method=("true_divide", "__truediv__"),
    primitive="Div",
    fast=Pair(torch.true_divide, numbers=True, mixed=True),
    samples=("f(2, 3), p(3)", "f(3), 2", "i(3), 2", "2.5, p(3)"),
    errors=PAIR_ERRORS,
    renamed={"Tensor.true_divide": {"divisor": "other"}},
)
def true_divide(dividend: Tensor | Scalar, divisor: Tensor | Scalar) -> Tensor:
    r"""Divide, element by element: :math:`out_i = dividend_i / divisor_i`.

    Args:
        dividend (Union[Tensor, number, bool]): the dividend.
        divisor (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns: Tensor of the broadcast shape; integers give float32.
    Raises ValueError: the shapes do not broadcast.

    >>> print(ms.Tensor([7, -7]) / 2)
    [ 3.5 -3.5]
    """
    return div(dividend, divisor)


@op(
    "div",
    function=False,
    method="__rtruediv__",
    samples=("p(3), 2", "i(3) + 1, 2"),
    errors=(("f(2), 'x'", TypeError, "Tensor"),),
)
def _rtruediv(input: Tensor, other: Tensor | Scalar) -> Tensor:
    r"""Divide a number: :math:`out_i = other / input_i`, see :func:`ops.div`.

    >>> print(1 / ms.Tensor([2, 4]))
    [0.5  0.25]
    """
    return div(other, input)


@op(
    "RealDiv",
    function="tensor_div",
    primitive="RealDiv",
    samples=("f(2, 3), p(3)", "i(3), i(3) + 1", NEGATIVE),
    errors=(("i(2), 0", ZeroDivisionError, "RealDiv"),),
)
def tensor_div(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Divide within the common type: :math:`out_i = x_i / y_i`, integers truncated.

    Args:
        x (Union[Tensor, number]): the dividend.
        y (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Raises ZeroDivisionError: integers are divided by zero.
    Difference from PyTorch: integers stay integers; ``torch.div(..., rounding_mode="trunc")``.

    >>> print(ms.ops.RealDiv()(ms.Tensor([7, -7]), ms.Tensor([2, 2])))
    [ 3 -3]
    """
    x, y = promoted(x, y)
    if input_is_integer(x) and not isinstance(y, float):
        return integer_quotient("RealDiv", x, y, "trunc")
    return torch.true_divide(x, cast("Tensor", y))


@op(
    "floor_div",
    function=("floor_div", "floordiv", "tensor_floordiv"),
    renamed={
        "floordiv": {"x": "input", "y": "other"},
        "tensor_floordiv": {"x": "input", "y": "other"},
    },
    primitive="FloorDiv",
    samples=("f(2, 3), p(3)", "f(3), 2", "i(3), 2", "b(3), b(3) | True", NEGATIVE),
    errors=(*PAIR_ERRORS, ("i(2), 0", ZeroDivisionError, "floor_div")),
    differentiable=False,
)
def floor_div(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Divide and round down: :math:`out_i = \lfloor x_i / y_i \rfloor`.

    Args:
        x (Union[Tensor, number, bool]): the dividend.
        y (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Raises ZeroDivisionError: integers are divided by zero.
    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other; bool is
        accepted; dividing integers by zero raises ZeroDivisionError (MindSpore returns a number
        without meaning).

    >>> print(ms.Tensor([7, -7]) // 2)
    [ 3 -4]
    """
    return _floored_quotient("floor_div", x, y)


def _floored_quotient(name: str, x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    x, y = promoted(x, y)
    if x.dtype is torch.bool and (isinstance(y, bool) or getattr(y, "dtype", None) is torch.bool):
        return integer_quotient(name, x.byte(), y, "floor").bool()
    return integer_quotient(name, x, y, "floor")


@op(
    function="floor_divide",
    method=("floor_divide", "__floordiv__"),
    mint="floor_divide",
    samples=("f(2, 3), p(3)", "f(3), 2", "i(3), 2", NEGATIVE),
    errors=(*PAIR_ERRORS, ("i(2), 0", ZeroDivisionError, "floor_divide")),
    differentiable=False,
)
def floor_divide(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Divide and round down: :math:`out_i = \lfloor input_i / other_i \rfloor`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Raises ZeroDivisionError: integers are divided by zero.
    Difference from PyTorch: as :func:`ops.floor_div`.

    >>> print(ms.ops.floor_divide(ms.Tensor([7.0, -7.0]), 2))
    [ 3. -4.]
    """
    return _floored_quotient("floor_divide", input, other)


@op(
    "floor_divide",
    function=False,
    method="__rfloordiv__",
    samples=("p(3), 2",),
    errors=(
        ("f(2), 'x'", TypeError, "Tensor"),
        ("torch.tensor([2, 0]), 1", ZeroDivisionError, "by zero"),
    ),
    differentiable=False,
)
def _rfloordiv(input: Tensor, other: Tensor | Scalar) -> Tensor:
    r"""Divide a number and round down: :math:`out_i = \lfloor other / input_i \rfloor`.

    >>> print(7 // ms.Tensor([2, -2]))
    [ 3 -4]
    """
    return _floored_quotient("floor_divide", other, input)


@op(
    function=("floor_mod", "floormod", "tensor_mod"),
    primitive="FloorMod",
    samples=("f(2, 3), p(3)", "f(3), 2", "i(3), 2", NEGATIVE),
    errors=(*PAIR_ERRORS, ("i(2), 0", ZeroDivisionError, "floor_mod")),
)
def floor_mod(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Remainder of a division that rounds down: :math:`x_i - \lfloor x_i/y_i \rfloor y_i`.

    Args:
        x (Union[Tensor, number, bool]): the dividend.
        y (Union[Tensor, number, bool]): the divisor; the result has its sign.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Raises ZeroDivisionError: integers are divided by zero.
    Difference from PyTorch: ``torch.remainder``; a 0-d tensor takes part in type promotion like any
        other.

    >>> print(ms.Tensor([7, -7]) % 3)
    [1 2]
    """
    return _floored_remainder("floor_mod", x, y)


def _floored_remainder(name: str, x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    x, y = promoted(x, y)
    try:
        return torch.remainder(x, y)
    except RuntimeError as error:
        if "ZeroDivision" in str(error):
            raise by_zero(name) from error
        raise


@op(
    method=("remainder", "__mod__"),
    mint=True,
    samples=("f(2, 3), p(3)", "f(3), 2", "i(3), 2", NEGATIVE),
    errors=(*PAIR_ERRORS, ("i(2), 0", ZeroDivisionError, "remainder")),
    keywords={"divisor": "other"},
)
def remainder(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Remainder with the divisor's sign: :math:`out = input - \lfloor input/other \rfloor other`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Raises ZeroDivisionError: integers are divided by zero.
    Difference from PyTorch: a 0-d tensor takes part in type promotion like any other.

    >>> print(ms.ops.remainder(ms.Tensor([5.0, -5.0]), 3))
    [2. 1.]
    """
    return _floored_remainder("remainder", input, other)


@op(
    "remainder",
    function=False,
    method="__rmod__",
    samples=("p(3), 2",),
    errors=(
        ("f(2), 'x'", TypeError, "Tensor"),
        ("torch.tensor([2, 0]), 1", ZeroDivisionError, "by zero"),
    ),
)
def _rmod(input: Tensor, other: Tensor | Scalar) -> Tensor:
    r"""Remainder of a number divided by the elements, with their sign.

    >>> print(7 % ms.Tensor([3, -3]))
    [ 1 -2]
    """
    return _floored_remainder("remainder", other, input)


@op(
    method=True,
    mint=True,
    samples=("f(2, 3), p(3)", "f(3), 2", "i(3), 2", NEGATIVE),
    errors=(*PAIR_ERRORS, ("i(2), 0", ZeroDivisionError, "fmod")),
)
def fmod(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Remainder with the dividend's sign: :math:`out = input - trunc(input/other) \cdot other`.

    Args:
        input (Union[Tensor, number]): the dividend.
        other (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type, as for :func:`ops.mul`.
    Raises ValueError: the shapes do not broadcast.
    Raises ZeroDivisionError: integers are divided by zero.

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
            raise by_zero(name) from error
        raise


@op(
    function="truncate_mod",
    primitive=("TruncateMod", "Mod"),
    samples=("f(2, 3), p(3)", "i(3), 2", NEGATIVE),
    errors=(("i(2), 0", ZeroDivisionError, "truncate_mod"),),
)
def truncate_mod(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Remainder of the division that truncates: :math:`out_i = x_i - trunc(x_i/y_i)\, y_i`.

    Args:
        x (Union[Tensor, number]): the dividend, whose sign the result has.
        y (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Raises ZeroDivisionError: integers are divided by zero.
    Difference from PyTorch: ``torch.fmod``; a 0-d tensor takes part in type promotion like any
        other.

    >>> print(ms.ops.truncate_mod(ms.Tensor([7, -7]), ms.Tensor([3, 3])))
    [ 1 -1]
    """
    x, y = promoted(x, y)
    return _truncated_remainder("truncate_mod", x, y)


@op(
    function="truncate_div",
    primitive="TruncateDiv",
    samples=("f(2, 3), p(3)", "i(3), 2", NEGATIVE),
    errors=(("i(2), 0", ZeroDivisionError, "truncate_div"),),
    differentiable=False,
)
def truncate_div(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Divide and round toward zero: :math:`out_i = trunc(x_i / y_i)`.

    Args:
        x (Union[Tensor, number]): the dividend.
        y (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Raises ZeroDivisionError: integers are divided by zero.
    Difference from PyTorch: ``torch.div(..., rounding_mode="trunc")``.

    >>> print(ms.ops.truncate_div(ms.Tensor([7, -7]), ms.Tensor([2, 2])))
    [ 3 -3]
    """
    x, y = promoted(x, y)
    return integer_quotient("truncate_div", x, y, "trunc")


@primitive(
    "DivNoNan",
    samples=("f(2, 3), p(3)", "i(3), i(3)", "f(2, 3), i(3)"),
    errors=PAIR_ERRORS,
)
def _div_no_nan(x1: Tensor | Scalar, x2: Tensor | Scalar) -> Tensor:
    r"""Divide, with 0 where the divisor is 0: :math:`out_i = x1_i / x2_i`.

    Args:
        x1 (Union[Tensor, number]): the dividend.
        x2 (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.DivNoNan()(ms.Tensor([1.0, 2.0]), ms.Tensor([0.0, 4.0])))
    [0.  0.5]
    """
    x1, x2 = both_tensors(x1, x2)
    zero = x2 == 0
    # the divisor is replaced before the division, so that the gradient has no 0/0 either
    safe = torch.where(zero, torch.ones_like(x2), x2)
    quotient = (
        integer_quotient("DivNoNan", x1, safe, "trunc") if input_is_integer(x1) else x1 / safe
    )
    return torch.where(zero, torch.zeros_like(quotient), quotient)
