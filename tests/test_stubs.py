"""What type checkers and editors see: the stub files are current, and mistakes are found."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _writer():
    spec = importlib.util.spec_from_file_location("stubs", ROOT / "scripts" / "stubs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_stubs_are_current():
    written = _writer().stubs()
    stale = [
        path.name for path, text in written.items() if path.read_text(encoding="utf-8") != text
    ]
    assert not stale, "signatures or documentation changed: make stubs"


# Each line with what the checker must say of it; None: nothing.
LINES = [
    ("x = ms.Tensor([1.0, 2.0])", None),
    ("n: ms.Tensor = ops.relu(x) + 1 - x * x[0]", None),
    ("n = 2 / x.sum().reshape(1, -1)", None),
    ("n = ops.conv2d(x, x, stride=(1, 2), pad_mode='same')", None),
    ("n = ops.Conv2D(3, (1, 1), pad_mode='same')(x, x)", None),
    ("n = mint.sum(x, dim=0, keepdim=True)", None),
    ("n = mint.nn.functional.relu(x).T", None),
    ("n = ms.numpy.sin(x)", None),
    ("values, places = ops.topk(x, 1)", None),
    ("w = ms.Parameter(x, name='w')", None),
    ("array = w.value().mean(axis=0).asnumpy()", None),
    ("net = nn.Dense(2, 3)", None),
    ("n = ms.grad(lambda v: v.sum())(x)", None),
    ("ops.rellu(x)", "rellu"),
    ("mint.summ(x)", "summ"),
    ("nn.Densee(2, 3)", "Densee"),
    ("ms.Tensr([1.0])", "Tensr"),
    ("x.meen()", "meen"),
    ("ops.softmax(x, dim=0)", "dim"),
    ("mint.sum(x, axis=0)", "axis"),
    ("x.sum(axes=0)", "axes"),
    ("ms.Parameter(x, nam='w')", "nam"),
    ("ops.conv2d(x, 'weight')", "weight"),
    ("mint.nn.functional.relu('a')", "relu"),
    ("ops.Conv2D(3)", "kernel_size"),
    ("i: int = x + 1", "int"),
    ("s: str = x.sum()", "str"),
]


def test_a_type_checker_finds_mistakes_and_nothing_else(tmp_path):
    pytest.importorskip("basedpyright")
    head = ["import agar as ms", "from agar import mint, nn, ops"]
    program = tmp_path / "program.py"
    program.write_text("\n".join([*head, *(line for line, _ in LINES)]) + "\n")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT / "src")]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "-p", str(tmp_path)]
    command += ["--pythonpath", sys.executable]
    result = subprocess.run(command, capture_output=True, text=True)
    said: dict[int, str] = {}
    for message in json.loads(result.stdout)["generalDiagnostics"]:
        if message["severity"] == "error":
            line = message["range"]["start"]["line"] - len(head)
            said[line] = said.get(line, "") + message["message"]
    for number, (line, telling) in enumerate(LINES):
        if telling is None:
            assert number not in said, f"{line}: {said[number]}"
        else:
            assert telling in said.get(number, ""), f"{line}: {said.get(number)}"
