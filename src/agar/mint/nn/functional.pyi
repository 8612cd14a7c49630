"""Functions of networks of mint. Written by scripts/stubs.py; not to be edited."""


import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from agar._core.optable import Primitive as Primitive
from agar._core.tensor import Tensor as Tensor
Number = builtins.bool | builtins.int | builtins.float | builtins.complex | np.generic

__all__ = [
    'adaptive_avg_pool1d',
    'adaptive_avg_pool2d',
    'adaptive_avg_pool3d',
    'adaptive_max_pool1d',
    'adaptive_max_pool2d',
    'avg_pool1d',
    'avg_pool2d',
    'avg_pool3d',
    'batch_norm',
    'binary_cross_entropy',
    'binary_cross_entropy_with_logits',
    'conv1d',
    'conv2d',
    'conv3d',
    'conv_transpose2d',
    'cosine_embedding_loss',
    'cross_entropy',
    'dropout',
    'dropout2d',
    'elu',
    'elu_',
    'elu_ext',
    'embedding',
    'flatten',
    'fold',
    'gelu',
    'glu',
    'grid_sample',
    'group_norm',
    'hardshrink',
    'hardsigmoid',
    'hardswish',
    'hardtanh',
    'hardtanh_',
    'inplace_elu',
    'inplace_silu',
    'interpolate',
    'kl_div',
    'l1_loss',
    'layer_norm',
    'leaky_relu',
    'linear',
    'log_softmax',
    'logsigmoid',
    'max_pool2d',
    'max_unpool2d',
    'mish',
    'mse_loss',
    'nll_loss',
    'normalize',
    'one_hot',
    'pad',
    'pixel_shuffle',
    'prelu',
    'relu',
    'relu6',
    'relu_',
    'selu',
    'sigmoid',
    'sigmoid_',
    'silu',
    'smooth_l1_loss',
    'soft_margin_loss',
    'softmax',
    'softplus',
    'softshrink',
    'tanh',
    'threshold',
    'threshold_',
    'unfold',
    'upsample',
]

def adaptive_avg_pool1d(input: Tensor, output_size: int) -> Tensor:
    r"""Means over a given number of windows.

    Window i reaches from :math:`\lfloor i L / out \rfloor` to :math:`\lceil (i+1) L / out \rceil`.

    Args:
        input (Tensor): shape :math:`(N, C, L)` or :math:`(C, L)`.
        output_size (int): number of windows.

    Returns:
        Tensor of shape :math:`(N, C, output\_size)`.
    """
    ...

def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Means over a given number of windows, over two dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        output_size (Union[int, tuple]): height and width of the output; None keeps
            the input's.

    Returns:
        Tensor of shape :math:`(N, C, H_{out}, W_{out})`.
    """
    ...

def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """Means over a given number of windows, over three dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, D, H, W)` or :math:`(C, D, H, W)`.
        output_size (Union[int, tuple]): depth, height and width of the output; None keeps
            the input's.

    Returns:
        Tensor of shape :math:`(N, C, D_{out}, H_{out}, W_{out})`.
    """
    ...

def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Maxima over a given number of windows; see ``ops.adaptive_max_pool1d``.

    Args:
        input (Tensor): shape :math:`(N, C, L)`, or without N.
        output_size (Union[int, tuple[int]]): number of windows.
        return_indices (bool): whether the places are returned, too. Default: False.

    Returns:
        Tensor of the maxima; with `return_indices` a pair of it and the indices (int64).
    """
    ...

def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Maxima over a given number of windows, over two dimensions.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        output_size (Union[int, tuple]): height and width of the output; None keeps the input's.
        return_indices (bool): whether the indices of the maxima are returned too. Default: False.

    Returns:
        Tensor of shape :math:`(N, C, H_{out}, W_{out})`; with `return_indices` a pair of it
        and the indices (int64), each counted within its plane.
    """
    ...

def avg_pool1d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True) -> Tensor:
    """Mean of every window; see ``ops.avg_pool1d``.

    Args:
        input (Tensor): shape :math:`(N, C, L)`, or without N.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): zeros on both sides. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.

    Returns:
        Tensor of the means.
    """
    ...

def avg_pool2d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None) -> Tensor:
    """Mean of every window; see ``ops.avg_pool2d``.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)`, or without N.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): zeros on both sides. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements. Default: None.

    Returns:
        Tensor of the means.
    """
    ...

def avg_pool3d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None) -> Tensor:
    """Mean of every window; see ``ops.avg_pool3d``.

    Args:
        input (Tensor): shape :math:`(N, C, D, H, W)`, or without N.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): zeros on both sides. Default: 0.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        count_include_pad (bool): whether the divisor counts the padding. Default: True.
        divisor_override (int): the divisor, in place of the number of elements. Default: None.

    Returns:
        Tensor of the means.
    """
    ...

def batch_norm(input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None, bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-05) -> Tensor:
    """Normalize every channel over the batch; see ``ops.batch_norm``.

    Args:
        input (Tensor): shape :math:`(N, C)` or :math:`(N, C, *)`.
        running_mean (Tensor): shape :math:`(C,)`; updated in training. None: not kept, in training.
        running_var (Tensor): shape :math:`(C,)`; updated in training. None: not kept, in training.
        weight (Tensor): scale. Default: None.
        bias (Tensor): shift. Default: None.
        training (bool): whether the statistics are those of the batch. Default: False.
        momentum (float): share of the batch in the new running statistics. Default: 0.1.
        eps (float): added to the variance. Default: 1e-5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def binary_cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = 'mean') -> Tensor:
    """Cross entropy of two classes; see ``ops.binary_cross_entropy``.

    Args:
        input (Tensor): probabilities in [0, 1], of any shape.
        target (Tensor): targets of the same shape.
        weight (Tensor): factors of a shape that broadcasts with `input`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `input`.
    """
    ...

def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = 'mean', pos_weight: Tensor | None = None) -> Tensor:
    """Cross entropy of two classes; see ``ops.binary_cross_entropy_with_logits``.

    Args:
        input (Tensor): scores (logits) of any shape.
        target (Tensor): targets of the same shape.
        weight (Tensor): factors of a shape that broadcasts with `input`. Default: None.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        pos_weight (Tensor): factors of the positive class. Default: None.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `input`.
    """
    ...

def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1) -> Tensor:
    """Convolution over one dimension; see ``ops.conv1d``.

    Args:
        input (Tensor): shape :math:`(N, C_{in}, L)`, or without N.
        weight (Tensor): shape :math:`(C_{out}, C_{in} / groups, K)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        padding (Union[int, tuple[int], str]): zeros on both sides, ``"valid"`` or ``"same"``.
            Default: 0.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        groups (int): number of groups of channels. Default: 1.

    Returns:
        Tensor of shape
        :math:`(N, C_{out}, L_{out})`, or without N.
    """
    ...

def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1) -> Tensor:
    """Convolution over two dimensions; see ``ops.conv2d``.

    Args:
        input (Tensor): shape :math:`(N, C_{in}, H, W)`, or without N.
        weight (Tensor): shape :math:`(C_{out}, C_{in} / groups, K_h, K_w)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        padding (Union[int, tuple[int], str]): zeros on both sides, ``"valid"`` or ``"same"``.
            Default: 0.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        groups (int): number of groups of channels. Default: 1.

    Returns:
        Tensor of shape
        :math:`(N, C_{out}, H_{out}, W_{out})`, or without N.
    """
    ...

def conv3d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1) -> Tensor:
    """Convolution over three dimensions; see ``ops.conv3d``.

    Args:
        input (Tensor): shape :math:`(N, C_{in}, D, H, W)`, or without N.
        weight (Tensor): shape :math:`(C_{out}, C_{in} / groups, K_d, K_h, K_w)`.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.
        stride (Union[int, tuple[int]]): step of the window. Default: 1.
        padding (Union[int, tuple[int], str]): zeros on both sides, ``"valid"`` or ``"same"``.
            Default: 0.
        dilation (Union[int, tuple[int]]): distance between kernel elements. Default: 1.
        groups (int): number of groups of channels. Default: 1.

    Returns:
        Tensor of shape
        :math:`(N, C_{out}, D_{out}, H_{out}, W_{out})`, or without N.
    """
    ...

def conv_transpose2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, output_padding: int | Sequence[int] = 0, groups: int = 1, dilation: int | Sequence[int] = 1) -> Tensor:
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

    Returns:
        Tensor of shape :math:`(N, C_{out}, H_{out}, W_{out})`, or without N.
    """
    ...

def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: str = 'mean') -> Tensor:
    r"""Loss of angles between similar (1) and different (-1) vectors.

    :math:`l = 1 - \cos(x_1, x_2)` where :math:`y = 1`, and
    :math:`\max(0, \cos(x_1, x_2) - margin)` where :math:`y = -1`.

    Args:
        input1 (Tensor): vectors along axis 1, shape :math:`(N, D, *)`, or one vector
            :math:`(D,)`.
        input2 (Tensor): vectors of the same shape.
        target (Tensor): 1 or -1, shape :math:`(N, *)` or :math:`()`.
        margin (Union[int, float]): in [-1, 1]. Default: 0.0.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `target`.
    """
    ...

def cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = 'mean', label_smoothing: float = 0.0) -> Tensor:
    r"""Cross entropy between scores of classes and class indices or probabilities.

    With indices :math:`y`: :math:`l_n = -w_{y_n} \log \mathrm{softmax}(x_n)_{y_n}`, and the mean
    divides by the sum of the weights of the samples that are not ignored. With probabilities
    :math:`p`: :math:`l_n = -\sum_c w_c p_{n,c} \log \mathrm{softmax}(x_n)_c`.

    Args:
        input (Tensor): scores (logits), shape :math:`(C,)`, :math:`(N, C)` or
            :math:`(N, C, d_1, ...)`.
        target (Tensor): indices of an integer type, shape :math:`()`, :math:`(N,)` or
            :math:`(N, d_1, ...)`; or probabilities of `input`'s shape.
        weight (Tensor): a factor per class, shape :math:`(C,)`. Default: None.
        ignore_index (int): an index whose samples do not count; only for indices. Default: -100.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        label_smoothing (float): the part of the target that is spread over all classes, in
            [0, 1]. Default: 0.0.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of the indices.
    """
    ...

def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set elements to zero at random and scale the others; see ``ops.dropout``.

    Args:
        input (Tensor): floating point, any shape.
        p (float): probability of zero, in [0, 1]. Default: 0.5.
        training (bool): whether anything is dropped. Default: True.
        inplace (bool): whether the result overwrites the input. Default: False.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set channels of images to zero at random and scale the others; see ``ops.dropout2d``.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, H, W)`.
        p (float): probability that a channel is dropped. Default: 0.5.
        training (bool): whether anything is dropped. Default: True.
        inplace (bool): whether the result overwrites the input. Default: False.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Exponential linear unit; see ``ops.elu``.

    Args:
        input (Tensor): floating point, any shape.
        alpha (float): scale of the negative part. Default: 1.0.
        inplace (bool): whether the result overwrites the input. Default: False.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    r"""Exponential linear unit in place.

    .. math:: input_i = input_i \text{ if } input_i > 0, \text{ else } \alpha (e^{input_i} - 1)

    Args:
        input (Tensor): floating point, any shape; it is overwritten.
        alpha (float): :math:`\alpha`. Default: 1.0.

    Returns:
        Tensor, `input` itself.
    """
    ...

def elu_ext(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Exponential linear unit, the form of ``mint.nn.functional.elu`` without `inplace`.

    Args:
        input (Tensor): floating point, any shape.
        alpha (float): factor of the negative part. Default: 1.0.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None, norm_type: float = 2.0, scale_grad_by_freq: bool = False) -> Tensor:
    r"""Rows of a table: :math:`out_{i,\dots} = weight_{input_{i},\dots}`.

    Args:
        input (Tensor): indices of any shape, integers in [0, rows).
        weight (Tensor): the table, shape :math:`(rows, size)`.
        padding_idx (int): a row that receives no gradient; may be negative. Default: None.
        max_norm (float): rows that are looked up and have a larger norm are first scaled to it,
            in `weight` itself. Default: None.
        norm_type (float): the order of that norm. Default: 2.0.
        scale_grad_by_freq (bool): whether a row's gradient is divided by how often the row occurs
            in `input`. Default: False.

    Returns:
        Tensor of shape :math:`(*, size)`.
    """
    ...

def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Merge consecutive dimensions into one.

    Args:
        input (Tensor): any shape.
        start_dim (int): the first that is joined. Default: 0.
        end_dim (int): the last that is joined. Default: -1.

    Returns:
        Tensor that shares the input's memory where it can.
    """
    ...

def fold(input: Tensor, output_size: Any, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> Tensor:
    r"""Sum columns into images, each at the position of its patch; the transpose of ``ops.unfold``.

    Args:
        input (Tensor): shape :math:`(N, C \cdot K_h K_w, patches)`, or without N.
        output_size (Union[Tensor, tuple[int], list[int]]): height and width of the output.
        kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
        dilation (Union[int, tuple[int], list[int]]): distance between its elements. Default: 1.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides. Default: 0.
        stride (Union[int, tuple[int], list[int]]): step from patch to patch. Default: 1.

    Returns:
        Tensor of shape :math:`(N, C, H, W)`.
    """
    ...

def gelu(input: Tensor, *, approximate: str = 'none') -> Tensor:
    r"""Gaussian error linear unit.

    :math:`out_i = x_i \Phi(x_i)`, with the normal distribution
    function :math:`\Phi`, or
    :math:`0.5 x_i (1 + \tanh(\sqrt{2 / \pi} (x_i + 0.044715 x_i^3)))` for ``tanh``.

    See also ``ops.gelu``.

    Args:
        input (Tensor): floating point, any shape.
        approximate (str): ``none`` or ``tanh``. Default: ``"none"``.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def glu(input: Tensor, dim: int = -1) -> Tensor:
    r"""Gated linear unit.

    The input is halved along an axis into a and b; :math:`out = a \cdot \sigma(b)`.

    See also ``ops.glu``.

    Args:
        input (Tensor): floating point, even size along `dim`.
        dim (int): the axis that is halved. Default: -1.

    Returns:
        Tensor, half as large along `dim`.
    """
    ...

def grid_sample(input: Tensor, grid: Tensor, mode: str = 'bilinear', padding_mode: str = 'zeros', align_corners: bool | None = None) -> Tensor:
    """Read images or volumes at the positions of a grid.

    A place is :math:`(x, y)` or :math:`(x, y, z)`; -1 and 1 are the ends of the input. Gradients
    flow to the input and to the places.

    Args:
        input (Tensor): floating point, shape (N, C, H, W) or (N, C, D, H, W).
        grid (Tensor): places, of the input's dtype, shape (N, H', W', 2) or (N, D', H', W', 3).
        mode (str): ``bilinear`` (trilinear for volumes), ``nearest``, or ``bicubic`` for images.
            Default: ``"bilinear"``.
        padding_mode (str): what lies beyond the ends: ``zeros``, ``border`` (the end elements) or
            ``reflection``. Default: ``"zeros"``.
        align_corners (bool): whether -1 and 1 are the centers of the end elements instead of
            their outer edges. Default: None, False.

    Returns:
        Tensor of shape (N, C, H', W') or (N, C, D', H', W').
    """
    ...

def group_norm(input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-05) -> Tensor:
    r"""Normalize every sample over groups of channels.

    .. math:: out = \frac{x - \mu_g}{\sqrt{\sigma_g^2 + \epsilon}} \cdot weight + bias

    Args:
        input (Tensor): shape :math:`(N, C, *)`.
        num_groups (int): number of groups, a divisor of C.
        weight (Tensor): scale, shape :math:`(C,)`. Default: None.
        bias (Tensor): shift, shape :math:`(C,)`. Default: None.
        eps (float): :math:`\epsilon`. Default: 1e-5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    r"""Set small elements to zero: :math:`out_i = x_i` where :math:`|x_i| > \lambda`, else 0.

    Args:
        input (Tensor): floating point, any shape.
        lambd (Union[int, float]): :math:`\lambda`. Default: 0.5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def hardsigmoid(input: Tensor) -> Tensor:
    r"""Piecewise linear sigmoid: :math:`out_i = \mathrm{ReLU6}(x_i + 3) / 6`.

    Args:
        input (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def hardswish(input: Tensor) -> Tensor:
    r"""Hard swish: :math:`out_i = x_i \cdot \mathrm{ReLU6}(x_i + 3) / 6`.

    Args:
        input (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Clamp to an interval; see ``ops.hardtanh``.

    Args:
        input (Tensor): floating point, any shape.
        min_val (float): lower end. Default: -1.0.
        max_val (float): upper end. Default: 1.0.
        inplace (bool): whether the result overwrites the input. Default: False.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def hardtanh_(input: Tensor, min_val: float = -1, max_val: float = 1) -> Tensor:
    r"""Bound the elements in place: :math:`input_i = \min(\max(input_i, min), max)`.

    Args:
        input (Tensor): real, any shape; it is overwritten.
        min_val (Union[int, float]): lower bound. Default: -1.
        max_val (Union[int, float]): upper bound. Default: 1.

    Returns:
        Tensor, `input` itself.
    """
    ...

def inplace_elu(input: Tensor, alpha: float = 1.0) -> Tensor:
    r"""Exponential linear unit in place.

    .. math:: input_i = input_i \text{ if } input_i > 0, \text{ else } \alpha (e^{input_i} - 1)

    Args:
        input (Tensor): floating point, any shape; it is overwritten.
        alpha (float): :math:`\alpha`. Default: 1.0.

    Returns:
        Tensor, `input` itself.
    """
    ...

def inplace_silu(input: Tensor) -> Tensor:
    """Sigmoid linear unit in place: :math:`input_i = input_i / (1 + e^{-input_i})`.

    Args:
        input (Tensor): floating point, any shape; it is overwritten.

    Returns:
        Tensor, `input` itself.
    """
    ...

def interpolate(input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: bool | None = None, recompute_scale_factor: bool | None = None) -> Tensor:
    """Resize sequences, images or volumes as PyTorch does.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)`.
        size (Union[int, tuple[int]]): sizes of the output. Default: None.
        scale_factor (Union[float, tuple[float]]): multiples of the input's sizes. Default: None.
            One of the two must be given.
        mode (str): ``nearest``, ``linear``, ``bilinear``, ``bicubic``, ``trilinear``, ``area`` or
            ``nearest-exact``. Default: ``"nearest"``.
        align_corners (bool): whether the corners' centers coincide. Default: None.
        recompute_scale_factor (bool): whether the size is worked out first and the scale from it.
            Default: None.

    Returns:
        Tensor of the new size.
    """
    ...

def kl_div(input: Tensor, target: Tensor, reduction: str = 'mean', log_target: bool = False) -> Tensor:
    """Kullback-Leibler divergence; see ``ops.kl_div``.

    Args:
        input (Tensor): log probabilities of any shape.
        target (Tensor): probabilities, or their logarithms, of a shape that broadcasts.
        reduction (str): ``"mean"``, ``"sum"``, ``"none"`` or ``"batchmean"``. Default: ``"mean"``.
        log_target (bool): whether `target` has logarithms. Default: False.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `input`.
    """
    ...

def l1_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """Absolute error: :math:`l_i = |input_i - target_i|`.

    Args:
        input (Tensor): predictions of any shape.
        target (Tensor): targets of a shape that broadcasts with `input`.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the broadcast shape. Integers give float32.
    """
    ...

def layer_norm(input: Tensor, normalized_shape: int | Sequence[int], weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-05) -> Tensor:
    r"""Normalize over the trailing dimensions of the given shape.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot weight + bias

    Args:
        input (Tensor): floating point, its shape ending in `normalized_shape`.
        normalized_shape (Union[int, tuple[int], list[int]]): the shape of the normalized part.
        weight (Tensor): scale of that shape. Default: None.
        bias (Tensor): shift of that shape. Default: None.
        eps (float): :math:`\epsilon`. Default: 1e-5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def leaky_relu(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    r"""Rectifier with a slope for negative values.

    :math:`out_i = x_i` if positive, else :math:`\alpha x_i`.

    See also ``ops.leaky_relu``.

    Args:
        input (Tensor): floating point, any shape.
        negative_slope (Union[int, float]): slope of the negative part. Default: 0.01.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    r"""Product with a weight matrix: :math:`out = input \cdot weight^T + bias`.

    Args:
        input (Tensor): shape :math:`(*, C_{in})`.
        weight (Tensor): shape :math:`(C_{out}, C_{in})`, of the input's dtype.
        bias (Tensor): shape :math:`(C_{out},)`. Default: None.

    Returns:
        Tensor of shape :math:`(*, C_{out})`.
    """
    ...

def log_softmax(input: Tensor, dim: Any = None, *, dtype: Any = None) -> Tensor:
    """Logarithm of the softmax along a dimension; see ``ops.log_softmax``.

    Args:
        input (Tensor): floating point.
        dim (int): the dimension. Default: None: 0 for inputs of rank 1 or 3, otherwise 1.
        dtype (mindspore.dtype): the input is cast to it first. Default: None.

    Returns:
        Tensor of the input's shape.
    """
    ...

def logsigmoid(input: Tensor) -> Tensor:
    r"""Logarithm of the logistic function: :math:`out_i = -\ln(1 + e^{-x_i})`.

    See also ``ops.logsigmoid``.

    Args:
        input (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def max_pool2d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False, return_indices: bool = False) -> Any:
    """Largest element of every window; see ``ops.max_pool2d``.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)`, or without N.
        kernel_size (Union[int, tuple[int]]): size of the window.
        stride (Union[int, tuple[int]]): step of the window. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): minus infinity on both sides. Default: 0.
        dilation (Union[int, tuple[int]]): distance between window elements. Default: 1.
        ceil_mode (bool): whether incomplete windows at the end count. Default: False.
        return_indices (bool): whether the places are returned, too. Default: False.

    Returns:
        Tensor of the maxima; with `return_indices` a pair of it and the indices (int64).
    """
    ...

def max_unpool2d(input: Tensor, indices: Tensor, kernel_size: int | Sequence[int], stride: int | Sequence[int] | None = None, padding: int | Sequence[int] = 0, output_size: Sequence[int] | None = None) -> Tensor:
    """Put maxima of planes back to where they came from; all others are zero.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)` or :math:`(C, H, W)`.
        indices (Tensor): the places, integers of the same shape, counted within each
            plane.
        kernel_size (Union[int, tuple[int]]): size of the window of the pooling.
        stride (Union[int, tuple[int]]): its step. Default: None, the kernel's size.
        padding (Union[int, tuple[int]]): its padding. Default: 0.
        output_size (tuple[int]): the shape of the result. Default: None, worked out.

    Returns:
        Tensor of shape
        :math:`(N, C, H_{out}, W_{out})`.
    """
    ...

def mish(input: Tensor) -> Tensor:
    r"""Mish: :math:`out_i = x_i \tanh(\ln(1 + e^{x_i}))`.

    See also ``ops.mish``.

    Args:
        input (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def mse_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """Squared error: :math:`l_i = (input_i - target_i)^2`.

    Args:
        input (Tensor): predictions of any shape.
        target (Tensor): targets of a shape that broadcasts with `input`.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the broadcast shape. Integers give float32.
    """
    ...

def nll_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, ignore_index: int = -100, reduction: str = 'mean') -> Tensor:
    """Negative log likelihood of classes; see ``ops.nll_loss``.

    Args:
        input (Tensor): log probabilities, shape :math:`(C,)` or :math:`(N, C, ...)`.
        target (Tensor): class indices of an integer type.
        weight (Tensor): a factor per class. Default: None.
        ignore_index (int): an index whose samples do not count. Default: -100.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `target`.
    """
    ...

def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    r"""Divide by the norm along a dimension: :math:`out = x / \max(\|x\|_p, \epsilon)`.

    Args:
        input (Tensor): floating point.
        p (float): the order of the norm. Default: 2.0.
        dim (int): the dimension. Default: 1.
        eps (float): least value of the divisor. Default: 1e-12.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Vectors with a one at the index of each class.

    Args:
        tensor (Tensor): classes, integers of any shape.
        num_classes (int): length of the vectors. Default: -1, the largest class and one.

    Returns:
        Tensor, int64, with one dimension more.
    """
    ...

def pad(input: Tensor, pad: Any, mode: str = 'constant', value: Any = None) -> Tensor:
    """Pad the input; see ``ops.pad``.

    Args:
        input (Tensor): any shape.
        pad (Union[tuple[int], list[int]]): pairs (before, after), the last dimension first.
        mode (str): ``constant``, ``reflect``, ``replicate`` or ``circular``. Default:
            ``"constant"``.
        value (Union[int, float]): for mode ``constant``. Default: None, 0.

    Returns:
        Tensor of the input's dtype.
    """
    ...

def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    r"""Move channels into space: :math:`(*, C r^2, H, W) \to (*, C, H r, W r)`.

    Args:
        input (Tensor): rank 3 or more; the channels are a multiple of :math:`r^2`.
        upscale_factor (int): :math:`r`.

    Returns:
        Tensor of the input's dtype.
    """
    ...

def prelu(input: Tensor, weight: Tensor) -> Tensor:
    r"""Rectifier with learned slopes: :math:`out = \max(0, x) + w \cdot \min(0, x)`.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)`.
        weight (Tensor): one slope, or one for each channel: shape (1,) or :math:`(C,)`.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def relu(input: Tensor, inplace: bool = False) -> Tensor:
    r"""Rectifier: :math:`out_i = \max(input_i, 0)`.

    Args:
        input (Tensor): real, any shape.
        inplace (bool): whether the result overwrites the input. Default: False.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Rectifier with a ceiling of 6; see ``ops.relu6``.

    Args:
        input (Tensor): floating point, any shape.
        inplace (bool): whether the result overwrites the input. Default: False.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def relu_(input: Tensor) -> Tensor:
    r"""Rectifier in place: :math:`input_i = \max(input_i, 0)`.

    Args:
        input (Tensor): real, any shape; it is overwritten.

    Returns:
        Tensor, `input` itself.
    """
    ...

def selu(input_x: Tensor) -> Tensor:
    r"""Self-normalizing exponential linear unit.

    .. math:: out_i = s \cdot x_i \text{ if positive, else } s \cdot \alpha (e^{x_i} - 1),
        \quad s = 1.05070098,\ \alpha = 1.67326324

    Args:
        input_x (Tensor): floating point, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def sigmoid(input: Tensor) -> Tensor:
    """Logistic function: :math:`out_i = 1 / (1 + e^{-input_i})`.

    Args:
        input (Tensor): floating point or complex, any shape.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def sigmoid_(input: Tensor) -> Tensor:
    """Logistic function in place: :math:`input_i = 1 / (1 + e^{-input_i})`.

    Args:
        input (Tensor): floating point, any shape; it is overwritten.

    Returns:
        Tensor, `input` itself.
    """
    ...

def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Sigmoid-weighted linear unit; see ``ops.silu``.

    Args:
        input (Tensor): floating point, any shape.
        inplace (bool): whether the result overwrites the input. Default: False.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def smooth_l1_loss(input: Tensor, target: Tensor, reduction: str = 'mean', beta: float = 1.0) -> Tensor:
    """Squared error near zero, absolute error beyond `beta`; see ``ops.smooth_l1_loss``.

    Args:
        input (Tensor): predictions of any shape.
        target (Tensor): targets of the same shape.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.
        beta (float): where the square becomes a line. Default: 1.0.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `input`.
    """
    ...

def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    r"""Logistic loss of signs: :math:`l_i = \log(1 + \exp(-y_i x_i))`.

    Args:
        input (Tensor): scores x of any shape.
        target (Tensor): signs y of the same shape, 1 or -1.
        reduction (str): ``"mean"``, ``"sum"`` or ``"none"``. Default: ``"mean"``.

    Returns:
        Tensor: a number, or with ``"none"`` the shape of `input`.
    """
    ...

def softmax(input: Tensor, dim: Any = None, dtype: Any = None) -> Tensor:
    """Softmax along a dimension; see ``ops.softmax``.

    Args:
        input (Tensor): floating point.
        dim (int): the dimension whose elements sum to one. Default: None: 0 for inputs of rank 1
            or 3, otherwise 1.
        dtype (mindspore.dtype): the input is cast to it first. Default: None.

    Returns:
        Tensor of the input's shape.
    """
    ...

def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    r"""Smooth rectifier.

    :math:`out_i = \ln(1 + e^{\beta x_i}) / \beta`, and :math:`x_i` itself
    where :math:`\beta x_i` exceeds the threshold.

    Args:
        input (Tensor): floating point, any shape.
        beta (Union[int, float]): :math:`\beta`. Default: 1.
        threshold (Union[int, float]): from where on the function is linear. Default: 20.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    r"""Shrink elements toward zero: :math:`out_i = sign(x_i) \max(|x_i| - \lambda, 0)`.

    Args:
        input (Tensor): floating point, any shape.
        lambd (Union[int, float]): :math:`\lambda`, not negative. Default: 0.5.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def tanh(input: Tensor) -> Tensor:
    r"""Hyperbolic tangent, element by element: :math:`out = \tanh x`.

    Args:
        input (Tensor): :math:`x`, of any shape.

    Returns:
        Tensor of the same shape; floating types are kept, integers and bool give float32.
    """
    ...

def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Replace elements that are not above a threshold; see ``ops.threshold``.

    Args:
        input (Tensor): floating point, any shape.
        threshold (float): the threshold.
        value (float): the value for elements not above it.
        inplace (bool): whether the result overwrites the input. Default: False.

    Returns:
        Tensor of the input's shape and dtype.
    """
    ...

def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    """Replace in place the elements that do not exceed a threshold.

    Args:
        input (Tensor): real, any shape; it is overwritten.
        threshold (Union[int, float]): what an element must exceed to stay.
        value (Union[int, float]): what replaces the others.

    Returns:
        Tensor, `input` itself.
    """
    ...

def unfold(input: Tensor, kernel_size: int | Sequence[int], dilation: int | Sequence[int] = 1, padding: int | Sequence[int] = 0, stride: int | Sequence[int] = 1) -> Tensor:
    r"""Patches of images as columns.

    Args:
        input (Tensor): shape :math:`(N, C, H, W)`.
        kernel_size (Union[int, tuple[int], list[int]]): size of a patch.
        dilation (Union[int, tuple[int], list[int]]): distance between its elements. Default: 1.
        padding (Union[int, tuple[int], list[int]]): zeros on both sides. Default: 0.
        stride (Union[int, tuple[int], list[int]]): step from patch to patch. Default: 1.

    Returns:
        Tensor of shape :math:`(N, C \cdot K_h K_w, patches)`.
    """
    ...

def upsample(input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = 'nearest', align_corners: bool | None = None) -> Tensor:
    """Resize sequences, images or volumes as PyTorch does.

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)`.
        size (Union[int, tuple[int]]): sizes of the output. Default: None.
        scale_factor (Union[float, tuple[float]]): multiples of the input's sizes. Default: None.
            One of the two must be given.
        mode (str): as for ``interpolate``. Default: ``"nearest"``.
        align_corners (bool): whether the corners' centers coincide. Default: None.

    Returns:
        Tensor of the new size.
    """
    ...
