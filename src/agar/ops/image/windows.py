"""Windows of images: glimpses, scaling by kernels, dilation, offsets, random boxes for cropping."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core.dtype import FROM_TORCH
from agar._core.random import Stream
from agar._core.random import draws as random_draws
from agar._core.runtime import host_node
from agar.ops._checks import between, boolean, choice, integer
from agar.ops.nn.convolution import same_padding
from agar.ops.random.distributions import drawn, own_pair
from agar.ops.spec import primitive

__all__ = ["dilate", "dilation_plan", "offset_plan", "sample_offsets", "scale_weights"]


def _shape_check(op_name: str, name: str, value: Tensor, expected: str, fits: bool) -> None:
    if not fits:
        raise ValueError(
            f"For '{op_name}', '{name}' must have shape {expected}, but got {list(value.shape)}."
        )


def _sizes(op_name: str, name: str, value: Any) -> tuple[int, int]:
    """Two positive ints; tensors arrive as lists."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ValueError(f"For '{op_name}', '{name}' must have two elements, but got {value!r}.")
    return tuple(integer(op_name, name, v, 1) for v in value)  # pyright: ignore[reportReturnType]


# ----------------------------------------------------------------------------------- glimpses


def _noise_stream(instance: Any) -> Stream:
    for name in ("centered", "normalized", "uniform_noise"):
        boolean(instance.name, name, getattr(instance, name))
    choice(instance.name, "noise", instance.noise, ("uniform", "gaussian", "zero"))
    if instance.uniform_noise and instance.noise != "uniform":
        raise ValueError(
            f"For '{instance.name}', 'noise' must be 'uniform' where 'uniform_noise' is True, but "
            f"got '{instance.noise}'."
        )
    return Stream(*own_pair(0, 0, instance.name), instance.name)


@primitive(
    "ExtractGlimpse",
    samples=(
        "f(2, 5, 5, 1), (3, 2), torch.tensor([[2.0, 3.0], [0.5, 4.6]]), centered=False,"
        " normalized=False, uniform_noise=False, noise='zero'",
        "f(1, 5, 4, 2), (3, 3), torch.tensor([[0.4, -0.2]]), uniform_noise=False, noise='zero'",
    ),
    errors=(
        ("f(2, 5, 5), (3, 2), f(2, 2)", ValueError, "'x'"),
        ("f(2, 5, 5, 1), (3, 2), f(1, 2)", ValueError, "offsets"),
        ("f(2, 5, 5, 1), (3, 0), f(2, 2)", ValueError, "size"),
        ("f(2, 5, 5, 1), (3, 2), f(2, 2), noise='zero'", ValueError, "uniform_noise"),
    ),
    tags=("random",),
    differentiable=False,
    cast="never",
    setup=_noise_stream,
)
def _extract_glimpse(
    x: Tensor,
    size: Any,
    offsets: Tensor,
    *,
    centered: bool = True,
    normalized: bool = True,
    uniform_noise: bool = True,
    noise: str = "uniform",
    _state: Stream,
) -> Tensor:
    """Windows of equal size cut out of images; pixels outside an image are noise.

    Args:
        centered (bool): whether offsets count from the middle of the image, in halves of its
            extent if they are normalized; otherwise from its upper left corner. Default: True.
        normalized (bool): whether offsets are shares of the image's height and width; otherwise
            they are pixels. Default: True.
        uniform_noise (bool): whether `noise` must be ``"uniform"``. Default: True.
        noise (str): ``"uniform"`` over [-1, 1), ``"gaussian"`` (mean 10, deviation 0.5) or
            ``"zero"``. Default: ``"uniform"``.
        x (Tensor): images, shape :math:`(N, H, W, C)`.
        size (Tensor): height and width of the windows.
        offsets (Tensor): the middle of each window (y, x), shape :math:`(N, 2)`.

    Outputs: Tensor of shape :math:`(N, height, width, C)`, in the type of `x`.
    Raises TypeError: an argument of the constructor is of another type.
    Raises ValueError: a shape does not fit, or `noise` is unknown.
    Difference from PyTorch: no counterpart.
    Source: behavior observed in MindSpore 2.10; the noise is agar's own.

    >>> x = ms.Tensor([[[[0.0], [1.0], [2.0]], [[3.0], [4.0], [5.0]]]])
    >>> glimpse = ms.ops.ExtractGlimpse(False, False, False, "zero")
    >>> print(glimpse(x, ms.Tensor([1, 2]), ms.Tensor([[0.5, 1.0]]))[0, 0, :, 0])
    [0. 1.]
    """
    op_name = "ExtractGlimpse"
    _shape_check(op_name, "x", x, "(N, H, W, C)", x.ndim == 4)
    _shape_check(op_name, "offsets", offsets, f"({len(x)}, 2)", offsets.shape == (len(x), 2))
    height, width = _sizes(op_name, "size", size)
    extent = torch.tensor(x.shape[1:3], dtype=torch.float32, device=x.device)
    middle = offsets.float()
    if normalized:
        middle = middle * extent
    if centered:
        middle = middle / 2 + extent / 2
    half = torch.tensor([height / 2, width / 2], device=x.device)
    corner = (middle - half).long()  # toward zero
    rows = corner[:, :1] + torch.arange(height, device=x.device)
    columns = corner[:, 1:] + torch.arange(width, device=x.device)
    inside = ((rows >= 0) & (rows < x.shape[1]))[:, :, None]
    inside = (inside & ((columns >= 0) & (columns < x.shape[2]))[:, None])[..., None]
    image = torch.arange(len(x), device=x.device)[:, None, None]
    entry = x[
        image, rows.clamp(0, x.shape[1] - 1)[:, :, None], columns.clamp(0, x.shape[2] - 1)[:, None]
    ]
    if noise == "zero":
        return torch.where(inside, entry, torch.zeros_like(entry))
    shape = tuple(entry.shape)
    if noise == "uniform":
        engine = _state.engine("mt", shape)
        values = drawn(random_draws.uniform_real, shape, engine, device=x.device) * 2 - 1
    else:
        engine = _state.engine("lcg", shape)
        values = drawn(random_draws.standard_normal, shape, engine, device=x.device) * 0.5 + 10
    return torch.where(inside, entry, values.to(entry.dtype))


# ------------------------------------------------------------------------------------ scaling


def _lanczos(radius: float) -> Callable[[Tensor], Tensor]:
    return lambda t: torch.sinc(t) * torch.sinc(t / radius)


def _gaussian(t: Tensor) -> Tensor:
    return torch.where(t >= 1.5, torch.zeros_like(t), torch.exp(-t * t * 2))


def _box(t: Tensor) -> Tensor:
    return torch.where(t < 0.5, 1.0, torch.where(t == 0.5, 0.5, 0.0)).to(t.dtype)


def _triangle(t: Tensor) -> Tensor:
    return (1 - t).clamp(min=0)


def _by_parts(t: Tensor, inner: Tensor, outer: Tensor) -> Tensor:
    return torch.where(t >= 2, torch.zeros_like(t), torch.where(t >= 1, outer, inner))


def _keys_cubic(t: Tensor) -> Tensor:
    inner = ((1.5 * t - 2.5) * t) * t + 1
    return _by_parts(t, inner, ((-0.5 * t + 2.5) * t - 4) * t + 2)


def _mitchell_cubic(t: Tensor) -> Tensor:
    inner = ((7 / 6 * t - 2) * t) * t + 8 / 9
    return _by_parts(t, inner, ((-7 / 18 * t + 2) * t - 10 / 3) * t + 16 / 9)


# each with how far it reaches; beyond that nothing counts
_KERNELS: dict[str, tuple[float, Callable[[Tensor], Tensor]]] = {
    "lanczos1": (1.0, _lanczos(1.0)),
    "lanczos3": (3.0, _lanczos(3.0)),
    "lanczos5": (5.0, _lanczos(5.0)),
    "gaussian": (1.5, _gaussian),
    "box": (1.0, _box),
    "triangle": (1.0, _triangle),
    "keyscubic": (2.0, _keys_cubic),
    "mitchellcubic": (2.0, _mitchell_cubic),
}


def scale_weights(
    kernel_type: str,
    antialias: bool,
    size: int,
    target: int,
    scale: float,
    shift: float,
    like: Tensor,
) -> Tensor:
    """How much each of `size` pixels counts for each of `target` pixels: rows that sum to 1.

    A row is zero where its pixel falls outside of the image.
    """
    radius, kernel = _KERNELS[kernel_type]
    # in single precision, as a pixel at the edge of a kernel counts or not by the last digit
    one = torch.ones((), device=like.device)
    inverse = one / scale
    reach = inverse.clamp(min=1.0) if antialias else one
    center = torch.arange(target, device=like.device) + 0.5
    center = (center * inverse + -inverse * shift)[:, None]
    distance = torch.arange(size, device=like.device) + 0.5 - center
    share = (distance * (one / reach)).abs().double()
    weights = torch.where(share <= radius, kernel(share), 0.0)
    total = weights.sum(1, keepdim=True)
    inside = (center >= 0) & (center <= size) & (total.abs() > 1e-30)
    weights = torch.where(inside, weights / torch.where(inside, total, 1.0), 0.0)
    return weights.to(like.dtype)


def _check_scaling(instance: Any) -> None:
    choice(instance.name, "kernel_type", instance.kernel_type, _KERNELS)
    boolean(instance.name, "antialias", instance.antialias)


def _pair(op_name: str, name: str, value: Any) -> tuple[float, float]:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ValueError(f"For '{op_name}', '{name}' must have two elements, but got {value!r}.")
    return float(value[0]), float(value[1])


@primitive(
    "ScaleAndTranslate",
    samples=(
        "f(1, 3, 4, 2), (4, 3), (1.3, 0.6), (0.4, -0.3)",
        "f(2, 3, 4, 1), (2, 5), (0.5, 1.5), (0.0, 0.0), kernel_type='triangle', antialias=False",
    ),
    errors=(
        ("f(3, 4, 1), (4, 3), (1.0, 1.0), (0.0, 0.0)", ValueError, "images"),
        ("f(1, 3, 4, 1), (4,), (1.0, 1.0), (0.0, 0.0)", ValueError, "size"),
        ("f(1, 3, 4, 1), (4, 3), (1.0, 0.0), (0.0, 0.0)", ValueError, "scale"),
        ("f(1, 3, 4, 1), (4, 3), (1.0, 1.0), (0.0, 0.0), kernel_type='x'", ValueError, "kernel"),
    ),
    cast="never",
    setup=_check_scaling,
)
def _scale_and_translate(
    images: Tensor,
    size: Any,
    scale: Any,
    translation: Any,
    *,
    kernel_type: str = "lanczos3",
    antialias: bool = True,
    _state: None = None,
) -> Tensor:
    r"""Images scaled and translated, then cropped to a size.

    The pixel at position p goes to :math:`p \cdot scale + translation`; where nothing of the image
    arrives the result is 0.

    Args:
        kernel_type (str): how pixels are weighted by their distance: ``"lanczos1"``,
            ``"lanczos3"``, ``"lanczos5"``, ``"gaussian"``, ``"box"``, ``"triangle"``,
            ``"keyscubic"`` or ``"mitchellcubic"``. Default: ``"lanczos3"``.
        antialias (bool): whether the kernel widens where the image shrinks. Default: True.
        images (Tensor): shape :math:`(N, H, W, C)`.
        size (Tensor): height and width of the result.
        scale (Tensor): the factors for both, positive.
        translation (Tensor): how far to move both, in pixels of the result.

    Outputs: Tensor of shape :math:`(N, size_0, size_1, C)`: float64 for float64, else float32.
    Raises TypeError: an argument of the constructor is of another type.
    Raises ValueError: a shape does not fit, a factor is not positive, or `kernel_type` is unknown.
    Difference from PyTorch: no counterpart.

    >>> x = ms.Tensor([[[[9.0], [5.0]], [[6.0], [1.0]]]])
    >>> two, one = ms.Tensor([2, 2]), ms.Tensor([1.0, 1.0])
    >>> print(ms.ops.ScaleAndTranslate()(x, two, one, one)[0, :, :, 0])
    [[0. 0.]
     [0. 9.]]
    """
    op_name = "ScaleAndTranslate"
    _shape_check(op_name, "images", images, "(N, H, W, C)", images.ndim == 4)
    target = _sizes(op_name, "size", size)
    factors, shifts = _pair(op_name, "scale", scale), _pair(op_name, "translation", translation)
    if min(factors) <= 0:
        raise ValueError(f"For '{op_name}', 'scale' must be positive, but got {factors}.")
    result = images if images.dtype is torch.float64 else images.float()
    for axis in (0, 1):
        weights = scale_weights(
            kernel_type,
            antialias,
            images.shape[axis + 1],
            target[axis],
            factors[axis],
            shifts[axis],
            result,
        )
        result = torch.einsum("oi,nihc->nohc" if axis == 0 else "oi,nhic->nhoc", weights, result)
    return result


# ----------------------------------------------------------------------------------- dilation


def _four(op_name: str, name: str, value: Any) -> tuple[int, int]:
    """Height and width out of an int, two ints, or (1, 1, height, width)."""
    if isinstance(value, bool) or not isinstance(value, (int, tuple)):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' must be int or tuple, but got "
            f"'{type(value).__name__}'."
        )
    result = (value, value) if isinstance(value, int) else value
    if len(result) == 4 and result[:2] == (1, 1):
        result = result[2:]
    if len(result) != 2 or any(isinstance(v, bool) or not isinstance(v, int) for v in result):
        raise ValueError(
            f"For '{op_name}', '{name}' must be an int, two ints or (1, 1, height, width), but got "
            f"{value!r}."
        )
    if min(result) < 1:
        raise ValueError(f"For '{op_name}', '{name}' must be positive, but got {value!r}.")
    return result


def dilation_plan(instance: Any) -> tuple[tuple[int, int], tuple[int, int], bool]:
    """Stride, dilation and whether to pad, out of a primitive's attributes."""
    if instance.data_format == "NHWC":
        raise ValueError(f"For '{instance.name}', 'data_format' must be 'NCHW', but got 'NHWC'.")
    choice(instance.name, "data_format", instance.data_format, ("NCHW",))
    choice(instance.name, "pad_mode", instance.pad_mode, ("VALID", "SAME", "valid", "same"))
    stride = _four(instance.name, "stride", instance.stride)
    if max(stride) > 255:
        raise ValueError(f"For '{instance.name}', 'stride' must be at most 255, but got {stride}.")
    return (
        stride,
        _four(instance.name, "dilation", instance.dilation),
        instance.pad_mode.upper() == "SAME",
    )


def dilate(op_name: str, x: Tensor, filter: Tensor, plan: Any) -> Tensor:
    """The largest sum of pixel and filter in each window; places outside never win."""
    stride, dilation, pad = plan
    _shape_check(op_name, "x", x, "(N, C, H, W)", x.ndim == 4)
    _shape_check(
        op_name,
        "filter",
        filter,
        "(C, height, width), C as in 'x'",
        filter.ndim == 3 and filter.shape[0] == x.shape[1],
    )
    if x.dtype != filter.dtype:
        raise TypeError(
            f"For '{op_name}', 'x' and 'filter' must have one type, but got {FROM_TORCH[x.dtype]} "
            f"and {FROM_TORCH[filter.dtype]}."
        )
    kernel = filter.shape[1:]
    if pad:
        edges = [same_padding(x.shape[2 + i], kernel[i], stride[i], dilation[i]) for i in range(2)]
        least = torch.finfo(x.dtype).min if x.is_floating_point() else torch.iinfo(x.dtype).min
        x = F.pad(x, (*edges[1], *edges[0]), value=least / 2 if x.is_floating_point() else least)
    spans = [(kernel[i] - 1) * dilation[i] + 1 for i in range(2)]
    counts = [(x.shape[2 + i] - spans[i]) // stride[i] + 1 for i in range(2)]
    if min(counts) < 1:
        raise ValueError(
            f"For '{op_name}', the filter reaches over {spans} pixels, but 'x' has only "
            f"{list(x.shape[2:])}."
        )
    best: Tensor | None = None
    for m in range(kernel[0]):
        for n in range(kernel[1]):
            top, left = m * dilation[0], n * dilation[1]
            rows = slice(top, top + (counts[0] - 1) * stride[0] + 1, stride[0])
            columns = slice(left, left + (counts[1] - 1) * stride[1] + 1, stride[1])
            part = x[:, :, rows, columns]
            value = filter[:, m, n, None, None]
            if not x.is_floating_point():  # the least number must not wrap around
                low = torch.iinfo(x.dtype).min
                part = torch.where(part == low, part, part + value)
            else:
                part = part + value
            best = part if best is None else torch.maximum(best, part)
    assert best is not None
    return best


@primitive(
    "Dilation2D",
    samples=(
        "f(1, 2, 5, 5), f(2, 2, 3), stride=1, dilation=1, pad_mode='VALID'",
        "f(1, 2, 5, 5), f(2, 2, 3), stride=(1, 2), dilation=(2, 1)",
        "i(1, 2, 5, 5), i(2, 2, 3), stride=2, dilation=1",
    ),
    errors=(
        ("f(2, 5, 5), f(2, 2, 3), stride=1, dilation=1", ValueError, "'x'"),
        ("f(1, 2, 5, 5), f(3, 2, 3), stride=1, dilation=1", ValueError, "filter"),
        ("f(1, 2, 5, 5), i(2, 2, 3), stride=1, dilation=1", TypeError, "one type"),
        ("f(1, 2, 5, 5), f(2, 2, 3), stride=256, dilation=1", ValueError, "stride"),
        ("f(1, 2, 5, 5), f(2, 2, 3), stride=1, dilation=(1, 2, 3)", ValueError, "dilation"),
    ),
    setup=dilation_plan,
)
def _dilation_2d(
    x: Tensor,
    filter: Tensor,
    *,
    stride: Any,
    dilation: Any,
    pad_mode: str = "SAME",
    data_format: str = "NCHW",
    _state: Any,
) -> Tensor:
    r"""Dilation of gray images: :math:`\max_{m, n} x_{c, s i + d m, s j + d n} + filter_{c, m, n}`.

    Args:
        stride (Union[int, tuple]): steps s of the window in both directions, 1 to 255; also as
            (1, 1, height, width).
        dilation (Union[int, tuple]): distances d of the places in a window, in the same forms.
        pad_mode (str): ``"same"`` or ``"valid"``, in small or large letters. What is padded never
            is the largest. Default: ``"SAME"``.
        data_format (str): only ``"NCHW"``. Default: ``"NCHW"``.
        x (Tensor): shape :math:`(N, C, H, W)`.
        filter (Tensor): shape :math:`(C, h, w)`, in the type of `x`.

    Outputs: Tensor of shape :math:`(N, C, H_{out}, W_{out})` as a convolution has it.
    Raises TypeError: the types differ, or an argument of the constructor is of another type.
    Raises ValueError: a shape or an argument of the constructor does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation.

    >>> x, kernel = ms.ops.ones((1, 1, 3, 3)), ms.ops.ones((1, 2, 2))
    >>> print(ms.ops.Dilation2D(1, 1, "VALID")(x, kernel)[0, 0])
    [[2. 2.]
     [2. 2.]]
    """
    return dilate("Dilation2D", x, filter, _state)


# ------------------------------------------------------------------------------------ offsets


def _ints(op_name: str, name: str, value: Any, count: int) -> tuple[int, ...]:
    if not isinstance(value, tuple):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' must be tuple, but got "
            f"'{type(value).__name__}'."
        )
    if len(value) != count:
        raise ValueError(f"For '{op_name}', '{name}' must have {count} elements, but got {value}.")
    return tuple(integer(op_name, name, v) for v in value)


def offset_plan(instance: Any) -> tuple[Any, ...]:
    """Strides, pads, window, dilations and the position of the channels, checked."""
    op_name = instance.name
    choice(op_name, "data_format", instance.data_format, ("NCHW", "NHWC"))
    channel = 1 if instance.data_format == "NCHW" else 3
    plan: list[tuple[int, ...]] = []
    for name in ("strides", "dilations"):
        four = _ints(op_name, name, getattr(instance, name), 4)
        if four[0] != 1 or four[channel] != 1:
            raise ValueError(
                f"For '{op_name}', '{name}' must be 1 for batch and channels, but got {four}."
            )
        plan.append(four[2:] if channel == 1 else four[1:3])
    pads = _ints(op_name, "pads", instance.pads, 4)
    window = _ints(op_name, "ksize", getattr(instance, "ksize", None) or instance.kernel_size, 2)
    integer(op_name, "deformable_groups", instance.deformable_groups, 1)
    if boolean(op_name, "modulated", instance.modulated) is not True:
        raise ValueError(f"For '{op_name}', 'modulated' must be True, but got False.")
    return plan[0], pads, window, plan[1], channel, instance.deformable_groups


def sample_offsets(op_name: str, x: Tensor, offsets: Tensor, plan: Any) -> Tensor:
    """What a convolution's windows see when every place of them is moved (NCHW)."""
    strides, pads, window, dilations, _, groups = plan
    _shape_check(op_name, "x", x, "(N, C, H, W)", x.ndim == 4 and x.shape[1] % groups == 0)
    batch, channels, height, width = x.shape
    rows = (height + pads[0] + pads[1] - (window[0] - 1) * dilations[0] - 1) // strides[0] + 1
    columns = (width + pads[2] + pads[3] - (window[1] - 1) * dilations[1] - 1) // strides[1] + 1
    expected = (batch, 3 * groups * window[0] * window[1], rows, columns)
    _shape_check(op_name, "offsets", offsets, f"{expected}", tuple(offsets.shape) == expected)
    work = torch.promote_types(x.dtype, torch.float32)
    # the last axes in the order of the result: row, row of the window, column, column of the window
    parts = offsets.to(work).reshape(batch, 3, groups, *window, rows, columns)
    across, down, factor = parts.permute(0, 1, 2, 5, 3, 6, 4).unbind(1)

    def positions(count: int, step: int, first: int, size: int, gap: int) -> Tensor:
        start = torch.arange(count, device=x.device, dtype=work) * step - first
        return start[:, None] + torch.arange(size, device=x.device, dtype=work) * gap

    down = down + positions(rows, strides[0], pads[0], window[0], dilations[0])[:, :, None, None]
    across = across + positions(columns, strides[1], pads[2], window[1], dilations[1])
    flat = (batch * groups, rows * window[0], columns * window[1])
    grid = torch.stack(((2 * across + 1) / width - 1, (2 * down + 1) / height - 1), -1).reshape(
        *flat, 2
    )
    planes = x.to(work).reshape(batch * groups, channels // groups, height, width)
    seen = F.grid_sample(planes, grid, "bilinear", "zeros", align_corners=False)
    seen = seen * factor.reshape(flat[0], 1, *flat[1:])
    return seen.reshape(batch, channels, *flat[1:]).to(x.dtype)


_OFFSET_CALL = "strides=(1, 1, 1, 1), pads=(0, 0, 0, 0), ksize=(2, 3)"


@primitive(
    "DeformableOffsets",
    samples=(
        f"f(1, 2, 4, 5), f(1, 18, 3, 3) * 0.3, {_OFFSET_CALL}",
        "f(1, 2, 4, 5), f(1, 36, 2, 2) * 0.3, strides=(1, 1, 2, 2), pads=(1, 0, 0, 1),"
        " ksize=(2, 3), dilations=(1, 1, 2, 1), deformable_groups=2",
    ),
    errors=(
        (f"f(2, 4, 5), f(1, 18, 3, 3), {_OFFSET_CALL}", ValueError, "'x'"),
        (f"f(1, 2, 4, 5), f(1, 17, 3, 3), {_OFFSET_CALL}", ValueError, "offsets"),
        (f"f(1, 2, 4, 5), f(1, 18, 3, 3), {_OFFSET_CALL}, modulated=False", ValueError, "modul"),
        (
            "f(1, 2, 4, 5), f(1, 18, 3, 3), strides=(1, 2, 1, 1), pads=(0, 0, 0, 0), ksize=(2, 3)",
            ValueError,
            "strides",
        ),
    ),
    setup=offset_plan,
)
def _deformable_offsets(
    x: Tensor,
    offsets: Tensor,
    *,
    strides: Any,
    pads: Any,
    ksize: Any,
    dilations: Any = (1, 1, 1, 1),
    data_format: str = "NCHW",
    deformable_groups: int = 1,
    modulated: bool = True,
    _state: Any,
) -> Tensor:
    """The input elements of the windows of a deformable convolution, side by side.

    Every place of every window is moved by an offset, read between four pixels (zeros outside of
    the image) and multiplied by a factor. A convolution with windows and steps of `ksize` over the
    result completes it.

    Args:
        strides (tuple): steps of the window, four ints in the order of `data_format`.
        pads (tuple): zeros above, below, left and right.
        ksize (tuple): height and width of the window.
        dilations (tuple): distances of the places, four ints. Default: (1, 1, 1, 1).
        data_format (str): ``"NCHW"`` or ``"NHWC"``. Default: ``"NCHW"``.
        deformable_groups (int): how many parts of the channels have offsets of their own.
            Default: 1.
        modulated (bool): only True. Default: True.
        x (Tensor): shape :math:`(N, C, H, W)`.
        offsets (Tensor): for each group and place of the window the offsets to the right,
            those downwards, and the factors: shape :math:`(N, 3 G h w, H_{out}, W_{out})`.

    Outputs: Tensor of shape :math:`(N, C, H_{out} h, W_{out} w)`.
    Raises TypeError: an argument of the constructor is of another type.
    Raises ValueError: a shape or an argument of the constructor does not fit.
    Difference from PyTorch: ``torchvision.ops.deform_conv2d`` includes the convolution, takes the
        offsets downwards first and each pair side by side.

    >>> x = ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> offsets = ms.Tensor([0.5, 0.0, 2.0]).reshape(1, 3, 1, 1) * ms.ops.ones((1, 3, 2, 2))
    >>> sees = ms.ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (1, 1))
    >>> print(sees(x, offsets)[0, 0])
    [[3. 2.]
     [7. 4.]]
    """
    if _state[4] == 1:
        return sample_offsets("DeformableOffsets", x, offsets, _state)
    result = sample_offsets(
        "DeformableOffsets", x.permute(0, 3, 1, 2), offsets.permute(0, 3, 1, 2), _state
    )
    return result.permute(0, 2, 3, 1).contiguous()


# ------------------------------------------------------------------------------- random boxes


def _range(op_name: str, name: str, value: Any, least: float, most: float) -> tuple[float, float]:
    if not isinstance(value, (tuple, list)):
        raise TypeError(
            f"For '{op_name}', the type of '{name}' must be tuple or list, but got "
            f"'{type(value).__name__}'."
        )
    for i, v in enumerate(value):
        if not isinstance(v, float):
            raise TypeError(
                f"For '{op_name}', the type of '{name}[{i}]' must be float, but got "
                f"'{type(v).__name__}'."
            )
    if len(value) != 2 or not least < value[0] < value[1] <= most:
        bound = "positive" if math.isinf(most) else f"in ({least}, {most}]"
        raise ValueError(
            f"For '{op_name}', '{name}' must be two ascending numbers, {bound}, but got {value}."
        )
    return value[0], value[1]


def _box_stream(instance: Any) -> Stream:
    op_name = instance.name
    integer(op_name, "seed", instance.seed)
    integer(op_name, "seed2", instance.seed2)
    integer(op_name, "max_attempts", instance.max_attempts, 1)
    boolean(op_name, "use_image_if_no_bounding_boxes", instance.use_image_if_no_bounding_boxes)
    _range(op_name, "aspect_ratio_range", instance.aspect_ratio_range, 0.0, math.inf)
    _range(op_name, "area_range", instance.area_range, 0.0, 1.0)
    return Stream(*own_pair(instance.seed, instance.seed2, op_name), op_name)


def _covers(crop: tuple[int, ...], boxes: list[list[float]], height: int, width: int, least: float):
    """Whether a crop (y1, x1, y2, x2) contains enough of one of the boxes."""
    for y1, x1, y2, x2 in boxes:
        box = (y1 * height, x1 * width, y2 * height, x2 * width)
        area = (box[2] - box[0]) * (box[3] - box[1])
        high = min(crop[2], box[2]) - max(crop[0], box[0])
        wide = min(crop[3], box[3]) - max(crop[1], box[1])
        if area > 0 and max(high, 0) * max(wide, 0) >= least * area:
            return True
    return least <= 0


def _crop_of(
    sizes: Tensor, boxes: Tensor, least: float, ratios: Any, areas: Any, attempts: int, engine: Any
) -> Tensor:
    """The first random crop that meets the conditions, else the whole image: (y1, x1, y2, x2)."""
    height, width = int(sizes[0]), int(sizes[1])
    known = boxes.reshape(-1, 4).tolist()
    draws = random_draws.uniform_real((attempts, 4), engine).tolist()
    for ratio_at, area_at, down, across in draws:
        ratio = ratios[0] + ratio_at * (ratios[1] - ratios[0])  # width over height
        lowest = round(math.sqrt(areas[0] * height * width / ratio))
        highest = min(round(math.sqrt(areas[1] * height * width / ratio)), height)
        highest = min(highest, int((width + 0.5 - 1e-7) / ratio))
        tall = min(lowest, highest) + int(area_at * (highest - min(lowest, highest) + 1))
        wide = round(tall * ratio)
        if not (0 < tall <= height and 0 < wide <= width):
            continue
        share = tall * wide / (height * width)
        if not areas[0] * (1 - 1e-3) <= share <= areas[1] * (1 + 1e-3):
            continue
        top, left = int(down * (height - tall + 1)), int(across * (width - wide + 1))
        crop = (top, left, top + tall, left + wide)
        if _covers(crop, known, height, width, least):
            return torch.tensor(crop)
    return torch.tensor((0, 0, height, width))


_crop = host_node(_crop_of, "tensor")


@primitive(
    "SampleDistortedBoundingBoxV2",
    samples=(
        "torch.tensor([64, 48, 3]), torch.tensor([[[0.4, 0.2, 0.9, 0.4]]]), torch.tensor([0.5]),"
        " seed=1, seed2=1",
        "torch.tensor([64, 48, 3]), torch.zeros(1, 0, 4), 0.1, use_image_if_no_bounding_boxes=True",
    ),
    errors=(
        ("torch.tensor([64, 48]), torch.zeros(1, 1, 4), 0.1", ValueError, "image_size"),
        ("torch.tensor([64, 48, 3]), torch.zeros(1, 4), 0.1", ValueError, "bounding_boxes"),
        ("torch.tensor([64, 48, 3]), torch.zeros(1, 0, 4), 0.1", ValueError, "no bounding boxes"),
        ("torch.tensor([64, 48, 3]), torch.ones(1, 1, 4) * 2, 0.1", RuntimeError, "[0, 1]"),
        ("torch.tensor([64, 0, 3]), torch.ones(1, 1, 4), 0.1", RuntimeError, "positive"),
        ("torch.tensor([64, 8, 3]), torch.ones(1, 1, 4), 1.5", RuntimeError, "min_object_covered"),
    ),
    tags=("random",),
    differentiable=False,
    cast="never",
    setup=_box_stream,
)
def _sample_distorted_bounding_box(
    image_size: Tensor,
    bounding_boxes: Tensor,
    min_object_covered: Tensor | Any,
    *,
    seed: int = 0,
    seed2: int = 0,
    aspect_ratio_range: Any = (0.75, 1.33),
    area_range: Any = (0.05, 1.0),
    max_attempts: int = 100,
    use_image_if_no_bounding_boxes: bool = False,
    _state: Stream,
) -> tuple[Tensor, Tensor, Tensor]:
    """A random box for cropping an image that keeps enough of one of its objects.

    Args:
        seed (int): first number of the seed. Default: 0.
        seed2 (int): second number of the seed. Default: 0.
        aspect_ratio_range (tuple): bounds of width over height. Default: (0.75, 1.33).
        area_range (tuple): bounds of the share of the image's area. Default: (0.05, 1.0).
        max_attempts (int): the number of boxes to try before the whole image is taken.
            Default: 100.
        use_image_if_no_bounding_boxes (bool): whether the whole image is the object where no boxes
            are given; otherwise that is an error. Default: False.
        image_size (Tensor): height, width and channels, integers.
        bounding_boxes (Tensor): the objects as (y1, x1, y2, x2), shares of the image's
            extent: shape :math:`(B, N, 4)`.
        min_object_covered (Union[Tensor, float]): the share of an object that must be kept.

    Outputs: Tuple of where the box begins (y, x, 0) and its size (height, width, -1), in the type
        of `image_size`, and the box as shares, float32 of shape (1, 1, 4).
    Raises TypeError: an argument of the constructor is of another type.
    Raises ValueError: a shape or an argument of the constructor does not fit, or there are no
        boxes.
    Raises RuntimeError: a number is out of range.
    Difference from PyTorch: ``torchvision.transforms.RandomResizedCrop`` knows no objects.
    Source: MindSpore 2.10's documentation; the random numbers are agar's own.

    >>> size, boxes = ms.Tensor([64, 48, 3]), ms.Tensor([[[0.1, 0.2, 0.9, 0.8]]])
    >>> sample = ms.ops.SampleDistortedBoundingBoxV2(seed=1)
    >>> begin, extent, box = sample(size, boxes, ms.Tensor([0.5]))
    >>> begin.shape, extent.shape, box.shape
    ((3,), (3,), (1, 1, 4))
    """
    op_name = "SampleDistortedBoundingBoxV2"
    _shape_check(op_name, "image_size", image_size, "(3,)", image_size.shape == (3,))
    fits = bounding_boxes.ndim == 3 and bounding_boxes.shape[2] == 4
    _shape_check(op_name, "bounding_boxes", bounding_boxes, "(B, N, 4)", fits)
    if bool((image_size <= 0).any()):
        raise RuntimeError(
            f"For '{op_name}', 'image_size' must be positive, but got {image_size.tolist()}."
        )
    if bool(((bounding_boxes < 0) | (bounding_boxes > 1)).any()):
        raise RuntimeError(f"For '{op_name}', 'bounding_boxes' must lie in [0, 1].")
    least = float(min_object_covered)
    try:
        between(op_name, "min_object_covered", least, 0.0, 1.0)
    except ValueError as error:
        raise RuntimeError(str(error)) from None
    if bounding_boxes.numel() == 0:
        if not use_image_if_no_bounding_boxes:
            raise ValueError(
                f"For '{op_name}', no bounding boxes are given; pass some, or make the primitive "
                "with use_image_if_no_bounding_boxes=True."
            )
        bounding_boxes = bounding_boxes.new_tensor([[[0.0, 0.0, 1.0, 1.0]]])
    signature = (tuple(bounding_boxes.shape), max_attempts)
    engine = _state.engine("mt", signature)
    crop = _crop(
        image_size,
        bounding_boxes,
        least,
        tuple(aspect_ratio_range),
        tuple(area_range),
        max_attempts,
        engine,
    ).to(image_size.device)
    kind = image_size.dtype
    begin = torch.cat((crop[:2], crop.new_zeros(1))).to(kind)
    extent = torch.cat((crop[2:] - crop[:2], crop.new_full((1,), -1))).to(kind)
    shares = crop.float() / image_size[:2].float().repeat(2)
    return begin, extent, shares.reshape(1, 1, 4)
