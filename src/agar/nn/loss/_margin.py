"""Losses with a margin: of signs, pairs, triplets and classes."""

from __future__ import annotations

from collections.abc import Callable

from agar import ops
from agar._core.tensor import Tensor
from agar.nn._checks import boolean, float_only, number
from agar.nn.loss._base import LossBase
from agar.ops._layers import layer_binding
from agar.ops.nn import loss_layers

__all__ = [
    "CosineEmbeddingLoss",
    "HingeEmbeddingLoss",
    "MarginRankingLoss",
    "MultiMarginLoss",
    "MultilabelMarginLoss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]

_distance = layer_binding("TripletMarginWithDistanceLoss", loss_layers.distance, "LpNorm")


class MultilabelMarginLoss(LossBase):
    r"""Hinge loss of several classes per sample.

    .. math::
        l_n = \frac{1}{C} \sum_{j} \sum_{i \notin Y_n} \max(0, 1 - (x_{n, y_{n,j}} - x_{n, i}))

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **x** (Tensor) - scores, shape :math:`(C,)` or :math:`(N, C)`.
        - **target** (Tensor) - class indices of the same shape; those before the first -1 count.

    Outputs: Tensor: a number, or with ``"none"`` the shape without C.

    Raises:
        ValueError: the reduction is unknown, or the shapes differ.
        TypeError: `target` is not of an integer type.

    Difference from PyTorch: ``torch.nn.MultiLabelMarginLoss`` under another name.

    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> x = ms.Tensor([[0.1, 0.2, 0.4, 0.8]])
        >>> print(ms.nn.MultilabelMarginLoss()(x, ms.Tensor([[3, 0, -1, 1]])))
        0.85
    """

    def construct(self, x: Tensor, target: Tensor) -> Tensor:
        return ops.multilabel_margin_loss(x, target, self.reduction)


class MultiMarginLoss(LossBase):
    r"""Hinge loss of one class per sample.

    .. math::
        l_n = \frac{1}{C} \sum_{i \ne y_n} w_{y_n} \max(0, margin - x_{n, y_n} + x_{n, i})^p

    Args:
        p (int): 1 or 2. Default: 1.
        margin (float): the margin. Default: 1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.

    Inputs:
        - **x** (Tensor) - scores, shape :math:`(N, C)`.
        - **target** (Tensor) - class indices y of an integer type, shape :math:`(N,)`.
        - **weight** (Tensor) - factors in place of those given at construction. Default: None.

    Outputs: Tensor: a number, or with ``"none"`` the shape of `target`.

    Raises:
        ValueError: `p` is neither 1 nor 2, the reduction is unknown, a class index does not exist,
            or shapes do not fit.
        TypeError: `margin` is not a number, or `weight` is not a Tensor.

    Difference from PyTorch: `reduction` comes before `weight`.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MultiMarginLoss()(ms.Tensor([[0.1, 0.2, 0.4, 0.8]]), ms.Tensor([3])))
        0.325
    """

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        reduction: str = "mean",
        weight: Tensor | None = None,
    ) -> None:
        super().__init__(reduction)
        if p not in (1, 2):
            raise ValueError(
                f"For 'MultiMarginLoss', the 'p' must be int and must in {{1, 2}}, but got {p!r}."
            )
        self.p = p
        self.margin = number("MultiMarginLoss", "margin", margin)
        self._keep("weight", weight)

    def construct(self, x: Tensor, target: Tensor, weight: Tensor | None = None) -> Tensor:
        factors = self.weight if weight is None else weight
        return ops.multi_margin_loss(x, target, self.p, self.margin, factors, self.reduction)


class SoftMarginLoss(LossBase):
    r"""Logistic loss of signs: :math:`l_i = \log(1 + \exp(-y_i x_i))`.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - scores x of any shape.
        - **labels** (Tensor) - signs y of the same shape, 1 or -1.

    Outputs: Tensor: a number, or with ``"none"`` the shape of `logits`.

    Raises:
        ValueError: the reduction is unknown, or the shapes differ.

    Difference from PyTorch: none.

    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.SoftMarginLoss()(ms.Tensor([0.0]), ms.Tensor([1.0])))
        0.6931472
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.soft_margin_loss(logits, labels, self.reduction)


class HingeEmbeddingLoss(LossBase):
    r"""Hinge loss of the distances of similar (1) and dissimilar (-1) pairs.

    :math:`l_i = x_i` where :math:`y_i = 1`, and :math:`\max(0, margin - x_i)` where
    :math:`y_i = -1`.

    Args:
        margin (Union[int, float]): the distance beyond which dissimilar pairs add no loss. Default:
            1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - distances x of any shape.
        - **labels** (Tensor) - 1 or -1, of a shape that broadcasts.

    Outputs: Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        TypeError: `margin` is not a number.
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: targets other than 1 and -1 add no loss.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.HingeEmbeddingLoss()(ms.Tensor([0.25, 0.25]), ms.Tensor([1, -1])))
        0.5
    """

    def __init__(self, margin: float = 1.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = number("HingeEmbeddingLoss", "margin", margin)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.hinge_embedding_loss(logits, labels, self.margin, self.reduction)


class MarginRankingLoss(LossBase):
    r"""Margin ranking loss: :math:`l_i = \max(0, -y_i (x_{1,i} - x_{2,i}) + margin)`.

    Args:
        margin (Union[int, float]): the required difference. Default: 0.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **input1** (Tensor) - scores of any shape.
        - **input2** (Tensor) - scores of a shape that broadcasts.
        - **target** (Tensor) - 1 where `input1` should be larger, -1 where `input2` should.

    Outputs: Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        TypeError: `margin` is not a number.
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: the inputs may differ in rank.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> a, b = ms.Tensor([1.0, 2.0]), ms.Tensor([2.0, 1.0])
        >>> print(ms.nn.MarginRankingLoss()(a, b, ms.Tensor([1.0, 1.0])))
        0.5
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = number("MarginRankingLoss", "margin", margin)

    def construct(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return ops.margin_ranking_loss(input1, input2, target, self.margin, self.reduction)


class CosineEmbeddingLoss(LossBase):
    r"""Cosine embedding loss of similar (1) and dissimilar (-1) vectors.

    :math:`l = 1 - \cos(x_1, x_2)` where :math:`y = 1`, and
    :math:`\max(0, \cos(x_1, x_2) - margin)` where :math:`y = -1`.

    Args:
        margin (Union[int, float]): in [-1, 1]. Default: 0.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits_x1** (Tensor) - vectors along axis 1, shape :math:`(N, D, *)`.
        - **logits_x2** (Tensor) - vectors of the same shape.
        - **labels** (Tensor) - 1 or -1, shape :math:`(N, *)`.

    Outputs: Tensor: a number, or with ``"none"`` the shape of `labels`.

    Raises:
        TypeError: `margin` is not a number.
        ValueError: `margin` is out of range, the reduction is unknown, or shapes do not fit.

    Difference from PyTorch: more than 2 axes are allowed.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> a, b = ms.Tensor([[1.0, 0.0]]), ms.Tensor([[1.0, 1.0]])
        >>> print(ms.nn.CosineEmbeddingLoss()(a, b, ms.Tensor([1])))
        0.29289323
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        if not -1 <= number("CosineEmbeddingLoss", "margin", margin) <= 1:
            raise ValueError(
                "For 'CosineEmbeddingLoss', the 'margin' must be in range of [-1.0, 1.0], but got "
                f"{margin}."
            )
        self.margin = margin

    def construct(self, logits_x1: Tensor, logits_x2: Tensor, labels: Tensor) -> Tensor:
        return ops.cosine_embedding_loss(logits_x1, logits_x2, labels, self.margin, self.reduction)


class TripletMarginLoss(LossBase):
    r"""Triplet margin loss: :math:`l = \max(d(a, p) - d(a, n) + margin, 0)`.

    Args:
        p (Union[int, float]): the order of the norm of the distance. Default: 2.
        swap (bool): whether to use :math:`d(p, n)` where it is the smaller one. Default: False.
        eps (float): prevents division by zero. Default: 1e-6.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        margin (Union[int, float]): the required difference. Default: 1.0.

    Inputs:
        - **x** (Tensor) - anchors a, shape :math:`(N, D)` or :math:`(D,)`.
        - **positive** (Tensor) - vectors p that should be near.
        - **negative** (Tensor) - vectors n that should be far.
        - **margin** (Union[Tensor, float]) - in place of that given at construction.
          Default: None.

    Outputs: Tensor: a number, or with ``"none"`` the shape without the last axis.

    Raises:
        TypeError: an option has the wrong type.
        ValueError: the reduction is unknown, or the shapes do not fit.

    Difference from PyTorch: the order of the arguments.

    Source: Balntas et al. 2016, "Learning local feature descriptors with triplets and shallow
    convolutional neural networks"; MindSpore 2.10 has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> a, p, n = ms.Tensor([[0.0, 0.0]]), ms.Tensor([[1.0, 0.0]]), ms.Tensor([[0.0, 3.0]])
        >>> print(ms.nn.TripletMarginLoss(margin=2.5)(a, p, n))
        0.5
    """

    def __init__(
        self,
        p: float = 2,
        swap: bool = False,
        eps: float = 1e-6,
        reduction: str = "mean",
        margin: float = 1.0,
    ) -> None:
        super().__init__(reduction)
        self.p = p
        number("TripletMarginLoss", "p", p)
        self.swap = boolean("TripletMarginLoss", "swap", swap)
        self.eps = number("TripletMarginLoss", "eps", eps)
        self.margin = number("TripletMarginLoss", "margin", margin)
        self.triplet_margin_loss = ops.TripletMarginLoss(p, swap, self.eps, reduction)

    def construct(
        self, x: Tensor, positive: Tensor, negative: Tensor, margin: Tensor | float | None = None
    ) -> Tensor:
        asked = self.margin if margin is None else margin
        return self.triplet_margin_loss(x, positive, negative, asked)


class TripletMarginWithDistanceLoss(LossBase):
    r"""Triplet margin loss with any distance: :math:`l = \max(d(a, p) - d(a, n) + margin, 0)`.

    Args:
        distance_function (Callable): takes two Tensors and returns distances; None for the
            Euclidean distance along axis 1. Default: None.
        swap (bool): whether to use :math:`d(p, n)` where it is the smaller one. Default: False.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        margin (float): the required difference. Default: 1.0.

    Inputs:
        - **x** (Tensor) - anchors a, shape :math:`(N, D, *)`.
        - **positive** (Tensor) - samples p that should be near.
        - **negative** (Tensor) - samples n that should be far.

    Outputs: Tensor: a number, or with ``"none"`` the shape of the distances.

    Raises:
        TypeError: `distance_function` is not callable, `swap` is not a bool, or `margin` is not a
            float.
        ValueError: the reduction is unknown.

    Difference from PyTorch: the order of the arguments; the default distance is along axis 1, with
    nothing added to the differences.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> a, p, n = ms.Tensor([[0.0, 0.0]]), ms.Tensor([[1.0, 0.0]]), ms.Tensor([[0.0, 3.0]])
        >>> print(ms.nn.TripletMarginWithDistanceLoss(margin=2.5)(a, p, n))
        0.5
    """

    def __init__(
        self,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        swap: bool = False,
        reduction: str = "mean",
        margin: float = 1.0,
    ) -> None:
        super().__init__(reduction)
        op_name = "TripletMarginWithDistanceLoss"
        if distance_function is not None and not callable(distance_function):
            raise TypeError(
                f"For '{op_name}', 'distance_function' must be callable or None, but got "
                f"{type(distance_function).__name__}."
            )
        self.distance_function = distance_function
        self.swap = boolean(op_name, "swap", swap)
        self.margin = float_only(op_name, "margin", margin)

    def construct(self, x: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        distance = self.distance_function or _distance
        near, far = distance(x, positive), distance(x, negative)
        if self.swap:
            far = ops.minimum(far, distance(positive, negative))
        return self.get_loss(ops.relu(near - far + self.margin))
