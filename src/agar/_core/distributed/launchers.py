"""What launchers say about processes: how many there are, which this one is, where they meet.

Each launcher has environment variables of its own: ``torchrun`` and ``agar msrun``; ``mpirun`` of
Open MPI (OMPI_...) and of MPICH or Intel MPI (PMI_...); ``srun`` of SLURM; and MindSpore's
(MS_WORKER_NUM and MS_NODE_ID, RANK_SIZE and RANK_ID). The first that says how many processes there
are also says which this one is.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

__all__ = [
    "hosts",
    "launched",
    "local_rank",
    "local_size",
    "number",
    "rank",
    "restarted",
    "set_meeting_place",
]


class Launcher(NamedTuple):
    """The names of a launcher's variables."""

    name: str
    size: str
    rank: str
    local_rank: str = ""
    local_size: str = ""


#: In the order in which they are asked: who starts others by another launcher comes last.
LAUNCHERS = (
    Launcher("torchrun", "WORLD_SIZE", "RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE"),
    Launcher(
        "Open MPI",
        "OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_RANK",
        "OMPI_COMM_WORLD_LOCAL_RANK",
        "OMPI_COMM_WORLD_LOCAL_SIZE",
    ),
    Launcher("MPI", "PMI_SIZE", "PMI_RANK", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"),
    Launcher("MindSpore", "MS_WORKER_NUM", "MS_NODE_ID"),
    # not SLURM_NTASKS: a batch script has it too, in which srun has started nothing
    Launcher("SLURM", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "SLURM_LOCALID"),
    Launcher("MindSpore", "RANK_SIZE", "RANK_ID"),
)


def number(*names: str) -> int | None:
    """The first of some variables that is a number."""
    for name in names:
        text = os.environ.get(name, "") if name else ""
        if text.isdigit():
            return int(text)
    return None


def _launcher() -> Launcher | None:
    return next((entry for entry in LAUNCHERS if number(entry.size) is not None), None)


def launched() -> int:
    """How many processes the launcher says that there are; 1 without a launcher."""
    result = _launcher()
    return 1 if result is None else max(number(result.size) or 1, 1)


def restarted() -> int:
    """How often torchrun, or ``agar msrun``, has started all processes again."""
    return number("TORCHELASTIC_RESTART_COUNT") or 0


def rank(size: int) -> int:
    """Which of `size` processes this is.

    Raises:
        RuntimeError: the launcher does not say it, or names a process that does not exist, or this
            is MindSpore's scheduler, which is not a worker.
    """
    if os.environ.get("MS_ROLE") == "MS_SCHED":
        raise RuntimeError(
            "This process was started as MindSpore's scheduler (MS_ROLE=MS_SCHED). Workers meet "
            "without one here: start the workers alone, or use 'agar msrun'."
        )
    result = _launcher()
    value = None if result is None else number(result.rank)
    if value is None:
        value = number("RANK", "OMPI_COMM_WORLD_RANK", "RANK_ID")
    if value is None:
        expected = "RANK" if result is None else result.rank
        raise RuntimeError(
            f"There are {size} processes, and the variable {expected} does not say which this one "
            "is, nor does RANK_ID. Start the program with 'agar msrun --worker_num=... "
            "--local_worker_num=... program.py' or 'torchrun --nproc_per_node=... program.py'."
        )
    if value >= size:
        raise RuntimeError(
            f"This process has the rank {value}, but there are only {size} processes, of the ranks "
            f"0 to {size - 1}. Look at the variables of the launcher."
        )
    return value


def local_rank(world_rank: int) -> int:
    """Which of this machine's processes this is."""
    result = _launcher()
    value = number("LOCAL_RANK", "" if result is None else result.local_rank)
    return world_rank % local_size(world_rank + 1) if value is None else value


def local_size(world_size: int) -> int:
    """How many processes this machine has."""
    result = _launcher()
    value = number("LOCAL_WORLD_SIZE", "" if result is None else result.local_size)
    if value is None and result is not None and result.name == "SLURM":
        value = _slurm_local_size()
    return world_size if value is None else value


def _slurm_local_size() -> int | None:
    """From a list such as ``2(x3),1``: the tasks of each node, in their order."""
    node = number("SLURM_NODEID")
    counts: list[int] = []
    for part in os.environ.get("SLURM_STEP_TASKS_PER_NODE", "").split(","):
        match = re.fullmatch(r"(\d+)(?:\(x(\d+)\))?", part)
        if match is None:
            return None
        counts += [int(match[1])] * int(match[2] or 1)
    return counts[node] if node is not None and node < len(counts) else None


def hosts(text: str) -> list[str]:
    """The hosts of SLURM's short form, such as ``gpu[01-03,7],login``."""
    items: list[str] = []
    for part in re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text):
        match = re.fullmatch(r"([^\[]*)\[([^\]]*)\](.*)", part)
        if match is None:
            items.append(part)
            continue
        before, numbers, after = match.groups()
        for entry in numbers.split(","):
            first, _, last = entry.partition("-")
            for i in range(int(first), int(last or first) + 1):
                items += hosts(f"{before}{i:0{len(first)}d}{after}")
    return items


def set_meeting_place(size: int) -> None:
    """Set MASTER_ADDR and MASTER_PORT, where they are not set, to what the launcher says.

    Raises:
        RuntimeError: processes are on several machines, and nothing says where they meet.
    """
    result = _launcher()
    address, port = os.environ.get("MS_SCHED_HOST"), os.environ.get("MS_SCHED_PORT")
    if result is not None and result.name == "SLURM":
        nodes = hosts(os.environ.get("SLURM_STEP_NODELIST", ""))
        address = address or (nodes[0] if nodes else os.environ.get("SLURM_LAUNCH_NODE_IPADDR"))
        # jobs that share a machine do not meet each other
        port = port or str(15000 + (number("SLURM_JOB_ID") or 0) % 20000)
    elsewhere = result is not None and local_size(size) < size
    if "MASTER_ADDR" not in os.environ and not address and elsewhere:
        raise RuntimeError(
            f"{result.name if result else ''} has started {size} processes on several machines, "
            "and the variable MASTER_ADDR does not say where they meet. Set it to the host of "
            "process 0 for all of them, and MASTER_PORT to a free port there (mpirun -x "
            "MASTER_ADDR=... -x MASTER_PORT=...)."
        )
    os.environ.setdefault("MASTER_ADDR", address or "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", port or "29500")
