"""Losses as functions: of numbers, of signs, of pairs and triples; what all losses share.

NOTE Reductions. Every function takes ``reduction``: ``"none"`` gives a loss per element or sample,
``"mean"`` and ``"sum"`` reduce these to a number. MindSpore's defaults are kept, also where they
differ from PyTorch's.

NOTE Types. Two floating inputs of different types are promoted; integer targets may be of any
integer type (MindSpore wants int32 in some places, int64 in others), and become the type of the
predictions where numbers are meant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import boolean, number
from agar.ops.spec import op

__all__: list[str] = []

REDUCTIONS = ("mean", "sum", "none")

# for the references of entries: the reduction of an array
REDUCE = "{'mean': np.mean, 'sum': np.sum, 'none': lambda v: v}[reduction]"


def checked_reduction(op_name: str, value: Any, options: Iterable[str] = REDUCTIONS) -> str:
    """A known reduction.

    Raises:
        ValueError: it is something else.
    """
    if value not in options:
        raise ValueError(
            f"For '{op_name}', the 'reduction' must be in {list(options)}, but got {value!r}."
        )
    return value


def reduced(loss: Tensor, reduction: str) -> Tensor:
    """A loss per element, reduced."""
    if reduction == "mean":
        return loss.mean()
    return loss.sum() if reduction == "sum" else loss


def together(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Both in one floating type and one shape; complex ones stay so, for torch to take or not."""
    if input.dtype is not target.dtype or not input.is_floating_point():
        common = torch.promote_types(input.dtype, target.dtype)
        if not (common.is_floating_point or common.is_complex):
            common = torch.float32
        input, target = input.to(common), target.to(common)
    if input.shape != target.shape:
        input, target = torch.broadcast_tensors(input, target)
    return input, target


def same_shape(op_name: str, names: str, input: Tensor, target: Tensor) -> None:
    if input.shape != target.shape:
        raise ValueError(
            f"For '{op_name}', the shapes of {names} must be equal, but got {tuple(input.shape)} "
            f"and {tuple(target.shape)}."
        )


def in_float32(value: Tensor) -> Tensor:
    """Half types as float32, for the kernels that torch lacks in them."""
    return value.float() if value.dtype.itemsize == 2 else value


# --------------------------------------------------------------------------- regression


@op(
    samples=("f(2, 3), f(2, 3)", "f(2, 3), f(3), 'none'", "f(4), f(4), 'sum'", "i(3), i(3)"),
    errors=(
        ("f(2, 3), f(4)", ValueError, "broadcast"),
        ("f(2), f(2), 'max'", ValueError, "reduction"),
        ("f(2), 1.0", TypeError, "must be Tensor"),
    ),
    reference=f"{REDUCE}((input - target) ** 2)",
    mint="nn.functional.mse_loss",
    tags=("loss",),
)
def mse_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    r"""Squared error: :math:`l_i = (input_i - target_i)^2`.

    Args:
        input (Tensor): predictions of any shape.
        target (Tensor): targets of a shape that broadcasts with `input`.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the broadcast shape. Integers give float32.
    Raises ValueError: the shapes do not broadcast, or the reduction is unknown.
    Difference from PyTorch: broadcasting does not warn.

    >>> print(ms.ops.mse_loss(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 4.0])))
    2.0
    """
    checked_reduction("mse_loss", reduction)
    input, target = together(input, target)
    return F.mse_loss(input, target, reduction=reduction)


@op(
    samples=("f(2, 3), f(2, 3)", "f(2, 3), f(3), 'none'", "f(4), f(4), 'sum'"),
    errors=(
        ("f(2, 3), f(4)", ValueError, "broadcast"),
        ("f(2), f(2), 'max'", ValueError, "reduction"),
    ),
    reference=f"{REDUCE}(np.abs(input - target))",
    mint="nn.functional.l1_loss",
    tags=("loss",),
)
def l1_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    r"""Absolute error: :math:`l_i = |input_i - target_i|`.

    Args:
        input (Tensor): predictions of any shape.
        target (Tensor): targets of a shape that broadcasts with `input`.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the broadcast shape. Integers give float32.
    Raises ValueError: the shapes do not broadcast, or the reduction is unknown.
    Difference from PyTorch: broadcasting does not warn.

    >>> print(ms.ops.l1_loss(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 4.0])))
    1.0
    """
    checked_reduction("l1_loss", reduction)
    input, target = together(input, target)
    return F.l1_loss(input, target, reduction=reduction)


def smooth_l1(op_name: str, input: Tensor, target: Tensor, beta: float, reduction: str) -> Tensor:
    checked_reduction(op_name, reduction)
    if number(op_name, "beta", beta) < 0:
        raise RuntimeError(
            f"For '{op_name}', 'beta' must not be a negative value, but got {beta}: it is the "
            "error at which the square becomes a line."
        )
    same_shape(op_name, "'input' and 'target'", input, target)
    input, target = together(input, target)
    return F.smooth_l1_loss(input, target, reduction=reduction, beta=beta)


_SMOOTH_L1 = (
    f"{REDUCE}(np.where(np.abs(input - target) < beta, (input - target) ** 2 / (2 * (beta or 1)), "
    "np.abs(input - target) - beta / 2))"
)


@op(
    samples=("f(2, 3), f(2, 3)", "f(4), f(4), 0.3, 'mean'", "f(4), f(4), 0.0, 'sum'"),
    errors=(
        ("f(2, 3), f(3)", ValueError, "shapes"),
        ("f(2), f(2), -1.0", RuntimeError, "negative"),
        ("f(2), f(2), 'mean'", TypeError, "beta"),
        ("f(2), f(2), 1.0, 'max'", ValueError, "reduction"),
    ),
    reference=_SMOOTH_L1,
    tags=("loss",),
)
def smooth_l1_loss(
    input: Tensor, target: Tensor, beta: float = 1.0, reduction: str = "none"
) -> Tensor:
    r"""Squared error near zero, absolute error beyond `beta`.

    .. math::
        l_i = \begin{cases}
            (x_i - y_i)^2 / (2 \beta) & \text{if } |x_i - y_i| < \beta \\
            |x_i - y_i| - \beta / 2   & \text{otherwise}
        \end{cases}

    Args:
        input (Tensor): predictions x of any shape.
        target (Tensor): targets y of the same shape.
        beta (float): where the square becomes a line; 0 gives the absolute error. Default: 1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"none"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `input`.
    Raises ValueError: the shapes differ, or the reduction is unknown.
    Raises RuntimeError: `beta` is negative.
    Raises TypeError: `beta` is not a number.
    Difference from PyTorch: `beta` comes before `reduction`, whose default is ``"none"``.
    Source: Girshick 2015, "Fast R-CNN".

    >>> print(ms.ops.smooth_l1_loss(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 4.0])))
    [0.  1.5]
    """
    return smooth_l1("smooth_l1_loss", input, target, beta, reduction)


@op(
    "smooth_l1_loss",
    function=False,
    mint="nn.functional.smooth_l1_loss",
    samples=("f(2, 3), f(2, 3)", "f(4), f(4), 'sum', 0.3"),
    errors=(
        ("f(2, 3), f(2)", ValueError, "must be equal"),
        ("f(3), f(3), 'max'", ValueError, "reduction"),
        ("f(3), f(3), 'mean', -1.0", RuntimeError, "beta"),
    ),
    reference=_SMOOTH_L1,
    tags=("loss",),
)
def _mint_smooth_l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    """Squared error near zero, absolute error beyond `beta`; see ``ops.smooth_l1_loss``.

    Args:
        input (Tensor): predictions of any shape.
        target (Tensor): targets of the same shape.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        beta (float): where the square becomes a line. Default: 1.0.

    Returns: Tensor: a number, or with ``"none"`` the shape of `input`.
    Difference from PyTorch: the shapes must be equal.
    Source: Girshick 2015, "Fast R-CNN".
    """
    return smooth_l1("smooth_l1_loss", input, target, beta, reduction)


@op(
    samples=("f(2, 3), f(2, 3)", "f(2, 3), f(3), 'none', 0.5", "f(4), f(4), 'sum', 2"),
    errors=(
        ("f(2), f(2), 'mean', 0.0", ValueError, "delta"),
        ("f(2), f(2), 'max'", ValueError, "reduction"),
        ("f(2, 3), f(4)", ValueError, "broadcast"),
    ),
    reference=(
        f"{REDUCE}(np.where(np.abs(input - target) <= delta, (input - target) ** 2 / 2, "
        "delta * (np.abs(input - target) - delta / 2)))"
    ),
    tags=("loss",),
)
def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0
) -> Tensor:
    r"""Half the squared error up to `delta`, then a line of slope `delta`.

    .. math::
        l_i = \begin{cases}
            (x_i - y_i)^2 / 2                  & \text{if } |x_i - y_i| \le \delta \\
            \delta (|x_i - y_i| - \delta / 2)  & \text{otherwise}
        \end{cases}

    Args:
        input (Tensor): predictions x of any shape.
        target (Tensor): targets y of a shape that broadcasts with `input`.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        delta (Union[int, float]): where the square becomes a line, above 0. Default: 1.0.

    Returns: Tensor: a number, or with ``"none"`` the broadcast shape.
    Raises ValueError: `delta` is not above 0, the shapes do not broadcast, or the reduction is
        unknown.
    Raises TypeError: `delta` is not a number.
    Difference from PyTorch: broadcasting does not warn.
    Source: Huber 1964, "Robust Estimation of a Location Parameter".

    >>> print(ms.ops.huber_loss(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 4.0])))
    0.75
    """
    checked_reduction("huber_loss", reduction)
    if number("huber_loss", "delta", delta) <= 0:
        raise ValueError(f"For 'huber_loss', the argument 'delta' must > 0.0, but got {delta}.")
    input, target = together(input, target)
    return F.huber_loss(input, target, reduction=reduction, delta=float(delta))


@op(
    samples=("f(2, 3), f(2, 3), p(2, 3)", "f(2, 3), f(3), p(2, 1), True, 1e-6, 'none'"),
    errors=(
        ("f(2), f(2), p(2), False, 0.0", ValueError, "eps"),
        ("f(2), f(2), p(2), 1", TypeError, "full"),
        ("f(2), f(2), 0.5", TypeError, "must be Tensor"),
        ("f(2), f(2), p(2), False, 1e-6, 'max'", ValueError, "reduction"),
    ),
    reference=(
        f"{REDUCE}(0.5 * (np.log(var) + (target - x) ** 2 / var) "
        "+ (0.5 * np.log(2 * np.pi) if full else 0))"
    ),
    tags=("loss",),
)
def gaussian_nll_loss(
    x: Tensor,
    target: Tensor,
    var: Tensor,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    r"""Negative log likelihood of targets under normal distributions.

    .. math::
        l_i = \frac{1}{2} \left( \log \max(var_i, \epsilon)
            + \frac{(x_i - target_i)^2}{\max(var_i, \epsilon)} \right) + const

    Args:
        x (Tensor): the means, of any shape.
        target (Tensor): samples, of a shape that broadcasts with `x`.
        var (Tensor): the variances: of a shape that broadcasts with `x`, or without its last axis.
        full (bool): whether to add the constant :math:`\frac{1}{2}\log 2\pi`. Default: False.
        eps (float): the least variance, above 0. Default: 1e-6.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the broadcast shape.
    Raises ValueError: `eps` is not above 0, the shapes do not fit, or the reduction is unknown.
    Raises TypeError: `full` is not a bool, or an input is not a Tensor.
    Difference from PyTorch: negative variances count as `eps` instead of raising, and the gradient
        of a variance below `eps` is zero.

    >>> mean, sample, var = ms.Tensor([1.0]), ms.Tensor([2.0]), ms.Tensor([1.0])
    >>> print(ms.ops.gaussian_nll_loss(mean, sample, var))
    0.5
    """
    op_name = "gaussian_nll_loss"
    checked_reduction(op_name, reduction)
    boolean(op_name, "full", full)
    if not isinstance(eps, float) or eps <= 0:
        raise ValueError(f"For '{op_name}', 'eps' must be a positive float, but got {eps!r}.")
    if var.shape != x.shape and var.shape == x.shape[:-1]:
        var = var.unsqueeze(-1)
    var = var.clamp(min=eps)
    loss = 0.5 * (var.log() + (x - target).square() / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return reduced(loss, reduction)


# -------------------------------------------------------------- signs, pairs and triples


def soft_margin(op_name: str, input: Tensor, target: Tensor, reduction: str) -> Tensor:
    """The implementation of all bindings of the soft margin loss."""
    checked_reduction(op_name, reduction)
    same_shape(op_name, "'input' and 'target'", input, target)
    input, target = together(input, target)
    return reduced(-F.logsigmoid(target * input), reduction)


@op(
    samples=("f(2, 3), f(2, 3).sign()", "f(4), f(4).sign(), 'none'"),
    errors=(
        ("f(2, 3), f(3)", ValueError, "shapes"),
        ("f(3), f(3), 'max'", ValueError, "reduction"),
    ),
    reference=f"{REDUCE}(np.log1p(np.exp(-target * input)))",
    mint="nn.functional.soft_margin_loss",
    tags=("loss",),
)
def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    r"""Logistic loss of signs: :math:`l_i = \log(1 + \exp(-y_i x_i))`.

    Args:
        input (Tensor): scores x of any shape.
        target (Tensor): signs y of the same shape, 1 or -1.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `input`.
    Raises ValueError: the shapes differ, or the reduction is unknown.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> print(ms.ops.soft_margin_loss(ms.Tensor([0.0]), ms.Tensor([1.0])))
    0.6931472
    """
    return soft_margin("soft_margin_loss", input, target, reduction)


@op(
    samples=("f(2, 3), f(2, 3).sign()", "f(4), f(4).sign(), 0.5, 'none'", "f(4), i(4).sign(), 2"),
    errors=(
        ("f(3), f(2)", ValueError, "broadcast"),
        ("f(3), f(3), 'a'", TypeError, "margin"),
        ("f(3), f(3), 1.0, 'max'", ValueError, "reduction"),
    ),
    reference=(
        f"{REDUCE}(np.where(targets == 1, inputs, 0) "
        "+ np.where(targets == -1, np.maximum(margin - inputs, 0), 0))"
    ),
    tags=("loss",),
)
def hinge_embedding_loss(
    inputs: Tensor, targets: Tensor, margin: float = 1.0, reduction: str = "mean"
) -> Tensor:
    r"""Loss of distances between similar (1) and different (-1) samples.

    :math:`l_i = x_i` where :math:`y_i = 1`, and :math:`\max(0, margin - x_i)` where
    :math:`y_i = -1`.

    Args:
        inputs (Tensor): distances x of any shape.
        targets (Tensor): 1 or -1, of a shape that broadcasts with `inputs`.
        margin (Union[int, float]): the distance from which on different things cost nothing.
            Default: 1.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the broadcast shape.
    Raises TypeError: `margin` is not a number.
    Raises ValueError: the shapes do not broadcast, or the reduction is unknown.
    Difference from PyTorch: targets other than 1 and -1 cost nothing, there both terms are added.

    >>> x, y = ms.Tensor([0.25, 0.25]), ms.Tensor([1, -1])
    >>> print(ms.ops.hinge_embedding_loss(x, y, reduction="none"))
    [0.25 0.75]
    """
    checked_reduction("hinge_embedding_loss", reduction)
    number("hinge_embedding_loss", "margin", margin)
    near = torch.where(targets == 1, inputs, 0)
    far = torch.where(targets == -1, (margin - inputs).clamp(min=0), 0)
    return reduced(near + far, reduction)


@op(
    samples=("f(4), f(4), f(4).sign()", "f(2, 3), f(2, 3), f(2, 3).sign(), 0.3, 'none'"),
    errors=(
        ("f(3), f(4), f(3)", ValueError, "broadcast"),
        ("f(3), f(3), f(3), 'a'", TypeError, "margin"),
        ("f(3), f(3), f(3), 0.0, 'max'", ValueError, "reduction"),
    ),
    reference=f"{REDUCE}(np.maximum(0, -target * (input1 - input2) + margin))",
    tags=("loss",),
)
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    reduction: str = "mean",
) -> Tensor:
    r"""Loss of a ranking: :math:`l_i = \max(0, -y_i (x_{1,i} - x_{2,i}) + margin)`.

    Args:
        input1 (Tensor): scores of any shape.
        input2 (Tensor): scores of a shape that broadcasts with `input1`.
        target (Tensor): 1 where `input1` should be larger, -1 where `input2` should.
        margin (Union[int, float]): the difference that is asked for. Default: 0.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the broadcast shape.
    Raises TypeError: `margin` is not a number.
    Raises ValueError: the shapes do not broadcast, or the reduction is unknown.
    Difference from PyTorch: the inputs may differ in rank.
    Source: behavior observed in MindSpore 2.10, which refuses integer targets and margins.

    >>> a, b = ms.Tensor([1.0, 2.0]), ms.Tensor([2.0, 1.0])
    >>> print(ms.ops.margin_ranking_loss(a, b, ms.Tensor([1.0, 1.0])))
    0.5
    """
    checked_reduction("margin_ranking_loss", reduction)
    number("margin_ranking_loss", "margin", margin)
    loss = (margin - target * (input1 - input2)).clamp(min=0)
    return reduced(loss, reduction)


@op(
    samples=(
        "f(2, 3), f(2, 3), i(2).sign()",
        "f(2, 3, 4), f(2, 3, 4), f(2, 4).sign(), 0.1, 'none'",
        "f(3), f(3), i().sign()",
    ),
    errors=(
        ("f(2, 3), f(2, 4), i(2)", ValueError, "shapes"),
        ("f(2, 3), f(2, 3), i(3)", ValueError, "target"),
        ("f(2, 3), f(2, 3), i(2), 2.0", ValueError, "margin"),
        ("f(2, 3), f(2, 3), i(2), 0.0, 'max'", ValueError, "reduction"),
    ),
    mint="nn.functional.cosine_embedding_loss",
    tags=("loss",),
)
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    reduction: str = "mean",
) -> Tensor:
    r"""Loss of angles between similar (1) and different (-1) vectors.

    :math:`l = 1 - \cos(x_1, x_2)` where :math:`y = 1`, and
    :math:`\max(0, \cos(x_1, x_2) - margin)` where :math:`y = -1`.

    Args:
        input1 (Tensor): vectors along axis 1, shape :math:`(N, D, *)`, or one vector
            :math:`(D,)`.
        input2 (Tensor): vectors of the same shape.
        target (Tensor): 1 or -1, shape :math:`(N, *)` or :math:`()`.
        margin (Union[int, float]): in [-1, 1]. Default: 0.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `target`.
    Raises ValueError: the shapes do not fit, `margin` lies outside, or the reduction is unknown.
    Raises TypeError: `margin` is not a number.
    Difference from PyTorch: more than 2 axes are allowed.
    Source: behavior observed in MindSpore 2.10, which gives nan for zero vectors.

    >>> a, b = ms.Tensor([[1.0, 0.0]]), ms.Tensor([[1.0, 1.0]])
    >>> print(ms.ops.cosine_embedding_loss(a, b, ms.Tensor([1])))
    0.29289323
    """
    op_name = "cosine_embedding_loss"
    checked_reduction(op_name, reduction)
    if not -1 <= number(op_name, "margin", margin) <= 1:
        raise ValueError(
            f"For '{op_name}', the value of 'margin' should be in [-1, 1], but got {margin}."
        )
    same_shape(op_name, "'input1' and 'input2'", input1, input2)
    axis = 1 if input1.ndim > 1 else 0
    expected = input1.shape[:axis] + input1.shape[axis + 1 :]
    if target.shape != expected and not (input1.ndim == 1 and target.numel() == 1):
        raise ValueError(
            f"For '{op_name}', 'target' must have the shape {tuple(expected)} of the inputs "
            f"without their axis {axis}, but got {tuple(target.shape)}."
        )
    least = 1e-12  # of a squared length, so that zero vectors have a cosine of 0
    lengths = ((input1.square().sum(axis) + least) * (input2.square().sum(axis) + least)).sqrt()
    cosine = (input1 * input2).sum(axis) / lengths
    near = torch.where(target == 1, 1 - cosine, 0)
    far = torch.where(target == -1, (cosine - margin).clamp(min=0), 0)
    return reduced(near + far, reduction)


def triplet_margin(
    op_name: str,
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: Tensor | float,
    p: float,
    eps: float,
    swap: bool,
    reduction: str,
) -> Tensor:
    """The implementation of all bindings of the triplet margin loss."""
    checked_reduction(op_name, reduction)
    if not isinstance(margin, Tensor):
        number(op_name, "margin", margin)
    number(op_name, "p", p)
    number(op_name, "eps", eps)
    near = F.pairwise_distance(anchor, positive, p, eps)
    far = F.pairwise_distance(anchor, negative, p, eps)
    if boolean(op_name, "swap", swap):
        far = torch.minimum(far, F.pairwise_distance(positive, negative, p, eps))
    return reduced((near - far + margin).clamp(min=0), reduction)


@op(
    samples=(
        "f(2, 3), f(2, 3), f(2, 3)",
        "f(2, 3), f(2, 3), f(2, 3), 0.5, 1, 1e-6, True, 'none'",
        "f(3), f(3), f(3)",
    ),
    errors=(
        ("f(2, 3), f(2, 4), f(2, 3)", ValueError, "broadcast"),
        ("f(2, 3), f(2, 3), f(2, 3), 'a'", TypeError, "margin"),
        ("f(2, 3), f(2, 3), f(2, 3), 1.0, 2, 1e-6, 1", TypeError, "swap"),
        ("f(2, 3), f(2, 3), f(2, 3), 1.0, 2, 1e-6, False, 'max'", ValueError, "reduction"),
    ),
    tags=("loss",),
)
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    r"""Loss of distances in triplets: :math:`l = \max(d(a, p) - d(a, n) + margin, 0)`.

    The distance is :math:`d(x, y) = \|x - y + \epsilon\|_p` along the last axis.

    Args:
        anchor (Tensor): vectors a, shape :math:`(N, D)` or :math:`(D,)`.
        positive (Tensor): vectors p that should be near, of a shape that broadcasts.
        negative (Tensor): vectors n that should be far, of a shape that broadcasts.
        margin (Union[int, float]): the difference that is asked for. Default: 1.0.
        p (Union[int, float]): the order of the norm. Default: 2.
        eps (float): against division by zero. Default: 1e-6.
        swap (bool): whether to use :math:`d(p, n)` where it is the smaller distance.
            Default: False.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape without the last axis.
    Raises TypeError: an option is of the wrong type.
    Raises ValueError: the shapes do not fit, or the reduction is unknown.
    Source: Balntas et al. 2016, "Learning local feature descriptors with triplets and shallow
        convolutional neural networks"; MindSpore 2.10 has no CPU kernel.

    >>> a, p, n = ms.Tensor([[0.0, 0.0]]), ms.Tensor([[1.0, 0.0]]), ms.Tensor([[0.0, 3.0]])
    >>> print(ms.ops.triplet_margin_loss(a, p, n, margin=2.5))
    0.5
    """
    op_name = "triplet_margin_loss"
    return triplet_margin(op_name, anchor, positive, negative, margin, p, eps, swap, reduction)
