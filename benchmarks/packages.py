"""The tests that a package of the MindSpore world brings, on agar and on MindSpore.

    python benchmarks/packages.py --oracle PYTHON --folder UNPACKED -- tests/ut

UNPACKED is a wheel or an sdist, unpacked; what it needs beside MindSpore is installed into a folder
that ``--path`` gives (``pip install --target``), numpy too, so that both sides have the same one.
After ``--`` come pytest's arguments: files, folders, ``--doctest-modules mindflow``. Each of them
that is a path is a run of its own; a run that dies is taken up behind the test that it died in.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

#: how often a run that dies is taken up again
AGAIN = 40


class TooLong(BaseException):
    """A test took more seconds than a test may; no test catches it as an error of its own."""


class Recorder:
    """A plugin of pytest that writes one line a test, and leaves out those that have one."""

    def __init__(self, file: Path, limit: int) -> None:
        self.file, self.limit = file, limit
        self.done = read(file)

    def write(self, test: str, outcome: str, text: str = "") -> None:
        with self.file.open("a") as lines:
            lines.write(json.dumps({"test": test, "outcome": outcome, "text": text[-2000:]}) + "\n")

    def pytest_collection_modifyitems(self, items):
        items[:] = [item for item in items if item.nodeid not in self.done]

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(f"collect {report.nodeid}", "failed", str(report.longrepr))

    def pytest_runtest_logstart(self, nodeid):
        self.write(nodeid, "started")
        signal.signal(signal.SIGALRM, self._too_long)
        signal.alarm(self.limit)

    def _too_long(self, *_):
        raise TooLong(f"more than {self.limit} s")

    def pytest_runtest_logreport(self, report):
        if report.when == "call" or not report.passed:
            self.write(report.nodeid, report.outcome, str(report.longrepr or ""))

    def pytest_runtest_logfinish(self):
        signal.alarm(0)


def read(file: Path) -> dict[str, dict[str, str]]:
    """The worst line of each test."""
    rank = ("started", "passed", "skipped", "failed")
    found: dict[str, dict[str, str]] = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        entry = json.loads(line)
        old = found.get(entry["test"])
        if old is None or rank.index(entry["outcome"]) > rank.index(old["outcome"]):
            found[entry["test"]] = entry
    return found


def child(side: str, file: Path, limit: int, arguments: list[str]) -> int:
    """One run of pytest, in a process of its own."""
    if side == "agar":
        import agar

        agar.alias_mindspore()
    import pytest

    options = ["-q", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    return int(pytest.main([*options, *arguments], plugins=[Recorder(file, limit)]))


def run(side: str, python: str, args: argparse.Namespace) -> dict[str, dict[str, str]]:
    """The outcomes of all tests on one side."""
    with tempfile.TemporaryDirectory() as place:
        folder, file = Path(place, "package"), Path(place, "outcomes")
        shutil.copytree(args.folder, folder)
        here = [str(Path(__file__).parents[1] / "src")] if side == "agar" else []
        paths = [*here, *map(os.path.abspath, args.path), str(folder)]
        extra = {"GLOG_v": "4", "OMP_NUM_THREADS": "1", "MPLBACKEND": "agg"}
        env = {**os.environ, **extra, "PYTHONPATH": os.pathsep.join(paths)}
        options = [a for a in args.arguments if not (folder / a).exists()]
        command = [python, os.path.abspath(__file__), "--child", side, "--limit", str(args.limit)]
        for target in [a for a in args.arguments if a not in options]:
            for _ in range(AGAIN):
                call = [*command, "--folder", str(file), "--", *options, target]
                done = subprocess.run(call, env=env, cwd=folder, capture_output=True, check=False)
                died = [t for t, entry in read(file).items() if entry["outcome"] == "started"]
                for test in died:
                    entry = {"test": test, "outcome": "failed", "text": f"died: {done.returncode}"}
                    with file.open("a") as lines:
                        lines.write(json.dumps(entry) + "\n")
                if not died:
                    break
        return read(file)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--oracle", help="a Python that has MindSpore 2.10 and pytest")
    parser.add_argument("--folder", required=True, type=Path)
    parser.add_argument("--path", action="append", default=[], help="a folder of packages")
    parser.add_argument("--limit", type=int, default=120, help="seconds for one test")
    parser.add_argument("--child", choices=("agar", "oracle"), help=argparse.SUPPRESS)
    parser.add_argument("arguments", nargs="+", help="pytest's arguments")
    args = parser.parse_args()
    if args.child:
        raise SystemExit(child(args.child, args.folder, args.limit, args.arguments))
    sides = {"oracle": run("oracle", args.oracle, args), "agar": run("agar", sys.executable, args)}
    passed = {
        side: {test for test, entry in entries.items() if entry["outcome"] == "passed"}
        for side, entries in sides.items()
    }
    tests = {t for entries in sides.values() for t in entries if not t.startswith("collect ")}
    both = passed["oracle"] & passed["agar"]
    for test in sorted(passed["oracle"] - both):
        print(test, sides["agar"].get(test, {}).get("text", "").strip().rpartition("\n")[2])
    print(f"| {len(tests)} | {len(passed['oracle'])} | {len(both)} | {len(passed['agar'])} |")


if __name__ == "__main__":
    main()
