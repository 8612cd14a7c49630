"""The first quarter of an hour of three people, run from a clean environment.

    make newcomers                                     a fresh environment, the built wheel
    python scripts/newcomers.py --python PYTHON        an environment that has agar already

- The MindSpore user has a program that says ``import mindspore``, and runs it unedited.
- The PyTorch user has a network, asks what awaits it, converts it, and has it compared.
- The student has the quick start, the tutorial of a first network and, where they lie beside the
  checkout (``../shared/seeds``), pages of MindSpore's guide, whose fenced blocks they type in
  (tests/test_seed_pages.py compares what these print).

Each step is a command that a person would type. One that fails, or prints something else than it
should, ends the script with its output; the others are listed with their seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import time
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SEEDS = ROOT.parent / "shared" / "seeds"

MINDSPORE_PROGRAM = """
import numpy as np
import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn

ms.set_seed(1)
rng = np.random.default_rng(0)
x = rng.standard_normal((256, 4)).astype(np.float32)
y = x @ np.array([[1.0], [-2.0], [3.0], [0.5]], np.float32)
data = ds.NumpySlicesDataset((x, y), ["x", "y"], shuffle=True).batch(32)
net = nn.Dense(4, 1)
optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.05, momentum=0.9)
model = ms.Model(net, nn.MSELoss(), optimizer, metrics={"mae"})
model.train(10, data)
ms.save_checkpoint(net, "net.ckpt")
print("small error:", model.eval(data)["mae"] < 0.05)
"""

TORCH_NETWORK = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.out = nn.Linear(4, 10)

    def forward(self, x):
        x = torch.relu(self.norm(self.conv(x)))
        return self.out(x.mean(dim=(2, 3)))
"""

COMPARISON = """
import torch
from agar import migrate

import net_agar
import net_torch

torch.manual_seed(0)
report = migrate.check(
    net_torch.Net(), net_agar.Net(), torch.randn(2, 1, 8, 8), sync_weights=True, train=True
)
print("equal:", report.passed, "verified:", report.verified)
"""


class Step(NamedTuple):
    """A command, and what its output must match."""

    title: str
    command: list[str]
    expected: str = ""
    stdin: str = ""


def mindspore_user(python: Path, folder: Path) -> Iterator[Step]:
    """Runs a program of theirs."""
    agar = str(python.with_name("agar"))
    (folder / "train.py").write_text(MINDSPORE_PROGRAM, encoding="utf-8")
    yield Step("agar --version", [agar, "--version"], r"^agar \d")
    yield Step("agar doctor", [agar, "doctor"], "(?i)torch")
    yield Step("agar run train.py", [agar, "run", "train.py"], "^small error: True")
    read = "import agar as ms; print(sorted(ms.load_checkpoint('net.ckpt')))"
    yield Step("read its checkpoint", [str(python), "-c", read], r"\['bias', 'weight'\]")


def pytorch_user(python: Path, folder: Path) -> Iterator[Step]:
    """Moves a network of theirs."""
    agar = str(python.with_name("agar"))
    (folder / "net_torch.py").write_text(TORCH_NETWORK, encoding="utf-8")
    (folder / "compare.py").write_text(COMPARISON, encoding="utf-8")
    scan = [agar, "migrate", "scan", "net_torch.py"]
    yield Step("agar migrate scan net_torch.py", scan, "uses of PyTorch")
    rules = [agar, "migrate", "rules", "torch.nn.Conv2d"]
    yield Step("agar migrate rules torch.nn.Conv2d", rules, "pad_mode")
    convert = [agar, "migrate", "convert", "net_torch.py", "-o", "net_agar.py", "--target", "agar"]
    yield Step("agar migrate convert net_torch.py", convert)
    yield Step("compare both", [str(python), "compare.py"], "^equal: True verified: 1.0")


def student(python: Path, folder: Path) -> Iterator[Step]:
    """Types in what the pages show."""
    run_page = str(ROOT / "scripts" / "run_page.py")
    page = str(ROOT / "docs" / "quickstart.md")
    yield Step("the quick start", [str(python), run_page, page], "every block prints")
    tutorial = ROOT / "docs" / "tutorials" / "first_network.py"
    yield Step("a first network", [str(python), str(tutorial)], r"of \d+ pictures")
    runner = ROOT / "tests" / "seed_page_runner.py"
    for seed in sorted(SEEDS.glob("*.txt")):
        text = seed.read_text(encoding="utf-8")
        blocks = [textwrap.dedent(b) for b in re.findall(r"```python\n(.*?)```", text, re.DOTALL)]
        if blocks:  # the fifth page has no fences; tests/test_seed_pages.py knows its parts
            command = [str(python), str(runner), str(folder / "blocks.json")]
            yield Step(f"{len(blocks)} blocks of {seed.stem}", command, stdin=json.dumps(blocks))


PEOPLE = {"MindSpore user": mindspore_user, "PyTorch user": pytorch_user, "student": student}


class Spent(NamedTuple):
    """Seconds of the clock, and of the processor, which other work hardly changes."""

    clock: float = 0.0
    processor: float = 0.0

    def __str__(self) -> str:
        return f"{self.clock:.1f} s ({self.processor:.1f} s of processor)"


def _processor() -> float:
    used = os.times()
    return used.children_user + used.children_system


def follow(step: Step, folder: Path) -> Spent:
    """Run one step; what it took."""
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    start, before = time.monotonic(), _processor()
    done = subprocess.run(
        step.command,
        cwd=folder,
        env=env,
        input=step.stdin,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode or not re.search(step.expected, done.stdout, re.MULTILINE):
        sys.exit(f"{step.title}: exit status {done.returncode}\n{done.stdout[-4000:]}")
    return Spent(time.monotonic() - start, _processor() - before)


def fresh(folder: Path) -> Path:
    """The interpreter of a new environment that has the wheel of dist/."""
    wheel = next(iter(sorted((ROOT / "dist").glob("*.whl"))), None)
    if wheel is None:
        sys.exit("there is no wheel in dist/: make package builds it")
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    pins = str(ROOT / "requirements" / "base.txt")
    install = [str(python), "-m", "pip", "install", "-q", "-c", pins, f"{wheel}[sklearn]"]
    print(f"install: {follow(Step('install', install), folder)}", flush=True)
    return python


def main() -> None:
    """Follow the three."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--python", type=Path, help="an interpreter that has agar; a new one without"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        # not resolved: the interpreter of an environment is a link
        python = options.python.absolute() if options.python else fresh(Path(place) / "env")
        for person, path in PEOPLE.items():
            folder = Path(place) / person.replace(" ", "-")
            folder.mkdir()
            clock = processor = 0.0
            for step in path(python, folder):
                spent = follow(step, folder)
                clock, processor = clock + spent.clock, processor + spent.processor
                print(f"{person}: {step.title}: {spent}", flush=True)
            print(f"{person}: {Spent(clock, processor)} in all", flush=True)


if __name__ == "__main__":
    main()
