"""The scan of a source tree: what it finds, and that it swallows nothing."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from agar.migrate import scan

CODE = """\
import torch
import torch.nn as nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.act = nn.ReLU()
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        x = F.relu(self.conv(x))
        return self.fc(x.view(x.size(0), -1))


state = torch.hub.load("a", "b")
value = torch.nothing_of_this_name(1)
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "net.py").write_text(CODE)
    (tmp_path / "plain.py").write_text("import os\nprint(os.sep)\n")
    (tmp_path / "broken.py").write_text("def f(:\n")
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "old.py").write_text("import torch\ntorch.ones(1)\n")
    return tmp_path


def test_calls_have_lines_names_and_counterparts(tree: Path) -> None:
    result = scan(tree / "net.py")
    found = {(c.line, c.name): c for c in result.calls}
    assert found[9, "torch.nn.Conv2d"].counterpart == "nn.Conv2d"
    assert any("pad_mode" in d for d in found[9, "torch.nn.Conv2d"].differences)
    assert found[9, "torch.nn.Conv2d"].status == "differs"
    assert found[10, "torch.nn.ReLU"].status == "same"
    assert found[14, "torch.nn.functional.relu"].counterpart == "ops.relu"
    assert found[15, "torch.Tensor.size"].becomes == "x.shape[0]"
    assert found[18, "torch.hub.load"].status in ("by hand", "unknown")
    assert found[18, "torch.hub.load"].code == 'torch.hub.load("a", "b")'
    assert found[19, "torch.nothing_of_this_name"].status == "unknown"


def test_totals_and_names(tree: Path) -> None:
    result = scan(tree)
    assert sum(result.totals.values()) == len(result.calls)
    assert list(result.totals) == ["same", "renamed", "differs", "by hand", "unknown"]
    assert result.names["torch.nn.Conv2d"] == 1
    assert {c.line for c in result.by_hand} == {18, 19}


def test_files_that_are_no_python_are_listed(tree: Path) -> None:
    result = scan(tree)
    assert [Path(f).name for f in result.files] == ["broken.py", "net.py", "plain.py"]
    assert [Path(f).name for f, _ in result.errors] == ["broken.py"]
    assert "no Python" in result.errors[0][1]


def test_a_file_of_another_encoding_is_listed(tmp_path: Path) -> None:
    (tmp_path / "latin.py").write_bytes(b"import torch\nx = '\xe9'\n")
    ((_, reason),) = scan(tmp_path).errors
    assert "cannot be read" in reason


def test_the_result_as_data_and_as_a_table(tree: Path) -> None:
    from rich.console import Console

    result = scan(tree)
    data = json.loads(result.to_json())
    assert data["totals"] == result.totals
    assert len(data["calls"]) == len(result.calls)
    assert data["errors"][0]["file"].endswith("broken.py")
    out = io.StringIO()
    result.show(Console(file=out, width=200))
    text = out.getvalue()
    assert "torch.nn.Conv2d" in text
    assert "net.py:18" in text
    assert "broken.py" in text


def test_paths_that_do_not_exist_or_are_no_python(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        scan(tmp_path / "nowhere")
    (tmp_path / "a.txt").write_text("")
    with pytest.raises(ValueError, match="no Python file"):
        scan(tmp_path / "a.txt")
