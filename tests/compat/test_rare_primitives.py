"""Primitives at private paths that no function stands for, with MindSpore's figures.

`rare_primitives.json`: [call, result of MindSpore 2.10 on a CPU].
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

import agar as ms
from agar import compat

CASES = json.loads((Path(__file__).parent / "rare_primitives.json").read_text(encoding="utf-8"))
PATHS = (
    "_sparse_grad_ops",
    "array_ops",
    "image_ops",
    "linalg_ops",
    "math_ops",
    "nn_ops",
    "random_ops",
    "sparse_ops",
)


class Names:
    """The names of a module of ``ops.operations``."""

    def __init__(self, path):
        self.path = f"ops.operations.{path}"

    def __getattr__(self, name):
        return compat.find(self.path, name)


def T(values):
    return ms.Tensor(np.array(values, np.float32))


def I(values):  # noqa: E743 - as in the calls of the file
    return ms.Tensor(np.array(values, np.int32))


def L(values):
    return ms.Tensor(np.array(values, np.int64))


SPACE = {"ms": ms, "np": np, "T": T, "I": I, "L": L, "x4": T(np.arange(16).reshape(1, 1, 4, 4))}
SPACE |= {"x8": T(np.arange(576).reshape(2, 8, 6, 6))}
SPACE |= {path: Names(path) for path in PATHS}


def _form(result):
    if isinstance(result, (tuple, list)):
        return [_form(r) for r in result]
    return [str(result.dtype), list(result.shape), result.asnumpy().ravel().astype(float).tolist()]


def _same(result, expected):
    if isinstance(expected[0], list):
        assert len(result) == len(expected)
        for one, other in zip(result, expected, strict=True):
            _same(one, other)
        return
    assert result[:2] == expected[:2]
    np.testing.assert_allclose(result[2], expected[2], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("call", "expected"), CASES, ids=[case[0].split("(")[0] for case in CASES])
def test_figures_of_mindspore(call, expected):
    _same(_form(eval(call, SPACE)), expected)


@pytest.mark.parametrize(
    ("call", "expected"),
    [  # MindSpore 2.10 has no kernel of these on a CPU, or takes no call: its documented examples
        (
            "sparse_ops.RaggedTensorToTensor(['ROW_SPLITS'])"
            "(I([4, 4]), L([1, 2, 3, 4, 5, 6, 7, 8, 9]), L(0), [I([0, 3, 3, 7, 9])])",
            [[1, 2, 3, 0], [0, 0, 0, 0], [4, 5, 6, 7], [8, 9, 0, 0]],
        ),
        (
            "sparse_ops.RaggedTensorToTensor(['FIRST_DIM_SIZE', 'VALUE_ROWIDS'])"
            "(I([3, 2]), L([1, 2, 3]), L(7), [I(3), I([0, 0, 2])])",
            [[1, 2], [7, 7], [3, 7]],
        ),
        ("sparse_ops.SetSize()(L([[0, 1], [0, 2], [1, 2]]), L([1, 1, 2]), L([3, 4]))", [1, 1, 0]),
        ("nn_ops.AllFinite()((T([1, 2]), T([3])))", False),
        ("nn_ops.AllFinite()((T([1, np.inf]), T([3])))", True),
        ("nn_ops.MaxPoolV1(2, 2)(x4)", [[[[5, 7], [13, 15]]]]),
        ("nn_ops.AvgPoolV1(2, 2)(x4)", [[[[2.5, 4.5], [10.5, 12.5]]]]),
        ("nn_ops.AvgPoolV1(3, 2, 'same')(x4)", [[[[5, 6.5], [11, 12.5]]]]),
        ("array_ops.ArgminV2()(T([[3, 1, 2], [0, 5, 4]]), 1)", [1, 0]),
        ("math_ops.SelfAdjointEig(False)(T([[2, 1], [1, 2]]))[0]", [1, 3]),
        ("array_ops.Unsqueeze(1)(T([1, 2]))", [[1], [2]]),
        (
            "math_ops.Lu(ms.int32)(T([[2.5, 3.1, 3.5], [4.7, 1.9, 0.2], [1.1, 3.6, 2.0]]))[0]",
            [
                [4.7, 1.9, 0.2],
                [0.23404257, 3.155319, 1.9531915],
                [0.5319149, 0.6621713, 2.1002696],
            ],
        ),
        (
            "math_ops.Lu(ms.int32)(T([[2.5, 3.1, 3.5], [4.7, 1.9, 0.2], [1.1, 3.6, 2.0]]))[1]",
            [1, 2, 0],
        ),
    ],
)
def test_values_by_the_definition(call, expected):
    result = eval(call, SPACE)
    np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-5)


def test_sets_beside_sparse_ones():
    call = "sparse_ops.DenseToSparseSetOperation('{}')(L([[1, 2], [3, 0], [1, 5]]), "
    call += "L([[0, 1], [0, 2], [1, 2]]), L([5, 1, 7]), L([3, 3]))"
    places, values, shape = eval(call.format("intersection"), SPACE)
    assert (places.asnumpy().tolist(), values.asnumpy().tolist()) == ([[0, 0]], [1])
    assert shape.asnumpy().tolist() == [3, 1]
    with pytest.raises(ValueError, match="one of"):
        eval(call.format("a+b"), SPACE)


def test_a_split_of_coordinates_can_be_joined_again():
    places, values, shapes = eval(
        "sparse_ops.SparseSplit(2)(L(1), L([[0, 0], [0, 2], [1, 1]]), T([1, 2, 3]), L([2, 3]))",
        SPACE,
    )
    joined = SPACE["sparse_ops"].SparseConcat(1)(list(places), list(values), list(shapes))
    assert [v.asnumpy().tolist() for v in joined] == [[[0, 0], [0, 2], [1, 1]], [1, 2, 3], [2, 3]]


A = "I([4, 5]), I([0, 4]), I([0, 1, 1, 3, 4]), I([0, 3, 4, 0]), T([1, 5, -1, -2])"
B = "I([5, 3]), I([0, 3]), I([0, 1, 1, 3, 3, 3]), I([0, 0, 1]), T([2, 7, 8])"


def test_products_of_sparse_matrices():
    call = f"sparse_ops.SparseMatrixSparseMatMul()({A}, {B})"
    parts = [part.asnumpy().tolist() for part in eval(call, SPACE)]  # MindSpore's example
    assert parts == [[4, 3], [0, 2], [0, 1, 1, 1, 2], [0, 0], [2, -4]]
    # an element of two products that cancel is there all the same
    one = "I([1, 2]), I([0, 2]), I([0, 2]), I([0, 1]), T([1, 1])"
    two = "I([1, 2]), I([0, 2]), I([0, 2]), I([0, 1]), T([3, -3])"
    call = f"sparse_ops.SparseMatrixSparseMatMul(transpose_b=True)({one}, {two})"
    assert [part.asnumpy().tolist() for part in eval(call, SPACE)] == [
        [1, 1],
        [0, 1],
        [0, 1],
        [0],
        [0],
    ]
    with pytest.raises(ValueError, match="at most one of 'transpose_b' and 'adjoint_b'"):
        eval(call.replace("=True", "=True, adjoint_b=True"), SPACE)


def test_factors_of_several_matrices():
    matrices = np.random.default_rng(0).normal(size=(3, 4, 4)).astype(np.float32)
    packed, rows = SPACE["math_ops"].Lu(ms.int64)(ms.Tensor(matrices))
    assert rows.dtype == ms.int64
    lower = np.tril(packed.asnumpy(), -1) + np.eye(4)
    product = lower @ np.triu(packed.asnumpy())
    ordered = np.take_along_axis(matrices, rows.asnumpy()[..., None], 1)
    np.testing.assert_allclose(product, ordered, rtol=1e-4, atol=1e-5)


def test_gradients():
    crop = SPACE["image_ops"].CropAndResizeGradImage(ms.float32)
    box, index = T([[0, 0.1, 0.5, 0.6]]), I([0])
    image = T(np.random.default_rng(0).normal(size=(1, 4, 4, 1)))

    def total(x):
        return ms.ops.crop_and_resize(x, box, index, (2, 2)).sum()

    expected = ms.grad(total)(image).asnumpy()
    given = crop(T(np.ones((1, 2, 2, 1))), box, index, I([1, 4, 4, 1])).asnumpy()
    np.testing.assert_allclose(given, expected, rtol=1e-5)
    # on pixels MindSpore 2.10 gives none by the boxes
    corners = T([[0, 0, 1, 1]])
    by_boxes = ms.grad(lambda b: ms.ops.crop_and_resize(image, b, index, (2, 2)).sum())(corners)
    assert not by_boxes.asnumpy().any()
    solve = SPACE["math_ops"].TridiagonalSolve()
    diagonals = torch.tensor([[1.0, 2, 0], [4, 5, 6], [0, 1, 2]], dtype=torch.float64)
    rhs = torch.tensor([[1.0], [2], [3]], dtype=torch.float64)
    slope = ms.grad(lambda d: solve(d, ms.from_torch(rhs)).sum())(ms.from_torch(diagonals))
    leaf = diagonals.clone().requires_grad_()
    matrix = torch.diag(leaf[1]) + torch.diag(leaf[0, :-1], 1) + torch.diag(leaf[2, 1:], -1)
    torch.linalg.solve(matrix, rhs).sum().backward()
    np.testing.assert_allclose(slope.asnumpy(), leaf.grad.numpy())


def test_what_does_not_fit_is_refused():
    step = eval("array_ops.RangeV2(maxlen=2)", SPACE)
    with pytest.raises(ValueError, match="more than 'maxlen' 2"):
        step(I(0), I(10), I(4))
    with pytest.raises(ValueError, match="must lead from"):
        step(I(0), I(10), I(-4))
    with pytest.raises(ValueError, match="seed"):
        eval("random_ops.Uniform(seed=-1)", SPACE)
