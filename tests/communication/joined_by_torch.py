"""A program that joins and parts with torch's own calls; see test_communication."""

from __future__ import annotations

import importlib
import json
import sys

import torch.distributed as dist

import agar as ms
from agar import communication as comm
from agar import nn, ops
from agar.parallel import Layout
from agar.parallel.auto_parallel import AutoParallel

if __name__ == "__main__":
    dist.init_process_group("gloo")
    import torch.distributed.nn.functional

    # it takes the group into its signatures, also where the server imported it before
    importlib.reload(torch.distributed.nn.functional)
    assert torch.distributed.nn.functional.all_reduce.__defaults__[-1] is dist.group.WORLD
    comm.init()
    ms.set_seed(1)
    ms.set_context(mode=ms.GRAPH_MODE)
    grid = Layout((2,), ("rows",))
    net = nn.Dense(4, 4, weight_init="ones", bias_init="zeros")
    net.matmul.shard((grid("None", "None"), grid("rows", "None")))
    out = AutoParallel(net, "semi_auto")(ops.ones((2, 4)))
    with open(sys.argv[1], "w") as file:
        json.dump(out.asnumpy().tolist(), file)
    dist.destroy_process_group()
