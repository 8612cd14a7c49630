"""The report in a terminal: verdict, problems, first divergence, tree of cells, curves."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from agar.migrate.report.outline import (
    Node,
    clean,
    failure,
    number,
    outline,
    percent,
    rule_of,
)
from agar.migrate.result import CellResult, Comparison, Curve, Divergence, Report

__all__ = ["View", "show", "sparkline"]

#: In larger networks neighbors that are equal share a row, unless all are asked for.
ROWS = 60
#: No more than this many problems are printed.
PROBLEMS = 12
#: From this width on, there is room for words beside the numbers.
WIDE = 110
#: No more than this many comparisons of the whole network are printed for a stage.
WRONG = 8

_STYLE = {
    "equal": "green",
    "different": "bold red",
    "inherited": "yellow",
    "foreign": "cyan",
    "not run": "dim",
    "failed": "bold white on red",
    "not compared": "magenta",
}
_SIGN = {
    "equal": ("✓", "="),
    "different": ("✗", "!"),
    "inherited": ("↓", ">"),
    "foreign": ("○", "o"),
    "not run": ("·", "."),
    "failed": ("✗", "!"),
    "not compared": ("?", "?"),
}
_BARS = " ▁▂▃▄▅▆▇█"


class View:
    """A report as rich prints it.

    Args:
        report (Report): the report.
        full (bool): every cell and every comparison. Default: ``False``.
    """

    def __init__(self, report: Report, full: bool = False) -> None:
        self.report = report
        self.full = full

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        report, plain = self.report, options.ascii_only
        yield _headline(report)
        shown = len(report.problems) if self.full else PROBLEMS
        for problem in report.problems[:shown]:
            yield _paragraph("problem: ", "bold red", problem)
        if len(report.problems) > shown:
            yield Text(f"... {len(report.problems) - shown} more problems; ask for the full report")
        if report.first_divergence is not None:
            yield _divergence(report.first_divergence)
        yield _cells(report, self.full, options.max_width, plain)
        if report.network:
            yield _network(report.network, self.full, plain)
        if report.curve is not None:
            yield _curve(report.curve, options.max_width, plain)
        for note in report.notes:
            yield _paragraph("note: ", "bold", note)


def show(report: Report, console: Console | None = None, full: bool = False) -> None:
    """Print a report; without colors where the output is no terminal.

    Args:
        report (Report): the report.
        console (rich.console.Console, optional): where to. Default: ``None``, standard output.
        full (bool): every cell and every comparison. Default: ``False``.
    """
    (console or Console()).print(View(report, full))


def sparkline(values: Sequence[float], width: int) -> str:
    """Values as a line of blocks; what is not finite shows as ``!``.

    Args:
        values (sequence): the numbers.
        width (int): the most characters; longer series are averaged in groups.

    Examples:
        >>> from agar.migrate.report.terminal import sparkline
        >>> sparkline([3.0, 2.0, 1.0, 0.0], 10)
        '█▆▃▁'
    """
    groups = min(len(values), max(width, 1))
    if not groups:
        return ""
    edges = [round(i * len(values) / groups) for i in range(groups + 1)]
    means = [sum(values[a:b]) / (b - a) for a, b in itertools.pairwise(edges)]
    finite = [v for v in means if math.isfinite(v)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    span = (high - low) or 1.0
    return "".join(
        _BARS[1 + round((v - low) / span * (len(_BARS) - 2))] if math.isfinite(v) else "!"
        for v in means
    )


def _headline(report: Report) -> Text:
    leaves = report.leaves
    text = Text()
    if report.passed and not report.native and leaves:
        text.append("EQUAL, NOT MIGRATED", "bold yellow")
    elif report.passed:
        text.append("EQUAL", "bold green")
    else:
        text.append("NOT EQUAL", "bold red")
    text.append(f"  {clean(report.name)}", "bold")
    text.append(f"  {report.mode}, {len(report.cells)} cells, {report.seconds:.1f} s\n", "dim")
    native = sum(c.native for c in leaves)
    good = sum(c.native and c.status == "equal" for c in leaves)
    text.append(f"verified {percent(report.verified)}", _share_style(report.verified))
    text.append(f" ({good} of {len(leaves)} leaf cells)   ")
    text.append(f"native {percent(report.native)}", _share_style(report.native))
    text.append(f" ({native} of {len(leaves)})   ")
    text.append(f"worst error {number(report.worst) if report.network else 'not measured'}")
    return text


def _share_style(fraction: float) -> str:
    return "green" if fraction == 1 else "yellow" if fraction else "red"


def _paragraph(head: str, style: str, body: str) -> Text:
    return Text.assemble((head, style), clean(body))


def _divergence(divergence: Divergence) -> Panel:
    where = clean(divergence.path) or "the network"
    parts: list[Any] = [Text(clean(divergence.cause))]
    if divergence.module_path is not None and divergence.module_path != divergence.path:
        parts.append(Text(f"original: {clean(divergence.module_path)}", "dim"))
    rule = rule_of(divergence.rule)
    if divergence.rule:
        text = Text.assemble(("rule: ", "bold"), divergence.rule)
        if rule is not None and rule.target:
            text.append(f" is {rule.target}")
            text.append(f"; all of it: agar migrate rules {rule.name}", "dim")
        parts.append(text)
    if divergence.line:
        parts.append(Text("write:", "bold"))
        code = Syntax(
            clean(divergence.line),
            "python",
            theme="ansi_dark",
            background_color="default",
            word_wrap=True,
        )
        parts.append(Padding(code, (0, 0, 0, 2)))
        parts.append(
            Text("tried: with this line the cell is equal", "green")
            if divergence.repaired
            else Text("this line was not tried, or does not repair everything", "yellow")
        )
    title = Text(
        f" first divergence: {where}, {clean(divergence.what)} ({divergence.stage}) ", "bold red"
    )
    return Panel(Group(*parts), title=title, title_align="left", border_style="red")


# ------------------------------------------------------------------------- the tree of cells


@dataclass
class _Row:
    """One line of the table: a cell, or several that are folded into it.

    Attributes:
        guide: the lines of the tree in front of the name.
        nodes: the cell; or neighbors, which the line stands for with all below them.
        folded: it stands for more than one cell.
    """

    guide: str
    nodes: list[Node]
    folded: bool

    @property
    def cells(self) -> list[CellResult]:
        if not self.folded:
            return [n.cell for n in self.nodes if n.cell]
        return [n.cell for first in self.nodes for n in first.walk() if n.cell]


def _cells(report: Report, full: bool, width: int, plain: bool) -> Group:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", expand=False)
    table.add_column("cell", no_wrap=True, overflow="ellipsis", min_width=16)
    if width >= 72:
        table.add_column("class", no_wrap=True, overflow="ellipsis")
    table.add_column("status", no_wrap=True)
    table.add_column("error", justify="right", no_wrap=True)
    if width >= 60:
        table.add_column("tolerance", justify="right", no_wrap=True)
    beside = width >= WIDE
    if beside:
        table.add_column("what", overflow="fold", ratio=1)
    root = outline(_with_network(report), report.name)
    rows = _rows(root, not full and len(report.cells) > ROWS, plain)
    shown = rows if full else rows[: 4 * ROWS]
    for row in shown:
        words = [Text(_words(row))] if beside else []
        table.add_row(*_line(row, width, plain), *words)
    parts: list[Any] = [table]
    if len(shown) < len(rows):
        parts.append(Text(f"... {len(rows) - len(shown)} more rows; ask for the full report"))
    if not beside:
        said = [(row, words) for row in shown if (words := _words(row)) and not row.folded]
        parts += [
            _paragraph(f"{clean(row.nodes[0].path or report.name)}: ", "bold", words)
            for row, words in said[: len(said) if full else 2 * WRONG]
        ]
        if not full and len(said) > 2 * WRONG:
            parts.append(Text(f"... {len(said) - 2 * WRONG} more; ask for the full report"))
    return Group(*parts)


def _with_network(report: Report) -> list[CellResult]:
    """The cells; the whole network shows what was compared end to end."""
    return [
        replace(c, comparisons=report.network) if not c.path and not c.comparisons else c
        for c in report.cells
    ]


def _rows(root: Node, fold: bool, plain: bool) -> list[_Row]:
    tee, end, bar = ("|-- ", "`-- ", "|   ") if plain else ("├─ ", "└─ ", "│  ")
    gap = " " * len(bar)
    out: list[_Row] = []
    stack: list[tuple[str, str, list[Node]]] = [("", "", [root])]
    while stack:
        first, rest, nodes = stack.pop()
        node = nodes[0]
        folded = len(nodes) > 1 or (fold and node.calm and bool(node.children) and node.depth > 1)
        out.append(_Row(first, nodes, folded))
        if folded:
            continue
        groups = _groups(node.children) if fold else [[c] for c in node.children]
        for i in reversed(range(len(groups))):
            final = i == len(groups) - 1
            guide, below = (end, gap) if final else (tee, bar)
            stack.append((rest + guide, rest + below, groups[i]))
    return out


def _groups(nodes: list[Node]) -> list[list[Node]]:
    """Neighbors of which none asks for attention, as one group where they are more than two."""
    out: list[list[Node]] = []
    for calm, run in itertools.groupby(nodes, key=lambda n: n.calm and n.depth > 1):
        members = list(run)
        if calm and len(members) > 2:
            out.append(members)
        else:
            out += [[n] for n in members]
    return out


def _line(row: _Row, width: int, plain: bool) -> list[Text]:
    node, cells = row.nodes[0], row.cells
    status = node.status if not row.folded else max((c.status for c in cells), key=_common)
    style = _STYLE.get(status, "")
    label = clean(node.name)
    if len(row.nodes) > 1:
        label += f" .. {clean(row.nodes[-1].name)}"
    name = Text.assemble((row.guide, "dim"), (label, "" if status == "equal" else style))
    compared = [c for cell in cells for c in cell.comparisons]
    shown = failure(compared)
    line = [name]
    if width >= 72:
        line.append(Text(_count(cells) if row.folded else _classes(node.cell), "dim"))
    line.append(Text(f"{_SIGN.get(status, ('?', '?'))[plain]} {status}", style))
    error = node.error if not row.folded else shown.error if shown else None
    line.append(Text(number(error), _heat(shown)))
    if width >= 60:
        line.append(Text(number(shown.tolerance) if shown else "", "dim"))
    return line


def _common(status: str) -> int:
    """What a row of several cells is called: equal, where one of them is."""
    return ("not run", "foreign", "equal").index(status)


def _count(cells: list[CellResult]) -> str:
    foreign = sum(c.status == "foreign" for c in cells)
    return f"{len(cells)} cells" + (f", {foreign} foreign" if foreign else "")


def _classes(cell: CellResult | None) -> str:
    if cell is None:
        return ""
    if cell.module_type is None or cell.module_type == cell.cell_type:
        return clean(cell.cell_type)
    return clean(f"{cell.cell_type} <- {cell.module_type}")


def _heat(shown: Comparison | None) -> str:
    """Color of an error: by its distance from the tolerance."""
    if shown is None or shown.error is None:
        return "dim"
    if not shown.equal:
        return "bold red"
    return "green" if shown.error <= shown.tolerance / 10 else "yellow"


def _words(row: _Row) -> str:
    """What happened in the cell, in words; nothing where the status says it all."""
    cell = row.nodes[0].cell
    if cell is None or row.folded:
        return ""
    shown = failure(cell.comparisons)
    if cell.reason or shown is None or shown.equal:
        return clean(cell.reason)
    where = f"{shown.what} ({shown.stage})"
    return clean(f"{where}: {shown.reason}" if shown.reason else where)


# --------------------------------------------------------------------- the network, the curves


def _network(comparisons: list[Comparison], full: bool, plain: bool) -> Table:
    table = Table(
        box=None,
        padding=(0, 2, 0, 0),
        header_style="bold",
        title="\nthe whole network",
        title_justify="left",
        title_style="bold",
    )
    for name in ("stage", "what"):
        table.add_column(name, overflow="fold")
    table.add_column("error", justify="right", no_wrap=True)
    table.add_column("tolerance", justify="right", no_wrap=True)
    table.add_column("", overflow="fold", ratio=1)
    for stage in dict.fromkeys(c.stage for c in comparisons):
        group = [c for c in comparisons if c.stage == stage]
        wrong = [c for c in group if not c.equal]
        good = [c for c in group if c.equal]
        shown = group if full else wrong[:WRONG]
        for c in shown:
            table.add_row(*_comparison(c, clean(c.what), plain))
        if full:
            continue
        if len(wrong) > WRONG:
            table.add_row(clean(stage), Text(f"... {len(wrong) - WRONG} more differ", "red"))
        if good:
            worst = max(good, key=lambda c: c.error or 0.0)
            rest = f", {len(good) - 1} more no worse" if len(good) > 1 else ""
            table.add_row(*_comparison(worst, clean(worst.what) + rest, plain))
    return table


def _comparison(c: Comparison, what: str, plain: bool) -> list[Text]:
    sign = _SIGN["equal" if c.equal else "different"][plain]
    verdict = f"{sign} {clean(c.reason)}".rstrip()
    return [
        Text(clean(c.stage)),
        Text(what),
        Text(number(c.error), _heat(c)),
        Text(number(c.tolerance), "dim"),
        Text(verdict, "green" if c.equal else "red"),
    ]


def _curve(curve: Curve, width: int, plain: bool) -> Table:
    table = Table(
        box=None,
        padding=(0, 2, 0, 0),
        show_header=False,
        title_justify="left",
        title_style="bold",
        title=f"\ntraining, {len(curve.original)} steps",
    )
    room = max(8, width - 40)
    for name, values in (("original", curve.original), ("migrated", curve.migrated)):
        ends = f"{values[0]:.4g} to {values[-1]:.4g}" if values else "no steps"
        line = Text(name), Text("" if plain else sparkline(values, room)), Text(ends)
        table.add_row(*line)
    if curve.inside:
        verdict = Text("the curves agree within the noise of rounding", "green")
    else:
        step = _leaves_band(curve)
        where = "" if step is None else f", first at step {step + 1}"
        verdict = Text(f"the migrated curve leaves the band of rounding noise{where}", "red")
    outer = Table(box=None, show_header=False, padding=0)
    outer.add_row(table)
    outer.add_row(verdict)
    return outer


def _leaves_band(curve: Curve) -> int | None:
    for i, (v, low, high) in enumerate(zip(curve.migrated, curve.low, curve.high, strict=False)):
        if not low <= v <= high:
            return i
    return None
