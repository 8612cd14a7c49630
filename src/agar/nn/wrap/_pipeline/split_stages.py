"""A pipeline whose stages are grids: data, tensor and pipeline parallel at once, and hsdp.

The processes of a stage are a grid, and the parameters of the stage lie on it. Between the cells
each process has its rows of a micro-batch, as in a pipeline without strategies: a cell takes them
as parts of the rows of all, and gives its own rows of the result. The gradients are those of the
mean of what the processes return, so that nothing is left to average.

NOTE Borders. A cell on the grid that returns the loss returns that of all rows, which is its own
mean over the processes. Where the loss is computed between cells, each process has that of its
rows, and counts for its share alone. So gradients are divided by the number of processes where they
enter the grid by rows, and multiplied where they leave it; those of a number are averaged.

With hsdp the processes of a stage cut among them what they use alike: every micro-batch collects
the parameters that it needs, and its gradients go to the processes that have the parts.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

# stages exchange the engine's tensors
import torch

from agar._core.autodiff import map_tensors
from agar._core.distributed.gradient_buckets import GradientBuckets
from agar._core.distributed.process_groups import digest_of, groups
from agar._core.distributed.sharding import (
    among,
    current_region,
    distribute,
    grid_for,
    implicit_replication,
    in_parts,
    is_split,
    layouts_are_held,
    local,
    mesh_of_stages,
    region,
    replicated,
)
from agar._core.distributed.state_sharding import StateSharding, gradients_like, put
from agar._core.distributed.strategies import give_strategy, given_strategy
from agar._core.parameter import Parameter
from agar._core.runtime import thread
from agar._core.tensor import Tensor, wrap
from agar.nn.wrap._pipeline.stages import Stages
from agar.nn.wrap._split_network import (
    enter_cells,
    given_strategies,
    parts_of_network,
    splits_of,
)

__all__ = ["SplitStage"]


class SplitStage:
    """The grid of the processes of a stage.

    Args:
        network: the whole network.
        stages: its stages.
        stage: that of this process.
        ranks: the processes of the stage.
        sharding: how they cut what they use alike, or None.
    """

    def __init__(
        self,
        network: Any,
        stages: Stages,
        stage: int,
        ranks: tuple[int, ...],
        sharding: StateSharding | None,
    ) -> None:
        self._ranks = ranks
        self._group = ""
        self._relays = self._full = False
        # the grid is that of all stages, which are made together
        with among(tuple(range(len(ranks)))):
            _, sizes = grid_for(splits_of(parts_of_network(network)))
        if sharding is not None:
            sizes = sharding.mesh_sizes(sizes)
        self._mesh = mesh_of_stages(tuple(sizes), stages.count)
        self._sharding = sharding
        self._stages, self._stage = stages, stage

    @staticmethod
    def of(
        network: Any,
        stages: Stages,
        stage: int,
        ranks: tuple[int, ...],
        sharding: StateSharding | None,
    ) -> SplitStage | None:
        """The grid, if an operator or a cell was given a strategy, or parameters are to be cut."""
        if len(ranks) == 1:
            sharding = None
        if sharding is None and not given_strategies(network):
            return None
        return SplitStage(network, stages, stage, ranks, sharding)

    def take(self, parameters: Sequence[Parameter], group: str) -> None:
        """Lay the parameters of this stage on its grid, and let its cells compute there.

        Args:
            parameters: those of this stage.
            group: the group of its processes.

        Raises:
            RuntimeError: a gradient by the parameters is being taken.
        """
        if thread.grad_scopes and any(p.requires_grad for p in parameters):
            raise RuntimeError(
                "A network with strategies or hsdp is cut into pipeline stages while a gradient by "
                "its parameters is taken. Give AutoParallel the whole training step, or set "
                "pipeline_stages in the context before nn.PipelineCell is made."
            )
        self._group = group
        for p in parameters:
            put(p, self._mesh, self._sharding)
        # cells around those of a stage run in all stages, and use no parameters
        own = [cell for cell, mark in self._stages.marks.items() if mark.stage == self._stage]
        if self._sharding is not None:
            enter_cells(own, None)
        for cell in own:
            give_strategy(cell, _OnGrid(self, given_strategy(cell)), "construct")

    def step(self) -> contextlib.AbstractContextManager[None]:
        """What gradients are taken in."""
        return implicit_replication()

    @contextlib.contextmanager
    def relay(self, full: bool) -> Iterator[None]:
        """What inference runs in.

        Args:
            full: whether all processes of the stage have the same rows, and get the same results.
        """
        self._relays, self._full = True, full
        try:
            yield
        finally:
            self._relays = self._full = False

    @staticmethod
    def gradients(
        grads: Sequence[torch.Tensor | None],
        weights: Sequence[torch.Tensor],
        parameters: Sequence[Parameter],
    ) -> list[torch.Tensor]:
        """Gradients as the optimizer takes them; sums that are spread over processes are added."""
        by_value = {id(p._value): p for p in parameters}
        full = [
            torch.zeros_like(w) if g is None else g.detach()
            for g, w in zip(grads, weights, strict=True)
        ]
        return gradients_like(full, [by_value[id(w)] for w in weights])

    @staticmethod
    def added_over_stages(grad: Any, buckets: GradientBuckets) -> tuple[torch.Tensor, bool]:
        """The sum of the gradients that several stages have of one parameter.

        Also whether all of these stages lay them out alike.

        A process adds its part to those of the processes at its place in the other stages, where
        they have the same part, and else the whole gradients.

        Args:
            grad: that of this stage, as its optimizer takes it.
            buckets: what sums over the processes at the same place of the stages.
        """
        replicas = [_replicate()] * grad.device_mesh.ndim
        layout = int(digest_of((repr(grad.placements),))[0])
        alike = groups.same_digests([layout], buckets.group)[0]
        added: Any = grad if alike else distribute(grad, grad.device_mesh, replicas)
        total = in_parts(buckets.sums([local(added)], None)[0], added._spec)
        return distribute(total, grad.device_mesh, grad.placements), alike

    @staticmethod
    def send_over_stages(parameter: Parameter, group: str) -> None:
        """Send a parameter that several stages hold from the first of them to the others."""
        value: Any = parameter._value
        with torch.no_grad():
            whole = groups.broadcast(value.detach().full_tensor(), 0, group)
            part = distribute(whole, value.device_mesh, value.placements)
            local(value).copy_(local(part))

    def taken(self, t: Tensor) -> Tensor:
        """Rows of this process as a part of the rows of all; a number is that of all.

        Raises:
            ValueError: in the first run, a number differs between the processes.
        """
        from torch.distributed.tensor import DTensor, Shard  # where several processes need it

        value = t._value
        if is_split(value):
            return t
        if not value.ndim:
            checks = self._relays or layouts_are_held()
            if checks and not groups.same([value], self._group)[0]:
                raise ValueError(
                    "A cell of a pipeline stage with strategies or hsdp was given a number that "
                    "differs between the processes of the stage, which have other rows. Compute it "
                    "in a cell of the stage, from the rows of all."
                )
            return wrap(replicated(value, self._mesh))
        if self._full:
            return wrap(replicated(value, self._mesh))
        rows = [Shard(0)] * self._mesh.ndim
        value = _weighted(value, len(self._ranks))
        return wrap(DTensor.from_local(value, self._mesh, rows, run_check=False))

    def given(self, t: Tensor) -> Tensor:
        """The rows of this process, or one number whole."""
        from torch.distributed.tensor import Partial, Shard  # as above

        value: Any = t._value
        if not is_split(value):
            return t
        if self._full:
            return wrap(value.full_tensor())
        share, axes = 1 / len(self._ranks), self._mesh.ndim
        if value.numel() == 1:
            whole = value.redistribute(placements=[_replicate()] * axes)
            if any(isinstance(p, Partial) and p.reduce_op != "sum" for p in value.placements):
                whole = _WholeGradient.apply(whole)
            return wrap(_weighted(whole.to_local(grad_placements=[Partial()] * axes), share))
        if not value.ndim or value.shape[0] % len(self._ranks):
            raise ValueError(
                f"A cell of a pipeline stage of {len(self._ranks)} processes returned a tensor of "
                f"shape {tuple(value.shape)}, whose rows they cannot share equally. Return rows of "
                "the batch, or one number."
            )
        rows = value.redistribute(placements=[Shard(0)] * axes).to_local()
        return wrap(_weighted(rows, share))


def _replicate() -> Any:
    from torch.distributed.tensor import Replicate  # where several processes need it

    return Replicate()


class _WholeGradient(torch.autograd.Function):
    """A tensor whose gradient is added up first: torch makes no sum the gradient of a mean."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor) -> torch.Tensor:
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads[0].redistribute(placements=[_replicate()] * grads[0].device_mesh.ndim)


class _Weighted(torch.autograd.Function):
    """A tensor whose gradient is multiplied by a number."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, factor: float) -> torch.Tensor:
        ctx.factor = factor
        return value.view_as(value)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads[0] * ctx.factor, None


def _weighted(value: torch.Tensor, factor: float) -> torch.Tensor:
    return _Weighted.apply(value, factor) if value.requires_grad else value


class _OnGrid:
    """Lets a cell compute on the grid of its stage; it stands where a strategy does."""

    def __init__(self, stage: SplitStage, inner: Any) -> None:
        self._stage, self._inner = stage, inner

    def call(self, run: Callable[..., Any], owner: Any, args: Any, kwargs: Any) -> Any:
        """Call `run` with tensors on the grid, unless they are there already."""
        stage = self._stage
        if current_region() is not None:
            return self._run(run, owner, args, kwargs)
        with among(stage._ranks), region(stage._mesh):
            args, kwargs = map_tensors((args, kwargs), stage.taken)
            return map_tensors(self._run(run, owner, args, kwargs), stage.given)

    def _run(self, run: Callable[..., Any], owner: Any, args: Any, kwargs: Any) -> Any:
        if self._inner is None:
            return run(*args, **kwargs)
        return self._inner.call(run, owner, args, kwargs)
