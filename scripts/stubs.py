"""Writes the stub files of what is made at run time: operators, methods of Tensor, mint and numpy.

    python scripts/stubs.py            write them
    python scripts/stubs.py --check    exit with 1 where one is not what would be written

Type checkers and editors read these files; the interpreter never does. Signatures are those of the
objects themselves, so that a stub cannot say anything else than `help()`. Documentation is the part
that an editor shows beside a call: the summary, the arguments and the result.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import inspect
import keyword
import re
import sys
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from agar._core import optable
from agar._core.optable import Primitive

SOURCE = Path(__file__).resolve().parent.parent / "src"
HEAD = '"""{title} Written by scripts/stubs.py; not to be edited."""\n\n'
#: Sections of a docstring that editors show; the whole of it is in `help()`.
SECTIONS = (
    "Args:",
    "Inputs:",
    "Outputs:",
    "Returns:",
    "Raises:",
    "Examples:",
    "Supported Platforms:",
)
SHOWN = ("Args:", "Inputs:", "Outputs:", "Returns:")
#: What annotations of operators stand for. An operator takes numbers of numpy and Python alike.
ALIASES = {"Scalar": "Number", "torch.Tensor": "Tensor", "Number": "Number"}
PREAMBLE = """
import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
{imports}
Number = builtins.bool | builtins.int | builtins.float | builtins.complex | np.generic
"""


def summary(doc: str | None) -> str:
    """The first paragraph of a docstring, its arguments and its result."""
    blocks: list[list[str]] = [[]]
    for line in inspect.cleandoc(doc or "").splitlines():
        if line in SECTIONS or re.match(r"(Source|Difference from PyTorch)\b", line):
            blocks.append([])
        blocks[-1].append(line)
    items = [blocks[0], *(block for block in blocks[1:] if block[0] in SHOWN)]
    return "\n\n".join("\n".join(block).strip() for block in items)


def docstring(doc: str | None, indent: str) -> str:
    """The source text of a docstring's summary."""
    text = summary(doc)
    if not text:
        return ""
    prefix = "r" if "\\" in text else ""
    body = textwrap.indent(text, indent).strip()
    if body.endswith('"') or "\n" in body:
        body += f"\n{indent}"
    return f'{indent}{prefix}"""{body}"""\n'


def annotation(value: Any) -> str:
    """The text of an annotation, with the names that stubs know."""
    if value is inspect.Parameter.empty:
        return "Any"
    text = value if isinstance(value, str) else getattr(value, "__name__", str(value))
    text = re.sub(r"\btorch\.Tensor\b", "Tensor", text)
    text = re.sub(r"\bScalar\b", "Number", text)
    known = {"Tensor", "Number", "Any", "Sequence", "Mapping", "Callable", "Primitive", "None"}
    known |= {"int", "float", "bool", "str", "list", "tuple", "dict", "complex", "bytes", "set"}
    known |= {"object", "slice", "type"}
    unknown = set(re.findall(r"[A-Za-z_][\w.]*", re.sub(r"'[^']*'|\"[^\"]*\"", "", text))) - known
    return "Any" if unknown else text


def parameters(found: Iterable[inspect.Parameter], *, own: bool = False) -> str:
    """The parameters of a function as text; `own` puts ``self`` in the place of the first."""
    parts: list[str] = []
    star = False
    listed = list(found)
    for position, p in enumerate(listed):
        if own and position == 0:
            parts.append("self")
            continue
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        if p.kind is p.VAR_POSITIONAL:
            star = True
        name = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
        text = f"{name}: {annotation(p.annotation)}"
        if p.default is not p.empty:
            plain = p.default is None or isinstance(p.default, (bool, int, float, str))
            finite = not isinstance(p.default, float) or p.default - p.default == 0
            if p.default is None and "None" not in text and not text.endswith("Any"):
                text += " | None"
            text += f" = {p.default!r}" if plain and finite else " = ..."
        parts.append(text)
        if p.kind is p.POSITIONAL_ONLY and (
            position + 1 == len(listed) or listed[position + 1].kind is not p.POSITIONAL_ONLY
        ):
            parts.append("/")
    return ", ".join(parts)


def function(name: str, value: Callable[..., Any], *, indent: str = "", own: bool = False) -> str:
    """A function, or with `own` a method."""
    signature = inspect.signature(value)
    doc = docstring(value.__doc__, indent + "    ")
    given = parameters(signature.parameters.values(), own=own)
    head = f"{indent}def {name}({given}) -> {annotation(signature.return_annotation)}:"
    return f"{head}\n{doc}{indent}    ...\n"


def primitive(name: str, value: type[Primitive]) -> str:
    """A Primitive class: its constructor and its call."""
    entry = optable.table.primitives[name]
    options = inspect.signature(value).parameters.values()
    inputs = list(inspect.signature(value.__call__).parameters.values())[1:]
    kinds = {p.name: p.annotation for p in entry.params}
    typed = [p.replace(annotation=kinds.get(p.name, p.annotation)) for p in inputs]
    result = annotation(inspect.signature(entry.impl).return_annotation)
    comma = ", " if list(options) else ""
    call = parameters(typed)
    return (
        f"class {name}(Primitive):\n{docstring(value.__doc__, '    ')}"
        f"    def __init__(self{comma}{parameters(options)}) -> None: ...\n"
        f"    def __call__(self{', ' if call else ''}{call}) -> {result}: ...\n"
    )


def home_of(value: Any, name: str) -> str | None:
    """The module of the package whose file binds that name to that object."""
    module = getattr(value, "__module__", None)
    candidates = [module] if module else []
    candidates += sorted(m for m in sys.modules if m.startswith("agar.") and m != "agar.ops")
    for candidate in candidates:
        loaded = sys.modules.get(str(candidate))
        if loaded is None or vars(loaded).get(name, loaded) is not value:
            continue
        if getattr(loaded, "__file__", None) and _binds(str(loaded.__file__), name):
            return str(candidate)
    return None


_BOUND: dict[str, set[str]] = {}


def _binds(path: str, name: str) -> bool:
    """Whether the module's source binds the name where a type checker sees it."""
    if path not in _BOUND:
        names: set[str] = set()
        for node in ast.parse(Path(path).read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names.add(node.name)
            elif isinstance(node, ast.Assign):
                names |= {t.id for t in node.targets if isinstance(t, ast.Name)}
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names.add(node.target.id)
        _BOUND[path] = names
    return name in _BOUND[path]


def module_stub(module: ModuleType, title: str, *, more: Iterable[str] = ()) -> str:
    """The stub of a module that makes its names when they are asked for."""
    names = [n for n in module.__all__ if n.isidentifier() and not keyword.iskeyword(n)]
    names = sorted({*names, *more})
    imports: list[str] = ["from agar._core.optable import Primitive as Primitive"]
    imports.append("from agar._core.tensor import Tensor as Tensor")
    bodies: list[str] = ["__version__: str\n"] if hasattr(module, "__version__") else []
    for name in names:
        value = getattr(module, name)
        if name in ("Tensor", "Primitive"):
            continue
        if isinstance(value, ModuleType):
            parent, _, last = value.__name__.rpartition(".")
            alias = f"from {parent} import {last} as {name}"
            imports.append(alias)
        elif _is_primitive(name, value, module):
            bodies.append(primitive(name, value))
        elif (home := home_of(value, name)) is not None and home != module.__name__:
            imports.append(f"from {home} import {name} as {name}")
        elif inspect.isroutine(value):
            bodies.append(function(name, value))
        elif isinstance(value, type) and _has_file(value.__module__):
            home = value.__module__
            imports.append(f"from {home} import {value.__name__} as {name}")
        else:
            bodies.append(f"{name}: {_class_of(value)}\n")
    listed = "".join(f"    {n!r},\n" for n in names)
    preamble = PREAMBLE.format(imports="\n".join(sorted(set(imports))))
    return f"{HEAD.format(title=title)}{preamble}\n__all__ = [\n{listed}]\n\n" + "\n".join(bodies)


def _is_primitive(name: str, value: Any, module: ModuleType) -> bool:
    return (
        module.__name__ == "agar.ops"
        and name in optable.table.primitives
        and isinstance(value, type)
        and issubclass(value, Primitive)
    )


def _has_file(module: str) -> bool:
    """Whether a module is one of the package's files, and not made for a name that refuses."""
    return (SOURCE / module.replace(".", "/")).with_suffix(".py").exists()


def _class_of(value: Any) -> str:
    cls = type(value)
    return cls.__name__ if cls.__module__ == "builtins" else "Any"


def methods_stub() -> str:
    """The methods that Tensor has from the operator table."""
    from agar._core.tensor import Tensor

    written = _written_in_source(Tensor)
    lines = [HEAD.format(title="Methods and properties of Tensor that operators declare.")]
    lines.append(PREAMBLE.format(imports="from agar._core.tensor import Tensor\n"))
    lines.append("\nclass TensorMethods:\n")
    for name in sorted(optable.table.methods):
        if name in written or keyword.iskeyword(name):
            continue
        text = function(name, getattr(Tensor, name), indent="    ", own=True)
        if name.startswith("__"):  # operators of Python's syntax take lists and tuples as well
            text = text.replace(": Tensor | Number", ": Tensor | Number | Sequence[Any]", 1)
        lines.append(text)
    for name in sorted(optable.table.properties):
        if name not in written:
            value = getattr(Tensor, name)
            result = annotation(inspect.signature(value.fget).return_annotation)
            lines.append(f"    @property\n    def {name}(self) -> {result}:\n")
            lines.append(docstring(value.__doc__, "        ") + "        ...\n")
    return "".join(lines)


def _written_in_source(cls: type) -> set[str]:
    """The methods of Tensor that its source has, without those of the operator table."""
    names = {part.__name__ for part in cls.__mro__}
    return {
        method.name
        for path in sorted((SOURCE / "agar" / "_core" / "tensor").glob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name in names
        for method in node.body
        if isinstance(method, ast.FunctionDef)
    }


def stubs() -> dict[Path, str]:
    """The text of every stub file by its path."""
    import agar
    import agar.mint.linalg
    import agar.mint.nn.functional
    import agar.mint.special
    import agar.numpy
    from agar import mint, ops
    from agar._core.late import load_all
    from agar.ops import _paths

    load_all()
    _paths.load_all()
    package = SOURCE / "agar"
    late = sorted(n for n in vars(agar)["_LATE"] if importlib.util.find_spec(f"agar.{n}"))
    return {
        package / "__init__.pyi": module_stub(agar, "MindSpore on PyTorch.", more=late),
        package / "ops" / "__init__.pyi": module_stub(ops, "Operators."),
        package / "mint" / "__init__.pyi": module_stub(mint, "Operators as PyTorch calls them."),
        package / "mint" / "linalg.pyi": module_stub(mint.linalg, "Linear algebra of mint."),
        package / "mint" / "special.pyi": module_stub(mint.special, "Special functions of mint."),
        package / "mint" / "nn" / "functional.pyi": module_stub(
            mint.nn.functional, "Functions of networks of mint."
        ),
        package / "numpy" / "__init__.pyi": module_stub(agar.numpy, "Functions of numpy."),
        package / "_core" / "tensor_methods.pyi": methods_stub(),
    }


def main() -> int:
    """Write the files, or compare them."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    stale = [
        path
        for path, text in stubs().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if options.check:
        for path in stale:
            print(f"{path.relative_to(SOURCE.parent)} is not what scripts/stubs.py writes")
        return 1 if stale else 0
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
    print(f"{len(stale)} files changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
