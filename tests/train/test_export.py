"""export, load and GraphCell: round trips to the bit, sizes that are not known, hostile files."""

from __future__ import annotations

import copy
import importlib
import importlib.util
import json
import logging
import os
import pathlib
import pickle
import struct
import time
from typing import Any

import numpy as np
import pytest
import torch

import agar as ms
from agar import Parameter, Tensor, nn, ops
from agar._core import random
from agar._core.autodiff import tensors_in
from agar.train import _export


def numbers(*shape: int, seed: int = 0) -> Tensor:
    return Tensor(np.random.default_rng(seed).standard_normal(shape).astype(np.float32))


def unknown(*shape: int | None, dtype: Any = ms.float32) -> Tensor:
    return Tensor(shape=list(shape), dtype=dtype)


def written(folder: pathlib.Path, net: Any, *inputs: Any) -> str:
    ms.export(net, *inputs, file_name=str(folder / "net"), file_format="MINDIR")
    return str(folder / "net.mindir")


def exported(folder: pathlib.Path, net: Any, *inputs: Any) -> nn.GraphCell:
    return nn.GraphCell(ms.load(written(folder, net, *inputs)))


def assert_same(found: Any, expected: Any) -> None:
    """The same tensors, to the bit."""
    ours, theirs = tensors_in(found), tensors_in(expected)
    assert len(ours) == len(theirs) > 0
    for a, b in zip(ours, theirs, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a.asnumpy(), b.asnumpy())


class LeNet(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.norm = nn.BatchNorm2d(6)
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(6 * 4 * 4, 10)
        self.scale = Tensor([2.0])

    def construct(self, x: Tensor) -> Tensor:
        return self.fc(self.flatten(self.pool(ops.relu(self.norm(self.conv(x)))))) * self.scale


class Mlp(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Dense(3, 8)
        self.drop = nn.Dropout(p=0.5)
        self.fc2 = nn.Dense(8, 2)

    def construct(self, x: Tensor) -> Tensor:
        return self.fc2(self.drop(ops.relu(self.fc1(x))))


NETWORKS = {
    "lenet": (LeNet, (None, 1, 12, 12), [(1, 1, 12, 12), (4, 1, 12, 12)]),
    "mlp": (Mlp, (None, 3), [(1, 3), (5, 3)]),
    "lstm": (
        lambda: nn.LSTM(3, 4, 2, batch_first=True, bidirectional=True),
        (None, None, 3),
        [(1, 1, 3), (2, 7, 3)],
    ),
    "gru": (lambda: nn.GRU(3, 4), (None, None, 3), [(6, 2, 3)]),
    "rnn": (lambda: nn.RNN(3, 4, nonlinearity="relu"), (None, None, 3), [(6, 2, 3)]),
    "transformer": (
        lambda: nn.TransformerEncoderLayer(8, 2, 16, batch_first=True),
        (None, None, 8),
        [(1, 3, 8), (3, 5, 8)],
    ),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_round_trip_is_exact(name, tmp_path):
    make, shape, runs = NETWORKS[name]
    net = make()
    cell = exported(tmp_path, net, unknown(*shape))
    assert [p.name for p in cell.get_parameters()] == [p.name for p in net.get_parameters()]
    for run in runs:
        assert_same(cell(numbers(*run)), net(numbers(*run)))
    ms.set_context(mode=ms.GRAPH_MODE)
    for seed in range(3):  # recorded, recorded again, replayed
        assert_same(cell(numbers(*runs[-1], seed=seed)), net(numbers(*runs[-1], seed=seed)))


@pytest.mark.parametrize("name", ["lenet", "lstm"])
def test_gradients_flow_through(name, tmp_path):
    make, shape, runs = NETWORKS[name]
    net = make()
    cell = exported(tmp_path, net, unknown(*shape))
    x = numbers(*runs[-1])

    def loss(of: nn.Cell) -> Any:
        return lambda x: sum((t * t).sum() for t in tensors_in(of(x)))

    assert_same(ms.grad(loss(cell))(x), ms.grad(loss(net))(x))
    ours = ms.grad(loss(cell), None, cell.trainable_params())(x)
    assert_same(ours, ms.grad(loss(net), None, net.trainable_params())(x))


def test_it_is_a_cell_of_its_own(tmp_path):
    net = Mlp()
    net.fc1.bias.requires_grad = False  # pyright: ignore[reportOptionalMemberAccess]
    graph = ms.load(written(tmp_path, net, numbers(2, 3)))
    first, second = nn.GraphCell(graph), nn.GraphCell(graph)
    assert [p.name for p in first.untrainable_params()] == ["fc1.bias"]
    x = numbers(2, 3)
    before = net(x)
    first.parameters_dict()["fc2.weight"].set_data(Tensor(np.zeros((2, 8), np.float32)))
    assert_same(second(x), before)
    assert_same(graph(x), before)
    assert not np.array_equal(first(x).asnumpy(), before.asnumpy())

    # as a part of another network, its parameters get that network's names
    class Outer(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.body = second

        def construct(self, x: Tensor) -> Tensor:
            return self.body(x) + 1.0

    outer = Outer()
    assert next(outer.get_parameters()).name == "body.fc1.weight"
    assert_same(outer(x), before + 1.0)
    for twin in (copy.deepcopy(outer), pickle.loads(pickle.dumps(second))):
        assert_same(twin(x), outer(x) if isinstance(twin, Outer) else before)


def test_saved_loaded_moved(tmp_path):
    net = LeNet()
    cell = exported(tmp_path, net, numbers(2, 1, 12, 12))
    ms.save_checkpoint(cell, str(tmp_path / "cell.ckpt"))
    parameters = ms.load_checkpoint(str(tmp_path / "cell.ckpt"))
    # the constant `scale` is part of the computation
    assert list(parameters) == [p.name for p in net.get_parameters()]
    fresh = LeNet()
    assert ms.load_param_into_net(fresh, parameters) == ([], [])
    x = numbers(2, 1, 12, 12)
    assert_same(cell(x), fresh(x))
    # the file itself is one of named tensors
    (tmp_path / "net.mindir").rename(tmp_path / "net.safetensors")
    names = set(ms.load_checkpoint(str(tmp_path / "net.safetensors"), format="safetensors"))
    assert names == {*parameters, "agar.constant.0"}
    cell.to(ms.float64)
    assert {t.dtype for t in [*cell.get_parameters(), *cell.buffers()]} == {ms.float64}


def test_params_init(tmp_path):
    net = nn.Dense(3, 2)
    graph = ms.load(written(tmp_path, net, numbers(2, 3)))
    bias = Tensor([5.0, 6.0])
    cell = nn.GraphCell(graph, {"bias": bias, "unknown": bias})
    assert_same(cell(numbers(2, 3)), ops.dense(numbers(2, 3), net.weight, bias))
    for wrong, error in (
        ({"bias": Tensor([5.0])}, ValueError),
        ({"bias": Tensor([5, 6])}, ValueError),
        ({"bias": 5.0}, TypeError),
        ({3: bias}, TypeError),
        ([bias], TypeError),
    ):
        with pytest.raises(error, match=r"bias|params_init"):
            nn.GraphCell(graph, wrong)  # pyright: ignore[reportArgumentType]  # wrong on purpose
    with pytest.raises(TypeError, match="FuncGraph"):
        nn.GraphCell(net)  # pyright: ignore[reportArgumentType]  # wrong on purpose
    with pytest.raises(NotImplementedError, match="obfuscation"):
        nn.GraphCell(graph, obf_random_seed=3)


def test_inputs_and_outputs_keep_their_structure(tmp_path):
    class Net(nn.Cell):
        def construct(self, x: Tensor, parts: Any, factor: float, flag: Any) -> Any:
            y = x * factor + parts[0] * parts[1][0]
            return {"y": y, "n": 3}, [y.sum(), None], "text", x

    net = Net()
    x, a, b = numbers(2, 3), numbers(2, 3, seed=1), numbers(2, 3, seed=2)
    cell = exported(tmp_path, net, x, (a, [b]), 2.0, None)
    result, expected = cell(x, (a, [b])), net(x, (a, [b]), 2.0, None)
    assert_same(result, expected)
    assert result[0]["n"] == 3
    assert result[1][1] is None
    assert result[2] == "text"
    for wrong in ((x,), (x, a), (x, (a,)), (x, (a, [b]), 2.0), (x, (a, [3.0]))):
        with pytest.raises(RuntimeError, match="For 'GraphCell'"):
            cell(*wrong)
    with pytest.raises(RuntimeError, match=r"shape \[2, 3\]"):
        cell(numbers(4, 3), (a, [b]))
    with pytest.raises(RuntimeError, match="Float32"):
        cell(x.astype(ms.float16), (a, [b]))


class Talks(nn.Cell):
    """What debugging leaves in a network."""

    def construct(self, x: Tensor) -> Tensor:
        print("x is", x)
        assert f"{x}"
        return ops.stop_gradient(x) * x


VARIANTS = {
    "float16": lambda: Mlp().to_float(ms.float16),
    "amp": lambda: ms.amp.auto_mixed_precision(Mlp(), "O2"),
    "recompute": lambda: Mlp().recompute(),
    "jit": lambda: ms.jit(Mlp()),
    "method": lambda: Mlp().construct,
    "prints": Talks,
    "array": lambda: lambda x: x + Tensor(np.arange(3, dtype=np.float32)) * Tensor([2.0]),
    "generator": lambda: nn.Dropout2d(p=0.3),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_ways_to_write_a_network(name, tmp_path, capfd):
    net = VARIANTS[name]()
    x = numbers(2, 3, 4, 4) if name == "generator" else numbers(2, 3)
    cell = exported(tmp_path, net, x)
    capfd.readouterr()
    assert_same(cell(x), net(x))
    if name == "prints":
        assert capfd.readouterr().out.count("x is") == 1  # the network's own, not the file's
        assert_same(ms.grad(cell)(x), x)


def test_what_is_created_follows_the_network_to_its_device(tmp_path):
    net = nn.Dense(3, 3)
    place = ops.zeros((1,), ms.float32)
    graph = ms.load(
        written(tmp_path, lambda x: net(x) + ops.arange(3) + ops.ones((3,)) + place, numbers(2, 3))
    )
    # the device "meta" has no values, but is another one than the one of the export
    state = [graph.tensors[name].to("meta") for name in graph.constants]
    out = graph.run(state, [ms.from_torch(torch.ones(2, 3, device="meta"))])
    assert out.to_torch().device.type == "meta"


def test_the_same_tensor_as_two_inputs(tmp_path):
    x = numbers(2, 3)
    cell = exported(tmp_path, lambda a, b: a - b, x, x)
    assert_same(cell(x, numbers(2, 3, seed=1)), x - numbers(2, 3, seed=1))


# --------------------------------------------------------------------- sizes not known


class Half(nn.Cell):
    """Its Python branches on a size."""

    def construct(self, x: Tensor) -> Tensor:
        if x.shape[0] > 10:
            x = x * 2
        return x.reshape(x.shape[0] // 2, 2, -1)


def test_a_decision_on_a_size_is_a_condition(tmp_path):
    cell = exported(tmp_path, Half(), unknown(None, 3))
    assert_same(cell(numbers(12, 3)), Half()(numbers(12, 3)))
    with pytest.raises(RuntimeError, match=r"size\(0, 0\) > 10"):
        cell(numbers(8, 3))


def test_sizes_of_two_inputs_must_agree_where_the_network_needs_it(tmp_path):
    cell = exported(tmp_path, lambda x, y: x + y, unknown(None, 3), unknown(-1, 3))
    assert_same(cell(numbers(1, 3), numbers(1, 3)), numbers(1, 3) * 2)
    with pytest.raises(RuntimeError, match=r"size\(., 0\) == size\(., 0\) only"):
        cell(numbers(2, 3), numbers(4, 3))


class OneIsSpecial(nn.Cell):
    """torch does not note decisions for 1, so that size must be excluded."""

    def construct(self, x: Tensor) -> Tensor:
        return x * 100 if x.shape[0] == 1 else x


def test_sizes_0_and_1_are_excluded_where_the_network_is_another_one(tmp_path):
    cell = exported(tmp_path, OneIsSpecial(), unknown(None, 3))
    assert_same(cell(numbers(5, 3)), numbers(5, 3))
    with pytest.raises(RuntimeError, match=r"size\(0, 0\) >= 2"):
        cell(numbers(1, 3))
    cell = exported(tmp_path, lambda x: x[:, -1], unknown(None, 3))
    for n in (0, 1, 5):
        assert_same(cell(numbers(n, 3)), numbers(n, 3)[:, -1])


@pytest.mark.parametrize(
    "construct",
    [lambda x: x * int(x.shape[0]), lambda x: sum(x[i] for i in range(x.shape[0]))],
)
def test_a_constant_made_of_an_unknown_size(construct, tmp_path):
    with pytest.raises(RuntimeError, match="size 0 of tensor 0 of the inputs cannot stay unknown"):
        written(tmp_path, construct, unknown(None, 3))
    assert os.listdir(tmp_path) == []
    x = numbers(3, 3)
    assert_same(exported(tmp_path, construct, x)(x), construct(x))


@pytest.mark.slow
def test_sizes_that_grow_beyond_measure_are_refused(tmp_path):
    body = nn.SequentialCell(*[nn.Conv2d(3, 3, 3, 2) for _ in range(4)])
    with pytest.raises(RuntimeError, match="pad_mode='pad'"):
        written(tmp_path, body, unknown(1, 3, None, None))
    padded = nn.SequentialCell(*[nn.Conv2d(3, 3, 3, 2, "pad", 1) for _ in range(4)])
    cell = exported(tmp_path, padded, unknown(1, 3, None, None))
    assert_same(cell(numbers(1, 3, 33, 64)), padded(numbers(1, 3, 33, 64)))


# ------------------------------------------------------------------------------- state


class Counter(nn.Cell):
    """Changes parameters in three ways while it runs."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = Parameter(Tensor([0.0]), name="steps", requires_grad=False)
        self.norm = nn.BatchNorm1d(3)

    def construct(self, x: Tensor) -> Tensor:
        self.steps = self.steps + 1
        ops.assign_add(self.steps, Tensor([2.0]))
        return self.norm(x) + self.steps


def test_state_goes_on_changing_in_training(tmp_path):
    net = Counter().set_train()
    cell = exported(tmp_path, net, unknown(None, 3))
    assert float(net.steps) == 0.0  # recording ran no step
    for seed in range(3):
        assert_same(cell(numbers(4, 3, seed=seed)), net(numbers(4, 3, seed=seed)))
    assert float(net.steps) == 9.0
    assert_same(list(cell.get_parameters()), list(net.get_parameters()))


def test_the_network_stays_as_it_was(tmp_path, caplog):
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Dense(3, 2)
            self.drop = nn.Dropout(p=0.5)
            self.calls = 0
            self.seen = None
            self.register_buffer("memory", Tensor([1.0]))

        def construct(self, x: Tensor) -> Tensor:
            self.calls += 1
            self.seen = x
            self.memory = self.memory + 0
            return self.drop(self.fc(x)) + self.memory

    net = Net().set_train()
    net.drop.set_train(False)
    net.set_grad()
    memory, weight = net.memory, net.fc.weight._value
    state = json.dumps(random.get_all_state(), default=str)
    ms.set_context(mode=ms.GRAPH_MODE)
    with caplog.at_level(logging.WARNING, logger="agar"):
        written(tmp_path, net, unknown(None, 3))
    assert "attributes seen, memory" in caplog.text
    assert ms.get_context("mode") == ms.GRAPH_MODE
    assert (net.training, net.drop.training, net.requires_grad) == (True, False, True)
    assert (net.calls, net.seen) == (0, None)
    assert net.memory is memory
    assert net.fc.weight._value is weight
    assert json.dumps(random.get_all_state(), default=str) == state


def test_a_live_torch_module_keeps_its_parameters(tmp_path):
    net = ms.TorchCell(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2)))
    net.set_train(False)
    cell = exported(tmp_path, net, unknown(None, 3))
    assert [p.name for p in cell.get_parameters()] == [p.name for p in net.get_parameters()]
    assert cell.graph.constants == []
    assert_same(cell(numbers(4, 3)), net(numbers(4, 3)))
    assert not net.module.training


@pytest.mark.parametrize("dtype", [ms.float16, ms.bfloat16, ms.complex64, ms.int32, ms.bool_])
def test_types_of_parameters(dtype, tmp_path):
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter(Tensor([[1, 0], [1, 1]]).astype(dtype), requires_grad=False)
            self.twin = Parameter(Tensor([[1, 0], [1, 1]]).astype(dtype), requires_grad=False)
            self.twin._value = self.w._value.T  # the same memory in another order

        def construct(self, x: Tensor) -> Any:
            return ops.where(x > 0, self.w, self.twin), float("-inf") * x

    net, x = Net(), numbers(2, 2)
    cell = exported(tmp_path, net, x)
    result, expected = cell(x), net(x)
    assert result[0].dtype == dtype
    assert torch.equal(result[0]._value, expected[0]._value)
    assert_same(result[1], expected[1])


# ------------------------------------------------------------------------------ refusals


class Reads(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x if x.sum() > 0 else -x


class Array(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return Tensor(np.sin(x.asnumpy()))


class Clock(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x + time.perf_counter_ns() % 10**9


class Counts(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def construct(self, x: Tensor) -> Tensor:
        self.calls += 1
        return x * self.calls


class Numpy(nn.Cell):
    def construct(self, x: Tensor) -> Tensor:
        return x + Tensor(np.random.rand(3).astype(np.float32))


class Gradient(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(3, 1)

    def construct(self, x: Tensor) -> Tensor:
        return ms.grad(self.fc)(x)


REFUSED = {
    "dropout": (lambda: Mlp().set_train(), NotImplementedError, r"random numbers.*set_train"),
    "generator": (lambda: lambda x: ms.mint.rand_like(x), NotImplementedError, "random numbers"),
    "reads": (Reads, RuntimeError, "reads the value of a tensor in Python.*test_export.py"),
    "array": (Array, RuntimeError, "leave torch"),
    "clock": (Clock, RuntimeError, "two runs of the network differ"),
    "counter": (Counts, RuntimeError, "two runs of the network differ"),
    "numpy": (Numpy, RuntimeError, "two runs of the network differ"),
    "gradient": (Gradient, NotImplementedError, "takes gradients in construct"),
    "shape": (lambda: nn.Dense(4, 2), (ValueError, RuntimeError), "dense"),
    "output": (lambda: lambda x: {1, 2}, TypeError, "a network must return"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_file_cannot_hold(name, tmp_path, capfd):
    make, error, words = REFUSED[name]
    with pytest.raises(error, match=words):
        written(tmp_path, make(), numbers(2, 3))
    assert os.listdir(tmp_path) == []
    assert capfd.readouterr().err == ""


def test_a_failure_leaves_the_old_file(tmp_path, monkeypatch):
    file = pathlib.Path(written(tmp_path, nn.Dense(3, 2), numbers(2, 3)))
    before = file.read_bytes()

    def fails(*args: Any, **kwargs: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("safetensors.torch.save_file", fails)
    with pytest.raises(OSError, match="no space"):
        written(tmp_path, nn.Dense(3, 2), numbers(2, 3))
    assert os.listdir(tmp_path) == ["net.mindir"]
    assert file.read_bytes() == before


def test_arguments_of_export(tmp_path):
    net, x = nn.Dense(3, 2), numbers(2, 3)
    name = str(tmp_path / "net")

    class Dataset:
        def create_dict_iterator(self) -> None: ...

    twins = nn.CellList([nn.Dense(3, 3), nn.Dense(3, 3)])
    twins[1].weight.name = twins[0].weight.name
    for given, error, words in (
        ({"file_format": "FOO"}, ValueError, "file_format"),
        ({"file_format": "mindir"}, ValueError, "file_format"),
        ({"file_format": "AIR"}, ValueError, "AIR.*ONNX"),
        ({"file_name": 3}, TypeError, "file_name"),
        ({"file_name": ""}, ValueError, "file_name"),
        ({"net": 3}, RuntimeError, "'net'"),
        ({"net": twins}, ValueError, "already exists"),
        ({"inputs": (np.ones(3),)}, TypeError, r"ms.Tensor\(array\)"),
        ({"inputs": ({"x": x},)}, TypeError, "input 0"),
        ({"inputs": (x, "text")}, TypeError, "input 1"),
        ({"inputs": (Dataset(),)}, NotImplementedError, "dataset"),
        ({"inputs": ()}, TypeError, "construct"),
        ({"enc_key": b"0123456789abcdef", "file_format": "ONNX"}, ValueError, "MINDIR"),
        ({"enc_key": b"0123"}, ValueError, "16 or 24 or 32 bytes"),
        ({"enc_key": "text"}, ValueError, "bytes"),
        ({"custom_func": 3}, TypeError, "custom_func"),
        ({"custom_func": lambda model: model.graph}, NotImplementedError, "graph"),
        ({"custom_func": print, "file_format": "ONNX"}, ValueError, "custom_func"),
        ({"dataset": Dataset()}, NotImplementedError, "dataset"),
        ({"file_nam": 3}, TypeError, "did you mean 'file_name'"),
    ):
        options = {"net": net, "inputs": (x,), "file_name": name, "file_format": "MINDIR", **given}
        with pytest.raises(error, match=words):
            ms.export(options.pop("net"), *options.pop("inputs"), **options)
    assert os.listdir(tmp_path) == []
    ms.export(
        net, x, file_name=f"{name}.onnx", file_format="MINDIR", enc_key=None, incremental=True
    )
    ms.export(net, x, file_name=str(tmp_path / "a" / "b.mindir"), file_format="MINDIR")
    assert sorted(os.listdir(tmp_path)) == ["a", "net.onnx.mindir"]
    assert os.listdir(tmp_path / "a") == ["b.mindir"]


def test_the_kind_of_file_is_said_once(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(_export, "_told", False)
    with caplog.at_level(logging.WARNING, logger="agar"):
        for _ in range(2):
            written(tmp_path, nn.Dense(3, 2), numbers(2, 3))
    assert caplog.text.count("agar's own kind of file") == 1


# ---------------------------------------------------------------------------- bad files


def test_arguments_of_load(tmp_path):
    file = written(tmp_path, nn.Dense(3, 2), numbers(2, 3))
    for name, words in ((3, "str"), (file[:-7], "end with"), (file + "x.mindir", "not exist")):
        with pytest.raises(ValueError, match=words):
            ms.load(name)  # pyright: ignore[reportArgumentType]  # wrong on purpose
    with pytest.raises(ValueError, match="cannot be decrypted"):
        ms.load(file, dec_key=b"0123456789abcdef")
    with pytest.raises(ValueError, match="bytes"):
        ms.load(file, dec_key="text")
    with pytest.raises(TypeError, match="no argument 'dec_kez'"):
        ms.load(file, dec_kez=b"")
    assert repr(ms.load(file, dec_key=None, dec_mode="AES-GCM")).startswith("FuncGraph(1 inputs")


def _split(content: bytes) -> tuple[dict[str, Any], bytes]:
    (length,) = struct.unpack("<Q", content[:8])
    return json.loads(content[8 : 8 + length]), content[8 + length :]


def _joined(header: dict[str, Any], data: bytes) -> bytes:
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def test_damaged_files(tmp_path):
    file = pathlib.Path(written(tmp_path, nn.Dense(3, 2), numbers(2, 3)))
    content = file.read_bytes()
    header, data = _split(content)
    plain = {**header, "__metadata__": {"format": "ms"}}
    lacking = {k: v for k, v in header.items() if k != "bias"}
    for bad in (
        b"",
        b"garbage" * 9,
        pickle.dumps({"x": 1}),
        content[:-1],
        content[: len(content) // 2],
        content[8:],
        _joined(plain, data),
        _joined(lacking, data),
        _joined({**header, "__metadata__": {"agar": "{"}}, data),
        _joined({**header, "__metadata__": {"agar": "[" * 100_000}}, data),
        _joined({**header, "__metadata__": {"agar": "[]"}}, data),
        _joined({**header, "__metadata__": {"agar": "{}"}}, data),
    ):
        file.write_bytes(bad)
        with pytest.raises(ValueError, match="is not an exported network") as raised:
            ms.load(str(file))
        assert isinstance(raised.value, RuntimeError)  # MindSpore's type


def _set(path: str, value: Any) -> Any:
    """A change of a document at a path such as ``nodes/0/0``."""

    def change(document: dict[str, Any]) -> None:
        *way, last = [int(k) if k.lstrip("-").isdigit() else k for k in path.split("/")]
        place: Any = document
        for key in way:
            place = place[key]
        place[last] = value

    return change


HOSTILE = {
    "newer": _set("version", 99),
    "version": _set("version", "1"),
    "file": _set("nodes/0", ["aten.from_file.default", ["/etc/passwd", False, 8], {}]),
    "python": _set("nodes/0/0", "os.system"),
    "namespace": _set("nodes/0/0", "prims.relu.default"),
    "attribute": _set("nodes/0/0", "aten.__class__.__init__"),
    "dunder": _set("nodes/0/0", "aten.relu.__class__"),
    "missing": _set("nodes/0/0", "aten.no_such_operator.default"),
    "later slot": _set("nodes/0/1/0", {"slot": 99}),
    "own slot": _set("nodes/0/1/0", {"slot": 3}),
    "negative slot": _set("nodes/0/1/0", {"slot": -1}),
    "kind": _set("nodes/0/1/0", {"object": "x"}),
    "two kinds": _set("nodes/0/1/0", {"slot": 0, "device": None}),
    "dtype": _set("nodes/0/1/0", {"dtype": "load"}),
    "device": _set("nodes/0/1/0", {"device": "nowhere"}),
    "condition": _set("conditions", ["__import__('os').getcwd()"]),
    "attribute of size": _set("conditions", ["size.__class__"]),
    "condition text": _set("conditions", ["size("]),
    "size of another": _set("conditions", ["size(4, 0) > 1"]),
    "output": _set("outputs", {"slot": 99}),
    "output kind": _set("outputs", {"call": "x"}),
    "inputs": _set("inputs/structure", []),
    "shape": _set("inputs/tensors/0/shape", [-5, 3]),
    "name": _set("parameters/0/name", 3),
    "two names": _set("parameters/1/name", "weight"),
    "nodes": _set("nodes", 3),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents(name, tmp_path):
    file = pathlib.Path(written(tmp_path, nn.Dense(3, 2), numbers(2, 3)))
    header, data = _split(file.read_bytes())
    document = json.loads(header["__metadata__"]["agar"])
    HOSTILE[name](document)
    header["__metadata__"]["agar"] = json.dumps(document)
    file.write_bytes(_joined(header, data))
    with pytest.raises(_export.GraphFileError, match="is not an exported network"):
        ms.load(str(file))


@pytest.mark.cpu  # a GPU reports an index out of bounds later
def test_an_operator_that_fails_is_named(tmp_path):
    cell = exported(tmp_path, lambda x, i: ops.gather(x, i, 0), numbers(3), Tensor([0, 1]))
    assert_same(cell(numbers(3), Tensor([2, 0])), numbers(3)[Tensor([2, 0])])
    with pytest.raises(IndexError, match=r"aten\.index_select"):
        cell(numbers(3), Tensor([0, 7]))


# --------------------------------------------------------------------------------- ONNX

needs_onnx = pytest.mark.skipif(
    importlib.util.find_spec("onnx") is None or importlib.util.find_spec("onnxscript") is None,
    reason="needs the packages onnx and onnxscript (pip install onnx onnxscript)",
)


def _onnx(folder: pathlib.Path, net: Any, *inputs: Any) -> Any:
    import onnx

    ms.export(net, *inputs, file_name=str(folder / "net"), file_format="ONNX")
    model = onnx.load(str(folder / "net.onnx"))
    onnx.checker.check_model(model)
    return model


@needs_onnx
@pytest.mark.parametrize("name", ["lenet", "mlp", "transformer"])
def test_onnx_computes_the_same(name, tmp_path):
    from onnx.reference import ReferenceEvaluator

    make, shape, runs = NETWORKS[name]
    net = make()
    model = _onnx(tmp_path, net, unknown(*shape))
    (argument,) = [i.name for i in model.graph.input]
    for run in runs:
        (result,) = ReferenceEvaluator(model).run(None, {argument: numbers(*run).asnumpy()})
        np.testing.assert_allclose(
            np.asarray(result), net(numbers(*run)).asnumpy(), rtol=1e-4, atol=1e-5
        )


@needs_onnx
def test_onnx_names_and_modes(tmp_path):
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.body = Mlp()

        def construct(self, image: Tensor, more: Any) -> Tensor:
            return self.body(image) + more[0]

    net = Net().set_train()  # exported in evaluation all the same, as MindSpore does
    model = _onnx(tmp_path, net, unknown(None, 3), (numbers(2),))
    assert [i.name for i in model.graph.input] == ["image", "more_0"]
    assert [o.name for o in model.graph.output] == ["output_0"]
    assert {i.name for i in model.graph.initializer} == {p.name for p in net.get_parameters()}
    assert "Dropout" not in {n.op_type for n in model.graph.node}
    assert net.training
    assert net.body.drop.training
    assert os.listdir(tmp_path) == ["net.onnx"]


@needs_onnx
def test_onnx_says_what_it_lacks(tmp_path):
    with pytest.raises(RuntimeError, match=r"cannot be written as ONNX.*MINDIR"):
        _onnx(tmp_path, lambda x: ops.matrix_exp(x) @ ops.geqrf(x)[0], numbers(3, 3))
    assert os.listdir(tmp_path) == []


def test_onnx_without_its_packages(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install onnx onnxscript"):
        ms.export(
            nn.Dense(3, 2), numbers(2, 3), file_name=str(tmp_path / "net"), file_format="ONNX"
        )
    assert os.listdir(tmp_path) == []


def test_custom_func_sets_what_the_file_says_of_itself(tmp_path):
    def describe(model):
        model.producer_name = "mine"
        model.user_info["version"] = "11.0"

    file = str(tmp_path / "net.mindir")
    x = ms.Tensor([1.0, -1.0])
    ms.export(ms.nn.ReLU(), x, file_name=file, file_format="MINDIR", custom_func=describe)
    with importlib.import_module("safetensors").safe_open(file, framework="pt") as opened:
        said = json.loads(opened.metadata()["agar"])["model"]
    assert said["producer_name"] == "mine"
    assert said["user_info"] == {"version": "11.0"}
    assert ms.load(file)(x).asnumpy().tolist() == [1.0, 0.0]


# ----------------------------------------------------------------------------- encrypted files


@pytest.mark.parametrize("mode", ["AES-GCM", "AES-CBC", "SM4-CBC"])
def test_encrypted_networks(tmp_path, mode):
    pytest.importorskip("cryptography")
    net, x, key = nn.Dense(3, 2), numbers(2, 3), b"0123456789abcdef"
    file = str(tmp_path / "net.mindir")
    ms.export(net, x, file_name=file, file_format="MINDIR", enc_key=key, enc_mode=mode)
    assert b"weight" not in (tmp_path / "net.mindir").read_bytes()
    same = ms.load(file, dec_key=key, dec_mode=mode)(x)
    np.testing.assert_array_equal(same.asnumpy(), net(x).asnumpy())
    with pytest.raises(ValueError, match="it is encrypted: give 'dec_key'"):
        ms.load(file)
    with pytest.raises(ValueError, match="cannot be decrypted"):
        ms.load(file, dec_key=key[::-1], dec_mode=mode)


def test_an_encrypted_network_of_mindspore():
    pytest.importorskip("cryptography")
    file = str(pathlib.Path(__file__).with_name("data") / "encrypted.mindir")
    network = nn.GraphCell(ms.load(file, dec_key=b"0123456789ABCDEF", dec_mode="AES-GCM"))
    result = network(ms.ops.ones((2, 4))).asnumpy()[:1]
    # what MindSpore 2.10 computed before it wrote the file
    np.testing.assert_allclose(result, [[-0.3637827, -0.8298078, 0.8982074]], rtol=1e-6)
