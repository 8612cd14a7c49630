"""Calls of layers compared inside of one run of the whole network, cell beside module.

NOTE What is shown. Where a cell receives, bit for bit, what its module received, returns what that
returned, gets the same gradient back and gives the same gradients on, a run of the two by
themselves with these inputs and this gradient would show the same once more. Anything less (one
bit, an output without gradient, an input that is not followed) shows nothing, and the call is
compared by itself.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

# the original's tensors
import torch

from agar._core.gradient_recording import map_tensors
from agar._core.tensor import Tensor, wrap
from agar.migrate.cell_matching import Pair, Pairing
from agar.migrate.compare import Tolerances, compare_trees, same_values, stats
from agar.migrate.input_capture import CellWatch
from agar.migrate.isolated import OriginalFailed, Wiring, output_length
from agar.migrate.random_replay import drawing_nothing
from agar.migrate.recorder import Recording, RunCall, is_mask
from agar.migrate.result import Comparison
from agar.migrate.sandbox import cells_of
from agar.migrate.trees import flatten, tensors
from agar.nn.cell import Cell

__all__ = ["CallsInside", "Inside"]

#: In a call that works in place, its gradient is seen in the sum of all that use the input: it must
#: be no smaller a part of it than this, or rounding could hide it.
_SHARE = 1e-4


@dataclass
class _Open:
    """One call of a cell, not finished or not known to be equal yet.

    Attributes:
        run: the call of the module.
        comparisons: of the results.
        awaited: gradients that have to come, by what they are of.
        wrong: something differs.
    """

    run: RunCall
    comparisons: list[Comparison] = field(default_factory=list)
    awaited: dict[str, torch.Tensor] = field(default_factory=dict)
    wrong: bool = False


class CallsInside(CellWatch):
    """Hooks on all paired cells of a tree, for one run in Python forward and backward.

    Args:
        root (Cell): the tree.
        pairing (Pairing): its pairs.
        calls (list): the calls of the modules, with their results and gradients.
        stage (str): the stage of the comparisons.
        tolerance (Callable): takes a call and the type of a value; the tolerance that comparisons
            carry.
        draws (bool): whether the original draws random numbers.
    """

    def __init__(
        self,
        root: Cell,
        pairing: Pairing,
        calls: list[RunCall],
        stage: str,
        tolerance: Callable[[RunCall, torch.dtype], float],
        draws: bool,
    ) -> None:
        super().__init__(root, pairing)
        self._runs = {
            (id(c.pair.cell), c.number): c for c in calls if c.results is not None and c.simple
        }
        self.stage, self.tolerance, self.draws = stage, tolerance, draws
        self._open: list[_Open | None] = []
        self._done: list[_Open] = []

    def __enter__(self) -> CallsInside:
        with_run = {id(c.pair.cell) for c in self._runs.values()}
        for cell in cells_of(self.root):
            pair = self.by_cell.get(id(cell))
            # where there are draws, it counts which cell they are made in
            if pair is not None and (self.draws or id(cell) in with_run):
                self._watch(cell, pair)
        return self

    def equal(self) -> dict[tuple[int, int], list[Comparison]]:
        """Comparisons of the calls that are equal, by the pair's identity and the number."""
        return {
            (id(o.run.pair), o.run.number): [*o.comparisons, *self._of_gradients(o.run)]
            for o in self._done
            if not o.wrong and not o.awaited
        }

    def _of_gradients(self, run: RunCall) -> list[Comparison]:
        out = []
        for place, grad in run.received.items():
            numbers = stats(grad, settled=True)
            tolerance = self.tolerance(run, grad.dtype)
            what = f"gradient of {place}"
            out.append(
                Comparison(what, self.stage, 0.0, tolerance, True, "", numbers, numbers, None)
            )
        return out

    def _before(self, pair: Pair) -> Any:
        def hook(cell: Cell, args: Any, kwargs: Any) -> Any:
            self._stack.append(pair.module_path)
            number = self._counts.get(id(cell), 0)
            self._counts[id(cell)] = number + 1
            run = self._runs.get((id(cell), number))
            if run is None:
                self._open.append(None)
                return None
            with drawing_nothing():
                return self._begin(run, args, kwargs)

        return hook

    def _begin(self, run: RunCall, args: Any, kwargs: Any) -> Any:
        """Compare what a call is given; gives the arguments to make it with, or None."""
        given = _values(args, kwargs)
        expected = run.call.tensors()
        if len(given) != len(expected) or not all(
            _same(one, other) for one, (_, other) in zip(given, expected, strict=True)
        ):
            self._open.append(None)
            return None
        opened = _Open(run)
        self._open.append(opened)
        views = self._watch_inputs(opened, given, expected)
        if not views:
            return None
        if len(args) == 1 and not kwargs and type(args[0]) is Tensor:
            return (wrap(views[id(args[0]._value)]),), {}
        change = lambda t: wrap(views[id(t._value)]) if id(t._value) in views else t  # noqa: E731
        return map_tensors(args, change), map_tensors(kwargs, change)

    def _watch_inputs(
        self, opened: _Open, given: list[torch.Tensor], originals: list[tuple[str, torch.Tensor]]
    ) -> dict[int, torch.Tensor]:
        """Wait for the gradients that a call gives its inputs; gives views to call it with."""
        views: dict[int, torch.Tensor] = {}
        run = opened.run
        for (place, original), value in zip(originals, given, strict=True):
            expected = run.received.get(place)
            if expected is None:
                opened.wrong |= id(value) not in views and _needs_gradient(original, run)
                continue
            if not value.requires_grad or id(value) in views or not _tells(run, expected):
                opened.wrong = True
                continue
            watched = value if run.in_place else value.view_as(value)
            views[id(value)] = watched
            self._await(opened, watched, f"gradient of {place}", expected)
        return {} if run.in_place else views

    def _after(self, cell: Cell, args: Any, out: Any) -> None:
        super()._after(cell, args, out)
        opened = self._open.pop()
        if opened is not None and not opened.wrong:
            with drawing_nothing():
                self._end(opened, out)

    def _end(self, opened: _Open, out: Any) -> None:
        """Compare what a call returned."""
        run = opened.run
        leaves = [("output", out._value)] if type(out) is Tensor else list(flatten(out))
        opened.comparisons = compare_trees(
            self.stage,
            leaves,
            run.results or [],
            0.0,
            tolerances=lambda _, v: (
                self.tolerance(run, v.dtype) if isinstance(v, torch.Tensor) else 0.0
            ),
            settled=True,
        )
        opened.wrong = not all(c.equal and not c.error for c in opened.comparisons)
        if not opened.wrong:
            self._watch_results(opened, leaves)
        self._done.append(opened)

    def _watch_results(self, opened: _Open, leaves: list[tuple[str, Any]]) -> None:
        """Wait for the gradients that come back to the results of a call."""
        results = opened.run.results or []
        by_place = dict(leaves)
        if set(by_place) != {n for n, _ in results}:  # a tuple for a dataclass: by their order
            values = [v for _, v in leaves if v is not None]
            by_place = dict(zip([n for n, v in results if v is not None], values, strict=True))
        for place, _, _ in opened.run.outputs:
            grad, value = opened.run.grads.get(place), by_place.get(place)
            if grad is None or value is None or not value.requires_grad or not _says(grad):
                opened.wrong = True
                return
            self._await(opened, value, f"gradient at {place}", grad)

    @staticmethod
    def _await(opened: _Open, value: torch.Tensor, what: str, expected: torch.Tensor) -> None:
        opened.awaited[what] = expected

        def hook(grad: torch.Tensor) -> None:
            with drawing_nothing():
                if opened.awaited.pop(what, None) is None or not _same(grad, expected):
                    opened.wrong = True

        value.register_hook(hook)


class Inside:
    """The comparisons of calls inside of the runs of two networks, in both modes.

    Args:
        cell (Cell): the network that the modules' calls are compared with.
        wiring (Wiring): the pairs, and the weights that belong together.
        tolerances (Tolerances): what the comparisons carry; equal are equal bits alone.
    """

    def __init__(self, cell: Cell, wiring: Wiring, tolerances: Tolerances) -> None:
        self.cell, self.wiring, self.tolerances = cell, wiring, tolerances
        self._pairs = {id(p): p for p in wiring.pairing.pairs}
        #: how many names a tensor of the original has
        self._names = Counter(id(e.original) for e in wiring.entries.values())
        #: the longest sums of calls, by their identity
        self._lengths: dict[int, int] = {}
        #: by mode, the comparisons by pair and number
        self._equal: dict[bool, dict[tuple[int, int], list[Comparison]]] = {}

    def of(self, train: bool, run: RunCall) -> list[Comparison] | None:
        """The comparisons of a call that is equal bit for bit; None of others.

        Args:
            train (bool): in which mode.
            run (RunCall): the call of the module.
        """
        return self._equal.get(train, {}).get((id(run.pair), run.number))

    def compare(
        self, train: bool, stage: str, first: Recording, compare: Callable[..., list[Comparison]]
    ) -> list[Comparison] | None:
        """Compare the wholes and, in the same run, the calls of layers.

        Args:
            train (bool): in which mode.
            stage (str): the stage of the layers' comparisons.
            first (Recording): the original's run in this mode.
            compare (Callable): compares the wholes; takes what to enter around the cell's run.

        Returns:
            The comparisons of the wholes; None where they are not equal bit for bit, so that
            nothing is said of the calls.
        """
        if not any(c.results is not None for c in first.calls):
            return None
        watch = CallsInside(
            self.cell, self.wiring.pairing, first.calls, stage, self._tolerance, bool(first.draws)
        )
        try:
            comparisons = compare(watch=watch)
        except OriginalFailed:
            raise
        except Exception:  # it may be the hooks; without them it raises again, or not
            return None
        if not all(c.equal and not c.error for c in comparisons):
            return None
        equal = self._equal[train] = watch.equal()
        of_whole = {c.what: c for c in comparisons}
        counts = Counter(id(c.pair) for c in first.calls)
        for key in list(equal):
            of_weights = self._of_weights(key[0], counts[key[0]], of_whole, stage)
            if of_weights is None:
                del equal[key]
            else:
                equal[key] += of_weights
        return comparisons

    def _of_weights(
        self, number: int, calls: int, of_whole: dict[str, Comparison], stage: str
    ) -> list[Comparison] | None:
        """The comparisons of a layer's weights and statistics among those of the whole network.

        None where the whole's are also of other calls, or of none.
        """
        out = []
        for name, entry in self.wiring.below(self._pairs[number]).items():
            comparison = None
            for what in ("gradient of {}", "{} after the run"):
                whole = of_whole.get(what.format(entry.name))
                if whole is not None:
                    comparison = replace(whole, what=what.format(name), stage=stage)
            if comparison is None or calls != 1 or self._names[id(entry.original)] != 1:
                return None
            out.append(comparison)
        return out

    def _tolerance(self, run: RunCall, dtype: torch.dtype) -> float:
        length = self._lengths.get(id(run))
        if length is None:
            length = self._lengths[id(run)] = output_length(run.pair, run.call)
        return self.tolerances.of(dtype, length)


def _values(args: Any, kwargs: Any) -> list[torch.Tensor]:
    """The tensors among the arguments of a cell's call."""
    if len(args) == 1 and not kwargs and type(args[0]) is Tensor:
        return [args[0]._value]  # as most layers are called
    return [t for _, t in (*tensors(args, ""), *tensors(kwargs, ""))]


def _same(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors have the same bits, shape and type."""
    plain = one.layout is torch.strided and other.layout is torch.strided
    return plain and one.dtype == other.dtype and same_values(one, other)


def _needs_gradient(value: torch.Tensor, run: RunCall) -> bool:
    """Whether a run by itself would take the gradient by an input."""
    floats = value.is_floating_point() or value.is_complex()
    return bool(run.outputs) and floats and not is_mask(value)


def _says(grad: torch.Tensor) -> bool:
    """Whether a gradient is worth the name: finite, and not zero."""
    if not grad.numel() or grad.layout is not torch.strided or grad.is_complex():
        return False
    if grad.dtype is torch.float32 and grad.is_contiguous():
        flat = grad.view(-1)
        square = float(torch.dot(flat, flat))  # a third of the time of what follows
        if math.isfinite(square) and square > 0:
            return True
    low, high = (float(v) for v in grad.aminmax())
    return math.isfinite(low) and math.isfinite(high) and (low != 0 or high != 0)


def _tells(run: RunCall, grad: torch.Tensor) -> bool:
    """Whether a call's own part in the gradient of its input can be seen."""
    if not run.in_place:
        return True
    own = max((float(g.abs().max()) for g in run.grads.values() if g.numel()), default=0.0)
    return own >= _SHARE * float(grad.abs().max())
