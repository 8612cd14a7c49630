"""Values of images between their pixels: sampling grids and crops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core.dtype import FROM_TORCH
from agar._core.optable import op, primitive
from agar.ops._checks import boolean, choice, ints, number

__all__: list[str] = []

_PADDINGS = ("zeros", "border", "reflection")


def _grid_sample(who: str, x: Tensor, grid: Tensor, mode: str, padding: str, align: Any) -> Tensor:
    choice(who, "mode", mode, ("bilinear", "nearest"))
    choice(who, "padding_mode", padding, _PADDINGS)
    if x.ndim not in (4, 5):
        raise ValueError(f"For '{who}', 'input' must have 4 or 5 axes, but got {x.ndim}.")
    if grid.dtype != x.dtype or not x.is_floating_point():
        raise TypeError(
            f"For '{who}', 'input' and 'grid' must have the same floating type, but got "
            f"{FROM_TORCH[x.dtype]} and {FROM_TORCH[grid.dtype]}."
        )
    if grid.ndim != x.ndim or len(grid) != len(x) or grid.shape[-1] != x.ndim - 2:
        raise ValueError(
            f"For '{who}', 'grid' must have {x.ndim} axes, the first of size {len(x)} and the "
            f"last of size {x.ndim - 2}, but got {tuple(grid.shape)}."
        )
    aligned = False if align is None else boolean(who, "align_corners", align)
    return F.grid_sample(x, grid, mode, padding, aligned)


_GRID_SAMPLES = (
    "f(1, 2, 3, 4), p(1, 2, 3, 2) - 0.5",
    "f(1, 2, 3, 4), p(1, 2, 3, 2) + 0.3, padding_mode='border'",
    "f(1, 2, 3, 4), p(1, 2, 3, 2) + 0.3, mode='nearest', padding_mode='reflection'",
)
_GRID_ERRORS = (
    ("f(2, 3), f(2, 3)", ValueError, "axes"),
    ("f(1, 1, 2, 2), f(1, 2, 2, 3)", ValueError, "grid"),
    ("i(1, 1, 2, 2), f(1, 2, 2, 2)", TypeError, "same floating type"),
)


@op(
    mint=("nn.functional.grid_sample",),
    samples=(*_GRID_SAMPLES, "f(1, 1, 2, 2, 2), f(1, 1, 1, 2, 3) * 0.1, align_corners=True"),
    errors=(*_GRID_ERRORS, ("f(1, 1, 2, 2), f(1, 2, 2, 2), mode='bicubic'", ValueError, "mode")),
)
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Values of an image at given places.

    The grid holds (x, y) or (x, y, z), where -1 and 1 are the borders of the image.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)` or :math:`(N, C, D, H, W)`.
        grid (Tensor): shape :math:`(N, H', W', 2)` or :math:`(N, D', H', W', 3)`.
        mode (str): ``"bilinear"``, the mean of the neighbours weighted by nearness; or
            ``"nearest"``. Default: ``"bilinear"``.
        padding_mode (str): outside are ``"zeros"``, the ``"border"``, or its ``"reflection"``.
            Default: ``"zeros"``.
        align_corners (bool): whether -1 and 1 are the centres of the corner pixels, else their
            outer edges. Default: ``None``, which is False.

    Returns:
        Tensor of shape :math:`(N, C, H', W')` or :math:`(N, C, D', H', W')`.

    Raises:
        TypeError: the types differ or are not floating.
        ValueError: a shape does not fit, or a word is another one.

    Difference from PyTorch: no ``"bicubic"`` mode.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> image = ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> print(ms.ops.grid_sample(image, ms.ops.zeros((1, 1, 1, 2))))
        [[[[2.5]]]]
    """
    return _grid_sample("grid_sample", input, grid, mode, padding_mode, align_corners)


@primitive("GridSampler2D", samples=("f(1, 2, 3, 4), f(1, 2, 3, 2) * 0.1",), errors=_GRID_ERRORS)
def _grid_sampler_2d(
    input_x: Tensor,
    grid: Tensor,
    *,
    interpolation_mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> Tensor:
    """Values of an image at given places; see :func:`ops.grid_sample`.

    Examples:
        >>> import agar as ms
        >>> image = ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
        >>> print(ms.ops.GridSampler2D()(image, ms.ops.zeros((1, 1, 1, 2))))
        [[[[2.5]]]]
    """
    who = "GridSampler2D"
    if input_x.ndim != 4:
        raise ValueError(f"For '{who}', 'input_x' must have 4 axes, but got {input_x.ndim}.")
    return _grid_sample(who, input_x, grid, interpolation_mode, padding_mode, align_corners)


@primitive(
    "GridSampler3D",
    samples=("f(1, 1, 2, 2, 2), f(1, 1, 1, 2, 3) * 0.1",),
    errors=(("f(2, 3), f(2, 3)", ValueError, "axes"),),
)
def _grid_sampler_3d(
    input_x: Tensor,
    grid: Tensor,
    *,
    interpolation_mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> Tensor:
    """Values of a volume at given places; see :func:`ops.grid_sample`.

    Examples:
        >>> import agar as ms
        >>> volume = ms.ops.ones((1, 1, 2, 2, 2))
        >>> print(ms.ops.GridSampler3D()(volume, ms.ops.zeros((1, 1, 1, 1, 3))))
        [[[[[1.]]]]]
    """
    who = "GridSampler3D"
    if input_x.ndim != 5:
        raise ValueError(f"For '{who}', 'input_x' must have 5 axes, but got {input_x.ndim}.")
    return _grid_sample(who, input_x, grid, interpolation_mode, padding_mode, align_corners)


def _affine_grid(who: str, theta: Tensor, size: Any, align_corners: Any) -> Tensor:
    aligned = boolean(who, "align_corners", align_corners)
    if not isinstance(size, tuple):
        raise TypeError(f"For '{who}', 'output_size' must be a tuple, but got {size!r}.")
    sizes = ints(who, "output_size", size)
    if len(sizes) not in (4, 5):
        raise ValueError(f"For '{who}', 'output_size' must have 4 or 5 sizes, but got {size}.")
    if not theta.is_floating_point():
        raise TypeError(
            f"For '{who}', 'theta' must be of a floating type, but got {FROM_TORCH[theta.dtype]}."
        )
    rows = len(sizes) - 2
    if tuple(theta.shape) != (sizes[0], rows, rows + 1):
        raise ValueError(
            f"For '{who}', 'theta' must have shape {(sizes[0], rows, rows + 1)} for the output "
            f"size {size}, but got {tuple(theta.shape)}."
        )
    return torch.affine_grid_generator(theta, list(sizes), aligned)


_AFFINE_ERRORS = (
    ("f(2, 3), (1, 1, 2, 2)", ValueError, "theta"),
    ("f(1, 2, 3), (1, 1, 2)", ValueError, "output_size"),
    ("f(1, 2, 3), [1, 1, 2, 2]", TypeError, "tuple"),
)


@op(
    samples=("f(1, 2, 3), (1, 1, 2, 2)", "f(2, 3, 4), (2, 1, 2, 2, 2), True"),
    errors=_AFFINE_ERRORS,
)
def affine_grid(theta: Tensor, size: Any, align_corners: bool = False) -> Tensor:
    r"""The places of :func:`grid_sample` that turn, stretch and move an image.

    :math:`grid_{n, h, w} = \theta_n (x_w, y_h, 1)^T`, with x and y from -1 to 1.

    Args:
        theta (Tensor): shape :math:`(N, 2, 3)` or :math:`(N, 3, 4)`.
        size (tuple[int]): :math:`(N, C, H, W)` or :math:`(N, C, D, H, W)` of the output image.
        align_corners (bool): whether -1 and 1 are the centres of the corner pixels, else their
            outer edges. Default: ``False``.

    Returns:
        Tensor of shape :math:`(N, H, W, 2)` or :math:`(N, D, H, W, 3)`.

    Raises:
        TypeError: `theta` is not floating, or `size` no tuple.
        ValueError: a shape does not fit.

    Difference from PyTorch: `size` is a tuple only.

    Source: behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> same = ms.Tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
        >>> print(ms.ops.affine_grid(same, (1, 1, 1, 2)))
        [[[[-0.5  0. ]
           [ 0.5  0. ]]]]
    """
    return _affine_grid("affine_grid", theta, size, align_corners)


@primitive("AffineGrid", samples=("f(1, 2, 3), (1, 1, 2, 2)",), errors=_AFFINE_ERRORS)
def _affine_grid_primitive(theta: Tensor, size: Any, *, align_corners: bool = False) -> Tensor:
    """The places that turn, stretch and move an image; see :func:`ops.affine_grid`.

    Examples:
        >>> import agar as ms
        >>> same = ms.Tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
        >>> print(ms.ops.AffineGrid(align_corners=True)(same, (1, 1, 1, 2)))
        [[[[-1.  0.]
           [ 1.  0.]]]]
    """
    return _affine_grid("AffineGrid", theta, size, align_corners)


# ---------------------------------------------------------------------------------- crops

_METHODS = ("bilinear", "nearest", "bilinear_v2")


def _check_crop(
    who: str, image: Tensor, boxes: Tensor, indices: Tensor, size: Any, method: Any
) -> Sequence[int]:
    """Check the arguments of a crop and return its height and width."""
    choice(who, "method", method, _METHODS)
    if image.ndim != 4:
        raise ValueError(f"For '{who}', 'image' must have 4 axes, but got {image.ndim}.")
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise ValueError(
            f"For '{who}', 'boxes' must have shape (N, 4), but got {tuple(boxes.shape)}."
        )
    if indices.dtype != torch.int32:
        raise TypeError(
            f"For '{who}', 'box_indices' must be Int32, but got {FROM_TORCH[indices.dtype]}."
        )
    if tuple(indices.shape) != (len(boxes),):
        raise ValueError(
            f"For '{who}', 'box_indices' must have shape ({len(boxes)},), but got "
            f"{tuple(indices.shape)}."
        )
    if not isinstance(size, tuple):
        raise TypeError(f"For '{who}', 'crop_size' must be a tuple, but got {size!r}.")
    sizes = ints(who, "crop_size", size)
    if len(sizes) != 2 or min(sizes) <= 0:
        raise ValueError(
            f"For '{who}', 'crop_size' must have two positive numbers, but got {size}."
        )
    if indices.numel() and not (int(indices.min()) >= 0 and int(indices.max()) < len(image)):
        raise ValueError(
            f"For '{who}', 'box_indices' must be in [0, {len(image)}), but got {indices.tolist()}."
        )
    return sizes


def _lines(low: Tensor, high: Tensor, size: int, count: int) -> Tensor:
    """Places, in pixels, of `count` lines of each box along an axis: shape (boxes, count)."""
    if count == 1:
        return (low + high).unsqueeze(1) * (0.5 * (size - 1))
    step = torch.arange(count, dtype=low.dtype, device=low.device) / (count - 1)
    return (low.unsqueeze(1) + (high - low).unsqueeze(1) * step) * (size - 1)


def _pixel_lines(low: Tensor, high: Tensor, size: int, count: int) -> tuple[Tensor, Tensor, Tensor]:
    """Both neighbours, and the weight of the second, where the box is counted in whole pixels."""
    first, last = (low * size).trunc(), (high * size).trunc()
    pixels = (last - first + 1).clamp(min=1).unsqueeze(1)
    step = torch.arange(count, dtype=low.dtype, device=low.device) + 0.5
    place = step * pixels / count - 0.5
    before = torch.minimum(place.floor().clamp(min=0), pixels - 1)
    after = torch.minimum(before + 1, pixels - 1)
    shift = first.unsqueeze(1)
    inside = [(line + shift).clamp(0, size - 1).long() for line in (before, after)]
    return inside[0], inside[1], place - before


def _take(image: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """Pixels of one image a box, at the crossings of its rows and columns."""
    box = torch.arange(len(image), device=image.device).reshape(-1, 1, 1)
    return image[box, rows.unsqueeze(2), columns.unsqueeze(1)]


def _crop(
    who: str, image: Tensor, boxes: Tensor, indices: Tensor, size: Any, method: Any, outside: Any
) -> Tensor:
    height, width = _check_crop(who, image, boxes, indices, size, method)
    fill = number(who, "extrapolation_value", outside)
    wide = torch.float64 if image.dtype == torch.float64 else torch.float32
    picked, b = image.to(wide).index_select(0, indices.long()), boxes.to(wide)
    rows, columns = image.shape[1:3]
    if method == "bilinear_v2":
        top, bottom, dy = _pixel_lines(b[:, 0], b[:, 2], rows, height)
        left, right, dx = _pixel_lines(b[:, 1], b[:, 3], columns, width)
    else:
        y, x = _lines(b[:, 0], b[:, 2], rows, height), _lines(b[:, 1], b[:, 3], columns, width)
        if method == "nearest":
            y, x = (y + 0.5).floor(), (x + 0.5).floor()
        dy, dx = y - y.detach().floor(), x - x.detach().floor()
        top, left = (v.floor().clamp(0, n - 1).long() for v, n in ((y, rows), (x, columns)))
        bottom, right = (v.ceil().clamp(0, n - 1).long() for v, n in ((y, rows), (x, columns)))
    dy, dx = dy[:, :, None, None], dx[:, None, :, None]
    above = torch.lerp(_take(picked, top, left), _take(picked, top, right), dx)
    below = torch.lerp(_take(picked, bottom, left), _take(picked, bottom, right), dx)
    out = torch.lerp(above, below, dy)
    if method == "bilinear_v2":
        return out
    lies = ((y >= 0) & (y <= rows - 1)).unsqueeze(2) & ((x >= 0) & (x <= columns - 1)).unsqueeze(1)
    return out.where(lies.unsqueeze(3), torch.full_like(out, fill))


_CROP_SAMPLE = "f(2, 3, 4, 2), p(3, 4) * 0.2, i(3).to(torch.int32) * 0, (2, 3)"
_CROP_ERRORS = (
    ("f(3, 3), f(1, 4), i(1).to(torch.int32), (2, 2)", ValueError, "image"),
    ("f(1, 3, 3, 1), f(1, 3), i(1).to(torch.int32), (2, 2)", ValueError, "boxes"),
    ("f(1, 3, 3, 1), f(1, 4), f(1), (2, 2)", TypeError, "Int32"),
    ("f(1, 3, 3, 1), f(1, 4), i(1).to(torch.int32) * 0 + 5, (2, 2)", ValueError, "box_indices"),
)


@op(
    samples=(
        _CROP_SAMPLE,
        f"{_CROP_SAMPLE}, method='nearest', extrapolation_value=1.0",
        f"{_CROP_SAMPLE}, method='bilinear_v2'",
    ),
    errors=(
        *_CROP_ERRORS,
        ("f(1, 3, 3, 1), f(1, 4), i(1).to(torch.int32) * 0, (2, 2), 'x'", ValueError, "method"),
    ),
)
def crop_and_resize(
    image: Tensor,
    boxes: Tensor,
    box_indices: Tensor,
    crop_size: Any,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
) -> Tensor:
    r"""Crops of images, all stretched to one size.

    The line h of box :math:`(y_1, x_1, y_2, x_2)` is taken at
    :math:`(y_1 + \frac{h}{H' - 1} (y_2 - y_1)) (H - 1)`, a column likewise.

    Args:
        image (Tensor): shape :math:`(B, H, W, C)`.
        boxes (Tensor): shape :math:`(N, 4)`, in units of the image's height and width.
        box_indices (Tensor): int32, shape :math:`(N,)`: the image of each box.
        crop_size (tuple[int]): :math:`(H', W')`.
        method (str): ``"bilinear"``; ``"nearest"``; or ``"bilinear_v2"``, where the box is cut
            in whole pixels and pixels outside the image are those of its border. Default:
            ``"bilinear"``.
        extrapolation_value (float): the value of places outside the image, except with
            ``"bilinear_v2"``. Default: ``0.0``.

    Returns:
        Tensor of shape :math:`(N, H', W', C)`: float64 for a float64 image, else float32.

    Raises:
        TypeError: `box_indices` is not int32, or `crop_size` no tuple.
        ValueError: a shape does not fit, an index lies outside, or `method` is another word.

    Difference from PyTorch: none (no counterpart; ``torchvision.ops.roi_align`` averages).

    Source: TensorFlow's ``tf.image.crop_and_resize``; behaviour observed in MindSpore 2.10.

    Examples:
        >>> import agar as ms
        >>> image = ms.ops.arange(0.0, 9.0).reshape(1, 3, 3, 1)
        >>> box, place = ms.Tensor([[0.0, 0.0, 1.0, 1.0]]), ms.Tensor([0], ms.int32)
        >>> print(ms.ops.crop_and_resize(image, box, place, (2, 2)).reshape(2, 2))
        [[0. 2.]
         [6. 8.]]
    """
    return _crop(
        "crop_and_resize", image, boxes, box_indices, crop_size, method, extrapolation_value
    )


@primitive("CropAndResize", samples=(_CROP_SAMPLE,), errors=_CROP_ERRORS)
def _crop_and_resize_primitive(
    x: Tensor,
    boxes: Tensor,
    box_indices: Tensor,
    crop_size: Any,
    *,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
) -> Tensor:
    """Crops of images, all stretched to one size; see :func:`ops.crop_and_resize`.

    Examples:
        >>> import agar as ms
        >>> image = ms.ops.arange(0.0, 9.0).reshape(1, 3, 3, 1)
        >>> box, place = ms.Tensor([[0.0, 0.0, 1.0, 1.0]]), ms.Tensor([0], ms.int32)
        >>> print(ms.ops.CropAndResize()(image, box, place, (1, 1)))
        [[[[4.]]]]
    """
    return _crop("CropAndResize", x, boxes, box_indices, crop_size, method, extrapolation_value)
