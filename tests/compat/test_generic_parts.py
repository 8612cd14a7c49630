"""Names that stand for an operator, a method or a public name, and nested values."""

from __future__ import annotations

import collections
import importlib

import numpy as np
import pytest

import agar as ms
from agar import compat

X, Y = ms.Tensor([1.0, 2.0]), ms.Tensor([4.0, 2.0])
PAIRS = "ops.composite.multitype_ops"


def _values(result):
    return result.asnumpy().tolist() if isinstance(result, ms.Tensor) else result


#: module, function, arguments, and what MindSpore's compiler gives
OVERLOADS = [
    ("add", "_tensor_add_scalar", (X, 1), [2, 3]),
    ("add", "_string_concat_string", ("a", "b"), "ab"),
    ("add", "_tensor_add_tuple", (X, (1.0, 2.0)), [2, 4]),
    ("add", "_list_add_list", ([1], [2]), [1, 2]),
    ("sub", "_list_sub_tensor", ([5.0, 5.0], X), [4, 3]),
    ("div", "_scalar_div_tensor", (4, X), [4, 2]),
    ("mod", "_tensor_mod_scalar", (Y, 3), [1, 2]),
    ("pow", "_scalar_pow_tensor", (2, X), [2, 4]),
    ("mul", "_string_mul_number", ("ab", 2), "abab"),
    ("equal", "_none_equal_tensor", (None, X), False),
    ("equal", "_tensor_equal_tensor", (X, Y), [False, True]),
    ("equal", "_euqal_tuple", ((1, 2), (1, 2)), True),
    ("not_equal", "_tensor_not_equal_none", (X, None), True),
    ("greater", "_greater_tensor", (Y, X), [True, False]),
    ("in", "_string_in_list", ("a", ["a"]), True),
    ("not_in", "_number_not_in_tuple", (3, (1, 2)), True),
    ("logical_and", "_logical_and_tensor", (X > 1, Y > 3), [False, False]),
    ("logical_not", "_logical_not_tuple", ((),), True),
    ("negative", "_negative_tensor", (X,), [-1, -2]),
    ("getitem", "_tensor_getitem_by_slice", (Y, slice(1, None)), [2]),
    ("setitem", "_list_setitem_with_number", ([1, 2], 0, 5), [5, 2]),
]


@pytest.mark.parametrize("case", OVERLOADS, ids=[case[1] for case in OVERLOADS])
def test_overloads_are_their_operators(case):
    module, name, values, expected = case
    result = compat.find(f"{PAIRS}.{module}_impl", name)(*values)
    assert _values(result) == expected


def test_overloads_that_raise_in_mindspore_raise():
    with pytest.raises(NotImplementedError, match="default_add"):
        compat.find(f"{PAIRS}.add_impl", "default_add")(X, "a")
    with pytest.raises(AttributeError):
        compat.find(f"{PAIRS}.add_impl", "_no_such_name")


def test_methods_as_functions():
    path = "graph._parse.standard_method"
    assert _values(compat.find(path, "argmax")(Y)) == 0
    assert compat.find(path, "astype")(X, ms.int32).dtype == ms.int32
    assert compat.find(path, "all_")(X > 0)
    assert compat.find(path, "T")(ms.ops.ones((2, 3))).shape == (3, 2)
    dense = ms.Tensor([[0.0, 2.0], [0.0, 0.0]])
    assert _values(compat.find(path, "csr_to_dense")(dense.to_csr())) == [[0, 2], [0, 0]]
    with pytest.raises(TypeError, match="'argmax', the first argument must be a Tensor"):
        compat.find(path, "argmax")([1])


def test_public_names_at_private_paths():
    for path, name, expected in (
        ("mint.optim.adam", "Adam", ms.mint.optim.Adam),
        ("train.metrics.confusion_matrix", "ConfusionMatrixMetric", ms.train.ConfusionMatrixMetric),
        ("nn.layer.basic", "tril", ms.ops.tril),
        ("ops.function.array_func", "from_numpy", ms.from_numpy),
    ):
        assert compat.find(path, name) is expected


# -------------------------------------------------------------------------------- nested values

Point = collections.namedtuple("Point", "x y")
TREE = {"b": 1, "a": [2, (3, None)], "c": Point(4, 5)}
pytree = importlib.import_module("agar.utils._pytree")


def test_leaves_and_structure():
    leaves, structure = pytree.tree_flatten(TREE)
    assert leaves == [2, 3, None, 1, 4, 5]  # dicts by their sorted keys
    assert (structure.num_leaves, structure.num_nodes) == (6, 10)
    again = pytree.tree_unflatten(structure, range(6))
    assert again == {"a": [0, (1, 2)], "b": 3, "c": Point(4, 5)}
    assert type(again["c"]) is Point
    assert structure == pytree.tree_structure(again)
    assert pytree.tree_structure([1]) != pytree.tree_structure((1,))
    kinds = (collections.OrderedDict(a=1), {1}, collections.deque([1]), None)
    assert all(pytree.tree_leaves(value) == [value] for value in kinds)
    pair = pytree.tree_leaves([1, [2, 3]], is_leaf=lambda value: value == [2, 3])
    assert pair == [1, [2, 3]]


def test_functions_of_several_trees():
    pairs = pytree.tree_map(lambda x, y: (x, y), {"a": 1, "b": [2]}, {"a": 3, "b": [4]})
    assert pairs == {"a": (1, 3), "b": [(2, 4)]}
    for other in ([1, 2], (1,), 1):
        with pytest.raises(TypeError, match="Structure mismatch"):
            pytree.tree_map(max, [1], other)
    with pytest.raises(TypeError, match="Structure mismatch"):
        pytree.tree_map(max, {"a": 1}, {"b": 1})


def test_tensors_as_the_only_leaves():
    tensor = ms.Tensor([1])
    leaves, structure = pytree.tree_flatten({"n": 1, "t": tensor}, tensors_only_leaf=True)
    assert leaves == [tensor]
    assert pytree.tree_unflatten(structure, ["new"]) == {"n": 1, "t": "new"}


def test_leaves_that_do_not_fit():
    structure = pytree.tree_structure([1, 2])
    with pytest.raises(ValueError, match="Not enough leaves"):
        pytree.tree_unflatten(structure, [1])
    with pytest.raises(ValueError, match="Too many leaves"):
        pytree.tree_unflatten(structure, [1, 2, 3])


def test_classes_of_the_program():
    @pytree.register_pytree_node_class
    class Box:
        def __init__(self, value):
            self.value = value

        def tree_flatten(self):
            return (self.value,), "extra"

        @classmethod
        def tree_unflatten(cls, extra, children):
            assert extra == "extra"
            return cls(*children)

    assert pytree.tree_leaves(Box([1, 2])) == [1, 2]
    assert pytree.tree_map(lambda x: x + 1, Box(np.float64(5))).value == 6
    with pytest.raises(TypeError, match="must be a type"):
        pytree.register_pytree_node(3, len, len)
    with pytest.raises(ValueError, match="in its own way"):
        pytree.register_pytree_node(dict, len, len)
