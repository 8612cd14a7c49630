"""agar replays what MindSpore 2.10 was recorded to return for tensors, cells, gradients and amp."""

from __future__ import annotations

import warnings

import pytest

import agar
from core.known_differences import DIFFERENCES
from oracle import encoding, replay

DATA = ("tensor", "grad", "cell", "amp")
CASES = {name: replay.load(name) for name in DATA}
KNOWN = {(d.data, case): d for d in DIFFERENCES for case in d.cases}

# Networks that compute in float16 and return Float32; their numbers are as exact as float16.
IN_HALF = ("auto: O2", "auto: O3", "train: O2", "train: O3")
HALF = encoding.TOLERANCE["Float16"]
HALF_TOLERANCE = {**encoding.TOLERANCE, "Float32": HALF, "number": HALF}


@pytest.mark.parametrize(
    ("data", "case"),
    [
        pytest.param(name, case, id=f"{name}: {case['id']}")
        for name, cases in CASES.items()
        for case in cases
    ],
)
def test_agrees_with_the_recorded_figures(data, case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the record holds values and exceptions, no warnings
        got = replay.expression(agar, case)
    tolerance = HALF_TOLERANCE if case["id"].startswith(IN_HALF) else encoding.TOLERANCE
    found = encoding.differences(case["result"], got, case["id"], tolerance)
    known = KNOWN.get((data, case["id"]))
    if known is None or not known.here:
        assert not found, "\n".join(found)
    else:
        assert found, f"agrees now, so it is no known difference: {known.reason}"


def test_every_known_difference_is_a_recorded_case():
    recorded = {(name, case["id"]) for name, cases in CASES.items() for case in cases}
    assert not sorted(set(KNOWN) - recorded)
    assert len(KNOWN) == sum(len(d.cases) for d in DIFFERENCES), "a case is listed twice"
