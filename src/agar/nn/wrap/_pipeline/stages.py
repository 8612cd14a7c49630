"""Which cell and which parameter belongs to which stage, and the freeing of the others."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any, NamedTuple

# stages exchange the engine's tensors
import torch

from agar._core.dtype import to_torch_dtype
from agar._core.parameter import Parameter, ParameterTuple
from agar._core.runtime import runtime
from agar.nn._pipeline_marks import release
from agar.nn.cell import Cell

__all__ = ["Mark", "Stages", "is_elsewhere"]


class Mark(NamedTuple):
    """Where a cell runs.

    Attributes:
        stage: its pipeline stage.
        segment: which of the parts that the stage has.
    """

    stage: int
    segment: int


class Stages:
    """The stages of a network.

    Args:
        network: the cell whose descendants are marked.
        count: the number of stages.

    Attributes:
        marks: of each cell that is of one stage as a whole, by the cell.
        paths: the names of these cells.
        holders: the stages that hold a parameter, by the parameter's identity.
        parameters: every parameter with its path.

    Raises:
        ValueError: a mark is out of range, or no cell is marked with a stage.
        RuntimeError: a parameter belongs to no stage, or a cell to several.
    """

    def __init__(self, network: Cell, count: int) -> None:
        self.count = count
        self.marks: dict[Cell, Mark] = {}
        self.paths: dict[Cell, str] = {}
        self.holders: dict[int, set[int]] = {}
        self.parameters = [(path, p) for path, p in network.parameters_and_names()]
        release(cell for _, cell in network.cells_and_names())
        self._visit(network, "", None)
        self._add_declared()
        stages = {mark.stage for mark in self.marks.values()}
        missing = [s for s in range(count) if s not in stages]
        if missing:
            raise ValueError(
                f"The pipeline has {count} stages, but no cell of the network is marked with stage "
                f"{', '.join(map(str, missing))}. Set 'pipeline_stage' of its cells to 0 up to "
                f"{count - 1}, as in net.block2.pipeline_stage = 1, or give stage_config to "
                "PipelineCell."
            )

    def _visit(self, cell: Cell, path: str, inherited: Mark | None) -> set[Mark | None]:
        """Note a cell and its descendants; the marks that stand among them."""
        mark = self._mark_of(cell, path, inherited)
        below: set[Mark | None] = {mark}
        for name, child in cell.name_cells().items():
            below |= self._visit(child, f"{path}.{name}" if path else name, mark)
        for p in cell.get_parameters(expand=False):
            self._hold(p, path, mark)
        if mark is not None and below == {mark}:
            known = self.marks.setdefault(cell, mark)
            if known != mark:
                raise RuntimeError(
                    f"The cell '{path}' is the same object as '{self.paths[cell]}', but they are "
                    f"of the pipeline stages {mark.stage} and {known.stage}. Make two cells, and "
                    "share single parameters with Parameter.add_pipeline_stage."
                )
            self.paths.setdefault(cell, path)
        return below

    def _mark_of(self, cell: Cell, path: str, inherited: Mark | None) -> Mark | None:
        state = vars(cell)
        stage = state.get("_pipeline_stage", None if inherited is None else inherited.stage)
        if stage is None:
            return None
        if stage >= self.count:
            raise ValueError(
                f"The cell '{path}' has the pipeline_stage {stage}, but there are {self.count} "
                f"stages, numbered from 0 to {self.count - 1}."
            )
        segment = state.get("_pipeline_segment", 0 if inherited is None else inherited.segment)
        return Mark(stage, segment)

    def _hold(self, parameter: Parameter, path: str, mark: Mark | None) -> None:
        declared = vars(parameter).get("_pipeline_stages")
        if mark is None and not declared:
            raise RuntimeError(
                f"The parameter '{parameter.name}' of the cell '{path or 'network'}' belongs to no "
                "pipeline stage. Set 'pipeline_stage' of the cell, or of a cell around it; each "
                "cell with parameters needs one."
            )
        holders = self.holders.setdefault(id(parameter), set())
        if mark is not None:
            holders.add(mark.stage)

    def _add_declared(self) -> None:
        for path, parameter in self.parameters:
            for stage in vars(parameter).get("_pipeline_stages", ()):
                if stage >= self.count:
                    raise ValueError(
                        f"The parameter '{path}' was added to the pipeline stage {stage}, but "
                        f"there are {self.count} stages."
                    )
                self.holders[id(parameter)].add(stage)

    def shared(self) -> Iterator[tuple[Parameter, list[int]]]:
        """The parameters that several stages hold, in the order of their paths."""
        for _, parameter in sorted(self.parameters, key=lambda pair: pair[0]):
            holders = self.holders[id(parameter)]
            if len(holders) > 1:
                yield parameter, sorted(holders)

    def own(self, stage: int) -> list[Parameter]:
        """The parameters that a stage holds."""
        return [p for _, p in self.parameters if stage in self.holders[id(p)]]

    def free_others(self, stage: int) -> None:
        """Free what other stages hold: parameters, and the state that optimizers have for them.

        They leave the tables of all cells, so that they are neither trained nor saved here; as
        objects they stay, without values, for whoever holds them.
        """
        others = {id(p) for _, p in self.parameters if stage not in self.holders[id(p)]}
        if not others:
            return
        for _, p in self.parameters:
            if id(p) in others:
                _empty(p)
        for cell, mark in self.marks.items():
            if mark.stage != stage:
                object.__setattr__(cell, "__class__", _elsewhere_class(type(cell)))
                vars(cell)["_elsewhere"] = (self.paths[cell], mark.stage, stage)
        for cell in [c for c in gc.get_objects() if issubclass(type(c), Cell)]:
            _forget(cell, others)
        runtime.epoch += 1
        runtime.weights += 1


_elsewhere: dict[type, type] = {}


def _elsewhere_class(kind: type) -> type:
    """A class of cells that raise when they are called."""
    known = _elsewhere.get(kind)
    if known is None:

        def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
            path, stage, own = vars(self)["_elsewhere"]
            raise RuntimeError(
                f"The cell '{path}' is of the pipeline stage {stage}, and its parameters are not "
                f"in this process, which holds stage {own}. Call the nn.PipelineCell around the "
                "network; it runs the stages together."
            )

        names = {key: getattr(kind, key) for key in ("__module__", "__qualname__", "__doc__")}
        known = _elsewhere[kind] = type(kind.__name__, (kind,), {"__call__": __call__, **names})
    return known


def is_elsewhere(parameter: Any) -> bool:
    """Whether the values of a parameter are those of another stage, and not here."""
    return vars(parameter).get("_elsewhere", False)


def _empty(parameter: Parameter) -> None:
    parameter._value = torch.empty(0, dtype=to_torch_dtype(parameter.dtype))
    vars(parameter)["_elsewhere"] = True


def _states_of(state: dict[str, Any]) -> Iterator[tuple[Parameter, Parameter]]:
    """An optimizer's states with the parameters that they belong to, whose names end theirs."""
    members = state.get("parameters")
    if not isinstance(members, tuple):
        return
    for kind in state.values():
        if isinstance(kind, ParameterTuple) and len(kind) == len(members):
            for held, p in zip(kind, members, strict=True):
                if held is not p and held.name != p.name and held.name.endswith(p.name):
                    yield held, p


def _forget(cell: Cell, others: set[int]) -> None:
    """Take parameters out of a cell's table; an optimizer's state for them is freed."""
    state = vars(cell)
    if "_params" not in state:  # made, and not initialized yet
        return
    gone: set[int] = set(others)
    for held, parameter in _states_of(state):
        if id(parameter) in others:
            _empty(held)
            gone.add(id(held))
    table = state["_params"]
    for name in [n for n, p in table.items() if id(p) in gone]:
        del table[name]
