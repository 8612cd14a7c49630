"""Distributions and bijectors: PyTorch's numbers, samples, gradients, graphs and errors."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn
from agar.nn.probability import bijector as B
from agar.nn.probability import distribution as D

T = torch.distributions


def _t(*values):
    return ms.Tensor(np.array(values, np.float32))


TWINS = [
    (D.Normal(0.5, 2.0), T.Normal(0.5, 2.0), (-1.0, 0.5, 3.0)),
    (D.Laplace(0.5, 2.0), T.Laplace(0.5, 2.0), (-1.0, 0.5, 3.0)),
    (D.StudentT(3.0, 0.5, 2.0), T.StudentT(3.0, 0.5, 2.0), (-1.0, 0.5, 3.0)),
    (D.HalfNormal(0.0, 2.0), T.HalfNormal(2.0), (0.5, 3.0)),
    (D.Bernoulli(0.3), T.Bernoulli(0.3), (0.0, 1.0)),
    (D.Geometric(0.3), T.Geometric(0.3), (0.0, 1.0, 4.0)),
    (D.Exponential(0.3), T.Exponential(0.3), (0.0, 1.0, 4.0)),
    (D.Poisson([0.7]), T.Poisson(torch.tensor([0.7])), (0.0, 1.0, 4.0)),
    (D.Gamma([0.7], [2.0]), T.Gamma(torch.tensor([0.7]), 2.0), (0.5, 1.0, 4.0)),
    (D.Beta([0.7], [2.0]), T.Beta(torch.tensor([0.7]), 2.0), (0.1, 0.5, 0.9)),
    (D.Cauchy(0.5, 2.0), T.Cauchy(0.5, 2.0), (-1.0, 0.5, 3.0)),
    (D.Uniform(0.5, 2.0), T.Uniform(0.5, 2.0), (0.6, 1.5)),
    (D.LogNormal(0.5, 2.0), T.LogNormal(0.5, 2.0), (0.1, 1.0, 3.0)),
    (D.Gumbel(0.5, 2.0), T.Gumbel(0.5, 2.0), (-1.0, 0.5, 3.0)),
    (
        D.Categorical([0.2, 0.3, 0.5]),
        T.Categorical(torch.tensor([0.2, 0.3, 0.5])),
        (0.0, 1.0, 2.0),
    ),
]


@pytest.mark.parametrize("case", [pytest.param(c, id=type(c[0]).__name__) for c in TWINS])
def test_densities_are_those_of_pytorch(case):
    own, twin, values = case
    array = own.log_prob(_t(*values)).asnumpy()
    np.testing.assert_allclose(array, twin.log_prob(torch.tensor(values)).numpy(), rtol=2e-5)
    np.testing.assert_allclose(own.prob(_t(*values)).asnumpy(), np.exp(array), rtol=1e-5)


@pytest.mark.parametrize("case", [pytest.param(c, id=type(c[0]).__name__) for c in TWINS])
def test_samples_follow_the_distribution(case):
    own, twin, _ = case
    if own.name in ("Laplace", "StudentT", "HalfNormal"):
        with pytest.raises(NotImplementedError, match="sample is not implemented"):
            own.sample((2,))
        return
    ms.set_seed(3)
    result = own.sample((4000,)).asnumpy().astype(np.float64).ravel()
    drawn = np.sort(twin.sample((40000,)).double().numpy().ravel())
    # the largest difference of both distributions, of which a fair draw exceeds 0.033 in a
    # thousand cases once
    places = np.unique(np.concatenate([np.sort(result)[::40], drawn[::400]]))
    own_share = np.searchsorted(np.sort(result), places, side="right") / result.size
    twin_share = np.searchsorted(drawn, places, side="right") / drawn.size
    assert np.abs(own_share - twin_share).max() < 0.033


def test_a_seed_gives_the_same_samples_again():
    def draw():
        ms.set_seed(7)
        return [D.Normal(0.0, 1.0, seed=2).sample((3,)).asnumpy() for _ in range(2)]

    first, second = draw(), draw()
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first[0], first[1])


def test_the_two_draws_of_a_beta_sample_differ():
    ms.set_seed(1)
    assert D.Beta([2.0], [2.0]).sample((50,)).asnumpy().std() > 0.1


def test_divergences_are_those_of_pytorch():
    pairs = [
        (D.Normal(0.5, 2.0), T.Normal(0.5, 2.0), (1.0, 3.0), T.Normal),
        (D.Gamma([0.5], [2.0]), T.Gamma(torch.tensor([0.5]), 2.0), (1.0, 3.0), T.Gamma),
        (D.Beta([0.5], [2.0]), T.Beta(torch.tensor([0.5]), 2.0), (1.0, 3.0), T.Beta),
        (D.Exponential(0.5), T.Exponential(0.5), (3.0,), T.Exponential),
        (D.Geometric(0.5), T.Geometric(0.5), (0.25,), T.Geometric),
        (D.Bernoulli(0.5), T.Bernoulli(0.5), (0.25,), T.Bernoulli),
        (D.Gumbel(0.5, 2.0), T.Gumbel(0.5, 2.0), (1.0, 3.0), T.Gumbel),
        (D.Cauchy(0.5, 2.0), T.Cauchy(0.5, 2.0), (1.0, 3.0), T.Cauchy),
    ]
    for own, twin, other, kind in pairs:
        array = own.kl_loss(own.get_dist_type(), *(_t(v) for v in other)).asnumpy()
        expected = T.kl_divergence(twin, kind(*(torch.tensor([v]) for v in other))).numpy()
        np.testing.assert_allclose(array, expected, rtol=3e-5, err_msg=own.name)


FLOATING = [c for c in TWINS if c[0].dtype == ms.float32]


@pytest.mark.parametrize("case", [pytest.param(c, id=type(c[0]).__name__) for c in FLOATING])
def test_densities_have_gradients_and_compile(case):
    own, twin, values = case
    value = _t(*values)
    slope = ms.grad(lambda v: own.log_prob(v).sum())(value).asnumpy()
    other = torch.tensor(values, requires_grad=True)
    # the density of Uniform does not depend on the value: adding 0 makes its gradient one
    (twin.log_prob(other) + 0.0 * other).sum().backward()
    np.testing.assert_allclose(slope, other.grad.numpy(), rtol=1e-4, atol=1e-6)
    compiled = ms.jit(lambda v: own.log_prob(v))
    for _ in range(2):
        np.testing.assert_allclose(
            compiled(value).asnumpy(), own.log_prob(value).asnumpy(), rtol=1e-6
        )


def test_samples_are_differentiable_in_location_and_scale():
    ms.set_seed(0)
    normal = D.Normal(dtype=ms.float32)

    def drawn(mean, sd):
        return normal.sample((5,), mean, sd).sum()

    slopes = ms.grad(drawn, (0, 1))(_t(1.0), _t(2.0))
    assert float(slopes[0]) == 5.0
    assert np.isfinite(float(slopes[1]))


def test_a_distribution_works_inside_a_compiled_cell():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.normal = D.Normal(0.0, 1.0, dtype=ms.float32)

        def construct(self, value, mean, sd):
            return self.normal("log_prob", value, mean, sd), self.normal("sample", (2, 3), mean, sd)

    net = Net()
    arguments = _t(1.0, 2.0), _t(0.5), _t(2.0)
    plain = net(*arguments)
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        first, second = net(*arguments), net(*arguments)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    np.testing.assert_allclose(first[0].asnumpy(), plain[0].asnumpy(), rtol=1e-6)
    assert first[1].shape == (2, 3, 1)
    assert not np.array_equal(first[1].asnumpy(), second[1].asnumpy())


def test_a_parameter_stays_one_and_is_trained():
    mean = ms.Parameter(_t(1.0), name="mean")
    normal = D.Normal(mean, 1.0)
    assert [p.name for p in normal.trainable_params()] == ["mean"]
    slope = ms.grad(lambda v: normal.log_prob(v).sum(), None, normal.trainable_params())(_t(3.0))
    assert float(slope[0]) == 2.0


def test_a_distribution_of_ones_own_needs_one_hook():
    class Flat(D.Distribution):
        def __init__(self, width=None, name="Flat"):
            param = dict(locals())
            param["param_dict"] = {"width": width}
            super().__init__(None, ms.float32, name, param)
            self._width = self._add_parameter(width, "width")

        def _log_survival(self, value, width=None):
            width = self._check_param_type(width)
            return ms.ops.log(1.0 - self._check_value(value, "value") / width)

        def _var(self, width=None):
            return self._check_param_type(width) ** 2 / 12.0

    flat = Flat(4.0)
    for method, expected in (
        ("cdf", 0.25),
        ("log_cdf", np.log(0.25)),
        ("survival_function", 0.75),
        ("log_survival", np.log(0.75)),
    ):
        np.testing.assert_allclose(float(flat(method, _t(1.0))), expected, rtol=1e-5)
    np.testing.assert_allclose(float(flat.sd(_t(6.0))), 6.0 / np.sqrt(12.0), rtol=1e-6)
    with pytest.raises(NotImplementedError, match="prob is not implemented for Flat"):
        flat.prob(_t(1.0))


def test_a_bijector_makes_distributions():
    result = B.ScalarAffine(2.0, 1.0)(D.Normal(0.0, 1.0))
    assert isinstance(result, D.TransformedDistribution)
    twin = T.Normal(1.0, 2.0)
    value = (-1.0, 0.5)
    np.testing.assert_allclose(
        result.log_prob(_t(*value)).asnumpy(), twin.log_prob(torch.tensor(value)).numpy(), rtol=1e-5
    )
    assert result.is_linear_transformation
    assert result.sample((3,)).shape == (3,)
    assert B.Exp().shape_mapping((2, 3)) == (2, 3)


def test_bijectors_are_undone_by_their_inverse():
    x = _t(0.3, 1.0, 2.5)
    for item in (
        B.Exp(),
        B.PowerTransform(0.5),
        B.PowerTransform([0.0, 0.5, 2.0]),
        B.Softplus(2.0),
        B.ScalarAffine(-2.0, 1.0),
        B.GumbelCDF(0.5, 2.0),
        B.Invert(B.Exp()),
    ):
        y = item.forward(x)
        np.testing.assert_allclose(item.inverse(y).asnumpy(), x.asnumpy(), rtol=1e-5)
        slope = ms.grad(lambda v, f=item: f.forward(v).sum())(x).asnumpy()
        np.testing.assert_allclose(
            np.exp(item.forward_log_jacobian(x).asnumpy()), np.abs(slope), rtol=1e-5
        )
        np.testing.assert_allclose(
            (item.inverse_log_jacobian(y) + item.forward_log_jacobian(x)).asnumpy(), 0.0, atol=2e-5
        )


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: D.Normal(1.0, 0.0), ValueError, "Standard deviation"),
        (lambda: D.Normal(1.0, 2.0, dtype=ms.int32), TypeError, "dtype"),
        (lambda: D.Normal(True, 2.0), TypeError, "bool"),
        (lambda: D.Normal("a", 2.0), TypeError, "Unable to convert"),
        (lambda: D.Normal(1.0, 2.0, seed=-1), ValueError, "seed"),
        (lambda: D.Normal(1.0, 2.0, name=3), TypeError, "name"),
        (lambda: D.Normal(_t(1.0), _t(1.0).astype(ms.float16)), TypeError, "same dtype"),
        (lambda: D.Normal(1.0, 2.0).prob(1.0), TypeError, "must be a Tensor"),
        (lambda: D.Normal().prob(_t(1.0)), TypeError, "mean"),
        (lambda: D.Normal(1.0, 2.0).sample([2]), TypeError, "tuple"),
        (lambda: D.Normal(1.0, 2.0).kl_loss("Beta", _t(1.0), _t(1.0)), ValueError, "Expected"),
        (lambda: D.Normal(1.0, 2.0)("area"), NotImplementedError, "area"),
        (lambda: D.Normal(1.0, 2.0).get_dist_args(loc=_t(1.0)), TypeError, "get_dist_args"),
        (lambda: D.Laplace(1.0, 2.0).cross_entropy("Laplace"), NotImplementedError, "cross"),
        (lambda: D.Bernoulli(1.5), ValueError, "less than one"),
        (lambda: D.Geometric(0.0), ValueError, "greater than zero"),
        (lambda: D.Bernoulli(0.5, dtype=ms.bool_), TypeError, "number type"),
        (lambda: D.Categorical([0.5, 0.4]), ValueError, "sum to one"),
        (lambda: D.Categorical(0.5), ValueError, "rank"),
        (lambda: D.Gamma(1.0, 2.0), TypeError, "scalar"),
        (lambda: D.Beta(1.0, 2.0), TypeError, "scalar"),
        (lambda: D.Poisson(1.0), TypeError, "scalar"),
        (lambda: D.Uniform(2.0, 1.0), ValueError, "less than high"),
        (lambda: D.Cauchy(0.0, 1.0).mean(), ValueError, "undefined"),
        (lambda: D.Cauchy(0.0, 1.0).sd(), ValueError, "undefined"),
        (lambda: D.Cauchy(0.0, 1.0).var(), ValueError, "undefined"),
        (lambda: B.Exp()(D.Normal(0.0, 1.0)).mean(), ValueError, "non-linear"),
        (lambda: B.Exp()(D.Normal(0.0, 1.0)).get_dist_type(), NotImplementedError, "dist_type"),
        (lambda: D.TransformedDistribution(1, D.Normal(0.0, 1.0)), TypeError, "bijector"),
        (lambda: D.TransformedDistribution(B.Exp(), 1), TypeError, "distribution"),
        (lambda: D.TransformedDistribution(B.Exp(), D.Bernoulli(0.5)), TypeError, "dtype"),
        (lambda: B.PowerTransform(-1.0), ValueError, "Power"),
        (lambda: B.PowerTransform(1), TypeError, "float type"),
        (lambda: B.GumbelCDF(0.0, 0.0), ValueError, "scale"),
        (lambda: B.GumbelCDF(0.0, _t(1.0).astype(ms.float16)), TypeError, "same dtype"),
        (lambda: B.Softplus(None), TypeError, "sharpness"),
        (lambda: B.Invert(1), TypeError, "bijector"),
        (lambda: B.Bijector(), TypeError, "name"),
        (lambda: B.Bijector(name="b", param={}).forward(_t(1.0)), NotImplementedError, "_forward"),
        (lambda: B.Exp().forward(1.0), TypeError, "Tensor"),
        (lambda: B.Exp().forward(ms.Tensor([1])), TypeError, "float type"),
        (lambda: B.Exp()("backward", _t(1.0)), ValueError, "forward"),
    ],
)
def test_what_cannot_be_is_refused(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
