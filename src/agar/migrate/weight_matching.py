"""Names of a torch state paired with the parameters of a cell, and what was found out on the way.

NOTE How names are found. First each cell's own names (see `agar.migrate.names`); then what stands
before all names of one side (``model.``) is taken off; what is left is matched by structure: equal
words, layers of equal shapes in equal order. Every pair says what it rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NoReturn

# states hold torch tensors
import torch

from agar._core.errors import describe
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor
from agar.migrate import optimizer_state
from agar.migrate.names import Entry, entries
from agar.nn.cell import Cell
from agar.train._load_parameters import castable, similar
from agar.train.structure import _Matcher, _parts

__all__ = ["Match", "Row", "Transfer", "WeightsError"]


@dataclass(frozen=True)
class Row:
    """One tensor on its way.

    Attributes:
        source: its name where it comes from.
        target: its name where it goes.
        shape: its shape in the source.
        dtype: its element type in the source.
        how: what the pair rests on, and how the value changes its form.
    """

    source: str
    target: str
    shape: tuple[int, ...]
    dtype: str
    how: str


@dataclass
class Transfer:
    """What went where; ``print`` shows it as tables.

    Attributes:
        rows: the pairs, in the order of the target.
        missing: names of the target without a value, with the closest of the source's.
        unexpected: names of the source without a place, with the closest of the target's.
        mismatched: pairs that do not fit, as sentences.
        left_out: names of the source that need no place, with the reason.
        assumptions: what the names alone did not say, as it was taken.
        optimizer: the pairs of the optimizer's state.
        source, target: the files, where there are any.
    """

    rows: list[Row] = field(default_factory=list)
    missing: dict[str, list[str]] = field(default_factory=dict)
    unexpected: dict[str, list[str]] = field(default_factory=dict)
    mismatched: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    assumptions: list[str] = field(default_factory=list)
    optimizer: list[Row] = field(default_factory=list)
    source: str = ""
    target: str = ""

    @property
    def complete(self) -> bool:
        """Everything on both sides has its place."""
        return not (self.missing or self.unexpected or self.mismatched)

    def to_dict(self) -> dict[str, Any]:
        """All of it as dictionaries, lists, strings and numbers."""
        return {**asdict(self), "complete": self.complete}

    def problems(self) -> list[str]:
        """What keeps it from being complete, a line each."""
        lines = list(self.mismatched)
        for names, what in (
            (self.missing, "has no value"),
            (self.unexpected, "has no place"),
        ):
            for name, close in names.items():
                lines.append(
                    f"'{name}' {what}" + (f"; closest: {', '.join(close)}" if close else "")
                )
        return lines

    def __str__(self) -> str:
        table = [("from", "to", "shape", "how")]
        table += [(r.source, r.target, str(r.shape), r.how) for r in [*self.rows, *self.optimizer]]
        widths = [max(len(row[i]) for row in table) for i in range(3)]
        lines = [
            "  ".join([*(text.ljust(n) for text, n in zip(row[:3], widths, strict=True)), row[3]])
            for row in table
        ]
        lines += [f"assumed: {text}" for text in self.assumptions]
        lines += [f"left out: {name} ({reason})" for name, reason in self.left_out.items()]
        return "\n".join([*lines, *self.problems()])

    def _repr_html_(self) -> str:
        from agar.migrate.report import _notebook

        return _notebook.transfer_html(self)


class WeightsError(ValueError):
    """Weights that do not fit; nothing was changed.

    Attributes:
        transfer: all that was found.
    """

    def __init__(self, message: str, transfer: Transfer) -> None:
        super().__init__(message)
        self.transfer = transfer


# ------------------------------------------------------------------------------- matching


@dataclass
class _Pair:
    entry: Entry
    name: str
    value: torch.Tensor
    how: str


class Match:
    """The names of a cell and those of a state, paired.

    Args:
        cell (Cell): the cell that takes the weights.
        state (Mapping): the state to load, tensors by name.
        order (Iterable[str]): names of the state that come first, in this order. Default: ``()``.
    """

    def __init__(self, cell: Cell, state: Mapping[str, Any], order: Iterable[str] = ()) -> None:
        self.transfer = Transfer()
        self.entries = {e.name: e for e in entries(cell)}
        values: dict[str, torch.Tensor] = {}
        for name, value in state.items():
            tensor = _tensor(value)
            if tensor is None:
                self.transfer.left_out[str(name)] = f"no tensor, but {type(value).__name__}"
            else:
                values[str(name)] = tensor
        first = [n for n in order if n in values]
        self.values = {n: values[n] for n in [*first, *(n for n in values if n not in set(first))]}
        self.pairs: dict[str, _Pair] = {}

    def run(self) -> Match:
        """Find the pairs; the match itself, with what was found."""
        self._exact(self.values, "")
        if self._open() and self._left():
            self._by_prefix()
        if self._open() and self._left():
            self._by_structure()
        self._check()
        return self

    def _used(self) -> set[str]:
        return {p.name for p in self.pairs.values()}

    def _open(self) -> list[Entry]:
        """What still needs a value."""
        done = {id(p.entry.held) for p in self.pairs.values() if p.entry.held is not None}
        return [
            e
            for n, e in self.entries.items()
            if n not in self.pairs and not e.optional and id(e.held) not in done
        ]

    def _left(self) -> dict[str, torch.Tensor]:
        used = self._used()
        return {n: v for n, v in self.values.items() if n not in used}

    def _pair(self, entry: Entry, name: str, how: str) -> None:
        self.pairs[entry.name] = _Pair(entry, name, self.values[name], how)

    def _exact(self, names: Mapping[str, Any], prefix: str) -> None:
        for name in names:
            bare = name[len(prefix) :] if name.startswith(prefix) else name
            entry = self.entries.get(bare)
            if entry is not None and bare not in self.pairs:
                self._pair(entry, name, "name" if not prefix else f"name without '{prefix}'")

    def _by_prefix(self) -> None:
        """What one side puts before all its names."""
        left, expected = self._left(), {e.name for e in self._open()}
        best = (0, "", "")
        starts = {n[: i + 1] for n in left for i, c in enumerate(n) if c == "."}
        for start in starts:
            hits = sum(n.startswith(start) and n[len(start) :] in expected for n in left)
            best = max(best, (hits, start, ""))
        for start in {n[: i + 1] for n in expected for i, c in enumerate(n) if c == "."}:
            best = max(best, (sum(start + n in expected for n in left), "", start))
        hits, off, on = best
        if not hits or 2 * hits < min(len(left), len(expected)):
            return
        for name in left:
            bare = on + (name[len(off) :] if name.startswith(off) else "\0")
            entry = self.entries.get(bare)
            if entry is not None and bare not in self.pairs:
                self._pair(entry, name, f"name without '{off}'" if off else f"name after '{on}'")
        self.transfer.assumptions.append(
            f"'{off}' was taken off the names of the state"
            if off
            else f"'{on}' was put before the names of the state"
        )

    def _by_structure(self) -> None:
        """Equal words, shapes and order."""
        expected = {e.name: (e.shape, _dtype(e)) for e in self._open()}
        given = {n: (tuple(v.shape), v.dtype) for n, v in self._left().items()}
        result = _Matcher(_parts(expected), _parts(given), {}).run()
        for match in result.matched:
            entry = self.entries[match.name]
            if entry.shape != tuple(self.values[match.source].shape):
                continue  # load_by_structure would reshape; a conversion must not guess
            self._pair(entry, match.source, f"structure: {match.how}")
            if not match.certain:
                self.transfer.assumptions.append(
                    f"'{match.source}' is '{match.name}', by order alone"
                )

    def _check(self) -> None:
        out = self.transfer
        shared: dict[int, _Pair] = {}
        for name in self.entries:
            pair = self.pairs.get(name)
            if pair is None:
                continue
            problem = _unfit(pair)
            before = shared.setdefault(id(pair.entry.held), pair)
            if problem is None and before is not pair and pair.entry.held is not None:
                problem = _differ(before, pair)
            if problem is not None:
                out.mismatched.append(problem)
            out.rows.append(_row(pair))
        left = [e.name for e in self._open()]
        unused = list(self._left())
        counters = [n for n in unused if n.endswith("num_batches_tracked")]
        for name in counters:
            out.left_out[name] = "the cell counts no batches"
        for name in [n for n in unused if n.endswith("_extra_state")]:
            out.left_out[name] = "extra state of a module, not weights"
        unused = [n for n in unused if n not in out.left_out]
        out.missing = {n: self._close(self.entries[n].shape, n, unused) for n in left}
        out.unexpected = {
            n: _closest(tuple(self.values[n].shape), n, {m: self.entries[m].shape for m in left})
            for n in unused
        }

    def _close(self, shape: tuple[int, ...], name: str, unused: list[str]) -> list[str]:
        return _closest(shape, name, {n: tuple(self.values[n].shape) for n in unused})


def _closest(shape: tuple[int, ...], name: str, among: Mapping[str, tuple[int, ...]]) -> list[str]:
    """The names most like one, those of the same shape first."""
    alike = [n for n, s in among.items() if s == shape]
    matches = similar([name], alike).get(name, [])
    matches += [n for n in similar([name], among).get(name, []) if n not in matches]
    matches += [n for n in alike[:2] if n not in matches]
    return [f"{n} {among[n]}" for n in matches[:3]]


def _tensor(value: Any) -> torch.Tensor | None:
    if isinstance(value, Tensor):
        return value._value.detach()
    return value.detach() if isinstance(value, torch.Tensor) else None


def _dtype(entry: Entry) -> torch.dtype:
    return torch.int64 if entry.held is None else entry.held._value.dtype


def _unfit(pair: _Pair) -> str | None:
    entry, value = pair.entry, pair.value
    if entry.held is None:
        return None
    if tuple(value.shape) != entry.shape:
        return (
            f"'{pair.name}' has shape {tuple(value.shape)}, and '{entry.name}' of the cell "
            f"{entry.shape}"
        )
    expected = entry.held._value.dtype
    if value.dtype != expected and not castable(value.dtype, expected):
        return f"'{pair.name}' has type {value.dtype}, and '{entry.name}' of the cell {expected}"
    return None


def _differ(one: _Pair, other: _Pair) -> str | None:
    a, b = one.entry.to_cell(one.value), other.entry.to_cell(other.value)
    if a.shape == b.shape and a.dtype == b.dtype and torch.equal(_bits(a), _bits(b)):
        return None
    return f"'{one.name}' and '{other.name}' are one parameter in the cell, and differ in the state"


def _bits(value: torch.Tensor) -> torch.Tensor:
    """The memory of a tensor, in which NaN equals itself."""
    value = value.detach().cpu().contiguous()
    return value.reshape(-1).view(torch.uint8) if value.numel() else value.reshape(-1)


def _row(pair: _Pair) -> Row:
    how = pair.how
    if pair.entry.transform != "same":
        how += f"; {pair.entry.transform}"
    held = pair.entry.held
    if held is not None and held._value.dtype != pair.value.dtype:
        how += f"; cast to {str(held._value.dtype).removeprefix('torch.')}"
    target = pair.entry.path or f"{pair.entry.name} (kept for PyTorch)"
    return Row(pair.name, target, tuple(pair.value.shape), type_name(pair.value), how)


def type_name(value: torch.Tensor) -> str:
    return str(value.dtype).removeprefix("torch.")


def raise_all(op_name: str, transfer: Transfer) -> NoReturn:
    problems = transfer.problems()
    raise WeightsError(
        f"For '{op_name}', {len(problems)} names do not fit, so nothing was changed:\n  "
        + "\n  ".join(problems)
        + "\nPass strict=False to leave out what has no value or no place.",
        transfer,
    )


# -------------------------------------------------------------------------- parameters


def check_cell(op_name: str, cell: Any) -> None:
    if not isinstance(cell, Cell):
        raise TypeError(f"For '{op_name}', 'cell' must be a Cell, but got {describe(cell)}.")


def says_nothing(entry: Entry) -> bool:
    """Whether a scale or shift is the one of a layer without any (``affine=False``)."""
    assert entry.held is not None
    neutral = 1.0 if entry.name.endswith("weight") else 0.0
    return bool((entry.held._value == neutral).all())


def torch_parameters(cell: Cell) -> dict[str, Entry]:
    """The entries that are parameters in PyTorch, shared ones once, in torch's order."""
    expected = optimizer_state.names_in_order([e.name for e in entries(cell)])
    by_name: dict[str, Entry] = {}
    seen: set[int] = set()
    for entry in entries(cell):
        if entry.name not in expected or not isinstance(entry.held, Parameter):
            continue
        if entry.optional and says_nothing(entry):
            continue
        if id(entry.held) not in seen:
            seen.add(id(entry.held))
            by_name[entry.name] = entry
    return by_name


def in_order(cell: Cell, count: int) -> list[Entry]:
    """The parameters that a torch optimizer of so many parameters has.

    Raises:
        ValueError: neither all parameters nor the trained ones are so many.
    """
    every = list(torch_parameters(cell).values())
    trained = [e for e in every if isinstance(e.held, Parameter) and e.held.requires_grad]
    for chosen in (every, trained):
        if len(chosen) == count:
            return chosen
    raise ValueError(
        f"The optimizer's state has {count} parameters, and the network {len(every)}, of which "
        f"{len(trained)} are trained; which are meant cannot be said."
    )


def shaped(
    state: dict[str, torch.Tensor], chosen: list[Entry], family: optimizer_state.Family
) -> dict[str, torch.Tensor]:
    """The slots in the form of the cell's parameters."""
    out = dict(state)
    for entry in chosen:
        assert isinstance(entry.held, Parameter)
        for slot, prefix in family.slots.items():
            name = prefix + entry.held.name
            if name in out and slot not in family.scalars and entry.transform != "same":
                out[name] = entry.to_cell(out[name])
    return out


def torch_optimizer(
    held: Mapping[str, torch.Tensor],
    chosen: list[Entry],
    family: optimizer_state.Family,
    options: Mapping[str, Any] | None,
) -> dict[str, Any]:
    turned = dict(held)
    for entry in chosen:
        assert isinstance(entry.held, Parameter)
        for slot, prefix in family.slots.items():
            name = prefix + entry.held.name
            if name in turned and slot not in family.scalars:
                turned[name] = entry.to_torch(turned[name])
    parameters = {e.held.name: e.held._value for e in chosen if isinstance(e.held, Parameter)}
    return optimizer_state.to_torch(turned, parameters, family, options)
