"""Images and volumes taken apart into patches, and put together again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import choice, int_tuple
from agar.ops.image.blocks import need_rank_4
from agar.ops.nn.convolution import same_padding
from agar.ops.spec import op, primitive

__all__: list[str] = []

# -------------------------------------------------------------------------------- patches


def _patch_options(
    op_name: str, kernel_size: Any, dilation: Any, padding: Any, stride: Any
) -> tuple[tuple[int, ...], ...]:
    return (
        int_tuple(op_name, "kernel_size", kernel_size, 2),
        int_tuple(op_name, "dilation", dilation, 2),
        int_tuple(op_name, "padding", padding, 2, 0),
        int_tuple(op_name, "stride", stride, 2),
    )


def _unfold(op_name: str, x: Tensor, options: tuple[tuple[int, ...], ...]) -> Tensor:
    kernel, dilation, pads, stride = options
    for n, k, d, p in zip(x.shape[2:], kernel, dilation, pads, strict=True):
        if n + 2 * p < d * (k - 1) + 1:
            raise ValueError(
                f"For '{op_name}', the kernel {kernel} with dilation {dilation} is larger than the "
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


def _fold_size(op_name: str, output_size: Any) -> tuple[int, ...]:
    if isinstance(output_size, Tensor):
        output_size = output_size.tolist()
    return int_tuple(op_name, "output_size", output_size, 2)


def _fold(
    op_name: str, columns: Tensor, output_size: Any, options: tuple[tuple[int, ...], ...]
) -> Tensor:
    kernel, dilation, pads, stride = options
    size = _fold_size(op_name, output_size)
    patches = math.prod(
        (n + 2 * p - d * (k - 1) - 1) // s + 1
        for n, k, d, p, s in zip(size, kernel, dilation, pads, stride, strict=True)
    )
    if columns.shape[-2] % math.prod(kernel) or columns.shape[-1] != patches:
        raise ValueError(
            f"For '{op_name}', an output of size {size} has {patches} patches of "
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
    r"""Sum columns into images, each at the position of its patch; the transpose of ``ops.unfold``.

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
    r"""Sum columns into images; see ``ops.fold``.

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
    need_rank_4("col2im", input_x)
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
    """Sum columns into images; see ``ops.col2im``.

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
    need_rank_4("Im2Col", x)
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
    op_name = "ExtractImagePatches"
    need_rank_4(op_name, input_x)
    choice(op_name, "padding", padding, ("VALID", "SAME"))
    kernel, stride, spread = (tuple(v)[-2:] for v in (ksizes, strides, rates))
    x = input_x
    if padding == "SAME":
        sides = [
            same_padding(n, k, s, d)
            for n, k, s, d in zip(x.shape[2:], kernel, stride, spread, strict=True)
        ]
        x = F.pad(x, [n for pair in reversed(sides) for n in pair])
    columns = _unfold(op_name, x, _patch_options(op_name, kernel, spread, 0, stride))
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
    Raises TypeError: a size is not an int.
    Raises ValueError: the rank is not 5, a wrong size, no patch fits, or an unknown padding.
    Difference from PyTorch: PyTorch has ``Tensor.unfold`` for one dimension.

    >>> op = ms.ops.ExtractVolumePatches(2, 1, "VALID")
    >>> op(ms.ops.ones((1, 3, 4, 4, 4))).shape
    (1, 24, 3, 3, 3)
    """
    op_name = "ExtractVolumePatches"
    if input_x.dim() != 5:
        raise ValueError(
            f"For '{op_name}', the rank of the input must be 5, but got {input_x.dim()} (shape "
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
            f"For '{op_name}', a patch of size {kernel} does not fit into {tuple(x.shape[2:])}."
        )
    for axis, (k, s) in enumerate(zip(kernel, stride, strict=True), 2):
        x = x.unfold(axis, k, s)
    # from N, C, three places, three elements to N, three elements, C, three places
    return x.permute(0, 5, 6, 7, 1, 2, 3, 4).flatten(1, 4)
