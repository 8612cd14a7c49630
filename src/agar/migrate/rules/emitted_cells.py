"""Layers and functions of PyTorch that MindSpore lacks, in MindSpore's idiom.

Templates call them by their names. A converted file carries the text of those that it uses, so each
stands alone, and uses nothing but ``ms``, ``nn`` and ``ops`` of MindSpore 2.10.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import agar as ms
from agar import nn, ops

__all__ = ["CARRIED", "text_of"]


class _RMSNorm(nn.Cell):
    """x / sqrt(mean(x ** 2) + eps) * weight, the mean over the last dimensions."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True):
        super().__init__()
        single = isinstance(normalized_shape, int)
        self.normalized_shape = (normalized_shape,) if single else tuple(normalized_shape)
        self.axes = tuple(range(-len(self.normalized_shape), 0))
        self.eps = eps
        self.weight = None
        if elementwise_affine:
            self.weight = ms.Parameter(ops.ones(self.normalized_shape, ms.float32), name="weight")

    def construct(self, x):
        eps = self.eps
        if eps is None:  # the distance from 1 to the next number of the type
            bits = {ms.float64: 52, ms.float16: 10, ms.bfloat16: 7}.get(x.dtype, 23)
            eps = 2.0**-bits
        x = x * ops.rsqrt(ops.mean(ops.square(x), self.axes, True) + eps)
        return x if self.weight is None else x * self.weight


class _Softplus(nn.Cell):
    """log(1 + exp(beta * x)) / beta, and x itself where beta * x is above the threshold."""

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def construct(self, x):
        return ops.softplus(x, self.beta, self.threshold)


class _RReLU(nn.Cell):
    """A slope for negative values that is drawn in training, and in evaluation the mean one."""

    def __init__(self, lower=1 / 8, upper=1 / 3):
        super().__init__()
        self.lower = lower
        self.upper = upper

    def construct(self, x):
        if self.training:
            return ops.rrelu(x, self.lower, self.upper)
        return ops.leaky_relu(x, (self.lower + self.upper) / 2)


class _CosineSimilarity(nn.Cell):
    """The cosine between two tensors along a dimension."""

    def __init__(self, dim=1, eps=1e-08):
        super().__init__()
        self.dim = dim
        self.eps = eps

    def construct(self, x1, x2):
        return ops.cosine_similarity(x1, x2, self.dim, self.eps)


class _PairwiseDistance(nn.Cell):
    """The p-norm of the difference along the last dimension."""

    def __init__(self, p=2.0, eps=1e-06, keepdim=False):
        super().__init__()
        self.p = p
        self.eps = eps
        self.keepdim = keepdim

    def construct(self, x1, x2):
        return ops.norm(x1 - x2 + self.eps, ord=self.p, dim=-1, keepdim=self.keepdim)


class _CircularPad(nn.Cell):
    """Goes on with the other end; `padding` begins with the last dimension."""

    def __init__(self, padding):
        super().__init__()
        self.padding = tuple(padding)

    def construct(self, x):
        return ops.pad(x, self.padding, mode="circular")


#: The cells, by the names that templates call.
class _Embedding(nn.Embedding):
    """Rows of a table; that of padding_idx begins with zeros and is not trained."""

    def __init__(self, vocab_size, embedding_size, padding_idx, dtype=None, **kwargs):
        if padding_idx is not None:
            kwargs["padding_idx"] = padding_idx % vocab_size
        dtype = ms.float32 if dtype is None else dtype
        super().__init__(vocab_size, embedding_size, dtype=dtype, **kwargs)

    def construct(self, ids):
        rows = super().construct(ids)
        if self.padding_idx is None:
            return rows
        padding = ops.expand_dims(ids == self.padding_idx, -1)
        return ops.where(padding, ops.stop_gradient(rows), rows)


def _embedding(index, weight, padding_idx=None):
    """Rows of a table; that of padding_idx gets no gradient."""
    rows = ops.gather(weight, index, 0)
    if padding_idx is None:
        return rows
    padding = ops.expand_dims(index == padding_idx, -1)
    return ops.where(padding, ops.stop_gradient(rows), rows)


def _normalize(x, p=2.0, dim=1, eps=1e-12):
    """x over its norm along a dimension, which is taken for eps where it is smaller."""
    return x / ops.clamp(ops.norm(x, ord=p, dim=dim, keepdim=True), min=eps)


def _scatter_add(x, dim, index, src):
    """x, with src added at the places that index has along a dimension.

    MindSpore's tensor_scatter_elements(reduction="add") loses sums on the CPU where several go to
    one place.
    """
    places = []
    for k, n in enumerate(index.shape):
        place = ops.arange(n).reshape([-1 if i == k else 1 for i in range(index.ndim)])
        place = index if k == dim % x.ndim else ops.broadcast_to(place, index.shape)
        places.append(place.astype(ms.int32))
    return ops.tensor_scatter_add(x, ops.stack(places, -1), src)


def _pad_sequence(sequences, batch_first=False, padding_value=0.0):
    """Sequences of different lengths as one batch, filled up behind their ends."""
    longest = max(len(s) for s in sequences)
    rows = []
    for s in sequences:
        if len(s) < longest:
            rest = ops.full((longest - len(s), *s.shape[1:]), padding_value, dtype=s.dtype)
            s = ops.cat((s, rest))
        rows.append(s)
    return ops.stack(rows, axis=0 if batch_first else 1)


class _OneCycleLR(ms.experimental.optim.lr_scheduler.LRScheduler):
    """Up to max_lr and down again; the momentum goes down and up against it."""

    def __init__(
        self,
        optimizer,
        max_lr,
        total_steps=None,
        epochs=None,
        steps_per_epoch=None,
        pct_start=0.3,
        anneal_strategy="cos",
        cycle_momentum=True,
        base_momentum=0.85,
        max_momentum=0.95,
        div_factor=25.0,
        final_div_factor=1e4,
        three_phase=False,
    ):
        groups = len(optimizer.param_groups)

        def of_groups(value):
            return list(value) if isinstance(value, (list, tuple)) else [value] * groups

        self.total_steps = total_steps or (epochs or 0) * (steps_per_epoch or 0)
        peaks = of_groups(max_lr)
        starts = [lr / div_factor for lr in peaks]
        ends = [lr / final_div_factor for lr in starts]
        low, high = of_groups(base_momentum), of_groups(max_momentum)
        last, peak = self.total_steps - 1, pct_start * self.total_steps - 1
        #: by their last steps: learning rates and momenta at the beginning and at the end
        self.phases = [(peak, starts, peaks, high, low)]
        if three_phase:
            back = 2 * pct_start * self.total_steps - 2
            self.phases += [(back, peaks, starts, low, high), (last, starts, ends, high, high)]
        else:
            self.phases.append((last, peaks, ends, low, high))
        self.cosine, self.cycle_momentum = anneal_strategy == "cos", cycle_momentum
        super().__init__(optimizer)

    def _between(self, start, end, part):
        if not self.cosine:
            return start + (end - start) * part
        from math import cos, pi

        return end + (start - end) / 2 * (cos(pi * part) + 1)

    def get_lr(self):
        step, start = int(self.last_epoch), 0
        if step > self.total_steps:
            raise ValueError(f"step {step} of a schedule of {self.total_steps} steps")
        end, *values = self.phases[0]
        for following in self.phases[1:]:
            if step <= end:
                break
            start, (end, *values) = end, following
        part = (step - start) / (end - start)
        before, after, falling, rising = values
        for group, one, other in zip(self.optimizer.param_groups, falling, rising, strict=True):
            if self.cycle_momentum:
                momentum = self._between(one, other, part)
                if "betas" in group:
                    group["betas"] = (momentum, *group["betas"][1:])
                else:
                    group["momentum"] = momentum
        rates = [self._between(*pair, part) for pair in zip(before, after, strict=True)]
        return [ms.Tensor(lr, ms.float32) for lr in rates]


CARRIED: Mapping[str, Any] = {
    part.__name__: part
    for part in (
        _RMSNorm, _Softplus, _RReLU, _CosineSimilarity, _PairwiseDistance, _CircularPad,
        _Embedding, _embedding, _normalize, _pad_sequence, _scatter_add, _OneCycleLR,
    )
}  # fmt: skip


@cache
def _source(name: str) -> str:
    # the file, and not the class: under the alias, classes say that they are MindSpore's
    text = Path(__file__).read_text("utf-8")
    definition = next(n for n in ast.parse(text).body if getattr(n, "name", "") == name)
    return f"{ast.get_source_segment(text, definition)}\n"


def text_of(name: str, aliases: Mapping[str, Any]) -> tuple[str, set[str]]:
    """The definition of a cell or function for a converted file.

    Args:
        name (str): a key of CARRIED.
        aliases (mapping): what the file calls ``ms``, ``nn`` and ``ops``.

    Returns:
        tuple, the text and the namespaces that it uses.
    """
    used: set[str] = set()

    def write(match: re.Match[str]) -> str:
        used.add(match[1])
        return f"{aliases[match[1]]}."

    return re.sub(r"\b(ms|nn|ops)\.", write, _source(name)), used
