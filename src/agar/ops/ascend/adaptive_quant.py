"""Universal and adaptive quantization of activations and weights."""

from __future__ import annotations

import torch
from torch import Tensor

from agar._core.optable import Primitive
from agar.ops._checks import integer
from agar.ops.ascend.fake_quant import check_flags, same_shape, with_gradient
from agar.ops.spec import primitive

__all__: list[str] = []

# ------------------------------------------------------- universal and adaptive quantization

_STEPS = 255  # of 8 bits
_LEAST_STEP = 1.192092896e-07  # float32's epsilon


def _check_eight_bits(instance: Primitive) -> None:
    check_flags(instance)
    if integer(instance.name, "num_bits", instance.num_bits) != 8:
        raise ValueError(
            f"For '{instance.name}', 'num_bits' must be 8, but got {instance.num_bits}."
        )


def _of_all(op_name: str, name: str, value: Tensor, x: Tensor) -> Tensor:
    """A tensor of one element and the rank of x."""
    if list(value.shape) != [1] * x.ndim:
        raise ValueError(
            f"For '{op_name}', the shape of '{name}' must be {[1] * x.ndim}, but got "
            f"{list(value.shape)}."
        )
    return value


@primitive(
    "ActsULQ",
    samples=("f(2, 3), -p(1, 1), p(1, 1)", "f(3), -p(1), p(1), fixed_min=True"),
    errors=(
        ("f(2, 3), f(1), f(1)", ValueError, "clamp_min"),
        ("f(3), f(1), f(1), num_bits=4", ValueError, "num_bits"),
    ),
    differentiable=False,  # the gradient is that of clipping
    setup=_check_eight_bits,
)
def _acts_ulq(
    x: Tensor, clamp_min: Tensor, clamp_max: Tensor, *, fixed_min: bool = False, num_bits: int = 8
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    r"""Activations rounded to 255 steps of an interval whose ends are learned.

    .. math::
        s = \frac{max - min}{255}, \quad
        r = clip(x, min, max) / s, \quad
        y = s \lfloor r \rceil, \quad
        loss = \frac{\lfloor r \rceil - r}{255}

    where min is at most 0 (0 with `fixed_min`), max above 0, and both are moved to multiples of
    the step. The gradient of x passes within the ends; those of the ends are
    :class:`ActULQClampMinGrad` and :class:`ActULQClampMaxGrad`.

    Attributes:
        fixed_min (bool): whether the lower end is 0. Default: False.
        num_bits (int): must be 8. Default: 8.

    Inputs:
        - **x** (Tensor) - any shape.
        - **clamp_min**, **clamp_max** (Tensor) - the ends, of the rank of x and one element.

    Outputs: Tuple of y, whether x is at least min, whether it is at most max (bool), and the loss.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: `num_bits` or a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> quant = ms.ops.operations.ActsULQ(fixed_min=True)
    >>> x, least, most = ms.Tensor([-1.0, 1.2, 999.0]), ms.Tensor([0.0]), ms.Tensor([255.0])
    >>> y, low, high, _ = quant(x, least, most)
    >>> print(y, low, high)
    [  0.   1. 255.] [False  True  True] [ True  True False]
    """
    op_name = "ActsULQ"
    least = _of_all(op_name, "clamp_min", clamp_min, x).detach().clamp(max=0)
    most = _of_all(op_name, "clamp_max", clamp_max, x).detach().clamp(min=_STEPS * _LEAST_STEP)
    if fixed_min:
        least = torch.zeros_like(least)
    step = (most - least) / _STEPS
    offset = (least / step).round()
    low, high = offset * step, (offset + _STEPS) * step
    # the ends themselves are not multiples of the step: what they lose is what clipped values lose
    ratio = torch.minimum(torch.maximum(x.detach(), least), most) / step
    codes = torch.minimum(torch.maximum(x.detach(), low), high).div(step).round()
    loss = (ratio.round() - ratio) / _STEPS
    above, below = x >= low, x <= high
    y = with_gradient(
        codes * step,
        (above & below, x),
        ((~above).to(loss.dtype) - loss, clamp_min),
        ((~below).to(loss.dtype) + loss, clamp_max),
    )
    return y.to(x.dtype), above, below, loss.to(x.dtype)


@primitive(
    "ActsULQInputGrad",
    samples=("f(2, 3), b(2, 3), b(2, 3)",),
    errors=(("f(2, 3), b(3), b(2, 3)", ValueError, "shape"),),
    differentiable=False,
)
def _acts_ulq_input_grad(y_grad: Tensor, clamp_min_mask: Tensor, clamp_max_mask: Tensor) -> Tensor:
    """The gradient of the activations of :class:`ActsULQ`: `y_grad` where both masks hold, else 0.

    Inputs:
        - **y_grad** (Tensor) - the gradient of the rounded activations.
        - **clamp_min_mask**, **clamp_max_mask** (Tensor) - what :class:`ActsULQ` returns.

    Outputs: Tensor of the shape and type of `y_grad`.
    Raises ValueError: the shapes differ.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.ActsULQInputGrad()
    >>> print(grad(ms.Tensor([1.0, 2.0]), ms.Tensor([True, False]), ms.Tensor([True, True])))
    [1. 0.]
    """
    same_shape("ActsULQInputGrad", "y_grad", y_grad, "clamp_min_mask", clamp_min_mask)
    same_shape("ActsULQInputGrad", "y_grad", y_grad, "clamp_max_mask", clamp_max_mask)
    inside = (clamp_min_mask != 0) & (clamp_max_mask != 0)
    return torch.where(inside, y_grad, torch.zeros_like(y_grad))


def _end_gradient(op_name: str, y_grad: Tensor, mask: Tensor, loss: Tensor, sign: int) -> Tensor:
    same_shape(op_name, "y_grad", y_grad, "mask", mask)
    same_shape(op_name, "y_grad", y_grad, "x_clamped_loss", loss)
    wide = y_grad.to(torch.promote_types(y_grad.dtype, torch.float32))
    outside = 1 - mask.to(wide.dtype)
    return (wide * (outside + sign * loss)).sum().float().reshape((1,) * y_grad.ndim)


@primitive(
    "ActULQClampMinGrad",
    samples=("f(2, 3), b(2, 3), f(2, 3)", "f(3), i(3) // 2, f(3)"),
    errors=(("f(2, 3), b(3), f(2, 3)", ValueError, "shape"),),
    differentiable=False,
)
def _act_ulq_clamp_min_grad(
    y_grad: Tensor, clamp_min_mask: Tensor, x_clamped_loss: Tensor
) -> Tensor:
    r"""The gradient of the lower end of :class:`ActsULQ`: :math:`\sum dy (1 - mask - loss)`.

    Inputs:
        - **y_grad** (Tensor) - the gradient of the activations.
        - **clamp_min_mask** (Tensor) - where they are at least the lower end.
        - **x_clamped_loss** (Tensor) - the loss that :class:`ActsULQ` returns.

    Outputs: Tensor of one element and the rank of `y_grad`, float32.
    Raises ValueError: the shapes differ.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.ActULQClampMinGrad()
    >>> print(grad(ms.Tensor([1.0, 2.0]), ms.Tensor([True, False]), ms.Tensor([0.25, 0.0])))
    [1.75]
    """
    return _end_gradient("ActULQClampMinGrad", y_grad, clamp_min_mask, x_clamped_loss, -1)


@primitive(
    "ActULQClampMaxGrad",
    samples=("f(2, 3), b(2, 3), f(2, 3)", "f(3), i(3) // 2, f(3)"),
    errors=(("f(2, 3), b(3), f(2, 3)", ValueError, "shape"),),
    differentiable=False,
)
def _act_ulq_clamp_max_grad(
    y_grad: Tensor, clamp_max_mask: Tensor, x_clamped_loss: Tensor
) -> Tensor:
    r"""The gradient of the upper end of :class:`ActsULQ`: :math:`\sum dy (1 - mask + loss)`.

    Inputs:
        - **y_grad** (Tensor) - the gradient of the activations.
        - **clamp_max_mask** (Tensor) - where they are at most the upper end.
        - **x_clamped_loss** (Tensor) - the loss that :class:`ActsULQ` returns.

    Outputs: Tensor of one element and the rank of `y_grad`, float32.
    Raises ValueError: the shapes differ.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.ActULQClampMaxGrad()
    >>> print(grad(ms.Tensor([1.0, 2.0]), ms.Tensor([True, False]), ms.Tensor([0.25, 0.0])))
    [2.25]
    """
    return _end_gradient("ActULQClampMaxGrad", y_grad, clamp_max_mask, x_clamped_loss, 1)


@primitive(
    "WtsARQ",
    samples=(
        "f(2, 3), -p(1, 1), p(1, 1), num_bits=8, offset_flag=True",
        "f(2, 3), -p(2, 1), p(2, 1), num_bits=8, offset_flag=False",
    ),
    errors=(
        ("f(2, 3), f(1), f(1), num_bits=8, offset_flag=True", ValueError, "w_min"),
        ("f(3), f(1), f(1), num_bits=4, offset_flag=True", ValueError, "num_bits"),
    ),
    differentiable=False,  # the gradient passes as if nothing were rounded
    setup=_check_eight_bits,
)
def _wts_arq(
    w: Tensor, w_min: Tensor, w_max: Tensor, *, num_bits: int, offset_flag: bool
) -> Tensor:
    r"""Weights rounded to codes from -128 to 127 of their range.

    .. math::
        y = s \left( clip(\lfloor w / s \rceil + o, -128, 127) - o \right)

    With `offset_flag`, :math:`s = (max - min) / 255` and
    :math:`o = -128 - \lfloor min / s \rceil`; without, :math:`s = \max(max / 127, -min / 128)` and
    o is 0. The range contains zero. The gradient of w passes everywhere.

    Attributes:
        num_bits (int): must be 8.
        offset_flag (bool): whether codes have an offset.

    Inputs:
        - **w** (Tensor) - the weights.
        - **w_min**, **w_max** (Tensor) - the range, of the rank of w, broadcast with it.

    Outputs: Tensor of the shape and type of `w`.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: `num_bits` or a shape does not fit.
    Difference from PyTorch: ``torch.fake_quantize_per_tensor_affine`` takes scale and zero point.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> quant = ms.ops.operations.WtsARQ(num_bits=8, offset_flag=False)
    >>> print(quant(ms.Tensor([0.4, 2.6, -300.0]), ms.Tensor([-128.0]), ms.Tensor([127.0])))
    [   0.    3. -128.]
    """
    for name, value in (("w_min", w_min), ("w_max", w_max)):
        if value.ndim != w.ndim:
            raise ValueError(
                f"For 'WtsARQ', '{name}' must have the rank of 'w', {w.ndim}, but got shape "
                f"{list(value.shape)}."
            )
    least, most = w_min.detach().clamp(max=0), w_max.detach().clamp(min=0)
    if offset_flag:
        step = (most - least) / _STEPS
    else:
        step = torch.maximum(most / 127, -least / 128)
    step = torch.where(step < _LEAST_STEP, torch.ones_like(step), step)
    offset = -128 - (least / step).round() if offset_flag else torch.zeros_like(step)
    codes = ((w.detach() / step).round() + offset).clamp(-128, 127)
    return with_gradient((codes - offset) * step, (torch.ones_like(w), w)).to(w.dtype)
