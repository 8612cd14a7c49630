"""Patterns that are replaced in networks; figures of MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import nn, ops
from agar.rewrite import (
    Node,
    PatternEngine,
    PatternNode,
    Replacement,
    ScopedValue,
    SymbolTree,
    VarNode,
)

X = ms.Tensor([[0.5, -1.0]])


def dense():
    return nn.Dense(2, 2, weight_init=ms.Tensor([[1.0, 1.0], [1.0, -1.0]]), bias_init="zeros")


class Sub(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = dense()
        self.relu = nn.ReLU()

    def construct(self, x):
        x = self.dense(x)
        x = self.relu(x)
        return x


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d1 = dense()
        self.relu = nn.ReLU()
        self.d2 = dense()
        self.relu2 = nn.ReLU()
        self.add = ops.Add()
        self.sub = Sub()

    def construct(self, x):
        a = self.d1(x)
        a = self.relu(a)
        b = self.d2(x)
        c = self.relu2(b)
        y = self.add(a, c)
        y = self.sub(y)
        return y


class ToSigmoid(Replacement):
    """Notes what it is given, and puts a Sigmoid there."""

    def __init__(self):
        self.matches = []

    def build(self, pattern, is_chain_pattern, matched):
        self.matches.append({k: v.get_name() for k, v in matched.items()})
        self.is_chain = is_chain_pattern
        root, first = matched[pattern.name()], next(iter(matched.values()))
        cell = nn.Sigmoid()
        return [Node.create_call_cell(cell, root.get_targets(), first.get_args())]


class ToTwo(Replacement):
    def build(self, pattern, is_chain_pattern, matched):
        root, first = matched[pattern.name()], next(iter(matched.values()))
        middle = [ScopedValue.create_naming_value("mid")]
        return [
            Node.create_call_cell(nn.Sigmoid(), middle, first.get_args()),
            Node.create_call_cell(nn.Tanh(), root.get_targets(), middle),
        ]


class Nothing(Replacement):
    def build(self, pattern, is_chain_pattern, matched):
        return []


def tree_pattern():
    legs = [
        PatternNode(f"r{i}", nn.ReLU, [PatternNode(f"d{i}", nn.Dense, [VarNode()])]) for i in "ab"
    ]
    return PatternNode("add", ops.Add, legs)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


W = np.array([[1.0, 1.0], [1.0, -1.0]])
INPUT = np.array([[0.5, -1.0]])


@pytest.mark.parametrize(
    ("pattern", "matches", "names", "expected"),
    [
        (
            [nn.Dense, nn.ReLU],
            [["d1", "relu"], ["d2", "relu2"], ["dense", "relu"]],
            ["input_x", "Sigmoid", "Sigmoid_1", "add", "sub", "return"],
            sigmoid(2 * sigmoid(INPUT)),
        ),
        (
            [nn.ReLU],
            [["relu"], ["relu2"], ["relu"]],
            ["input_x", "d1", "Sigmoid", "d2", "Sigmoid_1", "add", "sub", "return"],
            sigmoid(2 * sigmoid(INPUT @ W) @ W),
        ),
        (
            tree_pattern(),
            [["d1", "relu", "d2", "relu2", "add"]],
            ["input_x", "Sigmoid", "sub", "return"],
            np.maximum(sigmoid(INPUT) @ W, 0),
        ),
    ],
    ids=["chain", "one", "tree"],
)
def test_matches_and_results(pattern, matches, names, expected):
    tree, replacement = SymbolTree.create(Net()), ToSigmoid()
    engine = PatternEngine(pattern, replacement)
    assert engine.apply(tree) is True
    assert [list(match.values()) for match in replacement.matches] == matches
    assert replacement.is_chain is isinstance(pattern, list)
    assert [node.get_name() for node in tree.nodes()] == names
    np.testing.assert_allclose(tree.get_network()(X).asnumpy(), expected, atol=1e-6)


def test_several_new_nodes():
    tree = SymbolTree.create(Net())
    assert PatternEngine([nn.Dense, nn.ReLU], ToTwo()).apply(tree) is True
    expected = np.tanh(sigmoid(2 * np.tanh(sigmoid(INPUT))))
    np.testing.assert_allclose(tree.get_network()(X).asnumpy(), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [([nn.Conv2d], ToSigmoid), ([nn.ReLU], Nothing), ([nn.ReLU, nn.ReLU], ToSigmoid)],
)
def test_nothing_changes(pattern, replacement):
    tree = SymbolTree.create(Net())
    before = tree.get_code()
    assert PatternEngine(pattern, replacement()).apply(tree) is False
    assert tree.get_code() == before


class Leaks(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = dense()
        self.relu = nn.ReLU()

    def construct(self, x):
        y = self.dense(x)
        z = self.relu(y)
        return y + z


def test_what_others_take_stays():
    tree = SymbolTree.create(Leaks())
    assert PatternEngine([nn.Dense, nn.ReLU], ToSigmoid()).apply(tree) is False
    assert PatternEngine([nn.ReLU], ToSigmoid()).apply(tree) is True
    y = INPUT @ W
    np.testing.assert_allclose(tree.get_network()(X).asnumpy(), y + sigmoid(y), atol=1e-6)


class Contains(nn.Cell):
    def __init__(self):
        super().__init__()
        self.cells = nn.SequentialCell(dense(), nn.ReLU())
        self.tanh = nn.Tanh()

    def construct(self, x):
        x = self.cells(x)
        x = self.tanh(x)
        return x


@pytest.mark.parametrize(
    "pattern",
    [
        [nn.ReLU],
        [nn.Dense, nn.ReLU],
        PatternNode("relu", nn.ReLU, [PatternNode("dense", nn.Dense, [VarNode()])]),
    ],
)
def test_containers_with_the_pattern_raise(pattern):
    with pytest.raises(NotImplementedError, match=r"is in the container 'cells', whose cells"):
        PatternEngine(pattern, ToSigmoid()).apply(SymbolTree.create(Contains()))


def test_what_follows_a_container_is_replaced():
    tree = SymbolTree.create(Contains())
    assert PatternEngine([nn.ReLU, nn.Dense], ToSigmoid()).apply(tree) is False
    assert PatternEngine([nn.Tanh], ToSigmoid()).apply(tree) is True
    expected = sigmoid(np.maximum(INPUT @ W, 0))
    np.testing.assert_allclose(tree.get_network()(X).asnumpy(), expected, atol=1e-6)


def test_patterns():
    root = PatternEngine([nn.Dense, nn.ReLU], Nothing()).pattern()
    assert root.name() == f"1-{nn.ReLU}"
    assert root.type() is nn.ReLU
    assert [node.type() for node in root.get_inputs()] == [nn.Dense]
    tree = SymbolTree.create(Net())
    add, relu = tree.get_node("add"), tree.get_node("relu")
    assert PatternNode("any", nn.ReLU).match(relu)
    assert not PatternNode("any").match(relu)
    assert VarNode().match(relu)
    pattern = PatternNode.create_pattern_from_node(add)
    assert [node.name() for node in pattern.get_inputs()] == ["relu", "relu2"]
    replacement = ToSigmoid()
    assert PatternEngine(pattern, replacement).apply(tree) is True
    assert list(replacement.matches[0].values()) == ["d1", "relu", "d2", "relu2", "add"]
    pattern.set_inputs([])
    pattern.add_input(VarNode())
    assert [node.name() for node in pattern.get_inputs()] == ["placeholder"]


@pytest.mark.parametrize(
    "call",
    [
        lambda: PatternEngine([nn.ReLU]),
        lambda: PatternEngine([nn.ReLU], 3),  # type: ignore[arg-type]
        lambda: PatternEngine([int], Nothing()),
        lambda: PatternEngine(3, Nothing()),
        lambda: PatternEngine([nn.ReLU], Nothing()).apply(3),  # type: ignore[arg-type]
        lambda: PatternNode(3),  # type: ignore[arg-type]
        lambda: PatternNode("a", nn.ReLU, [3]),
        lambda: PatternNode("a").add_input(3),  # type: ignore[arg-type]
        lambda: PatternNode("a").match(3),  # type: ignore[arg-type]
        lambda: PatternNode.create_pattern_from_list(3),  # type: ignore[arg-type]
        lambda: PatternNode.create_pattern_from_node(3),  # type: ignore[arg-type]
        lambda: Replacement(),  # type: ignore[abstract]
    ],
)
def test_wrong_types_raise(call):
    with pytest.raises(TypeError, match=r"Pattern|abstract"):
        call()


def test_an_empty_list_raises():
    with pytest.raises(ValueError, match="must have a type"):
        PatternEngine([], Nothing())
