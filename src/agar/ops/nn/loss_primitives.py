"""Losses as Primitive classes."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops.nn.loss import (
    REDUCE,
    checked_reduction,
    same_shape,
    smooth_l1,
    soft_margin,
    together,
    triplet_margin,
)
from agar.ops.nn.loss_classification import (
    bce_with_logits,
    binary_cross_entropy_of,
    class_indices,
    class_weight,
    kl_divergence,
    multi_margin,
    multilabel_margin,
    nll,
)
from agar.ops.spec import primitive

__all__: list[str] = []


@primitive(
    "SoftmaxCrossEntropyWithLogits",
    samples=("f(2, 3), u(2, 3)",),
    errors=(
        ("f(2, 3), u(2, 2)", ValueError, "shapes"),
        ("f(2, 3, 4), u(2, 3, 4)", ValueError, "2"),
        ("f(2, 3), i(2, 3)", TypeError, "type"),
    ),
    differentiable=False,  # the second result is a constant
    tags=("loss",),
)
def _softmax_cross_entropy(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    r"""Cross entropy of scores and probabilities, with its gradient beside it.

    .. math::
        loss_n = -\sum_c labels_{n,c} \log \mathrm{softmax}(logits_n)_c

    Args:
        logits (Tensor): scores, shape :math:`(N, C)`.
        labels (Tensor): probabilities of the same shape.

    Returns: tuple of the losses, shape :math:`(N,)`, and :math:`\mathrm{softmax}(logits) - labels`.
    Raises ValueError: the shapes differ or have not 2 axes.
    Raises TypeError: `labels` is not of a float type.
    Difference from PyTorch: ``torch.nn.functional.cross_entropy`` gives the losses alone.
    Source: behavior observed in MindSpore 2.10, which takes the second result as the gradient of
        the first also where labels do not sum to one.

    >>> loss, dlogits = ms.ops.SoftmaxCrossEntropyWithLogits()(
    ...     ms.Tensor([[0.0, 0.0]]), ms.Tensor([[1.0, 0.0]])
    ... )
    >>> print(loss, dlogits)
    [0.6931472] [[-0.5  0.5]]
    """
    op_name = "SoftmaxCrossEntropyWithLogits"
    if logits.ndim != 2:
        raise ValueError(
            f"For '{op_name}', the dimension of logits must be equal to 2, but got {logits.ndim}."
        )
    same_shape(op_name, "'logits' and 'labels'", logits, labels)
    if not labels.is_floating_point():
        raise TypeError(
            f"For '{op_name}', 'labels' must have probabilities of a float type, but got "
            f"{str(labels.dtype)[6:]}; convert them with .astype(...), or take "
            "SparseSoftmaxCrossEntropyWithLogits for class indices."
        )
    logits, labels = together(logits, labels)
    log_softmax = F.log_softmax(logits, -1)
    loss = -(labels * log_softmax).sum(-1)
    return loss, (log_softmax.exp() - labels).detach()


@primitive(
    "SparseSoftmaxCrossEntropyWithLogits",
    samples=("f(3, 4), i(3) % 4", "f(2, 3, 4), i(2, 3) % 4"),
    errors=(
        ("f(2, 3), i(2) * 0 + 5", RuntimeError, "class index"),
        ("f(2, 3), i(3)", ValueError, "shape"),
        ("f(2, 3), f(2)", TypeError, "integer"),
    ),
    tags=("loss",),
)
def _sparse_softmax_cross_entropy(
    logits: Tensor, labels: Tensor, *, is_grad: bool = False
) -> Tensor:
    r"""Mean cross entropy of scores and class indices.

    .. math::
        loss = -\frac{1}{N} \sum_n \log \mathrm{softmax}(logits_n)_{labels_n}

    Args:
        logits (Tensor): scores, shape :math:`(*, C)`: classes along the last axis.
        labels (Tensor): class indices of an integer type, shape :math:`(*)`.
        is_grad (bool): whether to return the gradient by the scores instead. Default: False.

    Returns: Tensor: a number, or with `is_grad` the shape of `logits`.
    Raises TypeError: `labels` is not of an integer type.
    Raises ValueError: the shapes do not fit.
    Raises RuntimeError: a class index does not exist.
    Difference from PyTorch: ``torch.nn.functional.cross_entropy`` has classes along axis 1.

    >>> loss = ms.ops.SparseSoftmaxCrossEntropyWithLogits()
    >>> print(loss(ms.Tensor([[0.0, 0.0]]), ms.Tensor([1])))
    0.6931472
    """
    return sparse_softmax_cross_entropy(
        "SparseSoftmaxCrossEntropyWithLogits", logits, labels, is_grad
    )


def sparse_softmax_cross_entropy(
    op_name: str, logits: Tensor, labels: Tensor, is_grad: bool = False
) -> Tensor:
    """The implementation of the Primitive, and of the layer with a mean over sparse labels."""
    if labels.shape != logits.shape[:-1]:
        raise ValueError(
            f"For '{op_name}', 'labels' must have the shape {tuple(logits.shape[:-1])} of 'logits' "
            f"without its last axis, but got {tuple(labels.shape)}."
        )
    flat = logits.reshape(-1, logits.shape[-1])
    indices = class_indices(op_name, flat, labels.reshape(-1))
    log_softmax = F.log_softmax(flat, -1)
    loss = nll(op_name, log_softmax, indices, None, -100, "mean")
    if not is_grad:
        return loss
    gradient = log_softmax.exp() - F.one_hot(indices, flat.shape[-1])
    return (gradient / indices.numel()).reshape(logits.shape)


@primitive(
    "NLLLoss",
    samples=("f(3, 4), i(3) % 4, p(4)",),
    errors=(
        ("f(4), i(1), p(4)", RuntimeError, "2"),
        ("f(2, 3), i(2) * 0 + 9, p(3)", RuntimeError, "class index"),
        ("f(2, 3), i(2) % 3, p(2)", ValueError, "weight"),
    ),
    tags=("loss",),
)
def _nll_loss(
    logits: Tensor,
    labels: Tensor,
    weight: Tensor,
    *,
    reduction: str = "mean",
    ignore_index: int = -100,
) -> tuple[Tensor, Tensor]:
    """Negative log likelihood of classes, and the sum of the weights that counted.

    Args:
        logits (Tensor): log probabilities, shape :math:`(N, C)`.
        labels (Tensor): class indices of an integer type, shape :math:`(N,)`.
        weight (Tensor): a factor per class, shape :math:`(C,)`.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        ignore_index (int): an index whose samples do not count. Default: -100.

    Returns: tuple of the loss and the sum of the weights of the samples that are not ignored.
    Raises RuntimeError: `logits` has not 2 axes, or a class index does not exist.
    Raises ValueError: the shapes do not fit, or the reduction is unknown.
    Difference from PyTorch: ``torch.nn.functional.nll_loss`` gives the loss alone.

    >>> x, w = ms.Tensor([[-1.0, -2.0]]), ms.Tensor([1.0, 3.0])
    >>> print(*ms.ops.NLLLoss()(x, ms.Tensor([1]), w))
    2.0 3.0
    """
    checked_reduction("NLLLoss", reduction)
    if logits.ndim != 2:
        raise RuntimeError(
            f"For 'NLLLoss', the dimension of 'logits' should be 2, but got: {logits.ndim}."
        )
    labels = class_indices("NLLLoss", logits, labels)
    factors = class_weight("NLLLoss", weight, logits)
    loss = nll("NLLLoss", logits, labels, factors, ignore_index, reduction)
    counts = labels != ignore_index
    used = factors[torch.where(counts, labels, 0)]
    return loss, torch.where(counts, used, 0).sum()


@primitive(
    "BinaryCrossEntropy",
    samples=("u(2, 3), u(2, 3)", "u(2, 3), u(2, 3), p(3)"),
    errors=(("u(2), u(3)", ValueError, "shapes"), ("u(2) + 1, u(2)", RuntimeError, "between")),
    tags=("loss",),
)
def _binary_cross_entropy(
    logits: Tensor, labels: Tensor, weight: Tensor | None = None, *, reduction: str = "mean"
) -> Tensor:
    """Cross entropy of two classes; see ``ops.binary_cross_entropy``.

    Args:
        logits (Tensor): probabilities in [0, 1], of any shape.
        labels (Tensor): targets of the same shape.
        weight (Tensor): factors of a shape that broadcasts with `logits`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `logits`.
    Difference from PyTorch: the loss of a certain error is 27.63, there 100.

    >>> print(ms.ops.BinaryCrossEntropy()(ms.Tensor([0.5]), ms.Tensor([1.0])))
    0.6931472
    """
    return binary_cross_entropy_of("BinaryCrossEntropy", logits, labels, weight, reduction)


@primitive(
    "BCEWithLogitsLoss",
    samples=("f(2, 3), u(2, 3)", "f(2, 3), u(2, 3), p(3), p(3)"),
    errors=(("f(2), u(3)", ValueError, "shapes"),),
    tags=("loss",),
)
def _bce_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    posWeight: Tensor | None = None,  # MindSpore's spelling
    *,
    reduction: str = "mean",
) -> Tensor:
    """Cross entropy of scores of two classes; see ``ops.binary_cross_entropy_with_logits``.

    Args:
        input (Tensor): scores (logits) of any shape.
        target (Tensor): targets of the same shape.
        weight (Tensor): factors of a shape that broadcasts with `input`. Default: None.
        posWeight (Tensor): factors of the positive class. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `input`.
    Difference from PyTorch: a Primitive; ``pos_weight`` is called posWeight.

    >>> print(ms.ops.BCEWithLogitsLoss()(ms.Tensor([0.0]), ms.Tensor([1.0])))
    0.6931472
    """
    return bce_with_logits("BCEWithLogitsLoss", input, target, weight, posWeight, reduction)


@primitive(
    "SigmoidCrossEntropyWithLogits",
    samples=("f(2, 3), u(2, 3)",),
    errors=(("f(2), u(3)", ValueError, "shapes"),),
    reference="np.maximum(logits, 0) - logits * label + np.log1p(np.exp(-np.abs(logits)))",
    tags=("loss",),
)
def _sigmoid_cross_entropy(logits: Tensor, label: Tensor) -> Tensor:
    r"""Cross entropy of scores of two classes, element by element.

    .. math::
        loss_i = -(y_i \log \sigma(x_i) + (1 - y_i) \log(1 - \sigma(x_i)))

    Args:
        logits (Tensor): scores x of any shape.
        label (Tensor): targets y of the same shape.

    Returns: Tensor of the same shape.
    Raises ValueError: the shapes differ.
    Difference from PyTorch: ``binary_cross_entropy_with_logits`` with ``reduction="none"``.

    >>> loss = ms.ops.SigmoidCrossEntropyWithLogits()
    >>> print(loss(ms.Tensor([0.0, 2.0]), ms.Tensor([1.0, 0.0])))
    [0.6931472 2.126928 ]
    """
    return bce_with_logits("SigmoidCrossEntropyWithLogits", logits, label, None, None, "none")


@primitive(
    "KLDivLoss",
    samples=("f(2, 3), p(2, 3)",),
    errors=(("f(2), p(3)", ValueError, "shapes"),),
    tags=("loss",),
)
def _kl_div_loss(logits: Tensor, labels: Tensor, *, reduction: str = "mean") -> Tensor:
    """Kullback-Leibler divergence; see ``ops.kl_div``.

    Args:
        logits (Tensor): log probabilities of any shape.
        labels (Tensor): probabilities of the same shape.
        reduction (str): ``"mean"``, ``"sum"``, ``"none"`` or ``"batchmean"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `logits`.
    Difference from PyTorch: ``"mean"`` does not warn; there is no `log_target`.

    >>> print(ms.ops.KLDivLoss("sum")(ms.Tensor([-1.0, -2.0]), ms.Tensor([1.0, 1.0])))
    3.0
    """
    return kl_divergence("KLDivLoss", logits, labels, reduction)


@primitive(
    "SmoothL1Loss",
    samples=("f(2, 3), f(2, 3)",),
    errors=(("f(2), f(3)", ValueError, "shapes"),),
    tags=("loss",),
)
def _smooth_l1_loss(
    prediction: Tensor, target: Tensor, *, beta: float = 1.0, reduction: str = "none"
) -> Tensor:
    """Squared error near zero, absolute error beyond `beta`; see ``ops.smooth_l1_loss``.

    Args:
        prediction (Tensor): of any shape.
        target (Tensor): of the same shape.
        beta (float): where the square becomes a line. Default: 1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"none"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of the inputs.
    Difference from PyTorch: the default reduction is ``"none"``.
    Source: Girshick 2015, "Fast R-CNN".

    >>> print(ms.ops.SmoothL1Loss()(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 4.0])))
    [0.  1.5]
    """
    return smooth_l1("SmoothL1Loss", prediction, target, beta, reduction)


@primitive(
    "SoftMarginLoss",
    samples=("f(2, 3), f(2, 3).sign()",),
    errors=(("f(2), f(3)", ValueError, "shapes"),),
    reference=f"(lambda reduction: {REDUCE})('mean')(np.log1p(np.exp(-target * input)))",
    tags=("loss",),
)
def _soft_margin_loss(input: Tensor, target: Tensor, *, reduction: str = "mean") -> Tensor:
    """Logistic loss of signs; see ``ops.soft_margin_loss``.

    Args:
        input (Tensor): scores of any shape.
        target (Tensor): 1 or -1, of the same shape.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `input`.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> print(ms.ops.SoftMarginLoss()(ms.Tensor([0.0]), ms.Tensor([1.0])))
    0.6931472
    """
    return soft_margin("SoftMarginLoss", input, target, reduction)


@primitive(
    "MultiMarginLoss",
    samples=("f(3, 4), i(3) % 4", "f(3, 4), i(3) % 4, p(4)"),
    errors=(("f(2, 3), i(2) * 0 + 7", ValueError, "out of range"),),
    tags=("loss",),
)
def _multi_margin_loss(
    x: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    p: int = 1,
    margin: float = 1.0,
    reduction: str = "mean",
) -> Tensor:
    """Hinge loss of one class per sample; see ``ops.multi_margin_loss``.

    Args:
        x (Tensor): scores, shape :math:`(N, C)`.
        target (Tensor): class indices of an integer type, shape :math:`(N,)`.
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        p (int): 1 or 2. Default: 1.
        margin (float): the margin. Default: 1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `target`.
    Difference from PyTorch: every integer type may hold the indices.

    >>> print(ms.ops.MultiMarginLoss()(ms.Tensor([[0.1, 0.2, 0.4, 0.8]]), ms.Tensor([3])))
    0.325
    """
    return multi_margin("MultiMarginLoss", x, target, p, margin, weight, reduction)


@primitive(
    "MultilabelMarginLoss",
    samples=("f(4), i(4) % 4",),
    errors=(("f(2, 3), i(3)", ValueError, "shapes"),),
    tags=("loss",),
)
def _multilabel_margin_loss(
    x: Tensor, target: Tensor, *, reduction: str = "mean"
) -> tuple[Tensor, Tensor]:
    """Hinge loss of several classes per sample, and where the classes are.

    Args:
        x (Tensor): scores, shape :math:`(C,)` or :math:`(N, C)`.
        target (Tensor): class indices of the same shape; those before the first -1 count.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: tuple of the loss (see ``ops.multilabel_margin_loss``), and an int32 Tensor of the
        shape of `target` with 1 at the classes that count.
    Difference from PyTorch: ``multilabel_margin_loss`` gives the loss alone.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.Tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> print(*ms.ops.MultilabelMarginLoss()(x, ms.Tensor([[3, 0, -1, 1]])))
    0.85 [[1 0 0 1]]
    """
    loss = multilabel_margin("MultilabelMarginLoss", x, target, reduction)
    listed = (target < 0).cumsum(-1) == 0
    places = torch.where(listed, target, 0).long()
    is_target = torch.zeros_like(target, dtype=torch.int32)
    is_target = is_target.scatter_reduce(-1, places, listed.int(), "amax")
    return loss, is_target


@primitive(
    "TripletMarginLoss",
    samples=("f(2, 3), f(2, 3), f(2, 3), f().abs()",),
    errors=(("f(2, 3), f(2, 4), f(2, 3), f()", ValueError, "broadcast"),),
    tags=("loss",),
)
def _triplet_margin_loss(
    x: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: Tensor | float = 1.0,
    *,
    p: float = 2,
    swap: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """Loss of distances in triplets; see ``ops.triplet_margin_loss``.

    Args:
        x (Tensor): anchors, shape :math:`(N, D)`.
        positive (Tensor): vectors that should be near.
        negative (Tensor): vectors that should be far.
        margin (Union[Tensor, float]): the difference that is asked for. Default: 1.0.
        p (Union[int, float]): the order of the norm. Default: 2.
        swap (bool): whether to use the smaller of both distances to `negative`. Default: False.
        eps (float): against division by zero. Default: 1e-6.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape :math:`(N,)`.
    Difference from PyTorch: the margin is an input.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> a, p, n = ms.Tensor([[0.0, 0.0]]), ms.Tensor([[1.0, 0.0]]), ms.Tensor([[0.0, 3.0]])
    >>> print(ms.ops.TripletMarginLoss()(a, p, n, ms.Tensor(2.5)))
    0.5
    """
    op_name = "TripletMarginLoss"
    return triplet_margin(op_name, x, positive, negative, margin, p, eps, swap, reduction)
