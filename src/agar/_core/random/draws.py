"""From engine words to numbers: one function per random primitive.

Each takes an engine, advances it exactly as far as MindSpore 2.10 advances its own on CPU, and
returns a numpy array (dropout: torch tensors) with the same bits. Elements are in C order.
Where numbers can be rejected, a block is drawn as if nothing were; what is missing afterwards is
drawn next. An MT19937 stream cannot step back, so from it never more is drawn than surely needed.

Status against MindSpore 2.10: everything here equals it bit for bit, except where a docstring says
otherwise: numbers that no seed of MindSpore reaches, and sums that depend on a mathematics library.
Source: behavior observed in MindSpore 2.10; algorithms as cited in the functions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch

from agar._core.random.engines import (
    BLOCK,
    MASK64,
    Engine,
    MinStd,
    Philox,
    engine_seed,
    philox_words,
)
from agar._core.runtime import host_node

__all__ = [
    "bernoulli",
    "cauchy",
    "check_int_range",
    "dropout",
    "dropout_channels",
    "gamma",
    "keep_mask",
    "mantissa_doubles",
    "mantissas",
    "parameterized_truncated_normal",
    "poisson",
    "poisson_seed",
    "standard_laplace",
    "standard_normal",
    "truncated_normal",
    "uniform_int",
    "uniform_real",
]

Shape = Sequence[int]

_F32 = np.float32


# ----------------------------------------------------------------------------------------- uniform


def uniform_real(shape: Shape, engine: Engine) -> np.ndarray:
    """Float32 uniform in [0, 1]: a 64-bit fraction in double, then rounded.

    The rounding may give 1, as it does in MindSpore.

    Args:
        shape (Sequence[int]): the shape of the result.
        engine (Engine): an MT19937 stream; advances by two words per element.
    """
    out = np.empty(math.prod(shape), _F32)
    with engine.lock:
        for begin in range(0, out.size, BLOCK):
            part = out[begin : begin + BLOCK]
            part[...] = engine.doubles(part.size)
    return out.reshape(shape)


def check_int_range(low: int, high: int) -> None:
    """Refuse bounds from which no int32 can be drawn.

    Raises:
        RuntimeError: ``high`` is not above ``low``, or the values do not fit int32.
    """
    if not -(2**31) <= low < high <= 2**31 - 1:
        raise RuntimeError(
            "UniformInt needs minval < maxval, both within int32 (-2147483648 .. 2147483647), got "
            f"minval {low} and maxval {high}."
        )


def uniform_int(shape: Shape, low: int, high: int, engine: Engine) -> np.ndarray:
    """Int32 uniform in low .. high-1, by division with rejection.

    Args:
        shape (Sequence[int]): the shape of the result.
        low (int): the smallest value.
        high (int): one more than the largest value.
        engine (Engine): an MT19937 stream; advances by one word per element and rejection.

    Raises:
        RuntimeError: as :func:`check_int_range`.
    """
    check_int_range(low, high)
    width = high - low
    scale = engine.span // width
    out = np.empty(math.prod(shape), np.int64)
    filled = 0
    with engine.lock:
        while filled < out.size:
            words = engine.draws(min(out.size - filled, BLOCK))
            entry = words[words < scale * width]
            out[filled : filled + entry.size] = entry // np.uint32(scale)
            filled += entry.size
    out += low
    return out.astype(np.int32).reshape(shape)


# ------------------------------------------------------------------------------------------ normal

# NOTE: the float32 logarithm
# MindSpore calls the C library's `logf`, which is not correctly rounded (38 of 10 000 differ in the
# last bit), so numpy's or torch's logarithm will not do. This is the same algorithm: the mantissa
# range is cut into 16 parts with a tabulated 1/c and log(c), the rest is a cubic in double.
# Source: Arm Optimized Routines (MIT license), `logf`, which glibc 2.28 and later use. It was
# compared with glibc on every float32 of (2^-126, 1]: no difference.
_LOG_TABLE = (
    ("0x1.661ec79f8f3bep+0", "-0x1.57bf7808caadep-2"),
    ("0x1.571ed4aaf883dp+0", "-0x1.2bef0a7c06ddbp-2"),
    ("0x1.49539f0f010bp+0", "-0x1.01eae7f513a67p-2"),
    ("0x1.3c995b0b80385p+0", "-0x1.b31d8a68224e9p-3"),
    ("0x1.30d190c8864a5p+0", "-0x1.6574f0ac07758p-3"),
    ("0x1.25e227b0b8eap+0", "-0x1.1aa2bc79c81p-3"),
    ("0x1.1bb4a4a1a343fp+0", "-0x1.a4e76ce8c0e5ep-4"),
    ("0x1.12358f08ae5bap+0", "-0x1.1973c5a611cccp-4"),
    ("0x1.0953f419900a7p+0", "-0x1.252f438e10c1ep-5"),
    ("0x1p+0", "0x0p+0"),
    ("0x1.e608cfd9a47acp-1", "0x1.aa5aa5df25984p-5"),
    ("0x1.ca4b31f026aap-1", "0x1.c5e53aa362eb4p-4"),
    ("0x1.b2036576afce6p-1", "0x1.526e57720db08p-3"),
    ("0x1.9c2d163a1aa2dp-1", "0x1.bc2860d22477p-3"),
    ("0x1.886e6037841edp-1", "0x1.1058bc8a07ee1p-2"),
    ("0x1.767dcf5534862p-1", "0x1.4043057b6ee09p-2"),
)
_LOG_INVERSES = np.array([float.fromhex(inverse) for inverse, _ in _LOG_TABLE])
_LOG_CENTERS = np.array([float.fromhex(center) for _, center in _LOG_TABLE])
_LOG_POLYNOMIAL = tuple(
    float.fromhex(text)
    for text in ("-0x1.00ea348b88334p-2", "0x1.5575b0be00b6ap-2", "-0x1.ffffef20a4123p-2")
)
_LN2 = float.fromhex("0x1.62e42fefa39efp-1")
_LOG_OFFSET = np.int32(0x3F330000)
_EXPONENT_MASK = np.int32(-(1 << 23))


def logf(x: np.ndarray) -> np.ndarray:
    """The C library's float32 logarithm, for positive normal float32."""
    bits = x.view(np.int32)
    shifted = bits - _LOG_OFFSET
    part = (shifted >> 19) & 15
    mantissa = (bits - (shifted & _EXPONENT_MASK)).view(_F32).astype(np.float64)
    r = mantissa * _LOG_INVERSES[part] - 1.0
    base = (shifted >> 23) * _LN2
    base += _LOG_CENTERS[part]
    square = r * r
    a0, a1, a2 = _LOG_POLYNOMIAL
    y = a1 * r + a2
    y += a0 * square
    y *= square
    y += base + r
    return y.astype(_F32)


def _polar_pairs(uniform: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """``(where, x, y, r2)`` of the points of consecutive uniforms that lie in the unit disc."""
    uniform = uniform * uniform.dtype.type(2) - uniform.dtype.type(1)
    x, y = uniform[0::2], uniform[1::2]
    r2 = x * x + y * y
    where = np.flatnonzero((r2 > 0) & (r2 <= 1))
    return where, x[where], y[where], r2[where]


def standard_normal(shape: Shape, engine: MinStd) -> np.ndarray:
    """Float32 standard normal by Marsaglia's polar method, in float32 throughout.

    A spare second variate is dropped at the end of the call.

    Args:
        shape (Sequence[int]): the shape of the result.
        engine (MinStd): advances by two words per pair and per rejected point.
    """
    count = math.prod(shape)
    pairs = np.empty(((count + 1) // 2, 2), _F32)
    filled = 0
    with engine.lock:
        while filled < len(pairs):
            missing = len(pairs) - filled
            # 4 / pi points give one pair on average.
            points = min(BLOCK // 2, int(1.3 * missing) + 8)
            where, x, y, r2 = _polar_pairs(engine.peek_floats(2 * points))
            taken = min(missing, where.size)
            m = logf(r2[:taken])
            m *= _F32(-2)
            m /= r2[:taken]
            np.sqrt(m, out=m)
            np.multiply(y[:taken], m, out=pairs[filled : filled + taken, 0])
            np.multiply(x[:taken], m, out=pairs[filled : filled + taken, 1])
            filled += taken
            engine.skip(2 * (int(where[taken - 1]) + 1 if filled == len(pairs) else points))
    return pairs.reshape(-1)[:count].reshape(shape)


def truncated_normal(
    shape: Shape,
    engine: MinStd,
    low: float = -2.0,
    high: float = 2.0,
    dtype: type[np.floating] = np.float32,
) -> np.ndarray:
    """Standard normal, values outside [low, high] drawn again; polar method in double.

    Args:
        shape (Sequence[int]): the shape of the result.
        engine (MinStd): advances by four words per point; a spare variate is dropped at the end.
        low (float): the smallest value. Default: -2.0.
        high (float): the largest value. Default: 2.0.
        dtype (type): to which the doubles are rounded. Default: float32.
    """
    out = np.empty(math.prod(shape), dtype)
    filled = 0
    with engine.lock:
        while filled < out.size:
            missing = out.size - filled
            points = min(BLOCK // 4, int(0.68 * missing) + 8)
            where, x, y, r2 = _polar_pairs(engine.peek_doubles(2 * points))
            m = np.sqrt(-2.0 * np.log(r2) / r2)
            values = np.stack([y * m, x * m], axis=1).reshape(-1)
            inside = np.flatnonzero((values >= low) & (values <= high))[:missing]
            out[filled : filled + inside.size] = values[inside]
            filled += inside.size
            last = int(where[inside[-1] // 2]) + 1 if filled == out.size else points
            engine.skip(4 * last)
    return out.reshape(shape)


def parameterized_truncated_normal(
    count: int,
    mean: float,
    deviation: float,
    low: float,
    high: float,
    engine: MinStd,
    dtype: type[np.floating] = np.float64,
) -> np.ndarray:
    """Normal numbers of a mean and deviation within [low, high].

    Three proposals, the cheapest for the interval (Robert 1995, "Simulation of truncated normal
    variables"): the normal itself, a uniform one, or an exponential one.

    Args:
        count (int): how many.
        mean (float): the mean before truncation.
        deviation (float): the standard deviation before truncation, above 0.
        low (float): lower bound.
        high (float): upper bound, above ``low``.
        engine (MinStd): advances by four words for each proposal.
        dtype (type): float32 or float64, in which to compute. Default: float64.
    """
    if high < mean:
        # The tail on the left is the mirrored tail on the right.
        return -parameterized_truncated_normal(count, -mean, deviation, -high, -low, engine, dtype)
    a, b = (low - mean) / deviation, (high - mean) / deviation
    if (a < -1.3 and b >= 0.0) or (b > 1.3 and a <= 0.0):
        z = truncated_normal((count,), engine, a, b, dtype)
        return z * dtype(deviation) + dtype(mean)
    root = math.sqrt(a * a + 4.0)
    widest = 2.0 * math.exp(0.5 + a * (a - root) / 4.0) / (a + root)
    narrow = b - a < widest
    rate = (a + root) / 2.0
    shift = max(a, 0.0) ** 2
    out = np.empty(count, dtype)
    filled = 0
    with engine.lock:
        while filled < count:
            points = min(BLOCK // 4, 2 * (count - filled) + 8)
            first, second = engine.peek_doubles(2 * points).reshape(points, 2).T
            first = first.astype(dtype)
            if narrow:
                z = first * dtype(b - a) + dtype(a)
                result = second <= np.exp((shift - z * z) / 2.0)
            else:
                with np.errstate(divide="ignore"):
                    z = -np.log(first) / dtype(rate) + dtype(a)
                result = (second <= np.exp(-((z - rate) ** 2) / 2.0)) & (z < b)
            inside = np.flatnonzero(result)[: count - filled]
            out[filled : filled + inside.size] = z[inside]
            filled += inside.size
            engine.skip(4 * (int(inside[-1]) + 1 if filled == count else points))
    return out * dtype(deviation) + dtype(mean)


def cauchy(shape: Shape, engine: MinStd) -> np.ndarray:
    """Float32 standard Cauchy, the tangent of a uniform angle.

    MindSpore takes entropy whatever the seed, so there are no numbers of its own to match.

    Args:
        shape (Sequence[int]): the shape of the result.
        engine (MinStd): advances by two words per element.
    """
    angle = engine.doubles(math.prod(shape)) - 0.5
    return np.tan(np.pi * angle).astype(_F32).reshape(shape)


def standard_laplace(shape: Shape, engine: MinStd) -> np.ndarray:
    """Float32 standard Laplace: ``-sign(u) log(1 - |u|)`` of a float32 u in (-1, 1).

    Args:
        shape (Sequence[int]): the shape of the result.
        engine (MinStd): advances by one word per element.
    """
    lowest = np.nextafter(_F32(-1), _F32(0))
    u = engine.floats(math.prod(shape))
    u *= _F32(1) - lowest
    u += lowest
    magnitude = np.log(1.0 - np.abs(u, dtype=np.float64))
    return np.copysign(magnitude, u).astype(_F32).reshape(shape)


# ----------------------------------------------------------------------------------------- dropout


def _check_keep_prob(operator: str, keep_prob: float, zero_allowed: bool) -> None:
    if not (0 < keep_prob <= 1 or (zero_allowed and keep_prob == 0)):
        interval = "[0, 1]" if zero_allowed else "(0, 1]"
        raise RuntimeError(
            f"{operator}: keep_prob (that is, 1 - p) must lie in {interval}, got {keep_prob!r}."
        )


def keep_mask(
    shape: Shape, keep_prob: float, engine: MinStd, device: torch.device | None = None
) -> torch.Tensor:
    """Bool tensor, true with probability ``keep_prob``: one word per element.

    Args:
        shape (Sequence[int]): the shape of the mask.
        keep_prob (float): compared, rounded to float32, with a float32 uniform.
        engine (MinStd): advances by the number of elements.
        device (torch.device | None): where the mask is to be. Default: ``None``, the CPU.
    """
    count = math.prod(shape)
    if device is None or device.type == "cpu":
        return torch.from_numpy(engine.below(count, keep_prob)).view(shape)
    if device.type == "cuda":
        return engine.below_on(device, count, keep_prob).view(shape)
    # Not every backend has wrapping 64-bit products.
    return torch.from_numpy(engine.below(count, keep_prob)).to(device).view(shape)


def dropout(x: torch.Tensor, keep_prob: float, engine: MinStd) -> tuple[torch.Tensor, torch.Tensor]:
    """``(output, keep)`` with ``output = keep * x / keep_prob``, differentiable in x.

    The factor is float32(1 / keep_prob). float16 and bfloat16 are scaled in float32 and rounded
    once; float64 is scaled in double. A dropped infinity gives NaN, as 0 * inf does.

    Args:
        x (torch.Tensor): floating point, any shape.
        keep_prob (float): the share that is kept, in (0, 1].
        engine (MinStd): advances by the number of elements.

    Raises:
        RuntimeError: ``keep_prob`` is not in (0, 1].
        TypeError: ``x`` is not floating point.
    """
    _check_keep_prob("Dropout", keep_prob, zero_allowed=False)
    if not x.is_floating_point():
        raise TypeError(
            f"Dropout needs a floating-point tensor, got {x.dtype}; convert it with astype first."
        )
    keep, scaled = _keep_and_factors(tuple(x.shape), keep_prob, engine, x.device)
    if x.dtype == torch.float32:
        return x * scaled, keep
    if x.dtype == torch.float64:
        return x * scaled.double(), keep
    return (x.float() * scaled).to(x.dtype), keep


def _keep_and_factors_of(
    shape: tuple[int, ...], keep_prob: float, engine: MinStd, device: torch.device
) -> tuple[torch.Tensor, torch.Tensor]:
    keep = keep_mask(shape, keep_prob, engine, device)
    factor = _F32(1) / _F32(keep_prob)
    if device.type == "cpu":
        # numpy's mixed product is several times faster than torch's on CPU.
        return keep, torch.from_numpy(np.multiply(keep.numpy(), factor, dtype=_F32))
    return keep, keep.float().mul_(float(factor))


#: The mask of a dropout, and what it multiplies by: one node of a recording.
_keep_and_factors = host_node(_keep_and_factors_of, "tensors")


def _channel_mask_of(
    planes: tuple[int, ...], keep_prob: float, engine: MinStd, device: torch.device
) -> torch.Tensor:
    keep = engine.doubles(math.prod(planes)) < float(_F32(keep_prob))
    return torch.from_numpy(keep).to(device)


_channel_mask = host_node(_channel_mask_of, "tensor")


def dropout_channels(
    x: torch.Tensor, keep_prob: float, engine: MinStd
) -> tuple[torch.Tensor, torch.Tensor]:
    """``(output, keep)`` where whole channels ``x[n, c]`` are kept or dropped.

    All dtypes are scaled in float32 and converted back; dropped channels are zero whatever they
    held. Differentiable in x.

    Args:
        x (torch.Tensor): shape (N, C, ...).
        keep_prob (float): the share that is kept, in [0, 1].
        engine (MinStd): advances by two words per channel.

    Raises:
        RuntimeError: ``keep_prob`` is not in [0, 1].
    """
    _check_keep_prob("Dropout2D/Dropout3D", keep_prob, zero_allowed=True)
    planes = tuple(x.shape[:2])
    keep = _channel_mask(planes, keep_prob, engine, x.device)
    keep = keep.view(planes + (1,) * (x.dim() - 2))
    factor = float(_F32(1) / _F32(keep_prob)) if keep_prob else 0.0
    scaled = x.float() * factor
    return torch.where(keep, scaled, scaled.new_zeros(())).to(x.dtype), keep.expand(x.shape)


def mantissas(words: np.ndarray) -> np.ndarray:
    """Float32 in [0, 1): the low 23 bits of a word are the mantissa of a number in [1, 2).

    Args:
        words (numpy.ndarray): 32-bit words of an engine.
    """
    return (words & np.uint32(0x7FFFFF)).astype(_F32) * _F32(2.0**-23)


def mantissa_doubles(words: np.ndarray) -> np.ndarray:
    """Doubles in [0, 1) from two rows of words: 20 bits of the first, all 32 of the second."""
    return ((words[0] & np.uint64(0xFFFFF)) << np.uint64(32) | words[1]).astype(np.float64) * (
        2.0**-52
    )


def bernoulli(shape: Shape, p: float | np.ndarray, seed: int) -> np.ndarray:
    """Float32 zeros and ones, one with probability p.

    The seed is the key of a Philox stream from its start: equal calls give equal results.

    Args:
        shape (Sequence[int]): the shape of the result.
        p (float | np.ndarray): broadcast to ``shape``.
        seed (int): the key; -1 takes entropy.
    """
    words = philox_words(engine_seed(0, 0) if seed == -1 else seed, 0, math.prod(shape))
    return (mantissas(words).reshape(shape) <= np.asarray(p, _F32)).astype(_F32)


# --------------------------------------------------------------------------------- Poisson, gamma


def poisson_seed(seed: int) -> int:
    """The MT19937 seed of the Poisson primitive: the engine seed, scrambled once more."""
    return (seed * 6364136223846793005 + 0xDA3E39CB94B95BDB) & MASK64


def poisson(shape: Shape, rates: float | np.ndarray, engine: Engine) -> np.ndarray:
    """Float64 Poisson counts, of shape ``shape + rates.shape``.

    Rates below 10 multiply uniforms until the product is at most exp(-rate) (Knuth); higher rates
    use transformed rejection (Hormann 1993, "The transformed rejection method for generating
    Poisson random variables", algorithm PTRS).

    Args:
        shape (Sequence[int]): samples per rate.
        rates (float | np.ndarray): at least 0; drawn one rate after the other.
        engine (Engine): an MT19937 stream made with :func:`poisson_seed`.

    Raises:
        ValueError: a rate is negative, infinite or NaN.
    """
    rates = np.asarray(rates, np.float64)
    if not np.all((rates >= 0) & (rates < np.inf)):
        raise ValueError(f"random_poisson: every rate must be finite and at least 0, got {rates}.")
    count = math.prod(shape)
    out = np.empty((rates.size, count))
    with engine.lock:
        for rate, target in zip(rates.reshape(-1).tolist(), out, strict=True):
            (_poisson_product if rate < 10 else _poisson_rejection)(rate, target, engine)
    return out.T.reshape((*shape, *rates.shape))


def _poisson_product(rate: float, target: np.ndarray, engine: Engine) -> None:
    limit = math.exp(-rate)
    counts: list[int] = []
    count, product = 0, 1.0
    while len(counts) < target.size:
        # Every missing sample takes at least one uniform.
        for uniform in engine.doubles(target.size - len(counts)).tolist():
            product *= uniform
            if product > limit:
                count += 1
            else:
                counts.append(count)
                count, product = 0, 1.0
    target[...] = counts


def _poisson_rejection(rate: float, target: np.ndarray, engine: Engine) -> None:
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    squeeze = 0.9277 - 3.6224 / (b - 2)
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    log_rate = math.log(rate)
    filled = 0
    while filled < target.size:
        uniform = engine.doubles(2 * min(target.size - filled, BLOCK))
        u, v = uniform[0::2] - 0.5, uniform[1::2]
        us = 0.5 - np.abs(u)
        with np.errstate(divide="ignore", invalid="ignore"):
            k = np.floor((2 * a / us + b) * u + rate + 0.43)
            bound = k * log_rate - rate - torch.lgamma(torch.from_numpy(k + 1)).numpy()
            exact = np.log(v * inverse_alpha / (a / (us * us) + b)) <= bound
        quick = (us >= 0.07) & (v <= squeeze)
        entry = k[quick | (exact & (k >= 0) & ((us >= 0.013) | (v <= us)))]
        target[filled : filled + entry.size] = entry
        filled += entry.size


# Each element has this many blocks of the stream for itself, so that all can be drawn at once.
_GAMMA_BLOCKS = 256


def gamma(shape: Shape, alpha: float | np.ndarray, engine: Philox) -> np.ndarray:
    """Float64 standard gamma variates, of shape ``shape + alpha.shape``.

    Marsaglia and Tsang 2000, "A simple method for generating gamma variables"; below 1 the variate
    of alpha + 1 times a power of a uniform; the exponential by its inverse. Doubles may differ
    from MindSpore's in the last bit, as logarithms and cosines of libraries do.

    Args:
        shape (Sequence[int]): samples per shape parameter.
        alpha (float | np.ndarray): shape parameters, above 0; drawn one after the other.
        engine (Philox): advances by 256 blocks per element.

    Raises:
        ValueError: an alpha is not above 0, infinite or NaN.
    """
    alpha = np.asarray(alpha, np.float64)
    if not np.all((alpha > 0) & (alpha < np.inf)):
        raise ValueError(f"random_gamma: every alpha must be finite and above 0, got {alpha}.")
    count = math.prod(shape)
    total = alpha.size * count
    start = engine.skip(4 * _GAMMA_BLOCKS * total) // 4
    out = np.empty(total)
    flat = np.repeat(alpha.reshape(-1), count)
    for begin in range(0, total, BLOCK):
        part = slice(begin, min(begin + BLOCK, total))
        first = start + np.arange(part.start, part.stop, dtype=np.int64) * _GAMMA_BLOCKS
        out[part] = _gamma_lanes(flat[part], _Lanes(engine, first))
    return out.reshape(alpha.size, count).T.reshape((*shape, *alpha.shape))


class _Lanes:
    """Uniforms and normals for many elements, each from its own run of blocks.

    A block gives two doubles; the second is used first, the other kept for the next request of the
    same kind.
    """

    def __init__(self, engine: Philox, first: np.ndarray) -> None:
        self._engine = engine
        self._next = first
        self._spare = {kind: np.full(first.size, np.nan) for kind in ("uniform", "normal")}

    def _take(self, kind: str, lanes: np.ndarray) -> np.ndarray:
        spare = self._spare[kind]
        values = spare[lanes]
        spare[lanes] = np.nan
        fresh = np.isnan(values)
        new = lanes[fresh]
        if new.size:
            words = self._engine.blocks(self._next[new].astype(np.uint64))
            self._next[new] += 1
            u = mantissa_doubles(words[:2]), mantissa_doubles(words[2:])
            if kind == "normal":
                u = _box_muller(*u)
            spare[new], values[fresh] = u
        return values

    def uniform(self, lanes: np.ndarray) -> np.ndarray:
        """The next uniform in [0, 1) of each of these elements."""
        return self._take("uniform", lanes)

    def normal(self, lanes: np.ndarray) -> np.ndarray:
        """The next standard normal of each of these elements."""
        return self._take("normal", lanes)


def _box_muller(u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    radius = np.sqrt(-2.0 * np.log(np.maximum(u, 1e-7)))
    angle = 2.0 * np.pi * v
    return np.sin(angle) * radius, np.cos(angle) * radius


def _gamma_lanes(alpha: np.ndarray, source: _Lanes) -> np.ndarray:
    out = np.empty(alpha.size)
    exponential = np.flatnonzero(alpha == 1.0)
    out[exponential] = -np.log1p(-source.uniform(exponential))
    d = alpha + np.where(alpha < 1.0, 2.0 / 3.0, -1.0 / 3.0)
    waiting = np.flatnonzero(alpha != 1.0)
    c = np.zeros(alpha.size)
    c[waiting] = 1.0 / 3.0 / np.sqrt(d[waiting])
    while waiting.size:
        x = source.normal(waiting)
        v = 1.0 + c[waiting] * x
        positive = v > 0
        tried, x, v = waiting[positive], x[positive], v[positive]
        v = v * v * v
        u, scale = source.uniform(tried), d[tried]
        square = x * x
        with np.errstate(divide="ignore"):
            result = (u < 1.0 - 0.0331 * square * square) | (
                np.log(u) < 0.5 * square + scale * (1.0 - v + np.log(v))
            )
        done = tried[result]
        out[done] = scale[result] * v[result]
        small = done[alpha[done] < 1.0]
        out[small] *= source.uniform(small) ** (1.0 / alpha[small])
        waiting = np.setdiff1d(waiting, done, assume_unique=True)
    return out
