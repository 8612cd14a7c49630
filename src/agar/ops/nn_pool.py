"""Pooling: maxima, averages and power means over windows, adaptive windows, and the way back.

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

from agar._core import random
from agar._core.dtype import to_torch_dtype
from agar._core.random_draws import uniform_real
from agar.ops._checks import boolean, choice, int_tuple, integer, number
from agar.ops._layers import layer_face
from agar.ops.math import any_outside
from agar.ops.nn_conv import pad_pairs, same_padding
from agar.ops.random import drawn
from agar.ops.spec import family, op, primitive

__all__ = [
    "avg_pool_as_torch",
    "avg_pool_layer",
    "avg_pool_same_layer",
    "max_pool_layer",
    "max_pool_same_layer",
    "output_sizes",
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


def _check_rank(who: str, x: Tensor, count: int) -> None:
    if x.dim() != count + 2 and x.dim() != count + 1:
        raise ValueError(
            f"For '{who}', the length of the input's shape must be equal to {count + 2}, or "
            f"{count + 1} for a single sample, but got {x.dim()} (shape {tuple(x.shape)})."
        )


def _check_window(
    who: str, x: Tensor, kernel: Sizes, padding: Sizes, dilation: Sizes | None = None
) -> None:
    """Explain why torch refused a window, if padding or size are the reason."""
    spread = dilation or (1,) * len(kernel)
    for p, k in zip(padding, kernel, strict=True):
        if 2 * p > k:
            raise ValueError(
                f"For '{who}', the padding should be less equal to half of the kernel size, but "
                f"got padding {padding} and kernel size {kernel}."
            )
    for n, k, p, d in zip(x.shape[-len(kernel) :], kernel, padding, spread, strict=True):
        if n + 2 * p < d * (k - 1) + 1:
            raise ValueError(
                f"For '{who}', each element of the output shape must be larger than 0, but the "
                f"kernel {kernel} is larger than the input of shape {tuple(x.shape)}."
            )


# -------------------------------------------------------------------------------- maxima


def _max_pool(
    who: str,
    x: Tensor,
    kernel: Sizes,
    stride: Sizes,
    padding: Sizes,
    dilation: Sizes,
    ceil_mode: bool,
    indices: bool,
) -> Any:
    count = len(kernel)
    if x.dim() != count + 2:
        _check_rank(who, x, count)
    pool = (_MAX_INDICES if indices else _MAX)[count]
    try:
        return pool(x, kernel, stride, padding, dilation, ceil_mode)
    except RuntimeError:
        _check_window(who, x, kernel, padding, dilation)
        raise


def _max_pool_same(who: str, x: Tensor, kernel: Sizes, stride: Sizes) -> Tensor:
    count = len(kernel)
    _check_rank(who, x, count)
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
    who = f"MaxPool{len(kernel)}d"
    return _max_pool(who, x, kernel, stride, padding, dilation, ceil_mode, indices)


def _max_pool_same_of_layer(x: Tensor, kernel: Any, stride: Any) -> Tensor:
    return _max_pool_same(f"MaxPool{len(kernel)}d", x, kernel, stride)


#: ``max_pool_layer(x, kernel, stride, padding, dilation, ceil_mode, indices)``, checked tuples.
max_pool_layer = layer_face("MaxPool", _max_pool_of_layer, "MaxPool")
#: ``max_pool_same_layer(x, kernel, stride)``, checked tuples.
max_pool_same_layer = layer_face("MaxPool", _max_pool_same_of_layer, "MaxPool")


def _steps(who: str, stride: Any, kernel: Sizes) -> Sizes:
    return kernel if stride is None else int_tuple(who, "stride", stride, len(kernel))


def _max_pool_function(
    who: str,
    count: int,
    x: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
    return_indices: bool,
) -> Any:
    kernel = int_tuple(who, "kernel_size", kernel_size, count)
    return _max_pool(
        who,
        x,
        kernel,
        _steps(who, stride, kernel),
        int_tuple(who, "padding", padding, count, 0),
        int_tuple(who, "dilation", dilation, count),
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
        return_indices (bool): whether the maxima's places are returned, too. Default: False.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.

    Returns: Tensor of shape :math:`(N, C, H_{out}, W_{out})`; with `return_indices` a pair of it
        and the int64 places, each counted within its plane.
    Raises ValueError: a wrong rank, size, or padding.
    Difference from PyTorch: `return_indices` comes before `ceil_mode`.

    >>> print(ms.ops.max_pool2d(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 2))
    [[[[4.]]]]
    """
    return _max_pool_function(
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
        return_indices (bool): whether the maxima's places are returned, too. Default: False.

    Returns: Tensor of shape :math:`(N, C, D_{out}, H_{out}, W_{out})`; with `return_indices` a pair
        of it and the int64 places.
    Raises ValueError: a wrong rank, size, or padding.

    >>> ms.ops.max_pool3d(ms.ops.ones((1, 1, 4, 4, 4)), 2).shape
    (1, 1, 2, 2, 2)
    """
    return _max_pool_function(
        "max_pool3d", 3, x, kernel_size, stride, padding, dilation, ceil_mode, return_indices
    )


# ------------------------------------------------------------------------------ averages


def _avg_pool(
    who: str,
    x: Tensor,
    kernel: Sizes,
    stride: Sizes,
    pairs: Sequence[tuple[int, int]],
    ceil_mode: bool,
    include_pad: bool,
    divisor: int | None,
) -> Tensor:
    count = len(kernel)
    _check_rank(who, x, count)
    if count == 3 and x.dtype.itemsize == 2 and x.device.type == "cpu":
        # torch has no kernel there
        out = _avg_pool(who, x.float(), kernel, stride, pairs, ceil_mode, include_pad, divisor)
        return out.to(x.dtype)
    if all(a == b for a, b in pairs):
        both = tuple(a for a, _ in pairs)
        more = () if count == 1 else (divisor,)
        try:
            return _AVG[count](x, kernel, stride, both, ceil_mode, include_pad, *more)
        except RuntimeError:
            _check_window(who, x, kernel, both)
            raise
    return _avg_pool_uneven(who, x, kernel, stride, pairs, ceil_mode, include_pad, divisor)


def _avg_pool_uneven(
    who: str,
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
                f"For '{who}', the sum of the pads of a dimension should be less than or equal to "
                f"its kernel size, but got pads {tuple(pairs)} and kernel size {kernel}."
            )
        span = n + a + b - k
        windows = (-(-span // s) if ceil_mode else span // s) + 1
        if ceil_mode and (windows - 1) * s >= n + a:
            windows -= 1  # the last window must begin in the input or the padding before it
        if windows <= 0:
            raise ValueError(
                f"For '{who}', each element of the output shape must be larger than 0, but the "
                f"kernel {kernel} is larger than the input of shape {tuple(x.shape)}."
            )
        extra[:0] = (a, (windows - 1) * s + k - n - a)
        begin = torch.arange(windows) * s - a
        if include_pad:
            found = (begin + k).clamp(max=n + b) - begin
        else:
            found = (begin + k).clamp(max=n) - begin.clamp(min=0)
        shares = shares[..., None] * (k / found.double())
    means = _AVG[count](F.pad(x, extra), kernel, stride)
    if divisor is not None:
        return means * (math.prod(kernel) / divisor)
    return means * shares.to(device=x.device, dtype=x.dtype)


def _same_pairs(x: Tensor, kernel: Sizes, stride: Sizes) -> list[tuple[int, int]]:
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
    who = f"AvgPool{len(kernel)}d"
    return _avg_pool(who, x, kernel, stride, pairs, ceil_mode, include_pad, divisor)


def _avg_pool_same_of_layer(
    x: Tensor, kernel: Any, stride: Any, include_pad: bool, divisor: int | None
) -> Tensor:
    who = f"AvgPool{len(kernel)}d"
    _check_rank(who, x, len(kernel))
    pairs = _same_pairs(x, kernel, stride)
    return _avg_pool(who, x, kernel, stride, pairs, False, include_pad, divisor)


#: ``avg_pool_layer(x, kernel, stride, pad pairs, ceil_mode, include_pad, divisor)``.
avg_pool_layer = layer_face("AvgPool", _avg_pool_of_layer, "AvgPool")
#: ``avg_pool_same_layer(x, kernel, stride, include_pad, divisor)``.
avg_pool_same_layer = layer_face("AvgPool", _avg_pool_same_of_layer, "AvgPool")


def _avg_pool_function(
    who: str,
    count: int,
    x: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: int | None,
) -> Tensor:
    kernel = int_tuple(who, "kernel_size", kernel_size, count)
    sides = 1 if count == 1 else 2 * count
    if isinstance(padding, (tuple, list)) and len(padding) != sides:
        raise ValueError(
            f"For '{who}', padding should be int or tuple of length {sides}, but got {padding!r}."
        )
    divisor = divisor_override or None
    if divisor is not None:
        integer(who, "divisor_override", divisor, 1)
    return _avg_pool(
        who,
        x,
        kernel,
        int_tuple(who, "stride", stride, count),
        pad_pairs(who, padding, count),
        ceil_mode,
        count_include_pad,
        divisor,
    )


def avg_pool_as_torch(
    who: str,
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
    kernel = int_tuple(who, "kernel_size", kernel_size, count)
    pads = int_tuple(who, "padding", padding, count, 0)
    pairs = tuple((p, p) for p in pads)
    steps = _steps(who, stride, kernel)
    return _avg_pool(who, x, kernel, steps, pairs, ceil_mode, count_include_pad, divisor)


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
    Raises ValueError: a wrong rank, size, or padding.
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
    Raises ValueError: a wrong rank, size, or padding.
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
    Raises ValueError: a wrong rank, size, or padding.
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


# ------------------------------------------------------------------------------ adaptive


def output_sizes(who: str, output_size: Any, count: int) -> tuple[int | None, ...]:
    """The sizes of an adaptive pooling's output, one per dimension; None keeps the input's."""
    if not isinstance(output_size, (tuple, list)):
        output_size = (output_size,) * count
    if len(output_size) != count:
        raise ValueError(
            f"For '{who}', the 'length of output_size' must be {count}, but got {len(output_size)}."
        )
    for i, n in enumerate(output_size):
        if n is None:
            continue
        if type(n) is not int:
            raise TypeError(
                f"For '{who}', the type of 'output_size[{i}]' should be one of '['int', "
                f"'NoneType']', but got type '{type(n).__name__}'."
            )
        if n < 0:
            raise ValueError(
                f"For '{who}', the argument 'output_size[{i}]' must >= 0, but got {n}."
            )
    return tuple(output_size)


def _resolved(who: str, x: Tensor, output_size: Any, count: int) -> Any:
    sizes = output_sizes(who, output_size, count)
    _check_rank(who, x, count)
    return [
        n if wanted is None else wanted for n, wanted in zip(x.shape[-count:], sizes, strict=True)
    ]


@op(
    mint="nn.functional.adaptive_avg_pool1d",
    samples=("f(1, 2, 6), 3", "f(2, 5), 2"),
    errors=(("f(1, 1, 6), 0", ValueError, "output_size"), ("f(6), 2", ValueError, "shape")),
)
def adaptive_avg_pool1d(input: Tensor, output_size: int) -> Tensor:
    r"""Means over as many windows as asked for.

    Window i reaches from :math:`\lfloor i L / out \rfloor` to :math:`\lceil (i+1) L / out \rceil`.

    Args:
        input (Tensor): shape :math:`(N, C, L)` or :math:`(C, L)`.
        output_size (int): number of windows.

    Returns: Tensor of shape :math:`(N, C, output\_size)`.
    Raises ValueError: a wrong rank, or a size below 1.
    Difference from PyTorch: none. (MindSpore 2.10 takes only divisors of L.)

    >>> print(ms.ops.adaptive_avg_pool1d(ms.Tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2))
    [[[2. 6.]]]
    """
    integer("adaptive_avg_pool1d", "output_size", output_size, 1)
    _check_rank("adaptive_avg_pool1d", input, 1)
    return torch.adaptive_avg_pool1d(input, output_size)


def _check_sizes(prim: Any) -> None:
    output_sizes(prim.name, prim.output_size, 2 if prim.name.endswith("2D") else 3)


@family(
    "adaptive_avg_pool<#>d",
    dims=(2, 3),
    primitive="AdaptiveAvgPool<#>D(output_size)(x: input)",
    mint="nn.functional.adaptive_avg_pool<#>d",
    samples=(
        "f(1, 2, <4, ...>), 3",
        "f(1, 2, <5, ...>), (<2, None|2, None, 1>)",
        "f(2, <5, ...>), 2",
    ),
    errors=(
        ("f(1, 1, <4, ...>), (<3, 2, 1|3, 2>)", ValueError, "length of output_size"),
        ("f(1, 1, <4, ...>), -1", ValueError, "must >= 0"),
        ("f(1, 1, <4, ...>), (<2, 'a'|2, 'a', 2>)", TypeError, "output_size[1]"),
        ("f(4, 4), 2", ValueError, "shape"),
    ),
    setup=_check_sizes,
)
def adaptive_avg_pool(input: Tensor, output_size: Any, *, _dims: int, _op_name: str = "") -> Tensor:
    r"""Means over as many windows as asked for, over <two|three> dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, <H, W|D, H, W>)` or :math:`(C, <H, W|D, H, W>)`.
        output_size (Union[int, tuple]): <height|depth, height> and width of the output; None keeps
            the input's.

    Returns: Tensor of shape :math:`(N, C, <H_{out}, W_{out}|D_{out}, H_{out}, W_{out}>)`.
    Raises ValueError: a wrong rank or size.
    Raises TypeError: a size is neither int nor None.

    >>> x = ms.ops.arange(<4|8>).float().reshape((1, 1, <2, ...>))
    >>> print(ms.ops.adaptive_avg_pool<#>d(x, 1).reshape(-1))
    [<1.5|3.5>]
    """
    sizes = _resolved(_op_name, input, output_size, _dims)
    return (F.adaptive_avg_pool2d if _dims == 2 else F.adaptive_avg_pool3d)(input, sizes)


@op(
    samples=("f(1, 2, 6), 3", "f(2, 5), 2"),
    errors=(("f(1, 1, 6), 0", ValueError, "output_size"), ("f(6), 2", ValueError, "shape")),
)
def adaptive_max_pool1d(input: Tensor, output_size: int) -> Tensor:
    r"""Maxima over as many windows as asked for; windows as in ``ops.adaptive_avg_pool1d``.

    Args:
        input (Tensor): shape :math:`(N, C, L)` or :math:`(C, L)`.
        output_size (int): number of windows.

    Returns: Tensor of shape :math:`(N, C, output\_size)`.
    Raises ValueError: a wrong rank, or a size below 1.
    Difference from PyTorch: none. (MindSpore 2.10 takes only divisors of L.)

    >>> print(ms.ops.adaptive_max_pool1d(ms.Tensor([[[1.0, 3.0, 5.0, 7.0]]]), 2))
    [[[3. 7.]]]
    """
    integer("adaptive_max_pool1d", "output_size", output_size, 1)
    _check_rank("adaptive_max_pool1d", input, 1)
    return F.adaptive_max_pool1d(input, output_size)


@op(
    mint=("nn.functional.adaptive_max_pool2d",),
    samples=("f(1, 2, 6, 6), 3", "f(1, 2, 5, 4), (2, None), True"),
    errors=(("f(1, 1, 4, 4), (3, 2, 1)", ValueError, "length of output_size"),),
)
def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    r"""Maxima over as many windows as asked for, over two dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        output_size (Union[int, tuple]): height and width of the output; None keeps the input's.
        return_indices (bool): whether the maxima's places are returned, too. Default: False.

    Returns: Tensor of shape :math:`(N, C, H_{out}, W_{out})`; with `return_indices` a pair of it
        and the int64 places, each counted within its plane.
    Raises ValueError: a wrong rank or size.
    Raises TypeError: a size is neither int nor None.

    >>> print(ms.ops.adaptive_max_pool2d(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), 1))
    [[[[4.]]]]
    """
    sizes = _resolved("adaptive_max_pool2d", input, output_size, 2)
    return F.adaptive_max_pool2d(input, sizes, return_indices)


@op(
    samples=("f(1, 2, 4, 4, 4), 2", "f(1, 2, 3, 4, 5), (2, None, 1), True"),
    errors=(("f(1, 1, 4, 4, 4), (3, 2)", ValueError, "length of output_size"),),
)
def adaptive_max_pool3d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    r"""Maxima over as many windows as asked for, over three dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        output_size (Union[int, tuple]): depth, height and width of the output; None keeps the
            input's.
        return_indices (bool): whether the maxima's places are returned, too. Default: False.

    Returns: Tensor of shape :math:`(N, C, D_{out}, H_{out}, W_{out})`; with `return_indices` a pair
        of it and the int32 places.
    Raises ValueError: a wrong rank or size.
    Raises TypeError: a size is neither int nor None.
    Difference from PyTorch: the places are int32, there int64.

    >>> ms.ops.adaptive_max_pool3d(ms.ops.ones((1, 1, 4, 4, 4)), 2).shape
    (1, 1, 2, 2, 2)
    """
    sizes = _resolved("adaptive_max_pool3d", input, output_size, 3)
    if output_size == 0 or (isinstance(output_size, (tuple, list)) and 0 in output_size):
        raise ValueError(
            f"For 'adaptive_max_pool3d', the 'output_size' must be > 0, but got {output_size}."
        )
    if not return_indices:
        return F.adaptive_max_pool3d(input, sizes)
    values, places = F.adaptive_max_pool3d(input, sizes, True)
    return values, places.int()


# -------------------------------------------------------------------------- power means


def _lp_pool(
    who: str, count: int, x: Tensor, norm_type: float, kernel_size: Any, stride: Any, ceil: bool
) -> Tensor:
    if number(who, "norm_type", norm_type) == 0:
        raise ValueError(f"For '{who}', 'norm_type' must not be 0.")
    kernel = int_tuple(who, "kernel_size", kernel_size, count)
    steps = _steps(who, stride, kernel)
    if not (x.is_floating_point() or x.is_complex()):
        x = x.to(torch.float32)  # the mean of integers would be rounded
    means = _avg_pool(who, x.pow(norm_type), kernel, steps, ((0, 0),) * count, ceil, True, None)
    sums = torch.sign(means) * torch.relu(means.abs()) * math.prod(kernel)
    return sums.pow(1.0 / norm_type)


@op(
    samples=("p(1, 2, 6), 2, 3", "p(1, 2, 7), 3, 2, 1, True", "f(2, 6), 1, 3"),
    errors=(("f(1, 1, 6), 0, 3", ValueError, "norm_type"), ("f(6), 2, 3", ValueError, "shape")),
)
def lp_pool1d(
    x: Tensor,
    norm_type: float,
    kernel_size: int,
    stride: int | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    r"""Power sum of every window over one dimension: :math:`(\sum_k x_k^p)^{1/p}`.

    Args:
        x (Tensor): shape :math:`(N, C, L)` or :math:`(C, L)`.
        norm_type (Union[int, float]): :math:`p`, not 0.
        kernel_size (int): size of the window.
        stride (int): step of the window. Default: None, the kernel's size.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.

    Returns: Tensor of shape :math:`(N, C, L_{out})`.
    Raises ValueError: `norm_type` is 0, or a wrong rank or size.
    Source: Boureau et al. 2010, "A Theoretical Analysis of Feature Pooling in Visual Recognition".

    >>> print(ms.ops.lp_pool1d(ms.Tensor([[[3.0, 4.0]]]), 2, 2))
    [[[5.]]]
    """
    return _lp_pool("lp_pool1d", 1, x, norm_type, kernel_size, stride, ceil_mode)


@op(
    samples=("p(1, 2, 4, 4), 2, 2", "p(1, 2, 5, 5), 3, (2, 3), 2, True"),
    errors=(("f(1, 1, 6, 6), 0, 3", ValueError, "norm_type"),),
)
def lp_pool2d(
    x: Tensor,
    norm_type: float,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    r"""Power sum of every window over two dimensions: :math:`(\sum_k x_k^p)^{1/p}`.

    Args:
        x (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        norm_type (Union[int, float]): :math:`p`, not 0.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.

    Returns: Tensor of shape :math:`(N, C, H_{out}, W_{out})`.
    Raises ValueError: `norm_type` is 0, or a wrong rank or size.
    Source: Boureau et al. 2010, "A Theoretical Analysis of Feature Pooling in Visual Recognition".

    >>> print(ms.ops.lp_pool2d(ms.Tensor([[[[3.0], [4.0]]]]), 2, (2, 1)))
    [[[[5.]]]]
    """
    return _lp_pool("lp_pool2d", 2, x, norm_type, kernel_size, stride, ceil_mode)


# ------------------------------------------------------------------------------ the way back

_UNPOOL: tuple[Any, ...] = (None, F.max_unpool1d, F.max_unpool2d, F.max_unpool3d)


def _max_unpool(
    who: str,
    count: int,
    x: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    output_size: Any,
) -> Tensor:
    _check_rank(who, x, count)
    if indices.shape != x.shape:
        raise ValueError(
            f"For '{who}', the indices must have the input's shape {tuple(x.shape)}, but got "
            f"{tuple(indices.shape)}."
        )
    if indices.is_floating_point() or indices.dtype is torch.bool:
        raise TypeError(f"For '{who}', the indices must be int32 or int64 integers.")
    kernel = int_tuple(who, "kernel_size", kernel_size, count)
    steps = _steps(who, stride, kernel)
    pads = int_tuple(who, "padding", padding, count, 0)
    sizes = list(output_size[-count:]) if output_size else None
    if sizes is None:
        sizes = [
            (n - 1) * s - 2 * p + k
            for n, s, p, k in zip(x.shape[-count:], steps, pads, kernel, strict=True)
        ]
    room = math.prod(sizes)
    if any_outside(indices, 0, room):
        raise RuntimeError(
            f"For '{who}', the indices must lie in [0, {room}), the elements of an output plane, "
            f"but got values from {int(indices.min())} to {int(indices.max())}."
        )
    return _UNPOOL[count](x, indices.long(), kernel, steps, pads, sizes)


@family(
    "max_unpool<#>d",
    mint=("<|nn.functional.max_unpool2d|>",),
    spelled={"mint.nn.functional.max_unpool<#>d": {"x": "input"}},
    samples=(
        "f(1, 1, <1|1, 1|1, 1, 1>), T(torch.full((1, 1, <1, ...>), 1)), 2",
        "f(1, <1, ...>), T(torch.zeros(1, <1, ...>).long()), 3, 2, 0, (1, <3, ...>)",
        "f(1, 2, <1, ...>), T(torch.arange(2).view(1, 2, <1, ...>)), 2",
    ),
    errors=(
        ("f(1, 1, <1, ...>), T(torch.full((1, 1, <1, ...>), 99)), 2", RuntimeError, "indices"),
        ("f(1, 1, <1, ...>), T(torch.ones(1, <1, ...>).long()), 2", ValueError, "shape"),
    ),
)
def max_unpool(
    x: Tensor,
    indices: Tensor,
    kernel_size: int | Sequence[int],
    stride: int | Sequence[int] | None = None,
    padding: int | Sequence[int] = 0,
    output_size: Sequence[int] | None = None,
    *,
    _dims: int,
    _op_name: str = "",
) -> Tensor:
    r"""Put maxima<| of planes| of volumes> back to the places they came from; all others are zero.

    Args:
        x (Tensor): shape :math:`(N, C, <L|H, W|D, H, W>)` or :math:`(C, <L|H, W|D, H, W>)`.
        indices (Tensor): the places, integers of the same shape, counted within each
            <row|plane|volume>.
        kernel_size (Union[int, tuple[int]]): size of the window of the pooling.
        stride (Union[int, tuple[int]]): its step. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): its padding. Default: 0.
        output_size (tuple[int]): the shape of the result. Default: None, worked out.

    Returns: Tensor of shape
        :math:`(N, C, <L_{out}|H_{out}, W_{out}|D_{out}, H_{out}, W_{out}>)`.
    Raises ValueError: a wrong rank or shape, or an `output_size` no pooling leads from.
    Raises RuntimeError: an index is out of range.
    Raises TypeError: the indices are no integers.
    Difference from PyTorch: an index out of range is found before anything is written.
    Source: Zeiler et al. 2011, "Adaptive Deconvolutional Networks".

    >>> x, places = ms.ops.full((1, 1, <1, ...>), 5.0), ms.ops.ones((1, 1, <1, ...>), ms.int32)
    >>> print(ms.ops.max_unpool<#>d(x, places, 2).reshape(-1))
    [<0. 5.|0. 5. 0. 0.|0. 5. 0. 0. 0. 0. 0. 0.>]
    """
    return _max_unpool(_op_name, _dims, x, indices, kernel_size, stride, padding, output_size)


# ------------------------------------------------------------------------------ fractional


def _fractions(who: str, x: Tensor, count: int, samples: Any) -> Tensor:
    batch = x.shape[0] if x.dim() == count + 2 else 1
    shape = (batch, x.shape[-count - 1], count)
    if samples is None:
        engine = random.make_engine("mt", random.next_pair(None, "rand"))
        return drawn(uniform_real, shape, engine, device=x.device).to(x.dtype)
    if tuple(samples.shape) != shape:
        raise ValueError(
            f"For '{who}', the random_samples must have shape {shape}, but got "
            f"{tuple(samples.shape)}."
        )
    return samples.detach().to(x.dtype)


def _fractional_sizes(who: str, x: Tensor, count: int, size: Any, ratio: Any) -> list[int]:
    if (size is None) == (ratio is None):
        raise ValueError(
            f"For '{who}', one of 'output_size' and 'output_ratio' must be given, but got "
            f"output_size={size}, output_ratio={ratio}."
        )
    if size is not None:
        return list(int_tuple(who, "output_size", size, count))
    shares = ratio if isinstance(ratio, (tuple, list)) else (ratio,) * count
    if len(shares) != count:
        raise ValueError(f"For '{who}', 'output_ratio' must have {count} numbers, got {ratio!r}.")
    for share in shares:
        if not isinstance(share, float) or not 0 < share < 1:
            raise ValueError(
                f"For '{who}', 'output_ratio' must be floats in (0, 1), but got {ratio!r}."
            )
    return [int(n * share) for n, share in zip(x.shape[-count:], shares, strict=True)]


def _fractional(
    who: str,
    count: int,
    x: Tensor,
    kernel_size: Any,
    output_size: Any,
    output_ratio: Any,
    return_indices: bool,
    samples: Tensor | None,
) -> Any:
    _check_rank(who, x, count)
    kernel = int_tuple(who, "kernel_size", kernel_size, count)
    sizes = _fractional_sizes(who, x, count, output_size, output_ratio)
    for n, k, out in zip(x.shape[-count:], kernel, sizes, strict=True):
        if out < 1 or out + k - 1 > n:
            raise ValueError(
                f"For '{who}', windows of size {kernel} do not give an output of size {sizes} from "
                f"an input of shape {tuple(x.shape)}."
            )
    pool: Any = F.fractional_max_pool2d if count == 2 else F.fractional_max_pool3d
    fractions = _fractions(who, x, count, samples)
    return pool(
        x,
        kernel,
        output_size=sizes,
        return_indices=return_indices,
        _random_samples=fractions,
    )


@op(
    samples=("f(1, 2, 7, 7), 2, 3", "f(1, 1, 5, 5), 2, None, (0.5, 0.5), True, u(1, 1, 2)"),
    errors=(
        ("f(1, 1, 7, 7), 2", ValueError, "one of"),
        ("f(1, 1, 7, 7), 2, None, 1.5", ValueError, "output_ratio"),
        ("f(1, 1, 3, 3), 2, 3", ValueError, "do not give"),
        ("f(7, 7), 2, 3", ValueError, "shape"),
    ),
    differentiable=False,  # every call draws other windows
    tags=("random",),
)
def fractional_max_pool2d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    r"""Largest element of windows that are spread at random over two dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        kernel_size (Union[int, tuple[int]]): size of a window.
        output_size (Union[int, tuple[int]]): sizes of the output. Default: None.
        output_ratio (Union[float, tuple[float]]): sizes of the output as shares of the input's, in
            (0, 1). Default: None. One of the two must be given.
        return_indices (bool): whether the maxima's places are returned, too. Default: False.
        _random_samples (Tensor): numbers in [0, 1) that fix the windows, shape :math:`(N, C, 2)`.
            Default: None, drawn.

    Returns: Tensor of the maxima; with `return_indices` a pair of it and the int64 places.
    Raises ValueError: neither or both sizes are given, or they do not fit the input.
    Difference from PyTorch: other random numbers.
    Source: Graham 2015, "Fractional Max-Pooling".

    >>> ms.ops.fractional_max_pool2d(ms.ops.ones((1, 1, 7, 7)), 2, output_size=3).shape
    (1, 1, 3, 3)
    """
    return _fractional(
        "fractional_max_pool2d",
        2,
        input,
        kernel_size,
        output_size,
        output_ratio,
        return_indices,
        _random_samples,
    )


@op(
    samples=("f(1, 1, 5, 5, 5), 2, 3", "f(1, 1, 5, 5, 5), 2, (2, 2, 2), None, True, u(1, 1, 3)"),
    errors=(("f(1, 1, 7, 7, 7), 2", ValueError, "one of"),),
    differentiable=False,  # every call draws other windows
    tags=("random",),
)
def fractional_max_pool3d(
    input: Tensor,
    kernel_size: int | Sequence[int],
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Any:
    r"""Largest element of windows that are spread at random over three dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        kernel_size (Union[int, tuple[int]]): size of a window.
        output_size (Union[int, tuple[int]]): sizes of the output. Default: None.
        output_ratio (Union[float, tuple[float]]): sizes of the output as shares of the input's, in
            (0, 1). Default: None. One of the two must be given.
        return_indices (bool): whether the maxima's places are returned, too. Default: False.
        _random_samples (Tensor): numbers in [0, 1) that fix the windows, shape :math:`(N, C, 3)`.
            Default: None, drawn.

    Returns: Tensor of the maxima; with `return_indices` a pair of it and the int64 places.
    Raises ValueError: neither or both sizes are given, or they do not fit the input.
    Difference from PyTorch: other random numbers.
    Source: Graham 2015, "Fractional Max-Pooling".

    >>> ms.ops.fractional_max_pool3d(ms.ops.ones((1, 1, 5, 5, 5)), 2, output_size=3).shape
    (1, 1, 3, 3, 3)
    """
    return _fractional(
        "fractional_max_pool3d",
        3,
        input,
        kernel_size,
        output_size,
        output_ratio,
        return_indices,
        _random_samples,
    )


# ------------------------------------------------------------------------------ primitives


def _checked_window(prim: Any, count: int, modes: tuple[str, ...]) -> None:
    int_tuple(prim.name, "kernel_size", prim.kernel_size, count)
    int_tuple(prim.name, "strides", prim.strides, count)
    if not isinstance(prim.pad_mode, str):
        raise TypeError(
            f"For '{prim.name}', the type of 'pad_mode' should be 'str', but got type "
            f"'{type(prim.pad_mode).__name__}'."
        )
    choice(prim.name, "pad_mode", prim.pad_mode.upper(), modes)


def _check_pool2d(prim: Any) -> None:
    _checked_window(prim, 2, ("VALID", "SAME"))


def _check_pool3d(prim: Any) -> None:
    _checked_window(prim, 3, ("VALID", "SAME", "PAD"))


def _first(who: str, x: Tensor, data_format: str, planar: str, last: str) -> Tensor:
    choice(who, "data_format", data_format, (planar, last))
    return x if data_format == planar else x.movedim(-1, 1)


def _back(x: Any, data_format: str, planar: str) -> Any:
    return x if data_format == planar else x.movedim(1, -1)


@primitive(
    "MaxPool",
    samples=(
        "f(1, 2, 4, 4), kernel_size=2, strides=2",
        "f(1, 2, 5, 5), kernel_size=3, strides=2, pad_mode='same'",
        "f(1, 4, 4, 2), kernel_size=2, strides=2, data_format='NHWC'",
    ),
    errors=(
        ("f(1, 2, 4, 4), kernel_size=0", ValueError, "kernel_size"),
        ("f(1, 2, 4, 4), pad_mode='pad'", ValueError, "pad_mode"),
    ),
    setup=_check_pool2d,
)
def _max_pool_primitive(
    x: Tensor,
    *,
    kernel_size: Any = 1,
    strides: Any = 1,
    pad_mode: str = "valid",
    data_format: str = "NCHW",
) -> Tensor:
    """Largest element of every window over two dimensions; see ``nn.MaxPool2d``.

    Args:
        x (Tensor): shape (N, C, H, W), or (N, H, W, C) in format NHWC.
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        strides (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` or ``same``, in any case of letters. Default: ``"valid"``.
        data_format (str): ``NCHW`` or ``NHWC``. Default: ``"NCHW"``.

    Returns: Tensor of the maxima.
    Raises ValueError: an option is out of range, or the input has another rank.
    Difference from PyTorch: ``torch.nn.functional.max_pool2d`` is a function.

    >>> print(ms.ops.MaxPool(2, 2)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
    [[[[4.]]]]
    """
    kernel = int_tuple("MaxPool", "kernel_size", kernel_size, 2)
    steps = int_tuple("MaxPool", "strides", strides, 2)
    x = _first("MaxPool", x, data_format, "NCHW", "NHWC")
    if pad_mode.upper() == "SAME":
        out = _max_pool_same("MaxPool", x, kernel, steps)
    else:
        out = _max_pool("MaxPool", x, kernel, steps, (0, 0), (1, 1), False, False)
    return _back(out, data_format, "NCHW")


@primitive(
    "AvgPool",
    samples=(
        "f(1, 2, 4, 4), kernel_size=2, strides=2",
        "f(1, 2, 5, 5), kernel_size=2, strides=2, pad_mode='SAME'",
    ),
    errors=(("f(1, 2, 4, 4), strides=0", ValueError, "strides"),),
    setup=_check_pool2d,
)
def _avg_pool_primitive(
    x: Tensor,
    *,
    kernel_size: Any = 1,
    strides: Any = 1,
    pad_mode: str = "VALID",
    data_format: str = "NCHW",
) -> Tensor:
    """Mean of every window over two dimensions; see ``nn.AvgPool2d``.

    Args:
        x (Tensor): shape (N, C, H, W), or (N, H, W, C) in format NHWC.
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        strides (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` or ``same``, in any case of letters. Default: ``"VALID"``.
        data_format (str): ``NCHW`` or ``NHWC``. Default: ``"NCHW"``.

    Returns: Tensor of the means.
    Raises ValueError: an option is out of range, or the input has another rank.
    Difference from PyTorch: ``torch.nn.functional.avg_pool2d`` is a function.

    >>> print(ms.ops.AvgPool(2, 2)(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])))
    [[[[2.5]]]]
    """
    kernel = int_tuple("AvgPool", "kernel_size", kernel_size, 2)
    steps = int_tuple("AvgPool", "strides", strides, 2)
    x = _first("AvgPool", x, data_format, "NCHW", "NHWC")
    _check_rank("AvgPool", x, 2)
    same = pad_mode.upper() == "SAME"
    pairs = _same_pairs(x, kernel, steps) if same else ((0, 0), (0, 0))
    out = _avg_pool("AvgPool", x, kernel, steps, pairs, False, not same, None)
    return _back(out, data_format, "NCHW")


@primitive(
    "MaxPool3D",
    samples=(
        "f(1, 1, 4, 4, 4), kernel_size=2, strides=2",
        "f(1, 1, 3, 3, 3), kernel_size=2, strides=2, pad_mode='SAME'",
        "f(1, 1, 3, 3, 3), kernel_size=2, pad_mode='PAD', pad_list=1, ceil_mode=True",
    ),
    errors=(("f(1, 1, 4, 4, 4), pad_mode='foo'", ValueError, "pad_mode"),),
    setup=_check_pool3d,
)
def _max_pool3d_primitive(
    x: Tensor,
    *,
    kernel_size: Any = 1,
    strides: Any = 1,
    pad_mode: str = "VALID",
    pad_list: Any = 0,
    ceil_mode: bool | None = None,
    data_format: str = "NCDHW",
) -> Tensor:
    """Largest element of every window over three dimensions; see ``nn.MaxPool3d``.

    Args:
        x (Tensor): shape (N, C, D, H, W).
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        strides (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid``, ``same`` or ``pad``, in any case of letters. Default:
            ``"VALID"``.
        pad_list (Union[int, tuple[int]]): minus infinity on both sides, in mode ``pad``; one
            number, three, or one for each side. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count, in mode ``pad``. Default:
            None, False.
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.

    Returns: Tensor of the maxima.
    Raises ValueError: an option is out of range, or the input has another rank.
    Difference from PyTorch: ``torch.nn.functional.max_pool3d`` is a function.

    >>> ms.ops.MaxPool3D(2, 2)(ms.ops.ones((1, 1, 4, 4, 4))).shape
    (1, 1, 2, 2, 2)
    """
    who = "MaxPool3D"
    choice(who, "data_format", data_format, ("NCDHW",))
    kernel = int_tuple(who, "kernel_size", kernel_size, 3)
    steps = int_tuple(who, "strides", strides, 3)
    mode = pad_mode.upper()
    if mode == "SAME":
        return _max_pool_same(who, x, kernel, steps)
    pairs = pad_pairs(who, pad_list, 3)
    if mode == "VALID" and any(map(any, pairs)):
        raise ValueError(f"For '{who}', 'pad_list' must be zero when 'pad_mode' is not 'pad'.")
    if any(a != b for a, b in pairs):
        _check_rank(who, x, 3)
        x = F.pad(x, [n for pair in reversed(pairs) for n in pair], value=-math.inf)
        pairs = ((0, 0),) * 3
    both = tuple(a for a, _ in pairs)
    return _max_pool(who, x, kernel, steps, both, (1, 1, 1), bool(ceil_mode), False)


@primitive(
    "AvgPool3D",
    samples=(
        "f(1, 1, 4, 4, 4), kernel_size=2, strides=2",
        "f(1, 1, 3, 3, 3), kernel_size=2, strides=2, pad_mode='same'",
        "f(1, 1, 3, 3, 3), kernel_size=2, pad_mode='pad', pad=1, count_include_pad=False",
    ),
    errors=(("f(1, 1, 4, 4, 4), pad_mode='foo'", ValueError, "pad_mode"),),
    setup=_check_pool3d,
)
def _avg_pool3d_primitive(
    x: Tensor,
    *,
    kernel_size: Any = 1,
    strides: Any = 1,
    pad_mode: str = "valid",
    pad: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
    data_format: str = "NCDHW",
) -> Tensor:
    """Mean of every window over three dimensions; see ``nn.AvgPool3d``.

    Args:
        x (Tensor): shape (N, C, D, H, W).
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        strides (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid``, ``same`` or ``pad``, in any case of letters. Default:
            ``"valid"``.
        pad (Union[int, tuple[int]]): zeros in mode ``pad``: one number, three, or one for each
            side. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements; 0 for none.
            Default: 0.
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.

    Returns: Tensor of the means.
    Raises ValueError: an option is out of range, or the input has another rank.
    Difference from PyTorch: ``torch.nn.functional.avg_pool3d`` is a function.

    >>> ms.ops.AvgPool3D(2, 2)(ms.ops.ones((1, 1, 4, 4, 4))).shape
    (1, 1, 2, 2, 2)
    """
    who = "AvgPool3D"
    choice(who, "data_format", data_format, ("NCDHW",))
    kernel = int_tuple(who, "kernel_size", kernel_size, 3)
    steps = int_tuple(who, "strides", strides, 3)
    mode = pad_mode.upper()
    _check_rank(who, x, 3)
    pairs: Sequence[tuple[int, int]] = pad_pairs(who, pad, 3)
    if mode != "PAD" and any(map(any, pairs)):
        raise ValueError(
            f"For '{who}', the 'pad' must be zero when 'pad_mode' is not \"PAD\", but got 'pad' "
            f"{pad} and 'pad_mode' {pad_mode}."
        )
    if mode == "SAME":
        pairs, ceil_mode = _same_pairs(x, kernel, steps), False
    return _avg_pool(
        who, x, kernel, steps, pairs, ceil_mode, count_include_pad, divisor_override or None
    )


@primitive(
    "MaxPoolWithArgmax",
    samples=("f(1, 2, 4, 4), kernel_size=2, strides=2",),
    errors=(("f(1, 2, 4, 4), kernel_size=0", ValueError, "kernel_size"),),
    setup=_check_pool2d,
)
def _max_pool_with_argmax(
    x: Tensor,
    *,
    kernel_size: Any = 1,
    strides: Any = 1,
    pad_mode: str = "valid",
    data_format: str = "NCHW",
) -> tuple[Tensor, Tensor]:
    """Largest element of every window over two dimensions, and its place.

    Args:
        x (Tensor): shape (N, C, H, W).
        kernel_size (Union[int, tuple[int]]): size of the window. Default: 1.
        strides (Union[int, tuple[int]]): step of the window. Default: 1.
        pad_mode (str): ``valid`` or ``same``, in any case of letters. Default: ``"valid"``.
        data_format (str): ``NCHW``. Default: ``"NCHW"``.

    Returns: Pair of the maxima and their int32 places, counted through all planes of an image.
    Raises ValueError: an option is out of range, or the input has another rank.
    Difference from PyTorch: ``max_pool2d(return_indices=True)`` counts within each plane, in int64.

    >>> pool = ms.ops.MaxPoolWithArgmax(2, 2)
    >>> print(pool(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]))[1])
    [[[[3]]]]
    """
    who = "MaxPoolWithArgmax"
    choice(who, "data_format", data_format, ("NCHW",))
    _check_rank(who, x, 2)
    kernel = int_tuple(who, "kernel_size", kernel_size, 2)
    steps = int_tuple(who, "strides", strides, 2)
    height, width = x.shape[-2:]
    after = (0, 0)
    both: Sizes = (0, 0)
    if pad_mode.upper() == "SAME":
        pairs = _same_pairs(x, kernel, steps)
        both = tuple(a for a, _ in pairs)
        after = tuple(b - a for a, b in pairs)
        if any(after):
            x = F.pad(x, (0, after[1], 0, after[0]), value=-math.inf)
    values, places = _max_pool(who, x, kernel, steps, both, (1, 1), False, True)
    if after[1]:
        wide = x.shape[-1]
        places = places // wide * width + places % wide
    planes = torch.arange(x.shape[1], device=x.device).view(1, -1, 1, 1) * (height * width)
    return values, (places + planes).int()


def _check_argmax_type(prim: Any) -> None:
    kind = to_torch_dtype(prim.argmax_type, who="argmax_type")
    if kind not in (torch.int32, torch.int64):
        raise TypeError(
            f"For '{prim.name}', 'argmax_type' must be int32 or int64, but got {prim.argmax_type}."
        )


def _check_argmax_v2(prim: Any) -> None:
    int_tuple(prim.name, "kernel_size", prim.kernel_size, 2)
    _check_argmax_type(prim)


@primitive(
    "MaxPoolWithArgmaxV2",
    samples=("f(1, 2, 4, 4), kernel_size=2", "f(1, 2, 5, 5), kernel_size=3, strides=1, pads=1"),
    errors=(("f(1, 2, 4, 4), kernel_size=0", ValueError, "kernel_size"),),
    setup=_check_argmax_v2,
)
def _max_pool_with_argmax_v2(
    x: Tensor,
    *,
    kernel_size: Any,
    strides: Any = None,
    pads: Any = 0,
    dilation: Any = (1, 1),
    ceil_mode: bool = False,
    argmax_type: Any = "int64",
) -> tuple[Tensor, Tensor]:
    """Largest element of every window over two dimensions, and its place.

    Args:
        x (Tensor): shape (N, C, H, W).
        kernel_size (Union[int, tuple[int]]): size of the window.
        strides (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        pads (Union[int, tuple[int]]): minus infinity on both sides. Default: 0.
        dilation (Union[int, tuple[int]]): distance between the elements of a window. Default:
            (1, 1).
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        argmax_type (mindspore.dtype): type of the places, ``int32`` or ``int64``. Default:
            ``int64``.

    Returns: Pair of the maxima and their places, counted within each plane.
    Raises ValueError: an option is out of range, or the input has another rank.
    Difference from PyTorch: ``max_pool2d(return_indices=True)`` counts in int64.

    >>> pool = ms.ops.MaxPoolWithArgmaxV2(2)
    >>> print(pool(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]))[1])
    [[[[3]]]]
    """
    who = "MaxPoolWithArgmaxV2"
    values, places = _max_pool_function(
        who, 2, x, kernel_size, strides, pads, dilation, ceil_mode, True
    )
    return values, places.to(to_torch_dtype(argmax_type))


def _spread(prim: Any, count: int, *names: str, minimum: int = 1) -> None:
    """Make ints into tuples of `count` ints, as the primitive is printed."""
    for name in names:
        value = int_tuple(prim.name, name, getattr(prim, name), count, minimum)
        setattr(prim, name, value)
        prim.add_prim_attr(name, value)


def _check_argmax_3d(prim: Any) -> None:
    choice(prim.name, "data_format", prim.data_format, ("NCDHW",))
    _spread(prim, 3, "ksize", "strides", "dilation")
    _spread(prim, 3, "pads", minimum=0)
    boolean(prim.name, "ceil_mode", prim.ceil_mode)
    _check_argmax_type(prim)


@primitive(
    "MaxPool3DWithArgmax",
    samples=(
        "f(1, 2, 4, 4, 4), ksize=2, strides=2, pads=0",
        "f(1, 1, 3, 4, 3), ksize=(2, 3, 2), strides=1, pads=1, ceil_mode=True",
    ),
    errors=(
        ("f(1, 2, 4, 4, 4), ksize=0, strides=1, pads=0", ValueError, "ksize"),
        ("f(2, 4, 4, 4), ksize=2, strides=1, pads=0", ValueError, "5"),
        ("f(1, 1, 4, 4, 4), ksize=2, strides=1, pads=2", ValueError, "pad"),
        ("f(1, 1, 4, 4, 4), ksize=2, strides=1, pads=0, data_format='N'", ValueError, "format"),
    ),
    setup=_check_argmax_3d,
)
def _max_pool_3d_with_argmax(
    x: Tensor,
    *,
    ksize: Any,
    strides: Any,
    pads: Any,
    dilation: Any = (1, 1, 1),
    ceil_mode: bool = False,
    data_format: str = "NCDHW",
    argmax_type: Any = "int64",
) -> tuple[Tensor, Tensor]:
    """Largest element of every window over three dimensions, and its place.

    Args:
        x (Tensor): shape (N, C, D, H, W).
        ksize (Union[int, tuple[int]]): size of the window.
        strides (Union[int, tuple[int]]): step of the window.
        pads (Union[int, tuple[int]]): minus infinity on both sides, at most half the window.
        dilation (Union[int, tuple[int]]): distance between the elements of a window. Default:
            (1, 1, 1).
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.
        argmax_type (mindspore.dtype): type of the places, ``int32`` or ``int64``. Default:
            ``int64``.

    Returns: Pair of the maxima and their places, counted within each volume.
    Raises TypeError: an option has a wrong type.
    Raises ValueError: an option is beyond its bounds, or the input has another rank.
    Difference from PyTorch: ``max_pool3d(return_indices=True)`` counts in int64.

    >>> pool = ms.ops.MaxPool3DWithArgmax(2, 1, 0)
    >>> print(pool(ms.ops.arange(8.0).reshape((1, 1, 2, 2, 2)))[1])
    [[[[[7]]]]]
    """
    who = "MaxPool3DWithArgmax"
    if x.dim() != 5:
        raise ValueError(f"For '{who}', the rank of the input must be 5, but got {x.dim()}.")
    values, places = _max_pool(who, x, ksize, strides, pads, dilation, ceil_mode, True)
    return values, places.to(to_torch_dtype(argmax_type))


def _check_fixed_2d(prim: Any) -> None:
    choice(prim.name, "data_format", prim.data_format, ("NCHW",))
    _spread(prim, 2, "ksize", "output_shape")


def _check_fixed_3d(prim: Any) -> None:
    choice(prim.name, "data_format", prim.data_format, ("NCDHW", "NDHWC"))
    _spread(prim, 3, "ksize", "output_shape")


@primitive(
    "FractionalMaxPoolWithFixedKsize",
    samples=("f(1, 2, 6, 7), u(1, 2, 2), ksize=2, output_shape=(3, 4)",),
    errors=(
        ("f(1, 1, 5, 5), u(1, 1, 2), ksize=(2, 2, 2), output_shape=2", TypeError, "ksize"),
        ("f(1, 5, 5), u(1, 1, 2), ksize=2, output_shape=2", ValueError, "4"),
        ("f(1, 1, 5, 5), u(1, 2, 2), ksize=2, output_shape=2", ValueError, "random_samples"),
        ("f(1, 1, 5, 5), u(1, 1, 2), ksize=2, output_shape=5", ValueError, "output of size"),
    ),
    setup=_check_fixed_2d,
)
def _fractional_fixed_2d(
    input_x: Tensor,
    random_samples: Tensor,
    *,
    ksize: Any,
    output_shape: Any,
    data_format: str = "NCHW",
) -> tuple[Tensor, Tensor]:
    """Largest element of windows over two dimensions whose places given numbers fix.

    Args:
        input_x (Tensor): shape (N, C, H, W).
        random_samples (Tensor): numbers in [0, 1), shape (N, C, 2).
        ksize (Union[int, tuple[int]]): size of a window.
        output_shape (Union[int, tuple[int]]): height and width of the output.
        data_format (str): ``NCHW``. Default: ``"NCHW"``.

    Returns: Pair of the maxima and their int64 places, counted within each plane.
    Raises TypeError: a size is no int, or no tuple of as many as there are dimensions.
    Raises ValueError: an option is beyond its bounds, or shapes do not fit.
    Difference from PyTorch: ``fractional_max_pool2d(_random_samples=...)`` is a function.
    Source: Graham 2015, "Fractional Max-Pooling".

    >>> pool = ms.ops.FractionalMaxPoolWithFixedKsize(2, (2, 2))
    >>> x = ms.ops.arange(25.0).reshape((1, 1, 5, 5))
    >>> print(pool(x, ms.Tensor([[[0.3, 0.9]]]))[0])
    [[[[ 6.  9.]
       [21. 24.]]]]
    """
    who = "FractionalMaxPoolWithFixedKsize"
    if input_x.dim() != 4:
        raise ValueError(f"For '{who}', the rank of the input must be 4, but got {input_x.dim()}.")
    return _fractional(who, 2, input_x, ksize, output_shape, None, True, random_samples)


@primitive(
    "FractionalMaxPool3DWithFixedKsize",
    samples=(
        "f(1, 2, 5, 5, 6), u(1, 2, 3), ksize=2, output_shape=3",
        "f(1, 4, 4, 4, 2), u(1, 2, 3), ksize=2, output_shape=2, data_format='NDHWC'",
    ),
    errors=(
        ("f(1, 1, 4, 4, 4), u(1, 1, 3), ksize=2, output_shape=(2, 2)", TypeError, "output_shape"),
        ("f(4, 4), u(1, 1, 3), ksize=2, output_shape=2", ValueError, "3"),
    ),
    setup=_check_fixed_3d,
)
def _fractional_fixed_3d(
    x: Tensor,
    random_samples: Tensor,
    *,
    ksize: Any,
    output_shape: Any,
    data_format: str = "NCDHW",
) -> tuple[Tensor, Tensor]:
    """Largest element of windows over three dimensions whose places given numbers fix.

    Args:
        x (Tensor): shape (N, C, D, H, W), or without the batch.
        random_samples (Tensor): numbers in [0, 1), shape (N, C, 3).
        ksize (Union[int, tuple[int]]): size of a window.
        output_shape (Union[int, tuple[int]]): depth, height and width of the output.
        data_format (str): ``NCDHW``, or ``NDHWC`` with the channel last. Default: ``"NCDHW"``.

    Returns: Pair of the maxima and their int64 places, counted within each volume.
    Raises TypeError: a size is no int, or no tuple of as many as there are dimensions.
    Raises ValueError: an option is beyond its bounds, or shapes do not fit.
    Difference from PyTorch: ``fractional_max_pool3d(_random_samples=...)`` is a function.
    Source: Graham 2015, "Fractional Max-Pooling".

    >>> pool = ms.ops.FractionalMaxPool3DWithFixedKsize(2, 2)
    >>> x = ms.ops.arange(64.0).reshape((1, 1, 4, 4, 4))
    >>> print(pool(x, ms.Tensor([[[0.3, 0.9, 0.1]]]))[1][0, 0, 0])
    [[21 23]
     [29 31]]
    """
    who = "FractionalMaxPool3DWithFixedKsize"
    last = data_format == "NDHWC"
    planar = x.movedim(-1, -4) if last and x.dim() > 3 else x
    found = _fractional(who, 3, planar, ksize, output_shape, None, True, random_samples)
    return tuple(t.movedim(-4, -1) for t in found) if last else found


@primitive(
    "AdaptiveMaxPool2D",
    samples=("f(1, 2, 4, 4), output_size=2",),
    errors=(
        ("f(4, 4), output_size=2", ValueError, "length of the input's shape"),
        ("f(1, 2, 4, 4), output_size=(2, 2, 2)", ValueError, "output_size"),
        ("f(1, 2, 4, 4), output_size=2.5", TypeError, "output_size"),
    ),
    setup=_check_sizes,
)
def _adaptive_max_pool2d_primitive(input: Tensor, *, output_size: Any) -> tuple[Tensor, Tensor]:
    """Maxima over as many windows as asked for, and their places.

    Args:
        input (Tensor): shape (N, C, H, W) or (C, H, W).
        output_size (Union[int, tuple]): height and width of the output; None keeps the input's.

    Returns: Pair of the maxima and their int64 places.
    Difference from PyTorch: ``adaptive_max_pool2d(return_indices=True)`` is a function.

    >>> ms.ops.AdaptiveMaxPool2D(2)(ms.ops.ones((1, 1, 4, 4)))[1].shape
    (1, 1, 2, 2)
    """
    return adaptive_max_pool2d(input, output_size, True)


@primitive(
    "AdaptiveMaxPool3D",
    samples=("f(1, 2, 4, 4, 4), (2, 2, 2)",),
    errors=(
        ("f(4, 4), (2, 2, 2)", ValueError, "length of the input's shape"),
        ("f(1, 2, 4, 4, 4), (2, 2)", ValueError, "output_size"),
        ("f(1, 2, 4, 4, 4), (0, 2, 2)", ValueError, "output_size"),
    ),
)
def _adaptive_max_pool3d_primitive(x: Tensor, output_size: Any) -> tuple[Tensor, Tensor]:
    """Maxima over as many windows as asked for, and their places.

    Args:
        x (Tensor): shape (N, C, D, H, W) or (C, D, H, W).
        output_size (Union[Tensor, tuple[int]]): depth, height and width of the output.

    Returns: Pair of the maxima and their int32 places.
    Difference from PyTorch: ``adaptive_max_pool3d(return_indices=True)`` counts in int64.

    >>> ms.ops.AdaptiveMaxPool3D()(ms.ops.ones((1, 1, 4, 4, 4)), (2, 2, 2))[0].shape
    (1, 1, 2, 2, 2)
    """
    return adaptive_max_pool3d(x, output_size, True)


def _unpool_primitive(
    who: str, count: int, x: Tensor, places: Tensor, ksize: Any, strides: Any, pads: Any, size: Any
) -> Tensor:
    last = [
        tuple(v)[-count:] if isinstance(v, (tuple, list)) else v for v in (ksize, strides, pads)
    ]
    kernel, steps, sides = last
    return _max_unpool(who, count, x, places, kernel, steps or None, sides, tuple(size) or None)


@primitive(
    "MaxUnpool2D",
    samples=("f(1, 1, 1, 1), T([[[[2]]]]), ksize=2",),
    errors=(
        ("f(1, 1), T([[2]]), ksize=2", ValueError, "length of the input's shape"),
        ("f(1, 1, 1, 1), T([[[[4]]]]), ksize=2", RuntimeError, "indices"),
        ("f(1, 1, 1, 1), T([[[[2.0]]]]), ksize=2", TypeError, "indices"),
    ),
)
def _max_unpool2d_primitive(
    x: Tensor,
    argmax: Tensor,
    *,
    ksize: Any,
    strides: Any = 0,
    pads: Any = 0,
    output_shape: Any = (),
    data_format: str = "NCHW",
) -> Tensor:
    """Put maxima of planes back to the places they came from; see ``ops.max_unpool2d``.

    Args:
        x (Tensor): shape (N, C, H, W).
        argmax (Tensor): the places, integers of the same shape.
        ksize (Union[int, tuple[int]]): size of the window of the pooling.
        strides (Union[int, tuple[int]]): its step; 0 for the kernel's size. Default: 0.
        pads (Union[int, tuple[int]]): its padding. Default: 0.
        output_shape (tuple[int]): the shape of the result. Default: (), worked out.
        data_format (str): ``NCHW``. Default: ``"NCHW"``.

    Returns: Tensor with the maxima at their places.
    Raises ValueError: a wrong rank or shape.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: ``torch.nn.functional.max_unpool2d`` is a function.

    >>> unpool = ms.ops.MaxUnpool2D(2)
    >>> unpool(ms.ops.ones((1, 1, 1, 1)), ms.Tensor([[[[2]]]])).shape
    (1, 1, 2, 2)
    """
    choice("MaxUnpool2D", "data_format", data_format, ("NCHW",))
    return _unpool_primitive("MaxUnpool2D", 2, x, argmax, ksize, strides, pads, output_shape)


@primitive(
    "MaxUnpool3D",
    samples=("f(1, 1, 1, 1, 1), T([[[[[7]]]]]), ksize=2",),
    errors=(
        ("f(1, 1), T([[2]]), ksize=2", ValueError, "length of the input's shape"),
        ("f(1, 1, 1, 1, 1), T([[[[[8]]]]]), ksize=2", RuntimeError, "indices"),
        ("f(1, 1, 1, 1, 1), T([[[[[2.0]]]]]), ksize=2", TypeError, "indices"),
    ),
)
def _max_unpool3d_primitive(
    x: Tensor,
    argmax: Tensor,
    *,
    ksize: Any,
    strides: Any = 0,
    pads: Any = 0,
    output_shape: Any = (),
    data_format: str = "NCDHW",
) -> Tensor:
    """Put maxima of volumes back to the places they came from; see ``ops.max_unpool3d``.

    Args:
        x (Tensor): shape (N, C, D, H, W).
        argmax (Tensor): the places, integers of the same shape.
        ksize (Union[int, tuple[int]]): size of the window of the pooling.
        strides (Union[int, tuple[int]]): its step; 0 for the kernel's size. Default: 0.
        pads (Union[int, tuple[int]]): its padding. Default: 0.
        output_shape (tuple[int]): the shape of the result. Default: (), worked out.
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.

    Returns: Tensor with the maxima at their places.
    Raises ValueError: a wrong rank or shape.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: ``torch.nn.functional.max_unpool3d`` is a function.

    >>> unpool = ms.ops.MaxUnpool3D(2)
    >>> unpool(ms.ops.ones((1, 1, 1, 1, 1)), ms.Tensor([[[[[2]]]]])).shape
    (1, 1, 2, 2, 2)
    """
    choice("MaxUnpool3D", "data_format", data_format, ("NCDHW",))
    return _unpool_primitive("MaxUnpool3D", 3, x, argmax, ksize, strides, pads, output_shape)
