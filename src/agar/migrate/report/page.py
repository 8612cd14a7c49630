"""The report as one page of HTML that needs nothing but a browser."""

from __future__ import annotations

import html
import json
import math
import re
from pathlib import Path
from typing import Any

from agar._core.files import replacing
from agar.migrate.report.outline import number, outline, percent, rule_of, rule_text
from agar.migrate.result import CellResult, Report

__all__ = ["render", "write"]

_ASSETS = Path(__file__).parent / "assets"


def write(report: Report, path: Path) -> Path:
    """Write the page; the file is complete or not there at all.

    Args:
        report (Report): the report.
        path (Path): the file.

    Returns:
        Path, the file.
    """
    # a lone surrogate in a name has no bytes
    data = render(report).encode("utf-8", errors="replace")
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        Path(temporary).write_bytes(data)
    return path


def render(report: Report) -> str:
    """The page as text.

    Args:
        report (Report): the report.
    """
    from agar import __version__

    verdict, style = _verdict(report)
    cells = len(report.cells)
    meta = f"{report.mode} · {cells} cell{'' if cells == 1 else 's'} · {report.seconds:.1f} s"
    parts = {
        "VERSION": html.escape(__version__),
        "TITLE": html.escape(f"{report.name}: {verdict}"),
        "NAME": html.escape(report.name),
        "META": html.escape(meta),
        "VERDICT": verdict,
        "VERDICT_CLASS": style,
        "TILES": _tiles(report),
        "STYLE": (_ASSETS / "page.css").read_text(encoding="utf-8"),
        "SCRIPT": (_ASSETS / "page.js").read_text(encoding="utf-8"),
        "DATA": _script_json(_data(report)),
    }
    page = (_ASSETS / "page.html").read_text(encoding="utf-8")
    # one pass: a name such as @DATA@ in a user's text stays text
    return re.sub(r"@([A-Z_]+)@", lambda m: parts.get(m[1], m[0]), page)


def _verdict(report: Report) -> tuple[str, str]:
    if not report.passed:
        return "not equal", "fail"
    if report.leaves and not report.native:
        return "equal, not migrated", "half"
    return "equal", "pass"


def _tiles(report: Report) -> str:
    leaves = report.leaves
    native = sum(c.native for c in leaves)
    good = sum(c.native and c.status == "equal" for c in leaves)
    worst = number(report.worst) if report.network else "not measured"
    tiles = [
        ("passed", "yes" if report.passed else "no", None),
        ("verified", f"{percent(report.verified)} <small>{good} of {len(leaves)}</small>", good),
        ("native", f"{percent(report.native)} <small>{native} of {len(leaves)}</small>", native),
        ("worst error, end to end", worst, None),
        ("problems", str(len(report.problems)), None),
    ]
    out = []
    for name, value, count in tiles:
        gauge = ""
        if count is not None:
            share = 100 * count / len(leaves) if leaves else 0
            gauge = f'<div class="gauge"><i style="width:{share:.1f}%"></i></div>'
        out.append(f"<div><dt>{name}</dt><dd>{value}</dd>{gauge}</div>")
    return "".join(out)


def _data(report: Report) -> dict[str, Any]:
    """What the script reads: sources and rules once each, rows from top to bottom."""
    plain = report.to_dict()
    sources: list[dict[str, Any]] = []
    seen: dict[tuple[Any, ...], int] = {}
    rules: dict[str, Any] = {}
    for cell, entry in zip(report.cells, plain["cells"], strict=True):
        entry["error"] = _plain_number(cell.error)
        for side in ("cell_source", "module_source"):
            source = entry[side]
            if source is None:
                continue
            key = tuple(source.values())
            if key not in seen:
                seen[key] = len(sources)
                sources.append(source)
            entry[side] = seen[key]
        entry["rule"] = _keep_rule(_of_torch(cell), rules)
    first = report.first_divergence
    cells = plain.pop("cells")
    place = {id(cell): i for i, cell in enumerate(report.cells)}
    nodes = list(outline(report.cells, report.name).walk())
    at = {node.path: i for i, node in enumerate(nodes)}
    rows = [
        {
            "name": node.name,
            "path": node.path,
            "depth": node.depth,
            "parent": None if not node.depth else at[node.path.rpartition(".")[0]],
            "cell": None if node.cell is None else place[id(node.cell)],
        }
        for node in nodes
    ]
    return {
        "report": plain,
        "cells": cells,
        "rows": rows,
        "sources": sources,
        "rules": rules,
        "first_rule": _keep_rule(first.rule if first else None, rules),
    }


def _of_torch(cell: CellResult) -> str | None:
    """The class of the original, where it is PyTorch's own."""
    source = cell.module_source
    if source is not None and "torch" not in Path(source.file).parts:
        return None
    return cell.module_type


def _keep_rule(name: str | None, rules: dict[str, Any]) -> str | None:
    rule = rule_of(name)
    if rule is None:
        return None
    if rule.source not in rules:
        rules[rule.source] = rule_text(rule)
    return rule.source


def _plain_number(value: float | None) -> float | str | None:
    return value if value is None or math.isfinite(value) else str(value)


def _script_json(value: Any) -> str:
    """JSON that may stand in a script element, whatever its strings contain."""

    def shorten(item: Any) -> Any:
        if isinstance(item, float):
            return float(f"{item:.6g}")
        if isinstance(item, dict):
            return {k: shorten(v) for k, v in item.items()}
        if isinstance(item, list):
            return [shorten(v) for v in item]
        return item

    text = json.dumps(shorten(value), separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
