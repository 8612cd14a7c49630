"""What the variables of launchers say: how many processes, which one, where they meet."""

from __future__ import annotations

import os

import pytest

from agar import communication as comm
from agar._core import multi_device
from agar._core.distributed import launchers


@pytest.fixture(autouse=True)
def none(monkeypatch):
    """No launcher, whatever started the tests."""
    begins = ("OMPI_", "PMI_", "MPI_", "SLURM_", "MS_", "MASTER_")
    names = {"WORLD_SIZE", "RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "RANK_SIZE", "RANK_ID"}
    for name in list(os.environ):
        if name.startswith(begins) or name in names:
            monkeypatch.delenv(name)
    for name in ("MASTER_ADDR", "MASTER_PORT"):  # what a test sets is taken back
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


SLURM = {
    "SLURM_STEP_NUM_TASKS": "5",
    "SLURM_PROCID": "3",
    "SLURM_LOCALID": "1",
    "SLURM_NODEID": "1",
    "SLURM_STEP_TASKS_PER_NODE": "2(x2),1",
    "SLURM_STEP_NODELIST": "gpu[08-10]",
    "SLURM_JOB_ID": "40123",
}
OMPI = {
    "OMPI_COMM_WORLD_SIZE": "4",
    "OMPI_COMM_WORLD_RANK": "2",
    "OMPI_COMM_WORLD_LOCAL_RANK": "0",
    "OMPI_COMM_WORLD_LOCAL_SIZE": "4",
}
LAUNCHERS = {
    "none": ({"SLURM_NTASKS": "8", "SLURM_PROCID": "0"}, (1, None, None, None), None),
    "torchrun": (
        {"WORLD_SIZE": "2", "RANK": "1", "LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2"},
        (2, 1, 1, 2),
        ("127.0.0.1", "29500"),
    ),
    "mpirun": (OMPI, (4, 2, 0, 4), ("127.0.0.1", "29500")),
    "mpirun of MPICH": (
        {"PMI_SIZE": "2", "PMI_RANK": "1", "MPI_LOCALRANKID": "1", "MPI_LOCALNRANKS": "2"},
        (2, 1, 1, 2),
        ("127.0.0.1", "29500"),
    ),
    "srun": (SLURM, (5, 3, 1, 2), ("gpu08", "15123")),
    "mpirun in SLURM": (SLURM | OMPI, (4, 2, 0, 4), ("127.0.0.1", "29500")),
    "workers of MindSpore": (
        {
            "MS_WORKER_NUM": "2",
            "MS_NODE_ID": "1",
            "MS_ROLE": "MS_WORKER",
            "MS_SCHED_HOST": "10.0.0.7",
            "MS_SCHED_PORT": "8118",
        },
        (2, 1, 1, 2),
        ("10.0.0.7", "8118"),
    ),
    "rank tables": ({"RANK_SIZE": "2", "RANK_ID": "1"}, (2, 1, 1, 2), ("127.0.0.1", "29500")),
}


@pytest.mark.parametrize("name", LAUNCHERS)
def test_variables_of_launchers(monkeypatch, name):
    variables, (size, rank, local_rank, local_size), place = LAUNCHERS[name]
    for key, value in variables.items():
        monkeypatch.setenv(key, value)
    assert launchers.launched() == size
    if size > 1:
        assert launchers.rank(size) == rank
        assert launchers.local_rank(rank) == local_rank
        assert launchers.local_size(size) == local_size
        launchers.set_meeting_place(size)
        assert (os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"]) == place


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("node7", ["node7"]),
        ("a,b", ["a", "b"]),
        ("gpu[01-03,7],login", ["gpu01", "gpu02", "gpu03", "gpu7", "login"]),
        ("r[1-2]n[08-09]", ["r1n08", "r1n09", "r2n08", "r2n09"]),
        ("", []),
    ],
)
def test_lists_of_hosts(text, expected):
    assert launchers.hosts(text) == expected


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"WORLD_SIZE": "2"}, "the variable RANK does not say which this one is"),
        ({"WORLD_SIZE": "2", "RANK": "2"}, "has the rank 2, but there are only 2 processes"),
        ({"MS_WORKER_NUM": "2", "MS_ROLE": "MS_SCHED"}, "Workers meet without one"),
        (OMPI | {"OMPI_COMM_WORLD_LOCAL_SIZE": "2"}, "MASTER_ADDR does not say where they meet"),
    ],
)
def test_what_launchers_leave_open_raises(monkeypatch, variables, words):
    for key, value in variables.items():
        monkeypatch.setenv(key, value)
    # what tests before this one recorded in one process is another error
    monkeypatch.setattr(multi_device.world, "_noted", {})
    with pytest.raises(RuntimeError, match=words):
        comm.init()
