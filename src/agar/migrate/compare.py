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

import contextlib
import ctypes
import functools
import math
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

# the tensors of both sides are torch's here
import torch

from agar.migrate.result import Comparison, Stats

__all__ = [
    "Tolerances",
    "compare",
    "compare_trees",
    "numbers_when_read",
    "relative_error",
    "same_values",
    "stats",
]

FACTOR = 4.0
FLOOR = 16.0
#: How far the cell may be from the original, in multiples of the original's own rounding error.
OWN_ERROR = 4.0
_BINS = 32
#: Of how many values a histogram is drawn, where there are twice as many or more.
_DRAWN = 4_096
#: The largest tolerance: where the original's own error is larger, its values say nothing.
LARGEST = 0.5
#: Where bytes differ, numpy compares so many elements of these types faster than torch.
_LARGE = 8_192
_PLAIN_TYPES = (torch.Tensor, torch.nn.Parameter)
_OF_NUMPY = (torch.float32, torch.float64, torch.int64, torch.int32)
_ALL_ZERO = "the original is zero everywhere"
_ALL_SMALL = "the original is zero but for rounding"
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
        return max(base, min(OWN_ERROR * own, LARGEST)) if math.isfinite(own) else base


class _Later(threading.local):
    """How many bytes of tensors may still be kept for numbers that somebody may read."""

    left = 0


_later = _Later()


@contextlib.contextmanager
def numbers_when_read(most: int = 32 << 20) -> Iterator[None]:
    """Inside, `stats` computes the numbers of small tensors when they are read, from copies.

    Args:
        most (int): bytes of all copies together. Default: 32 MiB.
    """
    before, _later.left = _later.left, most
    try:
        yield
    finally:
        _later.left = before


def stats(value: torch.Tensor, settled: bool = False) -> Stats:
    """A tensor in a few numbers.

    Args:
        value (torch.Tensor): the tensor.
        settled (bool): whether nothing changes it any more. Default: ``False``.
    """
    size = value.nbytes if value.is_cpu else _later.left
    if 0 < 16 * size < _later.left:
        _later.left -= size
        plain = value.detach()
        compute = functools.partial(_numbers_of, plain if settled else plain.clone())
        return Stats.later(tuple(value.shape), _name(value.dtype), compute)
    return _stats(value)


def _numbers_of(value: torch.Tensor) -> dict[str, Any]:
    return vars(_stats(value))


@functools.cache
def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _stats(value: torch.Tensor) -> Stats:
    numbers = Stats(tuple(value.shape), _name(value.dtype))
    if not value.numel():
        return numbers
    plain = value.detach()
    if plain.is_complex():
        plain = plain.abs()
    if plain.dtype not in (torch.float32, torch.float64):
        plain = plain.to(torch.float64 if plain.dtype is torch.int64 else torch.float32)
    plain = plain.reshape(-1).cpu()
    # the same numbers from numpy take a third of the time where tensors are small, as most are
    values = plain.numpy()
    low, high = float(np.minimum.reduce(values)), float(np.maximum.reduce(values))
    if not (math.isfinite(low) and math.isfinite(high)):
        numbers.nans = int(np.isnan(values).sum())
        numbers.infinities = int(np.isinf(values).sum())
        values = values[np.isfinite(values)]
        if not values.size:
            return numbers
        plain = torch.from_numpy(values)
        low, high = float(values.min()), float(values.max())
    numbers.low, numbers.high = low, high
    numbers.mean, numbers.deviation = _moments(plain)
    if high > low and math.isfinite(high - low):
        # the shape of the distribution shows as well in some of many values
        numbers.counts = _histogram(values[:: max(values.size // _DRAWN, 1)], low, high)
    else:
        numbers.counts = [values.size]
    return numbers


def _moments(values: torch.Tensor) -> tuple[float, float]:
    """Mean and standard deviation; in float64 where the sums of float32 lose something."""
    size = values.numel()
    mean, square = float(values.sum()) / size, float(torch.dot(values, values)) / size
    spread = square - mean * mean
    if math.isfinite(mean) and math.isfinite(square) and spread > 0.01 * square:
        return mean, math.sqrt(spread)
    wide = values.numpy().astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        return float(wide.mean()), float(wide.std())


def _histogram(values: np.ndarray, low: float, high: float) -> list[int]:
    """How many values lie in each of equal bins."""
    # in float32, the difference of the largest numbers is none
    wide = values if high - low < 1e30 else values.astype(np.float64)
    places = ((wide - low) * (_BINS / (high - low))).astype(np.intp)
    return np.bincount(np.minimum(places, _BINS - 1), minlength=_BINS).tolist()


def relative_error(actual: torch.Tensor, expected: torch.Tensor) -> float:
    """The largest difference over the largest value; infinite where places of NaN differ.

    Args:
        actual (torch.Tensor): the value.
        expected (torch.Tensor): the value that it is measured against.
    """
    error, _, _ = _difference(_plain(actual), _plain(expected), False)
    return error


def same_values(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors have the same bytes, or are equal as `torch.equal` says.

    Args:
        one (torch.Tensor): a tensor, strided.
        other (torch.Tensor): another of the same type.
    """
    if one.shape != other.shape:
        return False
    if _comparable(one) and _comparable(other) and one.dtype is other.dtype:
        # a tenth of the time of `torch.equal`
        if _compare_bytes(one.data_ptr(), other.data_ptr(), one.nbytes) == 0:
            return True
        if one.numel() > _LARGE and one.dtype in _OF_NUMPY:
            return bool((one.detach().numpy() == other.detach().numpy()).all())
    return torch.equal(one, other)


def _comparable(value: torch.Tensor) -> bool:
    """Whether a tensor is its bytes, one after another, in the memory of the processor."""
    plain = type(value) in _PLAIN_TYPES  # subclasses may have no memory of their own
    return plain and (
        value.is_cpu and value.is_contiguous() and not (value.is_complex() or value.is_neg())
    )


def _memcmp() -> Callable[[int, int, int], int]:
    """The C library's comparison of memory."""
    library: Any = ctypes.CDLL(None) if os.name == "posix" else ctypes.cdll.msvcrt
    function = library.memcmp
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
    function.restype = ctypes.c_int
    return function


_compare_bytes = _memcmp()


def _plain(value: torch.Tensor) -> torch.Tensor:
    value = value.detach()
    return value if value.layout is torch.strided else value.to_dense()


def _difference(
    actual: torch.Tensor, expected: torch.Tensor, place: bool = True, known: bool = False
) -> tuple[float, tuple[int, ...] | None, str]:
    """Error, place of the largest difference, and what words must say.

    Args:
        actual (torch.Tensor): the cell's value.
        expected (torch.Tensor): the original's.
        place (bool): whether the place is looked for. Default: ``True``.
        known (bool): whether `same_values` has said that they differ. Default: ``False``.
    """
    if actual.shape != expected.shape:
        return math.inf, None, f"shape {tuple(actual.shape)} against {tuple(expected.shape)}"
    if not expected.numel():
        return 0.0, None, ""
    if actual.is_complex() or expected.is_complex():
        actual = torch.view_as_real(actual.to(torch.complex128).resolve_conj())
        expected = torch.view_as_real(expected.to(torch.complex128).resolve_conj())
    exact = not (actual.is_floating_point() and expected.is_floating_point())
    wide = (
        torch.float64 if exact or torch.float64 in (actual.dtype, expected.dtype) else torch.float32
    )
    if exact and torch.equal(actual.to(torch.int64), expected.to(torch.int64)):
        return 0.0, None, ""
    alike = not (exact or known) and actual.dtype == expected.dtype
    if alike and same_values(actual, expected):
        return 0.0, None, ""
    actual, expected = actual.to(wide), expected.to(wide)
    difference = (actual - expected).abs_()
    largest = float(difference.max())
    if not math.isfinite(largest):
        odd = ~(actual.isfinite() & expected.isfinite())
        same = (actual == expected) | (actual.isnan() & expected.isnan())
        wrong = odd & ~same
        if wrong.any():
            at = _index(int(wrong.reshape(-1).to(torch.int8).argmax()), tuple(actual.shape))
            return math.inf, at, f"{float(actual[at])} against {float(expected[at])} at {at}"
        difference = difference.masked_fill(odd, 0)
        largest = float(difference.max())
        expected = expected.masked_fill(odd, 0)
    if largest == 0:
        return 0.0, None, ""
    scale = float(expected.abs().max())
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
    actual: Any,
    expected: Any,
    tolerance: float,
    *,
    numbers: bool = True,
    types: bool = True,
    floor: float = 0.0,
    settled: bool = False,
) -> Comparison:
    """One value of the cell beside the original's.

    Args:
        what (str): how it is called.
        stage (str): where it comes from.
        actual: the cell's: a torch tensor or a plain value.
        expected: the original's.
        tolerance (float): the largest error that counts as equal.
        numbers (bool): whether statistics of both are kept. Default: ``True``.
        types (bool): whether another dtype is a difference. Default: ``True``.
        floor (float): the largest value that counts as rounding of zero, where all values of the
            original are as small. Default: ``0.0``.
        settled (bool): whether nothing changes the original's any more. Default: ``False``.
    """
    if not isinstance(actual, torch.Tensor) or not isinstance(expected, torch.Tensor):
        return _compare_plain(what, stage, actual, expected, tolerance)
    # whole numbers are equal or not
    bound = tolerance if expected.is_floating_point() or expected.is_complex() else 0.0
    strided = actual.layout is torch.strided and expected.layout is torch.strided
    alike = strided and actual.dtype is expected.dtype
    if alike and same_values(actual, expected):
        of_both = stats(expected, settled) if numbers else None
        return Comparison(what, stage, 0.0, bound, True, "", of_both, of_both, None)
    actual, expected = _plain(actual), _plain(expected)
    error, worst, reason = _difference(actual, expected, known=alike)
    if error > bound and floor and not reason.startswith("shape"):
        largest = max(float(actual.abs().max()), float(expected.abs().max()))
        if largest <= floor:
            error, reason = bound * largest / floor, f"rounding: {reason or _ALL_SMALL}"
    equal = error <= bound
    if types and actual.dtype != expected.dtype and not _same_kind(actual, expected):
        equal = False
        names = [str(t.dtype).removeprefix("torch.") for t in (actual, expected)]
        reason = "; ".join(p for p in (reason, f"dtype {names[0]} against {names[1]}") if p)
    original = stats(expected) if numbers else None
    if original is not None and not (error == 0 and actual.dtype == expected.dtype):
        migrated = stats(actual)
    else:
        migrated = original  # equal values have equal numbers
    return Comparison(what, stage, error, bound, equal, reason, original, migrated, worst)


def _same_kind(actual: torch.Tensor, expected: torch.Tensor) -> bool:
    """Indices may be int32 where the original has int64, as in MindSpore."""
    whole = (torch.int32, torch.int64)
    return actual.dtype in whole and expected.dtype in whole


def _compare_plain(
    what: str, stage: str, actual: Any, expected: Any, tolerance: float
) -> Comparison:
    for one, other, swap in ((actual, expected, False), (expected, actual, True)):
        if isinstance(one, torch.Tensor) and isinstance(other, (bool, int, float)):
            converted = torch.tensor(other, dtype=one.dtype)
            if one.dim() == 0:
                pair = (converted, one) if swap else (one, converted)
                return compare(what, stage, *pair, tolerance)
    if isinstance(actual, float) and isinstance(expected, float):
        same = math.isclose(actual, expected, rel_tol=tolerance) or (
            actual != actual and expected != expected
        )
    else:
        same = type(actual) is type(expected) and bool(actual == expected)
    reason = "" if same else f"{_shown(actual)} against {_shown(expected)}"
    return Comparison(what, stage, 0.0 if same else math.inf, tolerance, same, reason)


def _shown(value: Any) -> str:
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    return f"{value!r:.60}"


def compare_trees(
    stage: str,
    actual: list[tuple[str, Any]],
    expected: list[tuple[str, Any]],
    tolerance: float,
    *,
    numbers: bool = True,
    tolerances: Callable[[str, Any], float] | None = None,
    settled: bool = False,
) -> list[Comparison]:
    """All leaves of two results; names are the original's.

    Leaves go together by their places; where the places differ (a tuple for a dataclass), by
    their order, None left out.

    Args:
        stage (str): the stage of the check.
        actual (list[tuple[str, Any]]): the leaves of the cell's result with their places.
        expected (list[tuple[str, Any]]): those of the original's.
        tolerance (float): the largest relative error that counts as equal.
        numbers (bool): whether statistics of both sides are kept. Default: True.
        tolerances (Callable): takes a place and a value and returns the tolerance for them.
            Default: ``None``, `tolerance` for all.
        settled (bool): whether nothing changes the original's any more. Default: ``False``.
    """
    by_place = dict(actual)
    if len(actual) == len(expected) == 1 and actual[0][0] == expected[0][0]:
        pairs = [(*actual[0], expected[0][1])]
    elif len(by_place) == len(actual) and {n for n, _ in expected} == set(by_place):
        pairs = [(name, by_place[name], value) for name, value in expected]
    else:
        left = [v for _, v in actual if v is not None]
        right = [(n, v) for n, v in expected if v is not None]
        if len(left) != len(right):
            shapes = [_shapes(left), _shapes([v for _, v in right])]
            reason = f"{len(left)} values {shapes[0]} against {len(right)} {shapes[1]}"
            return [Comparison("output", stage, math.inf, tolerance, False, reason)]
        pairs = [(n, f, v) for f, (n, v) in zip(left, right, strict=True)]
    return [
        compare(
            n,
            stage,
            f,
            w,
            tolerances(n, w) if tolerances else tolerance,
            numbers=numbers,
            settled=settled,
        )
        for n, f, w in pairs
    ]


def _shapes(values: list[Any]) -> str:
    shown = [
        str(tuple(v.shape)) if isinstance(v, torch.Tensor) else type(v).__name__ for v in values[:6]
    ]
    return f"[{', '.join(shown)}{', ...' if len(values) > 6 else ''}]"
