"""Combines updates of servers with one device each by AdaSum; see test_adasum."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np

import agar as ms
from agar import boost, nn
from agar import communication as comm

RANK, SIZE = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))


def updates(rank):
    rng = np.random.RandomState(rank)
    return rng.randn(2, 3).astype(np.float32), rng.randn(1).astype(np.float32)


def main(path):
    comm.init()
    entries = {}
    weights = tuple(ms.Parameter(ms.Tensor(np.ones_like(u)), f"w{u.size}") for u in updates(0))
    old = tuple(ms.Tensor(p.asnumpy()) for p in weights)
    combine = boost.AdaSum(RANK, 1, SIZE, weights)
    combine(tuple(ms.Tensor(u) for u in updates(RANK)), weights, old)
    entries["combined"] = [p.asnumpy().tolist() for p in weights]

    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    boost.AutoBoost("O0", {"common": {"device_number": 1}})
    net = nn.Dense(2, 1, "ones", "zeros")
    opt = nn.SGD(net.trainable_params(), 0.1)
    opt.adasum = True
    step = boost.BoostTrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt).set_train()
    entries["enabled"] = step.enable_adasum
    x = np.array([[1.0, 2.0 * RANK]], np.float32)
    entries["loss"] = float(step(ms.Tensor(x), ms.Tensor([[0.0]])))
    entries["trained"] = net.weight.asnumpy().tolist()
    Path(path).write_text(json.dumps(entries))


if __name__ == "__main__":
    main(sys.argv[1])
