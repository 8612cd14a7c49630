"""Adaptive pooling, power means, unpooling and fractional pooling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core import random
from agar._core.random.draws import uniform_real
from agar.ops._checks import int_tuple, integer, number
from agar.ops.math.elementwise import any_outside
from agar.ops.nn.pooling import average_pool, check_rank, stride_or_kernel
from agar.ops.random.distributions import drawn
from agar.ops.spec import family, op

__all__: list[str] = [
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "check_sizes",
    "fractional_pool",
    "output_sizes",
    "unpooled",
]

# ------------------------------------------------------------------------------ adaptive


def output_sizes(op_name: str, output_size: Any, count: int) -> tuple[int | None, ...]:
    """The sizes of an adaptive pooling's output, one per dimension; None keeps the input's."""
    if not isinstance(output_size, (tuple, list)):
        output_size = (output_size,) * count
    if len(output_size) != count:
        raise ValueError(
            f"For '{op_name}', the 'length of output_size' must be {count}, but got "
            f"{len(output_size)}."
        )
    for i, n in enumerate(output_size):
        if n is None:
            continue
        if type(n) is not int:
            raise TypeError(
                f"For '{op_name}', the type of 'output_size[{i}]' should be one of '['int', "
                f"'NoneType']', but got type '{type(n).__name__}'."
            )
        if n < 0:
            raise ValueError(
                f"For '{op_name}', the argument 'output_size[{i}]' must >= 0, but got {n}."
            )
    return tuple(output_size)


def _resolved(op_name: str, x: Tensor, output_size: Any, count: int) -> Any:
    sizes = output_sizes(op_name, output_size, count)
    check_rank(op_name, x, count)
    return [n if item is None else item for n, item in zip(x.shape[-count:], sizes, strict=True)]


@op(
    mint="nn.functional.adaptive_avg_pool1d",
    samples=("f(1, 2, 6), 3", "f(2, 5), 2"),
    errors=(("f(1, 1, 6), 0", ValueError, "output_size"), ("f(6), 2", ValueError, "shape")),
)
def adaptive_avg_pool1d(input: Tensor, output_size: int) -> Tensor:
    r"""Means over a given number of windows.

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
    check_rank("adaptive_avg_pool1d", input, 1)
    return torch.adaptive_avg_pool1d(input, output_size)


def check_sizes(prim: Any) -> None:
    """Check the output sizes that a Primitive was given."""
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
    setup=check_sizes,
)
def adaptive_avg_pool(input: Tensor, output_size: Any, *, _dims: int, _op_name: str = "") -> Tensor:
    r"""Means over a given number of windows, over <two|three> dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, <H, W|D, H, W>)` or :math:`(C, <H, W|D, H, W>)`.
        output_size (Union[int, tuple]): <height|depth, height> and width of the output; None keeps
            the input's.

    Returns: Tensor of shape :math:`(N, C, <H_{out}, W_{out}|D_{out}, H_{out}, W_{out}>)`.
    Raises ValueError: the rank or a size is wrong.
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
    r"""Maxima over a given number of windows; windows as in ``ops.adaptive_avg_pool1d``.

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
    check_rank("adaptive_max_pool1d", input, 1)
    return F.adaptive_max_pool1d(input, output_size)


@op(
    mint=("nn.functional.adaptive_max_pool2d",),
    samples=("f(1, 2, 6, 6), 3", "f(1, 2, 5, 4), (2, None), True"),
    errors=(("f(1, 1, 4, 4), (3, 2, 1)", ValueError, "length of output_size"),),
)
def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    r"""Maxima over a given number of windows, over two dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        output_size (Union[int, tuple]): height and width of the output; None keeps the input's.
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.

    Returns: Tensor of shape :math:`(N, C, H_{out}, W_{out})`; with `return_indices` a pair of it
        and the indices (int64), each counted within its plane.
    Raises ValueError: the rank or a size is wrong.
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
    r"""Maxima over a given number of windows, over three dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        output_size (Union[int, tuple]): depth, height and width of the output; None keeps the
            input's.
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.

    Returns: Tensor of shape :math:`(N, C, D_{out}, H_{out}, W_{out})`; with `return_indices` a pair
        of it and the int32 places.
    Raises ValueError: the rank or a size is wrong.
    Raises TypeError: a size is neither int nor None.
    Difference from PyTorch: the indices are int32, there int64.

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
    op_name: str, count: int, x: Tensor, norm_type: float, kernel_size: Any, stride: Any, ceil: bool
) -> Tensor:
    if number(op_name, "norm_type", norm_type) == 0:
        raise ValueError(f"For '{op_name}', 'norm_type' must not be 0.")
    kernel = int_tuple(op_name, "kernel_size", kernel_size, count)
    steps = stride_or_kernel(op_name, stride, kernel)
    if not (x.is_floating_point() or x.is_complex()):
        x = x.float()  # the mean of integers would be rounded
    means = average_pool(
        op_name, x.pow(norm_type), kernel, steps, ((0, 0),) * count, ceil, True, None
    )
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


def unpooled(
    op_name: str,
    count: int,
    x: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    output_size: Any,
) -> Tensor:
    """Values put back to where they were the largest, zeros elsewhere."""
    check_rank(op_name, x, count)
    if indices.shape != x.shape:
        raise ValueError(
            f"For '{op_name}', the indices must have the input's shape {tuple(x.shape)}, but got "
            f"{tuple(indices.shape)}."
        )
    if indices.is_floating_point() or indices.dtype is torch.bool:
        raise TypeError(f"For '{op_name}', the indices must be int32 or int64 integers.")
    kernel = int_tuple(op_name, "kernel_size", kernel_size, count)
    steps = stride_or_kernel(op_name, stride, kernel)
    pads = int_tuple(op_name, "padding", padding, count, 0)
    sizes = list(output_size[-count:]) if output_size else None
    if sizes is None:
        sizes = [
            (n - 1) * s - 2 * p + k
            for n, s, p, k in zip(x.shape[-count:], steps, pads, kernel, strict=True)
        ]
    room = math.prod(sizes)
    if any_outside(indices, 0, room):
        raise RuntimeError(
            f"For '{op_name}', the indices must lie in [0, {room}), the elements of an output "
            f"plane, but got values from {int(indices.min())} to {int(indices.max())}."
        )
    return _UNPOOL[count](x, indices.long(), kernel, steps, pads, sizes)


@family(
    "max_unpool<#>d",
    mint=("<|nn.functional.max_unpool2d|>",),
    renamed={"mint.nn.functional.max_unpool<#>d": {"x": "input"}},
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
    r"""Put maxima<| of planes| of volumes> back to where they came from; all others are zero.

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
    Raises TypeError: the indices are not integers.
    Difference from PyTorch: an index out of range is found before anything is written.
    Source: Zeiler et al. 2011, "Adaptive Deconvolutional Networks".

    >>> x, places = ms.ops.full((1, 1, <1, ...>), 5.0), ms.ops.ones((1, 1, <1, ...>), ms.int32)
    >>> print(ms.ops.max_unpool<#>d(x, places, 2).reshape(-1))
    [<0. 5.|0. 5. 0. 0.|0. 5. 0. 0. 0. 0. 0. 0.>]
    """
    return unpooled(_op_name, _dims, x, indices, kernel_size, stride, padding, output_size)


# ------------------------------------------------------------------------------ fractional


def _fractions(op_name: str, x: Tensor, count: int, samples: Any) -> Tensor:
    batch = x.shape[0] if x.dim() == count + 2 else 1
    shape = (batch, x.shape[-count - 1], count)
    if samples is None:
        engine = random.make_engine("mt", random.next_pair(None, "rand"))
        return drawn(uniform_real, shape, engine, device=x.device).to(x.dtype)
    if tuple(samples.shape) != shape:
        raise ValueError(
            f"For '{op_name}', the random_samples must have shape {shape}, but got "
            f"{tuple(samples.shape)}."
        )
    return samples.detach().to(x.dtype)


def _fractional_sizes(op_name: str, x: Tensor, count: int, size: Any, ratio: Any) -> list[int]:
    if (size is None) == (ratio is None):
        raise ValueError(
            f"For '{op_name}', one of 'output_size' and 'output_ratio' must be given, but got "
            f"output_size={size}, output_ratio={ratio}."
        )
    if size is not None:
        return list(int_tuple(op_name, "output_size", size, count))
    shares = ratio if isinstance(ratio, (tuple, list)) else (ratio,) * count
    if len(shares) != count:
        raise ValueError(
            f"For '{op_name}', 'output_ratio' must have {count} numbers, got {ratio!r}."
        )
    for share in shares:
        if not isinstance(share, float) or not 0 < share < 1:
            raise ValueError(
                f"For '{op_name}', 'output_ratio' must be floats in (0, 1), but got {ratio!r}."
            )
    return [int(n * share) for n, share in zip(x.shape[-count:], shares, strict=True)]


def fractional_pool(
    op_name: str,
    count: int,
    x: Tensor,
    kernel_size: Any,
    output_size: Any,
    output_ratio: Any,
    return_indices: bool,
    samples: Tensor | None,
) -> Any:
    """Fractional maximum pooling, with random boundaries."""
    check_rank(op_name, x, count)
    kernel = int_tuple(op_name, "kernel_size", kernel_size, count)
    sizes = _fractional_sizes(op_name, x, count, output_size, output_ratio)
    for n, k, out in zip(x.shape[-count:], kernel, sizes, strict=True):
        if out < 1 or out + k - 1 > n:
            raise ValueError(
                f"For '{op_name}', windows of size {kernel} do not give an output of size {sizes} "
                f"from an input of shape {tuple(x.shape)}."
            )
    pool: Any = F.fractional_max_pool2d if count == 2 else F.fractional_max_pool3d
    fractions = _fractions(op_name, x, count, samples)
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
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.
        _random_samples (Tensor): numbers in [0, 1) that fix the windows, shape :math:`(N, C, 2)`.
            Default: None, drawn.

    Returns: Tensor of the maxima; with `return_indices` a pair of it and the indices (int64).
    Raises ValueError: neither or both sizes are given, or they do not fit the input.
    Difference from PyTorch: other random numbers.
    Source: Graham 2015, "Fractional Max-Pooling".

    >>> ms.ops.fractional_max_pool2d(ms.ops.ones((1, 1, 7, 7)), 2, output_size=3).shape
    (1, 1, 3, 3)
    """
    return fractional_pool(
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
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.
        _random_samples (Tensor): numbers in [0, 1) that fix the windows, shape :math:`(N, C, 3)`.
            Default: None, drawn.

    Returns: Tensor of the maxima; with `return_indices` a pair of it and the indices (int64).
    Raises ValueError: neither or both sizes are given, or they do not fit the input.
    Difference from PyTorch: other random numbers.
    Source: Graham 2015, "Fractional Max-Pooling".

    >>> ms.ops.fractional_max_pool3d(ms.ops.ones((1, 1, 5, 5, 5)), 2, output_size=3).shape
    (1, 1, 3, 3, 3)
    """
    return fractional_pool(
        "fractional_max_pool3d",
        3,
        input,
        kernel_size,
        output_size,
        output_ratio,
        return_indices,
        _random_samples,
    )
