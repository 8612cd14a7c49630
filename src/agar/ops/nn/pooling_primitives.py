"""Pooling as Primitive classes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core.dtype import to_torch_dtype
from agar.ops._checks import boolean, choice, int_tuple
from agar.ops.nn.convolution import pad_pairs
from agar.ops.nn.pooling import (
    Sizes,
    average_pool,
    check_rank,
    max_pool_function,
    maximum_pool,
    maximum_pool_same,
    same_pairs,
)
from agar.ops.nn.pooling_adaptive import (
    adaptive_max_pool2d,
    adaptive_max_pool3d,
    check_sizes,
    fractional_pool,
    unpooled,
)
from agar.ops.spec import primitive

__all__: list[str] = []

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


def _first(op_name: str, x: Tensor, data_format: str, planar: str, last: str) -> Tensor:
    choice(op_name, "data_format", data_format, (planar, last))
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
        out = maximum_pool_same("MaxPool", x, kernel, steps)
    else:
        out = maximum_pool("MaxPool", x, kernel, steps, (0, 0), (1, 1), False, False)
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
    check_rank("AvgPool", x, 2)
    same = pad_mode.upper() == "SAME"
    pairs = same_pairs(x, kernel, steps) if same else ((0, 0), (0, 0))
    out = average_pool("AvgPool", x, kernel, steps, pairs, False, not same, None)
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
    op_name = "MaxPool3D"
    choice(op_name, "data_format", data_format, ("NCDHW",))
    kernel = int_tuple(op_name, "kernel_size", kernel_size, 3)
    steps = int_tuple(op_name, "strides", strides, 3)
    mode = pad_mode.upper()
    if mode == "SAME":
        return maximum_pool_same(op_name, x, kernel, steps)
    pairs = pad_pairs(op_name, pad_list, 3)
    if mode == "VALID" and any(map(any, pairs)):
        raise ValueError(f"For '{op_name}', 'pad_list' must be zero when 'pad_mode' is not 'pad'.")
    if any(a != b for a, b in pairs):
        check_rank(op_name, x, 3)
        x = F.pad(x, [n for pair in reversed(pairs) for n in pair], value=-math.inf)
        pairs = ((0, 0),) * 3
    both = tuple(a for a, _ in pairs)
    return maximum_pool(op_name, x, kernel, steps, both, (1, 1, 1), bool(ceil_mode), False)


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
    op_name = "AvgPool3D"
    choice(op_name, "data_format", data_format, ("NCDHW",))
    kernel = int_tuple(op_name, "kernel_size", kernel_size, 3)
    steps = int_tuple(op_name, "strides", strides, 3)
    mode = pad_mode.upper()
    check_rank(op_name, x, 3)
    pairs: Sequence[tuple[int, int]] = pad_pairs(op_name, pad, 3)
    if mode != "PAD" and any(map(any, pairs)):
        raise ValueError(
            f"For '{op_name}', the 'pad' must be zero when 'pad_mode' is not \"PAD\", but got "
            f"'pad' {pad} and 'pad_mode' {pad_mode}."
        )
    if mode == "SAME":
        pairs, ceil_mode = same_pairs(x, kernel, steps), False
    return average_pool(
        op_name, x, kernel, steps, pairs, ceil_mode, count_include_pad, divisor_override or None
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
    """Largest element of every window over two dimensions, and its index.

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
    op_name = "MaxPoolWithArgmax"
    choice(op_name, "data_format", data_format, ("NCHW",))
    check_rank(op_name, x, 2)
    kernel = int_tuple(op_name, "kernel_size", kernel_size, 2)
    steps = int_tuple(op_name, "strides", strides, 2)
    height, width = x.shape[-2:]
    after = (0, 0)
    both: Sizes = (0, 0)
    if pad_mode.upper() == "SAME":
        pairs = same_pairs(x, kernel, steps)
        both = tuple(a for a, _ in pairs)
        after = tuple(b - a for a, b in pairs)
        if any(after):
            x = F.pad(x, (0, after[1], 0, after[0]), value=-math.inf)
    values, places = maximum_pool(op_name, x, kernel, steps, both, (1, 1), False, True)
    if after[1]:
        wide = x.shape[-1]
        places = places // wide * width + places % wide
    planes = torch.arange(x.shape[1], device=x.device).view(1, -1, 1, 1) * (height * width)
    return values, (places + planes).int()


def _check_argmax_type(prim: Any) -> None:
    kind = to_torch_dtype(prim.argmax_type, op_name="argmax_type")
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
    """Largest element of every window over two dimensions, and its index.

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

    Returns: Pair of the maxima and their indices, counted within each plane.
    Raises ValueError: an option is out of range, or the input has another rank.
    Difference from PyTorch: ``max_pool2d(return_indices=True)`` counts in int64.

    >>> pool = ms.ops.MaxPoolWithArgmaxV2(2)
    >>> print(pool(ms.Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]))[1])
    [[[[3]]]]
    """
    op_name = "MaxPoolWithArgmaxV2"
    values, places = max_pool_function(
        op_name, 2, x, kernel_size, strides, pads, dilation, ceil_mode, True
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
    """Largest element of every window over three dimensions, and its index.

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

    Returns: Pair of the maxima and their indices, counted within each volume.
    Raises TypeError: an option has a wrong type.
    Raises ValueError: an option is beyond its bounds, or the input has another rank.
    Difference from PyTorch: ``max_pool3d(return_indices=True)`` counts in int64.

    >>> pool = ms.ops.MaxPool3DWithArgmax(2, 1, 0)
    >>> print(pool(ms.ops.arange(8.0).reshape((1, 1, 2, 2, 2)))[1])
    [[[[[7]]]]]
    """
    op_name = "MaxPool3DWithArgmax"
    if x.dim() != 5:
        raise ValueError(f"For '{op_name}', the rank of the input must be 5, but got {x.dim()}.")
    values, places = maximum_pool(op_name, x, ksize, strides, pads, dilation, ceil_mode, True)
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
    """Largest element of windows over two dimensions at positions fixed by given numbers.

    Args:
        input_x (Tensor): shape (N, C, H, W).
        random_samples (Tensor): numbers in [0, 1), shape (N, C, 2).
        ksize (Union[int, tuple[int]]): size of a window.
        output_shape (Union[int, tuple[int]]): height and width of the output.
        data_format (str): ``NCHW``. Default: ``"NCHW"``.

    Returns: Pair of the maxima and their int64 places, counted within each plane.
    Raises TypeError: a size is neither an int nor a tuple with one int for each dimension.
    Raises ValueError: an option is beyond its bounds, or shapes do not fit.
    Difference from PyTorch: ``fractional_max_pool2d(_random_samples=...)`` is a function.
    Source: Graham 2015, "Fractional Max-Pooling".

    >>> pool = ms.ops.FractionalMaxPoolWithFixedKsize(2, (2, 2))
    >>> x = ms.ops.arange(25.0).reshape((1, 1, 5, 5))
    >>> print(pool(x, ms.Tensor([[[0.3, 0.9]]]))[0])
    [[[[ 6.  9.]
       [21. 24.]]]]
    """
    op_name = "FractionalMaxPoolWithFixedKsize"
    if input_x.dim() != 4:
        raise ValueError(
            f"For '{op_name}', the rank of the input must be 4, but got {input_x.dim()}."
        )
    return fractional_pool(op_name, 2, input_x, ksize, output_shape, None, True, random_samples)


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
    """Largest element of windows over three dimensions at positions fixed by given numbers.

    Args:
        x (Tensor): shape (N, C, D, H, W), or without the batch.
        random_samples (Tensor): numbers in [0, 1), shape (N, C, 3).
        ksize (Union[int, tuple[int]]): size of a window.
        output_shape (Union[int, tuple[int]]): depth, height and width of the output.
        data_format (str): ``NCDHW``, or ``NDHWC`` with the channel last. Default: ``"NCDHW"``.

    Returns: Pair of the maxima and their int64 places, counted within each volume.
    Raises TypeError: a size is neither an int nor a tuple with one int for each dimension.
    Raises ValueError: an option is beyond its bounds, or shapes do not fit.
    Difference from PyTorch: ``fractional_max_pool3d(_random_samples=...)`` is a function.
    Source: Graham 2015, "Fractional Max-Pooling".

    >>> pool = ms.ops.FractionalMaxPool3DWithFixedKsize(2, 2)
    >>> x = ms.ops.arange(64.0).reshape((1, 1, 4, 4, 4))
    >>> print(pool(x, ms.Tensor([[[0.3, 0.9, 0.1]]]))[1][0, 0, 0])
    [[21 23]
     [29 31]]
    """
    op_name = "FractionalMaxPool3DWithFixedKsize"
    last = data_format == "NDHWC"
    planar = x.movedim(-1, -4) if last and x.dim() > 3 else x
    result = fractional_pool(op_name, 3, planar, ksize, output_shape, None, True, random_samples)
    return tuple(t.movedim(-4, -1) for t in result) if last else result


@primitive(
    "AdaptiveMaxPool2D",
    samples=("f(1, 2, 4, 4), output_size=2",),
    errors=(
        ("f(4, 4), output_size=2", ValueError, "length of the input's shape"),
        ("f(1, 2, 4, 4), output_size=(2, 2, 2)", ValueError, "output_size"),
        ("f(1, 2, 4, 4), output_size=2.5", TypeError, "output_size"),
    ),
    setup=check_sizes,
)
def _adaptive_max_pool2d_primitive(input: Tensor, *, output_size: Any) -> tuple[Tensor, Tensor]:
    """Maxima over a given number of windows, and their indices.

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
    """Maxima over a given number of windows, and their indices.

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
    op_name: str,
    count: int,
    x: Tensor,
    places: Tensor,
    ksize: Any,
    strides: Any,
    pads: Any,
    size: Any,
) -> Tensor:
    last = [
        tuple(v)[-count:] if isinstance(v, (tuple, list)) else v for v in (ksize, strides, pads)
    ]
    kernel, steps, sides = last
    return unpooled(op_name, count, x, places, kernel, steps or None, sides, tuple(size) or None)


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
    """Put maxima of planes back to the positions they came from; see ``ops.max_unpool2d``.

    Args:
        x (Tensor): shape (N, C, H, W).
        argmax (Tensor): the places, integers of the same shape.
        ksize (Union[int, tuple[int]]): size of the window of the pooling.
        strides (Union[int, tuple[int]]): its step; 0 for the kernel's size. Default: 0.
        pads (Union[int, tuple[int]]): its padding. Default: 0.
        output_shape (tuple[int]): the shape of the result. Default: (), worked out.
        data_format (str): ``NCHW``. Default: ``"NCHW"``.

    Returns: Tensor with the maxima at their indices.
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
    """Put maxima of volumes back to the positions they came from; see ``ops.max_unpool3d``.

    Args:
        x (Tensor): shape (N, C, D, H, W).
        argmax (Tensor): the places, integers of the same shape.
        ksize (Union[int, tuple[int]]): size of the window of the pooling.
        strides (Union[int, tuple[int]]): its step; 0 for the kernel's size. Default: 0.
        pads (Union[int, tuple[int]]): its padding. Default: 0.
        output_shape (tuple[int]): the shape of the result. Default: (), worked out.
        data_format (str): ``NCDHW``. Default: ``"NCDHW"``.

    Returns: Tensor with the maxima at their indices.
    Raises ValueError: a wrong rank or shape.
    Raises RuntimeError: an index is out of range.
    Difference from PyTorch: ``torch.nn.functional.max_unpool3d`` is a function.

    >>> unpool = ms.ops.MaxUnpool3D(2)
    >>> unpool(ms.ops.ones((1, 1, 1, 1, 1)), ms.Tensor([[[[[2]]]]])).shape
    (1, 1, 2, 2, 2)
    """
    choice("MaxUnpool3D", "data_format", data_format, ("NCDHW",))
    return _unpool_primitive("MaxUnpool3D", 3, x, argmax, ksize, strides, pads, output_shape)
