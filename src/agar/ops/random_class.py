"""Random operators as objects: each keeps its own random streams.

NOTE Streams. An object takes its seeds when it is made and has one stream for each signature of
its inputs (shapes and types; values of shapes and counts). A stream continues from call to call;
another object with equal seeds starts over. A shape given as a Tensor has another stream than an
equal tuple. Seeds 0 and 0 take the next seed pair of the class's name when the object is made,
entropy before any ``ms.set_seed`` (MindSpore: entropy always).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from agar._core import dtype as mstype
from agar._core import random_draws
from agar._core.optable import Primitive
from agar._core.random import Stream, make_engine, next_pair
from agar.ops._checks import boolean, integer
from agar.ops.create import sizes
from agar.ops.random import (
    alpha_values,
    cauchy_draw,
    drawn,
    gamma_draw,
    int_bounds,
    log_normal_draw,
    meeting,
    own_pair,
    poisson_draw,
    random_type,
)
from agar.ops.random_choice import (
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
from agar.ops.spec import Scalar, primitive

__all__: list[str] = []

_FLOATS = (torch.float16, torch.float32, torch.float64)
_OPTIONS = {"cast": "never", "differentiable": False, "tags": ("random",)}


# ----------------------------------------------------------------------------------------- setup


def _stream(made: Primitive, *, negative: bool = False) -> Stream:
    """The streams of an object with the attributes seed and seed2."""
    for name in ("seed", "seed2"):
        integer(made.name, name, getattr(made, name), None if negative else 0)
    made.add_prim_attr("side_effect_hidden", True)
    return Stream(*own_pair(made.seed, made.seed2, made.name), made.name)


def _stream_of_any_seed(made: Primitive) -> Stream:
    """As `_stream`, for classes whose seeds may be negative."""
    return _stream(made, negative=True)


def _stream_of_type(*allowed: torch.dtype, negative: bool = False) -> Any:
    """As `_stream`, for classes with a dtype."""

    def setup(made: Primitive) -> Stream:
        random_type(made.name, made.dtype, allowed)
        return _stream(made, negative=negative)

    return setup


def _given(shape: Any) -> tuple[str, Any]:
    """How a shape was given and its sizes; tensors arrive as lists (NOTE Streams)."""
    dims = tuple(shape) if isinstance(shape, (tuple, list)) else shape
    return "Tensor" if isinstance(shape, list) else "tuple", dims


def _met(*values: Any) -> tuple[Any, ...]:
    """Shapes and types of tensors, for a signature."""
    return tuple(
        (tuple(v.shape), v.dtype) if isinstance(v, Tensor) else type(v).__name__ for v in values
    )


# ------------------------------------------------------------------------- uniform, normal, laplace


@primitive(
    "UniformReal",
    samples=("(2, 3), seed=1, seed2=2",),
    errors=(("(2,), seed=-1", ValueError, ">= 0"), ("(-2,), seed=1", ValueError, "UniformReal")),
    setup=_stream,
    **_OPTIONS,
)
def _uniform_real(shape: Any, *, seed: Any = 0, seed2: Any = 0, _state: Stream) -> Tensor:
    """Uniform numbers in [0, 1].

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        shape (Union[tuple, list, Tensor]): the shape; at the call.

    Returns: Tensor of that shape, float32.
    Raises TypeError: a seed is no int; `shape` is no shape.
    Raises ValueError: a seed or a size is negative.
    Difference from PyTorch: none (no counterpart); see :func:`ops.rand`.

    >>> draw = ms.ops.UniformReal(seed=1, seed2=2)
    >>> print(draw((3,)), draw((3,)))
    [0.2787379  0.49353698 0.3562354 ] [0.73168355 0.5495166  0.00816368]
    """
    size = sizes("UniformReal", shape)
    return drawn(random_draws.uniform_real, size, _state.engine("mt", _given(shape)))


@primitive(
    "UniformInt",
    samples=(
        "(2, 3), torch.tensor(0, dtype=torch.int32), torch.tensor(9, dtype=torch.int32), seed=1",
    ),
    errors=(
        ("(2,), 0, 5, seed=1", TypeError, "must be a Tensor"),
        ("(2,), i(), i(), seed=1", TypeError, "Int32"),
    ),
    setup=_stream,
    **_OPTIONS,
)
def _uniform_int(
    shape: Any, minval: Tensor, maxval: Tensor, *, seed: Any = 0, seed2: Any = 0, _state: Stream
) -> Tensor:
    """Integers, uniform in minval .. maxval - 1.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        shape (Union[tuple, list, Tensor]): the shape; at the call, as the following.
        minval (Tensor): the smallest value, a scalar of int32.
        maxval (Tensor): one more than the largest value, a scalar of int32.

    Returns: Tensor of that shape, int32.
    Raises TypeError: a seed is no int; a bound is no Tensor of int32.
    Raises ValueError: a seed or a size is negative; a bound is no scalar.
    Raises RuntimeError: `minval` is not below `maxval`.
    Difference from PyTorch: none (no counterpart); see :func:`ops.randint`.

    >>> draw = ms.ops.UniformInt(seed=1, seed2=2)
    >>> print(draw((3,), ms.Tensor(0, ms.int32), ms.Tensor(50, ms.int32)))
    [ 2 13 37]
    """
    for name, value in (("minval", minval), ("maxval", maxval)):
        if value.dtype is not torch.int32:
            raise TypeError(
                f"For 'UniformInt', '{name}' must be a Tensor of Int32, but got {value.dtype}; "
                "convert it with .astype(ms.int32)."
            )
    size = sizes("UniformInt", shape)
    low, high = int_bounds("UniformInt", minval, maxval)
    engine = _state.engine("mt", (_given(shape), _met(minval, maxval)))
    return drawn(random_draws.uniform_int, size, low, high, engine, device=minval.device)


@primitive(
    "StandardNormal",
    samples=("(2, 3), seed=1, seed2=2",),
    errors=(("(2,), seed=-1", ValueError, ">= 0"), ("'a', seed=1", TypeError, "StandardNormal")),
    setup=_stream,
    **_OPTIONS,
)
def _standard_normal(shape: Any, *, seed: Any = 0, seed2: Any = 0, _state: Stream) -> Tensor:
    """Standard normal numbers.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        shape (Union[tuple, list, Tensor]): the shape; at the call.

    Returns: Tensor of that shape, float32.
    Raises TypeError: a seed is no int; `shape` is no shape.
    Raises ValueError: a seed or a size is negative.
    Difference from PyTorch: none (no counterpart); see :func:`ops.randn`.

    >>> print(ms.ops.StandardNormal(seed=1, seed2=2)((3,)))
    [ 0.56446624  1.3602391  -0.8978909 ]
    """
    size = sizes("StandardNormal", shape)
    return drawn(random_draws.standard_normal, size, _state.engine("lcg", _given(shape)))


@primitive(
    "StandardLaplace",
    samples=("(2, 3), seed=1, seed2=2",),
    errors=(("(2,), seed=-1", ValueError, ">= 0"), ("2.5, seed=1", TypeError, "StandardLaplace")),
    setup=_stream,
    **_OPTIONS,
)
def _standard_laplace(shape: Any, *, seed: Any = 0, seed2: Any = 0, _state: Stream) -> Tensor:
    """Laplace numbers of location 0 and scale 1; see :func:`ops.standard_laplace`.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        shape (Union[tuple, list, Tensor]): the shape; at the call.

    Returns: Tensor of that shape, float32.
    Raises TypeError: a seed is no int; `shape` is no shape.
    Raises ValueError: a seed or a size is negative.
    Difference from PyTorch: none (no counterpart).

    >>> print(ms.ops.StandardLaplace(seed=1, seed2=2)((3,)))
    [ 0.77013946  0.25213912 -0.40831047]
    """
    size = sizes("StandardLaplace", shape)
    return drawn(random_draws.standard_laplace, size, _state.engine("lcg", _given(shape)))


# ----------------------------------------------------------------------------- truncated, lognormal


@primitive(
    "TruncatedNormal",
    samples=("(2, 3), seed=1, seed2=2", "(2, 3), dtype=ms.float64, seed=1"),
    errors=(
        ("(2, 3), dtype=ms.int32", TypeError, "dtype"),
        ("(2, -3), seed=1", ValueError, "TruncatedNormal"),
    ),
    setup=_stream_of_type(*_FLOATS, negative=True),
    **_OPTIONS,
)
def _truncated_normal(
    shape: Any, *, dtype: Any = mstype.float32, seed: Any = 0, seed2: Any = 0, _state: Stream
) -> Tensor:
    """Standard normal numbers, those outside [-2, 2] drawn again.

    Args:
        dtype (Type): float16, float32 or float64. Default: float32.
        seed (int): any int. Default: 0.
        seed2 (int): any int. Default: 0.
        shape (Union[Tensor, tuple, list]): the shape; at the call.

    Returns: Tensor of that shape and type.
    Raises TypeError: a seed is no int; `dtype` is another type; `shape` is no shape.
    Raises ValueError: a size is negative.
    Difference from PyTorch: ``torch.nn.init.trunc_normal_``.
    Source: behaviour observed in MindSpore 2.10, which takes only Tensors of two sizes or more as
        `shape`.

    >>> print(ms.ops.TruncatedNormal(seed=1, seed2=2)(ms.Tensor([3, 1])).flatten())
    [-1.3713126  1.7887708  0.2618214]
    """
    size = sizes("TruncatedNormal", shape)
    kind = random_type("TruncatedNormal", dtype, _FLOATS)
    made_as = np.float64 if kind is torch.float64 else np.float32
    engine = _state.engine("lcg", _given(shape))
    return drawn(random_draws.truncated_normal, size, engine, -2.0, 2.0, made_as).to(kind)


@primitive(
    "ParameterizedTruncatedNormal",
    samples=("(2, 3), f(), p(), -p() - 2, p() + 2, seed=1, seed2=2",),
    errors=(
        ("(2, 3), f(), -p(), -p(), p(), seed=1", RuntimeError, "stdevs"),
        ("(2, 3), f(), p(), p(), -p(), seed=1", RuntimeError, "max"),
        ("(2, 3), f(4), p(), -p(), p(), seed=1", ValueError, "mean"),
        ("(2, 3), i(), i(), i(), i(), seed=1", TypeError, "float"),
        ("(3,), f(), p(), -p(), p(), seed=1", ValueError, "2 sizes"),
    ),
    setup=_stream_of_any_seed,
    **_OPTIONS,
)
def _parameterized_truncated_normal(
    shape: Any,
    mean: Tensor,
    stdevs: Tensor,
    min: Tensor,
    max: Tensor,
    *,
    seed: Any = 0,
    seed2: Any = 0,
    _state: Stream,
) -> Tensor:
    """Normal numbers within bounds, with a mean, deviation and bounds for each batch.

    Args:
        seed (int): any int. Default: 0.
        seed2 (int): any int. Default: 0.
        shape (Union[Tensor, tuple, list]): the shape, (batch, ...); at the call, as the following.
        mean (Tensor): mean before truncation: one element, or (batch,). All four are of one
            floating type.
        stdevs (Tensor): standard deviations before truncation, above 0.
        min (Tensor): lower bounds.
        max (Tensor): upper bounds, above `min`.

    Returns: Tensor of that shape, of the type of `mean`.
    Raises TypeError: the tensors are not of one floating type.
    Raises ValueError: `shape` has less than 2 sizes; a tensor has another shape.
    Raises RuntimeError: a deviation is not above 0; `max` is not above `min`.
    Difference from PyTorch: ``torch.nn.init.trunc_normal_`` has one mean, deviation and interval.
    Source: Robert 1995, "Simulation of truncated normal variables". Numbers as observed in
        MindSpore 2.10, which however uses the first batch's parameters for all batches, and may
        return an infinite bound as a number.

    >>> bounds = [ms.Tensor(v) for v in (0.0, 1.0, 3.0, 5.0)]
    >>> print(ms.ops.ParameterizedTruncatedNormal(seed=1, seed2=2)((1, 3), *bounds))
    [[3.148951  3.0889225 3.1056724]]
    """
    who = "ParameterizedTruncatedNormal"
    size = sizes(who, shape)
    if len(size) < 2:
        raise ValueError(f"For '{who}', 'shape' must have at least 2 sizes, but got {size}.")
    rows: list[list[float]] = []
    for name, value in (("mean", mean), ("stdevs", stdevs), ("min", min), ("max", max)):
        if value.dtype not in _FLOATS or value.dtype is not mean.dtype:
            raise TypeError(
                f"For '{who}', the tensors must be of one float type, but got "
                f"{[str(t.dtype).removeprefix('torch.') for t in (mean, stdevs, min, max)]}."
            )
        if value.numel() != 1 and tuple(value.shape) != size[:1]:
            raise ValueError(
                f"For '{who}', '{name}' must have one element or shape ({size[0]},), but got "
                f"{tuple(value.shape)}."
            )
        rows.append(value.detach().double().flatten().expand(size[0]).tolist())
    cases = list(zip(*rows, strict=True))
    for middle, deviation, low, high in cases:
        if not (math.isfinite(middle) and math.isfinite(deviation)):  # no draw would ever fit
            raise RuntimeError(f"For '{who}', 'mean' and 'stdevs' must be finite.")
        if not deviation > 0:
            raise RuntimeError(f"For '{who}', every element of 'stdevs' must be above 0.")
        if not high > low:
            raise RuntimeError(f"For '{who}', 'max' must be above 'min', but got {high} and {low}.")
    engine = _state.engine("lcg", (_given(shape), _met(mean, stdevs, min, max)))
    count = math.prod(size[1:])
    made_as = np.float64 if mean.dtype is torch.float64 else np.float32

    def rule() -> np.ndarray:
        with engine.lock:
            parts = [
                random_draws.parameterized_truncated_normal(
                    count, *case, engine=engine, dtype=made_as
                )
                for case in cases
            ]
        return np.array(parts).reshape(size)

    return drawn(rule, device=mean.device).to(mean.dtype)


def _check_floats(*names: str) -> Any:
    """A setup that takes floats only, as MindSpore does."""

    def setup(made: Primitive) -> None:
        for name in names:
            value = getattr(made, name)
            if not isinstance(value, float):
                raise TypeError(
                    f"For '{made.name}', the type of '{name}' must be float, but got "
                    f"'{type(value).__name__}'; write {value!r} as a float."
                )

    return setup


@primitive(
    "LogNormalReverse",
    samples=("f(2, 3)", "f(4), mean=1.5, std=0.5"),
    errors=(("i(3)", TypeError, "float"), ("f(3), mean=1", TypeError, "mean")),
    setup=_check_floats("mean", "std"),
    **_OPTIONS,
)
def _log_normal_reverse(x: Tensor, *, mean: Any = 1.0, std: Any = 2.0) -> Tensor:
    r"""Log-normal numbers in the shape of a tensor: :math:`e^{z \cdot std + mean}`, z normal.

    Args:
        mean (float): the mean of the logarithm. Default: 1.0.
        std (float): the standard deviation of the logarithm. Default: 2.0.
        x (Tensor): gives shape and type; floating; at the call.

    Returns: Tensor like `x`.
    Raises TypeError: `mean` or `std` is no float; `x` is not floating.
    Difference from PyTorch: ``torch.empty_like(x).log_normal_(mean, std)``.
    Source: behaviour observed in MindSpore 2.10, which takes entropy whatever the seed; here every
        call takes the next seed pair of ``log_normal``.

    >>> ms.ops.LogNormalReverse(1.0, 0.5)(ms.Tensor([1.0, 2.0])).shape
    (2,)
    """
    return log_normal_draw("LogNormalReverse", x, mean, std)


def _cauchy_setup(made: Primitive) -> None:
    _check_floats("median", "sigma")(made)
    if not isinstance(made.size, list):
        raise TypeError(
            f"For 'Cauchy', the type of 'size' must be list, but got '{type(made.size).__name__}'."
        )
    if not made.size:
        raise ValueError("For 'Cauchy', 'size' must not be empty; write [1] for one number.")
    for value in made.size:
        integer("Cauchy", "size", value, 1)


@primitive(
    "Cauchy",
    samples=("size=[2, 3]", "size=[2], median=1.0, sigma=2.0"),
    errors=(
        ("size=[2, -2]", ValueError, "size"),
        ("size=[]", ValueError, "size"),
        ("size=[2], median=1", TypeError, "median"),
    ),
    setup=_cauchy_setup,
    **_OPTIONS,
)
def _cauchy(*, size: Any, median: Any = 0.0, sigma: Any = 1.0) -> Tensor:
    r"""Cauchy numbers: density :math:`\frac{1}{\pi} \frac{\sigma}{(x - median)^2 + \sigma^2}`.

    Args:
        size (list[int]): the shape, sizes above 0.
        median (float): the location. Default: 0.0.
        sigma (float): the half-width at half maximum. Default: 1.0.

    Returns: Tensor of that shape, float32.
    Raises TypeError: `size` is no list of ints; `median` or `sigma` is no float.
    Raises ValueError: a size is below 1, or there is none.
    Difference from PyTorch: ``torch.empty(size).cauchy_(median, sigma)``.
    Source: behaviour observed in MindSpore 2.10, which takes entropy whatever the seed; here every
        call takes the next seed pair of ``cauchy``.

    >>> ms.ops.Cauchy([2, 3])().shape
    (2, 3)
    """
    return cauchy_draw("Cauchy", tuple(size), median, sigma)


# ---------------------------------------------------------------------------------- gamma, Poisson


@primitive(
    "Gamma",
    samples=("(2, 3), p(3).float(), p(3).float(), seed=1",),
    errors=(("(2,), -p().float(), p().float(), seed=1", ValueError, "alpha"),),
    setup=_stream,
    **_OPTIONS,
)
def _gamma(
    shape: Any, alpha: Tensor, beta: Tensor, *, seed: Any = 0, seed2: Any = 0, _state: Stream
) -> Tensor:
    """Gamma variates in the shape in which a shape and the parameters meet; see `ops.gamma`.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        shape (Union[tuple, list, Tensor]): the shape; at the call, as the following.
        alpha (Tensor): the shape parameter, above 0.
        beta (Tensor): the rate, above 0.

    Returns: Tensor of the common shape, float32.
    Raises TypeError: a seed is no int; `alpha` or `beta` is no Tensor.
    Raises ValueError: a seed is negative; a parameter is not above 0; shapes do not broadcast.
    Difference from PyTorch: ``torch.distributions.Gamma(alpha, beta).sample(shape)``.
    Source: Marsaglia and Tsang 2000. MindSpore 2.10 has no CPU kernel to compare with.

    >>> ms.ops.Gamma(seed=3)((4,), ms.Tensor([1.0]), ms.Tensor([2.0])).shape
    (4,)
    """
    common = meeting("Gamma", sizes("Gamma", shape), alpha, beta)
    signature = _given(shape), _met(alpha, beta)
    return gamma_draw("Gamma", common, alpha, beta, lambda: _state.engine("philox", signature))


@primitive(
    "RandomGamma",
    samples=("(2, 3), p(3).float(), seed=1",),
    errors=(("(2,), i(2), seed=1", TypeError, "float"), ("(2,), -p(2)", ValueError, "alpha")),
    setup=_stream,
    **_OPTIONS,
)
def _random_gamma(
    shape: Any, alpha: Tensor, *, seed: Any = 0, seed2: Any = 0, _state: Stream
) -> Tensor:
    """Gamma variates of rate 1, a block of samples for each shape parameter.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        shape (Union[Tensor, tuple, list]): samples for each element of `alpha`; at the call, as the
            following.
        alpha (Tensor): shape parameters, above 0; float16, float32 or float64.

    Returns: Tensor of shape `shape` + `alpha.shape`, of the type of `alpha`.
    Raises TypeError: a seed is no int; `alpha` is not floating.
    Raises ValueError: a seed or a size is negative; an element of `alpha` is not above 0.
    Difference from PyTorch: ``torch.distributions.Gamma(alpha, 1).sample(shape)``.
    Source: behaviour observed in MindSpore 2.10; Marsaglia and Tsang 2000.

    >>> print(ms.ops.RandomGamma(seed=1, seed2=2)(ms.Tensor([3]), ms.Tensor([2.0])).flatten())
    [0.3561859 1.0441701 1.8044789]
    """
    size = sizes("RandomGamma", shape)
    values = alpha_values("RandomGamma", alpha)
    engine = _state.engine("philox", (_given(shape), _met(alpha)))
    return drawn(random_draws.gamma, size, values, engine, device=alpha.device).to(alpha.dtype)


_POISSON_TYPES = (torch.int64, torch.int32, *_FLOATS)


@primitive(
    "RandomPoisson",
    samples=("(2, 3), p(3), seed=1", "(2,), 30.0, seed=1, dtype=ms.float32"),
    errors=(
        ("(2,), -p(2), seed=1", ValueError, "rate"),
        ("(2,), p(2), dtype=ms.int8", TypeError, "dtype"),
    ),
    setup=_stream_of_type(*_POISSON_TYPES, negative=True),
    **_OPTIONS,
)
def _random_poisson(
    shape: Any,
    rate: Tensor | Scalar,
    *,
    seed: Any = 0,
    seed2: Any = 0,
    dtype: Any = mstype.int64,
    _state: Stream,
) -> Tensor:
    """Poisson counts, a block of samples for each rate; see :func:`ops.random_poisson`.

    Args:
        seed (int): any int. Default: 0.
        seed2 (int): any int. Default: 0.
        dtype (Type): int32, int64, float16, float32 or float64. Default: int64.
        shape (Union[Tensor, tuple, list]): samples for each element of `rate`; at the call, as the
            following.
        rate (Union[Tensor, number]): expected counts, at least 0.

    Returns: Tensor of shape `shape` + `rate.shape`, of type `dtype`.
    Raises TypeError: a seed is no int; `dtype` is another type; `shape` is no shape.
    Raises ValueError: a size is negative; a rate is negative, infinite or nan.
    Difference from PyTorch: ``torch.poisson`` draws one count for each rate.

    >>> draw = ms.ops.RandomPoisson(seed=1, seed2=2)
    >>> print(draw(ms.Tensor([3]), ms.Tensor(2.0)), draw(ms.Tensor([3]), ms.Tensor(2.0)))
    [0 3 0] [1 1 3]
    """
    kind = random_type("RandomPoisson", dtype, _POISSON_TYPES)
    signature = _given(shape), _met(rate)
    size = sizes("RandomPoisson", shape)
    return poisson_draw(
        "RandomPoisson", size, rate, kind, lambda: _state.engine("mt_poisson", signature)
    )


@primitive(
    "Poisson",
    samples=("(2, 3), p(3).float(), seed=1",),
    errors=(("(2,), -p(2), seed=1", ValueError, "rate"),),
    setup=_stream,
    **_OPTIONS,
)
def _poisson(shape: Any, mean: Tensor, *, seed: Any = 0, seed2: Any = 0, _state: Stream) -> Tensor:
    """Poisson counts in the shape in which a shape and the rates meet; see :func:`ops.poisson`.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        shape (Union[tuple, list, Tensor]): the shape; at the call, as the following.
        mean (Tensor): expected counts, at least 0.

    Returns: Tensor of the common shape, int32.
    Raises TypeError: a seed is no int; `mean` is no Tensor.
    Raises ValueError: a seed is negative; a rate is negative, infinite or nan; shapes do not
        broadcast.
    Difference from PyTorch: ``torch.poisson(mean.expand(shape))``.
    Source: as :func:`ops.random_poisson`. MindSpore 2.10 has no CPU kernel to compare with.

    >>> ms.ops.Poisson(seed=3)((4,), ms.Tensor([3.0])).shape
    (4,)
    """
    common = meeting("Poisson", sizes("Poisson", shape), mean)
    signature = _given(shape), _met(mean)
    return poisson_draw(
        "Poisson",
        (),
        mean.expand(common),
        torch.int32,
        lambda: _state.engine("mt_poisson", signature),
    )


# ----------------------------------------------------------------------------------------- choices


def _check_bernoulli(made: Primitive) -> None:
    integer("Bernoulli", "seed", made.seed)
    integer("Bernoulli", "offset", made.offset)
    if made.seed < -1:
        raise ValueError(
            f"For 'Bernoulli', the 'seed' must be -1 or a non-negative int, but got {made.seed}."
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
    **_OPTIONS,
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
    Raises TypeError: `seed` or `offset` is no int; `p` is neither Tensor nor number.
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
    setup=_stream_of_type(torch.int32, torch.int64),
    **_OPTIONS,
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
    Raises TypeError: a seed or `num_samples` is no int; `dtype` is another type.
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
    return multinomial_draw(x, count, True, _state.engine("lcg", (_met(x), count))).to(kind)


def _replacement_setup(made: Primitive) -> Stream:
    integer(made.name, "numsamples", made.numsamples, 0)
    boolean(made.name, "replacement", made.replacement)
    made.add_prim_attr("side_effect_hidden", True)
    return Stream(0, 0, made.name)


@primitive(
    "MultinomialWithReplacement",
    samples=("p(4), 2, 5, numsamples=3, replacement=True",),
    errors=(
        ("p(4), 2, 5, numsamples=5", ValueError, "replacement"),
        ("p(4), 2, 5, numsamples=-1", ValueError, "numsamples"),
        ("p(4), 2, 5, numsamples=3, replacement=1", TypeError, "replacement"),
    ),
    setup=_replacement_setup,
    **_OPTIONS,
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
    Raises TypeError: an argument is of the wrong type.
    Raises ValueError: as :func:`ops.multinomial_with_replacement`.
    Difference from PyTorch: ``torch.multinomial`` takes a generator.

    >>> draw = ms.ops.MultinomialWithReplacement(numsamples=3, replacement=True)
    >>> x = ms.Tensor([1.0, 1.0, 1.0, 1.0])
    >>> print(draw(x, ms.Tensor(2), ms.Tensor(5)), draw(x, ms.Tensor(2), ms.Tensor(5)))
    [1 2 2] [1 1 0]
    """
    who = "MultinomialWithReplacement"
    pair = one_int(who, "seed", seed), one_int(who, "offset", offset)

    def engine() -> Any:
        if pair == (0, 0):
            return make_engine("philox", next_pair(None, who))
        if _state.pair != pair:
            _state.restart(pair)
        return _state.engine("philox", _met(x))

    return replacement_draw(who, x, numsamples, replacement, engine)


_INDEX_TYPES = (torch.int32, torch.int16, torch.int64)


def _categorical_setup(made: Primitive) -> Stream:
    random_type(made.name, made.dtype, _INDEX_TYPES)
    made.add_prim_attr("side_effect_hidden", True)
    return Stream(0, 0, made.name)


@primitive(
    "RandomCategorical",
    samples=("f(2, 4), 5, 3", "f(1, 4), 5, 3, dtype=ms.int16"),
    errors=(
        ("f(4), 5, 3", ValueError, "2 dimensions"),
        ("f(2, 4), 5, 3, dtype=ms.float16", TypeError, "dtype"),
    ),
    setup=_categorical_setup,
    **_OPTIONS,
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
    Raises TypeError: an argument is of the wrong type.
    Raises ValueError: `logits` has not 2 dimensions; `num_sample` is below 1.
    Difference from PyTorch: ``torch.distributions.Categorical(logits=logits).sample((n,)).T``.

    >>> draw = ms.ops.RandomCategorical()
    >>> logits = ms.Tensor([[0.1, 0.2, 0.3, 0.4]])
    >>> print(draw(logits, 6, 4), draw(logits, 6, 4))
    [[0 1 2 3 0 0]] [[3 2 2 3 0 1]]
    """
    who = "RandomCategorical"
    seed = one_int(who, "seed", seed)

    def engine() -> Any:
        if seed == 0:
            return make_engine("lcg", next_pair(None, who))
        return _state.engine("lcg", (_met(logits), num_sample, seed), start=(0, seed))

    kind = random_type(who, dtype, _INDEX_TYPES)
    return categorical_draw(who, logits, num_sample, kind, engine)


def _choice_setup(made: Primitive) -> Stream:
    integer(made.name, "count", made.count, 1)
    return _stream_of_any_seed(made)


@primitive(
    "RandomChoiceWithMask",
    samples=("b(3, 4), count=2, seed=1",),
    errors=(
        ("f(4), count=2, seed=1", TypeError, "Bool"),
        ("b(4), count=0", ValueError, "count"),
        ("b(4), count=2.5", TypeError, "count"),
    ),
    setup=_choice_setup,
    **_OPTIONS,
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
    Raises TypeError: `count` or a seed is no int; `input_x` is no bool Tensor.
    Raises ValueError: `count` is below 1; `input_x` has another rank.
    Difference from PyTorch: none (no counterpart).
    Source: behaviour observed in MindSpore 2.10, whose positions are wrong from 3 dimensions on.

    >>> choose = ms.ops.RandomChoiceWithMask(count=3, seed=1, seed2=2)
    >>> index, _ = choose(ms.ops.arange(12) % 3 == 0)
    >>> print(index.flatten())
    [0 6 3]
    """
    return choice_draw(
        "RandomChoiceWithMask", input_x, count, lambda: _state.engine("lcg", _met(input_x))
    )


# ------------------------------------------------------------------------------------ permutations


@primitive(
    "RandomShuffle",
    samples=("f(5), seed=1, seed2=2", "i(4, 3), seed=1"),
    errors=(("f(3), seed=-1", ValueError, ">= 0"), ("[1, 2], seed=1", TypeError, "RandomShuffle")),
    setup=_stream,
    **_OPTIONS,
)
def _random_shuffle(x: Tensor, *, seed: Any = 0, seed2: Any = 0, _state: Stream) -> Tensor:
    """The rows of a tensor in random order; see :func:`ops.shuffle`.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        x (Tensor): any type and shape; at the call.

    Returns: Tensor like `x`.
    Raises TypeError: a seed is no int; `x` is no Tensor.
    Raises ValueError: a seed is negative.
    Difference from PyTorch: ``x[torch.randperm(len(x))]``.

    >>> print(ms.ops.RandomShuffle(seed=1, seed2=2)(ms.ops.arange(6)))
    [0 4 1 5 2 3]
    """
    return shuffled(x, _state.engine("lcg", _met(x)))


@primitive(
    "RandpermV2",
    samples=("10, seed=3", "7, seed=3, offset=8, dtype=ms.int32"),
    errors=(("0, seed=3", ValueError, "must > 0"), ("10, seed=-2", ValueError, "seed")),
    **_OPTIONS,
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
    Raises TypeError: `n`, `seed` or `offset` is no int; `dtype` is another type.
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


def _randperm_setup(made: Primitive) -> Stream:
    integer(made.name, "max_length", made.max_length, 1)
    integer(made.name, "pad", made.pad)
    random_type(made.name, made.dtype, _PADDED_TYPES)
    return Stream(*next_pair(None, made.name), made.name)


@primitive(
    "Randperm",
    samples=("4, max_length=6", "torch.tensor([3]), max_length=3, pad=0, dtype=ms.int64"),
    errors=(
        ("4, max_length=3", ValueError, "max_length"),
        ("4, max_length=0", ValueError, "max_length"),
        ("4, max_length=6, dtype=ms.float16", TypeError, "dtype"),
    ),
    setup=_randperm_setup,
    **_OPTIONS,
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
    Raises TypeError: `n`, `max_length` or `pad` is no int; `dtype` is no integer type.
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
    order = drawn(random_draws.shuffle_order, count, _state.engine("lcg", ()))
    rest = order.new_full((max_length - count,), pad)
    return torch.cat([order, rest]).to(kind)


# -------------------------------------------------------------------------------- class candidates


def _sampler_setup(made: Primitive) -> Stream:
    check_sampler_options(made.name, made.num_true, made.num_sampled, made.unique, made.range_max)
    integer(made.name, "seed", made.seed, 0)
    made.add_prim_attr("side_effect_hidden", True)
    if made.name == "LogUniformCandidateSampler":
        return Stream(*log_uniform_seed_pair(made.seed), made.name)
    return Stream(*own_pair(made.seed, 0, made.name), made.name)


@primitive(
    "LogUniformCandidateSampler",
    samples=("i(3, 1), num_sampled=3, range_max=9, seed=1",),
    errors=(
        ("i(3, 1), num_sampled=9, range_max=8", ValueError, "range_max"),
        ("i(3, 1), num_true=2", ValueError, "num_true"),
    ),
    setup=_sampler_setup,
    **_OPTIONS,
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
    Raises TypeError: an argument is of the wrong type.
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
        lambda: _state.engine("philox", _met(true_classes)),
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
    **_OPTIONS,
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
    Raises TypeError: an argument is of the wrong type.
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
        lambda: _state.engine("lcg", _met(true_classes)),
    )
