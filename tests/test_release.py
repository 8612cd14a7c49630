"""The scripts of releases: what they choose and refuse. `make package` does the builds."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from file_modules import load

ROOT = Path(__file__).resolve().parent.parent

matrix = load("scripts/matrix.py")
run_page = load("scripts/run_page.py").run_page


def test_pairs():
    assert len(matrix.rows([])) == 25
    assert [row.name for row in matrix.rows(["3.12:2.11"])] == ["3.12:2.11"]
    assert [row.name for row in matrix.rows(["3.12:2.1[12]", "*:newest"])] == [
        "3.10:newest",
        "3.11:newest",
        "3.12:2.11",
        "3.12:2.12",
        "3.12:newest",
        "3.13:newest",
        "3.14:newest",
    ]
    with pytest.raises(SystemExit, match=r"no pair is called 2\.7:1\.0"):
        matrix.rows(["2.7:1.0"])


def test_constraints_leave_pytorch_its_own_bounds():
    text = matrix.constraints()
    assert re.search(r"^numpy==", text, re.MULTILINE)
    assert re.search(r"^pytest==", text, re.MULTILINE)
    assert not re.search(r"^(torch|setuptools|sympy|Jinja2)==", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("venv", "install", "state"),
    [
        ("No interpreter found for Python 3.14", "", "skipped"),
        (
            "",
            "No solution found: torch==2.11.* has no wheels with a matching Python ABI",
            "skipped",
        ),
        ("", "Request failed after 3 retries", "failed"),
    ],
)
def test_a_pair_that_cannot_be_had_is_told_from_a_failure(tmp_path, venv, install, state):
    uv = tmp_path / "uv"
    answers = {"venv": venv, "pip": install}
    uv.write_text(
        f"#!{sys.executable}\nimport sys\nanswer = {answers}[sys.argv[1]]\nprint(answer)\n"
        "sys.exit(2 if answer else 0)\n"
    )
    uv.chmod(0o755)
    row = matrix.Row("3.14", "2.11")
    matrix.attempt(row, tmp_path / "agar.whl", str(uv), tmp_path, [], "1")
    assert row.state == state
    assert (venv or install) in row.detail


def test_supported_versions_are_those_of_the_matrix():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert tuple(re.findall(r"Python :: (3\.\d+)", text)) == matrix.PYTHONS
    assert f'requires-python = ">={matrix.PYTHONS[0]}"' in text
    assert f'"torch>={matrix.TORCHES[0]}"' in text


def test_a_page_that_prints_something_else_fails(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n```python\nprint(1 + 1)\n```\n\n```text\n3\n```\n")
    with pytest.raises(AssertionError, match=r"page\.md:3 prints\n2\n.*\n3"):
        run_page(page, "page.md")
    page.write_text(page.read_text().replace("\n3\n", "\n2\n"))
    run_page(page, "page.md")
    command = [sys.executable, ROOT / "scripts" / "run_page.py", page]
    assert b"every block" in subprocess.run(command, capture_output=True, check=True).stdout
