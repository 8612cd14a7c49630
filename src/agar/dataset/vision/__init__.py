"""Transforms of images: decoding, sizes, crops, colors, random changes; and image files."""

from __future__ import annotations

from agar.dataset.transforms.transforms import not_random as not_random
from agar.dataset.vision import transforms as transforms
from agar.dataset.vision import utils as utils
from agar.dataset.vision.transforms import HWC2CHW as HWC2CHW
from agar.dataset.vision.transforms import AdjustBrightness as AdjustBrightness
from agar.dataset.vision.transforms import AdjustContrast as AdjustContrast
from agar.dataset.vision.transforms import AdjustGamma as AdjustGamma
from agar.dataset.vision.transforms import AdjustHue as AdjustHue
from agar.dataset.vision.transforms import AdjustSaturation as AdjustSaturation
from agar.dataset.vision.transforms import AdjustSharpness as AdjustSharpness
from agar.dataset.vision.transforms import Affine as Affine
from agar.dataset.vision.transforms import AutoAugment as AutoAugment
from agar.dataset.vision.transforms import AutoContrast as AutoContrast
from agar.dataset.vision.transforms import BoundingBoxAugment as BoundingBoxAugment
from agar.dataset.vision.transforms import CenterCrop as CenterCrop
from agar.dataset.vision.transforms import ConvertColor as ConvertColor
from agar.dataset.vision.transforms import Crop as Crop
from agar.dataset.vision.transforms import CutMixBatch as CutMixBatch
from agar.dataset.vision.transforms import CutOut as CutOut
from agar.dataset.vision.transforms import Decode as Decode
from agar.dataset.vision.transforms import DecodeVideo as DecodeVideo
from agar.dataset.vision.transforms import Equalize as Equalize
from agar.dataset.vision.transforms import Erase as Erase
from agar.dataset.vision.transforms import FiveCrop as FiveCrop
from agar.dataset.vision.transforms import GaussianBlur as GaussianBlur
from agar.dataset.vision.transforms import Grayscale as Grayscale
from agar.dataset.vision.transforms import HorizontalFlip as HorizontalFlip
from agar.dataset.vision.transforms import HsvToRgb as HsvToRgb
from agar.dataset.vision.transforms import Invert as Invert
from agar.dataset.vision.transforms import LinearTransformation as LinearTransformation
from agar.dataset.vision.transforms import MixUp as MixUp
from agar.dataset.vision.transforms import MixUpBatch as MixUpBatch
from agar.dataset.vision.transforms import Normalize as Normalize
from agar.dataset.vision.transforms import NormalizePad as NormalizePad
from agar.dataset.vision.transforms import Pad as Pad
from agar.dataset.vision.transforms import PadToSize as PadToSize
from agar.dataset.vision.transforms import Perspective as Perspective
from agar.dataset.vision.transforms import Posterize as Posterize
from agar.dataset.vision.transforms import RandAugment as RandAugment
from agar.dataset.vision.transforms import RandomAdjustSharpness as RandomAdjustSharpness
from agar.dataset.vision.transforms import RandomAffine as RandomAffine
from agar.dataset.vision.transforms import RandomAutoContrast as RandomAutoContrast
from agar.dataset.vision.transforms import RandomColor as RandomColor
from agar.dataset.vision.transforms import RandomColorAdjust as RandomColorAdjust
from agar.dataset.vision.transforms import RandomCrop as RandomCrop
from agar.dataset.vision.transforms import RandomCropDecodeResize as RandomCropDecodeResize
from agar.dataset.vision.transforms import RandomCropWithBBox as RandomCropWithBBox
from agar.dataset.vision.transforms import RandomEqualize as RandomEqualize
from agar.dataset.vision.transforms import RandomErasing as RandomErasing
from agar.dataset.vision.transforms import RandomGrayscale as RandomGrayscale
from agar.dataset.vision.transforms import RandomHorizontalFlip as RandomHorizontalFlip
from agar.dataset.vision.transforms import (
    RandomHorizontalFlipWithBBox as RandomHorizontalFlipWithBBox,
)
from agar.dataset.vision.transforms import RandomInvert as RandomInvert
from agar.dataset.vision.transforms import RandomLighting as RandomLighting
from agar.dataset.vision.transforms import RandomPerspective as RandomPerspective
from agar.dataset.vision.transforms import RandomPosterize as RandomPosterize
from agar.dataset.vision.transforms import RandomResize as RandomResize
from agar.dataset.vision.transforms import RandomResizedCrop as RandomResizedCrop
from agar.dataset.vision.transforms import RandomResizedCropWithBBox as RandomResizedCropWithBBox
from agar.dataset.vision.transforms import RandomResizeWithBBox as RandomResizeWithBBox
from agar.dataset.vision.transforms import RandomRotation as RandomRotation
from agar.dataset.vision.transforms import RandomSelectSubpolicy as RandomSelectSubpolicy
from agar.dataset.vision.transforms import RandomSharpness as RandomSharpness
from agar.dataset.vision.transforms import RandomSolarize as RandomSolarize
from agar.dataset.vision.transforms import RandomVerticalFlip as RandomVerticalFlip
from agar.dataset.vision.transforms import RandomVerticalFlipWithBBox as RandomVerticalFlipWithBBox
from agar.dataset.vision.transforms import Rescale as Rescale
from agar.dataset.vision.transforms import Resize as Resize
from agar.dataset.vision.transforms import ResizedCrop as ResizedCrop
from agar.dataset.vision.transforms import ResizeWithBBox as ResizeWithBBox
from agar.dataset.vision.transforms import RgbToHsv as RgbToHsv
from agar.dataset.vision.transforms import Rotate as Rotate
from agar.dataset.vision.transforms import SlicePatches as SlicePatches
from agar.dataset.vision.transforms import Solarize as Solarize
from agar.dataset.vision.transforms import TenCrop as TenCrop
from agar.dataset.vision.transforms import ToNumpy as ToNumpy
from agar.dataset.vision.transforms import ToPIL as ToPIL
from agar.dataset.vision.transforms import ToTensor as ToTensor
from agar.dataset.vision.transforms import ToType as ToType
from agar.dataset.vision.transforms import TrivialAugmentWide as TrivialAugmentWide
from agar.dataset.vision.transforms import UniformAugment as UniformAugment
from agar.dataset.vision.transforms import VerticalFlip as VerticalFlip
from agar.dataset.vision.utils import AutoAugmentPolicy as AutoAugmentPolicy
from agar.dataset.vision.utils import Border as Border
from agar.dataset.vision.utils import ConvertMode as ConvertMode
from agar.dataset.vision.utils import ImageBatchFormat as ImageBatchFormat
from agar.dataset.vision.utils import ImageReadMode as ImageReadMode
from agar.dataset.vision.utils import Inter as Inter
from agar.dataset.vision.utils import SliceMode as SliceMode
from agar.dataset.vision.utils import VideoDecoder as VideoDecoder
from agar.dataset.vision.utils import encode_jpeg as encode_jpeg
from agar.dataset.vision.utils import encode_png as encode_png
from agar.dataset.vision.utils import get_image_num_channels as get_image_num_channels
from agar.dataset.vision.utils import get_image_size as get_image_size
from agar.dataset.vision.utils import read_file as read_file
from agar.dataset.vision.utils import read_image as read_image
from agar.dataset.vision.utils import read_video as read_video
from agar.dataset.vision.utils import read_video_timestamps as read_video_timestamps
from agar.dataset.vision.utils import write_file as write_file
from agar.dataset.vision.utils import write_jpeg as write_jpeg
from agar.dataset.vision.utils import write_png as write_png

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
    "AutoAugmentPolicy",
    "AutoContrast",
    "Border",
    "BoundingBoxAugment",
    "CenterCrop",
    "ConvertColor",
    "ConvertMode",
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
    "ImageBatchFormat",
    "ImageReadMode",
    "Inter",
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
    "SliceMode",
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
    "VideoDecoder",
    "encode_jpeg",
    "encode_png",
    "get_image_num_channels",
    "get_image_size",
    "not_random",
    "read_file",
    "read_image",
    "read_video",
    "read_video_timestamps",
    "write_file",
    "write_jpeg",
    "write_png",
]
