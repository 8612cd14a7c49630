"""Batch normalization folded into the convolution before it, for quantized training."""

from __future__ import annotations

import torch
from torch import Tensor

from agar._core.optable import Primitive
from agar._core.runtime import runtime, thread
from agar.ops._checks import between, integer
from agar.ops.ascend.fake_quant import check_flags, of_channels, same_shape
from agar.ops.spec import primitive

__all__: list[str] = []

# ------------------------------------------------- normalization folded into a convolution


def _frozen(step: Tensor, freeze_bn: int, training: bool = True) -> Tensor:
    """Whether the running statistics are used, as a 0-d tensor."""
    return step.reshape(-1)[0] >= (freeze_bn if training else torch.iinfo(torch.int32).min)


def check_fold(instance: Primitive) -> None:
    check_flags(instance)
    integer(instance.name, "freeze_bn", instance.freeze_bn)
    if "momentum" in instance.attrs:
        between(instance.name, "momentum", instance.momentum, 0, 1)
    if "epsilon" in instance.attrs and not (
        isinstance(instance.epsilon, float) and instance.epsilon > 0
    ):
        raise ValueError(
            f"For '{instance.name}', the 'epsilon' must be float and must > 0, but got "
            f"'{instance.epsilon}'."
        )


@primitive(
    "BatchNormFold",
    constants={"channel_axis": 1},
    samples=(
        "f(4, 3), f(3), p(3), torch.tensor([0]), freeze_bn=9",
        "f(4, 3, 2), f(3), p(3), torch.tensor([9]), freeze_bn=9",
        "f(4, 3, 2, 2), f(3), p(3), torch.tensor([0]), is_training=False",
    ),
    errors=(
        ("f(4, 2), f(3), p(3), torch.tensor([0])", ValueError, "mean"),
        ("f(4, 3), f(3), p(3), torch.tensor([0]), epsilon=0.0", ValueError, "epsilon"),
    ),
    differentiable=False,  # the running statistics are state
    setup=check_fold,
)
def _batch_norm_fold(
    x: Tensor,
    mean: Tensor,
    variance: Tensor,
    global_step: Tensor,
    *,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    is_training: bool = True,
    freeze_bn: int = 0,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    r"""Means and deviations of a batch's channels, and the running ones.

    In training, before the step `freeze_bn`, they are :math:`E[x]`, :math:`\sqrt{Var[x] +
    \epsilon}`, `mean` and :math:`\sqrt{variance + \epsilon}`, and then `mean` and `variance` become
    :math:`m \cdot mean + (1 - m) E[x]` and the same of the unbiased variance. Otherwise the first
    two are 0 and 1, and nothing changes.

    Attributes:
        momentum (float): m, from 0 to 1. Default: 0.9.
        epsilon (float): added to the variance, above 0. Default: 1e-5.
        is_training (bool): whether the statistics of the batch are used. Default: True.
        freeze_bn (int): the step from which they are not used. Default: 0.

    Inputs:
        - **x** (Tensor) - shape (N, C, ...).
        - **mean**, **variance** (Parameter) - the running statistics, shape (C,).
        - **global_step** (Tensor) - the number of the step; the first element counts.

    Outputs: Tuple of the batch's means and deviations and the running means and deviations, (C,)
        each.
    Raises TypeError: an attribute is of another type.
    Raises ValueError: an attribute or a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> fold = ms.ops.operations.BatchNormFold(epsilon=1e-9, freeze_bn=10)
    >>> mean, variance = (ms.Parameter(ms.ops.ones(1), name=n) for n in ("mean", "variance"))
    >>> out = fold(ms.Tensor([[1.0], [5.0]]), mean, variance, ms.Tensor([0], ms.int32))
    >>> print(*out, mean.value(), variance.value())
    [3.] [2.] [1.] [1.] [1.2] [1.7]
    """
    op_name = "BatchNormFold"
    of_channels(op_name, "mean", mean, x, 1)
    of_channels(op_name, "variance", variance, x, 1)
    axes = [0, *range(2, x.ndim)]
    frozen = _frozen(global_step, freeze_bn, is_training).to(x.device)
    batch_mean, batch_variance = x.mean(axes), x.var(axes, correction=0)
    batch_std = (batch_variance + epsilon).sqrt()
    old_mean, old_variance = mean.detach().clone(), variance.detach().clone()
    if is_training and not thread.recomputing:
        count = x.numel() // x.shape[1]
        unbiased = batch_variance.detach() * (count / max(count - 1, 1))
        with torch.no_grad():
            for target, now in ((mean, batch_mean.detach()), (variance, unbiased)):
                mixed = momentum * target + (1 - momentum) * now
                target.data.copy_(torch.where(frozen, target, mixed.to(target.dtype)))
        runtime.weights += 1
    return (
        torch.where(frozen, torch.zeros_like(batch_mean), batch_mean),
        torch.where(frozen, torch.ones_like(batch_std), batch_std),
        old_mean,
        (old_variance + epsilon).sqrt(),
    )


@primitive(
    "BatchNormFoldGrad",
    constants={"channel_axis": 1},
    samples=(
        "f(3), f(3), f(4, 3), f(3), p(3), torch.tensor([0]), freeze_bn=9",
        "f(3), f(3), f(4, 3, 2), f(3), p(3), torch.tensor([9]), freeze_bn=9",
    ),
    errors=(("f(3), f(3), f(4, 2), f(3), p(3), torch.tensor([0])", ValueError, "d_batch_mean"),),
    differentiable=False,
    setup=check_fold,
)
def _batch_norm_fold_grad(
    d_batch_mean: Tensor,
    d_batch_std: Tensor,
    x: Tensor,
    batch_mean: Tensor,
    batch_std: Tensor,
    global_step: Tensor,
    *,
    epsilon: float = 1e-5,
    is_training: bool = True,
    freeze_bn: int = 0,
) -> Tensor:
    r"""The gradient of :class:`BatchNormFold`.

    .. math::
        dx = \frac1n \left( d_{mean} + d_{std} \frac{x - mean}{std} \right)

    where n is the number of elements of a channel; 0 where the running statistics are used.

    Inputs:
        - **d_batch_mean**, **d_batch_std** (Tensor) - the gradients, shape (C,).
        - **x** (Tensor) - shape (N, C, ...).
        - **batch_mean**, **batch_std** (Tensor) - the statistics, shape (C,).
        - **global_step** (Tensor) - the number of the step.

    Outputs: Tensor of the shape of `x`.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.BatchNormFoldGrad(freeze_bn=10)
    >>> one, step = ms.ops.ones(1), ms.Tensor([0], ms.int32)
    >>> print(grad(one, one, ms.Tensor([[1.0], [5.0]]), 3 * one, 2 * one, step))
    [[0.]
     [1.]]
    """
    op_name = "BatchNormFoldGrad"
    d_mean, d_std, mean, std = (
        of_channels(op_name, name, value, x, 1)
        for name, value in (
            ("d_batch_mean", d_batch_mean),
            ("d_batch_std", d_batch_std),
            ("batch_mean", batch_mean),
            ("batch_std", batch_std),
        )
    )
    count = x.numel() // x.shape[1]
    dx = (d_mean + d_std * (x - mean) / std) / count
    frozen = _frozen(global_step, freeze_bn, is_training).to(x.device)
    return torch.where(frozen, torch.zeros_like(dx), dx)


@primitive(
    "BatchNormFold2",
    constants={"channel_axis": 1},
    samples=(
        "f(4, 3), f(3), f(3), p(3), f(3), p(3), f(3), torch.tensor([0]), freeze_bn=9",
        "f(4, 3, 2), f(3), f(3), p(3), f(3), p(3), f(3), torch.tensor([9]), freeze_bn=9",
    ),
    errors=(
        ("f(4, 2), f(3), f(3), p(3), f(3), p(3), f(3), torch.tensor([0])", ValueError, "beta"),
    ),
    differentiable=False,  # running statistics have none
    setup=check_fold,
)
def _batch_norm_fold2(
    x: Tensor,
    beta: Tensor,
    gamma: Tensor,
    batch_std: Tensor,
    batch_mean: Tensor,
    running_std: Tensor,
    running_mean: Tensor,
    global_step: Tensor,
    *,
    freeze_bn: int = 0,
) -> Tensor:
    r"""The bias of a folded normalization added, and the output scaled back to the batch.

    .. math::
        y = x \frac{\sigma_{run}}{\sigma} + \beta - \gamma \frac{\mu}{\sigma}

    and from the step `freeze_bn` on :math:`y = x + \beta - \gamma \mu_{run} / \sigma_{run}`.
    Running statistics have no gradient.

    Attributes:
        freeze_bn (int): the step from which the running statistics are used. Default: 0.

    Inputs:
        - **x** (Tensor) - shape (N, C, ...).
        - **beta**, **gamma**, **batch_std**, **batch_mean**, **running_std**, **running_mean**
          (Tensor) - shape (C,).
        - **global_step** (Tensor) - the number of the step; the first element counts.

    Outputs: Tensor of the shape of `x`.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> fold = ms.ops.operations.BatchNormFold2(freeze_bn=10)
    >>> one, step = ms.ops.ones(1), ms.Tensor([0], ms.int32)
    >>> print(fold(ms.Tensor([[3.0]]), one, one, 2 * one, one, 4 * one, one, step))
    [[6.5]]
    """
    op_name = "BatchNormFold2"
    bias, scale, std, mean, long_std, long_mean = (
        of_channels(op_name, name, value, x, 1)
        for name, value in (
            ("beta", beta),
            ("gamma", gamma),
            ("batch_std", batch_std),
            ("batch_mean", batch_mean),
            ("running_std", running_std.detach()),
            ("running_mean", running_mean.detach()),
        )
    )
    now = x * (long_std / std) + bias - scale * mean / std
    later = x + bias - scale * long_mean / long_std
    return torch.where(_frozen(global_step, freeze_bn).to(x.device), later, now)


@primitive(
    "BatchNormFold2Grad",
    constants={"channel_axis": 1},
    samples=(
        "f(4, 3), f(4, 3), f(3), p(3), f(3), p(3), f(3), torch.tensor([0]), freeze_bn=9",
        "f(4, 3, 2), f(4, 3, 2), f(3), p(3), f(3), p(3), f(3), torch.tensor([9]), freeze_bn=9",
    ),
    errors=(
        ("f(4, 3), f(4), f(3), p(3), f(3), p(3), f(3), torch.tensor([0])", ValueError, "shape"),
    ),
    differentiable=False,
    setup=check_fold,
)
def _batch_norm_fold2_grad(
    dout: Tensor,
    x: Tensor,
    gamma: Tensor,
    batch_std: Tensor,
    batch_mean: Tensor,
    running_std: Tensor,
    running_mean: Tensor,
    global_step: Tensor,
    *,
    freeze_bn: int = 0,
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """The gradients of :class:`BatchNormFold2`.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the input, shape (N, C, ...).
        - the others as there, without `beta`.

    Outputs: Tuple of the gradients of `batch_std`, `batch_mean`, `beta`, `gamma` and `x`.
    Raises ValueError: a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> grad = ms.ops.operations.BatchNormFold2Grad(freeze_bn=10)
    >>> one, step, x = ms.ops.ones(1), ms.Tensor([0], ms.int32), ms.Tensor([[3.0]])
    >>> for value in grad(ms.Tensor([[1.0]]), x, one, 2 * one, one, 4 * one, one, step):
    ...     print(value)
    [-2.75]
    [-0.5]
    [1.]
    [-0.5]
    [[2.]]
    """
    op_name = "BatchNormFold2Grad"
    same_shape(op_name, "dout", dout, "x", x)
    for name, value in (
        ("gamma", gamma),
        ("batch_std", batch_std),
        ("batch_mean", batch_mean),
        ("running_std", running_std),
        ("running_mean", running_mean),
    ):
        of_channels(op_name, name, value, x, 1)
    axes = [0, *range(2, x.ndim)]
    total, weighted = dout.sum(axes), (dout * x).sum(axes)
    frozen = _frozen(global_step, freeze_bn).to(x.device)
    nothing = torch.zeros_like(total)
    d_std = (total * batch_mean * gamma - weighted * running_std) / (batch_std * batch_std)
    d_mean = -total * gamma / batch_std
    d_gamma = torch.where(frozen, running_mean / running_std, batch_mean / batch_std) * -total
    ratio = torch.where(frozen, torch.ones_like(batch_std), running_std / batch_std)
    return (
        torch.where(frozen, nothing, d_std),
        torch.where(frozen, nothing, d_mean),
        total,
        d_gamma,
        dout * of_channels(op_name, "batch_std", ratio, x, 1),
    )


def check_axis(instance: Primitive) -> None:
    integer(instance.name, "channel_axis", instance.channel_axis, 0)


@primitive(
    "CorrectionMul",
    samples=("f(3, 2), p(3), p(3)", "f(2, 3, 2), p(3), p(3), channel_axis=1"),
    errors=(("f(2, 3), p(3), p(3)", ValueError, "batch_std"),),
    differentiable=False,  # running statistics have none
    setup=check_axis,
)
def _correction_mul(
    x: Tensor, batch_std: Tensor, running_std: Tensor, *, channel_axis: int = 0
) -> Tensor:
    r"""Weights scaled to the running statistics: :math:`y = x \sigma / \sigma_{run}`.

    Attributes:
        channel_axis (int): the axis of the channels. Default: 0.

    Inputs:
        - **x** (Tensor) - the weights.
        - **batch_std**, **running_std** (Tensor) - the deviations, shape (C,). The running one
          has no gradient.

    Outputs: Tensor of the shape of `x`.
    Raises ValueError: `channel_axis` or a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> scale = ms.ops.operations.CorrectionMul()
    >>> print(scale(ms.Tensor([[1.0, 2.0]]), ms.Tensor([3.0]), ms.Tensor([2.0])))
    [[1.5 3. ]]
    """
    op_name = "CorrectionMul"
    std = of_channels(op_name, "batch_std", batch_std, x, channel_axis)
    return x * (std / of_channels(op_name, "running_std", running_std.detach(), x, channel_axis))


@primitive(
    "CorrectionMulGrad",
    samples=("f(3, 2), f(3, 2), p(3), p(3)", "f(2, 3), f(2, 3), p(3), p(3), channel_axis=1"),
    errors=(("f(3, 2), f(3), p(3), p(3)", ValueError, "shape"),),
    differentiable=False,
    setup=check_axis,
)
def _correction_mul_grad(
    dout: Tensor, x: Tensor, gamma: Tensor, running_std: Tensor, *, channel_axis: int = 0
) -> tuple[Tensor, Tensor]:
    """The gradients of :class:`CorrectionMul`.

    Attributes:
        channel_axis (int): the axis of the channels. Default: 0.

    Inputs:
        - **dout**, **x** (Tensor) - the gradient and the weights, of one shape.
        - **gamma**, **running_std** (Tensor) - what x was multiplied and divided by, shape (C,).

    Outputs: Tuple of the gradients of `x` and `gamma`.
    Raises ValueError: `channel_axis` or a shape does not fit.
    Difference from PyTorch: no counterpart.
    Source: MindSpore 2.10's documentation; it has no CPU kernel. On Ascend the second result is not
        yet summed, which :class:`CorrectionMulGradReduce` does there.

    >>> grad = ms.ops.operations.CorrectionMulGrad()
    >>> dout, x = ms.Tensor([[1.0, 1.0]]), ms.Tensor([[1.0, 2.0]])
    >>> for value in grad(dout, x, ms.Tensor([3.0]), ms.Tensor([2.0])):
    ...     print(value)
    [[1.5 1.5]]
    [1.5]
    """
    op_name = "CorrectionMulGrad"
    same_shape(op_name, "dout", dout, "x", x)
    scale = of_channels(op_name, "gamma", gamma, x, channel_axis)
    std = of_channels(op_name, "running_std", running_std, x, channel_axis)
    return dout * (scale / std), (dout * x / std).sum_to_size(std.shape).reshape(gamma.shape)


@primitive(
    "CorrectionMulGradReduce",
    samples=("f(3, 2)", "f(2, 3, 2), channel_axis=1", "f(3)"),
    errors=(("f(3), channel_axis=1", ValueError, "channel_axis"),),
    setup=check_axis,
)
def _correction_mul_grad_reduce(mul_dx: Tensor, *, channel_axis: int = 0) -> Tensor:
    """Sums over all axes but that of the channels.

    Attributes:
        channel_axis (int): the axis that stays. Default: 0.

    Inputs:
        - **mul_dx** (Tensor) - any shape.

    Outputs: Tensor of shape (C,).
    Raises ValueError: `channel_axis` is out of range.
    Difference from PyTorch: ``torch.sum`` over several axes.
    Source: MindSpore 2.10's documentation; it has no CPU kernel.

    >>> print(ms.ops.operations.CorrectionMulGradReduce()(ms.Tensor([[1.0, 2.0], [3.0, 4.0]])))
    [3. 7.]
    """
    return sum_of_channels("CorrectionMulGradReduce", "mul_dx", mul_dx, channel_axis)


def sum_of_channels(op_name: str, name: str, value: Tensor, axis: int) -> Tensor:
    if axis >= value.ndim:
        raise ValueError(
            f"For '{op_name}', 'channel_axis' must be less than the rank of '{name}', "
            f"{value.ndim}, but got {axis}."
        )
    others = [i for i in range(value.ndim) if i != axis]
    return value.sum(others) if others else value.clone()
