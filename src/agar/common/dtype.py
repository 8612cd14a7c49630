"""Types of tensors and other values, under MindSpore's path."""

import enum

from agar._core.dtype import Bool as Bool
from agar._core.dtype import Float as Float
from agar._core.dtype import Int as Int
from agar._core.dtype import Type as Type
from agar._core.dtype import _null as _null
from agar._core.dtype import all_types as all_types
from agar._core.dtype import bfloat16 as bfloat16
from agar._core.dtype import bool as bool
from agar._core.dtype import bool_ as bool_
from agar._core.dtype import byte as byte
from agar._core.dtype import cdouble as cdouble
from agar._core.dtype import cfloat as cfloat
from agar._core.dtype import complex64 as complex64
from agar._core.dtype import complex128 as complex128
from agar._core.dtype import complex_type as complex_type
from agar._core.dtype import coo_tensor as coo_tensor
from agar._core.dtype import csr_tensor as csr_tensor
from agar._core.dtype import double as double
from agar._core.dtype import dtype_to_nptype as dtype_to_nptype
from agar._core.dtype import dtype_to_pytype as dtype_to_pytype
from agar._core.dtype import env_type as env_type
from agar._core.dtype import float as float
from agar._core.dtype import float8_e4m3fn as float8_e4m3fn
from agar._core.dtype import float8_e5m2 as float8_e5m2
from agar._core.dtype import float16 as float16
from agar._core.dtype import float32 as float32
from agar._core.dtype import float64 as float64
from agar._core.dtype import float_ as float_
from agar._core.dtype import float_type as float_type
from agar._core.dtype import function as function
from agar._core.dtype import get_py_obj_dtype as get_py_obj_dtype
from agar._core.dtype import half as half
from agar._core.dtype import hifloat8 as hifloat8
from agar._core.dtype import index_slices as index_slices
from agar._core.dtype import int as int
from agar._core.dtype import int8 as int8
from agar._core.dtype import int16 as int16
from agar._core.dtype import int32 as int32
from agar._core.dtype import int64 as int64
from agar._core.dtype import int_ as int_
from agar._core.dtype import int_type as int_type
from agar._core.dtype import intc as intc
from agar._core.dtype import intp as intp
from agar._core.dtype import list_ as list_
from agar._core.dtype import long as long
from agar._core.dtype import number as number
from agar._core.dtype import number_type as number_type
from agar._core.dtype import pytype_to_dtype as pytype_to_dtype
from agar._core.dtype import qint4x2 as qint4x2
from agar._core.dtype import short as short
from agar._core.dtype import signed_type as signed_type
from agar._core.dtype import single as single
from agar._core.dtype import string as string
from agar._core.dtype import symbolic_key as symbolic_key
from agar._core.dtype import tensor_type as tensor_type
from agar._core.dtype import tuple_ as tuple_
from agar._core.dtype import type_none as type_none
from agar._core.dtype import type_refkey as type_refkey
from agar._core.dtype import type_size_in_bytes as type_size_in_bytes
from agar._core.dtype import type_type as type_type
from agar._core.dtype import ubyte as ubyte
from agar._core.dtype import uint as uint
from agar._core.dtype import uint8 as uint8
from agar._core.dtype import uint16 as uint16
from agar._core.dtype import uint32 as uint32
from agar._core.dtype import uint64 as uint64
from agar._core.dtype import uint_type as uint_type
from agar._core.dtype import uintc as uintc
from agar._core.dtype import uintp as uintp
from agar._core.dtype import undetermined as undetermined
from agar._core.dtype import ushort as ushort

__all__ = [
    "Bool",
    "Float",
    "Int",
    "QuantDtype",
    "TensorType",
    "Type",
    "_null",
    "all_types",
    "bfloat16",
    "bool",
    "bool_",
    "byte",
    "cdouble",
    "cfloat",
    "complex64",
    "complex128",
    "complex_type",
    "coo_tensor",
    "csr_tensor",
    "double",
    "dtype_to_nptype",
    "dtype_to_pytype",
    "env_type",
    "float",
    "float8_e4m3fn",
    "float8_e5m2",
    "float16",
    "float32",
    "float64",
    "float_",
    "float_type",
    "function",
    "get_py_obj_dtype",
    "half",
    "hifloat8",
    "index_slices",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "int_type",
    "intc",
    "intp",
    "list_",
    "long",
    "number",
    "number_type",
    "pytype_to_dtype",
    "qint4x2",
    "short",
    "signed_type",
    "single",
    "string",
    "symbolic_key",
    "tensor_type",
    "tuple_",
    "type_none",
    "type_refkey",
    "type_size_in_bytes",
    "type_type",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uint_type",
    "uintc",
    "uintp",
    "undetermined",
    "ushort",
]


class TensorType(Type):
    """The type of tensors, of any element type or of one.

    Args:
        element (Type): the type of the elements. Default: ``None``: any.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.TensorType(ms.float32).element_type()
        mindspore.float32
    """

    def __init__(self, element: Type | None = None) -> None:
        super().__init__("Tensor" if element is None else f"Tensor[{element}]", "tensor")
        self._element = element

    def element_type(self) -> Type | None:
        """The type of the elements."""
        return self._element


_WIDTHS = range(1, 17)
_QUANT = {f"INT{n}": n - 1 for n in _WIDTHS} | {f"UINT{n}": 99 + n for n in _WIDTHS}

QuantDtype = enum.Enum("QuantDtype", _QUANT, module=__name__)
QuantDtype.__doc__ = """Types of quantized numbers: INT1 to INT16 and UINT1 to UINT16.

Difference from PyTorch: ``torch.qint8`` and its relatives.

Source: behavior observed in MindSpore 2.10.
"""
QuantDtype.__str__ = lambda self: self.name
