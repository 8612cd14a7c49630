"""Files and tools of PyTorch over agar's Tensors, Parameters and networks."""

from __future__ import annotations

import os
import zipfile

import numpy as np
import pytest
import safetensors.torch
import torch
from torch.utils.data import DataLoader, default_collate

import agar as ms
from agar import nn
from agar.train import load_checkpoint, load_checkpoint_async, save_checkpoint


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def equal(a, b) -> bool:
    return np.array_equal(np.asarray(a), np.asarray(b))


# --- checkpoints --------------------------------------------------------------------------------


@pytest.mark.parametrize("file", ["net.pth", "net.pt"])
def test_a_checkpoint_in_pytorchs_format_is_read_by_torch_load(file):
    net = nn.Dense(3, 2)
    save_checkpoint(net, file, append_dict={"epoch": 3, "rate": 0.5, "note": "text"})
    result = torch.load(file)
    assert list(result) == ["weight", "bias", "epoch", "rate", "note"]
    assert torch.equal(result["weight"], net.weight.to_torch())
    assert (int(result["epoch"]), float(result["rate"]), result["note"]) == (3, 0.5, "text")
    module = torch.nn.Linear(3, 2)
    module.load_state_dict({name: result[name] for name in ("weight", "bias")})
    again = nn.Dense(3, 2)
    loaded = load_checkpoint(file, again, crc_check=True)
    assert equal(again.weight, net.weight)
    assert loaded["note"] == "text"
    assert isinstance(loaded["epoch"], ms.Parameter)


@pytest.mark.parametrize("file", ["net.pth", "net.pt", "pytorch_model.bin"])
def test_a_state_of_pytorch_is_loaded_by_its_names(file):
    module = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2))
    torch.save(module.state_dict(), file)
    parameters = load_checkpoint(file, choice_func=lambda name: name != "1.running_var")
    assert list(parameters) == [n for n in module.state_dict() if n != "1.running_var"]
    assert parameters["0.weight"].name == "0.weight"
    assert equal(parameters["0.weight"], module[0].weight.detach())


def test_an_asynchronous_load_chooses_the_format_too():
    save_checkpoint(nn.Dense(3, 2), "net.pth")
    assert sorted(load_checkpoint_async("net.pth").result()) == ["bias", "weight"]


def test_safetensors_by_the_ending():
    net = nn.Dense(3, 2)
    save_checkpoint(net, "net.safetensors")
    assert equal(safetensors.torch.load_file("net.safetensors")["weight"], net.weight)
    safetensors.torch.save_file(ms.as_torch(net).state_dict(), "torch.safetensors")
    assert equal(load_checkpoint("torch.safetensors")["weight"], net.weight)


def test_a_part_of_a_tensor_is_saved_without_the_rest():
    save_checkpoint({"row": ms.from_torch(torch.ones(1000, 1000)[3])}, "row.pth")
    assert os.path.getsize("row.pth") < 20_000


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"state_dict": {}, "epoch": 1}, "'state_dict' is a dict.*load_by_structure"),
        ([torch.ones(1)], "holds a list.*torch.save"),
        ({"s": torch.eye(2).to_sparse()}, "'s' is a tensor of .*sparse"),
    ],
)
def test_files_of_pytorch_that_hold_something_else(content, words):
    torch.save(content, "a.pth")
    with pytest.raises(ValueError, match=words):
        load_checkpoint("a.pth")


def test_a_checksum_of_a_file_of_pytorch_is_verified():
    save_checkpoint(nn.Dense(3, 2), "a.pth")
    with zipfile.ZipFile("a.pth") as archive:
        entry = next(e for e in archive.infolist() if e.filename.endswith("data/0"))
        at = entry.header_offset
    with open("a.pth", "r+b") as file:
        file.seek(at)
        head = file.read(30)
        start = (
            at + 30 + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:], "little")
        )
        file.seek(start)
        first = file.read(1)
        file.seek(start)
        file.write(bytes([first[0] ^ 1]))
    assert len(load_checkpoint("a.pth")) == 2
    with pytest.raises(ValueError, match="The CRC check"):
        load_checkpoint("a.pth", crc_check=True)


def test_a_failed_write_leaves_the_file(monkeypatch):
    save_checkpoint(nn.Dense(3, 2), "a.pth")

    def fail(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("agar.train._torch_codec.torch.save", fail)
    with pytest.raises(OSError, match=r"No space left"):
        save_checkpoint(nn.Dense(4, 4), "a.pth")
    assert os.listdir() == ["a.pth"]
    assert load_checkpoint("a.pth")["weight"].shape == (2, 3)


# --- torch.save and torch.load ------------------------------------------------------------------


def test_torch_load_reads_tensors_and_parameters_by_its_default_rules():
    p = ms.Parameter(ms.Tensor([1.0, 2.0]), name="w", requires_grad=False)
    torch.save({"x": ms.Tensor([3]), "p": p, "net": nn.Dense(2, 1).state_dict()}, "a.pt")
    loaded = torch.load("a.pt")
    assert type(loaded["x"]) is ms.Tensor
    assert type(loaded["p"]) is ms.Parameter
    assert (loaded["p"].name, loaded["p"].requires_grad) == ("w", False)
    assert equal(loaded["p"], p)
    assert list(loaded["net"]) == ["weight", "bias"]
    torch.save(loaded["net"], "b.pt")
    assert list(load_checkpoint("b.pt")) == ["weight", "bias"]


def test_tensors_of_agar_in_a_file_are_found_as_pytorchs_are():
    net = nn.Dense(2, 1)
    torch.save({"model": net.state_dict(), "more": [(ms.Tensor([1]),)]}, "a.pt")
    again = nn.Dense(2, 1)
    assert not ms.load_by_structure(again, "a.pt").not_loaded
    assert equal(again.weight, net.weight)
    torch_file = ms.migrate.read_torch_file("a.pt")
    assert type(torch_file["weight"]) is type(torch_file.rest["more"][0][0]) is torch.Tensor


def test_safetensors_says_which_tensors_it_takes():
    with pytest.raises(ValueError, match=r"`x` is invalid, expected torch.Tensor"):
        safetensors.torch.save_file({"x": ms.Tensor([1.0])}, "a.safetensors")  # type: ignore[dict-item]
    safetensors.torch.save_file({"x": ms.Tensor([1.0]).to_torch()}, "a.safetensors")
    assert load_checkpoint("a.safetensors")["x"].asnumpy().tolist() == [1.0]


class Hostile:
    """Asks agar's function for something that is not a Tensor."""

    def __init__(self, *args: object) -> None:
        self.args = args

    def __reduce__(self):
        from agar._core import tensor

        return tensor._rebuild, self.args


@pytest.mark.parametrize(
    "args", [(torch.Size, torch.ones(1), {}), (ms.Tensor, "text", {}), (3, torch.ones(1), {})]
)
def test_a_hostile_file_makes_nothing_but_tensors(args):
    torch.save(Hostile(*args), "a.pt")
    with pytest.raises(Exception, match=r"cannot be built of"):
        torch.load("a.pt")


# --- torch.func and torch.export ----------------------------------------------------------------


@pytest.mark.parametrize("kind", [ms.Tensor, ms.Parameter])
def test_torch_func_looks_into_tensors(kind):
    x = kind(ms.Tensor([1.0, 2.0]))
    slope = torch.func.grad(lambda v: (v * v).sum().to_torch())(x)
    assert type(slope) is ms.Tensor
    assert slope.asnumpy().tolist() == [2.0, 4.0]
    held = torch.func.grad(lambda p: (p["w"] * 3 + p["w"]).sum().to_torch())({"w": x})
    assert held["w"].asnumpy().tolist() == [4.0, 4.0]
    assert torch.func.vmap(lambda v: v + 1)(x).asnumpy().tolist() == [2.0, 3.0]
    assert torch.func.jacrev(lambda v: v * v)(x).asnumpy().tolist() == [[2.0, 0.0], [0.0, 4.0]]
    out, tangent = torch.func.jvp(lambda v: v * v, (x,), (kind(ms.Tensor([1.0, 0.5])),))
    assert (out.asnumpy().tolist(), tangent.asnumpy().tolist()) == ([1.0, 4.0], [2.0, 2.0])


def test_torch_func_says_what_a_loss_must_be():
    with pytest.raises(RuntimeError, match=r"return a Tensor, got <class 'agar\."):
        torch.func.grad(lambda v: v.sum())(ms.Tensor([1.0]))


def test_trees_hold_whatever_stands_for_a_tensor():
    tree = torch.utils._pytree.tree_map(lambda v: v.shape, {"x": ms.Tensor([[1.0, 2.0]])})
    assert tree == {"x": torch.Size([1, 2])}


def test_torch_export_takes_tensors():
    net = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())
    x = ms.Tensor(np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3))
    torch.export.save(torch.export.export(ms.as_torch(net), (x,)), "net.pt2")
    result = torch.export.load("net.pt2").module()(x)
    assert np.allclose(result.detach().numpy(), net(x).asnumpy(), atol=1e-6)
    with pytest.raises(ValueError, match=r"torch.nn.Module.*got <class 'agar\."):
        torch.export.export(net, (x,))  # type: ignore[arg-type]


# --- data and metrics ---------------------------------------------------------------------------


def rows():
    return [(ms.Tensor([float(i), 1.0]), i) for i in range(4)]


def test_default_collate_makes_batches_of_tensors():
    x, y = default_collate(rows())
    assert type(x) is ms.Tensor
    assert x.asnumpy().tolist() == [[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]
    assert torch.equal(y, torch.arange(4))
    held = default_collate([{"p": ms.Parameter(1.0)}, {"p": ms.Parameter(2.0)}])
    assert held["p"].asnumpy().tolist() == [1.0, 2.0]


@pytest.mark.parametrize("workers", [0, 1])
def test_a_data_loader_over_tensors(workers):
    batches = list(DataLoader(rows(), batch_size=2, num_workers=workers))  # type: ignore[arg-type]
    assert [type(x) for x, _ in batches] == [ms.Tensor] * 2
    assert batches[1][0].asnumpy().tolist() == [[2.0, 1.0], [3.0, 1.0]]


class MeanError(torch.nn.Module):
    """A metric in the form of torchmetrics."""

    def __init__(self) -> None:
        super().__init__()
        self.reset()

    def reset(self) -> None:
        self.sum, self.count = torch.zeros(()), 0

    def update(self, preds: torch.Tensor, target: torch.Tensor) -> None:
        assert type(preds) is type(target) is torch.Tensor
        self.sum = self.sum + (preds - target).abs().sum()
        self.count += preds.numel()

    def compute(self):
        mean = self.sum / self.count
        return {"mean": mean, "both": [mean, mean.reshape(1)]}


def test_model_takes_metrics_in_the_form_of_torchmetrics():
    net = nn.Dense(2, 1, "ones", "zeros")
    data = [
        (ms.Tensor([[1.0, 2.0]]), ms.Tensor([[0.0]])),
        (ms.Tensor([[3.0, 3.0]]), ms.Tensor([[1.0]])),
    ]
    model = ms.Model(net, nn.MSELoss(), metrics={"theirs": MeanError(), "ours": nn.MAE()})
    for _ in range(2):  # it is reset between
        result = model.eval(data)
        assert result["ours"] == result["theirs"]["mean"] == 4.0
        first, second = result["theirs"]["both"]
        assert first == 4.0
        assert type(second) is ms.Tensor


def test_what_is_no_metric_is_refused():
    with pytest.raises(TypeError, match="its values Metrics"):
        ms.Model(nn.Dense(2, 1), nn.MSELoss(), metrics={"m": torch.nn.Linear(2, 1)})
