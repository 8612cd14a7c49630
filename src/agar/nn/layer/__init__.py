"""Layers: the cells of which networks are built, at MindSpore's module paths."""

from agar.nn.layer import (
    activation,
    basic,
    channel_shuffle,
    combined,
    container,
    conv,
    dense,
    embedding,
    image,
    math,
    normalization,
    padding,
    pooling,
    rnn_cells,
    rnns,
    thor_layer,
    timedistributed,
    transformer,
)
from agar.nn.layer.activation import CELU as CELU
from agar.nn.layer.activation import ELU as ELU
from agar.nn.layer.activation import GELU as GELU
from agar.nn.layer.activation import GLU as GLU
from agar.nn.layer.activation import LRN as LRN
from agar.nn.layer.activation import FastGelu as FastGelu
from agar.nn.layer.activation import Hardtanh as Hardtanh
from agar.nn.layer.activation import HShrink as HShrink
from agar.nn.layer.activation import HSigmoid as HSigmoid
from agar.nn.layer.activation import HSwish as HSwish
from agar.nn.layer.activation import LeakyReLU as LeakyReLU
from agar.nn.layer.activation import LogSigmoid as LogSigmoid
from agar.nn.layer.activation import LogSoftmax as LogSoftmax
from agar.nn.layer.activation import LogSoftmaxExt as LogSoftmaxExt
from agar.nn.layer.activation import Mish as Mish
from agar.nn.layer.activation import PReLU as PReLU
from agar.nn.layer.activation import PReLUExt as PReLUExt
from agar.nn.layer.activation import ReLU as ReLU
from agar.nn.layer.activation import ReLU6 as ReLU6
from agar.nn.layer.activation import RReLU as RReLU
from agar.nn.layer.activation import SeLU as SeLU
from agar.nn.layer.activation import Sigmoid as Sigmoid
from agar.nn.layer.activation import SiLU as SiLU
from agar.nn.layer.activation import Softmax as Softmax
from agar.nn.layer.activation import Softmax2d as Softmax2d
from agar.nn.layer.activation import Softmin as Softmin
from agar.nn.layer.activation import SoftShrink as SoftShrink
from agar.nn.layer.activation import Softsign as Softsign
from agar.nn.layer.activation import Tanh as Tanh
from agar.nn.layer.activation import Tanhshrink as Tanhshrink
from agar.nn.layer.activation import Threshold as Threshold
from agar.nn.layer.activation import get_activation as get_activation
from agar.nn.layer.basic import ClipByNorm as ClipByNorm
from agar.nn.layer.basic import Dense as Dense
from agar.nn.layer.basic import Dropout as Dropout
from agar.nn.layer.basic import Dropout1d as Dropout1d
from agar.nn.layer.basic import Dropout2d as Dropout2d
from agar.nn.layer.basic import Dropout2dExt as Dropout2dExt
from agar.nn.layer.basic import Dropout3d as Dropout3d
from agar.nn.layer.basic import DropoutExt as DropoutExt
from agar.nn.layer.basic import Flatten as Flatten
from agar.nn.layer.basic import Identity as Identity
from agar.nn.layer.basic import L1Regularizer as L1Regularizer
from agar.nn.layer.basic import Linear as Linear
from agar.nn.layer.basic import MatrixDiag as MatrixDiag
from agar.nn.layer.basic import MatrixDiagPart as MatrixDiagPart
from agar.nn.layer.basic import MatrixSetDiag as MatrixSetDiag
from agar.nn.layer.basic import Norm as Norm
from agar.nn.layer.basic import OneHot as OneHot
from agar.nn.layer.basic import Pad as Pad
from agar.nn.layer.basic import Roll as Roll
from agar.nn.layer.basic import Tril as Tril
from agar.nn.layer.basic import Triu as Triu
from agar.nn.layer.basic import Unflatten as Unflatten
from agar.nn.layer.basic import Unfold as Unfold
from agar.nn.layer.basic import Upsample as Upsample
from agar.nn.layer.channel_shuffle import ChannelShuffle as ChannelShuffle
from agar.nn.layer.combined import Conv2dBnAct as Conv2dBnAct
from agar.nn.layer.combined import DenseBnAct as DenseBnAct
from agar.nn.layer.container import CellDict as CellDict
from agar.nn.layer.container import CellList as CellList
from agar.nn.layer.container import SequentialCell as SequentialCell
from agar.nn.layer.conv import Conv1d as Conv1d
from agar.nn.layer.conv import Conv1dTranspose as Conv1dTranspose
from agar.nn.layer.conv import Conv2d as Conv2d
from agar.nn.layer.conv import Conv2dTranspose as Conv2dTranspose
from agar.nn.layer.conv import Conv3d as Conv3d
from agar.nn.layer.conv import Conv3dTranspose as Conv3dTranspose
from agar.nn.layer.dense import BiDense as BiDense
from agar.nn.layer.embedding import Embedding as Embedding
from agar.nn.layer.embedding import EmbeddingExt as EmbeddingExt
from agar.nn.layer.embedding import EmbeddingLookup as EmbeddingLookup
from agar.nn.layer.embedding import MultiFieldEmbeddingLookup as MultiFieldEmbeddingLookup
from agar.nn.layer.image import MSSSIM as MSSSIM
from agar.nn.layer.image import PSNR as PSNR
from agar.nn.layer.image import SSIM as SSIM
from agar.nn.layer.image import CentralCrop as CentralCrop
from agar.nn.layer.image import ImageGradients as ImageGradients
from agar.nn.layer.image import PixelShuffle as PixelShuffle
from agar.nn.layer.image import PixelUnshuffle as PixelUnshuffle
from agar.nn.layer.math import CosineSimilarity as CosineSimilarity
from agar.nn.layer.math import DiGamma as DiGamma
from agar.nn.layer.math import IGamma as IGamma
from agar.nn.layer.math import LBeta as LBeta
from agar.nn.layer.math import LGamma as LGamma
from agar.nn.layer.math import MatDet as MatDet
from agar.nn.layer.math import MatInverse as MatInverse
from agar.nn.layer.math import MatMul as MatMul
from agar.nn.layer.math import Moments as Moments
from agar.nn.layer.math import Range as Range
from agar.nn.layer.math import ReduceLogSumExp as ReduceLogSumExp
from agar.nn.layer.normalization import BatchNorm1d as BatchNorm1d
from agar.nn.layer.normalization import BatchNorm2d as BatchNorm2d
from agar.nn.layer.normalization import BatchNorm3d as BatchNorm3d
from agar.nn.layer.normalization import GroupNorm as GroupNorm
from agar.nn.layer.normalization import InstanceNorm1d as InstanceNorm1d
from agar.nn.layer.normalization import InstanceNorm2d as InstanceNorm2d
from agar.nn.layer.normalization import InstanceNorm3d as InstanceNorm3d
from agar.nn.layer.normalization import LayerNorm as LayerNorm
from agar.nn.layer.normalization import LayerNormExt as LayerNormExt
from agar.nn.layer.normalization import SyncBatchNorm as SyncBatchNorm
from agar.nn.layer.padding import ConstantPad1d as ConstantPad1d
from agar.nn.layer.padding import ConstantPad2d as ConstantPad2d
from agar.nn.layer.padding import ConstantPad3d as ConstantPad3d
from agar.nn.layer.padding import ReflectionPad1d as ReflectionPad1d
from agar.nn.layer.padding import ReflectionPad2d as ReflectionPad2d
from agar.nn.layer.padding import ReflectionPad3d as ReflectionPad3d
from agar.nn.layer.padding import ReplicationPad1d as ReplicationPad1d
from agar.nn.layer.padding import ReplicationPad2d as ReplicationPad2d
from agar.nn.layer.padding import ReplicationPad3d as ReplicationPad3d
from agar.nn.layer.padding import ZeroPad2d as ZeroPad2d
from agar.nn.layer.pooling import AdaptiveAvgPool1d as AdaptiveAvgPool1d
from agar.nn.layer.pooling import AdaptiveAvgPool2d as AdaptiveAvgPool2d
from agar.nn.layer.pooling import AdaptiveAvgPool3d as AdaptiveAvgPool3d
from agar.nn.layer.pooling import AdaptiveMaxPool1d as AdaptiveMaxPool1d
from agar.nn.layer.pooling import AdaptiveMaxPool2d as AdaptiveMaxPool2d
from agar.nn.layer.pooling import AdaptiveMaxPool3d as AdaptiveMaxPool3d
from agar.nn.layer.pooling import AvgPool1d as AvgPool1d
from agar.nn.layer.pooling import AvgPool1dExt as AvgPool1dExt
from agar.nn.layer.pooling import AvgPool2d as AvgPool2d
from agar.nn.layer.pooling import AvgPool2dExt as AvgPool2dExt
from agar.nn.layer.pooling import AvgPool3d as AvgPool3d
from agar.nn.layer.pooling import AvgPool3dExt as AvgPool3dExt
from agar.nn.layer.pooling import FractionalMaxPool2d as FractionalMaxPool2d
from agar.nn.layer.pooling import FractionalMaxPool3d as FractionalMaxPool3d
from agar.nn.layer.pooling import LPPool1d as LPPool1d
from agar.nn.layer.pooling import LPPool2d as LPPool2d
from agar.nn.layer.pooling import MaxPool1d as MaxPool1d
from agar.nn.layer.pooling import MaxPool2d as MaxPool2d
from agar.nn.layer.pooling import MaxPool2dExt as MaxPool2dExt
from agar.nn.layer.pooling import MaxPool3d as MaxPool3d
from agar.nn.layer.pooling import MaxUnpool1d as MaxUnpool1d
from agar.nn.layer.pooling import MaxUnpool2d as MaxUnpool2d
from agar.nn.layer.pooling import MaxUnpool3d as MaxUnpool3d
from agar.nn.layer.rnn_cells import GRUCell as GRUCell
from agar.nn.layer.rnn_cells import LSTMCell as LSTMCell
from agar.nn.layer.rnn_cells import RNNCell as RNNCell
from agar.nn.layer.rnns import GRU as GRU
from agar.nn.layer.rnns import LSTM as LSTM
from agar.nn.layer.rnns import RNN as RNN
from agar.nn.layer.thor_layer import Conv2dThor as Conv2dThor
from agar.nn.layer.thor_layer import DenseThor as DenseThor
from agar.nn.layer.thor_layer import EmbeddingLookupThor as EmbeddingLookupThor
from agar.nn.layer.thor_layer import EmbeddingThor as EmbeddingThor
from agar.nn.layer.timedistributed import TimeDistributed as TimeDistributed
from agar.nn.layer.transformer import MultiheadAttention as MultiheadAttention
from agar.nn.layer.transformer import Transformer as Transformer
from agar.nn.layer.transformer import TransformerDecoder as TransformerDecoder
from agar.nn.layer.transformer import TransformerDecoderLayer as TransformerDecoderLayer
from agar.nn.layer.transformer import TransformerEncoder as TransformerEncoder
from agar.nn.layer.transformer import TransformerEncoderLayer as TransformerEncoderLayer

__all__: list[str] = []
__all__ += activation.__all__
__all__ += basic.__all__
__all__ += channel_shuffle.__all__
__all__ += combined.__all__
__all__ += container.__all__
__all__ += conv.__all__
__all__ += dense.__all__
__all__ += embedding.__all__
__all__ += image.__all__
__all__ += math.__all__
__all__ += normalization.__all__
__all__ += padding.__all__
__all__ += pooling.__all__
__all__ += rnn_cells.__all__
__all__ += rnns.__all__
__all__ += thor_layer.__all__
__all__ += timedistributed.__all__
__all__ += transformer.__all__
# the base class of recurrent cells is named in its module only
__all__.remove("RNNCellBase")
