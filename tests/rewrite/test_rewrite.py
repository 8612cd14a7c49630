"""Networks changed as source; names and relations of nodes are those of MindSpore 2.10."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import agar as ms
from agar import nn, ops
from agar.rewrite import Node, NodeType, ScopedValue, SymbolTree, ValueType
from rewrite.networks import Base, Block, Counting, Derived, LeNet, Net, Random, Syntax, Twice

X = ScopedValue.create_naming_value("x")
LENET = [
    "input_x",
    "conv1",
    "relu",
    "max_pool2d",
    "conv2",
    "relu_1",
    "max_pool2d_1",
    "unaryop_not",
    "if_node",
    "flatten",
    "fc1",
    "relu_2",
    "fc2",
    "relu_3",
    "fc3",
    "return_1",
]


@pytest.fixture
def tree():
    return SymbolTree.create(LeNet())


@pytest.fixture
def x():
    return ms.Tensor(np.linspace(-1, 1, 4).reshape(2, 2).astype(np.float32))


@pytest.fixture
def image():
    return ms.Tensor(np.random.RandomState(0).rand(2, 1, 32, 32).astype(np.float32))


def names(nodes):
    return [node.get_name() for node in nodes]


def relu(name="", targets=("x",)):
    return Node.create_call_cell(nn.ReLU(), list(targets), [X], name=name)


def lines(tree):
    """The statements of the network's function."""
    code = tree.get_code()
    return [line.strip() for line in code[code.rindex("def construct") :].splitlines()[1:]]


def same(found, expected):
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    elif isinstance(expected, dict):
        assert found.keys() == expected.keys()
        same(list(found.values()), list(expected.values()))
    elif isinstance(expected, ms.Tensor):
        np.testing.assert_array_equal(found.asnumpy(), expected.asnumpy())
    else:
        assert found == expected


# ------------------------------------------------------------------------------- reading


def test_the_nodes_of_the_documented_network(tree):
    nodes = {node.get_name(): node for node in tree.nodes()}
    assert list(nodes) == LENET
    conv = nodes["conv1"]
    assert conv.get_node_type() is NodeType.CallCell
    assert conv.get_instance_type() is nn.Conv2d
    assert str(nodes["fc1"].get_targets()) == "[fc1_var]"
    assert str(nodes["relu_2"].get_args()) == "[fc1_var]"
    assert names(nodes["conv2"].get_inputs()) == ["max_pool2d"]
    assert names(conv.get_users()) == ["relu"]
    assert names(nodes["max_pool2d_1"].get_users()) == ["flatten"]
    assert nodes["unaryop_not"].get_node_type() is NodeType.MathOps
    assert names(nodes["if_node"].get_inputs()) == ["unaryop_not"]
    assert names(tree.get_inputs()) == ["input_x"]
    assert tree.get_node("nothing") is None
    assert "return" in names(tree.all_nodes())
    assert conv.get_symbol_tree().get_node("fc1") == nodes["fc1"]


def test_a_layer_that_is_not_there_is_a_function():
    tree = SymbolTree.create(LeNet(include_top=False))
    assert tree.get_node("fc1").get_node_type() is NodeType.CallFunction
    assert tree.get_node("fc1").get_instance_type() is type(None)


def test_kinds_of_nodes():
    tree = SymbolTree.create(Net())
    kinds = {node.get_name(): node.get_node_type().name for node in tree.nodes()}
    assert {
        "block": "Tree",
        "seq": "CellContainer",
        "helper": "CallFunction",
        "inner": "CallFunction",
        "add": "CallPrimitive",
        "sin": "CallFunction",
        "binop_sub": "MathOps",
        "tuple": "CallMethod",
        "subscript_var": "CallMethod",
        "for_node": "ControlFlow",
        "else_node": "ControlFlow",
    }.items() <= kinds.items()
    assert tree.get_node("sin").get_instance() is ops.sin
    assert tree.get_node("add").get_instance_type() is ops.Add
    split = tree.get_node("split")
    assert [str(t) for t in split.get_targets()] == ["a", "b"]
    assert {i: [(n.get_name(), k) for n, k in u] for i, u in split.get_target_users().items()} == {
        0: [("tuple", 0)],
        1: [("tuple", 1)],
    }
    assert tree.get_node("tuple").get_arg_providers()[1] == (split, 1)
    assert tree.get_node("concat_1").get_kwargs() == {"axis": ScopedValue.create_variable_value(0)}
    inside = names(tree.nodes(all_nodes=True))
    assert {"Dense", "tanh", "fc_1", "input_a_1"} <= {*inside}
    assert names(tree.get_node("block").get_sub_tree().nodes())[:3] == ["input_x", "input_y", "fc"]


def test_a_keyword_is_no_argument():
    node = SymbolTree.create(Syntax()).get_node("relu")
    assert str(node.get_kwargs()) == "{'input': input}"
    assert node.get_args() == []
    assert names(node.get_inputs()) == ["input_input"]


def test_the_table(tree, capsys):
    tree.print_node_tabulate()
    out = capsys.readouterr().out.splitlines()
    assert " ".join(out[0].split()) == "node type name codes arg providers target users"
    assert out[3].split("  ")[0] == "NodeType.CallCell"
    for part in ("conv1", "x = self.conv1(x)", "{0: ('input_x', 0)}", "{0: [('relu', 0)]}"):
        assert part in " ".join(out)
    assert len(out) == 2 + len(LENET)


# ------------------------------------------------------------ what is not changed is the same


@pytest.mark.parametrize("graph", [False, True])
def test_a_network_that_is_not_changed(x, graph):
    ms.set_context(mode=ms.GRAPH_MODE if graph else ms.PYNATIVE_MODE)
    net = Net()
    expected = net(x, x)
    network = SymbolTree.create(net).get_network()
    assert type(network).__name__ == "NetOpt"
    assert isinstance(network, Net)
    same(network(x, x), expected)
    assert [p.name for p in network.get_parameters()] == [p.name for p in net.get_parameters()]
    assert network.fc.weight is net.fc.weight


def test_order_and_syntax_stay(x):
    net = Syntax()
    expected, called = net(x, 1.0, scale=3), list(net.called)
    network = SymbolTree.create(net).get_network()
    net.called.clear()
    same(network(x, 1.0, scale=3), expected)
    assert network.called == called
    assert network.construct.__doc__ == "Words."


def test_an_attribute_is_read_before_a_call_changes_it(x):
    tree = SymbolTree.create(Counting())
    same(tree.get_network()(x), x * (1 + 2) + 2)
    assert "count_var = self.count" in lines(tree)


def test_random_numbers_come_in_the_same_order(x):
    ms.set_seed(3)
    expected = Random().set_train()(x)
    ms.set_seed(3)
    same(SymbolTree.create(Random().set_train()).get_network()(x), expected)


@pytest.mark.parametrize("kind", [Base, Derived, Twice, LeNet])
def test_private_names_bases_decorators(kind, x, image):
    net = kind()
    data = image if kind is LeNet else x
    same(SymbolTree.create(net).get_network()(data), net(data))


def test_a_class_inside_a_function(x):
    factor = 5.0

    class Local(nn.Cell):
        def construct(self, x):
            return x * factor

    same(SymbolTree.create(Local()).get_network()(x), x * 5)


def test_a_network_is_rewritten_again(x):
    tree = SymbolTree.create(Block())
    tree.insert(tree.after("fc"), Node.create_call_cell(nn.Tanh(), ["fc_var"], [_name("fc_var")]))
    second = SymbolTree.create(tree.get_network())
    assert "Tanh" in names(second.nodes())
    second.erase("Tanh")
    net = tree.get_origin_network()
    same(second.get_network()(x), net(x))


def _name(text):
    return ScopedValue.create_naming_value(text)


# ------------------------------------------------------------------------------ inserting


def test_a_layer_behind_another(tree, image):
    net = tree.get_origin_network()
    new = relu("new_relu")
    assert (new.get_symbol_tree(), new.get_inputs(), new.get_users()) == (None, [], [])
    assert tree.insert(tree.after("conv1"), new) == new
    assert names(new.get_inputs()) == ["conv1"]
    assert names(new.get_users()) == ["relu"]
    again = tree.insert(tree.before(tree.get_node("conv1")), relu("new_relu"))
    assert again.get_name() == "new_relu_1"
    order = [f"x = self.{name}(x)" for name in ("new_relu_1", "conv1", "new_relu")]
    assert lines(tree)[:3] == order
    network = tree.get_network()
    assert network.new_relu is new.get_instance()
    assert not hasattr(net, "new_relu")
    same(network(image), net(image))  # the image has no negative pixel, and ReLU is idempotent


def test_layers_bring_their_parameters(x):
    tree = SymbolTree.create(Block())
    extra = Node.create_call_cell(nn.Dense(2, 2), ["x"], [X], name="extra")
    tree.insert(tree.before("fc"), extra)
    network = tree.get_network()
    assert [p.name for p in network.trainable_params()] == [
        "fc.weight",
        "fc.bias",
        "extra.weight",
        "extra.bias",
    ]
    same(network(x), tree.get_origin_network()(extra.get_instance()(x)))
    grads = ms.grad(lambda v: network(v).sum(), None, network.trainable_params())(x)
    assert len(grads) == 4


def test_functions_primitives_and_objects(x):
    net = Derived()
    tree = SymbolTree.create(net)
    constant = ScopedValue.create_variable_value(ms.Tensor(2.0))
    at = tree.after("input_x")
    power = Node.create_call_function(ops.pow, ["x"], [X, constant])
    tree.insert(at, power)
    absolute = Node.create_call_function(ops.abs, ["x"], [X])
    tree.insert(at, absolute)  # not the builtin of that name
    tree.insert(at, Node.create_call_cell(ops.Neg(), ["x"], [X]))
    assert names(tree.nodes())[:4] == ["input_x", "Neg", "abs", "pow"]
    same(tree.get_network()(x), net(ops.pow(ops.abs(-x), 2.0)))
    assert "from agar.ops.function import pow" in tree.get_code()


def test_keywords_and_several_targets(x):
    tree = SymbolTree.create(Block())
    axis = {"axis": ScopedValue.create_variable_value(1), "split_size_or_sections": _one()}
    tree.insert(tree.after("input_x"), Node.create_call_function(ops.split, ["p", "q"], [X], axis))
    join = Node.create_call_function(
        ops.concat, ["x"], [ScopedValue(ValueType.TupleValue, "", (_name("q"), _name("p"))), _one()]
    )
    tree.insert(tree.after("split"), join)
    assert lines(tree)[0] == "p, q = split(x, axis=1, split_size_or_sections=1)"
    same(tree.get_network()(x), tree.get_origin_network()(x[:, ::-1]))


def _one():
    return ScopedValue.create_variable_value(1)


def test_inside_functions_methods_branches_and_networks(x):
    net = Net()
    tree = SymbolTree.create(net)
    double = lambda: Node.create_call_function(twice, ["c"], [_name("c")])  # noqa: E731
    tree.insert(tree.after("binop_add"), double())
    tree.insert(
        tree.after("fc"), Node.create_call_cell(nn.Tanh(), ["b"], [_name("b")], name="squash")
    )
    tree.insert(tree.after("fc_1"), Node.create_call_function(twice, ["w"], [_name("w")]))
    first = tree.get_node("block").get_sub_tree()
    first.insert(first.before("fc"), Node.create_call_function(twice, ["x"], [X]))
    assert "self.insert_child_to_cell('block_1', BlockOpt_1(obj.block" in tree.get_code()
    tree.get_code()
    network = tree.get_network()

    v = net.block(net.block(x * 2))
    v = net.seq(v)
    v = ops.tanh((v + x) * 2)
    v = ops.tanh(net.fc(v)) * 2
    z = (net.add(v, x) + ops.sin(v) * 2 - 3).abs()
    a, b = ops.split(z, 1, 1)
    w = net.fc(ops.concat((a + 0 + 1, b), 1)) * 2
    same(network(x, x), (ops.concat([w, w], axis=0), -w))
    same(net(x, x), Net.construct(net, x, x))


def twice(value):
    return value * 2


def test_classes_that_programs_keep_closed():
    from agar.rewrite.common import namespace

    net = Net()
    assert namespace.is_subtree(net.block)
    assert not namespace.is_subtree(net.seq)
    assert SymbolTree.create(net).get_node("block").get_node_type().name == "Tree"
    namespace._subtree_black_list.append(type(net.block))
    try:
        assert SymbolTree.create(net).get_node("block").get_node_type().name == "CallCell"
        assert not namespace.is_subtree(net.block)
    finally:
        namespace._subtree_black_list.pop()


def test_a_new_network(x):
    tree = SymbolTree.create(Block())
    inner = Node.create_call_cell(Block(), ["x"], [X], name="inner", is_sub_net=True)
    assert inner.get_node_type() is NodeType.Tree
    tree.insert(tree.before("fc"), inner)
    sub = inner.get_sub_tree()
    sub.erase("relu")
    sub.get_node("binop_add").set_arg(0, "fc_var")
    sub.get_node("binop_add").set_arg(1, "fc_var")
    block = inner.get_instance()
    same(tree.get_network()(x), tree.get_origin_network()(block.fc(x) + block.fc(x)))


def test_inputs(x):
    tree = SymbolTree.create(Block())
    tree.insert(tree.after("input_x"), Node.create_input("z", _one()))
    assert names(tree.get_inputs()) == ["input_x", "input_y", "input_z"]
    tree.insert(tree.before("fc"), Node.create_call_function(ops.mul, ["x"], [X, _name("z")]))
    network = tree.get_network()
    net = tree.get_origin_network()
    same(network(x), net(x))
    same(network(x, z=3.0), net(x * 3.0))
    with pytest.raises(RuntimeError, match="before the input"):
        tree.insert(tree.before("input_x"), Node.create_input("q"))
    with pytest.raises(ValueError, match="'z' already"):
        tree.insert(tree.after("input_x"), Node.create_input("z"))


# ----------------------------------------------------------------------- other changes


def test_erasing(tree):
    node = tree.erase("relu")
    assert node.get_symbol_tree() is None
    assert names(tree.get_node("conv1").get_users()) == ["max_pool2d"]
    assert lines(tree)[:2] == ["x = self.conv1(x)", "x = self.max_pool2d(x)"]
    with pytest.raises(RuntimeError, match="'relu' does not belong"):
        tree.erase(node)
    with pytest.raises(RuntimeError, match="is an input"):
        tree.erase("input_x")
    tree.erase("if_node")
    assert "return x" not in lines(tree)[:-1]


def test_an_else_goes_with_its_if(x):
    tree = SymbolTree.create(Net())
    tree.erase("if_node")
    assert tree.get_node("else_node") is None
    assert not [line for line in lines(tree) if line.startswith("if")]


def test_replacing(tree, image):
    first = Node.create_call_cell(nn.Conv2d(1, 6, 5, pad_mode="valid"), ["y"], [X], name="a")
    second = Node.create_call_cell(nn.Tanh(), ["x"], [_name("y")], name="b")
    assert tree.replace(tree.get_node("conv1"), [first, second]) == second
    assert names(tree.nodes())[:4] == ["input_x", "a", "b", "relu"]
    assert second.get_arg_providers() == {0: (first, 0)}
    assert tree.get_network()(image).shape == (2, 10)
    with pytest.raises(ValueError, match="must not be empty"):
        tree.replace(second, [])


def test_arguments(tree):
    node = tree.get_node("relu_3")
    node.set_arg(0, "fc1")
    assert str(node.get_args()) == "[fc1]"
    assert node.get_inputs() == []
    assert tree.get_node("fc2").get_users() == []
    node.set_arg_by_node(0, tree.get_node("fc1"), 0)
    assert str(node.get_args()) == "[fc1_var]"
    assert "x = self.relu(fc1_var)" in lines(tree)
    for index in (3, -1):
        with pytest.raises(ValueError, match=f"got {index}"):
            node.set_arg(index, "x")
    with pytest.raises(ValueError, match="one of the 1 outputs"):
        node.set_arg_by_node(0, tree.get_node("fc1"), 4)
    node.set_attribute("note", 1)
    assert (node.get_attribute("note"), node.get_attribute("other")) == (1, None)


def test_keyword_arguments_are_changed():
    tree = SymbolTree.create(Syntax())
    tree.get_node("relu").set_arg(0, ScopedValue.create_naming_value("last", "self"))
    assert lines(tree)[1] == "output = self.relu(input=self.last)"


def test_the_output(tree):
    assert str(tree.set_output(0, "fc2_var").get_args()) == "[fc2_var]"
    assert lines(tree)[-1] == "return fc2_var"
    with pytest.raises(ValueError, match="got 1"):
        tree.set_output(1, "x")


def test_new_names(tree):
    result = [tree.unique_name(n) for n in ("x", "x", "new", "new")] + [tree.unique_name()]
    assert result == ["x_1", "x_2", "new", "new_1", "output"]


def test_saving(tree, tmp_path):
    assert tree.get_saved_file_name() == "./network_define.py"
    tree.set_saved_file_name(str(tmp_path / "made"))
    tree.save_network_to_file()
    assert (tmp_path / "made.py").read_text(encoding="utf-8") == tree.get_code()
    assert "x = self.relu(fc1_var)" in inspect.getsource(tree.get_network().construct)


# -------------------------------------------------------------------------------- errors


def test_a_node_has_one_place(tree):
    node = tree.insert(tree.after("conv1"), relu())
    with pytest.raises(ValueError, match="was inserted before"):
        tree.insert(tree.after("conv1"), node)
    other = SymbolTree.create(LeNet())
    with pytest.raises(ValueError, match="not in the tree"):
        tree.insert(other.after("conv1"), relu())
    with pytest.raises(RuntimeError, match="does not belong"):
        tree.before(other.get_node("conv1"))


def test_functions_do_not_know_the_network():
    tree = SymbolTree.create(Net())
    with pytest.raises(NotImplementedError, match="'helper' does not know the network"):
        tree.insert(tree.after("binop_add"), relu())
    with pytest.raises(NotImplementedError, match="part of another statement"):
        tree.insert(tree.after("Dense"), relu())
    with pytest.raises(ValueError, match="those of the if"):
        tree.get_node("else_node").set_arg(0, "x")


@pytest.mark.parametrize(
    "call",
    [
        lambda t: SymbolTree.create(3),
        lambda t: SymbolTree(3),
        lambda t: t.before(3),
        lambda t: t.insert(3, relu()),
        lambda t: t.insert(t.after("conv1"), 3),
        lambda t: t.get_node("conv1").get_sub_tree(),
        lambda t: Node.create_call_cell(nn.ReLU(), "x"),
        lambda t: Node.create_call_cell(3, ["x"]),
        lambda t: Node.create_call_cell(nn.ReLU(), ["x"], ["x"]),
        lambda t: Node.create_call_function(3, ["x"]),
        lambda t: Node.create_input(3),
        lambda t: t.nodes(all_nodes=3),
        lambda t: t.unique_name(3),
    ],
)
def test_wrong_types(tree, call):
    with pytest.raises(TypeError, match="type of"):
        call(tree)


def test_a_network_without_source():
    space: dict = {"nn": nn}
    exec("class A(nn.Cell):\n    def construct(self, x):\n        return x", space)
    net = space["A"]()
    with pytest.raises(RuntimeError, match="cannot be read"):
        SymbolTree.create(net)


def test_what_is_not_there(tree):
    with pytest.raises(NotImplementedError, match="flatten_nodes"):
        tree.flatten_nodes(tree.get_node("conv1"))
    with pytest.raises(NotImplementedError, match="flatten_static"):
        tree.flatten_static_if_control_flow()


# -------------------------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (2, "ConstantValue", "2"),
        ("a", "ConstantValue", "a"),
        (None, "ConstantValue", "None"),
        ((1, 2), "TupleValue", "Illegal ValueType: ValueType.TupleValue"),
        ([1], "ListValue", "Illegal ValueType: ValueType.ListValue"),
        ({"a": 1}, "DictValue", "Illegal ValueType: ValueType.DictValue"),
        (abs, "CustomObjValue", "CustomObj: <built-in function abs>"),
    ],
)
def test_values(value, kind, text):
    result = ScopedValue.create_variable_value(value)
    assert (result.type, str(result)) == (ValueType[kind], text)
    assert result == ScopedValue.create_variable_value(value)


def test_names_as_values():
    assert (
        str(ScopedValue.create_name_values(["z", "z_1"], ["self", "self"])) == "[self.z, self.z_1]"
    )
    with pytest.raises(ValueError, match="1 and 2"):
        ScopedValue.create_name_values(["a"], ["b", "c"])
    for wrong in ("ab", [3]):
        with pytest.raises(TypeError, match="names"):
            ScopedValue.create_name_values(wrong)
    assert len({X, ScopedValue.create_naming_value("x"), _name("y")}) == 2
