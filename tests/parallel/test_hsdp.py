"""Networks of which each process keeps a part are trained as one process trains them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import agar as ms
from agar import nn, ops
from agar.parallel.auto_parallel import AutoParallel
from communication import several

PROGRAM = str(Path(__file__).parent / "hsdp.py")
#: What the programs would each import.
MODULES = ("torch._dynamo", "torch.distributed.tensor")
WAYS = ("step", "loss", "cell", "model")
SIZES = {"two": 2, "four": 4}


def run(tmp_path_factory, size):
    os.environ["AGAR_CHECKPOINTS"] = str(tmp_path_factory.mktemp("checkpoints"))
    try:
        where = tmp_path_factory.mktemp("run")
        return several.run(PROGRAM, size, where, timeout=400, preload=MODULES)
    finally:
        del os.environ["AGAR_CHECKPOINTS"]


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return run(tmp_path_factory, 2)


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    return run(tmp_path_factory, 4)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("level", [0, 1, 2, 3])
@pytest.mark.parametrize("way", WAYS)
def test_processes_are_one(request, size, way, level):
    """Losses, gradients, parameters and states, to 1e-6, and the same bits in all processes."""
    every = request.getfixturevalue(size)
    share = 1 / SIZES[size]
    for found in every:
        result = found[f"{way} {level}"]
        assert result["difference"] <= 1e-6
        assert result["bits"] == every[0][f"{way} {level}"]["bits"]
        held = result["held"]
        assert held["states"] == (share if level else 1.0)
        assert held["parameters"] == (share if level == 3 else 1.0)
        if way in ("step", "loss"):
            assert held["gradients"] == (share if level > 1 else 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_other_optimizers_and_recomputed_layers(request, size):
    for found in request.getfixturevalue(size):
        assert set(found["momentum"]) == {"1", "2", "3"}
        assert max(found["momentum"].values()) <= 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("level", ["1", "2", "3"])
def test_the_parallel_optimizer_of_the_context(request, size, level):
    share = 1 / SIZES[size]
    for found in request.getfixturevalue(size):
        difference, held = found["context"][level]
        assert difference <= 1e-6
        assert held["states"] == share
        assert held["parameters"] == (share if level == "3" else 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["1", "2", "3"])
def test_with_layouts_of_operators(four, level):
    """Two by two processes; a bias that is split already cannot be cut again."""
    for found in four:
        difference, held, weight = found["split"][level]
        assert difference <= 1e-6
        assert held["states"] <= 1.1 / 4
        assert held["gradients"] <= (1.1 / 4 if level != "1" else 1.0)
        assert held["parameters"] <= (1.1 / 4 if level == "3" else 1.0)
        assert weight == (0.25 if level == "3" else 0.5)


@pytest.mark.slow
def test_fewer_parts_than_processes(four):
    for found in four:
        for level, (difference, held) in found["groups"].items():
            assert difference <= 1e-6
            assert held["states"] == 0.5
            assert held["parameters"] == (0.5 if level == "3" else 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_what_is_sent(request, size):
    """Whole gradients are added up, or each process gets its part of the sums."""
    for found in request.getfixturevalue(size):
        for level, kinds in found["sent"].items():
            assert ("reduce-scatter" in kinds) == (int(level) > 1)
            assert ("all-reduce" in kinds) == (int(level) < 2)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_no_process_has_the_whole_before_the_first_call(request, size):
    for found in request.getfixturevalue(size):
        weights = {"0.weight", "2.weight"}
        for name, share in found["parking"]["before"].items():
            assert share == (1 / SIZES[size] if name in weights else 1.0)
        assert set(found["parking"]["after"].values()) == {1.0}


@pytest.mark.slow
def test_checkpoints(two):
    for found in two:
        assert found["saved"] == found["loaded"] == 0.0
        assert found["tied"]


REFUSED = {
    "assigns": "the change would be lost",
    "sets": "the change would be lost",
    "divides": "the 2 processes cannot be divided into groups of 3",
    "level": "but got 'level4'",
    "strategies": "Use 'semi_auto'",
    "lamb": "Lamb with parameters on several processes is not available",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_raises(two, name):
    for found in two:
        assert REFUSED[name] in found["refusals"][name]


def test_one_process_cuts_nothing():
    net = AutoParallel(nn.ReLU(), "data_parallel")
    net.hsdp(-1, 0, "level3")
    assert net(ms.Tensor([-1.0, 1.0])).tolist() == [0.0, 1.0]


def test_data_parallel_has_no_strategies():
    with pytest.raises(ValueError, match="Use 'semi_auto'"):
        AutoParallel(nn.ReLU().shard(((2, 1),)), "data_parallel")
    relu = ops.ReLU().shard(((2, 1),))
    with pytest.raises(ValueError, match="the strategy of 'ReLU'"):
        AutoParallel(lambda x: relu(x), "data_parallel")
