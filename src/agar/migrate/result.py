"""What a check found, as plain data: parity fills it, and the reports read it."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = [
    "CellResult",
    "Comparison",
    "Curve",
    "Divergence",
    "Report",
    "Source",
    "Stats",
    "Subject",
]


class _Deferred:
    """Fields that are computed when one of them is first read."""

    def defer(self, compute: Callable[[], Mapping[str, Any]], names: tuple[str, ...]) -> None:
        """Forget fields; `compute` gives their values.

        Args:
            compute (Callable): returns the values by name.
            names (tuple): the fields, which have no defaults in the class.
        """
        for name in names:
            self.__dict__.pop(name, None)
        self.__dict__["_compute"] = compute

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or "_compute" not in self.__dict__:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        self._settle()
        return getattr(self, name)

    def _settle(self) -> None:
        for name, value in self.__dict__.get("_compute", dict)().items():
            self.__dict__.setdefault(name, value)  # what was assigned since stays
        self.__dict__.pop("_compute", None)

    def __getstate__(self) -> dict[str, Any]:
        self._settle()
        return self.__dict__


def _none() -> None:
    """A default that is no attribute of the class, so that the field can be deferred."""


@dataclass
class Stats(_Deferred):
    """A tensor in a few numbers.

    Attributes:
        shape: its shape.
        dtype: its element type, such as ``float32``.
        low, high, mean, deviation: of the finite values; None for an empty tensor.
        nans, infinities: how many values are so.
        counts: a histogram of finite values in equal bins from `low` to `high`; of large tensors
            it is one of many values, evenly picked.
    """

    shape: tuple[int, ...]
    dtype: str
    low: float | None = field(default_factory=_none)
    high: float | None = field(default_factory=_none)
    mean: float | None = field(default_factory=_none)
    deviation: float | None = field(default_factory=_none)
    nans: int = field(default_factory=int)
    infinities: int = field(default_factory=int)
    counts: list[int] = field(default_factory=list)

    @classmethod
    def later(
        cls, shape: tuple[int, ...], dtype: str, compute: Callable[[], Mapping[str, Any]]
    ) -> Stats:
        """The numbers of a tensor that are computed when they are first read.

        Args:
            shape (tuple): its shape.
            dtype (str): its element type.
            compute (Callable): returns the other fields by name.
        """
        out = cls.__new__(cls)
        out.__dict__.update(shape=shape, dtype=dtype, _compute=compute)
        return out


@dataclass
class Comparison:
    """One tensor of the cell beside the original's.

    Attributes:
        what: ``output``, ``output[0]``, ``gradient of input[0]``, ``gradient of weight``,
            ``weight after the step``, ``running_mean after the step``, ``moment1 after the step``.
        stage: ``weights``, ``isolated``, ``eval``, ``train``, ``step``, ``float16``, ``bfloat16``.
        error: the largest difference, relative to the original's largest value; infinite where
            shapes, structures or places of NaN differ; None where nothing could be compared.
        tolerance: the largest error that counts as equal.
        equal: the verdict.
        reason: in words where a number does not say it (``shape (1, 8, 12, 12) against
            (1, 8, 9, 9)``).
        original, migrated: the tensors in numbers.
        worst: index of the largest difference.
    """

    what: str
    stage: str
    error: float | None
    tolerance: float
    equal: bool
    reason: str = ""
    original: Stats | None = None
    migrated: Stats | None = None
    worst: tuple[int, ...] | None = None


@dataclass
class Source:
    """Where a class is written.

    Attributes:
        file: path of the file, relative to the working directory where it is below it.
        line: its first line.
        text: the source of the class.
    """

    file: str
    line: int
    text: str


@dataclass
class CellResult(_Deferred):
    """One cell and the module that it stands for.

    Attributes:
        path: the cell's path in its tree; empty for the whole network.
        module_path: the module's; None for a cell without an original.
        cell_type, module_type: names of the classes.
        order: place in the order of execution of the original; None where it never ran.
        calls: how often the original called it.
        leaf: it has no cells inside.
        native: agar computes it; False for a module inside a TorchCell.
        status: ``equal``; ``different``: it computes something else by itself; ``inherited``: by
            itself it is equal, what it gets from a cell inside of it is not; ``foreign``: PyTorch
            computes it; ``not run``; ``failed``: it raised an error; ``not compared``: `reason`
            says why.
        reason: what happened, in words.
        comparisons: all that was compared.
        cell_source, module_source: where the classes are written.
    """

    path: str
    module_path: str | None
    cell_type: str
    module_type: str | None
    order: int | None = None
    calls: int = 0
    leaf: bool = True
    native: bool = True
    status: str = "not compared"
    reason: str = ""
    comparisons: list[Comparison] = field(default_factory=list)
    cell_source: Source | None = field(default_factory=_none)
    module_source: Source | None = field(default_factory=_none)

    @property
    def error(self) -> float | None:
        """The largest error of all comparisons; None without any."""
        errors = [c.error for c in self.comparisons if c.error is not None]
        return max(errors, default=None)


@dataclass
class Divergence:
    """The first cell, in execution order, that computes something else by itself.

    Attributes:
        path: the cell's path.
        module_path: the original's.
        stage: where it shows first.
        what: which tensor.
        cause: one sentence: what differs, and why.
        rule: the name in PyTorch of the rule that explains it; None where no rule does.
        line: code that repairs it (``self.conv1 = nn.Conv2d(1, 8, 4, pad_mode='pad')``); None
            where none is known.
        repaired: `line` was tried, and the cell was equal with it.
    """

    path: str
    module_path: str | None
    stage: str
    what: str
    cause: str
    rule: str | None = None
    line: str | None = None
    repaired: bool = False


@dataclass
class Curve:
    """Losses of the same training on both sides.

    Attributes:
        original, migrated: the loss at each step.
        low, high: the band in which the original's own loss moves when its inputs are disturbed
            by rounding errors, at each step.
        inside: the migrated curve stays within the band.
    """

    original: list[float]
    migrated: list[float]
    low: list[float]
    high: list[float]
    inside: bool


@dataclass
class Subject:
    """What was compared: the objects themselves, which `to_pytest` needs and JSON cannot hold.

    Attributes:
        module: the original.
        cell: the cell.
        inputs: the inputs of `check`.
        options: its other arguments, by name, those with their default value left out.
        pair: the reference that builds all of it (``pairs.py:resnet``), where there is one.
    """

    module: Any
    cell: Any
    inputs: Any
    options: dict[str, Any] = field(default_factory=dict)
    pair: str | None = None


@dataclass(repr=False)
class Report:
    """The result of `agar.migrate.check`.

    Attributes:
        name: the network's class.
        mode: ``PYNATIVE_MODE`` or ``GRAPH_MODE``.
        cells: one entry a pair, in execution order of the original, what never ran last.
        first_divergence: None where all cells are equal.
        network: comparisons of the whole network, end to end.
        curve: the training curves, where steps were asked for.
        problems: what makes a verdict impossible or partial (modules without a cell, weights
            without a counterpart, results that change from run to run), as sentences; any of
            them keeps `passed` from being true.
        notes: what the reader should know and what does not speak against the network.
        settings: how it was compared: dtype, seeds, tolerances, stages.
        seconds: how long it took.

    The objects that were compared are in `subject`, which is no part of the data: it is None in a
    report that was read from a file.
    """

    name: str
    mode: str
    cells: list[CellResult] = field(default_factory=list)
    first_divergence: Divergence | None = None
    network: list[Comparison] = field(default_factory=list)
    curve: Curve | None = None
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.subject: Subject | None = None

    def __repr__(self) -> str:
        # at a prompt, and in print; all of the data would be thousands of lines
        verdict = "passed" if self.passed else "not passed"
        if self.first_divergence is not None:
            verdict += f", differs first at {self.first_divergence.path or 'the network'}"
        elif self.problems:
            verdict += f", {self.problems[0]}"
        return f"<Report of {self.name} in {self.mode}: {verdict}; show() tells all>"

    @property
    def passed(self) -> bool:
        """All that was compared is equal, and nothing that had to be compared was left out."""
        return (
            not self.problems
            and bool(self.network)
            and all(c.equal for c in self.network)
            and all(c.status in ("equal", "foreign", "not run") for c in self.cells)
            and (self.curve is None or self.curve.inside)
        )

    @property
    def leaves(self) -> list[CellResult]:
        """The cells without cells inside."""
        return [c for c in self.cells if c.leaf]

    @property
    def native(self) -> float:
        """The fraction of leaf cells that agar computes; 0 for a network without leaves."""
        leaves = self.leaves
        return sum(c.native for c in leaves) / len(leaves) if leaves else 0.0

    @property
    def verified(self) -> float:
        """The fraction of leaf cells that agar computes and that were found equal."""
        leaves = self.leaves
        good = sum(c.native and c.status == "equal" for c in leaves)
        return good / len(leaves) if leaves else 0.0

    @property
    def worst(self) -> float:
        """The largest error of the whole network's comparisons; infinite without any."""
        errors = [c.error for c in self.network if c.error is not None]
        return max(errors, default=math.inf)

    def to_dict(self) -> dict[str, Any]:
        """All of it as dictionaries, lists, strings and numbers."""
        out = dataclasses.asdict(self)
        for name in ("passed", "native", "verified", "worst"):
            out[name] = getattr(self, name)
        return _plain(out)

    def to_json(self, path: str | Path | None = None) -> str:
        """The report as JSON; infinite and undefined numbers are written as strings.

        Args:
            path (str, Path, optional): a file to write as well. Default: ``None``.
        """
        text = json.dumps(self.to_dict(), indent=1)
        if path is not None:
            from agar._core.files import replacing

            with replacing(path) as temporary:
                Path(temporary).write_text(text + "\n", encoding="utf-8")
        return text

    def to_html(self, path: str | Path) -> Path:
        """Write one self-contained page.

        Args:
            path (str, Path): the file.
        """
        from agar.migrate.report import page

        return page.write(self, Path(path))

    def to_pytest(self, path: str | Path, *, pair: str | None = None) -> Path:
        """Write a test file that keeps this result; the inputs lie beside it, in an ``.npz``.

        Args:
            path (str, Path): the file.
            pair (str, optional): what builds the module, the cell and the inputs:
                ``file.py:function`` or ``package.module:function``. Default: ``None``, the
                reference that was checked, or else the classes of both networks.

        Raises:
            ValueError: something cannot be written into a file: a local class, a lambda.
        """
        from agar.migrate.report import frozen

        return frozen.write(self, Path(path), pair=pair)

    def show(self, *, full: bool = False) -> None:
        """Print the verdict, the first divergence and the tree of cells.

        Args:
            full (bool): every cell and every comparison; without it, parts of a large network
                that are equal are folded into one row. Default: ``False``.
        """
        from agar.migrate.report import terminal

        terminal.show(self, full=full)

    def _repr_html_(self) -> str:
        from agar.migrate.report import _notebook

        return _notebook.report_html(self)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value
