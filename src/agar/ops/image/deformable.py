"""Convolution and attention that look where learned offsets point."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops.image.windows import offset_plan, sample_offsets
from agar.ops.spec import op

__all__: list[str] = []


class _Window(NamedTuple):
    """The arguments of a deformable convolution under the names of ``ops.DeformableOffsets``."""

    name: str
    kernel_size: Any
    strides: Any
    pads: Any
    dilations: Any
    deformable_groups: Any
    modulated: Any
    data_format: str = "NCHW"


_STEPS = "(1, 1, 1, 1), (0, 0, 0, 0)"


@op(
    samples=(
        f"f(1, 2, 4, 5), f(3, 2, 2, 3), f(1, 18, 3, 3) * 0.3, (2, 3), {_STEPS}",
        "f(1, 2, 4, 5), f(4, 1, 2, 3), f(1, 36, 2, 2) * 0.3, (2, 3), (1, 1, 2, 2), (1, 0, 0, 1), "
        "f(4), (1, 1, 2, 1), 2, 2",
    ),
    errors=(
        (
            f"f(1, 2, 4, 5), f(3, 2, 2, 3), f(1, 17, 3, 3), (2, 3), {_STEPS}",
            ValueError,
            "offsets",
        ),
        (
            f"f(1, 2, 4, 5), f(3, 2, 2, 2), f(1, 18, 3, 3), (2, 3), {_STEPS}",
            ValueError,
            "weight",
        ),
        (
            f"f(1, 2, 4, 5), f(3, 2, 2, 3), f(1, 18, 3, 3), (2, 3), {_STEPS}, modulated=False",
            ValueError,
            "modulated",
        ),
        (
            "f(1, 2, 4, 5), f(3, 2, 2, 3), f(1, 18, 3, 3), (2, 3), 1, (0, 0, 0, 0)",
            TypeError,
            "strides",
        ),
    ),
)
def deformable_conv2d(
    x: Tensor,
    weight: Tensor,
    offsets: Tensor,
    kernel_size: Any,
    strides: Any,
    padding: Any,
    bias: Tensor | None = None,
    dilations: Any = (1, 1, 1, 1),
    groups: int = 1,
    deformable_groups: int = 1,
    modulated: bool = True,
) -> Tensor:
    r"""Convolution in which every position of every window is moved and weighted.

    .. math::
        y(p) = \sum_k w_k \cdot m_k(p) \cdot x(p + p_k + \Delta p_k(p))

    Between pixels `x` is interpolated, outside of the image it is zero.

    Args:
        x (Tensor): shape :math:`(N, C, H, W)`.
        weight (Tensor): shape :math:`(C_{out}, C / groups, h, w)`.
        offsets (Tensor): for each group and place of the window the offsets to the right, those
            downwards, and the factors m: shape :math:`(N, 3 G h w, H_{out}, W_{out})`.
        kernel_size (tuple[int]): height and width of the window.
        strides (tuple[int]): four ints, the first two of them 1.
        padding (tuple[int]): zeros above, below, left and right.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        dilations (tuple[int]): four ints, the first two of them 1. Default: (1, 1, 1, 1).
        groups (int): how many parts of the channels are convolved on their own. Default: 1.
        deformable_groups (int): how many parts of the channels have offsets of their own.
            Default: 1.
        modulated (bool): only True. Default: True.

    Returns: Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})` and the type of `x`.
    Raises TypeError: an argument is not a tuple of ints, or `modulated` is not a bool.
    Raises ValueError: an argument has another length or value, or a shape does not fit.
    Difference from PyTorch: ``torchvision.ops.deform_conv2d`` takes the offsets downwards first and
        each pair side by side, and the factors as an argument of their own.

    >>> x, weight = ms.ops.ones((1, 1, 4, 4)), ms.ops.ones((1, 1, 3, 3))
    >>> offsets = ms.ops.ones((1, 27, 2, 2))
    >>> step = (1, 1, 1, 1), (0, 0, 0, 0)
    >>> print(ms.ops.deformable_conv2d(x, weight, offsets, (3, 3), *step)[0, 0])
    [[9. 6.]
     [6. 4.]]
    """
    op_name = "deformable_conv2d"
    plan = offset_plan(
        _Window(op_name, kernel_size, strides, padding, dilations, deformable_groups, modulated)
    )
    window = plan[2]
    if weight.ndim != 4 or tuple(weight.shape[2:]) != window:
        raise ValueError(
            f"For '{op_name}', 'weight' must have shape (C_out, C / groups, {window[0]}, "
            f"{window[1]}), but got {tuple(weight.shape)}."
        )
    return F.conv2d(
        sample_offsets(op_name, x, offsets, plan), weight, bias, stride=window, groups=groups
    )


@op(
    primitive="MultiScaleDeformableAttn",
    samples=(
        "f(2, 14, 3, 8), torch.tensor([[2, 4], [3, 2]]), torch.tensor([0, 8]), "
        "u(2, 5, 3, 2, 4, 2), u(2, 5, 3, 2, 4)",
        "f(1, 6, 1, 8), torch.tensor([[2, 3]]).int(), torch.tensor([0]), "
        "f(1, 2, 1, 1, 2, 2), u(1, 2, 1, 1, 2)",
    ),
    errors=(
        (
            "f(2, 14, 3), torch.tensor([[2, 4]]), torch.tensor([0]), u(2, 5, 3, 1, 4, 2), "
            "u(2, 5, 3, 1, 4)",
            ValueError,
            "value",
        ),
        (
            "f(2, 7, 3, 8), torch.tensor([[2, 4]]), torch.tensor([0]), u(2, 5, 3, 1, 4, 2), "
            "u(2, 5, 3, 1, 4)",
            ValueError,
            "shape",
        ),
        (
            "f(2, 8, 3, 8), torch.tensor([[2, 4]]), torch.tensor([0]), u(2, 5, 3, 1, 4, 2), "
            "u(2, 5, 3, 1, 3)",
            ValueError,
            "weight",
        ),
        (
            "f(2, 8, 3, 8), f(1, 2), torch.tensor([0]), u(2, 5, 3, 1, 4, 2), u(2, 5, 3, 1, 4)",
            TypeError,
            "shape",
        ),
    ),
)
def multi_scale_deformable_attn_function(
    value: Tensor, shape: Tensor, offset: Tensor, locations: Tensor, weight: Tensor
) -> Tensor:
    r"""Attention of queries to a few points in feature maps of several sizes.

    .. math::
        out_{q} = \sum_{l, p} w_{q l p} \cdot value_l(location_{q l p})

    Between pixels the values are interpolated, outside of a map they are zero.

    Args:
        value (Tensor): the maps one behind the other, shape :math:`(N, \sum H_l W_l, heads, D)`.
        shape (Tensor): height and width of each map, integers of shape ``(levels, 2)``.
        offset (Tensor): where each map begins in `value`, integers of shape ``(levels,)``.
        locations (Tensor): where each query looks, x and y from 0 to 1 across a map: shape
            ``(N, queries, heads, levels, points, 2)``.
        weight (Tensor): the weights, shape ``(N, queries, heads, levels, points)``.

    Returns: Tensor of shape ``(N, queries, heads * D)`` and the type of `value`.
    Raises TypeError: `shape` or `offset` are not integers.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: no counterpart; ``grid_sample`` for each map.
    Source: Zhu et al. 2020, "Deformable DETR"; MindSpore 2.10 has no CPU kernel.

    >>> value = ms.ops.ones((1, 4, 1, 8))
    >>> size, begin = ms.Tensor([[2, 2]]), ms.Tensor([0])
    >>> where, weight = ms.ops.full((1, 1, 1, 1, 2, 2), 0.5), ms.ops.ones((1, 1, 1, 1, 2))
    >>> out = ms.ops.multi_scale_deformable_attn_function(value, size, begin, where, weight)
    >>> print(out[0, 0])
    [2. 2. 2. 2. 2. 2. 2. 2.]
    """
    op_name = "multi_scale_deformable_attn_function"
    for name, numbers in (("shape", shape), ("offset", offset)):
        if numbers.dtype not in (torch.int32, torch.int64):
            raise TypeError(
                f"For '{op_name}', the type of '{name}' must be int32 or int64, but got "
                f"{str(numbers.dtype)[6:]}."
            )
    if value.ndim != 4:
        raise ValueError(
            f"For '{op_name}', 'value' must have shape (N, keys, heads, D), but got "
            f"{tuple(value.shape)}."
        )
    batch, keys, heads, width = value.shape
    sizes, begins = shape.tolist(), offset.tolist()
    ends = [b + h * w for b, (h, w) in zip(begins, sizes, strict=False)]
    if len(begins) != len(sizes) or max(ends) > keys or min(begins) < 0:
        raise ValueError(
            f"For '{op_name}', maps of the sizes in 'shape', {sizes}, from the places in 'offset', "
            f"{begins}, do not fit 'value' of shape {tuple(value.shape)}."
        )
    expected = tuple(locations.shape[:-1])
    fits = locations.ndim == 6 and expected == tuple(weight.shape) and locations.shape[-1] == 2
    if not fits or (expected[0], expected[2], expected[3]) != (batch, heads, len(sizes)):
        raise ValueError(
            f"For '{op_name}', 'locations' must have shape ({batch}, queries, {heads}, "
            f"{len(sizes)}, points, 2) and 'weight' the same without the last axis, but got "
            f"{tuple(locations.shape)} and {tuple(weight.shape)}."
        )
    work = torch.promote_types(value.dtype, torch.float32)
    total = torch.zeros((), dtype=work, device=value.device)
    for level, (height, across) in enumerate(sizes):
        plane = value[:, begins[level] : ends[level]].to(work)
        plane = plane.permute(0, 2, 3, 1).reshape(batch * heads, width, height, across)
        grid = locations[:, :, :, level].to(work) * 2 - 1
        grid = grid.transpose(1, 2).flatten(0, 1)  # (N heads, queries, points, 2)
        seen = F.grid_sample(plane, grid, "bilinear", "zeros", align_corners=False)
        factor = weight[:, :, :, level].to(work).transpose(1, 2).flatten(0, 1).unsqueeze(1)
        total = total + (seen * factor).sum(-1)
    out = total.unflatten(0, (batch, heads)).permute(0, 3, 1, 2)  # (N, queries, heads, D)
    return out.flatten(2).to(value.dtype)
