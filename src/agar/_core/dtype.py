"""Data types: MindSpore's type objects and their torch and numpy counterparts.

Every type is one object (``ms.float32 is ms.half`` is ``False``, ``ms.float32 is ms.single`` is
``True``). ``str`` gives MindSpore's capitalized name (``Float32``), ``repr`` the qualified one
(``mindspore.float32``), as printed by MindSpore 2.10.
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import torch


class Type:
    """A MindSpore type: data types of tensors and the types of other values.

    Args:
        title: the text of ``str``.
        name: the part after ``mindspore.`` in ``repr``.

    Difference from PyTorch: ``torch.dtype`` prints as ``torch.float32`` in both forms.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.float32, [ms.float32])
        Float32 [mindspore.float32]
    """

    __slots__ = ("_name", "_title")

    def __init__(self, title: str, name: str) -> None:
        self._title = title
        self._name = name

    @property
    def is_complex(self) -> builtins.bool:
        """Whether it is a complex type."""
        return False

    @property
    def is_floating_point(self) -> builtins.bool:
        """Whether it is a real floating-point type."""
        return False

    @property
    def itemsize(self) -> builtins.int:
        """The bytes of one element; 0 where there are none."""
        return 0

    def __str__(self) -> str:
        return self._title

    def __repr__(self) -> str:
        return f"mindspore.{self._name}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _by_name, (self._name,)

    def __copy__(self) -> Type:
        return self

    def __deepcopy__(self, memo: Any) -> Type:
        return self


class Number(Type):
    """A numeric type.

    Args:
        title (str): the text of ``str``.
        name (str): the part after ``mindspore.`` in ``repr``.
        torch_dtype (torch.dtype): the same type of torch. Default: None, for abstract types.
    """

    __slots__ = ("torch_dtype",)

    def __init__(self, title: str, name: str, torch_dtype: torch.dtype | None = None) -> None:
        super().__init__(title, name)
        self.torch_dtype = torch_dtype

    @property
    def itemsize(self) -> builtins.int:
        return self.torch_dtype.itemsize if self.torch_dtype is not None else 0

    @property
    def is_complex(self) -> builtins.bool:
        """Whether it is a complex type."""
        return isinstance(self, Complex)

    @property
    def is_floating_point(self) -> builtins.bool:
        """Whether it is a real floating-point type."""
        return isinstance(self, Float)

    @property
    def is_signed(self) -> builtins.bool:
        """Whether it has values below 0."""
        return isinstance(self, (Int, Float, Complex))


class Bool(Number):
    """The type of truth values.

    Args:
        title (str): the text of ``str``.
        name (str): the part after ``mindspore.`` in ``repr``.
        torch_dtype (torch.dtype): the same type of torch. Default: None, for types without one.
    """

    __slots__ = ()


class Int(Number):
    """Signed integer types.

    Args:
        title (str): the text of ``str``.
        name (str): the part after ``mindspore.`` in ``repr``.
        torch_dtype (torch.dtype): the same type of torch. Default: None, for types without one.
    """

    __slots__ = ()


class UInt(Number):
    """Unsigned integer types."""

    __slots__ = ()


class Float(Number):
    """Binary floating-point types.

    Args:
        title (str): the text of ``str``.
        name (str): the part after ``mindspore.`` in ``repr``.
        torch_dtype (torch.dtype): the same type of torch. Default: None, for types without one.
    """

    __slots__ = ()


class BFloat(Float):
    """The bfloat16 type."""

    __slots__ = ()


class Complex(Number):
    """Complex types."""

    __slots__ = ()


bool_ = Bool("Bool", "bool", torch.bool)
int8 = Int("Int8", "int8", torch.int8)
int16 = Int("Int16", "int16", torch.int16)
int32 = Int("Int32", "int32", torch.int32)
int64 = Int("Int64", "int64", torch.int64)
uint8 = UInt("UInt8", "uint8", torch.uint8)
uint16 = UInt("UInt16", "uint16", torch.uint16)
uint32 = UInt("UInt32", "uint32", torch.uint32)
uint64 = UInt("UInt64", "uint64", torch.uint64)
float16 = Float("Float16", "float16", torch.float16)
float32 = Float("Float32", "float32", torch.float32)
float64 = Float("Float64", "float64", torch.float64)
bfloat16 = BFloat("BFloat16", "bfloat16", torch.bfloat16)
float8_e4m3fn = Float("Float8E4M3FN", "float8_e4m3fn", torch.float8_e4m3fn)
float8_e5m2 = Float("Float8E5M2", "float8_e5m2", torch.float8_e5m2)
complex64 = Complex("Complex64", "complex64", torch.complex64)
complex128 = Complex("Complex128", "complex128", torch.complex128)

byte = int8
short = int16
int = intc = int32
long = intp = int64
ubyte = uint8
ushort = uint16
uintc = uint32
uintp = uint64
half = float16
float = single = float32
double = float64
cfloat = complex64
cdouble = complex128
bool = bool_

number = Number("Number", "number")
int_ = Int("Int", "int")
uint = UInt("UInt", "uint")
float_ = Float("Float", "float")
# Types that Ascend hardware has and torch lacks exist as names, so that programs that mention
# them import; using one for a tensor raises in `to_torch_dtype`.
qint4x2 = Int("Int4", "int4")
hifloat8 = Float("HiFloat8", "hifloat8")

string = Type("String", "string_")
list_ = Type("List", "list_")
tuple_ = Type("Tuple", "tuple_")
dict_ = Type("Dictionary", "dict_")
function = Type("Func", "function")
type_none = Type("None", "type_none")
type_type = Type("TypeType", "type_type")
tensor_type = Type("Tensor", "tensor")
coo_tensor = Type("COOTensor", "COOTensor")
csr_tensor = Type("CSRTensor", "CSRTensor")
index_slices = Type("RowTensor", "RowTensor")
env_type = Type("Object:EnvType", "env_type")
symbolic_key = Type("Object:SymbolicKey", "symbolic_key")
type_refkey = Type("Object:RefKey", "type_refkey")
undetermined = Type("Undetermined", "Undetermined")
_null = Type("Null", "Null")

_TENSOR_TYPES: tuple[Number, ...] = (
    bool_,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    float32,
    float64,
    bfloat16,
    float8_e4m3fn,
    float8_e5m2,
    complex64,
    complex128,
)

int_type = (int8, int16, int32, int64)
uint_type = (uint8, uint16, uint32, uint64)
float_type = (float16, float32, float64, bfloat16, float8_e4m3fn, float8_e5m2, hifloat8)
complex_type = (complex64, complex128)
signed_type = (*int_type, float16, float32, float64, bfloat16, *complex_type)
number_type = (*int_type, *uint_type, *float_type, *complex_type)
all_types = (bool_, *number_type)

FROM_TORCH: dict[torch.dtype, Number] = {
    t.torch_dtype: t for t in _TENSOR_TYPES if t.torch_dtype is not None
}

_TO_NUMPY: dict[Type, type] = {
    bool_: np.bool_,
    int8: np.int8,
    int16: np.int16,
    int32: np.int32,
    int64: np.int64,
    uint8: np.uint8,
    uint16: np.uint16,
    uint32: np.uint32,
    uint64: np.uint64,
    float16: np.float16,
    float32: np.float32,
    float64: np.float64,
    complex64: np.complex64,
    complex128: np.complex128,
}
_FROM_NUMPY: dict[np.dtype, Number] = {
    np.dtype(v): k for k, v in _TO_NUMPY.items() if isinstance(k, Number)
}
_PY_TYPES: dict[type, Type] = {
    builtins.bool: bool_,
    builtins.int: int64,
    builtins.float: float64,
    builtins.complex: complex128,
    str: string,
    list: list_,
    tuple: tuple_,
    dict: dict_,
    type(None): type_none,
    type: type_type,
}


def _by_name(name: str) -> Type:
    return _BY_NAME[name]


_BY_NAME: dict[str, Type] = {v._name: v for v in list(globals().values()) if isinstance(v, Type)}


def from_numpy_dtype(dtype: Any) -> Number:
    """The type of a numpy dtype.

    Raises:
        TypeError: the numpy dtype has no counterpart (strings, objects, structured types).
    """
    dtype = np.dtype(dtype)
    entry = _FROM_NUMPY.get(dtype)
    if entry is None:
        named = _BY_NAME.get(dtype.name)  # bfloat16 and float8 of the ml_dtypes package
        if isinstance(named, Number) and named.torch_dtype is not None:
            return named
        raise TypeError(
            f"numpy dtype {dtype} has no counterpart among tensor types; convert the array first, "
            "for example with .astype(np.float32)."
        )
    return entry


def to_numpy_dtype(dtype: Type) -> Any:
    """The numpy type of a MindSpore type; bfloat16 and float8 need the ``ml_dtypes`` package.

    Raises:
        TypeError: there is none.
    """
    entry = _TO_NUMPY.get(dtype)
    if entry is not None:
        return entry
    if dtype in (bfloat16, float8_e4m3fn, float8_e5m2):
        try:
            import ml_dtypes
        except ImportError:
            raise TypeError(
                f"numpy itself has no {dtype} type; cast the tensor first, for example with "
                ".astype(ms.float32), or install the package ml_dtypes."
            ) from None
        return getattr(ml_dtypes, dtype._name)
    raise TypeError(f"{dtype!r} has no numpy counterpart.")


def to_dtype(value: Any, *, op_name: str = "dtype") -> Number:
    """Read any spelling of a tensor type: a Type, a torch or numpy dtype, a Python type, a name.

    Args:
        value: for example ``ms.float32``, ``torch.float32``, ``np.float32``, ``float``,
            ``"float32"``, ``"Float32"``.
        op_name: how error messages call the argument.

    Raises:
        TypeError: it names no type that a tensor can have.
    """
    if isinstance(value, Number):
        if value.torch_dtype is not None:
            return value
        if value is int_:
            return int32
        if value is float_:
            return float32
    elif isinstance(value, torch.dtype):
        entry = FROM_TORCH.get(value)
        if entry is not None:
            return entry
    elif isinstance(value, str):
        low = value.lower()
        entry = _BY_NAME.get({"bool_": "bool", "half": "float16"}.get(low, low))
        if isinstance(entry, Number) and entry.torch_dtype is not None:
            return entry
    elif value is builtins.bool:
        return bool_
    elif value is builtins.int:
        return int64
    elif value is builtins.float:
        return float32
    elif value is builtins.complex:
        return complex128
    elif isinstance(value, (np.dtype, type)) and value is not None:
        try:
            return from_numpy_dtype(value)
        except TypeError as error:
            raise TypeError(_bad_dtype(value, op_name)) from error
    raise TypeError(_bad_dtype(value, op_name))


def _bad_dtype(value: Any, op_name: str) -> str:
    return (
        f"For '{op_name}', {value!r} is not a type that a tensor can have; use one of "
        + ", ".join(f"ms.{t._name}" for t in _TENSOR_TYPES)
        + (
            ". A shape of several sizes is one tuple: (2, 3)."
            if type(value) is builtins.int
            else "."
        )
    )


def to_torch_dtype(value: Any, *, op_name: str = "dtype") -> torch.dtype:
    """The torch dtype for any spelling accepted by :func:`to_dtype`."""
    if isinstance(value, torch.dtype):
        return value
    torch_dtype = to_dtype(value, op_name=op_name).torch_dtype
    assert torch_dtype is not None
    return torch_dtype


CONVERSIONS = {
    torch.bool: torch.Tensor.bool,
    torch.uint8: torch.Tensor.byte,
    torch.int8: torch.Tensor.char,
    torch.int16: torch.Tensor.short,
    torch.int32: torch.Tensor.int,
    torch.int64: torch.Tensor.long,
    torch.float16: torch.Tensor.half,
    torch.bfloat16: torch.Tensor.bfloat16,
    torch.float32: torch.Tensor.float,
    torch.float64: torch.Tensor.double,
}


def as_torch_dtype(value: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """A tensor in another type.

    It is what ``value.to(dtype)`` gives, which takes 1 us to find out that no device is meant.
    """
    convert = CONVERSIONS.get(dtype)
    return value.to(dtype) if convert is None else convert(value)


def dtype_to_nptype(type_: Type) -> Any:
    """The numpy type that corresponds to a MindSpore type.

    Args:
        type_: a tensor type such as ``ms.float32``.

    Raises:
        TypeError: there is no counterpart.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.dtype_to_nptype(ms.int8).__name__
        'int8'
    """
    return to_numpy_dtype(type_)


def dtype_to_pytype(type_: Type) -> type:
    """The Python type that corresponds to a MindSpore type.

    Args:
        type_: for example ``ms.float32`` or ``ms.string``.

    Raises:
        NotImplementedError: there is no counterpart.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.dtype_to_pytype(ms.bool_)
        <class 'bool'>
    """
    if isinstance(type_, Bool):
        return builtins.bool
    if isinstance(type_, (Int, UInt)):
        return builtins.int
    if isinstance(type_, Float):
        return builtins.float
    if isinstance(type_, Complex):
        return builtins.complex
    for py, item in _PY_TYPES.items():
        if item is type_:
            return py
    raise NotImplementedError(f"{type_!r} has no Python counterpart.")


def pytype_to_dtype(obj: Any) -> Type:
    """The MindSpore type that corresponds to a Python or numpy type.

    Args:
        obj: a Python type, a numpy type, or a MindSpore type (returned as it is).

    Raises:
        NotImplementedError: there is no counterpart.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.pytype_to_dtype(bool)
        mindspore.bool
    """
    if isinstance(obj, Type):
        return obj
    if isinstance(obj, type) and obj in _PY_TYPES:
        return _PY_TYPES[obj]
    try:
        return from_numpy_dtype(obj)
    except TypeError as error:
        raise NotImplementedError(f"{obj!r} has no MindSpore type.") from error


def get_py_obj_dtype(obj: Any) -> Type:
    """The MindSpore type of a Python value.

    Args:
        obj: any value; tensors give ``mindspore.tensor``.

    Raises:
        NotImplementedError: the value's type has no counterpart.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.get_py_obj_dtype(1.0)
        mindspore.float64
    """
    if hasattr(obj, "asnumpy"):
        return tensor_type
    if callable(obj) and not isinstance(obj, type):
        return function
    if isinstance(obj, type):
        return _PY_TYPES.get(obj, type_type)
    return pytype_to_dtype(type(obj))


def type_size_in_bytes(dtype: Type) -> builtins.int:
    """Bytes that one element of the type takes.

    Args:
        dtype: a tensor type.

    Raises:
        TypeError: the type is not a tensor type.

    Difference from PyTorch: ``torch.dtype.itemsize`` is an attribute.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.type_size_in_bytes(ms.float16)
        2
    """
    return to_dtype(dtype).itemsize


def is_floating(dtype: Type) -> builtins.bool:
    """Whether the type is a (real) floating-point type."""
    return isinstance(dtype, Float)
