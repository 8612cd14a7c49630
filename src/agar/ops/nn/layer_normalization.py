"""Layer and root-mean-square normalization, alone and after an addition."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from agar.ops._checks import boolean
from agar.ops._layers import layer_binding
from agar.ops.nn.activation import needs_float
from agar.ops.nn.normalization import beside
from agar.ops.spec import Call, op, primitive

__all__ = ["layer_norm_axes"]


# ------------------------------------------------------------------------------- features


def _layer_norm_axes(
    x: Tensor,
    gamma: Tensor,
    beta: Tensor,
    begin_norm_axis: int,
    begin_params_axis: int,
    epsilon: float,
) -> Tensor:
    rank = x.dim()
    first = begin_norm_axis + rank if begin_norm_axis < 0 else begin_norm_axis
    scaled = begin_params_axis + rank if begin_params_axis < 0 else begin_params_axis
    if first == scaled and x.shape[first:] == gamma.shape and 0 <= first < rank:
        return torch.layer_norm(x, gamma.shape, beside(x, gamma), beside(x, beta), epsilon, True)
    return _layer_norm_checked(x, gamma, beta, first, scaled, epsilon)


def _layer_norm_checked(
    x: Tensor, gamma: Tensor, beta: Tensor, first: int, scaled: int, epsilon: float
) -> Tensor:
    rank = x.dim()
    for name, axis in (("begin_norm_axis", first), ("begin_params_axis", scaled)):
        if not 0 <= axis < rank:
            raise RuntimeError(
                f"For 'LayerNorm', '{name}' must lie within the input's rank {rank}, but it means "
                f"axis {axis} (input shape {tuple(x.shape)})."
            )
    needs_float("LayerNorm", x)
    if gamma.shape != x.shape[scaled:] or beta.shape != gamma.shape:
        raise ValueError(
            "For 'LayerNorm', gamma or beta shape must match input shape from begin_params_axis "
            f"on, but got input shape {tuple(x.shape)}, gamma shape {tuple(gamma.shape)}, beta "
            f"shape {tuple(beta.shape)}, begin_params_axis {scaled}."
        )
    plain = torch.layer_norm(x, x.shape[first:], None, None, epsilon, True)
    return plain * gamma.to(x.dtype) + beta.to(x.dtype)


#: ``layer_norm_axes(x, gamma, beta, begin_norm_axis, begin_params_axis, epsilon)``.
layer_norm_axes = layer_binding("LayerNorm", _layer_norm_axes, "LayerNorm")


@primitive(
    "LayerNorm",
    samples=(
        "f(2, 3), f(3), f(3)",
        "f(2, 3, 4), f(4), f(4), begin_norm_axis=-1, begin_params_axis=-1, epsilon=1e-5",
        "f(2, 3, 4), f(4), f(4), begin_norm_axis=1, begin_params_axis=-1",
    ),
    errors=(
        ("f(2, 3), f(2), f(2)", ValueError, "gamma or beta shape must match"),
        ("f(2, 3), f(3), f(3), begin_norm_axis=5", RuntimeError, "begin_norm_axis"),
    ),
)
def _layer_norm_primitive(
    input_x: Tensor,
    gamma: Tensor,
    beta: Tensor,
    *,
    begin_norm_axis: int = 1,
    begin_params_axis: int = 1,
    epsilon: float = 1e-7,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Normalize over the trailing axes of every sample.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot \gamma + \beta

    Args:
        input_x (Tensor): floating point, any shape.
        gamma (Tensor): scale, of the input's shape from `begin_params_axis` on.
        beta (Tensor): shift, of the same shape.
        begin_norm_axis (int): the first axis of the normalized part. Default: 1.
        begin_params_axis (int): the first axis of scale and shift. Default: 1.
        epsilon (float): :math:`\epsilon`. Default: 1e-7.

    Returns: Tuple of the output, the mean and the variance (the normalized axes have size 1); the
        latter two are float32 for half types, and without gradient.
    Raises ValueError: gamma or beta have another shape.
    Raises RuntimeError: an axis is out of range.
    Difference from PyTorch: axes in place of a shape; epsilon 1e-7, there 1e-5.
    Source: Ba et al. 2016, "Layer Normalization".

    >>> norm = ms.ops.LayerNorm(epsilon=0.0)
    >>> print(norm(ms.Tensor([[1.0, 3.0]]), ms.ops.ones(2), ms.ops.zeros(2))[0])
    [[-1.  1.]]
    """
    out = _layer_norm_axes(input_x, gamma, beta, begin_norm_axis, begin_params_axis, epsilon)
    axes = list(range(begin_norm_axis % input_x.dim(), input_x.dim()))
    wide = input_x.detach()
    wide = wide if wide.dtype.itemsize > 2 else wide.float()
    variance, mean = torch.var_mean(wide, axes, correction=0, keepdim=True)
    return out, mean, variance


@op(
    mint=("nn.functional.layer_norm",),
    samples=(
        "f(2, 3), (3,)",
        "f(2, 3, 4), (3, 4), f(3, 4), f(3, 4)",
        "f(2, 3), 3, f(3), f(3), 1e-3",
    ),
    errors=(
        ("f(2, 3), (4,)", ValueError, "normalized_shape"),
        ("f(2, 3), 'a'", TypeError, "normalized_shape"),
    ),
    fast=Call(
        "torch.layer_norm(input, normalized_shape, weight._value, bias._value, eps)",
        "type(eps) is float and type(normalized_shape) is tuple and normalized_shape and weight"
        " is not None and bias is"
        " not None and weight._value.dtype is input._value.dtype is bias._value.dtype",
    ),
)
def layer_norm(
    input: Tensor,
    normalized_shape: int | Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    r"""Normalize over the trailing dimensions of the given shape.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot weight + bias

    Args:
        input (Tensor): floating point, its shape ending in `normalized_shape`.
        normalized_shape (Union[int, tuple[int], list[int]]): the shape of the normalized part.
        weight (Tensor): scale of that shape. Default: None.
        bias (Tensor): shift of that shape. Default: None.
        eps (float): :math:`\epsilon`. Default: 1e-5.

    Raises ValueError: the input's shape does not end so.
    Raises TypeError: `normalized_shape` is not an int, tuple or list.
    Source: Ba et al. 2016, "Layer Normalization".

    >>> print(ms.ops.layer_norm(ms.Tensor([[1.0, 3.0]]), (2,), eps=0.0))
    [[-1.  1.]]
    """
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
    if not isinstance(shape, (tuple, list)) or not shape:
        raise TypeError(
            "For 'layer_norm', the type of 'normalized_shape' must be int, tuple[int] or "
            f"list[int] that is not empty, but got {normalized_shape!r}."
        )
    shape = tuple(shape)
    if tuple(input.shape[-len(shape) :]) != shape:
        raise ValueError(
            f"For 'layer_norm', the input's shape must end in normalized_shape {shape}, but got "
            f"{tuple(input.shape)}."
        )
    return torch.layer_norm(input, shape, beside(input, weight), beside(input, bias), eps)


@op(
    primitive="RmsNorm(epsilon)",
    samples=("f(2, 3), f(3)", "f(2, 3), f(3), 1e-2"),
    errors=(("f(2, 3), f(2)", ValueError, "gamma"),),
)
def rms_norm(x: Tensor, gamma: Tensor, epsilon: float = 1e-6) -> tuple[Tensor, Tensor]:
    r"""Divide by the root mean square over the trailing axes.

    .. math:: out = \frac{x}{\sqrt{\mathrm{mean}(x^2) + \epsilon}} \cdot \gamma

    Args:
        x (Tensor): floating point, its shape ending in that of `gamma`.
        gamma (Tensor): scale.
        epsilon (float): :math:`\epsilon`. Default: 1e-6.

    Returns: Tuple of the output and the reciprocal root mean square (the normalized axes have size
        1).
    Raises ValueError: the input's shape does not end in that of gamma.
    Difference from PyTorch: there, one result, and the scale is optional.
    Source: Zhang and Sennrich 2019, "Root Mean Square Layer Normalization".

    >>> print(ms.ops.rms_norm(ms.Tensor([[2.0, -2.0]]), ms.ops.ones(2), 0.0)[0])
    [[ 1. -1.]]
    """
    return _rms_norm("rms_norm", x, gamma, epsilon)


@op(
    primitive=False,
    samples=("f(2, 3), f(2, 3), f(3)", "f(2, 3), f(2, 3), f(3), 1e-2"),
    errors=(
        ("f(2, 3), f(2, 3), f(2)", ValueError, "gamma"),
        ("f(2, 3), f(2, 2), f(3)", ValueError, "shape"),
    ),
)
def add_rms_norm(
    x1: Tensor, x2: Tensor, gamma: Tensor, epsilon: float = 1e-6
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Add two tensors and divide the sum by its root mean square over the trailing axes.

    .. math::
        x = x_1 + x_2, \quad
        out = \frac{x}{\sqrt{\mathrm{mean}(x^2) + \epsilon}} \cdot \gamma

    Args:
        x1 (Tensor): floating point, its shape ending in that of `gamma`.
        x2 (Tensor): of the shape of `x1`.
        gamma (Tensor): scale.
        epsilon (float): :math:`\epsilon`. Default: 1e-6.

    Returns: Tuple of the output, the reciprocal root mean square and the sum.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: PyTorch has no such function.
    Source: Zhang and Sennrich 2019, "Root Mean Square Layer Normalization"; MindSpore 2.10 has no
        CPU kernel.

    >>> x = ms.Tensor([[1.0, -1.0]])
    >>> print(ms.ops.add_rms_norm(x, x, ms.ops.ones(2), 0.0)[0])
    [[ 1. -1.]]
    """
    total = _sum("add_rms_norm", x1, x2)
    out, scale = _rms_norm("add_rms_norm", total, gamma, epsilon)
    return out, scale, total


def _sum(op_name: str, x1: Tensor, x2: Tensor) -> Tensor:
    if x1.shape != x2.shape:
        raise ValueError(
            f"For '{op_name}', 'x1' and 'x2' must have one shape, but got {tuple(x1.shape)} and "
            f"{tuple(x2.shape)}."
        )
    return x1 + x2


@op(
    primitive=False,
    samples=("f(2, 3), f(2, 3), f(3), f(3)", "f(2, 3), f(2, 3), f(3), f(3), 1e-2, True"),
    errors=(
        ("f(2, 3), f(2, 3), f(2), f(2)", ValueError, "gamma"),
        ("f(2, 3), f(2, 3), f(3), f(2)", ValueError, "beta"),
        ("f(2, 3), f(2, 2), f(3), f(3)", ValueError, "shape"),
        ("f(2, 3), f(2, 3), f(3), f(3), 1e-5, 1", TypeError, "additional_output"),
    ),
)
def add_layer_norm(
    x1: Tensor,
    x2: Tensor,
    gamma: Tensor,
    beta: Tensor,
    epsilon: float = 1e-5,
    additional_output: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    r"""Add two tensors and normalize the sum over the trailing axes.

    .. math::
        x = x_1 + x_2, \quad
        out = \frac{x - \mathrm{E}[x]}{\sqrt{\mathrm{Var}[x] + \epsilon}} \cdot \gamma + \beta

    Args:
        x1 (Tensor): floating point, its shape ending in that of `gamma`.
        x2 (Tensor): of the shape of `x1`.
        gamma (Tensor): scale.
        beta (Tensor): shift, of the shape of `gamma`.
        epsilon (float): :math:`\epsilon`. Default: 1e-5.
        additional_output (bool): accepted for MindSpore's signature; the sum is always returned.
            Default: False.

    Returns: Tuple of the output, the mean, the reciprocal standard deviation and the sum.
    Raises TypeError: `additional_output` is not a bool.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: PyTorch has no such function.
    Source: Ba et al. 2016, "Layer Normalization"; MindSpore 2.10 has no CPU kernel.

    >>> x = ms.Tensor([[1.0, 3.0]])
    >>> print(ms.ops.add_layer_norm(x, x, ms.ops.ones(2), ms.ops.zeros(2), 0.0)[0])
    [[-1.  1.]]
    """
    op_name = "add_layer_norm"
    boolean(op_name, "additional_output", additional_output)
    total = _sum(op_name, x1, x2)
    _check_scale(op_name, total, gamma)
    if beta.shape != gamma.shape:
        raise ValueError(
            f"For '{op_name}', 'beta' must have the shape of gamma, {tuple(gamma.shape)}, but got "
            f"{tuple(beta.shape)}."
        )
    wide = total if total.dtype.itemsize > 2 else total.float()
    variance, mean = torch.var_mean(wide, list(range(-gamma.dim(), 0)), correction=0, keepdim=True)
    scale = torch.rsqrt(variance + epsilon)
    out = ((wide - mean) * scale).to(total.dtype) * gamma + beta
    return out, mean, scale, total


def _check_scale(op_name: str, x: Tensor, gamma: Tensor) -> None:
    if x.dim() < gamma.dim() or x.shape[x.dim() - gamma.dim() :] != gamma.shape:
        raise ValueError(
            f"For '{op_name}', the input's shape must end in that of gamma, {tuple(gamma.shape)}, "
            f"but got {tuple(x.shape)}."
        )


def _rms_norm(op_name: str, x: Tensor, gamma: Tensor, epsilon: float) -> tuple[Tensor, Tensor]:
    _check_scale(op_name, x, gamma)
    wide = x if x.dtype.itemsize > 2 else x.float()
    axes = list(range(-gamma.dim(), 0))
    scale = torch.rsqrt(wide.square().mean(axes, keepdim=True) + epsilon)
    return (wide * scale).to(x.dtype) * gamma, scale
