"""`check`: a module and a cell, compared part by part and as a whole.

NOTE Order. The weights are compared first. Then the original runs once, forward and backward, with
hooks that keep what each module received. Each cell alone gets the inputs and the gradient of its
module (isolated: no error of the cells before it counts), and at last the whole network runs, in
evaluation and in training, with the original's random numbers.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from agar._core.errors import describe
from agar._core.malloc import give_back
from agar._core.runtime import GRAPH_MODE, PYNATIVE_MODE, runtime
from agar.migrate.cell_matching import Pair, pair_trees
from agar.migrate.compare import Tolerances, compare, compare_trees
from agar.migrate.diagnose import diagnose
from agar.migrate.fallback import foreign
from agar.migrate.input_capture import CellWatch
from agar.migrate.isolated import Isolated, NarrowRefused, OriginalFailed, Wiring
from agar.migrate.recorder import (
    Recording,
    RunCall,
    cotangents,
    is_mask,
    record,
    signatures,
    survey,
)
from agar.migrate.result import CellResult, Comparison, Report, Source, Subject
from agar.migrate.sandbox import keep_cell, keep_module, keep_random_states
from agar.migrate.training_curves import Training
from agar.migrate.trees import Call, call_of, is_simple
from agar.nn.cell import Cell

__all__ = ["Session", "check"]

Progress = Callable[[str, int, int], None]

#: What has more weights runs in float64 as a whole only where float32 leaves a doubt.
LARGE = 20_000_000


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
        stack.enter_context(keep_random_states())
        stack.enter_context(keep_module(module))
        stack.enter_context(keep_cell(cell))
        stack.enter_context(_gradients_on())
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
    ) -> None:
        self.module, self.cell = module, cell
        batches = inputs if isinstance(inputs, list) else [inputs]
        if not batches:
            raise ValueError("For 'check', 'inputs' is an empty list; give at least one batch.")
        self.batches = [call_of(b) for b in batches]
        self.call = self.batches[0]
        self.graph, self.train, self.sync = graph, train, sync_weights
        self.tolerances, self.seed = tolerances, seed
        self.progress = progress or (lambda stage, done, total: None)
        self.pairing = pair_trees(module, cell, pairs)
        self.wiring = Wiring.of(module, self.pairing)
        self.root = next(p for p in self.pairing.pairs if not p.module_path)
        self.report = Report(
            name or type(module).__name__,
            "GRAPH_MODE" if graph else "PYNATIVE_MODE",
            problems=[*self.pairing.problems, *self.wiring.problems],
            notes=list(self.pairing.notes),
        )
        self.entries = {id(p): _entry_of(p) for p in self.pairing.pairs}
        self.runner = Isolated(self.wiring, tolerances, graph, True, seed)
        self.unequal: dict[int, list[Comparison]] = {}
        self.errors: dict[int, Exception] = {}
        self.failed: Exception | None = None
        #: calls that differed, by the identity of their pairs
        self.runs: dict[int, RunCall] = {}
        self.surveys: dict[bool, Recording] = {}

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
        for train in (False, True)[: 1 + self.train]:
            if not self.end_to_end(train):
                self.settle()
                return
        recording = self.observe()
        if recording is not None:
            self.isolated(recording)
        self.settle()
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

    def survey(self, train: bool) -> Recording | None:
        """Run the original twice: is it the same each time, and what may be changed in place?

        Args:
            train (bool): whether in training mode.
        """
        self.module.train(train)
        try:
            first = survey(self.module, self.pairing, self.call, self.seed)
            again = survey(self.module, self.pairing, self.call, self.seed)
        except Exception as error:  # a network of somebody else's may raise anything
            self.problem(f"The original raised {type(error).__name__}: {_line(error)}")
            return None
        mode = "training" if train else "evaluation"
        changed = [
            c
            for c in compare_trees("survey", again.output, first.output, 1e-4, numbers=False)
            if not c.equal
        ]
        if changed:
            self.problem(
                f"The original gives another result every time ({mode}, {changed[0].what}: "
                f"{_shown(changed[0])}), although its random numbers start from the same seed: "
                "what it depends on besides its inputs keeps anything from being proved."
            )
        self.look_at(first, mode)
        return first

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

    def end_to_end(self, train: bool) -> bool:
        """Compare the networks as wholes; False where the original does not run.

        Args:
            train (bool): whether in training mode.
        """
        stage = "train" if train else "eval"
        self.progress(stage, 0, 1)
        first = self.survey(train)
        if first is None:
            return False
        self.surveys[train] = first
        masks = [n for n, v in self.call.tensors() if is_mask(v)]
        if masks:
            self.note(f"No gradient by {', '.join(masks)} is compared: masks have none.")
        if not self.root.foreign and not self.simple():
            return True
        run = self.whole(first)
        watch = CellWatch(self.cell, self.pairing) if first.draws or train else None
        size = _size(self.module)
        self.runner.copy = first.writes
        try:
            values = self.values(self.root)
            comparisons = self.runner.compare(
                self.root,
                run,
                train=train,
                stage=stage,
                cell_values=values,
                watch=watch,
                double=size <= LARGE,
            )
            if size > LARGE and not all(c.equal for c in comparisons):
                comparisons = self.runner.compare(
                    self.root,
                    run,
                    train=train,
                    stage=stage,
                    cell_values=values,
                    watch=watch,
                    double=True,
                )
        except OriginalFailed as error:
            self.problem(f"The original runs forward, but not forward and backward: {error}")
            return False
        except Exception as error:
            self.failed = error
            self.problem(f"The cell raised {type(error).__name__} ({stage}): {_line(error)}")
            self.progress(stage, 1, 1)
            return True
        self.report.network += comparisons
        if not any(c.what.endswith(" in float64") for c in comparisons) and size > LARGE:
            self.note(
                f"With {size / 1e6:.0f} million weights the whole network was compared in float32 "
                "only, its parts in float64 too."
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
        self.module.train(self.train)
        sens = cotangents(signatures(first.output), self.seed)
        try:
            return record(
                self.module,
                self.pairing,
                self.call,
                self.seed,
                first.changed,
                sens,
                first.writes,
            )
        except Exception as error:
            self.problem(
                f"The original runs forward, but its gradient raised {type(error).__name__}: "
                f"{_line(error)}"
            )
            return None

    def isolated(self, recording: Recording) -> None:
        """Compare every call of every module with its cell alone.

        Args:
            recording (Recording): a run of the original with all its calls.
        """
        calls = recording.calls
        for i, run in enumerate(calls):
            self.progress("isolated", i, len(calls))
            pair = run.pair
            entry = self.entries[id(pair)]
            entry.calls += 1
            if entry.order is None:
                entry.order = run.order
            if pair is self.root and len(calls) > 1 and not pair.leaf:
                continue
            if not pair.leaf:
                give_back()  # parts of a network are as large as the network's step
            if pair.foreign and (pair.cell.module is pair.module or self.covered(pair)):
                run.call = Call()
                continue
            self.isolate(pair, run, entry)
        self.progress("isolated", len(calls), len(calls))

    def covered(self, pair: Pair) -> bool:
        """Whether a cell that PyTorch computes around cells was compared with the network.

        Args:
            pair (Pair): the pair of that cell.
        """
        network = self.report.network
        return not pair.leaf and bool(network) and all(c.equal for c in network)

    def isolate(self, pair: Pair, run: RunCall, entry: CellResult) -> None:
        """Compare one call, and note what comes of it.

        Args:
            pair (Pair): the module and its cell.
            run (RunCall): the call of the module.
            entry (CellResult): gets the result.
        """
        if not run.simple:
            entry.reason = "its inputs are objects that only PyTorch's modules know"
            return
        watch = None if pair.leaf else CellWatch(pair.cell, self.pairing)
        try:
            # parts of a large one are compared in float64 anyway
            large = not pair.leaf and _size(pair.module) > LARGE
            double = False if large else None
            comparisons = self.runner.compare(
                pair, run, train=self.train, watch=watch, double=double
            )
            if large and not all(c.equal for c in comparisons):
                comparisons = self.runner.compare(
                    pair, run, train=self.train, watch=watch, double=True
                )
            if self.train and _mode_matters(pair.module) and not run.draws:
                self.module.train(False)
                try:
                    comparisons += self.runner.compare(pair, run, train=False, stage="eval")
                finally:
                    self.module.train(True)
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
            self.problem(f"Training raised {type(error).__name__}: {_line(error)}")
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

    # ------------------------------------------------------------------------ verdicts

    def settle(self) -> None:
        """Give every pair its status."""
        for pair in reversed(self.pairing.pairs):  # children before parents
            self.entries[id(pair)].status = self.status(pair)
        bypassed = {f.path: f.reason for f in foreign(self.cell)}
        for pair in self.pairing.pairs:
            entry = self.entries[id(pair)]
            if pair.path in bypassed and not pair.foreign:
                entry.native, entry.reason = False, bypassed[pair.path]
                # in such calls the cell takes no part: the network's comparison is what counts
                whole = bool(self.report.network) and all(c.equal for c in self.report.network)
                if entry.status == "equal" or (entry.status == "failed" and whole):
                    entry.status = "foreign"
        cells = [self.entries[id(p)] for p in self.pairing.pairs]
        for pair in self.pairing.pairs:
            if pair.foreign:
                cells += _inside(pair, self.entries[id(pair)])
        last = 1 << 60
        cells.sort(key=lambda c: last if c.order is None else c.order)
        self.report.cells = cells
        self.report.notes += list(dict.fromkeys(self.runner.notes))
        self.report.settings = {
            "mode": self.report.mode,
            "train": self.train,
            "seed": self.seed,
            "synchronized weights": self.sync,
            "exact": self.tolerances.exact,
            "tolerance": self.tolerances.given
            if self.tolerances.given is not None
            else "4 * sqrt(length of sum) * eps of the type, or 4 times the original's own error",
            "stages": list(dict.fromkeys(c.stage for c in self.report.network)),
            "threads": torch.get_num_threads(),
            "torch": torch.__version__,
        }

    def status(self, pair: Pair) -> str:
        """The verdict on one pair; those of pairs inside are settled.

        Args:
            pair (Pair): the pair.
        """
        entry = self.entries[id(pair)]
        missing = self.wiring.missing.get(id(pair))
        if missing:
            said = [_sentence(c) for c in entry.comparisons if not c.equal][:1]
            said += [m.removeprefix(f"{pair.label}: ").rstrip(".") for m in missing]
            entry.reason = "; ".join(said)
            return "different"
        unequal = self.unequal.get(id(pair))
        if unequal:
            entry.comparisons = [*unequal, *entry.comparisons]
            names = ", ".join(c.what for c in unequal[:4])
            shapes = [c.reason for c in unequal if c.reason.startswith("shape")]
            entry.reason = f"its weights are not the original's: {names}"
            entry.reason += f" ({shapes[0]})" if shapes else ""
            return "different"
        if id(pair) in self.errors:
            error = self.errors[id(pair)]
            entry.reason = f"{type(error).__name__}: {_line(error)}"
            inner = self.broken_inside(pair)
            if inner:
                entry.reason += f" (as does {inner})"
                return "inherited"
            return "failed"
        comparisons = entry.comparisons
        if pair is self.root and not comparisons:
            comparisons = self.report.network
            if self.failed is not None:
                entry.reason = f"{type(self.failed).__name__}: {_line(self.failed)}"
                return "inherited" if self.broken_inside(pair) else "failed"
            if pair.leaf:
                entry.comparisons = list(comparisons)
        wrong = [c for c in comparisons if not c.equal]
        if wrong:
            inner = self.broken_inside(pair)
            if inner:
                entry.reason = f"differs through {inner}"
                return "inherited"
            entry.reason = _sentence(wrong[0])
            return "different"
        if pair.foreign:
            return "foreign"
        if entry.order is None and pair is not self.root:
            entry.reason = "the original never calls it"
            return "not run"
        if not comparisons:
            network = self.report.network
            whole = bool(network) and all(c.equal for c in network)
            if whole and not pair.leaf and not self.broken_inside(pair):
                entry.reason = "compared as a part of the whole network"
                return "equal"
            entry.reason = entry.reason or "there was nothing to compare"
            return "not compared"
        return "equal"

    def broken_inside(self, pair: Pair) -> str | None:
        """The first pair inside that is broken by itself.

        Args:
            pair (Pair): the pair around them.
        """
        prefix = f"{pair.path}." if pair.path else ""
        broken = [
            p
            for p in self.pairing.pairs
            if p is not pair
            and p.path.startswith(prefix)
            and self.entries[id(p)].status in ("different", "failed")
        ]
        broken.sort(key=lambda p: _order(self.entries[id(p)]))
        return broken[0].path if broken else None

    def explain(self) -> None:
        """Name the first cell that causes a difference, and why."""
        broken = [
            p for p in self.pairing.pairs if self.entries[id(p)].status in ("different", "failed")
        ]
        if not broken:
            return
        first = min(broken, key=lambda p: _order(self.entries[id(p)]))
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


def _order(entry: CellResult) -> int:
    return 1 << 60 if entry.order is None else entry.order


def _badness(c: Comparison) -> float:
    if c.equal:
        return (c.error or 0.0) / (c.tolerance or 1.0) * 1e-9
    return math.inf if c.error is None else max(c.error, 1e-9)


def _line(error: BaseException) -> str:
    """The first line of an error and where in the tree of cells it arose."""
    text = next(iter(str(error).splitlines()), "")[:300]
    where = [n for n in getattr(error, "__notes__", []) if n.startswith("In cell: ")]
    return f"{text} ({where[-1][:1].lower()}{where[-1][1:]})" if where else text


def _shown(c: Comparison) -> str:
    return c.reason or f"relative error {c.error:.1e}"


def _sentence(c: Comparison) -> str:
    if c.reason:
        return f"{c.what}: {c.reason}"
    return f"{c.what}: relative error {c.error:.2g}, tolerance {c.tolerance:.2g}"


def _entry_of(pair: Pair) -> CellResult:
    return CellResult(
        pair.path,
        pair.module_path,
        type(pair.cell).__name__,
        type(pair.module).__name__,
        leaf=pair.leaf,
        native=not pair.foreign,
        cell_source=_source(type(pair.cell)),
        module_source=_source(type(pair.module)),
    )


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
                module_source=_source(type(m)),
            )
        )
    return comparisons


def _mode_matters(module: torch.nn.Module) -> bool:
    """Whether a layer does something else in evaluation."""
    kinds = (
        torch.nn.modules.batchnorm._NormBase,
        torch.nn.modules.dropout._DropoutNd,
        torch.nn.RReLU,
        torch.nn.RNNBase,
        torch.nn.MultiheadAttention,
    )
    known = type(module).__module__.startswith("torch.nn.modules")
    return isinstance(module, kinds) or (not known and not any(True for _ in module.children()))


@functools.cache
def _source(kind: type) -> Source | None:
    """Where a class is written; None where its source is not to be had."""
    try:
        lines, first = inspect.getsourcelines(kind)
        file = inspect.getsourcefile(kind) or ""
    except (OSError, TypeError):
        return None
    path = Path(file)
    with contextlib.suppress(ValueError):
        path = path.resolve().relative_to(Path.cwd())
    return Source(str(path), first, "".join(lines))


def _size(module: torch.nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())
