"""The context: keys, defaults, errors. Figures: MindSpore 2.10 on CPU."""

from __future__ import annotations

import os
import pickle

import pytest
import torch

import agar as ms
from agar._core import context

DEFAULTS = {
    "mode": 1,
    "device_target": "CPU",
    "device_id": 0,
    "save_graphs": 0,
    "save_graphs_path": ".",
    "max_device_memory": 1024.0,
    "enable_graph_kernel": False,
    "enable_compile_cache": None,
    "pynative_synchronize": False,
    "deterministic": "OFF",
    "jit_level": "",
    "jit_syntax_level": 2,
    "jit_config": {},
    "max_call_depth": 1000,
    "variable_memory_max_size": "0",
    "mempool_block_size": 1.0,
    "memory_optimize_level": 0,
    "check_bprop": False,
    "reserve_class_name_in_scope": True,
    "enable_reduce_precision": True,
    "inter_op_parallel_num": 0,
    "runtime_num_threads": os.cpu_count(),
    "ascend_config": {},
    "gpu_config": {},
    "op_timeout": 900,
    "exec_order": "bfs",
    "debug_level": 0,
    "env_config_path": "",
    "print_file_path": "",
    "compile_cache_path": "",
}


@pytest.mark.pynative
@pytest.mark.parametrize("key", DEFAULTS)
def test_defaults(key):
    assert ms.get_context(key) == DEFAULTS[key]


@pytest.mark.parametrize("key", ["precompile_only", "grad_for_scalar", "memory_offload", "foo"])
def test_unknown_keys(key):
    with pytest.raises(ValueError, match="is not recognized"):
        ms.get_context(key)
    with pytest.raises(ValueError, match=f"keyword argument {key} is not recognized"):
        ms.set_context(**{key: 1})


@pytest.mark.pynative
@pytest.mark.parametrize(
    ("kwargs", "error", "words"),
    [
        ({"mode": 5}, ValueError, "GRAPH_MODE \\(0\\) or context.PYNATIVE_MODE \\(1\\), but got 5"),
        ({"mode": "graph"}, TypeError, "The parameter 'mode' must be <class 'int'>"),
        (
            {"device_target": "TPU"},
            ValueError,
            "must be one of \\['CPU', 'GPU', 'Ascend', 'Davinci'",
        ),
        ({"device_target": "Ascend"}, RuntimeError, "Unsupported device target Ascend.*torch_npu"),
        ({"device_id": -1}, ValueError, "device_id"),
        ({"save_graphs_path": 5}, TypeError, "save_graphs_path"),
        ({"max_call_depth": 0}, ValueError, "greater than 0"),
        ({"deterministic": "maybe"}, ValueError, "must be one of"),
    ],
)
def test_errors_change_nothing(kwargs, error, words):
    with pytest.raises(error, match=words):
        ms.set_context(check_bprop=True, **kwargs)
    assert ms.get_context("check_bprop") is False
    assert ms.get_context("mode") == 1


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU")
def test_a_missing_gpu_is_explained():
    with pytest.raises(RuntimeError, match=r"only supports one of the \['CPU'.*CUDA or ROCm"):
        ms.set_context(device_target="GPU")


def test_positional_arguments_are_refused():
    with pytest.raises(TypeError):
        ms.set_context(1)


def test_setting_and_reading():
    assert ms.set_context(mode=ms.GRAPH_MODE, save_graphs=True) is None
    assert ms.get_context("mode") == ms.GRAPH_MODE == 0
    assert ms.get_context("save_graphs") is True
    ms.get_context("gpu_config")["x"] = 1
    assert ms.get_context("gpu_config") == {}


def test_graph_mode_runs_cells():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = ms.nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    assert net(ms.Tensor([[1.0, 2.0]])).tolist() == [[3.0]]
    assert ms.grad(net)(ms.Tensor([[1.0, 2.0]])).tolist() == [[1.0, 1.0]]


def test_devices():
    ms.set_device("CPU")
    assert ms.get_current_device() == ("CPU", 0)
    ms.set_deterministic(True)
    assert ms.get_context("deterministic") == "ON"
    assert torch.are_deterministic_algorithms_enabled()
    ms.set_deterministic(False)
    assert not torch.are_deterministic_algorithms_enabled()
    with pytest.raises(TypeError, match="bool"):
        ms.set_deterministic(1)


def test_memory_limit_on_cpu_warns():
    with pytest.warns(UserWarning, match="no effect on CPU"):
        ms.set_context(max_device_memory="8GB")
    assert ms.get_context("max_device_memory") == 8.0


@pytest.mark.gpu
def test_pickles_come_back_to_the_gpu_they_lay_on():
    for value in (ms.Tensor([1.0], device="GPU"), ms.Parameter(ms.Tensor([1.0], device="GPU"))):
        again = pickle.loads(pickle.dumps(value))
        assert again.device == value.device
        assert again.asnumpy().tolist() == [1.0]


def test_a_pickle_from_a_machine_with_a_gpu_is_read_without_one(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert context.back_on(torch.ones(2), "cuda:0").device.type == "cpu"
    assert context.back_on(torch.ones(2), "cpu").tolist() == [1, 1]
