"""The examples run as a user runs them, with the losses that MindSpore 2.10 has.

The losses were recorded with MindSpore 2.10 on CPU, with its own random numbers and orders of rows.
Of the GPT, five steps are compared: from the sixth call on, MindSpore's dropout kernel draws other
numbers under load, in different runs different ones.
"""

from __future__ import annotations

import importlib.util
import json
import os
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


def run(name, tmp_path, *arguments):
    curve = tmp_path / "curve"
    program = ROOT / "examples" / f"{name}.py"
    paths = [str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, "-m", "agar", "run", str(program), "--curve", str(curve), *arguments],
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
