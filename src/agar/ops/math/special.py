"""Special functions: error, gamma, zeta and Bessel functions, and what statistics makes of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from agar._core.dtype import FROM_TORCH
from agar.ops._checks import integer, number
from agar.ops.math.elementwise import both_tensors, pointwise, promoted
from agar.ops.spec import Scalar, op, primitive

__all__: list[str] = []

pointwise(
    "erf",
    torch.erf,
    "Error function",
    r"\frac{2}{\sqrt{\pi}} \int_0^x e^{-t^2} dt",
    ("[0.0, 1.0]", "[0.        0.8427008]"),
    primitive="Erf",
)
pointwise(
    "erfc",
    torch.erfc,
    "Complementary error function",
    r"1 - \operatorname{erf}(x)",
    ("[0.0, 1.0]", "[1.        0.1572992]"),
    primitive="Erfc",
    mint=("erfc", "special.erfc"),
)
pointwise(
    "erfinv",
    torch.erfinv,
    "Inverse of the error function",
    r"\operatorname{erf}^{-1}(x)",
    ("[0.0, 0.5]", "[0.         0.47693628]"),
    primitive="Erfinv",
    samples=("u(2, 3)",),
)
pointwise(
    "lgamma",
    torch.lgamma,
    "Logarithm of the absolute value of the gamma function",
    r"\ln |\Gamma(x)|",
    ("[1.5, 4.0]", "[-0.12078223  1.7917595 ]"),
    primitive="Lgamma",
    mint=False,
    samples=("p(2, 3)",),
)
pointwise(
    "digamma",
    torch.digamma,
    "Derivative of the logarithm of the gamma function",
    r"\Gamma'(x) / \Gamma(x)",
    ("[1.5, 4.0]", "[0.03648992 1.2561177 ]"),
    primitive="Digamma",
    mint=False,
    samples=("p(2, 3)",),
)
pointwise(
    "sinc",
    torch.sinc,
    "Normalized sinc function",
    r"\sin(\pi x) / (\pi x)",
    ("[0.0, 0.5]", "[1.         0.63661975]"),
    primitive="Sinc",
    mint=("sinc", "special.sinc"),
    samples=("p(2, 3)", "f(2) * 0"),
)


class _WithSlope(torch.autograd.Function):
    """A function of one tensor whose derivative is given, where torch has none."""

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, value: Callable[..., Tensor], slope: Callable[..., Tensor]
    ) -> Tensor:
        ctx.save_for_backward(x)
        ctx.slope = slope
        return value(x)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:  # type: ignore[override]
        (x,) = ctx.saved_tensors
        return grad * ctx.slope(x), None, None


def _with_slope(
    value: Callable[[Tensor], Tensor], slope: Callable[[Tensor], Tensor]
) -> Callable[[Tensor], Tensor]:
    def compute(x: Tensor) -> Tensor:
        if not x.requires_grad:
            return value(x)
        return _WithSlope.apply(x, value, slope)

    return compute


_S = torch.special
_j0 = _with_slope(_S.bessel_j0, lambda x: -_S.bessel_j1(x))
_j1 = _with_slope(_S.bessel_j1, lambda x: _S.bessel_j0(x) - _S.bessel_j1(x) / x)
_y0 = _with_slope(_S.bessel_y0, lambda x: -_S.bessel_y1(x))
_y1 = _with_slope(_S.bessel_y1, lambda x: _S.bessel_y0(x) - _S.bessel_y1(x) / x)
_k0 = _with_slope(_S.modified_bessel_k0, lambda x: -_S.modified_bessel_k1(x))
_k1 = _with_slope(
    _S.modified_bessel_k1, lambda x: -_S.modified_bessel_k0(x) - _S.modified_bessel_k1(x) / x
)
_k0e = _with_slope(
    _S.scaled_modified_bessel_k0,
    lambda x: _S.scaled_modified_bessel_k0(x) - _S.scaled_modified_bessel_k1(x),
)
_k1e = _with_slope(
    _S.scaled_modified_bessel_k1,
    lambda x: (1 - 1 / x) * _S.scaled_modified_bessel_k1(x) - _S.scaled_modified_bessel_k0(x),
)

pointwise(
    "i0",
    torch.i0,
    "Modified Bessel function of the first kind of order 0",
    "I_0(x)",
    ("[0.0, 1.0]", "[0.99999994 1.266066  ]"),
    mint=False,
)


def _bessel(
    name: str, compute: Callable[[Tensor], Tensor], words: str, symbol: str, shown: str
) -> None:
    """Declare a Bessel function and its Primitive, such as bessel_j0 and BesselJ0."""
    kind = name.removeprefix("bessel_")
    pointwise(
        name,
        compute,
        words,
        symbol,
        ("[1.0, 2.0]", shown),
        primitive=f"Bessel{kind[0].upper()}{kind[1:]}",
        method=False,
        mint=False,
        samples=("p(2, 3)",),
        renamed={name: {"input": "x"}},
    )


_first = "Bessel function of the first kind of order"
_second = "Bessel function of the second kind of order"
_bessel("bessel_j0", _j0, f"{_first} 0", "J_0(x)", "[0.76519763 0.22389077]")
_bessel("bessel_j1", _j1, f"{_first} 1", "J_1(x)", "[0.44005063 0.5767247 ]")
_bessel("bessel_y0", _y0, f"{_second} 0", "Y_0(x)", "[0.08825695 0.5103756 ]")
_bessel("bessel_y1", _y1, f"{_second} 1", "Y_1(x)", "[-0.7812128  -0.10703249]")
_bessel("bessel_i0", torch.i0, f"Modified {_first} 0", "I_0(x)", "[1.266066  2.2795851]")
_bessel("bessel_i1", _S.i1, f"Modified {_first} 1", "I_1(x)", "[0.5651591 1.5906368]")
_bessel(
    "bessel_i0e",
    _S.i0e,
    f"Exponentially scaled modified {_first} 0",
    "e^{-|x|} I_0(x)",
    "[0.46575963 0.3085083 ]",
)
_bessel(
    "bessel_i1e",
    _S.i1e,
    f"Exponentially scaled modified {_first} 1",
    "e^{-|x|} I_1(x)",
    "[0.20791042 0.21526928]",
)
_bessel("bessel_k0", _k0, f"Modified {_second} 0", "K_0(x)", "[0.42102447 0.11389388]")
_bessel("bessel_k1", _k1, f"Modified {_second} 1", "K_1(x)", "[0.6019073  0.13986589]")
_bessel(
    "bessel_k0e",
    _k0e,
    f"Exponentially scaled modified {_second} 0",
    "e^x K_0(x)",
    "[1.1444632 0.8415683]",
)
_bessel(
    "bessel_k1e",
    _k1e,
    f"Exponentially scaled modified {_second} 1",
    "e^x K_1(x)",
    "[1.6361537 1.033477 ]",
)


# ------------------------------------------------------------------- with products by zero


@op(
    method=True,
    primitive="Xlogy",
    mint=True,
    samples=("f(2, 3), p(3)", "2.0, p(3)", "p(3), 2.0", "i(2, 3), p(3)", "i(2) * 0, i(2) * 0"),
    errors=(("f(2), f(3)", ValueError, "broadcast"),),
)
def xlogy(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Product with a logarithm: :math:`input_i \ln other_i`, 0 where `input` is 0.

    Args:
        input (Union[Tensor, number]): the factor.
        other (Union[Tensor, number]): the logarithm's argument; shapes broadcast.

    Returns: Tensor of the broadcast shape; integers give float32.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: none. (MindSpore's CPU kernel gives nan for 0 and 0.)

    >>> print(ms.ops.xlogy(ms.Tensor([0.0, 2.0]), ms.Tensor([0.0, 4.0])))
    [0.        2.7725887]
    """
    return torch.xlogy(*both_tensors(input, other))


def _xdivy(input: Any, other: Any) -> Tensor:
    x, y = both_tensors(input, other)
    if not (x.is_floating_point() or x.is_complex()):
        x, y = x.float(), y.float()
    zero = x == 0
    # the divisor is replaced before the division, so that the gradient has no 0/0 either
    return torch.where(zero, torch.zeros_like(x * y), x / torch.where(zero, torch.ones_like(y), y))


@op(
    primitive="Xdivy",
    samples=("f(2, 3), p(3)", "2.0, p(3)", "i(2, 3), p(3)", "i(2) * 0, i(2) * 0"),
    errors=(("f(2), f(3)", ValueError, "broadcast"),),
)
def xdivy(x: Tensor | Scalar, y: Tensor | Scalar) -> Tensor:
    r"""Quotient, 0 where the dividend is 0: :math:`x_i / y_i`.

    Args:
        x (Union[Tensor, number]): the dividend.
        y (Union[Tensor, number]): the divisor; shapes broadcast.

    Returns: Tensor of the broadcast shape; integers give float32.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: no counterpart.

    >>> print(ms.ops.xdivy(ms.Tensor([0.0, 2.0]), ms.Tensor([0.0, 4.0])))
    [0.  0.5]
    """
    return _xdivy(x, y)


@op(
    "xdivy",
    function=False,
    method="xdivy",
    samples=("f(2, 3), p(3)",),
    errors=(("f(2), 'x'", TypeError, "number"), ("f(2), f(3)", ValueError, "broadcast")),
)
def _xdivy_method(input: Tensor, y: Tensor | Scalar) -> Tensor:
    """Quotient, 0 where the dividend is 0; see :func:`ops.xdivy`.

    >>> print(ms.Tensor([0.0, 2.0]).xdivy(4))
    [0.  0.5]
    """
    return _xdivy(input, y)


@op(
    method=True,
    primitive="Heaviside",
    samples=("f(2, 3), f(3)", "i(2, 3).double() - 1, f(3)"),
    differentiable=False,
    errors=(("f(2), f(3)", ValueError, "broadcast"),),
)
def heaviside(input: Tensor, values: Tensor) -> Tensor:
    r"""Step function: 0 below zero, 1 above, `values` at zero.

    Args:
        input (Tensor): any shape.
        values (Tensor): the values at zero; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: different types are accepted.

    >>> print(ms.ops.heaviside(ms.Tensor([-1.0, 0.0, 2.0]), ms.Tensor([0.5])))
    [0.  0.5 1. ]
    """
    return torch.heaviside(*promoted(input, values))


@op(method=True, samples=("u(2, 3)", "u(2, 3), 0.1"), errors=(("u(2), 'x'", TypeError, "eps"),))
def logit(input: Tensor, eps: float | None = None) -> Tensor:
    r"""Inverse of the logistic function: :math:`\ln(x / (1 - x))`.

    Args:
        input (Tensor): a floating type, any shape.
        eps (float): the elements are first bounded to [eps, 1 - eps]. Default None: not.

    Returns: Tensor of the same shape; integers give float32.
    Raises TypeError: `eps` is not a number.

    >>> print(ms.ops.logit(ms.Tensor([0.2, 0.5])))
    [-1.3862944  0.       ]
    """
    return torch.logit(input, eps)


@primitive(
    "Logit",
    samples=("u(2, 3)", "u(2, 3), eps=0.1"),
    errors=(("u(2), eps='x'", TypeError, "eps"), ("[1.0]", TypeError, "must be a Tensor")),
)
def _logit(input: Tensor, *, eps: float = -1.0) -> Tensor:
    """Inverse of the logistic function; a negative `eps` means none. See :func:`ops.logit`.

    >>> print(ms.ops.Logit()(ms.Tensor([0.5])))
    [0.]
    """
    return torch.logit(input, None if number("Logit", "eps", eps) < 0 else eps)


# ------------------------------------------------------------------------------ gamma, zeta


@op(
    method=True,
    primitive="Igamma",
    samples=("p(2, 3), p(3)",),
    differentiable=False,
    errors=(("p(2), p(3)", ValueError, "broadcast"),),
)
def igamma(input: Tensor, other: Tensor) -> Tensor:
    r"""Regularized lower incomplete gamma function :math:`P(a, x)`.

    Args:
        input (Tensor): :math:`a`, a floating type.
        other (Tensor): :math:`x`; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: different types are accepted.

    >>> print(ms.ops.igamma(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 2.0])))
    [0.63212043 0.59399426]
    """
    return torch.special.gammainc(*promoted(input, other))


@op(
    method=True,
    primitive="Igammac",
    samples=("p(2, 3), p(3)",),
    differentiable=False,
    errors=(("p(2), p(3)", ValueError, "broadcast"),),
)
def igammac(input: Tensor, other: Tensor) -> Tensor:
    r"""Regularized upper incomplete gamma function :math:`Q(a, x) = 1 - P(a, x)`.

    Args:
        input (Tensor): :math:`a`, a floating type.
        other (Tensor): :math:`x`; shapes broadcast.

    Returns: Tensor of the broadcast shape and the common type.
    Raises ValueError: the shapes do not broadcast.
    Difference from PyTorch: different types are accepted.

    >>> print(ms.ops.igammac(ms.Tensor([1.0, 2.0]), ms.Tensor([1.0, 2.0])))
    [0.3678794 0.4060059]
    """
    return torch.special.gammaincc(*promoted(input, other))


@op(
    primitive="Polygamma",
    samples=("torch.tensor(1), p(2, 3)", "2, p(3)"),
    errors=(("-1, p(2)", ValueError, "n"), ("1.5, p(2)", TypeError, "n")),
)
def polygamma(n: Any, input: Tensor) -> Tensor:
    r"""Derivatives of the digamma function: :math:`\psi^{(n)}(x)`.

    Args:
        n (Union[int, Tensor]): which derivative, 0 or more.
        input (Tensor): :math:`x`, a floating type.

    Returns: Tensor of the shape of `input`.
    Raises TypeError: `n` is not an int.
    Raises ValueError: `n` is negative.
    Difference from PyTorch: `n` may be a Tensor.

    >>> print(ms.ops.polygamma(ms.Tensor(1), ms.Tensor([1.0, 2.0])))
    [1.644934   0.64493406]
    """
    return torch.polygamma(integer("polygamma", "n", n, 0), input)


@op(
    primitive="Mvlgamma(p)(x: input)",
    method=True,
    samples=("p(2, 3) + 2, 2",),
    errors=(("torch.tensor([0.1]), 2", ValueError, "greater"),),
)
def mvlgamma(input: Tensor, p: int) -> Tensor:
    r"""Logarithm of the multivariate gamma function of dimension p.

    :math:`\frac{p (p - 1)}{4} \ln \pi + \sum_{i=1}^p \ln \Gamma(x - \frac{i - 1}{2})`

    Args:
        input (Tensor): elements greater than :math:`(p - 1) / 2`.
        p (int): the dimension.

    Returns: Tensor of the shape of `input`.
    Raises TypeError: `p` is not an int.
    Raises ValueError: `p` is not positive or an element too small.
    Difference from PyTorch: too small elements raise.

    >>> print(ms.ops.mvlgamma(ms.Tensor([3.0, 4.0]), 2))
    [1.550195  3.5650978]
    """
    if bool((input <= (integer("mvlgamma", "p", p, 1) - 1) / 2).any()):
        raise ValueError(
            f"For 'mvlgamma', all elements of 'input' must be greater than (p - 1) / 2, which is "
            f"{(p - 1) / 2}."
        )
    return torch.mvlgamma(input, p)


@op(
    primitive="Zeta",
    samples=("p(2, 3) + 1.5, p(3)", "2.0, p(3)"),
    differentiable=False,
    errors=(("f(2), 'x'", TypeError, "number"), ("f(2), f(3)", ValueError, "broadcast")),
)
def zeta(input: Tensor | Scalar, other: Tensor | Scalar) -> Tensor:
    r"""Hurwitz zeta function: :math:`\sum_{k=0}^\infty (k + other)^{-input}`.

    Args:
        input (Union[Tensor, number]): the exponent, greater than 1.
        other (Union[Tensor, number]): the first term; shapes broadcast.

    Returns: Tensor of the broadcast shape; integers give float32.
    Raises ValueError: the shapes do not broadcast.

    >>> print(ms.ops.zeta(ms.Tensor([2.0]), ms.Tensor([1.0])))
    [1.644934]
    """
    return torch.special.zeta(*both_tensors(input, other))


@op(
    primitive="Eps",
    samples=("f(2, 3)",),
    differentiable=False,
    cast="never",
    errors=(("i(2)", TypeError, "eps"),),
)
def eps(x: Tensor) -> Tensor:
    """The distance from 1 to the next number of the tensor's type, in its shape.

    Args:
        x (Tensor): a floating type.

    Returns: Tensor of the same shape and type.
    Raises TypeError: `x` is of no floating type.
    Difference from PyTorch: ``torch.finfo(dtype).eps``.

    >>> print(ms.ops.eps(ms.Tensor([1.0])))
    [1.1920929e-07]
    """
    if not x.is_floating_point():
        raise TypeError(
            f"For 'eps', 'x' must be of a floating type, but got {FROM_TORCH[x.dtype]}."
        )
    return torch.full_like(x, torch.finfo(x.dtype).eps)
