"""``agar msrun``: MindSpore's launcher of several processes, over torchrun's elastic launch.

NOTE Processes. Each worker has a session of its own, is killed with the launcher (by the kernel, on
Linux), and ends when another worker fails. The launcher adopts what its workers leave behind, such
as workers of datasets, and kills it before it ends.

NOTE No scheduler. MindSpore starts one more process for the workers to meet; here they meet in a
store of the launcher.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

__all__ = ["msrun"]

#: Tells Linux to make this process the parent of descendants whose parents end.
_PR_SET_CHILD_SUBREAPER = 36
#: How many seconds workers have to end after SIGTERM.
_GRACE = 5
_FOREVER = 10 * 365 * 24 * 3600


class Job(NamedTuple):
    """What is to be started, and where."""

    worker_num: int
    local_worker_num: int
    master_addr: str
    master_port: int
    node_rank: int
    log_dir: str
    log_name: str
    tail: tuple[int, ...] | None
    timeout: int
    cores: dict[str, list[int]]
    command: list[str]
    restarts: int = 0

    @property
    def nodes(self) -> int:
        """How many machines there are."""
        return self.worker_num // self.local_worker_num

    def log(self, rank: int, start: int = 0) -> str:
        """The file of a worker's output; of later starts the number is in its name."""
        again = f".restart{start}" if start else ""
        return os.path.join(self.log_dir, f"{self.log_name}_{rank}{again}.log")

    def last_log(self, rank: int) -> str:
        """The file of the last start."""
        return next(
            f for i in range(self.restarts, -1, -1) if os.path.exists(f := self.log(rank, i))
        )


def msrun(
    context: typer.Context,
    task_script: Annotated[
        str, typer.Argument(help="The program: a Python file, or python or pytest with arguments.")
    ],
    worker_num: Annotated[
        int, typer.Option("--worker_num", help="How many processes there are on all machines.")
    ] = 8,
    local_worker_num: Annotated[
        int, typer.Option("--local_worker_num", help="How many of them this machine starts.")
    ] = 8,
    master_addr: Annotated[
        str, typer.Option("--master_addr", help="The host where the launchers meet.")
    ] = "127.0.0.1",
    master_port: Annotated[
        int,
        typer.Option("--master_port", help="A free port there; 0: any, on one machine."),
    ] = 8118,
    node_rank: Annotated[
        int, typer.Option("--node_rank", help="Which machine this is; -1: in order of arrival.")
    ] = -1,
    log_dir: Annotated[
        str, typer.Option("--log_dir", help="The folder of the logs, worker_[rank].log.")
    ] = "",
    join: Annotated[
        str,
        typer.Option("--join", help="True: wait for the workers. False: leave them to run."),
    ] = "False",
    cluster_time_out: Annotated[
        int,
        typer.Option(
            "--cluster_time_out", help="Seconds to wait for other machines; negative: for ever."
        ),
    ] = 600,
    bind_core: Annotated[
        str,
        typer.Option(
            "--bind_core",
            help='True: share the CPU cores among the workers. Or JSON: {"device0": ["0-3"]}.',
        ),
    ] = "False",
    bind_numa: Annotated[str, typer.Option("--bind_numa", hidden=True)] = "False",
    sim_level: Annotated[int, typer.Option("--sim_level", hidden=True)] = -1,
    sim_rank_id: Annotated[int, typer.Option("--sim_rank_id", hidden=True)] = -1,
    rank_table_file: Annotated[str, typer.Option("--rank_table_file", hidden=True)] = "",
    worker_log_name: Annotated[
        str,
        typer.Option("--worker_log_name", help="The name of the logs, with {ip} and {hostname}."),
    ] = "",
    tail_worker_log: Annotated[
        str,
        typer.Option(
            "--tail_worker_log",
            help="With --join=True: whose output is shown, such as 0,2; -1: everybody's.",
        ),
    ] = "-1",
    max_restarts: Annotated[
        int,
        typer.Option(
            "--max_restarts", help="How often all workers are started again after one failed."
        ),
    ] = 0,
) -> None:
    """Start a MindSpore program in several processes; everything after the program goes to it.

    The exit code is that of the worker that failed first, 128 more than its number for a signal.
    \f

    Args:
        context (typer.Context): holds the arguments of the program.
        task_script (str): the program: a Python file, or ``python`` or ``pytest`` with arguments.
        worker_num (int): how many processes there are on all machines. Default: 8.
        local_worker_num (int): how many of them this machine starts. Default: 8.
        master_addr (str): the host where the launchers meet. Default: ``"127.0.0.1"``.
        master_port (int): a free port there; 0 for any, on one machine. Default: 8118.
        node_rank (int): which machine this is; -1 in order of arrival. Default: -1.
        log_dir (str): the folder of the logs. Default: ``""``, the present one.
        join (str): ``"True"`` waits for the workers. Default: ``"False"``.
        cluster_time_out (int): seconds to wait for other machines; negative for ever.
            Default: 600.
        bind_core (str): ``"True"`` shares the CPU cores among the workers; or JSON.
            Default: ``"False"``.
        bind_numa (str): refused. Default: ``"False"``.
        sim_level (int): refused. Default: -1.
        sim_rank_id (int): refused. Default: -1.
        rank_table_file (str): refused. Default: ``""``.
        worker_log_name (str): the name of the logs, with ``{ip}`` and ``{hostname}``.
            Default: ``""``, ``worker_[rank].log``.
        tail_worker_log (str): with `join`: whose output is shown, such as ``"0,2"``.
            Default: ``"-1"``, everybody's.
        max_restarts (int): how often all workers are started again after one failed; a training
            with the callback `Resume` goes on then. agar's own. Default: 0.

    Raises:
        typer.BadParameter: an option is refused, or the numbers of processes do not go together.
    """  # noqa: D301 - the help of the command ends at the form feed
    for option, value, unset in (
        ("--bind_numa", bind_numa.lower(), "false"),
        ("--sim_level", sim_level, -1),
        ("--sim_rank_id", sim_rank_id, -1),
        ("--rank_table_file", rank_table_file, ""),
    ):
        if value != unset:
            instead = {"--bind_numa": "start 'numactl ... agar msrun', or give --bind_core"}
            raise typer.BadParameter(
                "is of Ascend machines and is not available here. Instead: "
                f"{instead.get(option, 'leave it out')}.",
                param_hint=option,
            )
    if not 1 <= local_worker_num <= worker_num or worker_num % local_worker_num:
        raise typer.BadParameter(
            f"must be a divisor of --worker_num={worker_num}, because every machine starts as "
            f"many workers, but got {local_worker_num}.",
            param_hint="--local_worker_num",
        )
    nodes = worker_num // local_worker_num
    if nodes > 1 and node_rank >= nodes:
        raise typer.BadParameter(
            f"must be less than {nodes}, the number of machines, but got {node_rank}.",
            param_hint="--node_rank",
        )
    if not (1024 <= master_port <= 65535 or (master_port == 0 and nodes == 1)):
        raise typer.BadParameter(
            f"must be in [1024, 65535], or 0 on one machine, but got {master_port}.",
            param_hint="--master_port",
        )
    if max_restarts < 0:
        raise typer.BadParameter(
            f"must not be negative, but got {max_restarts}.", param_hint="--max_restarts"
        )
    waits = _truth("--join", join)
    job = Job(
        worker_num,
        local_worker_num,
        master_addr,
        master_port or _free_port(),
        max(node_rank, 0) if nodes == 1 else node_rank,
        os.path.abspath(log_dir or "."),
        _log_name(worker_log_name),
        _ranks(tail_worker_log),
        _FOREVER if cluster_time_out < 0 else cluster_time_out,
        _cores(bind_core, local_worker_num),
        _command(task_script, context.args),
        max_restarts,
    )
    os.makedirs(job.log_dir, exist_ok=True)
    if not waits:
        _detach(job)
        return
    raise typer.Exit(launch(job))


# ------------------------------------------------------------------------------------- arguments


def _truth(option: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise typer.BadParameter(f"must be True or False, but got {text!r}.", param_hint=option)
    return text.lower() == "true"


def _free_port() -> int:
    with socket.socket() as result:
        result.bind(("127.0.0.1", 0))
        return result.getsockname()[1]


def _log_name(text: str) -> str:
    name = text or "worker"
    if "{ip}" in name:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(("192.0.2.1", 9))  # sends nothing, and chooses the address
                address = probe.getsockname()[0]
            except OSError:
                address = "127.0.0.1"
        name = name.replace("{ip}", address)
    return name.replace("{hostname}", socket.gethostname())


def _ranks(text: str) -> tuple[int, ...] | None:
    """Whose output is shown; None is everybody's."""
    if text == "-1":
        return None
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isdigit() for part in parts):
        raise typer.BadParameter(
            f"must be -1 or ranks such as 0,2, but got {text!r}.", param_hint="--tail_worker_log"
        )
    return tuple(map(int, parts))


def _cores(text: str, count: int) -> dict[str, list[int]]:
    """The CPU cores of each worker, by its local rank."""
    if text.lower() == "false":
        return {}
    if not hasattr(os, "sched_setaffinity"):
        raise typer.BadParameter("needs Linux.", param_hint="--bind_core")
    there = sorted(os.sched_getaffinity(0))
    if text.lower() == "true":
        if len(there) < count:
            raise typer.BadParameter(
                f"{count} workers cannot share {len(there)} cores.", param_hint="--bind_core"
            )
        share = len(there) // count
        return {str(i): there[i * share : (i + 1) * share] for i in range(count)}
    entries: dict[str, list[int]] = {}
    try:
        for name, ranges in json.loads(text).items():
            device = re.fullmatch(r"device(\d+)|scheduler", name)
            if device is None:
                raise ValueError(f"the key {name!r} is not 'deviceN'")
            if device[1] is None:
                continue  # there is no scheduler
            ends = [part.split("-") for entry in ranges for part in entry.split(",")]
            entries[device[1]] = [
                i for pair in ends for i in range(int(pair[0]), int(pair[-1]) + 1)
            ]
    except (ValueError, AttributeError, TypeError) as error:
        raise typer.BadParameter(
            f'must be True, False or JSON such as {{"device0": ["0-3", "8,9"]}}: {error}.',
            param_hint="--bind_core",
        ) from error
    absent = sorted({i for cores in entries.values() for i in cores} - set(there))
    if absent:
        raise typer.BadParameter(
            f"names the cores {absent}, which this process may not use.", param_hint="--bind_core"
        )
    return entries


def _command(program: str, arguments: list[str]) -> list[str]:
    """What a worker executes: Python with `import mindspore` giving agar."""
    run = [sys.executable, "-m", "agar", "run"]
    if program == "pytest":
        return [*run, "-m", "pytest", *arguments]
    if program in ("python", "python3"):
        if arguments and (arguments[0] == "-m" or not arguments[0].startswith("-")):
            program, arguments = arguments[0], arguments[1:]
        else:
            return [sys.executable, *arguments]
    if program != "-m" and not Path(program).is_file():
        raise typer.BadParameter(f"there is no file {program!r}", param_hint="TASK_SCRIPT")
    return [*run, program, *arguments]


# --------------------------------------------------------------------------------------- launch


def _detach(job: Job) -> None:
    """Leave the job to a launcher of its own, which goes on when this one ends."""
    log = os.path.join(job.log_dir, "msrun.log")
    code = "import sys; from agar.parallel import msrun; sys.exit(msrun.launch_text(sys.argv[1]))"
    task = json.dumps(job._replace(tail=()))
    with open(log, "w") as out:
        started = subprocess.Popen(
            [sys.executable, "-c", code, task],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    first = job.local_worker_num * max(job.node_rank, 0)
    typer.echo(
        f"Started {job.local_worker_num} workers in the background, with the launcher "
        f"{started.pid}. Logs: {job.log(first)} and so on, {log}. SIGTERM to the launcher ends "
        "all of them; --join=True waits for them."
    )


def launch_text(text: str) -> int:
    """`launch` of a job that was written as JSON."""
    return launch(Job(*json.loads(text)))


def launch(job: Job) -> int:
    """Start the workers of this machine, wait for them, and give the exit code."""
    # the launcher is torchrun's
    from torch.distributed.elastic.multiprocessing.api import SignalException

    # the launcher is torchrun's
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError

    # the launcher is torchrun's
    from torch.distributed.launcher.api import elastic_launch

    task = {"launcher": os.getpid(), "cores": job.cores, "command": job.command}
    os.environ["AGAR_MSRUN_TASK"] = json.dumps(task)
    os.environ["MS_TOPO_TIMEOUT"] = str(job.timeout)
    worker = [sys.executable, "-I", "-S", str(Path(__file__).with_name("_worker.py"))]
    _say(f"{job.local_worker_num} workers, logs in {job.log_dir}: {' '.join(job.command)}")
    with _adopted():
        try:
            elastic_launch(_config(job), worker[0])(*worker[1:])
        except ChildFailedError as error:
            return _failed(job, error.failures)
        except SignalException as error:
            _say(f"{error.sigval.name} came, and ended all workers.")
            return 128 + error.sigval
        except (RuntimeError, OSError, TimeoutError) as error:
            _say(
                f"The launchers of {job.nodes} machines did not meet at {job.master_addr}:"
                f"{job.master_port} within {job.timeout} s, or the port is not free: {error}"
            )
            return 1
    _say("All workers have ended.")
    return 0


def _say(text: str) -> None:
    print(f"[msrun] {text}", file=sys.stderr, flush=True)


def _config(job: Job) -> Any:
    # the launcher is torchrun's
    from torch.distributed.launcher.api import LaunchConfig

    ordered = job.node_rank >= 0  # else the machines are numbered as they come
    configs = {"timeout": job.timeout}
    more = {"rank": job.node_rank} if ordered else {"join_timeout": job.timeout}
    return LaunchConfig(
        min_nodes=job.nodes,
        max_nodes=job.nodes,
        nproc_per_node=job.local_worker_num,
        run_id=f"msrun_{job.master_port}",
        role="worker",
        rdzv_backend="static" if ordered else "c10d",
        rdzv_endpoint=f"{job.master_addr}:{job.master_port}",
        rdzv_configs=configs | more,
        max_restarts=job.restarts,
        monitor_interval=0.1,
        logs_specs=_logs(job),
        log_line_prefix_template="[worker ${rank}] ",
        local_addr=job.master_addr if job.nodes == 1 else None,
        shutdown_timeout=_GRACE,
    )


def _logs(job: Job) -> Any:
    # the launcher is torchrun's
    from torch.distributed.elastic.multiprocessing.api import LogsDest, LogsSpecs

    class Logs(LogsSpecs):
        """One file for each worker, of both streams."""

        @property
        def root_log_dir(self) -> str:
            return job.log_dir

        def reify(self, envs: dict[int, dict[str, str]]) -> Any:
            files = {
                local: job.log(int(env["RANK"]), int(env["TORCHELASTIC_RESTART_COUNT"]))
                for local, env in envs.items()
            }
            shown = {
                local: files[local]
                for local, env in envs.items()
                if job.tail is None or int(env["RANK"]) in job.tail
            }
            # its worker writes the second stream where the first goes
            return LogsDest(files, dict.fromkeys(files, ""), shown, {}, dict.fromkeys(files, ""))

    return Logs(job.log_dir)


def _failed(job: Job, failures: dict[int, Any]) -> int:
    """Say which worker failed first, and give its exit code."""

    def order(item: tuple[int, Any]) -> tuple[bool, bool, float]:
        # the others were ended by SIGTERM, and one that another signal ended is the cause of errors
        # in those that waited for it
        code = item[1].exitcode
        return code == -signal.SIGTERM, code >= 0, item[1].timestamp

    rank, failure = min(failures.items(), key=order)
    code = failure.exitcode
    name = signal.Signals(-code).name if code < 0 else f"the exit code {code}"
    log = job.last_log(rank)
    lines = Path(log).read_text(errors="replace").splitlines()
    end = "\n".join(lines[-20:])
    _say(
        f"The worker {rank} (process {failure.pid}) ended by {name}, and the others were ended. "
        f"Its log, {log}, ends with:\n{end}"
    )
    return 128 - code if code < 0 else code


# ----------------------------------------------------------------------------------- descendants


@contextlib.contextmanager
def _adopted() -> Iterator[None]:
    """Adopt processes whose parents end, and kill at last all that are left."""
    adopts = sys.platform == "linux"
    if adopts:
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    before = set(_children()) if adopts else set()
    try:
        yield
    finally:
        if adopts:
            _end_children(before)


def _children() -> list[int]:
    """The processes whose parent this one is."""
    entries = []
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):
            entries += map(int, (task / "children").read_text().split())
    return entries


def _end_children(before: set[int]) -> None:
    """Kill children, then those that they leave behind, until there are none."""
    end = time.monotonic() + _GRACE
    while time.monotonic() < end:
        left = [pid for pid in _children() if pid not in before]
        if not left:
            return
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
