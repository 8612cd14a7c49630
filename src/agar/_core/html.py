"""What notebooks show: small blocks of HTML, in which every text is escaped.

NOTE A notebook asks objects for ``_repr_html_``. The blocks carry their few styles with them and
take the notebook's own colors, so they can be read on light and on dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from agar._core.printing import tensor_str

__all__ = ["block", "fold", "parameter", "table", "tensor", "text"]

_PRE = "margin:0;padding:0;background:none;border:0;white-space:pre;overflow-x:auto;line-height:1.3"
_CELL = "text-align:left"


def block(head: str, facts: Iterable[str], *bodies: str) -> str:
    """A titled block.

    Args:
        head: the name in the first line, plain text.
        facts: what stands behind it, plain texts.
        bodies: HTML below it, from the other functions of this module.
    """
    line = _line(head, facts)
    return f'<div class="agar" style="margin:2px 0">{line}{"".join(bodies)}</div>'


def _line(head: str, facts: Iterable[str]) -> str:
    told = "".join(f' <span style="opacity:.7">{escape(fact)}</span>' for fact in facts)
    return f"<b>{escape(head)}</b>{told}"


def text(content: str) -> str:
    """A text in lines, as it would be printed."""
    return f'<pre style="{_PRE}">{escape(content)}</pre>'


def fold(head: str, facts: Iterable[str], *bodies: str, opened: bool = False) -> str:
    """A block that opens at a click; one without bodies has nothing to open."""
    inside = "".join(bodies)
    if not inside:
        return f'<div style="margin-left:1.1em">{block(head, facts)}</div>'
    return (
        f"<details{' open' if opened else ''}><summary>{_line(head, facts)}</summary>"
        f'<div style="margin-left:1.3em">{inside}</div></details>'
    )


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of plain texts."""
    top = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in head)
    lines = [
        "<tr>" + "".join(f'<td style="{_CELL}">{escape(value)}</td>' for value in row) + "</tr>"
        for row in rows
    ]
    return (
        f'<table style="border-collapse:collapse"><thead><tr>{top}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table>"
    )


def tensor(value: Any) -> str:
    """A Tensor: shape, dtype, device and the values as ``print`` shows them.

    Values that are not there, since an initializer has not run or the tensor only describes
    inputs, are left out, and nothing is computed for the picture.
    """
    facts = [f"shape {value.shape}", str(value.dtype)]
    if value.has_init or any(n is None or n < 0 for n in value.shape):
        return block("Tensor", [*facts, "no values yet"])
    held = value._value
    if held.device.type == "meta":
        return block("Tensor", [*facts, "no values on device meta"])
    if held.device.type != "cpu":
        facts.append(str(held.device))
    return block("Tensor", facts, text(str(value)))


def parameter(value: Any) -> str:
    """A Parameter: its name, what it is, and the values behind a click."""
    facts = [f"shape {value.shape}", str(value.dtype)]
    facts.append("trained" if value.requires_grad else "frozen")
    head = f"Parameter {value.name}"
    if value.has_init:
        return block(head, [*facts, "not initialized yet"])
    held = value._value
    if held.device.type == "meta":
        return block(head, [*facts, "no values on device meta"])
    if held.device.type != "cpu":
        facts.append(str(held.device))
    return fold(head, facts, text(tensor_str(held)))
