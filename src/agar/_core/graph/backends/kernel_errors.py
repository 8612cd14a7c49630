"""Errors in generated kernels reach Python, where TorchInductor would let them end the process.

A kernel checks its indices by throwing, also inside loops that OpenMP divides among threads. An
exception that leaves such a loop ends the process (OpenMP allows nothing else): with one index out
of an embedding's range the program is gone. So each of these loops catches, the loops after it do
nothing, and the first error is thrown again when the threads have joined.
"""

from __future__ import annotations

import functools
import re
from typing import Any

__all__ = ["errors_leave_threads", "install"]

_PARALLEL = "#pragma omp parallel"
_CHECK = "TORCH_CHECK("
_SHARED = re.compile(r"\s*#pragma omp (?:for\b(?:.*collapse\((\d+)\))?|(single)\b)")

_DECLARED = "std::atomic<bool> agar_failed{false}; std::exception_ptr agar_error;"
_BEFORE = "if (!agar_failed.load(std::memory_order_relaxed)) { try {"
_BEHIND = (
    "} catch (...) { if (!agar_failed.exchange(true)) agar_error = std::current_exception(); } }"
)
_THROWN = "if (agar_error) std::rethrow_exception(agar_error);"


def _end(lines: list[str], start: int) -> int:
    """The line of the brace that closes the one at the line `start`."""
    depth = 0
    for i in range(start, len(lines)):
        depth += lines[i].count("{") - lines[i].count("}")
        if depth == 0:
            return i
    raise ValueError("the braces of a generated kernel do not match")


def _block(lines: list[str], start: int, loops: int) -> int:
    """The line of the brace that opens the innermost body of nested loops."""
    i = start
    for _ in range(loops):
        while lines[i].strip() == "{":
            i += 1
        if not lines[i].lstrip().startswith("for("):
            raise ValueError(f"a loop of a generated kernel has another form: {lines[i].strip()}")
        i += 1
    if lines[i].strip() != "{":
        raise ValueError(f"a block of a generated kernel has another form: {lines[i].strip()}")
    return i


def errors_leave_threads(code: str) -> str:
    """The C++ of a kernel, whose errors in loops of several threads are thrown behind them.

    Raises:
        ValueError: the code has a form that is not known.
    """
    if _CHECK not in code or _PARALLEL not in code:
        return code
    lines = code.split("\n")
    head = next((i for i, s in enumerate(lines) if s.startswith('extern "C"')), None)
    if head is None:
        raise ValueError("a generated kernel has no function")
    body = next(i for i in range(head, len(lines)) if lines[i].strip() == "{")
    before: dict[int, list[str]] = {_end(lines, body): [_THROWN]}
    behind: dict[int, list[str]] = {body: [_DECLARED]}
    for i, line in enumerate(lines):
        match = _SHARED.match(line)
        if match is None:
            continue
        start = _block(lines, i + 1, 0 if match[2] else int(match[1] or 1))
        behind.setdefault(start, []).append(_BEFORE)
        before.setdefault(_end(lines, start), []).append(_BEHIND)
    written: list[str] = []
    for i, line in enumerate(lines):
        written += [*before.get(i, ()), line, *behind.get(i, ())]
    return "\n".join(written)


def install() -> None:
    """Have TorchInductor write such kernels in this process."""
    from torch._inductor.codegen.cpp import KernelGroup

    original: Any = KernelGroup.codegen_group
    if hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def codegen_group(self: Any, name: Any = None) -> str:
        return errors_leave_threads(original(self, name))

    KernelGroup.codegen_group = codegen_group
