"""Pooling: maxima and averages over windows.

NOTE Averages and padding. In mode ``same`` an average divides by the number of elements of the
window that lie in the input, so that an average of ones is one everywhere. ``AvgPool3d`` counts the
padding instead, unless told not to: so does MindSpore 2.10.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar.ops._checks import int_tuple, integer
from agar.ops._layers import layer_binding
from agar.ops.nn.convolution import pad_pairs, same_padding
from agar.ops.spec import op

__all__: list[str] = [
    "Sizes",
    "average_pool",
    "avg_pool_as_torch",
    "avg_pool_layer",
    "avg_pool_same_layer",
    "check_rank",
    "max_pool_function",
    "max_pool_layer",
    "max_pool_same_layer",
    "maximum_pool",
    "maximum_pool_same",
    "same_pairs",
    "stride_or_kernel",
]

_MAX: tuple[Any, ...] = (None, torch.max_pool1d, torch.max_pool2d, torch.max_pool3d)
_MAX_INDICES: tuple[Any, ...] = (
    None,
    F.max_pool1d_with_indices,
    F.max_pool2d_with_indices,
    F.max_pool3d_with_indices,
)
_AVG: tuple[Any, ...] = (None, torch.avg_pool1d, F.avg_pool2d, F.avg_pool3d)

Sizes = tuple[int, ...]


def check_rank(op_name: str, x: Tensor, count: int) -> None:
    """Refuse inputs that are neither a sample nor a batch of `count` spatial dimensions."""
    if x.dim() != count + 2 and x.dim() != count + 1:
        raise ValueError(
            f"For '{op_name}', the length of the input's shape must be equal to {count + 2}, or "
            f"{count + 1} for a single sample, but got {x.dim()} (shape {tuple(x.shape)})."
        )


def _check_window(
    op_name: str, x: Tensor, kernel: Sizes, padding: Sizes, dilation: Sizes | None = None
) -> None:
    """Explain why torch refused a window, if padding or size are the reason."""
    spread = dilation or (1,) * len(kernel)
    for p, k in zip(padding, kernel, strict=True):
        if 2 * p > k:
            raise ValueError(
                f"For '{op_name}', the padding should be less equal to half of the kernel size, "
                f"but got padding {padding} and kernel size {kernel}."
            )
    for n, k, p, d in zip(x.shape[-len(kernel) :], kernel, padding, spread, strict=True):
        if n + 2 * p < d * (k - 1) + 1:
            raise ValueError(
                f"For '{op_name}', each element of the output shape must be larger than 0, but the "
                f"kernel {kernel} is larger than the input of shape {tuple(x.shape)}."
            )


# -------------------------------------------------------------------------------- maxima


def maximum_pool(
    op_name: str,
    x: Tensor,
    kernel: Sizes,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    ceil_mode: bool,
    indices: bool,
) -> Any:
    """The largest elements of windows, and their indices where asked for."""
    count = len(kernel)
    if x.dim() != count + 2:
        check_rank(op_name, x, count)
    pool = (_MAX_INDICES if indices else _MAX)[count]
    try:
        return pool(x, kernel, stride, padding, dilation, ceil_mode)
    except RuntimeError:
        _check_window(op_name, x, kernel, padding, dilation)
        raise


def maximum_pool_same(op_name: str, x: Tensor, kernel: Sizes, stride: Sizes) -> Tensor:
    """The largest elements of windows that cover the input, padded at its ends."""
    count = len(kernel)
    check_rank(op_name, x, count)
    both: list[int] = []
    extra: list[int] = []
    for n, k, s in zip(x.shape[-count:], kernel, stride, strict=True):
        before, after = same_padding(n, k, s, 1)
        both.append(before)
        extra[:0] = (0, after - before)
    if any(extra):
        x = F.pad(x, extra, value=-math.inf)
    return _MAX[count](x, kernel, stride, both)


def _max_pool_of_layer(
    x: Tensor,
    kernel: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
    indices: bool,
) -> Any:
    op_name = f"MaxPool{len(kernel)}d"
    return maximum_pool(op_name, x, kernel, stride, padding, dilation, ceil_mode, indices)


def _max_pool_same_of_layer(x: Tensor, kernel: Any, stride: Any) -> Tensor:
    return maximum_pool_same(f"MaxPool{len(kernel)}d", x, kernel, stride)


#: ``max_pool_layer(x, kernel, stride, padding, dilation, ceil_mode, indices)``, checked tuples.
max_pool_layer = layer_binding("MaxPool", _max_pool_of_layer, "MaxPool")
#: ``max_pool_same_layer(x, kernel, stride)``, checked tuples.
max_pool_same_layer = layer_binding("MaxPool", _max_pool_same_of_layer, "MaxPool")


def stride_or_kernel(op_name: str, stride: Any, kernel: Sizes) -> Sizes:
    """The stride as one number per dimension; the kernel's sizes if it is None."""
    return kernel if stride is None else int_tuple(op_name, "stride", stride, len(kernel))


def max_pool_function(
    op_name: str,
    count: int,
    x: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
    return_indices: bool,
) -> Any:
    """Maximum pooling with the arguments of the functions."""
    kernel = int_tuple(op_name, "kernel_size", kernel_size, count)
    return maximum_pool(
        op_name,
        x,
        kernel,
        stride_or_kernel(op_name, stride, kernel),
        int_tuple(op_name, "padding", padding, count, 0),
        int_tuple(op_name, "dilation", dilation, count),
        ceil_mode,
        return_indices,
    )


@op(
    samples=(
        "f(1, 2, 4, 4), 2",
        "f(1, 2, 5, 5), (2, 3), (1, 2), 1, 1, False, True",
        "f(2, 5, 5), 2, return_indices=True",
        "f(1, 1, 6, 6), 2, 1, 0, 2",
    ),
    errors=(
        ("f(4, 4), 2", ValueError, "length of the input's shape"),
        ("f(1, 1, 4, 4), 0", ValueError, "kernel_size"),
        ("f(1, 1, 4, 4), 2, padding=2", ValueError, "half of the kernel size"),
        ("f(1, 1, 2, 2), 3", ValueError, "larger than 0"),
    ),
)
def max_pool2d(
    x: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    return_indices: bool = False,
    ceil_mode: bool = False,
) -> Any:
    r"""Largest element of every window over two dimensions.

    .. math:: out_{n,c,i,j} = \max_{k,l} x_{n,c,\,i s + k,\,j s + l}

    Args:
        x (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): minus infinity on both sides, at most half the kernel.
            Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of a window. Default: 1.
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.

    Returns: Tensor of shape :math:`(N, C, H_{out}, W_{out})`; with `return_indices` a pair of it
        and the indices (int64), each counted within its plane.
    Raises ValueError: the rank, a size or the padding is wrong.
    Difference from PyTorch: `return_indices` comes before `ceil_mode`.

    >>> print(ms.ops.max_pool2d(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2))
    [[[[4.]]]]
    """
    return max_pool_function(
        "max_pool2d", 2, x, kernel_size, stride, padding, dilation, ceil_mode, return_indices
    )


@op(
    samples=("f(1, 2, 4, 4, 4), 2", "f(1, 1, 3, 3, 3), 2, 1, 1, 1, True, True"),
    errors=(
        ("f(4, 4, 4), 2", ValueError, "length of the input's shape"),
        ("f(1, 1, 2, 2, 2), 3", ValueError, "larger than 0"),
    ),
)
def max_pool3d(
    x: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    dilation: int | Sequence[int] = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    r"""Largest element of every window over three dimensions.

    Args:
        x (Tensor): shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): minus infinity on both sides, at most half the kernel.
            Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of a window. Default: 1.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.

    Returns: Tensor of shape :math:`(N, C, D_{out}, H_{out}, W_{out})`; with `return_indices` a pair
        of it and the indices (int64).
    Raises ValueError: the rank, a size or the padding is wrong.

    >>> ms.ops.max_pool3d(ms.ops.ones((1, 1, 4, 4, 4)), 2).shape
    (1, 1, 2, 2, 2)
    """
    return max_pool_function(
        "max_pool3d", 3, x, kernel_size, stride, padding, dilation, ceil_mode, return_indices
    )


# ------------------------------------------------------------------------------ averages


def average_pool(
    op_name: str,
    x: Tensor,
    kernel: Sizes,
    stride: Sizes,
    pairs: Sequence[tuple[int, int]],
    ceil_mode: bool,
    include_pad: bool,
    divisor: int | None,
) -> Tensor:
    """Means of windows."""
    count = len(kernel)
    check_rank(op_name, x, count)
    if count == 3 and x.dtype.itemsize == 2 and x.device.type == "cpu":
        # torch has no kernel there
        out = average_pool(
            op_name, x.float(), kernel, stride, pairs, ceil_mode, include_pad, divisor
        )
        return out.to(x.dtype)
    if all(a == b for a, b in pairs):
        both = tuple(a for a, _ in pairs)
        more = () if count == 1 else (divisor,)
        try:
            return _AVG[count](x, kernel, stride, both, ceil_mode, include_pad, *more)
        except RuntimeError:
            _check_window(op_name, x, kernel, both)
            raise
    return _avg_pool_uneven(op_name, x, kernel, stride, pairs, ceil_mode, include_pad, divisor)


def _avg_pool_uneven(
    op_name: str,
    x: Tensor,
    kernel: Sizes,
    stride: Sizes,
    pairs: Sequence[tuple[int, int]],
    ceil_mode: bool,
    include_pad: bool,
    divisor: int | None,
) -> Tensor:
    """Averages where the two sides of a dimension are padded differently: sums over counts."""
    count = len(kernel)
    extra: list[int] = []
    shares = torch.ones((), dtype=torch.float64)
    for n, k, s, (a, b) in zip(x.shape[-count:], kernel, stride, pairs, strict=True):
        if a + b > k:
            raise ValueError(
                f"For '{op_name}', the sum of the pads of a dimension should be less than or equal "
                f"to its kernel size, but got pads {tuple(pairs)} and kernel size {kernel}."
            )
        span = n + a + b - k
        windows = (-(-span // s) if ceil_mode else span // s) + 1
        if ceil_mode and (windows - 1) * s >= n + a:
            windows -= 1  # the last window must begin in the input or the padding before it
        if windows <= 0:
            raise ValueError(
                f"For '{op_name}', each element of the output shape must be larger than 0, but the "
                f"kernel {kernel} is larger than the input of shape {tuple(x.shape)}."
            )
        extra[:0] = (a, (windows - 1) * s + k - n - a)
        begin = torch.arange(windows) * s - a
        if include_pad:
            result = (begin + k).clamp(max=n + b) - begin
        else:
            result = (begin + k).clamp(max=n) - begin.clamp(min=0)
        shares = shares[..., None] * (k / result.double())
    means = _AVG[count](F.pad(x, extra), kernel, stride)
    if divisor is not None:
        return means * (math.prod(kernel) / divisor)
    return means * shares.to(device=x.device, dtype=x.dtype)


def same_pairs(x: Tensor, kernel: Sizes, stride: Sizes) -> list[tuple[int, int]]:
    """Padding before and after each dimension in mode ``same``."""
    sizes = x.shape[-len(kernel) :]
    return [same_padding(n, k, s, 1) for n, k, s in zip(sizes, kernel, stride, strict=True)]


def _avg_pool_of_layer(
    x: Tensor,
    kernel: Any,
    stride: Any,
    pairs: Any,
    ceil_mode: bool,
    include_pad: bool,
    divisor: int | None,
) -> Tensor:
    op_name = f"AvgPool{len(kernel)}d"
    return average_pool(op_name, x, kernel, stride, pairs, ceil_mode, include_pad, divisor)


def _avg_pool_same_of_layer(
    x: Tensor, kernel: Any, stride: Any, include_pad: bool, divisor: int | None
) -> Tensor:
    op_name = f"AvgPool{len(kernel)}d"
    check_rank(op_name, x, len(kernel))
    pairs = same_pairs(x, kernel, stride)
    return average_pool(op_name, x, kernel, stride, pairs, False, include_pad, divisor)


#: ``avg_pool_layer(x, kernel, stride, pad pairs, ceil_mode, include_pad, divisor)``.
avg_pool_layer = layer_binding("AvgPool", _avg_pool_of_layer, "AvgPool")
#: ``avg_pool_same_layer(x, kernel, stride, include_pad, divisor)``.
avg_pool_same_layer = layer_binding("AvgPool", _avg_pool_same_of_layer, "AvgPool")


def _avg_pool_function(
    op_name: str,
    count: int,
    x: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Tensor:
    kernel = int_tuple(op_name, "kernel_size", kernel_size, count)
    sides = 1 if count == 1 else 2 * count
    if isinstance(padding, (tuple, list)) and len(padding) != sides:
        raise ValueError(
            f"For '{op_name}', padding should be int or tuple of length {sides}, but got "
            f"{padding!r}."
        )
    divisor = divisor_override or None
    if divisor is not None:
        integer(op_name, "divisor_override", divisor, 1)
    return average_pool(
        op_name,
        x,
        kernel,
        int_tuple(op_name, "stride", stride, count),
        pad_pairs(op_name, padding, count),
        ceil_mode,
        count_include_pad,
        divisor,
    )


def avg_pool_as_torch(
    op_name: str,
    count: int,
    x: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor: int | None,
) -> Tensor:
    """Means of windows, with the options that PyTorch's functions take."""
    kernel = int_tuple(op_name, "kernel_size", kernel_size, count)
    pads = int_tuple(op_name, "padding", padding, count, 0)
    pairs = tuple((p, p) for p in pads)
    steps = stride_or_kernel(op_name, stride, kernel)
    return average_pool(op_name, x, kernel, steps, pairs, ceil_mode, count_include_pad, divisor)


@op(
    samples=("f(1, 2, 5), 2", "f(1, 2, 5), 2, 1, 1, False, False", "f(1, 2, 5), 2, 2, 0, True"),
    errors=(
        ("f(5), 2", ValueError, "length of the input's shape"),
        ("f(1, 1, 5), 2, 1, (1, 0)", ValueError, "tuple of length 1"),
        ("f(1, 1, 5), 7", ValueError, "larger than 0"),
    ),
)
def avg_pool1d(
    input_x: Tensor,
    kernel_size: int | Sequence[int] = 1,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    r"""Mean of every window over one dimension.

    Args:
        input_x (Tensor): shape :math:`(N, C, L)` or :math:`(C, L)`.
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        padding (Union[int, tuple[int]]): zeros on both sides. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.

    Returns: Tensor of shape :math:`(N, C, L_{out})`.
    Raises ValueError: the rank, a size or the padding is wrong.
    Difference from PyTorch: the stride's default is 1, there the kernel's size.

    >>> print(ms.ops.avg_pool1d(ms.Tensor([[[1.0, 3.0, 5.0]]]), 2))
    [[[2. 4.]]]
    """
    return _avg_pool_function(
        "avg_pool1d",
        1,
        input_x,
        kernel_size,
        stride,
        padding,
        ceil_mode,
        count_include_pad,
        None,
    )


@op(
    samples=(
        "f(1, 2, 4, 4), 2",
        "f(1, 2, 5, 5), 2, 2, 1, True, False",
        "f(1, 2, 5, 4), (3, 2), 2, (1, 0, 0, 1)",
        "f(1, 2, 5, 4), 2, 2, (1, 0, 0, 1), True, False",
        "f(1, 2, 4, 4), 2, divisor_override=3",
    ),
    errors=(
        ("f(4, 4), 2", ValueError, "length of the input's shape"),
        ("f(1, 1, 5, 5), 2, 1, (1, 0)", ValueError, "tuple of length 4"),
        ("f(1, 1, 5, 5), 2, 1, 2", ValueError, "half of the kernel size"),
    ),
)
def avg_pool2d(
    input_x: Tensor,
    kernel_size: int | Sequence[int] = 1,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
) -> Tensor:
    r"""Mean of every window over two dimensions.

    Args:
        input_x (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        padding (Union[int, tuple[int]]): zeros on every side, or (top, bottom, left, right).
            Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements; 0 for none.
            Default: 0.

    Returns: Tensor of shape :math:`(N, C, H_{out}, W_{out})`.
    Raises ValueError: the rank, a size or the padding is wrong.
    Difference from PyTorch: the stride's default is 1, there the kernel's size.

    >>> print(ms.ops.avg_pool2d(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2))
    [[[[2.5]]]]
    """
    return _avg_pool_function(
        "avg_pool2d",
        2,
        input_x,
        kernel_size,
        stride,
        padding,
        ceil_mode,
        count_include_pad,
        divisor_override,
    )


@op(
    samples=("f(1, 2, 3, 4, 4), 2", "f(1, 1, 3, 3, 3), 2, 1, (1, 0, 0, 0, 0, 1)"),
    errors=(("f(1, 1, 3, 3, 3), 2, 1, (1, 0, 0)", ValueError, "tuple of length 6"),),
)
def avg_pool3d(
    input_x: Tensor,
    kernel_size: int | Sequence[int] = 1,
    stride: int | Sequence[int] = 1,
    padding: int | Sequence[int] = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
) -> Tensor:
    r"""Mean of every window over three dimensions.

    Args:
        input_x (Tensor): shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        padding (Union[int, tuple[int]]): zeros on every side, or six numbers: head, tail, top,
            bottom, left, right. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements; 0 for none.
            Default: 0.

    Returns: Tensor of shape :math:`(N, C, D_{out}, H_{out}, W_{out})`.
    Raises ValueError: the rank, a size or the padding is wrong.
    Difference from PyTorch: the stride's default is 1, there the kernel's size.

    >>> ms.ops.avg_pool3d(ms.ops.ones((1, 1, 3, 3, 3)), 2).shape
    (1, 1, 2, 2, 2)
    """
    return _avg_pool_function(
        "avg_pool3d",
        3,
        input_x,
        kernel_size,
        stride,
        padding,
        ceil_mode,
        count_include_pad,
        divisor_override,
    )
