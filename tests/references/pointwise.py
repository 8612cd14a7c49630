"""Functions of one tensor, and special functions, from their definitions.

Special functions are integrals, series or recurrences here, in double precision.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import Any

import numpy as np

_EULER = 0.5772156649015329


def _each(compute: Callable[[Any], Any]) -> Callable[[Any], np.ndarray]:
    """A function of the array behind the tensor."""
    return lambda x: compute(np.asarray(x))


def _by_element(compute: Callable[..., float]) -> Callable[..., np.ndarray]:
    """A function of arrays that broadcast, from one of Python numbers."""

    def over(*arrays: Any) -> np.ndarray:
        parts = np.broadcast_arrays(*(np.asarray(a, dtype=float) for a in arrays))
        values = [compute(*map(float, v)) for v in zip(*(p.flat for p in parts), strict=True)]
        return np.array(values).reshape(parts[0].shape)

    return over


# ------------------------------------------------------------------------------- elementary


def _trunc(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, np.ceil(x), np.floor(x))


def _sign(x: np.ndarray) -> np.ndarray:
    return (x > 0) * 1 - (x < 0) * 1


def _sgn(x: np.ndarray) -> np.ndarray:
    return x / np.abs(x) if np.iscomplexobj(x) else _sign(x)


def _absolute(x: np.ndarray) -> np.ndarray:
    return x if x.dtype == bool else np.where(x < 0, -x, x)


def _rounded(x: Any, decimals: int = 0) -> np.ndarray:
    x = np.asarray(x)
    return np.array([round(v, decimals) for v in x.ravel().tolist()]).reshape(x.shape)


def _inverse(x: np.ndarray) -> np.ndarray:
    if np.issubdtype(x.dtype, np.integer):
        return np.where(np.abs(x) == 1, x, 0)  # 1 / x truncated
    return 1 / x


# ---------------------------------------------------------------------------------- special


def _integral(f: Callable[[np.ndarray], np.ndarray], low: float, high: float) -> float:
    """The integral of a smooth function, by Gauss and Legendre."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    half = (high - low) / 2
    return half * float(np.sum(weights * f(low + half * (nodes + 1))))


def _j(n: int, x: float) -> float:
    return _integral(lambda t: np.cos(n * t - x * np.sin(t)), 0, math.pi) / math.pi


def _far(x: float) -> float:
    """Where exp(-x cosh t) is nothing any more."""
    return math.asinh(800 / x)


def _y(n: int, x: float) -> float:
    near = _integral(lambda t: np.sin(x * np.sin(t) - n * t), 0, math.pi)
    tail = _integral(
        lambda t: (np.exp(n * t) + (-1) ** n * np.exp(-n * t)) * np.exp(-x * np.sinh(t)),
        0,
        _far(x),
    )
    return (near - tail) / math.pi


def _i(n: int, x: float) -> float:
    return _integral(lambda t: np.exp(x * np.cos(t)) * np.cos(n * t), 0, math.pi) / math.pi


def _k(n: int, x: float) -> float:
    return _integral(lambda t: np.exp(-x * np.cosh(t)) * np.cosh(n * t), 0, _far(x))


def _bessel(kind: Callable[[int, float], float], n: int, scale: int = 0) -> Callable[..., Any]:
    """A Bessel function of order n, times exp(scale |x|)."""
    return _by_element(lambda x: kind(n, x) * math.exp(scale * abs(x)))


def _zeta(s: float, a: float) -> float:
    """Hurwitz's zeta function by Euler's and Maclaurin's formula."""
    terms = 20
    b = a + terms
    total = sum((a + k) ** -s for k in range(terms)) + b ** (1 - s) / (s - 1) + b**-s / 2
    rising, bernoulli = s, (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66)
    for k, number in enumerate(bernoulli, 1):
        total += number / math.factorial(2 * k) * rising * b ** (1 - s - 2 * k)
        rising *= (s + 2 * k - 1) * (s + 2 * k)
    return total


def _digamma(x: float) -> float:
    """The series of -gamma + sum of 1/(k + 1) - 1/(k + x), whose tail is a difference of logs."""
    terms = 2000
    total = -_EULER + sum(1 / (k + 1) - 1 / (k + x) for k in range(terms))
    tail = [math.log(b) - 1 / (2 * b) - 1 / (12 * b * b) for b in (terms + x, terms + 1)]
    return total + tail[0] - tail[1]


def _polygamma(n: Any, x: Any) -> np.ndarray:
    n = int(n)
    return _by_element(lambda v: (-1) ** (n + 1) * math.factorial(n) * _zeta(n + 1, v))(x)


def _lower_gamma(a: float, x: float) -> float:
    """P(a, x) by its power series."""
    term = total = 1 / a
    for k in range(1, 200):
        term *= x / (a + k)
        total += term
    return total * math.exp(-x) * x**a / math.gamma(a)


def _sinc(x: float) -> float:
    return math.sin(math.pi * x) / (math.pi * x) if x else 1.0


def _xlogy(x: float, y: float) -> float:
    return x * math.log(y) if x else 0.0


def _xdivy(x: float, y: float) -> float:
    return x / y if x else 0.0


def _logit(x: Any, eps: float | None = None) -> np.ndarray:
    x = np.asarray(x)
    if eps is not None:
        x = np.minimum(np.maximum(x, eps), 1 - eps)
    return np.log(x) - np.log(1 - x)


def _mvlgamma(x: Any, p: int) -> np.ndarray:
    def one(v: float) -> float:
        parts = sum(math.lgamma(v - (i - 1) / 2) for i in range(1, p + 1))
        return p * (p - 1) / 4 * math.log(math.pi) + parts

    return _by_element(one)(x)


def _heaviside(x: float, value: float) -> float:
    return value if x == 0 else float(x > 0)


REFERENCES: dict[str, Callable[..., Any]] = {
    "ops.exp+Tensor.exp+Exp+mint.exp": _each(np.exp),
    "ops.expm1+Tensor.expm1+Expm1+mint.expm1": _each(np.expm1),
    "ops.exp2+Tensor.exp2+mint.exp2": _each(lambda x: 2.0**x),
    "ops.log+Tensor.log+Log+mint.log": _each(np.log),
    "ops.log2+Tensor.log2+mint.log2": _each(lambda x: np.log(x) / np.log(2)),
    "ops.log10+Tensor.log10+mint.log10": _each(lambda x: np.log(x) / np.log(10)),
    "ops.log1p+Tensor.log1p+Log1p+mint.log1p": _each(lambda x: np.log(1 + x)),
    "ops.rsqrt+Tensor.rsqrt+Rsqrt+mint.rsqrt": _each(lambda x: x**-0.5),
    "ops.reciprocal+Tensor.reciprocal+Reciprocal+mint.reciprocal": _each(lambda x: 1 / x),
    "ops.sin+Tensor.sin+Sin+mint.sin": _each(np.sin),
    "ops.cos+Tensor.cos+Cos+mint.cos": _each(np.cos),
    "ops.tan+Tensor.tan+Tan+mint.tan": _each(lambda x: np.sin(x) / np.cos(x)),
    "ops.asin+Tensor.asin+Asin+mint.asin": _each(np.arcsin),
    "ops.acos+Tensor.acos+ACos+mint.acos": _each(np.arccos),
    "ops.atan+Tensor.atan+Atan+mint.atan": _each(np.arctan),
    "ops.sinh+Tensor.sinh+Sinh+mint.sinh": _each(lambda x: (np.exp(x) - np.exp(-x)) / 2),
    "ops.cosh+Tensor.cosh+Cosh+mint.cosh": _each(lambda x: (np.exp(x) + np.exp(-x)) / 2),
    "ops.tanh+Tensor.tanh+Tanh+mint.tanh": _each(lambda x: 1 - 2 / (np.exp(2 * x) + 1)),
    "ops.asinh+Tensor.asinh+Asinh+mint.asinh": _each(lambda x: np.log(x + np.sqrt(x * x + 1))),
    "ops.acosh+Tensor.acosh+Acosh+mint.acosh": _each(lambda x: np.log(x + np.sqrt(x * x - 1))),
    "ops.atanh+Tensor.atanh+Atanh+mint.atanh": _each(lambda x: np.log((1 + x) / (1 - x)) / 2),
    "ops.floor+Tensor.floor+Floor+mint.floor": _by_element(math.floor),
    "ops.ceil+Tensor.ceil+Ceil+mint.ceil": _by_element(math.ceil),
    "ops.trunc+Tensor.trunc+Trunc+mint.trunc": _by_element(int),
    "ops.frac+Tensor.frac+mint.frac": _each(lambda x: x - _trunc(x)),
    "ops.sign+Tensor.sign+Sign+mint.sign": _each(_sign),
    "ops.sgn+Tensor.sgn": _each(_sgn),
    "ops.conj+Tensor.conj+Conj": _each(lambda x: x.real - 1j * x.imag if x.imag.any() else x),
    "ops.angle+Tensor.angle+Angle": _each(lambda x: np.arctan2(x.imag, x.real)),
    "ops.sqrt+Tensor.sqrt+Sqrt+mint.sqrt": _each(lambda x: x**0.5),
    "ops.square+Tensor.square+Square+mint.square": _each(lambda x: x * x),
    "ops.abs+Tensor.abs+Abs+mint.abs": _each(_absolute),
    "ops.neg+Tensor.neg+Neg+mint.neg": _each(lambda x: 0 - x),
    "ops.positive+Tensor.positive": lambda x: x,
    "ops.round+Tensor.__round__+mint.round": _rounded,
    "Tensor.round": _rounded,
    "Round+mint.special.round_op": _rounded,
    "Rint": _rounded,
    "ops.inv+Tensor.inv+Inv": _each(_inverse),
    "ops.deg2rad+Tensor.deg2rad": _each(lambda x: x * np.pi / 180),
    "ops.rad2deg+Tensor.rad2deg": _each(lambda x: x * 180 / np.pi),
    "ops.real+Tensor.real+Real+mint.real": _each(np.real),
    "ops.imag+Tensor.imag+Imag+mint.imag": _each(lambda x: (x + 0j).imag),
    "Complex": lambda x, y: np.asarray(x) + 1j * np.asarray(y),
    "ops.polar+Polar+mint.polar": lambda r, t: np.asarray(r) * np.exp(1j * np.asarray(t)),
    "ops.isnan+Tensor.isnan+IsNan+mint.isnan": _each(lambda x: x != x),
    "ops.isfinite+Tensor.isfinite+IsFinite+mint.isfinite": _each(lambda x: np.abs(x) < np.inf),
    "ops.isinf+Tensor.isinf+IsInf+mint.isinf": _each(lambda x: np.abs(x) == np.inf),
    "ops.isposinf+Tensor.isposinf": _each(lambda x: x == np.inf),
    "ops.isneginf+Tensor.isneginf+mint.isneginf": _each(lambda x: x == -np.inf),
    "ops.isreal+Tensor.isreal": _each(lambda x: x.imag == 0),
    "ops.signbit+Tensor.signbit": _by_element(lambda v: math.copysign(1, v) < 0),
    "ops.logical_not+Tensor.logical_not+LogicalNot+mint.logical_not": _each(lambda x: x == 0),
    "ops.erf+Tensor.erf+Erf+mint.erf": _by_element(math.erf),
    "ops.erfc+Tensor.erfc+Erfc+mint.erfc": _by_element(math.erfc),
    "ops.erfinv+Tensor.erfinv+Erfinv+mint.erfinv": _by_element(
        lambda x: NormalDist().inv_cdf((x + 1) / 2) / math.sqrt(2)
    ),
    "ops.lgamma+Tensor.lgamma+Lgamma": _by_element(math.lgamma),
    "ops.digamma+Tensor.digamma+Digamma": _by_element(_digamma),
    "ops.sinc+Tensor.sinc+Sinc+mint.sinc": _by_element(_sinc),
    "ops.i0+Tensor.i0": _bessel(_i, 0),
    "ops.bessel_j0+BesselJ0": _bessel(_j, 0),
    "ops.bessel_j1+BesselJ1": _bessel(_j, 1),
    "ops.bessel_y0+BesselY0": _bessel(_y, 0),
    "ops.bessel_y1+BesselY1": _bessel(_y, 1),
    "ops.bessel_i0+BesselI0": _bessel(_i, 0),
    "ops.bessel_i1+BesselI1": _bessel(_i, 1),
    "ops.bessel_i0e+BesselI0e": _bessel(_i, 0, -1),
    "ops.bessel_i1e+BesselI1e": _bessel(_i, 1, -1),
    "ops.bessel_k0+BesselK0": _bessel(_k, 0),
    "ops.bessel_k1+BesselK1": _bessel(_k, 1),
    "ops.bessel_k0e+BesselK0e": _bessel(_k, 0, 1),
    "ops.bessel_k1e+BesselK1e": _bessel(_k, 1, 1),
    "ops.xlogy+Tensor.xlogy+Xlogy+mint.xlogy": _by_element(_xlogy),
    "ops.xdivy+Xdivy": _by_element(_xdivy),
    "Tensor.xdivy": _by_element(_xdivy),
    "ops.heaviside+Tensor.heaviside+Heaviside": _by_element(_heaviside),
    "ops.logit+Tensor.logit": _logit,
    "Logit": _logit,
    "ops.igamma+Tensor.igamma+Igamma": _by_element(_lower_gamma),
    "ops.igammac+Tensor.igammac+Igammac": _by_element(lambda a, x: 1 - _lower_gamma(a, x)),
    "ops.polygamma+Polygamma": _polygamma,
    "ops.mvlgamma+Tensor.mvlgamma": _mvlgamma,
    "Mvlgamma": _mvlgamma,
    "ops.zeta+Zeta": _by_element(_zeta),
    "ops.eps+Eps": _each(lambda x: np.full(x.shape, 2.0**-52)),
}
