"""The plans ``folded``, ``OpenVINO`` and ``ONNX Runtime`` beside those engines themselves.

    python benchmarks/graph_folded.py [--rows mlp,resnet18] [--seconds 10]

For a machine that others use at the same time: all run in turns in one process on one thread, and
what counts is the time of the processor. `graph.py --peers` measures the choice of plans and calls
as users wait for them; here the plans are taken as they are, and the fastest one counts. What this
Python lacks is left out.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

import graph_networks as networks
import graph_peers
import torch
from graph_processes import processor
from graph_report import markdown, mean, ratio

from graph import AgarSide, exported

#: Seconds of a side's calls in one of its turns.
TURN = 0.02
PEERS = {"torch": "torch", "onnxruntime": "ONNX Runtime", "openvino": "OpenVINO"}
PLANS = {name: f"plan {name}" for name in ("folded", "OpenVINO", "ONNX Runtime")}


def plans(row: networks.Row) -> dict[str, Callable[[torch.Tensor], torch.Tensor]]:
    """The plans of what agar records of the row, where there are such."""
    from agar._core.graph.autotune.tuner import Autotuner
    from agar._core.graph.autotune.weights import EnginePlan, FoldedPlan
    from agar._core.graph.backends.engine import Untranslatable
    from agar._core.graph.backends.engine_model import ENGINES
    from agar._core.graph.passes.fold import fold

    tuners: list[Autotuner] = []

    def begin(self: Autotuner) -> None:
        tuners.append(self)
        self._settle()

    Autotuner.begin = begin
    side = AgarSide(row, False, False)
    for _ in range(3):
        side()
    result: dict[str, Any] = {}
    parts = fold(tuners[0].subgraph)
    if parts is not None:
        result["folded"] = FoldedPlan(tuners[0], parts)
    for engine in ENGINES:
        with contextlib.suppress(Untranslatable):
            result[engine.name] = EnginePlan(tuners[0], engine, lambda work, name: work())
    return {name: lambda x, plan=plan: plan(x)[1][0] for name, plan in result.items()}


def sides(row: networks.Row, folder: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    net = networks.module(row).eval().requires_grad_(False)
    x = networks.torch_batches(row)[0][0]
    yield "torch", lambda: net(x)
    given = x.int() if row.tokens else x
    for name, plan in plans(row).items():
        yield name, lambda plan=plan: plan(given)
    model = exported(row, folder)
    for name, settings in graph_peers.PEERS.items():
        try:
            call = dict(settings(model, 1))[{"onnxruntime": "spinning off"}.get(name, "latency")]
        except ImportError:
            continue
        yield name, lambda call=call: torch.from_numpy(call(x.numpy()))


def measured(row: networks.Row, seconds: float) -> dict[str, float]:
    """Seconds of the processor for a call of each side: medians."""
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        calls = dict(sides(row, folder))
        expected = calls["torch"]()
        for name, call in calls.items():
            error = float((call() - expected).abs().max() / expected.abs().max())
            assert error < 1e-3, f"{row.name}: {name} differs from torch by {error:.2g}"
        start = time.process_time()
        calls["torch"]()
        number = max(1, round(TURN / (time.process_time() - start)))
        taken: dict[str, list[float]] = {name: [] for name in calls}
        order, begin = list(calls), time.perf_counter()
        while len(taken["torch"]) < 8 or time.perf_counter() - begin < seconds:
            for name in order:
                calls[name]()
                start = time.process_time()
                for _ in range(number):
                    calls[name]()
                taken[name].append((time.process_time() - start) / number)
            order.append(order.pop(0))
    return {name: statistics.median(values) for name, values in taken.items()}


def main() -> None:
    names = [row.name for row in networks.ROWS if not row.lengths]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", default=",".join(names), help="which; default: all")
    parser.add_argument("--seconds", type=float, default=10, help="of a row; default: 10")
    options = parser.parse_args()
    torch.set_num_threads(1)
    lines, means = [], {name: [] for name in PEERS}
    for row in [r for r in networks.ROWS if r.name in options.rows.split(",")]:
        times = measured(row, options.seconds)
        every = [*PEERS, *PLANS]
        cells = [row.title, *(f"{times[n] * 1e3:.3g}" if n in times else "-" for n in every)]
        own = min((times[name] for name in PLANS if name in times), default=times["torch"])
        for name in PEERS:
            speed = times[name] / own if name in times else None
            cells.append(ratio(speed))
            means[name] += [] if speed is None else [speed]
        lines.append(cells)
        print("|", " | ".join(cells), "|", flush=True)
    last = ["geometric mean", *[""] * (len(PEERS) + len(PLANS))]
    last += [ratio(mean(values)) if values else "-" for values in means.values()]
    print(f"\nProcessor: {processor()}; one thread.\n")
    head = ["row", *(f"{n}, ms" for n in (PEERS | PLANS).values())]
    head += [f"the fastest plan / {n}" for n in PEERS.values()]
    print("\n".join(markdown(" | ".join(head), [*lines, last])))


if __name__ == "__main__":
    main()
