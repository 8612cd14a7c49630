"""Deterministic inputs shared by the recorder (MindSpore) and the replay (agar).

A case is text, for example ``nn.Dense(3, 4)`` with the input ``t((2, 3), 1)``. `namespace` gives
the names such a text may use for one framework, so both sides build bit-equal numbers without any
random generator. Only numpy is imported here; the framework is passed in.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# A prime modulus above every array size in use: within one array no two values are equal, so
# maxima and sorts have one answer. One multiplier per stream `k`, all coprime to the modulus.
MODULUS = 1009
MULTIPLIERS = (
    7919,
    6907,
    5987,
    5003,
    4001,
    3001,
    2003,
    1511,
    1213,
    1103,
    919,
    811,
    709,
    607,
    503,
    401,
)


def fractions(shape: tuple[int, ...], k: int = 0) -> np.ndarray:
    """Distinct float64 values in (0, 1): element i is ((i + 1) * MULTIPLIERS[k] mod 1009)/1009."""
    count = math.prod(shape)
    if count >= MODULUS:
        raise ValueError(f"inputs.fractions: {count} values asked for, at most {MODULUS - 1}")
    multiplier = MULTIPLIERS[k % len(MULTIPLIERS)]
    return ((np.arange(1, count + 1) * multiplier % MODULUS) / MODULUS).reshape(shape)


def floats(shape: tuple[int, ...], k: int = 0, lo: float = -1.0, hi: float = 1.0) -> np.ndarray:
    """float32 values in (lo, hi)."""
    return (lo + (hi - lo) * fractions(shape, k)).astype(np.float32)


def integers(shape: tuple[int, ...], k: int = 0, n: int = 5, dtype: str = "int32") -> np.ndarray:
    """Integers in [0, n)."""
    return (fractions(shape, k) * n).astype(np.int64).astype(dtype)


def booleans(shape: tuple[int, ...], k: int = 0) -> np.ndarray:
    """About as many True as False."""
    return fractions(shape, k) > 0.5


def parameter_values(name: str, shape: tuple[int, ...], index: int) -> np.ndarray:
    """Value given to parameter number `index` of a cell before a case runs.

    In (-0.5, 0.5); scales (gamma) and variances are moved up by one, so that they are positive.
    """
    values = floats(shape, index, -0.5, 0.5)
    if name.endswith(("gamma", "variance")):
        values = values + np.float32(1.0)
    return values


def namespace(ms: Any) -> dict[str, Any]:
    """Names that the text of a case may use, bound to the framework module `ms`."""
    tensor = ms.Tensor

    def t(shape, k=0, lo=-1.0, hi=1.0, dtype=None):
        value = tensor(floats(tuple(shape), k, lo, hi))
        return value if dtype is None else value.astype(dtype)

    def ti(shape, k=0, n=5, dtype="int32"):
        return tensor(integers(tuple(shape), k, n, dtype))

    def tb(shape, k=0):
        return tensor(booleans(tuple(shape), k))

    def vector(dtype):
        return lambda *values: tensor(np.array(values, dtype))

    def scalar(value, dtype):
        return tensor(value, dtype)

    def arange(*shape, dtype="float32"):
        return tensor(np.arange(math.prod(shape)).reshape(shape).astype(dtype))

    def bf16(*values):
        return tensor(np.array(values, np.float32)).astype(ms.bfloat16)

    def from_bf16(value):
        return value.astype(ms.float32).asnumpy()

    names: dict[str, Any] = {
        "__name__": "oracle_case",  # the module that replay.execute makes
        "ms": ms,
        "np": np,
        "Tensor": tensor,
        "Parameter": ms.Parameter,
        "ParameterTuple": ms.ParameterTuple,
        "t": t,
        "ti": ti,
        "tb": tb,
        "s": scalar,
        "ar": arange,
        "f16": vector("float16"),
        "f32": vector("float32"),
        "f64": vector("float64"),
        "i8": vector("int8"),
        "i16": vector("int16"),
        "i32": vector("int32"),
        "i64": vector("int64"),
        "u8": vector("uint8"),
        "b1": vector("bool"),
        "c64": vector("complex64"),
        "bf16": bf16,
        "from_bf16": from_bf16,
    }
    for part in ("nn", "ops", "mint"):  # what a framework lacks fails only the cases that use it
        if hasattr(ms, part):
            names[part] = getattr(ms, part)
    return names
