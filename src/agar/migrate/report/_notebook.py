"""Reports as notebooks show them: a verdict, what to do, and tables behind a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agar._core import html
from agar.migrate.report.outline import number, outline, percent
from agar.migrate.result import Report

if TYPE_CHECKING:
    from agar.migrate.scanner import ScanResult
    from agar.migrate.script_runs import ScriptCheck
    from agar.migrate.weight_matching import Transfer

__all__ = ["report_html", "scan_html", "script_html", "transfer_html"]

#: Tables of more rows than this are cut, with a word.
_MOST = 400


def report_html(report: Report) -> str:
    """A check: verdict, problems, first divergence, cells."""
    verdict = "equal" if report.passed else "not equal"
    if report.passed and report.leaves and not report.native:
        verdict = "equal, not migrated"
    facts = [
        verdict,
        report.mode,
        f"verified {percent(report.verified)}",
        f"native {percent(report.native)}",
        f"worst error {number(report.worst) if report.network else 'not measured'}",
        f"{report.seconds:.1f} s",
    ]
    parts = [html.text(f"problem: {problem}") for problem in report.problems]
    first = report.first_divergence
    if first is not None:
        lines = [f"first divergence: {first.path or 'the network'} ({first.what})", first.cause]
        if first.line:
            lines.append(f"{'this repairs it' if first.repaired else 'try'}: {first.line}")
        parts.append(html.text("\n".join(lines)))
    rows = [
        (
            "\u2003" * node.depth + node.name,
            node.cell.cell_type if node.cell else "",
            node.status,
            "" if node.error is None else number(node.error),
        )
        for node in outline(report.cells, report.name).walk()
    ]
    parts.append(_folded("cells", ("cell", "type", "status", "error"), rows))
    parts += [html.text(f"note: {note}") for note in report.notes]
    return html.block(report.name, facts, *parts)


def transfer_html(transfer: Transfer) -> str:
    """Weights on their way: whether all have their place, and the pairs."""
    rows = [
        (row.source, row.target, str(row.shape), row.dtype, row.how)
        for row in [*transfer.rows, *transfer.optimizer]
    ]
    facts = ["complete" if transfer.complete else "not complete", f"{len(rows)} tensors"]
    parts = [html.text(problem) for problem in transfer.problems()]
    parts += [html.text(f"assumed: {assumption}") for assumption in transfer.assumptions]
    parts.append(_folded("tensors", ("from", "to", "shape", "dtype", "how"), rows))
    left = list(transfer.left_out.items())
    if left:
        parts.append(_folded("left out", ("name", "reason"), left))
    return html.block("Transfer", facts, *parts)


def scan_html(scan: ScanResult) -> str:
    """Uses of PyTorch: how many of each status, and what needs a hand."""
    facts = [f"{len(scan.files)} files", f"{len(scan.calls)} uses of PyTorch"]
    facts += [f"{count} {status}" for status, count in scan.totals.items()]
    parts = [html.text(f"{file}: {reason}") for file, reason in scan.errors]
    rows = [(f"{c.file}:{c.line}", c.name, c.reason) for c in scan.by_hand]
    if rows:
        parts.append(_folded("by hand", ("where", "name", "reason"), rows))
    return html.block(scan.path, facts, *parts)


def script_html(check: ScriptCheck) -> str:
    """Two runs of a program: the verdict, and the marks that are left to the reader."""
    facts = ["equal" if check.passed else "not equal", f"{check.lines} lines compared"]
    parts = [html.text(str(check))]
    rows = [(str(note.line), note.text) for note in check.by_hand]
    if rows:
        parts.append(_folded("by hand", ("line", "what"), rows))
    return html.block("ScriptCheck", facts, *parts)


def _folded(name: str, head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    shown = [html.table(head, rows[:_MOST])]
    if len(rows) > _MOST:
        shown.append(html.text(f"... {len(rows) - _MOST} more"))
    return html.fold(name, [str(len(rows))], *shown)
