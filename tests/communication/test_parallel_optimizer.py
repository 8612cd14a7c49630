"""The parallel optimizer: processes with parts of states, gradients and parameters are one."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from communication import several

pytestmark = pytest.mark.slow
MODES = ("pynative", "graph")
WAYS = ("level0", "level1", "level2", "level3", "momentum", "decay", "scaled", "recomputed")
REPLICAS = ("replicas 1", "replicas 2", "replicas 3")
run = partial(several.run, "parallel_optimizer.py", preload=("torch._dynamo",))


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    return run(1, tmp_path_factory.mktemp("one"))[0]


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return run(2, tmp_path_factory.mktemp("two"))


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    return run(4, tmp_path_factory.mktemp("four"), timeout=240)


def compare(expected, parts, key):
    """Parameters and states, as whole checkpoints have them."""
    for suffix in ("", " states"):
        for other in parts[1:]:
            assert other[key + suffix] == parts[0][key + suffix]  # bit for bit
        assert parts[0][key + suffix].keys() == expected[suffix].keys()
        for name, value in expected[suffix].items():
            found = parts[0][key + suffix][name]
            np.testing.assert_allclose(found, value, rtol=0, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", WAYS)
def test_two_processes_are_one(one, two, mode, way):
    expected = {s: one[f"{mode} {way}{s}"] for s in ("", " states")}
    compare(expected, two, f"{mode} {way}")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("way", ["level3", *REPLICAS])
def test_four_processes_are_one(one, four, mode, way):
    """Replicas: two parts, each of them in two processes."""
    compare({s: one[f"{mode} level0{s}"] for s in ("", " states")}, four, f"{mode} {way}")


@pytest.mark.parametrize("way", WAYS)
def test_steps_are_replayed(two, way):
    assert [found[f"{way} runs"] for found in two] == [0, 0]


@pytest.mark.parametrize("size", [2, 4])
def test_what_a_process_has(size, request):
    """All but a layer of three rows, which cannot be cut."""
    found = request.getfixturevalue({2: "two", 4: "four"}[size])
    for results in found:
        whole = results["elements 0"]
        part = (whole["parameters"] - 27) / size + 27
        for level in (0, 1, 2, 3):
            elements = results[f"elements {level}"]
            assert elements["states"] == 2 * (part if level else whole["parameters"])
            assert elements["gradients"] == (part if level > 1 else whole["parameters"])
            assert elements["parameters"] == (part if level > 2 else whole["parameters"])
        assert part < 1.1 * whole["parameters"] / size


def test_checkpoints_whole_and_in_parts(two):
    """Loaded into other levels: the same bits, and the training goes on as if not interrupted."""
    for found in two:
        assert found["in parts"]["embedding.embedding_table"] == [6, 8]
        assert found["in parts"]["moment1.embedding.embedding_table"] == [6, 8]
        assert found["in parts"]["head.bias"] == [3]
        assert found["loaded"] == [True] * 4
        for continued in found["continued"]:
            for name, value in found["not interrupted"].items():
                np.testing.assert_allclose(continued[name], value, rtol=0, atol=1e-6)
        assert found["continued"][0] == found["continued"][3] == found["not interrupted"]


def test_what_cannot_be_done_raises(two):
    expected = {
        "experimental": ("NotImplementedError", "its states are not cut into parts"),
        "lamb": ("NotImplementedError", "enable_parallel_optimizer with Lamb"),
        "alone": ("RuntimeError", "level 3 cuts parameters when a training cell is made"),
        "own cell": ("NotImplementedError", "Own with the parallel optimizer of level 3"),
        "gradients": ("NotImplementedError", "return_grad=True with the parallel optimizer"),
        "early": ("RuntimeError", "was made before it was set"),
        "mode": ("RuntimeError", "but the mode is 'stand_alone'"),
        "number": ("ValueError", "cannot be divided into groups"),
        "writes": ("RuntimeError", "the change would be lost"),
        "elsewhere": ("RuntimeError", "is read outside of the cell that owns it"),
    }
    for found in two:
        for name, (kind, words) in expected.items():
            assert found[name].startswith(kind), found[name]
            assert words in found[name]
