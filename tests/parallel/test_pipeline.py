"""Processes that hold the stages of a network are one process with the whole of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from communication import several

PROGRAM = Path(__file__).parent / "pipelines.py"
run = partial(several.run, PROGRAM, timeout=400, preload=("torch.distributed.pipelining",))
MODES = ("pynative", "graph")
SCHEDULES = ("1f1b", "gpipe", "interleaved 1f1b", "interleaved gpipe", "zero bubble")


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    return run(1, tmp_path_factory.mktemp("one"))[0]


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return run(2, tmp_path_factory.mktemp("two"))


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    return run(4, tmp_path_factory.mktemp("four"))


def joined(parts, key, what):
    """What the stages have, by name; what several have is the same in all."""
    found = {}
    for part in parts:
        for name, values in part[key][what].items():
            assert found.setdefault(name, values) == values, name
    return found


def compare(whole, parts, key, reference, what, limit=1e-6):
    found, expected = joined(parts, key, what), whole[reference][what]
    assert found.keys() == expected.keys()
    for name, values in expected.items():
        np.testing.assert_allclose(found[name], values, rtol=0, atol=limit, err_msg=name)


def check_gradients(one, several_, mode, kind, schedule, stages):
    key, reference = f"{mode} {kind} {schedule} {stages}", f"one {kind} 1f1b"
    compare(one, several_, key, reference, "gradients")
    compare(one, several_, key, reference, "statistics")
    for part in several_:
        assert part[key]["loss"] == pytest.approx(one[reference]["loss"], abs=1e-6)
    compiled = sum(part[key]["compiled"] for part in several_)
    expected = 10 if mode == "graph" and schedule != "zero bubble" else 0
    assert compiled == expected * len(several_) // stages


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_gradients_of_two_stages(one, two, mode, schedule):
    check_gradients(one, two, mode, "residual", schedule, 2)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_gradients_of_four_stages(one, four, mode, schedule):
    check_gradients(one, four, mode, "residual", schedule, 4)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["norm", "encoder"])
def test_statistics_and_shared_parameters(one, two, four, mode, kind):
    """Statistics are those of one process; a parameter that all stages hold has one gradient."""
    check_gradients(one, two, mode, kind, "1f1b", 2)
    check_gradients(one, four, mode, kind, "1f1b", 4)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["residual", "encoder"])
def test_stages_that_are_data_parallel(one, four, mode, kind):
    """Two stages of two processes each, of which each has half of the rows."""
    check_gradients(one, four, mode, kind, "1f1b", 2)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", ["one_step_cell", "loss_scale_cell", "model"])
def test_training(one, two, four, mode, way):
    key, reference = f"{mode} {way}", f"one {way}"
    for parts in (two, four):
        compare(one, parts, key, reference, "parameters", 1e-5)
        for part in parts:
            np.testing.assert_allclose(part[key]["losses"], one[reference]["losses"], atol=1e-5)


@pytest.mark.slow
def test_a_process_holds_its_stage(one, two, four):
    whole, state = one["one residual 1f1b"]["bytes"], one["one one_step_cell"]["state"]
    for parts in (two, four):
        sizes = [part[f"pynative residual 1f1b {len(parts)}"]["bytes"] for part in parts]
        assert sum(sizes) == whole
        assert max(sizes) < 1.5 * whole / len(parts)  # stages of 2 and of 3 blocks
        states = [part["pynative one_step_cell"]["state"] for part in parts]
        assert sum(states) == state
        assert states == [2 * size for size in sizes]  # both moments


@pytest.mark.slow
def test_training_moves_the_parameters(one):
    first = one["one one_step_cell"]
    assert first["losses"][0] != first["losses"][-1]
    assert max(map(abs, first["parameters"]["last.bias"])) > 0.01
