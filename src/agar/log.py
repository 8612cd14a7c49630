"""Messages of agar, through Python's ``logging`` under the logger named ``agar``.

The environment variable ``GLOG_v`` sets the level when agar is imported: 0 debug, 1 info,
2 warning (default), 3 error, 4 critical. If it is set, and the program has not set up ``logging``
itself, messages appear on stderr in MindSpore's form; otherwise Python's own rules hold.
"""

from __future__ import annotations

import logging
import os
from typing import Any

__all__ = ["critical", "debug", "error", "get_level", "get_log_config", "info", "warning"]

_VARIABLE = "GLOG_v"
_LEVELS = {
    "0": logging.DEBUG,
    "1": logging.INFO,
    "2": logging.WARNING,
    "3": logging.ERROR,
    "4": logging.CRITICAL,
}
_FORM = (
    "[%(levelname)s] ME(%(process)d:%(thread)d,%(processName)s):%(asctime)s.%(msecs)03d.000 "
    "[%(pathname)s:%(lineno)d] %(message)s"
)

_logger = logging.getLogger("agar")


def _set_up() -> None:
    level = os.environ.get(_VARIABLE)
    if level not in _LEVELS:
        return
    _logger.setLevel(_LEVELS[level])
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(_FORM, datefmt="%Y-%m-%d-%H:%M:%S"))
    # a program that sets up logging itself gets each message from its own handlers, once
    handler.addFilter(lambda record: not logging.getLogger().handlers)
    _logger.addHandler(handler)


_set_up()


def debug(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log a message for someone who looks for a fault in agar.

    Args:
        msg (str): the message, with ``%`` places for `args`.
        args: the values for the places.
        kwargs: those of ``logging.Logger.debug``.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import log
        >>> log.debug("%d parameters", 3)
    """
    _log(logging.DEBUG, msg, args, kwargs)


def info(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log what happens as planned.

    Args:
        msg (str): the message, with ``%`` places for `args`.
        args: the values for the places.
        kwargs: those of ``logging.Logger.info``.
    """
    _log(logging.INFO, msg, args, kwargs)


def warning(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log what may not be meant.

    Args:
        msg (str): the message, with ``%`` places for `args`.
        args: the values for the places.
        kwargs: those of ``logging.Logger.warning``.
    """
    _log(logging.WARNING, msg, args, kwargs)


def error(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log that something failed.

    Args:
        msg (str): the message, with ``%`` places for `args`.
        args: the values for the places.
        kwargs: those of ``logging.Logger.error``.
    """
    _log(logging.ERROR, msg, args, kwargs)


def critical(msg: str, *args: Any, **kwargs: Any) -> None:
    """Log that the program cannot do what it was asked to.

    Args:
        msg (str): the message, with ``%`` places for `args`.
        args: the values for the places.
        kwargs: those of ``logging.Logger.critical``.
    """
    _log(logging.CRITICAL, msg, args, kwargs)


def _log(level: int, msg: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    # the place shown is the one that called debug, info, ...
    kwargs["stacklevel"] = kwargs.get("stacklevel", 1) + 2
    _logger.log(level, msg, *args, **kwargs)


def get_level() -> str:
    """The level below which nothing is logged, as ``GLOG_v`` counts: ``"0"`` to ``"4"``.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import log
        >>> log.get_level() in {"0", "1", "2", "3", "4"}
        True
    """
    level = _logger.getEffectiveLevel()
    return next((name for name, value in _LEVELS.items() if level <= value), "4")


def get_log_config() -> dict[str, str]:
    """The settings in force: ``GLOG_v``, and ``GLOG_logtostderr``, which agar always does.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> from agar import log
        >>> log.get_log_config()["GLOG_logtostderr"]
        '1'
    """
    return {_VARIABLE: get_level(), "GLOG_logtostderr": "1"}
