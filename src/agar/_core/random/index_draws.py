"""Indices that are drawn: permutations, choices by weight, sampled classes.

As in `draws`: each function advances its engine exactly as far as MindSpore 2.10 advances its own
on CPU, and returns the same bits.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable

import numpy as np

from agar._core.random.draws import mantissa_doubles, mantissas, uniform_real
from agar._core.random.engines import BLOCK, Engine, Mersenne, MinStd, Philox, engine_seed

__all__ = [
    "MOST_CANDIDATES",
    "categorical",
    "choice_with_mask",
    "log_uniform_candidates",
    "multinomial",
    "multinomial_by_mantissa",
    "multinomial_without_replacement",
    "randperm",
    "shuffle_order",
    "uniform_candidates",
]

_F32 = np.float32


# ------------------------------------------------------------------------------------ permutations


def _bounded(widths: np.ndarray, engine: Engine) -> list[int]:
    """One draw in 0 .. widths[i]-1 for each i, by division with rejection, in order."""
    scales = engine.span // widths
    limits = scales * widths
    out: list[int] = []
    while len(out) < len(widths):
        words = engine.draws(len(widths) - len(out)).astype(np.int64)
        if 4 * int(widths[-1]) > engine.span:
            # Up to half of the words are rejected: element by element.
            at = len(out)
            pending = zip(limits[at:].tolist(), scales[at:].tolist(), strict=True)
            limit, scale = next(pending)
            for word in words.tolist():
                if word < limit:
                    out.append(word // scale)
                    limit, scale = next(pending, (0, 0))
            continue
        # Rejections are rare: accept whole blocks up to the first.
        read = 0
        while read < words.size:
            at = len(out)
            part = words[read : read + BLOCK]
            bad = part >= limits[at : at + part.size]
            first = int(bad.argmax())
            good = first if bad[first] else part.size
            out += (part[:good] // scales[at : at + good]).tolist()
            read += good + (good < part.size)
    return out


def shuffle_order(count: int, engine: Engine) -> np.ndarray:
    """A random permutation of 0 .. count-1 as int64 (Fisher-Yates).

    Two swaps share one draw while the engine's span allows it.

    Args:
        count (int): the number of elements.
        engine (Engine): any integer engine; advances by one word per draw and rejection.
    """
    if count < 2:
        return np.arange(count)
    with engine.lock:
        # The partners of places 1, 2, .., count-1, in the order in which they are swapped.
        if engine.span // count < count:
            partners = _bounded(np.arange(2, count + 1), engine)
        else:
            # An even count has one place too many for pairs: place 1 takes its own draw.
            single = int(count % 2 == 0)
            firsts = np.arange(1 + single, count, 2)
            widths = np.concatenate([[2] * single, (firsts + 1) * (firsts + 2)]).astype(np.int64)
            draws = np.array(_bounded(widths, engine), np.int64)
            pairs = np.stack(np.divmod(draws[single:], firsts + 2), axis=1)
            partners = draws[:single].tolist() + pairs.reshape(-1).tolist()
    # A typed array keeps the random accesses close together; a list would chase pointers.
    order = array("q", range(count))
    for i, j in enumerate(partners, 1):
        # Place i has not been touched before its step, so it still holds i.
        order[i] = order[j]
        order[j] = i
    return np.frombuffer(order, np.int64)


def randperm(count: int, seed: int = 0, offset: int = 0) -> np.ndarray:
    """The permutation of ``ops.randperm``: the MT19937 is seeded by ``offset``, or by ``seed``.

    Args:
        count (int): the number of elements.
        seed (int): used when ``offset`` is 0; -1 takes entropy. Default: ``0``.
        offset (int): used when it is not 0; -1 takes entropy. Default: ``0``.
    """
    start = offset or seed
    return shuffle_order(count, Mersenne(engine_seed(0, 0) if start == -1 else start))


def choice_with_mask(mask: np.ndarray, count: int, engine: MinStd) -> tuple[np.ndarray, np.ndarray]:
    """``count`` of the true positions of ``mask``, shuffled.

    Args:
        mask (np.ndarray): bool, any rank of at least 1.
        count (int): rows of the result, at least 1.
        engine (MinStd): advances by what the shuffle takes.

    Returns:
        Indices, int32 (count, rank), and which rows are filled, bool (count,); spare rows are 0.
    """
    positions = np.flatnonzero(mask)
    chosen = positions[shuffle_order(positions.size, engine)[:count]]
    index = np.zeros((count, mask.ndim), np.int32)
    index[: chosen.size] = np.stack(np.unravel_index(chosen, mask.shape), axis=-1)
    return index, np.arange(count) < chosen.size


# ----------------------------------------------------------------------------------------- choices


def multinomial(weights: np.ndarray, samples: int, engine: MinStd) -> np.ndarray:
    """Int32 indices drawn with replacement, in proportion to the weights.

    The first index whose running float32 share exceeds a float32 uniform. Weights that sum to 0
    give the last index.

    Args:
        weights (np.ndarray): non-negative, (K,) or (rows, K).
        samples (int): draws per row.
        engine (MinStd): advances by one word per draw, row after row.

    Returns:
        Indices of shape (samples,) or (rows, samples).
    """
    rows = np.atleast_2d(np.asarray(weights, _F32))
    uniform = engine.floats(len(rows) * samples).reshape(len(rows), samples)
    out = np.empty(uniform.shape, np.int32)
    for row, u, target in zip(rows, uniform, out, strict=True):
        share = np.add.accumulate(row, dtype=_F32)
        if share[-1] != 0:
            share /= share[-1]
        target[...] = np.searchsorted(share[:-1], u, side="right")
    return out.reshape((*np.shape(weights)[:-1], samples))


def multinomial_without_replacement(
    weights: np.ndarray, samples: int, engine: Engine
) -> np.ndarray:
    """Int32 indices drawn without replacement: the largest ``log(u) / (w + 1e-6)``.

    Args:
        weights (np.ndarray): non-negative, (K,) or (rows, K).
        samples (int): draws per row, at most K.
        engine (Engine): an MT19937 stream; advances by two words per weight.

    Returns:
        Indices of shape (samples,) or (rows, samples).
    """
    weights = np.asarray(weights, _F32)
    with np.errstate(divide="ignore"):
        score = np.log(uniform_real(weights.shape, engine))
    score /= weights + _F32(1e-6)
    return np.argsort(-score, axis=-1, kind="stable")[..., :samples].astype(np.int32)


def multinomial_by_mantissa(
    weights: np.ndarray, samples: int, replacement: bool, engine: Philox
) -> np.ndarray:
    """Int64 indices in proportion to the weights, one 23-bit uniform per draw, row after row.

    Without replacement the weight of an index that was drawn counts as zero from then on.

    Args:
        weights (np.ndarray): non-negative, (K,) or (rows, K); no row is all zero.
        samples (int): draws per row; without replacement at most K.
        replacement (bool): whether an index may be drawn again.
        engine (Philox): advances by one word per draw.

    Returns:
        Indices of shape (samples,) or (rows, samples).
    """
    rows = np.atleast_2d(np.asarray(weights, np.float64))
    uniform = mantissas(engine.draws(len(rows) * samples)).reshape(len(rows), samples)
    out = np.empty(uniform.shape, np.int64)
    for row, u, target in zip(rows, uniform, out, strict=True):
        if replacement:
            share = np.cumsum(row)
            target[...] = np.searchsorted(share[:-1], u * share[-1], side="right")
            continue
        rest = row.copy()
        for i, point in enumerate(u.tolist()):
            share = np.cumsum(rest)
            if share[-1] == 0:
                # Only weights of zero are left: the lowest of them, in order.
                left = np.setdiff1d(np.arange(row.size), target[:i])
                target[i:] = left[: samples - i]
                break
            target[i] = np.searchsorted(share, point * share[-1], side="right")
            rest[target[i]] = 0.0
    return out.reshape((*np.shape(weights)[:-1], samples))


MOST_CANDIDATES = MinStd.span
"""The number of classes from which :func:`uniform_candidates` can draw."""


def uniform_candidates(
    count: int,
    classes: int,
    unique: bool,
    avoided: set[int],
    engine: MinStd,
) -> tuple[np.ndarray, int]:
    """Int64 classes out of 0 .. classes-1, and how many draws they took.

    Args:
        count (int): how many classes.
        classes (int): the number of classes, at most ``MOST_CANDIDATES``.
        unique (bool): whether a class that was drawn before is drawn again.
        avoided (set[int]): classes that are never taken; needs ``unique``.
        engine (MinStd): advances by one word per draw and rejection.
    """
    return _candidates(
        count, unique, avoided, lambda n: _bounded(np.full(n, classes, np.int64), engine), engine
    )


def log_uniform_candidates(
    count: int, classes: int, unique: bool, engine: Philox
) -> tuple[np.ndarray, int]:
    """Int64 classes with probabilities ``log((k + 2) / (k + 1)) / log(classes + 1)``, and draws.

    Args:
        count (int): how many classes.
        classes (int): the number of classes.
        unique (bool): whether a class that was drawn before is drawn again.
        engine (Philox): advances by 2048 words per class, of which the draws take what they need.
    """
    reader = Philox(*engine.state[:2])
    reader.skip(engine.skip(2048 * count))
    scale = math.log(classes + 1)

    def draw(n: int) -> list[int]:
        u = mantissa_doubles(reader.draws(2 * n).reshape(n, 2).T.astype(np.uint64))
        return ((np.exp(u * scale).astype(np.int64) - 1) % classes).tolist()

    return _candidates(count, unique, set(), draw, reader)


def _candidates(
    count: int,
    unique: bool,
    avoided: set[int],
    draw: Callable[[int], list[int]],
    engine: Engine,
) -> tuple[np.ndarray, int]:
    with engine.lock:
        if not unique:
            return np.array(draw(count), np.int64), count
        taken: dict[int, None] = {}
        tries = 0
        while len(taken) < count:
            # At least as many draws as classes are missing; more would move the engine too far.
            result = draw(count - len(taken))
            tries += len(result)
            taken.update(dict.fromkeys(k for k in result if k not in avoided))
    return np.array(list(taken), np.int64), tries


def categorical(logits: np.ndarray, samples: int, engine: MinStd) -> np.ndarray:
    """Int64 indices from unnormalized log-probabilities; every row uses the same uniforms.

    Args:
        logits (np.ndarray): (rows, K).
        samples (int): draws per row.
        engine (MinStd): advances by two words per sample.

    Returns:
        Indices of shape (rows, samples).
    """
    logits = np.asarray(logits, np.float64)
    uniform = engine.doubles(samples)
    out = np.empty((len(logits), samples), np.int64)
    for row, target in zip(logits, out, strict=True):
        total = np.cumsum(np.exp(row - row.max()))
        target[...] = np.searchsorted(total[:-1], uniform * total[-1], side="right")
    return out
