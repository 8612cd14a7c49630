"""A Sphinx extension that writes the API pages from the docstrings of what `__all__` lists.

The pages are made from the running package, not from its source text: most operators are faces
of an operator table and exist only when asked for. Each object is documented in full once, under
its shortest public path; the other modules that list it link there.
"""

from __future__ import annotations

import inspect
import logging
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import griffe
import names_page
import rules_page

# the surface is defined once, by the test that guards it
from test_public_names import public_modules

if TYPE_CHECKING:
    from sphinx.application import Sphinx

# griffe reports what it cannot match between docstring and signature; the tests check docstrings
logging.getLogger("griffe").setLevel(logging.CRITICAL)

# docutils compares targets without case, so the class `ops.Add` needs another than the function
_TARGETS: dict[str, str] = {}
_TAKEN: set[str] = set()

#: The page of MindSpore's names.
NAMES = "names.md"
#: The page of PyTorch's names and what becomes of them.
RULES = "rules.md"

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
_FIELD = re.compile(r"^(Difference from PyTorch|Source):", re.MULTILINE)
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def _fence(block: re.Match[str]) -> str:
    body = inspect.cleandoc(f"{block['first']}\n{block['rest']}").strip()
    return f"```{{math}}\n{body}\n```\n"


def _simple_table(table: re.Match[str]) -> str:
    """A table of reStructuredText, whose columns are the spans of its ruled line."""
    spans = [m.span() for m in re.finditer("=+", table["rule"])]
    spans[-1] = (spans[-1][0], sys.maxsize)  # the last column may run over

    def cells(line: str) -> list[str]:
        return [line[start:end].strip().replace("|", "\\|") for start, end in spans]

    rows: list[list[str]] = []
    for line in table["body"].splitlines():
        row = cells(line)
        if row[0] or not rows:
            rows.append(row)
        else:  # an empty first cell continues the row above
            rows[-1] = [
                f"{above} {below}".strip() for above, below in zip(rows[-1], row, strict=True)
            ]
    return f"\n{_table(cells(table['head'].splitlines()[0]), rows)}\n"


def _prose(text: str) -> str:
    """Docstring text as Markdown: roles become code, the house's closing lines stand out."""
    text = _ROLE.sub(r"`\1`", _MATH.sub(r"{math}`\1`", text))
    text = _SIMPLE_TABLE.sub(_simple_table, text)
    text = _MATH_BLOCK.sub(_fence, text + "\n").rstrip()
    text = _FIELD.sub(r"\n**\1:**", text)
    # reStructuredText's literal block
    return re.sub(r"::\n\n(?= {4})", ":\n\n", text)


def _cell(text: str) -> str:
    """Text for one cell of a Markdown table."""
    return _prose(text).replace("\n", " ").replace("|", "\\|")


def _signature(name: str, value: Any) -> str:
    try:
        signature = str(inspect.signature(value))
    except (TypeError, ValueError):
        signature = "(...)"
    return _ADDRESS.sub("", f"{name}{signature}").replace("agar._core.", "").replace("'", "")


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def _docstring(text: str) -> Iterator[str]:
    """The sections of a Google-style docstring as Markdown."""
    kind = griffe.DocstringSectionKind
    docstring = griffe.Docstring(inspect.cleandoc(text))
    for section in docstring.parse(
        "google", returns_named_value=False, returns_multiple_items=False
    ):
        value: Any = section.value
        match section.kind:
            case kind.text:
                yield _prose(value)
            case kind.parameters | kind.other_parameters | kind.attributes:
                title = "Attributes" if section.kind is kind.attributes else "Arguments"
                yield f"**{section.title or title}**\n"
                yield _table(
                    ("name", "meaning"),
                    ((f"`{item.name}`", _cell(item.description)) for item in value),
                )
            case kind.returns | kind.yields:
                yield f"**{section.title or 'Returns'}**\n"
                for item in value:
                    kept = f"`{item.annotation}`: " if item.annotation else ""
                    yield f"{kept}{_prose(item.description)}"
            case kind.raises | kind.warns:
                yield f"**{section.title or 'Raises'}**\n"
                yield _table(
                    ("type", "when"),
                    ((f"`{item.annotation}`", _cell(item.description)) for item in value),
                )
            case kind.examples:
                yield "**Examples**\n"
                for part, content in value:
                    if part is kind.examples:
                        yield f"```pycon\n{content}\n```"
                    else:
                        yield _prose(content)
            case kind.admonition:
                title = section.title or value.kind
                yield f":::{{admonition}} {title}\n{_prose(value.contents)}\n:::"
            case _:
                yield _prose(str(getattr(value, "contents", value)))


def _methods(cls: type) -> Iterator[tuple[str, Any]]:
    """The documented public methods and properties that a class defines itself."""
    for name, raw in sorted(vars(cls).items()):
        if name.startswith("_"):
            continue
        member = raw.__func__ if isinstance(raw, (classmethod, staticmethod)) else raw
        documented = inspect.isroutine(member) or isinstance(member, property)
        if documented and (getattr(member, "__doc__", None) or "").strip():
            yield name, member


def _target(path: str) -> str:
    """The name by which pages link to an object."""
    if path not in _TARGETS:
        # the prefix keeps the names of objects apart from those of pages
        target, number = f"name-{path}", 2
        while target.lower() in _TAKEN:
            target, number = f"name-{path}-{number}", number + 1
        _TARGETS[path] = target
        _TAKEN.add(target.lower())
    return _TARGETS[path]


def _entry(module: str, name: str, value: Any) -> Iterator[str]:
    yield f"({_target(f'{module}.{name}')})=\n\n### {name}"
    if not (inspect.isclass(value) or inspect.isroutine(value)):
        yield f"`{module}.{name}` = `{_ADDRESS.sub('', repr(value))[:120]}`"
        return
    yield f"```python\n{module}.{_signature(name, value)}\n```"
    yield from _docstring(value.__doc__ or "")
    if inspect.isclass(value):
        for method, member in _methods(value):
            call = method if isinstance(member, property) else _signature(method, member)
            yield f"#### {name}.{method}"
            yield f"```python\n{call}\n```"
            yield from _docstring(member.__doc__ or "")


def _file_of(module: str) -> str:
    return f"{module}.md"


def _pages() -> Iterator[tuple[str, str]]:
    modules = public_modules()
    # the shortest path first, so that `agar.nn.Dense` wins over `agar.nn.layer.basic.Dense`
    order = sorted(modules, key=lambda m: (m.count("."), m))
    home: dict[int, tuple[str, str]] = {}
    for module in order:
        for name in modules[module].__all__:
            value = getattr(modules[module], name)
            if inspect.isclass(value) or inspect.isroutine(value):
                home.setdefault(id(value), (module, name))

    def link(value: Any) -> str | None:
        where = home.get(id(value))
        return None if where is None else _target(".".join(where))

    rows = []
    for module in sorted(modules):
        full, linked = [], []
        for name in sorted(modules[module].__all__, key=str.lower):
            value = getattr(modules[module], name)
            if inspect.ismodule(value):
                continue
            where = home.get(id(value), (module, name))
            if where == (module, name):
                full.append("\n\n".join(_entry(module, name, value)))
            else:
                linked.append(f"- [`{module}.{name}`](#{_target('.'.join(where))})")
        text = f"# {module}\n\n{_prose(inspect.cleandoc(modules[module].__doc__ or ''))}\n\n"
        if linked:
            text += "## Documented elsewhere\n\n" + "\n".join(linked) + "\n\n"
        if full:
            text += "## Names\n\n" + "\n\n".join(full) + "\n"
        yield _file_of(module), text
        summary = (modules[module].__doc__ or "").strip().split("\n")[0]
        count = len(full) + len(linked)
        rows.append((f"[`{module}`]({_file_of(module)})", _cell(summary), str(count)))
    yield NAMES, names_page.page(link, _cell)
    yield RULES, rules_page.page(_cell)
    listing = "\n".join((NAMES, RULES, *(_file_of(module) for module in sorted(modules))))
    yield (
        "index.md",
        "# API\n\nMade from the docstrings. Every name is documented under its shortest path. "
        f"[Every public name of MindSpore]({NAMES}), its state here and its counterpart in PyTorch "
        f"have a page of their own, and so has [what a PyTorch call becomes]({RULES}).\n\n"
        f"{_table(('module', 'contents', 'names'), rows)}\n\n"
        f"```{{toctree}}\n:hidden:\n\n{listing}\n```\n",
    )


def write_pages(app: Sphinx) -> None:
    """Write the pages into the source folder `api/`, which git ignores."""
    folder = Path(app.srcdir) / "api"
    folder.mkdir(exist_ok=True)
    pages = dict(_pages())
    for old in folder.glob("*.md"):
        if old.name not in pages:
            old.unlink()
    for name, text in pages.items():
        path = folder / name
        # an unchanged page keeps its date, so that Sphinx need not read it again
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx: the pages are written before it looks for sources."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
