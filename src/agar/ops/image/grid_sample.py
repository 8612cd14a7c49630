"""Images read at places that are computed: grids, boxes, areas; and upsampled volumes."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import boolean, choice, int_tuple, integer, number
from agar.ops.math.elementwise import any_outside
from agar.ops.spec import op, primitive

__all__: list[str] = []

# ---------------------------------------------------------------------------------- grids

_GRID_MODES = {"bilinear": 0, "nearest": 1, "bicubic": 2}
_GRID_PADDINGS = {"zeros": 0, "border": 1, "reflection": 2}


def _check_grid_options(op_name: str, mode: Any, padding_mode: Any, align_corners: Any) -> None:
    choice(op_name, "mode", mode, _GRID_MODES)
    choice(op_name, "padding_mode", padding_mode, _GRID_PADDINGS)
    boolean(op_name, "align_corners", align_corners)


def _sample(
    op_name: str, x: Tensor, grid: Tensor, mode: str, padding_mode: str, align_corners: bool
) -> Tensor:
    count = x.dim() - 2
    if count not in (2, 3):
        raise ValueError(
            f"For '{op_name}', the input must be of shape (N, C, H, W) or (N, C, D, H, W), but got "
            f"{tuple(x.shape)}."
        )
    if grid.dim() != x.dim() or grid.shape[-1] != count:
        raise ValueError(
            f"For '{op_name}', the grid of an input of rank {x.dim()} must have rank {x.dim()} and "
            f"a last dimension of {count}, but got {tuple(grid.shape)}."
        )
    if grid.shape[0] != x.shape[0]:
        raise ValueError(
            f"For '{op_name}', the first dimensions of the input and the grid must be equal, but "
            f"got {x.shape[0]} and {grid.shape[0]}."
        )
    if grid.dtype != x.dtype:
        raise TypeError(
            f"For '{op_name}', the grid must have the data type of the input, but got {grid.dtype} "
            f"and {x.dtype}."
        )
    if count == 3 and mode == "bicubic":
        raise ValueError(
            f"For '{op_name}', mode 'bicubic' is for images; a volume needs 'bilinear' or "
            "'nearest'."
        )
    if 0 in x.shape[2:]:
        raise ValueError(
            f"For '{op_name}', the input must have elements to read, but got shape "
            f"{tuple(x.shape)}."
        )
    return torch.grid_sampler(
        x, grid, _GRID_MODES[mode], _GRID_PADDINGS[padding_mode], align_corners
    )


@op(
    primitive=False,
    mint="nn.functional.grid_sample",
    samples=(
        "f(2, 3, 4, 5), u(2, 3, 2, 2) * 1.8 - 0.9",
        "f(1, 2, 4, 5), u(1, 2, 2, 2) * 1.4 - 0.7, padding_mode='border', align_corners=True",
        "f(1, 2, 3, 3), u(1, 2, 3, 2) * 1.2 - 0.6, 'bicubic'",
        "f(1, 2, 3, 4, 2), u(1, 2, 2, 3, 3) * 1.2 - 0.6",
    ),
    errors=(
        ("f(1, 2, 3), f(1, 2, 2)", ValueError, "N, C, H, W"),
        ("f(1, 1, 3, 3), f(1, 2, 2, 3)", ValueError, "last dimension of 2"),
        ("f(1, 1, 3, 3), f(2, 2, 2, 2)", ValueError, "first dimensions"),
        ("f(1, 1, 3, 3), f(1, 2, 2, 2).float()", TypeError, "data type"),
        ("f(1, 1, 3, 3), f(1, 2, 2, 2), 'cubic'", ValueError, "mode"),
        ("f(1, 1, 3, 3), f(1, 2, 2, 2), padding_mode='wrap'", ValueError, "padding_mode"),
        ("f(1, 1, 3, 3, 3), f(1, 2, 2, 2, 3), 'bicubic'", ValueError, "for images"),
        ("f(1, 1, 3, 3), f(1, 2, 2, 2), align_corners=1", TypeError, "align_corners"),
    ),
)
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    r"""Read images or volumes at the positions of a grid.

    A place is :math:`(x, y)` or :math:`(x, y, z)`; -1 and 1 are the ends of the input. Gradients
    flow to the input and to the places.

    Args:
        input (Tensor): floating point, shape (N, C, H, W) or (N, C, D, H, W).
        grid (Tensor): places, of the input's dtype, shape (N, H', W', 2) or (N, D', H', W', 3).
        mode (str): ``bilinear`` (trilinear for volumes), ``nearest``, or ``bicubic`` for images.
            Default: ``"bilinear"``.
        padding_mode (str): what lies beyond the ends: ``zeros``, ``border`` (the end elements) or
            ``reflection``. Default: ``"zeros"``.
        align_corners (bool): whether -1 and 1 are the centers of the end elements instead of
            their outer edges. Default: None, False.

    Returns: Tensor of shape (N, C, H', W') or (N, C, D', H', W').
    Raises TypeError: the dtypes differ, or an option has a wrong type.
    Raises ValueError: the mode is unknown, or the shapes do not fit.
    Difference from PyTorch: none. (MindSpore has no ``bicubic``, and its ``nearest`` rounds places
        between two elements away from zero, not to the even one.)
    Source: Jaderberg et al. 2015, "Spatial Transformer Networks".

    >>> x = ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> print(ms.ops.grid_sample(x, ms.ops.zeros((1, 1, 1, 2))))
    [[[[2.5]]]]
    """
    align_corners = False if align_corners is None else align_corners
    _check_grid_options("grid_sample", mode, padding_mode, align_corners)
    return _sample("grid_sample", input, grid, mode, padding_mode, align_corners)


def _check_sampler(prim: Any) -> None:
    _check_grid_options(prim.name, prim.interpolation_mode, prim.padding_mode, prim.align_corners)


@primitive(
    "GridSampler2D",
    samples=(
        "f(1, 2, 4, 5), u(1, 2, 2, 2) - 0.5",
        "f(1, 2, 4, 5), u(1, 2, 2, 2) - 0.5, padding_mode='reflection'",
    ),
    errors=(
        ("f(1, 1, 3, 3), f(1, 2, 2, 2), interpolation_mode='x'", ValueError, "mode"),
        ("f(1, 1, 2, 3, 3), f(1, 2, 2, 2, 3)", ValueError, "rank"),
    ),
    setup=_check_sampler,
)
def _grid_sampler_2d(
    input_x: Tensor,
    grid: Tensor,
    *,
    interpolation_mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> Tensor:
    """Read images at the positions of a grid; see ``ops.grid_sample``.

    Args:
        input_x (Tensor): floating point, shape (N, C, H, W).
        grid (Tensor): places, of the input's dtype, shape (N, H', W', 2).
        interpolation_mode (str): ``bilinear``, ``nearest`` or ``bicubic``. Default:
            ``"bilinear"``.
        padding_mode (str): ``zeros``, ``border`` or ``reflection``. Default: ``"zeros"``.
        align_corners (bool): whether -1 and 1 are the centers of the end pixels. Default: False.

    Returns: Tensor of shape (N, C, H', W').
    Raises TypeError: the dtypes differ.
    Raises ValueError: the mode is unknown, or the shapes do not fit.
    Difference from PyTorch: ``grid_sample`` is a function.
    Source: Jaderberg et al. 2015, "Spatial Transformer Networks".

    >>> op = ms.ops.GridSampler2D()
    >>> op(ms.ops.ones((1, 3, 4, 4)), ms.ops.zeros((1, 2, 5, 2))).shape
    (1, 3, 2, 5)
    """
    _need_rank("GridSampler2D", input_x, 4)
    return _sample("GridSampler2D", input_x, grid, interpolation_mode, padding_mode, align_corners)


@primitive(
    "GridSampler3D",
    samples=("f(1, 2, 3, 4, 2), u(1, 2, 2, 3, 3) - 0.5",),
    errors=(("f(1, 1, 3, 3), f(1, 2, 2, 2)", ValueError, "rank"),),
    setup=_check_sampler,
)
def _grid_sampler_3d(
    input_x: Tensor,
    grid: Tensor,
    *,
    interpolation_mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> Tensor:
    """Read volumes at the positions of a grid; see ``ops.grid_sample``.

    Args:
        input_x (Tensor): floating point, shape (N, C, D, H, W).
        grid (Tensor): places, of the input's dtype, shape (N, D', H', W', 3).
        interpolation_mode (str): ``bilinear`` or ``nearest``. Default: ``"bilinear"``.
        padding_mode (str): ``zeros``, ``border`` or ``reflection``. Default: ``"zeros"``.
        align_corners (bool): whether -1 and 1 are the centers of the end elements. Default:
            False.

    Returns: Tensor of shape (N, C, D', H', W').
    Raises TypeError: the dtypes differ.
    Raises ValueError: the mode is unknown, or the shapes do not fit.
    Difference from PyTorch: ``grid_sample`` is a function.
    Source: Jaderberg et al. 2015, "Spatial Transformer Networks".

    >>> op = ms.ops.GridSampler3D()
    >>> op(ms.ops.ones((1, 3, 2, 4, 4)), ms.ops.zeros((1, 1, 2, 5, 3))).shape
    (1, 3, 1, 2, 5)
    """
    _need_rank("GridSampler3D", input_x, 5)
    return _sample("GridSampler3D", input_x, grid, interpolation_mode, padding_mode, align_corners)


def _need_rank(op_name: str, x: Tensor, rank: int) -> None:
    if x.dim() != rank:
        raise ValueError(
            f"For '{op_name}', the rank of the input must be {rank}, but got {x.dim()} (shape "
            f"{tuple(x.shape)})."
        )


@op(
    primitive=False,
    samples=(
        "f(2, 2, 3), (2, 1, 3, 4)",
        "f(2, 2, 3), (2, 1, 3, 1), True",
        "f(1, 3, 4), (1, 1, 2, 3, 4)",
    ),
    errors=(
        ("f(2, 3), (1, 1, 2, 2)", ValueError, "theta"),
        ("i(1, 2, 3), (1, 1, 2, 2)", TypeError, "floating"),
        ("f(1, 2, 3), (1, 1, 1, 2, 2)", ValueError, "theta"),
        ("f(2, 2, 3), (1, 1, 2, 2)", ValueError, "batch"),
        ("f(1, 2, 3), (1, 1, 2, 2.0)", TypeError, "size"),
        ("f(1, 2, 3), (1, 1, 2, 2), 1", TypeError, "align_corners"),
    ),
)
def affine_grid(theta: Tensor, size: Any, align_corners: bool = False) -> Tensor:
    r"""Sampling positions for `grid_sample` that an affine map gives every output element.

    .. math:: grid_{n, y, x} = \theta_n \, (x, y, 1)^T

    where :math:`x` and :math:`y` run from -1 to 1 over the output.

    Args:
        theta (Tensor): floating point, affine maps, shape (N, 2, 3) or (N, 3, 4).
        size (tuple[int]): shape of the output of `grid_sample`, (N, C, H, W) or (N, C, D, H, W).
        align_corners (bool): whether -1 and 1 are the centers of the end elements instead of
            their outer edges. Default: False.

    Returns: Tensor of shape (N, H, W, 2) or (N, D, H, W, 3).
    Raises TypeError: `size` is not a tuple of ints, or `align_corners` is not a bool.
    Raises ValueError: the shapes do not fit.
    Source: Jaderberg et al. 2015, "Spatial Transformer Networks".

    >>> same = ms.Tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    >>> print(ms.ops.affine_grid(same, (1, 1, 1, 2)))
    [[[[-0.5  0. ]
       [ 0.5  0. ]]]]
    """
    return _affine_grid("affine_grid", theta, size, align_corners)


def _affine_grid(op_name: str, theta: Tensor, size: Any, align_corners: Any) -> Tensor:
    boolean(op_name, "align_corners", align_corners)
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"For '{op_name}', 'size' must be a tuple of ints, but got {size!r}.")
    for n in size:
        integer(op_name, "size", n, 0)
    if not theta.is_floating_point():
        raise TypeError(f"For '{op_name}', 'theta' must be floating point, but got {theta.dtype}.")
    count = len(size) - 2
    if count not in (2, 3) or theta.dim() != 3 or theta.shape[1:] != (count, count + 1):
        raise ValueError(
            f"For '{op_name}', 'theta' must be of shape (N, 2, 3) for a size of 4 numbers, or "
            f"(N, 3, 4) for a size of 5, but got {tuple(theta.shape)} and {tuple(size)}."
        )
    if size[0] != theta.shape[0]:
        raise ValueError(
            f"For '{op_name}', 'size' and 'theta' must have one batch size, but got {size[0]} and "
            f"{theta.shape[0]}."
        )
    return torch.affine_grid_generator(theta, tuple(size), align_corners)


@primitive(
    "AffineGrid",
    samples=("f(2, 2, 3), (2, 1, 3, 4)", "f(1, 3, 4), (1, 1, 2, 3, 4), align_corners=True"),
    errors=(("f(2, 2, 3), (1, 1, 2, 2)", ValueError, "batch"),),
    setup=lambda prim: boolean(prim.name, "align_corners", prim.align_corners),
)
def _affine_grid_primitive(
    theta: Tensor, output_size: Any, *, align_corners: bool = False
) -> Tensor:
    """Sampling positions for `grid_sample` from affine maps; see ``ops.affine_grid``.

    Args:
        theta (Tensor): floating point, affine maps, shape (N, 2, 3) or (N, 3, 4).
        output_size (Union[Tensor, tuple[int]]): (N, C, H, W) or (N, C, D, H, W).
        align_corners (bool): whether -1 and 1 are the centers of the end elements. Default:
            False.

    Returns: Tensor of shape (N, H, W, 2) or (N, D, H, W, 3).
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: ``affine_grid`` is a function.
    Source: Jaderberg et al. 2015, "Spatial Transformer Networks".

    >>> ms.ops.AffineGrid()(ms.ops.ones((1, 2, 3)), (1, 3, 4, 5)).shape
    (1, 4, 5, 2)
    """
    if isinstance(output_size, Tensor):
        output_size = tuple(output_size.tolist())
    return _affine_grid("AffineGrid", theta, output_size, align_corners)


# ---------------------------------------------------------------------------------- boxes

_CROP_METHODS = ("bilinear", "nearest", "bilinear_v2")


def _line(low: Tensor, high: Tensor, size: int, target: int) -> Tensor:
    """Places along one dimension, (boxes, target), from the first corner to the second."""
    low, high = low * (size - 1), high * (size - 1)
    if target == 1:
        return (0.5 * (low + high)).unsqueeze(1)
    steps = torch.arange(target, dtype=low.dtype, device=low.device)
    return low.unsqueeze(1) + steps * ((high - low) / (target - 1)).unsqueeze(1)


def _cells(low: Tensor, high: Tensor, size: int, target: int) -> Tensor:
    """Places along one dimension, (boxes, target), in equal parts of the whole pixels of a box."""
    first = (low * size).trunc()
    count = ((high * size).trunc() - first + 1).clamp(min=1).unsqueeze(1)
    steps = torch.arange(target, dtype=low.dtype, device=low.device)
    inside = ((steps + 0.5) * (count / target) - 0.5).clamp(min=0).minimum(count - 1)
    return (first.unsqueeze(1) + inside).clamp(0, size - 1)


def _crop_and_resize(
    op_name: str,
    image: Tensor,
    boxes: Tensor,
    indices: Tensor,
    crop_size: Any,
    method: str,
    outside: Any,
) -> Tensor:
    _need_rank(op_name, image, 4)
    if boxes.dim() != 2 or boxes.shape[1] != 4:
        raise ValueError(
            f"For '{op_name}', 'boxes' must be of shape (boxes, 4), but got {tuple(boxes.shape)}."
        )
    if not boxes.is_floating_point():
        raise TypeError(f"For '{op_name}', 'boxes' must be floating point, but got {boxes.dtype}.")
    if indices.shape != boxes.shape[:1]:
        raise ValueError(
            f"For '{op_name}', 'box_indices' must have one number for each of the {len(boxes)} "
            f"boxes, but got shape {tuple(indices.shape)}."
        )
    if indices.is_floating_point() or indices.dtype == torch.bool:
        raise TypeError(f"For '{op_name}', 'box_indices' must be int32, but got {indices.dtype}.")
    rows, columns = int_tuple(op_name, "crop_size", crop_size, 2)
    batch, height, width, _ = image.shape
    if any_outside(indices, 0, batch):
        raise ValueError(
            f"For '{op_name}', 'box_indices' must lie in [0, {batch}), the images given, but got "
            f"{indices.tolist()}."
        )
    boxes = boxes if boxes.dtype == torch.float64 else boxes.float()
    pixels = image.to(boxes.dtype)
    top, left, bottom, right = boxes.unbind(1)
    place = _cells if method == "bilinear_v2" else _line
    y, x = place(top, bottom, height, rows), place(left, right, width, columns)
    owner = indices.long()[:, None, None]

    def read(i: Tensor, j: Tensor) -> Tensor:
        i, j = i.long().clamp(0, height - 1), j.long().clamp(0, width - 1)
        return pixels[owner, i[:, :, None], j[:, None, :]]

    if method == "nearest":
        out = read((y + 0.5).floor(), (x + 0.5).floor())
    else:
        # on a pixel both ends are that pixel: no gradient by the box there, as in MindSpore
        i, j, below, beside = y.floor(), x.floor(), y.ceil(), x.ceil()
        down, across = (y - i)[:, :, None, None], (x - j)[:, None, :, None]
        upper = torch.lerp(read(i, j), read(i, beside), across)
        lower = torch.lerp(read(below, j), read(below, beside), across)
        out = torch.lerp(upper, lower, down)
    inside = ((y >= 0) & (y <= height - 1))[:, :, None] & ((x >= 0) & (x <= width - 1))[:, None, :]
    return torch.where(inside.unsqueeze(-1), out, number(op_name, "extrapolation_value", outside))


_CROP_SAMPLES = (
    "f(2, 5, 6, 3), u(3, 4), T([0, 1, 0]), (3, 2)",
    "f(1, 4, 4, 1), u(2, 4) * 3 - 1, T([0, 0]), (2, 5), 'bilinear', 7.0",
    "f(1, 4, 4, 1), u(1, 4), T([0]), (1, 1)",
)


@op(
    primitive=False,
    cast="never",
    samples=(
        *_CROP_SAMPLES,
        "f(1, 4, 4, 1), u(2, 4), T([0, 0]), (2, 3), 'bilinear_v2'",
        "f(1, 4, 4, 1), u(2, 4), T([0, 0]), (2, 3), 'nearest'",
    ),
    errors=(
        ("f(3, 4, 1), u(1, 4), T([0]), (2, 2)", ValueError, "rank"),
        ("f(1, 3, 4, 1), u(1, 3), T([0]), (2, 2)", ValueError, "boxes"),
        ("f(1, 3, 4, 1), u(1, 4), T([0, 0]), (2, 2)", ValueError, "box_indices"),
        ("f(1, 3, 4, 1), u(1, 4), T([1]), (2, 2)", ValueError, "box_indices"),
        ("f(1, 3, 4, 1), u(1, 4), T([0.0]), (2, 2)", TypeError, "box_indices"),
        ("f(1, 3, 4, 1), u(1, 4), T([0]), (0, 2)", ValueError, "crop_size"),
        ("f(1, 3, 4, 1), u(1, 4), T([0]), (2, 2), 'cubic'", ValueError, "method"),
        ("f(1, 3, 4, 1), u(1, 4), T([0]), (2, 2), 'nearest', '0'", TypeError, "extrapolation"),
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
    """Cut boxes out of images and resize them all to one size.

    Args:
        image (Tensor): any real dtype, shape (N, H, W, C).
        boxes (Tensor): rows (y1, x1, y2, x2); 0 and 1 are the ends of the image. Where the second
            corner comes first, the crop is turned over.
        box_indices (Tensor): the image of each box, integers.
        crop_size (tuple[int]): (height, width) of the crops.
        method (str): ``bilinear``, ``nearest``, or ``bilinear_v2``, which divides the whole pixels
            that a box touches into equal parts. Default: ``"bilinear"``.
        extrapolation_value (float): the value of what lies beyond the image; ``bilinear_v2`` takes
            the end pixels instead. Default: 0.0.

    Returns: Tensor of shape (boxes, height, width, C), float32 (float64 if the boxes are).
    Raises TypeError: an argument has a wrong type.
    Raises ValueError: shapes that do not fit, an index that is none of an image, an unknown method.
    Difference from PyTorch: PyTorch itself has none; torchvision's ``roi_align`` is
        ``ops.ROIAlign``.
    Source: behavior observed in MindSpore 2.10; its gradients of the last two methods are those of
        the first, these are their own.

    >>> image = ms.Tensor([[[[1.0], [2.0]], [[3.0], [4.0]]]])
    >>> box = ms.Tensor([[0.0, 0.5, 1.0, 0.5]])
    >>> print(ms.ops.crop_and_resize(image, box, ms.Tensor([0]), (2, 1))[0, :, :, 0])
    [[1.5]
     [3.5]]
    """
    op_name = "crop_and_resize"
    choice(op_name, "method", method, _CROP_METHODS)
    return _crop_and_resize(
        op_name, image, boxes, box_indices, crop_size, method, extrapolation_value
    )


def _check_crop(prim: Any) -> None:
    choice(prim.name, "method", prim.method, _CROP_METHODS)
    number(prim.name, "extrapolation_value", prim.extrapolation_value)


@primitive(
    "CropAndResize",
    cast="never",
    samples=_CROP_SAMPLES[:1],
    errors=(
        ("f(1, 3, 4, 1), u(1, 4), T([0]), (2, 2), method='cubic'", ValueError, "method"),
        ("f(1, 3, 4, 1), u(1, 4), T([3]), (2, 2)", ValueError, "box_indices"),
    ),
    setup=_check_crop,
)
def _crop_and_resize_primitive(
    x: Tensor,
    boxes: Tensor,
    box_index: Tensor,
    crop_size: Any,
    *,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
) -> Tensor:
    """Cut boxes out of images and resize them; see ``ops.crop_and_resize``.

    Args:
        x (Tensor): shape (N, H, W, C).
        boxes (Tensor): rows (y1, x1, y2, x2); 0 and 1 are the ends of the image.
        box_index (Tensor): the image of each box, integers.
        crop_size (tuple[int]): (height, width) of the crops.
        method (str): ``bilinear``, ``nearest`` or ``bilinear_v2``. Default: ``"bilinear"``.
        extrapolation_value (float): the value of what lies beyond the image. Default: 0.0.

    Returns: Tensor of shape (boxes, height, width, C).
    Raises ValueError: shapes that do not fit, or an index that is none of an image.
    Difference from PyTorch: PyTorch has none.

    >>> box, owner = ms.Tensor([[0.0, 0.0, 0.5, 0.5]]), ms.Tensor([0])
    >>> ms.ops.CropAndResize()(ms.ops.ones((1, 8, 8, 3)), box, owner, (2, 4)).shape
    (1, 2, 4, 3)
    """
    return _crop_and_resize(
        "CropAndResize", x, boxes, box_index, crop_size, method, extrapolation_value
    )


def _check_align(prim: Any) -> None:
    integer(prim.name, "pooled_height", prim.pooled_height, 1)
    integer(prim.name, "pooled_width", prim.pooled_width, 1)
    number(prim.name, "spatial_scale", prim.spatial_scale)
    integer(prim.name, "sample_num", prim.sample_num)
    if integer(prim.name, "roi_end_mode", prim.roi_end_mode) not in (0, 1):
        raise ValueError(
            f"For '{prim.name}', 'roi_end_mode' must be 0 or 1, but got {prim.roi_end_mode}."
        )


def _align_weights(start: float, size: float, parts: int, samples: int, length: int) -> Tensor:
    """What every element of a line weighs in every part of an interval, (parts, length)."""
    count = samples if samples > 0 else max(1, int(size / parts))
    steps = torch.arange(parts * count, dtype=torch.float64)
    places = start + (steps + 0.5) * (size / parts / count)
    valid = (places >= -1) & (places <= length)
    places = places.clamp(0, length - 1)
    weights = (1 - (places[:, None] - torch.arange(length)).abs()).clamp(min=0)
    return (weights * valid[:, None]).view(parts, count, length).mean(1)


@primitive(
    "ROIAlign",
    samples=(
        "f(2, 3, 6, 5), T([[0, 1, 1, 6, 7], [1, -1, 0, 20, 5]]), "
        "pooled_height=2, pooled_width=3, spatial_scale=0.5",
        "f(1, 1, 6, 5), T([[0, 1, 1, 6, 7]]), pooled_height=2, pooled_width=2, "
        "spatial_scale=1.0, sample_num=0, roi_end_mode=0",
    ),
    errors=(
        (
            "f(1, 1, 4, 4), f(1, 4), pooled_height=2, pooled_width=2, spatial_scale=1.0",
            ValueError,
            "rois",
        ),
        (
            "f(1, 1, 4, 4), T([[1, 0, 0, 2, 2]]), pooled_height=2, "
            "pooled_width=2, spatial_scale=1.0",
            RuntimeError,
            "image",
        ),
        (
            "f(1, 1, 4, 4), f(1, 5), pooled_height=0, pooled_width=2, spatial_scale=1.0",
            ValueError,
            "pooled_height",
        ),
        (
            "f(1, 1, 4, 4), f(1, 5), pooled_height=1, pooled_width=2, spatial_scale=1.0, "
            "roi_end_mode=2",
            ValueError,
            "roi_end_mode",
        ),
    ),
    setup=_check_align,
)
def _roi_align(
    features: Tensor,
    rois: Tensor,
    *,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sample_num: int = 2,
    roi_end_mode: int = 1,
) -> Tensor:
    """Means of the features within parts of regions, read by bilinear interpolation.

    Args:
        features (Tensor): floating point, shape (N, C, H, W).
        rois (Tensor): rows (image, x1, y1, x2, y2).
        pooled_height (int): number of parts along the height.
        pooled_width (int): number of parts along the width.
        spatial_scale (float): size of the features relative to the coordinates of the regions.
        sample_num (int): places read in a part along each dimension; at most 0: as many as the
            part has whole elements. Default: 2.
        roi_end_mode (int): 1: the region ends one further than its second corner; 0: it is at
            least one element wide and high. Default: 1.

    Returns: Tensor of shape (regions, C, pooled_height, pooled_width). Gradients flow to the
        features.
    Raises TypeError: an option has a wrong type.
    Raises ValueError: shapes that do not fit, or an option beyond its bounds.
    Raises RuntimeError: a region of an image that is not there.
    Difference from PyTorch: torchvision's ``roi_align`` has the default ``sampling_ratio=-1``,
        which rounds the number of places up, and no ``roi_end_mode`` (it is 0 there).
    Source: He et al. 2017, "Mask R-CNN"; behavior observed in MindSpore 2.10.

    >>> align = ms.ops.ROIAlign(2, 2, 0.5)
    >>> region = ms.Tensor([[0.0, 0.0, 0.0, 3.0, 3.0]])
    >>> align(ms.ops.ones((1, 3, 4, 4)), region).shape
    (1, 3, 2, 2)
    """
    op_name = "ROIAlign"
    _need_rank(op_name, features, 4)
    if rois.dim() != 2 or rois.shape[1] != 5:
        raise ValueError(
            f"For '{op_name}', 'rois' must be of shape (regions, 5), but got {tuple(rois.shape)}."
        )
    batch, channels, height, width = features.shape
    rows, columns, owners = [], [], []
    for image, *corners in rois.tolist():
        if not 0 <= image < batch:
            raise RuntimeError(
                f"For '{op_name}', the image of a region must be one of the {batch} given, but got "
                f"{image}."
            )
        x, y, right, bottom = (c * spatial_scale for c in corners)
        wide, high = right - x, bottom - y
        if roi_end_mode:
            wide, high = wide + spatial_scale, high + spatial_scale
        else:
            wide, high = max(wide, 1.0), max(high, 1.0)
        rows.append(_align_weights(y, high, pooled_height, sample_num, height))
        columns.append(_align_weights(x, wide, pooled_width, sample_num, width))
        owners.append(int(image))
    if not owners:
        return features.new_empty((0, channels, pooled_height, pooled_width))
    down, across = (torch.stack(w).to(features) for w in (rows, columns))
    return torch.einsum("rph,rchw,rqw->rcpq", down, features[owners], across)


# ---------------------------------------------------------------------------------- sizes


def _area_weights(size: int, target: int, align_corners: bool) -> Tensor:
    """What every element of a line weighs in every part of it, (target, size)."""
    scale = (size - 1) / (target - 1) if align_corners and target > 1 else size / target
    start = torch.arange(target, dtype=torch.float64).unsqueeze(1) * scale
    # the last part can reach beyond the end, where the end element goes on
    places = torch.arange(size + int(scale) + 2, dtype=torch.float64)
    overlap = (torch.minimum(places + 1, start + scale) - torch.maximum(places, start)).clamp(min=0)
    weights = overlap[:, :size].clone()
    weights[:, -1] += overlap[:, size:].sum(1)
    return weights / scale


@primitive(
    "ResizeArea",
    cast="never",
    samples=("f(1, 3, 4, 2), T([2, 3])", "f(1, 3, 4, 2), T([5, 3]), align_corners=True"),
    errors=(
        ("f(3, 4, 1), T([2, 2])", ValueError, "rank"),
        ("f(1, 3, 4, 1), T([0, 2])", ValueError, "size"),
        ("f(1, 3, 4, 1), T([2, 2]), align_corners=1", TypeError, "align_corners"),
    ),
    setup=lambda prim: boolean(prim.name, "align_corners", prim.align_corners),
)
def _resize_area(images: Tensor, size: Any, *, align_corners: bool = False) -> Tensor:
    """Resize images: every output pixel is the mean of the area that it covers.

    Args:
        images (Tensor): any real dtype, shape (N, H, W, C).
        size (Union[Tensor, tuple[int]]): (height, width) of the output.
        align_corners (bool): whether the first and last rows and columns coincide. Default: False.

    Returns: Tensor of shape (N, height, width, C), float32 (float64 if the images are).
    Raises TypeError: `align_corners` is not a bool, or `size` holds no ints.
    Raises ValueError: the rank is not 4, or a size is not positive.
    Difference from PyTorch: ``interpolate(mode="area")`` takes whole pixels only and the channel
        second.

    >>> x = ms.Tensor([[[[1.0], [2.0], [6.0]]]])
    >>> print(ms.ops.ResizeArea()(x, ms.Tensor([1, 1])))
    [[[[3.]]]]
    """
    op_name = "ResizeArea"
    _need_rank(op_name, images, 4)
    if isinstance(size, Tensor):
        size = size.tolist()
    rows, columns = int_tuple(op_name, "size", size, 2)
    x = images if images.dtype == torch.float64 else images.float()
    down = _area_weights(x.shape[1], rows, align_corners).to(x)
    across = _area_weights(x.shape[2], columns, align_corners).to(x)
    return torch.einsum("ph,nhwc,qw->npqc", down, x, across)


def _volume_size(op_name: str, x: Tensor, output_size: Any, scales: Any) -> tuple[int, ...]:
    _need_rank(op_name, x, 5)
    if (output_size is None) == (scales is None):
        raise ValueError(
            f"For '{op_name}', exactly one of 'output_size' and 'scales' must be given, but got "
            f"{output_size!r} and {scales!r}."
        )
    if output_size is not None:
        return int_tuple(op_name, "output_size", output_size, 3)
    if not isinstance(scales, (tuple, list)) or len(scales) != 3:
        raise ValueError(f"For '{op_name}', 'scales' must be three numbers, but got {scales!r}.")
    return int_tuple(
        op_name,
        "output_size",
        tuple(
            int(n * number(op_name, "scales", s)) for n, s in zip(x.shape[2:], scales, strict=True)
        ),
        3,
    )


_VOLUME_SAMPLES = ("f(1, 2, 2, 3, 2), (4, 3, 5)", "f(1, 2, 2, 3, 2), None, (2.0, 1.0, 1.5)")
_VOLUME_ERRORS = (
    ("f(1, 2, 2, 2), (4, 4, 4)", ValueError, "rank"),
    ("f(1, 1, 2, 2, 2)", ValueError, "exactly one"),
    ("f(1, 1, 2, 2, 2), (4, 4, 4), (2.0, 2.0, 2.0)", ValueError, "exactly one"),
    ("f(1, 1, 2, 2, 2), (4, 0, 4)", ValueError, "output_size"),
)


@primitive("UpsampleNearest3D", samples=_VOLUME_SAMPLES, errors=_VOLUME_ERRORS)
def _upsample_nearest_3d(x: Tensor, output_size: Any = None, scales: Any = None) -> Tensor:
    """Resize volumes: every output element is the nearest input element.

    Args:
        x (Tensor): floating point, shape (N, C, D, H, W).
        output_size (tuple[int]): (depth, height, width) of the output. Default: None.
        scales (tuple[float]): factors of the sizes instead. Default: None.

    Returns: Tensor of shape (N, C, depth, height, width).
    Raises ValueError: not exactly one of size and factors, or the rank is not 5.
    Difference from PyTorch: ``interpolate`` is a function.

    >>> ms.ops.UpsampleNearest3D()(ms.ops.ones((1, 1, 2, 2, 2)), (4, 4, 6)).shape
    (1, 1, 4, 4, 6)
    """
    return F.interpolate(x, _volume_size("UpsampleNearest3D", x, output_size, scales))


@primitive(
    "UpsampleTrilinear3D",
    samples=(*_VOLUME_SAMPLES, "f(1, 2, 2, 3, 2), (4, 3, 5), align_corners=True"),
    errors=_VOLUME_ERRORS,
)
def _upsample_trilinear_3d(
    x: Tensor, output_size: Any = None, scales: Any = None, *, align_corners: bool = False
) -> Tensor:
    """Resize volumes by trilinear interpolation.

    Args:
        x (Tensor): floating point, shape (N, C, D, H, W).
        output_size (tuple[int]): (depth, height, width) of the output. Default: None.
        scales (tuple[float]): factors of the sizes instead. Default: None.
        align_corners (bool): whether the centers of the corner elements coincide. Default: False.

    Returns: Tensor of shape (N, C, depth, height, width).
    Raises ValueError: not exactly one of size and factors, or the rank is not 5.
    Difference from PyTorch: ``interpolate`` is a function.

    >>> ms.ops.UpsampleTrilinear3D()(ms.ops.ones((1, 1, 2, 2, 2)), (4, 4, 6)).shape
    (1, 1, 4, 4, 6)
    """
    size = _volume_size("UpsampleTrilinear3D", x, output_size, scales)
    return F.interpolate(x, size, mode="trilinear", align_corners=align_corners)
