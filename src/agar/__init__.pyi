"""MindSpore on PyTorch. Written by scripts/stubs.py; not to be edited."""


import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from agar import amp as amp
from agar import boost as boost
from agar import common as common
from agar import communication as communication
from agar import context as context
from agar import dataset as dataset
from agar import device_context as device_context
from agar import experimental as experimental
from agar import graph as graph
from agar import hal as hal
from agar import log as log
from agar import migrate as migrate
from agar import mindrecord as mindrecord
from agar import mint as mint
from agar import multiprocessing as multiprocessing
from agar import nn as nn
from agar import numpy as numpy
from agar import onnx as onnx
from agar import ops as ops
from agar import parallel as parallel
from agar import profiler as profiler
from agar import rewrite as rewrite
from agar import runtime as runtime
from agar import safeguard as safeguard
from agar import scipy as scipy
from agar import tools as tools
from agar import train as train
from agar import utils as utils
from agar._core.autodiff import get_grad as get_grad
from agar._core.autodiff import grad as grad
from agar._core.autodiff import value_and_grad as value_and_grad
from agar._core.context import ParallelMode as ParallelMode
from agar._core.context import get_context as get_context
from agar._core.context import get_current_device as get_current_device
from agar._core.context import set_context as set_context
from agar._core.context import set_deterministic as set_deterministic
from agar._core.context import set_device as set_device
from agar._core.dtype import Int as Int
from agar._core.dtype import Type as Type
from agar._core.dtype import all_types as all_types
from agar._core.dtype import bfloat16 as bfloat16
from agar._core.dtype import bool as bool
from agar._core.dtype import bool_ as bool_
from agar._core.dtype import byte as byte
from agar._core.dtype import cdouble as cdouble
from agar._core.dtype import cfloat as cfloat
from agar._core.dtype import complex128 as complex128
from agar._core.dtype import complex64 as complex64
from agar._core.dtype import complex_type as complex_type
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
from agar._core.dtype import float_type as float_type
from agar._core.dtype import get_py_obj_dtype as get_py_obj_dtype
from agar._core.dtype import half as half
from agar._core.dtype import hifloat8 as hifloat8
from agar._core.dtype import int as int
from agar._core.dtype import int16 as int16
from agar._core.dtype import int32 as int32
from agar._core.dtype import int64 as int64
from agar._core.dtype import int8 as int8
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
from agar._core.dtype import uint16 as uint16
from agar._core.dtype import uint32 as uint32
from agar._core.dtype import uint64 as uint64
from agar._core.dtype import uint8 as uint8
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
from agar._core.optable import Primitive as Primitive
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
from agar._core.runtime import GRAPH_MODE as GRAPH_MODE
from agar._core.runtime import PYNATIVE_MODE as PYNATIVE_MODE
from agar._core.sparse import COOTensor as COOTensor
from agar._core.sparse import CSRTensor as CSRTensor
from agar._core.sparse import RowTensor as RowTensor
from agar._core.sparse import SparseTensor as SparseTensor
from agar._core.storage import UntypedStorage as UntypedStorage
from agar._core.tensor import Tensor as Tensor
from agar._core.tensor.interchange import from_numpy as from_numpy
from agar._core.tensor.interchange import from_torch as from_torch
from agar._core.tensor.tensor_class import is_tensor as is_tensor
from agar._core.tensor.tensor_class import tensor as tensor
from agar._core.transforms import jacfwd as jacfwd
from agar._core.transforms import jacrev as jacrev
from agar._core.transforms import jvp as jvp
from agar._core.transforms import vjp as vjp
from agar._core.transforms import vmap as vmap
from agar.alias import alias_mindspore as alias_mindspore
from agar.common import dtype as dtype
from agar.common.api import enable_dynamic as enable_dynamic
from agar.common.api import flops_collection as flops_collection
from agar.common.api import frombuffer as frombuffer
from agar.common.api import ms_memory_recycle as ms_memory_recycle
from agar.common.api import register_saved_tensors_hooks as register_saved_tensors_hooks
from agar.common.api import saved_tensors_hooks as saved_tensors_hooks
from agar.common.api import swap_tensors as swap_tensors
from agar.common.device import DeviceCtx as DeviceCtx
from agar.common.dtype import QuantDtype as QuantDtype
from agar.common.dtype import TensorType as TensorType
from agar.common.file_system import mindio_preload as mindio_preload
from agar.common.file_system import set_mindio_server_info as set_mindio_server_info
from agar.context import COMPATIBLE as COMPATIBLE
from agar.context import LAX as LAX
from agar.context import STRICT as STRICT
from agar.context import get_auto_parallel_context as get_auto_parallel_context
from agar.context import get_ps_context as get_ps_context
from agar.context import reset_auto_parallel_context as reset_auto_parallel_context
from agar.context import reset_ps_context as reset_ps_context
from agar.context import set_auto_parallel_context as set_auto_parallel_context
from agar.context import set_ps_context as set_ps_context
from agar.graph import CustomPassType as CustomPassType
from agar.graph import register_custom_pass as register_custom_pass
from agar.log import get_level as get_level
from agar.log import get_log_config as get_log_config
from agar.mindrecord.config import set_dec_mode as set_dec_mode
from agar.mindrecord.config import set_enc_key as set_enc_key
from agar.mindrecord.config import set_enc_mode as set_enc_mode
from agar.mindrecord.core.shardutils import FAILED as FAILED
from agar.mindrecord.core.shardutils import SUCCESS as SUCCESS
from agar.mindrecord.filereader import FileReader as FileReader
from agar.mindrecord.filewriter import FileWriter as FileWriter
from agar.mindrecord.mindpage import MindPage as MindPage
from agar.mindrecord.tools.cifar100_to_mr import Cifar100ToMR as Cifar100ToMR
from agar.mindrecord.tools.cifar10_to_mr import Cifar10ToMR as Cifar10ToMR
from agar.mindrecord.tools.csv_to_mr import CsvToMR as CsvToMR
from agar.mindrecord.tools.imagenet_to_mr import ImageNetToMR as ImageNetToMR
from agar.mindrecord.tools.mnist_to_mr import MnistToMR as MnistToMR
from agar.mindrecord.tools.tfrecord_to_mr import TFRecordToMR as TFRecordToMR
from agar.nn._amp import build_train_network as build_train_network
from agar.nn._loss_scale import DynamicLossScaleManager as DynamicLossScaleManager
from agar.nn._loss_scale import FixedLossScaleManager as FixedLossScaleManager
from agar.nn._loss_scale import LossScaleManager as LossScaleManager
from agar.nn.metrics import get_metric_fn as get_metric_fn
from agar.nn.metrics import names as names
from agar.nn.metrics.accuracy import Accuracy as Accuracy
from agar.nn.metrics.bleu_score import BleuScore as BleuScore
from agar.nn.metrics.confusion_matrix import ConfusionMatrix as ConfusionMatrix
from agar.nn.metrics.confusion_matrix_metric import ConfusionMatrixMetric as ConfusionMatrixMetric
from agar.nn.metrics.cosine_similarity import CosineSimilarity as CosineSimilarity
from agar.nn.metrics.dice import Dice as Dice
from agar.nn.metrics.error import MAE as MAE
from agar.nn.metrics.error import MSE as MSE
from agar.nn.metrics.fbeta import F1 as F1
from agar.nn.metrics.fbeta import Fbeta as Fbeta
from agar.nn.metrics.loss import Loss as Loss
from agar.nn.metrics.metric import Metric as Metric
from agar.nn.metrics.metric import rearrange_inputs as rearrange_inputs
from agar.nn.metrics.occlusion_sensitivity import OcclusionSensitivity as OcclusionSensitivity
from agar.nn.metrics.perplexity import Perplexity as Perplexity
from agar.nn.metrics.precision import Precision as Precision
from agar.nn.metrics.recall import Recall as Recall
from agar.nn.metrics.roc import ROC as ROC
from agar.nn.metrics.roc import auc as auc
from agar.nn.metrics.surface_distance import HausdorffDistance as HausdorffDistance
from agar.nn.metrics.surface_distance import MeanSurfaceDistance as MeanSurfaceDistance
from agar.nn.metrics.surface_distance import RootMeanSquareDistance as RootMeanSquareDistance
from agar.nn.metrics.topk import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from agar.nn.metrics.topk import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from agar.nn.metrics.topk import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from agar.nn.torch_cell import TorchCell as TorchCell
from agar.nn.torch_cell import as_torch as as_torch
from agar.ops.primitive import constexpr as constexpr
from agar.ops.python.placement import reshard as reshard
from agar.parallel._parameter_broadcast import parameter_broadcast as parameter_broadcast
from agar.parallel.algo_parameter_config import get_algo_parameters as get_algo_parameters
from agar.parallel.algo_parameter_config import reset_algo_parameters as reset_algo_parameters
from agar.parallel.algo_parameter_config import set_algo_parameters as set_algo_parameters
from agar.parallel.shard import Layout as Layout
from agar.parallel.shard import shard as shard
from agar.profiler.envprofiler import EnvProfiler as EnvProfiler
from agar.profiler.profiler import Profiler as Profiler
from agar.rewrite.api.node import Node as Node
from agar.rewrite.api.node_type import NodeType as NodeType
from agar.rewrite.api.scoped_value import ScopedValue as ScopedValue
from agar.rewrite.api.symbol_tree import SymbolTree as SymbolTree
from agar.runtime.event import Event as Event
from agar.runtime.executor import dispatch_threads_num as dispatch_threads_num
from agar.runtime.executor import launch_blocking as launch_blocking
from agar.runtime.executor import set_cpu_affinity as set_cpu_affinity
from agar.runtime.executor import set_kernel_launch_capture as set_kernel_launch_capture
from agar.runtime.executor import set_kernel_launch_group as set_kernel_launch_group
from agar.runtime.limits import StreamLimitCtx as StreamLimitCtx
from agar.runtime.limits import get_device_limit as get_device_limit
from agar.runtime.limits import get_stream_limit as get_stream_limit
from agar.runtime.limits import reset_stream_limit as reset_stream_limit
from agar.runtime.limits import set_device_limit as set_device_limit
from agar.runtime.limits import set_stream_limit as set_stream_limit
from agar.runtime.memory import MemPool as MemPool
from agar.runtime.memory import PluggableAllocator as PluggableAllocator
from agar.runtime.memory import empty_cache as empty_cache
from agar.runtime.memory import max_memory_allocated as max_memory_allocated
from agar.runtime.memory import max_memory_reserved as max_memory_reserved
from agar.runtime.memory import memory_allocated as memory_allocated
from agar.runtime.memory import memory_replay as memory_replay
from agar.runtime.memory import memory_reserved as memory_reserved
from agar.runtime.memory import memory_stats as memory_stats
from agar.runtime.memory import memory_summary as memory_summary
from agar.runtime.memory import reset_max_memory_allocated as reset_max_memory_allocated
from agar.runtime.memory import reset_max_memory_reserved as reset_max_memory_reserved
from agar.runtime.memory import reset_peak_memory_stats as reset_peak_memory_stats
from agar.runtime.memory import set_memory as set_memory
from agar.runtime.memory import use_mem_pool as use_mem_pool
from agar.runtime.stream import Stream as Stream
from agar.runtime.stream import StreamCtx as StreamCtx
from agar.runtime.stream import communication_stream as communication_stream
from agar.runtime.stream import current_stream as current_stream
from agar.runtime.stream import default_stream as default_stream
from agar.runtime.stream import set_cur_stream as set_cur_stream
from agar.runtime.stream import synchronize as synchronize
from agar.safeguard.rewrite_obfuscation import load_obf_params_into_net as load_obf_params_into_net
from agar.safeguard.rewrite_obfuscation import obfuscate_ckpt as obfuscate_ckpt
from agar.tools.data_dump import set_dump as set_dump
from agar.tools.network_summary import summary as summary
from agar.tools.sdc_detect import get_sdc_detect_result as get_sdc_detect_result
from agar.tools.sdc_detect import sdc_detect_start as sdc_detect_start
from agar.tools.sdc_detect import sdc_detect_stop as sdc_detect_stop
from agar.tools.stress_detect import stress_detect as stress_detect
from agar.train._conversion import ckpt_to_safetensors as ckpt_to_safetensors
from agar.train._conversion import safetensors_to_ckpt as safetensors_to_ckpt
from agar.train._export import export as export
from agar.train._export import load as load
from agar.train._mindir_messages import load_mindir as load_mindir
from agar.train._mindir_messages import save_mindir as save_mindir
from agar.train._sharded.copies import get_ckpt_path_with_strategy as get_ckpt_path_with_strategy
from agar.train._sharded.loading import load_distributed_checkpoint as load_distributed_checkpoint
from agar.train._sharded.loading import load_segmented_checkpoints as load_segmented_checkpoints
from agar.train._sharded.merging import merge_pipeline_strategys as merge_pipeline_strategys
from agar.train._sharded.merging import merge_sliced_parameter as merge_sliced_parameter
from agar.train._sharded.plans import sync_pipeline_shared_parameters as sync_pipeline_shared_parameters
from agar.train._sharded.strategy import build_searched_strategy as build_searched_strategy
from agar.train._sharded.strategy import restore_group_info_list as restore_group_info_list
from agar.train._sharded.transform import rank_list_for_transform as rank_list_for_transform
from agar.train._sharded.transform import transform_checkpoint_by_rank as transform_checkpoint_by_rank
from agar.train._sharded.transform import transform_checkpoints as transform_checkpoints
from agar.train._sharded.unified import unified_safetensors as unified_safetensors
from agar.train.callback._backup_and_restore import BackupAndRestore as BackupAndRestore
from agar.train.callback._callback import Callback as Callback
from agar.train.callback._callback import RunContext as RunContext
from agar.train.callback._checkpoint import CheckpointConfig as CheckpointConfig
from agar.train.callback._checkpoint import ModelCheckpoint as ModelCheckpoint
from agar.train.callback._early_stop import EarlyStopping as EarlyStopping
from agar.train.callback._flops_collector import FlopsUtilizationCollector as FlopsUtilizationCollector
from agar.train.callback._history import History as History
from agar.train.callback._lambda_callback import LambdaCallback as LambdaCallback
from agar.train.callback._landscape import SummaryLandscape as SummaryLandscape
from agar.train.callback._loss_monitor import LossMonitor as LossMonitor
from agar.train.callback._lr_scheduler_callback import LearningRateScheduler as LearningRateScheduler
from agar.train.callback._on_request_exit import OnRequestExit as OnRequestExit
from agar.train.callback._reduce_lr_on_plateau import ReduceLROnPlateau as ReduceLROnPlateau
from agar.train.callback._summary_collector import SummaryCollector as SummaryCollector
from agar.train.callback._time_monitor import TimeMonitor as TimeMonitor
from agar.train.dataset_helper import DatasetHelper as DatasetHelper
from agar.train.dataset_helper import connect_network_with_dataset as connect_network_with_dataset
from agar.train.dataset_helper import data_sink as data_sink
from agar.train.model import Model as Model
from agar.train.serialization import async_ckpt_thread_status as async_ckpt_thread_status
from agar.train.serialization import load_checkpoint as load_checkpoint
from agar.train.serialization import load_checkpoint_async as load_checkpoint_async
from agar.train.serialization import load_param_into_net as load_param_into_net
from agar.train.serialization import save_checkpoint as save_checkpoint
from agar.train.structure import load_by_structure as load_by_structure
from agar.train.summary.summary_record import SummaryRecord as SummaryRecord
from agar.train.train_thor.convert_utils import ConvertModelUtils as ConvertModelUtils
from agar.train.train_thor.convert_utils import ConvertNetUtils as ConvertNetUtils
from agar.utils import dryrun as dryrun
from agar.utils import runtime_execution_order_check as runtime_execution_order_check
from agar.utils._install import run_check as run_check
from agar.utils.dlpack import from_dlpack as from_dlpack
from agar.utils.dlpack import to_dlpack as to_dlpack
from agar.utils.ms_dispatch import MsDispatchMode as MsDispatchMode
from agar.utils.runtime_execution_order_check import comm_exec_order_check as comm_exec_order_check
from agar.utils.utils import ExitByRequest as ExitByRequest
from agar.utils.utils import RSCPluginHandle as RSCPluginHandle
from agar.utils.utils import TFTCommValue as TFTCommValue
Number = builtins.bool | builtins.int | builtins.float | builtins.complex | np.generic

__all__ = [
    'Accuracy',
    'BackupAndRestore',
    'BleuScore',
    'COMPATIBLE',
    'COOTensor',
    'CSRTensor',
    'Callback',
    'CheckpointConfig',
    'Cifar100ToMR',
    'Cifar10ToMR',
    'ConfusionMatrix',
    'ConfusionMatrixMetric',
    'ConvertModelUtils',
    'ConvertNetUtils',
    'CosineSimilarity',
    'CsvToMR',
    'CustomPassType',
    'DatasetHelper',
    'DeviceCtx',
    'Dice',
    'DynamicLossScaleManager',
    'EarlyStopping',
    'EnvProfiler',
    'Event',
    'ExitByRequest',
    'F1',
    'FAILED',
    'Fbeta',
    'FileReader',
    'FileWriter',
    'FixedLossScaleManager',
    'FlopsUtilizationCollector',
    'GRAPH_MODE',
    'Generator',
    'HausdorffDistance',
    'History',
    'ImageNetToMR',
    'Int',
    'JitConfig',
    'LAX',
    'LambdaCallback',
    'Layout',
    'LearningRateScheduler',
    'Loss',
    'LossMonitor',
    'LossScaleManager',
    'MAE',
    'MSE',
    'MeanSurfaceDistance',
    'MemPool',
    'Metric',
    'MindPage',
    'MnistToMR',
    'Model',
    'ModelCheckpoint',
    'MsDispatchMode',
    'Node',
    'NodeType',
    'OcclusionSensitivity',
    'OnRequestExit',
    'PYNATIVE_MODE',
    'ParallelMode',
    'Parameter',
    'ParameterTuple',
    'Perplexity',
    'PluggableAllocator',
    'Precision',
    'Profiler',
    'QuantDtype',
    'ROC',
    'RSCPluginHandle',
    'Recall',
    'ReduceLROnPlateau',
    'RootMeanSquareDistance',
    'RowTensor',
    'RunContext',
    'STRICT',
    'SUCCESS',
    'ScopedValue',
    'SparseTensor',
    'Stream',
    'StreamCtx',
    'StreamLimitCtx',
    'SummaryCollector',
    'SummaryLandscape',
    'SummaryRecord',
    'Symbol',
    'SymbolTree',
    'TFRecordToMR',
    'TFTCommValue',
    'Tensor',
    'TensorType',
    'TimeMonitor',
    'Top1CategoricalAccuracy',
    'Top5CategoricalAccuracy',
    'TopKCategoricalAccuracy',
    'TorchCell',
    'TrainFaultTolerance',
    'Type',
    'UntypedStorage',
    'alias_mindspore',
    'all_types',
    'amp',
    'as_torch',
    'async_ckpt_thread_status',
    'auc',
    'bfloat16',
    'bool',
    'bool_',
    'boost',
    'build_searched_strategy',
    'build_train_network',
    'byte',
    'cdouble',
    'cfloat',
    'ckpt_to_safetensors',
    'clear_op_infer',
    'clear_op_wrapper',
    'comm_exec_order_check',
    'common',
    'communication',
    'communication_stream',
    'complex128',
    'complex64',
    'complex_type',
    'connect_network_with_dataset',
    'constexpr',
    'context',
    'current_stream',
    'data_sink',
    'dataset',
    'default_generator',
    'default_stream',
    'device_context',
    'dispatch_threads_num',
    'double',
    'dryrun',
    'dtype',
    'dtype_to_nptype',
    'dtype_to_pytype',
    'empty_cache',
    'enable_dynamic',
    'experimental',
    'export',
    'export_split_mindir',
    'float',
    'float16',
    'float32',
    'float64',
    'float8_e4m3fn',
    'float8_e5m2',
    'float_',
    'float_type',
    'flops_collection',
    'from_dlpack',
    'from_numpy',
    'from_torch',
    'frombuffer',
    'get_algo_parameters',
    'get_auto_parallel_context',
    'get_ckpt_path_with_strategy',
    'get_context',
    'get_current_device',
    'get_device_limit',
    'get_grad',
    'get_level',
    'get_log_config',
    'get_metric_fn',
    'get_ps_context',
    'get_py_obj_dtype',
    'get_rng_state',
    'get_sdc_detect_result',
    'get_seed',
    'get_stream_limit',
    'grad',
    'graph',
    'hal',
    'half',
    'hifloat8',
    'initial_seed',
    'int',
    'int16',
    'int32',
    'int64',
    'int8',
    'int_',
    'int_type',
    'intc',
    'intp',
    'is_tensor',
    'jacfwd',
    'jacrev',
    'jit',
    'jit_class',
    'jvp',
    'launch_blocking',
    'lazy_inline',
    'list_',
    'load',
    'load_by_structure',
    'load_checkpoint',
    'load_checkpoint_async',
    'load_distributed_checkpoint',
    'load_mindir',
    'load_obf_params_into_net',
    'load_param_into_net',
    'load_segmented_checkpoints',
    'log',
    'long',
    'manual_seed',
    'max_memory_allocated',
    'max_memory_reserved',
    'memory_allocated',
    'memory_replay',
    'memory_reserved',
    'memory_stats',
    'memory_summary',
    'merge_pipeline_strategys',
    'merge_sliced_parameter',
    'migrate',
    'mindio_preload',
    'mindrecord',
    'mint',
    'ms_memory_recycle',
    'multiprocessing',
    'mutable',
    'names',
    'nn',
    'no_inline',
    'number',
    'number_type',
    'numpy',
    'numpy_function',
    'obfuscate_ckpt',
    'onnx',
    'ops',
    'parallel',
    'parameter_broadcast',
    'profiler',
    'pytype_to_dtype',
    'qint4x2',
    'rank_list_for_transform',
    'rearrange_inputs',
    'recompute',
    'register_custom_backend',
    'register_custom_pass',
    'register_op_infer',
    'register_op_wrapper',
    'register_saved_tensors_hooks',
    'reset_algo_parameters',
    'reset_auto_parallel_context',
    'reset_max_memory_allocated',
    'reset_max_memory_reserved',
    'reset_peak_memory_stats',
    'reset_ps_context',
    'reset_stream_limit',
    'reshard',
    'restore_group_info_list',
    'rewrite',
    'run_check',
    'runtime',
    'runtime_execution_order_check',
    'safeguard',
    'safetensors_to_ckpt',
    'save_checkpoint',
    'save_mindir',
    'saved_tensors_hooks',
    'scipy',
    'sdc_detect_start',
    'sdc_detect_stop',
    'seed',
    'set_algo_parameters',
    'set_auto_parallel_context',
    'set_context',
    'set_cpu_affinity',
    'set_cur_stream',
    'set_dec_mode',
    'set_deterministic',
    'set_device',
    'set_device_limit',
    'set_dump',
    'set_enc_key',
    'set_enc_mode',
    'set_kernel_launch_capture',
    'set_kernel_launch_group',
    'set_memory',
    'set_mindio_server_info',
    'set_ps_context',
    'set_recursion_limit',
    'set_rng_state',
    'set_seed',
    'set_stream_limit',
    'shard',
    'short',
    'signed_type',
    'single',
    'stress_detect',
    'string',
    'summary',
    'swap_tensors',
    'sync_pipeline_shared_parameters',
    'synchronize',
    'tensor',
    'tensor_type',
    'to_dlpack',
    'tools',
    'train',
    'transform_checkpoint_by_rank',
    'transform_checkpoints',
    'tuple_',
    'type_none',
    'type_size_in_bytes',
    'ubyte',
    'uint',
    'uint16',
    'uint32',
    'uint64',
    'uint8',
    'uint_type',
    'uintc',
    'uintp',
    'unified_safetensors',
    'use_mem_pool',
    'ushort',
    'utils',
    'value_and_grad',
    'vjp',
    'vmap',
]

__version__: str

TrainFaultTolerance: type

def clear_op_infer(*args: Any, **kwargs: Any) -> Any:
    """``graph.clear_op_infer`` of MindSpore; a call raises an error.

    It is not available: it changes MindSpore's C++ graphs, in whose place PyTorch's stand. Write the operator with ops.Custom, or replace a Cell by another.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.
    """
    ...

def clear_op_wrapper(*args: Any, **kwargs: Any) -> Any:
    """``graph.clear_op_wrapper`` of MindSpore; a call raises an error.

    It is not available: it changes MindSpore's C++ graphs, in whose place PyTorch's stand. Write the operator with ops.Custom, or replace a Cell by another.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.
    """
    ...

def export_split_mindir(*args: Any, **kwargs: Any) -> Any:
    """``train.export_split_mindir`` of MindSpore; a call raises an error.

    It is not available: it works on MindSpore's own files of networks, which hold MindSpore's operators. Use export and load, whose files are agar's, or save_checkpoint for the parameters.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.
    """
    ...

def register_custom_backend(*args: Any, **kwargs: Any) -> Any:
    """``graph.register_custom_backend`` of MindSpore; a call raises an error.

    It is not available: it changes MindSpore's C++ graphs, in whose place PyTorch's stand. Write the operator with ops.Custom, or replace a Cell by another.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.
    """
    ...

def register_op_infer(*args: Any, **kwargs: Any) -> Any:
    """``graph.register_op_infer`` of MindSpore; a call raises an error.

    It is not available: it changes MindSpore's C++ graphs, in whose place PyTorch's stand. Write the operator with ops.Custom, or replace a Cell by another.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.
    """
    ...

def register_op_wrapper(*args: Any, **kwargs: Any) -> Any:
    """``graph.register_op_wrapper`` of MindSpore; a call raises an error.

    It is not available: it changes MindSpore's C++ graphs, in whose place PyTorch's stand. Write the operator with ops.Custom, or replace a Cell by another.

    Args:
        *args (Any): not used.
        **kwargs (Any): not used.
    """
    ...
