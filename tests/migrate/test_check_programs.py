"""`agar migrate check --train script.py`: what it prints, and with which exit code it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from migrate.test_commands import PAIRS, call

TRAINING = """
import torch

torch.manual_seed(0)
net = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = net(torch.rand(4, 2)).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(f"loss {loss.item():.6f}")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.py").write_text(PAIRS)
    return tmp_path


def test_check_of_a_training_program(folder: Path) -> None:
    (folder / "train.py").write_text(TRAINING)
    done = call("check", "--train", "train.py")
    assert done.exit_code == 0, done.output
    assert "original, PyTorch" in done.output
    assert "converted, agar" in done.output
    assert "equal" in done.output
    done = call("check", "--train", "train.py", "--json")
    found = json.loads(done.stdout)
    assert found["passed"]
    assert found["lines"] == 3


def test_check_of_a_training_program_that_differs(folder: Path) -> None:
    (folder / "train.py").write_text(TRAINING.replace("0.1)", "0.1 + ('agar' in str(type(net))))"))
    done = call("check", "--train", "train.py")
    assert done.exit_code == 1
    assert "the first line that differs is 2:" in done.output
    marked = TRAINING.replace(
        "optimizer.step()\n", "net.weight.grad.mul_(2)\n    optimizer.step()\n"
    )
    (folder / "marked.py").write_text(marked)
    done = call("check", "--train", "marked.py")
    assert done.exit_code == 1
    assert "stopped" in done.output
    assert "by hand, line 7: " in done.output


def test_check_knows_programs_from_pairs(folder: Path) -> None:
    (folder / "train.py").write_text(TRAINING)
    for args in (
        ["train.py"],
        ["--target", "mindspore", "pairs.py"],
        ["--arguments", "x", "pairs.py"],
    ):
        done = call("check", *args)
        assert done.exit_code == 2
        assert "--train" in done.output
    done = call("check", "--train", "train.py", "--python", "python")
    assert done.exit_code == 2
    assert "target='mindspore'" in done.output
