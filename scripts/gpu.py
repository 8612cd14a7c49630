"""What a GPU is asked once one is at hand: its tests, the suite on it, and the benchmark.

    make gpu                            all of it, in under nine minutes
    python scripts/gpu.py --steps tests,suite,bench [--out DIR]

It needs no network and no environment of its own: it runs under the Python whose PyTorch sees the
GPU. Packages that are missing there are taken from wheels in the folder ``.gpu``. The logs, the
records and a table for benchmarks/RESULTS.md are left in ``--out``.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHEELS = ROOT / ".gpu"
#: Folders of tests that run once more with new tensors on the GPU.
SUITE = ("core", "nn", "mint", "optim", "train", "amp", "graph", "random", "numpy")
#: Seconds that each step may take.
LIMITS = {"tests": 90, "suite": 200, "bench": 240}
NEEDED = ("numpy", "google.protobuf", "msgpack", "safetensors", "libcst", "hypothesis", "pytest")


def install_wheels() -> None:
    """Install what is missing from the wheels at hand.

    Raises:
        SystemExit: a package is missing and there is no wheel of it.
    """
    wheels = sorted(str(w) for w in WHEELS.glob("*.whl"))
    if wheels:
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps"]
        subprocess.run([*command, "--break-system-packages", *wheels], check=True)
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        sys.exit(
            f"{', '.join(missing)} cannot be imported by {sys.executable}: put wheels of them "
            f"into {WHEELS.name}/ (pip download --no-deps -d {WHEELS.name} PACKAGE)."
        )


def marked() -> list[str]:
    """The test files that have tests for a GPU."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(f.relative_to(ROOT)) for f in files if "pytest.mark.gpu" in f.read_text()]


def pytest(workers: int, *arguments: str) -> list[str]:
    """The command that runs tests in that many processes."""
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider"]
    command += ["-p", "no:benchmark"]  # it warns beside xdist, and warnings are errors
    if workers > 1 and importlib.util.find_spec("xdist") is not None:
        command += ["-n", str(workers), "--dist", "worksteal"]
    return [*command, *arguments]


def run(name: str, command: list[str], out: Path, environment: dict[str, str]) -> int:
    """Run a step under its limit, its output in a file and the end of it shown."""
    log = out / f"{name}.log"
    begin = time.perf_counter()
    with log.open("w") as file:
        process = subprocess.Popen(
            command, stdout=file, stderr=subprocess.STDOUT, env=environment, cwd=ROOT
        )
        try:
            code = process.wait(LIMITS[name])
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
            code = 124
    lines = log.read_text(errors="replace").splitlines()
    print(f"== {name}: exit {code} after {time.perf_counter() - begin:.0f} s", flush=True)
    print("\n".join(line[:200] for line in lines[-25:]), flush=True)
    return code


def main() -> None:
    """Run the steps that were asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", default="tests,suite,bench")
    parser.add_argument("--suite", default=",".join(SUITE), help="folders of tests")
    parser.add_argument("--bench", default="", help="arguments for benchmarks/graph.py")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "gpu")
    options = parser.parse_args()
    steps = options.steps.split(",")
    unknown = [s for s in steps if s not in LIMITS]
    if unknown:
        parser.error(f"no such step: {', '.join(unknown)}; there are {', '.join(LIMITS)}")
    import torch

    if not torch.cuda.is_available():
        sys.exit(
            f"{sys.executable} has torch {torch.__version__}, which sees no GPU. Point to one that "
            "does with: make gpu GPU_PYTHON=..."
        )
    install_wheels()
    options.out.mkdir(parents=True, exist_ok=True)
    where = (
        f"{torch.cuda.get_device_name()}, torch {torch.__version__}, {platform.python_version()}"
    )
    print(where, flush=True)
    (options.out / "machine.txt").write_text(where + "\n")
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    plain = os.environ | {"PYTHONPATH": path.rstrip(os.pathsep)}
    workers = max(1, min(14, (os.cpu_count() or 1) - 2))
    codes = []
    if "tests" in steps:
        codes.append(run("tests", pytest(1, "-m", "gpu", *marked()), options.out, plain))
    if "suite" in steps:
        folders = [f"tests/{name}" for name in options.suite.split(",")]
        command = pytest(workers, "-m", "not slow and not cpu", *folders)
        codes.append(run("suite", command, options.out, plain | {"AGAR_TEST_DEVICE": "GPU"}))
    if "bench" in steps:
        command = [sys.executable, "benchmarks/graph.py", "--gpu", "--quick", "--no-fresh"]
        command += ["--json", str(options.out / "graph.json"), *options.bench.split()]
        codes.append(run("bench", command, options.out, plain))
    sys.exit(max(codes, default=0))


if __name__ == "__main__":
    main()
