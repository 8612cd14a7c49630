"""Losses of classes and probabilities, as functions."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import number
from agar.ops.nn.loss import (
    REDUCE,
    REDUCTIONS,
    checked_reduction,
    in_float32,
    reduced,
    same_shape,
    together,
)
from agar.ops.spec import Call, op

__all__: list[str] = []


def class_indices(op_name: str, input: Tensor, target: Tensor) -> Tensor:
    """Class indices as torch's kernels take them: int64, in the shape of `input` without C."""
    if input.ndim == 0:
        raise ValueError(f"For '{op_name}', 'input' must have an axis of classes, but is a scalar.")
    if target.is_floating_point() or target.is_complex():
        raise TypeError(
            f"For '{op_name}', 'target' must have class indices of an integer type, but got "
            f"{str(target.dtype).removeprefix('torch.')}; convert it with .astype(ms.int32)."
        )
    if target.dtype is not torch.int64:
        target = target.long()
    expected = input.shape[:1] + input.shape[2:] if input.ndim > 1 else input.shape[:0]
    if target.shape != expected:
        if input.ndim == 1 and target.numel() == 1:
            return target.reshape(())
        raise ValueError(
            f"For '{op_name}', 'target' must have shape {tuple(expected)} to hold a class for each "
            f"sample of 'input' with shape {tuple(input.shape)}, but got {tuple(target.shape)}."
        )
    return target


def no_such_class(op_name: str, error: Exception, classes: int) -> RuntimeError:
    result = RuntimeError(
        f"For '{op_name}', every class index in 'target' must be in [0, {classes}) or equal "
        f"'ignore_index': {str(error).strip()}"
    )
    result._agar_named = True  # type: ignore[attr-defined]
    return result


def _checked_classes(op_name: str, reduction: Any, ignore_index: Any, smoothing: Any = 0.0) -> None:
    checked_reduction(op_name, reduction)
    if not isinstance(ignore_index, int):
        raise TypeError(
            f"For '{op_name}', the type of 'ignore_index' must be 'int', but got "
            f"'{type(ignore_index).__name__}'."
        )
    if not isinstance(smoothing, (int, float)) or not 0 <= smoothing <= 1:
        raise ValueError(
            f"For '{op_name}', the 'label_smoothing' must be in range of [0.0, 1.0], but got "
            f"{smoothing!r}."
        )


_ONE_HOT = "f(2, 3), u(2, 3)"


@op(
    samples=(
        "f(3, 4), i(3) % 4",
        "f(3, 4), i(3) % 4, p(4), 1, 'none', 0.1",
        "f(2, 3, 4), i(2, 4) % 3, None, -100, 'sum'",
        _ONE_HOT,
        f"{_ONE_HOT}, p(3), -100, 'mean', 0.2",
        "f(3), i() % 3",
    ),
    errors=(
        ("f(2, 3), i(4)", ValueError, "shape"),
        ("f(2, 3), f(2)", ValueError, "shape"),
        ("f(2, 3), i(2) * 0 + 7", RuntimeError, "class index"),
        ("f(2, 3), i(2), None, 1.0", TypeError, "ignore_index"),
        ("f(2, 3), i(2), None, -100, 'max'", ValueError, "reduction"),
        ("f(2, 3), i(2), None, -100, 'mean', 1.5", ValueError, "label_smoothing"),
        ("f(2, 3), i(2) % 3, f(4)", ValueError, "weight"),
        ("f(2, 3), [0, 1]", TypeError, "must be Tensor"),
    ),
    mint="nn.functional.cross_entropy",
    tags=("loss",),
    fast=Call(
        "torch._C._nn.cross_entropy_loss(input, target, None, 1, ignore_index, label_smoothing)",
        "type(ignore_index) is int and type(label_smoothing) is float and weight is None and"
        " reduction == 'mean' and target._value.dtype is torch.int64 and"
        " input._value.ndim > 1",
    ),
)
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    r"""Cross entropy between scores of classes and class indices or probabilities.

    With indices :math:`y`: :math:`l_n = -w_{y_n} \log \mathrm{softmax}(x_n)_{y_n}`, and the mean
    divides by the sum of the weights of the samples that are not ignored. With probabilities
    :math:`p`: :math:`l_n = -\sum_c w_c p_{n,c} \log \mathrm{softmax}(x_n)_c`.

    Args:
        input (Tensor): scores (logits), shape :math:`(C,)`, :math:`(N, C)` or
            :math:`(N, C, d_1, ...)`.
        target (Tensor): indices of an integer type, shape :math:`()`, :math:`(N,)` or
            :math:`(N, d_1, ...)`; or probabilities of `input`'s shape.
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        ignore_index (int): an index whose samples do not count; only for indices. Default: -100.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        label_smoothing (float): the part of the target that is spread over all classes, in
            [0, 1]. Default: 0.0.

    Returns: Tensor: a number, or with ``"none"`` the shape of the indices.
    Raises TypeError: an input is not a Tensor, or `ignore_index` is not an int.
    Raises ValueError: shapes do not fit, or the reduction or smoothing is not allowed.
    Raises RuntimeError: a class index does not exist.
    Difference from PyTorch: every integer type may hold the indices.
    Source: behavior observed in MindSpore 2.10, which takes negative indices from the end.

    >>> logits = ms.Tensor([[1.0, 2.0], [0.0, 0.0]])
    >>> print(ms.ops.cross_entropy(logits, ms.Tensor([1, 0]), reduction="none"))
    [0.31326166 0.6931472 ]
    """
    plain = weight is None and target.dtype is torch.int64 and reduction in REDUCTIONS
    if plain and input.dim() > 1:
        try:
            return F.cross_entropy(
                input, target, None, None, ignore_index, None, reduction, label_smoothing
            )
        except (IndexError, RuntimeError, TypeError, ValueError):
            pass  # what is wrong, or unusual, is told apart below
    _checked_classes("cross_entropy", reduction, ignore_index, label_smoothing)
    if target.is_floating_point():
        if target.shape != input.shape:
            raise ValueError(
                "For 'cross_entropy', a floating 'target' has probabilities and must have the "
                f"shape of 'input' {tuple(input.shape)}, but got {tuple(target.shape)}; class "
                "indices must be of an integer type."
            )
        input, target = together(input, target)
    else:
        target = class_indices("cross_entropy", input, target)
    if weight is not None:
        weight = class_weight("cross_entropy", weight, input)
        if weight.requires_grad and target.dtype is torch.int64:
            scores = F.log_softmax(input, 1 if input.ndim > 1 else 0)
            return _smoothed_nll(scores, target, weight, ignore_index, reduction, label_smoothing)
    try:
        return F.cross_entropy(
            input,
            target,
            weight,
            ignore_index=ignore_index,
            reduction=reduction,
            label_smoothing=label_smoothing,
        )
    except IndexError as error:
        raise no_such_class("cross_entropy", error, input.shape[input.ndim > 1]) from error


def class_weight(op_name: str, weight: Tensor, input: Tensor) -> Tensor:
    classes = input.shape[1 if input.ndim > 1 else 0]
    if weight.shape != (classes,):
        raise ValueError(
            f"For '{op_name}', 'weight' must have one factor for each of the {classes} classes, "
            f"but got shape {tuple(weight.shape)}."
        )
    return weight if weight.dtype is input.dtype else weight.to(input.dtype)


def nll(
    op_name: str,
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    ignore_index: int,
    reduction: str,
) -> Tensor:
    """The implementation of all bindings of the negative log likelihood without smoothing."""
    if weight is not None and weight.requires_grad:
        return _smoothed_nll(input, target, weight, ignore_index, reduction, 0.0)
    try:
        return F.nll_loss(input, target, weight, ignore_index=ignore_index, reduction=reduction)
    except IndexError as error:
        raise no_such_class(op_name, error, input.shape[input.ndim > 1]) from error


_NLL_ERRORS = (
    ("f(2, 3), i(4)", ValueError, "shape"),
    ("f(2, 3), f(2)", TypeError, "integer"),
    ("f(2, 3), i(2) * 0 + 7", RuntimeError, "class index"),
    ("f(2, 3), i(2), None, -100, 'max'", ValueError, "reduction"),
)


@op(
    samples=(
        "f(3, 4), i(3) % 4",
        "f(3, 4), i(3) % 4, p(4), 1, 'none'",
        "f(2, 3, 4), i(2, 4) % 3, None, -100, 'sum'",
        "f(3, 4), i(3) % 4, p(4), 1, 'mean', 0.1",
        "f(3), i() % 3",
    ),
    errors=(
        *_NLL_ERRORS,
        ("f(2, 3), i(2), None, -100, 'mean', -1.0", ValueError, "label_smoothing"),
    ),
    tags=("loss",),
)
def nll_loss(
    inputs: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    r"""Negative log likelihood of classes: :math:`l_n = -w_{y_n} x_{n, y_n}`.

    The mean divides by the sum of the weights of the samples that are not ignored.

    Args:
        inputs (Tensor): log probabilities x, shape :math:`(C,)`, :math:`(N, C)` or
            :math:`(N, C, d_1, ...)`.
        target (Tensor): class indices y of an integer type, shape :math:`()`, :math:`(N,)` or
            :math:`(N, d_1, ...)`.
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        ignore_index (int): an index whose samples do not count. Default: -100.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        label_smoothing (float): the part of the target that is spread over all classes, in
            [0, 1]. Default: 0.0.

    Returns: Tensor: a number, or with ``"none"`` the shape of `target`.
    Raises TypeError: `target` is not of an integer type, or `ignore_index` is not an int.
    Raises ValueError: shapes do not fit, or the reduction or smoothing is not allowed.
    Raises RuntimeError: a class index does not exist.
    Difference from PyTorch: has label smoothing; every integer type may hold the indices.
    Source: behavior observed in MindSpore 2.10, which takes negative indices from the end.

    >>> print(ms.ops.nll_loss(ms.Tensor([[-1.0, -2.0]]), ms.Tensor([1])))
    2.0
    """
    op_name = "nll_loss"
    _checked_classes(op_name, reduction, ignore_index, label_smoothing)
    target = class_indices(op_name, inputs, target)
    if weight is not None:
        weight = class_weight(op_name, weight, inputs)
    if not label_smoothing:
        return nll(op_name, inputs, target, weight, ignore_index, reduction)
    return _smoothed_nll(inputs, target, weight, ignore_index, reduction, label_smoothing)


def _smoothed_nll(
    log_probs: Tensor,
    target: Tensor,
    weight: Tensor | None,
    ignore_index: int,
    reduction: str,
    smoothing: float,
) -> Tensor:
    """With label smoothing, and with gradients by the weights, both of which torch lacks."""
    axis = 1 if log_probs.ndim > 1 else 0
    classes = log_probs.shape[axis]
    counts = target != ignore_index
    places = torch.where(counts, target, 0)
    try:
        exact = -log_probs.gather(axis, places.unsqueeze(axis)).squeeze(axis)
    except RuntimeError as error:
        raise no_such_class("nll_loss", error, classes) from error
    factors = log_probs.new_ones(classes) if weight is None else weight
    used = factors[places]
    loss = exact * used
    if smoothing:
        spread = -torch.tensordot(log_probs, factors, dims=([axis], [0]))  # pyright: ignore[reportArgumentType]
        loss = (1 - smoothing) * loss + smoothing / classes * spread
    loss = torch.where(counts, loss, 0)
    if reduction == "mean":
        return loss.sum() / torch.where(counts, used, 0).sum()
    return reduced(loss, reduction)


@op(
    "nll_loss",
    function=False,
    mint="nn.functional.nll_loss",
    samples=("f(3, 4), i(3) % 4", "f(3, 4), i(3) % 4, p(4), 1, 'none'"),
    errors=_NLL_ERRORS,
    tags=("loss",),
)
def _mint_nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Negative log likelihood of classes; see ``ops.nll_loss``.

    Args:
        input (Tensor): log probabilities, shape :math:`(C,)` or :math:`(N, C, ...)`.
        target (Tensor): class indices of an integer type.
        weight (Tensor): a factor per class. Default: None.
        ignore_index (int): an index whose samples do not count. Default: -100.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `target`.
    Difference from PyTorch: every integer type may hold the indices.
    """
    return nll_loss(input, target, weight, ignore_index, reduction)


# The smallest probability whose logarithm is taken (observed: the loss of a certain error is
# 27.631021 = -log 1e-12).
_LEAST_PROBABILITY = 1e-12


@op(
    samples=("u(2, 3), u(2, 3)", "u(2, 3), u(2, 3), p(3), 'none'", "u(4), u(4), None, 'sum'"),
    errors=(
        ("u(2), u(3)", ValueError, "shapes"),
        ("u(2), u(2), None, 'max'", ValueError, "reduction"),
        ("u(2) + 1, u(2)", RuntimeError, "between 0 and 1"),
        ("u(2), u(2), f(3)", ValueError, "broadcast"),
    ),
    reference=(
        f"{REDUCE}(-(labels * np.log(logits) + (1 - labels) * np.log(1 - logits)) "
        "* (1 if weight is None else weight))"
    ),
    tags=("loss",),
)
def binary_cross_entropy(
    logits: Tensor, labels: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    r"""Cross entropy between probabilities and targets of two classes.

    .. math::
        l_i = -w_i (y_i \log(x_i + 10^{-12}) + (1 - y_i) \log(1 - x_i + 10^{-12}))

    Args:
        logits (Tensor): probabilities x in [0, 1], of any shape.
        labels (Tensor): targets y of the same shape.
        weight (Tensor): factors w of a shape that broadcasts with `logits`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `logits`.
    Raises ValueError: shapes do not fit, or the reduction is unknown.
    Raises RuntimeError: a probability is not between 0 and 1.
    Difference from PyTorch: the loss of a certain error is 27.63, there 100.

    >>> x, y = ms.Tensor([0.2, 0.7]), ms.Tensor([1.0, 0.0])
    >>> print(ms.ops.binary_cross_entropy(x, y))
    1.4067054
    """
    return binary_cross_entropy_of("binary_cross_entropy", logits, labels, weight, reduction)


def binary_cross_entropy_of(
    op_name: str, x: Tensor, y: Tensor, weight: Tensor | None, reduction: str
) -> Tensor:
    checked_reduction(op_name, reduction)
    same_shape(op_name, "'logits' and 'labels'", x, y)
    x, y = together(x, y)
    torchs = F.binary_cross_entropy(x, y, reduction="none")
    # torch's kernel has the gradient, which is MindSpore's; the value differs near 0 and 1
    a, b = x.detach(), y.detach()
    least = _LEAST_PROBABILITY
    value = -(b * (a + least).log() + (1 - b) * (1 - a + least).log())
    loss = torchs + (value - torchs.detach())
    if weight is not None:
        loss = loss * weight.expand_as(loss) if weight.ndim < loss.ndim else loss * weight
    return reduced(loss, reduction)


@op(
    "binary_cross_entropy",
    function=False,
    mint="nn.functional.binary_cross_entropy",
    errors=(
        ("u(2, 3), u(3, 2)", ValueError, "must be equal"),
        ("u(3), u(3), None, 'max'", ValueError, "reduction"),
    ),
    samples=("u(2, 3), u(2, 3)", "u(2, 3), u(2, 3), p(3), 'none'"),
    tags=("loss",),
)
def _mint_binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Cross entropy of two classes; see ``ops.binary_cross_entropy``.

    Args:
        input (Tensor): probabilities in [0, 1], of any shape.
        target (Tensor): targets of the same shape.
        weight (Tensor): factors of a shape that broadcasts with `input`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `input`.
    Difference from PyTorch: the loss of a certain error is 27.63, there 100.
    """
    return binary_cross_entropy_of("binary_cross_entropy", input, target, weight, reduction)


def bce_with_logits(
    op_name: str,
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    pos_weight: Tensor | None,
    reduction: str,
) -> Tensor:
    """The implementation of all bindings of the binary cross entropy with logits."""
    checked_reduction(op_name, reduction)
    same_shape(op_name, "'input' and 'target'", input, target)
    input, target = together(input, target)
    if weight is None and pos_weight is None:
        return F.binary_cross_entropy_with_logits(input, target, reduction=reduction)
    # torch's function has no gradient by its weights
    wrong, right = (1 - target) * input, -F.logsigmoid(input)
    if pos_weight is not None:
        right = right * (1 + (pos_weight.to(input.dtype) - 1) * target)
    loss = wrong + right
    if weight is not None:
        loss = loss * weight.to(input.dtype)
    return reduced(loss, reduction)


_LOGITS_REFERENCE = (
    f"{REDUCE}(((1 - target) * input "
    "+ (1 + ((1 if pos_weight is None else pos_weight) - 1) * target) "
    "* np.log1p(np.exp(-input))) * (1 if weight is None else weight))"
)


@op(
    samples=(
        "f(2, 3), u(2, 3)",
        "f(2, 3), u(2, 3), p(3), p(3), 'none'",
        "f(2, 3), u(2, 3), None, p(2, 1), 'sum'",
    ),
    errors=(
        ("f(2), u(3)", ValueError, "shapes"),
        ("f(2), u(2), None, None, 'max'", ValueError, "reduction"),
        ("f(2), u(2), p(3)", ValueError, "broadcast"),
    ),
    reference=_LOGITS_REFERENCE,
    tags=("loss",),
)
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    r"""Cross entropy between scores and targets of two classes.

    .. math::
        l_i = -w_i (p_i y_i \log \sigma(x_i) + (1 - y_i) \log(1 - \sigma(x_i)))

    Args:
        input (Tensor): scores (logits) x of any shape.
        target (Tensor): targets y of the same shape.
        weight (Tensor): factors w of a shape that broadcasts with `input`. Default: None.
        pos_weight (Tensor): factors p of the positive class, of a shape that broadcasts with
            `input`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `input`.
    Raises ValueError: shapes do not fit, or the reduction is unknown.
    Difference from PyTorch: `pos_weight` comes before `reduction`.

    >>> x, y = ms.Tensor([0.0, 2.0]), ms.Tensor([1.0, 0.0])
    >>> print(ms.ops.binary_cross_entropy_with_logits(x, y, reduction="none"))
    [0.6931472 2.126928 ]
    """
    op_name = "binary_cross_entropy_with_logits"
    return bce_with_logits(op_name, input, target, weight, pos_weight, reduction)


@op(
    "binary_cross_entropy_with_logits",
    function=False,
    mint="nn.functional.binary_cross_entropy_with_logits",
    errors=(
        ("f(2, 3), u(3, 2)", ValueError, "must be equal"),
        ("f(3), u(3), None, 'max'", ValueError, "reduction"),
    ),
    samples=("f(2, 3), u(2, 3)", "f(2, 3), u(2, 3), p(3), 'none', p(3)"),
    reference=_LOGITS_REFERENCE,
    tags=("loss",),
)
def _mint_binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Cross entropy of two classes; see ``ops.binary_cross_entropy_with_logits``.

    Args:
        input (Tensor): scores (logits) of any shape.
        target (Tensor): targets of the same shape.
        weight (Tensor): factors of a shape that broadcasts with `input`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        pos_weight (Tensor): factors of the positive class. Default: None.

    Returns: Tensor: a number, or with ``"none"`` the shape of `input`.
    """
    op_name = "binary_cross_entropy_with_logits"
    return bce_with_logits(op_name, input, target, weight, pos_weight, reduction)


KL_REDUCTIONS = ("none", "mean", "batchmean", "sum")


def kl_divergence(op_name: str, input: Tensor, target: Tensor, reduction: str) -> Tensor:
    """The implementation of all bindings of the Kullback-Leibler divergence."""
    checked_reduction(op_name, reduction, KL_REDUCTIONS)
    same_shape(op_name, "'logits' and 'labels'", input, target)
    input, target = together(input, target)
    loss = torch.where(target > 0, F.kl_div(input, target, reduction="none"), 0)
    if reduction == "batchmean":
        return loss.sum() / max(input.shape[0] if input.ndim else 1, 1)
    return reduced(loss, reduction)


_KL_REDUCE = (
    "{'mean': np.mean, 'sum': np.sum, 'none': lambda v: v, "
    "'batchmean': lambda v: np.sum(v) / len(v)}[reduction]"
)


@op(
    samples=("f(2, 3), p(2, 3)", "f(2, 3), p(2, 3), 'batchmean'", "f(4), p(4), 'none'"),
    errors=(
        ("f(2, 3), p(3)", ValueError, "shapes"),
        ("f(2), p(2), 'max'", ValueError, "reduction"),
    ),
    reference=f"{_KL_REDUCE}(labels * (np.log(labels) - logits))",
    tags=("loss",),
)
def kl_div(logits: Tensor, labels: Tensor, reduction: str = "mean") -> Tensor:
    r"""Kullback-Leibler divergence: :math:`l_i = y_i (\log y_i - x_i)`, 0 where y is not above 0.

    Args:
        logits (Tensor): log probabilities x of any shape.
        labels (Tensor): probabilities y of the same shape.
        reduction (str): ``"mean"``, ``"sum"``, ``"none"``, or ``"batchmean"`` (the sum divided by
            the first size). Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `logits`.
    Raises ValueError: the shapes differ, or the reduction is unknown.
    Difference from PyTorch: ``"mean"`` does not warn; there is no `log_target`.

    >>> x, y = ms.Tensor([-1.0, -2.0]), ms.Tensor([1.0, 1.0])
    >>> print(ms.ops.kl_div(x, y, "sum"))
    3.0
    """
    return kl_divergence("kl_div", logits, labels, reduction)


@op(
    "kl_div",
    function=False,
    mint="nn.functional.kl_div",
    errors=(
        ("f(2, 3), p(4)", ValueError, "broadcast"),
        ("f(3), p(3), 'max'", ValueError, "reduction"),
    ),
    samples=("f(2, 3), p(2, 3)", "f(2, 3), f(2, 3), 'batchmean', True"),
    reference=(
        f"{_KL_REDUCE}(np.exp(target) * (target - input) if log_target "
        "else target * (np.log(target) - input))"
    ),
    tags=("loss",),
)
def _mint_kl_div(
    input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """Kullback-Leibler divergence; see ``ops.kl_div``.

    Args:
        input (Tensor): log probabilities of any shape.
        target (Tensor): probabilities, or their logarithms, of a shape that broadcasts.
        reduction (str): ``"mean"``, ``"sum"``, ``"none"`` or ``"batchmean"``. Default: ``"mean"``.
        log_target (bool): whether `target` has logarithms. Default: False.

    Returns: Tensor: a number, or with ``"none"`` the shape of `input`.
    Difference from PyTorch: ``"mean"`` does not warn.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.
    """
    checked_reduction("kl_div", reduction, KL_REDUCTIONS)
    input, target = together(input, target)
    loss = F.kl_div(input, target, reduction="none", log_target=log_target)
    if reduction == "batchmean":
        return loss.sum() / max(input.shape[0] if input.ndim else 1, 1)
    return reduced(loss, reduction)


@op(
    samples=("f(2, 3), u(2, 3).round()", "f(2, 3), u(2, 3), p(3), 'none'"),
    errors=(
        ("f(2, 3), u(2, 2)", ValueError, "shapes"),
        ("f(2, 3), u(2, 3), None, 'max'", ValueError, "reduction"),
    ),
    tags=("loss",),
)
def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    r"""Binary cross entropies of several labels, averaged per sample.

    .. math::
        l_n = -\frac{1}{C} \sum_c w_c (y_{n,c} \log \sigma(x_{n,c})
            + (1 - y_{n,c}) \log(1 - \sigma(x_{n,c})))

    Args:
        input (Tensor): scores x, shape :math:`(N, C)`.
        target (Tensor): targets y of the same shape, 0 or 1.
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape without the last axis.
    Raises ValueError: the shapes differ, or the reduction is unknown.

    >>> x, y = ms.Tensor([[0.0, 2.0]]), ms.Tensor([[1.0, 1.0]])
    >>> print(ms.ops.multilabel_soft_margin_loss(x, y))
    0.41004
    """
    op_name = "multilabel_soft_margin_loss"
    checked_reduction(op_name, reduction)
    same_shape(op_name, "'input' and 'target'", input, target)
    if not target.is_floating_point():
        target = target.to(input.dtype)
    return F.multilabel_soft_margin_loss(input, target, weight, reduction=reduction)


def multilabel_margin(op_name: str, input: Tensor, target: Tensor, reduction: str) -> Tensor:
    """The implementation of all bindings of the multi-label margin loss."""
    checked_reduction(op_name, reduction)
    same_shape(op_name, "'input' and 'target'", input, target)
    if input.ndim not in (1, 2):
        raise ValueError(f"For '{op_name}', 'input' must have 1 or 2 axes, but has {input.ndim}.")
    if target.is_floating_point():
        raise TypeError(f"For '{op_name}', 'target' must have class indices of an integer type.")
    loss = F.multilabel_margin_loss(in_float32(input), target.long(), reduction=reduction)
    return loss.to(input.dtype)


@op(
    samples=("f(2, 3), i(2, 3) * 0 - 1 + i(2, 3) % 2", "f(4), i(4) % 4, 'sum'"),
    errors=(
        ("f(2, 3), i(3)", ValueError, "shapes"),
        ("f(2, 3), f(2, 3)", TypeError, "integer"),
        ("f(3), i(3) % 3, 'max'", ValueError, "reduction"),
    ),
    tags=("loss",),
)
def multilabel_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    r"""Hinge loss of several classes per sample.

    .. math::
        l_n = \frac{1}{C} \sum_{j} \sum_{i \notin Y_n} \max(0, 1 - (x_{n, y_{n,j}} - x_{n, i}))

    Args:
        input (Tensor): scores x, shape :math:`(C,)` or :math:`(N, C)`.
        target (Tensor): class indices of the same shape; those before the first -1 count.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape without C.
    Raises ValueError: the shapes differ or have more than 2 axes, or the reduction is unknown.
    Raises TypeError: `target` is not of an integer type.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> x = ms.Tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> print(ms.ops.multilabel_margin_loss(x, ms.Tensor([[3, 0, -1, 1]])))
    0.85
    """
    return multilabel_margin("multilabel_margin_loss", input, target, reduction)


def multi_margin(
    op_name: str,
    input: Tensor,
    target: Tensor,
    p: int,
    margin: float,
    weight: Tensor | None,
    reduction: str,
) -> Tensor:
    """The implementation of all bindings of the multi-class margin loss."""
    checked_reduction(op_name, reduction)
    if p not in (1, 2):
        raise ValueError(
            f"For '{op_name}', the 'p' must be int and must in {{1, 2}}, but got {p!r}."
        )
    number(op_name, "margin", margin)
    if input.ndim > 2:
        raise ValueError(f"For '{op_name}', 'input' must have 1 or 2 axes, but has {input.ndim}.")
    target = class_indices(op_name, input, target)
    try:
        loss = F.multi_margin_loss(in_float32(input), target, p, margin, reduction="none")
    except RuntimeError as error:
        if "target out of range" not in str(error):
            raise
        classes = input.shape[-1]
        raise ValueError(
            f"For '{op_name}', Target out of range: class indices must be in [0, {classes})."
        ) from error
    if weight is not None:
        loss = loss * in_float32(class_weight(op_name, weight, input))[target]
    return reduced(loss, reduction).to(input.dtype)


@op(
    samples=("f(3, 4), i(3) % 4", "f(3, 4), i(3) % 4, 2, 0.5, p(4), 'none'", "f(4), i() % 4"),
    errors=(
        ("f(2, 3), i(2) * 0 + 7", ValueError, "out of range"),
        ("f(2, 3), i(2) % 3, 3", ValueError, "'p'"),
        ("f(2, 3), i(2) % 3, 1, 'a'", TypeError, "margin"),
        ("f(2, 3), i(3) % 3", ValueError, "shape"),
        ("f(2, 3), i(2) % 3, 1, 1, p(2)", ValueError, "weight"),
        ("f(2, 3), i(2) % 3, 1, 1, None, 'max'", ValueError, "reduction"),
    ),
    tags=("loss",),
)
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1,
    weight: Tensor | None = None,
    reduction: str = "mean",
) -> Tensor:
    r"""Hinge loss of one class per sample.

    .. math::
        l_n = \frac{1}{C} \sum_{i \ne y_n} w_{y_n} \max(0, margin - x_{n, y_n} + x_{n, i})^p

    Args:
        input (Tensor): scores x, shape :math:`(C,)` or :math:`(N, C)`.
        target (Tensor): class indices y of an integer type, shape :math:`()` or :math:`(N,)`.
        p (int): 1 or 2. Default: 1.
        margin (Union[int, float]): the margin. Default: 1.
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns: Tensor: a number, or with ``"none"`` the shape of `target`.
    Raises ValueError: `p` is neither 1 nor 2, a class index does not exist, shapes do not fit, or
        the reduction is unknown.
    Raises TypeError: `margin` is not a number, or `target` not of an integer type.
    Difference from PyTorch: every integer type may hold the indices.
    Source: behavior observed in MindSpore 2.10, which takes int margins and int64 indices only.

    >>> x = ms.Tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> print(ms.ops.multi_margin_loss(x, ms.Tensor([3])))
    0.325
    """
    return multi_margin("multi_margin_loss", input, target, p, margin, weight, reduction)
