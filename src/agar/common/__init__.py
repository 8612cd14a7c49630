"""MindSpore's module paths for tensors, parameters, types, seeds and initializers.

NOTE Order. `mutable`, `recompute`, `seed` and `tensor` name a module and a function. Importing the
module makes it the attribute of this package, so a name is imported from each of these modules
before the function is bound.
"""

# isort: off
from agar.common import api as api
from agar.common import dtype as dtype
from agar.common import generator as generator
from agar.common import hook_handle as hook_handle
from agar.common import initializer as initializer
from agar.common import jit_config as jit_config
from agar.common import parameter as parameter
from agar.common import sparse_tensor as sparse_tensor
from agar.common import symbol as symbol

from agar._core.dtype import Int as Int
from agar._core.dtype import Type as Type
from agar._core.dtype import _null as _null
from agar._core.dtype import bfloat16 as bfloat16
from agar._core.dtype import bool as bool
from agar._core.dtype import bool_ as bool_
from agar._core.dtype import byte as byte
from agar._core.dtype import cdouble as cdouble
from agar._core.dtype import cfloat as cfloat
from agar._core.dtype import complex128 as complex128
from agar._core.dtype import complex64 as complex64
from agar._core.dtype import double as double
from agar._core.dtype import dtype_to_nptype as dtype_to_nptype
from agar._core.dtype import dtype_to_pytype as dtype_to_pytype
from agar._core.dtype import float as float
from agar._core.dtype import float16 as float16
from agar._core.dtype import float32 as float32
from agar._core.dtype import float64 as float64
from agar._core.dtype import float8_e4m3fn as float8_e4m3fn
from agar._core.dtype import float8_e5m2 as float8_e5m2
from agar._core.dtype import float_ as float_
from agar._core.dtype import get_py_obj_dtype as get_py_obj_dtype
from agar._core.dtype import half as half
from agar._core.dtype import hifloat8 as hifloat8
from agar._core.dtype import int as int
from agar._core.dtype import int16 as int16
from agar._core.dtype import int32 as int32
from agar._core.dtype import int64 as int64
from agar._core.dtype import int8 as int8
from agar._core.dtype import int_ as int_
from agar._core.dtype import intc as intc
from agar._core.dtype import intp as intp
from agar._core.dtype import list_ as list_
from agar._core.dtype import long as long
from agar._core.dtype import number as number
from agar._core.dtype import pytype_to_dtype as pytype_to_dtype
from agar._core.dtype import qint4x2 as qint4x2
from agar._core.dtype import short as short
from agar._core.dtype import single as single
from agar._core.dtype import string as string
from agar._core.dtype import tensor_type as tensor_type
from agar._core.dtype import tuple_ as tuple_
from agar._core.dtype import type_none as type_none
from agar._core.dtype import ubyte as ubyte
from agar._core.dtype import uint as uint
from agar._core.dtype import uint16 as uint16
from agar._core.dtype import uint32 as uint32
from agar._core.dtype import uint64 as uint64
from agar._core.dtype import uint8 as uint8
from agar._core.dtype import uintc as uintc
from agar._core.dtype import uintp as uintp
from agar._core.dtype import ushort as ushort
from agar._core.random.generator import Generator as Generator
from agar._core.random.generator import default_generator as default_generator
from agar._core.random.generator import get_rng_state as get_rng_state
from agar._core.random.generator import initial_seed as initial_seed
from agar._core.random.generator import manual_seed as manual_seed
from agar.common.seed import get_seed as get_seed
from agar.common.generator import seed as seed
from agar._core.random.generator import set_rng_state as set_rng_state
from agar._core.jit import JitConfig as JitConfig
from agar._core.jit import Symbol as Symbol
from agar._core.storage import UntypedStorage as UntypedStorage
from agar.common._grad_function import _Function as _Function
from agar.common.api import _no_grad as _no_grad
from agar.common.api import enable_dynamic as enable_dynamic
from agar.common.api import flops_collection as flops_collection
from agar.common.api import frombuffer as frombuffer
from agar.common.api import jit as jit
from agar.common.api import jit_class as jit_class
from agar.common.api import ms_memory_recycle as ms_memory_recycle
from agar.common.api import register_saved_tensors_hooks as register_saved_tensors_hooks
from agar.common.api import saved_tensors_hooks as saved_tensors_hooks
from agar.common.api import swap_tensors as swap_tensors
from agar.common.device import DeviceCtx as DeviceCtx
from agar.common.dtype import QuantDtype as QuantDtype
from agar.common.dtype import TensorType as TensorType
from agar.common.file_system import mindio_preload as mindio_preload
from agar.common.file_system import set_mindio_server_info as set_mindio_server_info
from agar._core.jit import lazy_inline as lazy_inline
from agar.common.mutable import mutable as mutable
from agar._core.jit import no_inline as no_inline
from agar._core.jit import set_recursion_limit as set_recursion_limit
from agar._core.parameter import Parameter as Parameter
from agar._core.parameter import ParameterTuple as ParameterTuple
from agar._core.random import set_seed as set_seed
from agar._core.sparse import COOTensor as COOTensor
from agar._core.sparse import CSRTensor as CSRTensor
from agar._core.sparse import RowTensor as RowTensor
from agar._core.sparse import RowTensorInner as RowTensorInner
from agar._core.sparse import SparseTensor as SparseTensor
from agar.common.recompute import recompute as recompute
from agar._core.tensor import Tensor as Tensor
from agar._core.tensor import from_numpy as from_numpy
from agar._core.tensor import is_tensor as is_tensor
from agar.common.tensor import tensor as tensor
# isort: on

__all__ = [
    "COOTensor",
    "CSRTensor",
    "DeviceCtx",
    "Generator",
    "Int",
    "JitConfig",
    "Parameter",
    "ParameterTuple",
    "QuantDtype",
    "RowTensor",
    "RowTensorInner",
    "SparseTensor",
    "Symbol",
    "Tensor",
    "TensorType",
    "Type",
    "UntypedStorage",
    "_Function",
    "_no_grad",
    "_null",
    "bfloat16",
    "bool",
    "bool_",
    "byte",
    "cdouble",
    "cfloat",
    "complex64",
    "complex128",
    "default_generator",
    "double",
    "dtype",
    "dtype_to_nptype",
    "dtype_to_pytype",
    "enable_dynamic",
    "float",
    "float8_e4m3fn",
    "float8_e5m2",
    "float16",
    "float32",
    "float64",
    "float_",
    "flops_collection",
    "from_numpy",
    "frombuffer",
    "get_py_obj_dtype",
    "get_rng_state",
    "get_seed",
    "half",
    "hifloat8",
    "initial_seed",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "intp",
    "is_tensor",
    "jit",
    "jit_class",
    "lazy_inline",
    "list_",
    "long",
    "manual_seed",
    "mindio_preload",
    "ms_memory_recycle",
    "mutable",
    "no_inline",
    "number",
    "pytype_to_dtype",
    "qint4x2",
    "recompute",
    "register_saved_tensors_hooks",
    "saved_tensors_hooks",
    "seed",
    "set_mindio_server_info",
    "set_recursion_limit",
    "set_rng_state",
    "set_seed",
    "short",
    "single",
    "string",
    "swap_tensors",
    "tensor",
    "tensor_type",
    "tuple_",
    "type_none",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ushort",
]


def __getattr__(name: str) -> object:
    """Names of higher parts, which MindSpore hands on from here too."""
    if name in ("load_mindir", "save_mindir", "set_dump"):
        import importlib

        return getattr(importlib.import_module("agar"), name)
    raise AttributeError(f"module 'agar.common' has no attribute {name!r}")
