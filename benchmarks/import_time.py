"""What `import agar` costs beside `import torch`: CPU time of processes that do nothing else.

    PYTHONPATH=src python benchmarks/import_time.py [--rounds 15] [--beside SRC]

Each round starts Python once for torch alone and once for torch and agar; the median of the rounds
is shown, and how many modules of agar are loaded. With ``--beside``, another tree's folder of
sources takes part in the same rounds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

PROGRAM = """
{imports}
import resource, sys
used = resource.getrusage(resource.RUSAGE_SELF)
print(used.ru_utime + used.ru_stime, sum(name.split(".")[0] == "agar" for name in sys.modules))
"""


def measured(imports: str, source: Path) -> tuple[float, int]:
    """CPU seconds of a process with these imports, and the modules of agar in it."""
    environment = {**os.environ, "PYTHONPATH": str(source)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each process compiles the sources
    command = [sys.executable, "-c", PROGRAM.format(imports=imports)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    seconds, modules = done.stdout.split()
    return float(seconds), int(modules)


def main() -> None:
    """Measure, and print a line for each."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--beside", type=Path, action="append", default=[])
    options = parser.parse_args()
    here = Path(__file__).resolve().parent.parent / "src"
    sides = {"torch": ("import torch", here), "torch and agar": ("import torch, agar", here)}
    for path in options.beside:
        sides[f"torch and agar of {path}"] = ("import torch, agar", path)
    found: dict[str, list[tuple[float, int]]] = {name: [] for name in sides}
    for side in sides.values():
        measured(*side)  # compiled files are written
    for _ in range(options.rounds):
        for name, side in sides.items():
            found[name].append(measured(*side))
    medians = {name: statistics.median(s for s, _ in rows) for name, rows in found.items()}
    for name, median in medians.items():
        over = "" if name == "torch" else f", {1e3 * (median - medians['torch']):.0f} over torch"
        print(f"{name}: {1e3 * median:.0f} ms of CPU{over}, {found[name][0][1]} modules of agar")


if __name__ == "__main__":
    main()
