"""Members of Tensor and Parameter beyond operators, as MindSpore 2.10 shows them on the CPU."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import agar as ms
from agar import ops


@pytest.fixture
def x():
    return ms.Tensor([1, 2, 3], ms.float32)


@pytest.fixture
def p():
    return ms.Parameter(ms.Tensor([1.0, 2.0]), name="w")


# ---------------------------------------------------------------------- bytes and files


def test_bytes_become_a_tensor():
    for value in (ms.Tensor([1, 2, 3], ms.int16), ms.Tensor([[True], [False]]), ms.Tensor(2.5)):
        result = ms.Tensor.convert_bytes_to_tensor(value.get_bytes(), value.shape, value.dtype)
        assert result.dtype == value.dtype
        assert result.shape == value.shape
        np.testing.assert_array_equal(result, value)
    assert ms.Tensor.convert_bytes_to_tensor(b"", (0, 2), ms.int32).shape == (0, 2)
    with pytest.raises(ValueError, match="8 bytes, but got 6"):
        ms.Tensor.convert_bytes_to_tensor(b"abcdef", (4,), ms.int16)
    with pytest.raises(TypeError, match="must be bytes"):
        ms.Tensor.convert_bytes_to_tensor("ab", (1,), ms.int16)


@pytest.mark.parametrize("make", [ms.Tensor, lambda v: ms.Parameter(ms.Tensor(v), name="w")])
def test_offloaded_values_come_back(make, tmp_path):
    value = make([[1.0, 2.0], [3.0, 4.0]])
    path = str(tmp_path / "t.data")
    kind = type(value)
    assert value.offload(path) is True
    assert (tmp_path / "t.data").stat().st_size == 16
    assert value.offload_file_path() == path
    assert (value.shape, value.dtype, value.ndim, value.size) == ((2, 2), ms.float32, 2, 4)
    assert isinstance(value, kind)
    assert "1.0" not in repr(value)  # a text of the tensor does not read the file
    np.testing.assert_array_equal(value + 1, [[2, 3], [4, 5]])
    assert type(value) is kind
    assert value.offload_file_path() == ""
    value.offload(path)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(value)), [[1, 2], [3, 4]])
    value.offload(path)
    np.testing.assert_array_equal(copy.deepcopy(value), [[1, 2], [3, 4]])
    value.offload(path)
    ops.assign(value, ms.Tensor([[5.0, 6.0], [7.0, 8.0]])) if kind is ms.Parameter else None
    assert value.tolist()[0][0] in (1.0, 5.0)


def test_offloaded_tensors_in_cells_and_graphs(tmp_path):
    net = ms.nn.Dense(2, 1, weight_init="ones", has_bias=False)
    data = ms.Tensor([[1.0, 2.0]])
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        try:
            for _ in range(3):
                net.weight.offload(str(tmp_path / "w"))
                data.offload(str(tmp_path / "x"))
                assert net(data).item() == 3
        finally:
            ms.set_context(mode=ms.PYNATIVE_MODE)


def test_offload_refuses(x, tmp_path):
    with pytest.raises(RuntimeError, match="cannot be written"):
        x.offload(str(tmp_path / "none" / "t.data"))
    np.testing.assert_array_equal(x, [1, 2, 3])
    with pytest.raises(TypeError, match="file_path"):
        x.offload(3)
    x.offload(str(tmp_path / "t.data"))
    (tmp_path / "t.data").write_bytes(b"1234")
    with pytest.raises(RuntimeError, match="was changed"):
        x.asnumpy()


# ---------------------------------------------------------------------------- memory


def test_dlpack(x):
    capsule = ms.Tensor.to_dlpack(x)
    result = ms.Tensor.from_dlpack(capsule)
    result[0] = 9
    assert x[0].item() == 9
    with pytest.raises(RuntimeError, match="used before"):
        ms.Tensor.from_dlpack(capsule)
    with pytest.raises(RuntimeError, match="capsule"):
        ms.Tensor.from_dlpack(3)
    np.testing.assert_array_equal(ms.Tensor.from_dlpack(np.arange(3)), [0, 1, 2])


def test_storage(x):
    memory = x.untyped_storage()
    assert (memory.size(), memory.nbytes(), memory.element_size()) == (12, 12, 1)
    assert memory.data_ptr() == x.data_ptr()
    assert (memory.device, memory.is_shared()) == ("CPU", False)
    assert x[1:].storage().size() == 12
    other = ms.Tensor([4.0, 5.0, 6.0])
    memory.copy_(other.untyped_storage())
    np.testing.assert_array_equal(x, [4, 5, 6])
    with pytest.raises(RuntimeError, match="one size"):
        memory.copy_(ms.Tensor([1.0]).storage())
    with pytest.raises(TypeError, match="UntypedStorage"):
        memory.copy_(other)


def test_storage_shrinks_and_grows(x):
    view = x[1:]
    memory = x.storage()
    assert memory.resize_(0) is memory
    assert x.untyped_storage().size() == 0
    np.testing.assert_array_equal(x, [0, 0, 0])
    np.testing.assert_array_equal(view, [2, 3])  # other tensors keep the old memory
    memory.resize_(24)
    memory.copy_(ms.Tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).storage())
    np.testing.assert_array_equal(x, [1, 2, 3])
    x[0] = 9
    assert memory.resize_(12).size() == 12
    np.testing.assert_array_equal(x, [9, 2, 3])
    with pytest.raises(ValueError, match="negative"):
        memory.resize_(-1)
    with pytest.raises(TypeError, match="int"):
        memory.resize_(1.5)


def test_set(x):
    target = ms.Tensor(np.zeros((2, 3)), ms.float32)
    assert target.set_(x) is target
    target[0] = 7
    np.testing.assert_array_equal(x, [7, 2, 3])
    np.testing.assert_array_equal(target.set_(x.storage(), 1, (2,), (1,)), [2, 3])
    np.testing.assert_array_equal(target.set_(x.untyped_storage()), [7, 2, 3])
    np.testing.assert_array_equal(target.set_(x, 1, (2, 1)), [[2], [3]])
    assert target.set_().shape == (0,)
    with pytest.raises(RuntimeError, match="Float32 cannot be set into one of type Float64"):
        ms.Tensor(np.zeros(3)).set_(x)
    with pytest.raises(TypeError, match="source"):
        target.set_([1.0])


def test_delete_keeps_shape_and_type(x):
    assert x.delete_() is x
    assert (x.shape, x.dtype) == ((3,), ms.float32)
    x.data = ms.Tensor([5.0])
    np.testing.assert_array_equal(x, [5])
    with pytest.raises(ValueError, match="bool"):
        x.delete_(1)


def test_devices(x):
    assert x.to_("CPU") is x
    with pytest.raises(ValueError, match="device"):
        x.to_()
    meta = ms.Tensor(np.ones((2, 1), np.int32), device="meta")
    assert (meta.is_meta, meta.shape, meta.device) == (True, (2, 1), "meta")
    assert not x.is_meta
    with pytest.raises(RuntimeError):
        meta.asnumpy()


# ----------------------------------------------------------------------------- hooks


def test_hooks_have_ids():
    seen = []

    def f(x):
        y = x * 2
        first = y.register_hook(lambda g: g * 10)
        y.register_hook(lambda g: g + 1)
        seen.append(len(y.hooks()))
        ms.Tensor.remove_hook(first.id)
        seen.append(len(y.hooks()))
        return y * 3

    assert ms.grad(f)(ms.Tensor([3.0])).item() == 8
    assert seen == [2, 1]


def test_hooks_of_parameters(p):
    handle = p.register_hook(lambda g: g * 5)
    x = ms.Tensor([3.0, 3.0])
    assert len(p.hooks()) == 1
    np.testing.assert_array_equal(ms.grad(lambda a: a * p, None, p)(x), [15, 15])
    assert ms.Parameter.remove_hook(handle.id) is None
    assert p.hooks() == []
    np.testing.assert_array_equal(ms.grad(lambda a: a * p, None, p)(x), [3, 3])
    handle.remove()  # twice does no harm
    ms.Tensor.remove_hook(10**9)
    assert ms.Tensor([1.0]).hooks() == []


# ---------------------------------------------------------------------- plain attributes


def test_attributes_of_tensors(x):
    assert (x.index_of_parent_, x.parent_tensor_, x.symbolic_shape) == (None, None, None)
    assert (x.init_finished, x.init_flag, x.virtual_flag, x.is_shared()) == (
        True,
        False,
        False,
        False,
    )
    assert x.is_init() is False
    assert x.set_init_flag(True) is None
    assert (x.is_init(), x.init_flag) == (True, True)
    assert ms.Tensor([1]).init_flag is False
    assert (x.data_sync(True), x.wait_pipeline(), x.flush_from_cache()) == (None, None, None)
    assert x.set_cast_dtype(ms.float16) is None
    assert x.dtype == ms.float32
    assert x.set_const_arg() is x
    assert x.const_arg is True
    with pytest.raises(TypeError, match="bool"):
        x.set_const_arg(1)
    assert x.requires_grad_() is None
    assert x.assign_value_cpp(ms.Tensor([[1, 2]])) is x
    assert (x.shape, x.dtype) == ((1, 2), ms.int64)
    x.set_param_info("info")
    assert x.param_info == "info"


def test_symbolic_shapes():
    known = ms.Tensor(shape=(2, ms.Symbol(), ms.Symbol(max=8)), dtype=ms.float32)
    assert known.symbolic_shape == [2, {}, {"max": 8}]
    assert ms.Tensor(shape=(2, None), dtype=ms.float32).symbolic_shape is None


@pytest.mark.parametrize("name", ["set_device_address", "getitem_index_info", "setitem_index_info"])
def test_what_belongs_to_other_engines_says_so(x, name):
    arguments = (1, (3,), ms.float32) if name == "set_device_address" else (x, 0, True)
    with pytest.raises(NotImplementedError, match=f"Tensor.{name} is not available in agar"):
        getattr(x, name)(*arguments)


def test_attributes_of_parameters(p):
    assert (p.cache_shape, p.key, p.inited_param) == ([], -1, None)
    assert (p.layerwise_parallel, p.parallel_optimizer) == (False, True)
    assert p.parallel_optimizer_comm_recompute is False
    p.cache_shape, p.key, p.layerwise_parallel = [1, 2], 2, True
    p.parallel_optimizer, p.parallel_optimizer_comm_recompute = False, True
    for item in (p.clone(), copy.deepcopy(p), pickle.loads(pickle.dumps(p))):
        assert (item.cache_shape, item.key, item.layerwise_parallel) == ([1, 2], 2, True)
        assert (item.parallel_optimizer, item.parallel_optimizer_comm_recompute) == (False, True)
    for name in ("layerwise_parallel", "parallel_optimizer", "parallel_optimizer_comm_recompute"):
        with pytest.raises(TypeError, match=name):
            setattr(p, name, 1)
    for name, value in (("cache_shape", 3), ("key", "a")):
        with pytest.raises(TypeError, match=name):
            setattr(p, name, value)
    p.add_pipeline_stage(1)
    for wrong in (-1, "a"):
        with pytest.raises(TypeError, match="stage"):
            p.add_pipeline_stage(wrong)
    assert p.requires_grad_(False) is None
    assert p.requires_grad is False
    p.requires_grad_()
    assert p.requires_grad is True


def test_param_info_is_taken_over(p):
    other = ms.Parameter(ms.Tensor([7.0]), name="other", requires_grad=False)
    other.key = 4
    p.set_param_info(other.param_info)
    assert (p.name, p.requires_grad, p.key) == ("other", False, 4)
    np.testing.assert_array_equal(p, [1, 2])
    with pytest.raises(TypeError, match="param_info"):
        p.set_param_info(None)
