"""Transforms of images, under MindSpore's path (``dataset.vision.transforms``).

They are defined in modules by family: `_basic` (decoding, types, scales), `_geometry`,
`_random_crops`, `_warps`, `_colors`, `_random_colors`, `_mixing` (erasing, mixing batches),
`_boxes`, `_policies`. Their names are at home here, as in
MindSpore.
"""

from __future__ import annotations

from agar.dataset.transforms.transforms import PyTensorOperation as PyTensorOperation
from agar.dataset.transforms.transforms import TensorOperation as TensorOperation
from agar.dataset.transforms.transforms import not_random as not_random
from agar.dataset.vision._base import ImageTensorOperation as ImageTensorOperation
from agar.dataset.vision._base import VideoTensorOperation as VideoTensorOperation
from agar.dataset.vision._basic import HWC2CHW as HWC2CHW
from agar.dataset.vision._basic import Decode as Decode
from agar.dataset.vision._basic import DecodeVideo as DecodeVideo
from agar.dataset.vision._basic import LinearTransformation as LinearTransformation
from agar.dataset.vision._basic import Normalize as Normalize
from agar.dataset.vision._basic import NormalizePad as NormalizePad
from agar.dataset.vision._basic import Rescale as Rescale
from agar.dataset.vision._basic import ToNumpy as ToNumpy
from agar.dataset.vision._basic import ToPIL as ToPIL
from agar.dataset.vision._basic import ToTensor as ToTensor
from agar.dataset.vision._basic import ToType as ToType
from agar.dataset.vision._boxes import BoundingBoxAugment as BoundingBoxAugment
from agar.dataset.vision._boxes import RandomCropWithBBox as RandomCropWithBBox
from agar.dataset.vision._boxes import RandomHorizontalFlipWithBBox as RandomHorizontalFlipWithBBox
from agar.dataset.vision._boxes import RandomResizedCropWithBBox as RandomResizedCropWithBBox
from agar.dataset.vision._boxes import RandomResizeWithBBox as RandomResizeWithBBox
from agar.dataset.vision._boxes import RandomVerticalFlipWithBBox as RandomVerticalFlipWithBBox
from agar.dataset.vision._boxes import ResizeWithBBox as ResizeWithBBox
from agar.dataset.vision._color import AdjustBrightness as AdjustBrightness
from agar.dataset.vision._color import AdjustContrast as AdjustContrast
from agar.dataset.vision._color import AdjustGamma as AdjustGamma
from agar.dataset.vision._color import AdjustHue as AdjustHue
from agar.dataset.vision._color import AdjustSaturation as AdjustSaturation
from agar.dataset.vision._color import AdjustSharpness as AdjustSharpness
from agar.dataset.vision._color import AutoContrast as AutoContrast
from agar.dataset.vision._color import ConvertColor as ConvertColor
from agar.dataset.vision._color import Equalize as Equalize
from agar.dataset.vision._color import GaussianBlur as GaussianBlur
from agar.dataset.vision._color import Grayscale as Grayscale
from agar.dataset.vision._color import HsvToRgb as HsvToRgb
from agar.dataset.vision._color import Invert as Invert
from agar.dataset.vision._color import Posterize as Posterize
from agar.dataset.vision._color import RgbToHsv as RgbToHsv
from agar.dataset.vision._color import Solarize as Solarize
from agar.dataset.vision._geometry import CenterCrop as CenterCrop
from agar.dataset.vision._geometry import Crop as Crop
from agar.dataset.vision._geometry import FiveCrop as FiveCrop
from agar.dataset.vision._geometry import HorizontalFlip as HorizontalFlip
from agar.dataset.vision._geometry import Pad as Pad
from agar.dataset.vision._geometry import PadToSize as PadToSize
from agar.dataset.vision._geometry import RandomHorizontalFlip as RandomHorizontalFlip
from agar.dataset.vision._geometry import RandomVerticalFlip as RandomVerticalFlip
from agar.dataset.vision._geometry import Resize as Resize
from agar.dataset.vision._geometry import ResizedCrop as ResizedCrop
from agar.dataset.vision._geometry import SlicePatches as SlicePatches
from agar.dataset.vision._geometry import TenCrop as TenCrop
from agar.dataset.vision._geometry import VerticalFlip as VerticalFlip
from agar.dataset.vision._mixing import CutMixBatch as CutMixBatch
from agar.dataset.vision._mixing import CutOut as CutOut
from agar.dataset.vision._mixing import Erase as Erase
from agar.dataset.vision._mixing import MixUp as MixUp
from agar.dataset.vision._mixing import MixUpBatch as MixUpBatch
from agar.dataset.vision._mixing import RandomErasing as RandomErasing
from agar.dataset.vision._policies import AutoAugment as AutoAugment
from agar.dataset.vision._policies import RandAugment as RandAugment
from agar.dataset.vision._policies import RandomSelectSubpolicy as RandomSelectSubpolicy
from agar.dataset.vision._policies import TrivialAugmentWide as TrivialAugmentWide
from agar.dataset.vision._policies import UniformAugment as UniformAugment
from agar.dataset.vision._random_color import RandomAdjustSharpness as RandomAdjustSharpness
from agar.dataset.vision._random_color import RandomAutoContrast as RandomAutoContrast
from agar.dataset.vision._random_color import RandomColor as RandomColor
from agar.dataset.vision._random_color import RandomColorAdjust as RandomColorAdjust
from agar.dataset.vision._random_color import RandomEqualize as RandomEqualize
from agar.dataset.vision._random_color import RandomGrayscale as RandomGrayscale
from agar.dataset.vision._random_color import RandomInvert as RandomInvert
from agar.dataset.vision._random_color import RandomLighting as RandomLighting
from agar.dataset.vision._random_color import RandomPosterize as RandomPosterize
from agar.dataset.vision._random_color import RandomSharpness as RandomSharpness
from agar.dataset.vision._random_color import RandomSolarize as RandomSolarize
from agar.dataset.vision._random_crops import RandomCrop as RandomCrop
from agar.dataset.vision._random_crops import RandomCropDecodeResize as RandomCropDecodeResize
from agar.dataset.vision._random_crops import RandomResize as RandomResize
from agar.dataset.vision._random_crops import RandomResizedCrop as RandomResizedCrop
from agar.dataset.vision._warps import Affine as Affine
from agar.dataset.vision._warps import Perspective as Perspective
from agar.dataset.vision._warps import RandomAffine as RandomAffine
from agar.dataset.vision._warps import RandomPerspective as RandomPerspective
from agar.dataset.vision._warps import RandomRotation as RandomRotation
from agar.dataset.vision._warps import Rotate as Rotate

__all__ = [
    "HWC2CHW",
    "AdjustBrightness",
    "AdjustContrast",
    "AdjustGamma",
    "AdjustHue",
    "AdjustSaturation",
    "AdjustSharpness",
    "Affine",
    "AutoAugment",
    "AutoContrast",
    "BoundingBoxAugment",
    "CenterCrop",
    "ConvertColor",
    "Crop",
    "CutMixBatch",
    "CutOut",
    "Decode",
    "DecodeVideo",
    "Equalize",
    "Erase",
    "FiveCrop",
    "GaussianBlur",
    "Grayscale",
    "HorizontalFlip",
    "HsvToRgb",
    "ImageTensorOperation",
    "Invert",
    "LinearTransformation",
    "MixUp",
    "MixUpBatch",
    "Normalize",
    "NormalizePad",
    "Pad",
    "PadToSize",
    "Perspective",
    "Posterize",
    "RandAugment",
    "RandomAdjustSharpness",
    "RandomAffine",
    "RandomAutoContrast",
    "RandomColor",
    "RandomColorAdjust",
    "RandomCrop",
    "RandomCropDecodeResize",
    "RandomCropWithBBox",
    "RandomEqualize",
    "RandomErasing",
    "RandomGrayscale",
    "RandomHorizontalFlip",
    "RandomHorizontalFlipWithBBox",
    "RandomInvert",
    "RandomLighting",
    "RandomPerspective",
    "RandomPosterize",
    "RandomResize",
    "RandomResizeWithBBox",
    "RandomResizedCrop",
    "RandomResizedCropWithBBox",
    "RandomRotation",
    "RandomSelectSubpolicy",
    "RandomSharpness",
    "RandomSolarize",
    "RandomVerticalFlip",
    "RandomVerticalFlipWithBBox",
    "Rescale",
    "Resize",
    "ResizeWithBBox",
    "ResizedCrop",
    "RgbToHsv",
    "Rotate",
    "SlicePatches",
    "Solarize",
    "TenCrop",
    "ToNumpy",
    "ToPIL",
    "ToTensor",
    "ToType",
    "TrivialAugmentWide",
    "UniformAugment",
    "VerticalFlip",
    "VideoTensorOperation",
]

for _name in __all__:
    globals()[_name].__module__ = __name__
