"""The report in a terminal."""

from __future__ import annotations

import io
import math
import subprocess
import sys

import pytest
from rich.console import Console

from agar.migrate.report import terminal
from agar.migrate.report.outline import clean, number, outline, percent
from agar.migrate.result import Curve, Report
from migrate.report_samples import cell, compared, failing, large, passing


def printed(report, width=100, full=False, **console):
    out = Console(width=width, file=io.StringIO(), **console)
    terminal.show(report, out, full)
    return out.file.getvalue()


def test_what_a_failing_report_says():
    text = printed(failing())
    assert text.startswith("NOT EQUAL  Net")
    for part in (
        "verified 0 %",
        "native 83.3 % (5 of 6)",
        "problem: head raised ValueError: x has rank 4",
        "first divergence: conv1, output (isolated)",
        "pad_mode is 'same' by default",
        "rule: torch.nn.Conv2d is nn.Conv2d",
        "self.conv1 = nn.Conv2d(1, 8, 4, pad_mode='pad', has_bias=True)",
        "tried: with this line the cell is equal",
        "TorchCell <- MyBlock",
        "○ foreign",
        "· not run",
        "? not compared",
        "conv1: output 12x12 against 9x9",
        "shape (2, 8, 12, 12) against (2, 8, 9, 9)",
        "first at step 2",
    ):
        assert part in text, part
    assert text.index("problem:") < text.index("first divergence") < text.index("foreign")


def test_what_a_passing_report_says():
    text = printed(passing())
    assert text.startswith("EQUAL  Net")
    assert "verified 100 % (3 of 3 leaf cells)" in text
    assert "worst error 4.0e-07" in text
    assert "note: dropout masks were shared" in text
    assert "within the noise" in text
    assert "divergence" not in text


def test_equal_without_a_native_cell_is_not_called_migrated():
    foreign = cell("a", "TorchCell", "Odd", status="foreign", native=False)
    report = Report("Net", "PYNATIVE_MODE", [foreign], network=[compared("output", 0.0, "eval")])
    assert report.passed
    assert printed(report).startswith("EQUAL, NOT MIGRATED")


def test_the_suggested_line_that_was_not_tried_is_told_apart():
    report = failing()
    report.first_divergence.repaired = False
    assert "was not tried" in printed(report)


def test_colors_only_on_a_terminal():
    assert "\x1b[" in printed(failing(), force_terminal=True)
    assert "\x1b[" not in printed(failing())


@pytest.mark.parametrize("width", [30, 50, 60, 80, 110, 200])
def test_no_line_is_wider_than_the_terminal(width):
    report = failing()
    report.cells[1].reason = "very " * 60
    assert max(map(len, printed(report, width).splitlines())) <= width


def test_large_networks_are_folded():
    lines = printed(large()).splitlines()
    assert len(lines) < 30
    assert any("0 .. 61" in line and "496 cells" in line for line in lines)
    wrong = [line for line in lines if "different" in line]
    assert len(wrong) == 1
    every = printed(large(), full=True).splitlines()
    assert len(every) > 1002
    assert not any(".." in line for line in every)


def test_foreign_parents_are_folded_and_foreign_leaves_shown():
    report = large()
    for entry in report.cells:
        if entry.cell_type == "Block":
            entry.status, entry.native = "foreign", False
    report.cells[52].status, report.cells[52].native = "foreign", False
    text = printed(report)
    assert "432 cells, 54 foreign" in text or "496 cells, 62 foreign" in text, text
    assert text.count("○ foreign") == 3  # the leaf, its block, and that of the wrong cell
    assert len(text.splitlines()) < 40


def test_many_wrong_cells_are_cut_with_a_word():
    report = large()
    for entry in report.cells:
        entry.status = "different"
    report.problems = [f"problem {i}" for i in range(100)]
    assert "more rows; ask for the full report" in printed(report)
    assert "88 more problems" in printed(report)
    assert "problem 99" in printed(report, full=True)
    report.network = [compared(f"gradient of w{i}", 0.5, "train") for i in range(20)]
    assert "12 more differ" in printed(report)


def test_names_do_not_command_the_terminal():
    evil = "\x1b]0;owned\x07[red]name[/red]\r\x9b31m"
    report = Report(evil, "PYNATIVE_MODE", [cell("", evil, leaf=False), cell(evil, evil)])
    report.problems = [evil]
    report.notes = [evil]
    text = printed(report, 200)
    assert not set(text) & {"\x1b", "\x07", "\r", "\x9b"}
    assert "[red]name[/red]" in text  # rich does not read it either


def test_terminals_without_unicode():
    code = (
        "import sys; sys.path.insert(0, 'tests'); from migrate.report_samples import failing; "
        "failing().show()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": "src"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"|-- conv1" in done.stdout
    assert done.stdout.isascii()


def test_curves_that_are_not_numbers():
    report = passing()
    report.curve = Curve([math.nan], [math.inf], [math.nan], [math.nan], False)
    assert "leaves the band" in printed(report)
    report.curve = Curve([], [], [], [], True)
    assert "no steps" in printed(report)


def test_sparkline():
    assert terminal.sparkline([0, 1, 2, 3], 10) == "▁▃▆█"
    assert terminal.sparkline([1.0, 1.0], 10) == "▁▁"
    assert terminal.sparkline([1.0, math.nan, 2.0], 10) == "▁!█"
    assert len(terminal.sparkline(list(range(1000)), 40)) == 40
    assert terminal.sparkline([], 40) == ""


def test_numbers():
    assert [number(v) for v in (None, 0.0, 1.234e-7, math.inf, math.nan)] == [
        "-",
        "0",
        "1.2e-07",
        "inf",
        "nan",
    ]
    assert percent(1.0) == "100 %"
    assert percent(0.99999) == "99.9 %"  # not all is not all
    assert percent(0.5) == "50 %"


def test_outline_adds_what_lies_between():
    root = outline([cell("a.b.c", "Dense"), cell("a.d", "Dense", error=0.5)], "Net")
    assert [(n.path, n.depth) for n in root.walk()] == [
        ("", 0),
        ("a", 1),
        ("a.b", 2),
        ("a.b.c", 3),
        ("a.d", 2),
    ]
    assert root.status == "different"
    assert root.error == 0.5
    assert not root.calm


def test_clean_keeps_readable_text():
    assert clean("weiß ✓\n\tx") == "weiß ✓\n\tx"
    assert clean("a\x00b\x7f") == "a\\x00b\\x7f"
