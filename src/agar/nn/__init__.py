"""Cells: the base class, layers, losses, optimizers, schedules and train-step cells."""

from typing import TYPE_CHECKING

from agar.nn import (
    cell,
    dynamic_lr,
    grad,
    graph_cell,
    layer,
    learning_rate_schedule,
    loss,
    metrics,
    optim,
    sparse,
    utils,
    wrap,
)
from agar.nn.cell import Cell as Cell
from agar.nn.dynamic_lr import cosine_decay_lr as cosine_decay_lr
from agar.nn.dynamic_lr import exponential_decay_lr as exponential_decay_lr
from agar.nn.dynamic_lr import inverse_decay_lr as inverse_decay_lr
from agar.nn.dynamic_lr import natural_exp_decay_lr as natural_exp_decay_lr
from agar.nn.dynamic_lr import piecewise_constant_lr as piecewise_constant_lr
from agar.nn.dynamic_lr import polynomial_decay_lr as polynomial_decay_lr
from agar.nn.dynamic_lr import warmup_lr as warmup_lr
from agar.nn.grad import Jvp as Jvp
from agar.nn.grad import Vjp as Vjp
from agar.nn.graph_cell import GraphCell as GraphCell
from agar.nn.layer import CELU as CELU
from agar.nn.layer import ELU as ELU
from agar.nn.layer import GELU as GELU
from agar.nn.layer import GLU as GLU
from agar.nn.layer import GRU as GRU
from agar.nn.layer import LRN as LRN
from agar.nn.layer import LSTM as LSTM
from agar.nn.layer import MSSSIM as MSSSIM
from agar.nn.layer import PSNR as PSNR
from agar.nn.layer import RNN as RNN
from agar.nn.layer import SSIM as SSIM
from agar.nn.layer import AdaptiveAvgPool1d as AdaptiveAvgPool1d
from agar.nn.layer import AdaptiveAvgPool2d as AdaptiveAvgPool2d
from agar.nn.layer import AdaptiveAvgPool3d as AdaptiveAvgPool3d
from agar.nn.layer import AdaptiveMaxPool1d as AdaptiveMaxPool1d
from agar.nn.layer import AdaptiveMaxPool2d as AdaptiveMaxPool2d
from agar.nn.layer import AdaptiveMaxPool3d as AdaptiveMaxPool3d
from agar.nn.layer import AvgPool1d as AvgPool1d
from agar.nn.layer import AvgPool1dExt as AvgPool1dExt
from agar.nn.layer import AvgPool2d as AvgPool2d
from agar.nn.layer import AvgPool2dExt as AvgPool2dExt
from agar.nn.layer import AvgPool3d as AvgPool3d
from agar.nn.layer import AvgPool3dExt as AvgPool3dExt
from agar.nn.layer import BatchNorm1d as BatchNorm1d
from agar.nn.layer import BatchNorm2d as BatchNorm2d
from agar.nn.layer import BatchNorm3d as BatchNorm3d
from agar.nn.layer import BiDense as BiDense
from agar.nn.layer import CellDict as CellDict
from agar.nn.layer import CellList as CellList
from agar.nn.layer import CentralCrop as CentralCrop
from agar.nn.layer import ChannelShuffle as ChannelShuffle
from agar.nn.layer import ClipByNorm as ClipByNorm
from agar.nn.layer import ConstantPad1d as ConstantPad1d
from agar.nn.layer import ConstantPad2d as ConstantPad2d
from agar.nn.layer import ConstantPad3d as ConstantPad3d
from agar.nn.layer import Conv1d as Conv1d
from agar.nn.layer import Conv1dTranspose as Conv1dTranspose
from agar.nn.layer import Conv2d as Conv2d
from agar.nn.layer import Conv2dBnAct as Conv2dBnAct
from agar.nn.layer import Conv2dThor as Conv2dThor
from agar.nn.layer import Conv2dTranspose as Conv2dTranspose
from agar.nn.layer import Conv3d as Conv3d
from agar.nn.layer import Conv3dTranspose as Conv3dTranspose
from agar.nn.layer import Dense as Dense
from agar.nn.layer import DenseBnAct as DenseBnAct
from agar.nn.layer import DenseThor as DenseThor
from agar.nn.layer import DiGamma as DiGamma
from agar.nn.layer import Dropout as Dropout
from agar.nn.layer import Dropout1d as Dropout1d
from agar.nn.layer import Dropout2d as Dropout2d
from agar.nn.layer import Dropout2dExt as Dropout2dExt
from agar.nn.layer import Dropout3d as Dropout3d
from agar.nn.layer import DropoutExt as DropoutExt
from agar.nn.layer import Embedding as Embedding
from agar.nn.layer import EmbeddingExt as EmbeddingExt
from agar.nn.layer import EmbeddingLookup as EmbeddingLookup
from agar.nn.layer import EmbeddingLookupThor as EmbeddingLookupThor
from agar.nn.layer import EmbeddingThor as EmbeddingThor
from agar.nn.layer import FastGelu as FastGelu
from agar.nn.layer import Flatten as Flatten
from agar.nn.layer import FractionalMaxPool2d as FractionalMaxPool2d
from agar.nn.layer import FractionalMaxPool3d as FractionalMaxPool3d
from agar.nn.layer import GroupNorm as GroupNorm
from agar.nn.layer import GRUCell as GRUCell
from agar.nn.layer import Hardtanh as Hardtanh
from agar.nn.layer import HShrink as HShrink
from agar.nn.layer import HSigmoid as HSigmoid
from agar.nn.layer import HSwish as HSwish
from agar.nn.layer import Identity as Identity
from agar.nn.layer import IGamma as IGamma
from agar.nn.layer import ImageGradients as ImageGradients
from agar.nn.layer import InstanceNorm1d as InstanceNorm1d
from agar.nn.layer import InstanceNorm2d as InstanceNorm2d
from agar.nn.layer import InstanceNorm3d as InstanceNorm3d
from agar.nn.layer import L1Regularizer as L1Regularizer
from agar.nn.layer import LayerNorm as LayerNorm
from agar.nn.layer import LayerNormExt as LayerNormExt
from agar.nn.layer import LBeta as LBeta
from agar.nn.layer import LeakyReLU as LeakyReLU
from agar.nn.layer import LGamma as LGamma
from agar.nn.layer import Linear as Linear
from agar.nn.layer import LogSigmoid as LogSigmoid
from agar.nn.layer import LogSoftmax as LogSoftmax
from agar.nn.layer import LogSoftmaxExt as LogSoftmaxExt
from agar.nn.layer import LPPool1d as LPPool1d
from agar.nn.layer import LPPool2d as LPPool2d
from agar.nn.layer import LSTMCell as LSTMCell
from agar.nn.layer import MatDet as MatDet
from agar.nn.layer import MatInverse as MatInverse
from agar.nn.layer import MatMul as MatMul
from agar.nn.layer import MatrixDiag as MatrixDiag
from agar.nn.layer import MatrixDiagPart as MatrixDiagPart
from agar.nn.layer import MatrixSetDiag as MatrixSetDiag
from agar.nn.layer import MaxPool1d as MaxPool1d
from agar.nn.layer import MaxPool2d as MaxPool2d
from agar.nn.layer import MaxPool2dExt as MaxPool2dExt
from agar.nn.layer import MaxPool3d as MaxPool3d
from agar.nn.layer import MaxUnpool1d as MaxUnpool1d
from agar.nn.layer import MaxUnpool2d as MaxUnpool2d
from agar.nn.layer import MaxUnpool3d as MaxUnpool3d
from agar.nn.layer import Mish as Mish
from agar.nn.layer import Moments as Moments
from agar.nn.layer import MultiFieldEmbeddingLookup as MultiFieldEmbeddingLookup
from agar.nn.layer import MultiheadAttention as MultiheadAttention
from agar.nn.layer import Norm as Norm
from agar.nn.layer import OneHot as OneHot
from agar.nn.layer import Pad as Pad
from agar.nn.layer import PixelShuffle as PixelShuffle
from agar.nn.layer import PixelUnshuffle as PixelUnshuffle
from agar.nn.layer import PReLU as PReLU
from agar.nn.layer import PReLUExt as PReLUExt
from agar.nn.layer import Range as Range
from agar.nn.layer import ReduceLogSumExp as ReduceLogSumExp
from agar.nn.layer import ReflectionPad1d as ReflectionPad1d
from agar.nn.layer import ReflectionPad2d as ReflectionPad2d
from agar.nn.layer import ReflectionPad3d as ReflectionPad3d
from agar.nn.layer import ReLU as ReLU
from agar.nn.layer import ReLU6 as ReLU6
from agar.nn.layer import ReplicationPad1d as ReplicationPad1d
from agar.nn.layer import ReplicationPad2d as ReplicationPad2d
from agar.nn.layer import ReplicationPad3d as ReplicationPad3d
from agar.nn.layer import RNNCell as RNNCell
from agar.nn.layer import Roll as Roll
from agar.nn.layer import RReLU as RReLU
from agar.nn.layer import SeLU as SeLU
from agar.nn.layer import SequentialCell as SequentialCell
from agar.nn.layer import Sigmoid as Sigmoid
from agar.nn.layer import SiLU as SiLU
from agar.nn.layer import Softmax as Softmax
from agar.nn.layer import Softmax2d as Softmax2d
from agar.nn.layer import Softmin as Softmin
from agar.nn.layer import SoftShrink as SoftShrink
from agar.nn.layer import Softsign as Softsign
from agar.nn.layer import SyncBatchNorm as SyncBatchNorm
from agar.nn.layer import Tanh as Tanh
from agar.nn.layer import Tanhshrink as Tanhshrink
from agar.nn.layer import Threshold as Threshold
from agar.nn.layer import TimeDistributed as TimeDistributed
from agar.nn.layer import Transformer as Transformer
from agar.nn.layer import TransformerDecoder as TransformerDecoder
from agar.nn.layer import TransformerDecoderLayer as TransformerDecoderLayer
from agar.nn.layer import TransformerEncoder as TransformerEncoder
from agar.nn.layer import TransformerEncoderLayer as TransformerEncoderLayer
from agar.nn.layer import Tril as Tril
from agar.nn.layer import Triu as Triu
from agar.nn.layer import Unflatten as Unflatten
from agar.nn.layer import Unfold as Unfold
from agar.nn.layer import Upsample as Upsample
from agar.nn.layer import ZeroPad2d as ZeroPad2d
from agar.nn.layer import get_activation as get_activation
from agar.nn.learning_rate_schedule import CosineDecayLR as CosineDecayLR
from agar.nn.learning_rate_schedule import ExponentialDecayLR as ExponentialDecayLR
from agar.nn.learning_rate_schedule import InverseDecayLR as InverseDecayLR
from agar.nn.learning_rate_schedule import NaturalExpDecayLR as NaturalExpDecayLR
from agar.nn.learning_rate_schedule import PolynomialDecayLR as PolynomialDecayLR
from agar.nn.learning_rate_schedule import WarmUpLR as WarmUpLR
from agar.nn.loss import BCELoss as BCELoss
from agar.nn.loss import BCEWithLogitsLoss as BCEWithLogitsLoss
from agar.nn.loss import CosineEmbeddingLoss as CosineEmbeddingLoss
from agar.nn.loss import CrossEntropyLoss as CrossEntropyLoss
from agar.nn.loss import CTCLoss as CTCLoss
from agar.nn.loss import DiceLoss as DiceLoss
from agar.nn.loss import FocalLoss as FocalLoss
from agar.nn.loss import GaussianNLLLoss as GaussianNLLLoss
from agar.nn.loss import HingeEmbeddingLoss as HingeEmbeddingLoss
from agar.nn.loss import HuberLoss as HuberLoss
from agar.nn.loss import KLDivLoss as KLDivLoss
from agar.nn.loss import L1Loss as L1Loss
from agar.nn.loss import L1LossExt as L1LossExt
from agar.nn.loss import LossBase as LossBase
from agar.nn.loss import MAELoss as MAELoss
from agar.nn.loss import MarginRankingLoss as MarginRankingLoss
from agar.nn.loss import MSELoss as MSELoss
from agar.nn.loss import MultiClassDiceLoss as MultiClassDiceLoss
from agar.nn.loss import MultilabelMarginLoss as MultilabelMarginLoss
from agar.nn.loss import MultiLabelSoftMarginLoss as MultiLabelSoftMarginLoss
from agar.nn.loss import MultiMarginLoss as MultiMarginLoss
from agar.nn.loss import NLLLoss as NLLLoss
from agar.nn.loss import PoissonNLLLoss as PoissonNLLLoss
from agar.nn.loss import RMSELoss as RMSELoss
from agar.nn.loss import SampledSoftmaxLoss as SampledSoftmaxLoss
from agar.nn.loss import SmoothL1Loss as SmoothL1Loss
from agar.nn.loss import SoftMarginLoss as SoftMarginLoss
from agar.nn.loss import SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits
from agar.nn.loss import TripletMarginLoss as TripletMarginLoss
from agar.nn.loss import TripletMarginWithDistanceLoss as TripletMarginWithDistanceLoss
from agar.nn.metrics import F1 as F1
from agar.nn.metrics import MAE as MAE
from agar.nn.metrics import MSE as MSE
from agar.nn.metrics import ROC as ROC
from agar.nn.metrics import Accuracy as Accuracy
from agar.nn.metrics import BleuScore as BleuScore
from agar.nn.metrics import ConfusionMatrix as ConfusionMatrix
from agar.nn.metrics import ConfusionMatrixMetric as ConfusionMatrixMetric
from agar.nn.metrics import CosineSimilarity as CosineSimilarity
from agar.nn.metrics import Dice as Dice
from agar.nn.metrics import Fbeta as Fbeta
from agar.nn.metrics import HausdorffDistance as HausdorffDistance
from agar.nn.metrics import Loss as Loss
from agar.nn.metrics import MeanSurfaceDistance as MeanSurfaceDistance
from agar.nn.metrics import Metric as Metric
from agar.nn.metrics import OcclusionSensitivity as OcclusionSensitivity
from agar.nn.metrics import Perplexity as Perplexity
from agar.nn.metrics import Precision as Precision
from agar.nn.metrics import Recall as Recall
from agar.nn.metrics import RootMeanSquareDistance as RootMeanSquareDistance
from agar.nn.metrics import Top1CategoricalAccuracy as Top1CategoricalAccuracy
from agar.nn.metrics import Top5CategoricalAccuracy as Top5CategoricalAccuracy
from agar.nn.metrics import TopKCategoricalAccuracy as TopKCategoricalAccuracy
from agar.nn.metrics import auc as auc
from agar.nn.metrics import get_metric_fn as get_metric_fn
from agar.nn.metrics import get_metrics as get_metrics
from agar.nn.metrics import names as names
from agar.nn.metrics import rearrange_inputs as rearrange_inputs
from agar.nn.optim import ASGD as ASGD
from agar.nn.optim import FTRL as FTRL
from agar.nn.optim import LARS as LARS
from agar.nn.optim import SGD as SGD
from agar.nn.optim import Adadelta as Adadelta
from agar.nn.optim import AdaFactor as AdaFactor
from agar.nn.optim import Adagrad as Adagrad
from agar.nn.optim import Adam as Adam
from agar.nn.optim import AdaMax as AdaMax
from agar.nn.optim import AdamOffload as AdamOffload
from agar.nn.optim import AdamWeightDecay as AdamWeightDecay
from agar.nn.optim import AdaSumByDeltaWeightWrapCell as AdaSumByDeltaWeightWrapCell
from agar.nn.optim import AdaSumByGradWrapCell as AdaSumByGradWrapCell
from agar.nn.optim import Lamb as Lamb
from agar.nn.optim import LazyAdam as LazyAdam
from agar.nn.optim import Momentum as Momentum
from agar.nn.optim import Optimizer as Optimizer
from agar.nn.optim import OptTFTWrapper as OptTFTWrapper
from agar.nn.optim import ProximalAdagrad as ProximalAdagrad
from agar.nn.optim import RMSProp as RMSProp
from agar.nn.optim import Rprop as Rprop
from agar.nn.optim import thor as thor
from agar.nn.sparse import SparseTensorDenseMatmul as SparseTensorDenseMatmul
from agar.nn.sparse import SparseToDense as SparseToDense
from agar.nn.utils import no_init_parameters as no_init_parameters
from agar.nn.wrap import DistributedGradReducer as DistributedGradReducer
from agar.nn.wrap import DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell
from agar.nn.wrap import FixedLossScaleUpdateCell as FixedLossScaleUpdateCell
from agar.nn.wrap import ForwardValueAndGrad as ForwardValueAndGrad
from agar.nn.wrap import GetNextSingleOp as GetNextSingleOp
from agar.nn.wrap import GradAccumulationCell as GradAccumulationCell
from agar.nn.wrap import MicroBatchInterleaved as MicroBatchInterleaved
from agar.nn.wrap import ParameterUpdate as ParameterUpdate
from agar.nn.wrap import PipelineCell as PipelineCell
from agar.nn.wrap import PipelineGradReducer as PipelineGradReducer
from agar.nn.wrap import TrainOneStepCell as TrainOneStepCell
from agar.nn.wrap import TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell
from agar.nn.wrap import VirtualDatasetCellTriple as VirtualDatasetCellTriple
from agar.nn.wrap import WithEvalCell as WithEvalCell
from agar.nn.wrap import WithGradCell as WithGradCell
from agar.nn.wrap import WithLossCell as WithLossCell

__all__: list[str] = []
__all__ += cell.__all__
__all__ += dynamic_lr.__all__
__all__ += grad.__all__
__all__ += graph_cell.__all__
__all__ += layer.__all__
__all__ += learning_rate_schedule.__all__
__all__ += loss.__all__
__all__ += metrics.__all__
__all__ += optim.__all__
__all__ += sparse.__all__
__all__ += utils.__all__
__all__ += wrap.__all__
# the base class of schedules is named in its module only
__all__.remove("LearningRateSchedule")
# once is enough: `layer` and `wrap` both name this
__all__.remove("TimeDistributed")
# here the metric; the layer of this name is `nn.layer.CosineSimilarity`
__all__.remove("CosineSimilarity")


def _late(name: str) -> object:
    """Load the distributions when they are first asked for: most programs need none."""
    import importlib

    if name == "probability":
        return importlib.import_module("agar.nn.probability")
    if name == "ResizeBilinear":  # of MindSpore 1
        return importlib.import_module("agar.nn.layer.resize").ResizeBilinear
    return importlib.import_module("agar._paths").old(name, "nn")


if TYPE_CHECKING:  # a checker shall know what there is
    from agar.nn import probability as probability
    from agar.nn.layer.resize import ResizeBilinear as ResizeBilinear
else:
    __getattr__ = _late
