"""agar: MindSpore's programming model on PyTorch's engine.

Use it as ``import agar as ms``. This file only names things; see the modules named in it.
"""

from agar import common as common
from agar import context as context
from agar import nn as nn
from agar import ops as ops
from agar._core.autodiff import get_grad as get_grad
from agar._core.autodiff import grad as grad
from agar._core.autodiff import value_and_grad as value_and_grad
from agar._core.context import GRAPH_MODE as GRAPH_MODE
from agar._core.context import PYNATIVE_MODE as PYNATIVE_MODE
from agar._core.context import ParallelMode as ParallelMode
from agar._core.context import get_context as get_context
from agar._core.context import get_current_device as get_current_device
from agar._core.context import set_context as set_context
from agar._core.context import set_deterministic as set_deterministic
from agar._core.context import set_device as set_device
from agar._core.dtype import Type as Type
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
from agar._core.dtype import double as double
from agar._core.dtype import dtype_to_nptype as dtype_to_nptype
from agar._core.dtype import dtype_to_pytype as dtype_to_pytype
from agar._core.dtype import float as float
from agar._core.dtype import float8_e4m3fn as float8_e4m3fn
from agar._core.dtype import float8_e5m2 as float8_e5m2
from agar._core.dtype import float16 as float16
from agar._core.dtype import float32 as float32
from agar._core.dtype import float64 as float64
from agar._core.dtype import float_ as float_
from agar._core.dtype import float_type as float_type
from agar._core.dtype import get_py_obj_dtype as get_py_obj_dtype
from agar._core.dtype import half as half
from agar._core.dtype import hifloat8 as hifloat8
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
from agar._core.dtype import tensor_type as tensor_type
from agar._core.dtype import tuple_ as tuple_
from agar._core.dtype import type_none as type_none
from agar._core.dtype import type_size_in_bytes as type_size_in_bytes
from agar._core.dtype import ubyte as ubyte
from agar._core.dtype import uint as uint
from agar._core.dtype import uint8 as uint8
from agar._core.dtype import uint16 as uint16
from agar._core.dtype import uint32 as uint32
from agar._core.dtype import uint64 as uint64
from agar._core.dtype import uint_type as uint_type
from agar._core.dtype import uintc as uintc
from agar._core.dtype import uintp as uintp
from agar._core.dtype import ushort as ushort
from agar._core.generator import Generator as Generator
from agar._core.generator import default_generator as default_generator
from agar._core.generator import get_rng_state as get_rng_state
from agar._core.generator import initial_seed as initial_seed
from agar._core.generator import manual_seed as manual_seed
from agar._core.generator import seed as seed
from agar._core.generator import set_rng_state as set_rng_state
from agar._core.host import numpy_function as numpy_function
from agar._core.jit import JitConfig as JitConfig
from agar._core.jit import Symbol as Symbol
from agar._core.jit import jit as jit
from agar._core.jit import jit_class as jit_class
from agar._core.jit import lazy_inline as lazy_inline
from agar._core.jit import mutable as mutable
from agar._core.jit import no_inline as no_inline
from agar._core.jit import set_recursion_limit as set_recursion_limit
from agar._core.parameter import Parameter as Parameter
from agar._core.parameter import ParameterTuple as ParameterTuple
from agar._core.random import get_seed as get_seed
from agar._core.random import set_seed as set_seed
from agar._core.recompute import recompute as recompute
from agar._core.tensor import Tensor as Tensor
from agar._core.tensor import from_numpy as from_numpy
from agar._core.tensor import from_torch as from_torch
from agar._core.tensor import is_tensor as is_tensor
from agar._core.tensor import tensor as tensor
from agar._core.transforms import jacfwd as jacfwd
from agar._core.transforms import jacrev as jacrev
from agar._core.transforms import jvp as jvp
from agar._core.transforms import vjp as vjp
from agar._core.transforms import vmap as vmap
from agar.alias import alias_mindspore as alias_mindspore
from agar.nn.torch_cell import TorchCell as TorchCell
from agar.nn.torch_cell import as_torch as as_torch

__version__ = "0.1.0"

__all__ = [
    "GRAPH_MODE",
    "PYNATIVE_MODE",
    "Generator",
    "JitConfig",
    "ParallelMode",
    "Parameter",
    "ParameterTuple",
    "Symbol",
    "Tensor",
    "TorchCell",
    "Type",
    "alias_mindspore",
    "all_types",
    "as_torch",
    "bfloat16",
    "bool",
    "bool_",
    "byte",
    "cdouble",
    "cfloat",
    "common",
    "complex64",
    "complex128",
    "complex_type",
    "context",
    "default_generator",
    "double",
    "dtype_to_nptype",
    "dtype_to_pytype",
    "float",
    "float8_e4m3fn",
    "float8_e5m2",
    "float16",
    "float32",
    "float64",
    "float_",
    "float_type",
    "from_numpy",
    "from_torch",
    "get_context",
    "get_current_device",
    "get_grad",
    "get_py_obj_dtype",
    "get_rng_state",
    "get_seed",
    "grad",
    "half",
    "hifloat8",
    "initial_seed",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "int_type",
    "intc",
    "intp",
    "is_tensor",
    "jacfwd",
    "jacrev",
    "jit",
    "jit_class",
    "jvp",
    "lazy_inline",
    "list_",
    "long",
    "manual_seed",
    "mutable",
    "nn",
    "no_inline",
    "number",
    "numpy_function",
    "number_type",
    "ops",
    "pytype_to_dtype",
    "qint4x2",
    "recompute",
    "seed",
    "set_context",
    "set_deterministic",
    "set_device",
    "set_recursion_limit",
    "set_rng_state",
    "set_seed",
    "short",
    "signed_type",
    "single",
    "string",
    "tensor",
    "tensor_type",
    "tuple_",
    "type_none",
    "type_size_in_bytes",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uint_type",
    "uintc",
    "uintp",
    "ushort",
    "value_and_grad",
    "vjp",
    "vmap",
]
