"""What a training program and its conversion printed, as a table in a terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agar.migrate.script_runs import ScriptCheck

__all__ = ["show_script"]


def show_script(check: ScriptCheck, console: Console) -> None:
    """Print a comparison of two runs.

    Args:
        check (ScriptCheck): it.
        console (Console): where to.
    """
    console.print(Text(check.script, "bold"))
    console.print(_table(check))
    if check.error:
        console.print(Text(check.error, "red"))
    if check.first is not None:
        number, one, other = check.first
        console.print(Text(f"the first line that differs is {number}:", "bold"))
        console.print(Text(f"  original   {one}"))
        console.print(Text(f"  converted  {other}", "red"))
    if not (check.error or check.lines):
        console.print(Text("nothing with numbers is printed, so nothing was compared", "yellow"))
    for text in check.missing:
        console.print(Text(f"drawn by the conversion alone: {text}", "yellow"))
    for file, note in zip(check.files, check.by_hand, strict=True):
        place = f"{file}:{note.line}" if file else f"line {note.line}"
        console.print(Text.assemble((f"by hand, {place}: ", "yellow"), note.text))


def _table(check: ScriptCheck) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("run", "seconds", "lines", "largest difference", ""):
        table.add_column(name, justify="left" if name in ("run", "") else "right")
    lines = [len(text.splitlines()) for text in check.printed]
    one, other = check.seconds
    table.add_row("original, PyTorch", f"{one:.1f}", str(lines[0]), "", "")
    where = {"agar": "agar", "mindspore": "for MindSpore, on agar"}[check.target]
    if check.python:
        where = f"for MindSpore, {check.python}"
    largest = f"{check.largest:.1e}" if check.lines else ""
    style = "green" if check.passed else "bold red"
    verdict = "stopped" if check.error else "equal" if check.passed else "different"
    table.add_row(
        f"converted, {where}", f"{other:.1f}", str(lines[1]), largest, Text(verdict, style)
    )
    return table
