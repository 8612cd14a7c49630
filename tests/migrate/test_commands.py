"""`agar migrate ...`: what it prints, and with which exit code it ends."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import forked
from agar.cli import app

PAIRS = '''
import torch, agar as ms
from agar import nn


class Original(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(1, 4, 3)
        self.act = torch.nn.ReLU()

    def forward(self, x):
        return self.act(self.conv(x))


class Migrated(nn.Cell):
    def __init__(self, **options):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, has_bias=True, **options)
        self.act = nn.ReLU()

    def construct(self, x):
        return self.act(self.conv(x))


def pair():
    """Converted well."""
    torch.manual_seed(0)
    return Original(), Migrated(pad_mode="pad"), torch.randn(2, 1, 8, 8)


def wrong():
    """As it is often converted."""
    torch.manual_seed(0)
    return Original(), Migrated(), torch.randn(2, 1, 8, 8)


def raises():
    raise OSError("the weights are not here")


def bad():
    return Original(), Original(), torch.randn(2, 1, 8, 8)
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "pairs.py").write_text(PAIRS)
    return tmp_path


def call(*args):
    return CliRunner().invoke(app, ["migrate", *args], catch_exceptions=False)


def agar(*args, cwd):
    code = "import runpy; runpy.run_module('agar', run_name='__main__', alter_sys=True)"
    return forked.run(code, "migrate", *args, cwd=cwd)


def test_help():
    done = call("--help")
    assert done.exit_code == 0
    for command in ("scan", "convert", "check", "weights", "rules"):
        assert command in done.output
    for command in ("scan", "convert", "check", "weights", "rules", "show"):
        assert call(command, "--help").exit_code == 0


# -------------------------------------------------------------------------------------- check


def test_check_equal_and_different(folder):
    done = call("check", "pairs.py", "--sync-weights")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("EQUAL  Original")
    done = call("check", "pairs.py:wrong", "--sync-weights")
    assert done.exit_code == 1
    assert "first divergence: conv" in done.stdout
    assert "pad_mode" in done.stdout


def test_check_files_and_json(folder):
    done = call(
        *("check", "pairs.py", "--sync-weights", "--json", "--train"),
        *("--html", "out/page.html", "--pytest", "test_kept.py"),
    )
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["passed"] is True
    assert data["verified"] == 1.0
    assert (folder / "out" / "page.html").read_text().startswith("<!doctype html>")
    kept = (folder / "test_kept.py").read_text()
    assert "pairs.py:pair" in kept
    assert "arguments['train'] = True" in kept
    assert "written: test_kept.py" in done.stderr


def test_check_options_reach_check(folder, monkeypatch):
    import agar as ms
    from agar import migrate
    from migrate.report_samples import passing

    seen = {}

    def stand_in(**arguments):
        seen.update(arguments)
        arguments["progress"]("original", 1, 2)
        return passing()

    monkeypatch.setattr(migrate, "check", stand_in)
    done = call(
        *("check", "pairs.py", "--mode", "graph", "--no-train", "--steps", "3", "--exact"),
        *("--optimizer", "SGD(lr=0.5, momentum=0.9)", "--dtype", "float16", "--dtype", "bfloat16"),
        *("--tolerance", "0.25", "--seed", "7", "--no-sync-weights"),
    )
    assert done.exit_code == 0, done.output
    del seen["progress"], seen["inputs"], seen["cell"]
    optimizer = seen.pop("optimizer")
    assert list(seen.pop("module").parameters()) == optimizer.param_groups[0]["params"]
    assert (optimizer.defaults["lr"], optimizer.defaults["momentum"]) == (0.5, 0.9)
    assert seen == {
        "mode": ms.GRAPH_MODE,
        "train": False,
        "steps": 3,
        "exact": True,
        "dtypes": ("float16", "bfloat16"),
        "tolerance": 0.25,
        "seed": 7,
        "sync_weights": False,
    }
    # what is not asked for is left to the function and to check's own defaults
    seen.clear()
    call("check", "pairs.py")
    assert set(seen) == {"module", "cell", "inputs", "progress"}


def test_check_min_native(folder, monkeypatch):
    from agar import migrate
    from migrate.report_samples import passing

    report = passing()
    report.cells[2].native = False
    monkeypatch.setattr(migrate, "check", lambda **arguments: report)
    assert call("check", "pairs.py").exit_code == 0
    assert call("check", "pairs.py", "--min-native", "0.5").exit_code == 0
    done = call("check", "pairs.py", "--min-native", "0.9")
    assert done.exit_code == 1
    assert "native is 0.667, less than --min-native 0.9" in done.stderr


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["gone.py"], "there is no file 'gone.py'"),
        (["pairs.py:nothing"], "there is no function 'nothing'; it has pair, wrong, raises, bad"),
        (["pairs.py:raises"], "raises() raised OSError: the weights are not here"),
        (["pairs.py:bad"], "'cell' must be a Cell"),
        (["pairs.py", "--mode", "fast"], "--mode must be pynative or graph, got 'fast'"),
        (["pairs.py", "--optimizer", "SGD(0.1)"], "--optimizer must be a call such as"),
        (["pairs.py", "--optimizer", "Optimal(lr=1)"], "torch.optim has no 'Optimal'"),
        (["pairs.py", "--dtype", "int8"], "'float16' and 'bfloat16', got 'int8'"),
    ],
)
def test_bad_input_ends_with_2_and_a_sentence(folder, args, words):
    done = call("check", *args)
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert words in " ".join(done.stderr.split())
    done = call("check", *args, "--json")
    assert done.exit_code == 2
    assert words in json.loads(done.stdout)["error"]


def test_surprises_end_with_2_too(folder, monkeypatch):
    from agar import migrate

    def fails(**arguments):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(migrate, "check", fails)
    done = call("check", "pairs.py")
    assert done.exit_code == 2
    assert "error: RuntimeError: out of memory" in done.stderr
    assert "Traceback" in done.stderr


@pytest.mark.slow
def test_exit_codes_of_real_processes(folder):
    (folder / "net.py").write_text("import torch\ntorch.a_function_of_nobody(1)\n")
    assert agar("check", "pairs.py", "--sync-weights", cwd=folder).returncode == 0
    done = agar("check", "pairs.py:wrong", "--sync-weights", "--json", cwd=folder)
    assert done.returncode == 1
    assert json.loads(done.stdout)["first_divergence"]["path"] == "conv"
    assert done.stderr == ""  # no progress where there is no terminal
    done = agar("check", "gone.py", cwd=folder)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    command = [sys.executable, "-m", "agar", "migrate", "scan", "net.py"]
    done = subprocess.run(command, capture_output=True, cwd=folder, check=False)
    assert done.returncode == 1


def test_wrong_use_ends_with_2():
    assert call("check").exit_code == 2
    assert call("nonsense").exit_code == 2
    assert call("check", "pairs.py", "--nonsense").exit_code == 2


# --------------------------------------------------------------------------------------- rules


def test_rules_one_row():
    for name in ("torch.nn.Conv2d", "nn.Conv2d", "Conv2d"):
        done = call("rules", name)
        assert done.exit_code == 0
        assert "torch.nn.Conv2d(in_channels" in done.stdout
        assert "pad_mode" in done.stdout
    data = json.loads(call("rules", "Conv2d", "--json").stdout)
    assert [row["source"] for row in data] == ["torch.nn.Conv2d"]
    assert data[0]["target"] == "nn.Conv2d"
    assert data[0]["kind"] == "module"


def test_rules_all_and_by_kind():
    data = json.loads(call("rules", "--json").stdout)
    assert len(data) == len({row["source"] for row in data})
    assert len(data) > 100
    modules = json.loads(call("rules", "--kind", "module", "--json").stdout)
    assert {row["kind"] for row in modules} == {"module"}
    assert 0 < len(modules) < len(data)
    table = call("rules", "--kind", "module").stdout
    assert f"{len(modules)} rules" in table


def test_rules_unknown_names():
    done = call("rules", "Conv2dd")
    assert done.exit_code == 2
    assert "there is no rule for 'Conv2dd'; did you mean Conv2d" in done.stderr
    done = call("rules", "--kind", "thing")
    assert done.exit_code == 2
    assert "--kind must be one of" in done.stderr


# ---------------------------------------------------------------------------------------- show


def test_show_a_saved_report(folder):
    from migrate.report_samples import failing, passing

    failing().to_json("wrong.json")
    passing().to_json("good.json")
    done = call("show", "wrong.json", "--html", "page.html")
    assert done.exit_code == 1
    assert "first divergence: conv1" in done.stdout
    assert "inf" in done.stdout
    assert (folder / "page.html").exists()
    assert call("show", "good.json").exit_code == 0
    assert json.loads(call("show", "good.json", "--json").stdout)["passed"] is True
    (folder / "cut.json").write_text('{"name": ')
    (folder / "other.json").write_text('{"name": 1}')
    for name, words in (
        ("gone.json", "there is no file"),
        ("cut.json", "is no JSON"),
        ("other.json", "is no report of agar migrate check"),
    ):
        done = call("show", name)
        assert done.exit_code == 2
        assert words in done.stderr


# ---------------------------------------------------------------------------- scan and convert

SOURCE = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)  # kept

    def forward(self, x):
        return torch.relu(self.fc(x))
"""
HARD = (
    SOURCE
    + """

odd = torch.a_function_of_nobody(Net())
"""
)


def test_scan(folder):
    (folder / "net.py").write_text(SOURCE)
    done = call("scan", "net.py")
    assert done.exit_code == 0, done.output
    assert "torch.nn.Linear" in done.stdout
    assert "nn.Dense" in done.stdout
    data = json.loads(call("scan", "net.py", "--json").stdout)
    assert {"torch.nn.Linear", "torch.relu"} <= {c["name"] for c in data["calls"]}
    (folder / "hard.py").write_text(HARD)
    assert call("scan", ".").exit_code == 1
    totals = json.loads(call("scan", "hard.py", "--json").stdout)["totals"]
    assert totals["by hand"] + totals["unknown"] == 1


def test_convert(folder):
    (folder / "net.py").write_text(SOURCE)
    done = call("convert", "net.py", "-o", "made/net_ms.py")
    assert done.exit_code == 0, done.output
    text = (folder / "made" / "net_ms.py").read_text()
    assert "nn.Dense(3, 4)  # kept" in text
    assert "def construct(self, x):" in text
    assert "written: made/net_ms.py" in done.stderr
    (folder / "hard.py").write_text(HARD)
    done = call("convert", "hard.py", "-o", "made/hard_ms.py")
    assert done.exit_code == 1
    assert "hard.py:15" in done.stdout


def test_convert_looks_first(folder):
    (folder / "net.py").write_text(SOURCE)
    for args in (["--dry-run", "-o", "out.py"], ["--dry-run"], ["--diff"]):
        done = call("convert", "net.py", *args)
        assert done.exit_code == 0, done.output
        assert "-        self.fc = nn.Linear(3, 4)  # kept" in done.stdout.splitlines()
        assert "+        self.fc = nn.Dense(3, 4)  # kept" in done.stdout.splitlines()
        assert not (folder / "out.py").exists()
    data = json.loads(call("convert", "net.py", "--dry-run", "--json").stdout)
    assert data["written"] == []
    assert data["counts"]["by hand"] == 0
    # standard output is the diff alone, so that patch can read it
    assert call("convert", "net.py", "--diff").stdout.startswith("--- ")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["scan", "gone"], "there is no file or folder 'gone'"),
        (["scan", "pairs.pyy"], "did you mean 'pairs.py'?"),
        (["scan", "notes.txt"], "is no Python file"),
        (["convert", "gone.py", "-o", "x"], "there is no file or folder 'gone.py'"),
        (["convert", "pairs.py"], "say where to write, with -o OUT"),
        (["convert", "pairs.py", "-o", "pairs.py"], "over its source"),
        (["convert", "pairs.py", "-o", "x.py", "--target", "jax"], "'jax'"),
    ],
)
def test_scan_and_convert_refuse(folder, args, words):
    (folder / "notes.txt").write_text("")
    done = call(*args)
    assert done.exit_code == 2, done.output
    assert words in " ".join(done.stderr.split())
    assert words in json.loads(call(*args, "--json").stdout)["error"]


# ------------------------------------------------------------------------------------- weights


def test_weights(folder):
    import torch

    import agar as ms

    module = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    torch.save(module.state_dict(), "net.pth")
    (folder / "net.py").write_text(
        "import torch, agar as ms\n"
        "def make():\n"
        "    return torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))\n"
        "def other():\n    return torch.nn.Linear(5, 5)\n"
        "def cell():\n"
        "    return ms.nn.SequentialCell(ms.nn.Dense(2, 3), ms.nn.BatchNorm1d(3))\n"
        "def text():\n    return 'a network'\n"
    )
    for args in ([], ["--network", "net.py:make"], ["--network", "net.py:cell"]):
        done = call("weights", "net.pth", "net.ckpt", *args)
        assert done.exit_code == 0, done.output
        assert "1.gamma" in done.stdout
        assert ms.load_checkpoint("net.ckpt")["1.gamma"].shape == (3,)
    assert call("weights", "net.ckpt", "back.pth", "--network", "net.py:make").exit_code == 0
    again = torch.load("back.pth", weights_only=True)
    assert torch.equal(again["0.weight"], module[0].weight)
    data = json.loads(call("weights", "net.pth", "net.ckpt", "--json").stdout)
    assert data["complete"] is True
    assert "1.gamma" in [row["target"] for row in data["rows"]]

    done = call("weights", "net.pth", "other.ckpt", "--network", "net.py:other")
    assert done.exit_code == 1
    assert "weight" in done.stderr
    assert not (folder / "other.ckpt").exists()
    done = call("weights", "net.pth", "other.ckpt", "--network", "net.py:other", "--json")
    assert json.loads(done.stdout)["complete"] is False
    done = call("weights", "net.pth", "other.ckpt", "--network", "net.py:text")
    assert done.exit_code == 2
    assert "gives str, but it must give a Cell" in done.stderr
    (folder / "bad.pth").write_bytes(b"no weights")
    done = call("weights", "bad.pth", "bad.ckpt")
    assert done.exit_code == 2
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert call("weights", "gone.pth", "x.ckpt").exit_code == 2
