"""Tries the built wheel with every pair of a supported Python and a supported PyTorch.

    make matrix                           every pair; hours
    make matrix ROW="3.12:2.11 3.13:*"    some of them; * stands for all
    python scripts/matrix.py --list

Each pair is an environment of its own, made by uv. A pair that cannot be had, since there is no
such Python (uv fetches one where it can) or no such build of PyTorch, is skipped with the reason.
Every other failure fails the run, and so does a run in which all pairs were skipped.

uv's own settings apply: UV_FIND_LINKS or UV_TORCH_BACKEND=cpu where builds without CUDA are to be
had, since one with it is 3 GB; UV_CACHE_DIR for what was downloaded.
"""

from __future__ import annotations

import argparse
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
#: The oldest, those between, and whatever is the newest on the day of the run.
TORCHES = ("2.11", "2.12", "2.13", "2.14", "newest")
#: What runs in each pair: the engine, the layers, both modes' limits, the pages.
TESTS = ("tests/core", "tests/nn", "tests/optim", "tests/test_limits.py", "tests/test_docs.py")
#: Packages of the tests, at the versions of requirements/test.txt where a pair allows them.
TOOLS = ("pytest", "pytest-xdist", "hypothesis", "scikit-learn", "onnx", "onnxscript")
#: What a resolution says where a pair does not exist. Anything else, such as a network's failure,
#: fails the run.
NOT_THERE = (
    "No solution found",
    "no wheels with a matching",
    "no version of",
)


@dataclass
class Row:
    """One pair and what became of it."""

    python: str
    torch: str
    state: str = "skipped"
    detail: str = ""
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """As it is chosen on the command line."""
        return f"{self.python}:{self.torch}"

    def __str__(self) -> str:
        return f"{self.name:12} {self.state:8} {self.seconds:5.0f} s  {self.detail}"


def rows(chosen: list[str]) -> list[Row]:
    """The pairs that were asked for, all of them without a choice."""
    items = [Row(python, torch) for python in PYTHONS for torch in TORCHES]
    for pattern in chosen:
        if not any(fnmatch.fnmatch(row.name, pattern) for row in items):
            sys.exit(f"no pair is called {pattern}; --list shows them")
    return [r for r in items if not chosen or any(fnmatch.fnmatch(r.name, p) for p in chosen)]


def command(*parts: str | Path, env: dict[str, str] | None = None) -> tuple[int, str]:
    """A command's exit status and all that it printed."""
    done = subprocess.run(
        [str(part) for part in parts],
        cwd=ROOT,
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.returncode, done.stdout


def constraints() -> str:
    """The pinned versions of the tests' packages, without PyTorch and without what it asks for.

    Each release of PyTorch has bounds of its own for those.
    """
    free = "torch|setuptools|sympy|mpmath|networkx|jinja2|markupsafe|fsspec|filelock"
    free += "|typing.extensions"
    lines = []
    for name in ("base.txt", "test.txt"):
        text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
        lines += [line for line in text.splitlines() if re.match(r"[\w.-]+==", line)]
    return "\n".join(x for x in lines if not re.match(rf"({free})==", x, re.IGNORECASE)) + "\n"


def reason(output: str) -> str:
    """The telling part of uv's error, in one line."""
    text = " ".join(output.split())
    start = text.find("Because")
    return text[start if start >= 0 else 0 :][:200]


def attempt(row: Row, wheel: Path, uv: str, folder: Path, tests: list[str], jobs: str) -> None:
    """Make the environment of a pair, install, test; the row gets the outcome."""
    environment = folder / row.name.replace(":", "-")
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    # what is tested is the installed wheel, never the sources beside it
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    code, output = command(uv, "venv", "-q", "--python", row.python, environment, env=env)
    if code:
        row.detail = f"no Python {row.python}: {reason(output)}"
        return
    torch = "torch" if row.torch == "newest" else f"torch=={row.torch}.*"
    limits = folder / "constraints.txt"
    limits.write_text(constraints(), encoding="utf-8")
    install = (uv, "pip", "install", "--python", python, "-c", limits, wheel, torch, *TOOLS)
    code, output = command(*install, "--dry-run", env=env)
    if code and any(word in output for word in NOT_THERE):
        row.detail = reason(output)
        return
    if not code:
        code, output = command(*install, env=env)
    if code:
        row.state, row.detail = "failed", f"not installed: {reason(output)}"
        return
    versions = "import platform, torch; print(platform.python_version(), torch.__version__)"
    row.detail = "Python {}, torch {}".format(*command(python, "-c", versions, env=env)[1].split())
    options = ("-q", "-o", "pythonpath=tests", "-p", "no:cacheprovider", "-n", jobs)
    code, output = command(python, "-m", "pytest", *options, *tests, env=env)
    last = output.strip().splitlines()[-1].strip("= ")
    row.state, row.detail = ("failed" if code else "passed"), f"{row.detail}: {last}"
    if code:
        print(output[-6000:], file=sys.stderr)


def main() -> None:
    """Go through the pairs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("row", nargs="*", help="pairs, PYTHON:TORCH, with * for any; all without")
    parser.add_argument("--list", action="store_true", help="show the pairs")
    parser.add_argument("--wheel", type=Path, help="the wheel; the one in dist/ without")
    parser.add_argument("--tests", nargs="+", default=list(TESTS), help="what pytest runs")
    parser.add_argument("--jobs", default="2", help="processes of pytest")
    parser.add_argument("--uv", default=shutil.which("uv") or "uv", help="uv's program")
    options = parser.parse_args()
    pairs = rows(options.row)
    if options.list:
        print("\n".join(row.name for row in pairs))
        return
    wheel = options.wheel or next(iter(sorted((ROOT / "dist").glob("*.whl"))), None)
    if wheel is None:
        sys.exit("there is no wheel in dist/: make package builds it")
    for row in pairs:
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            attempt(row, wheel, options.uv, Path(folder), options.tests, options.jobs)
        row.seconds = time.monotonic() - start
        print(row, flush=True)
    counts = {
        state: sum(row.state == state for row in pairs) for state in ("passed", "failed", "skipped")
    }
    print(", ".join(f"{count} pairs {state}" for state, count in counts.items()))
    sys.exit(1 if counts["failed"] or not counts["passed"] else 0)


if __name__ == "__main__":
    main()
