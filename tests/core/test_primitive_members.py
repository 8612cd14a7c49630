"""What Primitive objects carry beside their operator; the figures are MindSpore 2.10's."""

from __future__ import annotations

import copy
from importlib import import_module

import numpy as np
import pytest

import agar as ms
from agar import nn, ops

X = np.arange(4, dtype=np.float32).reshape(2, 2)
PADDING = np.array([[1, 1], [0, 0]])


def test_attributes_of_an_operator_whose_arguments_are_inputs():
    product = ops.MatMul(transpose_b=True)
    assert product.init_attrs == {"transpose_a": False, "transpose_b": True}
    assert product.get_attr_dict() == {}
    product.add_attr("k", 3)
    assert product.get_attr_dict() == {"k": 3}
    assert "k" not in product.attrs
    product.del_attr("k")
    product.del_attr("k")  # not there any more: nothing to do
    assert product.get_attr_dict() == {}
    assert product.update_parameter is False
    assert ops.BatchNorm().update_parameter is True


def test_attributes_of_an_operator_with_named_inputs():
    pad = ops.MirrorPad()
    names = {"input_names": ["x", "paddings"], "output_names": ["y"]}
    assert pad.get_attr_dict() == {"mode": "REFLECT", **names}
    assert (pad.input_names, pad.output_names) == (["x", "paddings"], ["y"])
    assert {"input_names", "mode"} <= set(dir(pad))
    assert not hasattr(ops.Abs(), "input_names")


def test_an_argument_that_is_added_takes_effect():
    product = ops.MatMul()
    product.add_prim_attr("transpose_b", True)
    assert product(ms.Tensor(X), ms.Tensor(X)).asnumpy().tolist() == [[1, 3], [3, 13]]
    assert product.init_attrs["transpose_b"] is False
    pad = ops.MirrorPad()
    pad.add_attr("mode", "SYMMETRIC")
    rows = [[0, 1], [0, 1], [2, 3], [2, 3]]
    assert pad(ms.Tensor(X), ms.Tensor(PADDING)).asnumpy().tolist() == rows


def test_a_seed_that_is_added_takes_effect():
    ones, p = ms.Tensor([0.5] * 32), ms.Tensor([0.5])
    draws = []
    for seed in (1, 1, 2):
        draw = ops.Bernoulli()
        draw.add_prim_attr("seed", seed)
        draws.append(draw(ones, p).asnumpy().tolist())
    assert draws[0] == draws[1] != draws[2]


def test_an_argument_that_is_added_is_checked_and_completed():
    pool = ops.MaxPool3DWithArgmax(3, 1, 1)
    pool.add_prim_attr("ksize", 2)
    assert pool.ksize == (2, 2, 2)
    with pytest.raises(TypeError, match="type of 'ksize' must be int"):
        pool.add_prim_attr("ksize", "a")
    assert pool(ms.ops.ones((1, 1, 2, 2, 2)))[0].shape == (1, 1, 3, 3, 3)


def test_an_argument_that_is_removed_is_missing():
    product = ops.MatMul(transpose_b=True)
    product.del_prim_attr("transpose_b")
    with pytest.raises(AttributeError, match="no attribute 'transpose_b'"):
        product(ms.Tensor(X), ms.Tensor(X))
    with pytest.raises(NotImplementedError, match=r"del_attr\('mode'\) of 'MirrorPad'"):
        ops.MirrorPad().del_attr("mode")


def test_user_data_and_copies():
    one = ops.Abs()
    one.set_user_data("a", [1])
    one.add_attr("k", 3)
    other = copy.deepcopy(one)
    other.add_attr("k", 4)
    assert (one.get_user_data("a"), one.get_attr_dict()) == ([1], {"k": 3})
    with pytest.raises(RuntimeError, match="nothing was noted under 'b'"):
        one.get_user_data("b")


def test_an_operator_takes_the_name_of_the_attribute_that_holds_it():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.first = self.second = ops.Abs()

    assert Net().first.instance_name == "second"
    assert nn.Dense(2, 3).matmul.instance_name == "matmul"
    assert not hasattr(ops.Abs(), "instance_name")


def test_what_changes_no_result_is_checked_and_accepted():
    prim_type = import_module("agar._c_expression").prim_type

    one = ops.Abs()
    one.set_const_prim(True)
    one.set_inplace_prim(True)
    one.set_const_input_indexes([0])
    one.set_prim_type(prim_type.py_infer_shape)
    one.set_signatures([])
    one.set_instance_name("mine")
    assert one.instance_name == "mine"
    assert one(ms.Tensor([-1.0])).asnumpy() == 1
    with pytest.raises(TypeError, match="must be a bool, but got"):
        one.set_const_prim(1)  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="must be ints"):
        one.set_const_input_indexes(["x"])  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="must be a prim_type"):
        one.set_prim_type(1)


def test_what_would_be_ignored_raises():
    with pytest.raises(NotImplementedError, match=r"add_prim_attr.*takes effect"):
        ops.MatMul().add_attr("transpose_b", True)
    with pytest.raises(NotImplementedError, match="set_signatures of 'Abs'"):
        ops.Abs().set_signatures(["x"])
    with pytest.raises(NotImplementedError, match=r"ops\.HookBackward"):
        ops.Abs().set_hook_fn(print, 1)
