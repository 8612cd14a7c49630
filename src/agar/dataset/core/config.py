"""Settings of data pipelines (``dataset.config``): checked, held and read back."""

from __future__ import annotations

import enum
import inspect
import json
import os
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from agar._core.file_reading import reading
from agar._core.random import get_seed as _global_seed
from agar._core.random import seed_hooks as _seed_hooks
from agar.log import warning

if TYPE_CHECKING:
    # made below, for every setting
    get_callback_timeout: Callable[[], int]
    get_enable_watchdog: Callable[[], bool]
    get_error_samples_mode: Callable[[], ErrorSamplesMode]
    get_multiprocessing_start_method: Callable[[], str]
    get_multiprocessing_timeout_interval: Callable[[], int]
    get_num_parallel_workers: Callable[[], int]

_INT32, _UINT32 = 2**31 - 1, 2**32 - 1


class ErrorSamplesMode(enum.IntEnum):
    """What a pipeline does with a sample that cannot be read."""

    RETURN = 0
    REPLACE = 1
    SKIP = 2


def _whole(low: int, high: int) -> Callable[[str, str, Any], Any]:
    def check(owner: str, argument: str, value: Any) -> Any:
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(
                f"For 'dataset.config.{owner}', {argument} isn't of type int, but "
                f"{type(value).__name__}."
            )
        if not low <= value <= high:
            raise ValueError(
                f"For 'dataset.config.{owner}', {argument} is not within the required range "
                f"[{low}, {high}], but {value}."
            )
        return value

    return check


def _truth(owner: str, argument: str, value: Any) -> Any:
    if not isinstance(value, bool):
        raise TypeError(
            f"For 'dataset.config.{owner}', {argument} must be a boolean, but got "
            f"{type(value).__name__}."
        )
    return value


def _mode(owner: str, argument: str, value: Any) -> Any:
    if not isinstance(value, ErrorSamplesMode):
        raise TypeError(
            f"For 'dataset.config.{owner}', {argument} must be an ErrorSamplesMode, but got "
            f"{type(value).__name__}."
        )
    return value


def _choice(*choices: str) -> Callable[[str, str, Any], Any]:
    def check(owner: str, argument: str, value: Any) -> Any:
        if not isinstance(value, str):
            raise TypeError(
                f"For 'dataset.config.{owner}', {argument} must be a str, but got "
                f"{type(value).__name__}."
            )
        if value not in choices:
            raise ValueError(
                f"For 'dataset.config.{owner}', {argument} must be one of {list(choices)}, but "
                f"got {value!r}."
            )
        return value

    return check


class _Setting(NamedTuple):
    argument: str
    default: Any
    check: Callable[[str, str, Any], Any]
    what: str  # as in "Set ..."
    values: str  # what the argument may be, and what follows


_SETTINGS = {
    "auto_num_workers": _Setting(
        "enable", False, _truth, "whether the numbers of workers are tuned", "accepted, no effect"
    ),
    "auto_offload": _Setting(
        "offload", False, _truth, "whether transforms run on the device", "accepted, no effect"
    ),
    "autotune_interval": _Setting(
        "interval",
        0,
        _whole(0, _INT32),
        "the interval between tunings",
        "in steps; 0 for once an epoch. Accepted, no effect",
    ),
    "callback_timeout": _Setting(
        "timeout",
        60,
        _whole(1, _INT32),
        "how long a pipeline waits for the training",
        "in seconds, at least 1. A WaitedDSCallback then raises an error, and a ``sync_wait`` "
        "stops waiting",
    ),
    "dynamic_shape": _Setting(
        "is_dynamic",
        False,
        _truth,
        "whether the shapes of rows differ",
        "accepted, no effect: they may always",
    ),
    "enable_shared_mem": _Setting(
        "enable",
        True,
        _truth,
        "whether workers pass rows through shared memory",
        "accepted, no effect",
    ),
    "enable_watchdog": _Setting(
        "enable",
        True,
        _truth,
        "whether a worker that hangs is an error",
        "``False`` waits for it without limit",
    ),
    "error_samples_mode": _Setting(
        "error_samples_mode",
        ErrorSamplesMode.RETURN,
        _mode,
        "what happens to samples that cannot be read",
        "RETURN ends the iteration with an error; with the other modes an iterator raises a "
        "NotImplementedError",
    ),
    "fast_recovery": _Setting(
        "fast_recovery",
        True,
        _truth,
        "whether a pipeline skips to where it was interrupted",
        "accepted, no effect",
    ),
    "monitor_sampling_interval": _Setting(
        "interval",
        1000,
        _whole(1, _INT32),
        "the interval between measurements of the profiler",
        "in milliseconds, at least 1. Accepted, no effect",
    ),
    "multiprocessing_start_method": _Setting(
        "start_method",
        "fork",
        _choice("fork", "spawn"),
        "how worker processes are started",
        "``'fork'`` or ``'spawn'``, which needs a pipeline that can be pickled",
    ),
    "multiprocessing_timeout_interval": _Setting(
        "interval",
        300,
        _whole(1, _INT32),
        "after how long a warning names what a worker is busy with",
        "in seconds, at least 1. A worker that started nothing new for ten times as long counts "
        "as hanging, which is an error",
    ),
    "num_parallel_workers": _Setting(
        "num",
        min(os.cpu_count() or 1, 8),
        _whole(1, _INT32),
        "the default number of workers of an operation",
        "at least 1; no more processes are started than there are cores",
    ),
    "numa_enable": _Setting(
        "numa_enable",
        False,
        _truth,
        "whether workers are bound to NUMA nodes",
        "accepted, no effect",
    ),
    "prefetch_size": _Setting(
        "size",
        16,
        _whole(1, _INT32),
        "how many rows an operation prepares ahead",
        "at least 1. Accepted, no effect",
    ),
    "sending_batches": _Setting(
        "batch_num",
        0,
        _whole(-_INT32, _INT32),
        "how many batches are sent to the device",
        "accepted, no effect",
    ),
    "video_backend": _Setting(
        "backend",
        "CPU",
        _choice("CPU", "Ascend"),
        "what decodes videos",
        "``'CPU'`` or ``'Ascend'``. Accepted; videos are not decoded",
    ),
}
_values: dict[str, Any] = {"seed": 5489, "debug_mode": False, "enable_autotune": False}
_values["iterator_mode"] = {"do_copy": False, "parallel_convert": False}


def _take_seed(seed: int) -> None:
    """Take a seed; each call starts the streams of random transforms anew, also with the same."""
    _values["seed"] = seed
    _values["seeded"] = _values.get("seeded", 0) + 1


# NOTE ``ms.set_seed`` seeds pipelines too, also where it is called before this module is loaded.
_seed_hooks.append(_take_seed)
if (_seed := _global_seed()) is not None:
    _take_seed(_seed)

_TAIL = (
    "\n\nDifference from PyTorch: arguments of ``torch.utils.data.DataLoader``.\n\n"
    "Source: behavior observed in MindSpore 2.10.\n"
)


# MindSpore's function for it can be called without an argument
_OPTIONAL = ("multiprocessing_start_method",)


def _pair(name: str) -> tuple[Callable[..., None], Callable[[], Any]]:
    setting = _SETTINGS[name]
    argument, default, kind = setting.argument, setting.default, type(setting.default)
    parameter = inspect.Parameter(
        argument,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        default=default if name in _OPTIONAL else inspect.Parameter.empty,
        annotation=kind,
    )
    signature = inspect.Signature([parameter], return_annotation=None)

    def setter(*args: Any, **kwargs: Any) -> None:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(
                f"dataset.config.set_{name}() takes one argument, '{argument}': {error}."
            ) from None
        bound.apply_defaults()
        _values[name] = setting.check(f"set_{name}", argument, bound.arguments[argument])

    def getter() -> Any:
        return _values.get(name, default)

    setter.__name__ = setter.__qualname__ = f"set_{name}"
    getter.__name__ = getter.__qualname__ = f"get_{name}"
    setter.__signature__ = signature
    getter.__signature__ = inspect.Signature(return_annotation=kind)
    shown = f"``{default!r}``" if isinstance(default, (bool, int, str)) else f"``{default}``"
    setter.__doc__ = (
        f"Set {setting.what}.\n\nArgs:\n    {argument} ({kind.__name__}): {setting.values}. "
        f"Default of the setting: {shown}.\n\nRaises:\n    TypeError: the type is another.\n"
        f"    ValueError: the value is out of range.{_TAIL}"
    )
    getter.__doc__ = f"Get {setting.what}.\n\nReturns:\n    {kind.__name__}.{_TAIL}"
    return setter, getter


for _name in _SETTINGS:
    globals()[f"set_{_name}"], globals()[f"get_{_name}"] = _pair(_name)


def set_seed(seed: int) -> None:
    """Set the seed of shuffles and random transforms; it also seeds ``random`` and numpy.

    Args:
        seed (int): the seed, in [0, 2**32). Default of the setting: 5489.

    Raises:
        TypeError: it is not an int.
        ValueError: it is out of range.

    Difference from PyTorch: ``torch.utils.data`` takes a generator.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.dataset.config.set_seed(1)
        >>> ms.dataset.config.get_seed()
        1
        >>> ms.dataset.config.set_seed(5489)
    """
    _take_seed(_whole(0, _UINT32)("set_seed", "seed", seed))
    random.seed(seed)
    np.random.seed(seed)


def seed_mark() -> tuple[int, int]:
    """The seed, and how often one was set: what streams of random transforms start from."""
    return _values["seed"], _values.get("seeded", 0)


def get_seed() -> int:
    """Get the seed of shuffles and random transforms.

    Difference from PyTorch: ``torch.utils.data`` takes a generator.

    Source: behavior observed in MindSpore 2.10.
    """
    return _values["seed"]


def set_debug_mode(debug_mode_flag: bool, debug_hook_list: list[Any] | None = None) -> None:
    """Set whether pipelines run in the main process only, with hooks that show the values.

    Args:
        debug_mode_flag (bool): whether to debug. Default of the setting: ``False``.
        debug_hook_list (list[DebugHook], optional): hooks to call before the first and after each
            operation of every ``map``. Default: ``None``, none.

    Raises:
        TypeError: `debug_mode_flag` is not a bool, `debug_hook_list` not a list, or an element of
            it not a DebugHook.

    Difference from PyTorch: ``num_workers=0``.

    Source: behavior observed in MindSpore 2.10.
    """
    flag = _truth("set_debug_mode", "debug_mode_flag", debug_mode_flag)
    if debug_hook_list is not None and not isinstance(debug_hook_list, list):
        raise TypeError("For 'dataset.config.set_debug_mode', debug_hook_list is not a list.")
    from agar.dataset.debug import DebugHook

    for hook in debug_hook_list or []:
        if not isinstance(hook, DebugHook):
            raise TypeError(
                "For 'dataset.config.set_debug_mode', the elements of debug_hook_list must be of "
                f"type dataset.debug.DebugHook, but got {type(hook).__name__}."
            )
    _values["debug_mode"] = flag
    _values["debug_hooks"] = list(debug_hook_list or [])


def debug_hooks() -> list[Any]:
    """The hooks that show the values in ``map`` operations in debug mode."""
    return _values.get("debug_hooks", [])


def get_debug_mode() -> bool:
    """Get whether pipelines run in the main process only, with hooks that show the values.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.
    """
    return _values["debug_mode"]


def set_enable_autotune(enable: bool, filepath_prefix: str | None = None) -> None:
    """Set whether the settings of pipelines are tuned while they run. Accepted, without effect.

    Args:
        enable (bool): whether to tune. Default of the setting: ``False``.
        filepath_prefix (str, optional): the start of the names of the files to which tuned settings
            are saved; not empty. Accepted: nothing is saved. Default: ``None``.

    Raises:
        TypeError: `enable` is not a bool, or `filepath_prefix` is not a str.
        RuntimeError: `filepath_prefix` is empty.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.
    """
    _truth("set_enable_autotune", "enable", enable)
    if filepath_prefix is not None and not isinstance(filepath_prefix, str):
        raise TypeError(
            "For 'dataset.config.set_enable_autotune', filepath_prefix must be a str, but got "
            f"{type(filepath_prefix).__name__}."
        )
    if enable and filepath_prefix == "":
        raise RuntimeError(
            "For 'dataset.config.set_enable_autotune', filepath_prefix cannot be empty."
        )
    if not enable and filepath_prefix is not None:
        warning("The value of filepath_prefix is ignored when enable is False.")
    _values["enable_autotune"] = enable


def get_enable_autotune() -> bool:
    """Get whether the settings of pipelines are tuned while they run.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.
    """
    return _values["enable_autotune"]


def set_iterator_mode(do_copy: bool = False, parallel_convert: bool = False) -> None:
    """Set how iterators make Tensors of rows. Accepted, without effect.

    Args:
        do_copy (bool, optional): whether values are copied; an iterator of agar never shares values
            with the pipeline. Default: ``False``.
        parallel_convert (bool, optional): whether a thread converts rows ahead. Default: ``False``.

    Raises:
        TypeError: an argument is not a bool.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.
    """
    _values["iterator_mode"] = {
        "do_copy": _truth("set_iterator_mode", "do_copy", do_copy),
        "parallel_convert": _truth("set_iterator_mode", "parallel_convert", parallel_convert),
    }


def get_iterator_mode() -> dict[str, bool]:
    """Get the options of :func:`set_iterator_mode`.

    Returns:
        dict with the keys ``"do_copy"`` and ``"parallel_convert"``.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.
    """
    return dict(_values["iterator_mode"])


# the names that MindSpore's files of settings use
_IN_FILES = {"numParallelWorkers": "num_parallel_workers", "opConnectorSize": "prefetch_size"}
_IN_FILES |= {"seed": "seed", "monitorSamplingInterval": "monitor_sampling_interval"}
_IN_FILES |= {"callback_timeout": "callback_timeout"}


def load(file: str) -> None:
    """Read settings from a JSON file with MindSpore's keys, such as ``numParallelWorkers``.

    Args:
        file (str): the file.

    Raises:
        RuntimeError: the file cannot be read, or has a value that a setting cannot have; then
            nothing is set.

    Difference from PyTorch: no counterpart.

    Source: behavior described for MindSpore 2.10.
    """
    advice = "It must be a JSON object with values that the settings can have; nothing was set."
    with reading("dataset.config.load", file, RuntimeError, advice):
        with open(file, encoding="utf-8") as stream:
            result = json.load(stream)
        known = [(_IN_FILES[key], value) for key, value in result.items() if key in _IN_FILES]
        before = [(name, globals()[f"get_{name}"]()) for name, _ in known]
        try:
            for name, value in known:
                globals()[f"set_{name}"](value)
        except (TypeError, ValueError) as error:
            for name, value in before:
                globals()[f"set_{name}"](value)
            raise ValueError(str(error)) from error


__all__ = [
    "ErrorSamplesMode",
    "get_debug_mode",
    "get_enable_autotune",
    "get_iterator_mode",
    "get_seed",
    "load",
    "set_debug_mode",
    "set_enable_autotune",
    "set_iterator_mode",
    "set_seed",
    *(f"set_{name}" for name in _SETTINGS),
    *(f"get_{name}" for name in _SETTINGS if name != "sending_batches"),
]
