"""Programs in processes of their own that need not import torch and agar again.

A server imports them once and forks a process for each program: some milliseconds where a new
interpreter takes two seconds. Programs that ask about an import, about what is read while agar is
imported, or about the interpreter itself are to be started with `subprocess`.
"""

from __future__ import annotations

import atexit
import contextlib
import faulthandler
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

__all__ = ["Forked", "run", "start"]

_SIZE = 1 << 20


class Forked:
    """A program that runs; it has to be waited for, or killed.

    Attributes:
        pid: its process.
        texts: what it wrote to the standard output and to that for errors, when it has ended.
    """

    def __init__(self, server: socket.socket, pid: int, out: Any, err: Any) -> None:
        self.pid = pid
        self._server = server
        self._out, self._err = out, err
        self._code: int | None = None
        self.texts = ("", "")

    def wait(self, timeout: float = 120) -> int:
        """Its exit code, as `subprocess` gives it.

        Raises:
            subprocess.TimeoutExpired: it did not end in time, and was killed.
        """
        if self._code is not None:
            return self._code
        self._server.send(json.dumps({"wait": self.pid}).encode())
        late = not select.select([self._server], [], [], timeout)[0]
        if late:
            os.kill(self.pid, signal.SIGKILL)
        status = json.loads(self._server.recv(_SIZE))
        self._code = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (self._out, self._err):
            with file:
                file.seek(0)
                texts.append(file.read().decode(errors="replace"))
        self.texts = (texts[0], texts[1])
        if late:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout, *texts)
        return self._code

    def kill(self) -> None:
        """End it, if it has not ended."""
        if self._code is None:
            os.kill(self.pid, signal.SIGKILL)
            self.wait()


_servers: dict[int, socket.socket] = {}


def _connection() -> socket.socket:
    """The server of this process, which is started once."""
    if os.getpid() not in _servers:
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
        process = subprocess.Popen(
            [sys.executable, __file__, str(there.fileno())],
            env=environment,
            pass_fds=[there.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        there.close()
        _servers[os.getpid()] = here

        def end() -> None:
            here.close()
            process.wait(60)

        atexit.register(end)
    return _servers[os.getpid()]


def start(
    program: str | Path,
    *arguments: str,
    env: Mapping[str, str] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    stdin: int | None = None,
    stdout: int | None = None,
    preload: Sequence[str] = (),
    finalizes: bool = False,
) -> Forked:
    """Start a program in a process of its own.

    Args:
        program (str, Path): its text, or its file.
        arguments (str): what it finds in ``sys.argv``.
        env (mapping): its environment. Default: ``None``, that of this process.
        cwd (path): its folder. Default: ``None``, that of this process.
        stdin (int): a file descriptor that it reads. Default: ``None``, nothing.
        stdout (int): a file descriptor that it writes to. Default: ``None``, `Forked.texts`.
        preload (sequence of str): modules that the server imports once, for this program and all
            that follow. Default: none.
        finalizes (bool): whether Python takes its modules apart at the end, which costs more than
            most programs, as all memory that is shared with the server is written. Default:
            ``False``, it ends behind the functions that were registered with `atexit`.
    """
    server = _connection()
    # closed when the program has ended
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
    with open(os.devnull, "rb") as nothing:
        task = {
            "code": None if isinstance(program, Path) else program,
            "path": str(program) if isinstance(program, Path) else None,
            "arguments": list(arguments),
            "env": dict(os.environ if env is None else env),
            "cwd": os.fspath(cwd or os.getcwd()),
            "preload": list(preload),
            "finalizes": finalizes,
        }
        files = [
            nothing.fileno() if stdin is None else stdin,
            out.fileno() if stdout is None else stdout,
            err.fileno(),
        ]
        socket.send_fds(server, [json.dumps(task).encode()], files)
    return Forked(server, json.loads(server.recv(_SIZE)), out, err)


def run(
    program: str | Path, *arguments: str, timeout: float = 120, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; the options are those of `start`."""
    started = start(program, *arguments, **options)
    code = started.wait(timeout)
    return subprocess.CompletedProcess([str(program), *arguments], code, *started.texts)


def _serve(connection: socket.socket) -> dict[str, Any] | None:
    """Fork until the other side closes; the task in a process that was forked, and None at last."""
    while True:
        data, files, _, _ = socket.recv_fds(connection, _SIZE, 3)
        if not data:
            return None
        task = json.loads(data)
        if "wait" in task:
            connection.send(json.dumps(os.waitpid(task["wait"], 0)[1]).encode())
            continue
        for module in task["preload"]:
            importlib.import_module(module)
        gc.freeze()  # collections in the programs leave out what was imported
        pid = os.fork()
        if not pid:
            connection.close()
            for number, file in enumerate(files):
                os.dup2(file, number)
                os.close(file)
            return task
        for file in files:
            os.close(file)
        connection.send(json.dumps(pid).encode())


def _no_thread_is_left() -> None:
    """End with an error where threads of torch's groups would outlive the interpreter.

    They ask for its lock when it is gone, which now and then ends a process by SIGABRT.
    """
    names = []
    for file in Path("/proc/self/task").glob("*/comm"):
        with contextlib.suppress(OSError):  # it has just ended
            names.append(file.read_text().strip())
    if "pt_gloo_runloop" in names:
        print(f"threads of a group of processes are left: {names}", file=sys.stderr, flush=True)
        os._exit(97)


class _End:
    """Ends the process behind all that the program registered with `atexit`."""

    def __init__(self) -> None:
        #: The exit code, None to let Python end by itself.
        self.code: int | None = None
        atexit.register(self)

    def __call__(self) -> None:
        _no_thread_is_left()
        if self.code is not None:
            for stream in (sys.stdout, sys.stderr):
                with contextlib.suppress(OSError, ValueError, AttributeError):  # closed
                    stream.flush()
            os._exit(self.code)

    def run(self, program: Callable[[], Any]) -> None:
        """Run the program, and take its exit code."""
        code: int | None = 1
        try:
            program()
            code = 0
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else int(error.code is not None)
            code &= 255
            raise
        except KeyboardInterrupt:
            code = None  # a signal ends it
            raise
        finally:
            self.code = code


def _main() -> None:
    import runpy

    # what the programs use
    import torch.distributed.distributed_c10d
    import torch.nn.parallel  # noqa: F401

    import agar.dataset
    import agar.mindrecord
    import agar.train  # noqa: F401

    task = _serve(socket.socket(fileno=int(sys.argv[1])))
    if task is None:
        return
    end = _End()  # first, so that it runs behind what the program registers
    faulthandler.enable()  # where a process ends by a signal, its texts say in which line
    os.environ.clear()
    os.environ.update(task["env"])
    os.chdir(task["cwd"])
    sys.argv = [task["path"] or "-c", *task["arguments"]]
    if task["path"]:
        sys.path[0] = os.path.dirname(task["path"])
        program = partial(runpy.run_path, task["path"], run_name="__main__")
    else:
        sys.path[0] = ""
        code = compile(task["code"], "<string>", "exec")
        program = partial(exec, code, {"__name__": "__main__"})
    if task["finalizes"]:
        program()
    else:
        end.run(program)


if __name__ == "__main__":
    _main()
