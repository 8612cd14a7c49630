"""Docstrings as Markdown: Google-style sections, mathematics, tables, references to other names."""

from __future__ import annotations

import functools
import inspect
import logging
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import griffe

__all__ = [
    "Resolve",
    "cell",
    "markdown",
    "prose",
    "signature",
    "summary",
    "table",
    "without_addresses",
]

#: What a reference in a docstring means: from its text to the target of a page, None for none.
Resolve = Callable[[str], "str | None"]

# griffe reports what it cannot match between docstring and signature; the tests check docstrings
logging.getLogger("griffe").setLevel(logging.CRITICAL)

_MATH = re.compile(r":math:`([^`]+)`")
_MATH_BLOCK = re.compile(
    r"^\.\. math::[ \t]*(?P<first>.*)\n(?P<rest>(?:[ \t]+\S.*\n|[ \t]*\n(?=[ \t]+\S))*)",
    re.MULTILINE,
)
_RULE = r"=+(?: +=+)+"
_SIMPLE_TABLE = re.compile(
    rf"^(?P<rule>{_RULE})\n(?P<head>(?:(?!=).*\n)+){_RULE}\n(?P<body>(?:(?!=).*\n)+?){_RULE}$",
    re.MULTILINE,
)
_ROLE = re.compile(r":(?:py:)?(?:class|func|meth|mod|attr|data|exc|obj):`~?([^`]+)`")
_FIELD = re.compile(r"^(Outputs|Difference from PyTorch|Source):", re.MULTILINE)
# an entry of a layer's section `Inputs`; tests/test_documentation.py holds layers to this form
_INPUT = re.compile(
    r"^- (\*\*\w+\*\*(?:, \*\*\w+\*\*)*) \((.+?)\) - ((?:.*\n?)(?: +.*\n?)*)", re.MULTILINE
)
#: Signatures that are longer have a parameter on each line.
WIDE = 80
#: An annotation that Python holds as a string.
_ANNOTATION = re.compile(r"(: |-> )(['\"])(.*?)\2(?=$|[\n,)]| =)")
#: Objects whose text is not Python: a class, a function, a member of an enumeration.
_OBJECT = re.compile(
    r"<class '(?:[\w.]*\.)?(\w+)'>|<function (?:[\w<>]+\.)*<?(\w+)>?>|<([A-Z]\w*\.\w+): [^>]+>"
)
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_SENTENCE = re.compile(r"(?<=[.!?:;])\s")


def _unresolved(reference: str) -> str | None:
    return None


def _fence(block: re.Match[str]) -> str:
    body = inspect.cleandoc(f"{block['first']}\n{block['rest']}").strip()
    return f"```{{math}}\n{body}\n```\n"


def _simple_table(match: re.Match[str]) -> str:
    """A table of reStructuredText, whose columns are the spans of its ruled line."""
    spans = [m.span() for m in re.finditer("=+", match["rule"])]
    spans[-1] = (spans[-1][0], sys.maxsize)  # the last column may run over

    def cells(line: str) -> list[str]:
        return [line[start:end].strip().replace("|", "\\|") for start, end in spans]

    rows: list[list[str]] = []
    for line in match["body"].splitlines():
        row = cells(line)
        if row[0] or not rows:
            rows.append(row)
        else:  # an empty first cell continues the row above
            rows[-1] = [
                f"{above} {below}".strip() for above, below in zip(rows[-1], row, strict=True)
            ]
    return f"\n{table(cells(match['head'].splitlines()[0]), rows)}\n"


def prose(text: str, resolve: Resolve = _unresolved) -> str:
    """Docstring text as Markdown: references become links, the closing lines stand out."""

    def reference(match: re.Match[str]) -> str:
        target = resolve(match[1])
        return f"`{match[1]}`" if target is None else f"[`{match[1]}`](#{target})"

    text = _ROLE.sub(reference, _MATH.sub(r"{math}`\1`", text))
    text = _SIMPLE_TABLE.sub(_simple_table, text)
    text = _MATH_BLOCK.sub(_fence, text + "\n").rstrip()
    text = _FIELD.sub(r"\n**\1:**", text)
    # reStructuredText's literal block
    return re.sub(r"::\n\n(?= {4})", ":\n\n", text)


def cell(text: str, resolve: Resolve = _unresolved) -> str:
    """Text for one cell of a Markdown table."""
    return prose(text, resolve).replace("\n", " ").replace("|", "\\|")


def summary(value: Any) -> str:
    """The first sentence of an object's docstring, for one cell of a table."""
    first = inspect.cleandoc(value.__doc__ or "").split("\n\n")[0]
    if ":math:" not in first:
        first = _SENTENCE.split(first)[0].rstrip(":;")
    return cell(first)


def signature(name: str, value: Any) -> str:
    """A call of the object with its parameters, as a reader writes it."""
    if inspect.isclass(value) and {"__new__", "__init__"} <= vars(value).keys():
        value = functools.partial(value.__init__, None)  # the other takes anything
    try:
        found = inspect.signature(value)
        if inspect.isclass(value) or isinstance(value, functools.partial):
            found = found.replace(return_annotation=found.empty)  # None, of `__init__`
        shown = str(found)
        if len(name) + len(shown) > WIDE:
            shown = _by_lines(found)
    except (TypeError, ValueError):
        shown = "(...)"
    shown = without_addresses(_ANNOTATION.sub(r"\1\3", shown)).replace("agar._core.", "")
    return name + _OBJECT.sub(lambda match: next(filter(None, match.groups())), shown)


def _by_lines(found: inspect.Signature) -> str:
    """A signature with a parameter on each line."""
    kind = inspect.Parameter
    lines, before = [], kind.POSITIONAL_ONLY
    for parameter in found.parameters.values():
        if before is kind.POSITIONAL_ONLY and parameter.kind is not before and lines:
            lines.append("/")
        if parameter.kind is kind.KEYWORD_ONLY and before not in (
            kind.VAR_POSITIONAL,
            kind.KEYWORD_ONLY,
        ):
            lines.append("*")
        lines.append(str(parameter))
        before = parameter.kind
    if before is kind.POSITIONAL_ONLY and lines:
        lines.append("/")
    body = "".join(f"    {line},\n" for line in lines)
    # what a signature without parameters would show behind the parentheses
    return f"(\n{body}){str(found.replace(parameters=[]))[2:]}"


def without_addresses(text: str) -> str:
    """Text without the places of objects in memory, which differ from run to run."""
    return _ADDRESS.sub("", text)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def _arguments(items: Sequence[Any], resolve: Resolve) -> str:
    typed = any(item.annotation for item in items)
    heads = ("name", "type", "meaning") if typed else ("name", "meaning")
    rows = []
    for item in items:
        row = [f"`{item.name}`", cell(item.description, resolve)]
        if typed:
            kind = "" if item.annotation is None else str(item.annotation).replace("|", "\\|")
            row.insert(1, f"`{kind}`" if kind else "")
        rows.append(row)
    return table(heads, rows)


def markdown(text: str, resolve: Resolve = _unresolved) -> Iterator[str]:
    """The sections of a Google-style docstring."""
    kind = griffe.DocstringSectionKind
    # colons of roles would end the type of what is returned
    parsed = griffe.Docstring(_MATH.sub(r"{math}`\1`", inspect.cleandoc(text)))
    for section in parsed.parse("google", returns_named_value=False, returns_multiple_items=False):
        value: Any = section.value
        match section.kind:
            case kind.text:
                yield prose(value, resolve)
            case kind.parameters | kind.other_parameters | kind.attributes:
                title = "Attributes" if section.kind is kind.attributes else "Arguments"
                yield f"**{section.title or title}**\n"
                yield _arguments(value, resolve)
            case kind.returns | kind.yields:
                yield f"**{section.title or 'Returns'}**\n"
                for item in value:
                    annotation = f"`{item.annotation}`: " if item.annotation else ""
                    yield f"{annotation}{prose(item.description, resolve)}"
            case kind.raises | kind.warns:
                yield f"**{section.title or 'Raises'}**\n"
                yield table(
                    ("type", "when"),
                    ((f"`{item.annotation}`", cell(item.description, resolve)) for item in value),
                )
            case kind.examples:
                yield "**Examples**\n"
                for part, content in value:
                    if part is kind.examples:
                        yield f"```pycon\n{content}\n```"
                    else:
                        yield prose(content, resolve)
            case kind.admonition:
                title = section.title or value.kind
                if title == "Inputs" and (items := _INPUT.findall(value.contents)):
                    yield "**Inputs**\n"
                    rows = (
                        (
                            names.replace("**", "`"),
                            f"`{annotation}`",
                            cell(" ".join(meaning.split()), resolve),
                        )
                        for names, annotation, meaning in items
                    )
                    yield table(("name", "type", "meaning"), rows)
                    continue
                if title == "Outputs":
                    yield f"**Outputs:** {prose(value.contents, resolve)}"
                    continue
                yield f":::{{admonition}} {title}\n{prose(value.contents, resolve)}\n:::"
            case _:
                yield prose(str(getattr(value, "contents", value)), resolve)
