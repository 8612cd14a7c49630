"""Recordings write nothing to the terminal, and a GPU that could not be recorded is noticed."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch

from agar.profiler.profiler import _lost_device


def test_a_recording_writes_nothing_to_the_terminal(tmp_path):
    program = f"""
import agar as ms
ready = ms.profiler.tensorboard_trace_handler({str(tmp_path)!r})
for _ in range(2):
    with ms.profiler.profile(on_trace_ready=ready):
        ms.ops.ones((2, 2)) + 1
"""
    env = {k: v for k, v in os.environ.items() if k != "KINETO_LOG_LEVEL"}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(list(tmp_path.glob("*.json"))) == 2


class _Event:
    def __init__(self, name, kind):
        self.name = lambda: name
        self.device_type = lambda: kind


@pytest.mark.parametrize(
    ("events", "lost"),
    [
        ([("cudaLaunchKernel", "CPU"), ("gemm", "CUDA")], False),
        ([("cudaLaunchKernel", "CPU"), ("aten::mm", "CPU")], True),
        ([("aten::mm", "CPU")], False),
    ],
)
def test_a_gpu_that_could_not_be_recorded_is_noticed(events, lost):
    kinds = torch.autograd.DeviceType
    items = [_Event(name, getattr(kinds, kind)) for name, kind in events]
    engine = SimpleNamespace(
        activities={torch.profiler.ProfilerActivity.CUDA},
        profiler=SimpleNamespace(kineto_results=SimpleNamespace(events=lambda: items)),
    )
    assert _lost_device(engine) is lost
    engine.activities = {torch.profiler.ProfilerActivity.CPU}
    assert not _lost_device(engine)
