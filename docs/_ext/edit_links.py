"""A Sphinx extension that leads from each page to the file that is to be edited.

Where that is, says the environment variable AGAR_DOCS_EDIT, an address with `{path}` in it:

    AGAR_DOCS_EDIT="https://example.org/agar/edit/main/{path}" make docs

Without it there are no such links.
"""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent.parent
#: The files of pages that are written by the build; `api_pages` adds its own.
FILES: dict[str, str] = {"performance": "benchmarks/RESULTS.md"}


def file_of(*values: Any) -> str | None:
    """The first file of the repository that one of the values comes from."""
    for value in values:
        try:
            file = Path(inspect.getsourcefile(inspect.unwrap(value)) or "").resolve()
        except (TypeError, ValueError):
            continue
        if file.is_file() and ROOT in file.parents:
            return file.relative_to(ROOT).as_posix()
    return None


def source(page: str) -> str | None:
    """The file of a page, from the root of the repository; None if there is none."""
    path = FILES.get(page, f"docs/{page}.md")
    if page.startswith("tutorials/") and page != "tutorials/index":
        path = f"docs/{page}.py"
    elif page.startswith("api/") and page not in FILES:
        return None  # the build writes it from the whole package
    return path if (ROOT / path).is_file() else None


def _link(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    address, path = os.environ.get("AGAR_DOCS_EDIT"), source(page)
    if address and path:
        # the theme replaces what stands in braces
        context["theme_source_edit_link"] = address.replace("{path}", path)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("html-page-context", _link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
