"""Names of MindSpore's compiler and of its registries, as programs may ask for them."""

# wrong arguments and names that are made at run time are what is tested
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportOptionalCall=false

from __future__ import annotations

import json
import os

import numpy as np
import pytest

import agar as ms
from agar import Tensor, ops

D = ops.DataType


# ------------------------------------------------------------------------------ iteration


def test_iteration_step_by_step():
    seen, rest = [], ops.iter_converter(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    while ops.ms_hasnext(rest):
        row, rest = ops.ms_next(rest)
        seen.append(row.tolist())
    assert seen == [[1, 2], [3, 4]]
    assert ops.iter_converter("ab") == ("a", "b")
    assert ops.iter_converter([1, 2]) == [1, 2]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: ops.tail(()), ValueError, "tail"),
        (lambda: ops.tail(3), TypeError, "tail"),
        (lambda: ops.ms_next([]), ValueError, "ms_next"),
        (lambda: ops.iter_converter(3), TypeError, "iter_converter"),
        (lambda: ops.zip_operation(), TypeError, "zip_operation"),
        (lambda: ops.recompute_block(3), TypeError, "recompute_block"),
        (lambda: ops.ref_to_embed(Tensor([1.0])), TypeError, "Parameter"),
        (lambda: ops.J(lambda x: x), NotImplementedError, "ms.vjp"),
    ],
)
def test_what_does_not_go(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_recomputed_block_runs_again():
    runs = []

    def cube(x):
        runs.append(1)
        return x * x * x

    x = Tensor([2.0])
    assert ms.grad(ops.recompute_block(cube))(x).item() == 12
    assert len(runs) == 2


# ------------------------------------------------------------------------------ registries


def test_functions_for_primitives():
    class Twice(ops.Primitive):
        def __init__(self):
            super().__init__("Twice")

    @ops.vm_impl_registry.register(Twice)
    def make(prim):
        return lambda x: x * 2

    assert ops.get_vm_impl_fn(Twice())(4) == 8
    assert ops.get_vm_impl_fn("Twice")(4) == 8
    assert ops.get_vm_impl_fn("nobody") is None
    with pytest.raises(TypeError, match="register"):
        ops.vm_impl_registry.register(3)


def test_operators_by_name():
    registry = ops.tensor_operator_registry
    assert registry.get("add")(Tensor([1]), 2).tolist() == [3]
    assert registry.matmul is ops.matmul
    registry.mine = len
    assert registry.get("mine") is len
    with pytest.raises(AttributeError, match="nothing_like_it"):
        registry.get("nothing_like_it")
    with pytest.raises(TypeError, match="string"):
        registry.get(3)


# --------------------------------------------------------------------- what operators carry


def test_primitives_show_their_attributes():
    add = ops.Add()
    assert add.set_device("GPU").primitive_target == "GPU"
    add.init_prim_io_names(["x", "y"], ["sum"])
    assert (add.input_names, add.output_names) == (["x", "y"], ["sum"])
    add.place("MS_WORKER", 0)
    assert (add.ms_role, add.rank_id) == ("MS_WORKER", 0)
    assert add.check_elim(1, 2) == (False, None)
    assert not hasattr(add, "nothing")
    assert add(Tensor([1]), Tensor([2])).tolist() == [3]


@pytest.mark.parametrize(
    ("args", "error"),
    [(("X", 0), ValueError), (("MS_WORKER", -1), ValueError), (("MS_WORKER", "a"), TypeError)],
)
def test_place_refuses(args, error):
    with pytest.raises(error, match=r"Primitive\.place"):
        ops.Add().place(*args)


# ----------------------------------------------------------------- descriptions of operators


def test_the_description_of_a_kernel():
    op_info = (
        ops.TBERegOp("Abs")
        .fusion_type("ELEMWISE")
        .binfile_name("a")
        .kernel_name("abs")
        .partial_flag(True)
        .attr("format", "required", "str", "all")
        .input(0, "x", None, "required", None)
        .output(0, "y", True, "required", "all")
        .dtype_format(D.F16_None, D.F16_None)
        .get_op_info()
    )
    # what MindSpore 2.10 makes of it
    assert op_info == {
        "op_name": "Abs",
        "inputs": [{"index": 0, "name": "x", "paramType": "required"}],
        "outputs": [
            {"index": 0, "name": "y", "need_compile": True, "paramType": "required", "shape": "all"}
        ],
        "attr": [{"name": "format", "paramType": "required", "type": "str", "value": "all"}],
        "fusion_type": "ELEMWISE",
        "dtype_format": [(("float16", ""), ("float16", ""))],
        "imply_type": "TBE",
        "async_flag": False,
        "binfile": "a",
        "compute_cost": 10,
        "kernel": "abs",
        "partial_flag": True,
        "reshape_type": "",
        "dynamicRankSupport": False,
        "dynamicShapeSupport": False,
        "dynamicCompileStatic": False,
        "needCheckSupport": False,
        "dynamicFormat": False,
        "op_pattern": "",
        "real_input_index": [],
        "input_to_attr_index": [],
        "unknown_shape_formats": [],
    }


def test_kernels_stay_functions():
    info = ops.CpuRegOp("Mine").input(0, "x").output(0, "y").get_op_info()

    @ops.op_info_register(json.dumps(info))
    def kernel(x):
        return x + 1

    assert kernel(1) == 2
    with pytest.raises(ValueError, match="JSON"):
        ops.op_info_register("{")
    with pytest.raises(TypeError, match="op_info"):
        ops.op_info_register(3)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: ops.TBERegOp(""), ValueError, "empty"),
        (lambda: ops.TBERegOp("A").compute_cost("x"), TypeError, "int"),
        (lambda: ops.TBERegOp("A").input(0, "x", value_depend="x"), ValueError, "value_depend"),
        (lambda: ops.CustomRegOp().dtype_format(D.F16_None), ValueError, "size"),
        (lambda: ops.CustomRegOp().input(0, "x").dtype_format("F16"), ValueError, "tuple"),
        (lambda: D.F17_None, AttributeError, "F17_None"),
        (lambda: ops.custom_info_register(3), TypeError, "reg_info"),
    ],
)
def test_descriptions_are_checked(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_dumps(tmp_path):
    ops.tensordump(str(tmp_path / "x.npy"), Tensor([1.5], ms.bfloat16), "in")
    (name,) = os.listdir(tmp_path)
    assert name.startswith("x_bfloat16_")
    assert np.load(tmp_path / name).tolist() == [1.5]
    for args, error in ((("x", 3), TypeError), (("x", Tensor(1), "all"), ValueError)):
        with pytest.raises(error, match="tensordump"):
            ops.tensordump(*args)


# ------------------------------------------------------------------- steps of the compiler


@pytest.mark.parametrize(
    ("x", "y"), [((2, 3), (3,)), ((4, 1, 3), (2, 1)), ((1,), (1,)), ((), (2, 2)), ((1, 2), (2,))]
)
def test_axes_of_gradients_that_were_broadcast(x, y):
    """Summing over these axes gives the gradient that differentiation gives."""
    a, b = ops.ones(x), ops.ones(y)
    whole = np.ones(np.broadcast_shapes(x, y))
    grads = ms.grad(lambda a, b: (a + b).sum(), grad_position=(0, 1))(a, b)
    for axes, grad in zip(ops.broadcast_gradient_args(x, y), grads, strict=True):
        np.testing.assert_array_equal(whole.sum(axes).reshape(grad.shape), grad.asnumpy())


def test_shapes_that_do_not_broadcast():
    with pytest.raises(ValueError, match="broadcast_gradient_args"):
        ops.broadcast_gradient_args((2,), (3,))


def test_collections_stay_as_they_are():
    env = ops.environ_create()
    more = ops.environ_set(env, "w", Tensor([1.0]))
    assert env == {}
    total = ops.environ_add(more, more)
    assert ops.environ_get(total, "w", None).tolist() == [2]
    assert ops.environ_get(env, "w", 0) == 0


def test_placement_over_devices():
    """One process has the whole, whatever the layout; see tests/parallel/test_split."""
    layout = ms.parallel.Layout((2, 2), ("dp", "tp"))
    x = Tensor([1.0])
    assert ops.reshard(x, layout("dp")) is x
    with pytest.raises(ValueError, match="tensor_map"):
        ops.reshard(x, layout)
    for args in ((3, layout("dp")), (x, 3)):
        with pytest.raises(TypeError, match="reshard"):
            ops.reshard(*args)


def test_gradients_in_a_collection():
    weight = ms.Parameter(Tensor([1.0, 2.0]), name="w")
    assert ops.composite.env_get({}, weight).tolist() == [0, 0]
    env = ops.environ_set({}, ops.ref_to_embed(weight), Tensor([3.0, 4.0]))
    assert ops.env_get(env, weight).tolist() == [3, 4]
    assert [ops.SliceGetItem(slice(1, 5, 2), n) for n in ("start", "stop", "step")] == [1, 5, 2]
    with pytest.raises(ValueError, match="SliceGetItem"):
        ops.SliceGetItem(slice(1), "end")


@pytest.mark.parametrize("name", ["array_reduce", "distribute", "embed"])
def test_steps_without_a_meaning_say_so(name):
    with pytest.raises(NotImplementedError, match=rf"ops\.{name}.*compiled code"):
        getattr(ops, name)(1)


def test_nodes_of_branches_say_what_to_use():
    for call in (lambda: ops.geswitch(Tensor([1.0]), Tensor(True)), lambda: ops.merge((1, 2))):
        with pytest.raises(NotImplementedError, match=r"ops\.where"):
            call()
