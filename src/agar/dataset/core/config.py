"""Settings of data pipelines (``dataset.config``): checked, held and read back."""

from __future__ import annotations

import enum
import json
import os
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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


# name: (argument, default, check, what it is)
_SETTINGS: dict[str, tuple[str, Any, Callable[[str, str, Any], Any], str]] = {
    "auto_num_workers": ("enable", False, _truth, "whether the number of workers is chosen"),
    "auto_offload": ("offload", False, _truth, "whether transforms run on the device"),
    "autotune_interval": ("interval", 0, _whole(0, _INT32), "steps between tunings"),
    "callback_timeout": ("timeout", 60, _whole(1, _INT32), "seconds that a callback may take"),
    "dynamic_shape": ("is_dynamic", False, _truth, "whether the shapes of rows differ"),
    "enable_shared_mem": ("enable", True, _truth, "whether workers share memory"),
    "enable_watchdog": ("enable", True, _truth, "whether a worker that is stuck is an error"),
    "error_samples_mode": (
        "error_samples_mode",
        ErrorSamplesMode.RETURN,
        _mode,
        "what is done with samples that cannot be read",
    ),
    "fast_recovery": ("fast_recovery", True, _truth, "whether an interrupted epoch is skipped to"),
    "monitor_sampling_interval": (
        "interval",
        1000,
        _whole(1, _INT32),
        "milliseconds between measurements",
    ),
    "multiprocessing_start_method": (
        "start_method",
        "fork",
        _choice("fork", "spawn"),
        "how workers are started",
    ),
    "multiprocessing_timeout_interval": (
        "interval",
        300,
        _whole(1, _INT32),
        "seconds after which a warning names what a worker is busy with; after ten times as many "
        "without anything new it counts as stuck, which is an error",
    ),
    "num_parallel_workers": (
        "num",
        min(os.cpu_count() or 1, 8),
        _whole(1, _INT32),
        "the number of workers",
    ),
    "numa_enable": ("numa_enable", False, _truth, "whether workers stay at their memory"),
    "prefetch_size": ("size", 16, _whole(1, _INT32), "rows that are read ahead"),
    "sending_batches": ("batch_num", 0, _whole(-_INT32, _INT32), "batches that are sent on"),
    "video_backend": ("backend", "CPU", _choice("CPU", "Ascend"), "what decodes videos"),
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


def _pair(name: str) -> tuple[Callable[..., None], Callable[[], Any]]:
    argument, default, check, what = _SETTINGS[name]

    def setter(*args: Any, **kwargs: Any) -> None:
        given = [*args, *kwargs.values()]
        if len(given) != 1 or not set(kwargs) <= {argument}:
            raise TypeError(f"dataset.config.set_{name}() takes one argument, '{argument}'.")
        _values[name] = check(f"set_{name}", argument, given[0])

    def getter() -> Any:
        return _values.get(name, default)

    setter.__name__ = setter.__qualname__ = f"set_{name}"
    getter.__name__ = getter.__qualname__ = f"get_{name}"
    setter.__doc__ = (
        f"Set {what}.\n\nArgs:\n    {argument} ({type(default).__name__}): the value. "
        f"Default of the setting: {default!r}.\n\nRaises:\n    TypeError: it is of the wrong type."
        f"\n    ValueError: it is out of range.{_TAIL}"
    )
    getter.__doc__ = f"Get {what}.\n\nReturns:\n    {type(default).__name__}.{_TAIL}"
    return setter, getter


for _name in _SETTINGS:
    globals()[f"set_{_name}"], globals()[f"get_{_name}"] = _pair(_name)


def set_seed(seed: int) -> None:
    """Set the seed of shuffles and random transforms; it also seeds ``random`` and numpy.

    Args:
        seed (int): the seed, in [0, 2**32). Default of the setting: 5489.

    Raises:
        TypeError: it is no int.
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
    """Set whether pipelines run in one thread and show what goes through them.

    Raises:
        TypeError: `debug_mode_flag` is no bool or `debug_hook_list` no list.

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
    """The hooks that show what goes through ``map`` operations in debug mode."""
    return _values.get("debug_hooks", [])


def get_debug_mode() -> bool:
    """Get whether pipelines run in one thread and show what goes through them.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.
    """
    return _values["debug_mode"]


def set_enable_autotune(enable: bool, filepath_prefix: str | None = None) -> None:
    """Set whether the settings of pipelines are chosen while they run; accepted.

    Raises:
        TypeError: `enable` is no bool or `filepath_prefix` no str.
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
    """Get whether the settings of pipelines are chosen while they run.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.
    """
    return _values["enable_autotune"]


def set_iterator_mode(do_copy: bool = False, parallel_convert: bool = False) -> None:
    """Set whether iterators copy rows, and convert them in threads of their own.

    Raises:
        TypeError: an argument is no bool.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.
    """
    _values["iterator_mode"] = {
        "do_copy": _truth("set_iterator_mode", "do_copy", do_copy),
        "parallel_convert": _truth("set_iterator_mode", "parallel_convert", parallel_convert),
    }


def get_iterator_mode() -> dict[str, bool]:
    """Get whether iterators copy rows, and convert them in threads of their own.

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
            found = json.load(stream)
        known = [(_IN_FILES[key], value) for key, value in found.items() if key in _IN_FILES]
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
