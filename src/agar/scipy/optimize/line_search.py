"""line_search: how far to go along a direction."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

# Points on the way are computed with the engine's tensors.
import torch

from agar._core.autodiff import value_and_grad
from agar._core.tensor import Tensor, wrap

__all__ = ["line_search"]

Point = tuple[float, torch.Tensor, float]


class _LineSearchResults(NamedTuple):
    """What a search found; the fields have MindSpore's names."""

    failed: bool
    nit: int
    nfev: int
    ngev: int
    k: int
    a_k: float
    f_k: float
    g_k: Tensor
    status: int


class Problem:
    """A function and its gradient, on torch tensors.

    Args:
        func: returns a scalar Tensor.
        jac: returns the gradient; None differentiates `func`.
    """

    def __init__(self, func: Callable[..., Any], jac: Callable[..., Any] | None) -> None:
        self._func = func
        self._jac = jac
        self._both = value_and_grad(func, 0, None) if jac is None else None

    def at(self, x: torch.Tensor) -> tuple[float, torch.Tensor]:
        """The value and the gradient."""
        point = wrap(x)
        if self._both is not None:
            value, slope = self._both(point)
        else:
            assert self._jac is not None
            value, slope = self._func(point), self._jac(point)
        return float(value), slope._value.detach()


class Search:
    """What a line search leaves behind.

    Attributes:
        step: how far along the direction.
        value: the function there.
        slope: its gradient there.
        failed: whether no step holds the conditions of Wolfe.
        tries: how often the function was computed.
        next: number of the next step, from 1.
        status: 0; 1 if the interval was not closed in time, 3 if no interval was found in time.
    """

    def __init__(
        self,
        problem: Problem,
        x: torch.Tensor,
        direction: torch.Tensor,
        start: tuple[float, torch.Tensor] | None = None,
        before: float | None = None,
        c1: float = 1e-4,
        c2: float = 0.9,
        maxiter: int = 20,
    ) -> None:
        self._problem, self._x, self._direction = problem, x, direction
        self._c1, self._c2 = c1, c2
        self.tries = 0
        if start is None:
            first, slope, _ = self._along(0.0)
        else:
            first, slope = start
        self._start = first, slope, float(slope @ direction)
        self.step, self.value, self.slope = 0.0, first, slope
        self.failed = False
        done = False
        last, step = (0.0, self._start), self._first_step(before)
        number = 1
        while not done and number <= maxiter:
            if number > 1:
                step = last[0] * 2.0
            here = self._along(step)
            too_high = self._is_high(step, here[0]) or (number > 1 and here[0] >= last[1][0])
            if too_high:
                self._zoom(last, (step, here))
                done = True
            elif abs(here[2]) <= -c2 * self._start[2]:
                self.step, self.value, self.slope = step, here[0], here[1]
                done = True
            elif here[2] >= 0.0:
                self._zoom((step, here), last)
                done = True
            last = step, here
            number += 1
        self.next = number
        self.status = 1 if self.failed else 3 if number > maxiter else 0
        self.failed = self.failed or not done
        if x.dtype is not torch.float64 and abs(self.step) < 1e-8:
            self.step = math.copysign(1e-8, self.step) if self.step else 0.0

    def _first_step(self, before: float | None) -> float:
        """1, or less where the last step says that this is too far."""
        if before is None or self._start[2] == 0.0:
            return 1.0
        guess = 2.02 * (self._start[0] - before) / self._start[2]
        return min(guess, 1.0) if math.isfinite(guess) else 1.0

    def _along(self, step: float) -> Point:
        """Value, gradient and derivative along the direction."""
        self.tries += 1
        value, slope = self._problem.at(self._x + step * self._direction)
        return value, slope, float(slope @ self._direction)

    def _is_high(self, step: float, value: float) -> bool:
        """Whether the first condition of Wolfe does not hold."""
        return value > self._start[0] + self._c1 * step * self._start[2]

    def _zoom(self, low: tuple[float, Point], high: tuple[float, Point]) -> None:
        """Close an interval: cubic interpolation, else quadratic, else its middle."""
        self.step, self.value, self.slope = 1.0, low[1][0], self._start[1]
        other = (low[0] + high[0]) / 2.0, (low[1][0] + high[1][0]) / 2.0
        for turn in range(10):
            step = self._between(low, high, other if turn else None)
            here = self._along(step)
            if self._is_high(step, here[0]) or here[0] >= low[1][0]:
                other = high[0], high[1][0]
                high = step, here
                continue
            if abs(here[2]) <= -self._c2 * self._start[2]:
                self.step, self.value, self.slope = step, here[0], here[1]
                # MindSpore counts a search that ends with the last try as failed
                self.failed = turn == 9
                return
            if here[2] * (high[0] - low[0]) >= 0.0:
                high = low
            other = low[0], low[1][0]
            low = step, here
        self.failed = True

    @staticmethod
    def _between(
        low: tuple[float, Point], high: tuple[float, Point], other: tuple[float, float] | None
    ) -> float:
        """The next step to try inside an interval."""
        width = high[0] - low[0]
        left, right = min(low[0], high[0]), max(low[0], high[0])

        def inside(step: float, margin: float) -> bool:
            gap = margin * width
            return math.isfinite(step) and left + gap < step < right - gap

        if other is not None:
            step = _cubic(low[0], low[1][0], low[1][2], high[0], high[1][0], *other)
            if inside(step, 0.2):
                return step
        step = _quadratic(low[0], low[1][0], low[1][2], high[0], high[1][0])
        return step if inside(step, 0.1) else (low[0] + high[0]) / 2.0


def _cubic(a: float, fa: float, da: float, b: float, fb: float, c: float, fc: float) -> float:
    """The minimum of the cubic polynomial through three points with a derivative at the first."""
    to_b, to_c = b - a, c - a
    scale = (to_b * to_c) ** 2 * (to_b - to_c)
    if scale == 0.0:
        return math.nan
    rest_b, rest_c = fb - fa - da * to_b, fc - fa - da * to_c
    third = (to_c**2 * rest_b - to_b**2 * rest_c) / scale
    second = (-(to_c**3) * rest_b + to_b**3 * rest_c) / scale
    root = second * second - 3.0 * third * da
    if root < 0.0 or third == 0.0:
        return math.nan
    return a + (-second + math.sqrt(root)) / (3.0 * third)


def _quadratic(a: float, fa: float, da: float, b: float, fb: float) -> float:
    """The minimum of the parabola through two points with a derivative at the first."""
    width = b - a
    if width == 0.0:
        return math.nan
    second = (fb - fa - da * width) / width**2
    return a - da / (2.0 * second) if second else math.nan


def line_search(
    f: Callable[..., Any],
    xk: Tensor,
    pk: Tensor,
    jac: Callable[..., Any] | None = None,
    gfk: Tensor | None = None,
    old_fval: Any = None,
    old_old_fval: Any = None,
    c1: float = 1e-4,
    c2: float = 0.9,
    maxiter: int = 20,
) -> _LineSearchResults:
    """How far to go along a direction, so that the strong conditions of Wolfe hold.

    Args:
        f (Callable): the function; takes a Tensor of one axis and returns a scalar Tensor.
        xk (Tensor): where to start, shape (n,).
        pk (Tensor): the direction, in which `f` falls.
        jac (Callable): the gradient of `f`; None differentiates it. Default: ``None``.
        gfk (Tensor): the gradient at `xk`; counts with `old_fval`. Default: ``None``.
        old_fval (Union[Tensor, float]): the value at `xk`; counts with `gfk`. Default: ``None``.
        old_old_fval (Union[Tensor, float]): the value at the point before, from which the first
            step is guessed. Default: ``None``.
        c1 (float): by how much `f` must fall. Default: ``1e-4``.
        c2 (float): how flat `f` must be. Default: ``0.9``.
        maxiter (int): how often the step may be doubled. Default: ``20``.

    Returns:
        A tuple with the fields ``failed``, ``nit`` (steps), ``nfev`` and ``ngev`` (values and
        gradients that were computed), ``k`` (``nit`` + 1), ``a_k`` (the step), ``f_k`` and ``g_k``
        (the value and the gradient there), and ``status``: 0, 1 if an interval was not closed in
        time, 3 if none was found in time.

    Difference from PyTorch: none (no counterpart).

    Source: Nocedal and Wright, Numerical Optimization, algorithms 3.5 and 3.6; behavior observed
    in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x, p = ms.Tensor([1.0, 1.0]), ms.Tensor([-1.0, -1.0])
        >>> ms.scipy.optimize.line_search(lambda x: x[0] ** 2 - x[1] ** 3, x, p).a_k
        1.0
    """
    start = None
    if gfk is not None and old_fval is not None:
        start = float(old_fval), gfk._value.detach()
    search = Search(
        Problem(f, jac),
        xk._value.detach(),
        pk._value.detach(),
        start,
        None if old_old_fval is None else float(old_old_fval),
        c1,
        c2,
        maxiter,
    )
    return _LineSearchResults(
        search.failed,
        search.next - 1,
        search.tries,
        search.tries,
        search.next,
        search.step,
        search.value,
        wrap(search.slope),
        search.status,
    )
