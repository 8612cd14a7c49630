"""Losses, sample by sample; those of aligned sequences over all alignments."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .layers import log_softmax, sigmoid, softmax


def _reduced(losses: Any, reduction: str) -> Any:
    losses = np.asarray(losses)
    if reduction == "none":
        return losses
    return losses.sum() / {"sum": 1, "mean": losses.size}[reduction]


# -------------------------------------------------------------------------------- distances


def _cosine(x: Any, y: Any, target: Any, margin: float = 0.0, reduction: str = "mean") -> Any:
    x, y, target = np.asarray(x), np.asarray(y), np.asarray(target)
    axis = 0 if x.ndim == 1 else 1
    cosine = (x * y).sum(axis) / np.sqrt((x * x).sum(axis) * (y * y).sum(axis))
    losses = np.where(target == 1, 1 - cosine, 0) + np.where(
        target == -1, np.maximum(cosine - margin, 0), 0
    )
    return _reduced(losses, reduction)


def _triplet(
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: Any = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: str = "mean",
) -> Any:
    def distance(x: Any, y: Any) -> np.ndarray:
        return (abs(np.asarray(x) - np.asarray(y) + eps) ** p).sum(-1) ** (1 / p)

    far = distance(anchor, negative)
    if swap:
        far = np.minimum(far, distance(positive, negative))
    return _reduced(np.maximum(distance(anchor, positive) - far + float(margin), 0), reduction)


def _smooth_l1(x: Any, y: Any, reduction: str, beta: float = 1.0) -> Any:
    away = abs(np.asarray(x) - np.asarray(y))
    return _reduced(np.where(away < beta, away**2 / (2 * beta), away - beta / 2), reduction)


# ---------------------------------------------------------------------------------- classes


def _nll(
    logs: Any,
    target: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    smoothing: float = 0.0,
) -> tuple[Any, Any]:
    """The loss, and the sum of the weights that count. Classes lie along axis 1."""
    logs, target = np.asarray(logs), np.asarray(target)
    shape = target.shape
    logs = np.moveaxis(logs, 1, -1) if logs.ndim > 1 else logs
    rows = logs.reshape(-1, logs.shape[-1])
    weight = np.ones(rows.shape[1]) if weight is None else np.asarray(weight)
    losses, total = [], 0.0
    for row, y in zip(rows, target.ravel(), strict=True):
        if y == ignore_index:
            losses.append(0.0)
            continue
        spread = -(weight * row).sum() / len(row)
        losses.append((1 - smoothing) * -weight[y] * row[y] + smoothing * spread)
        total += weight[y]
    if reduction == "none":
        return np.array(losses).reshape(shape), np.float64(total)
    return np.sum(losses) / (total if reduction == "mean" else 1), np.float64(total)


def _cross_entropy(
    x: Any,
    target: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    smoothing: float = 0.0,
) -> Any:
    x = np.asarray(x)
    axis = 0 if x.ndim == 1 else 1
    logs = log_softmax(x, axis)
    if not target.is_floating_point():
        return _nll(logs, target, weight, ignore_index, reduction, smoothing)[0]
    target = np.asarray(target)
    target = (1 - smoothing) * target + smoothing / x.shape[axis]
    weight = np.ones(x.shape[axis]) if weight is None else np.asarray(weight)
    losses = -(weight * target * logs).sum(axis)
    return losses.sum() / losses.size if reduction == "mean" else _reduced(losses, reduction)


def _binary(p: Any, y: Any, weight: Any = None, reduction: str = "mean") -> Any:
    p, y = np.asarray(p), np.asarray(y)
    losses = -(y * np.log(p) + (1 - y) * np.log(1 - p))
    return _reduced(losses if weight is None else losses * np.asarray(weight), reduction)


def _binary_of_scores(
    x: Any, y: Any, weight: Any = None, pos_weight: Any = None, *, reduction: str = "mean"
) -> Any:
    y = np.asarray(y)
    positive = 1 if pos_weight is None else np.asarray(pos_weight)
    losses = -(positive * y * np.log(sigmoid(x)) + (1 - y) * np.log(1 - sigmoid(x)))
    return _reduced(losses if weight is None else losses * np.asarray(weight), reduction)


def _multilabel_soft(x: Any, y: Any, weight: Any = None, reduction: str = "mean") -> Any:
    each = _binary_of_scores(x, y, weight, reduction="none")
    return _reduced(each.mean(-1), reduction)


def _named(row: np.ndarray) -> list[int]:
    return list(itertools.takewhile(lambda y: y >= 0, row.tolist()))


def _multilabel_margin(x: Any, target: Any, reduction: str = "mean") -> Any:
    x, target = np.asarray(x), np.asarray(target)
    losses = []
    for row, labels in zip(np.atleast_2d(x), np.atleast_2d(target), strict=True):
        named = _named(labels)
        others = [i for i in range(len(row)) if i not in named]
        total = sum(max(0, 1 - row[j] + row[i]) for j in named for i in others)
        losses.append(total / len(row))
    return _reduced(np.array(losses)[0] if x.ndim == 1 else np.array(losses), reduction)


def _multilabel_margin_primitive(x: Any, target: Any) -> tuple[Any, np.ndarray]:
    target = np.asarray(target)
    marks = np.zeros(target.shape, np.int64)
    for marked, labels in zip(np.atleast_2d(marks), np.atleast_2d(target), strict=True):
        marked[_named(labels)] = 1
    return _multilabel_margin(x, target), marks


def _multi_margin(
    x: Any,
    target: Any,
    p: int = 1,
    margin: float = 1,
    weight: Any = None,
    reduction: str = "mean",
) -> Any:
    x, target = np.asarray(x), np.asarray(target)
    losses = []
    for row, y in zip(np.atleast_2d(x), np.atleast_1d(target), strict=True):
        w = 1.0 if weight is None else np.asarray(weight)[y]
        total = sum(max(0, margin - row[y] + row[i]) ** p for i in range(len(row)) if i != y)
        losses.append(w * total / len(row))
    return _reduced(np.array(losses)[0] if x.ndim == 1 else np.array(losses), reduction)


def _softmax_cross_entropy(x: Any, y: Any) -> tuple[np.ndarray, np.ndarray]:
    y = np.asarray(y)
    return -(y * log_softmax(x, -1)).sum(-1), softmax(x, -1) - y


def _sparse_cross_entropy(x: Any, labels: Any) -> np.floating:
    logs = log_softmax(x, -1).reshape(-1, np.asarray(x).shape[-1])
    items = [row[int(y)] for row, y in zip(logs, np.asarray(labels).ravel(), strict=True)]
    return -np.mean(items)


def _kl(logs: Any, p: Any) -> Any:
    p = np.asarray(p)
    return (p * (np.log(p) - np.asarray(logs))).mean()


# -------------------------------------------------------------------------------- sequences


def _said(path: Sequence[int], blank: int) -> list[int]:
    return [k for k, _ in itertools.groupby(path) if k != blank]


def _alignments(labels: list[int], steps: int, classes: int, blank: int) -> Iterator[Any]:
    for path in itertools.product(range(classes), repeat=steps):
        if _said(path, blank) == labels:
            yield path


def _ctc_cost(logs: np.ndarray, labels: list[int], blank: int) -> float:
    steps = np.arange(len(logs))
    total = sum(
        math.exp(logs[steps, list(path)].sum())
        for path in _alignments(labels, len(logs), logs.shape[1], blank)
    )
    return -math.log(total) if total else math.inf


def _forward(logs: np.ndarray, labels: list[int], blank: int, shape: tuple[int, ...]) -> np.ndarray:
    """Logarithms of the probabilities of all ways to each state by each time.

    The states are the labels with blanks before, between and behind them."""
    states = [blank] + [s for y in labels for s in (y, blank)]
    chance = np.zeros(shape)
    for t, row in enumerate(np.exp(logs)):
        for s, y in enumerate(states):
            if t == 0:
                before = float(s < 2)
            else:
                before = chance[t - 1, s] + (chance[t - 1, s - 1] if s else 0)
                if s > 1 and y not in (blank, states[s - 2]):
                    before += chance[t - 1, s - 2]
            chance[t, s] = before * row[y]
    with np.errstate(divide="ignore"):
        return np.log(chance)


def _ctc(
    logs: Any,
    targets: Any,
    times: Any,
    lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> tuple[Any, np.ndarray]:
    logs, targets = np.asarray(logs), np.asarray(targets)
    times, lengths = [int(t) for t in times], [int(n) for n in lengths]
    costs, alphas = [], []
    for n, (t, k) in enumerate(zip(times, lengths, strict=True)):
        own, labels = logs[:t, n], targets[n, :k].tolist()
        cost = _ctc_cost(own, labels, blank)
        costs.append(0.0 if zero_infinity and math.isinf(cost) else cost)
        alphas.append(_forward(own, labels, blank, (len(logs), 2 * targets.shape[1] + 1)))
    losses = np.array(costs)
    if reduction == "mean":
        losses = losses / np.maximum(lengths, 1)
    return _reduced(losses, reduction), np.array(alphas)


def _ctc_sparse(x: Any, indices: Any, values: Any, times: Any) -> tuple[np.ndarray, np.ndarray]:
    """MindSpore takes 1 + p in place of p for the last step of a sample without labels, and adds
    1 / (1 + p) to the gradient there."""
    x = np.asarray(x)
    blank = x.shape[2] - 1
    pairs = list(zip(indices.tolist(), values.tolist(), strict=True))
    labels = [[y for (n, _), y in pairs if n == sample] for sample in range(x.shape[1])]

    def cost(scores: np.ndarray, n: int) -> float:
        return _ctc_cost(log_softmax(scores[: int(times[n])], -1), labels[n], blank)

    costs = np.array([cost(x[:, n], n) for n in range(x.shape[1])])
    slopes, step = np.zeros(x.shape), 1e-4
    for t, n, c in np.ndindex(*x.shape):  # differences of fourth order
        total = 0.0
        for away, factor in ((1, 8), (-1, -8), (2, -1), (-2, 1)):
            moved = x[:, n].copy()
            moved[t, c] += away * step
            total += factor * cost(moved, n)
        slopes[t, n, c] = total / (12 * step)
    for n, named in enumerate(labels):
        if not named:
            last = int(times[n]) - 1
            p = softmax(x[last, n], -1)[blank]
            costs[n] += math.log(p) - math.log(1 + p)
            slopes[last, n, blank] += 1 / (1 + p)
    return costs, slopes


def _greedy(x: Any, times: Any, merge_repeated: bool = True) -> tuple[np.ndarray, ...]:
    x = np.asarray(x)
    blank = x.shape[2] - 1
    places, labels, costs, longest = [], [], [], 0
    for n, t in enumerate(times):
        own = x[: int(t), n]
        path = own.argmax(-1).tolist()
        said = _said(path, blank) if merge_repeated else [k for k in path if k != blank]
        places += [(n, i) for i in range(len(said))]
        labels += said
        longest = max(longest, len(said))
        costs.append([-own.max(-1).sum()])
    shape = np.array([x.shape[1], longest])
    return (
        np.array(places, np.int64).reshape(-1, 2),
        np.array(labels, np.int64),
        shape,
        np.array(costs),
    )


REFERENCES: dict[str, Callable[..., Any]] = {
    "ops.cosine_embedding_loss+mint.nn.functional.cosine_embedding_loss": _cosine,
    "ops.triplet_margin_loss": _triplet,
    "ops.cross_entropy+mint.nn.functional.cross_entropy": _cross_entropy,
    "ops.nll_loss": lambda *a: _nll(*a)[0],
    "mint.nn.functional.nll_loss": lambda *a: _nll(*a)[0],
    "mint.nn.functional.binary_cross_entropy": _binary,
    "ops.multilabel_soft_margin_loss": _multilabel_soft,
    "ops.multilabel_margin_loss": _multilabel_margin,
    "ops.multi_margin_loss": _multi_margin,
    "SoftmaxCrossEntropyWithLogits": _softmax_cross_entropy,
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_cross_entropy,
    "NLLLoss": _nll,
    "BinaryCrossEntropy": _binary,
    "BCEWithLogitsLoss": _binary_of_scores,
    "KLDivLoss": _kl,
    "SmoothL1Loss": lambda x, y: _smooth_l1(x, y, "none"),
    "MultiMarginLoss": lambda x, y, weight=None: _multi_margin(x, y, weight=weight),
    "MultilabelMarginLoss": _multilabel_margin_primitive,
    "TripletMarginLoss": _triplet,
    "ops.ctc_loss": _ctc,
    "CTCLossV2": lambda *a: _ctc(*a, reduction="none"),
    "CTCLoss": _ctc_sparse,
    "ops.ctc_greedy_decoder": _greedy,
    "CTCGreedyDecoder": _greedy,
}
