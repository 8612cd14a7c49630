"""What programs ask about the spreading over devices, at MindSpore's private path."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agar._core.settings import auto_parallel
from agar._core.tensor import Tensor
from agar.context import ParallelMode, get_auto_parallel_context

__all__: list[str] = []


def _get_parallel_mode() -> str:
    """The mode of `set_auto_parallel_context`."""
    return auto_parallel.get("parallel_mode")


def _is_in_auto_parallel_mode() -> bool:
    return _get_parallel_mode() in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)


def _is_parallel_mode() -> bool:
    return _get_parallel_mode() != ParallelMode.STAND_ALONE


def _is_in_data_parallel_mode() -> bool:
    return _get_parallel_mode() == ParallelMode.DATA_PARALLEL


def _is_in_hybrid_parallel_mode() -> bool:
    return _get_parallel_mode() == ParallelMode.HYBRID_PARALLEL


def _is_pynative_parallel() -> bool:
    return False


def _is_sharding_propagation() -> bool:
    return auto_parallel.get("search_mode") == "sharding_propagation"


def _get_full_batch() -> bool:
    return auto_parallel.get("full_batch")


def _get_pipeline_stages() -> int:
    return auto_parallel.get("pipeline_stages")


def _need_to_full() -> bool:
    """Whether a row is one device's part of a larger one."""
    return _is_in_auto_parallel_mode() and not _get_full_batch()


def _check_full_batch() -> None:
    if _get_full_batch() and not _is_in_auto_parallel_mode():
        raise RuntimeError(
            "full_batch could only be used under semi_auto_parallel or auto_parallel, but the "
            f"parallel mode is {_get_parallel_mode()}."
        )


def _get_gradients_mean() -> bool:
    return auto_parallel.get("gradients_mean")


def _get_loss_repeated_mean() -> bool:
    return auto_parallel.get("loss_repeated_mean")


def _get_device_num() -> int:
    """The number of devices: that of the context if it was set, else of the launcher."""
    return get_auto_parallel_context("device_num")


def _get_stage_device_num() -> int:
    return _get_device_num() // _get_pipeline_stages()


def _get_global_rank() -> int:
    return get_auto_parallel_context("global_rank")


def _get_parameter_broadcast() -> bool:
    return auto_parallel.get("parameter_broadcast")


def _get_enable_parallel_optimizer() -> bool:
    return auto_parallel.get("enable_parallel_optimizer")


def _get_grad_accumulation_shard() -> bool:
    held = auto_parallel._values.get("parallel_optimizer_config", {})
    return bool(held.get("gradient_accumulation_shard", False))


def _device_number_check(parallel_mode: str, device_number: int) -> None:
    if parallel_mode == ParallelMode.STAND_ALONE and device_number != 1:
        raise ValueError(
            "If parallel_mode is stand_alone, device_number must be 1, device_number: "
            f"{device_number}, parallel_mode:{parallel_mode}"
        )


def _parameter_broadcast_check(parallel_mode: str, parameter_broadcast: bool) -> None:
    alone = ("stand_alone", "semi_auto_parallel", "auto_parallel")
    if parameter_broadcast is True and parallel_mode in alone:
        raise ValueError(
            "stand_alone, semi_auto_parallel and auto_parallel do not support parameter broadcast, "
            f"parallel_mode: {parallel_mode}, parameter_broadcast:{parameter_broadcast}"
        )


def _to_full_shapes(shapes: Sequence[Sequence[int]], device_num: int) -> list[list[int]]:
    """The shapes of whole rows, of which each device has a part of the first axis."""
    return [[s[0] * device_num, *s[1:]] if s else [] for s in shapes]


def _to_full_tensor(
    elem: Any, global_device_num: int, global_rank: int, scaling_sens: Any = None
) -> tuple[Tensor, ...]:
    """Whole rows, of which this device has its part of the first axis, and zeros elsewhere."""
    count = global_device_num // _get_pipeline_stages()
    rank = global_rank % count
    result = []
    for data in elem if isinstance(elem, (tuple, list)) else [elem]:
        if not isinstance(data, (np.ndarray, Tensor)):
            raise ValueError(f"elements in tensors must be Tensor, but got {type(data)}")
        array = data if isinstance(data, np.ndarray) else data.asnumpy()
        whole = np.zeros((array.shape[0] * count, *array.shape[1:]), array.dtype)
        whole[rank * array.shape[0] : (rank + 1) * array.shape[0]] = array
        result.append(Tensor(whole))
    if scaling_sens:
        result.append(Tensor(np.float32(scaling_sens)))
    return tuple(result)


def _grads_divided_by_device_num_if_recomputation(grads: Any) -> Any:
    """Gradients over the number of devices where each of them saw the whole batch."""
    if not _get_full_batch():
        return grads
    count = _get_device_num()
    if isinstance(grads, tuple):
        return tuple(g / count for g in grads)
    return grads / count
