"""Errors in generated kernels reach Python, where TorchInductor would let them end the process.

A kernel checks its indices by throwing, also inside loops that OpenMP divides among threads. An
exception that leaves such a loop ends the process (OpenMP allows nothing else): with one index out
of an embedding's range the program is gone. So each of these loops catches, the loops after it do
nothing, and the first error is thrown again when the threads have joined.

Changes of inputs come last: after an error everything is as it was before the call, whatever the
compiler puts together. Where that cannot be had, the part is not compiled (`MixedChange`).
"""

from __future__ import annotations

import functools
import re
from typing import Any

from agar._core.graph.backends.lowering import RAISING_PREFIXES

__all__ = ["MixedChange", "errors_leave_threads", "install"]

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


class MixedChange(Exception):
    """A kernel would change an input and could raise halfway."""


def _may_raise(node: Any) -> bool:
    """Whether a node of TorchInductor's scheduler may raise for the values that it gets."""
    body = getattr(node, "_body", None)
    if body is not None:
        checks = ("check_bounds", "device_assert_async")
        return bool(body.indirect_vars) or any(map(body.has_op, checks))
    kernel = node.node
    if node.is_template() or kernel is None:
        return False
    schema = getattr(getattr(kernel, "op_overload", None), "_schema", None)
    if schema is not None and schema.name.startswith(RAISING_PREFIXES):
        return True
    return not all(i.get_dtype().is_floating_point for i in kernel.inputs)


def _changes_inputs_last(scheduler: Any) -> None:
    """Have what changes inputs of the graph wait for everything that may raise.

    Raises:
        MixedChange: one node does both, or what raises reads what was changed.
    """
    from torch._inductor.dependencies import WeakDep
    from torch._inductor.virtualized import V

    given = V.graph.graph_inputs

    def changes(node: Any) -> bool:
        names = [m for b in node.get_outputs() for m in b.get_mutations()]
        return any(scheduler.mutation_real_name.get(n, n) in given for n in names)

    on_cpu = [n for n in scheduler.nodes if (d := n.get_device()) is None or d.type == "cpu"]
    changing = [n for n in on_cpu if changes(n)]
    raising = [n for n in on_cpu if changing and _may_raise(n)]
    earlier = {name for n in changing for name in n.get_buffer_names()}
    for node in scheduler.nodes:  # in an order that is right
        if any(d.name in earlier for d in node.unmet_dependencies):
            earlier.update(node.get_buffer_names())
    for node in raising:
        if earlier.intersection(node.get_buffer_names()):
            raise MixedChange("an index is checked while an input is changed, or after it was")
    # newer than the oldest PyTorch that is supported: that memory need not be kept for it
    order_only = (True,) if "is_fake" in WeakDep.__dataclass_fields__ else ()
    for node in changing:
        (own, *_) = node.get_buffer_names()
        for other in raising:
            for name in other.get_buffer_names():
                node.add_fake_dep(WeakDep(name, own, *order_only))
    if raising:
        scheduler.nodes = scheduler.topological_sort_schedule(scheduler.nodes)


def install() -> None:
    """Have TorchInductor write such kernels in this process."""
    from torch._inductor.codegen.cpp import KernelGroup
    from torch._inductor.scheduler import Scheduler

    original: Any = KernelGroup.codegen_group
    if hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def codegen_group(self: Any, name: Any = None) -> str:
        return errors_leave_threads(original(self, name))

    ancestors: Any = Scheduler.compute_ancestors

    @functools.wraps(ancestors)
    def compute_ancestors(self: Any) -> None:
        if not hasattr(self, "_agar_ordered"):  # before nodes are joined
            self._agar_ordered = True
            _changes_inputs_last(self)
        ancestors(self)

    KernelGroup.codegen_group = codegen_group
    Scheduler.compute_ancestors = compute_ancestors
