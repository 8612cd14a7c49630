"""Patches of images as Ascend's THOR kernels lay them out."""

from __future__ import annotations

import math
from typing import Any

import torch.nn.functional as F
from torch import Tensor

from agar._core.optable import Primitive
from agar.ops._checks import choice, integer
from agar.ops.ascend.thor import check_rank
from agar.ops.spec import primitive

__all__: list[str] = []


# ------------------------------------------------------------------------------------ layout


@primitive(
    "CusTranspose02314",
    samples=("f(2, 3, 4, 5, 2)", "f(2, 32, 3, 4)"),
    errors=(("f(2, 3)", ValueError, "5-D"), ("f(2, 20, 3, 4)", ValueError, "16")),
    differentiable=False,  # declared without gradient
)
def _cus_transpose02314(x1: Tensor) -> Tensor:
    """Axes in the order (0, 2, 3, 1, 4).

    An image batch of shape (N, C, H, W) counts as (N, C / 16, H, W, 16) and becomes a matrix of
    shape (N * H * W, C). The gradient is zero.

    Inputs:
        - **x1** (Tensor) - 5-D, or 4-D with C less than 16 or a multiple of it.

    Outputs: Tensor, 5-D or 2-D.
    Raises ValueError: the rank or C does not fit.
    Difference from PyTorch: ``x.permute(0, 2, 3, 1, 4)``.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> print(ms.ops.operations.CusTranspose02314()(ms.ops.ones((2, 1, 3, 4, 16))).shape)
    (2, 3, 4, 1, 16)
    """
    op_name = "CusTranspose02314"
    check_rank(op_name, "x1", x1, 4, 5)
    if x1.ndim == 5:
        return x1.detach().permute(0, 2, 3, 1, 4).contiguous()
    image = _whole_channels(op_name, x1.detach())
    return image.permute(0, 2, 3, 1).reshape(-1, image.shape[1])


def _whole_channels(op_name: str, x: Tensor) -> Tensor:
    """An image batch whose channels are a multiple of 16; fewer than 16 are padded with zero."""
    channels = x.shape[1]
    if channels > 16 and channels % 16:
        raise ValueError(
            f"For '{op_name}', the number of channels must be less than 16 or a multiple of it, "
            f"but got {channels}."
        )
    return F.pad(x, (0, 0, 0, 0, 0, 16 - channels)) if channels < 16 else x


def _patches(x: Tensor, size: Any, stride: Any, dilation: Any, before: Any, after: Any) -> Tensor:
    """Patches of an image batch, shape (N, C, kh, kw, H', W')."""
    padded = F.pad(x, (before[1], after[1], before[0], after[0]))
    result = padded
    for axis in (2, 3):
        reach = dilation[axis - 2] * (size[axis - 2] - 1) + 1
        result = result.unfold(axis, reach, stride[axis - 2])
    result = result[..., :: dilation[0], :: dilation[1]]
    return result.permute(0, 1, 4, 5, 2, 3)


def _same_padding(x: Tensor, size: Any, stride: Any, dilation: Any) -> tuple[list[int], list[int]]:
    """Zeros before and behind both axes, so that the outputs are ceil(input / stride)."""
    before, after = [], []
    for length, k, s, d in zip(x.shape[2:], size, stride, dilation, strict=True):
        needed = max(0, (math.ceil(length / s) - 1) * s + d * (k - 1) + 1 - length)
        before.append(needed // 2)
        after.append(needed - needed // 2)
    return before, after


def _pair(op_name: str, name: str, value: Any) -> tuple[int, int]:
    """An int for both axes, two ints, or four of which the middle ones count."""
    if isinstance(value, int):
        return integer(op_name, name, value, 1), value
    if isinstance(value, (tuple, list)) and len(value) in (2, 4):
        height, width = value if len(value) == 2 else value[1:3]
        return integer(op_name, name, height, 1), integer(op_name, name, width, 1)
    raise ValueError(
        f"For '{op_name}', '{name}' must be an int or a tuple of two or four ints, but got "
        f"{value!r}."
    )


def _check_patches(instance: Primitive) -> None:
    for name in ("ksizes", "strides", "dilates", "dilations"):
        if name in instance.attrs:
            _pair(instance.name, name, instance.attrs[name])
    if instance.name == "CusImg2Col":
        choice(instance.name, "mode", instance.mode, ("NC1HWC0",))
    elif instance.name == "LoadIm2Col":
        choice(instance.name, "pad_mode", instance.pad_mode, ("same",))
    else:
        choice(instance.name, "padding_mode", instance.padding_mode, ("VALID", "SAME"))


@primitive(
    "CusImg2Col",
    samples=(
        "f(2, 3, 4, 4), ksizes=(1, 3, 3, 1), strides=(1, 1, 1, 1)",
        "f(1, 32, 5, 4), ksizes=(1, 1, 1, 1), strides=(1, 2, 2, 1)",
    ),
    errors=(
        ("f(2, 3), ksizes=(1, 3, 3, 1), strides=(1, 1, 1, 1)", ValueError, "4-D"),
        (
            "f(2, 3, 4, 4), ksizes=(1, 3, 3, 1), strides=(1, 1, 1, 1), mode='NCHW'",
            ValueError,
            "mode",
        ),
    ),
    setup=_check_patches,
)
def _cus_img2col(
    x1: Tensor, *, ksizes: Any, strides: Any, dilates: Any = (1, 1, 1, 1), mode: str = "NC1HWC0"
) -> Tensor:
    """Patches of images as the rows of a matrix.

    The columns are in the order (C / 16, kernel height, kernel width, 16); fewer than 16 channels
    count as 16. There are :math:`(k - 1) / 2` zeros on each side, and H / stride rows of patches.

    Attributes:
        ksizes (tuple): (1, height, width, 1) of the kernel.
        strides (tuple): (1, height, width, 1).
        dilates (tuple): (1, height, width, 1). Default: (1, 1, 1, 1).
        mode (str): must be ``"NC1HWC0"``. Default: ``"NC1HWC0"``.

    Inputs:
        - **x1** (Tensor) - shape (N, C, H, W); C less than 16 or a multiple of it.

    Outputs: Tensor of shape (N * H' * W', C * kernel height * kernel width).
    Raises ValueError: an attribute, the rank or C does not fit.
    Difference from PyTorch: ``torch.nn.functional.unfold`` has patches as columns.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> columns = ms.ops.operations.CusImg2Col((1, 3, 3, 1), (1, 2, 2, 1))
    >>> print(columns(ms.ops.ones((2, 3, 8, 8), ms.float16)).shape)
    (32, 144)
    """
    op_name = "CusImg2Col"
    check_rank(op_name, "x1", x1, 4)
    size, stride = _pair(op_name, "ksizes", ksizes), _pair(op_name, "strides", strides)
    dilation = _pair(op_name, "dilates", dilates)
    image = _whole_channels(op_name, x1)
    side = [(k - 1) * d // 2 for k, d in zip(size, dilation, strict=True)]
    rest = [(k - 1) * d - s for k, d, s in zip(size, dilation, side, strict=True)]
    result = _patches(image, size, stride, dilation, side, rest)
    height, width = (length // s for length, s in zip(image.shape[2:], stride, strict=True))
    result = result[..., :height, :width]
    split = result.unflatten(1, (-1, 16)).permute(0, 5, 6, 1, 3, 4, 2)
    return split.reshape(len(x1) * height * width, -1)


def _check_thor_patches(instance: Primitive) -> None:
    for name in ("kernel_size", "stride", "dilation"):
        _four(instance.name, name, instance.attrs[name])
    choice(instance.name, "pad_mode", instance.pad_mode, ("valid", "same", "pad"))
    if instance.pad_mode != "pad" and instance.pad != 0:
        raise ValueError(
            f"For '{instance.name}', 'pad' must be 0 when 'pad_mode' is '{instance.pad_mode}', but "
            f"got {instance.pad}."
        )
    integer(instance.name, "pad", instance.pad, 0)


def _four(op_name: str, name: str, value: Any) -> tuple[int, int]:
    """An int for both axes, two ints, or four of which the last ones count."""
    last = value[2:] if isinstance(value, (tuple, list)) and len(value) == 4 else value
    return _pair(op_name, name, last)


@primitive(
    "ThorIm2Col",
    samples=(
        "f(2, 3, 4, 4), kernel_size=3, pad_mode='same', stride=2",
        "f(1, 2, 5, 6), kernel_size=(2, 3)",
        "f(1, 2, 5, 6), kernel_size=3, pad_mode='pad', pad=1, dilation=(1, 1, 2, 2)",
    ),
    errors=(
        ("f(2, 3), kernel_size=3", ValueError, "4-D"),
        ("f(2, 3, 4, 4), kernel_size=3, pad=1", ValueError, "pad"),
    ),
    setup=_check_thor_patches,
)
def _thor_im2col(
    x: Tensor,
    *,
    kernel_size: Any,
    pad_mode: str = "valid",
    pad: int = 0,
    stride: Any = 1,
    dilation: Any = 1,
) -> Tensor:
    """Patches of images, with the pixels of a patch on the leading axes.

    Attributes:
        kernel_size (Union[int, tuple]): height and width of the kernel.
        pad_mode (str): ``"valid"`` for patches inside the image, ``"same"`` for as many as pixels,
            divided by the stride and rounded up, ``"pad"`` for `pad` zeros on each side.
            Default: ``"valid"``.
        pad (int): see `pad_mode`. Default: 0.
        stride (Union[int, tuple]): the distance of patches. Default: 1.
        dilation (Union[int, tuple]): the distance of a patch's pixels. Default: 1.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W).

    Outputs: Tensor of shape (C, kernel height, kernel width, N, H', W').
    Raises ValueError: an attribute or the rank does not fit.
    Difference from PyTorch: ``torch.nn.functional.unfold`` has another order of axes.
    Source: MindSpore 2.10's documentation; it has a kernel for GPU only.

    >>> columns = ms.ops.operations._thor_ops.ThorIm2Col(3, pad_mode="same", stride=2)
    >>> print(columns(ms.ops.ones((2, 3, 8, 8))).shape)
    (3, 3, 3, 2, 4, 4)
    """
    op_name = "ThorIm2Col"
    check_rank(op_name, "x", x, 4)
    size, step = _four(op_name, "kernel_size", kernel_size), _four(op_name, "stride", stride)
    gap = _four(op_name, "dilation", dilation)
    before, after = [pad, pad], [pad, pad]
    if pad_mode == "same":
        before, after = _same_padding(x, size, step, gap)
    return _patches(x, size, step, gap, before, after).permute(1, 2, 3, 0, 4, 5)


@primitive(
    "NewIm2Col",
    samples=(
        "f(2, 3, 4, 4), ksizes=(3, 3)",
        "f(1, 2, 5, 6), ksizes=(2, 3), strides=2, padding_mode='VALID'",
        "f(1, 2, 5, 6), ksizes=(2, 2), dilations=2",
    ),
    errors=(
        ("f(2, 3), ksizes=(3, 3)", ValueError, "4-D"),
        ("f(2, 3, 4, 4), ksizes=(3, 3), padding_mode='same'", ValueError, "padding_mode"),
    ),
    setup=_check_patches,
)
def _new_im2col(
    x: Tensor,
    *,
    ksizes: Any,
    padding_mode: str = "SAME",
    strides: Any = 1,
    dilations: Any = 1,
    pads: Any = 0,
) -> Tensor:
    """Patches of images as vectors in the order (kernel height, kernel width, C).

    Attributes:
        ksizes (tuple): height and width of the kernel.
        padding_mode (str): ``"SAME"`` for as many patches as pixels, divided by the stride and
            rounded up; ``"VALID"`` for those inside the image. Default: ``"SAME"``.
        strides (int): the distance of patches. Default: 1.
        dilations (int): the distance of a patch's pixels. Default: 1.
        pads (int): accepted for compatibility; `padding_mode` decides. Default: 0.

    Inputs:
        - **x** (Tensor) - shape (N, C, H, W).

    Outputs: Tensor of shape (N, H', W', C * kernel height * kernel width).
    Raises ValueError: an attribute or the rank does not fit.
    Difference from PyTorch: ``torch.nn.functional.unfold`` has the order (C, height, width).
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> columns = ms.ops.operations.NewIm2Col((3, 3), strides=2)
    >>> print(columns(ms.ops.ones((2, 3, 8, 8), ms.float16)).shape)
    (2, 4, 4, 27)
    """
    op_name = "NewIm2Col"
    check_rank(op_name, "x", x, 4)
    size, stride = _pair(op_name, "ksizes", ksizes), _pair(op_name, "strides", strides)
    dilation = _pair(op_name, "dilations", dilations)
    before, after = [0, 0], [0, 0]
    if padding_mode == "SAME":
        before, after = _same_padding(x, size, stride, dilation)
    result = _patches(x, size, stride, dilation, before, after)
    return result.permute(0, 4, 5, 2, 3, 1).flatten(3)


@primitive(
    "LoadIm2Col",
    samples=(
        "f(2, 16, 4, 4), ksizes=(3, 3), strides=(1, 1)",
        "f(2, 16, 4, 2), ksizes=(1, 1), strides=(1, 1)",
    ),
    errors=(
        ("f(2, 3, 4, 4), ksizes=(3, 3), strides=(1, 1)", ValueError, "16"),
        ("f(1, 16, 3, 3), ksizes=(3, 3), strides=(1, 1)", ValueError, "16"),
        ("f(2, 16, 4, 4), ksizes=(3, 3), strides=(1, 1), pad_mode='valid'", ValueError, "pad_mode"),
    ),
    setup=_check_patches,
)
def _load_im2col(
    x1: Tensor, *, ksizes: Any, strides: Any, pad_mode: str = "same", dilates: Any = (1, 1, 1, 1)
) -> Tensor:
    """Patches of images as a matrix in blocks of 16 by 16.

    Rows are patches, columns are in the order (C / 16, kernel height, kernel width, 16). There are
    as many patches as pixels, divided by the stride and rounded up.

    Attributes:
        ksizes (tuple): height and width of the kernel.
        strides (tuple): the distance of patches.
        pad_mode (str): must be ``"same"``. Default: ``"same"``.
        dilates (tuple): accepted for compatibility; patches are dense. Default: (1, 1, 1, 1).

    Inputs:
        - **x1** (Tensor) - shape (N, C, H, W); C a multiple of 16.

    Outputs: Tensor of shape (N, m / 16, K / 16, 16, 16) with m patches of an image and K columns,
        or of shape (N * m / 16, K / 16, 16, 16) where m is not a multiple of 16.
    Raises ValueError: an attribute, the rank, C or the number of patches does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> columns = ms.ops.operations.LoadIm2Col((3, 3), (1, 1))
    >>> print(columns(ms.ops.ones((2, 16, 4, 4), ms.float16)).shape)
    (2, 1, 9, 16, 16)
    """
    op_name = "LoadIm2Col"
    check_rank(op_name, "x1", x1, 4)
    size, stride = _pair(op_name, "ksizes", ksizes), _pair(op_name, "strides", strides)
    count, channels = x1.shape[:2]
    if channels % 16:
        raise ValueError(
            f"For '{op_name}', the number of channels must be a multiple of 16, but got {channels}."
        )
    result = _patches(x1, size, stride, (1, 1), *_same_padding(x1, size, stride, (1, 1)))
    windows = result.shape[4] * result.shape[5]
    if count * windows % 16:
        raise ValueError(
            f"For '{op_name}', the number of patches must be a multiple of 16, but got "
            f"{count * windows}."
        )
    split = result.unflatten(1, (-1, 16)).permute(0, 5, 6, 1, 3, 4, 2)
    rows = split.reshape(count, windows, -1)
    if windows % 16:
        rows = rows.flatten(0, 1)
    blocks = rows.unflatten(-2, (-1, 16)).unflatten(-1, (-1, 16))
    return blocks.transpose(-3, -2)
