"""``common.initializer``: the functions that draw an initializer's numbers as numpy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agar._core.random import initializer_fills
from agar.common import initializer

__all__ = [
    "_INITIALIZER_ALIAS",
    "_init_random_normal",
    "_init_random_normal_inplace",
    "_init_random_uniform",
    "_init_random_uniform_inplace",
    "_init_truncated_normal",
    "_init_truncated_normal_inplace",
]

_INITIALIZER_ALIAS = {
    name: getattr(initializer, kind)
    for kind, names in {
        "Zero": "zero zeros",
        "One": "one ones",
        "XavierNormal": "xaviernormal xavier_normal",
        "XavierUniform": "xavieruniform xavier_uniform",
        "HeUniform": "heuniform he_uniform",
        "HeNormal": "henormal he_normal",
        "Identity": "identity",
        "Sparse": "sparse",
        "Dirac": "dirac",
        "Orthogonal": "orthogonal",
        "VarianceScaling": "variancescaling",
        "Uniform": "uniform",
        "Normal": "normal",
        "TruncatedNormal": "truncatednormal",
    }.items()
    for name in names.split()
}


def _array(numbers: Any) -> np.ndarray:
    return np.asarray(numbers, dtype=np.float32)


def _init_random_uniform(a: float, b: float, shape: Sequence[int]) -> np.ndarray:
    """Uniform numbers between `a` and `b`, by the seed of ``set_seed``."""
    return _array(initializer_fills.uniform(tuple(shape), a, b))


def _init_random_normal(mean: float, sigma: float, shape: Sequence[int]) -> np.ndarray:
    """Normal numbers, by the seed of ``set_seed``."""
    return _array(initializer_fills.normal(tuple(shape), mean, sigma))


def _init_truncated_normal(
    a: float, b: float, mean: float, sigma: float, shape: Sequence[int]
) -> np.ndarray:
    """Normal numbers between `a` and `b`, by the seed of ``set_seed``."""
    return _array(initializer_fills.truncated_normal(tuple(shape), a, b, mean, sigma))


def _init_random_uniform_inplace(a: float, b: float, arr: np.ndarray) -> None:
    """Fill an array as :func:`_init_random_uniform` does."""
    arr[...] = _init_random_uniform(a, b, arr.shape)


def _init_random_normal_inplace(mean: float, sigma: float, arr: np.ndarray) -> None:
    """Fill an array as :func:`_init_random_normal` does."""
    arr[...] = _init_random_normal(mean, sigma, arr.shape)


def _init_truncated_normal_inplace(
    a: float, b: float, mean: float, sigma: float, arr: np.ndarray
) -> None:
    """Fill an array as :func:`_init_truncated_normal` does."""
    arr[...] = _init_truncated_normal(a, b, mean, sigma, arr.shape)
