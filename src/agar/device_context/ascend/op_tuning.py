"""How operators are compiled for Ascend chips."""

from __future__ import annotations

from agar.device_context._settings import held, setting, truth

__all__ = ["aclnn_cache", "aoe_job_type", "aoe_tune_mode", "op_compile"]

op_compile = setting(
    __name__, "op_compile", "value", "whether operators are compiled anew", (True, False)
)
aoe_tune_mode = setting(
    __name__, "aoe_tune_mode", "tune_mode", "how operators are tuned", ("online", "offline")
)
aoe_job_type = setting(__name__, "aoe_job_type", "config", "what is tuned", ("1", "2"))


def aclnn_cache(enable_global_cache: bool = False, cache_queue_length: int = 10000) -> None:
    """Say how prepared calls are kept; checked and held.

    Args:
        enable_global_cache (bool): whether one cache serves all threads. Default: ``False``.
        cache_queue_length (int): how many calls are kept, not negative. Default: ``10000``.

    Raises:
        TypeError: `enable_global_cache` is not a bool.
        ValueError: `cache_queue_length` is negative.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.
    """
    path = "device_context.ascend.op_tuning.aclnn_cache"
    truth(path, enable_global_cache)
    if cache_queue_length < 0:
        raise ValueError(
            f"For '{path}', the 'cache_queue_length' must not be negative, but got "
            f"{cache_queue_length}."
        )
    held[path] = (enable_global_cache, cache_queue_length)
