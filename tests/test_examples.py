"""The examples run as a user runs them, with the losses that MindSpore 2.10 has.

The losses were recorded with MindSpore 2.10 on CPU, with its own random numbers and orders of rows.
Of the GPT, five steps are compared: from the sixth call on, MindSpore's dropout kernel draws other
numbers under load, in different runs different ones.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
CURVES = json.loads((ROOT / "tests" / "data" / "example_curves.json").read_text())

needs_digits = pytest.mark.skipif(
    importlib.util.find_spec("sklearn") is None, reason="the digits lie in scikit-learn"
)


def run(name, tmp_path, *arguments, launcher=("run",)):
    curve = tmp_path / "curve"
    program = ROOT / "examples" / f"{name}.py"
    paths = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-m", "agar", *launcher, str(program), "--curve", str(curve), *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(paths)},
    )
    assert done.returncode == 0, done.stderr
    return np.loadtxt(curve, ndmin=1), done.stdout


@pytest.mark.parametrize(
    ("name", "arguments", "tolerance"),
    [
        # rounding grows from step to step, fastest where the rate is high
        pytest.param(
            "image_classifier", ("--epochs", "1", "--mode", "pynative"), 5e-3, marks=needs_digits
        ),
        pytest.param("image_classifier", ("--epochs", "1"), 5e-3, marks=needs_digits),
        ("lstm_tagger", ("--epochs", "15"), 1e-3),
        ("small_gpt", ("--epochs", "2"), 1e-4),
        pytest.param("unet_segmentation", ("--epochs", "2"), 1e-3, marks=needs_digits),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_losses_are_those_of_mindspore(tmp_path, name, arguments, tolerance):
    losses, _ = run(name, tmp_path, *arguments)
    recorded = np.array(CURVES[name])
    count = min(len(losses), len(recorded))
    assert count >= 5
    assert np.abs(losses[:5] - recorded[:5]).max() < 2e-5
    assert np.abs(losses[:count] - recorded[:count]).max() < tolerance


@needs_digits
@pytest.mark.slow
def test_the_classifier_learns(tmp_path):
    _, text = run("image_classifier", tmp_path)
    shown = [float(line.split()[-1]) for line in text.splitlines() if line.startswith("accuracy")]
    assert shown[0] > 0.9
    assert shown[0] == shown[1]  # the checkpoint's


@pytest.mark.slow
def test_the_tagger_finds_words(tmp_path):
    _, text = run("lstm_tagger", tmp_path)
    assert text.splitlines()[-1] == "the zen of python by timpeters"


@needs_digits
@pytest.mark.slow
@pytest.mark.parametrize(("processes", "schedule"), [(2, "1f1b"), (4, "gpipe")])
def test_a_pipeline_has_the_losses_of_one_process(tmp_path, processes, schedule):
    """Each process holds its part of the network, and the parts are all of it."""
    whole, text = run("pipeline_digits", tmp_path, "--epochs", "2", "--mode", "pynative")
    launcher = (
        *("msrun", f"--worker_num={processes}", f"--local_worker_num={processes}"),
        *("--master_port=0", "--join=True", f"--log_dir={tmp_path}"),
    )
    options = ("--epochs", "2", "--schedule", schedule)
    losses, shown = run("pipeline_digits", tmp_path, *options, launcher=launcher)
    assert len(whole) == 56
    assert whole[-1] < 0.5 * whole[0]
    np.testing.assert_allclose(losses, whole, rtol=0, atol=1e-5)
    sizes = re.findall(r"process \d of (\d) holds (\d+) numbers", shown)
    assert [int(count) for count, _ in sizes] == [processes] * processes
    total = int(re.findall(r"holds (\d+) numbers", text)[0])
    assert sum(int(size) for _, size in sizes) == total
    assert all(0 < int(size) < total for _, size in sizes)
