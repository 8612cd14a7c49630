"""The files of a training program: those beside it that it imports, and what they become."""

from __future__ import annotations

import ast
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import linecache
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from agar.migrate.conversion import read_source
from agar.migrate.conversion._file import convert_file
from agar.migrate.conversion._project import Project
from agar.migrate.conversion._result import Note
from agar.migrate.conversion._supports import SUPPORTS, support_text

__all__ = ["MARK", "Program", "beside", "neighbors"]

#: what the names of converted files begin with
MARK = "<converted "


@dataclass
class Part:
    """A converted file beside the program.

    Attributes:
        place: where it lies, relative to the program's folder.
        code: the converted text.
        package: it is the ``__init__.py`` of a package.
    """

    place: str
    code: str
    package: bool


@dataclass
class Program:
    """A converted program with the converted files beside it.

    Attributes:
        name: its file's name.
        original: its text.
        code: its converted text.
        parts: the other files, by the names of their modules.
        by_hand: what needs a hand, and in which file; the program itself has no name.
    """

    name: str
    original: str
    code: str
    parts: dict[str, Part] = field(default_factory=dict)
    by_hand: list[tuple[str, Note]] = field(default_factory=list)

    @classmethod
    def convert(cls, path: Path, target: str) -> Program:
        """Convert a program and what it imports from beside it.

        Args:
            path (Path): the program.
            target (str): the package that the result imports.

        Returns:
            Program.

        Raises:
            SyntaxError: one of the files is not Python.
        """
        project = Project()
        texts = {path: read_source(path)}
        others = neighbors(path)
        texts |= {place: read_source(place) for place in others.values()}
        for place, text in texts.items():
            project.add_text(place, text)
        main = convert_file(texts[path], path, project, target)
        script = cls(path.name, main.original, main.code, {}, [("", n) for n in main.by_hand])
        for name, place in others.items():
            file = convert_file(texts[place], place, project, target)
            relative = place.relative_to(path.parent).as_posix()
            script.parts[name] = Part(relative, file.code, place.name == "__init__.py")
            script.by_hand += [(relative, note) for note in file.by_hand]
        codes = [script.code, *(part.code for part in script.parts.values())]
        for module in SUPPORTS.values():
            if any(module in code for code in codes):
                script.parts[module] = Part(f"{module}.py", support_text(module, target), False)
        return script

    def write(self, folder: Path) -> Path:
        """Write the files into a folder.

        Args:
            folder (Path): where to.

        Returns:
            Path, the program's file.
        """
        files = {self.name: self.code} | {p.place: p.code for p in self.parts.values()}
        for place, code in files.items():
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text(code, "utf-8")
        return folder / self.name

    @property
    def file(self) -> str:
        """What the converted program takes itself for, where it lies in no file."""
        return f"{MARK}{self.name}>"

    @contextlib.contextmanager
    def imported(self) -> Iterator[None]:
        """Let imports of this process find the converted files, and tracebacks their lines."""
        finder = _Finder(self.parts)
        texts = {self.file: self.code} | {_label(p): p.code for p in self.parts.values()}
        for label, code in texts.items():
            linecache.cache[label] = (len(code), None, code.splitlines(keepends=True), label)
        sys.meta_path.insert(0, finder)
        try:
            with _without(list(self.parts)):
                yield
        finally:
            sys.meta_path.remove(finder)
            for label in texts:
                linecache.cache.pop(label, None)


def _label(part: Part) -> str:
    return f"{MARK}{part.place}>"


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Gives converted texts as modules."""

    def __init__(self, parts: dict[str, Part]) -> None:
        self.parts = parts

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        part = self.parts.get(fullname)
        if part is None:
            return None
        spec = importlib.machinery.ModuleSpec(
            fullname, self, origin=_label(part), is_package=part.package
        )
        spec.has_location = True
        return spec

    def get_source(self, fullname: str) -> str:
        return self.parts[fullname].code

    def exec_module(self, module: ModuleType) -> None:
        part = self.parts[module.__name__]
        exec(compile(part.code, _label(part), "exec", dont_inherit=True), vars(module))


@contextlib.contextmanager
def _without(names: list[str]) -> Iterator[None]:
    """Forget modules before and after, and put back what had their names."""
    old = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    try:
        yield
    finally:
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(old)


@contextlib.contextmanager
def beside(path: Path) -> Iterator[None]:
    """Let imports find the files beside a program, as they do where it is run itself.

    Args:
        path (Path): the program.
    """
    folder = str(path.parent.resolve())
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    try:
        with _without(list(neighbors(path))):
            yield
    finally:
        sys.path.remove(folder)


def neighbors(path: Path) -> dict[str, Path]:
    """The files in a program's folder that it imports, and that those import.

    Args:
        path (Path): the program.

    Returns:
        dict, the files by the names of their modules.
    """
    files: dict[str, Path] = {}
    left = [("", path)]
    while left:
        name, place = left.pop()
        package = name if place.name == "__init__.py" else name.rpartition(".")[0]
        for imported in _imports(place, package):
            parts = imported.split(".")
            for i in range(len(parts)):
                inner = ".".join(parts[: i + 1])
                file = _file_of(path.parent, inner)
                if file is None or file == path:
                    break
                if inner not in files:
                    files[inner] = file
                    left.append((inner, file))
    return files


def _file_of(folder: Path, name: str) -> Path | None:
    place = folder.joinpath(*name.split("."))
    for file in (place / "__init__.py", place.with_suffix(".py")):
        if file.is_file():
            return file
    return None


def _imports(place: Path, package: str) -> list[str]:
    """The absolute names that a file imports; those that may be modules among them."""
    try:
        tree = ast.parse(read_source(place))
    except (OSError, SyntaxError, ValueError):
        return []
    out: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            out += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = package.split(".")
                outer = ".".join(parts[: len(parts) - node.level + 1])
                base = f"{outer}.{base}".strip(".") if base else outer
            out += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return [name for name in out if name]
