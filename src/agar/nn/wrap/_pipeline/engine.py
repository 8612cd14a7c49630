"""A network in the stages of a pipeline: plans, schedules, and steps."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

# stages exchange the engine's tensors
import torch

from agar._core.distributed.gradient_buckets import GradientBuckets
from agar._core.distributed.process_groups import WORLD, groups
from agar._core.distributed.sharding import is_split, layouts_held
from agar._core.errors import describe
from agar._core.multi_device import world
from agar._core.parameter import Parameter
from agar._core.runtime import thread
from agar._core.settings import auto_parallel
from agar._core.tensor import Tensor, wrap
from agar.nn.cell import Cell
from agar.nn.wrap._pipeline.calls import intercepting
from agar.nn.wrap._pipeline.config import PipelineConfig
from agar.nn.wrap._pipeline.pieces import Part
from agar.nn.wrap._pipeline.split_stages import SplitStage
from agar.nn.wrap._pipeline.stages import Stages
from agar.nn.wrap._pipeline.tracing import Plan, Relay, trace
from agar.nn.wrap.grad_reducer import broadcast_parameters, require_same

__all__ = ["Pipeline", "StagedNetwork"]

_WHAT = "pipeline"
#: So many shapes of inputs have plans and buffers at a time.
_PLANS = 8


class StagedNetwork:
    """A network, cut into stages, of which this process has one.

    Making it frees the parameters of the other stages.

    Args:
        network: the cell whose descendants are marked.
        config: how it is cut and run.

    Attributes:
        stage: the stage of this process.
        group: the processes of the pipeline, one of each stage.
    """

    def __init__(self, network: Cell, config: PipelineConfig) -> None:
        config.check()
        self._network = network
        self.config = config
        self._stages = Stages(network, config.stages)
        width = world.size // config.stages
        self.stage, self.place = divmod(world.rank, width)
        self.width = width
        ranks = tuple(range(self.stage * width, (self.stage + 1) * width))
        #: The grid of this stage, if operators have strategies or its parameters are cut.
        self._split = SplitStage.of(network, self._stages, self.stage, ranks, config.hsdp)
        self.group = _group("stages", [s * width + self.place for s in range(config.stages)])
        self._holders = self._meet_holders()
        #: Those of them that stages lay out differently.
        self._unlike: dict[int, tuple[Parameter, str]] = {}
        self._stages.free_others(self.stage)
        self._own = self._stages.own(self.stage)
        self._group_of_replicas = _group("replicas", list(ranks))
        if self._split is not None:
            self._begin_together()
            self._split.take(self._own, self._group_of_replicas)

    def _begin_together(self) -> None:
        """Let the processes of a stage have the same parameters."""
        if self.width == 1:
            return
        shared = [p for p in self._own if not p.layerwise_parallel]
        if auto_parallel.get("parameter_broadcast"):
            broadcast_parameters(shared, self._group_of_replicas)
        else:
            require_same("PipelineCell", shared, self._group_of_replicas)

    def _meet_holders(self) -> list[tuple[Parameter, GradientBuckets]]:
        """The sums over processes that hold a parameter together, which begins as in the first."""
        entries = []
        for parameter, holders in self._stages.shared():
            if self.stage in holders:
                ranks = [s * self.width + self.place for s in holders]
                entries.append((parameter, GradientBuckets(_group(f"holders {holders}", ranks))))
        self._send_shared(entries)
        return entries

    def _send_shared(self, holders: list[tuple[Parameter, GradientBuckets]]) -> None:
        for parameter, buckets in holders:
            if is_split(parameter._value):
                SplitStage.send_over_stages(parameter, buckets.group)
            else:
                broadcast_parameters([parameter], buckets.group)

    def _send_unlike(self) -> None:
        """Send what stages lay out differently from the first of them to the others.

        The same update may round otherwise in parts of other shapes, and over many steps the values
        would part.
        """
        for parameter, group in self._unlike.values():
            SplitStage.send_over_stages(parameter, group)

    def take(self, config: PipelineConfig) -> bool:
        """Take what may change between calls from a configuration; False if the cut would."""
        if replace(config, broadcast=False, full_batch=False) != replace(
            self.config, broadcast=False, full_batch=False
        ):
            return False
        self.config = config
        return True

    def sync_shared(self) -> None:
        """Send the parameters that several stages hold from the first of them to the others."""
        self._send_shared(self._holders)

    def relay(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the network gives, in every stage; its cells run one after the other.

        Raises:
            RuntimeError: gradients are asked for.
        """
        if thread.grad_scopes:
            raise RuntimeError(
                "A network that is cut into pipeline stages is differentiated in nn.PipelineCell. "
                "Wrap the network with its loss in it, and the result in AutoParallel."
            )
        recorder = thread.recorder
        if recorder is not None:
            recorder.abort("a pipeline sends messages from one process to another")
        thread.recorder = None
        try:
            groups.agree(self.group, "inference of a network in pipeline stages")
            run = Relay(self._stages, self.group, self.stage)
            split, full = self._split, self.config.full_batch
            on_grid = contextlib.nullcontext() if split is None else split.relay(full)
            with torch.no_grad(), intercepting(self._stages.marks, run), on_grid:
                return self._network(*args, **kwargs)
        finally:
            thread.recorder = recorder


class Pipeline(StagedNetwork):
    """A network that micro-batches run through.

    Args:
        network: the cell whose descendants are marked.
        count: the number of micro-batches.
        config: how it is cut and run.
    """

    def __init__(self, network: Cell, count: int, config: PipelineConfig) -> None:
        if count < config.stages:
            raise ValueError(
                f"A pipeline of {config.stages} stages needs at least as many micro-batches, but "
                f"'micro_size' is {count}."
            )
        super().__init__(network, config)
        self._count = count
        self._replicas = GradientBuckets(self._group_of_replicas)
        if self._split is None:
            self._begin_together()
        self._plans: dict[Any, tuple[Plan, list[Part], dict[bool, Any]]] = {}
        world.when_parted(self._part)

    # ------------------------------------------------------------------------- a step

    def run(self, inputs: tuple[Any, ...]) -> Any:
        """The sum of the network's outputs over the micro-batches, with its gradients.

        Raises:
            ValueError: the inputs cannot be cut, or processes have inputs of other shapes.
            RuntimeError: another process failed, or the network cannot be cut as it is marked.
            NotImplementedError: the gradient of an input is asked for.
        """
        recorder = thread.recorder
        if recorder is not None:
            recorder.abort("a pipeline sends messages from one process to another")
        thread.recorder = None
        try:
            # a recording that was given up still watches this call
            return self._run(inputs, compiles=recorder is None)
        finally:
            thread.recorder = recorder

    def _run(self, inputs: tuple[Any, ...], compiles: bool) -> Any:
        config = self.config
        self._refuse_input_gradients(inputs)
        batches = self._cut(inputs)
        weights = [p._value for p in self._own if p._value.requires_grad]
        training = bool(thread.grad_scopes) and torch.is_grad_enabled()
        key = _signature(batches[0])
        groups.agree(WORLD, self._description(key, training))  # replicas have equal shapes too
        self._send_unlike()
        plan, parts, schedules = self._planned(key, batches[0])
        if training and (plan.output is None or plan.output.shape not in ((), (1,))):
            raise ValueError(
                "A network that is trained in a pipeline must return its loss, one number as a "
                f"Tensor, but it returned {plan.output or 'another object'}."
            )
        for part in parts:
            # some schedules take the gradients of inputs and weights apart, which one node cannot
            part.begin(batches, weights, compiles and config.scheduler != "zero_bubble_v")
        try:
            results, grads = self._through(schedules, plan, parts, training, weights)
        finally:
            for part in parts:
                part.end()
        total = self._total(plan, results, training)
        if not training:
            return total
        return wrap(_Joined.apply(total._value, self._reduced(grads, weights), *weights))

    def _description(self, key: Any, training: bool) -> str:
        config = self.config
        what = "training" if training else "inference"
        name = f"{config.scheduler}{', interleaved' if config.interleave else ''}"
        return f"{what} of a pipeline ({name}) with {self._count} micro-batches of {key}"

    def _refuse_input_gradients(self, inputs: tuple[Any, ...]) -> None:
        for value in inputs:
            if isinstance(value, Tensor) and value._value.requires_grad:
                raise NotImplementedError(
                    "The gradient of an input of a pipeline was asked for, which only its first "
                    "stage could give. Differentiate by parameters: ms.value_and_grad(fn, None, "
                    "weights)."
                )

    def _cut(self, inputs: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """The inputs of each micro-batch; of whole batches, those of this process's rows."""
        parts = self._count
        shares = self.width if self.config.full_batch else 1
        columns = []
        for value in inputs:
            if not isinstance(value, Tensor):
                raise TypeError(
                    "The inputs of a pipeline must be Tensors, whose rows are cut into "
                    f"micro-batches, but got {describe(value)}."
                )
            size = value.shape[0] if value.ndim else 0
            if not size or size % (parts * shares):
                raise ValueError(
                    "For micro batch initialization, the 0th dimension shape of input "
                    f"({value.shape}) must be divided by micro size ({parts})"
                    + (f" times {shares} processes of a stage." if shares > 1 else ".")
                )
            rows = size // shares
            first = rows * self.place if shares > 1 else 0
            step = rows // parts
            data = value._value.detach()
            columns.append(
                [wrap(data[first + i * step : first + (i + 1) * step]) for i in range(parts)]
            )
        return list(zip(*columns, strict=True)) if columns else [()] * parts

    def _planned(self, key: Any, batch: tuple[Any, ...]) -> Any:
        held = self._plans.get(key)
        if held is None:
            config = self.config
            with layouts_held():
                plan = trace(self._network, self._stages, config, self.group, self.stage, batch)
            mine = [i for i, stage in enumerate(plan.stage_of) if stage == self.stage]
            held = plan, [Part(self._network, plan, i) for i in mine], {}
            while len(self._plans) >= _PLANS:
                self._plans.pop(next(iter(self._plans)))
            self._plans[key] = held
        return held

    # ---------------------------------------------------------------------- the engine

    def _through(
        self,
        schedules: dict[bool, Any],
        plan: Plan,
        parts: list[Part],
        training: bool,
        weights: list[torch.Tensor],
    ) -> tuple[list[Any], list[torch.Tensor | None]]:
        """Run the schedule; the results of the last part, and the gradients of the weights."""
        before = [w.grad for w in weights]
        for w in weights:
            w.grad = None
        try:
            schedule = schedules.get(training)
            if schedule is None:
                schedule = schedules[training] = self._schedule(plan, parts, training)
            target = torch.arange(self._count) if training else None
            here = contextlib.nullcontext() if self._split is None else self._split.step()
            with torch.set_grad_enabled(training), here:
                schedule.step(target=target, return_outputs=False)
            grads = [w.grad for w in weights]
        except Exception as error:
            raise self._failed(parts, error) from error
        finally:
            for w, old in zip(weights, before, strict=True):
                w.grad = old
        return (parts[-1].results if parts[-1].last else []), grads

    def _failed(self, parts: Sequence[Part], error: Exception) -> BaseException:
        """What a failed step raises; all others hear of it by the closing of the groups."""
        closed = groups._close(WORLD, _WHAT, error)
        own = next((part.error for part in parts if part.error is not None), None)
        return closed if own is None else own

    def _part(self) -> None:
        """Let go of schedules, whose stages hold a group of processes."""
        self._plans.clear()

    def _schedule(self, plan: Plan, parts: Sequence[Part], training: bool) -> Any:
        from torch.distributed import pipelining  # the engine's schedules

        several = plan.parts > self.config.stages
        names = {
            "1f1b": "ScheduleInterleaved1F1B" if several else "Schedule1F1B",
            "gpipe": "ScheduleLoopedBFS" if several else "ScheduleGPipe",
            "zero_bubble_v": "ScheduleZBVZeroBubble",
        }
        name = names[self.config.scheduler]
        stages = [self._torch_stage(plan, part) for part in parts]
        return getattr(pipelining, name)(
            stages if several else stages[0],
            self._count,
            loss_fn=(lambda loss, _: loss) if training else None,
            scale_grads=False,
        )

    def _torch_stage(self, plan: Plan, part: Part) -> Any:
        from torch.distributed.pipelining import PipelineStage  # the engine's stage

        number = part._number
        borders = [*plan.borders, []]

        def examples(places: Any) -> tuple[torch.Tensor, ...]:
            entries = []
            for place in places:
                metadata = plan.metadata(place)
                entries.append(metadata.empty().requires_grad_(metadata.differentiable))
            return tuple(entries)

        return PipelineStage(
            part,
            number,
            plan.parts,
            torch.device("cpu"),
            input_args=examples(borders[number]),
            output_args=(torch.empty(()),) if part.last else examples(borders[number + 1]),
            group=groups._engine_groups.get(self.group),
        )

    # --------------------------------------------------------------------- afterwards

    def _total(self, plan: Plan, results: list[Any], training: bool) -> Any:
        """The sum of the last part's results, for every stage or for the last one."""
        last = bool(results)
        total: Any = None
        for out in results:
            value = wrap(out._value.detach()) if training else out
            total = value if total is None else total + value
        one = plan.output is not None and plan.output.shape in ((), (1,))
        if not (one or self.config.broadcast):
            return total if last else None
        if plan.output is None:
            raise TypeError(
                "The result of a pipeline is sent to all stages, so it must be one Tensor. Return "
                "one, or leave the broadcast of the result out."
            )
        value = total._value if last else plan.output.empty()
        with torch.no_grad():
            value = groups.broadcast(value.detach(), plan.stage_of[-1], self.group)
            if one and self.width > 1:
                value = groups.all_reduce(value, "avg", self._group_of_replicas)
        return wrap(value)

    def _reduced(
        self, grads: list[torch.Tensor | None], weights: list[torch.Tensor]
    ) -> list[torch.Tensor]:
        """The gradients over the processes that hold a parameter together."""
        split = self._split
        if split is not None:
            full = split.gradients(grads, weights, self._own)
        else:
            pairs = zip(grads, weights, strict=True)
            full = [torch.zeros_like(w) if g is None else g for g, w in pairs]
        places = {id(w): i for i, w in enumerate(weights)}
        for parameter, buckets in self._holders:
            place = places.get(id(parameter._value))
            if place is not None and split is not None:
                full[place], alike = split.added_over_stages(full[place], buckets)
                if not alike:
                    self._unlike[place] = parameter, buckets.group
            elif place is not None:
                full[place] = buckets.sums([full[place]], None)[0]
        if split is None and self.width > 1:
            own = {id(p._value) for p in self._own if p.layerwise_parallel}
            shared = [i for i, w in enumerate(weights) if id(w) not in own]
            sums = self._replicas.sums([full[i] for i in shared], self.width)
            for i, value in zip(shared, sums, strict=True):
                full[i] = value
        return full


class _Joined(torch.autograd.Function):
    """The loss of a pipeline, whose gradients are known."""

    @staticmethod
    def forward(
        ctx: Any, loss: torch.Tensor, known: list[torch.Tensor], *weights: torch.Tensor
    ) -> torch.Tensor:
        ctx.known = known
        return loss.clone()

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        grad = grads[0]
        if torch.is_grad_enabled():
            raise NotImplementedError(
                "The loss of a pipeline has a first gradient and no second one. Train the network "
                "in one process, or data parallel."
            )
        return (None, None, *(g * grad.to(g.dtype).reshape(()) for g in ctx.known))


def _signature(batch: tuple[Any, ...]) -> Any:
    return tuple((tuple(t.shape), str(t.dtype)) for t in batch)


def _group(kind: str, ranks: list[int]) -> str:
    """A group of processes of a pipeline, made when it is first asked for."""
    if ranks == list(range(world.size)):
        return WORLD
    name = f"agar pipeline {kind} {ranks}"
    if name not in groups.ranks:
        groups.create(name, ranks)
    return name
