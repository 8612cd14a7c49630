"""Filters of waveforms: the recursive ones by their coefficients, and those with a known shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from agar.dataset.audio._base import AudioCheck, AudioTensorOperation, Samples
from agar.dataset.audio._signal import recursive_filter

__all__ = [
    "AllpassBiquad",
    "BandBiquad",
    "BandpassBiquad",
    "BandrejectBiquad",
    "BassBiquad",
    "Biquad",
    "DeemphBiquad",
    "EqualizerBiquad",
    "Filtfilt",
    "HighpassBiquad",
    "LFilter",
    "LowpassBiquad",
    "RiaaBiquad",
    "TrebleBiquad",
]

Coefficients = tuple[Sequence[float], Sequence[float]]


def _f32(value: Any) -> float:
    """A number as MindSpore keeps it: rounded to float32."""
    return float(np.float32(value))


class _Filter(Samples):
    """Base of recursive filters; a subclass gives the coefficients (a, b)."""

    _floats_only = True
    _clamped = True

    def _coefficients(self) -> Coefficients:
        raise NotImplementedError(f"'{type(self).__name__}' must define _coefficients().")

    def _filtered(self, array: np.ndarray) -> np.ndarray:
        a, b = self._coefficients()
        return recursive_filter(array, a, b)

    def _compute(self, array: np.ndarray) -> np.ndarray:
        result = self._filtered(array)
        if self._clamped:
            result = np.clip(result, -1.0, 1.0)
        return result.astype(array.dtype)


class _AudioFilter(_Filter, AudioTensorOperation):
    """A recursive filter that is called with arrays alone."""


class Biquad(_Filter):
    """A second-order recursive (biquad) filter.

    ``a0 y[t] = b0 x[t] + b1 x[t-1] + b2 x[t-2] - a1 y[t-1] - a2 y[t-2]``, limited to [-1, 1].

    Args:
        b0 (float): weight of the sample.
        b1 (float): weight of the sample before.
        b2 (float): weight of the second sample before.
        a0 (float): weight of the output; not 0, most often 1.
        a1 (float): weight of the output before.
        a2 (float): weight of the second output before.

    The input has shape (..., time), of float16, float32 or float64; so is the output.

    Raises:
        TypeError: an argument is not a number.
        ValueError: `a0` is 0, or a number is out of range.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.biquad``.

    Source: the formula above; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Biquad(0.5, 0.5, 0, 1, 0, 0)(np.array([0.2, 0.4, 0.6])).round(6)
        array([0.1, 0.3, 0.5])
    """

    def __init__(self, b0: float, b1: float, b2: float, a0: float, a1: float, a2: float) -> None:
        check = AudioCheck("audio.Biquad")
        for name, value in (("b0", b0), ("b1", b1), ("b2", b2), ("a0", a0), ("a1", a1), ("a2", a2)):
            check.number(name, value)
        if a0 == 0:
            check.wrong_value("a0", a0, "a number other than 0")
        self.b0, self.b1, self.b2 = b0, b1, b2
        self.a0, self.a1, self.a2 = a0, a1, a2

    def _coefficients(self) -> Coefficients:
        a, b = (self.a0, self.a1, self.a2), (self.b0, self.b1, self.b2)
        return tuple(map(_f32, a)), tuple(map(_f32, b))


class LFilter(_AudioFilter):
    """A recursive filter of any order.

    ``a[0] y[t] = b[0] x[t] + b[1] x[t-1] + ... - a[1] y[t-1] - a[2] y[t-2] - ...``

    Args:
        a_coeffs (Union[list[float], tuple[float]]): the weights of outputs; the first is not 0.
        b_coeffs (Union[list[float], tuple[float]]): the weights of samples; as many.
        clamp (bool, optional): whether the output is limited to [-1, 1]. Default: ``True``.

    The input has shape (..., time), of float16, float32 or float64; so is the output.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: there are not as many coefficients of both kinds, or one is out of range.
        RuntimeError: there are no coefficients, the first of `a_coeffs` is 0, or the type or shape
            of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.lfilter``.

    Source: the formula above; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.LFilter([1.0, -0.5], [1.0, 0.0])(np.array([0.4, 0.0, 0.0])).round(6)
        array([0.4, 0.2, 0.1])
    """

    def __init__(
        self,
        a_coeffs: Sequence[float],
        b_coeffs: Sequence[float],
        clamp: bool = True,
    ) -> None:
        check = AudioCheck(f"audio.{type(self).__name__}")
        a = check.coefficients("a_coeffs", a_coeffs)
        b = check.coefficients("b_coeffs", b_coeffs)
        if len(a) != len(b):
            check.wrong_value("b_coeffs", b_coeffs, f"as long as a_coeffs, {len(a)}")
        check.flag("clamp", clamp)
        self.a_coeffs = a_coeffs
        self.b_coeffs = b_coeffs
        self.clamp = clamp

    @property
    def _clamped(self) -> bool:
        return self.clamp

    def _coefficients(self) -> Coefficients:
        if not self.a_coeffs or self.a_coeffs[0] == 0:
            raise self._failed(
                "argument 'a_coeffs' must have coefficients, the first of them other than 0, but "
                f"got {list(self.a_coeffs)}"
            )
        return tuple(map(_f32, self.a_coeffs)), tuple(map(_f32, self.b_coeffs))


class Filtfilt(LFilter):
    """A recursive filter run forwards and then backwards, which has no phase shift.

    Args:
        a_coeffs (Union[list[float], tuple[float]]): the weights of outputs; the first is not 0.
        b_coeffs (Union[list[float], tuple[float]]): the weights of samples; as many.
        clamp (bool, optional): whether the output is limited to [-1, 1]. Default: ``True``.

    The input has shape (..., time), of float16, float32 or float64; so is the output.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: there are not as many coefficients of both kinds, or one is out of range.
        RuntimeError: there are no coefficients, the first of `a_coeffs` is 0, or the type or shape
            of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.filtfilt``.

    Source: the formula of `LFilter`; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Filtfilt([1.0, 0.0], [0.5, 0.5])(np.array([0.0, 0.4, 0.0])).round(6)
        array([0.1, 0.2, 0.1])
    """

    def _filtered(self, array: np.ndarray) -> np.ndarray:
        forwards = super()._filtered(array)
        return super()._filtered(forwards[..., ::-1])[..., ::-1]


class _Shaped(_AudioFilter):
    """A filter of second order around a frequency."""

    sample_rate: int
    quality_factor: float

    def _angle(self, frequency: float) -> tuple[float, float, float]:
        """Sine and cosine of the frequency's angle, and the half width of its band."""
        angle = 2 * math.pi * _f32(frequency) / self.sample_rate
        sine = math.sin(angle)
        return sine, math.cos(angle), sine / 2 / _f32(self.quality_factor)


class _Central(_Shaped):
    def __init__(self, sample_rate: int, central_freq: float, Q: float = 0.707) -> None:
        check = AudioCheck(f"audio.{type(self).__name__}")
        check.rate("sample_rate", sample_rate)
        check.number("central_freq", central_freq)
        check.band("Q", Q)
        self.sample_rate = sample_rate
        self.central_freq = central_freq
        self.quality_factor = Q


class _Cutoff(_Shaped):
    def __init__(self, sample_rate: int, cutoff_freq: float, Q: float = 0.707) -> None:
        check = AudioCheck(f"audio.{type(self).__name__}")
        check.rate("sample_rate", sample_rate)
        check.number("cutoff_freq", cutoff_freq)
        check.band("Q", Q)
        self.sample_rate = sample_rate
        self.cutoff_freq = cutoff_freq
        self.quality_factor = Q


class _Shelf(_Shaped):
    """A filter that raises or lowers one side of a frequency."""

    gain: float
    central_freq: float

    def _set(self, sample_rate: int, gain: float, central_freq: float, Q: float) -> None:
        check = AudioCheck(f"audio.{type(self).__name__}")
        check.rate("sample_rate", sample_rate)
        check.number("gain", gain)
        check.number("central_freq", central_freq)
        check.band("Q", Q)
        self.sample_rate = sample_rate
        self.gain = gain
        self.central_freq = central_freq
        self.quality_factor = Q


class AllpassBiquad(_Central):
    """An all-pass filter: it shifts the phase around a frequency and keeps magnitudes.

    Args:
        sample_rate (int): samples per second; not 0.
        central_freq (float): the frequency in Hz.
        Q (float, optional): the quality factor, within (0, 1]. Default: ``0.707``.

    The input has shape (..., time), of float16, float32 or float64; so is the output, which is
    limited to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sample_rate` is 0, or a number is out of range.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.allpass_biquad``.

    Source: R. Bristow-Johnson's formulas of equalizer filters; behavior observed in MindSpore
    2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.AllpassBiquad(8000, 1000.0)(np.array([0.5, 0.0, 0.0])).round(4)
        array([ 0.1666, -0.3143,  0.1482])
    """

    def _coefficients(self) -> Coefficients:
        _, cosine, alpha = self._angle(self.central_freq)
        return (1 + alpha, -2 * cosine, 1 - alpha), (1 - alpha, -2 * cosine, 1 + alpha)


class BandBiquad(_Shaped):
    """A two-pole band filter around a frequency.

    Args:
        sample_rate (int): samples per second; not 0.
        central_freq (float): the frequency in Hz.
        Q (float, optional): the quality factor, within (0, 1]. Default: ``0.707``.
        noise (bool, optional): whether the mode for un-pitched sound such as percussion is used;
            otherwise the one for pitched sound. Default: ``False``.

    The input has shape (..., time), of float16, float32 or float64; so is the output, which is
    limited to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sample_rate` is 0, or a number is out of range.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.band_biquad``.

    Source: the filter "band" of SoX; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.BandBiquad(8000, 1000.0)(np.array([0.5, 0.0, 0.0])).round(4)
        array([0.2656, 0.1861, 0.0429])
    """

    def __init__(
        self, sample_rate: int, central_freq: float, Q: float = 0.707, noise: bool = False
    ) -> None:
        check = AudioCheck("audio.BandBiquad")
        check.rate("sample_rate", sample_rate)
        check.number("central_freq", central_freq)
        check.band("Q", Q)
        check.flag("noise", noise)
        self.sample_rate = sample_rate
        self.central_freq = central_freq
        self.quality_factor = Q
        self.noise = noise

    def _coefficients(self) -> Coefficients:
        _, cosine, _ = self._angle(self.central_freq)
        width = _f32(self.central_freq) / _f32(self.quality_factor)
        a2 = math.exp(-2 * math.pi * width / self.sample_rate)
        a1 = -4 * a2 / (1 + a2) * cosine
        b0 = math.sqrt(1 - a1 * a1 / (4 * a2)) * (1 - a2)
        if self.noise:
            b0 *= math.sqrt(((1 + a2) * (1 + a2) - a1 * a1) * (1 - a2) / (1 + a2)) / b0
        return (1.0, a1, a2), (b0, 0.0, 0.0)


class BandpassBiquad(_Shaped):
    """A band-pass filter around a frequency.

    Args:
        sample_rate (int): samples per second; not 0.
        central_freq (float): the frequency in Hz.
        Q (float, optional): the quality factor, within (0, 1]. Default: ``0.707``.
        const_skirt_gain (bool, optional): whether the slopes keep their size, and the peak is Q;
            otherwise the peak is 1. Default: ``False``.

    The input has shape (..., time), of float16, float32 or float64; so is the output, which is
    limited to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sample_rate` is 0, or a number is out of range.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.bandpass_biquad``.

    Source: R. Bristow-Johnson's formulas of equalizer filters; behavior observed in MindSpore
    2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.BandpassBiquad(8000, 1000.0)(np.array([0.5, 0.0, 0.0])).round(4)
        array([ 0.1667,  0.1571, -0.0741])
    """

    def __init__(
        self,
        sample_rate: int,
        central_freq: float,
        Q: float = 0.707,
        const_skirt_gain: bool = False,
    ) -> None:
        check = AudioCheck("audio.BandpassBiquad")
        check.rate("sample_rate", sample_rate)
        check.number("central_freq", central_freq)
        check.band("Q", Q)
        check.flag("const_skirt_gain", const_skirt_gain)
        self.sample_rate = sample_rate
        self.central_freq = central_freq
        self.quality_factor = Q
        self.const_skirt_gain = const_skirt_gain

    def _coefficients(self) -> Coefficients:
        sine, cosine, alpha = self._angle(self.central_freq)
        peak = sine / 2 if self.const_skirt_gain else alpha
        return (1 + alpha, -2 * cosine, 1 - alpha), (peak, 0.0, -peak)


class BandrejectBiquad(_Central):
    """A band-reject filter around a frequency.

    Args:
        sample_rate (int): samples per second; not 0.
        central_freq (float): the frequency in Hz.
        Q (float, optional): the quality factor, within (0, 1]. Default: ``0.707``.

    The input has shape (..., time), of float16, float32 or float64; so is the output, which is
    limited to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sample_rate` is 0, or a number is out of range.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.bandreject_biquad``.

    Source: R. Bristow-Johnson's formulas of equalizer filters; behavior observed in MindSpore
    2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.BandrejectBiquad(8000, 1000.0)(np.array([0.5, 0.0, 0.0])).round(4)
        array([ 0.3333, -0.1571,  0.0741])
    """

    def _coefficients(self) -> Coefficients:
        _, cosine, alpha = self._angle(self.central_freq)
        return (1 + alpha, -2 * cosine, 1 - alpha), (1.0, -2 * cosine, 1.0)


class BassBiquad(_Shelf):
    """A shelf filter that boosts or cuts the bass.

    Args:
        sample_rate (int): samples per second; not 0.
        gain (float): the gain in dB.
        central_freq (float, optional): the frequency in Hz. Default: ``100.0``.
        Q (float, optional): the quality factor, within (0, 1]. Default: ``0.707``.

    The input has shape (..., time), of float16, float32 or float64; so is the output, which is
    limited to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sample_rate` is 0, or a number is out of range.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.bass_biquad``.

    Source: R. Bristow-Johnson's formulas of equalizer filters; behavior observed in MindSpore
    2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.BassBiquad(8000, 6.0)(np.array([0.5, 0.5, 0.5])).round(4)
        array([0.5097, 0.5293, 0.5491])
    """

    def __init__(
        self, sample_rate: int, gain: float, central_freq: float = 100.0, Q: float = 0.707
    ) -> None:
        self._set(sample_rate, gain, central_freq, Q)

    def _coefficients(self) -> Coefficients:
        _, cosine, alpha = self._angle(self.central_freq)
        return _shelf(10 ** (_f32(self.gain) / 40), cosine, alpha, low=True)


class TrebleBiquad(_Shelf):
    """A shelf filter that boosts or cuts the treble.

    Args:
        sample_rate (int): samples per second; not 0.
        gain (float): the gain in dB.
        central_freq (float, optional): the frequency in Hz. Default: ``3000``.
        Q (float, optional): the quality factor, within (0, 1]. Default: ``0.707``.

    The input has shape (..., time), of float16, float32 or float64; so is the output, which is
    limited to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sample_rate` is 0, or a number is out of range.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.treble_biquad``.

    Source: R. Bristow-Johnson's formulas of equalizer filters; behavior observed in MindSpore
    2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.TrebleBiquad(8000, 6.0)(np.array([0.2, 0.2, 0.2])).round(4)
        array([0.2402, 0.1665, 0.2208])
    """

    def __init__(
        self, sample_rate: int, gain: float, central_freq: float = 3000, Q: float = 0.707
    ) -> None:
        self._set(sample_rate, gain, central_freq, Q)

    def _coefficients(self) -> Coefficients:
        _, cosine, alpha = self._angle(self.central_freq)
        return _shelf(10 ** (_f32(self.gain) / 40), cosine, alpha, low=False)


def _shelf(size: float, cosine: float, alpha: float, *, low: bool) -> Coefficients:
    """The coefficients of a shelf, below or above a frequency."""
    sign = 1 if low else -1
    width = 2 * math.sqrt(size) * alpha
    less, more = (size - 1) * cosine, (size + 1) * cosine
    b = (
        size * ((size + 1) - sign * less + width),
        sign * 2 * size * ((size - 1) - sign * more),
        size * ((size + 1) - sign * less - width),
    )
    a = (
        (size + 1) + sign * less + width,
        sign * -2 * ((size - 1) + sign * more),
        (size + 1) + sign * less - width,
    )
    return a, b


# by sample rate: the frequency, the slope and the gain of the curve of compact discs (ISO 908)
_EMPHASIS = {44100: (5283.0, 0.4845, -9.477), 48000: (5356.0, 0.479, -9.62)}


class DeemphBiquad(_Shaped):
    """A filter that reverses the pre-emphasis of compact discs.

    Args:
        sample_rate (int): samples per second; 44100 or 48000.

    The input has shape (..., time), of float16, float32 or float64; so is the output, which is
    limited to [-1, 1].

    Raises:
        TypeError: `sample_rate` is not an int.
        ValueError: `sample_rate` is another.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.deemph_biquad``.

    Source: the filter "deemph" of SoX; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.DeemphBiquad(44100)(np.array([0.5, 0.0, 0.0])).round(4)
        array([0.2302, 0.1005, 0.0621])
    """

    def __init__(self, sample_rate: int) -> None:
        check = AudioCheck("audio.DeemphBiquad")
        check.kind("sample_rate", sample_rate, int)
        if sample_rate not in _EMPHASIS:
            check.wrong_value("sample_rate", sample_rate, "44100 or 48000")
        self.sample_rate = sample_rate

    def _coefficients(self) -> Coefficients:
        frequency, slope, gain = _EMPHASIS[self.sample_rate]
        angle = 2 * math.pi * frequency / self.sample_rate
        size = 10 ** (gain / 40)
        alpha = math.sin(angle) / 2 * math.sqrt((size + 1 / size) * (1 / slope - 1) + 2)
        return _shelf(size, math.cos(angle), alpha, low=False)


class EqualizerBiquad(_Shaped):
    """A peaking filter that boosts or cuts the band around a frequency.

    Args:
        sample_rate (int): samples per second; not 0.
        center_freq (float): the frequency in Hz.
        gain (float): the gain in dB.
        Q (float, optional): the quality factor, within (0, 1]. Default: ``0.707``.

    The input has shape (..., time), of float16, float32 or float64; so is the output, which is
    limited to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sample_rate` is 0, or a number is out of range.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.equalizer_biquad``.

    Source: R. Bristow-Johnson's formulas of equalizer filters; behavior observed in MindSpore
    2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.EqualizerBiquad(8000, 1000.0, 6.0)(np.array([0.5, 0.0, 0.0])).round(4)
        array([ 0.6301,  0.1359, -0.0502])
    """

    def __init__(self, sample_rate: int, center_freq: float, gain: float, Q: float = 0.707) -> None:
        check = AudioCheck("audio.EqualizerBiquad")
        check.rate("sample_rate", sample_rate)
        check.number("center_freq", center_freq)
        check.number("gain", gain)
        check.band("Q", Q)
        self.sample_rate = sample_rate
        self.center_freq = center_freq
        self.gain = gain
        self.quality_factor = Q

    def _coefficients(self) -> Coefficients:
        _, cosine, alpha = self._angle(self.center_freq)
        size = 10 ** (_f32(self.gain) / 40)
        return (
            (1 + alpha / size, -2 * cosine, 1 - alpha / size),
            (1 + alpha * size, -2 * cosine, 1 - alpha * size),
        )


class HighpassBiquad(_Cutoff):
    """A high-pass filter.

    Args:
        sample_rate (int): samples per second; not 0.
        cutoff_freq (float): the frequency in Hz.
        Q (float, optional): the quality factor, within (0, 1]. Default: ``0.707``.

    The input has shape (..., time), of float16, float32 or float64; so is the output, which is
    limited to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sample_rate` is 0, or a number is out of range.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.highpass_biquad``.

    Source: R. Bristow-Johnson's formulas of equalizer filters; behavior observed in MindSpore
    2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.HighpassBiquad(8000, 1000.0)(np.array([0.5, 0.5, 0.5])).round(4)
        array([ 0.2845, -0.0163, -0.1102])
    """

    def _coefficients(self) -> Coefficients:
        _, cosine, alpha = self._angle(self.cutoff_freq)
        edge = (1 + cosine) / 2
        return (1 + alpha, -2 * cosine, 1 - alpha), (edge, -1 - cosine, edge)


class LowpassBiquad(_Cutoff):
    """A low-pass filter.

    Args:
        sample_rate (int): samples per second; not 0.
        cutoff_freq (float): the frequency in Hz.
        Q (float, optional): the quality factor, within (0, 1]. Default: ``0.707``.

    The input has shape (..., time), of float16, float32 or float64; so is the output, which is
    limited to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `sample_rate` is 0, or a number is out of range.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.lowpass_biquad``.

    Source: R. Bristow-Johnson's formulas of equalizer filters; behavior observed in MindSpore
    2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.LowpassBiquad(8000, 1000.0)(np.array([0.5, 0.5, 0.5])).round(4)
        array([0.0488, 0.1925, 0.3604])
    """

    def _coefficients(self) -> Coefficients:
        _, cosine, alpha = self._angle(self.cutoff_freq)
        edge = (1 - cosine) / 2
        return (1 + alpha, -2 * cosine, 1 - alpha), (edge, 1 - cosine, edge)


# by sample rate: the zeros and the poles of the curve of records
_RIAA = {
    44100: ((-0.2014898, 0.9233820), (0.7083149, 0.9924091)),
    48000: ((-0.1766069, 0.9321590), (0.7396325, 0.9931330)),
    88200: ((-0.1168735, 0.9648312), (0.8590646, 0.9964002)),
    96000: ((-0.1141486, 0.9676817), (0.8699137, 0.9966946)),
}


class RiaaBiquad(_AudioFilter):
    """The playback equalization of vinyl records (RIAA).

    Args:
        sample_rate (int): samples per second; 44100, 48000, 88200 or 96000.

    The input has shape (..., time), of float16, float32 or float64; so is the output, which is
    limited to [-1, 1].

    Raises:
        TypeError: `sample_rate` is not an int.
        ValueError: `sample_rate` is another.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.riaa_biquad``.

    Source: the filter "riaa" of SoX; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.RiaaBiquad(44100)(np.array([0.5, 0.0, 0.0])).round(4)
        array([0.119 , 0.1165, 0.0923])
    """

    def __init__(self, sample_rate: int) -> None:
        check = AudioCheck("audio.RiaaBiquad")
        check.kind("sample_rate", sample_rate, int)
        if sample_rate not in _RIAA:
            check.wrong_value("sample_rate", sample_rate, "44100, 48000, 88200 or 96000")
        self.sample_rate = sample_rate

    def _coefficients(self) -> Coefficients:
        zeros, poles = _RIAA[self.sample_rate]
        b = np.array([1.0, -sum(zeros), zeros[0] * zeros[1]])
        a = np.array([1.0, -sum(poles), poles[0] * poles[1]])
        # the gain at 1 kHz is to be 1
        turn = np.exp(-1j * 2 * math.pi * 1000 / self.sample_rate * np.arange(3))
        b = b * abs((a @ turn) / (b @ turn))
        return a.tolist(), b.tolist()
