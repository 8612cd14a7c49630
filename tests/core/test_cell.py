"""Cell and Parameter: naming, children, attributes, modes, hooks. Figures: MindSpore 2.10."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict

import numpy as np
import pytest

import agar as ms
from agar import nn, ops
from agar._core.runtime import thread

T = ms.Tensor


def names(cell):
    return [p.name for p in cell.get_parameters()]


class Pair(nn.Cell):
    """Two parameters: one named by its attribute, one with a name of its own."""

    def __init__(self):
        super().__init__()
        self.x = ms.Parameter(T([1.0]))
        self.y = ms.Parameter(T([2.0]), name="other")

    def construct(self, v):
        return v * self.x + self.y


class Holder(nn.Cell):
    """Cells under m0, m1, ..."""

    def __init__(self, *cells, auto_prefix=True):
        super().__init__(auto_prefix=auto_prefix)
        for i, cell in enumerate(cells):
            setattr(self, f"m{i}", cell)

    def construct(self, v):
        return self.m0(v)


def dense():
    return nn.Dense(2, 1)


# ------------------------------------------------------------------------------- names


def test_generated_and_given_names():
    a, b = ms.Parameter(T([1.0])), ms.Parameter(T([1.0]))
    assert a.name.startswith("Parameter#")
    assert int(b.name.split("#")[1]) == int(a.name.split("#")[1]) + 1
    a.name = "w"
    assert a.name == "w"
    a.name = None
    assert a.name.startswith("Parameter#")
    assert names(Pair()) == ["x", "other"]


@pytest.mark.parametrize(("name", "words"), [(5, "str"), ("a" * 1025, "1024")])
def test_bad_names(name, words):
    with pytest.raises(ValueError, match=words):
        ms.Parameter(T([1.0]), name=name)


def test_prefixes_are_paths_of_attributes_and_replace_given_names():
    inner = Pair()
    outer = Holder(inner)
    assert names(outer) == names(inner) == ["m0.x", "m0.y"]
    assert names(Holder(outer)) == names(inner) == ["m0.m0.x", "m0.m0.y"]


def test_auto_prefix_off():
    assert names(Holder(dense(), auto_prefix=False)) == ["weight", "bias"]
    assert names(Holder(Holder(dense(), auto_prefix=False))) == ["m0.m0.weight", "m0.m0.bias"]
    assert names(Holder(Holder(dense()), auto_prefix=False)) == ["m0.weight", "m0.bias"]


def test_the_last_parent_names_a_shared_cell():
    shared = dense()
    net = Holder(shared, shared)
    assert names(net) == ["m1.weight", "m1.bias"]
    assert [n for n, _ in net.cells_and_names()] == ["", "m0"]
    assert [(k, p.name) for k, p in net.parameters_and_names()] == [
        ("m0.weight", "m1.weight"),
        ("m0.bias", "m1.bias"),
    ]


def test_a_shared_parameter_is_listed_once():
    a, b = dense(), dense()
    b.weight = a.weight
    assert names(Holder(a, b)) == ["m1.weight", "m0.bias", "m1.bias"]


def test_parameter_tuples_keep_their_names_and_plain_lists_register_nothing():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.t = ms.ParameterTuple([ms.Parameter(T([1.0]), name=f"t{i}") for i in range(2)])
            self.plain = [ms.Parameter(T([1.0]), name="lost"), dense()]

    net = Net()
    assert names(net) == ["t0", "t1"]
    assert names(Holder(net)) == ["m0.t0", "m0.t1"]


def test_insert_child_does_not_rename():
    net = nn.Cell()
    net.insert_child_to_cell("conv3", dense())
    assert names(net) == ["weight", "bias"]
    assert [n for n, _ in net.cells_and_names()] == ["", "conv3"]
    assert net.conv3 is net._cells["conv3"]


def test_containers():
    assert names(nn.SequentialCell(dense(), nn.ReLU(), dense())) == [
        "0.weight",
        "0.bias",
        "2.weight",
        "2.bias",
    ]
    assert names(nn.SequentialCell(OrderedDict(a=dense()))) == ["a.weight", "a.bias"]
    assert names(nn.CellDict({"k": dense()})) == ["k.weight", "k.bias"]
    cells = nn.CellList([dense(), dense()])
    assert names(cells) == ["0.weight", "0.bias", "1.weight", "1.bias"]
    del cells[0]
    assert names(cells) == ["0.weight", "0.bias"]
    assert names(nn.CellList([dense(), dense()], auto_prefix=False)) == ["weight", "bias"] * 2


def test_appending_to_a_child_container():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.l = nn.CellList([dense(), dense()])
            self.s = nn.SequentialCell()
            self.l.append(dense())
            self.s.append(dense())

    assert names(Net()) == [
        *[f"l.{i}.{n}" for i in range(3) for n in ("weight", "bias")],
        "0.weight",
        "0.bias",
    ]


def test_duplicate_names_are_reported_with_both_paths():
    net = Holder(dense(), dense(), auto_prefix=False)
    assert len(net.trainable_params()) == 4
    assert list(net.parameters_dict()) == ["weight", "bias"]
    with pytest.raises(ValueError, match="its name 'weight' already exists") as info:
        net.check_names()
    assert "m0.weight" in str(info.value)
    assert "m1.weight" in str(info.value)
    with pytest.raises(ValueError, match="its name 'weight' already exists"):
        ms.ParameterTuple(net.trainable_params())


# ----------------------------------------------------------------------------- queries


def test_queries():
    net = Holder(dense())
    net.m0.bias.requires_grad = False
    assert [p.name for p in net.trainable_params()] == ["m0.weight"]
    assert [p.name for p in net.untrainable_params()] == ["m0.bias"]
    assert list(net.get_parameters(expand=False)) == []
    assert list(net.parameters_dict()) == ["m0.weight", "m0.bias"]
    assert list(net.name_cells()) == ["m0"]
    assert list(net.cells()) == [net.m0]
    assert net.get_sub_cell("m0") is net.m0
    with pytest.raises(AttributeError, match="no child cell 'zz'"):
        net.get_sub_cell("m0.zz")


@pytest.mark.parametrize("name", ["named_parameters", "train", "eval", "modules", "zero_grad"])
def test_torch_names_are_absent_and_say_what_to_use(name):
    with pytest.raises(AttributeError, match=f"has no attribute '{name}'; (use|leave)"):
        getattr(dense(), name)


# ---------------------------------------------------------------------------- children


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (("a.b", dense()), KeyError),
        (("", dense()), KeyError),
        (("training", dense()), KeyError),
        ((5, dense()), TypeError),
        (("a", 5), TypeError),
    ],
)
def test_insert_child_errors(args, error):
    net = nn.Cell()
    with pytest.raises(error):
        net.insert_child_to_cell(*args)
    assert not net._cells


def test_insert_child_replaces_and_takes_none():
    net = nn.Cell()
    net.insert_child_to_cell("a", dense())
    second = dense()
    net.insert_child_to_cell("a", second)
    assert net.a is second
    net.insert_child_to_cell("b", None)
    assert repr(net).endswith("(b): None\n)")


def test_insert_param():
    net = nn.Cell()
    net.insert_param_to_cell("w", ms.Parameter(1.0))
    assert net.w.name == "w"
    net.insert_param_to_cell("v", ms.Parameter(1.0, name="own"))
    assert net.v.name == "own"
    for args, error in [(("a.b", net.w), KeyError), (("a", 5), TypeError), (("", net.w), KeyError)]:
        with pytest.raises(error):
            net.insert_param_to_cell(*args)


# -------------------------------------------------------------------------- attributes


def test_before_init():
    class NoInit(nn.Cell):
        def __init__(self, value):
            self.value = value

    with pytest.raises(AttributeError, match="_auto_prefix"):
        NoInit(dense())
    with pytest.raises(AttributeError, match=r"please call Cell.__init__\(\) firstly"):
        NoInit(ms.Parameter(1.0))
    with pytest.raises(AttributeError, match="firstly"):
        NoInit(5)(T(1.0))


def test_assignment_to_a_parameter():
    net = Pair()
    p = net.x
    net.x = T([5.0])
    assert net.x is p
    assert p.data.tolist() == [5.0]
    other = ms.Parameter(T([7.0]), name="new")
    net.x = other
    assert names(net) == ["new", "other"]
    net.x = None
    assert net.x is None
    assert names(net) == ["other"]
    with pytest.raises(TypeError, match="can only be replaced by a Parameter"):
        net.y = "text"


def test_an_attribute_keeps_its_kind_until_it_is_deleted():
    net = nn.Cell()
    net.p, net.c = ms.Parameter(1.0), nn.Cell()
    net.register_buffer("b", T([1.0]))
    for name, value in [("p", nn.Cell()), ("c", ms.Parameter(1.0)), ("b", ms.Parameter(1.0))]:
        with pytest.raises(KeyError, match="can only be replaced by one of its kind"):
            setattr(net, name, value)
    assert names(net) == ["p"]
    del net.p
    net.p = nn.Cell()
    assert [n for n, _ in net.cells_and_names()] == ["", "c", "p"]


def test_assignment_to_a_cell():
    net = Holder(dense())
    net.m0 = nn.ReLU()
    assert names(net) == []
    with pytest.raises(TypeError, match="Sub cell 'm0' already exists"):
        net.m0 = 5
    net.m0 = None
    assert net.m0 is None
    net.k = 5
    net.k = dense()
    assert names(net) == ["k.weight", "k.bias"]
    del net.k
    assert names(net) == []
    with pytest.raises(AttributeError, match="no attribute 'k'"):
        del net.k


def test_missing_construct_and_wrong_arguments():
    with pytest.raises(AttributeError, match="the method 'construct' is not defined"):
        nn.Cell()(1)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        Pair()()


def test_parameters_assigned_in_construct():
    class Counter(nn.Cell):
        def __init__(self):
            super().__init__()
            self.p = ms.Parameter(T(1.0), requires_grad=False)
            self.k = 0

        def construct(self, x):
            self.p = self.p + 1
            self.k = self.k + 1
            return x * self.p

    net = Counter()
    p = net.p
    assert net(T(2.0)).item() == 4
    assert ms.value_and_grad(net)(T(2.0))[1].item() == 3
    assert net.p is p
    assert (p.data.item(), net.k) == (3, 2)
    assert not p._value.requires_grad


def test_deepcopy_and_pickle_keep_structure():
    net = Holder(nn.SequentialCell(dense(), nn.ReLU()))
    net.set_train()
    for twin in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert names(twin) == names(net)
        assert twin.m0[0].weight is next(iter(twin.get_parameters()))
        twin.m0[0].weight[0, 0] = 99.0
        assert net.m0[0].weight.asnumpy()[0, 0] != 99
        assert twin.training is True
        assert twin(T([[1.0, 2.0]])).shape == (1, 1)


def test_errors_name_the_path_of_cells():
    class Inner(nn.Cell):
        def construct(self, v):
            return v + T([1.0, 2.0, 3.0])

    net = Holder(Holder(Inner()))
    with pytest.raises(ValueError, match="For 'add'") as info:
        net(T([1.0, 2.0]))
    shown = "\n".join([str(info.value), *getattr(info.value, "__notes__", [])])
    assert "In cell: m0.m0 (Inner)" in shown


# ------------------------------------------------------------------------------- modes


def test_training_mode():
    net = Holder(nn.SequentialCell(dense()))
    assert net.training is False
    assert net.phase == "train"
    assert net.set_train() is net
    assert net.m0[0].training is True
    net.set_train(False)
    assert net.phase == "predict"
    assert nn.ReLU().set_train(1).training == 1


def test_set_grad_is_this_cells_alone():
    net = Holder(dense())
    assert net.requires_grad is False
    assert net.set_grad() is net
    assert net.requires_grad is True
    assert net.m0.requires_grad is False


def test_flags():
    net = nn.ReLU().add_flags(special=3)
    assert net.special == 3
    assert nn.ReLU().to_float(ms.float16).get_flags() == {
        "fp16": True,
        "fp32": False,
        "bf16": False,
    }


def test_apply_visits_children_first():
    seen = []
    net = Holder(nn.ReLU())
    assert net.apply(lambda c: seen.append(type(c).__name__)) is net
    assert seen == ["ReLU", "Holder"]


# --------------------------------------------------------------------------- to_float


class Probe(nn.Cell):
    def __init__(self, fn, child=None):
        super().__init__()
        self.fn = fn
        if child is not None:
            self.child = child

    def construct(self, *args):
        return self.fn(self, *args)


@pytest.mark.parametrize("kind", [ms.float16, ms.bfloat16])
def test_to_float_casts_per_operation(kind):
    seen = {}

    def fn(cell, x):
        seen["inside"] = x.dtype
        seen["reshape"] = x.reshape(-1).dtype
        seen["cast"] = x.astype(ms.float32).dtype
        seen["bool"] = (x > 0).dtype
        seen["new"] = T([1.0]).dtype
        return x * 2

    net = Probe(fn).to_float(kind)
    assert net(T([1.0])).dtype == kind
    assert seen == {
        "inside": ms.float32,
        "reshape": ms.float32,
        "cast": ms.float32,
        "bool": ms.bool_,
        "new": ms.float32,
    }
    assert (T([1.0]) * 2).dtype == ms.float32


def test_to_float_last_call_wins_and_children_nest():
    def both(cell, x):
        y = cell.child(x)
        return x * 2, y, y * 2

    net = Probe(both, Probe(lambda c, x: x + 1))
    net.to_float(ms.float16)
    net.child.to_float(ms.float32)
    assert [t.dtype for t in net(T([1.0]))] == [ms.float16, ms.float32, ms.float16]
    net.to_float(ms.float16)
    assert [t.dtype for t in net(T([1.0]))] == [ms.float16] * 3
    later = Probe(lambda c, x: c.child(x))
    later.to_float(ms.float16)
    later.child = Probe(lambda c, x: x + 1)  # no type of its own: that of the executing ancestor
    assert later(T([1.0])).dtype == ms.float16


def test_to_float_gradients_and_parameters_stay_float32():
    net = nn.Dense(2, 1).to_float(ms.float16)
    x = T([[1.0, 2.0]])
    value, (dx, dw) = ms.value_and_grad(net, 0, net.weight)(x)
    assert [t.dtype for t in (value, dx, dw, net.weight)] == [
        ms.float16,
        ms.float32,
        ms.float32,
        ms.float32,
    ]


def test_to_float_ends_when_construct_raises():
    def broken(cell, x):
        raise KeyError("on purpose")

    with pytest.raises(KeyError):
        Probe(broken).to_float(ms.float16)(T([1.0]))
    assert (T([1.0]) * 2).dtype == ms.float32
    assert not thread.precision


def test_to_float_errors_and_type():
    with pytest.raises(ValueError, match="dst_type"):
        dense().to_float(ms.int32)
    assert dense().mixed_precision_type is None
    assert "FP16" in repr(dense().to_float(ms.float16).mixed_precision_type)


# ------------------------------------------------------------------------------- hooks


def test_forward_hooks():
    seen = []
    net = Pair()
    pre = net.register_forward_pre_hook(lambda c, i: seen.append("pre") or (i[0] * 10,))
    post = net.register_forward_hook(lambda c, i, o: seen.append("post") or o + 1)
    assert net(T([1.0])).item() == 13
    assert seen == ["pre", "post"]
    pre.remove()
    post.remove()
    assert net(T([1.0])).item() == 3
    with pytest.raises(TypeError, match="must be a function"):
        net.register_forward_hook(5)
    with pytest.raises(NotImplementedError, match="always_call"):
        net.register_forward_hook(lambda *a: None, always_call=True)


def test_backward_hooks_see_and_replace():
    seen = []
    net = Pair()
    net.register_backward_pre_hook(lambda c, go: seen.append(("pre", go[0].item())) or (go[0] * 2,))
    net.register_backward_hook(
        lambda c, gi, go: seen.append(("hook", gi[0].item(), go[0].item())) or (gi[0] * 10,)
    )
    g = ms.grad(net, 0, net.x)(T([3.0]))
    assert seen == [("pre", 1.0), ("hook", 2.0, 2.0)]
    assert (g[0].item(), g[1].item()) == (20, 6)


# ------------------------------------------------------------------ state_dict, buffers


def test_state_dict_and_buffers():
    net = Holder(dense())
    net.register_buffer("b", T([1.0]))
    net.register_buffer("t", T([1.0]), persistent=False)
    assert list(net.state_dict()) == ["b", "m0.weight", "m0.bias"]
    assert [n for n, _ in net.named_buffers()] == ["b", "t"]
    assert names(net) == ["m0.weight", "m0.bias"]
    assert net.get_buffer("b") is net.b
    net.b = T([5.0])
    assert net.state_dict()["b"].tolist() == [5]
    with pytest.raises(TypeError, match="can only be replaced"):
        net.b = 5
    with pytest.raises(KeyError, match="already exists"):
        net.register_buffer("training", T([1.0]))


def test_load_state_dict_is_all_or_nothing():
    net, other = dense(), dense()
    assert repr(net.load_state_dict(other.state_dict())) == "<All keys matched successfully>"
    np.testing.assert_array_equal(net.weight.asnumpy(), other.weight.asnumpy())
    before = net.weight.asnumpy().copy()
    state = {"weight": T([[9.0, 9.0]]), "bias": T([1.0, 2.0]), "zzz": T([1.0])}
    with pytest.raises(RuntimeError, match="size mismatch for bias") as info:
        net.load_state_dict(state)
    assert '"zzz"' in str(info.value)
    np.testing.assert_array_equal(net.weight.asnumpy(), before)
    result = net.load_state_dict({"weight": T([[9.0, 9.0]])}, strict=False)
    assert result.missing_keys == ["bias"]
    assert net.weight.asnumpy().tolist() == [[9, 9]]


# --------------------------------------------------------------------------- parameter


def test_parameter_from_every_kind_of_data():
    for data, dtype in [
        (T([1, 2], ms.int8), ms.int8),
        (np.float64([1.0]), ms.float64),
        ([1.0, 2.0], ms.float32),
        (1.5, ms.float32),
        (2, ms.int32),
        (ms.Parameter(T([1.0])), ms.float32),
    ]:
        p = ms.Parameter(data, name="p")
        assert p.dtype is dtype
        assert isinstance(p, ms.Tensor)
    with pytest.raises(TypeError, match="default_input"):
        ms.Parameter("text")
    with pytest.raises(TypeError, match="must be bool"):
        ms.Parameter(1.0, requires_grad=1)


def test_parameter_copies_its_source():
    x = T([1.0, 2.0])
    p = ms.Parameter(x)
    x[0] = 9
    assert p.asnumpy().tolist() == [1, 2]
    assert type(p.data) is type(p + 1) is ms.Tensor
    assert str(p) == f"Parameter (name={p.name}, shape=(2,), dtype=Float32, requires_grad=True)"


def test_set_data():
    p = ms.Parameter(T([1.0, 2.0]), name="w")
    memory = p._value.data_ptr()
    assert p.set_data(T([3, 4], ms.int32)) is p
    assert p.dtype == ms.float32
    assert p._value.data_ptr() == memory
    with pytest.warns(UserWarning, match="changes the shape of parameter 'w'"):
        p.set_data(T([1.0, 2.0, 3.0]))
    assert p.shape == (3,)
    p.set_data(T([[1.0]]), slice_shape=True)
    with pytest.raises(TypeError, match="must be a Tensor, int or float"):
        p.set_data(np.ones(1))
    with pytest.raises(TypeError, match="must be bool"):
        p.requires_grad = 1


def test_clone_and_copies():
    p = ms.Parameter(T([1.0, 2.0]), name="w", requires_grad=False)
    for q in (p.clone(), p.copy(), copy.deepcopy(p), pickle.loads(pickle.dumps(p))):
        assert (q.name, q.requires_grad) == ("w", False)
        q[0] = 9
        assert p.asnumpy().tolist() == [1, 2]
    assert p.clone("zeros").asnumpy().tolist() == [0, 0]
    pair = ms.ParameterTuple([p]).clone("copy", init="ones")
    assert (pair[0].name, pair[0].asnumpy().tolist()) == ("copy.w", [1, 1])


def test_parameter_tuple_errors():
    with pytest.raises(TypeError, match="element 0"):
        ms.ParameterTuple([T([1.0])])


# ---------------------------------------------------------------------------- devices


def test_to_moves_types_and_refuses_missing_devices():
    net = dense().to(ms.float64)
    assert net.weight.dtype == ms.float64
    assert net.to("CPU") is net
    with pytest.raises(TypeError, match="expected a device"):
        net.to(5)
    with pytest.raises((RuntimeError, ValueError), match=r"Unsupported device|names no device"):
        net.to("TPU")


def test_repr():
    net = nn.SequentialCell(nn.ReLU(), nn.SequentialCell([nn.Dense(1, 1)]))
    assert (
        repr(net)
        == str(net)
        == (
            "SequentialCell(\n  (0): ReLU()\n  (1): SequentialCell(\n"
            "    (0): Dense(input_channels=1, output_channels=1, has_bias=True)\n  )\n)"
        )
    )


def test_primitives_are_attributes_without_parameters():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.relu = ops.ReLU()

        def construct(self, x):
            return self.relu(x)

    net = Net()
    assert net(T([-1.0, 1.0])).tolist() == [0, 1]
    assert repr(net) == "Net()"
    assert copy.deepcopy(net)(T([-1.0])).tolist() == [0]
