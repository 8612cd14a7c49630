"""Record data/oracle/tensor.json: ``cd tests && GLOG_v=4 <oracle python> -m oracle.record_tensor``.

The questions stand in questions_tensor.txt, one a line: statements and a final expression separated
by `` ;; ``; ``# family`` lines name the family; `` !! reason`` at the end marks what is a defect.
"""

from __future__ import annotations

import pathlib

from .recording import framework, record, write
from .replay import expression

PRELUDE = "import copy, pickle\n"


def questions(text: str) -> list[dict]:
    """The cases of a question file."""
    cases, family = [], ""
    for line in text.splitlines():
        if not line.strip():
            continue
        if line.startswith("# "):
            family = line[2:]
            continue
        line, _, defect = line.partition("  !! ")
        *statements, expr = line.split(" ;; ")
        case = {"id": line, "family": family, "expr": expr}
        if statements:
            case["setup"] = "\n".join(statements) + "\n"
        if defect:
            case["defect"] = defect
        cases.append(case)
    return cases


def main() -> None:
    ms = framework()
    text = (pathlib.Path(__file__).parent / "questions_tensor.txt").read_text()
    result, dropped = record(ms, questions(text), expression, PRELUDE)
    write("tensor", result, prelude=PRELUDE, no_cpu_kernel=[d["id"] for d in dropped])


if __name__ == "__main__":
    main()
