"""Why a cell differs: the rule that explains it, and the line that repairs it, tried out.

NOTE What counts as an explanation. A candidate is never only named: the cell that the rule gives
for the module is built, gets the module's weights, and goes through the same comparison. An
argument is a cause if the repaired cell differs again as soon as it has the user's value.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional

from agar.migrate.cell_matching import Pair, Pairing
from agar.migrate.compare import relative_error
from agar.migrate.input_capture import CellWatch, Received
from agar.migrate.isolated import Isolated, Wiring
from agar.migrate.module_runs import run_cell, run_original
from agar.migrate.random_replay import Served
from agar.migrate.recorder import RunCall, record
from agar.migrate.result import Comparison, Divergence
from agar.migrate.rules import Rule, RuleRefused
from agar.migrate.rules._rule import namespace
from agar.migrate.sandbox import module_state
from agar.nn.cell import Cell

if TYPE_CHECKING:
    from agar.migrate.check_session import Session

__all__ = ["diagnose"]

#: Beyond this two tensors are not the same up to rounding.
_CLOSE = 1e-4
_LOAD = "agar.migrate.load_torch_state({net}, module.state_dict())"

#: What a step of a network may have forgotten, or done too often.
_ACTIVATIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "ops.relu(x)": functional.relu,
    "ops.gelu(x, approximate='none')": functional.gelu,
    "ops.gelu(x, approximate='tanh')": lambda x: functional.gelu(x, approximate="tanh"),
    "ops.sigmoid(x)": torch.sigmoid,
    "ops.tanh(x)": torch.tanh,
    "ops.silu(x)": functional.silu,
    "ops.relu6(x)": functional.relu6,
    "ops.hardswish(x)": functional.hardswish,
    "ops.leaky_relu(x, 0.01)": lambda x: functional.leaky_relu(x, 0.01),
    "ops.elu(x)": functional.elu,
    "ops.softmax(x, axis=-1)": lambda x: torch.softmax(x, -1),
    "ops.softmax(x, axis=1)": lambda x: torch.softmax(x, 1) if x.dim() > 1 else x,
    "ops.log_softmax(x, axis=-1)": lambda x: torch.log_softmax(x, -1),
}


@dataclass
class _Finding:
    """An explanation."""

    cause: str
    rule: str | None = None
    line: str | None = None
    repaired: bool = False


def diagnose(job: Session, pair: Pair) -> Divergence:
    """Explain the first divergence.

    Args:
        job (Session): the check.
        pair (Pair): the pair that differs by itself.
    """
    entry = job.entries[id(pair)]
    wrong = [c for c in entry.comparisons if not c.equal]
    if not wrong and pair is job.root:
        wrong = [c for c in job.report.network if not c.equal]
    stage, what = (wrong[0].stage, wrong[0].what) if wrong else ("isolated", "output")
    shown = entry.reason
    finding = _Doctor(job, pair, wrong).find()
    if finding is None:
        kinds = f"{type(pair.cell).__name__} and {type(pair.module).__name__}"
        finding = _Finding(f"{kinds} compute different things, and no rule says why")
    return Divergence(
        pair.path,
        pair.module_path,
        stage,
        what,
        f"{pair.label}: {shown}: {finding.cause}" if finding.cause else f"{pair.label}: {shown}",
        finding.rule,
        finding.line,
        finding.repaired,
    )


class _Doctor:
    def __init__(self, job: Session, pair: Pair, wrong: list[Comparison]) -> None:
        self.job, self.pair, self.wrong = job, pair, wrong
        self.rule = pair.rule
        self.run: RunCall | None = job.runs.get(id(pair))

    def find(self) -> _Finding | None:
        """The first explanation that holds; what could be tried and holds goes before the rest."""
        findings: list[_Finding] = []
        for step in self._steps():
            try:
                finding = step()
            except Exception as error:  # a candidate that cannot be tried explains nothing
                self.job.note(f"{self.pair.label}: {step.__name__.strip('_')}: {error!r:.150}")
                continue
            if finding is not None:
                if finding.repaired:
                    return finding
                findings.append(finding)
        return findings[0] if findings else None

    def _steps(self) -> Iterator[Callable[[], _Finding | None]]:
        unequal = id(self.pair) in self.job.unequal
        if unequal:
            yield self._weights
        if (
            self.rule is not None
            and self.rule.kind == "module"
            and (self.pair.leaf or self.pair.whole)
        ):
            yield self._by_rule
        if not self.pair.leaf or (self.rule is None and self.pair.cell._cells):
            yield self._inside
        if not unequal and self.run is not None and id(self.pair) not in self.job.errors:
            yield self._by_values

    # ----------------------------------------------------------------------- weights

    def _weights(self) -> _Finding | None:
        job, pair = self.job, self.pair
        entries = [e for e in job.wiring.below(pair).values() if e.pair is pair]
        own = {e.short: e.cell._value.detach() for e in entries}
        expected = {e.short: e.there(e.original.detach()) for e in entries}
        cells = {e.short: e.cell_name.rpartition(".")[2] for e in entries}
        wrong = [c.what for c in job.unequal[id(pair)]]
        name = wrong[0]
        line = _LOAD.format(net="net")
        rule = self.rule.source if self.rule is not None else None
        shapes = [n for n in wrong if own[n].shape != expected[n].shape]
        if shapes:
            name = shapes[0]
            if own[name].dim() == 2 and torch.equal(own[name].t(), expected[name]):
                return _Finding(f"{cells[name]} is transposed", rule, line)
            return None  # another configuration, which the rule knows
        repaired = self._works(pair)
        for name in wrong:
            value, target = own[name], expected[name]
            square = value.dim() == 2 and value.shape[0] == value.shape[1]
            if square and torch.equal(value.t(), target):
                return _Finding(
                    f"{cells[name]} is the transpose of the original's; PyTorch's {name} goes over "
                    "as it is",
                    rule,
                    line,
                    repaired,
                )
            holds = [
                other
                for other, theirs in expected.items()
                if other != name
                and other in wrong
                and torch.equal(value, theirs)
                and not torch.equal(value, target)
            ]
            if holds:
                return _Finding(
                    f"{cells[name]} holds the original's {holds[0]}, and should hold its {name}: "
                    f"{cells[name]} and {cells[holds[0]]} are swapped",
                    rule,
                    line,
                    repaired,
                )
            if value.dtype != target.dtype and torch.equal(value, target.to(value.dtype)):
                kind = str(value.dtype).removeprefix("torch.")
                return _Finding(
                    f"{cells[name]} is of type {kind}, the original's of "
                    f"{str(target.dtype).removeprefix('torch.')}",
                    rule,
                    f"net.to(ms.{str(target.dtype).removeprefix('torch.')})",
                    repaired,
                )
        statistics = [n for n in wrong if n.startswith("running_")]
        if statistics and len(statistics) == len(wrong):
            names = " and ".join(cells[n] for n in statistics)
            return _Finding(
                f"the weights were copied, the running statistics were not: {names} of the cell "
                "are the buffers running_mean and running_var of the original",
                rule,
                line,
                repaired,
            )
        return _Finding(
            "load the original's weights (or compare with sync_weights=True)", rule, line, repaired
        )

    # --------------------------------------------------------------------- the rule

    def _by_rule(self) -> _Finding | None:
        rule, pair = self.rule, self.pair
        assert rule is not None
        try:
            line, built = rule.line(pair.module), rule.build(pair.module)
        except RuleRefused as error:
            return _Finding(str(error), rule.source)
        code = _assignment(pair.path, line)
        if type(built) is not type(pair.cell) and not _same_kind(built, pair.cell):
            return _Finding(
                f"{_indefinite(type(pair.cell).__name__)} stands where "
                f"{_indefinite(type(built).__name__)} belongs, the counterpart of "
                f"{rule.source}; write {line}",
                rule.source,
                code,
                self._works(self._with(built)),
            )
        differing = _differences(line, built, pair.cell)
        repaired = self._works(self._with(built))
        if not differing:
            if repaired and _configuration(built) != _configuration(pair.cell):
                return _Finding(f"write {line}", rule.source, code, repaired)
            return None
        causes = differing
        if repaired and len(differing) > 1:
            causes = [d for d in differing if not self._harmless(line, d)] or differing
        words = "; ".join(self._said(rule, d) for d in causes)
        return _Finding(words, rule.source, code, repaired)

    def _said(self, rule: Rule, difference: tuple[str, Any, Any]) -> str:
        name, actual, expected = difference
        explained = rule.differs.get(name)
        write = f"write {name}={expected!r}" if expected is not None else "leave it out"
        if explained is None:
            return f"{name} is {actual!r}; {write}"
        if explained.startswith("it is "):
            explained = explained[len("it is ") :]
            default = explained.split(" ")[0].rstrip(",")
            if repr(actual) == default:
                return f"{name} is {explained}"
            return f"{name} is {actual!r} (by default {explained})"
        return f"{name} is {actual!r}; {explained}; {write}"

    def _harmless(self, line: str, difference: tuple[str, Any, Any]) -> bool:
        """Whether the repaired cell stays equal with the user's value of an argument."""
        name, actual, _ = difference
        try:
            cell = _evaluate(_with_keyword(line, name, actual))
        except Exception:  # not an argument of its own, or not with this value
            return False
        return self._works(self._with(cell))

    def _with(self, cell: Cell) -> Pair:
        pair = self.pair
        return Pair(
            pair.module_path, pair.path, pair.module, cell, pair.rule, pair.whole, True, False
        )

    def _works(self, pair: Pair) -> bool:
        """Whether a cell with the module's weights is equal to it, all by itself."""
        changed_pair = Pair(
            "", "", pair.module, pair.cell, pair.rule, pair.whole, True, pair.foreign
        )
        wiring = Wiring.of(pair.module, Pairing([changed_pair]))
        if wiring.problems:
            return False
        run = self._a_run()
        if run is None:
            return False
        job = self.job
        runner = Isolated(wiring, job.tolerances, job.graph, False, job.seed)
        try:
            comparisons = runner.compare(changed_pair, run, train=job.train)
            if job.train and not run.draws:
                job.module.train(False)
                try:
                    comparisons += runner.compare(changed_pair, run, train=False, stage="eval")
                finally:
                    job.module.train(True)
        except Exception:  # what raises repairs nothing
            return False
        return bool(comparisons) and all(c.equal for c in comparisons)

    def _a_run(self) -> RunCall | None:
        """A call with its inputs: a recorded one, or that of the network if it is the network."""
        if self.run is not None and self.run.call.tensors():
            return self.run
        if self.pair is self.job.root:
            first = self.job.surveys.get(self.job.train)
            return self.job.whole(first) if first is not None else None
        self.run = self.job.run_again(self.pair)
        return self.run

    # -------------------------------------------------------------------- composites

    def _inside(self) -> _Finding | None:
        """Between which of its children a cell goes another way."""
        run = self._a_run()
        if run is None:
            return None
        job, pair = self.job, self.pair
        recording = record(pair.module, job.pairing, run.call, job.seed, _Everything(), sens={})
        watch = CellWatch(pair.cell, job.pairing, recording.calls, keep=True)
        failed: Exception | None = None
        try:
            run_cell(
                pair,
                job.values_for(pair),
                run.call,
                {},
                Served(recording.draws, watch.where),
                train=job.train,
                watched=watch,
            )
        except Exception as error:
            failed = error
        children = [r for r in watch.received if r.pair is not pair]
        asked: dict[int, int] = {}
        for call in recording.calls:
            asked[id(call.pair)] = asked.get(id(call.pair), 0) + 1
        order = self._order(recording.calls, children)
        if order is not None:
            return order
        before: Received | None = None
        for received in children:
            if received.error is None:
                return _Finding(
                    f"construct calls {received.pair.path} {received.number + 1} times, the "
                    f"original {asked.get(id(received.pair), 0)} times"
                )
            if received.error > _CLOSE:
                return self._glue(before, received)
            before = received
        if failed is not None:
            after = f" after {before.pair.path}" if before is not None else ""
            return _Finding(f"construct raises{after}, where the original does not")
        ran = {id(r.pair) for r in children}
        skipped = [
            c.pair.path
            for c in recording.calls
            if c.pair is not pair and id(c.pair) not in ran and not c.pair.whole
        ]
        if skipped:
            return _Finding(f"construct never calls {', '.join(dict.fromkeys(skipped))}")
        after = f"after {before.pair.path}, its last part," if before is not None else "by itself"
        finding = self._by_values()
        if finding is not None:
            return _Finding(
                f"its parts are equal and receive the same; {after} construct does something "
                f"else: {finding.cause}",
                None,
                finding.line,
            )
        return _Finding(
            f"its parts are equal and receive the same; {after} construct does something else"
        )

    def _order(self, calls: list[RunCall], children: list[Received]) -> _Finding | None:
        """Whether the same children are called in another order."""
        expected = [c.pair.path for c in calls if c.pair is not self.pair]
        actual = [r.pair.path for r in children]
        if expected == actual or sorted(expected) != sorted(actual):
            return None
        at = next(i for i, (a, b) in enumerate(zip(expected, actual, strict=True)) if a != b)
        return _Finding(
            f"construct calls {actual[at]} where the original calls {expected[at]}: the order is "
            f"{', '.join(actual[at : at + 3])} in place of {', '.join(expected[at : at + 3])}"
        )

    def _glue(self, before: Received | None, received: Received) -> _Finding:
        path = received.pair.path
        start = f"between {before.pair.path} and {path}" if before is not None else f"before {path}"
        given = [t for _, t in received.given.tensors()]
        expected = [t for _, t in received.expected.tensors()]
        shown = received.reason or f"relative error {received.error:.1e}"
        words = f"its parts are equal, but {start} construct does something else: {path} receives "
        words += f"{shown}"
        for one, other in zip(given, expected, strict=False):
            if one.shape == other.shape and relative_error(one, other) <= _CLOSE:
                continue
            relation = _relation(one, other)
            if relation is not None:
                return _Finding(f"{words}; {relation[0]}", None, relation[1])
        return _Finding(words)

    # ------------------------------------------------------------------------ values

    def _by_values(self) -> _Finding | None:
        """What relation the two results have."""
        run = self._a_run()
        if run is None:
            return None
        job, pair = self.job, self.pair
        original = run_original(pair.module, module_state(pair.module), run.call, {}, run.draws)
        result = run_cell(
            pair, job.values_for(pair), run.call, {}, Served(run.draws), train=job.train
        )
        for (_, one), (_, other) in zip(result.output, original.output, strict=False):
            if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
                if one.shape == other.shape and relative_error(one, other) <= _CLOSE:
                    continue
                relation = _relation(one, other)
                if relation is not None:
                    return _Finding(relation[0], None, relation[1])
        return None


class _Everything(set):
    """Holds everything: all inputs are copied."""

    def __contains__(self, item: object) -> bool:
        return True


def _relation(actual: torch.Tensor, expected: torch.Tensor) -> tuple[str, str | None] | None:
    """What has to be done to a tensor to get another one, if it is something simple."""
    if not (actual.is_floating_point() and expected.is_floating_point()) or not expected.numel():
        return None
    actual, expected = actual.detach().double(), expected.detach().double()
    if actual.shape == expected.shape:
        for code, fn in _ACTIVATIONS.items():
            if relative_error(fn(actual), expected) <= _CLOSE:
                return f"{code} is missing there", f"x = {code}"
            if relative_error(fn(expected), actual) <= _CLOSE:
                return f"{code} is too much there", None
        scale = float((actual * expected).sum() / (actual * actual).sum().clamp_min(1e-300))
        if relative_error(actual * scale, expected) <= _CLOSE:
            return f"the original's values are {scale:.6g} times as large", f"x = x * {scale:.6g}"
        for axis in range(actual.dim()):
            if relative_error(actual.flip(axis), expected) <= _CLOSE:
                return f"axis {axis} runs the other way", f"x = ops.flip(x, ({axis},))"
    if actual.numel() == expected.numel() and actual.dim() == expected.dim() > 1:
        for axes in _orders(actual.dim()):
            turned = actual.permute(axes)
            if turned.shape == expected.shape and relative_error(turned, expected) <= _CLOSE:
                return f"the axes go in another order: {axes}", f"x = x.transpose({axes})"
    if actual.numel() == expected.numel() and actual.shape != expected.shape:
        if relative_error(actual.reshape(expected.shape), expected) <= _CLOSE:
            shape = tuple(expected.shape)
            return f"the same values in another shape: {shape}", f"x = x.reshape({shape})"
        for axes in _orders(actual.dim()):
            if relative_error(actual.permute(axes).reshape(expected.shape), expected) <= _CLOSE:
                return (
                    f"the axes are {axes} before the reshape",
                    f"x = x.transpose({axes}).reshape({tuple(expected.shape)})",
                )
    return None


def _orders(count: int) -> Iterator[tuple[int, ...]]:
    if count < 6:
        yield from (a for a in itertools.permutations(range(count)) if list(a) != sorted(a))


# -------------------------------------------------------------------------------- configuration


def _same_kind(built: Cell, cell: Cell) -> bool:
    """A layer of the user's with the same name, such as one from another path."""
    return type(built).__name__.removesuffix("Ext") == type(cell).__name__.removesuffix("Ext")


def _plain(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(_plain(v) for v in value)
    return value is None or isinstance(value, (bool, int, float, str))


def _configuration(cell: Cell) -> dict[str, Any]:
    skipped = ("training", "requires_grad")
    return {
        n: v
        for n, v in vars(cell).items()
        if not n.startswith("_") and n not in skipped and _plain(v)
    }


def _differences(line: str, built: Cell, cell: Cell) -> list[tuple[str, Any, Any]]:
    """Arguments whose values differ: (name, the user's, the rule's).

    Attributes are compared; an argument that its class keeps in another form (a tuple for a number,
    momentum the other way round) is put back into the form in which it is given.
    """
    mine, theirs = _configuration(cell), _configuration(built)
    signature = inspect.signature(type(built).__init__).parameters
    names = [n for n in signature if n != "self"]
    keywords = _arguments(line, names)
    out: list[tuple[str, Any, Any]] = []
    for name in names:
        one, other = getattr(cell, name, _MISSING), getattr(built, name, _MISSING)
        if one is _MISSING or (other is _MISSING and name not in keywords):
            continue
        default = signature[name].default
        expected = keywords.get(name, None if default is inspect.Parameter.empty else default)
        if other is _MISSING:
            other = expected
        if isinstance(one, Cell) or isinstance(other, Cell):
            if type(one) is not type(other):
                out.append((name, _named(one), _named(other)))
        elif _plain(one) and _plain(other) and not _equal(one, other):
            given = name in keywords or default is not inspect.Parameter.empty
            out.append((name, _as_given(line, name, one), expected if given else _uniform(other)))
    if out:
        return out
    return [
        (name, mine[name], theirs[name])
        for name in theirs
        if name in mine and not _equal(mine[name], theirs[name])
    ]


def _named(value: Any) -> Any:
    return _Name(f"nn.{type(value).__name__}()") if isinstance(value, Cell) else value


class _Name(str):
    """A text that is shown without quotes."""

    def __repr__(self) -> str:
        return str(self)


def _uniform(value: Any) -> Any:
    if isinstance(value, (tuple, list)) and value and all(v == value[0] for v in value):
        return value[0]
    return value


def _as_given(line: str, name: str, stored: Any) -> Any:
    """The argument that a class keeps as `stored`."""
    candidates = [_uniform(stored), stored]
    if isinstance(stored, float):
        candidates.append(round(1 - stored, 12))
    for value in candidates:
        try:
            attribute = getattr(_evaluate(_with_keyword(line, name, value)), name, _MISSING)
        except Exception:  # the class does not take it in this form
            continue
        if _equal(attribute, stored):
            return value
    return _uniform(stored)


_MISSING = object()


def _equal(one: Any, other: Any) -> bool:
    if one is _MISSING or other is _MISSING:
        return one is other
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-12 * max(abs(one), abs(other))
    return bool(one == other)


def _arguments(line: str, names: list[str]) -> dict[str, Any]:
    """The arguments of a call that are literals, by name."""
    call = ast.parse(line, mode="eval").body
    out: dict[str, Any] = {}
    if isinstance(call, ast.Call):
        given = [*zip(names, call.args, strict=False), *((k.arg, k.value) for k in call.keywords)]
        for name, value in given:
            if name is not None:
                with contextlib.suppress(ValueError):
                    out[name] = ast.literal_eval(value)
    return out


def _with_keyword(line: str, name: str, value: Any) -> str:
    call = ast.parse(line, mode="eval").body
    if not isinstance(call, ast.Call):
        raise ValueError(f"{line} is no call")
    call.keywords = [k for k in call.keywords if k.arg != name]
    call.keywords.append(ast.keyword(name, ast.parse(repr(value), mode="eval").body))
    return ast.unparse(ast.fix_missing_locations(call))


def _evaluate(code: str) -> Any:
    return eval(code, dict(namespace()))


def _assignment(path: str, line: str) -> str:
    name = path.rpartition(".")[2]
    return f"self.{name} = {line}" if name and not name.isdigit() else line


def _indefinite(name: str) -> str:
    return f"nn.{name}"
