"""Four thousand steps with evaluation, checkpoints and callbacks need no more than 800."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import numpy as np
import pytest

import agar as ms
from agar import nn

pytestmark = pytest.mark.slow

STEPS, EPOCHS = 200, 20


def resident() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def files() -> int:
    return len(os.listdir("/proc/self/fd"))


class Watch(ms.train.Callback):
    def __init__(self):
        self.memory, self.files = [], []

    def on_train_epoch_end(self, run_context):
        self.memory.append(resident())
        self.files.append(files())


def rows(count):
    def give():
        dice = np.random.default_rng(0)
        for _ in range(count):
            x = dice.standard_normal((8, 16)).astype(np.float32)
            yield x, x[:, :1]

    return give


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
def test_4000_steps(tmp_path, capsys):
    net = nn.SequentialCell(nn.Dense(16, 32), nn.ReLU(), nn.Dropout(p=0.1), nn.Dense(32, 1))
    model = ms.Model(net, nn.MSELoss(), nn.Adam(net.trainable_params(), 1e-3), {"mae"})
    watch = Watch()
    config = ms.train.CheckpointConfig(100, keep_checkpoint_max=3, async_save=True)
    callbacks = [
        ms.train.LossMonitor(100),
        ms.train.TimeMonitor(),
        ms.train.History(),
        ms.train.ModelCheckpoint("net", str(tmp_path), config),
        ms.train.ReduceLROnPlateau("mae", patience=3, mode="min"),
        ms.train.EarlyStopping("mae", patience=EPOCHS, mode="min"),
        ms.train.Resume(str(tmp_path / "state"), every_steps=250),
        watch,
    ]
    model.fit(EPOCHS, rows(STEPS), rows(20), callbacks=callbacks)
    assert len(watch.memory) == EPOCHS
    assert max(watch.memory[4:]) - watch.memory[3] < 3 << 20  # one KB a step
    # the process that compiles in GRAPH_MODE may start late: its pipes are a few files
    assert max(watch.files[4:]) <= watch.files[3] + 8
    assert len(list(tmp_path.glob("*.ckpt"))) == 3
    assert capsys.readouterr().out.count("loss is") == STEPS * EPOCHS // 100
