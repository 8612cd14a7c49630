"""Methods that MindSpore 2.10 takes under several argument lists: all of them mean the same."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import agar as ms
from agar import Tensor, ops


def tensor(values: Any, dtype: Any = ms.float32) -> Tensor:
    return Tensor(np.array(values), dtype)


X = tensor([[1.0, -2.5, 3.0], [0.5, 2.0, -1.0]])
Y = tensor([[2.0, 1.5, -1.0], [4.0, 0.5, 2.0]])
MASK = tensor([[True, False, True], [False, False, True]], ms.bool_)
ROWS = tensor([1, 0], ms.int32)
PLACES = tensor([[0, 2, 1], [1, 1, 0]], ms.int64)
V2, V3 = tensor([1.0, 2.0]), tensor([1.0, 2.0, 4.0])


def by(*args, **kwargs):
    return args, kwargs


# one row for each method: calls that give one result
SPELLINGS = [
    ("sum", by(0, True), by(dim=0, keepdim=True), by(axis=0, keepdims=True)),
    ("sum", by(0, ms.float64), by(0, dtype=ms.float64), by(0, False, dtype=ms.float64)),
    ("mean", by(0, True), by(axis=0, keep_dims=True)),
    ("prod", by(0, True), by(axis=0, keep_dims=True), by(dim=0, keepdim=True)),
    ("nansum", by(0, True), by(dim=0, keepdim=True), by(axis=0, keepdims=True)),
    ("median", by(0, True), by(dim=0, keepdim=True), by(axis=0, keepdims=True)),
    ("max", by(0, return_indices=True), by(dim=0)),
    ("argmax", by(0, True), by(dim=0, keepdim=True), by(axis=0, keepdims=True)),
    ("count_nonzero", by(0), by(dim=0), by(axis=0)),
    ("cumsum", by(0), by(dim=0), by(axis=0)),
    ("sort", by(0, True), by(dim=0, descending=True), by(axis=0, descending=True)),
    ("argsort", by(0, True), by(dim=0, descending=True)),
    ("split", by(2, 1), by(split_size=2, dim=1)),
    ("chunk", by(2, 1), by(chunks=2, dim=1), by(chunks=2, axis=1)),
    ("where", by(MASK, Y), by(condition=MASK, y=Y), by(MASK, other=Y)),
    ("select", by(MASK, Y), by(condition=MASK, y=Y)),
    ("select", by(0, 1), by(dim=0, index=1)),
    ("sub", by(Y), by(other=Y), by(y=Y)),
    ("remainder", by(Y), by(other=Y), by(divisor=Y)),
    ("logical_and", by(MASK), by(other=MASK), by(y=MASK)),
    ("logical_or", by(MASK), by(other=MASK), by(y=MASK)),
    ("isclose", by(Y, 1.0, 1.0), by(other=Y, rtol=1.0, atol=1.0), by(x2=Y, rtol=1.0, atol=1.0)),
    ("matmul", by(Y.T), by(tensor2=Y.T), by(other=Y.T)),
    ("expand_as", by(ops.zeros((2, 2, 3))), by(x=ops.zeros((2, 2, 3)))),
    ("unsqueeze", by(1), by(dim=1), by(axis=1)),
    ("narrow", by(1, 1, 2), by(dim=1, start=1, length=2), by(axis=1, start=1, length=2)),
    ("take", by(ROWS), by(index=ROWS), by(indices=ROWS)),
    ("index_select", by(0, ROWS), by(dim=0, index=ROWS), by(axis=0, index=ROWS)),
    (
        "index_add",
        by(0, ROWS, Y),
        by(ROWS, Y, 0),
        by(indices=ROWS, y=Y, axis=0),
        by(ROWS, Y, 0, True, True),
    ),
    ("scatter", by(1, PLACES, Y), by(dim=1, index=PLACES, src=Y), by(axis=1, index=PLACES, src=Y)),
    ("scatter", by(1, PLACES, Y, "add"), by(1, PLACES, Y, reduce="add")),
    (
        "scatter_add",
        by(tensor([[1], [0]], ms.int64), Y),
        by(indices=tensor([[1], [0]], ms.int64), updates=Y),
    ),
    ("tile", by(2, 1), by((2, 1)), by(dims=(2, 1)), by(reps=(2, 1))),
    ("permute", by(1, 0), by((1, 0)), by(dims=(1, 0)), by(axis=(1, 0))),
    ("transpose", by(), by(0, 1), by(dim0=0, dim1=1), by(axes=(1, 0)), by(0, dim1=1)),
    ("view", by(3, 2), by((3, 2)), by(shape=(3, 2))),
    ("view", by(ms.int32), by(dtype=ms.int32)),
    ("reshape", by(3, 2), by(shape=(3, 2))),
    ("broadcast_to", by((2, 2, 3)), by(shape=(2, 2, 3))),
    ("argmin_with_value", by(None, True), by(axis=None)),
    ("repeat", by(2, 1), by((2, 1)), by(repeats=(2, 1))),
    ("resize", by(2, 2), by((2, 2)), by(new_shape=(2, 2))),
    ("sum_to_size", by(1, 3), by((1, 3)), by(size=(1, 3))),
    ("addr", by(V2, V3, 2, 3), by(V2, V3, beta=2, alpha=3)),
    ("multiply", by(Y), by(value=Y)),
    ("float_power", by(2), by(other=2)),
    ("approximate_equal", by(Y), by(other=Y)),
]


def flat(value):
    parts = value if isinstance(value, tuple) else (value,)
    return [(p.dtype, p.shape, p.tolist()) for p in parts]


@pytest.mark.parametrize("row", SPELLINGS, ids=lambda row: row[0])
def test_spellings_agree(row):
    name, *calls = row
    results = [flat(getattr(X, name)(*args, **kwargs)) for args, kwargs in calls]
    assert len(calls) > 1
    for result in results[1:]:
        assert result == results[0]


def test_in_place():
    for call in (
        lambda x: x.sub_(Y, 2),
        lambda x: x.sub_(Y, alpha=2),
        lambda x: x.sub_(y=Y, alpha=2),
    ):
        x = X.copy()
        assert call(x) is x
        np.testing.assert_array_equal(x.asnumpy(), X.asnumpy() - 2 * Y.asnumpy())
    for call in (lambda x: x.div_(Y, "floor"), lambda x: x.div_(Y, rounding_mode="floor")):
        x = X.copy()
        call(x)
        np.testing.assert_array_equal(x.asnumpy(), np.floor(X.asnumpy() / Y.asnumpy()))
    x = X.copy()
    x.scatter_(1, PLACES[:, :1], value=9.0)
    assert x.tolist() == [[9, -2.5, 3], [0.5, 9, -1]]
    x = ops.zeros(2)
    assert ops.put_(x, Tensor([1]), Tensor([5.0])) is x
    assert ops.clamp_(x, 1, 3).tolist() == [1, 3]
    assert ops.tanh_(ops.zero_(x)).tolist() == [0, 0]
    assert ops.erfinv_(x) is x


def test_factors_by_position():
    got = V2.addmv(X, V3, 2, 3)
    assert got.tolist() == V2.addmv(X, V3, beta=2, alpha=3).tolist() == [26.0, 5.5]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: X.sub(), "missing 1 required positional argument: 'other'"),
        (lambda: X.sub(Y, y=Y), "'y' means too"),
        (lambda: X.narrow(0, 1), "length"),
        (lambda: X.index_select(0), "index"),
        (lambda: X.sum(0, ms.float64, dtype=ms.float64), "twice"),
        (lambda: X.sub(z=Y), "unexpected keyword argument 'z'"),
    ],
)
def test_wrong_arguments(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_choices_may_be_numbers():
    """The figures are MindSpore 2.10's for integers; it cuts other numbers off."""
    index = tensor([0, 1, 0], ms.int32)
    assert index.choose([[0, 1, 2], [10, 11, 12], [20, 21, 22]]).tolist() == [0, 11, 2]
    assert index.choose([1, 2]).tolist() == [1, 2, 1]
    assert Tensor([0, 5, -1]).choose([[1, 2, 3], [4, 5, 6]]).tolist() == [1, 5, 3]
    assert Tensor([0, 5, -1]).choose([[1, 2, 3], [4, 5, 6]], mode="wrap").tolist() == [1, 5, 6]
    rows = index.choose(Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    assert rows.tolist() == [1, 5, 3]
    weight = Tensor([1.0, 2.0])
    grad = ms.grad(lambda w: index.choose([w[0], w[1]]).sum())(weight)
    assert grad.tolist() == [2, 1]


def test_extremes_leave_nan_out():
    nan = float("nan")
    x = Tensor([[9.0, 3.0], [nan, 4.0]])
    assert [t.tolist() for t in ops.aminmax(x)] == [[9, 3], [9, 4]]
    assert [t.item() for t in ops.aminmax(x, axis=None)] == [3, 9]
    assert [t.shape for t in ops.aminmax(x, axis=None, keepdims=True)] == [(1, 1), (1, 1)]
    low, high = ops.aminmax(Tensor([nan, 1.0, 2.0]))
    assert np.isnan(low.item())
    assert np.isnan(high.item())


def test_a_copy_with_one_element_set():
    x = tensor([[1, 2, 3], [4, 5, 6]])
    assert x.itemset(1, 9).tolist() == x.itemset((0, 1), 9).tolist() == [[1, 9, 3], [4, 5, 6]]
    assert x.tolist() == [[1, 2, 3], [4, 5, 6]]
    assert Tensor([5.0]).itemset(3.0).tolist() == [3]
    assert Tensor([1, 2]).itemset(0, 2.7).tolist() == [2, 2]


def test_functions_under_old_names():
    assert ops.reshape_(X, (3, 2)).shape == (3, 2)
    assert ops.shape_(X) == (2, 3)
    assert ops.tensor_muls(V2, 2).tolist() == [2, 4]
    copied = ops.deepcopy(V2)
    assert copied.tolist() == [1, 2]
    assert copied is not V2
    assert Tensor([1.0, 2.0, 3.0]).index([Tensor([2, 0])]).tolist() == [3, 1]


def test_files_of_operators_are_no_modules_of_mindspore():
    """``import mindspore.ops.cast`` fails there, and must not hide the operator here."""
    program = (
        "import agar, importlib\n"
        "agar.alias_mindspore()\n"
        "try:\n"
        "    importlib.import_module('mindspore.ops.cast')\n"
        "except ModuleNotFoundError:\n"
        "    print(agar.ops.cast(agar.Tensor([1.5]), agar.int32))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[1]\n"


def test_sums_of_products_with_lists_of_axes():
    """The example of MindSpore's documentation."""
    x, y = Tensor([1.0, 2.0, 3.0, 4.0]), Tensor([1.0, 2.0])
    got = ops.einsum_ext(x, [..., 1], y, [..., 2], [..., 1, 2])
    assert got.tolist() == [[1, 2], [2, 4], [3, 6], [4, 8]]
    assert ops.einsum_ext(x, [0], x, [0]).item() == ops.einsum_ext("i,i", x, x).item() == 30
    for call, error in (
        (lambda: ops.einsum_ext(x, [52]), ValueError),
        (lambda: ops.einsum_ext(x, [0.5]), TypeError),
        (lambda: ops.einsum_ext(x, x), TypeError),
    ):
        with pytest.raises(error, match="einsum_ext"):
            call()


def test_products_in_groups():
    rng = np.random.default_rng(4)
    x, weight = rng.normal(size=(6, 3)), rng.normal(size=(3, 3, 4))
    expected = np.concatenate([x[:2] @ weight[0], x[2:2] @ weight[1], x[2:] @ weight[2]])
    for groups, kind in (((2, 2, 6), 0), (Tensor([2, 2, 6]), 0), (Tensor([2, 0, 4]), 1)):
        got = ops.gmm([Tensor(x)], [Tensor(weight)], group_list=groups, group_list_type=kind)
        np.testing.assert_allclose(got[0].asnumpy(), expected, rtol=1e-12)
    total = ms.value_and_grad(
        lambda a, b: ops.gmm([a], [b], group_list=(2, 2, 6))[0].sum(), grad_position=(0, 1)
    )
    _, (dx, dw) = total(Tensor(x), Tensor(weight))
    by_hand = ops.gmm_backward(
        [ops.ones((6, 4), ms.float64)], [Tensor(x)], [Tensor(weight)], (2, 2, 6)
    )
    np.testing.assert_allclose(by_hand[0][0].asnumpy(), dx.asnumpy())
    np.testing.assert_allclose(by_hand[1][0].asnumpy(), dw.asnumpy())
