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

# Networks that compute partly in float16 and return Float32. MindSpore's kernels also accumulate in
# float16, and normalization over a batch of two enlarges the rounding.
IN_HALF = tuple(
    f"{kind}: {level}" for kind in ("auto", "train") for level in ("O1", "O2", "O3", "auto")
)
HALF = (1e-2, 5e-3)
HALF_TOLERANCE = {**encoding.TOLERANCE, "Float32": HALF, "number": HALF}


@pytest.mark.parametrize(
    ("data", "case"),
    [
        pytest.param(
            name,
            case,
            id=f"{name}: {case['id']}",
            # a GPU reports such an index later, and is of no use to the process from then on
            marks=[pytest.mark.cpu] if "range" in case["id"] else [],
        )
        for name, cases in CASES.items()
        for case in cases
    ],
)
def test_agrees_with_the_recorded_figures(data, case):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the record holds values and exceptions, no warnings
        got = replay.expression(agar, case)
    tolerance = HALF_TOLERANCE if case["id"].startswith(IN_HALF) else encoding.TOLERANCE
    result = encoding.differences(case["result"], got, case["id"], tolerance)
    known = KNOWN.get((data, case["id"]))
    if known is None or not known.here:
        assert not result, "\n".join(result)
    else:
        assert result, f"agrees now, so it is not a known difference: {known.reason}"


def test_every_known_difference_is_a_recorded_case():
    recorded = {(name, case["id"]) for name, cases in CASES.items() for case in cases}
    assert not sorted(set(KNOWN) - recorded)
    assert len(KNOWN) == sum(len(d.cases) for d in DIFFERENCES), "a case is listed twice"
