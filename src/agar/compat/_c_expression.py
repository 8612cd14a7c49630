"""``_c_expression``: what programs in Python take from MindSpore's C++ module."""

from __future__ import annotations

from typing import Any, ClassVar

import torch  # which devices this process can use

from agar import context
from agar.common import api
from agar.nn import Cell

__all__ = [
    "Cell_",
    "MSContext",
    "ParamInfo",
    "_empty_instance",
    "_framework_profiler_step_end",
    "_framework_profiler_step_start",
    "_ms_memory_recycle",
    "is_reboot_node",
    "update_pijit_default_config",
]

#: The base of MindSpore's Cell in C++; here both are one class, so isinstance and issubclass agree.
Cell_ = Cell

#: What stands for a function of C++ that a build does not have.
_empty_instance = type("EmptyFunctional_", (), {"__doc__": "Nothing that can be called."})()


class ParamInfo:
    """What MindSpore notes about a parameter beside its numbers."""

    _DEFAULTS: ClassVar[dict[str, Any]] = {
        "alias_name": [],
        "cache_enable": False,
        "cache_shape": [],
        "comm_fusion": 1,
        "device_matrix": [],
        "interleaved_parallel": False,
        "is_in_pynative_shard": False,
        "is_param_init": False,
        "is_pipeline_shared_param": False,
        "is_quant_int4": False,
        "key": -1,
        "layerwise_parallel": False,
        "name": "Parameter",
        "origin_shape": [],
        "parallel_optimizer": True,
        "parallel_optimizer_comm_recompute": False,
        "param_strategy": [],
        "parameter_shape": [],
        "quant_shape": [],
        "requires_aggr": True,
        "requires_grad": True,
        "storage_format": "",
        "tensor_map": [],
        "use_persistent_storage": False,
    }

    def __init__(self) -> None:
        for name, value in self._DEFAULTS.items():
            setattr(self, name, list(value) if isinstance(value, list) else value)

    def clone(self) -> ParamInfo:
        """Another one with equal values."""
        new = ParamInfo()
        for name, value in vars(self).items():
            setattr(new, name, list(value) if isinstance(value, list) else value)
        return new


class MSContext:
    """The settings of a process, as C++ keeps them; Python's are those of ``set_context``."""

    _instance: MSContext | None = None
    _policy = "ms"

    @classmethod
    def get_instance(cls) -> MSContext:
        """The one object."""
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    def get_param(self, key: Any) -> Any:
        """The value of a setting, which is a member of ``ms_ctx_param``.

        Raises:
            NotImplementedError: ``get_context`` has no such setting.
        """
        return self._through(context.get_context, key)

    def set_param(self, key: Any, value: Any) -> None:
        """Change a setting.

        Raises:
            NotImplementedError: ``set_context`` has no such setting.
        """

        def change(name: str) -> None:
            context.set_context(**{name: value})

        self._through(change, key)

    def _through(self, use: Any, key: Any) -> Any:
        name = getattr(key, "name", key)
        try:
            return use(name)
        except (AttributeError, TypeError, ValueError) as error:
            raise NotImplementedError(
                f"'MSContext' of agar has no setting '{name}': set_context and get_context do not "
                "know it. Instead: use a setting that they document."
            ) from error

    def get_backend_policy(self) -> str:
        """What compiles graphs."""
        return self._policy

    def is_pkg_support_device(self, device: str) -> bool:
        """Whether a kind of device can be used in this process."""
        if device == "GPU":
            return bool(torch.cuda.is_available())
        return device == "CPU"

    def is_ascend_plugin_loaded(self) -> bool:
        """Whether Ascend chips can be used: they cannot."""
        return False

    def get_ascend_soc_version(self) -> str:
        """The version of the Ascend chip: empty, there is none."""
        return ""

    def ascend_soc_supports_feature(self, feature: str) -> bool:
        """Whether the Ascend chip can do something: there is none."""
        return False

    def load_plugin_error(self) -> str:
        """Why devices are missing."""
        return "agar runs on CPU and CUDA devices only."

    def enable_dump_ir(self) -> bool:
        """Whether graphs can be written to files in MindSpore's format: they cannot."""
        return False


def _framework_profiler_step_start() -> None:
    """Mark the beginning of a step: agar's profiler marks steps by itself."""


def _framework_profiler_step_end() -> None:
    """Mark the end of a step: agar's profiler marks steps by itself."""


def is_reboot_node() -> bool:
    """Whether Huawei's cluster started this process again: it never does."""
    return False


def update_pijit_default_config(*args: Any, **kwargs: Any) -> None:
    """Change how MindSpore's compiler of bytecode works: agar has none, and records calls."""


def _ms_memory_recycle() -> None:
    """Give cached device memory back."""
    api.ms_memory_recycle()
