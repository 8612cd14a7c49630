"""Transforms of audio, under MindSpore's path (``dataset.audio.transforms``).

They are defined in modules by family: `_filters` (recursive filters), `_effects` (sample by
sample, flanger, phaser), `_spectral` (spectrograms), `_mel` (mels, cepstra), `_rates` (speed,
pitch, sampling rate), `_speech` (pitch, activity, features), `_masks`. Their names are at home
here, as in MindSpore.
"""

from __future__ import annotations

from agar.dataset.audio._base import AudioTensorOperation as AudioTensorOperation
from agar.dataset.audio._effects import Contrast as Contrast
from agar.dataset.audio._effects import DBToAmplitude as DBToAmplitude
from agar.dataset.audio._effects import DCShift as DCShift
from agar.dataset.audio._effects import Dither as Dither
from agar.dataset.audio._effects import Fade as Fade
from agar.dataset.audio._effects import Flanger as Flanger
from agar.dataset.audio._effects import Gain as Gain
from agar.dataset.audio._effects import MuLawDecoding as MuLawDecoding
from agar.dataset.audio._effects import MuLawEncoding as MuLawEncoding
from agar.dataset.audio._effects import Overdrive as Overdrive
from agar.dataset.audio._effects import Phaser as Phaser
from agar.dataset.audio._effects import Vol as Vol
from agar.dataset.audio._filters import AllpassBiquad as AllpassBiquad
from agar.dataset.audio._filters import BandBiquad as BandBiquad
from agar.dataset.audio._filters import BandpassBiquad as BandpassBiquad
from agar.dataset.audio._filters import BandrejectBiquad as BandrejectBiquad
from agar.dataset.audio._filters import BassBiquad as BassBiquad
from agar.dataset.audio._filters import Biquad as Biquad
from agar.dataset.audio._filters import DeemphBiquad as DeemphBiquad
from agar.dataset.audio._filters import EqualizerBiquad as EqualizerBiquad
from agar.dataset.audio._filters import Filtfilt as Filtfilt
from agar.dataset.audio._filters import HighpassBiquad as HighpassBiquad
from agar.dataset.audio._filters import LFilter as LFilter
from agar.dataset.audio._filters import LowpassBiquad as LowpassBiquad
from agar.dataset.audio._filters import RiaaBiquad as RiaaBiquad
from agar.dataset.audio._filters import TrebleBiquad as TrebleBiquad
from agar.dataset.audio._masks import FrequencyMasking as FrequencyMasking
from agar.dataset.audio._masks import MaskAlongAxis as MaskAlongAxis
from agar.dataset.audio._masks import MaskAlongAxisIID as MaskAlongAxisIID
from agar.dataset.audio._masks import TimeMasking as TimeMasking
from agar.dataset.audio._mel import LFCC as LFCC
from agar.dataset.audio._mel import MFCC as MFCC
from agar.dataset.audio._mel import InverseMelScale as InverseMelScale
from agar.dataset.audio._mel import MelScale as MelScale
from agar.dataset.audio._mel import MelSpectrogram as MelSpectrogram
from agar.dataset.audio._rates import PhaseVocoder as PhaseVocoder
from agar.dataset.audio._rates import PitchShift as PitchShift
from agar.dataset.audio._rates import Resample as Resample
from agar.dataset.audio._rates import TimeStretch as TimeStretch
from agar.dataset.audio._spectral import AmplitudeToDB as AmplitudeToDB
from agar.dataset.audio._spectral import Angle as Angle
from agar.dataset.audio._spectral import ComplexNorm as ComplexNorm
from agar.dataset.audio._spectral import GriffinLim as GriffinLim
from agar.dataset.audio._spectral import InverseSpectrogram as InverseSpectrogram
from agar.dataset.audio._spectral import Magphase as Magphase
from agar.dataset.audio._spectral import SpectralCentroid as SpectralCentroid
from agar.dataset.audio._spectral import Spectrogram as Spectrogram
from agar.dataset.audio._speech import ComputeDeltas as ComputeDeltas
from agar.dataset.audio._speech import DetectPitchFrequency as DetectPitchFrequency
from agar.dataset.audio._speech import SlidingWindowCmn as SlidingWindowCmn
from agar.dataset.audio._speech import Vad as Vad

__all__ = [
    "LFCC",
    "MFCC",
    "AllpassBiquad",
    "AmplitudeToDB",
    "Angle",
    "AudioTensorOperation",
    "BandBiquad",
    "BandpassBiquad",
    "BandrejectBiquad",
    "BassBiquad",
    "Biquad",
    "ComplexNorm",
    "ComputeDeltas",
    "Contrast",
    "DBToAmplitude",
    "DCShift",
    "DeemphBiquad",
    "DetectPitchFrequency",
    "Dither",
    "EqualizerBiquad",
    "Fade",
    "Filtfilt",
    "Flanger",
    "FrequencyMasking",
    "Gain",
    "GriffinLim",
    "HighpassBiquad",
    "InverseMelScale",
    "InverseSpectrogram",
    "LFilter",
    "LowpassBiquad",
    "Magphase",
    "MaskAlongAxis",
    "MaskAlongAxisIID",
    "MelScale",
    "MelSpectrogram",
    "MuLawDecoding",
    "MuLawEncoding",
    "Overdrive",
    "PhaseVocoder",
    "Phaser",
    "PitchShift",
    "Resample",
    "RiaaBiquad",
    "SlidingWindowCmn",
    "SpectralCentroid",
    "Spectrogram",
    "TimeMasking",
    "TimeStretch",
    "TrebleBiquad",
    "Vad",
    "Vol",
]

for _name in __all__:
    globals()[_name].__module__ = __name__
