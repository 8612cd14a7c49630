"""Networks whose tensors lie on several processes compute what one process computes."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import agar as ms
from agar import nn, ops
from agar.parallel import Layout
from communication import several

PROGRAM = str(Path(__file__).parent / "split.py")
#: What the programs would each import.
MODULES = ("torch._dynamo", "torch.distributed.tensor")
TENSOR_PARALLEL = 2
RUNS = [
    *(f"pynative {case}" for case in ("mlp", "attention", "fused", "sequence", "vocabulary")),
    *("pynative experts", "pynative layers", "graph mlp", "graph layers", "sgd mlp", "adam mlp"),
    *(f"data_parallel {case}" for case in ("mlp", "vocabulary", "layers")),
]
#: Parameters that every process has whole; all others are split among those of tensor parallel.
WHOLE = {"b2", "gate", "norm.gamma", "norm.beta", "down.bias", "global_step"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where checkpoints are exchanged."""
    return tmp_path_factory.mktemp("checkpoints")


def run(tmp_path_factory, folder, size, *arguments):
    os.environ["AGAR_CHECKPOINTS"] = str(folder)
    try:
        where = tmp_path_factory.mktemp("run")
        return several.run(PROGRAM, size, where, *arguments, timeout=500, preload=MODULES)
    finally:
        del os.environ["AGAR_CHECKPOINTS"]


@pytest.fixture(scope="module")
def four(tmp_path_factory, folder):
    return run(tmp_path_factory, folder, 4)


@pytest.fixture(scope="module")
def two(tmp_path_factory, folder, four):
    """After `four`, whose checkpoint they load."""
    return run(tmp_path_factory, folder, 2)


@pytest.fixture(scope="module")
def one(tmp_path_factory, folder, four):
    return run(tmp_path_factory, folder, 1, "checkpoints")


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("size", ["two", "four"])
def test_processes_are_one(request, size, run):
    """Loss, output, gradients, and parameters after five steps, to 1e-6; parameters are split."""
    for found in request.getfixturevalue(size):
        assert found[run]["difference"] <= 1e-6
        for name, share in found[run]["kept"].items():
            own = name.split(".", 1)[-1] if name.startswith(STATES) else name
            assert share == (1.0 if own in WHOLE else 1 / TENSOR_PARALLEL), name


STATES = ("moments.", "moment1.", "moment2.", "accum.", "stat.")


@pytest.mark.slow
@pytest.mark.parametrize("size", ["two", "four"])
def test_reading_and_writing(request, size):
    found = request.getfixturevalue(size)
    for entry in found:
        assert entry["reading"]["part"] == [8 // len(found), 4]
        assert entry["reading"]["shape"] == [8, 4]
        assert all(entry["reading"]["equal"])
        assert entry["writing"]


@pytest.mark.slow
@pytest.mark.parametrize("size", ["two", "four"])
def test_layouts_and_collectives_are_explained(request, size):
    for found in request.getfixturevalue(size):
        seen = found["explained"]
        assert seen["before"] is None
        assert seen["parts"] == {"w1": [1, 2], "b1": [2], "w2": [2, 1], "b2": [1]}
        assert seen["bytes"] == [632, 1240]
        assert seen["same"]
        rows = 8 if len(request.getfixturevalue(size)) == 2 else 4
        assert ["all-reduce", "MatMul", 2, rows * 6 * 4] in seen["kinds"]
        assert "632 of 1,240 bytes in this process" in seen["text"]


@pytest.mark.slow
@pytest.mark.parametrize("size", ["two", "four"])
def test_a_plan_is_what_processes_have_and_send(request, size):
    """Memory, and bytes of all-reduces, of data parallel times tensor parallel."""
    for found in request.getfixturevalue(size):
        for measured, planned in found["planned"].values():
            assert measured == pytest.approx(planned, rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("size", ["two", "four"])
def test_modes_of_the_context_and_model(request, size):
    for found in request.getfixturevalue(size):
        assert len(found["by_context"]) == 8
        for way, (difference, share) in found["by_context"].items():
            assert difference <= 1e-6, way
            assert share == 1 / TENSOR_PARALLEL, way


@pytest.mark.slow
def test_checkpoints_go_from_four_to_two_and_to_one(four, two, one):
    """Bit for bit, states of the optimizer too; and training goes on the same."""
    saved = four[0]["checkpoints"]
    assert saved["values"]["moment1.up.weight"] != saved["after"]["moment1.up.weight"]
    for found in (*four, *two, *one):
        assert found["checkpoints"]["values"] == saved["values"]
        for name, value in found["checkpoints"]["after"].items():
            np.testing.assert_allclose(value, saved["after"][name], rtol=0, atol=1e-6)


@pytest.mark.slow
def test_checkpoints_in_parts(four):
    for found in four:
        shapes = found["checkpoints"]["parts"]
        assert shapes["embedding.embedding_table"] == [6, 8]
        assert shapes["up.weight"] == [8, 8]
        assert shapes["down.weight"] == [6, 8]
        assert shapes["down.bias"] == [6]


@pytest.mark.slow
def test_order_of_names_and_ranks(four):
    """The first of several names is the major one, as in MindSpore."""
    orders = [found["orders"] for found in four]
    assert [o["dp tp"] for o in orders] == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert [o["tp dp"] for o in orders] == [[0, 1], [4, 5], [2, 3], [6, 7]]
    assert [o["reversed"] for o in orders] == [[6, 7], [4, 5], [2, 3], [0, 1]]


@pytest.mark.slow
@pytest.mark.parametrize("size", ["two", "four"])
def test_functions_and_sums_that_are_spread(request, size):
    for found in request.getfixturevalue(size):
        assert found["functions"] <= 1e-6
        for name, difference in found["partial"].items():
            assert difference <= 1e-6, name


REFUSED = {
    "uneven": "size 9 is not a multiple of",
    "processes": "is a strategy for 3 processes (3), but there are",
    "shared": "cuts the dimension that the two factors share into 1 and",
    "count": "has 1 entries, but there are 2 tensors",
    "dimensions": "has 3 entries, but the tensor has the shape (8, 4)",
    "grid": "Make a Layout whose device_matrix has the product",
    "mixed": "others are plain tensors of this process",
    "write": "would write into a copy",
    "parameters": "begin with different values of 'other'",
    "rows": "input 0 differs",
    "lengths": "do not call the same collective on tensors of the same type and shape",
    "plan": "names 'wait', but the parameters are ['weight', 'bias']",
    "interleaved": "'interleaved_parallel' of a Layout is not available",
    "recursive": "no plan is searched for",
    "pipeline": "The pipeline scheduler 'seqpipe' is not available",
    "lamb": "Lamb with parameters on several processes is not available",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused(two, name):
    for found in two:
        assert REFUSED[name] in found["refusals"][name]


@pytest.mark.slow
def test_records_of_plain_tensors_are_not_replayed(two):
    """A parameter in parts beside a plain input raises, as it does without a record."""
    for found in two:
        assert "others are plain tensors of this process" in found["records"]["after"]
        assert found["records"]["twice"]


def test_one_process_cuts_nothing():
    x = ms.Tensor([[1.0, 2.0]])
    assert ops.reshard(x, Layout((2,), ("tp",))("tp", "None")) is x
    matmul = ops.MatMul().shard(((1, 2), (2, 1)), ((1, 1),))
    assert matmul(x, x.T).tolist() == [[5.0]]
    relu = nn.ReLU().shard(((2, 1),))
    assert relu(x).tolist() == [[1.0, 2.0]]
    assert ms.shard(lambda t: t + 1, ((4, 1),))(x).tolist() == [[2.0, 3.0]]


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda: ops.ReLU().shard([(1, 1)]), TypeError, "must be a tuple"),
        (lambda: ops.ReLU().shard(((1, 1.5),)), TypeError, "entry 0 of 'in_strategy'"),
        (lambda: ops.ReLU().shard(((0, 1),)), ValueError, "must be positive"),
        (lambda: ops.ReLU().shard(None, ((1,),)), ValueError, "there is no 'in_strategy'"),
        (lambda: nn.ReLU().shard(3), TypeError, "the cell 'ReLU'"),
        (lambda: ms.shard(lambda x: x, ((1,),), None, {"w": (1,)}), TypeError, "names parameters"),
        (lambda: ms.shard(lambda x: x, ((1,),), 3), TypeError, "'out_strategy'"),
    ],
)
def test_what_is_not_a_strategy_is_refused(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


def test_a_sharded_object_is_copied_and_printed():
    import copy

    dense = nn.Dense(2, 3).shard(((1, 1),))
    twin = copy.deepcopy(dense)
    assert type(twin).__name__ == "Dense"
    assert repr(twin) == repr(dense)
    x = ms.Tensor([[1.0, 2.0]])
    assert twin(x).tolist() == dense(x).tolist()
    primitive = copy.deepcopy(ops.ReLU().shard(((1, 1),)))
    assert repr(primitive) == "Prim[ReLU]"
    assert primitive(x).tolist() == x.tolist()
