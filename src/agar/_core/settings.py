"""Settings that programs set and read back, and whose effect belongs to another machine.

The context of automatic parallelism, the parameters of its search, its cost model, and parameter
servers: values are checked and held, so that programs written for many devices run on one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from agar._core.context import ParallelMode

__all__ = ["Settings", "algorithm", "auto_parallel", "cost_model", "parameter_servers"]


def _fits(value: Any, kind: type) -> bool:
    if isinstance(value, bool) or kind is bool:
        return kind is bool and isinstance(value, bool)
    return isinstance(value, (int, float) if kind is float else kind)


class Settings:
    """A table of settings: name to default, and checks for those that need more than a type.

    Args:
        defaults: the values at the start; a value of another type than its default is refused.
        unknown: the sentence about a name that is not in the table, with ``%s`` for it.
        checks: functions of the value that raise.
        hidden: names that can be set and not read, with their defaults.
    """

    def __init__(
        self,
        defaults: dict[str, Any],
        unknown: tuple[str, str],
        checks: dict[str, Callable[[Any], Any]] | None = None,
        hidden: dict[str, Any] | None = None,
    ) -> None:
        self.defaults = defaults
        self._hidden = hidden or {}
        self._unknown = unknown
        self._checks = checks or {}
        self._values: dict[str, Any] = {}

    def check(self, **values: Any) -> None:
        """Raise for a name that is unknown, or a value that does not fit."""
        known = {**self.defaults, **self._hidden}
        for key, value in values.items():
            if key not in known:
                raise ValueError(
                    f"{self._unknown[0] % key} Known keywords: {', '.join(sorted(known))}."
                )
            if key in self._checks:
                self._checks[key](value)
            elif not _fits(value, type(known[key])):
                raise TypeError(
                    f"The parameter '{key}' must be {type(known[key])}, but got {type(value)}."
                )

    def knows(self, key: str) -> bool:
        """Whether a key can be set."""
        return key in self.defaults or key in self._hidden

    def set(self, **values: Any) -> None:
        """Set values; all are checked before the first is set."""
        self.check(**values)
        self._values.update(copy.deepcopy(values))

    def get(self, key: str) -> Any:
        """Read a value back."""
        if key not in self.defaults:
            raise ValueError(
                f"{self._unknown[1] % key} Known keywords: {', '.join(sorted(self.defaults))}."
            )
        return copy.deepcopy(self._values.get(key, self.defaults[key]))

    def held(self) -> dict[str, Any]:
        """The values that were set."""
        return copy.deepcopy(self._values)

    def reset(self) -> None:
        """Give every name its default."""
        self._values.clear()

    def __contains__(self, key: str) -> bool:
        return key in self._values


def _number(key: str, low: int, high: int, words: str) -> Callable[[Any], None]:
    def check(value: Any) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"The parameter '{key}' must be {int}, but got {type(value)}.")
        if not low <= value <= high:
            raise ValueError(
                f"The context configuration parameter '{key}' must be {words}, but got the value "
                f"of {key} : {value}."
            )

    return check


def _parallel_mode(value: Any) -> None:
    if not isinstance(value, str):
        raise TypeError(f"The parameter 'parallel_mode' must be {str}, but got {type(value)}.")
    if value not in ParallelMode.MODE_LIST:
        raise ValueError(
            "The context configuration parameter 'parallel_mode' only support "
            f"{', '.join(map(repr, ParallelMode.MODE_LIST))}, but got the value : {value}."
        )


def _search_mode(value: Any) -> None:
    modes = ("recursive_programming", "dynamic_programming", "sharding_propagation")
    if value not in modes:
        raise ValueError(
            f"The context configuration parameter 'search_mode' only support {modes}, but got the "
            f"value : {value}."
        )


def _strategy(value: Any) -> None:
    if isinstance(value, str):
        if value not in ("data_parallel", "full_batch"):
            raise ValueError(
                "For 'set_auto_parallel_context', the 'dataset_strategy' must be 'data_parallel', "
                f"'full_batch' or a tuple, but got {value!r}."
            )
    elif not isinstance(value, (tuple, list)):
        raise TypeError(
            "For 'set_auto_parallel_context', the 'dataset_strategy' must be a str or a tuple, but "
            f"got {type(value)}."
        )


_SCHEDULERS = ("1f1b", "gpipe", "seqpipe", "seqvpp", "seqsmartvpp", "zero_bubble_v")


def _scheduler(value: Any) -> None:
    if not isinstance(value, str) or value not in _SCHEDULERS:
        raise ValueError(
            f"The 'pipeline_scheduler' must be str and must be in {_SCHEDULERS}, but got {value!r}."
        )


def _pipeline_config(value: Any) -> None:
    if not isinstance(value, dict):
        raise TypeError(f"The parameter 'pipeline_config' must be {dict}, but got {type(value)}.")
    known = ("pipeline_interleave", "pipeline_scheduler")
    unknown = [key for key in value if key not in known]
    if unknown:
        raise ValueError(f"Unknown config: {unknown}. 'pipeline_config' has the keys {known}.")
    missing = [key for key in known if key not in value]
    if missing:
        raise KeyError(f"The 'pipeline_config' needs the key {missing[0]!r}; it got {value}.")
    interleave, scheduler = (value[key] for key in known)
    if not isinstance(interleave, bool):
        raise TypeError(
            "For 'pipeline_interleave', the 'pipeline_interleave' must be a bool, but got "
            f"{type(interleave).__name__}."
        )
    _scheduler(scheduler)
    if not interleave and scheduler != "1f1b":
        raise TypeError(
            f"When pipeline_interleave is False, {scheduler!r} is not supported, only '1f1b' is "
            "allowed."
        )


def _parallel_optimizer(value: Any) -> None:
    """The settings of the parallel optimizer, by their names."""
    name = "parallel_optimizer_config"
    if not isinstance(value, dict):
        raise TypeError(f"The parameter '{name}' must be {dict}, but got {type(value)}.")
    levels = ("level1", "level2", "level3")
    checks: dict[str, tuple[Callable[[Any], bool], str]] = {
        "gradient_accumulation_shard": (lambda v: isinstance(v, bool), "a bool"),
        "parallel_optimizer_threshold": (lambda v: _fits(v, int) and v >= 0, "an int, at least 0"),
        "optimizer_weight_shard_size": (
            lambda v: _fits(v, int) and (v > 0 or v == -1),
            "a positive int, or -1 for all processes",
        ),
        "optimizer_level": (lambda v: v in levels, f"one of {levels}"),
    }
    for key, entry in value.items():
        if key not in checks:
            raise ValueError(
                f"The key '{key}' of '{name}' is not recognized; known keys: {', '.join(checks)}."
            )
        fits, words = checks[key]
        if not fits(entry):
            raise ValueError(f"For '{name}', '{key}' must be {words}, but got {entry!r}.")


_FUSION = {"mode": "auto", "config": None}
_KEYWORD = (
    "Set context keyword %s is not recognized!",
    "Get context keyword %s is not recognized!",
)

auto_parallel = Settings(
    {
        "device_num": 1,
        "global_rank": 0,
        "gradients_mean": False,
        "gradient_fp32_sync": True,
        "loss_repeated_mean": True,
        "pipeline_stages": 1,
        "auto_pipeline": False,
        "pipeline_result_broadcast": False,
        "pipeline_interleave": False,
        "pipeline_scheduler": "1f1b",
        "parallel_mode": "stand_alone",
        "search_mode": "recursive_programming",
        "auto_parallel_search_mode": "recursive_programming",
        "parameter_broadcast": False,
        "strategy_ckpt_load_file": "",
        "strategy_ckpt_save_file": "",
        "full_batch": False,
        "dataset_strategy": "data_parallel",
        "enable_parallel_optimizer": False,
        "force_fp32_communication": False,
        "grad_accumulation_step": 1,
        "all_reduce_fusion_config": [],
        "communi_parallel_mode": "all_group_parallel",
        "optimizer_weight_shard_size": -1,
        "optimizer_weight_shard_aggregated_save": False,
        "sharding_propagation": False,
        "enable_alltoall": False,
        "comm_fusion": {
            "openstate": True,
            "allreduce": _FUSION,
            "allgather": _FUSION,
            "reducescatter": _FUSION,
        },
        "strategy_ckpt_config": {"load_file": "", "save_file": "", "only_trainable_params": True},
        "full_batch_is_set": False,
        "dump_local_norm": False,
        "dump_local_norm_path": "",
        "dump_device_local_norm": False,
        "auto_parallel_new_interface": False,
        "init_param_in_compile": True,
    },
    _KEYWORD,
    {
        "device_num": _number("device_num", 1, 2**31, "a positive integer"),
        "global_rank": _number("global_rank", 0, 4095, "in [0, 4095]"),
        "pipeline_stages": _number("pipeline_stages", 1, 2**31, "a positive integer"),
        "grad_accumulation_step": _number("grad_accumulation_step", 1, 2**31, "a positive integer"),
        "pipeline_scheduler": _scheduler,
        "pipeline_config": _pipeline_config,
        "parallel_mode": _parallel_mode,
        "search_mode": _search_mode,
        "auto_parallel_search_mode": _search_mode,
        "dataset_strategy": _strategy,
        "parallel_optimizer_config": _parallel_optimizer,
    },
    {
        "parallel_optimizer_config": {},
        "pipeline_config": {},
        "pipeline_segments": 1,
        "group_ckpt_save_file": "",
    },
)

algorithm = Settings(
    {
        "fully_use_devices": False,
        "elementwise_op_strategy_follow": False,
        "tensor_slice_align_enable": False,
        "tensor_slice_align_size": 16,
        "enable_algo_approxi": False,
        "algo_approxi_epsilon": 0.10000000149011612,
    },
    _KEYWORD,
    {"tensor_slice_align_size": _number("tensor_slice_align_size", 1, 1024, "in [1, 1024]")},
)

cost_model = Settings(
    {
        "device_memory_capacity": 17179869184.0,
        "costmodel_alpha": 1.0,
        "costmodel_beta": 400.0,
        "costmodel_gamma": 0.0010000000474974513,
        "costmodel_communi_threshold": 2048.0,
        "costmodel_communi_const": 3072.0,
        "costmodel_communi_bias": 1024.0,
        "multi_subgraphs": False,
        "run_phase": 0,
        "costmodel_allreduce_fusion_algorithm": 0,
        "costmodel_allreduce_fusion_times": 0,
        "costmodel_allreduce_fusion_tail_percent": 0.1,
        "costmodel_allreduce_fusion_tail_time": 0.1,
        "costmodel_allreduce_fusion_allreduce_inherent_time": 0.1,
        "costmodel_allreduce_fusion_allreduce_bandwidth": 0.1,
        "costmodel_allreduce_fusion_computation_time_parameter": 0.1,
    },
    _KEYWORD,
)

parameter_servers = Settings(
    {
        "server_mode": "",
        "ms_role": "MS_NOT_PS",
        "enable_ps": False,
        "worker_num": 0,
        "server_num": 0,
        "scheduler_ip": "127.0.0.1",
        "scheduler_port": 6667,
        "enable_ssl": False,
        "config_file_path": "",
    },
    (
        "Set PS context keyword %s is not recognized!",
        "Get PS context keyword %s is not recognized!",
    ),
    hidden={"client_password": "", "server_password": ""},
)
