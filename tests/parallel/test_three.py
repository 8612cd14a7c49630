"""Data, tensor and pipeline parallel at once are one process with the whole network."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from communication import several

PROGRAM = Path(__file__).parent / "three.py"
MODES = ("mode 0", "mode 1")
#: Parameters that are split over the processes of tensor parallel.
SPLIT = ("qkv", "out", "up", "down")
pytestmark = pytest.mark.slow


def run(size, tmp_path_factory):
    folder = tmp_path_factory.mktemp(f"run{size}")
    modules = ("torch.distributed.pipelining",)
    return several.run(PROGRAM, size, folder, timeout=500, preload=modules)


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    return run(1, tmp_path_factory)[0]


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    return run(4, tmp_path_factory)


def compare(found, expected):
    np.testing.assert_allclose(found["losses"], expected["losses"], rtol=0, atol=1e-6)
    for kind in ("gradients", "parameters"):
        for name, values in found[kind].items():
            np.testing.assert_allclose(
                values, expected[kind][name], rtol=1e-6, atol=1e-6, err_msg=name
            )


@pytest.mark.parametrize("size", [4, 8])
def test_processes_are_one(one, size, request, tmp_path_factory):
    """Two stages of one by two, and of two by two: losses, gradients, parameters to 1e-6."""
    every = request.getfixturevalue("four") if size == 4 else run(size, tmp_path_factory)
    for mode in MODES:
        expected, names = one[mode], set()
        for found in (parts[mode] for parts in every):
            compare(found, expected)
            names |= set(found["share"])
            for name, share in found["share"].items():
                assert share == (0.5 if name.endswith(SPLIT) else 1.0), name
            assert len(found["share"]) < len(expected["share"])  # those of a stage
        assert names == set(expected["share"])
        for stage in (every[: size // 2], every[size // 2 :]):
            for parts in stage[1:]:
                for key in ("losses", "gradients", "parameters"):
                    assert parts[mode][key] == stage[0][mode][key]  # bit for bit


@pytest.mark.parametrize("mode", [0, 1])
def test_loss_outside_of_the_stages(one, four, mode):
    """A loss that no cell of a stage computes is that of each process's rows, and counts so."""
    for found in four:
        compare(found[f"loss outside {mode}"], one[f"mode {mode}"])


@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_what_a_stage_uses_alike_is_cut(one, four, level, mode):
    """hsdp beside strategies: two processes of a stage, of which each has half of everything."""
    for found in (parts[f"level {level} {mode}"] for parts in four):
        compare(found, one[f"mode {mode}"])
        for name, share in found["share"].items():
            cut = name != "head.bias"  # whose three elements have no equal parts
            assert found["states"][name] == (0.5 if cut else 1.0), name
            assert share == (0.5 if cut and (level == 3 or name.endswith(SPLIT)) else 1.0), name
