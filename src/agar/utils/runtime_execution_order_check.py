"""The order of operators over Ascend devices."""

from __future__ import annotations

from agar._core import absent as _absent

__all__ = [*_absent.names("utils.runtime_execution_order_check"), "comm_exec_order_check"]

__getattr__ = _absent.finder(__name__, globals())


def comm_exec_order_check(action: str) -> None:
    """Accepted: the order of exchanges is looked at on Ascend devices alone.

    Args:
        action (str): ``"start"`` or ``"end"``.

    Raises:
        TypeError: `action` is not a str.
        ValueError: it is another.

    Difference from PyTorch: the variable TORCH_DISTRIBUTED_DEBUG=DETAIL.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.utils.comm_exec_order_check("start")
    """
    if not isinstance(action, str):
        raise TypeError(
            "For 'comm_exec_order_check', the 'action' must be a str, but got "
            f"{type(action).__name__}."
        )
    if action not in ("start", "end"):
        raise ValueError(
            f"For 'comm_exec_order_check', the 'action' must be 'start' or 'end', but got "
            f"{action!r}."
        )
