"""In GRAPH_MODE whole steps over tensors in parts are recorded, and replayed in all processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from communication import several

PROGRAM = Path(__file__).parent / "split_graph.py"
#: What the programs would each import.
MODULES = ("torch._dynamo", "torch.distributed.tensor")
CASES = ("mlp", "attention", "fused", "sequence", "vocabulary", "experts", "layers")
STEPS = [
    *(f"{case} {optimizer}" for case in CASES for optimizer in ("momentum", "adam")),
    *(f"{way} {level}" for way in ("hsdp", "scaled") for level in range(4)),
    "context",
]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    where = tmp_path_factory.mktemp("two")
    return several.run(PROGRAM, 2, where, timeout=300, preload=MODULES, finalizes=True)


@pytest.mark.parametrize("step", STEPS)
def test_steps_are_replayed(two, step):
    """The last four of eight run no Python; losses, parameters and states are Python's, to bits."""
    for found in two:
        assert found[step] == {"difference": 0.0, "outside": [0, 0]}


def test_outputs_in_parts(two):
    for found in two:
        assert found["inference"] == {"equal": True, "outside": [0, 0]}


@pytest.mark.parametrize("what", ["set_data", "placements", "shapes", "reading"])
def test_what_has_changed_is_seen(two, what):
    assert all(found[what] for found in two)


def test_arguments_in_parts_are_other_calls(two):
    assert all(found["in parts"] <= 1e-6 for found in two)


def test_different_rows_raise_in_all_processes(two):
    for found in two:
        assert "do not call the same collective" in found["different rows"]
        assert len(set(found["goes on"])) == 1
