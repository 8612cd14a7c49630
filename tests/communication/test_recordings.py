"""Collectives and gradients that are reduced during the backward pass, in both modes."""

from __future__ import annotations

import numpy as np
import pytest

from communication import several

pytestmark = pytest.mark.slow
MODES = ("pynative", "graph")


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return several.run(
        "recordings.py",
        2,
        tmp_path_factory.mktemp("two"),
        preload=("torch.fx.experimental.symbolic_shapes",),
    )


def test_collectives_in_recordings(two):
    """By hand, for w = 2: x is (1, 3) and (2, 2), so each process gathers w (1, 3, 2, 2)."""
    x, w = np.array([[1.0, 3.0], [2.0, 2.0]]), 2.0
    whole = (w * x).reshape(-1)
    part = 2 * whole**2  # summed over two processes, then halved into parts of two
    sent = np.array([[part[0], part[2]], [part[1], part[3]]])
    expected = sent.sum(0) + sent.max(0) * (x[0] + w)
    for item in two:
        for mode in MODES:
            for net, value, *_ in item[f"{mode} collectives"]:
                np.testing.assert_allclose([net, value], [expected, expected], rtol=1e-6)
        assert item["graph collectives"] == item["pynative collectives"]


def test_calls_with_collectives_are_replayed(two):
    for item in two:
        assert item["runs"] == [0, 0]
        assert item["runs of a step"] == 0
        assert item["runs with SyncBatchNorm"] == 0
        assert item["failed recordings"] == []
    trained = [{k: v for k, v in f["normalized"].items() if "layers" in k} for f in two]
    assert trained[0] == trained[1]


@pytest.mark.parametrize("mode", MODES)
def test_a_recording_belongs_to_its_group(two, mode):
    for item in two:
        assert item[f"{mode} destroyed"].startswith("ValueError: There is no group 'pair'")
        assert item[f"{mode} again"] == item["pynative collectives"][0][0]


@pytest.mark.parametrize("mode", MODES)
def test_parameters_of_all_kinds(two, mode):
    """Used twice, by one process, by nobody; half precision; no elements."""
    lr, steps = 0.001, 4
    x = [np.array([[1.0 + i + rank, 2.0] for i in range(steps)]) for rank in (0, 1)]
    mean = (x[0] + x[1]) / 2
    twice = np.array([1.0, 2.0])
    for i in range(steps):
        twice = twice - lr * mean[i] * 2 * twice
    for item in two:
        trained = item[f"{mode} shared"]
        np.testing.assert_allclose(trained["twice"], twice, rtol=1e-6)
        first = np.array([1.0, 2.0]) - lr * x[0].sum(0) / 2
        np.testing.assert_allclose(trained["first"], first, rtol=1e-6)
        np.testing.assert_allclose(trained["last"], [1.0, 2.0] - lr * mean.sum(0), rtol=1e-6)
        assert trained["unused"] == [1.0, 2.0]
        np.testing.assert_allclose(trained["half"], 1.0 - lr * steps, rtol=1e-3)
        assert trained["empty"] == []
    assert two[0][f"{mode} shared"] == two[1][f"{mode} shared"]
    assert two[0][f"{mode} shared scaled"] == two[1][f"{mode} shared scaled"]
    assert two[0][f"{mode} shared scaled"] == two[0]["pynative shared scaled"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("where", ["forward", "backward"])
def test_a_step_that_fails_in_one_process_raises_in_all(two, mode, where):
    """Nobody waits, nothing is changed, and the next step is taken by all."""
    told, own = (item[f"{mode} {where} fails"] for item in two)
    assert told.startswith("RuntimeError: 'all_reduce of gradients' in the process 0 has no result")
    assert own.startswith(f"ValueError: the {where} pass fails")
    assert all(item[f"{mode} {where} untouched"] for item in two)
    after = [item[f"{mode} {where} after"] for item in two]
    assert after[0] == after[1] == two[0][f"pynative {where} after"]


@pytest.mark.parametrize("mode", MODES)
def test_another_collective_in_place_of_a_step_raises_in_all(two, mode):
    for item in two:
        text = item[f"{mode} other"]
        assert text.startswith("ValueError: The processes of the group 'hccl_world_group' do not")
        assert "process 0: all_reduce of gradients" in text
        assert "process 1: all_reduce, " in text
    after = [item[f"{mode} other after"] for item in two]
    assert after[0] == after[1] == two[0]["pynative other after"]


def test_messages_are_sent_by_every_replay(two):
    for rank, item in enumerate(two):
        assert item["graph messages"] == item["pynative messages"]
        assert item["runs with messages"] == 0
        for i, value in enumerate(item["graph messages"]):
            back = np.array([2.0 * (1 + i) + 1, 1.0])  # twice the row of process 0, and one more
            other = np.array([1.0 + i, 1.0 - rank])
            np.testing.assert_allclose(value, 2 * back + other)
