"""Moves between channels, space and batch: shuffles and blocks."""

from __future__ import annotations

import math
from typing import Any

from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import integer
from agar.ops.spec import op, primitive

__all__: list[str] = ["need_rank_4"]

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
    Raises TypeError: `upscale_factor` is not an int.
    Raises ValueError: the channels are not multiple, or the rank is below 3.
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
    Raises TypeError: `downscale_factor` is not an int.
    Raises ValueError: the sizes are not multiples, or the rank is below 3.
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

    Raises TypeError: the rank is below 3, or `groups` is not an int.
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


def need_rank_4(op_name: str, x: Tensor) -> None:
    """Refuse what is not a tensor of four dimensions."""
    if x.dim() != 4:
        raise ValueError(
            f"For '{op_name}', the rank of the input must be 4, but got {x.dim()} (shape "
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
    need_rank_4("SpaceToDepth", x)
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
    need_rank_4("DepthToSpace", x)
    n, c, h, w = x.shape
    if c % block_size**2:
        raise ValueError(
            "For 'DepthToSpace', the channels must be divisible by the square of block_size "
            f"{block_size}, but got shape {tuple(x.shape)}."
        )
    parts = x.view(n, block_size, block_size, c // block_size**2, h, w)
    return parts.permute(0, 3, 4, 1, 5, 2).reshape(n, -1, h * block_size, w * block_size)


def _blocks(op_name: str, block: Any, count: int) -> list[int]:
    sizes = list(block) if isinstance(block, (tuple, list)) else [block] * count
    if len(sizes) > count:
        raise ValueError(f"For '{op_name}', the block {block} has more dimensions than the input.")
    return [integer(op_name, "block", b, 1) for b in sizes]


def _edges(op_name: str, name: str, pairs: Any, count: int) -> list[tuple[int, int]]:
    if isinstance(pairs, Tensor):
        pairs = pairs.tolist()
    if (
        not isinstance(pairs, (tuple, list))
        or len(pairs) != count
        or not all(isinstance(p, (tuple, list)) and len(p) == 2 for p in pairs)
    ):
        raise ValueError(
            f"For '{op_name}', '{name}' must have shape ({count}, 2), but got {pairs!r}."
        )
    return [(integer(op_name, name, a, 0), integer(op_name, name, b, 0)) for a, b in pairs]


def _space_to_batch(op_name: str, x: Tensor, block: Any, paddings: Any) -> Tensor:
    sizes = _blocks(op_name, block, x.dim() - 1)
    count = len(sizes)
    first = x.dim() - count
    pads = _edges(op_name, "paddings", paddings, count)
    x = F.pad(x, [n for pair in reversed(pads) for n in pair])
    for n, b in zip(x.shape[first:], sizes, strict=True):
        if n % b:
            raise ValueError(
                f"For '{op_name}', the padded sizes must be divisible by the block {sizes}, but "
                f"got {tuple(x.shape[first:])}."
            )
    batch, middle = x.shape[0], x.shape[1:first]
    split = [part for n, b in zip(x.shape[first:], sizes, strict=True) for part in (n // b, b)]
    parts = x.reshape(batch, *middle, *split)
    steps = [first + 2 * i + 1 for i in range(count)]
    rest = [first + 2 * i for i in range(count)]
    moved = parts.permute(*steps, 0, *range(1, first), *rest)
    return moved.reshape(batch * math.prod(sizes), *middle, *split[::2])


def _batch_to_space(op_name: str, x: Tensor, block: Any, crops: Any) -> Tensor:
    sizes = _blocks(op_name, block, x.dim() - 1)
    count = len(sizes)
    first = x.dim() - count
    cuts = _edges(op_name, "crops", crops, count)
    if x.shape[0] % math.prod(sizes):
        raise ValueError(
            f"For '{op_name}', the batch must be divisible by the product of the block {sizes}, "
            f"but got {x.shape[0]}."
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
                f"For '{op_name}', the crops {cuts} leave nothing of the sizes {tuple(out.shape)}."
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
    Raises ValueError: the padded sizes are not multiples of the block.
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
    Raises ValueError: the batch is not a multiple of the block, or the crops leave nothing.
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
    need_rank_4("SpaceToBatch", input_x)
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
    need_rank_4("BatchToSpace", input_x)
    return _batch_to_space("BatchToSpace", input_x, [block_size] * 2, crops)
