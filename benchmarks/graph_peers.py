"""ONNX Runtime and OpenVINO as workers of benchmarks/graph.py, for inference.

`graph.py` starts this file under a Python that has the package, and stops the process while others
are timed: threads that spin would take their cores. Each peer runs at the best of its settings,
which are tried here. It sends what `graph_oracle.py` sends, and the processor's time as well.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

MARK = "@@"
#: Calls in a trial of one setting.
TRIALS = 7

Call = Callable[[np.ndarray], np.ndarray]


def onnxruntime_settings(path: str, threads: int) -> Iterator[tuple[str, Call]]:
    import onnxruntime

    for spins in (True, False):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.add_session_config_entry("session.intra_op.allow_spinning", str(int(spins)))
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        name = session.get_inputs()[0].name

        def call(x: np.ndarray, session: Any = session, name: str = name) -> np.ndarray:
            return session.run(None, {name: x})[0]

        yield f"spinning {'on' if spins else 'off'}", call


def openvino_settings(path: str, threads: int) -> Iterator[tuple[str, Call]]:
    import openvino

    core = openvino.Core()
    for hint in ("LATENCY", "THROUGHPUT"):
        settings = {
            "INFERENCE_NUM_THREADS": threads,
            "PERFORMANCE_HINT": hint,
            "NUM_STREAMS": "1",
            # by itself it computes in bfloat16 where the processor can
            "INFERENCE_PRECISION_HINT": "f32",
        }
        request = core.compile_model(path, "CPU", settings).create_infer_request()

        def call(x: np.ndarray, request: Any = request) -> np.ndarray:
            request.infer([x], share_inputs=True)
            return request.get_output_tensor(0).data.copy()

        yield hint.lower(), call


PEERS = {"onnxruntime": onnxruntime_settings, "openvino": openvino_settings}


def best(settings: Iterator[tuple[str, Call]], x: np.ndarray) -> tuple[str, Call, float]:
    """The fastest setting: its name, its call, and the seconds of its first call."""
    chosen: tuple[float, str, Call, float] | None = None
    start = time.perf_counter()
    for name, call in settings:
        call(x)
        first = time.perf_counter() - start
        times = []
        for _ in range(TRIALS):
            start = time.perf_counter()
            call(x)
            times.append(time.perf_counter() - start)
        if chosen is None or statistics.median(times) < chosen[0]:
            chosen = statistics.median(times), name, call, first
        start = time.perf_counter()
    assert chosen is not None
    return chosen[1:]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("peer", choices=[*PEERS])
    parser.add_argument("model", help="an ONNX file")
    parser.add_argument("file", help=".npz with batches; results are put beside it")
    parser.add_argument("--threads", type=int, required=True)
    options = parser.parse_args()
    given = np.load(options.file)
    batches = [given[name] for name in given]
    setting, call, first = best(PEERS[options.peer](options.model, options.threads), batches[0])
    count = 0

    def calls(number: int) -> Any:
        nonlocal count
        result = None
        for _ in range(number):
            result = call(batches[count % len(batches)])
            count += 1
        return result

    def say(**what: Any) -> None:
        print(MARK + json.dumps(what), flush=True)

    np.savez(options.file.replace(".npz", ".out.npz"), *[calls(1) for _ in batches])
    version = __import__(options.peer).__version__
    say(first=first, version=version.partition("-")[0], setting=setting)
    for line in sys.stdin:
        start, own = time.perf_counter(), time.process_time()
        calls(int(line))
        say(seconds=time.perf_counter() - start, cpu=time.process_time() - own)


if __name__ == "__main__":
    main()
