"""A stage that dies, hangs or does something else is an error in all others, and nothing hangs."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from communication import several

PROGRAM = Path(__file__).parent / "pipeline_failures.py"
run = partial(several.run, PROGRAM, timeout=60, preload=("torch.distributed.pipelining",))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "seconds"), [("kill", 5.0), ("stop", 7.0)])
def test_every_stage_hears_of_a_lost_one(tmp_path, kind, seconds):
    found = run(3, tmp_path, kind, killed=2)
    for rank, results in enumerate(found[:-1]):
        took, text = results["first"]
        assert took < seconds
        assert text.startswith(f"RuntimeError: 'pipeline' in the process {rank}, in the group ")
        took, text = results["again"]
        assert took < 0.5
        assert "cannot run, because the group was closed" in text
    reason = "has ended" if kind == "kill" else "no answer came within the timeout of 2 s"
    assert any(reason in results["first"][1] for results in found[:-1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("shape", "ValueError: The cell '_backbone.1' of the pipeline stage 1 returned Tensor"),
        ("type", "ValueError: The cell '_backbone.1' of the pipeline stage 1 returned Tensor"),
        ("error", "ZeroDivisionError: a mistake in the second stage"),
    ],
)
def test_what_a_stage_raises(tmp_path, kind, words):
    """The stage raises what was wrong; the others hear that it left."""
    found = run(3, tmp_path, kind)
    assert found[1]["first"][1].startswith(words)
    for rank in (0, 2):
        took, text = found[rank]["first"]
        assert took < 5
        assert text.startswith(f"RuntimeError: 'pipeline' in the process {rank}, in the group ")
    for results in found:
        assert "cannot run, because the group was closed" in results["again"][1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("order", "do not call the same collective"),
        ("rows", "4 micro-batches of (((2, 4), 'Float32'), ((2, 4), 'Float32'))"),
    ],
)
def test_processes_that_do_not_call_the_same(tmp_path, kind, words):
    """An error in each, after which they go on together."""
    found = run(2, tmp_path, kind)
    for results in found:
        took, text = results["first"]
        assert took < 5
        assert text.startswith("ValueError: The processes of the group 'hccl_world_group' do not ")
        assert words in text
        assert float(results["again"][1]) > 0
