"""The name of MindSpore's optimizer that reports to Ascend's fault tolerance."""

from __future__ import annotations

from typing import Any

from agar._core.errors import describe, missing_feature
from agar.nn.optim.optimizer import Optimizer

__all__ = ["OptTFTWrapper"]


class OptTFTWrapper(Optimizer):
    """Not available: an optimizer that reports each step to MindIO TFT on Ascend.

    Args:
        opt (Optimizer): the optimizer.
        **kwargs (Any): options of MindIO.

    Raises:
        TypeError: `opt` is not an Optimizer.
        NotImplementedError: always else.

    Difference from PyTorch: no counterpart.

    Source: documentation of MindSpore 2.10.

    Examples:
        >>> from agar import nn
        >>> try:
        ...     nn.OptTFTWrapper(nn.SGD(nn.Dense(2, 1).trainable_params()))
        ... except NotImplementedError:
        ...     print("use the optimizer itself")
        use the optimizer itself
    """

    def __init__(self, opt: Any, **kwargs: Any) -> None:
        if not isinstance(opt, Optimizer):
            raise TypeError(
                "For 'OptTFTWrapper', the argument 'opt' must be Optimizer type, but got "
                f"{describe(opt)}."
            )
        raise missing_feature(
            "nn.OptTFTWrapper",
            "it reports to MindIO TFT, a service of Ascend clusters",
            "use the optimizer itself, and save checkpoints with a train.ModelCheckpoint callback",
        )
