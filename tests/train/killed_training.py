"""A training that is killed again and again, beside one that is not; run by test_resume.py.

    python killed_training.py KILLS MODE

This process imports agar, computes nothing, and forks a process for each piece of a training, which
it kills after a random time. It exits with 0 if every training that came to its end has the
parameters, the history and the checkpoint files of the one that was left alone.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch

torch.set_num_threads(1)

import agar as ms  # noqa: E402  # after the number of threads is set
from agar import nn  # noqa: E402

EPOCHS, ROWS = 4, 9


def rows():
    data = np.random.default_rng(0).standard_normal((ROWS * 4, 6)).astype(np.float32)
    for i in np.random.permutation(ROWS):
        part = data[i * 4 : i * 4 + 4]
        yield part, part.sum(1, keepdims=True)


def train(folder: Path, mode: str) -> None:
    """The whole training, or what is left of it; its result goes to a file."""
    if mode == "graph":
        ms.set_context(mode=ms.GRAPH_MODE, jit_config={"jit_level": "O0"})
    ms.set_seed(3)
    np.random.seed(5)
    net = nn.SequentialCell(
        nn.Dense(6, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(p=0.3), nn.Dense(8, 1)
    )
    rates = nn.cosine_decay_lr(0.0, 0.1, EPOCHS * ROWS, ROWS, EPOCHS)
    manager = ms.train.DynamicLossScaleManager(1024, 2, 4)
    model = ms.Model(
        net,
        nn.MSELoss(),
        nn.Adam(net.trainable_params(), rates),
        {"mae"},
        loss_scale_manager=manager,
    )
    history = ms.train.History()
    checkpoints = ms.train.ModelCheckpoint(
        "net", str(folder / "files"), ms.train.CheckpointConfig(5, keep_checkpoint_max=3)
    )
    callbacks = [history, checkpoints, ms.train.Resume(str(folder), every_steps=1)]
    model.fit(EPOCHS, rows, rows, callbacks=callbacks)
    digest = hashlib.sha256()
    for p in model.train_network.get_parameters():
        digest.update(p.asnumpy().tobytes())
    for file in sorted((folder / "files").glob("*.ckpt")):
        digest.update(file.name.encode() + file.read_bytes())
    text = f"{digest.hexdigest()} {history.history} {vars(manager)} {np.random.rand()}"
    (folder / "result").write_text(text)


def start(folder: Path, mode: str) -> int:
    process = os.fork()
    if process:
        return process
    try:
        train(folder, mode)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


def main() -> None:
    kills, mode = int(sys.argv[1]), sys.argv[2]
    dice = random.Random(kills)
    top = Path(tempfile.mkdtemp())
    begin = time.monotonic()
    assert os.waitpid(start(top / "whole", mode), 0)[1] == 0
    whole = time.monotonic() - begin
    expected = (top / "whole" / "result").read_text()
    done, finished = 0, 0
    while done < kills or not finished:
        folder = top / f"killed {finished}"
        process = start(folder, mode)
        end = time.monotonic() + dice.uniform(0, 0.6 * whole)
        status = None
        while status is None and (done >= kills or time.monotonic() < end):
            text, code = os.waitpid(process, os.WNOHANG)
            status = code if text else None
            time.sleep(0.002)
        if status is None:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            done += 1
            continue
        assert status == 0, f"the training failed after {done} kills"
        text = (folder / "result").read_text()
        assert text == expected, f"after {done} kills:\n{text}\nis not\n{expected}"
        finished += 1
    shutil.rmtree(top)
    print(f"{done} kills, {finished} trainings equal to the one left alone ({whole:.2f} s)")


if __name__ == "__main__":
    main()
