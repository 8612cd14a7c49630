"""Softmax and its relatives."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import to_torch_dtype
from agar.ops._layers import layer_binding
from agar.ops.nn.activation import checked_axis, needs_float, random_slopes
from agar.ops.spec import Call, Flag, Float, Number, op, primitive

__all__ = ["softmax_layer"]


# --------------------------------------------------------------------------------- softmax


def _softmax(op_name: str, x: Tensor, axis: Any, dtype: Any) -> Tensor:
    rank = x.dim()
    if type(axis) is not int or not -rank <= axis < rank:
        axis = checked_axis(op_name, axis, rank)
    if dtype is not None:
        return torch.softmax(x, axis, to_torch_dtype(dtype, op_name=op_name))
    if not x.is_floating_point():
        needs_float(op_name, x)
    return torch.softmax(x, axis)


# What the function and the method do where nothing is to be cast.
_FLOATS = " and input._value.ndim and input._value.dtype in _floats"
_SOFTMAX = Call("torch.softmax(input, axis)", f"dtype is None and type(axis) is int{_FLOATS}")


@op(
    samples=("f(2, 3)", "f(2, 3, 4), 1", "i(2, 3), -1, dtype='float64'"),
    errors=(
        ("i(3)", TypeError, "floating-point"),
        ("f(2, 3), 2", ValueError, "the axis must be in [-2,2)"),
        ("f(2, 3), 1.5", TypeError, "axis"),
    ),
    reference=(
        "np.exp(input - input.max(axis, keepdims=True)) / "
        "np.exp(input - input.max(axis, keepdims=True)).sum(axis, keepdims=True)"
    ),
    fast=_SOFTMAX,
)
def softmax(input: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    r"""Softmax along an axis: :math:`out_i = e^{x_i} / \sum_j e^{x_j}`.

    Args:
        input (Tensor): floating point, rank 1 or more.
        axis (int): the axis whose elements sum to one. Default: -1.
        dtype (mindspore.dtype): the input is cast to it first. Default: None.

    Returns: Tensor of the input's shape.
    Raises TypeError: the input is not a floating-point Tensor (without `dtype`), or `axis` is not
        an int.
    Raises ValueError: the axis is out of range.
    Difference from PyTorch: `axis` has a default, there `dim` has none.

    >>> print(ms.ops.softmax(ms.Tensor([1.0, 1.0])))
    [0.5 0.5]
    """
    return _softmax("softmax", input, axis, dtype)


@op(
    "softmax",
    function=False,
    method="softmax",
    samples=("f(2, 3), 1", "f(2, 3), 0, 'float64'"),
    errors=(("f(2, 3), 2", ValueError, "axis"),),
    fast=_SOFTMAX,
)
def _softmax_method(input: Tensor, axis: int, dtype: Any = None) -> Tensor:
    """Softmax along an axis; see ``ops.softmax``. Here `axis` has no default."""
    return _softmax("softmax", input, axis, dtype)


def _show_axes(prim: Any) -> None:
    axis = prim.axis
    if type(axis) is bool or not isinstance(axis, (int, tuple)):
        raise TypeError(
            "For 'Softmax', the type of 'axis' should be one of '[int, tuple of int]', but got "
            f"{type(axis).__name__}."
        )
    prim.add_prim_attr("axis", axis if isinstance(axis, tuple) else (axis,))


@primitive(
    "Softmax",
    samples=("f(2, 3)", "f(2, 3), axis=0", "f(2, 3), axis=(0, 1)"),
    errors=(("f(2, 3), axis=2", ValueError, "axis"),),
    setup=_show_axes,
    fast=(
        Call("torch.softmax(input, axis)", f"type(axis) is int{_FLOATS}"),
        Call(
            "torch.softmax(input, axis[0])",
            f"type(axis) is tuple and len(axis) == 1 and type(axis[0]) is int{_FLOATS}",
        ),
    ),
)
def _softmax_primitive(input: Tensor, *, axis: Any = -1) -> Tensor:
    """Softmax along an axis, or along several as if they were one.

    Args:
        input (Tensor): floating point, rank 1 or more.
        axis (Union[int, tuple[int]]): the axes whose elements sum to one. Default: -1.

    Raises TypeError: the input is not a floating-point Tensor.
    Raises ValueError: an axis is out of range.
    Difference from PyTorch: ``torch.softmax`` is a function of one dimension.

    >>> print(ms.ops.Softmax()(ms.Tensor([1.0, 1.0])))
    [0.5 0.5]
    """
    return _softmax_axes("Softmax", input, axis)


def _softmax_axes(op_name: str, x: Tensor, axis: Any) -> Tensor:
    if isinstance(axis, (tuple, list)) and len(axis) > 1:
        needs_float(op_name, x)
        axes = [checked_axis(op_name, a, x.dim()) for a in axis]
        return torch.exp(x - torch.logsumexp(x, axes, keepdim=True))
    return _softmax(op_name, x, axis, None)


def _softmax_of(x: Tensor, axis: Any) -> Tensor:
    return _softmax_axes("Softmax", x, axis)


#: ``softmax_layer(x, axis)``.
softmax_layer = layer_binding("Softmax", _softmax_of, "Softmax")


@op(
    samples=("f(2, 3)", "f(2, 3), 0"),
    primitive="LogSoftmax(axis)",
    errors=(("f(2, 3), 2", ValueError, "axis"), ("f(2, 3), 1.0", TypeError, "axis")),
    fast=Call(
        "torch.log_softmax(logits, axis)",
        "type(axis) is int and logits._value.ndim and logits._value.dtype in _floats",
    ),
)
def log_softmax(logits: Float, axis: int = -1) -> Tensor:
    r"""Logarithm of the softmax along an axis: :math:`out_i = x_i - \ln \sum_j e^{x_j}`.

    Args:
        logits (Tensor): floating point, rank 1 or more.
        axis (int): the axis. Default: -1.

    Raises TypeError: `axis` is not an int.
    Raises ValueError: the axis is out of range.
    Difference from PyTorch: `axis` has a default, there `dim` has none.

    >>> print(ms.ops.log_softmax(ms.Tensor([1.0, 1.0])))
    [-0.6931472 -0.6931472]
    """
    return torch.log_softmax(logits, checked_axis("log_softmax", axis, logits.dim()))


@op(
    samples=("f(2, 3)", "f(2, 3), 0"),
    errors=(("i(3)", TypeError, "floating-point"), ("f(2, 3), 2", ValueError, "axis")),
)
def softmin(x: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    r"""Softmax of the negated input: :math:`out_i = e^{-x_i} / \sum_j e^{-x_j}`.

    Args:
        x (Tensor): floating point, rank 1 or more.
        axis (int): the axis whose elements sum to one. Default: -1.
        dtype (mindspore.dtype): the input is cast to it first. Default: None.

    Returns: Tensor of the input's shape.
    Raises TypeError: the input is not a floating-point Tensor (without `dtype`), or `axis` is not
        an int.
    Raises ValueError: the axis is out of range.
    Difference from PyTorch: `axis` has a default, there `dim` has none.

    >>> print(ms.ops.softmin(ms.Tensor([1.0, 1.0])))
    [0.5 0.5]
    """
    return _softmax("softmin", -x, axis, dtype)


@op(
    samples=("f(2, 3)", "f(2, 3), 0.5, True, 0"),
    errors=(("f(3), -1.0", ValueError, "tau"),),
    differentiable=False,  # every call draws other noise
    tags=("random",),
)
def gumbel_softmax(logits: Float, tau: Number = 1.0, hard: Flag = False, dim: int = -1) -> Tensor:
    r"""Sample from a relaxed categorical distribution.

    .. math:: out = \mathrm{softmax}((logits + g) / \tau),
        \quad g_i = -\ln(-\ln u_i),\ u_i \sim U(0, 1)

    Args:
        logits (Tensor): floating point, unnormalized logarithms of probabilities.
        tau (float): temperature, positive. Default: 1.0.
        hard (bool): whether the result is one-hot; its gradient is that of the soft sample.
            Default: False.
        dim (int): the dimension whose elements sum to one. Default: -1.

    Raises ValueError: `tau` is not positive, or the dimension out of range.
    Difference from PyTorch: other random numbers.
    Source: Jang et al. 2017, "Categorical Reparameterization with Gumbel-Softmax".

    >>> sample = ms.ops.gumbel_softmax(ms.Tensor([0.0, 9.0]), hard=True)
    >>> float(sample.sum())
    1.0
    """
    if tau <= 0:
        raise ValueError(f"For 'gumbel_softmax', 'tau' must be positive, but got {tau}.")
    dim = checked_axis("gumbel_softmax", dim, logits.dim())
    noise = -torch.log(-torch.log(random_slopes(logits, 0.0, 1.0)))
    soft = torch.softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    peak = torch.zeros_like(soft).scatter_(dim, soft.argmax(dim, keepdim=True), 1.0)
    return peak - soft.detach() + soft
