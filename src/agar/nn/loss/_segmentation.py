"""Losses of segmentation and of unbalanced classes: focal and Dice."""

from __future__ import annotations

from typing import Any

from agar._core.tensor import Tensor
from agar.nn._checks import float_only, integer, positive
from agar.nn.cell import Cell
from agar.nn.layer.activation import LogSoftmax, get_activation
from agar.nn.loss._base import LossBase
from agar.ops._layers import layer_binding
from agar.ops.nn import loss_layers

__all__ = ["DiceLoss", "FocalLoss", "MultiClassDiceLoss"]

_dice = layer_binding("DiceLoss", loss_layers.dice, "DiceLoss")


_focal = layer_binding("FocalLoss", loss_layers.focal, "FocalLoss")


class FocalLoss(LossBase):
    r"""Focal loss, which down-weights easy samples: :math:`l = -w (1 - p)^\gamma \log p`.

    Args:
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        gamma (float): how strongly easy samples are down-weighted. Default: 2.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - scores, shape :math:`(N, C)`, :math:`(N, C, L)` or
          :math:`(N, C, H, W)`; p is their softmax over the classes.
        - **labels** (Tensor) - of the same rank: class indices with a 1 in place of C, or the
          shape of `logits` with 1 where a class is present.

    Outputs: Tensor: a number; with ``"none"`` the means over the positions, shape :math:`(N,)` for
    indices and :math:`(N, C)` otherwise.

    Raises:
        TypeError: `weight` is not a Tensor, or `gamma` is not a float.
        ValueError: the reduction is unknown, or shapes do not fit.
        RuntimeError: a class index does not exist.

    Difference from PyTorch: none (no counterpart).

    Source: Lin et al. 2017, "Focal Loss for Dense Object Detection".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.FocalLoss()(ms.Tensor([[0.0, 0.0]]), ms.Tensor([[1]])))
        0.1732868
    """

    def __init__(
        self, weight: Tensor | None = None, gamma: float = 2.0, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        self._keep("weight", weight)
        if weight is not None and weight.ndim != 1:
            raise ValueError(
                f"For 'FocalLoss', the dimension of 'weight' must be 1, but got {weight.ndim}."
            )
        self.gamma = float_only("FocalLoss", "gamma", gamma)
        self.logsoftmax = LogSoftmax(1)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        self._check(logits, labels)
        return self.get_loss(_focal(self.logsoftmax(logits), labels, self.weight, self.gamma))

    def _check(self, logits: Tensor, labels: Tensor) -> None:
        ranks = logits.ndim, labels.ndim
        if not 2 <= ranks[0] <= 4 or ranks[0] != ranks[1]:
            raise ValueError(
                "For 'FocalLoss', the dimensions of 'logits' and 'labels' must be equal and in "
                f"[2, 4], but got {ranks[0]} and {ranks[1]}."
            )
        expected = (logits.shape[0], *logits.shape[2:])
        if labels.shape[1] not in (1, logits.shape[1]) or (
            (labels.shape[0], *labels.shape[2:]) != expected
        ):
            raise ValueError(
                "For 'FocalLoss', 'labels' must have the shape of 'logits', with 1 or "
                f"{logits.shape[1]} classes on axis 1, but got {labels.shape} for {logits.shape}."
            )
        if self.weight is not None and self.weight.shape[0] != logits.shape[1]:
            raise ValueError(
                f"For 'FocalLoss', 'weight' must have one factor for each of the {logits.shape[1]} "
                f"classes, but got {self.weight.shape[0]}."
            )


class DiceLoss(LossBase):
    r"""One minus the Dice coefficient: :math:`1 - \frac{2 \sum x y}{\sum x^2 + \sum y^2 + s}`.

    Args:
        smooth (float): the term s, which prevents division by zero. Default: 1e-5.

    Inputs:
        - **logits** (Tensor) - probabilities x of any shape.
        - **label** (Tensor) - targets y of the same shape.

    Outputs: Tensor: a number.

    Raises:
        TypeError: `smooth` is not a float.
        ValueError: `smooth` is not above 0, or the shapes differ.

    Difference from PyTorch: none (no counterpart).

    Source: Milletari et al. 2016, "V-Net".

    Examples:
        >>> import agar as ms
        >>> loss = ms.nn.DiceLoss(1.0)
        >>> print(loss(ms.Tensor([1.0, 0.0]), ms.Tensor([1.0, 1.0])))
        0.5
    """

    def __init__(self, smooth: float = 1e-5) -> None:
        super().__init__()
        self.smooth = positive("DiceLoss", "smooth", smooth)

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        return _dice(logits, label, self.smooth)


class MultiClassDiceLoss(LossBase):
    r"""The mean of the Dice losses of all classes.

    Args:
        weights (Tensor): factors of the classes, shape :math:`(C, *)`. Default: None.
        ignore_indiex (int): a class that is left out of the sum. Default: None.
        activation (Union[str, Cell]): applied to the scores first: ``"softmax"``,
            ``"logsoftmax"``, ``"relu"``, ``"relu6"``, ``"tanh"``, ``"sigmoid"``, a Cell, or None.
            Default: ``"softmax"``.

    Inputs:
        - **logits** (Tensor) - scores, shape :math:`(N, C, *)`.
        - **label** (Tensor) - targets of the same shape.

    Outputs: Tensor: a number, or the shape of a row of `weights` with two axes.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the activation is unknown, or shapes do not fit.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10, whose spelling `ignore_indiex` is kept.

    Examples:
        >>> import agar as ms
        >>> loss = ms.nn.MultiClassDiceLoss(activation=None)
        >>> print(loss(ms.Tensor([[1.0, 0.0]]), ms.Tensor([[1.0, 0.0]])))
        0.5000
    """

    def __init__(
        self,
        weights: Tensor | None = None,
        ignore_indiex: int | None = None,
        activation: str | Cell | None = "softmax",
    ) -> None:
        super().__init__()
        self._keep("weights", weights)
        if weights is not None and weights.ndim != 2:
            raise ValueError(
                "For 'MultiClassDiceLoss', the dimension of 'weights' must be 2, but got "
                f"{weights.ndim}."
            )
        if ignore_indiex is not None:
            integer("MultiClassDiceLoss", "ignore_indiex", ignore_indiex)
        self.ignore_indiex = ignore_indiex
        self.binarydiceloss = DiceLoss(smooth=1e-5)
        names = ("softmax", "logsoftmax", "relu", "relu6", "tanh", "sigmoid")
        if isinstance(activation, str):
            if activation not in names:
                raise ValueError(
                    "For 'MultiClassDiceLoss', the 'activation' must be in "
                    f"{list(names)}, but got {activation!r}."
                )
            activation = get_activation(activation)
        elif activation is not None and not isinstance(activation, Cell):
            raise TypeError(
                "For 'MultiClassDiceLoss', the 'activation' must be str or Cell, but got "
                f"{type(activation).__name__}."
            )
        self.activation = activation

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        if logits.shape != label.shape or logits.ndim < 2:
            raise ValueError(
                "For 'MultiClassDiceLoss', 'logits' and 'label' must have one shape of at least 2 "
                f"axes, but got {logits.shape} and {label.shape}."
            )
        classes = label.shape[1]
        if self.weights is not None and self.weights.shape[0] != classes:
            raise ValueError(
                "For 'MultiClassDiceLoss', the weight_shape[0] must be equal to label_shape[1], "
                f"but got {self.weights.shape[0]} and {classes}."
            )
        if self.activation is not None:
            logits = self.activation(logits)
        total: Any = 0
        for i in range(classes):
            if i == self.ignore_indiex:
                continue
            loss = self.binarydiceloss(logits[:, i], label[:, i])
            total = total + (loss if self.weights is None else loss * self.weights[i])
        return total / classes
