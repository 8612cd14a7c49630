"""Losses with PyTorch's arguments. They compute in the type of their inputs."""

from __future__ import annotations

from agar._core.tensor import Tensor
from agar.mint.nn import functional as F
from agar.nn.cell import Cell
from agar.nn.loss import loss as nn_loss
from agar.ops._checks import between, boolean, integer, number
from agar.ops.nn.loss import REDUCTIONS, checked_reduction
from agar.ops.nn.loss_classification import KL_REDUCTIONS

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "KLDivLoss",
    "MSELoss",
    "NLLLoss",
    "SmoothL1Loss",
]


class _Loss(Cell):
    """What the losses share: the reduction, and weights that travel with the cell."""

    def __init__(self, reduction: str, options: tuple[str, ...] = REDUCTIONS) -> None:
        super().__init__()
        self.reduction = checked_reduction(self.cls_name, reduction, options)

    _keep = nn_loss.LossBase._keep


class BCELoss(Cell):
    r"""Binary cross entropy of probabilities.

    .. math:: l_i = -w_i (t_i \log x_i + (1 - t_i) \log(1 - x_i))

    Args:
        weight (Tensor): factors, of a shape that broadcasts with the input's. Default: None.
        reduction (str): ``mean``, ``sum`` or ``none``. Default: ``"mean"``.

    Inputs:
        - **input** (Tensor) - probabilities, floating point, any shape.
        - **target** (Tensor) - of the same shape and dtype, in [0, 1].

    Outputs: Tensor, a number, or of the input's shape for reduction ``none``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the reduction is unknown, or the shapes differ.

    Difference from PyTorch: half-precision inputs are computed in float32.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.BCELoss()(ms.Tensor([0.5]), ms.Tensor([1.0])))
        0.6931472
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__()
        self.bce_loss = nn_loss.BCELoss(weight, reduction)

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return self.bce_loss(input, target)


class BCEWithLogitsLoss(_Loss):
    r"""Binary cross entropy of logits: a sigmoid and ``BCELoss`` in one, exact for large numbers.

    .. math:: l_i = -w_i (p\, t_i \log \sigma(x_i) + (1 - t_i) \log(1 - \sigma(x_i)))

    Args:
        weight (Tensor): factors :math:`w`, of a shape that broadcasts with the input's. Default:
            None.
        reduction (str): ``mean``, ``sum`` or ``none``. Default: ``"mean"``.
        pos_weight (Tensor): factors :math:`p` of the positive examples. Default: None.

    Inputs:
        - **input** (Tensor) - logits, floating point, any shape.
        - **target** (Tensor) - of the same shape.

    Outputs: Tensor, a number, or of the input's shape for reduction ``none``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the reduction is unknown, or the shapes do not fit.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.BCEWithLogitsLoss()(ms.Tensor([0.0]), ms.Tensor([1.0])))
        0.6931472
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(reduction)
        self._keep("weight", weight)
        self._keep("pos_weight", pos_weight)

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, self.reduction, self.pos_weight
        )


class CosineEmbeddingLoss(_Loss):
    r"""Cosine embedding loss of similar (1) and dissimilar (-1) vectors.

    .. math:: l = 1 - \cos(x_1, x_2) \text{ if } t = 1, \quad \max(0, \cos(x_1, x_2) - margin)
        \text{ if } t = -1

    Args:
        margin (float): the cosine above which dissimilar pairs add a loss. Default: 0.0.
        reduction (str): ``mean``, ``sum`` or ``none``. Default: ``"mean"``.

    Inputs:
        - **input1** (Tensor) - shape :math:`(N, D)` or :math:`(D,)`.
        - **input2** (Tensor) - of the same shape.
        - **target** (Tensor) - 1 or -1, shape :math:`(N,)` or :math:`()`.

    Outputs: Tensor, a number, or of the target's shape for reduction ``none``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the reduction is unknown, or the shapes do not fit.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> x, y = ms.Tensor([[1.0, 0.0]]), ms.Tensor([[0.0, 1.0]])
        >>> print(ms.mint.nn.CosineEmbeddingLoss()(x, y, ms.Tensor([1])))
        1.0
    """

    def __init__(self, margin: float = 0.0, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.margin = number("CosineEmbeddingLoss", "margin", margin)

    def construct(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        return F.cosine_embedding_loss(input1, input2, target, self.margin, self.reduction)


class CrossEntropyLoss(_Loss):
    r"""Cross entropy of logits: log-softmax and ``NLLLoss`` in one.

    .. math:: l_n = -w_{t_n} \log \frac{e^{x_{n, t_n}}}{\sum_c e^{x_{n, c}}}

    Reduction ``mean`` divides by the sum of the weights that were used; for targets that are
    probabilities, by N.

    Args:
        weight (Tensor): factors of the classes, shape :math:`(C,)`. Default: None.
        ignore_index (int): targets of this class are ignored. Default: -100.
        reduction (str): ``mean``, ``sum`` or ``none``. Default: ``"mean"``.
        label_smoothing (float): the fraction of the target, in [0, 1], that is spread evenly over
            all classes. Default: 0.0.

    Inputs:
        - **input** (Tensor) - logits, shape :math:`(C,)`, :math:`(N, C)` or
          :math:`(N, C, d_1, ...)`.
        - **target** (Tensor) - integer classes of shape :math:`()`, :math:`(N,)` or
          :math:`(N, d_1, ...)`, or probabilities of the input's shape.

    Outputs: Tensor, a number, or a loss for every target for reduction ``none``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an option is unknown or out of range, or the shapes do not fit.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.CrossEntropyLoss()(ms.Tensor([[0.0, 0.0]]), ms.Tensor([1])))
        0.6931472
    """

    def __init__(
        self,
        weight: Tensor | None = None,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(reduction)
        self._keep("weight", weight)
        self.ignore_index = integer("CrossEntropyLoss", "ignore_index", ignore_index)
        self.label_smoothing = between(
            "CrossEntropyLoss", "label_smoothing", label_smoothing, 0.0, 1.0
        )

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return F.cross_entropy(
            input, target, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )


class KLDivLoss(_Loss):
    r"""Kullback-Leibler divergence of log-probabilities from a target.

    .. math:: l_i = t_i (\log t_i - x_i), \text{ or } e^{t_i} (t_i - x_i) \text{ if the target is a
        logarithm}

    Args:
        reduction (str): ``mean``, ``batchmean`` (the sum divided by the batch's size), ``sum`` or
            ``none``. Default: ``"mean"``.
        log_target (bool): whether the target is given as logarithms. Default: False.

    Inputs:
        - **input** (Tensor) - log-probabilities, any shape.
        - **target** (Tensor) - of the same shape.

    Outputs: Tensor, a number, or of the input's shape for reduction ``none``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the reduction is unknown, or the shapes do not fit.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> loss = ms.mint.nn.KLDivLoss("sum")
        >>> print(loss(ms.Tensor([-0.5, -1.0]), ms.Tensor([0.0, 1.0])))
        1.0
    """

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__(reduction, KL_REDUCTIONS)
        self.log_target = boolean("KLDivLoss", "log_target", log_target)

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return F.kl_div(input, target, self.reduction, self.log_target)


class MSELoss(_Loss):
    r"""Squared difference: :math:`l_i = (x_i - t_i)^2`.

    Args:
        reduction (str): ``mean``, ``sum`` or ``none``. Default: ``"mean"``.

    Inputs:
        - **input** (Tensor) - any shape.
        - **target** (Tensor) - of a shape that broadcasts with it.

    Outputs: Tensor, a number, or of the common shape for reduction ``none``.

    Raises:
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.MSELoss()(ms.Tensor([1.0, 3.0]), ms.Tensor([0.0, 0.0])))
        5.0
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__(reduction)

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return F.mse_loss(input, target, self.reduction)


class NLLLoss(_Loss):
    r"""Negative log-likelihood of classes: :math:`l_n = -w_{t_n} x_{n, t_n}`.

    Reduction ``mean`` divides by the sum of the weights that were used.

    Args:
        weight (Tensor): factors of the classes, shape :math:`(C,)`. Default: None.
        ignore_index (int): targets of this class are ignored. Default: -100.
        reduction (str): ``mean``, ``sum`` or ``none``. Default: ``"mean"``.

    Inputs:
        - **input** (Tensor) - log-probabilities, shape :math:`(C,)`, :math:`(N, C)` or
          :math:`(N, C, d_1, ...)`.
        - **target** (Tensor) - integer classes of shape :math:`()`, :math:`(N,)` or
          :math:`(N, d_1, ...)`.

    Outputs: Tensor, a number, or a loss for every target for reduction ``none``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the reduction is unknown, or the shapes do not fit.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.NLLLoss()(ms.Tensor([[-1.0, -2.0]]), ms.Tensor([1])))
        2.0
    """

    def __init__(
        self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        self._keep("weight", weight)
        self.ignore_index = integer("NLLLoss", "ignore_index", ignore_index)

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return F.nll_loss(input, target, self.weight, self.ignore_index, self.reduction)


class SmoothL1Loss(_Loss):
    r"""Squared difference near zero, absolute difference elsewhere.

    .. math:: l_i = (x_i - t_i)^2 / (2 \beta) \text{ if } |x_i - t_i| < \beta, \text{ else }
        |x_i - t_i| - \beta / 2

    Args:
        reduction (str): ``mean``, ``sum`` or ``none``. Default: ``"mean"``.
        beta (Union[int, float]): :math:`\beta`. Default: 1.0.

    Inputs:
        - **input** (Tensor) - any shape.
        - **target** (Tensor) - of the same shape.

    Outputs: Tensor, a number, or of the input's shape for reduction ``none``.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the reduction is unknown, `beta` is negative, or the shapes do not fit.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.mint.nn.SmoothL1Loss()(ms.Tensor([1.0, 3.0]), ms.Tensor([1.0, 1.0])))
        0.75
    """

    def __init__(self, reduction: str = "mean", beta: float = 1.0) -> None:
        super().__init__(reduction)
        self.beta = number("SmoothL1Loss", "beta", beta)

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return F.smooth_l1_loss(input, target, self.reduction, self.beta)
