"""Notebooks that are Python files: their cells, their execution, and what is made of the results.

A file is in the percent format that editors and jupytext read: ``# %% [markdown]`` begins a cell
of text, each line of which is a comment, and ``# %%`` a cell of code. A cell marked ``# %% raises``
must end with an exception, and one marked ``# %% warns`` must write to stderr; everywhere else both
fail the notebook, and so does a warning.

    python docs/_ext/notebook.py docs/tutorials/data.py OUT.ipynb

executes one in the working directory, as Jupyter would: what is printed, and the value of a cell's
last expression, as HTML where the value offers it.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
import re
import sys
import types
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_MARK = re.compile(r"^# %%(?P<rest>.*)$", re.MULTILINE)


class NotebookError(Exception):
    """A cell did something else than it should."""


@dataclass
class Cell:
    """One cell and what its execution gave.

    Attributes:
        text: it is text, not code.
        source: Markdown or Python.
        line: of the first line of the source in the file.
        kind: empty, ``raises`` or ``warns``.
        printed: what it wrote to stdout.
        warned: what it wrote to stderr.
        value: the text of the last expression's value; empty where there is none.
        html: the same as HTML, for values that offer it.
        error: of a cell that must raise: the exception's type and message.
    """

    text: bool
    source: str
    line: int
    kind: str = ""
    printed: str = ""
    warned: str = ""
    value: str = ""
    html: str = ""
    error: str = ""


def parse(content: str, name: str) -> list[Cell]:
    """The cells of a file.

    Args:
        content: the file's text.
        name: what errors call it.

    Raises:
        NotebookError: a mark is not one of the four, or a line of text is no comment.
    """
    marks = list(_MARK.finditer(content))
    cells = []
    for mark, after in zip(marks, [*marks[1:], None], strict=True):
        body = content[mark.end() : after.start() if after else len(content)]
        line = content.count("\n", 0, mark.end()) + 2
        kind = mark["rest"].strip()
        if kind not in ("", "[markdown]", "raises", "warns"):
            raise NotebookError(f"{name}:{line - 1}: '# %% {kind}' is no mark of a cell")
        if kind == "[markdown]":
            rows = body.strip("\n").splitlines()
            odd = [row for row in rows if row != "#" and not row.startswith("# ")]
            if odd:
                raise NotebookError(f"{name}:{line}: text must be comments: {odd[0]!r}")
            cells.append(Cell(True, "\n".join(row[2:] for row in rows), line))
        else:
            cells.append(Cell(False, body.strip("\n"), line, kind))
    if not cells or not cells[0].text or not cells[0].source.startswith("# "):
        raise NotebookError(f"{name}: the first cell must be text with a title, '# ...'")
    return cells


def title(cells: list[Cell]) -> str:
    """The title of a notebook."""
    return cells[0].source.splitlines()[0].removeprefix("# ")


def execute(cells: list[Cell], name: str) -> None:
    """Run the code, from top to bottom, in one namespace; the cells get their outputs.

    Args:
        cells: the notebook.
        name: the file that errors and tracebacks name.

    Raises:
        NotebookError: a cell raised or warned, or did not although it must.
    """
    module = types.ModuleType("__main__")
    module.__file__ = name
    held = sys.modules["__main__"]
    sys.modules["__main__"] = module
    try:
        for cell in cells:
            if not cell.text:
                _run(cell, vars(module), name)
    finally:
        sys.modules["__main__"] = held
        linecache.cache.pop(name, None)


def _run(cell: Cell, space: dict[str, Any], name: str) -> None:
    # blank lines in front give tracebacks the line numbers of the file
    source = "\n" * (cell.line - 1) + cell.source + "\n"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, complaints = io.StringIO(), io.StringIO()
    value = None
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(complaints),
        warnings.catch_warnings(record=cell.kind == "warns") as warned,
    ):
        warnings.simplefilter("default" if cell.kind == "warns" else "error")
        try:
            exec(compile(tree, name, "exec"), space)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), name, "eval"), space)
        except Exception as error:
            if cell.kind != "raises":
                raise NotebookError(
                    f"{name}:{cell.line}: {type(error).__name__}: {error}"
                ) from error
            cell.error = f"{type(error).__name__}: {error}"
    cell.printed, cell.warned = printed.getvalue(), complaints.getvalue()
    for entry in warned or ():
        cell.warned += f"{entry.category.__name__}: {entry.message}\n"
    if cell.kind == "raises" and not cell.error:
        raise NotebookError(f"{name}:{cell.line}: the cell must raise, and does not")
    if (cell.kind == "warns") != bool(cell.warned):
        raise NotebookError(f"{name}:{cell.line}: written to stderr: {cell.warned or 'nothing'}")
    if value is not None:
        space["_"] = value
        cell.value = repr(value)
        offered = getattr(value, "_repr_html_", None)
        cell.html = offered() if offered is not None else ""


def to_ipynb(cells: list[Cell]) -> dict[str, Any]:
    """The notebook for Jupyter, with its outputs."""
    made = []
    count = 0
    for i, cell in enumerate(cells):
        entry: dict[str, Any] = {"id": f"cell-{i}", "metadata": {}, "source": cell.source}
        if cell.text:
            made.append({"cell_type": "markdown", **entry})
            continue
        count += 1
        outputs: list[dict[str, Any]] = []
        if cell.printed:
            outputs.append({"output_type": "stream", "name": "stdout", "text": cell.printed})
        if cell.warned:
            outputs.append({"output_type": "stream", "name": "stderr", "text": cell.warned})
        if cell.error:
            kind, _, text = cell.error.partition(": ")
            lines = {"ename": kind, "evalue": text, "traceback": [cell.error]}
            outputs.append({"output_type": "error", **lines})
            entry["metadata"] = {"tags": ["raises-exception"]}
        if cell.value:
            data = {"text/plain": cell.value} | ({"text/html": cell.html} if cell.html else {})
            result = {"execution_count": count, "data": data, "metadata": {}}
            outputs.append({"output_type": "execute_result", **result})
        made.append({"cell_type": "code", **entry, "execution_count": count, "outputs": outputs})
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": made}


def to_markdown(notebook: dict[str, Any], download: str) -> str:
    """The page of an executed notebook.

    Args:
        notebook: from `to_ipynb`.
        download: the file that the page offers.
    """
    parts = []
    for i, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "markdown":
            parts.append(cell["source"])
            if i == 0:
                parts.append(f"{{download}}`As a notebook <{download}>`")
            continue
        parts.append(_fenced("python", cell["source"]))
        for output in cell["outputs"]:
            if output["output_type"] == "stream":
                parts.append(_fenced("text", output["text"].rstrip("\n")))
            elif output["output_type"] == "error":
                parts.append(_fenced("text", output["traceback"][0]))
            elif "text/html" in output["data"]:
                parts.append(_fenced("{raw} html", output["data"]["text/html"]))
            else:
                parts.append(_fenced("text", output["data"]["text/plain"]))
    return "\n\n".join(parts) + "\n"


def _fenced(language: str, body: str) -> str:
    """A block of code; its fence is longer than any in the body."""
    longest = max((len(run) for run in re.findall(r"`{3,}", body)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{body}\n{fence}"


def main() -> None:
    """Execute a file and write the notebook."""
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    cells = parse(source.read_text(encoding="utf-8"), source.name)
    execute(cells, source.name)
    target.write_text(json.dumps(to_ipynb(cells), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
