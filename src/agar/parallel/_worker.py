"""Becomes the program of one worker of ``agar msrun``: this file is run by its path.

It imports nothing of agar or torch, because it only prepares the process and then executes the
program in its place: the variables that MindSpore's programs read, one log for both streams, the
CPU cores, and that the worker ends with its launcher.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys

#: Tells Linux to send a signal to this process when its parent ends.
_PR_SET_PDEATHSIG = 1


def _end_with_launcher(launcher: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != launcher:  # it had ended before
        os._exit(1)


def _set_variables(variables: dict[str, str], cores: int) -> None:
    """MindSpore's names for what the launcher has set."""
    same = {
        "RANK_ID": "RANK",
        "MS_NODE_ID": "RANK",
        "RANK_SIZE": "WORLD_SIZE",
        "MS_WORKER_NUM": "WORLD_SIZE",
        "DEVICE_ID": "LOCAL_RANK",
        "MS_SCHED_HOST": "MASTER_ADDR",
        "MS_SCHED_PORT": "MASTER_PORT",
    }
    variables.update({name: variables[other] for name, other in same.items()})
    variables["MS_ROLE"] = "MS_WORKER"
    variables.pop("TORCHELASTIC_ERROR_FILE", None)
    variables.setdefault("PYTHONUNBUFFERED", "1")  # what it prints is seen at once
    # otherwise the threads of all workers would compete for all cores
    variables.setdefault("OMP_NUM_THREADS", str(max(cores, 1)))


def _main() -> None:
    variables = dict(os.environ)
    task = json.loads(variables.pop("AGAR_MSRUN_TASK"))
    _end_with_launcher(task["launcher"])
    os.dup2(1, 2)
    rank, count = int(variables["LOCAL_RANK"]), int(variables["LOCAL_WORLD_SIZE"])
    cores = task["cores"].get(str(rank))
    if cores:
        os.sched_setaffinity(0, cores)
    _set_variables(variables, len(cores) if cores else (os.cpu_count() or 1) // count)
    command = task["command"]
    os.execvpe(command[0], command, variables)


if __name__ == "__main__":
    _main()
