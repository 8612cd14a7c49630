"""The name of MindSpore's second-order optimizer."""

from __future__ import annotations

from typing import Any, NoReturn

from agar._core.errors import missing_feature

__all__ = ["thor"]


def thor(
    net: Any,
    learning_rate: Any,
    damping: Any,
    momentum: Any,
    weight_decay: float = 0.0,
    loss_scale: float = 1.0,
    batch_size: int = 32,
    use_nesterov: bool = False,
    decay_filter: Any = None,
    split_indices: Any = None,
    enable_clip_grad: bool = False,
    frequency: int = 100,
) -> NoReturn:
    """Not available: THOR, which needs the inputs and gradients of every layer.

    Args:
        net (Cell): the network.
        learning_rate (Any): the learning rate.
        damping (Any): the damping.
        momentum (float): the momentum.
        weight_decay (float): the weight decay. Default: ``0.0``.
        loss_scale (float): the loss scale. Default: ``1.0``.
        batch_size (int): the batch size. Default: ``32``.
        use_nesterov (bool): Nesterov's momentum. Default: ``False``.
        decay_filter (Callable): parameters that decay. Default: ``None``.
        split_indices (list): how layers are joined. Default: ``None``.
        enable_clip_grad (bool): whether gradients are clipped. Default: ``False``.
        frequency (int): steps between updates of the second order. Default: ``100``.

    Raises:
        NotImplementedError: always.

    Difference from PyTorch: no counterpart.

    Source: Chen et al. (2021), THOR, Trace-based Hardware-driven Layer-Oriented Natural Gradient.

    Examples:
        >>> from agar import nn
        >>> try:
        ...     nn.thor(None, 0.1, 0.03, 0.9)
        ... except NotImplementedError:
        ...     print("use nn.Momentum")
        use nn.Momentum
    """
    raise missing_feature(
        "nn.thor",
        "it works on layers made for Ascend that record the statistics of their inputs",
        "use nn.Momentum, or nn.Lamb for large batches",
    )
