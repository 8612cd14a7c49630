"""Cells collect their parameters in one message, and get their gradients in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from communication import several

PROGRAM = str(Path(__file__).parent / "joined.py")
#: What the programs would each import.
MODULES = ("torch._dynamo", "torch.distributed.tensor")
NETWORKS = ("Plain", "Tied", "Frozen", "Recomputed", "Turning", "Parts")


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return several.run(PROGRAM, 2, tmp_path_factory.mktemp("run"), timeout=400, preload=MODULES)


@pytest.mark.slow
@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("network", NETWORKS)
def test_processes_are_one(two, network, level):
    for found in two:
        result = found[f"{network} {level}"]
        assert result["difference"] <= 1e-6
        assert result["bits"] == two[0][f"{network} {level}"]["bits"]
        assert result.get("graph", 0.0) == 0.0
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


@pytest.mark.slow
def test_no_process_ever_has_a_network_that_was_made_without_values(two):
    for found in two:
        assert found["undrawn"] == {"most": True, "held": 0.5, "difference": 0.0}


@pytest.mark.slow
def test_messages_of_replays_run_while_others_compute(two):
    """All processes begin the same in the same order; three waits do not follow at once."""
    first, second = (found["events"] for found in two)
    begun = [event for event in first if event != "wait"]
    assert begun == [event for event in second if event != "wait"]
    gathers = [event for event in begun if event.startswith("all_gather")]
    assert len(gathers) == 4 + 2  # the last block is kept, and so is what is left of the network
    assert first.index("wait") == 2  # the second block's parameters come while the first computes
    on_way, most = 0, 0
    for event in first:
        on_way += -1 if event == "wait" else 1
        most = max(most, on_way)
    assert on_way == 0
    assert most == 2
