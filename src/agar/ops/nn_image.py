"""Padding, resizing, patches, and moves between channels, space and batch."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import boolean, choice, int_tuple, integer, number
from agar.ops.nn_conv import same_padding
from agar.ops.spec import op, primitive

__all__: list[str] = []

# -------------------------------------------------------------------------------- padding


def _flat_pads(who: str, padding: Any, rank: int) -> list[int]:
    """Paddings, last dimension first, as a checked list of pairs."""
    if isinstance(padding, Tensor):
        padding = padding.tolist()
    if not isinstance(padding, (tuple, list)) or not all(type(n) is int for n in padding):
        raise TypeError(
            f"For '{who}', the paddings value must be tuple of int or list of int, but got "
            f"{padding!r}."
        )
    if len(padding) % 2:
        raise ValueError(
            f"For '{who}', the size of padding must be divisible by 2, but got {len(padding)}."
        )
    if len(padding) > 2 * rank:
        raise ValueError(
            f"For '{who}', the length of padding must be at most {2 * rank} for an input of rank "
            f"{rank}, but got {len(padding)}."
        )
    return list(padding)


def _check_sizes(who: str, x: Tensor, pads: Sequence[int]) -> None:
    for i in range(len(pads) // 2):
        size = x.shape[-1 - i] + pads[2 * i] + pads[2 * i + 1]
        if size < 0 or (size == 0 and x.shape[-1 - i]):
            raise ValueError(
                f"For '{who}', the output size must be greater than 0, but the padding "
                f"{tuple(pads)} leaves nothing of dimension {x.dim() - 1 - i} of shape "
                f"{tuple(x.shape)}."
            )


def _mirrored(who: str, x: Tensor, pads: Sequence[int], mode: str) -> Tensor:
    """Reflection, edge or wrap padding of any dimensions, one after the other.

    torch has these for the trailing dimensions only.
    """
    for i in range(len(pads) // 2):
        before, after = pads[2 * i], pads[2 * i + 1]
        if before == 0 == after:
            continue
        axis = x.dim() - 1 - i
        size = x.shape[axis]
        most = {"reflect": size - 1, "symmetric": size, "circular": size}.get(mode, math.inf)
        if max(before, after) > most or (size == 0 and max(before, after) > 0):
            raise ValueError(
                f"For '{who}' {mode} mode, Padding size must be at most {most} for dimension "
                f"{axis} of size {size}, but got ({before}, {after})."
            )
        x = x.index_select(axis, _sources(size, before, after, mode, x.device))
    return x


def _sources(size: int, before: int, after: int, mode: str, device: torch.device) -> Tensor:
    """Where each element of a padded dimension comes from."""
    places = torch.arange(-before, size + after, device=device)
    if mode == "replicate":
        return places.clamp(0, size - 1)
    if mode == "circular":
        return places.remainder(size)
    # one period of a mirrored dimension: there and back, the ends once or twice
    once = mode == "reflect"
    period = max(2 * size - 2 if once else 2 * size, 1)
    places = places.remainder(period)
    back = (period if once else period - 1) - places
    return torch.where(places < size, places, back)


def _pad(who: str, x: Tensor, padding: Any, mode: str, value: Any) -> Tensor:
    pads = _flat_pads(who, padding, x.dim())
    choice(who, "mode", mode, ("constant", "reflect", "replicate", "circular"))
    if not pads:
        return x
    _check_sizes(who, x, pads)
    if mode == "constant":
        if isinstance(value, Tensor):
            value = value.item()
        fill = 0 if value is None else number(who, "value", value)
        if not x.is_floating_point() and not x.is_complex():
            fill = int(fill)
        return F.pad(x, pads, value=fill)
    if value is not None:
        raise ValueError(
            f"For '{who}', the padding mode '{mode}' can not set value, but got value {value}."
        )
    if mode != "replicate" and min(pads) < 0:
        raise ValueError(
            f"For '{who}' {mode} mode, all paddings must be >= 0, but got {tuple(pads)}."
        )
    spatial = len(pads) // 2
    if spatial <= 3 and x.dim() in (spatial + 1, spatial + 2) and x.is_floating_point():
        try:
            return F.pad(x, pads, mode=mode)
        except (RuntimeError, NotImplementedError):
            return _mirrored(who, x, pads, mode)
    return _mirrored(who, x, pads, mode)


@op(
    samples=(
        "f(2, 3), (1, 2)",
        "f(2, 3), (1, 2, 0, 1), 'constant', 5.0",
        "f(2, 3), (-1, 0)",
        "f(1, 2, 3), (1, 2), 'reflect'",
        "f(2, 3), (1, 1), 'reflect'",
        "f(3, 3), (1, 1, 2, 0), 'reflect'",
        "f(1, 1, 2, 3), (2, 1, 1, 1), 'replicate'",
        "f(1, 2, 3), (1, 1), 'circular'",
        "i(4), (1, 1), 'constant', 7",
    ),
    errors=(
        ("f(2, 3), (1,)", ValueError, "divisible by 2"),
        ("f(2, 3), ((0, 0), (1, 2))", TypeError, "tuple of int or list of int"),
        ("f(2, 3), (1, 1, 1, 1, 1, 1)", ValueError, "at most 4"),
        ("f(2, 3), (1, 1), 'foo'", ValueError, "mode"),
        ("f(1, 2, 3), (1, 1), 'reflect', 2.0", ValueError, "can not set value"),
        ("f(1, 2, 3), (3, 1), 'reflect'", ValueError, "Padding size"),
        ("f(2, 3), (-3, 0)", ValueError, "output size"),
    ),
)
def pad(input_x: Tensor, padding: Any, mode: str = "constant", value: Any = None) -> Tensor:
    r"""Put elements around the input, or take some away.

    Args:
        input_x (Tensor): any shape.
        padding (Union[tuple[int], list[int], Tensor]): pairs (before, after), the last dimension
            first. Negative numbers take away, in modes ``constant`` and ``replicate``.
        mode (str): ``constant``; ``reflect`` (mirrored, the border once); ``replicate`` (the
            border's value); ``circular`` (from the other end). Default: ``"constant"``.
        value (Union[int, float]): for mode ``constant``. Default: None, 0.

    Returns: Tensor of the input's dtype.
    Raises TypeError: `padding` is no sequence of ints.
    Raises ValueError: `padding` is odd or too long, or does not fit the input and mode; or `value`
        with another mode.
    Difference from PyTorch: all modes take any dimensions.

    >>> print(ms.ops.pad(ms.Tensor([[1.0, 2.0]]), (1, 2)))
    [[0. 1. 2. 0. 0.]]
    """
    return _pad("pad", input_x, padding, mode, value)


def _pairs(who: str, paddings: Any, rank: int) -> list[int]:
    """Pairs per axis, first axis first, as torch's flat list."""
    if isinstance(paddings, Tensor):
        paddings = paddings.tolist()
    if not isinstance(paddings, (tuple, list)) or not all(
        isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in paddings
    ):
        raise ValueError(
            f"For '{who}', the shape of 'paddings' must be (n, 2), but got {paddings!r}."
        )
    if len(paddings) != rank:
        raise ValueError(
            f"For '{who}', the length of 'paddings' must be equal to the rank of 'input_x', but "
            f"got {len(paddings)} vs {rank}."
        )
    if any(n < 0 for pair in paddings for n in pair):
        raise ValueError(
            f"For '{who}', all elements of 'paddings' must be >= 0, but got {paddings}."
        )
    return [int(n) for pair in reversed(paddings) for n in pair]


@primitive(
    "Pad",
    samples=("f(2, 3), paddings=((1, 2), (0, 1))",),
    errors=(
        ("f(2, 3), paddings=((1, 2),)", ValueError, "equal to the rank"),
        ("f(2, 3), paddings=((1, 2), (-1, 0))", ValueError, ">= 0"),
    ),
    reference="np.pad(input_x, paddings)",
)
def _pad_primitive(input_x: Tensor, *, paddings: Any) -> Tensor:
    """Put zeros around the input.

    Args:
        input_x (Tensor): any shape.
        paddings (tuple): a pair (before, after) for every axis, the first axis first.

    Returns: Tensor of the input's dtype.
    Raises ValueError: `paddings` does not fit the input.
    Difference from PyTorch: ``torch.nn.functional.pad`` takes the last dimension first.

    >>> print(ms.ops.Pad(((0, 0), (1, 0)))(ms.Tensor([[1.0, 2.0]])))
    [[0. 1. 2.]]
    """
    return F.pad(input_x, _pairs("Pad", paddings, input_x.dim()))


def _mirror_pad(who: str, input_x: Tensor, paddings: Any, mode: str) -> Tensor:
    choice(who, "mode", mode, ("REFLECT", "SYMMETRIC"))
    return _mirrored(who, input_x, _pairs(who, paddings, input_x.dim()), mode.lower())


def _check_mirror(prim: Any) -> None:
    choice("MirrorPad", "mode", prim.mode, ("REFLECT", "SYMMETRIC"))


@op(
    primitive="MirrorPad(mode='REFLECT')",
    setup=_check_mirror,
    samples=("f(2, 3), [[1, 1], [2, 1]], 'REFLECT'", "f(2, 3), [[1, 2], [3, 1]], 'SYMMETRIC'"),
    errors=(
        ("f(2, 3), [[2, 1], [2, 1]], 'REFLECT'", ValueError, "Padding size"),
        ("f(2, 3), [[1, 1], [2, 1]], 'foo'", ValueError, "mode"),
    ),
    reference="np.pad(input_x, paddings, mode.lower())",
)
def mirror_pad(
    input_x: Tensor, paddings: Any, mode: str, *, _op_name: str = "mirror_pad"
) -> Tensor:
    r"""Mirror the input at its borders.

    Args:
        input_x (Tensor): any shape.
        paddings (Tensor): a pair (before, after) for every axis, shape (rank, 2).
        mode (str): ``REFLECT`` (the border once) or ``SYMMETRIC`` (the border twice).

    Returns: Tensor of the input's dtype.
    Raises ValueError: `paddings` does not fit the input, or an unknown mode.
    Difference from PyTorch: ``pad(mode="reflect")`` takes the last dimensions only.

    >>> x, pads = ms.Tensor([1.0, 2.0, 3.0]), ms.Tensor([[2, 0]])
    >>> print(ms.ops.mirror_pad(x, pads, "REFLECT"), ms.ops.mirror_pad(x, pads, "SYMMETRIC"))
    [3. 2. 1. 2. 3.] [2. 1. 1. 2. 3.]
    """
    return _mirror_pad(_op_name, input_x, paddings, mode)


@primitive(
    "PadV3",
    samples=(
        "f(1, 1, 3), [1, 1], 5.0",
        "f(1, 1, 3), [1, 1], None, mode='reflect'",
        "f(1, 2, 3), [1, 1], None, mode='edge'",
        "f(2, 3), [1, 0, 2, 1], 0.0, paddings_contiguous=False",
    ),
    errors=(("f(1, 1, 3), [1, 1], None, mode='foo'", ValueError, "mode"),),
)
def _pad_v3(
    x: Tensor,
    paddings: Any,
    constant_value: Any = None,
    *,
    mode: str = "constant",
    paddings_contiguous: bool = True,
) -> Tensor:
    """Put elements around the input; see ``ops.pad``.

    Args:
        x (Tensor): any shape.
        paddings (Union[Tensor, tuple[int]]): pairs (before, after), the last dimension first.
        constant_value (Union[Tensor, int, float]): for mode ``constant``. Default: None, 0.
        mode (str): ``constant``, ``reflect``, ``edge`` or ``circular``. Default: ``"constant"``.
        paddings_contiguous (bool): whether the two numbers of a pair are neighbours; otherwise all
            of the befores precede the afters. Default: True.

    Returns: Tensor of the input's dtype.
    Raises ValueError: `paddings` does not fit the input, or an unknown mode.
    Difference from PyTorch: see ``ops.pad``.

    >>> print(ms.ops.PadV3()(ms.Tensor([1.0]), ms.Tensor([1, 1]), ms.Tensor(5.0)))
    [5. 1. 5.]
    """
    choice("PadV3", "mode", mode, ("constant", "reflect", "edge", "circular"))
    pads = _flat_pads("PadV3", paddings, x.dim())
    if not boolean("PadV3", "paddings_contiguous", paddings_contiguous):
        half = len(pads) // 2
        pads = [n for pair in zip(pads[:half], pads[half:], strict=True) for n in pair]
    return _pad("PadV3", x, pads, "replicate" if mode == "edge" else mode, constant_value)


@op(
    primitive="Padding(pad_dim_size)",
    samples=("f(2, 1), 4", "f(2, 3, 1)"),
    errors=(
        ("f(2, 2), 4", ValueError, "last dimension"),
        ("f(2, 1), 0", ValueError, "pad_dim_size"),
    ),
)
def padding(x: Tensor, pad_dim_size: int = 8) -> Tensor:
    r"""Fill the last dimension, of size 1, with zeros up to a size.

    Args:
        x (Tensor): last dimension of size 1.
        pad_dim_size (int): the new size. Default: 8.

    Returns: Tensor of the input's dtype.
    Raises ValueError: the last dimension is not 1, or `pad_dim_size` not positive.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.padding(ms.Tensor([[5.0]]), 3))
    [[5. 0. 0.]]
    """
    integer("padding", "pad_dim_size", pad_dim_size, 1)
    if x.dim() < 2 or x.shape[-1] != 1:
        raise ValueError(
            "For 'padding', the input's rank must be at least 2 and its last dimension 1, but got "
            f"shape {tuple(x.shape)}."
        )
    return F.pad(x, (0, pad_dim_size - 1))


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


def _target(who: str, x: Tensor, size: Any, factor: Any, mode: str, recompute: Any) -> list[int]:
    count = x.dim() - 2
    if size is not None:
        if factor is not None:
            raise ValueError(
                f"For '{who}', 'size' and 'scale_factor' cannot be set simultaneously."
            )
        if recompute:
            raise ValueError(
                f"For '{who}', it is incorrect to set 'recompute_scale_factor' to True after "
                "specifying an explicit 'size'."
            )
        sizes = list(size) if isinstance(size, (tuple, list)) else [size] * count
        _check_count(who, "size", sizes, count)
        return [integer(who, f"size[{i}]", n, 1) for i, n in enumerate(sizes)]
    if factor is None:
        raise ValueError(f"For '{who}', 'size' and 'scale_factor' cannot be both empty.")
    factors = list(factor) if isinstance(factor, (tuple, list)) else [factor] * count
    _check_count(who, "scale_factor", factors, count)
    for f in factors:
        if not isinstance(f, float):
            raise TypeError(
                f"For '{who}', the 'scale_factor' must be float, but got '{type(f).__name__}'."
            )
        if f <= 0:
            raise ValueError(
                f"For '{who}', the 'scale_factor' must be float and must > 0, but got '{f}'."
            )
    if not recompute and mode != "area" and x.dim() != 5:
        raise ValueError(
            f"For '{who}', 'scale_factor' option cannot currently be set with the mode = {mode} "
            f"and dim = {x.dim()}D; pass recompute_scale_factor=True, or size."
        )
    return [math.floor(n * f) for n, f in zip(x.shape[2:], factors, strict=True)]


def _check_count(who: str, name: str, values: list[Any], count: int) -> None:
    if len(values) != count:
        raise ValueError(
            f"For '{who}', 'input' and '{name}' must have the same spatial dimensions, but got "
            f"'input' is {count}D, '{name}' is {len(values)}D."
        )


def _interpolate(
    who: str,
    x: Tensor,
    size: Any,
    scale_factor: Any,
    mode: str,
    align_corners: bool | None,
    recompute: bool | None,
) -> Tensor:
    choice(who, "mode", mode, _MODES)
    sizes = _target(who, x, size, scale_factor, mode, recompute)
    if x.dim() not in _MODES[mode]:
        raise ValueError(
            f"For '{who}', {mode} only support '{list(_MODES[mode])}'D, but got {x.dim()}D."
        )
    if align_corners is not None:
        boolean(who, "align_corners", align_corners)
        if mode not in _CORNERS:
            raise ValueError(
                f"For '{who}', 'align_corners' option cannot currently be set with the mode = "
                f"{mode}, and dim = {x.dim()}D."
            )
    if not x.is_floating_point() and not (mode == "nearest" and x.dtype is torch.uint8):
        raise TypeError(
            f"For '{who}', the input must be a floating-point Tensor, but got dtype "
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
        align_corners (bool): whether the corners' centres coincide; for the linear and cubic modes.
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


def _centres(size: int, target: int, align_corners: bool, half_pixel: bool, like: Tensor) -> Tensor:
    """The place in the input of every output element's centre, along one dimension."""
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


def _resize_sizes(who: str, x: Tensor, size: Any) -> tuple[int, ...]:
    if x.dim() != 4:
        raise ValueError(
            f"For '{who}', the rank of the input must be 4, but got {x.dim()} (shape "
            f"{tuple(x.shape)})."
        )
    if isinstance(size, Tensor):
        size = size.tolist()
    if not isinstance(size, (tuple, list)) or len(size) != 2:
        raise ValueError(f"For '{who}', 'size' must be (height, width), but got {size!r}.")
    return int_tuple(who, "size", tuple(size), 2)


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
    """Resample one dimension: every output is a weighted sum of `taps` neighbours.

    Neighbours beyond the ends are the end elements; with `inside` they are left out, and the other
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
    who: str, x: Tensor, size: Any, align_corners: bool, half_pixel_centers: bool
) -> Tensor:
    for axis, target in enumerate(_resize_sizes(who, x, size), 2):
        places = _centres(x.shape[axis], target, align_corners, half_pixel_centers, x)
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
        align_corners (bool): whether the corners' centres coincide. Default: False.
        half_pixel_centers (bool): whether pixels have their centres at half places, as
            ``ops.interpolate`` has it; otherwise place i comes from i times the ratio of sizes.
            Default: False.

    Returns: Tensor of shape (N, C, height, width).
    Raises ValueError: a wrong rank or size, or both flags are True.
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
    """Resize images by bilinear interpolation to a size given at construction.

    Args:
        x (Tensor): shape (N, C, H, W).
        size (Union[tuple[int], list[int]]): (height, width) of the output.
        align_corners (bool): whether the corners' centres coincide. Default: False.
        half_pixel_centers (bool): whether pixels have their centres at half places. Default: False.

    Returns: Tensor of shape (N, C, height, width).
    Raises ValueError: a wrong rank or size, or both flags are True.
    Difference from PyTorch: see ``ops.ResizeBilinearV2``.
    Source: MindSpore before 2.0; removed there since, and kept here for older programs.

    >>> ms.ops.ResizeBilinear((4, 6))(ms.ops.ones((1, 2, 2, 3))).shape
    (1, 2, 4, 6)
    """
    return _resize_bilinear("ResizeBilinear", x, size, align_corners, half_pixel_centers)


def _resize_nearest(
    who: str, x: Tensor, size: Any, align_corners: bool, half_pixel_centers: bool
) -> Tensor:
    for axis, target in enumerate(_resize_sizes(who, x, size), 2):
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
    """Resize images by repeating or leaving out elements.

    Args:
        image (Tensor): shape (N, C, H, W).
        size (Union[tuple[int], Tensor]): (height, width) of the output.
        align_corners (bool): whether the corners' centres coincide. Default: False.
        half_pixel_centers (bool): whether pixels have their centres at half places. Default: False.

    Returns: Tensor of shape (N, C, height, width).
    Raises ValueError: a wrong rank or size, or both flags are True.
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
    """Resize images by repeating or leaving out elements, to a size given at construction.

    Args:
        input_x (Tensor): shape (N, C, H, W).
        size (Union[tuple[int], list[int]]): (height, width) of the output.
        align_corners (bool): whether the corners' centres coincide. Default: False.
        half_pixel_centers (bool): accepted; MindSpore's CPU kernel does not look at it, nor does
            agar. Default: False.

    Returns: Tensor of shape (N, C, height, width).
    Raises ValueError: a wrong rank or size, or both flags are True.
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

    The coefficient is -0.5, and elements beyond the borders are left out, with half pixel centres;
    otherwise it is -0.75, and they are the border's.

    Args:
        image (Tensor): shape (N, C, H, W).
        size (Union[tuple[int], Tensor]): (height, width) of the output.
        align_corners (bool): whether the corners' centres coincide. Default: False.
        half_pixel_centers (bool): whether pixels have their centres at half places. Default: False.

    Returns: Tensor of shape (N, C, height, width).
    Raises ValueError: a wrong rank or size, or both flags are True.
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
        places = _centres(x.shape[axis], target, align_corners, half_pixel, x)
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


# ------------------------------------------------------------- channels, space and batch


@op(
    cast="never",
    mint=("nn.functional.pixel_shuffle",),
    samples=("f(1, 4, 2, 3), 2", "f(9, 1, 1), 3", "f(2, 1, 4, 1, 1), 2"),
    errors=(
        ("f(1, 3, 1, 1), 2", ValueError, "divisible"),
        ("f(4, 1), 2", ValueError, "larger than 2"),
        ("f(1, 4, 1, 1), 0", ValueError, "upscale_factor"),
    ),
)
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    r"""Move channels into space: :math:`(*, C r^2, H, W) \to (*, C, H r, W r)`.

    Args:
        input (Tensor): rank 3 or more; the channels are a multiple of :math:`r^2`.
        upscale_factor (int): :math:`r`.

    Returns: Tensor of the input's dtype.
    Raises TypeError: `upscale_factor` is no int.
    Raises ValueError: the channels are no multiple, or the rank is below 3.
    Source: Shi et al. 2016, "Real-Time Single Image and Video Super-Resolution".

    >>> print(ms.ops.pixel_shuffle(ms.ops.arange(4).reshape((1, 4, 1, 1)), 2))
    [[[[0 1]
       [2 3]]]]
    """
    integer("pixel_shuffle", "upscale_factor", upscale_factor, 1)
    if input.dim() < 3:
        raise ValueError(
            "For 'pixel_shuffle', the dimension of `input` should be larger than 2, but got "
            f"{input.dim()}."
        )
    if input.shape[-3] % upscale_factor**2:
        raise ValueError(
            f"For 'pixel_shuffle', the third to last dimension, {input.shape[-3]}, must be "
            f"divisible by the square of upscale_factor {upscale_factor}."
        )
    return F.pixel_shuffle(input, upscale_factor)


@op(
    cast="never",
    samples=("f(1, 2, 4, 6), 2", "f(1, 3, 3), 3"),
    errors=(
        ("f(1, 1, 3, 2), 2", ValueError, "divisible"),
        ("f(4, 4), 2", ValueError, "larger than 2"),
    ),
)
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    r"""Move space into channels: :math:`(*, C, H r, W r) \to (*, C r^2, H, W)`.

    Args:
        input (Tensor): rank 3 or more; the last two sizes are multiples of :math:`r`.
        downscale_factor (int): :math:`r`.

    Returns: Tensor of the input's dtype.
    Raises TypeError: `downscale_factor` is no int.
    Raises ValueError: the sizes are no multiples, or the rank is below 3.
    Source: Shi et al. 2016, "Real-Time Single Image and Video Super-Resolution".

    >>> ms.ops.pixel_unshuffle(ms.ops.ones((1, 1, 4, 6)), 2).shape
    (1, 4, 2, 3)
    """
    integer("pixel_unshuffle", "downscale_factor", downscale_factor, 1)
    if input.dim() < 3:
        raise ValueError(
            "For 'pixel_unshuffle', the dimension of `input` should be larger than 2, but got "
            f"{input.dim()}."
        )
    if input.shape[-1] % downscale_factor or input.shape[-2] % downscale_factor:
        raise ValueError(
            "For 'pixel_unshuffle', the last two dimensions must be divisible by downscale_factor "
            f"{downscale_factor}, but got shape {tuple(input.shape)}."
        )
    *lead, c, h, w = input.shape
    if input.numel() == 0:  # torch gives another shape there
        rows, columns = h // downscale_factor, w // downscale_factor
        return input.reshape((*lead, c * downscale_factor**2, rows, columns))
    return F.pixel_unshuffle(input, downscale_factor)


@op(
    primitive="ChannelShuffle(group: groups)",
    samples=("f(1, 4, 2, 2), 2", "f(2, 6, 3), 3"),
    errors=(
        ("f(1, 4, 1, 1), 3", ValueError, "divisible"),
        ("f(1, 4, 1, 1), 0", ValueError, "groups"),
        ("f(4), 2", TypeError, "dims"),
    ),
)
def channel_shuffle(x: Tensor, groups: int) -> Tensor:
    r"""Mix the channels of groups: channel :math:`g \cdot C / G + c` goes to :math:`c \cdot G + g`.

    Args:
        x (Tensor): shape :math:`(N, C, *)`.
        groups (int): :math:`G`, a divisor of C.

    Raises TypeError: the rank is below 3, or `groups` no int.
    Raises ValueError: `groups` is not positive, or no divisor of the channels.
    Source: Zhang et al. 2018, "ShuffleNet".

    >>> print(ms.ops.channel_shuffle(ms.ops.arange(4).reshape((1, 4, 1)), 2).reshape(4))
    [0 2 1 3]
    """
    integer("channel_shuffle", "groups", groups, 1)
    if x.dim() < 3:
        raise TypeError(
            f"For 'channel_shuffle', expect input with 3 or more dims, but got {x.dim()}."
        )
    if x.shape[1] % groups:
        raise ValueError(
            "For 'channel_shuffle', number of channels must be divisible by groups, but got "
            f"{x.shape[1]} channels and groups {groups}."
        )
    return x.unflatten(1, (groups, -1)).transpose(1, 2).flatten(1, 2)


def _check_block(prim: Any) -> None:
    integer(prim.name, "block_size", prim.block_size)
    if prim.block_size < 2:
        raise ValueError(
            f"For '{prim.name}', the 'block_size' should be >= 2, but got {prim.block_size}."
        )


def _need_rank_4(who: str, x: Tensor) -> None:
    if x.dim() != 4:
        raise ValueError(
            f"For '{who}', the rank of the input must be 4, but got {x.dim()} (shape "
            f"{tuple(x.shape)})."
        )


@primitive(
    "SpaceToDepth",
    samples=("f(1, 2, 4, 6), block_size=2",),
    errors=(
        ("f(1, 1, 3, 4), block_size=2", ValueError, "divisible"),
        ("f(2, 4), block_size=2", ValueError, "rank"),
        ("f(1, 1, 2, 4), block_size=1", ValueError, "block_size"),
    ),
    setup=_check_block,
)
def _space_to_depth(x: Tensor, *, block_size: int) -> Tensor:
    r"""Move blocks of space into channels: :math:`(N, C, H, W) \to (N, C b^2, H / b, W / b)`.

    Output channel :math:`(i b + j) C + c` has the elements (i, j) of the blocks of channel c.

    Args:
        x (Tensor): shape (N, C, H, W), H and W multiples of b.
        block_size (int): b, at least 2.

    Returns: Tensor of the input's dtype.
    Raises ValueError: a wrong rank, size or block.
    Difference from PyTorch: ``pixel_unshuffle`` orders the channels the other way round.

    >>> ms.ops.SpaceToDepth(2)(ms.ops.ones((1, 3, 4, 6))).shape
    (1, 12, 2, 3)
    """
    _need_rank_4("SpaceToDepth", x)
    n, c, h, w = x.shape
    if h % block_size or w % block_size:
        raise ValueError(
            "For 'SpaceToDepth', height and width must be divisible by block_size "
            f"{block_size}, but got shape {tuple(x.shape)}."
        )
    parts = x.view(n, c, h // block_size, block_size, w // block_size, block_size)
    moved = parts.permute(0, 3, 5, 1, 2, 4)
    return moved.reshape(n, -1, h // block_size, w // block_size)


@primitive(
    "DepthToSpace",
    samples=("f(1, 8, 2, 3), block_size=2",),
    errors=(
        ("f(1, 3, 1, 2), block_size=2", ValueError, "divisible"),
        ("f(2, 4), block_size=2", ValueError, "rank"),
    ),
    setup=_check_block,
)
def _depth_to_space(x: Tensor, *, block_size: int) -> Tensor:
    r"""Move channels into blocks of space: :math:`(N, C b^2, H, W) \to (N, C, H b, W b)`.

    Args:
        x (Tensor): shape (N, C, H, W), C a multiple of the square of b.
        block_size (int): b, at least 2.

    Returns: Tensor of the input's dtype.
    Raises ValueError: a wrong rank, size or block.
    Difference from PyTorch: ``pixel_shuffle`` orders the channels the other way round.

    >>> ms.ops.DepthToSpace(2)(ms.ops.ones((1, 12, 2, 3))).shape
    (1, 3, 4, 6)
    """
    _need_rank_4("DepthToSpace", x)
    n, c, h, w = x.shape
    if c % block_size**2:
        raise ValueError(
            "For 'DepthToSpace', the channels must be divisible by the square of block_size "
            f"{block_size}, but got shape {tuple(x.shape)}."
        )
    parts = x.view(n, block_size, block_size, c // block_size**2, h, w)
    return parts.permute(0, 3, 4, 1, 5, 2).reshape(n, -1, h * block_size, w * block_size)


def _blocks(who: str, block: Any, count: int) -> list[int]:
    sizes = list(block) if isinstance(block, (tuple, list)) else [block] * count
    if len(sizes) > count:
        raise ValueError(f"For '{who}', the block {block} has more dimensions than the input.")
    return [integer(who, "block", b, 1) for b in sizes]


def _edges(who: str, name: str, pairs: Any, count: int) -> list[tuple[int, int]]:
    if isinstance(pairs, Tensor):
        pairs = pairs.tolist()
    if (
        not isinstance(pairs, (tuple, list))
        or len(pairs) != count
        or not all(isinstance(p, (tuple, list)) and len(p) == 2 for p in pairs)
    ):
        raise ValueError(f"For '{who}', '{name}' must have shape ({count}, 2), but got {pairs!r}.")
    return [(integer(who, name, a, 0), integer(who, name, b, 0)) for a, b in pairs]


def _space_to_batch(who: str, x: Tensor, block: Any, paddings: Any) -> Tensor:
    sizes = _blocks(who, block, x.dim() - 1)
    count = len(sizes)
    first = x.dim() - count
    pads = _edges(who, "paddings", paddings, count)
    x = F.pad(x, [n for pair in reversed(pads) for n in pair])
    for n, b in zip(x.shape[first:], sizes, strict=True):
        if n % b:
            raise ValueError(
                f"For '{who}', the padded sizes must be divisible by the block {sizes}, but got "
                f"{tuple(x.shape[first:])}."
            )
    batch, middle = x.shape[0], x.shape[1:first]
    split = [part for n, b in zip(x.shape[first:], sizes, strict=True) for part in (n // b, b)]
    parts = x.reshape(batch, *middle, *split)
    steps = [first + 2 * i + 1 for i in range(count)]
    rest = [first + 2 * i for i in range(count)]
    moved = parts.permute(*steps, 0, *range(1, first), *rest)
    return moved.reshape(batch * math.prod(sizes), *middle, *split[::2])


def _batch_to_space(who: str, x: Tensor, block: Any, crops: Any) -> Tensor:
    sizes = _blocks(who, block, x.dim() - 1)
    count = len(sizes)
    first = x.dim() - count
    cuts = _edges(who, "crops", crops, count)
    if x.shape[0] % math.prod(sizes):
        raise ValueError(
            f"For '{who}', the batch must be divisible by the product of the block {sizes}, but "
            f"got {x.shape[0]}."
        )
    batch, middle, inner = x.shape[0] // math.prod(sizes), x.shape[1:first], x.shape[first:]
    parts = x.reshape(*sizes, batch, *middle, *inner)
    order = [count, *range(count + 1, count + first)]
    for i in range(count):
        order += [count + first + i, i]
    out = parts.permute(*order)
    out = out.reshape(batch, *middle, *(n * b for n, b in zip(inner, sizes, strict=True)))
    for axis, (a, b) in enumerate(cuts, first):
        if a + b >= out.shape[axis] and out.shape[axis]:
            raise ValueError(
                f"For '{who}', the crops {cuts} leave nothing of the sizes {tuple(out.shape)}."
            )
        out = out.narrow(axis, a, out.shape[axis] - a - b)
    return out


@op(
    primitive="SpaceToBatchND(block_shape: block_size, paddings)",
    samples=("f(1, 2, 4, 6), [2, 3], [[0, 0], [0, 0]]", "f(2, 1, 3, 4), [2, 2], [[1, 0], [0, 2]]"),
    errors=(
        ("f(1, 1, 3, 4), [2, 2], [[0, 0], [0, 0]]", ValueError, "divisible"),
        ("f(1, 1, 4, 4), [2, 2], [[0, 0]]", ValueError, "shape (2, 2)"),
    ),
)
def space_to_batch_nd(
    input_x: Tensor, block_size: Any, paddings: Any, *, _op_name: str = "space_to_batch_nd"
) -> Tensor:
    r"""Move blocks of the last dimensions into the batch.

    Args:
        input_x (Tensor): shape :math:`(N, C, *)`.
        block_size (Union[list[int], tuple[int], int]): sizes of a block, for the last dimensions.
        paddings (Union[list, tuple]): zeros (before, after) each of them.

    Returns: Tensor whose batch is larger by the size of a block.
    Raises ValueError: the padded sizes are no multiples of the block.
    Difference from PyTorch: no counterpart.

    >>> x = ms.ops.arange(4).reshape((1, 1, 2, 2))
    >>> print(ms.ops.space_to_batch_nd(x, [2, 2], [[0, 0], [0, 0]]).reshape(4))
    [0 1 2 3]
    """
    return _space_to_batch(_op_name, input_x, block_size, paddings)


@op(
    primitive="BatchToSpaceND(block_shape, crops)",
    samples=("f(6, 2, 2, 2), [2, 3], [[0, 0], [0, 0]]", "f(4, 1, 2, 3), [2, 2], [[1, 0], [0, 2]]"),
    errors=(
        ("f(3, 1, 2, 2), [2, 2], [[0, 0], [0, 0]]", ValueError, "divisible"),
        ("f(4, 1, 1, 1), [2, 2], [[1, 1], [0, 0]]", ValueError, "leave nothing"),
    ),
)
def batch_to_space_nd(
    input_x: Tensor, block_shape: Any, crops: Any, *, _op_name: str = "batch_to_space_nd"
) -> Tensor:
    r"""Move parts of the batch into blocks of the last dimensions.

    It undoes ``ops.space_to_batch_nd``.

    Args:
        input_x (Tensor): shape :math:`(N, C, *)`.
        block_shape (Union[list[int], tuple[int], int]): sizes of a block, for the last dimensions.
        crops (Union[list, tuple]): how much is cut (before, after) in each of them.

    Returns: Tensor whose batch is smaller by the size of a block.
    Raises ValueError: the batch is no multiple of the block, or the crops leave nothing.
    Difference from PyTorch: no counterpart.

    >>> x = ms.ops.arange(4).reshape((4, 1, 1, 1))
    >>> print(ms.ops.batch_to_space_nd(x, [2, 2], [[0, 0], [0, 0]]))
    [[[[0 1]
       [2 3]]]]
    """
    return _batch_to_space(_op_name, input_x, block_shape, crops)


@primitive(
    "SpaceToBatch",
    samples=("f(1, 2, 4, 6), block_size=2, paddings=[[0, 0], [0, 0]]",),
    errors=(
        ("f(1, 2, 3, 4), block_size=2, paddings=[[0, 0], [0, 0]]", ValueError, "divisible"),
        ("f(1, 2, 4, 4), block_size=1, paddings=[[0, 0], [0, 0]]", ValueError, "block_size"),
        ("f(2, 4, 4), block_size=2, paddings=[[0, 0], [0, 0]]", ValueError, "rank"),
    ),
    setup=_check_block,
)
def _space_to_batch_primitive(input_x: Tensor, *, block_size: int, paddings: Any) -> Tensor:
    """Move square blocks of images into the batch; see ``ops.space_to_batch_nd``.

    Args:
        input_x (Tensor): shape (N, C, H, W).
        block_size (int): size of a block, at least 2.
        paddings (Union[list, tuple]): zeros (before, after) height and width.

    Returns: Tensor whose batch is larger by the square of `block_size`.
    Difference from PyTorch: no counterpart.
    Source: agar's own; MindSpore 2.10 has no CPU kernel.

    >>> ms.ops.SpaceToBatch(2, [[0, 0], [0, 0]])(ms.ops.ones((1, 3, 4, 6))).shape
    (4, 3, 2, 3)
    """
    _need_rank_4("SpaceToBatch", input_x)
    return _space_to_batch("SpaceToBatch", input_x, [block_size] * 2, paddings)


@primitive(
    "BatchToSpace",
    samples=("f(4, 2, 2, 3), block_size=2, crops=[[0, 0], [0, 0]]",),
    errors=(
        ("f(3, 2, 2, 2), block_size=2, crops=[[0, 0], [0, 0]]", ValueError, "batch"),
        ("f(4, 2, 2, 2), block_size=1, crops=[[0, 0], [0, 0]]", ValueError, "block_size"),
        ("f(4, 2, 2), block_size=2, crops=[[0, 0], [0, 0]]", ValueError, "rank"),
    ),
    setup=_check_block,
)
def _batch_to_space_primitive(input_x: Tensor, *, block_size: int, crops: Any) -> Tensor:
    """Move parts of the batch into square blocks of images; see ``ops.batch_to_space_nd``.

    Args:
        input_x (Tensor): shape (N, C, H, W).
        block_size (int): size of a block, at least 2.
        crops (Union[list, tuple]): how much is cut (before, after) height and width.

    Returns: Tensor whose batch is smaller by the square of `block_size`.
    Difference from PyTorch: no counterpart.
    Source: agar's own; MindSpore 2.10 has no CPU kernel.

    >>> ms.ops.BatchToSpace(2, [[0, 0], [0, 0]])(ms.ops.ones((4, 3, 2, 3))).shape
    (1, 3, 4, 6)
    """
    _need_rank_4("BatchToSpace", input_x)
    return _batch_to_space("BatchToSpace", input_x, [block_size] * 2, crops)


# -------------------------------------------------------------------------------- patches


def _patch_options(
    who: str, kernel_size: Any, dilation: Any, padding: Any, stride: Any
) -> tuple[tuple[int, ...], ...]:
    return (
        int_tuple(who, "kernel_size", kernel_size, 2),
        int_tuple(who, "dilation", dilation, 2),
        int_tuple(who, "padding", padding, 2, 0),
        int_tuple(who, "stride", stride, 2),
    )


def _unfold(who: str, x: Tensor, options: tuple[tuple[int, ...], ...]) -> Tensor:
    kernel, dilation, pads, stride = options
    for n, k, d, p in zip(x.shape[2:], kernel, dilation, pads, strict=True):
        if n + 2 * p < d * (k - 1) + 1:
            raise ValueError(
                f"For '{who}', the kernel {kernel} with dilation {dilation} is larger than the "
                f"padded input of shape {tuple(x.shape)}: no patch fits."
            )
    return F.unfold(x, kernel, dilation, pads, stride)


@op(
    method=True,
    mint=("nn.functional.unfold",),
    samples=("f(1, 2, 3, 4), 2", "f(2, 1, 4, 4), (2, 1), 1, (1, 0), 2"),
    errors=(
        ("f(3, 3), 2", ValueError, "must be equal to 4"),
        ("f(1, 1, 3, 3), 5", ValueError, "no patch fits"),
        ("f(1, 1, 3, 3), 0", ValueError, "kernel_size"),
    ),
)
def unfold(
    input: Tensor,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    r"""Patches of images as columns.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)`.
        kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
        dilation (Union[int, tuple[int], list[int]]): distance between its elements. Default: 1.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides. Default: 0.
        stride (Union[int, tuple[int], list[int]]): step from patch to patch. Default: 1.

    Returns: Tensor of shape :math:`(N, C \cdot K_h K_w, patches)`.
    Raises ValueError: the rank is not 4, or no patch fits.
    Difference from PyTorch: none, but for inputs without a batch dimension.

    >>> ms.ops.unfold(ms.ops.ones((1, 3, 4, 4)), 2).shape
    (1, 12, 9)
    """
    if input.dim() != 4:
        raise ValueError(
            f"For 'unfold', the dimension of input x must be equal to 4, but got {input.dim()}."
        )
    return _unfold(
        "unfold", input, _patch_options("unfold", kernel_size, dilation, padding, stride)
    )


def _fold_size(who: str, output_size: Any) -> tuple[int, ...]:
    if isinstance(output_size, Tensor):
        output_size = output_size.tolist()
    return int_tuple(who, "output_size", output_size, 2)


def _fold(
    who: str, columns: Tensor, output_size: Any, options: tuple[tuple[int, ...], ...]
) -> Tensor:
    kernel, dilation, pads, stride = options
    size = _fold_size(who, output_size)
    patches = math.prod(
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, d, p, s in zip(size, kernel, dilation, pads, stride, strict=True)
    )
    if columns.shape[-2] % math.prod(kernel) or columns.shape[-1] != patches:
        raise ValueError(
            f"For '{who}', an output of size {size} has {patches} patches of "
            f"{math.prod(kernel)} elements for each channel, but got an input of shape "
            f"{tuple(columns.shape)}."
        )
    return F.fold(columns, size, kernel, dilation, pads, stride)


@op(
    method=True,
    mint=("nn.functional.fold",),
    samples=("f(1, 4, 4), (3, 3), 2", "f(8, 9), (4, 4), 2"),
    errors=(
        ("f(1, 4, 3), (3, 3), 2", ValueError, "patches"),
        ("f(4), (3, 3), 2", ValueError, "rank"),
    ),
)
def fold(
    input: Tensor,
    output_size: Any,
    kernel_size: int | Sequence[int],
    dilation: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
) -> Tensor:
    r"""Add columns up to images, each at the place of its patch; the transpose of ``ops.unfold``.

    Args:
        input (Tensor): shape :math:`(N, C \cdot K_h K_w, patches)`, or without N.
        output_size (Union[Tensor, tuple[int], list[int]]): height and width of the output.
        kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
        dilation (Union[int, tuple[int], list[int]]): distance between its elements. Default: 1.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides. Default: 0.
        stride (Union[int, tuple[int], list[int]]): step from patch to patch. Default: 1.

    Returns: Tensor of shape :math:`(N, C, H, W)`.
    Raises ValueError: the input's shape does not belong to such an output.

    >>> print(ms.ops.fold(ms.ops.ones((1, 4, 4)), (3, 3), 2))
    [[[[1. 2. 1.]
       [2. 4. 2.]
       [1. 2. 1.]]]]
    """
    if input.dim() not in (2, 3):
        raise ValueError(
            f"For 'fold', the rank of the input must be 2 or 3, but got {input.dim()}."
        )
    return _fold(
        "fold", input, output_size, _patch_options("fold", kernel_size, dilation, padding, stride)
    )


@op(
    method=True,
    samples=("f(1, 2, 4, 4), (3, 3), (2, 2), (1, 1), (0, 0), (1, 1)",),
    errors=(("f(1, 4, 4), (3, 3), 2, 1, 0, 1", ValueError, "must be 4"),),
)
def col2im(
    input_x: Tensor,
    output_size: Any,
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding_value: Sequence[int],
    stride: Sequence[int],
) -> Tensor:
    r"""Add columns up to images; see ``ops.fold``.

    Args:
        input_x (Tensor): shape :math:`(N, C, K_h K_w, patches)`.
        output_size (Union[Tensor, tuple[int]]): height and width of the output.
        kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
        dilation (Union[int, tuple[int], list[int]]): distance between its elements.
        padding_value (Union[int, tuple[int], list[int]]): zeros on both sides.
        stride (Union[int, tuple[int], list[int]]): step from patch to patch.

    Returns: Tensor of shape :math:`(N, C, H, W)`.
    Raises ValueError: the input's shape does not belong to such an output.
    Difference from PyTorch: ``fold`` takes channels and patch elements in one dimension.

    >>> x = ms.ops.ones((1, 1, 4, 4))
    >>> ms.ops.col2im(x, (3, 3), (2, 2), (1, 1), (0, 0), (1, 1)).shape
    (1, 1, 3, 3)
    """
    _need_rank_4("col2im", input_x)
    options = _patch_options("col2im", kernel_size, dilation, padding_value, stride)
    return _fold("col2im", input_x.flatten(1, 2), output_size, options)


@primitive(
    "Col2Im",
    samples=("f(1, 2, 4, 4), (3, 3), kernel_size=(2, 2)",),
    errors=(("f(1, 4, 4), (3, 3), kernel_size=2", ValueError, "must be 4"),),
)
def _col2im_primitive(
    x: Tensor,
    output_size: Any,
    *,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """Add columns up to images; see ``ops.col2im``.

    Args:
        x (Tensor): shape (N, C, K_h * K_w, patches).
        output_size (Union[Tensor, tuple[int]]): height and width of the output.
        kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
        dilation (Union[int, tuple[int], list[int]]): distance between its elements. Default: 1.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides. Default: 0.
        stride (Union[int, tuple[int], list[int]]): step from patch to patch. Default: 1.

    Returns: Tensor of shape (N, C, H, W).
    Raises ValueError: the input's shape does not belong to such an output.
    Difference from PyTorch: ``torch.nn.functional.fold`` is a function.

    >>> ms.ops.Col2Im(2)(ms.ops.ones((1, 1, 4, 4)), (3, 3)).shape
    (1, 1, 3, 3)
    """
    return col2im(x, output_size, kernel_size, dilation, padding, stride)


@primitive(
    "Im2Col",
    samples=("f(1, 2, 3, 4), ksizes=2", "f(1, 1, 4, 4), ksizes=[2, 1], strides=2, pads=1"),
    errors=(("f(3, 3), ksizes=2", ValueError, "must be 4"),),
)
def _im2col(
    x: Tensor, *, ksizes: Any, strides: Any = 1, dilations: Any = 1, pads: Any = 0
) -> Tensor:
    """Patches of images as columns; see ``ops.unfold``.

    Args:
        x (Tensor): shape (N, C, H, W).
        ksizes (Union[int, tuple[int], list[int]]): size of a patch.
        strides (Union[int, tuple[int], list[int]]): step from patch to patch. Default: 1.
        dilations (Union[int, tuple[int], list[int]]): distance between its elements. Default: 1.
        pads (Union[int, tuple[int], list[int]]): zeros on both sides. Default: 0.

    Returns: Tensor of shape (N, C, K_h * K_w, patches).
    Raises ValueError: the rank is not 4, or no patch fits.
    Difference from PyTorch: ``unfold`` joins channels and patch elements.

    >>> ms.ops.Im2Col(2)(ms.ops.ones((1, 3, 4, 4))).shape
    (1, 3, 4, 9)
    """
    _need_rank_4("Im2Col", x)
    columns = _unfold("Im2Col", x, _patch_options("Im2Col", ksizes, dilations, pads, strides))
    return columns.unflatten(1, (x.shape[1], -1))


@primitive(
    "ExtractImagePatches",
    samples=(
        "f(1, 2, 4, 4), ksizes=(1, 1, 2, 2), strides=(1, 1, 1, 1), rates=(1, 1, 1, 1)",
        "f(1, 2, 5, 4), ksizes=(1, 1, 2, 3), strides=(1, 1, 2, 1), rates=(1, 1, 1, 1), "
        "padding='SAME'",
    ),
    errors=(
        (
            "f(4, 4), ksizes=(1, 1, 2, 2), strides=(1, 1, 1, 1), rates=(1, 1, 1, 1)",
            ValueError,
            "must be 4",
        ),
    ),
)
def _extract_image_patches(
    input_x: Tensor, *, ksizes: Any, strides: Any, rates: Any, padding: str = "VALID"
) -> Tensor:
    """Patches of images as channels.

    Args:
        input_x (Tensor): shape (N, C, H, W).
        ksizes (Union[tuple[int], list[int]]): size of a patch, (1, 1, rows, columns).
        strides (Union[tuple[int], list[int]]): step from patch to patch, (1, 1, rows, columns).
        rates (Union[tuple[int], list[int]]): distance between the elements of a patch,
            (1, 1, rows, columns).
        padding (str): ``VALID`` or ``SAME``. Default: ``"VALID"``.

    Returns: Tensor of shape (N, rows * columns * C, H_out, W_out).
    Raises ValueError: the rank is not 4, no patch fits, or an unknown padding.
    Difference from PyTorch: ``unfold`` puts the channel first and joins the places.
    Source: agar's own; MindSpore 2.10 has no CPU kernel.

    >>> op = ms.ops.ExtractImagePatches((1, 1, 2, 2), (1, 1, 1, 1), (1, 1, 1, 1))
    >>> op(ms.ops.ones((1, 3, 4, 4))).shape
    (1, 12, 3, 3)
    """
    who = "ExtractImagePatches"
    _need_rank_4(who, input_x)
    choice(who, "padding", padding, ("VALID", "SAME"))
    kernel, stride, spread = (tuple(v)[-2:] for v in (ksizes, strides, rates))
    x = input_x
    if padding == "SAME":
        sides = [
            same_padding(n, k, s, d)
            for n, k, s, d in zip(x.shape[2:], kernel, stride, spread, strict=True)
        ]
        x = F.pad(x, [n for pair in reversed(sides) for n in pair])
    columns = _unfold(who, x, _patch_options(who, kernel, spread, 0, stride))
    sizes = [
        (n - d * (k - 1) - 1) // s + 1
        for n, k, s, d in zip(x.shape[2:], kernel, stride, spread, strict=True)
    ]
    patches = columns.unflatten(1, (x.shape[1], -1)).transpose(1, 2)
    return patches.flatten(1, 2).unflatten(2, sizes)


def _check_volume_patches(prim: Any) -> None:
    choice(prim.name, "padding", prim.padding, ("VALID", "SAME"))
    for name in ("kernel_size", "strides"):
        value = getattr(prim, name)
        if isinstance(value, (tuple, list)) and len(value) == 5:
            if tuple(value[:2]) != (1, 1):
                raise ValueError(
                    f"For '{prim.name}', '{name}' must be 1 over batch and channels, but got "
                    f"{value!r}."
                )
            value = tuple(value[2:])
        value = (1, 1, *int_tuple(prim.name, name, value, 3))
        setattr(prim, name, value)
        prim.add_prim_attr(name, value)


@primitive(
    "ExtractVolumePatches",
    samples=(
        "f(1, 2, 3, 4, 3), kernel_size=2, strides=1, padding='VALID'",
        "f(2, 1, 3, 4, 3), kernel_size=[1, 1, 2, 3, 2], strides=[1, 1, 2, 2, 1], padding='SAME'",
    ),
    errors=(
        ("f(2, 3, 4), kernel_size=2, strides=1, padding='VALID'", ValueError, "5"),
        ("f(1, 1, 2, 2, 2), kernel_size=3, strides=1, padding='VALID'", ValueError, "fit"),
        ("f(1, 1, 2, 2, 2), kernel_size=2, strides=1, padding='X'", ValueError, "padding"),
        (
            "f(1, 1, 2, 2, 2), kernel_size=(1, 2, 2, 2, 2), strides=1, padding='SAME'",
            ValueError,
            "kernel_size",
        ),
    ),
    setup=_check_volume_patches,
)
def _extract_volume_patches(
    input_x: Tensor, *, kernel_size: Any, strides: Any, padding: str
) -> Tensor:
    """Patches of volumes as channels.

    Args:
        input_x (Tensor): shape (N, C, D, H, W).
        kernel_size (Union[int, tuple[int], list[int]]): size of a patch: one number, three, or
            five that begin with two ones.
        strides (Union[int, tuple[int], list[int]]): step from patch to patch, in the same forms.
        padding (str): ``VALID``, or ``SAME``: zeros around, so that every step has its patch.

    Returns: Tensor of shape (N, elements of a patch * C, D_out, H_out, W_out), the channel fastest.
    Raises TypeError: a size is no int.
    Raises ValueError: the rank is not 5, a wrong size, no patch fits, or an unknown padding.
    Difference from PyTorch: PyTorch has ``Tensor.unfold`` for one dimension.

    >>> op = ms.ops.ExtractVolumePatches(2, 1, "VALID")
    >>> op(ms.ops.ones((1, 3, 4, 4, 4))).shape
    (1, 24, 3, 3, 3)
    """
    who = "ExtractVolumePatches"
    if input_x.dim() != 5:
        raise ValueError(
            f"For '{who}', the rank of the input must be 5, but got {input_x.dim()} (shape "
            f"{tuple(input_x.shape)})."
        )
    x, kernel, stride = input_x, kernel_size[2:], strides[2:]
    if padding == "SAME":
        sides = [
            same_padding(n, k, s, 1) for n, k, s in zip(x.shape[2:], kernel, stride, strict=True)
        ]
        x = F.pad(x, [n for pair in reversed(sides) for n in pair])
    if any(k > n for k, n in zip(kernel, x.shape[2:], strict=True)):
        raise ValueError(
            f"For '{who}', a patch of size {kernel} does not fit into {tuple(x.shape[2:])}."
        )
    for axis, (k, s) in enumerate(zip(kernel, stride, strict=True), 2):
        x = x.unfold(axis, k, s)
    # from N, C, three places, three elements to N, three elements, C, three places
    return x.permute(0, 5, 6, 7, 1, 2, 3, 4).flatten(1, 4)
