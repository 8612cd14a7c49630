"""The computations audio transforms share: recursive filters, Fourier transforms of frames."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
import torch  # fast Fourier transforms in float32 too, frames and their overlap

from agar.dataset.audio.utils import BorderType, Modulation, WindowType

__all__ = [
    "inverse_stft",
    "padded",
    "phase_vocoder",
    "recursive_filter",
    "stft",
    "wave_table",
    "window_values",
    "with_zeros",
]

_BLOCK = 128


def recursive_filter(signal: np.ndarray, a: Sequence[float], b: Sequence[float]) -> np.ndarray:
    """``a[0] y[t] = b[0] x[t] + b[1] x[t-1] + ... - a[1] y[t-1] - ...`` over the last dimension.

    It works in float64, block by block: what a block's own samples give is one product of matrices
    for all blocks, and only what the blocks before leave behind is carried from block to block.
    """
    shape = signal.shape
    x = signal.reshape(-1, shape[-1]).astype(np.float64)
    forward = np.zeros_like(x)
    for lag, weight in enumerate(b):
        if lag < x.shape[1]:
            forward[:, lag:] += (weight / a[0]) * x[:, : x.shape[1] - lag]
    backward = np.asarray(a[1:], np.float64) / a[0]
    if not backward.any():
        return forward.reshape(shape)
    # an unstable filter may exceed the range of floats
    with np.errstate(over="ignore", invalid="ignore"):
        return _recursion(forward, backward).reshape(shape)


def _recursion(forward: np.ndarray, backward: np.ndarray) -> np.ndarray:
    order, (rows, length) = len(backward), forward.shape
    size = max(order, min(_BLOCK, length))
    # row t: what y[t] takes from each of the values before the block, the latest one first
    carried = np.zeros((size + order, order))
    carried[:order] = np.eye(order)[::-1]
    for t in range(order, size + order):
        carried[t] = -backward @ carried[t - order : t][::-1]
    carried = carried[order:]
    impulse = np.zeros(size)
    impulse[0] = 1.0
    impulse[1:] = carried[:-1, 0]  # the answer to a 1 is what follows a 1
    if not np.isfinite(carried).all():
        return _one_by_one(forward, backward)
    lags = np.arange(size)[:, None] - np.arange(size)
    own = np.where(lags >= 0, impulse[lags], 0.0)
    blocks = -(-length // size)
    whole = np.zeros((rows, blocks * size))
    whole[:, :length] = forward
    result = whole.reshape(rows, blocks, size) @ own.T
    state = np.zeros((rows, order))
    for i in range(blocks):
        result[:, i] += state @ carried.T
        state = result[:, i, : -order - 1 : -1]
    return result.reshape(rows, -1)[:, :length]


def _one_by_one(forward: np.ndarray, backward: np.ndarray) -> np.ndarray:
    order = len(backward)
    result = np.zeros((forward.shape[0], forward.shape[1] + order))
    for t in range(forward.shape[1]):
        before = result[:, t : t + order][:, ::-1]
        result[:, t + order] = forward[:, t] - before @ backward
    return result[:, order:]


_PADDING = {
    BorderType.CONSTANT: "constant",
    BorderType.EDGE: "edge",
    BorderType.REFLECT: "reflect",
    BorderType.SYMMETRIC: "symmetric",
}


def with_zeros(array: np.ndarray, before: int, after: int) -> np.ndarray:
    """The array with zeros at the ends of its last dimension."""
    widths = np.zeros((array.ndim, 2), int)
    widths[-1] = before, after
    return np.pad(array, widths)


def padded(array: np.ndarray, count: int, border: BorderType) -> np.ndarray:
    """The array, longer by `count` at both ends of its last dimension."""
    widths = [(0, 0)] * (array.ndim - 1) + [(count, count)]
    mode = _PADDING[border]
    if array.shape[-1] == 1 and mode == "reflect":
        mode = "edge"  # there is nothing to mirror but the value itself
    return np.pad(array, widths, mode=mode)  # type: ignore[call-overload]


@functools.lru_cache(maxsize=32)
def _window(kind: WindowType, length: int) -> np.ndarray:
    result = {
        WindowType.BARTLETT: torch.bartlett_window,
        WindowType.BLACKMAN: torch.blackman_window,
        WindowType.HAMMING: torch.hamming_window,
        WindowType.HANN: torch.hann_window,
        WindowType.KAISER: torch.kaiser_window,
    }[kind](length, dtype=torch.float64)
    return result.numpy()


def window_values(kind: WindowType, length: int, size: int) -> np.ndarray:
    """A periodic window of some length, in float64, in the middle of `size` values."""
    left = (size - length) // 2
    return np.pad(_window(kind, length), (left, size - length - left))


def stft(
    signal: np.ndarray,
    n_fft: int,
    hop_length: int,
    window: np.ndarray,
    *,
    border: BorderType | None = BorderType.REFLECT,
    onesided: bool = True,
) -> np.ndarray:
    """The Fourier transforms of the frames of a signal, of shape (..., frequencies, frames).

    Args:
        signal: of shape (..., time), of float32 or float64; there must be a whole frame.
        n_fft: the size of a frame.
        hop_length: the distance between frames.
        window: `n_fft` values.
        border: how the signal goes on where frames are centered; None for frames that are not.
        onesided: whether only the frequencies up to the middle are given.
    """
    if border is not None:
        signal = padded(signal, n_fft // 2, border)
    frames = torch.from_numpy(np.ascontiguousarray(signal)).unfold(-1, n_fft, hop_length)
    frames = frames * torch.from_numpy(window.astype(signal.dtype))
    result = torch.fft.rfft(frames).transpose(-1, -2).numpy()
    if not onesided:
        # MindSpore repeats the frequencies below the middle as they are, not conjugated
        result = np.concatenate([result, result[..., (n_fft - 1) // 2 : 0 : -1, :]], axis=-2)
    return result


def inverse_stft(
    spectrum: np.ndarray,
    n_fft: int,
    hop_length: int,
    window: np.ndarray,
    *,
    center: bool = True,
    length: int | None = None,
) -> np.ndarray:
    """The signal of shape (..., time) whose Fourier transforms of frames are nearest.

    Samples to which no window gives weight are 0.
    """
    real = np.real(spectrum).dtype
    rows = torch.from_numpy(np.ascontiguousarray(spectrum)).reshape(-1, *spectrum.shape[-2:])
    # a real signal is known from the frequencies up to the middle
    result = torch.fft.irfft(rows[:, : n_fft // 2 + 1].transpose(-1, -2), n_fft)
    weights = torch.from_numpy(window.astype(real))
    total = n_fft + hop_length * (rows.shape[-1] - 1)
    signal = _overlapped((result * weights).transpose(-1, -2), total, n_fft, hop_length)
    squares = (weights * weights)[None, :, None].expand(1, n_fft, rows.shape[-1])
    envelope = _overlapped(squares, total, n_fft, hop_length)
    start = n_fft // 2 if center else 0
    if length is None:
        length = total - n_fft // 2 * 2
    signal, envelope = signal[:, start : start + length], envelope[:, start : start + length]
    weighted = envelope > 1e-11
    value = torch.where(weighted, signal / torch.where(weighted, envelope, 1.0), 0.0).numpy()
    if value.shape[1] < length:
        value = with_zeros(value, 0, length - value.shape[1])
    return value.reshape(*spectrum.shape[:-2], -1)


def _overlapped(frames: torch.Tensor, total: int, n_fft: int, hop_length: int) -> torch.Tensor:
    added = torch.nn.functional.fold(
        frames, (1, total), kernel_size=(1, n_fft), stride=(1, hop_length)
    )
    return added.reshape(frames.shape[0], total)


def phase_vocoder(spectrum: np.ndarray, rate: float, advance: np.ndarray) -> np.ndarray:
    """A complex spectrogram of shape (..., freq, time) whose time runs `rate` times as fast."""
    if rate == 1.0:
        return spectrum
    real = np.real(spectrum).dtype
    steps = np.arange(0, spectrum.shape[-1], rate, dtype=real)
    share = steps % real.type(1.0)
    starts = steps.astype(np.int64)
    longer = np.concatenate([spectrum, np.zeros_like(spectrum[..., :2])], axis=-1)
    before, after = longer[..., starts], longer[..., starts + 1]
    turned = np.angle(after) - np.angle(before) - advance
    turned -= 2 * math.pi * np.round(turned / (2 * math.pi))
    turned += advance
    phase = np.concatenate([np.angle(spectrum[..., :1]), turned[..., :-1]], axis=-1)
    phase = np.cumsum(phase, axis=-1)
    size = share * np.abs(after) + (1 - share) * np.abs(before)
    return (size * np.exp(1j * phase)).astype(spectrum.dtype)


def wave_table(kind: Modulation, size: int, low: float, high: float, phase: float) -> np.ndarray:
    """One period of a wave between two values, in float64."""
    offset = int(phase / math.pi / 2 * size + 0.5)
    point = (np.arange(size) + offset) % size
    if kind is Modulation.SINUSOIDAL:
        wave = (np.sin(point / size * 2 * math.pi) + 1) / 2
    else:
        quarter = 4 * point // size
        wave = point * 2 / size
        wave = np.choose(quarter, [wave + 0.5, 1.5 - wave, 1.5 - wave, wave - 1.5])
    return wave * (high - low) + low
