"""Connectionist temporal classification: the loss and greedy decoding."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import boolean, integer
from agar.ops.nn.loss import checked_reduction, in_float32
from agar.ops.spec import op, primitive

__all__: list[str] = []


def _lengths(op_name: str, name: str, value: Any, batch: int, limit: int) -> list[int]:
    result = value.reshape(-1).tolist() if isinstance(value, Tensor) else list(value)
    if len(result) != batch:
        raise ValueError(
            f"For '{op_name}', '{name}' must have one length for each of the {batch} samples, but "
            f"got {len(result)}."
        )
    for i, n in enumerate(result):
        if not 0 <= n <= limit:
            raise RuntimeError(
                f"For '{op_name}', '{name}' must be in [0, {limit}], but got {n} for sample {i}."
            )
    return [int(n) for n in result]


def _length_tensor(op_name: str, name: str, value: Any, batch: int, limit: int) -> Tensor:
    """As `_lengths`, as a tensor: a compiled call does not branch on each length."""
    if not isinstance(value, Tensor):
        return torch.tensor(_lengths(op_name, name, value, batch, limit), dtype=torch.int64)
    result = value.reshape(-1)
    if result.numel() != batch or bool(((result < 0) | (result > limit)).any()):
        _lengths(op_name, name, value, batch, limit)  # raises
    return result.long()


def _check_labels(op_name: str, targets: Tensor, lengths: Tensor, classes: int) -> None:
    """Check the labels that count: torch reads memory at them without looking."""
    used = torch.arange(targets.shape[1], device=targets.device) < lengths[:, None].to(
        targets.device
    )
    wrong = used & ((targets < 0) | (targets >= classes))
    if bool(wrong.any()):
        sample, place = wrong.nonzero()[0].tolist()
        raise ValueError(
            f"For '{op_name}', 'targets' must be in [0, {classes}) within 'target_lengths', but "
            f"got {int(targets[sample, place])} at [{sample}, {place}]."
        )


def ctc(
    op_name: str,
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int,
    zero_infinity: bool,
) -> tuple[Tensor, Tensor, Tensor]:
    """Losses of the samples, logarithms of the forward variables, and the target lengths."""
    if log_probs.ndim != 3:
        raise ValueError(
            f"For '{op_name}', the dim of log_probs must be equal to 3, but got {log_probs.ndim}."
        )
    time, batch, classes = log_probs.shape
    if targets.ndim != 2 or targets.shape[0] != batch:
        raise ValueError(
            f"For '{op_name}', the dim of targets must be equal to 2: a row for each of the "
            f"{batch} samples, but got shape {tuple(targets.shape)}."
        )
    if targets.is_floating_point():
        raise TypeError(f"For '{op_name}', 'targets' must have class indices of an integer type.")
    if not 0 <= integer(op_name, "blank", blank) < classes:
        raise ValueError(f"For '{op_name}', the blank must be in [0,{classes}), but got {blank}.")
    inputs = _length_tensor(op_name, "input_lengths", input_lengths, batch, time)
    lengths = _length_tensor(op_name, "target_lengths", target_lengths, batch, targets.shape[1])
    _check_labels(op_name, targets, lengths, classes)
    if batch:
        int(lengths.max())  # the shape of torch's alpha depends on it: another one, another graph
    boolean(op_name, "zero_infinity", zero_infinity)
    work = in_float32(log_probs)
    losses, alpha = torch._ctc_loss(work, targets.long(), inputs, lengths, blank, zero_infinity)
    if zero_infinity:
        losses = torch.where(losses == torch.inf, 0, losses)
    # torch leaves what lies beyond the lengths of a sample as it was in memory
    device = alpha.device
    steps = torch.arange(alpha.shape[1], device=device)
    states = torch.arange(alpha.shape[2], device=device)
    used = steps[None, :] < inputs.to(device)[:, None]
    used = used[:, :, None] & (states[None, :] <= 2 * lengths.to(device)[:, None])[:, None, :]
    alpha = torch.where(used, alpha.detach(), -torch.inf)
    alpha = F.pad(alpha, (0, 2 * targets.shape[1] + 1 - alpha.shape[2]), value=-torch.inf)
    return losses.to(log_probs.dtype), alpha.to(log_probs.dtype), lengths


@op(
    samples=(
        "f(5, 2, 4) - 3, i(2, 2) % 3 + 1, i(2) * 0 + 5, i(2) * 0 + 2",
        "f(5, 2, 4) - 3, i(2, 2) % 3, [5, 4], [1, 2], 3, 'none', True",
    ),
    errors=(
        ("f(5, 4), i(1, 2) % 3, [5], [2]", ValueError, "3"),
        ("f(5, 2, 4), i(4) % 3, [5, 5], [2, 2]", ValueError, "2"),
        ("f(5, 2, 4), i(2, 2) % 3, [6, 5], [2, 2]", RuntimeError, "input_lengths"),
        ("f(5, 2, 4), i(2, 2) % 3, [5, 5], [3, 2]", RuntimeError, "target_lengths"),
        ("f(5, 2, 4), i(2, 2) % 3, [5, 5], [2, 2], 4", ValueError, "blank"),
        ("f(5, 2, 4), i(2, 2) + 2**31, [5, 5], [2, 2]", ValueError, "in [0, 4)"),
        ("f(5, 2, 4), i(2, 2) % 3, [5, 5], [2, 2], 0, 'max'", ValueError, "reduction"),
    ),
    differentiable=False,  # the second result is a constant
    tags=("loss",),
)
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | list[int],
    target_lengths: Tensor | list[int],
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> tuple[Tensor, Tensor]:
    r"""Negative log likelihood of label sequences that are not aligned with the inputs.

    Sums the probabilities of all alignments: sequences of T classes that give the labels when
    repetitions are merged and blanks removed.

    Args:
        log_probs (Tensor): log probabilities, shape :math:`(T, N, C)`.
        targets (Tensor): labels of an integer type, without blanks, shape :math:`(N, S)`.
        input_lengths (Union[Tensor, list[int]]): the number of time steps of each sample, at
            most T.
        target_lengths (Union[Tensor, list[int]]): the number of labels of each sample, at most S.
        blank (int): the class that means no label. Default: 0.
        reduction (str): ``"mean"`` (each loss is divided by its number of labels first), ``"sum"``
            or ``"none"``. Default: ``"mean"``.
        zero_infinity (bool): whether samples that cannot be aligned have loss and gradient 0,
            not infinity. Default: False.

    Returns: tuple of the loss, a number or shape :math:`(N,)`, and the logarithms of the forward
        variables, shape :math:`(N, T, 2S + 1)`, through which no gradient flows.
    Raises ValueError: a shape, the blank, the reduction or a label is not allowed.
    Raises RuntimeError: a length is too large.
    Raises TypeError: `targets` is not of an integer type.
    Difference from PyTorch: returns the forward variables too; targets are padded, not joined;
        labels outside of the classes raise, where torch and MindSpore read other memory.
    Source: Graves et al. 2006, "Connectionist Temporal Classification". In MindSpore 2.10,
        `zero_infinity` changes the gradient only.

    >>> log_probs = ms.ops.log_softmax(ms.Tensor([[[0.0, 0.0]], [[0.0, 0.0]]]), -1)
    >>> loss, _ = ms.ops.ctc_loss(log_probs, ms.Tensor([[1]]), ms.Tensor([2]), ms.Tensor([1]))
    >>> print(loss)
    0.2876821
    """
    checked_reduction("ctc_loss", reduction)
    losses, alpha, lengths = ctc(
        "ctc_loss", log_probs, targets, input_lengths, target_lengths, blank, zero_infinity
    )
    if reduction == "mean":
        counts = lengths.to(losses).clamp(min=1)
        return (losses / counts).mean(), alpha
    return (losses.sum() if reduction == "sum" else losses), alpha


@primitive(
    "CTCLossV2",
    samples=("f(5, 2, 4) - 3, i(2, 2) % 3 + 1, i(2) * 0 + 5, i(2) * 0 + 2",),
    errors=(("f(5, 4), i(1, 2) % 3, i(1), i(1)", ValueError, "3"),),
    differentiable=False,  # the second result is a constant
    tags=("loss",),
)
def _ctc_loss_v2(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | list[int],
    target_lengths: Tensor | list[int],
    *,
    blank: int = 0,
    reduction: str = "none",
    zero_infinity: bool = False,
) -> tuple[Tensor, Tensor]:
    """Losses of label sequences, one per sample; see ``ops.ctc_loss``.

    Args:
        log_probs (Tensor): log probabilities, shape :math:`(T, N, C)`.
        targets (Tensor): labels of an integer type, shape :math:`(N, S)`.
        input_lengths (Union[Tensor, list[int]]): the number of time steps of each sample.
        target_lengths (Union[Tensor, list[int]]): the number of labels of each sample.
        blank (int): the class that means no label. Default: 0.
        reduction (str): must be ``"none"``. Default: ``"none"``.
        zero_infinity (bool): whether samples that cannot be aligned have loss and gradient 0.
            Default: False.

    Returns: tuple of the losses, shape :math:`(N,)`, and the logarithms of the forward variables.
    Raises ValueError: the reduction is another one.
    Difference from PyTorch: returns the forward variables too.
    Source: Graves et al. 2006, "Connectionist Temporal Classification".
    """
    checked_reduction("CTCLossV2", reduction, ("none",))
    losses, alpha, _ = ctc(
        "CTCLossV2", log_probs, targets, input_lengths, target_lengths, blank, zero_infinity
    )
    return losses, alpha


@primitive(
    "CTCLossV2Grad",
    samples=(
        "f(2), f(5, 2, 4) - 3, i(2, 2) % 3 + 1, i(2) * 0 + 5, i(2) * 0 + 2, f(2), f(2, 5, 5),"
        " blank=0",
    ),
    errors=(
        ("f(2), f(5, 4), i(1, 2) % 3, i(1), i(1), f(2), f(2, 5, 5), blank=0", ValueError, "3"),
        (
            "f(2), f(5, 2, 4), i(2, 2) % 3, i(2) * 0 + 5, i(2) * 0 + 2, f(3), f(2, 5, 5), blank=0",
            ValueError,
            "neg_log_likelihood",
        ),
    ),
    differentiable=False,
    tags=("loss",),
)
def _ctc_loss_v2_grad(
    grad_out: Tensor,
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor | list[int],
    target_lengths: Tensor | list[int],
    neg_log_likelihood: Tensor,
    log_alpha: Tensor,
    *,
    blank: int,
    reduction: str = "none",
    zero_infinity: bool = False,
) -> Tensor:
    """The gradient of CTCLossV2 with respect to the log probabilities.

    Args:
        grad_out (Tensor): the gradient of the losses, shape :math:`(N,)`.
        log_probs (Tensor): log probabilities, shape :math:`(T, N, C)`.
        targets (Tensor): labels of an integer type, shape :math:`(N, S)`.
        input_lengths (Union[Tensor, list[int]]): the number of time steps of each sample.
        target_lengths (Union[Tensor, list[int]]): the number of labels of each sample.
        neg_log_likelihood (Tensor): the losses that CTCLossV2 gave.
        log_alpha (Tensor): the logarithms of the forward variables that it gave.
        blank (int): the class that means no label.
        reduction (str): must be ``"none"``. Default: ``"none"``.
        zero_infinity (bool): whether samples that cannot be aligned have gradient 0.
            Default: False.

    Returns: Tensor like `log_probs`.
    Raises ValueError: the reduction is another one, or a shape does not fit.
    Raises RuntimeError: a length is too large.
    Difference from PyTorch: autograd computes it.

    >>> log_probs = ms.ops.log_softmax(ms.Tensor([[[0.0, 0.0]], [[0.0, 0.0]]]), -1)
    >>> given = (log_probs, ms.Tensor([[1]]), ms.Tensor([2]), ms.Tensor([1]))
    >>> loss, alpha = ms.ops.CTCLossV2()(*given)
    >>> grad = ms.ops.CTCLossV2Grad(0)(ms.Tensor([1.0]), *given, loss, alpha)
    >>> print(grad.shape)
    (2, 1, 2)
    """
    op_name = "CTCLossV2Grad"
    checked_reduction(op_name, reduction, ("none",))
    # The losses and forward variables follow from the inputs; torch's own layout of them, which
    # its backward function needs, is not that of the arguments.
    work = in_float32(log_probs.detach()).requires_grad_()
    with torch.enable_grad():
        losses, alpha, _ = ctc(
            op_name, work, targets, input_lengths, target_lengths, blank, zero_infinity
        )
    for name, given, shape in (
        ("grad_out", grad_out, losses.shape),
        ("neg_log_likelihood", neg_log_likelihood, losses.shape),
        ("log_alpha", log_alpha, alpha.shape),
    ):
        if given.shape != shape:
            raise ValueError(
                f"For '{op_name}', '{name}' must have shape {list(shape)}, but got "
                f"{list(given.shape)}."
            )
    (result,) = torch.autograd.grad(losses, work, grad_out.to(losses.dtype))
    return result.to(log_probs.dtype)


# ----------------------------------------------------------------- with sparse labels


def _dense_labels(
    op_name: str, indices: Tensor, values: Tensor, batch: int, collapse: bool
) -> list[list[int]]:
    """The labels of each sample, from pairs (sample, position) and values."""
    if indices.ndim != 2 or indices.shape[1] != 2 or values.shape != indices.shape[:1]:
        raise ValueError(
            f"For '{op_name}', 'labels_indices' must have shape (M, 2) and 'labels_values' (M,), "
            f"but got {tuple(indices.shape)} and {tuple(values.shape)}."
        )
    rows: list[list[int]] = [[] for _ in range(batch)]
    for (sample, _), value in zip(indices.tolist(), values.tolist(), strict=True):
        if not 0 <= sample < batch:
            raise ValueError(
                f"For '{op_name}', 'labels_indices' names sample {sample}, but there are {batch}."
            )
        row = rows[sample]
        if not (collapse and row and row[-1] == value):
            row.append(value)
    return rows


def _end_at_blank(op_name: str, row: list[int], blank: int) -> None:
    """Cut the labels of a sample off at the first blank.

    Raises:
        RuntimeError: another label follows a blank, or one is not a class.
    """
    while row and row[-1] == blank:
        row.pop()
    wrong = [label for label in row if not 0 <= label < blank]
    if wrong:
        raise RuntimeError(
            f"For '{op_name}', 'labels_values' must be in the range [0, {blank}), or end with the "
            f"blank {blank}, but got {wrong[0]} in {row}."
        )


def _unmerged(log_probs: Tensor, labels: Tensor, inputs: list[int], lengths: list[int]) -> Tensor:
    """Losses where repetitions are not merged: each label stands for exactly one time step."""
    time, batch, classes = log_probs.shape
    count = labels.shape[1]
    emit = log_probs.gather(2, labels[None].expand(time, batch, count))
    blank = log_probs[:, :, classes - 1 :]
    # alpha[n, s]: s labels have been emitted after the steps so far
    alpha = log_probs.new_full((batch, count + 1), -torch.inf)
    alpha = torch.cat((torch.zeros_like(alpha[:, :1]), alpha[:, 1:]), 1)
    limits = torch.tensor(inputs, device=log_probs.device)[:, None]
    for t in range(time):
        moved = torch.cat((torch.full_like(alpha[:, :1], -torch.inf), alpha[:, :-1] + emit[t]), 1)
        # log(exp(a) + exp(b)) has no gradient where both are zero probabilities
        both = torch.stack((alpha + blank[t], moved))
        finite = both.amax(0) > -torch.inf
        summed = torch.where(finite, torch.where(finite, both, 0).logsumexp(0), -torch.inf)
        alpha = torch.where(t < limits, summed, alpha)
    ends = torch.tensor(lengths, device=log_probs.device)[:, None]
    return -alpha.gather(1, ends).squeeze(1)


class _WithGradient(torch.autograd.Function):
    """Losses whose gradient was computed with them."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, losses: Tensor, gradient: Tensor) -> Tensor:
        ctx.save_for_backward(gradient)
        return losses.clone()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:  # type: ignore[override]
        (gradient,) = ctx.saved_tensors
        return grad[None, :, None] * gradient, None, None


@primitive(
    "CTCLoss",
    samples=("f(4, 2, 4), i(3, 2) * 0, i(3) % 3, i(2) * 0 + 4",),
    errors=(
        ("f(4, 4), i(3, 2) * 0, i(3) % 3, i(2)", ValueError, "3"),
        ("f(4, 2, 4), i(3, 2) * 0, i(3) % 3, i(2) * 0 + 5", RuntimeError, "sequence_length"),
        ("f(2, 2, 4), i(3, 2) * 0, i(3) % 3, i(2) * 0 + 2", RuntimeError, "ignore_longer"),
    ),
    differentiable=False,  # the second result is a constant
    tags=("loss",),
)
def _ctc_loss_sparse(
    x: Tensor,
    labels_indices: Tensor,
    labels_values: Tensor,
    sequence_length: Tensor | list[int],
    *,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
) -> tuple[Tensor, Tensor]:
    r"""Losses of sparse label sequences over scores, with their gradient beside them.

    The last class is the blank, which labels may end with. The scores are normalized here.

    Args:
        x (Tensor): scores (logits), shape :math:`(T, N, C)`.
        labels_indices (Tensor): pairs (sample, position), shape :math:`(M, 2)`, in order.
        labels_values (Tensor): the labels, shape :math:`(M,)`.
        sequence_length (Union[Tensor, list[int]]): the number of time steps of each sample.
        preprocess_collapse_repeated (bool): whether to merge repetitions among the labels first.
            Default: False.
        ctc_merge_repeated (bool): whether repetitions in an alignment are merged; otherwise each
            label stands for exactly one time step. Default: True.
        ignore_longer_outputs_than_inputs (bool): whether a sample with more labels than time
            steps has loss and gradient 0, not an error. Default: False.

    Returns: tuple of the losses, shape :math:`(N,)`, and their gradient by `x`.
    Raises ValueError: the shapes do not fit.
    Raises RuntimeError: a sequence length is too large, or a sample has more labels than time
        steps.
    Difference from PyTorch: ``torch.nn.functional.ctc_loss`` takes log probabilities and dense
        labels.
    Source: Graves et al. 2006, "Connectionist Temporal Classification".
    """
    op_name = "CTCLoss"
    if x.ndim != 3:
        raise ValueError(f"For '{op_name}', the dim of 'x' must be equal to 3, but got {x.ndim}.")
    time, batch, classes = x.shape
    inputs = _lengths(op_name, "sequence_length", sequence_length, batch, time)
    rows = _dense_labels(
        op_name, labels_indices, labels_values, batch, preprocess_collapse_repeated
    )
    for row in rows:
        _end_at_blank(op_name, row, classes - 1)
    lengths = [len(row) for row in rows]
    longer = [n for n in range(batch) if lengths[n] > inputs[n]]
    if longer and not ignore_longer_outputs_than_inputs:
        n = longer[0]
        raise RuntimeError(
            f"For '{op_name}', input time(sequence length) must be greater than output size(label "
            f"length), but got sequence length: {inputs[n]} and label length: {lengths[n]} for "
            f"sample {n}; pass ignore_longer_outputs_than_inputs=True to leave such samples out."
        )
    for n in longer:
        lengths[n] = 0
    width = max(lengths, default=0)
    labels = torch.tensor(
        [(row[:k] + [0] * width)[:width] for row, k in zip(rows, lengths, strict=True)],
        dtype=torch.int64,
        device=x.device,
    ).reshape(batch, width)
    with torch.enable_grad():
        leaf = in_float32(x.detach()).requires_grad_()
        log_probs = F.log_softmax(leaf, -1)
        if ctc_merge_repeated:
            losses, _ = torch._ctc_loss(log_probs, labels, inputs, lengths, classes - 1, False)
        else:
            losses = _unmerged(log_probs, labels, inputs, lengths)
        counted = torch.ones(batch, dtype=torch.bool, device=x.device)
        counted[longer] = False
        losses = torch.where(counted, losses, 0)
        (gradient,) = torch.autograd.grad(losses.sum(), leaf)
    losses = losses.detach()
    for n in range(batch):
        # the last of several time steps counts as 1 + p in a sample without labels, as observed
        if not lengths[n] and n not in longer and inputs[n] > 1:
            last = log_probs[inputs[n] - 1, n, classes - 1].detach()
            losses[n] += last - last.exp().log1p()
            gradient[inputs[n] - 1, n, classes - 1] += 1 / (1 + last.exp())
    losses, gradient = losses.to(x.dtype), gradient.to(x.dtype)
    return _WithGradient.apply(x, losses, gradient), gradient


# ------------------------------------------------------------------------- decoding


def _decode(
    op_name: str, inputs: Tensor, sequence_length: Any, merge_repeated: bool
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    if inputs.ndim != 3:
        raise ValueError(f"For '{op_name}', 'inputs' must have 3 axes, but has {inputs.ndim}.")
    boolean(op_name, "merge_repeated", merge_repeated)
    time, batch, classes = inputs.shape
    lengths = _lengths(op_name, "sequence_length", sequence_length, batch, time)
    best, path = inputs.max(-1)
    steps = torch.arange(time, device=inputs.device)[:, None]
    used = steps < torch.tensor(lengths, device=inputs.device)
    scores = -torch.where(used, best, 0).sum(0).unsqueeze(1)
    keep = used & (path != classes - 1)
    if merge_repeated:
        repeated = torch.zeros_like(keep)
        repeated[1:] = path[1:] == path[:-1]
        keep = keep & ~repeated
    # samples in order, positions counted within each
    keep = keep.t()
    positions = keep.cumsum(1) - 1
    sample = torch.arange(batch, device=inputs.device)[:, None].expand_as(keep)
    indices = torch.stack((sample[keep], positions[keep]), 1)
    values = path.t()[keep]
    longest = int(keep.sum(1).max()) if batch else 0
    shape = torch.tensor([batch, longest], device=inputs.device)
    return indices, values, shape, scores


@op(
    primitive="CTCGreedyDecoder(merge_repeated)",
    samples=("f(4, 2, 4), i(2) * 0 + 4", "f(4, 2, 4), [4, 3], False"),
    errors=(
        ("f(4, 4), [4]", ValueError, "3"),
        ("f(4, 2, 4), [5, 4]", RuntimeError, "sequence_length"),
        ("f(4, 2, 4), [4]", ValueError, "sequence_length"),
    ),
    differentiable=False,
)
def ctc_greedy_decoder(
    inputs: Tensor,
    sequence_length: Tensor | list[int],
    merge_repeated: bool = True,
    *,
    _op_name: str = "ctc_greedy_decoder",
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The label sequences of the best class at each time step.

    The last class is the blank.

    Args:
        inputs (Tensor): scores, shape :math:`(T, N, C)`.
        sequence_length (Union[Tensor, list[int]]): the number of time steps of each sample.
        merge_repeated (bool): whether repetitions are merged. Default: True.

    Returns: tuple of four tensors: pairs (sample, position), shape :math:`(M, 2)`; the labels,
        shape :math:`(M,)`; the shape :math:`(N, longest)` of the dense result; and the negative
        sums of the best scores, shape :math:`(N, 1)`.
    Raises ValueError: the shapes do not fit.
    Raises RuntimeError: a sequence length is too large.
    Difference from PyTorch: none (no counterpart).

    >>> scores = ms.Tensor([[[0.6, 0.4, 0.2]], [[0.0, 0.6, 0.0]]])
    >>> indices, values, shape, _ = ms.ops.ctc_greedy_decoder(scores, ms.Tensor([2]))
    >>> print(values, shape)
    [0 1] [1 2]
    """
    return _decode(_op_name, inputs, sequence_length, merge_repeated)
