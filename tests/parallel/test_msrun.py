"""``agar msrun``: variables, logs, exit codes, several machines, and that nothing is left."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

import pytest

import forked

COMMAND = "from agar import cli; cli.main()"
#: Workers without agar: plain Python, which starts quickly.
REPORT = """
import json, os, sys
names = ("RANK RANK_ID RANK_SIZE DEVICE_ID LOCAL_RANK WORLD_SIZE MS_WORKER_NUM MS_NODE_ID MS_ROLE "
         "MS_SCHED_PORT MASTER_PORT OMP_NUM_THREADS").split()
print(json.dumps({n: os.environ.get(n) for n in names} | {
    "arguments": sys.argv[1:], "cores": sorted(os.sched_getaffinity(0))}))
print("to the other stream", file=sys.stderr)
"""
#: Worker 1 fails as it is told; worker 0 waits, and so does a process that each of them started.
FAIL = """
import os, signal, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"],
                         start_new_session=True)
with open(f"pids_{os.environ['RANK']}.tmp", "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename(file.name, file.name[:-4])
if os.environ["RANK"] == "1" and sys.argv[1] != "wait":
    while not os.path.exists("pids_0"):
        time.sleep(0.02)
    print("this is why", file=sys.stderr)
    if sys.argv[1] == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    sys.exit(int(sys.argv[1]))
time.sleep(60)
"""


def port() -> str:
    with socket.socket() as result:
        result.bind(("127.0.0.1", 0))
        return str(result.getsockname()[1])


@pytest.fixture
def start(tmp_path):
    """Starts a launcher in a folder of its own, and ends it in any case."""
    started = []
    (tmp_path / "report.py").write_text(REPORT)
    (tmp_path / "fail.py").write_text(FAIL)
    environment = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"}

    def begin(*arguments, workers="2", local="2", at="0"):
        flags = [f"--worker_num={workers}", f"--local_worker_num={local}", f"--master_port={at}"]
        program = forked.start(COMMAND, "msrun", *flags, *arguments, env=environment, cwd=tmp_path)
        started.append(program)
        return program

    yield begin
    for program in started:
        program.kill()


def pids(folder: Path) -> list[int]:
    """The workers and what they started, when all have begun."""
    files = [folder / "pids_0", folder / "pids_1"]
    end = time.monotonic() + 60
    while not all(file.exists() for file in files):
        assert time.monotonic() < end
        time.sleep(0.02)
    return [int(pid) for file in files for pid in file.read_text().split()]


def gone(processes: list[int], seconds: float) -> bool:
    def running(pid: int) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False

    end = time.monotonic() + seconds
    while any(map(running, processes)):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def report(path: Path) -> dict:
    first, second = path.read_text().splitlines()
    assert second == "to the other stream"  # one log for both
    return json.loads(first)


linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, binds cores")


@linux
def test_variables_logs_and_output(start, tmp_path):
    """MindSpore's variables beside torchrun's; the chosen output is shown, arguments arrive."""
    cores = sorted(os.sched_getaffinity(0))
    bound = json.dumps({"device1": [str(cores[0])]})
    program = start(
        "--join=True",
        "--log_dir=logs",
        "--tail_worker_log=1",
        "--worker_log_name=of_{hostname}",
        f"--bind_core={bound}",
        *("python", "-S", "report.py", "--epochs", "3", "${local_rank}"),
    )
    assert program.wait() == 0
    out, err = program.texts
    assert out.splitlines()[1] == "[worker 1] to the other stream"
    assert "[worker 0]" not in out
    assert "All workers have ended" in err
    for rank in range(2):
        result = report(tmp_path / "logs" / f"of_{socket.gethostname()}_{rank}.log")
        assert result["arguments"] == ["--epochs", "3", "${local_rank}"]
        for name in ("RANK", "RANK_ID", "MS_NODE_ID", "DEVICE_ID", "LOCAL_RANK"):
            assert result[name] == str(rank)
        for name in ("WORLD_SIZE", "RANK_SIZE", "MS_WORKER_NUM"):
            assert result[name] == "2"
        assert result["MS_ROLE"] == "MS_WORKER"
        assert result["MS_SCHED_PORT"] == result["MASTER_PORT"]
        assert result["cores"] == (cores[:1] if rank else cores)
        share = 1 if rank else max((os.cpu_count() or 1) // 2, 1)
        assert result["OMP_NUM_THREADS"] == str(share)


@linux
@pytest.mark.parametrize(
    ("how", "code", "words"), [("3", 3, "the exit code 3"), ("kill", 137, "SIGKILL")]
)
def test_a_worker_that_fails_ends_all(start, tmp_path, how, code, words):
    """Also what it had started, in a session of its own; its log and exit code are passed on."""
    program = start("--join=True", "python", "-S", "fail.py", how)
    processes = pids(tmp_path)
    assert program.wait() == code
    assert gone(processes, 1)
    assert f"The worker 1 (process {processes[2]}) ended by {words}" in program.texts[1]
    assert "ends with:\nthis is why" in program.texts[1]


@linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_launcher_that_ends_takes_its_workers_with_it(start, tmp_path, number):
    program = start("--join=True", "python", "-S", "fail.py", "wait")
    processes = pids(tmp_path)
    os.kill(program.pid, number)
    if number == signal.SIGKILL:
        assert program.wait() == -number
        assert gone([processes[0], processes[2]], 2)
        for pid in (processes[1], processes[3]):  # nobody is there to adopt them
            os.kill(pid, signal.SIGKILL)
    else:
        assert program.wait() == 128 + number
        assert gone(processes, 1)
        assert f"{number.name} came, and ended all workers" in program.texts[1]


@linux
def test_without_join_it_returns_and_the_workers_go_on(start, tmp_path):
    program = start("--log_dir=logs", "python", "-S", "report.py")
    assert program.wait() == 0
    assert "in the background" in program.texts[0]
    end = time.monotonic() + 60
    while "All workers have ended" not in (tmp_path / "logs" / "msrun.log").read_text():
        assert time.monotonic() < end
        time.sleep(0.05)
    assert report(tmp_path / "logs" / "worker_1.log")["RANK"] == "1"


@linux
@pytest.mark.parametrize("ordered", [True, False])
def test_two_machines(start, tmp_path, ordered):
    """Two launchers that meet at one port; without ``--node_rank`` in the order of arrival."""
    at = port()
    programs = []
    for node in range(2):
        rank = [f"--node_rank={node}"] if ordered else []
        programs.append(
            start("--join=True", *rank, "python", "-S", "report.py", workers="2", local="1", at=at)
        )
    for program in programs:
        assert program.wait() == 0, program.texts
    for rank in range(2):
        result = report(tmp_path / f"worker_{rank}.log")
        assert (result["RANK"], result["LOCAL_RANK"], result["WORLD_SIZE"]) == (str(rank), "0", "2")


def test_a_machine_that_does_not_come(start):
    program = start(
        *("--join=True", "--node_rank=1", "--cluster_time_out=1", "python", "-S", "report.py"),
        local="1",
        at=port(),
    )
    assert program.wait() == 1
    assert "did not meet at 127.0.0.1:" in program.texts[1]
    assert "within 1 s" in program.texts[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--worker_num=3"], "must be a divisor of --worker_num=3"),
        (["--local_worker_num=4"], "must be a divisor"),
        (["--local_worker_num=1", "--node_rank=2"], "must be less than 2"),
        (["--master_port=80"], "must be in"),
        (["--join=maybe"], "must be True or False"),
        (["--tail_worker_log=a"], "must be -1 or ranks"),
        (["--bind_core=all"], "must be True, False or JSON"),
        (["--bind_numa=True"], "is of Ascend machines"),
        (["--sim_level=1"], "is of Ascend machines"),
        (["--rank_table_file=a.json"], "is of Ascend machines"),
        ([], "there is no file"),
    ],
)
def test_wrong_arguments(arguments, words, capsys, monkeypatch):
    from agar import cli

    monkeypatch.setenv("COLUMNS", "400")
    flags = ["--worker_num=2", "--local_worker_num=2", "--master_port=0", *arguments]
    monkeypatch.setattr(sys, "argv", ["agar", "msrun", *flags, "absent.py"])
    with pytest.raises(SystemExit) as raised:
        cli.main()
    assert raised.value.code == 2
    assert words in capsys.readouterr().err


@pytest.mark.slow
def test_a_program_of_mindspore(start, tmp_path):
    """`import mindspore` gives agar, and its processes meet."""
    (tmp_path / "train.py").write_text(
        "import mindspore as ms\n"
        "from mindspore.communication import get_group_size, get_rank, init\n"
        "init()\n"
        "out = ms.ops.AllReduce()(ms.Tensor([get_rank() + 1.0]))\n"
        "print('sum', out, 'of', get_group_size())\n"
    )
    program = start("--join=True", "train.py")
    assert program.wait() == 0, program.texts
    for rank in range(2):
        assert f"[worker {rank}] sum [3.] of 2" in program.texts[0]
