"""Losses as cells: what a network's output costs, as one number or one per sample.

NOTE Precision. A loss of half-precision inputs, or called while a precision scope of an outer cell
is open, computes in float32 and returns float32 (MindSpore computes it in the half type). A loss
that was given a type itself, with ``to_float``, computes in that type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agar import ops
from agar._core import dtype as mstype
from agar._core import precision
from agar._core.parameter import Parameter
from agar._core.random import Stream
from agar._core.random.draws import uniform_candidates
from agar._core.tensor import Tensor
from agar.nn._checks import boolean, float_only, integer, number, positive
from agar.nn.cell import Cell
from agar.nn.layer.activation import LogSoftmax, get_activation
from agar.ops._layers import layer_face
from agar.ops.nn import loss_layers
from agar.ops.nn.loss import REDUCTIONS
from agar.ops.nn.loss_classification import KL_REDUCTIONS

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CTCLoss",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "DiceLoss",
    "FocalLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "L1LossExt",
    "LossBase",
    "MAELoss",
    "MSELoss",
    "MarginRankingLoss",
    "MultiClassDiceLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "MultilabelMarginLoss",
    "NLLLoss",
    "PoissonNLLLoss",
    "RMSELoss",
    "SampledSoftmaxLoss",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "SoftmaxCrossEntropyWithLogits",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]

_AS_THEY_ARE = precision.CastScope(None)

_dice = layer_face("DiceLoss", loss_layers.dice, "DiceLoss")
_distance = layer_face("TripletMarginWithDistanceLoss", loss_layers.distance, "LpNorm")
_focal = layer_face("FocalLoss", loss_layers.focal, "FocalLoss")
_poisson_nll = layer_face("PoissonNLLLoss", loss_layers.poisson_nll, "PoissonNLLLoss")
_sampled_softmax = layer_face(
    "SampledSoftmaxLoss", loss_layers.sampled_softmax, "SampledSoftmaxLoss"
)
_softmax_cross_entropy = layer_face(
    "SoftmaxCrossEntropyWithLogits",
    loss_layers.softmax_cross_entropy,
    "SoftmaxCrossEntropyWithLogits",
)


def _is_half(value: Any) -> bool:
    held = getattr(value, "_value", None)
    return held is not None and held.dtype.itemsize == 2 and held.is_floating_point()


def _full(value: Any) -> Any:
    return Tensor.astype(value, mstype.float32) if _is_half(value) else value


def _any_half(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    for value in args:  # a loop: this stands on the way of every call
        if _is_half(value):
            return True
    return bool(kwargs) and any(_is_half(v) for v in kwargs.values())


class LossBase(Cell):
    """Base class of losses: a subclass computes values in ``construct`` and reduces them.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Raises:
        ValueError: the reduction is unknown.

    Difference from PyTorch: losses compute in float32 under mixed precision (see the module's
    NOTE Precision).

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> class Fourth(ms.nn.LossBase):
        ...     def construct(self, logits, labels):
        ...         return self.get_loss((logits - labels) ** 4)
        >>> print(Fourth("sum")(ms.Tensor([1.0, 3.0]), ms.Tensor([0.0, 1.0])))
        17.0
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self._set_reduction(reduction, REDUCTIONS)

    def _set_reduction(self, reduction: Any, options: tuple[str, ...]) -> None:
        if reduction not in options:
            raise ValueError(
                f"For '{type(self).__name__}', the 'reduction' must be in {list(options)}, but got "
                f"{reduction!r}."
            )
        self.reduction = reduction
        self.average = reduction != "sum"
        self.reduce = reduction != "none"

    def _keep(self, name: str, value: Any) -> None:
        """Store a Tensor of constants so that it moves between devices with the cell."""
        if value is None or isinstance(value, Parameter):
            setattr(self, name, value)
        elif isinstance(value, Tensor):
            self.register_buffer(name, value, persistent=False)
        else:
            raise TypeError(
                f"For '{type(self).__name__}', the type of '{name}' should be 'Tensor', but got "
                f"type '{type(value).__name__}'."
            )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run ``construct``, in float32 where the inputs are half types (NOTE Precision)."""
        if self._float_type is None and (precision.current() or _any_half(args, kwargs)):
            args = tuple(_full(a) for a in args)
            kwargs = {key: _full(a) for key, a in kwargs.items()}
            with precision.scope(_AS_THEY_ARE):
                return super().__call__(*args, **kwargs)
        return super().__call__(*args, **kwargs)

    def get_axis(self, x: Tensor) -> tuple[int, ...]:
        """All axes of a tensor.

        Args:
            x (Tensor): any tensor.

        Returns:
            tuple of int.
        """
        return tuple(range(x.ndim))

    def get_loss(self, x: Tensor, weights: Tensor | float = 1.0) -> Tensor:
        """Values times weights, reduced.

        Args:
            x (Tensor): a value per element or sample.
            weights (Union[float, Tensor]): factors of a shape that broadcasts. Default: 1.0.

        Returns:
            Tensor of the type of `x`; half types are reduced in float32.

        Raises:
            ValueError: the shapes do not broadcast.
        """
        kind = x.dtype
        loss = _full(x) * _full(weights)
        if self.reduce:
            loss = loss.mean() if self.average else loss.sum()
        return loss if loss.dtype is kind else loss.astype(kind)


# ------------------------------------------------------------------------------- numbers


class L1Loss(LossBase):
    r"""Absolute error: :math:`l_i = |x_i - y_i|`.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - predictions x of any shape.
        - **labels** (Tensor) - targets y of a shape that broadcasts with `logits`.

    Outputs:
        Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: broadcasting does not warn.

    Source: behaviour observed in MindSpore 2.10.

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

    Outputs:
        Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: ``torch.nn.L1Loss`` under another name.

    Source: behaviour observed in MindSpore 2.10.

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

    Outputs:
        Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: broadcasting does not warn.

    Source: behaviour observed in MindSpore 2.10.

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

    Outputs:
        Tensor: a number.

    Raises:
        ValueError: the shapes do not broadcast.

    Difference from PyTorch: none (no counterpart).

    Source: behaviour observed in MindSpore 2.10.

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
    r"""Squared error near zero, absolute error beyond `beta`.

    .. math::
        l_i = \begin{cases}
            (x_i - y_i)^2 / (2 \beta) & \text{if } |x_i - y_i| < \beta \\
            |x_i - y_i| - \beta / 2   & \text{otherwise}
        \end{cases}

    Args:
        beta (float): where the square becomes a line. Default: 1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"none"``.

    Inputs:
        - **logits** (Tensor) - predictions x of any shape.
        - **labels** (Tensor) - targets y of the same shape.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `logits`.

    Raises:
        ValueError: the reduction is unknown, or the shapes differ.
        RuntimeError: `beta` is negative.
        TypeError: `beta` is no number.

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
    r"""Half the squared error up to `delta`, then a line of slope `delta`.

    .. math::
        l_i = \begin{cases}
            (x_i - y_i)^2 / 2                  & \text{if } |x_i - y_i| \le \delta \\
            \delta (|x_i - y_i| - \delta / 2)  & \text{otherwise}
        \end{cases}

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        delta (Union[int, float]): where the square becomes a line. Default: 1.0.

    Inputs:
        - **logits** (Tensor) - predictions x of any shape.
        - **labels** (Tensor) - targets y of a shape that broadcasts with `logits`.

    Outputs:
        Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        ValueError: the reduction is unknown, `delta` is not above 0, or the shapes do not
            broadcast.
        TypeError: `delta` is no number.

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
        eps (float): against the logarithm of zero. Default: 1e-8.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **input** (Tensor) - rates, or their logarithms, of any shape.
        - **target** (Tensor) - counts of a shape that broadcasts with `input`.

    Outputs:
        Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

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

    Outputs:
        Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        ValueError: the reduction is unknown, `eps` is not above 0, or the shapes do not fit.
        TypeError: `full` is no bool, `eps` no float.

    Difference from PyTorch: negative variances count as `eps` instead of raising.

    Source: behaviour observed in MindSpore 2.10.

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


# ------------------------------------------------------------------------------- classes


class CrossEntropyLoss(LossBase):
    r"""Cross entropy between scores of classes and class indices or probabilities.

    With indices :math:`y`: :math:`l_n = -w_{y_n} \log \mathrm{softmax}(x_n)_{y_n}`; the mean
    divides by the weights of the samples that are not ignored. With probabilities :math:`p`:
    :math:`l_n = -\sum_c w_c p_{n,c} \log \mathrm{softmax}(x_n)_c`.

    Args:
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        ignore_index (int): an index whose samples do not count. Default: -100.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        label_smoothing (float): the part of the target that is spread over all classes.
            Default: 0.0.

    Inputs:
        - **logits** (Tensor) - scores, shape :math:`(C,)`, :math:`(N, C)` or
          :math:`(N, C, d_1, ...)`.
        - **labels** (Tensor) - indices of an integer type, shape :math:`()`, :math:`(N,)` or
          :math:`(N, d_1, ...)`; or probabilities of the shape of `logits`.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of the indices.

    Raises:
        TypeError: `weight` is no Tensor, or `ignore_index` no int.
        ValueError: the reduction or smoothing is not allowed, or shapes do not fit.
        RuntimeError: a class index does not exist.

    Difference from PyTorch: every integer type may hold the indices.

    Source: behaviour observed in MindSpore 2.10, which wants int32 indices here.

    Examples:
        >>> import agar as ms
        >>> logits = ms.Tensor([[1.0, 2.0], [0.0, 0.0]])
        >>> print(ms.nn.CrossEntropyLoss()(logits, ms.Tensor([1, 0])))
        0.5032044
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
        if not isinstance(label_smoothing, (int, float)) or not 0 <= label_smoothing <= 1:
            raise ValueError(
                "For 'CrossEntropyLoss', the 'label_smoothing' must be in range of [0.0, 1.0], "
                f"but got {label_smoothing!r}."
            )
        self.label_smoothing = label_smoothing

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.cross_entropy(
            logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing
        )


class NLLLoss(LossBase):
    r"""Negative log likelihood of classes: :math:`l_n = -w_{y_n} x_{n, y_n}`.

    Args:
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        ignore_index (int): an index whose samples do not count. Default: -100.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - log probabilities x, shape :math:`(C,)`, :math:`(N, C)` or
          :math:`(N, C, d_1, ...)`.
        - **labels** (Tensor) - class indices y of an integer type, shape :math:`()`,
          :math:`(N,)` or :math:`(N, d_1, ...)`.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `labels`.

    Raises:
        TypeError: `weight` is no Tensor, `ignore_index` no int, or `labels` not of an integer
            type.
        ValueError: the reduction is unknown, or shapes do not fit.
        RuntimeError: a class index does not exist.

    Difference from PyTorch: every integer type may hold the indices.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.NLLLoss()(ms.Tensor([[-1.0, -2.0]]), ms.Tensor([1])))
        2.0
    """

    def __init__(
        self, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction)
        self._keep("weight", weight)
        self.ignore_index = integer("NLLLoss", "ignore_index", ignore_index)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.nll_loss(logits, labels, self.weight, self.ignore_index, self.reduction)


class SoftmaxCrossEntropyWithLogits(LossBase):
    r"""Cross entropy between scores and one-hot labels, or with `sparse` class indices.

    .. math::
        l_n = -\sum_c y_{n,c} \log \mathrm{softmax}(x_n)_c

    Args:
        sparse (bool): whether the labels are class indices. Default: False.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"none"``.

    Inputs:
        - **logits** (Tensor) - scores x, shape :math:`(N, C)`; the classes are on the last axis.
        - **labels** (Tensor) - probabilities y of the same shape and a float type, or with
          `sparse` class indices of an integer type, shape :math:`(N,)`. An index that names no
          class costs nothing with the reductions ``"none"`` and ``"sum"``.

    Outputs:
        Tensor: a number, or with ``"none"`` shape :math:`(N,)`.

    Raises:
        TypeError: `sparse` is no bool, or the labels are of the wrong kind.
        ValueError: the reduction is unknown, or shapes do not fit.
        RuntimeError: with `sparse` and the mean, a class index does not exist.

    Difference from PyTorch: ``torch.nn.CrossEntropyLoss`` takes both kinds of labels, has classes
    on axis 1, and its default reduction is the mean.

    Source: behaviour observed in MindSpore 2.10, whose gradient assumes labels that sum to one.

    Examples:
        >>> import agar as ms
        >>> loss = ms.nn.SoftmaxCrossEntropyWithLogits(sparse=True)
        >>> print(loss(ms.Tensor([[1.0, 2.0], [0.0, 0.0]]), ms.Tensor([1, 0])))
        [0.31326166 0.6931472 ]
    """

    def __init__(self, sparse: bool = False, reduction: str = "none") -> None:
        super().__init__(reduction)
        self.sparse = boolean("SoftmaxCrossEntropyWithLogits", "sparse", sparse)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return _softmax_cross_entropy(logits, labels, self.sparse, self.reduction)


class BCELoss(LossBase):
    r"""Cross entropy between probabilities and targets of two classes.

    .. math::
        l_i = -w_i (y_i \log(x_i + 10^{-12}) + (1 - y_i) \log(1 - x_i + 10^{-12}))

    Args:
        weight (Tensor): factors w of a shape that broadcasts with the inputs. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - probabilities x in [0, 1], of any shape.
        - **labels** (Tensor) - targets y of the same shape.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `logits`.

    Raises:
        TypeError: `weight` is no Tensor.
        ValueError: the reduction is unknown, or the shapes differ.
        RuntimeError: a probability is not between 0 and 1.

    Difference from PyTorch: the loss of a certain error is 27.63, there 100.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.BCELoss()(ms.Tensor([0.2, 0.7]), ms.Tensor([1.0, 0.0])))
        1.4067054
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self._keep("weight", weight)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    r"""Cross entropy between scores and targets of two classes.

    .. math::
        l_i = -w_i (p_i y_i \log \sigma(x_i) + (1 - y_i) \log(1 - \sigma(x_i)))

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        weight (Tensor): factors w of a shape that broadcasts with the inputs. Default: None.
        pos_weight (Tensor): factors p of the positive class. Default: None.

    Inputs:
        - **input** (Tensor) - scores (logits) x of any shape.
        - **target** (Tensor) - targets y of the same shape.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `input`.

    Raises:
        TypeError: `weight` or `pos_weight` is no Tensor.
        ValueError: the reduction is unknown, or the shapes do not fit.

    Difference from PyTorch: `reduction` comes first.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.BCEWithLogitsLoss("none")(ms.Tensor([0.0, 2.0]), ms.Tensor([1.0, 0.0])))
        [0.6931472 2.126928 ]
    """

    def __init__(
        self,
        reduction: str = "mean",
        weight: Tensor | None = None,
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(reduction)
        self._keep("weight", weight)
        self._keep("pos_weight", pos_weight)

    def construct(self, input: Tensor, target: Tensor) -> Tensor:
        return ops.binary_cross_entropy_with_logits(
            input, target, self.weight, self.pos_weight, self.reduction
        )


class KLDivLoss(LossBase):
    r"""Kullback-Leibler divergence: :math:`l_i = y_i (\log y_i - x_i)`.

    Args:
        reduction (str): ``"mean"``, ``"sum"``, ``"none"``, or ``"batchmean"`` (the sum divided by
            the first size). Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - log probabilities x of any shape.
        - **labels** (Tensor) - probabilities y of the same shape.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `logits`.

    Raises:
        ValueError: the reduction is unknown, or the shapes differ.

    Difference from PyTorch: ``"mean"`` does not warn; there is no `log_target`.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> print(ms.nn.KLDivLoss("sum")(ms.Tensor([-1.0, -2.0]), ms.Tensor([1.0, 1.0])))
        3.0
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__()
        self._set_reduction(reduction, KL_REDUCTIONS)

    def construct(self, logits: Tensor, labels: Tensor) -> Tensor:
        return ops.kl_div(logits, labels, self.reduction)


class FocalLoss(LossBase):
    r"""Cross entropy that leaves easy samples out: :math:`l = -w (1 - p)^\gamma \log p`.

    Args:
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        gamma (float): how much easy samples are left out. Default: 2.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - scores, shape :math:`(N, C)`, :math:`(N, C, L)` or
          :math:`(N, C, H, W)`; p is their softmax over the classes.
        - **labels** (Tensor) - of the same rank: class indices with a 1 in place of C, or the
          shape of `logits` with 1 where a class is present.

    Outputs:
        Tensor: a number; with ``"none"`` the means over the positions, shape :math:`(N,)` for
        indices and :math:`(N, C)` otherwise.

    Raises:
        TypeError: `weight` is no Tensor, or `gamma` no float.
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
        smooth (float): the term s against division by zero. Default: 1e-5.

    Inputs:
        - **logits** (Tensor) - probabilities x of any shape.
        - **label** (Tensor) - targets y of the same shape.

    Outputs:
        Tensor: a number.

    Raises:
        TypeError: `smooth` is no float.
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

    Outputs:
        Tensor: a number, or the shape of a row of `weights` with two axes.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: the activation is unknown, or shapes do not fit.

    Difference from PyTorch: none (no counterpart).

    Source: behaviour observed in MindSpore 2.10, whose spelling `ignore_indiex` is kept.

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


class MultiLabelSoftMarginLoss(LossBase):
    r"""Binary cross entropies of several labels, averaged per sample.

    .. math::
        l_n = -\frac{1}{C} \sum_c w_c (y_{n,c} \log \sigma(x_{n,c})
            + (1 - y_{n,c}) \log(1 - \sigma(x_{n,c})))

    Args:
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **x** (Tensor) - scores, shape :math:`(N, C)`.
        - **target** (Tensor) - targets y of the same shape, 0 or 1.

    Outputs:
        Tensor: a number, or with ``"none"`` shape :math:`(N,)`.

    Raises:
        TypeError: `weight` is no Tensor.
        ValueError: the reduction is unknown, or the shapes differ.

    Difference from PyTorch: none.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> loss = ms.nn.MultiLabelSoftMarginLoss()
        >>> print(loss(ms.Tensor([[0.0, 2.0]]), ms.Tensor([[1.0, 1.0]])))
        0.41004
    """

    def __init__(self, weight: Tensor | None = None, reduction: str = "mean") -> None:
        super().__init__(reduction)
        self._keep("weight", weight)

    def construct(self, x: Tensor, target: Tensor) -> Tensor:
        return ops.multilabel_soft_margin_loss(x, target, self.weight, self.reduction)


class MultilabelMarginLoss(LossBase):
    r"""Hinge loss of several classes per sample.

    .. math::
        l_n = \frac{1}{C} \sum_{j} \sum_{i \notin Y_n} \max(0, 1 - (x_{n, y_{n,j}} - x_{n, i}))

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **x** (Tensor) - scores, shape :math:`(C,)` or :math:`(N, C)`.
        - **target** (Tensor) - class indices of the same shape; those before the first -1 count.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape without C.

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

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `target`.

    Raises:
        ValueError: `p` is neither 1 nor 2, the reduction is unknown, a class index does not exist,
            or shapes do not fit.
        TypeError: `margin` is no number, or `weight` no Tensor.

    Difference from PyTorch: `reduction` comes before `weight`.

    Source: behaviour observed in MindSpore 2.10.

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


class CTCLoss(LossBase):
    r"""Negative log likelihood of label sequences that are not aligned with the inputs.

    Sums the probabilities of all alignments: sequences of classes that give the labels when
    repetitions are merged and blanks removed.

    Args:
        blank (int): the class that means no label. Default: 0.
        reduction (str): ``"mean"`` (each loss is divided by its number of labels first), ``"sum"``
            or ``"none"``. Default: ``"mean"``.
        zero_infinity (bool): whether samples that cannot be aligned have loss and gradient 0,
            not infinity. Default: False.

    Inputs:
        - **log_probs** (Tensor) - log probabilities, shape :math:`(T, N, C)` or :math:`(T, C)`.
        - **targets** (Tensor) - labels of an integer type, shape :math:`(N, S)` or :math:`(S,)`.
        - **input_lengths** (Union[Tensor, list[int]]) - time steps of each sample, at most T.
        - **target_lengths** (Union[Tensor, list[int]]) - labels of each sample, at most S.

    Outputs:
        Tensor: a number, or with ``"none"`` shape :math:`(N,)` or :math:`()`.

    Raises:
        ValueError: the reduction is unknown, or the blank or a shape is not allowed.
        RuntimeError: a length is too large.
        TypeError: an argument is of the wrong type.

    Difference from PyTorch: targets are padded, not joined.

    Source: Graves et al. 2006, "Connectionist Temporal Classification". In MindSpore 2.10,
    `zero_infinity` changes the gradient only.

    Examples:
        >>> import agar as ms
        >>> log_probs = ms.ops.log_softmax(ms.Tensor([[[0.0, 0.0]], [[0.0, 0.0]]]), -1)
        >>> print(ms.nn.CTCLoss()(log_probs, ms.Tensor([[1]]), ms.Tensor([2]), ms.Tensor([1])))
        0.2876821
    """

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__(reduction)
        self.blank = integer("CTCLoss", "blank", blank, 0)
        self.zero_infinity = boolean("CTCLoss", "zero_infinity", zero_infinity)

    def construct(
        self,
        log_probs: Tensor,
        targets: Tensor,
        input_lengths: Any,
        target_lengths: Any,
    ) -> Tensor:
        single = log_probs.ndim == 2 and targets.ndim == 1
        if single:
            log_probs, targets = log_probs.expand_dims(1), targets.expand_dims(0)
        loss, _ = ops.ctc_loss(
            log_probs,
            targets,
            input_lengths,
            target_lengths,
            self.blank,
            self.reduction,
            self.zero_infinity,
        )
        return loss.squeeze(0) if single and loss.ndim else loss


class SampledSoftmaxLoss(LossBase):
    r"""Cross entropy over the true classes and a few others, drawn at random.

    For inputs :math:`x`, the scores of the classes are :math:`w_c \cdot x + b_c - \log q_c`, with
    q the expected number of draws; the true classes share the probability 1.

    Args:
        num_sampled (int): how many classes are drawn.
        num_classes (int): the number of all classes.
        num_true (int): the number of true classes of each sample. Default: 1.
        sampled_values (Union[list, tuple]): the drawn classes, and the expected numbers of draws
            of the true and of the drawn classes, as Tensors; None to draw. Default: None.
        remove_accidental_hits (bool): whether true classes are not drawn. Default: True.
        seed (int): of the draws; 0 draws anew in each process. Default: 0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"none"``.

    Inputs:
        - **weights** (Tensor) - shape :math:`(C, D)`.
        - **biases** (Tensor) - shape :math:`(C,)`.
        - **labels** (Tensor) - class indices, shape :math:`(N, num\_true)` or :math:`(N,)`.
        - **logits** (Tensor) - inputs x, shape :math:`(N, D)`.

    Outputs:
        Tensor: a number, or with ``"none"`` shape :math:`(N,)`.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: a number is too small or too large, or the reduction is unknown.

    Difference from PyTorch: none (no counterpart).

    Source: Jean et al. 2015, "On Using Very Large Target Vocabulary for Neural Machine
    Translation"; behaviour observed in MindSpore 2.10, which ignores the reduction.

    Examples:
        >>> import agar as ms
        >>> loss = ms.nn.SampledSoftmaxLoss(num_sampled=1, num_classes=2)
        >>> w, b = ms.Tensor([[0.0], [0.0]]), ms.Tensor([0.0, 0.0])
        >>> print(loss(w, b, ms.Tensor([[0]]), ms.Tensor([[1.0]])))
        [0.6931472]
    """

    def __init__(
        self,
        num_sampled: int,
        num_classes: int,
        num_true: int = 1,
        sampled_values: Any = None,
        remove_accidental_hits: bool = True,
        seed: int = 0,
        reduction: str = "none",
    ) -> None:
        super().__init__(reduction)
        who = "SampledSoftmaxLoss"
        self.num_sampled = integer(who, "num_sampled", num_sampled, 1)
        self.num_classes = integer(who, "num_classes", num_classes, 1)
        self.num_true = integer(who, "num_true", num_true, 1)
        for name, value in (("num_sampled", num_sampled), ("num_true", num_true)):
            if value > num_classes:
                raise ValueError(
                    f"For '{who}', the '{name}' must be smaller than or equal to 'num_classes', "
                    f"but got '{name}': {value} and 'num_classes': {num_classes}."
                )
        if sampled_values is not None:
            if not isinstance(sampled_values, (list, tuple)):
                raise TypeError(
                    f"For '{who}', the type of 'sampled_values' must be a list or tuple, but got "
                    f"{type(sampled_values).__name__}."
                )
            if len(sampled_values) != 3:
                raise ValueError(
                    f"For '{who}', the length of 'sampled_values' must be equal to 3, but got "
                    f"{len(sampled_values)}."
                )
        self.sampled_values = sampled_values
        self.remove_accidental_hits = boolean(who, "remove_accidental_hits", remove_accidental_hits)
        self.seed = integer(who, "seed", seed, 0)
        self.stream = Stream(seed, 0, "UniformCandidateSampler")

    def construct(self, weights: Tensor, biases: Tensor, labels: Tensor, logits: Tensor) -> Tensor:
        if labels.ndim == 1:
            labels = labels.expand_dims(1)
        sampled, true_expected, sampled_expected = self.sampled_values or self._draw(labels)
        loss = _sampled_softmax(
            weights, biases, labels, logits, sampled, true_expected, sampled_expected
        )
        return self.get_loss(loss)

    def _draw(self, labels: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        avoided = set(labels.asnumpy().ravel().tolist()) if self.remove_accidental_hits else set()
        if self.num_sampled > self.num_classes - len(avoided):
            raise ValueError(
                f"For 'SampledSoftmaxLoss', {self.num_sampled} classes cannot be drawn from "
                f"{self.num_classes} without the {len(avoided)} true ones; pass "
                "remove_accidental_hits=False or draw fewer."
            )
        engine = self.stream.engine("lcg", (labels.shape, str(labels.dtype)))
        drawn, _ = uniform_candidates(self.num_sampled, self.num_classes, True, avoided, engine)
        # all classes are expected equally often, and an equal term changes no softmax
        one = Tensor(1.0, device=labels.device)
        return Tensor(drawn, device=labels.device), one, one


# ----------------------------------------------------------------- signs, pairs, triples


class SoftMarginLoss(LossBase):
    r"""Logistic loss of signs: :math:`l_i = \log(1 + \exp(-y_i x_i))`.

    Args:
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - scores x of any shape.
        - **labels** (Tensor) - signs y of the same shape, 1 or -1.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `logits`.

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
    r"""Loss of distances between similar (1) and different (-1) things.

    :math:`l_i = x_i` where :math:`y_i = 1`, and :math:`\max(0, margin - x_i)` where
    :math:`y_i = -1`.

    Args:
        margin (Union[int, float]): the distance from which on different things cost nothing.
            Default: 1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits** (Tensor) - distances x of any shape.
        - **labels** (Tensor) - 1 or -1, of a shape that broadcasts.

    Outputs:
        Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        TypeError: `margin` is no number.
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: targets other than 1 and -1 cost nothing.

    Source: behaviour observed in MindSpore 2.10.

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
    r"""Loss of an order: :math:`l_i = \max(0, -y_i (x_{1,i} - x_{2,i}) + margin)`.

    Args:
        margin (Union[int, float]): the difference that is asked for. Default: 0.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **input1** (Tensor) - scores of any shape.
        - **input2** (Tensor) - scores of a shape that broadcasts.
        - **target** (Tensor) - 1 where `input1` should be larger, -1 where `input2` should.

    Outputs:
        Tensor: a number, or with ``"none"`` the broadcast shape.

    Raises:
        TypeError: `margin` is no number.
        ValueError: the reduction is unknown, or the shapes do not broadcast.

    Difference from PyTorch: the inputs may differ in rank.

    Source: behaviour observed in MindSpore 2.10.

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
    r"""Loss of angles between similar (1) and different (-1) vectors.

    :math:`l = 1 - \cos(x_1, x_2)` where :math:`y = 1`, and
    :math:`\max(0, \cos(x_1, x_2) - margin)` where :math:`y = -1`.

    Args:
        margin (Union[int, float]): in [-1, 1]. Default: 0.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Inputs:
        - **logits_x1** (Tensor) - vectors along axis 1, shape :math:`(N, D, *)`.
        - **logits_x2** (Tensor) - vectors of the same shape.
        - **labels** (Tensor) - 1 or -1, shape :math:`(N, *)`.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of `labels`.

    Raises:
        TypeError: `margin` is no number.
        ValueError: `margin` lies outside, the reduction is unknown, or shapes do not fit.

    Difference from PyTorch: more than 2 axes are allowed.

    Source: behaviour observed in MindSpore 2.10.

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
    r"""Loss of distances in triples: :math:`l = \max(d(a, p) - d(a, n) + margin, 0)`.

    Args:
        p (Union[int, float]): the order of the norm of the distance. Default: 2.
        swap (bool): whether to use :math:`d(p, n)` where it is the smaller one. Default: False.
        eps (float): against division by zero. Default: 1e-6.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        margin (Union[int, float]): the difference that is asked for. Default: 1.0.

    Inputs:
        - **x** (Tensor) - anchors a, shape :math:`(N, D)` or :math:`(D,)`.
        - **positive** (Tensor) - vectors p that should be near.
        - **negative** (Tensor) - vectors n that should be far.
        - **margin** (Union[Tensor, float]) - in place of that given at construction.
          Default: None.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape without the last axis.

    Raises:
        TypeError: an option is of the wrong type.
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
    r"""Loss of any distance in triples: :math:`l = \max(d(a, p) - d(a, n) + margin, 0)`.

    Args:
        distance_function (Callable): takes two Tensors and returns distances; None for the
            Euclidean distance along axis 1. Default: None.
        swap (bool): whether to use :math:`d(p, n)` where it is the smaller one. Default: False.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        margin (float): the difference that is asked for. Default: 1.0.

    Inputs:
        - **x** (Tensor) - anchors a, shape :math:`(N, D, *)`.
        - **positive** (Tensor) - things p that should be near.
        - **negative** (Tensor) - things n that should be far.

    Outputs:
        Tensor: a number, or with ``"none"`` the shape of the distances.

    Raises:
        TypeError: `distance_function` is not callable, `swap` no bool, or `margin` no float.
        ValueError: the reduction is unknown.

    Difference from PyTorch: the order of the arguments; the default distance is along axis 1, with
    nothing added to the differences.

    Source: behaviour observed in MindSpore 2.10.

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
        who = "TripletMarginWithDistanceLoss"
        if distance_function is not None and not callable(distance_function):
            raise TypeError(
                f"For '{who}', 'distance_function' must be callable or None, but got "
                f"{type(distance_function).__name__}."
            )
        self.distance_function = distance_function
        self.swap = boolean(who, "swap", swap)
        self.margin = float_only(who, "margin", margin)

    def construct(self, x: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        distance = self.distance_function or _distance
        near, far = distance(x, positive), distance(x, negative)
        if self.swap:
            far = ops.minimum(far, distance(positive, negative))
        return self.get_loss(ops.relu(near - far + self.margin))


def __getattr__(name: str) -> Any:
    # the spellings of MindSpore 1
    import importlib

    return importlib.import_module("agar._paths").old(name, "nn.loss.loss")
