"""Arithmetic, comparison, bits and conversions, in numpy's or Python's own operators."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import torch


def _pair(compute: Callable[..., Any]) -> Callable[..., np.ndarray]:
    """A function of the two arrays behind the arguments."""
    return lambda x, y: compute(np.asarray(x), np.asarray(y))


def _swapped(compute: Callable[..., Any]) -> Callable[..., np.ndarray]:
    """The same with the operands exchanged, for x.__rsub__(y) and its relatives."""
    return lambda x, y: compute(np.asarray(y), np.asarray(x))


def _by_element(compute: Callable[..., Any]) -> Callable[..., np.ndarray]:
    """A function of two arrays that broadcast, from one of Python numbers."""

    def over(x: Any, y: Any) -> np.ndarray:
        a, b = np.broadcast_arrays(np.asarray(x), np.asarray(y))
        values = [
            compute(v, w) for v, w in zip(a.ravel().tolist(), b.ravel().tolist(), strict=True)
        ]
        return np.array(values).reshape(a.shape)

    return over


# ------------------------------------------------------------------------------- arithmetic


def _integers(*values: Any) -> bool:
    return all(np.asarray(v).dtype.kind in "iu" for v in values)


def _add(x: Any, y: Any, *, alpha: float = 1) -> np.ndarray:
    return np.asarray(x) + alpha * np.asarray(y)


def _subtract(x: Any, y: Any, *, alpha: float = 1) -> np.ndarray:
    return np.asarray(x) - alpha * np.asarray(y)


def _minus(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return x != y if x.dtype == y.dtype == bool else x - y


def _div(x: Any, y: Any, *, rounding_mode: str | None = None) -> np.ndarray:
    quotient = np.asarray(x) / np.asarray(y)
    return {None: lambda q: q, "floor": np.floor, "trunc": np.trunc}[rounding_mode](quotient)


def _real_div(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.trunc(x / y) if _integers(x, y) else x / y


def _floor_div(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.floor(x * 1.0 / y)


def _floor_mod(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return x - np.floor(x / y) * y


def _truncate_mod(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return x - np.trunc(x / y) * y


def _div_no_nan(x: float, y: float) -> float:
    if y == 0:
        return 0.0
    return math.trunc(x / y) if isinstance(x, int) and isinstance(y, int) else x / y


def _mul_no_nan(x: float, y: float) -> float:
    return x * y if y else 0.0


def _power(x: float, y: float) -> float:
    """Integers with a negative exponent give the truncated power."""
    both = isinstance(x, int) and isinstance(y, int)
    return math.trunc(x**y) if both else x**y


def _wins(compute: Callable[[float, float], float], nan: bool) -> Callable[..., np.ndarray]:
    """The larger or smaller operand; of a number and nan the one that is asked for."""

    def one(x: float, y: float) -> float:
        if math.isnan(x) or math.isnan(y):
            return math.nan if nan or (math.isnan(x) and math.isnan(y)) else y if x != x else x
        return compute(x, y)

    return _by_element(one)


# ------------------------------------------------------------------------------- comparison


def _isclose(
    x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> np.ndarray:
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    return (np.abs(x - y) <= atol + rtol * np.abs(y)) | (equal_nan & (x != x) & (y != y))


def _allclose(*args: Any) -> bool:
    return bool(_isclose(*args).all())


def _approximate(x: Any, y: Any, tolerance: float = 1e-5) -> np.ndarray:
    return np.abs(np.asarray(x) - np.asarray(y)) < tolerance


def _complement(x: Any) -> np.ndarray:
    x = np.asarray(x)
    return x == 0 if x.dtype == bool else -x - 1


# ------------------------------------------------------------------------------ conversions

# Python's float is double precision
_WORDS = {float: "float64", "bool_": "bool"}


def _converted(x: Any, name: str) -> Any:
    """The array in the type of that name, integers wrapped around."""
    x = np.asarray(x)
    if name == "bool":
        return x != 0
    if name == "bfloat16":  # the upper half of a float32, rounded to even
        bits = x.astype(np.float32).view(np.uint32).astype(np.uint64)
        bits = (bits + 0x7FFF + ((bits >> np.uint64(16)) & 1)) >> np.uint64(16) << np.uint64(16)
        return bits.astype(np.uint32).view(np.float32)
    if "int" in name:
        x = np.trunc(x).astype(np.int64)
    return x.astype(name)


def _cast(x: Any, dtype: Any) -> Any:
    return _converted(x, _WORDS.get(dtype, str(dtype).lower()))


def _to(x: Any, first: Any = None, dtype: Any = None) -> Any:
    if isinstance(first, torch.Tensor):
        return _converted(x, str(first.dtype).removeprefix("torch."))
    dtype = first if dtype is None else dtype
    return x if dtype == "CPU" else _cast(x, dtype)


def _type(x: torch.Tensor, dtype: Any = None) -> Any:
    name = str(x.dtype).removeprefix("torch.")
    return name.capitalize() if dtype is None else _cast(x, dtype)


def _as(name: str) -> Callable[[Any], Any]:
    return lambda x: _converted(x, name)


REFERENCES: dict[str, Callable[..., Any]] = {
    "ops.add+Tensor.__add__+Add": _add,
    "Tensor.add+mint.add": _add,
    "ops.sub+Tensor.__sub__+Sub": _pair(_minus),
    "Tensor.__rsub__": _swapped(_minus),
    "ops.subtract+Tensor.sub+mint.sub": _subtract,
    "ops.mul+Tensor.mul+Mul+mint.mul": _pair(operator.mul),
    "ops.div+Tensor.div+mint.div": _div,
    "ops.true_divide+Tensor.true_divide+Div": _pair(operator.truediv),
    "Tensor.__rtruediv__": _swapped(operator.truediv),
    "ops.tensor_div+RealDiv": _pair(_real_div),
    "ops.floor_div+FloorDiv": _pair(_floor_div),
    "ops.floor_divide+Tensor.floor_divide+mint.floor_divide": _pair(_floor_div),
    "Tensor.__rfloordiv__": _swapped(_floor_div),
    "ops.floor_mod+FloorMod": _pair(_floor_mod),
    "ops.remainder+Tensor.remainder+mint.remainder": _pair(_floor_mod),
    "Tensor.__rmod__": _swapped(_floor_mod),
    "ops.fmod+Tensor.fmod+mint.fmod": _pair(_truncate_mod),
    "ops.truncate_mod+TruncateMod": _pair(_truncate_mod),
    "ops.truncate_div+TruncateDiv": _pair(lambda x, y: np.trunc(x / y)),
    "DivNoNan": _by_element(_div_no_nan),
    "MulNoNan": _by_element(_mul_no_nan),
    "SquaredDifference": _pair(lambda x, y: (x - y) * (x - y)),
    "ops.pow+Tensor.pow+Pow+mint.pow": _by_element(_power),
    "Tensor.__rpow__": _by_element(lambda x, y: y**x),
    "ops.maximum+Tensor.maximum+Maximum+mint.maximum": _wins(max, nan=True),
    "ops.minimum+Tensor.minimum+Minimum+mint.minimum": _wins(min, nan=True),
    "ops.fmax+Tensor.fmax+Fmax": _wins(max, nan=False),
    "ops.fmin+Tensor.fmin+Fmin": _wins(min, nan=False),
    "ops.atan2+Tensor.atan2+Atan2+mint.atan2": _by_element(math.atan2),
    "ops.hypot+Tensor.hypot+Hypot": _pair(lambda x, y: np.sqrt(x * x + y * y)),
    "ops.logaddexp+Tensor.logaddexp+mint.logaddexp": _pair(
        lambda x, y: np.log(np.exp(x) + np.exp(y))
    ),
    "ops.logaddexp2+Tensor.logaddexp2+mint.logaddexp2": _pair(
        lambda x, y: np.log(2.0**x + 2.0**y) / np.log(2)
    ),
    "ops.copysign+Tensor.copysign": _by_element(math.copysign),
    "ops.nextafter+Tensor.nextafter+NextAfter": _by_element(math.nextafter),
    "ops.ldexp+Tensor.ldexp": _by_element(lambda x, y: x * 2.0**y),
    "ops.gcd+Tensor.gcd+Gcd+mint.gcd": _by_element(math.gcd),
    "ops.lcm+Tensor.lcm+Lcm": _by_element(math.lcm),
    "ops.equal+Tensor.equal+Equal+mint.eq": _by_element(operator.eq),
    "ops.not_equal+Tensor.not_equal+NotEqual+mint.ne": _by_element(operator.ne),
    "ops.less+Tensor.less+Less+mint.less": _by_element(operator.lt),
    "ops.less_equal+Tensor.less_equal+LessEqual+mint.less_equal": _by_element(operator.le),
    "ops.greater+Tensor.greater+Greater+mint.greater": _by_element(operator.gt),
    "ops.greater_equal+Tensor.greater_equal+GreaterEqual+mint.greater_equal": _by_element(
        operator.ge
    ),
    "ops.isclose+Tensor.isclose+mint.isclose": _isclose,
    "IsClose": _isclose,
    "Tensor.allclose+mint.allclose": _allclose,
    "ops.approximate_equal+Tensor.approximate_equal": _approximate,
    "ApproximateEqual": _approximate,
    "ops.logical_and+Tensor.logical_and+LogicalAnd+mint.logical_and": _by_element(
        lambda x, y: bool(x) and bool(y)
    ),
    "ops.logical_or+Tensor.logical_or+LogicalOr+mint.logical_or": _by_element(
        lambda x, y: bool(x) or bool(y)
    ),
    "ops.logical_xor+Tensor.logical_xor+LogicalXor+mint.logical_xor": _by_element(
        lambda x, y: bool(x) is not bool(y)
    ),
    "Tensor.__invert__": lambda x: np.asarray(x) == 0,
    "ops.bitwise_and+Tensor.bitwise_and+BitwiseAnd+mint.bitwise_and": _by_element(operator.and_),
    "ops.bitwise_or+Tensor.bitwise_or+BitwiseOr+mint.bitwise_or": _by_element(operator.or_),
    "ops.bitwise_xor+Tensor.bitwise_xor+BitwiseXor+mint.bitwise_xor": _by_element(operator.xor),
    "ops.bitwise_left_shift+Tensor.bitwise_left_shift+LeftShift": _by_element(
        lambda x, y: x * 2**y
    ),
    "ops.bitwise_right_shift+Tensor.bitwise_right_shift+RightShift": _by_element(
        lambda x, y: x // 2**y
    ),
    "ops.invert+Tensor.invert+Invert+mint.bitwise_not": _complement,
    "ops.is_floating_point+Tensor.is_floating_point": lambda x: np.asarray(x).dtype.kind == "f",
    "ops.is_complex+Tensor.is_complex": lambda x: np.asarray(x).dtype.kind == "c",
    "ops.is_nonzero": lambda x: np.asarray(x).item() != 0,
    "Tensor.is_signed": lambda x: np.asarray(x).dtype.kind not in "bu",
    "ops.cast+Cast": _cast,
    "Tensor.astype": _cast,
    "Tensor.to": _to,
    "Tensor.type": _type,
    "ops.type_as+Tensor.type_as": _to,
    "Tensor.half": _as("float16"),
    "Tensor.float": _as("float32"),
    "Tensor.double": _as("float64"),
    "Tensor.bfloat16": _as("bfloat16"),
    "Tensor.bool": _as("bool"),
    "Tensor.byte": _as("uint8"),
    "Tensor.short": _as("int16"),
    "Tensor.int": _as("int32"),
    "Tensor.long": _as("int64"),
    "Tensor.char": _as("int8"),
}
