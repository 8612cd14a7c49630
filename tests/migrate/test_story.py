"""The guide's own story: Conv2d without ``pad_mode``, found, explained, repaired by the line."""

from __future__ import annotations

import json
import re
import sys

import pytest
import torch
from typer.testing import CliRunner

import agar as ms
from agar import migrate, nn, ops
from agar.cli import app


class Original(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 8, 4)
        self.bn = torch.nn.BatchNorm2d(8)
        self.drop = torch.nn.Dropout(0.2)

    def forward(self, x):
        return self.drop(torch.relu(self.bn(self.conv1(x))))


class Converted(nn.Cell):
    """By hand, and the defaults of Conv2d were taken for PyTorch's."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 4, has_bias=True)
        self.bn = nn.BatchNorm2d(8)
        self.drop = nn.Dropout(p=0.2)

    def construct(self, x):
        return self.drop(ops.relu(self.bn(self.conv1(x))))


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_the_story(mode):
    torch.manual_seed(0)
    module, cell, x = Original(), Converted(), torch.randn(2, 1, 12, 12)
    report = migrate.check(module, cell, x, sync_weights=True, train=True, mode=mode)
    assert not report.passed
    found = report.first_divergence
    assert (found.path, found.module_path, found.rule) == ("conv1", "conv1", "torch.nn.Conv2d")
    assert "shape (2, 8, 12, 12) against (2, 8, 9, 9)" in found.cause
    assert "pad_mode is 'same' by default" in found.cause
    assert found.line == "self.conv1 = nn.Conv2d(1, 8, 4, pad_mode='pad', has_bias=True)"
    assert found.repaired
    status = {c.path: c.status for c in report.cells}
    assert status == {"": "inherited", "conv1": "different", "bn": "equal", "drop": "equal"}
    assert report.verified == pytest.approx(2 / 3)

    # the line as it stands is the repair
    exec(found.line, {"nn": nn}, {"self": cell})
    report = migrate.check(module, cell, x, sync_weights=True, train=True, mode=mode)
    assert report.passed, report.to_json()
    assert report.first_divergence is None
    assert (report.native, report.verified) == (1.0, 1.0)


BY_HAND = """
import torch, agar as ms
from agar import nn, ops


class Original(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 8, 4)

    def forward(self, x):
        return torch.relu(self.conv1(x))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 4)

    def construct(self, x):
        return ops.relu(self.conv1(x))


def pair():
    torch.manual_seed(0)
    arguments = {"module": Original(), "cell": Net(), "inputs": torch.randn(2, 1, 12, 12)}
    return {**arguments, "sync_weights": True}
"""


def test_the_story_on_the_command_line(tmp_path, monkeypatch):
    """Failing, reading the line, writing it into the file, passing, keeping it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    file = tmp_path / "net.py"
    file.write_text(BY_HAND)
    runner = CliRunner()
    done = runner.invoke(app, ["migrate", "check", "net.py", "--json", "--html", "report.html"])
    assert done.exit_code == 1, done.output
    found = json.loads(done.stdout)["first_divergence"]
    assert found["repaired"] is True
    assert re.search(r"pad_mode|has_bias", found["cause"])
    assert found["line"] in (tmp_path / "report.html").read_text()

    repaired = file.read_text().replace("self.conv1 = nn.Conv2d(1, 8, 4)", found["line"])
    assert repaired != BY_HAND
    file.write_text(repaired)
    done = runner.invoke(app, ["migrate", "check", "net.py", "--train", "--pytest", "test_net.py"])
    assert done.exit_code == 0, done.output
    assert "EQUAL  Original" in done.stdout
    assert (tmp_path / "test_net.py").exists()
