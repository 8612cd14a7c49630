"""Writes the page of rules: what a name of PyTorch becomes, row by row.

It is read from the table that scanning, conversion and checks use, so that it says what they do.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from agar.migrate.rules import Case, Rule, rules
from agar.migrate.rules._rule import default_of, plain_template

#: The parts of the page: title, beginning of the names, in the order in which they are tried.
PARTS: tuple[tuple[str, str, str], ...] = (
    ("Layers and losses", "torch.nn.", "module"),
    ("Functions of torch.nn.functional", "torch.nn.functional.", "function"),
    ("Initializers", "torch.nn.init.", ""),
    ("Tools of torch.nn.utils", "torch.nn.utils.", ""),
    ("Methods of Module", "torch.nn.Module.", ""),
    ("Parameters and others of torch.nn", "torch.nn.", ""),
    ("Learning rates", "torch.optim.lr_scheduler.", ""),
    ("Optimizers", "torch.optim.", ""),
    ("Linear algebra", "torch.linalg.", ""),
    ("Special functions", "torch.special.", ""),
    ("Fourier transforms", "torch.fft.", ""),
    ("Methods and attributes of Tensor", "torch.Tensor.", ""),
    ("Functions of torch", "torch.", ""),
)

HEAD = ("PyTorch", "agar and MindSpore", "what to know")

#: Tables of code want the whole width of the window.
WIDE = """```{raw} html
<style>
.content { width: min(100%, 100em); }
.content td { vertical-align: top; }
.content td code { white-space: normal; overflow-wrap: anywhere; }
.content td:first-child { min-width: 15em; }
.content td:nth-child(2) { min-width: 22em; }
</style>
```
"""


def part_of(row: Rule) -> str:
    """The title of the part in which a row stands."""
    for title, start, kind in PARTS:
        if row.source.startswith(start) and kind in ("", row.kind):
            return title
    raise ValueError(f"{row.source} fits no part of the page of rules.")


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|")


#: What is code in the texts of the table: calls, names with a dot, arguments with a value.
_PARENTHESES = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
_CODE = re.compile(
    rf"(?<![\w.`])(?:(?:nn|ops|mint|ms|torch|mindspore|dataset|communication)(?:\.\w+)+"
    rf"(?:{_PARENTHESES})?"
    rf"|\w+=(?!=)(?:'[^']*'|[\w.]*{_PARENTHESES}|[-\w.]*\w)"
    rf"|\w+{_PARENTHESES})"
)


def _prose(text: str, clean: Callable[[str], str]) -> str:
    """A text of the table, its code marked as such."""
    if "`" in text:
        return clean(text)
    return clean(_CODE.sub(lambda found: f"`{found[0]}`", text))


def _counterparts(row: Rule) -> Iterator[str]:
    """The code of every form, the usual one first."""
    for case in _usual_first(row.cases):
        code = _code(plain_template(case.template))
        yield code if case.when is None else f"where {_code(case.when)}: {code}"


def _arguments(row: Rule) -> Iterator[str]:
    """Renamed arguments, and those whose default is another one."""
    for call in ast.walk(ast.parse(plain_template(_usual_first(row.cases)[0].template))):
        if not isinstance(call, ast.Call):
            continue
        for keyword in call.keywords:
            if not isinstance(keyword.value, ast.Name):
                continue
            parameter = row.signature.parameters.get(keyword.value.id)
            if parameter is None:
                continue
            if parameter.name != keyword.arg:
                yield f"{_code(parameter.name)} is {_code(str(keyword.arg))}"
            ours = default_of(ast.unparse(call.func), str(keyword.arg))
            empty = inspect.Parameter.empty
            if empty not in (ours, parameter.default) and not _equal(ours, parameter.default):
                yield (
                    f"{_code(str(keyword.arg))} is {_code(repr(ours))} by default, "
                    f"PyTorch's {_code(repr(parameter.default))}"
                )


def _usual_first(cases: Sequence[Case]) -> list[Case]:
    return sorted(cases, key=lambda case: case.when is not None)


def _equal(ours: Any, theirs: Any) -> bool:
    # a dtype that is not given is the library's own in both
    return theirs is None or bool(ours == theirs)


def _notes(row: Rule, clean: Callable[[str], str]) -> Iterator[str]:
    for topic, text in row.differs.items():
        yield f"{_code(topic)}: {_prose(text, clean)}"
    for condition, reason in row.refuse.items():
        yield f"not where {_code(condition)}: {_prose(reason, clean)}"
    for case in row.cases:
        if case.note:
            yield _prose(case.note, clean)
    if row.reason:
        yield _prose(row.reason, clean)
    for other in row.others:
        if other.cases:
            code = _code(plain_template(_usual_first(other.cases)[0].template))
            yield f"{_code(f'{row.name}{other.signature}')}: {code}"
    if row.weights:
        names = ", ".join(
            f"{_code(w.source)} is {_code(w.target)}"
            if w.target
            else f"{_code(w.source)} is not kept"
            for w in row.weights
            if w.source != "children"
        )
        if names:
            yield f"state: {names}"
    if row.agar_only:
        yield "MindSpore 2.10 lacks it"


def _joined(parts: Iterator[str]) -> str:
    return "<br>".join(dict.fromkeys(parts))


def page(clean: Callable[[str], str]) -> str:
    """The page as Markdown.

    Args:
        clean: makes text fit for one cell of a table.
    """
    grouped: dict[str, list[Rule]] = {title: [] for title, _, _ in PARTS}
    for row in rules():
        grouped[part_of(row)].append(row)
    every = [row for rows in grouped.values() for row in rows]
    able = sum(1 for row in every if row.cases)
    executed = sum(1 for row in every if row.cases and row.samples)
    lines = [
        "---",
        "hide-toc: true",
        "---",
        "# PyTorch, call by call",
        "",
        WIDE,
        f"{len(every)} names of PyTorch; {able} have a counterpart. The tests execute {executed} "
        "of these on both sides, and compare values and gradients. `agar migrate` reads the same "
        "table. Names on the right are those of `mindspore` (or `agar`): `ms`, `nn`, `ops`, "
        "`mint`. An argument stands under PyTorch's name where its value goes.",
        "",
        "| part | names | with a counterpart |",
        "| --- | ---: | ---: |",
    ]
    body: list[str] = []
    for title, item in grouped.items():
        if not item:
            continue
        count = sum(1 for row in item if row.cases)
        lines.append(f"| [{title}](#{_anchor(title)}) | {len(item)} | {count} |")
        body += [f"({_anchor(title)})=", "", f"## {title}", ""]
        body += ["| " + " | ".join(HEAD) + " |", "|" + " --- |" * len(HEAD)]
        for row in sorted(item, key=lambda row: row.source.lower()):
            if row.cases:
                notes = chain(_arguments(row), _notes(row, clean))
                cells = [_code(row.source), _joined(_counterparts(row)), _joined(notes)]
                body.append("| " + " | ".join(cells) + " |")
        body.append("")
        absent = [row for row in item if not row.cases]
        if absent:
            body += ["| without a counterpart | why, and what to do |", "| --- | --- |"]
            for row in sorted(absent, key=lambda row: row.source.lower()):
                body.append(f"| {_code(row.source)} | {_prose(row.reason, clean)} |")
            body.append("")
    lines.append("")
    return "\n".join(lines + body)


def _anchor(title: str) -> str:
    return "rules-" + title.lower().replace(" ", "-").replace(".", "-")
