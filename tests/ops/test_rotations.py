"""Singular vectors have the signs that MindSpore 2.10 gives them."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import agar as ms
from agar import ops

# matrix, U, V as recorded, with full matrices
RECORDED = (
    (
        [[1, 2], [-4, -5], [2, 1]],
        [
            [0.308219, -0.488195, 0.816497],
            [-0.906134, 0.110706, 0.408248],
            [0.289696, 0.865685, 0.408248],
        ],
        [[0.638636, 0.769509], [0.769509, -0.638636]],
    ),
    (
        [[1, -4, 2], [2, -5, 1]],
        [[-0.638636, 0.769509], [-0.769509, -0.638636]],
        [
            [-0.308219, -0.488195, 0.816497],
            [0.906133, 0.110706, 0.408248],
            [-0.289696, 0.865685, 0.408248],
        ],
    ),
    (
        np.random.RandomState(0).rand(3, 3),
        [
            [0.544858, 0.22482, -0.807828],
            [0.467859, 0.717982, 0.515373],
            [0.695873, -0.658755, 0.286014],
        ],
        [
            [0.435233, 0.871186, -0.227171],
            [0.612676, -0.471484, -0.634296],
            [0.659697, -0.136885, 0.73896],
        ],
    ),
    (
        np.random.RandomState(1).randn(4, 2),
        [
            [-0.470189, 0.434174, -0.520672, -0.565081],
            [-0.132819, -0.613433, -0.718039, 0.300798],
            [-0.694287, -0.502237, 0.460209, -0.232232],
            [-0.528439, 0.427728, 0.039107, 0.732306],
        ],
        [[-0.673849, 0.738869], [0.738869, 0.673849]],
    ),
)


@pytest.mark.parametrize(("matrix", "u", "v"), RECORDED)
def test_recorded_signs(matrix, u, v):
    matrix = ms.Tensor(np.array(matrix, np.float32))
    for full in (True, False):
        _, left, right = ops.Svd(full)(matrix)
        np.testing.assert_allclose(left.asnumpy(), np.array(u)[:, : left.shape[1]], atol=2e-5)
        np.testing.assert_allclose(right.asnumpy(), np.array(v)[:, : right.shape[1]], atol=2e-5)


@pytest.mark.parametrize("shape", [(1, 4), (5, 5), (9, 6), (2, 3, 7, 15), (20, 18), (3, 0, 2)])
def test_product(shape):
    matrix = np.random.RandomState(3).randn(*shape)
    s, u, v = (part.asnumpy() for part in ops.svd(ms.Tensor(matrix), full_matrices=True))
    count = s.shape[-1]
    product = (u[..., :count] * s[..., None, :]) @ np.swapaxes(v[..., :count], -1, -2)
    np.testing.assert_allclose(product, matrix, atol=1e-12)
    for part in (u, v):
        square = part @ np.swapaxes(part, -1, -2)
        np.testing.assert_allclose(square, np.broadcast_to(np.eye(part.shape[-1]), square.shape),
                                   atol=1e-12)  # fmt: skip


@pytest.mark.parametrize("matrix", [np.zeros((3, 2)), np.ones((3, 3)), np.diag([3.0, -1, 2])])
def test_equal_and_missing_values(matrix):
    s, u, v = (part.asnumpy() for part in ops.svd(ms.Tensor(matrix)))
    np.testing.assert_allclose((u * s) @ v.T, matrix, atol=1e-12)


def test_gradient():
    matrix = torch.randn(4, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))

    def product(x):
        s, u, v = ops.svd(ms.from_torch(x))
        return ((u * s) @ v.T)._value + u._value[:, :1] * v._value[0, :1]

    assert torch.autograd.gradcheck(product, matrix.requires_grad_())
