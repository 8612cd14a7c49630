"""Maps over trees, dispatch by type, loops, hooks, printing and paths, as programs use them."""

from __future__ import annotations

import importlib
import pickle

import numpy as np
import pytest

import agar as ms
from agar import Tensor, nn, ops
from agar.ops import composite as C
from agar.ops import functional as F
from agar.ops import operations as P


def one(value):
    return Tensor([float(value)])


# --------------------------------------------------------------------- maps over trees


def test_hyper_map_reaches_the_leaves_and_gives_tuples():
    got = ops.HyperMap()(ops.square, (one(1), [one(2), (one(3),)]))
    assert isinstance(got, tuple)
    assert isinstance(got[1], tuple)
    assert [t.item() for t in (got[0], got[1][0], got[1][1][0])] == [1, 4, 9]
    assert ops.HyperMap()(ops.square, one(3)).item() == 9
    assert ops.HyperMap()(ops.square, ()) == ()
    assert ops.HyperMap()(lambda a, b: a - b, (5, (6, 7)), (1, (2, 3))) == (4, (4, 4))


def test_map_stays_on_the_first_level():
    assert ops.Map()(lambda v: v[0], ((1, 2), (3, 4))) == (1, 3)
    assert ops.Map()(lambda a, b: a + b, [1, 2], (3, 4)) == (4, 6)
    assert ops.Map()(lambda a: a + 1, 1) == (2,)


def test_leaves_beside_sequences_go_into_every_application():
    assert ops.HyperMap()(lambda a, b: a * b, (1, (2, 3)), 10) == (10, (20, 30))
    assert ops.HyperMap()(lambda a, b: a * b, (1, (2, 3)), (10, 100)) == (10, (200, 300))


def test_a_function_given_at_construction():
    assert ops.HyperMap(lambda a: a + 1)((1, (2,))) == (2, (3,))
    assert ops.Map(lambda a: a + 1)((1, 2)) == (2, 3)


def test_order_of_application():
    for reverse, expected in ((False, [1, 2, 3]), (True, [3, 2, 1])):
        seen = []
        got = ops.HyperMap(lambda a, seen=seen: (seen.append(a), a)[1], reverse)((1, 2, 3))
        assert (seen, got) == (expected, (1, 2, 3))


@pytest.mark.parametrize("kind", [ops.Map, ops.HyperMap])
def test_sequences_of_different_lengths_are_refused(kind):
    """MindSpore cuts the longer one without a word."""
    with pytest.raises(ValueError, match=r"equal lengths, but got \[2, 1\]"):
        kind()(lambda a, b: a, (1, 2), (3,))


def test_bad_maps():
    with pytest.raises(TypeError, match="function"):
        ops.HyperMap(3)
    with pytest.raises(TypeError, match="'ops'"):
        ops.HyperMap()(3, (1,))
    with pytest.raises(TypeError, match="missing"):
        ops.HyperMap()(ops.square)
    with pytest.raises(TypeError, match="reverse"):
        ops.HyperMap(None, "a")


def test_sums_of_nests():
    got = ops.hyper_add((one(1), [2]), (one(10), [20]))
    assert (got[0].item(), got[1]) == (11, (22,))


def test_flags():
    net = nn.Cell()
    assert ops.add_flags(net, fp16=True) is net
    assert net.get_flags()["fp16"] is True

    @ops.add_flags(has_effect=True)
    def f(x):
        return x

    assert f._func_graph_flags == {"has_effect": True}


# -------------------------------------------------------------------- dispatch by type


def labeled(*signatures):
    graph = ops.MultitypeFuncGraph("graph")
    for names in signatures:
        names = names if isinstance(names, tuple) else (names,)
        graph.register(*names)(lambda *args, names=names: names)
    return graph


@pytest.mark.parametrize(
    ("names", "value", "expected"),
    [
        (("Tensor", "Number"), one(1), "Tensor"),
        (("Tensor", "Number"), ms.Parameter(one(1)), "Tensor"),
        (("Tensor", "Number"), 1, "Number"),
        (("Tensor", "Number"), 2.5, "Number"),
        (("Tensor", "Number"), True, "Number"),
        (("Tensor", "Number"), np.float64(1), "Number"),
        (("Bool", "Int", "Float"), True, "Bool"),
        (("Bool", "Int", "Float"), 1, "Int"),
        (("Bool", "Int", "Float"), 1.5, "Float"),
        (("Int32", "Int64", "Float32", "Float64"), 1, "Int64"),
        (("Int32", "Int64", "Float32", "Float64"), 1.5, "Float64"),
        (("Number", "Int"), 1, "Number"),
        (("Int", "Number"), 1, "Int"),
        (("Int", "Number"), True, "Number"),
        (("List", "Tuple", "Dictionary"), (1,), "Tuple"),
        (("List", "Tuple", "Dictionary"), [1], "List"),
        (("List", "Tuple", "Dictionary"), {}, "Dictionary"),
        (("String", "None", "Function"), "a", "String"),
        (("String", "None", "Function"), None, "None"),
        (("String", "None", "Function"), ops.relu, "Function"),
        (("Slice", "Ellipsis", "TypeType"), slice(1), "Slice"),
        (("Slice", "Ellipsis", "TypeType"), ..., "Ellipsis"),
        (("Slice", "Ellipsis", "TypeType"), ms.float32, "TypeType"),
        (("Tensor[Float16]", "Tensor[Float32]"), one(1), "Tensor[Float32]"),
        (("Tensor[Float16]", "Tensor[Float32]"), one(1).astype(ms.float16), "Tensor[Float16]"),
        (("List[Int]", "Tuple[Tensor]", "Tuple[Int]"), (1, 2), "Tuple[Int]"),
        (("List[Int]", "Tuple[Tensor]", "Tuple[Int,Tensor]"), (1, one(1)), "Tuple[Int,Tensor]"),
    ],
)
def test_the_first_implementation_that_fits(names, value, expected):
    assert labeled(*names)(value) == (expected,)


def test_types_as_objects():
    graph = ops.MultitypeFuncGraph("graph")
    graph.register(ms.tensor_type)(lambda x: "tensor")
    graph.register(ms.number)(lambda x: "number")
    assert (graph(one(1)), graph(1)) == ("tensor", "number")


def test_several_arguments_decide_together():
    graph = labeled(("Tensor", "Tensor"), ("Number", "Number"), ("Tensor", "Number"))
    assert graph(one(1), 2) == ("Tensor", "Number")
    with pytest.raises(ValueError, match="cannot find fn match given args") as caught:
        graph(1, one(2))
    assert "(Tensor, Number)" in str(caught.value)


def test_a_single_implementation_is_called_whatever_comes():
    assert labeled(("Number", "Tensor"))("a") == ("Number", "Tensor")


def test_bad_registrations():
    graph = ops.MultitypeFuncGraph("graph")
    with pytest.raises(RuntimeError, match="Unsupported type name: Thing"):
        graph.register("Thing")
    with pytest.raises(TypeError, match="only support str"):
        graph.register(3)
    with pytest.raises(TypeError, match="fn"):
        graph.register("Tensor")(3)
    with pytest.raises(TypeError, match="'name' must be str"):
        ops.MultitypeFuncGraph(3)
    with pytest.raises(ValueError, match="registered are: none"):
        graph(1)


# ---------------------------------------------------------------- as real programs do it

clip_grad = C.MultitypeFuncGraph("clip_grad")


@clip_grad.register("Number", "Number", "Tensor")
def _clip_grad(clip_type, clip_value, grad):
    """Clip by value (0) or by norm (1); the shape of many a MindSpore training script."""
    if clip_type not in (0, 1):
        return grad
    dt = F.dtype(grad)
    if clip_type == 0:
        return C.clip_by_value(
            grad,
            F.cast(F.tuple_to_array((-clip_value,)), dt),
            F.cast(F.tuple_to_array((clip_value,)), dt),
        )
    return nn.ClipByNorm()(grad, F.cast(F.tuple_to_array((clip_value,)), dt))


grad_scale = C.MultitypeFuncGraph("grad_scale")


@grad_scale.register("Tensor", "Tensor")
def _tensor_grad_scale(scale, grad):
    return F.cast(grad, ms.float32) * P.Reciprocal()(scale)


class TrainOneStep(nn.Cell):
    """A train step as scripts write it by hand."""

    def __init__(self, network, optimizer):
        super().__init__(auto_prefix=False)
        self.network = network
        self.weights = optimizer.parameters
        self.optimizer = optimizer
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.hyper_map = C.HyperMap()

    def construct(self, x, y):
        loss = self.network(x, y)
        sens = P.Fill()(P.DType()(loss), P.Shape()(loss), 8.0)
        grads = self.grad(self.network, self.weights)(x, y, sens)
        grads = self.hyper_map(F.partial(grad_scale, Tensor(8.0)), grads)
        self.before = grads
        grads = self.hyper_map(F.partial(clip_grad, 0, 0.5), grads)
        self.after = grads
        return F.depend(loss, self.optimizer(grads))


def test_gradients_scaled_and_clipped_in_a_train_step():
    net = nn.WithLossCell(nn.Dense(3, 1, weight_init="ones", bias_init="zeros"), nn.MSELoss())
    step = TrainOneStep(net, nn.SGD(net.trainable_params(), 0.1))
    x, y = Tensor(np.array([[1.0, 0.1, 0.0]], np.float32)), Tensor(np.zeros((1, 1), np.float32))
    loss = step(x, y)
    np.testing.assert_allclose(loss.asnumpy(), 1.21, rtol=1e-6)
    np.testing.assert_allclose(step.before[0].asnumpy(), [[2.2, 0.22, 0.0]], rtol=1e-6)
    np.testing.assert_allclose(step.after[0].asnumpy(), [[0.5, 0.22, 0.0]], rtol=1e-6)
    np.testing.assert_allclose(step.after[1].asnumpy(), [0.5])
    weight = net.trainable_params()[0].asnumpy()
    np.testing.assert_allclose(weight, [[0.95, 0.978, 1.0]], rtol=1e-6)


def test_a_function_among_the_partial_arguments():
    apply = ops.MultitypeFuncGraph("apply")

    @apply.register("Function", "Tensor")
    def _apply(fn, x):
        return fn(x)

    got = ops.HyperMap()(ops.partial(apply, ops.square), (one(2), one(3)))
    assert [t.item() for t in got] == [4, 9]


# ------------------------------------------------------------ identity and dependencies


def test_values_pass_through():
    x = one(1)
    assert ops.depend(x, one(2)) is x
    assert ops.Depend()(3, None) == 3
    assert ops.identity(x) is x
    assert ops.IdentityN()((x, 3)) == (x, 3)
    same = ops.Identity()(x)
    assert same is not x
    assert same.item() == 1
    with pytest.raises(TypeError, match="must be Tensor"):
        ops.Identity()(3)
    assert ops.partial(lambda a, b: a - b, 1)(5) == -4
    assert ops.Partial()(lambda a, b: a - b, 1)(5) == -4
    with pytest.raises(TypeError, match="func"):
        ops.partial(3, 4)
    with pytest.raises(TypeError, match="missing"):
        ops.Partial()()


def test_stop_gradient():
    x = Tensor([1.0, 2.0])
    for stop in (ops.stop_gradient, ops.StopGradient()):
        np.testing.assert_array_equal(ms.grad(lambda v, s=stop: s(v) * v)(x).asnumpy(), [1, 2])
        np.testing.assert_array_equal(ms.grad(lambda v, s=stop: s(v * v))(x).asnumpy(), [0, 0])
    assert ops.stop_gradient(5) == 5
    assert ops.stop_gradient("a") == "a"
    nested = ms.grad(lambda v: ops.stop_gradient({"a": (v, [v])})["a"][1][0] * v)(x)
    np.testing.assert_array_equal(nested.asnumpy(), [1, 2])
    p = ms.Parameter(x, name="p")
    assert type(ops.stop_gradient(p)) is Tensor


def test_stop_gradient_in_a_half_cell():
    class Net(nn.Cell):
        def construct(self, x):
            return ops.stop_gradient(x)

    assert Net().to_float(ms.float16)(one(1)).dtype == ms.float16


def test_stop_gradient_in_place():
    def f(x):
        y = x * 2
        assert ops.stop_gradient_(y) is y
        return x * y

    np.testing.assert_array_equal(ms.grad(f)(Tensor([1.0, 3.0])).asnumpy(), [2, 6])
    with pytest.raises(TypeError, match="Tensor"):
        ops.stop_gradient_(3)


# --------------------------------------------------------------------------- hooks


@pytest.mark.parametrize(
    ("hook", "expected"),
    [
        (lambda g: g[0] * 10, 60),
        (lambda g: (g[0] * 10,), 60),
        (lambda g: None, 6),
    ],
)
def test_hook_backward(hook, expected):
    gate = ops.HookBackward(hook)
    assert ms.grad(lambda x: gate(x * 2) * 3)(one(1)).item() == expected
    assert gate(one(5)).item() == 5


def test_hook_backward_of_several_tensors():
    seen = []
    swap = ops.HookBackward(lambda g: (seen.append(len(g)), (g[1] * 10, g[0]))[1])

    def f(x, y):
        a, b = swap(x, y)
        return a * 3 + b * 2

    dx, dy = ms.grad(f, (0, 1))(one(1), one(2))
    assert (dx.item(), dy.item(), seen) == (20, 3, [2])


def test_bad_hooks():
    with pytest.raises(TypeError, match="callable"):
        ops.HookBackward(3)
    with pytest.raises(TypeError, match="cell_id"):
        ops.HookBackward(lambda g: g, 3)
    with pytest.raises(TypeError, match="must be Tensors"):
        ops.HookBackward(lambda g: g)(3)
    wrong = ops.HookBackward(lambda g: g[1])
    with pytest.raises(TypeError, match="tuple of 2"):
        ms.grad(lambda x, y: sum(wrong(x, y)), (0, 1))(one(1), one(2))
    assert repr(ops.HookBackward(lambda g: g, "a")) == "Prim[HookBackward]<cell_id=a>"


def test_insert_gradient_of():
    double = ops.InsertGradientOf(lambda dx: dx * 2)
    assert double(one(3)).item() == 3
    assert ms.grad(lambda x: double(x) * 3)(one(1)).item() == 6
    with pytest.raises(TypeError, match="'f'"):
        ops.InsertGradientOf(3)
    with pytest.raises(TypeError, match="Tensor"):
        double(3)
    with pytest.raises(TypeError, match="must return a Tensor"):
        ms.grad(lambda x: ops.InsertGradientOf(lambda g: 3)(x))(one(1))


def test_print(capsys):
    ops.print_("a", one(1), 3, (1, one(2)))
    ops.Print()("b")
    assert capsys.readouterr().out.splitlines() == [
        "a",
        "Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])",
        "3",
        "(1, Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00]))",
        "b",
    ]


# --------------------------------------------------------------------------- loops


def test_while_loop():
    assert ops.WhileLoop()(lambda x: x < 5, lambda x: x + 1, Tensor(0)).item() == 5
    got = ops.WhileLoop()(lambda x: x[0] < 5, lambda x: (x[0] + 1, x[1] * 2), (Tensor(0), one(1)))
    assert (got[0].item(), got[1].item()) == (5, 32)
    grad = ms.grad(lambda x: ops.WhileLoop()(lambda v: v < 10, lambda v: v * x, x))(one(3))
    assert grad.item() == 27  # 3 * 3 * 3, whose derivative is 3 x^2
    with pytest.raises(TypeError, match="cond_func"):
        ops.WhileLoop()(3, lambda x: x, 0)


def test_fori_loop():
    assert ops.ForiLoop()(0, 4, lambda i, v: v + i, 0) == 6
    assert ops.ForiLoop()(Tensor(1), Tensor(3), lambda i, v: v * i, one(5), False).item() == 10
    assert ops.ForiLoop()(4, 0, lambda i, v: v + i, 7) == 7
    with pytest.raises(TypeError, match="'lower'"):
        ops.ForiLoop()("a", 4, lambda i, v: v, 0)


def test_scan():
    def fn(total, x):
        return total + x, total * x

    carry, outputs = ops.Scan()(fn, one(0), [one(1), one(2)])
    assert (carry.item(), [o.item() for o in outputs]) == (3, [0, 2])
    carry, outputs = ops.Scan()(fn, Tensor(0.0), Tensor([1.0, 2.0, 3.0]))
    assert (carry.item(), [o.item() for o in outputs]) == (6, [0, 2, 9])
    assert ops.Scan()(lambda c, x: (c + 1, c), 0, None, 3) == (3, [0, 1, 2])
    assert ops.Scan()(fn, 0, []) == (0, [])
    with pytest.raises(ValueError, match="'length'"):
        ops.Scan()(fn, 0, [1, 2], 3)
    with pytest.raises(TypeError, match="pair"):
        ops.Scan()(lambda c, x: c, 0, [1])
    with pytest.raises(TypeError, match="'xs'"):
        ops.Scan()(fn, 0, None)


# ---------------------------------------------------------------------- module paths


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("agar.ops.operations", "ReLU"),
        ("agar.ops.operations.nn_ops", "Softmax"),
        ("agar.ops.operations.math_ops", "Add"),
        ("agar.ops.operations._grad_ops", "ReLU"),
        ("agar.ops.functional", "cast"),
        ("agar.ops.functional", "grad"),
        ("agar.ops.function", "relu"),
        ("agar.ops.function.nn_func", "cross_entropy"),
        ("agar.ops.composite", "HyperMap"),
        ("agar.ops.composite", "GradOperation"),
        ("agar.ops.composite", "clip_by_value"),
        ("agar.ops.composite.base", "MultitypeFuncGraph"),
        ("agar.ops.primitive", "Primitive"),
        ("agar.ops.auto_generate", "ReLU"),
    ],
)
def test_one_operator_at_every_path(path, name):
    assert getattr(importlib.import_module(path), name) is getattr(ops, name)


def test_views_say_what_is_missing():
    with pytest.raises(AttributeError, match=r"agar\.ops\.operations.* has no attribute 'Nothing'"):
        P.Nothing
    with pytest.raises(ImportError):
        exec("from agar.ops.functional import nothing_of_that_name")
    assert not hasattr(P, "__wrapped__")


def test_star_imports():
    names: dict[str, object] = {}
    exec("from agar.ops.operations import *", names)
    assert names["ReLU"] is ops.ReLU
    assert "relu" not in names
    assert "ReLU" in dir(P)
    assert "relu" in dir(F)


@pytest.mark.parametrize("value", [ops.ReLU(), ops.relu, ops.SmoothL1Loss(0.5), ops.Depend()])
def test_operators_can_be_pickled(value):
    again = pickle.loads(pickle.dumps(value))
    assert repr(again) == repr(value) or again is value
