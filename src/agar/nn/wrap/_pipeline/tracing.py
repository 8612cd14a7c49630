"""The first run of a network: which tensors go from stage to stage, and how they look."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

# stages exchange the engine's tensors
import torch
from torch.utils._pytree import tree_iter  # what an operator was given

from agar._core import random
from agar._core.autodiff import tensors_in
from agar._core.dispatch_mode import DispatchMode
from agar._core.distributed.process_groups import groups
from agar._core.parameter import Parameter
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap
from agar.nn.cell import Cell
from agar.nn.wrap._pipeline.calls import (
    Metadata,
    intercepting,
    rebuilt,
    skeleton_of,
    unwatched,
)
from agar.nn.wrap._pipeline.config import PipelineConfig
from agar.nn.wrap._pipeline.stages import Mark, Stages

__all__ = ["Call", "Place", "Plan", "Relay", "trace"]

#: A tensor that a marked cell returned: the number of the call, and of the tensor in its result.
Place = tuple[int, int]
_WHAT = "first run of a pipeline"


@dataclass
class Call:
    """A call of a marked cell in the network's run.

    Attributes:
        cell: the cell.
        path: its name.
        part: the number of the part of the network that it belongs to; parts follow each other.
        stage: the pipeline stage that runs it.
        skeleton: what it returns, with places for tensors.
        tensors: the metadata of these.
    """

    cell: Cell
    path: str
    part: int
    stage: int
    skeleton: Any
    tensors: list[Metadata]


@dataclass
class Plan:
    """How a run of the network on inputs of certain shapes is cut.

    Attributes:
        calls: of marked cells, in their order.
        parts: how many parts there are.
        stage_of: the stage that runs each part.
        borders: for each part, what comes to it from those before.
        output: the metadata of the network's output, or None if it is not one Tensor.
    """

    calls: list[Call]
    parts: int = 0
    stage_of: list[int] = field(default_factory=list)
    borders: list[list[Place]] = field(default_factory=list)
    output: Metadata | None = None

    def metadata(self, place: Place) -> Metadata:
        """That of a tensor."""
        return self.calls[place[0]].tensors[place[1]]

    def last_call(self, part: int) -> int:
        """The number of the last call of a part."""
        return max(i for i, call in enumerate(self.calls) if call.part == part)


class _Uses(DispatchMode):
    """From which tensors of marked cells other tensors come, by all operators that run."""

    def __init__(self, parameters: dict[int, Parameter]) -> None:
        super().__init__()
        self.sources: dict[int, frozenset[Place]] = {}
        #: places that the cell which runs now has read, past its arguments
        self.read: set[Place] | None = None
        self._parameters = parameters
        self._held: list[torch.Tensor] = []  # identities are of living objects

    def note(self, value: torch.Tensor, places: frozenset[Place]) -> None:
        """A tensor that came from places."""
        self.sources[id(value)] = places
        self._held.append(value)

    def of(self, value: Any) -> frozenset[Place]:
        """The places that some tensors come from."""
        none: frozenset[Place] = frozenset()
        return none.union(*(self.sources.get(id(t._value), none) for t in tensors_in(value)))

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        given = [t for t in tree_iter((args, kwargs)) if isinstance(t, torch.Tensor)]
        if self.read is None:
            self._refuse_parameters(given)
        known = [self.sources[id(t)] for t in given if id(t) in self.sources]
        out = func(*args, **kwargs)
        if known:
            places = frozenset().union(*known)
            if self.read is not None:
                self.read |= places
            for t in tree_iter(out):
                if isinstance(t, torch.Tensor):
                    self.note(t, places)
        return out

    def _refuse_parameters(self, given: list[torch.Tensor]) -> None:
        for t in given:
            parameter = self._parameters.get(id(t))
            if parameter is not None:
                raise RuntimeError(
                    f"the parameter '{parameter.name}' is used outside of the cells that are "
                    "marked with a pipeline_stage, where every stage computes. Use it in the "
                    "construct of a marked cell, or call Parameter.add_pipeline_stage with each "
                    "stage, which then keeps it."
                )


class _Exchange:
    """Runs in which the own stage's cells run, and all send what they return to all."""

    def __init__(self, stages: Stages, group: str, stage: int) -> None:
        self._stages = stages
        self._group = group
        self._stage = stage
        self._calls = 0

    def _result(self, cell: Cell, call: Callable[[], Any]) -> Any:
        """What a call gives in every stage: its skeleton, metadata, what it read, its tensors."""
        mark, path = self._stages.marks[cell], self._stages.paths[cell]
        if mark.stage == self._stage:
            result = self._run(path, call)
        else:
            result = self._sent(None, mark.stage, path)
        self._calls += 1
        return result

    def _read(self) -> set[Place]:
        """What the call that has ended read past its arguments."""
        return set()

    def _run(self, path: str, call: Callable[[], Any]) -> Any:
        try:
            with unwatched():
                out = call()
        except Exception as error:
            self._sent(f"{type(error).__name__}: {error}", self._stage, path)
            raise
        skeleton, tensors = skeleton_of(path, out)
        # a parameter that is returned as it is must not be taken for one that is used
        tensors = [wrap(t._value.contiguous().clone()) for t in tensors]
        metadata = [Metadata.of(t._value) for t in tensors]
        return self._sent((skeleton, metadata, self._read(), tensors), self._stage, path)

    def _sent(self, result: Any, source: int, path: str) -> Any:
        """What the stage `source` found, in every stage."""
        number = self._calls
        head = result[:3] if isinstance(result, tuple) else result
        box = [(number, path, head)]
        rank = groups.members(self._group)[source]
        groups._call(self._group, _WHAT, "broadcast_object_list", box, rank)
        seen, name, head = box[0]
        if (seen, name) != (number, path):
            raise RuntimeError(
                f"The stages of the pipeline do not run the same network: call number {number} of "
                f"a marked cell is '{path}' here, and number {seen} is '{name}' in stage {source}. "
                "Branches between stages must be the same in all processes."
            )
        if isinstance(head, str):
            if source == self._stage:
                return None
            raise RuntimeError(f"The cell '{path}' failed in the pipeline stage {source}: {head}")
        skeleton, metadata, read = head
        tensors = result[3] if source == self._stage else [wrap(m.empty()) for m in metadata]
        for t in tensors:
            groups._call(self._group, _WHAT, "broadcast", t._value, rank)
        return skeleton, metadata, read, tensors


class _Trace(_Exchange):
    """The first run."""

    def __init__(
        self, stages: Stages, config: PipelineConfig, group: str, stage: int, uses: _Uses
    ) -> None:
        super().__init__(stages, group, stage)
        self.plan = Plan([])
        self.needs: list[set[Place]] = []
        self.uses = uses
        self._config = config

    def _run(self, path: str, call: Callable[[], Any]) -> Any:
        self.uses.read = set()
        try:
            return super()._run(path, call)
        finally:
            self.uses.read = None

    def _read(self) -> set[Place]:
        read, self.uses.read = self.uses.read or set(), None
        return read

    def meet(
        self, cell: Cell, call: Callable[[], Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        mark, path = self._stages.marks[cell], self._stages.paths[cell]
        part = self._part(mark, path)
        self._check_parameters((args, kwargs), mark, path)
        need = set(self.uses.of([*args, *kwargs.values()]))
        skeleton, metadata, read, tensors = self._result(cell, call)
        while len(self.needs) <= part:
            self.needs.append(set())
        self.needs[part] |= need | read
        number = len(self.plan.calls)
        self.plan.calls.append(Call(cell, path, part, mark.stage, skeleton, metadata))
        for i, t in enumerate(tensors):
            self.uses.note(t._value, frozenset({(number, i)}))
        return rebuilt(skeleton, tensors)

    def _part(self, mark: Mark, path: str) -> int:
        """The part of a call: the one before, or one after it."""
        calls, stages = self.plan.calls, self._stages.count
        if self._config.scheduler == "zero_bubble_v":
            if mark.segment > 1:
                raise ValueError(
                    f"The cell '{path}' has the pipeline_segment {mark.segment}, but with the "
                    "scheduler 'zero_bubble_v' each stage has the segments 0 and 1."
                )
            part = 2 * stages - 1 - mark.stage if mark.segment else mark.stage
        elif self._config.interleave:
            part = calls[-1].part if calls else 0
            part += (mark.stage - part) % stages
        else:
            part = mark.stage
        before = calls[-1] if calls else None
        if part > (before.part + 1 if before else 0) or (before and part < before.part):
            raise RuntimeError(self._wrong_order(before, mark, path))
        return part

    def _wrong_order(self, before: Call | None, mark: Mark, path: str) -> str:
        after = f"runs after '{before.path}' of stage {before.stage}" if before else "runs first"
        way = {
            "zero_bubble_v": "Mark the cells in the order in which they run with the stages 0 up "
            "to the last in segment 0, and down to 0 again in segment 1",
        }.get(
            self._config.scheduler,
            "Mark the cells in the order in which they run, from stage 0 to the last, and with "
            "interleave=True from 0 to the last again",
        )
        return (
            f"The cell '{path}' of the pipeline stage {mark.stage}, segment {mark.segment}, "
            f"{after}. Data goes from each stage to the next. {way}."
        )

    def _check_parameters(self, given: Any, mark: Mark, path: str) -> None:
        for t in tensors_in([*given[0], *given[1].values()]):
            if isinstance(t, Parameter) and id(t) in self._stages.holders:
                holders = self._stages.holders[id(t)]
                if mark.stage not in holders:
                    raise RuntimeError(
                        f"The parameter '{t.name}' of the pipeline stage "
                        f"{', '.join(map(str, sorted(holders)))} is an argument of the cell "
                        f"'{path}' of stage {mark.stage}. Call add_pipeline_stage({mark.stage}) of "
                        "the parameter before the pipeline is made: both stages keep it then, and "
                        "its gradients are added."
                    )


class Relay(_Exchange):
    """A run without gradients, of which every stage has all results; any order of cells will do."""

    def meet(
        self, cell: Cell, call: Callable[[], Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        skeleton, _, _, tensors = self._result(cell, call)
        return rebuilt(skeleton, tensors)


@contextlib.contextmanager
def _without_traces(parameters: list[Parameter], cells: list[Cell]) -> Iterator[None]:
    """Put back what a forward pass changes: random state, statistics, buffers."""
    state = random.get_all_state()
    own = [t for cell in cells for t in vars(cell)["_buffers"].values() if t is not None]
    changing: list[Tensor] = [*(p for p in parameters if not p.requires_grad), *own]
    values = [t._value for t in changing]
    copies = [v.clone() for v in values]
    scopes, thread.grad_scopes = thread.grad_scopes, []
    recorder, thread.recorder = thread.recorder, None
    inside, thread.inside = thread.inside, True
    try:
        with torch.no_grad():
            yield
    finally:
        thread.grad_scopes, thread.recorder, thread.inside = scopes, recorder, inside
        for tensor, value, copy in zip(changing, values, copies, strict=True):
            tensor._value = value
            value.copy_(copy)
        random.set_all_state(state, strict=False)


def trace(
    network: Cell,
    stages: Stages,
    config: PipelineConfig,
    group: str,
    stage: int,
    inputs: tuple[Any, ...],
) -> Plan:
    """Run a network once, all stages together, and cut it.

    Args:
        network: the whole network.
        stages: the marks of its cells.
        config: how it is cut.
        group: the processes of the pipeline, one of each stage.
        stage: the stage of this process.
        inputs: those of one micro-batch.

    Raises:
        RuntimeError: the network cannot be cut as it is marked.
    """
    everywhere = set(range(stages.count))
    named = {id(p._value): p for _, p in stages.parameters if stages.holders[id(p)] != everywhere}
    uses = _Uses(named)
    run = _Trace(stages, config, group, stage, uses)
    cells = [cell for _, cell in network.cells_and_names()]
    with _without_traces(stages.own(stage), cells), intercepting(stages.marks, run), uses:
        out = network(*inputs)
    plan = run.plan
    per_stage = {"zero_bubble_v": 2}.get(config.scheduler, 1)
    plan.parts = len(run.needs)
    if plan.parts % stages.count or (
        not config.interleave and plan.parts != stages.count * per_stage
    ):
        last = plan.calls[-1]
        raise RuntimeError(
            f"The network ends with the cell '{last.path}' of stage {last.stage}, after "
            f"{plan.parts} parts, but {stages.count} stages need {stages.count * per_stage} or, "
            "with interleave=True, a multiple of it. Cells that are marked must all be called."
        )
    plan.stage_of = [next(c.stage for c in plan.calls if c.part == i) for i in range(plan.parts)]
    run.needs[-1] |= uses.of(out)
    plan.borders = [[] for _ in range(plan.parts)]
    for part in range(1, plan.parts):
        later = set().union(*run.needs[part:])
        plan.borders[part] = sorted(p for p in later if plan.calls[p[0]].part < part)
    if isinstance(out, Tensor):
        plan.output = Metadata.of(out._value)
    return plan
