"""A training in stages that is killed once, or left alone; test_pipeline_resume starts it.

    python pipeline_training.py FOLDER STEP

In the first start, the last process kills itself after the step (0 for none).
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import numpy as np
import torch

import agar as ms
from agar import communication as comm
from agar import nn

EPOCHS, ROWS, MICRO = 2, 4, 2


class End(ms.train.Callback):
    """The end of a process, before it has kept the step that the others may have kept."""

    def __init__(self, step: int) -> None:
        super().__init__()
        self.step = step

    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num == self.step:
            os.kill(os.getpid(), signal.SIGKILL)


def rows():
    data = np.random.default_rng(0).standard_normal((ROWS * 4, 6)).astype(np.float32)
    for i in np.random.permutation(ROWS):
        part = data[i * 4 : i * 4 + 4]
        yield part, part.sum(1, keepdims=True)


if __name__ == "__main__":
    torch.set_num_threads(1)
    folder, step = Path(sys.argv[1]), int(sys.argv[2])
    comm.init(timeout=60)
    rank, size = comm.get_rank(), comm.get_group_size()
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", pipeline_stages=size)
    ms.set_seed(3)
    np.random.seed(5)
    net = nn.SequentialCell(
        nn.SequentialCell(nn.Dense(6, 8), nn.BatchNorm1d(8), nn.ReLU()),
        nn.SequentialCell(nn.Dropout(p=0.3), nn.Dense(8, 1)),
    )
    for stage, cell in enumerate(net):
        cell.pipeline_stage = stage
    cell = nn.PipelineCell(nn.WithLossCell(net, nn.MSELoss()), MICRO)
    opt = nn.Adam(cell.trainable_params(), nn.cosine_decay_lr(0.0, 0.1, EPOCHS * ROWS, ROWS, 2))
    callbacks: list = [ms.train.Resume(str(folder / "states"), every_steps=1)]
    if rank == size - 1 and os.environ["TORCHELASTIC_RESTART_COUNT"] == "0":
        callbacks.append(End(step))
    model = ms.Model(cell, optimizer=opt)
    model.train(EPOCHS, rows, callbacks=callbacks)
    ms.save_checkpoint(model.train_network, str(folder / f"stage_{rank}.ckpt"))
    comm.release()
