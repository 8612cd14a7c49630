"""The test file that keeps a result: it runs by itself, and fails when a cell changes."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import torch

import agar as ms
from agar import nn
from agar.migrate import check
from agar.migrate.report import frozen
from agar.migrate.result import Report, Subject
from migrate.report_samples import failing, passing

NETS = """
import numpy as np, torch, agar as ms
from agar import nn

class Original(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 4, 3)
        self.fc = torch.nn.Linear(4, 2)
    def forward(self, x, scale=1.0):
        return self.fc(torch.relu(self.conv(x)).mean((2, 3))) * scale

class Migrated(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, pad_mode="pad", has_bias=True)
        self.fc = nn.Dense(4, 2)
    def construct(self, x, scale=1.0):
        return self.fc(ms.ops.relu(self.conv(x)).mean((2, 3))) * scale

def pair():
    torch.manual_seed(3)
    return {
        "module": Original(), "cell": Migrated(), "inputs": torch.randn(2, 1, 6, 6),
        "sync_weights": True,
    }
"""


@pytest.fixture
def nets(tmp_path, monkeypatch):
    (tmp_path / "nets_to_freeze.py").write_text(NETS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "nets_to_freeze", raising=False)
    import nets_to_freeze

    yield nets_to_freeze
    sys.modules.pop("nets_to_freeze", None)


def run(path):
    """Run a test file as its owner would, elsewhere."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["--rootdir", str(path.parent), str(path)]
    return subprocess.run(command, capture_output=True, text=True, cwd=path.parent, check=False)


def failures(path):
    """The tests of a file that fail, run in this process, which is faster."""
    names = runpy.run_path(str(path))
    report = ms.migrate.check(**names["build"]())
    cells = {cell.path: cell for cell in report.cells}
    calls = [("test_cell", (report, cells, p)) for p in names["CELLS"]]
    calls += [("test_network", (report, *place)) for place in names["NETWORK"]]
    calls += [("test_no_other_cell_differs", (cells,)), ("test_native", (report,))]
    calls += [("test_passed", (report,))]
    assert {name for name in names if name.startswith("test_")} == {name for name, _ in calls}
    found = []
    for name, args in calls:
        try:
            names[name](*args)
        except AssertionError as error:
            found.append(f"{name}[{args[-1]}]: {error}")
    return found


def with_subject(report, **changes):
    given = {
        "module": torch.nn.ReLU(),
        "cell": nn.ReLU(),
        "inputs": torch.ones(2),
        "options": {},
        **changes,
    }
    report.subject = Subject(**given)
    return report


@pytest.mark.slow
def test_with_a_reference(nets, tmp_path):
    arguments = nets.pair()
    report = check(**arguments, train=True)
    assert report.passed, report.problems
    report.subject = Subject(
        arguments["module"],
        arguments["cell"],
        arguments["inputs"],
        {"train": True},
        str(tmp_path / "nets_to_freeze.py:pair"),
    )
    path = report.to_pytest(tmp_path / "tests" / "test_kept.py")
    assert list(path.parent.iterdir()) == [path]  # the function builds the inputs
    assert "../nets_to_freeze.py:pair" in path.read_text()
    done = run(path)
    assert done.returncode == 0, done.stdout
    assert failures(path) == []

    source = tmp_path / "nets_to_freeze.py"
    for old, new, test in (
        ('3, pad_mode="pad"', '3, pad_mode="pad", padding=1', "test_cell[conv]"),
        ("nn.Dense(4, 2)", "nn.Dense(4, 2, activation='tanh')", "test_cell[fc]"),
        ("self.fc(ms.ops.relu", "self.fc(ms.ops.gelu", "test_network[output]"),
    ):
        assert old in NETS
        source.write_text(NETS.replace(old, new))
        found = failures(path)
        assert any(line.startswith(test) for line in found), found
        assert any("first divergence" in line for line in found)
    done = run(path)
    assert done.returncode == 1
    assert "first divergence" in done.stdout


def test_with_classes(nets, tmp_path, monkeypatch):
    module, cell = nets.Original(), nets.Migrated()
    inputs = (torch.randn(2, 1, 6, 6), 2.0)
    report = check(module, cell, inputs, sync_weights=True)
    assert report.passed, report.problems
    path = report.to_pytest(tmp_path / "test_kept.py")
    with np.load(tmp_path / "test_kept.npz") as saved:
        assert saved["input_0"].shape == (2, 1, 6, 6)
        np.testing.assert_array_equal(saved["input_0"], inputs[0].numpy())
    assert failures(path) == []
    monkeypatch.setattr(nets, "Migrated", type("Migrated", (nn.ReLU,), {}))
    assert len(failures(path)) > 3


def test_with_from_torch(nets, tmp_path):
    module = nets.Original()
    cell = ms.migrate.from_torch(module)
    report = check(module, cell, torch.randn(2, 1, 6, 6))
    assert report.passed, report.problems
    path = report.to_pytest(tmp_path / "test_kept.py")
    assert "agar.migrate.from_torch(module)" in path.read_text()
    assert failures(path) == []


def test_what_was_not_equal_may_stay_so(tmp_path):
    report = with_subject(failing())
    text, arrays = frozen.render(report, tmp_path / "test_x.py")
    tree = ast.parse(text)
    values = {
        node.targets[0].id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    assert set(ast.literal_eval(values["NOT_EQUAL"])) == {
        "",
        "conv1",
        "norm",
        "head",
        "spare",
        "odd",
    }
    assert ast.literal_eval(values["CELLS"]).keys() == {"block"}
    assert ast.literal_eval(values["PASSED"]) is False
    assert list(arrays) == ["input_0"]


def local_class():
    class Local(torch.nn.Module): ...

    return Local()


def test_what_cannot_be_frozen_is_said_all_at_once(tmp_path):
    report = with_subject(
        passing(),
        module=local_class(),
        cell=nn.Dense(2, 3),
        inputs={"x": torch.ones(2), "fn": lambda x: x, "odd": object()},
        options={"loss": lambda out: out.sum(), "train": True},
    )
    with pytest.raises(ValueError, match="cannot be frozen as it stands") as caught:
        report.to_pytest(tmp_path / "test_x.py")
    text = str(caught.value)
    for part in (
        "local_class.<locals>.Local is defined inside a function",
        "the cell: Dense() cannot be built without arguments",
        "the inputs['fn']: a lambda has no name",
        "the inputs['odd']: a object cannot be written",
        "the argument 'loss': a lambda",
        "pair='file.py:function'",
    ):
        assert part in text, part
    assert list(tmp_path.iterdir()) == []


def test_other_weights_than_the_class_draws(tmp_path):
    report = with_subject(passing(), module=torch.nn.Sequential(torch.nn.Linear(2, 2)))
    with pytest.raises(ValueError, match="has other weights than the one that was checked"):
        report.to_pytest(tmp_path / "test_x.py")


def test_reports_that_know_nothing(tmp_path):
    with pytest.raises(ValueError, match="does not know the networks any more"):
        passing().to_pytest(tmp_path / "test_x.py")
    with pytest.raises(ValueError, match="nothing was compared"):
        Report("Net", "PYNATIVE_MODE").to_pytest(tmp_path / "test_x.py")
    with pytest.raises(ValueError, match=r"there is no file 'gone\.py'"):
        with_subject(passing()).to_pytest(tmp_path / "test_x.py", pair="gone.py")


def test_optimizers_are_written_as_calls():
    arrays = frozen._Arrays("module")
    refused = []
    weight = torch.nn.Parameter(torch.ones(1))
    code = arrays.code(torch.optim.SGD([weight], lr=0.5, momentum=0.9), "o", refused)
    assert code.startswith("imported('torch.optim.sgd', 'SGD')(module.parameters(), lr=0.5, ")
    assert "momentum=0.9" in code
    assert refused == []
    groups = [{"params": [weight]}, {"params": [torch.nn.Parameter(torch.ones(1))]}]
    arrays.code(torch.optim.SGD(groups, lr=0.5), "the argument 'optimizer'", refused)
    assert refused == ["the argument 'optimizer': a SGD with 2 groups of parameters"]


def test_values_come_back(tmp_path):
    """What is written as code, and what lies in the file beside it, are the same values again."""
    inputs = (
        torch.arange(3, dtype=torch.int64),
        torch.tensor([1.5], dtype=torch.bfloat16),
        ms.Tensor([1.0, 2.0]),
        np.float64([[1, 2]]),
        {"mask": torch.tensor(True), "scale": float("inf"), "name": "a'b\n", "none": None},
        [1, (2,), torch.float16, torch.nn.ReLU],
        torch.randn(3, dtype=torch.complex64).conj(),
    )
    arrays = frozen._Arrays("module")
    refused = []
    code = arrays.code(inputs, "the inputs", refused)
    assert refused == []
    np.savez(tmp_path / "a.npz", allow_pickle=False, **arrays.values)
    names = {"ARRAYS": tmp_path / "a.npz", "np": np, "torch": torch, "agar": ms}
    exec(
        textwrap.dedent("import importlib\n" + "\n".join(frozen._helpers(arrays))),
        names,
    )
    again = eval(code, names)
    assert torch.equal(again[0], inputs[0])
    assert again[0].dtype is torch.int64
    assert torch.equal(again[1], inputs[1])
    assert again[1].dtype is torch.bfloat16
    assert isinstance(again[2], ms.Tensor)
    np.testing.assert_array_equal(again[2].asnumpy(), inputs[2].asnumpy())
    assert isinstance(again[3], np.ndarray)
    assert again[3].dtype == np.float64
    assert bool(again[4]["mask"]) is True
    assert {k: v for k, v in again[4].items() if k != "mask"} == {
        "scale": float("inf"),
        "name": "a'b\n",
        "none": None,
    }
    assert again[5] == inputs[5]
    assert torch.equal(again[6], inputs[6].resolve_conj())


def test_hostile_names_stay_text(tmp_path):
    report = with_subject(passing())
    name = '"""\nimport os\nos.abort()\n\\ \U0001f600 \ud800'
    report.name = name
    report.cells[2].path = name
    report.cells[3].status, report.cells[3].reason = "different", name
    path = report.to_pytest(tmp_path / "test_x.py")
    tree = ast.parse(path.read_text())
    assert not any(
        isinstance(node, ast.Import) and node.names[0].name == "os" for node in ast.walk(tree)
    )
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert name in strings
    assert f"different: {name}" in strings
