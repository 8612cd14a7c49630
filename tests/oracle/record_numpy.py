"""Record data/oracle/numpy.json: ``cd tests && GLOG_v=4 <oracle python> -m oracle.record_numpy``.

The questions stand in questions_numpy.txt in the form of questions_ops.txt, with names under
``ms.numpy`` (or a ``lambda``); ``grad=0`` leaves the gradient out.
"""

from __future__ import annotations

import pathlib

from .record_ops import questions
from .recording import framework, record, write
from .replay import operator


def cases(text: str) -> list[dict]:
    """The cases of the question file."""
    items = []
    for case in questions(text):
        if not case["expr"].startswith("lambda"):
            case["expr"] = f"ms.numpy.{case['expr']}"
        if case.get("kwargs", {}).pop("grad", None):
            case["grad"] = False
        items.append(case)
    return items


def main() -> None:
    ms = framework()
    text = (pathlib.Path(__file__).parent / "questions_numpy.txt").read_text()
    result, dropped = record(ms, cases(text), operator)
    write("numpy", result, no_cpu_kernel=[d["id"] for d in dropped])


if __name__ == "__main__":
    main()
