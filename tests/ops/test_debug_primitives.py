"""Summaries, dumps, assertions and the names of MindSpore's graph compiler."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import ops
from agar.ops.python import summary


@pytest.fixture
def graph_mode():
    ms.set_context(mode=ms.GRAPH_MODE)
    yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


class Summed(ms.nn.Cell):
    def __init__(self, primitive):
        super().__init__()
        self.summary = primitive

    def construct(self, x, y):
        x = x + y
        self.summary("sum", x)
        return x * 2


def test_summaries_wait_for_a_writer():
    summary.take()
    ops.ScalarSummary()("loss", ms.Tensor(3.0))
    ops.ImageSummary()("image", ops.ones((1, 3, 2, 2)))
    first, second = summary.take()
    assert (first.kind, first.name, first.value.item()) == ("ScalarSummary", "loss", 3.0)
    assert (second.kind, second.name) == ("ImageSummary", "image")
    assert summary.take() == []


def test_summaries_keep_the_value_of_the_time():
    x = ms.Parameter(ms.Tensor([1.0]), name="x")
    summary.take()
    ops.TensorSummary()("x", x)
    ops.assign(x, ms.Tensor([2.0]))
    assert summary.take()[0].value.tolist() == [1.0]


def test_summaries_in_graph_mode(graph_mode):
    net = Summed(ops.HistogramSummary())
    summary.take()
    for k in range(3):
        result = net(ms.Tensor([1.0, k]), ms.Tensor([1.0, 1.0]))
        assert result.tolist() == [4.0, 2.0 * (k + 1)]
    assert [one.value.tolist() for one in summary.take()] == [[2.0, 1.0], [2.0, 2.0], [2.0, 3.0]]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: ops.ScalarSummary()(3, ms.Tensor(1.0)), TypeError, "name"),
        (lambda: ops.ScalarSummary()("", ms.Tensor(1.0)), ValueError, "valid string"),
        (lambda: ops.ScalarSummary()("x", 1.0), TypeError, "value"),
        (lambda: ops.ScalarSummary()("x", ops.ones((2, 2))), ValueError, "0 to 1"),
        (lambda: ops.TensorSummary()("x", ms.Tensor(1.0)), ValueError, "at least 1"),
        (lambda: ops.TensorDump("all"), ValueError, "input_output"),
        (lambda: ops.TensorDump()("", ms.Tensor(1.0)), ValueError, "empty"),
        (lambda: ops.TensorDump()("x", 1.0), TypeError, "input_x"),
        (lambda: ops.Assert()(1, []), TypeError, "condition"),
        (lambda: ops.Assert()(ms.Tensor([True, True]), []), ValueError, "one element"),
        (lambda: ops.DtypeToEnum()("zeros", "dtype", 3), TypeError, "zeros"),
        (lambda: ops.PyExecute()("a", ("a",), ()), ValueError, "PyExecute"),
        (lambda: ops.Morph(3, None, None), TypeError, "Morph"),
        (lambda: ops.GetNext([], [], 0, "q"), NotImplementedError, "create_tuple_iterator"),
        (lambda: ops.GeSwitch()(ms.Tensor(1.0), ms.Tensor(True)), NotImplementedError, "where"),
        (lambda: ops.Merge()((ms.Tensor(1.0),)), NotImplementedError, "where"),
    ],
)
def test_errors(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_dumps(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dump = ops.TensorDump()
    dump("add", ms.Tensor([1.0, 2.0]))
    dump("part/div.npy", ms.Tensor([1.5], ms.bfloat16))
    (first,) = tmp_path.glob("add_float32_*.npy")
    (second,) = tmp_path.glob("part/div_bfloat16_*.npy")
    assert np.load(first).tolist() == [1.0, 2.0]
    assert np.load(second).dtype == np.float32


def test_dumps_of_gradients(tmp_path, graph_mode):
    dump = ops.DumpGradient()

    def scaled(x, y):
        return dump(str(tmp_path / "dx"), x, "out") * y

    by_x, by_y = ms.grad(scaled, grad_position=(0, 1))(ms.Tensor(1.0), ms.Tensor(2.0))
    assert (float(by_x), float(by_y)) == (2.0, 1.0)
    (file,) = tmp_path.glob("dx_float32_*.npy")
    assert np.load(file) == 2.0


def test_assert(capsys):
    assert ops.Assert()(True, [ms.Tensor([1])]).shape == (1,)
    data = [ms.Tensor([-1, 0, 1, 2, 3]), ms.Tensor([1.0, 2.0, 3.5, 4.0])]
    with pytest.raises(RuntimeError, match="assert failed"):
        ops.Assert(3)(ms.Tensor(False), data)
    shown = capsys.readouterr().out.splitlines()
    assert shown == [
        "For 'Assert' condition is false.",
        "input data: [-1 0 1]",
        "input data: [1 2 3.5]",
    ]


def test_morph(graph_mode):
    plain = ops.Morph(lambda x: x * x, lambda s: s, lambda d: d)
    own = ops.Morph(
        lambda x: x * x, lambda s: s, lambda d: d, bprop_fn=lambda x, out, dout: (dout * 10,)
    )
    x = ms.Tensor([3.0])
    assert float(ms.grad(plain)(x)) == 6.0
    assert float(ms.grad(own)(x)) == 10.0
    assert float(own(x)) == 9.0


def test_small_ones():
    numbers = [ops.DtypeToEnum()("x", "y", d) for d in (ms.bool_, ms.int32, ms.bfloat16)]
    assert numbers == [30, 34, 45]
    assert ops.Reusing()(len) is len
    assert ops.UpdateState()(3, 4) == 3
    flag = ops.NPUAllocFloatStatus()()
    assert flag.shape == (8,)
    assert float(ops.NPUGetFloatStatus()(ops.NPUClearFloatStatus()(flag + 1)).sum()) == 0


def test_views_and_writes():
    x = ms.Tensor([[1, 2, 3], [4, 5, 6]])
    assert ops.SelectView()(x, 1, 0).tolist() == [4, 5, 6]
    ops.CopyWithSlice()(ops.SelectView()(x, 0, 1), ms.Tensor([7, 8]))
    assert x.tolist() == [[7, 2, 3], [8, 5, 6]]
    assert ops.TransposeView()(x, (1, 0)).shape == (3, 2)
    assert ops.TransposeExtView()(x, 0, -1).shape == (3, 2)
    p = ms.Parameter(ms.Tensor([1.0, 2, 3, 4, 5, 6, 7, 8]), name="p")
    ops.ScatterNonAliasingAdd()(p, ms.Tensor([[2], [4], [1], [7]]), ms.Tensor([6.0, 7, 8, 9]))
    assert p.asnumpy().tolist() == [1, 10, 9, 4, 12, 6, 7, 17]
