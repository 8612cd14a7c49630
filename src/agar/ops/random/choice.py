"""Random choices from seed pairs: classes, indices, positions, permutations and candidates.

See the notes in `agar.ops.random` on draws and entropy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from agar._core import dtype as mstype
from agar._core.dtype import FROM_TORCH
from agar._core.errors import describe
from agar._core.random import draws as random_draws
from agar._core.random import index_draws, make_engine, next_engine_seed, next_pair
from agar._core.random.engines import Engine
from agar.ops._checks import boolean, integer
from agar.ops.random.distributions import drawn, meeting, own_pair, random_type
from agar.ops.spec import Scalar, op

__all__ = [
    "bernoulli_draw",
    "categorical_draw",
    "check_multinomial",
    "check_sampler_options",
    "choice_draw",
    "log_uniform_sample",
    "log_uniform_seed_pair",
    "multinomial_draw",
    "one_int",
    "permutation",
    "replacement_draw",
    "shuffled",
    "uniform_sample",
]


def one_int(op_name: str, name: str, value: Any) -> int:
    """An int, also from a tensor with one element (which arrives as a list)."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return integer(op_name, name, value)


# ----------------------------------------------------------------------------------------- choices

_INDEX_TYPES = (torch.int32, torch.int16, torch.int64)


@op(
    cast="never",
    method=True,
    samples=("f(2, 4), 5", "f(1, 3).float(), 4, 7, ms.int32"),
    errors=(
        ("f(4), 5", ValueError, "2"),
        ("f(2, 4), 0", ValueError, "num_sample"),
        ("i(2, 4), 5", TypeError, "float"),
        ("f(2, 4), 5, 1, ms.float32", TypeError, "dtype"),
        ("f(2, 4), 2.5", TypeError, "num_sample"),
    ),
    differentiable=False,
    tags=("random",),
)
def random_categorical(
    logits: Tensor, num_sample: Any, seed: Any = 0, dtype: Any = mstype.int64
) -> Tensor:
    r"""Draw classes of probability :math:`e^{logits_k} / \sum_j e^{logits_j}`.

    All rows use the same uniform numbers.

    Args:
        logits (Tensor): shape (rows, classes); float16, float32 or float64.
        num_sample (int): draws for each row, at least 1.
        seed (int): the draw's seed; the global seed has no part in it. Default 0: the next seed
            pair of this name, entropy before any ``set_seed``.
        dtype (Type): int16, int32 or int64. Default: int64.

    Returns: Tensor of shape (rows, num_sample).
    Raises TypeError: `logits` is not a floating Tensor; `num_sample` or `seed` is not an int;
        `dtype` is another type.
    Raises ValueError: `logits` has not 2 dimensions; `num_sample` is below 1.
    Difference from PyTorch: ``torch.distributions.Categorical(logits=logits).sample((n,)).T``, with
        independent rows.
    Source: behavior observed in MindSpore 2.10, which takes entropy for seed 0 even after
        ``set_seed``.

    >>> logits = ms.Tensor([[0.1, 0.2, 0.3, 0.4], [1.0, 2.0, 3.0, 4.0]])
    >>> print(ms.ops.random_categorical(logits, 8, seed=4))
    [[0 1 2 3 0 0 3 2]
     [0 2 3 3 0 2 3 3]]
    """
    seed = one_int("random_categorical", "seed", seed)
    return categorical_draw(
        "random_categorical",
        logits,
        num_sample,
        random_type("random_categorical", dtype, _INDEX_TYPES),
        lambda: make_engine("lcg", own_pair(0, seed, "random_categorical")),
    )


def categorical_draw(
    op_name: str, logits: Tensor, num_sample: Any, kind: torch.dtype, engine: Callable[[], Any]
) -> Tensor:
    """Draws from softmax(logits); the engine is asked for once all checks are passed.

    Raises:
        TypeError: `logits` is not floating, `num_sample` is not an int.
        ValueError: `logits` has not 2 dimensions, `num_sample` is below 1.
    """
    if not logits.is_floating_point():
        raise TypeError(
            f"For '{op_name}', the input argument 'logits' must be a float Tensor, but got "
            f"{FROM_TORCH[logits.dtype]}; convert it with .astype(ms.float32)."
        )
    if logits.ndim != 2:
        raise ValueError(
            f"For '{op_name}', 'logits' must have 2 dimensions (rows, classes), but got shape "
            f"{tuple(logits.shape)}; use logits.reshape(1, -1) for one row."
        )
    count = integer(op_name, "num_sample", num_sample, 1)
    values = logits.double()
    return drawn(index_draws.categorical, values, count, engine(), device=logits.device).to(kind)


@op(
    cast="never",
    samples=("f(2, 3)", "f(2, 3), 0.3, 5", "f(4), u(4), 5", "i(4), 0.5, 5"),
    errors=(
        ("f(3), 1.5", ValueError, "between 0 and 1"),
        ("f(3), 0.5, -2", ValueError, "-1"),
        ("f(3), 0.5, 2.5", TypeError, "seed"),
        ("f(3, 4), u(4)", ValueError, "shape"),
    ),
    differentiable=False,
    tags=("random",),
)
def bernoulli(input: Tensor, p: Tensor | Scalar = 0.5, seed: Any = None) -> Tensor:
    """Draw zeros and ones in the shape of a tensor, one with probability p.

    Args:
        input (Tensor): gives shape, type and device.
        p (Union[Tensor, float]): probabilities, in the shape of `input` or of one element.
            Default: 0.5.
        seed (int): at least 0; equal calls with equal seeds give equal results, whatever the
            global seed is. Default None, the same as -1: the next seed pair of this name, entropy
            before any ``set_seed``.

    Returns: Tensor like `input`.
    Raises TypeError: `input` is not a Tensor; `p` is neither Tensor nor number; `seed` is not an
        int.
    Raises ValueError: a probability is not between 0 and 1; `p` has another shape; `seed` is below
        -1.
    Difference from PyTorch: ``torch.bernoulli(input)`` takes the probabilities as `input`.
    Source: behavior observed in MindSpore 2.10, which takes entropy without a seed even after
        ``set_seed``.

    >>> print(ms.ops.bernoulli(ms.Tensor([1, 1, 1, 1, 1, 1, 1, 1]), 0.5, seed=2))
    [0 0 1 0 0 1 1 0]
    """
    return bernoulli_draw("bernoulli", input, p, -1 if seed is None else seed)


def bernoulli_draw(op_name: str, input: Tensor, p: Tensor | Scalar, seed: Any) -> Tensor:
    """Zeros and ones like a tensor.

    Raises:
        TypeError: `p` is neither tensor nor number, `seed` is not an int.
        ValueError: see :func:`bernoulli`.
    """
    integer(op_name, "seed", seed)
    if seed < -1:
        raise ValueError(
            f"For '{op_name}', the 'seed' must be -1 or a non-negative int, but got {seed}."
        )
    meeting(op_name, (), p)
    share = p.detach() if isinstance(p, Tensor) else torch.as_tensor(p)
    if share.numel() == 1:
        share = share.reshape(())
    elif share.shape != input.shape:
        raise ValueError(
            f"For '{op_name}', 'p' must have one element or the shape of 'input', but got shapes "
            f"{tuple(share.shape)} and {tuple(input.shape)}."
        )
    if not bool(((share >= 0) & (share <= 1)).all()):
        raise ValueError(
            f"For '{op_name}', every element of 'p' must be between 0 and 1, but got {describe(p)}."
        )
    if seed == -1:
        seed = next_engine_seed("bernoulli")  # not the key of a seed that a user may give
    return drawn(random_draws.bernoulli, input.shape, share.float(), seed, device=input.device).to(
        input.dtype
    )


def check_multinomial(op_name: str, input: Tensor, num_samples: Any, replacement: bool) -> int:
    """The checked number of samples.

    Raises:
        TypeError: `num_samples` is not an int.
        ValueError: the weights have another rank, a weight is negative, infinite or nan, or more
            indices are wanted than there are.
    """
    if input.ndim not in (1, 2):
        raise ValueError(
            f"For '{op_name}', the dimension of 'input' must be 1 or 2, but got {input.ndim}."
        )
    count = integer(op_name, "num_samples", num_samples, 0)
    if not replacement and count > input.shape[-1]:
        raise ValueError(
            f"For '{op_name}', 'num_samples' must not exceed the {input.shape[-1]} elements of a "
            f"row without 'replacement', but got {count}."
        )
    if input.is_complex():
        raise TypeError(
            f"For '{op_name}', 'input' must be real, but got {FROM_TORCH[input.dtype]}."
        )
    if not bool(((input >= 0) & (input < torch.inf)).all()):
        raise ValueError(
            f"For '{op_name}', every element of 'input' must be finite and at least 0: they are "
            "weights, not logits."
        )
    return count


def multinomial_draw(input: Tensor, count: int, replacement: bool, engine: Any) -> Tensor:
    """Int32 indices in proportion to the weights."""
    rule = index_draws.multinomial if replacement else index_draws.multinomial_without_replacement
    return drawn(rule, input.float(), count, engine, device=input.device)


@op(
    cast="never",
    method=True,
    samples=("p(4), 3", "p(2, 4), 3, False", "p(4).float(), 9, True, 5"),
    errors=(
        ("p(4), 5, False", ValueError, "replacement"),
        ("p(1, 2, 2), 3", ValueError, "dimension"),
        ("-p(4), 3", ValueError, "at least 0"),
        ("p(4), 2.5", TypeError, "num_samples"),
        ("p(4), 2, True, -1", ValueError, ">= 0"),
    ),
    differentiable=False,
    tags=("random",),
)
def multinomial(
    input: Tensor, num_samples: Any, replacement: Any = True, seed: Any = None
) -> Tensor:
    """Draw indices in proportion to weights.

    Args:
        input (Tensor): weights, at least 0, of shape (classes,) or (rows, classes). A row of zeros
            gives its last index.
        num_samples (int): draws for each row; without `replacement` at most the classes.
        replacement (bool): whether an index may be drawn again. Default: True.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns: Tensor of shape (num_samples,) or (rows, num_samples), int32.
    Raises TypeError: `input` is not a Tensor; `num_samples` is not an int.
    Raises ValueError: `input` has another rank or a weight that is negative, infinite or nan;
        `num_samples` is negative or too large; `seed` is negative.
    Difference from PyTorch: `replacement` is True by default; the result is int32. MindSpore takes
        bad weights without a word.

    >>> ms.set_seed(11)
    >>> print(ms.ops.multinomial(ms.Tensor([0.1, 0.2, 0.3, 0.4]), 6))
    [3 3 3 2 1 2]
    """
    replacement = bool(replacement)
    count = check_multinomial("multinomial", input, num_samples, replacement)
    engine = make_engine("lcg" if replacement else "mt", next_pair(seed, "multinomial"))
    return multinomial_draw(input, count, replacement, engine)


@op(
    cast="never",
    samples=("p(4), 2, 5, 3, True", "p(2, 4), 2, 5, 3, False"),
    errors=(
        ("p(4), 2, 5, 5, False", ValueError, "replacement"),
        ("p(4), 2, 5, 0, True", ValueError, "numsamples"),
        ("i(4), 2, 5, 3, True", TypeError, "float"),
        ("-p(4), 2, 5, 3, True", ValueError, "at least 0"),
        ("p(4), 2.5, 5, 3", TypeError, "seed"),
    ),
    differentiable=False,
    tags=("random",),
)
def multinomial_with_replacement(
    x: Tensor, seed: Any, offset: Any, numsamples: Any, replacement: Any = False
) -> Tensor:
    """Draw indices in proportion to weights, from a seed and an offset given by the caller.

    Args:
        x (Tensor): weights, at least 0 and not all 0 in a row, of shape (classes,) or
            (rows, classes); float16, float32 or float64.
        seed (Union[int, Tensor]): the seed.
        offset (Union[int, Tensor]): selects one of the streams of the seed. Both 0: the next seed
            pair of this name, entropy before any ``set_seed``.
        numsamples (int): draws for each row; without `replacement` at most the classes.
        replacement (bool): whether an index may be drawn again. Default: False.

    Returns: Tensor of shape (numsamples,) or (rows, numsamples), int64.
    Raises TypeError: `x` is not a floating Tensor; `seed`, `offset` or `numsamples` is not an int;
        `replacement` is not a bool.
    Raises ValueError: `x` has another rank, a weight that is negative, infinite or nan, or a row of
        zeros; `numsamples` is below 1 or too large.
    Difference from PyTorch: ``torch.multinomial`` takes a generator.
    Source: behavior observed in MindSpore 2.10, which takes entropy for seed and offset 0 even
        after ``set_seed``.

    >>> x = ms.Tensor([1.0, 1.0, 1.0, 1.0])
    >>> print(ms.ops.multinomial_with_replacement(x, 2, 5, 6, True))
    [1 2 2 1 1 0]
    """
    op_name = "multinomial_with_replacement"
    pair = one_int(op_name, "seed", seed), one_int(op_name, "offset", offset)
    return replacement_draw(
        op_name, x, numsamples, replacement, lambda: make_engine("philox", own_pair(*pair, op_name))
    )


def replacement_draw(
    op_name: str, x: Tensor, numsamples: Any, replacement: Any, engine: Callable[[], Any]
) -> Tensor:
    """Int64 indices by one 23-bit uniform each; the engine is asked for after all checks.

    Raises:
        TypeError: `x` is not floating, `numsamples` is not an int, `replacement` is not a bool.
        ValueError: see :func:`multinomial_with_replacement`.
    """
    boolean(op_name, "replacement", replacement)
    if not x.is_floating_point():
        raise TypeError(
            f"For '{op_name}', the input argument 'x' must be a float Tensor, but got "
            f"{FROM_TORCH[x.dtype]}; convert it with .astype(ms.float32)."
        )
    integer(op_name, "numsamples", numsamples, 1)
    count = check_multinomial(op_name, x, numsamples, replacement)
    if not bool((x.sum(-1) > 0).all()):
        raise ValueError(f"For '{op_name}', the sum of each row of 'x' must be above 0.")
    return drawn(
        index_draws.multinomial_by_mantissa,
        x.double(),
        count,
        replacement,
        engine(),
        device=x.device,
    )


@op(
    cast="never",
    samples=("b(3, 4), 2", "b(5), 7, 3"),
    errors=(
        ("f(4), 2", TypeError, "Bool"),
        ("b(4), 0", ValueError, "count"),
        ("b(4), 2.5", TypeError, "count"),
        ("b(), 2", ValueError, "1 to 5"),
    ),
    differentiable=False,
    tags=("random",),
)
def choice_with_mask(input_x: Tensor, count: Any = 256, seed: Any = None) -> tuple[Tensor, Tensor]:
    """Choose some of the true positions of a mask at random, none twice.

    Args:
        input_x (Tensor): bool, of 1 to 5 dimensions.
        count (int): how many positions, at least 1. Default: 256.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns: Two tensors: the positions, int32 of shape (count, rank), and which rows hold one, bool
        of shape (count,). If there are fewer than `count`, the other rows are zero and False.
    Raises TypeError: `input_x` is not a bool Tensor; `count` is not an int.
    Raises ValueError: `input_x` has another rank; `count` is below 1; `seed` is negative.
    Difference from PyTorch: none (no counterpart).
    Source: behavior observed in MindSpore 2.10, whose positions are wrong from 3 dimensions on.

    >>> ms.set_seed(11)
    >>> mask = ms.Tensor([True, False, True, True])
    >>> index, chosen = ms.ops.choice_with_mask(mask, 2, seed=2)
    >>> index.shape, chosen.tolist()
    ((2, 1), [True, True])
    """
    size = integer("choice_with_mask", "count", count, 1)
    return choice_draw(
        "choice_with_mask",
        input_x,
        size,
        lambda: make_engine("lcg", next_pair(seed, "choice_with_mask")),
    )


def choice_draw(
    op_name: str, input_x: Tensor, count: int, engine: Callable[[], Any]
) -> tuple[Tensor, Tensor]:
    """Positions of a mask and which of them are filled.

    Raises:
        TypeError: the mask is not bool.
        ValueError: its rank is not 1 to 5.
    """
    if input_x.dtype is not torch.bool:
        raise TypeError(
            f"For '{op_name}', the input argument 'input_x' must be a Tensor of Bool, but got "
            f"{FROM_TORCH[input_x.dtype]}; compare first, for example x > 0."
        )
    if not 1 <= input_x.ndim <= 5:
        raise ValueError(
            f"For '{op_name}', 'input_x' must have 1 to 5 dimensions, but got {input_x.ndim}."
        )
    return drawn(index_draws.choice_with_mask, input_x, count, engine(), device=input_x.device)


# ------------------------------------------------------------------------------------ permutations


@op(
    cast="never",
    samples=("f(5)", "i(4, 3), 3", "f()"),
    errors=(("[1, 2]", TypeError, "shuffle"), ("f(3), -1", ValueError, ">= 0")),
    differentiable=False,
    tags=("random",),
)
def shuffle(x: Tensor, seed: Any = None) -> Tensor:
    """Permute the rows of a tensor at random.

    Args:
        x (Tensor): any type and shape; rows are the elements along axis 0. Gradients flow through.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns: Tensor like `x`.
    Raises TypeError: `x` is not a Tensor; `seed` is not an int.
    Raises ValueError: `seed` is negative.
    Difference from PyTorch: ``x[torch.randperm(len(x))]``.
    Source: behavior observed in MindSpore 2.10; Fisher and Yates.

    >>> ms.set_seed(11)
    >>> print(ms.ops.shuffle(ms.ops.arange(12)))
    [ 8  1  7  6  4 10  5  2  0  9 11  3]
    """
    return shuffled(x, make_engine("lcg", next_pair(seed, "shuffle")))


def shuffled(x: Tensor, engine: Engine) -> Tensor:
    """A tensor with its rows in random order; a copy, also where there is nothing to permute."""
    if x.ndim == 0:
        return x.clone()
    order = drawn(index_draws.shuffle_order, x.shape[0], engine, device=x.device)
    same_size = {torch.uint16: torch.int16, torch.uint32: torch.int32, torch.uint64: torch.int64}
    if x.dtype in same_size:  # torch has no kernel that picks rows of them
        return x.view(same_size[x.dtype]).index_select(0, order).view(x.dtype)
    return x.index_select(0, order)


_PERMUTATION_TYPES = (
    torch.float16,
    torch.float32,
    torch.float64,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.int8,
    torch.uint8,
)


@op(
    cast="never",
    samples=("10", "10, 3", "7, 3, 8, ms.int32"),
    errors=(
        ("0", ValueError, "must > 0"),
        ("2.5", TypeError, "n"),
        ("10, -2", ValueError, "seed"),
        ("10, 3, -1", ValueError, "offset"),
        ("300, dtype=ms.uint8", ValueError, "large"),
        ("10, dtype=ms.bool_", TypeError, "dtype"),
    ),
    differentiable=False,
    tags=("random",),
)
def randperm(n: Any, seed: Any = 0, offset: Any = 0, dtype: Any = mstype.int64) -> Tensor:
    """Draw a permutation of 0 .. n - 1.

    The global seed has no part in it: equal arguments give equal permutations, always.

    Args:
        n (Union[int, Tensor]): how many numbers, at least 1.
        seed (int): used when `offset` is 0; -1 takes the next seed pair of this name, entropy
            before any ``set_seed``. Default: 0.
        offset (int): used in place of `seed` when it is not 0. Default: 0.
        dtype (Type): an integer or floating type that can hold n - 1. Default: int64.

    Returns: Tensor of shape (n,).
    Raises TypeError: `n`, `seed` or `offset` is not an int; `dtype` is another type.
    Raises ValueError: `n` is below 1 or too large for `dtype`; `seed` is below -1; `offset` is
        negative.
    Difference from PyTorch: ``torch.randperm`` gives another permutation at every call;
        ``mint.randperm`` does so too.
    Source: behavior observed in MindSpore 2.10, which takes entropy for seed -1 even after
        ``set_seed``.

    >>> print(ms.ops.randperm(10), ms.ops.randperm(10))
    [0 2 1 5 9 8 4 7 6 3] [0 2 1 5 9 8 4 7 6 3]
    """
    return permutation("randperm", n, seed, offset, dtype)


def permutation(op_name: str, n: Any, seed: Any, offset: Any, dtype: Any) -> Tensor:
    """A permutation from a seed or an offset; see :func:`randperm`."""
    kind = random_type(op_name, dtype, _PERMUTATION_TYPES)
    n = one_int(op_name, "n", n)
    integer(op_name, "n", n, 1)
    seed, offset = one_int(op_name, "seed", seed), one_int(op_name, "offset", offset)
    if seed < -1:
        raise ValueError(
            f"For '{op_name}', 'seed' must be -1 or a non-negative int, but got {seed}."
        )
    integer(op_name, "offset", offset, 0)
    limits = torch.finfo(kind) if kind.is_floating_point else torch.iinfo(kind)
    if n - 1 > limits.max:
        raise ValueError(f"For '{op_name}', 'n' {n} is too large for the type {FROM_TORCH[kind]}.")
    if seed == -1 and not offset:
        seed = next_engine_seed("randperm")
    return drawn(index_draws.randperm, n, seed, offset).to(kind)


# -------------------------------------------------------------------------------- class candidates


def _expected(share: np.ndarray | float, count: int, tries: int) -> np.ndarray:
    """How often a class of a probability, rounded to float32, is expected among the samples."""
    rounded = np.float32(share)
    if tries == count:
        return np.asarray(rounded * np.float32(count))
    return np.asarray(-np.expm1(tries * np.log1p(-np.float64(share))), np.float32)


def _check_sampler(
    op_name: str,
    true_classes: Tensor,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
) -> None:
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        raise ValueError(
            f"For '{op_name}', 'true_classes' must have shape (batch, num_true) with num_true "
            f"{num_true}, but got {tuple(true_classes.shape)}."
        )
    if true_classes.dtype not in (torch.int32, torch.int64):
        raise TypeError(
            f"For '{op_name}', the input argument 'true_classes' must be a Tensor of Int32 or "
            f"Int64, but got {FROM_TORCH[true_classes.dtype]}."
        )
    check_sampler_options(op_name, num_true, num_sampled, unique, range_max)


def check_sampler_options(
    op_name: str, num_true: Any, num_sampled: Any, unique: Any, range_max: Any
) -> None:
    """Check what the samplers of class candidates share.

    Raises:
        TypeError: a number is not an int, `unique` is not a bool.
        ValueError: a number is too small, or more unique classes are wanted than there are.
    """
    for name, value in (
        ("num_true", num_true),
        ("num_sampled", num_sampled),
        ("range_max", range_max),
    ):
        integer(op_name, name, value, 1)
    boolean(op_name, "unique", unique)
    if unique and num_sampled > range_max:
        raise ValueError(
            f"For '{op_name}', 'num_sampled' must not exceed 'range_max' when 'unique' is True, "
            f"but got {num_sampled} and {range_max}."
        )


def uniform_sample(
    op_name: str,
    true_classes: Tensor,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
    remove_accidental_hits: Any,
    engine: Callable[[], Any],
) -> tuple[Tensor, Tensor, Tensor]:
    """The results of `uniform_candidate_sampler`; the engine is asked for after all checks."""
    _check_sampler(op_name, true_classes, num_true, num_sampled, unique, range_max)
    boolean(op_name, "remove_accidental_hits", remove_accidental_hits)
    if range_max > index_draws.MOST_CANDIDATES:
        raise ValueError(
            f"For '{op_name}', 'range_max' must not exceed {index_draws.MOST_CANDIDATES}, but got "
            f"{range_max}."
        )
    avoided = {k for k in true_classes.flatten().tolist() if 0 <= k < range_max}
    if not (remove_accidental_hits and unique and range_max - len(avoided) >= num_sampled):
        avoided = set()

    def rule(targets: np.ndarray, source: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        result, tries = index_draws.uniform_candidates(
            num_sampled, range_max, unique, avoided, source
        )
        share = _expected(1.0 / range_max, num_sampled, tries)
        return result, np.full(targets.shape, share), np.full(num_sampled, share)

    return _sampled(rule, true_classes, engine)


def _sampled(
    rule: Callable[..., Any], true_classes: Tensor, engine: Callable[[], Any]
) -> tuple[Tensor, Tensor, Tensor]:
    result, targets, samples = drawn(rule, true_classes, engine(), device=true_classes.device)
    return result.to(true_classes.dtype), targets, samples


@op(
    cast="never",
    samples=("i(3, 1), 1, 3, False, 6, 1", "i(3, 2), 2, 3, True, 9, 1"),
    errors=(
        ("i(3, 1), 1, 9, True, 8, 1", ValueError, "range_max"),
        ("i(3, 1), 2, 3, True, 8, 1", ValueError, "num_true"),
        ("i(3, 1), 1, 3, 1, 8, 1", TypeError, "unique"),
        ("f(3, 1), 1, 3, True, 8, 1", TypeError, "Int"),
        ("i(3, 1), 1, 3, True, 8, -1", ValueError, "seed"),
    ),
    differentiable=False,
    tags=("random",),
)
def uniform_candidate_sampler(
    true_classes: Tensor,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
    seed: Any = 0,
    remove_accidental_hits: Any = False,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Sample classes for a sampled loss, each of 0 .. range_max - 1 with equal probability.

    Args:
        true_classes (Tensor): the target classes, int32 or int64, of shape (batch, num_true).
        num_true (int): target classes for each element of the batch.
        num_sampled (int): how many classes to sample.
        unique (bool): whether no class is sampled twice.
        range_max (int): the number of classes.
        seed (int): the sampler's seed, at least 0; the global seed has no part in it. Default 0:
            the next seed pair of this name, entropy before any ``set_seed``.
        remove_accidental_hits (bool): whether target classes are left out, where `unique` holds
            and enough other classes exist. Default: False.

    Returns: Three tensors: the sampled classes (num_sampled,), of the type of `true_classes`; how
        often each target class is expected among them, (batch, num_true), float32; the same of the
        sampled classes, (num_sampled,). With n draws for `unique` samples, the expectation is
        :math:`1 - (1 - 1 / range\_max)^n`.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `true_classes` has another shape; a number is too small; more unique classes
        are wanted than there are.
    Difference from PyTorch: none (no counterpart).
    Source: behavior observed in MindSpore 2.10, which takes entropy for seed 0.

    >>> true = ms.Tensor([[1], [3], [4]])
    >>> sampled, _, expected = ms.ops.uniform_candidate_sampler(true, 1, 3, False, 400, 1)
    >>> print(sampled, expected)
    [ 47 236 320] [0.0075 0.0075 0.0075]
    """
    op_name = "uniform_candidate_sampler"
    integer(op_name, "seed", seed, 0)
    return uniform_sample(
        op_name,
        true_classes,
        num_true,
        num_sampled,
        unique,
        range_max,
        remove_accidental_hits,
        lambda: make_engine("lcg", own_pair(seed, 0, op_name)),
    )


def log_uniform_seed_pair(seed: int) -> tuple[int, int]:
    """The pair of a log-uniform sampler: MindSpore's constant, whatever the global seed is."""
    return 87654321, seed


def log_uniform_sample(
    op_name: str,
    true_classes: Tensor,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
    engine: Callable[[], Any],
) -> tuple[Tensor, Tensor, Tensor]:
    """The results of `log_uniform_candidate_sampler`; the engine is asked for after all checks."""
    _check_sampler(op_name, true_classes, num_true, num_sampled, unique, range_max)

    def rule(targets: np.ndarray, source: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        result, tries = index_draws.log_uniform_candidates(num_sampled, range_max, unique, source)

        def expected(classes: np.ndarray) -> np.ndarray:
            share = np.log((classes + 2.0) / (classes + 1.0)) / np.log1p(range_max)
            return _expected(share, num_sampled, tries)

        return result, expected(targets), expected(result)

    return _sampled(rule, true_classes, engine)


@op(
    cast="never",
    samples=("i(3, 1), 1, 3, False, 6, 1", "i(3, 2), 2, 3, True, 9"),
    errors=(
        ("i(3, 1), 1, 9, True, 8, 1", ValueError, "range_max"),
        ("i(3, 1), 2, 3, True, 8, 1", ValueError, "num_true"),
        ("i(3, 1), 1, 3, 1, 8, 1", TypeError, "unique"),
        ("i(3, 1), 1, 3, True, 8, -1", ValueError, "seed"),
    ),
    differentiable=False,
    tags=("random",),
)
def log_uniform_candidate_sampler(
    true_classes: Tensor,
    num_true: Any = 1,
    num_sampled: Any = 5,
    unique: Any = True,
    range_max: Any = 5,
    seed: Any = 0,
) -> tuple[Tensor, Tensor, Tensor]:
    r"""Sample classes for a sampled loss, where low classes are frequent (Zipf's law).

    :math:`P(k) = (\log(k + 2) - \log(k + 1)) / \log(range\_max + 1)`.

    Args:
        true_classes (Tensor): the target classes, int32 or int64, of shape (batch, num_true).
        num_true (int): target classes for each element of the batch. Default: 1.
        num_sampled (int): how many classes to sample. Default: 5.
        unique (bool): whether no class is sampled twice. Default: True.
        range_max (int): the number of classes. Default: 5.
        seed (int): the sampler's seed, at least 0; equal calls with equal seeds give equal
            results, whatever the global seed is. Default: 0.

    Returns: Three tensors: the sampled classes (num_sampled,), of the type of `true_classes`; how
        often each target class is expected among them, (batch, num_true), float32; the same of the
        sampled classes, (num_sampled,). With n draws for `unique` samples, the expectation is
        :math:`1 - (1 - P(k))^n`.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `true_classes` has another shape; a number is too small; more unique classes
        are wanted than there are.
    Difference from PyTorch: none (no counterpart).

    >>> true = ms.Tensor([[1, 7], [0, 4], [3, 3]])
    >>> sampled, _, _ = ms.ops.log_uniform_candidate_sampler(true, 2, 5, True, 50, seed=3)
    >>> print(sampled)
    [ 0 23 13  3 18]
    """
    op_name = "log_uniform_candidate_sampler"
    integer(op_name, "seed", seed, 0)
    return log_uniform_sample(
        op_name,
        true_classes,
        num_true,
        num_sampled,
        unique,
        range_max,
        lambda: make_engine("philox", log_uniform_seed_pair(seed)),
    )
