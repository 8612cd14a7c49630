"""agar.scipy gives what was recorded from MindSpore 2.10."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import agar as ms
from agar.scipy import fft, linalg, optimize

FILE = Path(__file__).resolve().parent.parent / "data" / "oracle" / "scipy.json"
CASES = json.loads(FILE.read_text(encoding="utf-8"))["cases"]


def t(values, kind="float32"):
    return ms.Tensor(np.array(values, kind))


A = [[4.0, 1, 0.5], [1, 3, 0.2], [0.5, 0.2, 2]]
G = [[2.0, 5, 8, 7], [5, 2, 2, 8], [7, 5, 6, 6], [5, 4, 4, 8]]
U = [[1.0, 2, 3], [0, 4, 5], [0, 0, 6]]
B2 = [[1.0, 2], [3, 4], [5, 6]]


def himmel(p):
    x, y = p
    return (x**2 + y - 11.0) ** 2 + (x + y**2 - 7.0) ** 2


def rosen(x):
    return (100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


def quad(x):
    return ((x - 1.0) ** 2 * t([1.0, 2, 3])).sum()


NAMES = {
    "ms": ms,
    "np": np,
    "t": t,
    "A": A,
    "G": G,
    "U": U,
    "B2": B2,
    "b": [1.0, 2, 3],
    "himmel": himmel,
    "rosen": rosen,
    "quad": quad,
    "F": fft,
    "L": linalg,
    "O": optimize,
}
EXCEPTIONS = {
    "ValueError": ValueError,
    "TypeError": TypeError,
    "RuntimeError": RuntimeError,
}


def _agrees(found, recorded, sign=True):
    if isinstance(recorded, dict):  # the fields of a result
        for name, value in recorded.items():
            # the way there depends on rounding
            if name not in ("nfev", "ngev", "njev", "nit", "hess_inv"):
                _agrees(getattr(found, name), value)
    elif not isinstance(recorded, list) or not recorded:
        assert found == pytest.approx(recorded, rel=3e-5, abs=1e-6)
    elif isinstance(recorded[0], str):
        kind, shape, values = recorded
        assert (str(found.dtype), list(found.shape)) == (kind, shape)
        array = found.asnumpy()
        if array.dtype.kind == "c":
            array = np.stack([array.real, array.imag], -1)
        array, values = array.astype(np.float64).ravel(), np.array(values, np.float64)
        if not sign:
            array, values = np.abs(array), np.abs(values)
        np.testing.assert_allclose(array, values, rtol=1e-4, atol=5e-6)
    else:
        assert len(found) == len(recorded)
        for one, other in zip(found, recorded, strict=True):
            _agrees(one, other, sign)


@pytest.mark.parametrize("text", CASES)
def test_agrees_with_the_recorded_figures(text):
    recorded = CASES[text]
    if isinstance(recorded, dict) and "raises" in recorded:
        with pytest.raises(EXCEPTIONS[recorded["raises"]]):
            eval(text, dict(NAMES))
        return
    # eigenvectors may point either way
    _agrees(eval(text, dict(NAMES)), recorded, sign=not text.startswith("L.eigh"))
