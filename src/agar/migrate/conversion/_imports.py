"""The imports and the helpers of a converted file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import libcst as cst
import libcst.matchers as m

from agar.migrate.conversion._format import own_lines
from agar.migrate.conversion._helpers import HELPERS
from agar.migrate.conversion._libraries import guarded
from agar.migrate.conversion._names import plain_name
from agar.migrate.conversion._supports import SUPPORTS
from agar.migrate.conversion._walk import parts_of, rewritten
from agar.migrate.rules._template import is_carried
from agar.migrate.rules.emitted_cells import text_of

__all__ = ["Needs", "rewrite_imports"]

#: the package whose names become the converted file's own
_GONE = "torch"
#: what pipelines of data are made of
_DATASETS = "ms.dataset."


@dataclass
class Needs:
    """What a converted file uses.

    Attributes:
        package: ``mindspore`` or ``agar``.
        used: namespaces.
        aliases: the names that the file writes for them.
        helpers: keys of HELPERS.
        adapters: functions by name.
        foreign: PyTorch's own names are left in it.
        no_grad: it uses ``_no_grad``.
        gone: names of libraries whose uses are marked, and which nothing else may need.
        left: statements that keep their text and are not reached.
        own: the package that the file is part of.
        libraries: what is said about libraries on PyTorch; filled by `rewrite_imports`.
        passed_on: names of PyTorch that it imports from other files: dots, module, name.
        dots: how it reaches the modules of SUPPORTS: relatively, or by their names.
    """

    package: str
    used: set[str]
    aliases: Mapping[str, Any]
    helpers: set[str] = field(default_factory=set)
    adapters: Mapping[str, str] = field(default_factory=dict)
    foreign: bool = False
    no_grad: bool = False
    gone: set[str] = field(default_factory=set)
    left: Set[cst.CSTNode] = frozenset()
    own: str = ""
    libraries: list[str] = field(default_factory=list)
    passed_on: set[tuple[int, str | None, str | None]] = field(default_factory=set)
    dots: str = ""


def rewrite_imports(tree: cst.Module, needs: Needs) -> cst.Module:
    """Take PyTorch's imports out of a tree, and put in those that it needs."""
    gone = needs.gone - _names_in(tree, needs.left)
    tree = rewritten(_with_place(tree), _Remover(needs, gone))
    tree, guards = _without_libraries(tree, needs)
    used = set(needs.used)
    remaining = _names_in(tree)
    text = "\n".join(needs.adapters.values())
    initializers = sorted(
        n.rpartition(".")[2]
        for n in used
        if "." in n
        and not n.startswith(_DATASETS)
        and (n.rpartition(".")[2] in remaining or n.rpartition(".")[2] in text)
    )
    datasets = sorted(n.rpartition(".")[2] for n in used if n.startswith(_DATASETS))
    carried = sorted(n for n in used if is_carried(n) and (n in remaining or f"{n}(" in text))
    used = {n for n in used if "." not in n and not is_carried(n)}
    used = {n for n in used if needs.aliases[n] in remaining or f"{needs.aliases[n]}." in text}
    cells = [text_of(n, needs.aliases) for n in carried]
    used = used.union(_in_texts(needs), *(names for _, names in cells))
    lines, standard = _standard(tree, needs)
    lines += _import_lines(needs, used, _bound_by_imports(tree))
    if initializers:
        home = f"{needs.package}.common.initializer"
        lines.append(f"from {home} import {', '.join(initializers)}")
    if datasets:
        lines.append(f"from {needs.package}.dataset import {', '.join(datasets)}")
    definitions = [HELPERS[h].strip("\n") for h in sorted(needs.helpers, key=_place_of)]
    definitions += [code.strip("\n") for code, _ in cells]
    definitions += [needs.adapters[n].strip("\n") for n in sorted(needs.adapters)]
    return _inserted(tree, lines, definitions, guards, {**needs.aliases, **standard})


def _without_libraries(tree: cst.Module, needs: Needs) -> tuple[cst.Module, list[Any]]:
    """A tree whose imports of libraries on PyTorch are guarded; those that stand first come out."""
    if needs.package != "mindspore":
        return tree, []
    body, out = list(tree.body), []
    for i in reversed(range(_first_definition(body))):
        import_ = guarded(body[i], needs.own)
        if import_ is None:
            continue
        needs.libraries.append(import_[1])
        needs.helpers.add("_Unconverted")
        if i == 0 and import_[0].leading_lines:
            # what a file begins with stays there
            import_ = import_[0].with_changes(leading_lines=()), import_[1]
            if len(body) > 1:
                following: Any = body[1]
                lines = [*body[0].leading_lines, *following.leading_lines]
                body[1] = following.with_changes(leading_lines=lines)
        out.insert(0, import_[0])
        del body[i]
    return tree.with_changes(body=body), out


def _place_of(helper: str) -> tuple[int, str]:
    """Where a helper stands: by its name, after those that it uses when it is defined."""
    return int(helper == "_DataLoader"), helper


#: stands where the first import of PyTorch was
_HERE = "_agar_imports_"


def _with_place(tree: cst.Module) -> cst.Module:
    body = list(tree.body)
    for i, node in enumerate(body):
        if isinstance(node, cst.SimpleStatementLine) and any(
            _is_torch(name) for small in node.body for name in _imported(small)
        ):
            place = cst.parse_statement(f"import {_HERE}")
            assert isinstance(place, cst.SimpleStatementLine)
            place = place.with_changes(leading_lines=node.leading_lines)
            body[i : i + 1] = [place, node.with_changes(leading_lines=())]
            break
    # comments above imports that go stand above what follows
    for i in reversed(range(len(body) - 1)):
        node: Any = body[i]
        if _vanishes(node) and any(line.comment for line in node.leading_lines):
            following: Any = body[i + 1]
            body[i] = node.with_changes(leading_lines=())
            body[i + 1] = following.with_changes(
                leading_lines=[*node.leading_lines, *following.leading_lines]
            )
    return tree.with_changes(body=body)


def _vanishes(node: cst.CSTNode) -> bool:
    if not isinstance(node, cst.SimpleStatementLine):
        return False
    names = [_imported(small) for small in node.body]
    return all(imported and all(_is_torch(name) for name in imported) for imported in names)


def _imported(node: cst.CSTNode) -> list[str | None]:
    if isinstance(node, cst.Import):
        return [plain_name(a.name) for a in node.names]
    if isinstance(node, cst.ImportFrom) and node.module is not None and not node.relative:
        return [plain_name(node.module)]
    return []


def _in_texts(needs: Needs) -> set[str]:
    # the helper class derives from nn's, whatever the file itself uses
    return {
        name
        for name in ("ms", "nn", "ops", "np", "Tensor")
        if any(re.search(rf"[( ]{name}[.(),]", _code_of(h)) for h in needs.helpers)
    }


def _code_of(helper: str) -> str:
    """A helper without its sentences."""
    return re.sub(r'""".*?"""', "", HELPERS[helper], flags=re.DOTALL)


def _standard(tree: cst.Module, needs: Needs) -> tuple[list[str], dict[str, str]]:
    """Imports of Python's own modules that helpers need, and their names where those are taken."""
    modules = {
        name
        for name in ("contextlib", "json", "os", "shutil", "tempfile")
        if any(re.search(rf"\b{name}\.", _code_of(h)) for h in needs.helpers)
    }
    if not modules:
        return [], {}
    there: set[str] = set()
    for statement in tree.body:
        for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
            if isinstance(small, cst.Import):
                there |= {plain_name(a.name) or "" for a in small.names if a.asname is None}
    taken = (set(needs.aliases["taken"]) | _bound_by_imports(tree)) - there
    names = {name: f"ms_{name}" if name in taken else name for name in modules}
    lines = [_line(name, names[name]) for name in sorted(modules - there)]
    return lines, names


def _import_lines(needs: Needs, used: set[str], bound: set[str]) -> list[str]:
    out = []
    package = needs.package
    if "math" in used and needs.aliases["math"] not in bound:
        out.append(_line("math", needs.aliases["math"]))
    if "np" in used and needs.aliases["np"] not in bound:
        out.append(f"import numpy as {needs.aliases['np']}")
    if "ms" in used:
        out.append(f"import {package} as {needs.aliases['ms']}")
    names = [n for n in ("nn", "ops", "mint", "Tensor") if n in used]
    if names:
        parts = [n if needs.aliases[n] == n else f"{n} as {needs.aliases[n]}" for n in names]
        out.append(f"from {package} import {', '.join(parts)}")
    if needs.no_grad:
        out.append(f"from {package}.common import _no_grad")
    if needs.foreign:
        out.append("import torch")
    return [line for line in out if line]


def _line(module: str, name: str) -> str:
    return f"import {module}" if module == name else f"import {module} as {name}"


class _Remover(cst.CSTTransformer):
    """Takes out the imports of PyTorch, and leads those of SUPPORTS to the modules for them."""

    def __init__(self, needs: Needs, gone: set[str]) -> None:
        super().__init__()
        self.needs = needs
        self.gone = gone

    def _stays(self, alias: cst.ImportAlias) -> bool:
        name = alias.asname.name if alias.asname else alias.name
        return (plain_name(name) or "").partition(".")[0] not in self.gone

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> Any:
        names = updated_node.names
        remaining = [a for a in names if not _is_torch(plain_name(a.name)) and self._stays(a)]
        led = [a for a in remaining if plain_name(a.name) in SUPPORTS]
        if not led:
            return _with_names(updated_node, remaining)
        node = _with_names(updated_node, [a for a in remaining if a not in led])
        others = [node] if isinstance(node, cst.Import) else []
        return cst.FlattenSentinel([*others, *map(self._led, led)])

    def _led(self, alias: cst.ImportAlias) -> Any:
        """``import einx`` becomes the import of the module that stands for it."""
        library = plain_name(alias.name) or ""
        name = cst.Name(SUPPORTS[library])
        as_name = alias.asname or cst.AsName(cst.Name(library))
        alias = cst.ImportAlias(name, as_name)
        dots = [cst.Dot()] * len(self.needs.dots)
        return cst.ImportFrom(None, [alias], dots) if dots else cst.Import([alias])

    def leave_ImportFrom(self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom) -> Any:
        module = plain_name(updated_node.module) if updated_node.module is not None else None
        if self.needs.passed_on and not isinstance(updated_node.names, cst.ImportStar):
            dots = len(updated_node.relative)
            remaining = [
                a
                for a in updated_node.names
                if (dots, module, plain_name(a.name)) not in self.needs.passed_on
            ]
            updated_node = _with_names(updated_node, remaining)
            if not isinstance(updated_node, cst.ImportFrom):
                return updated_node
        if updated_node.relative:
            return updated_node
        if _is_torch(module):
            return cst.RemoveFromParent()
        if self.gone and not isinstance(updated_node.names, cst.ImportStar):
            remaining = [a for a in updated_node.names if self._stays(a)]
            updated_node = _with_names(updated_node, remaining)
            if not isinstance(updated_node, cst.ImportFrom):
                return updated_node
        if module in (*SUPPORTS, "einops.layers.torch"):
            return updated_node.with_changes(
                module=cst.Name(SUPPORTS[module.partition(".")[0]]),
                relative=[cst.Dot()] * len(self.needs.dots),
            )
        return updated_node

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> Any:
        before, after = original_node.body, updated_node.body
        if not before or not after or not _is_import(before[0]) or _is_import(after[0]):
            return updated_node
        # the block began with imports that are gone: it does not begin with a blank line
        first: Any = after[0]
        lines = list(first.leading_lines)
        while lines and lines[0].comment is None:
            lines.pop(0)
        return updated_node.with_changes(body=[first.with_changes(leading_lines=lines), *after[1:]])

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> Any:
        if updated_node.body or not original_node.body:
            return updated_node
        return cst.RemoveFromParent()


def _is_torch(name: str | None) -> bool:
    return name is not None and (name == _GONE or name.startswith(f"{_GONE}."))


def _with_names(node: Any, remaining: list[cst.ImportAlias]) -> Any:
    if not remaining:
        return cst.RemoveFromParent()
    if len(remaining) == len(node.names):
        return node
    remaining[-1] = remaining[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return node.with_changes(names=remaining)


def _names_in(tree: cst.Module, without: Set[cst.CSTNode] = frozenset()) -> set[str]:
    """The names that a tree uses; those of attributes, of arguments and of imports left out."""
    names: set[str] = set()
    left: list[Any] = [tree]
    while left:
        node = left.pop()
        if node in without:
            continue
        if isinstance(node, cst.Name):
            names.add(node.value)
        elif isinstance(node, cst.SimpleString):
            # an annotation that is a text
            if len(node.value) < 200 and ("Tensor" in node.value or "nn.Cell" in node.value):
                names.update(re.findall(r"\b(Tensor|nn)\b", node.value))
        elif isinstance(node, (cst.Attribute, cst.Arg)):
            left.append(node.value)
        elif not isinstance(node, (cst.Import, cst.ImportFrom)):
            left += parts_of(node)
    return names


def _bound_by_imports(tree: cst.Module) -> set[str]:
    """Names that the imports at the top level bind."""
    out: set[str] = set()
    for statement in tree.body:
        for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else ():
            if isinstance(small, cst.Import):
                for alias in small.names:
                    name = alias.asname.name if alias.asname else alias.name
                    out.add((plain_name(name) or "").partition(".")[0])
            elif isinstance(small, cst.ImportFrom) and not isinstance(small.names, cst.ImportStar):
                for alias in small.names:
                    name = alias.asname.name if alias.asname else alias.name
                    out.add(plain_name(name) or "")
    return out


def _is_import(node: cst.CSTNode) -> bool:
    return m.matches(
        node, m.SimpleStatementLine(body=[m.AtLeastN(m.Import() | m.ImportFrom(), n=1)])
    )


def _is_future(node: cst.CSTNode) -> bool:
    return m.matches(node, m.SimpleStatementLine(body=[m.ImportFrom(module=m.Name("__future__"))]))


def _is_docstring(node: cst.CSTNode) -> bool:
    return m.matches(node, m.SimpleStatementLine(body=[m.Expr(m.SimpleString())]))


def _inserted(
    tree: cst.Module,
    lines: Sequence[str],
    definitions: list[str],
    guards: list[Any],
    aliases: Mapping[str, Any],
) -> cst.Module:
    body = _with_imports(list(tree.body), [own_lines(n) if len(n) > 88 else n for n in lines])
    if definitions:
        text = "\n\n\n".join(definitions)
        for name, alias in aliases.items():
            if name != "taken" and alias != name:
                ends = r"(?=[(),])" if name == "Tensor" else r"\."
                text = re.sub(
                    rf"([( *]){name}{ends}", rf"\1{alias}{'' if '=' in ends else '.'}", text
                )
        text = own_lines(text)
        imports = [i for i in range(_first_definition(body)) if _is_import(body[i])]
        after = imports[-1] + 1 if imports else _start(body)
        statements: list[Any] = list(cst.parse_module(text + "\n").body)
        statements[0] = statements[0].with_changes(leading_lines=_BLANK if after else ())
        if guards:
            statements += [guards[0].with_changes(leading_lines=_BLANK), *guards[1:]]
        body[after:after] = statements
        if after + len(statements) < len(body):
            following = body[after + len(statements)]
            blank = [line for line in following.leading_lines if line.comment is None]
            body[after + len(statements)] = following.with_changes(
                leading_lines=[*_BLANK[len(blank) :], *following.leading_lines]
            )
    return tree.with_changes(body=body)


_BLANK = [cst.EmptyLine(indent=False)] * 2


def _with_imports(body: list[Any], lines: Sequence[str]) -> list[Any]:
    statements: list[Any] = list(cst.parse_module("\n".join(lines) + "\n").body) if lines else []
    here = next((i for i, node in enumerate(body) if _is_place(node)), None)
    if here is not None:
        leading = list(body[here].leading_lines)
        if statements:
            statements[0] = statements[0].with_changes(leading_lines=leading)
        elif here + 1 < len(body):
            following = body[here + 1]
            comments = leading if any(line.comment for line in leading) else []
            body[here + 1] = following.with_changes(
                leading_lines=[*comments, *following.leading_lines]
            )
        body[here : here + 1] = statements
        return body
    if not statements:
        return body
    imports = [i for i in range(_first_definition(body)) if _is_import(body[i])]
    imports = [i for i in imports if not _is_future(body[i])]
    at = imports[0] if imports else _start(body)
    if at < len(body):
        leading = body[at].leading_lines
        if imports or not any(line.comment for line in leading):
            statements[0] = statements[0].with_changes(leading_lines=leading)
            body[at] = body[at].with_changes(leading_lines=() if imports else _BLANK)
    body[at:at] = statements
    return body


def _is_place(node: cst.CSTNode) -> bool:
    return m.matches(
        node, m.SimpleStatementLine(body=[m.Import(names=[m.ImportAlias(name=m.Name(_HERE))])])
    )


def _start(body: list[Any]) -> int:
    """After the docstring and the imports from __future__."""
    start = 1 if body and _is_docstring(body[0]) else 0
    return max([i + 1 for i, node in enumerate(body) if _is_future(node)], default=start)


def _first_definition(body: list[Any]) -> int:
    kinds = (cst.FunctionDef, cst.ClassDef)
    return next((i for i, n in enumerate(body) if isinstance(n, kinds)), len(body))
