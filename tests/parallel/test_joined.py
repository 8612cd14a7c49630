"""Cells collect their parameters in one message, and get their gradients in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from communication import several

PROGRAM = str(Path(__file__).parent / "joined.py")
NETWORKS = ("Plain", "Tied", "Frozen", "Recomputed", "Turning", "Parts")


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return several.run(PROGRAM, 2, tmp_path_factory.mktemp("run"), timeout=400)


@pytest.mark.slow
@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("network", NETWORKS)
def test_processes_are_one(two, network, level):
    for found in two:
        result = found[f"{network} {level}"]
        assert result["difference"] <= 1e-6
        assert result["bits"] == two[0][f"{network} {level}"]["bits"]
        assert result.get("graph", 0.0) <= 1e-6
        assert result.get("python", 0) == 0


@pytest.mark.slow
def test_each_group_is_one_message(two):
    """Three blocks and what is left; the order of calls is not known yet in the second call."""
    for found in two:
        kinds = found["Plain 3"]["kinds"]
        assert kinds.count("all-gather") == 2 * 4
        assert kinds.count("reduce-scatter") == 4
        assert len(kinds) == 12
        # at level 2 what the optimizer has updated goes to all at once
        assert found["Plain 2"]["kinds"] == ["reduce-scatter"] * 4 + ["all-gather"]


@pytest.mark.slow
def test_gradients_after_the_call_and_of_second_order(two):
    for found in two:
        assert found["outside"] <= 1e-5
        assert set(found["parts"]) == {0.5}
        assert found["second"] <= 1e-5


@pytest.mark.slow
def test_what_was_begun_when_a_call_failed_does_no_harm(two):
    assert [found["after an error"] for found in two] == [0.0, 0.0]


@pytest.mark.slow
def test_whole_parameters_are_let_go(two):
    """But for the last block, whose backward pass comes first."""
    assert [found["alive"] for found in two] == [[False, False, True]] * 2
