"""The rows of `graph.py` in two checkouts, in turns: what the engine's own work costs.

    python benchmarks/beside.py --old CHECKOUT [--rows mlp,lstm] [--seconds 6]

Both checkouts run the networks of this one, in GRAPH_MODE with plan O0, so that kernels are the
same and only the engine differs; each in a process of its own, on one thread. They are called in
turns for short blocks, and the processor's time of the processes is compared, which other work on
the machine disturbs least. Prints the median of the ratios new / old of the steady state, and the
processor's time of the first call and of the next nine, each in milliseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BLOCK = 0.1  # seconds of a turn


def serve(name: str, training: bool) -> None:
    """Make calls of a row as the parent asks, and tell their times."""
    import graph_networks as networks
    import torch

    import graph

    torch.set_num_threads(1)
    row = next(r for r in networks.ROWS if r.name == name)
    side = graph.AgarSide(row, training, False)
    for line in sys.stdin:
        number = int(line)
        start = time.process_time()
        for _ in range(number):
            side()
        print("@@" + json.dumps(time.process_time() - start), flush=True)


class Checkout:
    """A checkout's process for one row."""

    def __init__(self, folder: Path, name: str, training: bool) -> None:
        environment = os.environ | {
            "PYTHONPATH": str(folder / "src"),
            "AGAR_PLANS": "0",
            "OMP_NUM_THREADS": "1",
        }
        command = [sys.executable, str(HERE / "beside.py"), "--old", "-", "--serve", name]
        self.process = subprocess.Popen(
            command + ["--train"] * training,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, number: int) -> float:
        """The processor's time of that many calls."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("@@"):
                return json.loads(line[2:])
        raise RuntimeError(f"the process ended with {self.process.wait()}")

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def compare(old: Path, name: str, training: bool, seconds: float) -> dict[str, Any]:
    """The times of a row in both checkouts."""
    sides = [Checkout(old, name, training), Checkout(HERE.parent, name, training)]
    try:
        first = [s.seconds(1) for s in sides]
        next_nine = [s.seconds(9) for s in sides]
        number = max(1, round(BLOCK / max(sides[0].seconds(3) / 3, 1e-9)))
        pairs: list[tuple[float, float]] = []
        begin = time.monotonic()
        while len(pairs) < 6 or time.monotonic() - begin < seconds:
            turn = sides if len(pairs) % 2 else sides[::-1]
            taken = {id(s): s.seconds(number) / number for s in turn}
            pairs.append((taken[id(sides[0])], taken[id(sides[1])]))
    finally:
        for s in sides:
            s.close()
    return {
        "first": [t * 1e3 for t in first],
        "nine": [t * 1e3 for t in next_nine],
        "old": statistics.median(a for a, _ in pairs) * 1e3,
        "new": statistics.median(b for _, b in pairs) * 1e3,
        "ratio": statistics.median(b / a for a, b in pairs),
        "turns": len(pairs),
    }


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description="Two checkouts in turns.")
    parser.add_argument("--old", required=True, help="the folder of the other checkout")
    parser.add_argument("--rows", help="names of rows, separated by commas; default: all")
    parser.add_argument("--seconds", type=float, default=6.0, help="of each row's steady state")
    parser.add_argument("--train", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.train)
        return
    import graph_networks as networks

    names = [r.name for r in networks.ROWS]
    wanted = options.rows.split(",") if options.rows else names
    print("| row | old, ms | new, ms | new / old | first call, old and new | next nine |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    ratios: list[float] = []
    for name in wanted:
        for training in (False, True):
            found = compare(Path(options.old).resolve(), name, training, options.seconds)
            ratios.append(found["ratio"])
            kind = "train" if training else "infer"
            first = ", ".join(f"{t:.1f}" for t in found["first"])
            nine = ", ".join(f"{t:.1f}" for t in found["nine"])
            print(
                f"| {name}, {kind} | {found['old']:.3f} | {found['new']:.3f} | "
                f"{found['ratio']:.3f} | {first} | {nine} |",
                flush=True,
            )
    print(f"geometric mean of new / old: {statistics.geometric_mean(ratios):.3f}")


if __name__ == "__main__":
    main()
