"""Default initial values: the bits that MindSpore 2.10 draws after ``set_seed(1)``."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import nn

A, B, C, D = 0.4122728109359741, -0.36132878065109253, -0.28297659754753113, 0.0065303705632686615
# The first four values of each parameter, printed with all digits of the float32.
FIRST_VALUES = {
    "Dense(2, 1)": [[A, B], [C]],
    "Dense(3, 2, has_bias=False)": [
        [0.3366193473339081, -0.29502370953559875, 0.20274944603443146, -0.4333557188510895]
    ],
    "Linear(2, 1)": [[A, B], [C]],
    "BiDense(2, 1, 1)": [[A, B], [C]],
    "Conv1d(2, 1, 2, has_bias=True)": [
        [0.2915209233760834, -0.2554980516433716, 0.17558617889881134, -0.37529706954956055],
        [-0.20009467005729675],
    ],
    "Conv2d(1, 2, 2, has_bias=True)": [
        [0.2915209233760834, -0.2554980516433716, 0.17558617889881134, -0.37529706954956055],
        [-0.20009467005729675, -0.0167023167014122],
    ],
    "Conv2d(4, 4, 1, group=4)": [
        [0.5830418467521667, -0.5109961032867432, 0.3511723577976227, -0.7505941390991211]
    ],
    "Conv3d(1, 1, 2)": [
        [0.20613640546798706, -0.18066439032554626, 0.12415817379951477, -0.2653751075267792]
    ],
    "Conv1dTranspose(1, 2, 2, has_bias=True)": [
        [0.2915209233760834, -0.2554980516433716, 0.17558617889881134, -0.37529706954956055],
        [-0.20009467005729675, -0.0167023167014122],
    ],
    "Conv2dTranspose(2, 1, 2)": [
        [0.2915209233760834, -0.2554980516433716, 0.17558617889881134, -0.37529706954956055]
    ],
    "Conv3dTranspose(1, 1, 1, has_bias=True)": [[0.5830418467521667], [-0.4001893401145935]],
    "Embedding(3, 2, padding_idx=1)": [[D, 0.015091925859451294, 0.0, 0.0]],
    "EmbeddingLookup(2, 2)": [
        [D, 0.015091925859451294, 0.002647362882271409, -0.003746550064533949]
    ],
    "BatchNorm2d(2)": [[0.0, 0.0], [1.0, 1.0], [1.0, 1.0], [0.0, 0.0]],
    "PReLU(2)": [[0.25, 0.25]],
    "Conv2dBnAct(1, 1, 2)": [
        [D, 0.015091925859451294, 0.002647362882271409, -0.003746550064533949]
    ],
    "DenseBnAct(2, 1)": [[D, 0.015091925859451294], [0.0]],
}


@pytest.mark.parametrize("text", FIRST_VALUES)
def test_first_values(text):
    ms.set_seed(1)
    cell = eval(f"nn.{text}", {"nn": nn})
    items = [p.asnumpy().reshape(-1)[:4] for p in cell.get_parameters()]
    for got, expected in zip(items, FIRST_VALUES[text], strict=True):
        np.testing.assert_array_equal(got, np.array(expected, np.float32))


def test_bounds_follow_the_fan():
    ms.set_seed(1)
    conv = nn.Conv2d(16, 64, 3, has_bias=True)
    assert np.abs(conv.weight.asnumpy()).max() <= 1 / 12
    assert np.abs(conv.weight.asnumpy()).max() > 0.99 / 12
    assert np.abs(conv.bias.asnumpy()).max() <= 1 / 12
    grouped = nn.Conv2d(16, 64, 3, group=4)
    assert 0.99 / 6 < np.abs(grouped.weight.asnumpy()).max() <= 1 / 6
    back = nn.Conv2dTranspose(16, 64, 3)
    assert 0.99 / 24 < np.abs(back.weight.asnumpy()).max() <= 1 / 24


@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (lambda: nn.Conv1d(4, 6, 3, group=2), (6, 2, 1, 3)),
        (lambda: nn.Conv2d(4, 6, (2, 3), group=2), (6, 2, 2, 3)),
        (lambda: nn.Conv2d(4, 6, 3, data_format="NHWC"), (6, 3, 3, 4)),
        (lambda: nn.Conv3d(4, 6, 3, group=2), (6, 2, 3, 3, 3)),
        (lambda: nn.Conv1dTranspose(4, 6, 3, group=2), (4, 3, 1, 3)),
        (lambda: nn.Conv2dTranspose(4, 6, 3), (4, 6, 3, 3)),
        (lambda: nn.Conv3dTranspose(4, 6, 3, group=2), (4, 3, 3, 3, 3)),
        (lambda: nn.Dense(4, 6), (6, 4)),
        (lambda: nn.BiDense(4, 5, 6), (6, 4, 5)),
    ],
)
def test_weight_shapes(make, shape):
    assert make().weight.shape == shape


def test_initial_values_of_every_kind():
    values = ms.Tensor([[1.0, 2.0]])
    for init, expected in ((values, [1, 2]), ("ones", [1, 1]), (0.5, [0.5, 0.5])):
        layer = nn.Dense(2, 1, weight_init=init, bias_init="zeros")
        np.testing.assert_array_equal(layer.weight.asnumpy(), [expected])
        np.testing.assert_array_equal(layer.bias.asnumpy(), [0])
    layer = nn.Dense(2, 1, weight_init=values)
    layer.weight.set_data(ms.Tensor([[9.0, 9.0]]))
    np.testing.assert_array_equal(values.asnumpy(), [[1, 2]])


@pytest.mark.parametrize("dtype", [ms.float16, ms.float64])
def test_the_type_of_the_parameters(dtype):
    for cell in (
        nn.Dense(2, 1, dtype=dtype),
        nn.Conv2d(1, 1, 2, has_bias=True, dtype=dtype),
        nn.BatchNorm2d(2, dtype=dtype),
        nn.LayerNorm((2,), dtype=dtype),
        nn.Embedding(3, 2, dtype=dtype),
    ):
        assert {p.dtype for p in cell.get_parameters()} == {dtype}
