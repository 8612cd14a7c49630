"""Parameters of the search for a way to split a model; held, nothing is searched for."""

from __future__ import annotations

from typing import Any

from agar._core.settings import algorithm

__all__ = ["get_algo_parameters", "reset_algo_parameters", "set_algo_parameters"]


def set_algo_parameters(**kwargs: Any) -> None:
    """Set parameters of the search; checked and held.

    Args:
        kwargs (Any): ``fully_use_devices``, ``elementwise_op_strategy_follow``,
            ``enable_algo_approxi``, ``algo_approxi_epsilon``, ``tensor_slice_align_enable`` or
            ``tensor_slice_align_size``.

    Raises:
        ValueError: a name is unknown or a value out of range.
        TypeError: a value has the wrong type.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.set_algo_parameters(fully_use_devices=True)
        >>> ms.get_algo_parameters("fully_use_devices")
        True
        >>> ms.reset_algo_parameters()
    """
    algorithm.set(**kwargs)


def get_algo_parameters(attr_key: str) -> Any:
    """Read one parameter of the search.

    Args:
        attr_key (str): the name of the parameter.

    Raises:
        ValueError: the name is unknown.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.get_algo_parameters("tensor_slice_align_size")
        16
    """
    return algorithm.get(attr_key)


def reset_algo_parameters() -> None:
    """Give every parameter of the search its default.

    Difference from PyTorch: no counterpart.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.reset_algo_parameters()
    """
    algorithm.reset()
