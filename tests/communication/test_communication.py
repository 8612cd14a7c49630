"""Processes that work together: alone, and two of them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import agar as ms
import forked
from agar import communication as comm
from agar._core.distributed.process_groups import groups
from agar.communication import comm_func
from agar.mint import distributed as dist
from agar.ops import _paths
from agar.ops import communication as exchange
from agar.ops.collective import fused_matmul, message_primitives, primitives
from communication import several

WORLD = "hccl_world_group"


@pytest.fixture(autouse=True)
def apart(monkeypatch):
    for name in ("RANK", "WORLD_SIZE", "RANK_ID", "RANK_SIZE", "LOCAL_RANK"):
        monkeypatch.delenv(name, raising=False)
    comm.release()  # examples in docstrings begin and do not end
    yield
    comm.release()


def test_before_init_there_is_one_process():
    """The figures of MindSpore 2.10."""
    assert (comm.get_rank(), comm.get_group_size()) == (0, 1)
    assert (comm.get_local_rank(), comm.get_local_rank_size()) == (0, 1)
    assert (dist.get_rank(), dist.get_world_size(), dist.get_backend()) == (0, 1, "hccl")
    assert dist.is_available()
    assert not dist.is_initialized()
    assert dist.new_group() == WORLD


def test_the_environment_speaks_before_init(monkeypatch):
    monkeypatch.setenv("RANK_ID", "3")
    monkeypatch.setenv("RANK_SIZE", "8")
    assert comm.get_group_size() == 8
    assert comm.get_rank() == 3


@pytest.mark.parametrize(
    "call",
    [
        comm.get_process_group_ranks,
        comm.get_comm_name,
        lambda: comm.create_group("a", [0]),
        lambda: comm.get_world_rank_from_group_rank(WORLD, 0),
        lambda: dist.all_reduce(ms.Tensor([1.0])),
        dist.barrier,
    ],
)
def test_what_needs_init_says_so(call):
    with pytest.raises(RuntimeError, match="has not been inited"):
        call()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: comm.init(3), TypeError, "must be a string"),
        (lambda: comm.init("zz"), RuntimeError, "'hccl', 'nccl' and 'mccl'"),
        (lambda: comm.init("nccl"), RuntimeError, "should be 'mccl' to init 'CPU'"),
        (lambda: comm.get_rank(3), TypeError, "must be type of string"),
        (lambda: comm.get_rank("none"), ValueError, "no group 'none'"),
        (lambda: comm.management.Backend("abc"), ValueError, "not supported"),
    ],
)
def test_wrong_arguments(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_groups_of_one():
    comm.init()
    comm.create_group("alone", [0])
    comm.create_group("alone", [0])  # again: nothing happens
    assert comm.get_group_size("alone") == 1
    assert comm.get_process_group_ranks("alone") == [0]
    with pytest.raises(ValueError, match="has been created"):
        comm.create_group("alone", [0, 1])
    with pytest.raises(ValueError, match="duplicate"):
        comm.create_group("twice", [0, 0])
    with pytest.raises(ValueError, match="only 1"):
        comm.create_group("other", [1])
    comm.destroy_group("alone")
    with pytest.raises(ValueError, match="alone"):
        comm.get_group_size("alone")


def test_a_primitive_alone_needs_no_init():
    x = ms.Tensor(np.arange(4, dtype=np.float32).reshape(2, 2))
    for prim in (ms.ops.AllReduce(), ms.ops.AllGather(), ms.ops.ReduceScatter()):
        np.testing.assert_array_equal(prim(x).asnumpy(), x.asnumpy())
    assert prim is not x


def test_primitives_have_gradients_and_names():
    x = ms.Tensor([1.0, 2.0])
    grad = ms.grad(lambda v: (ms.ops.AllReduce()(v) * v).sum())(x)
    np.testing.assert_array_equal(grad.asnumpy(), [2.0, 4.0])
    assert repr(ms.ops.AllReduce()) == f"Prim[AllReduce]<op=sum, group={WORLD}>"
    with pytest.raises(TypeError, match="'op' must be str"):
        ms.ops.AllReduce(op=3)
    with pytest.raises(ValueError, match="op"):
        ms.ops.AllReduce(op="mean")


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_a_network_with_an_exchange(mode):
    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.reduce = ms.ops.AllReduce()

        def construct(self, x):
            return self.reduce(x * 2) + 1

    ms.set_context(mode=mode)
    net = Net()
    for _ in range(3):
        np.testing.assert_array_equal(net(ms.Tensor([1.0, 2.0])).asnumpy(), [3.0, 5.0])


def test_wrong_lists():
    comm.init()
    with pytest.raises(TypeError, match="one Tensor for each of the 1 processes"):
        dist.all_gather([], ms.Tensor([1.0]))
    with pytest.raises(ValueError, match="shape"):
        dist.all_gather([ms.Tensor([1.0, 2.0])], ms.Tensor([1.0]))
    with pytest.raises(TypeError, match="'op' must be one of"):
        dist.all_reduce(ms.Tensor([1.0]), op="mean")
    with pytest.raises(ValueError, match="sum 2"):
        dist.all_to_all_single(ms.Tensor([0.0, 0.0]), ms.Tensor([1.0, 2.0]), [1], [2])


#: Calls that are right in one process; each argument is replaced by something else.
CALLS = {
    **{
        name: lambda x: {"tensor": x, "group": WORLD}
        for name in (
            *("all_gather_into_tensor", "gather_into_tensor", "scatter_tensor"),
            *("all_reduce", "broadcast", "reduce_scatter_tensor"),
        )
    },
    "all_to_all_with_output_shape": lambda x: {
        "output_shape_list": [(1, 2)], "input_tensor_list": [x], "group": WORLD
    },
    "all_to_all_single_with_output_shape": lambda x: {
        "output_shape": (1, 2), "tensor": x, "output_split_sizes": [1], "input_split_sizes": [1]
    },
    "batch_isend_irecv": lambda x: {
        "p2p_op_list": [comm.comm_func.P2POp(kind, x, 0) for kind in ("isend", "irecv")]
    },
    "all_gather_matmul": lambda x: {
        "input": x, "x2": x.T, "group": WORLD, "world_size": 1, "bias": None, "comm_turn": 0,
        "trans_input": False, "trans_x2": False, "gather_output": True,
    },
    "matmul_reduce_scatter": lambda x: {
        "input": x, "x2": x.T, "group": WORLD, "world_size": 1, "bias": None, "comm_turn": 0,
        "trans_input": False, "trans_x2": False,
    },
    "Receive": lambda x: {"sr_tag": 0, "src_rank": 0, "shape": [2], "dtype": ms.float32},
    "BatchISendIRecv": lambda x: {
        "op_types": ["irecv"], "remote_ranks": [0], "receive_shapes": [(2,)],
        "receive_dtypes": [ms.float32],
    },
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments_are_named(name):
    """Nothing is found by Python or torch, in words of their own."""
    comm.init()
    function = getattr(comm.comm_func, name, None) or getattr(ms.ops, name)
    right = CALLS[name](ms.Tensor([[1.0, 2.0]]))
    function(**right)
    for argument in right:
        for wrong in (3.5, object(), {"a": 1}):
            if name == "Receive" and argument in ("dtype", "sr_tag", "src_rank"):
                continue  # looked at when it is called
            with pytest.raises((TypeError, ValueError), match=rf"'?{argument}'?|{name}"):
                function(**{**right, argument: wrong})


def test_functions_of_comm_func_return_their_results():
    comm.init()
    x = ms.Tensor([[1.0, 2.0]])
    out, handle = comm_func.all_reduce(x)
    assert handle is None
    assert out is not x
    np.testing.assert_array_equal(out.asnumpy(), x.asnumpy())
    _, handle = comm_func.all_gather_into_tensor(x, async_op=True)
    handle.wait()


def test_lazy_names_are_those_of_the_modules():
    """`ops` lists the names of modules that it does not import."""
    own = set(exchange.__all__) - {"CommHandle", "gather", "scatter"}
    assert set(_paths.COLLECTIVES) == own | {
        name for m in (fused_matmul, message_primitives, primitives) for name in m.__all__
    }


PROGRAM = """
    import numpy as np
    import agar as ms
    from agar import communication as comm
    from agar.mint import distributed as dist

    comm.init()
    rank, size = comm.get_rank(), comm.get_group_size()
    assert size == 2
    x = ms.Tensor(np.arange(4, dtype=np.float32).reshape(2, 2) + rank)
    print(ms.ops.AllReduce()(x).asnumpy().tolist())
    print(ms.ops.AllReduce("max")(x).asnumpy().tolist())
    print(ms.ops.AllReduce("avg")(x).asnumpy().tolist())
    print(ms.ops.AllGather()(x).asnumpy().tolist())
    print(ms.ops.ReduceScatter()(x).asnumpy().tolist())
    print(ms.ops.Broadcast(1)(x).asnumpy().tolist())
    print(ms.ops.AlltoAll(2, 0, 1)(x).asnumpy().tolist())
    weight = ms.Tensor(np.full((2, 2), rank + 1.0, np.float32))
    loss = lambda v: (ms.ops.AllGather()(v) * ms.ops.AllGather()(weight)).sum()
    print(ms.grad(loss)(x).asnumpy().tolist())
    y = ms.Tensor([float(rank)])
    dist.all_reduce(y)
    print(y.asnumpy().tolist())
    out = [ms.Tensor([0.0]), ms.Tensor([0.0])]
    dist.all_gather(out, ms.Tensor([rank + 5.0]))
    print([t.asnumpy().tolist() for t in out])
    found = [None, None]
    dist.all_gather_object(found, {"rank": rank})
    print(found)
    if rank == 0:
        dist.send(ms.Tensor([7.0]), 1)
    else:
        got = ms.Tensor([0.0])
        dist.recv(got, 0)
        assert got.asnumpy().tolist() == [7.0]
    uneven = ms.Tensor(np.zeros((5,), np.float32))
    dist.all_gather_into_tensor_uneven(uneven, ms.ops.ones(3 - rank), [3, 2])
    print(uneven.asnumpy().tolist())
    net = ms.nn.Dense(2, 1, "ones", "zeros")
    reducer = ms.nn.DistributedGradReducer(net.trainable_params(), mean=True)
    optimizer = ms.nn.SGD(net.trainable_params(), 0.5)
    step = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    optimizer(reducer(step(ms.Tensor([[1.0 + rank, 2.0]]))[1]))
    print(net.weight.asnumpy().tolist())
    comm.create_group("both", [0, 1])
    print(comm.get_group_size("both"), ms.get_auto_parallel_context("device_num"))
    dist.barrier()
    comm.release()
"""

BOTH = [
    "[[1.0, 3.0], [5.0, 7.0]]",
    "[[1.0, 2.0], [3.0, 4.0]]",
    "[[0.5, 1.5], [2.5, 3.5]]",
    "[[0.0, 1.0], [2.0, 3.0], [1.0, 2.0], [3.0, 4.0]]",
]
OWN = [
    [
        "[[1.0, 3.0]]",
        "[[1.0, 2.0], [3.0, 4.0]]",
        "[[0.0, 1.0, 1.0, 2.0]]",
        "[[2.0, 2.0], [2.0, 2.0]]",
    ],
    [
        "[[5.0, 7.0]]",
        "[[1.0, 2.0], [3.0, 4.0]]",
        "[[2.0, 3.0, 3.0, 4.0]]",
        "[[4.0, 4.0], [4.0, 4.0]]",
    ],
]
REST = [
    "[1.0]",
    "[[5.0], [6.0]]",
    "[{'rank': 0}, {'rank': 1}]",
    "[1.0, 1.0, 1.0, 1.0, 1.0]",
    "[[0.25, 0.0]]",
    "2 2",
]


def test_two_processes(tmp_path):
    """Every exchange over gloo, each process with its part of the result."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    path = tmp_path / "program.py"
    path.write_text(textwrap.dedent(PROGRAM))
    started = []
    for rank in range(2):
        environment = {
            **os.environ,
            "RANK": str(rank),
            "WORLD_SIZE": "2",
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": port,
        }
        started.append(forked.start(path, env=environment))
    for rank, process in enumerate(started):
        code = process.wait()
        out, error = process.texts
        assert code == 0, error
        assert out.splitlines() == [*BOTH, *OWN[rank], *REST]


def test_torch_distributed_is_imported_when_it_is_needed():
    code = "import sys, agar; agar.communication.init(); agar.ops.AllReduce()(agar.Tensor([1.0]))"
    check = "; print('torch.distributed.distributed_c10d' in sys.modules)"
    before = "import torch, sys; print('torch.distributed.distributed_c10d' in sys.modules); "
    done = subprocess.run(
        [sys.executable, "-c", before + code + check],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    first, last = done.stdout.split()
    assert first == last


def test_release_forgets():
    comm.init()
    assert groups.inited
    comm.release()
    assert not groups.inited
    assert not comm.GlobalComm.INITED


def test_rows_of_datasets(tmp_path):
    """From one process to two others, and back."""

    def row(rank, n):
        return [["Float32", [rank, n]], ["Bool", n > 0]]

    first, second, third = several.run("dataset_rows.py", 3, tmp_path)
    assert first == [[row(1, 0), row(2, 0)], ["Int32", [[1, 2]]]]
    assert second == [row(0, 0), row(1, 1)]
    assert third == [row(0, 0), row(2, 1)]


def test_groups_end_that_the_program_closes_itself(tmp_path):
    """`forked` ends a process with an error whose groups outlive it."""
    assert several.run("joined_by_torch.py", 2, tmp_path, finalizes=True) == [[[4.0] * 4] * 4] * 2


def test_processes_meet_again_in_the_store_of_their_launcher(tmp_path):
    """torchrun's store keeps the addresses of groups that have ended."""
    assert several.run("joining_again.py", 2, tmp_path, finalizes=True) == [[3.0] * 4] * 2
