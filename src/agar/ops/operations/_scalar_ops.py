"""Primitives over Python numbers, at MindSpore's path ``ops.operations._scalar_ops``."""

from __future__ import annotations

import operator
from typing import Any

from agar.ops import _paths
from agar.ops._private import Register
from agar.ops.python import values as python_values

_register = Register(__name__)

for _name, _of, _words in (
    ("ScalarAdd", "scalar_add", "The sum of two numbers."),
    ("ScalarSub", "scalar_sub", "The difference of two numbers."),
    ("ScalarMul", "scalar_mul", "The product of two numbers."),
    ("ScalarDiv", "scalar_div", "The quotient of two numbers."),
    ("ScalarFloorDiv", "scalar_floordiv", "The quotient of two numbers, rounded down."),
    ("ScalarMod", "scalar_mod", "The remainder of two numbers, with the divisor's sign."),
    ("ScalarPow", "scalar_pow", "A power of two numbers."),
    ("ScalarMax", "scalar_max", "The larger of two numbers."),
    ("ScalarMin", "scalar_min", "The smaller of two numbers."),
    ("ScalarEq", "scalar_eq", "Whether two numbers are equal."),
    ("ScalarGt", "scalar_gt", "Whether the first number is larger."),
    ("ScalarGe", "scalar_ge", "Whether the first number is not smaller."),
    ("ScalarLt", "scalar_lt", "Whether the first number is smaller."),
    ("ScalarLe", "scalar_le", "Whether the first number is not larger."),
    ("ScalarLog", "scalar_log", "The natural logarithm of a number."),
    ("ScalarUadd", "scalar_uadd", "The number itself."),
    ("ScalarUsub", "scalar_usub", "The negative number."),
    ("bool_not", "bool_not", "The opposite of a truth value."),
):
    _register.value(_name, getattr(python_values, _of), _words)
_register.value("ScalarBool", bool, "Whether a number is not 0.")
_register.value("bit_and", operator.and_, "The bits that two integers have in common.")
_register.value("bit_or", operator.or_, "The bits that one of two integers has.")


def __getattr__(name: str) -> Any:
    return _register.find(name) if name in _register.names() else _paths.find(__name__, name)


def __dir__() -> list[str]:
    return _register.names()
