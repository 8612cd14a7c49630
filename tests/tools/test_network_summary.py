"""`agar.summary`: the numbers against PyTorch's and against pencil and paper."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
import torch
from rich.console import Console
from torch.utils.flop_counter import FlopCounterMode

import agar as ms
from agar import nn, ops
from agar.tools.network_summary import summary


class Block(nn.Cell):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, has_bias=True)
        self.bn = nn.BatchNorm2d(channels)
        self.act = nn.ReLU()
        self.unused = nn.Dense(7, 7)

    def construct(self, x):
        return x + self.act(self.bn(self.conv(x)))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, has_bias=True)
        self.block = Block(8)
        self.head = nn.Dense(8, 5)
        self.head.bias.requires_grad = False

    def construct(self, x):
        x = self.block(self.block(self.stem(x)))
        return {"logits": self.head(x.mean((2, 3))), "features": (x, 1)}


def rows(found):
    return {row.path: row for row in found.cells}


def test_tree_shapes_and_parameters():
    result = summary(Net(), ops.ones((2, 3, 8, 8)), show=False)
    by = rows(result)
    assert list(by) == [
        *("", "stem", "block", "block.conv", "block.bn", "block.act", "block.unused", "head")
    ]
    assert [row.depth for row in result.cells] == [0, 1, 1, 2, 2, 2, 2, 1]
    assert by["stem"].inputs == [(2, 3, 8, 8)]
    assert by["stem"].outputs == [(2, 8, 8, 8)]
    assert by[""].outputs == [(2, 5), (2, 8, 8, 8)]
    assert by["block"].calls == 2
    assert by["block.unused"].calls == 0
    assert by["block.unused"].outputs == []
    conv = 8 * 8 * 9 + 8
    assert by["block.conv"].parameters == conv
    assert by["block"].parameters == 0
    assert by["block"].total == conv + 4 * 8 + 7 * 7 + 7
    assert by["block.bn"].trainable == 2 * 8  # the moving statistics are not
    assert by["head"].trainable == 8 * 5
    assert result.parameters == sum(p.size for p in Net().get_parameters()) == by[""].total
    assert result.trainable == result.parameters - 2 * 8 - 5
    assert result.parameter_bytes == 4 * result.parameters


def test_flops_are_those_of_torch():
    result = rows(summary(Net(), ops.ones((2, 3, 8, 8)), show=False))
    place = 2 * 8 * 8  # batch, height, width
    assert result["stem"].flops == 2 * place * 8 * 3 * 9
    assert result["block.conv"].flops == 2 * 2 * place * 8 * 8 * 9  # called twice
    assert result["block"].flops == result["block.conv"].flops
    assert result["head"].flops == 2 * 2 * 8 * 5
    assert result[""].flops == result["stem"].flops + result["block"].flops + result["head"].flops

    layer = torch.nn.TransformerEncoderLayer(16, 4, 32, batch_first=True).train()
    x = torch.randn(2, 5, 16)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        layer(x)
    cell = nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
    assert summary(cell, ms.from_torch(x), show=False).flops == counter.get_total_flops()


def test_flops_of_recurrent_layers():
    steps, batch, features, hidden = 5, 3, 4, 6
    cell = nn.LSTM(features, hidden, num_layers=2, bidirectional=True)
    result = summary(cell, ops.ones((steps, batch, features)), show=False)
    first = 2 * steps * batch * 4 * hidden * (features + hidden)
    second = 2 * steps * batch * 4 * hidden * (2 * hidden + hidden)
    assert result.flops == 2 * (first + second)


def test_memory_counts_each_storage_once():
    net = nn.SequentialCell(nn.Dense(4, 8), nn.Identity(), nn.Flatten(), nn.ReLU())
    result = summary(net, ops.ones((2, 4)), show=False)
    assert result.memory == 2 * (2 * 8 * 4)  # Identity and Flatten return what they get
    by = rows(result)
    assert (by["0"].memory, by["1"].memory, by["3"].memory) == (64, 0, 64)


def test_nothing_is_changed():
    net = Net()
    net.set_train()
    net.block.bn.set_train(False)
    before = {p.name: p.asnumpy().copy() for p in net.get_parameters()}
    mode = ms.get_context("mode")
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        summary(net, np.ones((2, 3, 8, 8), np.float32), show=False)
        assert ms.get_context("mode") == ms.GRAPH_MODE
    finally:
        ms.set_context(mode=mode)
    assert net.training
    assert net.stem.training
    assert not net.block.bn.training
    for p in net.get_parameters():
        np.testing.assert_array_equal(p.asnumpy(), before[p.name])
    assert not net.stem._forward_hooks
    assert not net.stem._forward_pre_hooks


def test_an_error_in_the_network_leaves_no_hooks():
    net = Net()
    net.set_train()
    with pytest.raises((ValueError, RuntimeError, TypeError)):
        summary(net, ops.ones((2, 4, 8, 8)))
    assert net.training
    assert not net.stem._forward_hooks


def test_shared_cells_and_parameters_count_once():
    shared = nn.Dense(4, 4)
    net = nn.CellList([shared, shared, nn.Dense(4, 4)])
    net[2].weight = shared.weight
    result = summary(net, show=False)
    assert result.parameters == 4 * 4 + 4 + 4
    assert [row.path for row in result.cells] == ["", "0", "2"]
    assert result.flops is None
    assert result.memory is None


def test_torch_cells():
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU())
    result = summary(ms.TorchCell(module), ops.ones((2, 3)), show=False)
    assert result.parameters == 16
    assert result.flops == 2 * 2 * 3 * 4


@pytest.mark.parametrize("width", [40, 80, 160])
def test_the_table(width):
    result = summary(Net(), ops.ones((2, 3, 8, 8)), show=False)
    out = Console(width=width, file=io.StringIO())
    result.show(out)
    text = out.file.getvalue()
    assert max(map(len, text.splitlines())) <= width
    assert "parameters: 941 (920 trainable, 21 not), 3.7 kB" in " ".join(text.split())
    if width == 160:
        assert "│  └─ unused" in text
        assert "not called" in text
        assert "Block x2" in text


def test_depth_and_print(capsys):
    result = summary(Net(), ops.ones((2, 3, 8, 8)), depth=1)
    text = capsys.readouterr().out
    assert "block" in text
    assert "conv" not in text.replace("Conv2d", "")
    assert "unused" in str(result)
    assert json.loads(result.to_json())["cells"][1]["outputs"] == [[2, 8, 8, 8]]
    summary(nn.ReLU())
    assert "parameters: 0" in capsys.readouterr().out


def test_bad_arguments():
    with pytest.raises(TypeError, match="'cell' must be a Cell"):
        summary(torch.nn.ReLU())
    with pytest.raises(ValueError, match="'depth' must be at least 0"):
        summary(nn.ReLU(), depth=-1)
