"""Every Python block of the documentation runs, and prints what the page says it prints.

The blocks of one page share a namespace, from top to bottom. A block of text directly below a
Python block is its exact output.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agar import communication
from file_modules import load

ROOT = Path(__file__).resolve().parent.parent
# The pages under docs/api are made from docstrings, whose examples run as doctests, and those of
# tutorials from files that the build of the site executes.
WRITTEN = [
    *sorted(ROOT.glob("*.md")),
    *(
        p
        for p in sorted((ROOT / "docs").rglob("*.md"))
        if ROOT / "docs" / "api" not in p.parents and not p.with_suffix(".py").exists()
    ),
]
PAGES = [path for path in WRITTEN if "```python" in path.read_text(encoding="utf-8")]
run_page = load("scripts/run_page.py").run_page


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        run_page(page, _name(page))
    finally:
        communication.release()  # pages on several processes join, as the only one


def test_links_between_pages_exist():
    """Links of the hand-written pages lead to files of the repository."""
    link = re.compile(r"\]\((?!\w+:)([^)#\s]+)[^)]*\)")
    broken = [
        f"{_name(page)}: {target}"
        for page in WRITTEN
        for target in link.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
        and not target.startswith("api/")
        and not (page.parent / target).with_suffix(".py").exists()
    ]
    assert not broken, "\n".join(broken)
