"""A Sphinx extension for formulas as MathML, which browsers show without a script or a network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.errors import ExtensionError

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_ENVIRONMENT = re.compile(r"\\begin\{(\w+)\}.*?\\end\{\1\}", re.DOTALL)
_BLANK = re.compile(r"\n\s*\n")
BREAK = r" \\ "


def formula(source: str, *, block: bool = False) -> str:
    """A formula of LaTeX as an element.

    Raises:
        ExtensionError: something in it is not known.
    """
    lines = _BLANK.split(source.strip())
    # several equations, as Sphinx's own renderers take them
    if len(lines) > 1 or r"\\" in _ENVIRONMENT.sub("", source):
        source = rf"\begin{{split}}{BREAK.join(lines)}\end{{split}}"
    result = convert(source, display="block" if block else "inline")
    unknown = re.search(r"<m\w+>(\\\w+|&|\\)</m", result)
    if unknown:
        raise ExtensionError(f"the formula {source!r} has {unknown[1]!r}, which is not known")
    return result


def _inline(translator: Any, node: nodes.Element) -> NoReturn:
    translator.body.append(formula(node.astext()))
    raise nodes.SkipNode


def _block(translator: Any, node: nodes.Element) -> NoReturn:
    translator.body.append(f'<div class="math">{formula(node.astext(), block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx; `html_math_renderer` chooses it."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
