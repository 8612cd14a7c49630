"""Functions of numpy that take bools and floats as well; the figures are MindSpore 2.10's."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
import agar.numpy as mnp
from agar import Tensor


def bools(*values):
    return Tensor([bool(v) for v in values])


FLOATS = Tensor([0.0, 7.5, -6.0, 0.0]), Tensor([2.5, 2.5, 4.0, 0.0])


@pytest.mark.parametrize(
    ("function", "args", "dtype", "expected"),
    [
        (mnp.cross, (bools(1, 0, 1), bools(0, 1, 1)), ms.bool_, [True, True, True]),
        (mnp.cross, (bools(1, 0, 1), bools(1, 0, 1)), ms.bool_, [False, False, False]),
        (mnp.cross, (bools(1, 0, 1), Tensor([1, 2, 3])), ms.int64, [-2, -2, 2]),
        (mnp.gcd, (bools(1, 0, 1, 0), bools(0, 1, 1, 0)), ms.bool_, [True, True, True, False]),
        (mnp.lcm, (bools(1, 0, 1, 0), bools(0, 1, 1, 0)), ms.bool_, [False, False, True, False]),
        (mnp.gcd, FLOATS, ms.float32, [2.5, 2.5, 2.0, 0.0]),
        (mnp.lcm, FLOATS, ms.float32, [0.0, 7.5, 12.0, 0.0]),
        (mnp.gcd, (Tensor([float("inf"), float("nan")]), 2.0), ms.float32, [2.0, np.nan]),
        (mnp.gcd, (Tensor([6]), 4.5), ms.float32, [1.5]),
        (mnp.exp2, (bools(1, 0),), ms.int64, [2, 1]),
    ],
)
def test_as_mindspore(function, args, dtype, expected):
    for call in (function, ms.jit(function)):
        for _ in range(2):
            result = call(*args)
            assert result.dtype == dtype
            np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-6)


def test_floats_whose_divisor_changes_between_calls():
    call = ms.jit(mnp.gcd)
    for a, b, expected in ((6.0, 4.0, 2.0), (7.0, 5.0, 1.0), (8.0, 8.0, 8.0), (0.0, 0.0, 0.0)):
        assert call(Tensor([a]), Tensor([b])).asnumpy().tolist() == [expected]
