"""Covariance and correlation."""

from __future__ import annotations

from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar.numpy._declare import Tensor, array, home, typed
from agar.ops._checks import boolean

_math = home("math_ops")


def _weights(op_name: str, name: str, value: Any, count: int) -> Tensor:
    """Weights of observations as float32."""
    result = array(op_name, name, value)
    if result.dtype is torch.bool or result.is_floating_point():
        raise TypeError(f"For 'numpy.{op_name}', '{name}' must be integers.")
    if result.ndim > 1:
        raise RuntimeError(
            f"For 'numpy.{op_name}', '{name}' must have one dimension, but got shape "
            f"{list(result.shape)}."
        )
    if result.numel() != count:
        raise RuntimeError(
            f"For 'numpy.{op_name}', '{name}' must have {count} elements, one for each "
            f"observation, but got {result.numel()}."
        )
    return result.reshape(-1).to(torch.float32).abs()


def _observations(op_name: str, name: str, value: Any, rowvar: Any) -> Tensor:
    result = array(op_name, name, value)
    if result.ndim > 2:
        raise ValueError(
            f"For 'numpy.{op_name}', '{name}' must have at most two dimensions, but got shape "
            f"{list(result.shape)}."
        )
    if result.numel() == 0:
        raise ValueError(f"For 'numpy.{op_name}', '{name}' must not be empty.")
    result = result.to(torch.float32)
    result = result.reshape((1,) * (2 - result.ndim) + tuple(result.shape))
    turned = not boolean(f"numpy.{op_name}", "rowvar", rowvar) and result.shape[0] != 1
    return result.T if turned else result


def _covariance(
    op_name: str, m: Any, y: Any, rowvar: Any, ddof: int, fweights: Any = None, aweights: Any = None
) -> Tensor:
    x = _observations(op_name, "m", m, rowvar)
    if y is not None:
        x = torch.cat([x, _observations(op_name, "y", y, rowvar)])
    count = x.shape[1]
    weights = None if fweights is None else _weights(op_name, "fweights", fweights, count)
    if aweights is not None:
        own = _weights(op_name, "aweights", aweights, count)
        weights = own if weights is None else weights * own
    if weights is None:
        away = x - x.mean(1, keepdim=True)
        return (away @ away.T / (count - ddof)).squeeze()
    total = weights.sum()
    away = x - (x * weights).sum(1, keepdim=True) / total
    taken: Any = ddof
    if aweights is not None:
        taken = ddof * (weights * _weights(op_name, "aweights", aweights, count)).sum() / total
    return (away @ (away * weights).T / (total - taken)).squeeze()


@_math(
    "cov",
    samples=(
        "f(2, 5)",
        "f(5)",
        "f(5), f(5)",
        "f(5, 2), rowvar=False",
        "f(2, 5), bias=True",
        "f(2, 3), fweights=[1, 2, 3]",
        "f(2, 3), aweights=[1, 2, 3]",
        "f(2, 3), fweights=[1, 2, 1], aweights=[1, 2, 3]",
    ),
    errors=(
        ("f(2, 2, 2)", ValueError, "numpy.cov"),
        ("f(2, 3), fweights=[1.0, 2.0, 3.0]", TypeError, "fweights"),
        ("f(2, 3), fweights=[1, 2]", RuntimeError, "fweights"),
        ("f(2, 3), rowvar=1", TypeError, "rowvar"),
    ),
    reference="np.cov(m, y, rowvar, bias, ddof, fweights, aweights)",
    differentiable=False,
)
def _cov(
    m: Tensor | Any,
    y: Tensor | Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Tensor | Any = None,
    aweights: Tensor | Any = None,
    dtype: Any = None,
) -> Tensor:
    """The covariance matrix of variables, from observations.

    Args:
        m (Union[Tensor, list, tuple]): the observations, in one dimension or two.
        y (Union[Tensor, list, tuple]): further variables. Default None: there are none.
        rowvar (bool): whether each row is a variable, and each column an observation. Default:
            True.
        bias (bool): whether the divisor is the number of observations, and not one less. Default:
            False.
        ddof (int): what is taken from the number of observations; replaces `bias`. Default: None.
        fweights (Union[Tensor, list, tuple]): integers, how often each observation occurred.
            Default: None.
        aweights (Union[Tensor, list, tuple]): integers, how important each observation is.
            Default: None.
        dtype (Type): the type of the result. Default None: float32.

    Returns: Tensor; a number for one variable.
    Raises TypeError: an argument is of another type.
    Raises ValueError: the observations are empty or have more dimensions.
    Raises RuntimeError: there are not as many weights as observations.
    Difference from PyTorch: computed in float32.

    >>> import agar.numpy as mnp
    >>> print(mnp.cov([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    [[ 1. -1.]
     [-1.  1.]]
    """
    taken = (0 if bias else 1) if ddof is None else ddof
    return typed("cov", _covariance("cov", m, y, rowvar, taken, fweights, aweights), dtype)


@_math(
    "corrcoef",
    samples=("f(2, 5)", "f(5), f(5)", "f(5, 2), rowvar=False"),
    errors=(("f(2, 2, 2)", ValueError, "numpy.corrcoef"), ("'a'", TypeError, "numpy.corrcoef")),
    reference="np.corrcoef(x, y, rowvar)",
    differentiable=False,
)
def _corrcoef(
    x: Tensor | Any, y: Tensor | Any = None, rowvar: bool = True, dtype: Any = None
) -> Tensor:
    """The coefficients of correlation of variables, from observations.

    Args:
        x (Union[Tensor, list, tuple]): the observations, in one dimension or two.
        y (Union[Tensor, list, tuple]): further variables. Default None: there are none.
        rowvar (bool): whether each row is a variable, and each column an observation. Default:
            True.
        dtype (Type): the type of the result. Default None: float32.

    Returns: Tensor; a number for one variable.
    Raises TypeError: an argument is of another type.
    Raises ValueError: the observations are empty or have more dimensions.
    Difference from PyTorch: computed in float32.

    >>> import agar.numpy as mnp
    >>> print(mnp.corrcoef([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    [[ 1. -1.]
     [-1.  1.]]
    """
    result = _covariance("corrcoef", x, y, rowvar, 1)
    if result.ndim == 0:
        return typed("corrcoef", result / result, dtype)
    spread = torch.sqrt(torch.diagonal(result))
    result = result / spread[:, None] / spread[None, :]
    return typed("corrcoef", result.clamp(-1, 1), dtype)
