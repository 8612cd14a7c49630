"""Loss cells."""

from typing import TYPE_CHECKING

from agar._core.late import late as _late

if TYPE_CHECKING:
    from agar.nn.loss.loss import BCELoss as BCELoss
    from agar.nn.loss.loss import BCEWithLogitsLoss as BCEWithLogitsLoss
    from agar.nn.loss.loss import CosineEmbeddingLoss as CosineEmbeddingLoss
    from agar.nn.loss.loss import CrossEntropyLoss as CrossEntropyLoss
    from agar.nn.loss.loss import CTCLoss as CTCLoss
    from agar.nn.loss.loss import DiceLoss as DiceLoss
    from agar.nn.loss.loss import FocalLoss as FocalLoss
    from agar.nn.loss.loss import GaussianNLLLoss as GaussianNLLLoss
    from agar.nn.loss.loss import HingeEmbeddingLoss as HingeEmbeddingLoss
    from agar.nn.loss.loss import HuberLoss as HuberLoss
    from agar.nn.loss.loss import KLDivLoss as KLDivLoss
    from agar.nn.loss.loss import L1Loss as L1Loss
    from agar.nn.loss.loss import L1LossExt as L1LossExt
    from agar.nn.loss.loss import LossBase as LossBase
    from agar.nn.loss.loss import MAELoss as MAELoss
    from agar.nn.loss.loss import MarginRankingLoss as MarginRankingLoss
    from agar.nn.loss.loss import MSELoss as MSELoss
    from agar.nn.loss.loss import MultiClassDiceLoss as MultiClassDiceLoss
    from agar.nn.loss.loss import MultilabelMarginLoss as MultilabelMarginLoss
    from agar.nn.loss.loss import MultiLabelSoftMarginLoss as MultiLabelSoftMarginLoss
    from agar.nn.loss.loss import MultiMarginLoss as MultiMarginLoss
    from agar.nn.loss.loss import NLLLoss as NLLLoss
    from agar.nn.loss.loss import PoissonNLLLoss as PoissonNLLLoss
    from agar.nn.loss.loss import RMSELoss as RMSELoss
    from agar.nn.loss.loss import SampledSoftmaxLoss as SampledSoftmaxLoss
    from agar.nn.loss.loss import SmoothL1Loss as SmoothL1Loss
    from agar.nn.loss.loss import SoftMarginLoss as SoftMarginLoss
    from agar.nn.loss.loss import SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits
    from agar.nn.loss.loss import TripletMarginLoss as TripletMarginLoss
    from agar.nn.loss.loss import TripletMarginWithDistanceLoss as TripletMarginWithDistanceLoss
else:
    __getattr__, __dir__ = _late(globals())

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CTCLoss",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "DiceLoss",
    "FocalLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "L1LossExt",
    "LossBase",
    "MAELoss",
    "MSELoss",
    "MarginRankingLoss",
    "MultiClassDiceLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "MultilabelMarginLoss",
    "NLLLoss",
    "PoissonNLLLoss",
    "RMSELoss",
    "SampledSoftmaxLoss",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "SoftmaxCrossEntropyWithLogits",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]
