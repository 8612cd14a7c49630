"""Sparse tensors against dense ones, and against figures of MindSpore 2.10 on the CPU."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn, ops

PLACES = [[0, 1], [1, 2]]


@pytest.fixture(params=[ms.PYNATIVE_MODE, ms.GRAPH_MODE], ids=["eager", "graph"])
def mode(request):
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)


def coo(values=(1.0, 2.0), places=PLACES, shape=(3, 4), kind=ms.int32):
    return ms.COOTensor(ms.Tensor(places, kind), ms.Tensor(list(values), ms.float32), shape)


def csr(values=(1.0, 2.5), indptr=(0, 1, 2), indices=(0, 1), shape=(2, 4)):
    return ms.CSRTensor(
        ms.Tensor(list(indptr), ms.int32),
        ms.Tensor(list(indices), ms.int32),
        ms.Tensor(list(values), ms.float32),
        shape,
    )


def random_csr(seed, shape=(5, 6)):
    dense = np.random.RandomState(seed).randn(*shape).astype("float32")
    dense[np.random.RandomState(seed + 1).rand(*shape) > 0.5] = 0
    return ms.Tensor(dense).to_csr(), dense


# --------------------------------------------------------------------------- observed


def test_texts():
    expected = (
        "COOTensor(shape=[3, 4], dtype=Float32, indices=Tensor(shape=[2, 2], dtype=Int32, "
        "value=\n[[0 1]\n [1 2]]), values=Tensor(shape=[2], dtype=Float32, "
        "value=[ 1.00000000e+00  2.00000000e+00]))"
    )
    assert str(coo()) == repr(coo()) == expected
    assert str(csr()) == (
        "CSRTensor(shape=[2, 4], dtype=Float32, indptr=Tensor(shape=[3], dtype=Int32, "
        "value=[0 1 2]), indices=Tensor(shape=[2], dtype=Int32, value=[0 1]), "
        "values=Tensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00  2.50000000e+00]))"
    )
    row = ms.RowTensor(ms.Tensor([0]), ms.Tensor([[1.0, 2.0]]), (3, 2))
    assert str(row) == (
        "RowTensor(shape=[3, 2], dtype=Float32, indices=Tensor(shape=[1], dtype=Int64, value=[0]), "
        "values=Tensor(shape=[1, 2], dtype=Float32, value=\n[[ 1.00000000e+00  2.00000000e+00]]))"
    )
    assert str(ms.SparseTensor(*coo().to_tuple())) == str(coo())


def test_properties():
    x = coo()
    assert (x.dtype, x.size, x.itemsize, x.ndim, x.shape) == (ms.float32, 2, 4, 2, (3, 4))
    assert str(csr().dtype) == "Float32"
    assert x.to_tuple()[2] == (3, 4)
    assert x == x
    assert x != coo()
    assert len({x, coo()}) == 2
    assert not isinstance(ms.SparseTensor(*x.to_tuple()), ms.COOTensor)
    assert ms.COOTensor(coo_tensor=x).values is x.values
    assert ms.CSRTensor(csr_tensor=csr()).shape == (2, 4)
    with pytest.raises(TypeError, match="subscriptable"):
        x[0]
    with pytest.raises(TypeError, match="len"):
        len(x)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: ms.COOTensor(*coo().to_tuple(), coo()), TypeError, "must be None"),
        (lambda: ms.COOTensor(coo_tensor=csr()), TypeError, "COOTensor"),
        (lambda: coo(shape=[3, 4]), TypeError, "tuple"),
        (lambda: ms.COOTensor(PLACES, ms.Tensor([1.0]), (3, 4)), TypeError, "indices"),
        (lambda: ms.COOTensor(ms.Tensor(PLACES), [1.0, 2.0], (3, 4)), TypeError, "values"),
        (lambda: coo(shape=(3, 4, 5)), ValueError, "length of 'shape' must be 2"),
        (lambda: coo(shape=(3, 0)), ValueError, "positive"),
        (lambda: coo(shape=(1, 1)), ValueError, "too small"),
        (lambda: coo(kind=ms.float32), TypeError, "int16, int32, int64"),
        (lambda: coo(places=[0, 1]), ValueError, "2-dimensional"),
        (lambda: coo(values=(1.0, 2.0, 3.0)), ValueError, "equal"),
        (lambda: csr(values=(1.0, 2.0, 3.0)), ValueError, "equal"),
        (lambda: csr(shape=(3, 4)), ValueError, "length"),
        (lambda: csr(indices=[[0, 1]]), ValueError, "1-dimensional"),
        (lambda: ms.CSRTensor([0, 1], ms.Tensor([0]), ms.Tensor([1.0]), (1, 2)), TypeError, "indp"),
        (lambda: csr(shape=(2, 4, 3)), ValueError, "shape"),
        (lambda: ms.RowTensor(), TypeError, "indices"),
        (lambda: ms.SparseTensor(*coo().to_tuple()[:2], [3, 4]), TypeError, "tuple"),
    ],
)
def test_constructors_refuse(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_arithmetic_of_coo():
    dense = ms.Tensor(np.full((3, 4), 2), ms.float32)
    expected = np.array(coo().to_dense())
    np.testing.assert_array_equal(coo() + dense, expected + 2)
    np.testing.assert_array_equal(dense + coo(), expected + 2)
    np.testing.assert_array_equal(coo() - dense, expected - 2)
    np.testing.assert_array_equal(dense - coo(), 2 - expected)
    np.testing.assert_array_equal((coo() * dense).values, [2, 4])
    np.testing.assert_array_equal((dense * coo()).values, [2, 4])
    np.testing.assert_array_equal((coo() / dense).values, [0.5, 1])
    np.testing.assert_array_equal((-coo()).values, [-1, -2])
    np.testing.assert_array_equal((coo() + coo()).to_dense(), expected * 2)
    np.testing.assert_array_equal((coo() - coo()).values, [0, 0])
    assert coo().astype(ms.float16).dtype == ms.float16
    for wrong in (
        lambda: coo() * 2,
        lambda: coo() * coo(),
        lambda: 2 * coo(),
        lambda: dense / coo(),
    ):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="same shape"):
        coo() + ms.Tensor([1.0])


def test_add_of_coo_takes_a_threshold():
    other = coo(places=[[0, 0], [1, 2]])
    result = ops.coo_add(coo(), other, ms.Tensor(0.0))
    np.testing.assert_array_equal(result.indices, [[0, 0], [0, 1], [1, 2]])
    np.testing.assert_array_equal(result.values, [1, 1, 4])
    # a threshold concerns places that both have
    np.testing.assert_array_equal(coo().add(other, ms.Tensor(3.0)).values, [1, 1, 4])
    np.testing.assert_array_equal(coo().add(other, ms.Tensor(5.0)).values, [1, 1])
    np.testing.assert_array_equal((-coo()).add(other, ms.Tensor(0.0)).values, [1, -1, 0])


def test_coalesce_and_conversions():
    x = coo((1.0, 5.0, 4.0), [[1, 2], [0, 1], [0, 1]], (3, 3))
    result = x.coalesce()
    np.testing.assert_array_equal(result.indices, [[0, 1], [1, 2]])
    np.testing.assert_array_equal(result.values, [9, 1])
    row = coo((1.0, 5.0, 4.0), [[2, 1], [0, 3], [0, 1]]).to_csr()
    np.testing.assert_array_equal(row.indptr, [0, 2, 2, 3])
    np.testing.assert_array_equal(row.indices, [3, 1, 1])
    np.testing.assert_array_equal(row.values, [5, 4, 1])
    dense = ms.Tensor([[1, 0], [-5, 0]], ms.float32)
    np.testing.assert_array_equal(dense.to_coo().indices, [[0, 0], [1, 0]])
    assert dense.to_coo().indices.dtype == ms.int32
    np.testing.assert_array_equal(ops.dense_to_sparse_csr(dense).indptr, [0, 1, 2])
    np.testing.assert_array_equal(ops.csr_to_coo(csr()).indices, [[0, 0], [1, 1]])
    np.testing.assert_array_equal(ops.csr_to_dense(csr()), [[1, 0, 0, 0], [0, 2.5, 0, 0]])
    for wrong, words in (
        (lambda: ops.csr_to_coo(coo()), "CSRTensor"),
        (lambda: ops.dense_to_sparse_coo([1]), "Tensor"),
    ):
        with pytest.raises(TypeError, match=words):
            wrong()
    with pytest.raises(ValueError, match="2-D"):
        ms.Tensor(np.ones((2, 2, 2))).to_csr()


def test_concat_sorts_its_places():
    result = ops.coo_concat((coo(), coo()), 1)
    assert result.shape == (3, 8)
    np.testing.assert_array_equal(result.indices, [[0, 1], [0, 5], [1, 2], [1, 6]])
    np.testing.assert_array_equal(result.values, [1, 1, 2, 2])
    result = ops.coo_concat([coo(), coo()])
    assert result.shape == (6, 4)
    np.testing.assert_array_equal(result.indices, [[0, 1], [1, 2], [3, 1], [4, 2]])
    with pytest.raises(ValueError, match="two"):
        ops.coo_concat((coo(),))
    with pytest.raises(ValueError, match="sizes"):
        ops.coo_concat((coo(), coo(shape=(3, 5))))


def test_arithmetic_of_csr():
    x, dense = random_csr(0)
    other, second = random_csr(7)
    np.testing.assert_allclose((x + other).to_dense(), dense + second, rtol=1e-6)
    np.testing.assert_allclose((x - other).to_dense(), dense - second, rtol=1e-6)
    two, three = ms.Tensor(2.0), ms.Tensor(3.0)
    item = ops.csr_add(x, other, two, three).to_dense()
    np.testing.assert_allclose(item, 2 * dense + 3 * second, rtol=1e-6)
    np.testing.assert_array_equal((csr() - csr()).values, [0, 0])  # places stay
    for factor in (ms.Tensor(np.arange(1, 7), ms.float32), ms.Tensor([[2.0]] * 5)):
        np.testing.assert_allclose((x * factor).to_dense(), dense * np.array(factor), rtol=1e-6)
        np.testing.assert_allclose((x / factor).to_dense(), dense / np.array(factor), rtol=1e-6)
    # with one number the result is the values alone
    for item, values in ((csr() * 2, [2, 5]), (csr() / two, [0.5, 1.25]), (two * csr(), [2, 5])):
        assert isinstance(item, ms.Tensor)
        np.testing.assert_array_equal(item, values)
    with pytest.raises(ValueError, match="broadcast"):
        x * ms.Tensor([1.0, 2.0])
    with pytest.raises(TypeError):
        2 * x
    with pytest.raises(TypeError, match="not supported"):
        x + ms.Tensor(dense)


def test_products_and_sums_of_csr():
    x, dense = random_csr(0)
    other, second = random_csr(7, (6, 3))
    right = np.random.RandomState(2).randn(6, 3).astype("float32")
    np.testing.assert_allclose(x.mm(ms.Tensor(right)), dense @ right, rtol=1e-5)
    np.testing.assert_allclose(x.mv(ms.Tensor(right[:, :1])), dense @ right[:, :1], rtol=1e-5)
    np.testing.assert_allclose(x.mm(other).to_dense(), dense @ second, rtol=1e-5)
    np.testing.assert_allclose(
        ops.csr_mm(x, x, trans_a=True).to_dense(), dense.T @ dense, rtol=1e-4, atol=1e-6
    )
    np.testing.assert_allclose(
        ops.csr_mm(x, x, adjoint_b=True).to_dense(), dense @ dense.T, rtol=1e-4, atol=1e-6
    )
    np.testing.assert_allclose(x.sum(1), dense.sum(1, keepdims=True), rtol=1e-5, atol=1e-6)
    for wrong in (lambda: x.mm(x), lambda: x.mv(ms.Tensor([[1.0]])), lambda: x.sum(0)):
        with pytest.raises(ValueError, match=r"CSRTensor|csr_"):
            wrong()


def test_softmax_of_csr():
    x = csr((1, 2, 3, 4, 1, 2), (0, 4, 6), (0, 2, 3, 4, 3, 4), (2, 6))
    expected = [0.032058604, 0.087144315, 0.2368828, 0.6439142, 0.26894143, 0.7310586]
    np.testing.assert_allclose(ops.csr_softmax(x, ms.float32).values, expected, rtol=1e-6)
    assert ops.csr_softmax(x, ms.float16).dtype == ms.float16
    with pytest.raises(TypeError, match="floating"):
        ops.csr_softmax(x, ms.int32)


NAMES = [n.removeprefix("coo_") for n in ops.__all__ if n.startswith("coo_")]
NAMES = [n for n in NAMES if n not in ("add", "concat") and not n.startswith("tensor_get")]


@pytest.mark.parametrize("name", NAMES)
def test_elementwise(name):
    values = (0.5, 1.5) if name in ("acosh", "log") else (0.25, -0.5)
    for full, x in ((f"coo_{name}", coo(values)), (f"csr_{name}", csr(values))):
        result = getattr(ops, full)(x)
        assert type(result) is type(x)
        assert result.shape == x.shape
        np.testing.assert_array_equal(result.values, getattr(ops, name)(x.values))
        wrong = csr() if full.startswith("coo") else coo()
        with pytest.raises(TypeError, match=f"Expects .*Tensor for {full}"):
            getattr(ops, full)(wrong)


def test_there_are_31_elementwise_operators_of_each_format():
    assert len(NAMES) == 31


def test_csr_with_rows_of_rows():
    x = ms.CSRTensor(
        ms.Tensor([0, 1, 2]), ms.Tensor([2, 0]), ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), (2, 3, 2)
    )
    dense = np.zeros((2, 3, 2))
    dense[0, 2], dense[1, 0] = [1, 2], [3, 4]
    np.testing.assert_array_equal(x.to_dense(), dense)
    np.testing.assert_array_equal(x.sum(1), dense.sum(1, keepdims=True))
    with pytest.raises(ValueError, match="2-D"):
        x.to_coo()


# ------------------------------------------------------------- gradients, cells, graphs


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        self.factor = ms.Parameter(ms.Tensor(3.0), name="factor")

    def construct(self, x):
        return ops.coo_square(x) if isinstance(x, ms.COOTensor) else (x + x).mm(self.right())

    def right(self):
        return ops.ones((4, 2)) * self.factor


def test_cells_take_and_give_sparse_tensors(mode):
    net = Scaled()
    for values in ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)):
        result = net(coo(values))
        assert type(result) is ms.COOTensor
        np.testing.assert_array_equal(result.values, np.square(values))
        np.testing.assert_array_equal(net(csr(values))[:, 0], 6 * np.array(values))


def test_parts_in_structures(mode):
    class Parts(nn.Cell):
        def construct(self, x, extra):
            return {"x": [-x["x"]], "extra": extra}, x["x"].to_tuple()

    net = Parts()
    for _ in range(3):
        result, parts = net({"x": coo()}, 5)
        np.testing.assert_array_equal(result["x"][0].values, [-1, -2])
        assert result["extra"] == 5
        assert parts[2] == (3, 4)


def test_the_gradient_by_a_sparse_tensor_is_that_of_its_values(mode):
    class Square(nn.Cell):
        def construct(self, x):
            return ops.coo_square(x)

    net = Square()
    for values in ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)):
        np.testing.assert_array_equal(ms.grad(net)(coo(values)), 2 * np.array(values))
    value, gradient = ms.value_and_grad(net)(coo())
    assert type(value) is ms.COOTensor
    np.testing.assert_array_equal(gradient, [2, 4])
    everything = ms.ops.GradOperation(get_all=True)(net)(coo())
    np.testing.assert_array_equal(everything[0], [2, 4])


def test_gradients_through_construction(mode):
    places = ms.Tensor(PLACES)

    class Through(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")

        def construct(self, dense):
            return (ms.COOTensor(places, self.w, (3, 4)) * dense).to_dense().sum()

    net = Through()
    dense = ms.Tensor(np.arange(12).reshape(3, 4), ms.float32)
    for _ in range(3):
        (by_w,) = ms.grad(net, None, net.trainable_params())(dense)
        np.testing.assert_array_equal(by_w, [1, 6])
        by_dense = np.zeros((3, 4))
        by_dense[0, 1], by_dense[1, 2] = 1, 2
        np.testing.assert_array_equal(ms.grad(net)(dense), by_dense)


@pytest.mark.parametrize(
    "compute",
    [
        lambda x, d: x.mm(d),
        lambda x, d: x.sum(1),
        lambda x, d: (x + x).values,
        lambda x, d: (x * d.T).values,
        lambda x, d: x.mm(x.to_coo().to_csr()).values,
        lambda x, d: ops.csr_softmax(x, ms.float64).values,
        lambda x, d: ops.csr_mm(x, x, trans_a=True).values,
        lambda x, d: x.to_coo().coalesce().values,
        lambda x, d: x.to_dense(),
    ],
)
def test_gradcheck(compute):
    indptr, indices = ms.Tensor([0, 2, 3, 3]), ms.Tensor([0, 2, 1])
    generator = torch.Generator().manual_seed(1)
    values = torch.randn(3, dtype=torch.float64, generator=generator, requires_grad=True)
    dense = torch.randn(3, 3, dtype=torch.float64, generator=generator, requires_grad=True)

    def run(v, d):
        x = ms.CSRTensor(indptr, indices, ms.from_torch(v), (3, 3))
        return compute(x, ms.from_torch(d)).to_torch()

    assert torch.autograd.gradcheck(run, (values, dense))


def test_copies_and_pickles():
    for x in (coo(), csr()):
        for item in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
            assert str(item) == str(x)
            assert item.values is not x.values


def test_printing_inside_a_graph(capsys):
    @ms.jit
    def show(x):
        print(x)
        return x.values

    for values in ((1.0, 2.0), (3.0, 4.0), (5.0, 6.0)):
        show(coo(values))
        assert capsys.readouterr().out.strip() == str(coo(values))


def test_layers():
    np.testing.assert_array_equal(nn.SparseToDense()(coo()), coo().to_dense())
    values, dense = ms.Tensor([1.0, 2.0]), ops.ones((4, 2))
    result = nn.SparseTensorDenseMatmul()(ms.Tensor(PLACES), values, (3, 4), dense)
    np.testing.assert_array_equal(result, [[1, 1], [2, 2], [0, 0]])
    result = nn.SparseTensorDenseMatmul(True)(ms.Tensor(PLACES), values, (3, 4), ops.ones((3, 1)))
    np.testing.assert_array_equal(result, [[0], [1], [2], [0]])
    assert repr(nn.SparseToDense()) == "SparseToDense()"
    with pytest.raises(TypeError, match="COOTensor"):
        nn.SparseToDense()(3)


def test_primitives_over_parts_of_csr():
    from agar.ops.operations import _csr_ops

    x, dense = random_csr(0)
    *parts, shape = x.to_tuple()
    right = ms.Tensor(np.random.RandomState(2).randn(6, 2), ms.float32)
    wide = ms.Tensor(np.random.RandomState(3).rand(5, 6) + 1, ms.float32)
    result = dense != 0
    np.testing.assert_allclose(_csr_ops.CSRMM()(*parts, shape, right), dense @ right, rtol=1e-4)
    np.testing.assert_allclose(
        _csr_ops.CSRMul()(*parts, shape, wide), (dense * np.array(wide))[result], rtol=1e-6
    )
    np.testing.assert_allclose(
        _csr_ops.CSRDiv()(*parts, shape, wide), (dense / np.array(wide))[result], rtol=1e-6
    )
    np.testing.assert_allclose(
        _csr_ops.CSRReduceSum()(*parts, shape, 1), dense.sum(1, keepdims=True), rtol=1e-5, atol=1e-6
    )
    np.testing.assert_array_equal(
        _csr_ops.CSRGather()(x.indptr, x.indices, wide, shape), np.array(wide)[result]
    )
    rows = _csr_ops.CSR2COO()(x.indptr, x.size)
    np.testing.assert_array_equal(rows, np.nonzero(dense)[0])
    np.testing.assert_array_equal(_csr_ops.COO2CSR()(rows, 5), x.indptr)


def test_row_tensors():
    row = ops.make_row_tensor(ms.Tensor([2, 0]), ms.Tensor([[1.0, 2.0], [3.0, 4.0]]), (3, 2))
    assert isinstance(row, ms.RowTensor)
    np.testing.assert_array_equal(row.to_dense(), [[3, 4], [0, 0], [1, 2]])
    assert ms.RowTensor(row_tensor=row).dense_shape == (3, 2)
    whole = ops.row_tensor_add(row, ops.ones((3, 2)))
    assert isinstance(whole, ms.RowTensor)
    np.testing.assert_array_equal(whole.indices, [0, 1, 2])
    np.testing.assert_array_equal(whole.values, [[4, 5], [1, 1], [2, 3]])
    with pytest.raises(ValueError, match="shape"):
        ops.row_tensor_add(row, ops.ones((2, 2)))


def test_parts_by_function():
    row = ms.RowTensor(ms.Tensor([0]), ms.Tensor([[1.0, 2.0]]), (3, 2))
    for prefix, x, parts in (
        ("coo", coo(), ("indices", "values")),
        ("csr", csr(), ("indptr", "indices", "values")),
        ("row", row, ("indices", "values")),
    ):
        for part in parts:
            assert getattr(ops, f"{prefix}_tensor_get_{part}")(x) is getattr(x, part)
        assert getattr(ops, f"{prefix}_tensor_get_dense_shape")(x) == x.to_tuple()[-1]
        with pytest.raises(TypeError, match=f"{prefix}_tensor_get_values"):
            getattr(ops, f"{prefix}_tensor_get_values")(3)
    with pytest.raises(NotImplementedError, match="make_map_parameter"):
        ops.make_map_parameter()
