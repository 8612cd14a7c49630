"""`check`: a module and a cell, compared part by part and as a whole."""

from __future__ import annotations

import contextlib
import inspect
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from agar._core.errors import describe
from agar._core.gc_pause import collector_on_new_objects
from agar._core.runtime import GRAPH_MODE, PYNATIVE_MODE, runtime
from agar.migrate.check_session import Progress, Session
from agar.migrate.compare import Tolerances, numbers_when_read
from agar.migrate.result import Report, Subject
from agar.migrate.sandbox import CellBaseline, keep_module, keep_random_states
from agar.nn.cell import Cell

__all__ = ["check"]


def check(
    module: torch.nn.Module,
    cell: Cell,
    inputs: Any,
    *,
    mode: int | None = None,
    train: bool = False,
    optimizer: Any = None,
    steps: int = 0,
    sync_weights: bool = False,
    pairs: Mapping[str, str] | None = None,
    loss: Any = None,
    exact: bool = False,
    dtypes: Sequence[str] = (),
    tolerance: float | None = None,
    seed: int = 0,
    name: str | None = None,
    progress: Progress | None = None,
) -> Report:
    """Compare a cell with the module that it stands for.

    Args:
        module (torch.nn.Module): the original.
        cell (Cell): what was made of it.
        inputs: what both are called with: a tensor or array, a tuple of them, a dictionary of
            keyword arguments, or a list of such batches, of which training takes one a step and
            everything else the first.
        mode (int, optional): ``ms.PYNATIVE_MODE`` or ``ms.GRAPH_MODE``. Default: ``None``, the
            mode that is set.
        train (bool): whether to compare in training mode as well. Default: ``False``.
        optimizer (optional): a torch optimizer of the module's parameters, whose counterpart is
            looked up, or a pair of functions that make one each of a list of parameters. One step
            is compared. Default: ``None``.
        steps (int): how many steps of training are compared as curves. Default: ``0``.
        sync_weights (bool): whether the cell is compared with the module's weights in place of
            its own. Default: ``False``, unequal weights are a divergence.
        pairs (mapping, optional): path of a module: path of its cell, where they are not found.
        loss (callable, optional): what training makes small: a function of the network's output
            and nothing else, called with torch tensors. Default: ``None``, the distance from a
            random target.
        exact (bool): whether only equal bits are equal. Default: ``False``.
        dtypes (sequence): types in which both are compared with float64: ``float16``,
            ``bfloat16``. Default: none.
        tolerance (float, optional): the largest relative error that is equal. Default: ``None``,
            by type and length of the sums.
        seed (int): of random numbers. Default: ``0``.
        name (str, optional): how the report calls the network. Default: ``None``, its class.
        progress (callable, optional): called with (stage, done, all). Default: ``None``.

    Returns:
        Report. The module, the cell, their statistics, the mode and all random states are as they
        were.

    Raises:
        TypeError: an argument is of a wrong type.
        ValueError: an argument is out of range, or a path in `pairs` does not exist.

    Source: agar's own.

    Examples:
        >>> import agar as ms, torch
        >>> from agar.migrate import check
        >>> report = check(torch.nn.ReLU(), ms.nn.ReLU(), torch.randn(2, 3))
        >>> report.passed
        True
        >>> check(torch.nn.Tanh(), ms.nn.ReLU(), torch.randn(2, 3)).passed
        False
    """
    _validate(module, cell, mode, steps, dtypes, tolerance)
    if steps and optimizer is None:
        raise ValueError("For 'check', 'steps' needs an 'optimizer' to train with.")
    started = time.perf_counter()
    with contextlib.ExitStack() as stack:
        stack.enter_context(collector_on_new_objects())
        stack.enter_context(keep_random_states())
        stack.enter_context(keep_module(module))
        baseline = CellBaseline(cell)
        stack.enter_context(baseline.put_back())
        stack.enter_context(_gradients_on())
        # the report keeps the network as well
        size = sum(p.nbytes for p in module.parameters())
        stack.enter_context(numbers_when_read(size + (32 << 20)))
        said = stack.enter_context(warnings.catch_warnings(record=True))
        warnings.simplefilter("always")
        job = Session(
            module,
            cell,
            inputs,
            graph=(runtime.mode if mode is None else mode) == GRAPH_MODE,
            train=train,
            sync_weights=sync_weights,
            pairs=pairs,
            tolerances=Tolerances(exact, tolerance),
            seed=seed,
            name=name,
            progress=progress,
            baseline=baseline,
        )
        job.run(optimizer, steps, loss, tuple(dtypes))
        for sentence in dict.fromkeys(str(w.message) for w in said):
            job.note(f"Warning: {sentence}")
    job.report.seconds = time.perf_counter() - started
    given = {
        "mode": mode,
        "train": train,
        "optimizer": optimizer,
        "steps": steps,
        "sync_weights": sync_weights,
        "pairs": pairs,
        "loss": loss,
        "exact": exact,
        "dtypes": dtypes,
        "tolerance": tolerance,
        "seed": seed,
        "name": name,
    }
    usual = inspect.signature(check).parameters
    options = {n: v for n, v in given.items() if v is not None and v != usual[n].default}
    job.report.subject = Subject(module, cell, inputs, options)
    return job.report


@contextlib.contextmanager
def _gradients_on() -> Iterator[None]:
    """Record gradients, also where the user has switched them off."""
    enabled = torch.is_grad_enabled()
    try:
        torch.set_grad_enabled(True)
        yield
    finally:
        torch.set_grad_enabled(enabled)


def _validate(module: Any, cell: Any, mode: Any, steps: Any, dtypes: Any, tolerance: Any) -> None:
    if not isinstance(module, torch.nn.Module):
        raise TypeError(
            f"For 'check', 'module' must be a torch.nn.Module, but got {describe(module)}."
        )
    if not isinstance(cell, Cell):
        raise TypeError(
            f"For 'check', 'cell' must be a Cell, but got {describe(cell)}; "
            "agar.migrate.from_torch(module) makes one of a module."
        )
    if mode not in (None, GRAPH_MODE, PYNATIVE_MODE):
        raise ValueError(
            f"For 'check', 'mode' must be ms.GRAPH_MODE, ms.PYNATIVE_MODE or None, got {mode!r}."
        )
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 0:
        raise ValueError(f"For 'check', 'steps' must be an int of at least 0, got {steps!r}.")
    for kind in dtypes:
        if kind not in ("float16", "bfloat16"):
            raise ValueError(
                f"For 'check', 'dtypes' may contain 'float16' and 'bfloat16', got {kind!r}; "
                "float32 and float64 are always compared."
            )
    if tolerance is not None and not (isinstance(tolerance, (int, float)) and tolerance >= 0):
        raise ValueError(
            f"For 'check', 'tolerance' must be a number of at least 0, got {tolerance!r}."
        )
