"""Record data/oracle/numerics.json: ``cd tests && GLOG_v=4 <oracle python> -m oracle.record_numerics``.

The questions stand in questions_numerics.txt, in the form of questions_ops.txt: edges of operators,
that is nan, zero divisors, empty tensors, gradients to labels, and types of results. Each runs in a
process of its own: some of MindSpore's errors end it.
"""

from __future__ import annotations

import json
import os
import pathlib

from . import encoding
from .record_ops import questions
from .recording import framework, has_kernel, write
from .replay import operator


def apart(ms, case: dict) -> dict:
    """The result of a case, with its messages, or an error where the process ended."""
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        result = operator(ms, case)
        with os.fdopen(outward, "w") as stream:
            json.dump(result, stream)
        os._exit(0)
    os.close(outward)
    with os.fdopen(inward) as stream:
        text = stream.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"output": {"error": "the process ended"}}


def main() -> None:
    ms = framework()
    text = (pathlib.Path(__file__).parent / "questions_numerics.txt").read_text()
    remaining, dropped = [], []
    for case in questions(text):
        result = apart(ms, case)
        output, grad = result["output"], result.get("grad")
        if isinstance(grad, dict) and "error" in grad:
            del result["grad"]
            result["no_grad_on_cpu"] = True
        message = output.get("message", "") if isinstance(output, dict) else ""
        if not has_kernel(message) or "Kernel select failed" in message:
            dropped.append(case["id"])
        else:
            remaining.append({**case, "result": encoding.without_messages(result)})
    write("numerics", remaining, no_cpu_kernel=dropped)


if __name__ == "__main__":
    main()
