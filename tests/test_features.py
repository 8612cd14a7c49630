"""The table of features: every name in agar's column exists."""

from __future__ import annotations

import importlib
import operator
import re
from pathlib import Path

import pytest

import agar as ms

PAGE = Path(__file__).resolve().parent.parent / "docs" / "features.md"
ROWS = [
    [cell.strip() for cell in line.strip("|\n").split("|")]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| **", "| |"))
]
NAMES = sorted({name for row in ROWS for name in re.findall(r"`([A-Za-z_.]+)`", row[1])})


def test_the_table_is_whole():
    assert len(ROWS) > 25
    assert [row for row in ROWS if len(row) != 5 or not all(row)] == []


@pytest.mark.parametrize("name", [n for n in NAMES if n not in {".ckpt", "py.typed"}])
def test_names_exist(name):
    path = name.removeprefix("ms.")
    if path.startswith("Cell."):
        path = f"nn.{path}"
    if path == "nn.Cell.bprop":  # defined by those who have a gradient of their own
        path = "nn.Cell"
    if path.startswith("parallel."):  # MindSpore's modules there are imported by name, too
        importlib.import_module(f"agar.{path.rpartition('.')[0]}")
    assert operator.attrgetter(path)(ms) is not None
