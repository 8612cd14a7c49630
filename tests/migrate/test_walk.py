"""Walks over syntax trees: the same as libcst's own, and as fast as a large file needs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import libcst as cst
import libcst.matchers as m
import pytest
from libcst.metadata import (
    MetadataWrapper,
    ParentNodeProvider,
    PositionProvider,
    QualifiedNameProvider,
    ScopeProvider,
)

from agar.migrate.conversion import _transform, _walk
from agar.migrate.conversion._expand import code_of, literal
from agar.migrate.conversion._file import convert_file
from agar.migrate.conversion._project import Project

HERE = Path(__file__).parent
TEXTS = {
    "itself": Path(__file__).read_text(),
    "transformer": Path(_transform.__file__).read_text(),
    "forms": '''
# a comment above

import os.path, torch.nn as nn
from torch import Tensor as T
from . import sister


@ nn.decorated (
    1,
)

# above the function
async def f(a, /, b: "T" = 1, *c, d=lambda x, y=2: x + y, **e) -> T:
    """Many
    lines."""
    global g
    g = [i for j in a if j for i in j]; h = {k: v for k, v in e.items()}
    with open(a) as one, open(b) as (two, three):
        del one, two[0]
    async for i in (n := a, *c): await i
    else:
        raise ValueError(f"{a!r:>{b}} {c=}") from None
    try: pass
    except (OSError, ValueError) as error: print(error)
    finally:
        assert a if b else not c, "no"
    while True: break
    return (
        (yield a) ,  a[1:2, ..., ::b] @ b ** - c < d is not None
    )


class C(nn.Module, metaclass = type): x : int = 3; y += 1
match g:
    case [1, C(x=2) as z, *rest] | {"a": 1, **more} if rest: pass
''',
}


def parse(name: str) -> cst.Module:
    return cst.parse_module(TEXTS[name])


@pytest.mark.parametrize("name", TEXTS)
class TestAgainstLibcst:
    def test_lines_scopes_and_parents(self, name: str) -> None:
        wrapper = MetadataWrapper(parse(name))
        tree = wrapper.module
        positions = wrapper.resolve(PositionProvider)
        scopes = wrapper.resolve(ScopeProvider)
        qualified = wrapper.resolve(QualifiedNameProvider)
        around = wrapper.resolve(ParentNodeProvider)
        lines, found, parents = _walk.lines_of(tree), _walk.scopes_of(tree), _walk.parents_of(tree)
        nodes = list(_walk.nodes_in(tree))
        assert len(nodes) == len(set(nodes)) > 100
        for node in nodes:
            assert lines[node] == positions[node].start.line
            assert parents.get(node) is around.get(node)
            scope, expected = found.get(node), scopes.get(node)
            assert type(scope) is type(expected)
            if not isinstance(node, (cst.Name, cst.Attribute, cst.Call)) or scope is None:
                continue
            names: Any = qualified[node]
            names = names() if callable(names) else names
            assert set(scope.get_qualified_names_for(node)) == set(names)

    def test_nothing_but_layout_is_left_out(self, name: str) -> None:
        tree = parse(name)
        seen = list(_walk.nodes_in(tree))
        left: list[Any] = [tree]
        every = []
        while left:
            node = left.pop()
            every.append(node)
            left += reversed(node.children)
        assert [n for n in every if not isinstance(n, _walk._LAYOUT)] == seen

    def test_a_rewrite_gives_what_a_visit_gives(self, name: str) -> None:
        class Change(cst.CSTTransformer):
            def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> Any:
                return updated_node.with_changes(value=original_node.value.upper())

            def leave_Expr(self, original_node: cst.Expr, updated_node: cst.Expr) -> Any:
                return cst.RemoveFromParent()

            def leave_Return(self, original_node: cst.Return, updated_node: cst.Return) -> Any:
                return cst.FlattenSentinel([cst.Pass(), updated_node])

        tree = parse(name)
        before = tree.code
        assert _walk.rewritten(tree, Change()).code == tree.visit(Change()).code != before
        assert tree.code == before
        assert _walk.rewritten(tree, cst.CSTTransformer()) is tree

    def test_what_matches_is_what_libcst_finds(self, name: str) -> None:
        tree = parse(name)
        for matcher in (
            m.Name(),
            m.Name("a"),
            m.Name() | m.Attribute(attr=m.Name("nn")),
            m.Attribute(value=m.Name("self"), attr=m.Name("children")),
            m.Call(func=m.Attribute(attr=m.OneOf(m.Name("items"), m.Name("get")))),
            m.Call(func=m.Name(), args=[m.Arg()]),
            m.Assign(value=m.Name() | m.List()),
            m.AnnAssign(value=None),
        ):
            assert _walk.findall(tree, matcher) == list(m.findall(tree, matcher))

    def test_the_text_of_a_node(self, name: str) -> None:
        empty = cst.Module([])
        for node in _walk.nodes_in(parse(name)):
            if isinstance(node, cst.BaseExpression):
                assert code_of(node) == empty.code_for_node(node)


def test_a_part_that_is_needed_is_not_removed() -> None:
    class Remove(cst.CSTTransformer):
        def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> Any:
            return cst.RemoveFromParent()

    with pytest.raises(TypeError, match=r"Await\.expression cannot be removed"):
        _walk.rewritten(cst.parse_expression("await a"), Remove())
    assert _walk.rewritten(cst.parse_statement("return a"), Remove()).body[0].value is None


def test_literals() -> None:
    values = ["set()", "(1, -2)", "None", "(True)", "'a'", "{1: [2.5]}", "1 + 2j", "b'x'"]
    assert [literal(cst.parse_expression(v)) for v in values] == [(True, eval(v)) for v in values]
    for text in ("x", "x.y", "x[0]", "f()", "set(1)", "f.set()", "1 < 2", "[i for i in a]"):
        assert literal(cst.parse_expression(text)) == (False, None)


BLOCK = """
class Net{i}(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.conv = nn.Conv2d(3, 64, kernel_size=3, padding=1, bias=False)
        self.fc = nn.Linear(64, dim)

    def forward(self, x):
        x = F.relu(self.conv(x))
        n, c, h, w = x.size()
        x = x.view(n, c, -1).permute(0, 2, 1)
        y = torch.cat([x, x], dim=1)
        return F.log_softmax(self.fc(y.mean(dim=1)), dim=-1)
"""


def seconds_of(blocks: int) -> float:
    head = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
    text = head + "".join(BLOCK.replace("{i}", str(i)) for i in range(blocks))
    path, project = HERE / "made.py", Project()
    project.add_text(path, text)
    begun = time.process_time()
    made = convert_file(text, path, project, "mindspore", training=False, written=False)
    assert len(made.calls) >= 8 * blocks
    return time.process_time() - begun


def test_the_time_of_a_scan_grows_with_the_lines_and_not_faster() -> None:
    seconds_of(2)  # the table of rules is read once
    short = min(seconds_of(5) for _ in range(3))
    assert seconds_of(20) < 4 * 2.5 * short


def test_no_tree_outlives_its_conversion() -> None:
    seconds_of(1)
    assert not _walk._PARTS


def test_a_name_that_two_imports_bind_is_the_same_every_time() -> None:
    text = "import torch\nfrom torch import nn\nfrom mylib import nn\nlayer = nn.Linear(3, 4)\n"
    path, project = HERE / "made.py", Project()
    project.add_text(path, text)
    made = convert_file(text, path, project, "mindspore", written=False)
    assert [c.name for c in made.calls] == ["torch.nn.Linear"]


def test_a_scan_finds_uses_whose_conversion_would_not_compile() -> None:
    text = "import torch\nreturn torch.zeros(3)\n"
    path, project = HERE / "made.py", Project()
    project.add_text(path, text)
    assert [c.name for c in convert_file(text, path, project, "agar", written=False).calls] == [
        "torch.zeros"
    ]
    assert "does not compile" in convert_file(text, path, project, "agar").error
