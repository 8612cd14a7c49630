"""Suppression of boxes that overlap better ones.

NOTE Corners. A box is two opposite corners (y1, x1, y2, x2), in any order; its area is
:math:`|y_2 - y_1| |x_2 - x_1|`. Two boxes overlap by the area they share over the area they cover
together; a box without area overlaps nothing.

NOTE Greedy. Boxes are taken by falling score, equal scores in order. One stays if its score is
above the lowest allowed and it overlaps none of those that stay by more than allowed.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar._core.runtime import host_node
from agar.ops._checks import boolean
from agar.ops.spec import primitive

__all__: list[str] = []


def _floating(op_name: str, name: str, value: Tensor, shape: str, fits: bool) -> Tensor:
    """Check type and shape of a tensor.

    Raises:
        TypeError: it is of no floating type.
        ValueError: the shape is another one.
    """
    if not value.is_floating_point():
        raise TypeError(
            f"For '{op_name}', '{name}' must be of a floating type, but got "
            f"{FROM_TORCH[value.dtype]}."
        )
    if not fits:
        raise ValueError(
            f"For '{op_name}', '{name}' must have shape {shape}, but got {list(value.shape)}."
        )
    return value


def _one(op_name: str, name: str, value: Any) -> Any:
    """A number that may be given as a tensor without axes.

    Raises:
        TypeError: it is not a number.
        ValueError: the tensor has axes.
    """
    if isinstance(value, Tensor):
        if value.ndim:
            raise ValueError(
                f"For '{op_name}', '{name}' must have no axes, but got shape {list(value.shape)}."
            )
        return value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(
            f"For '{op_name}', '{name}' must be a Tensor or a number, but got "
            f"'{type(value).__name__}'."
        )
    return value


def _count(op_name: str, name: str, value: Any) -> int:
    result = _one(op_name, name, value)
    if not isinstance(result, int):
        raise TypeError(f"For '{op_name}', '{name}' must be an integer, but got {result!r}.")
    return result


def _fraction(op_name: str, name: str, value: Any) -> float:
    result = _one(op_name, name, value)
    if not 0 <= result <= 1:
        raise ValueError(f"For '{op_name}', '{name}' must be in [0, 1], but got {result}.")
    return result


def overlaps(boxes: Tensor) -> Tensor:
    """How much every two boxes of shape (..., N, 4) overlap (NOTE Corners)."""
    first, second = boxes[..., :2], boxes[..., 2:]
    low, high = torch.minimum(first, second), torch.maximum(first, second)
    area = (high - low).prod(-1)
    inside = (
        torch.minimum(high.unsqueeze(-2), high.unsqueeze(-3))
        - torch.maximum(low.unsqueeze(-2), low.unsqueeze(-3))
    ).clamp(min=0)
    shared = inside.prod(-1)
    covered = area.unsqueeze(-1) + area.unsqueeze(-2) - shared
    empty = (area.unsqueeze(-1) <= 0) | (area.unsqueeze(-2) <= 0)
    return torch.where(empty, torch.zeros_like(shared), shared / covered)


def _picked(over: list[list[bool]], scores: list[float], lowest: float, most: int) -> list[int]:
    """The places of the boxes that stay (NOTE Greedy)."""
    items: list[int] = []
    for place in sorted(range(len(scores)), key=lambda i: -scores[i]):
        if len(items) >= most:
            break
        if scores[place] > lowest and not any(over[place][other] for other in items):
            items.append(place)
    return items


def _select_of(over: Tensor, scores: Tensor, lowest: float, most: int) -> Tensor:
    result = _picked(over.tolist(), scores.tolist(), lowest, most)
    return torch.tensor(result, dtype=torch.int32, device=scores.device)


_select = host_node(_select_of, "tensor")  # Python over all values: one node of a graph

_SQUARES = "torch.tensor([[0, 0, 2, 2], [0, 0, 2, 1.9], [3, 3, 1, 1], [5, 5, 6, 6]]).double()"
_PEAKS = "torch.tensor([0.5, 0.9, 0.7, 0.1]).double()"


@primitive(
    "NonMaxSuppressionV3",
    samples=(f"{_SQUARES}, {_PEAKS}, 3, 0.5, 0.2", f"{_SQUARES}, {_PEAKS}, -1, 0.5, 0.2"),
    errors=(
        ("f(2, 5), f(2), 1, 0.5, 0.0", ValueError, "boxes"),
        ("f(2, 4), f(3), 1, 0.5, 0.0", ValueError, "scores"),
        ("f(2, 4), f(2), 1, 1.5, 0.0", ValueError, "iou_threshold"),
        ("i(2, 4), f(2), 1, 0.5, 0.0", TypeError, "floating"),
        ("f(2, 4), f(2), 1.5, 0.5, 0.0", TypeError, "max_output_size"),
    ),
    differentiable=False,
    cast="never",
)
def _non_max_suppression_v3(
    boxes: Tensor,
    scores: Tensor,
    max_output_size: Tensor | Any,
    iou_threshold: Tensor | Any,
    score_threshold: Tensor | Any,
) -> Tensor:
    """The indices of boxes that do not overlap a better one too much (see this module).

    Inputs:
        - **boxes** (Tensor) - opposite corners, shape :math:`(N, 4)`.
        - **scores** (Tensor) - shape :math:`(N,)`.
        - **max_output_size** (Union[Tensor, int]) - how many may stay; a negative number means 0.
        - **iou_threshold** (Union[Tensor, float]) - the largest overlap allowed, in [0, 1].
        - **score_threshold** (Union[Tensor, float]) - scores must be above it.

    Outputs: Tensor of int32, the places by falling score.
    Raises TypeError: `boxes` or `scores` are of no floating type, or a number is none.
    Raises ValueError: a shape is not supported, or `iou_threshold` is out of range.
    Difference from PyTorch: ``torchvision.ops.nms`` has no bounds for number and score.
    Source: MindSpore 2.10's documentation.

    >>> boxes = ms.Tensor([[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 1.9], [3.0, 3.0, 4.0, 4.0]])
    >>> scores = ms.Tensor([0.6, 0.9, 0.7])
    >>> print(ms.ops.NonMaxSuppressionV3()(boxes, scores, 3, 0.5, 0.0))
    [1 2]
    """
    op_name = "NonMaxSuppressionV3"
    _floating(op_name, "boxes", boxes, "(N, 4)", boxes.ndim == 2 and boxes.shape[1] == 4)
    _floating(op_name, "scores", scores, f"({len(boxes)},)", scores.shape == boxes.shape[:1])
    most = max(_count(op_name, "max_output_size", max_output_size), 0)
    bound = _fraction(op_name, "iou_threshold", iou_threshold)
    lowest = _one(op_name, "score_threshold", score_threshold)
    over = overlaps(boxes.to(torch.promote_types(boxes.dtype, torch.float32))) > bound
    return _select(over, scores, lowest, most)


@primitive(
    "NonMaxSuppressionWithOverlaps",
    samples=("u(4, 4), u(4), 4, 0.5, 0.2",),
    errors=(
        ("u(4, 3), u(4), 4, 0.5, 0.2", ValueError, "overlaps"),
        ("u(4, 4), u(3), 4, 0.5, 0.2", ValueError, "scores"),
        ("u(4, 4), u(4), -1, 0.5, 0.2", ValueError, "max_output_size"),
        ("i(4, 4), u(4), 4, 0.5, 0.2", TypeError, "floating"),
    ),
    differentiable=False,
    cast="never",
)
def _non_max_suppression_with_overlaps(
    overlaps: Tensor,
    scores: Tensor,
    max_output_size: Tensor | Any,
    overlap_threshold: Tensor | Any,
    score_threshold: Tensor | Any,
) -> Tensor:
    """The indices of boxes that do not overlap a better one too much, the overlaps being given.

    Inputs:
        - **overlaps** (Tensor) - how much box i (row) overlaps box j, shape :math:`(N, N)`.
        - **scores** (Tensor) - shape :math:`(N,)`.
        - **max_output_size** (Union[Tensor, int]) - how many may stay, at least 0.
        - **overlap_threshold** (Union[Tensor, float]) - the largest overlap allowed.
        - **score_threshold** (Union[Tensor, float]) - scores must be above it.

    Outputs: Tensor of int32, the places by falling score (see the note on the greedy choice).
    Raises TypeError: `overlaps` or `scores` are of no floating type, or a number is none.
    Raises ValueError: a shape is not supported, or `max_output_size` is negative.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10.

    >>> overlaps = ms.Tensor([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]])
    >>> scores = ms.Tensor([0.6, 0.9, 0.7])
    >>> print(ms.ops.NonMaxSuppressionWithOverlaps()(overlaps, scores, 3, 0.5, 0.0))
    [1 2]
    """
    op_name = "NonMaxSuppressionWithOverlaps"
    square = overlaps.ndim == 2 and overlaps.shape[0] == overlaps.shape[1]
    _floating(op_name, "overlaps", overlaps, "(N, N)", square)
    _floating(op_name, "scores", scores, f"({len(overlaps)},)", scores.shape == overlaps.shape[:1])
    most = _count(op_name, "max_output_size", max_output_size)
    if most < 0:
        raise ValueError(f"For '{op_name}', 'max_output_size' must be >= 0, but got {most}.")
    bound = _one(op_name, "overlap_threshold", overlap_threshold)
    lowest = _one(op_name, "score_threshold", score_threshold)
    return _select(overlaps > bound, scores, lowest, most)


# ------------------------------------------------------------------------- over all classes


def _combined_of(
    boxes: Tensor,
    over: Tensor,
    scores: Tensor,
    per_class: int,
    total: int,
    lowest: float,
    rows: int,
) -> tuple[Tensor, ...]:
    """The best boxes of all classes, padded with zeros to `rows` for each image."""
    found_boxes = boxes.new_zeros((len(boxes), rows, 4))
    found_scores = scores.new_zeros((len(boxes), rows))
    found_classes = scores.new_zeros((len(boxes), rows))
    counts = []
    values = scores.tolist()
    for image in range(len(boxes)):
        best: list[tuple[float, int, int]] = []
        for label in range(scores.shape[2]):
            column = [row[label] for row in values[image]]
            near = over[image, min(label, over.shape[1] - 1)].tolist()
            best += [(column[p], label, p) for p in _picked(near, column, lowest, per_class)]
        best.sort(key=lambda one: -one[0])
        best = best[: min(total, rows)]
        counts.append(len(best))
        for row, (score, label, place) in enumerate(best):
            found_boxes[image, row] = boxes[image, place, min(label, boxes.shape[2] - 1)]
            found_scores[image, row] = score
            found_classes[image, row] = label
    valid = torch.tensor(counts, dtype=torch.int32, device=boxes.device)
    return found_boxes, found_scores, found_classes, valid


_combined = host_node(_combined_of, "tensors")


def _check_combined(instance: Any) -> None:
    boolean("CombinedNonMaxSuppression", "pad_per_class", instance.pad_per_class)
    boolean("CombinedNonMaxSuppression", "clip_boxes", instance.clip_boxes)


@primitive(
    "CombinedNonMaxSuppression",
    samples=(
        "u(2, 5, 1, 4), u(2, 5, 3), 2, 4, 0.3, 0.2",
        "u(2, 5, 3, 4), u(2, 5, 3), 2, 9, 0.3, 0.2, pad_per_class=True, clip_boxes=False",
    ),
    errors=(
        ("u(2, 5, 4), u(2, 5, 3), 2, 4, 0.3, 0.2", ValueError, "boxes"),
        ("u(2, 5, 2, 4), u(2, 5, 3), 2, 4, 0.3, 0.2", ValueError, "boxes"),
        ("u(2, 5, 1, 4), u(2, 4, 3), 2, 4, 0.3, 0.2", ValueError, "scores"),
        ("u(2, 5, 1, 4), u(2, 5, 3), 2, 4, 1.3, 0.2", ValueError, "iou_threshold"),
        ("u(2, 5, 1, 4), u(2, 5, 3), -2, 4, 0.3, 0.2", ValueError, "max_output_size_per_class"),
        ("i(2, 5, 1, 4), u(2, 5, 3), 2, 4, 0.3, 0.2", TypeError, "floating"),
    ),
    differentiable=False,
    cast="never",
    setup=_check_combined,
)
def _combined_non_max_suppression(
    boxes: Tensor,
    scores: Tensor,
    max_output_size_per_class: Tensor | Any,
    max_total_size: Tensor | Any,
    iou_threshold: Tensor | Any,
    score_threshold: Tensor | Any,
    *,
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    _state: None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The best boxes of several images and classes, without those that overlap better ones.

    Each class chooses for itself (see the note on the greedy choice); the chosen ones of all
    classes are then ordered by score.

    Args:
        pad_per_class (bool): whether the results have as many rows as all classes could fill, at
            most `max_total_size`; otherwise they have `max_total_size` rows. Default: False.
        clip_boxes (bool): whether the corners of the result are cut to [0, 1]. Default: True.
        boxes (Tensor): opposite corners, shape :math:`(B, N, q, 4)`; q is 1 if all classes
            have the same boxes, else the number of classes.
        scores (Tensor): shape :math:`(B, N, classes)`.
        max_output_size_per_class (Union[Tensor, int]): how many may stay of each class.
        max_total_size (Union[Tensor, int]): how many may stay of an image.
        iou_threshold (Union[Tensor, float]): the largest overlap allowed, in [0, 1].
        score_threshold (Union[Tensor, float]): scores must be above it.

    Outputs: Tuple of boxes :math:`(B, M, 4)`, scores :math:`(B, M)` and classes :math:`(B, M)`,
        filled up with zeros, and the number of boxes found, int32 of shape :math:`(B,)`.
    Raises TypeError: `boxes` or `scores` are of no floating type, or a number is none.
    Raises ValueError: a shape is not supported, or a number is out of range.
    Difference from PyTorch: ``torchvision.ops.batched_nms`` gives places and has no bounds.

    >>> boxes = ms.Tensor([[[[0.0, 0.0, 0.5, 0.5]], [[0.0, 0.0, 0.5, 0.6]]]])
    >>> scores = ms.Tensor([[[0.7], [0.9]]])
    >>> found = ms.ops.CombinedNonMaxSuppression()(boxes, scores, 2, 2, 0.5, 0.1)
    >>> print(found[1], found[3])
    [[0.9 0. ]] [1]
    """
    op_name = "CombinedNonMaxSuppression"
    fits = scores.ndim == 3 and scores.shape[:2] == boxes.shape[:2]
    _floating(
        op_name,
        "boxes",
        boxes,
        "(batch, boxes, q, 4) where q is 1 or the number of classes",
        boxes.ndim == 4 and boxes.shape[3] == 4 and boxes.shape[2] in (1, scores.shape[-1]),
    )
    _floating(op_name, "scores", scores, "(batch, boxes, classes)", fits)
    per_class = _count(op_name, "max_output_size_per_class", max_output_size_per_class)
    total = _count(op_name, "max_total_size", max_total_size)
    for name, size in (("max_output_size_per_class", per_class), ("max_total_size", total)):
        if size <= 0:
            raise ValueError(f"For '{op_name}', '{name}' must be > 0, but got {size}.")
    bound = _fraction(op_name, "iou_threshold", iou_threshold)
    lowest = _one(op_name, "score_threshold", score_threshold)
    rows = min(total, per_class * scores.shape[2]) if pad_per_class else total
    over = overlaps(boxes.transpose(1, 2)) > bound
    chosen, values, classes, valid = _combined(boxes, over, scores, per_class, total, lowest, rows)
    return chosen.clamp(0, 1) if clip_boxes else chosen, values, classes, valid
