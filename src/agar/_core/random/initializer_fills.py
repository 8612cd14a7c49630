"""The fills behind the random initializers: numbers that equal MindSpore 2.10's bit for bit.

Each fill takes one number from numpy's global state (:func:`draw_seed`) and reads a Philox stream
that this number keys, so an array depends on the draw alone, not on threads or blocks. Values are
made in double and rounded to float32; other dtypes are cast from that.

``orthogonal`` goes through LAPACK and so agrees to rounding only.
Source: behavior observed in MindSpore 2.10.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import torch

from agar._core.random.engines import FEW_BLOCKS, philox_lanes, philox_words

__all__ = ["draw_seed", "normal", "orthogonal", "sparse", "truncated_normal", "uniform", "write"]

Shape = Sequence[int]

# The constants are those of MindSpore's kernels, float32 where it has float32 literals.
_TWO_PI = 2.0 * float(np.float32(3.1415926))
_SQRT2 = float(np.float32(1.4142135))
_SMALLEST = float(np.float32(1e-7))


def draw_seed() -> int:
    """The number that one random initializer takes from numpy's global state."""
    return int(np.random.randint(1, 1 << 63, dtype=np.int64))


def _single(value: float) -> float:
    return float(np.float32(value))


def _fill(
    shape: Shape, seed: int | None, convert: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Float32 array of the words of one stream, ``convert``-ed from (4, m) int64 to (4, m)."""
    seed = draw_seed() if seed is None else seed
    count = math.prod(shape)
    if count <= 4 * FEW_BLOCKS:
        words = philox_words(seed, seed, -(-count // 4) * 4).reshape(-1, 4)
        few = convert(words.T.astype(np.int64)).T.reshape(-1)[:count]
        return few.astype(np.float32).reshape(shape)
    whole = count // 4
    flat = np.empty(count, np.float32)
    rows = flat[: 4 * whole].reshape(whole, 4)
    for first, lanes in philox_lanes(seed, seed, -(-count // 4)):
        # Words fit 32 bits, and only signed 64-bit integers convert fast.
        values = convert(lanes.view(np.int64))
        inside = min(values.shape[1], whole - first)
        rows[first : first + inside] = values[:, :inside].T
        if inside < values.shape[1]:
            flat[4 * whole :] = values[: count - 4 * whole, -1]
    return flat.reshape(shape)


def uniform(shape: Shape, low: float, high: float, seed: int | None = None) -> np.ndarray:
    """Float32 uniform: ``(high - low) * w / 2^32 + low`` of 32-bit words w.

    Args:
        shape (Sequence[int]): the shape of the result.
        low (float): lower bound, rounded to float32 first.
        high (float): upper bound, rounded to float32 first.
        seed (int | None): the number of the stream. Default: ``None``, takes :func:`draw_seed`.
    """
    low, high = _single(low), _single(high)
    scale = (high - low) * 2.0**-32

    def convert(words: np.ndarray) -> np.ndarray:
        values = words * scale
        values += low
        return values

    return _fill(shape, seed, convert)


def normal(shape: Shape, mean: float, sigma: float, seed: int | None = None) -> np.ndarray:
    """Float32 normal by Box and Muller's method, cosine value first.

    Args:
        shape (Sequence[int]): the shape of the result.
        mean (float): rounded to float32 first.
        sigma (float): standard deviation, rounded to float32 first.
        seed (int | None): the number of the stream. Default: ``None``, takes :func:`draw_seed`.
    """
    mean, sigma = _single(mean), _single(sigma)

    def convert(words: np.ndarray) -> np.ndarray:
        # The low 23 bits are the mantissa of a float32 in [1, 2).
        u = (words & 0x7FFFFF) * 2.0**-23
        np.maximum(u, _SMALLEST, out=u)
        radius = np.log(u[0::2])
        radius *= -2.0
        np.sqrt(radius, out=radius)
        radius *= sigma
        angle = u[1::2] * _TWO_PI
        np.multiply(np.cos(angle), radius, out=u[0::2])
        np.multiply(np.sin(angle), radius, out=u[1::2])
        u += mean
        return u

    return _fill(shape, seed, convert)


def truncated_normal(
    shape: Shape, low: float, high: float, mean: float, sigma: float, seed: int | None = None
) -> np.ndarray:
    """Float32 normal restricted to [low, high], by the inverse distribution function.

    Args:
        shape (Sequence[int]): the shape of the result.
        low (float): lower bound of the values.
        high (float): upper bound of the values.
        mean (float): mean before truncation.
        sigma (float): standard deviation before truncation.
        seed (int | None): the number of the stream. Default: ``None``, takes :func:`draw_seed`.
    """
    low, high, mean, sigma = (_single(value) for value in (low, high, mean, sigma))
    first, last = (math.erfc(-((bound - mean) / sigma / _SQRT2)) / 2.0 for bound in (low, high))
    # erfcinv(2 p) = -ndtri(p) / sqrt(2); MindSpore multiplies by its own, shorter sqrt(2).
    scale = sigma * (_SQRT2 / math.sqrt(2.0))

    def convert(words: np.ndarray) -> np.ndarray:
        p = words * 2.0**-32
        p *= last - first
        p += first
        values = torch.special.ndtri(torch.from_numpy(p)).numpy()
        values *= scale
        values += mean
        # Only a bound so far out that its tail underflows to 0 gives an infinity.
        return np.clip(values, low, high, out=values)

    return _fill(shape, seed, convert)


def orthogonal(shape: Shape, gain: float = 1.0, seed: int | None = None) -> np.ndarray:
    """Float32 matrix with orthonormal rows or columns, whichever are fewer, times ``gain``.

    Args:
        shape (Sequence[int]): at least two dimensions; all but the first are flattened.
        gain (float): factor. Default: ``1.0``.
        seed (int | None): the number of the stream. Default: ``None``, takes :func:`draw_seed`.

    Raises:
        ValueError: ``shape`` has fewer than two dimensions.
    """
    if len(shape) < 2:
        raise ValueError(
            f"Orthogonal: the array needs at least two dimensions, got the shape {tuple(shape)}."
        )
    matrix = normal((shape[0], math.prod(shape[1:])), 0.0, 1.0, seed)
    wide = matrix.shape[0] < matrix.shape[1]
    q, r = np.linalg.qr(matrix.T if wide else matrix)
    # The signs make the decomposition, and so the distribution, unique.
    q *= np.sign(np.diag(r))
    return np.ascontiguousarray((q.T if wide else q) * np.float32(gain)).reshape(shape)


def sparse(shape: Shape, sparsity: float, sigma: float = 0.01) -> np.ndarray:
    """Float32 normal matrix in which ``ceil(sparsity * rows)`` values of each column are zero.

    Args:
        shape (Sequence[int]): (rows, columns).
        sparsity (float): share of zeros, 0 to 1.
        sigma (float): standard deviation of the others. Default: ``0.01``.

    Raises:
        ValueError: ``shape`` does not have two dimensions.
    """
    if len(shape) != 2:
        raise ValueError(f"Sparse: the array needs two dimensions, got the shape {tuple(shape)}.")
    matrix = normal(shape, 0.0, sigma)
    rows, columns = matrix.shape
    zeros = math.ceil(sparsity * rows)
    for column in range(columns):
        matrix[np.random.permutation(rows)[:zeros], column] = 0
    return matrix


def write(target: torch.Tensor, values: np.ndarray) -> torch.Tensor:
    """Copy a fill into a tensor of any dtype and device, outside autograd; returns ``target``."""
    with torch.no_grad():
        return target.copy_(torch.from_numpy(values))
