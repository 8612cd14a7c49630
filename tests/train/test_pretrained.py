"""Networks from folders in the layout of model hubs."""

from __future__ import annotations

import json
import pathlib

import numpy as np
import pytest
import safetensors.torch
import torch

import agar as ms
from agar import nn
from agar.train import load_by_structure, load_pretrained


class Net(nn.Cell):
    def __init__(self, width: int = 4, classes: int = 2) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(width)
        self.head = nn.Dense(width, classes)


class TorchNet(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(4)
        self.head = torch.nn.Linear(4, 2)


@pytest.fixture
def state():
    torch.manual_seed(0)
    return TorchNet().state_dict()


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    write(tmp_path / "config.json", {"width": 4, "classes": 2})
    return tmp_path


def write(file: pathlib.Path, content: object) -> None:
    file.write_text(json.dumps(content), encoding="utf-8")


def save(folder: pathlib.Path, state, layout: str) -> None:
    first = {k: v for k, v in state.items() if k.startswith("norm")}
    second = {k: v for k, v in state.items() if k not in first}
    if layout == "safetensors":
        safetensors.torch.save_file(state, folder / "model.safetensors")
    elif layout == "bin":
        torch.save(state, folder / "pytorch_model.bin")
        (folder / "training_args.bin").write_bytes(b"something else")
    else:
        ending = layout.removeprefix("sharded ")
        stem = "model" if ending == "safetensors" else "pytorch_model"
        files = [f"{stem}-0000{i}-of-00002.{ending}" for i in (1, 2)]
        for file, part in zip(files, (first, second), strict=True):
            if ending == "safetensors":
                safetensors.torch.save_file(part, folder / file)
            else:
                torch.save(part, folder / file)
        places = {name: files[name in second] for name in state}
        write(folder / f"{stem}.{ending}.index.json", {"metadata": {}, "weight_map": places})


def check(net: Net, state) -> None:
    assert np.array_equal(net.head.weight.asnumpy(), state["head.weight"].numpy())
    assert np.array_equal(net.norm.gamma.asnumpy(), state["norm.weight"].numpy())
    assert np.array_equal(net.norm.moving_variance.asnumpy(), state["norm.running_var"].numpy())


LAYOUTS = ["safetensors", "bin", "sharded safetensors", "sharded bin"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_folder_of_a_hub(folder, state, layout: str) -> None:
    state["norm.running_var"] += 1
    save(folder, state, layout)
    check(load_pretrained(Net, folder), state)
    given = Net()
    assert load_pretrained(given, str(folder)) is given
    check(given, state)
    other = Net()
    assert load_by_structure(other, folder).complete
    check(other, state)


def test_safetensors_come_before_pickles(folder, state) -> None:
    save(folder, state, "safetensors")
    (folder / "pytorch_model.bin").write_bytes(b"damaged")
    check(load_pretrained(Net, folder), state)


def test_a_function_builds_the_network_by_all_entries(folder, state) -> None:
    save(folder, state, "safetensors")
    write(folder / "config.json", {"hidden": 4, "model_type": "net", "other": 1})
    seen = []

    def build(config):
        seen.append(config)
        return Net(config["hidden"])

    check(load_pretrained(build, folder, config={"other": 2, "more": 3}), state)
    assert seen == [{"hidden": 4, "model_type": "net", "other": 2, "more": 3}]


def test_entries_that_describe_the_file_are_no_arguments(folder, state) -> None:
    save(folder, state, "safetensors")
    described = {"architectures": ["Net"], "torch_dtype": "float32", "_name_or_path": "x/y"}
    write(folder / "config.json", {"width": 8, "model_type": "net", **described})
    check(load_pretrained(Net, folder, config={"width": 4}), state)


def test_values_get_the_types_of_the_network(folder, state) -> None:
    save(folder, {k: v.bfloat16() if v.is_floating_point() else v for k, v in state.items()}, "bin")
    net = load_pretrained(Net, folder)
    assert net.head.weight.dtype == ms.float32
    assert np.array_equal(net.head.bias.asnumpy(), state["head.bias"].bfloat16().float().numpy())


def test_what_does_not_fit_loads_nothing(folder, state) -> None:
    del state["head.bias"]
    save(folder, state, "safetensors")
    net = Net()
    before = net.head.weight.asnumpy().copy()
    with pytest.raises(RuntimeError, match=r"nothing was loaded.*\n[\s\S]*head\.bias"):
        load_pretrained(net, folder)
    assert np.array_equal(net.head.weight.asnumpy(), before)


def test_without_strict_the_rest_is_logged(folder, state, caplog) -> None:
    del state["head.bias"]
    save(folder, state, "safetensors")
    net = Net()
    net.head.bias.set_data(ms.Tensor([5.0, 6.0]))
    caplog.set_level("WARNING", "agar")
    load_pretrained(net, folder, strict=False)
    assert "head.bias" in caplog.records[-1].getMessage()
    assert net.head.bias.asnumpy().tolist() == [5.0, 6.0]
    assert np.array_equal(net.head.weight.asnumpy(), state["head.weight"].numpy())


def test_matches_by_order_alone_are_refused(folder) -> None:
    save(folder, {f"{c}.weight": torch.eye(3) for c in "xy"}, "safetensors")
    net = nn.SequentialCell(nn.Dense(3, 3, has_bias=False), nn.Dense(3, 3, has_bias=False))
    with pytest.raises(RuntimeError, match="certain counterpart"):
        load_pretrained(net, folder)


@pytest.mark.parametrize(
    ("places", "error", "words"),
    [
        ({"a": "../a.safetensors"}, ValueError, "outside of its folder"),
        ({"a": "b.safetensors"}, FileNotFoundError, r"missing: b\.safetensors"),
        ({"a": "model.safetensors.index.json"}, ValueError, "must end with"),
        ({"lost": "c.safetensors"}, ValueError, "1 names of .* are not in the file"),
        ({"a": 3}, ValueError, "no 'weight_map'"),
        ([], ValueError, "no 'weight_map'"),
    ],
)
def test_an_index_that_is_wrong(folder, places, error, words: str) -> None:
    safetensors.torch.save_file({"a": torch.ones(1)}, folder / "c.safetensors")
    write(folder / "model.safetensors.index.json", {"weight_map": places})
    with pytest.raises(error, match=words):
        load_pretrained(Net, folder)


@pytest.mark.parametrize(
    ("net", "options", "error", "words"),
    [
        (3, {}, TypeError, "must be a Cell, a class of cells or a function"),
        (lambda config: 3, {}, TypeError, "must give a Cell, but it gave 3"),
        (dict, {}, TypeError, "must give a Cell"),
        (Net, {"strict": 1}, TypeError, "'strict' must be a bool"),
        (Net, {"config": 3}, TypeError, "'config' must be a mapping"),
        (Net, {"config": {"depth": 3}}, TypeError, "depth"),
        (nn.ReLU(), {"config": {}}, TypeError, "'net' is one already"),
    ],
)
def test_wrong_arguments(folder, state, net, options, error, words: str) -> None:
    save(folder, state, "safetensors")
    with pytest.raises(error, match=words):
        load_pretrained(net, folder, **options)


def test_folders_that_are_incomplete(tmp_path, state) -> None:
    with pytest.raises(FileNotFoundError, match="Nothing is downloaded"):
        load_pretrained(Net, tmp_path / "user/net")
    with pytest.raises(ValueError, match="no checkpoint"):
        load_pretrained(Net(), tmp_path)
    save(tmp_path, state, "safetensors")
    with pytest.raises(FileNotFoundError, match=r"no config\.json"):
        load_pretrained(Net, tmp_path)
    write(tmp_path / "config.json", [1])
    with pytest.raises(ValueError, match="one object"):
        load_pretrained(Net, tmp_path)
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ValueError, match="must be a JSON file"):
        load_pretrained(Net, tmp_path)
