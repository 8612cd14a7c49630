"""Changes of waveforms sample by sample, and effects: gains, companding, fades, flanger, phaser."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from agar.dataset.audio._base import AudioCheck, AudioTensorOperation, single
from agar.dataset.audio._signal import recursive_filter, wave_table
from agar.dataset.audio.utils import (
    DensityFunction,
    FadeShape,
    GainType,
    Interpolation,
    Modulation,
)
from agar.dataset.transforms._random import Random

__all__ = [
    "Contrast",
    "DBToAmplitude",
    "DCShift",
    "Dither",
    "Fade",
    "Flanger",
    "Gain",
    "MuLawDecoding",
    "MuLawEncoding",
    "Overdrive",
    "Phaser",
    "Vol",
]


class Contrast(AudioTensorOperation):
    """Increase the perceived loudness of a waveform, as a compressor does.

    Args:
        enhancement_amount (float, optional): the amount, within [0, 100]. Default: ``75.0``.

    The input has shape (..., time); the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: `enhancement_amount` is not a number.
        ValueError: it is out of range.
        RuntimeError: the input is not numeric.

    Difference from PyTorch: ``torchaudio.functional.contrast``.

    Source: the effect "contrast" of SoX; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Contrast()(np.array([0.1, 0.5, 1.0])).round(4)
        array([0.2142, 0.7071, 1.    ])
    """

    def __init__(self, enhancement_amount: float = 75.0) -> None:
        AudioCheck("audio.Contrast").number("enhancement_amount", enhancement_amount, 0, 100)
        self.enhancement_amount = enhancement_amount

    def _compute(self, array: np.ndarray) -> np.ndarray:
        turned = single(array) * (math.pi / 2)
        return np.sin(turned + (self.enhancement_amount / 750) * np.sin(turned * 4))


class DBToAmplitude(AudioTensorOperation):
    """Convert decibels to power or amplitude: ``ref * (10 ** (0.1 * x)) ** power``.

    Args:
        ref (float): the value of 0 dB.
        power (float): 1 for power, 0.5 for amplitude.

    The input has any shape; the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: an argument is not a number.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric.

    Difference from PyTorch: ``torchaudio.functional.DB_to_amplitude``.

    Source: the formula above; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.DBToAmplitude(1.0, 1.0)(np.array([0.0, 10.0, 20.0]))
        array([  1.,  10., 100.])
    """

    def __init__(self, ref: float, power: float) -> None:
        check = AudioCheck("audio.DBToAmplitude")
        check.number("ref", ref)
        check.number("power", power)
        self.ref = ref
        self.power = power

    def _compute(self, array: np.ndarray) -> np.ndarray:
        samples = single(array)
        return (self.ref * np.power(10.0, samples * (0.1 * self.power))).astype(samples.dtype)


class DCShift(AudioTensorOperation):
    """Add a DC offset to a waveform, with a limiter against clipping.

    Args:
        shift (float): how far, within [-2, 2].
        limiter_gain (float, optional): how much of what is beyond the limit is kept, a number well
            below 1 such as 0.05. Default: ``None``, `shift`.

    The input has shape (..., time); the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: an argument is not a number.
        ValueError: `shift` is out of range.
        RuntimeError: the input is not numeric.

    Difference from PyTorch: ``torchaudio.functional.dcshift``; without `limiter_gain` it is `shift`
    that limits, and where `shift` is negative what is beyond the limit comes out higher by twice
    the limit.

    Source: the effect "dcshift" of SoX; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.DCShift(0.5, 0.02)(np.array([-0.2, 0.1, 0.9])).round(4)
        array([0.3 , 0.6 , 0.52])
    """

    def __init__(self, shift: float, limiter_gain: float | None = None) -> None:
        check = AudioCheck("audio.DCShift")
        check.number("shift", shift, -2, 2)
        if limiter_gain is not None:
            check.kind("limiter_gain", limiter_gain, int, float)
        self.shift = shift
        self.limiter_gain = limiter_gain if limiter_gain else shift

    def _compute(self, array: np.ndarray) -> np.ndarray:
        samples = single(array)
        shift, gain = self.shift, self.limiter_gain
        limit = 1.0 - (abs(shift) - gain)
        moved = np.clip(samples + shift, -1.0, 1.0)
        if shift == 0:
            return moved.astype(samples.dtype)
        slope = gain / (1 - limit) if limit != 1 else math.inf
        with np.errstate(invalid="ignore"):  # 0 * inf, of samples within the limit
            if shift > 0:
                beyond = samples > limit
                limited = np.minimum((samples - limit) * slope + limit + shift, limit)
            else:
                beyond = samples < -limit
                limited = np.maximum((samples + limit) * slope + limit + shift, -limit)
        return np.where(beyond, limited, moved).astype(samples.dtype)


class Dither(Random, AudioTensorOperation):
    """Add a little noise that masks the error of rounding to 16 bits.

    Args:
        density_function (DensityFunction, optional): the density of the noise. TPDF adds a
            triangle over the whole signal, so it is not random; RPDF and GPDF add noise of one
            step's width, or of half a step's deviation. Default: ``DensityFunction.TPDF``.
        noise_shaping (bool, optional): whether the error of a sample is added to the next one.
            Default: ``False``.

    The input has shape (..., time); the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: an argument has the wrong type.
        RuntimeError: the input is not numeric.

    Difference from PyTorch: ``torchaudio.functional.dither``, whose RPDF and GPDF take one value of
    the signal itself as noise.

    Source: behavior observed in MindSpore 2.10, except the noise of RPDF and GPDF.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> (audio.Dither()(np.array([0.5, 0.25])) * 32768).tolist()
        [16383.0, 8193.0]
    """

    def __init__(
        self,
        density_function: DensityFunction = DensityFunction.TPDF,
        noise_shaping: bool = False,
    ) -> None:
        check = AudioCheck("audio.Dither")
        check.kind("density_function", density_function, DensityFunction)
        check.flag("noise_shaping", noise_shaping)
        self.density_function = density_function
        self.noise_shaping = noise_shaping

    def _noise(self, shape: tuple[int, ...]) -> np.ndarray:
        if self.density_function is DensityFunction.TPDF:
            return np.bartlett(shape[-1] + 1)[:-1]
        source = np.random.default_rng(self._stream.integer(0, 2**31 - 1))
        if self.density_function is DensityFunction.RPDF:
            return source.uniform(-0.5, 0.5, shape)
        return source.normal(0.0, 0.5, shape)

    def _compute(self, array: np.ndarray) -> np.ndarray:
        samples = single(array)
        scaled = samples * (2.0**15 - 2) + self._noise(samples.shape)
        result = np.floor(scaled + 0.5) / 2**15
        if self.noise_shaping:
            result[..., 1:] += (result - samples)[..., :-1]
        return result.astype(samples.dtype)


_FADE_IN: dict[FadeShape, Callable[[np.ndarray], np.ndarray]] = {
    FadeShape.LINEAR: lambda t: t,
    FadeShape.EXPONENTIAL: lambda t: 2.0 ** (t - 1) * t,
    FadeShape.LOGARITHMIC: lambda t: np.log10(0.1 + t) + 1,
    FadeShape.QUARTER_SINE: lambda t: np.sin(t * math.pi / 2),
    FadeShape.HALF_SINE: lambda t: np.sin(t * math.pi - math.pi / 2) / 2 + 0.5,
}


class Fade(AudioTensorOperation):
    """Fade a waveform in and out.

    Args:
        fade_in_len (int, optional): the number of samples at the beginning. Default: ``0``.
        fade_out_len (int, optional): the number of samples at the end. Default: ``0``.
        fade_shape (FadeShape, optional): the curve. Default: ``FadeShape.LINEAR``.

    The input has shape (..., time); the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a length is negative.
        RuntimeError: the input is shorter than a fade, or is not numeric.

    Difference from PyTorch: ``torchaudio.transforms.Fade``.

    Source: the formulas of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Fade(3, 2)(np.ones(6))
        array([0. , 0.5, 1. , 1. , 1. , 0. ])
    """

    def __init__(
        self,
        fade_in_len: int = 0,
        fade_out_len: int = 0,
        fade_shape: FadeShape = FadeShape.LINEAR,
    ) -> None:
        check = AudioCheck("audio.Fade")
        check.size("fade_in_len", fade_in_len)
        check.size("fade_out_len", fade_out_len)
        check.kind("fade_shape", fade_shape, FadeShape)
        self.fade_in_len = fade_in_len
        self.fade_out_len = fade_out_len
        self.fade_shape = fade_shape

    def _compute(self, array: np.ndarray) -> np.ndarray:
        samples = single(array)
        length = samples.shape[-1]
        for name in ("fade_in_len", "fade_out_len"):
            if getattr(self, name) > length:
                raise self._failed(
                    f"argument '{name}' must be at most the length of the input, {length}, but "
                    f"got {getattr(self, name)}"
                )
        curve = _FADE_IN[self.fade_shape]
        gain = np.ones(length)
        if self.fade_in_len:
            gain[: self.fade_in_len] *= curve(np.linspace(0, 1, self.fade_in_len))
        if self.fade_out_len:
            # the same curve, run backwards; one sample of it is its beginning, where all is there
            fall = 1 - np.linspace(0, 1, self.fade_out_len)
            gain[length - self.fade_out_len :] *= curve(fall)
        return (samples * gain).astype(samples.dtype)


class Flanger(AudioTensorOperation):
    """Mix a waveform with a copy of itself whose delay oscillates.

    Args:
        sample_rate (int): samples per second; not 0.
        delay (float, optional): the least delay in ms, within [0, 30]. Default: ``0.0``.
        depth (float, optional): how much the delay varies in ms, within [0, 10]. Default: ``2.0``.
        regen (float, optional): how much of the copy is fed back in percent, within [-95, 95].
            Default: ``0.0``.
        width (float, optional): how much of the copy is mixed in percent, within [0, 100].
            Default: ``71.0``.
        speed (float, optional): how often the delay varies in Hz, within [0.1, 10]. Default:
            ``0.5``.
        phase (float, optional): how far the channels' delays are apart in percent, within
            [0, 100]. Default: ``25.0``.
        modulation (Modulation, optional): how the delay varies. Default:
            ``Modulation.SINUSOIDAL``.
        interpolation (Interpolation, optional): how values between samples are interpolated.
            Default: ``Interpolation.LINEAR``.

    The input has shape (..., channel, time); the output is float64 if the input is, otherwise
    float32, and limited to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is of another shape, or is not numeric.

    Difference from PyTorch: ``torchaudio.functional.flanger``; channels are not limited to four.

    Source: the effect "flanger" of SoX; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Flanger(44100)(np.full((2, 3), 0.5))
        array([[0.5       , 0.5       , 0.5       ],
               [0.29239766, 0.29239766, 0.29239766]])
    """

    _layout = ("channel", "time")

    def __init__(
        self,
        sample_rate: int,
        delay: float = 0.0,
        depth: float = 2.0,
        regen: float = 0.0,
        width: float = 71.0,
        speed: float = 0.5,
        phase: float = 25.0,
        modulation: Modulation = Modulation.SINUSOIDAL,
        interpolation: Interpolation = Interpolation.LINEAR,
    ) -> None:
        check = AudioCheck("audio.Flanger")
        check.rate("sample_rate", sample_rate)
        check.number("delay", delay, 0, 30)
        check.number("depth", depth, 0, 10)
        check.number("regen", regen, -95, 95)
        check.number("width", width, 0, 100)
        check.number("speed", speed, 0.1, 10)
        check.number("phase", phase, 0, 100)
        check.kind("modulation", modulation, Modulation)
        check.kind("interpolation", interpolation, Interpolation)
        self.sample_rate = sample_rate
        self.delay = delay
        self.depth = depth
        self.regen = regen
        self.width = width
        self.speed = speed
        self.phase = phase
        self.modulation = modulation
        self.interpolation = interpolation

    def _delays(self, channels: int, time: int) -> tuple[np.ndarray, int]:
        """The delays in samples, of shape (channels, time), and the length of the memory."""
        least = self.delay / 1000
        memory = int((least + self.depth / 1000) * self.sample_rate + 0.5) + 2
        period = int(self.sample_rate / self.speed)
        if memory < 2 or period < 1:
            raise self._failed(
                f"sample_rate {self.sample_rate} is too low for speed {self.speed}; give the "
                "samples per second"
            )
        table = wave_table(
            self.modulation,
            period,
            math.floor(least * self.sample_rate + 0.5),
            memory - 2.0,
            3 * math.pi / 2,
        )
        apart = (np.arange(channels) * period * (self.phase / 100) + 0.5).astype(np.int64)
        # MindSpore keeps the table in float32, which decides where a delay is a whole number
        table = table.astype(np.float32).astype(np.float64)
        return table[(np.arange(time) + apart[:, None]) % period], memory

    def _compute(self, array: np.ndarray) -> np.ndarray:
        samples = single(array)
        channels, time = samples.shape[-2:]
        x = samples.reshape(-1, channels, time).astype(np.float64)
        delays, memory = self._delays(channels, time)
        whole = np.floor(delays).astype(np.int64)
        share = delays - whole
        feedback = self.regen / 100
        mixed = self.width / 100
        gain = 1.0 / (1 + mixed)
        mixed = mixed / (1 + mixed) * (1 - abs(feedback))
        taps = 2 if self.interpolation is Interpolation.LINEAR else 3
        back = np.stack([(whole + more) % memory for more in range(taps)])
        fed = np.concatenate([np.zeros((*x.shape[:2], memory)), x], axis=-1)
        copy = np.zeros_like(x)
        rows = np.arange(channels)[:, None]
        # without feedback the memory holds the waveform alone, and one block is enough
        latest = np.arange(time) - back.min(axis=(0, 1)) if feedback else np.zeros(time, np.int64)
        for start, end in _blocks(latest):
            places = np.arange(start, end) + memory
            taken = [fed[:, rows, places - tap] for tap in back[:, :, start:end]]
            copy[..., start:end] = self._between(taken, share[:, start:end])
            # a sample's copy is fed back into the next sample
            last = min(end, time - 1)
            fed[..., start + memory + 1 : last + memory + 1] += feedback * copy[..., start:last]
        result = np.clip(x * gain + copy * mixed, -1.0, 1.0)
        return result.reshape(samples.shape).astype(samples.dtype)

    def _between(self, taken: list[np.ndarray], share: np.ndarray) -> np.ndarray:
        first, second = taken[0], taken[1]
        if self.interpolation is Interpolation.LINEAR:
            return first + (second - first) * share
        third, second = taken[2] - first, second - first
        bend, slope = third * 0.5 - second, second * 2 - third * 0.5
        return first + (bend * share + slope) * share


def _blocks(latest: np.ndarray, chunk: int = 4096) -> Iterator[tuple[int, int]]:
    """Ranges (start, end) in which no sample needs one that is later than the start."""
    start, time = 0, len(latest)
    while start < time:
        ahead = latest[start + 1 : start + chunk] > start
        end = start + 1 + (int(ahead.argmax()) if ahead.any() else len(ahead))
        yield start, end
        start = end


class Gain(AudioTensorOperation):
    """Amplify or attenuate a waveform.

    Args:
        gain_db (float, optional): the gain in dB. Default: ``1.0``.

    The input has any shape; the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: `gain_db` is not a number.
        ValueError: it is out of range.
        RuntimeError: the input is not numeric.

    Difference from PyTorch: ``torchaudio.functional.gain``.

    Source: ``x * 10 ** (gain_db / 20)``; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Gain(20.0)(np.array([0.1, 0.2])).round(6)
        array([1., 2.])
    """

    def __init__(self, gain_db: float = 1.0) -> None:
        AudioCheck("audio.Gain").number("gain_db", gain_db)
        self.gain_db = gain_db

    def _compute(self, array: np.ndarray) -> np.ndarray:
        return single(array) * (10 ** (self.gain_db / 20))


class _MuLaw(AudioTensorOperation):
    def __init__(self, quantization_channels: int = 256) -> None:
        AudioCheck(f"audio.{type(self).__name__}").count(
            "quantization_channels", quantization_channels
        )
        self.quantization_channels = quantization_channels

    @property
    def _mu(self) -> float:
        if self.quantization_channels == 1:
            raise self._failed("argument 'quantization_channels' must be at least 2, but got 1")
        return self.quantization_channels - 1.0


class MuLawEncoding(_MuLaw):
    """Encode samples in [-1, 1] as mu-law codes from 0.

    Args:
        quantization_channels (int, optional): the number of codes. Default: ``256``.

    The input has any shape; the output is of int32.

    Raises:
        TypeError: `quantization_channels` is not an int.
        ValueError: it is below 1.
        RuntimeError: it is 1, or the input is not numeric.

    Difference from PyTorch: ``torchaudio.transforms.MuLawEncoding``; int32 in place of int64.

    Source: the mu-law formula (ITU-T G.711); behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.MuLawEncoding()(np.array([-1.0, 0.0, 0.1, 1.0]))
        array([  0, 128, 203, 255], dtype=int32)
    """

    def _compute(self, array: np.ndarray) -> np.ndarray:
        mu, x = self._mu, single(array)
        coded = np.sign(x) * np.log1p(mu * np.abs(x)) / np.log1p(mu)
        return ((coded + 1) / 2 * mu + 0.5).astype(np.int32)


class MuLawDecoding(_MuLaw):
    """Decode mu-law codes, the inverse of `MuLawEncoding`.

    Args:
        quantization_channels (int, optional): the number of codes. Default: ``256``.

    The input has any shape; the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: `quantization_channels` is not an int.
        ValueError: it is below 1.
        RuntimeError: it is 1, or the input is not numeric.

    Difference from PyTorch: ``torchaudio.transforms.MuLawDecoding``.

    Source: the mu-law formula (ITU-T G.711); behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.MuLawDecoding()(np.array([0.0, 255.0])).round(6)
        array([-1.,  1.])
    """

    def _compute(self, array: np.ndarray) -> np.ndarray:
        mu, samples = self._mu, single(array)
        x = samples / mu * 2 - 1.0
        result = np.sign(x) * np.expm1(np.abs(x) * np.log1p(mu)) / mu
        return result.astype(samples.dtype)


class Overdrive(AudioTensorOperation):
    """Distort a waveform like an overdriven amplifier.

    Args:
        gain (float, optional): the gain in dB, within [0, 100]. Default: ``20.0``.
        color (float, optional): how much even harmonics are stressed, within [0, 100]. Default:
            ``20.0``.

    The input has shape (..., time); the output is float64 if the input is, otherwise float32, and
    limited to [-1, 1].

    Raises:
        TypeError: an argument is not a number.
        ValueError: an argument is out of range.
        RuntimeError: the input is not numeric.

    Difference from PyTorch: ``torchaudio.functional.overdrive``.

    Source: the effect "overdrive" of SoX; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Overdrive()(np.array([0.1, -0.1])).round(4)
        array([ 0.55  , -0.5452])
    """

    def __init__(self, gain: float = 20.0, color: float = 20.0) -> None:
        check = AudioCheck("audio.Overdrive")
        check.number("gain", gain, 0, 100)
        check.number("color", color, 0, 100)
        self.gain = gain
        self.color = color

    def _compute(self, array: np.ndarray) -> np.ndarray:
        samples = single(array)
        strong = samples.astype(np.float64) * 10 ** (self.gain / 20) + self.color / 200
        strong = np.clip(strong, -1.0, 1.0)
        bent = strong - strong**3 / 3
        # what is constant is taken out again
        result = samples * 0.5 + recursive_filter(bent, (1.0, -0.995), (1.0, -1.0)) * 0.75
        return np.clip(result, -1.0, 1.0).astype(samples.dtype)


class Phaser(AudioTensorOperation):
    """Mix a waveform with an echo of itself whose short delay oscillates.

    Args:
        sample_rate (int): samples per second.
        gain_in (float, optional): the gain of the input, within [0, 1]. Default: ``0.4``.
        gain_out (float, optional): the gain of the output, within [0, 1e9]. Default: ``0.74``.
        delay_ms (float, optional): the longest delay in ms, within [0, 5]. Default: ``3.0``.
        decay (float, optional): how much of the echo comes back, within [0, 0.99]. Default:
            ``0.4``.
        mod_speed (float, optional): how often the delay varies in Hz, within [0.1, 2]. Default:
            ``0.5``.
        sinusoidal (bool, optional): whether the delay varies as a sine; otherwise as a triangle.
            Default: ``True``.

    The input has shape (..., time); the output is float64 if the input is, otherwise float32, and
    limited to [-1, 1].

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the delay is shorter than a sample, or the input is not numeric.

    Difference from PyTorch: ``torchaudio.functional.phaser``.

    Source: the effect "phaser" of SoX; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Phaser(44100)(np.array([0.5, 0.0, 0.0])).round(4)
        array([0.148 , 0.0592, 0.0237])
    """

    def __init__(
        self,
        sample_rate: int,
        gain_in: float = 0.4,
        gain_out: float = 0.74,
        delay_ms: float = 3.0,
        decay: float = 0.4,
        mod_speed: float = 0.5,
        sinusoidal: bool = True,
    ) -> None:
        check = AudioCheck("audio.Phaser")
        check.whole("sample_rate", sample_rate, -(2**31))
        check.number("gain_in", gain_in, 0, 1)
        check.number("gain_out", gain_out, 0, 1e9)
        check.number("delay_ms", delay_ms, 0, 5.0)
        check.number("decay", decay, 0, 0.99)
        check.number("mod_speed", mod_speed, 0.1, 2)
        check.flag("sinusoidal", sinusoidal)
        self.sample_rate = sample_rate
        self.gain_in = gain_in
        self.gain_out = gain_out
        self.delay_ms = delay_ms
        self.decay = decay
        self.mod_speed = mod_speed
        self.sinusoidal = sinusoidal

    def _compute(self, array: np.ndarray) -> np.ndarray:
        samples = single(array)
        memory = int(self.delay_ms * 0.001 * self.sample_rate + 0.5)
        if memory < 1:
            raise self._failed(
                f"delay_ms {self.delay_ms} is shorter than a sample at sample_rate "
                f"{self.sample_rate}; give a longer delay"
            )
        kind = Modulation.SINUSOIDAL if self.sinusoidal else Modulation.TRIANGULAR
        period = int(self.sample_rate / self.mod_speed + 0.5)
        table = wave_table(kind, period, 1.0, float(memory), math.pi / 2)
        ahead = (table + 0.5).astype(np.int64)
        x = samples.reshape(-1, samples.shape[-1]).astype(np.float64) * self.gain_in
        time = x.shape[1]
        # the memory is a ring: a place some way ahead holds an old value
        delays = memory - ahead[np.arange(time) % period] + 1
        result = np.concatenate([np.zeros((x.shape[0], memory)), x], axis=1)
        for start, end in _blocks(np.arange(time) - delays + 1):
            places = np.arange(start, end) + memory
            result[:, places] += self.decay * result[:, places - delays[start:end]]
        result = np.clip(result[:, memory:] * self.gain_out, -1.0, 1.0)
        return result.reshape(samples.shape).astype(samples.dtype)


class Vol(AudioTensorOperation):
    """Amplify or attenuate a waveform, limited to [-1, 1].

    Args:
        gain (float): by how much; not negative for AMPLITUDE, above 0 for POWER.
        gain_type (GainType, optional): what `gain` counts. Default: ``GainType.AMPLITUDE``.

    The input has any shape; the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `gain` is out of range.
        RuntimeError: the input is not numeric.

    Difference from PyTorch: ``torchaudio.transforms.Vol``.

    Source: ``x * gain``, ``x * sqrt(gain)`` and ``x * 10 ** (gain / 20)``; behavior observed in
    MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Vol(4.0, audio.GainType.POWER)(np.array([0.1, 0.9]))
        array([0.2, 1. ])
    """

    def __init__(self, gain: float, gain_type: GainType = GainType.AMPLITUDE) -> None:
        check = AudioCheck("audio.Vol")
        check.kind("gain", gain, int, float)
        check.kind("gain_type", gain_type, GainType)
        if gain_type is GainType.AMPLITUDE:
            check.weight("gain", gain)
        elif gain_type is GainType.POWER:
            check.positive("gain", gain)
        else:
            check.number("gain", gain)
        self.gain = gain
        self.gain_type = gain_type

    def _compute(self, array: np.ndarray) -> np.ndarray:
        factor = self.gain
        if self.gain_type is GainType.POWER:
            factor = math.sqrt(self.gain)
        elif self.gain_type is GainType.DB:
            factor = 10 ** (self.gain / 20)
        return np.clip(single(array) * factor, -1.0, 1.0)
