"""Whether a plan does what O0 does, on a real call, which O0 serves."""

from __future__ import annotations

import collections
import math
from collections.abc import Iterable
from typing import Any

import torch

from agar._core.graph.backends.o0 import run_each
from agar._core.graph.ir.graph import (
    Chunk,
    Meta,
    Op,
    Subgraph,
    changed_storages,
    outputs_of,
    used_by,
)

__all__ = ["check_chunks", "difference", "first_difference", "largest", "observed", "perturb"]

_TOLERANCE = {torch.float64: 1e-7, torch.float32: 2e-3, torch.bfloat16: 3e-2, torch.float16: 1e-2}
_PERTURBATION = 4  # roundings that a perturbed value is away
_NOISE = 4  # times that what a perturb changes may differ: plans round at every operation


def difference(expected: Any, result: Any, perturbed: Any = None) -> str | None:
    """How two results differ beyond rounding, or None.

    Args:
        expected: what O0 gave.
        result: what the other plan gave.
        perturbed: what O0 gives for inputs that are some roundings away (see :func:`perturb`); a
        network
            may amplify those to more than the tolerance, and nobody can tell plans apart below
            that. Default: None, not known.
    """
    if not isinstance(expected, torch.Tensor):
        return None
    if expected.shape != result.shape or expected.dtype != result.dtype:
        metadata = [f"{t.dtype}{list(t.shape)}" for t in (result, expected)]
        return f"a result is {metadata[0]}, not {metadata[1]}"
    if not expected.numel():
        return None
    if not (expected.is_floating_point() or expected.is_complex()):
        allowed = 0 if perturbed is None else _NOISE * int((perturbed != expected).sum())
        return None if int((result != expected).sum()) <= allowed else "whole numbers differ"
    a, b = expected.detach(), result.detach()
    c = a if perturbed is None else perturbed.detach()
    if a.dtype.itemsize < 4:
        a, b, c = a.float(), b.float(), c.float()
    scale, worst = largest(a), largest(a - b)
    if not math.isfinite(worst):
        odd = ~torch.isfinite(a)
        if not torch.equal(odd, ~torch.isfinite(b)):
            return "infinities or NaN stand at other places"
        a, b, c = a[~odd], b[~odd], c[~odd]
        if not a.numel():
            return None
        scale, worst = largest(a), largest(a - b)
    allowed = _TOLERANCE.get(expected.dtype, 2e-3) * scale + 1e-6
    noise = 0.0 if perturbed is None else largest(a - c)
    if math.isfinite(noise):
        allowed = max(allowed, _NOISE * noise)
    if worst > allowed:
        return f"results differ by {worst:.3g}, where {allowed:.3g} would be rounding"
    return None


def first_difference(
    expected: Iterable[Any], result: Iterable[Any], perturbed: Iterable[Any] | None = None
) -> str | None:
    """How the first of several results that differ does so, or None; see :func:`difference`."""
    columns = (expected, result) if perturbed is None else (expected, result, perturbed)
    for row in zip(*columns, strict=True):
        problem = difference(*row)
        if problem is not None:
            return problem
    return None


def largest(t: torch.Tensor) -> float:
    """The largest absolute value; NaN if there is one. A tenth of the time of ``t.abs().max()``."""
    if t.is_complex():
        t = torch.view_as_real(t.resolve_conj())
    low, high = torch.aminmax(t)
    return float(torch.maximum(-low, high))


def perturb(value: Any, which: int = 0) -> Any:
    """A floating-point tensor with each number some roundings away; anything else as it is.

    Args:
        value: what is perturbed.
        which: tensors of different numbers are perturbed differently. Default: 0.
    """
    if not isinstance(value, torch.Tensor) or not value.is_floating_point():
        return value
    # not torch's generators: what the program draws stays as it is
    start = 25 * which
    sign = (
        torch.arange(start, start + value.numel(), device=value.device)
        .mul_(40503)
        .bitwise_and_(64)
        .sub_(32)
    )
    by = sign.sign_().reshape(value.shape).to(value.dtype)
    return value.detach() * (1 + _PERTURBATION * torch.finfo(value.dtype).eps * by)


def check_chunks(
    subgraph: Subgraph, plan: list[Op], env: dict[int, Any], careful: bool = False
) -> tuple[str | None, Any]:
    """Run a subgraph once, comparing each compiled part with the operations it stands for.

    The operations serve the call; parts run over copies of what they change. `env` is used up:
    every value leaves it after its last use, so that the check needs little more memory than a
    call.

    Args:
        subgraph: what is run.
        plan: its operations, some of them in compiled parts.
        env: the inputs by variable.
        careful: whether a part that differs is judged by what its operations make of perturbed
        inputs.
            This takes a copy more of what a part changes. Default: False.

    Returns:
        What differs, or None, and the result of the subgraph's function.
    """
    problem = None
    read = None
    done: list[Op] = []
    metas = subgraph.metas
    last = _last_uses(subgraph, plan)
    for at, op in enumerate(plan):
        part = op.func.part if isinstance(op.func, Chunk) else None
        if part is None:
            read = run_each([op], env, done)
            _release(env, last, (at, 0))
            continue
        storages = changed_storages(part.ops, metas)
        copies = {
            v: env[v].clone() if v in metas and metas[v].storage in storages else env[v]
            for v in part.ins
        }
        before = {v: t.clone() for v, t in copies.items() if careful and t is not env[v]}
        result: Any = ()
        if problem is None:
            try:
                result = op.func.run(*[copies[v] for v in part.ins])
            except Exception as error:
                problem = f"it raises {type(error).__name__}: {error}"
        for i, o in enumerate(part.ops):
            run_each([o], env, done)
            _release(env, last, (at, i))
        if result:
            # places of maxima that only another part reads may be those of equal elements
            theirs = {
                v: t
                for v, t in zip(part.outs, result, strict=True)
                if v in subgraph.outs or env[v].is_floating_point() or env[v].is_complex()
            } | {v: t for v, t in copies.items() if t is not env[v]}
            ours = [env[v] for v in theirs]
            problem = first_difference(ours, theirs.values())
            if problem is not None and careful:
                other = {v: perturb(before.get(v, env[v]), v) for v in part.ins}
                run_each(part.ops, other)
                problem = first_difference(ours, theirs.values(), [other[v] for v in theirs])
                del other
            del ours, theirs
        del copies, before, result
        _release(env, last, (at, len(part.ops)))
    return problem, (read if subgraph.read else None, tuple([env[v] for v in subgraph.outs]))


def observed(subgraph: Subgraph, env: dict[int, Any]) -> tuple[Any, dict[int, Meta]]:
    """Run a subgraph's operations one by one and observe the metadata of every variable.

    `env` is used up, as by :func:`check_chunks`.

    Returns:
        The result of the subgraph's function, and the metadata by variable: strides, and which
        variables share memory while both are in use.
    """
    last = _last_uses(subgraph, subgraph.ops)
    metas = dict(subgraph.metas)
    places = {v: _place(value) for v, value in env.items() if v in metas}
    storages = {place: metas[v].storage for v, place in places.items()}
    holders = collections.Counter(places.values())
    fresh = 1 + max([0, *(m.storage for m in metas.values())])
    read = None
    for at, op in enumerate(subgraph.ops):
        read = run_each([op], env)
        for v in outputs_of(op):
            if v not in metas or v not in env:
                continue
            places[v] = place = _place(env[v])
            if not holders[place]:  # an address may have been that of freed memory
                storages[place], fresh = fresh, fresh + 1
            holders[place] += 1
            metas[v] = Meta(env[v], storages[place])
        for v in last.get((at, 0), ()):
            if v in places and v in env:
                holders[places[v]] -= 1
        _release(env, last, (at, 0))
    return (read if subgraph.read else None, tuple([env[v] for v in subgraph.outs])), metas


def _place(t: torch.Tensor) -> int:
    return t.untyped_storage()._cdata


def _last_uses(subgraph: Subgraph, plan: list[Op]) -> dict[tuple[int, int], list[int]]:
    """Which variables are used for the last time at which place: (in the plan, in its part)."""
    when: dict[int, tuple[int, int]] = {}
    for at, op in enumerate(plan):
        part = op.func.part if isinstance(op.func, Chunk) else None
        ops = [op] if part is None else part.ops
        for i, o in enumerate(ops):
            when.update(dict.fromkeys([*used_by(o), *outputs_of(o)], (at, i)))
        if part is not None:  # they are compared when the part has ended
            when.update(dict.fromkeys([*part.ins, *part.outs], (at, len(part.ops))))
    out: dict[tuple[int, int], list[int]] = {}
    for v, place in when.items():
        if v not in subgraph.outs:
            out.setdefault(place, []).append(v)
    return out


def _release(
    env: dict[int, Any], last: dict[tuple[int, int], list[int]], place: tuple[int, int]
) -> None:
    for v in last.get(place, ()):
        env.pop(v, None)
