"""What goes wrong in one process of a split network is an error in all, in bounded time."""

from __future__ import annotations

from pathlib import Path

import pytest

from communication import several

PROGRAM = Path(__file__).parent / "split_failures.py"
#: What the programs would each import.
MODULES = ("torch._dynamo", "torch.distributed.tensor")
CLOSED = "cannot run, because the group was closed"
pytestmark = pytest.mark.slow


def run(folder, kind, mode, **options):
    return several.run(PROGRAM, 2, folder, kind, mode, timeout=120, preload=MODULES, **options)


LOST = [
    ("kill", "pynative", "has ended"),
    ("kill", "graph", "has ended"),
    ("stop", "pynative", "timeout of 4 s"),
    ("stop", "graph", "timeout of 4 s"),
    # while messages of other layers are on their way
    ("kill inside", "pynative", "has ended"),
    ("stop inside", "graph", "timeout of 4 s"),
    ("kill in backward", "pynative", "has ended"),
]


@pytest.mark.parametrize(("kind", "mode", "reason"), LOST)
def test_the_others_hear_of_a_lost_process(tmp_path, kind, reason, mode):
    found = run(tmp_path, kind, mode, killed=1)[0]
    took, text = found["first"]
    assert took < 9
    assert "in the process 0, in the group 'hccl_world_group' of [0, 1], failed: " in text
    assert reason in text
    assert CLOSED in found["again"][1]


@pytest.mark.parametrize("mode", ["pynative", "graph"])
def test_an_error_in_one_process(tmp_path, mode):
    """It raises its own error; the others, which wait for it, hear that it left."""
    found = run(tmp_path, "error", mode)
    assert found[1]["first"][1].startswith("ZeroDivisionError: a mistake between two layers")
    took, text = found[0]["first"]
    assert took < 15
    assert "in the process 0, in the group 'hccl_world_group' of [0, 1], failed: " in text
    for results in found:
        assert CLOSED in results["again"][1]


def test_errors_at_different_places(tmp_path):
    """Other messages are on their way in each process, so that they cannot go on together."""
    found = run(tmp_path, "apart", "pynative")
    for results in found:
        assert results["first"][0] < 20
        assert "a mistake" in results["first"][1] or "failed: " in results["first"][1]
        assert CLOSED in results["again"][1]


@pytest.mark.parametrize("mode", ["pynative", "graph"])
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("all", "ZeroDivisionError: a mistake between two layers"),
        ("order", "do not call the same collective"),
        ("rows", "do not call the same collective"),
    ],
)
def test_an_error_in_all_processes(tmp_path, kind, words, mode):
    """After which they go on together."""
    found = run(tmp_path, kind, mode)
    for results in found:
        assert words in results["first"][1]
        assert float(results["again"][1]) < results["before"]
