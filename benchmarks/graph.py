"""Compiled speed beside torch: train steps and inference, in GRAPH_MODE, torch and torch.compile.

    python benchmarks/graph.py [--rows mlp,lstm] [--train | --infer] [--jit] [--quick]
                               [--oracle PYTHON] [--peers PYTHON,PYTHON] [--json FILE] [--gpu]
                               [--no-fresh]
    python benchmarks/graph.py --report FILE

Every row has processes of its own. In the first, the sides run in turns on the same weights and
data; a row whose first or last results differ from torch's is refused. Calls in new processes
measure the time to the first result and the peak of memory. ``--oracle`` gives a Python that has
MindSpore: it runs in turns with torch too, stopped while torch is timed. ``--peers`` names Pythons
that have onnxruntime or openvino, for inference, or JAX with flax, for training: those run in turns
with torch and agar.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import gc
import importlib
import json
import math
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import graph_networks as networks
import numpy as np
import torch
from graph_processes import Oracle, OracleFailed, last_error, processor
from graph_report import BUSY, WINDOW_CALLS, WINDOW_SECONDS, progress, report

HERE = Path(__file__).parent
#: Seconds of a side's calls in one of its turns.
TURN = 0.06
#: Relative difference of results above which a row is refused.
TOLERANCE, TOLERANCE_BF16 = 1e-3, 3e-2
#: Dense bf16 TFLOPS of chips, by a part of the name that CUDA gives; the first that fits counts.
PEAKS = (
    ("H100 PCIe", 756),
    ("H100 NVL", 835),
    ("H100", 989),
    ("H200", 989),
    ("GH200", 989),
    ("B200", 2250),
    ("A100", 312),
    ("L40S", 362),
    ("L4", 121),
    ("A10G", 70),
    ("A10", 125),
    ("RTX 4090", 165),
)


class Refused(Exception):
    """Two sides do not compute the same."""


# ------------------------------------------------------------------------------- sides


class Side:
    """One side of a row: a call takes its next batch."""

    def __init__(self, target: Callable[..., Any], batches: Sequence[tuple[Any, ...]]) -> None:
        self.target = target
        self.batches = batches
        self.count = 0

    def __call__(self) -> Any:
        batch = self.batches[self.count % len(self.batches)]
        self.count += 1
        return self.target(*batch)


def cut(batches: Sequence[tuple[Any, Any]], training: bool) -> list[tuple[Any, ...]]:
    """Batches without labels where they are not used."""
    return list(batches) if training else [(x,) for x, _ in batches]


def torch_side(
    row: networks.Row, training: bool, mode: str | None = None, device: str = "cpu"
) -> Side:
    """torch eager, or torch.compile in a mode."""
    net = networks.module(row)
    if device != "cpu":
        net = net.to(device, torch.bfloat16)
    step, _ = networks.torch_step(net, training, mode)
    return Side(step, cut(networks.torch_batches(row, device), training))


class AgarSide(Side):
    """agar: a Cell in GRAPH_MODE, or what ``ms.jit`` makes of it."""

    def __init__(self, row: networks.Row, training: bool, jit: bool, device: str = "cpu") -> None:
        import agar as ms

        ms.alias_mindspore()
        import graph_oracle

        self.row = row
        if device != "cpu":
            ms.set_device("GPU")
        self.cell = getattr(graph_oracle, row.network.__name__)(*row.arguments)
        weights = networks.module(row).state_dict()
        for name, parameter in self.cell.parameters_and_names():
            parameter.set_data(ms.from_torch(weights[networks.torch_name(name)].clone()))
        if device != "cpu":
            self.cell.to("GPU", ms.bfloat16)
        made = []
        for x, y in networks.batches(row):
            data = ms.Tensor(x)
            made.append((data if row.tokens or device == "cpu" else data.bfloat16(), ms.Tensor(y)))
        ms.set_context(mode=ms.PYNATIVE_MODE if jit else ms.GRAPH_MODE)
        target, self.optimizer = graph_oracle.prepared(
            self.cell, training, networks.RATE, networks.MOMENTUM, jit
        )
        super().__init__(target, cut(made, training))

    def settled(self) -> bool | None:
        """Whether the engine has its last plan; None where there is no engine."""
        return settled(self.target)

    def torch_twin(self) -> Side:
        """torch eager, from the weights and the optimizer's state that agar has now."""
        net = networks.module(self.row)
        named = dict(self.cell.parameters_and_names())
        given = {networks.torch_name(k): p.to_torch().detach().clone() for k, p in named.items()}
        net.load_state_dict(net.state_dict() | given)
        training = self.optimizer is not None
        step, optimizer = networks.torch_step(net, training)
        if self.optimizer is not None:
            assert optimizer is not None
            names = {id(p): networks.torch_name(k) for k, p in named.items()}
            theirs = dict(net.named_parameters())
            for p, moment in zip(self.optimizer.parameters, self.optimizer.moments, strict=True):
                state = optimizer.state[theirs[names[id(p)]]]
                state["momentum_buffer"] = moment.to_torch().detach().clone()
        twin = Side(step, cut(networks.torch_batches(self.row), training))
        twin.count = self.count
        return twin


def engine(name: str) -> Any:
    """A function of ``agar.graph``; None where agar has no such thing."""
    import agar as ms

    module = getattr(ms, "graph", None)
    if module is None:
        with contextlib.suppress(ModuleNotFoundError):
            module = importlib.import_module("agar.graph")
    return getattr(module, name, None)


def settled(target: Any) -> bool | None:
    """Whether the engine has its last plan for a compiled call; None where there is no engine."""
    ask = engine("settled")
    return None if ask is None else bool(ask(target))


def leave_time(target: Any, limit: float) -> None:
    """Stand still while the engine compiles in the background, for a number of seconds at most."""
    wait = engine("wait")
    if wait is not None:
        wait(target, max(0.0, limit))


def explained(target: Any) -> tuple[str, str]:
    """What the engine says of a compiled call: the plan's name, and the whole text."""
    explain = engine("explain")
    if explain is None:
        return "eager (no engine)", ""
    text = str(explain(target))
    # a line of each plan: "plan NAME, 1.234 ms, in use"; one is in use in each segment
    used = re.findall(r"^ *plan ([^,\n]+),.*\bin use\b", text, re.MULTILINE)
    plan = ", ".join(dict.fromkeys(used)) or (text.strip().splitlines() or [""])[0]
    return plan[:60], text


def numbers(result: Any) -> np.ndarray:
    """A result of any side as numpy's."""
    if isinstance(result, torch.Tensor):
        return result.detach().float().cpu().numpy()
    return np.asarray(result.to_torch().detach().float().cpu().numpy())


def compare(what: str, expected: Any, found: Any, tolerance: float, scale: float = 0.0) -> None:
    """Refuse results that differ by more than a part of the largest wanted number.

    Raises:
        Refused: they do.
    """
    a, b = np.asarray(expected, np.float64), np.asarray(found, np.float64)
    if a.size == b.size:
        b = b.reshape(a.shape)
        error = float(np.abs(a - b).max() / max(float(np.abs(a).max()), scale, 1e-30))
        if error <= tolerance:  # false for NaN
            return
        raise Refused(f"{what} differ from torch's by {error:.2g}, more than {tolerance:g}")
    raise Refused(f"{what} have {b.shape}, torch's {a.shape}")


# ------------------------------------------------------------------------------ timing


class Clock:
    """Seconds of calls, on the device where they run."""

    def __init__(self, cuda: bool) -> None:
        self.cuda = cuda

    def one(self, call: Callable[[], Any]) -> tuple[float, Any]:
        """Seconds of one call, the wait for its result included, and the result."""
        start = time.perf_counter()
        result = call()
        if self.cuda:
            torch.cuda.synchronize()
        return time.perf_counter() - start, result

    def block(self, call: Callable[[], Any], number: int) -> float:
        """Seconds of one call, the mean of several that follow each other."""
        if self.cuda:
            events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
            torch.cuda.synchronize()
            events[0].record()
            for _ in range(number):
                call()
            events[1].record()
            torch.cuda.synchronize()
            return events[0].elapsed_time(events[1]) / 1e3 / number
        start = time.perf_counter()
        for _ in range(number):
            call()
        return (time.perf_counter() - start) / number


def worst_window(pairs: Sequence[tuple[float, float]], quiet: float | None = None) -> float:
    """The lowest speed of the second of each pair beside the first, in windows of pairs.

    A window starts anywhere and is as short as `WINDOW_CALLS` and `WINDOW_SECONDS` allow. With
    `quiet` the first of each pair is taken to be that instead.
    """
    lowest, end = math.inf, 0
    first = second = 0.0
    for start in range(len(pairs)):
        while end < len(pairs) and (end - start < WINDOW_CALLS or second < WINDOW_SECONDS):
            first += pairs[end][0] if quiet is None else quiet
            second += pairs[end][1]
            end += 1
        if end - start < WINDOW_CALLS or second < WINDOW_SECONDS:
            break
        lowest = min(lowest, first / second)
        first -= pairs[start][0] if quiet is None else quiet
        second -= pairs[start][1]
    if lowest < math.inf:
        return lowest
    total = sum(a for a, _ in pairs) if quiet is None else quiet * len(pairs)
    return total / sum(b for _, b in pairs)  # too few pairs for a window: all of them


def steady(
    sides: dict[str, Side], seconds: float, clock: Clock
) -> tuple[dict[str, list[float]], int]:
    """Seconds of a call by round and side, and the calls of a round.

    The sides run in turns, each round in another order.
    """
    number = max(1, round(TURN / clock.block(next(iter(sides.values())), 2)))
    taken: dict[str, list[float]] = {name: [] for name in sides}
    order = list(sides)
    gc.collect()
    quiet_down()
    gc.disable()
    try:
        start = time.perf_counter()
        while len(taken[order[0]]) < 5 or time.perf_counter() - start < seconds:
            for name in order:
                clock.block(sides[name], math.ceil(number / 3))  # until others' threads rest
                taken[name].append(clock.block(sides[name], number))
            order.append(order.pop(0))
    finally:
        gc.enable()
    return taken, number


def pressure() -> float | None:
    """Seconds since the start of the machine in which work waited for a core; None if unknown."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path("/proc/pressure/cpu").read_text().split("total=")[1].split()[0]) / 1e6
    return None


def quiet_down(limit: float = 10.0) -> None:
    """Wait until other work leaves the cores alone, or the limit is over."""
    end = time.perf_counter() + limit
    while time.perf_counter() < end:
        before = pressure()
        time.sleep(0.5)
        after = pressure()
        if before is None or after is None or after - before < 0.05:
            return


# -------------------------------------------------------------------- workers, in children


def warm(side: Side, clock: Clock) -> tuple[float, list[np.ndarray]]:
    """Call a side until its times are its usual ones: the median, and its first results."""
    results, times, start = [], [], time.perf_counter()
    while len(times) < 5 or (time.perf_counter() - start < 1.0 and len(times) < 200):
        seconds, result = clock.one(side)
        times.append(seconds)
        if len(results) < 3:
            results.append(numbers(result))
    return statistics.median(times[2:]), results


def through_choice(
    eager: Side, agar: AgarSide, clock: Clock, limit: float, number: int
) -> tuple[float, list[np.ndarray], list[tuple[float, float]], dict[str, Any]]:
    """Call torch and agar in turns from agar's first call until its engine has chosen a plan.

    A turn has `number` calls: threads of torch's spin for some milliseconds behind a call, on cores
    that another engine's would compute with, as they do in no program that has one engine.

    Gives the seconds of the first call, the first results, the seconds of each further pair of
    calls, and when and at which call the last plan was there.
    """
    begin = time.perf_counter()
    first, result = clock.one(agar)
    results = [numbers(result)]
    pairs: list[tuple[float, float]] = []
    final: dict[str, Any] = {"seconds": None, "calls": None}
    since = None  # seconds of agar's calls under the last plan
    while True:
        turns: dict[Side, list[float]] = {eager: [], agar: []}
        for side in reversed(turns) if len(pairs) // number % 2 else turns:
            for _ in range(number):
                seconds, result = clock.one(side)
                turns[side].append(seconds)
                if side is agar and len(results) < 3:
                    results.append(numbers(result))
        own = sum(turns[agar])
        pairs += zip(turns[eager], turns[agar], strict=True)
        now = time.perf_counter() - begin
        if now > BUSY and since is None:
            leave_time(agar.target, limit - now)
        if since is not None:
            since += own
        elif agar.settled() is not False:
            since = 0.0
            if agar.settled():
                final = {"seconds": now, "calls": len(pairs) + 1}
        # some more calls: a plan that has just been swapped in must show itself
        enough = since is not None and since >= 1.0 and len(pairs) >= WINDOW_CALLS
        if enough or (now > limit and len(results) == 3):
            return first, results, pairs, final


def work_row(row: networks.Row, training: bool, options: argparse.Namespace) -> dict[str, Any]:
    """Everything about a row that is measured in one process."""
    device = "cuda" if options.gpu else "cpu"
    clock = Clock(options.gpu)
    tolerance = TOLERANCE_BF16 if options.gpu else TOLERANCE
    kind = "losses" if training else "outputs"
    eager = torch_side(row, training, device=device)
    quiet_down()
    quiet, expected = warm(eager, clock)

    agar = AgarSide(row, training, options.jit, device)
    number = max(1, round(TURN / quiet))
    first, results, pairs, final = through_choice(eager, agar, clock, options.settle, number)
    for i, (a, b) in enumerate(zip(expected, results, strict=True)):
        compare(f"agar's {kind}, call {i + 1},", a, b, tolerance)

    sides: dict[str, Side] = {"eager": eager}
    modes = {"compile": "default"} | ({"overhead": "reduce-overhead"} if options.gpu else {})
    firsts = {}
    notes = []
    if agar.settled() is False:
        notes.append(f"not settled after {options.settle:g} s")
    for name, mode in modes.items():
        try:
            side = torch_side(row, training, mode, device)
            start = time.perf_counter()
            found = [numbers(clock.one(side)[1])]
            firsts[name] = time.perf_counter() - start
            found += [numbers(clock.one(side)[1]) for _ in range(2)]
            for i, (a, b) in enumerate(zip(expected, found, strict=True)):
                compare(f"{kind} of torch.compile, call {i + 1},", a, b, tolerance)
            warm(side, clock)
            sides[name] = side
        except Exception as problem:  # a row without this side is still one beside eager torch
            notes.append(f"torch.compile ({mode}): {type(problem).__name__}: {problem}"[:300])
    sides["agar"] = agar
    before, start = pressure(), time.perf_counter()
    taken, number = steady(sides, options.seconds, clock)
    after, wall = pressure(), time.perf_counter() - start
    waited = None if before is None or after is None else (after - before) / wall
    plan, text = explained(agar.target)

    if not options.gpu:  # agar's last results, against torch from where agar is now
        twin = agar.torch_twin()
        for _ in range(2):
            want, have = numbers(twin()), numbers(agar())
            scale = 0.01 * float(np.abs(expected[0]).max())
            compare(f"agar's last {kind}", want, have, tolerance, scale)

    rounds = [(a * number, b * number) for a, b in zip(taken["eager"], taken["agar"], strict=True)]
    record: dict[str, Any] = {
        "time": {
            name: {"median": statistics.median(t), "best": min(t)} for name, t in taken.items()
        },
        "speed": {
            name: statistics.median(e / t for e, t in zip(taken["eager"], taken[name], strict=True))
            for name in taken
        },
        "window": {
            "worst": worst_window(pairs),
            "against_quiet": worst_window(pairs, quiet),
            "steady": worst_window(rounds),
            "calls": len(pairs),
        },
        "waited": waited,
        "first_here": {"agar": first, **firsts},
        "final": final,
        "plan": plan,
        "explain": text,
        "notes": notes,
    }
    if options.gpu:
        record |= share_of_peak(eager, record["time"])
    if options.peers and not options.gpu:
        record["peers"] = beside_peers(row, training, eager, agar, options)
    if options.oracle and not options.gpu:
        weights = {
            name: p.asnumpy()
            for name, p in AgarSide(row, training, False).cell.parameters_and_names()
        }
        del agar, sides
        gc.collect()
        record["oracle"] = {}
        for mode in ("pynative", "graph"):
            try:
                record["oracle"][mode] = beside_oracle(row, training, mode, weights, eager, options)
            except (OracleFailed, Refused) as problem:
                record["oracle"][mode] = {"error": str(problem)}
    return record


def share_of_peak(eager: Side, times: dict[str, Any]) -> dict[str, Any]:
    """Arithmetic of a call, and what part of the chip's peak each side reaches."""
    from torch.utils.flop_counter import FlopCounterMode

    with FlopCounterMode(display=False) as counter:
        eager()
    flops = counter.get_total_flops()
    chip = torch.cuda.get_device_name()
    peak = next((v for name, v in PEAKS if name in chip), None)
    share = {}
    if peak is not None:
        share = {k: flops / t["median"] / (peak * 1e12) for k, t in times.items()}
    return {"flops": flops, "chip": chip, "peak_tflops": peak, "share": share}


def work_fresh(row: networks.Row, training: bool, options: argparse.Namespace) -> dict[str, Any]:
    """The first call of a new process, and its peak of memory after more calls."""
    device = "cuda" if options.gpu else "cpu"
    clock = Clock(options.gpu)
    before = resident("VmRSS")  # torch is imported; what agar's import takes is agar's
    if options.side == "agar":
        import agar as ms

        ms.set_context(mode=ms.GRAPH_MODE)
    side: Side
    if options.side == "agar":
        side = AgarSide(row, training, options.jit, device)
    else:
        side = torch_side(row, training, device=device)
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):  # what building took is not of interest
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    begin = time.perf_counter()
    first, _ = clock.one(side)
    record: dict[str, Any] = {"first": first, "from_start": time.time() - options.started}
    final, count = None, 1
    times: list[float] = []
    # memory grows with calls, by fragments: torch makes calls for as long as agar at least does
    while count < options.steps or (
        options.steps and time.perf_counter() - begin < (options.settle if final is None else BUSY)
    ):
        times.append(clock.one(side)[0])
        count += 1
        if final is None and (not isinstance(side, AgarSide) or side.settled() is not False):
            final = time.perf_counter() - begin
        elif final is None and time.perf_counter() - begin > BUSY:
            leave_time(side.target, begin + options.settle - time.perf_counter())
    if options.gpu:
        record["memory"] = torch.cuda.max_memory_allocated()
    else:
        record["memory"] = resident("VmHWM") - before
    if times:  # of its own process, where it has the machine and the heap to itself
        record["alone"] = statistics.median(times[-10:])
    return record | {"final": final if options.side == "agar" else None, "calls": count}


def resident(field: str) -> int:
    """Bytes of memory of this process now (VmRSS) or at its peak (VmHWM)."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(f"{field}:"):
                return int(line.split()[1]) * 1024
    import resource

    # no /proc: the peak stands for both; its unit is a byte on macOS, 1024 elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )


def work_overhead(options: argparse.Namespace) -> dict[str, Any]:
    """Microseconds of one call of a small layer: what a call costs before any arithmetic."""
    import agar as ms
    from agar import nn

    device = "cuda" if options.gpu else "cpu"
    clock = Clock(options.gpu)
    if options.gpu:
        ms.set_device("GPU")
    linear, given = torch.nn.Linear(4, 4).to(device), torch.randn(4, 4, device=device)
    x = ms.from_torch(given.clone())

    def dense() -> nn.Cell:
        weight, bias = (ms.from_torch(p.detach().clone()) for p in linear.parameters())
        return nn.Dense(4, 4, weight_init=weight, bias_init=bias).set_train(False)

    eager, graph, jitted = dense(), dense(), ms.jit(dense())
    compiled = torch.compile(linear)
    # name: call, mode of agar, whether torch records gradients
    sides: dict[str, tuple[Any, Any, int | None]] = {
        "nn.Linear": (linear, given, None),
        "torch.compile": (compiled, given, None),
        "agar eager": (eager, x, ms.PYNATIVE_MODE),
        "agar GRAPH_MODE": (graph, x, ms.GRAPH_MODE),
        "agar jit": (jitted, x, ms.PYNATIVE_MODE),
    }
    number = 2000
    taken: dict[str, list[float]] = {name: [] for name in sides}

    def block(name: str) -> float:
        call, argument, mode = sides[name]
        if mode is not None:
            ms.set_context(mode=mode)
        with torch.no_grad() if mode is None else contextlib.nullcontext():
            for _ in range(20):
                call(argument)

            def calls() -> None:
                for _ in range(number):
                    call(argument)

            return clock.one(calls)[0] / number

    expected = numbers(linear(given))
    for name, (call, argument, mode) in sides.items():
        if mode is not None:
            ms.set_context(mode=mode)
        with torch.no_grad() if mode is None else contextlib.nullcontext():
            compare(f"outputs of {name}", expected, numbers(call(argument)), TOLERANCE)
        start = time.perf_counter()
        block(name)
        while settled(call) is False and time.perf_counter() - start < options.settle:
            block(name)
    gc.disable()
    start, order = time.perf_counter(), list(sides)
    while len(taken["nn.Linear"]) < 5 or time.perf_counter() - start < options.seconds:
        for name in order:
            taken[name].append(block(name))
        order.append(order.pop(0))
    gc.enable()
    ms.set_context(mode=ms.GRAPH_MODE)
    compare("agar's last outputs", expected, numbers(graph(x)), TOLERANCE)
    plan, text = explained(graph)
    return {
        "time": {k: {"median": statistics.median(t), "best": min(t)} for k, t in taken.items()},
        "plan": plan,
        "explain": text,
    }


# ------------------------------------------------------------------------- MindSpore


def beside_oracle(
    row: networks.Row,
    training: bool,
    mode: str,
    weights: dict[str, np.ndarray],
    eager: Side,
    options: argparse.Namespace,
) -> dict[str, Any]:
    """MindSpore in turns with torch eager: times, and the median of torch's over MindSpore's.

    Raises:
        OracleFailed: MindSpore cannot run it.
        Refused: its results differ.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "row.npz")
        arrays = {f"weight {k}": v for k, v in weights.items()}
        for i, batch in enumerate(cut(networks.batches(row), training)):
            arrays |= {f"{name} {i}": v for name, v in zip("xy", batch, strict=False)}
        np.savez(file, allow_pickle=False, **arrays)
        command = [options.oracle, str(HERE / "graph_oracle.py"), file]
        command += ["--cell", row.network.__name__, "--arguments", json.dumps(row.arguments)]
        command += ["--rate", str(networks.RATE), "--momentum", str(networks.MOMENTUM)]
        command += ["--train"] * training + ["--graph"] * (mode == "graph")
        oracle = Oracle(command, file, options.oracle_limit)
        try:
            start = oracle.answer()
            found = np.load(file.replace(".npz", ".out.npz"))
            twin = torch_side(row, training)
            for i, result in enumerate(found.values()):
                compare(f"MindSpore's results, call {i + 1},", numbers(twin()), result, TOLERANCE)
            number = max(1, round(0.3 / oracle.seconds(1)))
            times: list[tuple[float, float]] = []
            clock, begin = Clock(False), time.perf_counter()
            own = max(1, round(0.3 / clock.block(eager, 2)))
            while len(times) < 3 or time.perf_counter() - begin < options.seconds:
                other = clock.block(eager, own)
                try:
                    times.append((other, oracle.seconds(number) / number))
                except OracleFailed:
                    if not times:
                        raise
                    break  # a slow one: the rounds that it had must do
        finally:
            oracle.close()
    return {
        "median": statistics.median(b for _, b in times),
        "best": min(b for _, b in times),
        "eager": statistics.median(a for a, _ in times),
        "speed": statistics.median(a / b for a, b in times),
        "first": start["first"],
        "version": start["version"],
    }


# ----------------------------------------------------------------------------- peers


def exported(row: networks.Row, folder: str) -> str:
    """The row's torch network as an ONNX file, with the weights that every side gets.

    Raises:
        OracleFailed: torch cannot export it.
    """
    net, path = networks.module(row).eval(), str(Path(folder) / "row.onnx")
    (x,) = cut(networks.torch_batches(row), False)[0]
    sizes = ({1: torch.export.Dim.DYNAMIC},) if row.lengths else None
    try:
        with contextlib.redirect_stdout(sys.stderr):
            torch.onnx.export(
                net,
                (x,),
                path,
                dynamo=True,
                verbose=False,
                external_data=False,
                dynamic_shapes=sizes,
            )
    except Exception as error:
        raise OracleFailed(f"not exported: {type(error).__name__}: {error}"[:200]) from error
    return path


#: Modules of each peer's Python.
PEER_MODULES = {"onnxruntime": "onnxruntime", "openvino": "openvino", "jax": "jax, flax, optax"}
#: Peers, by whether they train, and the file that runs them.
PEERS = {
    True: {"jax": "graph_jax.py"},
    False: dict.fromkeys(("onnxruntime", "openvino"), "graph_peers.py"),
}


def beside_peers(
    row: networks.Row, training: bool, eager: Side, agar: Side, options: argparse.Namespace
) -> dict[str, Any]:
    """Each peer in turns with torch eager and agar: times and speeds, by both clocks."""
    records: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, script in PEERS[training].items():
            if name not in options.peers:
                continue
            file = str(Path(folder) / f"{name}.npz")
            command = [options.peers[name], str(HERE / script)]
            try:
                command += jax_row(row, file) if training else [name, *onnx_row(row, file, folder)]
                command += ["--threads", str(options.threads)]
                peer = Oracle(command, file, 120 + 3 * options.seconds)
                try:
                    records[name] = beside_peer(
                        row, training, peer, file, eager, agar, options.seconds
                    )
                finally:
                    peer.close()
            except (OracleFailed, Refused) as problem:
                records[name] = {"error": str(problem)}
    return records


def onnx_row(row: networks.Row, file: str, folder: str) -> list[str]:
    """What graph_peers.py is called with: the model, and the batches."""
    model = exported(row, folder)
    np.savez(file, *[x.numpy() for x, _ in networks.torch_batches(row)], allow_pickle=False)
    return [model, file]


def jax_row(row: networks.Row, file: str) -> list[str]:
    """What graph_jax.py is called with: weights and batches, and the network.

    Raises:
        OracleFailed: the network is not written for JAX.
    """
    if row.name in ("encoder", "lstm", "unet", "tagger", "detector"):
        raise OracleFailed("not written for JAX")
    arrays = {f"weight {k}": v.numpy() for k, v in networks.module(row).state_dict().items()}
    for i, batch in enumerate(networks.batches(row)):
        arrays |= {f"{name} {i}": v for name, v in zip("xy", batch, strict=True)}
    np.savez(file, allow_pickle=False, **arrays)
    command = [file, "--network", row.network.__name__, "--arguments", json.dumps(row.arguments)]
    return [*command, "--rate", str(networks.RATE), "--momentum", str(networks.MOMENTUM)]


def beside_peer(
    row: networks.Row,
    training: bool,
    peer: Oracle,
    file: str,
    eager: Side,
    agar: Side,
    seconds: float,
) -> dict[str, Any]:
    start = peer.answer()
    found = np.load(file.replace(".npz", ".out.npz"))
    twin = torch_side(row, training)
    for i, result in enumerate(found.values()):
        # in training a deep network's steps amplify rounding: ResNet-50's third loss by 10,000
        tolerance = TOLERANCE * (10 if training and i else 1)
        compare(f"results, call {i + 1},", numbers(twin()), result, tolerance)

    def own(side: Side) -> Callable[[int], dict[str, float]]:
        def taken(number: int) -> dict[str, float]:
            start, cpu = time.perf_counter(), time.process_time()
            for _ in range(number):
                side()
            return {"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu}

        return taken

    sides = {"eager": own(eager), "agar": own(agar), "peer": peer.taken}
    number = {name: max(1, round(0.2 / take(2)["seconds"] * 2)) for name, take in sides.items()}
    rounds: list[dict[str, dict[str, float]]] = []
    order, begin = list(sides), time.perf_counter()
    while len(rounds) < 5 or time.perf_counter() - begin < 2 * seconds:
        taken = {name: sides[name](number[name]) for name in order}
        rounds.append(
            {n: {k: t[k] / number[n] for k in ("seconds", "cpu")} for n, t in taken.items()}
        )
        order.append(order.pop(0))
    record: dict[str, Any] = {"version": start["version"], "setting": start["setting"]}
    for key in ("seconds", "cpu"):
        record[key] = {n: statistics.median(r[n][key] for r in rounds) for n in sides}
        # of each round: a machine that slows down slows neighbors alike
        for name in ("eager", "agar"):
            ratios = [r["peer"][key] / r[name][key] for r in rounds]
            record[f"{name} to it, {key}"] = statistics.median(ratios)
    return record


# ------------------------------------------------------------------------- the parent


def child(arguments: list[str], cache: str, limit: float) -> dict[str, Any]:
    """Run this file as a worker in a new process, with caches of its own.

    Raises:
        RuntimeError: it failed; the message is the end of its errors.
    """
    with tempfile.TemporaryDirectory() as folder:
        result, log = Path(folder) / "result.json", Path(folder) / "log"
        environment = os.environ | {
            "TORCHINDUCTOR_CACHE_DIR": str(Path(cache) / "inductor"),
            "XDG_CACHE_HOME": cache,
        }
        command = [sys.executable, str(Path(__file__).resolve()), "--result", str(result)]
        command += ["--started", repr(time.time()), *arguments]
        with log.open("w") as errors:
            process = subprocess.Popen(
                command, stdout=errors, stderr=errors, env=environment, start_new_session=True
            )
            try:
                process.wait(limit)
            except subprocess.TimeoutExpired:
                raise RuntimeError(f"no result after {limit:.0f} s") from None
            finally:
                with contextlib.suppress(ProcessLookupError):  # and what it started
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        if not result.exists():
            raise RuntimeError(last_error(log))
        return json.loads(result.read_text())


def fresh(common: list[str], steps: int, cache: str, limit: float) -> dict[str, Any]:
    """First calls and peaks of memory of both sides, each in new processes, in turns.

    agar's first calls have no cache at all; its last process has that of the row, as on a second
    run of a program.
    """

    def run(side: str, count: int, where: str) -> dict[str, Any]:
        return child(
            [*common, "--worker", "fresh", "--side", side, "--steps", str(count)], where, limit
        )

    firsts: dict[str, list[float]] = {"torch": [], "agar": []}
    for _ in range(4):  # a first call is a single call: one that waited for a core says nothing
        firsts["torch"].append(run("torch", 0, cache)["first"])
        with tempfile.TemporaryDirectory() as empty:
            firsts["agar"].append(run("agar", 0, empty)["first"])
    found = {side: run(side, steps, cache) for side in firsts}
    found["agar"]["first_cached"] = found["agar"]["first"]
    for side, times in firsts.items():
        found[side]["first"] = min(times)
    return found


def measure(name: str, training: bool, options: argparse.Namespace) -> dict[str, Any]:
    """The record of a row; a row that fails has its error in it."""
    record: dict[str, Any] = {
        "row": name,
        "training": training,
        "variant": "jit" if options.jit else "GRAPH_MODE",
        "device": "cuda" if options.gpu else "cpu",
        "threads": options.threads,
        "torch": torch.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processor": processor(),
        "when": time.strftime("%Y-%m-%d %H:%M"),
    }
    common = ["--seconds", str(options.seconds), "--settle", str(options.settle)]
    common += ["--threads", str(options.threads), "--row", name]
    common += ["--train" if training else "--infer"]
    common += ["--jit"] * options.jit + ["--gpu"] * options.gpu
    limit = 2 * options.settle + 10 * options.seconds + 400
    with tempfile.TemporaryDirectory() as cache:
        try:
            if name == "overhead":
                return record | child([*common, "--worker", "overhead"], cache, limit)
            arguments = [*common, "--worker", "row"]
            if options.oracle:
                arguments += ["--oracle", options.oracle]
                arguments += ["--oracle-limit", str(options.oracle_limit)]
                limit += 3 * options.oracle_limit
            if options.peers:
                named = [f"{name}={python}" for name, python in options.peers.items()]
                arguments += ["--peers", ",".join(named)]
                limit += len(named) * (200 + 4 * options.seconds)
            record |= child(arguments, cache, limit)
            if not options.fresh:
                return record
            step = record["time"]["eager"]["median"]
            record["fresh"] = fresh(common, max(5, min(50, round(3 / step))), cache, limit)
        except RuntimeError as problem:
            record["error"] = str(problem)
    return record


def read(path: str) -> list[dict[str, Any]]:
    return [json.loads(s) for s in Path(path).read_text().splitlines() if s.strip()]


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    names = ",".join([*(r.name for r in networks.ROWS), "overhead"])
    parser.add_argument("--rows", help=f"which, of {names}; default: all")
    parser.add_argument("--train", action="store_true", help="train steps alone")
    parser.add_argument("--infer", action="store_true", help="inference alone")
    parser.add_argument("--jit", action="store_true", help="@ms.jit instead of GRAPH_MODE")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, help="steady state of a row; default: 8")
    parser.add_argument("--settle", type=float, help="limit for the engine's choice; default: 90")
    parser.add_argument("--quick", action="store_true", help="2 s of steady state, a limit of 30 s")
    parser.add_argument("--oracle", metavar="PYTHON", help="a Python that has MindSpore")
    parser.add_argument("--oracle-limit", type=float, default=90, help="seconds for it in a mode")
    parser.add_argument(
        "--peers",
        metavar="PYTHON,PYTHON",
        help="Pythons that have onnxruntime, openvino or jax with flax; NAME=PYTHON for one alone",
    )
    parser.add_argument("--json", metavar="FILE", help="append the records to this file")
    parser.add_argument("--report", metavar="FILE", help="print the tables of such a file")
    parser.add_argument(
        "--no-fresh", dest="fresh", action="store_false", help="without calls in new processes"
    )
    parser.add_argument("--gpu", action="store_true", help="the rows for a CUDA device")
    for name in ("worker", "row", "side", "result"):
        parser.add_argument(f"--{name}", help=argparse.SUPPRESS)
    parser.add_argument("--steps", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--started", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.seconds = options.seconds or (2 if options.quick else 8)
    options.settle = options.settle or (30 if options.quick else 90)
    rows = networks.GPU_ROWS if options.gpu else networks.ROWS
    known = [*(r.name for r in rows), "overhead"]
    options.names = options.rows.split(",") if options.rows else known
    options.peers = peers_of(options.peers or "")
    unknown = [n for n in options.names if n not in known]
    if unknown:
        parser.error(f"no such row: {', '.join(unknown)}; there are {', '.join(known)}")
    return options


def peers_of(text: str) -> dict[str, str]:
    """The Python of each peer; one that has none is left out, and a line says so."""
    named = dict(p.split("=", 1) for p in text.split(",") if "=" in p)
    for python in [p for p in text.split(",") if p and "=" not in p]:
        for name, modules in PEER_MODULES.items():
            asks = [python, "-c", f"import {modules}"]
            if name not in named and not subprocess.run(asks, capture_output=True).returncode:
                named[name] = python
    for name in PEER_MODULES:
        if text and name not in named:
            print(f"{name} is left out: none of {text} has it", flush=True)
    return named


def work(options: argparse.Namespace) -> None:
    """The main of a child."""
    torch.set_num_threads(options.threads)
    if options.worker == "overhead":
        record = work_overhead(options)
    else:
        rows = networks.GPU_ROWS if options.gpu else networks.ROWS
        row = next(r for r in rows if r.name == options.row)
        run = work_row if options.worker == "row" else work_fresh
        record = run(row, options.train, options)
    # written whole, or not at all
    draft = Path(options.result + ".part")
    draft.write_text(json.dumps(record))
    draft.rename(options.result)


def main() -> None:
    options = parsed()
    if options.report:
        print(report(read(options.report)))
        return
    if options.gpu and not torch.cuda.is_available():
        sys.exit("graph.py --gpu needs a CUDA device that torch can use, and there is none here.")
    if options.worker:
        work(options)
        return
    jobs = []
    for training in (True, False):
        if (not options.train and not options.infer) or (
            options.train if training else options.infer
        ):
            jobs += [(name, training) for name in options.names if name != "overhead"]
    if "overhead" in options.names:
        jobs.append(("overhead", False))
    records, begin = [], time.perf_counter()
    for i, (name, training) in enumerate(jobs):
        what = "" if name == "overhead" else (", train step" if training else ", inference")
        print(
            f"[{time.perf_counter() - begin:5.0f} s] {i + 1}/{len(jobs)} {name}{what}", flush=True
        )
        record = measure(name, training, options)
        print(progress(record), flush=True)
        records.append(record)
        if options.json:
            with Path(options.json).open("a") as file:
                file.write(json.dumps(record) + "\n")
    print(f"[{time.perf_counter() - begin:5.0f} s] done\n")
    print(report(read(options.json) if options.json else records))


if __name__ == "__main__":
    main()
