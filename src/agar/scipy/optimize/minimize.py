"""minimize: BFGS, L-BFGS and augmented Lagrangians."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

# The methods compute with the engine's tensors.
import torch

from agar import log
from agar._core.autodiff import value_and_grad
from agar._core.errors import describe
from agar._core.tensor import Tensor, wrap
from agar.scipy.optimize.line_search import Problem, Search

__all__ = ["minimize"]


class OptimizeResults(NamedTuple):
    """What a method found; the fields have SciPy's names."""

    x: Tensor
    success: bool
    status: int
    fun: float
    jac: Tensor
    hess_inv: Tensor | None
    nfev: int
    njev: int
    nit: int


class _LagrangeResults(NamedTuple):
    """What the method of augmented Lagrangians found; the fields have MindSpore's names."""

    succeeded: bool
    best_value: np.ndarray
    object_value: float
    loss_value: np.ndarray


def minimize(
    func: Callable[..., Any],
    x0: Tensor,
    args: tuple[Any, ...] = (),
    method: str | None = None,
    jac: Callable[..., Any] | None = None,
    hess: Any = None,
    hessp: Any = None,
    bounds: Any = None,
    constraints: Any = (),
    tol: Any = None,
    callback: Any = None,
    options: dict[str, Any] | None = None,
) -> Any:
    """Look for the minimum of a function.

    Args:
        func (Callable): the function; takes a Tensor of one axis, and `args`, and returns a scalar
            Tensor.
        x0 (Tensor): where to start, shape (n,).
        args (tuple): more arguments of `func`. Default: ``()``.
        method (str): ``"BFGS"``, ``"LBFGS"`` or ``"LAGRANGE"``; must be given.
        jac (Callable): the gradient of `func`, for BFGS and LBFGS; None differentiates it. It is
            called with x alone. Default: ``None``.
        hess (Any): accepted. Default: ``None``.
        hessp (Any): accepted. Default: ``None``.
        bounds (Any): accepted. Default: ``None``.
        constraints (Sequence[Callable]): for LAGRANGE: functions that must be below 0. Default:
            ``()``.
        tol (Sequence[float]): for LAGRANGE: the bound of each constraint below which a point
            counts. Default: ``None``, ones.
        callback (Any): accepted. Default: ``None``.
        options (dict): for BFGS and LBFGS ``maxiter`` (default: 200 n), ``norm`` (of the gradient,
            default: infinity, else that of Euclid), ``gtol`` (the norm below which it is done,
            default: 1e-5), ``line_search_maxiter`` (default: 10) and, for LBFGS, ``history_size``
            (default: 20). For LAGRANGE ``save_tol`` (as `tol`), ``obj_weight``, ``lower``,
            ``upper``, ``learning_rate``, ``coincide_fun``, ``rounds``, ``steps`` and ``log_sw``.
            Default: ``None``.

    Returns:
        A tuple with the fields ``x``, ``success``, ``status`` (0, 1 after ``maxiter`` steps, 3 or 5
        if a line search failed), ``fun``, ``jac``, ``hess_inv`` (None for LBFGS), ``nfev``,
        ``njev`` and ``nit``. For LAGRANGE: ``succeeded``, ``best_value``, ``object_value`` and
        ``loss_value``.

    Raises:
        ValueError: `method` is not given or unknown, or `tol` does not fit `constraints`.
        TypeError: `args` is not a tuple, or a function is none.

    Difference from PyTorch: ``torch.optim.LBFGS`` is an optimizer that takes a closure.

    Source: Nocedal and Wright, Numerical Optimization, algorithms 6.1, 7.4 and 17.4; behavior
    observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> def func(p):
        ...     x, y = p
        ...     return (x - 1.0) ** 2 + (y + 2.0) ** 2
        >>> found = ms.scipy.optimize.minimize(func, ms.Tensor([0.0, 0.0]), method="BFGS")
        >>> print(found.x, found.success)
        [ 1. -2.] True
    """
    if method is None:
        raise ValueError("You must specify a solver: 'BFGS', 'LBFGS' or 'LAGRANGE' as method.")
    options = dict(options or {})
    if not isinstance(args, tuple):
        raise TypeError(
            f"args argument to agar.scipy.optimize.minimize must be a tuple, got {describe(args)}"
        )
    name = method.lower()
    if name in ("bfgs", "lbfgs"):
        problem = Problem(lambda x: func(x, *args), jac)
        result = options.pop("history_size", 20) if name == "lbfgs" else 0
        memory: Any = _Inverse() if name == "bfgs" else _History(result)
        return _descend(problem, x0._value.detach(), memory, **options)
    if name == "lagrange":
        return _augmented(func, x0, constraints, tol, **options)
    raise ValueError(f"Method {method} not recognized; it must be 'BFGS', 'LBFGS' or 'LAGRANGE'.")


def _descend(
    problem: Problem,
    x: torch.Tensor,
    memory: Any,
    maxiter: int | None = None,
    norm: float = math.inf,
    gtol: float = 1e-5,
    line_search_maxiter: int = 10,
) -> OptimizeResults:
    """Steps along the directions that `memory` gives, as far as line searches say."""
    limit = x.numel() * 200 if maxiter is None else maxiter
    value, slope = problem.at(x)
    tries, number = 1, 0
    before = value + float(slope.norm()) / 2.0
    converged = float(slope.abs().max()) < gtol
    failed = False
    reason = 0
    memory.begin(x)
    while number < limit:
        direction = -memory.turned(slope)
        search = Search(problem, x, direction, (value, slope), before, maxiter=line_search_maxiter)
        tries += search.tries
        failed, reason = search.failed, search.status
        if failed:
            break
        step = search.step * direction
        change = search.slope - slope
        x = x + step
        before, value, slope = value, search.value, search.slope
        size = slope.abs().max() if norm == math.inf else slope.norm()
        converged = float(size) < gtol
        if converged:
            break
        memory.learn(step, change)
        number += 1
    if converged:
        status = 0
    elif number == limit:
        status = 1
    else:
        status = 2 + reason if failed else -1
    inverse = memory.inverse()
    return OptimizeResults(
        wrap(x),
        converged and not failed,
        status,
        value,
        wrap(slope),
        None if inverse is None else wrap(inverse),
        tries,
        tries,
        number,
    )


class _Inverse:
    """BFGS: an estimate of the inverse of the Hessian matrix."""

    _matrix: torch.Tensor

    def begin(self, x: torch.Tensor) -> None:
        """Start with the identity."""
        self._matrix = torch.eye(x.numel(), dtype=x.dtype, device=x.device)

    def turned(self, slope: torch.Tensor) -> torch.Tensor:
        """The gradient times the estimate."""
        return self._matrix @ slope

    def learn(self, step: torch.Tensor, change: torch.Tensor) -> None:
        """Make the estimate map the change of the gradient to the step."""
        scale = 1.0 / (change @ step)
        identity = torch.eye(step.numel(), dtype=step.dtype, device=step.device)
        left = identity - scale * torch.outer(step, change)
        self._matrix = left @ self._matrix @ left.mT + scale * torch.outer(step, step)

    def inverse(self) -> torch.Tensor | None:
        """The estimate."""
        return self._matrix


class _History:
    """L-BFGS: the last steps and changes of the gradient stand for the estimate."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._pairs: list[tuple[torch.Tensor, torch.Tensor, torch.Tensor]] = []
        self._scale: Any = None

    def begin(self, x: torch.Tensor) -> None:
        """Nothing is known at the start."""

    def turned(self, slope: torch.Tensor) -> torch.Tensor:
        """The gradient times the estimate."""
        if self._scale is None:
            return slope
        turned = slope
        shares = []
        for step, change, inverse in reversed(self._pairs):
            shares.append(inverse * (step @ turned))
            turned = turned - shares[-1] * change
        turned = self._scale * turned
        for (step, change, inverse), share in zip(self._pairs, reversed(shares), strict=True):
            turned = turned + (share - inverse * (change @ turned)) * step
        return turned

    def learn(self, step: torch.Tensor, change: torch.Tensor) -> None:
        """Note a step; where the function is not convex the gradient itself comes next."""
        product = change @ step
        if float(product) <= 1e-10:
            self._scale = None
            return
        self._pairs = [*self._pairs, (step, change, 1.0 / product)][-self._size :]
        self._scale = product / (change @ change)

    def inverse(self) -> torch.Tensor | None:
        """There is no matrix."""
        return None


# ------------------------------------------------------------------- augmented Lagrangians


class _Adam:
    """Steps of Adam on one tensor."""

    def __init__(self, x: torch.Tensor, rate: float) -> None:
        self._rate, self._count = rate, 0
        self._mean, self._square = torch.zeros_like(x), torch.zeros_like(x)

    def step(self, x: torch.Tensor, slope: torch.Tensor) -> torch.Tensor:
        """The next point."""
        self._count += 1
        self._mean = 0.9 * self._mean + 0.1 * slope
        self._square = 0.999 * self._square + 0.001 * slope.square()
        correction = math.sqrt(1.0 - 0.999**self._count) / (1.0 - 0.9**self._count)
        return x - self._rate * correction * self._mean / (self._square.sqrt() + 1e-8)


def _augmented(
    func: Callable[..., Any],
    x0: Tensor,
    constraints: Sequence[Callable[..., Any]],
    tol: Any = None,
    save_tol: Any = None,
    obj_weight: float = 1.0,
    lower: Any = None,
    upper: Any = None,
    learning_rate: float = 0.1,
    coincide_fun: Callable[..., Any] | None = None,
    rounds: int = 10,
    steps: int = 1000,
    log_sw: bool = False,
) -> _LagrangeResults:
    """Rounds of steps of Adam; after each the multipliers or the penalty grow.

    Of all points that hold the constraints, the one of the smallest value is kept.
    """
    for what, function in (("func", func), *(("constraint", c) for c in constraints)):
        if not callable(function):
            raise TypeError(f"'{what}' must be of type function, but got {describe(function)}")
    if coincide_fun is not None and not callable(coincide_fun):
        raise TypeError(
            f"'coincide_fun' must be of type function, but got {describe(coincide_fun)}"
        )
    bounds = tol if tol is not None else save_tol
    if bounds is not None and len(bounds) != len(constraints):
        raise ValueError(
            f"The len of tol must be same as the len of constraints, {len(constraints)}, but got "
            f"{len(bounds)}."
        )
    allowed = np.ones(len(constraints)) if bounds is None else np.asarray(bounds, np.float64)
    place = _Range(lower, upper, x0)
    multipliers, penalty, slack = np.ones(len(constraints)), 1.0, 1.0

    def lagrangian(free: Any) -> Any:
        x = place.inside(free)
        shared = () if coincide_fun is None else (coincide_fun(x),)
        objective = func(x, *shared)
        losses = [constraint(x, *shared) for constraint in constraints]
        total = obj_weight * objective
        for multiplier, loss in zip(multipliers, losses, strict=True):
            share = float(multiplier / penalty)
            total = total + penalty / 2.0 * (((loss + share).clip(0.0, None)) ** 2 - share**2)
        return total, objective, losses, x

    differentiate = value_and_grad(lagrangian, 0, None, has_aux=True)
    free = x0._value.detach()
    optimizer = _Adam(free, learning_rate)
    best, best_value, best_losses, succeeded = x0.asnumpy(), None, np.ones(len(constraints)), False
    losses = best_losses
    for _ in range(rounds):
        for _ in range(steps):
            (total, objective, result, x), slope = differentiate(wrap(free))
            value = float(objective)
            losses = np.array([float(loss) for loss in result])
            if log_sw:
                log.info("object_value:%f, loss_value:%s, lagrange_value:%f", value, losses, total)
            if best_value is None:
                best_value = value
            if value < best_value and (losses < allowed).all():
                succeeded, best_value = True, value
                best, best_losses = x.asnumpy().copy(), losses
            free = optimizer.step(free, slope._value.detach())
        breach = np.maximum(losses, -multipliers / penalty)
        if float(np.sqrt((breach**2).sum())) <= slack:
            multipliers = np.maximum(multipliers + penalty * losses, 0.0)
            slack = min(slack / penalty**0.9, sys.float_info.max)
        else:
            penalty *= 1.1
            slack = 1.0 / penalty**0.1
    return _LagrangeResults(succeeded, best, best_value or 0.0, best_losses)


class _Range:
    """The range of the variables, as a function of numbers without bounds."""

    def __init__(self, lower: Any, upper: Any, x0: Tensor) -> None:
        def array(given: Any) -> Any:
            if given is None or isinstance(given, Tensor):
                return given
            value = torch.as_tensor(np.asarray(given), dtype=x0._value.dtype)
            return wrap(value.to(x0._value.device))

        self._lower, self._upper = array(lower), array(upper)

    def inside(self, free: Any) -> Any:
        """The variables."""
        if self._lower is None:
            return free if self._upper is None else self._upper - free * free
        if self._upper is None:
            return free * free + self._lower
        return (self._upper - self._lower) * free.sigmoid() + self._lower
