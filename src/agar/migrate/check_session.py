"""The course of one check: the wholes, then the cells, then training.

NOTE Order. The weights are compared first, then the networks as wholes, in evaluation and in
training, with the original's random numbers. Each cell alone then gets the inputs and the gradient
of its module (isolated: no error of the cells before it counts).

NOTE Cost. Four runs of whole networks, forward and backward, are made:

- the original in evaluation, and in training: the results, gradients and statistics that are to be
  reached, and what each layer received, returned and got back;
- the cell in evaluation, and in training: that the whole reaches them, and, layer by layer, where
  what goes in and what comes out agree bit for bit (`agar.migrate.calls_inside`).

The original runs forward once more, in the mode of the isolated runs: that it repeats itself, for
else the cell would be equal by luck.

Only what these do not settle costs more. A layer of which one bit differs, or that got no gradient,
is run by itself, and of calls that compute the same (`agar.migrate.equal_calls`) one is. Where the
wholes differ, the original runs again with all arguments kept, and every call is compared by
itself; so it is as soon as one cell differs although the wholes do not. Cells around others are
taken to be equal with the whole.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Callable, Mapping
from typing import Any

import torch

from agar._core.malloc import give_back
from agar.migrate.calls_inside import Inside
from agar.migrate.cell_matching import Pair, pair_trees
from agar.migrate.class_sources import source_later
from agar.migrate.compare import Tolerances, compare, compare_trees
from agar.migrate.diagnose import diagnose
from agar.migrate.equal_calls import signature
from agar.migrate.input_capture import CellWatch
from agar.migrate.isolated import Float64, Isolated, NarrowRefused, OriginalFailed, Wiring
from agar.migrate.module_runs import may_drop, mode_matters
from agar.migrate.random_replay import draws_show
from agar.migrate.recorder import (
    Recording,
    RunCall,
    cotangents,
    is_mask,
    record,
    signatures,
    survey,
)
from agar.migrate.result import CellResult, Comparison, Report
from agar.migrate.run_results import Result
from agar.migrate.sandbox import CellBaseline, modules_of, parameters_in
from agar.migrate.training_curves import Training
from agar.migrate.trees import Call, call_of, is_simple
from agar.migrate.verdicts import entry_of, first_line, order_of, settle
from agar.nn.cell import Cell

__all__ = ["Progress", "Session"]

Progress = Callable[[str, int, int], None]

#: What has more weights runs in float64 as a whole only where float32 leaves a doubt.
LARGE = 20_000_000


class Session:
    """The course of one check.

    Args:
        module (torch.nn.Module): the original network.
        cell (Cell): the converted network.
        inputs (Any): the arguments of one call. A list is several batches: training takes one a
            step, everything else the first.
        graph (bool): whether the cell is compiled.
        train (bool): whether training mode is compared too.
        sync_weights (bool): whether the cell computes with the module's weights.
        pairs (Mapping[str, str]): cells by the paths of their modules, where names do not tell;
            None for none.
        tolerances (Tolerances): the largest errors that count as equal.
        seed (int): the seed of both sides.
        name (str): the name in the report; None for that of the module's class.
        progress (Callable): called with a stage, the number of finished steps and that of all; None
            for no reports.
        baseline (CellBaseline): what the cell is to be after each run of the whole; None for as it
            is.
    """

    def __init__(
        self,
        module: torch.nn.Module,
        cell: Cell,
        inputs: Any,
        *,
        graph: bool,
        train: bool,
        sync_weights: bool,
        pairs: Mapping[str, str] | None,
        tolerances: Tolerances,
        seed: int,
        name: str | None,
        progress: Progress | None,
        baseline: CellBaseline | None = None,
    ) -> None:
        self.module, self.cell = module, cell
        batches = inputs if isinstance(inputs, list) else [inputs]
        if not batches:
            raise ValueError("For 'check', 'inputs' is an empty list; give at least one batch.")
        self.batches = [call_of(b) for b in batches]
        self.call = self.batches[0]
        self.graph, self.train, self.sync = graph, train, sync_weights
        self.tolerances, self.seed, self.baseline = tolerances, seed, baseline
        self.progress = progress or (lambda stage, done, total: None)
        self.pairing = pair_trees(module, cell, pairs)
        self.wiring = Wiring.of(module, self.pairing)
        self.size = _size(module)
        self.root = next(p for p in self.pairing.pairs if not p.module_path)
        self.report = Report(
            name or type(module).__name__,
            "GRAPH_MODE" if graph else "PYNATIVE_MODE",
            problems=[*self.pairing.problems, *self.wiring.problems],
            notes=list(self.pairing.notes),
        )
        sources = functools.cache(source_later)
        self.entries = {id(p): entry_of(p, sources) for p in self.pairing.pairs}
        self.runner = Isolated(self.wiring, tolerances, graph, True, seed)
        self.unequal: dict[int, list[Comparison]] = {}
        self.errors: dict[int, Exception] = {}
        self.failed: Exception | None = None
        #: calls that differed, by the identity of their pairs
        self.runs: dict[int, RunCall] = {}
        self.surveys: dict[bool, Recording] = {}
        #: whether the original was switched to training, or to evaluation
        self._mode: bool | None = None
        self.inside = Inside(cell, self.wiring, tolerances)
        #: A part differed although the whole does not: every part is compared by itself.
        self.whole_is_in_doubt = False

    # ------------------------------------------------------------------------ course

    def run(self, optimizer: Any, steps: int, loss: Any, dtypes: tuple[str, ...]) -> None:
        """All stages that were asked for.

        Args:
            optimizer (Any): as of :meth:`optimize`; None leaves this stage out.
            steps (int): as of :meth:`optimize`.
            loss (Any): as of :meth:`optimize`.
            dtypes (tuple[str]): narrow types to compare in, by name.
        """
        self.compare_weights()
        modes = (False, True)[: 1 + self.train]
        for train in modes:
            if not self.survey(train):
                settle(self)
                return
        recording: Recording | None = None
        for train in modes:
            result = self.surveys[train].result
            if train is self.train:
                recording = self.surveys[train] if result is not None else self.observe()
                result = recording.result if recording is not None else None
            if not self.end_to_end(train, result):
                settle(self)
                return
        if recording is not None:
            self.isolated(recording)
        settle(self)
        self.explain()
        if dtypes:
            self.low_precision(dtypes)
        if optimizer is not None:
            self.optimize(optimizer, steps, loss)

    # ----------------------------------------------------------------------- weights

    def compare_weights(self) -> None:
        """The cell's own weights beside the module's."""
        for entry in self.wiring.entries.values():
            with torch.no_grad():
                expected = entry.there(entry.original.detach())
            stored = entry.cell._value.detach()
            comparisons = compare(entry.short, "weights", stored, expected, 0.0, numbers=False)
            if not comparisons.equal and (not self.sync or stored.shape != expected.shape):
                self.unequal.setdefault(id(entry.pair), []).append(comparisons)

    def values_for(self, pair: Pair) -> dict[int, torch.Tensor]:
        """The module's weights where they fit, else the cell's own.

        Args:
            pair (Pair): the pair.
        """
        try:
            return self.wiring.values(pair)
        except ValueError:
            return {}

    def run_again(self, pair: Pair) -> RunCall | None:
        """The first call of a pair, recorded once more.

        Args:
            pair (Pair): the pair.
        """
        recording = self.observe()
        for run in recording.calls if recording is not None else []:
            if run.pair is pair:
                return run
        return None

    def values(self, pair: Pair) -> dict[int, torch.Tensor]:
        """What the cell's tensors are for a run of the whole network.

        Args:
            pair (Pair): the pair.
        """
        return self.wiring.values(pair) if self.sync else {}

    # ------------------------------------------------------------------- the original

    def survey(self, train: bool, watched: bool = False) -> bool:
        """Run the original by itself; False where it does not run.

        It runs forward and backward, and what its layers received and gave is kept; forward alone
        where it has no gradients.

        Args:
            train (bool): whether in training mode.
            watched (bool): whether draws are looked for where none are likely. Default: ``False``.
        """
        self.set_mode(train)
        arguments = self.module, self.pairing, self.call, self.seed
        first: Recording | None = None
        followed = functools.partial(self.is_compared_inside, train)
        watched = watched or not draws_show() or (train and may_drop(self.module))
        # GRAPH_MODE is compared by replays, which no hook sees; else, hooks may disturb a network
        for inside in (followed, None) if not self.graph else (None,):
            with contextlib.suppress(Exception):  # the whole network's comparison says why
                first = record(
                    *arguments,
                    set(),
                    inside=inside,
                    draws=watched or None,
                    others=train is self.train,
                )
                if first.unseen:
                    first = record(*arguments, set(), inside=inside)
                break
        try:
            first = first or survey(*arguments)
        except Exception as error:  # a network of somebody else's may raise anything
            self.problem(f"The original raised {type(error).__name__}: {first_line(error)}")
            return False
        self.surveys[train] = first
        self.look_at(first, "training" if train else "evaluation")
        return True

    def set_mode(self, train: bool) -> None:
        """Switch the original to training or evaluation; where it is, nothing is done.

        Args:
            train (bool): whether to training.
        """
        if self._mode is not train:
            self.module.train(train)
            self._mode = train

    def is_compared_inside(self, train: bool, pair: Pair) -> bool:
        """Whether the calls of a pair are compared inside of the whole network's run.

        Args:
            train (bool): whether the network trains.
            pair (Pair): the module and its cell.
        """
        own = not (pair.foreign and pair.cell.module is pair.module)
        # in evaluation, layers that do the same in training are compared there
        return pair.leaf and own and (train is self.train or mode_matters(pair.module))

    def repeats(self, train: bool, output: list[tuple[str, Any]] | None = None) -> None:
        """Say where the original gives another result every time.

        Args:
            train (bool): whether in training mode.
            output (list, optional): what another run gave, with the same random numbers. Default:
                ``None``, it runs once more.
        """
        first = self.surveys[train].output
        if output is None:
            self.set_mode(train)
            arguments = self.module, self.pairing, self.call, self.seed
            output = survey(*arguments, watched=False).output
        changed = [
            c for c in compare_trees("survey", output, first, 1e-4, numbers=False) if not c.equal
        ]
        if changed:
            mode = "training" if train else "evaluation"
            self.problem(
                f"The original gives another result every time ({mode}, {changed[0].what}: "
                f"{_shown(changed[0])}), although its random numbers start from the same seed: "
                "what it depends on besides its inputs keeps anything from being proved."
            )

    def look_at(self, run: Recording, mode: str) -> None:
        """Say where a comparison of this result could prove nothing.

        Args:
            run (Recording): a run of the original.
            mode (str): ``"training"`` or ``"evaluation"``, for the sentences.
        """
        floats = [
            (n, v)
            for n, v in run.output
            if isinstance(v, torch.Tensor) and v.is_floating_point() and v.numel()
        ]
        for place, value in floats:
            if not value.isfinite().any():
                self.problem(
                    f"The original's {place} has no finite value ({mode}): there is nothing to "
                    "compare."
                )
        if not any(isinstance(v, torch.Tensor) for _, v in run.output):
            self.problem(f"The original returns no tensor ({mode}): there is nothing to compare.")
        elif all(v.numel() == 0 for _, v in run.output if isinstance(v, torch.Tensor)):
            self.problem(f"The original returns empty tensors only ({mode}).")
        sizes = [v for _, v in floats if v.numel() > 1]
        if sizes and all(bool((v == v.reshape(-1)[0]).all()) for v in sizes):
            self.note(
                f"All values of the original's result are the same ({mode}), which says little "
                "about what computes them."
            )

    def whole(self, first: Recording) -> RunCall:
        """The call of the network itself.

        Args:
            first (Recording): a run of the original.
        """
        run = RunCall(self.root, self.call, 0, 0)
        run.outputs = signatures(first.output)
        run.draws = first.draws
        return run

    # ---------------------------------------------------------------- the whole network

    def end_to_end(self, train: bool, result: Result | None) -> bool:
        """Compare the networks as wholes; False where the original does not run.

        In float64 they are compared where float32 does not give equal bits.

        Args:
            train (bool): whether in training mode.
            result (Result): what the original gives; None where it is to run.
        """
        stage = "train" if train else "eval"
        self.progress(stage, 0, 1)
        if result is None:  # else it has run
            self.set_mode(train)
        masks = [n for n, v in self.call.tensors() if is_mask(v)]
        if masks:
            self.note(f"No gradient by {', '.join(masks)} is compared: masks have none.")
        if not self.root.foreign and not self.simple():
            self.repeats(train)
            return True
        try:
            comparisons = self.with_calls_inside(train, result)
            if comparisons is None:
                # generators of its own leave no trace in torch's
                if result is not None and not self.surveys[train].watched:
                    self.survey(train, watched=True)
                    result = self.surveys[train].result
                first = self.surveys[train]
                watch = CellWatch(self.cell, self.pairing) if first.draws or train else None
                comparisons = self.comparing(train, result)(watch=watch)
        except OriginalFailed as error:
            self.problem(f"The original runs forward, but not forward and backward: {error}")
            return False
        except Exception as error:
            self.failed = error
            self.problem(f"The cell raised {type(error).__name__} ({stage}): {first_line(error)}")
            self.repeats(train)
            self.progress(stage, 1, 1)
            return True
        self.report.network += comparisons
        if train is self.train or result is None or not all(c.equal for c in comparisons):
            self.repeats(train)
        wide = any(c.what.endswith(" in float64") for c in comparisons)
        if not wide and self.size > LARGE and not all(c.error == 0 for c in comparisons):
            self.note(
                f"With {self.size / 1e6:.0f} million weights the whole network was compared in "
                "float32 only, its parts in float64 too."
            )
        self.say_draws(stage)
        gradients = [
            c.original
            for c in comparisons
            if c.what.startswith("gradient of") and c.original is not None
        ]
        if not self.runner.connected:
            self.note(f"No gradient flows through the original ({stage}).")
        elif gradients and all(s.low == s.high == 0 for s in gradients):
            self.problem(
                f"All gradients of the original are zero ({stage}), so their equality proves "
                "nothing: give inputs for which the network does something."
            )
        self.progress(stage, 1, 1)
        return True

    def comparing(self, train: bool, result: Result | None) -> Callable[..., list[Comparison]]:
        """What compares the networks as wholes; takes what to enter around the cell's run.

        Args:
            train (bool): whether in training mode.
            result (Result): what the original gives; None where it is to run.
        """
        first = self.surveys[train]
        self.runner.copy = first.writes
        return functools.partial(
            self.runner.compare,
            self.root,
            self.whole(first),
            train=train,
            stage="train" if train else "eval",
            cell_values=self.values(self.root),
            float64=_by_size(self.size, "if inexact"),
            original=result,
            baseline=self.baseline,
        )

    def with_calls_inside(self, train: bool, result: Result | None) -> list[Comparison] | None:
        """Compare the wholes and, in the same run, the calls of layers.

        Args:
            train (bool): whether in training mode.
            result (Result): what the original gives; None where it is to run.

        Returns:
            The comparisons of the wholes; None where they are not equal bit for bit, so that
            nothing is said of the calls.
        """
        first = self.surveys[train]
        stage = "isolated" if train is self.train else "eval"
        return self.inside.compare(train, stage, first, self.comparing(train, result))

    def simple(self) -> bool:
        """Whether a cell of agar's takes such inputs at all; says so where it does not."""
        if is_simple(self.call.args) and is_simple(self.call.kwargs):
            return True
        kinds = {
            type(v).__name__
            for v in (*self.call.args, *self.call.kwargs.values())
            if not is_simple(v)
        }
        self.problem(
            f"The network was not compared: its inputs are objects that only PyTorch's modules "
            f"know ({', '.join(sorted(kinds))}), which {type(self.cell).__name__} does not take. "
            "Compare it with Tensors, such as padded sequences."
        )
        return False

    def say_draws(self, stage: str) -> None:
        """Random numbers that only one side draws.

        Args:
            stage (str): the stage of the check, for the sentences.
        """
        served = self.runner.served
        for sentence in dict.fromkeys(served.missed):
            self.problem(f"Random numbers do not go together ({stage}): {sentence}.")
        left = served.unused()
        if left:
            paths = dict.fromkeys(d.path or "the network" for d in left)
            self.problem(
                f"Random numbers do not go together ({stage}): the original draws in "
                f"{', '.join(paths)}, and the cell does not."
            )

    # -------------------------------------------------------------------- cell by cell

    def observe(self) -> Recording | None:
        """What all modules receive in a run forward and backward."""
        first = self.surveys[self.train]
        self.set_mode(self.train)
        try:
            recording = record(
                self.module,
                self.pairing,
                self.call,
                self.seed,
                first.changed,
                sens=cotangents(signatures(first.output), self.seed),
                writes=first.writes,
                draws=bool(first.draws),
            )
            self.repeats(self.train, recording.output)
            return recording
        except Exception as error:
            self.problem(
                f"The original runs forward, but its gradient raised {type(error).__name__}: "
                f"{first_line(error)}"
            )
            return None

    def isolated(self, recording: Recording) -> None:
        """Compare every call of every module with its cell alone.

        Args:
            recording (Recording): a run of the original with all its calls.
        """
        self.set_mode(self.train)
        sure, covered = self.sure, self.whole_is_equal
        if not all(c.usable or self.is_settled(c, sure, covered) for c in recording.calls):
            again = self.observe()
            if again is None:
                return
            recording = again
        calls = recording.calls
        examples: dict[bytes, CellResult] = {}
        for i, run in enumerate(calls):
            self.progress("isolated", i, len(calls))
            pair = run.pair
            entry = self.entries[id(pair)]
            entry.calls += 1
            if entry.order is None:
                entry.order = run.order
            known = self.equal_inside(run) if sure else None
            if known is not None:
                seen = {(c.stage, c.what) for c in entry.comparisons}
                entry.comparisons += [c for c in known if (c.stage, c.what) not in seen]
            if known is not None or self.is_settled(run, sure, covered):
                run.call = Call()
                continue
            if not pair.leaf:
                give_back()  # parts of a network are as large as the network's step
            key = self.signature(pair, run) if sure else None
            if key is not None and key in examples:
                self.take_over(examples[key], entry)
                run.call = Call()
                continue
            self.isolate(pair, run, entry, sure)
            if sure and (id(pair) in self.errors or not all(c.equal for c in entry.comparisons)):
                # the whole hides what a part shows: nothing goes without its own comparison
                self.start_again()
                return
            if key is not None:
                examples[key] = entry
        self.progress("isolated", len(calls), len(calls))

    def is_settled(self, run: RunCall, sure: bool, covered: bool) -> bool:
        """Whether a call needs no run by itself.

        Args:
            run (RunCall): the call.
            sure (bool): whether the wholes are equal, so that parts can be spared.
            covered (bool): whether the wholes are equal.
        """
        pair = run.pair
        if pair is self.root and not pair.leaf:
            return True  # the whole was compared by itself
        if pair.foreign and (pair.cell.module is pair.module or (covered and not pair.leaf)):
            return True
        return sure and (not pair.leaf or self.equal_inside(run) is not None)

    def equal_inside(self, run: RunCall) -> list[Comparison] | None:
        """The comparisons of a call that was equal bit for bit in the whole network's runs.

        Args:
            run (RunCall): the call.
        """
        known = self.inside.of(self.train, run)
        if known is None or not (self.train and mode_matters(run.pair.module)) or run.draws:
            return known
        evaluated = self.inside.of(False, run)
        return None if evaluated is None else [*known, *evaluated]

    def signature(self, pair: Pair, run: RunCall) -> bytes | None:
        """What calls that compute the same have in common; None where this one stands alone.

        Args:
            pair (Pair): the module and its cell.
            run (RunCall): the call of the module.
        """
        alone = pair.foreign or not pair.leaf or not run.simple
        return None if alone else signature(pair, run, self.wiring)

    @property
    def whole_is_equal(self) -> bool:
        """Whether the networks as wholes were compared, and are equal."""
        network = self.report.network
        return bool(network) and all(c.equal for c in network)

    @property
    def sure(self) -> bool:
        """Whether the networks as wholes are equal in everything, so that parts can be spared."""
        return (
            self.whole_is_equal
            and not self.whole_is_in_doubt
            and not (self.unequal or self.errors or self.report.problems or self.wiring.missing)
        )

    @property
    def exact(self) -> bool:
        """Whether the whole network is equal bit for bit, or was compared in float64 too."""
        stage = "train" if self.train else "eval"
        of_stage = [c for c in self.report.network if c.stage == stage]
        wide = any(c.what.endswith(" in float64") for c in of_stage)
        return wide or (bool(of_stage) and all(c.error == 0 for c in of_stage))

    def start_again(self) -> None:
        """Compare every call by itself, from a new run of the original."""
        self.whole_is_in_doubt = True
        self.errors.clear()
        self.runs.clear()
        for entry in self.entries.values():
            entry.calls, entry.order, entry.reason, entry.comparisons = 0, None, "", []
        recording = self.observe()
        if recording is not None:
            self.isolated(recording)

    @staticmethod
    def take_over(example: CellResult, entry: CellResult) -> None:
        """Give a call the comparisons of one that computes the same.

        Args:
            example (CellResult): of the call that was compared.
            entry (CellResult): of the other.
        """
        if entry is example:
            return
        seen = {(c.stage, c.what) for c in entry.comparisons}
        entry.comparisons += [c for c in example.comparisons if (c.stage, c.what) not in seen]
        entry.reason = f"compared through {example.path or 'the network'}, which computes the same"

    def isolate(self, pair: Pair, run: RunCall, entry: CellResult, sure: bool) -> None:
        """Compare one call, and note what comes of it.

        Args:
            pair (Pair): the module and its cell.
            run (RunCall): the call of the module.
            entry (CellResult): gets the result.
            sure (bool): whether the wholes are equal, so that equal bits in float32 may do.
        """
        if not run.simple:
            entry.reason = "its inputs are objects that only PyTorch's modules know"
            return
        watch = None if pair.leaf else CellWatch(pair.cell, self.pairing)
        try:
            float64: Float64 = "always"
            if not pair.leaf:  # parts of a large one are compared in float64 anyway
                float64 = _by_size(_size(pair.module), "always")
            elif sure and self.exact:
                float64 = "if inexact"
            comparisons = self.runner.compare(
                pair, run, train=self.train, watch=watch, float64=float64
            )
            if self.train and mode_matters(pair.module) and not run.draws:
                pair.module.train(False)
                try:
                    comparisons += self.runner.compare(
                        pair, run, train=False, stage="eval", float64=float64
                    )
                finally:
                    pair.module.train(True)
                    self._mode = None  # parts of it may have been in another mode
        except Exception as error:
            if id(pair) not in self.errors:
                self.errors[id(pair)] = error
                self.runs[id(pair)] = run
            return
        known = {(c.stage, c.what): i for i, c in enumerate(entry.comparisons)}
        for c in comparisons:
            at = known.get((c.stage, c.what))
            if at is None:
                entry.comparisons.append(c)
            elif _badness(c) > _badness(entry.comparisons[at]):
                c.reason = "; ".join(p for p in (c.reason, f"call {run.number + 1}") if p)
                entry.comparisons[at] = c
        if all(c.equal for c in comparisons):
            run.call = Call()  # its tensors are not needed any more
        else:
            self.runs.setdefault(id(pair), run)

    # ------------------------------------------------------------------------ training

    def optimize(self, optimizer: Any, steps: int, loss: Any) -> None:
        """Compare steps of the optimizer, and curves of training.

        Args:
            optimizer (Any): the original's optimizer, a function that makes it, or one for each
                side.
            steps (int): the number of training steps for the curves; 0 compares a single step only.
            loss (Callable): takes the output of the network and returns the loss; None for the
                distance from a random target.
        """
        training = Training(self, optimizer, loss)
        if not training.entries:
            self.problem("There is nothing to train: no trained parameter of both sides.")
            return
        self.progress("step", 0, 1)
        try:
            self.report.network += training.step()
            self.progress("step", 1, 1)
            if steps:
                self.report.curve = training.curve(steps)
        except Exception as error:
            self.problem(f"Training raised {type(error).__name__}: {first_line(error)}")
        if self.report.first_divergence is None:
            self.report.first_divergence = training.divergence(self.report.network)
        self.report.settings["optimizers"] = training.label
        self.report.settings["steps"] = steps

    def longest(self) -> int:
        """The longest sum of any layer."""
        sized = (p for p in self.module.parameters() if p.dim() > 1 and len(p))
        return max((p[0].numel() for p in sized), default=1)

    def low_precision(self, dtypes: tuple[str, ...]) -> None:
        """Both sides in narrow types, beside float64.

        Args:
            dtypes (tuple[str]): names of types, such as ``"float16"``.
        """
        first = self.surveys[self.train]
        self.set_mode(self.train)
        for i, kind in enumerate(dtypes):
            self.progress(kind, i, len(dtypes))
            try:
                self.report.network += self.runner.compare_narrow(
                    self.root,
                    self.whole(first),
                    getattr(torch, kind),
                    train=self.train,
                    cell_values=self.values(self.root),
                    watch=CellWatch(self.cell, self.pairing) if first.draws else None,
                )
            except NarrowRefused as error:
                self.problem(f"{kind} was not compared: {error}")

    def explain(self) -> None:
        """Name the first cell that causes a difference, and why."""
        broken = [
            p for p in self.pairing.pairs if self.entries[id(p)].status in ("different", "failed")
        ]
        if not broken:
            return
        first = min(broken, key=lambda p: order_of(self.entries[id(p)]))
        self.report.first_divergence = diagnose(self, first)

    # --------------------------------------------------------------------------- words

    def problem(self, sentence: str) -> None:
        """Add what keeps the check from passing, once.

        Args:
            sentence (str): the problem.
        """
        if sentence not in self.report.problems:
            self.report.problems.append(sentence)

    def note(self, sentence: str) -> None:
        """Add a remark, once.

        Args:
            sentence (str): the remark.
        """
        if sentence not in self.report.notes:
            self.report.notes.append(sentence)


def _badness(c: Comparison) -> float:
    if c.equal:
        return (c.error or 0.0) / (c.tolerance or 1.0) * 1e-9
    return math.inf if c.error is None else max(c.error, 1e-9)


def _shown(c: Comparison) -> str:
    return c.reason or f"relative error {c.error:.1e}"


def _by_size(size: int, usual: Float64) -> Float64:
    return "if different" if size > LARGE else usual


def _size(module: torch.nn.Module) -> int:
    return sum(p.numel() for p in parameters_in(modules_of(module)))
