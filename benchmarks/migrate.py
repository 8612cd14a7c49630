"""Real networks through `agar.migrate`: converted at once, and proved cell by cell.

Each network of benchmarks/migrate_networks.py becomes Cells by `from_torch`, and `check` compares
it with the original: every cell alone and the whole, evaluation and training, forward and backward,
in both modes. Run

    pip install --no-deps -r requirements/networks.txt
    python benchmarks/migrate.py [--only REGEX] [--quick] [--whole] [--modes pynative,graph]
                                 [--json FILE]

The table has a row a network: cells (all, and those that are foreign), the share of leaf cells that
agar computes, the share that it computes and that was found equal, the largest relative error of
the whole network, the seconds of conversion and checks, and how many steps of the original, forward
and backward, the first check takes (processor's time). With --quick each network is compared
in PYNATIVE_MODE alone. With --whole only the whole networks are compared, without dropout: outputs
and the gradients of all parameters, evaluation and training; nothing is verified cell by cell then,
and a row takes a hundredth of the time. The exit status is 1 where a network does not pass.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import re
import statistics
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from migrate_networks import Network, missing_packages, networks

import agar as ms
from agar._core.autodiff import tensors_in
from agar._core.graph.diagnostics import GraphWarning
from agar.migrate import check, from_torch
from agar.migrate.live_conversion import foreign, native_fraction
from agar.migrate.trees import tensors

MODES = {"pynative": ms.PYNATIVE_MODE, "graph": ms.GRAPH_MODE}


@dataclass
class Result:
    """One row of the table."""

    network: str
    package: str
    cells: int = 0
    foreign: int = 0
    native: float = 0.0
    verified: float = 0.0
    worst: float = math.inf
    seconds: float = 0.0
    steps: float = 0.0
    passed: dict[str, bool] = field(default_factory=dict)
    problem: str = ""

    @property
    def good(self) -> bool:
        """It passed in all modes that were asked for."""
        return bool(self.passed) and all(self.passed.values())


def measure(network: Network, modes: list[str]) -> Result:
    """Convert one network and compare it."""
    row = Result(network.name, network.package)
    begin = time.perf_counter()
    torch.manual_seed(0)
    try:
        module, inputs = network.make()
        cell = from_torch(module)
        row.cells = sum(1 for _ in cell.cells_and_names())
        row.foreign = len(foreign(cell))
        row.verified, row.worst = 1.0, 0.0
        step = _step_time(module, inputs)
        for name in modes:
            start = time.process_time()
            report = check(module, cell, inputs, mode=MODES[name], train=True, name=network.name)
            row.steps = row.steps or (time.process_time() - start) / step
            row.passed[name] = report.passed
            row.native = report.native
            row.verified = min(row.verified, report.verified)
            row.worst = max(row.worst, report.worst)
            if not report.passed:
                found = report.first_divergence
                said = [found.cause] if found else [*report.problems, *_unequal(report)]
                row.problem = f"{name}: {said[0] if said else 'not equal'}"
    except Exception as error:  # one network that fails must not end the others' run
        row.passed.setdefault("run", False)
        row.problem = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    row.seconds = time.perf_counter() - begin
    return row


def _step_time(module, inputs) -> float:
    """The processor's time of a step forward and backward, the best of three."""
    times = []
    state = {n: v.clone() for n, v in module.state_dict().items()}
    for _ in range(4):
        start = time.process_time()
        _torch_run(module, inputs)
        times.append(time.process_time() - start)
    module.load_state_dict(state)
    module.zero_grad()
    return min(times[1:])


def compare_whole(network: Network, modes: list[str]) -> Result:
    """Convert one network and compare outputs and gradients of the whole alone."""
    row = Result(network.name, network.package, verified=math.nan)
    begin = time.perf_counter()
    torch.manual_seed(0)
    try:
        module, inputs = network.make()
        _without_dropout(module)
        state = {n: v.clone() for n, v in module.state_dict().items()}
        row.worst = 0.0
        for name in modes:
            ms.set_context(mode=MODES[name])
            for train in (False, True):
                module.train(train)
                module.load_state_dict(state)
                expected, gradients = _torch_run(module, inputs)
                module.load_state_dict(state)
                cell = from_torch(module)
                row.cells = sum(1 for _ in cell.cells_and_names())
                row.foreign, row.native = len(foreign(cell)), native_fraction(cell)
                with warnings.catch_warnings(record=True) as said:
                    warnings.simplefilter("always")
                    calls = 3 if name == "graph" else 1
                    error = _difference(cell, inputs, expected, gradients, calls)
                eager = [w for w in said if issubclass(w.category, GraphWarning)]
                if eager:
                    row.problem = f"{name}, train={train}: {eager[0].message}".splitlines()[0]
                row.worst = max(row.worst, error)
                row.passed[name] = row.passed.get(name, True) and error < WHOLE_TOLERANCE
                if error >= WHOLE_TOLERANCE:
                    row.problem = f"{name}, train={train}: error {error:.1e}"
    except Exception as error:  # one network that fails must not end the others' run
        row.passed["run"] = False
        row.problem = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    ms.set_context(mode=ms.PYNATIVE_MODE)
    row.seconds = time.perf_counter() - begin
    return row


def _without_dropout(module: torch.nn.Module) -> None:
    for part in module.modules():
        if "Dropout" in type(part).__name__ and hasattr(part, "p"):
            part.p = 0.0
        for name in ("dropout", "attention_dropout", "activation_dropout", "dropout_prob"):
            if isinstance(getattr(part, name, None), float):
                setattr(part, name, 0.0)


def _call(net, inputs, change):
    if isinstance(inputs, dict):
        given = {k: change(v) if isinstance(v, torch.Tensor) else v for k, v in inputs.items()}
        return net(**given)
    return net(*[change(v) for v in inputs])


def _floats(out) -> list[torch.Tensor]:
    return [v for _, v in tensors(out) if v.is_floating_point()]


def _torch_run(module, inputs) -> tuple[list[torch.Tensor], dict[int, torch.Tensor]]:
    module.zero_grad()
    out = _floats(_call(module, inputs, torch.clone))
    sum((v**2).mean() for v in out).backward()
    found = {p.data_ptr(): p.grad.clone() for p in module.parameters() if p.grad is not None}
    return [v.detach() for v in out], found


def _difference(cell, inputs, expected, gradients, calls: int) -> float:
    """The largest difference, relative to the largest value of each tensor.

    In GRAPH_MODE the first calls are recorded, so the last of several is compared.
    """

    def loss():
        out = _call(cell, inputs, ms.from_torch)
        values = tensors_in(list(out.values()) if isinstance(out, dict) else out)
        return sum((v**2).mean() for v in values if v.is_floating_point())

    weights = cell.trainable_params()
    step = ms.value_and_grad(loss, None, weights)
    statistics = {p.name: p.asnumpy().copy() for p in cell.untrainable_params()}
    for _ in range(calls):
        _, found = step()
        for p in cell.untrainable_params():
            p.set_data(ms.Tensor(statistics[p.name]))
        got = _floats(_call(cell, inputs, ms.from_torch))
        for p in cell.untrainable_params():
            p.set_data(ms.Tensor(statistics[p.name]))
    # a gradient that is zero but for rounding is measured by the largest of all
    scale = 1e-4 * max((float(g.abs().max()) for g in gradients.values()), default=1.0)
    worst = 0.0
    for p, grad in zip(weights, found, strict=True):
        mine = grad.to_torch()
        theirs = gradients.get(p._value.data_ptr(), torch.zeros(()))
        theirs = theirs.expand(mine.shape) if theirs.ndim == 0 else theirs.reshape(mine.shape)
        largest = float(theirs.abs().max()) + scale
        worst = max(worst, float((mine - theirs).abs().max()) / (largest or 1.0))
    for a, b in zip(got, expected, strict=True):
        worst = max(worst, float((a.detach() - b).abs().max()) / (float(b.abs().max()) or 1.0))
    return worst


#: The largest relative error of whole networks in float32 that passes, far above that of rounding.
WHOLE_TOLERANCE = 1e-3


def _unequal(report) -> Iterator[str]:
    for cell in report.cells:
        if cell.status in ("different", "failed", "not compared", "inherited"):
            yield f"{cell.path} ({cell.cell_type}) {cell.status}: {cell.reason}"
    for comparison in report.network:
        if not comparison.equal:
            yield f"{comparison.stage} {comparison.what}: error {comparison.error}"


def line(row: Result) -> str:
    """One row as Markdown."""
    modes = ", ".join(f"{name}{'' if good else ' FAILED'}" for name, good in row.passed.items())
    verified = "-" if math.isnan(row.verified) else f"{100 * row.verified:.0f}"
    worst = "-" if math.isinf(row.worst) else f"{row.worst:.1e}"
    return (
        f"| {row.network} | {row.cells} ({row.foreign}) | {100 * row.native:.0f} | "
        f"{verified} | {worst} | {row.seconds:.1f} | {row.steps:.0f} | {modes} |"
    )


HEAD = (
    "| network | cells (foreign) | native % | verified % | worst error | seconds | steps | "
    "passed |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
)


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="regular expression on names of networks")
    parser.add_argument("--quick", action="store_true", help="PYNATIVE_MODE alone")
    parser.add_argument("--whole", action="store_true", help="whole networks, not cell by cell")
    parser.add_argument("--modes", default="pynative,graph", help="modes, separated by commas")
    parser.add_argument("--json", type=Path, help="a file for the results")
    options = parser.parse_args()
    absent = missing_packages()
    if absent:
        print(
            f"{', '.join(absent)} cannot be imported. Install the networks without what they ask "
            "for:\n    pip install --no-deps -r requirements/networks.txt",
            file=sys.stderr,
        )
        return 2
    modes = ["pynative"] if options.quick else options.modes.split(",")
    unknown = [m for m in modes if m not in MODES]
    if unknown:
        parser.error(f"--modes takes pynative and graph, not {', '.join(unknown)}")
    chosen = [n for n in networks() if re.search(options.only, n.name)]
    if not chosen:
        parser.error(f"no network is called {options.only!r}")
    warnings.simplefilter("ignore")  # what the networks warn of does not belong in the table
    print(HEAD, flush=True)
    rows = []
    for network in chosen:
        rows.append(compare_whole(network, modes) if options.whole else measure(network, modes))
        print(line(rows[-1]), flush=True)
        if rows[-1].problem:
            print(f"<!-- {rows[-1].problem} -->", flush=True)
        gc.collect()
        if options.json:
            options.json.write_text(json.dumps([asdict(r) for r in rows], indent=1) + "\n")
    good = sum(r.good for r in rows)
    print(f"\n{good} of {len(rows)} networks passed.")
    if not options.whole:
        steps = statistics.median(r.steps for r in rows)
        print(f"A check takes {steps:.0f} steps of its network (median).")
    return 0 if good == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
