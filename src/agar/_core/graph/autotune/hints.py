"""Which plan was the fastest, remembered across processes: the next one tries it alone.

A hint is no result: the plan that it names is prepared and compared with O0 on a real call like any
other, and if it cannot be had, or differs, all plans are tried as if there were no hint. Nothing in
a hint is run.

NOTE What a hint depends on is in its name, a SHA-256: the operations and metadata of the subgraph,
versions of torch and Python, agar's own code of plans, the processor, threads, settings, and
whether there is a compiler. After a week a hint is not believed any more, and plans are timed anew;
after a day if other work had the cores while they were timed. That O0 is the fastest is not
remembered then: noise hides a gain more often than it makes one up. With ``AGAR_PLAN_HINTS=0`` no
hint is read or left.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agar._core.context import get_context
from agar._core.gc_pause import collector_at_rest
from agar._core.graph import background
from agar._core.graph.ir.graph import Host, Op, Subgraph

__all__ = ["Hint", "Remembered"]

#: Plans that a hint may name.
_PLANS = frozenset(
    {
        "O0",
        "folded",
        "OpenVINO",
        "ONNX Runtime",
        "channels_last",
        "oneDNN products",
        "O1",
        "O1 in parts",
        "O1 folded",
        "O1 with channels_last",
        "O1 with oneDNN products",
    }
)
_DAY = 86400.0
_WEEK = 7 * _DAY
#: Kernels and characters that a hint may hold.
_MOST, _LONGEST = 4096, 1024


class Hint:
    """What an earlier process has found out about a subgraph.

    Attributes:
        plan: the name of its fastest plan.
        gain: the time of O0 over that plan's.
        kernels: winners of benchmarks that the plan was prepared with, by what they depend on.
        busy: whether other work had the cores while plans were timed.
    """

    __slots__ = ("busy", "gain", "kernels", "plan")

    def __init__(self, plan: str, gain: float, kernels: dict[str, str], busy: bool = False) -> None:
        self.plan = plan
        self.gain = gain
        self.kernels = kernels
        self.busy = busy


class Remembered:
    """The hint of one subgraph, looked up beside the calls.

    Args:
        subgraph: the plans' subgraph.
        prepare: is called in the background when there is a hint, before it is given out.

    Attributes:
        hint: None while it is looked up, and where there is none.
    """

    def __init__(self, subgraph: Subgraph, prepare: Callable[[], None]) -> None:
        self.hint: Hint | None = None
        self._key: str | None = None
        self._subgraph: Subgraph | None = subgraph
        self._prepare = prepare
        if os.environ.get("AGAR_PLAN_HINTS") != "0":
            background.start(self._look, "agar hints")

    def _look(self) -> None:
        try:
            with collector_at_rest():
                subgraph, self._subgraph = self._subgraph, None
                assert subgraph is not None
                self._key = _key_of(subgraph)
                hint = None if self._key is None else _read(self._key)
                if hint is not None:
                    self._prepare()
                self.hint = hint
        except Exception:  # plans are found without hints as well
            self._key = None

    def write(self, hint: Hint) -> None:
        """Remember what this process has found out, in the background."""
        key = self._key
        useless = hint.busy and hint.plan == "O0"
        if key is not None and len(hint.kernels) <= _MOST and not useless:
            background.start(lambda: _write(key, hint), "agar hints")


# ------------------------------------------------------------------------------------------ names


def _key_of(subgraph: Subgraph) -> str | None:
    """The name of a subgraph's hint; None where it cannot be told from others."""
    text = _text_of(subgraph)
    code = _code()
    if text is None or code is None:
        return None
    inductor = _inductor()
    engines = importlib.import_module("agar._core.graph.backends.engine_model").ENGINES
    settings = inductor._settings(
        {
            "hint": code,
            "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0,
            "memory": get_context("memory_optimize_level"),
            "compiler": inductor.available(),
            "engines": [(e.name, e.available() or e.version) for e in engines],
        }
    )
    devices = sorted({str(meta.device) for meta in subgraph.metas.values()})
    return inductor._key(text, settings, devices)


def _inductor() -> Any:
    return importlib.import_module("agar._core.graph.backends.inductor")


def _text_of(subgraph: Subgraph) -> str | None:
    """A subgraph as text, equal in each process that records the same program."""
    lines = [
        f"{_name_of(op)} {op.args!r} {sorted(op.kwargs.items())!r} {op.outs!r}"
        for op in subgraph.ops
    ]
    for v, meta in sorted(subgraph.metas.items()):
        if any(type(n) is not int for n in meta.shape):
            return None  # sizes without a number
        where = (meta.storage, meta.offset)
        lines.append(f"{v} {meta.shape} {meta.stride} {meta.dtype} {meta.device} {where}")
    held = [v in subgraph.captured for v in subgraph.ins]
    lines.append(f"{subgraph.ins} {held} {subgraph.outs} {subgraph.read} {subgraph.marks}")
    text = "\n".join(lines)
    return None if " at 0x" in text else text


def _name_of(op: Op) -> str:
    if isinstance(op.func, Host):
        return f"host {op.func.gives} {getattr(op.func.fn, '__qualname__', '')}"
    return str(op.func)


@functools.cache
def _code() -> str | None:
    """A checksum of the code that prepares and times plans; None where it cannot be read."""
    whole = hashlib.sha256()
    top = Path(__file__).parent.parent
    try:
        for folder in ("autotune", "backends", "ir", "passes"):
            for path in sorted((top / folder).glob("*.py")):
                whole.update(path.read_bytes())
    except OSError:
        return None
    return whole.hexdigest()


# ------------------------------------------------------------------------------------------ files


def _path_of(key: str) -> Path:
    return _inductor()._path_of(key).with_suffix(".hint")


def _read(key: str) -> Hint | None:
    """The hint of that name, if it is ours, whole, recent and sensible."""
    content = _inductor().read_file(_path_of(key))
    return None if content is None else _understood(content[0], key, time.time())


def _understood(header: Any, key: str, now: float) -> Hint | None:
    plan, gain, kernels = (header.get(name) for name in ("plan", "gain", "kernels"))
    until = header.get("until")
    if header.get("kind") != "hint" or header.get("key") != key or plan not in _PLANS:
        return None
    if type(until) is not float or not now < until <= now + _WEEK + 60.0:
        return None
    if type(gain) is not float or not (math.isfinite(gain) and 0.01 < gain < 1000.0):
        return None
    if type(kernels) is not dict or len(kernels) > _MOST:
        return None
    if any(type(w) is not str or max(len(k), len(w)) > _LONGEST for k, w in kernels.items()):
        return None
    return Hint(plan, gain, kernels)


def _write(key: str, hint: Hint) -> None:
    inductor = _inductor()
    header = {
        "kind": "hint",
        "key": key,
        "plan": hint.plan,
        "gain": hint.gain,
        "kernels": hint.kernels,
        "until": time.time() + (_DAY if hint.busy else _WEEK),
    }
    try:
        json.dumps(header)
        inductor.write_file(str(_path_of(key)), inductor.pack(header, []))
    except (OSError, ValueError, TypeError):
        return  # a folder that cannot be written to: the next process tries all plans again
