"""A report as JSON, and read again."""

from __future__ import annotations

import json
import math

import pytest

from agar.migrate.report import saved
from agar.migrate.result import Report
from migrate.report_samples import failing, large, passing


@pytest.mark.parametrize("make", [passing, failing, lambda: large(10)])
def test_nothing_is_lost(make, tmp_path):
    report = make()
    report.to_json(tmp_path / "report.json")
    again = saved.read(tmp_path / "report.json")
    assert again.to_json() == report.to_json()
    assert (again.passed, again.native, again.verified) == (
        report.passed,
        report.native,
        report.verified,
    )
    assert [c.comparisons[:1] for c in again.cells] == [c.comparisons[:1] for c in report.cells]


def test_json_that_others_can_read(tmp_path):
    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    text = failing().to_json()
    data = json.loads(text, parse_constant=refuse)
    assert data["worst"] == "inf"
    assert data["curve"]["migrated"] == [2.0, "nan"]
    (tmp_path / "report.json").write_text(text)
    assert math.isinf(saved.read(tmp_path / "report.json").worst)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no JSON"),
        ("[]", "no report of agar migrate check: report is list"),
        ("{}", "'name'"),
        ('{"name": "a", "mode": "b", "cells": [{"path": 1}]}', r"report\.cells\[0\]\.path is int"),
        ('{"name": "a", "mode": "b", "seconds": true}', r"report\.seconds is bool"),
        ('{"name": "a", "mode": "b", "seconds": "x"}', "could not convert"),
    ],
)
def test_other_files_are_refused(tmp_path, text, words):
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(ValueError, match=words):
        saved.read(tmp_path / "report.json")


def test_a_report_at_a_prompt_is_one_line():
    assert repr(passing()).endswith(": passed; show() tells all>")
    text = repr(failing())
    assert "\n" not in text
    assert f"not passed, differs first at {failing().first_divergence.path}; show()" in text
    nothing = Report("Net", "GRAPH_MODE", problems=["Nothing ran."])
    assert (
        repr(nothing) == "<Report of Net in GRAPH_MODE: not passed, Nothing ran.; show() tells all>"
    )
