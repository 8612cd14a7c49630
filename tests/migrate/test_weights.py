"""Weights both ways: states, files and optimizers; what does not fit is listed at once."""

from __future__ import annotations

import copy
import io
import json
import os
import pickle
import zipfile

import numpy as np
import pytest
import torch
from torch import nn

import agar as ms
from agar.migrate import (
    convert_weights,
    from_torch,
    load_torch_state,
    read_torch_file,
    to_torch_state,
)
from agar.migrate.weights import WeightsError, load_torch_optimizer, to_torch_optimizer


@pytest.fixture(autouse=True)
def _seed():
    torch.manual_seed(0)


class Theirs(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(7, 4)
        self.conv = nn.Conv1d(4, 4, 3, padding=1)
        self.norm = nn.BatchNorm1d(4)
        self.layer = nn.LayerNorm(4)
        self.act = nn.PReLU(4)
        self.rnn = nn.LSTM(4, 3, batch_first=True)
        self.fc = nn.Linear(3, 2)
        self.scale = nn.Parameter(torch.randn(2))

    def forward(self, ids):
        x = self.act(self.norm(self.conv(self.table(ids).transpose(1, 2))))
        x = self.layer(x.transpose(1, 2))
        return self.fc(self.rnn(x)[0]) * self.scale


class Mine(ms.nn.Cell):
    """The same network, written by hand."""

    def __init__(self):
        super().__init__()
        self.table = ms.nn.Embedding(7, 4)
        self.conv = ms.nn.Conv1d(4, 4, 3, pad_mode="pad", padding=1, has_bias=True)
        self.norm = ms.nn.BatchNorm1d(4)
        self.layer = ms.nn.LayerNorm((4,), epsilon=1e-5)
        self.act = ms.nn.PReLU(4)
        self.rnn = ms.nn.LSTM(4, 3, batch_first=True)
        self.fc = ms.nn.Dense(3, 2)
        self.scale = ms.Parameter(ms.Tensor([1.0, 1.0]))

    def construct(self, ids):
        x = self.act(self.norm(self.conv(self.table(ids).transpose(0, 2, 1))))
        x = self.layer(x.transpose(0, 2, 1))
        return self.fc(self.rnn(x)[0]) * self.scale


def trained():
    """A module whose statistics are not those of a new one."""
    net = Theirs()
    net(torch.randint(0, 7, (3, 5)))
    net(torch.randint(0, 7, (3, 5)))
    return net.eval()


def bits(state):
    return {
        n: (v.dtype, tuple(v.shape), v.detach().contiguous().reshape(-1).view(torch.uint8).tolist())
        if v.numel()
        else (v.dtype, tuple(v.shape))
        for n, v in state.items()
    }


# ------------------------------------------------------------------------------- states


@pytest.mark.parametrize("cell", [lambda net: from_torch(Theirs()), lambda net: Mine()])
def test_a_state_fills_a_cell_and_comes_back_bit_for_bit(cell):
    net = trained()
    made = cell(net)
    done = load_torch_state(made, net.state_dict())
    assert done.complete
    assert {r.target for r in done.rows} >= {"norm.moving_variance", "act.w", "fc.weight"}
    assert bits(to_torch_state(made)) == bits(net.state_dict())
    assert list(to_torch_state(made)) == list(net.state_dict()) or isinstance(made, Mine)
    ids = torch.randint(0, 7, (2, 6))
    found = made.set_train(False)(ms.Tensor(ids.numpy().astype(np.int32))).asnumpy()
    np.testing.assert_allclose(found, net(ids).detach().numpy(), 1e-5, 1e-6)
    other = Theirs()
    other.load_state_dict(to_torch_state(made))
    assert bits(other.state_dict()) == bits(net.state_dict())


def test_states_share_the_memory_of_a_converted_module():
    net = nn.Sequential(nn.Conv1d(2, 3, 1), nn.BatchNorm1d(3))
    state = to_torch_state(from_torch(net))
    assert list(state) == list(net.state_dict())
    for name, value in net.state_dict().items():
        assert state[name].data_ptr() == value.data_ptr(), name


def test_everything_that_does_not_fit_is_listed_and_nothing_is_changed():
    cell = Mine()
    before = bits(to_torch_state(cell))
    state = trained().state_dict()
    state["fc.weigth"] = state.pop("fc.weight").reshape(6)
    state["fc.bias"] = torch.zeros(5)
    del state["norm.running_var"]
    state["layer.weight"] = state["layer.weight"].int()
    with pytest.raises(WeightsError, match="do not fit, so nothing was changed") as info:
        load_torch_state(cell, state)
    text = str(info.value)
    assert "'fc.bias' has shape (5,), and 'fc.bias' of the cell (2,)" in text
    assert "'layer.weight' has type torch.int32" in text
    assert "'norm.running_var' has no value" in text
    assert "'fc.weigth' has no place; closest: fc.weight (2, 3)" in text
    assert info.value.transfer.missing["fc.weight"][0].startswith("fc.weigth")
    assert bits(to_torch_state(cell)) == before
    with pytest.raises(WeightsError):
        load_torch_state(cell, state, strict=False)


def test_not_strict_leaves_out_what_is_missing():
    cell = Mine()
    state = {"fc.bias": torch.tensor([1.0, 2.0]), "other.thing": torch.ones(3)}
    done = load_torch_state(cell, state, strict=False)
    assert cell.fc.bias.asnumpy().tolist() == [1.0, 2.0]
    assert "fc.weight" in done.missing
    assert list(done.unexpected) == ["other.thing"]
    assert not done.complete
    assert "other.thing" in str(done)
    assert json.dumps(done.to_dict())


def test_prefixes_of_one_side():
    net = trained()
    state = {f"model.net.{n}": v for n, v in net.state_dict().items()}
    cell = Mine()
    done = load_torch_state(cell, state)
    assert done.assumptions == ["'model.net.' was taken off the names of the state"]
    assert bits(to_torch_state(cell)) == bits(net.state_dict())
    outer = ms.nn.SequentialCell(Mine())
    assert load_torch_state(outer, net.state_dict()).complete


def test_names_that_differ_are_found_by_structure():
    net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 4))

    class Named(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.first = ms.nn.Dense(2, 3)
            self.second = ms.nn.Dense(3, 4)

    cell = Named()
    done = load_torch_state(cell, net.state_dict(), module=net)
    assert {r.source: r.target for r in done.rows}["2.weight"] == "second.weight"
    assert all(r.how.startswith("structure") for r in done.rows)
    np.testing.assert_array_equal(cell.first.bias.asnumpy(), net[0].bias.detach().numpy())


def test_shared_parameters():
    net = nn.ModuleDict({"a": nn.Linear(3, 3), "b": nn.Linear(3, 3)})
    net["b"].weight = net["a"].weight
    cell = from_torch(net)
    state = {n: v.clone() for n, v in net.state_dict().items()}
    assert load_torch_state(cell, state).complete
    state["b.weight"] += 1
    with pytest.raises(WeightsError, match="are one parameter in the cell, and differ"):
        load_torch_state(cell, state)
    del state["b.weight"]  # as safetensors files have it
    state["a.weight"].zero_()
    load_torch_state(cell, state)
    assert not net["b"].weight.any()
    assert list(to_torch_state(cell)) == ["a.weight", "a.bias", "b.weight", "b.bias"]


def test_values_that_look_alike_only_as_numbers():
    cell = ms.nn.Dense(2, 1, has_bias=False)
    value = torch.tensor([[float("nan"), -0.0]])
    load_torch_state(cell, {"weight": value})
    assert bits(to_torch_state(cell)) == bits({"weight": value})


def test_what_is_no_cell_or_no_state():
    with pytest.raises(TypeError, match="'cell' must be a Cell"):
        load_torch_state(nn.Linear(2, 1), {})
    with pytest.raises(TypeError, match="'state' must be a dictionary"):
        load_torch_state(ms.nn.Dense(2, 1), "file.pth")
    with pytest.raises(TypeError, match="'cell' must be a Cell"):
        to_torch_state(3)
    done = load_torch_state(
        ms.nn.Dense(1, 1, has_bias=False), {"weight": torch.ones(1, 1), "epoch": 3}
    )
    assert "epoch" in done.left_out


# -------------------------------------------------------------------------------- files

DTYPES = [
    torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32,
    torch.int16, torch.int8, torch.uint8, torch.bool,
]  # fmt: skip


class Kinds(nn.Module):
    """One buffer of each type and form."""

    def __init__(self):
        super().__init__()
        for dtype in DTYPES:
            value = (torch.randn(2, 3) * 50).to(dtype)
            self.register_buffer(f"as_{dtype}".replace("torch.", ""), value)
        self.register_buffer("scalar", torch.tensor(3.5))
        self.register_buffer("empty", torch.zeros(0, 4))
        self.register_buffer("turned", torch.randn(3, 2).t())
        self.weight = nn.Parameter(torch.randn(2, dtype=torch.bfloat16))


@pytest.mark.parametrize("middle", ["a.ckpt", "a.safetensors"])
@pytest.mark.parametrize("last", ["b.pth", "b.safetensors"])
def test_files_of_all_types_come_back_bit_for_bit(tmp_path, middle, last):
    net = Kinds()
    first = tmp_path / "first.pth"
    torch.save(net.state_dict(), first)
    done = convert_weights(first, tmp_path / middle, module=net)
    assert done.complete
    assert done.target.endswith(middle)
    back = convert_weights(tmp_path / middle, tmp_path / last, module=net)
    assert back.complete
    assert bits(read_torch_file(tmp_path / last)) == bits(net.state_dict())


def test_agar_loads_a_converted_file(tmp_path):
    net = trained()
    torch.save(net.state_dict(), tmp_path / "a.pth")
    cell = Mine()
    done = convert_weights(tmp_path / "a.pth", tmp_path / "a.ckpt", cell=cell)
    assert "norm.num_batches_tracked" in done.left_out
    held = ms.load_checkpoint(str(tmp_path / "a.ckpt"))
    missing, unused = ms.load_param_into_net(cell, held)
    assert (missing, unused) == ([], [])
    convert_weights(tmp_path / "a.ckpt", tmp_path / "b.pth", cell=cell)
    other = Theirs()
    other.load_state_dict(torch.load(tmp_path / "b.pth", weights_only=True))
    same = {n: v for n, v in bits(net.state_dict()).items() if "num_batches" not in n}
    assert {n: v for n, v in bits(other.state_dict()).items() if "num_batches" not in n} == same


def test_files_without_a_network_are_converted_by_patterns(tmp_path):
    net = trained()
    torch.save(net.state_dict(), tmp_path / "a.pth")
    done = convert_weights(tmp_path / "a.pth", tmp_path / "a.ckpt")
    names = {r.source: r.target for r in done.rows}
    assert names["norm.running_var"] == "norm.moving_variance"
    assert names["layer.weight"] == "layer.gamma"
    assert names["table.weight"] == "table.weight"  # nothing says that it is an embedding
    assert names["fc.weight"] == "fc.weight"
    assert done.assumptions[0] == "no network was given: names were converted by patterns"
    assert any("'conv.weight' belongs to a Conv1d" in a for a in done.assumptions)
    back = convert_weights(tmp_path / "a.ckpt", tmp_path / "b.pth")
    assert any("height 1" in a for a in back.assumptions)
    assert set(read_torch_file(tmp_path / "b.pth")) == set(net.state_dict())


def test_checkpoints_with_other_things_in_them(tmp_path):
    net = nn.Linear(2, 1)
    wrapped = {f"module.{n}": v for n, v in net.state_dict().items()}
    optimizer = torch.optim.SGD(net.parameters(), 0.1, 0.9)
    for key in ("state_dict", "model", "net"):
        held = {key: wrapped, "epoch": 3, "optimizer": optimizer.state_dict(), "best": 0.5}
        torch.save(held, tmp_path / "a.pt")
        found = read_torch_file(tmp_path / "a.pt")
        assert list(found) == ["weight", "bias"]
        assert found.rest == {"epoch": 3, "best": 0.5}
        assert found.optimizer is not None
        assert found.notes == [
            f"the state stood under '{key}'",
            "'module.' was taken off every name",
        ]
    torch.save({"outer": {"model": wrapped}}, tmp_path / "a.bin")
    assert list(read_torch_file(tmp_path / "a.bin")) == ["weight", "bias"]
    torch.save({"a": wrapped, "b": wrapped}, tmp_path / "a.pth")
    with pytest.raises(ValueError, match=r"holds states under each of \['a', 'b'\]"):
        read_torch_file(tmp_path / "a.pth")


@pytest.mark.parametrize("kind", ["safetensors", "bin"])
def test_checkpoints_in_several_files(tmp_path, kind):
    from safetensors.torch import save_file

    state = {"a.weight": torch.randn(2, 2), "b.weight": torch.randn(3)}
    places = {}
    for i, (name, value) in enumerate(state.items()):
        file = f"part-{i}.{kind}"
        places[name] = file
        if kind == "bin":
            torch.save({name: value}, tmp_path / file)
        else:
            save_file({name: value}, tmp_path / file)
    index = tmp_path / (
        "pytorch_model.bin.index.json" if kind == "bin" else "model.safetensors.index.json"
    )
    index.write_text(json.dumps({"weight_map": places}))
    for path in (tmp_path, index):
        found = read_torch_file(path)
        assert bits(found) == bits(state)
    done = convert_weights(tmp_path, tmp_path / "all.ckpt")
    assert len(done.rows) == 2
    places["c.weight"] = "part-0." + kind
    index.write_text(json.dumps({"weight_map": places}))
    with pytest.raises(ValueError, match=r"1 names .* are not in the file .*c\.weight"):
        read_torch_file(index)
    places["c.weight"] = "part-9." + kind
    index.write_text(json.dumps({"weight_map": places}))
    with pytest.raises(FileNotFoundError, match=r"parts of the checkpoint .*part-9"):
        read_torch_file(index)
    index.write_text(json.dumps({"weight_map": {"a": "../../secret.bin"}}))
    with pytest.raises(ValueError, match="outside of its folder"):
        read_torch_file(index)
    index.write_text("{")
    with pytest.raises(ValueError, match="It must be a JSON file"):
        read_torch_file(index)


class _Bomb:
    def __reduce__(self):
        return os.system, ("true",)


def _damaged(tmp_path):
    good = io.BytesIO()
    torch.save(nn.Linear(4, 4).state_dict(), good)
    data = good.getvalue()
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", pickle.dumps({}))
        archive.writestr("archive/data/0", b"\0" * 20_000_000)
    return {
        "empty": (b"", "is empty"),
        "text": (b"hello world, this is no file", "cannot be parsed|more than tensors"),
        "cut": (data[: len(data) // 2], "cannot be parsed|damaged"),
        "code": (pickle.dumps({"w": _Bomb()}), "could run code|cannot be parsed"),
        "growing": (bomb.getvalue(), "claims to hold"),
    }


@pytest.mark.parametrize("kind", ["empty", "text", "cut", "code", "growing"])
@pytest.mark.parametrize("ending", [".pth", ".pt"])
def test_damaged_and_hostile_files_are_refused(tmp_path, kind, ending):
    content, words = _damaged(tmp_path)[kind]
    path = tmp_path / f"a{ending}"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=words):
        read_torch_file(path)
    target = tmp_path / "a.ckpt"
    target.write_bytes(b"before")
    with pytest.raises(ValueError, match=words):
        convert_weights(path, target)
    assert target.read_bytes() == b"before"
    assert {p.name for p in tmp_path.iterdir()} == {path.name, target.name}


def test_code_in_a_file_is_not_run(tmp_path):
    torch.save({"w": torch.ones(1), "x": _Bomb()}, tmp_path / "a.pth")
    with pytest.raises(ValueError, match="could run code, so it is refused"):
        read_torch_file(tmp_path / "a.pth")
    torch.save(nn.Linear(2, 1), tmp_path / "b.pth")
    with pytest.raises(ValueError, match=r"save only the state: torch\.save\(module\.state_dict"):
        read_torch_file(tmp_path / "b.pth")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        read_torch_file(tmp_path / "c.pth")
    torch.save(torch.ones(2), tmp_path / "d.pth")
    with pytest.raises(ValueError, match="holds one tensor of shape"):
        read_torch_file(tmp_path / "d.pth")
    torch.save({"epoch": 3}, tmp_path / "e.pth")
    with pytest.raises(ValueError, match=r"no dictionary of names to tensors.*'epoch'"):
        read_torch_file(tmp_path / "e.pth")
    (tmp_path / "f.safetensors").write_bytes(b"\xff" * 100)
    with pytest.raises(ValueError, match="not a safetensors file, or it was changed"):
        read_torch_file(tmp_path / "f.safetensors")


def test_files_that_cannot_be_converted(tmp_path):
    torch.save(nn.Linear(2, 1).state_dict(), tmp_path / "a.pth")
    with pytest.raises(ValueError, match="both files of PyTorch"):
        convert_weights(tmp_path / "a.pth", tmp_path / "b.pth")
    with pytest.raises(ValueError, match=r"must end with \.ckpt"):
        convert_weights(tmp_path / "a.pth", tmp_path / "b.npz")
    with pytest.raises(FileNotFoundError, match="create it first"):
        convert_weights(tmp_path / "a.pth", tmp_path / "no" / "b.ckpt")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        convert_weights(tmp_path / "c.pth", tmp_path / "b.ckpt")
    with pytest.raises(WeightsError, match=r"'weight' has shape \(1, 2\)"):
        convert_weights(tmp_path / "a.pth", tmp_path / "b.ckpt", cell=ms.nn.Dense(3, 1))
    ms.save_checkpoint(ms.nn.Dense(3, 1), str(tmp_path / "d.ckpt"))
    with pytest.raises(WeightsError, match="'weight' has shape"):
        convert_weights(tmp_path / "d.ckpt", tmp_path / "e.pth", cell=ms.nn.Dense(2, 1))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.pth", "d.ckpt"]


# --------------------------------------------------------------------------- optimizers


def _step(net, make, count=3):
    optimizer = make(net.parameters())
    for i in range(count):
        optimizer.zero_grad()
        (net(torch.randn(4, 3) + i) ** 2).sum().backward()
        optimizer.step()
    return optimizer


PAIRS = [
    (lambda p: torch.optim.Adam(p, 1e-2), lambda p: ms.mint.optim.Adam(p, 1e-2)),
    (
        lambda p: torch.optim.AdamW(p, 1e-2, amsgrad=True),
        lambda p: ms.mint.optim.AdamW(p, 1e-2, amsgrad=True),
    ),
    (lambda p: torch.optim.SGD(p, 1e-2, 0.9), lambda p: ms.nn.SGD(p, 1e-2, 0.9)),
    (lambda p: torch.optim.SGD(p, 1e-2, 0.9), lambda p: ms.nn.Momentum(p, 1e-2, 0.9)),
    (lambda p: torch.optim.SGD(p, 1e-2, 0.9), lambda p: ms.mint.optim.SGD(p, 1e-2, momentum=0.9)),
    (lambda p: torch.optim.Adam(p, 1e-2), lambda p: ms.nn.Adam(p, 1e-2)),
    (lambda p: torch.optim.Adamax(p, 1e-2), lambda p: ms.experimental.optim.Adamax(p, 1e-2)),
    (lambda p: torch.optim.NAdam(p, 1e-2), lambda p: ms.experimental.optim.NAdam(p, 1e-2)),
    (lambda p: torch.optim.RAdam(p, 1e-2), lambda p: ms.experimental.optim.RAdam(p, 1e-2)),
    (lambda p: torch.optim.Adadelta(p, 1.0), lambda p: ms.experimental.optim.Adadelta(p, 1.0)),
    (lambda p: torch.optim.Rprop(p, 1e-2), lambda p: ms.experimental.optim.Rprop(p, 1e-2)),
    (lambda p: torch.optim.Adagrad(p, 1e-2), lambda p: ms.experimental.optim.Adagrad(p, 1e-2)),
    (
        lambda p: torch.optim.RMSprop(p, 1e-2, momentum=0.9, centered=True),
        lambda p: ms.experimental.optim.RMSprop(p, 1e-2, momentum=0.9, centered=True),
    ),
]


@pytest.mark.parametrize(("theirs", "ours"), PAIRS, ids=[str(i) for i in range(len(PAIRS))])
def test_training_goes_on_with_the_state_of_a_torch_optimizer(theirs, ours):
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    before = _step(net, theirs)
    other = copy.deepcopy(net)
    same = theirs(other.parameters())
    same.load_state_dict(before.state_dict())
    cell = from_torch(net)
    mine = ours(cell.trainable_params())
    load_torch_optimizer(mine, before.state_dict(), cell=cell)
    x = torch.randn(4, 3)
    same.zero_grad()
    (other(x) ** 2).sum().backward()
    same.step()
    weights = cell.trainable_params()
    _, grads = ms.value_and_grad(lambda t: (cell(t) ** 2).sum(), None, weights)(
        ms.Tensor(x.numpy())
    )
    mine(grads)
    for a, b in zip(net.parameters(), other.parameters(), strict=True):
        np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), 2e-4, 1e-5)


def test_an_optimizers_state_comes_back_bit_for_bit():
    net = nn.Sequential(nn.Conv1d(3, 4, 2), nn.BatchNorm1d(4))
    optimizer = torch.optim.AdamW(net.parameters(), 0.01, amsgrad=True)
    net(torch.randn(2, 3, 5)).square().sum().backward()
    optimizer.step()
    state = optimizer.state_dict()
    cell = from_torch(net)
    mine = ms.mint.optim.AdamW(cell.trainable_params(), 0.01, amsgrad=True)
    load_torch_optimizer(mine, state, cell=cell)
    back = to_torch_optimizer(mine, cell=cell, options={"amsgrad": True, "lr": 0.01})
    optimizer.load_state_dict(back)
    for key, slots in state["state"].items():
        assert bits(back["state"][key]) == bits(slots)


def test_optimizers_that_do_not_fit():
    net = nn.Linear(3, 2)
    state = _step(net, lambda p: torch.optim.Adam(p)).state_dict()
    cell = from_torch(net)
    with pytest.raises(
        ValueError, match=r"state is of torch\.optim\.Adam, and the optimizer nn\.SGD"
    ):
        load_torch_optimizer(ms.nn.SGD(cell.trainable_params()), state, cell=cell)
    with pytest.raises(TypeError, match="no optimizer with the state of FTRL"):
        load_torch_optimizer(ms.nn.FTRL(cell.trainable_params()), state, cell=cell)
    larger = from_torch(nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 2), nn.Linear(2, 2)))
    with pytest.raises(ValueError, match="has 2 parameters, and the network 6"):
        load_torch_optimizer(ms.nn.Adam(larger.trainable_params()), state, cell=larger)
    other = from_torch(nn.Linear(5, 2))
    mine = ms.nn.Adam(other.trainable_params())
    with pytest.raises(WeightsError, match=r"moment1\.weight' has shape \(2, 3\)"):
        load_torch_optimizer(mine, state, cell=other)
    assert not mine.moment1[0].asnumpy().any()
    state["state"][1]["step"] = torch.tensor(9.0)
    with pytest.raises(ValueError, match="different numbers of steps"):
        load_torch_optimizer(ms.nn.Adam(cell.trainable_params()), state, cell=cell)


@pytest.mark.parametrize("with_cell", [True, False])
def test_files_carry_the_optimizer(tmp_path, with_cell):
    net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    optimizer = _step(net, lambda p: torch.optim.AdamW(p, 0.01))
    held = {"model": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 2}
    torch.save(held, tmp_path / "a.pth")
    cell = from_torch(net) if with_cell else None
    done = convert_weights(tmp_path / "a.pth", tmp_path / "a.ckpt", cell=cell)
    assert done.left_out == {"epoch": "not part of the network"}
    assert "the optimizer's state is for mint.optim.AdamW" in done.assumptions
    names = set(ms.load_checkpoint(str(tmp_path / "a.ckpt")))
    assert {"exp_avg.0.weight", "exp_avg_sq.2.bias", "state_step"} <= names
    convert_weights(tmp_path / "a.ckpt", tmp_path / "b.pth", cell=cell)
    found = read_torch_file(tmp_path / "b.pth")
    assert bits(found) == bits(net.state_dict())
    assert found.optimizer is not None
    again = torch.optim.AdamW(net.parameters(), 0.01)
    again.load_state_dict(found.optimizer)
    for key, slots in optimizer.state_dict()["state"].items():
        assert bits(found.optimizer["state"][key]) == bits(slots)
    with pytest.raises(ValueError, match=r"fits no optimizer of agar's called 'nn\.SGD'"):
        convert_weights(tmp_path / "a.pth", tmp_path / "c.ckpt", optimizer="nn.SGD")
    assert not (tmp_path / "c.ckpt").exists()


def test_instance_norm_has_statistics_on_one_side_only():
    module = nn.Sequential(nn.InstanceNorm2d(3, affine=True))
    nn.init.normal_(module[0].weight)
    cell = ms.nn.SequentialCell(ms.nn.InstanceNorm2d(3))
    load_torch_state(cell, module.state_dict())
    assert cell[0].gamma.asnumpy().tolist() == module[0].weight.tolist()
    assert list(to_torch_state(cell)) == list(module.state_dict())
    tracking = torch.nn.Sequential(
        torch.nn.InstanceNorm2d(3, affine=True, track_running_stats=True)
    )
    with pytest.raises(WeightsError, match="running_mean"):
        load_torch_state(cell, tracking.state_dict())
