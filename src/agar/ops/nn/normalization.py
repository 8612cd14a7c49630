"""Normalization: over the batch, over features, over groups, over channels.

NOTE Running statistics. They are state, not operands: a forward pass in training updates them where
their Parameters keep them, once, and precision scopes never cast them. So a layer hands over
itself (the object that owns ``gamma``, ``beta``, ``moving_mean`` and ``moving_variance``), and this
module reads them. Scales and shifts stay float32 beside float16 inputs, too: torch's kernels
compute inside in float32.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from agar._core.distributed.process_groups import WORLD, groups
from agar._core.optable import Primitive
from agar._core.runtime import runtime, thread
from agar.ops._checks import between, choice, integer, number
from agar.ops._layers import layer_binding
from agar.ops.nn.activation import needs_float
from agar.ops.spec import op, primitive

__all__ = ["batch_norm_layer", "batch_norm_together", "beside", "instance_norm_layer"]


def beside(x: Tensor, weight: Tensor | None) -> Tensor | None:
    """A scale or shift in a type that torch's layer and group kernels take beside x.

    On CPU they take float32 beside half types; elsewhere the types must be equal.
    """
    if weight is None or weight.dtype is x.dtype:
        return weight
    if x.device.type == "cpu" and weight.dtype is torch.float32 and x.dtype.itemsize == 2:
        return weight
    return weight.to(x.dtype)


# ---------------------------------------------------------------------------------- batch


def _over_batch(
    op_name: str,
    x: Tensor,
    gamma: Tensor | None,
    beta: Tensor | None,
    mean: Tensor | None,
    variance: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
) -> Tensor:
    if training and x.numel() == x.shape[1]:
        raise ValueError(
            f"For '{op_name}' in training, a batch must have more than 1 value per channel, or its "
            f"variance is undefined, but got shape {tuple(x.shape)}; use larger batches "
            "(drop_remainder=True drops an incomplete last one), or set_train(False)."
        )
    try:
        return torch.batch_norm(x, gamma, beta, mean, variance, training, momentum, eps, True)
    except RuntimeError as error:
        raise _explained(op_name, error, x, gamma) from error


def _explained(op_name: str, error: Exception, x: Tensor, gamma: Tensor | None) -> Exception:
    if gamma is None:
        return error
    if x.shape[1] != gamma.shape[0]:
        return ValueError(
            f"For '{op_name}', the input's channel dimension must be {gamma.shape[0]}, the number "
            f"of features, but got {x.shape[1]} (shape {tuple(x.shape)})."
        )
    if x.dtype is not gamma.dtype:
        return TypeError(
            f"For '{op_name}', the input must be of type float16, bfloat16 or that of the "
            f"parameters, {str(gamma.dtype).removeprefix('torch.')}, but got "
            f"{str(x.dtype).removeprefix('torch.')}; convert with .astype(...)."
        )
    return error


def _as_state(statistic: Tensor | None) -> Tensor | None:
    """A running statistic outside the recorded graph, in the same memory."""
    return statistic.detach() if statistic is not None and statistic.requires_grad else statistic


def _statistics(owner: Any, training: bool) -> tuple[Tensor | None, Tensor | None]:
    """The running statistics for one forward pass; copies where it must not update them."""
    mean, variance = owner.moving_mean._value, owner.moving_variance._value
    if training and thread.recomputing:  # the first run has updated them
        return mean.detach().clone(), variance.detach().clone()
    return _as_state(mean), _as_state(variance)


def _batch_norm_of(x: Tensor, owner: Any, training: bool) -> Tensor:
    if x.dim() not in owner.ranks:
        allowed = " or ".join(f"{r} dims" for r in owner.ranks)
        raise ValueError(
            f"For '{type(owner).__name__}', the in_shape must have {allowed}, but got {x.dim()} "
            f"(shape {tuple(x.shape)})."
        )
    mean, variance = _statistics(owner, training)
    return _over_batch(
        type(owner).__name__,
        x,
        owner.gamma._value,
        owner.beta._value,
        mean,
        variance,
        training,
        owner.momentum,
        owner.eps,
    )


def _batch_norm_together(x: Tensor, owner: Any) -> Tensor:
    op_name = type(owner).__name__
    needs_float(op_name, x)
    if x.dim() not in owner.ranks or x.shape[1] != owner.num_features:
        allowed = " or ".join(f"{r} dims" for r in owner.ranks)
        raise ValueError(
            f"For '{op_name}', the input must have {allowed} and {owner.num_features} channels, "
            f"but got shape {tuple(x.shape)}."
        )
    mean_place, variance_place = _statistics(owner, True)
    wide = x.float() if x.dtype.itemsize == 2 else x
    axes = [i for i in range(x.dim()) if i != 1]
    shape = [-1 if i == 1 else 1 for i in range(x.dim())]
    count = wide.new_tensor([x.numel() // x.shape[1]])
    # two sums, the second about the common mean: the square of a mean would cancel digits
    sums = groups.all_reduce(torch.cat([wide.sum(axes), count]), "sum", WORLD)
    total = sums[-1].detach()
    mean = sums[:-1] / total
    around = wide - mean.reshape(shape)
    variance = groups.all_reduce((around * around).sum(axes), "sum", WORLD) / total
    if mean_place is not None and variance_place is not None:
        with torch.no_grad():
            unbiased = variance * (total / (total - 1).clamp(min=1))
            mean_place.lerp_(mean.to(mean_place.dtype), owner.momentum)
            variance_place.lerp_(unbiased.to(variance_place.dtype), owner.momentum)
    out = around * torch.rsqrt(variance + owner.eps).reshape(shape)
    gamma, beta = owner.gamma._value, owner.beta._value
    return (out * gamma.reshape(shape) + beta.reshape(shape)).to(x.dtype)


#: ``batch_norm_together(x, owner)``, over the batch of all processes.
batch_norm_together = layer_binding("SyncBatchNorm", _batch_norm_together, "BatchNorm")
#: ``batch_norm_layer(x, owner, training)``, see NOTE Running statistics.
batch_norm_layer = layer_binding("BatchNorm", _batch_norm_of, "BatchNorm")


@op(
    mint=False,
    samples=(
        "f(4, 3), f(3), p(3), p(3), f(3)",
        "f(2, 3, 4, 4), f(3), p(3), p(3), f(3), True",
        "f(2, 3, 4), f(3), p(3), p(3), f(3), True, 0.3, 1e-3",
    ),
    errors=(
        ("f(3), f(3), p(3), p(3), f(3)", ValueError, "rank"),
        ("f(2, 4), f(3), p(3), p(3), f(3)", ValueError, "channel dimension"),
        ("f(1, 3), f(3), p(3), p(3), f(3), True", ValueError, "more than 1 value per channel"),
    ),
    reference=(
        "torch.nn.functional.batch_norm(*map(torch.as_tensor, (input_x, running_mean, running_var,"
        " weight, bias)), training, momentum, eps)"
    ),
    differentiable=False,  # the running statistics are state, without gradient
)
def batch_norm(
    input_x: Tensor,
    running_mean: Tensor,
    running_var: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    r"""Normalize every channel over the batch.

    .. math:: out = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}} \cdot weight + bias

    In training, :math:`\mu` and :math:`\sigma^2` are those of the batch, and the running ones
    become :math:`(1 - momentum) \cdot running + momentum \cdot batch` in place (with the unbiased
    variance). Otherwise they are the running ones.

    Args:
        input_x (Tensor): shape :math:`(N, C)` or :math:`(N, C, *)`.
        running_mean (Tensor): shape :math:`(C,)`; updated in training.
        running_var (Tensor): shape :math:`(C,)`; updated in training.
        weight (Tensor): scale, shape :math:`(C,)`, or None.
        bias (Tensor): shift, shape :math:`(C,)`, or None.
        training (bool): whether the statistics are those of the batch. Default: False.
        momentum (float): share of the batch in the new running statistics. Default: 0.1.
        eps (float): :math:`\epsilon`. Default: 1e-5.

    Raises ValueError: a wrong rank or number of channels, or one value per channel in training.
    Difference from PyTorch: none; ``nn.BatchNorm2d`` counts its momentum the other way round (0.9).
    Source: Ioffe and Szegedy 2015, "Batch Normalization".

    >>> x = ms.Tensor([[1.0], [3.0]])
    >>> mean, var = ms.Tensor([0.0]), ms.Tensor([1.0])
    >>> weight, bias = ms.Tensor([1.0]), ms.Tensor([0.0])
    >>> print(ms.ops.batch_norm(x, mean, var, weight, bias, training=True, eps=0.0))
    [[-1.]
     [ 1.]]
    """
    if input_x.dim() < 2:
        raise ValueError(
            f"For 'batch_norm', the rank of the input must be at least 2, but got {input_x.dim()}."
        )
    return _over_batch(
        "batch_norm",
        input_x,
        weight,
        bias,
        _as_state(running_mean),
        _as_state(running_var),
        bool(training),
        momentum,
        eps,
    )


@primitive(
    "BatchNorm",
    samples=(
        "f(4, 3), p(3), f(3), f(3), p(3)",
        "f(2, 3, 4, 4), p(3), f(3), f(3), p(3), is_training=True",
        "f(2, 4, 4, 3), p(3), f(3), f(3), p(3), data_format='NHWC'",
    ),
    errors=(("f(2, 4), p(3), f(3), f(3), p(3)", ValueError, "channel dimension"),),
    differentiable=False,  # the running statistics are state, without gradient
)
def _batch_norm_primitive(
    input_x: Tensor,
    scale: Tensor,
    bias: Tensor,
    mean: Tensor,
    variance: Tensor,
    *,
    is_training: bool = False,
    epsilon: float = 1e-5,
    momentum: float = 0.1,
    data_format: str = "NCHW",
) -> tuple[Tensor, ...]:
    """Normalize every channel over the batch; see ``ops.batch_norm``.

    Args:
        input_x (Tensor): shape (N, C, ...), or (N, ..., C) in format NHWC.
        scale (Tensor): shape (C,).
        bias (Tensor): shape (C,).
        mean (Tensor): running mean, shape (C,); updated in training.
        variance (Tensor): running variance, shape (C,); updated in training.
        is_training (bool): whether the statistics are those of the batch. Default: False.
        epsilon (float): added to the variance. Default: 1e-5.
        momentum (float): share of the batch in the new running statistics. Default: 0.1.
        data_format (str): ``NCHW`` or ``NHWC``. Default: ``"NCHW"``.

    Returns: Tuple of the output, the mean and variance of the batch (in inference: the running
        ones), and the same two again for the gradient, as MindSpore reserves them.
    Raises ValueError: a wrong rank or number of channels.
    Difference from PyTorch: ``torch.nn.functional.batch_norm`` is a function with one result.

    >>> one, zero = ms.ops.ones(3), ms.ops.zeros(3)
    >>> ms.ops.BatchNorm()(ms.ops.ones((2, 3)), one, zero, zero, one)[0].shape
    (2, 3)
    """
    choice("BatchNorm", "data_format", data_format, ("NCHW", "NHWC"))
    x = input_x if data_format == "NCHW" else input_x.movedim(-1, 1)
    out = batch_norm(x, mean, variance, scale, bias, is_training, momentum, epsilon)
    if is_training:
        axes = [i for i in range(x.dim()) if i != 1]
        var, mu = torch.var_mean(x, axes, correction=0)
    else:
        mu, var = mean, variance
    return (out if data_format == "NCHW" else out.movedim(1, -1)), mu, var, mu, var


# --------------------------------------------------------------------- groups and instances


@op(
    mint=("nn.functional.group_norm",),
    samples=("f(2, 4, 3), 2", "f(2, 4), 2, f(4), f(4)", "f(2, 4, 2, 2), 4, f(4), f(4), 1e-3"),
    errors=(
        ("f(2, 4, 3), 3", ValueError, "must be divided by 'num_groups'"),
        ("f(2, 4, 3), 0", ValueError, "num_groups"),
        ("f(4), 2", RuntimeError, "rank"),
    ),
)
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    r"""Normalize every sample over groups of channels.

    .. math:: out = \frac{x - \mu_g}{\sqrt{\sigma_g^2 + \epsilon}} \cdot weight + bias

    Args:
        input (Tensor): shape :math:`(N, C, *)`.
        num_groups (int): number of groups, a divisor of C.
        weight (Tensor): scale, shape :math:`(C,)`. Default: None.
        bias (Tensor): shift, shape :math:`(C,)`. Default: None.
        eps (float): :math:`\epsilon`. Default: 1e-5.

    Raises ValueError: `num_groups` does not divide C.
    Raises RuntimeError: the rank is below 2.
    Source: Wu and He 2018, "Group Normalization".

    >>> print(ms.ops.group_norm(ms.Tensor([[1.0, 3.0, 5.0, 9.0]]), 2, eps=0.0))
    [[-1.  1. -1.  1.]]
    """
    integer("group_norm", "num_groups", num_groups, 1)
    if input.dim() < 2:
        raise RuntimeError(
            f"For 'group_norm', the rank of the input must be at least 2, but got {input.dim()}."
        )
    if input.shape[1] % num_groups:
        raise ValueError(
            "For 'group_norm', the number of channels must be divided by 'num_groups', but got "
            f"{input.shape[1]} channels and num_groups {num_groups}."
        )
    return torch.group_norm(
        input, num_groups, beside(input, weight), beside(input, bias), eps, True
    )


@op(
    function=("instance_norm",),
    samples=(
        "f(2, 3, 4)",
        "f(2, 3, 2, 2), None, None, f(3), f(3)",
        "f(2, 3, 4), f(3), p(3), p(3), f(3), False",
    ),
    errors=(
        ("f(2, 3)", ValueError, "rank"),
        ("f(2, 3, 1)", ValueError, "more than 1"),
        ("f(2, 3, 4), use_input_stats=False", ValueError, "running_mean"),
    ),
    differentiable=False,  # the running statistics are state, without gradient
)
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    r"""Normalize every channel of every sample by itself.

    .. math:: out = \frac{x - \mu_{nc}}{\sqrt{\sigma_{nc}^2 + \epsilon}} \cdot weight + bias

    Args:
        input (Tensor): shape :math:`(N, C, *)`, rank 3 or more.
        running_mean (Tensor): shape :math:`(C,)`, updated if given. Default: None.
        running_var (Tensor): shape :math:`(C,)`, updated if given. Default: None.
        weight (Tensor): scale, shape :math:`(C,)`. Default: None.
        bias (Tensor): shift, shape :math:`(C,)`. Default: None.
        use_input_stats (bool): whether the statistics are the input's, not the running ones.
            Default: True.
        momentum (float): share of the input in the new running statistics. Default: 0.1.
        eps (float): :math:`\epsilon`. Default: 1e-5.

    Raises ValueError: the rank is below 3, there is one value per channel, or running statistics
        are wanted and missing.
    Difference from PyTorch: none. (MindSpore 2.10 has the layers only.)
    Source: Ulyanov et al. 2016, "Instance Normalization".

    >>> print(ms.ops.instance_norm(ms.Tensor([[[1.0, 3.0]]]), eps=0.0))
    [[[-1.  1.]]]
    """
    if input.dim() < 3:
        raise ValueError(
            f"For 'instance_norm', the rank of the input must be at least 3, but got {input.dim()}."
        )
    if not use_input_stats and (running_mean is None or running_var is None):
        raise ValueError(
            "For 'instance_norm', running_mean and running_var must be given when use_input_stats "
            "is False."
        )
    return _over_instances(
        "instance_norm",
        input,
        weight,
        bias,
        _as_state(running_mean),
        _as_state(running_var),
        use_input_stats,
        momentum,
        eps,
    )


def _over_instances(
    op_name: str,
    x: Tensor,
    gamma: Tensor | None,
    beta: Tensor | None,
    mean: Tensor | None,
    variance: Tensor | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
) -> Tensor:
    if use_input_stats and 0 < x.numel() == x.shape[0] * x.shape[1]:
        raise ValueError(
            f"For '{op_name}', every channel must have more than 1 value, or its variance is "
            f"undefined, but got shape {tuple(x.shape)}."
        )
    if gamma is not None and x.shape[1] != gamma.shape[0]:
        raise ValueError(
            f"For '{op_name}', the input's channel dimension must be {gamma.shape[0]}, the number "
            f"of features, but got {x.shape[1]} (shape {tuple(x.shape)})."
        )
    if x.numel() == 0:
        return x.clone()
    return torch.instance_norm(x, gamma, beta, mean, variance, use_input_stats, momentum, eps, True)


def _instance_norm_of(x: Tensor, owner: Any, update: bool) -> Tensor:
    op_name = type(owner).__name__
    if x.dim() != owner.rank:
        raise ValueError(
            f"For '{op_name}', the in_shape must have {owner.rank} dims, but got {x.dim()} (shape "
            f"{tuple(x.shape)})."
        )
    mean, variance = _statistics(owner, update) if update else (None, None)
    gamma, beta = owner.gamma._value, owner.beta._value
    if not owner.affine and x.is_floating_point():  # constants, which have no type of their own
        gamma, beta = gamma.to(x.dtype), beta.to(x.dtype)
    return _over_instances(
        op_name,
        x,
        gamma,
        beta,
        mean,
        variance,
        True,
        owner.momentum,
        owner.eps,
    )


#: ``instance_norm_layer(x, owner, update)``, see NOTE Running statistics.
instance_norm_layer = layer_binding("InstanceNorm", _instance_norm_of, "InstanceNorm")


def _check_instance_norm(instance: Primitive) -> None:
    between("InstanceNorm", "epsilon", instance.epsilon, 0, 1, "(]")
    between("InstanceNorm", "momentum", instance.momentum, 0, 1)


@primitive(
    "InstanceNorm",
    cast="never",
    samples=("f(2, 3, 4, 4), f(3), f(3), f(3), p(3)", "f(2, 3, 5), f(3), f(3), f(3), p(3)"),
    errors=(
        ("f(2, 4, 2), f(3), f(3), f(3), p(3)", ValueError, "channel dimension"),
        ("f(2, 3, 2), f(3), f(3), f(3), p(3), epsilon=0.0", ValueError, "epsilon"),
    ),
    differentiable=False,  # the running statistics are state, without gradient
    setup=_check_instance_norm,
)
def _instance_norm_primitive(
    input_x: Tensor,
    gamma: Tensor,
    beta: Tensor,
    mean: Tensor,
    variance: Tensor,
    *,
    epsilon: float = 1e-5,
    momentum: float = 0.1,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Normalize every channel of every element of a batch by itself.

    .. math::
        out = \frac{x - \mu_{nc}}{\sqrt{\sigma_{nc}^2 + \epsilon}} \gamma + \beta

    Every element has running statistics, :math:`momentum \cdot running + (1 - momentum) \cdot
    current`; `mean` and `variance` become their means over the batch.

    Args:
        input_x (Tensor): shape (N, C, ...).
        gamma (Parameter): scale, shape (C,).
        beta (Parameter): shift, shape (C,).
        mean (Parameter): running mean, shape (C,); updated.
        variance (Parameter): running variance, shape (C,); updated, unbiased.
        epsilon (float): added to the variance, above 0, at most 1. Default: 1e-5.
        momentum (float): share of the old statistics, from 0 to 1. Default: 0.1.

    Returns: Tuple of the output and the running means and variances of every element, shape (N *
        C,).
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: an argument is out of range, or the number of channels is wrong.
    Difference from PyTorch: the momentum of ``torch.nn.functional.instance_norm`` is the share of
        the new statistics, as that of ``nn.InstanceNorm2d`` here.
    Source: MindSpore 2.10's documentation; it has a kernel on GPU only.

    >>> gamma, beta, mean, variance = (ms.Parameter(ms.ops.ones(1), name=n) for n in "gbmv")
    >>> norm = ms.ops.operations.InstanceNorm(epsilon=1e-9, momentum=0.5)
    >>> print(norm(ms.Tensor([[[1.0, 5.0]]]), gamma, beta, mean, variance)[0], mean.value())
    [[[0. 2.]]] [2.]
    """
    out = _over_instances("InstanceNorm", input_x, gamma, beta, None, None, True, momentum, epsilon)
    if thread.recomputing:  # the first run has updated them
        return out, mean.detach().repeat(len(out)), variance.detach().repeat(len(out))
    with torch.no_grad():
        values = input_x.detach().flatten(2).to(mean.dtype)
        new_mean = momentum * mean + (1 - momentum) * values.mean(2)
        new_variance = momentum * variance + (1 - momentum) * values.var(2)
        if len(out):
            mean.data.copy_(new_mean.mean(0))
            variance.data.copy_(new_variance.mean(0))
    runtime.weights += 1
    return out, new_mean.reshape(-1), new_variance.reshape(-1)


# --------------------------------------------------------------------------------- others


@op(
    primitive="LRN(depth_radius, bias, alpha, beta, norm_region)",
    samples=("f(2, 5, 3, 3)", "f(1, 4, 2, 2), 1, 2.0, 0.5, 0.75"),
    errors=(
        ("f(2, 5)", ValueError, "rank"),
        ("f(1, 2, 2, 2), norm_region='x'", ValueError, "ACROSS_CHANNELS"),
    ),
)
def lrn(
    x: Tensor,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
    norm_region: str = "ACROSS_CHANNELS",
) -> Tensor:
    r"""Local response normalization across channels.

    .. math:: out_c = x_c \Big/ \Big(bias + \alpha \sum_{|k - c| \le radius} x_k^2\Big)^\beta

    Args:
        x (Tensor): shape :math:`(N, C, H, W)`.
        depth_radius (int): number of neighboring channels on each side. Default: 5.
        bias (float): added to the sum. Default: 1.0.
        alpha (float): factor of the sum. Default: 1.0.
        beta (float): exponent. Default: 0.5.
        norm_region (str): ``ACROSS_CHANNELS``. Default: ``"ACROSS_CHANNELS"``.

    Raises ValueError: the rank is not 4, or another region.
    Raises TypeError: an argument has the wrong type.
    Difference from PyTorch: `alpha` multiplies the sum, there the mean over the window; a radius in
        place of the window's size.
    Source: Krizhevsky et al. 2012, "ImageNet Classification with Deep Convolutional Neural
        Networks".

    >>> print(ms.ops.lrn(ms.ops.ones((1, 3, 1, 1)), beta=1.0).reshape(3))
    [0.25 0.25 0.25]
    """
    choice("lrn", "norm_region", norm_region, ("ACROSS_CHANNELS",))
    integer("lrn", "depth_radius", depth_radius, 0)
    for name, value in (("bias", bias), ("alpha", alpha), ("beta", beta)):
        number("lrn", name, value)
    if x.dim() != 4:
        raise ValueError(f"For 'lrn', the rank of the input must be 4, but got {x.dim()}.")
    size = 2 * depth_radius + 1
    if x.dtype.itemsize == 2 and x.device.type == "cpu":  # torch has no kernel there
        return F.local_response_norm(x.float(), size, alpha * size, beta, bias).to(x.dtype)
    return F.local_response_norm(x, size, alpha * size, beta, bias)


@primitive(
    "L2Normalize",
    samples=("f(2, 3)", "f(2, 3), axis=1", "f(2, 3), axis=(-1,), epsilon=1.0"),
    errors=(("f(2, 3), axis=(0, 1)", TypeError, "axis"), ("f(2, 3), axis=2", ValueError, "axis")),
)
def _l2_normalize(x: Tensor, *, axis: Any = 0, epsilon: float = 1e-4) -> Tensor:
    r"""Divide by the Euclidean norm along an axis.

    :math:`out = x / \sqrt{\max(\sum x^2, \epsilon)}`.

    Args:
        x (Tensor): floating point, rank 1 or more.
        axis (Union[int, tuple[int]]): the axis. Default: 0.
        epsilon (float): least value under the root. Default: 1e-4.

    Raises TypeError: several axes.
    Raises ValueError: the axis is out of range.
    Difference from PyTorch: ``torch.nn.functional.normalize`` bounds the norm, not its square.

    >>> print(ms.ops.L2Normalize()(ms.Tensor([3.0, 4.0])))
    [0.6 0.8]
    """
    if isinstance(axis, (tuple, list)):
        if len(axis) != 1:
            raise TypeError(
                f"For 'L2Normalize', the length of 'axis' must be 1, but got {len(axis)}."
            )
        axis = axis[0]
    integer("L2Normalize", "axis", axis)
    if not -x.dim() <= axis < x.dim():
        raise ValueError(
            f"For 'L2Normalize', the axis must be in [{-x.dim()},{x.dim()}), but got {axis}."
        )
    square = x.square().sum(axis, keepdim=True)
    return x * torch.rsqrt(square.clamp(min=epsilon))


@primitive(
    "L2Loss",
    samples=("f(2, 3)",),
    errors=(("i(3)", TypeError, "floating-point"), ("[1.0]", TypeError, "Tensor")),
    reference="(input_x ** 2).sum() / 2",
)
def _l2_loss(input_x: Tensor) -> Tensor:
    r"""Half of the sum of squares: :math:`out = \sum x_i^2 / 2`.

    Args:
        input_x (Tensor): floating point, any shape.

    Returns: Tensor without dimensions.
    Raises TypeError: the input is not a floating-point Tensor.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.L2Loss()(ms.Tensor([3.0, 4.0])))
    12.5
    """
    needs_float("L2Loss", input_x)
    return input_x.square().sum() / 2
