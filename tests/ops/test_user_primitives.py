"""Primitives and operators that users write, and operators on Python values."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import Tensor, ops
from agar.ops._grad_experimental.grad_base import bprop_getters
from agar.ops.primitive import _primexpr, constexpr


class Scale(ops.Primitive):
    """Multiplies; its gradient can be registered apart."""

    @ops.prim_attr_register
    def __init__(self, factor, offset=0.0):
        self.kind = "linear"

    def __call__(self, x):
        return x * self.factor + self.offset


def test_constructor_arguments_become_attributes():
    prim = Scale(3.0, offset=1.0)
    assert repr(prim) == "Prim[Scale]<factor=3.0, offset=1.0>"
    assert (prim.factor, prim.offset, prim.kind, prim.name) == (3.0, 1.0, "linear", "Scale")
    assert prim.init_attrs == {"factor": 3.0, "offset": 1.0}
    assert prim(Tensor([2.0])).item() == 7
    with pytest.raises(TypeError, match=r"Scale\.__init__\(\).*factor"):
        Scale()


def test_arguments_of_a_subclass_join_those_of_its_base():
    class Twice(Scale):
        @ops.prim_attr_register
        def __init__(self, name_of_it):
            super().__init__(2.0)

    assert Twice("a").attrs == {"name_of_it": "a", "factor": 2.0, "offset": 0.0}


def test_arguments_without_attributes():
    class Quiet(ops.Primitive):
        @ops.prim_arg_register
        def __init__(self, factor):
            self.seen = True

    assert (repr(Quiet(3)), Quiet(3).factor, Quiet(3).seen) == ("Prim[Quiet]", 3, True)


@pytest.mark.parametrize("base", [ops.PrimitiveWithInfer, ops.PrimitiveWithCheck])
def test_bases_of_the_old_style(base):
    class Old(base):
        @ops.prim_attr_register
        def __init__(self):
            super().__init__("Old")

        def infer_shape(self, shape):
            return shape

        def __call__(self, x):
            return x + 1

    assert Old()(Tensor([1.0])).item() == 2
    with pytest.raises(NotImplementedError, match="__call__"):
        base("Nothing")(Tensor([1.0]))


def test_a_registered_gradient_replaces_the_own_one():
    class Cube(ops.Primitive):
        @ops.prim_attr_register
        def __init__(self, factor):
            self.calls = 0

        def __call__(self, x, y):
            return x * x * x * y

    @bprop_getters.register(Cube)
    def get_bprop_cube(self):
        factor = self.factor

        def bprop(x, y, out, dout):
            return dout * factor, ops.zeros_like(y)

        return bprop

    x, y = Tensor([2.0]), Tensor([3.0])
    assert Cube(7.0)(x, y).item() == 24
    dx, dy = ms.grad(Cube(7.0), (0, 1))(x, y)
    assert (dx.item(), dy.item()) == (7, 0)


def test_bad_gradients():
    with pytest.raises(TypeError, match="class of Primitives"):
        bprop_getters.register("ReLU")
    with pytest.raises(ValueError, match="'ReLU' is an operator of agar"):
        bprop_getters.register(ops.ReLU)


def test_functions_of_constants():
    @constexpr
    def half(n):
        """Half of it."""
        return n // 2

    @constexpr(name="other", get_instance=True)
    def double(n):
        return n * 2

    @constexpr(get_instance=False)
    def third(n):
        return n / 3

    @_primexpr
    def same(n):
        return n

    assert (half(7), double(7), third()(6), same(1)) == (3, 14, 2.0, 1)
    assert (repr(half), repr(double)) == (
        "Prim[half]<constexpr_prim=True>",
        "Prim[other]<constexpr_prim=True>",
    )
    assert half.__doc__ == "Half of it."
    with pytest.raises(TypeError, match="function"):
        constexpr(3)


# ------------------------------------------------------------------- Python as operators


def test_custom_operator():
    seen = []

    def cube(x):
        seen.append(type(x))
        return x**3

    op = ops.Custom(cube, lambda s: s, lambda d: d, bprop=lambda x, out, dout: (dout * 7,))
    x = Tensor([1.0, 2.0])
    np.testing.assert_array_equal(op(x).asnumpy(), [1, 8])
    assert seen == [np.ndarray]
    np.testing.assert_array_equal(ms.grad(op)(x).asnumpy(), [7, 7])


def test_custom_operator_cannot_write_into_its_inputs():
    def write(x):
        x[:] = 0
        return x

    x = Tensor([1.0, 2.0])
    ops.Custom(write)(x)
    np.testing.assert_array_equal(x.asnumpy(), [1, 2])


def test_custom_operator_with_several_results():
    op = ops.Custom(
        lambda x, y: (x + y, x.sum()), ((2,), ()), (ms.float16, ms.int32), func_type="pyfunc"
    )
    both, total = op(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))
    assert (both.dtype, total.dtype, total.item()) == (ms.float16, ms.int32, 3)


def test_bad_custom_operators():
    x = Tensor([1.0, 2.0])
    with pytest.raises(ValueError, match="func_type"):
        ops.Custom(abs, func_type="magic")
    with pytest.raises(NotImplementedError, match=r"func_type='aot'.*Instead"):
        ops.Custom("a.so:f", func_type="aot")
    with pytest.raises(TypeError, match="'func' must be a function"):
        ops.Custom("a.so:f")
    with pytest.raises(TypeError, match="'bprop'"):
        ops.Custom(abs, bprop=3)
    with pytest.raises(RuntimeError, match="bprop not defined"):
        ms.grad(ops.Custom(lambda v: v * 2))(x)
    with pytest.raises(ValueError, match=r"declared with shape \(3,\)"):
        ops.Custom(lambda v: v, (3,))(x)
    with pytest.raises(ValueError, match="2 output shapes are declared"):
        ops.Custom(lambda v: (v,), ((2,), (2,)))(x)
    with pytest.raises(TypeError, match="arrays or numbers"):
        ops.Custom(lambda v: "a")(x)


def test_python_function():
    f = ops.PyFunc(lambda x: x + 1, [ms.float32], [(2,)], [ms.float64], [(2,)])
    (result,) = f(Tensor([1.0, 2.0]))
    assert result.dtype == ms.float64
    np.testing.assert_array_equal(result.asnumpy(), [2, 3])
    with pytest.raises(TypeError, match="fn"):
        ops.PyFunc(3, [], [], [], [])


@pytest.mark.parametrize("name", ["CustomOpBuilder", "kernel", "ms_kernel"])
def test_building_kernels_is_refused_with_a_reason(name):
    with pytest.raises(NotImplementedError, match=rf"ops\.{name} .*Instead"):
        getattr(ops, name)("x")


# ----------------------------------------------------------------------- Python values


def test_scalars_and_tensors():
    assert ops.scalar_to_tensor(1).dtype == ms.float32
    assert ops.ScalarToTensor()(3, ms.int32).dtype == ms.int32
    assert ops.scalar_to_array(3).dtype == ms.int64
    assert ops.array_to_scalar(Tensor(3)) == 3
    assert ops.tuple_to_array((1, 2)).dtype == ms.int32
    assert ops.tuple_to_array((1.5, 2)).dtype == ms.float32
    assert ops.TupleToArray()(range(2)).asnumpy().tolist() == [0, 1]
    assert ops.TupleToArray()((True, False)).asnumpy().tolist() == [1, 0]
    assert ops.TensorToTuple()(Tensor([1.0, 2.0])) == (1.0, 2.0)
    assert [ops.scalar_cast(3.7, t) for t in (ms.int64, ms.float64, ms.bool_)] == [3, 3.7, True]


def test_bad_scalars():
    for run, kind, words in (
        (lambda: ops.scalar_to_tensor("a"), TypeError, "'x'"),
        (lambda: ops.scalar_to_tensor(1, "thing"), TypeError, "type"),
        (lambda: ops.scalar_cast("a", ms.int64), TypeError, "'x'"),
        (lambda: ops.scalar_cast(1, ms.float16), ValueError, "ms.float64"),
        (lambda: ops.array_to_scalar(3), TypeError, "Tensor"),
        (lambda: ops.tuple_to_array(3), TypeError, "tuple"),
        (lambda: ops.tuple_to_array(()), ValueError, "empty"),
        (lambda: ops.TensorToTuple()(Tensor([[1.0]])), ValueError, "1-d"),
        (lambda: ops.scalar_div(1, 0), ValueError, "zero"),
        (lambda: ops.reduced_shape((2, 3), (5,)), ValueError, "axis"),
    ):
        with pytest.raises(kind, match=words):
            run()


def test_small_functions_on_values():
    """What is not in their examples: floor semantics, copies, tensors among the values."""
    assert (ops.scalar_mod(7, -2), ops.scalar_mod(-7.5, 2.0)) == (-1, 0.5)
    values = (1, 2)
    assert ops.tuple_setitem(values, 0, 5) == (5, 2)
    assert values == (1, 2)
    table = {"a": 1}
    assert ops.dict_setitem(table, "b", 2) == {"a": 1, "b": 2}
    assert table == {"a": 1}
    assert ops.scalar_add(Tensor([1.0]), Tensor([2.0])).item() == 3
    assert ops.augassign_mul(Tensor([2.0]), 3).item() == 6
    assert ops.typeof(Tensor([1.0])) is ms.float32
    assert ops.hastype(Tensor([1.0]), ms.float32)
    assert not ops.is_tensor_bool_cond(Tensor([True, False]))
    assert ops.reduced_shape((2, 3), ()) == (1, 1)


def test_casts_in_nests():
    got = ops.mixed_precision_cast(
        ms.float16, (Tensor([1.0]), [Tensor([1])], 3, {"a": Tensor(2.0)})
    )
    assert got[0].dtype == ms.float16
    assert got[1][0].dtype == ms.int64
    assert isinstance(got[1], tuple)
    assert got[2] == 3
    assert got[3]["a"].dtype == ms.float16
