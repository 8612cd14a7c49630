"""The configurations of MindSpore 1's ``nn.transformer``; one device is what is computed here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "EmbeddingOpParallelConfig",
    "MoEConfig",
    "MoEParallelConfig",
    "OpParallelConfig",
    "TransformerOpParallelConfig",
    "TransformerRecomputeConfig",
    "_check_config",
    "default_dpmp_config",
    "default_moe_config",
    "on_one_device",
]


def _positive(owner: Any, *names: str) -> None:
    for name in names:
        value = getattr(owner, name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(
                f"For '{type(owner).__name__}', '{name}' must be an int, but got {value!r}."
            )
        if value < 1:
            raise ValueError(
                f"For '{type(owner).__name__}', '{name}' must be positive, but got {value}."
            )


@dataclass
class OpParallelConfig:
    """Over how many devices the batch and the weights of a layer are split."""

    data_parallel: int = 1
    model_parallel: int = 1

    def __post_init__(self) -> None:
        _positive(self, "data_parallel", "model_parallel")


@dataclass
class MoEParallelConfig(OpParallelConfig):
    """The same of layers with experts."""

    expert_parallel: int = 1

    def __post_init__(self) -> None:
        _positive(self, "data_parallel", "model_parallel", "expert_parallel")


@dataclass
class EmbeddingOpParallelConfig(OpParallelConfig):
    """The same of an embedding table; `vocab_emb_dp` splits the batch, not the table."""

    vocab_emb_dp: bool = True


@dataclass
class TransformerRecomputeConfig:
    """Which results of the forward run are computed again for the gradients."""

    recompute: bool = False
    parallel_optimizer_comm_recompute: bool = False
    mp_comm_recompute: bool = True
    recompute_slice_activation: bool = False


@dataclass
class TransformerOpParallelConfig:
    """How a transformer is split over devices.

    `dp_mp_config`, `embedding_dp_mp_config` and `moe_parallel_config` give the part of it that a
    layer takes.
    """

    data_parallel: int = 1
    model_parallel: int = 1
    expert_parallel: int = 1
    pipeline_stage: int = 1
    micro_batch_num: int = 1
    recompute: Any = field(default_factory=TransformerRecomputeConfig)
    use_seq_parallel: bool = False
    optimizer_shard: bool = False
    gradient_aggregation_group: int = 4
    vocab_emb_dp: bool = True

    def __post_init__(self) -> None:
        _positive(
            self,
            *("data_parallel", "model_parallel", "expert_parallel"),
            *("pipeline_stage", "micro_batch_num", "gradient_aggregation_group"),
        )
        if not isinstance(self.recompute, (bool, TransformerRecomputeConfig)):
            raise TypeError(
                "For 'TransformerOpParallelConfig', 'recompute' must be a bool or a "
                f"TransformerRecomputeConfig, but got {self.recompute!r}."
            )

    @property
    def dp_mp_config(self) -> OpParallelConfig:
        """The split of layers."""
        return OpParallelConfig(self.data_parallel, self.model_parallel)

    @property
    def embedding_dp_mp_config(self) -> EmbeddingOpParallelConfig:
        """The split of embedding tables."""
        return EmbeddingOpParallelConfig(self.data_parallel, self.model_parallel, self.vocab_emb_dp)

    @property
    def moe_parallel_config(self) -> MoEParallelConfig:
        """The split of layers with experts."""
        return MoEParallelConfig(self.data_parallel, self.model_parallel, self.expert_parallel)


@dataclass
class MoEConfig:
    """Layers of several experts; only one expert, an ordinary layer, is computed here."""

    expert_num: int = 1
    capacity_factor: float = 1.1
    aux_loss_factor: float = 0.05
    num_experts_chosen: int = 1
    expert_group_size: int | None = None

    def __post_init__(self) -> None:
        _positive(self, "expert_num", "num_experts_chosen")
        if self.capacity_factor < 1:
            raise ValueError(
                "For 'MoEConfig', 'capacity_factor' must be at least 1.0, but got "
                f"{self.capacity_factor}."
            )


default_dpmp_config = OpParallelConfig()
default_moe_config = MoEConfig()

_SPLITS = ("data_parallel", "model_parallel", "expert_parallel", "pipeline_stage")
_KINDS = (OpParallelConfig, TransformerOpParallelConfig)


def _check_config(config: Any) -> None:
    """Check that the devices of a configuration are there: one is.

    Raises:
        TypeError: it is not a configuration of this module.
        ValueError: it asks for more devices.
    """
    if not isinstance(config, _KINDS):
        raise TypeError(f"The configuration must be an OpParallelConfig, but got {config!r}.")
    for name in _SPLITS:
        if getattr(config, name, 1) > 1:
            raise ValueError(
                f"'{name}' is {getattr(config, name)}, and the layers of nn.transformer run on one "
                "device here. Set it to 1, and train under torchrun for data parallelism."
            )


def on_one_device(config: Any, moe_config: Any = None) -> None:
    """Check what a layer is given.

    Raises:
        TypeError: the configuration is of another class.
        ValueError: it asks for several devices.
        NotImplementedError: it asks for several experts.
    """
    _check_config(config)
    if moe_config is not None and moe_config.expert_num > 1:
        raise NotImplementedError(
            f"'expert_num' is {moe_config.expert_num}, and nn.transformer has no experts here; "
            "use one expert, or write the layer with ops.moe_token_permute."
        )
