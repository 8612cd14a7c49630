"""Checkpoints whose parameters are multiplied or mixed; figures observed in MindSpore 2.10."""

from __future__ import annotations

import numpy as np
import pytest

import agar as ms
from agar import nn


class Pair(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Dense(2, 2, "ones", "ones")
        self.fc2 = nn.Dense(2, 2, "ones", "ones")


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.backbone = Pair()
        self.fc1 = nn.Dense(2, 2, "ones", "ones")
        self.blocks = nn.CellList([Pair(), Pair()])


def _obfuscated(folder, **options):
    """What is returned, and the parameters that are no longer one."""
    (folder / "in" / "part").mkdir(parents=True)
    (folder / "out").mkdir()
    net = Net()
    for name in ("a.ckpt", "part/b.ckpt"):
        ms.save_checkpoint(net, str(folder / "in" / name))
    key = ms.obfuscate_ckpt(net, str(folder / "in"), saved_path=str(folder / "out"), **options)
    files = [ms.load_checkpoint(str(folder / "out" / n)) for n in ("a_obf.ckpt", "part/b_obf.ckpt")]
    values = [{name: p.asnumpy() for name, p in file.items()} for file in files]
    for name, value in values[0].items():
        assert (value == values[1][name]).all()
    return key, {name: value for name, value in values[0].items() if (value != 1).any()}


def test_cells_are_multiplied_by_one_number(tmp_path):
    np.random.seed(1)
    key, changed = _obfuscated(tmp_path, target_modules=["backbone", "fc1|fc2"])
    assert list(key) == ["obf_metadata"]
    assert key["obf_metadata"].dtype == np.float16
    names = {f"backbone.{cell}.{part}" for cell in ("fc1", "fc2") for part in ("weight", "bias")}
    assert set(changed) == names
    for value in changed.values():
        assert np.allclose(value * key["obf_metadata"], 1, atol=1e-2)


@pytest.mark.parametrize("targets", [["", "fc1"], ["blocks", "fc1", "obfuscate_layers:all"]])
def test_some_targets_change_nothing_as_observed(tmp_path, targets):
    key, changed = _obfuscated(tmp_path, target_modules=targets)
    assert key["obf_metadata"].shape == (1,)
    assert changed == {}


def test_a_configuration_says_what_is_done(tmp_path):
    np.random.seed(3)
    config = {
        "obf_metadata_config": [
            {"name": "obf_metadata", "shape": [2], "type": "rearrange", "save_metadata": True},
            {
                "name": "obf_metadata_${layer}",
                "shape": [2, 2],
                "type": "random",
                "save_metadata": True,
                "layers": [0, 1],
            },
        ],
        "weight_obf_config": [
            {
                "target": "backbone/fc1/bias",
                "weight_obf_ops": [
                    {"name": "mul", "input_x": "weight", "input_y": "obf_metadata"},
                    {"name": "permuate", "input_x": "obf_metadata", "input_y": ""},
                ],
            },
            {
                "target": "blocks/${layer}/fc1/weight",
                "layers": [0, 1],
                "weight_obf_ops": [
                    {
                        "name": "matmul",
                        "input_x": "obf_metadata_${layer}",
                        "input_y": "weight",
                        "transpose_b": True,
                    }
                ],
            },
        ],
    }
    key, changed = _obfuscated(tmp_path, obf_config=config)
    assert set(key) == {"obf_metadata", "obf_metadata_0", "obf_metadata_1"}
    order = key["obf_metadata"]
    assert changed.pop("backbone.fc1.bias").tolist() == order[order].tolist()
    for layer in (0, 1):
        sums = key[f"obf_metadata_{layer}"].astype(np.float32) @ np.ones((2, 2), np.float32)
        assert (changed.pop(f"blocks.{layer}.fc1.weight") == sums).all()
    assert changed == {}


def test_the_network_is_given_back():
    net = Net()
    assert ms.load_obf_params_into_net(net, ["blocks/fc1", "weight"]) is net
    with pytest.raises(ValueError, match="data_parallel_num"):
        ms.load_obf_params_into_net(net, ["backbone", "fc1"], data_parallel_num=0)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({}, TypeError, "target_modules"),
        ({"target_modules": ["backbone"]}, ValueError, "at least two"),
        ({"target_modules": ["nothing", "fc1"]}, ValueError, "'nothing' does not exist"),
        ({"target_modules": ["backbone", "other"]}, ValueError, "all targets"),
        ({"target_modules": ["backbone", "a-b"]}, ValueError, "letters"),
        ({"target_modules": ["backbone", "fc1", "all"]}, ValueError, "obfuscate_layers"),
        ({"target_modules": ["backbone", "fc1"], "obfuscate_scale": 1}, ValueError, "scale"),
        ({"obf_config": {}}, ValueError, "empty"),
        ({"obf_config": {"other": []}}, TypeError, "other"),
        (
            {"obf_config": {"obf_metadata_config": [], "weight_obf_config": [{"target": ""}]}},
            TypeError,
            "target",
        ),
    ],
)
def test_wrong_arguments(tmp_path, options, error, message):
    with pytest.raises(error, match=message):
        ms.obfuscate_ckpt(Net(), str(tmp_path), saved_path=str(tmp_path), **options)


def test_folders_must_exist(tmp_path):
    with pytest.raises(ValueError, match="does not exist"):
        ms.obfuscate_ckpt(Net(), str(tmp_path / "none"), ["backbone", "fc1"])
