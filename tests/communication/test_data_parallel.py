"""Data parallel: processes that train with parts of a batch are one process with the whole."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from agar._core.distributed.gradient_buckets import _Bucket
from communication import several

MODES = ("pynative", "graph")
NETS = ("cnn", "transformer")
#: The program computes each way in float32, and the first and the last in float64 as well.
KINDS = [
    (way, dtype)
    for way in ("one_step_cell", "loss_scale_cell", "model", "functional")
    for dtype in ("float32", "float64")
    if dtype == "float32" or way in ("one_step_cell", "functional")
]


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    return several.run("data_parallel.py", 1, tmp_path_factory.mktemp("one"))[0]


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return several.run("data_parallel.py", 2, tmp_path_factory.mktemp("two"))


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    return several.run("data_parallel.py", 4, tmp_path_factory.mktemp("four"), timeout=240)


def compare(whole, parts, key, dtype):
    for other in parts[1:]:
        assert other[key] == parts[0][key]  # bit for bit: JSON keeps every digit
    names = zip(whole[key].items(), parts[0][key].items(), strict=True)
    for (name, expected), (_, result) in names:
        limit = 1e-6 if dtype == "float32" else 1e-12
        np.testing.assert_allclose(result, expected, rtol=0, atol=limit, err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("net", NETS)
@pytest.mark.parametrize(("way", "dtype"), KINDS)
def test_two_processes_are_one(one, two, mode, net, way, dtype):
    """Equal in both, and one process with the whole batch; statistics of SyncBatchNorm as well."""
    compare(one, two, f"{mode} {net} {way} {dtype}", dtype)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("net", NETS)
@pytest.mark.parametrize(("way", "dtype"), KINDS)
def test_four_processes_are_one(one, four, mode, net, way, dtype):
    compare(one, four, f"{mode} {net} {way} {dtype}", dtype)


@pytest.mark.slow
def test_training_moved_the_parameters(one):
    """The comparisons above compare something."""
    first, *others = (one[f"{mode} cnn {way} float32"] for mode in MODES for way, _ in KINDS[::2])
    assert max(map(abs, first["5.bias"])) > 0.01  # zeros at the start
    for other in others:
        np.testing.assert_allclose(other["5.bias"], first["5.bias"], atol=1e-6)


#: Weight and bias after one step in two processes; figures of MindSpore 2.10 under msrun.
MINDSPORE = {"mean False": ([-2.0, -0.9], [-1.4]), "mean True": ([-0.5, 0.55], [-0.7])}


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("mean", MINDSPORE)
def test_gradients_mean_is_honoured(two, mode, mean):
    weight, bias = MINDSPORE[mean]
    for item in two:
        np.testing.assert_allclose(item[f"{mode} {mean}"]["weight"], weight, atol=1e-6)
        np.testing.assert_allclose(item[f"{mode} {mean}"]["bias"], bias, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_parameters_are_broadcast(two, mode):
    """The weights of process 0 count, as in MindSpore's GRAPH_MODE."""
    assert two[1][f"{mode} broadcast"] == two[0][f"{mode} mean True"]
    assert two[0][f"{mode} broadcast"] == two[0][f"{mode} mean True"]


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_different_parameters_at_the_start_raise(two, mode):
    for item in two:
        text = item[f"{mode} different"]
        assert text.startswith("RuntimeError: For 'DistributedGradReducer'")
        assert "different values of 'weight'" in text
        assert "parameter_broadcast=True" in text


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_an_overflow_in_one_process_skips_the_step_in_all(two, mode):
    first, skipped, last = two[0][f"{mode} overflow"]
    assert two[1][f"{mode} overflow"] == two[0][f"{mode} overflow"]
    assert (first[:2], skipped[:2], last[:2]) == ([False, 64.0], [True, 64.0], [False, 32.0])
    assert skipped[2] == first[2]
    assert last[2] != first[2]


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_parameters_of_one_process(two, mode):
    """Their gradients stay where they are, and an overflow of one skips the step in all."""
    for rank, item in enumerate(two):
        overflowed, before, after = item[f"{mode} own"]
        assert overflowed
        assert before == {"shared": [1.0], "own": [1.0 + rank]}
        assert after == {"shared": [0.5], "own": [1.0 + rank - 0.5 * (1.0 + rank)]}


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_a_training_cell_that_reduces_nothing_raises(two, mode):
    for item in two:
        assert "was made in the mode 'stand_alone'" in item[f"{mode} late"]


@pytest.mark.slow
def test_statistics_of_batch_norm_are_local(two):
    """As in MindSpore; what is trained is the same all the same."""
    first, second = (item["local statistics"] for item in two)
    for name in first:
        assert (first[name] == second[name]) is not name.startswith("1.moving"), name


@pytest.mark.slow
def test_the_reducer_and_kinds_of_gradients(two):
    for rank, item in enumerate(two):
        for key in ("mean of the context", "group"):
            full, half, double, own, empty = item[key]
            assert full == ["Float32", [2], [1.5, 1.5]]
            assert half == ["Float16", [2], [60000.0, 60000.0]]  # the sum is not a float16
            np.testing.assert_allclose(double[2], 1.5e-9, rtol=1e-15)
            assert own == ["Float32", [], [float(rank)]]
            assert empty == ["Float32", [0, 3], []]
        full, half, double, own, _ = item["sum"]
        assert full[2] == [3.0, 3.0]
        assert half[2] == [math.inf, math.inf]
        assert own[2] == [float(rank)]
        full, half, double, own, _ = item["degree"]
        np.testing.assert_allclose(full[2], 0.3, rtol=1e-6)
        assert half[2] == [12000.0, 12000.0]
        np.testing.assert_allclose(double[2], 3e-10, rtol=1e-15)
        assert own[2] == [float(rank)]


@pytest.mark.slow
def test_gradients_that_cannot_be_reduced_raise(two):
    for item in two:
        few, sparse = item["wrong gradients"]
        assert few.startswith("ValueError: For 'DistributedGradReducer', there must be one")
        assert sparse.startswith("TypeError: For 'DistributedGradReducer', the gradient number 0")
        text = item["uneven gradients"]
        assert text.startswith("ValueError")
        assert "process 0" in text
        assert "(3,)" in text
        assert "process 1" in text
        assert "(2,)" in text


@pytest.mark.slow
def test_frozen_parameters_and_those_of_one_branch(two):
    """A process that does not use a parameter adds zero."""
    for item in two:
        assert item["partly"] == {"used": [-0.5], "first": [0.5], "frozen": [1.0]}


@pytest.mark.slow
def test_accumulated_gradients_are_reduced(two):
    """Two halves: twice the mean of the rows, as in one process."""
    for item in two:
        assert item["accumulated"] == two[0]["pynative mean False"]


@pytest.mark.slow
def test_model_wants_a_parallel_mode(two):
    for item in two:
        for owner, text in zip(("Model.train", "Model.eval"), item["alone"], strict=True):
            assert text.startswith(f"ValueError: For '{owner}', there are 2 processes")


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_uneven_batches_raise_in_all_processes(two, mode):
    """A mean of means would be that of other weights; a sum of sums is right."""
    for item in two:
        text = item[f"{mode} rows"]
        assert text.startswith("ValueError: The processes train with different numbers of rows")
        assert "process 0: 2; process 1: 1" in text
        assert "drop_remainder=True" in text
        assert item[f"{mode} rows of a sum"] == "nothing was raised"
        text = item[f"{mode} sizes"]
        assert text.startswith(
            "ValueError: For 'Model.train', the processes have different numbers"
        )
        assert "process 0: 3; process 1: 2" in text
    afterwards = [item[f"{mode} rows afterwards"] for item in two]
    assert afterwards[0] == afterwards[1]


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_fewer_steps_in_one_process_raise_in_all(two, mode):
    """Of datasets that do not know their size; nobody waits for the step that never comes."""
    for item in two:
        text = item[f"{mode} steps"]
        assert text.startswith("ValueError: The processes of the group")
        assert "process 0: all_reduce of gradients" in text
        assert "process 1: end of an epoch of training" in text
        assert "give every process the same number of batches" in text


@pytest.mark.slow
def test_shards_of_a_dataset(two):
    """Each process has its rows, all of them as many."""
    assert [item["shards"] for item in two] == [[[0, 2], [4, 6]], [[1, 3], [5, 7]]]
    assert two[0]["after shards"] == two[1]["after shards"]


HOLDERS = {
    "a gradient": lambda view: view,
    "a view of it": lambda view: view.view(-1)[:1],
    "a graph": lambda view: torch.ones(3, requires_grad=True) * view,
    "a list": lambda view: [view],
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_memory_that_somebody_holds_is_not_used_again(holder):
    """Gradients are views of what is sent; without other holders the next step takes the memory."""
    bucket = _Bucket([1, 0], [torch.ones(2, 2), torch.ones(3)], 2)
    first = bucket.memory()[0]
    assert bucket.memory()[0] is first
    held = HOLDERS[holder](bucket.held_views(first)[0])
    assert bucket.memory()[0] is not first
    del held
    second = bucket.memory()[0]
    assert bucket.memory()[0] is second
    bucket.held_views(second)[1].requires_grad_()
    third = bucket.memory()[0]
    assert third is not second
    assert bucket.told(third) == (False, False)
    bucket.tell(third, True, False)
    assert bucket.told(third) == (True, False)
    bucket.renew()
    assert bucket.told(bucket.memory()[0]) == (False, False)
