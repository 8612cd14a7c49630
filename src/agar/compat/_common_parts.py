"""Private parts of ``common``, ``communication`` and ``parallel`` that programs import."""

from __future__ import annotations

import ctypes
import functools
import warnings
from collections.abc import Callable
from typing import Any

import agar as ms
from agar.common import dtype as mstype
from agar.ops import communication

__all__ = [
    "Registry",
    "_TensorMeta",
    "_dtype_to_nptype",
    "_dtype_to_pytype",
    "_get_group_map",
    "_get_py_obj_dtype",
    "_is_available",
    "_is_hccl_available",
    "_is_mpi_available",
    "_is_nccl_available",
    "_is_role_sched",
    "_pytype_to_dtype",
    "deprecated",
    "get_func",
    "is_dim_unknown",
    "is_shape_unknown",
    "load_lib",
]

_TensorMeta = type(ms.Tensor)

_dtype_to_nptype = mstype.dtype_to_nptype
_dtype_to_pytype = mstype.dtype_to_pytype
_get_py_obj_dtype = mstype.get_py_obj_dtype
_pytype_to_dtype = mstype.pytype_to_dtype


def is_shape_unknown(shape: Any) -> bool:
    """Whether sizes of a shape are not known before the call."""
    return any(size in (-1, -2, None) for size in shape)


def is_dim_unknown(shape: Any) -> bool:
    """Whether the number of axes is not known before the call."""
    return tuple(shape) == (-2,)


def get_func(func: Any) -> Any:
    """The function of a method; every other callable as it is."""
    return getattr(func, "__func__", func)


def load_lib(lib_path: str) -> bool:
    """Load a library of C.

    Raises:
        RuntimeError: it cannot be loaded.
    """
    try:
        ctypes.CDLL(lib_path)
    except OSError as error:
        raise RuntimeError(f"For 'load_lib', the library {lib_path} cannot be loaded.") from error
    return True


def deprecated(
    version: str, substitute: str, use_substitute_name: bool = False, module_prefix: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator of a function whose calls warn that another is to be used since a version."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        name = substitute if use_substitute_name else function.__name__

        @functools.wraps(function)
        def warning(*args: Any, **kwargs: Any) -> Any:
            warnings.warn(
                f"'{module_prefix}{name}' is deprecated from version {version} and will be removed "
                f"in a future version, use '{substitute}' instead.",
                DeprecationWarning,
                stacklevel=2,
            )
            return function(*args, **kwargs)

        return warning

    return decorate


class Registry:
    """Functions by name, for parts that must not import each other."""

    def __init__(self) -> None:
        self._functions: dict[str, Any] = {}

    def register(self, name: str, function: Any) -> None:
        """Keep a function under a name."""
        self._functions[name] = function

    def get(self, name: str) -> Any:
        """The function of a name.

        Raises:
            KeyError: nothing was registered under it.
        """
        if name not in self._functions:
            raise KeyError(f"Nothing is registered as '{name}'; call register('{name}', function).")
        return self._functions[name]


# ---------------------------------------------------------------------------------- processes


def _is_available() -> bool:
    """Whether processes can exchange tensors."""
    return communication.is_available()


def _is_hccl_available() -> bool:
    """Whether Huawei's library of exchanges is there: it is not."""
    return False


def _is_nccl_available() -> bool:
    """Whether NVIDIA's library of exchanges is there."""
    import torch  # which libraries this build has

    return torch.distributed.is_available() and torch.distributed.is_nccl_available()


def _is_mpi_available() -> bool:
    """Whether MPI's exchanges are there."""
    import torch  # which libraries this build has

    return torch.distributed.is_available() and torch.distributed.is_mpi_available()


def _get_group_map() -> dict[str, list[int]]:
    """The ranks of groups of processes that MindSpore's plan files name: there are none."""
    return {}


def _is_role_sched() -> bool:
    """Whether this process is a parameter server's scheduler: agar has no such processes."""
    return False
