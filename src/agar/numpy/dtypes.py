"""Types and constants of numpy's names."""

from __future__ import annotations

import math

from agar._core.dtype import bool_ as bool_
from agar._core.dtype import float16 as float16
from agar._core.dtype import float32 as float32
from agar._core.dtype import float64 as float64
from agar._core.dtype import int8 as int8
from agar._core.dtype import int16 as int16
from agar._core.dtype import int32 as int32
from agar._core.dtype import int64 as int64
from agar._core.dtype import uint8 as uint8
from agar._core.dtype import uint16 as uint16
from agar._core.dtype import uint32 as uint32
from agar._core.dtype import uint64 as uint64

inf = math.inf
PINF = math.inf
NINF = -math.inf
nan = math.nan
pi = math.pi

int_ = int32
uint = uint32
float_ = float32

#: The names of types that ``from agar.numpy import *`` gives.
numeric_types = [
    "int_",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float_",
    "float16",
    "float32",
    "float64",
    "bool_",
]

__all__ = [*numeric_types, "NINF", "PINF", "inf", "nan", "numeric_types", "pi", "uint"]
