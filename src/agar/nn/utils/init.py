"""Building networks without drawing their parameters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from agar._core import parameter as core

__all__ = ["no_init_parameters"]


@contextmanager
def no_init_parameters() -> Iterator[None]:
    """Leave the parameters of cells that are made in this block undrawn.

    For networks whose values are loaded afterwards: nothing is drawn that would be overwritten. A
    parameter that is not loaded is drawn when it is first used.

    Difference from PyTorch: ``torch.nn.utils.skip_init`` leaves memory without values.

    Source: behavior observed in MindSpore 2.10, where a parameter that was not loaded must be
    drawn by ``init_parameters_data()``.

    Examples:
        >>> import agar as ms
        >>> from agar import nn
        >>> with nn.no_init_parameters():
        ...     net = nn.Dense(2, 1, weight_init="ones")
        >>> net.weight.has_init
        True
        >>> print(net.weight.value())
        [[1. 1.]]
    """
    before = core._delay_init
    core._delay_init = True
    try:
        yield
    finally:
        core._delay_init = before
