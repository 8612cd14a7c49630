"""What programs set and call for several devices, and whether agar executes it.

NOTE Fail closed. With one process a setting such as ``pipeline_stages`` has nothing to act on, so
it is checked and held, and programs written for many devices run on one. With several processes a
setting that nobody executes would train something else than the program says. So it raises: at once
if the processes have joined already, else when they join.
"""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from agar._core.distributed.launchers import launched
from agar._core.errors import missing_feature
from agar._core.settings import auto_parallel, parameter_servers

__all__ = ["EXECUTED", "HINTS", "REFUSED", "World", "launched", "world"]

#: Settings of `set_auto_parallel_context` that are carried out, with what does it.
EXECUTED: dict[str, str] = {
    "parallel_mode": "data_parallel and hybrid_parallel: the training cells reduce gradients; "
    "semi_auto_parallel and auto_parallel: networks lie on all processes, or pipelines are cut",
    "full_batch": "every process has the whole batch of a network that lies on all processes",
    "dataset_strategy": "which part of a batch each process has",
    "gradients_mean": "the mean of gradients over the processes in place of their sum",
    "parameter_broadcast": "the first training step sends the parameters of process 0 to all",
    "pipeline_stages": "nn.PipelineCell cuts its network",
    "pipeline_interleave": "a stage may hold several parts of the network",
    "pipeline_scheduler": "the order in which nn.PipelineCell runs micro-batches",
    "pipeline_config": "pipeline_interleave and pipeline_scheduler",
    "pipeline_result_broadcast": "what nn.PipelineCell gives in the other stages",
    "device_num": "compared with the number of processes",
    "global_rank": "compared with the rank of this process",
    "enable_parallel_optimizer": "optimizers keep parts of states, gradients and parameters",
    "parallel_optimizer_config": "its level, threshold and number of parts",
    "optimizer_weight_shard_size": "the number of parts of the parallel optimizer",
}

#: Settings that cannot change a result, with the reason.
HINTS: dict[str, str] = {
    "all_reduce_fusion_config": "how gradients are grouped into messages",
    "comm_fusion": "how messages are grouped",
    "communi_parallel_mode": "which messages may be under way at the same time",
    "gradient_fp32_sync": "half precision gradients are always reduced in float32, as by "
    "MindSpore's reducer of data parallel",
    "loss_repeated_mean": "gradients are those of the whole loss, however many compute it",
    "search_mode": "auto_parallel raises with a mode that searches for a plan",
    "auto_parallel_search_mode": "another name of search_mode",
    "sharding_propagation": "another name of a search_mode",
    "enable_alltoall": "how tensors of a split model are moved, not where",
    "full_batch_is_set": "a mark that MindSpore keeps",
    "auto_parallel_new_interface": "a mark that MindSpore keeps",
    "init_param_in_compile": "when initial values are drawn, not which",
}

_SPLIT = "a model is not split over processes yet"
_ALTERNATIVE = (
    "train data parallel, with set_auto_parallel_context(parallel_mode='data_parallel'), or in one "
    "process"
)


def _differs(default: Any) -> Callable[[Any], bool]:
    return lambda value: value != default


#: Settings that raise: when they ask for something, why it is not done, and what to do instead.
REFUSED: dict[str, tuple[Callable[[Any], bool], str, str]] = {
    "auto_pipeline": (
        bool,
        "the number of pipeline stages is not searched for",
        "set pipeline_stages",
    ),
    "pipeline_segments": (
        _differs(1),
        "segments are those that cells are marked with",
        "set pipeline_segment of the cells",
    ),
    "pipeline_scheduler": (
        lambda value: value not in ("1f1b", "gpipe", "zero_bubble_v"),
        "pipelines over parts of sequences are not built",
        "choose '1f1b', 'gpipe' or 'zero_bubble_v'",
    ),
    **{
        name: (
            _differs(default),
            "parts of parameters are not joined while they are saved in parts",
            "save_checkpoint(integrated_save=True), which saves them whole, or False, in parts",
        )
        for name, default in (("optimizer_weight_shard_aggregated_save", False),)
    },
    **{
        name: (
            _differs(default),
            "files of strategies describe models that are split over processes",
            "leave it out, and save and load whole checkpoints",
        )
        for name, default in (
            ("strategy_ckpt_load_file", ""),
            ("strategy_ckpt_save_file", ""),
            (
                "strategy_ckpt_config",
                {"load_file": "", "save_file": "", "only_trainable_params": True},
            ),
            ("group_ckpt_save_file", ""),
        )
    },
    "parallel_optimizer_config": (
        lambda value: value.get("gradient_accumulation_shard", False),
        "gradients are not accumulated by a setting",
        "accumulate gradients in the training function, and leave gradient_accumulation_shard out",
    ),
    "force_fp32_communication": (
        bool,
        "collectives exchange tensors in the type that they have",
        "cast tensors to float32 before a collective; gradients of data parallel are reduced in "
        "float32 without it",
    ),
    "grad_accumulation_step": (
        _differs(1),
        "gradients are not accumulated by a setting",
        "wrap the network in nn.GradAccumulationCell, or accumulate gradients in the training "
        "function",
    ),
    **dict.fromkeys(
        ("dump_local_norm", "dump_local_norm_path", "dump_device_local_norm"),
        (
            bool,
            "norms of gradients are not printed or written",
            "compute them in the training function",
        ),
    ),
}

_REDUCING = ("data_parallel", "hybrid_parallel")
_ROWS = {"full_batch": False, "dataset_strategy": "data_parallel"}


def _unexecuted(values: Mapping[str, Any]) -> tuple[str, str, str] | None:
    """A setting that is not executed beside others: its text, why, and what to do instead."""

    def now(name: str) -> Any:
        return values.get(name, auto_parallel.get(name))

    pipelined = now("pipeline_stages") > 1
    mode = now("parallel_mode")
    propagates = now("sharding_propagation") or "sharding_propagation" in (
        now("search_mode"),
        now("auto_parallel_search_mode"),
    )
    if "parallel_mode" in values and mode == "auto_parallel" and not (pipelined or propagates):
        return (
            f"parallel_mode={mode!r}",
            "no plan is searched for",
            "give operators a strategy with shard(...) and set parallel_mode='semi_auto_parallel', "
            "or search_mode='sharding_propagation' as well, which infers the others",
        )
    for name, default in _ROWS.items():
        asked = now(name)
        if asked == default or not (name in values or "parallel_mode" in values):
            continue
        if mode in _REDUCING or (pipelined and asked not in (True, "full_batch")):
            return (
                f"{name}={asked!r}",
                f"in the mode {mode!r} rows are not split over processes by the engine",
                "give each process its own rows, with num_shards and shard_id of the dataset",
            )
    return None


class World:
    """The number of processes that have joined, and what they would not execute.

    Attributes:
        size: how many processes have joined; 1 before.
        rank: which of them this is.
        watchers: called when several processes have joined, and when their settings change.
    """

    def __init__(self) -> None:
        self.size = 1
        self.rank = 0
        self._noted: dict[str, Exception] = {}
        self.watchers: list[Callable[[], None]] = []
        self._partings: list[Callable[[], Callable[[], None] | None]] = []

    def join(self, size: int, rank: int) -> None:
        """Note how many processes there are now."""
        self.size, self.rank = size, rank
        self.changed()
        if size == 1:
            for known in self._partings:
                parting = known()
                if parting is not None:
                    parting()

    def when_parted(self, call: Callable[[], None]) -> None:
        """Have something called when processes have parted, to let go of groups of theirs.

        What is kept of a method is a weak reference.
        """
        self._partings = [known for known in self._partings if known() is not None]
        bound = isinstance(call, types.MethodType)
        self._partings.append(weakref.WeakMethod(call) if bound else lambda: call)

    def changed(self) -> None:
        """Tell the watchers that processes have joined, or a setting has changed."""
        if self.size > 1:
            for watcher in self.watchers:
                watcher()

    def refuse(self, what: str, why: str = _SPLIT, instead: str = _ALTERNATIVE) -> None:
        """Raise what a call asks of several processes; with one, remember it until others join.

        Raises:
            NotImplementedError: several processes have joined.
        """
        self.note(what, missing_feature(f"With several processes, {what}", why, instead))

    def note(self, what: str, error: Exception) -> None:
        """Raise an error if several processes have joined, else when they do."""
        if self.size > 1:
            raise error
        self._noted.setdefault(what, error)

    def check_settings(
        self, values: Mapping[str, Any], size: int | None = None, rank: int | None = None
    ) -> None:
        """Refuse settings of `set_auto_parallel_context` that several processes do not execute.

        Args:
            values: settings by name.
            size: the number of processes. Default: those that have joined.
            rank: which of them this is. Default: as it joined.

        Raises:
            NotImplementedError: a setting is not executed.
            ValueError: a setting contradicts the processes that there are.
        """
        size = self.size if size is None else size
        rank = self.rank if rank is None else rank
        if size == 1:
            return
        unexecuted = _unexecuted(values)
        if unexecuted is not None:
            text, *reasons = unexecuted
            raise missing_feature(
                f"With {size} processes, set_auto_parallel_context({text})", *reasons
            )
        for name, value in values.items():
            asks, why, instead = REFUSED.get(name, (None, "", ""))
            if asks is not None and asks(value):
                raise missing_feature(
                    f"With {size} processes, set_auto_parallel_context({name}={value!r})",
                    why,
                    instead,
                )
            real = {"device_num": size, "global_rank": rank}.get(name, value)
            if value != real:
                raise ValueError(
                    f"For 'set_auto_parallel_context', '{name}' is {value}, but it is {real} by "
                    f"the launcher, which started {size} processes and gave this one the rank "
                    f"{rank}. Leave '{name}' out, or start as many processes as the program needs."
                )

    def check_servers(self, values: Mapping[str, Any], size: int | None = None) -> None:
        """Refuse parameter servers, which several processes would not use.

        Raises:
            NotImplementedError: ``enable_ps`` is True.
        """
        if (self.size if size is None else size) > 1 and values.get("enable_ps"):
            raise missing_feature(
                "With several processes, set_ps_context(enable_ps=True)",
                "MindSpore's parameter servers do not exist here",
                _ALTERNATIVE,
            )

    def check_join(self, size: int, rank: int) -> None:
        """Raise what was set or called before the processes join, and would not be executed.

        Raises:
            NotImplementedError: something is not executed with several processes.
            ValueError: a setting contradicts the processes that there are.
            RuntimeError: something was built for one process.
        """
        if size == 1:
            return
        self.check_settings(auto_parallel.held(), size, rank)
        self.check_servers(parameter_servers.held(), size)
        for error in self._noted.values():
            raise error


world = World()
"""The processes that have joined."""
