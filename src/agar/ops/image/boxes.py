"""Boxes: overlap, coding, suppression.

NOTE Boxes. A box is (x1, y1, x2, y2), its corners included: its width is :math:`x2 - x1 + 1`.
Suppression alone measures without the one.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar._core.runtime import host_node
from agar.ops._checks import number
from agar.ops.spec import op, primitive

__all__: list[str] = []


_WHOLE = (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)


def _boxes(op_name: str, name: str, boxes: Tensor, columns: int = 4) -> Tensor:
    """Check boxes in rows.

    Raises:
        TypeError: they are of no floating type.
        ValueError: the shape is another one.
    """
    if not boxes.is_floating_point():
        raise TypeError(
            f"For '{op_name}', '{name}' must be of a floating type, but got "
            f"{FROM_TORCH[boxes.dtype]}."
        )
    if boxes.ndim != 2 or boxes.shape[1] != columns:
        raise ValueError(
            f"For '{op_name}', '{name}' must have shape (N, {columns}), but got "
            f"{list(boxes.shape)}."
        )
    return boxes


def _iou(op_name: str, anchors: Tensor, truths: Tensor, mode: Any) -> Tensor:
    if mode not in ("iou", "iof"):
        raise KeyError(f"For '{op_name}', 'mode' must be 'iou' or 'iof', but got {mode!r}.")
    a = _boxes(op_name, "anchor_boxes", anchors).unsqueeze(0)
    g = _boxes(op_name, "gt_boxes", truths).unsqueeze(1)
    low, high = torch.maximum(a[..., :2], g[..., :2]), torch.minimum(a[..., 2:], g[..., 2:])
    inside = (high - low + 1).clamp(min=0).prod(-1)
    area_a = (a[..., 2:] - a[..., :2] + 1).prod(-1)
    area_g = (g[..., 2:] - g[..., :2] + 1).prod(-1)
    return inside / (area_a + area_g - inside if mode == "iou" else area_g)


_BOX = "f(3, 4).abs().cumsum(1)"
_IOU_ERRORS = (
    ("f(2, 3), f(2, 4)", ValueError, "anchor_boxes"),
    ("i(2, 4), i(2, 4)", TypeError, "floating"),
)


@op(
    primitive="IOU(mode)",
    samples=(f"{_BOX}, f(2, 4).abs().cumsum(1)", f"{_BOX}, f(2, 4).abs().cumsum(1), 'iof'"),
    errors=(*_IOU_ERRORS, ("f(2, 4), f(2, 4), 'x'", KeyError, "mode")),
)
def iou(
    anchor_boxes: Tensor, gt_boxes: Tensor, mode: str = "iou", *, _op_name: str = "iou"
) -> Tensor:
    r"""Overlap of all pairs of boxes: :math:`\frac{|A \cap G|}{|A \cup G|}`.

    Args:
        anchor_boxes (Tensor): shape :math:`(N, 4)`, see the note on boxes.
        gt_boxes (Tensor): shape :math:`(M, 4)`.
        mode (str): ``"iou"``; or ``"iof"``, which divides by the area of the second box.
            Default: ``"iou"``.

    Returns: Tensor of shape :math:`(M, N)`.
    Raises TypeError: the boxes are not of a floating type.
    Raises ValueError: a shape is not supported.
    Raises KeyError: `mode` is unknown.
    Difference from PyTorch: ``torchvision.ops.box_iou`` has no + 1 in the widths.

    >>> box = ms.Tensor([[0.0, 0.0, 2.0, 2.0]])
    >>> print(ms.ops.iou(box, ms.Tensor([[1.0, 1.0, 3.0, 3.0]])))
    [[0.2857143]]
    """
    return _iou(_op_name, anchor_boxes, gt_boxes, mode)


def _four(op_name: str, name: str, values: Any, like: Tensor) -> Tensor:
    items = [float(v) for v in values]
    if len(items) != 4:
        raise ValueError(f"For '{op_name}', '{name}' must have four numbers, but got {values}.")
    return torch.tensor(items, dtype=like.dtype, device=like.device)


def _centers(boxes: Tensor) -> tuple[Tensor, Tensor]:
    """Center and size of boxes."""
    return (boxes[:, :2] + boxes[:, 2:]) * 0.5, boxes[:, 2:] - boxes[:, :2] + 1


_ZEROS, _ONES = (0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 1.0)


@op(
    primitive="BoundingBoxEncode(means, stds)",
    samples=(
        f"{_BOX}, {_BOX} + 1",
        f"{_BOX}, {_BOX} + 1, (0.1, 0.1, 0.2, 0.2), (2.0, 2.0, 2.0, 2.0)",
    ),
    errors=(
        ("f(2, 4), f(3, 4)", ValueError, "many"),
        ("f(2, 3), f(2, 3)", ValueError, "anchor_box"),
    ),
)
def bounding_box_encode(
    anchor_box: Tensor, groundtruth_box: Tensor, means: Any = _ZEROS, stds: Any = _ONES
) -> Tensor:
    r"""Differences between boxes and their anchors, as a network learns them.

    :math:`(\frac{g_x - a_x}{a_w}, \frac{g_y - a_y}{a_h}, \ln \frac{g_w}{a_w}, \ln \frac{g_h}{a_h})`
    of centers and sizes, less `means`, divided by `stds`.

    Args:
        anchor_box (Tensor): shape :math:`(N, 4)`, see the note on boxes.
        groundtruth_box (Tensor): shape :math:`(N, 4)`.
        means (tuple): what is subtracted. Default: zeros.
        stds (tuple): what is divided by. Default: ones.

    Returns: Tensor of shape :math:`(N, 4)`.
    Raises TypeError: the boxes are not of a floating type.
    Raises ValueError: a shape is not supported.
    Difference from PyTorch: no counterpart.

    >>> anchor, box = ms.Tensor([[2.0, 2.0, 2.0, 3.0]]), ms.Tensor([[1.0, 2.0, 1.0, 4.0]])
    >>> print(ms.ops.bounding_box_encode(anchor, box).asnumpy().round(4))
    [[-1.      0.25    0.      0.4055]]
    """
    op_name = "bounding_box_encode"
    a, size = _centers(_boxes(op_name, "anchor_box", anchor_box))
    g, expected = _centers(_boxes(op_name, "groundtruth_box", groundtruth_box))
    if a.shape != g.shape:
        raise ValueError(
            f"For '{op_name}', there must be equally many boxes and anchors, but got {len(g)} and "
            f"{len(a)}."
        )
    result = torch.cat(((g - a) / size, torch.log(expected / size)), 1)
    return (result - _four(op_name, "means", means, result)) / _four(op_name, "stds", stds, result)


@op(
    primitive="BoundingBoxDecode(max_shape, means, stds, wh_ratio_clip)",
    samples=(f"{_BOX}, f(3, 4) * 0.1, (8, 8)",),
    errors=(
        ("f(2, 4), f(3, 4), (8, 8)", ValueError, "many"),
        ("f(2, 4), f(2, 4), 8", TypeError, "max_shape"),
    ),
)
def bounding_box_decode(
    anchor_box: Tensor,
    deltas: Tensor,
    max_shape: Any,
    means: Any = _ZEROS,
    stds: Any = _ONES,
    wh_ratio_clip: float = 0.016,
) -> Tensor:
    """Boxes from their anchors and the output of a network; the inverse of `bounding_box_encode`.

    Args:
        anchor_box (Tensor): shape :math:`(N, 4)`, see the note on boxes.
        deltas (Tensor): shape :math:`(N, 4)`.
        max_shape (tuple): height and width of the image, to which the boxes are cut.
        means (tuple): what was subtracted. Default: zeros.
        stds (tuple): what was divided by. Default: ones.
        wh_ratio_clip (float): sizes change by no more than this factor or its inverse.
            Default: 0.016.

    Returns: Tensor of shape :math:`(N, 4)`.
    Raises TypeError: the boxes are not of a floating type, or `max_shape` is not a pair.
    Raises ValueError: a shape is not supported.
    Difference from PyTorch: no counterpart.

    >>> anchor, zero = ms.Tensor([[0.0, 0.0, 2.0, 2.0]]), ms.ops.zeros((1, 4))
    >>> print(ms.ops.bounding_box_decode(anchor, zero, (8, 8)))
    [[0. 0. 2. 2.]]
    """
    op_name = "bounding_box_decode"
    a, size = _centers(_boxes(op_name, "anchor_box", anchor_box))
    if _boxes(op_name, "deltas", deltas).shape[0] != a.shape[0]:
        raise ValueError(
            f"For '{op_name}', there must be equally many deltas and anchors, but got "
            f"{len(deltas)} and {len(a)}."
        )
    if not isinstance(max_shape, (tuple, list)) or len(max_shape) != 2:
        raise TypeError(
            f"For '{op_name}', 'max_shape' must be (height, width), but got {max_shape!r}."
        )
    change = deltas * _four(op_name, "stds", stds, deltas) + _four(op_name, "means", means, deltas)
    bound = abs(math.log(number(op_name, "wh_ratio_clip", wh_ratio_clip)))
    half = size * torch.exp(change[:, 2:].clamp(-bound, bound)) * 0.5 - 0.5
    center = a + size * change[:, :2]
    edge = torch.tensor([max_shape[1], max_shape[0]], dtype=deltas.dtype, device=deltas.device)
    corners = torch.cat((center - half, center + half), 1)
    return torch.minimum(corners.clamp(min=0), edge.repeat(2))


@op(
    primitive="CheckValid",
    samples=(f"{_BOX}, torch.tensor([5.0, 5.0, 1.0]).double()",),
    errors=(("f(2, 3), f(3)", ValueError, "bboxes"), ("f(2, 4), f(2)", ValueError, "img_metas")),
    differentiable=False,
    cast="never",
)
def check_valid(bboxes: Tensor, img_metas: Tensor) -> Tensor:
    """Whether boxes lie within an image.

    Args:
        bboxes (Tensor): shape :math:`(N, 4)`, see the note on boxes; integers too.
        img_metas (Tensor): height, width and the ratio they are multiplied by, shape (3,).

    Returns: Tensor of bool of shape :math:`(N,)`.
    Raises TypeError: the boxes are of no real type.
    Raises ValueError: a shape is not supported.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.check_valid(ms.Tensor([[0.0, 0.0, 2.0, 2.0]]), ms.Tensor([5.0, 5.0, 1.0])))
    [ True]
    """
    # whether integers lie within an image needs no other type
    _boxes("check_valid", "bboxes", bboxes.float() if bboxes.dtype in _WHOLE else bboxes)
    if img_metas.shape != (3,):
        raise ValueError(
            f"For 'check_valid', 'img_metas' must have shape (3,), but got {list(img_metas.shape)}."
        )
    height, width, ratio = img_metas.unbind()
    edge = torch.stack((width, height)) * ratio - 1
    return (bboxes[:, :2] >= 0).all(1) & (bboxes[:, 2:] <= edge).all(1)


def _survivors(over: Tensor) -> Tensor:
    """Which boxes stay, in order, where one that stays takes away those that it overlaps."""
    rows = over.tolist()
    result = [True] * len(rows)
    for i, row in enumerate(rows):
        if result[i]:
            for j in range(i + 1, len(row)):
                result[j] = result[j] and not row[j]
    return torch.tensor(result, dtype=torch.bool, device=over.device)


_surviving = host_node(_survivors, "tensor")  # Python over all values: one node of a graph


@primitive(
    "NMSWithMask",
    differentiable=False,
    samples=("torch.cat((f(4, 4).abs().cumsum(1), u(4, 1)), 1), iou_threshold=0.3",),
    errors=(("f(2, 4)", ValueError, "bboxes"), ("f(2, 5), iou_threshold=2.0", ValueError, "iou")),
)
def _nms_with_mask(bboxes: Tensor, *, iou_threshold: float = 0.5) -> tuple[Tensor, Tensor, Tensor]:
    """The boxes that remain after those that overlap a box of higher score too much are removed.

    Args:
        iou_threshold (float): the largest overlap, in [0, 1]. Default: 0.5.
        bboxes (Tensor): boxes and their scores, shape :math:`(N, 5)`.

    Returns: Tuple of the boxes by falling score, the places 0 to N - 1 (int32) and which remain.
    Raises TypeError: the boxes are not of a floating type.
    Raises ValueError: the shape is another one or the threshold out of range.
    Difference from PyTorch: ``torchvision.ops.nms`` gives the places of those that remain.

    >>> boxes = ms.Tensor([[0.0, 0.0, 2.0, 2.0, 0.9], [0.0, 0.0, 2.0, 2.1, 0.8]])
    >>> print(ms.ops.NMSWithMask(0.5)(boxes)[2])
    [ True False]
    """
    if not 0 <= number("NMSWithMask", "iou_threshold", iou_threshold) <= 1:
        raise ValueError(
            f"For 'NMSWithMask', 'iou_threshold' must be in [0, 1], but got {iou_threshold}."
        )
    _boxes("NMSWithMask", "bboxes", bboxes, 5)
    order = torch.argsort(bboxes[:, 4], descending=True, stable=True)
    boxes = bboxes[order]
    corners = boxes[:, :4].to(torch.promote_types(boxes.dtype, torch.float32))
    low = torch.maximum(corners[:, None, :2], corners[None, :, :2])
    high = torch.minimum(corners[:, None, 2:], corners[None, :, 2:])
    inside = (high - low).clamp(min=0).prod(-1)
    area = (corners[:, 2:] - corners[:, :2]).prod(-1)
    result = _surviving(inside > iou_threshold * (area[:, None] + area[None, :] - inside))
    places = torch.arange(len(result), dtype=torch.int32, device=bboxes.device)
    return boxes, places, result
