"""Changes of speed, pitch and sampling rate."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np
import torch  # convolutions with a stride

from agar.dataset.audio._base import AudioCheck, AudioTensorOperation, single
from agar.dataset.audio._signal import (
    inverse_stft,
    phase_vocoder,
    stft,
    window_values,
    with_zeros,
)
from agar.dataset.audio._spectral import as_complex, as_pairs
from agar.dataset.audio.utils import ResampleMethod, WindowType

__all__ = ["PhaseVocoder", "PitchShift", "Resample", "TimeStretch"]


class _Stretch(AudioTensorOperation):
    _layout = ("freq", "time", "complex")

    def _stretched(self, array: np.ndarray, rate: float, advance: np.ndarray) -> np.ndarray:
        pairs = single(array)
        if rate == 1:
            # MindSpore leaves the batch that it makes of the dimensions in front
            return pairs.reshape(-1, *pairs.shape[-3:])
        return as_pairs(phase_vocoder(as_complex(pairs), rate, advance.astype(pairs.dtype)))


class PhaseVocoder(_Stretch):
    """Speed up or slow down a complex spectrogram without changing the pitch.

    Args:
        rate (float): the speed factor; above 0.
        phase_advance (numpy.ndarray): how far the phase of each frequency moves in a frame, of
            shape (freq, 1) and of the input's type.

    The input has shape (..., freq, time, complex=2); the output has ``ceil(time / rate)`` frames
    and is of float64 if the input is, otherwise of float32. Where `rate` is 1 the dimensions in
    front become one.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `rate` is not above 0.
        RuntimeError: `phase_advance` is of another shape or type than the input asks for, or the
            type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.functional.phase_vocoder``; complex numbers are pairs.

    Source: the formula of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.PhaseVocoder(2, np.zeros((4, 1)))(np.ones((4, 10, 2))).shape
        (4, 5, 2)
    """

    def __init__(self, rate: float, phase_advance: np.ndarray) -> None:
        check = AudioCheck("audio.PhaseVocoder")
        check.positive("rate", rate)
        check.kind("phase_advance", phase_advance, np.ndarray)
        self.rate = rate
        self.phase_advance = phase_advance

    def _compute(self, array: np.ndarray) -> np.ndarray:
        pairs, advance = single(array), self.phase_advance
        if advance.shape != (array.shape[-3], 1) or advance.dtype != pairs.dtype:
            raise self._failed(
                f"argument 'phase_advance' must be of shape [{array.shape[-3]}, 1] and "
                f"{pairs.dtype} for this input, but got {list(advance.shape)} of {advance.dtype}"
            )
        return self._stretched(pairs, self.rate, advance)


class TimeStretch(_Stretch):
    """Speed up or slow down a complex spectrogram without changing the pitch.

    Args:
        hop_length (int, optional): the distance between frames. Default: ``None``, ``n_freq - 1``.
        n_freq (int, optional): the number of frequencies; above 0. Default: ``201``.
        fixed_rate (float, optional): the speed factor; above 0. Default: ``None``, 1.

    The input has shape (..., freq, time, complex=2); the output has ``ceil(time / rate)`` frames
    and is of float64 if the input is, otherwise of float32. Where the rate is 1 the dimensions in
    front become one.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.transforms.TimeStretch``; the rate is given here alone,
    and complex numbers are pairs.

    Source: the formula of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.TimeStretch(8, 9, 2.0)(np.ones((9, 10, 2))).shape
        (9, 5, 2)
    """

    def __init__(
        self, hop_length: int | None = None, n_freq: int = 201, fixed_rate: float | None = None
    ) -> None:
        check = AudioCheck("audio.TimeStretch")
        if hop_length is not None:
            check.count("hop_length", hop_length)
        check.count("n_freq", n_freq)
        if fixed_rate is not None:
            check.positive("fixed_rate", fixed_rate)
        self.n_freq = n_freq
        self.hop_length = hop_length if hop_length is not None else n_freq - 1
        self.fixed_rate = fixed_rate if fixed_rate is not None else 1

    def _compute(self, array: np.ndarray) -> np.ndarray:
        advance = np.linspace(0, math.pi * self.hop_length, array.shape[-3])[:, None]
        return self._stretched(array, self.fixed_rate, advance)


# the shape of Kaiser's window where none is given
_BETA = 14.769656459379492


# elements of filters up to which they are one convolution
_DENSE = 1 << 20
# samples that are computed at once where they are not
_BLOCK = 1 << 16


class _Sinc(NamedTuple):
    """The filter of a change of rates, which have no common divisor."""

    orig: int
    new: int
    method: ResampleMethod
    width: int
    rolloff: float
    beta: float

    @property
    def base(self) -> float:
        return min(self.orig, self.new) * self.rolloff

    @property
    def reach(self) -> int:
        return math.ceil(self.width * self.orig / self.base)

    def weights(self, time: np.ndarray) -> np.ndarray:
        """The weights of samples at distances in units of the lower rate's samples."""
        time = np.clip(time * self.base, -self.width, self.width)
        if self.method is ResampleMethod.SINC_INTERPOLATION:
            window = np.cos(time * math.pi / self.width / 2) ** 2
        else:
            window = np.i0(self.beta * np.sqrt(1 - (time / self.width) ** 2)) / np.i0(self.beta)
        return np.sinc(time) * window * (self.base / self.orig)


@functools.lru_cache(maxsize=16)
def _sinc_filters(sinc: _Sinc) -> np.ndarray:
    """A filter for each of `new` places between samples, of shape (new, taps)."""
    taps = np.arange(-sinc.reach, sinc.reach + sinc.orig) / sinc.orig
    return sinc.weights(taps - np.arange(sinc.new)[:, None] / sinc.new)


def resampled(
    samples: np.ndarray,
    orig: int,
    new: int,
    method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION,
    width: int = 6,
    rolloff: float = 0.99,
    beta: float = _BETA,
) -> np.ndarray:
    """Samples of shape (..., time) at another rate."""
    common = math.gcd(orig, new)
    sinc = _Sinc(orig // common, new // common, method, width, rolloff, beta)
    target = math.ceil(sinc.new * samples.shape[-1] / sinc.orig)
    rows = torch.from_numpy(np.ascontiguousarray(samples)).reshape(-1, samples.shape[-1])
    dense = sinc.new * (2 * sinc.reach + sinc.orig) <= _DENSE
    result = _convolved(rows, sinc) if dense else _interpolated(rows, sinc, target)
    return result[:, :target].numpy().reshape(*samples.shape[:-1], -1)


def _convolved(rows: torch.Tensor, sinc: _Sinc) -> torch.Tensor:
    """All samples between two that stand at the same time in both rates by one convolution."""
    padded = torch.nn.functional.pad(rows[:, None], (sinc.reach, sinc.reach + sinc.orig))
    weights = torch.from_numpy(_sinc_filters(sinc)).to(rows.dtype)[:, None]
    result = torch.nn.functional.conv1d(padded, weights, stride=sinc.orig)
    return result.transpose(1, 2).reshape(len(rows), -1)


def _interpolated(rows: torch.Tensor, sinc: _Sinc, count: int) -> torch.Tensor:
    """Each sample from those around it: rates with a small common divisor have as many filters."""
    reach = sinc.reach
    padded = torch.nn.functional.pad(rows, (reach, reach + 1))
    near = np.arange(-reach, reach + 2)
    blocks = []
    for start in range(0, count, _BLOCK):
        places = np.arange(start, min(start + _BLOCK, count))
        first, between = np.divmod(places * sinc.orig, sinc.new)
        time = (near - (between / sinc.new)[:, None]) / sinc.orig
        weights = torch.from_numpy(sinc.weights(time)).to(rows.dtype)
        at = torch.from_numpy(first[:, None] + near + reach)
        blocks.append(torch.einsum("rnk,nk->rn", padded[:, at], weights))
    return torch.cat(blocks, 1) if blocks else rows[:, :0]


class Resample(AudioTensorOperation):
    """Resample a waveform to another sampling rate.

    Args:
        orig_freq (float, optional): its rate in Hz; above 0, and taken as an int. Default:
            ``16000``.
        new_freq (float, optional): the new rate in Hz; above 0, and taken as an int. Default:
            ``16000``.
        resample_method (ResampleMethod, optional): the window of the filter. Default:
            ``ResampleMethod.SINC_INTERPOLATION``.
        lowpass_filter_width (int, optional): how sharp the filter is; above 0. Default: ``6``.
        rolloff (float, optional): where the filter ends, as a share of the highest frequency; a
            float within (0, 1]. Default: ``0.99``.
        beta (float, optional): the shape of Kaiser's window. Default: ``None``, 14.77.

    The input has shape (..., time); the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: a rate is below 1, or the input is not numeric.

    Difference from PyTorch: ``torchaudio.transforms.Resample``.

    Source: J. Smith's sinc interpolation, as torchaudio's documentation gives it; behavior
    observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Resample(48000, 16000)(np.ones((2, 30))).shape
        (2, 10)
    """

    def __init__(
        self,
        orig_freq: float = 16000,
        new_freq: float = 16000,
        resample_method: ResampleMethod = ResampleMethod.SINC_INTERPOLATION,
        lowpass_filter_width: int = 6,
        rolloff: float = 0.99,
        beta: float | None = None,
    ) -> None:
        check = AudioCheck("audio.Resample")
        check.positive("orig_freq", orig_freq)
        check.positive("new_freq", new_freq)
        check.kind("resample_method", resample_method, ResampleMethod)
        check.count("lowpass_filter_width", lowpass_filter_width)
        check.kind("rolloff", rolloff, float)
        check.band("rolloff", rolloff)
        if beta is not None:
            check.number("beta", beta)
        self.orig_freq = orig_freq
        self.new_freq = new_freq
        self.resample_method = resample_method
        self.lowpass_filter_width = lowpass_filter_width
        self.rolloff = rolloff
        self.beta = beta if beta is not None else _BETA

    def _compute(self, array: np.ndarray) -> np.ndarray:
        rates = int(self.orig_freq), int(self.new_freq)
        if min(rates) < 1:
            raise self._failed(
                f"rates must be at least 1, but got {self.orig_freq} and {self.new_freq}"
            )
        if rates[0] == rates[1]:
            return single(array)
        return resampled(
            single(array),
            *rates,
            self.resample_method,
            self.lowpass_filter_width,
            self.rolloff,
            self.beta,
        )


class PitchShift(AudioTensorOperation):
    """Shift the pitch of a waveform without changing its speed.

    Args:
        sample_rate (int): samples per second; not negative.
        n_steps (int): the number of steps.
        bins_per_octave (int, optional): the number of steps in an octave; not 0. Default: ``12``.
        n_fft (int, optional): the size of a frame; above 0. Default: ``512``.
        win_length (int, optional): the size of the window; at most `n_fft`. Default: ``None``,
            `n_fft`.
        hop_length (int, optional): the distance between frames. Default: ``None``, a quarter of
            `win_length`.
        window (WindowType, optional): the window. Default: ``WindowType.HANN``.

    The input has shape (..., time); the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the rate is too low for the steps, or the input is not numeric.

    Difference from PyTorch: ``torchaudio.functional.pitch_shift``.

    Source: the formula of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.PitchShift(16000, 4)(np.ones((8, 30))).shape
        (8, 30)
    """

    def __init__(
        self,
        sample_rate: int,
        n_steps: int,
        bins_per_octave: int = 12,
        n_fft: int = 512,
        win_length: int | None = None,
        hop_length: int | None = None,
        window: WindowType = WindowType.HANN,
    ) -> None:
        check = AudioCheck("audio.PitchShift")
        check.size("sample_rate", sample_rate)
        check.whole("n_steps", n_steps, -(2**31))
        check.rate("bins_per_octave", bins_per_octave)
        check.window("window", window)
        check.frames(n_fft, win_length, hop_length)
        self.sample_rate = sample_rate
        self.n_steps = n_steps
        self.bins_per_octave = bins_per_octave
        self.n_fft = n_fft
        self.win_length = win_length if win_length is not None else n_fft
        self.hop_length = hop_length if hop_length is not None else max(1, self.win_length // 4)
        self.window = window

    def _compute(self, array: np.ndarray) -> np.ndarray:
        samples = single(array)
        length = samples.shape[-1]
        rate = 2.0 ** (-self.n_steps / self.bins_per_octave)
        window = window_values(self.window, self.win_length, self.n_fft)
        spectrum = stft(samples, self.n_fft, self.hop_length, window)
        advance = np.linspace(0, math.pi * self.hop_length, spectrum.shape[-2])[:, None]
        stretched = phase_vocoder(spectrum, rate, advance.astype(samples.dtype))
        longer = inverse_stft(
            stretched, self.n_fft, self.hop_length, window, length=round(length / rate)
        )
        if int(self.sample_rate / rate) < 1:
            raise self._failed(
                f"sample_rate {self.sample_rate} is too low for {self.n_steps} steps"
            )
        result = resampled(longer, int(self.sample_rate / rate), self.sample_rate)[..., :length]
        return with_zeros(result, 0, length - result.shape[-1]).astype(samples.dtype)
