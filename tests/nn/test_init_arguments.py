"""What initializers and ``weight_init`` of layers take; figures of MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import Parameter, Tensor, nn
from agar.common import initializer as init

# the first two numbers of a (2, 3) fill after set_seed(1), with 0.5 as the argument
FIGURES = {
    "Uniform": ("scale", [0.2915209233760834, -0.2554980516433716]),
    "Normal": ("sigma", [0.32651853561401367, 0.7545962929725647]),
    "TruncatedNormal": ("sigma", [0.4058227241039276, -0.34592121839523315]),
    "XavierUniform": ("gain", [0.3193451762199402, -0.27988409996032715]),
    "XavierNormal": ("gain", [0.20650844275951385, 0.4772486090660095]),
    "VarianceScaling": ("scale", [0.4122728109359741, -0.36132878065109253]),
    "Orthogonal": ("gain", [0.19603723287582397, 0.4530492126941681]),
    "Constant": ("value", [0.5, 0.5]),
}
GIVEN = [
    lambda: Tensor(0.5, ms.float32),
    lambda: Tensor([0.5], ms.float32),
    lambda: Parameter(Tensor(0.5, ms.float32), name="p"),
    lambda: np.array(0.5, np.float32),
    lambda: np.float32(0.5),
]


@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("name", FIGURES)
def test_one_number_in_any_form(name, given):
    argument, expected = FIGURES[name]
    ms.set_seed(1)
    filled = init.initializer(getattr(init, name)(**{argument: given()}), [2, 3]).init_data()
    np.testing.assert_allclose(filled.asnumpy().ravel()[:2], expected, rtol=1e-5)


@pytest.mark.parametrize("name", ["Uniform", "Normal", "XavierNormal", "Sparse"])
def test_several_numbers_are_refused_at_construction(name):
    with pytest.raises(TypeError, match=f"For '{name}', '.*' must be a number"):
        getattr(init, name)(Tensor([0.5, 0.25], ms.float32))


@pytest.mark.parametrize(
    ("layer", "shape"), [(nn.Conv1d, (4, 3, 2)), (nn.Conv1dTranspose, (3, 4, 2))]
)
@pytest.mark.parametrize("kind", [Tensor, lambda w: Parameter(Tensor(w), name="mine")])
def test_weights_of_one_dimension(layer, shape, kind):
    weight = np.arange(24, dtype=np.float32).reshape(shape)
    given = kind(weight)
    cell = layer(3, 4, 2, weight_init=given)
    assert cell.weight.shape == (*shape[:2], 1, 2)
    np.testing.assert_array_equal(cell.weight.asnumpy()[:, :, 0], weight)
    assert given.shape == shape
    with pytest.raises(ValueError, match=r"must have the shape \["):
        layer(3, 4, 2, weight_init=Tensor(weight.reshape(2, 3, 4)))
