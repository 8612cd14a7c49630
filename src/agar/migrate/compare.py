"""When two tensors count as equal, and how the verdict is worded.

NOTE Errors. An error is the largest difference over the largest value of the original, which is
the measure in which rounding errors of sums are bounded.

NOTE Tolerances. A sum of K products in a type of rounding unit eps has an error of about
sqrt(K) * eps, so the tolerance is ``FACTOR * sqrt(K) * eps``, at least ``FLOOR * eps``, where K is
the largest number of elements that one output element depends on by sums. Where the original's
own error against its float64 run is larger than that says (cancellation), four times that error
counts; nothing else loosens it, and every Comparison carries the tolerance that was used.

NOTE Zeros. Where the terms of a gradient cancel (the bias of an attention's keys), one side may
give zero and the other the rounding of its terms, so no value of the original is a measure: the
largest of the run's gradients is. The run in float64 must say the same by its own, finer measure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

# the tensors of both sides are torch's here
import torch

from agar.migrate.result import Comparison, Stats

__all__ = ["Tolerances", "compare", "compare_trees", "relative_error", "stats"]

FACTOR = 4.0
FLOOR = 16.0
#: How far the cell may be from the original, in multiples of the original's own rounding error.
OWN_ERROR = 4.0
_BINS = 32
_ALL_ZERO = "the original is zero everywhere"
_EPS = {
    torch.float64: torch.finfo(torch.float64).eps,
    torch.float32: torch.finfo(torch.float32).eps,
    torch.float16: torch.finfo(torch.float16).eps,
    torch.bfloat16: torch.finfo(torch.bfloat16).eps,
    torch.complex64: torch.finfo(torch.float32).eps,
    torch.complex128: torch.finfo(torch.float64).eps,
}


@dataclass(frozen=True)
class Tolerances:
    """How far apart equal tensors may be.

    Attributes:
        exact: bit for bit.
        given: the user's own tolerance, or None.
    """

    exact: bool = False
    given: float | None = None

    def of(self, dtype: torch.dtype, length: int = 1, own: float = 0.0) -> float:
        """The tolerance for tensors of a type.

        Args:
            dtype (torch.dtype): the type in which it was computed.
            length (int): the length of the longest sum. Default: ``1``.
            own (float): the original's error against float64. Default: ``0.0``.
        """
        if self.exact or dtype not in _EPS:
            return 0.0
        if self.given is not None:
            return self.given
        base = max(FACTOR * math.sqrt(max(length, 1)), FLOOR) * _EPS[dtype]
        return max(base, OWN_ERROR * own) if math.isfinite(own) else base


def stats(value: torch.Tensor) -> Stats:
    """A tensor in a few numbers.

    Args:
        value (torch.Tensor): the tensor.
    """
    made = Stats(tuple(value.shape), str(value.dtype).removeprefix("torch."))
    if not value.numel():
        return made
    plain = value.detach()
    if plain.is_complex():
        plain = plain.abs()
    if plain.dtype not in (torch.float32, torch.float64):
        plain = plain.to(torch.float64 if plain.dtype is torch.int64 else torch.float32)
    plain = plain.reshape(-1)
    low, high = plain.aminmax()
    if not (math.isfinite(low) and math.isfinite(high)):
        made.nans = int(plain.isnan().sum())
        made.infinities = int(plain.isinf().sum())
        plain = plain[plain.isfinite()]
        if not plain.numel():
            return made
        low, high = plain.aminmax()
    made.low, made.high = float(low), float(high)
    made.mean = float(plain.mean(dtype=torch.float64))
    made.deviation = float(plain.std(unbiased=False))
    if made.high > made.low and math.isfinite(made.high - made.low):
        counts = torch.histc(plain, _BINS, made.low, made.high)
        made.counts = [int(c) for c in counts]
    else:
        made.counts = [plain.numel()]
    return made


def relative_error(found: torch.Tensor, wanted: torch.Tensor) -> float:
    """The largest difference over the largest value; infinite where places of NaN differ.

    Args:
        found (torch.Tensor): the value.
        wanted (torch.Tensor): the value that it is measured against.
    """
    error, _, _ = _difference(_plain(found), _plain(wanted), False)
    return error


def _plain(value: torch.Tensor) -> torch.Tensor:
    value = value.detach()
    return value if value.layout is torch.strided else value.to_dense()


def _difference(
    found: torch.Tensor, wanted: torch.Tensor, place: bool = True
) -> tuple[float, tuple[int, ...] | None, str]:
    """Error, place of the largest difference, and what words must say."""
    if found.shape != wanted.shape:
        return math.inf, None, f"shape {tuple(found.shape)} against {tuple(wanted.shape)}"
    if not wanted.numel():
        return 0.0, None, ""
    if found.is_complex() or wanted.is_complex():
        found = torch.view_as_real(found.to(torch.complex128).resolve_conj())
        wanted = torch.view_as_real(wanted.to(torch.complex128).resolve_conj())
    exact = not (found.is_floating_point() and wanted.is_floating_point())
    wide = torch.float64 if exact or torch.float64 in (found.dtype, wanted.dtype) else torch.float32
    if exact and torch.equal(found.to(torch.int64), wanted.to(torch.int64)):
        return 0.0, None, ""
    if not exact and found.dtype == wanted.dtype and torch.equal(found, wanted):
        return 0.0, None, ""
    found, wanted = found.to(wide), wanted.to(wide)
    difference = (found - wanted).abs_()
    largest = float(difference.max())
    if not math.isfinite(largest):
        odd = ~(found.isfinite() & wanted.isfinite())
        same = (found == wanted) | (found.isnan() & wanted.isnan())
        wrong = odd & ~same
        if wrong.any():
            at = _index(int(wrong.reshape(-1).to(torch.int8).argmax()), tuple(found.shape))
            return math.inf, at, f"{float(found[at])} against {float(wanted[at])} at {at}"
        difference = difference.masked_fill(odd, 0)
        largest = float(difference.max())
        wanted = wanted.masked_fill(odd, 0)
    if largest == 0:
        return 0.0, None, ""
    scale = float(wanted.abs().max())
    error = largest / scale if scale else math.inf
    at = _index(int(difference.reshape(-1).argmax()), tuple(difference.shape)) if place else None
    return error, at, "" if scale else _ALL_ZERO


def _index(flat: int, shape: Sequence[int]) -> tuple[int, ...]:
    out = []
    for size in reversed(shape):
        flat, rest = divmod(flat, size)
        out.append(rest)
    return tuple(reversed(out))


def compare(
    what: str,
    stage: str,
    found: Any,
    wanted: Any,
    tolerance: float,
    *,
    numbers: bool = True,
    types: bool = True,
    floor: float = 0.0,
) -> Comparison:
    """One value of the cell beside the original's.

    Args:
        what (str): how it is called.
        stage (str): where it comes from.
        found: the cell's: a torch tensor or a plain value.
        wanted: the original's.
        tolerance (float): the largest error that counts as equal.
        numbers (bool): whether statistics of both are kept. Default: ``True``.
        types (bool): whether another dtype is a difference. Default: ``True``.
        floor (float): the largest value that counts as rounding where the original is zero
            everywhere. Default: ``0.0``.
    """
    if not isinstance(found, torch.Tensor) or not isinstance(wanted, torch.Tensor):
        return _compare_plain(what, stage, found, wanted, tolerance)
    found, wanted = _plain(found), _plain(wanted)
    error, worst, reason = _difference(found, wanted)
    # whole numbers are equal or not
    bound = tolerance if wanted.is_floating_point() or wanted.is_complex() else 0.0
    if floor and reason == _ALL_ZERO and (largest := float(found.abs().max())) <= floor:
        error, reason = bound * largest / floor, f"rounding: {_ALL_ZERO}"
    equal = error <= bound
    if types and found.dtype != wanted.dtype and not _same_kind(found, wanted):
        equal = False
        names = [str(t.dtype).removeprefix("torch.") for t in (found, wanted)]
        reason = "; ".join(p for p in (reason, f"dtype {names[0]} against {names[1]}") if p)
    return Comparison(
        what,
        stage,
        error,
        bound,
        equal,
        reason,
        stats(wanted) if numbers else None,
        stats(found) if numbers else None,
        worst,
    )


def _same_kind(found: torch.Tensor, wanted: torch.Tensor) -> bool:
    """Indices may be int32 where the original has int64, as in MindSpore."""
    whole = (torch.int32, torch.int64)
    return found.dtype in whole and wanted.dtype in whole


def _compare_plain(what: str, stage: str, found: Any, wanted: Any, tolerance: float) -> Comparison:
    for one, other, swap in ((found, wanted, False), (wanted, found, True)):
        if isinstance(one, torch.Tensor) and isinstance(other, (bool, int, float)):
            made = torch.tensor(other, dtype=one.dtype)
            if one.dim() == 0:
                pair = (made, one) if swap else (one, made)
                return compare(what, stage, *pair, tolerance)
    if isinstance(found, float) and isinstance(wanted, float):
        same = math.isclose(found, wanted, rel_tol=tolerance) or (
            found != found and wanted != wanted
        )
    else:
        same = type(found) is type(wanted) and bool(found == wanted)
    reason = "" if same else f"{_shown(found)} against {_shown(wanted)}"
    return Comparison(what, stage, 0.0 if same else math.inf, tolerance, same, reason)


def _shown(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    return f"{value!r:.60}"


def compare_trees(
    stage: str,
    found: list[tuple[str, Any]],
    wanted: list[tuple[str, Any]],
    tolerance: float,
    *,
    numbers: bool = True,
    tolerances: Callable[[str, Any], float] | None = None,
) -> list[Comparison]:
    """All leaves of two results; names are the original's.

    Leaves go together by their places; where the places differ (a tuple for a dataclass), by
    their order, None left out.

    Args:
        stage (str): the stage of the check.
        found (list[tuple[str, Any]]): the leaves of the cell's result with their places.
        wanted (list[tuple[str, Any]]): those of the original's.
        tolerance (float): the largest relative error that counts as equal.
        numbers (bool): whether statistics of both sides are kept. Default: True.
        tolerances (Callable): takes a place and a value and returns the tolerance for them.
            Default: ``None``, `tolerance` for all.
    """
    by_place = dict(found)
    if len(by_place) == len(found) and {n for n, _ in wanted} == set(by_place):
        pairs = [(name, by_place[name], value) for name, value in wanted]
    else:
        left = [v for _, v in found if v is not None]
        right = [(n, v) for n, v in wanted if v is not None]
        if len(left) != len(right):
            shapes = [_shapes(left), _shapes([v for _, v in right])]
            reason = f"{len(left)} values {shapes[0]} against {len(right)} {shapes[1]}"
            return [Comparison("output", stage, math.inf, tolerance, False, reason)]
        pairs = [(n, f, v) for f, (n, v) in zip(left, right, strict=True)]
    return [
        compare(n, stage, f, w, tolerances(n, w) if tolerances else tolerance, numbers=numbers)
        for n, f, w in pairs
    ]


def _shapes(values: list[Any]) -> str:
    shown = [
        str(tuple(v.shape)) if isinstance(v, torch.Tensor) else type(v).__name__ for v in values[:6]
    ]
    return f"[{', '.join(shown)}{', ...' if len(values) > 6 else ''}]"
