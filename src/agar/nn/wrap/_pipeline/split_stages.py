"""Operators with strategies in the cells of a pipeline: data, tensor and pipeline parallel at once.

The processes of a stage are a grid, and the parameters of the stage lie on it. Between the cells
each process has its rows of a micro-batch, as in a pipeline without strategies: a cell takes them
as parts of the rows of all, and gives its own rows of the result. The loss is that of all rows, and
gradients are those of the whole parameters, so that nothing is left to average.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

# stages exchange the engine's tensors
import torch

from agar._core.autodiff import map_tensors
from agar._core.distributed.sharding import (
    among,
    current_region,
    grid_for,
    implicit_replication,
    is_split,
    like_parameter,
    mesh_of_stages,
    region,
    replicated,
)
from agar._core.distributed.state_sharding import put
from agar._core.distributed.strategies import give_strategy, given_strategy
from agar._core.errors import missing_feature
from agar._core.parameter import Parameter
from agar._core.tensor import Tensor, wrap
from agar.nn.wrap._pipeline.stages import Stages
from agar.nn.wrap._split_network import given_strategies, parts_of_network, splits_of

__all__ = ["SplitStage"]


class SplitStage:
    """The grid of the processes of a stage.

    Args:
        network: the whole network.
        stages: its stages.
        stage: that of this process.
        ranks: the processes of the stage.

    Raises:
        NotImplementedError: several stages hold one parameter.
    """

    def __init__(self, network: Any, stages: Stages, stage: int, ranks: tuple[int, ...]) -> None:
        shared = [p.name for p, _ in stages.shared()]
        if shared:
            raise missing_feature(
                f"The parameter '{shared[0]}' of several pipeline stages, with strategies of "
                "operators",
                "its gradients would be added over grids of processes",
                "a parameter for each stage, or a pipeline without strategies",
            )
        self._ranks = ranks
        # the grid is that of all stages, which are made together
        with among(tuple(range(len(ranks)))):
            _, sizes = grid_for(splits_of(parts_of_network(network)))
        self._mesh = mesh_of_stages(sizes, stages.count)
        self._stages, self._stage = stages, stage

    @staticmethod
    def of(network: Any, stages: Stages, stage: int, ranks: tuple[int, ...]) -> SplitStage | None:
        """The grid, if an operator or a cell was given a strategy."""
        return SplitStage(network, stages, stage, ranks) if given_strategies(network) else None

    def take(self, parameters: Sequence[Parameter]) -> None:
        """Lay the parameters of this stage on its grid, and let its cells compute there."""
        for p in parameters:
            put(p, self._mesh, None)
        for cell, mark in self._stages.marks.items():
            if mark.stage == self._stage:
                give_strategy(cell, _OnGrid(self, given_strategy(cell)), "construct")

    def step(self) -> contextlib.AbstractContextManager[None]:
        """What gradients are taken in."""
        return implicit_replication()

    @staticmethod
    def gradients(
        grads: Sequence[torch.Tensor | None], weights: Sequence[torch.Tensor]
    ) -> list[torch.Tensor]:
        """Gradients as their parameters lie; sums that are spread over processes are added."""
        return [
            torch.zeros_like(w) if g is None else like_parameter(g.detach(), w)
            for g, w in zip(grads, weights, strict=True)
        ]

    def taken(self, t: Tensor) -> Tensor:
        """Rows of this process as a part of the rows of all; a number is that of all."""
        from torch.distributed.tensor import DTensor, Shard  # where several processes need it

        value = t._value
        if is_split(value):
            return t
        if not value.ndim:
            return wrap(replicated(value, self._mesh))
        rows = [Shard(0)] * self._mesh.ndim
        return wrap(DTensor.from_local(value, self._mesh, rows, run_check=False))

    def given(self, t: Tensor) -> Tensor:
        """The rows of this process, or one number whole."""
        from torch.distributed.tensor import Shard  # where several processes need it

        value: Any = t._value
        if not is_split(value):
            return t
        if value.numel() == 1:
            return wrap(value.full_tensor())
        if not value.ndim or value.shape[0] % len(self._ranks):
            raise ValueError(
                f"A cell of a pipeline stage of {len(self._ranks)} processes returned a tensor of "
                f"shape {tuple(value.shape)}, whose rows they cannot share equally. Return rows of "
                "the batch, or one number."
            )
        return wrap(value.redistribute(placements=[Shard(0)] * self._mesh.ndim).to_local())


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
