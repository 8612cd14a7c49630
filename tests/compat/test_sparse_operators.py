"""Primitives over parts of sparse matrices (ops.operations.sparse_ops), with MindSpore's figures.

`sparse_operators.json`: [call, result of MindSpore 2.10 on a CPU].
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import agar as ms
from agar import compat

CASES = json.loads((Path(__file__).parent / "sparse_operators.json").read_text(encoding="utf-8"))
math_ops, sp = (
    type("Names", (), {"__getattr__": lambda _, name, path=path: compat.find(path, name)})()
    for path in ("ops.operations.math_ops", "ops.operations.sparse_ops")
)


def T(values):
    return ms.Tensor(np.array(values, np.float32))


def I(values):  # noqa: E743 - as in the calls of the file
    return ms.Tensor(np.array(values, np.int32))


def L(values):
    return ms.Tensor(np.array(values, np.int64))


SPACE = {"ms": ms, "sp": sp, "math_ops": math_ops, "T": T, "I": I, "L": L}
# one matrix of two rows and three columns, and two of them
SPACE |= {"ind": L([[0, 1], [1, 0], [1, 2]]), "val": T([1, 2, 3]), "sh": L([2, 3])}
SPACE |= {"sh32": I([2, 3]), "bp": I([0, 3]), "rp": I([0, 1, 3]), "ci": I([1, 0, 2])}
SPACE |= {"sh3": I([2, 2, 3]), "bp3": I([0, 1, 3]), "rp3": I([0, 0, 1, 0, 2, 2])}
SPACE |= {"ci3": I([2, 0, 1]), "val3": T([1, 2, 3]), "x": T([[1, -2, 3], [4, 5, 6]])}


def _same(result, expected):
    if isinstance(expected[0], list):
        assert len(result) == len(expected)
        for one, other in zip(result, expected, strict=True):
            _same(one, other)
        return
    result = result[0] if isinstance(result, (tuple, list)) else result
    assert [str(result.dtype), list(result.shape)] == expected[:2]
    np.testing.assert_allclose(result.asnumpy().ravel().astype(float), expected[2], rtol=1e-4)


@pytest.mark.parametrize(("call", "expected"), CASES, ids=[case[0].split("(")[0] for case in CASES])
def test_figures_of_mindspore(call, expected):
    _same(eval(call, SPACE), expected)


def test_what_mindspore_has_on_other_devices_only():
    quotient = sp.SparseDenseCwiseDiv()(*(SPACE[n] for n in ("ind", "val", "sh")), T([[1, 2, 4]]))
    assert quotient.asnumpy().tolist() == [0.5, 2.0, 0.75]


def test_places_in_another_shape():
    """MindSpore 2.10 gives memory that was never written."""
    places, shape = sp.SparseReshape()(SPACE["ind"], SPACE["sh"], L([3, -1]))
    assert places.asnumpy().tolist() == [[0, 1], [1, 1], [2, 1]]
    assert shape.asnumpy().tolist() == [3, 2]


def test_values_have_gradients():
    parts = [SPACE[name] for name in ("sh32", "bp", "rp", "ci")]
    weight = T([[1, 2, 3], [4, 5, 6]])
    slope = ms.grad(lambda v: (sp.CSRSparseMatrixToDense()(*parts, v) * weight).sum())(T([1, 2, 3]))
    assert slope.asnumpy().tolist() == [2.0, 4.0, 6.0]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("sp.SparseReshape()(ind, sh, L([4, 2]))", "does not hold the 6 elements"),
        ("sp.SparseSegmentSum()(x, I([0, 1]), I([1, 0]))", "must be sorted"),
        ("sp.SparseSegmentSumWithNumSegments()(x, I([0, 1]), I([0, 3]), I([2]))", "num_segments"),
    ],
)
def test_what_does_not_fit_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        eval(call, SPACE)
