"""Convolutions and transposed convolutions.

NOTE Padding. MindSpore pads by mode. ``valid``: nothing. ``pad``: as given, one number or one per
side. ``same``: so much that the output has ceil(in / stride) elements, split in two halves with the
odd element at the end. torch's convolution pads both sides alike, so that is what it is given
wherever the two sides agree; only what is more on one side is padded beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import choice, int_tuple, integer
from agar.ops._layers import layer_binding
from agar.ops.spec import op

__all__ = [
    "PAD_MODES",
    "conv3d_transpose",
    "convolve",
    "pad_pairs",
    "same_padding",
    "transposed_conv",
    "transposed_convolution",
]

PAD_MODES = ("valid", "same", "pad")
_CONV = (None, torch.conv1d, torch.conv2d, torch.conv3d)
_CONV_TRANSPOSE = (
    None,
    torch.conv_transpose1d,
    torch.conv_transpose2d,
    torch.conv_transpose3d,
)


def same_padding(size: int, kernel: int, stride: int, dilation: int) -> tuple[int, int]:
    """Padding before and after one dimension in mode ``same`` (NOTE Padding)."""
    total = max((-(-size // stride) - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
    return total // 2, total - total // 2


def pad_pairs(op_name: str, padding: Any, count: int) -> tuple[tuple[int, int], ...]:
    """(before, after) for each dimension, from one int, an int per dimension or an int per side."""
    if isinstance(padding, (tuple, list)):
        if len(padding) == 2 * count:
            flat = [integer(op_name, "padding", p, 0) for p in padding]
            return tuple(zip(flat[::2], flat[1::2], strict=True))
        if len(padding) == 1:
            padding = padding[0]
    return tuple((p, p) for p in int_tuple(op_name, "padding", padding, count, 0))


def _both_sides(pad_mode: str, padding: Any, count: int) -> Any:
    """Padding that both sides share, if mode and padding say so in the form layers use."""
    if pad_mode == "pad":
        return padding if padding.__class__ is tuple and len(padding) == count else None
    return 0 if pad_mode == "valid" and padding == 0 else None


def _padded(input: Tensor, pairs: Sequence[tuple[int, int]]) -> tuple[Tensor, list[int]]:
    """The input with what is more on one side padded, and what is left for both sides."""
    both = [min(pair) for pair in pairs]
    if any(a != b for a, b in pairs):
        extra: list[int] = []
        for (a, b), c in zip(reversed(pairs), reversed(both), strict=True):
            extra += (a - c, b - c)
        input = F.pad(input, extra)
    return input, both


def _explain(
    op_name: str,
    error: Exception,
    input: Tensor,
    weight: Tensor,
    stride: Any,
    dilation: Any,
    groups: Any,
) -> Exception:
    """What was wrong with a convolution's arguments, after torch refused them."""
    count = input.dim() - 2
    if weight.dim() != input.dim():
        return ValueError(
            f"For '{op_name}', the weight must have rank {input.dim()}, as the input, but got "
            f"weight shape {tuple(weight.shape)}."
        )
    if input.dtype is not weight.dtype:
        return TypeError(
            f"For '{op_name}', the input type must be same as the weight's, but got "
            f"{_name(input)} and {_name(weight)}; convert with .astype(...), or use to_float."
        )
    for name, value in (("stride", stride), ("dilation", dilation)):
        try:
            int_tuple(op_name, name, value, count)
        except (TypeError, ValueError) as error:
            return error
    try:
        integer(op_name, "groups", groups, 1)
    except (TypeError, ValueError) as error:
        return error
    if input.shape[1] != weight.shape[1] * groups:
        return RuntimeError(
            f"For '{op_name}', 'C_in' of input 'x' must be {weight.shape[1] * groups} (the "
            f"weight's {weight.shape[1]} times group {groups}), but got 'C_in' of input 'x': "
            f"{input.shape[1]} (shape {tuple(input.shape)})."
        )
    if weight.shape[0] % groups:
        return ValueError(
            f"For '{op_name}', the {weight.shape[0]} output channels of the weight should be "
            f"divisible by groups, but got {groups}."
        )
    if "Kernel size" in str(error):
        return ValueError(
            f"For '{op_name}', the input after padding must be at least as large as the kernel "
            f"{tuple(weight.shape[2:])}, but got input shape {tuple(input.shape)}."
        )
    return error


def _name(t: Tensor) -> str:
    return str(t.dtype).removeprefix("torch.").capitalize()


def _wrong_rank(op_name: str, input: Tensor, rank: int) -> ValueError:
    return ValueError(
        f"For '{op_name}', the x shape size must be equal to {rank}, but got {input.dim()} (shape "
        f"{tuple(input.shape)}); a single sample needs a batch dimension: x.expand_dims(0)."
    )


def convolve(
    op_name: str,
    count: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    pad_mode: str,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Tensor:
    """The complete way of a convolution over `count` dimensions."""
    if input.dim() != count + 2:
        raise _wrong_rank(op_name, input, count + 2)
    choice(op_name, "pad_mode", pad_mode, PAD_MODES)
    steps = int_tuple(op_name, "stride", stride, count)
    spread = int_tuple(op_name, "dilation", dilation, count)
    pairs = pad_pairs(op_name, padding, count)
    if pad_mode != "pad" and any(map(any, pairs)):
        raise ValueError(
            f"For '{op_name}', the 'padding' must be zero when 'pad_mode' is not 'pad', but got "
            f"padding {padding} and pad_mode '{pad_mode}'."
        )
    if pad_mode == "same":
        sizes = input.shape[2:]
        kernel = weight.shape[2:]
        pairs = tuple(
            same_padding(*numbers) for numbers in zip(sizes, kernel, steps, spread, strict=True)
        )
    padded, both = _padded(input, pairs)
    conv: Callable[..., Tensor] = _CONV[count]  # type: ignore[assignment]
    try:
        return conv(padded, weight, bias, steps, both, spread, groups)
    except RuntimeError as error:
        raise _explain(op_name, error, input, weight, stride, dilation, groups) from error


@op(
    mint=False,
    samples=(
        "f(2, 4, 7), f(3, 4, 3)",
        "f(2, 4, 7), f(4, 2, 2), f(4), 2, 'same', 0, 1, 2",
        "f(1, 2, 6), f(3, 2, 3), f(3), 1, 'pad', 2, 2",
    ),
    errors=(
        ("f(2, 7), f(3, 4, 3)", ValueError, "must be equal to 3"),
        ("f(2, 3, 7), f(3, 4, 3)", RuntimeError, "'C_in' of input 'x'"),
        ("f(2, 4, 7), f(3, 4, 3), pad_mode='full'", ValueError, "pad_mode"),
        ("f(2, 4, 7), f(3, 4, 3), padding=1", ValueError, "must be zero"),
    ),
)
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    pad_mode: str = "valid",
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    r"""Convolution (cross-correlation) over one dimension.

    .. math:: out_{n,o,l} = bias_o
        + \sum_{c,k} weight_{o,c,k} \cdot x_{n,c,\,l \cdot stride + k \cdot dilation}

    Args:
        input (Tensor): shape :math:`(N, C_{in}, L)`.
        weight (Tensor): shape :math:`(C_{out}, C_{in} / groups, K)`; the shape
            :math:`(C_{out}, C_{in} / groups, 1, K)` of ``nn.Conv1d`` is taken, too.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` (none), ``same`` (output length ceil(L / stride), the odd element
            at the end) or ``pad`` (as `padding` says). Default: ``"valid"``.
        padding (Union[int, tuple[int]]): zeros on both sides, or (left, right). Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of the kernel. Default: 1.
        groups (int): number of groups of channels. Default: 1.

    Returns: Tensor of shape :math:`(N, C_{out}, L_{out})`.
    Raises ValueError: the rank is wrong, `pad_mode` is unknown, or `padding` is given without mode
        ``pad``.
    Raises RuntimeError: the channels of input and weight disagree.
    Raises TypeError: the dtypes of input and weight differ.
    Difference from PyTorch: `pad_mode` before `padding`; no input without a batch dimension.

    >>> x, w = ms.ops.ones((1, 1, 4)), ms.ops.ones((1, 1, 3))
    >>> print(ms.ops.conv1d(x, w, pad_mode="same"))
    [[[2. 3. 3. 2.]]]
    """
    if weight.dim() == 4 and weight.shape[2] == 1:
        weight = weight[:, :, 0]
    both = _both_sides(pad_mode, padding, 1)
    if both is not None and input.dim() == 3 and weight.dim() == 3:
        try:
            return torch.conv1d(input, weight, bias, stride, both, dilation, groups)
        except (RuntimeError, TypeError) as error:
            raise _explain("conv1d", error, input, weight, stride, dilation, groups) from error
    return convolve("conv1d", 1, input, weight, bias, stride, pad_mode, padding, dilation, groups)


@op(
    samples=(
        "f(2, 3, 5, 5), f(4, 3, 3, 3)",
        "f(1, 4, 5, 6), f(4, 2, 2, 3), f(4), (2, 1), 'same', 0, 1, 2",
        "f(1, 2, 5, 5), f(3, 2, 3, 3), f(3), 1, 'pad', 2, 2",
        "f(1, 2, 4, 4), f(3, 2, 3, 3), None, 1, 'pad', (1, 0, 2, 1)",
    ),
    errors=(
        ("f(3, 5, 5), f(4, 3, 3, 3)", ValueError, "x shape size must be equal to 4"),
        ("f(1, 2, 5, 5), f(4, 3, 3, 3)", RuntimeError, "'C_in' of input 'x'"),
        ("f(1, 3, 2, 2), f(4, 3, 3, 3)", ValueError, "at least as large as the kernel"),
        ("f(1, 3, 5, 5), f(4, 3, 3, 3), stride=0", ValueError, "'stride'"),
        ("f(1, 3, 5, 5), f(4, 3, 3, 3), pad_mode='full'", ValueError, "['valid', 'same', 'pad']"),
        ("f(1, 3, 5, 5), f(4, 3, 3, 3), padding=1", ValueError, "must be zero when 'pad_mode'"),
    ),
)
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    pad_mode: str = "valid",
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    r"""Convolution (cross-correlation) over two dimensions.

    .. math:: out_{n,o} = bias_o + \sum_{c} weight_{o,c} \star x_{n,c}

    Args:
        input (Tensor): shape :math:`(N, C_{in}, H, W)`.
        weight (Tensor): shape :math:`(C_{out}, C_{in} / groups, K_h, K_w)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window, one for both dimensions or
            (height, width). Default: 1.
        pad_mode (str): ``valid`` (none), ``same`` (output size ceil(in / stride), the odd row or
            column at the bottom or right) or ``pad`` (as `padding` says). Default: ``"valid"``.
        padding (Union[int, tuple[int]]): zeros on every side; (height, width); or
            (top, bottom, left, right). Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of the kernel. Default: 1.
        groups (int): number of groups of channels. Default: 1.

    Returns: Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})`.
    Raises ValueError: the rank is wrong, `pad_mode` is unknown, or `padding` is given without mode
        ``pad``.
    Raises RuntimeError: the channels of input and weight disagree.
    Raises TypeError: the dtypes of input and weight differ.
    Difference from PyTorch: `pad_mode` before `padding`; no input without a batch dimension.

    >>> x, w = ms.ops.ones((1, 1, 3, 3)), ms.ops.ones((1, 1, 2, 2))
    >>> print(ms.ops.conv2d(x, w, pad_mode="same"))
    [[[[4. 4. 2.]
       [4. 4. 2.]
       [2. 2. 1.]]]]
    """
    both = _both_sides(pad_mode, padding, 2)
    if both is not None and input.dim() == 4 and weight.dim() == 4:
        try:
            return torch.conv2d(input, weight, bias, stride, both, dilation, groups)
        except (RuntimeError, TypeError) as error:
            raise _explain("conv2d", error, input, weight, stride, dilation, groups) from error
    return convolve("conv2d", 2, input, weight, bias, stride, pad_mode, padding, dilation, groups)


@op(
    samples=(
        "f(1, 2, 3, 4, 4), f(3, 2, 2, 2, 2)",
        "f(1, 2, 3, 4, 4), f(2, 1, 2, 3, 3), f(2), 2, 'same', 0, 1, 2",
        "f(1, 1, 3, 3, 3), f(2, 1, 2, 2, 2), None, 1, 'pad', (1, 0, 0, 1, 1, 1)",
    ),
    errors=(
        ("f(2, 3, 4, 4), f(3, 2, 2, 2, 2)", ValueError, "must be equal to 5"),
        ("f(1, 1, 3, 4, 4), f(3, 2, 2, 2, 2)", RuntimeError, "'C_in' of input 'x'"),
    ),
)
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    pad_mode: str = "valid",
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    groups: int = 1,
) -> Tensor:
    r"""Convolution (cross-correlation) over three dimensions.

    .. math:: out_{n,o} = bias_o + \sum_{c} weight_{o,c} \star x_{n,c}

    Args:
        input (Tensor): shape :math:`(N, C_{in}, D, H, W)`.
        weight (Tensor): shape :math:`(C_{out}, C_{in} / groups, K_d, K_h, K_w)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid``, ``same`` or ``pad``, see ``ops.conv2d``. Default: ``"valid"``.
        padding (Union[int, tuple[int]]): zeros on every side; (depth, height, width); or
            (head, tail, top, bottom, left, right). Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of the kernel. Default: 1.
        groups (int): number of groups of channels. Default: 1.

    Returns: Tensor of shape :math:`(N, C_{out}, D_{out}, H_{out}, W_{out})`.
    Raises ValueError: the rank is wrong, `pad_mode` is unknown, or `padding` is given without mode
        ``pad``.
    Raises RuntimeError: the channels of input and weight disagree.
    Raises TypeError: the dtypes of input and weight differ.
    Difference from PyTorch: `pad_mode` before `padding`; no input without a batch dimension.

    >>> x, w = ms.ops.ones((1, 1, 3, 3, 3)), ms.ops.ones((4, 1, 2, 2, 2))
    >>> ms.ops.conv3d(x, w).shape
    (1, 4, 2, 2, 2)
    """
    both = _both_sides(pad_mode, padding, 3)
    if both is not None and input.dim() == 5 and weight.dim() == 5:
        try:
            return torch.conv3d(input, weight, bias, stride, both, dilation, groups)
        except (RuntimeError, TypeError) as error:
            raise _explain("conv3d", error, input, weight, stride, dilation, groups) from error
    return convolve("conv3d", 3, input, weight, bias, stride, pad_mode, padding, dilation, groups)


# ------------------------------------------------------------------------------- transposed


def transposed_convolution(
    op_name: str,
    count: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    dilation: Sequence[int],
    groups: int,
    starts: Sequence[int],
    lengths: Sequence[int],
) -> Tensor:
    """A transposed convolution, of which `lengths` elements from `starts` on are wanted."""
    kernel = weight.shape[2:]
    full = [
        (n - 1) * s + d * (k - 1) + 1
        for n, s, d, k in zip(input.shape[2:], stride, dilation, kernel, strict=True)
    ]
    more = [n - (f - 2 * a) for n, f, a in zip(lengths, full, starts, strict=True)]
    conv: Callable[..., Tensor] = _CONV_TRANSPOSE[count]  # type: ignore[assignment]
    direct = all(0 <= m < max(s, d) for m, s, d in zip(more, stride, dilation, strict=True))
    try:
        if direct:
            return conv(input, weight, bias, stride, starts, more, groups, dilation)
        more = [max(n + a - f, 0) for n, f, a in zip(lengths, full, starts, strict=True)]
        out = conv(input, weight, bias, stride, 0, more, groups, dilation)
    except RuntimeError as error:
        raise _explain_transposed(op_name, error, input, weight, groups) from error
    for axis, (a, n) in enumerate(zip(starts, lengths, strict=True), 2):
        out = out.narrow(axis, a, n)
    return out


def _explain_transposed(
    op_name: str, error: Exception, input: Tensor, weight: Tensor, groups: int
) -> Exception:
    if input.dtype is not weight.dtype:
        return TypeError(
            f"For '{op_name}', the input type must be same as the weight's, but got "
            f"{_name(input)} and {_name(weight)}; convert with .astype(...), or use to_float."
        )
    if input.shape[1] != weight.shape[0]:
        return RuntimeError(
            f"For '{op_name}', 'C_in' of input 'x' must be {weight.shape[0]}, the weight's first "
            f"size, but got 'C_in' of input 'x': {input.shape[1]} (shape {tuple(input.shape)})."
        )
    return error


def _crop(
    size: int,
    kernel: int,
    stride: int,
    dilation: int,
    pad_mode: str,
    pair: tuple[int, int],
    more: int,
) -> tuple[int, int]:
    """Where the result of one dimension starts in the full one, and its length."""
    reach = dilation * (kernel - 1) + 1
    if pad_mode == "same":
        return max(reach - stride, 0) // 2, size * stride
    if pad_mode == "valid":
        return 0, size * stride + max(reach - stride, 0)
    return pair[0], (size - 1) * stride + reach - pair[0] - pair[1] + more


def _transposed_by_mode(
    op_name: str,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Sequence[int],
    pad_mode: str,
    padding: Sequence[tuple[int, int]],
    output_padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> Tensor:
    count = len(stride)
    if input.dim() != count + 2:
        raise _wrong_rank(op_name, input, count + 2)
    spans = [
        _crop(n, k, s, d, pad_mode, pair, more)
        for n, k, s, d, pair, more in zip(
            input.shape[2:],
            weight.shape[2:],
            stride,
            dilation,
            padding,
            output_padding,
            strict=True,
        )
    ]
    if min(n for _, n in spans) <= 0:
        raise ValueError(
            f"For '{op_name}', the padding {tuple(padding)} leaves nothing of the output of an "
            f"input of shape {tuple(input.shape)}; use less padding."
        )
    starts, lengths = zip(*spans, strict=True)
    return transposed_convolution(
        op_name, count, input, weight, bias, stride, dilation, groups, starts, lengths
    )


def _conv1d_transpose(
    input: Tensor, weight: Tensor, bias: Tensor | None, plan: Any, groups: int
) -> Tensor:
    if input.dim() != 3:
        raise _wrong_rank("Conv1dTranspose", input, 3)
    return _transposed_by_mode(
        "Conv1dTranspose", input, weight[:, :, 0], bias, *plan, groups=groups
    )


def _conv2d_transpose(
    input: Tensor, weight: Tensor, bias: Tensor | None, plan: Any, groups: int
) -> Tensor:
    return _transposed_by_mode("Conv2dTranspose", input, weight, bias, *plan, groups=groups)


def _conv3d_transpose(
    input: Tensor, weight: Tensor, bias: Tensor | None, plan: Any, groups: int
) -> Tensor:
    return _transposed_by_mode("Conv3dTranspose", input, weight, bias, *plan, groups=groups)


#: By number of dimensions: ``binding(x, weight, bias, plan, groups)`` with the plan
#: (stride, pad_mode, padding pairs, output padding, dilation).
transposed_conv: dict[int, Callable[..., Any]] = {
    1: layer_binding("Conv1dTranspose", _conv1d_transpose, "Conv2DTranspose"),
    2: layer_binding("Conv2dTranspose", _conv2d_transpose, "Conv2DTranspose"),
    3: layer_binding("Conv3dTranspose", _conv3d_transpose, "Conv3DTranspose"),
}


@op(
    "conv_transpose2d",
    mint="nn.functional.conv_transpose2d",
    samples=(
        "f(1, 2, 3, 4), f(2, 3, 3, 3)",
        "f(1, 4, 3, 3), f(4, 1, 2, 2), f(2), 2, 1, 1, 2, 1",
        "f(1, 2, 3, 3), f(2, 3, 3, 3), None, (2, 1), (1, 0), 0, 1, 2",
        "f(2, 3, 4), f(2, 3, 3, 3)",
    ),
    errors=(
        ("f(1, 3, 3, 4), f(2, 3, 3, 3)", RuntimeError, "'C_in' of input 'x'"),
        ("f(1, 2, 3, 4), f(2, 3, 3, 3), None, 2, 0, 2", ValueError, "output_padding"),
    ),
)
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    output_padding: int | Sequence[int] = 0,
    groups: int = 1,
    dilation: int | Sequence[int] = 1,
) -> Tensor:
    r"""Transposed convolution over two dimensions: the gradient of a convolution for its input.

    .. math:: H_{out} = (H - 1) \cdot stride - 2 \cdot padding + dilation (K_h - 1) + 1
        + output\_padding

    Args:
        input (Tensor): shape :math:`(N, C_{in}, H, W)`, or without N.
        weight (Tensor): shape :math:`(C_{in}, C_{out} / groups, K_h, K_w)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window in the output. Default: 1.
        padding (Union[int, tuple[int]]): rows and columns taken away on each side. Default: 0.
        output_padding (Union[int, tuple[int]]): added at bottom and right, less than stride or
            dilation. Default: 0.
        groups (int): number of groups of channels. Default: 1.
        dilation (Union[int, tuple[int]]): distance between the elements of the kernel. Default: 1.

    Returns: Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})`, or without N.
    Raises ValueError: a wrong rank, or `output_padding` out of range.
    Raises RuntimeError: the channels of input and weight disagree.

    >>> x, w = ms.ops.ones((1, 1, 2, 2)), ms.ops.ones((1, 1, 2, 2))
    >>> print(ms.ops.conv_transpose2d(x, w))
    [[[[1. 2. 1.]
       [2. 4. 2.]
       [1. 2. 1.]]]]
    """
    op_name = "conv_transpose2d"
    single = input.dim() == 3
    out = _transposed_by_mode(
        op_name,
        input.unsqueeze(0) if single else input,
        weight,
        bias,
        *transpose_plan(op_name, 2, stride, padding, output_padding, dilation),
        groups=groups,
    )
    return out.squeeze(0) if single else out


def transpose_plan(
    op_name: str, count: int, stride: Any, padding: Any, output_padding: Any, dilation: Any
) -> tuple[Any, ...]:
    """The checked plan (stride, mode, padding, output padding, dilation) of mode ``pad``."""
    steps = int_tuple(op_name, "stride", stride, count)
    spread = int_tuple(op_name, "dilation", dilation, count)
    more = int_tuple(op_name, "output_padding", output_padding, count, 0)
    for m, s, d in zip(more, steps, spread, strict=True):
        if m >= max(s, d):
            raise ValueError(
                f"For '{op_name}', output_padding must be in range of [0, max(stride, dilation)), "
                f"but got output_padding {output_padding}, stride {stride}, dilation {dilation}."
            )
    return steps, "pad", pad_pairs(op_name, padding, count), more, spread


@op(
    samples=(
        "f(1, 2, 2, 3, 2), f(2, 3, 2, 2, 2)",
        "f(1, 2, 2, 3, 2), f(2, 1, 3, 3, 3), 'pad', 1, 2, 1, 2, 1",
        "f(1, 2, 2, 2, 2), f(2, 1, 2, 2, 2), 'same', 0, 2",
    ),
    errors=(
        ("f(2, 2, 3, 2), f(2, 3, 2, 2, 2)", ValueError, "must be equal to 5"),
        ("f(1, 2, 2, 3, 2), f(2, 3, 2, 2, 2), 'full'", ValueError, "pad_mode"),
    ),
)
def conv3d_transpose(
    inputs: Tensor,
    weight: Tensor,
    pad_mode: str = "valid",
    padding: int | Sequence[int] = 0,
    stride: int | Sequence[int] = 1,
    dilation: int | Sequence[int] = 1,
    group: int = 1,
    output_padding: int | Sequence[int] = 0,
) -> Tensor:
    r"""Transposed convolution over three dimensions.

    Args:
        inputs (Tensor): shape :math:`(N, C_{in}, D, H, W)`.
        weight (Tensor): shape :math:`(C_{in}, C_{out} / group, K_d, K_h, K_w)`.
        pad_mode (str): ``valid``, ``same`` (output is input times stride) or ``pad``. Default:
            ``"valid"``.
        padding (Union[int, tuple[int]]): taken away on each side in mode ``pad``. Default: 0.
        stride (Union[int, tuple[int]]): step of the window in the output. Default: 1.
        dilation (Union[int, tuple[int]]): distance between the elements of the kernel. Default: 1.
        group (int): number of groups of channels. Default: 1.
        output_padding (Union[int, tuple[int]]): added at the end, in mode ``pad``. Default: 0.

    Returns: Tensor of shape :math:`(N, C_{out}, D_{out}, H_{out}, W_{out})`.
    Raises ValueError: a wrong rank, an unknown `pad_mode`, or `output_padding` out of range.
    Raises RuntimeError: the channels of input and weight disagree.
    Difference from PyTorch: ``conv_transpose3d`` has no `pad_mode`.

    >>> x, w = ms.ops.ones((1, 1, 2, 2, 2)), ms.ops.ones((1, 1, 2, 2, 2))
    >>> ms.ops.conv3d_transpose(x, w, stride=2).shape
    (1, 1, 4, 4, 4)
    """
    op_name = "conv3d_transpose"
    choice(op_name, "pad_mode", pad_mode, PAD_MODES)
    steps, _, pairs, more, spread = transpose_plan(
        op_name, 3, stride, padding, output_padding, dilation
    )
    return _transposed_by_mode(
        op_name, inputs, weight, None, steps, pad_mode, pairs, more, spread, group
    )
