"""One cell beside its module: the same inputs, the same gradient of the output, nothing else."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import torch

from agar.migrate.cell_matching import Pair, Pairing, cell_state, paths_above, weights_of
from agar.migrate.compare import FLOOR, Tolerances, compare, compare_trees, relative_error
from agar.migrate.input_capture import CellWatch
from agar.migrate.module_runs import run_cell, run_original
from agar.migrate.random_replay import Served
from agar.migrate.recorder import RunCall, cotangents
from agar.migrate.result import Comparison
from agar.migrate.run_results import Result
from agar.migrate.sandbox import (
    CellBaseline,
    module_state,
    modules_of,
    named_tensors,
    parameters_in,
)
from agar.migrate.trees import Call

__all__ = [
    "Entry",
    "Float64",
    "Isolated",
    "NarrowRefused",
    "OriginalFailed",
    "Wiring",
    "length_of",
    "output_length",
]

#: Beyond its tolerance an error in float32 still counts as rounding up to this factor, if the same
#: comparison in float64 holds.
BORDERLINE = 16.0


#: How much larger the cell's error in a narrow type may be than the original's.
NARROW = 2.0


#: When a comparison is made in float64 too.
Float64 = Literal["always", "if inexact", "if different"]


class OriginalFailed(Exception):
    """The original itself raised an error."""


class NarrowRefused(Exception):
    """A network does not run in a type."""


@dataclass(frozen=True)
class Entry:
    """One tensor of the original and the one of the cell that stands for it.

    Attributes:
        name (str): the name in the original.
        cell_name (str): the name in the cell.
        original (torch.Tensor): the original's tensor.
        cell (Tensor): the cell's parameter or buffer.
        there (Callable): turns a value of the original into the form of the cell.
        back (Callable): turns a value of the cell into the form of the original.
        pair (Pair): the module and the cell that the tensors belong to.
    """

    name: str
    cell_name: str
    original: torch.Tensor
    cell: Any
    there: Callable[[torch.Tensor], torch.Tensor]
    back: Callable[[torch.Tensor], torch.Tensor]
    pair: Pair

    @property
    def short(self) -> str:
        """The name of the module's entry, without the path."""
        return self.name.rpartition(".")[2]


@dataclass
class Wiring:
    """All pairs of two networks and all pairs of their weights.

    Attributes:
        pairing: the pairs.
        entries: the weights, by the name in the original.
        problems: weights without a counterpart.
        missing: by the identity of a pair, those of its weights.
    """

    pairing: Pairing
    entries: dict[str, Entry] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    #: the same by the identity of the pairs
    missing: dict[int, list[str]] = field(default_factory=dict)
    #: names of entries by the paths that they lie in, and what `below` gave
    _names: dict[str, list[str]] = field(default_factory=dict, repr=False)
    _elsewhere: dict[int, Entry] = field(default_factory=dict, repr=False)
    _below: dict[int, tuple[Pair, Any, dict[str, Entry]]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, module: torch.nn.Module, pairing: Pairing) -> Wiring:
        """Find out which weights belong together.

        Args:
            module (torch.nn.Module): the original network.
            pairing (Pairing): its modules and their cells.
        """
        wiring = cls(pairing)
        covered: set[str] = set()
        state = named_tensors(module)
        for pair in pairing.pairs:
            prefix = f"{pair.module_path}." if pair.module_path else ""
            if any(prefix.startswith(c) for c in covered):
                continue
            if pair.whole and pair.leaf:
                covered.add(prefix)
            weights = weights_of(pair)
            wiring.problems += weights.problems
            if weights.problems:
                wiring.missing[id(pair)] = weights.problems
            path = f"{pair.path}." if pair.path else ""
            for name, (target, there, back) in weights.names.items():
                wiring.entries[prefix + name] = Entry(
                    prefix + name,
                    path + target,
                    state[prefix + name],
                    weights.tensors[target],
                    there,
                    back,
                    pair,
                )
        wiring.problems += _parted(list(wiring.entries.values()))
        return wiring

    def below(self, pair: Pair) -> dict[str, Entry]:
        """The entries of a pair and of all inside, by their names from there.

        Args:
            pair (Pair): the module and its cell.
        """
        known = self._below.get(id(pair))
        if known is None or known[0] is not pair or known[1] is not pair.cell:
            known = self._below[id(pair)] = pair, pair.cell, self._find_below(pair)
        return known[2]

    def _find_below(self, pair: Pair) -> dict[str, Entry]:
        if not self._names:
            for name in self.entries:
                for above in paths_above(name):
                    self._names.setdefault(above, []).append(name)
        cut = len(pair.module_path) + 1 if pair.module_path else 0
        out = {n[cut:]: self.entries[n] for n in self._names.get(pair.module_path or "", ())}
        # a module inside that has another place too is paired under the first of them
        state = named_tensors(pair.module)
        absent = {n: t for n, t in state.items() if n not in out}
        if absent:
            if not self._elsewhere:
                self._elsewhere |= {id(e.original): e for e in reversed(self.entries.values())}
            others = {n: self._elsewhere.get(id(t)) for n, t in absent.items()}
            ours = {id(e.original) for e in out.values()}
            inside: set[int] = set()
            for name, entry in others.items():
                if entry is not None and id(entry.original) not in ours:
                    inside = inside or {id(t) for t in cell_state(pair.cell, recurse=True).values()}
                    if id(entry.cell) in inside:
                        out[name] = entry
        return out

    def values(self, pair: Pair) -> dict[int, torch.Tensor]:
        """The module's weights for the cell's tensors, by their identity.

        Args:
            pair (Pair): the module and its cell.

        Raises:
            ValueError: a shape does not fit.
        """
        out = {}
        for entry in self.below(pair).values():
            value = entry.there(entry.original.detach())
            if tuple(value.shape) != tuple(entry.cell.shape):
                raise ValueError(
                    f"{entry.name}: shape {tuple(entry.cell.shape)} against {tuple(value.shape)}"
                )
            own = entry.cell._value.dtype
            out[id(entry.cell)] = value.to(own) if value.dtype != own else value
        return out


def _parted(entries: list[Entry]) -> list[str]:
    """Weights that are one tensor on one side only."""
    out = []
    for one, other, here, there in (
        (lambda e: id(e.original), lambda e: id(e.cell), "the original", "the cell"),
        (lambda e: id(e.cell), lambda e: id(e.original), "the cell", "the original"),
    ):
        groups: dict[int, list[Entry]] = {}
        for entry in entries:
            groups.setdefault(one(entry), []).append(entry)
        for group in groups.values():
            if len({other(e) for e in group}) > 1:
                names = " and ".join(e.name for e in group[:4])
                out.append(
                    f"{names} are one tensor in {here} and several in {there}: they would part in "
                    "training. Assign the same Parameter to both attributes."
                    if here == "the original"
                    else f"{names} are several tensors in {there} and one in {here}."
                )
    return out


def parameters_of(module: torch.nn.Module) -> list[torch.nn.Parameter]:
    """The parameters of a module; of a layer without a walk through what is not in it."""
    if not module._modules:
        return [p for p in module._parameters.values() if p is not None]
    return parameters_in(modules_of(module))


def length_of(pair: Pair, call: Call) -> tuple[int, int]:
    """The longest sums of a layer, for its output and for the gradients of its weights.

    Args:
        pair (Pair): the module and its cell.
        call (Call): the arguments of the module.
    """
    parameters = parameters_of(pair.module)
    inputs = [t for _, t in call.tensors() if t.is_floating_point() and t.numel()]
    numel = max((t.numel() for t in inputs), default=1)
    out = _row_length(parameters) or _length_without(pair.module, call)
    channels = min((p.shape[0] for p in parameters if p.dim()), default=1)
    return out, max(out, numel // max(channels, 1), 1)


def output_length(pair: Pair, call: Call) -> int:
    """The longest sum of a layer for its output, as of `length_of`.

    Args:
        pair (Pair): the module and its cell.
        call (Call): the arguments of the module.
    """
    return _row_length(parameters_of(pair.module)) or _length_without(pair.module, call)


def _length_without(module: torch.nn.Module, call: Call) -> int:
    """The longest sum of a layer without matrices."""
    inputs = [t for _, t in call.tensors() if t.is_floating_point() and t.numel()]
    if not inputs:
        return 1
    largest = inputs[0] if len(inputs) == 1 else max(inputs, key=torch.Tensor.numel)
    if isinstance(module, torch.nn.modules.batchnorm._NormBase):
        return max(largest.numel() // max(largest.shape[1] if largest.dim() > 1 else 1, 1), 1)
    return max(largest.shape[-1] if largest.dim() else 1, 1)


def _row_length(parameters: list[torch.nn.Parameter]) -> int:
    """The most elements that a matrix among weights has in a row."""
    sizes = [p.numel() // len(p) for p in parameters if p.dim() > 1 and len(p)]
    return max(sizes, default=0)


class Isolated:
    """Compares pairs one by one.

    Args:
        wiring (Wiring): pairs and weights.
        tolerances (Tolerances): when tensors are equal.
        graph (bool): cells run compiled.
        numbers (bool): whether statistics are kept.
        seed (int): of gradients that the run did not give.
    """

    def __init__(
        self,
        wiring: Wiring,
        tolerances: Tolerances,
        graph: bool,
        numbers: bool,
        seed: int,
    ) -> None:
        self.wiring = wiring
        self.tolerances = tolerances
        self.graph = graph
        self.numbers = numbers
        self.seed = seed
        self.notes: list[str] = []
        #: whether the module's own parameters must be kept from runs
        self.copy = True
        #: whether the last comparison's original had gradients at all
        self.connected = True
        #: the random numbers of the last comparison
        self.served = Served([])

    def compare(
        self,
        pair: Pair,
        run: RunCall,
        *,
        train: bool,
        stage: str = "isolated",
        cell_values: dict[int, torch.Tensor] | None = None,
        graph: bool | None = None,
        watch: CellWatch | None = None,
        float64: Float64 = "always",
        original: Result | None = None,
        baseline: CellBaseline | None = None,
    ) -> list[Comparison]:
        """All comparisons of one call.

        Args:
            pair (Pair): module and cell; the cell may be another than the recorded one.
            run (RunCall): what the module received.
            train (bool): whether the cell trains.
            stage (str): how the stage is called. Default: ``"isolated"``.
            cell_values (dict, optional): tensors for the cell by identity. Default: ``None``, the
                module's.
            graph (bool, optional): run the cell compiled. Default: ``None``, as the whole check.
            watch (CellWatch, optional): around the cell's runs. Default: ``None``.
            float64 (str): when to compare in float64 too: ``"always"``, ``"if inexact"`` (a bit
                differs in float32), ``"if different"``. Default: ``"always"``.
            original (Result, optional): what the module gives. Default: ``None``, it runs.
            baseline (CellBaseline, optional): what the cell is to be afterwards. Default: ``None``,
                as it is.
        """
        values = self.wiring.values(pair) if cell_values is None else cell_values
        graph = self.graph if graph is None else graph
        sens = self._sens(run)
        if original is None:
            try:
                original = run_original(pair.module, self.state(pair), run.call, sens, run.draws)
            except Exception as error:
                raise OriginalFailed(f"{type(error).__name__}: {_first_line(error)}") from error
        self.connected = original.connected
        served = _served(run, watch)
        run_it = functools.partial(
            run_cell, graph=graph, train=train, watched=watch, baseline=baseline
        )
        result = run_it(pair, values, run.call, sens, served)
        if served.unseen:  # it drew where the original does not: once more, to see where
            served = _served(run, watch)
            served.watched = True
            result = run_it(pair, values, run.call, sens, served)
        self.served = served
        if graph and not result.replayed:
            self.notes.append(
                f"{pair.label}: GRAPH_MODE runs it as ordinary Python, so that no replay of it "
                "was compared."
            )
        if float64 != "always":
            comparisons = self._results(pair, run, stage, result, original, {}, None)
            if all(c.equal and not (c.error and float64 == "if inexact") for c in comparisons):
                return comparisons
        own: dict[str, float] = {}
        wide: list[Comparison] = []
        if _has_floats(original):
            wide, own = self._in_double(
                pair, run, values, sens, original, graph, train, stage, watch
            )
        comparisons = self._results(pair, run, stage, result, original, own, None)
        if wide and not self.tolerances.exact:
            good = {c.what: c for c in wide if c.equal}
            for c in comparisons:
                other = good.get(f"{c.what} in float64")
                near = c.error is not None and c.error <= BORDERLINE * c.tolerance
                if not c.equal and other is not None and near and not c.reason:
                    c.equal = True
                    c.reason = f"rounding: in float64 the error is {other.error:.1e}"
        return [*comparisons, *wide]

    def compare_narrow(
        self,
        pair: Pair,
        run: RunCall,
        dtype: torch.dtype,
        *,
        train: bool,
        cell_values: dict[int, torch.Tensor],
        watch: CellWatch | None,
    ) -> list[Comparison]:
        """Errors of both sides in a narrow type against float64; the cell's may be twice as large.

        Args:
            pair (Pair): the module and its cell.
            run (RunCall): the call of the module to repeat.
            dtype (torch.dtype): the narrow type, float16 or bfloat16.
            train (bool): whether both sides are in training mode.
            cell_values (dict[int, torch.Tensor]): values for the cell's tensors, by their identity.
            watch (CellWatch): observes the cells inside; None observes none.

        Raises:
            NarrowRefused: one of the sides does not run in that type, or in float64.
        """
        sens = self._sens(run)
        wide = torch.float64
        stage = str(dtype).removeprefix("torch.")
        try:
            truth = run_original(
                pair.module, self.state(pair, wide), run.call, sens, run.draws, dtype=wide
            )
            original = run_original(
                pair.module, self.state(pair, dtype), run.call, sens, run.draws, dtype=dtype
            )
        except (RuntimeError, TypeError, NotImplementedError, ValueError) as error:
            raise NarrowRefused(f"the original raised {_first_line(error)}") from error
        try:
            result = run_cell(
                pair,
                cell_values,
                run.call,
                sens,
                _served(run, watch),
                dtype=dtype,
                graph=self.graph,
                train=train,
                watched=watch,
            )
        except Exception as error:
            raise NarrowRefused(
                f"the cell raised {type(error).__name__}: {_first_line(error)}"
            ) from error
        comparisons = self._results(pair, run, stage, result, truth, {}, None)
        own = _errors(original, truth)
        for c in comparisons:
            c.tolerance = NARROW * own.get(c.what, 0.0) + FLOOR * torch.finfo(dtype).eps / 4
            shapes = c.reason.startswith(("shape", "dtype")) and math.isinf(c.error or 0.0)
            c.equal = c.error is not None and c.error <= c.tolerance and not shapes
            c.reason = "" if c.equal else c.reason
        return comparisons

    def state(self, pair: Pair, dtype: torch.dtype | None = None) -> dict[str, torch.Tensor]:
        """What stands for the module's tensors in one run.

        Args:
            pair (Pair): the module and its cell.
            dtype (torch.dtype): the type for floating-point tensors. Default: ``None``, their own.
        """
        return module_state(pair.module, dtype, self.copy)

    def _sens(self, run: RunCall) -> dict[str, torch.Tensor]:
        """The recorded gradients; random ones for outputs that got none worth the name."""
        sens = cotangents(run.outputs, self.seed + run.order, set(run.grads))
        for place, shape, dtype in run.outputs:
            grad = run.grads.get(place)
            if grad is not None and grad.shape == shape:
                largest = float(grad.abs().max()) if grad.numel() else 0.0
                if largest > 0 and math.isfinite(largest):
                    sens[place] = grad
                    continue
            if place not in sens:
                sens |= cotangents([(place, shape, dtype)], self.seed + run.order)
        return {place: sens[place] for place, _, _ in run.outputs if place in sens}

    def _in_double(
        self,
        pair: Pair,
        run: RunCall,
        values: dict[int, torch.Tensor],
        sens: dict[str, torch.Tensor],
        original: Result,
        graph: bool,
        train: bool,
        stage: str,
        watch: CellWatch | None,
    ) -> tuple[list[Comparison], dict[str, float]]:
        """The comparisons in float64, and the original's own rounding errors."""
        double = torch.float64
        try:
            truth = run_original(
                pair.module, self.state(pair, double), run.call, sens, run.draws, dtype=double
            )
        except (RuntimeError, TypeError, NotImplementedError, ValueError):
            return [], {}  # the original does not run in float64: float32 has to do
        own = _errors(original, truth)
        if truth.narrow:
            self.notes.append(
                f"{pair.label}: compared in float32 only, the original converts to a narrower type "
                "by itself."
            )
            return [], own
        wide = {k: v.to(double) if v.is_floating_point() else v for k, v in values.items()}
        served = _served(run, watch, double=True)
        try:
            result = run_cell(
                pair,
                wide,
                run.call,
                sens,
                served,
                dtype=double,
                graph=graph,
                train=train,
                watched=watch,
            )
        except Exception as error:  # any operator may lack float64; float32 has been compared
            self.notes.append(
                f"{pair.label}: compared in float32 only, in float64 the cell raised "
                f"{type(error).__name__}: {_first_line(error)}"
            )
            return [], own
        if result.narrow:
            self.notes.append(
                f"{pair.label}: compared in float32 only, the cell converts to a narrower type "
                "by itself."
            )
            return [], own
        comparisons = self._results(pair, run, stage, result, truth, own, double)
        for c in comparisons:
            c.what = f"{c.what} in float64"
        return comparisons, own

    def _results(
        self,
        pair: Pair,
        run: RunCall,
        stage: str,
        result: Result,
        expected: Result,
        own: dict[str, float],
        dtype: torch.dtype | None,
    ) -> list[Comparison]:
        """Outputs, gradients and statistics of one run."""
        out_length, grad_length = length_of(pair, run.call)
        numbers = self.numbers and dtype is None

        def tolerance(what: str, value: Any, length: int) -> float:
            kind = value.dtype if isinstance(value, torch.Tensor) else torch.float32
            error = own.get(what, 0.0)
            if dtype is torch.float64:  # rounding grows alike in both types
                error *= torch.finfo(torch.float64).eps / torch.finfo(torch.float32).eps
            return self.tolerances.of(kind, length, error)

        @functools.cache
        def scale() -> float:
            gradients = [*expected.input_grads.values(), *expected.weight_grads.values()]
            return max((_largest(g) for g in gradients), default=0.0)

        def floor(what: str, value: Any, length: int) -> float:
            """What counts as rounding of zeros; in float32 only if float64 was compared too."""
            if dtype is not torch.float64 and what not in own:
                return 0.0
            return self.tolerances.of(value.dtype, length) * scale()

        comparisons = compare_trees(
            stage,
            result.output,
            expected.output,
            0.0,
            numbers=numbers,
            tolerances=lambda n, v: tolerance(n, v, out_length),
        )
        for place, value in expected.input_grads.items():
            what = f"gradient of {place}"
            if place not in result.input_grads:
                continue
            comparisons.append(
                compare(
                    what,
                    stage,
                    result.input_grads[place],
                    value,
                    tolerance(what, value, out_length),
                    numbers=numbers,
                    floor=floor(what, value, out_length),
                )
            )
        seen: set[int] = set()
        for name, entry in self.wiring.below(pair).items():
            if id(entry.cell) in seen:
                continue
            seen.add(id(entry.cell))
            if name in expected.weight_grads:
                value = expected.weight_grads[name]
                what = f"gradient of {name}"
                given = result.weight_grads.get(id(entry.cell))
                if given is None:
                    reason = "the cell's parameter is not trained (requires_grad is False)"
                    comparisons.append(Comparison(what, stage, math.inf, 0.0, False, reason))
                    continue
                comparisons.append(
                    compare(
                        what,
                        stage,
                        given,
                        entry.there(value),
                        tolerance(what, value, grad_length),
                        numbers=numbers,
                        floor=floor(what, value, grad_length),
                        settled=True,
                    )
                )
            elif name in expected.state and id(entry.cell) in result.state:
                value = expected.state[name]
                what = f"{name} after the run"
                comparisons.append(
                    compare(
                        what,
                        stage,
                        result.state[id(entry.cell)],
                        entry.there(value),
                        tolerance(what, value, grad_length),
                        numbers=False,
                        types=False,
                    )
                )
        return comparisons


def _served(run: RunCall, watch: CellWatch | None, double: bool = False) -> Served:
    return Served(run.draws, watch.where if watch is not None else lambda: None, double)


def _largest(value: torch.Tensor) -> float:
    """The largest finite absolute value."""
    plain = value.detach()
    plain = plain if plain.layout is torch.strided else plain.to_dense()
    if not plain.numel():
        return 0.0
    if plain.is_floating_point():
        low, high = plain.aminmax()  # takes no copy
        largest = max(-float(low), float(high))
        if math.isfinite(largest):
            return largest
    plain = plain.abs()
    largest = float(plain.max())
    if not math.isfinite(largest):
        plain = plain[plain.isfinite()]
        largest = float(plain.max()) if plain.numel() else 0.0
    return largest


def _has_floats(result: Result) -> bool:
    return any(isinstance(v, torch.Tensor) and v.is_floating_point() for _, v in result.output)


def _errors(result: Result, truth: Result) -> dict[str, float]:
    """The rounding errors of a run, by what they are of."""
    pairs = [
        (n, v, w)
        for (n, v), (_, w) in zip(result.output, truth.output, strict=False)
        if isinstance(v, torch.Tensor) and isinstance(w, torch.Tensor)
    ]
    for mine, other, what in (
        (result.input_grads, truth.input_grads, "gradient of {}"),
        (result.weight_grads, truth.weight_grads, "gradient of {}"),
        (result.state, truth.state, "{} after the run"),
    ):
        pairs += [(what.format(n), v, other[n]) for n, v in mine.items() if n in other]
    out = {}
    for name, value, true in pairs:
        if value.is_floating_point():
            error = relative_error(value, true)
            out[name] = error if math.isfinite(error) else 0.0
    return out


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), "")[:200]
