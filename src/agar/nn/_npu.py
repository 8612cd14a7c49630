"""The names of MindSpore's operators that read the overflow register of Ascend chips."""

from __future__ import annotations

from typing import Any, NoReturn

from agar._core.errors import missing_feature
from agar._core.optable import Primitive

__all__ = ["NPUClearFloatStatusV2", "NPUGetFloatStatusV2"]


class _FloatStatus(Primitive):
    """An operator on a register that other devices do not have."""

    def __init__(self) -> None:
        super().__init__(type(self).__name__)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise missing_feature(
            f"amp.{self.name}",
            "it belongs to a register of Ascend chips, which no other device has",
            "use amp.all_finite(gradients) to find an overflow",
        )


class NPUClearFloatStatusV2(_FloatStatus):
    """Not available: clears the overflow register of an Ascend chip.

    Raises:
        NotImplementedError: when called.

    Difference from PyTorch: no counterpart.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.amp.NPUClearFloatStatusV2()
        Prim[NPUClearFloatStatusV2]
    """


class NPUGetFloatStatusV2(_FloatStatus):
    """Not available: reads the overflow register of an Ascend chip.

    Raises:
        NotImplementedError: when called.

    Difference from PyTorch: no counterpart; ``torch.isfinite`` on the gradients finds overflows.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> ms.amp.NPUGetFloatStatusV2()
        Prim[NPUGetFloatStatusV2]
    """
