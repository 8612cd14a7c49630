"""Mel scales and cepstra of spectrograms and waveforms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch  # products of matrices in one type, many at a time

from agar.dataset.audio._base import AudioCheck, AudioTensorOperation, single
from agar.dataset.audio._spectral import Frames, Spectrogram, decibels, hop_of
from agar.dataset.audio.utils import (
    BorderType,
    MelType,
    NormMode,
    NormType,
    WindowType,
    dct_matrix,
    linear_matrix,
    mel_matrix,
)
from agar.dataset.transforms._random import Random

__all__ = ["LFCC", "MFCC", "InverseMelScale", "MelScale", "MelSpectrogram"]


class MelScale(AudioTensorOperation):
    """Convert the frequencies of a spectrogram to the mel scale.

    Args:
        n_mels (int, optional): the number of mel filters; above 0. Default: ``128``.
        sample_rate (int, optional): samples per second; above 0. Default: ``16000``.
        f_min (float, optional): the lowest frequency in Hz. Default: ``0.0``.
        f_max (float, optional): the highest one. Default: ``None``, half of `sample_rate`.
        n_stft (int, optional): the number of frequencies of the input. Default: ``201``.
        norm (NormType, optional): how filters are scaled. Default: ``NormType.NONE``.
        mel_type (MelType, optional): which mel scale. Default: ``MelType.HTK``.

    The input has shape (..., n_stft, time); the output has shape (..., n_mels, time), of float64 if
    the input is, otherwise of float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `f_min` is not below `f_max`.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.transforms.MelScale``.

    Source: the formula of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.MelScale(n_mels=40)(np.ones((201, 3))).shape
        (40, 3)
    """

    _layout = ("freq", "time")

    def __init__(
        self,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        n_stft: int = 201,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ) -> None:
        check = AudioCheck("audio.MelScale")
        check.count("n_mels", n_mels)
        check.count("sample_rate", sample_rate)
        check.frequencies(f_min, f_max, sample_rate)
        check.count("n_stft", n_stft)
        check.kind("norm", norm, NormType)
        check.kind("mel_type", mel_type, MelType)
        self.n_mels = n_mels
        self.sample_rate = sample_rate
        self.f_min = f_min
        self.f_max = f_max if f_max is not None else sample_rate // 2
        self.n_stft = n_stft
        self.norm = norm
        self.mel_type = mel_type

    def _compute(self, array: np.ndarray) -> np.ndarray:
        if array.shape[-2] != self.n_stft:
            raise self._failed(
                f"the input must have n_stft, {self.n_stft}, frequencies, but got {array.shape[-2]}"
            )
        matrix = mel_matrix(
            self.n_stft,
            self.f_min,
            self.f_max,
            self.n_mels,
            self.sample_rate,
            self.norm,
            self.mel_type,
        )
        return _through(matrix, single(array))


def _through(matrix: np.ndarray, spectrum: np.ndarray) -> np.ndarray:
    """A spectrum of shape (..., freq, time) through filters of shape (freq, filters)."""
    return np.matmul(matrix.T.astype(spectrum.dtype), spectrum)


class InverseMelScale(Random, AudioTensorOperation):
    """Estimate a spectrogram from its mel spectrogram, by gradient descent from random values.

    Args:
        n_stft (int): the number of frequencies of the output; above 0.
        n_mels (int, optional): the number of mels of the input. Default: ``128``.
        sample_rate (int, optional): samples per second; above 0. Default: ``16000``.
        f_min (float, optional): the lowest frequency in Hz. Default: ``0.0``.
        f_max (float, optional): the highest one. Default: ``None``, half of `sample_rate`.
        max_iter (int, optional): the largest number of steps; above 0. Default: ``100000``.
        tolerance_loss (float, optional): the loss at which it stops; above 0. Default: ``1e-5``.
        tolerance_change (float, optional): the change of the loss at which it stops; above 0.
            Default: ``1e-8``.
        sgdargs (dict, optional): "sgd_lr", how far a step goes, and "sgd_momentum", which makes no
            difference. Default: ``None``, 0.1 and 0.9.
        norm (NormType, optional): how filters are scaled. Default: ``NormType.NONE``.
        mel_type (MelType, optional): which mel scale. Default: ``MelType.HTK``.

    The input has shape (..., n_mels, time); the output has shape (..., n_stft, time), with a
    dimension of 1 in front for an input of two dimensions, of float64 if the input is, otherwise of
    float32. The draws come from ``dataset.config.set_seed``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `f_min` is not below `f_max`.
        KeyError: `sgdargs` lacks a key.
        RuntimeError: the type or shape of the input is not supported.

    Difference from PyTorch: ``torchaudio.transforms.InverseMelScale`` solves least squares.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.InverseMelScale(20, 3, 16000, 0, 8000, 10)(np.ones((8, 3, 2))).shape
        (8, 20, 2)
    """

    _layout = ("freq", "time")

    def __init__(
        self,
        n_stft: int,
        n_mels: int = 128,
        sample_rate: int = 16000,
        f_min: float = 0.0,
        f_max: float | None = None,
        max_iter: int = 100000,
        tolerance_loss: float = 1e-5,
        tolerance_change: float = 1e-8,
        sgdargs: dict[str, float] | None = None,
        norm: NormType = NormType.NONE,
        mel_type: MelType = MelType.HTK,
    ) -> None:
        check = AudioCheck("audio.InverseMelScale")
        check.count("n_mels", n_mels)
        check.count("sample_rate", sample_rate)
        check.frequencies(f_min, f_max, sample_rate)
        check.count("n_stft", n_stft)
        check.kind("norm", norm, NormType)
        check.kind("mel_type", mel_type, MelType)
        check.count("max_iter", max_iter)
        check.positive("tolerance_loss", tolerance_loss)
        check.positive("tolerance_change", tolerance_change)
        if sgdargs is not None:
            check.kind("sgdargs", sgdargs, dict)
            for key in ("sgd_lr", "sgd_momentum"):
                if key not in sgdargs:
                    raise KeyError(
                        f"For 'audio.InverseMelScale', argument 'sgdargs' must have {key!r}, but "
                        f"got {sorted(sgdargs)}."
                    )
                check.weight(f"sgdargs[{key!r}]", sgdargs[key])
        self.n_stft = n_stft
        self.n_mels = n_mels
        self.sample_rate = sample_rate
        self.f_min = f_min
        self.f_max = f_max if f_max is not None else sample_rate // 2
        self.max_iter = max_iter
        self.tolerance_loss = tolerance_loss
        self.tolerance_change = tolerance_change
        self.sgdargs = {"sgd_lr": 0.1, "sgd_momentum": 0.9} if sgdargs is None else sgdargs
        self.norm = norm
        self.mel_type = mel_type

    def _compute(self, array: np.ndarray) -> np.ndarray:
        if array.shape[-2] != self.n_mels:
            raise self._failed(
                f"the input must have n_mels, {self.n_mels}, mels, but got {array.shape[-2]}"
            )
        mels = torch.from_numpy(np.ascontiguousarray(single(array)))
        front = array.shape[:-2] or (1,)
        mels = mels.reshape(-1, *array.shape[-2:])
        matrix = mel_matrix(
            self.n_stft,
            self.f_min,
            self.f_max,
            self.n_mels,
            self.sample_rate,
            self.norm,
            self.mel_type,
        )
        filters = torch.from_numpy(matrix.T.copy()).to(mels.dtype)
        shape = (len(mels), self.n_stft, array.shape[-1])
        draw = self._stream.unit_double if mels.dtype == torch.float64 else self._stream.unit
        drawn = torch.tensor([float(draw()) for _ in range(math.prod(shape))], dtype=mels.dtype)
        value = self._descent(mels, filters, drawn.reshape(shape))
        return value.numpy().reshape(*front, self.n_stft, array.shape[-1])

    def _descent(
        self, mels: torch.Tensor, filters: torch.Tensor, value: torch.Tensor
    ) -> torch.Tensor:
        # MindSpore's descent has no momentum, whatever is given
        step = self.sgdargs["sgd_lr"] / mels.shape[-1]
        loss = torch.full((len(mels),), math.inf, dtype=mels.dtype)
        moving = torch.ones(len(mels), dtype=torch.bool)
        for _ in range(self.max_iter):
            missing = mels - filters @ value
            new_loss = missing.square().mean(dim=(1, 2))
            done = new_loss < self.tolerance_loss
            done |= (loss - new_loss).abs() < self.tolerance_change
            moving &= ~done
            if not moving.any():
                break
            moved = value + step * (filters.T @ missing)
            value = torch.where(moving[:, None, None], moved, value)
            loss = new_loss
        return value.clamp_(min=0)


class MelSpectrogram(Frames, AudioTensorOperation):
    """The mel spectrogram of a waveform.

    Args:
        sample_rate (int, optional): samples per second; not negative. Default: ``16000``.
        n_fft (int, optional): the size of a frame; above 0. Default: ``400``.
        win_length (int, optional): the size of the window; at most `n_fft`. Default: ``None``,
            `n_fft`.
        hop_length (int, optional): the distance between frames. Default: ``None``, half of
            `win_length`.
        f_min (float, optional): the lowest frequency in Hz, a float. Default: ``0.0``.
        f_max (float, optional): the highest one. Default: ``None``, half of `sample_rate`.
        pad (int, optional): the number of zeros padded at both ends. Default: ``0``.
        n_mels (int, optional): the number of mel filters. Default: ``128``.
        window (WindowType, optional): the window. Default: ``WindowType.HANN``.
        power (float, optional): 1 for sizes, 2 for power; above 0. Default: ``2.0``.
        normalized (bool, optional): whether the spectrum is divided by the window's norm. Default:
            ``False``.
        center (bool, optional): whether frames are centered at their time. Default: ``True``.
        pad_mode (BorderType, optional): how the waveform is extended beyond its ends, for centered
            frames. Default: ``BorderType.REFLECT``.
        onesided (bool, optional): must be True for mels. Default: ``True``.
        norm (NormType, optional): how filters are scaled. Default: ``NormType.NONE``.
        mel_scale (MelType, optional): which mel scale. Default: ``MelType.HTK``.

    The input has shape (..., time); the output has shape (..., n_mels, frames), of float64 if the
    input is, otherwise of float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range.
        RuntimeError: the input is shorter than the padding, `onesided` is False, or the input is
            not numeric.

    Difference from PyTorch: ``torchaudio.transforms.MelSpectrogram``.

    Source: the formulas of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.MelSpectrogram(n_fft=64, n_mels=8)(np.ones(200)).shape
        (8, 7)
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_fft: int = 400,
        win_length: int | None = None,
        hop_length: int | None = None,
        f_min: float = 0.0,
        f_max: float | None = None,
        pad: int = 0,
        n_mels: int = 128,
        window: WindowType = WindowType.HANN,
        power: float = 2.0,
        normalized: bool = False,
        center: bool = True,
        pad_mode: BorderType = BorderType.REFLECT,
        onesided: bool = True,
        norm: NormType = NormType.NONE,
        mel_scale: MelType = MelType.HTK,
    ) -> None:
        check = AudioCheck("audio.MelSpectrogram")
        check.size("sample_rate", sample_rate)
        check.count("n_fft", n_fft)
        check.size("n_mels", n_mels)
        check.kind("f_min", f_min, float)
        check.frequencies(f_min, f_max, sample_rate, same=True)
        check.kind("norm", norm, NormType)
        check.kind("mel_scale", mel_scale, MelType)
        check.positive("power", power)
        check.window("window", window)
        check.flag("normalized", normalized)
        check.flag("center", center)
        check.kind("pad_mode", pad_mode, BorderType)
        check.flag("onesided", onesided)
        check.size("pad", pad)
        check.frames(n_fft, win_length, hop_length)
        self.sample_rate = sample_rate
        self.n_fft = n_fft
        self.win_length = win_length or n_fft
        self.hop_length = hop_of(hop_length, self.win_length)
        self.f_min = f_min
        self.f_max = f_max if f_max is not None else sample_rate // 2
        self.pad = pad
        self.n_mels = n_mels
        self.window = window
        self.power = power
        self.normalized = normalized
        self.center = center
        self.pad_mode = pad_mode
        self.onesided = onesided
        self.norm = norm
        self.mel_scale = mel_scale

    def _compute(self, array: np.ndarray) -> np.ndarray:
        if not self.onesided:
            raise self._failed(
                "argument 'onesided' must be True: mels are of frequencies up to the middle"
            )
        length = array.shape[-1] + 2 * self.pad
        if self.center and self.pad_mode is BorderType.REFLECT and self.n_fft // 2 >= length:
            raise self._failed(
                f"half of n_fft {self.n_fft} must be below the length of the input, {length}; give "
                "a smaller n_fft, or another pad_mode"
            )
        powers = self._powers(array, self.power)
        matrix = mel_matrix(
            self.n_fft // 2 + 1,
            self.f_min,
            self.f_max,
            self.n_mels,
            self.sample_rate,
            self.norm,
            self.mel_scale,
        )
        return _through(matrix, powers)


class _Cepstrum(AudioTensorOperation):
    """What cepstra share: logarithms, and the cosine transform over filters."""

    norm: NormMode

    def _cosine(self, filtered: np.ndarray, count: int, *, log: bool) -> np.ndarray:
        if log:
            filtered = np.log(filtered + 1e-6)
        else:
            filtered = decibels(filtered, 10.0, 1.0, 1e-10, 80.0)
        matrix = dct_matrix(count, filtered.shape[-2], self.norm)
        return _through(matrix, filtered).astype(np.float32)


class MFCC(_Cepstrum):
    """The mel-frequency cepstral coefficients of a waveform.

    Args:
        sample_rate (int, optional): samples per second; not negative. Default: ``16000``.
        n_mfcc (int, optional): the number of coefficients to keep. Default: ``40``.
        dct_type (int, optional): the type of the cosine transform; only 2. Default: ``2``.
        norm (NormMode, optional): how the cosine transform is scaled. Default: ``NormMode.ORTHO``.
        log_mels (bool, optional): whether logarithms are taken; otherwise decibels. Default:
            ``False``.
        melkwargs (dict, optional): arguments of `MelSpectrogram`; missing ones have their defaults.
            Default: ``None``.

    The input has shape (..., time); the output has shape (..., n_mfcc, frames), of float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, `melkwargs` has fewer mels than `n_mfcc`, or a key
            that is not an argument.
        RuntimeError: there are fewer mels than `n_mfcc`, or the input is too short.

    Difference from PyTorch: ``torchaudio.transforms.MFCC``; the output is always of float32.

    Source: the formulas of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.MFCC(4000, 12)(np.ones(500)).shape
        (12, 3)
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_mfcc: int = 40,
        dct_type: int = 2,
        norm: NormMode = NormMode.ORTHO,
        log_mels: bool = False,
        melkwargs: dict[str, Any] | None = None,
    ) -> None:
        check = AudioCheck("audio.MFCC")
        check.size("sample_rate", sample_rate)
        check.flag("log_mels", log_mels)
        check.kind("norm", norm, NormMode)
        check.size("n_mfcc", n_mfcc)
        if dct_type != 2:
            check.wrong_value("dct_type", dct_type, "2")
        given = {} if melkwargs is None else check.kind("melkwargs", melkwargs, dict)
        self._mels = _transform_of(
            check, "melkwargs", MelSpectrogram, {"sample_rate": sample_rate}, given
        )
        if given and self._mels.n_mels < n_mfcc:
            check.wrong_value("n_mfcc", n_mfcc, f"at most the {self._mels.n_mels} mels")
        self.sample_rate = sample_rate
        self.n_mfcc = n_mfcc
        self.dct_type = dct_type
        self.norm = norm
        self.log_mels = log_mels
        self.melkwargs = given

    def _compute(self, array: np.ndarray) -> np.ndarray:
        if self._mels.n_mels < self.n_mfcc:
            raise self._failed(
                f"argument 'n_mfcc' must be at most the {self._mels.n_mels} mels, but got "
                f"{self.n_mfcc}; give more mels as melkwargs"
            )
        return self._cosine(self._mels(array), self.n_mfcc, log=self.log_mels)


def _transform_of(check: AudioCheck, name: str, kind: type, own: dict[str, Any], given: Any) -> Any:
    """The transform of the arguments in a dict.

    Raises:
        ValueError: a key is not an argument.
    """
    known = kind.__init__.__annotations__.keys() - {"return", *own}
    for key in given:
        if key not in known:
            check.wrong_value(name, sorted(given), f"of keys among {', '.join(sorted(known))}")
    return kind(**own, **given)


class LFCC(_Cepstrum):
    """The linear-frequency cepstral coefficients of a waveform.

    Args:
        sample_rate (int, optional): samples per second; not negative. Default: ``16000``.
        n_filter (int, optional): the number of filters; above 0. Default: ``128``.
        n_lfcc (int, optional): the number of coefficients to keep; above 0. Default: ``40``.
        f_min (float, optional): the lowest frequency in Hz. Default: ``0.0``.
        f_max (float, optional): the highest one. Default: ``None``, half of `sample_rate`.
        dct_type (int, optional): the type of the cosine transform; only 2. Default: ``2``.
        norm (NormMode, optional): how the cosine transform is scaled. Default: ``NormMode.ORTHO``.
        log_lf (bool, optional): whether logarithms are taken; otherwise decibels. Default:
            ``False``.
        speckwargs (dict, optional): arguments of `Spectrogram`; missing ones have their defaults.
            Default: ``None``.

    The input has shape (..., time); the output has shape (..., n_lfcc, frames), of float32.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range, or `speckwargs` has a key that is not an argument.
        RuntimeError: the input is too short, or is not numeric.

    Difference from PyTorch: ``torchaudio.transforms.LFCC``; the output is always of float32.

    Source: the formulas of torchaudio's documentation; behavior observed in MindSpore 2.10.

    Examples:
        >>> import numpy as np
        >>> import agar.dataset.audio as audio
        >>> audio.LFCC(n_lfcc=12)(np.ones((2, 600))).shape
        (2, 12, 4)
    """

    def __init__(
        self,
        sample_rate: int = 16000,
        n_filter: int = 128,
        n_lfcc: int = 40,
        f_min: float = 0.0,
        f_max: float | None = None,
        dct_type: int = 2,
        norm: NormMode = NormMode.ORTHO,
        log_lf: bool = False,
        speckwargs: dict[str, Any] | None = None,
    ) -> None:
        check = AudioCheck("audio.LFCC")
        check.size("sample_rate", sample_rate)
        check.count("n_filter", n_filter)
        check.count("n_lfcc", n_lfcc)
        check.flag("log_lf", log_lf)
        check.kind("norm", norm, NormMode)
        check.weight("f_min", f_min)
        check.frequencies(f_min, f_max, sample_rate, same=True)
        if dct_type != 2:
            check.wrong_value("dct_type", dct_type, "2")
        given = {} if speckwargs is None else check.kind("speckwargs", speckwargs, dict)
        self._powers = _transform_of(check, "speckwargs", Spectrogram, {}, given)
        if given and self._powers.n_fft < n_lfcc:
            check.wrong_value("n_lfcc", n_lfcc, f"at most n_fft, {self._powers.n_fft}")
        self.sample_rate = sample_rate
        self.n_filter = n_filter
        self.n_lfcc = n_lfcc
        self.f_min = f_min
        self.f_max = f_max if f_max is not None else sample_rate // 2
        self.dct_type = dct_type
        self.norm = norm
        self.log_lf = log_lf
        self.speckwargs = given

    def _compute(self, array: np.ndarray) -> np.ndarray:
        powers = self._powers(array)
        matrix = linear_matrix(
            powers.shape[-2], self.f_min, self.f_max, self.n_filter, self.sample_rate
        )
        return self._cosine(_through(matrix, powers), self.n_lfcc, log=self.log_lf)
