"""What is written is imported before it is called done, and what new layers begin with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from rich.console import Console
from typer.testing import CliRunner

import agar as ms
from agar.cli import app
from agar.migrate import convert
from agar.migrate.conversion import _format, convert_text
from agar.migrate.conversion._importing import check_imports, works_at_import
from agar.migrate.conversion._initial import difference
from agar.migrate.rules import rules
from migrate.test_convert_run import run


def written(folder: Path, files: Mapping[str, str]) -> Path:
    source = folder / "package"
    for name, text in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    return source


FILES = {
    "__init__.py": "from .net import Net\n",
    "net.py": "import torch.nn as nn\nfrom .layers import act\n\n\nclass Net(nn.Module):\n"
    "    def forward(self, x):\n        return act(x)\n",
    "layers.py": "import torch\n\n\ndef act(x):\n    return torch.relu(x)\n",
    "broken.py": "#!/usr/bin/env python\n# coding: utf-8\nimport torch\nx = torch.relu(missing)\n",
    "broken_too.py": "import torch\nfrom .broken import x\ny = torch.relu\n",
    "script.py": "import torch\nfor i in range(9):\n    open(f'{i}.txt', 'w').write('trained')\n",
    "marked.py": "import torch\nmodel = torch.hub.load('a', 'b')\n",
    "used.py": "import torch\nmodel = torch.hub.load('a', 'b').eval()\n",
    "other.py": "import torch\nimport a_module_that_is_not_here\nx = torch.zeros(2)\n",
    "ends.py": "import torch, os\nx = [torch.zeros(2), os._exit(0)]\n",
    "plain.py": "import os\n",
}


@pytest.mark.slow
def test_files_are_imported_before_they_are_called_done(tmp_path: Path) -> None:
    out = tmp_path / "out"
    made = convert(written(tmp_path, FILES), out, target="mindspore")
    found = {Path(f.path).name: f for f in made.files}
    for name in ("net.py", "layers.py"):
        assert found[name].checked == "imported"
    for name in ("broken.py", "broken_too.py", "ends.py"):
        assert found[name].error.startswith("The converted file cannot be imported: ")
        assert not found[name].checked
        assert found[name].by_hand
    assert "NameError: name 'missing' is not defined (line 5)" in found["broken.py"].error
    lines = (out / "broken.py").read_text().splitlines()
    assert lines[0] == "#!/usr/bin/env python"
    assert lines[2].startswith("# agar: by hand: The converted file cannot be imported: NameError")
    assert lines[4] == "x = ops.relu(missing)"
    assert "it works when it is imported (line 1: for i in range(9):)" in found["script.py"].checked
    assert found["marked.py"].checked == "imported"
    assert "is marked" in found["used.py"].checked
    assert "needs a_module_that_is_not_here" in found["other.py"].checked
    assert not found["plain.py"].checked
    assert not list(tmp_path.rglob("*.txt"))
    assert {path for path, _ in made.errors} == {
        str(tmp_path / "package" / n) for n in ("broken.py", "broken_too.py", "ends.py")
    }
    assert json.loads(made.to_json())["files"][0]["checked"] == ""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("import os\n'''text'''\nX = {1: print}\n", ""),
        ("if __name__ == '__main__':\n    train()\n", ""),
        ("if True:\n    class A:\n        pass\nelse:\n    train()\n", "line 5: train()"),
        ("train()\n", "line 1: train()"),
        ("try:\n    import a\nexcept ImportError:\n    a = None\n", ""),
        ("args = parser.parse_args()\n", "line 1: args = parser.parse_args()"),
        ("with open('x') as f:\n    f\n", "line 1: with open('x') as f:"),
        ("import warnings\nwarnings.filterwarnings('ignore')\n", ""),
        ("if __name__ != '__main__':\n    pass\nelse:\n    train()\n", "line 4: train()"),
    ],
)
def test_scripts_are_not_imported(text: str, line: str) -> None:
    assert works_at_import(text) == line


@pytest.mark.slow
def test_importing_has_a_limit_of_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agar.migrate.conversion._importing._LIMIT", 1)
    slow = {"slow.py": "import time\nx = [time.sleep(60)]\n", "quick.py": "x = 1\n"}
    found = check_imports(slow, {"slow.py": "slow", "quick.py": "quick"}, "agar")
    assert found["slow.py"] == ("failed", "it did not end within 1 seconds")
    assert found["quick.py"] == ("imported", "")


@pytest.mark.slow
def test_a_killed_conversion_leaves_nothing(tmp_path: Path) -> None:
    waiting = tmp_path / "waiting"
    code = f"import os, time\nx = [open({str(waiting)!r}, 'w').close(), time.sleep(600)]\n"
    asked = (
        "from agar.migrate.conversion._importing import check_imports\n"
        f"check_imports({{'slow.py': {code!r}}}, {{'slow.py': 'slow'}}, 'agar')\n"
    )
    folder = tmp_path / "temporary"
    folder.mkdir()
    environment = os.environ | {"TMPDIR": str(folder)}
    with subprocess.Popen([sys.executable, "-c", asked], env=environment) as process:
        for _ in range(1200):
            if waiting.exists():
                break
            time.sleep(0.1)
        assert list(folder.iterdir())
        process.kill()
    for _ in range(300):
        if not list(folder.iterdir()):
            return
        time.sleep(0.1)
    raise AssertionError(f"left behind: {list(folder.rglob('*'))}")


def test_a_dry_run_imports_nothing(tmp_path: Path) -> None:
    made = convert(
        written(tmp_path, {"broken.py": FILES["broken.py"]}), tmp_path / "o", dry_run=True
    )
    assert not made.errors
    assert not made.files[0].checked


def test_what_is_not_python_after_conversion_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import agar.migrate.conversion._file as file

    class Broken:
        code = "def ("

    monkeypatch.setattr(file, "rewrite_imports", lambda tree, needs: Broken)
    source = written(tmp_path, {"layers.py": FILES["layers.py"]})
    made = convert(source, tmp_path / "out")
    assert made.files[0].error.startswith("The conversion does not compile: ")
    assert made.files[0].code == FILES["layers.py"]
    assert not made.written
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_the_command_tells_of_failed_files(tmp_path: Path) -> None:
    source = written(tmp_path, {"broken.py": FILES["broken.py"]})
    said = CliRunner().invoke(app, ["migrate", "convert", str(source), "-o", str(tmp_path / "o")])
    assert said.exit_code == 1
    assert "cannot be imported" in " ".join(said.output.split())


# ------------------------------------------------------------------ what layers begin with

BUILDS = {
    "embedding": ("nn.Embedding(400, 60)", 1.0),
    "subclass": ("E(400, 60)", 0.01),
    "attention": ("nn.MultiheadAttention(64, 4)", None),
    "encoder": ("nn.TransformerEncoderLayer(64, 4, 32)", None),
    "whole": ("nn.Transformer(32, 2, 1, 1, 16)", None),
    "value": ("(lambda kind: kind(400, 60))(nn.Embedding)", 1.0),
}


@pytest.mark.parametrize("name", sorted(BUILDS))
def test_init_torch_begins_as_pytorch(name: str, tmp_path: Path) -> None:
    build, deviation = BUILDS[name]
    code = f"import torch.nn as nn\n\n\ndef build():\n    return {build}\n"
    if name == "subclass":
        code = code.replace("\n\n\ndef", "\n\n\nclass E(nn.Embedding):\n    pass\n\n\ndef")
    usual = convert_text(code, target="agar")
    assert any("(--init torch)" in note.text for note in usual.notes)
    result = convert_text(code, target="agar", init="torch")
    assert bool(result.by_hand) == (name == "subclass")
    assert not any("(--init torch)" in n.text for n in result.notes) or name == "subclass"
    cell = run(f"begins_{name}", result.code, tmp_path).build()
    for path, parameter in cell.parameters_and_names():
        if path.endswith("out_proj.bias"):
            assert not parameter.asnumpy().any()
        if path.endswith("embedding_table"):
            assert parameter.asnumpy().std() == pytest.approx(deviation, rel=0.05)


#: big enough for statistics of weights
LAYERS = [
    "Linear(300, 200)", "Bilinear(30, 40, 50)", "Conv1d(32, 48, 5)", "Conv2d(32, 32, 3, groups=4)",
    "Conv3d(8, 16, 3)", "ConvTranspose1d(32, 48, 5)", "ConvTranspose2d(32, 32, 3)",
    "ConvTranspose3d(8, 16, 3)", "Embedding(400, 60)", "Embedding(400, 60, padding_idx=0)",
    "LSTM(60, 80)", "GRU(60, 80)", "RNN(60, 80)", "LSTMCell(60, 80)", "GRUCell(60, 80)",
    "RNNCell(60, 80)", "MultiheadAttention(64, 4)", "MultiheadAttention(64, 4, kdim=32, vdim=16)",
    "TransformerEncoderLayer(64, 4, 128)", "TransformerDecoderLayer(64, 4, 128)",
    "Transformer(32, 2, 1, 1, 64)", "BatchNorm1d(9)", "BatchNorm2d(9)", "LayerNorm(9)",
    "GroupNorm(3, 9)", "InstanceNorm2d(9, affine=True)", "PReLU(5)",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("layer", LAYERS)
def test_layers_begin_with_the_distribution_of_pytorch(layer: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    ms.set_seed(0)
    module = eval(f"torch.nn.{layer}", {"torch": torch})
    code = f"import torch.nn as nn\n\n\ndef build():\n    return nn.{layer}\n"
    made = convert_text(code, target="agar", init="torch")
    cell = run(f"layer_{abs(hash(layer))}", made.code, tmp_path).build()
    expected = sorted(moments(p.detach().numpy()) for p in module.parameters())
    found = [
        moments(p.asnumpy())
        for n, p in cell.parameters_and_names()
        if n.rpartition(".")[2] not in ("moving_mean", "moving_variance")
    ]
    for one, other in zip(sorted(found), expected, strict=True):
        count, deviation, mean = other
        assert one[0] == count
        # five standard errors of what was drawn on either side
        error = 5 * max(deviation, one[1]) * np.sqrt(2 / count)
        assert one[1] == pytest.approx(deviation, abs=error + 1e-6)
        assert one[2] == pytest.approx(mean, abs=error + 1e-6)


def moments(values: Any) -> tuple[int, float, float]:
    """Size, deviation and mean."""
    return int(values.size), round(float(values.std()), 6), round(float(values.mean()), 6)


def test_differences_are_of_layers_in_the_table() -> None:
    targets = {rule.target for rule in rules("module")}
    assert difference("nn.Embedding")
    assert not difference("nn.Dense")
    assert "nn.MultiheadAttention" in targets


def test_unknown_inits_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'init' must be 'mindspore' or 'torch', but got 'keras'"):
        convert_text("", init="keras")
    with pytest.raises(ValueError, match="'init' must be"):
        convert(tmp_path, init="x")


# ------------------------------------------------------------------------------- layout

WIDE = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, kernel_size=3, padding={padding}, bias=False)

    def forward(self, x):
        return torch.nn.functional.interpolate(self.conv(x), scale_factor=2, mode="nearest")
"""


def test_a_formatted_source_becomes_a_formatted_file(tmp_path: Path) -> None:
    (tmp_path / "net.py").write_text(WIDE.format(padding='"same"'))
    made = convert(tmp_path / "net.py", target="agar").files[0]
    assert "'" not in made.code
    assert max(map(len, made.code.splitlines())) <= 100
    assert "        return ops.interpolate(\n            self.conv(x)," in made.code
    # a source with a layout of its own keeps it
    (tmp_path / "own.py").write_text(WIDE.format(padding="'same'"))
    made = convert(tmp_path / "own.py", target="agar").files[0]
    assert "self.conv = nn.Conv2d(channels, channels, kernel_size=3" in made.code


def test_without_a_formatter_the_text_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_format, "_command", lambda: ())
    assert _format.Formatter().formatted("x = 1\n", "x = ( 2 )\n") == "x = ( 2 )\n"
    monkeypatch.setattr(_format, "_command", lambda: ("/gone/formatter", "{}"))
    assert _format.Formatter().formatted("x = 1\n", "x = ( 2 )\n") == "x = ( 2 )\n"


def test_what_is_left_is_counted_by_cause(tmp_path: Path) -> None:
    package = written(
        tmp_path,
        {
            "a.py": "import torch\nx = torch.hub.load('a')\ny = torch.hub.load('b')\n",
            "b.py": "import torch\nx = torch.hub.load('a')\n\n\ndef f(z):\n    z += 1\n\n\n"
            "def g(w):\n    w += 1\n",
        },
    )
    made = convert(package)
    first, second = made.causes
    assert first[0].startswith("torch.hub.load: ")
    assert first[1:] == (3, 2)
    assert second[0].startswith("if a value is a tensor, PyTorch changes the caller's in place")
    assert second[1:] == (2, 1)
    assert made.to_dict()["causes"][0]["places"] == 3
    console = Console(record=True, width=200)
    made.show(console)
    assert "left by hand, by cause" in console.export_text()


FORMATTED = """import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, norm=nn.BatchNorm2d, act=F.gelu):
        super().__init__()
        self.norm, self.act = norm(4), act
        self.conv = nn.Conv2d(3, 4, 3)
        nn.init.kaiming_normal_(self.conv.weight, mode="fan_out")
        nn.init.xavier_uniform_(self.conv.weight)
        nn.init.trunc_normal_(self.conv.weight, std=0.02)
        nn.init.orthogonal_(self.conv.weight)
        nn.init.zeros_(self.conv.bias)
        self.conv.padding = 1

    def forward(self, x, scale):
        x = self.unknown_thing(x).cuda_only()
        return F.interpolate(x, scale_factor=scale)
"""


@pytest.mark.skipif(not _format._command(), reason="no formatter is installed")
@pytest.mark.parametrize("target", ["agar", "mindspore"])
def test_lines_that_no_author_wrote_are_as_the_formatter_writes_them(target: str) -> None:
    assert _format._format(FORMATTED, 88) == FORMATTED
    code = convert_text(FORMATTED, target=target).code
    assert "class _TorchBatchNorm2d" in code
    end = code.index("class Net(")
    assert _format._format(code[:end], 88).rstrip() == code[:end].rstrip()


def test_generators_and_conditions_as_arguments_are_written_plainly() -> None:
    code = convert_text(
        "import torch.nn.functional as F\n\n\n"
        "def f(x, scale):\n    return F.interpolate(x, scale_factor=(1, scale))\n"
    ).code
    assert "scale_factor=tuple(float(s) for s in (1, scale))" in code
