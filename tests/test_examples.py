"""The examples run as a user runs them, with the losses that MindSpore 2.10 has.

The losses were recorded with MindSpore 2.10 on CPU, with its own random numbers and orders of rows.
Of the GPT, five steps are compared: from the sixth call on, MindSpore's dropout kernel draws other
numbers under load, in different runs different ones.
"""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import numpy as np
import pytest

import forked
from communication import several

#: The command line.
AGAR = "from agar.cli import main; main()"
ROOT = Path(__file__).resolve().parent.parent
CURVES = json.loads((ROOT / "tests" / "data" / "example_curves.json").read_text())

needs_digits = pytest.mark.skipif(
    importlib.util.find_spec("sklearn") is None, reason="the digits lie in scikit-learn"
)


def run(name, tmp_path, *arguments, processes=None):
    """The losses of an example, and what it wrote, in one process or in several that meet."""
    curve = tmp_path / "curve"
    command = ("run", str(ROOT / "examples" / f"{name}.py"), "--curve", str(curve), *arguments)
    _store, each = (None, [None]) if processes is None else several.environments(processes)
    preload = () if processes is None else ("torch.distributed.pipelining",)
    started = [forked.start(AGAR, *command, cwd=tmp_path, env=env, preload=preload) for env in each]
    codes = [process.wait(600) for process in started]
    assert not any(codes), [process.texts[1] for process in started]
    return np.loadtxt(curve, ndmin=1), "".join(process.texts[0] for process in started)


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
    options = ("--epochs", "2", "--schedule", schedule)
    losses, shown = run("pipeline_digits", tmp_path, *options, processes=processes)
    assert len(whole) == 56
    assert whole[-1] < 0.5 * whole[0]
    np.testing.assert_allclose(losses, whole, rtol=0, atol=1e-5)
    sizes = re.findall(r"process \d of (\d) holds (\d+) numbers", shown)
    assert [int(count) for count, _ in sizes] == [processes] * processes
    total = int(re.findall(r"holds (\d+) numbers", text)[0])
    assert sum(int(size) for _, size in sizes) == total
    assert all(0 < int(size) < total for _, size in sizes)
