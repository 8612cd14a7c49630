"""Takes the same step again and again, and then something else; see test_routines."""

from __future__ import annotations

import json
import sys
import warnings

import numpy as np
import torch

import agar as ms
import agar.mint.distributed as dist
from agar import communication as comm
from agar import nn, ops
from agar._core.distributed import process_membership
from agar._core.distributed.process_groups import groups

FOUND: dict = {}
STEPS = 6
COMPARED: list = []
begin_comparison = process_membership.Membership.begin_comparison


def counted(self, group, call, mine):
    COMPARED.append(call[0])
    return begin_comparison(self, group, call, mine)


process_membership.Membership.begin_comparison = counted


class Network(nn.Cell):
    """A weight, and something that happens while its step is under way."""

    def __init__(self, size=2):
        super().__init__()
        self.weight = ms.Parameter(ms.Tensor(np.ones(size, np.float32)), name="weight")
        self.happens = ""

    def construct(self, x):
        if self.happens == "error":
            raise ZeroDivisionError("a mistake")
        out = (x * self.weight).sum()
        if self.happens == "pair":
            out = out + ops.AllReduce(group="pair")(ops.stop_gradient(out)) * 0
        if self.happens == "world":
            out = out + ops.AllReduce()(ops.stop_gradient(out)) * 0
        return out


def attempt(call):
    try:
        result = call()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return result.asnumpy().tolist() if isinstance(result, ms.Tensor) else result


def step_of(net):
    return nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.5)).set_train()


class Routine:
    """A network, and its step that all processes expect."""

    def __init__(self, count=STEPS):
        self.net = Network()
        self.step = step_of(self.net)
        groups._routines.clear()  # what was expected in vain makes the next one wait for longer
        for _ in range(count):
            self.step(X)
        if count:
            assert groups.routine(comm.GlobalComm.WORLD_COMM_GROUP).is_expected

    def weight(self):
        return self.net.weight.asnumpy().tolist()

    def tell(self, name, *results):
        """What came, the weight then, and after another step."""
        before = self.weight()
        self.net.happens = ""
        self.step(X)
        FOUND[f"{MODE} {name}"] = [*results, before, self.weight()]


def repeated():
    """How many comparisons each step makes, and how many after something else."""
    counts = []
    routine = Routine(0)
    for number in range(14):
        COMPARED.clear()
        routine.step(X)
        counts.append(COMPARED.count("all_reduce of gradients"))
        if number == 7:
            routine.tell("everyone", attempt(lambda: ops.AllReduce()(X)))
    FOUND[f"{MODE} counts"] = counts


def differing():
    """One process does something else than the others, which expect a step."""
    odd = rank == size - 1
    routine = Routine()
    call = (lambda: ops.AllReduce("max")(X)) if odd else (lambda: routine.step(X))
    routine.tell("order", attempt(call))
    routine = Routine()
    rows = ms.Tensor(np.ones((1 + odd, 2), np.float32))
    routine.tell("rows", attempt(lambda: routine.step(rows)))
    routine = Routine()
    other = step_of(Network(1))
    routine.tell("network", attempt(lambda: (other if odd else routine.step)(X)))
    routine = Routine()
    routine.net.happens = "error" if odd else ""
    routine.tell("error", attempt(lambda: routine.step(X)))
    # one fails, and another one calls something else
    routine = Routine()
    routine.net.happens = "error" if odd else ""
    call = (lambda: ops.AllGather()(X)) if rank == 0 else (lambda: routine.step(X))
    routine.tell("both", attempt(call))


def inside():
    """Other collectives while an expected step is under way."""
    for kind, members in (("pair", 2), ("world", size)):
        routine = Routine()
        routine.net.happens = kind if rank < members else ""
        routine.tell(f"inside {kind}", attempt(lambda r=routine: r.step(X)))
    routine = Routine()
    handle = dist.all_reduce(X.copy(), async_op=True)
    routine.step(X)
    handle.wait()
    routine.tell("begun")
    # two networks by turns are no routine, and one of them again is
    routine, another = Routine(), Routine()
    for _ in range(3):
        routine.step(X)
        another.step(X)
    routine.tell("by turns")
    # a group that is made anew expects nothing
    routine = Routine()
    comm.destroy_group("pair")
    comm.create_group("pair", [0, 1])
    routine.tell("groups")


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    comm.init(timeout=20)
    rank, size = comm.get_rank(), comm.get_group_size()
    X = ms.Tensor(np.full((1, 2), 1.0 + rank, np.float32))
    comm.create_group("pair", [0, 1])
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
    for MODE in ("pynative", "graph"):
        ms.set_context(mode=ms.GRAPH_MODE if MODE == "graph" else ms.PYNATIVE_MODE)
        repeated()
        differing()
        inside()
    assert not groups._agreeing
    comm.release()
    with open(sys.argv[1], "w") as file:
        json.dump(FOUND, file)
