"""Implementations of losses that exist as layers only.

They are over torch tensors; `agar.nn.loss` gives them their bindings.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops.nn.loss import reduced, same_shape, together
from agar.ops.nn.loss_classification import class_indices, no_such_class

__all__ = [
    "dice",
    "distance",
    "focal",
    "poisson_nll",
    "sampled_softmax",
    "softmax_cross_entropy",
]


def poisson_nll(
    input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: str
) -> Tensor:
    """Of nn.PoissonNLLLoss."""
    if not target.is_floating_point():
        target = target.to(input.dtype)
    if log_input:
        loss = input.exp() - target * input
    else:
        loss = input - target * (input + eps).log()
    if full:
        counts = target.clamp(min=1)  # no logarithm of zero, whose gradient would be nan
        stirling = counts * counts.log() - counts + 0.5 * (2 * math.pi * counts).log()
        loss = loss + torch.where(target > 1, stirling, 0)
    return reduced(loss, reduction)


def softmax_cross_entropy(logits: Tensor, labels: Tensor, sparse: bool, reduction: str) -> Tensor:
    """Of nn.SoftmaxCrossEntropyWithLogits.

    With sparse labels, one that names no class costs nothing, as its one-hot row is zero; with the
    mean, which MindSpore computes by another operator, it is an error.
    """
    op_name = "SoftmaxCrossEntropyWithLogits"
    if not sparse:
        if labels.shape != logits.shape or not labels.is_floating_point():
            raise (ValueError if labels.is_floating_point() else TypeError)(
                f"For '{op_name}', 'labels' must have the shape of 'logits' {tuple(logits.shape)} "
                f"and a float type, but got {tuple(labels.shape)} and {str(labels.dtype)[6:]}; for "
                "class indices make the loss with sparse=True."
            )
        logits, labels = together(logits, labels)
        return F.cross_entropy(
            _classes_second(logits), _classes_second(labels), reduction=reduction
        )
    if labels.shape != logits.shape[:-1]:
        raise ValueError(
            f"For '{op_name}' with sparse=True, 'labels' must have the shape of 'logits' without "
            f"its last axis, {tuple(logits.shape[:-1])}, but got {tuple(labels.shape)}."
        )
    scores = _classes_second(logits)
    labels = class_indices(op_name, scores, labels)
    if reduction != "mean":
        labels = torch.where((labels >= 0) & (labels < logits.shape[-1]), labels, -100)
    try:
        return F.cross_entropy(scores, labels, reduction=reduction)
    except IndexError as error:
        raise no_such_class(op_name, error, logits.shape[-1]) from error


def _classes_second(value: Tensor) -> Tensor:
    return value.movedim(-1, 1) if value.ndim > 2 else value


def focal(log_probs: Tensor, labels: Tensor, weight: Tensor | None, gamma: float) -> Tensor:
    """Of nn.FocalLoss, without the reduction."""
    classes = log_probs.shape[1]
    log_probs = log_probs.reshape(log_probs.shape[0], classes, -1)
    labels = labels.reshape(labels.shape[0], labels.shape[1], -1)
    factors = None if weight is None else weight.to(log_probs.dtype)
    indexed = labels.shape[1] == 1
    indices = labels.long() if indexed else labels
    if indexed:
        try:
            log_probs = log_probs.gather(1, indices)
        except RuntimeError as error:
            raise no_such_class("FocalLoss", error, classes) from error
    probs = log_probs.exp()
    if factors is not None:
        log_probs = log_probs * (factors[indices] if indexed else factors[None, :, None])
    loss = -((1 - probs) ** gamma) * log_probs
    return loss.squeeze(1).mean(-1) if indexed else (loss * labels).mean(-1)


def dice(logits: Tensor, labels: Tensor, smooth: float) -> Tensor:
    """Of nn.DiceLoss."""
    same_shape("DiceLoss", "'logits' and 'labels'", logits, labels)
    logits, labels = together(logits, labels)
    common = (logits * labels).sum()
    total = logits.square().sum() + labels.square().sum()
    return 1 - 2 * common / (total + smooth)


def sampled_softmax(
    weights: Tensor,
    biases: Tensor,
    labels: Tensor,
    inputs: Tensor,
    sampled: Tensor,
    true_expected: Tensor,
    sampled_expected: Tensor,
) -> Tensor:
    """Of nn.SampledSoftmaxLoss, without the reduction."""
    labels = labels.long()
    true_scores = (inputs.unsqueeze(1) * weights[labels]).sum(-1) + biases[labels]
    true_scores = true_scores - true_expected.log()
    sampled_scores = inputs @ weights[sampled].t() + biases[sampled] - sampled_expected.log()
    log_probs = F.log_softmax(torch.cat((true_scores, sampled_scores), 1), 1)
    return -log_probs[:, : labels.shape[1]].mean(1)


def distance(x: Tensor, y: Tensor) -> Tensor:
    """Euclidean distances along axis 1 (of vectors along their only axis)."""
    return torch.linalg.vector_norm(x - y, dim=1 if x.ndim > 1 else 0)
