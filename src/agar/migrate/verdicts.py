"""What the comparisons of a check say of each cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from agar.migrate.cell_matching import Pair
from agar.migrate.class_sources import source_of
from agar.migrate.fallback import foreign
from agar.migrate.result import CellResult, Comparison

if TYPE_CHECKING:
    from agar.migrate.check_session import Session

__all__ = ["entry_of", "first_line", "order_of", "settle"]


def entry_of(pair: Pair, source_of: Callable[[type], Callable[[], Any]]) -> CellResult:
    """The result of a pair, of which nothing is known yet.

    Args:
        pair (Pair): the module and its cell.
        source_of (Callable): takes a class and returns what gives its source.
    """
    cell_type, module_type = type(pair.cell), type(pair.module)
    entry = CellResult(
        pair.path,
        pair.module_path,
        cell_type.__name__,
        module_type.__name__,
        leaf=pair.leaf,
        native=not pair.foreign,
    )
    of_cell, of_module = source_of(cell_type), source_of(module_type)
    entry.defer(
        lambda: {"cell_source": of_cell(), "module_source": of_module()},
        ("cell_source", "module_source"),
    )
    return entry


def settle(job: Session) -> None:
    """Give every pair its status, and the report its cells.

    Args:
        job (Session): the check, whose comparisons are done.
    """
    for pair in reversed(job.pairing.pairs):  # children before parents
        job.entries[id(pair)].status = _status(job, pair)
    bypassed = {f.path: f.reason for f in foreign(job.cell)}
    for pair in job.pairing.pairs:
        entry = job.entries[id(pair)]
        if pair.path in bypassed and not pair.foreign:
            entry.native, entry.reason = False, bypassed[pair.path]
            # in such calls the cell takes no part: the network's comparison is what counts
            if entry.status == "equal" or (entry.status == "failed" and job.whole_is_equal):
                entry.status = "foreign"
    cells = [job.entries[id(p)] for p in job.pairing.pairs]
    for pair in job.pairing.pairs:
        if pair.foreign:
            cells += _inside(pair, job.entries[id(pair)])
    cells.sort(key=order_of)
    job.report.cells = cells
    job.report.notes += list(dict.fromkeys(job.runner.notes))
    job.report.settings = {
        "mode": job.report.mode,
        "train": job.train,
        "seed": job.seed,
        "synchronized weights": job.sync,
        "exact": job.tolerances.exact,
        "tolerance": job.tolerances.given
        if job.tolerances.given is not None
        else "4 * sqrt(length of sum) * eps of the type, or 4 times the original's own error up to "
        "0.5",
        "stages": list(dict.fromkeys(c.stage for c in job.report.network)),
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
    }


def _status(job: Session, pair: Pair) -> str:
    """The verdict on one pair; those of pairs inside are settled.

    Args:
        job (Session): the check.
        pair (Pair): the pair.
    """
    entry = job.entries[id(pair)]
    missing = job.wiring.missing.get(id(pair))
    if missing:
        said = [_sentence(c) for c in entry.comparisons if not c.equal][:1]
        said += [m.removeprefix(f"{pair.label}: ").rstrip(".") for m in missing]
        entry.reason = "; ".join(said)
        return "different"
    unequal = job.unequal.get(id(pair))
    if unequal:
        entry.comparisons = [*unequal, *entry.comparisons]
        names = ", ".join(c.what for c in unequal[:4])
        shapes = [c.reason for c in unequal if c.reason.startswith("shape")]
        entry.reason = f"its weights are not the original's: {names}"
        entry.reason += f" ({shapes[0]})" if shapes else ""
        return "different"
    if id(pair) in job.errors:
        error = job.errors[id(pair)]
        entry.reason = f"{type(error).__name__}: {first_line(error)}"
        inner = _broken_inside(job, pair)
        if inner:
            entry.reason += f" (as does {inner})"
            return "inherited"
        return "failed"
    comparisons = entry.comparisons
    if pair is job.root and not comparisons:
        comparisons = job.report.network
        if job.failed is not None:
            entry.reason = f"{type(job.failed).__name__}: {first_line(job.failed)}"
            return "inherited" if _broken_inside(job, pair) else "failed"
        if pair.leaf:
            entry.comparisons = list(comparisons)
    wrong = [c for c in comparisons if not c.equal]
    if wrong:
        inner = _broken_inside(job, pair)
        if inner:
            entry.reason = f"differs through {inner}"
            return "inherited"
        entry.reason = _sentence(wrong[0])
        return "different"
    if pair.foreign:
        return "foreign"
    if entry.order is None and pair is not job.root:
        entry.reason = "the original never calls it"
        return "not run"
    if not comparisons:
        if job.whole_is_equal and not pair.leaf and not _broken_inside(job, pair):
            entry.reason = "compared as a part of the whole network"
            return "equal"
        entry.reason = entry.reason or "there was nothing to compare"
        return "not compared"
    return "equal"


def _broken_inside(job: Session, pair: Pair) -> str | None:
    """The first pair inside that is broken by itjob.

    Args:
        job (Session): the check.
        pair (Pair): the pair around them.
    """
    prefix = f"{pair.path}." if pair.path else ""
    broken = [
        p
        for p in job.pairing.pairs
        if p is not pair
        and p.path.startswith(prefix)
        and job.entries[id(p)].status in ("different", "failed")
    ]
    broken.sort(key=lambda p: order_of(job.entries[id(p)]))
    return broken[0].path if broken else None


def order_of(entry: CellResult) -> int:
    """When the original ran it; last where it never did.

    Args:
        entry (CellResult): the cell.
    """
    return 1 << 60 if entry.order is None else entry.order


def first_line(error: BaseException) -> str:
    """The first line of an error and where in the tree of cells it arose.

    Args:
        error (BaseException): the error.
    """
    text = next(iter(str(error).splitlines()), "")[:300]
    where = [n for n in getattr(error, "__notes__", []) if n.startswith("In cell: ")]
    return f"{text} ({where[-1][:1].lower()}{where[-1][1:]})" if where else text


def _sentence(c: Comparison) -> str:
    if c.reason:
        return f"{c.what}: {c.reason}"
    return f"{c.what}: relative error {c.error:.2g}, tolerance {c.tolerance:.2g}"


def _inside(pair: Pair, entry: CellResult) -> list[CellResult]:
    """Entries of the leaf modules inside of a TorchCell."""
    if pair.cell._cells:
        return []
    leaves = [
        (n, m) for n, m in pair.module.named_modules() if n and not any(True for _ in m.children())
    ]
    if not leaves:
        return []
    entry.leaf = False
    comparisons = []
    for name, m in leaves:
        kind = type(m).__name__
        path = f"{pair.path}.{name}" if pair.path else name
        module_path = f"{pair.module_path}.{name}" if pair.module_path else name
        comparisons.append(
            CellResult(
                path,
                module_path,
                kind,
                kind,
                order=entry.order,
                native=False,
                status="foreign" if entry.status == "foreign" else entry.status,
                reason="inside of a TorchCell",
                module_source=source_of(type(m)),
            )
        )
    return comparisons
