"""Batch normalization with PyTorch's arguments: statistics, their merging, and the layers' step.

The three functions are the parts of a synchronized batch normalization: each device takes the
statistics of its share (``batch_norm_stats``), all shares are merged
(``batch_norm_gather_stats_with_counts``), and each device normalizes its share
(``batch_norm_elemt``).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core.distributed.process_groups import groups
from agar._core.runtime import thread
from agar.ops._checks import number
from agar.ops._layers import layer_binding
from agar.ops.nn.normalization import _as_state, _over_batch
from agar.ops.spec import op

__all__ = ["mint_batch_norm_layer"]


def _wide(x: Tensor) -> Tensor:
    return x if x.dtype.itemsize > 2 else x.float()


def _check_channels(op_name: str, x: Tensor) -> None:
    if x.dim() < 2:
        raise ValueError(
            f"For '{op_name}', the rank of the input must be at least 2, but got {x.dim()} (shape "
            f"{tuple(x.shape)})."
        )
    if not x.is_floating_point():
        raise TypeError(
            f"For '{op_name}', the input must be a floating-point Tensor, but got dtype "
            f"{str(x.dtype).removeprefix('torch.')}; convert with .astype(ms.float32)."
        )


def _move(statistic: Tensor | None, new: Tensor, share: float | Tensor) -> None:
    """Let a running statistic, if there is one, go a share of the way to a new value."""
    state = _as_state(statistic)
    if state is not None:
        share = share.to(state.dtype) if isinstance(share, Tensor) else share
        state.lerp_(new.detach().to(state.dtype), share)


def _per_channel(value: Tensor, x: Tensor) -> Tensor:
    return value.reshape(1, -1, *([1] * (x.dim() - 2)))


@op(
    function=False,
    mint="batch_norm_stats",
    samples=("f(4, 3), 1e-5", "f(2, 3, 4, 2), 0.1"),
    errors=(
        ("f(4), 1e-5", ValueError, "rank"),
        ("f(4, 3), 'a'", TypeError, "eps"),
        ("i(4, 3), 1e-5", TypeError, "floating-point"),
    ),
    reference=(
        "(input.mean((0, *range(2, input.ndim))), "
        "1 / np.sqrt(input.var((0, *range(2, input.ndim))) + eps))"
    ),
)
def batch_norm_stats(input: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    r"""Mean and reciprocal deviation of every channel over the batch.

    .. math:: invstd_c = 1 / \sqrt{\sigma_c^2 + \epsilon}

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)`.
        eps (float): :math:`\epsilon`.

    Returns: Two Tensors of shape :math:`(C,)`: the means and the reciprocal deviations, float32 for
        inputs of half precision.
    Raises TypeError: the input is not a floating-point Tensor, or `eps` is not a number.
    Raises ValueError: the input's rank is below 2.
    Difference from PyTorch: ``torch.batch_norm_stats`` runs on GPUs only.

    >>> mean, invstd = ms.mint.batch_norm_stats(ms.Tensor([[1.0], [3.0]]), 0.0)
    >>> print(mean, invstd)
    [2.] [1.]
    """
    _check_channels("batch_norm_stats", input)
    number("batch_norm_stats", "eps", eps)
    axes = [i for i in range(input.dim()) if i != 1]
    variance, mean = torch.var_mean(_wide(input), axes, correction=0)
    return mean, torch.rsqrt(variance + eps)


@op(
    function=False,
    mint="batch_norm_gather_stats_with_counts",
    samples=(
        "f(4, 3), f(2, 3), p(2, 3)",
        "f(4, 3), f(2, 3), p(2, 3), f(3), p(3), 0.3, 1e-3, torch.tensor([4.0, 2.0])",
    ),
    errors=(
        ("f(4, 3), f(2, 2), p(2, 2)", ValueError, "mean"),
        ("f(4, 3), f(2, 3), p(3, 3)", ValueError, "invstd"),
        ("f(4, 3), f(2, 3), p(2, 3), counts=f(3)", ValueError, "counts"),
    ),
    differentiable=False,  # the running statistics are state, without gradient
)
def batch_norm_gather_stats_with_counts(
    input: Tensor,
    mean: Tensor,
    invstd: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    momentum: float = 0.1,
    eps: float = 1e-5,
    counts: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    r"""Merge the statistics of several shares of a batch, and update the running ones.

    .. math::

        \mu = \frac{\sum_i n_i \mu_i}{n}, \quad
        \sigma^2 = \frac{\sum_i n_i (\sigma_i^2 + (\mu_i - \mu)^2)}{n}, \quad n = \sum_i n_i

    Args:
        input (Tensor): one share, shape :math:`(N, C, *)`; only its shape counts.
        mean (Tensor): the shares' means :math:`\mu_i`, shape :math:`(W, C)`.
        invstd (Tensor): the shares' reciprocal deviations, shape :math:`(W, C)`.
        running_mean (Tensor): shape :math:`(C,)`, updated in place. Default: None.
        running_var (Tensor): shape :math:`(C,)`, updated in place with the unbiased variance.
            Default: None.
        momentum (float): the share of this batch in the running statistics. Default: 0.1.
        eps (float): what `invstd` contains and the result will contain. Default: 1e-5.
        counts (Tensor): values per channel :math:`n_i` of every share, shape :math:`(W,)`.
            Default: None: all have as many as `input`.

    Returns: Two Tensors of shape :math:`(C,)`: mean and reciprocal deviation of the whole batch.
    Raises ValueError: the shapes do not fit.
    Difference from PyTorch: ``torch.batch_norm_gather_stats_with_counts`` runs on GPUs only and
        requires `counts`.

    >>> mean, invstd = ms.mint.batch_norm_gather_stats_with_counts(
    ...     ms.ops.zeros((2, 1)), ms.Tensor([[1.0], [3.0]]), ms.Tensor([[1.0], [1.0]]), eps=0.0
    ... )
    >>> print(mean, invstd)
    [2.] [0.70710677]
    """
    op_name = "batch_norm_gather_stats_with_counts"
    _check_channels(op_name, input)
    channels = input.shape[1]
    if mean.dim() != 2 or mean.shape[1] != channels:
        raise ValueError(
            f"For '{op_name}', 'mean' must have shape (shares, {channels}), one column for each "
            f"channel of the input, but got {tuple(mean.shape)}."
        )
    if invstd.shape != mean.shape:
        raise ValueError(
            f"For '{op_name}', 'invstd' must have the shape of 'mean', {tuple(mean.shape)}, but "
            f"got {tuple(invstd.shape)}."
        )
    if counts is None:
        counts = mean.new_full((mean.shape[0],), input.numel() // channels)
    elif counts.numel() != mean.shape[0]:
        raise ValueError(
            f"For '{op_name}', 'counts' must have one number for each of the {mean.shape[0]} "
            f"shares, but got shape {tuple(counts.shape)}."
        )
    n = counts.reshape(-1, 1).to(mean.dtype)
    total = n.sum()
    middle = (n * mean).sum(0) / total
    spread = (n * (invstd.pow(-2) - eps + (mean - middle).square())).sum(0)
    _move(running_mean, middle, momentum)
    _move(running_var, spread / (total - 1), momentum)
    return middle, torch.rsqrt(spread / total + eps)


@op(
    function=False,
    mint="batch_norm_elemt",
    samples=(
        "f(4, 3), None, None, f(3), p(3)",
        "f(2, 3, 4), f(3), f(3), f(3), p(3), 1e-3",
    ),
    errors=(
        ("f(4, 3), f(3), f(3)", ValueError, "'mean' and 'invstd'"),
        ("f(4, 3), f(2), None, f(3), p(3)", ValueError, "'weight'"),
    ),
)
def batch_norm_elemt(
    input: Tensor,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    mean: Tensor | None = None,
    invstd: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    r"""Normalize with given statistics.

    .. math:: out = (input - mean) \cdot invstd \cdot weight + bias

    Args:
        input (Tensor): floating point, shape :math:`(N, C, *)`.
        weight (Tensor): scale, shape :math:`(C,)`. Default: None, 1.
        bias (Tensor): shift, shape :math:`(C,)`. Default: None, 0.
        mean (Tensor): shape :math:`(C,)`. Default: None, which is an error.
        invstd (Tensor): reciprocal deviations, shape :math:`(C,)`. Default: None, which is an
            error.
        eps (float): has no effect, it is contained in `invstd`. Default: 1e-5.

    Raises ValueError: `mean` or `invstd` is missing, or a shape does not fit.
    Difference from PyTorch: ``torch.batch_norm_elemt`` runs on GPUs only.

    >>> x = ms.Tensor([[1.0], [3.0]])
    >>> print(ms.mint.batch_norm_elemt(x, mean=ms.Tensor([2.0]), invstd=ms.Tensor([1.0])))
    [[-1.]
     [ 1.]]
    """
    op_name = "batch_norm_elemt"
    _check_channels(op_name, input)
    if mean is None or invstd is None:
        raise ValueError(
            f"For '{op_name}', 'mean' and 'invstd' must be given: the statistics of the batch, for "
            "example from mint.batch_norm_stats(input, eps)."
        )
    given = {"weight": weight, "bias": bias, "mean": mean, "invstd": invstd}
    for name, value in given.items():
        if value is not None and tuple(value.shape) != (input.shape[1],):
            raise ValueError(
                f"For '{op_name}', '{name}' must have shape ({input.shape[1]},), one number for "
                f"each channel of the input, but got {tuple(value.shape)}."
            )
    out = (_wide(input) - _per_channel(mean, input)) * _per_channel(invstd, input)
    if weight is not None:
        out = out * _per_channel(weight, input)
    if bias is not None:
        out = out + _per_channel(bias, input)
    return out.to(input.dtype)


# ---------------------------------------------------------------------------------- layers


def _batch_norm_of(x: Tensor, owner: Any, training: bool) -> Tensor:
    owner.check_rank(x.dim(), tuple(x.shape))
    known = owner.running_mean is not None
    updates = training and known
    cumulative = updates and owner.momentum is None
    mean = variance = None
    if known and not cumulative:
        mean, variance = owner.running_mean._value.detach(), owner.running_var._value.detach()
        if updates and thread.recomputing:  # the first run has updated them
            mean, variance = mean.clone(), variance.clone()
    if updates and not thread.recomputing:
        owner.num_batches_tracked._value.add_(1)
    if training and owner.group is not None and groups.size(owner.group) > 1:
        return _over_processes(x, owner, updates and not thread.recomputing)
    out = _over_batch(
        type(owner).__name__,
        x,
        None if owner.weight is None else owner.weight._value,
        None if owner.bias is None else owner.bias._value,
        mean,
        variance,
        training or not known,
        0.0 if owner.momentum is None else owner.momentum,
        owner.eps,
    )
    if cumulative and not thread.recomputing:
        axes = [i for i in range(x.dim()) if i != 1]
        result, middle = torch.var_mean(_wide(x.detach()), axes, correction=1)
        _average(owner, middle, result)
    return out


def _average(owner: Any, mean: Tensor, variance: Tensor) -> None:
    """Let a batch take part in the running statistics, as the layer's momentum says."""
    share = owner.momentum
    if share is None:  # a tensor: reading the number of batches would cut a graph
        share = owner.num_batches_tracked._value.to(mean.dtype).reciprocal()
    _move(owner.running_mean._value, mean, share)
    _move(owner.running_var._value, variance, share)


def _over_processes(x: Tensor, owner: Any, updates: bool) -> Tensor:
    """Normalize this process's share of a batch; gradients go through the exchanges."""
    wide = _wide(x)
    axes = [i for i in range(x.dim()) if i != 1]
    count = wide.new_full((1,), x.numel() // max(x.shape[1], 1))
    sums = groups.all_reduce(torch.cat([wide.sum(axes), count]), "sum", owner.group)
    total = sums[-1].detach()
    mean = sums[:-1] / total
    centered = wide - _per_channel(mean, x)
    spread = groups.all_reduce(centered.square().sum(axes), "sum", owner.group)
    if updates:
        _average(owner, mean, spread / (total - 1))
    out = centered * _per_channel(torch.rsqrt(spread / total + owner.eps), x)
    if owner.weight is not None:
        out = out * _per_channel(owner.weight._value, x) + _per_channel(owner.bias._value, x)
    return out.to(x.dtype)


#: ``mint_batch_norm_layer(x, owner, training)`` for layers with PyTorch's parameter names.
mint_batch_norm_layer = layer_binding("BatchNorm", _batch_norm_of, "BatchNorm")
