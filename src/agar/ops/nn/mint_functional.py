"""Functions of neural networks with PyTorch's names and arguments, for ``mint.nn.functional``.

Only those stand here whose arguments differ from the function of ``ops``; the others are that
function itself.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core.dtype import to_torch_dtype
from agar.ops._checks import integer
from agar.ops.math.elementwise import any_outside
from agar.ops.nn import (
    activation,
    convolution,
    dropout,
    normalization,
    padding,
    pooling,
    softmax,
)
from agar.ops.spec import Call, Flag, Float, Number, family, op

__all__: list[str] = []


def _implied_dim(op_name: str, x: Tensor, dim: Any) -> int:
    """The dimension that PyTorch takes where none is given."""
    if dim is None:
        return 0 if x.dim() in (0, 1, 3) else 1
    return integer(op_name, "dim", dim)


@family(
    "conv<#>d",
    function=False,
    mint=("nn.functional.conv<#>d", "<|conv2d|>"),
    samples=(
        "f(1, 4, <5, ...>), f(3, 4, <3, ...>), f(3), 2, 1",
        "f(1, 4, <4, ...>), f(2, 4, <2, ...>), padding='same'",
        "f(1, 2, <4, ...>), f(3, 2, <2, ...>), None, 1, (<1, ...>)",
        "f(4, <4, ...>), f(3, 4, <2, ...>)",
    ),
    errors=(("f(2, 3, <4, ...>), f(3, 4, <3, ...>)", RuntimeError, "'C_in'"),),
)
def _conv(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    *,
    _dims: int,
    _op_name: str = "",
) -> Tensor:
    r"""Convolution over <one dimension|two dimensions|three dimensions>; see ``ops.conv<#>d``.

    Args:
        input (Tensor): shape :math:`(N, C_{in}, <L|H, W|D, H, W>)`, or without N.
        weight (Tensor): shape :math:`(C_{out}, C_{in} / groups, <K|K_h, K_w|K_d, K_h, K_w>)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        padding (Union[int, tuple[int], str]): zeros on both sides, ``"valid"`` or ``"same"``.
            Default: 0.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        groups (int): number of groups of channels. Default: 1.

    Returns: Tensor of shape
        :math:`(N, C_{out}, <L_{out}|H_{out}, W_{out}|D_{out}, H_{out}, W_{out}>)`, or without N.
    Raises ValueError: the rank or an option is wrong.
    Raises RuntimeError: the channels of input and weight disagree.

    >>> from agar.mint.nn import functional as F
    >>> F.conv<#>d(ms.ops.ones((1, 1, <4, ...>)), ms.ops.ones((1, 1, <3, ...>)), padding=1).shape
    (1, 1, <4, ...>)
    """
    mode, pads = _conv_padding(_op_name, padding, _dims)
    single = input.dim() == _dims + 1
    x = input.unsqueeze(0) if single else input
    out = _CONVOLUTIONS[_dims](x, weight, bias, stride, mode, pads, dilation, groups)
    return out.squeeze(0) if single else out


_CONVOLUTIONS = {1: convolution.conv1d, 2: convolution.conv2d, 3: convolution.conv3d}


def _conv_padding(op_name: str, padding: Any, count: int) -> tuple[str, Any]:
    """Mode and padding of ``ops``' convolutions for PyTorch's one argument."""
    if isinstance(padding, str):
        return padding, 0
    if isinstance(padding, (tuple, list)) and len(padding) not in (1, count):
        raise ValueError(
            f"For '{op_name}', 'padding' must be an int, {count} ints, 'valid' or 'same', but got "
            f"{padding!r}."
        )
    both = tuple(padding) if isinstance(padding, (tuple, list)) else (padding,)
    return "pad", both if len(both) == count else both * count


@op(
    "avg_pool1d",
    function=False,
    mint="nn.functional.avg_pool1d",
    samples=(
        "f(1, 2, 4), 2",
        "f(1, 2, 4), 3, 1, 1, False, False",
    ),
    errors=(("f(4), 2", ValueError, "shape"),),
)
def _avg_pool1d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor:
    r"""Mean of every window; see ``ops.avg_pool1d``.

    Args:
        input (Tensor): shape :math:`(N, C, L)`, or without N.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): zeros on both sides. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.

    Returns: Tensor of the means.
    Raises ValueError: the rank, a size or the padding is wrong.

    >>> from agar.mint.nn import functional as F
    >>> F.avg_pool1d(ms.ops.ones((1, 1, 4)), 2).shape
    (1, 1, 2)
    """
    return pooling.avg_pool_as_torch(
        "avg_pool1d",
        1,
        input,
        kernel_size,
        stride,
        padding,
        ceil_mode,
        count_include_pad,
        None,
    )


@family(
    "avg_pool<#>d",
    dims=(2, 3),
    function=False,
    mint="nn.functional.avg_pool<#>d",
    samples=("f(1, 2, <4, ...>), 2", "f(1, 2, <4, ...>), 3, 1, 1, False, False"),
    errors=(("f(<4, ...>), 2", ValueError, "shape"),),
)
def _avg_pool(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
    *,
    _dims: int,
    _op_name: str = "",
) -> Tensor:
    r"""Mean of every window; see ``ops.avg_pool<#>d``.

    Args:
        input (Tensor): shape :math:`(N, C, <H, W|D, H, W>)`, or without N.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): zeros on both sides. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements. Default: None.

    Returns: Tensor of the means.
    Raises ValueError: the rank, a size or the padding is wrong.

    >>> from agar.mint.nn import functional as F
    >>> F.avg_pool<#>d(ms.ops.ones((1, 1, <4, ...>)), 2).shape
    (1, 1, <2, ...>)
    """
    options = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return pooling.avg_pool_as_torch(_op_name, _dims, input, *options)


@op(
    "max_pool2d",
    function=False,
    mint="nn.functional.max_pool2d",
    samples=(
        "f(1, 2, 4, 4), 2",
        "f(1, 2, 5, 5), 2, 2, 1, 1, True, True",
    ),
    errors=(("f(4, 4), 2", ValueError, "shape"),),
)
def _max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    r"""Largest element of every window; see ``ops.max_pool2d``.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)`, or without N.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): minus infinity on both sides. Default: 0.
        dilation (Union[int, tuple[int]]): distance between window elements. Default: 1.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        return_indices (bool): whether the places are returned, too. Default: False.

    Returns: Tensor of the maxima; with `return_indices` a pair of it and the indices (int64).
    Raises ValueError: the rank, a size or the padding is wrong.

    >>> from agar.mint.nn import functional as F
    >>> F.max_pool2d(ms.ops.ones((1, 1, 4, 4)), 2).shape
    (1, 1, 2, 2)
    """
    return pooling.max_pool2d(
        input, kernel_size, stride, padding, dilation, return_indices, ceil_mode
    )


@op(
    "adaptive_max_pool1d",
    function=False,
    mint="nn.functional.adaptive_max_pool1d",
    samples=(
        "f(1, 2, 6), 3",
        "f(1, 2, 5), (2,), True",
    ),
    errors=(("f(1, 2, 6), 0", ValueError, "output_size"),),
)
def _adaptive_max_pool1d(
    input: Tensor,
    output_size: Any,
    return_indices: bool = False,
) -> Any:
    r"""Maxima over a given number of windows; see ``ops.adaptive_max_pool1d``.

    Args:
        input (Tensor): shape :math:`(N, C, L)`, or without N.
        output_size (Union[int, tuple[int]]): number of windows.
        return_indices (bool): whether the places are returned, too. Default: False.

    Returns: Tensor of the maxima; with `return_indices` a pair of it and the indices (int64).
    Raises ValueError: the rank or a size is wrong.

    >>> from agar.mint.nn import functional as F
    >>> F.adaptive_max_pool1d(ms.ops.ones((1, 1, 6)), 3).shape
    (1, 1, 3)
    """
    if isinstance(output_size, (tuple, list)) and len(output_size) == 1:
        output_size = output_size[0]
    size = integer("adaptive_max_pool1d", "output_size", output_size, 1)
    values, places = F.adaptive_max_pool1d_with_indices(input, [size])
    return (values, places) if return_indices else values


@op(
    "batch_norm",
    function=False,
    mint="nn.functional.batch_norm",
    samples=("f(4, 3), f(3), p(3)",),
    errors=(
        ("f(2, 4), f(3), p(3), p(3), f(3)", ValueError, "channel"),
        ("f(2, 4), None, p(4)", ValueError, "running_mean"),
    ),
    differentiable=False,  # the running statistics are state, without gradient
)
def _batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    r"""Normalize every channel over the batch; see ``ops.batch_norm``.

    Args:
        input (Tensor): shape :math:`(N, C)` or :math:`(N, C, *)`.
        running_mean (Tensor): shape :math:`(C,)`; updated in training. None: not kept, in training.
        running_var (Tensor): shape :math:`(C,)`; updated in training. None: not kept, in training.
        weight (Tensor): scale. Default: None.
        bias (Tensor): shift. Default: None.
        training (bool): whether the statistics are those of the batch. Default: False.
        momentum (float): share of the batch in the new running statistics. Default: 0.1.
        eps (float): added to the variance. Default: 1e-5.

    Raises ValueError: a wrong rank or number of channels, or statistics missing outside training.

    >>> from agar.mint.nn import functional as F
    >>> F.batch_norm(ms.ops.ones((2, 3)), ms.ops.zeros(3), ms.ops.ones(3)).shape
    (2, 3)
    """
    if not training and (running_mean is None or running_var is None):
        raise ValueError(
            "For 'batch_norm', 'running_mean' and 'running_var' must be given unless 'training' is "
            "True."
        )
    return normalization.batch_norm(
        input, running_mean, running_var, weight, bias, training, momentum, eps
    )


@op(
    "dropout",
    function=False,
    mint="nn.functional.dropout",
    samples=(
        "f(3, 4)",
        "f(3, 4), 1.0",
    ),
    errors=(("i(3)", TypeError, "floating-point"),),
    differentiable=False,  # every call draws another mask
    tags=("random",),
)
def _dropout(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: Flag = False,
) -> Tensor:
    r"""Set elements to zero at random and scale the others; see ``ops.dropout``.

    Args:
        input (Tensor): floating point, any shape.
        p (float): probability of zero, in [0, 1]. Default: 0.5.
        training (bool): whether anything is dropped. Default: True.
        inplace (bool): whether the result overwrites the input. Default: False.

    Raises TypeError: the input is not a floating-point Tensor.
    Raises RuntimeError: `p` is out of range.
    Difference from PyTorch: other random numbers.

    >>> from agar.mint.nn import functional as F
    >>> print(F.dropout(ms.Tensor([1.0, 2.0]), training=False))
    [1. 2.]
    """
    if p == 1 and training:
        out = input * 0.0
    else:
        out = dropout.dropout(input, p, training)
    return input.copy_(out) if inplace else out


@op(
    "dropout2d",
    function=False,
    mint="nn.functional.dropout2d",
    samples=("f(2, 3, 4, 4)",),
    errors=(("f(3, 4)", ValueError, "rank"),),
    differentiable=False,  # every call draws another mask
    tags=("random",),
)
def _dropout2d(
    input: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: Flag = False,
) -> Tensor:
    r"""Set channels of images to zero at random and scale the others; see ``ops.dropout2d``.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, H, W)`.
        p (float): probability that a channel is dropped. Default: 0.5.
        training (bool): whether anything is dropped. Default: True.
        inplace (bool): whether the result overwrites the input. Default: False.

    Raises ValueError: the rank is wrong, or `p` is out of range.
    Difference from PyTorch: other random numbers.

    >>> from agar.mint.nn import functional as F
    >>> F.dropout2d(ms.ops.ones((1, 2, 3, 3))).shape
    (1, 2, 3, 3)
    """
    out = dropout.dropout2d(input, p, training)
    return input.copy_(out) if inplace else out


@op(
    "elu",
    function=False,
    mint="nn.functional.elu",
    samples=("f(3)",),
)
def _elu(
    input: Float,
    alpha: Number = 1.0,
    inplace: Flag = False,
) -> Tensor:
    r"""Exponential linear unit; see ``ops.elu``.

    Args:
        input (Tensor): floating point, any shape.
        alpha (float): scale of the negative part. Default: 1.0.
        inplace (bool): whether the result overwrites the input. Default: False.


    >>> from agar.mint.nn import functional as F
    >>> print(F.elu(ms.Tensor([2.0])))
    [2.]
    """
    if inplace:
        return F.elu(input, alpha, inplace=True)
    return activation.elu(input, alpha)


@op(
    "hardtanh",
    function=False,
    mint="nn.functional.hardtanh",
    samples=("f(3)",),
)
def _hardtanh(
    input: Tensor,
    min_val: Number = -1.0,
    max_val: Number = 1.0,
    inplace: Flag = False,
) -> Tensor:
    r"""Clamp to an interval; see ``ops.hardtanh``.

    Args:
        input (Tensor): floating point, any shape.
        min_val (float): lower end. Default: -1.0.
        max_val (float): upper end. Default: 1.0.
        inplace (bool): whether the result overwrites the input. Default: False.


    >>> from agar.mint.nn import functional as F
    >>> print(F.hardtanh(ms.Tensor([2.0])))
    [1.]
    """
    if inplace:
        return F.hardtanh(input, min_val, max_val, inplace=True)
    return activation.hardtanh(input, min_val, max_val)


@op(
    "relu6",
    function=False,
    mint="nn.functional.relu6",
    samples=("f(3) * 8",),
)
def _relu6(
    input: Float,
    inplace: Flag = False,
) -> Tensor:
    r"""Rectifier with a ceiling of 6; see ``ops.relu6``.

    Args:
        input (Tensor): floating point, any shape.
        inplace (bool): whether the result overwrites the input. Default: False.


    >>> from agar.mint.nn import functional as F
    >>> print(F.relu6(ms.Tensor([8.0])))
    [6.]
    """
    if inplace:
        return F.relu6(input, inplace=True)
    return activation.relu6(input)


@op(
    "silu",
    function=False,
    mint="nn.functional.silu",
    samples=("f(3)",),
)
def _silu(
    input: Float,
    inplace: Flag = False,
) -> Tensor:
    r"""Sigmoid-weighted linear unit; see ``ops.silu``.

    Args:
        input (Tensor): floating point, any shape.
        inplace (bool): whether the result overwrites the input. Default: False.


    >>> from agar.mint.nn import functional as F
    >>> print(F.silu(ms.Tensor([0.0])))
    [0.]
    """
    if inplace:
        return F.silu(input, inplace=True)
    return activation.silu(input)


@op(
    "threshold",
    function=False,
    mint="nn.functional.threshold",
    samples=("f(3), 0.1, 2.0",),
)
def _threshold(
    input: Tensor,
    threshold: Number,
    value: Number,
    inplace: Flag = False,
) -> Tensor:
    r"""Replace elements that are not above a threshold; see ``ops.threshold``.

    Args:
        input (Tensor): floating point, any shape.
        threshold (float): the threshold.
        value (float): the value for elements not above it.
        inplace (bool): whether the result overwrites the input. Default: False.


    >>> from agar.mint.nn import functional as F
    >>> print(F.threshold(ms.Tensor([0.1, 0.5]), 0.2, 9.0))
    [9.  0.5]
    """
    if inplace:
        return F.threshold(input, threshold, value, inplace=True)
    return activation.threshold(input, threshold, value)


@op(
    "softmax",
    function=False,
    mint="nn.functional.softmax",
    samples=(
        "f(2, 3), 1",
        "f(2, 3, 4)",
    ),
    errors=(("f(2, 3), 2", ValueError, "axis"),),
    fast=Call(
        "torch.softmax(input, dim)",
        "type(dim) is int and dtype is None and input._value.ndim"
        " and input._value.dtype in _floats",
    ),
)
def _softmax(
    input: Tensor,
    dim: Any = None,
    dtype: Any = None,
) -> Tensor:
    r"""Softmax along a dimension; see ``ops.softmax``.

    Args:
        input (Tensor): floating point.
        dim (int): the dimension whose elements sum to one. Default: None: 0 for inputs of rank 1
            or 3, otherwise 1.
        dtype (mindspore.dtype): the input is cast to it first. Default: None.

    Returns: Tensor of the input's shape.
    Raises TypeError: the input is not a floating-point Tensor (without `dtype`).
    Raises ValueError: the dimension is out of range.

    >>> from agar.mint.nn import functional as F
    >>> print(F.softmax(ms.Tensor([1.0, 1.0]), dim=0))
    [0.5 0.5]
    """
    axis = _implied_dim("softmax", input, dim)
    return softmax.softmax(input, axis, dtype=dtype)


@op(
    "log_softmax",
    function=False,
    mint=("nn.functional.log_softmax", "special.log_softmax"),
    primitive="LogSoftmaxExt",
    samples=(
        "f(2, 3), 1",
        "f(2, 3, 4)",
    ),
    errors=(("f(2, 3), 2", ValueError, "axis"),),
)
def _log_softmax(
    input: Tensor,
    dim: Any = None,
    *,
    dtype: Any = None,
) -> Tensor:
    r"""Logarithm of the softmax along a dimension; see ``ops.log_softmax``.

    Args:
        input (Tensor): floating point.
        dim (int): the dimension. Default: None: 0 for inputs of rank 1 or 3, otherwise 1.
        dtype (mindspore.dtype): the input is cast to it first. Default: None.

    Returns: Tensor of the input's shape.
    Raises TypeError: the input is not a floating-point Tensor (without `dtype`).
    Raises ValueError: the dimension is out of range.

    >>> from agar.mint.nn import functional as F
    >>> print(F.log_softmax(ms.Tensor([1.0, 1.0]), dim=0))
    [-0.6931472 -0.6931472]
    """
    axis = _implied_dim("log_softmax", input, dim)
    if dtype is not None:
        input = input.to(to_torch_dtype(dtype))
    activation.needs_float("log_softmax", input)
    return torch.log_softmax(input, activation.checked_axis("log_softmax", axis, input.dim()))


@op(
    "normalize",
    function=False,
    mint="nn.functional.normalize",
    samples=(
        "f(2, 3)",
        "f(2, 3), 1.0, 0",
    ),
    errors=(("f(2, 3), 2.0, 5", ValueError, ""),),
)
def _normalize(
    input: Tensor,
    p: Number = 2.0,
    dim: int = 1,
    eps: float = 1e-12,
) -> Tensor:
    r"""Divide by the norm along a dimension: :math:`out = x / \max(\|x\|_p, \epsilon)`.

    Args:
        input (Tensor): floating point.
        p (float): the order of the norm. Default: 2.0.
        dim (int): the dimension. Default: 1.
        eps (float): least value of the divisor. Default: 1e-12.

    Raises ValueError: the dimension is out of range.

    >>> from agar.mint.nn import functional as F
    >>> print(F.normalize(ms.Tensor([[3.0, 4.0]])))
    [[0.6 0.8]]
    """
    return F.normalize(input, p, dim, eps)


@op(
    "one_hot",
    function=False,
    mint="nn.functional.one_hot",
    samples=(
        "i(2, 3) % 4",
        "i(2, 3) % 4, 6",
    ),
    errors=(
        ("f(2)", TypeError, "integer"),
        ("i(2) * 0 + 5, 3", RuntimeError, "must lie"),
    ),
)
def _one_hot(
    tensor: Tensor,
    num_classes: int = -1,
) -> Tensor:
    r"""Vectors with a one at the index of each class.

    Args:
        tensor (Tensor): classes, integers of any shape.
        num_classes (int): length of the vectors. Default: -1, the largest class and one.

    Returns: Tensor, int64, with one dimension more.
    Raises TypeError: the input is not an integer Tensor.
    Raises RuntimeError: a class is negative or too large.

    >>> from agar.mint.nn import functional as F
    >>> print(F.one_hot(ms.Tensor([0, 2])))
    [[1 0 0]
     [0 0 1]]
    """
    if tensor.is_floating_point() or tensor.dtype is torch.bool:
        raise TypeError("For 'one_hot', the input must be an integer Tensor.")
    integer("one_hot", "num_classes", num_classes, -1)
    if any_outside(tensor, 0, num_classes if num_classes >= 0 else None):
        raise RuntimeError(
            f"For 'one_hot', the classes must lie in [0, {num_classes}), but got values from "
            f"{int(tensor.min())} to {int(tensor.max())}."
        )
    if num_classes > 0:
        classes = torch.arange(num_classes, device=tensor.device)
        return (tensor[..., None] == classes).long()
    return F.one_hot(tensor.long(), num_classes)


@op(
    "pad",
    function=False,
    mint="nn.functional.pad",
    samples=(
        "f(2, 3), (1, 2)",
        "f(1, 2, 3), (1, 2), 'reflect'",
    ),
    errors=(("f(2, 3), (1,)", ValueError, "divisible"),),
)
def _pad(
    input: Tensor,
    pad: Any,
    mode: str = "constant",
    value: Any = None,
) -> Tensor:
    r"""Pad the input; see ``ops.pad``.

    Args:
        input (Tensor): any shape.
        pad (Union[tuple[int], list[int]]): pairs (before, after), the last dimension first.
        mode (str): ``constant``, ``reflect``, ``replicate`` or ``circular``. Default:
            ``"constant"``.
        value (Union[int, float]): for mode ``constant``. Default: None, 0.

    Returns: Tensor of the input's dtype.
    Raises TypeError: `pad` is not a sequence of ints.
    Raises ValueError: `pad` does not fit the input and mode.
    Difference from PyTorch: all modes take any dimensions.

    >>> from agar.mint.nn import functional as F
    >>> print(F.pad(ms.Tensor([1.0]), (1, 1)))
    [0. 1. 0.]
    """
    return padding.pad(input, pad, mode, value)


@op(
    "flatten",
    function=False,
    mint="nn.functional.flatten",
    samples=(
        "f(2, 3, 4), 1",
        "f(2, 3)",
    ),
    errors=(("f(2, 3), 5", ValueError, ""),),
    cast="never",
)
def _flatten(
    input: Tensor,
    start_dim: int = 0,
    end_dim: int = -1,
) -> Tensor:
    r"""Merge consecutive dimensions into one.

    Args:
        input (Tensor): any shape.
        start_dim (int): the first that is joined. Default: 0.
        end_dim (int): the last that is joined. Default: -1.

    Returns: Tensor that shares the input's memory where it can.
    Raises ValueError: a dimension is out of range.

    >>> from agar.mint.nn import functional as F
    >>> F.flatten(ms.ops.ones((2, 3))).shape
    (6,)
    """
    return torch.flatten(input, start_dim, end_dim)
