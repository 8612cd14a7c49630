"""Layers, losses and small networks replay what MindSpore 2.10 was recorded to return."""

from __future__ import annotations

import re
import warnings

import pytest

import agar
from oracle import encoding, replay

CASES = replay.load("layers")

# Where agar differs on purpose: what differs, and why.
DIFFERENCES = {
    "conv2dtranspose-pad-out": (
        ("output", "grad"),
        "the added rows and columns are computed, as Conv3dTranspose does in MindSpore, not zero",
    ),
    "embedding-lookup": (("grad",), "gradients of tables are dense, not the rows looked up"),
    "multifield-lookup": (("grad",), "gradients of tables are dense, not the rows looked up"),
    "embedding-lookup-maxnorm": (
        ("output", "grad"),
        "MindSpore bounds the first row only; and gradients are dense",
    ),
    "activation-SeLU()": (("grad",), "MindSpore's gradient is not the derivative"),
    "activation-Tanh()": (("grad",), "MindSpore's tanh is off by 1e-5, which 1 - tanh^2 enlarges"),
    "get_activation-tanh": (("grad",), "MindSpore's tanh is off by 1e-5, as above"),
    "clipbynorm-axis": (("output", "grad"), "MindSpore's rows exceed the bound"),
    "CTCLoss-zero-infinity": (("output",), "MindSpore does not set the infinite loss to zero"),
}


def replayed(case: dict) -> dict:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the record holds values and exceptions, no warnings
        got = replay.layer(agar, case)
    return got


def without_settings(text: str) -> str:
    """A cell's text with the classes of its initializers alone: MindSpore shows no more of them."""
    text = re.sub(r"_init=<[\w.]+\.(\w+) object[^>]*>", r"_init=\1", text)
    return re.sub(r"_init=(\w+)\([^()]*\)", r"_init=\1", text)


@pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES])
def test_agrees_with_the_recorded_figures(case):
    got = replayed(case)
    expected = dict(case["result"])
    for texts in (got, expected):
        if "repr" in texts:
            texts["repr"] = without_settings(texts["repr"])
    parts, reason = DIFFERENCES.get(case["id"], ((), ""))
    same = {key: value for key, value in expected.items() if key not in parts}
    result = encoding.differences(same, {k: v for k, v in got.items() if k in same}, case["id"])
    assert not result, "\n".join(result)
    for part in parts:
        assert encoding.differences(expected[part], got[part], part), f"agrees now: {reason}"


def test_every_difference_is_a_recorded_case():
    assert set(DIFFERENCES) <= {c["id"] for c in CASES}
