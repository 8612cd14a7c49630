"""Runs the Python blocks of a Markdown page, and compares what they print with the page.

    python scripts/run_page.py docs/quickstart.md

The blocks of one page share a namespace, from top to bottom. A block of text directly below a
Python block is its exact output.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import types
from pathlib import Path

BLOCK = re.compile(
    r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```)?", re.DOTALL | re.MULTILINE
)


def run_page(page: Path, name: str) -> None:
    """Run the page, in the working directory.

    Args:
        page: the file.
        name: what errors call it.

    Raises:
        AssertionError: a block prints something else than the page says.
    """
    module = types.ModuleType("documentation_page")
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start()) + 1
            # blank lines in front give errors the line numbers of the page
            code = compile("\n" * line + block["code"], name, "exec")
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(code, vars(module))
            said, told = printed.getvalue().rstrip(), (block["output"] or "").rstrip()
            if said != told:
                raise AssertionError(f"{name}:{line} prints\n{said}\nand not, as it says,\n{told}")
    finally:
        if before is None:
            del sys.modules[module.__name__]
        else:
            sys.modules[module.__name__] = before


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        run_page(Path(argument), argument)
        print(f"{argument}: every block prints what the page says")
