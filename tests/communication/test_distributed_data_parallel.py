"""DistributedDataParallel: its processes are one process with all rows, in every way to train."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import agar as ms
from agar import nn
from agar.parallel.distributed import DistributedDataParallel
from communication import several

run = partial(
    several.run,
    "distributed_data_parallel.py",
    preload=("torch.fx.experimental.symbolic_shapes",),
)
OPTIONS = ("defaults", "after", "static", "unused", "small buckets", "group")
SAME = [
    *[f"{mode} {name}" for mode in ("pynative", "graph") for name in OPTIONS],
    *["accumulated", "recomputed", "jit", "operation", "penalty", "accumulation", "one"],
    "jit around",
    "two networks",
]


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    return run(1, tmp_path_factory.mktemp("one"))[0]


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return run(2, tmp_path_factory.mktemp("two"))


def flat(value):
    if isinstance(value, dict):
        return [number for key in sorted(value) for number in flat(value[key])]
    if isinstance(value, list):
        return [number for part in value for number in flat(part)]
    return [float(value)]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SAME, "half"])
def test_two_processes_are_one(one, two, name):
    assert two[0][name] == two[1][name]  # bit for bit: JSON keeps every digit
    limit = 1e-3 if name == "half" else 2e-6
    np.testing.assert_allclose(flat(two[0][name]), flat(one[name]), rtol=0, atol=limit)


@pytest.mark.slow
def test_training_moved_the_parameters(one):
    assert max(map(abs, one["pynative defaults"]["second.bias"])) > 0.01
    for name in OPTIONS:
        np.testing.assert_allclose(
            flat(one[f"graph {name}"]), flat(one["pynative defaults"]), atol=1e-6
        )


@pytest.mark.slow
def test_gradients_accumulate_until_they_are_forgotten(one, two):
    first, second, whole, again = (np.array(flat(g)) for g in two[0]["accumulation"])
    np.testing.assert_allclose(second, first + again, atol=1e-6)
    # in no_sync they are those of the process, and go into what is sent next
    local = [np.array(flat(item["local"])) for item in two]
    assert np.abs(local[0] - local[1]).max() > 0.01
    own = [np.array(flat(item["no_sync inside"][0])) for item in two]
    np.testing.assert_allclose((own[0] + own[1]) / 2, first, atol=1e-6)
    assert two[0]["no_sync inside"][1] is True
    fourth = np.array(flat(one["accumulation"][2])) - np.array(flat(one["local"]))
    np.testing.assert_allclose(whole, (local[0] + local[1]) / 2 + fourth, atol=2e-6)


@pytest.mark.slow
def test_the_parameters_of_process_0_are_those_of_all(two):
    assert two[0]["sent"] == two[1]["sent"] == two[0]["made equal"] == two[1]["made equal"]
    for item in two:
        assert item["different"].startswith("RuntimeError: For 'DistributedDataParallel', the pro")
        assert "'first.weight'" in item["different"]
        assert "Leave init_sync=True, or set_seed" in item["different"]


@pytest.mark.slow
def test_what_a_process_does_not_use_counts_as_zero(two):
    for name in ("partly", "constant", "nothing", "rows"):
        assert two[0][name] == two[1][name]
    first, second = (np.array(flat(two[0][n])) for n in ("constant", "nothing"))
    np.testing.assert_allclose(first, second)
    whole = np.array(flat(two[0]["accumulation"][0]))
    assert np.abs(first - whole).max() > 0.01  # half of it is missing


@pytest.mark.slow
def test_a_failure_of_one_process_raises_in_all_and_they_go_on(two):
    assert "step failed in another process" in two[0]["failed"]
    assert two[1]["failed"] == "ValueError: this process fails"
    assert two[0]["afterwards"] == two[1]["afterwards"] == two[0]["accumulation"][0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("differentiated again", "RuntimeError: For 'DistributedDataParallel', gradients by its"),
        ("vmap", "NotImplementedError: For 'DistributedDataParallel', gradients inside of vmap"),
        ("twice", "RuntimeError: The gradients of 'DistributedDataParallel' would be reduced twi"),
        ("thawed", "RuntimeError: For 'DistributedDataParallel', 'scale' became trainable"),
        ("no group", "ValueError: There is no group 'nobody'"),
    ],
)
def test_what_would_be_wrong_raises(two, name, error):
    for item in two:
        assert item[name].startswith(error)


def test_arguments():
    net = nn.Dense(2, 1)
    wrong = [
        ({"module": 3}, TypeError, "'module' must be a Cell, but got"),
        ({"process_group": 3}, TypeError, "'process_group' must be the name of a group"),
        ({"bucket_cap_mb": 0}, ValueError, "'bucket_cap_mb'"),
        ({"bucket_cap_mb": "1"}, TypeError, "'bucket_cap_mb'"),
        ({"static_graph": 1}, TypeError, "'static_graph'"),
        ({"average_in_collective": None}, TypeError, "'average_in_collective'"),
        ({"reducer_mode": "Reducer"}, ValueError, "'reducer_mode'"),
    ]
    for options, kind, text in wrong:
        with pytest.raises(kind, match=text):
            DistributedDataParallel(**{"module": net, **options})
    net.weight.layerwise_parallel = True
    with pytest.raises(ValueError, match="'weight' belongs to one process"):
        DistributedDataParallel(net)
    ms.set_auto_parallel_context(pipeline_stages=2)
    with pytest.raises(ValueError, match="2 pipeline stages"):
        DistributedDataParallel(nn.Dense(2, 1))


def test_parameters_keep_their_names_and_gradients_accumulate_in_one_process():
    net = DistributedDataParallel(nn.Dense(2, 1, weight_init="ones"), bucket_cap_mb=2)
    assert [p.name for p in net.trainable_params()] == ["weight", "bias"]
    assert net.bucket_bytes_cap == 2 << 20
    step = ms.vjp(lambda x: net(x).sum(), ms.Tensor([[1.0, 2.0]]), weights=net.module.weight)[1]
    assert step(ms.Tensor(1.0))[1].asnumpy().tolist() == [[1.0, 2.0]]
    assert step(ms.Tensor(2.0))[1].asnumpy().tolist() == [[3.0, 6.0]]
    net.zero_grad()
    assert step(ms.Tensor(1.0))[1].asnumpy().tolist() == [[1.0, 2.0]]
