"""Members of Cell that describe it, and its hooks on parameters and saved tensors.

The figures are those of MindSpore 2.10 on the CPU.
"""

from __future__ import annotations

import copy

import numpy as np
import pytest

import agar as ms
from agar import nn


class Line(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = ms.Parameter(ms.Tensor(2.0), name="weight")
        self.bias = ms.Parameter(ms.Tensor(1.0), name="bias")

    def construct(self, x):
        return x * self.weight + self.bias


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Line()
        self.w = ms.Parameter(ms.Tensor(4.0), name="w")

    def construct(self, x):
        return self.a(x) * self.w


class Square(nn.Cell):
    def construct(self, x):
        return x * x


def test_names_and_scopes():
    net = nn.SequentialCell(nn.Dense(2, 3), nn.SequentialCell(nn.ReLU()))
    assert (net.cls_name, net[0].cls_name) == ("SequentialCell", "Dense")
    with pytest.raises(AttributeError):
        net.cls_name = "a"
    assert net.create_time > 1e18
    assert net.get_scope() is None
    net.generate_scope()
    assert [cell.get_scope() for _, cell in net.cells_and_names()] == [
        None,
        "Default/0-Dense",
        "Default/1-SequentialCell",
        "Default/1-SequentialCell/0-ReLU",
    ]


def test_traits_of_classes():
    assert "_params" in nn.Cell.IGNORE_LIST
    assert str(nn.Cell.T_destination) == "~T_destination"
    assert len(nn.Cell.global_cells) == 0
    before = nn.Cell.total_instance_count
    made = [nn.ReLU() for _ in range(3)]
    assert nn.Cell.total_instance_count - before == 3
    made.clear()
    assert nn.Cell.total_instance_count - before == 0


@pytest.mark.parametrize(
    ("name", "value", "wrong"),
    [
        ("parallel_parameter_merge_net_dict", {"a": 1}, 3),
        ("parallel_parameter_name_list", ["a"], (1,)),
        ("parameter_layout_dict", {"a": 1}, [1]),
        ("pipeline_stage", 1, True),
        ("pipeline_segment", 2, "a"),
        ("cell_init_args", "a", 3),
        ("exist_names", {"a"}, []),
        ("exist_objs", {1}, []),
    ],
)
def test_kept_attributes(name, value, wrong):
    first = {"parallel_parameter_name_list": (), "exist_names": set(), "exist_objs": set()}
    cell = nn.ReLU()
    if name in ("pipeline_stage", "pipeline_segment", "cell_init_args"):
        with pytest.raises(AttributeError, match=name):
            getattr(cell, name)
    else:
        assert getattr(cell, name) == first.get(name, {})
    setattr(cell, name, value)
    assert getattr(cell, name) == value
    assert getattr(copy.deepcopy(cell), name) == value
    with pytest.raises(TypeError, match=name):
        setattr(cell, name, wrong)


def test_stages_are_not_negative():
    with pytest.raises(ValueError, match="pipeline_stage"):
        nn.ReLU().pipeline_stage = -1
    with pytest.raises(AttributeError, match="enable_backward_hook"):
        nn.ReLU().enable_backward_hook


def test_parameters_that_are_broadcast():
    net = Line()
    assert list(net.parameters_broadcast_dict()) == ["weight", "bias"]
    net.weight.layerwise_parallel = True
    assert list(net.parameters_broadcast_dict()) == ["bias"]
    assert nn.ReLU().parameters_broadcast_dict() is None
    assert Outer().parameters_broadcast_dict(recurse=False).keys() == {"w"}
    assert net.remove_redundant_parameters() is None


def test_jit_config_and_precision_are_kept():
    net = Line()
    assert net.jit_config_dict == {}
    net.set_jit_config(ms.JitConfig(jit_level="O1"))
    assert net.jit_config_dict["jit_level"] == "O1"
    assert net.get_mixed_precision_type() is None
    net.set_mixed_precision_type("FP16")
    assert (net.mixed_precision_type, net.get_mixed_precision_type()) == (None, "FP16")


def test_what_is_compiled():
    net = Line()
    assert (net.compiled, net.compile_cache, net.phase_cache, net.compile_phase) == (
        False,
        set(),
        {},
        None,
    )
    assert net.get_func_graph_proto() is None
    assert net.compile_and_run(ms.Tensor(3.0)).item() == 7
    assert net.compiled
    assert net.compile_cache == {net.compile_phase} == set(net.phase_cache.values())
    assert net.compile_phase.startswith("train.")
    with pytest.raises(NotImplementedError, match=r"agar\.graph\.explain"):
        net.get_func_graph_proto()
    outer = Outer()
    outer.compile_phase = "x"
    assert outer.a.compile_phase == "x"
    with pytest.raises(TypeError, match="compile_phase"):
        outer.compile_phase = 3


# ------------------------------------------------------------------------------ hooks


def times(factor):
    return lambda value: value * factor


@pytest.mark.pynative
def test_parameter_hooks_change_compiled_runs():
    net = Outer()
    net.register_parameter_forward_hook(times(5))
    assert net(ms.Tensor(3.0)).item() == 28  # eager runs stay as they are
    assert ms.jit(net)(ms.Tensor(3.0)).item() == 700
    net = Outer()
    net.register_parameter_forward_hook([{"params": [net.a.weight], "hook": times(5)}])
    assert ms.jit(net)(ms.Tensor(3.0)).item() == 124
    net = Line()
    net.register_parameter_forward_hook([{"params": [net.weight], "hook": times(10)}])
    net.register_parameter_forward_hook([{"params": [net.bias], "hook": times(5)}])
    assert ms.jit(net)(ms.Tensor(3.0)).item() == 65


def test_gradients_flow_through_parameter_hooks():
    net = Line()
    net.register_parameter_forward_hook([{"params": [net.weight], "hook": times(10)}])
    net.register_parameter_forward_hook([{"params": [net.weight], "hook": times(5)}])
    step = ms.jit(ms.value_and_grad(net, 0, net.trainable_params()))
    for _ in range(3):
        value, (by_x, (by_weight, by_bias)) = step(ms.Tensor(3.0))
        assert value.item() == 31  # the later hook counts
        assert (by_x.item(), by_weight.item(), by_bias.item()) == (10, 15, 1)
    assert net.weight.value().item() == 2


def test_parameter_hooks_in_graph_mode():
    net = Outer()
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        assert net(ms.Tensor(3.0)).item() == 28
        net.register_parameter_forward_hook(times(5))
        for _ in range(3):
            assert net(ms.Tensor(3.0)).item() == 700
        net.w.set_data(ms.Tensor(8.0))
        assert net(ms.Tensor(3.0)).item() == 1400
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


@pytest.mark.parametrize(
    ("hook", "error", "words"),
    [
        (3, TypeError, "list of dictionaries"),
        ([3], TypeError, "list of dictionaries"),
        ([{"params": []}], ValueError, "'params' and 'hook'"),
        ([{"params": [3], "hook": len}], TypeError, "Parameters"),
        ([{"params": [], "hook": 3}], TypeError, "function"),
    ],
)
def test_parameter_hooks_are_checked(hook, error, words):
    with pytest.raises(error, match=words):
        Line().register_parameter_forward_hook(hook)


@pytest.mark.pynative
def test_parameter_hooks_must_return_tensors():
    net = Line()
    net.register_parameter_forward_hook(lambda p: 3)
    with pytest.raises(TypeError, match="that of 'weight' returned 3"):
        ms.jit(net)(ms.Tensor(3.0))
    assert net(ms.Tensor(3.0)).item() == 7


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_hooks_on_saved_tensors(mode):
    seen = []

    def pack(t):
        seen.append(t.shape)
        return t * 2

    net = Square()
    net.register_saved_tensors_hooks(pack, lambda t: t)
    ms.set_context(mode=mode)
    try:
        for _ in range(3):
            assert ms.grad(net)(ms.Tensor([3.0])).item() == 12
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    assert seen[:2] == [(1,), (1,)]


def test_saved_tensors_may_be_kept_elsewhere():
    kept = []
    net = Square()
    net.register_saved_tensors_hooks(
        lambda t: kept.append(t.asnumpy()) or len(kept) - 1, lambda i: ms.Tensor(kept[i])
    )
    assert ms.grad(net)(ms.Tensor([3.0])).item() == 6
    np.testing.assert_array_equal(kept, [[3], [3]])
    net.register_saved_tensors_hooks(lambda t: t, lambda t: 3)
    with pytest.raises(TypeError, match="unpack_hook"):
        ms.grad(net)(ms.Tensor([3.0]))
    with pytest.raises(TypeError, match="function"):
        net.register_saved_tensors_hooks(3, 4)


def test_hooks_on_buffers():
    from agar.nn.cell import register_cell_buffer_registration_hook

    seen = []
    first = register_cell_buffer_registration_hook(lambda cell, name, value: seen.append(name))
    second = register_cell_buffer_registration_hook(lambda cell, name, value: value * 2)
    net = nn.Cell()
    net.register_buffer("scale", ms.Tensor([2.0]))
    first.remove()
    second.remove()
    net.register_buffer("other", ms.Tensor([2.0]))
    assert seen == ["scale"]
    assert (net.scale.item(), net.other.item()) == (4, 2)


# ------------------------------------------------------------------- derivatives as cells


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_jvp_and_vjp(mode):
    x, y, one = (ms.Tensor([v]) for v in ([1.0, 2.0], [1.0, 2.0], [1.0, 1.0]))
    ms.set_context(mode=mode)
    try:
        out, tangent = nn.Jvp(lambda x, y: x**3 + y)(x, y, (one, one))
        np.testing.assert_array_equal(out, [[2, 10]])
        np.testing.assert_array_equal(tangent, [[4, 13]])
        out, (by_x, by_y) = nn.Vjp(lambda x, y: x**3 + y)(x, y, one)
        np.testing.assert_array_equal(by_x, [[3, 12]])
        np.testing.assert_array_equal(by_y, [[1, 1]])
        np.testing.assert_array_equal(nn.Vjp(lambda x: x**3)(x, one)[1], [[3, 12]])
        _, tangents = nn.Jvp(lambda x: (x**3, x))(x, one)
        np.testing.assert_array_equal(tangents[0], [[3, 12]])
        _, gradient = nn.Vjp(lambda x: (x**3, x))(x, (one, one))
        np.testing.assert_array_equal(gradient, [[4, 13]])
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


def test_jvp_and_vjp_need_a_direction():
    for cell in (nn.Jvp(abs), nn.Vjp(abs)):
        with pytest.raises(TypeError, match="must be given"):
            cell(ms.Tensor(1.0))


def test_what_belongs_to_ascend_says_so():
    with pytest.raises(TypeError, match="Optimizer"):
        nn.OptTFTWrapper(3)
    with pytest.raises(NotImplementedError, match="MindIO"):
        nn.OptTFTWrapper(nn.SGD(Line().trainable_params()))
    for cls in (ms.amp.NPUClearFloatStatusV2, ms.amp.NPUGetFloatStatusV2):
        assert isinstance(cls(), ms.ops.Primitive)
        with pytest.raises(NotImplementedError, match="all_finite"):
            cls()(ms.Tensor([0] * 8, ms.int32))


def test_a_cell_is_printed_by_its_own_repr():
    class Named(nn.Cell):
        def __repr__(self):
            return f"{type(self).__name__} <{self.cls_name}>"

    assert str(Named()) == repr(Named()) == "Named <Named>"
    assert str(nn.SequentialCell([Named()])) == "SequentialCell(\n  (0): Named <Named>\n)"
    assert str(nn.ReLU()) == repr(nn.ReLU()) == "ReLU()"
