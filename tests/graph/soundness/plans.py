"""Every subgraph runs the plan that a test asks for, where it can be had."""

from __future__ import annotations

import contextlib
import math
import re
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from agar._core.graph.autotune import benchmark, tuner, weights
from agar._core.graph.autotune.candidate import Candidate
from agar._core.graph.autotune.tuner import Autotuner
from agar._core.graph.passes import onednn
from graph.soundness.harness import WAYS, Run, observe

PLANS = ("O0", "folded", "OpenVINO", "ONNX Runtime", "channels_last", "products", "O1")


class Forced:
    """What became of the plan.

    Attributes:
        plans: how many subgraphs have it.
        calls: how often it has run.
    """

    def __init__(self) -> None:
        self.plans = self.calls = 0


def _candidates(of: Autotuner, name: str) -> list[Candidate]:
    if name == "folded":
        return of._folded()[:1]
    if name in ("OpenVINO", "ONNX Runtime"):
        results = [c for c in of._by_engines() if c.name == name]
        for c in results:
            assert c.prepare is not None
            c.prepare()
        return results
    if name == "channels_last":
        return of._in_channels_last()[:1]
    if name == "products":
        return of._on_onednn()[:1]
    if not of.subgraph.ops:
        return []
    result = of._request("O1", of.subgraph, False)
    while result.job is not None and result.job.state not in ("failed", "ready"):
        time.sleep(0.01)
    if result.job is not None and result.job.state == "failed":
        result.fail(result.job.error)
    elif result.job is not None:
        of._take(result)
    return [result]


@contextlib.contextmanager
def _at_once() -> Iterator[list[Any]]:
    yield []


def force(patch: pytest.MonkeyPatch, name: str) -> Forced:
    """Let subgraphs run a plan without a comparison of times.

    Args:
        patch: undoes it.
        name: one of `PLANS`.
    """
    forced = Forced()
    if name != "O1":
        patch.setenv("AGAR_COMPILE", "0")
    patch.setattr(
        tuner,
        "background",
        types.SimpleNamespace(start=lambda work, name: work(), is_idle=lambda compilers: True),
    )
    patch.setattr(tuner, "put_off", _at_once)
    patch.setattr(weights, "_REFOLD_AFTER", 2)
    patch.setattr(benchmark, "_LEAST", 1)
    patch.setattr(benchmark, "_MOST", 1)
    patch.setattr(onednn, "_SMALL", 0)
    patch.setattr(onednn, "winner", lambda benchmark: "onednn")

    def begin(self: Autotuner) -> None:
        result = [] if name == "O0" else _candidates(self, name)
        if not result or result[0].run is None:
            self._settle()
            if name == "O0":
                forced.plans += 1
            return
        forced.plans += 1
        plan = result[0].run

        def run(*args: Any) -> Any:
            forced.calls += 1
            return plan(*args)

        self.install(run)

    patch.setattr(Autotuner, "begin", begin)
    return forced


_NUMBER = re.compile(r"-?(?:inf|nan|\d+\.?\d*(?:e[-+]?\d+)?)")


def _numbers(shown: Any, dtype: str) -> np.ndarray:
    if isinstance(shown, bytes):
        return np.frombuffer(shown, dtype.removeprefix("torch.")).astype(np.float64)
    return np.array([float(n) for n in _NUMBER.findall(shown)])


def near(a: Any, b: Any) -> bool:
    """Whether what was seen is the same but for rounding."""
    if a == b:
        return True
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)) and len(a) == len(b):
        if len(a) == 4 and isinstance(a[1], str) and a[1].startswith("torch.float"):
            if a[:3] != b[:3]:
                return False
            x, y = _numbers(a[3], a[1]), _numbers(b[3], b[1])
            return x.shape == y.shape and np.allclose(x, y, 1e-3, 1e-4, equal_nan=True)
        return all(near(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, str) and isinstance(b, str) and _NUMBER.sub("", a) == _NUMBER.sub("", b):
        pairs = zip(_NUMBER.findall(a), _NUMBER.findall(b), strict=True)
        return all(math.isclose(float(x), float(y), rel_tol=1e-3, abs_tol=1e-4) for x, y in pairs)
    return False


def check_plan(
    program: Callable[[Run], Iterator[Any]], name: str, patch: pytest.MonkeyPatch
) -> Forced:
    """Want a program to show the same as in PYNATIVE_MODE when a plan is forced."""
    plain, _ = observe(program, "pynative")
    forced = force(patch, name)
    for way in WAYS[1:]:
        rows, _ = observe(program, way, plans=True)
        assert len(rows) == len(plain)
        for i, (then, now) in enumerate(zip(plain, rows, strict=True)):
            where = f"{name}, {way}, step {i + 1}"
            assert near(then[0], now[0]), f"{where}: expected {then[0]!r:.400}, got {now[0]!r:.400}"
            assert now[1][:3] == then[1][:3], f"{where}: the state of random generators differs"
    return forced
