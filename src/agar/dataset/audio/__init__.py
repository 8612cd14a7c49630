"""Transforms of audio: filters, effects, spectrograms and back, masks, features of speech."""

from __future__ import annotations

from agar.dataset.audio import transforms as transforms
from agar.dataset.audio import utils as utils
from agar.dataset.audio.transforms import LFCC as LFCC
from agar.dataset.audio.transforms import MFCC as MFCC
from agar.dataset.audio.transforms import AllpassBiquad as AllpassBiquad
from agar.dataset.audio.transforms import AmplitudeToDB as AmplitudeToDB
from agar.dataset.audio.transforms import Angle as Angle
from agar.dataset.audio.transforms import BandBiquad as BandBiquad
from agar.dataset.audio.transforms import BandpassBiquad as BandpassBiquad
from agar.dataset.audio.transforms import BandrejectBiquad as BandrejectBiquad
from agar.dataset.audio.transforms import BassBiquad as BassBiquad
from agar.dataset.audio.transforms import Biquad as Biquad
from agar.dataset.audio.transforms import ComplexNorm as ComplexNorm
from agar.dataset.audio.transforms import ComputeDeltas as ComputeDeltas
from agar.dataset.audio.transforms import Contrast as Contrast
from agar.dataset.audio.transforms import DBToAmplitude as DBToAmplitude
from agar.dataset.audio.transforms import DCShift as DCShift
from agar.dataset.audio.transforms import DeemphBiquad as DeemphBiquad
from agar.dataset.audio.transforms import DetectPitchFrequency as DetectPitchFrequency
from agar.dataset.audio.transforms import Dither as Dither
from agar.dataset.audio.transforms import EqualizerBiquad as EqualizerBiquad
from agar.dataset.audio.transforms import Fade as Fade
from agar.dataset.audio.transforms import Filtfilt as Filtfilt
from agar.dataset.audio.transforms import Flanger as Flanger
from agar.dataset.audio.transforms import FrequencyMasking as FrequencyMasking
from agar.dataset.audio.transforms import Gain as Gain
from agar.dataset.audio.transforms import GriffinLim as GriffinLim
from agar.dataset.audio.transforms import HighpassBiquad as HighpassBiquad
from agar.dataset.audio.transforms import InverseMelScale as InverseMelScale
from agar.dataset.audio.transforms import InverseSpectrogram as InverseSpectrogram
from agar.dataset.audio.transforms import LFilter as LFilter
from agar.dataset.audio.transforms import LowpassBiquad as LowpassBiquad
from agar.dataset.audio.transforms import Magphase as Magphase
from agar.dataset.audio.transforms import MaskAlongAxis as MaskAlongAxis
from agar.dataset.audio.transforms import MaskAlongAxisIID as MaskAlongAxisIID
from agar.dataset.audio.transforms import MelScale as MelScale
from agar.dataset.audio.transforms import MelSpectrogram as MelSpectrogram
from agar.dataset.audio.transforms import MuLawDecoding as MuLawDecoding
from agar.dataset.audio.transforms import MuLawEncoding as MuLawEncoding
from agar.dataset.audio.transforms import Overdrive as Overdrive
from agar.dataset.audio.transforms import Phaser as Phaser
from agar.dataset.audio.transforms import PhaseVocoder as PhaseVocoder
from agar.dataset.audio.transforms import PitchShift as PitchShift
from agar.dataset.audio.transforms import Resample as Resample
from agar.dataset.audio.transforms import RiaaBiquad as RiaaBiquad
from agar.dataset.audio.transforms import SlidingWindowCmn as SlidingWindowCmn
from agar.dataset.audio.transforms import SpectralCentroid as SpectralCentroid
from agar.dataset.audio.transforms import Spectrogram as Spectrogram
from agar.dataset.audio.transforms import TimeMasking as TimeMasking
from agar.dataset.audio.transforms import TimeStretch as TimeStretch
from agar.dataset.audio.transforms import TrebleBiquad as TrebleBiquad
from agar.dataset.audio.transforms import Vad as Vad
from agar.dataset.audio.transforms import Vol as Vol
from agar.dataset.audio.utils import BorderType as BorderType
from agar.dataset.audio.utils import DensityFunction as DensityFunction
from agar.dataset.audio.utils import FadeShape as FadeShape
from agar.dataset.audio.utils import GainType as GainType
from agar.dataset.audio.utils import Interpolation as Interpolation
from agar.dataset.audio.utils import MelType as MelType
from agar.dataset.audio.utils import Modulation as Modulation
from agar.dataset.audio.utils import NormMode as NormMode
from agar.dataset.audio.utils import NormType as NormType
from agar.dataset.audio.utils import ResampleMethod as ResampleMethod
from agar.dataset.audio.utils import ScaleType as ScaleType
from agar.dataset.audio.utils import WindowType as WindowType
from agar.dataset.audio.utils import create_dct as create_dct
from agar.dataset.audio.utils import linear_fbanks as linear_fbanks
from agar.dataset.audio.utils import melscale_fbanks as melscale_fbanks

__all__ = [
    "LFCC",
    "MFCC",
    "AllpassBiquad",
    "AmplitudeToDB",
    "Angle",
    "BandBiquad",
    "BandpassBiquad",
    "BandrejectBiquad",
    "BassBiquad",
    "Biquad",
    "BorderType",
    "ComplexNorm",
    "ComputeDeltas",
    "Contrast",
    "DBToAmplitude",
    "DCShift",
    "DeemphBiquad",
    "DensityFunction",
    "DetectPitchFrequency",
    "Dither",
    "EqualizerBiquad",
    "Fade",
    "FadeShape",
    "Filtfilt",
    "Flanger",
    "FrequencyMasking",
    "Gain",
    "GainType",
    "GriffinLim",
    "HighpassBiquad",
    "Interpolation",
    "InverseMelScale",
    "InverseSpectrogram",
    "LFilter",
    "LowpassBiquad",
    "Magphase",
    "MaskAlongAxis",
    "MaskAlongAxisIID",
    "MelScale",
    "MelSpectrogram",
    "MelType",
    "Modulation",
    "MuLawDecoding",
    "MuLawEncoding",
    "NormMode",
    "NormType",
    "Overdrive",
    "PhaseVocoder",
    "Phaser",
    "PitchShift",
    "Resample",
    "ResampleMethod",
    "RiaaBiquad",
    "ScaleType",
    "SlidingWindowCmn",
    "SpectralCentroid",
    "Spectrogram",
    "TimeMasking",
    "TimeStretch",
    "TrebleBiquad",
    "Vad",
    "Vol",
    "WindowType",
    "create_dct",
    "linear_fbanks",
    "melscale_fbanks",
]
