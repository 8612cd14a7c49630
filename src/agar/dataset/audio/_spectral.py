"""Spectrograms and back: short-time Fourier transforms, parts of complex numbers, decibels."""

from __future__ import annotations

import numpy as np

from agar.dataset.audio._base import AudioCheck, AudioTensorOperation, Samples, single
from agar.dataset.audio._signal import inverse_stft, stft, window_values, with_zeros
from agar.dataset.audio.utils import (
    BorderType,
    ScaleType,
    WindowType,
)
from agar.dataset.transforms._random import Random

__all__ = [
    "AmplitudeToDB",
    "Angle",
    "ComplexNorm",
    "GriffinLim",
    "InverseSpectrogram",
    "Magphase",
    "SpectralCentroid",
    "Spectrogram",
]


def as_complex(array: np.ndarray) -> np.ndarray:
    """An array of shape (..., 2) as complex numbers."""
    pairs = np.ascontiguousarray(single(array))
    return pairs.view(np.complex128 if pairs.dtype == np.float64 else np.complex64)[..., 0]


def as_pairs(array: np.ndarray) -> np.ndarray:
    """Complex numbers as an array of shape (..., 2)."""
    return np.stack([np.real(array), np.imag(array)], axis=-1)


def decibels(
    x: np.ndarray, multiplier: float, ref_value: float, amin: float, top_db: float
) -> np.ndarray:
    """Decibels, at most `top_db` below the largest of each batch of shape (channel, freq, time)."""
    result = multiplier * np.log10(np.maximum(x, amin))
    result -= multiplier * np.log10(max(amin, ref_value))
    axes = tuple(range(max(0, x.ndim - 3), x.ndim))
    return np.maximum(result, result.max(axis=axes, keepdims=True) - top_db).astype(x.dtype)


class AmplitudeToDB(AudioTensorOperation):
    """Convert a spectrogram to decibels.

    Args:
        stype (ScaleType, optional): what the input holds. Default: ``ScaleType.POWER``.
        ref_value (float, optional): the value of 0 dB; above 0. Default: ``1.0``.
        amin (float, optional): what smaller values are raised to; above 0. Default: ``1e-10``.
        top_db (float, optional): how far below the largest value the output goes; above 0.
            Default: ``80.0``.

    The input has shape (..., freq, time); the output is float64 if the input is, otherwise float32.
    The largest value is that of all channels of a batch.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is not above 0.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.transforms.AmplitudeToDB``, which has no limit by default.

    Source: the formula of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.AmplitudeToDB()(np.array([[1.0, 0.1, 0.0]]))
        array([[  0., -10., -80.]])
    """

    _layout = ("freq", "time")

    def __init__(
        self,
        stype: ScaleType = ScaleType.POWER,
        ref_value: float = 1.0,
        amin: float = 1e-10,
        top_db: float = 80.0,
    ) -> None:
        check = AudioCheck("audio.AmplitudeToDB")
        check.kind("stype", stype, ScaleType)
        check.positive("ref_value", ref_value)
        check.positive("amin", amin)
        check.positive("top_db", top_db)
        self.stype = stype
        self.ref_value = ref_value
        self.amin = amin
        self.top_db = top_db

    def _compute(self, array: np.ndarray) -> np.ndarray:
        multiplier = 10.0 if self.stype is ScaleType.POWER else 20.0
        return decibels(single(array), multiplier, self.ref_value, self.amin, self.top_db)


class Angle(AudioTensorOperation):
    """The phase angles of complex numbers.

    The input has shape (..., complex=2), real and imaginary part; the output is float64 if the
    input is, otherwise float32.

    Raises:
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torch.angle`` of complex Tensors.

    Source: ``atan2(imaginary, real)``; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Angle()(np.array([[1.0, 0.0], [0.0, 1.0]])).round(4)
        array([0.    , 1.5708])
    """

    _layout = ("complex",)

    def _compute(self, array: np.ndarray) -> np.ndarray:
        return _angle(single(array))


def _angle(pairs: np.ndarray) -> np.ndarray:
    return np.arctan2(pairs[..., 1], pairs[..., 0])


def _norm(pairs: np.ndarray, power: float) -> np.ndarray:
    squares = np.square(pairs).sum(axis=-1)
    return np.power(squares, 0.5 * power).astype(pairs.dtype)


class ComplexNorm(AudioTensorOperation):
    """The magnitudes of complex numbers, raised to a power.

    Args:
        power (float, optional): the power; not negative. Default: ``1.0``.

    The input has shape (..., complex=2), real and imaginary part; the output is float64 if the
    input is, otherwise float32.

    Raises:
        TypeError: `power` is not a number.
        ValueError: `power` is negative.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torch.abs`` of complex Tensors, and ``torch.pow``.

    Source: ``(real ** 2 + imaginary ** 2) ** (power / 2)``; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.ComplexNorm()(np.array([[3.0, 4.0]]))
        array([5.])
    """

    _layout = ("complex",)

    def __init__(self, power: float = 1.0) -> None:
        AudioCheck("audio.ComplexNorm").weight("power", power)
        self.power = power

    def _compute(self, array: np.ndarray) -> np.ndarray:
        return _norm(single(array), self.power)


class Magphase(AudioTensorOperation):
    """The magnitudes of complex numbers, raised to a power, and their phase angles.

    Args:
        power (float, optional): the power; not negative. Default: ``1.0``.

    The input has shape (..., complex=2), real and imaginary part; there are two outputs, of float64
    if the input is, otherwise of float32.

    Raises:
        TypeError: `power` is not a number.
        ValueError: `power` is negative.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torch.abs`` and ``torch.angle`` of complex Tensors.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Magphase()(np.array([[3.0, 0.0]]))
        (array([3.]), array([0.]))
    """

    _layout = ("complex",)

    def __init__(self, power: float = 1.0) -> None:
        AudioCheck("audio.Magphase").weight("power", power)
        self.power = power

    def _compute(self, array: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        pairs = single(array)
        return _norm(pairs, self.power), _angle(pairs)


class Frames(Samples):
    """What transforms by frames share: the arguments, and the spectrum of a waveform."""

    n_fft: int
    win_length: int
    hop_length: int
    pad: int
    window: WindowType
    normalized: bool
    center: bool
    pad_mode: BorderType
    onesided: bool

    def _spectrum(self, array: np.ndarray) -> np.ndarray:
        """The complex spectrum, of shape (..., freq, time)."""
        samples = single(array)
        if self.pad:
            samples = with_zeros(samples, self.pad, self.pad)
        length = samples.shape[-1] + (self.n_fft // 2 * 2 if self.center else 0)
        if length < self.n_fft:
            raise self._failed(
                f"n_fft must be at most the length of the input, {length}, but got {self.n_fft}; "
                "give a smaller n_fft, or center=True"
            )
        window = window_values(self.window, self.win_length, self.n_fft)
        result = stft(
            samples,
            self.n_fft,
            self.hop_length,
            window,
            border=self.pad_mode if self.center else None,
            onesided=self.onesided,
        )
        return result / np.sqrt(np.square(window).sum()) if self.normalized else result

    def _powers(self, array: np.ndarray, power: float) -> np.ndarray:
        result = self._spectrum(array)
        real = np.float64 if array.dtype == np.float64 else np.float32
        if power == 2.0:
            return (np.square(np.real(result)) + np.square(np.imag(result))).astype(real)
        return np.power(np.abs(result), power).astype(real)


class Spectrogram(Frames):
    """The spectrogram of a waveform.

    Args:
        n_fft (int, optional): the size of a frame; above 0. Default: ``400``.
        win_length (int, optional): the size of the window; at most `n_fft`. Default: ``None``,
            `n_fft`.
        hop_length (int, optional): the distance between frames. Default: ``None``, half of
            `win_length`.
        pad (int, optional): the number of zeros padded at both ends. Default: ``0``.
        window (WindowType, optional): the window. Default: ``WindowType.HANN``.
        power (float, optional): 1 for sizes, 2 for power, 0 for the complex numbers. Default:
            ``2.0``.
        normalized (bool, optional): whether the spectrum is divided by the window's norm. Default:
            ``False``.
        center (bool, optional): whether frames are centered at their time. Default: ``True``.
        pad_mode (BorderType, optional): how the waveform is extended beyond its ends, for centered
            frames. Default: ``BorderType.REFLECT``.
        onesided (bool, optional): whether only frequencies up to the middle are given. Default:
            ``True``.

    The input has shape (..., time); the output has shape (..., freq, frames), with a last dimension
    of 2 where `power` is 0, of float64 if the input is, otherwise of float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is shorter than a frame, or is not numeric.

    Difference from PyTorch: ``torchaudio.transforms.Spectrogram``; an input may be shorter than
    the padding, which then is mirrored more than once.

    Source: the formula of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Spectrogram(n_fft=8)(np.ones(16)).round(3)[:, 0]
        array([16.,  4.,  0.,  0.,  0.])
    """

    def __init__(
        self,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ) -> None:
        check = AudioCheck("audio.Spectrogram")
        check.frames(n_fft, win_length, hop_length)
        check.size("pad", pad)
        check.window("window", window)
        check.weight("power", power)
        check.flag("normalized", normalized)
        check.flag("center", center)
        check.flag("onesided", onesided)
        check.kind("pad_mode", pad_mode, BorderType)
        self.n_fft = n_fft
        self.win_length = win_length or n_fft
        self.hop_length = hop_of(hop_length, self.win_length)
        self.pad = pad
        self.window = window
        self.power = power
        self.normalized = normalized
        self.center = center
        self.pad_mode = pad_mode
        self.onesided = onesided

    def _compute(self, array: np.ndarray) -> np.ndarray:
        if self.power == 0:
            return as_pairs(self._spectrum(array)).astype(single(array[:0]).dtype)
        return self._powers(array, self.power)


def hop_of(hop_length: int | None, win_length: int) -> int:
    return hop_length or max(1, win_length // 2)


class SpectralCentroid(Frames):
    """The spectral centroid of a waveform over time, in Hz.

    Args:
        sample_rate (int): samples per second; not negative.
        n_fft (int, optional): the size of a frame; above 0. Default: ``400``.
        win_length (int, optional): the size of the window; at most `n_fft`. Default: ``None``,
            `n_fft`.
        hop_length (int, optional): the distance between frames. Default: ``None``, half of
            `win_length`.
        pad (int, optional): the number of zeros padded at both ends. Default: ``0``.
        window (WindowType, optional): the window. Default: ``WindowType.HANN``.

    The input has shape (..., time); the output has shape (..., 1, frames), of float64 if the input
    is, otherwise of float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric.

    Difference from PyTorch: ``torchaudio.transforms.SpectralCentroid``; there is a dimension of 1
    before the frames.

    Source: the formula of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> float(audio.SpectralCentroid(8000, n_fft=8)(np.array([1.0, -1.0] * 8)).round(1)[0, 0])
        3666.7
    """

    normalized = False
    center = True
    pad_mode = BorderType.REFLECT
    onesided = True

    def __init__(
        self,
        sample_rate: int,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
    ) -> None:
        check = AudioCheck("audio.SpectralCentroid")
        check.size("sample_rate", sample_rate)
        check.size("pad", pad)
        check.window("window", window)
        check.frames(n_fft, win_length, hop_length)
        self.sample_rate = sample_rate
        self.n_fft = n_fft
        self.win_length = win_length or n_fft
        self.hop_length = hop_of(hop_length, self.win_length)
        self.pad = pad
        self.window = window

    def _compute(self, array: np.ndarray) -> np.ndarray:
        sizes = self._powers(array, 1.0)
        frequencies = np.linspace(0, self.sample_rate // 2, sizes.shape[-2])[:, None]
        with np.errstate(invalid="ignore"):  # silence has no middle: it is nan
            middle = (sizes * frequencies).sum(-2, keepdims=True) / sizes.sum(-2, keepdims=True)
        return middle.astype(sizes.dtype)


class InverseSpectrogram(AudioTensorOperation):
    """Reconstruct a waveform from its complex spectrogram.

    Args:
        length (int, optional): the length of the waveform. Default: ``None``, what the frames give.
        n_fft (int, optional): the size of a frame; above 0. Default: ``400``.
        win_length (int, optional): the size of the window; at most `n_fft`. Default: ``None``,
            `n_fft`.
        hop_length (int, optional): the distance between frames. Default: ``None``, half of
            `win_length`.
        pad (int, optional): how many zeros `Spectrogram` put at both ends. Default: ``0``.
        window (WindowType, optional): the window. Default: ``WindowType.HANN``.
        normalized (bool, optional): whether the spectrum was divided by the window's norm. Default:
            ``False``.
        center (bool, optional): whether frames are centered at their time. Default: ``True``.
        pad_mode (BorderType, optional): how the waveform was continued; it makes no difference.
            Default: ``BorderType.REFLECT``.
        onesided (bool, optional): whether the input has the frequencies up to the middle alone.
            Default: ``True``.

    The input has shape (..., freq, time, complex=2); the output has shape (..., time), of float64
    if the input is, otherwise of float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.transforms.InverseSpectrogram``; complex numbers are
    pairs, samples that no window reaches are 0, and frames that are not centered give a waveform
    that is shorter by `n_fft`.

    Source: the formula of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> wave = np.sin(np.arange(32.0))
        >>> there = audio.Spectrogram(n_fft=8, power=0.0)(wave)
        >>> bool(np.allclose(audio.InverseSpectrogram(n_fft=8)(there), wave))
        True
    """

    _layout = ("freq", "time", "complex")

    def __init__(
        self,
        length: int | None = None,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        pad: int = 0,
        window: WindowType = WindowType.HANN,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
    ) -> None:
        check = AudioCheck("audio.InverseSpectrogram")
        if length is not None:
            check.size("length", length)
        check.count("n_fft", n_fft)
        check.window("window", window)
        check.flag("normalized", normalized)
        check.flag("center", center)
        check.kind("pad_mode", pad_mode, BorderType)
        check.flag("onesided", onesided)
        check.size("pad", pad)
        check.frames(n_fft, win_length, hop_length)
        self.length = length if length is not None else 0
        self.n_fft = n_fft
        self.win_length = win_length or n_fft
        self.hop_length = hop_of(hop_length, self.win_length)
        self.pad = pad
        self.window = window
        self.normalized = normalized
        self.center = center
        self.pad_mode = pad_mode
        self.onesided = onesided

    def _compute(self, array: np.ndarray) -> np.ndarray:
        spectrum = as_complex(array)
        expected = self.n_fft // 2 + 1 if self.onesided else self.n_fft
        if spectrum.shape[-2] != expected:
            raise self._failed(
                f"the input must have {expected} frequencies for n_fft {self.n_fft}, but got "
                f"{spectrum.shape[-2]}"
            )
        window = window_values(self.window, self.win_length, self.n_fft)
        if self.normalized:
            spectrum = spectrum * np.sqrt(np.square(window).sum())
        result = inverse_stft(
            spectrum.astype(as_complex(array[..., :0, :]).dtype),
            self.n_fft,
            self.hop_length,
            window,
            center=self.center,
            length=self.length + 2 * self.pad if self.length else None,
        )
        return result[..., self.pad : result.shape[-1] - self.pad]


class GriffinLim(Random, AudioTensorOperation):
    """Reconstruct a waveform from a magnitude spectrogram by the Griffin-Lim algorithm.

    Args:
        n_fft (int, optional): the size of a frame; above 0. Default: ``400``.
        n_iter (int, optional): the number of steps; above 0. Default: ``32``.
        win_length (int, optional): the size of the window; at most `n_fft`. Default: ``None``,
            `n_fft`.
        hop_length (int, optional): the distance between frames. Default: ``None``, half of
            `win_length`.
        window_type (WindowType, optional): the window. Default: ``WindowType.HANN``.
        power (float, optional): 1 where the input holds sizes, 2 for power. Default: ``2.0``.
        momentum (float, optional): how much of the step before is kept, within [0, 1). Default:
            ``0.99``.
        length (int, optional): the length of the waveform. Default: ``None``, what the frames give.
        rand_init (bool, optional): whether the first phases are drawn; otherwise they are 0.
            Default: ``True``.

    The input has shape (..., freq, time); the output has shape (..., time), of float64 if the input
    is, otherwise of float32. The draws come from ``dataset.config.set_seed``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: `momentum` is 1 or more, or the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.transforms.GriffinLim``.

    Source: N. Perraudin, P. Balazs and P. Soendergaard, "A fast Griffin-Lim algorithm" (2013);
    behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.GriffinLim(n_fft=16)(np.random.random([9, 6])).shape
        (40,)
    """

    _layout = ("freq", "time")

    def __init__(
        self,
        n_fft: int = 400,
        n_iter: int = 32,
        win_length: int | None = None,
        hop_length: int | None = None,
        window_type: WindowType = WindowType.HANN,
        power: float = 2.0,
        momentum: float = 0.99,
        length: int | None = None,
        rand_init: bool = True,
    ) -> None:
        check = AudioCheck("audio.GriffinLim")
        check.count("n_iter", n_iter)
        check.frames(n_fft, win_length or None, hop_length or None)
        check.window("window_type", window_type)
        check.positive("power", power)
        check.weight("momentum", momentum)
        if length is not None:
            check.size("length", length)
        check.flag("rand_init", rand_init)
        self.n_fft = n_fft
        self.n_iter = n_iter
        self.win_length = win_length or n_fft
        self.hop_length = hop_of(hop_length, self.win_length)
        self.window_type = window_type
        self.power = power
        self.momentum = momentum
        self.length = length or 0
        self.rand_init = rand_init
        self.random = rand_init

    def _compute(self, array: np.ndarray) -> np.ndarray:
        if self.momentum >= 1:
            raise self._failed(f"argument 'momentum' must be below 1, but got {self.momentum}")
        if array.shape[-2] != self.n_fft // 2 + 1:
            raise self._failed(
                f"the input must have {self.n_fft // 2 + 1} frequencies for n_fft {self.n_fft}, "
                f"but got {array.shape[-2]}"
            )
        sizes = np.power(single(array), 1 / self.power)
        window = window_values(self.window_type, self.win_length, self.n_fft)
        kind = np.complex128 if sizes.dtype == np.float64 else np.complex64
        phases = np.ones(sizes.shape, kind)
        if self.rand_init:
            source = np.random.default_rng(self._stream.integer(0, 2**31 - 1))
            phases = (source.random(sizes.shape) + 1j * source.random(sizes.shape)).astype(kind)
        momentum = self.momentum / (1 + self.momentum)
        before = np.zeros(sizes.shape, kind)
        length = self.length or None
        for _ in range(self.n_iter):
            wave = inverse_stft(sizes * phases, self.n_fft, self.hop_length, window, length=length)
            rebuilt = stft(wave, self.n_fft, self.hop_length, window)
            rebuilt = _as_long(rebuilt, sizes.shape[-1])
            phases = rebuilt + momentum * (rebuilt - before)
            phases = (phases / (np.abs(phases) + 1e-16)).astype(kind)
            before = rebuilt
        return inverse_stft(sizes * phases, self.n_fft, self.hop_length, window, length=length)


def _as_long(spectrum: np.ndarray, frames: int) -> np.ndarray:
    """A spectrum of a number of frames; a `length` of the waveform may have changed it."""
    missing = frames - spectrum.shape[-1]
    if missing > 0:
        return with_zeros(spectrum, 0, missing)
    return spectrum[..., :frames]
