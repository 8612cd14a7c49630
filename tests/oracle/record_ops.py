"""Record data/oracle/ops.json: ``cd tests && GLOG_v=4 <oracle python> -m oracle.record_ops``.

The questions stand in questions_ops.txt, one a line: ``callable | argument | key=argument``. ``@x``
is the method x of the first argument; `` !! reason`` at the end marks a defect. Gradients are recorded wherever there are float arguments.
"""

from __future__ import annotations

import pathlib
import re

from .recording import framework, record, write
from .replay import operator


def questions(text: str) -> list[dict]:
    """The cases of the question file."""
    cases, family = [], ""
    for line in text.splitlines():
        if not line.strip():
            continue
        if line.startswith("# "):
            family = line[2:]
            continue
        line, _, defect = line.partition("  !! ")
        expr, *parts = line.split(" | ")
        arguments = [part for part in parts if not re.match(r"[a-z_]+=[^=]", part)]
        keywords = dict(part.split("=", 1) for part in parts if part not in arguments)
        case: dict = {"id": f"{family}: {line}", "family": family, "expr": expr, "args": arguments}
        if keywords:
            case["kwargs"] = keywords
        case["grad"] = family != "error"
        if defect:
            case["defect"] = defect
        cases.append(case)
    return cases


def main() -> None:
    ms = framework()
    text = (pathlib.Path(__file__).parent / "questions_ops.txt").read_text()
    result, dropped = record(ms, questions(text), operator)
    write("ops", result, no_cpu_kernel=[d["id"] for d in dropped])


if __name__ == "__main__":
    main()
