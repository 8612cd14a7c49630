"""Random choices as Primitive classes; see the note of `agar.ops.random.streams`."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from agar._core import dtype as mstype
from agar._core.optable import Primitive
from agar._core.random import Stream, index_draws, make_engine, next_pair
from agar.ops._checks import boolean, integer
from agar.ops.random.choice import (
    bernoulli_draw,
    categorical_draw,
    check_multinomial,
    check_sampler_options,
    choice_draw,
    log_uniform_sample,
    log_uniform_seed_pair,
    multinomial_draw,
    one_int,
    permutation,
    replacement_draw,
    shuffled,
    uniform_sample,
)
from agar.ops.random.distributions import (
    drawn,
    own_pair,
    random_type,
)
from agar.ops.random.streams import (
    OPTIONS,
    metadata_of,
    object_stream,
    stream_of_any_seed,
    stream_of_type,
)
from agar.ops.spec import Scalar, primitive

__all__: list[str] = []

# ----------------------------------------------------------------------------------------- choices


def _check_bernoulli(instance: Primitive) -> None:
    integer("Bernoulli", "seed", instance.seed)
    integer("Bernoulli", "offset", instance.offset)
    if instance.seed < -1:
        raise ValueError(
            "For 'Bernoulli', the 'seed' must be -1 or a non-negative int, but got "
            f"{instance.seed}."
        )


@primitive(
    "Bernoulli",
    samples=("f(2, 3), 0.5, seed=2", "f(4), u(4), seed=2, offset=3"),
    errors=(
        ("f(3), 1.5, seed=2", ValueError, "between 0 and 1"),
        ("f(3), 0.5, seed=-2", ValueError, "-1"),
        ("f(3), 0.5, seed=2.5", TypeError, "seed"),
    ),
    setup=_check_bernoulli,
    **OPTIONS,
)
def _bernoulli(x: Tensor, p: Tensor | Scalar, *, seed: Any = -1, offset: Any = 0) -> Tensor:
    """Zeros and ones in the shape of a tensor, one with probability p.

    Equal calls give equal results, as of an object without streams.

    Args:
        seed (int): at least 0, or -1 for other numbers at every call. Default: -1.
        offset (int): has no effect, as in MindSpore. Default: 0.
        x (Tensor): gives shape, type and device; at the call, as the following.
        p (Union[Tensor, float]): probabilities, in the shape of `x` or of one element.

    Returns: Tensor like `x`.
    Raises TypeError: `seed` or `offset` is not an int; `p` is neither Tensor nor number.
    Raises ValueError: `seed` is below -1; a probability is not between 0 and 1; `p` has another
        shape.
    Difference from PyTorch: ``torch.bernoulli(input)`` takes the probabilities as `input`.

    >>> print(ms.ops.Bernoulli(seed=2)(ms.Tensor([1, 1, 1, 1, 1, 1, 1, 1]), 0.5))
    [0 0 1 0 0 1 1 0]
    """
    return bernoulli_draw("Bernoulli", x, p, seed)


@primitive(
    "Multinomial",
    samples=("p(4), 5, seed=3, seed2=4", "p(2, 4), 5, seed=3, dtype=ms.int64"),
    errors=(
        ("p(4), -1, seed=3", ValueError, "num_samples"),
        ("p(4), 2, dtype=ms.int16", TypeError, "dtype"),
        ("-p(4), 2, seed=3", ValueError, "at least 0"),
    ),
    setup=stream_of_type(torch.int32, torch.int64),
    **OPTIONS,
)
def _multinomial(
    x: Tensor,
    num_samples: Any,
    *,
    seed: Any = 0,
    seed2: Any = 0,
    dtype: Any = mstype.int32,
    _state: Stream,
) -> Tensor:
    """Indices drawn with replacement, in proportion to weights.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        dtype (Type): int32 or int64. Default: int32.
        x (Tensor): weights, at least 0, of shape (classes,) or (rows, classes); at the call, as the
            following.
        num_samples (int): draws for each row.

    Returns: Tensor of shape (num_samples,) or (rows, num_samples).
    Raises TypeError: a seed or `num_samples` is not an int; `dtype` is another type.
    Raises ValueError: a seed or `num_samples` is negative; a weight is negative, infinite or nan;
        `x` has another rank.
    Difference from PyTorch: ``torch.multinomial(x, n, replacement=True)``; int32.

    >>> draw = ms.ops.Multinomial(seed=3, seed2=4)
    >>> weights = ms.Tensor([0.1, 0.2, 0.3, 0.4])
    >>> print(draw(weights, 5), draw(weights, 5))
    [3 1 1 1 2] [2 2 0 3 2]
    """
    kind = random_type("Multinomial", dtype, (torch.int32, torch.int64))
    count = check_multinomial("Multinomial", x, num_samples, True)
    return multinomial_draw(x, count, True, _state.engine("lcg", (metadata_of(x), count))).to(kind)


def _replacement_setup(instance: Primitive) -> Stream:
    integer(instance.name, "numsamples", instance.numsamples, 0)
    boolean(instance.name, "replacement", instance.replacement)
    instance.add_prim_attr("side_effect_hidden", True)
    return Stream(0, 0, instance.name)


@primitive(
    "MultinomialWithReplacement",
    samples=("p(4), 2, 5, numsamples=3, replacement=True",),
    errors=(
        ("p(4), 2, 5, numsamples=5", ValueError, "replacement"),
        ("p(4), 2, 5, numsamples=-1", ValueError, "numsamples"),
        ("p(4), 2, 5, numsamples=3, replacement=1", TypeError, "replacement"),
    ),
    setup=_replacement_setup,
    **OPTIONS,
)
def _multinomial_with_replacement(
    x: Tensor,
    seed: Any,
    offset: Any,
    *,
    numsamples: Any,
    replacement: Any = False,
    _state: Stream,
) -> Tensor:
    """Indices drawn in proportion to weights, from a seed and an offset given at the call.

    Calls with the seed and offset of the call before continue its stream; others start anew.

    Args:
        numsamples (int): draws for each row.
        replacement (bool): whether an index may be drawn again. Default: False.
        x (Tensor): weights, at least 0 and not all 0 in a row, of shape (classes,) or
            (rows, classes); floating; at the call, as the following.
        seed (Union[Tensor, int]): the seed.
        offset (Union[Tensor, int]): selects one of the streams of the seed. Both 0: the next seed
            pair of this name at every call, entropy before any ``set_seed``.

    Returns: Tensor of shape (numsamples,) or (rows, numsamples), int64.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: as :func:`ops.multinomial_with_replacement`.
    Difference from PyTorch: ``torch.multinomial`` takes a generator.

    >>> draw = ms.ops.MultinomialWithReplacement(numsamples=3, replacement=True)
    >>> x = ms.Tensor([1.0, 1.0, 1.0, 1.0])
    >>> print(draw(x, ms.Tensor(2), ms.Tensor(5)), draw(x, ms.Tensor(2), ms.Tensor(5)))
    [1 2 2] [1 1 0]
    """
    op_name = "MultinomialWithReplacement"
    pair = one_int(op_name, "seed", seed), one_int(op_name, "offset", offset)

    def engine() -> Any:
        if pair == (0, 0):
            return make_engine("philox", next_pair(None, op_name))
        if _state.pair != pair:
            _state.restart(pair)
        return _state.engine("philox", metadata_of(x))

    return replacement_draw(op_name, x, numsamples, replacement, engine)


_INDEX_TYPES = (torch.int32, torch.int16, torch.int64)


def _categorical_setup(instance: Primitive) -> Stream:
    random_type(instance.name, instance.dtype, _INDEX_TYPES)
    instance.add_prim_attr("side_effect_hidden", True)
    return Stream(0, 0, instance.name)


@primitive(
    "RandomCategorical",
    samples=("f(2, 4), 5, 3", "f(1, 4), 5, 3, dtype=ms.int16"),
    errors=(
        ("f(4), 5, 3", ValueError, "2 dimensions"),
        ("f(2, 4), 5, 3, dtype=ms.float16", TypeError, "dtype"),
    ),
    setup=_categorical_setup,
    **OPTIONS,
)
def _random_categorical(
    logits: Tensor, num_sample: Any, seed: Any, *, dtype: Any = mstype.int64, _state: Stream
) -> Tensor:
    """Classes drawn in proportion to the exponentials of logits; see `ops.random_categorical`.

    Args:
        dtype (Type): int16, int32 or int64. Default: int64.
        logits (Tensor): shape (rows, classes); floating; at the call, as the following.
        num_sample (int): draws for each row, at least 1.
        seed (int): the stream's seed; 0 takes the next seed pair of this name at every call,
            entropy before any ``set_seed``.

    Returns: Tensor of shape (rows, num_sample).
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: `logits` has not 2 dimensions; `num_sample` is below 1.
    Difference from PyTorch: ``torch.distributions.Categorical(logits=logits).sample((n,)).T``.

    >>> draw = ms.ops.RandomCategorical()
    >>> logits = ms.Tensor([[0.1, 0.2, 0.3, 0.4]])
    >>> print(draw(logits, 6, 4), draw(logits, 6, 4))
    [[0 1 2 3 0 0]] [[3 2 2 3 0 1]]
    """
    op_name = "RandomCategorical"
    seed = one_int(op_name, "seed", seed)

    def engine() -> Any:
        if seed == 0:
            return make_engine("lcg", next_pair(None, op_name))
        return _state.engine("lcg", (metadata_of(logits), num_sample, seed), start=(0, seed))

    kind = random_type(op_name, dtype, _INDEX_TYPES)
    return categorical_draw(op_name, logits, num_sample, kind, engine)


def _choice_setup(instance: Primitive) -> Stream:
    integer(instance.name, "count", instance.count, 1)
    return stream_of_any_seed(instance)


@primitive(
    "RandomChoiceWithMask",
    samples=("b(3, 4), count=2, seed=1",),
    errors=(
        ("f(4), count=2, seed=1", TypeError, "Bool"),
        ("b(4), count=0", ValueError, "count"),
        ("b(4), count=2.5", TypeError, "count"),
    ),
    setup=_choice_setup,
    **OPTIONS,
)
def _random_choice_with_mask(
    input_x: Tensor, *, count: Any = 256, seed: Any = 0, seed2: Any = 0, _state: Stream
) -> tuple[Tensor, Tensor]:
    """Some of the true positions of a mask, chosen at random, none twice.

    Args:
        count (int): how many positions, at least 1. Default: 256.
        seed (int): any int. Default: 0.
        seed2 (int): any int. Default: 0.
        input_x (Tensor): bool, of 1 to 5 dimensions; at the call.

    Returns: Two tensors: the positions, int32 of shape (count, rank), and which rows hold one, bool
        of shape (count,). If there are fewer than `count`, the other rows are zero and False.
    Raises TypeError: `count` or a seed is not an int; `input_x` is not a bool Tensor.
    Raises ValueError: `count` is below 1; `input_x` has another rank.
    Difference from PyTorch: none (no counterpart).
    Source: behavior observed in MindSpore 2.10, whose positions are wrong from 3 dimensions on.

    >>> choose = ms.ops.RandomChoiceWithMask(count=3, seed=1, seed2=2)
    >>> index, _ = choose(ms.ops.arange(12) % 3 == 0)
    >>> print(index.flatten())
    [0 6 3]
    """
    return choice_draw(
        "RandomChoiceWithMask", input_x, count, lambda: _state.engine("lcg", metadata_of(input_x))
    )


# ------------------------------------------------------------------------------------ permutations


@primitive(
    "RandomShuffle",
    samples=("f(5), seed=1, seed2=2", "i(4, 3), seed=1"),
    errors=(("f(3), seed=-1", ValueError, ">= 0"), ("[1, 2], seed=1", TypeError, "RandomShuffle")),
    setup=object_stream,
    **OPTIONS,
)
def _random_shuffle(x: Tensor, *, seed: Any = 0, seed2: Any = 0, _state: Stream) -> Tensor:
    """The rows of a tensor in random order; see :func:`ops.shuffle`.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        x (Tensor): any type and shape; at the call.

    Returns: Tensor like `x`.
    Raises TypeError: a seed is not an int; `x` is not a Tensor.
    Raises ValueError: a seed is negative.
    Difference from PyTorch: ``x[torch.randperm(len(x))]``.

    >>> print(ms.ops.RandomShuffle(seed=1, seed2=2)(ms.ops.arange(6)))
    [0 4 1 5 2 3]
    """
    return shuffled(x, _state.engine("lcg", metadata_of(x)))


@primitive(
    "RandpermV2",
    samples=("10, seed=3", "7, seed=3, offset=8, dtype=ms.int32"),
    errors=(("0, seed=3", ValueError, "must > 0"), ("10, seed=-2", ValueError, "seed")),
    **OPTIONS,
)
def _randperm_v2(n: Any, *, seed: Any = 0, offset: Any = 0, dtype: Any = mstype.int64) -> Tensor:
    """A permutation of 0 .. n - 1, the same at every call; see :func:`ops.randperm`.

    Args:
        seed (int): used when `offset` is 0; -1 gives another permutation at every call. Default:
            0.
        offset (int): used in place of `seed` when it is not 0. Default: 0.
        dtype (Type): an integer or floating type that can hold n - 1. Default: int64.
        n (Union[int, Tensor]): how many numbers, at least 1; at the call.

    Returns: Tensor of shape (n,).
    Raises TypeError: `n`, `seed` or `offset` is not an int; `dtype` is another type.
    Raises ValueError: `n` is below 1 or too large for `dtype`; `seed` is below -1; `offset` is
        negative.
    Difference from PyTorch: ``torch.randperm`` gives another permutation at every call.

    >>> print(ms.ops.RandpermV2(seed=3)(10))
    [3 1 8 5 2 6 9 7 0 4]
    """
    return permutation("RandpermV2", n, seed, offset, dtype)


_PADDED_TYPES = (
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.uint8,
    torch.uint16,
    torch.uint32,
    torch.uint64,
)


def _randperm_setup(instance: Primitive) -> Stream:
    integer(instance.name, "max_length", instance.max_length, 1)
    integer(instance.name, "pad", instance.pad)
    random_type(instance.name, instance.dtype, _PADDED_TYPES)
    return Stream(*next_pair(None, instance.name), instance.name)


@primitive(
    "Randperm",
    samples=("4, max_length=6", "torch.tensor([3]), max_length=3, pad=0, dtype=ms.int64"),
    errors=(
        ("4, max_length=3", ValueError, "max_length"),
        ("4, max_length=0", ValueError, "max_length"),
        ("4, max_length=6, dtype=ms.float16", TypeError, "dtype"),
    ),
    setup=_randperm_setup,
    **OPTIONS,
)
def _randperm(
    n: Any, *, max_length: Any = 1, pad: Any = -1, dtype: Any = mstype.int32, _state: Stream
) -> Tensor:
    """A permutation of 0 .. n - 1, followed by padding.

    Args:
        max_length (int): the length of the result, at least 1. Default: 1.
        pad (int): what stands behind the permutation. Default: -1.
        dtype (Type): an integer type. Default: int32.
        n (Union[Tensor, int]): how many numbers, 0 .. `max_length`; at the call.

    Returns: Tensor of shape (max_length,).
    Raises TypeError: `n`, `max_length` or `pad` is not an int; `dtype` is not an integer type.
    Raises ValueError: `max_length` is below 1; `n` is negative or above `max_length`.
    Difference from PyTorch: ``torch.randperm`` has no padding.
    Source: MindSpore 2.10 has no CPU kernel to compare with. Every object takes the next seed pair
        of its name.

    >>> permuted = ms.ops.Randperm(max_length=4, pad=-1)(ms.Tensor([2]))
    >>> sorted(permuted.tolist())
    [-1, -1, 0, 1]
    """
    count = integer("Randperm", "n", one_int("Randperm", "n", n), 0)
    if count > max_length:
        raise ValueError(
            f"For 'Randperm', 'n' must not exceed 'max_length' {max_length}, but got {count}."
        )
    kind = random_type("Randperm", dtype, _PADDED_TYPES)
    order = drawn(index_draws.shuffle_order, count, _state.engine("lcg", ()))
    rest = order.new_full((max_length - count,), pad)
    return torch.cat([order, rest]).to(kind)


# -------------------------------------------------------------------------------- class candidates


def _sampler_setup(instance: Primitive) -> Stream:
    check_sampler_options(
        instance.name, instance.num_true, instance.num_sampled, instance.unique, instance.range_max
    )
    integer(instance.name, "seed", instance.seed, 0)
    instance.add_prim_attr("side_effect_hidden", True)
    if instance.name == "LogUniformCandidateSampler":
        return Stream(*log_uniform_seed_pair(instance.seed), instance.name)
    return Stream(*own_pair(instance.seed, 0, instance.name), instance.name)


@primitive(
    "LogUniformCandidateSampler",
    samples=("i(3, 1), num_sampled=3, range_max=9, seed=1",),
    errors=(
        ("i(3, 1), num_sampled=9, range_max=8", ValueError, "range_max"),
        ("i(3, 1), num_true=2", ValueError, "num_true"),
    ),
    setup=_sampler_setup,
    **OPTIONS,
)
def _log_uniform_candidate_sampler(
    true_classes: Tensor,
    *,
    num_true: Any = 1,
    num_sampled: Any = 5,
    unique: Any = True,
    range_max: Any = 5,
    seed: Any = 0,
    _state: Stream,
) -> tuple[Tensor, Tensor, Tensor]:
    """Classes for a sampled loss, low ones frequent; see `ops.log_uniform_candidate_sampler`.

    Args:
        num_true (int): target classes for each element of the batch. Default: 1.
        num_sampled (int): how many classes to sample. Default: 5.
        unique (bool): whether no class is sampled twice. Default: True.
        range_max (int): the number of classes. Default: 5.
        seed (int): at least 0. Default: 0.
        true_classes (Tensor): int32 or int64, of shape (batch, num_true); at the call.

    Returns: Three tensors: sampled classes, expected counts of the targets, of the samples.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: a number is too small; more unique classes are wanted than there are;
        `true_classes` has another shape.
    Difference from PyTorch: none (no counterpart).

    >>> sample = ms.ops.LogUniformCandidateSampler(1, 6, True, 400, seed=1)
    >>> print(sample(ms.Tensor([[1], [3]]))[0])
    [236  10  59  67   1   4]
    """
    return log_uniform_sample(
        "LogUniformCandidateSampler",
        true_classes,
        num_true,
        num_sampled,
        unique,
        range_max,
        lambda: _state.engine("philox", metadata_of(true_classes)),
    )


@primitive(
    "UniformCandidateSampler",
    samples=("i(3, 1), num_true=1, num_sampled=3, unique=True, range_max=9, seed=1",),
    errors=(
        (
            "i(3, 1), num_true=1, num_sampled=9, unique=True, range_max=8",
            ValueError,
            "range_max",
        ),
        ("i(3, 1), num_true=1, num_sampled=3, unique=1, range_max=8", TypeError, "unique"),
    ),
    setup=_sampler_setup,
    **OPTIONS,
)
def _uniform_candidate_sampler(
    true_classes: Tensor,
    *,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
    seed: Any = 0,
    remove_accidental_hits: Any = False,
    _state: Stream,
) -> tuple[Tensor, Tensor, Tensor]:
    """Classes for a sampled loss, all equally likely; see `ops.uniform_candidate_sampler`.

    Args:
        num_true (int): target classes for each element of the batch.
        num_sampled (int): how many classes to sample.
        unique (bool): whether no class is sampled twice.
        range_max (int): the number of classes.
        seed (int): at least 0. Default: 0.
        remove_accidental_hits (bool): whether target classes are left out, where `unique` holds
            and enough other classes exist. Default: False.
        true_classes (Tensor): int32 or int64, of shape (batch, num_true); at the call.

    Returns: Three tensors: sampled classes, expected counts of the targets, of the samples.
    Raises TypeError: an argument has the wrong type.
    Raises ValueError: a number is too small; more unique classes are wanted than there are;
        `true_classes` has another shape.
    Difference from PyTorch: none (no counterpart).

    >>> sample = ms.ops.UniformCandidateSampler(1, 6, False, 400, seed=1)
    >>> print(sample(ms.Tensor([[1], [3]]))[0])
    [ 47 236 320 325 293  79]
    """
    return uniform_sample(
        "UniformCandidateSampler",
        true_classes,
        num_true,
        num_sampled,
        unique,
        range_max,
        remove_accidental_hits,
        lambda: _state.engine("lcg", metadata_of(true_classes)),
    )
