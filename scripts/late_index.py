"""Writes the index of what agar loads when it is first asked for.

    python scripts/late_index.py            write it
    python scripts/late_index.py --check    exit with 1 where it is not what would be written

`import agar` reads it in place of some three hundred modules. It says which module declares which
operators, and which module has the names that packages such as `agar.nn` hand on: those that their
files import under ``if TYPE_CHECKING:``, for type checkers and readers.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

from agar._core.operator_table import KINDS
from agar._core.optable import table
from agar.ops._paths import MODULES_OF_VALUES

SOURCE = Path(__file__).resolve().parent.parent / "src"
PACKAGE = SOURCE / "agar"
INDEX = PACKAGE / "_core" / "late_index.py"
HEAD = '''"""What is loaded late. Written by scripts/late_index.py; not to be edited."""

from __future__ import annotations

__all__ = ["OPERATORS", "PACKAGES", "VALUES"]
'''
#: Each kind of names as entries of the table have them.
FIELDS = dict(zip(KINDS, ("names", "methods", "properties", "primitives", "mints"), strict=True))


def _entry(key: str, names: Iterable[str], indent: str) -> str:
    """Names behind a key, on as many lines as they need."""
    text = " ".join(names)
    head = f'{indent}"{key}": '
    if len(head) + len(text) < 96:
        return f'{head}"{text}",'
    text = textwrap.fill(text, 98, initial_indent=f'{head}"""', subsequent_indent=f"{indent}    ")
    return f'{text}\n{indent}""",'


def operators() -> dict[str, list[list[str]]]:
    """The names of every kind that each module below `agar.ops` declares."""
    homes: dict[str, list[list[str]]] = {}
    for path in sorted((PACKAGE / "ops").glob("*/*.py")):
        importlib.import_module(".".join(path.relative_to(SOURCE).with_suffix("").parts))
    for entry in table.declared:
        if entry.home.startswith("agar.ops."):
            groups = homes.setdefault(entry.home.removeprefix("agar.ops."), [[] for _ in KINDS])
            for group, kind in zip(groups, KINDS, strict=True):
                group += getattr(entry, FIELDS[kind])
    return dict(sorted(homes.items()))


def values() -> dict[str, list[str]]:
    """The public names of the modules of functions that are no operators of the table."""
    homes = {name: importlib.import_module(f"agar.ops.{name}") for name in MODULES_OF_VALUES}
    return {name: list(module.__all__) for name, module in homes.items()}


def _is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def packages() -> dict[str, dict[str, list[str]]]:
    """The modules and names that each package imports for type checkers only."""
    found: dict[str, dict[str, list[str]]] = {}
    for path in sorted(PACKAGE.rglob("__init__.py")):
        text = path.read_text(encoding="utf-8")
        if "from agar._core.late import" not in text:
            continue
        package = ".".join(path.parent.relative_to(SOURCE).parts)
        homes = found.setdefault(package, {})
        for node in ast.parse(text).body:
            for part in node.body if isinstance(node, ast.If) and _is_type_checking(node) else []:
                if isinstance(part, ast.ImportFrom):
                    names = homes.setdefault(str(part.module), [])
                    pairs = [(a.name, a.asname or a.name) for a in part.names]
                    names += [own if own == name else f"{own}={name}" for own, name in pairs]
    return found


def index() -> str:
    """The text of the index."""
    lines = [HEAD, "#: Of each module below `agar.ops`: the names that it declares, by their kind."]
    lines.append("OPERATORS = {")
    for module, groups in operators().items():
        lines.append(f'    "{module}": {{')
        pairs = [(kind, group) for kind, group in zip(KINDS, groups, strict=True) if group]
        lines += [_entry(kind, group, " " * 8) for kind, group in pairs]
        lines.append("    },")
    lines += ["}", "", "#: Of each module below `agar.ops`: its names that are no operators."]
    lines.append("VALUES = {")
    lines += [_entry(name, names, "    ") for name, names in values().items()]
    lines += ["}", "", "#: Of each package: the modules whose names it hands on, and which;"]
    lines += ["#: ``own=shown`` for those that it calls otherwise.", "PACKAGES = {"]
    for package, homes in packages().items():
        lines.append(f'    "{package}": {{')
        lines += [_entry(module, names, " " * 8) for module, names in homes.items()]
        lines.append("    },")
    return "\n".join([*lines, "}", ""])


def main() -> int:
    """Write the index, or compare it."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = index()
    stale = not INDEX.exists() or INDEX.read_text(encoding="utf-8") != text
    if options.check:
        if stale:
            print(f"{INDEX.relative_to(SOURCE.parent)} is not what scripts/late_index.py writes")
        return int(stale)
    INDEX.write_text(text, encoding="utf-8")
    print(f"{int(stale)} files changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
