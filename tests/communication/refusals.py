"""Two processes ask for what they do not execute; see test_fail_closed."""

from __future__ import annotations

import json
import sys

import agar as ms
from agar import communication as comm
from agar._core.multi_device import world


def message(call):
    try:
        call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing was raised"


if __name__ == "__main__":
    found: dict = {}
    ms.ops.MatMul().place("MS_WORKER", 1)
    found["before"] = message(comm.init)
    found["after a failed init"] = [comm.GlobalComm.INITED, world.size]
    world._noted.clear()
    comm.init()
    found["setting"] = message(lambda: ms.set_auto_parallel_context(auto_pipeline=True))
    found["rank"] = message(lambda: ms.set_auto_parallel_context(global_rank=7))
    found["number"] = message(lambda: ms.set_auto_parallel_context(device_num=8))
    one = ms.Tensor([1.0 + comm.get_rank()])
    found["sum"] = ms.ops.AllReduce()(one).asnumpy().tolist()
    comm.release()
    with open(sys.argv[1], "w") as file:
        json.dump(found, file)
