"""Distributions as Primitive classes; see the note of `agar.ops.random.streams`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor

from agar._core import dtype as mstype
from agar._core.optable import Primitive
from agar._core.random import Stream
from agar._core.random import draws as random_draws
from agar.ops._checks import integer
from agar.ops.random.distributions import (
    cauchy_draw,
    drawn,
    int_bounds,
    log_normal_draw,
    meeting,
    random_type,
)
from agar.ops.random.gamma_poisson import alpha_values, gamma_draw, poisson_draw
from agar.ops.random.streams import (
    FLOATS,
    OPTIONS,
    metadata_of,
    object_stream,
    shape_signature,
    stream_of_any_seed,
    stream_of_type,
)
from agar.ops.spec import Scalar, primitive
from agar.ops.tensor.creation import sizes

__all__: list[str] = []

# ------------------------------------------------------------------------- uniform, normal, laplace


@primitive(
    "UniformReal",
    samples=("(2, 3), seed=1, seed2=2",),
    errors=(("(2,), seed=-1", ValueError, ">= 0"), ("(-2,), seed=1", ValueError, "UniformReal")),
    setup=object_stream,
    **OPTIONS,
)
def _uniform_real(shape: Any, *, seed: Any = 0, seed2: Any = 0, _state: Stream) -> Tensor:
    """Uniform numbers in [0, 1].

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        shape (Union[tuple, list, Tensor]): the shape; at the call.

    Returns: Tensor of that shape, float32.
    Raises TypeError: a seed is not an int; `shape` is not a shape.
    Raises ValueError: a seed or a size is negative.
    Difference from PyTorch: none (no counterpart); see :func:`ops.rand`.

    >>> draw = ms.ops.UniformReal(seed=1, seed2=2)
    >>> print(draw((3,)), draw((3,)))
    [0.2787379  0.49353698 0.3562354 ] [0.73168355 0.5495166  0.00816368]
    """
    size = sizes("UniformReal", shape)
    return drawn(random_draws.uniform_real, size, _state.engine("mt", shape_signature(shape)))


@primitive(
    "UniformInt",
    samples=(
        "(2, 3), torch.tensor(0, dtype=torch.int32), torch.tensor(9, dtype=torch.int32), seed=1",
    ),
    errors=(
        ("(2,), 0, 5, seed=1", TypeError, "must be a Tensor"),
        ("(2,), i(), i(), seed=1", TypeError, "Int32"),
    ),
    setup=object_stream,
    **OPTIONS,
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
    Raises TypeError: a seed is not an int; a bound is not a Tensor of int32.
    Raises ValueError: a seed or a size is negative; a bound is not a scalar.
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
    engine = _state.engine("mt", (shape_signature(shape), metadata_of(minval, maxval)))
    return drawn(random_draws.uniform_int, size, low, high, engine, device=minval.device)


@primitive(
    "StandardNormal",
    samples=("(2, 3), seed=1, seed2=2",),
    errors=(("(2,), seed=-1", ValueError, ">= 0"), ("'a', seed=1", TypeError, "StandardNormal")),
    setup=object_stream,
    **OPTIONS,
)
def _standard_normal(shape: Any, *, seed: Any = 0, seed2: Any = 0, _state: Stream) -> Tensor:
    """Standard normal numbers.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        shape (Union[tuple, list, Tensor]): the shape; at the call.

    Returns: Tensor of that shape, float32.
    Raises TypeError: a seed is not an int; `shape` is not a shape.
    Raises ValueError: a seed or a size is negative.
    Difference from PyTorch: none (no counterpart); see :func:`ops.randn`.

    >>> print(ms.ops.StandardNormal(seed=1, seed2=2)((3,)))
    [ 0.56446624  1.3602391  -0.8978909 ]
    """
    size = sizes("StandardNormal", shape)
    return drawn(random_draws.standard_normal, size, _state.engine("lcg", shape_signature(shape)))


@primitive(
    "StandardLaplace",
    samples=("(2, 3), seed=1, seed2=2",),
    errors=(("(2,), seed=-1", ValueError, ">= 0"), ("2.5, seed=1", TypeError, "StandardLaplace")),
    setup=object_stream,
    **OPTIONS,
)
def _standard_laplace(shape: Any, *, seed: Any = 0, seed2: Any = 0, _state: Stream) -> Tensor:
    """Laplace numbers of location 0 and scale 1; see :func:`ops.standard_laplace`.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        shape (Union[tuple, list, Tensor]): the shape; at the call.

    Returns: Tensor of that shape, float32.
    Raises TypeError: a seed is not an int; `shape` is not a shape.
    Raises ValueError: a seed or a size is negative.
    Difference from PyTorch: none (no counterpart).

    >>> print(ms.ops.StandardLaplace(seed=1, seed2=2)((3,)))
    [ 0.77013946  0.25213912 -0.40831047]
    """
    size = sizes("StandardLaplace", shape)
    return drawn(random_draws.standard_laplace, size, _state.engine("lcg", shape_signature(shape)))


# ----------------------------------------------------------------------------- truncated, lognormal


@primitive(
    "TruncatedNormal",
    samples=("(2, 3), seed=1, seed2=2", "(2, 3), dtype=ms.float64, seed=1"),
    errors=(
        ("(2, 3), dtype=ms.int32", TypeError, "dtype"),
        ("(2, -3), seed=1", ValueError, "TruncatedNormal"),
    ),
    setup=stream_of_type(*FLOATS, negative=True),
    **OPTIONS,
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
    Raises TypeError: a seed is not an int; `dtype` is another type; `shape` is not a shape.
    Raises ValueError: a size is negative.
    Difference from PyTorch: ``torch.nn.init.trunc_normal_``.
    Source: behavior observed in MindSpore 2.10, which takes only Tensors of two sizes or more as
        `shape`.

    >>> print(ms.ops.TruncatedNormal(seed=1, seed2=2)(ms.Tensor([3, 1])).flatten())
    [-1.3713126  1.7887708  0.2618214]
    """
    size = sizes("TruncatedNormal", shape)
    kind = random_type("TruncatedNormal", dtype, FLOATS)
    draw_type = np.float64 if kind is torch.float64 else np.float32
    engine = _state.engine("lcg", shape_signature(shape))
    return drawn(random_draws.truncated_normal, size, engine, -2.0, 2.0, draw_type).to(kind)


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
    setup=stream_of_any_seed,
    **OPTIONS,
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
    op_name = "ParameterizedTruncatedNormal"
    size = sizes(op_name, shape)
    if len(size) < 2:
        raise ValueError(f"For '{op_name}', 'shape' must have at least 2 sizes, but got {size}.")
    rows: list[list[float]] = []
    for name, value in (("mean", mean), ("stdevs", stdevs), ("min", min), ("max", max)):
        if value.dtype not in FLOATS or value.dtype is not mean.dtype:
            raise TypeError(
                f"For '{op_name}', the tensors must be of one float type, but got "
                f"{[str(t.dtype).removeprefix('torch.') for t in (mean, stdevs, min, max)]}."
            )
        if value.numel() != 1 and tuple(value.shape) != size[:1]:
            raise ValueError(
                f"For '{op_name}', '{name}' must have one element or shape ({size[0]},), but got "
                f"{tuple(value.shape)}."
            )
        rows.append(value.detach().double().flatten().expand(size[0]).tolist())
    cases = list(zip(*rows, strict=True))
    for middle, deviation, low, high in cases:
        if not (math.isfinite(middle) and math.isfinite(deviation)):  # no draw would ever fit
            raise RuntimeError(f"For '{op_name}', 'mean' and 'stdevs' must be finite.")
        if not deviation > 0:
            raise RuntimeError(f"For '{op_name}', every element of 'stdevs' must be above 0.")
        if not high > low:
            raise RuntimeError(
                f"For '{op_name}', 'max' must be above 'min', but got {high} and {low}."
            )
    engine = _state.engine("lcg", (shape_signature(shape), metadata_of(mean, stdevs, min, max)))
    count = math.prod(size[1:])
    draw_type = np.float64 if mean.dtype is torch.float64 else np.float32

    def rule() -> np.ndarray:
        with engine.lock:
            parts = [
                random_draws.parameterized_truncated_normal(
                    count, *case, engine=engine, dtype=draw_type
                )
                for case in cases
            ]
        return np.array(parts).reshape(size)

    return drawn(rule, device=mean.device).to(mean.dtype)


def _check_floats(*names: str) -> Any:
    """A setup that takes floats only, as MindSpore does."""

    def setup(instance: Primitive) -> None:
        for name in names:
            value = getattr(instance, name)
            if not isinstance(value, float):
                raise TypeError(
                    f"For '{instance.name}', the type of '{name}' must be float, but got "
                    f"'{type(value).__name__}'; write {value!r} as a float."
                )

    return setup


@primitive(
    "LogNormalReverse",
    samples=("f(2, 3)", "f(4), mean=1.5, std=0.5"),
    errors=(("i(3)", TypeError, "float"), ("f(3), mean=1", TypeError, "mean")),
    setup=_check_floats("mean", "std"),
    **OPTIONS,
)
def _log_normal_reverse(x: Tensor, *, mean: Any = 1.0, std: Any = 2.0) -> Tensor:
    r"""Log-normal numbers in the shape of a tensor: :math:`e^{z \cdot std + mean}`, z normal.

    Args:
        mean (float): the mean of the logarithm. Default: 1.0.
        std (float): the standard deviation of the logarithm. Default: 2.0.
        x (Tensor): gives shape and type; floating; at the call.

    Returns: Tensor like `x`.
    Raises TypeError: `mean` or `std` is not a float; `x` is not floating.
    Difference from PyTorch: ``torch.empty_like(x).log_normal_(mean, std)``.
    Source: behavior observed in MindSpore 2.10, which takes entropy whatever the seed; here every
        call takes the next seed pair of ``log_normal``.

    >>> ms.ops.LogNormalReverse(1.0, 0.5)(ms.Tensor([1.0, 2.0])).shape
    (2,)
    """
    return log_normal_draw("LogNormalReverse", x, mean, std)


def _cauchy_setup(instance: Primitive) -> None:
    _check_floats("median", "sigma")(instance)
    if not isinstance(instance.size, list):
        raise TypeError(
            "For 'Cauchy', the type of 'size' must be list, but got "
            f"'{type(instance.size).__name__}'."
        )
    if not instance.size:
        raise ValueError("For 'Cauchy', 'size' must not be empty; write [1] for one number.")
    for value in instance.size:
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
    **OPTIONS,
)
def _cauchy(*, size: Any, median: Any = 0.0, sigma: Any = 1.0) -> Tensor:
    r"""Cauchy numbers: density :math:`\frac{1}{\pi} \frac{\sigma}{(x - median)^2 + \sigma^2}`.

    Args:
        size (list[int]): the shape, sizes above 0.
        median (float): the location. Default: 0.0.
        sigma (float): the half-width at half maximum. Default: 1.0.

    Returns: Tensor of that shape, float32.
    Raises TypeError: `size` is not a list of ints; `median` or `sigma` is not a float.
    Raises ValueError: a size is below 1, or there is none.
    Difference from PyTorch: ``torch.empty(size).cauchy_(median, sigma)``.
    Source: behavior observed in MindSpore 2.10, which takes entropy whatever the seed; here every
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
    setup=object_stream,
    **OPTIONS,
)
def _gamma(
    shape: Any, alpha: Tensor, beta: Tensor, *, seed: Any = 0, seed2: Any = 0, _state: Stream
) -> Tensor:
    """Gamma variates in the broadcast shape of a shape and the parameters; see `ops.gamma`.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        shape (Union[tuple, list, Tensor]): the shape; at the call, as the following.
        alpha (Tensor): the shape parameter, above 0.
        beta (Tensor): the rate, above 0.

    Returns: Tensor of the common shape, float32.
    Raises TypeError: a seed is not an int; `alpha` or `beta` is not a Tensor.
    Raises ValueError: a seed is negative; a parameter is not above 0; shapes do not broadcast.
    Difference from PyTorch: ``torch.distributions.Gamma(alpha, beta).sample(shape)``.
    Source: Marsaglia and Tsang 2000. MindSpore 2.10 has no CPU kernel to compare with.

    >>> ms.ops.Gamma(seed=3)((4,), ms.Tensor([1.0]), ms.Tensor([2.0])).shape
    (4,)
    """
    common = meeting("Gamma", sizes("Gamma", shape), alpha, beta)
    signature = shape_signature(shape), metadata_of(alpha, beta)
    return gamma_draw("Gamma", common, alpha, beta, lambda: _state.engine("philox", signature))


@primitive(
    "RandomGamma",
    samples=("(2, 3), p(3).float(), seed=1",),
    errors=(("(2,), i(2), seed=1", TypeError, "float"), ("(2,), -p(2)", ValueError, "alpha")),
    setup=object_stream,
    **OPTIONS,
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
    Raises TypeError: a seed is not an int; `alpha` is not floating.
    Raises ValueError: a seed or a size is negative; an element of `alpha` is not above 0.
    Difference from PyTorch: ``torch.distributions.Gamma(alpha, 1).sample(shape)``.
    Source: behavior observed in MindSpore 2.10; Marsaglia and Tsang 2000.

    >>> print(ms.ops.RandomGamma(seed=1, seed2=2)(ms.Tensor([3]), ms.Tensor([2.0])).flatten())
    [0.3561859 1.0441701 1.8044789]
    """
    size = sizes("RandomGamma", shape)
    values = alpha_values("RandomGamma", alpha)
    engine = _state.engine("philox", (shape_signature(shape), metadata_of(alpha)))
    return drawn(random_draws.gamma, size, values, engine, device=alpha.device).to(alpha.dtype)


_POISSON_TYPES = (torch.int64, torch.int32, *FLOATS)


@primitive(
    "RandomPoisson",
    samples=("(2, 3), p(3), seed=1", "(2,), 30.0, seed=1, dtype=ms.float32"),
    errors=(
        ("(2,), -p(2), seed=1", ValueError, "rate"),
        ("(2,), p(2), dtype=ms.int8", TypeError, "dtype"),
    ),
    setup=stream_of_type(*_POISSON_TYPES, negative=True),
    **OPTIONS,
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
    Raises TypeError: a seed is not an int; `dtype` is another type; `shape` is not a shape.
    Raises ValueError: a size is negative; a rate is negative, infinite or nan.
    Difference from PyTorch: ``torch.poisson`` draws one count for each rate.

    >>> draw = ms.ops.RandomPoisson(seed=1, seed2=2)
    >>> print(draw(ms.Tensor([3]), ms.Tensor(2.0)), draw(ms.Tensor([3]), ms.Tensor(2.0)))
    [0 3 0] [1 1 3]
    """
    kind = random_type("RandomPoisson", dtype, _POISSON_TYPES)
    signature = shape_signature(shape), metadata_of(rate)
    size = sizes("RandomPoisson", shape)
    return poisson_draw(
        "RandomPoisson", size, rate, kind, lambda: _state.engine("mt_poisson", signature)
    )


@primitive(
    "Poisson",
    samples=("(2, 3), p(3).float(), seed=1",),
    errors=(("(2,), -p(2), seed=1", ValueError, "rate"),),
    setup=object_stream,
    **OPTIONS,
)
def _poisson(shape: Any, mean: Tensor, *, seed: Any = 0, seed2: Any = 0, _state: Stream) -> Tensor:
    """Poisson counts in the broadcast shape of a shape and the rates; see :func:`ops.poisson`.

    Args:
        seed (int): at least 0. Default: 0.
        seed2 (int): at least 0. Default: 0.
        shape (Union[tuple, list, Tensor]): the shape; at the call, as the following.
        mean (Tensor): expected counts, at least 0.

    Returns: Tensor of the common shape, int32.
    Raises TypeError: a seed is not an int; `mean` is not a Tensor.
    Raises ValueError: a seed is negative; a rate is negative, infinite or nan; shapes do not
        broadcast.
    Difference from PyTorch: ``torch.poisson(mean.expand(shape))``.
    Source: as :func:`ops.random_poisson`. MindSpore 2.10 has no CPU kernel to compare with.

    >>> ms.ops.Poisson(seed=3)((4,), ms.Tensor([3.0])).shape
    (4,)
    """
    common = meeting("Poisson", sizes("Poisson", shape), mean)
    signature = shape_signature(shape), metadata_of(mean)
    return poisson_draw(
        "Poisson",
        (),
        mean.expand(common),
        torch.int32,
        lambda: _state.engine("mt_poisson", signature),
    )
