"""Choices of audio transforms, and the matrices they are made of (``dataset.audio.utils``)."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from agar.dataset.transforms._checks import Check

__all__ = [
    "BorderType",
    "DensityFunction",
    "FadeShape",
    "GainType",
    "Interpolation",
    "MelType",
    "Modulation",
    "NormMode",
    "NormType",
    "ResampleMethod",
    "ScaleType",
    "WindowType",
    "create_dct",
    "linear_fbanks",
    "melscale_fbanks",
]


class BorderType(str, enum.Enum):
    """How a signal is extended beyond its ends.

    CONSTANT is by zeros, EDGE by the last value, REFLECT mirrored at the last value, SYMMETRIC
    mirrored with the last value.
    """

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


class DensityFunction(str, enum.Enum):
    """The density of dither: TPDF is triangular, RPDF rectangular, GPDF Gaussian."""

    TPDF = "TPDF"
    RPDF = "RPDF"
    GPDF = "GPDF"


class FadeShape(str, enum.Enum):
    """The curve of a fade: QUARTER_SINE, HALF_SINE, LINEAR, LOGARITHMIC or EXPONENTIAL."""

    QUARTER_SINE = "quarter_sine"
    HALF_SINE = "half_sine"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    EXPONENTIAL = "exponential"


class GainType(str, enum.Enum):
    """The unit of a gain: AMPLITUDE, POWER or DB (decibels)."""

    AMPLITUDE = "amplitude"
    POWER = "power"
    DB = "db"


class Interpolation(str, enum.Enum):
    """How values between samples are interpolated: LINEAR or QUADRATIC."""

    LINEAR = "linear"
    QUADRATIC = "quadratic"


class MelType(str, enum.Enum):
    """The mel scale: HTK's (logarithmic) or SLANEY's (linear below 1000 Hz)."""

    HTK = "htk"
    SLANEY = "slaney"


class Modulation(str, enum.Enum):
    """The shape of a modulating wave: SINUSOIDAL or TRIANGULAR."""

    SINUSOIDAL = "sinusoidal"
    TRIANGULAR = "triangular"


class NormMode(str, enum.Enum):
    """How a cosine transform is scaled: ORTHO makes it orthonormal, NONE leaves it."""

    ORTHO = "ortho"
    NONE = "none"


class NormType(str, enum.Enum):
    """How mel filters are scaled: SLANEY gives each the same area, NONE the same height."""

    SLANEY = "slaney"
    NONE = "none"


class ResampleMethod(str, enum.Enum):
    """The window of the sinc filter that resamples: SINC_INTERPOLATION (Hann) or KAISER_WINDOW."""

    SINC_INTERPOLATION = "sinc_interpolation"
    KAISER_WINDOW = "kaiser_window"


class ScaleType(str, enum.Enum):
    """What a spectrogram holds: POWER or MAGNITUDE."""

    POWER = "power"
    MAGNITUDE = "magnitude"


class WindowType(str, enum.Enum):
    """The window of a Fourier transform: BARTLETT, BLACKMAN, HAMMING, HANN or KAISER."""

    BARTLETT = "bartlett"
    BLACKMAN = "blackman"
    HAMMING = "hamming"
    HANN = "hann"
    KAISER = "kaiser"


def create_dct(n_mfcc: int, n_mels: int, norm: NormMode = NormMode.NONE) -> np.ndarray:
    """The matrix of a discrete cosine transform (type 2).

    Args:
        n_mfcc (int): the number of coefficients to keep; above 0.
        n_mels (int): the number of mel filters; above 0.
        norm (NormMode, optional): the scale. Default: ``NormMode.NONE``.

    Returns:
        numpy.ndarray of float32 and shape (n_mels, n_mfcc), to multiply rows of n_mels values by.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `n_mfcc` or `n_mels` is below 1.

    Difference from PyTorch: ``torchaudio.functional.create_dct``; an array, and `norm` is a member
    of NormMode.

    Source: the formula of the DCT-II; behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.audio import create_dct
        >>> create_dct(2, 3).round(3).tolist()
        [[2.0, 1.7319999933242798], [2.0, 0.0], [2.0, -1.7319999933242798]]
    """
    check = Check("audio.create_dct")
    check.kind("n_mfcc", n_mfcc, int)
    check.kind("n_mels", n_mels, int)
    check.kind("norm", norm, NormMode)
    check.whole("n_mfcc", n_mfcc, 1)
    check.whole("n_mels", n_mels, 1)
    return dct_matrix(n_mfcc, n_mels, norm).astype(np.float32)


def dct_matrix(n_mfcc: int, n_mels: int, norm: NormMode) -> np.ndarray:
    """The matrix of `create_dct`, in float64."""
    place = np.arange(n_mels)[:, None] + 0.5
    matrix = np.cos(np.pi / n_mels * place * np.arange(n_mfcc))
    if norm is NormMode.NONE:
        return 2 * matrix
    matrix[:, 0] /= np.sqrt(2.0)
    return matrix * np.sqrt(2.0 / n_mels)


def _check_range(check: Check, n_freqs: Any, f_min: Any, f_max: Any) -> None:
    check.whole("n_freqs", n_freqs, 0)
    check.number("f_min", f_min, 0)
    check.number("f_max", f_max, 0, above=True)
    if f_min > f_max:
        check.wrong_value("f_min", f_min, f"at most f_max, {f_max}")


def linear_fbanks(
    n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int
) -> np.ndarray:
    """Triangular filters, evenly spaced over a range of frequencies.

    Args:
        n_freqs (int): the number of frequencies, from 0 to half of `sample_rate`.
        f_min (float): the lowest frequency in Hz; not negative.
        f_max (float): the highest frequency in Hz; above 0.
        n_filter (int): the number of filters; above 0.
        sample_rate (int): samples per second; above 0.

    Returns:
        numpy.ndarray of float32 and shape (n_freqs, n_filter).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `f_min` is above `f_max`.

    Difference from PyTorch: ``torchaudio.functional.linear_fbanks``; an array.

    Source: the formula of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.audio import linear_fbanks
        >>> linear_fbanks(5, 0, 4000, 1, 8000).tolist()
        [[0.0], [0.5], [1.0], [0.5], [0.0]]
    """
    check = Check("audio.linear_fbanks")
    _check_range(check, n_freqs, f_min, f_max)
    check.whole("n_filter", n_filter, 1)
    check.whole("sample_rate", sample_rate, 1)
    return linear_matrix(n_freqs, f_min, f_max, n_filter, sample_rate).astype(np.float32)


def linear_matrix(
    n_freqs: int, f_min: float, f_max: float, n_filter: int, sample_rate: int
) -> np.ndarray:
    """The matrix of `linear_fbanks`, in float64."""
    frequencies = np.linspace(0, sample_rate // 2, n_freqs)
    return _triangles(frequencies, np.linspace(f_min, f_max, n_filter + 2))


def _triangles(frequencies: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Filters that rise from one corner to the next and fall to the one after."""
    widths = np.diff(corners)
    slopes = corners - frequencies[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):  # of filters without width
        down = -slopes[:, :-2] / widths[:-1]
        up = slopes[:, 2:] / widths[1:]
        return np.maximum(0.0, np.minimum(down, up)) + 0.0  # without -0.0


def melscale_fbanks(
    n_freqs: int,
    f_min: float,
    f_max: float,
    n_mels: int,
    sample_rate: int,
    norm: NormType = NormType.NONE,
    mel_type: MelType = MelType.HTK,
) -> np.ndarray:
    """Triangular filters, evenly spaced on the mel scale.

    Args:
        n_freqs (int): the number of frequencies, from 0 to half of `sample_rate`.
        f_min (float): the lowest frequency in Hz; not negative.
        f_max (float): the highest frequency in Hz; above 0.
        n_mels (int): the number of filters; above 0.
        sample_rate (int): samples per second; above 0.
        norm (NormType, optional): SLANEY divides each filter by the width of its band. Default:
            ``NormType.NONE``.
        mel_type (MelType, optional): which mel scale. Default: ``MelType.HTK``.

    Returns:
        numpy.ndarray of float32 and shape (n_freqs, n_mels).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `f_min` is above `f_max`.

    Difference from PyTorch: ``torchaudio.functional.melscale_fbanks``; an array, and the choices
    are members of NormType and MelType.

    Source: the formula of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar.dataset.audio import melscale_fbanks
        >>> melscale_fbanks(201, 0, 8000, 40, 16000).shape
        (201, 40)
    """
    check = Check("audio.melscale_fbanks")
    _check_range(check, n_freqs, f_min, f_max)
    check.whole("n_mels", n_mels, 1)
    check.whole("sample_rate", sample_rate, 1)
    check.kind("norm", norm, NormType)
    check.kind("mel_type", mel_type, MelType)
    result = mel_matrix(n_freqs, f_min, f_max, n_mels, sample_rate, norm, mel_type)
    return result.astype(np.float32)


def mel_matrix(
    n_freqs: int,
    f_min: float,
    f_max: float,
    n_mels: int,
    sample_rate: int,
    norm: NormType,
    mel_type: MelType,
) -> np.ndarray:
    """The matrix of `melscale_fbanks`, in float64."""
    frequencies = np.linspace(0, sample_rate // 2, n_freqs)
    ends = _to_mel(np.array([f_min, f_max], np.float64), mel_type)
    corners = _from_mel(np.linspace(ends[0], ends[1], n_mels + 2), mel_type)
    matrix = _triangles(frequencies, corners)
    if norm is NormType.SLANEY:
        matrix = matrix * (2.0 / (corners[2:] - corners[:-2]))
    return matrix


# Slaney's scale: 200 / 3 Hz a mel up to 1000 Hz, then 27 mels for each factor of 6.4
_LINEAR, _BREAK, _STEP = 200.0 / 3, 1000.0, np.log(6.4) / 27.0


def _to_mel(frequency: np.ndarray, mel_type: MelType) -> np.ndarray:
    if mel_type is MelType.HTK:
        return 2595.0 * np.log10(1.0 + frequency / 700.0)
    above = _BREAK / _LINEAR + np.log(np.maximum(frequency, _BREAK) / _BREAK) / _STEP
    return np.where(frequency >= _BREAK, above, frequency / _LINEAR)


def _from_mel(mels: np.ndarray, mel_type: MelType) -> np.ndarray:
    if mel_type is MelType.HTK:
        return 700.0 * (10.0 ** (mels / 2595.0) - 1.0)
    first = _BREAK / _LINEAR
    above = _BREAK * np.exp(_STEP * (np.maximum(mels, first) - first))
    return np.where(mels >= first, above, mels * _LINEAR)
