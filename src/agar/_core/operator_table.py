"""The operators by the names of their bindings, of which most are declared when first asked for.

`Table.expect` is told which module of operators declares which names (`agar.ops._index`). The
module is imported when one of them is looked up; what only lists names imports nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agar._core.optable import Op

__all__ = ["KINDS", "Table"]

#: The kinds of bindings; each is an attribute of the table and one of its entries.
KINDS = ("functions", "methods", "properties", "primitives", "mints")


class _Names(dict[str, "Op"]):
    """Entries by name; in place of one that is not declared yet stands its module's path."""

    def __getitem__(self, name: str) -> Op:
        value: Any = super().__getitem__(name)
        if value.__class__ is str:
            import_module(value)
            home, value = value, super().__getitem__(name)
            if value.__class__ is str:
                raise ImportError(
                    f"{home} does not declare the operator '{name}', though agar.ops._index says "
                    "so. Write the index again: make stubs."
                )
        return value

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default  # noqa: SIM401 - it is what `get` does

    def items(self) -> Any:
        self.declare_all()
        return super().items()

    def values(self) -> Any:
        self.declare_all()
        return super().values()

    def declare_all(self) -> None:
        """Import the modules of all names."""
        for name in tuple(self):
            self[name]

    def claim(self, name: str, entry: Op) -> None:
        """Take an entry that its module declares.

        Raises:
            ValueError: another operator has the name.
        """
        known: Any = super().get(name)
        if known is not None and known.__class__ is not str:
            raise ValueError(f"Two operators claim the name '{name}'.")
        self[name] = entry

    def expect(self, names: Iterable[str], module: str) -> None:
        """Note that a module declares names; those that are declared already stay."""
        waiting: Any = self
        for name in names:
            waiting.setdefault(name, module)


class Table:
    """The entries by the names of their bindings.

    Attributes:
        declared: the entries of the modules that are imported.
        functions: the entries by the names of functions; the other kinds likewise.
    """

    def __init__(self) -> None:
        self.declared: list[Op] = []
        self.functions = _Names()
        self.methods = _Names()
        self.properties = _Names()
        self.primitives = _Names()
        self.mints = _Names()

    @property
    def entries(self) -> list[Op]:
        """All entries."""
        self.declare_all()
        return self.declared

    def declare_all(self) -> None:
        """Import the modules of all operators."""
        for kind in KINDS:
            getattr(self, kind).declare_all()

    def add(self, entry: Op) -> None:
        """Take an entry that its module declares."""
        self.declared.append(entry)
        for kind, names in (
            (self.functions, entry.names),
            (self.methods, entry.methods),
            (self.properties, entry.properties),
            (self.primitives, entry.primitives),
            (self.mints, entry.mints),
        ):
            for name in names:
                kind.claim(name, entry)

    def expect(self, index: Mapping[str, Mapping[str, str]], package: str) -> None:
        """Note what the modules of a package declare: of each, names by their kind."""
        for module, kinds in index.items():
            for kind, names in kinds.items():
                getattr(self, kind).expect(names.split(), f"{package}.{module}")
