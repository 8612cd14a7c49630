"""One part of a network, run on micro-batches, as the module of a stage of torch's pipelines."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

# a part is a module of the engine's pipelines; what it does not compute has the engine's metadata
import torch

# tensors without values
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

from agar._core.autodiff import tensors_in
from agar._core.errors import describe
from agar._core.gradient_recording import alias_of
from agar._core.runtime import PYNATIVE_MODE, runtime, thread
from agar._core.tensor import Tensor, wrap
from agar.nn.cell import Cell
from agar.nn.wrap._pipeline.calls import (
    Metadata,
    intercepting,
    rebuilt,
    skeleton_of,
    unwatched,
)
from agar.nn.wrap._pipeline.tracing import Call, Place, Plan

__all__ = ["Part"]


class _PartEnds(BaseException):
    """The rest of the network is of later parts; not an Exception, which programs might catch."""


class Part(torch.nn.Module):
    """A part of a network as a module: what comes from the part before goes in, and so on.

    Args:
        network: the whole network.
        plan: how it is cut.
        number: which part this is.

    Attributes:
        batches: the inputs of each micro-batch of the step that runs.
        weights: the tensors by which this step is differentiated.
        results: what the last part returned, by micro-batch.
        error: what a micro-batch raised.
        compiles: whether marked cells are compiled in this step.
    """

    def __init__(self, network: Cell, plan: Plan, number: int) -> None:
        super().__init__()
        # past the table of modules and parameters, where a Cell has no place
        state = vars(self)
        state["_network"] = network
        self._plan = plan
        self._number = number
        self._fakes = FakeTensorMode(allow_non_fake_inputs=True)
        self._cells = list({call.cell: None for call in plan.calls})
        self._end = plan.last_call(number)
        self.last = number == plan.parts - 1
        self.batches: Sequence[tuple[Any, ...]] = ()
        self.weights: list[torch.Tensor] = []
        self.results: list[Any] = []
        self.error: BaseException | None = None
        self.compiles = False
        self._next = 0

    def begin(
        self,
        batches: Sequence[tuple[Any, ...]],
        weights: list[torch.Tensor],
        compiles: bool = False,
    ) -> None:
        """Begin a step."""
        self.batches, self.weights = batches, weights
        self.compiles = compiles and runtime.mode != PYNATIVE_MODE
        self.results, self.error, self._next = [], None, 0

    def end(self) -> None:
        """Hold nothing of a step that has ended."""
        self.begin((), [])

    def parameters(self, recurse: bool = True) -> Iterator[Any]:
        """The leaves of this step; agar's parameters require a gradient only during a transform."""
        return iter(self.weights)

    def forward(self, *received: torch.Tensor) -> Any:
        """The part on the next micro-batch; schedules take them in their order."""
        inputs = self.batches[self._next]
        self._next += 1
        try:
            return self._run(inputs, received)
        except Exception as error:
            self.error = error
            raise

    def _run(self, inputs: tuple[Any, ...], received: tuple[torch.Tensor, ...]) -> Any:
        border = self._plan.borders[self._number]
        came = {place: alias_of(t) for place, t in zip(border, received, strict=True)}
        run = _Run(self, came)
        out: Any = None
        with intercepting(self._cells, run), contextlib.suppress(_PartEnds):
            out = vars(self)["_network"](*inputs)
        if self.last:
            return self._result(out)
        return tuple(
            _to_send(run.computed[place] if place in run.computed else came[place])
            for place in self._plan.borders[self._number + 1]
        )

    def _result(self, out: Any) -> Any:
        self.results.append(out)
        if isinstance(out, Tensor) and torch.is_grad_enabled() and not out._value.requires_grad:
            raise RuntimeError(
                "The loss of a pipeline does not depend on a parameter by which it is "
                "differentiated. Differentiate by cell.trainable_params()."
            )
        return _to_send(out._value) if isinstance(out, Tensor) else ()

    def placeholder(self, metadata: Metadata) -> Tensor:
        """A tensor of another part, without values."""
        with self._fakes:
            return wrap(metadata.empty())


class _Run:
    """A run of one part on one micro-batch."""

    def __init__(self, part: Part, came: dict[Place, torch.Tensor]) -> None:
        self.computed: dict[Place, torch.Tensor] = {}
        self._part = part
        self._came = came
        self._number = 0

    def meet(
        self, cell: Cell, call: Callable[[], Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        part, number = self._part, self._number
        self._number += 1
        known = part._plan.calls[number] if number < len(part._plan.calls) else None
        if known is None or known.cell is not cell:
            expected = f"'{known.path}'" if known else "none"
            raise RuntimeError(
                f"Call number {number} of a cell that is marked with a pipeline_stage is that of a "
                f"{type(cell).__name__}, but in the first run it was {expected}. Which marked "
                "cells run, and in which order, must be the same for all micro-batches of a shape."
            )
        if known.part != part._number:
            return self._of_another_part(number, known)
        self._check_values(known, args, kwargs)
        with unwatched(), _compiled(part.compiles):
            out = call()
        self._keep(number, known, out)
        if number == part._end and not part.last:
            raise _PartEnds
        return out

    def _of_another_part(self, number: int, known: Call) -> Any:
        tensors = []
        for i, metadata in enumerate(known.tensors):
            value = self._came.get((number, i))
            tensors.append(self._part.placeholder(metadata) if value is None else wrap(value))
        return rebuilt(known.skeleton, tensors)

    def _check_values(self, known: Call, args: Any, kwargs: Any) -> None:
        for t in tensors_in([*args, *kwargs.values()]):
            if isinstance(t._value, FakeTensor):
                raise RuntimeError(
                    f"The cell '{known.path}' of the pipeline stage {known.stage} was given a "
                    "tensor of another stage that it did not read in the first run. What goes from "
                    "stage to stage must be the same for all micro-batches of a shape."
                )

    def _keep(self, number: int, known: Call, out: Any) -> None:
        """Note what the cell returned, which must look as in the first run."""
        skeleton, tensors = skeleton_of(known.path, out)
        now = [Metadata.of(t._value) for t in tensors]
        if now != known.tensors:
            raise ValueError(
                f"The cell '{known.path}' of the pipeline stage {known.stage} returned "
                f"{describe(out)}, but for inputs of these shapes it returned tensors of "
                f"{_shapes(known.tensors)} before. The next stage expects these."
            )
        if skeleton != known.skeleton:
            raise ValueError(
                f"The cell '{known.path}' of the pipeline stage {known.stage} returned "
                f"{skeleton!r}, but in the first run {known.skeleton!r}: numbers between stages "
                "must not change. Return them as Tensors."
            )
        self.computed.update({(number, i): t._value for i, t in enumerate(tensors)})


@contextlib.contextmanager
def _compiled(compiles: bool) -> Iterator[None]:
    """Let calls in GRAPH_MODE be compiled by themselves: the run around them sends messages."""
    before = thread.inside, thread.in_graph
    if compiles:
        thread.inside = thread.in_graph = False
    try:
        yield
    finally:
        thread.inside, thread.in_graph = before


def _shapes(tensors: list[Metadata]) -> str:
    return ", ".join(f"{m.dtype} {m.shape}" for m in tensors) or "none"


def _to_send(value: torch.Tensor) -> torch.Tensor:
    """A tensor for the next part: dense, and cut from autograd in place by some schedules.

    Which neither a leaf nor a view can be.
    """
    if not value.is_contiguous() or value._is_view() or value.is_leaf:
        value = value.clone(memory_format=torch.contiguous_format)
    return value
