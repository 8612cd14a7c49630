"""Shared by the record_*.py scripts: run cases on MindSpore and write one data file."""

from __future__ import annotations

import json
import pathlib
import sys
import warnings
from collections.abc import Callable
from typing import Any

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "oracle"

# Errors that say "this build has no kernel": nothing about MindSpore's behavior can be learned.
NO_KERNEL = (
    "unregistered",
    "KernelMod Init Failed",
    "Unsupported op [",
    "operator[",
    "is not supported on this device",
    "support Ascend only",
    "Unsupported data type",
    "Launch kernel failed",
    "Create device context failed",
    "not supported on CPU",
    "Select CPU operator",
    "Create kernelmod for op",
    "Not found op",
    "does not support this kernel data type",
)


def framework() -> Any:
    """MindSpore, with errors raised where they arise."""
    warnings.filterwarnings("ignore")
    import mindspore

    mindspore.set_context(pynative_synchronize=True)
    return mindspore


def leave_float_scopes(ms: Any) -> None:
    """Undo what an exception inside a cell with to_float leaves behind: its type stays active."""
    from mindspore.common.api import _pynative_executor
    from mindspore.nn.cell import MixedPrecisionType

    for _ in range(8):
        if (ms.Tensor([1.0], ms.float32) * 2.0).dtype == ms.float32:
            return
        _pynative_executor.set_mixed_precision_type(MixedPrecisionType.NOTSET, False)
    raise RuntimeError("a float scope of MindSpore could not be left")


def has_kernel(text: str) -> bool:
    """False when an error message means a missing CPU kernel."""
    return not any(part in text for part in NO_KERNEL)


def write(name: str, cases: list, **extra: Any) -> None:
    """Write ``data/oracle/<name>.json``, one case a line, so that changes show in a diff."""
    import mindspore

    if "--check" in sys.argv:
        return check(name, cases)
    DATA.mkdir(parents=True, exist_ok=True)
    head = {"mindspore": mindspore.__version__, "device": "CPU", **extra}
    lines = [json.dumps(case, separators=(",", ":"), allow_nan=False) for case in cases]
    text = (
        '{"about":'
        + json.dumps(head, separators=(",", ":"))
        + ',\n"cases":[\n'
        + ",\n".join(lines)
        + "\n]}\n"
    )
    path = DATA / f"{name}.json"
    path.write_text(text)
    print(f"{name}: {len(cases)} cases, {len(text)} bytes", file=sys.stderr)


def check(name: str, cases: list) -> None:
    """Compare with the file. `record` ran in reverse, so what depends on earlier cases shows.

    MindSpore's errors can leave a state behind that changes later results.
    """
    from .encoding import differences

    recorded = {
        case["id"]: case for case in json.loads((DATA / f"{name}.json").read_text())["cases"]
    }
    for case in cases:
        before = recorded.pop(case["id"], None)
        problems = (
            ["not in the file"] if before is None else differences(before["result"], case["result"])
        )
        for problem in problems:
            print(f"CHECK {case['id']}: {problem}", file=sys.stderr)
    for identifier in recorded:
        print(f"CHECK {identifier}: only in the file", file=sys.stderr)


def record(
    ms: Any, cases: list[dict], run: Callable[[Any, dict], Any], prelude: str = ""
) -> tuple[list[dict], list[dict]]:
    """Run the cases; returns those with a result, and those that this build has no kernel for."""
    from . import encoding, replay

    if "--check" in sys.argv:
        cases = cases[::-1]
    remaining, dropped = [], []
    messages: list[str] = []
    original = encoding.encode_error

    def remember(error: BaseException) -> dict:
        messages.append(f"{type(error).__name__}: {error}")
        return original(error)

    replay.encode_error = remember
    seen: set[str] = set()
    for case in cases:
        if case["id"] in seen:
            raise ValueError(f"two cases are called {case['id']}")
        seen.add(case["id"])
        del messages[:]
        result = run(ms, replay.with_prelude(case, prelude))
        if messages:
            leave_float_scopes(ms)
        missing = [m for m in messages if not has_kernel(m)]
        for message in messages:
            print(f"{case['id']}: {message.splitlines()[0][:200]}", file=sys.stderr)
        grad = result.get("grad") if isinstance(result, dict) else None
        if isinstance(grad, dict) and "error" in grad:
            # The forward figures are good; a gradient that this build cannot compute is left out.
            del result["grad"]
            result["no_grad_on_cpu"] = True
            missing = []
        if missing:
            dropped.append({"id": case["id"]})
            continue
        remaining.append({**case, "result": encoding.without_messages(result)})
    return remaining, dropped
