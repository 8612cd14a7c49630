"""Losses of numbers: the distance between predicted and true values."""

from __future__ import annotations

from agar import ops
from agar._core.tensor import Tensor
from agar.nn._checks import boolean, number, positive
from agar.nn.loss._base import LossBase
from agar.ops._layers import layer_binding
from agar.ops.nn import loss_layers

__all__ = [
    "GaussianNLLLoss",
    "HuberLoss",
    "L1Loss",
    "L1LossExt",
    "MAELoss",
    "MSELoss",
    "PoissonNLLLoss",
    "RMSELoss",
    "SmoothL1Loss",
]

_poisson_nll = layer_binding("PoissonNLLLoss", loss_layers.poisson_nll, "PoissonNLLLoss")


class L1Loss(LossBase):
    r"""Absolute error: :math:`l_i = |x_i - y_i|`.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - predictions x of any shape.
        - **labels** (Tensor) - targets y of a shape that broadcasts with `logits`.

    Outputs: Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: broadcasting does not warn.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.L1Loss()(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 4.0])))
        1.0
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.l1_loss(logits, labels, self.reduction)


class L1LossExt(L1Loss):
    """The same as :class:`L1Loss`, under the name of MindSpore's newer kernels.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - predictions of any shape.
        - **labels** (Tensor) - targets of a shape that broadcasts with that of `logits`.

    Outputs: Tensor: a number, or with ``"none"`` the broadcast shape.

    Difference from PyTorch: broadcasting does not warn.

    Source: the name exists in MindSpore 2.10, where it has no CPU kernel.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.L1LossExt()(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 4.0])))
        1.0
    """


class MAELoss(LossBase):
    r"""Mean absolute error: :math:`l_i = |x_i - y_i|`.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - predictions x of any shape.
        - **label** (Tensor) - targets y of a shape that broadcasts with `logits`.

    Outputs: Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: ``torch.nn.L1Loss`` under another name.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MAELoss()(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 4.0])))
        1.0
    """

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        return ops.l1_loss(logits, label, self.reduction)


class MSELoss(LossBase):
    r"""Squared error: :math:`l_i = (x_i - y_i)^2`.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - predictions x of any shape.
        - **labels** (Tensor) - targets y of a shape that broadcasts with `logits`.

    Outputs: Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: broadcasting does not warn.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.MSELoss()(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 4.0])))
        2.0
    """

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.mse_loss(logits, labels, self.reduction)


class RMSELoss(LossBase):
    r"""Root of the mean squared error: :math:`\sqrt{\frac{1}{M} \sum_i (x_i - y_i)^2}`.

    Inputs:
        - **logits** (Tensor) - predictions x of any shape.
        - **label** (Tensor) - targets y of a shape that broadcasts with `logits`.

    Outputs: Tensor: a number.

    Raises:
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: none (no counterpart).

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.RMSELoss()(ms.Tensor([1.0, 2.0]), ms.Tensor([2.0, 4.0])))
        1.5811388
    """

    def __init__(self) -> None:
        super().__init__()
        self.MSELoss = MSELoss()

    def construct(self, logits: Tensor, label: Tensor) -> Tensor:
        return ops.sqrt(self.MSELoss(logits, label))


class SmoothL1Loss(LossBase):
    r"""Smooth L1 loss: quadratic below `beta`, linear above.

    .. math::
        l_i = \begin{cases}
            (x_i - y_i)^2 / (2 \beta) & \text{if } |x_i - y_i| < \beta \\
            |x_i - y_i| - \beta / 2   & \text{otherwise}
        \end{cases}

    Args:
        beta (float): the threshold between the quadratic and the linear part. Default: 1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"none"``.

    Inputs:
        - **logits** (Tensor) - predictions x of any shape.
        - **labels** (Tensor) - targets y of the same shape.

    Outputs: Tensor: a number, or with ``"none"`` the shape of `logits`.

    Raises:
        ValueError: the reduction is unknown, or the shapes differ.
        RuntimeError: `beta` is negative.
        TypeError: `beta` is not a number.

    Difference from PyTorch: `beta` comes first, and the default reduction is ``"none"``.

    Source: Girshick 2015, "Fast R-CNN".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.SmoothL1Loss()(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 4.0])))
        [0.  1.5]
    """

    def __init__(self, beta: float = 1.0, reduction: str = "none") -> None:
        super().__init__(reduction)
        self.beta = number("SmoothL1Loss", "beta", beta)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    r"""Huber loss: quadratic up to `delta`, linear above.

    .. math::
        l_i = \begin{cases}
            (x_i - y_i)^2 / 2                  & \text{if } |x_i - y_i| \le \delta \\
            \delta (|x_i - y_i| - \delta / 2)  & \text{otherwise}
        \end{cases}

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        delta (Union[int, float]): the threshold between the quadratic and the linear part. Default:
            1.0.

    Inputs:
        - **logits** (Tensor) - predictions x of any shape.
        - **labels** (Tensor) - targets y of a shape that broadcasts with `logits`.

    Outputs: Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        ValueError: the reduction is unknown, `delta` is not above 0, or the shapes do not
            broadcast.
        TypeError: `delta` is not a number.

    Difference from PyTorch: broadcasting does not warn.

    Source: Huber 1964, "Robust Estimation of a Location Parameter".

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.HuberLoss()(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 4.0])))
        0.75
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction)
        self.delta = positive("HuberLoss", "delta", delta, strict=False)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.huber_loss(logits, labels, self.reduction, self.delta)


class PoissonNLLLoss(LossBase):
    r"""Negative log likelihood of counts under Poisson distributions.

    With `log_input`: :math:`l_i = \exp(x_i) - y_i x_i`; otherwise
    :math:`l_i = x_i - y_i \log(x_i + \epsilon)`. With `full`, Stirling's
    :math:`y_i \log y_i - y_i + \frac{1}{2} \log(2 \pi y_i)` is added where :math:`y_i > 1`.

    Args:
        log_input (bool): whether the inputs are logarithms of rates. Default: True.
        full (bool): whether to add Stirling's term. Default: False.
        eps (float): prevents the logarithm of zero. Default: 1e-8.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **input** (Tensor) - rates, or their logarithms, of any shape.
        - **target** (Tensor) - counts of a shape that broadcasts with `input`.

    Outputs: Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: none.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.PoissonNLLLoss()(ms.Tensor([0.0, 0.0]), ms.Tensor([2.0, 3.0])))
        1.0
    """

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        eps: float = 1e-8,
        reduction: str = "mean",
    ) -> None:
        super().__init__(reduction)
        self.log_input = bool(log_input)
        self.full = bool(full)
        self.eps = number("PoissonNLLLoss", "eps", eps)

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return _poisson_nll(input, target, self.log_input, self.full, self.eps, self.reduction)


class GaussianNLLLoss(LossBase):
    r"""Negative log likelihood of targets under normal distributions.

    .. math::
        l_i = \frac{1}{2} \left( \log \max(var_i, \epsilon)
            + \frac{(x_i - y_i)^2}{\max(var_i, \epsilon)} \right) + const

    Args:
        full (bool): whether to add the constant :math:`\frac{1}{2}\log 2\pi`. Default: False.
        eps (float): the least variance. Default: 1e-6.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - means x of any shape.
        - **labels** (Tensor) - samples y of a shape that broadcasts.
        - **var** (Tensor) - variances, of a shape that broadcasts or without its last axis.

    Outputs: Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        ValueError: the reduction is unknown, `eps` is not above 0, or the shapes do not fit.
        TypeError: `full` is not a bool, `eps` is not a float.

    Difference from PyTorch: negative variances are treated as `eps` and do not raise.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> loss = ms.nn.GaussianNLLLoss()
        >>> print(loss(ms.Tensor([1.0]), ms.Tensor([2.0]), ms.Tensor([1.0])))
        0.5
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self.full = boolean("GaussianNLLLoss", "full", full)
        self.eps = positive("GaussianNLLLoss", "eps", eps)

    def construct(self, logits: Tensor, labels: Tensor, var: Tensor) -> Tensor:
        return ops.gaussian_nll_loss(logits, labels, var, self.full, self.eps, self.reduction)
