"""Whether the installation computes."""

from __future__ import annotations

from importlib import import_module

import numpy as np

from agar._core.context import get_context
from agar._core.tensor import Tensor

__all__ = ["run_check"]


def run_check() -> None:
    """Print the version and whether a product comes out right on the current device.

    Difference from PyTorch: no counterpart; see also ``agar doctor``.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.run_check()  # doctest: +ELLIPSIS
        agar version: ...
        The result of multiplication calculation is correct, agar has been installed on platform ...
    """
    print(f"agar version: {import_module('agar').__version__}")
    product = (Tensor([[1.0, 2.0], [3.0, 4.0]]) * Tensor([[2.0, 3.0], [4.0, 5.0]])).asnumpy()
    platform = get_context("device_target")
    if not np.array_equal(product, [[2.0, 6.0], [12.0, 20.0]]):
        raise RuntimeError(
            f"The result of multiplication calculation is wrong on platform [{platform}]: "
            f"{product.tolist()}. Run 'agar doctor'."
        )
    print(
        "The result of multiplication calculation is correct, agar has been installed on platform "
        f"[{platform}] successfully!"
    )
