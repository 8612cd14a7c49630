"""Processes beside benchmarks/graph.py: MindSpore and other peers, which stand still in between."""

from __future__ import annotations

import contextlib
import json
import os
import platform
import queue
import re
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any


def last_error(log: Path) -> str:
    """The last exception in the errors of a process, or its last words."""
    lines = [s for s in log.read_text().splitlines() if s.strip()]
    named = [s for s in lines if re.match(r"[A-Za-z_][\w.]*: ", s)]
    return (named or lines or ["ended without a word"])[-1][:300]


class OracleFailed(Exception):
    """MindSpore or a peer cannot run the row, or not in the time it has."""


class Oracle:
    """A process that runs a row under MindSpore or a peer; it stands still while others run."""

    def __init__(self, command: list[str], file: str, limit: float) -> None:
        environment = os.environ | {"GLOG_v": "4"}
        self.errors = Path(file).with_suffix(".log")
        self.ends = time.monotonic() + limit
        with self.errors.open("w") as log:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env=environment,
                start_new_session=True,
            )
        self.lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("@@"):
                self.lines.put(json.loads(line[2:]))
        self.lines.put(None)

    def answer(self) -> dict[str, Any]:
        """The next line of the process.

        Raises:
            OracleFailed: it ended, or its time is over.
        """
        try:
            found = self.lines.get(timeout=max(0.0, self.ends - time.monotonic()))
        except queue.Empty:
            raise OracleFailed("over the time limit") from None
        if found is None:
            raise OracleFailed(last_error(self.errors))
        return found

    def seconds(self, number: int) -> float:
        """Seconds of that many calls."""
        return self.taken(number)["seconds"]

    def taken(self, number: int) -> dict[str, Any]:
        """What that many calls took."""
        assert self.process.stdin is not None
        os.killpg(self.process.pid, signal.SIGCONT)
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        answer = self.answer()
        os.killpg(self.process.pid, signal.SIGSTOP)
        return answer

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def processor() -> str:
    """The processor's name, and which of its units kernels use."""
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        named = dict(s.split(":", 1) for s in lines if ":" in s)
        told = {k.strip(): v.strip() for k, v in named.items()}
        flags = told.get("flags", told.get("Features", "")).split()
        units = {"AVX2": "avx2", "AVX-512": "avx512f", "AVX512-BF16": "avx512_bf16"}
        units |= {"AMX": "amx_tile", "SVE": "sve", "bf16": "bf16"}
        has = [name for name, flag in units.items() if flag in flags]
        name = told.get("model name", platform.machine())
        part = f" (family {told['cpu family']}, model {told['model']})" if "model" in told else ""
        return f"{name}{part}, {', '.join(has) or 'no vector units known'}"
    return platform.processor() or platform.machine()
