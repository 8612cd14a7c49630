"""Images resized: by any scale, by nearest, linear and cubic interpolation."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import boolean, choice, int_tuple, integer
from agar.ops.spec import op, primitive

__all__: list[str] = []

# -------------------------------------------------------------------------------- resizing

_MODES: dict[str, tuple[int, ...]] = {
    "nearest": (3, 4, 5),
    "linear": (3,),
    "bilinear": (4,),
    "bicubic": (4,),
    "trilinear": (5,),
    "area": (3, 4, 5),
    "nearest-exact": (3, 4, 5),
}
_CORNERS = ("linear", "bilinear", "bicubic", "trilinear")


def _target(
    op_name: str, x: Tensor, size: Any, factor: Any, mode: str, recompute: Any
) -> list[int]:
    count = x.dim() - 2
    if size is not None:
        if factor is not None:
            raise ValueError(
                f"For '{op_name}', 'size' and 'scale_factor' cannot be set simultaneously."
            )
        if recompute:
            raise ValueError(
                f"For '{op_name}', it is incorrect to set 'recompute_scale_factor' to True after "
                "specifying an explicit 'size'."
            )
        sizes = list(size) if isinstance(size, (tuple, list)) else [size] * count
        _check_count(op_name, "size", sizes, count)
        return [integer(op_name, f"size[{i}]", n, 1) for i, n in enumerate(sizes)]
    if factor is None:
        raise ValueError(f"For '{op_name}', 'size' and 'scale_factor' cannot be both empty.")
    factors = list(factor) if isinstance(factor, (tuple, list)) else [factor] * count
    _check_count(op_name, "scale_factor", factors, count)
    for f in factors:
        if not isinstance(f, float):
            raise TypeError(
                f"For '{op_name}', the 'scale_factor' must be float, but got '{type(f).__name__}'."
            )
        if f <= 0:
            raise ValueError(
                f"For '{op_name}', the 'scale_factor' must be float and must > 0, but got '{f}'."
            )
    if not recompute and mode != "area" and x.dim() != 5:
        raise ValueError(
            f"For '{op_name}', 'scale_factor' option cannot currently be set with the mode = "
            f"{mode} and dim = {x.dim()}D; pass recompute_scale_factor=True, or size."
        )
    return [math.floor(n * f) for n, f in zip(x.shape[2:], factors, strict=True)]


def _check_count(op_name: str, name: str, values: list[Any], count: int) -> None:
    if len(values) != count:
        raise ValueError(
            f"For '{op_name}', 'input' and '{name}' must have the same spatial dimensions, but got "
            f"'input' is {count}D, '{name}' is {len(values)}D."
        )


def _interpolate(
    op_name: str,
    x: Tensor,
    size: Any,
    scale_factor: Any,
    mode: str,
    align_corners: bool | None,
    recompute: bool | None,
) -> Tensor:
    choice(op_name, "mode", mode, _MODES)
    sizes = _target(op_name, x, size, scale_factor, mode, recompute)
    if x.dim() not in _MODES[mode]:
        raise ValueError(
            f"For '{op_name}', {mode} only support '{list(_MODES[mode])}'D, but got {x.dim()}D."
        )
    if align_corners is not None:
        boolean(op_name, "align_corners", align_corners)
        if mode not in _CORNERS:
            raise ValueError(
                f"For '{op_name}', 'align_corners' option cannot currently be set with the mode = "
                f"{mode}, and dim = {x.dim()}D."
            )
    if not x.is_floating_point() and not (mode == "nearest" and x.dtype is torch.uint8):
        raise TypeError(
            f"For '{op_name}', the input must be a floating-point Tensor, but got dtype "
            f"{str(x.dtype).removeprefix('torch.')}; convert with .astype(ms.float32)."
        )
    corners = bool(align_corners) if mode in _CORNERS else None
    if mode == "bicubic" and not corners:
        return _bicubic(x, sizes, False, True)
    return F.interpolate(x, sizes, mode=mode, align_corners=corners)


@op(
    function=("interpolate", "upsample"),
    samples=(
        "f(1, 1, 2, 2), (3, 4)",
        "f(1, 1, 3, 3), None, 1.5, 'nearest', None, True",
        "f(1, 2, 2, 3), (4, 5), mode='bilinear'",
        "f(1, 2, 2, 3), 4, mode='bilinear', align_corners=True",
        "f(1, 1, 2, 2), (3, 3), mode='bicubic'",
        "f(1, 1, 3), 5, mode='linear'",
        "f(1, 1, 2, 2, 2), None, 1.5, 'trilinear'",
        "f(1, 1, 4, 4), (2, 2), mode='area'",
        "f(1, 1, 3, 3), (2, 4), mode='nearest-exact'",
    ),
    errors=(
        ("f(1, 1, 2, 2)", ValueError, "cannot be both empty"),
        ("f(1, 1, 2, 2), 4, 2.0", ValueError, "simultaneously"),
        ("f(1, 1, 2, 2), None, 2.0", ValueError, "recompute_scale_factor=True"),
        ("f(1, 1, 2, 2), None, 2", TypeError, "must be float"),
        ("f(1, 1, 2, 2), (3,)", ValueError, "same spatial dimensions"),
        ("f(1, 1, 2, 2), (3, 3), mode='foo'", ValueError, "mode"),
        ("f(1, 1, 2, 2), (3, 3), mode='linear'", ValueError, "only support"),
        ("f(1, 1, 2, 2), (3, 3), align_corners=True", ValueError, "align_corners"),
        ("f(1, 1, 2, 2), (0, 3)", ValueError, "size[0]"),
        ("i(1, 1, 2, 2), (3, 3)", TypeError, "floating-point"),
    ),
)
def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    r"""Resize sequences, images or volumes.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)` with one to three dimensions.
        size (Union[int, tuple[int], list[int]]): sizes of the output. Default: None.
        scale_factor (Union[float, tuple[float], list[float]]): sizes of the output as multiples of
            the input's, rounded down. Default: None. One of the two must be given.
        mode (str): ``nearest``; ``linear`` (rank 3), ``bilinear`` and ``bicubic`` (rank 4),
            ``trilinear`` (rank 5); ``area`` (means); ``nearest-exact``. Default: ``"nearest"``.
        align_corners (bool): whether the corners' centers coincide; for the linear and cubic modes.
            Default: None, False.
        recompute_scale_factor (bool): whether the size is worked out first and the scale from it.
            Default: None, False.

    Returns: Tensor of the new size.
    Raises TypeError: an argument is of a wrong type.
    Raises ValueError: an argument does not fit the mode or the input.
    Difference from PyTorch: `scale_factor` must be float and, for inputs of rank 3 and 4, needs
        ``recompute_scale_factor=True``, except in mode ``area``. ``bicubic`` without aligned
        corners has the coefficient -0.5 and leaves out what is beyond the borders (there -0.75,
        repeated).

    >>> x = ms.Tensor([[[1.0, 2.0]]])
    >>> print(ms.ops.interpolate(x, size=4))
    [[[1. 1. 2. 2.]]]
    >>> print(ms.ops.interpolate(x, size=3, mode="linear", align_corners=True))
    [[[1.  1.5 2. ]]]
    """
    return _interpolate(
        "interpolate", input, size, scale_factor, mode, align_corners, recompute_scale_factor
    )


def _centers(size: int, target: int, align_corners: bool, half_pixel: bool, like: Tensor) -> Tensor:
    """The place in the input of every output element's center, along one dimension."""
    places = torch.arange(target, dtype=torch.float64, device=like.device)
    if align_corners:
        return places * ((size - 1) / (target - 1) if target > 1 else 0.0)
    scale = size / target
    return (places + 0.5) * scale - 0.5 if half_pixel else places * scale


def _check_resize(prim: Any) -> None:
    corners = boolean(prim.name, "align_corners", prim.align_corners)
    half = boolean(prim.name, "half_pixel_centers", prim.half_pixel_centers)
    if corners and half:
        raise ValueError(
            f"For '{prim.name}', align_corners and half_pixel_centers cannot both be True."
        )


def _resize_sizes(op_name: str, x: Tensor, size: Any) -> tuple[int, ...]:
    if x.dim() != 4:
        raise ValueError(
            f"For '{op_name}', the rank of the input must be 4, but got {x.dim()} (shape "
            f"{tuple(x.shape)})."
        )
    if isinstance(size, Tensor):
        size = size.tolist()
    if not isinstance(size, (tuple, list)) or len(size) != 2:
        raise ValueError(f"For '{op_name}', 'size' must be (height, width), but got {size!r}.")
    return int_tuple(op_name, "size", tuple(size), 2)


def _weighted(
    x: Tensor,
    axis: int,
    places: Tensor,
    taps: int,
    kernel: Any,
    *,
    inside: bool = False,
    steps: int = 0,
) -> Tensor:
    """Resample one dimension: every output is a weighted sum of `taps` neighbors.

    Neighbors beyond the ends are the end elements; with `inside` they are left out, and the other
    weights raised so that they sum to one. With `steps` the weights come from a table with so many
    steps between two elements.
    """
    size = x.shape[axis]
    low = places.floor()
    fraction = places - low
    if steps:
        fraction = torch.round(fraction * steps) / steps
    sources = [low.long() + tap for tap in range(1 - taps // 2, 1 + taps // 2)]
    weights = [kernel(fraction - tap) for tap in range(1 - taps // 2, 1 + taps // 2)]
    if inside:
        weights = [
            torch.where((s >= 0) & (s < size), w, 0.0)
            for s, w in zip(sources, weights, strict=True)
        ]
        total = torch.stack(weights).sum(0)
        weights = [w / total for w in weights]
    shape = [1] * x.dim()
    shape[axis] = -1
    parts = (
        x.index_select(axis, s.clamp(0, size - 1)) * w.to(x.dtype).view(shape)
        for s, w in zip(sources, weights, strict=True)
    )
    return functools.reduce(torch.add, parts)


def _triangle(t: Tensor) -> Tensor:
    return (1 - t.abs()).clamp(min=0)


def _cubic(t: Tensor, a: float = -0.75) -> Tensor:
    t = t.abs()
    near = ((a + 2) * t - (a + 3)) * t * t + 1
    far = ((t - 5) * t + 8) * t * a - 4 * a
    return torch.where(t <= 1, near, torch.where(t < 2, far, 0.0))


def _resize_bilinear(
    op_name: str, x: Tensor, size: Any, align_corners: bool, half_pixel_centers: bool
) -> Tensor:
    for axis, target in enumerate(_resize_sizes(op_name, x, size), 2):
        places = _centers(x.shape[axis], target, align_corners, half_pixel_centers, x)
        x = _weighted(x, axis, places.clamp(0, x.shape[axis] - 1), 2, _triangle)
    return x


_RESIZE_SAMPLES = (
    "f(1, 2, 3, 4), (5, 6)",
    "f(1, 2, 3, 4), (2, 3), align_corners=True",
    "f(1, 2, 3, 4), (5, 3), half_pixel_centers=True",
)
_RESIZE_ERRORS = (
    ("f(3, 4), (5, 6)", ValueError, "rank"),
    ("f(1, 1, 3, 4), (5,)", ValueError, "(height, width)"),
    ("f(1, 1, 3, 4), (0, 5)", ValueError, "size"),
)


@primitive("ResizeBilinearV2", samples=_RESIZE_SAMPLES, errors=_RESIZE_ERRORS, setup=_check_resize)
def _resize_bilinear_v2(
    image: Tensor, size: Any, *, align_corners: bool = False, half_pixel_centers: bool = False
) -> Tensor:
    """Resize images by bilinear interpolation.

    Args:
        image (Tensor): shape (N, C, H, W).
        size (Union[tuple[int], Tensor]): (height, width) of the output.
        align_corners (bool): whether the corners' centers coincide. Default: False.
        half_pixel_centers (bool): whether pixels have their centers at half places, as
            ``ops.interpolate`` has it; otherwise place i comes from i times the ratio of sizes.
            Default: False.

    Returns: Tensor of shape (N, C, height, width).
    Raises ValueError: the rank or a size is wrong, or both flags are True.
    Difference from PyTorch: ``interpolate`` always has pixels at half places or aligned corners.

    >>> x = ms.Tensor([[[[1.0, 2.0]]]])
    >>> print(ms.ops.ResizeBilinearV2()(x, (1, 4)))
    [[[[1.  1.5 2.  2. ]]]]
    """
    return _resize_bilinear("ResizeBilinearV2", image, size, align_corners, half_pixel_centers)


def _check_fixed_resize(prim: Any) -> None:
    _check_resize(prim)
    int_tuple(prim.name, "size", prim.size, 2)


@primitive(
    "ResizeBilinear",
    samples=("f(1, 2, 3, 4), size=(5, 6)", "f(1, 2, 3, 4), size=(2, 3), align_corners=True"),
    errors=(("f(3, 4), size=(5, 6)", ValueError, "rank"),),
    setup=_check_fixed_resize,
)
def _resize_bilinear_primitive(
    x: Tensor, *, size: Any, align_corners: bool = False, half_pixel_centers: bool = False
) -> Tensor:
    """Resize images by bilinear interpolation to a size given to the constructor.

    Args:
        x (Tensor): shape (N, C, H, W).
        size (Union[tuple[int], list[int]]): (height, width) of the output.
        align_corners (bool): whether the corners' centers coincide. Default: False.
        half_pixel_centers (bool): whether pixels have their centers at half places. Default: False.

    Returns: Tensor of shape (N, C, height, width).
    Raises ValueError: the rank or a size is wrong, or both flags are True.
    Difference from PyTorch: see ``ops.ResizeBilinearV2``.
    Source: MindSpore before 2.0; removed there since, and kept here for older programs.

    >>> ms.ops.ResizeBilinear((4, 6))(ms.ops.ones((1, 2, 2, 3))).shape
    (1, 2, 4, 6)
    """
    return _resize_bilinear("ResizeBilinear", x, size, align_corners, half_pixel_centers)


def _resize_nearest(
    op_name: str, x: Tensor, size: Any, align_corners: bool, half_pixel_centers: bool
) -> Tensor:
    for axis, target in enumerate(_resize_sizes(op_name, x, size), 2):
        n = x.shape[axis]
        # float32, as the kernel has it: products close to a whole number decide here
        places = torch.arange(target, dtype=torch.float32, device=x.device)
        if align_corners:
            scale = torch.tensor((n - 1) / (target - 1) if target > 1 else 0.0)
            source = (places * scale.to(x.device) + 0.5).floor()
        elif half_pixel_centers:
            source = ((places + 0.5) * torch.tensor(n / target).to(x.device)).floor()
        else:
            source = (places * torch.tensor(n / target).to(x.device)).floor()
        x = x.index_select(axis, source.long().clamp(0, n - 1))
    return x


@primitive(
    "ResizeNearestNeighborV2", samples=_RESIZE_SAMPLES, errors=_RESIZE_ERRORS, setup=_check_resize
)
def _resize_nearest_v2(
    image: Tensor, size: Any, *, align_corners: bool = False, half_pixel_centers: bool = False
) -> Tensor:
    """Resize images by nearest-neighbor sampling.

    Args:
        image (Tensor): shape (N, C, H, W).
        size (Union[tuple[int], Tensor]): (height, width) of the output.
        align_corners (bool): whether the corners' centers coincide. Default: False.
        half_pixel_centers (bool): whether pixels have their centers at half places. Default: False.

    Returns: Tensor of shape (N, C, height, width).
    Raises ValueError: the rank or a size is wrong, or both flags are True.
    Difference from PyTorch: ``interpolate`` has neither flag.

    >>> print(ms.ops.ResizeNearestNeighborV2()(ms.Tensor([[[[1.0, 2.0]]]]), (1, 3)))
    [[[[1. 1. 2.]]]]
    """
    return _resize_nearest(
        "ResizeNearestNeighborV2", image, size, align_corners, half_pixel_centers
    )


@primitive(
    "ResizeNearestNeighbor",
    samples=("f(1, 2, 3, 4), size=(5, 6)", "f(1, 2, 3, 4), size=(2, 3), align_corners=True"),
    errors=(("f(3, 4), size=(5, 6)", ValueError, "rank"),),
    setup=_check_fixed_resize,
)
def _resize_nearest_primitive(
    input_x: Tensor, *, size: Any, align_corners: bool = False, half_pixel_centers: bool = False
) -> Tensor:
    """Resize images by nearest-neighbor sampling, to a size given to the constructor.

    Args:
        input_x (Tensor): shape (N, C, H, W).
        size (Union[tuple[int], list[int]]): (height, width) of the output.
        align_corners (bool): whether the corners' centers coincide. Default: False.
        half_pixel_centers (bool): accepted; MindSpore's CPU kernel does not look at it, nor does
            agar. Default: False.

    Returns: Tensor of shape (N, C, height, width).
    Raises ValueError: the rank or a size is wrong, or both flags are True.
    Difference from PyTorch: ``interpolate`` has no such flags.

    >>> print(ms.ops.ResizeNearestNeighbor((1, 3))(ms.Tensor([[[[1.0, 2.0]]]])))
    [[[[1. 1. 2.]]]]
    """
    return _resize_nearest("ResizeNearestNeighbor", input_x, size, align_corners, False)


@primitive("ResizeBicubic", samples=_RESIZE_SAMPLES, errors=_RESIZE_ERRORS, setup=_check_resize)
def _resize_bicubic(
    image: Tensor, size: Any, *, align_corners: bool = False, half_pixel_centers: bool = False
) -> Tensor:
    """Resize images by bicubic interpolation.

    The coefficient is -0.5, and elements beyond the borders are left out, with half pixel centers;
    otherwise it is -0.75, and they are the border's.

    Args:
        image (Tensor): shape (N, C, H, W).
        size (Union[tuple[int], Tensor]): (height, width) of the output.
        align_corners (bool): whether the corners' centers coincide. Default: False.
        half_pixel_centers (bool): whether pixels have their centers at half places. Default: False.

    Returns: Tensor of shape (N, C, height, width).
    Raises ValueError: the rank or a size is wrong, or both flags are True.
    Difference from PyTorch: ``interpolate`` always has pixels at half places or aligned corners.
    Source: Keys 1981, "Cubic Convolution Interpolation for Digital Image Processing".

    >>> ms.ops.ResizeBicubic()(ms.ops.ones((1, 2, 2, 3)), (4, 6)).shape
    (1, 2, 4, 6)
    """
    return _bicubic(
        image, _resize_sizes("ResizeBicubic", image, size), align_corners, half_pixel_centers
    )


# MindSpore reads cubic weights from a table of this many steps, so that they are rounded.
_TABLE = 1024


def _bicubic(x: Tensor, sizes: Sequence[int], align_corners: bool, half_pixel: bool) -> Tensor:
    """Cubic interpolation: with half places Keys's coefficient and no elements beyond the ends."""
    kernel = functools.partial(_cubic, a=-0.5) if half_pixel else _cubic
    for axis, target in enumerate(sizes, 2):
        places = _centers(x.shape[axis], target, align_corners, half_pixel, x)
        x = _weighted(x, axis, places, 4, kernel, inside=half_pixel, steps=_TABLE)
    return x


def _check_linear(prim: Any) -> None:
    choice(
        "ResizeLinear1D",
        "coordinate_transformation_mode",
        prim.coordinate_transformation_mode,
        ("align_corners", "half_pixel"),
    )


@primitive(
    "ResizeLinear1D",
    samples=("f(1, 2, 3), (5,)", "f(1, 2, 3), (5,), coordinate_transformation_mode='half_pixel'"),
    errors=(("f(2, 3), (5,)", ValueError, "rank"),),
    setup=_check_linear,
)
def _resize_linear_1d(
    x: Tensor, size: Any, *, coordinate_transformation_mode: str = "align_corners"
) -> Tensor:
    """Resize sequences by linear interpolation.

    Args:
        x (Tensor): shape (N, C, L).
        size (Union[tuple[int], Tensor]): (length,) of the output.
        coordinate_transformation_mode (str): ``align_corners`` or ``half_pixel``. Default:
            ``"align_corners"``.

    Returns: Tensor of shape (N, C, length).
    Raises ValueError: a wrong rank or mode.
    Difference from PyTorch: ``interpolate(mode="linear")``; corners are aligned by default.

    >>> print(ms.ops.ResizeLinear1D()(ms.Tensor([[[1.0, 2.0]]]), (3,)))
    [[[1.  1.5 2. ]]]
    """
    if x.dim() != 3:
        raise ValueError(
            f"For 'ResizeLinear1D', the rank of the input must be 3, but got {x.dim()}."
        )
    sizes = int_tuple("ResizeLinear1D", "size", size, 1)
    return F.interpolate(
        x,
        list(sizes),
        mode="linear",
        align_corners=coordinate_transformation_mode == "align_corners",
    )
