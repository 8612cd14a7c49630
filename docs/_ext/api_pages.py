"""A Sphinx extension that writes the API pages from the docstrings of what `__all__` lists.

The pages are made from the running package, not from its source text: most operators are generated
from an operator table and exist only when asked for. Each object is documented in full once, under
its shortest public path; the other modules that list it link there. In large modules every object
has a page of its own, and the page of the module is their index.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import edit_links
import names_page
import rules_page
from docstrings import Resolve, cell, markdown, prose, signature, summary, table, without_addresses
from groups import Group, grouped

# the surface is defined once, by the test that guards it
from test_public_names import public_modules

if TYPE_CHECKING:
    from sphinx.application import Sphinx

#: The page of MindSpore's names.
NAMES = "names.md"
#: The page of PyTorch's names and what becomes of them.
RULES = "rules.md"
#: A module with more names than these has a page for each of them.
LARGE = 24
#: Methods that are there for their class alone.
UNSHOWN = frozenset({"extend_repr"})
#: Modules that the navigation shows, in its order; all are listed by the index.
SHOWN = (
    "agar",
    "agar.nn",
    "agar.ops",
    "agar.mint",
    "agar.mint.nn",
    "agar.mint.nn.functional",
    "agar.numpy",
    "agar.scipy.linalg",
    "agar.amp",
    "agar.common.initializer",
    "agar.train",
    "agar.dataset",
    "agar.dataset.dataloader",
    "agar.dataset.vision",
    "agar.dataset.audio",
    "agar.dataset.text",
    "agar.dataset.transforms",
    "agar.experimental.optim",
    "agar.nn.probability.distribution",
    "agar.communication",
    "agar.parallel",
    "agar.profiler",
    "agar.graph",
    "agar.migrate",
)


def _unwrapped(raw: Any) -> Any:
    return raw.__func__ if isinstance(raw, (classmethod, staticmethod)) else raw


class Pages:
    """The pages of all public modules.

    Args:
        modules: by their paths.
    """

    def __init__(self, modules: dict[str, ModuleType]) -> None:
        self.modules = modules
        self._targets: dict[str, str] = {}
        self._home: dict[int, tuple[str, str]] = {}
        # the shortest path first, so that `agar.nn.Dense` wins over `agar.nn.layer.basic.Dense`
        for path in sorted(modules, key=lambda m: (m.count("."), m)):
            for name, value in self._objects(path):
                if inspect.isclass(value) or inspect.isroutine(value):
                    self._home.setdefault(id(value), (path, name))
            self._tell_classes_apart(path)

    def _objects(self, module: str) -> list[tuple[str, Any]]:
        names = sorted(self.modules[module].__all__, key=lambda name: (name.lower(), name))
        objects = [(name, getattr(self.modules[module], name)) for name in names]
        return [(name, value) for name, value in objects if not inspect.ismodule(value)]

    # ---------------------------------------------------------------------------------- names

    def target(self, path: str) -> str:
        """The name by which pages link to an object."""
        # the prefix keeps the names of objects apart from those of pages
        return self._targets.get(path, f"name-{path}")

    def _tell_classes_apart(self, module: str) -> None:
        """Give targets of their own to classes whose names differ from functions' by case only.

        docutils and some file systems compare without case.
        """
        names: dict[str, list[str]] = {}
        for name, _ in self._objects(module):
            names.setdefault(name.lower(), []).append(name)
        for alike in names.values():
            for number, name in enumerate(alike[:-1]):  # capitals come first
                end = f"-{number + 1}" if number else ""
                self._targets[f"{module}.{name}"] = f"name-{module}.{name}-class{end}"

    def link(self, value: Any) -> str | None:
        """The target of an object; None if it has no page."""
        where = self._home.get(id(value))
        return None if where is None else self.target(".".join(where))

    def _resolver(self, module: str, name: str) -> Resolve:
        """What references in the docstring of an object mean."""
        own = self.modules[module]

        def value_of(start: str, parts: list[str]) -> Any:
            value: Any = self.modules[start]
            for part in parts:
                start = f"{start}.{part}"
                value = self.modules.get(start) or getattr(value, part, None)
            return value

        def resolve(reference: str) -> str | None:
            parts = reference.removesuffix("()").replace("mindspore.", "agar.", 1).split(".")
            if parts[0] == "agar":
                values = [value_of("agar", parts[1:])]
            else:
                values = [value_of(m, parts) for m in (module, "agar", "agar.ops", "agar.nn")]
            for value in values:
                if value is not None and value is not own and value is not getattr(own, name):
                    target = self.link(value)
                    if target is not None:
                        return target
            # a method: the page of its class
            return resolve(".".join(parts[:-1])) if len(parts) > 1 else None

        return resolve

    def _constructor(self, cls: type) -> str | None:
        """A link to the class whose constructor a class inherits without describing it, or None."""
        if re.search(r"^\s*Args:$", cls.__doc__ or "", re.MULTILINE):
            return None
        owner = next((part for part in cls.__mro__ if "__init__" in vars(part)), cls)
        target = None if owner is cls else self.link(owner)
        return None if target is None else f"[`{owner.__name__}`](#{target})"

    def _members(self, cls: type) -> dict[str, Any]:
        """What a class defines itself, or in base classes that have no page of their own."""
        members = dict(vars(cls))
        shown = [base for base in cls.__mro__[1:] if self.link(base) is not None]
        for base in cls.__mro__[1:]:
            # what a base has, is on the page of the first class of that line that has a page
            own = not any(issubclass(other, base) for other in shown)
            if own and base.__module__.startswith("agar."):
                for name, raw in vars(base).items():
                    members.setdefault(name, raw)
        return members

    def methods(self, cls: type) -> Iterator[tuple[str, Any]]:
        """The documented public methods and properties of a class, without inherited ones."""
        for name, raw in sorted(self._members(cls).items()):
            member = _unwrapped(raw)
            documented = inspect.isroutine(member) or isinstance(member, property)
            text = (getattr(member, "__doc__", None) or "").strip()
            if documented and text and not name.startswith("_") and name not in UNSHOWN:
                yield name, member

    # ---------------------------------------------------------------------------------- pages

    def entry(self, module: str, name: str, value: Any, level: int) -> Iterator[str]:
        """The documentation of one object, under a heading of a level."""
        heading = "#" * level
        title = f"{module}.{name}" if level == 1 else name
        yield f"({self.target(f'{module}.{name}')})=\n\n{heading} {title}"
        if not (inspect.isclass(value) or inspect.isroutine(value)):
            yield f"`{module}.{name}` = `{without_addresses(repr(value))[:120]}`"
            return
        resolve = self._resolver(module, name)
        yield f"```python\n{module}.{signature(name, value)}\n```"
        if inspect.isclass(value) and (constructor := self._constructor(value)):
            yield f"The arguments are those of {constructor}."
        yield from markdown(value.__doc__ or "", resolve)
        if inspect.isclass(value):
            for method, member in self.methods(value):
                call = method if isinstance(member, property) else signature(method, member)
                yield f"{heading}# {name}.{method}"
                yield f"```python\n{call}\n```"
                yield from markdown(member.__doc__ or "", resolve)

    def _index(self, module: str, groups: list[Group], level: int = 2) -> Iterator[str]:
        for group in groups:
            if group.title:
                yield f"{'#' * level} {group.title}"
            if group.names:
                rows = []
                for name in group.names:
                    value = getattr(self.modules[module], name)
                    rows.append((f"[`{name}`](#{self.target(f'{module}.{name}')})", summary(value)))
                yield table(("name", ""), rows)
            yield from self._index(module, group.groups, level + 1)

    def module(self, module: str) -> Iterator[tuple[str, str]]:
        """The page of a module, and those of its objects where it is large."""
        own, values, elsewhere = [], [], []
        for name, value in self._objects(module):
            where = self._home.get(id(value), (module, name))
            if where != (module, name):
                elsewhere.append(f"[`{name}`](#{self.target('.'.join(where))})")
            elif inspect.isclass(value) or inspect.isroutine(value):
                own.append((name, value))
            else:
                values.append((name, value))
        own_file = edit_links.file_of(self.modules[module])
        edit_links.FILES[f"api/{module}"] = own_file or ""
        text = [f"# {module}", prose(inspect.cleandoc(self.modules[module].__doc__ or ""))]
        if module not in SHOWN:
            text.insert(0, "---\norphan: true\n---")
        if len(own) > LARGE:
            text += self._index(module, grouped(module, own))
            for name, value in own:
                yield self._page(module, name, value)
            own = []
        if values or own:
            text.append("## Names")
            for name, value in sorted([*values, *own], key=lambda pair: pair[0].lower()):
                text += self.entry(module, name, value, 3)
        if elsewhere:
            text += ["## Documented under a shorter path", " · ".join(elsewhere)]
        yield f"{module}.md", "\n\n".join(text) + "\n"

    def _page(self, module: str, name: str, value: Any) -> tuple[str, str]:
        """The page of one object. It is not in the navigation, which would have thousands."""
        file = self.target(f"{module}.{name}").removeprefix(f"name-{module}.")
        # a generated operator comes from no file of its own
        origin = edit_links.file_of(value, self.modules[module])
        edit_links.FILES[f"api/{module}/{file}"] = origin or ""
        parts = ["---\norphan: true\n---", f"[agar](../index.md) / [`{module}`](../{module}.md)"]
        text = "\n\n".join([*parts, *self.entry(module, name, value, 1)])
        return f"{module}/{file}.md", f"{text}\n"

    def index(self) -> str:
        """The page that lists all modules."""
        rows = []
        for path in sorted(self.modules):
            doc = (self.modules[path].__doc__ or "").strip().split("\n")[0]
            rows.append((f"[`{path}`]({path}.md)", cell(doc), str(len(self._objects(path)))))
        listing = "\n".join((NAMES, RULES, *(f"{path}.md" for path in SHOWN)))
        return (
            "# API\n\nMade from the docstrings. Every name is documented under its shortest path. "
            f"[Every public name of MindSpore]({NAMES}), its state here and its counterpart in "
            f"PyTorch have a page of their own, and so has [what a PyTorch call becomes]({RULES})."
            f"\n\n:::{{container}} paths\n{table(('module', 'contents', 'names'), rows)}\n:::\n\n"
            f"```{{toctree}}\n:hidden:\n\n{listing}\n```\n"
        )

    def all(self) -> Iterator[tuple[str, str]]:
        """All pages: file and text."""
        for module in sorted(self.modules):
            yield from self.module(module)
        yield NAMES, names_page.page(self.link, cell)
        yield RULES, rules_page.page(cell)
        yield "index.md", self.index()


def write_pages(app: Sphinx) -> None:
    """Write the pages into the source folder `api/`, which git ignores."""
    folder = Path(app.srcdir) / "api"
    pages = dict(Pages(public_modules()).all())
    for old in folder.rglob("*.md"):
        if old.relative_to(folder).as_posix() not in pages:
            old.unlink()
    for name, text in pages.items():
        path = folder / name
        # an unchanged page keeps its date, so that Sphinx need not read it again
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx: the pages are written before it looks for sources."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
