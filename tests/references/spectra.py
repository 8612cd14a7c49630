"""Fourier transforms as the sums that define them, windows as their formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

__all__ = ["REFERENCES"]


def _scale(n: int, norm: str | None, inverse: bool) -> float:
    """The factor of a transform: each way the root for "ortho", else one way the whole."""
    if norm == "ortho":
        return n**-0.5
    return 1 / n if inverse == (norm != "forward") else 1.0


def _sized(x: Any, n: int, axis: int) -> np.ndarray:
    """`x` cut to length n along an axis, or filled up with zeros; that axis comes last."""
    x = np.moveaxis(np.asarray(x), axis, -1)[..., :n]
    return np.concatenate((x, np.zeros((*x.shape[:-1], n - x.shape[-1]))), -1)


def _line(x: Any, n: int | None, axis: int, norm: str | None, inverse: bool) -> np.ndarray:
    """The sum over t of x_t exp(-2 pi i k t / n) along an axis, with +2 for the inverse."""
    n = x.shape[axis] if n is None else n
    turns = np.outer(np.arange(n), np.arange(n)) / n
    waves = np.exp((2j if inverse else -2j) * np.pi * turns)
    return np.moveaxis(_sized(x, n, axis) @ waves, -1, axis) * _scale(n, norm, inverse)


def _half(x: Any, n: int | None, axis: int, norm: str | None, inverse: bool) -> np.ndarray:
    """The frequencies from 0 to n / 2 of a real signal."""
    n = x.shape[axis] if n is None else n
    return np.take(_line(x, n, axis, norm, inverse), range(n // 2 + 1), axis)


def _from_half(x: Any, n: int | None, axis: int, norm: str | None, inverse: bool) -> np.ndarray:
    """The real signal of frequencies 0 to n / 2: each but the ends stands for its conjugate too."""
    n = 2 * (x.shape[axis] - 1) if n is None else n
    x = _sized(x, n // 2 + 1, axis)
    twice = np.array([1 if k == 0 or 2 * k == n else 2 for k in range(n // 2 + 1)])
    turns = np.outer(np.arange(n // 2 + 1), np.arange(n)) / n
    waves = np.exp((2j if inverse else -2j) * np.pi * turns)
    return np.moveaxis(((x * twice) @ waves).real, -1, axis) * _scale(n, norm, inverse)


_Step = Callable[..., np.ndarray]


def _one(step: _Step, inverse: bool) -> _Step:
    """A transform along one axis."""

    def compute(x: Any, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
        return step(np.asarray(x), n, dim, norm, inverse)

    return compute


def _several(step: _Step, inverse: bool, plane: Any = None) -> _Step:
    """A transform along axes, one after the other; `step` is that along the last one.

    What makes half of the frequencies goes first, what takes half of them last.
    """

    def compute(
        x: Any, s: Sequence[int] | None = None, dim: Any = plane, norm: str | None = None
    ) -> Any:
        x = np.asarray(x)
        axes = list(range(x.ndim)) if dim is None else list(dim)
        sizes = [None] * len(axes) if s is None else list(s)
        steps = [(_line, n, axis) for n, axis in zip(sizes[:-1], axes[:-1], strict=True)]
        last = (step, sizes[-1], axes[-1])
        for each, n, axis in [last, *steps] if step is _half else [*steps, last]:
            x = each(x, n, axis, norm, inverse)
        return x

    return compute


def _with_size(
    x: Any, *, signal_ndim: int, inverse: bool, real: bool, norm: str = "backward"
) -> Any:
    step = (_from_half if inverse else _half) if real else _line
    return _several(step, inverse)(x, None, range(-signal_ndim, 0), norm)


def _frequencies(n: int, d: float = 1.0, dtype: Any = None) -> Any:
    return np.array([k if 2 * k < n else k - n for k in range(n)]) / (n * d)


def _shift(sign: int) -> Callable[..., Any]:
    def compute(x: Any, dim: int | None = None) -> Any:
        x = np.asarray(x)
        for axis in range(x.ndim) if dim is None else (dim,):
            half = x.shape[axis] // 2
            x = np.roll(x, sign * half, axis)
        return x

    return compute


# ------------------------------------------------------------------------------- windows


def _window(formula: Callable[..., Any]) -> Callable[..., Any]:
    """A window from a function of n / N in [0, 1], and of what more a window takes."""

    def compute(length: Any, periodic: bool = True, *rest: float, dtype: Any = None) -> Any:
        size = int(length)
        if size == 1:
            return np.ones(1)
        return formula(np.arange(size) / (size if periodic else size - 1), *rest)

    return compute


def _cosines(*weights: float) -> Callable[..., Any]:
    """Alternating sum of cosines of multiples."""

    def formula(at: Any) -> Any:
        return sum(w * (-1) ** k * np.cos(2 * np.pi * k * at) for k, w in enumerate(weights))

    return _window(formula)


def _bessel(x: Any) -> Any:
    """The modified Bessel function of order 0, by its series."""
    term = total = np.ones_like(x)
    for k in range(1, 60):
        term = term * (x / (2 * k)) ** 2
        total = total + term
    return total


_bartlett = _window(lambda at: 1 - abs(2 * at - 1))
_blackman = _cosines(0.42, 0.5, 0.08)
_hamming = _cosines(0.54, 0.46)
_kaiser = _window(
    lambda at: _bessel(12 * np.sqrt(1 - (2 * at - 1) ** 2)) / _bessel(np.float64(12.0))
)


# ------------------------------------------------------------------------ short transforms


def _frames(
    x: Any, n_fft: int, hop: int, length: int, window: Any, normalized: bool, onesided: bool
) -> Any:
    """Transforms of frames: the window stands in the middle of a frame, zeros around it."""
    values = np.zeros(n_fft)
    start = (n_fft - length) // 2
    values[start : start + length] = 1 if window is None else np.asarray(window)
    starts = range(0, x.shape[-1] - n_fft + 1, hop)
    frames = np.stack([x[..., t : t + n_fft] * values for t in starts], -2)
    result = _line(frames, None, -1, "ortho" if normalized else "backward", False)
    result = result[..., : n_fft // 2 + 1] if onesided else result
    return np.swapaxes(result, -1, -2)


def _stft(
    x: Any,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Any = None,
    *,
    center: bool = True,
    pad_mode: str = "REFLECT",
    normalized: bool = False,
    onesided: bool = True,
    return_complex: bool = False,
) -> Any:
    x = np.asarray(x)
    if center:
        ends = [(0, 0)] * (x.ndim - 1) + [(n_fft // 2, n_fft // 2)]
        x = np.pad(x, ends, pad_mode.lower())
    hop, length = hop_length or n_fft // 4, win_length or n_fft
    result = _frames(x, n_fft, hop, length, window, normalized, onesided)
    return result if return_complex else np.stack((result.real, result.imag), -1)


def _stft_class(signal: Any, window: Any, **settings: Any) -> Any:
    return _stft(signal, window=window, center=False, **settings)


REFERENCES = {
    "ops.fft": _one(_line, False),
    "ops.ifft": _one(_line, True),
    "ops.rfft": _one(_half, False),
    "ops.irfft": _one(_from_half, True),
    "ops.hfft": _one(_from_half, False),
    "ops.ihfft": _one(_half, True),
    "ops.fft2": _several(_line, False, (-2, -1)),
    "ops.ifft2": _several(_line, True, (-2, -1)),
    "ops.fftn": _several(_line, False),
    "ops.ifftn": _several(_line, True),
    "ops.rfft2": _several(_half, False, (-2, -1)),
    "ops.irfft2": _several(_from_half, True, (-2, -1)),
    "ops.rfftn": _several(_half, False),
    "ops.irfftn": _several(_from_half, True),
    "ops.hfft2": _several(_from_half, False, (-2, -1)),
    "ops.ihfft2": _several(_half, True, (-2, -1)),
    "ops.hfftn": _several(_from_half, False),
    "ops.ihfftn": _several(_half, True),
    "ops.fftfreq": _frequencies,
    "ops.rfftfreq": lambda n, d=1.0, dtype=None: np.arange(n // 2 + 1) / (n * d),
    "ops.fftshift": _shift(1),
    "ops.ifftshift": _shift(-1),
    "ops.bartlett_window": _bartlett,
    "ops.blackman_window": _blackman,
    "ops.hann_window": _window(lambda at: np.sin(np.pi * at) ** 2),
    "ops.hamming_window": _hamming,
    "ops.kaiser_window": _kaiser,
    "BartlettWindow": _bartlett,
    "BlackmanWindow": _blackman,
    "HammingWindow": _hamming,
    "FFTWithSize": _with_size,
    "ops.stft": _stft,
    "STFT": _stft_class,
}
