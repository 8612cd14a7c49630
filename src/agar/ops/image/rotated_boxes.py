"""Overlap of rectangles that are turned."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from agar.ops._checks import number
from agar.ops.spec import op

__all__: list[str] = []


def _corners(boxes: Tensor, by_corners: bool) -> tuple[Tensor, Tensor]:
    """The corners of rectangles in turn, shape (.., 4, 2), and their areas."""
    a, b, c, d, angle = boxes.unbind(-1)
    if by_corners:
        a, b, c, d = (a + c) / 2, (b + d) / 2, c - a, d - b
    turn = angle * (math.pi / 180)
    cos, sin = turn.cos().unsqueeze(-1), turn.sin().unsqueeze(-1)
    signs = torch.tensor([[-1, -1], [1, -1], [1, 1], [-1, 1]], device=boxes.device)
    x = c.unsqueeze(-1) / 2 * signs[:, 0]
    y = d.unsqueeze(-1) / 2 * signs[:, 1]
    points = (a.unsqueeze(-1) + x * cos - y * sin, b.unsqueeze(-1) + x * sin + y * cos)
    return torch.stack(points, -1), (c * d).abs()


def _cross(a: Tensor, b: Tensor) -> Tensor:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def _inside(points: Tensor, corners: Tensor, slack: float) -> Tensor:
    """Whether points (.., n, 2) lie in rectangles given by their corners (.., 4, 2)."""
    start = corners[..., :1, :]
    first = corners[..., 1:2, :] - start
    second = corners[..., 3:4, :] - start
    away = points - start
    result = torch.ones(points.shape[:-1], dtype=torch.bool, device=points.device)
    for side in (first, second):
        along = (away * side).sum(-1)
        length = (side * side).sum(-1)
        result &= (along >= -slack * length - 1e-6) & (along <= length * (1 + slack) + 1e-6)
    return result


def _meetings(p: Tensor, q: Tensor, slack: float) -> tuple[Tensor, Tensor]:
    """Where the sides of two rectangles cross: 16 points, and which of them there are."""
    from_p, from_q = p.unsqueeze(-2), q.unsqueeze(-3)  # (.., 4, 1, 2) and (.., 1, 4, 2)
    along_p = p.roll(-1, -2).unsqueeze(-2) - from_p
    along_q = q.roll(-1, -2).unsqueeze(-3) - from_q
    both = _cross(along_p, along_q)
    parallel = both.abs() < 1e-9
    both = torch.where(parallel, torch.ones_like(both), both)
    t = _cross(from_q - from_p, along_q) / both
    s = _cross(from_q - from_p, along_p) / both
    there = (t >= -slack) & (t <= 1 + slack) & (s >= -slack) & (s <= 1 + slack) & ~parallel
    return (from_p + t.unsqueeze(-1) * along_p).flatten(-3, -2), there.flatten(-2)


def _common_area(p: Tensor, q: Tensor, v_slack: float, e_slack: float) -> Tensor:
    """The area that rectangles share: a polygon with up to eight corners."""
    crossings, there = _meetings(p, q, e_slack)
    points = torch.cat((crossings, p, q), -2)
    there = torch.cat((there, _inside(p, q, v_slack), _inside(q, p, v_slack)), -1)
    count = there.sum(-1, keepdim=True)
    result = torch.where(there.unsqueeze(-1), points, torch.zeros_like(points))
    center = result.sum(-2, keepdim=True) / count.clamp(min=1).unsqueeze(-1)
    away = points - center
    angle = torch.atan2(away[..., 1], away[..., 0])
    # points that are not there go last, and then onto the first one, where they enclose nothing
    order = torch.where(there, angle, torch.full_like(angle, math.inf)).argsort(-1)
    ring = away.gather(-2, order.unsqueeze(-1).expand_as(away))
    place = torch.arange(ring.shape[-2], device=ring.device)
    ring = torch.where((place < count).unsqueeze(-1), ring, ring[..., :1, :])
    area = _cross(ring, ring.roll(-1, -2)).sum(-1).abs() / 2
    return torch.where(count[..., 0] > 2, area, torch.zeros_like(area))


@op(
    primitive="RotatedIou",
    samples=(
        "torch.tensor([[[0.0, 0.0, 2.0, 2.0, 0.0], [0.5, 0.2, 1.0, 3.0, 30.0]]]).double(), "
        "torch.tensor([[[1.0, 0.0, 2.0, 2.0, 45.0], [5.0, 5.0, 1.0, 1.0, 0.0]]]).double()",
        "u(2, 3, 5), u(2, 2, 5), mode=1",
        "u(2, 3, 5), u(2, 3, 5), is_cross=False",
    ),
    errors=(
        ("f(1, 2, 5), f(2, 2, 5)", ValueError, "query_boxes"),
        ("f(1, 2, 4), f(1, 2, 5)", ValueError, "boxes"),
        ("f(1, 2, 5), f(1, 3, 5), is_cross=False", ValueError, "is_cross"),
        ("f(1, 2, 5), f(1, 3, 5), mode=2", ValueError, "mode"),
        ("i(1, 2, 5), f(1, 3, 5)", TypeError, "boxes"),
    ),
    differentiable=False,  # the corners of the common polygon change at once
)
def rotated_iou(
    boxes: Tensor,
    query_boxes: Tensor,
    trans: bool = False,
    mode: int = 0,
    is_cross: bool = True,
    v_threshold: float = 0.0,
    e_threshold: float = 0.0,
) -> Tensor:
    """Intersection over union of rotated rectangles.

    Args:
        boxes (Tensor): the first rectangles, shape :math:`(B, N, 5)`: center x and y, width,
            height, and the angle in degrees.
        query_boxes (Tensor): the second ones, shape :math:`(B, K, 5)`.
        trans (bool): whether the first four numbers are x and y of two opposite corners instead.
            Default: False.
        mode (int): 0 for the area of the union, 1 for that of the first rectangle. Default: 0.
        is_cross (bool): whether to compare all pairs, not only those of equal places.
            Default: True.
        v_threshold (float): how far outside of a rectangle, relative to its sides, a corner still
            counts as inside. Default: 0.0.
        e_threshold (float): how far beyond their ends, relative to their lengths, sides still
            cross. Default: 0.0.

    Returns: Tensor of shape :math:`(B, N, K)`, or :math:`(B, N)` for equal places, and the type of
        `boxes`.
    Raises TypeError: a tensor is not of a floating type, or a threshold is not a number.
    Raises ValueError: the shapes do not fit, or `mode` is another number.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's interface (it has no CPU kernel and does not say the unit of angles;
        degrees are those of Ascend's kernel).

    >>> first = ms.Tensor([[[0.0, 0.0, 2.0, 2.0, 0.0]]])
    >>> second = ms.Tensor([[[1.0, 0.0, 2.0, 2.0, 90.0]]])
    >>> print(ms.ops.rotated_iou(first, second))
    [[[0.3333333]]]
    """
    op_name = "rotated_iou"
    for name, given in (("boxes", boxes), ("query_boxes", query_boxes)):
        if not given.is_floating_point():
            raise TypeError(
                f"For '{op_name}', the type of '{name}' must be floating, but got "
                f"{str(given.dtype)[6:]}."
            )
        if given.ndim != 3 or given.shape[-1] != 5 or given.shape[0] != boxes.shape[0]:
            raise ValueError(
                f"For '{op_name}', '{name}' must have shape ({boxes.shape[0]}, N, 5), but got "
                f"{tuple(given.shape)}."
            )
    if mode not in (0, 1):
        raise ValueError(f"For '{op_name}', 'mode' must be 0 (iou) or 1 (iof), but got {mode!r}.")
    v_slack = number(op_name, "v_threshold", v_threshold)
    e_slack = number(op_name, "e_threshold", e_threshold)
    if not is_cross and boxes.shape != query_boxes.shape:
        raise ValueError(
            f"For '{op_name}' with is_cross=False, both must have the same shape, but got "
            f"{tuple(boxes.shape)} and {tuple(query_boxes.shape)}."
        )
    work = torch.promote_types(boxes.dtype, torch.float32)
    p, area_p = _corners(boxes.to(work), bool(trans))
    q, area_q = _corners(query_boxes.to(work), bool(trans))
    if is_cross:
        shape = (boxes.shape[0], boxes.shape[1], query_boxes.shape[1])
        p, q = p.unsqueeze(2).expand(*shape, 4, 2), q.unsqueeze(1).expand(*shape, 4, 2)
        area_p, area_q = area_p.unsqueeze(2), area_q.unsqueeze(1)
    common = _common_area(p, q, v_slack, e_slack)
    whole = area_p if mode == 1 else area_p + area_q - common
    return (common / whole.clamp(min=torch.finfo(work).tiny)).to(boxes.dtype)
