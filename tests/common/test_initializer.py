"""Initializers: figures of MindSpore 2.10, arguments, errors, and classes of one's own."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import agar as ms
from agar.common import initializer as module
from agar.common.initializer import Initializer, initializer

# After set_seed(1); the first values, recorded from MindSpore 2.10.
FIGURES = {
    "Uniform(0.3)": ((8,), [0.17491256, -0.15329883, 0.10535171, -0.22517824]),
    "Normal(0.3, 0.1)": ((8,), [0.29591113, 0.55275780, 0.17942089, -0.01239651]),
    "TruncatedNormal()": ((8,), [0.0081171, -0.00691894, 0.00455391, -0.01151794]),
    "TruncatedNormal(1.0, 0.0, -1, 3)": ((8,), [0.9288969, -0.3476923, 0.6011927, -0.6328829]),
    "XavierUniform()": ((3, 4), [0.53979182, -0.47309044, 0.32512242, -0.69491512]),
    "XavierNormal(2)": ((3, 4), [0.69812596, 1.6133947, 0.28301498, -0.40052307]),
    "HeNormal(0, 'fan_out', 'relu')": (
        (4, 3, 2, 2),
        [0.23088346, 0.53358018, 0.09359841, -0.13246055],
    ),
    "HeUniform(5**0.5)": ((1, 2), [0.41227281, -0.36132878]),
    "VarianceScaling()": ((3, 4), [0.50492901, -0.44253558, 0.30412418, -0.65003359]),
    "VarianceScaling(2.0, 'fan_avg', 'uniform')": (
        (3, 4),
        [0.76338094, -0.66905093, 0.45979252, -0.9827584],
    ),
    "VarianceScaling(2.0, 'fan_in', 'untruncated_normal')": (
        (3, 4),
        [0.46176693, 1.0671604, 0.18719682, -0.2649211],
    ),
    "Orthogonal()": ((3, 3), [0.2871088, 0.9577701, -0.01564887, -0.1647177]),
    "Sparse(0.5)": ((4, 4), [0.00653037, 0.0, 0.00264736, -0.00374655]),
}


def drawn(init, shape, dtype=ms.float32):
    return ms.Parameter(initializer(init, shape, dtype), name="p").asnumpy()


@pytest.mark.parametrize("text", FIGURES)
def test_figures(text):
    shape, want = FIGURES[text]
    init = eval(text, vars(module))
    ms.set_seed(1)
    values = drawn(init, shape)
    assert values.shape == shape
    np.testing.assert_allclose(values.reshape(-1)[: len(want)], want, rtol=1e-6, atol=1e-8)


def test_a_parameter_draws_when_it_is_built_in_order():
    ms.set_seed(1)
    later = initializer("normal", [3])
    first = ms.Parameter(initializer("normal", [3]), name="a").asnumpy()
    second = ms.Parameter(later, name="b").asnumpy()
    ms.set_seed(1)
    assert np.array_equal(first, drawn("normal", [3]))
    assert np.array_equal(second, drawn("normal", [3]))


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("zeros", "zero"),
        ("ONES", "one"),
        ("truncatedNormal", "truncatednormal"),
        ("he_uniform", "HeUniform"),
        ("he_normal", "HeNormal"),
        ("xavier_uniform", "XavierUniform"),
        ("xavier_normal", "XavierNormal"),
        ("variancescaling", "VarianceScaling"),
        ("orthogonal", "Orthogonal"),
        ("identity", "Identity"),
    ],
)
def test_names_in_any_case(name, same):
    ms.set_seed(3)
    one = drawn(name, (3, 3))
    ms.set_seed(3)
    assert np.array_equal(one, drawn(same, (3, 3)))


def test_fixed_values():
    assert np.array_equal(drawn(3, [2]), [3, 3])
    assert np.array_equal(drawn(True, [2]), [1, 1])
    assert drawn("ones", ()) == 1
    assert np.array_equal(drawn(0.5, [2], ms.int32), [0, 0])
    assert np.array_equal(drawn(2 + 3j, [1], ms.complex64), [2 + 3j])
    assert np.array_equal(drawn("identity", [2, 3]), np.eye(2, 3))
    kernel = drawn(module.Dirac(2), [4, 1, 3])
    assert np.array_equal(kernel[:, 0], [[0, 1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0]])
    tensor = ms.Tensor([1.0, 2.0])
    assert initializer(tensor, [2], ms.float16) is tensor


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.float64, ms.float32])
def test_other_types_are_cast_from_float32(dtype):
    ms.set_seed(1)
    single = ms.Parameter(initializer("normal", [5]), name="a")
    ms.set_seed(1)
    other = ms.Parameter(initializer("normal", [5], dtype), name="b")
    assert other.dtype == dtype
    assert torch.equal(other.to_torch(), single.to_torch().to(other.to_torch().dtype))


def test_own_classes_fill_an_array_of_the_parameters_type():
    seen = []

    class Own(Initializer):
        def __init__(self, value):
            super().__init__(value=value)
            self.value = value

        def _initialize(self, arr):
            seen.append((arr.dtype, arr.shape))
            arr[:] = self.value

    assert np.array_equal(drawn(Own(7), [2, 2]), np.full((2, 2), 7))
    drawn(Own(7), [2], ms.int32)
    drawn(Own(7), [2], ms.bfloat16)
    assert seen == [
        (np.dtype("float32"), (2, 2)),
        (np.dtype("int32"), (2,)),
        (np.dtype("float32"), (2,)),
    ]
    with pytest.raises(NotImplementedError, match="_initialize"):
        drawn(Initializer(), [2])


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        ("initializer('foo', [2])", ValueError, "corresponding to 'foo' was not found"),
        ("initializer('truncated_normal', [2])", ValueError, "was not found"),
        ("initializer('sparse', [2, 2])", TypeError, "sparsity"),
        ("initializer(None, [2])", TypeError, "'Tensor', 'number', 'string'"),
        ("initializer(np.ones(3), [3])", TypeError, "ms.Tensor"),
        ("initializer(m.Normal, [3])", TypeError, r"Normal\(\)"),
        ("initializer('ones')", ValueError, "'shape' must be given"),
        ("initializer('ones', [0])", ValueError, "positive integer"),
        ("initializer('ones', [-1, 2])", ValueError, "positive integer"),
        ("initializer('ones', (2.0,))", ValueError, "positive integer"),
        ("initializer('ones', [2], None)", ValueError, "dtype"),
        ("initializer(ms.Tensor([1.0]), [2])", ValueError, r"\[1\].*\[2\]"),
        ("initializer(m.XavierUniform(), [2]).init_data()", ValueError, "fewer than 2"),
        ("initializer('identity', [2]).init_data()", ValueError, "should be 2, but got 1"),
        ("initializer('dirac', [2, 2]).init_data()", ValueError, "3, 4 or 5"),
        ("initializer(m.Dirac(2), [3, 1, 3]).init_data()", ValueError, "divisible"),
        ("initializer('orthogonal', [2]).init_data()", ValueError, "no less than 2"),
        ("initializer(m.Sparse(0.1), [2]).init_data()", ValueError, "should be 2"),
        ("m.HeUniform(mode='x')", ValueError, "fan_out"),
        ("m.HeUniform(nonlinearity='x')", ValueError, "leaky_relu"),
        ("m.HeNormal(negative_slope='x')", ValueError, "negative slope"),
        ("m.VarianceScaling(scale=0)", ValueError, "greater than 0"),
        ("m.VarianceScaling(mode='x')", ValueError, "fan_avg"),
        ("m.VarianceScaling(distribution='x')", ValueError, "untruncated_normal"),
        ("m.Normal(-1)", ValueError, "sigma"),
        ("m.Uniform('a')", TypeError, "scale"),
        ("m.TruncatedNormal(a=3, b=2)", ValueError, "below"),
        ("m.Constant([1, 2])", ValueError, "one number"),
    ],
)
def test_errors(call, kind, words):
    names = {"initializer": initializer, "m": module, "ms": ms, "np": np}
    with pytest.raises(kind, match=words):
        eval(call, names)


@given(st.lists(st.integers(1, 6), min_size=2, max_size=5), st.floats(0.1, 3.0))
def test_bounds_follow_the_size_of_the_layer(shape, gain):
    fan_in = math.prod(shape[1:])
    fan_out = shape[0] * math.prod(shape[2:])
    assert module._calculate_fan_in_and_fan_out(shape) == (fan_in, fan_out)
    bound = gain * math.sqrt(6 / (fan_in + fan_out))
    values = drawn(module.XavierUniform(gain), shape)
    assert np.abs(values).max() <= bound * (1 + 1e-6)
    bound = math.sqrt(6 / fan_in)
    assert np.abs(drawn(module.HeUniform(), shape)).max() <= bound * (1 + 1e-6)


def test_parameter_clone_takes_initializers():
    p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="p")
    assert np.array_equal(p.clone("ones").asnumpy(), [1, 1])
    assert np.array_equal(p.clone(module.Constant(3)).asnumpy(), [3, 3])


def test_functions_stand_beside_modules_of_the_same_name():
    from agar import common

    assert callable(common.mutable)
    assert callable(common.seed)
    assert callable(common.tensor)
    assert common.initializer.initializer is initializer
