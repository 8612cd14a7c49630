"""Polynomials, given by their coefficients from the highest power down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# the implementations work on the engine's tensors, as those of the operators do
import torch

from agar.numpy._declare import Tensor, array, floating, home, to_common
from agar.numpy._products import convolve
from agar.ops._checks import integer
from agar.ops.math.arithmetic import add, sub

_math = home("math_ops")


def _coefficients(op_name: str, name: str, value: Any) -> Tensor:
    result = array(op_name, name, value)
    if result.ndim > 1:
        raise ValueError(
            f"For 'numpy.{op_name}', '{name}' must have one dimension, but got shape "
            f"{list(result.shape)}."
        )
    return result.reshape(-1)


_TWO_DOC = """{words}.

    Args:
        a1 (Union[Tensor, number, list, tuple]): the coefficients of the first polynomial, from the
            highest power down.
        a2 (Union[Tensor, number, list, tuple]): those of the second.

    Returns:
        Tensor of the common type, the coefficients of the result.

    Raises:
        TypeError: an argument is of another type.
        ValueError: an argument has more than one dimension.

    Difference from PyTorch: torch has no polynomials.

    Source: behavior observed in MindSpore 2.10.

    Examples:
        >>> import agar.numpy as mnp
        >>> print(mnp.{name}([1, 2], [9, 5, 4]))
        {shown}
"""


def _two(name: str, compute: Callable[[Tensor, Tensor], Tensor], words: str, shown: str) -> None:
    """Declare a function of two polynomials."""

    def impl(a1: Tensor | Any, a2: Tensor | Any) -> Tensor:
        return compute(_coefficients(name, "a1", a1), _coefficients(name, "a2", a2))

    impl.__name__ = name
    impl.__doc__ = _TWO_DOC.format(name=name, words=words, shown=shown)
    _math(
        name,
        samples=("f(3), f(3)", "f(2), f(4)", "f(3), f(1)", "[1, 2], [9, 5, 4]"),
        errors=(("f(2, 2), [1]", ValueError, f"numpy.{name}"), ("'a', [1]", TypeError, name)),
        reference=f"np.{name}(a1, a2)",
    )(impl)


def _aligned(a1: Tensor, a2: Tensor) -> tuple[Tensor, ...]:
    """Both with as many coefficients as the longer one."""
    size = max(a1.numel(), a2.numel())
    pair = (torch.nn.functional.pad(a, (size - a.numel(), 0)) for a in (a1, a2))
    return to_common(*pair)


_two("polyadd", lambda a1, a2: add(*_aligned(a1, a2)), "The sum of two polynomials", "[9 6 6]")
_two(
    "polysub",
    lambda a1, a2: sub(*_aligned(a1, a2)),
    "The difference of two polynomials",
    "[-9 -4 -2]",
)
_two("polymul", convolve, "The product of two polynomials", "[ 9 23 14  8]")


@_math(
    "polyval",
    samples=("f(3), f()", "f(3), f(2, 2)", "[3, 0, 1], [1, 2]"),
    errors=(("f(2, 2), 1", ValueError, "numpy.polyval"), ("'a', 1", TypeError, "numpy.polyval")),
    reference="np.polyval(p, x)",
)
def _polyval(p: Tensor | Any, x: Tensor | Any) -> Tensor:
    """The values of a polynomial.

    Args:
        p (Union[Tensor, number, list, tuple]): the coefficients, from the highest power down.
        x (Union[Tensor, number, list, tuple]): where to evaluate, of any shape.

    Returns: Tensor of the shape of `x`; integers give float32.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `p` has more than one dimension.
    Difference from PyTorch: torch has no polynomials.

    >>> import agar.numpy as mnp
    >>> print(mnp.polyval([3.0, 0.0, 1.0], 2.0))
    13.0
    """
    coefficients = _coefficients("polyval", "p", p)
    at, coefficients = to_common(floating(array("polyval", "x", x)), floating(coefficients))
    result = torch.zeros_like(at)
    for factor in coefficients.unbind(0):  # Horner's rule
        result = result * at + factor
    return result


@_math(
    "polyder",
    samples=("f(4)", "[1, 2, 3], 2", "f(2), 2", "f(2), 0"),
    errors=(
        ("[1, 2], -1", ValueError, "numpy.polyder"),
        ("[1, 2], 1.0", TypeError, "numpy.polyder"),
        ("f(2, 2)", ValueError, "numpy.polyder"),
    ),
    reference="np.polyder(p, m)",
)
def _polyder(p: Tensor | Any, m: int = 1) -> Tensor:
    """The derivative of a polynomial.

    Args:
        p (Union[Tensor, number, list, tuple]): the coefficients, from the highest power down.
        m (int): how often it is differentiated. Default: 1.

    Returns: Tensor of the type of `p`, the coefficients; an empty float32 Tensor where nothing is
        left.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `m` is negative, or `p` has more than one dimension.
    Difference from PyTorch: torch has no polynomials.

    >>> import agar.numpy as mnp
    >>> print(mnp.polyder([1, 2, 3]))
    [2 2]
    """
    coefficients = _coefficients("polyder", "p", p)
    integer("numpy.polyder", "m", m, 0)
    if m >= coefficients.numel():
        return torch.zeros(0, dtype=torch.float32, device=coefficients.device)
    for _ in range(m):
        size = coefficients.numel()
        powers = torch.arange(size - 1, 0, -1, device=coefficients.device)
        coefficients = coefficients[:-1] * powers.to(coefficients.dtype)
    return coefficients


@_math(
    "polyint",
    samples=("f(3)", "f(3), 3, [6, 5, 3]", "f(2), 2, 7", "[1, 2], 0"),
    errors=(
        ("[1, 2], -1", ValueError, "numpy.polyint"),
        ("[1, 2], 2, [1, 2, 3]", ValueError, "numpy.polyint"),
        ("f(2, 2)", ValueError, "numpy.polyint"),
    ),
    reference="np.polyint(p, m, k)",
)
def _polyint(p: Tensor | Any, m: int = 1, k: Tensor | Any = None) -> Tensor:
    """The antiderivative of a polynomial.

    Args:
        p (Union[Tensor, number, list, tuple]): the coefficients, from the highest power down.
        m (int): how often it is integrated. Default: 1.
        k (Union[None, number, Tensor, list, tuple]): the constants, one for all or one for each
            time. Default None: zeros.

    Returns: Tensor, the coefficients; integers give float32.
    Raises TypeError: an argument is of another type.
    Raises ValueError: `m` is negative, `p` has more than one dimension, or there is another number
        of constants.
    Difference from PyTorch: torch has no polynomials.

    >>> import agar.numpy as mnp
    >>> print(mnp.polyint([2.0, 2.0]))
    [1. 2. 0.]
    """
    coefficients = _coefficients("polyint", "p", p)
    if integer("numpy.polyint", "m", m, 0) == 0:
        return coefficients
    coefficients = floating(coefficients)
    constants = _coefficients("polyint", "k", 0 if k is None else k).to(coefficients.dtype)
    if constants.numel() not in (1, m):
        raise ValueError(
            f"For 'numpy.polyint', 'k' must have one constant or {m}, but got {constants.numel()}."
        )
    for constant in constants.expand(m).unbind(0):
        size = coefficients.numel()
        powers = torch.arange(size, 0, -1, dtype=coefficients.dtype, device=coefficients.device)
        coefficients = torch.cat([coefficients / powers, constant.reshape(1)])
    return coefficients
