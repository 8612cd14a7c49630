"""Image transforms give MindSpore's pixels, and refuse what it refuses.

The figures were recorded from MindSpore 2.10 by `oracle.record_vision`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from agar.dataset.transforms import _random
from oracle import record_vision as cases

RECORD = Path(__file__).resolve().parents[2] / "data" / "oracle" / "vision.json"


@cache
def _recorded() -> dict[str, Any]:
    return json.loads(RECORD.read_text(encoding="utf-8"))


def _approximately(expected: Any) -> Any:
    """Recorded sums with a tolerance; all else has to be equal."""
    if isinstance(expected, list):
        return [_approximately(part) for part in expected]
    if isinstance(expected, dict):
        return {
            key: pytest.approx(value, rel=1e-5, abs=1e-3)
            if key == "sums"
            else _approximately(value)
            for key, value in expected.items()
        }
    return expected


@pytest.mark.parametrize("expression", cases.lines(cases.ARRAYS))
def test_arrays(expression):
    result = cases.evaluate("agar", expression)
    assert result == _approximately(_recorded()["arrays"][expression])


@pytest.mark.parametrize("expression", cases.lines(cases.IMAGES))
def test_images(expression):
    result = cases.evaluate("agar", expression)
    assert result == _approximately(_recorded()["images"][expression])


@pytest.mark.parametrize("expression", cases.lines(cases.REFUSED))
def test_refused(expression):
    recorded = _recorded()["refused"][expression]
    assert recorded.keys() == {"raises"}
    assert cases.evaluate("agar", expression) == recorded


@pytest.mark.parametrize("expression", cases.lines(cases.STREAMS))
def test_streams(expression):
    cases.seed("agar")
    operation = eval(expression, cases.namespace("agar"))
    _random.reseed(operation)
    image = cases.stream_input(expression)
    items = [cases.digest(operation(image.copy()))["crc"] for _ in range(cases.ROWS)]
    assert items == _recorded()["streams"][expression]
