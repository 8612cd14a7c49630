"""agar.scipy: inverses, gradients, graphs, and what goes beyond MindSpore."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import agar as ms
from agar.scipy import fft, linalg, optimize


def _t(values, kind=np.float64):
    return ms.Tensor(np.array(values, kind))


def _random(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 9])
def test_dct_is_its_sum_and_idct_its_inverse(n):
    x = _random(2, n)
    k, i = np.arange(n)[:, None], np.arange(n)[None, :]
    basis = np.sqrt(2.0 / n) * np.cos(np.pi * k * (2 * i + 1) / (2 * n))
    basis[0] = np.sqrt(1.0 / n)
    np.testing.assert_allclose(fft.dct(_t(x)).asnumpy(), x @ basis.T, atol=1e-13)
    np.testing.assert_allclose(fft.idct(_t(x)).asnumpy(), x @ basis, atol=1e-13)
    np.testing.assert_allclose(fft.idctn(fft.dctn(_t(x))).asnumpy(), x, atol=1e-13)


def test_dct_has_the_gradient_of_a_linear_map():
    x = _t(_random(3, 5))
    weight = _t(_random(3, 5, seed=1))
    for transform, inverse in ((fft.dct, fft.idct), (fft.idct, fft.dct)):
        slope = ms.grad(lambda v, f=transform: (f(v) * weight).sum())(x)
        np.testing.assert_allclose(slope.asnumpy(), inverse(weight).asnumpy(), atol=1e-12)


def test_factors_rebuild_their_matrix():
    a = _random(4, 6)
    p, left, right = linalg.lu(_t(a))
    assert p.dtype == ms.int32
    np.testing.assert_allclose(p.asnumpy() @ left.asnumpy() @ right.asnumpy(), a, atol=1e-13)
    left, right = linalg.lu(_t(a.T), permute_l=True)
    np.testing.assert_allclose(left.asnumpy() @ right.asnumpy(), a.T, atol=1e-13)
    s = a @ a.T
    upper = linalg.cholesky(_t(s)).asnumpy()
    np.testing.assert_allclose(upper.T @ upper, s, atol=1e-13)
    values, vectors = (v.asnumpy() for v in linalg.eigh(_t(s)))
    np.testing.assert_allclose(vectors * values @ vectors.T, s, atol=1e-12)


def test_equations_are_solved():
    a, b = _random(4, 4), _random(4, 2, seed=1)
    s = a @ a.T + np.eye(4)
    factors = linalg.lu_factor(_t(a))
    for right in (b, b[:, 0]):
        for trans, matrix in ((0, a), (1, a.T), (2, a.T)):
            x = linalg.lu_solve(factors, _t(right), trans).asnumpy()
            np.testing.assert_allclose(matrix @ x, right, atol=1e-12)
        for lower in (True, False):
            x = linalg.cho_solve(linalg.cho_factor(_t(s), lower), _t(right)).asnumpy()
            np.testing.assert_allclose(s @ x, right, atol=1e-12)
        x = linalg.solve_triangular(_t(a), _t(right), "T", lower=True).asnumpy()
        np.testing.assert_allclose(np.tril(a).T @ x, right, atol=1e-10)
    np.testing.assert_allclose(linalg.inv(_t(a)).asnumpy() @ a, np.eye(4), atol=1e-12)
    for n in (1, 2, 3, 4):
        number = float(linalg.det(_t(a[:n, :n])))
        np.testing.assert_allclose(number, np.linalg.det(a[:n, :n]), rtol=1e-12)


@pytest.mark.parametrize("driver", [None, "gels", "gelsy", "gelss", "gelsd"])
def test_least_squares_are_those_of_numpy(driver):
    a, b = _random(6, 3), _random(6, 2, seed=1)
    expected, residuals, rank, singular = np.linalg.lstsq(a, b, rcond=None)
    items = [v.asnumpy() for v in linalg.lstsq(_t(a), _t(b), driver=driver)]
    np.testing.assert_allclose(items[0], expected, atol=1e-12)
    if driver in ("gels", "gelss", "gelsd"):
        np.testing.assert_allclose(items[1], residuals, rtol=1e-12)
    else:
        assert items[1].size == 0
    assert items[2].size == (0 if driver == "gels" else 1)
    assert not items[2].size or items[2] == rank
    if driver in ("gelss", "gelsd"):
        np.testing.assert_allclose(items[3], singular, rtol=1e-12)
    else:
        assert items[3].size == 0


@pytest.mark.parametrize(
    "function",
    [
        linalg.inv,
        linalg.det,
        lambda a: linalg.cholesky(a @ a.T + _t(np.eye(3))),
        lambda a: linalg.eigh(a + a.T, eigvals_only=True),
        lambda a: linalg.solve_triangular(a, _t([1.0, 2.0, 3.0]), lower=True),
        lambda a: linalg.lu_solve(linalg.lu_factor(a), _t([1.0, 2.0, 3.0])),
        lambda a: linalg.cho_solve(linalg.cho_factor(a @ a.T), _t([1.0, 2.0, 3.0])),
        lambda a: linalg.block_diag(a, a * 2.0),
        lambda a: linalg.lstsq(a, _t(np.eye(3)), driver="gels")[0],
    ],
)
def test_gradients_are_those_of_finite_differences(function):
    a = _random(3, 3, seed=5) + 3.0 * np.eye(3)
    slope = ms.grad(lambda v: (function(v) ** 2).sum())(_t(a)).asnumpy()
    for place in itertools.product(range(3), range(3)):
        step = np.zeros((3, 3))
        step[place] = 1e-6
        ahead, behind = (float((function(_t(a + s)) ** 2).sum()) for s in (step, -step))
        np.testing.assert_allclose(slope[place], (ahead - behind) / 2e-6, rtol=1e-5, atol=1e-7)


def test_functions_compile():
    costs = [_t(_random(3, 4, seed=s)) for s in (0, 1)]

    @ms.jit
    def run(x):
        rows, columns = optimize.linear_sum_assignment(x, True)
        return fft.dctn(x), linalg.lu(x)[2], rows, columns

    for x in (*costs, *costs):
        result = run(x)
        np.testing.assert_allclose(result[0].asnumpy(), fft.dctn(x).asnumpy(), atol=1e-12)
        columns = optimize.linear_sum_assignment(x, True)[1]
        np.testing.assert_array_equal(result[3].asnumpy(), columns.asnumpy())


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 5), (1, 1), (5, 5)])
@pytest.mark.parametrize("maximize", [False, True])
def test_assignments_are_the_best_of_all(shape, maximize):
    for seed in range(4):
        costs = np.random.default_rng(seed).integers(0, 9, shape).astype(np.float64)
        rows, columns = (v.asnumpy() for v in optimize.linear_sum_assignment(_t(costs), maximize))
        wide = costs if shape[0] <= shape[1] else costs.T
        totals = [
            wide[np.arange(len(wide)), list(order)].sum()
            for order in itertools.permutations(range(wide.shape[1]), len(wide))
        ]
        assert costs[rows, columns].sum() == (max(totals) if maximize else min(totals))
        assert (np.diff(rows) > 0).all()
        assert len(set(columns)) == min(shape)


def test_a_line_search_uses_what_is_known():
    x, p = _t([1.8, 1.7], np.float32), _t([-1.0, -1.0], np.float32)

    def f(v):
        return (v**2).sum()

    plain = optimize.line_search(f, x, p)
    known = optimize.line_search(
        f, x, p, jac=lambda v: 2.0 * v, gfk=2.0 * x, old_fval=f(x), old_old_fval=f(x) + 7.0
    )
    assert (plain.a_k, plain.nfev) == (1.0, 2)
    assert (known.a_k, known.nfev) == (1.0, 1)
    np.testing.assert_allclose(known.g_k.asnumpy(), plain.g_k.asnumpy(), rtol=1e-6)


@pytest.mark.parametrize("method", ["BFGS", "LBFGS"])
def test_minimize_finds_minima_in_float64(method):
    def rosen(x):
        return (100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2).sum()

    result = optimize.minimize(rosen, _t([0.0, 0.0, 0.0, 0.0]), method=method)
    assert result.success
    np.testing.assert_allclose(result.x.asnumpy(), 1.0, atol=1e-4)
    assert result.nit > 5


def test_a_history_of_one_step_is_enough_for_lbfgs():
    result = optimize.minimize(
        lambda x: ((x - 1.0) ** 2 * _t([1.0, 10.0])).sum(),
        _t([0.0, 0.0]),
        method="LBFGS",
        options={"history_size": 1, "norm": 2},
    )
    np.testing.assert_allclose(result.x.asnumpy(), 1.0, atol=1e-5)


@pytest.mark.parametrize("bounds", [{}, {"lower": 0.0}, {"upper": 3.0}, {"lower": 0, "upper": 3}])
def test_lagrangians_hold_their_constraints(bounds):
    """The nearest point of a half plane: x + y >= 2 has (1, 1)."""
    result = optimize.minimize(
        lambda x: (x**2).sum(),
        _t([1.5, 1.0], np.float32),
        method="LAGRANGE",
        constraints=[lambda x: 2.0 - x[0] - x[1]],
        tol=[1e-2],
        options={"rounds": 8, "steps": 40, "learning_rate": 0.05, **bounds},
    )
    assert result.succeeded
    np.testing.assert_allclose(result.best_value.sum(), 2.0, atol=0.15)
    assert result.loss_value[0] < 1e-2
    assert 1.9 < result.object_value < 2.6


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: linalg.inv(_t([[1.0, 1], [1, 1]])), np.linalg.LinAlgError, "singular"),
        (lambda: linalg.inv([[1.0]]), TypeError, "inv"),
        (lambda: linalg.cho_solve(([[1.0]], True), _t([1.0])), TypeError, "cho_solve"),
        (lambda: linalg.eigh(_t([[1.0]]), type=1.5), TypeError, "type"),
        (lambda: linalg.eigh(_t([[1.0]]), b=_t([[1.0]])), ValueError, "b=None"),
        (lambda: linalg.lu(_t([1.0])), ValueError, "dimension"),
        (
            lambda: linalg.lu_solve((_t([[1.0]]), _t([1, 2], np.int32)), _t([1.0])),
            ValueError,
            "piv",
        ),
        (lambda: linalg.lstsq(_t([[1]], np.int32), _t([[1]], np.int32)), TypeError, "floating"),
        (lambda: linalg.lstsq(_t([[1.0]]), _t([1.0, 2.0])), ValueError, "match"),
        (lambda: linalg.solve_triangular(_t([[1.0]]), _t([1.0]), trans=True), ValueError, "trans"),
        (lambda: linalg.block_diag(_t([[[1.0]]])), ValueError, "at most 2"),
        (lambda: fft.dct(_t([1.0]), norm="backward"), ValueError, "ortho"),
        (lambda: fft.dctn(_t([1.0]), axes=(1,)), ValueError, "axis"),
        (lambda: optimize.linear_sum_assignment([[1.0]], True), TypeError, "sum_assignment"),
        (lambda: optimize.linear_sum_assignment(_t([[1j]], complex), True), TypeError, "real"),
        (
            lambda: optimize.minimize(abs, _t([1.0]), method="LAGRANGE", tol=[1.0]),
            ValueError,
            "len",
        ),
        (
            lambda: optimize.minimize(abs, _t([1.0]), method="LAGRANGE", constraints=[1.0]),
            TypeError,
            "constraint",
        ),
    ],
)
def test_what_cannot_be_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
