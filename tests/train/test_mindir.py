"""Networks that MindSpore 2.10 exported: files in ``data``, with inputs and outputs of its own."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import agar as ms
from agar import nn
from agar.train._export import GraphFileError
from agar.train._mindir_proto import model_class

DATA = pathlib.Path(__file__).with_name("data")
NETWORKS = ["lenet", "transformer", "loop"]


def figures(name):
    with np.load(DATA / f"{name}.npz") as stored:
        inputs = [stored[f"in{i}"] for i in range(sum(key.startswith("in") for key in stored))]
        return inputs, stored["out0"]


def changed(tmp_path, name, change):
    """A file whose message a function has changed."""
    model = model_class()()
    model.ParseFromString((DATA / f"{name}.mindir").read_bytes())
    change(model)
    path = tmp_path / "changed.mindir"
    path.write_bytes(model.SerializeToString())
    return str(path)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("name", NETWORKS)
def test_outputs_are_those_of_mindspore(name, mode):
    ms.set_context(mode=mode)
    inputs, expected = figures(name)
    cell = nn.GraphCell(ms.load(str(DATA / f"{name}.mindir")))
    for _ in range(2):
        output = cell(*[ms.Tensor(x) for x in inputs]).asnumpy()
        assert output.dtype == expected.dtype
        np.testing.assert_allclose(output, expected, rtol=1e-6, atol=1e-6 * abs(expected).max())


def test_parameters_are_the_cells_own():
    graph = ms.load(str(DATA / "lenet.mindir"))
    names = ["c1.weight", "c1.bias", "c2.weight", "f1.weight", "f1.bias", "f2.weight", "f2.bias"]
    first = nn.GraphCell(graph, {"f2.bias": ms.Tensor(np.full(4, 2, np.float32))})
    second = nn.GraphCell(graph)
    assert [p.name for p in first.trainable_params()] == names
    x = ms.Tensor(figures("lenet")[0][0])
    difference = first(x) - second(x)
    bias = second.parameters_dict()["f2.bias"]
    assert np.allclose(difference.asnumpy(), (2 - bias).asnumpy(), atol=1e-5)
    assert np.array_equal(graph(x).asnumpy(), second(x).asnumpy())
    assert repr(graph) == "FuncGraph(1 inputs, 7 parameters, 13 operators of MindSpore)"


def test_gradients_reach_the_parameters():
    cell = nn.GraphCell(ms.load(str(DATA / "loop.mindir")))
    x = ms.Tensor(np.array([1.0, 2.0, 3.0], np.float32))
    # x * 8 + 7 w, as the sum is large
    grads = ms.grad(lambda x: cell(x).sum(), 0, cell.trainable_params())(x)
    assert np.array_equal(grads[0].asnumpy(), [8, 8, 8])
    assert np.array_equal(grads[1][0].asnumpy(), [7, 7, 7])


def test_a_loop_may_run_long(tmp_path):
    def longer(model):
        for graph in model.functions:
            for node in graph.node:
                if node.op_type == "Constant" and node.output[0] == "CNode_375":
                    node.attribute[0].i = 5000

    cell = nn.GraphCell(ms.load(changed(tmp_path, "loop", longer)))
    x = ms.Tensor(np.zeros(3, np.float32))
    assert np.isinf(cell(x).asnumpy()).all()


def test_inputs_that_do_not_fit():
    cell = nn.GraphCell(ms.load(str(DATA / "lenet.mindir")))
    x = figures("lenet")[0][0]
    for bad in (x[:, :, :-1], x.astype(np.float64), x[0]):
        with pytest.raises(RuntimeError, match="input 0 must be a Tensor of Float32"):
            cell(ms.Tensor(bad))
    with pytest.raises(RuntimeError, match="takes 1 inputs"):
        cell(ms.Tensor(x), ms.Tensor(x))


def _attribute(model, kind, name):
    primitive = next(p for p in model.primitives if p.op_type == kind)
    return next(a for a in primitive.attribute if a.name == name)


def _unknown_primitive(model):
    next(p for p in model.primitives if p.op_type == "ReLU").op_type = "Nonsense"


def _unknown_attribute(model):
    _attribute(model, "Conv2D", "pad_list").name = "twist"


def _missing_attribute(model):
    _attribute(model, "Conv2D", "out_channel").name = "input_names"


def _short_parameter(model):
    model.graph.parameter[0].raw_data = b"\0" * 7


def _negative_shape(model):
    model.graph.parameter[0].dims[0] = -2


def _unknown_type(model):
    model.graph.parameter[0].data_type = 99


def _external(model):
    model.graph.parameter[0].external_data.location = "../data"


def _big_endian(model):
    model.little_endian = False


def _few_inputs(model):
    del next(n for n in model.graph.node if "BiasAdd" in n.op_type).input[:]


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (_unknown_primitive, "Primitive 'Nonsense'"),
        (_unknown_attribute, "'twist'"),
        (_missing_attribute, "lacks the attribute 'out_channel'"),
        (_short_parameter, "should have 72 bytes, but has 7"),
        (_negative_shape, "of shape"),
        (_unknown_type, "type 99"),
        (_external, "another file"),
        (_big_endian, "high byte"),
        (_few_inputs, "has 0 inputs"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, change, match):
    with pytest.raises(GraphFileError, match=match):
        ms.load(changed(tmp_path, "lenet", change))
