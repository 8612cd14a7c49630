"""The tutorials' machinery, and one of them; the build of the site executes all."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from file_modules import load

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "tutorials"
SOURCES = sorted(FOLDER.glob("*.py"))

notebook = load("docs/_ext/notebook.py")


def made(content):
    cells = notebook.parse("# %% [markdown]\n# # Title\n" + content, "page.py")
    notebook.execute(cells, "page.py")
    return cells


def test_outputs():
    cells = made("\n# %%\nprint('one')\nx = 1\n\n# %%\nx + 1\n\n# %% raises\nx / 0\n")
    assert [(c.printed, c.value, c.error) for c in cells[1:]] == [
        ("one\n", "", ""),
        ("", "2", ""),
        ("", "", "ZeroDivisionError: division by zero"),
    ]
    page = notebook.to_markdown(notebook.to_ipynb(cells), "page.ipynb")
    assert page.startswith("# Title\n\n{download}`As a notebook <page.ipynb>`\n")
    assert "```python\nx + 1\n```\n\n```text\n2\n```\n" in page


def test_values_that_offer_html_are_shown_as_html():
    cells = made("# %%\nimport agar as ms\n\nms.Tensor([1.0])\n")
    page = notebook.to_markdown(notebook.to_ipynb(cells), "page.ipynb")
    assert '```{raw} html\n<div class="agar"' in page
    (output,) = notebook.to_ipynb(cells)["cells"][1]["outputs"]
    assert sorted(output["data"]) == ["text/html", "text/plain"]


def test_warnings_are_shown_where_they_are_expected():
    (_, cell) = made("# %% warns\nimport warnings\n\nwarnings.warn('careful')\n")
    assert cell.warned == "UserWarning: careful\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("# %%\n1 / 0\n", r"page\.py:4: ZeroDivisionError"),
        ("# %%\nx = 1\n\n# %% raises\nx\n", r"page\.py:7: the cell must raise"),
        ("# %% warns\nx = 1\n", r"page\.py:4: written to stderr: nothing"),
        ("# %%\nimport sys\n\nprint(1, file=sys.stderr)\n", r"written to stderr: 1"),
        ("# %%\nimport warnings\n\nwarnings.warn('careful')\n", "UserWarning: careful"),
        ("# %% hidden\n1\n", "'# %% hidden' is no mark of a cell"),
        ("# %% [markdown]\nx = 1\n", "text must be comments: 'x = 1'"),
    ],
)
def test_what_fails_a_notebook(content, words):
    with pytest.raises(notebook.NotebookError, match=words):
        made(content)


def test_a_fence_is_longer_than_those_inside():
    cells = made("# %%\nprint('```')\n")
    assert "````text\n```\n````" in notebook.to_markdown(notebook.to_ipynb(cells), "x")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_sources(source):
    """They are notebooks, the index lists them, and their links lead somewhere."""
    text = source.read_text(encoding="utf-8")
    cells = notebook.parse(text, source.name)
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert f"[{notebook.title(cells)}]({source.stem}.md)" in index
    assert re.search(rf"^{source.stem}$", index, re.MULTILINE)
    for cell in cells:
        if cell.text:
            for target in re.findall(r"\]\(([^)#]+)\)", cell.source):
                path = FOLDER / target
                assert path.exists() or path.with_suffix(".py").exists(), target
        else:
            compile(cell.source, source.name, "exec")


def test_one_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = FOLDER / "gradient_clipping.py"
    cells = notebook.parse(source.read_text(encoding="utf-8"), source.name)
    notebook.execute(cells, source.name)
    text = json.dumps(notebook.to_ipynb(cells))
    assert "largest error of a weight" in text
