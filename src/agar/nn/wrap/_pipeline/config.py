"""What a program asks of a pipeline: in the context, or of AutoParallel."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from agar._core.distributed.state_sharding import StateSharding
from agar._core.errors import missing_feature
from agar._core.multi_device import world
from agar._core.settings import auto_parallel

__all__ = ["PipelineConfig", "current_config", "using"]

#: Schedules of MindSpore that are carried out.
_SCHEDULERS = ("1f1b", "gpipe", "zero_bubble_v")
_MODES = ("semi_auto_parallel", "auto_parallel")


@dataclass(frozen=True)
class PipelineConfig:
    """How a network is cut and run.

    Attributes:
        stages: the number of stages.
        scheduler: ``"1f1b"``, ``"gpipe"`` or ``"zero_bubble_v"``.
        interleave: whether a process may hold several parts of the network.
        broadcast: whether all processes get the result of the last stage.
        full_batch: whether every process is given all rows, of which it takes its own.
        hsdp: how the processes of a stage cut what they use alike; None for not at all.
    """

    stages: int = 1
    scheduler: str = "1f1b"
    interleave: bool = False
    broadcast: bool = False
    full_batch: bool = False
    hsdp: StateSharding | None = None

    def check(self) -> None:
        """Raise unless the processes that there are can carry it out.

        Raises:
            ValueError: the processes cannot be divided by the number of stages.
            NotImplementedError: the schedule is one of sequence pipelines.
        """
        if world.size % self.stages:
            raise ValueError(
                f"There are {world.size} processes, which cannot be shared equally by "
                f"{self.stages} pipeline stages. Start a multiple of {self.stages} processes, or "
                "set 'pipeline_stages' to a divisor of their number."
            )
        if self.scheduler not in _SCHEDULERS:
            raise missing_feature(
                f"The pipeline scheduler '{self.scheduler}'",
                "pipelines over parts of sequences are not built",
                f"choose one of {', '.join(map(repr, _SCHEDULERS))}",
            )


_in_force: list[PipelineConfig] = []


@contextlib.contextmanager
def using(config: PipelineConfig) -> Iterator[None]:
    """Let pipelines run by a configuration, which goes before the context's."""
    _in_force.append(config)
    try:
        yield
    finally:
        _in_force.pop()


def current_config() -> PipelineConfig:
    """The configuration in force.

    Raises:
        RuntimeError: the context asks for stages in a mode that has none.
    """
    if _in_force:
        return _in_force[-1]
    stages = auto_parallel.get("pipeline_stages")
    if stages == 1:
        return PipelineConfig()
    mode = auto_parallel.get("parallel_mode")
    if world.size > 1 and mode not in _MODES:
        raise RuntimeError(
            f"The context has pipeline_stages={stages} and the parallel mode '{mode}', in which "
            "networks are not cut. Call set_auto_parallel_context(parallel_mode="
            "'semi_auto_parallel'), or pipeline_stages=1."
        )
    return PipelineConfig(
        stages,
        auto_parallel.get("pipeline_scheduler"),
        auto_parallel.get("pipeline_interleave"),
        auto_parallel.get("pipeline_result_broadcast"),
        auto_parallel.get("full_batch") or auto_parallel.get("dataset_strategy") == "full_batch",
        StateSharding.of_context(),
    )
