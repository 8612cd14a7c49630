"""Primitives over sequences of words: edit distance, no repeated n-grams, accidental hits."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar._core.runtime import host_node
from agar.ops._checks import boolean, integer
from agar.ops.math.elementwise import check_integers
from agar.ops.spec import primitive

__all__: list[str] = []


def _distance(first: list[Any], second: list[Any]) -> int:
    """The number of insertions, deletions and replacements that turn one sequence into another."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(second, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def _groups(indices: Tensor, values: Tensor) -> dict[tuple[int, ...], list[Any]]:
    entries: dict[tuple[int, ...], list[Any]] = {}
    for place, value in zip(indices.tolist(), values.tolist(), strict=True):
        entries.setdefault(tuple(place[:-1]), []).append(value)
    return entries


def _distances_of(
    first: Tensor,
    first_values: Tensor,
    second: Tensor,
    second_values: Tensor,
    shape: tuple[int, ...],
    normalize: bool,
) -> Tensor:
    ours, theirs = _groups(first, first_values), _groups(second, second_values)
    out = torch.zeros(shape, dtype=torch.float32)
    for place in ours.keys() | theirs.keys():
        if any(not 0 <= p < size for p, size in zip(place, shape, strict=True)):
            raise ValueError(
                f"For 'EditDistance', the indices {list(place)} lie outside of the shape "
                f"{list(shape)}."
            )
        hypothesis, truth = ours.get(place, []), theirs.get(place, [])
        number = float(_distance(hypothesis, truth))
        if normalize:
            number = number / len(truth) if truth else (torch.inf if hypothesis else 0.0)
        out[place] = number
    return out.to(first.device)


_distances = host_node(_distances_of, "tensor")  # Python over all values: one node of a graph

_PAIR = (
    "torch.tensor([[0, 0], [0, 1], [0, 2], [1, 0]]), torch.tensor([1, 2, 3, 4]), [3, 3],"
    " torch.tensor([[0, 0], [0, 1], [2, 0], [2, 1]]), torch.tensor([1, 3, 5, 5]), [3, 3]"
)


@primitive(
    "EditDistance",
    samples=(_PAIR, f"{_PAIR}, normalize=False"),
    errors=(
        ("i(2), i(2), [3], i(2, 1), i(2), [3]", ValueError, "hypothesis_indices"),
        ("i(2, 2), i(3), [3, 3], i(2, 2), i(2), [3, 3]", ValueError, "hypothesis_values"),
        ("i(2, 2), i(2), [3], i(2, 2), i(2), [3, 3]", ValueError, "hypothesis_shape"),
        ("f(2, 2), i(2), [3, 3], i(2, 2), i(2), [3, 3]", TypeError, "hypothesis_indices"),
        ("i(2, 2), i(2), [3, 3], i(2, 2), i(2), [3, 3], normalize=1", TypeError, "normalize"),
    ),
    differentiable=False,
    cast="never",
)
def _edit_distance(
    hypothesis_indices: Tensor,
    hypothesis_values: Tensor,
    hypothesis_shape: Any,
    truth_indices: Tensor,
    truth_values: Tensor,
    truth_shape: Any,
    *,
    normalize: bool = True,
) -> Tensor:
    """Edit distance of sequences: the number of insertions, deletions and replacements.

    The sequences lie along the last axis of two sparse tensors.

    Args:
        normalize (bool): whether to divide by the length of the true sequence (giving infinity
            where that is empty and the other one is not). Default: True.
        hypothesis_indices (Tensor): indices of the elements, int64 of shape :math:`(N, R)`, in
            order.
        hypothesis_values (Tensor): the elements, shape :math:`(N,)`.
        hypothesis_shape (Tensor): the R sizes of the tensor.
        truth_indices (Tensor): shape :math:`(M, R)`.
        truth_values (Tensor): shape :math:`(M,)`.
        truth_shape (Tensor): the R sizes of the tensor.

    Outputs: Tensor of float32 with R - 1 axes, of the larger of both sizes on each.
    Raises TypeError: `normalize` is not a bool, or the indices are not integers.
    Raises ValueError: shapes do not fit, or an index lies outside.
    Difference from PyTorch: no counterpart.

    >>> ours, theirs = ms.Tensor([[0, 0], [0, 1]]), ms.Tensor([[0, 0]])
    >>> shape = ms.Tensor([1, 2])
    >>> distance = ms.ops.EditDistance(normalize=False)
    >>> print(distance(ours, ms.Tensor([1, 2]), shape, theirs, ms.Tensor([2]), shape))
    [1.]
    """
    op_name = "EditDistance"
    boolean(op_name, "normalize", normalize)
    sizes: list[list[int]] = []
    for name, indices, values, shape in (
        ("hypothesis", hypothesis_indices, hypothesis_values, hypothesis_shape),
        ("truth", truth_indices, truth_values, truth_shape),
    ):
        check_integers(op_name, f"{name}_indices", indices)
        if indices.ndim != 2:
            raise ValueError(
                f"For '{op_name}', '{name}_indices' must have two axes, but got "
                f"{list(indices.shape)}."
            )
        if values.shape != indices.shape[:1]:
            raise ValueError(
                f"For '{op_name}', '{name}_values' must have shape ({len(indices)},), but got "
                f"{list(values.shape)}."
            )
        items = [int(v) for v in shape]
        if len(items) != hypothesis_indices.shape[1]:
            raise ValueError(
                f"For '{op_name}', '{name}_shape' must have {hypothesis_indices.shape[1]} "
                f"elements, but got {items}."
            )
        sizes.append(items)
    shape = tuple(max(pair) for pair in zip(*sizes, strict=True))[:-1]
    return _distances(
        hypothesis_indices, hypothesis_values, truth_indices, truth_values, shape, normalize
    )


def _check_ngram(instance: Any) -> None:
    integer("NoRepeatNGram", "ngram_size", instance.ngram_size, 1)


@primitive(
    "NoRepeatNGram",
    samples=(
        "torch.tensor([[[1, 2, 1, 2, 5, 1, 2], [9, 3, 9, 5, 4, 1, 5]]]), f(1, 2, 10), ngram_size=3",
        "torch.tensor([[[1, 2, 1]]]), f(1, 1, 4)",
    ),
    errors=(
        ("i(2, 3), f(2, 3, 4)", ValueError, "state_seq"),
        ("i(1, 2, 3), f(2, 2, 4)", ValueError, "log_probs"),
        ("f(1, 2, 3), f(1, 2, 4)", TypeError, "state_seq"),
        ("i(1, 2, 3), i(1, 2, 4)", TypeError, "log_probs"),
        ("i(1, 2, 3), f(1, 2, 4), ngram_size=3", ValueError, "ngram_size"),
        ("i(1, 2, 3), f(1, 2, 4), ngram_size=0", ValueError, "ngram_size"),
    ),
    differentiable=False,
    cast="never",
    tags=("ambiguous",),  # the lowest number of a type is another one for each type
    setup=_check_ngram,
)
def _no_repeat_ngram(
    state_seq: Tensor, log_probs: Tensor, *, ngram_size: int = 1, _state: None = None
) -> Tensor:
    """Log probabilities without the words that would repeat an n-gram of a sequence.

    Args:
        ngram_size (int): the number of words in an n-gram. Default: 1.
        state_seq (Tensor): the words so far, integers of shape :math:`(B, beams, m)`.
        log_probs (Tensor): the log probability of each next word, shape
            :math:`(B, beams, vocabulary)`, floating.

    Outputs: Tensor like `log_probs`; the lowest number of its type stands for words that, after the
        last `ngram_size` - 1 words, followed these before.
    Raises TypeError: a type does not fit.
    Raises ValueError: `ngram_size` is not positive or not less than m, or a shape does not fit.
    Difference from PyTorch: no counterpart.

    >>> words = ms.Tensor([[[1, 2, 1]]])
    >>> print(ms.ops.NoRepeatNGram(2)(words, ms.ops.zeros((1, 1, 3))) < 0)
    [[[False False  True]]]
    """
    op_name = "NoRepeatNGram"
    check_integers(op_name, "state_seq", state_seq)
    if not log_probs.is_floating_point():
        raise TypeError(
            f"For '{op_name}', 'log_probs' must be of a floating type, but got "
            f"{FROM_TORCH[log_probs.dtype]}."
        )
    if state_seq.ndim != 3:
        raise ValueError(
            f"For '{op_name}', 'state_seq' must have three axes, but got {list(state_seq.shape)}."
        )
    if log_probs.ndim != 3 or log_probs.shape[:2] != state_seq.shape[:2]:
        raise ValueError(
            f"For '{op_name}', 'log_probs' must have shape {[*state_seq.shape[:2], 'vocabulary']}, "
            f"but got {list(log_probs.shape)}."
        )
    if ngram_size >= state_seq.shape[2]:
        raise ValueError(
            f"For '{op_name}', 'ngram_size' must be less than the length of the sequences, "
            f"{state_seq.shape[2]}, but got {ngram_size}."
        )
    groups = state_seq.unfold(-1, ngram_size, 1)
    start = state_seq[..., state_seq.shape[2] - ngram_size + 1 :].unsqueeze(-2)
    again = (groups[..., :-1] == start).all(-1)
    # what does not repeat is marked in a column that is cut off
    word = torch.where(again, groups[..., -1], log_probs.shape[2]).long()
    marks = torch.zeros(*log_probs.shape[:2], log_probs.shape[2] + 1, device=log_probs.device)
    banned = marks.scatter(-1, word, 1.0)[..., :-1] > 0
    return log_probs.masked_fill(banned, torch.finfo(log_probs.dtype).min)


def _check_hits(instance: Any) -> None:
    integer("ComputeAccidentalHits", "num_true", instance.num_true, 1)


@primitive(
    "ComputeAccidentalHits",
    samples=("torch.tensor([[1, 2], [0, 4], [3, 3]]), torch.arange(5), num_true=2",),
    errors=(
        ("i(3, 2), i(5)", ValueError, "true_classes"),
        ("i(3, 1), i(5, 1)", ValueError, "sampled_candidates"),
        ("f(3, 1), i(5)", TypeError, "true_classes"),
        ("i(3, 1), i(5), num_true=0", ValueError, "num_true"),
    ),
    differentiable=False,
    cast="never",
    setup=_check_hits,
)
def _compute_accidental_hits(
    true_classes: Tensor, sampled_candidates: Tensor, *, num_true: int = 1, _state: None = None
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Positions of sampled classes that happen to be true classes.

    Args:
        num_true (int): how many true classes an example has. Default: 1.
        true_classes (Tensor): integers, shape :math:`(B, num\_true)`.
        sampled_candidates (Tensor): integers, shape :math:`(S,)`.

    Outputs: Tuple of the examples (int32), the places among the sampled classes (in their type),
        and the lowest float32 for each.
    Raises TypeError: a type does not fit.
    Raises ValueError: a shape does not fit, or `num_true` is not positive.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation.

    >>> hits = ms.ops.ComputeAccidentalHits()(ms.Tensor([[1], [0]]), ms.Tensor([3, 1, 0]))
    >>> print(hits[0], hits[1])
    [0 1] [1 2]
    """
    op_name = "ComputeAccidentalHits"
    check_integers(op_name, "true_classes", true_classes)
    check_integers(op_name, "sampled_candidates", sampled_candidates)
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        raise ValueError(
            f"For '{op_name}', 'true_classes' must have shape (B, {num_true}), but got "
            f"{list(true_classes.shape)}."
        )
    if sampled_candidates.ndim != 1:
        raise ValueError(
            f"For '{op_name}', 'sampled_candidates' must have one axis, but got "
            f"{list(sampled_candidates.shape)}."
        )
    example, _, place = (true_classes[..., None] == sampled_candidates).nonzero(as_tuple=True)
    lowest = torch.finfo(torch.float32).min
    weights = torch.full(example.shape, lowest, dtype=torch.float32, device=example.device)
    return example.int(), place.to(sampled_candidates.dtype), weights
