"""numpy's functions on tensors (``import agar.numpy as mnp``), with MindSpore's types and rules.

Each function is made when it is first asked for.
"""

from __future__ import annotations

from typing import Any

from agar._core.hints import MissingName as _MissingName
from agar.numpy import array_creations as array_creations
from agar.numpy import array_ops as array_ops
from agar.numpy import dtypes as dtypes
from agar.numpy import fft as fft
from agar.numpy import logic_ops as logic_ops
from agar.numpy import math_ops as math_ops
from agar.numpy import utils as utils
from agar.numpy import utils_const as utils_const
from agar.numpy._declare import find_in as _find_in
from agar.numpy.dtypes import NINF as NINF
from agar.numpy.dtypes import PINF as PINF
from agar.numpy.dtypes import bool_ as bool_
from agar.numpy.dtypes import float16 as float16
from agar.numpy.dtypes import float32 as float32
from agar.numpy.dtypes import float64 as float64
from agar.numpy.dtypes import float_ as float_
from agar.numpy.dtypes import inf as inf
from agar.numpy.dtypes import int8 as int8
from agar.numpy.dtypes import int16 as int16
from agar.numpy.dtypes import int32 as int32
from agar.numpy.dtypes import int64 as int64
from agar.numpy.dtypes import int_ as int_
from agar.numpy.dtypes import nan as nan
from agar.numpy.dtypes import numeric_types as numeric_types
from agar.numpy.dtypes import pi as pi
from agar.numpy.dtypes import uint as uint
from agar.numpy.dtypes import uint8 as uint8
from agar.numpy.dtypes import uint16 as uint16
from agar.numpy.dtypes import uint32 as uint32
from agar.numpy.dtypes import uint64 as uint64

array_ops_module = array_ops.__all__
array_creations_module = array_creations.__all__
math_module = math_ops.__all__
logic_module = logic_ops.__all__

# A star import gives what MindSpore's gives; it leaves Python's `round` alone.
_NOT_STARRED = frozenset(("around", "copy", "matrix_power", "round"))

__all__ = sorted(
    name
    for name in (
        *array_ops_module,
        *array_creations_module,
        *math_module,
        *logic_module,
        *numeric_types,
    )
    if name not in _NOT_STARRED
)


def __getattr__(name: str) -> Any:
    for module in ("array_ops", "array_creations", "math_ops", "logic_ops"):
        if name in globals()[module].__all__:
            return _find_in(module, name, globals())
    raise _MissingName(f"module 'agar.numpy' has no attribute '{name}'")


def __dir__() -> list[str]:
    own = {name for name in globals() if not name.startswith("_")} - {"Any", "annotations"}
    return sorted({*own, *__all__, *_NOT_STARRED})
