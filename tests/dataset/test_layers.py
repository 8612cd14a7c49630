"""The modules of datasets import each other in one direction, inside functions too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import agar.dataset

pytestmark = pytest.mark.smoke

FOLDER = Path(agar.dataset.__file__).parent / "engine"
PACKAGE = "agar.dataset.engine"
MODULES = {path.stem for path in FOLDER.glob("*.py")} - {"__init__"}


def _without_types(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those under ``if TYPE_CHECKING``, which never run."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from _without_types(node)


def _imported(source: str) -> set[str]:
    names = set()
    for node in _without_types(ast.parse(source)):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        if node.module == PACKAGE:
            names.update(alias.name for alias in node.names)
        elif node.module.startswith(f"{PACKAGE}."):
            names.add(node.module.removeprefix(f"{PACKAGE}."))
    return names & MODULES


def test_imports_of_the_engine_point_one_way():
    graph = {name: _imported((FOLDER / f"{name}.py").read_text()) for name in MODULES}
    order = list(TopologicalSorter(graph).static_order())
    assert order.index("datasets") < order.index("operations")
    assert order.index("datasets") < order.index("iterators")


def test_a_circle_is_seen():
    late = f"def f():\n    from {PACKAGE}.operations import MapDataset\n"
    typed = f"if TYPE_CHECKING:\n    from {PACKAGE} import operations\n"
    assert _imported(late) == {"operations"}
    assert _imported(typed) == set()
    circle = {"datasets": {"operations"}, "operations": {"datasets"}}
    with pytest.raises(CycleError):
        list(TopologicalSorter(circle).static_order())


def test_names_that_are_defined_above_their_module():
    from agar.dataset.engine import datasets, operations, schema

    for name in datasets._ABOVE:
        assert getattr(datasets, name).__name__ == name
    assert datasets.BatchDataset is operations.BatchDataset
    assert datasets.zip is schema.zip
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = datasets.Nothing
