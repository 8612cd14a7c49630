"""Names across files: what a dotted name of a source tree stands for.

The files are read with ``ast`` and never run.
"""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from agar.migrate.parsing import unreadable

__all__ = ["Project", "Symbols", "is_torch_module", "torch_object"]

#: How far a chain of re-exports or base classes is followed.
_DEPTH = 20
#: Classes of networks that torchvision defines.
_NETWORK = re.compile(r"torchvision\.models\.(?:\w+\.)*[A-Z]\w*$")


@dataclass
class Symbols:
    """What the top level of one file binds.

    Attributes:
        name: the module's dotted name.
        package: the name that its relative imports begin from.
        imports: name: what it was imported as, dotted and absolute; of two imports of one name
            the top level's counts, and there PyTorch's.
        imported: everything that is imported, dotted and absolute, whatever name it gets.
        stars: modules of star imports.
        classes: class: dotted names of its bases.
        functions: names of functions.
        methods: class: names of its methods.
    """

    name: str
    package: str
    imports: dict[str, str] = field(default_factory=dict)
    imported: set[str] = field(default_factory=set)
    stars: list[str] = field(default_factory=list)
    classes: dict[str, list[str]] = field(default_factory=dict)
    functions: set[str] = field(default_factory=set)
    methods: dict[str, set[str]] = field(default_factory=dict)

    def bind(self, name: str, target: str, top: bool) -> None:
        """Note an import of ``target`` under a name, at the top level or inside a definition."""
        self.imported.add(target)
        known = self.imports.get(name)
        if known is None or (top and known.split(".")[0] != "torch"):
            self.imports[name] = target


class Project:
    """The files around a source, read when a name leads to them."""

    def __init__(self) -> None:
        self._symbols: dict[Path, Symbols | None] = {}
        self._texts: dict[Path, str] = {}
        self._tops: dict[Path, Path] = {}
        self._modules: dict[str, Path] = {}

    def add_text(self, path: Path, code: str) -> None:
        """Take this text for a file instead of what is on disk."""
        self._texts[path] = code

    def module_name(self, path: Path) -> str:
        """The dotted name of a file: its packages are the directories with an ``__init__.py``."""
        parts = [] if path.name == "__init__.py" else [path.stem]
        folder = path.parent
        while (folder / "__init__.py").exists() and folder != folder.parent:
            parts.insert(0, folder.name)
            folder = folder.parent
        name = ".".join(parts) or path.parent.name
        self._tops[path] = folder
        self._modules[name] = path
        return name

    def symbols(self, path: Path) -> Symbols | None:
        """What a file binds; None where it cannot be read."""
        if path not in self._symbols:
            self._symbols[path] = None
            if path not in self._texts and unreadable(path):
                return None  # opening a FIFO would wait without end
            try:
                code = self._texts[path] if path in self._texts else path.read_text("utf-8")
                tree = ast.parse(code)
            except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
                return None  # the file itself is reported when it is converted
            self._symbols[path] = self._read(path, tree)
        return self._symbols[path]

    def _read(self, path: Path, tree: ast.Module) -> Symbols:
        name = self.module_name(path)
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        symbols = Symbols(name, package)
        for node, top in _imports(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    head = alias.name.partition(".")[0]
                    symbols.bind(alias.asname or head, alias.name if alias.asname else head, top)
                continue
            base = absolute(package, node.level, node.module)
            for alias in node.names:
                if alias.name == "*":
                    symbols.stars.append(base)
                else:
                    symbols.bind(alias.asname or alias.name, f"{base}.{alias.name}", top)
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                bases = [_dotted(b) for b in node.bases]
                symbols.classes[node.name] = [self._absolute(symbols, b) for b in bases if b]
                symbols.methods[node.name] = {
                    n.name for n in node.body if isinstance(n, ast.FunctionDef)
                }
            elif isinstance(node, ast.FunctionDef):
                symbols.functions.add(node.name)
        return symbols

    def _absolute(self, symbols: Symbols, name: str) -> str:
        head, dot, rest = name.partition(".")
        if head in symbols.imports:
            return symbols.imports[head] + dot + rest
        for star in symbols.stars:
            if torch_object(f"{star}.{name}") is not None or self._defines(star, head):
                return f"{star}.{name}"
        return f"{symbols.name}.{name}"

    def _defines(self, module: str, name: str, depth: int = 0) -> bool:
        path = self.find_module(module)
        symbols = self.symbols(path) if path else None
        if symbols is None or depth == _DEPTH:
            return False
        if name in symbols.classes or name in symbols.functions or name in symbols.imports:
            return True
        return any(self._defines(star, name, depth + 1) for star in symbols.stars)

    def star(self, path: Path, name: str) -> str | None:
        """What a name means that only a star import can bind."""
        symbols = self.symbols(path)
        for star in symbols.stars if symbols else ():
            if torch_object(f"{star}.{name}") is not None or self._defines(star, name):
                return self.follow(f"{star}.{name}")
        return None

    def gives_torch(self, module: str, depth: int = 0) -> bool:
        """Whether a star import of a module may bind a name of PyTorch."""
        path = self.find_module(module)
        symbols = self.symbols(path) if path else None
        if symbols is None or depth == _DEPTH:
            return module.partition(".")[0] == "torch"
        if any(name.partition(".")[0] == "torch" for name in symbols.imports.values()):
            return True
        return any(self.gives_torch(star, depth + 1) for star in symbols.stars)

    def find_module(self, name: str) -> Path | None:
        """The file of a module, where it lies beside a file that was read."""
        if name in self._modules:
            return self._modules[name]
        if name.partition(".")[0] == "torch":
            return None
        relative = Path(*name.split("."))
        for top in dict.fromkeys(self._tops.values()):
            for path in (top / relative.with_suffix(".py"), top / relative / "__init__.py"):
                if path.exists() or path in self._texts:
                    self._modules[name] = path
                    return path
        return None

    def follow(self, name: str) -> str:
        """The name under which something is defined, through re-exports."""
        for _ in range(_DEPTH):
            if name.startswith("torch."):
                return name
            module, _, last = name.rpartition(".")
            path = self.find_module(module) if module else None
            symbols = self.symbols(path) if path else None
            if symbols is None:
                # what a module passes on may itself be a module: common.nn.Linear
                home = self.follow(module) if "." in module else module
                if home == module:
                    return name
                name = f"{home}.{last}"
                continue
            if last in symbols.classes or last in symbols.functions:
                return name
            if last in symbols.imports and symbols.imports[last] != name:
                name = symbols.imports[last]
                continue
            target = next((s for s in symbols.stars if self._defines(s, last)), None)
            target = target or next(
                (s for s in symbols.stars if torch_object(f"{s}.{last}") is not None), None
            )
            if target is None:
                return name
            name = f"{target}.{last}"
        return name

    def definition(self, name: str) -> tuple[Symbols, str] | None:
        """The file's symbols and the name in it of a class or function of the tree."""
        module, _, last = self.follow(name).rpartition(".")
        path = self.find_module(module) if module else None
        symbols = self.symbols(path) if path else None
        if symbols and (last in symbols.classes or last in symbols.functions):
            return symbols, last
        return None

    def bases(self, name: str) -> list[str]:
        """A class, its bases and theirs, as far as they are known, without repetition."""
        out: list[str] = []
        rest = [self.follow(name)]
        while rest and len(out) < 10 * _DEPTH:
            at = rest.pop(0)
            if at in out:
                continue
            out.append(at)
            definition = self.definition(at)
            if definition and definition[1] in definition[0].classes:
                rest += [self.follow(b) for b in definition[0].classes[definition[1]]]
        return out

    def is_cell(self, name: str) -> bool:
        """Whether a class derives from torch.nn.Module, as torchvision's networks do."""
        return any(is_torch_module(b) or _NETWORK.match(b) for b in self.bases(name))

    def is_function_class(self, name: str) -> bool:
        """Whether a class derives from torch.autograd.Function."""
        target = torch_object("torch.autograd.Function")
        return any(b.startswith("torch.") and torch_object(b) is target for b in self.bases(name))

    def torch_base(self, name: str) -> str | None:
        """The nearest base of a class that PyTorch defines."""
        return next((b for b in self.bases(name) if is_torch_module(b)), None)

    def owner_of_init(self, name: str) -> str | None:
        """The class among a class's bases, itself left out, that writes an ``__init__``."""
        definition = self.definition(name)
        for base in definition[0].classes.get(definition[1], ()) if definition else ():
            owner = self.owner(base, "__init__")
            if owner is not None:
                return owner
        return None

    def owner(self, name: str, method: str) -> str | None:
        """The class among a class and its bases that defines a method."""
        for base in self.bases(name):
            definition = self.definition(base)
            if definition and method in definition[0].methods.get(definition[1], ()):
                return base
        return None


def absolute(package: str, level: int, module: str | None) -> str:
    """The absolute name of the module of a ``from`` import."""
    if not level:
        return module or ""
    parts = package.split(".") if package else []
    parts = parts[: len(parts) - (level - 1)]
    return ".".join([*parts, *([module] if module else [])])


def _imports(tree: ast.Module) -> list[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The imports of a file, and whether each binds a name at the top level; those come first."""
    top: list[tuple[ast.Import | ast.ImportFrom, bool]] = []
    nested: list[tuple[ast.Import | ast.ImportFrom, bool]] = []
    rest: list[tuple[ast.AST, bool]] = [(tree, True)]
    for node, outside in rest:  # it grows while it is read
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            (top if outside else nested).append((node, outside))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            outside = False
        if not isinstance(node, ast.expr):  # no expression holds an import
            rest.extend((child, outside) for child in ast.iter_child_nodes(node))
    return top + nested


def _dotted(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = _dotted(node.value)
        return base and f"{base}.{node.attr}"
    return None


@functools.cache
def torch_object(name: str) -> Any:
    """The object of PyTorch with a dotted name; None where there is none."""
    head, *rest = name.split(".")
    if head != "torch":
        return None
    target: Any = import_module("torch")
    for part in rest:
        if not hasattr(target, part):
            try:
                import_module(f"{target.__name__}.{part}")
            except (ImportError, AttributeError):
                return None
        target = getattr(target, part, None)
        if target is None:
            return None
    return target


@functools.cache
def is_torch_module(name: str) -> bool:
    """Whether a name is PyTorch's Module or one of its subclasses."""
    target = torch_object(name)
    if not isinstance(target, type):
        return False
    return issubclass(target, torch_object("torch.nn.Module"))
