"""Gamma and Poisson draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from agar._core import dtype as mstype
from agar._core.dtype import FROM_TORCH
from agar._core.random import draws as random_draws
from agar._core.random import make_engine, next_pair
from agar._core.random.engines import Engine
from agar.ops.random.distributions import drawn, meeting, random_type
from agar.ops.spec import Scalar, op
from agar.ops.tensor.creation import sizes

__all__ = ["alpha_values", "gamma_draw", "poisson_draw", "shown"]


# ---------------------------------------------------------------------------------- gamma, Poisson


@op(
    cast="never",
    samples=("(2, 3), p(3).float(), p(3).float(), 5",),
    errors=(
        ("(2,), 1.0, 2.0", TypeError, "must be a Tensor"),
        ("(2,), -p().float(), p().float()", ValueError, "alpha"),
        ("(2,), p().float(), -p().float()", ValueError, "beta"),
    ),
    differentiable=False,
    tags=("random",),
)
def gamma(shape: Any, alpha: Tensor, beta: Tensor, seed: Any = None) -> Tensor:
    r"""Draw from a gamma distribution.

    Its density is proportional to :math:`x^{\alpha - 1} e^{-\beta x}`. The result is a constant for
    gradients.

    Args:
        shape (Union[tuple, list, Tensor]): the shape of the result.
        alpha (Tensor): the shape parameter, above 0.
        beta (Tensor): the rate, above 0.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns: Tensor of the shape in which the three shapes meet, float32.
    Raises ValueError: a parameter is not above 0; shapes do not broadcast; `seed` is negative.
    Difference from PyTorch: ``torch.distributions.Gamma(alpha, beta).sample(shape)``.
    Source: Marsaglia and Tsang 2000. MindSpore 2.10 has no CPU kernel, so there are no numbers of
        its own to match.

    >>> ms.ops.gamma((4,), ms.Tensor([1.0]), ms.Tensor([2.0]), seed=3).shape
    (4,)
    """
    size = sizes("gamma", shape)
    common = meeting("gamma", size, alpha, beta)
    return gamma_draw(
        "gamma", common, alpha, beta, lambda: make_engine("philox", next_pair(seed, "gamma"))
    )


def gamma_draw(
    op_name: str, shape: tuple[int, ...], alpha: Tensor, beta: Tensor, engine: Callable[[], Any]
) -> Tensor:
    """Float32 gamma variates of rate beta; the engine is asked for once all checks are passed."""
    rate = beta.detach().float()
    if not bool((rate > 0).all()):
        raise ValueError(f"For '{op_name}', every element of 'beta' must be above 0.")
    check_alpha(op_name, alpha)
    shapes = alpha.double().expand(shape)
    unit = drawn(random_draws.gamma, (), shapes, engine(), device=alpha.device)
    return (unit / rate.double()).float()


def check_alpha(op_name: str, alpha: Tensor) -> None:
    """Refuse shape parameters of gamma distributions that are not above 0, or infinite.

    Raises:
        ValueError: there is one.
    """
    if not bool(((alpha > 0) & (alpha < torch.inf)).all()):
        raise ValueError(
            f"For '{op_name}', every element of 'alpha' must be finite and above 0, but got "
            f"{shown(alpha)}."
        )


def shown(values: Tensor) -> str:
    """A few values for a message."""
    return np.array2string(values.detach().cpu().double().numpy(), threshold=6)


@op(
    cast="never",
    samples=("(2, 3), p(3).float()", "(4,), p(), 7"),
    errors=(
        ("(2,), i(2)", TypeError, "float"),
        ("(2,), -p(2)", ValueError, "alpha"),
        ("(-2,), p(2)", ValueError, "random_gamma"),
    ),
    differentiable=False,
    tags=("random",),
)
def random_gamma(shape: Any, alpha: Tensor, seed: Any = None) -> Tensor:
    r"""Draw from gamma distributions of rate 1.

    Their density is proportional to :math:`x^{\alpha - 1} e^{-x}`. The result is a constant for
    gradients.

    Args:
        shape (Union[Tensor, tuple, list]): samples for each element of `alpha`.
        alpha (Tensor): shape parameters, above 0; float16, float32 or float64.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns: Tensor of shape `shape` + `alpha.shape`, of the type of `alpha`. float64 may differ
        from MindSpore in the last bit.
    Raises TypeError: `shape` is not a shape; `alpha` is not a floating Tensor.
    Raises ValueError: an element of `alpha` is not above 0; a size or `seed` is negative.
    Difference from PyTorch: ``torch.distributions.Gamma(alpha, 1).sample(shape)``.
    Source: behavior observed in MindSpore 2.10; Marsaglia and Tsang 2000.

    >>> ms.set_seed(11)
    >>> print(ms.ops.random_gamma(ms.Tensor([2]), ms.Tensor([1.0, 3.0]), seed=3))
    [[1.4205347 3.559107 ]
     [1.5745506 2.0585883]]
    """
    size = sizes("random_gamma", shape)
    values = alpha_values("random_gamma", alpha)
    engine = make_engine("philox", next_pair(seed, "random_gamma"))
    return drawn(random_draws.gamma, size, values, engine, device=alpha.device).to(alpha.dtype)


def alpha_values(op_name: str, alpha: Tensor) -> Tensor:
    """Checked shape parameters of gamma distributions in double.

    Raises:
        TypeError: no floating type.
        ValueError: see `check_alpha`.
    """
    if not alpha.is_floating_point():
        raise TypeError(
            f"For '{op_name}', the input argument 'alpha' must be a float Tensor, but got "
            f"{FROM_TORCH[alpha.dtype]}; convert it with .astype(ms.float32)."
        )
    check_alpha(op_name, alpha)
    return alpha.double()


_POISSON_TYPES = (torch.int64, torch.int32, torch.float16, torch.float32, torch.float64)


@op(
    cast="never",
    samples=("(2, 3), p(3)", "(4,), 20.0, 7, ms.int32"),
    errors=(
        ("(2,), -p(2)", ValueError, "rate"),
        ("(2,), p(2), 1, ms.int8", TypeError, "dtype"),
        ("(-2,), p(2)", ValueError, "random_poisson"),
    ),
    differentiable=False,
    tags=("random",),
)
def random_poisson(
    shape: Any, rate: Tensor | Scalar, seed: Any = None, dtype: Any = mstype.float32
) -> Tensor:
    r"""Draw Poisson counts: :math:`P(k) = e^{-rate} rate^k / k!`.

    Args:
        shape (Union[Tensor, tuple, list]): samples for each element of `rate`.
        rate (Union[Tensor, number]): expected counts, at least 0.
        seed (int): the operator's seed, at least 0. Default None: 0.
        dtype (Type): int32, int64, float16, float32 or float64. Default: float32.

    Returns: Tensor of shape `shape` + `rate.shape`, of type `dtype`.
    Raises TypeError: `shape` is not a shape; `dtype` is another type.
    Raises ValueError: a rate is negative, infinite or nan; a size or `seed` is negative.
    Difference from PyTorch: ``torch.poisson`` draws one count for each rate. MindSpore gives 0 for
        negative rates.
    Source: behavior observed in MindSpore 2.10; Knuth, The Art of Computer Programming, 3.4.1;
        Hormann 1993 for rates from 10.

    >>> ms.set_seed(11)
    >>> print(ms.ops.random_poisson(ms.Tensor([6]), 3.0, seed=4))
    [2. 2. 4. 2. 1. 5.]
    """
    size = sizes("random_poisson", shape)
    kind = random_type("random_poisson", dtype, _POISSON_TYPES)
    return poisson_draw(
        "random_poisson",
        size,
        rate,
        kind,
        lambda: make_engine("mt_poisson", next_pair(seed, "random_poisson")),
    )


def poisson_draw(
    op_name: str,
    size: tuple[int, ...],
    rate: Tensor | Scalar,
    kind: torch.dtype,
    engine: Callable[[], Engine],
) -> Tensor:
    """Poisson counts; the engine is asked for once the rates are checked.

    Raises:
        ValueError: a rate is negative, infinite or nan.
    """
    meeting(op_name, (), rate)
    rates = rate.double() if isinstance(rate, Tensor) else torch.tensor(rate, dtype=torch.float64)
    if not bool(((rates >= 0) & (rates < torch.inf)).all()):
        raise ValueError(
            f"For '{op_name}', every element of 'rate' must be finite and at least 0, but got "
            f"{shown(rates)}."
        )
    device = rate.device if isinstance(rate, Tensor) else None
    return drawn(random_draws.poisson, size, rates, engine(), device=device).to(kind)


@op(
    cast="never",
    samples=("(2, 3), p(3).float()", "(4,), p(), 7"),
    errors=(("(2,), -p(2)", ValueError, "rate"), ("(2,), 3.0", TypeError, "must be a Tensor")),
    differentiable=False,
    tags=("random",),
)
def poisson(shape: Any, mean: Tensor, seed: Any = None) -> Tensor:
    """Draw Poisson counts in the broadcast shape of a shape and the rates.

    Args:
        shape (Union[tuple, list, Tensor]): the shape of the result.
        mean (Tensor): expected counts, at least 0.
        seed (int): the operator's seed, at least 0. Default None: 0.

    Returns: Tensor of the common shape, int32.
    Raises ValueError: a rate is negative, infinite or nan; shapes do not broadcast; `seed` is
        negative.
    Difference from PyTorch: ``torch.poisson(mean.expand(shape))``.
    Source: as :func:`random_poisson`, which is to be preferred. MindSpore 2.10 has no CPU kernel,
        so there are no numbers of its own to match.

    >>> ms.ops.poisson((4,), ms.Tensor([3.0]), seed=3).dtype
    mindspore.int32
    """
    size = meeting("poisson", sizes("poisson", shape), mean)
    return poisson_draw(
        "poisson",
        (),
        mean.expand(size),
        torch.int32,
        lambda: make_engine("mt_poisson", next_pair(seed, "poisson")),
    )
