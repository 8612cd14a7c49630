"""Operators. Written by scripts/stubs.py; not to be edited."""


import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from agar._core.autodiff import GradOperation as GradOperation
from agar._core.autodiff import get_grad as get_grad
from agar._core.autodiff import grad as grad
from agar._core.autodiff import value_and_grad as value_and_grad
from agar._core.optable import Primitive as Primitive
from agar._core.tensor import Tensor as Tensor
from agar._core.tensor.tensor_class import is_tensor as is_tensor
from agar._core.transforms import jacfwd as jacfwd
from agar._core.transforms import jacrev as jacrev
from agar._core.transforms import jvp as jvp
from agar._core.transforms import vjp as vjp
from agar._core.transforms import vmap as vmap
from agar.ops.ascend.op_info import AiCPURegOp as AiCPURegOp
from agar.ops.ascend.op_info import AkgAscendRegOp as AkgAscendRegOp
from agar.ops.ascend.op_info import AkgGpuRegOp as AkgGpuRegOp
from agar.ops.ascend.op_info import CpuRegOp as CpuRegOp
from agar.ops.ascend.op_info import CustomRegOp as CustomRegOp
from agar.ops.ascend.op_info import custom_info_register as custom_info_register
from agar.ops.ascend.op_info import op_info_register as op_info_register
from agar.ops.ascend.op_info_base import DataType as DataType
from agar.ops.ascend.op_info_tbe import TBERegOp as TBERegOp
from agar.ops.ascend.quant_parts import FakeQuantParam as FakeQuantParam
from agar.ops.ascend.quant_parts import IFMR as IFMR
from agar.ops.attention.mixture_of_experts import moe_distribute_combine as moe_distribute_combine
from agar.ops.attention.mixture_of_experts import moe_distribute_dispatch as moe_distribute_dispatch
from agar.ops.collective.exchanges import all_to_all as all_to_all
from agar.ops.collective.exchanges import all_to_all_single as all_to_all_single
from agar.ops.collective.exchanges import all_to_all_v_c as all_to_all_v_c
from agar.ops.collective.exchanges import gather_into_tensor as gather_into_tensor
from agar.ops.collective.exchanges import scatter_tensor as scatter_tensor
from agar.ops.collective.fused_matmul import all_gather_matmul as all_gather_matmul
from agar.ops.collective.fused_matmul import matmul_reduce_scatter as matmul_reduce_scatter
from agar.ops.collective.groups import barrier as barrier
from agar.ops.collective.groups import destroy_process_group as destroy_process_group
from agar.ops.collective.groups import get_backend as get_backend
from agar.ops.collective.groups import get_global_rank as get_global_rank
from agar.ops.collective.groups import get_group_rank as get_group_rank
from agar.ops.collective.groups import get_process_group_ranks as get_process_group_ranks
from agar.ops.collective.groups import get_rank as get_rank
from agar.ops.collective.groups import get_world_size as get_world_size
from agar.ops.collective.groups import init_process_group as init_process_group
from agar.ops.collective.groups import is_available as is_available
from agar.ops.collective.groups import is_initialized as is_initialized
from agar.ops.collective.groups import new_group as new_group
from agar.ops.collective.groups import set_comm_ops_inplace as set_comm_ops_inplace
from agar.ops.collective.handles import ReduceOp as ReduceOp
from agar.ops.collective.message_primitives import Barrier as Barrier
from agar.ops.collective.message_primitives import BatchISendIRecv as BatchISendIRecv
from agar.ops.collective.message_primitives import MoveTo as MoveTo
from agar.ops.collective.message_primitives import NeighborExchange as NeighborExchange
from agar.ops.collective.message_primitives import NeighborExchangeV2 as NeighborExchangeV2
from agar.ops.collective.message_primitives import Pull as Pull
from agar.ops.collective.message_primitives import Push as Push
from agar.ops.collective.message_primitives import Receive as Receive
from agar.ops.collective.message_primitives import Reshard as Reshard
from agar.ops.collective.message_primitives import Send as Send
from agar.ops.collective.message_primitives import move_to as move_to
from agar.ops.collective.messages import P2POp as P2POp
from agar.ops.collective.messages import batch_isend_irecv as batch_isend_irecv
from agar.ops.collective.messages import irecv as irecv
from agar.ops.collective.messages import isend as isend
from agar.ops.collective.messages import recv as recv
from agar.ops.collective.messages import send as send
from agar.ops.collective.objects import all_gather_object as all_gather_object
from agar.ops.collective.objects import broadcast_object_list as broadcast_object_list
from agar.ops.collective.objects import gather_object as gather_object
from agar.ops.collective.objects import recv_object_list as recv_object_list
from agar.ops.collective.objects import scatter_object_list as scatter_object_list
from agar.ops.collective.objects import send_object_list as send_object_list
from agar.ops.collective.primitives import AllGather as AllGather
from agar.ops.collective.primitives import AllGatherV as AllGatherV
from agar.ops.collective.primitives import AllReduce as AllReduce
from agar.ops.collective.primitives import AlltoAll as AlltoAll
from agar.ops.collective.primitives import AlltoAllV as AlltoAllV
from agar.ops.collective.primitives import AlltoAllVC as AlltoAllVC
from agar.ops.collective.primitives import Broadcast as Broadcast
from agar.ops.collective.primitives import CollectiveGather as CollectiveGather
from agar.ops.collective.primitives import CollectiveScatter as CollectiveScatter
from agar.ops.collective.primitives import Reduce as Reduce
from agar.ops.collective.primitives import ReduceScatter as ReduceScatter
from agar.ops.collective.primitives import ReduceScatterV as ReduceScatterV
from agar.ops.collective.reductions import all_gather as all_gather
from agar.ops.collective.reductions import all_gather_into_tensor as all_gather_into_tensor
from agar.ops.collective.reductions import all_gather_into_tensor_uneven as all_gather_into_tensor_uneven
from agar.ops.collective.reductions import all_reduce as all_reduce
from agar.ops.collective.reductions import broadcast as broadcast
from agar.ops.collective.reductions import reduce as reduce
from agar.ops.collective.reductions import reduce_scatter as reduce_scatter
from agar.ops.collective.reductions import reduce_scatter_tensor as reduce_scatter_tensor
from agar.ops.collective.reductions import reduce_scatter_tensor_uneven as reduce_scatter_tensor_uneven
from agar.ops.collective.store import TCPStore as TCPStore
from agar.ops.linalg.einsum_lists import einsum_ext as einsum_ext
from agar.ops.primitive import PrimitiveWithCheck as PrimitiveWithCheck
from agar.ops.primitive import PrimitiveWithInfer as PrimitiveWithInfer
from agar.ops.primitive import constexpr as constexpr
from agar.ops.primitive import prim_arg_register as prim_arg_register
from agar.ops.primitive import prim_attr_register as prim_attr_register
from agar.ops.primitives.debug import Assert as Assert
from agar.ops.primitives.debug import DtypeToEnum as DtypeToEnum
from agar.ops.primitives.debug import DumpGradient as DumpGradient
from agar.ops.primitives.debug import GeSwitch as GeSwitch
from agar.ops.primitives.debug import GetNext as GetNext
from agar.ops.primitives.debug import Merge as Merge
from agar.ops.primitives.debug import Morph as Morph
from agar.ops.primitives.debug import PyExecute as PyExecute
from agar.ops.primitives.debug import Reusing as Reusing
from agar.ops.primitives.debug import TensorDump as TensorDump
from agar.ops.primitives.debug import UpdateState as UpdateState
from agar.ops.python.compiler_values import SliceGetItem as SliceGetItem
from agar.ops.python.compiler_values import array_reduce as array_reduce
from agar.ops.python.compiler_values import broadcast_gradient_args as broadcast_gradient_args
from agar.ops.python.compiler_values import distribute as distribute
from agar.ops.python.compiler_values import embed as embed
from agar.ops.python.compiler_values import env_get as env_get
from agar.ops.python.compiler_values import environ_add as environ_add
from agar.ops.python.compiler_values import environ_create as environ_create
from agar.ops.python.compiler_values import environ_get as environ_get
from agar.ops.python.compiler_values import environ_set as environ_set
from agar.ops.python.compiler_values import geswitch as geswitch
from agar.ops.python.compiler_values import is_dynamic_sequence_element_unknown as is_dynamic_sequence_element_unknown
from agar.ops.python.compiler_values import is_sequence_shape_unknown as is_sequence_shape_unknown
from agar.ops.python.compiler_values import is_sequence_value_unknown as is_sequence_value_unknown
from agar.ops.python.compiler_values import merge as merge
from agar.ops.python.compiler_values import switch as switch
from agar.ops.python.compiler_values import switch_layer as switch_layer
from agar.ops.python.control import Depend as Depend
from agar.ops.python.control import HookBackward as HookBackward
from agar.ops.python.control import HyperMap as HyperMap
from agar.ops.python.control import IdentityN as IdentityN
from agar.ops.python.control import InsertGradientOf as InsertGradientOf
from agar.ops.python.control import Map as Map
from agar.ops.python.control import MultitypeFuncGraph as MultitypeFuncGraph
from agar.ops.python.control import Partial as Partial
from agar.ops.python.control import Print as Print
from agar.ops.python.control import add_flags as add_flags
from agar.ops.python.control import depend as depend
from agar.ops.python.control import hyper_add as hyper_add
from agar.ops.python.control import identity as identity
from agar.ops.python.control import partial as partial
from agar.ops.python.control import print_ as print_
from agar.ops.python.control import stop_gradient as stop_gradient
from agar.ops.python.control import stop_gradient_ as stop_gradient_
from agar.ops.python.custom import Custom as Custom
from agar.ops.python.custom import CustomOpBuilder as CustomOpBuilder
from agar.ops.python.custom import PyFunc as PyFunc
from agar.ops.python.custom import kernel as kernel
from agar.ops.python.custom import ms_kernel as ms_kernel
from agar.ops.python.dump import tensordump as tensordump
from agar.ops.python.iteration import J as J
from agar.ops.python.iteration import iter_converter as iter_converter
from agar.ops.python.iteration import ms_hasnext as ms_hasnext
from agar.ops.python.iteration import ms_next as ms_next
from agar.ops.python.iteration import recompute_block as recompute_block
from agar.ops.python.iteration import ref_to_embed as ref_to_embed
from agar.ops.python.iteration import tail as tail
from agar.ops.python.iteration import zip_operation as zip_operation
from agar.ops.python.loops import ForiLoop as ForiLoop
from agar.ops.python.loops import Scan as Scan
from agar.ops.python.loops import WhileLoop as WhileLoop
from agar.ops.python.placement import reshard as reshard
from agar.ops.python.registry import get_vm_impl_fn as get_vm_impl_fn
from agar.ops.python.registry import tensor_operator_registry as tensor_operator_registry
from agar.ops.python.registry import vm_impl_registry as vm_impl_registry
from agar.ops.python.summary import HistogramSummary as HistogramSummary
from agar.ops.python.summary import ImageSummary as ImageSummary
from agar.ops.python.summary import ScalarSummary as ScalarSummary
from agar.ops.python.summary import TensorSummary as TensorSummary
from agar.ops.python.taylor import derivative as derivative
from agar.ops.python.taylor import jet as jet
from agar.ops.python.taylor import linearize as linearize
from agar.ops.python.values import ScalarCast as ScalarCast
from agar.ops.python.values import ScalarToArray as ScalarToArray
from agar.ops.python.values import ScalarToTensor as ScalarToTensor
from agar.ops.python.values import TensorToTuple as TensorToTuple
from agar.ops.python.values import TupleToArray as TupleToArray
from agar.ops.python.values import array_to_scalar as array_to_scalar
from agar.ops.python.values import mixed_precision_cast as mixed_precision_cast
from agar.ops.python.values import reduced_shape as reduced_shape
from agar.ops.python.values import scalar_cast as scalar_cast
from agar.ops.python.values import scalar_to_array as scalar_to_array
from agar.ops.python.values import scalar_to_tensor as scalar_to_tensor
from agar.ops.python.values import tuple_to_array as tuple_to_array
from agar.ops.python.values import typeof as typeof
from agar.ops.sparse.coo import coo_add as coo_add
from agar.ops.sparse.coo import coo_concat as coo_concat
from agar.ops.sparse.coo import make_coo_tensor as make_coo_tensor
from agar.ops.sparse.coo import make_row_tensor as make_row_tensor
from agar.ops.sparse.coo import make_row_tensor_inner as make_row_tensor_inner
from agar.ops.sparse.coo import make_sparse_tensor as make_sparse_tensor
from agar.ops.sparse.csr import csr_add as csr_add
from agar.ops.sparse.csr import csr_div as csr_div
from agar.ops.sparse.csr import csr_mm as csr_mm
from agar.ops.sparse.csr import csr_mul as csr_mul
from agar.ops.sparse.csr import csr_mv as csr_mv
from agar.ops.sparse.csr import csr_reduce_sum as csr_reduce_sum
from agar.ops.sparse.csr import csr_softmax as csr_softmax
from agar.ops.sparse.csr import csr_to_coo as csr_to_coo
from agar.ops.sparse.csr import csr_to_dense as csr_to_dense
from agar.ops.sparse.csr import dense_to_sparse_coo as dense_to_sparse_coo
from agar.ops.sparse.csr import dense_to_sparse_csr as dense_to_sparse_csr
from agar.ops.sparse.csr import make_csr_tensor as make_csr_tensor
from agar.ops.sparse.parts import make_map_parameter as make_map_parameter
from agar.ops.sparse.parts import row_tensor_add as row_tensor_add
Number = builtins.bool | builtins.int | builtins.float | builtins.complex | np.generic

__all__ = [
    'ACos',
    'Abs',
    'AccumulateNV2',
    'Acosh',
    'ActULQClampMaxGrad',
    'ActULQClampMinGrad',
    'ActsULQ',
    'ActsULQInputGrad',
    'Adam',
    'AdamNoUpdateParam',
    'AdamWeightDecay',
    'AdaptiveAvgPool2D',
    'AdaptiveAvgPool3D',
    'AdaptiveMaxPool2D',
    'AdaptiveMaxPool3D',
    'Add',
    'AddN',
    'Addcdiv',
    'Addcmul',
    'AdjustHue',
    'AdjustSaturation',
    'AffineGrid',
    'AiCPURegOp',
    'AkgAscendRegOp',
    'AkgGpuRegOp',
    'AllGather',
    'AllGatherV',
    'AllReduce',
    'AlltoAll',
    'AlltoAllV',
    'AlltoAllVC',
    'Angle',
    'ApplyAdaMax',
    'ApplyAdadelta',
    'ApplyAdagrad',
    'ApplyAdagradDA',
    'ApplyAdagradV2',
    'ApplyAdamWithAmsgrad',
    'ApplyAdamWithAmsgradV2',
    'ApplyAddSign',
    'ApplyCenteredRMSProp',
    'ApplyFtrl',
    'ApplyGradientDescent',
    'ApplyKerasMomentum',
    'ApplyMomentum',
    'ApplyPowerSign',
    'ApplyProximalAdagrad',
    'ApplyProximalGradientDescent',
    'ApplyRMSProp',
    'ApplyRotaryPosEmb',
    'ApproximateEqual',
    'ArgMaxWithValue',
    'ArgMinWithValue',
    'Argmax',
    'Argmin',
    'Asin',
    'Asinh',
    'Assert',
    'Assign',
    'AssignAdd',
    'AssignSub',
    'Atan',
    'Atan2',
    'Atanh',
    'AvgPool',
    'AvgPool3D',
    'BCEWithLogitsLoss',
    'Barrier',
    'BartlettWindow',
    'BasicLSTMCell',
    'BatchISendIRecv',
    'BatchMatMul',
    'BatchNorm',
    'BatchNormFold',
    'BatchNormFold2',
    'BatchNormFold2D',
    'BatchNormFold2Grad',
    'BatchNormFold2GradD',
    'BatchNormFold2GradReduce',
    'BatchNormFoldD',
    'BatchNormFoldGrad',
    'BatchNormFoldGradD',
    'BatchToSpace',
    'BatchToSpaceND',
    'BatchToSpaceNDV2',
    'Bernoulli',
    'BesselI0',
    'BesselI0e',
    'BesselI1',
    'BesselI1e',
    'BesselJ0',
    'BesselJ1',
    'BesselK0',
    'BesselK0e',
    'BesselK1',
    'BesselK1e',
    'BesselY0',
    'BesselY1',
    'Betainc',
    'BiasAdd',
    'BinaryCrossEntropy',
    'Bincount',
    'BitwiseAnd',
    'BitwiseOr',
    'BitwiseXor',
    'BlackmanWindow',
    'BoundingBoxDecode',
    'BoundingBoxEncode',
    'Broadcast',
    'BroadcastTo',
    'Bucketize',
    'CTCGreedyDecoder',
    'CTCLoss',
    'CTCLossV2',
    'CTCLossV2Grad',
    'CacheSwapTable',
    'Cast',
    'Cauchy',
    'Cdist',
    'CeLU',
    'Ceil',
    'ChannelShuffle',
    'CheckNumerics',
    'CheckValid',
    'Cholesky',
    'CholeskyInverse',
    'CholeskySolve',
    'CholeskyTrsm',
    'Coalesce',
    'Col2Im',
    'CollectiveGather',
    'CollectiveScatter',
    'CombinedNonMaxSuppression',
    'CompareAndBitpack',
    'Complex',
    'ComplexAbs',
    'ComputeAccidentalHits',
    'Concat',
    'ConfusionMatrix',
    'Conj',
    'ConjugateTranspose',
    'Conv2D',
    'Conv2DBackpropInput',
    'Conv2DTranspose',
    'Conv3D',
    'Conv3DTranspose',
    'CopyWithSlice',
    'CorrectionMul',
    'CorrectionMulGrad',
    'CorrectionMulGradReduce',
    'Cos',
    'Cosh',
    'CountNonZero',
    'CpuRegOp',
    'CropAndResize',
    'Cross',
    'CumProd',
    'CumSum',
    'Cummax',
    'Cummin',
    'CumulativeLogsumexp',
    'CusBatchMatMul',
    'CusCholeskyTrsm',
    'CusFusedAbsMax1',
    'CusImg2Col',
    'CusMatMulCube',
    'CusMatMulCubeDenseLeft',
    'CusMatMulCubeDenseRight',
    'CusMatMulCubeFraczLeftCast',
    'CusMatMulCubeFraczRightMul',
    'CusMatrixCombine',
    'CusTranspose02314',
    'Custom',
    'CustomOpBuilder',
    'CustomRegOp',
    'DType',
    'DataFormatDimMap',
    'DataFormatVecPermute',
    'DataType',
    'DeformableOffsets',
    'Dense',
    'Depend',
    'DepthToSpace',
    'DepthwiseConv2dNative',
    'DetTriangle',
    'Diag',
    'DiagPart',
    'Digamma',
    'Dilation2D',
    'Div',
    'DivNoNan',
    'Dropout',
    'Dropout2D',
    'Dropout3D',
    'DropoutDoMask',
    'DropoutGenMask',
    'DtypeToEnum',
    'DumpGradient',
    'DynamicAssign',
    'DynamicGRUV2',
    'DynamicRNN',
    'DynamicShape',
    'EditDistance',
    'Eig',
    'Einsum',
    'Elu',
    'EmbeddingLookup',
    'Eps',
    'Equal',
    'EqualCount',
    'Erf',
    'Erfc',
    'Erfinv',
    'EuclideanNorm',
    'Exp',
    'Expand',
    'ExpandDims',
    'Expm1',
    'ExtractGlimpse',
    'ExtractImagePatches',
    'ExtractVolumePatches',
    'Eye',
    'FFTWithSize',
    'FakeLearnedScaleQuantPerChannel',
    'FakeLearnedScaleQuantPerChannelGrad',
    'FakeLearnedScaleQuantPerChannelGradD',
    'FakeLearnedScaleQuantPerChannelGradDReduce',
    'FakeLearnedScaleQuantPerLayer',
    'FakeLearnedScaleQuantPerLayerGrad',
    'FakeLearnedScaleQuantPerLayerGradD',
    'FakeLearnedScaleQuantPerLayerGradDReduce',
    'FakeQuantParam',
    'FakeQuantPerChannel',
    'FakeQuantPerChannelGrad',
    'FakeQuantPerLayer',
    'FakeQuantPerLayerGrad',
    'FakeQuantWithMinMaxVars',
    'FakeQuantWithMinMaxVarsGradient',
    'FakeQuantWithMinMaxVarsPerChannel',
    'FakeQuantWithMinMaxVarsPerChannelGradient',
    'FastGeLU',
    'FastGelu',
    'Fill',
    'FillDiagonal',
    'FillV2',
    'Fills',
    'FlashAttentionScore',
    'Flatten',
    'FloatStatus',
    'Floor',
    'FloorDiv',
    'FloorMod',
    'Fmax',
    'Fmin',
    'ForiLoop',
    'FractionalAvgPool',
    'FractionalMaxPool',
    'FractionalMaxPool3DWithFixedKsize',
    'FractionalMaxPoolWithFixedKsize',
    'FusedAdaFactor',
    'FusedAdaFactorWithGlobalNorm',
    'FusedCastAdamWeightDecay',
    'FusedSparseAdam',
    'FusedSparseFtrl',
    'FusedSparseLazyAdam',
    'FusedSparseProximalAdagrad',
    'FusedWeightScaleApplyMomentum',
    'GLU',
    'Gamma',
    'Gather',
    'GatherD',
    'GatherNd',
    'GatherV2',
    'Gcd',
    'GeLU',
    'GeSwitch',
    'Gelu',
    'Geqrf',
    'Ger',
    'GetNext',
    'GradOperation',
    'Greater',
    'GreaterEqual',
    'GridSampler2D',
    'GridSampler3D',
    'GroupTopk',
    'HSVToRGB',
    'HShrink',
    'HSigmoid',
    'HSwish',
    'HammingWindow',
    'Heaviside',
    'Histogram',
    'HistogramFixedWidth',
    'HistogramSummary',
    'HookBackward',
    'HyperMap',
    'Hypot',
    'IFMR',
    'IOU',
    'Identity',
    'IdentityN',
    'Igamma',
    'Igammac',
    'Im2Col',
    'Imag',
    'ImageSummary',
    'InTopK',
    'IncreFlashAttention',
    'IndexAdd',
    'IndexFill',
    'IndexPut',
    'InplaceAdd',
    'InplaceIndexAdd',
    'InplaceSub',
    'InplaceUpdate',
    'InplaceUpdateV2',
    'InsertGradientOf',
    'InstanceNorm',
    'Inv',
    'Invert',
    'InvertPermutation',
    'IsClose',
    'IsFinite',
    'IsInf',
    'IsNan',
    'J',
    'KLDivLoss',
    'L2Loss',
    'L2Normalize',
    'LARSUpdate',
    'LRN',
    'LSTM',
    'LambApplyOptimizerAssign',
    'LambApplyWeightAssign',
    'LayerNorm',
    'Lcm',
    'LeftShift',
    'Lerp',
    'LerpScalar',
    'Less',
    'LessEqual',
    'Lgamma',
    'LinSpace',
    'ListDiff',
    'Load',
    'LoadIm2Col',
    'Log',
    'Log1p',
    'LogMatrixDeterminant',
    'LogNormalReverse',
    'LogSoftmax',
    'LogSoftmaxExt',
    'LogSpace',
    'LogUniformCandidateSampler',
    'LogicalAnd',
    'LogicalNot',
    'LogicalOr',
    'LogicalXor',
    'Logit',
    'LowerBound',
    'LpNorm',
    'Lstsq',
    'LuSolve',
    'LuUnpack',
    'Map',
    'MapCacheIdx',
    'MapUniform',
    'MaskedFill',
    'MaskedScatter',
    'MaskedSelect',
    'MatMul',
    'MatrixBandPart',
    'MatrixDeterminant',
    'MatrixDiagPartV3',
    'MatrixDiagV3',
    'MatrixExp',
    'MatrixInverse',
    'MatrixLogarithm',
    'MatrixPower',
    'MatrixSetDiagV3',
    'MatrixSolve',
    'MatrixSolveLs',
    'MatrixTriangularSolve',
    'MaxPool',
    'MaxPool3D',
    'MaxPool3DWithArgmax',
    'MaxPoolWithArgmax',
    'MaxPoolWithArgmaxV2',
    'MaxUnpool2D',
    'MaxUnpool3D',
    'Maximum',
    'Median',
    'Merge',
    'Meshgrid',
    'MinMaxUpdatePerChannel',
    'MinMaxUpdatePerLayer',
    'Minimum',
    'MirrorPad',
    'Mish',
    'Mod',
    'MoeComputeExpertTokens',
    'MoeInitRoutingV2',
    'MoeTokenPermute',
    'MoeTokenUnpermute',
    'Morph',
    'MoveTo',
    'Mul',
    'MulNoNan',
    'MultiMarginLoss',
    'MultiScaleDeformableAttn',
    'MultilabelMarginLoss',
    'Multinomial',
    'MultinomialWithReplacement',
    'MultitypeFuncGraph',
    'Mvlgamma',
    'NLLLoss',
    'NMSWithMask',
    'NPUAllocFloatStatus',
    'NPUClearFloatStatus',
    'NPUGetFloatStatus',
    'NanToNum',
    'Neg',
    'NeighborExchange',
    'NeighborExchangeV2',
    'NewIm2Col',
    'NextAfter',
    'NoRepeatNGram',
    'NonDeterministicInts',
    'NonMaxSuppressionV3',
    'NonMaxSuppressionWithOverlaps',
    'NonZero',
    'NotEqual',
    'NthElement',
    'NuclearNorm',
    'OneHot',
    'Ones',
    'OnesLike',
    'Orgqr',
    'Ormqr',
    'P2POp',
    'PReLU',
    'Pack',
    'Pad',
    'PadAndShift',
    'PadV3',
    'Padding',
    'PagedAttention',
    'PagedAttentionMask',
    'ParallelConcat',
    'ParameterizedTruncatedNormal',
    'Partial',
    'Pdist',
    'Poisson',
    'Polar',
    'Polygamma',
    'PopulationCount',
    'Pow',
    'Primitive',
    'PrimitiveWithCheck',
    'PrimitiveWithInfer',
    'Print',
    'PromptFlashAttention',
    'Pull',
    'Push',
    'PyExecute',
    'PyFunc',
    'Qr',
    'Quantile',
    'RGBToHSV',
    'RNNTLoss',
    'ROIAlign',
    'RaggedRange',
    'RandomCategorical',
    'RandomChoiceWithMask',
    'RandomGamma',
    'RandomPoisson',
    'RandomShuffle',
    'Randperm',
    'RandpermV2',
    'Range',
    'Rank',
    'ReLU',
    'ReLU6',
    'Real',
    'RealDiv',
    'Receive',
    'Reciprocal',
    'Reduce',
    'ReduceAll',
    'ReduceAny',
    'ReduceMax',
    'ReduceMean',
    'ReduceMin',
    'ReduceOp',
    'ReduceProd',
    'ReduceScatter',
    'ReduceScatterV',
    'ReduceStd',
    'ReduceSum',
    'Renorm',
    'Reshape',
    'ReshapeAndCache',
    'Reshard',
    'ResizeArea',
    'ResizeBicubic',
    'ResizeBilinear',
    'ResizeBilinearV2',
    'ResizeLinear1D',
    'ResizeNearestNeighbor',
    'ResizeNearestNeighborV2',
    'Reusing',
    'ReverseSequence',
    'ReverseV2',
    'RightShift',
    'RingAttentionUpdate',
    'Rint',
    'RmsNorm',
    'Roll',
    'RotaryPositionEmbedding',
    'RotatedIou',
    'Round',
    'Rsqrt',
    'SGD',
    'STFT',
    'SampleDistortedBoundingBoxV2',
    'ScalarCast',
    'ScalarSummary',
    'ScalarToArray',
    'ScalarToTensor',
    'ScaleAndTranslate',
    'Scan',
    'ScatterAdd',
    'ScatterAddWithAxis',
    'ScatterDiv',
    'ScatterMax',
    'ScatterMin',
    'ScatterMul',
    'ScatterNd',
    'ScatterNdAdd',
    'ScatterNdDiv',
    'ScatterNdMax',
    'ScatterNdMin',
    'ScatterNdMul',
    'ScatterNdSub',
    'ScatterNdUpdate',
    'ScatterNonAliasingAdd',
    'ScatterSub',
    'ScatterUpdate',
    'SeLU',
    'SearchSorted',
    'SegmentMax',
    'SegmentMean',
    'SegmentMin',
    'SegmentProd',
    'SegmentSum',
    'Select',
    'SelectView',
    'Send',
    'Shape',
    'Sigmoid',
    'SigmoidCrossEntropyWithLogits',
    'Sign',
    'Sin',
    'Sinc',
    'Sinh',
    'Size',
    'Slice',
    'SliceGetItem',
    'SmoothL1Loss',
    'SoftMarginLoss',
    'SoftShrink',
    'Softmax',
    'SoftmaxCrossEntropyWithLogits',
    'Softplus',
    'Softsign',
    'Sort',
    'SpaceToBatch',
    'SpaceToBatchND',
    'SpaceToDepth',
    'SparseApplyAdadelta',
    'SparseApplyAdagrad',
    'SparseApplyAdagradDA',
    'SparseApplyAdagradV2',
    'SparseApplyCenteredRMSProp',
    'SparseApplyFtrl',
    'SparseApplyFtrlV2',
    'SparseApplyMomentum',
    'SparseApplyProximalAdagrad',
    'SparseApplyProximalGradientDescent',
    'SparseApplyRMSProp',
    'SparseGatherV2',
    'SparseSlice',
    'SparseSoftmaxCrossEntropyWithLogits',
    'SparseTensorDenseAdd',
    'SparseTensorDenseMatmul',
    'SparseToDense',
    'Split',
    'SplitV',
    'Sqrt',
    'Square',
    'SquareSumAll',
    'SquaredDifference',
    'Squeeze',
    'Stack',
    'StandardLaplace',
    'StandardNormal',
    'StopGradient',
    'StridedSlice',
    'Sub',
    'SubAndFilter',
    'Svd',
    'TBERegOp',
    'TCPStore',
    'Tan',
    'Tanh',
    'TensorAdd',
    'TensorDump',
    'TensorScatterAdd',
    'TensorScatterDiv',
    'TensorScatterElements',
    'TensorScatterMax',
    'TensorScatterMin',
    'TensorScatterMul',
    'TensorScatterSub',
    'TensorScatterUpdate',
    'TensorShape',
    'TensorSummary',
    'TensorToTuple',
    'ThorIm2Col',
    'Tile',
    'TopK',
    'Trace',
    'TransShape',
    'Transpose',
    'TransposeExtView',
    'TransposeView',
    'TridiagonalMatMul',
    'Tril',
    'TrilIndices',
    'TripletMarginLoss',
    'Triu',
    'TriuIndices',
    'Trunc',
    'TruncateDiv',
    'TruncateMod',
    'TruncatedNormal',
    'TupleToArray',
    'TypeAs',
    'UniformCandidateSampler',
    'UniformInt',
    'UniformReal',
    'Unique',
    'UniqueConsecutive',
    'UniqueWithPad',
    'Unpack',
    'UnravelIndex',
    'UnsortedSegmentMax',
    'UnsortedSegmentMin',
    'UnsortedSegmentProd',
    'UnsortedSegmentSum',
    'Unstack',
    'UpdateCache',
    'UpdateState',
    'UpdateThorGradient',
    'UpperBound',
    'UpsampleBilinear2D',
    'UpsampleNearest2D',
    'UpsampleNearest3D',
    'UpsampleTrilinear3D',
    'WhileLoop',
    'WtsARQ',
    'Xdivy',
    'Xlogy',
    'Zeros',
    'ZerosLike',
    'Zeta',
    'abs',
    'absolute',
    'accumulate_n',
    'acos',
    'acosh',
    'adaptive_avg_pool1d',
    'adaptive_avg_pool2d',
    'adaptive_avg_pool3d',
    'adaptive_max_pool1d',
    'adaptive_max_pool2d',
    'adaptive_max_pool3d',
    'add',
    'add_flags',
    'add_layer_norm',
    'add_rms_norm',
    'addbmm',
    'addcdiv',
    'addcmul',
    'addmm',
    'addmv',
    'addn',
    'addr',
    'adjoint',
    'affine_grid',
    'all',
    'all_gather',
    'all_gather_into_tensor',
    'all_gather_into_tensor_uneven',
    'all_gather_matmul',
    'all_gather_object',
    'all_reduce',
    'all_to_all',
    'all_to_all_single',
    'all_to_all_v_c',
    'amax',
    'amin',
    'aminmax',
    'angle',
    'any',
    'approximate_equal',
    'arange',
    'arccos',
    'arccosh',
    'arcsin',
    'arcsinh',
    'arctan',
    'arctan2',
    'arctanh',
    'argmax',
    'argmin',
    'argsort',
    'argwhere',
    'array_reduce',
    'array_to_scalar',
    'asin',
    'asinh',
    'assign',
    'assign_add',
    'assign_sub',
    'atan',
    'atan2',
    'atanh',
    'atleast_1d',
    'atleast_2d',
    'atleast_3d',
    'augassign_add',
    'augassign_div',
    'augassign_floordiv',
    'augassign_mod',
    'augassign_mul',
    'augassign_sub',
    'avg_pool1d',
    'avg_pool2d',
    'avg_pool3d',
    'baddbmm',
    'barrier',
    'bartlett_window',
    'batch_dot',
    'batch_isend_irecv',
    'batch_norm',
    'batch_to_space_nd',
    'bernoulli',
    'bernoulli_',
    'bernoulli_ext',
    'bessel_i0',
    'bessel_i0e',
    'bessel_i1',
    'bessel_i1e',
    'bessel_j0',
    'bessel_j1',
    'bessel_k0',
    'bessel_k0e',
    'bessel_k1',
    'bessel_k1e',
    'bessel_y0',
    'bessel_y1',
    'bias_add',
    'bidense',
    'binary_cross_entropy',
    'binary_cross_entropy_with_logits',
    'bincount',
    'bitwise_and',
    'bitwise_left_shift',
    'bitwise_or',
    'bitwise_right_shift',
    'bitwise_xor',
    'blackman_window',
    'block_diag',
    'bmm',
    'bool_and',
    'bool_eq',
    'bool_not',
    'bool_or',
    'bounding_box_decode',
    'bounding_box_encode',
    'broadcast',
    'broadcast_gradient_args',
    'broadcast_object_list',
    'broadcast_to',
    'bucketize',
    'cartesian_prod',
    'cast',
    'cat',
    'cdist',
    'ceil',
    'celu',
    'channel_shuffle',
    'check_valid',
    'choice_with_mask',
    'cholesky',
    'cholesky_inverse',
    'cholesky_solve',
    'chunk',
    'clamp',
    'clamp_',
    'clip',
    'clip_by_global_norm',
    'clip_by_norm',
    'clip_by_value',
    'coalesce',
    'col2im',
    'column_stack',
    'combinations',
    'concat',
    'cond',
    'conj',
    'constexpr',
    'conv1d',
    'conv2d',
    'conv3d',
    'conv3d_transpose',
    'conv_transpose2d',
    'coo2csr',
    'coo_abs',
    'coo_acos',
    'coo_acosh',
    'coo_add',
    'coo_asin',
    'coo_asinh',
    'coo_atan',
    'coo_atanh',
    'coo_ceil',
    'coo_concat',
    'coo_cos',
    'coo_cosh',
    'coo_exp',
    'coo_expm1',
    'coo_floor',
    'coo_inv',
    'coo_isfinite',
    'coo_isinf',
    'coo_isnan',
    'coo_log',
    'coo_log1p',
    'coo_neg',
    'coo_relu',
    'coo_relu6',
    'coo_round',
    'coo_sigmoid',
    'coo_sin',
    'coo_sinh',
    'coo_softsign',
    'coo_sqrt',
    'coo_square',
    'coo_tan',
    'coo_tanh',
    'coo_tensor_get_dense_shape',
    'coo_tensor_get_indices',
    'coo_tensor_get_values',
    'copysign',
    'cos',
    'cosh',
    'cosine_embedding_loss',
    'cosine_similarity',
    'count_nonzero',
    'cov',
    'crop_and_resize',
    'cross',
    'cross_entropy',
    'csr2coo',
    'csr_abs',
    'csr_acos',
    'csr_acosh',
    'csr_add',
    'csr_asin',
    'csr_asinh',
    'csr_atan',
    'csr_atanh',
    'csr_ceil',
    'csr_cos',
    'csr_cosh',
    'csr_div',
    'csr_exp',
    'csr_expm1',
    'csr_floor',
    'csr_gather',
    'csr_inv',
    'csr_isfinite',
    'csr_isinf',
    'csr_isnan',
    'csr_log',
    'csr_log1p',
    'csr_mm',
    'csr_mul',
    'csr_mv',
    'csr_neg',
    'csr_reduce_sum',
    'csr_relu',
    'csr_relu6',
    'csr_round',
    'csr_sigmoid',
    'csr_sin',
    'csr_sinh',
    'csr_softmax',
    'csr_softsign',
    'csr_sqrt',
    'csr_square',
    'csr_tan',
    'csr_tanh',
    'csr_tensor_get_dense_shape',
    'csr_tensor_get_indices',
    'csr_tensor_get_indptr',
    'csr_tensor_get_values',
    'csr_to_coo',
    'csr_to_dense',
    'ctc_greedy_decoder',
    'ctc_loss',
    'cummax',
    'cummin',
    'cumprod',
    'cumsum',
    'custom_info_register',
    'deepcopy',
    'deformable_conv2d',
    'deg2rad',
    'dense',
    'dense_to_sparse_coo',
    'dense_to_sparse_csr',
    'depend',
    'derivative',
    'destroy_process_group',
    'det',
    'diag',
    'diag_embed',
    'diagflat',
    'diagonal',
    'diagonal_scatter',
    'dict_getitem',
    'dict_setitem',
    'diff',
    'digamma',
    'dist',
    'distribute',
    'div',
    'divide',
    'dot',
    'dropout',
    'dropout1d',
    'dropout2d',
    'dropout3d',
    'dsplit',
    'dstack',
    'dtype',
    'dyn_shape',
    'eig',
    'eigvals',
    'einsum',
    'einsum_ext',
    'elu',
    'embed',
    'embedding',
    'env_get',
    'environ_add',
    'environ_create',
    'environ_get',
    'environ_set',
    'eps',
    'eq',
    'equal',
    'erf',
    'erfc',
    'erfinv',
    'erfinv_',
    'exp',
    'exp2',
    'expand',
    'expand_as',
    'expand_dims',
    'expm1',
    'exponential_',
    'eye',
    'fast_gelu',
    'fft',
    'fft2',
    'fftfreq',
    'fftn',
    'fftshift',
    'fill',
    'fills',
    'flash_attention_score',
    'flatten',
    'flip',
    'fliplr',
    'flipud',
    'float_power',
    'floor',
    'floor_div',
    'floor_divide',
    'floor_mod',
    'floordiv',
    'floormod',
    'fmax',
    'fmin',
    'fmod',
    'fold',
    'frac',
    'fractional_max_pool2d',
    'fractional_max_pool3d',
    'full',
    'full_like',
    'fused_infer_attention_score',
    'gamma',
    'gather',
    'gather_d',
    'gather_elements',
    'gather_into_tensor',
    'gather_nd',
    'gather_object',
    'gaussian_nll_loss',
    'gcd',
    'ge',
    'gelu',
    'geqrf',
    'ger',
    'geswitch',
    'get_backend',
    'get_global_rank',
    'get_grad',
    'get_group_rank',
    'get_process_group_ranks',
    'get_rank',
    'get_vm_impl_fn',
    'get_world_size',
    'glu',
    'gmm',
    'gmm_backward',
    'gmm_backward_fusion',
    'grad',
    'greater',
    'greater_equal',
    'grid_sample',
    'group_norm',
    'gt',
    'gumbel_softmax',
    'hamming_window',
    'hann_window',
    'hardshrink',
    'hardsigmoid',
    'hardswish',
    'hardtanh',
    'hastype',
    'heaviside',
    'hfft',
    'hfft2',
    'hfftn',
    'hinge_embedding_loss',
    'histc',
    'hsplit',
    'hstack',
    'huber_loss',
    'hyper_add',
    'hypot',
    'i0',
    'identity',
    'ifft',
    'ifft2',
    'ifftn',
    'ifftshift',
    'igamma',
    'igammac',
    'ihfft',
    'ihfft2',
    'ihfftn',
    'imag',
    'in_dict',
    'incre_flash_attention',
    'index_add',
    'index_fill',
    'index_select',
    'init_process_group',
    'inner',
    'inplace_add',
    'inplace_index_add',
    'inplace_sigmoid',
    'inplace_sub',
    'inplace_update',
    'instance_norm',
    'interpolate',
    'intopk',
    'inv',
    'inverse',
    'invert',
    'iou',
    'irecv',
    'irfft',
    'irfft2',
    'irfftn',
    'is_',
    'is_available',
    'is_complex',
    'is_dynamic_sequence_element_unknown',
    'is_floating_point',
    'is_initialized',
    'is_nonzero',
    'is_not',
    'is_sequence_shape_unknown',
    'is_sequence_value_unknown',
    'is_tensor',
    'is_tensor_bool_cond',
    'isclose',
    'isconstant',
    'isend',
    'isfinite',
    'isinf',
    'isnan',
    'isneginf',
    'isposinf',
    'isreal',
    'iter_converter',
    'jacfwd',
    'jacrev',
    'jet',
    'jvp',
    'kaiser_window',
    'kernel',
    'kl_div',
    'kron',
    'l1_loss',
    'laplace',
    'layer_norm',
    'lcm',
    'ldexp',
    'le',
    'leaky_relu',
    'lerp',
    'less',
    'less_equal',
    'lgamma',
    'lightning_indexer',
    'linearize',
    'linspace',
    'list_equal',
    'list_getitem',
    'list_len',
    'list_setitem',
    'log',
    'log10',
    'log1p',
    'log2',
    'log_matrix_determinant',
    'log_softmax',
    'log_uniform_candidate_sampler',
    'logaddexp',
    'logaddexp2',
    'logcumsumexp',
    'logdet',
    'logical_and',
    'logical_not',
    'logical_or',
    'logical_xor',
    'logit',
    'logsigmoid',
    'logspace',
    'logsumexp',
    'lp_pool1d',
    'lp_pool2d',
    'lrn',
    'lstsq',
    'lt',
    'lu_solve',
    'lu_unpack',
    'make_coo_tensor',
    'make_csr_tensor',
    'make_dict',
    'make_list',
    'make_map_parameter',
    'make_range',
    'make_row_tensor',
    'make_row_tensor_inner',
    'make_slice',
    'make_sparse_tensor',
    'make_tuple',
    'margin_ranking_loss',
    'masked_fill',
    'masked_select',
    'matmul',
    'matmul_reduce_scatter',
    'matrix_band_part',
    'matrix_determinant',
    'matrix_diag',
    'matrix_diag_part',
    'matrix_exp',
    'matrix_norm',
    'matrix_power',
    'matrix_set_diag',
    'matrix_solve',
    'max',
    'max_pool2d',
    'max_pool3d',
    'max_unpool1d',
    'max_unpool2d',
    'max_unpool3d',
    'maximum',
    'mean',
    'median',
    'merge',
    'meshgrid',
    'min',
    'minimum',
    'mirror_pad',
    'mish',
    'mixed_precision_cast',
    'mm',
    'moe_compute_expert_tokens',
    'moe_distribute_combine',
    'moe_distribute_dispatch',
    'moe_init_routing_v2',
    'moe_token_permute',
    'moe_token_unpermute',
    'move_to',
    'moveaxis',
    'movedim',
    'ms_hasnext',
    'ms_kernel',
    'ms_next',
    'mse_loss',
    'msort',
    'mul',
    'multi_margin_loss',
    'multi_scale_deformable_attn_function',
    'multilabel_margin_loss',
    'multilabel_soft_margin_loss',
    'multinomial',
    'multinomial_with_replacement',
    'multiply',
    'mv',
    'mvlgamma',
    'nan_to_num',
    'nanmean',
    'nanmedian',
    'nanquantile',
    'nansum',
    'narrow',
    'ne',
    'neg',
    'negative',
    'new_group',
    'nextafter',
    'nll_loss',
    'nonzero',
    'norm',
    'normal',
    'normal_',
    'not_equal',
    'not_in_dict',
    'nsa_compress',
    'nsa_compress_attention',
    'nsa_select_attention',
    'numel',
    'one_hot',
    'ones',
    'ones_like',
    'op_info_register',
    'orgqr',
    'ormqr',
    'outer',
    'pad',
    'padding',
    'partial',
    'pdist',
    'permute',
    'pinv',
    'pixel_shuffle',
    'pixel_unshuffle',
    'poisson',
    'polar',
    'polygamma',
    'population_count',
    'positive',
    'pow',
    'pows',
    'prelu',
    'prim_arg_register',
    'prim_attr_register',
    'print_',
    'prod',
    'prompt_flash_attention',
    'put_',
    'qr',
    'quantile',
    'rad2deg',
    'rand',
    'rand_like',
    'randint',
    'randint_like',
    'randn',
    'randn_like',
    'random_',
    'random_categorical',
    'random_gamma',
    'random_poisson',
    'randperm',
    'range',
    'rank',
    'ravel',
    'real',
    'reciprocal',
    'recompute_block',
    'recv',
    'recv_object_list',
    'reduce',
    'reduce_max',
    'reduce_mean',
    'reduce_min',
    'reduce_scatter',
    'reduce_scatter_tensor',
    'reduce_scatter_tensor_uneven',
    'reduce_sum',
    'reduced_shape',
    'ref_to_embed',
    'relu',
    'relu6',
    'remainder',
    'renorm',
    'repeat_elements',
    'repeat_interleave',
    'reshape',
    'reshape_',
    'reshard',
    'reverse',
    'reverse_sequence',
    'rfft',
    'rfft2',
    'rfftfreq',
    'rfftn',
    'ring_attention_update',
    'rms_norm',
    'roll',
    'rot90',
    'rotary_position_embedding',
    'rotated_iou',
    'round',
    'row_stack',
    'row_tensor_add',
    'row_tensor_get_dense_shape',
    'row_tensor_get_indices',
    'row_tensor_get_values',
    'rrelu',
    'rsqrt',
    'scalar_add',
    'scalar_cast',
    'scalar_div',
    'scalar_eq',
    'scalar_floordiv',
    'scalar_ge',
    'scalar_gt',
    'scalar_le',
    'scalar_log',
    'scalar_lt',
    'scalar_max',
    'scalar_min',
    'scalar_mod',
    'scalar_mul',
    'scalar_ne',
    'scalar_pow',
    'scalar_sub',
    'scalar_to_array',
    'scalar_to_tensor',
    'scalar_uadd',
    'scalar_usub',
    'scatter',
    'scatter_add',
    'scatter_div',
    'scatter_max',
    'scatter_min',
    'scatter_mul',
    'scatter_nd',
    'scatter_nd_add',
    'scatter_nd_div',
    'scatter_nd_max',
    'scatter_nd_min',
    'scatter_nd_mul',
    'scatter_nd_sub',
    'scatter_nd_update',
    'scatter_object_list',
    'scatter_sub',
    'scatter_tensor',
    'scatter_update',
    'searchsorted',
    'select',
    'select_scatter',
    'selu',
    'send',
    'send_object_list',
    'sequence_mask',
    'set_comm_ops_inplace',
    'sgn',
    'shape',
    'shape_',
    'shape_mul',
    'shuffle',
    'sigmoid',
    'sign',
    'signbit',
    'silu',
    'sin',
    'sinc',
    'sinh',
    'size',
    'slice',
    'slice_scatter',
    'slogdet',
    'smooth_l1_loss',
    'soft_margin_loss',
    'soft_shrink',
    'softmax',
    'softmin',
    'softplus',
    'softshrink',
    'softsign',
    'sort',
    'space_to_batch_nd',
    'sparse_flash_attention',
    'sparse_segment_mean',
    'speed_fusion_attention',
    'split',
    'sqrt',
    'square',
    'squeeze',
    'stack',
    'standard_laplace',
    'standard_normal',
    'std',
    'std_mean',
    'stft',
    'stop_gradient',
    'stop_gradient_',
    'strided_slice',
    'string_concat',
    'string_eq',
    'sub',
    'subtract',
    'sum',
    'svd',
    'swapaxes',
    'swapdims',
    'swiglu',
    'switch',
    'switch_layer',
    't',
    'tail',
    'take',
    'tan',
    'tanh',
    'tanh_',
    'tanhshrink',
    'tensor_add',
    'tensor_div',
    'tensor_dot',
    'tensor_exp',
    'tensor_expm1',
    'tensor_floordiv',
    'tensor_ge',
    'tensor_gt',
    'tensor_le',
    'tensor_lt',
    'tensor_mod',
    'tensor_mul',
    'tensor_muls',
    'tensor_operator_registry',
    'tensor_pow',
    'tensor_range',
    'tensor_scatter_add',
    'tensor_scatter_div',
    'tensor_scatter_elements',
    'tensor_scatter_max',
    'tensor_scatter_min',
    'tensor_scatter_mul',
    'tensor_scatter_sub',
    'tensor_scatter_update',
    'tensor_slice',
    'tensor_split',
    'tensor_sub',
    'tensordump',
    'threshold',
    'tile',
    'top_k',
    'topk',
    'trace',
    'transpose',
    'trapz',
    'tril',
    'tril_indices',
    'triplet_margin_loss',
    'triu',
    'triu_indices',
    'true_divide',
    'trunc',
    'truncate_div',
    'truncate_mod',
    'tuple_div',
    'tuple_equal',
    'tuple_getitem',
    'tuple_len',
    'tuple_reversed',
    'tuple_setitem',
    'tuple_to_array',
    'type_as',
    'typeof',
    'unbind',
    'unfold',
    'uniform',
    'uniform_',
    'uniform_candidate_sampler',
    'unique',
    'unique_consecutive',
    'unique_with_pad',
    'unsorted_segment_max',
    'unsorted_segment_min',
    'unsorted_segment_prod',
    'unsorted_segment_sum',
    'unsqueeze',
    'unstack',
    'upsample',
    'value_and_grad',
    'vander',
    'var',
    'var_mean',
    'vecdot',
    'vector_norm',
    'view_as',
    'view_as_real',
    'vjp',
    'vm_impl_registry',
    'vmap',
    'vsplit',
    'vstack',
    'where',
    'xdivy',
    'xlogy',
    'zero_',
    'zeros',
    'zeros_like',
    'zeta',
    'zip_operation',
]

class ACos(Primitive):
    r"""Inverse cosine, element by element: :math:`out = \arccos x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Abs(Primitive):
    """Absolute value, element by element: :math:`out_i = |input_i|`.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tensor of the same shape and type; complex numbers give the type of their parts.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class AccumulateNV2(Primitive):
    r"""Sum of tensors: :math:`out = x_1 + \dots + x_n`.

    Inputs:
        - **x** (Union[tuple, list]) - tensors of one shape and type.

    Outputs:
        Tensor of that shape and type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Sequence[Tensor]) -> Tensor: ...

class Acosh(Primitive):
    r"""Inverse hyperbolic cosine, element by element: :math:`out = \cosh^{-1} x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class ActULQClampMaxGrad(Primitive):
    r"""The gradient of the upper end of :class:`ActsULQ`: :math:`\sum dy (1 - mask + loss)`.

    Inputs:
        - **y_grad** (Tensor) - the gradient of the activations.
        - **clamp_max_mask** (Tensor) - where they are at most the upper end.
        - **x_clamped_loss** (Tensor) - the loss that :class:`ActsULQ` returns.

    Outputs:
        Tensor of one element and the rank of `y_grad`, float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, y_grad: Tensor, clamp_max_mask: Tensor, x_clamped_loss: Tensor) -> Tensor: ...

class ActULQClampMinGrad(Primitive):
    r"""The gradient of the lower end of :class:`ActsULQ`: :math:`\sum dy (1 - mask - loss)`.

    Inputs:
        - **y_grad** (Tensor) - the gradient of the activations.
        - **clamp_min_mask** (Tensor) - where they are at least the lower end.
        - **x_clamped_loss** (Tensor) - the loss that :class:`ActsULQ` returns.

    Outputs:
        Tensor of one element and the rank of `y_grad`, float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, y_grad: Tensor, clamp_min_mask: Tensor, x_clamped_loss: Tensor) -> Tensor: ...

class ActsULQ(Primitive):
    r"""Activations rounded to 255 steps of an interval whose ends are learned.

    .. math::
        s = \frac{max - min}{255}, \quad
        r = clip(x, min, max) / s, \quad
        y = s \lfloor r \rceil, \quad
        loss = \frac{\lfloor r \rceil - r}{255}

    where min is at most 0 (0 with `fixed_min`), max above 0, and both are moved to multiples of
    the step. The gradient of x passes within the ends; those of the ends are
    :class:`ActULQClampMinGrad` and :class:`ActULQClampMaxGrad`.

    Args:
        fixed_min (bool): whether the lower end is 0. Default: False.
        num_bits (int): must be 8. Default: 8.

    Inputs:
        - **x** (Tensor) - any shape.
        - **clamp_min**, **clamp_max** (Tensor) - the ends, of the rank of x and one element.

    Outputs:
        Tuple of y, whether x is at least min, whether it is at most max (bool), and the loss.
    """
    def __init__(self, fixed_min: bool = False, num_bits: int = 8) -> None: ...
    def __call__(self, x: Tensor, clamp_min: Tensor, clamp_max: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...

class ActsULQInputGrad(Primitive):
    """The gradient of the activations of :class:`ActsULQ`: `y_grad` where both masks hold, else 0.

    Inputs:
        - **y_grad** (Tensor) - the gradient of the rounded activations.
        - **clamp_min_mask**, **clamp_max_mask** (Tensor) - what :class:`ActsULQ` returns.

    Outputs:
        Tensor of the shape and type of `y_grad`.
    """
    def __init__(self) -> None: ...
    def __call__(self, y_grad: Tensor, clamp_min_mask: Tensor, clamp_max_mask: Tensor) -> Tensor: ...

class Adam(Primitive):
    r"""One step of Adam.

    .. math::
        m = \beta_1 m + (1 - \beta_1) g, \quad
        v = \beta_2 v + (1 - \beta_2) g^2, \quad
        w = w - lr \frac{\sqrt{1 - \beta_2^t}}{1 - \beta_1^t} \frac{m}{\sqrt v + \epsilon}

    With `use_nesterov`, :math:`\beta_1 m + (1 - \beta_1) g` takes the place of m in the last one.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.
        use_nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **var**, **m**, **v** (Parameter) - the variable and the averages, of one shape.
        - **beta1_power**, **beta2_power** - the decays to the power of the step's number.
        - **lr**, **beta1**, **beta2**, **epsilon** (Union[float, Tensor]) - numbers.
        - **gradient** (Tensor) - of that shape.

    Outputs:
        Tuple of `var`, `m` and `v`.
    """
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(self, var: Tensor, m: Tensor, v: Tensor, beta1_power: Tensor | Number, beta2_power: Tensor | Number, lr: Tensor | Number, beta1: Tensor | Number, beta2: Tensor | Number, epsilon: Tensor | Number, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class AdamNoUpdateParam(Primitive):
    """One step of Adam, except that the variable's change is returned: see :class:`ops.Adam`.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.
        use_nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **m**, **v** (Parameter) - the averages, which are written.
        - the others as of :class:`ops.Adam`.

    Outputs:
        Tensor, what to add to the variable.
    """
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(self, m: Tensor, v: Tensor, beta1_power: Tensor | Number, beta2_power: Tensor | Number, lr: Tensor | Number, beta1: Tensor | Number, beta2: Tensor | Number, epsilon: Tensor | Number, gradient: Tensor) -> Tensor: ...

class AdamWeightDecay(Primitive):
    r"""One step of Adam without correction of the averages, and with decay of the variable.

    .. math::
        m = \beta_1 m + (1 - \beta_1) g, \quad
        v = \beta_2 v + (1 - \beta_2) g^2, \quad
        w = w - lr \left(\frac{m}{\sqrt v + \epsilon} + decay \cdot w\right)

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **m**, **v** (Parameter) - the variable and the averages, of one shape.
        - **lr**, **beta1**, **beta2**, **epsilon**, **decay** (Union[float, Tensor]) - numbers.
        - **gradient** (Tensor) - of that shape.

    Outputs:
        Tuple of `var`, `m` and `v`.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, m: Tensor, v: Tensor, lr: Tensor | Number, beta1: Tensor | Number, beta2: Tensor | Number, epsilon: Tensor | Number, decay: Tensor | Number, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class AdaptiveAvgPool2D(Primitive):
    """Means over a given number of windows, over two dimensions.

    ``ops.adaptive_avg_pool2d`` as a class: made with `output_size`, called with `x`.

    Args:
        output_size (Union[int, tuple]): height and width of the output; None keeps
            the input's.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.

    Outputs:
        Tensor of shape :math:`(N, C, H_{out}, W_{out})`.
    """
    def __init__(self, output_size: Any) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class AdaptiveAvgPool3D(Primitive):
    """Means over a given number of windows, over three dimensions.

    ``ops.adaptive_avg_pool3d`` as a class: made with `output_size`, called with `x`.

    Args:
        output_size (Union[int, tuple]): depth, height and width of the output; None keeps
            the input's.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.

    Outputs:
        Tensor of shape :math:`(N, C, D_{out}, H_{out}, W_{out})`.
    """
    def __init__(self, output_size: Any) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class AdaptiveMaxPool2D(Primitive):
    """Maxima over a given number of windows, and their indices.

    Args:
        output_size (Union[int, tuple]): height and width of the output; None keeps the input's.

    Inputs:
        - **input** (Tensor) - shape (N, C, H, W) or (C, H, W).

    Outputs:
        Pair of the maxima and their int64 places.
    """
    def __init__(self, output_size: Any) -> None: ...
    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]: ...

class AdaptiveMaxPool3D(Primitive):
    """Maxima over a given number of windows, and their indices.

    Inputs:
        - **x** (Tensor) - shape (N, C, D, H, W) or (C, D, H, W).
        - **output_size** (Union[Tensor, tuple[int]]) - depth, height and width of the output.

    Outputs:
        Pair of the maxima and their int32 places.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, output_size: Any) -> tuple[Tensor, Tensor]: ...

class Add(Primitive):
    """Add, element by element: :math:`out_i = input_i + other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - the first summand.
        - **other** (Union[Tensor, number, bool]) - the second; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type; a number takes the tensor's type,
        except that a float with integers gives float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class AddN(Primitive):
    r"""Sum of tensors: :math:`out = x_1 + \dots + x_n`.

    Inputs:
        - **x** (Union[tuple, list]) - tensors of one shape and type.

    Outputs:
        Tensor of that shape and type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Sequence[Tensor]) -> Tensor: ...

class Addcdiv(Primitive):
    r"""Add a quotient: :math:`out_i = input_i + value \cdot tensor1_i / tensor2_i`.

    Inputs:
        - **input** (Tensor) - the tensor to add to.
        - **tensor1** (Tensor) - the dividend.
        - **tensor2** (Tensor) - the divisor; shapes broadcast.
        - **value** (Union[number, Tensor]) - a factor of the quotient. Default: 1.

    Outputs:
        Tensor of the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor: ...

class Addcmul(Primitive):
    r"""Add a product: :math:`out_i = input_i + value \cdot tensor1_i \cdot tensor2_i`.

    Inputs:
        - **input** (Tensor) - the tensor to add to.
        - **tensor1** (Tensor) - the first factor.
        - **tensor2** (Tensor) - the second; shapes broadcast.
        - **value** (Union[number, Tensor]) - a factor of the product. Default: 1.

    Outputs:
        Tensor of the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor: ...

class AdjustHue(Primitive):
    """RGB images with the hue shifted.

    Inputs:
        - **image** (Tensor) - at least 3 axes, colors along the last one, floating (see the note
          on hue).
        - **delta** (Union[Tensor, float]) - how far, 1 being the whole circle; no axes.

    Outputs:
        Tensor like `image`; largest and smallest number of each pixel stay.
    """
    def __init__(self) -> None: ...
    def __call__(self, image: Tensor, delta: Tensor | Number) -> Tensor: ...

class AdjustSaturation(Primitive):
    """RGB images with the saturation multiplied; it stays between 0 and 1.

    Inputs:
        - **image** (Tensor) - at least 3 axes, colors along the last one, floating (see the note
          on hue).
        - **scale** (Union[Tensor, float]) - the factor; no axes.

    Outputs:
        Tensor like `image`; hue and largest number of each pixel stay.
    """
    def __init__(self) -> None: ...
    def __call__(self, image: Tensor, scale: Tensor | Number) -> Tensor: ...

class AffineGrid(Primitive):
    """Sampling positions for `grid_sample` from affine maps; see ``ops.affine_grid``.

    Args:
        align_corners (bool): whether -1 and 1 are the centers of the end elements. Default:
            False.

    Inputs:
        - **theta** (Tensor) - floating point, affine maps, shape (N, 2, 3) or (N, 3, 4).
        - **output_size** (Union[Tensor, tuple[int]]) - (N, C, H, W) or (N, C, D, H, W).

    Outputs:
        Tensor of shape (N, H, W, 2) or (N, D, H, W, 3).
    """
    def __init__(self, align_corners: bool = False) -> None: ...
    def __call__(self, theta: Tensor, output_size: Any) -> Tensor: ...

class Angle(Primitive):
    r"""Argument of complex numbers; of real ones 0 or pi, element by element: :math:`out = \operatorname{atan2}(\Im x, \Re x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; the floating type of the parts.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class ApplyAdaMax(Primitive):
    r"""One step of AdaMax.

    .. math::
        m = \beta_1 m + (1 - \beta_1) g, \quad
        v = \max(\beta_2 v, |g|), \quad
        w = w - \frac{lr}{1 - \beta_1^t} \frac{m}{v + \epsilon}

    Inputs:
        - **var**, **m**, **v** (Parameter) - the variable, the average and the largest gradient.
        - **beta1_power**, **lr**, **beta1**, **beta2**, **epsilon** (Union[float, Tensor]) -
          numbers.
        - **grad** (Tensor) - the gradient, of the same shape.

    Outputs:
        Tuple of `var`, `m` and `v`.
    """
    def __init__(self) -> None: ...
    def __call__(self, var: Tensor, m: Tensor, v: Tensor, beta1_power: Tensor | Number, lr: Tensor | Number, beta1: Tensor | Number, beta2: Tensor | Number, epsilon: Tensor | Number, grad: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class ApplyAdadelta(Primitive):
    r"""One step of Adadelta.

    .. math::
        a = \rho a + (1 - \rho) g^2, \quad
        u = \sqrt{b + \epsilon} \frac{g}{\sqrt{a + \epsilon}}, \quad
        b = \rho b + (1 - \rho) u^2, \quad
        w = w - lr \cdot u

    Inputs:
        - **var** (Parameter) - the variable, w.
        - **accum**, **accum_update** (Parameter) - the averages of squares, a and b.
        - **lr**, **rho**, **epsilon** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - the gradient, of the same shape.

    Outputs:
        Tuple of `var`, `accum` and `accum_update`.
    """
    def __init__(self) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, accum_update: Tensor, lr: Tensor | Number, rho: Tensor | Number, epsilon: Tensor | Number, grad: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class ApplyAdagrad(Primitive):
    r"""One step of Adagrad: :math:`a = a + g^2`, :math:`w = w - lr \cdot g / \sqrt a`.

    Args:
        update_slots (bool): whether `accum` changes. Default: True.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the sum of squares.
        - **lr** (Union[float, Tensor]) - a number.
        - **grad** (Tensor) - the gradient, of the same shape.

    Outputs:
        Tuple of `var` and `accum`.
    """
    def __init__(self, update_slots: bool = True) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, lr: Tensor | Number, grad: Tensor) -> tuple[Tensor, Tensor]: ...

class ApplyAdagradDA(Primitive):
    r"""One step of Adagrad with dual averaging.

    .. math::
        a = a + g, \quad
        b = b + g^2, \quad
        w = \frac{-lr \cdot sign(a) \max(|a| - l_1 t, 0)}{l_2 t \cdot lr + \sqrt b}

    where an `l1` below zero counts as zero.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var** (Parameter) - the variable, w.
        - **gradient_accumulator**, **gradient_squared_accumulator** (Parameter) - the sums a, b.
        - **grad** (Tensor) - the gradient, of the same shape.
        - **lr**, **l1**, **l2**, **global_step** (Union[float, Tensor]) - numbers; the last is t.

    Outputs:
        `var`.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, gradient_accumulator: Tensor, gradient_squared_accumulator: Tensor, grad: Tensor, lr: Tensor | Number, l1: Tensor | Number, l2: Tensor | Number, global_step: Tensor | Number) -> Tensor: ...

class ApplyAdagradV2(Primitive):
    r"""One step of Adagrad: :math:`a = a + g^2`, :math:`w = w - lr \cdot g / (\sqrt a + \epsilon)`.

    Args:
        epsilon (float): added to the denominator.
        update_slots (bool): whether `accum` changes. Default: True.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the sum of squares.
        - **lr** (Union[float, Tensor]) - a number.
        - **grad** (Tensor) - the gradient, of the same shape.

    Outputs:
        Tuple of `var` and `accum`.
    """
    def __init__(self, epsilon: float, update_slots: bool = True) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, lr: Tensor | Number, grad: Tensor) -> tuple[Tensor, Tensor]: ...

class ApplyAdamWithAmsgrad(Primitive):
    r"""One step of AMSGrad: Adam divided by the largest average of squares so far.

    .. math::
        m = \beta_1 m + (1 - \beta_1) g, \quad
        v = \beta_2 v + (1 - \beta_2) g^2, \quad
        \hat v = \max(\hat v, v), \quad
        w = w - lr \frac{\sqrt{1 - \beta_2^t}}{1 - \beta_1^t} \frac{m}{\sqrt{\hat v} + \epsilon}

    Args:
        beta1 (float): decay of the average. Default: 0.9.
        beta2 (float): decay of the average of squares. Default: 0.999.
        epsilon (float): added to the denominator. Default: 1e-8.
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **m**, **v**, **vhat** (Parameter) - the variable and its state, of one shape.
        - **beta1_power**, **beta2_power**, **lr** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - the gradient, of that shape.

    Outputs:
        Tuple of `var`, `m`, `v` and `vhat`.
    """
    def __init__(self, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-08, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, m: Tensor, v: Tensor, vhat: Tensor, beta1_power: Tensor | Number, beta2_power: Tensor | Number, lr: Tensor | Number, grad: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...

class ApplyAdamWithAmsgradV2(Primitive):
    """One step of AMSGrad with its decays as inputs: see :class:`ops.ApplyAdamWithAmsgrad`.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **m**, **v**, **vhat** (Parameter) - the variable and its state, of one shape.
        - **beta1_power**, **beta2_power**, **lr**, **beta1**, **beta2**, **epsilon**
          (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - the gradient, of that shape.

    Outputs:
        Tuple of `var`, `m`, `v` and `vhat`.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, m: Tensor, v: Tensor, vhat: Tensor, beta1_power: Tensor | Number, beta2_power: Tensor | Number, lr: Tensor | Number, beta1: Tensor | Number, beta2: Tensor | Number, epsilon: Tensor | Number, grad: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...

class ApplyAddSign(Primitive):
    r"""One step of AddSign.

    .. math::
        m = \beta m + (1 - \beta) g, \quad
        w = w - lr (\alpha + d \cdot sign(g) sign(m)) g

    Inputs:
        - **var**, **m** (Parameter) - the variable and the average, of one shape.
        - **lr**, **alpha**, **sign_decay**, **beta** (Union[float, Tensor]) - numbers;
          `sign_decay` is d.
        - **grad** (Tensor) - the gradient, of that shape.

    Outputs:
        Tuple of `var` and `m`.
    """
    def __init__(self) -> None: ...
    def __call__(self, var: Tensor, m: Tensor, lr: Tensor | Number, alpha: Tensor | Number, sign_decay: Tensor | Number, beta: Tensor | Number, grad: Tensor) -> tuple[Tensor, Tensor]: ...

class ApplyCenteredRMSProp(Primitive):
    r"""One step of RMSProp with the variance in place of the average of squares.

    .. math::
        a = \rho a + (1 - \rho) g, \quad
        s = \rho s + (1 - \rho) g^2, \quad
        m = \beta m + \frac{lr}{\sqrt{s - a^2 + \epsilon}} g, \quad
        w = w - m

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **mean_gradient**, **mean_square**, **moment** (Parameter) - w, a, s and m.
        - **grad** (Tensor) - the gradient, of the same shape.
        - **learning_rate**, **decay**, **momentum**, **epsilon** (Union[float, Tensor]) - numbers.

    Outputs:
        `var`.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, mean_gradient: Tensor, mean_square: Tensor, moment: Tensor, grad: Tensor, learning_rate: Tensor | Number, decay: Tensor | Number, momentum: Tensor | Number, epsilon: Tensor | Number) -> Tensor: ...

class ApplyFtrl(Primitive):
    r"""One step of FTRL-proximal.

    .. math::
        n' = n + g^2, \quad
        z = z + g - \frac{n'^{-p} - n^{-p}}{lr} w, \quad
        w = \begin{cases}
            \frac{sign(z) l_1 - z}{n'^{-p} / lr + 2 l_2} & |z| > l_1 \\
            0 & \text{otherwise}
        \end{cases}

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum**, **linear** (Parameter) - w, the sum of squares n, and z.
        - **grad** (Tensor) - the gradient, of the same shape.
        - **lr**, **l1**, **l2**, **lr_power** (Union[float, Tensor]) - numbers; the last is p, at
          most 0.

    Outputs:
        `var`.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, linear: Tensor, grad: Tensor, lr: Tensor | Number, l1: Tensor | Number, l2: Tensor | Number, lr_power: Tensor | Number) -> Tensor: ...

class ApplyGradientDescent(Primitive):
    r"""One step of gradient descent: :math:`w = w - \alpha \delta`.

    Inputs:
        - **var** (Parameter) - the variable.
        - **alpha** (Union[float, Tensor]) - a number.
        - **delta** (Tensor) - of the same shape.

    Outputs:
        `var`.
    """
    def __init__(self) -> None: ...
    def __call__(self, var: Tensor, alpha: Tensor | Number, delta: Tensor) -> Tensor: ...

class ApplyKerasMomentum(Primitive):
    r"""One step of momentum as Keras has it, with the rate inside the sum.

    .. math::
        v = u v - lr \cdot g, \quad
        w = w + v

    With `use_nesterov`, :math:`w = w + u v - lr \cdot g`.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.
        use_nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **var**, **accum** (Parameter) - w and v, of one shape.
        - **lr** (Union[float, Tensor]) - a number.
        - **grad** (Tensor) - the gradient, of that shape.
        - **momentum** (Union[float, Tensor]) - u.

    Outputs:
        Tuple of `var` and `accum`.
    """
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, lr: Tensor | Number, grad: Tensor, momentum: Tensor | Number) -> tuple[Tensor, Tensor]: ...

class ApplyMomentum(Primitive):
    r"""One step of descent with momentum.

    .. math::
        v = u v + g, \quad
        w = w - lr \cdot v

    With `use_nesterov`, :math:`w = w - lr (g + u v)`.

    Args:
        use_nesterov (bool): whether to look ahead. Default: False.
        use_locking (bool): accepted for compatibility. Default: False.
        gradient_scale (float): multiplies the gradient. Default: 1.0.

    Inputs:
        - **variable**, **accumulation** (Parameter) - w and v, of one shape.
        - **learning_rate** (Union[float, Tensor]) - a number.
        - **gradient** (Tensor) - of that shape.
        - **momentum** (Union[float, Tensor]) - u.

    Outputs:
        `variable`.
    """
    def __init__(self, use_nesterov: bool = False, use_locking: bool = False, gradient_scale: float = 1.0) -> None: ...
    def __call__(self, variable: Tensor, accumulation: Tensor, learning_rate: Tensor | Number, gradient: Tensor, momentum: Tensor | Number) -> Tensor: ...

class ApplyPowerSign(Primitive):
    r"""One step of PowerSign.

    .. math::
        m = \beta m + (1 - \beta) g, \quad
        w = w - lr \exp(b \cdot d \cdot sign(g) sign(m)) g

    Inputs:
        - **var**, **m** (Parameter) - the variable and the average, of one shape.
        - **lr**, **logbase**, **sign_decay**, **beta** (Union[float, Tensor]) - numbers; `logbase`
          is b and `sign_decay` d.
        - **grad** (Tensor) - the gradient, of that shape.

    Outputs:
        Tuple of `var` and `m`.
    """
    def __init__(self) -> None: ...
    def __call__(self, var: Tensor, m: Tensor, lr: Tensor | Number, logbase: Tensor | Number, sign_decay: Tensor | Number, beta: Tensor | Number, grad: Tensor) -> tuple[Tensor, Tensor]: ...

class ApplyProximalAdagrad(Primitive):
    r"""One step of Adagrad followed by shrinking.

    .. math::
        a = a + g^2, \quad
        r = \frac{lr}{\sqrt a}, \quad
        p = w - r g, \quad
        w = \frac{sign(p)}{1 + r l_2} \max(|p| - r l_1, 0)

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the sum of squares.
        - **lr**, **l1**, **l2** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - the gradient, of the same shape.

    Outputs:
        Tuple of `var` and `accum`.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, lr: Tensor | Number, l1: Tensor | Number, l2: Tensor | Number, grad: Tensor) -> tuple[Tensor, Tensor]: ...

class ApplyProximalGradientDescent(Primitive):
    r"""One step of gradient descent followed by shrinking.

    .. math::
        p = w - \alpha \delta, \quad
        w = \frac{sign(p)}{1 + \alpha l_2} \max(|p| - \alpha l_1, 0)

    Inputs:
        - **var** (Parameter) - the variable.
        - **alpha**, **l1**, **l2** (Union[float, Tensor]) - numbers.
        - **delta** (Tensor) - of the same shape.

    Outputs:
        `var`.
    """
    def __init__(self) -> None: ...
    def __call__(self, var: Tensor, alpha: Tensor | Number, l1: Tensor | Number, l2: Tensor | Number, delta: Tensor) -> Tensor: ...

class ApplyRMSProp(Primitive):
    r"""One step of RMSProp.

    .. math::
        s = \rho s + (1 - \rho) g^2, \quad
        m = \beta m + \frac{lr}{\sqrt{s + \epsilon}} g, \quad
        w = w - m

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **mean_square**, **moment** (Parameter) - w, s and m.
        - **learning_rate** (Union[float, Tensor]) - a number.
        - **grad** (Tensor) - the gradient, of the same shape.
        - **decay**, **momentum**, **epsilon** (Union[float, Tensor]) - rho, beta and a small
          number.

    Outputs:
        `var`.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, mean_square: Tensor, moment: Tensor, learning_rate: Tensor | Number, grad: Tensor, decay: Tensor | Number, momentum: Tensor | Number, epsilon: Tensor | Number) -> Tensor: ...

class ApplyRotaryPosEmb(Primitive):
    r"""Queries and keys rotated by their positions: :math:`x \cos + turn(x) \sin` for each head.

    Args:
        cos_format (int): 0: turn(x) is :math:`(-x_2, x_1)` of the two halves of a head; 1: of
            neighbors. Default: 0.

    Inputs:
        - **query** (Tensor) - shape :math:`(.., heads \cdot size)`.
        - **key** (Tensor) - shape :math:`(.., kv\_heads \cdot size)`.
        - **cos** (Tensor) - shape :math:`(rows, size)`: a row for each token, or for each
            position.
        - **sin** (Tensor) - likewise.
        - **position_ids** (Tensor) - the position of each token; it counts where `cos` has not one
            row for each token.

    Outputs:
        Tuple of query and key, of their shapes and types.
    """
    def __init__(self, cos_format: int = 0) -> None: ...
    def __call__(self, query: Tensor, key: Tensor, cos: Tensor, sin: Tensor, position_ids: Tensor) -> tuple[Tensor, Tensor]: ...

class ApproximateEqual(Primitive):
    """Whether elements differ by less than a tolerance: :math:`|x_i - y_i| < tolerance`.

    ``ops.approximate_equal`` as a class: made with `tolerance`, called with `x`, `y`.

    Args:
        tolerance (float): the bound. Default: 1e-5.

    Inputs:
        - **x** (Tensor) - the first tensor.
        - **y** (Tensor) - the second, of the same shape.

    Outputs:
        Tensor of bool.
    """
    def __init__(self, tolerance: float = 1e-05) -> None: ...
    def __call__(self, x: Tensor, y: Tensor) -> Tensor: ...

class ArgMaxWithValue(Primitive):
    """Indices and values of the largest elements along an axis.

    Args:
        axis (int): the axis. Default: 0.
        keep_dims (bool): whether the axis stays, with size 1. Default: False.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tuple of indices (int64) and values; of equal elements, that of the first.
    """
    def __init__(self, axis: int = 0, keep_dims: bool = False) -> None: ...
    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]: ...

class ArgMinWithValue(Primitive):
    """Indices and values of the smallest elements along an axis; see :class:`ArgMaxWithValue`.

    Args:
        axis (int): the axis. Default: 0.
        keep_dims (bool): whether the axis stays, with size 1. Default: False.
    """
    def __init__(self, axis: int = 0, keep_dims: bool = False) -> None: ...
    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]: ...

class Argmax(Primitive):
    """Indices of the largest elements along an axis.

    Args:
        axis (int): the axis. Default: -1.
        output_type (Type): int32 or int64. Default: int32.

    Inputs:
        - **input_x** (Tensor) - any shape.

    Outputs:
        Tensor of `output_type`; of equal elements, that of the first.
    """
    def __init__(self, axis: int = -1, output_type: Any = ...) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class Argmin(Primitive):
    """Indices of the smallest elements along an axis.

    Args:
        axis (int): the axis. Default: -1.
        output_type (Type): int32 or int64. Default: int32.

    Inputs:
        - **x** (Tensor) - any shape.

    Outputs:
        Tensor of `output_type`, without `axis`; of equal elements, that of the first.
    """
    def __init__(self, axis: int = -1, output_type: Any = ...) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Asin(Primitive):
    r"""Inverse sine, element by element: :math:`out = \arcsin x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Asinh(Primitive):
    r"""Inverse hyperbolic sine, element by element: :math:`out = \sinh^{-1} x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Assign(Primitive):
    """Store a value in a parameter.

    Inputs:
        - **variable** (Parameter) - where to store it; its type stays.
        - **value** (Union[Tensor, number]) - the value, of the same shape.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self) -> None: ...
    def __call__(self, variable: Tensor, value: Tensor | Number) -> None: ...

class AssignAdd(Primitive):
    """Add a value to a parameter: :math:`variable = variable + value`.

    Inputs:
        - **variable** (Parameter) - the parameter, which is changed.
        - **value** (Union[Tensor, number]) - the value, of the same shape.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self) -> None: ...
    def __call__(self, variable: Tensor, value: Tensor | Number) -> None: ...

class AssignSub(Primitive):
    """Subtract a value from a parameter: :math:`variable = variable - value`.

    Inputs:
        - **variable** (Parameter) - the parameter, which is changed.
        - **value** (Union[Tensor, number]) - the value, of the same shape.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self) -> None: ...
    def __call__(self, variable: Tensor, value: Tensor | Number) -> None: ...

class Atan(Primitive):
    r"""Inverse tangent, element by element: :math:`out = \arctan x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Atan2(Primitive):
    r"""Angle of the point (y, x) in all four quadrants, element by element: :math:`out = \operatorname{atan2}(x, y)`.

    Inputs:
        - **input** (Union[Tensor, number]) - :math:`x`.
        - **other** (Union[Tensor, number]) - :math:`y`; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class Atanh(Primitive):
    r"""Inverse hyperbolic tangent, element by element: :math:`out = \tanh^{-1} x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class AvgPool(Primitive):
    """Mean of every window over two dimensions; see ``nn.AvgPool2d``.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        strides (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` or ``same``, in any case of letters. Default: ``"VALID"``.
        data_format (str): ``NCHW`` or ``NHWC``. Default: ``"NCHW"``.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W), or (N, H, W, C) in format NHWC.

    Outputs:
        Tensor of the means.
    """
    def __init__(self, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = 'VALID', data_format: str = 'NCHW') -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class AvgPool3D(Primitive):
    """Mean of every window over three dimensions; see ``nn.AvgPool3d``.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        strides (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid``, ``same`` or ``pad``, in any case of letters. Default:
            ``"valid"``.
        pad (Union[int, tuple[int]]): zeros in mode ``pad``: one number, three, or one for each
            side. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements; 0 for none.
            Default: 0.
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.

    Inputs:
        - **x** (Tensor) - shape (N, C, D, H, W).

    Outputs:
        Tensor of the means.
    """
    def __init__(self, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = 'valid', pad: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class BCEWithLogitsLoss(Primitive):
    """Cross entropy of scores of two classes; see ``ops.binary_cross_entropy_with_logits``.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **input** (Tensor) - scores (logits) of any shape.
        - **target** (Tensor) - targets of the same shape.
        - **weight** (Tensor) - factors of a shape that broadcasts with `input`. Default: None.
        - **posWeight** (Tensor) - factors of the positive class. Default: None.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `input`.
    """
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, input: Tensor, target: Tensor, weight: Tensor | None = None, posWeight: Tensor | None = None) -> Tensor: ...

class BartlettWindow(Primitive):
    """Bartlett window; see :func:`ops.bartlett_window`.

    Args:
        periodic (bool): whether N is the length, for use in transforms; else N is one less and the
            window symmetric. Default: True.
        dtype (Type): the type. Default: float32.

    Inputs:
        - **window_length** (Union[int, Tensor]) - how many numbers.

    Outputs:
        Tensor with one axis.
    """
    def __init__(self, periodic: bool = True, dtype: Any = ...) -> None: ...
    def __call__(self, window_length: Any) -> Tensor: ...

class BasicLSTMCell(Primitive):
    r"""One step of an LSTM: the next states and the gates.

    With :math:`(i, j, f, o) = [x, h] w + b`: :math:`c' = c \sigma(f + forget\_bias) + \sigma(i)
    \tanh(j)` and :math:`h' = \sigma(o) \tanh(c')`.

    Args:
        keep_prob (float): only 1.0 is available. Default: 1.0.
        forget_bias (float): added to the forget gate. Default: 1.0.
        state_is_tuple (bool): accepted for compatibility. Default: True.
        activation (str): only ``"tanh"``. Default: ``"tanh"``.

    Inputs:
        - **x** (Tensor) - shape :math:`(B, input)`.
        - **h** (Tensor) - hidden state, shape :math:`(B, hidden)`.
        - **c** (Tensor) - cell state, shape :math:`(B, hidden)`.
        - **w** (Tensor) - weights, shape :math:`(input + hidden, 4 hidden)`.
        - **b** (Tensor) - bias, shape :math:`(4 hidden,)`.

    Outputs:
        Tuple of c', h', the gates i, j, f and o after their functions, and tanh(c').
    """
    def __init__(self, keep_prob: float = 1.0, forget_bias: float = 1.0, state_is_tuple: bool = True, activation: str = 'tanh') -> None: ...
    def __call__(self, x: Tensor, h: Tensor, c: Tensor, w: Tensor, b: Tensor) -> tuple[Tensor, ...]: ...

class BatchMatMul(Primitive):
    """Products of matrices in batches, either of which may be transposed first.

    Args:
        transpose_a (bool): whether to transpose the matrices of `x`, complex ones conjugated.
            Default: False.
        transpose_b (bool): whether to transpose the matrices of `y`, likewise. Default: False.

    Inputs:
        - **x** (Tensor) - shape :math:`(.., N, K)`.
        - **y** (Tensor) - shape :math:`(.., K, M)`, of the same type; the batch axes broadcast.

    Outputs:
        Tensor of shape :math:`(.., N, M)`.
    """
    def __init__(self, transpose_a: bool = False, transpose_b: bool = False) -> None: ...
    def __call__(self, x: Tensor, y: Tensor) -> Tensor: ...

class BatchNorm(Primitive):
    """Normalize every channel over the batch; see ``ops.batch_norm``.

    Args:
        is_training (bool): whether the statistics are those of the batch. Default: False.
        epsilon (float): added to the variance. Default: 1e-5.
        momentum (float): share of the batch in the new running statistics. Default: 0.1.
        data_format (str): ``NCHW`` or ``NHWC``. Default: ``"NCHW"``.

    Inputs:
        - **input_x** (Tensor) - shape (N, C, ...), or (N, ..., C) in format NHWC.
        - **scale** (Tensor) - shape (C,).
        - **bias** (Tensor) - shape (C,).
        - **mean** (Tensor) - running mean, shape (C,); updated in training.
        - **variance** (Tensor) - running variance, shape (C,); updated in training.

    Outputs:
        Tuple of the output, the mean and variance of the batch (in inference: the running
        ones), and the same two again for the gradient, as MindSpore reserves them.
    """
    def __init__(self, is_training: bool = False, epsilon: float = 1e-05, momentum: float = 0.1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, input_x: Tensor, scale: Tensor, bias: Tensor, mean: Tensor, variance: Tensor) -> tuple[Tensor, ...]: ...

class BatchNormFold(Primitive):
    r"""Means and deviations of a batch's channels, and the running ones.

    In training, before the step `freeze_bn`, they are :math:`E[x]`, :math:`\sqrt{Var[x] +
    \epsilon}`, `mean` and :math:`\sqrt{variance + \epsilon}`, and then `mean` and `variance` become
    :math:`m \cdot mean + (1 - m) E[x]` and the same of the unbiased variance. Otherwise the first
    two are 0 and 1, and nothing changes.

    Args:
        momentum (float): m, from 0 to 1. Default: 0.9.
        epsilon (float): added to the variance, above 0. Default: 1e-5.
        is_training (bool): whether the statistics of the batch are used. Default: True.
        freeze_bn (int): the step from which they are not used. Default: 0.

    Inputs:
        - **x** (Tensor) - shape (N, C, ...).
        - **mean**, **variance** (Parameter) - the running statistics, shape (C,).
        - **global_step** (Tensor) - the number of the step; the first element counts.

    Outputs:
        Tuple of the batch's means and deviations and the running means and deviations, (C,)
        each.
    """
    def __init__(self, momentum: float = 0.9, epsilon: float = 1e-05, is_training: bool = True, freeze_bn: int = 0) -> None: ...
    def __call__(self, x: Tensor, mean: Tensor, variance: Tensor, global_step: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...

class BatchNormFold2(Primitive):
    r"""The bias of a folded normalization added, and the output scaled back to the batch.

    .. math::
        y = x \frac{\sigma_{run}}{\sigma} + \beta - \gamma \frac{\mu}{\sigma}

    and from the step `freeze_bn` on :math:`y = x + \beta - \gamma \mu_{run} / \sigma_{run}`.
    Running statistics have no gradient.

    Args:
        freeze_bn (int): the step from which the running statistics are used. Default: 0.

    Inputs:
        - **x** (Tensor) - shape (N, C, ...).
        - **beta**, **gamma**, **batch_std**, **batch_mean**, **running_std**, **running_mean**
          (Tensor) - shape (C,).
        - **global_step** (Tensor) - the number of the step; the first element counts.

    Outputs:
        Tensor of the shape of `x`.
    """
    def __init__(self, freeze_bn: int = 0) -> None: ...
    def __call__(self, x: Tensor, beta: Tensor, gamma: Tensor, batch_std: Tensor, batch_mean: Tensor, running_std: Tensor, running_mean: Tensor, global_step: Tensor) -> Tensor: ...

class BatchNormFold2D(Primitive):
    """Part of what :class:`BatchNormFold2` computes, as MindSpore splits it for Ascend.

    The statistics of the batch count at every step.

    Args:
        freeze_bn (int): the step from which the running statistics are used. Default: 0.
    """
    def __init__(self, freeze_bn: int = 0) -> None: ...
    def __call__(self, x: Tensor, beta: Tensor, gamma: Tensor, batch_std: Tensor, batch_mean: Tensor, running_std: Tensor) -> Tensor: ...

class BatchNormFold2Grad(Primitive):
    """The gradients of :class:`BatchNormFold2`.

    Args:
        freeze_bn (int): the step from which the running statistics are used. Default: 0.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the input, shape (N, C, ...).
        - the others as there, without `beta`.

    Outputs:
        Tuple of the gradients of `batch_std`, `batch_mean`, `beta`, `gamma` and `x`.
    """
    def __init__(self, freeze_bn: int = 0) -> None: ...
    def __call__(self, dout: Tensor, x: Tensor, gamma: Tensor, batch_std: Tensor, batch_mean: Tensor, running_std: Tensor, running_mean: Tensor, global_step: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]: ...

class BatchNormFold2GradD(Primitive):
    """Part of what :class:`BatchNormFold2Grad` computes, as MindSpore splits it for Ascend.

    They are the gradients of `batch_std`, `batch_mean`, `gamma` and `x`, from the sums that
    :class:`BatchNormFold2GradReduce` makes.

    Args:
        freeze_bn (int): the step from which the running statistics are used. Default: 0.
    """
    def __init__(self, freeze_bn: bool = False) -> None: ...
    def __call__(self, dout: Tensor, dout_reduce: Tensor, dout_x_reduce: Tensor, gamma: Tensor, batch_std: Tensor, batch_mean: Tensor, running_std: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...

class BatchNormFold2GradReduce(Primitive):
    """Part of what :class:`BatchNormFold2Grad` computes, as MindSpore splits it for Ascend.

    They are the sums over the channels of `dout` and of `dout` times `x`.

    Args:
        freeze_bn (int): the step from which the running statistics are used. Default: 0.
    """
    def __init__(self, freeze_bn: bool = False) -> None: ...
    def __call__(self, dout: Tensor, x: Tensor) -> tuple[Tensor, Tensor]: ...

class BatchNormFoldD(Primitive):
    """Part of what :class:`BatchNormFold` computes, as MindSpore splits it for Ascend.

    It takes the sums and the sums of squares of the channels, and returns x, the means and deviations
    of the batch, the running ones, and the new running means and variances.

    Args:
        momentum (float): m, from 0 to 1. Default: 0.9.
        epsilon (float): added to the variance, above 0. Default: 1e-5.
        is_training (bool): whether the statistics of the batch are used. Default: True.
        freeze_bn (int): the step from which they are not used. Default: 0.
    """
    def __init__(self, momentum: float = 0.9, epsilon: float = 1e-05, is_training: bool = True, freeze_bn: int = 0) -> None: ...
    def __call__(self, x: Tensor, x_sum: Tensor, x_square_sum: Tensor, mean: Tensor, variance: Tensor) -> tuple[Tensor, ...]: ...

class BatchNormFoldGrad(Primitive):
    r"""The gradient of :class:`BatchNormFold`.

    .. math::
        dx = \frac1n \left( d_{mean} + d_{std} \frac{x - mean}{std} \right)

    where n is the number of elements of a channel; 0 where the running statistics are used.

    Args:
        epsilon (float): added to the variance, above 0. Default: 1e-5.
        is_training (bool): whether the statistics of the batch are used. Default: True.
        freeze_bn (int): the step from which they are not used. Default: 0.

    Inputs:
        - **d_batch_mean**, **d_batch_std** (Tensor) - the gradients, shape (C,).
        - **x** (Tensor) - shape (N, C, ...).
        - **batch_mean**, **batch_std** (Tensor) - the statistics, shape (C,).
        - **global_step** (Tensor) - the number of the step.

    Outputs:
        Tensor of the shape of `x`.
    """
    def __init__(self, epsilon: float = 1e-05, is_training: bool = True, freeze_bn: int = 0) -> None: ...
    def __call__(self, d_batch_mean: Tensor, d_batch_std: Tensor, x: Tensor, batch_mean: Tensor, batch_std: Tensor, global_step: Tensor) -> Tensor: ...

class BatchNormFoldGradD(Primitive):
    """Part of what :class:`BatchNormFoldGrad` computes, as MindSpore splits it for Ascend.

    The statistics of the batch count at every step.

    Args:
        epsilon (float): added to the variance, above 0. Default: 1e-5.
        is_training (bool): whether the statistics of the batch are used. Default: True.
        freeze_bn (int): the step from which they are not used. Default: 0.
    """
    def __init__(self, epsilon: float = 1e-05, is_training: bool = True, freeze_bn: int = 0) -> None: ...
    def __call__(self, d_batch_mean: Tensor, d_batch_std: Tensor, x: Tensor, batch_mean: Tensor, batch_std: Tensor) -> Tensor: ...

class BatchToSpace(Primitive):
    """Move parts of the batch into square blocks of images; see ``ops.batch_to_space_nd``.

    Args:
        block_size (int): size of a block, at least 2.
        crops (Union[list, tuple]): how much is cut (before, after) height and width.

    Inputs:
        - **input_x** (Tensor) - shape (N, C, H, W).

    Outputs:
        Tensor whose batch is smaller by the square of `block_size`.
    """
    def __init__(self, block_size: int, crops: Any) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class BatchToSpaceND(Primitive):
    """Move parts of the batch into blocks of the last dimensions.

    It undoes ``ops.space_to_batch_nd``.

    ``ops.batch_to_space_nd`` as a class: made with `block_shape`, `crops`, called with `input_x`.

    Args:
        block_shape (Union[list[int], tuple[int], int]): sizes of a block, for the last dimensions.
        crops (Union[list, tuple]): how much is cut (before, after) in each of them.

    Inputs:
        - **input_x** (Tensor) - shape :math:`(N, C, *)`.

    Outputs:
        Tensor whose batch is smaller by the size of a block.
    """
    def __init__(self, block_shape: Any, crops: Any) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class BatchToSpaceNDV2(Primitive):
    """The batch cut into blocks that become pixels; see :func:`ops.batch_to_space_nd`.

    Inputs:
        - **input_x** (Tensor) - shape :math:`(N, C, *)`.
        - **block_shape** (Union[list[int], tuple[int], int]) - sizes of a block, for the last dimensions.
        - **crops** (Union[list, tuple]) - how much is cut (before, after) in each of them.

    Outputs:
        Tensor whose batch is smaller by the size of a block.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, block_shape: Any, crops: Any) -> Tensor: ...

class Bernoulli(Primitive):
    """Zeros and ones in the shape of a tensor, one with probability p.

    Equal calls give equal results, as of an object without streams.

    Args:
        seed (int): at least 0, or -1 for other numbers at every call. Default: -1.
        offset (int): has no effect, as in MindSpore. Default: 0.

    Inputs:
        - **x** (Tensor) - gives shape, type and device; at the call, as the following.
        - **p** (Union[Tensor, float]) - probabilities, in the shape of `x` or of one element.

    Outputs:
        Tensor like `x`.
    """
    def __init__(self, seed: Any = -1, offset: Any = 0) -> None: ...
    def __call__(self, x: Tensor, p: Tensor | Number) -> Tensor: ...

class BesselI0(Primitive):
    """Modified Bessel function of the first kind of order 0, element by element: :math:`out = I_0(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class BesselI0e(Primitive):
    """Exponentially scaled modified Bessel function of the first kind of order 0, element by element: :math:`out = e^{-|x|} I_0(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class BesselI1(Primitive):
    """Modified Bessel function of the first kind of order 1, element by element: :math:`out = I_1(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class BesselI1e(Primitive):
    """Exponentially scaled modified Bessel function of the first kind of order 1, element by element: :math:`out = e^{-|x|} I_1(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class BesselJ0(Primitive):
    """Bessel function of the first kind of order 0, element by element: :math:`out = J_0(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class BesselJ1(Primitive):
    """Bessel function of the first kind of order 1, element by element: :math:`out = J_1(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class BesselK0(Primitive):
    """Modified Bessel function of the second kind of order 0, element by element: :math:`out = K_0(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class BesselK0e(Primitive):
    """Exponentially scaled modified Bessel function of the second kind of order 0, element by element: :math:`out = e^x K_0(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class BesselK1(Primitive):
    """Modified Bessel function of the second kind of order 1, element by element: :math:`out = K_1(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class BesselK1e(Primitive):
    """Exponentially scaled modified Bessel function of the second kind of order 1, element by element: :math:`out = e^x K_1(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class BesselY0(Primitive):
    """Bessel function of the second kind of order 0, element by element: :math:`out = Y_0(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class BesselY1(Primitive):
    """Bessel function of the second kind of order 1, element by element: :math:`out = Y_1(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Betainc(Primitive):
    r"""The regularized incomplete beta function.

    .. math::
        I_x(a, b) = \frac{\int_0^x t^{a-1} (1-t)^{b-1} dt}{\int_0^1 t^{a-1} (1-t)^{b-1} dt}

    Inputs:
        - **a** (Tensor) - positive, floating.
        - **b** (Tensor) - positive, of the type and shape of `a`.
        - **x** (Tensor) - in [0, 1], of the type and shape of `a`.

    Outputs:
        Tensor like `a`; nan where an argument is out of range.
    """
    def __init__(self) -> None: ...
    def __call__(self, a: Tensor, b: Tensor, x: Tensor) -> Tensor: ...

class BiasAdd(Primitive):
    """Add a bias to every channel.

    Args:
        data_format (str): ``NCHW``, ``NCDHW`` (channels on axis 1) or ``NHWC`` (last axis).
            Default: ``"NCHW"``.

    Inputs:
        - **input_x** (Tensor) - rank 2 or more.
        - **bias** (Tensor) - one element for each channel.

    Outputs:
        Tensor of the input's shape.
    """
    def __init__(self, data_format: str = 'NCHW') -> None: ...
    def __call__(self, input_x: Tensor, bias: Tensor) -> Tensor: ...

class BinaryCrossEntropy(Primitive):
    """Cross entropy of two classes; see ``ops.binary_cross_entropy``.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - probabilities in [0, 1], of any shape.
        - **labels** (Tensor) - targets of the same shape.
        - **weight** (Tensor) - factors of a shape that broadcasts with `logits`. Default: None.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `logits`.
    """
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor, weight: Tensor | None = None) -> Tensor: ...

class Bincount(Primitive):
    """Weighted counts of the numbers from 0 to size - 1; see :func:`ops.bincount`.

    Inputs:
        - **array** (Tensor) - integers from 0 on, 1-D.
        - **weights** (Tensor) - what each occurrence counts.
    """
    def __init__(self) -> None: ...
    def __call__(self, array: Tensor, size: Any, weights: Tensor) -> Tensor: ...

class BitwiseAnd(Primitive):
    r"""Bitwise and, element by element: :math:`out_i = input_i \land other_i`.

    Inputs:
        - **input** (Union[Tensor, int, bool]) - bool or an integer type.
        - **other** (Union[Tensor, int, bool]) - likewise; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class BitwiseOr(Primitive):
    r"""Bitwise or, element by element: :math:`out_i = input_i \lor other_i`.

    Inputs:
        - **input** (Union[Tensor, int, bool]) - bool or an integer type.
        - **other** (Union[Tensor, int, bool]) - likewise; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class BitwiseXor(Primitive):
    r"""Bitwise exclusive or, element by element: :math:`out_i = input_i \oplus other_i`.

    Inputs:
        - **input** (Union[Tensor, int, bool]) - bool or an integer type.
        - **other** (Union[Tensor, int, bool]) - likewise; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class BlackmanWindow(Primitive):
    """Blackman window; see :func:`ops.blackman_window`.

    Args:
        periodic (bool): whether N is the length, for use in transforms; else N is one less and the
            window symmetric. Default: True.
        dtype (Type): the type. Default: float32.

    Inputs:
        - **window_length** (Union[int, Tensor]) - how many numbers.

    Outputs:
        Tensor with one axis.
    """
    def __init__(self, periodic: bool = True, dtype: Any = ...) -> None: ...
    def __call__(self, window_length: Any) -> Tensor: ...

class BoundingBoxDecode(Primitive):
    """Boxes from their anchors and the output of a network; the inverse of `bounding_box_encode`.

    ``ops.bounding_box_decode`` as a class: made with `max_shape`, `means`, `stds`, `wh_ratio_clip`,
    called with `anchor_box`, `deltas`.

    Args:
        max_shape (tuple): height and width of the image, to which the boxes are cut.
        means (tuple): what was subtracted. Default: zeros.
        stds (tuple): what was divided by. Default: ones.
        wh_ratio_clip (float): sizes change by no more than this factor or its inverse.
            Default: 0.016.

    Inputs:
        - **anchor_box** (Tensor) - shape :math:`(N, 4)`, see the note on boxes.
        - **deltas** (Tensor) - shape :math:`(N, 4)`.

    Outputs:
        Tensor of shape :math:`(N, 4)`.
    """
    def __init__(self, max_shape: Any, means: Any = ..., stds: Any = ..., wh_ratio_clip: float = 0.016) -> None: ...
    def __call__(self, anchor_box: Tensor, deltas: Tensor) -> Tensor: ...

class BoundingBoxEncode(Primitive):
    r"""Differences between boxes and their anchors, as a network learns them.

    :math:`(\frac{g_x - a_x}{a_w}, \frac{g_y - a_y}{a_h}, \ln \frac{g_w}{a_w}, \ln \frac{g_h}{a_h})`
    of centers and sizes, less `means`, divided by `stds`.

    ``ops.bounding_box_encode`` as a class: made with `means`, `stds`, called with `anchor_box`,
    `groundtruth_box`.

    Args:
        means (tuple): what is subtracted. Default: zeros.
        stds (tuple): what is divided by. Default: ones.

    Inputs:
        - **anchor_box** (Tensor) - shape :math:`(N, 4)`, see the note on boxes.
        - **groundtruth_box** (Tensor) - shape :math:`(N, 4)`.

    Outputs:
        Tensor of shape :math:`(N, 4)`.
    """
    def __init__(self, means: Any = ..., stds: Any = ...) -> None: ...
    def __call__(self, anchor_box: Tensor, groundtruth_box: Tensor) -> Tensor: ...

class BroadcastTo(Primitive):
    """Repeat along axes of size 1 and new leading axes, without copying.

    ``ops.broadcast_to`` as a class: made with `shape`, called with `input`.

    Args:
        shape (tuple): the new shape; -1 keeps a size.

    Inputs:
        - **input** (Tensor) - any shape that broadcasts.

    Outputs:
        Tensor, a view.
    """
    def __init__(self, shape: Any) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Bucketize(Primitive):
    r"""Which interval each element falls into: i with :math:`b_{i-1} \le x < b_i`.

    Args:
        boundaries (list): the bounds of the intervals, ascending.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tensor of int32 of the same shape.
    """
    def __init__(self, boundaries: Any) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class CTCGreedyDecoder(Primitive):
    """The label sequences of the best class at each time step.

    The last class is the blank.

    ``ops.ctc_greedy_decoder`` as a class: made with `merge_repeated`, called with `inputs`,
    `sequence_length`.

    Args:
        merge_repeated (bool): whether repetitions are merged. Default: True.

    Inputs:
        - **inputs** (Tensor) - scores, shape :math:`(T, N, C)`.
        - **sequence_length** (Union[Tensor, list[int]]) - the number of time steps of each sample.

    Outputs:
        tuple of four tensors: pairs (sample, position), shape :math:`(M, 2)`; the labels,
        shape :math:`(M,)`; the shape :math:`(N, longest)` of the dense result; and the negative
        sums of the best scores, shape :math:`(N, 1)`.
    """
    def __init__(self, merge_repeated: bool = True) -> None: ...
    def __call__(self, inputs: Tensor, sequence_length: Tensor | list[int]) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...

class CTCLoss(Primitive):
    """Losses of sparse label sequences over scores, with their gradient beside them.

    The last class is the blank, which labels may end with. The scores are normalized here.

    Args:
        preprocess_collapse_repeated (bool): whether to merge repetitions among the labels first.
            Default: False.
        ctc_merge_repeated (bool): whether repetitions in an alignment are merged; otherwise each
            label stands for exactly one time step. Default: True.
        ignore_longer_outputs_than_inputs (bool): whether a sample with more labels than time
            steps has loss and gradient 0, not an error. Default: False.

    Inputs:
        - **x** (Tensor) - scores (logits), shape :math:`(T, N, C)`.
        - **labels_indices** (Tensor) - pairs (sample, position), shape :math:`(M, 2)`, in order.
        - **labels_values** (Tensor) - the labels, shape :math:`(M,)`.
        - **sequence_length** (Union[Tensor, list[int]]) - the number of time steps of each sample.

    Outputs:
        tuple of the losses, shape :math:`(N,)`, and their gradient by `x`.
    """
    def __init__(self, preprocess_collapse_repeated: bool = False, ctc_merge_repeated: bool = True, ignore_longer_outputs_than_inputs: bool = False) -> None: ...
    def __call__(self, x: Tensor, labels_indices: Tensor, labels_values: Tensor, sequence_length: Tensor | list[int]) -> tuple[Tensor, Tensor]: ...

class CTCLossV2(Primitive):
    """Losses of label sequences, one per sample; see ``ops.ctc_loss``.

    Args:
        blank (int): the class that means no label. Default: 0.
        reduction (str): must be ``"none"``. Default: ``"none"``.
        zero_infinity (bool): whether samples that cannot be aligned have loss and gradient 0.
            Default: False.

    Inputs:
        - **log_probs** (Tensor) - log probabilities, shape :math:`(T, N, C)`.
        - **targets** (Tensor) - labels of an integer type, shape :math:`(N, S)`.
        - **input_lengths** (Union[Tensor, list[int]]) - the number of time steps of each sample.
        - **target_lengths** (Union[Tensor, list[int]]) - the number of labels of each sample.

    Outputs:
        tuple of the losses, shape :math:`(N,)`, and the logarithms of the forward variables.
    """
    def __init__(self, blank: int = 0, reduction: str = 'none', zero_infinity: bool = False) -> None: ...
    def __call__(self, log_probs: Tensor, targets: Tensor, input_lengths: Tensor | list[int], target_lengths: Tensor | list[int]) -> tuple[Tensor, Tensor]: ...

class CTCLossV2Grad(Primitive):
    """The gradient of CTCLossV2 with respect to the log probabilities.

    Args:
        blank (int): the class that means no label.
        reduction (str): must be ``"none"``. Default: ``"none"``.
        zero_infinity (bool): whether samples that cannot be aligned have gradient 0.
            Default: False.

    Inputs:
        - **grad_out** (Tensor) - the gradient of the losses, shape :math:`(N,)`.
        - **log_probs** (Tensor) - log probabilities, shape :math:`(T, N, C)`.
        - **targets** (Tensor) - labels of an integer type, shape :math:`(N, S)`.
        - **input_lengths** (Union[Tensor, list[int]]) - the number of time steps of each sample.
        - **target_lengths** (Union[Tensor, list[int]]) - the number of labels of each sample.
        - **neg_log_likelihood** (Tensor) - the losses that CTCLossV2 gave.
        - **log_alpha** (Tensor) - the logarithms of the forward variables that it gave.

    Outputs:
        Tensor like `log_probs`.
    """
    def __init__(self, blank: int, reduction: str = 'none', zero_infinity: bool = False) -> None: ...
    def __call__(self, grad_out: Tensor, log_probs: Tensor, targets: Tensor, input_lengths: Tensor | list[int], target_lengths: Tensor | list[int], neg_log_likelihood: Tensor, log_alpha: Tensor) -> Tensor: ...

class CacheSwapTable(Primitive):
    """Store rows in a table and give those that stood there; negative indices are skipped.

    Inputs:
        - **cache_table** (Parameter) - the table, of two axes.
        - **swap_cache_idx** (Tensor) - which rows to replace, integers.
        - **miss_value** (Tensor) - the new rows, one for each index.

    Outputs:
        Tensor like `miss_value`, the old rows; zeros for indices that are skipped.
    """
    def __init__(self) -> None: ...
    def __call__(self, cache_table: Tensor, swap_cache_idx: Tensor, miss_value: Tensor) -> Tensor: ...

class Cast(Primitive):
    """Convert to another type.

    Floating to integer types truncates; values that do not fit wrap around.

    Inputs:
        - **input** (Union[Tensor, number]) - what to convert.
        - **dtype** (Type) - the new type.

    Outputs:
        Tensor of the same shape; over the same memory if the type is the same.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, dtype: Any) -> Tensor: ...

class Cauchy(Primitive):
    r"""Cauchy numbers: density :math:`\frac{1}{\pi} \frac{\sigma}{(x - median)^2 + \sigma^2}`.

    Args:
        size (list[int]): the shape, sizes above 0.
        median (float): the location. Default: 0.0.
        sigma (float): the half-width at half maximum. Default: 1.0.

    Returns:
        Tensor of that shape, float32.
    """
    def __init__(self, size: Any, median: Any = 0.0, sigma: Any = 1.0) -> None: ...
    def __call__(self) -> Tensor: ...

class Cdist(Primitive):
    r"""Distances of all pairs of vectors: :math:`out_{..ij} = \|x1_{..i} - x2_{..j}\|_p`.

    ``ops.cdist`` as a class: made with `p`, called with `x1`, `x2`.

    Args:
        p (float): the norm, at least 0. Default: 2.0.

    Inputs:
        - **x1** (Tensor) - shape :math:`(.., N, D)`.
        - **x2** (Tensor) - shape :math:`(.., M, D)`.

    Outputs:
        Tensor of shape :math:`(.., N, M)`.
    """
    def __init__(self, p: float = 2.0) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor) -> Tensor: ...

class CeLU(Primitive):
    r"""Continuously differentiable exponential linear unit.

    .. math:: out_i = \max(0, x_i) + \min(0, \alpha (e^{x_i / \alpha} - 1))

    ``ops.celu`` as a class: made with `alpha`, called with `x`.

    Args:
        alpha (Union[int, float]): :math:`\alpha`, not 0. Default: 1.0.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self, alpha: float = 1.0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Ceil(Primitive):
    r"""Smallest integer that is not below, element by element: :math:`out = \lceil x \rceil`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; the type is kept.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class ChannelShuffle(Primitive):
    r"""Mix the channels of groups: channel :math:`g \cdot C / G + c` goes to :math:`c \cdot G + g`.

    ``ops.channel_shuffle`` as a class: made with `group`, called with `x`.

    Args:
        group (int): :math:`G`, a divisor of C.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, *)`.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self, group: int) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class CheckNumerics(Primitive):
    """The tensor itself, or a RuntimeError if it has nan or infinite elements."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class CheckValid(Primitive):
    """Whether boxes lie within an image.

    Inputs:
        - **bboxes** (Tensor) - shape :math:`(N, 4)`, see the note on boxes; integers too.
        - **img_metas** (Tensor) - height, width and the ratio they are multiplied by, shape (3,).

    Outputs:
        Tensor of bool of shape :math:`(N,)`.
    """
    def __init__(self) -> None: ...
    def __call__(self, bboxes: Tensor, img_metas: Tensor) -> Tensor: ...

class Cholesky(Primitive):
    """Cholesky decomposition of positive definite matrices: :math:`input = L L^H`.

    ``ops.cholesky`` as a class: made with `upper`, called with `input_x`.

    Args:
        upper (bool): whether :math:`L^H` is given, else :math:`L`. Default: False.

    Inputs:
        - **input_x** (Tensor) - shape :math:`(.., N, N)`, symmetric and positive definite.

    Outputs:
        Tensor of the same shape, triangular.
    """
    def __init__(self, upper: bool = False) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class CholeskyInverse(Primitive):
    """Inverse of a matrix from its Cholesky factor: :math:`(L L^H)^{-1}`.

    ``ops.cholesky_inverse`` as a class: made with `upper`, called with `input_x`.

    Args:
        upper (bool): whether it is the upper one. Default: False.

    Inputs:
        - **input_x** (Tensor) - the factor, shape :math:`(N, N)`.

    Outputs:
        Tensor of the same shape.
    """
    def __init__(self, upper: bool = False) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class CholeskySolve(Primitive):
    r"""Solution of linear equations from a Cholesky factor: :math:`L L^H \cdot out = input`.

    ``ops.cholesky_solve`` as a class: made with `upper`, called with `x1`, `x2`.

    Args:
        upper (bool): whether it is the upper one. Default: False.

    Inputs:
        - **x1** (Tensor) - the right side, shape :math:`(.., N, K)`.
        - **x2** (Tensor) - the factor, shape :math:`(.., N, N)`, of the same type.

    Outputs:
        Tensor of shape :math:`(.., N, K)`.
    """
    def __init__(self, upper: bool = False) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor) -> Tensor: ...

class CholeskyTrsm(Primitive):
    """The inverses of the upper Cholesky factors of a matrix's diagonal blocks.

    See :class:`CusCholeskyTrsm`; the blocks have `split_dim` rows, and the last one is filled up
    with the identity.

    Args:
        lower (bool): whether the transposes, which are lower triangles, are returned.
            Default: False.
        clean (bool): accepted for compatibility; the other triangle is zero. Default: True.
        split_dim (int): the size of a block, or 0 for the whole matrix. Default: 0.

    Inputs:
        - **x1** (Tensor) - shape (N, N).

    Outputs:
        Tensor of shape (N, N), or (ceil(N / split_dim), split_dim, split_dim), and (1, N, N)
        where N is not larger than `split_dim`.
    """
    def __init__(self, lower: bool = False, clean: bool = True, split_dim: int = 0) -> None: ...
    def __call__(self, x1: Tensor) -> Tensor: ...

class Coalesce(Primitive):
    """The indices of a sparse tensor in order, with values of the same index summed.

    Inputs:
        - **x_indices** (Tensor) - the places, one in each column: shape :math:`(rank, N)`.
        - **x_values** (Tensor) - the values, of shape :math:`(N,)`.
        - **x_shape** (Tensor) - the sizes of the dense tensor, of shape :math:`(rank,)`.

    Outputs:
        Three Tensors: places, values, and `x_shape`.
    """
    def __init__(self) -> None: ...
    def __call__(self, x_indices: Tensor, x_values: Tensor, x_shape: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class Col2Im(Primitive):
    """Sum columns into images; see ``ops.col2im``.

    Args:
        kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
        dilation (Union[int, tuple[int], list[int]]): distance between its elements. Default: 1.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides. Default: 0.
        stride (Union[int, tuple[int], list[int]]): step from patch to patch. Default: 1.

    Inputs:
        - **x** (Tensor) - shape (N, C, K_h * K_w, patches).
        - **output_size** (Union[Tensor, tuple[int]]) - height and width of the output.

    Outputs:
        Tensor of shape (N, C, H, W).
    """
    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None: ...
    def __call__(self, x: Tensor, output_size: Any) -> Tensor: ...

class CombinedNonMaxSuppression(Primitive):
    """The best boxes of several images and classes, without those that overlap better ones.

    Each class chooses for itself (see the note on the greedy choice); the chosen ones of all
    classes are then ordered by score.

    Args:
        pad_per_class (bool): whether the results have as many rows as all classes could fill, at
            most `max_total_size`; otherwise they have `max_total_size` rows. Default: False.
        clip_boxes (bool): whether the corners of the result are cut to [0, 1]. Default: True.

    Inputs:
        - **boxes** (Tensor) - opposite corners, shape :math:`(B, N, q, 4)`; q is 1 if all classes
            have the same boxes, else the number of classes.
        - **scores** (Tensor) - shape :math:`(B, N, classes)`.
        - **max_output_size_per_class** (Union[Tensor, int]) - how many may stay of each class.
        - **max_total_size** (Union[Tensor, int]) - how many may stay of an image.
        - **iou_threshold** (Union[Tensor, float]) - the largest overlap allowed, in [0, 1].
        - **score_threshold** (Union[Tensor, float]) - scores must be above it.

    Outputs:
        Tuple of boxes :math:`(B, M, 4)`, scores :math:`(B, M)` and classes :math:`(B, M)`,
        filled up with zeros, and the number of boxes found, int32 of shape :math:`(B,)`.
    """
    def __init__(self, pad_per_class: bool = False, clip_boxes: bool = True) -> None: ...
    def __call__(self, boxes: Tensor, scores: Tensor, max_output_size_per_class: Tensor | Any, max_total_size: Tensor | Any, iou_threshold: Tensor | Any, score_threshold: Tensor | Any) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...

class CompareAndBitpack(Primitive):
    """Whether elements are above a threshold, eight of them as the bits of a uint8.

    The first of eight elements is the highest bit, of eight bools the lowest. Bools are packed as
    they are, whatever the threshold is.

    Inputs:
        - **x** (Tensor) - the last axis is a multiple of 8.
        - **threshold** (Tensor) - no axes, of the type of `x`.

    Outputs:
        Tensor of uint8, its last axis an eighth of that of `x`.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, threshold: Tensor | Number) -> Tensor: ...

class Complex(Primitive):
    r"""Complex numbers from their parts: :math:`out_i = real_i + j\, imag_i`.

    Inputs:
        - **real** (Tensor) - float32 or float64, any shape.
        - **imag** (Tensor) - of the same type and a shape that broadcasts with `real`.

    Outputs:
        Tensor of complex64 or complex128.
    """
    def __init__(self) -> None: ...
    def __call__(self, real: Tensor, imag: Tensor) -> Tensor: ...

class ComplexAbs(Primitive):
    """Absolute values of complex numbers; see :func:`ops.abs`.

    Inputs:
        - **x** (Tensor) - any shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class ComputeAccidentalHits(Primitive):
    r"""Positions of sampled classes that happen to be true classes.

    Args:
        num_true (int): how many true classes an example has. Default: 1.

    Inputs:
        - **true_classes** (Tensor) - integers, shape :math:`(B, num\_true)`.
        - **sampled_candidates** (Tensor) - integers, shape :math:`(S,)`.

    Outputs:
        Tuple of the examples (int32), the places among the sampled classes (in their type),
        and the lowest float32 for each.
    """
    def __init__(self, num_true: int = 1) -> None: ...
    def __call__(self, true_classes: Tensor, sampled_candidates: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class Concat(Primitive):
    """Join tensors along an existing axis.

    ``ops.cat`` as a class: made with `axis`, called with `tensors`.

    Args:
        axis (int): the axis. Default: 0.

    Inputs:
        - **tensors** (Union[tuple, list]) - tensors whose other sizes agree.

    Outputs:
        Tensor of the common type.
    """
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, tensors: Tensor | Sequence[Tensor]) -> Tensor: ...

class ConfusionMatrix(Primitive):
    r"""Confusion matrix: the counts of each true class (row) and predicted class (column).

    Args:
        num_classes (int): the number of classes.
        dtype (str): the name of the result's type. Default: ``"int32"``.

    Inputs:
        - **labels** (Tensor) - the true classes, integers of shape :math:`(N,)`.
        - **predictions** (Tensor) - the classes predicted, of the same shape.
        - **weights** (Tensor) - how much each example counts. Default: None, 1.

    Outputs:
        Tensor of shape :math:`(num\_classes, num\_classes)`.
    """
    def __init__(self, num_classes: int, dtype: str = 'int32') -> None: ...
    def __call__(self, labels: Tensor, predictions: Tensor, weights: Tensor | None = None) -> Tensor: ...

class Conj(Primitive):
    r"""Complex conjugate, element by element: :math:`out = \bar{x}`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; the type is kept.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class ConjugateTranspose(Primitive):
    """Complex conjugate with the axes in another order; see :func:`ops.transpose`.

    Inputs:
        - **x** (Tensor) - any shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, perm: Any) -> Tensor: ...

class Conv2D(Primitive):
    """Convolution over two dimensions with the options of the constructor.

    Args:
        out_channel (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): size of the kernel, that of `weight`.
        mode (int): 1, a convolution. Default: 1.
        pad_mode (str): ``valid``, ``same`` or ``pad``. Default: ``"valid"``.
        pad (Union[int, tuple[int]]): zeros in mode ``pad``. Default: 0.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        group (int): number of groups of channels. Default: 1.
        data_format (str): ``NCHW`` or ``NHWC``. Default: ``"NCHW"``.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W), or (N, H, W, C) in format NHWC.
        - **weight** (Tensor) - shape (out_channel, C / group, K_h, K_w); (out_channel, K_h, K_w,
            C / group) in format NHWC.

    Outputs:
        Tensor in the format of `x`.
    """
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], mode: int = 1, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, x: Tensor, weight: Tensor) -> Tensor: ...

class Conv2DBackpropInput(Primitive):
    """The gradient of a two-dimensional convolution with respect to its input, of a given size.

    Args:
        out_channel (int): number of the convolution's output channels.
        kernel_size (Union[int, tuple[int]]): size of the kernel, that of `weight`.
        pad_mode (str): ``valid``, ``same`` or ``pad``. Default: ``"valid"``.
        pad (Union[int, tuple[int]]): zeros in mode ``pad``. Default: 0.
        pad_list (tuple[int]): (top, bottom, left, right), in place of `pad`. Default: None.
        mode (int): 1, a convolution. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        group (int): number of groups of channels. Default: 1.
        data_format (str): ``NCHW``. Default: ``"NCHW"``.

    Inputs:
        - **dout** (Tensor) - shape (N, out_channel, H, W): the gradient of the convolution's output.
        - **weight** (Tensor) - the convolution's weight, shape (out_channel, C / group, K_h, K_w).
        - **input_size** (tuple[int]) - the convolution's input shape (N, C, H_in, W_in).

    Outputs:
        Tensor of shape `input_size`.
    """
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], pad_mode: str = 'valid', pad: int | Sequence[int] = 0, pad_list: Sequence[int] | None = None, mode: int = 1, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, dout: Tensor, weight: Tensor, input_size: Sequence[int]) -> Tensor: ...

class Conv2DTranspose(Primitive):
    """The gradient of a two-dimensional convolution with respect to its input, of a given size.

    Args:
        out_channel (int): number of the convolution's output channels.
        kernel_size (Union[int, tuple[int]]): size of the kernel, that of `weight`.
        pad_mode (str): ``valid``, ``same`` or ``pad``. Default: ``"valid"``.
        pad (Union[int, tuple[int]]): zeros in mode ``pad``. Default: 0.
        pad_list (tuple[int]): (top, bottom, left, right), in place of `pad`. Default: None.
        mode (int): 1, a convolution. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        group (int): number of groups of channels. Default: 1.
        data_format (str): ``NCHW``. Default: ``"NCHW"``.

    Inputs:
        - **dout** (Tensor) - shape (N, out_channel, H, W): the gradient of the convolution's output.
        - **weight** (Tensor) - the convolution's weight, shape (out_channel, C / group, K_h, K_w).
        - **input_size** (tuple[int]) - the convolution's input shape (N, C, H_in, W_in).

    Outputs:
        Tensor of shape `input_size`.
    """
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], pad_mode: str = 'valid', pad: int | Sequence[int] = 0, pad_list: Sequence[int] | None = None, mode: int = 1, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCHW') -> None: ...
    def __call__(self, dout: Tensor, weight: Tensor, input_size: Sequence[int]) -> Tensor: ...

class Conv3D(Primitive):
    """Convolution over three dimensions with the options of the constructor.

    Args:
        out_channel (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): size of the kernel, that of `weight`.
        mode (int): 1, a convolution. Default: 1.
        pad_mode (str): ``valid``, ``same`` or ``pad``. Default: ``"valid"``.
        pad (Union[int, tuple[int]]): zeros in mode ``pad``. Default: 0.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        group (int): number of groups of channels. Default: 1.
        data_format (str): ``NCDHW`` or ``NDHWC``. Default: ``"NCDHW"``.

    Inputs:
        - **x** (Tensor) - shape (N, C, D, H, W), or (N, D, H, W, C) in format NDHWC.
        - **weight** (Tensor) - shape (out_channel, C / group, K_d, K_h, K_w); the channels last in
            format NDHWC.

    Outputs:
        Tensor in the format of `x`.
    """
    def __init__(self, out_channel: int, kernel_size: int | Sequence[int], mode: int = 1, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, x: Tensor, weight: Tensor) -> Tensor: ...

class Conv3DTranspose(Primitive):
    """Transposed convolution over three dimensions with the options of the constructor.

    Args:
        in_channel (int): number of channels of `dout`.
        out_channel (int): number of output channels.
        kernel_size (Union[int, tuple[int]]): size of the kernel, that of `weight`.
        mode (int): 1, a convolution. Default: 1.
        pad_mode (str): ``valid``, ``same`` or ``pad``. Default: ``"valid"``.
        pad (Union[int, tuple[int]]): taken away in mode ``pad``. Default: 0.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        group (int): number of groups of channels. Default: 1.
        output_padding (Union[int, tuple[int]]): added at the end in mode ``pad``. Default: 0.
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.

    Inputs:
        - **dout** (Tensor) - shape (N, in_channel, D, H, W).
        - **weight** (Tensor) - shape (in_channel, out_channel / group, K_d, K_h, K_w).

    Outputs:
        Tensor of shape (N, out_channel, D_out, H_out, W_out).
    """
    def __init__(self, in_channel: int, out_channel: int, kernel_size: int | Sequence[int], mode: int = 1, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, output_padding: int | Sequence[int] = 0, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, dout: Tensor, weight: Tensor) -> Tensor: ...

class CopyWithSlice(Primitive):
    """Write values into a parameter or a view of a tensor; shapes broadcast."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, y: Tensor | Number) -> None: ...

class CorrectionMul(Primitive):
    r"""Weights scaled to the running statistics: :math:`y = x \sigma / \sigma_{run}`.

    Args:
        channel_axis (int): the axis of the channels. Default: 0.

    Inputs:
        - **x** (Tensor) - the weights.
        - **batch_std**, **running_std** (Tensor) - the deviations, shape (C,). The running one
          has no gradient.

    Outputs:
        Tensor of the shape of `x`.
    """
    def __init__(self, channel_axis: int = 0) -> None: ...
    def __call__(self, x: Tensor, batch_std: Tensor, running_std: Tensor) -> Tensor: ...

class CorrectionMulGrad(Primitive):
    """The gradients of :class:`CorrectionMul`.

    Args:
        channel_axis (int): the axis of the channels. Default: 0.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the weights, of one shape.
        - **gamma**, **running_std** (Tensor) - what x was multiplied and divided by, shape (C,).

    Outputs:
        Tuple of the gradients of `x` and `gamma`.
    """
    def __init__(self, channel_axis: int = 0) -> None: ...
    def __call__(self, dout: Tensor, x: Tensor, gamma: Tensor, running_std: Tensor) -> tuple[Tensor, Tensor]: ...

class CorrectionMulGradReduce(Primitive):
    """Sums over all axes but that of the channels.

    Args:
        channel_axis (int): the axis that stays. Default: 0.

    Inputs:
        - **mul_dx** (Tensor) - any shape.

    Outputs:
        Tensor of shape (C,).
    """
    def __init__(self, channel_axis: int = 0) -> None: ...
    def __call__(self, mul_dx: Tensor) -> Tensor: ...

class Cos(Primitive):
    r"""Cosine of radians, element by element: :math:`out = \cos x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Cosh(Primitive):
    """Hyperbolic cosine, element by element: :math:`out = (e^x + e^{-x}) / 2`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class CountNonZero(Primitive):
    """The number of elements that are not zero; see :func:`ops.count_nonzero`.

    Args:
        dims (Union[int, tuple, list]): the axes to count along. Default: None, all.

    Inputs:
        - **x** (Tensor) - any shape.

    Outputs:
        Tensor of int64, without the axes.
    """
    def __init__(self, dims: Any = None) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class CropAndResize(Primitive):
    """Cut boxes out of images and resize them; see ``ops.crop_and_resize``.

    Args:
        method (str): ``bilinear``, ``nearest`` or ``bilinear_v2``. Default: ``"bilinear"``.
        extrapolation_value (float): the value of what lies beyond the image. Default: 0.0.

    Inputs:
        - **x** (Tensor) - shape (N, H, W, C).
        - **boxes** (Tensor) - rows (y1, x1, y2, x2); 0 and 1 are the ends of the image.
        - **box_index** (Tensor) - the image of each box, integers.
        - **crop_size** (tuple[int]) - (height, width) of the crops.

    Outputs:
        Tensor of shape (boxes, height, width, C).
    """
    def __init__(self, method: str = 'bilinear', extrapolation_value: float = 0.0) -> None: ...
    def __call__(self, x: Tensor, boxes: Tensor, box_index: Tensor, crop_size: Any) -> Tensor: ...

class Cross(Primitive):
    """Cross product along an axis of size 3; see :func:`ops.cross`.

    Args:
        dim (int): the axis. Default: -65530, the first axis of size 3.

    Inputs:
        - **input** (Tensor) - any shape with an axis of size 3.
        - **other** (Tensor) - of the same shape.

    Outputs:
        Tensor of the common type.
    """
    def __init__(self, dim: int = -65530) -> None: ...
    def __call__(self, input: Tensor, other: Tensor) -> Tensor: ...

class CumProd(Primitive):
    """Running product along an axis.

    Args:
        exclusive (bool): whether each product leaves out the element at its own place.
            Default: False.
        reverse (bool): whether to multiply from the end. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.
        - **axis** (int) - the axis.

    Outputs:
        Tensor of the same shape and type.
    """
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: int) -> Tensor: ...

class CumSum(Primitive):
    """Running sum along an axis.

    Args:
        exclusive (bool): whether each sum leaves out the element at its own place.
            Default: False.
        reverse (bool): whether to sum from the end. Default: False.

    Inputs:
        - **input** (Tensor) - any shape.
        - **axis** (int) - the axis.

    Outputs:
        Tensor of the same shape and type.
    """
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, input: Tensor, axis: int) -> Tensor: ...

class Cummax(Primitive):
    """The largest elements so far and their indices; see :func:`ops.cummax`.

    Args:
        axis (int): the axis.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tuple of values and indices (int64); of equal
        elements, that of the last.
    """
    def __init__(self, axis: int) -> None: ...
    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]: ...

class Cummin(Primitive):
    """The smallest elements so far and their indices; see :func:`ops.cummin`.

    Args:
        axis (int): the axis.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tuple of values and indices (int32); of equal
        elements, that of the last.
    """
    def __init__(self, axis: int) -> None: ...
    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]: ...

class CumulativeLogsumexp(Primitive):
    """Running logarithm of the sum of exponentials along an axis; see :func:`ops.logcumsumexp`.

    Args:
        exclusive (bool): whether each sum leaves out the element at its own place; the logarithm of
            an empty sum is the lowest number of the type. Default: False.
        reverse (bool): whether to sum from the end. Default: False.

    Inputs:
        - **x** (Tensor) - a floating type, any shape.
        - **axis** (Union[int, Tensor]) - the axis.

    Outputs:
        Tensor of the same shape and type.
    """
    def __init__(self, exclusive: bool = False, reverse: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any) -> Tensor: ...

class CusBatchMatMul(Primitive):
    """Products of matrices with transposed matrices: :math:`x_1 x_2^T` for each of a batch.

    Inputs:
        - **x1**, **x2** (Tensor) - shape (N, D, D).

    Outputs:
        Tensor of shape (N, D, D).
    """
    def __init__(self) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor) -> Tensor: ...

class CusCholeskyTrsm(Primitive):
    """The inverses of the upper Cholesky factors of a matrix's diagonal blocks.

    Of a block :math:`A = L L^T` it is :math:`(L^T)^{-1}`, and nan where the block is not positive
    definite. Blocks have 128 rows; a smaller matrix is one block.

    Inputs:
        - **x1** (Tensor) - shape (N, N); N at most 128 or a multiple of it.

    Outputs:
        Tensor of shape (N // 128, 128, 128), or (1, N, N).
    """
    def __init__(self) -> None: ...
    def __call__(self, x1: Tensor) -> Tensor: ...

class CusFusedAbsMax1(Primitive):
    """The largest absolute value, in two stages.

    Of blocks or a fractal matrix, every row of the result is the largest of one of 32 equal parts,
    64 times; of such a result it is the largest of all.

    Args:
        origin_shape (tuple): the size (n, n) of the matrix before its diagonal blocks were padded;
            what lies outside does not count. Default: (-1, -1), for all.

    Inputs:
        - **x1** (Tensor) - 3-D or 4-D in the first stage, 2-D in the second.

    Outputs:
        Tensor of shape (32, 64) in the first stage, (1,) in the second.
    """
    def __init__(self, origin_shape: Any = ...) -> None: ...
    def __call__(self, x1: Tensor) -> Tensor: ...

class CusImg2Col(Primitive):
    """Patches of images as the rows of a matrix.

    The columns are in the order (C / 16, kernel height, kernel width, 16); fewer than 16 channels
    count as 16. There are :math:`(k - 1) / 2` zeros on each side, and H / stride rows of patches.

    Args:
        ksizes (tuple): (1, height, width, 1) of the kernel.
        strides (tuple): (1, height, width, 1).
        dilates (tuple): (1, height, width, 1). Default: (1, 1, 1, 1).
        mode (str): must be ``"NC1HWC0"``. Default: ``"NC1HWC0"``.

    Inputs:
        - **x1** (Tensor) - shape (N, C, H, W); C less than 16 or a multiple of it.

    Outputs:
        Tensor of shape (N * H' * W', C * kernel height * kernel width).
    """
    def __init__(self, ksizes: Any, strides: Any, dilates: Any = ..., mode: str = 'NC1HWC0') -> None: ...
    def __call__(self, x1: Tensor) -> Tensor: ...

class CusMatMulCube(Primitive):
    """The product of two matrices, in float32.

    Args:
        transpose_a (bool): whether the first is transposed. Default: False.
        transpose_b (bool): whether the second is transposed. Default: False.

    Inputs:
        - **x1**, **x2** (Tensor) - shapes (N, C) and (C, M), as transposed.

    Outputs:
        Tensor of shape (N, M), float32 (float64 of float64).
    """
    def __init__(self, transpose_a: bool = False, transpose_b: bool = False) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor) -> Tensor: ...

class CusMatMulCubeDenseLeft(Primitive):
    """The product of a fractal matrix and a matrix, see NOTE Fractals in the module.

    Inputs:
        - **x1** (Tensor) - a matrix of shape (N, M) in fractal layout, 4-D.
        - **x2** (Tensor) - shape (M, C).

    Outputs:
        Tensor of shape (N, C), float16.
    """
    def __init__(self) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor) -> Tensor: ...

class CusMatMulCubeDenseRight(Primitive):
    """The product of a matrix and a fractal matrix, times a number; see NOTE Fractals.

    Inputs:
        - **x1** (Tensor) - shape (N, C).
        - **x2** (Tensor) - a matrix of shape (C, M) in fractal layout, 4-D.
        - **x3** (Tensor) - the number, one element. Default: None, for 1.

    Outputs:
        Tensor of shape (N, M), float32 (float64 of float64).
    """
    def __init__(self) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor, x3: Tensor | None = None) -> Tensor: ...

class CusMatMulCubeFraczLeftCast(Primitive):
    """The product of a fractal matrix and a matrix, see NOTE Fractals in the module.

    Inputs:
        - **x1** (Tensor) - a matrix of shape (N, C) in fractal layout, 4-D.
        - **x2** (Tensor) - shape (C, M), or (C, ...) with its further axes as M.

    Outputs:
        Tensor of the shape of `x2`, float16.
    """
    def __init__(self) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor) -> Tensor: ...

class CusMatMulCubeFraczRightMul(Primitive):
    """The product of a matrix and a fractal matrix, times a number; see NOTE Fractals.

    Inputs:
        - **x1** (Tensor) - shape (N, C), or (N, ...) with its further axes as C.
        - **x2** (Tensor) - a matrix of shape (C, C) in fractal layout, 4-D.
        - **x3** (Tensor) - the number, one element.

    Outputs:
        Tensor of the shape of `x1`, float32 (float64 of float64).
    """
    def __init__(self) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor, x3: Tensor) -> Tensor: ...

class CusMatrixCombine(Primitive):
    """Matrices along the diagonal of one.

    Inputs:
        - **x** (Tensor) - shape (N, D, D).

    Outputs:
        Tensor of shape (N * D, N * D).
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class CusTranspose02314(Primitive):
    """Axes in the order (0, 2, 3, 1, 4).

    An image batch of shape (N, C, H, W) counts as (N, C / 16, H, W, 16) and becomes a matrix of
    shape (N * H * W, C). The gradient is zero.

    Inputs:
        - **x1** (Tensor) - 5-D, or 4-D with C less than 16 or a multiple of it.

    Outputs:
        Tensor, 5-D or 2-D.
    """
    def __init__(self) -> None: ...
    def __call__(self, x1: Tensor) -> Tensor: ...

class DType(Primitive):
    """The type of a tensor's elements; see :func:`ops.dtype`.

    Inputs:
        - **x** (Tensor) - any tensor.

    Outputs:
        Type, such as ``ms.float32``.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Number: ...

class DataFormatDimMap(Primitive):
    """Translate the numbers of axes between layouts: i becomes ``src_format.index(dst_format[i])``.

    Args:
        src_format (str): the layout of the result, ``"NHWC"`` or ``"NCHW"``. Default: ``"NHWC"``.
        dst_format (str): the layout of the input, likewise. Default: ``"NCHW"``.

    Inputs:
        - **input_x** (Tensor) - integers, any shape; they count modulo 4.

    Outputs:
        Tensor of the same shape and type.
    """
    def __init__(self, src_format: str = 'NHWC', dst_format: str = 'NCHW') -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class DataFormatVecPermute(Primitive):
    """Reorder one element for each axis from one layout to another.

    Args:
        src_format (str): the layout of the input, ``"NHWC"`` or ``"NCHW"``. Default: ``"NHWC"``.
        dst_format (str): the layout of the result, likewise. Default: ``"NCHW"``.

    Inputs:
        - **input_x** (Tensor) - integers, shape (4,) or (4, 2).

    Outputs:
        Tensor of the same shape and type.
    """
    def __init__(self, src_format: str = 'NHWC', dst_format: str = 'NCHW') -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class DeformableOffsets(Primitive):
    """The input elements of the windows of a deformable convolution, side by side.

    Every place of every window is moved by an offset, read between four pixels (zeros outside of
    the image) and multiplied by a factor. A convolution with windows and steps of `ksize` over the
    result completes it.

    Args:
        strides (tuple): steps of the window, four ints in the order of `data_format`.
        pads (tuple): zeros above, below, left and right.
        ksize (tuple): height and width of the window.
        dilations (tuple): distances of the places, four ints. Default: (1, 1, 1, 1).
        data_format (str): ``"NCHW"`` or ``"NHWC"``. Default: ``"NCHW"``.
        deformable_groups (int): how many parts of the channels have offsets of their own.
            Default: 1.
        modulated (bool): only True. Default: True.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)`.
        - **offsets** (Tensor) - for each group and place of the window the offsets to the right,
            those downwards, and the factors: shape :math:`(N, 3 G h w, H_{out}, W_{out})`.

    Outputs:
        Tensor of shape :math:`(N, C, H_{out} h, W_{out} w)`.
    """
    def __init__(self, strides: Any, pads: Any, ksize: Any, dilations: Any = ..., data_format: str = 'NCHW', deformable_groups: int = 1, modulated: bool = True) -> None: ...
    def __call__(self, x: Tensor, offsets: Tensor) -> Tensor: ...

class Dense(Primitive):
    r"""Product with a weight matrix: :math:`out = input \cdot weight^T + bias`.

    Inputs:
        - **input** (Tensor) - shape :math:`(*, C_{in})`.
        - **weight** (Tensor) - shape :math:`(C_{out}, C_{in})`, of the input's dtype.
        - **bias** (Tensor) - shape :math:`(C_{out},)`. Default: None.

    Outputs:
        Tensor of shape :math:`(*, C_{out})`.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor: ...

class DepthToSpace(Primitive):
    r"""Move channels into blocks of space: :math:`(N, C b^2, H, W) \to (N, C, H b, W b)`.

    Args:
        block_size (int): b, at least 2.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W), C a multiple of the square of b.

    Outputs:
        Tensor of the input's dtype.
    """
    def __init__(self, block_size: int) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class DepthwiseConv2dNative(Primitive):
    """Convolution of every channel with kernels of its own.

    Args:
        channel_multiplier (int): number of kernels for each channel.
        kernel_size (Union[int, tuple[int]]): size of the kernel, that of `weight`.
        mode (int): 3, a depthwise convolution. Default: 3.
        pad_mode (str): ``valid``, ``same`` or ``pad``. Default: ``"valid"``.
        pad (Union[int, tuple[int]]): zeros in mode ``pad``. Default: 0.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        group (int): accepted for compatibility; there is one group for each channel. Default: 1.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W).
        - **weight** (Tensor) - shape (channel_multiplier, C, K_h, K_w).

    Outputs:
        Tensor of shape (N, channel_multiplier * C, H_out, W_out); output channel m * C + c is
        channel c with its kernel m.
    """
    def __init__(self, channel_multiplier: int, kernel_size: int | Sequence[int], mode: int = 3, pad_mode: str = 'valid', pad: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1) -> None: ...
    def __call__(self, x: Tensor, weight: Tensor) -> Tensor: ...

class DetTriangle(Primitive):
    """Determinants of triangular matrices: the products of their diagonals.

    Args:
        fill_mode (int): 0 for lower, 1 for upper triangles. Default: 0.

    Inputs:
        - **x1** (Tensor) - shape (..., N, N); the other triangle is not read.

    Outputs:
        Tensor of shape (...).
    """
    def __init__(self, fill_mode: int = 0) -> None: ...
    def __call__(self, x1: Tensor) -> Tensor: ...

class Diag(Primitive):
    """A tensor with the input on its diagonal: :math:`out_{i..., i...} = input_{i...}`.

    Inputs:
        - **input** (Tensor) - one axis or more.

    Outputs:
        Tensor whose shape is that of `input`, twice.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class DiagPart(Primitive):
    """The diagonal of a tensor whose shape is another one twice; the inverse of :func:`ops.diag`.

    Inputs:
        - **input_x** (Tensor) - shape :math:`(D_1, .., D_k, D_1, .., D_k)`.

    Outputs:
        Tensor of shape :math:`(D_1, .., D_k)`.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class Digamma(Primitive):
    r"""Derivative of the logarithm of the gamma function, element by element: :math:`out = \Gamma'(x) / \Gamma(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Dilation2D(Primitive):
    r"""Dilation of gray images: :math:`\max_{m, n} x_{c, s i + d m, s j + d n} + filter_{c, m, n}`.

    Args:
        stride (Union[int, tuple]): steps s of the window in both directions, 1 to 255; also as
            (1, 1, height, width).
        dilation (Union[int, tuple]): distances d of the places in a window, in the same forms.
        pad_mode (str): ``"same"`` or ``"valid"``, in small or large letters. What is padded never
            is the largest. Default: ``"SAME"``.
        data_format (str): only ``"NCHW"``. Default: ``"NCHW"``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)`.
        - **filter** (Tensor) - shape :math:`(C, h, w)`, in the type of `x`.

    Outputs:
        Tensor of shape :math:`(N, C, H_{out}, W_{out})` as a convolution has it.
    """
    def __init__(self, stride: Any, dilation: Any, pad_mode: str = 'SAME', data_format: str = 'NCHW') -> None: ...
    def __call__(self, x: Tensor, filter: Tensor) -> Tensor: ...

class Div(Primitive):
    """Divide, element by element: :math:`out_i = dividend_i / divisor_i`.

    Inputs:
        - **dividend** (Union[Tensor, number, bool]) - the dividend.
        - **divisor** (Union[Tensor, number, bool]) - the divisor; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape; integers give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, dividend: Tensor | Number, divisor: Tensor | Number) -> Tensor: ...

class DivNoNan(Primitive):
    """Divide, with 0 where the divisor is 0: :math:`out_i = x1_i / x2_i`.

    Inputs:
        - **x1** (Union[Tensor, number]) - the dividend.
        - **x2** (Union[Tensor, number]) - the divisor; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x1: Tensor | Number, x2: Tensor | Number) -> Tensor: ...

class Dropout(Primitive):
    """Set elements to zero at random, scale the others, and return the mask too.

    Args:
        keep_prob (float): share of elements that is kept, in (0, 1]. Default: 0.5.
        Seed0 (int): first number of the seed pair. Default: 0; with two zeros the numbers are not
            reproducible.
        Seed1 (int): second number of the seed pair. Default: 0.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs:
        Pair of the output and the mask of ones and zeros, in the input's dtype.
    """
    def __init__(self, keep_prob: float = 0.5, Seed0: int = 0, Seed1: int = 0) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

class Dropout2D(Primitive):
    """Set channels of images to zero at random, scale the others, and return the mask too.

    Args:
        keep_prob (float): share of channels that is kept, in [0, 1]. Default: 0.5.

    Inputs:
        - **x** (Tensor) - floating point, shape (N, C, H, W).

    Outputs:
        Pair of the output and the bool mask, both of the input's shape.
    """
    def __init__(self, keep_prob: float = 0.5) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

class Dropout3D(Primitive):
    """Set channels of volumes to zero at random, scale the others, and return the mask too.

    Args:
        keep_prob (float): share of channels that is kept, in [0, 1]. Default: 0.5.

    Inputs:
        - **x** (Tensor) - floating point, shape (N, C, D, H, W).

    Outputs:
        Pair of the output and the bool mask, both of the input's shape.
    """
    def __init__(self, keep_prob: float = 0.5) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

class DropoutDoMask(Primitive):
    """Zeros where a mask has no bit, the other elements divided by `keep_prob`.

    Inputs:
        - **input_x** (Tensor) - any shape.
        - **mask** (Tensor) - as `DropoutGenMask` makes it for this shape.
        - **keep_prob** (Union[Tensor, float]) - how probable it was that an element stays.

    Outputs:
        Tensor like `input_x`.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, mask: Tensor, keep_prob: Tensor | float) -> Tensor: ...

class DropoutGenMask(Primitive):
    """A random mask for `DropoutDoMask`, a bit for each element.

    Args:
        Seed0 (int): first number of the seed. Default: 0.
        Seed1 (int): second number of the seed. Default: 0.

    Inputs:
        - **shape** (tuple) - the shape of what is to be masked.
        - **keep_prob** (Union[Tensor, float]) - how probable it is that an element stays.

    Outputs:
        Tensor of uint8: 16 bytes for each 128 elements begun, the first element the lowest
        bit.
    """
    def __init__(self, Seed0: int = 0, Seed1: int = 0) -> None: ...
    def __call__(self, shape: Any, keep_prob: Tensor | float) -> Tensor: ...

class DynamicAssign(Primitive):
    """Store a value in a parameter; see :func:`ops.assign`, whose checks are the same.

    Inputs:
        - **variable** (Parameter) - where to store it; its type stays.
        - **value** (Union[Tensor, number]) - the value, of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, variable: Tensor, value: Tensor) -> None: ...

class DynamicGRUV2(Primitive):
    r"""A GRU over sequences: outputs, states and gates at all times.

    :math:`r = \sigma(W_r x_t + b_r + V_r h + c_r)`, :math:`z = \sigma(W_z x_t + b_z + V_z h +
    c_z)`, :math:`n = \tanh(W_n x_t + b_n + r (V_n h + c_n))`, :math:`h_t = (1 - z) n + z h`, where
    h is the state before and W, b, V, c are weights and biases of input and hidden state.

    Args:
        direction (str): only ``"UNIDIRECTIONAL"``. Default: ``"UNIDIRECTIONAL"``.
        cell_depth (int): only 1. Default: 1.
        keep_prob (float): only 1.0. Default: 1.0.
        cell_clip (float): only negative. Default: -1.0.
        num_proj (int): only 0. Default: 0.
        time_major (bool): only True. Default: True.
        activation (str): only ``"tanh"``. Default: ``"tanh"``.
        gate_order (str): the order of the gates in weights and biases, ``"rzh"`` or ``"zrh"``, h
            being n. Default: ``"rzh"``.
        reset_after (bool): whether r multiplies after the product with the weights; otherwise n is
            :math:`\tanh(W_n x_t + b_n + V_n (r h) + c_n)`. Default: True.
        is_training (bool): accepted for compatibility. Default: True.

    Inputs:
        - **x** (Tensor) - shape :math:`(T, B, input)`.
        - **weight_input** (Tensor) - shape :math:`(input, 3 hidden)`.
        - **weight_hidden** (Tensor) - shape :math:`(hidden, 3 hidden)`.
        - **bias_input** (Tensor) - shape :math:`(3 hidden,)`, or None.
        - **bias_hidden** (Tensor) - shape :math:`(3 hidden,)`, or None.
        - **seq_length** (None) - only None.
        - **init_h** (Tensor) - first hidden state, shape :math:`(B, hidden)`.

    Outputs:
        Tuple of six Tensors of shape :math:`(T, B, hidden)`: the outputs y, the hidden states,
        z, r, n, and what r multiplies in n (with `reset_after`, :math:`V_n h + c_n`); in the type
        of the biases, without them in that of `init_h`.
    """
    def __init__(self, direction: str = 'UNIDIRECTIONAL', cell_depth: int = 1, keep_prob: float = 1.0, cell_clip: float = -1.0, num_proj: int = 0, time_major: bool = True, activation: str = 'tanh', gate_order: str = 'rzh', reset_after: bool = True, is_training: bool = True) -> None: ...
    def __call__(self, x: Tensor, weight_input: Tensor, weight_hidden: Tensor, bias_input: Tensor | None, bias_hidden: Tensor | None, seq_length: Tensor | None, init_h: Tensor) -> tuple[Tensor, ...]: ...

class DynamicRNN(Primitive):
    r"""An LSTM over sequences: outputs, states and gates at all times.

    With :math:`(i, j, f, o) = [x_t, h_{t-1}] w + b`: :math:`c_t = \sigma(f + forget\_bias) c_{t-1}
    + \sigma(i) \tanh(j)` and :math:`h_t = \sigma(o) \tanh(c_t)`.

    Args:
        cell_type (str): only ``"LSTM"``. Default: ``"LSTM"``.
        direction (str): only ``"UNIDIRECTIONAL"``. Default: ``"UNIDIRECTIONAL"``.
        cell_depth (int): only 1. Default: 1.
        use_peephole (bool): only False. Default: False.
        keep_prob (float): only 1.0. Default: 1.0.
        cell_clip (float): if positive, cell states are cut to [-cell_clip, cell_clip].
            Default: -1.0.
        num_proj (int): only 0. Default: 0.
        time_major (bool): only True. Default: True.
        activation (str): only ``"tanh"``. Default: ``"tanh"``.
        forget_bias (float): added to the forget gate. Default: 0.0.
        is_training (bool): accepted for compatibility. Default: True.

    Inputs:
        - **x** (Tensor) - shape :math:`(T, B, input)`.
        - **w** (Tensor) - weights, shape :math:`(input + hidden, 4 hidden)`.
        - **b** (Tensor) - bias, shape :math:`(4 hidden,)`.
        - **seq_length** (None) - only None.
        - **init_h** (Tensor) - first hidden state, shape :math:`(1, B, hidden)`.
        - **init_c** (Tensor) - first cell state, shape :math:`(1, B, hidden)`.

    Outputs:
        Tuple of eight Tensors of shape :math:`(T, B, hidden)`: the outputs y, the hidden
        states, the cell states, the gates i, j, f and o after their functions, and the tanh of the
        cell states; the hidden states in the type of `x`, the others in that of `b`.
    """
    def __init__(self, cell_type: str = 'LSTM', direction: str = 'UNIDIRECTIONAL', cell_depth: int = 1, use_peephole: bool = False, keep_prob: float = 1.0, cell_clip: float = -1.0, num_proj: int = 0, time_major: bool = True, activation: str = 'tanh', forget_bias: float = 0.0, is_training: bool = True) -> None: ...
    def __call__(self, x: Tensor, w: Tensor, b: Tensor, seq_length: Tensor | None, init_h: Tensor, init_c: Tensor) -> tuple[Tensor, ...]: ...

class DynamicShape(Primitive):
    """The sizes of a tensor's axes, as a tensor.

    Inputs:
        - **input_x** (Tensor) - any tensor.

    Outputs:
        Tensor of int64.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class EditDistance(Primitive):
    """Edit distance of sequences: the number of insertions, deletions and replacements.

    The sequences lie along the last axis of two sparse tensors.

    Args:
        normalize (bool): whether to divide by the length of the true sequence (giving infinity
            where that is empty and the other one is not). Default: True.

    Inputs:
        - **hypothesis_indices** (Tensor) - indices of the elements, int64 of shape :math:`(N, R)`, in
            order.
        - **hypothesis_values** (Tensor) - the elements, shape :math:`(N,)`.
        - **hypothesis_shape** (Tensor) - the R sizes of the tensor.
        - **truth_indices** (Tensor) - shape :math:`(M, R)`.
        - **truth_values** (Tensor) - shape :math:`(M,)`.
        - **truth_shape** (Tensor) - the R sizes of the tensor.

    Outputs:
        Tensor of float32 with R - 1 axes, of the larger of both sizes on each.
    """
    def __init__(self, normalize: bool = True) -> None: ...
    def __call__(self, hypothesis_indices: Tensor, hypothesis_values: Tensor, hypothesis_shape: Any, truth_indices: Tensor, truth_values: Tensor, truth_shape: Any) -> Tensor: ...

class Eig(Primitive):
    """Eigenvalues and, if asked for, eigenvectors of square matrices; see :func:`ops.eig`.

    Args:
        compute_v (bool): whether to compute the eigenvectors. Default: False.

    Inputs:
        - **x** (Tensor) - shape :math:`(.., N, N)`.

    Outputs:
        Tuple of the eigenvalues, shape :math:`(.., N)`, and the eigenvectors as columns, shape
        :math:`(.., N, N)`, or an empty Tensor; both complex.
    """
    def __init__(self, compute_v: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

class Einsum(Primitive):
    """Sum of products in Einstein's notation; see :func:`ops.einsum`.

    Args:
        equation (str): the axes of each operand as letters, ``->`` and those of the result.
    """
    def __init__(self, equation: str) -> None: ...
    def __call__(self, inputs: Sequence[Tensor]) -> Tensor: ...

class Elu(Primitive):
    r"""Exponential linear unit.

    :math:`out_i = x_i` if positive, else :math:`\alpha (e^{x_i} - 1)`.

    ``ops.elu`` as a class: made with `alpha`, called with `input_x`.

    Args:
        alpha (Union[int, float]): scale of the negative part. Default: 1.0.

    Inputs:
        - **input_x** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self, alpha: float = 1.0) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class EmbeddingLookup(Primitive):
    r"""Rows of one part of a table; indices that belong to other parts give zeros.

    .. math:: out_i = params_{indices_i - offset}, \text{or } 0 \text{ outside the part}

    Inputs:
        - **input_params** (Tensor) - the part of the table, shape :math:`(rows, *)`.
        - **input_indices** (Tensor) - integers of any shape.
        - **offset** (int) - the index of the part's first row.

    Outputs:
        Tensor of shape `input_indices.shape + input_params.shape[1:]`.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_params: Tensor, input_indices: Tensor, offset: int) -> Tensor: ...

class Eps(Primitive):
    """The distance from 1 to the next number of the tensor's type, in its shape.

    Inputs:
        - **x** (Tensor) - a floating type.

    Outputs:
        Tensor of the same shape and type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Equal(Primitive):
    """Whether one operand equals the other, element by element: :math:`out_i = input_i = other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - the left operand.
        - **other** (Union[Tensor, number, bool]) - the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Outputs:
        Tensor of bool, of the broadcast shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class EqualCount(Primitive):
    """The number of equal elements of two tensors, in their type, shape (1,)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, y: Tensor) -> Tensor: ...

class Erf(Primitive):
    r"""Error function, element by element: :math:`out = \frac{2}{\sqrt{\pi}} \int_0^x e^{-t^2} dt`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Erfc(Primitive):
    r"""Complementary error function, element by element: :math:`out = 1 - \operatorname{erf}(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Erfinv(Primitive):
    r"""Inverse of the error function, element by element: :math:`out = \operatorname{erf}^{-1}(x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class EuclideanNorm(Primitive):
    r"""Norm along axes: :math:`\sqrt{\sum |x|^2}`.

    Args:
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Inputs:
        - **x** (Tensor) - a number type, any shape.
        - **axes** (Union[int, tuple, list, Tensor]) - the axes.

    Outputs:
        Tensor of the type of `x`; for integers the fraction is cut off.
    """
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axes: Any) -> Tensor: ...

class Exp(Primitive):
    """Exponential function, element by element: :math:`out = e^x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Expand(Primitive):
    """Repeat along axes of size 1 and new leading axes, without copying.

    Inputs:
        - **input_x** (Tensor) - any shape that broadcasts.
        - **size** (Union[Tensor, tuple, list]) - the new shape; -1 keeps a size.

    Outputs:
        Tensor, a view.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, size: Any) -> Tensor: ...

class ExpandDims(Primitive):
    """Insert an axis of size 1.

    Inputs:
        - **input_x** (Tensor) - any shape.
        - **axis** (int) - where the new axis goes.

    Outputs:
        Tensor with one axis more, a view.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, axis: int) -> Tensor: ...

class Expm1(Primitive):
    """Exponential function minus one, exact near zero, element by element: :math:`out = e^x - 1`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class ExtractGlimpse(Primitive):
    """Windows of equal size cut out of images; pixels outside an image are noise.

    Args:
        centered (bool): whether offsets count from the middle of the image, in halves of its
            extent if they are normalized; otherwise from its upper left corner. Default: True.
        normalized (bool): whether offsets are shares of the image's height and width; otherwise
            they are pixels. Default: True.
        uniform_noise (bool): whether `noise` must be ``"uniform"``. Default: True.
        noise (str): ``"uniform"`` over [-1, 1), ``"gaussian"`` (mean 10, deviation 0.5) or
            ``"zero"``. Default: ``"uniform"``.

    Inputs:
        - **x** (Tensor) - images, shape :math:`(N, H, W, C)`.
        - **size** (Tensor) - height and width of the windows.
        - **offsets** (Tensor) - the middle of each window (y, x), shape :math:`(N, 2)`.

    Outputs:
        Tensor of shape :math:`(N, height, width, C)`, in the type of `x`.
    """
    def __init__(self, centered: bool = True, normalized: bool = True, uniform_noise: bool = True, noise: str = 'uniform') -> None: ...
    def __call__(self, x: Tensor, size: Any, offsets: Tensor) -> Tensor: ...

class ExtractImagePatches(Primitive):
    """Patches of images as channels.

    Args:
        ksizes (Union[tuple[int], list[int]]): size of a patch, (1, 1, rows, columns).
        strides (Union[tuple[int], list[int]]): step from patch to patch, (1, 1, rows, columns).
        rates (Union[tuple[int], list[int]]): distance between the elements of a patch,
            (1, 1, rows, columns).
        padding (str): ``VALID`` or ``SAME``. Default: ``"VALID"``.

    Inputs:
        - **input_x** (Tensor) - shape (N, C, H, W).

    Outputs:
        Tensor of shape (N, rows * columns * C, H_out, W_out).
    """
    def __init__(self, ksizes: Any, strides: Any, rates: Any, padding: str = 'VALID') -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class ExtractVolumePatches(Primitive):
    """Patches of volumes as channels.

    Args:
        kernel_size (Union[int, tuple[int], list[int]]): size of a patch: one number, three, or
            five that begin with two ones.
        strides (Union[int, tuple[int], list[int]]): step from patch to patch, in the same forms.
        padding (str): ``VALID``, or ``SAME``: zeros around, so that every step has its patch.

    Inputs:
        - **input_x** (Tensor) - shape (N, C, D, H, W).

    Outputs:
        Tensor of shape (N, elements of a patch * C, D_out, H_out, W_out), the channel fastest.
    """
    def __init__(self, kernel_size: Any, strides: Any, padding: str) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class Eye(Primitive):
    """Ones on the diagonal, zeros elsewhere.

    ``ops.eye`` as a class: called with `n`, `m`, `dtype`.

    Inputs:
        - **n** (int) - rows.
        - **m** (int) - columns.
        - **dtype** (Type) - the type.

    Outputs:
        Tensor of shape (n, m).
    """
    def __init__(self) -> None: ...
    def __call__(self, n: Any, m: Any, dtype: Any) -> Tensor: ...

class FFTWithSize(Primitive):
    """Fourier transform along the last axes, of the kind that the arguments select.

    Args:
        signal_ndim (int): how many axes, 1 to 3.
        inverse (bool): whether to transform back.
        real (bool): whether the signal is real.
        norm (str): see the note on scaling. Default: ``"backward"``.
        onesided (bool): whether a real signal's transform is its first half. Default: True.
        signal_sizes (tuple): the size of the real signal, when transformed back. Default (): even.

    Inputs:
        - **x** (Tensor) - any shape.

    Outputs:
        Tensor.
    """
    def __init__(self, signal_ndim: int, inverse: bool, real: bool, norm: str = 'backward', onesided: bool = True, signal_sizes: Any = ...) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class FakeLearnedScaleQuantPerChannel(Primitive):
    """Values rounded to steps of a size learned for each channel.

    See :class:`FakeLearnedScaleQuantPerLayer`.

    Args:
        quant_delay (int): how many calls return `input_x` itself in training. Default: 0.
        neg_trunc (bool): whether values below zero become zero. Default: False.
        training (bool): whether calls are counted for `quant_delay`. Default: True.
        channel_axis (int): the axis of the channels; 0 for a vector. Default: 1.

    Inputs:
        - **input_x** (Tensor) - any shape.
        - **alpha** (Tensor) - the largest values, shape (C,).
        - **quant_max** (Tensor) - the number of steps, one element.

    Outputs:
        Tensor of the shape and type of `input_x`.
    """
    def __init__(self, quant_delay: int = 0, neg_trunc: bool = False, training: bool = True, channel_axis: int = 1) -> None: ...
    def __call__(self, input_x: Tensor, alpha: Tensor, quant_max: Tensor) -> Tensor: ...

class FakeLearnedScaleQuantPerChannelGrad(Primitive):
    """The gradients of :class:`FakeLearnedScaleQuantPerChannel`.

    Args:
        quant_delay (int): how many calls return `input_x` itself in training. Default: 0.
        neg_trunc (bool): whether values below zero become zero. Default: False.
        channel_axis (int): the axis of the channels; 0 for a vector. Default: 1.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the values, of one shape.
        - **alpha**, **quant_max** (Tensor) - as there.

    Outputs:
        Tuple of the gradients of `x` and `alpha`.
    """
    def __init__(self, quant_delay: int = 0, neg_trunc: bool = False, channel_axis: int = 1) -> None: ...
    def __call__(self, dout: Tensor, x: Tensor, alpha: Tensor, quant_max: Tensor) -> tuple[Tensor, Tensor]: ...

class FakeLearnedScaleQuantPerChannelGradD(Primitive):
    """Part of what :class:`FakeLearnedScaleQuantPerChannelGrad` computes, as MindSpore splits it for Ascend.

    The second result is not yet summed.

    Args:
        neg_trunc (bool): whether values below zero become zero. Default: False.
        channel_axis (int): the axis of the channels; 0 for a vector. Default: 1.
    """
    def __init__(self, neg_trunc: bool = False, channel_axis: int = 1) -> None: ...
    def __call__(self, dout: Tensor, x: Tensor, alpha: Tensor, quant_max: Tensor) -> tuple[Tensor, Tensor]: ...

class FakeLearnedScaleQuantPerChannelGradDReduce(Primitive):
    """Part of what :class:`FakeLearnedScaleQuantPerChannelGrad` computes, as MindSpore splits it for Ascend.

    It is the sum over all axes but that of the channels.

    Args:
        channel_axis (int): the axis of the channels; 0 for a vector. Default: 1.
    """
    def __init__(self, channel_axis: int = 1) -> None: ...
    def __call__(self, dout_alpha: Tensor) -> Tensor: ...

class FakeLearnedScaleQuantPerLayer(Primitive):
    r"""Values rounded to steps of a learned size.

    .. math::
        y = \frac{\lfloor clip(x / \alpha, -1, 1) \cdot q + 0.5 \rfloor}{q} \alpha

    where q is `quant_max`; with `neg_trunc` the range is from 0 to 1. The gradient of x passes
    within the range. That of alpha is the sum of :math:`y / \alpha - x / \alpha` within the range
    and of the sign of :math:`x / \alpha` outside, times the gradient of y.

    Args:
        quant_delay (int): how many calls return `input_x` itself in training. Default: 0.
        neg_trunc (bool): whether values below zero become zero. Default: False.
        training (bool): whether calls are counted for `quant_delay`. Default: True.

    Inputs:
        - **input_x** (Tensor) - any shape.
        - **alpha** (Tensor) - the largest value, one element; at least 1e-6 counts.
        - **quant_max** (Tensor) - the number of steps, one element.

    Outputs:
        Tensor of the shape and type of `input_x`.
    """
    def __init__(self, quant_delay: int = 0, neg_trunc: bool = False, training: bool = True) -> None: ...
    def __call__(self, input_x: Tensor, alpha: Tensor, quant_max: Tensor) -> Tensor: ...

class FakeLearnedScaleQuantPerLayerGrad(Primitive):
    """The gradients of :class:`FakeLearnedScaleQuantPerLayer`.

    Args:
        quant_delay (int): how many calls return `input_x` itself in training. Default: 0.
        neg_trunc (bool): whether values below zero become zero. Default: False.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the values, of one shape.
        - **alpha**, **quant_max** (Tensor) - as there.

    Outputs:
        Tuple of the gradients of `x` and `alpha`.
    """
    def __init__(self, quant_delay: int = 0, neg_trunc: bool = False) -> None: ...
    def __call__(self, dout: Tensor, x: Tensor, alpha: Tensor, quant_max: Tensor) -> tuple[Tensor, Tensor]: ...

class FakeLearnedScaleQuantPerLayerGradD(Primitive):
    """Part of what :class:`FakeLearnedScaleQuantPerLayerGrad` computes, as MindSpore splits it for Ascend.

    The second result is not yet summed.

    Args:
        neg_trunc (bool): whether values below zero become zero. Default: False.
    """
    def __init__(self, neg_trunc: bool = False) -> None: ...
    def __call__(self, dout: Tensor, x: Tensor, alpha: Tensor, quant_max: Tensor) -> tuple[Tensor, Tensor]: ...

class FakeLearnedScaleQuantPerLayerGradDReduce(Primitive):
    """Part of what :class:`FakeLearnedScaleQuantPerLayerGrad` computes, as MindSpore splits it for Ascend.

    It is the sum of all elements, shape (1,).
    """
    def __init__(self) -> None: ...
    def __call__(self, dout_alpha: Tensor) -> Tensor: ...

class FakeQuantPerChannel(Primitive):
    """Values rounded to the steps of an interval for each channel: :class:`FakeQuantPerLayer`.

    Args:
        num_bits (int): 4, 7 or 8. Default: 8.
        ema (bool): accepted for compatibility; :class:`MinMaxUpdatePerLayer` averages.
            Default: False.
        ema_decay (float): as `ema`. Default: 0.999.
        quant_delay (int): how many calls return `x` itself in training. Default: 0.
        symmetric (bool): whether the interval is made symmetric. Default: False.
        narrow_range (bool): whether the least code is 1. Default: False.
        training (bool): whether calls are counted for `quant_delay`. Default: True.
        channel_axis (int): the axis of the channels; 0 for a vector. Default: 1.

    Inputs:
        - **x** (Tensor) - any shape.
        - **min**, **max** (Tensor) - the intervals, shape (C,).

    Outputs:
        Tensor of the shape and type of `x`.
    """
    def __init__(self, num_bits: int = 8, ema: bool = False, ema_decay: float = 0.999, quant_delay: int = 0, symmetric: bool = False, narrow_range: bool = False, training: bool = True, channel_axis: int = 1) -> None: ...
    def __call__(self, x: Tensor, min: Tensor, max: Tensor) -> Tensor: ...

class FakeQuantPerChannelGrad(Primitive):
    """The gradient of :class:`FakeQuantPerChannel`: `dout` where `x` lies within the ends, else 0.

    Args:
        num_bits (int): 4, 7 or 8. Default: 8.
        quant_delay (int): how many calls return `x` itself in training. Default: 0.
        symmetric (bool): whether the interval is made symmetric. Default: False.
        narrow_range (bool): whether the least code is 1. Default: False.
        channel_axis (int): the axis of the channels; 0 for a vector. Default: 1.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the values, of one shape.
        - **min**, **max** (Tensor) - the intervals, shape (C,).

    Outputs:
        Tensor of that shape.
    """
    def __init__(self, num_bits: int = 8, quant_delay: int = 0, symmetric: bool = False, narrow_range: bool = False, channel_axis: int = 1) -> None: ...
    def __call__(self, dout: Tensor, x: Tensor, min: Tensor, max: Tensor) -> Tensor: ...

class FakeQuantPerLayer(Primitive):
    """Values rounded to the steps of one interval, see NOTE Rounding in the module.

    Args:
        num_bits (int): 4, 7 or 8. Default: 8.
        ema (bool): accepted for compatibility; :class:`MinMaxUpdatePerLayer` averages.
            Default: False.
        ema_decay (float): as `ema`. Default: 0.999.
        quant_delay (int): how many calls return `x` itself in training. Default: 0.
        symmetric (bool): whether the interval is made symmetric. Default: False.
        narrow_range (bool): whether the least code is 1. Default: False.
        training (bool): whether calls are counted for `quant_delay`. Default: True.

    Inputs:
        - **x** (Tensor) - any shape.
        - **min**, **max** (Tensor) - the interval, one element each.

    Outputs:
        Tensor of the shape and type of `x`.
    """
    def __init__(self, num_bits: int = 8, ema: bool = False, ema_decay: float = 0.999, quant_delay: int = 0, symmetric: bool = False, narrow_range: bool = False, training: bool = True) -> None: ...
    def __call__(self, x: Tensor, min: Tensor, max: Tensor) -> Tensor: ...

class FakeQuantPerLayerGrad(Primitive):
    """The gradient of :class:`FakeQuantPerLayer`: `dout` where `x` lies within the ends, else 0.

    Args:
        num_bits (int): 4, 7 or 8. Default: 8.
        quant_delay (int): how many calls return `x` itself in training. Default: 0.
        symmetric (bool): whether the interval is made symmetric. Default: False.
        narrow_range (bool): whether the least code is 1. Default: False.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the values, of one shape.
        - **min**, **max** (Tensor) - the interval, one element each.

    Outputs:
        Tensor of that shape.
    """
    def __init__(self, num_bits: int = 8, quant_delay: int = 0, symmetric: bool = False, narrow_range: bool = False) -> None: ...
    def __call__(self, dout: Tensor, x: Tensor, min: Tensor, max: Tensor) -> Tensor: ...

class FakeQuantWithMinMaxVars(Primitive):
    """Values rounded to the steps of an interval, see NOTE Rounding in the module.

    Args:
        num_bits (int): from 2 to 16. Default: 8.
        narrow_range (bool): whether the least code is 1. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.
        - **min**, **max** (Tensor) - the interval, one element each, or one for each element of x.

    Outputs:
        Tensor of the shape and type of `x`.
    """
    def __init__(self, num_bits: int = 8, narrow_range: bool = False) -> None: ...
    def __call__(self, x: Tensor, min: Tensor, max: Tensor) -> Tensor: ...

class FakeQuantWithMinMaxVarsGradient(Primitive):
    """The gradients of :class:`FakeQuantWithMinMaxVars`.

    Args:
        num_bits (int): from 2 to 16. Default: 8.
        narrow_range (bool): whether the least code is 1. Default: False.

    Inputs:
        - **gradients**, **x** (Tensor) - the gradient and the values, of one shape.
        - **min**, **max** (Tensor) - the interval, as there.

    Outputs:
        Tuple of the gradients of `x`, `min` and `max`: each element of `gradients` belongs to
        `x` where it lies within the ends, to `min` where it lies below and to `max` above.
    """
    def __init__(self, num_bits: int = 8, narrow_range: bool = False) -> None: ...
    def __call__(self, gradients: Tensor, x: Tensor, min: Tensor, max: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class FakeQuantWithMinMaxVarsPerChannel(Primitive):
    """Values rounded to the steps of an interval for each index of the last axis.

    See :class:`FakeQuantWithMinMaxVars`.

    Args:
        num_bits (int): from 2 to 16. Default: 8.
        narrow_range (bool): whether the least code is 1. Default: False.

    Inputs:
        - **x** (Tensor) - shape (..., C).
        - **min**, **max** (Tensor) - the intervals, shape (C,).

    Outputs:
        Tensor of the shape and type of `x`.
    """
    def __init__(self, num_bits: int = 8, narrow_range: bool = False) -> None: ...
    def __call__(self, x: Tensor, min: Tensor, max: Tensor) -> Tensor: ...

class FakeQuantWithMinMaxVarsPerChannelGradient(Primitive):
    """The gradients of :class:`FakeQuantWithMinMaxVarsPerChannel`.

    Args:
        num_bits (int): from 2 to 16. Default: 8.
        narrow_range (bool): whether the least code is 1. Default: False.

    Inputs:
        - **gradients**, **x** (Tensor) - the gradient and the values, of one shape.
        - **min**, **max** (Tensor) - the intervals, shape (C,).

    Outputs:
        Tuple of the gradients of `x`, `min` and `max`.
    """
    def __init__(self, num_bits: int = 8, narrow_range: bool = False) -> None: ...
    def __call__(self, gradients: Tensor, x: Tensor, min: Tensor, max: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class FastGeLU(Primitive):
    r"""Fast form of the Gaussian error linear unit: :math:`out_i = x_i \sigma(1.702 x_i)`.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class FastGelu(Primitive):
    r"""Fast form of the Gaussian error linear unit: :math:`out_i = x_i \sigma(1.702 x_i)`.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Fill(Primitive):
    """A tensor of one value and a given type.

    Inputs:
        - **type** (Type) - the type.
        - **shape** (Union[tuple, list]) - the shape.
        - **value** (Union[number, Tensor]) - the value.

    Outputs:
        Tensor of that shape and type.
    """
    def __init__(self) -> None: ...
    def __call__(self, type: Any, shape: Any, value: Any) -> Tensor: ...

class FillDiagonal(Primitive):
    """A copy of a tensor with the main diagonal filled with one value.

    Args:
        fill_value (number): the value.
        wrap (bool): whether the diagonal starts anew below the square part of a tall matrix.
            Default: False.

    Inputs:
        - **input_x** (Tensor) - two or more axes.

    Outputs:
        Tensor of the same shape and type.
    """
    def __init__(self, fill_value: float, wrap: bool = False) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class FillV2(Primitive):
    """A tensor of one value and that value's type.

    Inputs:
        - **shape** (Union[tuple, Tensor]) - the shape.
        - **value** (Tensor) - the value, one element.

    Outputs:
        Tensor of that shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, shape: Any, value: Tensor) -> Tensor: ...

class Fills(Primitive):
    """A tensor like another, filled with one value.

    Inputs:
        - **x** (Tensor) - whose shape and type to take.
        - **value** (Union[number, Tensor]) - the value; a Tensor must be 0-d.

    Outputs:
        A new Tensor.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, value: Tensor | Number) -> Tensor: ...

class FlashAttentionScore(Primitive):
    """Attention of several heads, with the statistics that its gradient needs.

    The inputs and attributes are the arguments of :func:`ops.flash_attention_score`.

    Args:
        head_num (int): the number of heads of `query`.
        keep_prob (float): one minus the probability of zero for attention weights. Default: 1.0.
        scale_value (float): the factor of the scores. Default: 1.0.
        pre_tokens (int): how far back keys count. Default: 2147483647.
        next_tokens (int): how far ahead keys count. Default: 2147483647.
        inner_precise (int): accepted for compatibility. Default: 0.
        input_layout (str): ``"BSH"``, ``"BNSD"``, ``"SBH"``, ``"BSND"`` or ``"TND"``.
            Default: ``"BSH"``.
        sparse_mode (int): which keys count without a mask. Default: 0.

    Inputs:
        - **query** (Tensor) - shape as `input_layout` says.
        - **key** (Tensor) - likewise.
        - **value** (Tensor) - likewise.
        - **real_shift** (Tensor) - added to the scores. Default: None.
        - **drop_mask** (Tensor) - must be None. Default: None.
        - **padding_mask** (Tensor) - must be None. Default: None.
        - **attn_mask** (Tensor) - where nonzero, a score does not count. Default: None.
        - **prefix** (tuple[int]) - must be None. Default: None.
        - **actual_seq_qlen** (tuple[int]) - for TND, where the samples of `query` end. Default: None.
        - **actual_seq_kvlen** (tuple[int]) - the same for `key`. Default: None.

    Outputs:
        tuple of the largest score of each row, the sum of its exponentials (float32, shape
        :math:`(B, N, S_1, 8)`, for TND :math:`(T, N, 8)`), an empty tensor, and the attention.
    """
    def __init__(self, head_num: int, keep_prob: float = 1.0, scale_value: float = 1.0, pre_tokens: int = 2147483647, next_tokens: int = 2147483647, inner_precise: int = 0, input_layout: str = 'BSH', sparse_mode: int = 0) -> None: ...
    def __call__(self, query: Tensor, key: Tensor, value: Tensor, real_shift: Tensor | None = None, drop_mask: Tensor | None = None, padding_mask: Tensor | None = None, attn_mask: Tensor | None = None, prefix: Any = None, actual_seq_qlen: Any = None, actual_seq_kvlen: Any = None) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...

class Flatten(Primitive):
    """Merge all axes but the first; see :func:`ops.flatten`.

    Inputs:
        - **input_x** (Tensor) - any shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class FloatStatus(Primitive):
    """One if an element is nan or infinite, else zero: float32 of shape (1,)."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Floor(Primitive):
    r"""Largest integer that is not above, element by element: :math:`out = \lfloor x \rfloor`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; the type is kept.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class FloorDiv(Primitive):
    r"""Divide and round down: :math:`out_i = \lfloor x_i / y_i \rfloor`.

    Inputs:
        - **x** (Union[Tensor, number, bool]) - the dividend.
        - **y** (Union[Tensor, number, bool]) - the divisor; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | Number, y: Tensor | Number) -> Tensor: ...

class FloorMod(Primitive):
    r"""Remainder of a division that rounds down: :math:`x_i - \lfloor x_i/y_i \rfloor y_i`.

    Inputs:
        - **x** (Union[Tensor, number, bool]) - the dividend.
        - **y** (Union[Tensor, number, bool]) - the divisor; the result has its sign.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | Number, y: Tensor | Number) -> Tensor: ...

class Fmax(Primitive):
    r"""The larger element; a number wins over nan, element by element: :math:`out = \max(x, y)`.

    Inputs:
        - **input** (Union[Tensor, number]) - :math:`x`.
        - **other** (Union[Tensor, number]) - :math:`y`; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class Fmin(Primitive):
    r"""The smaller element; a number wins over nan, element by element: :math:`out = \min(x, y)`.

    Inputs:
        - **input** (Union[Tensor, number]) - :math:`x`.
        - **other** (Union[Tensor, number]) - :math:`y`; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class FractionalAvgPool(Primitive):
    """Means of windows whose sizes are not all equal (see the note on boundaries).

    Args:
        pooling_ratio (list[float]): [1.0, rows, columns, 1.0], how many pixels a window has on
            average; at least 1.0.
        pseudo_random (bool): whether the boundaries are pseudo-random. Default: False.
        overlapping (bool): whether windows share the pixels at their boundaries. Default: False.
        deterministic (bool): whether every call takes the same boundaries. Default: False.
        seed (int): first number of the seed. Default: 0.
        seed2 (int): second number of the seed. Default: 0.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, H, W, C)`: float32, float64, int32 or int64.

    Outputs:
        Tuple of the means, shape :math:`(N, H_{out}, W_{out}, C)`, and the boundaries of
        rows and columns, int64.
    """
    def __init__(self, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False, deterministic: bool = False, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, ...]: ...

class FractionalMaxPool(Primitive):
    """Maxima of windows whose sizes are not all equal (see the note on boundaries).

    Args:
        pooling_ratio (list[float]): [1.0, rows, columns, 1.0], how many pixels a window has on
            average; at least 1.0.
        pseudo_random (bool): whether the boundaries are pseudo-random. Default: False.
        overlapping (bool): whether windows share the pixels at their boundaries. Default: False.
        deterministic (bool): whether every call takes the same boundaries. Default: False.
        seed (int): first number of the seed. Default: 0.
        seed2 (int): second number of the seed. Default: 0.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, H, W, C)`: float32, float64, int32 or int64.

    Outputs:
        Tuple of the maxima, shape :math:`(N, H_{out}, W_{out}, C)`, and the boundaries of
        rows and columns, int64.
    """
    def __init__(self, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False, deterministic: bool = False, seed: int = 0, seed2: int = 0) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, ...]: ...

class FractionalMaxPool3DWithFixedKsize(Primitive):
    """Largest element of windows over three dimensions at positions fixed by given numbers.

    Args:
        ksize (Union[int, tuple[int]]): size of a window.
        output_shape (Union[int, tuple[int]]): depth, height and width of the output.
        data_format (str): ``NCDHW``, or ``NDHWC`` with the channel last. Default: ``"NCDHW"``.

    Inputs:
        - **x** (Tensor) - shape (N, C, D, H, W), or without the batch.
        - **random_samples** (Tensor) - numbers in [0, 1), shape (N, C, 3).

    Outputs:
        Pair of the maxima and their int64 places, counted within each volume.
    """
    def __init__(self, ksize: Any, output_shape: Any, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, x: Tensor, random_samples: Tensor) -> tuple[Tensor, Tensor]: ...

class FractionalMaxPoolWithFixedKsize(Primitive):
    """Largest element of windows over two dimensions at positions fixed by given numbers.

    Args:
        ksize (Union[int, tuple[int]]): size of a window.
        output_shape (Union[int, tuple[int]]): height and width of the output.
        data_format (str): ``NCHW``. Default: ``"NCHW"``.

    Inputs:
        - **input_x** (Tensor) - shape (N, C, H, W).
        - **random_samples** (Tensor) - numbers in [0, 1), shape (N, C, 2).

    Outputs:
        Pair of the maxima and their int64 places, counted within each plane.
    """
    def __init__(self, ksize: Any, output_shape: Any, data_format: str = 'NCHW') -> None: ...
    def __call__(self, input_x: Tensor, random_samples: Tensor) -> tuple[Tensor, Tensor]: ...

class FusedAdaFactor(Primitive):
    r"""One step of AdaFactor.

    .. math::
        R = \beta_2 R + (1 - \beta_2) \mathrm{mean}_{col}(g^2 + \epsilon_1), \quad
        C = \beta_2 C + (1 - \beta_2) \mathrm{mean}_{row}(g^2 + \epsilon_1)

        u = \frac{g}{\sqrt{R C / \mathrm{mean}(R)}}, \quad
        u = \frac{lr \cdot u}{\max(1, RMS(u) / clip)}, \quad
        m = \beta_1 m + (1 - \beta_1) u, \quad
        w = (1 - decay \cdot lr) w - m

    Vectors have one average for each element. Without `enable_first_moment`, u takes the place of
    m; without `enable_weight_decay`, w does not decay. With `enable_scale_parameter` the rate is
    multiplied by :math:`\max(\epsilon_2, RMS(w))`.

    Args:
        enable_scale_parameter (bool): whether steps are in proportion to w. Default: False.
        enable_first_moment (bool): whether steps are averaged. Default: False.
        enable_weight_decay (bool): whether w decays. Default: False.

    Inputs:
        - **epsilon** (tuple) - the two small numbers.
        - **clip_threshold**, **beta1**, **beta2**, **weight_decay**, **learning_rate**
          (Union[float, Tensor]) - numbers.
        - **gradient** (Tensor) - of the parameter's shape.
        - **param**, **exp_avg** (Parameter) - w and m.
        - **exp_avg_sq_row**, **exp_avg_sq_col** (Parameter) - R and C of matrices, without the
          last axis and without the last but one.
        - **exp_avg_sq** (Parameter) - the averages of a vector.

    Outputs:
        `param`.
    """
    def __init__(self, enable_scale_parameter: bool = False, enable_first_moment: bool = False, enable_weight_decay: bool = False) -> None: ...
    def __call__(self, epsilon: Any, clip_threshold: Tensor | Number, beta1: Tensor | Number, beta2: Tensor | Number, weight_decay: Tensor | Number, learning_rate: Tensor | Number, gradient: Tensor, param: Tensor, exp_avg: Tensor, exp_avg_sq_row: Tensor, exp_avg_sq_col: Tensor, exp_avg_sq: Tensor) -> Tensor: ...

class FusedAdaFactorWithGlobalNorm(Primitive):
    """One step of :class:`ops.FusedAdaFactor` with the gradient divided by a norm first.

    Args:
        enable_scale_parameter (bool): whether steps are in proportion to w. Default: False.
        enable_first_moment (bool): whether steps are averaged. Default: False.
        enable_weight_decay (bool): whether w decays. Default: False.

    Inputs:
        - as of :class:`ops.FusedAdaFactor`, then
        - **global_norm** (Union[float, Tensor]) - the divisor of the gradient.

    Outputs:
        `param`.
    """
    def __init__(self, enable_scale_parameter: bool = False, enable_first_moment: bool = False, enable_weight_decay: bool = False) -> None: ...
    def __call__(self, epsilon: Any, clip_threshold: Tensor | Number, beta1: Tensor | Number, beta2: Tensor | Number, weight_decay: Tensor | Number, learning_rate: Tensor | Number, gradient: Tensor, param: Tensor, exp_avg: Tensor, exp_avg_sq_row: Tensor, exp_avg_sq_col: Tensor, exp_avg_sq: Tensor, global_norm: Tensor | Number) -> Tensor: ...

class FusedCastAdamWeightDecay(Primitive):
    """One step of :class:`ops.AdamWeightDecay` with the gradient divided by a norm first.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var** (Parameter) - the variable, float16 or float32.
        - **m**, **v** (Parameter) - the averages, of the same shape and any floating type.
        - **lr**, **beta1**, **beta2**, **epsilon**, **decay** (Union[float, Tensor]) - numbers.
        - **gradient** (Tensor) - of that shape and any floating type.
        - **global_norm** (Union[float, Tensor]) - the divisor of the gradient.

    Outputs:
        Tuple of `var`, `m` and `v`.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, m: Tensor, v: Tensor, lr: Tensor | Number, beta1: Tensor | Number, beta2: Tensor | Number, epsilon: Tensor | Number, decay: Tensor | Number, gradient: Tensor, global_norm: Tensor | Number) -> tuple[Tensor, Tensor, Tensor]: ...

class FusedSparseAdam(Primitive):
    """One step of :class:`ops.Adam` with a gradient that is zero outside of some rows.

    The averages of all rows decay. With `use_nesterov`, the variable changes in the given rows
    only, as observed.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.
        use_nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **var**, **m**, **v** (Parameter) - the variable and the averages, of one shape.
        - **beta1_power**, **beta2_power**, **lr**, **beta1**, **beta2**, **epsilon**
          (Union[float, Tensor]) - numbers.
        - **gradient** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var`, `m` and `v`.
    """
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(self, var: Tensor, m: Tensor, v: Tensor, beta1_power: Tensor | Number, beta2_power: Tensor | Number, lr: Tensor | Number, beta1: Tensor | Number, beta2: Tensor | Number, epsilon: Tensor | Number, gradient: Tensor, indices: Tensor) -> tuple[Tensor, ...]: ...

class FusedSparseFtrl(Primitive):
    """One step of :class:`ops.ApplyFtrl` in some rows; the others and their state stay.

    Args:
        lr (float): the learning rate, above 0.
        l1 (float): strength of the l1 term, at least 0.
        l2 (float): strength of the l2 term, at least 0.
        lr_power (float): at most 0.
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum**, **linear** (Parameter) - the variable and its state, of one shape.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var`, `accum` and `linear`.
    """
    def __init__(self, lr: float, l1: float, l2: float, lr_power: float, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, linear: Tensor, grad: Tensor, indices: Tensor) -> tuple[Tensor, ...]: ...

class FusedSparseLazyAdam(Primitive):
    """One step of :class:`ops.Adam` in some rows; the others and their averages stay.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.
        use_nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **var**, **m**, **v** (Parameter) - the variable and the averages, of one shape.
        - **beta1_power**, **beta2_power**, **lr**, **beta1**, **beta2**, **epsilon**
          (Union[float, Tensor]) - numbers.
        - **gradient** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var`, `m` and `v`.
    """
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(self, var: Tensor, m: Tensor, v: Tensor, beta1_power: Tensor | Number, beta2_power: Tensor | Number, lr: Tensor | Number, beta1: Tensor | Number, beta2: Tensor | Number, epsilon: Tensor | Number, gradient: Tensor, indices: Tensor) -> tuple[Tensor, ...]: ...

class FusedSparseProximalAdagrad(Primitive):
    """One step of :class:`ops.ApplyProximalAdagrad` in some rows; the others stay.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the sum of squares, of one shape.
        - **lr**, **l1**, **l2** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var` and `accum`.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, lr: Tensor | Number, l1: Tensor | Number, l2: Tensor | Number, grad: Tensor, indices: Tensor) -> tuple[Tensor, ...]: ...

class FusedWeightScaleApplyMomentum(Primitive):
    r"""One step of :class:`ops.ApplyMomentum` with decay and scaling of the gradient.

    The gradient counts as :math:`(g + decay \cdot w) \cdot scale`.

    Inputs:
        - **weight_decay**, **loss_scale** (Union[float, Tensor]) - decay and scale; the scale is
          the reciprocal of what the loss was multiplied by.
        - **variable**, **accumulation** (Parameter) - the variable and the momentum's sum.
        - **learning_rate** (Union[float, Tensor]) - a number.
        - **gradient** (Tensor) - of the variable's shape.
        - **momentum** (Union[float, Tensor]) - a number.

    Outputs:
        `variable`.
    """
    def __init__(self) -> None: ...
    def __call__(self, weight_decay: Tensor | Number, loss_scale: Tensor | Number, variable: Tensor, accumulation: Tensor, learning_rate: Tensor | Number, gradient: Tensor, momentum: Tensor | Number) -> Tensor: ...

class GLU(Primitive):
    r"""Gated linear unit.

    The input is halved along an axis into a and b; :math:`out = a \cdot \sigma(b)`.

    ``ops.glu`` as a class: made with `axis`, called with `x`.

    Args:
        axis (int): the axis that is halved. Default: -1.

    Inputs:
        - **x** (Tensor) - floating point, even size along `axis`.

    Outputs:
        Tensor, half as large along `axis`.
    """
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Gamma(Primitive):
    """Gamma variates in the broadcast shape of a shape and the parameters; see `ops.gamma`.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.

    Inputs:
        - **shape** (Union[tuple, list, Tensor]) - the shape; at the call, as the following.
        - **alpha** (Tensor) - the shape parameter, above 0.
        - **beta** (Tensor) - the rate, above 0.

    Outputs:
        Tensor of the common shape, float32.
    """
    def __init__(self, seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, shape: Any, alpha: Tensor, beta: Tensor) -> Tensor: ...

class Gather(Primitive):
    """Slices of a tensor: :math:`out_{.., j.., ..} = params_{.., indices_{j..}, ..}`.

    ``ops.gather`` as a class: made with `batch_dims`, called with `input_params`, `input_indices`,
    `axis`.

    Args:
        batch_dims (int): how many leading axes the two have in common. Default: 0.

    Inputs:
        - **input_params** (Tensor) - the tensor to take from.
        - **input_indices** (Tensor) - integers, any shape; negative ones count from the end.
        - **axis** (int) - the axis the indices belong to.

    Outputs:
        Tensor in which the axis is replaced by the axes of the indices.
    """
    def __init__(self, batch_dims: int = 0) -> None: ...
    def __call__(self, input_params: Tensor, input_indices: Tensor, axis: Any) -> Tensor: ...

class GatherD(Primitive):
    """Single elements along an axis: for axis 0, :math:`out_{ij} = input_{index_{ij}, j}`.

    ``ops.gather_elements`` as a class: called with `x`, `dim`, `index`.

    Inputs:
        - **x** (Tensor) - the tensor to take from.
        - **dim** (int) - the axis.
        - **index** (Tensor) - integers, of the rank of `x`; negative ones count from the end.

    Outputs:
        Tensor of the shape of `index`.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, dim: int, index: Tensor) -> Tensor: ...

class GatherNd(Primitive):
    """Slices at positions given by vectors of indices: :math:`out_i = input_x[indices_i]`.

    Inputs:
        - **input_x** (Tensor) - the tensor to take from.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes of
            `input_x`.

    Outputs:
        Tensor of shape ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor) -> Tensor: ...

class GatherV2(Primitive):
    """Slices of a tensor: :math:`out_{.., j.., ..} = params_{.., indices_{j..}, ..}`.

    ``ops.gather`` as a class: made with `batch_dims`, called with `input_params`, `input_indices`,
    `axis`.

    Args:
        batch_dims (int): how many leading axes the two have in common. Default: 0.

    Inputs:
        - **input_params** (Tensor) - the tensor to take from.
        - **input_indices** (Tensor) - integers, any shape; negative ones count from the end.
        - **axis** (int) - the axis the indices belong to.

    Outputs:
        Tensor in which the axis is replaced by the axes of the indices.
    """
    def __init__(self, batch_dims: int = 0) -> None: ...
    def __call__(self, input_params: Tensor, input_indices: Tensor, axis: Any) -> Tensor: ...

class Gcd(Primitive):
    r"""Greatest common divisor of integers, element by element: :math:`out = \gcd(x, y)`.

    Inputs:
        - **input** (Union[Tensor, number]) - :math:`x`.
        - **other** (Union[Tensor, number]) - :math:`y`; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class GeLU(Primitive):
    """Gaussian error linear unit in its tanh form; see ``ops.gelu``.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Gelu(Primitive):
    """Gaussian error linear unit in its tanh form; see ``ops.gelu``.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Geqrf(Primitive):
    """QR decomposition in LAPACK's form: R above the diagonal, reflections below it.

    Inputs:
        - **input** (Tensor) - shape :math:`(.., M, N)`.

    Outputs:
        Tuple of the matrix and the factors of the reflections.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]: ...

class Ger(Primitive):
    r"""Outer product: :math:`out_{ij} = input_i\, vec2_j`.

    Inputs:
        - **input** (Tensor) - any shape, flattened.
        - **vec2** (Tensor) - any shape, flattened.

    Outputs:
        Tensor of shape (input.size, vec2.size) and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, vec2: Tensor) -> Tensor: ...

class Greater(Primitive):
    """Whether one operand is greater than the other, element by element: :math:`out_i = input_i > other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - the left operand.
        - **other** (Union[Tensor, number, bool]) - the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Outputs:
        Tensor of bool, of the broadcast shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class GreaterEqual(Primitive):
    r"""Whether one operand is at least the other, element by element: :math:`out_i = input_i \ge other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - the left operand.
        - **other** (Union[Tensor, number, bool]) - the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Outputs:
        Tensor of bool, of the broadcast shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class GridSampler2D(Primitive):
    """Read images at the positions of a grid; see ``ops.grid_sample``.

    Args:
        interpolation_mode (str): ``bilinear``, ``nearest`` or ``bicubic``. Default:
            ``"bilinear"``.
        padding_mode (str): ``zeros``, ``border`` or ``reflection``. Default: ``"zeros"``.
        align_corners (bool): whether -1 and 1 are the centers of the end pixels. Default: False.

    Inputs:
        - **input_x** (Tensor) - floating point, shape (N, C, H, W).
        - **grid** (Tensor) - places, of the input's dtype, shape (N, H', W', 2).

    Outputs:
        Tensor of shape (N, C, H', W').
    """
    def __init__(self, interpolation_mode: str = 'bilinear', padding_mode: str = 'zeros', align_corners: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, grid: Tensor) -> Tensor: ...

class GridSampler3D(Primitive):
    """Read volumes at the positions of a grid; see ``ops.grid_sample``.

    Args:
        interpolation_mode (str): ``bilinear`` or ``nearest``. Default: ``"bilinear"``.
        padding_mode (str): ``zeros``, ``border`` or ``reflection``. Default: ``"zeros"``.
        align_corners (bool): whether -1 and 1 are the centers of the end elements. Default:
            False.

    Inputs:
        - **input_x** (Tensor) - floating point, shape (N, C, D, H, W).
        - **grid** (Tensor) - places, of the input's dtype, shape (N, D', H', W', 3).

    Outputs:
        Tensor of shape (N, C, D', H', W').
    """
    def __init__(self, interpolation_mode: str = 'bilinear', padding_mode: str = 'zeros', align_corners: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, grid: Tensor) -> Tensor: ...

class GroupTopk(Primitive):
    """Scores of experts in the best groups; the others become 0.

    The experts lie in groups of equal size; a group counts by the sum of its `k_inner` largest
    scores. `token` is changed.

    Inputs:
        - **token** (Tensor) - scores, shape :math:`(tokens, experts)`.
        - **idx_arr** (Tensor) - the numbers 0, 1, ...; accepted for compatibility.
        - **group_num** (int) - how many groups there are.
        - **k** (int) - how many of them stay.
        - **k_inner** (int) - how many scores of a group count. Default: 1.

    Outputs:
        Tensor, `token` after the change.
    """
    def __init__(self) -> None: ...
    def __call__(self, token: Tensor, idx_arr: Tensor, group_num: int, k: int, k_inner: int = 1) -> Tensor: ...

class HSVToRGB(Primitive):
    """RGB colors of hue, saturation and value.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, H, W, 3)`, floating, numbers in [0, 1] (see the note on
          hue).

    Outputs:
        Tensor like `x`.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class HShrink(Primitive):
    r"""Set small elements to zero: :math:`out_i = x_i` where :math:`|x_i| > \lambda`, else 0.

    ``ops.hardshrink`` as a class: made with `lambd`, called with `input`.

    Args:
        lambd (Union[int, float]): :math:`\lambda`. Default: 0.5.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self, lambd: float = 0.5) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class HSigmoid(Primitive):
    r"""Piecewise linear sigmoid: :math:`out_i = \mathrm{ReLU6}(x_i + 3) / 6`.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class HSwish(Primitive):
    r"""Hard swish: :math:`out_i = x_i \cdot \mathrm{ReLU6}(x_i + 3) / 6`.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class HammingWindow(Primitive):
    """Hamming window; see :func:`ops.hamming_window`.

    Args:
        periodic (bool): whether N is the length, for use in transforms; else N is one less and the
            window symmetric. Default: True.
        alpha (float): see the formula. Default: 0.54.
        beta (float): see the formula. Default: 0.46.
        dtype (Type): the type. Default: float32.
    """
    def __init__(self, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, dtype: Any = ...) -> None: ...
    def __call__(self, length: Any) -> Tensor: ...

class Heaviside(Primitive):
    """Step function: 0 below zero, 1 above, `values` at zero.

    Inputs:
        - **input** (Tensor) - any shape.
        - **values** (Tensor) - the values at zero; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, values: Tensor) -> Tensor: ...

class Histogram(Primitive):
    """Count the elements in intervals of equal width; see :func:`ops.histc`.

    Args:
        bins (int): the number of intervals. Default: 100.
        min (number): the start of the first interval. Default: 0.
        max (number): the end of the last interval; if equal to `min`, both are taken from
            `x`. Default: 0.

    Inputs:
        - **x** (Tensor) - any shape.
    """
    def __init__(self, bins: int = 100, min: float = 0.0, max: float = 0.0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class HistogramFixedWidth(Primitive):
    """Count the elements in intervals of equal width; those outside count in the outer intervals.

    Args:
        nbins (int): the number of intervals, at least 1.
        dtype (str): only ``"int32"``. Default: ``"int32"``.

    Inputs:
        - **x** (Tensor) - numbers, any shape.
        - **range** (Tensor) - the start of the first interval and the end of the last, shape (2,).

    Outputs:
        Tensor of int32, shape (nbins,).
    """
    def __init__(self, nbins: int, dtype: str = 'int32') -> None: ...
    def __call__(self, x: Tensor, range: Tensor) -> Tensor: ...

class Hypot(Primitive):
    r"""Length of the hypotenuse, element by element: :math:`out = \sqrt{x^2 + y^2}`.

    Inputs:
        - **input** (Union[Tensor, number]) - :math:`x`.
        - **other** (Union[Tensor, number]) - :math:`y`; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class IOU(Primitive):
    r"""Overlap of all pairs of boxes: :math:`\frac{|A \cap G|}{|A \cup G|}`.

    ``ops.iou`` as a class: made with `mode`, called with `anchor_boxes`, `gt_boxes`.

    Args:
        mode (str): ``"iou"``; or ``"iof"``, which divides by the area of the second box.
            Default: ``"iou"``.

    Inputs:
        - **anchor_boxes** (Tensor) - shape :math:`(N, 4)`, see the note on boxes.
        - **gt_boxes** (Tensor) - shape :math:`(M, 4)`.

    Outputs:
        Tensor of shape :math:`(M, N)`.
    """
    def __init__(self, mode: str = 'iou') -> None: ...
    def __call__(self, anchor_boxes: Tensor, gt_boxes: Tensor) -> Tensor: ...

class Identity(Primitive):
    """A tensor of the same values.

    Inputs:
        - **input_x** (Tensor) - any tensor.

    Outputs:
        Tensor over the same memory.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class Igamma(Primitive):
    """Regularized lower incomplete gamma function :math:`P(a, x)`.

    Inputs:
        - **input** (Tensor) - :math:`a`, a floating type.
        - **other** (Tensor) - :math:`x`; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, other: Tensor) -> Tensor: ...

class Igammac(Primitive):
    """Regularized upper incomplete gamma function :math:`Q(a, x) = 1 - P(a, x)`.

    Inputs:
        - **input** (Tensor) - :math:`a`, a floating type.
        - **other** (Tensor) - :math:`x`; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, other: Tensor) -> Tensor: ...

class Im2Col(Primitive):
    """Patches of images as columns; see ``ops.unfold``.

    Args:
        ksizes (Union[int, tuple[int], list[int]]): size of a patch.
        strides (Union[int, tuple[int], list[int]]): step from patch to patch. Default: 1.
        dilations (Union[int, tuple[int], list[int]]): distance between its elements. Default: 1.
        pads (Union[int, tuple[int], list[int]]): zeros on both sides. Default: 0.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W).

    Outputs:
        Tensor of shape (N, C, K_h * K_w, patches).
    """
    def __init__(self, ksizes: Any, strides: Any = 1, dilations: Any = 1, pads: Any = 0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Imag(Primitive):
    r"""Imaginary part: :math:`out_i = \Im(input_i)`.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tensor of the same shape; zeros for a real tensor.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class InTopK(Primitive):
    """Whether the target of each row is among its k largest elements.

    ``ops.intopk`` as a class: made with `k`, called with `x1`, `x2`.

    Args:
        k (int): how many count.

    Inputs:
        - **x1** (Tensor) - scores, shape (batch, classes).
        - **x2** (Tensor) - the targets, integers of shape (batch,).

    Outputs:
        Tensor of bool of shape (batch,).
    """
    def __init__(self, k: int) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor) -> Tensor: ...

class IncreFlashAttention(Primitive):
    """Attention of one new position; see :func:`ops.incre_flash_attention`.

    Args:
        num_heads (int): the number of heads of `query`. Default: 1.
        input_layout (str): ``"BSH"`` or ``"BNSD"``. Default: ``"BSH"``.
        scale_value (float): the factor s. Default: 1.0.
        num_key_value_heads (int): the number of heads of `key`; 0 for that of `query`. Default: 0.
        block_size (int): accepted for compatibility: the shape of `key` says it. Default: 0.
        inner_precise (int): accepted for compatibility. Default: 1.

    Inputs:
        - **query** (Tensor) - shape :math:`(B, 1, H)` or :math:`(B, N, 1, D)`.
        - **key** (Union[tuple[Tensor], list[Tensor]]) - one tensor of shape :math:`(B, S, H_2)` or
            :math:`(B, N_2, S, D)`; or one for each sample, with a batch of 1.
        - **value** (Union[tuple[Tensor], list[Tensor]]) - likewise.
        - **attn_mask** (Tensor) - where nonzero, a key does not count: shape :math:`(B, S)`,
            :math:`(B, 1, S)` or :math:`(B, 1, 1, S)`. Default: None.
        - **actual_seq_lengths** (Union[Tensor, tuple[int], list[int]]) - how many keys count, for each
            sample or for all. Default: None.
        - **pse_shift** (Tensor) - added to the scores, shape :math:`(B, N, 1, S)` or
            :math:`(1, N, 1, S)`. Default: None.
        - **dequant_scale1** (Tensor) - must be None. Default: None.
        - **quant_scale1** (Tensor) - must be None. Default: None.
        - **dequant_scale2** (Tensor) - must be None. Default: None.
        - **quant_scale2** (Tensor) - must be None. Default: None.
        - **quant_offset2** (Tensor) - must be None. Default: None.
        - **antiquant_scale** (Tensor) - must be None. Default: None.
        - **antiquant_offset** (Tensor) - must be None. Default: None.
        - **block_table** (Tensor) - where the blocks of each sample lie, shape :math:`(B, M)`; keys and
            values then have shape ``(blocks, block_size, H)`` or ``(blocks, N, block_size, D)``.
            Default: None.
        - **kv_padding_size** (Tensor) - how many keys behind a sample do not count, with
            `actual_seq_lengths`; without room for the sample the result is zero. Default: None.

    Outputs:
        Tensor of the shape and type of `query`.
    """
    def __init__(self, num_heads: int = 1, input_layout: str = 'BSH', scale_value: float = 1.0, num_key_value_heads: int = 0, block_size: int = 0, inner_precise: int = 1) -> None: ...
    def __call__(self, query: Tensor, key: Sequence[Tensor], value: Sequence[Tensor], attn_mask: Tensor | None = None, actual_seq_lengths: Any = None, pse_shift: Tensor | None = None, dequant_scale1: Tensor | None = None, quant_scale1: Tensor | None = None, dequant_scale2: Tensor | None = None, quant_scale2: Tensor | None = None, quant_offset2: Tensor | None = None, antiquant_scale: Tensor | None = None, antiquant_offset: Tensor | None = None, block_table: Tensor | None = None, kv_padding_size: Tensor | None = None) -> Tensor: ...

class IndexAdd(Primitive):
    """Add slices to a parameter along an axis; see :func:`ops.index_add`.

    Args:
        axis (int): the axis.
        use_lock (bool): accepted for compatibility. Default: True.
        check_index_bound (bool): accepted for compatibility; indices are always checked.
            Default: True.

    Inputs:
        - **x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers, 1-D; equal ones are all added.
        - **y** (Tensor) - the slices.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, axis: int, use_lock: bool = True, check_index_bound: bool = True) -> None: ...
    def __call__(self, x: Tensor, indices: Tensor, y: Tensor) -> None: ...

class IndexFill(Primitive):
    """A copy in which slices along an axis are filled with one value.

    Inputs:
        - **x** (Tensor) - the tensor to start from.
        - **axis** (int) - the axis.
        - **index** (Tensor) - integers, 1-D or 0-d.
        - **value** (Union[number, Tensor]) - the value, 0-d if a Tensor.

    Outputs:
        Tensor of the shape and type of `x`.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, axis: Any, index: Tensor, value: Tensor | Number) -> Tensor: ...

class IndexPut(Primitive):
    """A copy of a tensor in which the elements at indices are replaced or added to.

    Args:
        accumulate (int): 1 adds, equal indices several times; 0 replaces. Default: 0.

    Inputs:
        - **x1** (Tensor) - the tensor.
        - **x2** (Tensor) - the new values; the shape broadcasts to that of the indexed elements.
        - **indices** (Union[tuple[Tensor], list[Tensor]]) - integers for each of the leading axes.

    Outputs:
        Tensor of the shape and type of `x1`.
    """
    def __init__(self, accumulate: int = 0) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor, indices: Sequence[Tensor]) -> Tensor: ...

class InplaceAdd(Primitive):
    """A copy of a tensor in which rows are added to; see :func:`ops.inplace_add`.

    Args:
        indices (Union[int, tuple, Tensor]): which rows.

    Inputs:
        - **x** (Tensor) - what to start from; it stays as it is, in spite of the name.
        - **v** (Tensor) - the rows.

    Outputs:
        Tensor of the shape and type of `x`.
    """
    def __init__(self, indices: Any) -> None: ...
    def __call__(self, x: Tensor, v: Tensor) -> Tensor: ...

class InplaceIndexAdd(Primitive):
    """Add slices to a parameter along an axis; see :func:`ops.index_add`.

    Args:
        axis (int): the axis.

    Inputs:
        - **var** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers, 1-D; equal ones are all added.
        - **updates** (Tensor) - the slices.
    """
    def __init__(self, axis: int) -> None: ...
    def __call__(self, var: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class InplaceSub(Primitive):
    """A copy of a tensor in which rows are subtracted from; see :func:`ops.inplace_sub`.

    Args:
        indices (Union[int, tuple, Tensor]): which rows.

    Inputs:
        - **x** (Tensor) - what to start from; it stays as it is, in spite of the name.
        - **v** (Tensor) - the rows.

    Outputs:
        Tensor of the shape and type of `x`.
    """
    def __init__(self, indices: Any) -> None: ...
    def __call__(self, x: Tensor, v: Tensor) -> Tensor: ...

class InplaceUpdate(Primitive):
    """A copy of a tensor in which rows are replaced; see :func:`ops.inplace_update`.

    Args:
        indices (Union[int, tuple, Tensor]): which rows.

    Inputs:
        - **x** (Tensor) - what to start from; it stays as it is, in spite of the name.
        - **v** (Tensor) - the rows.

    Outputs:
        Tensor of the shape and type of `x`.
    """
    def __init__(self, indices: Any) -> None: ...
    def __call__(self, x: Tensor, v: Tensor) -> Tensor: ...

class InplaceUpdateV2(Primitive):
    """A copy of a tensor in which rows are replaced; see :func:`ops.inplace_update`.

    Inputs:
        - **x** (Tensor) - what to start from; it stays as it is, in spite of the name.
        - **indices** (Union[int, tuple, Tensor]) - which rows.
        - **v** (Tensor) - the rows.

    Outputs:
        Tensor of the shape and type of `x`.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, indices: Any, v: Tensor) -> Tensor: ...

class InstanceNorm(Primitive):
    r"""Normalize every channel of every element of a batch by itself.

    .. math::
        out = \frac{x - \mu_{nc}}{\sqrt{\sigma_{nc}^2 + \epsilon}} \gamma + \beta

    Every element has running statistics, :math:`momentum \cdot running + (1 - momentum) \cdot
    current`; `mean` and `variance` become their means over the batch.

    Args:
        epsilon (float): added to the variance, above 0, at most 1. Default: 1e-5.
        momentum (float): share of the old statistics, from 0 to 1. Default: 0.1.

    Inputs:
        - **input_x** (Tensor) - shape (N, C, ...).
        - **gamma** (Parameter) - scale, shape (C,).
        - **beta** (Parameter) - shift, shape (C,).
        - **mean** (Parameter) - running mean, shape (C,); updated.
        - **variance** (Parameter) - running variance, shape (C,); updated, unbiased.

    Outputs:
        Tuple of the output and the running means and variances of every element, shape (N *
        C,).
    """
    def __init__(self, epsilon: float = 1e-05, momentum: float = 0.1) -> None: ...
    def __call__(self, input_x: Tensor, gamma: Tensor, beta: Tensor, mean: Tensor, variance: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class Inv(Primitive):
    """Reciprocal that keeps integers, element by element: :math:`out_i = 1 / x_i`.

    Inputs:
        - **x** (Tensor) - any shape.

    Outputs:
        Tensor of the same shape and type; for integers the quotient truncated to an integer.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Invert(Primitive):
    """Negate every bit, element by element: :math:`out_i = -x_i - 1` for signed integers.

    Inputs:
        - **x** (Tensor) - an integer type or bool.

    Outputs:
        Tensor of the same shape and type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class InvertPermutation(Primitive):
    """The inverse of a permutation: ``out[input_x[i]] == i``.

    Inputs:
        - **input_x** (Union[tuple, list]) - the numbers from 0 on, each once.

    Outputs:
        Tuple of ints.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Any) -> tuple[int, ...]: ...

class IsClose(Primitive):
    r"""Whether elements agree: :math:`|input_i - other_i| \le atol + rtol |other_i|`.

    ``ops.isclose`` as a class: made with `rtol`, `atol`, `equal_nan`, called with `input`, `other`.

    Args:
        rtol (float): relative tolerance. Default: 1e-5.
        atol (float): absolute tolerance. Default: 1e-8.
        equal_nan (bool): whether two nans agree. Default: False.

    Inputs:
        - **input** (Tensor) - the first tensor.
        - **other** (Tensor) - the second; shapes broadcast.

    Outputs:
        Tensor of bool, of the broadcast shape.
    """
    def __init__(self, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> None: ...
    def __call__(self, input: Tensor, other: Tensor) -> Tensor: ...

class IsFinite(Primitive):
    r"""Whether an element is neither infinite nor nan, element by element: :math:`out = |x| < \infty`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; bool.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class IsInf(Primitive):
    r"""Whether an element is infinite, element by element: :math:`out = |x| = \infty`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; bool.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class IsNan(Primitive):
    r"""Whether an element is not a number, element by element: :math:`out = x \text{ is nan}`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; bool.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class KLDivLoss(Primitive):
    """Kullback-Leibler divergence; see ``ops.kl_div``.

    Args:
        reduction (str): ``"mean"``, ``"sum"``, ``"none"`` or ``"batchmean"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - log probabilities of any shape.
        - **labels** (Tensor) - probabilities of the same shape.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `logits`.
    """
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...

class L2Loss(Primitive):
    r"""Half of the sum of squares: :math:`out = \sum x_i^2 / 2`.

    Inputs:
        - **input_x** (Tensor) - floating point, any shape.

    Outputs:
        Tensor without dimensions.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class L2Normalize(Primitive):
    r"""Divide by the Euclidean norm along an axis.

    :math:`out = x / \sqrt{\max(\sum x^2, \epsilon)}`.

    Args:
        axis (Union[int, tuple[int]]): the axis. Default: 0.
        epsilon (float): least value under the root. Default: 1e-4.

    Inputs:
        - **x** (Tensor) - floating point, rank 1 or more.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self, axis: Any = 0, epsilon: float = 0.0001) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class LARSUpdate(Primitive):
    r"""The gradient scaled by LARS.

    .. math::
        \lambda = \theta \frac{\|w\|}{\|g\| + decay \|w\| + \epsilon}, \quad
        g' = \lambda (g + decay \cdot w)

    Where a norm is zero, :math:`\lambda` is 1. With `use_clip`, :math:`\min(\lambda / lr, 1)`
    takes its place.

    Args:
        epsilon (float): added to the denominator. Default: 1e-5.
        hyperpara (float): the trust coefficient, theta. Default: 0.001.
        use_clip (bool): whether the rate may not grow. Default: False.

    Inputs:
        - **weight**, **gradient** (Tensor) - w and g, of one shape.
        - **norm_weight**, **norm_gradient** (Tensor) - the sums of their squares, one element.
        - **weight_decay**, **learning_rate** (Union[float, Tensor]) - numbers.

    Outputs:
        Tensor, the new gradient. Nothing is written.
    """
    def __init__(self, epsilon: float = 1e-05, hyperpara: float = 0.001, use_clip: bool = False) -> None: ...
    def __call__(self, weight: Tensor, gradient: Tensor, norm_weight: Tensor, norm_gradient: Tensor, weight_decay: Tensor | Number, learning_rate: Tensor | Number) -> Tensor: ...

class LRN(Primitive):
    r"""Local response normalization across channels.

    .. math:: out_c = x_c \Big/ \Big(bias + \alpha \sum_{|k - c| \le radius} x_k^2\Big)^\beta

    ``ops.lrn`` as a class: made with `depth_radius`, `bias`, `alpha`, `beta`, `norm_region`, called
    with `x`.

    Args:
        depth_radius (int): number of neighboring channels on each side. Default: 5.
        bias (float): added to the sum. Default: 1.0.
        alpha (float): factor of the sum. Default: 1.0.
        beta (float): exponent. Default: 0.5.
        norm_region (str): ``ACROSS_CHANNELS``. Default: ``"ACROSS_CHANNELS"``.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, C, H, W)`.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5, norm_region: str = 'ACROSS_CHANNELS') -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class LSTM(Primitive):
    r"""One layer of a long short-term memory, with all weights in one tensor.

    Args:
        input_size (int): the number of features of the input.
        hidden_size (int): the number of features of the states.
        num_layers (int): must be 1.
        has_bias (bool): whether `w` has biases.
        bidirectional (bool): must be False.
        dropout (float): between layers, so without effect on one.
        proj_size (int): must be 0. Default: 0.

    Inputs:
        - **input** (Tensor) - shape :math:`(T, N, input\_size)`.
        - **h** (Tensor) - the initial hidden state, shape :math:`(1, N, hidden\_size)`.
        - **c** (Tensor) - the initial cell state of the same shape.
        - **w** (Tensor) - the weights of the input, those of the hidden state, and with `has_bias` one
            bias, or the biases of both, row by row, in any shape.

    Outputs:
        tuple of the outputs, the last hidden state, the last cell state, and two tensors
        without elements in place of the kernel's memory.
    """
    def __init__(self, input_size: int, hidden_size: int, num_layers: int, has_bias: bool, bidirectional: bool, dropout: float, proj_size: int = 0) -> None: ...
    def __call__(self, input: Tensor, h: Tensor, c: Tensor, w: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]: ...

class LambApplyOptimizerAssign(Primitive):
    r"""The averages of LAMB, and the direction of its step.

    .. math::
        m = \beta_1 m + s_1 g, \quad
        v = \beta_2 v + s_2 g^2, \quad
        update = \frac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \epsilon}
            + flag \cdot decay \cdot w

    Inputs:
        - **gradient** (Tensor) - the gradient.
        - **v**, **m** (Parameter) - the averages, which are written.
        - **var** (Tensor) - the variable w, of the same shape.
        - **beta1**, **sub1**, **beta2**, **sub2**, **epsilon**, **steps**, **decay_flag**,
          **weight_decay** (Union[float, Tensor]) - numbers; `sub1` and `sub2` are 1 less the
          decays, `steps` is t.

    Outputs:
        Tuple of the update, `v` and `m`.
    """
    def __init__(self) -> None: ...
    def __call__(self, gradient: Tensor, v: Tensor, m: Tensor, var: Tensor, beta1: Tensor | Number, sub1: Tensor | Number, beta2: Tensor | Number, sub2: Tensor | Number, epsilon: Tensor | Number, steps: Tensor | Number, decay_flag: Tensor | Number, weight_decay: Tensor | Number) -> tuple[Tensor, Tensor, Tensor]: ...

class LambApplyWeightAssign(Primitive):
    r"""The step of LAMB: :math:`w = w - lr \frac{\|w\|}{\|u\|} u`.

    Where a norm is zero, the quotient is 1.

    Inputs:
        - **w_norm**, **g_norm**, **lr** (Union[float, Tensor]) - both norms and the rate.
        - **update** (Tensor) - u, the direction.
        - **var** (Parameter) - the variable w, of the same shape, which is written.

    Outputs:
        `var`.
    """
    def __init__(self) -> None: ...
    def __call__(self, w_norm: Tensor | Number, g_norm: Tensor | Number, lr: Tensor | Number, update: Tensor, var: Tensor) -> Tensor: ...

class LayerNorm(Primitive):
    r"""Normalize over the trailing axes of every sample.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot \gamma + \beta

    Args:
        begin_norm_axis (int): the first axis of the normalized part. Default: 1.
        begin_params_axis (int): the first axis of scale and shift. Default: 1.
        epsilon (float): :math:`\epsilon`. Default: 1e-7.

    Inputs:
        - **input_x** (Tensor) - floating point, any shape.
        - **gamma** (Tensor) - scale, of the input's shape from `begin_params_axis` on.
        - **beta** (Tensor) - shift, of the same shape.

    Outputs:
        Tuple of the output, the mean and the variance (the normalized axes have size 1); the
        latter two are float32 for half types, and without gradient.
    """
    def __init__(self, begin_norm_axis: int = 1, begin_params_axis: int = 1, epsilon: float = 1e-07) -> None: ...
    def __call__(self, input_x: Tensor, gamma: Tensor, beta: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class Lcm(Primitive):
    r"""Least common multiple of integers, element by element: :math:`out = \operatorname{lcm}(x, y)`.

    Inputs:
        - **input** (Union[Tensor, number]) - :math:`x`.
        - **other** (Union[Tensor, number]) - :math:`y`; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class LeftShift(Primitive):
    r"""Shift bits to the left, element by element: :math:`out = input \cdot 2^{other}`.

    Inputs:
        - **input** (Union[Tensor, int]) - an integer type.
        - **other** (Union[Tensor, int]) - the number of places; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class Lerp(Primitive):
    """Interpolate: :math:`out_i = input_i + weight_i (end_i - input_i)`.

    Inputs:
        - **input** (Tensor) - the values at weight 0, of a floating type.
        - **end** (Tensor) - the values at weight 1.
        - **weight** (Union[Tensor, float]) - the weight; shapes broadcast.

    Outputs:
        Tensor of the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, end: Tensor, weight: Tensor | Number) -> Tensor: ...

class LerpScalar(Primitive):
    """Interpolate: :math:`out_i = input_i + weight_i (end_i - input_i)`.

    Inputs:
        - **input** (Tensor) - the values at weight 0, of a floating type.
        - **end** (Tensor) - the values at weight 1.
        - **weight** (Union[Tensor, float]) - the weight; shapes broadcast.

    Outputs:
        Tensor of the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, end: Tensor, weight: Tensor | Number) -> Tensor: ...

class Less(Primitive):
    """Whether one operand is less than the other, element by element: :math:`out_i = input_i < other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - the left operand.
        - **other** (Union[Tensor, number, bool]) - the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Outputs:
        Tensor of bool, of the broadcast shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class LessEqual(Primitive):
    r"""Whether one operand is at most the other, element by element: :math:`out_i = input_i \le other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - the left operand.
        - **other** (Union[Tensor, number, bool]) - the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Outputs:
        Tensor of bool, of the broadcast shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class Lgamma(Primitive):
    r"""Logarithm of the absolute value of the gamma function, element by element: :math:`out = \ln |\Gamma(x)|`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class LinSpace(Primitive):
    """Numbers that divide an interval evenly: :math:`start + i (end - start) / (steps - 1)`.

    Inputs:
        - **start** (Union[number, Tensor]) - the first number.
        - **end** (Union[number, Tensor]) - the last.
        - **steps** (int) - how many.

    Outputs:
        Tensor of shape (steps,), float32 (float64 if an end is a float64 Tensor).
    """
    def __init__(self) -> None: ...
    def __call__(self, start: Tensor | Any, end: Tensor | Any, steps: Any) -> Tensor: ...

class ListDiff(Primitive):
    """The elements of `x` that are not in `y`, in order, and their indices.

    Args:
        out_idx (Type): the type of the indices, int32 or int64. Default: int32.

    Inputs:
        - **x** (Tensor) - 1-D.
        - **y** (Tensor) - 1-D, of the same type.

    Outputs:
        Tuple of two 1-D Tensors: the elements and their indices in `x`.
    """
    def __init__(self, out_idx: Any = ...) -> None: ...
    def __call__(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]: ...

class Load(Primitive):
    """The value of a parameter; what stands behind it orders MindSpore's graphs.

    Inputs:
        - **variable** (Parameter) - the parameter.
        - **u** - taken and not used.

    Outputs:
        Tensor, the value.
    """
    def __init__(self) -> None: ...
    def __call__(self, variable: Tensor, u: Any = None) -> Tensor: ...

class LoadIm2Col(Primitive):
    """Patches of images as a matrix in blocks of 16 by 16.

    Rows are patches, columns are in the order (C / 16, kernel height, kernel width, 16). There are
    as many patches as pixels, divided by the stride and rounded up.

    Args:
        ksizes (tuple): height and width of the kernel.
        strides (tuple): the distance of patches.
        pad_mode (str): must be ``"same"``. Default: ``"same"``.
        dilates (tuple): accepted for compatibility; patches are dense. Default: (1, 1, 1, 1).

    Inputs:
        - **x1** (Tensor) - shape (N, C, H, W); C a multiple of 16.

    Outputs:
        Tensor of shape (N, m / 16, K / 16, 16, 16) with m patches of an image and K columns,
        or of shape (N * m / 16, K / 16, 16, 16) where m is not a multiple of 16.
    """
    def __init__(self, ksizes: Any, strides: Any, pad_mode: str = 'same', dilates: Any = ...) -> None: ...
    def __call__(self, x1: Tensor) -> Tensor: ...

class Log(Primitive):
    r"""Natural logarithm, element by element: :math:`out = \ln x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Log1p(Primitive):
    r"""Natural logarithm of one plus the input, exact near zero, element by element: :math:`out = \ln(1 + x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class LogMatrixDeterminant(Primitive):
    """Sign and logarithm of the absolute value of the determinant; see :func:`ops.slogdet`.

    Inputs:
        - **input** (Tensor) - shape :math:`(.., N, N)`.

    Outputs:
        Tuple of two Tensors of shape :math:`(..)`.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]: ...

class LogNormalReverse(Primitive):
    r"""Log-normal numbers in the shape of a tensor: :math:`e^{z \cdot std + mean}`, z normal.

    Args:
        mean (float): the mean of the logarithm. Default: 1.0.
        std (float): the standard deviation of the logarithm. Default: 2.0.

    Inputs:
        - **x** (Tensor) - gives shape and type; floating; at the call.

    Outputs:
        Tensor like `x`.
    """
    def __init__(self, mean: Any = 1.0, std: Any = 2.0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class LogSoftmax(Primitive):
    r"""Logarithm of the softmax along an axis: :math:`out_i = x_i - \ln \sum_j e^{x_j}`.

    ``ops.log_softmax`` as a class: made with `axis`, called with `logits`.

    Args:
        axis (int): the axis. Default: -1.

    Inputs:
        - **logits** (Tensor) - floating point, rank 1 or more.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, logits: Tensor) -> Tensor: ...

class LogSoftmaxExt(Primitive):
    """Logarithm of the softmax along a dimension; see ``ops.log_softmax``.

    Args:
        dtype (mindspore.dtype): the input is cast to it first. Default: None.

    Inputs:
        - **input** (Tensor) - floating point.
        - **dim** (int) - the dimension. Default: None: 0 for inputs of rank 1 or 3, otherwise 1.

    Outputs:
        Tensor of the input's shape.
    """
    def __init__(self, dtype: Any = None) -> None: ...
    def __call__(self, input: Tensor, dim: Any = None) -> Tensor: ...

class LogSpace(Primitive):
    """Powers whose exponents divide an interval evenly; see :func:`ops.logspace`.

    Args:
        steps (int): how many. Default: 10.
        base (int): the base, not negative. Default: 10.
        dtype (Type): the type. Default: float32.

    Inputs:
        - **start** (Union[number, Tensor]) - the first exponent.
        - **end** (Union[number, Tensor]) - the last.

    Outputs:
        Tensor of shape (steps,).
    """
    def __init__(self, steps: int = 10, base: int = 10, dtype: Any = ...) -> None: ...
    def __call__(self, start: Any, end: Any) -> Tensor: ...

class LogUniformCandidateSampler(Primitive):
    """Classes for a sampled loss, low ones frequent; see `ops.log_uniform_candidate_sampler`.

    Args:
        num_true (int): target classes for each element of the batch. Default: 1.
        num_sampled (int): how many classes to sample. Default: 5.
        unique (bool): whether no class is sampled twice. Default: True.
        range_max (int): the number of classes. Default: 5.
        seed (int): at least 0. Default: 0.

    Inputs:
        - **true_classes** (Tensor) - int32 or int64, of shape (batch, num_true); at the call.

    Outputs:
        Three tensors: sampled classes, expected counts of the targets, of the samples.
    """
    def __init__(self, num_true: Any = 1, num_sampled: Any = 5, unique: Any = True, range_max: Any = 5, seed: Any = 0) -> None: ...
    def __call__(self, true_classes: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class LogicalAnd(Primitive):
    r"""Logical and, element by element: :math:`out_i = input_i \land other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - true where it is not zero.
        - **other** (Union[Tensor, number, bool]) - likewise; shapes broadcast.

    Outputs:
        Tensor of bool, of the broadcast shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number = ..., *, y: Any = ...) -> Tensor: ...

class LogicalNot(Primitive):
    r"""Logical negation, element by element: :math:`out = \lnot x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; bool.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class LogicalOr(Primitive):
    r"""Logical or, element by element: :math:`out_i = input_i \lor other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - true where it is not zero.
        - **other** (Union[Tensor, number, bool]) - likewise; shapes broadcast.

    Outputs:
        Tensor of bool, of the broadcast shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number = ..., *, y: Any = ...) -> Tensor: ...

class LogicalXor(Primitive):
    r"""Logical exclusive or, element by element: :math:`out_i = input_i \oplus other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - true where it is not zero.
        - **other** (Union[Tensor, number, bool]) - likewise; shapes broadcast.

    Outputs:
        Tensor of bool, of the broadcast shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number = ..., *, y: Any = ...) -> Tensor: ...

class Logit(Primitive):
    """Inverse of the logistic function; a negative `eps` means none. See :func:`ops.logit`.

    Args:
        eps (float): the elements are first bounded to [eps, 1 - eps]. Default: -1.0.

    Inputs:
        - **input** (Tensor) - a floating type, any shape.

    Outputs:
        Tensor of the same shape; integers give float32.
    """
    def __init__(self, eps: float = -1.0) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class LowerBound(Primitive):
    """In each row, the index of the first element that is not less than a value; see :func:`ops.searchsorted`.

    Args:
        out_type (Type): the type of the result, int32 or int64. Default: int32.

    Inputs:
        - **sorted_x** (Tensor) - shape (rows, N), ascending in each row.
        - **values** (Tensor) - shape (rows, M).

    Outputs:
        Tensor of `out_type`, of the shape of `values`.
    """
    def __init__(self, out_type: Any = ...) -> None: ...
    def __call__(self, sorted_x: Tensor, values: Tensor) -> Tensor: ...

class LpNorm(Primitive):
    r"""Norm along axes, with a least value: :math:`\max((\sum |x|^p)^{1/p}, \epsilon)`.

    Args:
        axis (Union[int, tuple, list]): the axes.
        p (int): which norm. Default: 2.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.
        epsilon (float): the least value. Default: 1e-12.

    Inputs:
        - **input** (Tensor) - a floating type.

    Outputs:
        Tensor.
    """
    def __init__(self, axis: Any, p: int = 2, keep_dims: bool = False, epsilon: float = 1e-12) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Lstsq(Primitive):
    r"""Least squares: minimize :math:`\|matrix \cdot X - rhs\|_2`; see :func:`ops.lstsq`.

    Args:
        fast (bool): accepted, without effect. Default: True.
        l2_regularizer (float): accepted, without effect. Default: 0.0.

    Inputs:
        - **matrix** (Tensor) - shape :math:`(M, N)`, of full rank.
        - **rhs** (Tensor) - shape :math:`(M, K)` or :math:`(M,)`, of the same type.

    Outputs:
        Tensor of shape :math:`(N, K)`, K = 1 for a vector.
    """
    def __init__(self, fast: bool = True, l2_regularizer: float = 0.0) -> None: ...
    def __call__(self, matrix: Tensor, rhs: Tensor) -> Tensor: ...

class LuSolve(Primitive):
    """Solution of linear equations from an LU decomposition; see :func:`ops.lu_solve`.

    Inputs:
        - **x** (Tensor) - the right side, shape :math:`(.., N, K)`.
        - **lu_data** (Tensor) - L and U in one matrix, shape :math:`(.., N, N)`.
        - **lu_pivots** (Tensor) - the row exchanges, counted from 1, shape :math:`(.., N)`.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, lu_data: Tensor, lu_pivots: Tensor) -> Tensor: ...

class LuUnpack(Primitive):
    """The factors of an LU decomposition; see :func:`ops.lu_unpack`.

    Args:
        unpack_data (bool): whether to give L and U, else empty tensors. Default: True.
        unpack_pivots (bool): whether to give P, else an empty tensor. Default: True.

    Inputs:
        - **lu_data** (Tensor) - L and U in one matrix, shape :math:`(.., M, N)`.
        - **lu_pivots** (Tensor) - the row exchanges, counted from 1.
    """
    def __init__(self, unpack_data: bool = True, unpack_pivots: bool = True) -> None: ...
    def __call__(self, lu_data: Tensor, lu_pivots: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class MapCacheIdx(Primitive):
    """The positions of embedding rows in a cache; missing rows get those of old ones.

    `hashmap` is changed: it holds, for each place of a hash table, the row, its place in the
    cache, the step of its last use and a tag (0: empty, else one more than the distance from where
    the row's hash puts it). Rows used at `step` - 1 or later keep their places.

    Inputs:
        - **hashmap** (Parameter) - shape :math:`(length, 4)`, integers.
        - **indices** (Tensor) - the rows wanted.
        - **step** (Union[Tensor, int]) - the number of this step.
        - **emb_max_num** (Union[Tensor, int]) - how many rows there are.
        - **offset** (Union[Tensor, int]) - what is subtracted from `indices`.

    Outputs:
        Tuple of the places in the cache (-1 for rows that do not exist), the rows that lost
        their places, the rows that were missing, and the places that changed hands.
    """
    def __init__(self) -> None: ...
    def __call__(self, hashmap: Tensor, indices: Tensor, step: Any, emb_max_num: Any, offset: Any) -> tuple[Tensor, Tensor, Tensor, Tensor]: ...

class MapUniform(Primitive):
    r"""Keys spread evenly over groups: :math:`key \bmod groups \cdot size + key // groups`.

    Inputs:
        - **input** (Tensor) - the keys, integers.
        - **per_group_size** (int) - the size of a group.
        - **group_num** (int) - the number of groups.

    Outputs:
        Tensor like `input`.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, per_group_size: int, group_num: int) -> Tensor: ...

class MaskedFill(Primitive):
    """The tensor with one value where a mask is true.

    Inputs:
        - **input_x** (Tensor) - any shape.
        - **mask** (Tensor) - bool, of a shape that broadcasts with `input_x`.
        - **value** (Union[number, Tensor]) - the value, 0-d if a Tensor.

    Outputs:
        Tensor of the broadcast shape and the type of `input_x`.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, mask: Tensor, value: Tensor | Number) -> Tensor: ...

class MaskedScatter(Primitive):
    """The tensor with the elements of another, in order, where a mask is true.

    Inputs:
        - **input** (Tensor) - any shape.
        - **mask** (Tensor) - bool, of a shape that broadcasts with `input`.
        - **source** (Tensor) - at least as many elements as the mask has true ones.

    Outputs:
        Tensor.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, mask: Tensor, source: Tensor) -> Tensor: ...

class MaskedSelect(Primitive):
    """The elements where a mask is true, as a vector.

    Inputs:
        - **input** (Tensor) - any shape.
        - **mask** (Tensor) - bool, of a shape that broadcasts with `input`.

    Outputs:
        Tensor with one axis; its size depends on the values of `mask`.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, mask: Tensor) -> Tensor: ...

class MatMul(Primitive):
    """Product of two matrices, either of which may be transposed first.

    Args:
        transpose_a (bool): whether to transpose `input`. Default: False.
        transpose_b (bool): whether to transpose `mat2`. Default: False.

    Inputs:
        - **input** (Tensor) - shape :math:`(N, K)`.
        - **mat2** (Tensor) - shape :math:`(K, M)`, of the same type.

    Outputs:
        Tensor of shape :math:`(N, M)`.
    """
    def __init__(self, transpose_a: bool = False, transpose_b: bool = False) -> None: ...
    def __call__(self, input: Tensor, mat2: Tensor) -> Tensor: ...

class MatrixBandPart(Primitive):
    """Matrices with zeros outside of a band around the main diagonal.

    Inputs:
        - **x** (Tensor) - two axes or more.
        - **lower** (Union[int, Tensor]) - how many diagonals below to keep, all if negative.
        - **upper** (Union[int, Tensor]) - how many above, all if negative.

    Outputs:
        Tensor of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, lower: Any, upper: Any) -> Tensor: ...

class MatrixDeterminant(Primitive):
    """Determinant of square matrices.

    Inputs:
        - **input** (Tensor) - shape :math:`(.., N, N)`.

    Outputs:
        Tensor of shape :math:`(..)`.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class MatrixDiagPartV3(Primitive):
    """Diagonals of matrices.

    ``ops.matrix_diag_part`` as a class: made with `align`, called with `x`, `k`, `padding_value`.

    Args:
        align (str): where they stand, see :func:`ops.matrix_diag`. Default: ``"RIGHT_LEFT"``.

    Inputs:
        - **x** (Tensor) - shape (.., rows, columns).
        - **k** (Union[int, tuple, Tensor]) - which diagonal, or the lowest and the highest.
        - **padding_value** (Union[number, Tensor]) - what fills up shorter diagonals.

    Outputs:
        Tensor of shape (.., number of diagonals, length), the highest first; (.., length) for
        one.
    """
    def __init__(self, align: str = 'RIGHT_LEFT') -> None: ...
    def __call__(self, x: Tensor, k: Any, padding_value: Any) -> Tensor: ...

class MatrixDiagV3(Primitive):
    """Matrices with given diagonals.

    ``ops.matrix_diag`` as a class: made with `align`, called with `x`, `k`, `num_rows`, `num_cols`,
    `padding_value`.

    Args:
        align (str): where shorter diagonals stand in `x`: those above the main one, then those
            below it. Default: ``"RIGHT_LEFT"``.

    Inputs:
        - **x** (Tensor) - the diagonals, the highest first: shape (.., number of diagonals, length), or
            (.., length) for one.
        - **k** (Union[int, tuple, Tensor]) - which diagonal, or the lowest and the highest.
        - **num_rows** (Union[int, Tensor]) - rows of the matrices, -1 for as few as fit.
        - **num_cols** (Union[int, Tensor]) - columns of the matrices, likewise.
        - **padding_value** (Union[number, Tensor]) - the other elements.

    Outputs:
        Tensor of shape (.., rows, columns).
    """
    def __init__(self, align: str = 'RIGHT_LEFT') -> None: ...
    def __call__(self, x: Tensor, k: Any, num_rows: Any, num_cols: Any, padding_value: Any) -> Tensor: ...

class MatrixExp(Primitive):
    r"""Exponential of square matrices: :math:`\sum_k input^k / k!`.

    Inputs:
        - **input** (Tensor) - shape :math:`(.., N, N)`.

    Outputs:
        Tensor of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class MatrixInverse(Primitive):
    """Inverse of square matrices; see :func:`ops.inverse`.

    Args:
        adjoint (bool): whether to return the conjugate transpose of the inverse. Default: False.

    Inputs:
        - **x** (Tensor) - shape :math:`(.., N, N)`.

    Outputs:
        Tensor of the same shape.
    """
    def __init__(self, adjoint: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class MatrixLogarithm(Primitive):
    """Principal logarithms of square matrices, the inverse of the matrix exponential.

    Inputs:
        - **x** (Tensor) - complex64 or complex128, shape :math:`(.., M, M)`; no eigenvalue may be
          zero or negative real.

    Outputs:
        Tensor like `x`.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class MatrixPower(Primitive):
    """Power of square matrices: :math:`input^n`, of the inverse if n is negative.

    ``ops.matrix_power`` as a class: made with `n`, called with `x`.

    Args:
        n (int): the exponent.

    Inputs:
        - **x** (Tensor) - shape :math:`(.., N, N)`; integers for n of 0 and above.

    Outputs:
        Tensor of the same shape.
    """
    def __init__(self, n: int) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class MatrixSetDiagV3(Primitive):
    """Copies of matrices with other diagonals.

    ``ops.matrix_set_diag`` as a class: made with `align`, called with `x`, `diagonal`, `k`.

    Args:
        align (str): see :func:`ops.matrix_diag`. Default: ``"RIGHT_LEFT"``.

    Inputs:
        - **x** (Tensor) - shape (.., rows, columns).
        - **diagonal** (Tensor) - the diagonals, laid out as :func:`ops.matrix_diag_part` gives them.
        - **k** (Union[int, tuple, Tensor]) - which diagonal, or the lowest and the highest.

    Outputs:
        Tensor of the shape and type of `x`.
    """
    def __init__(self, align: str = 'RIGHT_LEFT') -> None: ...
    def __call__(self, x: Tensor, diagonal: Tensor, k: Any) -> Tensor: ...

class MatrixSolve(Primitive):
    r"""Solution of linear equations: :math:`matrix \cdot out = rhs`.

    ``ops.matrix_solve`` as a class: made with `adjoint`, called with `matrix`, `rhs`.

    Args:
        adjoint (bool): whether the conjugate transpose of `matrix` is meant. Default: False.

    Inputs:
        - **matrix** (Tensor) - shape :math:`(.., N, N)`.
        - **rhs** (Tensor) - shape :math:`(.., N, K)`, of the same type.

    Outputs:
        Tensor of shape :math:`(.., N, K)`.
    """
    def __init__(self, adjoint: bool = False) -> None: ...
    def __call__(self, matrix: Tensor, rhs: Tensor) -> Tensor: ...

class MatrixSolveLs(Primitive):
    r"""Least squares: the X for which :math:`\|A X - B\|^2 + \lambda \|X\|^2` is smallest.

    Args:
        fast (bool): whether to solve the normal equations; otherwise the solution of least norm is
            found by singular values, and the penalty does not count. Default: True.

    Inputs:
        - **matrix** (Tensor) - A, shape :math:`(.., M, N)`: float32, float64 or complex.
        - **rhs** (Tensor) - B, shape :math:`(.., M, K)`, in the type of `matrix`.
        - **l2_regularizer** (Union[Tensor, float]) - the penalty's factor.

    Outputs:
        Tensor of shape :math:`(.., N, K)`.
    """
    def __init__(self, fast: bool = True) -> None: ...
    def __call__(self, matrix: Tensor, rhs: Tensor, l2_regularizer: Tensor | float) -> Tensor: ...

class MatrixTriangularSolve(Primitive):
    r"""Solution of triangular equations: :math:`matrix \cdot out = rhs`.

    Args:
        lower (bool): whether the lower triangle is meant, else the upper. Default: True.
        adjoint (bool): whether the conjugate transpose of `matrix` is meant. Default: False.

    Inputs:
        - **matrix** (Tensor) - shape :math:`(.., N, N)`; the other triangle does not count.
        - **rhs** (Tensor) - shape :math:`(.., N, K)`, of the same type.

    Outputs:
        Tensor of shape :math:`(.., N, K)`.
    """
    def __init__(self, lower: bool = True, adjoint: bool = False) -> None: ...
    def __call__(self, matrix: Tensor, rhs: Tensor) -> Tensor: ...

class MaxPool(Primitive):
    """Largest element of every window over two dimensions; see ``nn.MaxPool2d``.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        strides (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` or ``same``, in any case of letters. Default: ``"valid"``.
        data_format (str): ``NCHW`` or ``NHWC``. Default: ``"NCHW"``.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W), or (N, H, W, C) in format NHWC.

    Outputs:
        Tensor of the maxima.
    """
    def __init__(self, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = 'valid', data_format: str = 'NCHW') -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class MaxPool3D(Primitive):
    """Largest element of every window over three dimensions; see ``nn.MaxPool3d``.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        strides (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid``, ``same`` or ``pad``, in any case of letters. Default:
            ``"VALID"``.
        pad_list (Union[int, tuple[int]]): minus infinity on both sides, in mode ``pad``; one
            number, three, or one for each side. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count, in mode ``pad``. Default:
            None, False.
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.

    Inputs:
        - **x** (Tensor) - shape (N, C, D, H, W).

    Outputs:
        Tensor of the maxima.
    """
    def __init__(self, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = 'VALID', pad_list: Any = 0, ceil_mode: bool | None = None, data_format: str = 'NCDHW') -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class MaxPool3DWithArgmax(Primitive):
    """Largest element of every window over three dimensions, and its index.

    Args:
        ksize (Union[int, tuple[int]]): size of the window.
        strides (Union[int, tuple[int]]): step of the window.
        pads (Union[int, tuple[int]]): minus infinity on both sides, at most half the window.
        dilation (Union[int, tuple[int]]): distance between the elements of a window. Default:
            (1, 1, 1).
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.
        argmax_type (mindspore.dtype): type of the places, ``int32`` or ``int64``. Default:
            ``int64``.

    Inputs:
        - **x** (Tensor) - shape (N, C, D, H, W).

    Outputs:
        Pair of the maxima and their indices, counted within each volume.
    """
    def __init__(self, ksize: Any, strides: Any, pads: Any, dilation: Any = ..., ceil_mode: bool = False, data_format: str = 'NCDHW', argmax_type: Any = 'int64') -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

class MaxPoolWithArgmax(Primitive):
    """Largest element of every window over two dimensions, and its index.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        strides (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` or ``same``, in any case of letters. Default: ``"valid"``.
        data_format (str): ``NCHW``. Default: ``"NCHW"``.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W).

    Outputs:
        Pair of the maxima and their int32 places, counted through all planes of an image.
    """
    def __init__(self, kernel_size: Any = 1, strides: Any = 1, pad_mode: str = 'valid', data_format: str = 'NCHW') -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

class MaxPoolWithArgmaxV2(Primitive):
    """Largest element of every window over two dimensions, and its index.

    Args:
        kernel_size (Union[int, tuple[int]]): size of the window.
        strides (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        pads (Union[int, tuple[int]]): minus infinity on both sides. Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of a window. Default:
            (1, 1).
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        argmax_type (mindspore.dtype): type of the places, ``int32`` or ``int64``. Default:
            ``int64``.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W).

    Outputs:
        Pair of the maxima and their indices, counted within each plane.
    """
    def __init__(self, kernel_size: Any, strides: Any = None, pads: Any = 0, dilation: Any = ..., ceil_mode: bool = False, argmax_type: Any = 'int64') -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

class MaxUnpool2D(Primitive):
    """Put maxima of planes back to the positions they came from; see ``ops.max_unpool2d``.

    Args:
        ksize (Union[int, tuple[int]]): size of the window of the pooling.
        strides (Union[int, tuple[int]]): its step; 0 for the kernel's size. Default: 0.
        pads (Union[int, tuple[int]]): its padding. Default: 0.
        output_shape (tuple[int]): the shape of the result. Default: (), worked out.
        data_format (str): ``NCHW``. Default: ``"NCHW"``.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W).
        - **argmax** (Tensor) - the places, integers of the same shape.

    Outputs:
        Tensor with the maxima at their indices.
    """
    def __init__(self, ksize: Any, strides: Any = 0, pads: Any = 0, output_shape: Any = ..., data_format: str = 'NCHW') -> None: ...
    def __call__(self, x: Tensor, argmax: Tensor) -> Tensor: ...

class MaxUnpool3D(Primitive):
    """Put maxima of volumes back to the positions they came from; see ``ops.max_unpool3d``.

    Args:
        ksize (Union[int, tuple[int]]): size of the window of the pooling.
        strides (Union[int, tuple[int]]): its step; 0 for the kernel's size. Default: 0.
        pads (Union[int, tuple[int]]): its padding. Default: 0.
        output_shape (tuple[int]): the shape of the result. Default: (), worked out.
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.

    Inputs:
        - **x** (Tensor) - shape (N, C, D, H, W).
        - **argmax** (Tensor) - the places, integers of the same shape.

    Outputs:
        Tensor with the maxima at their indices.
    """
    def __init__(self, ksize: Any, strides: Any = 0, pads: Any = 0, output_shape: Any = ..., data_format: str = 'NCDHW') -> None: ...
    def __call__(self, x: Tensor, argmax: Tensor) -> Tensor: ...

class Maximum(Primitive):
    r"""The larger element: :math:`out_i = \max(input_i, other_i)`; nan wins.

    Inputs:
        - **input** (Union[Tensor, number]) - the first operand.
        - **other** (Union[Tensor, number]) - the second; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class Median(Primitive):
    """Medians along an axis and their indices; see :func:`ops.median`.

    Args:
        global_median (bool): whether to take the median of all elements, with the index 0 and
            without axes. Default: False.
        axis (int): the axis. Default: 0.
        keep_dims (bool): whether the axis stays, with size 1. Default: False.
        ignore_nan (bool): whether nan is left out. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.

    Outputs:
        Tuple of values and indices (int64); of an even number of elements the lower one
        counts.
    """
    def __init__(self, global_median: bool = False, axis: int = 0, keep_dims: bool = False, ignore_nan: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

class Meshgrid(Primitive):
    """Coordinates of a grid from those of its axes; see :func:`ops.meshgrid`.

    Args:
        indexing (str): ``"xy"``: the first two axes of the grid are swapped; ``"ij"``: in order.
            Default: ``"xy"``.

    Inputs:
        - **inputs** (Tensor) - the coordinates along each axis, 1-D; or one of them, 0-d.
    """
    def __init__(self, indexing: str = 'xy') -> None: ...
    def __call__(self, inputs: Sequence[Tensor]) -> tuple[Tensor, ...]: ...

class MinMaxUpdatePerChannel(Primitive):
    """The interval of each channel of the data: see :class:`MinMaxUpdatePerLayer`.

    Args:
        ema (bool): whether the intervals are averaged. Default: False.
        ema_decay (float): how much of the old ones stays, from 0 to 1. Default: 0.999.
        channel_axis (int): the axis of the channels; 0 for a vector. Default: 1.

    Inputs:
        - **x** (Tensor) - the data.
        - **min**, **max** (Tensor) - the intervals so far, shape (C,).

    Outputs:
        Tuple of the new ends. Nothing is written.
    """
    def __init__(self, ema: bool = False, ema_decay: float = 0.999, channel_axis: int = 1) -> None: ...
    def __call__(self, x: Tensor, min: Tensor, max: Tensor) -> tuple[Tensor, Tensor]: ...

class MinMaxUpdatePerLayer(Primitive):
    r"""The interval of the data, which contains zero, or its moving average.

    .. math::
        min' = \min(d \cdot min + (1 - d) \min x, 0), \quad
        max' = \max(d \cdot max + (1 - d) \max x, 0)

    where d is `ema_decay` with `ema`, else 0. No gradient flows.

    Args:
        ema (bool): whether the interval is averaged. Default: False.
        ema_decay (float): how much of the old one stays, from 0 to 1. Default: 0.999.

    Inputs:
        - **x** (Tensor) - the data.
        - **min**, **max** (Tensor) - the interval so far, one element each.

    Outputs:
        Tuple of the new ends. Nothing is written.
    """
    def __init__(self, ema: bool = False, ema_decay: float = 0.999) -> None: ...
    def __call__(self, x: Tensor, min: Tensor, max: Tensor) -> tuple[Tensor, Tensor]: ...

class Minimum(Primitive):
    r"""The smaller element: :math:`out_i = \min(input_i, other_i)`; nan wins.

    Inputs:
        - **input** (Union[Tensor, number]) - the first operand.
        - **other** (Union[Tensor, number]) - the second; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class MirrorPad(Primitive):
    """Mirror the input at its borders.

    ``ops.mirror_pad`` as a class: made with `mode`, called with `input_x`, `paddings`.

    Args:
        mode (str): ``REFLECT`` (the border once) or ``SYMMETRIC`` (the border twice). Default:
            'REFLECT'.

    Inputs:
        - **input_x** (Tensor) - any shape.
        - **paddings** (Tensor) - a pair (before, after) for every axis, shape (rank, 2).

    Outputs:
        Tensor of the input's dtype.
    """
    def __init__(self, mode: str = 'REFLECT') -> None: ...
    def __call__(self, input_x: Tensor, paddings: Any) -> Tensor: ...

class Mish(Primitive):
    r"""Mish: :math:`out_i = x_i \tanh(\ln(1 + e^{x_i}))`.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Mod(Primitive):
    r"""Remainder of the division that truncates: :math:`out_i = x_i - trunc(x_i/y_i)\, y_i`.

    Inputs:
        - **x** (Union[Tensor, number]) - the dividend, whose sign the result has.
        - **y** (Union[Tensor, number]) - the divisor; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | Number, y: Tensor | Number) -> Tensor: ...

class MoeComputeExpertTokens(Primitive):
    """The end of each expert's rows among rows sorted by expert.

    Inputs:
        - **sorted_experts** (Tensor) - the expert of each row, ascending, int32 or int64, 1-D.
        - **num_expert** (int) - the number of experts.

    Outputs:
        Tensor of shape ``(num_expert,)`` and the type of `sorted_experts`.
    """
    def __init__(self) -> None: ...
    def __call__(self, sorted_experts: Tensor, num_expert: int) -> Tensor: ...

class MoeInitRoutingV2(Primitive):
    """Rows for experts: sorted by expert, or in the slots of each expert.

    Inputs:
        - **x** (Tensor) - the tokens, shape :math:`(T, H)`.
        - **expert_idx** (Tensor) - the k experts of each token, integers, shape :math:`(T, K)`.
        - **active_num** (int) - without places, how many rows to keep; 0 keeps all.
        - **expert_capacity** (int) - with places, how many each expert has, from 1 to T.
        - **expert_num** (int) - the number E of experts.
        - **drop_pad_mode** (int) - 1 for places: what does not fit is left out, what stays free is zero.
        - **expert_tokens_count_or_cumsum_flag** (int) - without places, 1 asks for the running sum of
            tokens over experts, 2 for the number of tokens of each expert, 0 for neither.
        - **expert_tokens_before_capacity_flag** (bool) - with places, whether to return the number of
            tokens of each expert before any is left out.

    Outputs:
        tuple of the rows, shape :math:`(T K, H)` or :math:`(E, C, H)`, the place of each pair
        of token and expert, int32 of shape :math:`(T K,)`, -1 for those left out, and the numbers
        asked for, int32 of shape :math:`(E,)`.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, expert_idx: Tensor, active_num: int, expert_capacity: int, expert_num: int, drop_pad_mode: int, expert_tokens_count_or_cumsum_flag: int, expert_tokens_before_capacity_flag: bool) -> Any: ...

class MoeTokenPermute(Primitive):
    """Tokens in the order of the experts that they go to.

    Inputs:
        - **tokens** (Tensor) - shape :math:`(T, H)`.
        - **indices** (Tensor) - the expert of each token, or the k experts of each: int32 or int64, shape
            :math:`(T,)` or :math:`(T, K)`.
        - **num_out_tokens** (int) - how many rows to keep, from the first; None and 0 keep all.
            Default: None.
        - **padded_mode** (bool) - must be False. Default: False.

    Outputs:
        tuple of the rows, shape :math:`(T K, H)` or fewer, and where each pair of token and
        expert went: int32, shape :math:`(T K,)`. Rows of one expert keep their order.
    """
    def __init__(self) -> None: ...
    def __call__(self, tokens: Tensor, indices: Tensor, num_out_tokens: int | None = None, padded_mode: bool = False) -> tuple[Tensor, Tensor]: ...

class MoeTokenUnpermute(Primitive):
    """Tokens back from their experts: each is the weighted sum of the outputs of its experts.

    Inputs:
        - **permuted_tokens** (Tensor) - the rows, in the order of :func:`ops.moe_token_permute`.
        - **sorted_indices** (Tensor) - where each pair of token and expert went, shape :math:`(T K,)`.
            Pairs that were left out count as zero.
        - **probs** (Tensor) - the weight of each pair, shape :math:`(T, K)`. Default None: one expert for
            each token, of weight 1.
        - **padded_mode** (bool) - must be False. Default: False.
        - **restore_shape** (Union[tuple[int], list[int]]) - not used without padding. Default: None.

    Outputs:
        Tensor of shape :math:`(T, H)` and the type of `permuted_tokens`.
    """
    def __init__(self) -> None: ...
    def __call__(self, permuted_tokens: Tensor, sorted_indices: Tensor, probs: Tensor | None = None, padded_mode: bool = False, restore_shape: Any = None) -> Tensor: ...

class Mul(Primitive):
    r"""Multiply, element by element: :math:`out_i = input_i \cdot other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - the first factor.
        - **other** (Union[Tensor, number, bool]) - the second; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type; a number or a 0-d tensor does not
        widen the type within its category (float64 times a float32 tensor is float32).
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class MulNoNan(Primitive):
    """Multiply, with 0 where the second factor is 0, whatever the first: :math:`x_i y_i`.

    Inputs:
        - **x** (Union[Tensor, number]) - the first factor, may be infinite or nan.
        - **y** (Union[Tensor, number]) - the second; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | Number, y: Tensor | Number) -> Tensor: ...

class MultiMarginLoss(Primitive):
    """Hinge loss of one class per sample; see ``ops.multi_margin_loss``.

    Args:
        p (int): 1 or 2. Default: 1.
        margin (float): the margin. Default: 1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **x** (Tensor) - scores, shape :math:`(N, C)`.
        - **target** (Tensor) - class indices of an integer type, shape :math:`(N,)`.
        - **weight** (Tensor) - a factor per class, shape :math:`(C,)`. Default: None.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `target`.
    """
    def __init__(self, p: int = 1, margin: float = 1.0, reduction: str = 'mean') -> None: ...
    def __call__(self, x: Tensor, target: Tensor, weight: Tensor | None = None) -> Tensor: ...

class MultiScaleDeformableAttn(Primitive):
    r"""Attention of queries to a few points in feature maps of several sizes.

    .. math::
        out_{q} = \sum_{l, p} w_{q l p} \cdot value_l(location_{q l p})

    Between pixels the values are interpolated, outside of a map they are zero.

    Inputs:
        - **value** (Tensor) - the maps one behind the other, shape :math:`(N, \sum H_l W_l, heads, D)`.
        - **shape** (Tensor) - height and width of each map, integers of shape ``(levels, 2)``.
        - **offset** (Tensor) - where each map begins in `value`, integers of shape ``(levels,)``.
        - **locations** (Tensor) - where each query looks, x and y from 0 to 1 across a map: shape
            ``(N, queries, heads, levels, points, 2)``.
        - **weight** (Tensor) - the weights, shape ``(N, queries, heads, levels, points)``.

    Outputs:
        Tensor of shape ``(N, queries, heads * D)`` and the type of `value`.
    """
    def __init__(self) -> None: ...
    def __call__(self, value: Tensor, shape: Tensor, offset: Tensor, locations: Tensor, weight: Tensor) -> Tensor: ...

class MultilabelMarginLoss(Primitive):
    """Hinge loss of several classes per sample, and where the classes are.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **x** (Tensor) - scores, shape :math:`(C,)` or :math:`(N, C)`.
        - **target** (Tensor) - class indices of the same shape; those before the first -1 count.

    Outputs:
        tuple of the loss (see ``ops.multilabel_margin_loss``), and an int32 Tensor of the
        shape of `target` with 1 at the classes that count.
    """
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, x: Tensor, target: Tensor) -> tuple[Tensor, Tensor]: ...

class Multinomial(Primitive):
    """Indices drawn with replacement, in proportion to weights.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        dtype (Type): int32 or int64. Default: int32.

    Inputs:
        - **x** (Tensor) - weights, at least 0, of shape (classes,) or (rows, classes); at the call, as the
            following.
        - **num_samples** (int) - draws for each row.

    Outputs:
        Tensor of shape (num_samples,) or (rows, num_samples).
    """
    def __init__(self, seed: Any = 0, seed2: Any = 0, dtype: Any = ...) -> None: ...
    def __call__(self, x: Tensor, num_samples: Any) -> Tensor: ...

class MultinomialWithReplacement(Primitive):
    """Indices drawn in proportion to weights, from a seed and an offset given at the call.

    Calls with the seed and offset of the call before continue its stream; others start anew.

    Args:
        numsamples (int): draws for each row.
        replacement (bool): whether an index may be drawn again. Default: False.

    Inputs:
        - **x** (Tensor) - weights, at least 0 and not all 0 in a row, of shape (classes,) or
            (rows, classes); floating; at the call, as the following.
        - **seed** (Union[Tensor, int]) - the seed.
        - **offset** (Union[Tensor, int]) - selects one of the streams of the seed. Both 0: the next seed
            pair of this name at every call, entropy before any ``set_seed``.

    Outputs:
        Tensor of shape (numsamples,) or (rows, numsamples), int64.
    """
    def __init__(self, numsamples: Any, replacement: Any = False) -> None: ...
    def __call__(self, x: Tensor, seed: Any, offset: Any) -> Tensor: ...

class Mvlgamma(Primitive):
    r"""Logarithm of the multivariate gamma function of dimension p.

    :math:`\frac{p (p - 1)}{4} \ln \pi + \sum_{i=1}^p \ln \Gamma(x - \frac{i - 1}{2})`

    ``ops.mvlgamma`` as a class: made with `p`, called with `x`.

    Args:
        p (int): the dimension.

    Inputs:
        - **x** (Tensor) - elements greater than :math:`(p - 1) / 2`.

    Outputs:
        Tensor of the shape of `x`.
    """
    def __init__(self, p: int) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class NLLLoss(Primitive):
    """Negative log likelihood of classes, and the sum of the weights that counted.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        ignore_index (int): an index whose samples do not count. Default: -100.

    Inputs:
        - **logits** (Tensor) - log probabilities, shape :math:`(N, C)`.
        - **labels** (Tensor) - class indices of an integer type, shape :math:`(N,)`.
        - **weight** (Tensor) - a factor per class, shape :math:`(C,)`.

    Outputs:
        tuple of the loss and the sum of the weights of the samples that are not ignored.
    """
    def __init__(self, reduction: str = 'mean', ignore_index: int = -100) -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]: ...

class NMSWithMask(Primitive):
    """The boxes that remain after those that overlap a box of higher score too much are removed.

    Args:
        iou_threshold (float): the largest overlap, in [0, 1]. Default: 0.5.

    Inputs:
        - **bboxes** (Tensor) - boxes and their scores, shape :math:`(N, 5)`.

    Outputs:
        Tuple of the boxes by falling score, the places 0 to N - 1 (int32) and which remain.
    """
    def __init__(self, iou_threshold: float = 0.5) -> None: ...
    def __call__(self, bboxes: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class NPUAllocFloatStatus(Primitive):
    """The flag for overflows that Ascend devices set: eight zeros.

    No other device sets it; ``amp.all_finite`` looks at the values themselves.
    """
    def __init__(self) -> None: ...
    def __call__(self) -> Tensor: ...

class NPUClearFloatStatus(Primitive):
    """The flag for overflows after it was cleared: zeros."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class NPUGetFloatStatus(Primitive):
    """The flag for overflows as the device has it; only Ascend devices set it."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class NanToNum(Primitive):
    """Replace nan and infinite elements.

    ``ops.nan_to_num`` as a class: made with `nan`, `posinf`, `neginf`, called with `input`.

    Args:
        nan (number): in place of nan. Default None: 0.
        posinf (number): in place of infinity. Default None: the largest number of the type.
        neginf (number): in place of minus infinity. Default None: the smallest number.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tensor of the same shape and type.
    """
    def __init__(self, nan: Any = None, posinf: Any = None, neginf: Any = None) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Neg(Primitive):
    """Negative, element by element: :math:`out_i = -input_i`.

    Inputs:
        - **input** (Tensor) - any shape; unsigned integers wrap around.

    Outputs:
        Tensor of the same shape and type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class NewIm2Col(Primitive):
    """Patches of images as vectors in the order (kernel height, kernel width, C).

    Args:
        ksizes (tuple): height and width of the kernel.
        padding_mode (str): ``"SAME"`` for as many patches as pixels, divided by the stride and
            rounded up; ``"VALID"`` for those inside the image. Default: ``"SAME"``.
        strides (int): the distance of patches. Default: 1.
        dilations (int): the distance of a patch's pixels. Default: 1.
        pads (int): accepted for compatibility; `padding_mode` decides. Default: 0.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W).

    Outputs:
        Tensor of shape (N, H', W', C * kernel height * kernel width).
    """
    def __init__(self, ksizes: Any, padding_mode: str = 'SAME', strides: Any = 1, dilations: Any = 1, pads: Any = 0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class NextAfter(Primitive):
    r"""Next number toward the second, element by element: :math:`out = x \to y`.

    Inputs:
        - **input** (Union[Tensor, number]) - :math:`x`.
        - **other** (Union[Tensor, number]) - :math:`y`; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class NoRepeatNGram(Primitive):
    """Log probabilities without the words that would repeat an n-gram of a sequence.

    Args:
        ngram_size (int): the number of words in an n-gram. Default: 1.

    Inputs:
        - **state_seq** (Tensor) - the words so far, integers of shape :math:`(B, beams, m)`.
        - **log_probs** (Tensor) - the log probability of each next word, shape
            :math:`(B, beams, vocabulary)`, floating.

    Outputs:
        Tensor like `log_probs`; the lowest number of its type stands for words that, after the
        last `ngram_size` - 1 words, followed these before.
    """
    def __init__(self, ngram_size: int = 1) -> None: ...
    def __call__(self, state_seq: Tensor, log_probs: Tensor) -> Tensor: ...

class NonDeterministicInts(Primitive):
    """Random integers over the whole range of a type.

    Args:
        dtype (Type): int32 or int64, or one of their unsigned relatives. Default: int64.

    Inputs:
        - **shape** (Tensor) - at least two sizes.

    Outputs:
        Tensor of this shape and type.
    """
    def __init__(self, dtype: Any = ...) -> None: ...
    def __call__(self, shape: Any) -> Tensor: ...

class NonMaxSuppressionV3(Primitive):
    """The indices of boxes that do not overlap a better one too much (see this module).

    Inputs:
        - **boxes** (Tensor) - opposite corners, shape :math:`(N, 4)`.
        - **scores** (Tensor) - shape :math:`(N,)`.
        - **max_output_size** (Union[Tensor, int]) - how many may stay; a negative number means 0.
        - **iou_threshold** (Union[Tensor, float]) - the largest overlap allowed, in [0, 1].
        - **score_threshold** (Union[Tensor, float]) - scores must be above it.

    Outputs:
        Tensor of int32, the places by falling score.
    """
    def __init__(self) -> None: ...
    def __call__(self, boxes: Tensor, scores: Tensor, max_output_size: Tensor | Any, iou_threshold: Tensor | Any, score_threshold: Tensor | Any) -> Tensor: ...

class NonMaxSuppressionWithOverlaps(Primitive):
    """The indices of boxes that do not overlap a better one too much, the overlaps being given.

    Inputs:
        - **overlaps** (Tensor) - how much box i (row) overlaps box j, shape :math:`(N, N)`.
        - **scores** (Tensor) - shape :math:`(N,)`.
        - **max_output_size** (Union[Tensor, int]) - how many may stay, at least 0.
        - **overlap_threshold** (Union[Tensor, float]) - the largest overlap allowed.
        - **score_threshold** (Union[Tensor, float]) - scores must be above it.

    Outputs:
        Tensor of int32, the places by falling score (see the note on the greedy choice).
    """
    def __init__(self) -> None: ...
    def __call__(self, overlaps: Tensor, scores: Tensor, max_output_size: Tensor | Any, overlap_threshold: Tensor | Any, score_threshold: Tensor | Any) -> Tensor: ...

class NonZero(Primitive):
    """Indices of the elements that are not zero; see :func:`ops.nonzero`.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tensor of int64, shape (N, rank): a row for each such element.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class NotEqual(Primitive):
    r"""Whether one operand differs from the other, element by element: :math:`out_i = input_i \ne other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - the left operand.
        - **other** (Union[Tensor, number, bool]) - the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Outputs:
        Tensor of bool, of the broadcast shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class NthElement(Primitive):
    """The n-th smallest elements along the last axis, counted from 0.

    Args:
        reverse (bool): whether to count from the largest. Default: False.

    Inputs:
        - **input** (Tensor) - one axis or more.
        - **n** (Union[int, Tensor]) - which one.

    Outputs:
        Tensor without the last axis.
    """
    def __init__(self, reverse: bool = False) -> None: ...
    def __call__(self, input: Tensor, n: Any) -> Tensor: ...

class NuclearNorm(Primitive):
    """Sum of the singular values of matrices; see :func:`ops.norm`.

    Args:
        dim (Union[int, tuple]): one axis for vectors, two for matrices. Default None: all axes;
            with `ord`, `x` must be a vector or a matrix.
        keepdim (bool): whether the axes stay, with size 1. Default: False.

    Inputs:
        - **x** (Tensor) - any shape; integers are computed in float32.
    """
    def __init__(self, dim: Any = None, keepdim: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class OneHot(Primitive):
    r"""Vectors with one value at the position given by an index and another elsewhere.

    ``ops.one_hot`` as a class: made with `axis`, called with `indices`, `depth`, `on_value`,
    `off_value`.

    Args:
        axis (int): where the new axis goes, -1 for the end. Default: -1.

    Inputs:
        - **indices** (Tensor) - integers, shape :math:`(X_0, \dots, X_n)`. One outside of
            :math:`[0, depth)` gives a vector without `on_value`.
        - **depth** (int) - length of the new axis.
        - **on_value** (Union[Tensor, number]) - the value at the place.
        - **off_value** (Union[Tensor, number]) - the value elsewhere, of the same type.

    Outputs:
        Tensor with one axis more, of the type of the values: int64 for ints, float32 for
        floats.
    """
    def __init__(self, axis: int = -1) -> None: ...
    def __call__(self, indices: Tensor, depth: Any, on_value: Tensor | Number, off_value: Tensor | Number) -> Tensor: ...

class Ones(Primitive):
    """A tensor of ones.

    Inputs:
        - **shape** (Union[int, tuple, list, Tensor]) - the shape.
        - **dtype** (Type) - the type. Default None: float32.

    Outputs:
        Tensor of that shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, shape: Any, dtype: Any = None) -> Tensor: ...

class OnesLike(Primitive):
    """Ones in the shape and type of another tensor; see :func:`ops.ones_like`.

    Inputs:
        - **x** (Tensor) - the tensor whose shape is used.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Orgqr(Primitive):
    """The first columns of Q from reflections, see :func:`ops.geqrf`.

    Inputs:
        - **input** (Tensor) - the reflections, shape :math:`(.., M, N)`.
        - **input2** (Tensor) - their factors, shape :math:`(.., K)`.

    Outputs:
        Tensor of shape :math:`(.., M, N)`.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, input2: Tensor) -> Tensor: ...

class Ormqr(Primitive):
    """Product of a matrix with the Q of reflections; see :func:`ops.ormqr`.

    Args:
        left (bool): whether Q stands on the left. Default: True.
        transpose (bool): whether the conjugate transpose of Q is meant. Default: False.

    Inputs:
        - **x** (Tensor) - the reflections, shape :math:`(.., M, N)`.
        - **tau** (Tensor) - their factors, shape :math:`(.., K)`.
        - **other** (Tensor) - the matrix.
    """
    def __init__(self, left: bool = True, transpose: bool = False) -> None: ...
    def __call__(self, x: Tensor, tau: Tensor, other: Tensor) -> Tensor: ...

class PReLU(Primitive):
    r"""Rectifier with learned slopes: :math:`out = \max(0, x) + w \cdot \min(0, x)`.

    Inputs:
        - **input** (Tensor) - floating point, shape :math:`(N, C, *)`.
        - **weight** (Tensor) - one slope, or one for each channel: shape (1,) or :math:`(C,)`.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, weight: Tensor) -> Tensor: ...

class Pack(Primitive):
    """Join tensors along a new axis.

    ``ops.stack`` as a class: made with `axis`, called with `input_x`.

    Args:
        axis (int): where the new axis goes. Default: 0.

    Inputs:
        - **input_x** (Union[tuple, list]) - tensors of one shape.

    Outputs:
        Tensor with one axis more, of the common type.
    """
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, input_x: Tensor | Sequence[Tensor]) -> Tensor: ...

class Pad(Primitive):
    """Pad the input with zeros.

    Args:
        paddings (tuple): a pair (before, after) for every axis, the first axis first.

    Inputs:
        - **input_x** (Tensor) - any shape.

    Outputs:
        Tensor of the input's dtype.
    """
    def __init__(self, paddings: Any) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class PadAndShift(Primitive):
    """The start of a vector, at a position of a vector of -1.

    The result is as long as the last number of `cum_sum_arr` says; the numbers at `shift_idx` and
    behind it are where the copied elements begin and end.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, cum_sum_arr: Tensor, shift_idx: Any) -> Tensor: ...

class PadV3(Primitive):
    """Pad the input; see ``ops.pad``.

    Args:
        mode (str): ``constant``, ``reflect``, ``edge`` or ``circular``. Default: ``"constant"``.
        paddings_contiguous (bool): whether the two numbers of a pair are neighbors; otherwise all
            of the befores precede the afters. Default: True.

    Inputs:
        - **x** (Tensor) - any shape.
        - **paddings** (Union[Tensor, tuple[int]]) - pairs (before, after), the last dimension first.
        - **constant_value** (Union[Tensor, int, float]) - for mode ``constant``. Default: None, 0.

    Outputs:
        Tensor of the input's dtype.
    """
    def __init__(self, mode: str = 'constant', paddings_contiguous: bool = True) -> None: ...
    def __call__(self, x: Tensor, paddings: Any, constant_value: Any = None) -> Tensor: ...

class Padding(Primitive):
    """Fill the last dimension, of size 1, with zeros up to a size.

    ``ops.padding`` as a class: made with `pad_dim_size`, called with `x`.

    Args:
        pad_dim_size (int): the new size. Default: 8.

    Inputs:
        - **x** (Tensor) - last dimension of size 1.

    Outputs:
        Tensor of the input's dtype.
    """
    def __init__(self, pad_dim_size: int = 8) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class PagedAttention(Primitive):
    r"""Attention of single tokens over contexts in blocks (see the note on blocks).

    For each token and head, :math:`softmax(scale\_value \cdot q K^T + masks) V` over the first
    `context_lens` places of its blocks.

    Args:
        head_num (int): heads of the query.
        scale_value (float): what scores are multiplied by.
        kv_head_num (int): heads of keys and values, which divide `head_num`.
        kv_cache_quant_mode (str): ``"DEFAULT"``: scales for each column; ``"PERTOKEN"`` is not
            available. Default: ``"DEFAULT"``.
        mask_mode (str): ``"MASK_DEFAULT"`` or ``"TRAPEZOIDAL"``, which needs no mask.
            Default: ``"MASK_DEFAULT"``.
        mla_v_dim (int): without `value_cache`, how many columns of the keys are the values; 0:
            all. Default: 0.

    Inputs:
        - **query** (Tensor) - shape :math:`(tokens, heads, size)`, or heads and size joined.
        - **key_cache** (Tensor) - shape :math:`(blocks, block\_size, kv\_heads, size)`.
        - **value_cache** (Tensor) - likewise. Default: None.
        - **block_tables** (Tensor) - shape :math:`(tokens, blocks\_of\_a\_token)`, integers.
        - **context_lens** (Tensor) - shape :math:`(tokens,)`.
        - **antiquant_scale** (Tensor) - scales of caches in int8, shape :math:`(2, kv\_heads
            \cdot size)`. Default: None.
        - **antiquant_offset** (Tensor) - what is added before. Default: None.
        - **attn_mask** (Tensor) - added to the scores, shape :math:`(tokens, places)`.
            Default: None.
        - **q_seq_lens** (Tensor) - not available. Default: None.
        - **alibi_mask** (Tensor) - added to the scores likewise. Default: None.

    Outputs:
        Tensor like `query`.
    """
    def __init__(self, head_num: int, scale_value: float, kv_head_num: int, kv_cache_quant_mode: str = 'DEFAULT', mask_mode: str = 'MASK_DEFAULT', mla_v_dim: int = 0) -> None: ...
    def __call__(self, query: Tensor, key_cache: Tensor, value_cache: Tensor | None = None, block_tables: Tensor | None = None, context_lens: Tensor | None = None, antiquant_scale: Tensor | None = None, antiquant_offset: Tensor | None = None, attn_mask: Tensor | None = None, q_seq_lens: Tensor | None = None, alibi_mask: Tensor | None = None) -> Tensor: ...

class PagedAttentionMask(Primitive):
    """Attention of single tokens over contexts in blocks with a bias; see :class:`PagedAttention`.

    Its mask has a row for each head: shape :math:`(tokens, heads, 1, places)`.

    Args:
        head_num (int): heads of the query.
        scale_value (float): what scores are multiplied by.
        kv_head_num (int): heads of keys and values, which divide `head_num`.
        kv_cache_quant_mode (str): ``"DEFAULT"``: scales for each column; ``"PERTOKEN"`` is not
            available. Default: ``"DEFAULT"``.
    """
    def __init__(self, head_num: int, scale_value: float, kv_head_num: int, kv_cache_quant_mode: str = 'DEFAULT') -> None: ...
    def __call__(self, query: Tensor, key_cache: Tensor, value_cache: Tensor, block_tables: Tensor, context_lens: Tensor, antiquant_scale: Tensor | None = None, antiquant_offset: Tensor | None = None, alibi_mask: Tensor | None = None) -> Tensor: ...

class ParallelConcat(Primitive):
    """Tensors with a first axis of size 1 joined along it; see :func:`ops.cat`.

    Inputs:
        - **values** (Union[tuple, list]) - tensors whose other sizes agree.
    """
    def __init__(self) -> None: ...
    def __call__(self, values: Sequence[Tensor]) -> Tensor: ...

class ParameterizedTruncatedNormal(Primitive):
    """Normal numbers within bounds, with a mean, deviation and bounds for each batch.

    Args:
        seed (int): any int. Default: 0.
        seed2 (int): any int. Default: 0.

    Inputs:
        - **shape** (Union[Tensor, tuple, list]) - the shape, (batch, ...); at the call, as the following.
        - **mean** (Tensor) - mean before truncation: one element, or (batch,). All four are of one
            floating type.
        - **stdevs** (Tensor) - standard deviations before truncation, above 0.
        - **min** (Tensor) - lower bounds.
        - **max** (Tensor) - upper bounds, above `min`.

    Outputs:
        Tensor of that shape, of the type of `mean`.
    """
    def __init__(self, seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, shape: Any, mean: Tensor, stdevs: Tensor, min: Tensor, max: Tensor) -> Tensor: ...

class Pdist(Primitive):
    """Distances of all pairs of rows; see :func:`ops.pdist`.

    Args:
        p (float): the norm, at least 0. Default: 2.0.

    Inputs:
        - **x** (Tensor) - shape :math:`(N, D)`.
    """
    def __init__(self, p: float = 2.0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Poisson(Primitive):
    """Poisson counts in the broadcast shape of a shape and the rates; see :func:`ops.poisson`.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.

    Inputs:
        - **shape** (Union[tuple, list, Tensor]) - the shape; at the call, as the following.
        - **mean** (Tensor) - expected counts, at least 0.

    Outputs:
        Tensor of the common shape, int32.
    """
    def __init__(self, seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, shape: Any, mean: Tensor) -> Tensor: ...

class Polar(Primitive):
    r"""Complex numbers from polar coordinates: :math:`out = abs (\cos angle + j \sin angle)`.

    Inputs:
        - **abs** (Tensor) - the absolute values, float32 or float64.
        - **angle** (Tensor) - the arguments in radians, of the same type.

    Outputs:
        Tensor of complex64 or complex128.
    """
    def __init__(self) -> None: ...
    def __call__(self, abs: Tensor, angle: Tensor) -> Tensor: ...

class Polygamma(Primitive):
    r"""Derivatives of the digamma function: :math:`\psi^{(n)}(x)`.

    Inputs:
        - **n** (Union[int, Tensor]) - which derivative, 0 or more.
        - **input** (Tensor) - :math:`x`, a floating type.

    Outputs:
        Tensor of the shape of `input`.
    """
    def __init__(self) -> None: ...
    def __call__(self, n: Any, input: Tensor) -> Tensor: ...

class PopulationCount(Primitive):
    """Number of bits that are set, element by element.

    Inputs:
        - **input_x** (Tensor) - an integer type.

    Outputs:
        Tensor of uint8.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class Pow(Primitive):
    """Power, element by element: :math:`out_i = input_i^{exponent_i}`.

    Inputs:
        - **input** (Union[Tensor, number]) - the base.
        - **exponent** (Union[Tensor, number]) - the exponent; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type; integers with a negative exponent
        give the truncated power.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, exponent: Tensor | Number) -> Tensor: ...

class PromptFlashAttention(Primitive):
    r"""Attention of several heads over whole sequences, for inference.

    .. math::
        out = \mathrm{softmax}(\mathrm{mask}(s \cdot Q K^T + shift)) V

    B is the batch, S the time, N the number of heads, D the features of a head, H = N D. Any
    floating type and any sizes will do.

    ``ops.prompt_flash_attention`` as a class: made with `num_heads`, `scale_value`, `pre_tokens`,
    `next_tokens`, `input_layout`, `num_key_value_heads`, `sparse_mode`, `inner_precise`, called
    with `query`, `key`, `value`, `attn_mask`, `actual_seq_lengths`, `actual_seq_lengths_kv`,
    `pse_shift`, `deq_scale1`, `quant_scale1`, `deq_scale2`, `quant_scale2`, `quant_offset2`.

    Args:
        num_heads (int): the number of heads of `query`. Default: 1.
        scale_value (float): the factor s. Default: 1.0.
        pre_tokens (int): how far back keys count, in mode 0 with a mask and in mode 4.
            Default: 2147483647.
        next_tokens (int): how far ahead keys count, likewise. Default: 0.
        input_layout (str): ``"BSH"`` or ``"BNSD"``. Default: ``"BSH"``.
        num_key_value_heads (int): the number of heads of `key`; 0 for that of `query`. Default: 0.
        sparse_mode (int): 0 and 1: `attn_mask`; 2: causal from the upper left corner; 3: causal
            from the lower right corner; 4: a band from there. Default: 0.
        inner_precise (int): accepted for compatibility. Default: 1.

    Inputs:
        - **query** (Tensor) - shape :math:`(B, S_1, H)` or :math:`(B, N, S_1, D)`.
        - **key** (Tensor) - shape :math:`(B, S_2, H_2)` or :math:`(B, N_2, S_2, D)`.
        - **value** (Tensor) - of the shape of `key`.
        - **attn_mask** (Tensor) - where nonzero, a score does not count: shape :math:`(S_1, S_2)`,
            :math:`(B, S_1, S_2)` or :math:`(B, 1, S_1, S_2)`; not read in modes 2 to 4.
            Default: None.
        - **actual_seq_lengths** (Union[Tensor, tuple[int], list[int]]) - the lengths of the samples of
            `query`; what follows them is zero in the result. Default: None.
        - **actual_seq_lengths_kv** (Union[Tensor, tuple[int], list[int]]) - those of `key`; what follows
            does not count. Default: None.
        - **pse_shift** (Tensor) - added to the scores, shape :math:`(B, N, S_1, S_2)` or
            :math:`(1, N, S_1, S_2)` or larger. Default: None.
        - **deq_scale1** (Tensor) - must be None. Default: None.
        - **quant_scale1** (Tensor) - must be None. Default: None.
        - **deq_scale2** (Tensor) - must be None. Default: None.
        - **quant_scale2** (Tensor) - must be None. Default: None.
        - **quant_offset2** (Tensor) - must be None. Default: None.

    Outputs:
        Tensor of the shape and type of `query`.
    """
    def __init__(self, num_heads: int = 1, scale_value: float = 1.0, pre_tokens: int = 2147483647, next_tokens: int = 0, input_layout: str = 'BSH', num_key_value_heads: int = 0, sparse_mode: int = 0, inner_precise: int = 1) -> None: ...
    def __call__(self, query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, actual_seq_lengths: Any = None, actual_seq_lengths_kv: Any = None, pse_shift: Tensor | None = None, deq_scale1: Tensor | None = None, quant_scale1: Tensor | None = None, deq_scale2: Tensor | None = None, quant_scale2: Tensor | None = None, quant_offset2: Tensor | None = None) -> Tensor: ...

class Qr(Primitive):
    """QR decomposition: :math:`x = Q R`; see :func:`ops.qr`.

    Args:
        full_matrices (bool): whether Q is square, shape :math:`(.., M, M)`; otherwise Q and R have
            min(M, N) columns and rows. Default: False.

    Inputs:
        - **x** (Tensor) - shape :math:`(.., M, N)`.

    Outputs:
        Tuple of Q and R.
    """
    def __init__(self, full_matrices: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

class Quantile(Primitive):
    """Quantiles along an axis, interpolated linearly; see :func:`ops.quantile`.

    Args:
        dim (int): the axis. Default: None, all elements.
        keep_dims (bool): whether the axis stays, with size 1. Default: False.
        ignore_nan (bool): whether nan is left out. Default: False.

    Inputs:
        - **input** (Tensor) - float32 or float64, any shape.
        - **q** (Union[float, Tensor]) - in [0, 1], a number or several, 1-D.

    Outputs:
        Tensor; several `q` give a new first axis.
    """
    def __init__(self, dim: Any = None, keep_dims: bool = False, ignore_nan: bool = False) -> None: ...
    def __call__(self, input: Tensor, q: Tensor | float) -> Tensor: ...

class RGBToHSV(Primitive):
    """Hue, saturation and value of RGB colors, each between 0 and 1.

    Inputs:
        - **images** (Tensor) - colors in [0, 1] along the last axis, floating (see the note on
          hue).

    Outputs:
        Tensor like `images`.
    """
    def __init__(self) -> None: ...
    def __call__(self, images: Tensor) -> Tensor: ...

class RNNTLoss(Primitive):
    """Transducer loss: the negative log probability of the labels.

    The probability is summed over all ways through the grid of T times and U places, each step
    being a blank (one time on) or the next label (one place on), after a softmax over the last
    axis. `acts` that are logarithms of probabilities already are not changed by that.

    Args:
        blank_label (int): the number of the blank. Default: 0.

    Inputs:
        - **acts** (Tensor) - shape :math:`(B, T, U, V)`, floating.
        - **labels** (Tensor) - shape :math:`(B, U - 1)`, integers.
        - **input_lengths** (Tensor) - how many times count, shape :math:`(B,)`.
        - **label_lengths** (Tensor) - how many labels count, shape :math:`(B,)`.

    Outputs:
        Tuple of the costs, shape :math:`(B,)`, and the gradient of their sum for `acts`; both
        in the type of `acts`. They are not part of a gradient.
    """
    def __init__(self, blank_label: int = 0) -> None: ...
    def __call__(self, acts: Tensor, labels: Tensor, input_lengths: Tensor, label_lengths: Tensor) -> tuple[Tensor, Tensor]: ...

class ROIAlign(Primitive):
    """Means of the features within parts of regions, read by bilinear interpolation.

    Args:
        pooled_height (int): number of parts along the height.
        pooled_width (int): number of parts along the width.
        spatial_scale (float): size of the features relative to the coordinates of the regions.
        sample_num (int): places read in a part along each dimension; at most 0: as many as the
            part has whole elements. Default: 2.
        roi_end_mode (int): 1: the region ends one further than its second corner; 0: it is at
            least one element wide and high. Default: 1.

    Inputs:
        - **features** (Tensor) - floating point, shape (N, C, H, W).
        - **rois** (Tensor) - rows (image, x1, y1, x2, y2).

    Outputs:
        Tensor of shape (regions, C, pooled_height, pooled_width). Gradients flow to the
        features.
    """
    def __init__(self, pooled_height: int, pooled_width: int, spatial_scale: float, sample_num: int = 2, roi_end_mode: int = 1) -> None: ...
    def __call__(self, features: Tensor, rois: Tensor) -> Tensor: ...

class RaggedRange(Primitive):
    """Ranges of numbers, one after the other, and the start of each.

    Args:
        Tsplits (Type): the type of the places, int32 or int64.

    Inputs:
        - **starts** (Tensor) - the first number of each range; at most one axis, int32, int64 or
            floating.
        - **limits** (Tensor) - the number before which each range ends.
        - **deltas** (Tensor) - the steps, not 0.

    Outputs:
        Tuple of the places where ranges begin and the last one ends, and the numbers.
    """
    def __init__(self, Tsplits: Any) -> None: ...
    def __call__(self, starts: Tensor, limits: Tensor, deltas: Tensor) -> tuple[Tensor, Tensor]: ...

class RandomCategorical(Primitive):
    """Classes drawn in proportion to the exponentials of logits; see `ops.random_categorical`.

    Args:
        dtype (Type): int16, int32 or int64. Default: int64.

    Inputs:
        - **logits** (Tensor) - shape (rows, classes); floating; at the call, as the following.
        - **num_sample** (int) - draws for each row, at least 1.
        - **seed** (int) - the stream's seed; 0 takes the next seed pair of this name at every call,
            entropy before any ``set_seed``.

    Outputs:
        Tensor of shape (rows, num_sample).
    """
    def __init__(self, dtype: Any = ...) -> None: ...
    def __call__(self, logits: Tensor, num_sample: Any, seed: Any) -> Tensor: ...

class RandomChoiceWithMask(Primitive):
    """Some of the true positions of a mask, chosen at random, none twice.

    Args:
        count (int): how many positions, at least 1. Default: 256.
        seed (int): any int. Default: 0.
        seed2 (int): any int. Default: 0.

    Inputs:
        - **input_x** (Tensor) - bool, of 1 to 5 dimensions; at the call.

    Outputs:
        Two tensors: the positions, int32 of shape (count, rank), and which rows hold one, bool
        of shape (count,). If there are fewer than `count`, the other rows are zero and False.
    """
    def __init__(self, count: Any = 256, seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, input_x: Tensor) -> tuple[Tensor, Tensor]: ...

class RandomGamma(Primitive):
    """Gamma variates of rate 1, a block of samples for each shape parameter.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.

    Inputs:
        - **shape** (Union[Tensor, tuple, list]) - samples for each element of `alpha`; at the call, as the
            following.
        - **alpha** (Tensor) - shape parameters, above 0; float16, float32 or float64.

    Outputs:
        Tensor of shape `shape` + `alpha.shape`, of the type of `alpha`.
    """
    def __init__(self, seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, shape: Any, alpha: Tensor) -> Tensor: ...

class RandomPoisson(Primitive):
    """Poisson counts, a block of samples for each rate; see :func:`ops.random_poisson`.

    Args:
        seed (int): any int. Default: 0.
        seed2 (int): any int. Default: 0.
        dtype (Type): int32, int64, float16, float32 or float64. Default: int64.

    Inputs:
        - **shape** (Union[Tensor, tuple, list]) - samples for each element of `rate`; at the call, as the
            following.
        - **rate** (Union[Tensor, number]) - expected counts, at least 0.

    Outputs:
        Tensor of shape `shape` + `rate.shape`, of type `dtype`.
    """
    def __init__(self, seed: Any = 0, seed2: Any = 0, dtype: Any = ...) -> None: ...
    def __call__(self, shape: Any, rate: Tensor | Number) -> Tensor: ...

class RandomShuffle(Primitive):
    """The rows of a tensor in random order; see :func:`ops.shuffle`.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.

    Inputs:
        - **x** (Tensor) - any type and shape; at the call.

    Outputs:
        Tensor like `x`.
    """
    def __init__(self, seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Randperm(Primitive):
    """A permutation of 0 .. n - 1, followed by padding.

    Args:
        max_length (int): the length of the result, at least 1. Default: 1.
        pad (int): what stands behind the permutation. Default: -1.
        dtype (Type): an integer type. Default: int32.

    Inputs:
        - **n** (Union[Tensor, int]) - how many numbers, 0 .. `max_length`; at the call.

    Outputs:
        Tensor of shape (max_length,).
    """
    def __init__(self, max_length: Any = 1, pad: Any = -1, dtype: Any = ...) -> None: ...
    def __call__(self, n: Any) -> Tensor: ...

class RandpermV2(Primitive):
    """A permutation of 0 .. n - 1, the same at every call; see :func:`ops.randperm`.

    Args:
        seed (int): used when `offset` is 0; -1 gives another permutation at every call. Default:
            0.
        offset (int): used in place of `seed` when it is not 0. Default: 0.
        dtype (Type): an integer or floating type that can hold n - 1. Default: int64.

    Inputs:
        - **n** (Union[int, Tensor]) - how many numbers, at least 1; at the call.

    Outputs:
        Tensor of shape (n,).
    """
    def __init__(self, seed: Any = 0, offset: Any = 0, dtype: Any = ...) -> None: ...
    def __call__(self, n: Any) -> Tensor: ...

class Range(Primitive):
    """Evenly spaced numbers, see :func:`ops.arange`.

    ``ops.range`` as a class: made with `maxlen`, called with `start`, `end`, `step`.

    Args:
        maxlen (int): the largest length that is accepted. Default: 1000000.

    Inputs:
        - **start** (Union[number, Tensor]) - the first number.
        - **end** (Union[number, Tensor]) - the bound, not included.
        - **step** (Union[number, Tensor]) - the distance.

    Outputs:
        Tensor with one axis, int64 or float32.
    """
    def __init__(self, maxlen: int = 1000000) -> None: ...
    def __call__(self, start: Any, end: Any, step: Any) -> Tensor: ...

class Rank(Primitive):
    """The number of axes of a tensor.

    Inputs:
        - **input_x** (Tensor) - any tensor.

    Outputs:
        int.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> int: ...

class ReLU(Primitive):
    r"""Rectifier: :math:`out_i = \max(input_i, 0)`.

    Inputs:
        - **input** (Tensor) - real, any shape.
        - **inplace** (bool) - whether the result overwrites the input. Default: False.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, inplace: bool = False) -> Tensor: ...

class ReLU6(Primitive):
    r"""Rectifier with a ceiling: :math:`out_i = \min(\max(x_i, 0), 6)`.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Real(Primitive):
    r"""Real part: :math:`out_i = \Re(input_i)`.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tensor of the same shape; a real tensor is returned as it is.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class RealDiv(Primitive):
    """Divide within the common type: :math:`out_i = x_i / y_i`, integers truncated.

    Inputs:
        - **x** (Union[Tensor, number]) - the dividend.
        - **y** (Union[Tensor, number]) - the divisor; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | Number, y: Tensor | Number) -> Tensor: ...

class Reciprocal(Primitive):
    """Reciprocal, element by element: :math:`out = 1 / x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class ReduceAll(Primitive):
    """Whether all elements along axes are true; see :func:`ops.all`.

    Args:
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Inputs:
        - **x** (Tensor) - any shape and type.
        - **axis** (Union[None, int, tuple, list]) - the axes. Default None: all.
    """
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = None) -> Tensor: ...

class ReduceAny(Primitive):
    """Whether some elements along axes are true; see :func:`ops.any`.

    Args:
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Inputs:
        - **x** (Tensor) - any shape and type.
        - **axis** (Union[None, int, tuple, list]) - the axes. Default None: all.
    """
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = None) -> Tensor: ...

class ReduceMax(Primitive):
    """Largest elements along axes.

    Args:
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.
        - **axis** (Union[int, tuple, list]) - the axes. Default (): all.

    Outputs:
        Tensor of the type of `x`.
    """
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = ...) -> Tensor: ...

class ReduceMean(Primitive):
    """Mean along axes.

    Args:
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.
        - **axis** (Union[int, tuple, list]) - the axes. Default (): all.

    Outputs:
        Tensor of the type of `x`.
    """
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = ...) -> Tensor: ...

class ReduceMin(Primitive):
    """Smallest elements along axes.

    Args:
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.
        - **axis** (Union[int, tuple, list]) - the axes. Default (): all.

    Outputs:
        Tensor of the type of `x`.
    """
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = ...) -> Tensor: ...

class ReduceProd(Primitive):
    """Product along axes.

    Args:
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.
        - **axis** (Union[int, tuple, list]) - the axes. Default (): all.

    Outputs:
        Tensor of the type of `x`.
    """
    def __init__(self, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = ...) -> Tensor: ...

class ReduceStd(Primitive):
    """Standard deviation and mean along axes.

    Args:
        axis (Union[int, tuple, list]): the axes. Default (): all.
        unbiased (bool): whether the divisor is N - 1. Default: True.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.

    Outputs:
        Tuple of standard deviation and mean.
    """
    def __init__(self, axis: Any = ..., unbiased: bool = True, keep_dims: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

class ReduceSum(Primitive):
    """Sum along axes.

    Args:
        keep_dims (bool): whether the axes stay, with size 1. Default: False.
        skip_mode (bool): whether an empty `axis` means that nothing is summed. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.
        - **axis** (Union[int, tuple, list]) - the axes. Default (): all, see `skip_mode`.

    Outputs:
        Tensor of the type of `x`.
    """
    def __init__(self, keep_dims: bool = False, skip_mode: bool = False) -> None: ...
    def __call__(self, x: Tensor, axis: Any = ...) -> Tensor: ...

class Renorm(Primitive):
    """Scale the slices along an axis whose norm is too large down to it; see :func:`ops.renorm`.

    Args:
        p (number): the norm, positive.
        dim (int): the axis whose slices are measured.
        maxnorm (number): the largest norm.

    Inputs:
        - **input_x** (Tensor) - a floating or complex type, one axis or more.

    Outputs:
        Tensor of the same shape.
    """
    def __init__(self, p: float, dim: int, maxnorm: float) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class Reshape(Primitive):
    """Change the shape of a tensor, in the same order.

    Inputs:
        - **input** (Tensor) - any shape.
        - **shape** (Union[tuple, list, Tensor]) - the new shape; one size may be -1, which is what is
            left.

    Outputs:
        Tensor of that shape, a view where the layout allows.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, shape: Any) -> Tensor: ...

class ReshapeAndCache(Primitive):
    r"""Write keys and values of tokens into caches in blocks (see the note on blocks).

    Inputs:
        - **key** (Tensor) - shape :math:`(tokens, heads, size)`, or with heads and size joined.
        - **value** (Tensor) - likewise. Default: None.
        - **key_cache** (Parameter) - shape :math:`(blocks, block\_size, heads, size)`; changed.
        - **value_cache** (Parameter) - likewise. Default: None.
        - **slot_mapping** (Tensor) - the place of each token in the whole cache, integers of shape
          :math:`(tokens,)`; a negative one leaves the token out.

    Outputs:
        Tensor, `key`.
    """
    def __init__(self) -> None: ...
    def __call__(self, key: Tensor, value: Tensor | None = None, key_cache: Tensor | None = None, value_cache: Tensor | None = None, slot_mapping: Tensor | None = None) -> Tensor: ...

class ResizeArea(Primitive):
    """Resize images: every output pixel is the mean of the area that it covers.

    Args:
        align_corners (bool): whether the first and last rows and columns coincide. Default: False.

    Inputs:
        - **images** (Tensor) - any real dtype, shape (N, H, W, C).
        - **size** (Union[Tensor, tuple[int]]) - (height, width) of the output.

    Outputs:
        Tensor of shape (N, height, width, C), float32 (float64 if the images are).
    """
    def __init__(self, align_corners: bool = False) -> None: ...
    def __call__(self, images: Tensor, size: Any) -> Tensor: ...

class ResizeBicubic(Primitive):
    """Resize images by bicubic interpolation.

    The coefficient is -0.5, and elements beyond the borders are left out, with half pixel centers;
    otherwise it is -0.75, and they are the border's.

    Args:
        align_corners (bool): whether the corners' centers coincide. Default: False.
        half_pixel_centers (bool): whether pixels have their centers at half places. Default: False.

    Inputs:
        - **image** (Tensor) - shape (N, C, H, W).
        - **size** (Union[tuple[int], Tensor]) - (height, width) of the output.

    Outputs:
        Tensor of shape (N, C, height, width).
    """
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, image: Tensor, size: Any) -> Tensor: ...

class ResizeBilinear(Primitive):
    """Resize images by bilinear interpolation to a size given to the constructor.

    Args:
        size (Union[tuple[int], list[int]]): (height, width) of the output.
        align_corners (bool): whether the corners' centers coincide. Default: False.
        half_pixel_centers (bool): whether pixels have their centers at half places. Default: False.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W).

    Outputs:
        Tensor of shape (N, C, height, width).
    """
    def __init__(self, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class ResizeBilinearV2(Primitive):
    """Resize images by bilinear interpolation.

    Args:
        align_corners (bool): whether the corners' centers coincide. Default: False.
        half_pixel_centers (bool): whether pixels have their centers at half places, as
            ``ops.interpolate`` has it; otherwise place i comes from i times the ratio of sizes.
            Default: False.

    Inputs:
        - **image** (Tensor) - shape (N, C, H, W).
        - **size** (Union[tuple[int], Tensor]) - (height, width) of the output.

    Outputs:
        Tensor of shape (N, C, height, width).
    """
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, image: Tensor, size: Any) -> Tensor: ...

class ResizeLinear1D(Primitive):
    """Resize sequences by linear interpolation.

    Args:
        coordinate_transformation_mode (str): ``align_corners`` or ``half_pixel``. Default:
            ``"align_corners"``.

    Inputs:
        - **x** (Tensor) - shape (N, C, L).
        - **size** (Union[tuple[int], Tensor]) - (length,) of the output.

    Outputs:
        Tensor of shape (N, C, length).
    """
    def __init__(self, coordinate_transformation_mode: str = 'align_corners') -> None: ...
    def __call__(self, x: Tensor, size: Any) -> Tensor: ...

class ResizeNearestNeighbor(Primitive):
    """Resize images by nearest-neighbor sampling, to a size given to the constructor.

    Args:
        size (Union[tuple[int], list[int]]): (height, width) of the output.
        align_corners (bool): whether the corners' centers coincide. Default: False.
        half_pixel_centers (bool): accepted; MindSpore's CPU kernel does not look at it, nor does
            agar. Default: False.

    Inputs:
        - **input_x** (Tensor) - shape (N, C, H, W).

    Outputs:
        Tensor of shape (N, C, height, width).
    """
    def __init__(self, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class ResizeNearestNeighborV2(Primitive):
    """Resize images by nearest-neighbor sampling.

    Args:
        align_corners (bool): whether the corners' centers coincide. Default: False.
        half_pixel_centers (bool): whether pixels have their centers at half places. Default: False.

    Inputs:
        - **image** (Tensor) - shape (N, C, H, W).
        - **size** (Union[tuple[int], Tensor]) - (height, width) of the output.

    Outputs:
        Tensor of shape (N, C, height, width).
    """
    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None: ...
    def __call__(self, image: Tensor, size: Any) -> Tensor: ...

class ReverseSequence(Primitive):
    """Reverse the beginning of each sequence of a batch.

    ``ops.reverse_sequence`` as a class: made with `seq_dim`, `batch_dim`, called with `x`,
    `seq_lengths`.

    Args:
        seq_dim (int): the axis of the sequences.
        batch_dim (int): the axis of the batch. Default: 0.

    Inputs:
        - **x** (Tensor) - any shape.
        - **seq_lengths** (Tensor) - how many elements to reverse, integers of shape (batch,).

    Outputs:
        Tensor of the same shape.
    """
    def __init__(self, seq_dim: int, batch_dim: int = 0) -> None: ...
    def __call__(self, x: Tensor, seq_lengths: Tensor) -> Tensor: ...

class ReverseV2(Primitive):
    """Reverse the order along axes.

    ``ops.reverse`` as a class: made with `axis`, called with `input`.

    Args:
        axis (Union[tuple, list]): the axes; none changes nothing.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tensor, a copy.
    """
    def __init__(self, axis: Any) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class RightShift(Primitive):
    r"""Shift bits to the right, element by element: :math:`out = \lfloor input / 2^{other} \rfloor`.

    Inputs:
        - **input** (Union[Tensor, int]) - an integer type.
        - **other** (Union[Tensor, int]) - the number of places; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class RingAttentionUpdate(Primitive):
    r"""Attention over all keys, from the attention over two halves of them.

    With the largest scores :math:`m_1, m_2`, the sums :math:`s_1, s_2` and
    :math:`m = \max(m_1, m_2)`:

    .. math::
        s = s_1 e^{m_1 - m} + s_2 e^{m_2 - m}, \quad
        out = \frac{s_1 e^{m_1 - m}}{s} out_1 + \frac{s_2 e^{m_2 - m}}{s} out_2

    Inputs:
        - **prev_attn_out** (Tensor) - the first attention, shape :math:`(S, B, H)` or :math:`(T, N, D)`.
        - **prev_softmax_max** (Tensor) - the largest score of each row, shape :math:`(B, N, S, 8)` or
            :math:`(T, N, 8)`: eight times the same.
        - **prev_softmax_sum** (Tensor) - the sum of exponentials of each row, likewise.
        - **cur_attn_out** (Tensor) - the second attention.
        - **cur_softmax_max** (Tensor) - its largest scores.
        - **cur_softmax_sum** (Tensor) - its sums.
        - **actual_seq_qlen** (Tensor) - must be given for layout TND: where the samples end.
            Default: None.
        - **layout** (str) - ``"SBH"`` or ``"TND"``. Default: ``"SBH"``.

    Outputs:
        tuple of the attention, the largest scores and the sums, like the first three
        arguments.
    """
    def __init__(self) -> None: ...
    def __call__(self, prev_attn_out: Tensor, prev_softmax_max: Tensor, prev_softmax_sum: Tensor, cur_attn_out: Tensor, cur_softmax_max: Tensor, cur_softmax_sum: Tensor, actual_seq_qlen: Tensor | None = None, layout: str = 'SBH') -> tuple[Tensor, Tensor, Tensor]: ...

class Rint(Primitive):
    """Nearest integer, halves to even, element by element.

    Inputs:
        - **input_x** (Tensor) - floating type, any shape.

    Outputs:
        Tensor of the same shape and type.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class RmsNorm(Primitive):
    r"""Divide by the root mean square over the trailing axes.

    .. math:: out = \frac{x}{\sqrt{\mathrm{mean}(x^2) + \epsilon}} \cdot \gamma

    ``ops.rms_norm`` as a class: made with `epsilon`, called with `x`, `gamma`.

    Args:
        epsilon (float): :math:`\epsilon`. Default: 1e-6.

    Inputs:
        - **x** (Tensor) - floating point, its shape ending in that of `gamma`.
        - **gamma** (Tensor) - scale.

    Outputs:
        Tuple of the output and the reciprocal root mean square (the normalized axes have size
        1).
    """
    def __init__(self, epsilon: float = 1e-06) -> None: ...
    def __call__(self, x: Tensor, gamma: Tensor) -> tuple[Tensor, Tensor]: ...

class Roll(Primitive):
    """Shift the elements along axes; those pushed off the end come in at the front.

    ``ops.roll`` as a class: made with `shifts`, `dims`, called with `input`.

    Args:
        shifts (Union[int, tuple, list]): by how many places, for each axis.
        dims (Union[int, tuple, list]): the axes. Default None: `input` is taken as flat.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tensor of the same shape.
    """
    def __init__(self, shifts: Any, dims: Any = None) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class RotaryPositionEmbedding(Primitive):
    r"""Rotary position embedding: features rotated by angles that grow with the position.

    .. math::
        out = x \cdot \cos + \mathrm{rotate}(x) \cdot \sin

    Mode 0 rotates halves, :math:`(x_1, x_2) \to (-x_2, x_1)`, mode 1 neighbors.

    Inputs:
        - **x** (Tensor) - shape :math:`(B, N, S, D)` or in another order with the features last, an even
            number.
        - **cos** (Tensor) - the cosines, of a shape that broadcasts with `x`.
        - **sin** (Tensor) - the sines, likewise.
        - **mode** (int) - 0 or 1. Default: 0.

    Outputs:
        Tensor of the shape and type of `x`.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, cos: Tensor, sin: Tensor, mode: int = 0) -> Tensor: ...

class RotatedIou(Primitive):
    """Intersection over union of rotated rectangles.

    Inputs:
        - **boxes** (Tensor) - the first rectangles, shape :math:`(B, N, 5)`: center x and y, width,
            height, and the angle in degrees.
        - **query_boxes** (Tensor) - the second ones, shape :math:`(B, K, 5)`.
        - **trans** (bool) - whether the first four numbers are x and y of two opposite corners instead.
            Default: False.
        - **mode** (int) - 0 for the area of the union, 1 for that of the first rectangle. Default: 0.
        - **is_cross** (bool) - whether to compare all pairs, not only those of equal places.
            Default: True.
        - **v_threshold** (float) - how far outside of a rectangle, relative to its sides, a corner still
            counts as inside. Default: 0.0.
        - **e_threshold** (float) - how far beyond their ends, relative to their lengths, sides still
            cross. Default: 0.0.

    Outputs:
        Tensor of shape :math:`(B, N, K)`, or :math:`(B, N)` for equal places, and the type of
        `boxes`.
    """
    def __init__(self) -> None: ...
    def __call__(self, boxes: Tensor, query_boxes: Tensor, trans: bool = False, mode: int = 0, is_cross: bool = True, v_threshold: float = 0.0, e_threshold: float = 0.0) -> Tensor: ...

class Round(Primitive):
    """Nearest integer, halves to even; the call takes `decimals` (see :func:`ops.round`).

    Inputs:
        - **input** (Tensor) - any shape.
        - **decimals** (int) - digits after the point to keep; negative ones round before the point.
            Default: 0.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, decimals: int = 0) -> Tensor: ...

class Rsqrt(Primitive):
    r"""Reciprocal square root, element by element: :math:`out = 1 / \sqrt{x}`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class SGD(Primitive):
    r"""One step of descent with momentum, dampening and decay.

    .. math::
        g = g + decay \cdot w, \quad
        v = u v + (1 - dampening) g, \quad
        w = w - lr \cdot v

    With `nesterov`, :math:`w = w - lr (g + u v)`. Where `stat` is above zero, the step is the
    first: v becomes g, and `stat` zero.

    Args:
        dampening (float): takes from the gradient. Default: 0.0.
        weight_decay (float): decay of the parameters. Default: 0.0.
        nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **parameters** (Parameter) - the variable.
        - **gradient** (Tensor) - of the same shape.
        - **learning_rate** (Union[float, Tensor]) - a number.
        - **accum** (Parameter) - the momentum's sum, v.
        - **momentum** (Union[float, Tensor]) - u.
        - **stat** (Parameter) - which elements take their first step.

    Outputs:
        `parameters`.
    """
    def __init__(self, dampening: float = 0.0, weight_decay: float = 0.0, nesterov: bool = False) -> None: ...
    def __call__(self, parameters: Tensor, gradient: Tensor, learning_rate: Tensor | Number, accum: Tensor, momentum: Tensor | Number, stat: Tensor) -> Tensor: ...

class STFT(Primitive):
    """Fourier transforms of the frames of a signal, without padding; see :func:`ops.stft`.

    Args:
        n_fft (int): length of a frame.
        hop_length (int): distance of frames.
        win_length (int): length of the window.
        normalized (bool): whether to divide by the root of `n_fft`.
        onesided (bool): whether to give the first half of the frequencies.
        return_complex (bool): whether the result is complex.

    Inputs:
        - **signal** (Tensor) - shape :math:`(L,)` or :math:`(B, L)`.
        - **window** (Tensor) - the window.
    """
    def __init__(self, n_fft: int, hop_length: int, win_length: int, normalized: bool, onesided: bool, return_complex: bool) -> None: ...
    def __call__(self, signal: Tensor, window: Tensor) -> Tensor: ...

class SampleDistortedBoundingBoxV2(Primitive):
    """A random box for cropping an image that keeps enough of one of its objects.

    Args:
        seed (int): first number of the seed. Default: 0.
        seed2 (int): second number of the seed. Default: 0.
        aspect_ratio_range (tuple): bounds of width over height. Default: (0.75, 1.33).
        area_range (tuple): bounds of the share of the image's area. Default: (0.05, 1.0).
        max_attempts (int): the number of boxes to try before the whole image is taken.
            Default: 100.
        use_image_if_no_bounding_boxes (bool): whether the whole image is the object where no boxes
            are given; otherwise that is an error. Default: False.

    Inputs:
        - **image_size** (Tensor) - height, width and channels, integers.
        - **bounding_boxes** (Tensor) - the objects as (y1, x1, y2, x2), shares of the image's
            extent: shape :math:`(B, N, 4)`.
        - **min_object_covered** (Union[Tensor, float]) - the share of an object that must be kept.

    Outputs:
        Tuple of where the box begins (y, x, 0) and its size (height, width, -1), in the type
        of `image_size`, and the box as shares, float32 of shape (1, 1, 4).
    """
    def __init__(self, seed: int = 0, seed2: int = 0, aspect_ratio_range: Any = ..., area_range: Any = ..., max_attempts: int = 100, use_image_if_no_bounding_boxes: bool = False) -> None: ...
    def __call__(self, image_size: Tensor, bounding_boxes: Tensor, min_object_covered: Tensor | Any) -> tuple[Tensor, Tensor, Tensor]: ...

class ScaleAndTranslate(Primitive):
    r"""Images scaled and translated, then cropped to a size.

    The pixel at position p goes to :math:`p \cdot scale + translation`; where nothing of the image
    arrives the result is 0.

    Args:
        kernel_type (str): how pixels are weighted by their distance: ``"lanczos1"``,
            ``"lanczos3"``, ``"lanczos5"``, ``"gaussian"``, ``"box"``, ``"triangle"``,
            ``"keyscubic"`` or ``"mitchellcubic"``. Default: ``"lanczos3"``.
        antialias (bool): whether the kernel widens where the image shrinks. Default: True.

    Inputs:
        - **images** (Tensor) - shape :math:`(N, H, W, C)`.
        - **size** (Tensor) - height and width of the result.
        - **scale** (Tensor) - the factors for both, positive.
        - **translation** (Tensor) - how far to move both, in pixels of the result.

    Outputs:
        Tensor of shape :math:`(N, size_0, size_1, C)`: float64 for float64, else float32.
    """
    def __init__(self, kernel_type: str = 'lanczos3', antialias: bool = True) -> None: ...
    def __call__(self, images: Tensor, size: Any, scale: Any, translation: Any) -> Tensor: ...

class ScatterAdd(Primitive):
    """Add updates to slices of a parameter; see :func:`ops.scatter_add`.

    Args:
        use_locking (bool): accepted, without effect. Default: False.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers, any shape: indices of the first axis.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterAddWithAxis(Primitive):
    """A copy of a tensor with numbers added at indices along an axis.

    See :func:`ops.tensor_scatter_elements` with ``reduction="add"``.

    Args:
        axis (int): the axis. Default: 0.

    Inputs:
        - **input_x** (Tensor) - the tensor to start from; not changed.
        - **indices** (Tensor) - integers, of the rank of `input_x`.
        - **updates** (Tensor) - what to write, of the shape of `indices`.

    Outputs:
        Tensor.
    """
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...

class ScatterDiv(Primitive):
    """Divide slices of a parameter by updates; see :func:`ops.scatter_div`.

    Args:
        use_locking (bool): accepted, without effect. Default: False.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers, any shape: indices of the first axis.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterMax(Primitive):
    """Set slices of a parameter to the larger of their elements and updates; see :func:`ops.scatter_max`.

    Args:
        use_locking (bool): accepted, without effect. Default: False.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers, any shape: indices of the first axis.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterMin(Primitive):
    """Set slices of a parameter to the smaller of their elements and updates; see :func:`ops.scatter_min`.

    Args:
        use_locking (bool): accepted, without effect. Default: False.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers, any shape: indices of the first axis.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterMul(Primitive):
    """Multiply slices of a parameter by updates; see :func:`ops.scatter_mul`.

    Args:
        use_locking (bool): accepted, without effect. Default: False.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers, any shape: indices of the first axis.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterNd(Primitive):
    """A tensor of zeros to which slices are added.

    Inputs:
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes.
        - **updates** (Tensor) - the slices, of shape ``indices.shape[:-1] + shape[indices.shape[-1]:]``.
        - **shape** (tuple) - the shape of the result.

    Outputs:
        Tensor of the type of `updates`; slices of equal indices are summed.
    """
    def __init__(self) -> None: ...
    def __call__(self, indices: Tensor, updates: Tensor, shape: Any) -> Tensor: ...

class ScatterNdAdd(Primitive):
    """Add updates to slices of a parameter; see :func:`ops.scatter_nd_add`.

    Args:
        use_locking (bool): accepted, without effect. Default: False.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterNdDiv(Primitive):
    """Divide slices of a parameter by updates; see :func:`ops.scatter_nd_div`.

    Args:
        use_locking (bool): accepted, without effect. Default: False.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterNdMax(Primitive):
    """Set slices of a parameter to the larger of their elements and updates; see :func:`ops.scatter_nd_max`.

    Args:
        use_locking (bool): accepted, without effect. Default: False.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterNdMin(Primitive):
    """Set slices of a parameter to the smaller of their elements and updates; see :func:`ops.scatter_nd_min`.

    Args:
        use_locking (bool): accepted, without effect. Default: False.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterNdMul(Primitive):
    """Multiply slices of a parameter by updates; see :func:`ops.scatter_nd_mul`.

    Args:
        use_locking (bool): accepted, without effect. Default: False.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterNdSub(Primitive):
    """Subtract updates from slices of a parameter; see :func:`ops.scatter_nd_sub`.

    Args:
        use_locking (bool): accepted, without effect. Default: False.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterNdUpdate(Primitive):
    """Replace slices of a parameter with updates; see :func:`ops.scatter_nd_update`.

    Args:
        use_locking (bool): accepted, without effect. Default: True.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = True) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterNonAliasingAdd(Primitive):
    """Add slices to a parameter at indices; see :func:`ops.scatter_nd_add`.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterSub(Primitive):
    """Subtract updates from slices of a parameter; see :func:`ops.scatter_sub`.

    Args:
        use_locking (bool): accepted, without effect. Default: False.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers, any shape: indices of the first axis.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class ScatterUpdate(Primitive):
    """Replace slices of a parameter with updates; see :func:`ops.scatter_update`.

    Args:
        use_locking (bool): accepted, without effect. Default: True.

    Inputs:
        - **input_x** (Parameter) - the parameter, which is changed.
        - **indices** (Tensor) - integers, any shape: indices of the first axis.
        - **updates** (Tensor) - one slice for each index.

    Outputs:
        Tensor, the new value, over the parameter's memory.
    """
    def __init__(self, use_locking: bool = True) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> None: ...

class SeLU(Primitive):
    r"""Self-normalizing exponential linear unit.

    .. math:: out_i = s \cdot x_i \text{ if positive, else } s \cdot \alpha (e^{x_i} - 1),
        \quad s = 1.05070098,\ \alpha = 1.67326324

    Inputs:
        - **input_x** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class SearchSorted(Primitive):
    """Where to insert values so that a sequence stays sorted; see :func:`ops.searchsorted`.

    Args:
        dtype (Type): the type of the result, int32 or int64. Default: int64.
        right (bool): whether a value goes behind its equals. Default: False.

    Inputs:
        - **sorted_sequence** (Tensor) - ascending along the last axis.
        - **values** (Tensor) - the values; the leading axes are those of the sequence.
        - **sorter** (Tensor) - indices that sort the sequence, if it is not sorted. Default: None.

    Outputs:
        Tensor of `dtype`, of the shape of `values`.
    """
    def __init__(self, dtype: Any = ..., right: bool = False) -> None: ...
    def __call__(self, sorted_sequence: Tensor, values: Tensor, sorter: Tensor | None = None) -> Tensor: ...

class SegmentMax(Primitive):
    """Largest element of the rows of each segment, whose ids are in ascending order.

    Inputs:
        - **input_x** (Tensor) - the rows.
        - **segment_ids** (Tensor) - the segment of each row, ascending integers, 1-D.

    Outputs:
        Tensor with one row more than the last number; where a number is missing 0,
        for a product 1.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, segment_ids: Tensor) -> Tensor: ...

class SegmentMean(Primitive):
    """Mean of the rows of each segment, whose ids are in ascending order.

    Inputs:
        - **input_x** (Tensor) - the rows.
        - **segment_ids** (Tensor) - the segment of each row, ascending integers, 1-D.

    Outputs:
        Tensor with one row more than the last number; where a number is missing 0,
        for a product 1.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, segment_ids: Tensor) -> Tensor: ...

class SegmentMin(Primitive):
    """Smallest element of the rows of each segment, whose ids are in ascending order.

    Inputs:
        - **input_x** (Tensor) - the rows.
        - **segment_ids** (Tensor) - the segment of each row, ascending integers, 1-D.

    Outputs:
        Tensor with one row more than the last number; where a number is missing 0,
        for a product 1.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, segment_ids: Tensor) -> Tensor: ...

class SegmentProd(Primitive):
    """Product of the rows of each segment, whose ids are in ascending order.

    Inputs:
        - **input_x** (Tensor) - the rows.
        - **segment_ids** (Tensor) - the segment of each row, ascending integers, 1-D.

    Outputs:
        Tensor with one row more than the last number; where a number is missing 0,
        for a product 1.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, segment_ids: Tensor) -> Tensor: ...

class SegmentSum(Primitive):
    """Sum of the rows of each segment, whose ids are in ascending order.

    Inputs:
        - **input_x** (Tensor) - the rows.
        - **segment_ids** (Tensor) - the segment of each row, ascending integers, 1-D.

    Outputs:
        Tensor with one row more than the last number; where a number is missing 0,
        for a product 1.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, segment_ids: Tensor) -> Tensor: ...

class Select(Primitive):
    """Select elements of two tensors by a condition; the same as :func:`ops.where`.

    Inputs:
        - **condition** (Tensor) - bool.
        - **input** (Union[Tensor, number]) - the values where the condition is true.
        - **other** (Union[Tensor, number]) - the values where it is false; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, condition: Tensor, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class SelectView(Primitive):
    """One slice of a tensor along an axis, as a view of it."""
    def __init__(self) -> None: ...
    def __call__(self, input_tensor: Tensor, input_indices: int, axis: int) -> Tensor: ...

class Shape(Primitive):
    """The sizes of a tensor's axes; see :func:`ops.shape`.

    Inputs:
        - **x** (Tensor) - any tensor.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> tuple[int, ...]: ...

class Sigmoid(Primitive):
    """Logistic function: :math:`out_i = 1 / (1 + e^{-input_i})`.

    Inputs:
        - **input** (Tensor) - floating point or complex, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class SigmoidCrossEntropyWithLogits(Primitive):
    r"""Cross entropy of scores of two classes, element by element.

    .. math::
        loss_i = -(y_i \log \sigma(x_i) + (1 - y_i) \log(1 - \sigma(x_i)))

    Inputs:
        - **logits** (Tensor) - scores x of any shape.
        - **label** (Tensor) - targets y of the same shape.

    Outputs:
        Tensor of the same shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, logits: Tensor, label: Tensor) -> Tensor: ...

class Sign(Primitive):
    r"""Sign, of complex numbers the direction, element by element: :math:`out = -1, 0 \text{ or } 1`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; the type is kept.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Sin(Primitive):
    r"""Sine of radians, element by element: :math:`out = \sin x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Sinc(Primitive):
    r"""Normalized sinc function, element by element: :math:`out = \sin(\pi x) / (\pi x)`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Sinh(Primitive):
    """Hyperbolic sine, element by element: :math:`out = (e^x - e^{-x}) / 2`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Size(Primitive):
    """The number of elements of a tensor.

    Inputs:
        - **input_x** (Tensor) - any tensor.

    Outputs:
        int.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> int: ...

class Slice(Primitive):
    """A block of a tensor.

    Inputs:
        - **input_x** (Tensor) - any shape.
        - **begin** (Union[tuple, list, Tensor]) - where the block begins, for each axis.
        - **size** (Union[tuple, list, Tensor]) - its sizes; -1 goes to the end.

    Outputs:
        Tensor, a view.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, begin: Any, size: Any) -> Tensor: ...

class SmoothL1Loss(Primitive):
    """Squared error near zero, absolute error beyond `beta`; see ``ops.smooth_l1_loss``.

    Args:
        beta (float): where the square becomes a line. Default: 1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"none"``.

    Inputs:
        - **prediction** (Tensor) - of any shape.
        - **target** (Tensor) - of the same shape.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of the inputs.
    """
    def __init__(self, beta: float = 1.0, reduction: str = 'none') -> None: ...
    def __call__(self, prediction: Tensor, target: Tensor) -> Tensor: ...

class SoftMarginLoss(Primitive):
    """Logistic loss of signs; see ``ops.soft_margin_loss``.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **input** (Tensor) - scores of any shape.
        - **target** (Tensor) - 1 or -1, of the same shape.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `input`.
    """
    def __init__(self, reduction: str = 'mean') -> None: ...
    def __call__(self, input: Tensor, target: Tensor) -> Tensor: ...

class SoftShrink(Primitive):
    r"""Shrink elements toward zero: :math:`out_i = sign(x_i) \max(|x_i| - \lambda, 0)`.

    ``ops.softshrink`` as a class: made with `lambd`, called with `input`.

    Args:
        lambd (Union[int, float]): :math:`\lambda`, not negative. Default: 0.5.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self, lambd: float = 0.5) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Softmax(Primitive):
    """Softmax along an axis, or along several as if they were one.

    Args:
        axis (Union[int, tuple[int]]): the axes whose elements sum to one. Default: -1.

    Inputs:
        - **input** (Tensor) - floating point, rank 1 or more.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self, axis: Any = -1) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class SoftmaxCrossEntropyWithLogits(Primitive):
    r"""Cross entropy of scores and probabilities, with its gradient beside it.

    .. math::
        loss_n = -\sum_c labels_{n,c} \log \mathrm{softmax}(logits_n)_c

    Inputs:
        - **logits** (Tensor) - scores, shape :math:`(N, C)`.
        - **labels** (Tensor) - probabilities of the same shape.

    Outputs:
        tuple of the losses, shape :math:`(N,)`, and :math:`\mathrm{softmax}(logits) - labels`.
    """
    def __init__(self) -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]: ...

class Softplus(Primitive):
    r"""Smooth rectifier.

    :math:`out_i = \ln(1 + e^{\beta x_i}) / \beta`, and :math:`x_i` itself
    where :math:`\beta x_i` exceeds the threshold.

    ``ops.softplus`` as a class: called with `input`.

    Inputs:
        - **input** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Softsign(Primitive):
    """Softsign: :math:`out_i = x_i / (1 + |x_i|)`.

    Inputs:
        - **x** (Tensor) - floating point, any shape.

    Outputs:
        Tensor of the input's shape and dtype.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Sort(Primitive):
    """Sort along an axis.

    ``ops.sort`` as a class: made with `axis`, `descending`, called with `x`.

    Args:
        axis (int): the axis. Default: -1.
        descending (bool): whether the largest come first. Default: False.

    Inputs:
        - **x** (Tensor) - any shape.

    Outputs:
        Tuple of the sorted values and where they were (int32). Equal elements keep their
        order.
    """
    def __init__(self, axis: int = -1, descending: bool = False) -> None: ...
    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]: ...

class SpaceToBatch(Primitive):
    """Move square blocks of images into the batch; see ``ops.space_to_batch_nd``.

    Args:
        block_size (int): size of a block, at least 2.
        paddings (Union[list, tuple]): zeros (before, after) height and width.

    Inputs:
        - **input_x** (Tensor) - shape (N, C, H, W).

    Outputs:
        Tensor whose batch is larger by the square of `block_size`.
    """
    def __init__(self, block_size: int, paddings: Any) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class SpaceToBatchND(Primitive):
    """Move blocks of the last dimensions into the batch.

    ``ops.space_to_batch_nd`` as a class: made with `block_shape`, `paddings`, called with
    `input_x`.

    Args:
        block_shape (Union[list[int], tuple[int], int]): sizes of a block, for the last dimensions.
        paddings (Union[list, tuple]): zeros (before, after) each of them.

    Inputs:
        - **input_x** (Tensor) - shape :math:`(N, C, *)`.

    Outputs:
        Tensor whose batch is larger by the size of a block.
    """
    def __init__(self, block_shape: Any, paddings: Any) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class SpaceToDepth(Primitive):
    r"""Move blocks of space into channels: :math:`(N, C, H, W) \to (N, C b^2, H / b, W / b)`.

    Output channel :math:`(i b + j) C + c` has the elements (i, j) of the blocks of channel c.

    Args:
        block_size (int): b, at least 2.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W), H and W multiples of b.

    Outputs:
        Tensor of the input's dtype.
    """
    def __init__(self, block_size: int) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class SparseApplyAdadelta(Primitive):
    """One step of :class:`ops.ApplyAdadelta` in some rows; the others and their state stay.

    Args:
        epsilon (float): added under the roots, at least 0.
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum**, **accum_update** (Parameter) - the variable and its state, of one
          shape.
        - **lr**, **rho** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var`, `accum` and `accum_update`.
    """
    def __init__(self, epsilon: float, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, accum_update: Tensor, lr: Tensor | Number, rho: Tensor | Number, grad: Tensor, indices: Tensor) -> tuple[Tensor, ...]: ...

class SparseApplyAdagrad(Primitive):
    """One step of :class:`ops.ApplyAdagrad` in some rows; the others and their state stay.

    Args:
        lr (float): the learning rate.
        update_slots (bool): whether `accum` changes. Default: True.
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the sum of squares, of one shape.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var` and `accum`.
    """
    def __init__(self, lr: float, update_slots: bool = True, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, grad: Tensor, indices: Tensor) -> tuple[Tensor, ...]: ...

class SparseApplyAdagradDA(Primitive):
    """One step of :class:`ops.ApplyAdagradDA` in some rows; the others and their sums stay.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **grad_accum**, **grad_square_accum** (Parameter) - the variable and the sums of
          gradients and of squares, of one shape.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
        - **lr**, **l1**, **l2**, **global_step** (Union[float, Tensor]) - numbers.

    Outputs:
        Tuple of `var` alone.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, grad_accum: Tensor, grad_square_accum: Tensor, grad: Tensor, indices: Tensor, lr: Tensor | Number, l1: Tensor | Number, l2: Tensor | Number, global_step: Tensor | Number) -> Tensor: ...

class SparseApplyAdagradV2(Primitive):
    """One step of :class:`ops.ApplyAdagrad` in some rows, with an epsilon under the root.

    Args:
        lr (float): the learning rate.
        epsilon (float): added to `accum` before the root, as observed.
        use_locking (bool): accepted for compatibility. Default: False.
        update_slots (bool): whether `accum` changes. Default: True.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the sum of squares, of one shape.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var` and `accum`.
    """
    def __init__(self, lr: float, epsilon: float, use_locking: bool = False, update_slots: bool = True) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, grad: Tensor, indices: Tensor) -> tuple[Tensor, ...]: ...

class SparseApplyCenteredRMSProp(Primitive):
    """One step of :class:`ops.ApplyCenteredRMSProp` in some rows; the others stay.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **mg**, **ms**, **mom** (Parameter) - the variable, the averages of gradients
          and squares, and the moment, of one shape.
        - **lr**, **rho**, **momentum**, **epsilon** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var` alone.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, mg: Tensor, ms: Tensor, mom: Tensor, lr: Tensor | Number, rho: Tensor | Number, momentum: Tensor | Number, epsilon: Tensor | Number, grad: Tensor, indices: Tensor) -> Tensor: ...

class SparseApplyFtrl(Primitive):
    """One step of :class:`ops.ApplyFtrl` in some rows; the others and their state stay.

    Args:
        lr (float): the learning rate, above 0.
        l1 (float): strength of the l1 term, at least 0.
        l2 (float): strength of the l2 term, at least 0.
        lr_power (float): at most 0.
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum**, **linear** (Parameter) - the variable and its state, of one shape.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var`, `accum` and `linear`.
    """
    def __init__(self, lr: float, l1: float, l2: float, lr_power: float, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, linear: Tensor, grad: Tensor, indices: Tensor) -> tuple[Tensor, ...]: ...

class SparseApplyFtrlV2(Primitive):
    """One step of :class:`ops.ApplyFtrl` in some rows; the others and their state stay.

    Args:
        lr (float): the learning rate, above 0.
        l1 (float): strength of the l1 term, at least 0.
        l2 (float): strength of the l2 term, at least 0.
        l2_shrinkage (float): times 2 w, it is added to the gradient, though not
            to its square.
        lr_power (float): at most 0.
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum**, **linear** (Parameter) - the variable and its state, of one shape.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var`, `accum` and `linear`.
    """
    def __init__(self, lr: float, l1: float, l2: float, l2_shrinkage: float, lr_power: float, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, linear: Tensor, grad: Tensor, indices: Tensor) -> tuple[Tensor, ...]: ...

class SparseApplyMomentum(Primitive):
    """One step of :class:`ops.ApplyMomentum` in some rows; the others and their sum stay.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.
        use_nesterov (bool): whether to look ahead. Default: False.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the momentum's sum, of one shape.
        - **lr** (Union[float, Tensor]) - a number.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.
        - **momentum** (Union[float, Tensor]) - a number.

    Outputs:
        Tuple of `var` alone.
    """
    def __init__(self, use_locking: bool = False, use_nesterov: bool = False) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, lr: Tensor | Number, grad: Tensor, indices: Tensor, momentum: Tensor | Number) -> Tensor: ...

class SparseApplyProximalAdagrad(Primitive):
    """One step of :class:`ops.ApplyProximalAdagrad` in some rows; the others stay.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **accum** (Parameter) - the variable and the sum of squares, of one shape.
        - **lr**, **l1**, **l2** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var` and `accum`.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, accum: Tensor, lr: Tensor | Number, l1: Tensor | Number, l2: Tensor | Number, grad: Tensor, indices: Tensor) -> tuple[Tensor, ...]: ...

class SparseApplyProximalGradientDescent(Primitive):
    """One step of :class:`ops.ApplyProximalGradientDescent` in some rows; the others stay.

    Args:
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var** (Parameter) - the variable.
        - **alpha**, **l1**, **l2** (Union[float, Tensor]) - numbers.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var` alone.
    """
    def __init__(self, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, alpha: Tensor | Number, l1: Tensor | Number, l2: Tensor | Number, grad: Tensor, indices: Tensor) -> Tensor: ...

class SparseApplyRMSProp(Primitive):
    """One step of :class:`ops.ApplyRMSProp` in some rows; the others and their state stay.

    Args:
        rho (float): decay of the average of squares, from 0 to 1.
        momentum (float): decay of the moment, at least 0.
        epsilon (float): added under the root, above 0.
        use_locking (bool): accepted for compatibility. Default: False.

    Inputs:
        - **var**, **ms**, **mom** (Parameter) - the variable, the average of squares and the
          moment, of one shape.
        - **lr** (Union[float, Tensor]) - a number.
        - **grad** (Tensor) - one slice for each index.
        - **indices** (Tensor) - integers, 1-D: indices of the first axis.

    Outputs:
        Tuple of `var`, `ms` and `mom`.
    """
    def __init__(self, rho: float, momentum: float, epsilon: float, use_locking: bool = False) -> None: ...
    def __call__(self, var: Tensor, ms: Tensor, mom: Tensor, lr: Tensor | Number, grad: Tensor, indices: Tensor) -> tuple[Tensor, ...]: ...

class SparseGatherV2(Primitive):
    """Slices of a tensor: :math:`out_{.., j.., ..} = params_{.., indices_{j..}, ..}`.

    ``ops.gather`` as a class: made with `batch_dims`, called with `input_params`, `input_indices`,
    `axis`.

    Args:
        batch_dims (int): how many leading axes the two have in common. Default: 0.

    Inputs:
        - **input_params** (Tensor) - the tensor to take from.
        - **input_indices** (Tensor) - integers, any shape; negative ones count from the end.
        - **axis** (int) - the axis the indices belong to.

    Outputs:
        Tensor in which the axis is replaced by the axes of the indices.
    """
    def __init__(self, batch_dims: int = 0) -> None: ...
    def __call__(self, input_params: Tensor, input_indices: Tensor, axis: Any) -> Tensor: ...

class SparseSlice(Primitive):
    """A block of a sparse tensor.

    Inputs:
        - **indices** (Tensor) - the places, of shape :math:`(N, rank)`.
        - **values** (Tensor) - the values, of shape :math:`(N,)`.
        - **shape** (Tensor) - the sizes of the sparse tensor, of shape :math:`(rank,)`.
        - **start** (Tensor) - where the block begins, of shape :math:`(rank,)`.
        - **size** (Tensor) - the sizes of the block, of shape :math:`(rank,)`; what reaches beyond
          the tensor is cut off.

    Outputs:
        Three Tensors: places inside of the block, values, and the block's sizes.
    """
    def __init__(self) -> None: ...
    def __call__(self, indices: Tensor, values: Tensor, shape: Tensor, start: Tensor, size: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class SparseSoftmaxCrossEntropyWithLogits(Primitive):
    r"""Mean cross entropy of scores and class indices.

    .. math::
        loss = -\frac{1}{N} \sum_n \log \mathrm{softmax}(logits_n)_{labels_n}

    Args:
        is_grad (bool): whether to return the gradient by the scores instead. Default: False.

    Inputs:
        - **logits** (Tensor) - scores, shape :math:`(*, C)`: classes along the last axis.
        - **labels** (Tensor) - class indices of an integer type, shape :math:`(*)`.

    Outputs:
        Tensor: a number, or with `is_grad` the shape of `logits`.
    """
    def __init__(self, is_grad: bool = False) -> None: ...
    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor: ...

class SparseTensorDenseAdd(Primitive):
    """The sum of a sparse and a dense tensor.

    Inputs:
        - **x1_indices** (Tensor) - the places, of shape :math:`(N, rank)`.
        - **x1_values** (Tensor) - the values, of shape :math:`(N,)`.
        - **x1_shape** (Union[tuple[int], Tensor]) - the sizes of the sparse tensor.
        - **x2** (Tensor) - a dense tensor of this shape, of the type of `x1_values`.

    Outputs:
        Tensor of the shape and type of `x2`.
    """
    def __init__(self) -> None: ...
    def __call__(self, x1_indices: Tensor, x1_values: Tensor, x1_shape: Any, x2: Tensor) -> Tensor: ...

class SparseTensorDenseMatmul(Primitive):
    """A sparse matrix times a dense one.

    Args:
        adjoint_st (bool): whether the sparse matrix is transposed (and conjugated). Default: False.
        adjoint_dt (bool): whether the dense matrix is transposed (and conjugated). Default: False.

    Inputs:
        - **indices** (Tensor) - the places, of shape :math:`(N, 2)`.
        - **values** (Tensor) - the values, of shape :math:`(N,)`.
        - **sparse_shape** (Union[tuple[int], Tensor]) - the two sizes of the sparse matrix.
        - **dense** (Tensor) - a matrix of the type of `values`.

    Outputs:
        Tensor, a matrix of the type of `values`.
    """
    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False) -> None: ...
    def __call__(self, indices: Tensor, values: Tensor, sparse_shape: Any, dense: Tensor) -> Tensor: ...

class SparseToDense(Primitive):
    """A dense tensor of the values at their indices, zero elsewhere.

    Inputs:
        - **indices** (Tensor) - the places, of shape :math:`(N, rank)`.
        - **values** (Tensor) - the values, of shape :math:`(N,)`; of one place the last stays.
        - **sparse_shape** (tuple[int]) - the sizes of the dense tensor.

    Outputs:
        Tensor of the type of `values`.
    """
    def __init__(self) -> None: ...
    def __call__(self, indices: Tensor, values: Tensor, sparse_shape: Any) -> Tensor: ...

class Split(Primitive):
    """Cut into equal parts along an axis.

    Args:
        axis (int): the axis. Default: 0.
        output_num (int): how many parts. Default: 1.

    Inputs:
        - **input_x** (Tensor) - any shape.

    Outputs:
        Tuple of Tensors, views.
    """
    def __init__(self, axis: int = 0, output_num: int = 1) -> None: ...
    def __call__(self, input_x: Tensor) -> tuple[Tensor, ...]: ...

class SplitV(Primitive):
    """Cut into parts of given sizes along an axis.

    Args:
        size_splits (Union[tuple, list]): the sizes; one may be -1, which is what is left.
        split_dim (int): the axis.
        num_split (int): how many parts.

    Inputs:
        - **input_x** (Tensor) - any shape.

    Outputs:
        Tuple of Tensors, views.
    """
    def __init__(self, size_splits: Any, split_dim: int, num_split: int) -> None: ...
    def __call__(self, input_x: Tensor) -> tuple[Tensor, ...]: ...

class Sqrt(Primitive):
    r"""Square root, element by element: :math:`out_i = \sqrt{x_i}`.

    Inputs:
        - **x** (Tensor) - any shape; negative elements give nan.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Square(Primitive):
    """Square, element by element: :math:`out_i = input_i^2`.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tensor of the same shape and type (bool gives int64).
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class SquareSumAll(Primitive):
    r"""The sums :math:`\sum x_i^2` and :math:`\sum y_i^2`."""
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]: ...

class SquaredDifference(Primitive):
    """Squared difference, element by element: :math:`out_i = |x_i - y_i|^2`.

    Inputs:
        - **x** (Union[Tensor, number]) - the first operand.
        - **y** (Union[Tensor, number]) - the second; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | Number, y: Tensor | Number) -> Tensor: ...

class Squeeze(Primitive):
    """Remove axes of size 1.

    ``ops.squeeze`` as a class: made with `axis`, called with `input`.

    Args:
        axis (Union[int, tuple, list]): the axes to leave out, where their size is 1; None or an
            empty tuple for all of size 1. Default: ().

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tensor, a view.
    """
    def __init__(self, axis: Any = ...) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Stack(Primitive):
    """Join tensors along a new axis.

    ``ops.stack`` as a class: made with `axis`, called with `input_x`.

    Args:
        axis (int): where the new axis goes. Default: 0.

    Inputs:
        - **input_x** (Union[tuple, list]) - tensors of one shape.

    Outputs:
        Tensor with one axis more, of the common type.
    """
    def __init__(self, axis: int = 0) -> None: ...
    def __call__(self, input_x: Tensor | Sequence[Tensor]) -> Tensor: ...

class StandardLaplace(Primitive):
    """Laplace numbers of location 0 and scale 1; see :func:`ops.standard_laplace`.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.

    Inputs:
        - **shape** (Union[tuple, list, Tensor]) - the shape; at the call.

    Outputs:
        Tensor of that shape, float32.
    """
    def __init__(self, seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, shape: Any) -> Tensor: ...

class StandardNormal(Primitive):
    """Standard normal numbers.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.

    Inputs:
        - **shape** (Union[tuple, list, Tensor]) - the shape; at the call.

    Outputs:
        Tensor of that shape, float32.
    """
    def __init__(self, seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, shape: Any) -> Tensor: ...

class StopGradient(Primitive):
    """The same values as a constant: no gradient flows through.

    Inputs:
        - **value** (Tensor) - any tensor.

    Outputs:
        Tensor over the same memory.
    """
    def __init__(self) -> None: ...
    def __call__(self, value: Tensor) -> Tensor: ...

class StridedSlice(Primitive):
    """Elements at equal steps along the axes; see :func:`ops.strided_slice`.

    Args:
        begin_mask (int): bit i set: slice i begins at its end of the axis. Default: 0.
        end_mask (int): bit i set: slice i goes to its end of the axis. Default: 0.
        ellipsis_mask (int): bit i set: entry i stands for all axes that are not named. Default: 0.
        new_axis_mask (int): bit i set: entry i is a new axis of size 1. Default: 0.
        shrink_axis_mask (int): bit i set: entry i takes the one element at `begin` and its axis
            disappears. Default: 0.

    Inputs:
        - **input_x** (Tensor) - any shape.
        - **begin** (tuple) - where each slice begins.
        - **end** (tuple) - where it ends.
        - **strides** (tuple) - its steps, not 0.

    Outputs:
        Tensor; a view if all steps are positive.
    """
    def __init__(self, begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> None: ...
    def __call__(self, input_x: Tensor, begin: Any, end: Any, strides: Any) -> Tensor: ...

class Sub(Primitive):
    """Subtract, element by element: :math:`out_i = input_i - other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - the minuend.
        - **other** (Union[Tensor, number, bool]) - the subtrahend; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type, as for :func:`ops.add`; two bool
        tensors give their exclusive or.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class SubAndFilter(Primitive):
    """The numbers less an offset that lie in [0, max_num), and their places.

    Inputs:
        - **input_x** (Tensor) - integers, one axis.
        - **max_num** (int) - the bound.
        - **offset** (int) - what is subtracted.

    Outputs:
        Tuple of the numbers and their places, both in the type of `input_x`.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, max_num: int, offset: int) -> tuple[Tensor, Tensor]: ...

class Svd(Primitive):
    r"""Singular value decomposition: :math:`input = U \operatorname{diag}(S) V^H`.

    ``ops.svd`` as a class: made with `full_matrices`, `compute_uv`, called with `input`.

    Args:
        full_matrices (bool): whether U and V are square. Default: False.
        compute_uv (bool): whether to give U and V too. Default: True.

    Inputs:
        - **input** (Tensor) - shape :math:`(.., M, N)`.

    Outputs:
        Tuple of S, U and V; S alone if `compute_uv` is False.
    """
    def __init__(self, full_matrices: bool = False, compute_uv: bool = True) -> None: ...
    def __call__(self, input: Tensor) -> Any: ...

class Tan(Primitive):
    r"""Tangent of radians, element by element: :math:`out = \tan x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class Tanh(Primitive):
    r"""Hyperbolic tangent, element by element: :math:`out = \tanh x`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class TensorAdd(Primitive):
    """Add, element by element: :math:`out_i = input_i + other_i`.

    Inputs:
        - **input** (Union[Tensor, number, bool]) - the first summand.
        - **other** (Union[Tensor, number, bool]) - the second; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type; a number takes the tensor's type,
        except that a float with integers gives float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class TensorScatterAdd(Primitive):
    """A copy of a tensor in which slices are added to.

    Inputs:
        - **input_x** (Tensor) - what to start from; it stays as it is.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes
            of `input_x`.
        - **updates** (Tensor) - the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Outputs:
        Tensor of the shape and type of `input_x`. Of equal indices all count.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...

class TensorScatterDiv(Primitive):
    """A copy of a tensor in which slices are divided.

    Inputs:
        - **input_x** (Tensor) - what to start from; it stays as it is.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes
            of `input_x`.
        - **updates** (Tensor) - the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Outputs:
        Tensor of the shape and type of `input_x`. Of equal indices all count.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...

class TensorScatterElements(Primitive):
    """Write or add elements along an axis; see :func:`ops.scatter`.

    ``ops.tensor_scatter_elements`` as a class: made with `axis`, `reduction`, called with `data`,
    `indices`, `updates`.

    Args:
        axis (int): the axis. Default: 0.
        reduction (str): ``"none"`` writes, ``"add"`` adds. Default: ``"none"``.

    Inputs:
        - **data** (Tensor) - the tensor to start from; not changed.
        - **indices** (Tensor) - integers, of the rank of `data`.
        - **updates** (Tensor) - what to write, of the shape of `indices`.

    Outputs:
        Tensor.
    """
    def __init__(self, axis: int = 0, reduction: str = 'none') -> None: ...
    def __call__(self, data: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...

class TensorScatterMax(Primitive):
    """A copy of a tensor in which slices are replaced where the update is larger.

    Inputs:
        - **input_x** (Tensor) - what to start from; it stays as it is.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes
            of `input_x`.
        - **updates** (Tensor) - the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Outputs:
        Tensor of the shape and type of `input_x`. Of equal indices all count.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...

class TensorScatterMin(Primitive):
    """A copy of a tensor in which slices are replaced where the update is smaller.

    Inputs:
        - **input_x** (Tensor) - what to start from; it stays as it is.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes
            of `input_x`.
        - **updates** (Tensor) - the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Outputs:
        Tensor of the shape and type of `input_x`. Of equal indices all count.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...

class TensorScatterMul(Primitive):
    """A copy of a tensor in which slices are multiplied.

    Inputs:
        - **input_x** (Tensor) - what to start from; it stays as it is.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes
            of `input_x`.
        - **updates** (Tensor) - the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Outputs:
        Tensor of the shape and type of `input_x`. Of equal indices all count.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...

class TensorScatterSub(Primitive):
    """A copy of a tensor in which slices are subtracted from.

    Inputs:
        - **input_x** (Tensor) - what to start from; it stays as it is.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes
            of `input_x`.
        - **updates** (Tensor) - the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Outputs:
        Tensor of the shape and type of `input_x`. Of equal indices all count.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...

class TensorScatterUpdate(Primitive):
    """A copy of a tensor in which slices are replaced.

    Inputs:
        - **input_x** (Tensor) - what to start from; it stays as it is.
        - **indices** (Tensor) - integers; the last axis holds the indices of the leading axes
            of `input_x`.
        - **updates** (Tensor) - the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Outputs:
        Tensor of the shape and type of `input_x`. Of equal indices all count except that one is written.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor: ...

class TensorShape(Primitive):
    """The sizes of a tensor's axes, as a tensor.

    Inputs:
        - **input_x** (Tensor) - any tensor.

    Outputs:
        Tensor of int64.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor) -> Tensor: ...

class ThorIm2Col(Primitive):
    """Patches of images, with the pixels of a patch on the leading axes.

    Args:
        kernel_size (Union[int, tuple]): height and width of the kernel.
        pad_mode (str): ``"valid"`` for patches inside the image, ``"same"`` for as many as pixels,
            divided by the stride and rounded up, ``"pad"`` for `pad` zeros on each side.
            Default: ``"valid"``.
        pad (int): see `pad_mode`. Default: 0.
        stride (Union[int, tuple]): the distance of patches. Default: 1.
        dilation (Union[int, tuple]): the distance of a patch's pixels. Default: 1.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W).

    Outputs:
        Tensor of shape (C, kernel height, kernel width, N, H', W').
    """
    def __init__(self, kernel_size: Any, pad_mode: str = 'valid', pad: int = 0, stride: Any = 1, dilation: Any = 1) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Tile(Primitive):
    """Repeat the whole tensor along its axes.

    Inputs:
        - **input** (Tensor) - any shape.
        - **dims** (tuple) - how often along each axis, counted from the last; more entries than axes add
            leading ones.

    Outputs:
        Tensor.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, dims: Any) -> Tensor: ...

class TopK(Primitive):
    """The k largest or smallest elements along an axis.

    ``ops.topk`` as a class: made with `sorted`, called with `input_x`, `k`.

    Args:
        sorted (bool): whether they come in order. Default: True.

    Inputs:
        - **input_x** (Tensor) - any shape.
        - **k** (Union[int, Tensor]) - how many; it may depend on the data.

    Outputs:
        Tuple of values and indices (int32).
    """
    def __init__(self, sorted: bool = True) -> None: ...
    def __call__(self, input_x: Tensor, k: Any) -> tuple[Tensor, Tensor]: ...

class Trace(Primitive):
    r"""Sum of the diagonal of a matrix: :math:`\sum_i input_{ii}`.

    Inputs:
        - **input** (Tensor) - a matrix.

    Outputs:
        Tensor, 0-d, of the type of `input`.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class TransShape(Primitive):
    """A tensor in another shape; unlike :func:`ops.reshape`, every size is given.

    Inputs:
        - **input_x** (Tensor) - the tensor.
        - **out_shape** (tuple[int]) - its new shape, of as many elements.

    Outputs:
        Tensor of that shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, out_shape: Any) -> Tensor: ...

class Transpose(Primitive):
    """Arrange the axes in another order.

    Inputs:
        - **input** (Tensor) - any shape.
        - **dims** (Union[tuple, list]) - for each axis of the result, the axis of `input` it is.

    Outputs:
        Tensor, a view.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, dims: Any) -> Tensor: ...

class TransposeExtView(Primitive):
    """A tensor with two axes exchanged, as a view of it; see :func:`ops.swapaxes`.

    Inputs:
        - **input** (Tensor) - any shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, dim0: int, dim1: int) -> Tensor: ...

class TransposeView(Primitive):
    """A tensor with its axes in another order, as a view of it; see :func:`ops.transpose`.

    Inputs:
        - **input** (Tensor) - any shape.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, input_perm: Any) -> Tensor: ...

class TridiagonalMatMul(Primitive):
    """Product of a matrix given by its three middle diagonals with another matrix.

    The last element of `superdiag` and the first one of `subdiag` are not used; all diagonals have
    shape :math:`(.., 1, M)` or :math:`(.., M)`.
    """
    def __init__(self) -> None: ...
    def __call__(self, superdiag: Tensor, maindiag: Tensor, subdiag: Tensor, rhs: Tensor) -> Tensor: ...

class Tril(Primitive):
    """The lower triangle of matrices, zeros above.

    ``ops.tril`` as a class: made with `diagonal`, called with `input`.

    Args:
        diagonal (int): the last diagonal that is kept, 0 the main one, 1 the one above it.
            Default: 0.

    Inputs:
        - **input** (Tensor) - two axes or more.

    Outputs:
        Tensor of the same shape.
    """
    def __init__(self, diagonal: int = 0) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class TrilIndices(Primitive):
    """Places of the lower triangle of a matrix, by default int32; see :func:`ops.tril_indices`.

    Args:
        row (int): rows of the matrix.
        col (int): columns of the matrix.
        offset (int): the diagonal that bounds the triangle. Default: 0.
        dtype (Type): the type. Default None: int64.

    Returns:
        Tensor of shape (2, N): row indices, then column indices.
    """
    def __init__(self, row: int, col: int, offset: int = 0, dtype: Any = None) -> None: ...
    def __call__(self) -> Tensor: ...

class TripletMarginLoss(Primitive):
    """Loss of distances in triplets; see ``ops.triplet_margin_loss``.

    Args:
        p (Union[int, float]): the order of the norm. Default: 2.
        swap (bool): whether to use the smaller of both distances to `negative`. Default: False.
        eps (float): against division by zero. Default: 1e-6.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **x** (Tensor) - anchors, shape :math:`(N, D)`.
        - **positive** (Tensor) - vectors that should be near.
        - **negative** (Tensor) - vectors that should be far.
        - **margin** (Union[Tensor, float]) - the difference that is asked for. Default: 1.0.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape :math:`(N,)`.
    """
    def __init__(self, p: float = 2, swap: bool = False, eps: float = 1e-06, reduction: str = 'mean') -> None: ...
    def __call__(self, x: Tensor, positive: Tensor, negative: Tensor, margin: Tensor | float = 1.0) -> Tensor: ...

class Triu(Primitive):
    """The upper triangle of matrices, zeros below.

    ``ops.triu`` as a class: made with `diagonal`, called with `input`.

    Args:
        diagonal (int): the first diagonal that is kept, 0 the main one, 1 the one above it.
            Default: 0.

    Inputs:
        - **input** (Tensor) - two axes or more.

    Outputs:
        Tensor of the same shape.
    """
    def __init__(self, diagonal: int = 0) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class TriuIndices(Primitive):
    """Places of the upper triangle of a matrix, by default int32; see :func:`ops.triu_indices`.

    Args:
        row (int): rows of the matrix.
        col (int): columns of the matrix.
        offset (int): the diagonal that bounds the triangle. Default: 0.
        dtype (Type): the type. Default None: int64.

    Returns:
        Tensor of shape (2, N): row indices, then column indices.
    """
    def __init__(self, row: int, col: int, offset: int = 0, dtype: Any = None) -> None: ...
    def __call__(self) -> Tensor: ...

class Trunc(Primitive):
    r"""Integer part, element by element: :math:`out = \operatorname{sign}(x) \lfloor |x| \rfloor`.

    Inputs:
        - **input** (Tensor) - :math:`x`, of any shape.

    Outputs:
        Tensor of the same shape; the type is kept.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> Tensor: ...

class TruncateDiv(Primitive):
    """Divide and round toward zero: :math:`out_i = trunc(x_i / y_i)`.

    Inputs:
        - **x** (Union[Tensor, number]) - the dividend.
        - **y** (Union[Tensor, number]) - the divisor; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | Number, y: Tensor | Number) -> Tensor: ...

class TruncateMod(Primitive):
    r"""Remainder of the division that truncates: :math:`out_i = x_i - trunc(x_i/y_i)\, y_i`.

    Inputs:
        - **x** (Union[Tensor, number]) - the dividend, whose sign the result has.
        - **y** (Union[Tensor, number]) - the divisor; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape and the common type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | Number, y: Tensor | Number) -> Tensor: ...

class TruncatedNormal(Primitive):
    """Standard normal numbers, those outside [-2, 2] drawn again.

    Args:
        dtype (Type): float16, float32 or float64. Default: float32.
        seed (int): any int. Default: 0.
        seed2 (int): any int. Default: 0.

    Inputs:
        - **shape** (Union[Tensor, tuple, list]) - the shape; at the call.

    Outputs:
        Tensor of that shape and type.
    """
    def __init__(self, dtype: Any = ..., seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, shape: Any) -> Tensor: ...

class TypeAs(Primitive):
    """A tensor in the type of another; see :func:`Tensor.type_as`."""
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor, other: Tensor) -> Tensor: ...

class UniformCandidateSampler(Primitive):
    """Classes for a sampled loss, all equally likely; see `ops.uniform_candidate_sampler`.

    Args:
        num_true (int): target classes for each element of the batch.
        num_sampled (int): how many classes to sample.
        unique (bool): whether no class is sampled twice.
        range_max (int): the number of classes.
        seed (int): at least 0. Default: 0.
        remove_accidental_hits (bool): whether target classes are left out, where `unique` holds
            and enough other classes exist. Default: False.

    Inputs:
        - **true_classes** (Tensor) - int32 or int64, of shape (batch, num_true); at the call.

    Outputs:
        Three tensors: sampled classes, expected counts of the targets, of the samples.
    """
    def __init__(self, num_true: Any, num_sampled: Any, unique: Any, range_max: Any, seed: Any = 0, remove_accidental_hits: Any = False) -> None: ...
    def __call__(self, true_classes: Tensor) -> tuple[Tensor, Tensor, Tensor]: ...

class UniformInt(Primitive):
    """Integers, uniform in minval .. maxval - 1.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.

    Inputs:
        - **shape** (Union[tuple, list, Tensor]) - the shape; at the call, as the following.
        - **minval** (Tensor) - the smallest value, a scalar of int32.
        - **maxval** (Tensor) - one more than the largest value, a scalar of int32.

    Outputs:
        Tensor of that shape, int32.
    """
    def __init__(self, seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, shape: Any, minval: Tensor, maxval: Tensor) -> Tensor: ...

class UniformReal(Primitive):
    """Uniform numbers in [0, 1].

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.

    Inputs:
        - **shape** (Union[tuple, list, Tensor]) - the shape; at the call.

    Outputs:
        Tensor of that shape, float32.
    """
    def __init__(self, seed: Any = 0, seed2: Any = 0) -> None: ...
    def __call__(self, shape: Any) -> Tensor: ...

class Unique(Primitive):
    """The unique elements, in order of first occurrence.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tuple of the elements and, for each element of `input`, its place among them (int32;
        int64 for int64 input).
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor) -> tuple[Tensor, Tensor]: ...

class UniqueConsecutive(Primitive):
    """The elements without consecutive duplicates.

    ``ops.unique_consecutive`` as a class: made with `return_inverse`, `return_counts`, `dim`,
    called with `input`.

    Args:
        return_inverse (bool): whether to tell the place of every element. Default: False.
        return_counts (bool): whether to tell how long each run is. Default: False.
        dim (int): the axis. Default None: the flattened tensor.

    Inputs:
        - **input** (Tensor) - any shape.

    Outputs:
        Tensor, or a tuple with the further tensors (int64).
    """
    def __init__(self, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> None: ...
    def __call__(self, input: Tensor) -> Any: ...

class UniqueWithPad(Primitive):
    """The unique elements in order of first occurrence, filled up to the input's size.

    Inputs:
        - **x** (Tensor) - integers, 1-D.
        - **pad_num** (int) - what to fill with.

    Outputs:
        Tuple of the elements and, for each element of `x`, its place among them; both of the
        type of `x`.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, pad_num: int) -> tuple[Tensor, Tensor]: ...

class Unpack(Primitive):
    """The slices along an axis, which disappears; see :func:`ops.unstack`.

    Args:
        axis (int): the axis. Default: 0.
        num (int): the expected number of slices; an error if the axis has another size.
            Default: None, any.

    Inputs:
        - **input_x** (Tensor) - one axis or more.

    Outputs:
        Tuple of Tensors, views.
    """
    def __init__(self, axis: int = 0, num: int | None = None) -> None: ...
    def __call__(self, input_x: Tensor) -> tuple: ...

class UnravelIndex(Primitive):
    """Flat indices as coordinates in a tensor of shape `dims`: one row for each axis."""
    def __init__(self) -> None: ...
    def __call__(self, indices: Tensor, dims: Tensor) -> Tensor: ...

class UnsortedSegmentMax(Primitive):
    """Largest element of the rows of each segment: :math:`out_s` over the i with :math:`ids_i = s`.

    Inputs:
        - **x** (Tensor) - the rows.
        - **segment_ids** (Tensor) - integers whose shape is that of the first axes of
            `x`; a negative number leaves its row out.
        - **num_segments** (Union[int, Tensor]) - the number of segments.

    Outputs:
        Tensor of the type of `x` with `num_segments` rows. A segment without
        rows gives the smallest number of the type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor: ...

class UnsortedSegmentMin(Primitive):
    """Smallest element of the rows of each segment: :math:`out_s` over the i with :math:`ids_i = s`.

    Inputs:
        - **x** (Tensor) - the rows.
        - **segment_ids** (Tensor) - integers whose shape is that of the first axes of
            `x`; a negative number leaves its row out.
        - **num_segments** (Union[int, Tensor]) - the number of segments.

    Outputs:
        Tensor of the type of `x` with `num_segments` rows. A segment without
        rows gives the largest number of the type.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor: ...

class UnsortedSegmentProd(Primitive):
    """Product of the rows of each segment: :math:`out_s` over the i with :math:`ids_i = s`.

    Inputs:
        - **x** (Tensor) - the rows.
        - **segment_ids** (Tensor) - integers whose shape is that of the first axes of
            `x`; a negative number leaves its row out.
        - **num_segments** (Union[int, Tensor]) - the number of segments.

    Outputs:
        Tensor of the type of `x` with `num_segments` rows. A segment without
        rows gives 1.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor: ...

class UnsortedSegmentSum(Primitive):
    """Sum of the rows of each segment: :math:`out_s` over the i with :math:`ids_i = s`.

    Inputs:
        - **input_x** (Tensor) - the rows.
        - **segment_ids** (Tensor) - integers whose shape is that of the first axes of
            `input_x`; a negative number leaves its row out.
        - **num_segments** (Union[int, Tensor]) - the number of segments.

    Outputs:
        Tensor of the type of `input_x` with `num_segments` rows. A segment without
        rows gives 0.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor: ...

class Unstack(Primitive):
    """The slices along an axis, which disappears; see :func:`ops.unstack`.

    Args:
        axis (int): the axis. Default: 0.
        num (int): the expected number of slices; an error if the axis has another size.
            Default: None, any.

    Inputs:
        - **input_x** (Tensor) - one axis or more.

    Outputs:
        Tuple of Tensors, views.
    """
    def __init__(self, axis: int = 0, num: int | None = None) -> None: ...
    def __call__(self, input_x: Tensor) -> tuple: ...

class UpdateCache(Primitive):
    """Store rows in a parameter; indices that are negative or not below a number are skipped.

    Inputs:
        - **input_x** (Parameter) - the rows.
        - **indices** (Tensor) - which ones to replace, integers.
        - **updates** (Tensor) - the new rows, one for each index.
        - **max_num** (Union[Tensor, int]) - indices from this one on are skipped.

    Outputs:
        Tensor of shape (1,), which means nothing.
    """
    def __init__(self) -> None: ...
    def __call__(self, input_x: Tensor, indices: Tensor, updates: Tensor, max_num: Any) -> Tensor: ...

class UpdateThorGradient(Primitive):
    """A gradient between the inverses of two matrices that are zero off their diagonal blocks.

    Block (i, j) of the result is :math:`A_i g_{ij} B_{ij}`.

    Args:
        split_dim (int): the size s of a block. Default: 1.

    Inputs:
        - **x1** (Tensor) - A, shape (m, s, s).
        - **x2** (Tensor) - the gradient g, a matrix of m by n blocks; the last ones may be smaller.
        - **x3** (Tensor) - B, shape (m, n, s, s).

    Outputs:
        Tensor of the shape of `x2`.
    """
    def __init__(self, split_dim: int = 1) -> None: ...
    def __call__(self, x1: Tensor, x2: Tensor, x3: Tensor) -> Tensor: ...

class UpperBound(Primitive):
    """In each row, the index of the first element that is greater than a value; see :func:`ops.searchsorted`.

    Args:
        out_type (Type): the type of the result, int32 or int64. Default: int32.

    Inputs:
        - **sorted_x** (Tensor) - shape (rows, N), ascending in each row.
        - **values** (Tensor) - shape (rows, M).

    Outputs:
        Tensor of `out_type`, of the shape of `values`.
    """
    def __init__(self, out_type: Any = ...) -> None: ...
    def __call__(self, sorted_x: Tensor, values: Tensor) -> Tensor: ...

class UpsampleBilinear2D(Primitive):
    """Resize images by bilinear interpolation.

    Inputs:
        - **x** (Tensor) - floating point, shape (N, C, H, W).
        - **output_size** (Union[tuple[int], list[int]]) - (height, width) of the output. Default: None.
        - **scales** (Union[tuple[float], list[float]]) - factors of the sizes instead. Default: None.
        - **align_corners** (bool) - whether the centers of the corner pixels coincide. Default: False.

    Outputs:
        Tensor of shape (N, C, height, width).
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, output_size: Any = None, scales: Any = None, align_corners: bool = False) -> Tensor: ...

class UpsampleNearest2D(Primitive):
    """Resize images: every output pixel is the nearest input pixel.

    Inputs:
        - **x** (Tensor) - uint8 or floating point, shape (N, C, H, W).
        - **output_size** (Union[tuple[int], list[int]]) - (height, width) of the output. Default: None.
        - **scales** (Union[tuple[float], list[float]]) - factors of the sizes instead. Default: None.

    Outputs:
        Tensor of shape (N, C, height, width).
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, output_size: Any = None, scales: Any = None) -> Tensor: ...

class UpsampleNearest3D(Primitive):
    """Resize volumes: every output element is the nearest input element.

    Inputs:
        - **x** (Tensor) - floating point, shape (N, C, D, H, W).
        - **output_size** (tuple[int]) - (depth, height, width) of the output. Default: None.
        - **scales** (tuple[float]) - factors of the sizes instead. Default: None.

    Outputs:
        Tensor of shape (N, C, depth, height, width).
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor, output_size: Any = None, scales: Any = None) -> Tensor: ...

class UpsampleTrilinear3D(Primitive):
    """Resize volumes by trilinear interpolation.

    Args:
        align_corners (bool): whether the centers of the corner elements coincide. Default: False.

    Inputs:
        - **x** (Tensor) - floating point, shape (N, C, D, H, W).
        - **output_size** (tuple[int]) - (depth, height, width) of the output. Default: None.
        - **scales** (tuple[float]) - factors of the sizes instead. Default: None.

    Outputs:
        Tensor of shape (N, C, depth, height, width).
    """
    def __init__(self, align_corners: bool = False) -> None: ...
    def __call__(self, x: Tensor, output_size: Any = None, scales: Any = None) -> Tensor: ...

class WtsARQ(Primitive):
    r"""Weights rounded to codes from -128 to 127 of their range.

    .. math::
        y = s \left( clip(\lfloor w / s \rceil + o, -128, 127) - o \right)

    With `offset_flag`, :math:`s = (max - min) / 255` and
    :math:`o = -128 - \lfloor min / s \rceil`; without, :math:`s = \max(max / 127, -min / 128)` and
    o is 0. The range contains zero. The gradient of w passes everywhere.

    Args:
        num_bits (int): must be 8.
        offset_flag (bool): whether codes have an offset.

    Inputs:
        - **w** (Tensor) - the weights.
        - **w_min**, **w_max** (Tensor) - the range, of the rank of w, broadcast with it.

    Outputs:
        Tensor of the shape and type of `w`.
    """
    def __init__(self, num_bits: int, offset_flag: bool) -> None: ...
    def __call__(self, w: Tensor, w_min: Tensor, w_max: Tensor) -> Tensor: ...

class Xdivy(Primitive):
    """Quotient, 0 where the dividend is 0: :math:`x_i / y_i`.

    Inputs:
        - **x** (Union[Tensor, number]) - the dividend.
        - **y** (Union[Tensor, number]) - the divisor; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape; integers give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor | Number, y: Tensor | Number) -> Tensor: ...

class Xlogy(Primitive):
    r"""Product with a logarithm: :math:`input_i \ln other_i`, 0 where `input` is 0.

    Inputs:
        - **input** (Union[Tensor, number]) - the factor.
        - **other** (Union[Tensor, number]) - the logarithm's argument; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape; integers give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

class Zeros(Primitive):
    """A tensor of zeros.

    Inputs:
        - **size** (Union[int, tuple, list, Tensor]) - the shape.
        - **dtype** (Type) - the type. Default None: float32.

    Outputs:
        Tensor of shape `size`.
    """
    def __init__(self) -> None: ...
    def __call__(self, size: Any, dtype: Any = None) -> Tensor: ...

class ZerosLike(Primitive):
    """Zeros in the shape and type of another tensor; see :func:`ops.zeros_like`.

    Inputs:
        - **x** (Tensor) - the tensor whose shape is used.
    """
    def __init__(self) -> None: ...
    def __call__(self, x: Tensor) -> Tensor: ...

class Zeta(Primitive):
    r"""Hurwitz zeta function: :math:`\sum_{k=0}^\infty (k + other)^{-input}`.

    Inputs:
        - **input** (Union[Tensor, number]) - the exponent, greater than 1.
        - **other** (Union[Tensor, number]) - the first term; shapes broadcast.

    Outputs:
        Tensor of the broadcast shape; integers give float32.
    """
    def __init__(self) -> None: ...
    def __call__(self, input: Tensor | Number, other: Tensor | Number) -> Tensor: ...

def abs(input: Tensor) -> Tensor:
    """Absolute value, element by element: :math:`out_i = |input_i|`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape and type; complex numbers give the type of their parts.
    """
    ...

def absolute(input: Tensor) -> Tensor:
    """Absolute value, element by element: :math:`out_i = |input_i|`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape and type; complex numbers give the type of their parts.
    """
    ...

def accumulate_n(x: Sequence[Tensor]) -> Tensor:
    r"""Sum of tensors: :math:`out = x_1 + \dots + x_n`.

    Args:
        x (Union[tuple, list]): tensors of one shape and type.

    Returns:
        Tensor of that shape and type.
    """
    ...

def acos(input: Tensor) -> Tensor:
    r"""Inverse cosine, element by element: :math:`out = \arccos x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def acosh(input: Tensor) -> Tensor:
    r"""Inverse hyperbolic cosine, element by element: :math:`out = \cosh^{-1} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def adaptive_avg_pool1d(input: Tensor, output_size: int) -> Tensor:
    r"""Means over a given number of windows.

    Window i reaches from :math:`\lfloor i L / out \rfloor` to :math:`\lceil (i+1) L / out \rceil`.

    Args:
        input (Tensor): shape :math:`(N, C, L)` or :math:`(C, L)`.
        output_size (int): number of windows.

    Returns:
        Tensor of shape :math:`(N, C, output\_size)`.
    """
    ...

def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Means over a given number of windows, over two dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        output_size (Union[int, tuple]): height and width of the output; None keeps
            the input's.

    Returns:
        Tensor of shape :math:`(N, C, H_{out}, W_{out})`.
    """
    ...

def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Means over a given number of windows, over three dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        output_size (Union[int, tuple]): depth, height and width of the output; None keeps
            the input's.

    Returns:
        Tensor of shape :math:`(N, C, D_{out}, H_{out}, W_{out})`.
    """
    ...

def adaptive_max_pool1d(input: Tensor, output_size: int) -> Tensor:
    r"""Maxima over a given number of windows; windows as in ``ops.adaptive_avg_pool1d``.

    Args:
        input (Tensor): shape :math:`(N, C, L)` or :math:`(C, L)`.
        output_size (int): number of windows.

    Returns:
        Tensor of shape :math:`(N, C, output\_size)`.
    """
    ...

def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Maxima over a given number of windows, over two dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        output_size (Union[int, tuple]): height and width of the output; None keeps the input's.
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.

    Returns:
        Tensor of shape :math:`(N, C, H_{out}, W_{out})`; with `return_indices` a pair of it
        and the indices (int64), each counted within its plane.
    """
    ...

def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Maxima over a given number of windows, over three dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        output_size (Union[int, tuple]): depth, height and width of the output; None keeps the
            input's.
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.

    Returns:
        Tensor of shape :math:`(N, C, D_{out}, H_{out}, W_{out})`; with `return_indices` a pair
        of it and the int32 places.
    """
    ...

def add(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Add, element by element: :math:`out_i = input_i + other_i`.

    Args:
        input (Union[Tensor, number, bool]): the first summand.
        other (Union[Tensor, number, bool]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; a number takes the tensor's type,
        except that a float with integers gives float32.
    """
    ...

def add_layer_norm(x1: Tensor, x2: Tensor, gamma: Tensor, beta: Tensor, epsilon: float = 1e-05, additional_output: bool = False) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    r"""Add two tensors and normalize the sum over the trailing axes.

    .. math::
        x = x_1 + x_2, \quad
        out = \frac{x - \mathrm{E}[x]}{\sqrt{\mathrm{Var}[x] + \epsilon}} \cdot \gamma + \beta

    Args:
        x1 (Tensor): floating point, its shape ending in that of `gamma`.
        x2 (Tensor): of the shape of `x1`.
        gamma (Tensor): scale.
        beta (Tensor): shift, of the shape of `gamma`.
        epsilon (float): :math:`\epsilon`. Default: 1e-5.
        additional_output (bool): accepted for MindSpore's signature; the sum is always returned.
            Default: False.

    Returns:
        Tuple of the output, the mean, the reciprocal standard deviation and the sum.
    """
    ...

def add_rms_norm(x1: Tensor, x2: Tensor, gamma: Tensor, epsilon: float = 1e-06) -> tuple[Tensor, Tensor, Tensor]:
    r"""Add two tensors and divide the sum by its root mean square over the trailing axes.

    .. math::
        x = x_1 + x_2, \quad
        out = \frac{x}{\sqrt{\mathrm{mean}(x^2) + \epsilon}} \cdot \gamma

    Args:
        x1 (Tensor): floating point, its shape ending in that of `gamma`.
        x2 (Tensor): of the shape of `x1`.
        gamma (Tensor): scale.
        epsilon (float): :math:`\epsilon`. Default: 1e-6.

    Returns:
        Tuple of the output, the reciprocal root mean square and the sum.
    """
    ...

def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    r"""Products of matrices added: :math:`\beta\, input + \alpha \sum_b batch1_b batch2_b`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(N, M)`.
        batch1 (Tensor): shape :math:`(B, N, K)`; of other shapes the products are summed over
            their first axis.
        batch2 (Tensor): shape :math:`(B, K, M)`, of the same type.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the sum. Default: 1.

    Returns:
        Tensor of shape :math:`(N, M)` and the common type.
    """
    ...

def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor:
    r"""Add a quotient: :math:`out_i = input_i + value \cdot tensor1_i / tensor2_i`.

    Args:
        input (Tensor): the tensor to add to.
        tensor1 (Tensor): the dividend.
        tensor2 (Tensor): the divisor; shapes broadcast.
        value (Union[number, Tensor]): a factor of the quotient. Default: 1.

    Returns:
        Tensor of the common type.
    """
    ...

def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Tensor | Number = 1) -> Tensor:
    r"""Add a product: :math:`out_i = input_i + value \cdot tensor1_i \cdot tensor2_i`.

    Args:
        input (Tensor): the tensor to add to.
        tensor1 (Tensor): the first factor.
        tensor2 (Tensor): the second; shapes broadcast.
        value (Union[number, Tensor]): a factor of the product. Default: 1.

    Returns:
        Tensor of the common type.
    """
    ...

def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    r"""Product of matrices added to a tensor: :math:`\beta\, input + \alpha\, mat1 \cdot mat2`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(N, M)`.
        mat1 (Tensor): shape :math:`(N, K)`.
        mat2 (Tensor): shape :math:`(K, M)`, of the same type.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the product. Default: 1.

    Returns:
        Tensor of shape :math:`(N, M)` and the common type.
    """
    ...

def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    r"""Product of matrix and vector added: :math:`\beta\, input + \alpha\, mat \cdot vec`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(N,)`.
        mat (Tensor): shape :math:`(N, M)`.
        vec (Tensor): shape :math:`(M,)`, of the same type.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the product. Default: 1.

    Returns:
        Tensor of shape :math:`(N,)` and the common type.
    """
    ...

def addn(x: Sequence[Tensor]) -> Tensor:
    r"""Sum of tensors: :math:`out = x_1 + \dots + x_n`.

    Args:
        x (Union[tuple, list]): tensors of one shape and type.

    Returns:
        Tensor of that shape and type.
    """
    ...

def addr(x: Tensor, vec1: Tensor, vec2: Tensor, *, beta: float = 1, alpha: float = 1) -> Tensor:
    r"""Outer product added to a matrix: :math:`\beta\, input + \alpha\, vec1 \otimes vec2`.

    Args:
        x (Tensor): a shape that broadcasts to :math:`(N, M)`.
        vec1 (Tensor): shape :math:`(N,)`.
        vec2 (Tensor): shape :math:`(M,)`.
        beta (number): factor of `x`. Default: 1.
        alpha (number): factor of the product. Default: 1.

    Returns:
        Tensor of shape :math:`(N, M)` and the common type.
    """
    ...

def adjoint(x: Tensor) -> Tensor:
    """Conjugate transpose of matrices: the last two axes swapped, the values conjugated.

    Args:
        x (Tensor): two axes or more.

    Returns:
        Tensor.
    """
    ...

def affine_grid(theta: Tensor, size: Any, align_corners: bool = False) -> Tensor:
    r"""Sampling positions for `grid_sample` that an affine map gives every output element.

    .. math:: grid_{n, y, x} = \theta_n \, (x, y, 1)^T

    where :math:`x` and :math:`y` run from -1 to 1 over the output.

    Args:
        theta (Tensor): floating point, affine maps, shape (N, 2, 3) or (N, 3, 4).
        size (tuple[int]): shape of the output of `grid_sample`, (N, C, H, W) or (N, C, D, H, W).
        align_corners (bool): whether -1 and 1 are the centers of the end elements instead of
            their outer edges. Default: False.

    Returns:
        Tensor of shape (N, H, W, 2) or (N, D, H, W, 3).
    """
    ...

def all(input: Tensor, axis: Any = None, keep_dims: bool = False) -> Tensor:
    """Whether all elements along axes are true (not zero).

    Args:
        input (Tensor): any shape and type.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Returns:
        Tensor of bool.
    """
    ...

def amax(input: Tensor, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Tensor | None = None) -> Tensor:
    """The largest elements along axes.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size 1. Default: False.
        initial (number): the smallest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.

    Returns:
        Tensor. Along axes, equal elements share the gradient.
    """
    ...

def amin(input: Tensor, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Tensor | None = None) -> Tensor:
    """The smallest elements along axes.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size 1. Default: False.
        initial (number): the largest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.

    Returns:
        Tensor. Along axes, equal elements share the gradient.
    """
    ...

def aminmax(input: Tensor, *, axis: int | None = 0, keepdims: bool = False) -> tuple:
    """The smallest and the largest elements along an axis.

    Nan is left out, unless it is the first element.

    Args:
        input (Tensor): any shape.
        axis (int): the axis; None for all. Default: 0.
        keepdims (bool): whether the axis stays, with size 1. Default: False.

    Returns:
        Tuple of the smallest and the largest.
    """
    ...

def angle(input: Tensor) -> Tensor:
    r"""Argument of complex numbers; of real ones 0 or pi, element by element: :math:`out = \operatorname{atan2}(\Im x, \Re x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the floating type of the parts.
    """
    ...

def any(input: Tensor, axis: Any = None, keep_dims: bool = False) -> Tensor:
    """Whether some elements along axes are true (not zero).

    Args:
        input (Tensor): any shape and type.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Returns:
        Tensor of bool.
    """
    ...

def approximate_equal(x: Tensor, y: Tensor = ..., tolerance: float = 1e-05, *, other: Any = ...) -> Tensor:
    """Whether elements differ by less than a tolerance: :math:`|x_i - y_i| < tolerance`.

    Args:
        x (Tensor): the first tensor.
        y (Tensor): the second, of the same shape.
        tolerance (float): the bound. Default: 1e-5.
        other: another name of `y`.

    Returns:
        Tensor of bool.
    """
    ...

def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Tensor:
    r"""Evenly spaced numbers: :math:`start, start + step, \dots` below `end`.

    Args:
        start (Union[number, Tensor]): the first number; the end if `end` is None. Default: 0.
        end (Union[number, Tensor]): the bound, not included. Default: None.
        step (Union[number, Tensor]): the distance. Default: 1.
        dtype (Type): the type. Default None: int64 for ints, float32 otherwise.

    Returns:
        Tensor with one axis.
    """
    ...

def arccos(input: Tensor) -> Tensor:
    r"""Inverse cosine, element by element: :math:`out = \arccos x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def arccosh(input: Tensor) -> Tensor:
    r"""Inverse hyperbolic cosine, element by element: :math:`out = \cosh^{-1} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def arcsin(x: Tensor) -> Tensor:
    r"""Inverse sine, element by element: :math:`out = \arcsin x`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def arcsinh(input: Tensor) -> Tensor:
    r"""Inverse hyperbolic sine, element by element: :math:`out = \sinh^{-1} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def arctan(input: Tensor) -> Tensor:
    r"""Inverse tangent, element by element: :math:`out = \arctan x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def arctan2(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Angle of the point (y, x) in all four quadrants, element by element: :math:`out = \operatorname{atan2}(x, y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def arctanh(input: Tensor) -> Tensor:
    r"""Inverse hyperbolic tangent, element by element: :math:`out = \tanh^{-1} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """Indices of the largest elements along an axis.

    Args:
        input (Tensor): any shape.
        dim (int): the axis. Default None: the index in the flattened tensor.
        keepdim (bool): whether the axis stays, with size 1. Default: False.

    Returns:
        Tensor of int64; of equal elements, that of the first.
    """
    ...

def argmin(input: Tensor, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Indices of the smallest elements along an axis.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default None: the index in the flattened tensor.
        keepdims (bool): whether the axis stays, with size 1. Default: False.

    Returns:
        Tensor of int32; of equal elements, that of the first.
    """
    ...

def argsort(input: Tensor, axis: int = -1, descending: bool = False) -> Tensor:
    """Indices that sort along an axis.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default: -1.
        descending (bool): whether the largest come first. Default: False.

    Returns:
        Tensor of int32. Equal elements keep their order.
    """
    ...

def argwhere(input: Tensor) -> Tensor:
    """Indices of the elements that are not zero.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of int64 of shape (N, rank).
    """
    ...

def asin(input: Tensor) -> Tensor:
    r"""Inverse sine, element by element: :math:`out = \arcsin x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def asinh(input: Tensor) -> Tensor:
    r"""Inverse hyperbolic sine, element by element: :math:`out = \sinh^{-1} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def assign(variable: Tensor, value: Tensor | Number) -> Tensor:
    """Store a value in a parameter.

    Args:
        variable (Parameter): where to store it; its type stays.
        value (Union[Tensor, number]): the value, of the same shape.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def assign_add(variable: Tensor, value: Tensor | Number) -> Tensor:
    """Add a value to a parameter: :math:`variable = variable + value`.

    Args:
        variable (Parameter): the parameter, which is changed.
        value (Union[Tensor, number]): the value, of the same shape.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def assign_sub(variable: Tensor, value: Tensor | Number) -> Tensor:
    """Subtract a value from a parameter: :math:`variable = variable - value`.

    Args:
        variable (Parameter): the parameter, which is changed.
        value (Union[Tensor, number]): the value, of the same shape.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def atan(input: Tensor) -> Tensor:
    r"""Inverse tangent, element by element: :math:`out = \arctan x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def atan2(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Angle of the point (y, x) in all four quadrants, element by element: :math:`out = \operatorname{atan2}(x, y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def atanh(input: Tensor) -> Tensor:
    r"""Inverse hyperbolic tangent, element by element: :math:`out = \tanh^{-1} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def atleast_1d(*tensors: Tensor, inputs: Any = ...) -> Any:
    """Tensors with axes of size 1 added so that they have at least 1.

    Args:
        tensors (Union[Tensor, list[Tensor], tuple[Tensor]]): any shapes; also as
            `inputs`.
        inputs: another name of `tensors`.

    Returns:
        Tensor, a view; a tuple of them for several inputs.
    """
    ...

def atleast_2d(*tensors: Tensor, inputs: Any = ...) -> Any:
    """Tensors with axes of size 1 added so that they have at least 2.

    Args:
        tensors (Union[Tensor, list[Tensor], tuple[Tensor]]): any shapes; also as
            `inputs`.
        inputs: another name of `tensors`.

    Returns:
        Tensor, a view; a tuple of them for several inputs.
    """
    ...

def atleast_3d(*tensors: Tensor, inputs: Any = ...) -> Any:
    """Tensors with axes of size 1 added so that they have at least 3.

    Args:
        tensors (Union[Tensor, list[Tensor], tuple[Tensor]]): any shapes; also as
            `inputs`.
        inputs: another name of `tensors`.

    Returns:
        Tensor, a view; a tuple of them for several inputs.
    """
    ...

def augassign_add(a: Any, b: Any, /) -> Any:
    """The result of ``a += b``.

    Args:
        a (Any): the left operand; changed in place if it is mutable.
        b (Any): the right operand.
    """
    ...

def augassign_div(a: Any, b: Any, /) -> Any:
    """The result of ``a /= b``.

    Args:
        a (Any): the left operand; changed in place if it is mutable.
        b (Any): the right operand.
    """
    ...

def augassign_floordiv(a: Any, b: Any, /) -> Any:
    """The result of ``a //= b``.

    Args:
        a (Any): the left operand; changed in place if it is mutable.
        b (Any): the right operand.
    """
    ...

def augassign_mod(a: Any, b: Any, /) -> Any:
    """The result of ``a %= b``.

    Args:
        a (Any): the left operand; changed in place if it is mutable.
        b (Any): the right operand.
    """
    ...

def augassign_mul(a: Any, b: Any, /) -> Any:
    """The result of ``a *= b``.

    Args:
        a (Any): the left operand; changed in place if it is mutable.
        b (Any): the right operand.
    """
    ...

def augassign_sub(a: Any, b: Any, /) -> Any:
    """The result of ``a -= b``.

    Args:
        a (Any): the left operand; changed in place if it is mutable.
        b (Any): the right operand.
    """
    ...

def avg_pool1d(input_x: Tensor, kernel_size: int | Sequence[int] = 1, stride: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True) -> Tensor:
    """Mean of every window over one dimension.

    Args:
        input_x (Tensor): shape :math:`(N, C, L)` or :math:`(C, L)`.
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        padding (Union[int, tuple[int]]): zeros on both sides. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.

    Returns:
        Tensor of shape :math:`(N, C, L_{out})`.
    """
    ...

def avg_pool2d(input_x: Tensor, kernel_size: int | Sequence[int] = 1, stride: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0) -> Tensor:
    """Mean of every window over two dimensions.

    Args:
        input_x (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        padding (Union[int, tuple[int]]): zeros on every side, or (top, bottom, left, right).
            Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements; 0 for none.
            Default: 0.

    Returns:
        Tensor of shape :math:`(N, C, H_{out}, W_{out})`.
    """
    ...

def avg_pool3d(input_x: Tensor, kernel_size: int | Sequence[int] = 1, stride: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int = 0) -> Tensor:
    """Mean of every window over three dimensions.

    Args:
        input_x (Tensor): shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        padding (Union[int, tuple[int]]): zeros on every side, or six numbers: head, tail, top,
            bottom, left, right. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements; 0 for none.
            Default: 0.

    Returns:
        Tensor of shape :math:`(N, C, D_{out}, H_{out}, W_{out})`.
    """
    ...

def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: float = 1, alpha: float = 1) -> Tensor:
    r"""Products of matrices in batches added: :math:`\beta\, input + \alpha\, batch1 \cdot batch2`.

    Args:
        input (Tensor): a shape that broadcasts to :math:`(B, N, M)`.
        batch1 (Tensor): shape :math:`(B, N, K)`.
        batch2 (Tensor): shape :math:`(B, K, M)`, of the same type.
        beta (number): factor of `input`. Default: 1.
        alpha (number): factor of the products. Default: 1.

    Returns:
        Tensor of shape :math:`(B, N, M)` and the common type.
    """
    ...

def bartlett_window(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    """Bartlett window: :math:`1 - |2n/N - 1|` for n from 0 to N - 1.

    Args:
        window_length (Union[int, Tensor]): how many numbers.
        periodic (bool): whether N is the length, for use in transforms; else N is one less and the
            window symmetric. Default: True.
        dtype (Type): the type. Default None: float32.

    Returns:
        Tensor with one axis.
    """
    ...

def batch_dot(x1: Tensor, x2: Tensor, axes: Any = None) -> Tensor:
    """Products over one axis of each, batch by batch.

    Args:
        x1 (Tensor): two axes or more, the first the batch.
        x2 (Tensor): two axes or more, the first the batch, of the same type.
        axes (Union[int, tuple, list]): the axis of each, or one for both. Default None: the last of
            `x1` and the last but one of `x2` (the last if it has two axes).

    Returns:
        Tensor with the batch, the remaining axes of `x1` and those of `x2`; of shape (batch,
        1) if nothing remains.
    """
    ...

def batch_norm(input_x: Tensor, running_mean: Tensor, running_var: Tensor, weight: Tensor | None, bias: Tensor | None, training: bool = False, momentum: float = 0.1, eps: float = 1e-05) -> Tensor:
    r"""Normalize every channel over the batch.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot weight + bias

    In training, :math:`\mu` and :math:`\sigma^2` are those of the batch, and the running ones
    become :math:`(1 - momentum) \cdot running + momentum \cdot batch` in place (with the unbiased
    variance). Otherwise they are the running ones.

    Args:
        input_x (Tensor): shape :math:`(N, C)` or :math:`(N, C, *)`.
        running_mean (Tensor): shape :math:`(C,)`; updated in training.
        running_var (Tensor): shape :math:`(C,)`; updated in training.
        weight (Tensor): scale, shape :math:`(C,)`, or None.
        bias (Tensor): shift, shape :math:`(C,)`, or None.
        training (bool): whether the statistics are those of the batch. Default: False.
        momentum (float): share of the batch in the new running statistics. Default: 0.1.
        eps (float): :math:`\epsilon`. Default: 1e-5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def batch_to_space_nd(input_x: Tensor, block_shape: Any, crops: Any) -> Tensor:
    """Move parts of the batch into blocks of the last dimensions.

    It undoes ``ops.space_to_batch_nd``.

    Args:
        input_x (Tensor): shape :math:`(N, C, *)`.
        block_shape (Union[list[int], tuple[int], int]): sizes of a block, for the last dimensions.
        crops (Union[list, tuple]): how much is cut (before, after) in each of them.

    Returns:
        Tensor whose batch is smaller by the size of a block.
    """
    ...

def bernoulli(input: Tensor, p: Tensor | Number = 0.5, seed: Any = None) -> Tensor:
    """Draw zeros and ones in the shape of a tensor, one with probability p.

    Args:
        input (Tensor): gives shape, type and device.
        p (Union[Tensor, float]): probabilities, in the shape of `input` or of one element.
            Default: 0.5.
        seed (int): at least 0; equal calls with equal seeds give equal results, whatever the
            global seed is. Default None, the same as -1: the next seed pair of this name, entropy
            before any ``set_seed``.

    Returns:
        Tensor like `input`.
    """
    ...

def bernoulli_(input: Tensor, p: Tensor | Number = 0.5, *, generator: Any = None) -> Tensor:
    """Fill a tensor with ones, with probability p, and zeros.

    Args:
        input (Tensor): what is filled, of any type.
        p (Union[float, Tensor]): probabilities, which broadcast to `input`. Default: 0.5.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns:
        Tensor, `input` itself.
    """
    ...

def bernoulli_ext(input: Tensor, *, generator: Any = None) -> Tensor:
    """Draw zeros and ones; each element of a tensor is the probability of a one.

    Args:
        input (Tensor): probabilities, of a floating type.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns:
        Tensor like `input`.
    """
    ...

def bessel_i0(x: Tensor) -> Tensor:
    """Modified Bessel function of the first kind of order 0, element by element: :math:`out = I_0(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def bessel_i0e(x: Tensor) -> Tensor:
    """Exponentially scaled modified Bessel function of the first kind of order 0, element by element: :math:`out = e^{-|x|} I_0(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def bessel_i1(x: Tensor) -> Tensor:
    """Modified Bessel function of the first kind of order 1, element by element: :math:`out = I_1(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def bessel_i1e(x: Tensor) -> Tensor:
    """Exponentially scaled modified Bessel function of the first kind of order 1, element by element: :math:`out = e^{-|x|} I_1(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def bessel_j0(x: Tensor) -> Tensor:
    """Bessel function of the first kind of order 0, element by element: :math:`out = J_0(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def bessel_j1(x: Tensor) -> Tensor:
    """Bessel function of the first kind of order 1, element by element: :math:`out = J_1(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def bessel_k0(x: Tensor) -> Tensor:
    """Modified Bessel function of the second kind of order 0, element by element: :math:`out = K_0(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def bessel_k0e(x: Tensor) -> Tensor:
    """Exponentially scaled modified Bessel function of the second kind of order 0, element by element: :math:`out = e^x K_0(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def bessel_k1(x: Tensor) -> Tensor:
    """Modified Bessel function of the second kind of order 1, element by element: :math:`out = K_1(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def bessel_k1e(x: Tensor) -> Tensor:
    """Exponentially scaled modified Bessel function of the second kind of order 1, element by element: :math:`out = e^x K_1(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def bessel_y0(x: Tensor) -> Tensor:
    """Bessel function of the second kind of order 0, element by element: :math:`out = Y_0(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def bessel_y1(x: Tensor) -> Tensor:
    """Bessel function of the second kind of order 1, element by element: :math:`out = Y_1(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def bias_add(input_x: Tensor, bias: Tensor) -> Tensor:
    r"""Add a bias to every channel: :math:`out_{n,c,\dots} = input_{n,c,\dots} + bias_c`.

    Args:
        input_x (Tensor): shape :math:`(N, C)` or :math:`(N, C, *)`.
        bias (Tensor): shape :math:`(C,)`.

    Returns:
        Tensor of the input's shape.
    """
    ...

def bidense(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    r"""Bilinear product: :math:`out_o = input_1^T \cdot weight_o \cdot input_2 + bias_o`.

    Args:
        input1 (Tensor): shape :math:`(*, C_1)`.
        input2 (Tensor): shape :math:`(*, C_2)`.
        weight (Tensor): shape :math:`(C_{out}, C_1, C_2)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.

    Returns:
        Tensor of shape :math:`(*, C_{out})`.
    """
    ...

def binary_cross_entropy(logits: Tensor, labels: Tensor, weight: Tensor | None = None, reduction: str = 'mean') -> Tensor:
    r"""Cross entropy between probabilities and targets of two classes.

    .. math::
        l_i = -w_i (y_i \log(x_i + 10^{-12}) + (1 - y_i) \log(1 - x_i + 10^{-12}))

    Args:
        logits (Tensor): probabilities x in [0, 1], of any shape.
        labels (Tensor): targets y of the same shape.
        weight (Tensor): factors w of a shape that broadcasts with `logits`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `logits`.
    """
    ...

def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: str = 'mean') -> Tensor:
    r"""Cross entropy between scores and targets of two classes.

    .. math::
        l_i = -w_i (p_i y_i \log \sigma(x_i) + (1 - y_i) \log(1 - \sigma(x_i)))

    Args:
        input (Tensor): scores (logits) x of any shape.
        target (Tensor): targets y of the same shape.
        weight (Tensor): factors w of a shape that broadcasts with `input`. Default: None.
        pos_weight (Tensor): factors p of the positive class, of a shape that broadcasts with
            `input`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `input`.
    """
    ...

def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    r"""Occurrences of each number: :math:`out_v = \sum_i [input_i = v]\, weights_i`.

    Args:
        input (Tensor): integers from 0 on, 1-D.
        weights (Tensor): what each occurrence counts. Default None: 1.
        minlength (int): the least length of the result. Default: 0.

    Returns:
        Tensor of float32.
    """
    ...

def bitwise_and(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Bitwise and, element by element: :math:`out_i = input_i \land other_i`.

    Args:
        input (Union[Tensor, int, bool]): bool or an integer type.
        other (Union[Tensor, int, bool]): likewise; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def bitwise_left_shift(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Shift bits to the left, element by element: :math:`out = input \cdot 2^{other}`.

    Args:
        input (Union[Tensor, int]): an integer type.
        other (Union[Tensor, int]): the number of places; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def bitwise_or(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Bitwise or, element by element: :math:`out_i = input_i \lor other_i`.

    Args:
        input (Union[Tensor, int, bool]): bool or an integer type.
        other (Union[Tensor, int, bool]): likewise; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def bitwise_right_shift(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Shift bits to the right, element by element: :math:`out = \lfloor input / 2^{other} \rfloor`.

    Args:
        input (Union[Tensor, int]): an integer type.
        other (Union[Tensor, int]): the number of places; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def bitwise_xor(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Bitwise exclusive or, element by element: :math:`out_i = input_i \oplus other_i`.

    Args:
        input (Union[Tensor, int, bool]): bool or an integer type.
        other (Union[Tensor, int, bool]): likewise; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def blackman_window(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    r"""Blackman window: :math:`0.42 - 0.5 \cos(2 \pi n/N) + 0.08 \cos(4 \pi n/N)` for n from 0 to N - 1.

    Args:
        window_length (Union[int, Tensor]): how many numbers.
        periodic (bool): whether N is the length, for use in transforms; else N is one less and the
            window symmetric. Default: True.
        dtype (Type): the type. Default None: float32.

    Returns:
        Tensor with one axis.
    """
    ...

def block_diag(*inputs: Tensor) -> Tensor:
    """A matrix with matrices along its diagonal, zeros elsewhere.

    Args:
        inputs (Tensor): matrices; vectors count as rows, 0-d tensors as matrices of one element.

    Returns:
        Tensor with two axes, of the common type.
    """
    ...

def bmm(input_x: Tensor, mat2: Tensor) -> Tensor:
    """Products of matrices in batches.

    Args:
        input_x (Tensor): shape :math:`(.., N, K)`.
        mat2 (Tensor): shape :math:`(.., K, M)`, of the same type; the batch axes broadcast.

    Returns:
        Tensor of shape :math:`(.., N, M)`.
    """
    ...

def bool_and(x: Any, y: Any) -> Any:
    """Whether both are true.

    Args:
        x (bool): the first value.
        y (bool): the second value.
    """
    ...

def bool_eq(x: Any, y: Any) -> Any:
    """Whether both are equal.

    Args:
        x (bool): the first value.
        y (bool): the second value.
    """
    ...

def bool_not(x: Any) -> Any:
    """The negation of a bool.

    Args:
        x (bool): the value.
    """
    ...

def bool_or(x: Any, y: Any) -> Any:
    """Whether at least one is true.

    Args:
        x (bool): the first value.
        y (bool): the second value.
    """
    ...

def bounding_box_decode(anchor_box: Tensor, deltas: Tensor, max_shape: Any, means: Any = ..., stds: Any = ..., wh_ratio_clip: float = 0.016) -> Tensor:
    """Boxes from their anchors and the output of a network; the inverse of `bounding_box_encode`.

    Args:
        anchor_box (Tensor): shape :math:`(N, 4)`, see the note on boxes.
        deltas (Tensor): shape :math:`(N, 4)`.
        max_shape (tuple): height and width of the image, to which the boxes are cut.
        means (tuple): what was subtracted. Default: zeros.
        stds (tuple): what was divided by. Default: ones.
        wh_ratio_clip (float): sizes change by no more than this factor or its inverse.
            Default: 0.016.

    Returns:
        Tensor of shape :math:`(N, 4)`.
    """
    ...

def bounding_box_encode(anchor_box: Tensor, groundtruth_box: Tensor, means: Any = ..., stds: Any = ...) -> Tensor:
    r"""Differences between boxes and their anchors, as a network learns them.

    :math:`(\frac{g_x - a_x}{a_w}, \frac{g_y - a_y}{a_h}, \ln \frac{g_w}{a_w}, \ln \frac{g_h}{a_h})`
    of centers and sizes, less `means`, divided by `stds`.

    Args:
        anchor_box (Tensor): shape :math:`(N, 4)`, see the note on boxes.
        groundtruth_box (Tensor): shape :math:`(N, 4)`.
        means (tuple): what is subtracted. Default: zeros.
        stds (tuple): what is divided by. Default: ones.

    Returns:
        Tensor of shape :math:`(N, 4)`.
    """
    ...

def broadcast_to(input: Tensor, shape: Any) -> Tensor:
    """Repeat along axes of size 1 and new leading axes, without copying.

    Args:
        input (Tensor): any shape that broadcasts.
        shape (tuple): the new shape; -1 keeps a size.

    Returns:
        Tensor, a view.
    """
    ...

def bucketize(input: Tensor, boundaries: Any, *, right: bool = False) -> Tensor:
    r"""Which interval each element falls into: i with :math:`b_{i-1} < x \le b_i`.

    Args:
        input (Tensor): any shape.
        boundaries (list): the bounds of the intervals, ascending.
        right (bool): whether an element equal to a bound counts for the next interval.
            Default: False.

    Returns:
        Tensor of int32 of the same shape.
    """
    ...

def cartesian_prod(*inputs: Tensor) -> Tensor:
    """All combinations of one element of each vector.

    Args:
        inputs (Tensor): vectors, or one list or tuple of them.

    Returns:
        Tensor of shape (N, number of inputs).
    """
    ...

def cast(input: Tensor | Number, dtype: Any) -> Tensor:
    """Convert to another type.

    Floating to integer types truncates; values that do not fit wrap around.

    Args:
        input (Union[Tensor, number]): what to convert.
        dtype (Type): the new type.

    Returns:
        Tensor of the same shape; over the same memory if the type is the same.
    """
    ...

def cat(tensors: Tensor | Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join tensors along an existing axis.

    Args:
        tensors (Union[tuple, list]): tensors whose other sizes agree.
        axis (int): the axis. Default: 0.

    Returns:
        Tensor of the common type.
    """
    ...

def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    r"""Distances of all pairs of vectors: :math:`out_{..ij} = \|x1_{..i} - x2_{..j}\|_p`.

    Args:
        x1 (Tensor): shape :math:`(.., N, D)`.
        x2 (Tensor): shape :math:`(.., M, D)`.
        p (float): the norm, at least 0. Default: 2.0.

    Returns:
        Tensor of shape :math:`(.., N, M)`.
    """
    ...

def ceil(input: Tensor) -> Tensor:
    r"""Smallest integer that is not below, element by element: :math:`out = \lceil x \rceil`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def celu(x: Tensor, alpha: float = 1.0) -> Tensor:
    r"""Continuously differentiable exponential linear unit.

    .. math:: out_i = \max(0, x_i) + \min(0, \alpha (e^{x_i / \alpha} - 1))

    Args:
        x (Tensor): floating point, any shape.
        alpha (Union[int, float]): :math:`\alpha`, not 0. Default: 1.0.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def channel_shuffle(x: Tensor, groups: int) -> Tensor:
    r"""Mix the channels of groups: channel :math:`g \cdot C / G + c` goes to :math:`c \cdot G + g`.

    Args:
        x (Tensor): shape :math:`(N, C, *)`.
        groups (int): :math:`G`, a divisor of C.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def check_valid(bboxes: Tensor, img_metas: Tensor) -> Tensor:
    """Whether boxes lie within an image.

    Args:
        bboxes (Tensor): shape :math:`(N, 4)`, see the note on boxes; integers too.
        img_metas (Tensor): height, width and the ratio they are multiplied by, shape (3,).

    Returns:
        Tensor of bool of shape :math:`(N,)`.
    """
    ...

def choice_with_mask(input_x: Tensor, count: Any = 256, seed: Any = None) -> tuple[Tensor, Tensor]:
    """Choose some of the true positions of a mask at random, none twice.

    Args:
        input_x (Tensor): bool, of 1 to 5 dimensions.
        count (int): how many positions, at least 1. Default: 256.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns:
        Two tensors: the positions, int32 of shape (count, rank), and which rows hold one, bool
        of shape (count,). If there are fewer than `count`, the other rows are zero and False.
    """
    ...

def cholesky(input_x: Tensor, upper: bool = False) -> Tensor:
    """Cholesky decomposition of positive definite matrices: :math:`input = L L^H`.

    Args:
        input_x (Tensor): shape :math:`(.., N, N)`, symmetric and positive definite.
        upper (bool): whether :math:`L^H` is given, else :math:`L`. Default: False.

    Returns:
        Tensor of the same shape, triangular.
    """
    ...

def cholesky_inverse(input_x: Tensor, upper: bool = False) -> Tensor:
    """Inverse of a matrix from its Cholesky factor: :math:`(L L^H)^{-1}`.

    Args:
        input_x (Tensor): the factor, shape :math:`(N, N)`.
        upper (bool): whether it is the upper one. Default: False.

    Returns:
        Tensor of the same shape.
    """
    ...

def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    r"""Solution of linear equations from a Cholesky factor: :math:`L L^H \cdot out = input`.

    Args:
        input (Tensor): the right side, shape :math:`(.., N, K)`.
        input2 (Tensor): the factor, shape :math:`(.., N, N)`, of the same type.
        upper (bool): whether it is the upper one. Default: False.

    Returns:
        Tensor of shape :math:`(.., N, K)`.
    """
    ...

def chunk(input: Tensor, chunks: int, axis: int = 0) -> tuple[Tensor, ...]:
    r"""Cut into at most a given number of parts of size :math:`\lceil size / chunks \rceil`.

    Args:
        input (Tensor): any shape.
        chunks (int): how many parts at most.
        axis (int): the axis. Default: 0.

    Returns:
        Tuple of Tensors, views; the last may be smaller.
    """
    ...

def clamp(input: Tensor, min: Tensor | Number | None = None, max: Tensor | Number | None = None) -> Tensor:
    r"""Clamp every element: :math:`out_i = \min(\max(input_i, min_i), max_i)`.

    Args:
        input (Tensor): any shape.
        min (Union[Tensor, number]): the lower bound; shapes broadcast. Default None: none.
        max (Union[Tensor, number]): the upper bound; it wins where it is the smaller one.
            Default None: none.

    Returns:
        Tensor of the common type; a float bound makes float32 of integers.
    """
    ...

def clamp_(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """Bounded, in place; gradients flow through it.

    Args:
        input (Tensor): this tensor.
        min: see ``Tensor.clamp``.
        max: see ``Tensor.clamp``.

    Returns:
        This tensor.
    """
    ...

def clip(input: Tensor, min: Tensor | Number | None = None, max: Tensor | Number | None = None) -> Tensor:
    r"""Clamp every element: :math:`out_i = \min(\max(input_i, min_i), max_i)`.

    Args:
        input (Tensor): any shape.
        min (Union[Tensor, number]): the lower bound; shapes broadcast. Default None: none.
        max (Union[Tensor, number]): the upper bound; it wins where it is the smaller one.
            Default None: none.

    Returns:
        Tensor of the common type; a float bound makes float32 of integers.
    """
    ...

def clip_by_global_norm(x: Tensor | Sequence[Tensor], clip_norm: Tensor | Number = 1.0, use_norm: Any = None) -> Any:
    r"""Scale tensors down together: :math:`x_i \cdot clip / \max(\|x\|_2, clip)`.

    Args:
        x (Union[Tensor, tuple[Tensor], list[Tensor]]): the tensors, such as gradients.
        clip_norm (Union[float, int, Tensor]): the largest norm of all their elements, positive.
            Default: 1.0.
        use_norm (None): MindSpore has None only. Default: None.

    Returns:
        Tuple of Tensors; a Tensor for a single one.
    """
    ...

def clip_by_norm(x: Tensor | Sequence[Tensor], max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Any:
    r"""Scale tensors whose common norm is too large: :math:`x \cdot max / (\|x\|_p + 10^{-6})`.

    Args:
        x (Union[Tensor, list[Tensor], tuple[Tensor]]): the tensors, such as gradients.
        max_norm (Union[float, int]): the largest norm of all their elements.
        norm_type (Union[float, int]): the norm p. Default: 2.0.
        error_if_nonfinite (bool): whether an infinite or nan norm raises. Default: False.

    Returns:
        Tensor, or a tuple of Tensors for several.
    """
    ...

def clip_by_value(x: Tensor | Sequence[Tensor], clip_value_min: Tensor | Number | None = None, clip_value_max: Tensor | Number | None = None) -> Any:
    r"""Clamp every element, keeping the type: :math:`\min(\max(x_i, min_i), max_i)`.

    Args:
        x (Union[Tensor, list[Tensor], tuple[Tensor]]): what to bound, or several.
        clip_value_min (Union[Tensor, number]): the lower bound. Default None: none.
        clip_value_max (Union[Tensor, number]): the upper bound. Default None: none.

    Returns:
        Tensor of the shape and type of `x`; a tuple for several.
    """
    ...

def coalesce(x_indices: Tensor, x_values: Tensor, x_shape: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The indices of a sparse tensor in order, with values of the same index summed.

    Args:
        x_indices (Tensor): the places, one in each column: shape :math:`(rank, N)`.
        x_values (Tensor): the values, of shape :math:`(N,)`.
        x_shape (Tensor): the sizes of the dense tensor, of shape :math:`(rank,)`.

    Returns:
        Three Tensors: places, values, and `x_shape`.
    """
    ...

def col2im(input_x: Tensor, output_size: Any, kernel_size: Sequence[int], dilation: Sequence[int], padding_value: Sequence[int], stride: Sequence[int]) -> Tensor:
    """Sum columns into images; see ``ops.fold``.

    Args:
        input_x (Tensor): shape :math:`(N, C, K_h K_w, patches)`.
        output_size (Union[Tensor, tuple[int]]): height and width of the output.
        kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
        dilation (Union[int, tuple[int], list[int]]): distance between its elements.
        padding_value (Union[int, tuple[int], list[int]]): zeros on both sides.
        stride (Union[int, tuple[int], list[int]]): step from patch to patch.

    Returns:
        Tensor of shape :math:`(N, C, H, W)`.
    """
    ...

def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Join tensors along the second axis, vectors as columns.

    Args:
        tensors (Union[tuple, list]): tensors whose other sizes agree.

    Returns:
        Tensor of the common type.
    """
    ...

def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All combinations of a given number of elements of a vector.

    Args:
        input (Tensor): a vector.
        r (int): the number of elements in a combination. Default: 2.
        with_replacement (bool): whether an element may come twice. Default: False.

    Returns:
        Tensor of shape (N, r).
    """
    ...

def concat(tensors: Tensor | Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join tensors along an existing axis.

    Args:
        tensors (Union[tuple, list]): tensors whose other sizes agree.
        axis (int): the axis. Default: 0.

    Returns:
        Tensor of the common type.
    """
    ...

def cond(A: Tensor, p: Any = None) -> Tensor:
    r"""Condition number of matrices: :math:`\|A\|_p \|A^{-1}\|_p`.

    Args:
        A (Tensor): shape :math:`(.., M, N)`; square unless p is None, 2 or -2.
        p (Union[int, float, str]): the norm, see :func:`ops.norm`. Default None: 2.

    Returns:
        Tensor of shape :math:`(..)`; infinite for singular matrices.
    """
    ...

def conj(input: Tensor) -> Tensor:
    r"""Complex conjugate, element by element: :math:`out = \bar{x}`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: int | Sequence[int] = 1, pad_mode: str = 'valid', padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, groups: int = 1) -> Tensor:
    r"""Convolution (cross-correlation) over one dimension.

    .. math:: out_{n,o,l} = bias_o
        + \sum_{c,k} weight_{o,c,k} \cdot x_{n,c,\,l \cdot stride + k \cdot dilation}

    Args:
        input (Tensor): shape :math:`(N, C_{in}, L)`.
        weight (Tensor): shape :math:`(C_{out}, C_{in} / groups, K)`; the shape
            :math:`(C_{out}, C_{in} / groups, 1, K)` of ``nn.Conv1d`` is taken, too.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` (none), ``same`` (output length ceil(L / stride), the odd element
            at the end) or ``pad`` (as `padding` says). Default: ``"valid"``.
        padding (Union[int, tuple[int]]): zeros on both sides, or (left, right). Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of the kernel. Default: 1.
        groups (int): number of groups of channels. Default: 1.

    Returns:
        Tensor of shape :math:`(N, C_{out}, L_{out})`.
    """
    ...

def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: int | Sequence[int] = 1, pad_mode: str = 'valid', padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, groups: int = 1) -> Tensor:
    r"""Convolution (cross-correlation) over two dimensions.

    .. math:: out_{n,o} = bias_o + \sum_{c} weight_{o,c} \star x_{n,c}

    Args:
        input (Tensor): shape :math:`(N, C_{in}, H, W)`.
        weight (Tensor): shape :math:`(C_{out}, C_{in} / groups, K_h, K_w)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window, one for both dimensions or
            (height, width). Default: 1.
        pad_mode (str): ``valid`` (none), ``same`` (output size ceil(in / stride), the odd row or
            column at the bottom or right) or ``pad`` (as `padding` says). Default: ``"valid"``.
        padding (Union[int, tuple[int]]): zeros on every side; (height, width); or
            (top, bottom, left, right). Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of the kernel. Default: 1.
        groups (int): number of groups of channels. Default: 1.

    Returns:
        Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})`.
    """
    ...

def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: int | Sequence[int] = 1, pad_mode: str = 'valid', padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, groups: int = 1) -> Tensor:
    r"""Convolution (cross-correlation) over three dimensions.

    .. math:: out_{n,o} = bias_o + \sum_{c} weight_{o,c} \star x_{n,c}

    Args:
        input (Tensor): shape :math:`(N, C_{in}, D, H, W)`.
        weight (Tensor): shape :math:`(C_{out}, C_{in} / groups, K_d, K_h, K_w)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid``, ``same`` or ``pad``, see ``ops.conv2d``. Default: ``"valid"``.
        padding (Union[int, tuple[int]]): zeros on every side; (depth, height, width); or
            (head, tail, top, bottom, left, right). Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of the kernel. Default: 1.
        groups (int): number of groups of channels. Default: 1.

    Returns:
        Tensor of shape :math:`(N, C_{out}, D_{out}, H_{out}, W_{out})`.
    """
    ...

def conv3d_transpose(inputs: Tensor, weight: Tensor, pad_mode: str = 'valid', padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1, dilation: int | Sequence[int] = 1, group: int = 1, output_padding: int | Sequence[int] = 0) -> Tensor:
    """Transposed convolution over three dimensions.

    Args:
        inputs (Tensor): shape :math:`(N, C_{in}, D, H, W)`.
        weight (Tensor): shape :math:`(C_{in}, C_{out} / group, K_d, K_h, K_w)`.
        pad_mode (str): ``valid``, ``same`` (output is input times stride) or ``pad``. Default:
            ``"valid"``.
        padding (Union[int, tuple[int]]): taken away on each side in mode ``pad``. Default: 0.
        stride (Union[int, tuple[int]]): step of the window in the output. Default: 1.
        dilation (Union[int, tuple[int]]): distance between the elements of the kernel. Default: 1.
        group (int): number of groups of channels. Default: 1.
        output_padding (Union[int, tuple[int]]): added at the end, in mode ``pad``. Default: 0.

    Returns:
        Tensor of shape :math:`(N, C_{out}, D_{out}, H_{out}, W_{out})`.
    """
    ...

def conv_transpose2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, output_padding: int | Sequence[int] = 0, groups: int = 1, dilation: int | Sequence[int] = 1) -> Tensor:
    r"""Transposed convolution over two dimensions: the gradient of a convolution for its input.

    .. math:: H_{out} = (H - 1) \cdot stride - 2 \cdot padding + dilation (K_h - 1) + 1
        + output\_padding

    Args:
        input (Tensor): shape :math:`(N, C_{in}, H, W)`, or without N.
        weight (Tensor): shape :math:`(C_{in}, C_{out} / groups, K_h, K_w)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window in the output. Default: 1.
        padding (Union[int, tuple[int]]): rows and columns taken away on each side. Default: 0.
        output_padding (Union[int, tuple[int]]): added at bottom and right, less than stride or
            dilation. Default: 0.
        groups (int): number of groups of channels. Default: 1.
        dilation (Union[int, tuple[int]]): distance between the elements of the kernel. Default: 1.

    Returns:
        Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})`, or without N.
    """
    ...

def coo2csr(row_indices: Tensor, height: int) -> Tensor:
    """Where each row begins among values whose rows are given in order.

    Args:
        row_indices (Tensor): the row of each value.
        height (int): the number of rows.

    Returns:
        Tensor of shape :math:`(height + 1,)`, of the type of `row_indices`.
    """
    ...

def coo_abs(x: Any) -> Any:
    """Of each value of a COOTensor, the absolute value; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.abs`` gives.
    """
    ...

def coo_acos(x: Any) -> Any:
    """Of each value of a COOTensor, the inverse cosine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.acos`` gives.
    """
    ...

def coo_acosh(x: Any) -> Any:
    """Of each value of a COOTensor, the inverse hyperbolic cosine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.acosh`` gives.
    """
    ...

def coo_asin(x: Any) -> Any:
    """Of each value of a COOTensor, the inverse sine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.asin`` gives.
    """
    ...

def coo_asinh(x: Any) -> Any:
    """Of each value of a COOTensor, the inverse hyperbolic sine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.asinh`` gives.
    """
    ...

def coo_atan(x: Any) -> Any:
    """Of each value of a COOTensor, the inverse tangent; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.atan`` gives.
    """
    ...

def coo_atanh(x: Any) -> Any:
    """Of each value of a COOTensor, the inverse hyperbolic tangent; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.atanh`` gives.
    """
    ...

def coo_ceil(x: Any) -> Any:
    """Of each value of a COOTensor, the smallest whole number that is not smaller; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.ceil`` gives.
    """
    ...

def coo_cos(x: Any) -> Any:
    """Of each value of a COOTensor, the cosine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.cos`` gives.
    """
    ...

def coo_cosh(x: Any) -> Any:
    """Of each value of a COOTensor, the hyperbolic cosine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.cosh`` gives.
    """
    ...

def coo_exp(x: Any) -> Any:
    """Of each value of a COOTensor, the exponential; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.exp`` gives.
    """
    ...

def coo_expm1(x: Any) -> Any:
    """Of each value of a COOTensor, the exponential minus one; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.expm1`` gives.
    """
    ...

def coo_floor(x: Any) -> Any:
    """Of each value of a COOTensor, the largest whole number that is not larger; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.floor`` gives.
    """
    ...

def coo_inv(x: Any) -> Any:
    """Of each value of a COOTensor, one divided by it; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.inv`` gives.
    """
    ...

def coo_isfinite(x: Any) -> Any:
    """Of each value of a COOTensor, whether it is finite; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.isfinite`` gives.
    """
    ...

def coo_isinf(x: Any) -> Any:
    """Of each value of a COOTensor, whether it is infinite; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.isinf`` gives.
    """
    ...

def coo_isnan(x: Any) -> Any:
    """Of each value of a COOTensor, whether it is not a number; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.isnan`` gives.
    """
    ...

def coo_log(x: Any) -> Any:
    """Of each value of a COOTensor, the natural logarithm; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.log`` gives.
    """
    ...

def coo_log1p(x: Any) -> Any:
    """Of each value of a COOTensor, the natural logarithm of one plus it; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.log1p`` gives.
    """
    ...

def coo_neg(x: Any) -> Any:
    """Of each value of a COOTensor, its negative; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.neg`` gives.
    """
    ...

def coo_relu(x: Any) -> Any:
    """Of each value of a COOTensor, it if positive, else zero; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.relu`` gives.
    """
    ...

def coo_relu6(x: Any) -> Any:
    """Of each value of a COOTensor, it, limited to 0 to 6; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.relu6`` gives.
    """
    ...

def coo_round(x: Any) -> Any:
    """Of each value of a COOTensor, the nearest whole number, the even one of two; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.round`` gives.
    """
    ...

def coo_sigmoid(x: Any) -> Any:
    """Of each value of a COOTensor, the logistic function; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.sigmoid`` gives.
    """
    ...

def coo_sin(x: Any) -> Any:
    """Of each value of a COOTensor, the sine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.sin`` gives.
    """
    ...

def coo_sinh(x: Any) -> Any:
    """Of each value of a COOTensor, the hyperbolic sine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.sinh`` gives.
    """
    ...

def coo_softsign(x: Any) -> Any:
    """Of each value of a COOTensor, it divided by one plus its absolute; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.softsign`` gives.
    """
    ...

def coo_sqrt(x: Any) -> Any:
    """Of each value of a COOTensor, the square root; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.sqrt`` gives.
    """
    ...

def coo_square(x: Any) -> Any:
    """Of each value of a COOTensor, its square; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.square`` gives.
    """
    ...

def coo_tan(x: Any) -> Any:
    """Of each value of a COOTensor, the tangent; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.tan`` gives.
    """
    ...

def coo_tanh(x: Any) -> Any:
    """Of each value of a COOTensor, the hyperbolic tangent; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        COOTensor with the same places; its values are what ``ops.tanh`` gives.
    """
    ...

def coo_tensor_get_dense_shape(x: Any) -> Any:
    """The sizes of the dense tensor of a COOTensor, as its attribute ``shape``.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        tuple of int.
    """
    ...

def coo_tensor_get_indices(x: Any) -> Any:
    """The places of the values of a COOTensor, as its attribute ``indices``.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        Tensor.
    """
    ...

def coo_tensor_get_values(x: Any) -> Any:
    """The values of a COOTensor, as its attribute ``values``.

    Args:
        x (COOTensor): the sparse tensor.

    Returns:
        Tensor.
    """
    ...

def copysign(x: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Magnitude of the first with the sign of the second, element by element: :math:`out = |x| \operatorname{sign}(y)`.

    Args:
        x (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def cos(input: Tensor) -> Tensor:
    r"""Cosine of radians, element by element: :math:`out = \cos x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def cosh(input: Tensor) -> Tensor:
    """Hyperbolic cosine, element by element: :math:`out = (e^x + e^{-x}) / 2`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = 'mean') -> Tensor:
    r"""Loss of angles between similar (1) and different (-1) vectors.

    :math:`l = 1 - \cos(x_1, x_2)` where :math:`y = 1`, and
    :math:`\max(0, \cos(x_1, x_2) - margin)` where :math:`y = -1`.

    Args:
        input1 (Tensor): vectors along axis 1, shape :math:`(N, D, *)`, or one vector
            :math:`(D,)`.
        input2 (Tensor): vectors of the same shape.
        target (Tensor): 1 or -1, shape :math:`(N, *)` or :math:`()`.
        margin (Union[int, float]): in [-1, 1]. Default: 0.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `target`.
    """
    ...

def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08) -> Tensor:
    r"""Cosine of the angle between vectors: :math:`\frac{x1 \cdot x2}{\|x1\|_2 \|x2\|_2}`.

    Args:
        x1 (Tensor): the first vectors.
        x2 (Tensor): the second; shapes broadcast.
        dim (int): the axis of the vectors. Default: 1.
        eps (float): the least value of a norm. Default: 1e-8.

    Returns:
        Tensor without that axis, of the common type.
    """
    ...

def count_nonzero(x: Tensor, axis: Any = ..., keep_dims: bool = False, dtype: Any = ...) -> Tensor:
    """The number of elements along axes that are not zero.

    Args:
        x (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes. Default (): all.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type of the result. Default: int32.

    Returns:
        Tensor of `dtype`.
    """
    ...

def cov(input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
    """Covariance matrix of variables (rows) over observations (columns).

    Args:
        input (Tensor): a matrix, or a vector of one variable.
        correction (int): what is taken from the number of observations in the divisor. Default: 1.
        fweights (Tensor): how often each observation counts, integers. Default: None.
        aweights (Tensor): weights of the observations. Default: None.

    Returns:
        Tensor, a matrix (0-d for a vector); float16 gives float32.
    """
    ...

def crop_and_resize(image: Tensor, boxes: Tensor, box_indices: Tensor, crop_size: Any, method: str = 'bilinear', extrapolation_value: float = 0.0) -> Tensor:
    """Cut boxes out of images and resize them all to one size.

    Args:
        image (Tensor): any real dtype, shape (N, H, W, C).
        boxes (Tensor): rows (y1, x1, y2, x2); 0 and 1 are the ends of the image. Where the second
            corner comes first, the crop is turned over.
        box_indices (Tensor): the image of each box, integers.
        crop_size (tuple[int]): (height, width) of the crops.
        method (str): ``bilinear``, ``nearest``, or ``bilinear_v2``, which divides the whole pixels
            that a box touches into equal parts. Default: ``"bilinear"``.
        extrapolation_value (float): the value of what lies beyond the image; ``bilinear_v2`` takes
            the end pixels instead. Default: 0.0.

    Returns:
        Tensor of shape (boxes, height, width, C), float32 (float64 if the boxes are).
    """
    ...

def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """Cross product of vectors with three components.

    Args:
        input (Tensor): any shape with an axis of size 3.
        other (Tensor): of the same shape.
        dim (int): that axis. Default None: the first of size 3.

    Returns:
        Tensor of the common type.
    """
    ...

def cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = 'mean', label_smoothing: float = 0.0) -> Tensor:
    r"""Cross entropy between scores of classes and class indices or probabilities.

    With indices :math:`y`: :math:`l_n = -w_{y_n} \log \mathrm{softmax}(x_n)_{y_n}`, and the mean
    divides by the sum of the weights of the samples that are not ignored. With probabilities
    :math:`p`: :math:`l_n = -\sum_c w_c p_{n,c} \log \mathrm{softmax}(x_n)_c`.

    Args:
        input (Tensor): scores (logits), shape :math:`(C,)`, :math:`(N, C)` or
            :math:`(N, C, d_1, ...)`.
        target (Tensor): indices of an integer type, shape :math:`()`, :math:`(N,)` or
            :math:`(N, d_1, ...)`; or probabilities of `input`'s shape.
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        ignore_index (int): an index whose samples do not count; only for indices. Default: -100.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        label_smoothing (float): the part of the target that is spread over all classes, in
            [0, 1]. Default: 0.0.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of the indices.
    """
    ...

def csr2coo(indptr: Tensor, nnz: int) -> Tensor:
    """The row of each value of a CSRTensor.

    Args:
        indptr (Tensor): where each row begins.
        nnz (int): the number of values.

    Returns:
        Tensor of shape :math:`(nnz,)`, of the type of `indptr`.
    """
    ...

def csr_abs(x: Any) -> Any:
    """Of each value of a CSRTensor, the absolute value; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.abs`` gives.
    """
    ...

def csr_acos(x: Any) -> Any:
    """Of each value of a CSRTensor, the inverse cosine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.acos`` gives.
    """
    ...

def csr_acosh(x: Any) -> Any:
    """Of each value of a CSRTensor, the inverse hyperbolic cosine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.acosh`` gives.
    """
    ...

def csr_asin(x: Any) -> Any:
    """Of each value of a CSRTensor, the inverse sine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.asin`` gives.
    """
    ...

def csr_asinh(x: Any) -> Any:
    """Of each value of a CSRTensor, the inverse hyperbolic sine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.asinh`` gives.
    """
    ...

def csr_atan(x: Any) -> Any:
    """Of each value of a CSRTensor, the inverse tangent; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.atan`` gives.
    """
    ...

def csr_atanh(x: Any) -> Any:
    """Of each value of a CSRTensor, the inverse hyperbolic tangent; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.atanh`` gives.
    """
    ...

def csr_ceil(x: Any) -> Any:
    """Of each value of a CSRTensor, the smallest whole number that is not smaller; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.ceil`` gives.
    """
    ...

def csr_cos(x: Any) -> Any:
    """Of each value of a CSRTensor, the cosine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.cos`` gives.
    """
    ...

def csr_cosh(x: Any) -> Any:
    """Of each value of a CSRTensor, the hyperbolic cosine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.cosh`` gives.
    """
    ...

def csr_exp(x: Any) -> Any:
    """Of each value of a CSRTensor, the exponential; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.exp`` gives.
    """
    ...

def csr_expm1(x: Any) -> Any:
    """Of each value of a CSRTensor, the exponential minus one; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.expm1`` gives.
    """
    ...

def csr_floor(x: Any) -> Any:
    """Of each value of a CSRTensor, the largest whole number that is not larger; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.floor`` gives.
    """
    ...

def csr_gather(indptr: Tensor, indices: Tensor, dense: Tensor, sparse_shape: tuple[int, ...]) -> Tensor:
    """The elements of a dense tensor at the indices of a CSRTensor.

    Args:
        indptr (Tensor): where each row begins.
        indices (Tensor): the column of each value.
        dense (Tensor): a tensor that broadcasts to `sparse_shape`.
        sparse_shape (tuple[int]): the sizes of the CSRTensor.

    Returns:
        Tensor with an element for each of `indices`.
    """
    ...

def csr_inv(x: Any) -> Any:
    """Of each value of a CSRTensor, one divided by it; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.inv`` gives.
    """
    ...

def csr_isfinite(x: Any) -> Any:
    """Of each value of a CSRTensor, whether it is finite; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.isfinite`` gives.
    """
    ...

def csr_isinf(x: Any) -> Any:
    """Of each value of a CSRTensor, whether it is infinite; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.isinf`` gives.
    """
    ...

def csr_isnan(x: Any) -> Any:
    """Of each value of a CSRTensor, whether it is not a number; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.isnan`` gives.
    """
    ...

def csr_log(x: Any) -> Any:
    """Of each value of a CSRTensor, the natural logarithm; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.log`` gives.
    """
    ...

def csr_log1p(x: Any) -> Any:
    """Of each value of a CSRTensor, the natural logarithm of one plus it; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.log1p`` gives.
    """
    ...

def csr_neg(x: Any) -> Any:
    """Of each value of a CSRTensor, its negative; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.neg`` gives.
    """
    ...

def csr_relu(x: Any) -> Any:
    """Of each value of a CSRTensor, it if positive, else zero; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.relu`` gives.
    """
    ...

def csr_relu6(x: Any) -> Any:
    """Of each value of a CSRTensor, it, limited to 0 to 6; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.relu6`` gives.
    """
    ...

def csr_round(x: Any) -> Any:
    """Of each value of a CSRTensor, the nearest whole number, the even one of two; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.round`` gives.
    """
    ...

def csr_sigmoid(x: Any) -> Any:
    """Of each value of a CSRTensor, the logistic function; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.sigmoid`` gives.
    """
    ...

def csr_sin(x: Any) -> Any:
    """Of each value of a CSRTensor, the sine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.sin`` gives.
    """
    ...

def csr_sinh(x: Any) -> Any:
    """Of each value of a CSRTensor, the hyperbolic sine; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.sinh`` gives.
    """
    ...

def csr_softsign(x: Any) -> Any:
    """Of each value of a CSRTensor, it divided by one plus its absolute; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.softsign`` gives.
    """
    ...

def csr_sqrt(x: Any) -> Any:
    """Of each value of a CSRTensor, the square root; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.sqrt`` gives.
    """
    ...

def csr_square(x: Any) -> Any:
    """Of each value of a CSRTensor, its square; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.square`` gives.
    """
    ...

def csr_tan(x: Any) -> Any:
    """Of each value of a CSRTensor, the tangent; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.tan`` gives.
    """
    ...

def csr_tanh(x: Any) -> Any:
    """Of each value of a CSRTensor, the hyperbolic tangent; the places stay.

    Places without a value stay without one, whatever the function of zero is.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        CSRTensor with the same places; its values are what ``ops.tanh`` gives.
    """
    ...

def csr_tensor_get_dense_shape(x: Any) -> Any:
    """The sizes of the dense tensor of a CSRTensor, as its attribute ``shape``.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        tuple of int.
    """
    ...

def csr_tensor_get_indices(x: Any) -> Any:
    """The places of the values of a CSRTensor, as its attribute ``indices``.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        Tensor.
    """
    ...

def csr_tensor_get_indptr(x: Any) -> Any:
    """Where each row begins among the values of a CSRTensor, as its attribute ``indptr``.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        Tensor.
    """
    ...

def csr_tensor_get_values(x: Any) -> Any:
    """The values of a CSRTensor, as its attribute ``values``.

    Args:
        x (CSRTensor): the sparse tensor.

    Returns:
        Tensor.
    """
    ...

def ctc_greedy_decoder(inputs: Tensor, sequence_length: Tensor | list[int], merge_repeated: bool = True) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The label sequences of the best class at each time step.

    The last class is the blank.

    Args:
        inputs (Tensor): scores, shape :math:`(T, N, C)`.
        sequence_length (Union[Tensor, list[int]]): the number of time steps of each sample.
        merge_repeated (bool): whether repetitions are merged. Default: True.

    Returns:
        tuple of four tensors: pairs (sample, position), shape :math:`(M, 2)`; the labels,
        shape :math:`(M,)`; the shape :math:`(N, longest)` of the dense result; and the negative
        sums of the best scores, shape :math:`(N, 1)`.
    """
    ...

def ctc_loss(log_probs: Tensor, targets: Tensor, input_lengths: Tensor | list[int], target_lengths: Tensor | list[int], blank: int = 0, reduction: str = 'mean', zero_infinity: bool = False) -> tuple[Tensor, Tensor]:
    """Negative log likelihood of label sequences that are not aligned with the inputs.

    Sums the probabilities of all alignments: sequences of T classes that give the labels when
    repetitions are merged and blanks removed.

    Args:
        log_probs (Tensor): log probabilities, shape :math:`(T, N, C)`.
        targets (Tensor): labels of an integer type, without blanks, shape :math:`(N, S)`.
        input_lengths (Union[Tensor, list[int]]): the number of time steps of each sample, at
            most T.
        target_lengths (Union[Tensor, list[int]]): the number of labels of each sample, at most S.
        blank (int): the class that means no label. Default: 0.
        reduction (str): ``"mean"`` (each loss is divided by its number of labels first), ``"sum"``
            or ``"none"``. Default: ``"mean"``.
        zero_infinity (bool): whether samples that cannot be aligned have loss and gradient 0,
            not infinity. Default: False.

    Returns:
        tuple of the loss, a number or shape :math:`(N,)`, and the logarithms of the forward
        variables, shape :math:`(N, T, 2S + 1)`, through which no gradient flows.
    """
    ...

def cummax(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """The largest elements so far along an axis, and their indices.

    Args:
        input (Tensor): any shape.
        axis (int): the axis.

    Returns:
        Tuple of values and indices (int64); of equal
        elements, that of the last.
    """
    ...

def cummin(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """The smallest elements so far along an axis, and their indices.

    Args:
        input (Tensor): any shape.
        axis (int): the axis.

    Returns:
        Tuple of values and indices (int32); of equal
        elements, that of the last.
    """
    ...

def cumprod(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    r"""Running product along an axis: :math:`out_i = input_1 \cdots input_i`.

    Args:
        input (Tensor): any shape.
        dim (int): the axis.
        dtype (Type): the type to compute in and to return. Default None: that of `input`, int64
            for integers and bool.

    Returns:
        Tensor of the same shape.
    """
    ...

def cumsum(x: Tensor, axis: int, dtype: Any = None) -> Tensor:
    r"""Running sum along an axis: :math:`out_i = x_1 + \dots + x_i`.

    Args:
        x (Tensor): any shape.
        axis (int): the axis.
        dtype (Type): the type to compute in and to return. Default None: that of `x` (int32 for
            bool).

    Returns:
        Tensor of the same shape.
    """
    ...

def deepcopy(input_x: Tensor) -> Tensor:
    """A copy over its own memory; gradients flow to the original.

    Args:
        input_x (Tensor): any shape and type.

    Returns:
        Tensor.
    """
    ...

def deformable_conv2d(x: Tensor, weight: Tensor, offsets: Tensor, kernel_size: Any, strides: Any, padding: Any, bias: Tensor | None = None, dilations: Any = ..., groups: int = 1, deformable_groups: int = 1, modulated: bool = True) -> Tensor:
    r"""Convolution in which every position of every window is moved and weighted.

    .. math::
        y(p) = \sum_k w_k \cdot m_k(p) \cdot x(p + p_k + \Delta p_k(p))

    Between pixels `x` is interpolated, outside of the image it is zero.

    Args:
        x (Tensor): shape :math:`(N, C, H, W)`.
        weight (Tensor): shape :math:`(C_{out}, C / groups, h, w)`.
        offsets (Tensor): for each group and place of the window the offsets to the right, those
            downwards, and the factors m: shape :math:`(N, 3 G h w, H_{out}, W_{out})`.
        kernel_size (tuple[int]): height and width of the window.
        strides (tuple[int]): four ints, the first two of them 1.
        padding (tuple[int]): zeros above, below, left and right.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        dilations (tuple[int]): four ints, the first two of them 1. Default: (1, 1, 1, 1).
        groups (int): how many parts of the channels are convolved on their own. Default: 1.
        deformable_groups (int): how many parts of the channels have offsets of their own.
            Default: 1.
        modulated (bool): only True. Default: True.

    Returns:
        Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})` and the type of `x`.
    """
    ...

def deg2rad(x: Tensor) -> Tensor:
    r"""Degrees to radians: :math:`out_i = x_i \pi / 180`.

    Args:
        x (Tensor): any shape.

    Returns:
        Tensor of the same shape; integers give float32.
    """
    ...

def dense(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    r"""Product with a weight matrix: :math:`out = input \cdot weight^T + bias`.

    Args:
        input (Tensor): shape :math:`(*, C_{in})`.
        weight (Tensor): shape :math:`(C_{out}, C_{in})`, of the input's dtype.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.

    Returns:
        Tensor of shape :math:`(*, C_{out})`.
    """
    ...

def det(input: Tensor) -> Tensor:
    """Determinant of square matrices.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns:
        Tensor of shape :math:`(..)`.
    """
    ...

def diag(input: Tensor) -> Tensor:
    """A tensor with the input on its diagonal: :math:`out_{i..., i...} = input_{i...}`.

    Args:
        input (Tensor): one axis or more.

    Returns:
        Tensor whose shape is that of `input`, twice.
    """
    ...

def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Matrices with the last axis of the input on their diagonals.

    Args:
        input (Tensor): one axis or more.
        offset (int): which diagonal. Default: 0.
        dim1 (int): the first axis of the matrices in the result. Default: -2.
        dim2 (int): the second. Default: -1.

    Returns:
        Tensor with one axis more.
    """
    ...

def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """A matrix with all elements of the input on a diagonal.

    Args:
        input (Tensor): any shape.
        offset (int): which diagonal. Default: 0.

    Returns:
        Tensor with two axes.
    """
    ...

def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonal of the plane of two axes.

    Args:
        input (Tensor): two axes or more.
        offset (int): which diagonal, 0 the main one, 1 the one above it. Default: 0.
        dim1 (int): the first axis. Default: 0.
        dim2 (int): the second axis. Default: 1.

    Returns:
        Tensor, a view; the diagonal is its last axis.
    """
    ...

def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """A copy in which a diagonal is replaced.

    Args:
        input (Tensor): the tensor to start from.
        src (Tensor): the diagonal, its last axis.
        offset (int): which diagonal. Default: 0.
        dim1 (int): the first axis of the plane. Default: 0.
        dim2 (int): the second. Default: 1.

    Returns:
        Tensor of the shape and type of `input`.
    """
    ...

def dict_getitem(values: Any, key: Any) -> Any:
    """The value of a key.

    Args:
        values (dict): the values to take from.
        key (Any): the index or key.
    """
    ...

def dict_setitem(values: Any, key: Any, value: Any) -> Any:
    """A copy with one value set.

    Args:
        values (dict): the values to take from.
        key (Any): the index or key.
        value (Any): the new value.
    """
    ...

def diff(x: Tensor, n: int = 1, axis: int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Tensor:
    """Differences of neighbors along an axis: :math:`out_i = x_{i+1} - x_i`, `n` times over.

    Args:
        x (Tensor): one axis or more.
        n (int): how often. Default: 1.
        axis (int): the axis. Default: -1.
        prepend (Tensor): what to put before `x` first. Default: None.
        append (Tensor): what to put behind `x` first. Default: None.

    Returns:
        Tensor, shorter by `n` along the axis.
    """
    ...

def digamma(input: Tensor) -> Tensor:
    r"""Derivative of the logarithm of the gamma function, element by element: :math:`out = \Gamma'(x) / \Gamma(x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    r"""Norm of a difference: :math:`\|input - other\|_p`.

    Args:
        input (Tensor): any shape.
        other (Tensor): a shape that broadcasts.
        p (number): the norm. Default: 2.

    Returns:
        Tensor, 0-d.
    """
    ...

def div(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: str | None = None) -> Tensor:
    """Divide, element by element: :math:`out_i = input_i / other_i`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
        rounding_mode (str): ``"floor"`` rounds the quotient down, ``"trunc"`` toward zero; None
            keeps the true quotient. Default: None.

    Returns:
        Tensor of the broadcast shape. Integers give float32 without rounding and their common
        type with it.
    """
    ...

def divide(input: Tensor | Number, other: Tensor | Number, *, rounding_mode: str | None = None) -> Tensor:
    """Divide, element by element: :math:`out_i = input_i / other_i`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
        rounding_mode (str): ``"floor"`` rounds the quotient down, ``"trunc"`` toward zero; None
            keeps the true quotient. Default: None.

    Returns:
        Tensor of the broadcast shape. Integers give float32 without rounding and their common
        type with it.
    """
    ...

def dot(input: Tensor, other: Tensor) -> Tensor:
    r"""Product over the last axis of one tensor and the second to last of the other.

    :math:`out_{i.., j.., m} = \sum_k input_{i.., k}\, other_{j.., k, m}`

    Args:
        input (Tensor): two axes or more.
        other (Tensor): two axes or more, of the same type.

    Returns:
        Tensor with the remaining axes of both.
    """
    ...

def dropout(input: Tensor, p: float = 0.5, training: bool = True, seed: int | None = None) -> Tensor:
    """Set elements to zero with probability p and scale the others by :math:`1 / (1 - p)`.

    Args:
        input (Tensor): floating point, any shape.
        p (float): probability of zero, in [0, 1). Default: 0.5.
        training (bool): whether anything is dropped; otherwise the input is returned. Default:
            True.
        seed (int): fixes the numbers, with ``set_seed``. Default: None.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def dropout1d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Set whole channels of sequences to zero with probability p and scale the others.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, L)` or :math:`(C, L)`.
        p (float): probability that a channel is dropped, in [0, 1]. Default: 0.5.
        training (bool): whether anything is dropped; otherwise the input is returned. Default:
            True.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def dropout2d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Set whole channels of images to zero with probability p and scale the others.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, H, W)`.
        p (float): probability that a channel is dropped, in [0, 1]. Default: 0.5.
        training (bool): whether anything is dropped; otherwise the input is returned. Default:
            True.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def dropout3d(input: Tensor, p: float = 0.5, training: bool = True) -> Tensor:
    """Set whole channels of volumes to zero with probability p and scale the others.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, D, H, W)`.
        p (float): probability that a channel is dropped, in [0, 1]. Default: 0.5.
        training (bool): whether anything is dropped; otherwise the input is returned. Default:
            True.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def dsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Cut along the third axis; see :func:`ops.tensor_split`.

    Args:
        input (Tensor): 3 axes or more.
        indices_or_sections (Union[int, tuple, list]): the number of parts, or the
            places to cut.

    Returns:
        Tuple of Tensors, views.
    """
    ...

def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Join tensors along the third axis, adding axes as needed.

    Args:
        tensors (Union[tuple, list]): tensors whose other sizes agree.

    Returns:
        Tensor of the common type.
    """
    ...

def dtype(x: Tensor) -> Number:
    """The type of a tensor's elements.

    Args:
        x (Tensor): any tensor.

    Returns:
        Type, such as ``ms.float32``.
    """
    ...

def dyn_shape(input_x: Tensor) -> Tensor:
    """The sizes of a tensor's axes, as a tensor.

    Args:
        input_x (Tensor): any tensor.

    Returns:
        Tensor of int64.
    """
    ...

def eig(A: Tensor) -> tuple[Tensor, Tensor]:
    r"""Eigenvalues and eigenvectors: :math:`A v_i = \lambda_i v_i`.

    Args:
        A (Tensor): shape :math:`(.., N, N)`.

    Returns:
        Tuple of the eigenvalues and the eigenvectors, as columns; both complex.
    """
    ...

def eigvals(A: Tensor) -> Tensor:
    """Eigenvalues of square matrices; see :func:`ops.eig`.

    Args:
        A (Tensor): shape :math:`(.., N, N)`.

    Returns:
        Tensor of shape :math:`(.., N)`, complex.
    """
    ...

def einsum(equation: str, *operands: Tensor) -> Tensor:
    """Sum of products in Einstein's notation.

    Args:
        equation (str): the axes of each operand as letters, ``->`` and those of the result.
        operands (Tensor): the operands, or one list or tuple of them.

    Returns:
        Tensor.
    """
    ...

def elu(input_x: Tensor, alpha: float = 1.0) -> Tensor:
    r"""Exponential linear unit.

    :math:`out_i = x_i` if positive, else :math:`\alpha (e^{x_i} - 1)`.

    Args:
        input_x (Tensor): floating point, any shape.
        alpha (Union[int, float]): scale of the negative part. Default: 1.0.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False) -> Tensor:
    r"""Rows of a table: :math:`out_{i,\dots} = weight_{input_{i},\dots}`.

    Args:
        input (Tensor): indices of any shape, integers in [0, rows).
        weight (Tensor): the table, shape :math:`(rows, size)`.
        padding_idx (int): a row that receives no gradient; may be negative. Default: None.
        max_norm (float): rows that are looked up and have a larger norm are first scaled to it,
            in `weight` itself. Default: None.
        norm_type (float): the order of that norm. Default: 2.0.
        scale_grad_by_freq (bool): whether a row's gradient is divided by how often the row occurs
            in `input`. Default: False.

    Returns:
        Tensor of shape :math:`(*, size)`.
    """
    ...

def eps(x: Tensor) -> Tensor:
    """The distance from 1 to the next number of the tensor's type, in its shape.

    Args:
        x (Tensor): a floating type.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def eq(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand equals the other, element by element: :math:`out_i = input_i = other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def equal(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand equals the other, element by element: :math:`out_i = input_i = other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def erf(input: Tensor) -> Tensor:
    r"""Error function, element by element: :math:`out = \frac{2}{\sqrt{\pi}} \int_0^x e^{-t^2} dt`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def erfc(input: Tensor) -> Tensor:
    r"""Complementary error function, element by element: :math:`out = 1 - \operatorname{erf}(x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def erfinv(input: Tensor) -> Tensor:
    r"""Inverse of the error function, element by element: :math:`out = \operatorname{erf}^{-1}(x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def erfinv_(input: Tensor) -> Tensor:
    """Inverse of the error function, in place; gradients flow through it.

    Args:
        input (Tensor): this tensor.

    Returns:
        This tensor.
    """
    ...

def exp(input: Tensor) -> Tensor:
    """Exponential function, element by element: :math:`out = e^x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def exp2(input: Tensor) -> Tensor:
    """Power of two, element by element: :math:`out = 2^x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def expand(input_x: Tensor, size: Any) -> Tensor:
    """Repeat along axes of size 1 and new leading axes, without copying.

    Args:
        input_x (Tensor): any shape that broadcasts.
        size (Union[Tensor, tuple, list]): the new shape; -1 keeps a size.

    Returns:
        Tensor, a view.
    """
    ...

def expand_as(input: Tensor, other: Tensor = ..., *, x: Any = ...) -> Tensor:
    """Repeat to the shape of another tensor, without copying.

    Args:
        input (Tensor): any shape that broadcasts.
        other (Tensor): the tensor whose shape is used.
        x: another name of `other`.

    Returns:
        Tensor, a view.
    """
    ...

def expand_dims(input_x: Tensor, axis: int) -> Tensor:
    """Insert an axis of size 1.

    Args:
        input_x (Tensor): any shape.
        axis (int): where the new axis goes.

    Returns:
        Tensor with one axis more, a view.
    """
    ...

def expm1(input: Tensor) -> Tensor:
    """Exponential function minus one, exact near zero, element by element: :math:`out = e^x - 1`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def exponential_(input: Tensor, lambd: Any = 1, *, generator: Any = None) -> Tensor:
    r"""Fill a tensor with numbers of density :math:`\lambda e^{-\lambda x}`.

    Args:
        input (Tensor): what is filled, of a floating type.
        lambd (float): the rate, above 0. Default: 1.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns:
        Tensor, `input` itself.
    """
    ...

def eye(n: Any, m: Any = None, dtype: Any = None) -> Tensor:
    """Ones on the diagonal, zeros elsewhere.

    Args:
        n (int): rows.
        m (int): columns. Default None: `n`.
        dtype (Type): the type. Default None: float32.

    Returns:
        Tensor of shape (n, m).
    """
    ...

def fast_gelu(x: Tensor) -> Tensor:
    r"""Fast form of the Gaussian error linear unit: :math:`out_i = x_i \sigma(1.702 x_i)`.

    Args:
        x (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
    """Discrete Fourier transform along an axis.

    Args:
        input (Tensor): any shape.
        n (int): the length to transform: shorter input is filled with zeros, longer input is cut.
            Default None: that of the input.
        dim (int): the axis. Default: -1.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of complex numbers; float64 gives double precision, everything else single.
    """
    ...

def fft2(input: Tensor, s: Any = None, dim: Any = ..., norm: Any = None) -> Tensor:
    """Discrete Fourier transform along two axes.

    Args:
        input (Tensor): any shape.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default (-2, -1).
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of complex numbers; float64 gives double precision, everything else single.
    """
    ...

def fftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies of a Fourier transform.

    Args:
        n (int): the length of the transform.
        d (float): the distance of the samples. Default: 1.0.
        dtype (Type): the type. Default None: float32.

    Returns:
        Tensor with one axis.
    """
    ...

def fftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None) -> Tensor:
    """Discrete Fourier transform along several axes.

    Args:
        input (Tensor): any shape.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default None: all, or the last ones that `s` names.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of complex numbers; float64 gives double precision, everything else single.
    """
    ...

def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """Move the frequency 0 to the middle.

    Args:
        input (Tensor): any shape.
        dim (Union[int, tuple]): the axes. Default None: all.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def fill(type: Any, shape: Any, value: Any) -> Tensor:
    """A tensor of one value and a given type.

    Args:
        type (Type): the type.
        shape (Union[tuple, list]): the shape.
        value (Union[number, Tensor]): the value.

    Returns:
        Tensor of that shape and type.
    """
    ...

def fills(x: Tensor, value: Tensor | Number) -> Tensor:
    """A tensor like another, filled with one value.

    Args:
        x (Tensor): whose shape and type to take.
        value (Union[number, Tensor]): the value; a Tensor must be 0-d.

    Returns:
        A new Tensor.
    """
    ...

def flash_attention_score(query: Tensor, key: Tensor, value: Tensor, head_num: int, real_shift: Tensor | None = None, drop_mask: Tensor | None = None, padding_mask: Tensor | None = None, attn_mask: Tensor | None = None, prefix: Any = None, actual_seq_qlen: Any = None, actual_seq_kvlen: Any = None, keep_prob: float = 1.0, scalar_value: float = 1.0, pre_tokens: int = 2147483647, next_tokens: int = 2147483647, inner_precise: int = 0, input_layout: str = 'BSH', sparse_mode: int = 0) -> Tensor:
    r"""Attention of several heads, after the projections.

    .. math::
        out = \mathrm{dropout}(\mathrm{softmax}(\mathrm{mask}(s \cdot Q K^T + shift))) V

    B is the batch, S the time, N the number of heads, D the features of a head, H = N D, and T the
    time of all samples one behind the other. Keys and values may have fewer heads, a divisor of
    those of the queries.

    Args:
        query (Tensor): shape as `input_layout` says.
        key (Tensor): likewise.
        value (Tensor): likewise.
        head_num (int): the number of heads of `query`.
        real_shift (Tensor): added to the scores, of a shape that broadcasts with
            :math:`(B, N, S_1, S_2)`. Default: None.
        drop_mask (Tensor): must be None: dropout draws its own mask. Default: None.
        padding_mask (Tensor): must be None. Default: None.
        attn_mask (Tensor): where nonzero, a score does not count; a shape that broadcasts with
            :math:`(B, N, S_1, S_2)`. Modes 2 to 4 do not read it. Default: None.
        prefix (Union[Tensor, tuple[int]]): must be None. Default: None.
        actual_seq_qlen (Union[Tensor, tuple[int]]): for layout TND, where the samples of `query`
            end. Default: None.
        actual_seq_kvlen (Union[Tensor, tuple[int]]): the same for `key`. Default: None.
        keep_prob (float): one minus the probability of zero for attention weights. Default: 1.0.
        scalar_value (float): the factor s. Default: 1.0.
        pre_tokens (int): how far back keys count, in modes 0 (with a mask) and 4.
            Default: 2147483647.
        next_tokens (int): how far ahead keys count, likewise. Default: 2147483647.
        inner_precise (int): accepted for compatibility. Default: 0.
        input_layout (str): ``"BSH"``, ``"BNSD"``, ``"SBH"``, ``"BSND"`` or ``"TND"``.
            Default: ``"BSH"``.
        sparse_mode (int): 0 and 1: `attn_mask`; 2: causal from the upper left corner; 3: causal
            from the lower right corner; 4: a band from there. Default: 0.

    Returns:
        Tensor in the layout of `query`.
    """
    ...

def flatten(input: Tensor, order: str = 'C', *, start_dim: int = 1, end_dim: int = -1) -> Tensor:
    """Merge adjacent axes into one; by default all but the first.

    Args:
        input (Tensor): any shape.
        order (str): ``"C"`` row by row, ``"F"`` with the axes reversed first. Default: ``"C"``.
        start_dim (int): the first axis to join. Default: 1.
        end_dim (int): the last. Default: -1.

    Returns:
        Tensor, a view where the layout allows; with one axis if `input` has none.
    """
    ...

def flip(input: Tensor, dims: Any) -> Tensor:
    """Reverse the order along axes.

    Args:
        input (Tensor): any shape.
        dims (Union[tuple, list, int]): the axes; none changes nothing.

    Returns:
        Tensor, a copy.
    """
    ...

def fliplr(input: Tensor) -> Tensor:
    """Reverse the order along the second axis.

    Args:
        input (Tensor): two axes or more.

    Returns:
        Tensor, a copy.
    """
    ...

def flipud(input: Tensor) -> Tensor:
    """Reverse the order along the first axis.

    Args:
        input (Tensor): one axis or more.

    Returns:
        Tensor, a copy.
    """
    ...

def float_power(input: Tensor | Number, exponent: Tensor | Number = ..., *, other: Any = ...) -> Tensor:
    """Power in double precision: :math:`out_i = input_i^{exponent_i}`.

    Args:
        input (Union[Tensor, number]): the base.
        exponent (Union[Tensor, number]): the exponent; shapes broadcast.
        other: another name of `exponent`.

    Returns:
        Tensor of float64 (complex128 for complex operands).
    """
    ...

def floor(input: Tensor) -> Tensor:
    r"""Largest integer that is not above, element by element: :math:`out = \lfloor x \rfloor`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def floor_div(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    r"""Divide and round down: :math:`out_i = \lfloor x_i / y_i \rfloor`.

    Args:
        x (Union[Tensor, number, bool]): the dividend.
        y (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def floor_divide(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Divide and round down: :math:`out_i = \lfloor input_i / other_i \rfloor`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def floor_mod(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    r"""Remainder of a division that rounds down: :math:`x_i - \lfloor x_i/y_i \rfloor y_i`.

    Args:
        x (Union[Tensor, number, bool]): the dividend.
        y (Union[Tensor, number, bool]): the divisor; the result has its sign.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def floordiv(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Divide and round down: :math:`out_i = \lfloor x_i / y_i \rfloor`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def floormod(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    r"""Remainder of a division that rounds down: :math:`x_i - \lfloor x_i/y_i \rfloor y_i`.

    Args:
        x (Union[Tensor, number, bool]): the dividend.
        y (Union[Tensor, number, bool]): the divisor; the result has its sign.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def fmax(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""The larger element; a number wins over nan, element by element: :math:`out = \max(x, y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def fmin(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""The smaller element; a number wins over nan, element by element: :math:`out = \min(x, y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def fmod(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Remainder with the dividend's sign: :math:`out = input - trunc(input/other) \cdot other`.

    Args:
        input (Union[Tensor, number]): the dividend.
        other (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type, as for :func:`ops.mul`.
    """
    ...

def fold(input: Tensor, output_size: Any, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> Tensor:
    r"""Sum columns into images, each at the position of its patch; the transpose of ``ops.unfold``.

    Args:
        input (Tensor): shape :math:`(N, C \cdot K_h K_w, patches)`, or without N.
        output_size (Union[Tensor, tuple[int], list[int]]): height and width of the output.
        kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
        dilation (Union[int, tuple[int], list[int]]): distance between its elements. Default: 1.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides. Default: 0.
        stride (Union[int, tuple[int], list[int]]): step from patch to patch. Default: 1.

    Returns:
        Tensor of shape :math:`(N, C, H, W)`.
    """
    ...

def frac(x: Tensor) -> Tensor:
    r"""Fractional part, element by element: :math:`out = x - \operatorname{trunc}(x)`.

    Args:
        x (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def fractional_max_pool2d(input: Tensor, kernel_size: int | Sequence[int], output_size: Any = None, output_ratio: Any = None, return_indices: bool = False, _random_samples: Tensor | None = None) -> Any:
    """Largest element of windows that are spread at random over two dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        kernel_size (Union[int, tuple[int]]): size of a window.
        output_size (Union[int, tuple[int]]): sizes of the output. Default: None.
        output_ratio (Union[float, tuple[float]]): sizes of the output as shares of the input's, in
            (0, 1). Default: None. One of the two must be given.
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.
        _random_samples (Tensor): numbers in [0, 1) that fix the windows, shape :math:`(N, C, 2)`.
            Default: None, drawn.

    Returns:
        Tensor of the maxima; with `return_indices` a pair of it and the indices (int64).
    """
    ...

def fractional_max_pool3d(input: Tensor, kernel_size: int | Sequence[int], output_size: Any = None, output_ratio: Any = None, return_indices: bool = False, _random_samples: Tensor | None = None) -> Any:
    """Largest element of windows that are spread at random over three dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        kernel_size (Union[int, tuple[int]]): size of a window.
        output_size (Union[int, tuple[int]]): sizes of the output. Default: None.
        output_ratio (Union[float, tuple[float]]): sizes of the output as shares of the input's, in
            (0, 1). Default: None. One of the two must be given.
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.
        _random_samples (Tensor): numbers in [0, 1) that fix the windows, shape :math:`(N, C, 3)`.
            Default: None, drawn.

    Returns:
        Tensor of the maxima; with `return_indices` a pair of it and the indices (int64).
    """
    ...

def full(size: Any, fill_value: Tensor | Number, *, dtype: Any = None) -> Tensor:
    """A tensor of one value.

    Args:
        size (Union[int, tuple, list]): the shape.
        fill_value (Union[number, Tensor]): the value.
        dtype (Type): the type. Default None: that of the value; a Python float is float32, an int
            or bool int64.

    Returns:
        Tensor of shape `size`.
    """
    ...

def full_like(input: Tensor, fill_value: Number, *, dtype: Any = None) -> Tensor:
    """One value in the shape of another tensor.

    Args:
        input (Tensor): the tensor whose shape is used.
        fill_value (number): the value.
        dtype (Type): the type. Default None: that of `input`.

    Returns:
        Tensor.
    """
    ...

def fused_infer_attention_score(query: Tensor, key: Tensor | Sequence[Tensor], value: Tensor | Sequence[Tensor], *, pse_shift: Tensor | None = None, atten_mask: Tensor | None = None, actual_seq_lengths: Any = None, actual_seq_lengths_kv: Any = None, dequant_scale1: Tensor | None = None, quant_scale1: Tensor | None = None, dequant_scale2: Tensor | None = None, quant_scale2: Tensor | None = None, quant_offset2: Tensor | None = None, antiquant_scale: Tensor | None = None, antiquant_offset: Tensor | None = None, key_antiquant_scale: Tensor | None = None, key_antiquant_offset: Tensor | None = None, value_antiquant_scale: Tensor | None = None, value_antiquant_offset: Tensor | None = None, block_table: Tensor | None = None, query_padding_size: Tensor | None = None, kv_padding_size: Tensor | None = None, key_shared_prefix: Tensor | None = None, value_shared_prefix: Tensor | None = None, actual_shared_prefix_len: Any = None, num_heads: int = 1, scale: float = 1.0, pre_tokens: int = 2147483647, next_tokens: int = 2147483647, input_layout: str = 'BSH', num_key_value_heads: int = 0, sparse_mode: int = 0, inner_precise: int = 1, block_size: int = 0, antiquant_mode: int = 0, key_antiquant_mode: int = 0, value_antiquant_mode: int = 0, softmax_lse_flag: bool = False) -> tuple[Tensor, Tensor]:
    r"""Attention of several heads for inference, over whole sequences or of one new position.

    .. math::
        out = \mathrm{softmax}(\mathrm{mask}(s \cdot Q K^T + shift)) V

    Where the time of `query` is 1, this is :func:`ops.incre_flash_attention`, otherwise
    :func:`ops.prompt_flash_attention`.

    Args:
        query (Tensor): shape as `input_layout` says.
        key (Union[Tensor, tuple[Tensor], list[Tensor]]): likewise; one tensor, or for one new
            position one for each sample.
        value (Union[Tensor, tuple[Tensor], list[Tensor]]): likewise.
        pse_shift (Tensor): added to the scores, of a shape that broadcasts with
            :math:`(B, N, S_1, S_2)`. Default: None.
        atten_mask (Tensor): where nonzero, a score does not count. Default: None.
        actual_seq_lengths (Union[Tensor, tuple[int], list[int]]): the lengths of the samples of
            `query`. Default: None.
        actual_seq_lengths_kv (Union[Tensor, tuple[int], list[int]]): those of `key`.
            Default: None.
        dequant_scale1 (Tensor): must be None. Default: None.
        quant_scale1 (Tensor): must be None. Default: None.
        dequant_scale2 (Tensor): must be None. Default: None.
        quant_scale2 (Tensor): must be None. Default: None.
        quant_offset2 (Tensor): must be None. Default: None.
        antiquant_scale (Tensor): must be None. Default: None.
        antiquant_offset (Tensor): must be None. Default: None.
        key_antiquant_scale (Tensor): must be None. Default: None.
        key_antiquant_offset (Tensor): must be None. Default: None.
        value_antiquant_scale (Tensor): must be None. Default: None.
        value_antiquant_offset (Tensor): must be None. Default: None.
        block_table (Tensor): where blocks of keys lie, for one new position. Default: None.
        query_padding_size (Tensor): must be None. Default: None.
        kv_padding_size (Tensor): how many keys behind a sample do not count, for one new position.
            Default: None.
        key_shared_prefix (Tensor): must be None. Default: None.
        value_shared_prefix (Tensor): must be None. Default: None.
        actual_shared_prefix_len (Union[Tensor, tuple[int], list[int]]): must be None.
            Default: None.
        num_heads (int): the number of heads of `query`. Default: 1.
        scale (float): the factor s. Default: 1.0.
        pre_tokens (int): how far back keys count, in mode 0 with a mask and in mode 4.
            Default: 2147483647.
        next_tokens (int): how far ahead keys count, likewise. Default: 2147483647.
        input_layout (str): ``"BSH"``, ``"BNSD"``, ``"BSND"`` or ``"BNSD_BSND"``: the result in
            BSND. Default: ``"BSH"``.
        num_key_value_heads (int): the number of heads of `key`; 0 for that of `query`. Default: 0.
        sparse_mode (int): as in :func:`ops.prompt_flash_attention`. Default: 0.
        inner_precise (int): accepted for compatibility. Default: 1.
        block_size (int): accepted for compatibility. Default: 0.
        antiquant_mode (int): accepted for compatibility. Default: 0.
        key_antiquant_mode (int): accepted for compatibility. Default: 0.
        value_antiquant_mode (int): accepted for compatibility. Default: 0.
        softmax_lse_flag (bool): whether to return the logarithms of the softmax's denominators.
            Default: False.

    Returns:
        tuple of the attention, and the logarithms in float32 of shape :math:`(B, N, S_1, 1)`,
        a zero of shape (1,) if they are not asked for.
    """
    ...

def gamma(shape: Any, alpha: Tensor, beta: Tensor, seed: Any = None) -> Tensor:
    r"""Draw from a gamma distribution.

    Its density is proportional to :math:`x^{\alpha - 1} e^{-\beta x}`. The result is a constant for
    gradients.

    Args:
        shape (Union[tuple, list, Tensor]): the shape of the result.
        alpha (Tensor): the shape parameter, above 0.
        beta (Tensor): the rate, above 0.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns:
        Tensor of the shape in which the three shapes meet, float32.
    """
    ...

def gather(input_params: Tensor, input_indices: Tensor, axis: Any, batch_dims: int = 0) -> Tensor:
    """Slices of a tensor: :math:`out_{.., j.., ..} = params_{.., indices_{j..}, ..}`.

    Args:
        input_params (Tensor): the tensor to take from.
        input_indices (Tensor): integers, any shape; negative ones count from the end.
        axis (int): the axis the indices belong to.
        batch_dims (int): how many leading axes the two have in common. Default: 0.

    Returns:
        Tensor in which the axis is replaced by the axes of the indices.
    """
    ...

def gather_d(x: Tensor, dim: int, index: Tensor) -> Tensor:
    """Single elements along an axis: for axis 0, :math:`out_{ij} = input_{index_{ij}, j}`.

    Args:
        x (Tensor): the tensor to take from.
        dim (int): the axis.
        index (Tensor): integers, of the rank of `x`; negative ones count from the end.

    Returns:
        Tensor of the shape of `index`.
    """
    ...

def gather_elements(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """Single elements along an axis: for axis 0, :math:`out_{ij} = input_{index_{ij}, j}`.

    Args:
        input (Tensor): the tensor to take from.
        dim (int): the axis.
        index (Tensor): integers, of the rank of `input`; negative ones count from the end.

    Returns:
        Tensor of the shape of `index`.
    """
    ...

def gather_nd(input_x: Tensor, indices: Tensor) -> Tensor:
    """Slices at positions given by vectors of indices: :math:`out_i = input_x[indices_i]`.

    Args:
        input_x (Tensor): the tensor to take from.
        indices (Tensor): integers; the last axis holds the indices of the leading axes of
            `input_x`.

    Returns:
        Tensor of shape ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.
    """
    ...

def gaussian_nll_loss(x: Tensor, target: Tensor, var: Tensor, full: bool = False, eps: float = 1e-06, reduction: str = 'mean') -> Tensor:
    r"""Negative log likelihood of targets under normal distributions.

    .. math::
        l_i = \frac{1}{2} \left( \log \max(var_i, \epsilon)
            + \frac{(x_i - target_i)^2}{\max(var_i, \epsilon)} \right) + const

    Args:
        x (Tensor): the means, of any shape.
        target (Tensor): samples, of a shape that broadcasts with `x`.
        var (Tensor): the variances: of a shape that broadcasts with `x`, or without its last axis.
        full (bool): whether to add the constant :math:`\frac{1}{2}\log 2\pi`. Default: False.
        eps (float): the least variance, above 0. Default: 1e-6.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the broadcast shape.
    """
    ...

def gcd(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Greatest common divisor of integers, element by element: :math:`out = \gcd(x, y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def ge(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand is at least the other, element by element: :math:`out_i = input_i \ge other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def gelu(input: Tensor, approximate: str = 'none') -> Tensor:
    r"""Gaussian error linear unit.

    :math:`out_i = x_i \Phi(x_i)`, with the normal distribution
    function :math:`\Phi`, or
    :math:`0.5 x_i (1 + \tanh(\sqrt{2 / \pi} (x_i + 0.044715 x_i^3)))` for ``tanh``.

    Args:
        input (Tensor): floating point, any shape.
        approximate (str): ``none`` or ``tanh``. Default: ``"none"``.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def geqrf(input: Tensor) -> tuple[Tensor, Tensor]:
    """QR decomposition in LAPACK's form: R above the diagonal, reflections below it.

    Args:
        input (Tensor): shape :math:`(.., M, N)`.

    Returns:
        Tuple of the matrix and the factors of the reflections.
    """
    ...

def ger(input: Tensor, vec2: Tensor) -> Tensor:
    r"""Outer product: :math:`out_{ij} = input_i\, vec2_j`.

    Args:
        input (Tensor): any shape, flattened.
        vec2 (Tensor): any shape, flattened.

    Returns:
        Tensor of shape (input.size, vec2.size) and the common type.
    """
    ...

def glu(x: Tensor, axis: int = -1) -> Tensor:
    r"""Gated linear unit.

    The input is halved along an axis into a and b; :math:`out = a \cdot \sigma(b)`.

    Args:
        x (Tensor): floating point, even size along `axis`.
        axis (int): the axis that is halved. Default: -1.

    Returns:
        Tensor, half as large along `axis`.
    """
    ...

def gmm(x: Sequence[Tensor], weight: Sequence[Tensor], bias: Sequence[Tensor] | None = None, group_list: Tensor | Any = None, group_type: int = 0, group_list_type: int = 0) -> tuple[Tensor]:
    """Products of matrices in groups.

    Args:
        x (Union[tuple[Tensor], list[Tensor]]): one tensor of shape :math:`(M, K)`.
        weight (Union[tuple[Tensor], list[Tensor]]): one tensor, of shape :math:`(G, K, N)` for
            groups of rows, :math:`(K, N)` for groups of columns.
        bias (Union[tuple[Tensor], list[Tensor]]): one tensor of shape :math:`(G, N)`, for groups
            of rows. Default: None.
        group_list (Union[Tensor, tuple[int], list[int]]): where the groups end; in a Tensor with
            `group_list_type` 1 how large they are. It must be given. Default: None.
        group_type (int): 0 for groups of rows of `x`, 2 for groups of its columns. Default: 0.
        group_list_type (int): 0 or 1, see `group_list`. Default: 0.

    Returns:
        tuple of one Tensor: shape :math:`(M, N)`, for groups of columns :math:`(G, M, N)`.
    """
    ...

def gmm_backward(grad: Sequence[Tensor], x: Sequence[Tensor], weight: Sequence[Tensor], group_list: Tensor | Any = None, group_list_type: int = 0) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """The gradients of :func:`ops.gmm` for groups of rows.

    Args:
        grad (Union[tuple[Tensor], list[Tensor]]): the gradient of its result.
        x (Union[tuple[Tensor], list[Tensor]]): its first argument.
        weight (Union[tuple[Tensor], list[Tensor]]): its second argument.
        group_list (Union[Tensor, tuple[int], list[int]]): its groups. Default: None.
        group_list_type (int): what the numbers are. Default: 0.

    Returns:
        tuple of the lists of gradients of `x`, of `weight`, and an empty list for the bias.
    """
    ...

def gmm_backward_fusion(grad: Sequence[Tensor], weight: Sequence[Tensor], group_list: Tensor | Any = None, group_list_type: int = 0) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """The gradient of :func:`ops.gmm` for groups of rows, by its first argument alone.

    Args:
        grad (Union[tuple[Tensor], list[Tensor]]): the gradient of its result.
        weight (Union[tuple[Tensor], list[Tensor]]): its second argument.
        group_list (Union[Tensor, tuple[int], list[int]]): its groups. Default: None.
        group_list_type (int): what the numbers are. Default: 0.

    Returns:
        tuple of the list of the gradient of `x`, and two empty lists.
    """
    ...

def greater(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand is greater than the other, element by element: :math:`out_i = input_i > other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def greater_equal(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand is at least the other, element by element: :math:`out_i = input_i \ge other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def grid_sample(input: Tensor, grid: Tensor, mode: str = 'bilinear', padding_mode: str = 'zeros', align_corners: bool | None = None) -> Tensor:
    """Read images or volumes at the positions of a grid.

    A place is :math:`(x, y)` or :math:`(x, y, z)`; -1 and 1 are the ends of the input. Gradients
    flow to the input and to the places.

    Args:
        input (Tensor): floating point, shape (N, C, H, W) or (N, C, D, H, W).
        grid (Tensor): places, of the input's dtype, shape (N, H', W', 2) or (N, D', H', W', 3).
        mode (str): ``bilinear`` (trilinear for volumes), ``nearest``, or ``bicubic`` for images.
            Default: ``"bilinear"``.
        padding_mode (str): what lies beyond the ends: ``zeros``, ``border`` (the end elements) or
            ``reflection``. Default: ``"zeros"``.
        align_corners (bool): whether -1 and 1 are the centers of the end elements instead of
            their outer edges. Default: None, False.

    Returns:
        Tensor of shape (N, C, H', W') or (N, C, D', H', W').
    """
    ...

def group_norm(input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-05) -> Tensor:
    r"""Normalize every sample over groups of channels.

    .. math:: out = \frac{x - \mu_g}{\sqrt{\sigma_g^2 + \epsilon}} \cdot weight + bias

    Args:
        input (Tensor): shape :math:`(N, C, *)`.
        num_groups (int): number of groups, a divisor of C.
        weight (Tensor): scale, shape :math:`(C,)`. Default: None.
        bias (Tensor): shift, shape :math:`(C,)`. Default: None.
        eps (float): :math:`\epsilon`. Default: 1e-5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def gt(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand is greater than the other, element by element: :math:`out_i = input_i > other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def gumbel_softmax(logits: Tensor, tau: float = 1.0, hard: bool = False, dim: int = -1) -> Tensor:
    r"""Sample from a relaxed categorical distribution.

    .. math:: out = \mathrm{softmax}((logits + g) / \tau),
        \quad g_i = -\ln(-\ln u_i),\ u_i \sim U(0, 1)

    Args:
        logits (Tensor): floating point, unnormalized logarithms of probabilities.
        tau (float): temperature, positive. Default: 1.0.
        hard (bool): whether the result is one-hot; its gradient is that of the soft sample.
            Default: False.
        dim (int): the dimension whose elements sum to one. Default: -1.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def hamming_window(window_length: Any, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: Any = None) -> Tensor:
    r"""Hamming window: :math:`\alpha - \beta \cos(2 \pi n/N)` for n from 0 to N - 1.

    Args:
        window_length (Union[int, Tensor]): how many numbers.
        periodic (bool): whether N is the length, for use in transforms; else N is one less and the
            window symmetric. Default: True.
        alpha (float): see the formula. Default: 0.54.
        beta (float): see the formula. Default: 0.46.
        dtype (Type): the type. Default None: float32.

    Returns:
        Tensor with one axis.
    """
    ...

def hann_window(window_length: Any, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    r"""Hann window: :math:`\sin^2(\pi n/N)` for n from 0 to N - 1.

    Args:
        window_length (Union[int, Tensor]): how many numbers.
        periodic (bool): whether N is the length, for use in transforms; else N is one less and the
            window symmetric. Default: True.
        dtype (Type): the type. Default None: float64.

    Returns:
        Tensor with one axis.
    """
    ...

def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    r"""Set small elements to zero: :math:`out_i = x_i` where :math:`|x_i| > \lambda`, else 0.

    Args:
        input (Tensor): floating point, any shape.
        lambd (Union[int, float]): :math:`\lambda`. Default: 0.5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def hardsigmoid(input: Tensor) -> Tensor:
    r"""Piecewise linear sigmoid: :math:`out_i = \mathrm{ReLU6}(x_i + 3) / 6`.

    Args:
        input (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def hardswish(input: Tensor) -> Tensor:
    r"""Hard swish: :math:`out_i = x_i \cdot \mathrm{ReLU6}(x_i + 3) / 6`.

    Args:
        input (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    r"""Clamp to an interval: :math:`out_i = \min(\max(input_i, min), max)`.

    Args:
        input (Tensor): real, any shape.
        min_val (Union[int, float]): lower end. Default: -1.0.
        max_val (Union[int, float]): upper end. Default: 1.0.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def hastype(x: Any, t: Any) -> Any:
    """Whether a value is of a type.

    Args:
        x (Any): the first value.
        t (Any): the type, such as ``ms.int64``.
    """
    ...

def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """Step function: 0 below zero, 1 above, `values` at zero.

    Args:
        input (Tensor): any shape.
        values (Tensor): the values at zero; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
    """Fourier transform of a signal that is Hermitian in time.

    Args:
        input (Tensor): any shape.
        n (int): the length of the result: shorter input is filled with zeros, longer input is cut.
            Default None: twice the input's less two.
        dim (int): the axis. Default: -1.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of real numbers; float64 gives double precision, everything else single.
    """
    ...

def hfft2(input: Tensor, s: Any = None, dim: Any = ..., norm: Any = None) -> Tensor:
    """Fourier transform of a Hermitian signal along two axes.

    Args:
        input (Tensor): any shape.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default (-2, -1).
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of real numbers; float64 gives double precision, everything else single.
    """
    ...

def hfftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None) -> Tensor:
    """Fourier transform of a Hermitian signal along several axes.

    Args:
        input (Tensor): any shape.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default None: all, or the last ones that `s` names.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of real numbers; float64 gives double precision, everything else single.
    """
    ...

def hinge_embedding_loss(inputs: Tensor, targets: Tensor, margin: float = 1.0, reduction: str = 'mean') -> Tensor:
    r"""Loss of distances between similar (1) and different (-1) samples.

    :math:`l_i = x_i` where :math:`y_i = 1`, and :math:`\max(0, margin - x_i)` where
    :math:`y_i = -1`.

    Args:
        inputs (Tensor): distances x of any shape.
        targets (Tensor): 1 or -1, of a shape that broadcasts with `inputs`.
        margin (Union[int, float]): the distance from which on different things cost nothing.
            Default: 1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the broadcast shape.
    """
    ...

def histc(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """Count the elements in intervals of equal width.

    Args:
        input (Tensor): any shape.
        bins (int): the number of intervals. Default: 100.
        min (number): the start of the first interval. Default: 0.
        max (number): the end of the last interval; if equal to `min`, both are taken from
            `input`. Default: 0.

    Returns:
        Tensor of shape (bins,), of the type of `input`; float32 for float16.
    """
    ...

def hsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Cut along the second axis (the first of vectors); see :func:`ops.tensor_split`.

    Args:
        input (Tensor): 1 axis or more.
        indices_or_sections (Union[int, tuple, list]): the number of parts, or the
            places to cut.

    Returns:
        Tuple of Tensors, views.
    """
    ...

def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Join tensors along the second axis (vectors along the first).

    Args:
        tensors (Union[tuple, list]): tensors whose other sizes agree.

    Returns:
        Tensor of the common type.
    """
    ...

def huber_loss(input: Tensor, target: Tensor, reduction: str = 'mean', delta: float = 1.0) -> Tensor:
    r"""Half the squared error up to `delta`, then a line of slope `delta`.

    .. math::
        l_i = \begin{cases}
            (x_i - y_i)^2 / 2                  & \text{if } |x_i - y_i| \le \delta \\
            \delta (|x_i - y_i| - \delta / 2)  & \text{otherwise}
        \end{cases}

    Args:
        input (Tensor): predictions x of any shape.
        target (Tensor): targets y of a shape that broadcasts with `input`.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        delta (Union[int, float]): where the square becomes a line, above 0. Default: 1.0.

    Returns:
        Tensor: a number, or with ``"none"`` the broadcast shape.
    """
    ...

def hypot(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Length of the hypotenuse, element by element: :math:`out = \sqrt{x^2 + y^2}`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def i0(input: Tensor) -> Tensor:
    """Modified Bessel function of the first kind of order 0, element by element: :math:`out = I_0(x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
    """Inverse discrete Fourier transform along an axis.

    Args:
        input (Tensor): any shape.
        n (int): the length to transform: shorter input is filled with zeros, longer input is cut.
            Default None: that of the input.
        dim (int): the axis. Default: -1.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of complex numbers; float64 gives double precision, everything else single.
    """
    ...

def ifft2(input: Tensor, s: Any = None, dim: Any = ..., norm: Any = None) -> Tensor:
    """Inverse discrete Fourier transform along two axes.

    Args:
        input (Tensor): any shape.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default (-2, -1).
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of complex numbers; float64 gives double precision, everything else single.
    """
    ...

def ifftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None) -> Tensor:
    """Inverse discrete Fourier transform along several axes.

    Args:
        input (Tensor): any shape.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default None: all, or the last ones that `s` names.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of complex numbers; float64 gives double precision, everything else single.
    """
    ...

def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """Move the frequency 0 from the middle to the front.

    Args:
        input (Tensor): any shape.
        dim (Union[int, tuple]): the axes. Default None: all.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def igamma(input: Tensor, other: Tensor) -> Tensor:
    """Regularized lower incomplete gamma function :math:`P(a, x)`.

    Args:
        input (Tensor): :math:`a`, a floating type.
        other (Tensor): :math:`x`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def igammac(input: Tensor, other: Tensor) -> Tensor:
    """Regularized upper incomplete gamma function :math:`Q(a, x) = 1 - P(a, x)`.

    Args:
        input (Tensor): :math:`a`, a floating type.
        other (Tensor): :math:`x`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
    """Inverse of the transform of a Hermitian signal, the first half.

    Args:
        input (Tensor): real, any shape.
        n (int): the length to transform: shorter input is filled with zeros, longer input is cut.
            Default None: that of the input.
        dim (int): the axis. Default: -1.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of complex numbers; float64 gives double precision, everything else single.
    """
    ...

def ihfft2(input: Tensor, s: Any = None, dim: Any = ..., norm: Any = None) -> Tensor:
    """Inverse of the transform of a Hermitian signal along two axes.

    Args:
        input (Tensor): real, any shape.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default (-2, -1).
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of complex numbers; float64 gives double precision, everything else single.
    """
    ...

def ihfftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None) -> Tensor:
    """Inverse of the transform of a Hermitian signal along several axes.

    Args:
        input (Tensor): real, any shape.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default None: all, or the last ones that `s` names.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of complex numbers; float64 gives double precision, everything else single.
    """
    ...

def imag(input: Tensor) -> Tensor:
    r"""Imaginary part: :math:`out_i = \Im(input_i)`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape; zeros for a real tensor.
    """
    ...

def in_dict(x: Any, y: Any) -> Any:
    """Whether a key is in a dict.

    Args:
        x (Any): the key.
        y (Any): the dict.
    """
    ...

def incre_flash_attention(query: Tensor, key: Sequence[Tensor], value: Sequence[Tensor], attn_mask: Tensor | None = None, actual_seq_lengths: Any = None, pse_shift: Tensor | None = None, dequant_scale1: Tensor | None = None, quant_scale1: Tensor | None = None, dequant_scale2: Tensor | None = None, quant_scale2: Tensor | None = None, quant_offset2: Tensor | None = None, antiquant_scale: Tensor | None = None, antiquant_offset: Tensor | None = None, block_table: Tensor | None = None, num_heads: int = 1, input_layout: str = 'BSH', scale_value: float = 1.0, num_key_value_heads: int = 0, block_size: int = 0, inner_precise: int = 1, kv_padding_size: Tensor | None = None) -> Tensor:
    r"""Attention of one new position over all earlier ones, for inference step by step.

    .. math::
        out = \mathrm{softmax}(\mathrm{mask}(s \cdot Q K^T + shift)) V

    Args:
        query (Tensor): shape :math:`(B, 1, H)` or :math:`(B, N, 1, D)`.
        key (Union[tuple[Tensor], list[Tensor]]): one tensor of shape :math:`(B, S, H_2)` or
            :math:`(B, N_2, S, D)`; or one for each sample, with a batch of 1.
        value (Union[tuple[Tensor], list[Tensor]]): likewise.
        attn_mask (Tensor): where nonzero, a key does not count: shape :math:`(B, S)`,
            :math:`(B, 1, S)` or :math:`(B, 1, 1, S)`. Default: None.
        actual_seq_lengths (Union[Tensor, tuple[int], list[int]]): how many keys count, for each
            sample or for all. Default: None.
        pse_shift (Tensor): added to the scores, shape :math:`(B, N, 1, S)` or
            :math:`(1, N, 1, S)`. Default: None.
        dequant_scale1 (Tensor): must be None. Default: None.
        quant_scale1 (Tensor): must be None. Default: None.
        dequant_scale2 (Tensor): must be None. Default: None.
        quant_scale2 (Tensor): must be None. Default: None.
        quant_offset2 (Tensor): must be None. Default: None.
        antiquant_scale (Tensor): must be None. Default: None.
        antiquant_offset (Tensor): must be None. Default: None.
        block_table (Tensor): where the blocks of each sample lie, shape :math:`(B, M)`; keys and
            values then have shape ``(blocks, block_size, H)`` or ``(blocks, N, block_size, D)``.
            Default: None.
        num_heads (int): the number of heads of `query`. Default: 1.
        input_layout (str): ``"BSH"`` or ``"BNSD"``. Default: ``"BSH"``.
        scale_value (float): the factor s. Default: 1.0.
        num_key_value_heads (int): the number of heads of `key`; 0 for that of `query`. Default: 0.
        block_size (int): accepted for compatibility: the shape of `key` says it. Default: 0.
        inner_precise (int): accepted for compatibility. Default: 1.
        kv_padding_size (Tensor): how many keys behind a sample do not count, with
            `actual_seq_lengths`; without room for the sample the result is zero. Default: None.

    Returns:
        Tensor of the shape and type of `query`.
    """
    ...

def index_add(x: Tensor, indices: Tensor, y: Tensor, axis: int, use_lock: bool = True, check_index_bound: bool = True) -> Tensor:
    """Add slices to a parameter along an axis: for axis 0, :math:`x_{indices_i} += y_i`.

    Args:
        x (Parameter): the parameter, which is changed.
        indices (Tensor): integers, 1-D; equal ones are all added.
        y (Tensor): the slices.
        axis (int): the axis.
        use_lock (bool): accepted for compatibility. Default: True.
        check_index_bound (bool): accepted for compatibility; indices are always checked.
            Default: True.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def index_fill(x: Tensor, axis: Any, index: Tensor, value: Tensor | Number) -> Tensor:
    """A copy in which slices along an axis are filled with one value.

    Args:
        x (Tensor): the tensor to start from.
        axis (int): the axis.
        index (Tensor): integers, 1-D or 0-d.
        value (Union[number, Tensor]): the value, 0-d if a Tensor.

    Returns:
        Tensor of the shape and type of `x`.
    """
    ...

def index_select(input: Tensor, axis: int = ..., index: Tensor = ..., *, dim: Any = ...) -> Tensor:
    """Slices along an axis.

    Args:
        input (Tensor): the tensor to take from.
        axis (int): the axis.
        index (Tensor): integers, 1-D.
        dim: another name of `axis`.

    Returns:
        Tensor.
    """
    ...

def inner(input: Tensor, other: Tensor | Number) -> Tensor:
    r"""Product over the last axes: :math:`out_{i.., j..} = \sum_k input_{i.., k}\, other_{j.., k}`.

    Args:
        input (Tensor): any shape.
        other (Union[Tensor, number]): any shape with the same last size; a number multiplies.

    Returns:
        Tensor with the remaining axes of both.
    """
    ...

def inplace_add(x: Tensor, v: Tensor, indices: Any) -> Tensor:
    """A copy of a tensor in which rows are added to.

    Args:
        x (Tensor): what to start from; it stays as it is, in spite of the name.
        v (Tensor): the rows.
        indices (Union[int, tuple, Tensor]): which rows.

    Returns:
        Tensor of the shape and type of `x`.
    """
    ...

def inplace_index_add(var: Tensor, indices: Tensor, updates: Tensor, axis: int) -> Tensor:
    """Add slices to a parameter along an axis; see :func:`ops.index_add`.

    Args:
        var (Parameter): the parameter, which is changed.
        indices (Tensor): integers, 1-D; equal ones are all added.
        updates (Tensor): the slices.
        axis (int): the axis.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def inplace_sigmoid(input: Tensor) -> Tensor:
    """Logistic function in place: :math:`input_i = 1 / (1 + e^{-input_i})`.

    Args:
        input (Tensor): floating point, any shape; it is overwritten.

    Returns:
        Tensor, `input` itself.
    """
    ...

def inplace_sub(x: Tensor, v: Tensor, indices: Any) -> Tensor:
    """A copy of a tensor in which rows are subtracted from.

    Args:
        x (Tensor): what to start from; it stays as it is, in spite of the name.
        v (Tensor): the rows.
        indices (Union[int, tuple, Tensor]): which rows.

    Returns:
        Tensor of the shape and type of `x`.
    """
    ...

def inplace_update(x: Tensor, v: Tensor, indices: Any) -> Tensor:
    """A copy of a tensor in which rows are replaced.

    Args:
        x (Tensor): what to start from; it stays as it is, in spite of the name.
        v (Tensor): the rows.
        indices (Union[int, tuple, Tensor]): which rows.

    Returns:
        Tensor of the shape and type of `x`.
    """
    ...

def instance_norm(input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None, bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-05) -> Tensor:
    r"""Normalize every channel of every sample by itself.

    .. math:: out = \frac{x - \mu_{nc}}{\sqrt{\sigma_{nc}^2 + \epsilon}} \cdot weight + bias

    Args:
        input (Tensor): shape :math:`(N, C, *)`, rank 3 or more.
        running_mean (Tensor): shape :math:`(C,)`, updated if given. Default: None.
        running_var (Tensor): shape :math:`(C,)`, updated if given. Default: None.
        weight (Tensor): scale, shape :math:`(C,)`. Default: None.
        bias (Tensor): shift, shape :math:`(C,)`. Default: None.
        use_input_stats (bool): whether the statistics are the input's, not the running ones.
            Default: True.
        momentum (float): share of the input in the new running statistics. Default: 0.1.
        eps (float): :math:`\epsilon`. Default: 1e-5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def interpolate(input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: bool | None = None, recompute_scale_factor: bool | None = None) -> Tensor:
    """Resize sequences, images or volumes.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)` with one to three dimensions.
        size (Union[int, tuple[int], list[int]]): sizes of the output. Default: None.
        scale_factor (Union[float, tuple[float], list[float]]): sizes of the output as multiples of
            the input's, rounded down. Default: None. One of the two must be given.
        mode (str): ``nearest``; ``linear`` (rank 3), ``bilinear`` and ``bicubic`` (rank 4),
            ``trilinear`` (rank 5); ``area`` (means); ``nearest-exact``. Default: ``"nearest"``.
        align_corners (bool): whether the corners' centers coincide; for the linear and cubic modes.
            Default: None, False.
        recompute_scale_factor (bool): whether the size is worked out first and the scale from it.
            Default: None, False.

    Returns:
        Tensor of the new size.
    """
    ...

def intopk(x1: Tensor, x2: Tensor, k: int) -> Tensor:
    """Whether the target of each row is among its k largest elements.

    Args:
        x1 (Tensor): scores, shape (batch, classes).
        x2 (Tensor): the targets, integers of shape (batch,).
        k (int): how many count.

    Returns:
        Tensor of bool of shape (batch,).
    """
    ...

def inv(x: Tensor) -> Tensor:
    """Reciprocal that keeps integers, element by element: :math:`out_i = 1 / x_i`.

    Args:
        x (Tensor): any shape.

    Returns:
        Tensor of the same shape and type; for integers the quotient truncated to an integer.
    """
    ...

def inverse(input: Tensor) -> Tensor:
    r"""Inverse of square matrices: :math:`out \cdot input = I`.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns:
        Tensor of the same shape.
    """
    ...

def invert(x: Tensor) -> Tensor:
    """Negate every bit, element by element: :math:`out_i = -x_i - 1` for signed integers.

    Args:
        x (Tensor): an integer type or bool.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def iou(anchor_boxes: Tensor, gt_boxes: Tensor, mode: str = 'iou') -> Tensor:
    r"""Overlap of all pairs of boxes: :math:`\frac{|A \cap G|}{|A \cup G|}`.

    Args:
        anchor_boxes (Tensor): shape :math:`(N, 4)`, see the note on boxes.
        gt_boxes (Tensor): shape :math:`(M, 4)`.
        mode (str): ``"iou"``; or ``"iof"``, which divides by the area of the second box.
            Default: ``"iou"``.

    Returns:
        Tensor of shape :math:`(M, N)`.
    """
    ...

def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
    """Real numbers from the first half of their Fourier transform.

    Args:
        input (Tensor): any shape.
        n (int): the length of the result: shorter input is filled with zeros, longer input is cut.
            Default None: twice the input's less two.
        dim (int): the axis. Default: -1.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of real numbers; float64 gives double precision, everything else single.
    """
    ...

def irfft2(input: Tensor, s: Any = None, dim: Any = ..., norm: Any = None) -> Tensor:
    """Real numbers from half of their Fourier transform along two axes.

    Args:
        input (Tensor): any shape.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default (-2, -1).
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of real numbers; float64 gives double precision, everything else single.
    """
    ...

def irfftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None) -> Tensor:
    """Real numbers from half of their Fourier transform along several axes.

    Args:
        input (Tensor): any shape.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default None: all, or the last ones that `s` names.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of real numbers; float64 gives double precision, everything else single.
    """
    ...

def is_(x: Any, y: Any) -> Any:
    """Whether both are the same object.

    Args:
        x (Any): the first value.
        y (Any): the second value.
    """
    ...

def is_complex(input: Tensor) -> bool:
    """Whether a tensor's type is complex.

    Args:
        input (Tensor): any tensor.

    Returns:
        bool.
    """
    ...

def is_floating_point(input: Tensor) -> bool:
    """Whether a tensor's type is a (real) floating-point one.

    Args:
        input (Tensor): any tensor.

    Returns:
        bool.
    """
    ...

def is_nonzero(input: Tensor) -> bool:
    """Whether the only element of a tensor is not zero.

    Args:
        input (Tensor): a tensor with one element.

    Returns:
        bool.
    """
    ...

def is_not(x: Any, y: Any) -> Any:
    """Whether both are different objects.

    Args:
        x (Any): the first value.
        y (Any): the second value.
    """
    ...

def is_tensor_bool_cond(x: Any) -> Any:
    """Whether a value is a Tensor of one element, which can be a condition.

    Args:
        x (Any): the value.
    """
    ...

def isclose(input: Tensor, other: Tensor = ..., rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False, *, x2: Any = ...) -> Tensor:
    r"""Whether elements agree: :math:`|input_i - other_i| \le atol + rtol |other_i|`.

    Args:
        input (Tensor): the first tensor.
        other (Tensor): the second; shapes broadcast.
        rtol (float): relative tolerance. Default: 1e-5.
        atol (float): absolute tolerance. Default: 1e-8.
        equal_nan (bool): whether two nans agree. Default: False.
        x2: another name of `other`.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def isconstant(x: Any) -> Any:
    """Whether a value is a constant: always True here.

    Args:
        x (Any): the value.
    """
    ...

def isfinite(input: Tensor) -> Tensor:
    r"""Whether an element is neither infinite nor nan, element by element: :math:`out = |x| < \infty`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def isinf(input: Tensor) -> Tensor:
    r"""Whether an element is infinite, element by element: :math:`out = |x| = \infty`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def isnan(input: Tensor) -> Tensor:
    r"""Whether an element is not a number, element by element: :math:`out = x \text{ is nan}`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def isneginf(input: Tensor) -> Tensor:
    r"""Whether an element is negative infinity, element by element: :math:`out = x = -\infty`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def isposinf(input: Tensor) -> Tensor:
    r"""Whether an element is positive infinity, element by element: :math:`out = x = \infty`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def isreal(input: Tensor) -> Tensor:
    r"""Whether an element has no imaginary part, element by element: :math:`out = \Im x = 0`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def kaiser_window(window_length: Any, periodic: bool = True, beta: float = 12.0, *, dtype: Any = None) -> Tensor:
    r"""Kaiser window: :math:`I_0(\beta \sqrt{1 - (2n/N - 1)^2}) / I_0(\beta)` for n from 0 to N - 1.

    Args:
        window_length (Union[int, Tensor]): how many numbers.
        periodic (bool): whether N is the length, for use in transforms; else N is one less and the
            window symmetric. Default: True.
        beta (float): see the formula. Default: 12.0.
        dtype (Type): the type. Default None: float64.

    Returns:
        Tensor with one axis.
    """
    ...

def kl_div(logits: Tensor, labels: Tensor, reduction: str = 'mean') -> Tensor:
    r"""Kullback-Leibler divergence: :math:`l_i = y_i (\log y_i - x_i)`, 0 where y is not above 0.

    Args:
        logits (Tensor): log probabilities x of any shape.
        labels (Tensor): probabilities y of the same shape.
        reduction (str): ``"mean"``, ``"sum"``, ``"none"``, or ``"batchmean"`` (the sum divided by
            the first size). Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `logits`.
    """
    ...

def kron(input: Tensor, other: Tensor) -> Tensor:
    """Kronecker product: every element of one times the whole of the other.

    Args:
        input (Tensor): any shape.
        other (Tensor): any shape.

    Returns:
        Tensor whose sizes are the products of the sizes.
    """
    ...

def l1_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """Absolute error: :math:`l_i = |input_i - target_i|`.

    Args:
        input (Tensor): predictions of any shape.
        target (Tensor): targets of a shape that broadcasts with `input`.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the broadcast shape. Integers give float32.
    """
    ...

def laplace(shape: Any, mean: Tensor, lambda_param: Tensor, seed: Any = None) -> Tensor:
    r"""Draw from a Laplace distribution: :math:`out = l \cdot lambda\_param + mean`.

    l follows the Laplace distribution of location 0 and scale 1. Differentiable in the tensors.

    Args:
        shape (Union[tuple, list, Tensor]): the shape of the result.
        mean (Tensor): the location, float32.
        lambda_param (Tensor): the scale, float32.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns:
        Tensor of the shape in which the three shapes meet, float32.
    """
    ...

def layer_norm(input: Tensor, normalized_shape: int | Sequence[int], weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-05) -> Tensor:
    r"""Normalize over the trailing dimensions of the given shape.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot weight + bias

    Args:
        input (Tensor): floating point, its shape ending in `normalized_shape`.
        normalized_shape (Union[int, tuple[int], list[int]]): the shape of the normalized part.
        weight (Tensor): scale of that shape. Default: None.
        bias (Tensor): shift of that shape. Default: None.
        eps (float): :math:`\epsilon`. Default: 1e-5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def lcm(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Least common multiple of integers, element by element: :math:`out = \operatorname{lcm}(x, y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def ldexp(x: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Times a power of two, element by element: :math:`out = x \cdot 2^y`.

    Args:
        x (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def le(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand is at most the other, element by element: :math:`out_i = input_i \le other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def leaky_relu(input: Tensor, alpha: float = 0.2) -> Tensor:
    r"""Rectifier with a slope for negative values.

    :math:`out_i = x_i` if positive, else :math:`\alpha x_i`.

    Args:
        input (Tensor): floating point, any shape.
        alpha (Union[int, float]): slope of the negative part. Default: 0.2.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def lerp(input: Tensor, end: Tensor, weight: Tensor | Number) -> Tensor:
    """Interpolate: :math:`out_i = input_i + weight_i (end_i - input_i)`.

    Args:
        input (Tensor): the values at weight 0, of a floating type.
        end (Tensor): the values at weight 1.
        weight (Union[Tensor, float]): the weight; shapes broadcast.

    Returns:
        Tensor of the common type.
    """
    ...

def less(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand is less than the other, element by element: :math:`out_i = input_i < other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def less_equal(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand is at most the other, element by element: :math:`out_i = input_i \le other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def lgamma(input: Tensor) -> Tensor:
    r"""Logarithm of the absolute value of the gamma function, element by element: :math:`out = \ln |\Gamma(x)|`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def lightning_indexer(query: Tensor, key: Tensor, weights: Tensor, *, actual_seq_lengths_query: Tensor | None = None, actual_seq_lengths_key: Tensor | None = None, block_table: Tensor | None = None, layout_query: str = 'BSND', layout_key: str = 'BSND', sparse_count: int = 2048, sparse_mode: int = 3, pre_tokens: int = 9223372036854775807, next_tokens: int = 9223372036854775807, return_value: bool = False) -> tuple[Tensor, Tensor]:
    r"""The most relevant keys of each query.

    .. math::
        score_{t s} = \sum_g w_{t g} \cdot \max(0, q_{t g} \cdot k_s), \quad
        indices_t = \mathrm{topk}(score_t)

    Args:
        query (Tensor): shape :math:`(B, S_1, N, D)` or :math:`(T_1, N, D)`.
        key (Tensor): shape :math:`(B, S_2, 1, D)`, :math:`(T_2, 1, D)` or
            ``(blocks, block_size, 1, D)``.
        weights (Tensor): the weights of the heads, shape :math:`(B, S_1, N)` or :math:`(T_1, N)`.
        actual_seq_lengths_query (Tensor): how many queries count in each sample; for TND where
            they end. Default: None.
        actual_seq_lengths_key (Tensor): the same for keys. Default: None.
        block_table (Tensor): for PA_BSND, the blocks of each sample. Default: None.
        layout_query (str): ``"BSND"`` or ``"TND"``. Default: ``"BSND"``.
        layout_key (str): ``"BSND"``, ``"TND"`` or ``"PA_BSND"``. Default: ``"BSND"``.
        sparse_count (int): how many keys to name. Default: 2048.
        sparse_mode (int): 0 for all keys, 3 for causal from the lower right corner. Default: 3.
        pre_tokens (int): only its default.
        next_tokens (int): only its default.
        return_value (bool): whether to return the scores, too. Default: False.

    Returns:
        tuple of the places of the keys, best first, int32 of shape ``(B, S1, 1,
        sparse_count)`` or ``(T1, 1, sparse_count)``, -1 where there are fewer, and their scores in
        the type of `query`; without `return_value` an empty tensor.
    """
    ...

def linspace(start: Tensor | Any, end: Tensor | Any, steps: Any) -> Tensor:
    """Numbers that divide an interval evenly: :math:`start + i (end - start) / (steps - 1)`.

    Args:
        start (Union[number, Tensor]): the first number.
        end (Union[number, Tensor]): the last.
        steps (int): how many.

    Returns:
        Tensor of shape (steps,), float32 (float64 if an end is a float64 Tensor).
    """
    ...

def list_equal(x: Any, y: Any) -> Any:
    """Whether two lists are equal.

    Args:
        x (list): the first value.
        y (list): the second value.
    """
    ...

def list_getitem(values: Any, key: Any) -> Any:
    """The element at an index.

    Args:
        values (list): the values to take from.
        key (Any): the index or key.
    """
    ...

def list_len(x: Any) -> Any:
    """The number of elements.

    Args:
        x (list): the value.
    """
    ...

def list_setitem(values: Any, key: Any, value: Any) -> Any:
    """A copy with one element set.

    Args:
        values (list): the values to take from.
        key (Any): the index or key.
        value (Any): the new value.
    """
    ...

def log(input: Tensor) -> Tensor:
    r"""Natural logarithm, element by element: :math:`out = \ln x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def log10(input: Tensor) -> Tensor:
    r"""Logarithm to base 10, element by element: :math:`out = \log_{10} x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def log1p(input: Tensor) -> Tensor:
    r"""Natural logarithm of one plus the input, exact near zero, element by element: :math:`out = \ln(1 + x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def log2(input: Tensor) -> Tensor:
    r"""Logarithm to base 2, element by element: :math:`out = \log_2 x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def log_matrix_determinant(input: Tensor) -> tuple[Tensor, Tensor]:
    """Sign and logarithm of the absolute value of the determinant; see :func:`ops.slogdet`.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns:
        Tuple of two Tensors of shape :math:`(..)`.
    """
    ...

def log_softmax(logits: Tensor, axis: int = -1) -> Tensor:
    r"""Logarithm of the softmax along an axis: :math:`out_i = x_i - \ln \sum_j e^{x_j}`.

    Args:
        logits (Tensor): floating point, rank 1 or more.
        axis (int): the axis. Default: -1.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def log_uniform_candidate_sampler(true_classes: Tensor, num_true: Any = 1, num_sampled: Any = 5, unique: Any = True, range_max: Any = 5, seed: Any = 0) -> tuple[Tensor, Tensor, Tensor]:
    r"""Sample classes for a sampled loss, where low classes are frequent (Zipf's law).

    :math:`P(k) = (\log(k + 2) - \log(k + 1)) / \log(range\_max + 1)`.

    Args:
        true_classes (Tensor): the target classes, int32 or int64, of shape (batch, num_true).
        num_true (int): target classes for each element of the batch. Default: 1.
        num_sampled (int): how many classes to sample. Default: 5.
        unique (bool): whether no class is sampled twice. Default: True.
        range_max (int): the number of classes. Default: 5.
        seed (int): the sampler's seed, at least 0; equal calls with equal seeds give equal
            results, whatever the global seed is. Default: 0.

    Returns:
        Three tensors: the sampled classes (num_sampled,), of the type of `true_classes`; how
        often each target class is expected among them, (batch, num_true), float32; the same of the
        sampled classes, (num_sampled,). With n draws for `unique` samples, the expectation is
        :math:`1 - (1 - P(k))^n`.
    """
    ...

def logaddexp(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Logarithm of the sum of exponentials, element by element: :math:`out = \ln(e^x + e^y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def logaddexp2(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Logarithm to base 2 of the sum of powers of two, element by element: :math:`out = \log_2(2^x + 2^y)`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def logcumsumexp(input: Tensor, axis: int) -> Tensor:
    r"""Running logarithm of the sum of exponentials: :math:`out_i = \ln \sum_{j \le i} e^{x_j}`.

    Args:
        input (Tensor): a floating type, any shape.
        axis (int): the axis.

    Returns:
        Tensor of the same shape.
    """
    ...

def logdet(input: Tensor) -> Tensor:
    """Logarithm of the determinant, nan where that is negative.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns:
        Tensor of shape :math:`(..)`.
    """
    ...

def logical_and(input: Tensor | Number, other: Tensor | Number = ..., *, y: Any = ...) -> Tensor:
    r"""Logical and, element by element: :math:`out_i = input_i \land other_i`.

    Args:
        input (Union[Tensor, number, bool]): true where it is not zero.
        other (Union[Tensor, number, bool]): likewise; shapes broadcast.
        y: another name of `other`.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def logical_not(input: Tensor) -> Tensor:
    r"""Logical negation, element by element: :math:`out = \lnot x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def logical_or(input: Tensor | Number, other: Tensor | Number = ..., *, y: Any = ...) -> Tensor:
    r"""Logical or, element by element: :math:`out_i = input_i \lor other_i`.

    Args:
        input (Union[Tensor, number, bool]): true where it is not zero.
        other (Union[Tensor, number, bool]): likewise; shapes broadcast.
        y: another name of `other`.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def logical_xor(input: Tensor | Number, other: Tensor | Number = ..., *, y: Any = ...) -> Tensor:
    r"""Logical exclusive or, element by element: :math:`out_i = input_i \oplus other_i`.

    Args:
        input (Union[Tensor, number, bool]): true where it is not zero.
        other (Union[Tensor, number, bool]): likewise; shapes broadcast.
        y: another name of `other`.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def logit(input: Tensor, eps: float | None = None) -> Tensor:
    r"""Inverse of the logistic function: :math:`\ln(x / (1 - x))`.

    Args:
        input (Tensor): a floating type, any shape.
        eps (float): the elements are first bounded to [eps, 1 - eps]. Default None: not.

    Returns:
        Tensor of the same shape; integers give float32.
    """
    ...

def logsigmoid(x: Tensor) -> Tensor:
    r"""Logarithm of the logistic function: :math:`out_i = -\ln(1 + e^{-x_i})`.

    Args:
        x (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def logspace(start: Any, end: Any, steps: Any, base: int = 10, *, dtype: Any = None) -> Tensor:
    """Powers whose exponents divide an interval evenly: :math:`base^{linspace(start, end)}`.

    Args:
        start (Union[number, Tensor]): the first exponent.
        end (Union[number, Tensor]): the last.
        steps (int): how many.
        base (int): the base, not negative. Default: 10.
        dtype (Type): the type. Default None: float32.

    Returns:
        Tensor of shape (steps,).
    """
    ...

def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    r"""Logarithm of the sum of exponentials along axes: :math:`\ln \sum_{dim} e^{input}`.

    Args:
        input (Tensor): any shape.
        dim (Union[int, tuple, list]): the axes; empty for all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.

    Returns:
        Tensor, computed without overflow; integers give float32.
    """
    ...

def lp_pool1d(x: Tensor, norm_type: float, kernel_size: int, stride: int | None = None, ceil_mode: bool = False) -> Tensor:
    r"""Power sum of every window over one dimension: :math:`(\sum_k x_k^p)^{1/p}`.

    Args:
        x (Tensor): shape :math:`(N, C, L)` or :math:`(C, L)`.
        norm_type (Union[int, float]): :math:`p`, not 0.
        kernel_size (int): size of the window.
        stride (int): step of the window. Default: None, the kernel's size.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.

    Returns:
        Tensor of shape :math:`(N, C, L_{out})`.
    """
    ...

def lp_pool2d(x: Tensor, norm_type: float, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, ceil_mode: bool = False) -> Tensor:
    r"""Power sum of every window over two dimensions: :math:`(\sum_k x_k^p)^{1/p}`.

    Args:
        x (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        norm_type (Union[int, float]): :math:`p`, not 0.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.

    Returns:
        Tensor of shape :math:`(N, C, H_{out}, W_{out})`.
    """
    ...

def lrn(x: Tensor, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5, norm_region: str = 'ACROSS_CHANNELS') -> Tensor:
    r"""Local response normalization across channels.

    .. math:: out_c = x_c \Big/ \Big(bias + \alpha \sum_{|k - c| \le radius} x_k^2\Big)^\beta

    Args:
        x (Tensor): shape :math:`(N, C, H, W)`.
        depth_radius (int): number of neighboring channels on each side. Default: 5.
        bias (float): added to the sum. Default: 1.0.
        alpha (float): factor of the sum. Default: 1.0.
        beta (float): exponent. Default: 0.5.
        norm_region (str): ``ACROSS_CHANNELS``. Default: ``"ACROSS_CHANNELS"``.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def lstsq(input: Tensor, A: Tensor) -> Tensor:
    r"""Least squares: minimize :math:`\|input \cdot out - A\|_2`.

    Args:
        input (Tensor): shape :math:`(M, N)`, of full rank.
        A (Tensor): shape :math:`(M, K)` or :math:`(M,)`, of the same type.

    Returns:
        Tensor of shape :math:`(N, K)`, K = 1 for a vector.
    """
    ...

def lt(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand is less than the other, element by element: :math:`out_i = input_i < other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """Solution of linear equations from an LU decomposition.

    Args:
        b (Tensor): the right side, shape :math:`(.., N, K)`.
        LU_data (Tensor): L and U in one matrix, shape :math:`(.., N, N)`.
        LU_pivots (Tensor): the row exchanges, counted from 1, shape :math:`(.., N)`.

    Returns:
        Tensor of shape :math:`(.., N, K)`.
    """
    ...

def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """The factors of an LU decomposition: the permutation P, L and U.

    Args:
        LU_data (Tensor): L and U in one matrix, shape :math:`(.., M, N)`.
        LU_pivots (Tensor): the row exchanges, counted from 1.
        unpack_data (bool): whether to give L and U, else empty tensors. Default: True.
        unpack_pivots (bool): whether to give P, else an empty tensor. Default: True.

    Returns:
        Tuple of P, L and U.
    """
    ...

def make_dict(keys: Any, values: Any) -> Any:
    """A dict of keys and values.

    Args:
        keys (Any): the keys.
        values (Any): the values, as many.
    """
    ...

def make_list(*x: Any) -> Any:
    """A list of the arguments.

    Args:
        *x (Any): the elements.
    """
    ...

def make_range(*x: Any) -> Any:
    """A tuple of the numbers of a range.

    Args:
        *x (Any): start, stop and step, as those of ``range``.
    """
    ...

def make_slice(a: Any, b: Any, c: Any) -> Any:
    """A slice object.

    Args:
        a (Any): the start.
        b (Any): the stop.
        c (Any): the step.
    """
    ...

def make_tuple(*x: Any) -> Any:
    """A tuple of the arguments.

    Args:
        *x (Any): the elements.
    """
    ...

def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = 'mean') -> Tensor:
    r"""Loss of a ranking: :math:`l_i = \max(0, -y_i (x_{1,i} - x_{2,i}) + margin)`.

    Args:
        input1 (Tensor): scores of any shape.
        input2 (Tensor): scores of a shape that broadcasts with `input1`.
        target (Tensor): 1 where `input1` should be larger, -1 where `input2` should.
        margin (Union[int, float]): the difference that is asked for. Default: 0.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the broadcast shape.
    """
    ...

def masked_fill(input_x: Tensor, mask: Tensor, value: Tensor | Number) -> Tensor:
    """The tensor with one value where a mask is true.

    Args:
        input_x (Tensor): any shape.
        mask (Tensor): bool, of a shape that broadcasts with `input_x`.
        value (Union[number, Tensor]): the value, 0-d if a Tensor.

    Returns:
        Tensor of the broadcast shape and the type of `input_x`.
    """
    ...

def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where a mask is true, as a vector.

    Args:
        input (Tensor): any shape.
        mask (Tensor): bool, of a shape that broadcasts with `input`.

    Returns:
        Tensor with one axis; its size depends on the values of `mask`.
    """
    ...

def matmul(input: Tensor, other: Tensor) -> Tensor:
    r"""Matrix product: :math:`out_{..ij} = \sum_k input_{..ik}\, other_{..kj}`.

    Args:
        input (Tensor): a vector, a matrix :math:`(.., N, K)` or a batch of them.
        other (Tensor): a vector, a matrix :math:`(.., K, M)` or a batch of them, of the same type;
            the batch axes broadcast.

    Returns:
        Tensor of shape :math:`(.., N, M)`, without the axes that a vector lacks.
    """
    ...

def matrix_band_part(x: Tensor, lower: Any, upper: Any) -> Tensor:
    """Matrices with zeros outside of a band around the main diagonal.

    Args:
        x (Tensor): two axes or more.
        lower (Union[int, Tensor]): how many diagonals below to keep, all if negative.
        upper (Union[int, Tensor]): how many above, all if negative.

    Returns:
        Tensor of the same shape.
    """
    ...

def matrix_determinant(input: Tensor) -> Tensor:
    """Determinant of square matrices.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns:
        Tensor of shape :math:`(..)`.
    """
    ...

def matrix_diag(x: Tensor, k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0, align: str = 'RIGHT_LEFT') -> Tensor:
    """Matrices with given diagonals.

    Args:
        x (Tensor): the diagonals, the highest first: shape (.., number of diagonals, length), or
            (.., length) for one.
        k (Union[int, tuple, Tensor]): which diagonal, or the lowest and the highest. Default: 0.
        num_rows (Union[int, Tensor]): rows of the matrices, -1 for as few as fit. Default: -1.
        num_cols (Union[int, Tensor]): columns of the matrices, likewise. Default: -1.
        padding_value (Union[number, Tensor]): the other elements. Default: 0.
        align (str): where shorter diagonals stand in `x`: those above the main one, then those
            below it. Default: ``"RIGHT_LEFT"``.

    Returns:
        Tensor of shape (.., rows, columns).
    """
    ...

def matrix_diag_part(x: Tensor, k: Any, padding_value: Any, align: str = 'RIGHT_LEFT') -> Tensor:
    """Diagonals of matrices.

    Args:
        x (Tensor): shape (.., rows, columns).
        k (Union[int, tuple, Tensor]): which diagonal, or the lowest and the highest.
        padding_value (Union[number, Tensor]): what fills up shorter diagonals.
        align (str): where they stand, see :func:`ops.matrix_diag`. Default: ``"RIGHT_LEFT"``.

    Returns:
        Tensor of shape (.., number of diagonals, length), the highest first; (.., length) for
        one.
    """
    ...

def matrix_exp(input: Tensor) -> Tensor:
    r"""Exponential of square matrices: :math:`\sum_k input^k / k!`.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns:
        Tensor of the same shape.
    """
    ...

def matrix_norm(A: Tensor, ord: Any = 'fro', axis: Any = ..., keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    """Norm of matrices.

    Args:
        A (Tensor): two axes or more; integers are computed in float32.
        ord (Union[int, float, str]): ``"fro"``, ``"nuc"``, 1, -1, 2, -2, inf or -inf.
            Default: ``"fro"``.
        axis (tuple): the two axes of the matrices. Default: (-2, -1).
        keepdims (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in. Default: None.

    Returns:
        Tensor.
    """
    ...

def matrix_power(input: Tensor, n: int) -> Tensor:
    """Power of square matrices: :math:`input^n`, of the inverse if n is negative.

    Args:
        input (Tensor): shape :math:`(.., N, N)`; integers for n of 0 and above.
        n (int): the exponent.

    Returns:
        Tensor of the same shape.
    """
    ...

def matrix_set_diag(x: Tensor, diagonal: Tensor, k: Any = 0, align: str = 'RIGHT_LEFT') -> Tensor:
    """Copies of matrices with other diagonals.

    Args:
        x (Tensor): shape (.., rows, columns).
        diagonal (Tensor): the diagonals, laid out as :func:`ops.matrix_diag_part` gives them.
        k (Union[int, tuple, Tensor]): which diagonal, or the lowest and the highest. Default: 0.
        align (str): see :func:`ops.matrix_diag`. Default: ``"RIGHT_LEFT"``.

    Returns:
        Tensor of the shape and type of `x`.
    """
    ...

def matrix_solve(matrix: Tensor, rhs: Tensor, adjoint: bool = False) -> Tensor:
    r"""Solution of linear equations: :math:`matrix \cdot out = rhs`.

    Args:
        matrix (Tensor): shape :math:`(.., N, N)`.
        rhs (Tensor): shape :math:`(.., N, K)`, of the same type.
        adjoint (bool): whether the conjugate transpose of `matrix` is meant. Default: False.

    Returns:
        Tensor of shape :math:`(.., N, K)`.
    """
    ...

def max(input: Tensor, axis: int | None = None, keepdims: bool = False, *, initial: Any = None, where: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The largest elements along an axis and their indices.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default None: all elements; the index is then 0.
        keepdims (bool): whether the axis stays, with size 1. Default: False.
        initial (number): the smallest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.

    Returns:
        Tuple of the values and the indices (int64); of equal elements, that of the first.
    """
    ...

def max_pool2d(x: Tensor, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, return_indices: bool = False, ceil_mode: bool = False) -> Any:
    r"""Largest element of every window over two dimensions.

    .. math:: out_{n,c,i,j} = \max_{k,l} x_{n,c,\,i s + k,\,j s + l}

    Args:
        x (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): minus infinity on both sides, at most half the kernel.
            Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of a window. Default: 1.
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.

    Returns:
        Tensor of shape :math:`(N, C, H_{out}, W_{out})`; with `return_indices` a pair of it
        and the indices (int64), each counted within its plane.
    """
    ...

def max_pool3d(x: Tensor, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """Largest element of every window over three dimensions.

    Args:
        x (Tensor): shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): minus infinity on both sides, at most half the kernel.
            Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of a window. Default: 1.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.

    Returns:
        Tensor of shape :math:`(N, C, D_{out}, H_{out}, W_{out})`; with `return_indices` a pair
        of it and the indices (int64).
    """
    ...

def max_unpool1d(x: Tensor, indices: Tensor, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, output_size: Sequence[int] | None = None) -> Tensor:
    """Put maxima back to where they came from; all others are zero.

    Args:
        x (Tensor): shape :math:`(N, C, L)` or :math:`(C, L)`.
        indices (Tensor): the places, integers of the same shape, counted within each
            row.
        kernel_size (Union[int, tuple[int]]): size of the window of the pooling.
        stride (Union[int, tuple[int]]): its step. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): its padding. Default: 0.
        output_size (tuple[int]): the shape of the result. Default: None, worked out.

    Returns:
        Tensor of shape
        :math:`(N, C, L_{out})`.
    """
    ...

def max_unpool2d(x: Tensor, indices: Tensor, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, output_size: Sequence[int] | None = None) -> Tensor:
    """Put maxima of planes back to where they came from; all others are zero.

    Args:
        x (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        indices (Tensor): the places, integers of the same shape, counted within each
            plane.
        kernel_size (Union[int, tuple[int]]): size of the window of the pooling.
        stride (Union[int, tuple[int]]): its step. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): its padding. Default: 0.
        output_size (tuple[int]): the shape of the result. Default: None, worked out.

    Returns:
        Tensor of shape
        :math:`(N, C, H_{out}, W_{out})`.
    """
    ...

def max_unpool3d(x: Tensor, indices: Tensor, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, output_size: Sequence[int] | None = None) -> Tensor:
    """Put maxima of volumes back to where they came from; all others are zero.

    Args:
        x (Tensor): shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        indices (Tensor): the places, integers of the same shape, counted within each
            volume.
        kernel_size (Union[int, tuple[int]]): size of the window of the pooling.
        stride (Union[int, tuple[int]]): its step. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): its padding. Default: 0.
        output_size (tuple[int]): the shape of the result. Default: None, worked out.

    Returns:
        Tensor of shape
        :math:`(N, C, D_{out}, H_{out}, W_{out})`.
    """
    ...

def maximum(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""The larger element: :math:`out_i = \max(input_i, other_i)`; nan wins.

    Args:
        input (Union[Tensor, number]): the first operand.
        other (Union[Tensor, number]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def mean(x: Tensor, axis: Any = None, keep_dims: bool = False) -> Tensor:
    r"""Mean over axes: :math:`out = \frac{1}{N} \sum_{axis} x`.

    Args:
        x (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.

    Returns:
        Tensor of the type of `x`; the mean of integers is truncated.
    """
    ...

def median(input: Tensor, axis: int = -1, keepdims: bool = False, *, dim: Any = ..., keepdim: Any = ...) -> tuple[Tensor, Tensor]:
    """Medians along an axis and their indices; of an even number the lower one.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default: -1.
        keepdims (bool): whether the axis stays, with size 1. Default: False.
        dim: another name of `axis`.
        keepdim: another name of `keepdims`.

    Returns:
        Tuple of values and indices (int64).
    """
    ...

def meshgrid(*inputs: Tensor, indexing: str = 'xy') -> tuple[Tensor, ...]:
    """Coordinates of a grid from those of its axes.

    Args:
        inputs (Tensor): the coordinates along each axis, 1-D; or one of them, 0-d.
        indexing (str): ``"xy"``: the first two axes of the grid are swapped; ``"ij"``: in order.
            Default: ``"xy"``.

    Returns:
        Tuple of Tensors of the grid's shape, one for each input.
    """
    ...

def min(input: Tensor, axis: int | None = None, keepdims: bool = False, *, initial: Any = None, where: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The smallest elements along an axis and their indices.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default None: all elements; the index is then 0.
        keepdims (bool): whether the axis stays, with size 1. Default: False.
        initial (number): the largest value that the result can have. Default: None.
        where (Tensor): bool; elements that are false count as `initial`. Default: None.

    Returns:
        Tuple of the values and the indices (int64); of equal elements, that of the first.
    """
    ...

def minimum(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""The smaller element: :math:`out_i = \min(input_i, other_i)`; nan wins.

    Args:
        input (Union[Tensor, number]): the first operand.
        other (Union[Tensor, number]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def mirror_pad(input_x: Tensor, paddings: Any, mode: str) -> Tensor:
    """Mirror the input at its borders.

    Args:
        input_x (Tensor): any shape.
        paddings (Tensor): a pair (before, after) for every axis, shape (rank, 2).
        mode (str): ``REFLECT`` (the border once) or ``SYMMETRIC`` (the border twice).

    Returns:
        Tensor of the input's dtype.
    """
    ...

def mish(x: Tensor) -> Tensor:
    r"""Mish: :math:`out_i = x_i \tanh(\ln(1 + e^{x_i}))`.

    Args:
        x (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """Product of two matrices.

    Args:
        input (Tensor): shape :math:`(N, K)`.
        mat2 (Tensor): shape :math:`(K, M)`, of the same type.

    Returns:
        Tensor of shape :math:`(N, M)`.
    """
    ...

def moe_compute_expert_tokens(sorted_experts: Tensor, num_expert: int) -> Tensor:
    """The end of each expert's rows among rows sorted by expert.

    Args:
        sorted_experts (Tensor): the expert of each row, ascending, int32 or int64, 1-D.
        num_expert (int): the number of experts.

    Returns:
        Tensor of shape ``(num_expert,)`` and the type of `sorted_experts`.
    """
    ...

def moe_init_routing_v2(x: Tensor, expert_idx: Tensor, active_num: int, expert_capacity: int, expert_num: int, drop_pad_mode: int, expert_tokens_count_or_cumsum_flag: int, expert_tokens_before_capacity_flag: bool) -> Any:
    """Rows for experts: sorted by expert, or in the slots of each expert.

    Args:
        x (Tensor): the tokens, shape :math:`(T, H)`.
        expert_idx (Tensor): the k experts of each token, integers, shape :math:`(T, K)`.
        active_num (int): without places, how many rows to keep; 0 keeps all.
        expert_capacity (int): with places, how many each expert has, from 1 to T.
        expert_num (int): the number E of experts.
        drop_pad_mode (int): 1 for places: what does not fit is left out, what stays free is zero.
        expert_tokens_count_or_cumsum_flag (int): without places, 1 asks for the running sum of
            tokens over experts, 2 for the number of tokens of each expert, 0 for neither.
        expert_tokens_before_capacity_flag (bool): with places, whether to return the number of
            tokens of each expert before any is left out.

    Returns:
        tuple of the rows, shape :math:`(T K, H)` or :math:`(E, C, H)`, the place of each pair
        of token and expert, int32 of shape :math:`(T K,)`, -1 for those left out, and the numbers
        asked for, int32 of shape :math:`(E,)`.
    """
    ...

def moe_token_permute(tokens: Tensor, indices: Tensor, num_out_tokens: int | None = None, padded_mode: bool = False) -> tuple[Tensor, Tensor]:
    """Tokens in the order of the experts that they go to.

    Args:
        tokens (Tensor): shape :math:`(T, H)`.
        indices (Tensor): the expert of each token, or the k experts of each: int32 or int64, shape
            :math:`(T,)` or :math:`(T, K)`.
        num_out_tokens (int): how many rows to keep, from the first; None and 0 keep all.
            Default: None.
        padded_mode (bool): must be False. Default: False.

    Returns:
        tuple of the rows, shape :math:`(T K, H)` or fewer, and where each pair of token and
        expert went: int32, shape :math:`(T K,)`. Rows of one expert keep their order.
    """
    ...

def moe_token_unpermute(permuted_tokens: Tensor, sorted_indices: Tensor, probs: Tensor | None = None, padded_mode: bool = False, restore_shape: Any = None) -> Tensor:
    """Tokens back from their experts: each is the weighted sum of the outputs of its experts.

    Args:
        permuted_tokens (Tensor): the rows, in the order of :func:`ops.moe_token_permute`.
        sorted_indices (Tensor): where each pair of token and expert went, shape :math:`(T K,)`.
            Pairs that were left out count as zero.
        probs (Tensor): the weight of each pair, shape :math:`(T, K)`. Default None: one expert for
            each token, of weight 1.
        padded_mode (bool): must be False. Default: False.
        restore_shape (Union[tuple[int], list[int]]): not used without padding. Default: None.

    Returns:
        Tensor of shape :math:`(T, H)` and the type of `permuted_tokens`.
    """
    ...

def moveaxis(x: Tensor, source: Any, destination: Any) -> Tensor:
    """Move axes to other positions; the rest stay in order.

    Args:
        x (Tensor): any shape.
        source (Union[int, sequence[int]]): the axes to move.
        destination (Union[int, sequence[int]]): where each goes.

    Returns:
        Tensor, a view.
    """
    ...

def movedim(x: Tensor, source: Any, destination: Any) -> Tensor:
    """Move axes to other positions; the rest stay in order.

    Args:
        x (Tensor): any shape.
        source (Union[int, sequence[int]]): the axes to move.
        destination (Union[int, sequence[int]]): where each goes.

    Returns:
        Tensor, a view.
    """
    ...

def mse_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """Squared error: :math:`l_i = (input_i - target_i)^2`.

    Args:
        input (Tensor): predictions of any shape.
        target (Tensor): targets of a shape that broadcasts with `input`.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the broadcast shape. Integers give float32.
    """
    ...

def msort(input: Tensor) -> Tensor:
    """Sort along the first axis.

    Args:
        input (Tensor): one axis or more.

    Returns:
        Tensor.
    """
    ...

def mul(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Multiply, element by element: :math:`out_i = input_i \cdot other_i`.

    Args:
        input (Union[Tensor, number, bool]): the first factor.
        other (Union[Tensor, number, bool]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; a number or a 0-d tensor does not
        widen the type within its category (float64 times a float32 tensor is float32).
    """
    ...

def multi_margin_loss(input: Tensor, target: Tensor, p: int = 1, margin: float = 1, weight: Tensor | None = None, reduction: str = 'mean') -> Tensor:
    r"""Hinge loss of one class per sample.

    .. math::
        l_n = \frac{1}{C} \sum_{i \ne y_n} w_{y_n} \max(0, margin - x_{n, y_n} + x_{n, i})^p

    Args:
        input (Tensor): scores x, shape :math:`(C,)` or :math:`(N, C)`.
        target (Tensor): class indices y of an integer type, shape :math:`()` or :math:`(N,)`.
        p (int): 1 or 2. Default: 1.
        margin (Union[int, float]): the margin. Default: 1.
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `target`.
    """
    ...

def multi_scale_deformable_attn_function(value: Tensor, shape: Tensor, offset: Tensor, locations: Tensor, weight: Tensor) -> Tensor:
    r"""Attention of queries to a few points in feature maps of several sizes.

    .. math::
        out_{q} = \sum_{l, p} w_{q l p} \cdot value_l(location_{q l p})

    Between pixels the values are interpolated, outside of a map they are zero.

    Args:
        value (Tensor): the maps one behind the other, shape :math:`(N, \sum H_l W_l, heads, D)`.
        shape (Tensor): height and width of each map, integers of shape ``(levels, 2)``.
        offset (Tensor): where each map begins in `value`, integers of shape ``(levels,)``.
        locations (Tensor): where each query looks, x and y from 0 to 1 across a map: shape
            ``(N, queries, heads, levels, points, 2)``.
        weight (Tensor): the weights, shape ``(N, queries, heads, levels, points)``.

    Returns:
        Tensor of shape ``(N, queries, heads * D)`` and the type of `value`.
    """
    ...

def multilabel_margin_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    r"""Hinge loss of several classes per sample.

    .. math::
        l_n = \frac{1}{C} \sum_{j} \sum_{i \notin Y_n} \max(0, 1 - (x_{n, y_{n,j}} - x_{n, i}))

    Args:
        input (Tensor): scores x, shape :math:`(C,)` or :math:`(N, C)`.
        target (Tensor): class indices of the same shape; those before the first -1 count.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape without C.
    """
    ...

def multilabel_soft_margin_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = 'mean') -> Tensor:
    r"""Binary cross entropies of several labels, averaged per sample.

    .. math::
        l_n = -\frac{1}{C} \sum_c w_c (y_{n,c} \log \sigma(x_{n,c})
            + (1 - y_{n,c}) \log(1 - \sigma(x_{n,c})))

    Args:
        input (Tensor): scores x, shape :math:`(N, C)`.
        target (Tensor): targets y of the same shape, 0 or 1.
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape without the last axis.
    """
    ...

def multinomial(input: Tensor, num_samples: Any, replacement: Any = True, seed: Any = None) -> Tensor:
    """Draw indices in proportion to weights.

    Args:
        input (Tensor): weights, at least 0, of shape (classes,) or (rows, classes). A row of zeros
            gives its last index.
        num_samples (int): draws for each row; without `replacement` at most the classes.
        replacement (bool): whether an index may be drawn again. Default: True.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns:
        Tensor of shape (num_samples,) or (rows, num_samples), int32.
    """
    ...

def multinomial_with_replacement(x: Tensor, seed: Any, offset: Any, numsamples: Any, replacement: Any = False) -> Tensor:
    """Draw indices in proportion to weights, from a seed and an offset given by the caller.

    Args:
        x (Tensor): weights, at least 0 and not all 0 in a row, of shape (classes,) or
            (rows, classes); float16, float32 or float64.
        seed (Union[int, Tensor]): the seed.
        offset (Union[int, Tensor]): selects one of the streams of the seed. Both 0: the next seed
            pair of this name, entropy before any ``set_seed``.
        numsamples (int): draws for each row; without `replacement` at most the classes.
        replacement (bool): whether an index may be drawn again. Default: False.

    Returns:
        Tensor of shape (numsamples,) or (rows, numsamples), int64.
    """
    ...

def multiply(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Multiply, element by element: :math:`out_i = input_i \cdot other_i`.

    Args:
        input (Union[Tensor, number, bool]): the first factor.
        other (Union[Tensor, number, bool]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; a number or a 0-d tensor does not
        widen the type within its category (float64 times a float32 tensor is float32).
    """
    ...

def mv(mat: Tensor, vec: Tensor) -> Tensor:
    """Product of a matrix and a vector.

    Args:
        mat (Tensor): shape :math:`(N, M)`.
        vec (Tensor): shape :math:`(M,)`, of the same type.

    Returns:
        Tensor of shape :math:`(N,)`.
    """
    ...

def mvlgamma(input: Tensor, p: int) -> Tensor:
    r"""Logarithm of the multivariate gamma function of dimension p.

    :math:`\frac{p (p - 1)}{4} \ln \pi + \sum_{i=1}^p \ln \Gamma(x - \frac{i - 1}{2})`

    Args:
        input (Tensor): elements greater than :math:`(p - 1) / 2`.
        p (int): the dimension.

    Returns:
        Tensor of the shape of `input`.
    """
    ...

def nan_to_num(input: Tensor, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Tensor:
    """Replace nan and infinite elements.

    Args:
        input (Tensor): any shape.
        nan (number): in place of nan. Default None: 0.
        posinf (number): in place of infinity. Default None: the largest number of the type.
        neginf (number): in place of minus infinity. Default None: the smallest number.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def nanmean(input: Tensor, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    """Mean along axes of the elements that are not nan.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type of the result. Default: None.

    Returns:
        Tensor.
    """
    ...

def nanmedian(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Medians along an axis of the elements that are not nan, and their indices.

    Args:
        input (Tensor): any shape.
        axis (int): the axis. Default: -1.
        keepdims (bool): whether the axis stays, with size 1. Default: False.

    Returns:
        Tuple of values and indices (int64).
    """
    ...

def nanquantile(input: Tensor, q: Tensor | float, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Quantiles along an axis of the elements that are not nan; see :func:`ops.quantile`.

    Args:
        input (Tensor): float32 or float64, any shape.
        q (Union[float, Tensor]): where between 0 and 1, a number or several, 1-D.
        axis (int): the axis. Default None: all elements.
        keepdims (bool): whether the axis stays, with size 1. Default: False.

    Returns:
        Tensor; several `q` give a new first axis.
    """
    ...

def nansum(input: Tensor, axis: Any = None, keepdims: bool = False, *, dtype: Any = None, dim: Any = ..., keepdim: Any = ...) -> Tensor:
    """Sum along axes, nan counting as 0.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type of the result. Default: None.
        dim: another name of `axis`.
        keepdim: another name of `keepdims`.

    Returns:
        Tensor; integers keep their type.
    """
    ...

def narrow(input: Tensor, axis: int = ..., start: int = ..., length: int = ..., *, dim: Any = ...) -> Tensor:
    """A range of one axis.

    Args:
        input (Tensor): any shape.
        axis (int): the axis.
        start (int): where the range begins.
        length (int): how long it is.
        dim: another name of `axis`.

    Returns:
        Tensor, a view.
    """
    ...

def ne(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand differs from the other, element by element: :math:`out_i = input_i \ne other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def neg(input: Tensor) -> Tensor:
    """Negative, element by element: :math:`out_i = -input_i`.

    Args:
        input (Tensor): any shape; unsigned integers wrap around.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def negative(input: Tensor) -> Tensor:
    """Negative, element by element: :math:`out_i = -input_i`.

    Args:
        input (Tensor): any shape; unsigned integers wrap around.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def nextafter(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Next number toward the second, element by element: :math:`out = x \to y`.

    Args:
        input (Union[Tensor, number]): :math:`x`.
        other (Union[Tensor, number]): :math:`y`; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers give float32 where
        the function is not closed over them.
    """
    ...

def nll_loss(inputs: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = 'mean', label_smoothing: float = 0.0) -> Tensor:
    """Negative log likelihood of classes: :math:`l_n = -w_{y_n} x_{n, y_n}`.

    The mean divides by the sum of the weights of the samples that are not ignored.

    Args:
        inputs (Tensor): log probabilities x, shape :math:`(C,)`, :math:`(N, C)` or
            :math:`(N, C, d_1, ...)`.
        target (Tensor): class indices y of an integer type, shape :math:`()`, :math:`(N,)` or
            :math:`(N, d_1, ...)`.
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        ignore_index (int): an index whose samples do not count. Default: -100.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        label_smoothing (float): the part of the target that is spread over all classes, in
            [0, 1]. Default: 0.0.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `target`.
    """
    ...

def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Indices of the elements that are not zero.

    Args:
        input (Tensor): any shape.
        as_tuple (bool): whether to give one vector of indices for each axis. Default: False.

    Returns:
        Tensor of int64 of shape (N, rank); or a tuple of `rank` vectors.
    """
    ...

def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    r"""Norm of vectors or matrices.

    Args:
        A (Tensor): any shape; integers are computed in float32.
        ord (Union[None, int, float, str]): which norm. None: the square root of the sum of squares.
            For vectors a number p: :math:`(\sum |x|^p)^{1/p}`, 0 counts what is not zero. For
            matrices ``"fro"``, ``"nuc"``, 1, -1, 2, -2, inf or -inf. Default: None.
        dim (Union[int, tuple]): one axis for vectors, two for matrices. Default None: all axes;
            with `ord`, `A` must be a vector or a matrix.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in. Default: None.

    Returns:
        Tensor.
    """
    ...

def normal(shape: Any, mean: Tensor | Number, stddev: Tensor | Number, seed: Any = None) -> Tensor:
    r"""Draw from a normal distribution: :math:`out = z \cdot stddev + mean`, z standard normal.

    Differentiable in `mean` and `stddev`.

    Args:
        shape (tuple): the shape of the result.
        mean (Union[Tensor, int, float]): the mean.
        stddev (Union[Tensor, int, float]): the standard deviation.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns:
        Tensor of the shape in which `shape` and those of `mean` and `stddev` meet; float32, or
        float64 if one of them is.
    """
    ...

def normal_(input: Tensor, mean: Any = 0, std: Any = 1, *, generator: Any = None) -> Tensor:
    """Fill a tensor with normal numbers.

    Args:
        input (Tensor): what is filled, of a floating type.
        mean (Union[number, Tensor]): the mean. Default: 0.
        std (Union[number, Tensor]): the standard deviation, at least 0. Default: 1.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns:
        Tensor, `input` itself.
    """
    ...

def not_equal(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand differs from the other, element by element: :math:`out_i = input_i \ne other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def not_in_dict(x: Any, y: Any) -> Any:
    """Whether a key is not in a dict.

    Args:
        x (Any): the key.
        y (Any): the dict.
    """
    ...

def nsa_compress(input: Tensor, weight: Tensor, compress_block_size: int, compress_stride: int, *, actual_seq_len: Any) -> Tensor:
    r"""Keys or values in windows of time, each window one weighted sum.

    .. math::
        out_{t n} = \sum_{i} weight_{i n} \cdot input_{(t \cdot stride + i) n}

    Windows lie within one sample. Any sizes will do.

    Args:
        input (Tensor): shape :math:`(T, N, D)`.
        weight (Tensor): shape ``(compress_block_size, N)``.
        compress_block_size (int): the length of a window.
        compress_stride (int): the distance of windows, at most their length.
        actual_seq_len (Union[tuple[int], list[int]]): where the samples end.

    Returns:
        Tensor of shape :math:`(T', N, D)`: the windows of all samples.
    """
    ...

def nsa_compress_attention(query: Tensor, key: Tensor, value: Tensor, scale_value: float, head_num: int, compress_block_size: int, compress_stride: int, select_block_size: int, select_block_count: int, *, topk_mask: Tensor | None = None, atten_mask: Tensor | None = None, actual_seq_qlen: Any, actual_cmp_seq_kvlen: Any, actual_sel_seq_kvlen: Any) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    r"""Attention to compressed keys, and the blocks of keys to which it went most.

    .. math::
        P = \mathrm{softmax}(s \cdot Q K^T), \quad out = P V, \quad
        importance_j = \sum_h \sum_{m=0}^{l'/d - 1} \sum_{n=0}^{l/d - 1} P_{h, j l'/d - m - n}

    with the length l of a window, their distance d, the length l' of a block and the heads h that
    share one of `key`. Any sizes will do.

    Args:
        query (Tensor): shape :math:`(T_1, N_1, D_1)`.
        key (Tensor): compressed keys, shape :math:`(T_2, N_2, D_1)`.
        value (Tensor): compressed values, shape :math:`(T_2, N_2, D_2)`.
        scale_value (float): the factor s.
        head_num (int): :math:`N_1`, a multiple of :math:`N_2`.
        compress_block_size (int): the length of a window, a multiple of the distance.
        compress_stride (int): the distance of windows.
        select_block_size (int): the length of a block, a multiple of the distance.
        select_block_count (int): how many blocks to name.
        topk_mask (Tensor): where nonzero, a block is not named, shape :math:`(S_1, S_{select})`.
            Default: None.
        atten_mask (Tensor): where nonzero, a score does not count, shape :math:`(S_1, S_2)`.
            Default: None.
        actual_seq_qlen (Union[tuple[int], list[int]]): where the samples of `query` end.
        actual_cmp_seq_kvlen (Union[tuple[int], list[int]]): where those of `key` end.
        actual_sel_seq_kvlen (Union[tuple[int], list[int]]): the same in blocks to select from.

    Returns:
        tuple of the attention :math:`(T_1, N_1, D_2)`, the blocks, int32 of shape ``(T1, N2,
        select_block_count)`` with -1 behind the last one, and the largest score and the sum of
        exponentials of each row, float32 of shape :math:`(T_1, N_1, 8)`.
    """
    ...

def nsa_select_attention(query: Tensor, key: Tensor, value: Tensor, topk_indices: Tensor, scale_value: float, head_num: int, select_block_size: int, select_block_count: int, *, atten_mask: Tensor | None = None, actual_seq_qlen: Any, actual_seq_kvlen: Any) -> tuple[Tensor, Tensor, Tensor]:
    r"""Attention of each position to a few blocks of keys of its own.

    .. math::
        out = \mathrm{softmax}(s \cdot Q \tilde{K}^T) \tilde{V}

    with the keys and values of the blocks that `topk_indices` names. Any sizes will do.

    Args:
        query (Tensor): shape :math:`(T_1, N_1, D_1)`.
        key (Tensor): shape :math:`(T_2, N_2, D_1)`.
        value (Tensor): shape :math:`(T_2, N_2, D_2)`.
        topk_indices (Tensor): the blocks of each position, integers of shape
            ``(T1, N2, select_block_count)``, counted from 0 in each sample; negative ones count
            for nothing, and a block that is named twice counts once.
        scale_value (float): the factor s.
        head_num (int): :math:`N_1`, a multiple of :math:`N_2`.
        select_block_size (int): how many keys make a block.
        select_block_count (int): how many blocks a position has.
        atten_mask (Tensor): where nonzero, a score does not count, shape :math:`(S_1, S_2)`.
            Default: None.
        actual_seq_qlen (Union[tuple[int], list[int]]): where the samples of `query` end.
        actual_seq_kvlen (Union[tuple[int], list[int]]): where those of `key` end.

    Returns:
        tuple of the attention :math:`(T_1, N_1, D_2)`, and the largest score and the sum of
        exponentials of each row, float32 of shape :math:`(T_1, N_1, 8)`.
    """
    ...

def numel(input: Tensor) -> int:
    """The number of elements of a tensor.

    Args:
        input (Tensor): any tensor.

    Returns:
        int.
    """
    ...

def one_hot(indices: Tensor, depth: Any, on_value: Tensor | Number = 1, off_value: Tensor | Number = 0, axis: int = -1) -> Tensor:
    r"""Vectors with one value at the position given by an index and another elsewhere.

    Args:
        indices (Tensor): integers, shape :math:`(X_0, \dots, X_n)`. One outside of
            :math:`[0, depth)` gives a vector without `on_value`.
        depth (int): length of the new axis.
        on_value (Union[Tensor, number]): the value at the place. Default: 1.
        off_value (Union[Tensor, number]): the value elsewhere, of the same type. Default: 0.
        axis (int): where the new axis goes, -1 for the end. Default: -1.

    Returns:
        Tensor with one axis more, of the type of the values: int64 for ints, float32 for
        floats.
    """
    ...

def ones(shape: Any, dtype: Any = None) -> Tensor:
    """A tensor of ones.

    Args:
        shape (Union[int, tuple, list, Tensor]): the shape.
        dtype (Type): the type. Default None: float32.

    Returns:
        Tensor of that shape.
    """
    ...

def ones_like(input: Tensor, *, dtype: Any = None) -> Tensor:
    """Ones in the shape of another tensor.

    Args:
        input (Tensor): the tensor whose shape is used.
        dtype (Type): the type. Default None: that of `input`.

    Returns:
        Tensor.
    """
    ...

def orgqr(input: Tensor, input2: Tensor) -> Tensor:
    """The first columns of Q from reflections, see :func:`ops.geqrf`.

    Args:
        input (Tensor): the reflections, shape :math:`(.., M, N)`.
        input2 (Tensor): their factors, shape :math:`(.., K)`.

    Returns:
        Tensor of shape :math:`(.., M, N)`.
    """
    ...

def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False) -> Tensor:
    """Product of a matrix with the Q of reflections, see :func:`ops.geqrf`.

    Args:
        input (Tensor): the reflections, shape :math:`(.., M, N)`.
        tau (Tensor): their factors, shape :math:`(.., K)`.
        other (Tensor): the matrix.
        left (bool): whether Q stands on the left. Default: True.
        transpose (bool): whether the conjugate transpose of Q is meant. Default: False.

    Returns:
        Tensor of the shape of `other`.
    """
    ...

def outer(input: Tensor, vec2: Tensor) -> Tensor:
    r"""Outer product: :math:`out_{ij} = input_i\, vec2_j`.

    Args:
        input (Tensor): any shape, flattened.
        vec2 (Tensor): any shape, flattened.

    Returns:
        Tensor of shape (input.size, vec2.size) and the common type.
    """
    ...

def pad(input_x: Tensor, padding: Any, mode: str = 'constant', value: Any = None) -> Tensor:
    """Pad the input, or crop it.

    Args:
        input_x (Tensor): any shape.
        padding (Union[tuple[int], list[int], Tensor]): pairs (before, after), the last dimension
            first. Negative numbers take away, in modes ``constant`` and ``replicate``.
        mode (str): ``constant``; ``reflect`` (mirrored, the border once); ``replicate`` (the
            border's value); ``circular`` (from the other end). Default: ``"constant"``.
        value (Union[int, float]): for mode ``constant``. Default: None, 0.

    Returns:
        Tensor of the input's dtype.
    """
    ...

def padding(x: Tensor, pad_dim_size: int = 8) -> Tensor:
    """Fill the last dimension, of size 1, with zeros up to a size.

    Args:
        x (Tensor): last dimension of size 1.
        pad_dim_size (int): the new size. Default: 8.

    Returns:
        Tensor of the input's dtype.
    """
    ...

def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """Distances of all pairs of rows, each pair once.

    Args:
        input (Tensor): shape :math:`(N, D)`.
        p (float): the norm, at least 0. Default: 2.0.

    Returns:
        Tensor of shape :math:`(N (N - 1) / 2,)`.
    """
    ...

def permute(input: Tensor, axis: Any) -> Tensor:
    """Arrange the axes in another order.

    Args:
        input (Tensor): any shape.
        axis (Union[tuple, list]): for each axis of the result, the axis of `input` it is.

    Returns:
        Tensor, a view.
    """
    ...

def pinv(x: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Tensor:
    """Pseudo-inverse of matrices.

    Args:
        x (Tensor): shape :math:`(.., M, N)`.
        atol (Union[float, Tensor]): singular values up to it count as 0. Default: None.
        rtol (Union[float, Tensor]): the same, relative to the largest one. Default: None.
        hermitian (bool): whether the matrices are symmetric. Default: False.

    Returns:
        Tensor of shape :math:`(.., N, M)`.
    """
    ...

def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    r"""Move channels into space: :math:`(*, C r^2, H, W) \to (*, C, H r, W r)`.

    Args:
        input (Tensor): rank 3 or more; the channels are a multiple of :math:`r^2`.
        upscale_factor (int): :math:`r`.

    Returns:
        Tensor of the input's dtype.
    """
    ...

def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    r"""Move space into channels: :math:`(*, C, H r, W r) \to (*, C r^2, H, W)`.

    Args:
        input (Tensor): rank 3 or more; the last two sizes are multiples of :math:`r`.
        downscale_factor (int): :math:`r`.

    Returns:
        Tensor of the input's dtype.
    """
    ...

def poisson(shape: Any, mean: Tensor, seed: Any = None) -> Tensor:
    """Draw Poisson counts in the broadcast shape of a shape and the rates.

    Args:
        shape (Union[tuple, list, Tensor]): the shape of the result.
        mean (Tensor): expected counts, at least 0.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns:
        Tensor of the common shape, int32.
    """
    ...

def polar(abs: Tensor, angle: Tensor) -> Tensor:
    r"""Complex numbers from polar coordinates: :math:`out = abs (\cos angle + j \sin angle)`.

    Args:
        abs (Tensor): the absolute values, float32 or float64.
        angle (Tensor): the arguments in radians, of the same type.

    Returns:
        Tensor of complex64 or complex128.
    """
    ...

def polygamma(n: Any, input: Tensor) -> Tensor:
    r"""Derivatives of the digamma function: :math:`\psi^{(n)}(x)`.

    Args:
        n (Union[int, Tensor]): which derivative, 0 or more.
        input (Tensor): :math:`x`, a floating type.

    Returns:
        Tensor of the shape of `input`.
    """
    ...

def population_count(input_x: Tensor) -> Tensor:
    """Number of bits that are set, element by element.

    Args:
        input_x (Tensor): an integer type.

    Returns:
        Tensor of uint8.
    """
    ...

def positive(input: Tensor) -> Tensor:
    """The input itself: :math:`out_i = +input_i`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor over the same memory.
    """
    ...

def pow(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """Power, element by element: :math:`out_i = input_i^{exponent_i}`.

    Args:
        input (Union[Tensor, number]): the base.
        exponent (Union[Tensor, number]): the exponent; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers with a negative exponent
        give the truncated power.
    """
    ...

def pows(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """Power, element by element: :math:`out_i = input_i^{exponent_i}`.

    Args:
        input (Union[Tensor, number]): the base.
        exponent (Union[Tensor, number]): the exponent; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers with a negative exponent
        give the truncated power.
    """
    ...

def prelu(input: Tensor, weight: Tensor) -> Tensor:
    r"""Rectifier with learned slopes: :math:`out = \max(0, x) + w \cdot \min(0, x)`.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)`.
        weight (Tensor): one slope, or one for each channel: shape (1,) or :math:`(C,)`.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def prod(input: Tensor, axis: Any = None, keep_dims: bool = False, dtype: Any = None) -> Tensor:
    r"""Product over axes: :math:`out = \prod_{axis} input`.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        keep_dims (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in and to return. Default None: that of `input`; int64
            for integers and bool.

    Returns:
        Tensor.
    """
    ...

def prompt_flash_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, actual_seq_lengths: Any = None, actual_seq_lengths_kv: Any = None, pse_shift: Tensor | None = None, deq_scale1: Tensor | None = None, quant_scale1: Tensor | None = None, deq_scale2: Tensor | None = None, quant_scale2: Tensor | None = None, quant_offset2: Tensor | None = None, num_heads: int = 1, scale_value: float = 1.0, pre_tokens: int = 2147483647, next_tokens: int = 0, input_layout: str = 'BSH', num_key_value_heads: int = 0, sparse_mode: int = 0, inner_precise: int = 1) -> Tensor:
    r"""Attention of several heads over whole sequences, for inference.

    .. math::
        out = \mathrm{softmax}(\mathrm{mask}(s \cdot Q K^T + shift)) V

    B is the batch, S the time, N the number of heads, D the features of a head, H = N D. Any
    floating type and any sizes will do.

    Args:
        query (Tensor): shape :math:`(B, S_1, H)` or :math:`(B, N, S_1, D)`.
        key (Tensor): shape :math:`(B, S_2, H_2)` or :math:`(B, N_2, S_2, D)`.
        value (Tensor): of the shape of `key`.
        attn_mask (Tensor): where nonzero, a score does not count: shape :math:`(S_1, S_2)`,
            :math:`(B, S_1, S_2)` or :math:`(B, 1, S_1, S_2)`; not read in modes 2 to 4.
            Default: None.
        actual_seq_lengths (Union[Tensor, tuple[int], list[int]]): the lengths of the samples of
            `query`; what follows them is zero in the result. Default: None.
        actual_seq_lengths_kv (Union[Tensor, tuple[int], list[int]]): those of `key`; what follows
            does not count. Default: None.
        pse_shift (Tensor): added to the scores, shape :math:`(B, N, S_1, S_2)` or
            :math:`(1, N, S_1, S_2)` or larger. Default: None.
        deq_scale1 (Tensor): must be None. Default: None.
        quant_scale1 (Tensor): must be None. Default: None.
        deq_scale2 (Tensor): must be None. Default: None.
        quant_scale2 (Tensor): must be None. Default: None.
        quant_offset2 (Tensor): must be None. Default: None.
        num_heads (int): the number of heads of `query`. Default: 1.
        scale_value (float): the factor s. Default: 1.0.
        pre_tokens (int): how far back keys count, in mode 0 with a mask and in mode 4.
            Default: 2147483647.
        next_tokens (int): how far ahead keys count, likewise. Default: 0.
        input_layout (str): ``"BSH"`` or ``"BNSD"``. Default: ``"BSH"``.
        num_key_value_heads (int): the number of heads of `key`; 0 for that of `query`. Default: 0.
        sparse_mode (int): 0 and 1: `attn_mask`; 2: causal from the upper left corner; 3: causal
            from the lower right corner; 4: a band from there. Default: 0.
        inner_precise (int): accepted for compatibility. Default: 1.

    Returns:
        Tensor of the shape and type of `query`.
    """
    ...

def put_(input: Tensor, index: Tensor, source: Tensor, accumulate: bool = False) -> Tensor:
    """Elements of the flattened tensor replaced or added to, in place.

    Args:
        input (Tensor): this tensor.
        index (Tensor): integers, any shape.
        source (Tensor): as many elements.
        accumulate (bool): whether to add. Default: False.

    Returns:
        This tensor.
    """
    ...

def qr(input: Tensor, mode: str = 'reduced') -> tuple[Tensor, Tensor]:
    """QR decomposition: :math:`input = Q R` with orthonormal columns in Q and triangular R.

    Args:
        input (Tensor): shape :math:`(.., M, N)`.
        mode (str): ``"reduced"`` or ``"complete"``, which makes Q square. Default: ``"reduced"``.

    Returns:
        Tuple of Q and R.
    """
    ...

def quantile(input: Tensor, q: Tensor | float, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Quantiles along an axis, interpolated linearly.

    Args:
        input (Tensor): float32 or float64, any shape.
        q (Union[float, Tensor]): where between 0 and 1, a number or several, 1-D.
        axis (int): the axis. Default None: all elements.
        keepdims (bool): whether the axis stays, with size 1. Default: False.

    Returns:
        Tensor; several `q` give a new first axis.
    """
    ...

def rad2deg(x: Tensor) -> Tensor:
    r"""Radians to degrees: :math:`out_i = 180 x_i / \pi`.

    Args:
        x (Tensor): any shape.

    Returns:
        Tensor of the same shape; integers give float32.
    """
    ...

def rand(*size: Any, dtype: Any = None, seed: Any = None) -> Tensor:
    """Draw uniform numbers in [0, 1].

    Args:
        size (Union[int, tuple, list]): the sizes, one after the other or as one tuple; none gives
            the shape (1,).
        dtype (Type): a floating type, to which the float32 numbers are converted. Default None:
            float32.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns:
        Tensor of that shape and type.
    """
    ...

def rand_like(input: Tensor, seed: Any = None, *, dtype: Any = None) -> Tensor:
    """Draw uniform numbers in [0, 1] in the shape of a tensor.

    Args:
        input (Tensor): gives the shape and the device.
        seed (int): the operator's seed, at least 0. Default None: 0.
        dtype (Type): a floating type. Default None: that of `input`.

    Returns:
        Tensor of the shape of `input`.
    """
    ...

def randint(low: Any, high: Any, size: Any, seed: Any = None, *, dtype: Any = None) -> Tensor:
    """Draw integers, uniform in low .. high - 1.

    Args:
        low (int): the smallest value.
        high (int): one more than the largest value; both within int32.
        size (tuple): the shape.
        seed (int): the operator's seed, at least 0. Default None: 0.
        dtype (Type): an integer type, to which the int32 numbers are converted. Default None:
            int64.

    Returns:
        Tensor of that shape and type.
    """
    ...

def randint_like(input: Tensor, low: Any, high: Any, seed: Any = None, *, dtype: Any = None) -> Tensor:
    """Draw integers, uniform in low .. high - 1, in the shape of a tensor.

    Args:
        input (Tensor): gives the shape and the device.
        low (int): the smallest value.
        high (int): one more than the largest value; both within int32.
        seed (int): the operator's seed, at least 0. Default None: 0.
        dtype (Type): an integer type. Default None: that of `input`.

    Returns:
        Tensor of the shape of `input`.
    """
    ...

def randn(*size: Any, dtype: Any = None, seed: Any = None) -> Tensor:
    """Draw standard normal numbers.

    Args:
        size (Union[int, tuple, list]): the sizes, one after the other or as one tuple; none gives
            the shape (1,).
        dtype (Type): a floating type, to which the float32 numbers are converted. Default None:
            float32.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns:
        Tensor of that shape and type.
    """
    ...

def randn_like(input: Tensor, seed: Any = None, *, dtype: Any = None) -> Tensor:
    """Draw standard normal numbers in the shape of a tensor.

    Args:
        input (Tensor): gives the shape and the device.
        seed (int): the operator's seed, at least 0. Default None: 0.
        dtype (Type): a floating type. Default None: float32, whatever the type of `input`.

    Returns:
        Tensor of the shape of `input`.
    """
    ...

def random_(input: Tensor, from_: Any = 0, to: Any = None, *, generator: Any = None) -> Tensor:
    """Fill a tensor with integers, uniform in from_ .. to - 1.

    Args:
        input (Tensor): what is filled, of any real type.
        from_ (Union[int, Tensor]): the smallest value. Default: 0.
        to (Union[int, Tensor]): one more than the largest value. Default None: up to the largest
            value of an integer type, or to which a floating type holds all integers.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns:
        Tensor, `input` itself.
    """
    ...

def random_categorical(logits: Tensor, num_sample: Any, seed: Any = 0, dtype: Any = ...) -> Tensor:
    r"""Draw classes of probability :math:`e^{logits_k} / \sum_j e^{logits_j}`.

    All rows use the same uniform numbers.

    Args:
        logits (Tensor): shape (rows, classes); float16, float32 or float64.
        num_sample (int): draws for each row, at least 1.
        seed (int): the draw's seed; the global seed has no part in it. Default 0: the next seed
            pair of this name, entropy before any ``set_seed``.
        dtype (Type): int16, int32 or int64. Default: int64.

    Returns:
        Tensor of shape (rows, num_sample).
    """
    ...

def random_gamma(shape: Any, alpha: Tensor, seed: Any = None) -> Tensor:
    r"""Draw from gamma distributions of rate 1.

    Their density is proportional to :math:`x^{\alpha - 1} e^{-x}`. The result is a constant for
    gradients.

    Args:
        shape (Union[Tensor, tuple, list]): samples for each element of `alpha`.
        alpha (Tensor): shape parameters, above 0; float16, float32 or float64.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns:
        Tensor of shape `shape` + `alpha.shape`, of the type of `alpha`. float64 may differ
        from MindSpore in the last bit.
    """
    ...

def random_poisson(shape: Any, rate: Tensor | Number, seed: Any = None, dtype: Any = ...) -> Tensor:
    """Draw Poisson counts: :math:`P(k) = e^{-rate} rate^k / k!`.

    Args:
        shape (Union[Tensor, tuple, list]): samples for each element of `rate`.
        rate (Union[Tensor, number]): expected counts, at least 0.
        seed (int): the operator's seed, at least 0. Default None: 0.
        dtype (Type): int32, int64, float16, float32 or float64. Default: float32.

    Returns:
        Tensor of shape `shape` + `rate.shape`, of type `dtype`.
    """
    ...

def randperm(n: Any, seed: Any = 0, offset: Any = 0, dtype: Any = ...) -> Tensor:
    """Draw a permutation of 0 .. n - 1.

    The global seed has no part in it: equal arguments give equal permutations, always.

    Args:
        n (Union[int, Tensor]): how many numbers, at least 1.
        seed (int): used when `offset` is 0; -1 takes the next seed pair of this name, entropy
            before any ``set_seed``. Default: 0.
        offset (int): used in place of `seed` when it is not 0. Default: 0.
        dtype (Type): an integer or floating type that can hold n - 1. Default: int64.

    Returns:
        Tensor of shape (n,).
    """
    ...

def range(start: Any, end: Any, step: Any, maxlen: int = 1000000) -> Tensor:
    """Evenly spaced numbers, see :func:`ops.arange`.

    Args:
        start (Union[number, Tensor]): the first number.
        end (Union[number, Tensor]): the bound, not included.
        step (Union[number, Tensor]): the distance.
        maxlen (int): the largest length that is accepted. Default: 1000000.

    Returns:
        Tensor with one axis, int64 or float32.
    """
    ...

def rank(input_x: Tensor) -> int:
    """The number of axes of a tensor.

    Args:
        input_x (Tensor): any tensor.

    Returns:
        int.
    """
    ...

def ravel(input: Tensor) -> Tensor:
    """Merge all axes into one.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor with one axis, a view where the layout allows.
    """
    ...

def real(input: Tensor) -> Tensor:
    r"""Real part: :math:`out_i = \Re(input_i)`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape; a real tensor is returned as it is.
    """
    ...

def reciprocal(input: Tensor) -> Tensor:
    """Reciprocal, element by element: :math:`out = 1 / x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def reduce_max(x: Tensor, axis: Any = ...) -> Tensor:
    """Largest elements along axes.

    Args:
        x (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes. Default (): all.

    Returns:
        Tensor of the type of `x`.
    """
    ...

def reduce_mean(x: Tensor, axis: Any = ...) -> Tensor:
    """Mean along axes.

    Args:
        x (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes. Default (): all.

    Returns:
        Tensor of the type of `x`.
    """
    ...

def reduce_min(x: Tensor, axis: Any = ...) -> Tensor:
    """Smallest elements along axes.

    Args:
        x (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes. Default (): all.

    Returns:
        Tensor of the type of `x`.
    """
    ...

def reduce_sum(x: Tensor, axis: Any = ...) -> Tensor:
    """Sum along axes in the type of the input; see `ReduceSum`.

    Args:
        x (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes. Default (): all.

    Returns:
        Tensor of the type of `x`.
    """
    ...

def relu(input: Tensor, inplace: bool = False) -> Tensor:
    r"""Rectifier: :math:`out_i = \max(input_i, 0)`.

    Args:
        input (Tensor): real, any shape.
        inplace (bool): whether the result overwrites the input. Default: False.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def relu6(x: Tensor) -> Tensor:
    r"""Rectifier with a ceiling: :math:`out_i = \min(\max(x_i, 0), 6)`.

    Args:
        x (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def remainder(input: Tensor | Number, other: Tensor | Number = ..., *, divisor: Any = ...) -> Tensor:
    r"""Remainder with the divisor's sign: :math:`out = input - \lfloor input/other \rfloor other`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.
        divisor: another name of `other`.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def renorm(input: Tensor, p: float, axis: int, maxnorm: float) -> Tensor:
    """Scale the slices along an axis whose norm is too large down to it.

    Args:
        input (Tensor): a floating or complex type, one axis or more.
        p (number): the norm, positive.
        axis (int): the axis whose slices are measured.
        maxnorm (number): the largest norm.

    Returns:
        Tensor of the same shape.
    """
    ...

def repeat_elements(x: Tensor, rep: int, axis: int = 0) -> Tensor:
    """Repeat every element along an axis.

    Args:
        x (Tensor): any shape.
        rep (int): how often, at least once.
        axis (int): the axis. Default: 0.

    Returns:
        Tensor.
    """
    ...

def repeat_interleave(input: Tensor, repeats: Any, axis: int | None = None) -> Tensor:
    """Repeat every element, one after the other.

    Args:
        input (Tensor): any shape.
        repeats (Union[int, tuple, list, Tensor]): how often, for all elements or for each place
            of the axis.
        axis (int): the axis. Default None: `input` is flattened first.

    Returns:
        Tensor.
    """
    ...

def reshape(input: Tensor, shape: Any) -> Tensor:
    """Change the shape of a tensor, in the same order.

    Args:
        input (Tensor): any shape.
        shape (Union[tuple, list, Tensor]): the new shape; one size may be -1, which is what is
            left.

    Returns:
        Tensor of that shape, a view where the layout allows.
    """
    ...

def reshape_(input: Tensor, shape: Any) -> Tensor:
    """Change the shape of a tensor, in the same order.

    Args:
        input (Tensor): any shape.
        shape (Union[tuple, list, Tensor]): the new shape; one size may be -1, which is what is
            left.

    Returns:
        Tensor of that shape, a view where the layout allows.
    """
    ...

def reverse(x: Tensor, axis: Any) -> Tensor:
    """Reverse the order along axes.

    Args:
        x (Tensor): any shape.
        axis (Union[tuple, list]): the axes; none changes nothing.

    Returns:
        Tensor, a copy.
    """
    ...

def reverse_sequence(x: Tensor, seq_lengths: Tensor, seq_dim: int, batch_dim: int = 0) -> Tensor:
    """Reverse the beginning of each sequence of a batch.

    Args:
        x (Tensor): any shape.
        seq_lengths (Tensor): how many elements to reverse, integers of shape (batch,).
        seq_dim (int): the axis of the sequences.
        batch_dim (int): the axis of the batch. Default: 0.

    Returns:
        Tensor of the same shape.
    """
    ...

def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: Any = None) -> Tensor:
    """Discrete Fourier transform of real numbers, the first half.

    Args:
        input (Tensor): real, any shape.
        n (int): the length to transform: shorter input is filled with zeros, longer input is cut.
            Default None: that of the input.
        dim (int): the axis. Default: -1.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of complex numbers; float64 gives double precision, everything else single.
    """
    ...

def rfft2(input: Tensor, s: Any = None, dim: Any = ..., norm: Any = None) -> Tensor:
    """Discrete Fourier transform of real numbers along two axes.

    Args:
        input (Tensor): real, any shape.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default (-2, -1).
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of complex numbers; float64 gives double precision, everything else single.
    """
    ...

def rfftfreq(n: int, d: float = 1.0, dtype: Any = None) -> Tensor:
    """The frequencies of a Fourier transform of real numbers.

    Args:
        n (int): the length of the transform.
        d (float): the distance of the samples. Default: 1.0.
        dtype (Type): the type. Default None: float32.

    Returns:
        Tensor with one axis.
    """
    ...

def rfftn(input: Tensor, s: Any = None, dim: Any = None, norm: Any = None) -> Tensor:
    """Discrete Fourier transform of real numbers along several axes.

    Args:
        input (Tensor): real, any shape.
        s (tuple): the lengths to transform, filled with zeros or cut. Default None: the input's.
        dim (tuple): the axes. Default None: all, or the last ones that `s` names.
        norm (str): see the note on scaling. Default: None.

    Returns:
        Tensor of complex numbers; float64 gives double precision, everything else single.
    """
    ...

def ring_attention_update(prev_attn_out: Tensor, prev_softmax_max: Tensor, prev_softmax_sum: Tensor, cur_attn_out: Tensor, cur_softmax_max: Tensor, cur_softmax_sum: Tensor, actual_seq_qlen: Tensor | None = None, layout: str = 'SBH') -> tuple[Tensor, Tensor, Tensor]:
    r"""Attention over all keys, from the attention over two halves of them.

    With the largest scores :math:`m_1, m_2`, the sums :math:`s_1, s_2` and
    :math:`m = \max(m_1, m_2)`:

    .. math::
        s = s_1 e^{m_1 - m} + s_2 e^{m_2 - m}, \quad
        out = \frac{s_1 e^{m_1 - m}}{s} out_1 + \frac{s_2 e^{m_2 - m}}{s} out_2

    Args:
        prev_attn_out (Tensor): the first attention, shape :math:`(S, B, H)` or :math:`(T, N, D)`.
        prev_softmax_max (Tensor): the largest score of each row, shape :math:`(B, N, S, 8)` or
            :math:`(T, N, 8)`: eight times the same.
        prev_softmax_sum (Tensor): the sum of exponentials of each row, likewise.
        cur_attn_out (Tensor): the second attention.
        cur_softmax_max (Tensor): its largest scores.
        cur_softmax_sum (Tensor): its sums.
        actual_seq_qlen (Tensor): must be given for layout TND: where the samples end.
            Default: None.
        layout (str): ``"SBH"`` or ``"TND"``. Default: ``"SBH"``.

    Returns:
        tuple of the attention, the largest scores and the sums, like the first three
        arguments.
    """
    ...

def rms_norm(x: Tensor, gamma: Tensor, epsilon: float = 1e-06) -> tuple[Tensor, Tensor]:
    r"""Divide by the root mean square over the trailing axes.

    .. math:: out = \frac{x}{\sqrt{\mathrm{mean}(x^2) + \epsilon}} \cdot \gamma

    Args:
        x (Tensor): floating point, its shape ending in that of `gamma`.
        gamma (Tensor): scale.
        epsilon (float): :math:`\epsilon`. Default: 1e-6.

    Returns:
        Tuple of the output and the reciprocal root mean square (the normalized axes have size
        1).
    """
    ...

def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """Shift the elements along axes; those pushed off the end come in at the front.

    Args:
        input (Tensor): any shape.
        shifts (Union[int, tuple, list]): by how many places, for each axis.
        dims (Union[int, tuple, list]): the axes. Default None: `input` is taken as flat.

    Returns:
        Tensor of the same shape.
    """
    ...

def rot90(input: Tensor, k: int, dims: Any) -> Tensor:
    """Rotate the plane of two axes by multiples of 90 degrees.

    Args:
        input (Tensor): two axes or more.
        k (int): how many right angles, from the first toward the second axis.
        dims (Union[tuple, list]): the two axes.

    Returns:
        Tensor.
    """
    ...

def rotary_position_embedding(x: Tensor, cos: Tensor, sin: Tensor, mode: int = 0) -> Tensor:
    r"""Rotary position embedding: features rotated by angles that grow with the position.

    .. math::
        out = x \cdot \cos + \mathrm{rotate}(x) \cdot \sin

    Mode 0 rotates halves, :math:`(x_1, x_2) \to (-x_2, x_1)`, mode 1 neighbors.

    Args:
        x (Tensor): shape :math:`(B, N, S, D)` or in another order with the features last, an even
            number.
        cos (Tensor): the cosines, of a shape that broadcasts with `x`.
        sin (Tensor): the sines, likewise.
        mode (int): 0 or 1. Default: 0.

    Returns:
        Tensor of the shape and type of `x`.
    """
    ...

def rotated_iou(boxes: Tensor, query_boxes: Tensor, trans: bool = False, mode: int = 0, is_cross: bool = True, v_threshold: float = 0.0, e_threshold: float = 0.0) -> Tensor:
    """Intersection over union of rotated rectangles.

    Args:
        boxes (Tensor): the first rectangles, shape :math:`(B, N, 5)`: center x and y, width,
            height, and the angle in degrees.
        query_boxes (Tensor): the second ones, shape :math:`(B, K, 5)`.
        trans (bool): whether the first four numbers are x and y of two opposite corners instead.
            Default: False.
        mode (int): 0 for the area of the union, 1 for that of the first rectangle. Default: 0.
        is_cross (bool): whether to compare all pairs, not only those of equal places.
            Default: True.
        v_threshold (float): how far outside of a rectangle, relative to its sides, a corner still
            counts as inside. Default: 0.0.
        e_threshold (float): how far beyond their ends, relative to their lengths, sides still
            cross. Default: 0.0.

    Returns:
        Tensor of shape :math:`(B, N, K)`, or :math:`(B, N)` for equal places, and the type of
        `boxes`.
    """
    ...

def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Nearest integer, halves to even, element by element.

    Args:
        input (Tensor): any shape.
        decimals (int): digits after the point to keep; negative ones round before the point.
            Default: 0.

    Returns:
        Tensor of the same shape and type.
    """
    ...

def row_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Join tensors along the first axis, vectors as rows.

    Args:
        tensors (Union[tuple, list]): tensors whose other sizes agree.

    Returns:
        Tensor of the common type.
    """
    ...

def row_tensor_get_dense_shape(x: Any) -> Any:
    """The sizes of the dense tensor of a RowTensor, as its attribute ``dense_shape``.

    Args:
        x (RowTensor): the sparse tensor.

    Returns:
        tuple of int.
    """
    ...

def row_tensor_get_indices(x: Any) -> Any:
    """The places of the values of a RowTensor, as its attribute ``indices``.

    Args:
        x (RowTensor): the sparse tensor.

    Returns:
        Tensor.
    """
    ...

def row_tensor_get_values(x: Any) -> Any:
    """The values of a RowTensor, as its attribute ``values``.

    Args:
        x (RowTensor): the sparse tensor.

    Returns:
        Tensor.
    """
    ...

def rrelu(input: Tensor, lower: float = 0.125, upper: float = 0.3333333333333333) -> Tensor:
    """Rectifier with random slopes.

    Negative elements are multiplied by a number drawn for each from :math:`U(lower, upper)`.

    Args:
        input (Tensor): floating point, any shape.
        lower (Union[int, float]): lower bound of the slopes. Default: 1/8.
        upper (Union[int, float]): upper bound of the slopes. Default: 1/3.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def rsqrt(input: Tensor) -> Tensor:
    r"""Reciprocal square root, element by element: :math:`out = 1 / \sqrt{x}`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def scalar_add(x: Any, y: Any) -> Any:
    """The sum of two values.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_div(x: Any, y: Any) -> Any:
    """The quotient of two values.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_eq(x: Any, y: Any) -> Any:
    """Whether two values are equal.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_floordiv(x: Any, y: Any) -> Any:
    """The quotient of two values, rounded down.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_ge(x: Any, y: Any) -> Any:
    """Whether the first value is greater or equal.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_gt(x: Any, y: Any) -> Any:
    """Whether the first value is greater.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_le(x: Any, y: Any) -> Any:
    """Whether the first value is less or equal.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_log(x: Any) -> Any:
    """The natural logarithm.

    Args:
        x (Union[bool, int, float]): the value.
    """
    ...

def scalar_lt(x: Any, y: Any) -> Any:
    """Whether the first value is less.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_max(x: Any, y: Any) -> Any:
    """The larger of two values.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_min(x: Any, y: Any) -> Any:
    """The smaller of two values.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_mod(x: Any, y: Any) -> Any:
    """The remainder, with the sign of the divisor.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_mul(x: Any, y: Any) -> Any:
    """The product of two values.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_ne(x: Any, y: Any) -> Any:
    """Whether two values differ.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_pow(x: Any, y: Any) -> Any:
    """The first value to the power of the second.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_sub(x: Any, y: Any) -> Any:
    """The difference of two values.

    Args:
        x (Union[bool, int, float]): the first value.
        y (Union[bool, int, float]): the second value.
    """
    ...

def scalar_uadd(x: Any) -> Any:
    """The value itself.

    Args:
        x (Union[bool, int, float]): the value.
    """
    ...

def scalar_usub(x: Any) -> Any:
    """The value with the opposite sign.

    Args:
        x (Union[bool, int, float]): the value.
    """
    ...

def scatter(input: Tensor, axis: int, index: Tensor, src: Tensor | Number) -> Tensor:
    """Write elements along an axis: for axis 0, :math:`out_{index_{ij}, j} = src_{ij}`.

    Args:
        input (Tensor): the tensor to start from; not changed.
        axis (int): the axis.
        index (Tensor): integers, of the rank of `input`.
        src (Union[Tensor, number]): what to write, at least as large as `index`.

    Returns:
        Tensor of the shape and type of `input`.
    """
    ...

def scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Add updates to slices of a parameter.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers, any shape: indices of the first axis.
        updates (Tensor): one slice for each index.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_div(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Divide slices of a parameter by updates.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers, any shape: indices of the first axis.
        updates (Tensor): one slice for each index.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_max(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Set slices of a parameter to the larger of their elements and updates.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers, any shape: indices of the first axis.
        updates (Tensor): one slice for each index.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_min(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Set slices of a parameter to the smaller of their elements and updates.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers, any shape: indices of the first axis.
        updates (Tensor): one slice for each index.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_mul(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Multiply slices of a parameter by updates.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers, any shape: indices of the first axis.
        updates (Tensor): one slice for each index.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_nd(indices: Tensor, updates: Tensor, shape: Any) -> Tensor:
    """A tensor of zeros to which slices are added.

    Args:
        indices (Tensor): integers; the last axis holds the indices of the leading axes.
        updates (Tensor): the slices, of shape ``indices.shape[:-1] + shape[indices.shape[-1]:]``.
        shape (tuple): the shape of the result.

    Returns:
        Tensor of the type of `updates`; slices of equal indices are summed.
    """
    ...

def scatter_nd_add(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Add updates to slices of a parameter.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers; the last axis holds the indices of the leading axes.
        updates (Tensor): one slice for each index.
        use_locking (bool): accepted, without effect. Default: False.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_nd_div(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Divide slices of a parameter by updates.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers; the last axis holds the indices of the leading axes.
        updates (Tensor): one slice for each index.
        use_locking (bool): accepted, without effect. Default: False.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_nd_max(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Set slices of a parameter to the larger of their elements and updates.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers; the last axis holds the indices of the leading axes.
        updates (Tensor): one slice for each index.
        use_locking (bool): accepted, without effect. Default: False.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_nd_min(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Set slices of a parameter to the smaller of their elements and updates.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers; the last axis holds the indices of the leading axes.
        updates (Tensor): one slice for each index.
        use_locking (bool): accepted, without effect. Default: False.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_nd_mul(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Multiply slices of a parameter by updates.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers; the last axis holds the indices of the leading axes.
        updates (Tensor): one slice for each index.
        use_locking (bool): accepted, without effect. Default: False.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_nd_sub(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Subtract updates from slices of a parameter.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers; the last axis holds the indices of the leading axes.
        updates (Tensor): one slice for each index.
        use_locking (bool): accepted, without effect. Default: False.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_nd_update(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Replace slices of a parameter with updates.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers; the last axis holds the indices of the leading axes.
        updates (Tensor): one slice for each index.
        use_locking (bool): accepted, without effect. Default: False.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_sub(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Subtract updates from slices of a parameter.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers, any shape: indices of the first axis.
        updates (Tensor): one slice for each index.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """Replace slices of a parameter with updates.

    Args:
        input_x (Parameter): the parameter, which is changed.
        indices (Tensor): integers, any shape: indices of the first axis.
        updates (Tensor): one slice for each index.

    Returns:
        Tensor, the new value, over the parameter's memory.
    """
    ...

def searchsorted(sorted_sequence: Tensor, values: Tensor | Number, *, out_int32: bool = False, right: bool = False, side: str | None = None, sorter: Tensor | None = None) -> Tensor:
    """Where to insert values so that a sequence stays sorted.

    Args:
        sorted_sequence (Tensor): ascending along the last axis.
        values (Union[Tensor, number]): the values; their leading axes are those of the sequence
            unless it has one axis.
        out_int32 (bool): whether the result is int32. Default: False.
        right (bool): whether a value goes behind its equals. Default: False.
        side (str): ``"left"`` or ``"right"``, the same as `right`. Default: None.
        sorter (Tensor): places that sort the sequence, if it is not sorted. Default: None.

    Returns:
        Tensor of int64 (int32) of the shape of `values`.
    """
    ...

def select(condition: Tensor, input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Select elements of two tensors by a condition; the same as :func:`ops.where`.

    Args:
        condition (Tensor): bool.
        input (Union[Tensor, number]): the values where the condition is true.
        other (Union[Tensor, number]): the values where it is false; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def select_scatter(input: Tensor, src: Tensor, axis: int, index: int) -> Tensor:
    """A copy in which one slice along an axis is replaced.

    Args:
        input (Tensor): the tensor to start from.
        src (Tensor): the slice.
        axis (int): the axis.
        index (int): which slice.

    Returns:
        Tensor of the shape and type of `input`.
    """
    ...

def selu(input_x: Tensor) -> Tensor:
    r"""Self-normalizing exponential linear unit.

    .. math:: out_i = s \cdot x_i \text{ if positive, else } s \cdot \alpha (e^{x_i} - 1),
        \quad s = 1.05070098,\ \alpha = 1.67326324

    Args:
        input_x (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def sequence_mask(lengths: Tensor, maxlen: int | None = None) -> Tensor:
    """Which positions belong to sequences of given lengths: :math:`out_{i,j} = j < lengths_i`.

    Args:
        lengths (Tensor): integers, any shape.
        maxlen (int): size of the new last axis. Default None: the greatest length.

    Returns:
        Tensor of bool with one axis more.
    """
    ...

def sgn(input: Tensor) -> Tensor:
    """Sign; of complex numbers the direction, element by element: :math:`out = x / |x|`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def shape(input_x: Tensor) -> tuple[int, ...]:
    """The sizes of a tensor's axes.

    Args:
        input_x (Tensor): any tensor.

    Returns:
        Tuple of ints.
    """
    ...

def shape_(x: Tensor) -> tuple[int, ...]:
    """The sizes of a tensor's axes.

    Args:
        x (Tensor): any tensor.

    Returns:
        Tuple of ints.
    """
    ...

def shape_mul(input_data: Any) -> Any:
    """The number of elements of a tensor of a shape.

    Args:
        input_data (Any): the shape.
    """
    ...

def shuffle(x: Tensor, seed: Any = None) -> Tensor:
    """Permute the rows of a tensor at random.

    Args:
        x (Tensor): any type and shape; rows are the elements along axis 0. Gradients flow through.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns:
        Tensor like `x`.
    """
    ...

def sigmoid(input: Tensor) -> Tensor:
    """Logistic function: :math:`out_i = 1 / (1 + e^{-input_i})`.

    Args:
        input (Tensor): floating point or complex, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def sign(input: Tensor) -> Tensor:
    r"""Sign, of complex numbers the direction, element by element: :math:`out = -1, 0 \text{ or } 1`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def signbit(input: Tensor) -> Tensor:
    """Whether the sign of an element is minus, element by element: :math:`out = x < 0`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; bool.
    """
    ...

def silu(input: Tensor) -> Tensor:
    r"""Sigmoid-weighted linear unit: :math:`out_i = x_i \sigma(x_i)`.

    Args:
        input (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def sin(input: Tensor) -> Tensor:
    r"""Sine of radians, element by element: :math:`out = \sin x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def sinc(input: Tensor) -> Tensor:
    r"""Normalized sinc function, element by element: :math:`out = \sin(\pi x) / (\pi x)`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def sinh(input: Tensor) -> Tensor:
    """Hyperbolic sine, element by element: :math:`out = (e^x - e^{-x}) / 2`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def size(input_x: Tensor) -> int:
    """The number of elements of a tensor.

    Args:
        input_x (Tensor): any tensor.

    Returns:
        int.
    """
    ...

def slice(input_x: Tensor, begin: Any, size: Any) -> Tensor:
    """A block of a tensor.

    Args:
        input_x (Tensor): any shape.
        begin (Union[tuple, list, Tensor]): where the block begins, for each axis.
        size (Union[tuple, list, Tensor]): its sizes; -1 goes to the end.

    Returns:
        Tensor, a view.
    """
    ...

def slice_scatter(input: Tensor, src: Tensor, axis: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Tensor:
    """A copy in which a range along an axis is replaced.

    Args:
        input (Tensor): the tensor to start from.
        src (Tensor): the range.
        axis (int): the axis. Default: 0.
        start (int): where the range begins. Default None: 0.
        end (int): where it ends. Default None: the end.
        step (int): its steps. Default: 1.

    Returns:
        Tensor of the shape and type of `input`.
    """
    ...

def slogdet(input: Tensor) -> tuple[Tensor, Tensor]:
    """Sign and logarithm of the absolute value of the determinant.

    Args:
        input (Tensor): shape :math:`(.., N, N)`.

    Returns:
        Tuple of two Tensors of shape :math:`(..)`.
    """
    ...

def smooth_l1_loss(input: Tensor, target: Tensor, beta: float = 1.0, reduction: str = 'none') -> Tensor:
    r"""Squared error near zero, absolute error beyond `beta`.

    .. math::
        l_i = \begin{cases}
            (x_i - y_i)^2 / (2 \beta) & \text{if } |x_i - y_i| < \beta \\
            |x_i - y_i| - \beta / 2   & \text{otherwise}
        \end{cases}

    Args:
        input (Tensor): predictions x of any shape.
        target (Tensor): targets y of the same shape.
        beta (float): where the square becomes a line; 0 gives the absolute error. Default: 1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"none"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `input`.
    """
    ...

def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    r"""Logistic loss of signs: :math:`l_i = \log(1 + \exp(-y_i x_i))`.

    Args:
        input (Tensor): scores x of any shape.
        target (Tensor): signs y of the same shape, 1 or -1.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `input`.
    """
    ...

def soft_shrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    r"""Shrink elements toward zero: :math:`out_i = sign(x_i) \max(|x_i| - \lambda, 0)`.

    Args:
        input (Tensor): floating point, any shape.
        lambd (Union[int, float]): :math:`\lambda`, not negative. Default: 0.5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def softmax(input: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    r"""Softmax along an axis: :math:`out_i = e^{x_i} / \sum_j e^{x_j}`.

    Args:
        input (Tensor): floating point, rank 1 or more.
        axis (int): the axis whose elements sum to one. Default: -1.
        dtype (mindspore.dtype): the input is cast to it first. Default: None.

    Returns:
        Tensor of the input's shape.
    """
    ...

def softmin(x: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    r"""Softmax of the negated input: :math:`out_i = e^{-x_i} / \sum_j e^{-x_j}`.

    Args:
        x (Tensor): floating point, rank 1 or more.
        axis (int): the axis whose elements sum to one. Default: -1.
        dtype (mindspore.dtype): the input is cast to it first. Default: None.

    Returns:
        Tensor of the input's shape.
    """
    ...

def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    r"""Smooth rectifier.

    :math:`out_i = \ln(1 + e^{\beta x_i}) / \beta`, and :math:`x_i` itself
    where :math:`\beta x_i` exceeds the threshold.

    Args:
        input (Tensor): floating point, any shape.
        beta (Union[int, float]): :math:`\beta`. Default: 1.
        threshold (Union[int, float]): from where on the function is linear. Default: 20.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    r"""Shrink elements toward zero: :math:`out_i = sign(x_i) \max(|x_i| - \lambda, 0)`.

    Args:
        input (Tensor): floating point, any shape.
        lambd (Union[int, float]): :math:`\lambda`, not negative. Default: 0.5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def softsign(x: Tensor) -> Tensor:
    """Softsign: :math:`out_i = x_i / (1 + |x_i|)`.

    Args:
        x (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def sort(input_x: Tensor, axis: int = -1, descending: bool = False) -> tuple[Tensor, Tensor]:
    """Sort along an axis.

    Args:
        input_x (Tensor): any shape.
        axis (int): the axis. Default: -1.
        descending (bool): whether the largest come first. Default: False.

    Returns:
        Tuple of the sorted values and where they were (int32). Equal elements keep their
        order.
    """
    ...

def space_to_batch_nd(input_x: Tensor, block_size: Any, paddings: Any) -> Tensor:
    """Move blocks of the last dimensions into the batch.

    Args:
        input_x (Tensor): shape :math:`(N, C, *)`.
        block_size (Union[list[int], tuple[int], int]): sizes of a block, for the last dimensions.
        paddings (Union[list, tuple]): zeros (before, after) each of them.

    Returns:
        Tensor whose batch is larger by the size of a block.
    """
    ...

def sparse_flash_attention(query: Tensor, key: Tensor, value: Tensor, sparse_indices: Tensor, scale_value: float, *, block_table: Tensor | None = None, actual_seq_lengths_query: Tensor | None = None, actual_seq_lengths_kv: Tensor | None = None, query_rope: Tensor | None = None, key_rope: Tensor | None = None, sparse_block_size: int = 1, layout_query: str = 'BSND', layout_kv: str = 'BSND', sparse_mode: int = 3, pre_tokens: int = 9223372036854775807, next_tokens: int = 9223372036854775807, attention_mode: int = 0, return_softmax_lse: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    r"""Attention of each query to the keys that an indexer chose for it.

    .. math::
        out = \mathrm{softmax}(s \cdot (Q \tilde{K}^T + Q_{rope} \tilde{K}_{rope}^T)) \tilde{V}

    with the keys and values that `sparse_indices` names. Any sizes will do.

    Args:
        query (Tensor): shape :math:`(B, S_1, N, D)` or :math:`(T_1, N, D)`.
        key (Tensor): shape :math:`(B, S_2, 1, D)`, :math:`(T_2, 1, D)` or
            ``(blocks, block_size, 1, D)``.
        value (Tensor): of the shape of `key`.
        sparse_indices (Tensor): the keys of each query, or blocks of keys, integers of shape
            ``(B, S1, 1, K)`` or ``(T1, 1, K)``; negative ones count for nothing.
        scale_value (float): the factor s.
        block_table (Tensor): for PA_BSND, the blocks of each sample. Default: None.
        actual_seq_lengths_query (Tensor): how many queries count in each sample; for TND where
            they end. The result is zero elsewhere. Default: None.
        actual_seq_lengths_kv (Tensor): the same for keys. Default: None.
        query_rope (Tensor): features of `query` with positions in them; needed in mode 2.
            Default: None.
        key_rope (Tensor): those of `key`. Default: None.
        sparse_block_size (int): how many keys an index names, a power of 2 up to 128. Default: 1.
        layout_query (str): ``"BSND"`` or ``"TND"``. Default: ``"BSND"``.
        layout_kv (str): ``"BSND"``, ``"TND"`` or ``"PA_BSND"``. Default: ``"BSND"``.
        sparse_mode (int): 0 for all keys, 3 for causal from the lower right corner. Default: 3.
        pre_tokens (int): only its default.
        next_tokens (int): only its default.
        attention_mode (int): 0, or 2 with the two tensors of positions. Default: 0.
        return_softmax_lse (bool): whether to return the largest scores and the sums.
            Default: False.

    Returns:
        tuple of the attention like `query`, and the largest score and the sum of exponentials
        of each row, float32 of shape :math:`(B, 1, S_1, N)` or :math:`(1, T_1, N)`; empty tensors
        if they are not asked for.
    """
    ...

def sparse_segment_mean(x: Tensor, indices: Tensor, segment_ids: Tensor) -> Tensor:
    r"""Means of chosen rows by group: :math:`out_s = mean_{i: ids_i = s}\, x_{indices_i}`.

    Args:
        x (Tensor): one axis or more.
        indices (Tensor): integers, 1-D: the rows to take.
        segment_ids (Tensor): integers, 1-D, ascending: the group of each.

    Returns:
        Tensor with as many rows as the last number of `segment_ids` plus one; see the note on
        segments.
    """
    ...

def speed_fusion_attention(query: Tensor, key: Tensor, value: Tensor, head_num: int, input_layout: str, *, pse: Tensor | None = None, padding_mask: Tensor | None = None, atten_mask: Tensor | None = None, scale: float = 1.0, keep_prob: float = 1.0, pre_tokens: int = 2147483647, next_tokens: int = 2147483647, inner_precise: int = 0, prefix: Any = None, actual_seq_qlen: Any = None, actual_seq_kvlen: Any = None, sparse_mode: int = 0, gen_mask_parallel: bool = True, sync: bool = False, pse_type: int = 1, q_start_idx: Any = None, kv_start_idx: Any = None) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]:
    r"""Attention of several heads for training, with the statistics that its gradient needs.

    .. math::
        out = \mathrm{dropout}(\mathrm{softmax}(\mathrm{mask}(s \cdot (Q K^T + pse)))) V

    With a `pse_type` other than 1 the scores are :math:`s \cdot Q K^T + pse`.

    Args:
        query (Tensor): shape as `input_layout` says.
        key (Tensor): likewise.
        value (Tensor): likewise.
        head_num (int): the heads of `query`; `key` may have fewer, a divisor.
        input_layout (str): ``"BSH"``, ``"BNSD"``, ``"SBH"``, ``"BSND"`` or ``"TND"``.
        pse (Tensor): what is added, of a shape that broadcasts with :math:`(B, N, S_1, S_2)`; for
            types 2 and 3 slopes of shape :math:`(N,)` or :math:`(B, N)`. Default: None.
        padding_mask (Tensor): must be None. Default: None.
        atten_mask (Tensor): where nonzero, a score does not count; not read in modes 2 to 4.
            Default: None.
        scale (float): the factor s. Default: 1.0.
        keep_prob (float): one minus the probability of zero for attention weights. Default: 1.0.
        pre_tokens (int): how far back keys count, in modes 0 (with a mask) and 4.
            Default: 2147483647.
        next_tokens (int): how far ahead keys count, likewise. Default: 2147483647.
        inner_precise (int): accepted for compatibility. Default: 0.
        prefix (Union[tuple[int], list[int]]): must be None. Default: None.
        actual_seq_qlen (Union[tuple[int], list[int]]): for TND, where the samples of `query` end.
            Default: None.
        actual_seq_kvlen (Union[tuple[int], list[int]]): the same for `key`. Default: None.
        sparse_mode (int): as in :func:`ops.flash_attention_score`. Default: 0.
        gen_mask_parallel (bool): accepted for compatibility. Default: True.
        sync (bool): accepted for compatibility. Default: False.
        pse_type (int): 0: `pse` is added after scaling; 1: before; 2: :math:`-slope \cdot |i - j|`
            after scaling; 3: :math:`-slope \cdot \sqrt{|i - j|}`. Default: 1.
        q_start_idx (Union[tuple[int], list[int]]): must be None or 0. Default: None.
        kv_start_idx (Union[tuple[int], list[int]]): must be None or 0. Default: None.

    Returns:
        tuple of the attention, the largest score of each row and the sum of its exponentials
        (float32, shape :math:`(B, N, S_1, 8)`, for TND :math:`(T, N, 8)`), an empty tensor, and the
        seed, an offset of 0 and the number of draws of dropout (int64), zero without it.
    """
    ...

def split(tensor: Tensor, split_size_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """Cut into parts along an axis.

    Args:
        tensor (Tensor): any shape.
        split_size_or_sections (Union[int, tuple, list]): the size of each part, the last may be
            smaller; or the sizes of all parts.
        axis (int): the axis. Default: 0.

    Returns:
        Tuple of Tensors, views.
    """
    ...

def sqrt(x: Tensor) -> Tensor:
    r"""Square root, element by element: :math:`out_i = \sqrt{x_i}`.

    Args:
        x (Tensor): any shape; negative elements give nan.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def square(input: Tensor) -> Tensor:
    """Square, element by element: :math:`out_i = input_i^2`.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor of the same shape and type (bool gives int64).
    """
    ...

def squeeze(input: Tensor, axis: Any = None) -> Tensor:
    """Remove axes of size 1.

    Args:
        input (Tensor): any shape.
        axis (Union[int, tuple, list]): the axes to leave out, where their size is 1; None or an
            empty tuple for all of size 1. Default: None.

    Returns:
        Tensor, a view.
    """
    ...

def stack(tensors: Tensor | Sequence[Tensor], axis: int = 0) -> Tensor:
    """Join tensors along a new axis.

    Args:
        tensors (Union[tuple, list]): tensors of one shape.
        axis (int): where the new axis goes. Default: 0.

    Returns:
        Tensor with one axis more, of the common type.
    """
    ...

def standard_laplace(shape: Any, seed: Any = None) -> Tensor:
    r"""Draw from the Laplace distribution of location 0 and scale 1.

    :math:`out = -sign(u) \log(1 - |u|)` with u uniform in (-1, 1).

    Args:
        shape (Union[tuple, list, Tensor]): the shape.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns:
        Tensor of that shape, float32.
    """
    ...

def standard_normal(shape: Any, seed: Any = None) -> Tensor:
    """Draw standard normal numbers, by Marsaglia's polar method in float32.

    Args:
        shape (Union[tuple, list, Tensor]): the shape.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns:
        Tensor of that shape, float32.
    """
    ...

def std(input: Tensor, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> Any:
    r"""Standard deviation along axes: :math:`\sqrt{\frac{1}{N - ddof} \sum (input - \overline{input})^2}`.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        ddof (Union[int, bool]): what is taken from the number of elements N in the
            divisor. Default: 0.
        keepdims (bool): whether the axes stay, with size 1. Default: False.

    Returns:
        Tensor; integers give float32.
    """
    ...

def std_mean(input: Tensor, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> Any:
    r"""Standard deviation and mean along axes: :math:`\sqrt{\frac{1}{N - ddof} \sum (input - \overline{input})^2}, \overline{input}`.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        ddof (Union[int, bool]): what is taken from the number of elements N in the
            divisor. Default: 0.
        keepdims (bool): whether the axes stay, with size 1. Default: False.

    Returns:
        Tuple of two Tensors; integers give float32.
    """
    ...

def stft(x: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Tensor | None = None, center: bool = True, pad_mode: str = 'REFLECT', normalized: bool = False, onesided: bool | None = None, return_complex: bool | None = None) -> Tensor:
    r"""Fourier transforms of the frames of a signal.

    :math:`out_{k, t} = \sum_n window_n\, x_{t \cdot hop + n}\, e^{-2 \pi i k n / n_{fft}}`

    Args:
        x (Tensor): shape :math:`(L,)` or :math:`(B, L)`.
        n_fft (int): length of a frame.
        hop_length (int): distance of frames. Default None: a quarter of `n_fft`.
        win_length (int): length of the window. Default None: `n_fft`.
        window (Tensor): the window. Default None: ones.
        center (bool): whether frames are centered on their time, with padding at the ends.
            Default: True.
        pad_mode (str): ``"REFLECT"``, ``"CONSTANT"`` or ``"SYMMETRIC"``. Default: ``"REFLECT"``.
        normalized (bool): whether to divide by the root of `n_fft`. Default: False.
        onesided (bool): whether to give the first half of the frequencies. Default None: for real
            signals.
        return_complex (bool): whether the result is complex. Default None: for complex signals.

    Returns:
        Tensor of shape :math:`(.., frequencies, frames)`; real and imaginary parts in a last
        axis of size 2 unless complex.
    """
    ...

def strided_slice(input_x: Tensor, begin: Any, end: Any, strides: Any, begin_mask: int = 0, end_mask: int = 0, ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0) -> Tensor:
    """Elements at equal steps along the axes: ``input_x[b0:e0:s0, b1:e1:s1, ...]``.

    Args:
        input_x (Tensor): any shape.
        begin (tuple): where each slice begins.
        end (tuple): where it ends.
        strides (tuple): its steps, not 0.
        begin_mask (int): bit i set: slice i begins at its end of the axis. Default: 0.
        end_mask (int): bit i set: slice i goes to its end of the axis. Default: 0.
        ellipsis_mask (int): bit i set: entry i stands for all axes that are not named. Default: 0.
        new_axis_mask (int): bit i set: entry i is a new axis of size 1. Default: 0.
        shrink_axis_mask (int): bit i set: entry i takes the one element at `begin` and its axis
            disappears. Default: 0.

    Returns:
        Tensor; a view if all steps are positive.
    """
    ...

def string_concat(x: Any, y: Any) -> Any:
    """Two strings joined.

    Args:
        x (str): the first value.
        y (str): the second value.
    """
    ...

def string_eq(x: Any, y: Any) -> Any:
    """Whether two strings are equal.

    Args:
        x (str): the first value.
        y (str): the second value.
    """
    ...

def sub(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Subtract, element by element: :math:`out_i = input_i - other_i`.

    Args:
        input (Union[Tensor, number, bool]): the minuend.
        other (Union[Tensor, number, bool]): the subtrahend; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type, as for :func:`ops.add`; two bool
        tensors give their exclusive or.
    """
    ...

def subtract(input: Tensor | Number, other: Tensor | Number = ..., *, alpha: float = 1, y: Any = ...) -> Tensor:
    r"""Subtract a multiple, element by element: :math:`out_i = input_i - alpha \cdot other_i`.

    Args:
        input (Union[Tensor, number]): the minuend.
        other (Union[Tensor, number]): the subtrahend; shapes broadcast.
        alpha (number): the factor. Default: 1.
        y: another name of `other`.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def sum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    r"""Sum over axes: :math:`out = \sum_{dim} input`.

    Args:
        input (Tensor): any shape.
        dim (Union[None, int, tuple, list]): the axes. Default None: all.
        keepdim (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to sum in and to return. Default None: that of `input`; int64 for
            integers and bool.

    Returns:
        Tensor.
    """
    ...

def svd(input: Tensor, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    r"""Singular value decomposition: :math:`input = U \operatorname{diag}(S) V^H`.

    Args:
        input (Tensor): shape :math:`(.., M, N)`.
        full_matrices (bool): whether U and V are square. Default: False.
        compute_uv (bool): whether to give U and V too. Default: True.

    Returns:
        Tuple of S, U and V; S alone if `compute_uv` is False.
    """
    ...

def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Swap two axes.

    Args:
        input (Tensor): any shape.
        axis0 (int): one axis.
        axis1 (int): the other.

    Returns:
        Tensor, a view.
    """
    ...

def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Swap two axes.

    Args:
        input (Tensor): any shape.
        dim0 (int): one axis.
        dim1 (int): the other.

    Returns:
        Tensor, a view.
    """
    ...

def swiglu(input: Tensor, dim: int = -1) -> Tensor:
    r"""Gated linear unit with a SiLU gate.

    The input is halved along a dimension into a and b; :math:`out = a \sigma(a) \cdot b`.

    Args:
        input (Tensor): floating point, even size along `dim`.
        dim (int): the dimension that is halved. Default: -1.

    Returns:
        Tensor, half as large along `dim`.
    """
    ...

def t(input: Tensor) -> Tensor:
    """Swap the two axes of a matrix; other tensors are returned as they are.

    Args:
        input (Tensor): any shape.

    Returns:
        Tensor, a view.
    """
    ...

def take(input: Tensor, index: Tensor) -> Tensor:
    """Elements of the flattened tensor.

    Args:
        input (Tensor): the tensor to take from.
        index (Tensor): integers, any shape.

    Returns:
        Tensor of the shape of `index`.
    """
    ...

def tan(input: Tensor) -> Tensor:
    r"""Tangent of radians, element by element: :math:`out = \tan x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def tanh(input: Tensor) -> Tensor:
    r"""Hyperbolic tangent, element by element: :math:`out = \tanh x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def tanh_(input: Tensor) -> Tensor:
    """Hyperbolic tangent, in place; gradients flow through it.

    Args:
        input (Tensor): this tensor.

    Returns:
        This tensor.
    """
    ...

def tanhshrink(input: Tensor) -> Tensor:
    r"""The input minus its hyperbolic tangent: :math:`out_i = x_i - \tanh(x_i)`.

    Args:
        input (Tensor): any shape; integers are computed in float32.

    Returns:
        Tensor of the input's shape.
    """
    ...

def tensor_add(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Add, element by element: :math:`out_i = input_i + other_i`.

    Args:
        input (Union[Tensor, number, bool]): the first summand.
        other (Union[Tensor, number, bool]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; a number takes the tensor's type,
        except that a float with integers gives float32.
    """
    ...

def tensor_div(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Divide within the common type: :math:`out_i = x_i / y_i`, integers truncated.

    Args:
        x (Union[Tensor, number]): the dividend.
        y (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def tensor_dot(x1: Tensor, x2: Tensor, axes: Any) -> Tensor:
    """Product over given axes.

    Args:
        x1 (Tensor): any shape.
        x2 (Tensor): any shape, of the same type.
        axes (Union[int, tuple, list]): an int: the last so many axes of `x1` with the first of
            `x2`; a pair: the axes of `x1` and those of `x2`.

    Returns:
        Tensor with the remaining axes of both.
    """
    ...

def tensor_exp(input: Tensor) -> Tensor:
    """Exponential function, element by element: :math:`out = e^x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def tensor_expm1(input: Tensor) -> Tensor:
    """Exponential function minus one, exact near zero, element by element: :math:`out = e^x - 1`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def tensor_floordiv(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Divide and round down: :math:`out_i = \lfloor x_i / y_i \rfloor`.

    Args:
        input (Union[Tensor, number, bool]): the dividend.
        other (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def tensor_ge(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand is at least the other, element by element: :math:`out_i = input_i \ge other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def tensor_gt(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand is greater than the other, element by element: :math:`out_i = input_i > other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def tensor_le(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Whether one operand is at most the other, element by element: :math:`out_i = input_i \le other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def tensor_lt(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Whether one operand is less than the other, element by element: :math:`out_i = input_i < other_i`.

    Args:
        input (Union[Tensor, number, bool]): the left operand.
        other (Union[Tensor, number, bool]): the right operand; shapes broadcast. A
            number takes the tensor's type; a float beside integers stays a float.

    Returns:
        Tensor of bool, of the broadcast shape.
    """
    ...

def tensor_mod(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    r"""Remainder of a division that rounds down: :math:`x_i - \lfloor x_i/y_i \rfloor y_i`.

    Args:
        x (Union[Tensor, number, bool]): the dividend.
        y (Union[Tensor, number, bool]): the divisor; the result has its sign.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def tensor_mul(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Multiply, element by element: :math:`out_i = input_i \cdot other_i`.

    Args:
        input (Union[Tensor, number, bool]): the first factor.
        other (Union[Tensor, number, bool]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; a number or a 0-d tensor does not
        widen the type within its category (float64 times a float32 tensor is float32).
    """
    ...

def tensor_muls(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Multiply, element by element: :math:`out_i = input_i \cdot other_i`.

    Args:
        input (Union[Tensor, number, bool]): the first factor.
        other (Union[Tensor, number, bool]): the second; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; a number or a 0-d tensor does not
        widen the type within its category (float64 times a float32 tensor is float32).
    """
    ...

def tensor_pow(input: Tensor | Number, exponent: Tensor | Number) -> Tensor:
    """Power, element by element: :math:`out_i = input_i^{exponent_i}`.

    Args:
        input (Union[Tensor, number]): the base.
        exponent (Union[Tensor, number]): the exponent; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type; integers with a negative exponent
        give the truncated power.
    """
    ...

def tensor_range(start: Any, end: Any, step: Any, maxlen: int = 1000000) -> Tensor:
    """Evenly spaced numbers, see :func:`ops.arange`.

    Args:
        start (Union[number, Tensor]): the first number.
        end (Union[number, Tensor]): the bound, not included.
        step (Union[number, Tensor]): the distance.
        maxlen (int): the largest length that is accepted. Default: 1000000.

    Returns:
        Tensor with one axis, int64 or float32.
    """
    ...

def tensor_scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of a tensor in which slices are added to.

    Args:
        input_x (Tensor): what to start from; it stays as it is.
        indices (Tensor): integers; the last axis holds the indices of the leading axes
            of `input_x`.
        updates (Tensor): the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Returns:
        Tensor of the shape and type of `input_x`. Of equal indices all count.
    """
    ...

def tensor_scatter_div(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of a tensor in which slices are divided.

    Args:
        input_x (Tensor): what to start from; it stays as it is.
        indices (Tensor): integers; the last axis holds the indices of the leading axes
            of `input_x`.
        updates (Tensor): the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Returns:
        Tensor of the shape and type of `input_x`. Of equal indices all count.
    """
    ...

def tensor_scatter_elements(input_x: Tensor, indices: Tensor, updates: Tensor, axis: int = 0, reduction: str = 'none') -> Tensor:
    """Write or add elements along an axis; see :func:`ops.scatter`.

    Args:
        input_x (Tensor): the tensor to start from; not changed.
        indices (Tensor): integers, of the rank of `input_x`.
        updates (Tensor): what to write, of the shape of `indices`.
        axis (int): the axis. Default: 0.
        reduction (str): ``"none"`` writes, ``"add"`` adds. Default: ``"none"``.

    Returns:
        Tensor.
    """
    ...

def tensor_scatter_max(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of a tensor in which slices are replaced where the update is larger.

    Args:
        input_x (Tensor): what to start from; it stays as it is.
        indices (Tensor): integers; the last axis holds the indices of the leading axes
            of `input_x`.
        updates (Tensor): the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Returns:
        Tensor of the shape and type of `input_x`. Of equal indices all count.
    """
    ...

def tensor_scatter_min(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of a tensor in which slices are replaced where the update is smaller.

    Args:
        input_x (Tensor): what to start from; it stays as it is.
        indices (Tensor): integers; the last axis holds the indices of the leading axes
            of `input_x`.
        updates (Tensor): the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Returns:
        Tensor of the shape and type of `input_x`. Of equal indices all count.
    """
    ...

def tensor_scatter_mul(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of a tensor in which slices are multiplied.

    Args:
        input_x (Tensor): what to start from; it stays as it is.
        indices (Tensor): integers; the last axis holds the indices of the leading axes
            of `input_x`.
        updates (Tensor): the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Returns:
        Tensor of the shape and type of `input_x`. Of equal indices all count.
    """
    ...

def tensor_scatter_sub(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of a tensor in which slices are subtracted from.

    Args:
        input_x (Tensor): what to start from; it stays as it is.
        indices (Tensor): integers; the last axis holds the indices of the leading axes
            of `input_x`.
        updates (Tensor): the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Returns:
        Tensor of the shape and type of `input_x`. Of equal indices all count.
    """
    ...

def tensor_scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """A copy of a tensor in which slices are replaced.

    Args:
        input_x (Tensor): what to start from; it stays as it is.
        indices (Tensor): integers; the last axis holds the indices of the leading axes
            of `input_x`.
        updates (Tensor): the slices, of shape
            ``indices.shape[:-1] + input_x.shape[indices.shape[-1]:]``.

    Returns:
        Tensor of the shape and type of `input_x`. Of equal indices all count except that one is written.
    """
    ...

def tensor_slice(input: Tensor, begin: Any, size: Any) -> Tensor:
    """A block of a tensor.

    Args:
        input (Tensor): any shape.
        begin (Union[tuple, list, Tensor]): where the block begins, for each axis.
        size (Union[tuple, list, Tensor]): its sizes; -1 goes to the end.

    Returns:
        Tensor, a view.
    """
    ...

def tensor_split(input: Tensor, indices_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """Cut into a number of nearly equal parts, or at given indices.

    Args:
        input (Tensor): any shape.
        indices_or_sections (Union[int, tuple, list]): the number of parts, or the indices to cut
            at.
        axis (int): the axis. Default: 0.

    Returns:
        Tuple of Tensors, views.
    """
    ...

def tensor_sub(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Subtract, element by element: :math:`out_i = input_i - other_i`.

    Args:
        input (Union[Tensor, number, bool]): the minuend.
        other (Union[Tensor, number, bool]): the subtrahend; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type, as for :func:`ops.add`; two bool
        tensors give their exclusive or.
    """
    ...

def threshold(input: Tensor, thr: float, value: float) -> Tensor:
    """Replace elements that are not above a threshold.

    :math:`out_i = x_i` if :math:`x_i > thr`, else `value`.

    Args:
        input (Tensor): real, any shape.
        thr (Union[int, float]): the threshold.
        value (Union[int, float]): the value for elements not above it.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def tile(input: Tensor, dims: Any) -> Tensor:
    """Repeat the whole tensor along its axes.

    Args:
        input (Tensor): any shape.
        dims (tuple): how often along each axis, counted from the last; more entries than axes add
            leading ones.

    Returns:
        Tensor.
    """
    ...

def top_k(input_x: Tensor, k: Any, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest elements along the last axis; see :func:`ops.topk`.

    Args:
        input_x (Tensor): any shape.
        k (Union[int, Tensor]): how many.
        sorted (bool): whether they come in order. Default: True.

    Returns:
        Tuple of values and indices (int32).
    """
    ...

def topk(input: Tensor, k: Any, dim: int | None = None, largest: bool = True, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest or smallest elements along an axis.

    Args:
        input (Tensor): any shape.
        k (Union[int, Tensor]): how many; it may depend on the data.
        dim (int): the axis. Default None: the last.
        largest (bool): the largest, else the smallest. Default: True.
        sorted (bool): whether they come in order. Default: True.

    Returns:
        Tuple of values and indices (int32).
    """
    ...

def trace(input: Tensor) -> Tensor:
    r"""Sum of the diagonal of a matrix: :math:`\sum_i input_{ii}`.

    Args:
        input (Tensor): a matrix.

    Returns:
        Tensor, 0-d, of the type of `input`.
    """
    ...

def transpose(input: Tensor, dims: Any) -> Tensor:
    """Arrange the axes in another order.

    Args:
        input (Tensor): any shape.
        dims (Union[tuple, list]): for each axis of the result, the axis of `input` it is.

    Returns:
        Tensor, a view.
    """
    ...

def trapz(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    r"""Integral by the trapezoidal rule: :math:`\sum_i (x_{i+1} - x_i)(y_i + y_{i+1}) / 2`.

    Args:
        y (Tensor): the values of the function.
        x (Tensor): where they are taken. Default None: at distances `dx`.
        dx (float): the distance. Default: 1.0.
        dim (int): the axis. Default: -1.

    Returns:
        Tensor without that axis.
    """
    ...

def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle of matrices, zeros above.

    Args:
        input (Tensor): two axes or more.
        diagonal (int): the last diagonal that is kept, 0 the main one, 1 the one above it.
            Default: 0.

    Returns:
        Tensor of the same shape.
    """
    ...

def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None) -> Tensor:
    """Places of the lower triangle of a matrix.

    Args:
        row (int): rows of the matrix.
        col (int): columns of the matrix.
        offset (int): the diagonal that bounds the triangle. Default: 0.
        dtype (Type): the type. Default None: int64.

    Returns:
        Tensor of shape (2, N): row indices, then column indices.
    """
    ...

def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-06, swap: bool = False, reduction: str = 'mean') -> Tensor:
    r"""Loss of distances in triplets: :math:`l = \max(d(a, p) - d(a, n) + margin, 0)`.

    The distance is :math:`d(x, y) = \|x - y + \epsilon\|_p` along the last axis.

    Args:
        anchor (Tensor): vectors a, shape :math:`(N, D)` or :math:`(D,)`.
        positive (Tensor): vectors p that should be near, of a shape that broadcasts.
        negative (Tensor): vectors n that should be far, of a shape that broadcasts.
        margin (Union[int, float]): the difference that is asked for. Default: 1.0.
        p (Union[int, float]): the order of the norm. Default: 2.
        eps (float): against division by zero. Default: 1e-6.
        swap (bool): whether to use :math:`d(p, n)` where it is the smaller distance.
            Default: False.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape without the last axis.
    """
    ...

def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle of matrices, zeros below.

    Args:
        input (Tensor): two axes or more.
        diagonal (int): the first diagonal that is kept, 0 the main one, 1 the one above it.
            Default: 0.

    Returns:
        Tensor of the same shape.
    """
    ...

def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None) -> Tensor:
    """Places of the upper triangle of a matrix.

    Args:
        row (int): rows of the matrix.
        col (int): columns of the matrix.
        offset (int): the diagonal that bounds the triangle. Default: 0.
        dtype (Type): the type. Default None: int64.

    Returns:
        Tensor of shape (2, N): row indices, then column indices.
    """
    ...

def true_divide(dividend: Tensor | Number, divisor: Tensor | Number) -> Tensor:
    """Divide, element by element: :math:`out_i = dividend_i / divisor_i`.

    Args:
        dividend (Union[Tensor, number, bool]): the dividend.
        divisor (Union[Tensor, number, bool]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape; integers give float32.
    """
    ...

def trunc(input: Tensor) -> Tensor:
    r"""Integer part, element by element: :math:`out = \operatorname{sign}(x) \lfloor |x| \rfloor`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; the type is kept.
    """
    ...

def truncate_div(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Divide and round toward zero: :math:`out_i = trunc(x_i / y_i)`.

    Args:
        x (Union[Tensor, number]): the dividend.
        y (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def truncate_mod(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    r"""Remainder of the division that truncates: :math:`out_i = x_i - trunc(x_i/y_i)\, y_i`.

    Args:
        x (Union[Tensor, number]): the dividend, whose sign the result has.
        y (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def tuple_div(x: Any, y: Any) -> Any:
    """The quotients of the elements, rounded down.

    Args:
        x (tuple): the first value.
        y (tuple): the second value.
    """
    ...

def tuple_equal(x: Any, y: Any) -> Any:
    """Whether two tuples are equal.

    Args:
        x (tuple): the first value.
        y (tuple): the second value.
    """
    ...

def tuple_getitem(values: Any, key: Any) -> Any:
    """The element at an index.

    Args:
        values (tuple): the values to take from.
        key (Any): the index or key.
    """
    ...

def tuple_len(x: Any) -> Any:
    """The number of elements.

    Args:
        x (tuple): the value.
    """
    ...

def tuple_reversed(x: Any) -> Any:
    """The elements in reverse order.

    Args:
        x (tuple): the value.
    """
    ...

def tuple_setitem(values: Any, key: Any, value: Any) -> Any:
    """A copy with one element set.

    Args:
        values (tuple): the values to take from.
        key (Any): the index or key.
        value (Any): the new value.
    """
    ...

def type_as(input: Tensor, other: Tensor) -> Tensor:
    """Convert to the type of another tensor.

    Args:
        input (Tensor): what to convert.
        other (Tensor): whose type to take.

    Returns:
        Tensor of the shape of `input`.
    """
    ...

def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along an axis, which disappears.

    Args:
        input (Tensor): one axis or more.
        dim (int): the axis. Default: 0.

    Returns:
        Tuple of Tensors, views.
    """
    ...

def unfold(input: Tensor, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> Tensor:
    r"""Patches of images as columns.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)`.
        kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
        dilation (Union[int, tuple[int], list[int]]): distance between its elements. Default: 1.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides. Default: 0.
        stride (Union[int, tuple[int], list[int]]): step from patch to patch. Default: 1.

    Returns:
        Tensor of shape :math:`(N, C \cdot K_h K_w, patches)`.
    """
    ...

def uniform(shape: Any, minval: Tensor, maxval: Tensor, seed: Any = None, dtype: Any = ...) -> Tensor:
    r"""Draw from a uniform distribution.

    Floating: :math:`out = u \cdot (maxval - minval) + minval` with u uniform in [0, 1], which is
    differentiable in the bounds. Integers: uniform in minval .. maxval - 1.

    Args:
        shape (Union[tuple, list, Tensor]): the shape of the result.
        minval (Tensor): lower bound, of type `dtype`; for integers of shape ().
        maxval (Tensor): upper bound, not among the integers that are drawn.
        seed (int): the operator's seed, at least 0. Default None: 0.
        dtype (Type): ``mindspore.float32`` or ``mindspore.int32``. Default: float32.

    Returns:
        Tensor of the shape in which `shape` and those of the bounds meet, of type `dtype`.
    """
    ...

def uniform_(input: Tensor, from_: Any = 0, to: Any = 1, *, generator: Any = None) -> Tensor:
    """Fill a tensor with uniform numbers in [from_, to).

    Args:
        input (Tensor): what is filled, of a floating type.
        from_ (Union[number, Tensor]): lower bound. Default: 0.
        to (Union[number, Tensor]): upper bound. Default: 1.
        generator (Generator): the generator to draw from. Default None: the default generator.

    Returns:
        Tensor, `input` itself.
    """
    ...

def uniform_candidate_sampler(true_classes: Tensor, num_true: Any, num_sampled: Any, unique: Any, range_max: Any, seed: Any = 0, remove_accidental_hits: Any = False) -> tuple[Tensor, Tensor, Tensor]:
    r"""Sample classes for a sampled loss, each of 0 .. range_max - 1 with equal probability.

    Args:
        true_classes (Tensor): the target classes, int32 or int64, of shape (batch, num_true).
        num_true (int): target classes for each element of the batch.
        num_sampled (int): how many classes to sample.
        unique (bool): whether no class is sampled twice.
        range_max (int): the number of classes.
        seed (int): the sampler's seed, at least 0; the global seed has no part in it. Default 0:
            the next seed pair of this name, entropy before any ``set_seed``.
        remove_accidental_hits (bool): whether target classes are left out, where `unique` holds
            and enough other classes exist. Default: False.

    Returns:
        Three tensors: the sampled classes (num_sampled,), of the type of `true_classes`; how
        often each target class is expected among them, (batch, num_true), float32; the same of the
        sampled classes, (num_sampled,). With n draws for `unique` samples, the expectation is
        :math:`1 - (1 - 1 / range\_max)^n`.
    """
    ...

def unique(input: Tensor) -> tuple[Tensor, Tensor]:
    """The unique elements, in order of first occurrence.

    Args:
        input (Tensor): any shape.

    Returns:
        Tuple of the elements and, for each element of `input`, its place among them (int32;
        int64 for int64 input).
    """
    ...

def unique_consecutive(input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> Any:
    """The elements without consecutive duplicates.

    Args:
        input (Tensor): any shape.
        return_inverse (bool): whether to tell the place of every element. Default: False.
        return_counts (bool): whether to tell how long each run is. Default: False.
        dim (int): the axis. Default None: the flattened tensor.

    Returns:
        Tensor, or a tuple with the further tensors (int64).
    """
    ...

def unique_with_pad(x: Tensor, pad_num: int) -> tuple[Tensor, Tensor]:
    """The unique elements in order of first occurrence, filled up to the input's size.

    Args:
        x (Tensor): integers, 1-D.
        pad_num (int): what to fill with.

    Returns:
        Tuple of the elements and, for each element of `x`, its place among them; both of the
        type of `x`.
    """
    ...

def unsorted_segment_max(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """Largest element of the rows of each segment: :math:`out_s` over the i with :math:`ids_i = s`.

    Args:
        x (Tensor): the rows.
        segment_ids (Tensor): integers whose shape is that of the first axes of
            `x`; a negative number leaves its row out.
        num_segments (Union[int, Tensor]): the number of segments.

    Returns:
        Tensor of the type of `x` with `num_segments` rows. A segment without
        rows gives the smallest number of the type.
    """
    ...

def unsorted_segment_min(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """Smallest element of the rows of each segment: :math:`out_s` over the i with :math:`ids_i = s`.

    Args:
        x (Tensor): the rows.
        segment_ids (Tensor): integers whose shape is that of the first axes of
            `x`; a negative number leaves its row out.
        num_segments (Union[int, Tensor]): the number of segments.

    Returns:
        Tensor of the type of `x` with `num_segments` rows. A segment without
        rows gives the largest number of the type.
    """
    ...

def unsorted_segment_prod(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """Product of the rows of each segment: :math:`out_s` over the i with :math:`ids_i = s`.

    Args:
        x (Tensor): the rows.
        segment_ids (Tensor): integers whose shape is that of the first axes of
            `x`; a negative number leaves its row out.
        num_segments (Union[int, Tensor]): the number of segments.

    Returns:
        Tensor of the type of `x` with `num_segments` rows. A segment without
        rows gives 1.
    """
    ...

def unsorted_segment_sum(input_x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """Sum of the rows of each segment: :math:`out_s` over the i with :math:`ids_i = s`.

    Args:
        input_x (Tensor): the rows.
        segment_ids (Tensor): integers whose shape is that of the first axes of
            `input_x`; a negative number leaves its row out.
        num_segments (Union[int, Tensor]): the number of segments.

    Returns:
        Tensor of the type of `input_x` with `num_segments` rows. A segment without
        rows gives 0.
    """
    ...

def unsqueeze(input: Tensor, dim: int = ..., *, axis: Any = ...) -> Tensor:
    """Insert an axis of size 1.

    Args:
        input (Tensor): any shape.
        dim (int): where the new axis goes.
        axis: another name of `dim`.

    Returns:
        Tensor with one axis more, a view.
    """
    ...

def unstack(input_x: Tensor, axis: int = 0) -> tuple[Tensor, ...]:
    """The slices along an axis, which disappears.

    Args:
        input_x (Tensor): one axis or more.
        axis (int): the axis. Default: 0.

    Returns:
        Tuple of Tensors, views.
    """
    ...

def upsample(input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: bool | None = None, recompute_scale_factor: bool | None = None) -> Tensor:
    """Resize sequences, images or volumes.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)` with one to three dimensions.
        size (Union[int, tuple[int], list[int]]): sizes of the output. Default: None.
        scale_factor (Union[float, tuple[float], list[float]]): sizes of the output as multiples of
            the input's, rounded down. Default: None. One of the two must be given.
        mode (str): ``nearest``; ``linear`` (rank 3), ``bilinear`` and ``bicubic`` (rank 4),
            ``trilinear`` (rank 5); ``area`` (means); ``nearest-exact``. Default: ``"nearest"``.
        align_corners (bool): whether the corners' centers coincide; for the linear and cubic modes.
            Default: None, False.
        recompute_scale_factor (bool): whether the size is worked out first and the scale from it.
            Default: None, False.

    Returns:
        Tensor of the new size.
    """
    ...

def vander(x: Tensor, N: int | None = None) -> Tensor:
    """Vandermonde matrix: the powers of the elements, :math:`out_{ij} = x_i^{N - 1 - j}`.

    Args:
        x (Tensor): a vector.
        N (int): how many powers. Default None: as many as elements.

    Returns:
        Tensor of shape (x.size, N); int64 for integers.
    """
    ...

def var(input: Tensor, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> Any:
    r"""Variance along axes: :math:`\frac{1}{N - ddof} \sum (input - \overline{input})^2`.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        ddof (Union[int, bool]): what is taken from the number of elements N in the
            divisor. Default: 0.
        keepdims (bool): whether the axes stay, with size 1. Default: False.

    Returns:
        Tensor; integers give float32.
    """
    ...

def var_mean(input: Tensor, axis: Any = None, ddof: Any = 0, keepdims: bool = False) -> Any:
    r"""Variance and mean along axes: :math:`\frac{1}{N - ddof} \sum (input - \overline{input})^2, \overline{input}`.

    Args:
        input (Tensor): any shape.
        axis (Union[None, int, tuple, list]): the axes. Default None: all.
        ddof (Union[int, bool]): what is taken from the number of elements N in the
            divisor. Default: 0.
        keepdims (bool): whether the axes stay, with size 1. Default: False.

    Returns:
        Tuple of two Tensors; integers give float32.
    """
    ...

def vecdot(x: Tensor, y: Tensor, *, axis: int = -1) -> Tensor:
    r"""Products of vectors along an axis: :math:`out = \sum_{axis} \bar{x}\, y`.

    Args:
        x (Tensor): any shape.
        y (Tensor): a shape that broadcasts.
        axis (int): the axis of the vectors. Default: -1.

    Returns:
        Tensor without that axis.
    """
    ...

def vector_norm(x: Tensor, ord: float = 2, axis: Any = None, keepdims: bool = False, *, dtype: Any = None) -> Tensor:
    r"""Norm of vectors: :math:`(\sum |x|^{ord})^{1/ord}`.

    Args:
        x (Tensor): any shape; integers are computed in float32.
        ord (number): which norm; 0 counts what is not zero. Default: 2.
        axis (Union[None, int, tuple]): the axes. Default None: all.
        keepdims (bool): whether the axes stay, with size 1. Default: False.
        dtype (Type): the type to compute in. Default: None.

    Returns:
        Tensor.
    """
    ...

def view_as(input: Tensor, other: Tensor) -> Tensor:
    """Change the shape to that of another tensor.

    Args:
        input (Tensor): any shape.
        other (Tensor): the tensor whose shape is used.

    Returns:
        Tensor of that shape, a view where the layout allows.
    """
    ...

def view_as_real(input: Tensor) -> Tensor:
    """Complex numbers as pairs of real ones.

    Args:
        input (Tensor): complex, any shape.

    Returns:
        Tensor with one axis more, of size 2; a view.
    """
    ...

def vsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """Cut along the first axis; see :func:`ops.tensor_split`.

    Args:
        input (Tensor): 1 axis or more.
        indices_or_sections (Union[int, tuple, list]): the number of parts, or the
            places to cut.

    Returns:
        Tuple of Tensors, views.
    """
    ...

def vstack(inputs: Sequence[Tensor]) -> Tensor:
    """Join tensors along the first axis, vectors as rows.

    Args:
        inputs (Union[tuple, list]): tensors whose other sizes agree.

    Returns:
        Tensor of the common type.
    """
    ...

def where(condition: Tensor, input: Tensor | Number, other: Tensor | Number) -> Tensor:
    """Select elements of two tensors by a condition: :math:`input_i` or :math:`other_i`.

    Args:
        condition (Tensor): bool.
        input (Union[Tensor, number]): the values where the condition is true.
        other (Union[Tensor, number]): the values where it is false; shapes broadcast.

    Returns:
        Tensor of the broadcast shape and the common type.
    """
    ...

def xdivy(x: Tensor | Number, y: Tensor | Number) -> Tensor:
    """Quotient, 0 where the dividend is 0: :math:`x_i / y_i`.

    Args:
        x (Union[Tensor, number]): the dividend.
        y (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns:
        Tensor of the broadcast shape; integers give float32.
    """
    ...

def xlogy(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Product with a logarithm: :math:`input_i \ln other_i`, 0 where `input` is 0.

    Args:
        input (Union[Tensor, number]): the factor.
        other (Union[Tensor, number]): the logarithm's argument; shapes broadcast.

    Returns:
        Tensor of the broadcast shape; integers give float32.
    """
    ...

def zero_(input: Tensor) -> Tensor:
    """Set to zero, in place; gradients flow through it.

    Args:
        input (Tensor): this tensor.

    Returns:
        This tensor.
    """
    ...

def zeros(size: Any, dtype: Any = None) -> Tensor:
    """A tensor of zeros.

    Args:
        size (Union[int, tuple, list, Tensor]): the shape.
        dtype (Type): the type. Default None: float32.

    Returns:
        Tensor of shape `size`.
    """
    ...

def zeros_like(input: Tensor, *, dtype: Any = None) -> Tensor:
    """Zeros in the shape of another tensor.

    Args:
        input (Tensor): the tensor whose shape is used.
        dtype (Type): the type. Default None: that of `input`.

    Returns:
        Tensor.
    """
    ...

def zeta(input: Tensor | Number, other: Tensor | Number) -> Tensor:
    r"""Hurwitz zeta function: :math:`\sum_{k=0}^\infty (k + other)^{-input}`.

    Args:
        input (Union[Tensor, number]): the exponent, greater than 1.
        other (Union[Tensor, number]): the first term; shapes broadcast.

    Returns:
        Tensor of the broadcast shape; integers give float32.
    """
    ...
