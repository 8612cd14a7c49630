"""What is found in speech, and features made ready for it: deltas, means, pitch, activity."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agar.dataset.audio._base import AudioCheck, AudioTensorOperation, single
from agar.dataset.audio._signal import padded, with_zeros
from agar.dataset.audio.utils import BorderType
from agar.dataset.transforms._checks import INT32

__all__ = ["ComputeDeltas", "DetectPitchFrequency", "SlidingWindowCmn", "Vad"]


class ComputeDeltas(AudioTensorOperation):
    """The deltas of a spectrogram: the slope of a line through neighboring frames.

    Args:
        win_length (int, optional): how many frames a line goes through; at least 3. Default: ``5``.
        pad_mode (BorderType, optional): how the input is extended beyond its ends. Default:
            ``BorderType.EDGE``.

    The input has shape (..., freq, time); the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: `win_length` is below 3.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.transforms.ComputeDeltas``.

    Source: the formula of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.ComputeDeltas(3)(np.array([[0.0, 2.0, 4.0, 6.0]]))
        array([[1., 2., 2., 1.]])
    """

    _layout = ("freq", "time")

    def __init__(self, win_length: int = 5, pad_mode: BorderType = BorderType.EDGE) -> None:
        check = AudioCheck("audio.ComputeDeltas")
        check.kind("pad_mode", pad_mode, BorderType)
        check.whole("win_length", win_length, 3, INT32)
        self.win_len = win_length
        self.pad_mode = pad_mode

    def _compute(self, array: np.ndarray) -> np.ndarray:
        samples = single(array)
        reach = (self.win_len - 1) // 2
        weights = np.arange(-reach, reach + 1) / (reach * (reach + 1) * (2 * reach + 1) / 3)
        longer = padded(samples, reach, self.pad_mode)
        near = np.lib.stride_tricks.sliding_window_view(longer, 2 * reach + 1, axis=-1)
        return (near @ weights).astype(samples.dtype)


class SlidingWindowCmn(AudioTensorOperation):
    """Subtract the mean of the frames in a sliding window; optionally divide by their deviation.

    Args:
        cmn_window (int, optional): how many frames a mean is taken of. Default: ``600``.
        min_cmn_window (int, optional): how many it is taken of at least, at the beginning; unless
            `center`. Default: ``100``.
        center (bool, optional): whether the frames lie around the frame; otherwise they end with
            it. Default: ``False``.
        norm_vars (bool, optional): whether it is divided by the deviation. Default: ``False``.

    The input has shape (..., time, freq); the output is float64 if the input is, otherwise float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is negative.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.transforms.SlidingWindowCmn``.

    Source: Kaldi's sliding-window cepstral mean normalization; behavior observed in MindSpore
    2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.SlidingWindowCmn()(np.array([[1.0, 2.0], [3.0, 6.0]]))
        array([[-1., -2.],
               [ 1.,  2.]])
    """

    _layout = ("freq", "time")

    def __init__(
        self,
        cmn_window: int = 600,
        min_cmn_window: int = 100,
        center: bool = False,
        norm_vars: bool = False,
    ) -> None:
        check = AudioCheck("audio.SlidingWindowCmn")
        check.size("cmn_window", cmn_window)
        check.size("min_cmn_window", min_cmn_window)
        check.flag("center", center)
        check.flag("norm_vars", norm_vars)
        self.cmn_window = cmn_window
        self.min_cmn_window = min_cmn_window
        self.center = center
        self.norm_vars = norm_vars

    def _windows(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """The first frame of each frame's window, and the one after its last."""
        at = np.arange(count)
        if self.center:
            start = at - self.cmn_window // 2
            end = start + self.cmn_window
        else:
            start, end = at - self.cmn_window, at + 1
        end = end - np.minimum(start, 0)
        start = np.maximum(start, 0)
        if not self.center:
            end = np.where(end > at, np.maximum(at + 1, self.min_cmn_window), end)
        beyond = np.maximum(end - count, 0)
        return np.maximum(start - beyond, 0), end - beyond

    def _compute(self, array: np.ndarray) -> np.ndarray:
        samples = single(array)
        x = samples.astype(np.float64)
        start, end = self._windows(x.shape[-2])
        frames = (end - start)[:, None]
        if not frames.all():
            raise self._failed("a window of 'cmn_window' 0 frames has no mean; give a larger one")
        zeros = np.zeros_like(x[..., :1, :])
        sums = np.concatenate([zeros, np.cumsum(x, axis=-2)], axis=-2)
        mean = (sums[..., end, :] - sums[..., start, :]) / frames
        result = x - mean
        if self.norm_vars:
            squares = np.concatenate([zeros, np.cumsum(x * x, axis=-2)], axis=-2)
            variance = (squares[..., end, :] - squares[..., start, :]) / frames - mean * mean
            with np.errstate(divide="ignore", invalid="ignore"):  # of frames that are all alike
                result = np.where(frames == 1, 0.0, result / np.sqrt(variance))
        return result.astype(samples.dtype)


class DetectPitchFrequency(AudioTensorOperation):
    """The pitch of a waveform over time, by normalized cross-correlation.

    Args:
        sample_rate (int): samples per second; not 0.
        frame_time (float, optional): the length of a frame in seconds; above 0. Default: ``0.01``.
        win_length (int, optional): over how many frames the median is taken; above 0. Default:
            ``30``.
        freq_low (float, optional): the lowest pitch in Hz; above 0. Default: ``85``.
        freq_high (float, optional): the highest pitch in Hz; above 0. Default: ``3400``.

    The input has shape (..., time), of float16, float32 or float64; the output has shape (...,
    frames), of float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is too short for the median, or of another type or shape.

    Difference from PyTorch: ``torchaudio.functional.detect_pitch_frequency``.

    Source: normalized cross-correlation and a median, as torchaudio's documentation gives it;
    behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> wave = np.sin(2 * np.pi * 100 * np.arange(8000) / 8000)
        >>> audio.DetectPitchFrequency(8000)(wave)[:2]
        array([100., 100.], dtype=float32)
    """

    _floats_only = True

    def __init__(
        self,
        sample_rate: int,
        frame_time: float = 0.01,
        win_length: int = 30,
        freq_low: float = 85,
        freq_high: float = 3400,
    ) -> None:
        check = AudioCheck("audio.DetectPitchFrequency")
        check.rate("sample_rate", sample_rate)
        check.positive("frame_time", frame_time)
        check.count("win_length", win_length)
        check.positive("freq_low", freq_low)
        check.positive("freq_high", freq_high)
        self.sample_rate = sample_rate
        self.frame_time = frame_time
        self.win_length = win_length
        self.freq_low = freq_low
        self.freq_high = freq_high

    def _fits(self, x: np.ndarray) -> np.ndarray:
        """How well each frame fits what comes each lag later, of shape (rows, frames, lags)."""
        lags = math.ceil(np.float32(self.sample_rate) / np.float32(self.freq_low))
        frame = math.ceil(np.float32(self.sample_rate) * np.float32(self.frame_time))
        if lags < 1 or frame < 1:
            raise self._failed(
                "a frame and the longest lag must be samples long; give another "
                f"sample_rate than {self.sample_rate}"
            )
        count = math.ceil(x.shape[1] / frame)
        longer = with_zeros(x, 0, lags + count * frame - x.shape[1])
        first = longer[:, : count * frame].reshape(len(x), count, frame)
        later = np.lib.stride_tricks.sliding_window_view(longer[:, 1:], frame, axis=1)
        places = np.arange(count)[:, None] * frame + np.arange(lags)
        fits = np.empty((len(x), count, lags))
        for row in range(len(x)):
            near = later[row][places]
            products = np.einsum("cf,clf->cl", first[row], near)
            size = np.sqrt(np.einsum("cf,cf->c", first[row], first[row])) + 1e-9
            sizes = np.sqrt(np.einsum("clf,clf->cl", near, near)) + 1e-9
            fits[row] = products / np.square(size)[:, None] / np.square(sizes)
        return fits

    def _compute(self, array: np.ndarray) -> np.ndarray:
        x = array.reshape(-1, array.shape[-1]).astype(np.float64)
        fits = self._fits(x)
        least = math.ceil(np.float32(self.sample_rate) / np.float32(self.freq_high))
        half = fits.shape[-1] // 2
        if least >= half:
            raise self._failed(
                f"freq_high {self.freq_high} must be more than twice freq_low {self.freq_low}"
            )
        lag = fits[..., least:].argmax(-1) + least
        short = fits[..., least:half].argmax(-1) + least
        best = np.take_along_axis(fits, lag[..., None], -1)
        nearly = np.take_along_axis(fits, short[..., None], -1)
        # a multiple of the period fits as well: the shorter lag is preferred
        lag = np.where(nearly > 0.99 * best, short[..., None], lag[..., None])[..., 0] + 1
        reach = (self.win_length - 1) // 2
        if lag.shape[1] + reach < self.win_length:
            raise self._failed(
                f"the input has {lag.shape[1]} frames, too few for win_length {self.win_length}; "
                "give a smaller win_length"
            )
        longer = np.concatenate([np.repeat(lag[:, :1], reach, axis=1), lag], axis=1)
        near = np.lib.stride_tricks.sliding_window_view(longer, self.win_length, axis=1)
        middle = np.sort(near, axis=-1)[..., (self.win_length - 1) // 2]
        result = self.sample_rate / (1e-9 + middle)
        return result.astype(np.float32).reshape(*array.shape[:-1], -1)


class Vad(AudioTensorOperation):
    """Trim what comes before speech (voice activity detection).

    Args:
        sample_rate (int): samples per second; above 0.
        trigger_level (float, optional): the level that speech reaches. Default: ``7.0``.
        trigger_time (float, optional): how long sound must last, in seconds. Default: ``0.25``.
        search_time (float, optional): how far back quieter sound is looked for, in seconds.
            Default: ``1.0``.
        allowed_gap (float, optional): the largest gap between quieter sounds, in seconds. Default:
            ``0.25``.
        pre_trigger_time (float, optional): how much is kept before the sound, in seconds. Default:
            ``0.0``.
        boot_time (float, optional): for how long the noise is first measured, in seconds. Default:
            ``0.35``.
        noise_up_time (float, optional): how fast the estimate of noise grows, in seconds; at least
            `noise_down_time`. Default: ``0.1``.
        noise_down_time (float, optional): how fast it falls, in seconds. Default: ``0.01``.
        noise_reduction_amount (float, optional): how much of the noise is taken off. Default:
            ``1.35``.
        measure_freq (float, optional): how often the level is measured, in Hz; above 0. Default:
            ``20.0``.
        measure_duration (float, optional): how long a measurement is, in seconds. Default:
            ``None``, twice the time between measurements.
        measure_smooth_time (float, optional): how slowly the spectrum follows, in seconds. Default:
            ``0.4``.
        hp_filter_freq (float, optional): frequencies below it in Hz are left out. Default:
            ``50.0``.
        lp_filter_freq (float, optional): frequencies above it are left out. Default: ``6000.0``.
        hp_lifter_freq (float, optional): the lowest pitch in Hz. Default: ``150.0``.
        lp_lifter_freq (float, optional): the highest pitch in Hz. Default: ``2000.0``.

    The input has shape (..., time), and the sound may begin in any channel; the output is float64
    if the input is, otherwise float32. Where no speech is found it is the last `search_time` and a
    little more.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the range of pitches is too narrow at this rate, or the input is not numeric.

    Difference from PyTorch: ``torchaudio.functional.vad``. MindSpore 2.10 itself finds no speech
    in any waveform.

    Source: the effect "vad" of SoX; the length without speech as observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.Vad(600)(np.zeros(1000)).shape
        (660,)
    """

    def __init__(
        self,
        sample_rate: int,
        trigger_level: float = 7.0,
        trigger_time: float = 0.25,
        search_time: float = 1.0,
        allowed_gap: float = 0.25,
        pre_trigger_time: float = 0.0,
        boot_time: float = 0.35,
        noise_up_time: float = 0.1,
        noise_down_time: float = 0.01,
        noise_reduction_amount: float = 1.35,
        measure_freq: float = 20.0,
        measure_duration: float | None = None,
        measure_smooth_time: float = 0.4,
        hp_filter_freq: float = 50.0,
        lp_filter_freq: float = 6000.0,
        hp_lifter_freq: float = 150.0,
        lp_lifter_freq: float = 2000.0,
    ) -> None:
        check = AudioCheck("audio.Vad")
        check.count("sample_rate", sample_rate)
        check.number("trigger_level", trigger_level)
        check.weight("trigger_time", trigger_time)
        check.weight("search_time", search_time)
        check.weight("allowed_gap", allowed_gap)
        check.weight("pre_trigger_time", pre_trigger_time)
        check.weight("boot_time", boot_time)
        check.weight("noise_up_time", noise_up_time)
        check.weight("noise_down_time", noise_down_time)
        if noise_up_time < noise_down_time:
            check.wrong_value("noise_up_time", noise_up_time, "at least noise_down_time")
        check.weight("noise_reduction_amount", noise_reduction_amount)
        check.positive("measure_freq", measure_freq)
        if measure_duration:
            check.weight("measure_duration", measure_duration)
        check.weight("measure_smooth_time", measure_smooth_time)
        for name, value in (
            ("hp_filter_freq", hp_filter_freq),
            ("lp_filter_freq", lp_filter_freq),
            ("hp_lifter_freq", hp_lifter_freq),
            ("lp_lifter_freq", lp_lifter_freq),
        ):
            check.positive(name, value)
        self.sample_rate = sample_rate
        self.trigger_level = trigger_level
        self.trigger_time = trigger_time
        self.search_time = search_time
        self.allowed_gap = allowed_gap
        self.pre_trigger_time = pre_trigger_time
        self.boot_time = boot_time
        self.noise_up_time = noise_up_time
        self.noise_down_time = noise_down_time
        self.noise_reduction_amount = noise_reduction_amount
        self.measure_freq = measure_freq
        self.measure_duration = measure_duration if measure_duration else 2.0 / measure_freq
        self.measure_smooth_time = measure_smooth_time
        self.hp_filter_freq = hp_filter_freq
        self.lp_filter_freq = lp_filter_freq
        self.hp_lifter_freq = hp_lifter_freq
        self.lp_lifter_freq = lp_lifter_freq

    def _compute(self, array: np.ndarray) -> np.ndarray:
        samples = single(array)
        rows = samples.reshape(-1, samples.shape[-1])
        meter = _Meter(self)
        period = int(self.sample_rate / self.measure_freq + 0.5)
        remembered = math.ceil(np.float32(self.search_time) * np.float32(self.measure_freq))
        if not remembered or not period:
            raise self._failed("search_time and sample_rate must span at least one measurement")
        retained = (
            int(self.pre_trigger_time * self.sample_rate + 0.5) + remembered * period + meter.length
        )
        time = samples.shape[-1]
        # a measurement is of the samples before a position, and the first may begin before them
        longer = with_zeros(rows.astype(np.float64), 1, 0)
        history: list[np.ndarray] = []
        mean = np.zeros(len(rows))
        slow = _fading(self.trigger_time, self.measure_freq)
        # as MindSpore, where nothing is found: the last samples, of which fewer than a whole search
        # are counted from the end
        start = time - retained
        for place in range(meter.length - 1, time, period):
            level = meter.measure(longer[:, place - meter.length + 1 : place + 1])
            history.append(level)
            mean = mean * slow + level * (1.0 - slow)
            if (mean >= self.trigger_level).any():
                before = remembered - self._flush(history, mean, remembered)
                start = max(0, place + 1 - retained + before * period)
                break
        return samples[..., start:]

    def _flush(self, history: list[np.ndarray], mean: np.ndarray, remembered: int) -> int:
        """How many measurements of quieter sound belong to the speech."""
        gap = int(self.allowed_gap * self.measure_freq + 0.5)
        value = 0
        started = False
        for row in range(len(mean)):
            # a channel that comes before the first loud one does not count
            started = started or bool(mean[row] >= self.trigger_level)
            if not started:
                continue
            trigger = zero = remembered
            for back in range(remembered):
                level = history[-1 - back][row] if back < len(history) else 0.0
                if level >= self.trigger_level and back <= trigger + gap:
                    zero = trigger = back
                elif level == 0 and trigger >= zero:
                    zero = back
            value = max(value, min(remembered - 1, zero))
        return value


def _fading(time: float, frequency: float) -> float:
    """How much of a value is left after one measurement."""
    return math.exp(-1.0 / (time * frequency)) if time else 0.0


class _Meter:
    """The level of speech in a waveform's pieces: how strong a pitch stands out of the noise."""

    def __init__(self, vad: Any) -> None:
        self.length = int(vad.sample_rate * vad.measure_duration + 0.5)
        self.size = 16
        while self.size < self.length:
            self.size *= 2
        rate = vad.sample_rate
        first = max(1, int(vad.hp_filter_freq / rate * self.size + 0.5))
        last = min(self.size // 2, int(vad.lp_filter_freq / rate * self.size + 0.5))
        low = math.ceil(rate * 0.5 / vad.lp_lifter_freq)
        high = min(self.size // 4, math.floor(rate * 0.5 / vad.hp_lifter_freq))
        if last <= first or high <= low or self.length < 1:
            raise vad._failed(
                "the frequencies leave nothing to measure at sample_rate "
                f"{rate}; give a wider range, or the samples per second"
            )
        self.band, self.pitches = slice(first, last), slice(low, high)
        self.window = _hann(self.length)
        self.band_window = _hann(last - first)
        self.reduction = vad.noise_reduction_amount
        self.smooth = _fading(vad.measure_smooth_time, vad.measure_freq)
        self.up = _fading(vad.noise_up_time, vad.measure_freq)
        self.down = _fading(vad.noise_down_time, vad.measure_freq)
        self.boot_most = int(vad.boot_time * vad.measure_freq - 0.5)
        self.booted = 0
        self.spectrum: Any = 0.0
        self.noise: Any = 0.0

    def measure(self, pieces: np.ndarray) -> np.ndarray:
        """The level of each row."""
        booting = self.booted >= 0
        share = self.booted / (1.0 + self.booted) if booting else self.smooth
        sizes = np.abs(np.fft.rfft(pieces * self.window, self.size)[:, self.band])
        self.spectrum = self.spectrum * share + sizes * (1 - share)
        power = np.square(self.spectrum)
        keep: Any = 0.0
        if not booting:
            keep = np.where(power > self.noise, self.up, self.down)
        self.noise = self.noise * keep + power * (1 - keep)
        clear = np.sqrt(np.maximum(0.0, power - self.reduction * self.noise))
        cepstrum = np.zeros((len(pieces), self.size // 2))
        cepstrum[:, self.band] = clear * self.band_window
        value = np.square(np.abs(np.fft.rfft(cepstrum)[:, self.pitches])).sum(-1)
        if booting:
            self.booted = -1 if self.booted == self.boot_most else self.booted + 1
        with np.errstate(divide="ignore"):  # silence has the level 0
            level = np.log(value / (self.pitches.stop - self.pitches.start))
        return np.maximum(0.0, 21.0 + level)


def _hann(length: int) -> np.ndarray:
    window = 0.5 - 0.5 * np.cos(2 * math.pi * np.arange(length) / length)
    return window * (2.0 / math.sqrt(length))
