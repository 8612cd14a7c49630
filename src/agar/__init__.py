"""agar: MindSpore's programming model on PyTorch's engine.

Use it as ``import agar as ms``. This file only names things; see the modules named in it.
"""

from typing import TYPE_CHECKING

from agar._core.gc_pause import Pause as _Pause
from agar._core.malloc import keep_freed_memory as _keep_freed_memory

_pause = _Pause()
_heap_keeps = _keep_freed_memory()

from agar import _paths as _paths
from agar import common as common
from agar import context as context
from agar import log as log
from agar import mint as mint
from agar import nn as nn
from agar import ops as ops
from agar._core import torch_registry as _torch_registry  # noqa: F401 - it registers
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
from agar._core.host_callback import numpy_function as numpy_function
from agar._core.jit import JitConfig as JitConfig
from agar._core.jit import Symbol as Symbol
from agar._core.jit import jit as jit
from agar._core.jit import jit_class as jit_class
from agar._core.jit import lazy_inline as lazy_inline
from agar._core.jit import mutable as mutable
from agar._core.jit import no_inline as no_inline
from agar._core.jit import set_recursion_limit as set_recursion_limit
from agar._core.late import late as _late
from agar._core.parameter import Parameter as Parameter
from agar._core.parameter import ParameterTuple as ParameterTuple
from agar._core.random import get_seed as get_seed
from agar._core.random import set_seed as set_seed
from agar._core.random.generator import Generator as Generator
from agar._core.random.generator import default_generator as default_generator
from agar._core.random.generator import get_rng_state as get_rng_state
from agar._core.random.generator import initial_seed as initial_seed
from agar._core.random.generator import manual_seed as manual_seed
from agar._core.random.generator import seed as seed
from agar._core.random.generator import set_rng_state as set_rng_state
from agar._core.recompute import recompute as recompute
from agar._core.sparse import COOTensor as COOTensor
from agar._core.sparse import CSRTensor as CSRTensor
from agar._core.sparse import RowTensor as RowTensor
from agar._core.sparse import SparseTensor as SparseTensor
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
from agar.common import dtype as dtype
from agar.log import get_level as get_level
from agar.log import get_log_config as get_log_config

_pause = None

__version__ = "0.1.0"

if TYPE_CHECKING:
    from agar import amp as amp
    from agar import graph as graph
    from agar import train as train
    from agar.nn.torch_cell import TorchCell as TorchCell
    from agar.nn.torch_cell import as_torch as as_torch
    from agar.tools.network_summary import summary as summary
    from agar.train import F1 as F1
    from agar.train import MAE as MAE
    from agar.train import MSE as MSE
    from agar.train import ROC as ROC
    from agar.train import Accuracy as Accuracy
    from agar.train import BleuScore as BleuScore
    from agar.train import Callback as Callback
    from agar.train import CheckpointConfig as CheckpointConfig
    from agar.train import ConfusionMatrix as ConfusionMatrix
    from agar.train import ConfusionMatrixMetric as ConfusionMatrixMetric
    from agar.train import ConvertModelUtils as ConvertModelUtils
    from agar.train import ConvertNetUtils as ConvertNetUtils
    from agar.train import CosineSimilarity as CosineSimilarity
    from agar.train import Dice as Dice
    from agar.train import DynamicLossScaleManager as DynamicLossScaleManager
    from agar.train import EarlyStopping as EarlyStopping
    from agar.train import Fbeta as Fbeta
    from agar.train import FixedLossScaleManager as FixedLossScaleManager
    from agar.train import HausdorffDistance as HausdorffDistance
    from agar.train import History as History
    from agar.train import LambdaCallback as LambdaCallback
    from agar.train import LearningRateScheduler as LearningRateScheduler
    from agar.train import Loss as Loss
    from agar.train import LossMonitor as LossMonitor
    from agar.train import LossScaleManager as LossScaleManager
    from agar.train import MeanSurfaceDistance as MeanSurfaceDistance
    from agar.train import Metric as Metric
    from agar.train import Model as Model
    from agar.train import ModelCheckpoint as ModelCheckpoint
    from agar.train import OcclusionSensitivity as OcclusionSensitivity
    from agar.train import Perplexity as Perplexity
    from agar.train import Precision as Precision
    from agar.train import Recall as Recall
    from agar.train import ReduceLROnPlateau as ReduceLROnPlateau
    from agar.train import RootMeanSquareDistance as RootMeanSquareDistance
    from agar.train import RunContext as RunContext
    from agar.train import TimeMonitor as TimeMonitor
    from agar.train import Top1CategoricalAccuracy as Top1CategoricalAccuracy
    from agar.train import Top5CategoricalAccuracy as Top5CategoricalAccuracy
    from agar.train import TopKCategoricalAccuracy as TopKCategoricalAccuracy
    from agar.train import async_ckpt_thread_status as async_ckpt_thread_status
    from agar.train import auc as auc
    from agar.train import build_train_network as build_train_network
    from agar.train import ckpt_to_safetensors as ckpt_to_safetensors
    from agar.train import export as export
    from agar.train import get_metric_fn as get_metric_fn
    from agar.train import load as load
    from agar.train import load_by_structure as load_by_structure
    from agar.train import load_checkpoint as load_checkpoint
    from agar.train import load_checkpoint_async as load_checkpoint_async
    from agar.train import load_param_into_net as load_param_into_net
    from agar.train import names as names
    from agar.train import rearrange_inputs as rearrange_inputs
    from agar.train import safetensors_to_ckpt as safetensors_to_ckpt
    from agar.train import save_checkpoint as save_checkpoint

# Loaded when they are first used: most programs need none of them.
_LATE = frozenset(
    {
        "boost",
        "communication",
        "dataset",
        "device_context",
        "experimental",
        "graph",
        "hal",
        "migrate",
        "mindrecord",
        "multiprocessing",
        "numpy",
        "onnx",
        "parallel",
        "profiler",
        "rewrite",
        "runtime",
        "safeguard",
        "scipy",
        "tools",
        "utils",
    }
)


_find, __dir__ = _late(globals(), _paths.top)


def __getattr__(name: str) -> object:
    """Load a part of agar that `import agar` leaves out."""
    if name in _LATE:
        import importlib

        try:
            return importlib.import_module(f"agar.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"agar.{name}":
                raise
    return _find(name)


__all__ = [
    *_paths.TOP,
    "F1",
    "GRAPH_MODE",
    "MAE",
    "MSE",
    "PYNATIVE_MODE",
    "ROC",
    "Accuracy",
    "BleuScore",
    "COOTensor",
    "CSRTensor",
    "Callback",
    "CheckpointConfig",
    "ConfusionMatrix",
    "ConfusionMatrixMetric",
    "ConvertModelUtils",
    "ConvertNetUtils",
    "CosineSimilarity",
    "Dice",
    "DynamicLossScaleManager",
    "EarlyStopping",
    "Fbeta",
    "FixedLossScaleManager",
    "Generator",
    "HausdorffDistance",
    "History",
    "JitConfig",
    "LambdaCallback",
    "LearningRateScheduler",
    "Loss",
    "LossMonitor",
    "LossScaleManager",
    "MeanSurfaceDistance",
    "Metric",
    "Model",
    "ModelCheckpoint",
    "OcclusionSensitivity",
    "ParallelMode",
    "Parameter",
    "ParameterTuple",
    "Perplexity",
    "Precision",
    "Recall",
    "ReduceLROnPlateau",
    "RootMeanSquareDistance",
    "RowTensor",
    "RunContext",
    "SparseTensor",
    "Symbol",
    "Tensor",
    "TimeMonitor",
    "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy",
    "TopKCategoricalAccuracy",
    "TorchCell",
    "Type",
    "alias_mindspore",
    "all_types",
    "amp",
    "as_torch",
    "async_ckpt_thread_status",
    "auc",
    "bfloat16",
    "bool",
    "bool_",
    "build_train_network",
    "byte",
    "cdouble",
    "cfloat",
    "ckpt_to_safetensors",
    "common",
    "complex64",
    "complex128",
    "complex_type",
    "context",
    "default_generator",
    "double",
    "dtype",
    "dtype_to_nptype",
    "dtype_to_pytype",
    "export",
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
    "get_level",
    "get_log_config",
    "get_metric_fn",
    "get_py_obj_dtype",
    "get_rng_state",
    "get_seed",
    "grad",
    "graph",
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
    "load",
    "load_by_structure",
    "load_checkpoint",
    "load_checkpoint_async",
    "load_param_into_net",
    "log",
    "long",
    "manual_seed",
    "mint",
    "mutable",
    "names",
    "nn",
    "no_inline",
    "number",
    "number_type",
    "numpy_function",
    "ops",
    "pytype_to_dtype",
    "qint4x2",
    "rearrange_inputs",
    "recompute",
    "safetensors_to_ckpt",
    "save_checkpoint",
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
    "summary",
    "tensor",
    "tensor_type",
    "train",
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
