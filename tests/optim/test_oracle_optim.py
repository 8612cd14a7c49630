"""agar replays the steps, states, schedules and errors recorded from MindSpore 2.10."""

from __future__ import annotations

import pytest

import agar
from oracle import encoding, replay

CASES = [
    c
    for c in replay.load("optim")
    if c["kind"] in ("optimizer", "experimental", "schedule", "error")
]

# Recorded cases that agar does not repeat, each with its reason.
DIFFERENT = {
    "Momentum-nesterov": "MindSpore ignores use_nesterov on CPU",
    "Adagrad-no-update": "MindSpore ignores update_slots on CPU",
    "FTRL-options": "MindSpore's kernel adds l1 with the wrong sign where the sum is negative",
    "SGD-weight-decay-cell": "agar takes changing weight decay in every optimizer",
    "error-grads-list": "agar takes a list of gradients as well as a tuple",
}


def _with_types(result):
    """Steps are recorded as bare lists; give them the type by which they are compared."""
    if isinstance(result, dict) and "steps" in result:
        kinds = [s["t"] for s in result["state"] if "Float" in s["t"]]  # not those of counts
        kind = kinds[-1] if kinds else "Float32"
        rows = [values for step in result["steps"] for values in step]
        result = {**result, "steps": [{"t": kind, "s": [], "v": v} for v in rows]}
    return result


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES])
def test_agrees_with_the_recorded_figures(case):
    steps = case["kind"] in ("optimizer", "experimental")
    run = replay.optimizer if steps else replay.expression
    result = encoding.differences(_with_types(case["result"]), _with_types(run(agar, case)))
    if case["id"] in DIFFERENT:
        assert result, f"agrees now, so it is no difference: {DIFFERENT[case['id']]}"
    else:
        assert not result, "\n".join(result)


def test_every_difference_is_a_recorded_case():
    assert set(DIFFERENT) <= {c["id"] for c in CASES}
