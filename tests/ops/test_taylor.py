"""Higher derivatives along curves and linear approximations; the figures are MindSpore 2.10's."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import Tensor, nn, ops


def array(value) -> np.ndarray:
    return value.asnumpy()


class SineThenExp(nn.Cell):
    def construct(self, x):
        return ops.exp(ops.sin(x))


X = Tensor([[1.0, 2.0], [3.0, 4.0]])
FIRST = [[1.2533808, -1.0331168], [-1.1400385, -0.3066662]]
SECOND = [[-1.2748207, -1.8274734], [0.966121, 0.55551505]]
THIRD = [[-4.0515366, 3.6724353], [0.5053504, -0.52061415]]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_jet_of_a_cell(mode):
    ms.set_context(mode=mode)
    try:
        series = ops.stack([ops.ones_like(X), ops.zeros_like(X), ops.zeros_like(X)])
        value, higher = ops.jet(SineThenExp(), X, series)
        again, third = ops.derivative(SineThenExp(), X, 3)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_allclose(array(value), np.exp(np.sin(array(X))), rtol=1e-6)
    np.testing.assert_allclose(array(higher), [FIRST, SECOND, THIRD], rtol=2e-6)
    np.testing.assert_allclose(array(third), THIRD, rtol=2e-6)
    np.testing.assert_array_equal(array(again), array(value))


def test_series_are_derivatives_of_the_curve():
    """Not the coefficients of its power series."""
    value, higher = ops.jet(ops.sin, Tensor([2.0]), Tensor([[1.0], [0.5], [0.25]]))
    assert value.item() == pytest.approx(0.909297407)
    assert array(higher).ravel() == pytest.approx([-0.416146845, -1.11737084, -1.05183601])


def test_several_inputs_and_outputs():
    def both(x, y):
        return x * y, x + y

    one = Tensor([[1.0], [0.0]])
    values, higher = ops.jet(both, (Tensor([2.0]), Tensor([3.0])), (one, one))
    assert [v.item() for v in values] == [6, 5]
    assert [array(h).ravel().tolist() for h in higher] == [[5, 2], [2, 0]]
    value, second = ops.derivative(lambda x, y: ops.sin(x) * y, (Tensor([2.0]), Tensor([3.0])), 2)
    assert value.item() == pytest.approx(2.72789216)
    assert second.item() == pytest.approx(-3.56018591)


def test_integers_count_as_float32():
    value, second = ops.derivative(ops.sin, Tensor([2]), 2)
    assert (value.dtype, second.dtype) == (ms.float32, ms.float32)
    assert second.item() == pytest.approx(-0.909297407)


def test_a_series_of_the_inputs_shape_is_a_direction():
    _, higher = ops.jet(ops.sin, Tensor([2.0]), Tensor([1.0]))
    assert higher.shape == (1, 1)
    assert higher.item() == pytest.approx(-0.416146845)


@pytest.mark.parametrize(
    ("primals", "series", "error", "words"),
    [
        (Tensor([2.0]), (Tensor([1.0]),), TypeError, "both Tensor or both tuple"),
        (Tensor([2.0]), Tensor([[1.0, 2.0]]), ValueError, "shape of each element"),
        (Tensor([2.0], ms.float16), Tensor([1.0], ms.float16), TypeError, "must be int32"),
        (Tensor([2.0]), Tensor([1]), TypeError, "same type"),
        ((Tensor([2.0]),), (), ValueError, "lengths"),
    ],
)
def test_jet_refuses(primals, series, error, words):
    with pytest.raises(error, match=words):
        ops.jet(ops.sin, primals, series)


@pytest.mark.parametrize(("order", "error"), [(0, ValueError), (1.5, TypeError), (True, TypeError)])
def test_derivative_refuses(order, error):
    with pytest.raises(error, match="order"):
        ops.derivative(ops.sin, Tensor([2.0]), order)


def test_linearize():
    def product(x, y):
        return x @ y

    x, y = Tensor([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]]), Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    out, along = ops.linearize(product, (x, y))
    direction = (ops.ones_like(x), Tensor([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]))
    np.testing.assert_array_equal(array(out), [[22, 28], [40, 52]])
    np.testing.assert_array_equal(array(along(direction)), [[12, 15], [16, 19]])
    x[0, 0] = 100.0  # the point stays where it was
    np.testing.assert_array_equal(array(along(direction)), [[12, 15], [16, 19]])
    with pytest.raises(TypeError, match="linearize"):
        ops.linearize(product, 3)


def test_transforms_are_there_under_ops():
    for name in ("vmap", "vjp", "jvp", "jacfwd", "jacrev"):
        assert getattr(ops, name) is getattr(ms, name)
        assert getattr(ops.functional, name) is getattr(ms, name)
